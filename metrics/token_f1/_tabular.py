# Vendored: edit metrics/_shared/_tabular.py and run `make vendor`.
"""Reading of columns from lists, numpy, pandas, polars, Arrow and `datasets`."""

import contextlib
import numbers
import reprlib
from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import chain
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_ROWS_PER_READ = 100_000
LONG_LIST = 1_000
"""Up to this length, working on Python strings is faster than converting them to Arrow."""


def plain_list(name: str, column: Any) -> list[Any]:
    """Convert a column in any supported container to a list of Python values.

    Accepts lists, tuples, iterators, numpy arrays, pandas and polars Series, Arrow arrays, columns of `datasets`.

    Raises:
        ValueError: For None, a bare string, a mapping, a data frame or a set, and for a string that is not UTF-8.
    """
    if type(column) is list:
        return column
    arrow = arrow_column(column)
    if arrow is not None:
        return _decoded_list(name, arrow)
    if column is None:
        raise ValueError(f"{name} is missing")
    if isinstance(column, (str, bytes)):
        raise ValueError(
            f"{name} is a bare {type(column).__name__}; expected a list with one entry per example (map a dataset with "
            "batched=True)"
        )
    if isinstance(column, (Mapping, set, frozenset)) or hasattr(
        column, "columns"
    ):  # iterating a data frame yields its column names
        raise ValueError(f"{name} is a {type(column).__name__}; expected a list with one entry per example")
    for convert in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, convert):
            values = getattr(column, convert)()
            break
    else:
        values = column
        if isinstance(column, Sequence):
            # A column of `datasets` is read in one piece by [:], otherwise row by row; a deque does not support [:].
            with contextlib.suppress(TypeError):
                values = column[:]
        values = list(values) if isinstance(values, Iterable) else values
    if not isinstance(values, list):
        raise ValueError(
            f"{name} is {reprlib.repr(column)} ({type(column).__name__}); expected a list with one entry per example"
        )
    return values


def _decoded_list(name: str, column: Any) -> list[Any]:
    """Convert an Arrow array to a list, or raise a `ValueError` for a string that is not UTF-8."""
    try:
        return _arrow_list(column)
    except UnicodeDecodeError:
        place = _first_invalid(column)
        raise ValueError(f"{name}{place} is not valid UTF-8; decode its source with errors='replace'") from None


def _arrow_list(column: Any) -> list[Any]:
    """Convert an Arrow array to a list; numbers and dictionaries several times faster than `to_pylist`."""
    if isinstance(column, pa.ChunkedArray):
        return [value for chunk in column.chunks for value in _arrow_list(chunk)]
    if column.null_count:
        return column.to_pylist()  # type: ignore[no-any-return]  # Arrow is untyped
    if pa.types.is_dictionary(column.type):
        values = np.array(column.dictionary.to_pylist(), dtype=object)
        return values.take(np.asarray(column.indices)).tolist()  # type: ignore[no-any-return]
    numeric = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    return column.to_numpy().tolist() if numeric else column.to_pylist()  # type: ignore[no-any-return]


def _first_invalid(column: Any) -> str:
    """Return the place of the first string that is not UTF-8, as in "[3]" or "[3][0]"; "" if there is none."""
    for index, value in enumerate(column):
        try:
            value.as_py()
        except UnicodeDecodeError:
            return f"[{index}]{_first_invalid(value.values) if isinstance(value, pa.ListScalar) else ''}"
    return ""


