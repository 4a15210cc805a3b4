"""JSON Lines and JSON documents."""

import contextlib
import io
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.json

from answer_metrics.files.names import FIELDS
from answer_metrics.files.rows import Columns, InputError, Lines, Record, Rows, batched, columns_of, is_records, made_of
from answer_metrics.files.tools import LINES, converted, from_inspect, squad

_BYTES_IN_PIECE = 1 << 23


def from_json(file: io.BufferedReader, kind: str | None) -> Rows:
    """Read JSON Lines in pieces, or a JSON document at once."""
    leading = [file.readline()]
    while not leading[-1].strip():
        leading.append(file.readline())
    record = None
    with contextlib.suppress(ValueError, RecursionError):
        record = json.loads(leading[-1])
    if isinstance(record, dict) and kind != "json":
        for name, (is_kind, convert) in LINES.items():
            if kind == name or (kind in {None, "jsonl"} and is_kind(record)):
                records = _records(itertools.chain(leading, file))
                # lm-evaluation-harness writes each document once per filter of the task
                kept = (line for line in records if line[1].get("filter") == record.get("filter"))
                return converted(name, convert, kept, "Line")
    first = b"".join(leading)
    is_followed = leading[-1].lstrip().startswith(b"{") and file.peek(1).lstrip().startswith(b"{")
    if kind == "jsonl" or (kind is None and is_followed):
        rows = (record for _, record in _records(itertools.chain(leading, file)))
        return Rows("jsonl", _line_pieces(first, file), rows=rows)
    return _from_document(_parsed(first + file.read(), "The file"))


def _from_document(value: Any) -> Rows:
    if isinstance(value, dict):
        if {"eval", "samples"} <= value.keys():
            return from_inspect(value["samples"], value.get("status", "success"))
        data: Any = value.get("data")
        if is_records(data) and "paragraphs" in data[0]:
            return converted("squad", squad, enumerate(data, 1), "Article")
        if not FIELDS & value.keys() and all(isinstance(text, str) for text in value.values()):
            rows = ({"ids": name, "predictions": text} for name, text in value.items())
            return made_of("squad", rows)
        value = next((item for item in value.values() if is_records(item)), [value])
    if not is_records(value):
        raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')
    return made_of("json", value)


def _parsed(text: bytes, what: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        is_cut = what != "The file" and not text.endswith(b"\n")
        ending = " It is the last one; is the file still being written?" if is_cut else ""
        raise InputError(f"{what} isn't valid JSON: {error}.{ending}") from None
    except RecursionError:
        raise InputError(f"{what} is nested too deeply.") from None


def _records(lines: Iterable[bytes], start: int = 1) -> Iterator[tuple[int, Record]]:
    """Parse lines one by one, with their numbers."""
    for number, line in enumerate(lines, start):
        if line.strip():
            record = _parsed(line, f"Line {number:,}")
            if not isinstance(record, dict):
                raise InputError(f"Line {number:,} isn't a JSON object.")
            yield number, record


def _line_pieces(first: bytes, file: io.BufferedReader) -> Iterator[Columns]:
    """Read JSON Lines by Arrow, many times faster than line by line; and line by line what Arrow refuses."""
    number = 1
    while text := first + b"".join(file.readlines(_BYTES_IN_PIECE)):
        first = b""
        table = _by_arrow(text)
        if table is None:
            yield from batched(record for _, record in _records(io.BytesIO(text), number))
        elif table.num_rows:
            yield Lines(columns_of(table), text)
        number += text.count(b"\n")


def _by_arrow(text: bytes) -> pa.Table | None:
    """Parse lines with Arrow, None if it cannot; texts that look like dates, of which it makes dates, stay texts."""
    reading = pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1)
    try:
        table = pyarrow.json.read_json(io.BytesIO(text), reading)
        dates = [(field.name, pa.string()) for field in table.schema if pa.types.is_temporal(field.type)]
        if dates:
            as_text = pyarrow.json.ParseOptions(explicit_schema=pa.schema(dates))
            table = pyarrow.json.read_json(io.BytesIO(text), reading, as_text)
    except pa.ArrowException:
        return None
    lines = sum(1 for line in text.splitlines() if line.strip())
    return table if table.num_rows == lines and "timestamp[" not in str(table.schema.types) else None
