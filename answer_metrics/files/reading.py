"""Read files as columns: the plain formats, and what evaluation tools write.

`open_rows` recognizes the format by content and reads in pieces, so that a file may be larger than memory; only JSON
documents are read at once. A piece maps names to columns, each a list or an Arrow array; nested fields are named by
their path, as in `answers.text`.
"""

import codecs
import contextlib
import difflib
import io
import itertools
import json
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from lzma import LZMAError
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from answer_metrics.files.cells import from_cells, from_workbook, is_table
from answer_metrics.files.json_files import JSON, from_json
from answer_metrics.files.retrieval import BEIR, TREC, from_trec
from answer_metrics.files.rows import (
    DEFAULT,
    ROWS_IN_PIECE,
    Columns,
    InputError,
    Record,
    Request,
    Rows,
    columns_of,
    made_of,
)
from answer_metrics.files.tools import TOOLS, converted, format_of, from_inspect
from answer_metrics.files.unpacking import CHUNK, check_size, inspect_log, members, opener_of, recoded, suffix, unpacked

_PLAIN = ("csv", "tsv", "xlsx", "json", "jsonl", "parquet", "arrow", "text", "trec", "inspect", "openai-evals")
FORMATS = tuple(dict.fromkeys([*_PLAIN, *(tool.name for tool in TOOLS)]))
IMPLIED = {"matching_strategy", *(option for tool in TOOLS for option in tool.options)}
"""The options of metrics that a format may imply; see `Rows`."""
MAX_BYTES = 60_000_000
"""The largest file of a stranger, once it is unpacked."""
_SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Endings of names that decide, where the content does not."""
_WITHOUT_ROWS = re.compile(r"results_|[._]|README|dataset_(info|dict)\.json|state\.json|.*\.(md|py|ya?ml|log)$")
"""Files of a folder that have no rows, such as lm-evaluation-harness's summary beside its samples."""
_DATASET = re.compile(r"hf://(datasets/)?[^/?]+(/[^/?]+)?/?(\?.*)?")
"""The address of a dataset of the Hub, not of one of its files."""
_SPLITS = ("test", "validation", "train")
"""The split of a dataset that is read: the first of these that it has."""
_SPLIT_NAMES = "dataset_dict.json"
"""The file with the names of the splits that `save_to_disk` wrote."""
_NO_TABLES = {".htm", ".html", ".md", ".xml", ".yaml", ".yml"}
_OTHER_FORMATS = "save the rows as CSV, JSON Lines or Parquet."


def open_rows(path: str, request: Request = DEFAULT) -> Rows:
    """Open a file, a folder or archive of files, an address such as `hf://…`, or `-` for standard input.

    Raises:
        InputError: If the file cannot be read, or, while the pieces are read, for the first row that cannot be, or if
            there is none.
    """
    try:
        codecs.lookup(request.encoding or "utf-8")
    except LookupError:
        raise InputError(f"Unknown encoding {request.encoding!r}; use one such as cp1252, gbk or shift_jis.") from None
    names = row_files(path)
    rows = _joined(path, [(name, partial(_open_one, name, request)) for name in names])
    if Path(path, _SPLIT_NAMES).is_file():
        rows.notes.append(f"split {Path(names[0]).parent.name}")
    return rows


def row_files(path: str) -> list[str]:
    """List the files of a folder that have rows; a path that is no folder is its only file.

    Of a dataset that `save_to_disk` wrote, these are its shards; of several splits, those of the usual one.
    """
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    if (splits := folder / _SPLIT_NAMES).is_file():
        folder /= _usual_split(json.loads(splits.read_bytes())["splits"])
    if (state := folder / "state.json").is_file():
        return [str(folder / shard["filename"]) for shard in json.loads(state.read_bytes())["_data_files"]]
    files = (file for file in sorted(Path(path).rglob("*")) if file.is_file())
    names = [str(file) for file in files if not _WITHOUT_ROWS.match(file.name)]
    if not names:
        raise InputError(f"{path}: The folder has no files with rows.")
    return names


def read(content: bytes, ending: str, kind: str | None, most: int) -> tuple[Rows, list[Record]]:
    """Read a stranger's file, whose name ends in `ending`; return its rows, at most one more than `most`.

    Nothing that is much larger once unpacked is read. Errors are those of `open_rows`.
    """
    with _errors(""):
        if content.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
            raise InputError("Arrow files can't be read here: use CSV, JSON or Parquet.")
        size = count = 0
        for batch in pq.ParquetFile(io.BytesIO(content)).iter_batches(32) if content.startswith(b"PAR1") else ():
            for column in batch.columns:
                size += (column.dictionary_decode() if pa.types.is_dictionary(column.type) else column).nbytes
            check_size(size, MAX_BYTES)
            count += batch.num_rows
            if count > most:
                break
        rows = _read(io.BytesIO(content), Request(kind, ending, max_bytes=MAX_BYTES), len(content))
        return rows, list(itertools.islice(rows.records(), most + 1))


