"""Files as columns: what people have, and what evaluation tools write.

`open_rows` recognizes the format by content and reads in pieces, so that a file may be larger than memory; only formats
that are one JSON document are read at once. A piece is a mapping of columns, each a list or an Arrow array; nested
fields are named by their path, as in `answers.text`.
"""

import codecs
import contextlib
import difflib
import gzip
import io
import itertools
import json
import os
import re
import select
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from answer_metrics.files.arrow import from_arrow
from answer_metrics.files.cells import from_cells
from answer_metrics.files.json_files import from_json
from answer_metrics.files.retrieval import TREC, from_trec
from answer_metrics.files.rows import ROWS_IN_PIECE, Columns, InputError, Record, Rows, made_of
from answer_metrics.files.tools import from_inspect

NAMED = ("inspect", "lm-eval", "lighteval", "squad", "kilt", "trec")
"""The formats that decide which field is which input: it has the input's name."""
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "arrow", "text", *NAMED)
_MAX_BYTES = 60_000_000
_PEEK = 1 << 16
_ZSTANDARD = 93
_BOM = b"\xef\xbb\xbf"
_SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Endings of names that decide, where the content does not."""
_WITHOUT_ROWS = re.compile(r"results_|[._]|README|.*\.(md|py|ya?ml|log)$")
"""Files of a folder that have no rows, such as lm-evaluation-harness's summary beside its samples."""
_DATASET = re.compile(r"hf://(datasets/)?[^/?]+(/[^/?]+)?/?(\?.*)?")
"""The address of a dataset of the Hub, not of one of its files."""


def open_rows(path: str, kind: str | None = None) -> Rows:
    """Open a file, a folder of files, an address such as `hf://…`, or `-` for standard input.

    An `InputError` is raised if it cannot be read, or, while the pieces are read, for the first row that cannot.
    """
    names = row_files(path)
    first = _open_one(names[0], kind)

    def pieces() -> Iterator[Columns]:
        for name in names:
            rows = first if name == names[0] else _open_one(name, kind)
            with _errors(name):
                if rows.format != first.format and {rows.format, first.format} != {"json", "jsonl"}:
                    raise InputError(f"It is {rows.format}, but {names[0]} is {first.format}.")
                yield from rows.pieces
            first.notes.extend(note for note in rows.notes if note not in first.notes)

    return replace(first, pieces=pieces(), total=first.total if len(names) == 1 else None)


def row_files(path: str) -> list[str]:
    """List the files of a folder that have rows; a path that is no folder is its only file."""
    if not Path(path).is_dir():
        return [path]
    files = (file for file in sorted(Path(path).rglob("*")) if file.is_file())
    names = [str(file) for file in files if not _WITHOUT_ROWS.match(file.name)]
    if not names:
        raise InputError(f"{path}: The folder has no files with rows.")
    return names


def read(content: bytes, suffix: str, kind: str | None, most: int) -> tuple[Rows, list[Record]]:
    """Read a stranger's file, whose name ends in `suffix`; return its rows, at most one more than `most`.

    Nothing that is much larger once unpacked is read. Errors are those of `open_rows`.
    """
    with _errors(""):
        if content.startswith((b"\x1f\x8b", b"PK\x03\x04", b"ARROW1", b"\xff\xff\xff\xff")):
            raise InputError("Archives and Arrow files can't be read here: use CSV, JSON or Parquet.")
        if content.startswith(b"PAR1"):
            size = count = 0
            for batch in pq.ParquetFile(io.BytesIO(content)).iter_batches(32):
                plain = (one.dictionary_decode() if pa.types.is_dictionary(one.type) else one for one in batch.columns)
                size, count = size + sum(one.nbytes for one in plain), count + batch.num_rows
                check_size(size)
                if count > most:
                    break
        rows = _read(io.BytesIO(content), suffix, kind)
        return rows, list(itertools.islice(rows.records(), most + 1))


def check_size(size: int) -> None:
    """Raise an `InputError` if a file from a stranger has too many bytes once it is unpacked."""
    if size > _MAX_BYTES:
        raise InputError(f"The file is too large once unpacked: more than {_MAX_BYTES // 1_000_000} MB.")


def _open_one(path: str, kind: str | None) -> Rows:
    with _errors(path):
        return _from_hub(path) if _DATASET.fullmatch(path) else _read(*_open(path), kind)


class _File(io.FileIO):
    """A file; if it is a pipe, Ctrl-C just before a read does not have to wait for its writer."""

    def readinto(self, buffer: Any) -> int | None:
        while os.name == "posix" and not self.seekable() and not select.select([self], [], [], 0.2)[0]:
            pass
        return super().readinto(buffer)


def _open(path: str) -> tuple[Any, str]:
    """Open a file, and return it with the end of its name, such as ".csv"."""
    if path == "-":
        return _File(sys.stdin.fileno(), closefd=False), ""
    suffix = Path(path.removesuffix(".gz")).suffix.lower()
    if "://" in path:
        import fsspec  # 0.1 s

        return fsspec.open(path, "rb").open(), suffix
    try:
        return _File(path), suffix
    except FileNotFoundError:
        beside = [found.name for found in Path(path).parent.glob("*")]
        close = difflib.get_close_matches(Path(path).name, beside, n=1)
        raise InputError(f"There is no such file{f'; did you mean {close[0]!r}?' if close else '.'}") from None


