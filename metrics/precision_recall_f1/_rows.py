# Vendored: edit spaces/form/_rows.py and run `make vendor`.
"""Rows of a Space: read them from files and pasted text, write them into cells and links. Standard library only.

A row is a list of cells, one string per input of the metric, as the page's table shows it. A cell of an input that
takes several texts holds them as `one | two`, one to a line, or as a JSON list.
"""

import base64
import binascii
import csv
import io
import json
import re
import zlib
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal

Row = list[str]
Kind = Literal["text", "answers", "list"]

ALIASES: Mapping[str, tuple[str, ...]] = {
    "questions": ("question", "query", "prompt", "input", "instruction"),
    "predictions": ("prediction", "pred", "answer", "output", "response", "completion", "generated", "candidate"),
    "references": ("reference", "ref", "gold", "target", "ground_truth", "expected", "label", "answers", "correct"),
}
SEPARATOR = " | "
MAX_LINK = 8_000
_MAX_UNPACKED = 400_000
_SHOWN_NAMES = 8


class InputError(ValueError):
    """What a visitor gave can't be used; the message says what to do."""


@dataclass(frozen=True)
class Column:
    """One input of a metric, as the page shows it."""

    name: str
    """What `compute` calls it."""
    label: str
    """What the page calls it."""
    kind: Kind = "text"
    """One text, one or several acceptable texts, or a list of texts that may be empty."""
    aliases: tuple[str, ...] = ()
    """What else files call it."""
    optional: bool = False
    """Whether a file may do without it."""

    @property
    def known(self) -> tuple[str, ...]:
        """All names that a file may use for it, the most telling first."""
        names = (self.name, self.name.removesuffix("s"), *self.aliases, *ALIASES.get(self.name, ()))
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True)
class Limits:
    """How much a visitor may send."""

    rows: int = 2_000
    characters: int = 1_000_000
    cell: int = 20_000
    texts: int = 20_000
    """How many texts all cells together may hold: each is work, however short it is."""
    texts_in_cell: int = 100
    """Some metrics compare each text of a cell with each of another."""

    def check(self, rows: Sequence[Row]) -> None:
        """Raise an `InputError` for what is too much."""
        if len(rows) > self.rows:
            raise InputError(
                f"There are {len(rows):,} rows; this page takes {self.rows:,}. In Python there is no limit: "
                "see the tab Python & API."
            )
        total = 0
        for index, row in enumerate(rows):
            for cell in row:
                total += len(cell)
                if len(cell) > self.cell:
                    raise InputError(
                        f"Row {index + 1} holds {len(cell):,} characters in a cell; this page takes {self.cell:,}."
                    )
        if total > self.characters:
            raise InputError(
                f"The texts hold {total:,} characters together; this page takes {self.characters:,}. In Python there "
                "is no limit: see the tab Python & API."
            )

    def check_texts(self, counts: Sequence[Sequence[int]]) -> None:
        """Raise an `InputError` for too many texts, given how many each cell of each row holds."""
        for index, row in enumerate(counts):
            if max(row, default=0) > self.texts_in_cell:
                raise InputError(
                    f"Row {index + 1} holds {max(row):,} texts in a cell; this page takes {self.texts_in_cell:,}."
                )
        total = sum(map(sum, counts))
        if total > self.texts:
            raise InputError(
                f"The cells hold {total:,} texts together; this page takes {self.texts:,}. In Python there is no "
                "limit: see the tab Python & API."
            )


# ---- cells


def split_cell(cell: str, kind: Kind) -> list[str]:
    """Read the texts of a cell.

    A JSON list of strings is what it says. Else `one | two` is two texts, and where a list of texts is wanted, so are
    two lines. Anything else is one text, as it stands; an empty cell is an empty list where one is possible.
    """
    if kind == "text":
        return [cell]
    listed = _json_texts(cell)
    if listed is not None and (listed or kind == "list"):
        return listed
    if kind == "list":
        return [text.strip() for line in cell.splitlines() for text in line.split(SEPARATOR) if text.strip()]
    parts = cell.split(SEPARATOR)
    return parts if all(part.strip() for part in parts) else [cell]


