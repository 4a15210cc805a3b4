"""Columns of every type give the same result: tuples, generators, numpy, pandas, Arrow, `datasets`."""

from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.contract.helpers import EVERYTHING
from tests.contract.helpers import compute
from tests.contract.samples import Sample

pytestmark = pytest.mark.usefixtures("expect_warnings")


def to_object_array(column: list[Any]) -> np.ndarray:
    array = np.empty(len(column), dtype=object)
    array[:] = column
    return array


def to_filtered_series(column: list[Any]) -> pd.Series:
    """A Series whose index does not start at 0."""
    return pd.Series([column[0], *column])[1:]


CARRIERS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "generator": iter,
    "numpy": to_object_array,
    "pandas": pd.Series,
    "filtered pandas": to_filtered_series,
    "Arrow": pa.array,
    "Arrow chunks": lambda column: pa.chunked_array([pa.array(column[:1]), pa.array(column[1:])]),
    "datasets column": lambda column: datasets.Dataset.from_dict({"x": column})["x"],
    "iterable datasets column": lambda column: datasets.Dataset.from_dict({"x": column}).to_iterable_dataset()["x"],
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_columns_of_any_type_equal_lists(loaded: Any, sample: Sample, carrier: str) -> None:
    options = {**sample.options, **EVERYTHING}
    expected = compute(loaded, sample, **EVERYTHING)

    def carried() -> dict[str, Any]:
        return {name: CARRIERS[carrier](column) for name, column in sample.inputs.items()}

    assert loaded.compute(**carried(), **options) == expected
    loaded.add_batch(**carried())
    assert loaded.compute(**options) == expected
    assert loaded.aggregate(loaded.score_batch(carried(), **options), **options) == expected


@pytest.mark.parametrize("to_table", [pa.table, pd.DataFrame, datasets.Dataset.from_dict])
def test_tables_of_any_type_are_scored_as_batches(loaded: Any, sample: Sample, to_table: Callable[[Any], Any]) -> None:
    options = {**sample.options, **EVERYTHING}
    scored = loaded.score_batch(to_table(dict(sample.inputs)), **options)
    expected = compute(loaded, sample, **EVERYTHING)
    assert loaded.aggregate(scored, **options) == expected
    columns = loaded.score_batch(sample.inputs, **options)
    assert loaded.aggregate(to_table(columns), **options) == expected
