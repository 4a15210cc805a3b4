"""Rows of a file: columns in pieces, or records one by one."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

Record = dict[str, Any]
Columns = Mapping[str, Any]
ROWS_IN_PIECE = 20_000
_MAX_DEPTH = 4
_STEP = re.compile(r"\[(-?\d*)\]|([^.\[\]]+)")


class InputError(ValueError):
    """A file cannot be used. Metrics put their own name before the message of a plain `ValueError`."""


@dataclass(frozen=True)
class Request:
    """What to read: a format (None: recognize it) and the file's suffix, such as ".csv".

    `is_references` decides for formats that write predictions and references alike, `fields` are names that the user
    gave, and `max_bytes` limits the unpacked size of an upload.
    """

    format: str | None = None
    suffix: str = ""
    is_references: bool = False
    fields: frozenset[str] = frozenset()
    encoding: str | None = None
    max_bytes: int | None = None


DEFAULT = Request()


@dataclass
class Rows:
    """The rows of a file.

    `total` is their number where the file states it, `notes` are remarks for the user, `first` is the header line of a
    table of cells by field name (both are complete only when the pieces are read), and `options` are options that the
    format implies for metrics that have them, such as `matching_strategy="ID"`.
    """

    format: str
    pieces: Iterator[Columns]
    total: int | None = None
    notes: list[str] = field(default_factory=list)
    first: Record = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def records(self) -> Iterator[Record]:
        """Yield the rows one by one, in place of the pieces."""
        for piece in self.pieces:
            yield from piece.records() if isinstance(piece, Lines) else rows_of(piece)


class Lines(dict[str, Any]):
    """A piece of JSON Lines that Arrow parsed."""

    def __init__(self, columns: Columns, text: bytes) -> None:
        super().__init__(columns)
        self._text = text

    def records(self) -> Iterator[Record]:
        """Yield the rows with numbers as written: Arrow turns 3 into 3.0 in a column that also has 0.5."""
        return (flat(json.loads(line)) for line in self._text.splitlines() if line.strip())


def made_of(kind: str, rows: Iterable[Record], **more: Any) -> Rows:
    """Return records as `Rows` of a format; `more` are further fields of `Rows`."""
    return Rows(kind, batched(rows), **more)


def batched(records: Iterable[Record]) -> Iterator[Columns]:
    """Turn rows into columns, piece by piece. A field that is an object in some rows only also has a column."""
    remaining = iter(records)
    while piece := list(itertools.islice(remaining, ROWS_IN_PIECE)):
        flat_rows = list(map(flat, piece))
        # Each row has a cell for every field of its piece, so that pieces with many fields are short.
        step = 500 if len({*itertools.chain.from_iterable(flat_rows)}) > 500 else ROWS_IN_PIECE
        for start in range(0, len(piece), step):
            rows, flat_part = piece[start : start + step], flat_rows[start : start + step]
            names = dict.fromkeys(itertools.chain.from_iterable(flat_part))
            columns = {name: [row.get(name) for row in flat_part] for name in names}
            owners = names.keys() & {name[: dot.start()] for name in names for dot in re.finditer(r"\.", name)}
            yield columns | {name: [_value_at(row, name.split(".")) for row in rows] for name in owners}


def flat(record: Record, depth: int = 1) -> Record:
    """Name nested fields by their path, as in `answers.text`."""
    fields: Record = {}
    for key, value in record.items():
        inner = flat(value, depth + 1) if isinstance(value, dict) and depth < _MAX_DEPTH else {}
        fields |= {f"{key}.{name}": item for name, item in inner.items()} or {key: value}
    return fields


def rows_of(columns: Columns) -> Iterator[Record]:
    """Yield the rows of a piece."""
    for values in zip(*map(plain, columns.values()), strict=True):
        yield dict(zip(columns, values, strict=True))


def columns_of(table: pa.Table) -> Columns:
    """Return the columns of a table, structs as fields named by their path, and string views, which polars writes."""
    for _ in range(_MAX_DEPTH):
        if any(pa.types.is_struct(field.type) for field in table.schema):
            table = table.flatten()
    columns = zip(table.column_names, table.columns, strict=True)
    return {name: column.cast("string") if column.type == pa.string_view() else column for name, column in columns}


def plain(column: Any) -> Any:
    """Return a column as Python values."""
    return column.to_pylist() if hasattr(column, "to_pylist") else column


def column_at(columns: Columns, path: str) -> Any:
    """Return a column by its name or a path such as `choices[0].text` or `hits[].id`; None if no row has it."""
    if path in columns:
        return columns[path]
    for end in sorted((match.start() for match in re.finditer(r"[.\[]", path)), reverse=True):
        if path[:end] in columns:
            steps = [int(index) if index else name or None for index, name in _STEP.findall(path, end)]
            values = [_value_at(value, steps) for value in plain(columns[path[:end]])]
            return None if all(value is None for value in values) else values
    return None


def has_field(columns: Columns, path: str) -> bool:
    """Return whether any row has a field of this name or path."""
    return column_at(columns, path) is not None


def _value_at(value: Any, steps: Sequence[int | str | None]) -> Any:
    for place, step in enumerate(steps, 1):
        if step is None:  # each item of a list
            return [_value_at(item, steps[place:]) for item in value] if isinstance(value, list) else None
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def is_records(value: Any) -> bool:
    """Return whether a JSON value is a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def plural(count: int, noun: str) -> str:
    """Return a number of things: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"
