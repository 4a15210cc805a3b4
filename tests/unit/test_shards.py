"""`aggregate` of shards in any number, type and order."""

import inspect
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset

from examples.quickstart import read_sample

SAMPLE = read_sample()
INPUTS = {name: SAMPLE[name] for name in ("predictions", "references")}
CUTS = (0, 1, 20, 20, len(INPUTS["predictions"]))
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "accuracy": [{}, {"fuzzy_match": True}, {"fuzzy_match": True, "fuzzy_threshold": 1.0}, {"match": "contains"}],
    "answer_exact_match": [{}, {"normalizer": "default", "return_confidence": True}],
}
CASES = [(name, options) for name, variants in OPTIONS.items() for options in variants]
CARRIERS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "mapping": dict,
    "arrow": pa.table,
    "pandas": pd.DataFrame,
    "numpy": lambda columns: {name: pd.Series(values).to_numpy() for name, values in columns.items()},
    "dataset": Dataset.from_dict,
}


def _shards(loaded: Any, options: dict[str, Any]) -> list[dict[str, list[Any]]]:
    batches = [{name: values[a:b] for name, values in INPUTS.items()} for a, b in pairwise(CUTS)]
    return [loaded.score_batch(batch, **options) for batch in batches]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("shown", [{}, {"return_details": False}])
def test_aggregate_of_shards_equals_compute(
    name: str, options: dict[str, Any], carrier: str, shown: dict[str, bool], metric: Callable[[str], Any]
) -> None:
    loaded = metric(name)
    shards = [CARRIERS[carrier](shard) for shard in _shards(loaded, options) if shard[next(iter(shard))]]
    expected = loaded.compute(**INPUTS, **options, **shown)
    assert loaded.aggregate(shards, **options, **shown) == expected
    assert loaded.aggregate(iter(shards), **options, **shown) == expected
    if shown:
        assert loaded.aggregate(reversed(shards), **options, return_details=False) == expected


def test_empty_shard_does_not_change_the_result(metric: Callable[[str], Any]) -> None:
    loaded = metric("accuracy")
    assert loaded.aggregate(_shards(loaded, {})) == loaded.compute(**INPUTS)


def test_empty_list_of_shards_warns_and_scores_zero(metric: Callable[[str], Any]) -> None:
    with pytest.warns(UserWarning, match="no examples"):
        assert metric("accuracy").aggregate([], return_details=False)["total"] == 0


def test_shard_without_a_score_column_is_rejected(metric: Callable[[str], Any]) -> None:
    loaded = metric("accuracy")
    with pytest.raises(ValueError, match="no column 'accuracy_individual_scores'"):
        loaded.aggregate([*_shards(loaded, {}), {"text": ["a"]}], return_details=False)


def test_score_batch_has_a_signature_and_a_docstring(metric: Callable[[str], Any]) -> None:
    transform = metric("accuracy").score_batch
    assert list(inspect.signature(transform).parameters) == ["batch", "columns", "options"]
    assert transform.__doc__.startswith("Score each example of a batch")
