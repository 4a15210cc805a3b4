"""Containers of columns: what users pass in place of lists."""

from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


def dataset(values: list[Any], format_type: str | None = None) -> Any:
    return datasets.Dataset.from_dict({"x": values}).with_format(format_type)


def transformed(values: list[Any]) -> Any:
    """Return the rows of a dataset that holds something else: its transform looks them up."""
    stored = [str(index) for index in range(len(values))]
    return dataset(stored).with_transform(lambda batch: {"x": [values[int(index)] for index in batch["x"]]})


def numpy_objects(values: list[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


Containers = dict[str, Callable[[list[Any]], Any]]
ANY: Containers = {
    "tuple": tuple, "generator": iter, "numpy objects": numpy_objects, "pandas": pd.Series,
    "pandas without row 0": lambda values: pd.Series([values[0], *values])[1:],
    "pandas on Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.array(values).type)),
    "polars": pl.Series, "Arrow": pa.array,
    "Arrow chunks": lambda values: pa.chunked_array([pa.array(values[:2]), pa.array(values[2:])]),
    "Arrow slice": lambda values: pa.array([*values, *values]).slice(len(values)),
    "datasets": lambda values: dataset(values)["x"], "datasets as a list": lambda values: dataset(values)["x"][:],
    "datasets with Arrow's format": lambda values: dataset(values, "arrow")["x"],
    "datasets with a transform": lambda values: transformed(values)["x"],
    "fields of datasets": lambda values: dataset([{"x": value} for value in values])["x"]["x"],
    "iterable datasets": lambda values: dataset(values).to_iterable_dataset()["x"],
}  # fmt: skip
OF_STRINGS: Containers = {
    "dict keys": lambda values: dict.fromkeys(values).keys() if len(set(values)) == len(values) else values,
    "numpy strings": np.array,
    "numpy variable-width strings": lambda values: np.array(values, dtype=np.dtypes.StringDType()),
    "numpy scalars": lambda values: list(np.array(values)),
    "pandas strings": lambda values: pd.Series(values, dtype="string"),
    "pandas strings on Arrow": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "pandas categories": lambda values: pd.Series(values, dtype="category"),
    "polars categories": lambda values: pl.Series(values, dtype=pl.Categorical),
    "large strings": lambda values: pa.array(values, pa.large_string()),
    "string views": lambda values: pa.array(values, pa.string_view()),
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
}
OF_LISTS: Containers = {
    "tuples": lambda values: tuple(map(tuple, values)),
    "object arrays": lambda values: [np.array(row, dtype=object) for row in values],
    "cells that are Series": lambda values: pd.Series([pd.Series(row) for row in values]),
    "list views": lambda values: pa.array(values, pa.list_view(pa.string())),
    "large lists": lambda values: pa.array(values, pa.large_list(pa.large_string())),
    "large lists, sliced": lambda values: pa.array([["x"], *values], pa.large_list(pa.large_string())).slice(1),
    "lists of dictionaries": lambda values: pa.array(values, pa.list_(pa.dictionary(pa.int32(), pa.string()))),
    "fixed-size lists": lambda values: pa.array(values, pa.list_(pa.string(), 3)),
    "two-dimensional array": np.array,
}