def _from_hub(path: str) -> Rows:
    """Read a dataset of the Hub as a stream: `hf://owner/name`, with `?config=…&split=…` if it has several."""
    import datasets  # takes a second

    address = urlsplit(path)
    name = f"{address.netloc}{address.path}".removeprefix("datasets/").strip("/")
    asked = dict(parse_qsl(address.query))
    splits = datasets.get_dataset_split_names(name, asked.get("config"))
    usual = (split for split in ("test", "validation", "train") if split in splits)
    split = asked.get("split") or next(usual, splits[0])
    stream = datasets.load_dataset(name, asked.get("config"), split=split, streaming=True)
    return Rows("dataset", stream.iter(ROWS_IN_PIECE), notes=[f"split {split}"])


@contextlib.contextmanager
def _errors(path: str) -> Iterator[None]:
    """Say which file it was, in one sentence."""
    try:
        yield
    except UnicodeDecodeError:
        reason = "The file isn't UTF-8 text. Save it as “CSV UTF-8”."
    except (EOFError, zlib.error, zipfile.BadZipFile, pa.ArrowException) as error:
        reason = f"It may be damaged, or still being written ({str(error).splitlines()[0].rstrip('.')})."
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    else:
        return
    name = "standard input" if path == "-" else path
    raise InputError(f"{name}: {reason}" if name else reason)


def _read(file: Any, suffix: str, kind: str | None) -> Rows:
    """Recognize the format of an open file by its first bytes, where these do not decide by the end of its name."""
    buffered = io.BufferedReader(file, _PEEK)
    head = buffered.peek(_PEEK)
    if head.startswith(b"\x1f\x8b"):
        buffered = io.BufferedReader(gzip.GzipFile(fileobj=buffered), _PEEK)
        head = buffered.peek(_PEEK)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as spreadsheets save "Unicode text"
        buffered = io.BufferedReader(io.BytesIO(buffered.read().decode("utf-16").encode()), _PEEK)
        return _from_text(buffered, buffered.peek(_PEEK).lstrip(b"\r\n "), suffix, kind)
    if head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"PK\x03\x04")):
        binary = buffered if buffered.seekable() else io.BytesIO(buffered.read())
        return _from_zip(binary) if head.startswith(b"PK") else from_arrow(binary, head)
    if head.startswith(_BOM):
        buffered.read(len(_BOM))
    return _from_text(buffered, head.removeprefix(_BOM).lstrip(b"\r\n "), suffix, kind)


def _from_text(file: io.BufferedReader, head: bytes, suffix: str, kind: str | None) -> Rows:
    if not head:
        raise InputError("The file is empty.")
    if kind is None and suffix not in {".csv", ".tsv"} and TREC.match(head):
        kind = "trec"
    kind = kind or _SUFFIXES.get(suffix)
    if kind == "trec":
        return from_trec(file)
    if kind == "text":
        return made_of("text", ({"text": line.decode().rstrip("\r\n")} for line in file))
    if kind not in {"csv", "tsv"} and head.startswith((b"{", b"[")):
        return from_json(file, kind)
    if kind in {"csv", "tsv"} or (kind is None and suffix != ".json"):
        first = re.match(rb'(?:(?<![^,;\t])"[^"]*"?|[^\r\n])*', head)  # a cell in quotes may have line breaks
        outside = re.sub(rb'(?<![^,;\t])"[^"]*"', b"", first[0] if first else b"")
        return from_cells(file, outside, is_tabbed="tsv" in {kind, suffix[1:]})
    raise InputError(f"This isn't a {kind or 'json'} file.")


def _from_zip(file: BinaryIO) -> Rows:
    archive = zipfile.ZipFile(file)
    names = archive.namelist()
    samples = sorted(name for name in names if name.startswith("samples/"))
    if not samples:
        raise InputError("The archive is no log of Inspect. Unpack it; save the sheet of a workbook as “CSV UTF-8”.")
    status = json.loads(_member(archive, file, "header.json"))["status"] if "header.json" in names else "started"
    return from_inspect((json.loads(_member(archive, file, name)) for name in samples), status)


def _member(archive: zipfile.ZipFile, file: BinaryIO, name: str) -> bytes:
    """Read a member of an archive; Inspect compresses with zstd, which `zipfile` knows from Python 3.14 on."""
    entry = archive.getinfo(name)
    if entry.compress_type != _ZSTANDARD:
        return archive.read(entry)
    file.seek(entry.header_offset + 26)
    file.seek(sum(struct.unpack("<HH", file.read(4))), io.SEEK_CUR)
    return bytes(pa.CompressedInputStream(pa.BufferReader(file.read(entry.compress_size)), "zstd").read())
