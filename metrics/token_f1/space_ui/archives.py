# Vendored: edit metrics/_shared/space_ui/archives.py and run `make vendor`.
"""Reading of ZIP archives: Excel workbooks (XLSX), and the logs of Inspect (`.eval`). No Gradio here."""

import contextlib
import datetime as dt
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
from xml.etree import ElementTree as ET

from .rows import InputError

MAX_UNPACKED = 200_000_000  # bytes; a compressed file of a few kilobytes can contain gigabytes
_ZSTANDARD = 93  # the method that Inspect uses; the standard library reads it from Python 3.14 on
_LOCAL_HEADER = 30
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_DAY_ZERO = dt.datetime(1899, 12, 30)  # noqa: DTZ001  # dates of a workbook have no time zone
_DAY_ZERO_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001  # same
_ATTACHMENT = "attachment://"


class Sheet(NamedTuple):
    """The first sheet of a workbook."""

    cells: list[list[str]]
    notes: list[str]


class Archive:
    """A ZIP archive in memory."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._file = zipfile.ZipFile(io.BytesIO(content))
        self.names = self._file.namelist()
        if sum(entry.file_size for entry in self._file.infolist()) > MAX_UNPACKED:
            raise InputError("The file is too large once unpacked.")

    def read(self, name: str) -> bytes:
        """Return the unpacked content of a file.

        Raises:
            zipfile.BadZipFile: If it is damaged.
        """
        entry = self._file.getinfo(name)
        if entry.compress_type != _ZSTANDARD:
            return self._file.read(entry)
        import pyarrow as pa  # noqa: PLC0415  # slow to import

        header = self._content[entry.header_offset : entry.header_offset + _LOCAL_HEADER]
        start = entry.header_offset + _LOCAL_HEADER + sum(struct.unpack("<HH", header[26:]))
        packed = self._content[start : start + entry.compress_size]
        try:
            unpacked: bytes = pa.decompress(packed, entry.file_size, codec="zstd", asbytes=True)
        except (OSError, pa.ArrowException) as error:
            raise zipfile.BadZipFile(name) from error
        if zlib.crc32(unpacked) != entry.CRC:
            raise zipfile.BadZipFile(name)
        return unpacked

    def xml(self, name: str) -> "ET.Element[str] | None":
        """Return the root of an XML file, or None if there is none."""
        return ET.fromstring(self.read(name)) if name in self.names else None  # noqa: S314  # expat bounds its entities


def read_archive(content: bytes) -> Sheet | list[dict[str, Any]]:
    """Read the first sheet of a workbook, or the samples of an Inspect log.

    Raises:
        InputError: If it is neither, or too large.
    """
    try:
        archive = Archive(content)
        samples = [name for name in archive.names if re.fullmatch(r"samples/.+\.json", name)]
        return _samples(archive, samples) if samples else _first_sheet(archive)
    except InputError:
        raise
    except (zipfile.BadZipFile, zlib.error, ET.ParseError, LookupError, ValueError, NotImplementedError, RuntimeError):
        # An encrypted archive raises RuntimeError, an unknown compression method NotImplementedError.
        raise InputError("The file isn't a valid XLSX workbook or Inspect log.") from None


# ---- Inspect logs


def _samples(archive: Archive, names: Sequence[str]) -> list[dict[str, Any]]:
    return order_samples([_with_attachments(json.loads(archive.read(name))) for name in names])


def _with_attachments(sample: dict[str, Any]) -> dict[str, Any]:
    """Insert long texts, which a log stores apart; leave out messages and events, which repeat them."""
    attachments = sample.get("attachments") or {}

    def resolve(value: Any) -> Any:
        if isinstance(value, str) and value.startswith(_ATTACHMENT):
            return attachments.get(value.removeprefix(_ATTACHMENT), value)
        if isinstance(value, list):
            return [resolve(item) for item in value]
        return {name: resolve(item) for name, item in value.items()} if isinstance(value, dict) else value

    left_out = {"attachments", "messages", "events", "store"}
    return {name: resolve(value) for name, value in sample.items() if name not in left_out}


def order_samples(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort samples, which a log contains in the order of their completion, by epoch and id.

    If there are several epochs, the samples of one question get different ids, and its id as their cluster.
    """
    if not all("epoch" in sample and "id" in sample for sample in samples):
        return samples
    ordered = sorted(samples, key=lambda sample: (str(sample["epoch"]).zfill(9), str(sample["id"]).zfill(20)))
    if len({str(sample["id"]) for sample in ordered}) == len(ordered):
        return ordered
    return [
        {**sample, "id": f"{sample['id']}, epoch {sample['epoch']}", "cluster": str(sample["id"])} for sample in ordered
    ]


# ---- workbooks: ECMA-376, part 1, chapter 18


