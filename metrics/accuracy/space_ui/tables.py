# Vendored: edit metrics/_shared/space_ui/tables.py and run `make vendor`.
"""Reading of files as records: CSV, TSV, JSON, JSON Lines, Parquet, XLSX. No Gradio here."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
from xml.etree import ElementTree as ET

from .rows import InputError

_MAX_UNPACKED = 200_000_000  # bytes; a compressed file of a few kilobytes can contain gigabytes
_PARQUET, _ZIP = b"PAR1", b"PK\x03\x04"
_DEPTH = 3
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RECORD_KEYS = ("samples", "data", "rows", "examples", "instances", "questions")


class Table(NamedTuple):
    """The contents of a file, before its columns are matched with inputs."""

    names: list[str]
    records: list[dict[str, Any]]
    first_row: list[str] | None = None
    """The first line of a table, which may be a header or data."""


def parse_table(content: bytes, filename: str = "", max_rows: int | None = None) -> Table:
    """Read a file or pasted text.

    Args:
        content: The bytes.
        filename: Its extension determines the format; without one, the content does.
        max_rows: The maximum number of rows to read from formats that support it.

    Raises:
        InputError: If it can't be read.
    """
    extension = filename.rpartition(".")[2].lower() if "." in filename else ""
    if content.startswith(_PARQUET):
        return _from_parquet(content, max_rows)
    if content.startswith(_ZIP):
        return _from_cells(list(_xlsx_cells(content)))
    if extension in {"parquet", "xlsx"}:
        raise InputError(f"The file isn't valid {extension.upper() if extension == 'xlsx' else 'Parquet'}.")
    text = _decode(content)
    if not text.strip():
        raise InputError("The file is empty.")
    if extension in {"json", "jsonl", "ndjson"} or (extension not in {"csv", "tsv"} and _looks_like_json(text)):
        return _from_records(_read_json(text))
    return _from_cells(_read_cells(text, extension))


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
        lists = {key: item for key, item in value.items() if _is_records(item)}
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
            raise InputError(
                f"Row {index} has {len(values)} cells, the first line has {len(head)}. Texts with a comma, tab or line "
                'break need double quotes: "like, this".'
            )
        # Of columns with the same name, the first is used.
        records.append(dict(reversed(list(zip(names, values, strict=True)))))
    return Table(names, records, head)


def _xlsx_cells(content: bytes) -> Iterator[list[str]]:
    """Read the cells of the first sheet of a workbook (ECMA-376, part 1, chapter 18)."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            if sum(entry.file_size for entry in book.infolist()) > _MAX_UNPACKED:
                raise InputError("The workbook is too large once unpacked.")
            sheets = sorted(name for name in book.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name))
            if not sheets:
                raise InputError("The workbook has no sheet.")
            strings: list[str] = []
            if "xl/sharedStrings.xml" in book.namelist():
                root = ET.fromstring(book.read("xl/sharedStrings.xml"))  # noqa: S314  # expat bounds its entities
                strings = [_text_of(item) for item in root.iter(f"{_SHEET}si")]
            sheet = min(sheets, key=lambda name: int(re.sub(r"\D", "", name)))
            for row in ET.fromstring(book.read(sheet)).iter(f"{_SHEET}row"):  # noqa: S314  # as above
                yield _row_cells(row, strings)
    except (zipfile.BadZipFile, ET.ParseError, KeyError, IndexError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("The file isn't a valid XLSX workbook.") from None


def _row_cells(row: "ET.Element[str]", strings: Sequence[str]) -> list[str]:
    cells: list[str] = []
    for cell in row.iter(f"{_SHEET}c"):
        letters = re.sub(r"[^A-Z]", "", cell.get("r", ""))
        number = 0
        for letter in letters:
            number = 26 * number + ord(letter) - 64
        cells += [""] * (number - 1 - len(cells))
        value = cell.findtext(f"{_SHEET}v") or ""
        kind = cell.get("t")
        cells.append(strings[int(value)] if kind == "s" else _text_of(cell) if kind == "inlineStr" else value)
    return cells


def _text_of(item: "ET.Element[str]") -> str:
    return "".join(text.text or "" for text in item.iter(f"{_SHEET}t"))


# ---- Parquet


def _from_parquet(content: bytes, max_rows: int | None) -> Table:
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        file = pq.ParquetFile(io.BytesIO(content))
        if sum(file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups)) > _MAX_UNPACKED:
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
