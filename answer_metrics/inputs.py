"""Which field of a file is which input of a metric, by the metric's declarations, and its values as that takes them."""

import ast
import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from answer_metrics import did_you_mean, readers
from answer_metrics.readers import InputError

NEVER_GUESSED = frozenset({"clusters", "human_labels"})
_SURE = {
    "ids": "ids id example_id question_id query_id sample_id qid doc_id uuid",
    "questions": "questions question query problem prompt input instruction doc.question doc.query vars.question",
    "predictions": "predictions prediction pred prediction_text hyp hypothesis response model_response completion "
    "generation generated generated_text generated_answer model_answer model_output llm_answer llm_output "
    "llm_response actual_output candidate response.output",
    "references": "references reference ref gold gold_answer gold_answers golden_answer golden_answers ground_truth "
    "ground_truths expected expected_output expected_answer target targets answers.text correct_answer correct_answers "
    "answer_key vars.references",
    "choices": "choices options choices.text",
    "relevance": "relevance",
}
_LISTS = {
    "predictions": "retrieved_contexts retrieved_chunks retrieved_documents retrieved_ids retrieved predictions "
    "contexts",
    "references": "ground_truth_contexts reference_contexts gold_contexts relevant relevant_ids relevant_documents "
    "references",
}
"""The same for lists of chunks or ids."""
_UNSURE = {
    "predictions": "output answer text model",
    "references": "answers answer label solution output text best_answer",
}
"""Names that mean one thing or the other: taken for what is missing, predictions first."""
_WRITTEN_LIST = re.compile(r"""\s*\[\s*(['"].*['"])?\s*\]\s*""", re.DOTALL)


def name_columns(
    metric: Any, fields: Iterable[str], chosen: Mapping[str, str], decided: Mapping[str, str]
) -> dict[str, str]:
    """Find the field of each input: as `chosen` by the user, as `decided` by the format, otherwise by its name."""
    known = [*metric.inputs, "ids"]
    present = list(fields)
    for name, field in chosen.items():
        if name not in known:
            raise InputError(f"--columns {name}={field}: there is no input {name!r}{did_you_mean(name, known)}")
        if field not in present:
            raise InputError(f"--columns {name}={field}: there is no field {field!r}{did_you_mean(field, present)}")
    found = {name: field for name, field in decided.items() if field in present} | dict(chosen)
    if not decided:
        found |= _guess(metric, present, [name for name in known if name not in NEVER_GUESSED], found)
    return {name: found[name] for name in known if name in found}


def _guess(metric: Any, fields: list[str], wanted: list[str], given: Mapping[str, str]) -> dict[str, str]:
    plain = {re.sub(r"[^\w.]+", "_", name.strip().casefold()): name for name in reversed(fields)}
    found = dict(given)
    for table in (_SURE, _UNSURE):
        for name in wanted:
            if name in found:
                continue
            names = _LISTS[name] if name in _LISTS and _is_listed(metric, name) else table.get(name, "")
            fit = [plain[alias] for alias in names.split() if alias in plain and plain[alias] not in found.values()]
            if len(fit) > 1 and name in {"predictions", "references"} and fit[0] not in {name, name.removesuffix("s")}:
                raise InputError(
                    f"Both {fit[0]!r} and {fit[1]!r} could be the {name}; say which: --columns {name}={fit[0]}"
                )
            if fit:
                found[name] = fit[0]
    return found


def _is_listed(metric: Any, name: str) -> bool:
    """Return whether an input has a list per row, and only that."""
    return str(metric.inputs[name].type_label).startswith("list of lists") if name in metric.inputs else False


# ---- values


def to_values(metric: Any, name: str, column: Any, *, is_cells: bool) -> Any:
    """Return a column as the metric takes it: numbers become text, a list of one text becomes that text.

    In cells, which have text only, a list is written `["one", "two"]` or `one | two`.
    """
    if name in NEVER_GUESSED or name == "ids":
        return column
    kind = metric.inputs[name].type_label
    several = "list of lists" in kind
    if "float" in kind:
        return [_numbers(cell) for cell in column] if is_cells else column
    if is_cells and several:
        column = [_split(cell, always=_is_listed(metric, name)) for cell in column]
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        types = ("string", "large_string", *(("list<item: string>", "list<element: string>") if several else ()))
        if str(column.type) in types:
            return column
    values = [_text(value, several=several) for value in _plain(column)]
    if several and any(isinstance(value, list) for value in values):
        return [value if isinstance(value, list) or value is None else [value] for value in values]
    return values


