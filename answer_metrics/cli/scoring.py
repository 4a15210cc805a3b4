"""The rows of a file with their scores, piece by piece: read, joined with another file, scored, written."""

import argparse
import contextlib
import hashlib
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import tqdm

import answer_metrics
from answer_metrics import did_you_mean
from answer_metrics.cli.arguments import RESULT_OPTIONS, pairs, value_of
from answer_metrics.cli.inputs import ARROW, SHOWN, InputFile, check_texts, is_fact, length, open_file, quoted
from answer_metrics.cli.joining import Joined, as_id
from answer_metrics.cli.writing import NOTE, Write, as_arrow, open_output
from answer_metrics.columns.inputs import COMMON_INPUTS
from answer_metrics.core.messages import capture_warnings
from answer_metrics.core.options import shorten
from answer_metrics.files import reading
from answer_metrics.files.names import SURE, by_simple_name, simplified
from answer_metrics.files.rows import Columns, InputError, column_at, columns_of, has_field, plain
from answer_metrics.matching.numbers import read_numbers

_NOT_OF_ROWS = frozenset({"confidence_level", "confidence_method", "bootstrap_seed"})
"""Options that change no row's score: rows that are scored need not be scored again for them."""
_SECONDS_IN_LOG = 10
"""How often progress is printed where lines stay, as in a log."""
_RUNS = frozenset(
    "annotator attempt epoch iteration method model rater repeat repetition run sample seed strategy system "
    "temperature trial".split()
)
"""Names of fields in which the rows of one question differ."""
_ERROR = re.compile(
    r"\s*((?i:[\[#<(]?((api|http|server|client|runtime|request|internal server) )?(error|exception)"
    r"(\s*$|\s*[:\])>!]| -| (\d{3}|calling|code|during|generating|occurred|processing|querying)\b)"
    r"|traceback \(most recent call last\)|an? (\w+ )?(error|exception) (has )?occurred"
    r"|rate ?limit (exceeded|reached|error|hit))|[\w.]+(Error|Exception):)"
)
"""How texts begin that programs write where they got no answer."""


def note_of(path: str) -> dict[str, Any]:
    """Return how the rows of a file were scored: metric, options, version and columns; empty if they were not."""
    with contextlib.suppress(OSError, ValueError):  # the reader reports it
        if Path(path).is_file():
            note = (pq.read_metadata(path).metadata or {}).get(NOTE)
            return dict(json.loads(note)) if note else {}
    return {}


def _options(args: argparse.Namespace, name: str) -> dict[str, Any]:
    """Return the options of a metric that the user names, and those that a scored file was scored with."""
    flags = {flag.removeprefix("option_"): value for flag, value in vars(args).items() if flag.startswith("option_")}
    options = flags | {option: value_of(text) for option, text in pairs(args.set, "--set").items()}
    classes = {metric: answer_metrics.metric_class(metric) for metric in args.metric}
    secrets = set().union(*(cls.secrets for cls in classes.values()))
    if secret := next((option for option in options if option in secrets), None):
        reason = "which other users of the machine could read"
        raise ValueError(f"{secret} is a secret, {reason}: set it in the environment")
    of_any = set().union(*(cls.options for cls in classes.values()))
    own = classes[name].options
    if "preset" in options and "preset" not in of_any:
        raise ValueError(f"{name} has no presets; its options are {', '.join(sorted(own))}")
    if len(classes) > 1:  # each takes the options that it has
        options = {option: value for option, value in options.items() if option in own or option not in of_any}
    note = note_of(args.files[0])
    is_note_kept = note.get("metric") == name and options.keys() <= {*_NOT_OF_ROWS, *RESULT_OPTIONS}
    return {**note.get("options", {}), **options} if is_note_kept else options


