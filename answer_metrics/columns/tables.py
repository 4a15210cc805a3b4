"""Tables and columns in any container that users pass, and rows matched by id.

Neither evaluate nor `datasets` is imported.
"""

import contextlib
import gc
import math
import numbers
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

LONG = 800
"""Up to this length, working on Python strings is faster than converting them to Arrow; the batches of `Dataset.map`
are longer."""
_ROWS_PER_READ = 100_000
_UNREAD = {"LazyFrame": "collect", "DuckDBPyRelation": "to_arrow_table", "FileSystemDataset": "to_table"}
"""Lazy tables of polars, DuckDB and pyarrow, and the method that reads them."""
_DISTRIBUTED = {
    "pyspark": "score a Spark DataFrame with mapInArrow, and aggregate scored.toArrow()",
    "dask": "score a Dask DataFrame with map_partitions, and aggregate scored.compute()",
}
_MAX_LISTED = 5


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, for work that creates many objects and no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def to_list(name: str, column: Any) -> list[Any]:
    """Convert a column in any container to a list; a `ValueError` for anything else, and for text that is not UTF-8."""
    if type(column) is list:
        return column
    arrow = to_arrow(column)
    if arrow is not None:
        try:
            return _arrow_to_list(arrow)
        except UnicodeDecodeError:
            place = _first_invalid(arrow)
            raise ValueError(f"{name}{place} is not valid UTF-8; decode its source with errors='replace'") from None
    if column is None:
        raise ValueError(f"{name} is missing")
    kind, expected = type(column).__name__, "expected a list with one entry per example"
    if isinstance(column, (str, bytes)):
        raise ValueError(f"{name} is a bare {kind}; {expected} (map a dataset with batched=True)")
    if isinstance(column, (Mapping, set, frozenset)) or hasattr(column, "columns"):
        raise ValueError(f"{name} is a {kind}; {expected}")  # iterating would yield names
    values = _convert(column)
    if not isinstance(values, list):
        raise ValueError(f"{name} is {reprlib.repr(column)} ({kind}); {expected}")
    return values


def _convert(column: Any) -> Any:
    """Convert a column that is not backed by Arrow to a list if possible."""
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, method):
            return getattr(column, method)()
    if isinstance(column, Sequence):
        # A column of `datasets` is read in one piece by [:], otherwise row by row; a deque does not support [:].
        with contextlib.suppress(TypeError):
            return list(column[:])
    return list(column) if isinstance(column, Iterable) else column


def _arrow_to_list(column: Any) -> list[Any]:
    if isinstance(column, pa.ChunkedArray):
        return [value for chunk in column.chunks for value in _arrow_to_list(chunk)]
    if pa.types.is_dictionary(column.type) and not column.null_count:  # many times as fast as `to_pylist`
        values = np.array(column.dictionary.to_pylist(), dtype=object)
        return list(values[np.asarray(column.indices)])
    return list(column.to_pylist())


def _first_invalid(column: Any) -> str:
    """Return the place of the first string that is not UTF-8, as in "[3]" or "[3][0]"; "" if there is none."""
    for index, value in enumerate(column):
        try:
            value.as_py()
        except UnicodeDecodeError:
            return f"[{index}]{_first_invalid(value.values) if isinstance(value, pa.ListScalar) else ''}"
    return ""


