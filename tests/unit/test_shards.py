"""`aggregate` of shards: any number, of any kind, in any order."""

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
GIVEN = {name: SAMPLE[name] for name in ("predictions", "references")}
CUTS = (0, 1, 20, 20, len(GIVEN["predictions"]))
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "accuracy": [{}, {"fuzzy_match": True}, {"fuzzy_match": True, "fuzzy_threshold": 1.0}, {"match": "contains"}],
    "answer_exact_match": [{}, {"normalizer": "default", "return_confidence": True}],
}
CASES = [(name, options) for name, several in OPTIONS.items() for options in several]
KINDS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "mapping": dict,
    "arrow": pa.table,
    "pandas": pd.DataFrame,
    "numpy": lambda columns: {name: pd.Series(values).to_numpy() for name, values in columns.items()},
    "dataset": Dataset.from_dict,
}


def _shards(loaded: Any, options: dict[str, Any]) -> list[dict[str, list[Any]]]:
    pieces = [{name: values[a:b] for name, values in GIVEN.items()} for a, b in pairwise(CUTS)]
    return [loaded.score_batch(piece, **options) for piece in pieces]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("shown", [{}, {"return_details": False}])
def test_shards_give_what_compute_gives(
    name: str, options: dict[str, Any], kind: str, shown: dict[str, bool], metric: Callable[[str], Any]
) -> None:
    loaded = metric(name)
    shards = [KINDS[kind](shard) for shard in _shards(loaded, options) if shard[next(iter(shard))]]
    expected = loaded.compute(**GIVEN, **options, **shown)
    assert loaded.aggregate(shards, **options, **shown) == expected
    assert loaded.aggregate(iter(shards), **options, **shown) == expected
    if shown:
        assert loaded.aggregate(reversed(shards), **options, return_details=False) == expected


def test_an_empty_shard_adds_nothing(metric: Callable[[str], Any]) -> None:
    loaded = metric("accuracy")
    assert loaded.aggregate(_shards(loaded, {})) == loaded.compute(**GIVEN)


def test_no_shards_at_all_are_no_examples(metric: Callable[[str], Any]) -> None:
    with pytest.warns(UserWarning, match="no examples"):
        assert metric("accuracy").aggregate([], return_details=False)["total"] == 0


def test_a_shard_without_its_column_is_refused(metric: Callable[[str], Any]) -> None:
    loaded = metric("accuracy")
    with pytest.raises(ValueError, match="no column 'accuracy_individual_scores'"):
        loaded.aggregate([*_shards(loaded, {}), {"text": ["a"]}], return_details=False)


def test_score_batch_shows_its_signature_and_its_words(metric: Callable[[str], Any]) -> None:
    transform = metric("accuracy").score_batch
    assert list(inspect.signature(transform).parameters) == ["batch", "columns", "options"]
    assert transform.__doc__.startswith("Score each example of a batch")
