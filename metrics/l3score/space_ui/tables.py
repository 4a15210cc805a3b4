# Vendored: edit metrics/_shared/space_ui/tables.py and run `make vendor`.
"""Reading of files as records: CSV, TSV, JSON, JSON Lines, Parquet, XLSX, Inspect logs. No Gradio here."""

import csv
import io
import json
import re
import zlib
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

from .archives import MAX_UNPACKED
from .archives import Sheet
from .archives import read_archive
from .archives import sample_records
from .rows import InputError

_PARQUET, _ZIP, _GZIP = b"PAR1", b"PK\x03\x04", b"\x1f\x8b"
_GZIP_WINDOW = 31  # of zlib, with the header of gzip
_DEPTH = 3
_BINARY = {"parquet": "valid Parquet", "xlsx": "a valid XLSX workbook", "eval": "a valid Inspect log"}
_RECORD_KEYS = ("samples", "data", "rows", "examples", "instances", "questions")


class Table(NamedTuple):
    """The contents of a file, before its columns are matched with inputs."""

    names: list[str]
    records: list[dict[str, Any]]
    first_row: list[str] | None = None
    """The first line of a table, which may be a header or data."""
    notes: Sequence[str] = ()
    """What the visitor should know about how it was read."""


def parse_table(content: bytes, filename: str = "", max_rows: int | None = None) -> Table:
    """Read a file or pasted text.

    Args:
        content: The bytes.
        filename: Its extension determines the format; without one, the content does.
        max_rows: The maximum number of rows to read from formats that support it.

    Raises:
        InputError: If it can't be read.
    """
    if content.startswith(_GZIP):
        content, filename = _gunzip(content), filename.removesuffix(".gz")
    extension = filename.rpartition(".")[2].lower() if "." in filename else ""
    if content.startswith(_PARQUET):
        return _from_parquet(content, max_rows)
    if content.startswith(_ZIP):
        unpacked = read_archive(content)
        if isinstance(unpacked, Sheet):
            return _from_cells(unpacked.cells)._replace(notes=unpacked.notes)
        return _from_records(unpacked)
    if extension in _BINARY:
        raise InputError(f"The file isn't {_BINARY[extension]}.")
    text = _decode(content)
    if not text.strip():
        raise InputError("The file is empty.")
    if extension in {"json", "jsonl", "ndjson"} or (extension not in {"csv", "tsv"} and _looks_like_json(text)):
        return _from_records(_read_json(text))
    return _from_cells(_read_cells(text, extension))


def _gunzip(content: bytes) -> bytes:
    reader = zlib.decompressobj(_GZIP_WINDOW)
    try:
        unpacked = reader.decompress(content, MAX_UNPACKED)
    except zlib.error:
        raise InputError("The file isn't valid gzip.") from None
    if reader.unconsumed_tail:
        raise InputError("The file is too large once unpacked.")
    if not reader.eof:
        raise InputError("The file isn't valid gzip.")
    return unpacked


def _decode(content: bytes) -> str:
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise InputError("The file isn't UTF-8 text. Save it as “CSV UTF-8”.") from None


# ---- JSON


def _looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] == "{" or re.match(r"\s*\[\s*(\{|\])", text) is not None


def _read_json(text: str) -> list[Mapping[str, Any]]:
    """Read a list of objects, an object of columns, an object that contains a list of objects, or JSON Lines."""
    try:
        value = json.loads(text, parse_constant=_reject_constant)
    except RecursionError:
        raise InputError("The JSON is nested too deeply.") from None
    except InputError:
        raise
    except ValueError:
        return _read_json_lines(text)
    if isinstance(value, dict):
        samples = sample_records(value)
        if samples is not None:
            return list(samples)
        lists = {key: item for key, item in value.items() if _is_records(item) and not is_chat(item)}
        if lists:
            return list(next((lists[key] for key in _RECORD_KEYS if key in lists), next(iter(lists.values()))))
        return [value]
    if _is_records(value):
        return list(value)
    raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')


def _reject_constant(name: str) -> None:
    raise InputError(f"{name} isn't valid JSON; write a missing value as null.")


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def is_chat(value: Any) -> bool:
    """Return whether a value is a list of chat messages."""
    return _is_records(value) and all({"role", "content"} <= message.keys() for message in value)


def _read_json_lines(text: str) -> list[Mapping[str, Any]]:
    records: list[Mapping[str, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, parse_constant=_reject_constant)
        except InputError as error:
            raise InputError(f"Line {number}: {error}") from None
        except (ValueError, RecursionError):
            raise InputError(f"Line {number} isn't valid JSON.") from None
        if not isinstance(record, dict):
            raise InputError(f"Line {number} isn't a JSON object: each line needs named fields.")
        records.append(record)
    return records


def _from_records(records: Sequence[Mapping[str, Any]]) -> Table:
    flat = [dict(_flattened(record)) for record in records]
    return Table(list(dict.fromkeys(name for record in flat for name in record)), flat)


def _flattened(record: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Name nested fields by their path, as in `answers.text` of SQuAD or `output.completion` of an Inspect log."""
    for key, value in record.items():
        if isinstance(value, dict) and value and depth < _DEPTH:
            yield from _flattened(value, f"{prefix}{key}.", depth + 1)
        else:
            yield f"{prefix}{key}", value


# ---- tables of cells


def _read_cells(text: str, extension: str) -> list[list[str]]:
    first = next(line for line in text.splitlines() if line.strip())
    counts = {delimiter: first.count(delimiter) for delimiter in "\t,;"}
    delimiter = "\t" if extension == "tsv" or counts["\t"] else max(",;", key=counts.__getitem__)
    lines = io.StringIO(text.replace("\x00", ""), newline="")
    try:
        return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t"))
    except csv.Error as error:
        raise InputError(f"The table can't be read: {error}.") from None


def _from_cells(cells: Sequence[list[str]]) -> Table:
    filled = [row for row in cells if any(cell.strip() for cell in row)]
    if not filled:
        raise InputError("The file is empty.")
    head = [name.strip() for name in filled[0]]
    while head and not head[-1] and all(len(row) < len(head) or not row[len(head) - 1].strip() for row in filled):
        head.pop()
    names = [name or f"column {number}" for number, name in enumerate(head, start=1)]
    records = []
    for index, row in enumerate(filled[1:], start=1):
        values = row[: len(head)] if not any(cell.strip() for cell in row[len(head) :]) else row
        if len(values) != len(head):
            plural = "" if len(values) == 1 else "s"
            raise InputError(
                f"Row {index} has {len(values)} cell{plural}, the first line has {len(head)}. Texts with a comma, tab "
                'or line break need double quotes: "like, this".'
            )
        # Of columns with the same name, the first is used.
        records.append(dict(reversed(list(zip(names, values, strict=True)))))
    return Table(names, records, head)


# ---- Parquet


def _from_parquet(content: bytes, max_rows: int | None) -> Table:
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        file = pq.ParquetFile(io.BytesIO(content))
        if sum(file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups)) > MAX_UNPACKED:
            raise InputError("The Parquet file is too large once unpacked.")
        records = list(_first_rows(file.iter_batches(batch_size=1000), max_rows))
    except pa.ArrowException:
        raise InputError("The file isn't valid Parquet.") from None
    return _from_records(records) if records else Table(list(file.schema_arrow.names), [])


def _first_rows(batches: Iterable[Any], max_rows: int | None) -> Iterator[Mapping[str, Any]]:
    count = 0
    for batch in batches:
        for record in batch.to_pylist():
            if max_rows is not None and count >= max_rows:
                return
            count += 1
            yield record
