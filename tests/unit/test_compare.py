"""`compare`, clusters, human labels and `label_sample` of loaded metrics: table types, matching of rows, errors."""

import json
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset

from metrics._shared._statistics import compare, proportion
from tests.compared_systems import DOCUMENTS, IDS, RIGHT, ROWS, raw, scored


def shuffled(columns: dict[str, list[Any]], seed: int = 1) -> dict[str, list[Any]]:
    order = np.random.default_rng(seed).permutation(ROWS)
    return {name: [values[index] for index in order] for name, values in columns.items()}


@pytest.fixture(scope="module")
def accuracy(metric: Callable[[str], Any]) -> Any:
    return metric("accuracy")


@pytest.fixture(scope="module")
def two_systems(accuracy: Any) -> dict[str, Any]:
    return {name: scored(accuracy, name) for name in ("base", "tuned")}


def test_scored_columns_give_the_comparison_of_their_scores(accuracy: Any, two_systems: dict[str, Any]) -> None:
    statistics = {name: {"accuracy": proportion(RIGHT[name])} for name in two_systems}
    expected = compare(statistics, baseline="base", main_score="accuracy")
    result = accuracy.compare(two_systems)
    assert result.pop("signature") == accuracy.compute(predictions=["a"], references=["a"], return_signature=True).pop(
        "signature"
    )
    assert result == expected


CARRIERS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "mapping": dict,
    "arrow": pa.table,
    "pandas": pd.DataFrame,
    "dataset": Dataset.from_dict,
    "shards": lambda columns: [{name: values[a:b] for name, values in columns.items()} for a, b in ((0, 9), (9, 24))],
    "iterator": lambda columns: iter([columns]),
    "rows": lambda columns: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
}


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("kind", ["raw", "scored"])
def test_every_table_type_gives_equal_results(
    accuracy: Any, two_systems: dict[str, Any], carrier: str, kind: str
) -> None:
    expected = accuracy.compare(two_systems, on="id", clusters="document")
    systems = {name: CARRIERS[carrier](raw(name) if kind == "raw" else two_systems[name]) for name in two_systems}
    assert accuracy.compare(systems, on="id", clusters="document") == expected


