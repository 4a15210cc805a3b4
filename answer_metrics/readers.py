"""Files as columns: what people have, and what evaluation tools write.

`open_rows` recognizes the format by content and reads in pieces, so that a file may be larger than memory; only formats
that are one JSON document are read at once. A piece is a mapping of columns, each a list or an Arrow array; nested
fields are named by their path, as in `answers.text`. The page of a metric has a copy of this module.
"""

import codecs
import contextlib
import csv
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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, urlsplit

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

Record = dict[str, Any]
Columns = Mapping[str, Any]
NAMED = ("inspect", "lm-eval", "lighteval", "squad", "kilt", "trec")
"""The formats that decide which field is which input: it has the input's name."""
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "arrow", "text", *NAMED)
ROWS_IN_PIECE = 20_000
_BYTES_IN_PIECE = 1 << 23
_MAX_BYTES = 60_000_000
_PEEK = 1 << 16
_MAX_DEPTH = 4
_ZSTANDARD = 93
_BOM = b"\xef\xbb\xbf"
_SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Endings of names that decide, where the content does not."""
_WITHOUT_ROWS = re.compile(r"results_|[._]|README|.*\.(md|py|ya?ml|log)$")
"""Files of a folder that have no rows, such as lm-evaluation-harness's summary beside its samples."""
_DATASET = re.compile(r"hf://(datasets/)?[^/?]+(/[^/?]+)?/?(\?.*)?")
"""The address of a dataset of the Hub, not of one of its files."""
_TREC = re.compile(rb"\s*\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+([ \t]+\S+[ \t]+\S+)?[ \t]*(\r?\n|$)")

SURE = {
    "ids": "ids id example_id question_id query_id sample_id row_id qid doc_id uuid",
    "questions": "questions question query problem prompt input instruction doc.question doc.query vars.question",
    "predictions": "predictions prediction pred prediction_text hyp hypothesis response model_response completion "
    "generation generated generated_text generated_answer model_answer model_output llm_answer llm_output "
    "llm_response actual_output candidate response.output filtered_resps resps",
    "references": "references reference ref gold gold_answer gold_answers golden_answer golden_answers ground_truth "
    "ground_truths expected expected_output expected_answer target targets answers.text correct_answer correct_answers "
    "answer_key doc.answer vars.references",
    "choices": "choices options choices.text",
    "relevance": "relevance relevances relevance_grades relevance_scores grades gains qrels",
}
"""Names of fields that people and tools use for an input, the likeliest first."""
LISTS = {
    "predictions": "retrieved_contexts retrieved_context retrieved_chunks retrieved_documents retrieved_ids retrieved "
    "predictions contexts chunks passages",
    "references": "ground_truth_contexts ground_truth_context reference_contexts gold_contexts relevant relevant_ids "
    "relevant_documents references",
}
"""The same for lists of chunks or ids."""
UNSURE = {
    "predictions": "output answer text model",
    "references": "answers answer label solution output text best_answer",
}
"""Names that mean one thing or the other: taken for what is missing, predictions first."""
_FIELDS = {name for table in (SURE, UNSURE) for names in table.values() for name in names.split()}
"""Names that ids do not have, so that an object of them is a row, not SQuAD's predictions by id."""


class InputError(ValueError):
    """A file cannot be used. Metrics put their own name before the message of a plain `ValueError`."""


@dataclass
class Rows:
    """The rows of a file."""

    format: str
    pieces: Iterator[Columns]
    total: int | None = None
    """The number of rows, where the file says so."""
    notes: list[str] = field(default_factory=list)
    """What somebody who reads the result should know; complete when all pieces are read."""
    first: Record = field(default_factory=dict)
    """The first line of a table of cells, by the names that it gives to the fields; known when a piece is read."""

    rows: Iterator[Record] | None = None
    """The rows of which the pieces are made, if they are not columns in the file."""

    def records(self) -> Iterator[Record]:
        """Yield the rows one by one, each with its own fields only, in place of the pieces."""
        yield from (
            itertools.chain.from_iterable(map(rows_of, self.pieces)) if self.rows is None else map(_flat, self.rows)
        )


class Lines(dict[str, Any]):
    """A piece of JSON Lines that Arrow has read."""

    def __init__(self, columns: Columns, text: bytes) -> None:
        super().__init__(columns)
        self._text = text

    def records(self) -> Iterator[Record]:
        """Yield the rows with numbers as they are written: Arrow makes 3 of a column with 0.5 a 3.0."""
        return (_flat(json.loads(line)) for line in self._text.splitlines() if line.strip())