def _plain(column: Any) -> Any:
    return column.to_pylist() if isinstance(column, (pa.Array, pa.ChunkedArray)) else column


def _text(value: Any, *, several: bool) -> Any:
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if isinstance(value, list) and several:
        return [_text(item, several=False) for item in value]
    if isinstance(value, list) and len(value) == 1:
        return _text(value[0], several=False)
    return value


def _split(cell: str, *, always: bool) -> str | list[str]:
    """Return the texts in a cell; one text stays a text unless `always`."""
    if _WRITTEN_LIST.fullmatch(cell):
        for parse in (json.loads, ast.literal_eval):
            with contextlib.suppress(ValueError, SyntaxError):
                value = parse(cell)
                if (value or always) and all(isinstance(item, str) for item in value):
                    return list(value)
    parts = cell.split(" | ")
    if always:
        return [part for part in parts if part.strip()]
    return parts if len(parts) > 1 and all(map(str.strip, parts)) else cell


def _numbers(cell: str) -> list[float]:
    try:
        return [float(text) for text in re.split(r"[\s,;|\[\]]+", cell) if text]
    except ValueError:
        raise InputError(f"{cell[:40]!r} is not a list of numbers.") from None


# ---- a second file


class Joined:
    """The inputs that another file has, by id or by position."""

    def __init__(self, metric: Any, path: str, chosen: Mapping[str, str]) -> None:
        self._path = path
        self._rows: list[dict[str, Any]] = []
        self._by_place = False
        rows = readers.open_rows(path)
        for piece in rows.pieces:
            decided = {"references": "text"} if rows.format == "text" else rows.columns
            names = _names_beside(metric, piece, chosen, decided)
            if "references" not in names:
                raise InputError(f"{path} has no field of references; it has {', '.join(piece)}")
            is_cells = rows.format in {"csv", "tsv"}
            columns = {name: to_values(metric, name, piece[field], is_cells=is_cells) for name, field in names.items()}
            self._rows += rows_of(columns)
        self._by_id = {str(row.pop("ids")): row for row in self._rows if "ids" in row}

    def add(self, given: Mapping[str, Any], start: int) -> dict[str, list[Any]]:
        """Return the inputs for a piece whose first row is number `start` of its file, counted from 0."""
        if self._by_id and "ids" in given:
            wanted = list(map(str, _plain(given["ids"])))
            if missing := [one for one in wanted if one not in self._by_id]:
                raise InputError(
                    f"{self._path} has no references for {len(missing)} of the ids, such as {missing[0]!r}"
                )
            found = [self._by_id[one] for one in wanted]
        else:
            self._by_place = True
            count = len(next(iter(given.values())))
            found = self._rows[start : start + count]
            if len(found) < count:
                raise InputError(f"{self._path} has {len(self._rows):,} rows, fewer than there are predictions")
        return {name: [row[name] for row in found] for name in found[0] if name not in given} if found else {}

    def check_end(self, count: int) -> None:
        """Raise an `InputError` if rows that are matched by position are left over."""
        if self._by_place and count != len(self._rows):
            raise InputError(f"{self._path} has {len(self._rows):,} rows, but there are {count:,} predictions")


def _names_beside(
    metric: Any, piece: Mapping[str, Any], chosen: Mapping[str, str], decided: Mapping[str, str]
) -> dict[str, str]:
    """Name the fields of a file of references, in which `answer` is a reference."""
    wanted = [
        name for name in ("ids", "references", "questions", "choices", "relevance") if name in {"ids", *metric.inputs}
    ]
    own = {name: field for name, field in chosen.items() if field in piece}
    found = dict(decided)
    if not decided:
        fields = [field for field in piece if field not in {"predictions", "prediction"}]
        found = _guess(metric, fields, wanted, {"predictions": "", **own})
    return {name: field for name, field in {**found, **own}.items() if name in wanted}


def rows_of(columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a piece."""
    plain = {name: _plain(column) for name, column in columns.items()}
    for values in zip(*plain.values(), strict=True):
        yield dict(zip(plain, values, strict=True))
