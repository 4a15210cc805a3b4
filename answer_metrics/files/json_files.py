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

_IDS = {*SURE["ids"].split()}

Table = tuple[list[Record], str]
"""Rows that a document may mean, and a remark."""


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
        if isinstance(record.get("spec"), dict) and "eval_name" in record["spec"]:
            return from_openai_evals(records)
        if rows := _from_tool(records, record, "Line", request):
            return rows
    return Rows("jsonl", _line_pieces(first, file))


def _from_tool(records: Iterator[tuple[int, Record]], first: Record, what: str, request: Request) -> Rows | None:
    """Convert the records of a tool; lm-evaluation-harness writes each document once per filter, of which one is read.

    Returns None for records of no tool.
    """
    notes: list[str] = []

    def of_one_filter() -> Iterator[tuple[int, Record]]:
        count = others = 0
        for number, record in records:
            is_other = "filter" in first and record.get("filter") != first["filter"]
            count, others = count + 1, others + is_other
            if not is_other:
                yield number, record
        if others:
            notes.append(f"{others:,} of {count:,} rows have other filters than {first['filter']!r}: left out")

    tool = format_of(first, request)
    return converted(tool, of_one_filter(), what, request, notes=notes) if tool else None


def _from_document(value: Any, request: Request) -> Rows:
    if isinstance(value, dict) and {"eval", "samples"} <= value.keys():
        if not is_records(value["samples"]):
            raise InputError("The log has no samples.")
        return from_inspect(value)
    tables = list(_tables(value, request))
    if tables:
        records, note = max(tables, key=lambda table: _rank(table[0], request))  # the first of the best ones
        first = records[0] if records else {}
        rows = _from_tool(iter(enumerate(records, 1)), first, "Record", request)
        return rows or made_of("json", records, notes=[note] if note else [])
    if not isinstance(value, dict) or not value:
        raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')
    return _id_to_value(value, request) or made_of("json", [value])


def _rank(records: list[Record], request: Request) -> int:
    """Return how surely a table has what is wanted: answers, other known fields such as counts, or no known field."""
    first = records[0] if records else {}
    names = by_simple_name(flat(first))
    if format_of(first, request) or names.keys() & _ANSWERS or request.fields & {*names.values()}:
        return 2
    return int(any(_is_field(name, request) for name in names))


def _tables(value: Any, request: Request, depth: int = 0) -> Iterator[Table]:
    """Find the rows in a document: in the value itself, or in its fields."""
    if is_records(value):
        yield value, ""
    elif isinstance(value, dict) and depth <= _MAX_NESTING:
        names, fields = value.get("columns"), value.get("data")
        if isinstance(names, list) and isinstance(fields, list) and not is_records(fields):  # pandas' "split"
            yield _split_rows(list(map(str, names)), fields), ""
        elif table := _columns_in(value, request):
            yield table
        else:
            for field in value.values():
                yield from _tables(field, request, depth + 1)


def _split_rows(names: list[str], rows: list[Any]) -> list[Record]:
    for number, cells in enumerate(rows):
        if not isinstance(cells, list) or len(cells) != len(names):
            raise InputError(f"data[{number}] isn't a list of {len(names)} values, one per column.")
    return [dict(zip(names, cells, strict=True)) for cells in rows]


def _columns_in(value: Record, request: Request) -> Table | None:
    """Read an object of columns, each a list or, as pandas writes it, an object by row; or an object of rows by id."""
    lists = {name: field for name, field in value.items() if isinstance(field, list) and not is_records(field)}
    if any(_is_field(name, request) for name in lists):
        if len({*map(len, lists.values())}) > 1:
            counts = ", ".join(f"{len(items)} {name}" for name, items in lists.items())
            raise InputError(f"The lists in the JSON differ in length: {counts}.")
        return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)], ""
    fields = list(value.values())
    if len(fields) > 1 and all(is_records(field) and field[0].keys() == fields[0][0].keys() for field in fields):
        grouped = [{**record, "group": name} for name, field in value.items() for record in field]
        return grouped, f"the rows of {len(fields)} lists; --by group has each"
    objects = {name: field for name, field in value.items() if isinstance(field, dict)}
    names = {name for field in objects.values() for name in field}
    if len(objects) == len(fields) and any(_is_field(name, request) for name in names):
        return _by_key(objects), ""
    keys = next((field.keys() for name, field in objects.items() if _is_field(name, request)), ())
    columns = {name: field for name, field in objects.items() if field.keys() & keys}
    if len(columns) == len(fields) or (len(keys) > 1 and not any(_is_field(name, request) for name in keys)):
        rows = dict.fromkeys(itertools.chain.from_iterable(columns.values()))
        return _by_key({key: {name: field.get(key) for name, field in columns.items()} for key in rows}), ""
    return None


def _by_key(rows: dict[str, Record]) -> list[Record]:
    """Return rows with their keys as ids, unless these only count rows that have ids of their own."""
    names = {simplified(name) for row in rows.values() for name in row}
    if names & _IDS and list(rows) == list(map(str, range(len(rows)))):
        return list(rows.values())
    return [{"ids": key, **row} for key, row in rows.items()]


def _id_to_value(value: Record, request: Request) -> Rows | None:
    """Read an object of answers by id, as SQuAD has them, of lists of texts by id, or of numbers by id and document."""
    side = "references" if request.is_references else "predictions"
    values = list(value.values())
    if any(_is_field(name, request) for name in value):
        return None
    rows = ({"ids": name, side: answers} for name, answers in value.items())
    if all(text is None or isinstance(text, str) for text in values):
        return made_of("squad", rows)
    if all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in values):
        return made_of("json", rows)
    if not all(isinstance(field, dict) for field in values):
        return None
    if are_scores(value):
        return by_id("trec", ranked(value, is_qrels=request.is_references))
    return made_of("json", ({"ids": name, **field} for name, field in value.items()))


def _is_field(name: str, request: Request) -> bool:
    return simplified(name) in FIELDS or name in request.fields


def _parsed(text: bytes, what: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        is_cut = what != "The file" and not text.endswith(b"\n")
        ending = " It is the last one; is the file still being written?" if is_cut else ""
        raise InputError(f"{what} isn't valid JSON: {error}.{ending}") from None
    except RecursionError:
        raise InputError(f"{what} is nested too deeply.") from None


def _unique(fields: list[tuple[str, Any]]) -> Record:
    """Return an object, whose fields must differ in name: of two values, JSON readers would silently drop one."""
    record = dict(fields)
    if len(record) < len(fields):
        names = [name for name, _ in fields]
        raise InputError(f"An object has the field {next(name for name in names if names.count(name) > 1)!r} twice.")
    return record


def _records(lines: Iterable[bytes], start: int = 1) -> Iterator[tuple[int, Record]]:
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
        table.validate()  # it loses the first item of a list of objects if it is null
    except pa.ArrowException:
        return None
    lines = sum(1 for line in text.splitlines() if line.strip())
    return table if table.num_rows == lines and "timestamp[" not in str(table.schema.types) else None