# ---- files and streams


def open_rows(path: str, kind: str | None = None) -> Rows:
    """Open a file, a folder of files, an address such as `hf://…`, or `-` for standard input.

    An `InputError` is raised if it cannot be read, or, while the pieces are read, for the first row that cannot.
    """
    names = [path]
    if Path(path).is_dir():
        files = (file for file in sorted(Path(path).rglob("*")) if file.is_file())
        names = [str(file) for file in files if not _WITHOUT_ROWS.match(file.name)]
    if not names:
        raise InputError(f"{path}: The folder has no files with rows.")
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
        return _from_zip(binary) if head.startswith(b"PK") else _from_arrow(binary, head)
    if head.startswith(_BOM):
        buffered.read(len(_BOM))
    return _from_text(buffered, head.removeprefix(_BOM).lstrip(b"\r\n "), suffix, kind)


def _from_text(file: io.BufferedReader, head: bytes, suffix: str, kind: str | None) -> Rows:
    if not head:
        raise InputError("The file is empty.")
    if kind is None and suffix not in {".csv", ".tsv"} and _TREC.match(head):
        kind = "trec"
    kind = kind or _SUFFIXES.get(suffix)
    if kind == "trec":
        return _from_trec(file)
    if kind == "text":
        return _made_of("text", ({"text": line.decode().rstrip("\r\n")} for line in file))
    if kind not in {"csv", "tsv"} and head.startswith((b"{", b"[")):
        return _from_json(file, kind)
    if kind in {"csv", "tsv"} or (kind is None and suffix != ".json"):
        first = re.match(rb'(?:(?<![^,;\t])"[^"]*"?|[^\r\n])*', head)  # a cell in quotes may have line breaks
        outside = re.sub(rb'(?<![^,;\t])"[^"]*"', b"", first[0] if first else b"")
        return _from_cells(file, outside, is_tabbed="tsv" in {kind, suffix[1:]})
    raise InputError(f"This isn't a {kind or 'json'} file.")


# ---- Parquet, Arrow, archives


def _from_arrow(file: BinaryIO, head: bytes) -> Rows:
    kind, total = "arrow", None
    if head.startswith(b"PAR1"):
        source = pq.ParquetFile(file)
        kind, total, batches = "parquet", source.metadata.num_rows, source.iter_batches(ROWS_IN_PIECE)
    elif head.startswith(b"\xff"):
        source = batches = pa.ipc.open_stream(file)
    else:
        source = pa.ipc.open_file(file)
        batches = map(source.get_batch, range(source.num_record_batches))
    schema = source.schema_arrow if kind == "parquet" else source.schema
    if {"doc", "model_response"} <= set(schema.names):
        rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
        return _converted("lighteval", _lighteval, enumerate(rows, 1), "Row")
    return Rows(kind, (columns_of(pa.Table.from_batches([batch])) for batch in batches), total=total)


def columns_of(table: pa.Table) -> Columns:
    """Return the columns of a table, structs as fields named by their path."""
    for _ in range(_MAX_DEPTH):
        if any(pa.types.is_struct(field.type) for field in table.schema):
            table = table.flatten()
    return dict(zip(table.column_names, table.columns, strict=True))


def _from_zip(file: BinaryIO) -> Rows:
    archive = zipfile.ZipFile(file)
    names = archive.namelist()
    samples = sorted(name for name in names if name.startswith("samples/"))
    if not samples:
        raise InputError("The archive is no log of Inspect. Unpack it; save the sheet of a workbook as “CSV UTF-8”.")
    status = json.loads(_member(archive, file, "header.json"))["status"] if "header.json" in names else "started"
    return _from_inspect((json.loads(_member(archive, file, name)) for name in samples), status)


def _member(archive: zipfile.ZipFile, file: BinaryIO, name: str) -> bytes:
    """Read a member of an archive; Inspect compresses with zstd, which `zipfile` knows from Python 3.14 on."""
    entry = archive.getinfo(name)
    if entry.compress_type != _ZSTANDARD:
        return archive.read(entry)
    file.seek(entry.header_offset + 26)
    file.seek(sum(struct.unpack("<HH", file.read(4))), io.SEEK_CUR)
    return bytes(pa.CompressedInputStream(pa.BufferReader(file.read(entry.compress_size)), "zstd").read())


# ---- CSV