def _first_sheet(archive: Archive) -> Sheet:
    path, name, count = _sheet_path(archive)
    root = archive.xml("xl/sharedStrings.xml")
    strings = [_text_of(item) for item in root.iter(f"{_MAIN}si")] if root is not None else []
    formats = _date_styles(archive)
    sheet = archive.xml(path)
    if sheet is None:
        raise KeyError(path)
    cells = [_row_cells(row, strings, formats) for row in sheet.iter(f"{_MAIN}row")]
    width = max(map(len, cells), default=0)
    cells = [row + [""] * (width - len(row)) for row in cells]  # a row ends with its last filled cell
    notes = [f"Only the first sheet, “{name[:40]}”, is read."] if count > 1 else []
    if any(cell.get("s") in formats.indices and cell.get("t", "n") == "n" for cell in sheet.iter(f"{_MAIN}c")):
        notes.append("Dates are read as 2026-01-31.")
    return Sheet(cells, notes)


def _sheet_path(archive: Archive) -> tuple[str, str, int]:
    """Return the file of the first sheet, its name, and the number of sheets."""
    book, relations = archive.xml("xl/workbook.xml"), archive.xml("xl/_rels/workbook.xml.rels")
    if book is None or relations is None:
        raise InputError("The file isn't a valid XLSX workbook or Inspect log.")
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    sheets = [sheet for sheet in book.iter(f"{_MAIN}sheet") if sheet.get("state", "visible") == "visible"]
    sheets = [sheet for sheet in sheets if "worksheets/" in targets.get(sheet.get(_RELATION), "")]
    if not sheets:
        raise InputError("The workbook has no sheet.")
    target = targets[sheets[0].get(_RELATION)]
    path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return path, sheets[0].get("name", ""), len(sheets)


class _DateStyles(NamedTuple):
    """Which cell styles show a number as a date or time, and the day that is 0."""

    indices: frozenset[str]
    zero: dt.datetime


def _date_styles(archive: Archive) -> _DateStyles:
    book, styles = archive.xml("xl/workbook.xml"), archive.xml("xl/styles.xml")
    properties = book.find(f"{_MAIN}workbookPr") if book is not None else None
    is_1904 = properties is not None and properties.get("date1904") in {"1", "true"}
    zero = _DAY_ZERO_1904 if is_1904 else _DAY_ZERO
    if styles is None:
        return _DateStyles(frozenset(), zero)
    custom = {node.get("numFmtId", ""): node.get("formatCode", "") for node in styles.iter(f"{_MAIN}numFmt")}
    used = styles.find(f"{_MAIN}cellXfs")
    ids = [node.get("numFmtId", "0") for node in used] if used is not None else []
    indices = (str(index) for index, number in enumerate(ids) if _is_date_format(number, custom.get(number)))
    return _DateStyles(frozenset(indices), zero)


def _is_date_format(number: str, code: str | None) -> bool:
    if code is None:
        return number.isdecimal() and int(number) in _DATE_FORMATS
    # Without quoted texts, escaped characters, and colors or conditions in brackets.
    return bool(re.search("[ymdhs]", re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', "", code.lower())))


def _row_cells(row: "ET.Element[str]", strings: Sequence[str], formats: _DateStyles) -> list[str]:
    cells: list[str] = []
    for cell in row.iter(f"{_MAIN}c"):
        number = 0
        for letter in re.sub(r"[^A-Z]", "", cell.get("r", "")):
            number = 26 * number + ord(letter) - 64
        cells += [""] * (number - 1 - len(cells))
        cells.append(_cell_text(cell, strings, formats))
    return cells


def _cell_text(cell: "ET.Element[str]", strings: Sequence[str], formats: _DateStyles) -> str:
    """Return the text of a cell as Excel shows it."""
    kind, value = cell.get("t", "n"), cell.findtext(f"{_MAIN}v") or ""
    if kind == "s":
        return strings[int(value)]
    if kind == "inlineStr":
        return _text_of(cell)
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    if kind != "n" or not value:
        return value
    number = float(value)
    if cell.get("s") in formats.indices:
        with contextlib.suppress(OverflowError):  # a number that is no date
            return _date_text(number, formats.zero)
    return f"{number:.15g}"  # Excel computes with 15 digits, and stores 17


def _date_text(days: float, zero: dt.datetime) -> str:
    moment = zero + dt.timedelta(seconds=round(86400 * days))
    if 0 <= days < 1:
        return moment.strftime("%H:%M:%S")
    return moment.date().isoformat() if days.is_integer() else moment.isoformat(" ")


def _text_of(item: "ET.Element[str]") -> str:
    """Return the text of a string, of all its runs but not of its phonetic guides."""
    runs: Iterator[ET.Element[str]] = (node for node in item if node.tag != f"{_MAIN}rPh")
    texts = (text.text or "" for node in runs for text in node.iter(f"{_MAIN}t"))
    # Characters that XML can't contain are escaped.
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda match: chr(int(match[1], 16)), "".join(texts)).replace("\r\n", "\n")


def sample_records(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the samples of an Inspect log in JSON, or None if it is something else."""
    samples = value.get("samples")
    if "eval" not in value or not isinstance(samples, list) or not all(isinstance(sample, dict) for sample in samples):
        return None
    return order_samples([_with_attachments(sample) for sample in samples])
