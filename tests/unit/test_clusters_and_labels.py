"""Clusters, human labels and `label_sample` of loaded metrics."""

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from metrics._shared._human_labels import correct_score
from metrics._shared._score_intervals import score_interval
from metrics._shared._statistics import mean_statistic
from tests.compared_systems import DOCUMENTS
from tests.compared_systems import RIGHT
from tests.compared_systems import ROWS
from tests.compared_systems import raw
from tests.compared_systems import scored


@pytest.fixture(scope="module")
def accuracy(metric: Callable[[str], Any]) -> Any:
    return metric("accuracy")


@pytest.fixture(scope="module")
def rows(accuracy: Any) -> dict[str, Any]:
    return scored(accuracy, "base")


def test_clustered_compute_and_aggregate_agree(accuracy: Any) -> None:
    columns = raw("base")
    given = {name: columns[name] for name in ("predictions", "references")}
    computed = accuracy.compute(**given, clusters=DOCUMENTS)
    assert computed["clusters"] == 8
    assert accuracy.aggregate(scored(accuracy, "base"), clusters="document") == computed
    plain = accuracy.compute(**given)
    assert computed["accuracy_confidence_interval"] != plain["accuracy_confidence_interval"]


def test_human_labels_in_compute_and_aggregate_agree(accuracy: Any) -> None:
    columns = raw("base")
    labels = [1, 0, None, 1] * 6
    given = {name: columns[name] for name in ("predictions", "references")}
    with pytest.warns(UserWarning, match="only 18 human labels"):
        computed = accuracy.compute(**given, human_labels=labels)
    expected = correct_score(np.array(RIGHT["base"], dtype=float), labels)
    assert computed["accuracy_corrected"] == expected.corrected
    assert computed["accuracy_corrected_confidence_interval"] == expected.interval
    assert (computed["kappa"], computed["agreement"]) == (expected.kappa, expected.agreement)
    assert (computed["labels"], computed["label_mean"]) == (18, pytest.approx(2 / 3))
    table = pa.table({**scored(accuracy, "base"), "human": labels})
    with pytest.warns(UserWarning, match="few"):
        assert accuracy.aggregate(table, human_labels="human") == computed
    json.dumps(computed)


def test_human_labels_correct_the_main_score_by_row(metric: Callable[[str], Any]) -> None:
    """A micro average is corrected using the scores of its queries, since labels apply to queries."""
    loaded = metric("precision_recall_f1")
    predictions = [["x"], ["y", "q"], ["v"]] * 20
    references = [["x"], ["q"], ["w"]] * 20
    labels = [1, 0.5, 0] * 12 + [None] * 24
    given = {"predictions": predictions, "references": references, "matching_strategy": "EXACT_CHUNK_MATCH"}
    result = loaded.compute(**given, average="micro", human_labels=labels)
    details = loaded.compute(**given, return_details=True)
    expected = correct_score(np.array(details["individual_f1"]), labels)
    assert result["f1_corrected"] == expected.corrected


def test_label_sample_is_a_random_sample_of_scored_rows(accuracy: Any, rows: dict[str, Any]) -> None:
    drawn = accuracy.label_sample(rows, 10, seed=3)
    assert len(set(drawn)) == 10
    assert drawn == sorted(drawn)
    assert all(type(index) is int for index in drawn)
    assert drawn == accuracy.label_sample(rows, 10, seed=3) != accuracy.label_sample(rows, 10, seed=4)
    counts = np.zeros(ROWS)
    for seed in range(600):
        counts[accuracy.label_sample(rows, 6, seed=seed)] += 1
    assert counts.min() > 110
    assert counts.max() < 195


@pytest.mark.parametrize("n", [25, -1, 2.5, True])
def test_label_sample_larger_than_the_data_is_rejected(accuracy: Any, rows: dict[str, Any], n: Any) -> None:
    with pytest.raises(ValueError, match="n must be an int from 0 to 24"):
        accuracy.label_sample(rows, n)


@pytest.mark.parametrize("seed", [-1, 2.5, True, None])
def test_label_sample_requires_a_seed(accuracy: Any, rows: dict[str, Any], seed: Any) -> None:
    with pytest.raises(ValueError, match="seed must be an int of at least 0"):
        accuracy.label_sample(rows, 3, seed=seed)


@pytest.mark.filterwarnings("ignore:l3score. provider:UserWarning")
def test_label_sample_excludes_rows_without_a_score(metric: Callable[[str], Any]) -> None:
    loaded = metric("l3score")
    judged = {"questions": ["q"] * 4, "predictions": ["a"] * 4, "references": ["a"] * 4}
    rows = loaded.score_batch(judged, provider="mock", model="mock", on_error="skip")
    rows["l3score_individual_scores"] = [1.0, math.nan, 1.0, math.nan]
    assert loaded.label_sample(rows, 2, provider="mock", model="mock", on_error="skip") == [0, 2]


@pytest.mark.filterwarnings("ignore:l3score. provider:UserWarning")
def test_mean_of_scores_with_clusters_is_reported(metric: Callable[[str], Any]) -> None:
    loaded = metric("l3score")
    judged = {"questions": ["q"] * 6, "predictions": ["a", "b", "a", "a", "c", "a"], "references": ["a"] * 6}
    result = loaded.compute(**judged, provider="mock", clusters=[1, 1, 2, 2, 3, 3], return_confidence=True)
    assert result["clusters"] == 3
    scores = [float(answer == "a") for answer in judged["predictions"]]
    expected = score_interval(mean_statistic(scores), clusters=[1, 1, 2, 2, 3, 3])
    assert result["L3Score_confidence_interval"] == pytest.approx(expected, abs=1e-3)