def _from_cells(file: BinaryIO, first: bytes, *, is_tabbed: bool) -> Rows:
    delimiter = "\t" if is_tabbed or b"\t" in first else max(b",", b";", key=first.count).decode()
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True)
    header: Record = {}
    notes: list[str] = []
    rows = _cells(reader, header, notes)
    return _made_of("tsv" if delimiter == "\t" else "csv", rows, notes=notes, first=header)


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


# ---- JSON


def _from_json(file: io.BufferedReader, kind: str | None) -> Rows:
    """Read JSON Lines in pieces, or a JSON document at once."""
    leading = [file.readline()]
    while not leading[-1].strip():
        leading.append(file.readline())
    record = None
    with contextlib.suppress(ValueError, RecursionError):
        record = json.loads(leading[-1])
    if isinstance(record, dict) and kind != "json":
        for name, (is_kind, convert) in _LINES.items():
            if kind == name or (kind in {None, "jsonl"} and is_kind(record)):
                records = _records(itertools.chain(leading, file))
                # lm-evaluation-harness writes each document once per filter of the task
                kept = (line for line in records if line[1].get("filter") == record.get("filter"))
                return _converted(name, convert, kept, "Line")
    first = b"".join(leading)
    is_followed = leading[-1].lstrip().startswith(b"{") and file.peek(1).lstrip().startswith(b"{")
    if kind == "jsonl" or (kind is None and is_followed):
        rows = (record for _, record in _records(itertools.chain(leading, file)))
        return Rows("jsonl", _line_pieces(first, file), rows=rows)
    return _from_document(_parsed(first + file.read(), "The file"))


def _from_document(value: Any) -> Rows:
    if isinstance(value, dict):
        if {"eval", "samples"} <= value.keys():
            return _from_inspect(value["samples"], value.get("status", "success"))
        data: Any = value.get("data")
        if is_records(data) and "paragraphs" in data[0]:
            return _converted("squad", _squad, enumerate(data, 1), "Article")
        if not _FIELDS & value.keys() and all(isinstance(text, str) for text in value.values()):
            rows = ({"ids": name, "predictions": text} for name, text in value.items())
            return _made_of("squad", rows)
        value = next((item for item in value.values() if is_records(item)), [value])
    if not is_records(value):
        raise InputError('The JSON must be a list of objects, such as [{"prediction": "Paris", "reference": "Paris"}].')
    return _made_of("json", value)


def is_records(value: Any) -> bool:
    """Return whether a value of JSON is a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


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
            yield from _batched(record for _, record in _records(io.BytesIO(text), number))
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


# ---- what evaluation tools write


def _converted(
    kind: str, convert: Callable[[Record], Iterator[Record]], records: Iterable[tuple[int, Record]], what: str
) -> Rows:
    """Turn numbered records of a tool, called `what` in messages, into rows whose fields are named as inputs."""

    def rows() -> Iterator[Record]:
        for number, record in records:
            try:
                yield from convert(record)
            except (KeyError, IndexError, TypeError, AttributeError) as error:
                reason = f"({type(error).__name__}: {error})"
                raise InputError(f"{what} {number:,} is not what {kind} writes {reason}.") from None

    return _made_of(kind, rows())


def _from_inspect(samples: Iterable[Record], status: str) -> Rows:
    notes = [] if status == "success" else [f"the run has not finished (status {status}); only its samples so far"]

    def convert(sample: Record) -> Iterator[Record]:
        if sample.get("error"):
            notes.append(f"sample {sample['id']} ended in an error and is left out")
        else:
            yield _inspect(sample)

    return replace(_converted("inspect", convert, enumerate(samples, 1), "Sample"), notes=notes)


def _inspect(sample: Record) -> Record:
    asked, output = sample["input"], sample.get("output") or {}
    if isinstance(asked, list):
        asked = next((_message(message) for message in reversed(asked) if message["role"] == "user"), "")
    answers = [_message(choice["message"]) for choice in output.get("choices") or ()]
    row = {
        "ids": f"{sample['id']}/{sample['epoch']}",
        "questions": asked,
        "predictions": output.get("completion") or next(iter(answers), ""),
        "references": sample["target"],
        "question_id": str(sample["id"]),
        **{f"metadata.{name}": value for name, value in (sample.get("metadata") or {}).items()},
    }
    return {**row, "choices": sample["choices"]} if sample.get("choices") else row


def _message(message: Record) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _lm_eval(record: Record) -> Iterator[Record]:
    """Read a line of samples_*.jsonl: what the model wrote before the task's filters, one row per sample."""
    answers = record["resps"][0] if isinstance(record["resps"][0], list) else record["resps"]
    if not all(isinstance(answer, str) for answer in answers):
        raise InputError("This task compares log-likelihoods of choices; there are no answers as text.")
    asked = record.get("arguments") or {}
    asked = asked.get("gen_args_0", {}).get("arg_0") if isinstance(asked, dict) else asked[0][0]
    target = record["target"] if isinstance(record["target"], list) else str(record["target"])
    known = {"ids": record["doc_id"], "questions": asked, "references": target}
    for answer in answers:
        yield {**known, "predictions": answer, "doc": record.get("doc") or {}}