def _joined(path: str, sources: Sequence[tuple[str, Callable[[], Rows]]]) -> Rows:
    """Return the rows of several files of one format as those of one file."""
    first = sources[0][1]()

    def pieces() -> Iterator[Columns]:
        count = 0
        for place, (name, opened) in enumerate(sources):
            rows = opened() if place else first
            with _errors(name):
                if rows.format != first.format and {rows.format, first.format} != {"json", "jsonl"}:
                    raise InputError(f"It is {rows.format}, but {sources[0][0]} is {first.format}.")
                for piece in rows.pieces:
                    count += len(next(iter(piece.values()), ()))
                    yield piece
            first.notes.extend(note for note in rows.notes if note not in first.notes)
        if not count:
            with _errors(path):
                raise InputError("There are no rows, only a header." if first.first else "There are no rows.")

    return replace(first, pieces=pieces(), total=first.total if len(sources) == 1 else None)


def _open_one(path: str, request: Request) -> Rows:
    with _errors(path):
        if _DATASET.fullmatch(path):
            return _from_hub(path)
        size = None
        if "://" in path:
            import fsspec  # 0.1 s

            file = fsspec.open(path, "rb").open()
        elif path == "-":
            file = io.FileIO(sys.stdin.fileno(), closefd=False)
        else:
            try:
                file = io.FileIO(path)
            except FileNotFoundError:
                beside = [file.name for file in Path(path).parent.glob("*")]
                close = difflib.get_close_matches(Path(path).name, beside, n=1)
                raise InputError(f"There is no such file{f'; did you mean {close[0]!r}?' if close else '.'}") from None
            size = os.fstat(file.fileno()).st_size if file.seekable() else None
        return _read(file, replace(request, suffix=suffix(path)), size)


def _from_hub(path: str) -> Rows:
    """Read a dataset of the Hub as a stream: `hf://owner/name`, with `?config=…&split=…` if it has several."""
    import datasets  # takes a second

    address = urlsplit(path)
    name = f"{address.netloc}{address.path}".removeprefix("datasets/").strip("/")
    query = dict(parse_qsl(address.query))
    splits = datasets.get_dataset_split_names(name, query.get("config"))
    split = query.get("split") or _usual_split(splits)
    stream = datasets.load_dataset(name, query.get("config"), split=split, streaming=True)
    return Rows("dataset", stream.iter(ROWS_IN_PIECE), notes=[f"split {split}"])


def _usual_split(splits: Sequence[str]) -> str:
    return next((split for split in _SPLITS if split in splits), splits[0])


def fetch_dataset(address: str) -> bytes:
    """Return the first Parquet file of a public dataset, given as `owner/name, configuration, split`."""
    import httpx  # comes with Gradio

    name, *asked = (part.strip() for part in f"{address},,".split(","))
    name = re.sub(r"^https?://[^/]+/datasets/|[/?#]*$", "", name)
    if not re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", name, re.ASCII):
        raise InputError("Enter the name of a dataset on the Hub, such as owner/dataset.")
    path = f"{os.environ.get('HF_ENDPOINT', 'https://huggingface.co')}/api/datasets/{name}/parquet"
    usual = {"configuration": ("default", "main"), "split": _SPLITS}
    try:
        listed = httpx.get(path, timeout=20, follow_redirects=True).raise_for_status().json()
        for wanted, (kind, names) in zip(asked, usual.items(), strict=False):
            chosen = wanted or next((name for name in (*names, *listed) if name in listed), "")
            if chosen not in listed:
                raise InputError(f"There is no {kind} {chosen!r}. Available: {', '.join(list(listed)[:12])}.")
            path, listed = f"{path}/{chosen}", listed[chosen]
        content = bytearray()
        with httpx.stream("GET", f"{path}/0.parquet", timeout=20, follow_redirects=True) as response:
            for chunk in response.raise_for_status().iter_bytes():
                content += chunk
                check_size(len(content), MAX_BYTES)
    except httpx.HTTPStatusError as error:
        raise InputError(f"The Hub has no public dataset {name} (status {error.response.status_code}).") from None
    except httpx.HTTPError:
        raise InputError("The Hub can't be reached from here.") from None
    return bytes(content)


