"""`compare`, `label_sample` and `human_labels` of every metric."""

import json
import re
from typing import Any

import numpy as np
import pytest

from tests.contract.samples import Sample

pytestmark = pytest.mark.usefixtures("expect_warnings")


def test_system_compared_with_itself_has_no_difference(loaded: Any, sample: Sample) -> None:
    raw = dict(sample.inputs)
    scored = loaded.score_batch(raw, **sample.options)
    result = loaded.compare({"raw": raw, "scored": scored}, **sample.options)
    found = result["systems"]["scored"]
    scores = [key for key in found if f"{key}_confidence_interval" in found and key != "difference"]
    assert loaded.main_score in scores
    computed = loaded.compute(**raw, **sample.options)
    assert {key: found[key] for key in scores} == {key: computed[key] for key in scores}
    for key, expected in (("difference", 0.0), ("p_value", 1.0), ("adjusted_p_value", 1.0), ("wins", 0), ("losses", 0)):
        values = found[key] if len(scores) > 1 else {scores[0]: found[key]}
        assert values == dict.fromkeys(scores, expected)
    assert json.loads(json.dumps(result))["baseline"] == "raw"
    assert re.match(rf"{loaded.main_score}: scored [01]\.\d{{4}} \(95% CI .* p = 1 ", str(result))
    assert str(result).count("\n") == 0


def test_comparison_is_independent_of_row_order_and_shards(loaded: Any, sample: Sample) -> None:
    rows = len(next(iter(sample.inputs.values())))
    scored = loaded.score_batch(dict(sample.inputs), **sample.options)
    ids = list(range(rows))
    worse = {name: [*values[1:], values[0]] for name, values in scored.items()}
    clusters = [index // 2 for index in ids]
    first, second = ({**columns, "id": ids, "cluster": clusters} for columns in (scored, worse))
    expected = loaded.compare({"a": first, "b": second}, on="id", clusters="cluster", **sample.options)
    order = np.random.default_rng(1).permutation(rows).tolist()
    shuffled = [{name: [values[i]] for name, values in second.items()} for i in order]
    assert loaded.compare({"a": first, "b": shuffled}, on="id", clusters="cluster", **sample.options) == expected
    reordered = [{name: [values[i] for i in order] for name, values in side.items()} for side in (first, second)]
    systems = dict(zip("ab", reordered, strict=True))
    assert loaded.compare(systems, on="id", clusters="cluster", **sample.options) == expected


def test_clusters_change_every_interval(loaded: Any, sample: Sample) -> None:
    rows = len(next(iter(sample.inputs.values())))
    scored = loaded.score_batch(dict(sample.inputs), **sample.options)
    options = {**sample.options, "return_confidence": True}
    plain = loaded.aggregate(scored, **options)
    clustered = loaded.aggregate(scored, clusters=[index // 2 for index in range(rows)], **options)
    intervals = [key for key in plain if key.endswith("_confidence_interval")]
    assert intervals
    for key in intervals:
        assert clustered[key] != plain[key]
    assert clustered["clusters"] == (rows + 1) // 2


def test_label_sample_returns_row_indices(loaded: Any, sample: Sample) -> None:
    rows = len(next(iter(sample.inputs.values())))
    scored = loaded.score_batch(dict(sample.inputs), **sample.options)
    assert loaded.label_sample(scored, rows, **sample.options) == list(range(rows))


@pytest.mark.filterwarnings("ignore:.*human labels:UserWarning")
def test_corrected_score_of_fully_labeled_rows_is_the_mean_label(loaded: Any, sample: Sample) -> None:
    """With all rows labeled, the scores of the metric do not matter."""
    rows = len(next(iter(sample.inputs.values())))
    labels = [index % 2 for index in range(rows)]
    with pytest.warns(UserWarning, match="fewer than 30"):
        result = loaded.compute(**sample.inputs, human_labels=labels, **sample.options)
    assert result[f"{loaded.main_score}_corrected"] == sum(labels) / rows == result["label_mean"]
    low, high = result[f"{loaded.main_score}_corrected_confidence_interval"]
    assert 0 < low < sum(labels) / rows < high < 1
    assert result["labels"] == rows


def test_one_cluster_is_rejected_with_and_without_intervals(loaded: Any, sample: Sample) -> None:
    rows = len(next(iter(sample.inputs.values())))
    one = ["d"] * rows
    scored = loaded.score_batch(dict(sample.inputs), **sample.options)
    message = f"{loaded.label}: clusters has one distinct value; an interval needs at least two clusters"
    for shown in (True, False):
        options = {**sample.options, "return_confidence": shown}
        with pytest.raises(ValueError, match=message):
            loaded.compute(**sample.inputs, clusters=one, **options)
        with pytest.raises(ValueError, match=message):
            loaded.aggregate(scored, clusters=one, **options)
    two = ["d", *["e"] * (rows - 1)]
    assert (
        loaded.compute(**sample.inputs, clusters=two, **{**sample.options, "return_confidence": False})["clusters"] == 2
    )
