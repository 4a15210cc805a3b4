# Vendored: edit metrics/_shared/space_ui/upload.py and run `make vendor`.
"""Matching of a file's columns with the inputs of a metric, and conversion of its records to rows. No Gradio here."""

import json
import math
import re
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

from .rows import Column
from .rows import InputError
from .rows import Limits
from .rows import Row
from .rows import check_content
from .rows import join_cell
from .rows import names_of
from .tables import Table
from .tables import is_chat
from .tables import parse_table

_SHOWN_NAMES = 8


class Upload(NamedTuple):
    """Rows read from a file, or the names of its columns if they can't be matched with the inputs."""

    names: list[str]
    """The column names of the file; empty if it has none."""
    mapping: dict[str, str]
    """The column of the file for each input."""
    rows: list[Row] | None
    notes: list[str]
    error: str = ""


def read_upload(
    content: bytes,
    columns: Sequence[Column],
    limits: Limits,
    filename: str = "",
    mapping: Mapping[str, str] | None = None,
) -> Upload:
    """Read rows from a file.

    Args:
        content: The bytes.
        columns: The columns to find, by their names and aliases.
        limits: The limits of the Space.
        filename: Its extension determines the format.
        mapping: The column of the file for each input, if the visitor chose them.

    Raises:
        InputError: If the file can't be read, or exceeds the limits.
    """
    return map_columns(parse_table(content, filename), columns, limits, mapping)


def map_columns(
    table: Table, columns: Sequence[Column], limits: Limits, mapping: Mapping[str, str] | None = None
) -> Upload:
    """Turn the records of a table into rows.

    Raises:
        InputError: If a value can't be used, or the table exceeds the limits.
    """
    found = dict(mapping or {}) or _matched(table.names, columns)
    required = [column for column in columns if not column.optional]
    needed = [column for column in required if not column.separate]
    for candidates in (required, needed):
        if table.first_row is not None and not found and len(table.first_row) == len(candidates):
            rows = [_by_position(row, candidates, columns) for row in _all_rows(table)]
            check_content(rows, columns, limits)
            note = f"No column names in the first line: columns taken in the order {names_of(candidates)}."
            return Upload([], {}, rows, [note])
    missing = [column for column in needed if found.get(column.name) not in table.names]
    if missing:
        return Upload(table.names, found, None, [], _not_found(missing, table.names))
    table = _expanded(table, columns, found)
    if not table.records:
        raise InputError("The file has column names, but no rows.")
    if len(table.records) > limits.rows:
        raise InputError(limits.too_many_rows(len(table.records)))
    notes = list(table.notes)
    if not mapping:
        found, skipped = _without_unusable(table, columns, found)
        notes += skipped
    converted: set[str] = set()
    rows = [
        _row(record, index, columns, found, converted, from_cells=table.first_row is not None)
        for index, record in enumerate(table.records)
    ]
    check_content(rows, columns, limits)
    notes.insert(0, _mapping_note(found, columns))
    if converted:
        notes.append(f"Read as text: {', '.join(sorted(converted))}.")
    return Upload(table.names, found, rows, notes)


