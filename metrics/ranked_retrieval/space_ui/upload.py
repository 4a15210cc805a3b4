# Vendored: edit metrics/_shared/space_ui/upload.py and run `make vendor`.
"""Files and pasted text: read them as the rows of a Space. Standard library only."""

import csv
import io
import json
import re
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from .rows import Column
from .rows import InputError
from .rows import Limits
from .rows import Row
from .rows import check_content
from .rows import join_cell
from .rows import names_of

_SHOWN_NAMES = 8


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
    check_content(rows, columns, limits)
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
        notes = [f"No column names in the first line: columns taken in the order {names_of(columns)}."]
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


def _mapping_note(found: Mapping[str, str], columns: Sequence[Column]) -> str:
    pairs = [(column.label, found[column.name]) for column in columns if column.name in found]
    return "Read " + ", ".join(f"{label.lower()} from “{name}”" for label, name in pairs) + "."


def _not_found(missing: Sequence[Column], names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name[:40]}”" for name in names[:_SHOWN_NAMES])
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    wanted = "; ".join(f"{column.label.lower()} (any of {', '.join(column.known[1:6])})" for column in missing)
    return f"No column for {wanted}. Found: {shown or 'none'}{more}."