class Job:
    """A metric with its options, and how to read files, as the command line says.

    Jobs that share `printed` do not repeat each other's remarks.
    """

    def __init__(self, args: argparse.Namespace, name: str | None = None, printed: set[str] | None = None) -> None:
        if args.format not in {None, *reading.FORMATS}:
            raise InputError(f"There is no format {args.format!r}{did_you_mean(args.format, reading.FORMATS)}")
        self.args, self.name = args, name or args.metric[0]
        self._opened: dict[str, Any] = {}
        own = answer_metrics.metric_class(self.name).options
        if reading.IMPLIED & own.keys():  # such as that documents of TREC are compared by id
            self._opened = {path: open_file(path, args) for path in (args.references, args.files[0]) if path}
        implied: dict[str, Any] = {}
        for path, rows in self._opened.items():
            check_texts(own, path, rows)
            implied |= {name: value for name, value in rows.options.items() if name in own}
        options = implied | _options(args, self.name)
        of_result = {option: options.pop(option, value) for option, value in RESULT_OPTIONS.items()}
        self.metric = answer_metrics.load(self.name, **options, **of_result)
        self._printed: set[str] = set() if printed is None else printed
        self.note = {"metric": self.name, "options": options, "version": self.metric.version}

    def open(self, path: str) -> InputFile:
        """Open a file."""
        file = InputFile(self.metric, path, self._opened.pop(path, None) or open_file(path, self.args), self.args)
        file.is_output = bool(note_of(path))
        return file

    @property
    def main_score(self) -> str:
        """The key of the score that the options lead to, which is another one with `scoring="votes"`."""
        if not (scales := self.metric.scales()):
            raise ValueError(f"{self.name} has no score under these options")
        return str(self.metric.main_of(scales))

    def rows(self, path: str, *keep: str | None, **settings: Any) -> "ScoredFile":
        """Return the rows of a file with their scores."""
        settings = {"missing": self.args.missing or "wrong", **settings}
        return ScoredFile(self, path, [name for name in keep if name], **settings)

    def is_scored(self, note: Mapping[str, Any]) -> bool:
        """Return whether the rows of a file with this note have the scores of this metric under these options."""
        own, stored = (
            {**about, "columns": None, "options": {**about.get("options", {}), **dict.fromkeys(_NOT_OF_ROWS)}}
            for about in (self.note, note)
        )
        return own == stored

    def remark(self, path: str, notes: Iterable[str]) -> None:
        """Print notes that help to read the result, once for all metrics."""
        for line in () if self.args.quiet else (f"{path}: {note}" for note in notes):
            if line not in self._printed:
                print(line, file=sys.stderr)
            self._printed.add(line)


@dataclass
class _Piece:
    """Rows of a file: their fields as they are, the inputs as the metric takes them, and the numbers of the rows."""

    fields: dict[str, Any]
    inputs: dict[str, Any]
    numbers: Any

    def take(self, rows: Sequence[int]) -> "_Piece":
        """Return some of the rows."""
        indices = pa.array(rows, pa.int64())
        fields, inputs = (
            {
                name: column.take(indices) if isinstance(column, ARROW) else [column[row] for row in rows]
                for name, column in columns.items()
            }
            for columns in (self.fields, self.inputs)
        )
        return _Piece(fields, inputs, self.numbers[rows])

    def __len__(self) -> int:
        return len(self.numbers)


def _nulls(column: Any, *, or_empty: bool = False) -> list[int]:
    """Return the rows in which a column is null, or NaN, which pandas writes for it, or else empty."""
    if or_empty:
        return [row for row, value in enumerate(plain(column)) if value in (None, "", []) or value != value]
    if isinstance(column, ARROW) and not pa.types.is_floating(column.type):
        return np.flatnonzero(column.is_null()).tolist() if column.null_count else []
    return [row for row, value in enumerate(plain(column)) if value is None or value != value]


