"""JSON Lines and JSON documents."""

import contextlib
import io
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.json

from answer_metrics.files.names import FIELDS, LISTS, SURE, UNSURE, by_simple_name, simplified
from answer_metrics.files.retrieval import are_scores, by_id, ranked
from answer_metrics.files.rows import (
    Columns,
    InputError,
    Lines,
    Record,
    Request,
    Rows,
    batched,
    columns_of,
    flat,
    is_records,
    made_of,
)
from answer_metrics.files.tools import converted, format_of, from_inspect, from_openai_evals

_BYTES_IN_PIECE = 1 << 23
_MAX_NESTING = 3
_ANSWERS = {
    name
    for side in ("predictions", "references")
    for table in (SURE, LISTS, UNSURE)
    for name in table[side].split()
    if name != "model"
}


def from_json(file: io.BufferedReader, request: Request) -> Rows:
    """Read JSON Lines in pieces, or a JSON document at once."""
    leading = [file.readline()]
    while not leading[-1].strip():
        leading.append(file.readline())
    first = b"".join(leading)
    record = None
    with contextlib.suppress(ValueError, RecursionError):
        record = json.loads(leading[-1])
    is_followed = leading[-1].lstrip().startswith(b"{") and file.peek(1).lstrip().startswith(b"{")
    is_lines = request.format not in {None, "json"} or (request.format is None and is_followed)
    if request.format is None and not is_lines and record is not None:
        is_lines = format_of(record, request) is not None and not file.peek(1).strip()
    if not is_lines:
        return _from_document(_parsed(first + file.read(), "The file"), request)
    if isinstance(record, dict):
        records = _records(itertools.chain(leading, file))
        if "spec" in record and "eval_name" in record["spec"]:
            return from_openai_evals(records)
        if tool := format_of(record, request):
            return converted(tool, _of_one_filter(records, record), "Line", request)
    rows = (record for _, record in _records(itertools.chain(leading, file)))
    return Rows("jsonl", _line_pieces(first, file), rows=rows)


def _of_one_filter(records: Iterator[tuple[int, Record]], first: Record) -> Iterator[tuple[int, Record]]:
    """Leave out repetitions: lm-evaluation-harness writes each document once per filter of the task."""
    if "filter" not in first:
        return records
    return (numbered for numbered in records if numbered[1].get("filter") == first["filter"])


# ---- documents


def _from_document(value: Any, request: Request) -> Rows:
    rows = _rows_in(value, request, is_sure=True) or _rows_in(value, request, is_sure=False)
    if rows is None and isinstance(value, dict) and value:
        rows = _id_to_value(value, request) or made_of("json", [value])
    if rows is None:
        raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')
    return rows


def _rows_in(value: Any, request: Request, *, is_sure: bool, depth: int = 0) -> Rows | None:
    """Find the rows in a document: in the value itself, or in the first of its fields that has some.

    If `is_sure`, lists of objects within fields count only if they are of a tool or have answers.
    """
    if is_records(value):
        tool = format_of(value[0], request)
        if tool:
            return converted(tool, enumerate(value, 1), "Record", request)
        names = by_simple_name(flat(value[0]))
        return None if depth and is_sure and not names.keys() & _ANSWERS else made_of("json", value)
    if not isinstance(value, dict) or depth > _MAX_NESTING:
        return None
    if {"eval", "samples"} <= value.keys():
        return from_inspect(value["samples"], value.get("status", "success"))
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list) and not is_records(value["data"]):
        return made_of("json", _split_rows(value))
    if rows := _columns_in(value, request):
        return rows
    inner = (_rows_in(field, request, is_sure=is_sure, depth=depth + 1) for field in value.values())
    return next((rows for rows in inner if rows), None)


def _split_rows(frame: Record) -> Iterator[Record]:
    """Read what pandas writes with `orient="split"`."""
    for number, cells in enumerate(frame["data"]):
        if not isinstance(cells, list) or len(cells) != len(frame["columns"]):
            raise InputError(f"data[{number}] isn't a list of {len(frame['columns'])} values, one per column.")
        yield dict(zip(frame["columns"], cells, strict=True))


def _columns_in(value: Record, request: Request) -> Rows | None:
    """Read an object of columns, each a list or, as pandas writes it, an object by row; or an object of rows by id."""
    is_field = _is_field(request)
    lists = {name: field for name, field in value.items() if isinstance(field, list) and not is_records(field)}
    if any(map(is_field, lists)):
        if len({*map(len, lists.values())}) > 1:
            counts = ", ".join(f"{len(items)} {name}" for name, items in lists.items())
            raise InputError(f"The lists in the JSON differ in length: {counts}.")
        return made_of("json", (dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)))
    objects = [field for field in value.values() if isinstance(field, dict)]
    if not objects or len(objects) < len(value):
        return None
    if any(is_field(name) for field in objects for name in field):
        return made_of("json", ({"ids": name, **field} for name, field in value.items()))
    if any(map(is_field, value)):
        keys = dict.fromkeys(itertools.chain.from_iterable(value.values()))
        rows = ({"ids": key, **{name: field.get(key) for name, field in value.items()}} for key in keys)
        return made_of("json", rows)
    return None


def _id_to_value(value: Record, request: Request) -> Rows | None:
    """Read an object of answers by id, as SQuAD has them, of lists of texts by id, or of numbers by id and document."""
    side = "references" if request.is_references else "predictions"
    values = list(value.values())
    if any(map(_is_field(request), value)):
        return None
    if all(text is None or isinstance(text, str) for text in values):
        return made_of("squad", ({"ids": name, side: text} for name, text in value.items()))
    if all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in values):
        return made_of("json", ({"ids": name, side: texts} for name, texts in value.items()))
    if not all(isinstance(field, dict) for field in values):
        return None
    if are_scores(value):
        return by_id("trec", ranked(value, is_qrels=request.is_references))
    return made_of("json", ({"ids": name, **field} for name, field in value.items()))


def _is_field(request: Request) -> Any:
    return lambda name: simplified(name) in FIELDS or name in request.fields


# ---- lines


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
