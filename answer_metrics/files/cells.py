"""Tables of cells: CSV and TSV."""

import csv
import io
from collections.abc import Iterator
from typing import Any, BinaryIO

from answer_metrics.files.rows import InputError, Record, Rows, made_of


def from_cells(file: BinaryIO, first: bytes, *, is_tabbed: bool) -> Rows:
    """Read CSV or TSV, whose delimiter is the one that `first`, the first line, uses most."""
    delimiter = "\t" if is_tabbed or b"\t" in first else max(b",", b";", key=first.count).decode()
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True)
    header: Record = {}
    notes: list[str] = []
    rows = _cells(reader, header, notes)
    return made_of("tsv" if delimiter == "\t" else "csv", rows, notes=notes, first=header)


def _cells(reader: Any, header: Record, notes: list[str]) -> Iterator[Record]:
    """Read lines of cells; names of the header that are empty, or there before, get their number."""
    blank = 0
    try:
        lines = iter(reader)
        for place, cell in enumerate(next((line for line in lines if any(map(str.strip, line))), []), 1):
            name = cell.strip() or f"column {place}"
            header[f"{name} ({place})" if name in header else name] = cell
        for line in lines:
            if not any(map(str.strip, line)):
                blank += bool(line)  # without even a comma, the line is a gap
            elif len(line) != len(header):
                cells = f"{len(line)} cell{'s' * (len(line) != 1)}"
                raise InputError(
                    f"Line {reader.line_num:,} has {cells}, the first line has {len(header)}. Texts with a comma, tab "
                    'or line break need double quotes: "like, this".'
                )
            else:
                yield dict(zip(header, line, strict=True))
        if blank:
            notes.append(f"{blank} line{'s' * (blank > 1)} without any text left out")
    except csv.Error as error:
        raise InputError(f"The table can't be read: line {reader.line_num:,}: {error}.") from None
