"""The rows of a file with their scores, piece by piece: read, joined with the references of another file, written."""

import contextlib
import itertools
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pyarrow as pa
import pyarrow.parquet as pq
import tqdm

from answer_metrics import inputs, readers
from answer_metrics.readers import InputError

_NOTE = b"answer_metrics"
"""The key in a Parquet file's metadata under which `-o` notes how its rows were scored."""


class Request(NamedTuple):
    """What the command line says of a file."""

    path: str
    format: str | None = None
    columns: Mapping[str, str] = {}
    references: str | None = None
    """The file that has the references."""
    references_format: str | None = None
    is_optional: bool = False
    """Whether `references` is read only if the file itself has none."""
    keep: Sequence[str] = ()
    """Fields of the file, or inputs, that the tables have as well."""
    show: bool = False
    """Whether the tables have the inputs and ids as well, as far as there are any."""
    quiet: bool = False


def note_of(path: str) -> dict[str, Any]:
    """Return how the rows of a file were scored: metric, options, version and columns; empty if they were not."""
    if Path(path).is_file():
        with contextlib.suppress(OSError, ValueError), Path(path).open("rb") as file:  # the reader reports it
            if file.read(4) == b"PAR1":
                found = (pq.read_metadata(path).metadata or {}).get(_NOTE)
                return dict(json.loads(found)) if found else {}
    return {}