def plain_values(name: str, column: Any) -> list[Any]:
    """Convert a column to a list of Python values, including numpy scalars in it."""
    values = to_list(name, column)
    if not any(issubclass(kind, np.generic) for kind in set(map(type, values))):
        return values
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def to_arrow(column: Any) -> Any:
    """Return a column as an Arrow array if it is backed by Arrow, or if it is a long list of strings; else None."""
    array: Any = None
    dtype = getattr(column, "dtype", None)
    if is_arrow(column):
        array = column
    elif type(column) is list:
        array = _list_to_arrow(column) if len(column) > LONG else None
    elif type(column).__module__ == "datasets.arrow_dataset" and hasattr(column, "column_name"):
        source = column.source
        if type(source) is not type(column) and source.format["type"] != "custom":
            # neither a field of a struct column, nor the output of a user's function
            array = source.with_format("arrow").select_columns([column.column_name])[:][column.column_name]
    elif type(column).__module__.startswith("pandas"):
        backed = type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", None) == "pyarrow"
        array = pa.array(column.array) if backed else None
    elif dtype is not None and hasattr(column, "__arrow_c_stream__"):  # polars
        array = pa.chunked_array(column)
    kind = getattr(array, "type", None)
    if kind == pa.string_view():  # polars; checking and comparing views takes longer
        return array.cast(pa.large_string())
    if isinstance(kind, pa.DictionaryType) and kind.value_type in (pa.string(), pa.string_view()):
        # Arrow decodes neither dictionaries of views, as polars has, nor those of more than 2 GiB.
        return array.cast(pa.dictionary(kind.index_type, pa.large_string()))
    return array


def is_arrow(column: Any) -> bool:
    """Return whether a column is an Arrow array."""
    return isinstance(column, (pa.Array, pa.ChunkedArray))


def _list_to_arrow(column: list[Any]) -> Any:
    """Convert a list of strings, or of lists of strings, to Arrow, or return None."""
    # Arrow must infer the type: given the type string, it would also accept bytes.
    try:
        if not isinstance(column[0], list):
            return pa.array(column) if isinstance(column[0], str) else None
        if not all_are(list, column):
            return None  # Arrow would also accept sets
        offsets = np.concatenate(([0], np.cumsum(np.fromiter(map(len, column), np.int64, len(column)))))
        return pa.LargeListArray.from_arrays(offsets, pa.array(list(chain.from_iterable(column))))
    except (TypeError, ValueError, OverflowError):
        return None  # `check` reports the error with its index


def column_names(batch: Any) -> list[str]:
    """List the columns of a mapping, a `Dataset`, a data frame or an Arrow table."""
    names = getattr(batch, "column_names", None)
    if names is None:
        names = batch.keys() if hasattr(batch, "keys") else getattr(batch, "columns", [])
    return list(map(str, names))


def get_column(batch: Any, name: str, hint: str) -> Any:
    """Return a column of a batch, or raise a `ValueError` that lists the columns and gives the hint."""
    names = column_names(batch)
    if name not in names:
        raise ValueError(f"the batch has no column {name!r}; it has {', '.join(names) or 'none'}. {hint}")
    if names.count(name) > 1:
        raise ValueError(f"the batch has {names.count(name)} columns named {name!r}; rename all but one")
    return batch[name]


def keep_columns(batch: Any, names: Any) -> dict[str, Any]:
    """Return the columns of a batch that `score_batch` passes on; `names` must be a list of distinct names."""
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        example = f"[{names!r}]" if isinstance(names, str) else '["id"]'
        raise ValueError(f"keep must be a list of names of columns, as in keep={example}, got {names!r}")
    if len(set(names)) < len(names):
        raise ValueError(f"keep names a column twice: {', '.join(names)}")
    return {name: get_column(batch, name, "keep= names columns to pass on") for name in names}


def check_order(columns: Any, argument: str, advice: str = "; give the name of a column") -> None:
    """Raise a `ValueError` for a table that does not keep the order of its rows: Ray Data's, unless configured to."""
    if type(columns).__module__.startswith("ray."):
        context = getattr(columns, "context", None)
        if context is None or not context.execution_options.preserve_order:
            reason = "the rows of a Ray Dataset come in any order, so they cannot be matched by position"
            raise ValueError(f"{argument}: {reason}{advice}")


