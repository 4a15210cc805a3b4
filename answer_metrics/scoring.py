"""The rows of a file with their scores, piece by piece: read, joined with the references of another file, written."""

import contextlib
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tqdm

from answer_metrics import did_you_mean, inputs, readers
from answer_metrics.readers import InputError

_NOTE = b"answer_metrics"
"""The key in a Parquet file's metadata under which `-o` notes how its rows were scored."""


def note_of(path: str) -> dict[str, Any]:
    """Return how the rows of a file were scored: metric, options, version and columns; empty if they were not."""
    with contextlib.suppress(OSError, ValueError):  # the reader reports it
        if Path(path).is_file():
            found = (pq.read_metadata(path).metadata or {}).get(_NOTE)
            return dict(json.loads(found)) if found else {}
    return {}


def _note_for(metric: Any, options: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return what `note_of` finds in a file that was scored this way."""
    plain = {name: value for name, value in options.items() if not callable(value) and name not in metric.secrets}
    return {"metric": metric.label, "options": plain, "version": metric.version, "columns": dict(columns)}


@dataclass
class Scored:
    """The rows of a file with their scores: iterating yields Arrow tables, and scores each row once."""

    metric: Any
    options: Mapping[str, Any]
    path: str
    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    """The field of each input, as the user says; after the first piece, of all inputs."""
    references: str | None = None
    """The file that has the references."""
    is_optional: bool = False
    """Whether `references` is read only if the file itself has none."""
    keep: Sequence[str] = ()
    """Fields of the file, or inputs, that the tables have as well."""
    show: bool = False
    """Whether the tables have the inputs and ids as well, as far as there are any."""
    quiet: bool = False
    output: str | None = None
    """The Parquet file to write."""

    def __iter__(self) -> Iterator[pa.Table]:
        rows = readers.open_rows(self.path, self.format)
        note = note_of(self.path)
        is_scored = {**note, "columns": {}} == _note_for(self.metric, self.options, {})
        joined, count = None, 0
        hidden = self.quiet or not sys.stderr.isatty()
        bar = tqdm.tqdm(total=rows.total, unit=" rows", unit_scale=True, disable=hidden, leave=False, file=sys.stderr)
        with bar, _parquet(self.output) as write:
            for piece in rows.pieces:
                if not count:
                    joined = self._prepare(rows, piece, note.get("columns", {}))
                given = self._inputs(rows, piece)
                if joined:
                    given |= joined.add(given, count)
                stored = {name: one for name, one in piece.items() if name.startswith(f"{self.metric.label}_")}
                table = pa.table(stored) if is_scored else self._computed(given, count)
                scores = dict(zip(table.column_names, table.columns, strict=True))
                write({**piece, **scores}, _note_for(self.metric, self.options, self.columns))
                count += table.num_rows
                bar.update(table.num_rows)
                yield self._with_kept(table, {**piece, **given}, given)
            if joined:
                joined.check_end(count)
        self._remark(rows.notes)

    def _remark(self, notes: Iterable[str]) -> None:
        for note in () if self.quiet else notes:
            print(f"{self.path}: {note}", file=sys.stderr)

    def _prepare(self, rows: readers.Rows, piece: readers.Columns, stored: Mapping[str, str]) -> "inputs.Joined | None":
        """Decide which field is which input, and read the other file if there is one."""
        chosen, joined = self.columns, None
        own = dict(chosen)
        if self.references:  # which may have fields that this file has not
            own = {name: field for name, field in chosen.items() if field in piece or name == "predictions"}
        decided = {"predictions": "text"} if rows.format == "text" else rows.columns
        self.columns = inputs.name_columns(self.metric, piece, {**stored, **own}, decided)
        if self.references and not (self.is_optional and "references" in self.columns):
            joined = inputs.Joined(self.metric, self.references, chosen)
        missing = [name for name in self.metric.required_inputs() if name not in self.columns]
        if missing and not joined:
            raise InputError(
                f"{self.path}: no field is known to be the {' or the '.join(missing)}; say which one is: --columns "
                f"{missing[0]}={next(iter(piece), '…')} (there are {', '.join(piece)})"
                + ("; or name a file that has them: --references FILE" if missing == ["references"] else "")
            )
        shown = ", ".join(f"{name} = {field}" for name, field in self.columns.items() if name != field)
        self._remark([f"{rows.format}; {shown}"] if shown else [])
        return joined

    def _inputs(self, rows: readers.Rows, piece: readers.Columns) -> dict[str, Any]:
        given = {}
        for name, source in self.columns.items():
            if source in piece:
                column = piece[source]
                if isinstance(piece, readers.Lines) and "double" in str(column.type):
                    column = piece.exact(source)
                given[name] = inputs.to_values(self.metric, name, column, is_cells=rows.format in {"csv", "tsv"})
        return given

    def _computed(self, given: Mapping[str, Any], start: int) -> pa.Table:
        taken = {name: column for name, column in given.items() if name in self.metric.inputs}
        if "predictions" not in taken:
            raise InputError(f"{self.path}: no field is known to be the predictions in row {start + 1:,}")
        if all(isinstance(column, (pa.Array, pa.ChunkedArray)) for column in taken.values()):
            taken = pa.table(taken)
        try:
            scored = self.metric.score_batch(taken)
        except ValueError as error:
            found = re.search(r"\[(\d+)\]", str(error))  # the number of the row in this piece
            place = f", row {start + int(found[1]) + 1:,}" if found else ""
            raise InputError(f"{self.path}{place}: {error}") from None
        return scored if isinstance(scored, pa.Table) else pa.table(dict(scored))

    def _with_kept(self, table: pa.Table, present: readers.Columns, given: readers.Columns) -> pa.Table:
        shown = [name for name in readers.KNOWN if name in given] if self.show else []
        for name in dict.fromkeys([*self.keep, *shown]):
            if name not in present:
                raise InputError(f"{self.path}: there is no field {name!r}{did_you_mean(name, present)}")
            if name not in table.column_names:
                table = table.append_column(name, [as_arrow(present[name])])
        return table


def as_arrow(column: Any) -> Any:
    """Return a column as an Arrow array; values of several types become JSON text."""
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
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
def _parquet(path: str | None) -> Iterator[Callable[[Mapping[str, Any], Mapping[str, Any]], None]]:
    """Yield a function that adds columns of rows, with the fields and types of the first ones, and a note."""
    if path is None:
        yield lambda *_: None
        return
    if not path.endswith(".parquet"):
        raise InputError(f"-o writes Parquet: name the file {Path(path).stem}.parquet")
    with replacing(path) as partial, contextlib.ExitStack() as opened:
        schema = writer = None

        def write(columns: Mapping[str, Any], note: Mapping[str, Any]) -> None:
            nonlocal schema, writer
            arrays = {name: as_arrow(column) for name, column in columns.items()}
            if writer is None:
                schema = pa.table(arrays).schema.with_metadata({_NOTE: json.dumps(note)})
                writer = opened.enter_context(pq.ParquetWriter(partial, schema))
            size = len(next(iter(arrays.values())))
            cast = [_cast(arrays.get(one.name), one, size, path) for one in schema]
            writer.write_table(pa.table(cast, schema))

        yield write


def _cast(array: Any, field: pa.Field, size: int, path: str) -> Any:
    if array is None:
        return pa.nulls(size, field.type)
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
    pieces = readers.open_rows(path).pieces
    for number, row in enumerate(itertools.chain.from_iterable(map(inputs.rows_of, pieces)), 1):
        key, label = row.get(on or "row"), row.get("label")
        if "label" not in row or (on or "row") not in row:
            raise InputError(f"{path}: it needs the fields {on or 'row'!r} and 'label'; there are {', '.join(row)}")
        if label is None or not str(label).strip():
            continue
        labels[str(key) if on else int(key or 0)] = _label(str(label).strip().lower(), f"{path}, row {number:,}")
    if not labels:
        raise InputError(f"{path}: no row has a label")
    return labels


def _label(text: str, place: str) -> float:
    words = {"right": 1.0, "wrong": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
    with contextlib.suppress(ValueError):
        return words[text] if text in words else float(text)
    raise InputError(f"{place}: a label is a number from 0 (wrong) to 1 (right), not {text!r}")