def join_cell(texts: Sequence[str], kind: Kind) -> str:
    """Write texts into a cell, so that `split_cell` gives them back."""
    separator = "\n" if kind == "list" else SEPARATOR
    cell = separator.join(texts)
    if split_cell(cell, kind) == list(texts):
        return cell
    return json.dumps(list(texts), ensure_ascii=False)


def _json_texts(cell: str) -> list[str] | None:
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def to_inputs(rows: Sequence[Row], columns: Sequence[Column]) -> dict[str, list[Any]]:
    """Turn rows into the columns that `compute` takes.

    Where no cell of a column holds several acceptable texts, the column is one of plain strings.
    """
    inputs: dict[str, list[Any]] = {}
    for place, column in enumerate(columns):
        texts = [split_cell(row[place], column.kind) for row in rows]
        single = column.kind == "text" or (column.kind == "answers" and all(len(several) == 1 for several in texts))
        inputs[column.name] = [several[0] for several in texts] if single else texts
    return inputs


def check_rows(rows: Any, columns: Sequence[Column], limits: Limits, least: int = 0) -> list[Row]:
    """Check rows that came from a page or a link; rows without any text are left out.

    Raises:
        InputError: If they are no rows of texts, or too many, or too few.
    """
    width = len(columns)
    if not isinstance(rows, list):
        raise InputError("The rows can't be read.")
    for row in rows:
        if not isinstance(row, list) or len(row) != width or not all(isinstance(cell, str) for cell in row):
            raise InputError(f"Each row needs {width} texts: {_names(columns)}.")
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if len(filled) < least:
        raise InputError("There are no rows yet: type some, open a file, paste a table or choose an example.")
    _check(filled, columns, limits)
    return filled


def _check(rows: Sequence[Row], columns: Sequence[Column], limits: Limits) -> None:
    _check_unicode(rows)
    limits.check(rows)
    limits.check_texts(
        [[len(split_cell(cell, column.kind)) for cell, column in zip(row, columns, strict=True)] for row in rows]
    )


def _check_unicode(rows: Sequence[Row]) -> None:
    for index, row in enumerate(rows):
        try:
            "".join(row).encode()
        except UnicodeEncodeError:
            raise InputError(
                f"Row {index + 1} holds half of a character (a lone surrogate). Save it as UTF-8."
            ) from None


# ---- files and pasted text


def read_table(text: str, columns: Sequence[Column], limits: Limits, filename: str = "") -> tuple[list[Row], list[str]]:
    """Read rows from CSV, TSV, JSON or JSON lines.

    Args:
        text: The content of a file, or what was pasted.
        columns: The columns that are looked for, by their names and aliases.
        limits: How much is taken.
        filename: Its ending says what the text is; without one the text itself does.

    Returns:
        The rows, and notes on how they were understood.

    Raises:
        InputError: If the text can't be understood, or is too much.
    """
    text = text.removeprefix("\ufeff")
    if len(text) > 4 * limits.characters:
        raise InputError(f"That is {len(text):,} characters; this page takes {limits.characters:,}.")
    if not text.strip():
        raise InputError("There is nothing in it.")
    ending = filename.rpartition(".")[2].lower() if "." in filename else ""
    if ending in {"json", "jsonl", "ndjson"} or (ending not in {"csv", "tsv"} and _looks_like_json(text)):
        rows, notes = _from_records(_read_json(text, columns), columns)
    else:
        rows, notes = _from_cells(_read_cells(text, ending), columns)
    if not rows:
        raise InputError("There are column names in it, but no rows.")
    _check(rows, columns, limits)
    return rows, notes


def _looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] == "{" or re.match(r"\s*\[\s*(\{|\])", text) is not None


