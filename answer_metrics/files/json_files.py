"""JSON Lines and JSON documents."""

import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.json

from answer_metrics.files.names import COMMON, FIELDS, LISTS, SURE, UNSURE, by_simple_name, simplified
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

JSON = re.compile(rb'(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*["}]')
"""The beginning of an object or of a list of objects, which no table has."""
_BYTES_IN_PIECE = 1 << 23
_MAX_NESTING = 3
_SPACE = re.compile(r"\s*")
_SIDES = ("predictions", "references")
_ANSWERS = {*" ".join(table[side] for table in (*COMMON, LISTS) for side in _SIDES).split()} - {"model"}
_IDS = {*SURE["ids"].split()}
_NO_SYSTEMS = {"train", "dev", "valid", "validation", "test", "few_shot", "fewshot", "shots", "examples", "demos"}
_N_BEST = {"text", "probability", "start_logit"}
"""Fields of SQuAD's n-best answers."""

Table = tuple[list[Record], str]
"""Rows that a document may mean, and a remark."""


def from_json(file: io.BufferedReader, request: Request) -> Rows:
    """Read JSON Lines in pieces, or a JSON document at once."""
    first = b""
    while not first.strip():
        first += file.readline()
    is_followed = first.lstrip().startswith(b"{") and file.peek(1).lstrip().startswith(b"{")
    is_document = first.strip() == b"{" or first.lstrip().startswith(b"[")  # a document, whatever the file is called
    if request.format == "json" or is_document or (request.format is None and not is_followed):
        return _from_document(_parsed(first + file.read(), "The file"), request)
    record = None
    try:
        record = json.loads(first)
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(first.decode().rstrip())
        if is_cut and file.peek(1).lstrip()[:1] not in {b"", b"{"}:  # the object goes on in the next lines
            return _from_document(_parsed(first + file.read(), "The file"), request)
    except (ValueError, RecursionError):  # which reading the line reports
        pass
    records = _records(itertools.chain(io.BytesIO(first), file))
    if isinstance(record, dict) and isinstance(record.get("spec"), dict) and "eval_name" in record["spec"]:
        return from_openai_evals(records)
    tool = format_of(record, request)
    return converted(tool, records, "Line", request) if tool else Rows("jsonl", _line_pieces(first, file))


def _from_document(value: Any, request: Request) -> Rows:
    if isinstance(value, dict) and {"eval", "samples"} <= value.keys():
        if not is_records(value["samples"]):
            raise InputError("The log has no samples.")
        return from_inspect(value)
    whole = format_of(value, request)
    tables = [] if whole and whole.fits(value) else list(_tables(value, request))
    tables = tables or ([([value], "")] if whole else [])
    if tables:
        records, note = max(tables, key=lambda table: _rank(table[0], request))  # the first of the best ones
        tool = format_of(records[0], request) if records else None
        if tool:
            return converted(tool, enumerate(records, 1), "Record", request)
        return made_of("json", records, notes=[note] if note else [])
    if not isinstance(value, dict) or not value:
        raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')
    return _id_to_value(value, request) or made_of("json", [value])


def _rank(records: list[Record], request: Request) -> tuple[int, bool, bool, bool, bool]:
    """Rank a table: the user's fields, predictions and references, what a tool writes, answers, other known fields."""
    first = records[0] if records else {}
    names, tool = by_simple_name(flat(first)), format_of(first, request)
    is_written = tool is not None and tool.fits(first)
    named = len(request.fields & {*names.values()})
    sides = (f"{SURE['predictions']} {UNSURE['predictions']}", SURE["references"])
    has_both = not any(names.keys().isdisjoint(side.split()) for side in sides)
    return named, has_both, is_written, bool(names.keys() & _ANSWERS), _has_field(names, request)