def plain_columns(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Convert columns to lists of Python values."""
    return {name: plain_list(name, column) for name, column in columns.items()}


def arrow_column(column: Any) -> Any:
    """Return a column as an Arrow array if it is backed by Arrow, or if it is a long list; else None.

    Arrow-backed columns are Arrow arrays, columns of `datasets`, polars Series and some pandas Series.
    """
    if is_arrow(column):
        return _decodable(column)
    if type(column) is list:
        return _array_of_list(column) if len(column) > LONG_LIST else None
    if isinstance(column, datasets.arrow_dataset.Column):
        return _dataset_column(column)
    dtype = getattr(column, "dtype", None)
    if type(column).__module__.startswith("pandas"):
        backed = type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", None) == "pyarrow"
        return _decodable(pa.array(column.array)) if backed else None
    if hasattr(column, "__arrow_c_stream__") and hasattr(column, "dtype"):
        return _decodable(pa.chunked_array(column))
    return None


def _decodable(column: Any) -> Any:
    """Convert a dictionary of strings to large strings: Arrow decodes neither views, as polars has, nor over 2 GiB."""
    kind = column.type
    if pa.types.is_dictionary(kind) and kind.value_type in (pa.string(), pa.string_view()):
        return column.cast(pa.dictionary(kind.index_type, pa.large_string()))
    return column


def _array_of_list(column: list[Any]) -> Any:
    """Convert a list of strings or of lists to Arrow, or return None."""
    # Arrow must infer the type: given the type string, it would also accept bytes.
    try:
        if not isinstance(column[0], list):
            return pa.array(column) if isinstance(column[0], str) else None  # as lists, it would also accept sets
        if list(map(type, column)).count(list) < len(column):
            return None
        offsets = np.concatenate(([0], np.cumsum(np.fromiter(map(len, column), np.int64, len(column)))))
        return pa.LargeListArray.from_arrays(offsets, pa.array(list(chain.from_iterable(column))))
    except (TypeError, ValueError, OverflowError):  # `check` reports the error with its index
        return None


def _dataset_column(column: Any) -> Any:
    source = column.source
    if not isinstance(source, datasets.Dataset) or source.format["type"] == "custom":
        return None  # a field of a struct column, or the output of a user's function
    return source.with_format("arrow").select_columns([column.column_name])[:][column.column_name]


def plain_values(name: str, column: Any) -> list[Any]:
    """Convert a column to a list of Python values, including numpy scalars in it."""
    return [value.item() if isinstance(value, np.generic) else value for value in plain_list(name, column)]


def has_column(batch: Any, name: str) -> bool:
    """Return whether a batch has a column of this name."""
    return name in column_names(batch)


def column_names(batch: Any) -> list[str]:
    """List the columns of a mapping, a `Dataset`, a data frame or an Arrow table."""
    names = getattr(batch, "column_names", None)
    return list(map(str, names if names is not None else getattr(batch, "keys", list)()))


def get_column(batch: Any, name: str, hint: str) -> Any:
    """Return a column of a batch.

    Raises:
        ValueError: If there is no such column; lists the existing columns, and adds the hint.
    """
    try:
        return batch[name]
    except (KeyError, IndexError, TypeError, ValueError):
        shown = ", ".join(column_names(batch)) or "none"
        raise ValueError(f"the batch has no column {name!r}; it has {shown}. {hint}") from None


def iterate_shards(columns: Any) -> Iterable[Any]:
    """Yield the shards of scored columns, or the columns themselves if there is only one shard.

    A list of rows, such as the objects of a JSON Lines file, is one shard.

    Raises:
        ValueError: For rows with different fields.
    """
    if isinstance(columns, datasets.IterableDataset) or (isinstance(columns, datasets.Dataset) and len(columns)):
        # Arrow is read piece by piece and without loss: the numpy and torch formats round to 32 bits.
        shards: Iterable[Any] = columns.with_format("arrow").iter(_ROWS_PER_READ)
        return shards
    if isinstance(columns, (list, tuple)) and columns and _is_row(columns[0]):
        return [_transpose_rows(columns)]
    many = isinstance(columns, (list, tuple)) or (hasattr(columns, "__iter__") and not hasattr(columns, "__getitem__"))
    return columns if many else [columns]


def _is_row(item: Any) -> bool:
    """Return whether an item is a row: a mapping with a single value, which no column is."""
    return isinstance(item, Mapping) and any(
        value is None or isinstance(value, (str, numbers.Number, np.generic)) for value in item.values()
    )


def _transpose_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    names = list(rows[0])
    for index, row in enumerate(rows):
        missing = [name for name in names if name not in row]
        if missing:
            raise ValueError(f"row {index} has no {missing[0]!r}, but row 0 has")
    return {name: [row[name] for row in rows] for name in names}


def is_arrow(column: Any) -> bool:
    """Return whether a column is an Arrow array."""
    return isinstance(column, (pa.Array, pa.ChunkedArray))


def value_counts(column: Any) -> "Counter[Any]":
    """Count the values of a column: a list, an Arrow array, or a `Counter`, which is returned as it is."""
    if isinstance(column, pa.ChunkedArray):
        return sum(map(value_counts, column.chunks), Counter())
    if isinstance(column, pa.DictionaryArray) and not column.null_count:
        counted = np.bincount(np.asarray(column.indices), minlength=len(column.dictionary))
        counts: Counter[Any] = Counter()
        for value, count in zip(column.dictionary.to_pylist(), counted.tolist(), strict=True):
            counts[value] += count
        return +counts  # drops zero counts
    if isinstance(column, pa.Array):
        return Counter({pair["values"]: pair["counts"] for pair in pc.value_counts(column).to_pylist()})
    return column if isinstance(column, Counter) else Counter(column)