def _lighteval(row: Record) -> Iterator[Record]:
    doc = row["doc"]
    gold = doc["gold_index"]
    references = [doc["choices"][index] for index in (gold if isinstance(gold, list) else [gold])]
    for answer in row["model_response"]["text"] or [""]:
        yield {"ids": doc["id"], "questions": doc["query"], "predictions": answer, "references": references}


def _squad(article: Record) -> Iterator[Record]:
    for asked in (one for paragraph in article["paragraphs"] for one in paragraph["qas"]):
        answers = list(dict.fromkeys(answer["text"] for answer in asked["answers"])) or [""]
        yield {"ids": asked["id"], "questions": asked["question"], "references": answers}


def _kilt(record: Record) -> Iterator[Record]:
    answers = [one["answer"] for one in record["output"] if one.get("answer")]
    known = {"ids": record["id"], "questions": record.get("input")}
    yield {**known, "references": answers, "predictions": answers[0] if answers else ""}


_LINES: dict[str, tuple[Callable[[Record], bool], Callable[[Record], Iterator[Record]]]] = {
    "lm-eval": (lambda record: {"doc_id", "resps", "target"} <= record.keys(), _lm_eval),
    "kilt": (lambda record: is_records(record.get("output")) and "answer" in record["output"][0], _kilt),
}
_IN_QRELS, _IN_RUN = 4, 6
"""The number of fields in a line of TREC."""


def _from_trec(file: BinaryIO) -> Rows:
    """Read qrels or a run, one row per query.

    The documents of a run are ordered as trec_eval does: by score, equal ones by descending id; it ignores the ranks.
    """
    queries: dict[str, list[tuple[float, str]]] = {}
    width = 0
    for number, line in enumerate(file, 1):
        fields = line.decode().split()
        if not fields:
            continue
        width = width or len(fields)
        if len(fields) != width or width not in {_IN_QRELS, _IN_RUN}:
            raise InputError(f"Line {number:,} has {len(fields)} fields; TREC's qrels have 4, its runs 6.")
        try:
            queries.setdefault(fields[0], []).append((float(fields[4 if width == _IN_RUN else 3]), fields[2]))
        except ValueError:
            raise InputError(f"Line {number:,} has no number as its score.") from None
    rows: list[Record] = []
    for query, found in queries.items():
        if width == _IN_RUN:
            rows.append({"ids": query, "predictions": [name for _, name in sorted(found, reverse=True)]})
        else:
            gains = [max(0.0, gain) for gain, _ in found]
            rows.append({"ids": query, "references": [name for _, name in found], "relevance": gains})
    return _made_of("trec", rows)


# ---- pieces and columns


def _made_of(kind: str, rows: Iterable[Record], **more: Any) -> Rows:
    remaining = iter(rows)
    return Rows(kind, _batched(remaining), rows=remaining, **more)


def _batched(rows: Iterable[Record]) -> Iterator[Columns]:
    """Turn rows into columns, piece by piece."""
    remaining = iter(rows)
    while piece := [_flat(row) for row in itertools.islice(remaining, ROWS_IN_PIECE)]:
        yield {name: [row.get(name) for row in piece] for name in dict.fromkeys(itertools.chain.from_iterable(piece))}


def _flat(record: Record, depth: int = 1) -> Record:
    """Name nested fields by their path."""
    flat: Record = {}
    for key, value in record.items():
        if isinstance(value, dict) and value and depth < _MAX_DEPTH:
            flat |= {f"{key}.{name}": one for name, one in _flat(value, depth + 1).items()}
        else:
            flat[key] = value
    return flat


def rows_of(columns: Columns) -> Iterator[Record]:
    """Yield the rows of a piece."""
    lists = [column.to_pylist() if hasattr(column, "to_pylist") else column for column in columns.values()]
    for values in zip(*lists, strict=True):
        yield dict(zip(columns, values, strict=True))