def _without_unusable(
    table: Table, columns: Sequence[Column], found: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Drop guessed fields that optional columns can't be read from; return the others, and notes about it."""
    usable, notes = dict(found), []
    for column in columns:
        if column.optional and column.name in found:
            try:
                for index, record in enumerate(table.records):
                    _row(record, index, [column], found, set(), from_cells=table.first_row is not None)
            except InputError as error:
                del usable[column.name]
                notes.append(f"Not used as {column.spoken}: {error}")
    return usable, notes


def _expanded(table: Table, columns: Sequence[Column], found: Mapping[str, str]) -> Table:
    """Expand a single record of whole columns, as in {"predictions": [...], "references": [...]}, into one per row."""
    if len(table.records) != 1 or table.first_row is not None:
        return table
    (record,) = table.records
    named = {found[column.name]: column for column in columns if column.name in found}
    if not all(_is_column(record[name], column) for name, column in named.items()):
        return table
    lengths = {name: len(record[name]) for name in named}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise InputError(f"The lists in the JSON differ in length: {counts}.")
    rows = zip(*(record[name] for name in named), strict=True)
    return table._replace(records=[dict(zip(named, row, strict=True)) for row in rows])


def _is_column(value: Any, column: Column) -> bool:
    """Return whether a value is a whole column rather than the value of one row."""
    return isinstance(value, list) and (
        column.kind not in {"list", "numbers"} or all(isinstance(item, list) for item in value)
    )


def _all_rows(table: Table) -> list[list[str]]:
    return [table.first_row or [], *([record[name] for name in table.names] for record in table.records)]


def _by_position(row: Sequence[str], required: Sequence[Column], columns: Sequence[Column]) -> Row:
    cells = dict(zip((column.name for column in required), row, strict=True))
    return [cells.get(column.name, "") for column in columns]


def _row(
    record: Mapping[str, Any],
    index: int,
    columns: Sequence[Column],
    found: Mapping[str, str],
    converted: set[str],
    *,
    from_cells: bool,
) -> Row:
    row = []
    for column in columns:
        name = found.get(column.name)
        if name is None:
            row.append("")
        elif name not in record:
            raise InputError(f"Row {index + 1} has no field “{name}”.")
        else:
            where = f"Row {index + 1}, field “{name}”"
            row.append(_cell(record[name], column, where, converted, from_cells=from_cells))
    return row


def _cell(value: Any, column: Column, where: str, converted: set[str], *, from_cells: bool) -> str:
    """Write a value as a cell. In a table of cells `one | two` is two texts; in JSON it is one."""
    if is_chat(value):
        value = _message(value, column)
    while column.kind != "list" and isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]  # lm-evaluation-harness keeps one response as a list of one list of one
    if isinstance(value, (list, tuple)):
        if column.kind == "text":
            raise InputError(f"{where} is a list of {len(value)}; one text is needed.")
        if not value and column.kind == "answers":
            raise InputError(f"{where} is an empty list; at least one text is needed.")
        conversions = set() if column.kind == "numbers" else converted
        return join_cell([_plain(item, where, conversions) for item in value], column.kind)
    text = _plain(value, where, converted)
    if column.kind == "numbers":
        return text
    return text if column.kind == "text" or from_cells else join_cell([text], column.kind)


def _message(messages: Sequence[Mapping[str, Any]], column: Column) -> str:
    """Return the text of the last message, for a question that of the last message of the user."""
    of_user = [message for message in messages if message["role"] == "user"]
    content = (of_user if column.name == "questions" and of_user else messages)[-1]["content"]
    if isinstance(content, list):  # a message can consist of texts, images and tool calls
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "\n".join(text for text in parts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _plain(value: Any, where: str, converted: set[str]) -> str:
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        converted.add("missing values, as empty texts")
        return ""
    if isinstance(value, (bool, int, float)):
        converted.add("numbers")
        return json.dumps(value)
    raise InputError(f"{where} isn't text.")


def _matched(names: Sequence[str], columns: Sequence[Column]) -> dict[str, str]:
    """Match the column names of a file with columns: by the column's name first, then by its aliases in order."""
    plain = {_plain_name(name): name for name in reversed(names)}
    found: dict[str, str] = {}
    for column in columns:
        for alias in column.known:
            if alias in plain and plain[alias] not in found.values():
                found[column.name] = plain[alias]
                break
    return found


def _plain_name(name: str) -> str:
    return re.sub(r"\W+", "_", name.strip().casefold()).strip("_")


def _mapping_note(found: Mapping[str, str], columns: Sequence[Column]) -> str:
    pairs = [(column.spoken, found[column.name]) for column in columns if column.name in found]
    return "Read " + ", ".join(f"{label} from “{name}”" for label, name in pairs) + "."


def _not_found(missing: Sequence[Column], names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name[:40]}”" for name in names[:_SHOWN_NAMES])
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    expected = "; ".join(f"{column.spoken} (any of {', '.join(column.suggested)})" for column in missing)
    return f"No column for {expected}. Found: {shown or 'none'}{more}. Choose the columns."
