# Vendored: edit metrics/_shared/_tabular.py and run `make vendor`.
"""Read columns of any carrier: lists, numpy, pandas, polars, Arrow, `datasets`."""

import contextlib
import reprlib
from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_ROWS_PER_READ = 100_000


def plain_list(name: str, column: Any) -> list[Any]:
    """Turn a column of any kind into a list of Python values.

    Takes lists, tuples, iterators, numpy arrays, pandas and polars Series, Arrow arrays, columns of `datasets`.

    Raises:
        ValueError: For None, a bare string, a mapping, a data frame or a set.
    """
    if type(column) is list:
        return column
    if column is None:
        raise ValueError(f"{name} is missing")
    if isinstance(column, (str, bytes)):
        raise ValueError(
            f"{name} is a bare {type(column).__name__}; expected a list with one entry per example (map a dataset with "
            "batched=True)"
        )
    if isinstance(column, (Mapping, set, frozenset)) or hasattr(column, "columns"):  # a data frame iterates its names
        raise ValueError(f"{name} is a {type(column).__name__}; expected a list with one entry per example")
    for convert in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, convert):
            values = getattr(column, convert)()
            break
    else:
        values = column
        if isinstance(column, Sequence):
            # A column of `datasets` reads itself at once by [:], and row by row otherwise; a deque has no [:].
            with contextlib.suppress(TypeError):
                values = column[:]
        values = list(values) if isinstance(values, Iterable) else values
    if not isinstance(values, list):
        raise ValueError(
            f"{name} is {reprlib.repr(column)} ({type(column).__name__}); expected a list with one entry per example"
        )
    return values


def plain_values(name: str, column: Any) -> list[Any]:
    """Turn a column into a list of Python values, numpy's scalars included."""
    return [value.item() if isinstance(value, np.generic) else value for value in plain_list(name, column)]


def has_column(batch: Any, name: str) -> bool:
    """Say whether a batch has a column of this name."""
    names = column_names(batch)
    return name in names


def column_names(batch: Any) -> list[str]:
    """List the columns of a mapping, a `Dataset`, a data frame or an Arrow table."""
    names = getattr(batch, "column_names", None)
    return list(map(str, names if names is not None else getattr(batch, "keys", list)()))


def get_column(batch: Any, name: str, hint: str) -> Any:
    """Return a column of a batch.

    Raises:
        ValueError: If there is none of this name; says which there are, and the hint.
    """
    try:
        return batch[name]
    except (KeyError, IndexError, TypeError, ValueError):
        shown = ", ".join(column_names(batch)) or "none"
        raise ValueError(f"the batch has no column {name!r}; it has {shown}. {hint}") from None


def iterate_shards(columns: Any) -> Iterable[Any]:
    """Yield the shards of scored columns; a single one comes as itself."""
    if isinstance(columns, datasets.Dataset):
        # As Arrow it is read piece by piece, and exactly: the formats of numpy and torch round to 32 bits.
        return columns.with_format("arrow").iter(_ROWS_PER_READ) if len(columns) else [columns]
    many = isinstance(columns, (list, tuple)) or (hasattr(columns, "__iter__") and not hasattr(columns, "__getitem__"))
    return columns if many else [columns]


def is_arrow(column: Any) -> bool:
    """Say whether a column is an Arrow array."""
    return isinstance(column, (pa.Array, pa.ChunkedArray))


def value_counts(column: Any) -> "Counter[Any]":
    """Count how often each value occurs in a column: a list, an Arrow array, or one that is counted already."""
    if is_arrow(column):
        return Counter({pair["values"]: pair["counts"] for pair in pc.value_counts(column).to_pylist()})
    return column if isinstance(column, Counter) else Counter(column)
