"""Output files, which appear once they are complete."""

import contextlib
import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from answer_metrics.files.cells import joined
from answer_metrics.files.rows import Columns, InputError, rows_of

NOTE = b"answer_metrics"
"""The key in a Parquet file's metadata under which `-o` notes how its rows were scored."""
Write: TypeAlias = Callable[[Columns, Mapping[str, Any]], None]
"""Adds columns of rows to a file, with the fields and types of the first ones, and a note."""


@contextlib.contextmanager
def replacing(path: str) -> Iterator[Path]:
    """Yield a path to write to, which gets this name when all went well; otherwise nothing is left."""
    if Path(path).exists() and not Path(path).is_file():  # such as /dev/stdout
        yield Path(path)
        return
    partial = Path(path).with_name(f".{Path(path).name}.{os.getpid()}")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        if partial.exists():
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def open_output(path: str) -> Iterator[Write]:
    """Yield a function that writes rows in the format that the end of the name says."""
    writers = {".parquet": _parquet, ".csv": _csv, ".jsonl": _json_lines}
    ending = Path(path).suffix.lower()
    if ending not in writers:
        raise InputError(f"-o writes {', '.join(writers)}: name the file {Path(path).stem}.parquet")
    with replacing(path) as partial, writers[ending](partial, path) as write:
        yield write


def as_arrow(column: Any, kind: pa.DataType | None = None) -> Any:
    """Return a column as an Arrow array; values of several types become JSON text, and nulls only a column of text."""
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        array = column if kind is None else column.cast(kind)
    else:
        try:
            array = pa.array(column, kind)
        except (pa.ArrowException, TypeError, OverflowError):
            array = _as_json(column)
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


def _as_json(values: Iterable[Any]) -> pa.Array:
    return pa.array([value if isinstance(value, str) or value is None else _json(value) for value in values])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


@contextlib.contextmanager
def _parquet(partial: Path, path: str) -> Iterator[Write]:
    with contextlib.ExitStack() as opened:
        writer = None

        def write(columns: Columns, note: Mapping[str, Any]) -> None:
            nonlocal writer
            arrays = {name: as_arrow(column) for name, column in columns.items()}
            if writer is None:
                schema = pa.table(arrays).schema.with_metadata({NOTE: json.dumps(note)})
                writer = opened.enter_context(pq.ParquetWriter(partial, schema))
            absent = pa.nulls(len(next(iter(arrays.values()))))
            for field in writer.schema:
                array = arrays.setdefault(field.name, absent)
                try:
                    arrays[field.name] = array.cast(field.type)
                except pa.ArrowException:
                    if not pa.types.is_string(field.type):
                        kinds = f"{array.type} and before {field.type}"
                        raise InputError(f"{path}: field {field.name!r} is {kinds}; remove it from the file") from None
                    arrays[field.name] = _as_json(array.to_pylist())
            writer.write_table(pa.table([arrays[name] for name in writer.schema.names], writer.schema))

        yield write


@contextlib.contextmanager
def _csv(partial: Path, _: str) -> Iterator[Write]:
    with partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names: list[str] = []

        def write(columns: Columns, _: Mapping[str, Any]) -> None:
            if not names:
                names.extend(columns)
                writer.writerow(names)
            writer.writerows([_cell(row.get(name)) for name in names] for row in _rows(columns))

        yield write


def _cell(value: Any) -> Any:
    """Return a value as a cell: several texts as `one | two`, other lists and objects as JSON."""
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return joined(value)
    return _json(value) if isinstance(value, (list, dict, bool)) else value


@contextlib.contextmanager
def _json_lines(partial: Path, _: str) -> Iterator[Write]:
    with partial.open("w", encoding="utf-8") as file:
        yield lambda columns, _: file.writelines(_json(row) + "\n" for row in _rows(columns))


def _rows(columns: Columns) -> Iterator[dict[str, Any]]:
    for row in rows_of(columns):
        yield {name: None if isinstance(value, float) and value != value else value for name, value in row.items()}
