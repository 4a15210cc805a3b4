"""The rows of a file with their scores, piece by piece: read, joined with the references of another file, written."""

import argparse
import contextlib
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tqdm

import answer_metrics
from answer_metrics import did_you_mean
from answer_metrics.cli import inputs
from answer_metrics.cli.arguments import RESULT_OPTIONS, pairs, value_of
from answer_metrics.files import reading
from answer_metrics.files.rows import Columns, InputError, Rows, columns_of, rows_of

_NOTE = b"answer_metrics"
"""The key in a Parquet file's metadata under which `-o` notes how its rows were scored."""


def note_of(path: str) -> dict[str, Any]:
    """Return how the rows of a file were scored: metric, options, version and columns; empty if they were not."""
    with contextlib.suppress(OSError, ValueError):  # the reader reports it
        if Path(path).is_file():
            found = (pq.read_metadata(path).metadata or {}).get(_NOTE)
            return dict(json.loads(found)) if found else {}
    return {}


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the metric: as given, else those that a scored file was scored with."""
    flags = {name.removeprefix("option_"): value for name, value in vars(args).items() if name.startswith("option_")}
    given = flags | {name: value_of(text) for name, text in pairs(args.set, "--set").items()}
    cls = answer_metrics.metric_class(args.metric)
    if secret := next((name for name in given if name in cls.secrets), None):
        raise ValueError(
            f"{secret} is a secret, which other users of the machine could read: set it in the environment"
        )
    if "preset" in given and "preset" not in cls.options:
        raise ValueError(f"{args.metric} has no presets; its options are {', '.join(sorted(cls.options))}")
    note = note_of(args.files[0])
    return given or (note.get("options", {}) if note.get("metric") == args.metric else {})


class Job:
    """What a command line says: a metric with its options, and how to read files."""

    def __init__(self, args: argparse.Namespace) -> None:
        if args.format not in {None, *reading.FORMATS}:
            raise InputError(f"There is no format {args.format!r}{did_you_mean(args.format, reading.FORMATS)}")
        self.args = args
        self._options = _options(args)
        shown = {name: self._options.pop(name, value) for name, value in RESULT_OPTIONS.items()}
        self.metric = answer_metrics.load(args.metric, **self._options, **shown)
        self._columns = pairs(args.columns, "--columns")
        self._note = {"metric": args.metric, "options": self._options, "version": self.metric.version}

    def rows(self, path: str, *keep: str | None, show: bool = False, output: str | None = None) -> Iterator[pa.Table]:
        """Yield the scores of a file's rows, each scored once, with the fields or inputs in `keep`.

        With `show` there are the inputs and ids as well, if the file has them; `output` is the Parquet file to write.
        """
        rows = reading.open_rows(path, self.args.format)
        note = note_of(path)
        is_scored = self._note.items() <= note.items()
        count = 0
        quiet = self.args.quiet or None  # None: unless standard error is a terminal
        bar = tqdm.tqdm(total=rows.total, unit=" rows", unit_scale=True, disable=quiet, leave=False)
        with bar, _parquet(output) if output else contextlib.nullcontext() as write:
            for piece in rows.pieces:
                if not count:
                    columns, joined = self._prepare(path, rows, piece, note.get("columns", {}))
                given = inputs.given_in(piece, columns, self.metric, rows)
                if joined:
                    given |= joined.add(given, count)
                stored = {name: one for name, one in piece.items() if name.startswith(f"{self.metric.label}_")}
                scored = stored if is_scored else self._computed(path, given, count)
                if write:
                    write({**piece, **scored}, {**self._note, "columns": columns})
                kept = [*filter(None, keep), *(name for name in inputs.SHOWN if show and name in given)]
                table = pa.table({**_kept(path, {**piece, **given}, kept), **scored})
                count += table.num_rows
                bar.update(table.num_rows)
                yield table
            if count and joined:
                joined.check_end(count)
        self._remark(path, rows.notes)

    def _remark(self, path: str, notes: Iterable[str]) -> None:
        for note in () if self.args.quiet else notes:
            print(f"{path}: {note}", file=sys.stderr)

    def _prepare(
        self, path: str, rows: Rows, piece: Columns, stored: Mapping[str, str]
    ) -> "tuple[dict[str, str], inputs.Joined | None]":
        """Decide which field is which input, and read the other file, or the first one, if it has the references."""
        chosen, own, joined = self._columns, self._columns, None
        beside = self.args.references or (self.args.files[0] if path != self.args.files[0] else None)
        if beside:
            chosen = ({"ids": self.args.on} if self.args.on else {}) | self._columns
            own = {name: field for name, field in chosen.items() if field in piece or name == "predictions"}
        columns = inputs.name_columns(self.metric, rows.format, piece, {**stored, **own})
        if beside and (self.args.references or "references" not in columns):
            joined = inputs.Joined(self.metric, beside, chosen)
        required = ["predictions"] if joined else self.metric.required_inputs()
        if missing := [name for name in required if name not in columns]:
            raise InputError(
                f"{path}: no field is known to be the {' or the '.join(missing)}; say which one is: --columns "
                f"{missing[0]}={next(iter(piece), '…')} (there are {', '.join(piece)})"
                + ("; or name a file that has them: --references FILE" if missing == ["references"] else "")
            )
        shown = ", ".join(f"{name} = {field}" for name, field in columns.items() if name != field)
        self._remark(path, [f"{rows.format}; {shown}"] if shown else [])
        return columns, joined

    def _computed(self, path: str, given: Mapping[str, Any], start: int) -> Columns:
        taken = {name: column for name, column in given.items() if name in self.metric.inputs}
        if "predictions" not in taken:
            raise InputError(f"{path}: no field is known to be the predictions in row {start + 1:,}")
        if all(isinstance(column, inputs.ARROW) for column in taken.values()):
            taken = pa.table(taken)
        try:
            scored = self.metric.score_batch(taken)
        except ValueError as error:
            found = re.search(r"\[(\d+)\]", str(error))  # the number of the row in this piece
            place = f", row {start + int(found[1]) + 1:,}" if found else ""
            raise InputError(f"{path}{place}: {error}") from None
        return columns_of(scored) if isinstance(scored, pa.Table) else dict(scored)


def _kept(path: str, present: Columns, names: Iterable[str]) -> Columns:
    for name in names:
        if name not in present:
            raise InputError(f"{path}: there is no field {name!r}{did_you_mean(name, present)}")
    return {name: _as_arrow(present[name]) for name in names}


def _as_arrow(column: Any) -> Any:
    """Return a column as an Arrow array; values of several types become JSON text."""
    if isinstance(column, inputs.ARROW):
        return column
    try:
        array = pa.array(column)
    except (pa.ArrowException, TypeError, OverflowError):
        array = _as_json(column)
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


def _as_json(values: Iterable[Any]) -> pa.Array:
    return pa.array([one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values])


# ---- writing


@contextlib.contextmanager
def replacing(path: str) -> Iterator[Path]:
    """Yield a path to write to, which gets this name when all went well; otherwise nothing is left."""
    if Path(path).exists() and not Path(path).is_file():  # such as /dev/stdout
        yield Path(path)
        return
    partial = Path(path).with_name(f".{Path(path).name}.{os.getpid()}")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        if partial.exists():
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def _parquet(path: str) -> Iterator[Callable[[Columns, Mapping[str, Any]], None]]:
    """Yield a function that adds columns of rows, with the fields and types of the first ones, and a note."""
    if not path.endswith(".parquet"):
        raise InputError(f"-o writes Parquet: name the file {Path(path).stem}.parquet")
    with replacing(path) as partial, contextlib.ExitStack() as opened:
        writer = None

        def write(columns: Columns, note: Mapping[str, Any]) -> None:
            nonlocal writer
            arrays = {name: _as_arrow(column) for name, column in columns.items()}
            if writer is None:
                schema = pa.table(arrays).schema.with_metadata({_NOTE: json.dumps(note)})
                writer = opened.enter_context(pq.ParquetWriter(partial, schema))
            absent = pa.nulls(len(next(iter(arrays.values()))))
            cast = [_cast(arrays.get(one.name, absent), one, path) for one in writer.schema]
            writer.write_table(pa.table(cast, writer.schema))

        yield write


def _cast(array: Any, field: pa.Field, path: str) -> Any:
    try:
        return array.cast(field.type)
    except pa.ArrowException:
        if not pa.types.is_string(field.type):
            kinds = f"{array.type} and before {field.type}"
            raise InputError(f"{path}: field {field.name!r} is {kinds}; remove it from the file") from None
        return _as_json(array.to_pylist())


# ---- labels of people


def read_labels(path: str, on: str | None) -> dict[Any, float]:
    """Read labels by the number of the row, counted from 0 as `label` writes it, or by the field of ids `on`."""
    labels: dict[Any, float] = {}
    by = on or "row"
    pieces = reading.open_rows(path).pieces
    for number, row in enumerate(itertools.chain.from_iterable(map(rows_of, pieces)), 1):
        if not {by, "label"} <= row.keys():
            raise InputError(f"{path}: it needs the fields {by!r} and 'label'; there are {', '.join(row)}")
        label = "" if row["label"] is None else str(row["label"]).strip()
        if not label:
            continue
        if row[by] in (None, ""):
            raise InputError(f"{path}, row {number:,}: it has a label, but no {by}")
        key = str(row[by]) if on else int(row[by])
        try:
            labels[key] = float(label)
        except ValueError:
            reason = f"a label is a number from 0 (wrong) to 1 (right), not {label!r}"
            raise InputError(f"{path}, row {number:,}: {reason}") from None
    if not labels:
        raise InputError(f"{path}: no row has a label")
    return labels