@contextlib.contextmanager
def _errors(path: str) -> Iterator[None]:
    try:
        yield
    except UnicodeError as error:  # before Python 3.13 also "UTF-16 stream does not start with BOM"
        encoding = getattr(error, "encoding", str(error).partition(" ")[0]).upper()
        advice = "Save it as “CSV UTF-8”, or name its encoding, as in --encoding cp1252."
        reason = f"The file isn't {encoding} text. {advice}"
    except (EOFError, zlib.error, LZMAError, zipfile.BadZipFile, SyntaxError, pa.ArrowException) as error:
        reason = f"It may be damaged, or still being written ({str(error).splitlines()[0].rstrip('.')})."
    except (OSError, ValueError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    else:
        return
    name = "standard input" if path == "-" else path
    raise InputError(f"{name}: {reason}" if name else reason)


def _read(file: Any, request: Request, size: int | None) -> Rows:
    """Recognize the format of an open file of `size` bytes by its first bytes, else by its suffix."""
    buffered = io.BufferedReader(file, CHUNK)
    head = buffered.peek(CHUNK)
    if opener := opener_of(head):
        buffered = unpacked(opener(buffered), size, request.max_bytes)
        head = buffered.peek(CHUNK)
    if head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"PK\x03\x04")):
        binary = buffered if buffered.seekable() else io.BytesIO(buffered.read())
        return _from_zip(binary, request) if head.startswith(b"PK") else _from_arrow(binary, head, request)
    encoding = request.encoding
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as spreadsheets save "Unicode text"
        encoding = "utf-16"
    if encoding and codecs.lookup(encoding).name != "utf-8":
        buffered = recoded(buffered, encoding)
        head = buffered.peek(CHUNK)
    if b"\0" in head:
        hint = "Text in UTF-16 without a byte-order mark needs --encoding utf-16-le or utf-16-be."
        raise InputError(f"The file is neither text nor of a format that can be read: {_OTHER_FORMATS} {hint}")
    if head.startswith(codecs.BOM_UTF8):
        buffered.read(len(codecs.BOM_UTF8))
        head = head.removeprefix(codecs.BOM_UTF8)
    return _from_text(buffered, head.lstrip(b"\r\n "), request)


def _from_arrow(file: Any, head: bytes, request: Request) -> Rows:
    """Read Parquet or Arrow's file or stream format, of which `head` is the beginning."""
    kind, total = "arrow", None
    batches: Iterator[Any]
    if head.startswith(b"PAR1"):
        source = pq.ParquetFile(file)
        kind, total, batches = "parquet", source.metadata.num_rows, source.iter_batches(ROWS_IN_PIECE)
    elif head.startswith(b"\xff"):
        batches = iter(pa.ipc.open_stream(file))
    else:
        source = pa.ipc.open_file(file)
        batches = map(source.get_batch, range(source.num_record_batches))
    if kind == "arrow":
        batches = map(_validated, batches)
    first = next(batches, None)
    if first is None:
        return Rows(kind, iter(()), total=0)
    batches = itertools.chain([first], batches)
    if first.num_rows and (tool := format_of(first.slice(0, 1).to_pylist()[0], request)):
        rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
        return converted(tool, enumerate(rows, 1), "Row", request)
    return Rows(kind, (columns_of(pa.Table.from_batches([batch])) for batch in batches), total=total)


def _validated(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch; raise an `ArrowInvalid` if it is damaged, in which Arrow would read outside of its memory."""
    batch.validate(full=True)
    return batch


def _from_text(file: io.BufferedReader, head: bytes, request: Request) -> Rows:
    if not head:
        raise InputError("The file is empty.")
    kind, ending = request.format, request.suffix
    if kind == "trec" or (not kind and (BEIR.match(head) or (ending != ".csv" and TREC.match(head)))):
        return from_trec(file, request)
    kind = kind or ("csv" if ending == ".txt" and is_table(head) else _SUFFIXES.get(ending))
    if kind == "text":
        return made_of("text", ({"text": line.decode().rstrip("\r\n")} for line in file))
    is_cells = kind in {"csv", "tsv"} or (kind is None and ending in {".csv", ".tsv"} and not JSON.match(head))
    if not is_cells and head.startswith((b"{", b"[")):
        return from_json(file, replace(request, format=kind))
    if is_cells or (kind is None and ending != ".json"):
        if ending in _NO_TABLES and not is_cells:
            raise InputError(f"Files that end in {ending} can't be read: {_OTHER_FORMATS}")
        return from_cells(file, head, request)
    raise InputError(f"This isn't a {kind or 'json'} file.")


def _from_zip(file: Any, request: Request) -> Rows:
    archive = zipfile.ZipFile(file)
    entries = members(archive, request.max_bytes)
    names = {entry.filename for entry in entries}
    if "xl/workbook.xml" in names:
        return from_workbook(file, request.fields)
    if any(name.startswith("samples/") for name in names) or "_journal/start.json" in names:
        return from_inspect(inspect_log(archive, file))
    entries = [entry for entry in entries if not _WITHOUT_ROWS.match(Path(entry.filename).name)]
    if not entries:
        raise InputError("The archive has no files with rows.")

    def opened(entry: zipfile.ZipInfo) -> Rows:
        with _errors(entry.filename):
            inner = unpacked(archive.open(entry), entry.compress_size, request.max_bytes)
            if inner.peek(4).startswith(b"PK\x03\x04"):
                raise InputError("An archive within an archive is not read.")
            return _read(inner, replace(request, suffix=suffix(entry.filename)), entry.compress_size)

    return _joined("", [(entry.filename, partial(opened, entry)) for entry in entries])