def _tables(value: Any, request: Request, depth: int = 0) -> Iterator[Table]:
    """Find the rows in a document: in the value itself, or in its fields."""
    if is_records(value):
        yield value, ""
    elif isinstance(value, dict) and depth <= _MAX_NESTING:
        names, rows = value.get("columns"), value.get("data")
        if isinstance(names, list) and isinstance(rows, list) and not is_records(rows):  # pandas' "split"
            for number, cells in enumerate(rows):
                if not isinstance(cells, list) or len(cells) != len(names):
                    raise InputError(f"data[{number}] isn't a list of {len(names)} values, one per column.")
            yield [dict(zip(map(str, names), cells, strict=True)) for cells in rows], ""
        elif table := _columns_in(value, request):
            yield table
        else:
            found = [(name, table) for name, field in value.items() for table in _tables(field, request, depth + 1)]
            yield from _grouped(value, found)


def _grouped(value: Record, tables: list[tuple[str, Table]]) -> Iterator[Table]:
    """Yield the tables in fields, as a single one those with equal names in all fields, or in several objects."""
    alike: dict[frozenset[str], dict[str, Table]] = {}
    for name, table in tables:
        alike.setdefault(frozenset(table[0][0] if table[0] else ()), {}).setdefault(name, table)
    for found in alike.values():
        are_systems = len(found) == len(value) or all(isinstance(value[name], dict) for name in found)
        if len(found) > 1 and are_systems and _NO_SYSTEMS.isdisjoint(found):
            rows = (
                {
                    **record,
                    "group": f"{name}/{record['group']}" if note and "group" in record else record.get("group", name),
                }
                for name, (records, note) in found.items()
                for record in records
            )
            yield list(rows), f"the rows of {len(found)} lists; --by group has each"
        else:
            yield from found.values()


def _columns_in(value: Record, request: Request) -> Table | None:
    """Read an object of columns, each a list or, as pandas writes it, an object by row; or an object of rows by id."""
    fields = list(value.values())
    lists = {name: field for name, field in value.items() if isinstance(field, list) and not is_records(field)}
    if _has_field(lists, request):
        if len({*map(len, lists.values())}) > 1:
            counts = ", ".join(f"{len(items)} {name}" for name, items in lists.items())
            raise InputError(f"The lists in the JSON differ in length: {counts}.")
        return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)], ""
    if fields and all(is_records(field) and field[0].keys() >= _N_BEST for field in fields):
        return [{"ids": name, **field[0]} for name, field in value.items()], "the first of the texts of each id"
    objects = {name: field for name, field in value.items() if isinstance(field, dict)}
    names = (name for field in objects.values() for name in field if simplified(name) != "model")
    if len(objects) == len(fields) and _has_field(names, request):
        return _by_key(objects), ""
    keys = next((field.keys() for name, field in objects.items() if _has_field([name], request)), ())
    columns = {name: field for name, field in objects.items() if field.keys() & keys}
    if len(columns) == len(fields) or (len(keys) > 1 and not _has_field(keys, request)):
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
    values = list(value.values())
    if _has_field(value, request):
        return None
    rows = ({"ids": name, _SIDES[request.is_references]: answers} for name, answers in value.items())
    if all(text is None or isinstance(text, str) for text in values):
        return made_of("squad", rows)
    if all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in values):
        return made_of("json", rows)
    if not all(isinstance(field, dict) for field in values):
        return None
    if are_scores(value):
        return by_id(ranked(value, is_qrels=request.is_references))
    return made_of("json", ({"ids": name, **field} for name, field in value.items()))


def _has_field(names: Iterable[str], request: Request) -> bool:
    return any(simplified(name) in FIELDS or name in request.fields for name in names)


def _parsed(text: bytes, what: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and what == "The file" and (documents := _documents(text.decode())):
            return documents
        is_cut = what != "The file" and not text.endswith(b"\n")
        ending = " It is the last one; is the file still being written?" if is_cut else ""
        raise InputError(f"{what} isn't valid JSON: {error}.{ending}") from None
    except RecursionError:
        raise InputError(f"{what} is nested too deeply.") from None


def _documents(text: str) -> list[Record]:
    """Parse objects that follow each other in a file, as jq writes them; an empty list if it has anything else."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique)
    documents: list[Record] = []
    start = 0
    while start < len(text):
        try:
            document, end = decoder.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            return []
        documents.append(document)
        start = _SPACE.match(text, end).end()  # type: ignore[union-attr]
    return documents if is_records(documents) else []


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