@dataclass
class ScoredFile:
    """The rows of a file with their scores: an iterator of tables, each row scored once.

    `keep` are fields or inputs to pass on, with `show` also those that people want to see. `missing` says what to do
    about questions of the references that have no prediction (wrong, ignore or error; None does not look for them),
    and `is_clustered` whether several rows of one question form a cluster. `columns` maps inputs to fields once the
    first piece is read, `total` is the number of rows so far, and `numbers` has the numbers of each table's rows in the
    file, counted from 0.
    """

    job: Job
    path: str
    keep: Sequence[str]
    show: bool = False
    output: str | None = None
    missing: str | None = "wrong"
    is_clustered: bool = True

    def __post_init__(self) -> None:
        self.columns: dict[str, str] = {}
        self.numbers: list[Any] = []
        self._joined: Joined | None = None
        self._cluster_field: str | None = None
        self._questions: set[str] = set()
        self._unanswered: list[str] = []
        self.total = self._read = self._without_number = 0
        args, self._metric, self._note = self.job.args, self.job.metric, note_of(self.path)
        self._has_samples = False
        self._is_scored = self.job.is_scored(self._note)
        scored = self._metric.scored_input()
        self._policies = {scored: args.missing or "wrong", "references": args.without_reference or "error"}
        self._nulls = dict.fromkeys(self._policies, 0)
        self._errors, self._first_error, self._has_errors_as_references = 0, "", False

    def __iter__(self) -> Iterator[pa.Table]:
        file = self.job.open(self.path)
        seconds = 0 if sys.stderr.isatty() else _SECONDS_IN_LOG
        settings = {"disable": self.job.args.quiet, "leave": False, "delay": seconds, "mininterval": max(0.1, seconds)}
        with (
            tqdm.tqdm(total=file.rows.total, unit=" rows", unit_scale=True, **settings) as bar,
            contextlib.ExitStack() as opened,
        ):
            write = opened.enter_context(open_output(self.output)) if self.output else None
            for fields in file.pieces:
                is_first = not self._read
                if is_first:
                    self._begin(file, fields)
                fields = file.by_sample(fields, self.columns)
                self._has_samples = bool(file.has_samples)
                if file.has_samples and self._joined and not (self._joined.has_ids and "ids" in self.columns):
                    raise InputError(
                        f"{self.path}: lists of predictions need ids, to be matched with {self._joined.path}"
                    )
                if is_first and (on := self.job.args.on) and not (self._joined or has_field(fields, on)):
                    raise InputError(f"{self.path}: there is no field {on!r}{did_you_mean(on, fields)}")
                numbers = np.arange(length(fields)) + self._read
                piece = self._counted(_Piece(dict(fields), file.take(fields, self.columns), numbers))
                self._read += length(fields)
                if len(piece):
                    yield self._finished(piece, write)
                bar.update(self._read - bar.n)
            missing = self._missing_piece(self._joined) if self._joined and self._read else None
            if missing:
                yield self._finished(missing, write)
        self.job.remark(self.path, [*file.rows.notes, *self._remarks()])

    def _begin(self, file: InputFile, fields: Columns) -> None:
        """Decide which field is which input, and read the other file, or the first one, if it has the references."""
        args, scored, path = self.job.args, self._metric.scored_input(), self.path
        beside = args.references or (args.files[0] if path != args.files[0] else None)
        if "references" not in self._metric.inputs:
            beside = None
        chosen = ({"ids": args.on} if args.on and beside else {}) | pairs(args.columns, "--columns")
        own = {name: at for name, at in chosen.items() if not beside or name == scored or has_field(fields, at)}
        without: set[str] = set()
        if beside and args.references:  # what the user names and this file lacks is read from that file
            without = {"references", *(chosen.keys() - own.keys() - {"ids"})}
        inputs = {*self._metric.inputs, "ids"}  # another metric may have scored the file
        noted = {name: at for name, at in self._note.get("columns", {}).items() if name in inputs}
        first = {name: at for name, at in {**noted, **own}.items() if name not in without}
        self.columns = file.name_columns(fields, first, without, ["references"] if beside else [])
        if beside and "references" not in self.columns:
            other = self.job.open(beside)
            other.has_facts = any(map(is_fact, file.items(fields, self.columns)))
            self._joined = Joined(other, chosen, self.keep, args.without_reference)
            self._check_fields(own, self._joined)
        required = [scored] if self._joined else self._metric.required_inputs()
        if missing := [name for name in required if name not in self.columns]:
            raise InputError(f"{path}: {file.unknown_columns(fields, self.columns, missing)}")
        file.settle(fields, self.columns, self._joined.references if self._joined else None)
        sources = [(path, file.rows.format, self.columns)]
        if joined := self._joined:
            of_other = {name: at for name, at in joined.columns.items() if name not in self.columns or name == "ids"}
            sources.append((joined.path, joined.format, of_other))
        for source, kind, columns in sources:
            self.job.remark(source, [f"{kind}; {', '.join(f'{name} = {at}' for name, at in columns.items())}"])
        if joined:
            self.job.remark(joined.path, joined.notes)

    def _check_fields(self, own: Mapping[str, str], joined: Joined) -> None:
        for name, at in pairs(self.job.args.columns, "--columns").items():
            if name in {"ids", self._metric.scored_input()}:
                continue
            is_of_other = joined.columns.get(name) == at
            is_scored = self.columns.get(self._metric.scored_input()) == at  # so that it is not the other input, too
            if name in own and is_of_other and self.job.args.references and not is_scored:
                both = f"both {self.path} and {joined.path} have a field {at!r}"
                raise InputError(f"--columns {name}={at}: {both}; rename it in one of them")
            if not is_of_other and (name not in own or name == "references"):
                raise InputError(f"--columns {name}={at}: {joined.path} has no field {at!r}")

    def _finished(self, piece: _Piece, write: Write | None) -> pa.Table:
        scores = self._scored(piece)
        columns = dict(zip(scores.column_names, scores.columns, strict=True))
        if write:
            write({**piece.fields, **columns}, {**self.job.note, "columns": self.columns})
        present, extra = {**piece.fields, **piece.inputs}, {}
        for name in [*self.keep, *(name for name in SHOWN if self.show and name in present)]:
            if name not in present:
                raise InputError(f"{self.path}: there is no field {name!r}{did_you_mean(name, present)}")
            column = present[name]
            if name == self.job.args.on:
                column = [None if id_ is None else as_id(id_) for id_ in plain(column)]
            extra[name] = as_arrow(column)
        self.total += scores.num_rows
        self._questions.update(piece.inputs["clusters"] if self._cluster_field else ())
        self.numbers.append(piece.numbers)
        return pa.table({**extra, **columns})

    def _counted(self, piece: _Piece) -> _Piece:
        """Return the rows of a piece that count, with the inputs that another file has."""
        self._cluster(piece)
        if self._joined:
            of_none = {name: column for name, column in piece.fields.items() if name not in self._metric.inputs}
            matched, new = self._joined.match({**of_none, **piece.inputs}, self._read)
            piece = piece.take(matched) if len(matched) < len(piece) else piece
            piece.fields |= new
            piece.inputs |= {name: column for name, column in new.items() if name in self._metric.inputs}
        left_out: set[int] = set()
        for name, policy in self._policies.items():
            or_empty = name == "references" and policy == "ignore"
            nulls = _nulls(piece.inputs[name], or_empty=or_empty) if name in piece.inputs else []
            self._nulls[name] += len(nulls)
            if nulls and policy == "error":
                advice = "leaves such rows out" if name == "references" else "goes on without it"
                flag = "--without-reference ignore" if name == "references" else "--missing wrong or ignore"
                place = f"{self.path}, {'sample' if self._has_samples else 'row'} {piece.numbers[nulls[0]] + 1:,}"
                raise InputError(f"{place}: the {name.removesuffix('s')} is null; {flag} {advice}")
            left_out.update(nulls if policy == "ignore" else ())
        piece = piece.take([row for row in range(len(piece)) if row not in left_out]) if left_out else piece
        self._find_errors(piece)
        return piece

    def _find_errors(self, piece: _Piece) -> None:
        """Add the predictions that look like error messages, and note whether a reference does, too."""
        column = piece.inputs.get("predictions", ())
        if isinstance(column, ARROW):
            is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
            rows: Any = np.flatnonzero(pc.match_substring_regex(column, f"^{_ERROR.pattern}")) if is_text else []
        else:
            rows = [row for row, text in enumerate(column) if isinstance(text, str) and _ERROR.match(text)]
        if len(rows) and not self._has_errors_as_references:
            first = f"{shorten(str(column[rows[0]]))} in row {piece.numbers[rows[0]] + 1:,}"
            self._errors, self._first_error = self._errors + len(rows), self._first_error or first
            references = (text if isinstance(text, list) else [text] for text in plain(piece.inputs["references"]))
            texts = itertools.chain.from_iterable(references)
            self._has_errors_as_references = any(isinstance(text, str) and _ERROR.match(text) for text in texts)

    def _cluster(self, piece: _Piece) -> None:
        """Put samples of one question into a cluster, if the first piece has several of one.

        Without ids, a field has to tell the runs, and most rows have to share their question with others that have the
        same references.
        """
        by_id = "question_id" if "question_id" in piece.fields else self.columns.get("ids")
        field = self._cluster_field or by_id
        has_runs = any(simplified(name).rpartition("_")[2] in _RUNS for name in piece.fields)
        if not field and not self._read and has_runs and "references" in piece.inputs:
            simple = by_simple_name(piece.fields)
            names = (simple[name] for name in SURE["questions"].split() if name in simple)
            field = self.columns.get("questions") or next(names, None)
        is_decided = self._read and not self._cluster_field
        if is_decided or not self.is_clustered or "clusters" in self.columns or field is None:
            return
        by_text = field not in {"question_id", self.columns.get("ids")}
        column = piece.inputs["ids"] if field == self.columns.get("ids") else column_at(piece.fields, field)
        ids = [None] * len(piece) if column is None else plain(column)
        if by_text:  # a question may be long
            hashes = [text and hashlib.blake2b(str(text).encode(), digest_size=8).hexdigest() for text in ids]
            ids = [name or f"row {row}" for row, name in enumerate(hashes, self._read)]
        if not self._read:
            method = getattr(self._metric.resolve_options({}), "confidence_method", "wilson")
            has_samples = None not in ids and 1 < len(set(map(as_id, ids))) < len(ids)
            if by_text and has_samples:
                counts = Counter(ids)
                with_references = set(zip(ids, map(str, plain(piece.inputs["references"])), strict=True))
                has_samples = len(with_references) == len(counts) and 2 * list(counts.values()).count(1) <= len(ids)
            self._cluster_field = field if has_samples and method == "wilson" else None
        if self._cluster_field:
            piece.inputs["clusters"] = list(map(as_id, ids))

    def _missing_piece(self, joined: Joined) -> _Piece | None:
        rows = joined.unanswered(self._read)
        self._unanswered = [as_id(row["ids"]) for row in rows]
        if not rows or self.missing in {None, "ignore"}:
            return None
        if self.missing == "error":
            raise InputError(
                f"{self.path}: {_of(len(rows), len(joined))} questions of {joined.path} have no prediction, such as "
                f"{self._unanswered[0]!r}; --missing wrong counts them as wrong, --missing ignore leaves them out"
            )
        or_empty = self._policies["references"] == "ignore"
        if nulls := _nulls([row["references"] for row in rows], or_empty=or_empty):
            if self._policies["references"] == "error":
                reason = "is null; --without-reference ignore leaves such questions out"
                raise InputError(f"{joined.path}: the reference of {self._unanswered[nulls[0]]!r} {reason}")
            counted = _of(len(nulls), len(joined))
            self.job.remark(joined.path, [f"{counted} questions have neither a prediction nor a reference: left out"])
            rows = [row for place, row in enumerate(rows) if place not in nulls]
            self._unanswered = [as_id(row["ids"]) for row in rows]
            if not rows:
                return None
        names = dict.fromkeys(name for row in rows for name in row)
        fields: dict[str, Any] = {name: [row.get(name) for row in rows] for name in names}
        inputs = {name: column for name, column in fields.items() if name in self._metric.inputs}
        inputs |= {"ids": fields.pop("ids"), self._metric.scored_input(): [None] * len(rows)}
        fields[self.columns["ids"]] = inputs["ids"]
        if self._cluster_field:
            is_id = self._cluster_field == self.columns["ids"]  # else numbers of questions, which ids may equal
            inputs["clusters"] = [name if is_id else f"{name} (unanswered)" for name in self._unanswered]
        return _Piece(fields, inputs, np.arange(len(rows)) + self._read)

    def _remarks(self) -> Iterator[str]:
        """Yield a remark for each kind of rows that was not scored as it is."""
        scored, joined = self._metric.scored_input(), self._joined
        fates = {"wrong": "counted as wrong; --missing ignore leaves them out", "ignore": "left out"}
        if number := self._nulls[scored]:
            yield f"{_of(number, self._read)} {scored} are null: {fates[self._policies[scored]]}"
        if number := self._nulls["references"]:
            are = "null or empty" if self.job.args.without_reference == "ignore" else "null"
            yield f"{_of(number, self._read)} references are {are}: left out"
        if self._errors * 10 >= self._read and not self._has_errors_as_references:
            number_of = f"{_of(self._errors, self._read)} predictions look like error messages"
            yield f"{number_of}, such as {self._first_error}: counted as answers"
        if joined and self._unanswered and self.missing:
            like = ", as trec_eval does without -c" if joined.has_relevance else ""
            number_of = f"{_of(len(self._unanswered), len(joined))} questions of {joined.path} have no prediction"
            yield f"{number_of}, such as {self._unanswered[0]!r}: {fates[self.missing]}{like}"
        if joined and joined.unjudged:
            first = f"{_of(len(joined.unjudged), self._read)} rows have no references in {joined.path}"
            yield f"{first}, such as {joined.unjudged[0]!r}: left out"
        if self._without_number:
            yield f"{_of(self._without_number, self.total)} references have no number, which --preset number compares"
        if self._cluster_field:
            on = self.columns["ids"] if joined and joined.has_ids else self._cluster_field
            yield (
                f"{self.total:,} rows of {len(self._questions):,} questions: intervals are clustered by "
                f"{self._cluster_field}; `repeats --on {quoted(on)}` has pass@k and the mean of each question"
            )

    def _scored(self, piece: _Piece) -> pa.Table:
        prefix = f"{self._metric.name}_"
        stored = {name: as_arrow(column) for name, column in piece.fields.items() if name.startswith(prefix)}
        if self._is_scored and stored:
            named = {name: as_arrow(piece.inputs[name]) for name in COMMON_INPUTS if name in piece.inputs}
            return pa.table(stored | {f"{prefix}{name}": column for name, column in named.items()})
        if getattr(self._metric.resolve_options({}), "preset", None) == "number":
            for references in plain(piece.inputs["references"]):
                texts = references if isinstance(references, list) else [references]
                self._without_number += not any(read_numbers(text) for text in texts if text)
        scored = self._metric.scored_input()
        wrong = _nulls(piece.inputs[scored]) if scored in piece.inputs else []
        if not wrong:
            return self._computed(piece)
        right = sorted({*range(len(piece))} - {*wrong})
        parts = [self._computed(piece.take(right))] if right else []
        worst = self._metric.worst_inputs(self._metric.resolve_options({}))
        needed = {*self._metric.required_inputs(), "relevance", "clusters", "human_labels"}
        columns = {name: column for name, column in piece.take(wrong).inputs.items() if name in needed}
        with capture_warnings():  # about such answers
            parts.append(self._as_table(columns | {name: [value] * len(wrong) for name, value in worst.items()}))
        return pa.concat_tables(parts).take(np.argsort([*right, *wrong]))

    def _computed(self, piece: _Piece) -> pa.Table:
        batch: Any = {name: column for name, column in piece.inputs.items() if name in self._metric.inputs}
        if all(isinstance(column, ARROW) for column in batch.values()):
            batch = pa.table(batch)
        try:
            return self._as_table(batch)
        except ValueError as error:
            index = re.search(r"\[(\d+)\]", str(error))  # of the row in this piece
            place = f", row {piece.numbers[int(index[1])] + 1:,}" if index and int(index[1]) < len(piece) else ""
            raise InputError(f"{self.path}{place}: {error}") from None

    def _as_table(self, batch: Any) -> pa.Table:
        scored = self._metric.score_batch(batch)
        columns = columns_of(scored) if isinstance(scored, pa.Table) else scored
        types = {f"{self._metric.name}_{name}": column.arrow_types[-1] for name, column in COMMON_INPUTS.items()}
        types |= {column.name: column.type for column in self._metric.schema()}
        return pa.table({name: as_arrow(column, types.get(name)) for name, column in columns.items()})


def _of(number: int, total: int) -> str:
    return f"{number:,} of {total:,}"