def note_for(metric: Any, options: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return what `note_of` finds in a file that was scored this way."""
    plain = {name: value for name, value in options.items() if not callable(value) and name not in metric.secrets}
    return {"metric": metric.label, "options": plain, "version": metric.version, "columns": dict(columns)}


class Scored:
    """The rows of a file with their scores: iterating yields Arrow tables, and scores each row once."""

    def __init__(self, metric: Any, options: Mapping[str, Any], request: Request, output: str | None = None) -> None:
        self.metric, self.options, self.request = metric, options, request
        self.columns: dict[str, str] = {}
        """The field of each input, known after the first piece."""
        self.count = 0
        self._output = output
        self._joined: inputs.Joined | None = None

    def __iter__(self) -> Iterator[pa.Table]:
        rows = readers.open_rows(self.request.path, self.request.format)
        writer = Writer(self._output) if self._output else None
        hidden = self.request.quiet or not sys.stderr.isatty()
        bar = tqdm.tqdm(total=rows.total, unit=" rows", unit_scale=True, disable=hidden, leave=False, file=sys.stderr)
        with bar, writer or contextlib.nullcontext():
            for piece in rows.pieces:
                if not self.count:
                    self._prepare(rows, piece)
                table, given = self._score(rows, piece)
                if writer:
                    note = note_for(self.metric, self.options, self.columns)
                    writer.write(
                        {
                            **{name: one for name, one in piece.items() if name not in table.column_names},
                            **dict(zip(table.column_names, table.columns, strict=True)),
                        },
                        note,
                    )
                self.count += table.num_rows
                bar.update(table.num_rows)
                yield self._with_kept(table, given, piece)
            if self._joined:
                self._joined.check_end(self.count)
        self._remark(rows.notes)

    def _remark(self, notes: Iterable[str]) -> None:
        for note in () if self.request.quiet else notes:
            print(f"{self.request.path}: {note}", file=sys.stderr)

    def _prepare(self, rows: readers.Rows, piece: readers.Columns) -> None:
        """Decide which field is which input, and read the other file if there is one."""
        request, metric = self.request, self.metric
        decided = {"predictions": "text"} if rows.format == "text" else rows.columns
        stored = note_of(request.path).get("columns", {})
        self.columns = inputs.name_columns(metric, piece, {**stored, **_own(request, piece)}, decided)
        if request.references and not (request.is_optional and "references" in self.columns):
            self._joined = inputs.Joined(metric, request.references, request.references_format, request.columns)
        missing = [name for name in metric.required_inputs() if name not in self.columns]
        if missing and self._joined is None:
            raise InputError(
                f"{request.path}: no field is known to be the {' or the '.join(missing)}; say which one is: --columns "
                f"{missing[0]}={next(iter(piece), '…')} (there are {', '.join(piece)})"
                + ("; or name a file that has them: --references FILE" if missing == ["references"] else "")
            )
        shown = ", ".join(f"{name} = {field}" for name, field in self.columns.items() if name != field)
        self._remark([f"{rows.format}; {shown}"] if shown else [])

    def _score(self, rows: readers.Rows, piece: readers.Columns) -> tuple[pa.Table, dict[str, Any]]:
        is_cells = rows.format in {"csv", "tsv"}
        given = {}
        for name, field in self.columns.items():
            if field in piece:
                column = piece[field]
                if isinstance(piece, readers.Lines) and "double" in str(column.type):
                    column = piece.exact(field)
                given[name] = inputs.to_values(self.metric, name, column, is_cells=is_cells)
        if self._joined:
            given |= self._joined.add(given, self.count)
        return self._stored(piece) or self._computed(given), given

    def _stored(self, piece: readers.Columns) -> pa.Table | None:
        """Return the scores that the file has, if they were made in the same way."""
        note = note_of(self.request.path)
        same = {**note, "columns": {}} == note_for(self.metric, self.options, {})
        prefix = f"{self.metric.label}_"
        return pa.table({name: one for name, one in piece.items() if name.startswith(prefix)}) if same else None

    def _computed(self, given: Mapping[str, Any]) -> pa.Table:
        taken = {name: column for name, column in given.items() if name in self.metric.inputs}
        if "predictions" not in taken:
            raise InputError(f"{self.request.path}: no field is known to be the predictions in row {self.count + 1:,}")
        if all(isinstance(column, (pa.Array, pa.ChunkedArray)) for column in taken.values()):
            taken = pa.table(taken)
        try:
            scored = self.metric.score_batch(taken)
        except ValueError as error:
            raise InputError(f"{self.request.path}{self._place(error)}: {error}") from None
        return scored if isinstance(scored, pa.Table) else pa.table(dict(scored))

    def _place(self, error: ValueError) -> str:
        """Return the number of the row that an error about a piece names."""
        found = re.search(r"\[(\d+)\]", str(error))
        return f", row {self.count + int(found[1]) + 1:,}" if found else ""

    def _with_kept(self, table: pa.Table, given: Mapping[str, Any], piece: readers.Columns) -> pa.Table:
        present = {**piece, **given}
        shown = [name for name in readers.KNOWN if name in given] if self.request.show else []
        for name in dict.fromkeys([*self.request.keep, *shown]):
            if name not in present:
                raise InputError(f"{self.request.path}: there is no field {name!r}{inputs.hint(name, present)}")
            if name not in table.column_names:
                table = table.append_column(name, [as_arrow(present[name])])
        return table


def _own(request: Request, piece: readers.Columns) -> dict[str, str]:
    """Leave out fields that only the file of references has."""
    if request.references is None:
        return dict(request.columns)
    return {name: field for name, field in request.columns.items() if field in piece or name == "predictions"}


def as_arrow(column: Any) -> Any:
    """Return a column as an Arrow array; values of several types become JSON text."""
    if isinstance(column, pa.ChunkedArray):
        return column.combine_chunks()
    if isinstance(column, pa.Array):
        return column
    try:
        array = pa.array(column)
    except (pa.ArrowException, TypeError, OverflowError):
        array = pa.array([one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in column])
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


# ---- writing


class Writer:
    """Writes a Parquet file beside its place, and puts it there when it is complete; otherwise nothing is left."""

    def __init__(self, path: str) -> None:
        if not path.endswith(".parquet"):
            raise InputError(f"-o writes Parquet: name the file {Path(path).stem}.parquet")
        self._path = Path(path)
        self._partial = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        self._writer: Any = None
        self._schema = pa.schema([])

    def __enter__(self) -> Self:
        return self

    def write(self, columns: Mapping[str, Any], note: Mapping[str, Any]) -> None:
        """Add rows, with the fields and types of the first ones; `note` is what `note_of` shall find."""
        arrays = {name: as_arrow(column) for name, column in columns.items()}
        if self._writer is None:
            self._schema = pa.table(arrays).schema.with_metadata({_NOTE: json.dumps(note)})
            self._writer = pq.ParquetWriter(self._partial, self._schema)
        size = len(next(iter(arrays.values())))
        self._writer.write_table(
            pa.table([self._cast(arrays.get(one.name), one, size) for one in self._schema], self._schema)
        )

    def _cast(self, array: Any, field: pa.Field, size: int) -> Any:
        if array is None:
            return pa.nulls(size, field.type)
        try:
            return array.cast(field.type)
        except pa.ArrowException:
            if not pa.types.is_string(field.type):
                kinds = f"{array.type} and before {field.type}"
                raise InputError(f"{self._path}: field {field.name!r} is {kinds}; remove it from the file") from None
            return pa.array([json.dumps(one, ensure_ascii=False) for one in array.to_pylist()])

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
            if kind is None and self._writer is not None:
                self._partial.replace(self._path)
        finally:
            self._partial.unlink(missing_ok=True)


@contextlib.contextmanager
def written(path: str, **options: Any) -> Iterator[Any]:
    """Open a text file that appears under its name when it is complete."""
    partial = Path(path).with_name(f".{Path(path).name}.{os.getpid()}")
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", **{"encoding": "utf-8", **options}) as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


# ---- labels of people


def read_labels(path: str, on: str | None) -> dict[Any, float]:
    """Read labels by the number of the row, counted from 0 as `label` writes it, or by the field of ids `on`.

    Raises:
        InputError: For a field that is missing, or a label that is none.
    """
    rows = readers.open_rows(path)
    labels: dict[Any, float] = {}
    for number, row in enumerate(itertools.chain.from_iterable(map(inputs.rows_of, rows.pieces)), 1):
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