def _read_json(text: str, columns: Sequence[Column]) -> Sequence[Mapping[str, Any]]:
    """Read a list of objects, an object of columns, an object that holds a list of objects, or one object a line."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise InputError("The JSON is nested too deeply.") from None
    except ValueError:
        return _read_json_lines(text)
    if isinstance(value, dict):
        found = _matched(list(value), columns)
        if all(column.name in found or column.optional for column in columns):
            named = [(column, found[column.name]) for column in columns if column.name in found]
            if all(_is_column(value[name], column) for column, name in named):
                return _rows_of({name: value[name] for _, name in named})
            return [value]
        value = next((one for one in value.values() if _is_records(one)), [value])
    if _is_records(value):
        return list(value)
    raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _is_column(value: Any, column: Column) -> bool:
    """Say whether a value holds a whole column, where it could be that of one row, too."""
    return isinstance(value, list) and (column.kind != "list" or all(isinstance(item, list) for item in value))


def _rows_of(columns: Mapping[str, list[Any]]) -> list[Mapping[str, Any]]:
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"{len(column)} {key}" for key, column in columns.items())
        raise InputError(f"The lists in the JSON differ in length: {lengths}.")
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _read_json_lines(text: str) -> list[Mapping[str, Any]]:
    records: list[Mapping[str, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"Line {number} is no JSON.") from None
        if not isinstance(record, dict):
            raise InputError(f"Line {number} is no JSON object: each line needs named fields.")
        records.append(record)
    return records


def _from_records(records: Sequence[Mapping[str, Any]], columns: Sequence[Column]) -> tuple[list[Row], list[str]]:
    names = list(dict.fromkeys(name for record in records for name in record))
    found = _found(names, columns)
    converted: set[str] = set()
    rows = []
    for index, record in enumerate(records):
        row = []
        for column in columns:
            name = found.get(column.name)
            if name is None:
                row.append("")
                continue
            if name not in record:
                raise InputError(f"Row {index + 1} has no field “{name}”.")
            row.append(_cell(record[name], column, f"Row {index + 1}, field “{name}”", converted))
        rows.append(row)
    notes = [_mapping_note(found, columns)]
    if converted:
        notes.append(f"Read as text: {', '.join(sorted(converted))}.")
    return rows, notes


def _cell(value: Any, column: Column, place: str, converted: set[str]) -> str:
    if isinstance(value, (list, tuple)):
        if column.kind == "text":
            raise InputError(f"{place} is a list; one text is needed.")
        if not value and column.kind == "answers":
            raise InputError(f"{place} is an empty list; at least one text is needed.")
        return join_cell([_plain(item, place, converted) for item in value], column.kind)
    text = _plain(value, place, converted)
    return text if column.kind == "text" else join_cell([text], column.kind)


def _plain(value: Any, place: str, converted: set[str]) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        converted.add("missing values, as empty texts")
        return ""
    if isinstance(value, (bool, int, float)):
        converted.add("numbers")
        return json.dumps(value)
    raise InputError(f"{place} is no text.")


def _read_cells(text: str, ending: str) -> list[list[str]]:
    first = next(line for line in text.splitlines() if line.strip())
    counts = {delimiter: first.count(delimiter) for delimiter in "\t,;"}
    delimiter = "\t" if ending == "tsv" or counts["\t"] else max(",;", key=lambda one: counts[one])
    lines = io.StringIO(text.replace("\x00", ""), newline="")
    try:
        cells = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t"))
    except csv.Error as error:
        raise InputError(f"The table can't be read: {error}.") from None
    filled = [row for row in cells if any(cell.strip() for cell in row)]
    if not filled:
        raise InputError("There is nothing in it.")
    return filled


def _from_cells(cells: list[list[str]], columns: Sequence[Column]) -> tuple[list[Row], list[str]]:
    head = [name.strip() for name in cells[0]]
    places: list[int | None]
    if _matched(head, columns):
        found = _found(head, columns)
        places = [head.index(found[column.name]) if column.name in found else None for column in columns]
        body, notes = cells[1:], [_mapping_note(found, columns)]
    elif len(head) == len(columns):
        places, body = [*range(len(columns))], cells
        notes = [f"No column names in the first line: columns taken in the order {_names(columns)}."]
    else:
        raise InputError(_not_found(list(columns), head))
    last = max(place for place in places if place is not None)
    for index, row in enumerate(body):
        if len(row) <= last:
            raise InputError(
                f"Row {index + 1} has {len(row)} of {last + 1} cells. Texts with a comma, tab or line break stand in "
                'double quotes: "like, this".'
            )
    return [["" if place is None else row[place] for place in places] for row in body], notes


def _matched(names: Sequence[str], columns: Sequence[Column]) -> dict[str, str]:
    """Match the names of a file with columns: by the column's name first, then by its aliases in their order."""
    plain = {_plain_name(name): name for name in reversed(names)}
    found: dict[str, str] = {}
    for column in columns:
        for alias in column.known:
            if alias in plain and plain[alias] not in found.values():
                found[column.name] = plain[alias]
                break
    return found


