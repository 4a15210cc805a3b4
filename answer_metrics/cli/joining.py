"""Data from another file, joined by id or position: references and human labels."""

from collections.abc import Collection, Mapping
from typing import Any

from answer_metrics.cli.inputs import InputFile, length
from answer_metrics.files import reading
from answer_metrics.files.rows import InputError, has_field, plain, plural, rows_of


def as_id(value: Any) -> str:
    """Return an id as text, so that 1 and 1.0 of one file are "1" of another."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


class Joined:
    """The inputs that another file has for the rows of a file.

    `chosen` are the fields that the user names, `fields` others to pass on, such as that of groups. The policy "ignore"
    leaves rows without references out, "error" raises; by default qrels ignore, as in trec_eval.
    """

    def __init__(self, file: InputFile, chosen: Mapping[str, str], fields: Collection[str], policy: str | None) -> None:
        self.path, self.format = file.path, file.rows.format
        self.columns: dict[str, str] = {}
        """The field of each input."""
        self.unjudged: list[str] = []
        """The ids of the rows that were left out, since they have no references."""
        self._rows: list[dict[str, Any]] = []
        self._matched: set[str] = set()
        self._is_by_position = False
        without = {"predictions", "prediction"}  # so that `answer` is a reference
        for piece in file.pieces:
            own = {name: field for name, field in chosen.items() if name not in without and has_field(piece, field)}
            columns = file.name_columns(piece, own, without)
            if "references" not in columns:
                raise InputError(f"{self.path} has no field of references; it has {', '.join(piece)}{file.trec_hint()}")
            self.columns |= columns
            more = {field: piece[field] for field in fields if field in piece}
            self._rows += rows_of({**more, **file.take(piece, columns)})
        self.notes = file.rows.notes
        inputs = file.metric.inputs.keys() - {"references"}  # of which one that some rows lack is not used
        lacking = {name for name in inputs if not all(name in row for row in self._rows)}
        self._names = dict.fromkeys(name for row in self._rows for name in row if name not in lacking)
        self._by_id: dict[str, dict[str, Any]] = {}
        for number, row in enumerate(self._rows, 1):
            if "ids" in row and row["ids"] is None:
                raise InputError(f"{self.path}, row {number:,}: the id is null")
            if "ids" in row and self._by_id.setdefault(as_id(row["ids"]), row) != row:
                raise InputError(f"{self.path} has different rows with the id {row['ids']!r}, such as row {number:,}")
        self.has_ids = bool(self._by_id)
        self.references = [row["references"] for row in self._rows]
        self.has_relevance = any("relevance" in row for row in self._rows)
        self._policy = policy or ("ignore" if self.has_relevance else "error")

    def match(self, columns: Mapping[str, Any], start: int) -> tuple[list[int], dict[str, list[Any]]]:
        """Return which rows of a piece, whose first is row `start`, have references, and the columns added to these."""
        count = length(columns)
        if self._by_id and "ids" in columns:
            values = plain(columns["ids"])
            ids = ["null" if value is None else as_id(value) for value in values]
            matched = [index for index, name in enumerate(ids) if name in self._by_id and values[index] is not None]
            unmatched = sorted({*range(count)} - {*matched})
            unjudged = [ids[index] for index in unmatched]
            if unmatched and self._policy == "error":
                raise InputError(
                    f"{self.path} has no references for {len(unmatched)} of the ids, such as {unjudged[0]!r} of row "
                    f"{start + unmatched[0] + 1:,}; --without-reference ignore leaves these rows out"
                )
            self.unjudged += unjudged
            self._matched.update(ids[index] for index in matched)
            partners = [self._by_id[ids[index]] for index in matched]
        else:
            self._is_by_position = True
            matched = list(range(count))
            partners = self._rows[start : start + count]
            if len(partners) < count:
                raise InputError(f"{self.path} has {plural(len(self._rows), 'row')}, fewer than there are predictions")
        new = [name for name in self._names if name not in columns] if partners else []
        return matched, {name: [row.get(name) for row in partners] for name in new}

    def unanswered(self, count: int) -> list[dict[str, Any]]:
        """Return the rows to which none of the `count` predictions belongs."""
        if self._is_by_position:
            if len(self._rows) > count:
                raise InputError(
                    f"{self.path} has {plural(len(self._rows), 'row')}, but there are {count:,} predictions"
                )
            return []
        if not self._matched & self._by_id.keys():
            raise InputError(f"{self.path} has none of the ids of the predictions, such as {self.unjudged[0]!r}")
        return [row for name, row in self._by_id.items() if name not in self._matched]

    def __len__(self) -> int:
        return len(self._rows)


def read_labels(path: str, on: str | None) -> dict[Any, float]:
    """Read labels by the number of the row, counted from 0 as `label` writes it, or by the field of ids `on`."""
    labels: dict[Any, float] = {}
    by = on or "row"
    for number, row in enumerate(reading.open_rows(path).records(), 1):
        if not {by, "label"} <= row.keys():
            raise InputError(f"{path}: it needs the fields {by!r} and 'label'; there are {', '.join(row)}")
        if not (label := "" if row["label"] is None else str(row["label"]).strip()):
            continue
        if row[by] in (None, ""):
            raise InputError(f"{path}, row {number:,}: it has a label, but no {by}")
        reason = f"a row must be a number, counted from 0, not {row[by]!r}"
        try:
            key = as_id(row[by]) if on else int(row[by])
            reason = f"a label is a number from 0 (wrong) to 1 (right), not {label!r}"
            labels[key] = float(label)
        except (TypeError, ValueError):
            raise InputError(f"{path}, row {number:,}: {reason}") from None
    if not labels:
        raise InputError(f"{path}: no row has a label")
    return labels