def check_lengths(columns: Mapping[str, Any]) -> None:
    """Raise a `ValueError` for columns of different lengths."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise ValueError(f"got {counted}; all columns must have the same length")


def shards(columns: Any) -> Iterator[Any]:
    """Yield the shards of scored columns: a table is one shard, a list of rows is one shard, any other list is many."""
    is_dataset = type(columns).__module__.startswith("datasets.") and hasattr(columns, "with_format")
    is_list = isinstance(columns, (list, tuple))
    if is_list and columns and isinstance(columns[0], Mapping):  # a row has a single value, which no column is
        scalars = (str, numbers.Number, np.generic, type(None))
        is_list = not any(isinstance(value, scalars) for value in columns[0].values())
    if is_dataset and hasattr(columns, "__len__") and columns.format["type"] == "custom":
        yield from columns.iter(_ROWS_PER_READ)  # the output of a user's function
    elif is_dataset and (not hasattr(columns, "__len__") or len(columns)):
        # Piece by piece and without loss: the numpy and torch formats round to 32 bits. Of a stream, `datasets` makes
        # Arrow row by row, and fails if some rows have empty lists.
        yield from columns.with_format("arrow" if hasattr(columns, "__len__") else None).iter(_ROWS_PER_READ)
    elif type(columns).__module__.startswith("ray.") and hasattr(columns, "iter_batches"):
        yield from columns.iter_batches(batch_format="pyarrow", batch_size=_ROWS_PER_READ)
    elif is_list or (hasattr(columns, "__iter__") and not hasattr(columns, "__getitem__")):
        yield from columns
    else:
        yield columns


def as_batch(data: Any) -> Any:
    """Return a lazy table or a list of rows as a batch that can be read twice; a `ValueError` for a path or cluster."""
    if isinstance(data, (str, PathLike)):
        raise ValueError(f"got the path {str(data)!r}; pass pyarrow.dataset.dataset({str(data)!r}).to_batches()")
    if advice := _DISTRIBUTED.get(type(data).__module__.partition(".")[0]):
        raise ValueError(f"{advice}, or its Parquet files (docs/at-scale.md)")
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    if type(data).__name__ in _UNREAD:
        return getattr(data, _UNREAD[type(data).__name__])()
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        for index, row in enumerate(data):
            if missing := [name for name in data[0] if name not in row]:
                raise ValueError(f"row {index} has no {missing[0]!r}, but row 0 has")
        return {name: [row[name] for row in data] for name in data[0]}
    if isinstance(data, dict):
        return {name: list(column) if isinstance(column, Iterator) else column for name, column in data.items()}
    return data


def align(
    ids: Mapping[str, Any], on: str | None, *, missing: str = "error"
) -> tuple[Sequence[Any], dict[str, np.ndarray[Any, Any]]]:
    """Return the ids of all examples, in the order of the first table, and the row index of each in each table.

    `on` is the name of the ids; if it is None, rows are matched by position. Raises a `ValueError` for ids that are
    missing, repeated or of different types, for different numbers of rows, and for ids that only some tables have: with
    `missing="wrong"` these have the index -1, with "ignore" they are left out.
    """
    first = next(iter(ids))
    if on is None:
        if len(set(map(len, ids.values()))) > 1:
            sizes = ", ".join(f"{name} {len(rows)}" for name, rows in ids.items())
            raise ValueError(
                f"the systems have different numbers of rows ({sizes}); give the same examples in the same order, or "
                "on= with the name of a column of ids"
            )
        return ids[first], {name: np.arange(len(rows)) for name, rows in ids.items()}
    check_ids(ids, on)
    for name, values in ids.items():
        if repeated := [example for example, number in Counter(values).items() if number > 1]:
            raise ValueError(
                f"{len(repeated)} of the {on} of {name} occur more than once: {some(repeated)}; for several samples of "
                "one question, compare the means of questions with repeats=True, or give each sample an id and the "
                "question as clusters="
            )
    rows = {name: {example: index for index, example in enumerate(values)} for name, values in ids.items()}
    for name in rows if missing == "error" else ():
        problems = [
            f"{len(unmatched)} of the {on} of {side} are not in {other}: {some(unmatched)}"
            for side, other in ((first, name), (name, first))
            if (unmatched := [example for example in rows[side] if example not in rows[other]])
        ]
        if problems:
            hint = '; missing="wrong" gives a system the worst score for rows that it lacks, "ignore" leaves them out'
            raise ValueError("; ".join(problems) + hint)
    examples = list(dict.fromkeys(chain.from_iterable(rows.values())))
    if missing == "ignore" and examples:
        examples = [example for example in examples if all(example in indices for indices in rows.values())]
        if not examples:
            raise ValueError(f"no {on} is in all systems")
    orders = {name: [by_id.get(example, -1) for example in examples] for name, by_id in rows.items()}
    return examples, {name: np.array(order, np.int64) for name, order in orders.items()}


def check_ids(ids: Mapping[str, Iterable[Any]], on: str) -> None:
    """Raise a `ValueError` for rows without an id, and for ids of different types, which are never equal."""
    for name, values in ids.items():
        try:
            distinct = set(values)
        except TypeError:
            raise ValueError(f"{on} of {name} contains values that cannot be ids, such as lists") from None
        if any(map(is_missing, distinct)):
            raise ValueError(f"{rows_have(sum(map(is_missing, values)), name)} no {on}")
    types = {name: sorted({type(value).__name__ for value in values}) for name, values in ids.items()}
    if len({kind == "str" for kinds in types.values() for kind in kinds}) > 1:
        listed = ", ".join(f"{' and '.join(kinds)} in {name}" for name, kinds in types.items() if kinds)
        raise ValueError(f"{on} has values of different types: {listed}; convert them to one type")


def rows_have(number: int, table: str) -> str:
    """Return the start of a message about some rows of a table."""
    return f"1 row of {table} has" if number == 1 else f"{number} rows of {table} have"


def some(values: list[Any]) -> str:
    """List the first values for a message."""
    listed = ", ".join(map(reprlib.repr, values[:_MAX_LISTED]))
    return listed + (", ..." if len(values) > _MAX_LISTED else "")


def value_counts(column: Any, read: Callable[[Any], list[Any]] | None = None) -> "Counter[Any]":
    """Count the values of a column, which `read` checks: of Arrow, the distinct ones. A `Counter` stays as it is."""
    if isinstance(column, Counter):
        return column
    read = read or partial(to_list, "column")
    array = pa.array(column) if isinstance(column, np.ndarray) else to_arrow(column)
    if array is None:
        return Counter(read(column))
    counted = pc.value_counts(array.unify_dictionaries() if isinstance(array, pa.ChunkedArray) else array)
    try:
        values = read(counted.field("values"))
    except ValueError:
        read(column)  # names the index in the column
        raise
    counts: Counter[Any] = Counter()
    for value, number in zip(values, counted.field("counts").to_pylist(), strict=True):
        counts[value] += number
    return counts


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, or pandas' NA or NaT, which cannot be compared."""
    is_nan = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}


def all_are(kind: type, values: list[Any]) -> bool:
    """Return whether all values have exactly this type; `list.count` is faster than a set or a loop."""
    return list(map(type, values)).count(kind) == len(values)


def string_buffers(strings: Any) -> tuple[Any, memoryview]:
    """Return the offsets of an Arrow array of `string` or `large_string`, one more than strings, and their bytes."""
    _, offsets, data = strings.buffers()
    kind = np.int64 if pa.types.is_large_string(strings.type) else np.int32
    ends = np.frombuffer(offsets or bytes(8), kind)[strings.offset : strings.offset + len(strings) + 1]
    return ends, memoryview(data or b"")


def decoded(array: Any) -> Any:
    """Convert an Arrow array of strings of any type to plain strings, for functions that take only those."""
    is_plain = pa.types.is_string(array.type) or pa.types.is_large_string(array.type)
    return array if is_plain else array.cast(pa.large_string())