def test_mapped_datasets_keep_raw_columns_and_are_not_scored_again(
    accuracy: Any, two_systems: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mapped = {name: Dataset.from_dict(raw(name)).map(accuracy.score_batch, batched=True) for name in two_systems}
    monkeypatch.setattr(type(accuracy), "score", lambda *_: pytest.fail("scored again"))
    assert accuracy.compare(mapped) == accuracy.compare(two_systems)


def test_baseline_is_the_first_system_by_default(accuracy: Any, two_systems: dict[str, Any]) -> None:
    forward, backward = accuracy.compare(two_systems), accuracy.compare(two_systems, baseline="tuned")
    assert (forward["baseline"], backward["baseline"]) == ("base", "tuned")
    assert forward["systems"]["tuned"]["difference"] == -backward["systems"]["base"]["difference"]
    assert list(backward["systems"]) == ["base", "tuned"]


def test_p_values_of_several_systems_are_adjusted(accuracy: Any) -> None:
    result = accuracy.compare({name: raw(name) for name in RIGHT})
    tuned, other = (result["systems"][name] for name in ("tuned", "other"))
    assert other["adjusted_p_value"] >= other["p_value"]
    assert min(tuned["adjusted_p_value"], other["adjusted_p_value"]) == min(
        1.0, 2 * min(tuned["p_value"], other["p_value"])
    )


def test_options_affect_scores_and_signature(accuracy: Any) -> None:
    systems = {"a": {"predictions": ["PARIS"] * 4, "references": ["Paris"] * 4}, "b": raw("base")}
    systems["b"] = {"predictions": ["Paris"] * 4, "references": ["Paris"] * 4}
    result = accuracy.compare(systems, case_sensitive=True, confidence_level=0.8)
    assert (result["systems"]["a"]["accuracy"], result["systems"]["b"]["accuracy"]) == (0.0, 1.0)
    assert "case:yes" in result["signature"]
    assert result["confidence_level"] == 0.8
    with pytest.raises(TypeError, match="no option 'case_sensitiv'"):
        accuracy.compare(systems, case_sensitiv=True)


def test_unnamed_callable_omits_the_signature(accuracy: Any, two_systems: dict[str, Any]) -> None:
    del two_systems
    systems = {name: raw(name) for name in ("base", "tuned")}
    assert "signature" not in accuracy.compare(systems, normalizer=lambda text: text)
    with pytest.raises(ValueError, match="cannot be signed"):
        accuracy.compare(systems, normalizer=lambda text: text, return_signature=True)


def test_clusters_by_name_and_by_values_give_equal_results(accuracy: Any, two_systems: dict[str, Any]) -> None:
    by_name = accuracy.compare(two_systems, clusters="document")
    assert by_name["clusters"] == 8
    assert accuracy.compare(two_systems, clusters=DOCUMENTS) == by_name
    passed_on = {name: accuracy.score_batch({**raw(name), "clusters": DOCUMENTS}) for name in two_systems}
    assert accuracy.compare(passed_on) == by_name


def test_clusters_of_very_different_sizes_cause_a_warning(accuracy: Any, two_systems: dict[str, Any]) -> None:
    one_large = ["large"] * 14 + [f"d{index}" for index in range(10)]
    message = "accuracy: the largest of 11 clusters has 58% of the rows: .* intervals are too narrow"
    with pytest.warns(UserWarning, match=message):
        accuracy.compare(two_systems, clusters=one_large)
    with pytest.warns(UserWarning, match=message):
        accuracy.aggregate(two_systems["base"], clusters=one_large)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        accuracy.compare(two_systems, clusters=[index // 5 for index in range(ROWS)])


def test_micro_and_macro_scores_are_compared_by_name(metric: Callable[[str], Any]) -> None:
    loaded = metric("precision_recall_f1")
    systems = {
        "a": {"predictions": [["x", "y"], ["z"], ["v"], ["w"]], "references": [["x"], ["z"], ["q"], ["w"]]},
        "b": {"predictions": [["x"], ["z", "u", "t"], ["q"], ["w"]], "references": [["x"], ["z"], ["q"], ["w"]]},
    }
    given = {"matching_strategy": "EXACT_CHUNK_MATCH"}
    for average in ("macro", "micro"):
        result = loaded.compare(systems, average=average, **given)
        computed = {name: loaded.compute(**columns, average=average, **given) for name, columns in systems.items()}
        for score in ("precision", "recall", "f1"):
            assert result["systems"]["b"][score] == computed["b"][score]
            difference = computed["b"][score] - computed["a"][score]
            assert result["systems"]["b"]["difference"][score] == pytest.approx(difference)
        assert result["score"] == "f1"


@pytest.mark.filterwarnings("ignore:l3score. provider:UserWarning")
def test_failed_judgments_are_excluded_pairwise(metric: Callable[[str], Any]) -> None:
    loaded = metric("l3score")
    judged = {
        "questions": ["q"] * 6,
        "predictions": ["Paris", "Lyon", "Paris", "Rome", "Paris", "Nice"],
        "references": ["Paris"] * 6,
    }
    scored_rows = loaded.score_batch(judged, provider="mock", model="mock", on_error="skip")
    other = {name: list(values) for name, values in scored_rows.items()}
    other["l3score_individual_scores"] = [math.nan, *other["l3score_individual_scores"][1:]]
    result = loaded.compare({"a": scored_rows, "b": other}, provider="mock", model="mock", on_error="skip")
    assert result["systems"]["b"]["left_out"] == 1
    assert result["total"] == 6
    assert result["systems"]["b"]["ties"] == 5


def test_empty_systems_cause_a_warning(accuracy: Any) -> None:
    empty: dict[str, list[str]] = {"predictions": [], "references": []}
    with pytest.warns(UserWarning, match="no examples"):
        result = accuracy.compare({"a": empty, "b": empty})
    assert (result["total"], result["systems"]["b"]["p_value"]) == (0, 1.0)
    json.dumps(result)


def replaced(columns: dict[str, Any], name: str, values: list[Any]) -> dict[str, Any]:
    return {**columns, name: values}


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda c: {k: v[:-2] for k, v in c.items()}, {}, "different numbers of rows (base 24, tuned 22)"),
        (
            lambda c: {k: v[:-2] for k, v in c.items()},
            {"on": "id"},
            "2 of the id of base are not in tuned: 'q22', 'q23'",
        ),
        (lambda c: replaced(c, "id", IDS[:2] * 2 + IDS[4:]), {"on": "id"}, "2 of the id of tuned occur more"),
        (
            lambda c: replaced(c, "id", ["x", *IDS[1:]]),
            {"on": "id"},
            "1 of the id of base are not in tuned: 'q0'; 1 of the id of tuned are not in base: 'x'",
        ),
        (lambda c: replaced(c, "id", [None, *IDS[1:]]), {"on": "id"}, "1 row of tuned has no id"),
        (lambda c: replaced(c, "id", [pd.NA, *IDS[1:]]), {"on": "id"}, "1 row of tuned has no id"),
        (lambda c: replaced(c, "id", [[1]] * ROWS), {"on": "id"}, "cannot be ids, such as lists"),
        (
            lambda c: [{name: values[0] for name, values in c.items()}, {"id": "q1"}],
            {"on": "id"},
            "systems['tuned']: row 1 has no '",
        ),
        (lambda c: c, {"on": "key"}, "systems['base']: the batch has no column 'key'"),
        (lambda c: c, {"clusters": "dokument"}, "systems['base']: the batch has no column 'dokument'"),
        (lambda c: c, {"clusters": ["d"] * ROWS}, "clusters has one distinct value"),
        (lambda c: c, {"clusters": ["d", "e"]}, "clusters"),
        (
            lambda c: replaced(c, "document", ["d9", *DOCUMENTS[1:]]),
            {"clusters": "document"},
            "1 row of tuned has a different cluster",
        ),
        (lambda c: c, {"clusters": "document", "confidence_method": "bootstrap"}, "confidence_method='bootstrap'"),
        (lambda c: c, {"baseline": "none"}, "baseline='none' is not one of the systems base, tuned"),
        (lambda c: c, {"baseline": ["base"]}, "baseline=['base'] is not one of the systems base, tuned"),
        (lambda c: c, {"resamples": 0}, "resamples must be an int of at least 1, got 0"),
        (lambda c: c, {"margin": 0}, "margin must be a number above 0"),
        (lambda c: c, {"margin": 0.1, "confidence_level": 0.5}, "confidence_level must be above 0.5"),
        (lambda c: c, {"bootstrap_seed": -1}, "bootstrap_seed"),
        (lambda c: c, {"confidence_level": 1.0}, "confidence_level"),
    ],
)
def test_mismatched_rows_are_rejected(
    accuracy: Any, two_systems: dict[str, Any], change: Callable[[Any], Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match="^accuracy: .*" + re.escape(message)):
        accuracy.compare({"base": two_systems["base"], "tuned": change(two_systems["tuned"])}, **options)


@pytest.mark.parametrize("systems", [{}, {"a": {}}, [{}, {}], None])
def test_fewer_than_two_systems_are_rejected(accuracy: Any, systems: Any) -> None:
    with pytest.raises(ValueError, match="two names or more"):
        accuracy.compare(systems)