def _found(names: Sequence[str], columns: Sequence[Column]) -> dict[str, str]:
    """Match names with columns, and see to it that none is missing.

    Raises:
        InputError: If one is.
    """
    found = _matched(names, columns)
    missing = [column for column in columns if column.name not in found and not column.optional]
    if missing:
        raise InputError(_not_found(missing, names))
    return found


def _plain_name(name: str) -> str:
    return re.sub(r"\W+", "_", name.strip().casefold()).strip("_")


def _names(columns: Sequence[Column]) -> str:
    return ", ".join(column.label.lower() for column in columns)


def _mapping_note(found: Mapping[str, str], columns: Sequence[Column]) -> str:
    pairs = [(column.label, found[column.name]) for column in columns if column.name in found]
    return "Read " + ", ".join(f"{label.lower()} from “{name}”" for label, name in pairs) + "."


def _not_found(missing: Sequence[Column], names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name[:40]}”" for name in names[:_SHOWN_NAMES])
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    wanted = "; ".join(f"{column.label.lower()} (any of {', '.join(column.known[1:6])})" for column in missing)
    return f"No column for {wanted}. Found: {shown or 'none'}{more}."


# ---- links


def pack_link(rows: Sequence[Row], options: Mapping[str, Any]) -> str | None:
    """Write rows and options into the part of a link after its number sign, which browsers send to no server.

    Returns:
        The text, or None if it would be longer than what mail and chat programs keep whole, or than what is unpacked.
    """
    plain = json.dumps({"rows": list(rows), "options": dict(options)}, ensure_ascii=False, separators=(",", ":"))
    if len(plain.encode()) > _MAX_UNPACKED:
        return None
    packed = base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode().rstrip("=")
    return f"rows={packed}" if len(packed) <= MAX_LINK else None


def unpack_link(fragment: str, columns: Sequence[Column], limits: Limits) -> tuple[list[Row], dict[str, Any]] | None:
    """Read what `pack_link` wrote.

    Returns:
        Rows and options, the latter unchecked; None if there is no such thing in the fragment.

    Raises:
        InputError: If it is damaged, or larger than this page takes.
    """
    name, _, packed = fragment.lstrip("#").partition("=")
    if name != "rows":
        return None
    damaged = InputError("The link is damaged or was cut short. Ask for it again.")
    try:
        raw = base64.b64decode(packed.encode("ascii") + b"=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        plain = reader.decompress(raw, _MAX_UNPACKED)
        if not reader.eof:
            raise damaged
        value = json.loads(plain)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise damaged from None
    if not isinstance(value, dict) or not isinstance(value.get("options"), dict):
        raise damaged
    return check_rows(value.get("rows"), columns, limits), value["options"]
