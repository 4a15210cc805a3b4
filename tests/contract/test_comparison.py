"""`compare`, `label_sample` and `human_labels` of every metric."""

import inspect
import json
import math
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import answer_metrics
from tests.contract.samples import Sample, is_plain, is_share, sample_of

Columns = dict[str, list[Any]]
pytestmark = pytest.mark.usefixtures("expect_warnings")


@pytest.fixture
def scored(loaded: Any, sample: Sample) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = loaded.score_batch(dict(sample.inputs), **sample.options)
    return columns


def test_system_compared_with_itself_has_no_difference(loaded: Any, sample: Sample, scored: Columns) -> None:
    raw = dict(sample.inputs)
    result = loaded.compare({"raw": raw, "scored": scored}, **sample.options)
    entries = result["systems"]["scored"]
    scores = [key for key in entries if f"{key}_confidence_interval" in entries and key != "difference"]
    assert loaded.main_score in scores
    computed = loaded.compute(**raw, **sample.options)
    assert {key: entries[key] for key in scores} == {key: computed[key] for key in scores}
    for key, expected in (("difference", 0.0), ("p_value", 1.0), ("adjusted_p_value", 1.0), ("wins", 0), ("losses", 0)):
        values = entries[key] if len(scores) > 1 else {scores[0]: entries[key]}
        assert values == dict.fromkeys(scores, expected)
    assert is_plain(dict(result))
    assert json.loads(json.dumps(result))["baseline"] == "raw"
    again = pickle.loads(pickle.dumps(result))  # our own
    assert type(again) is dict  # a process that has not loaded the metric cannot import another class
    drawn = loaded.draw(json.loads(json.dumps(again)))
    assert (again, str(drawn), drawn.to_markdown()) == (result, str(result), result.to_markdown())
    assert re.fullmatch(rf"{loaded.main_score}: scored -?\d+\.\d{{4}} \(95% CI .* p = 1 .*", str(result))


ROWS = 180
COLUMNS: Columns = {
    "id": list(range(ROWS)),
    "question": [row // 3 for row in range(ROWS)],
    "document": [row // 9 for row in range(ROWS)],
    "answer": [f"answer {row % 7 % 3}" for row in range(ROWS)],
    "label": [None if row % 3 else row % 2 for row in range(ROWS)],
}
# For each option of a method two values that lead to different results; given to both calls: `WITH`.
WITNESSES: dict[str, dict[str, tuple[Any, Any]]] = {
    "compare": {
        "baseline": (None, "b"), "on": (None, "other order"), "clusters": ("document", "question"),
        "confidence_level": (0.95, 0.9), "resamples": (1000, 999), "bootstrap_seed": (0, 1), "margin": (None, 0.1),
        "by": (None, "document"), "human_labels": (None, "label"), "repeats": (False, True),
        "missing": ("error", "wrong"),
    },
    "aggregate": {"clusters": (None, "document"), "human_labels": (None, "label"), "by": (None, "document")},
    "repeats": {
        "on": ("question", "document"), "k": (1, 2), "answers": (None, "answer"), "clusters": (None, "document"),
    },
    "required_n": {
        "difference": (0.1, 0.05), "power": (0.8, 0.9), "second": (None, "b"), "on": (None, "other order"),
        "clusters": (None, "document"),
    },
    "label_sample": {"n": (3, 4), "seed": (0, 1)},
}  # fmt: skip
WITH: dict[tuple[str, str], dict[str, Any]] = {
    ("compare", "resamples"): {"clusters": "document"},  # too few to try all swaps
    ("compare", "bootstrap_seed"): {"clusters": "document", "resamples": 1000},
    ("compare", "repeats"): {"on": "id"},
    ("compare", "missing"): {"on": "id"},
    ("aggregate", "clusters"): {"return_confidence": True},
    ("repeats", "answers"): {"on": "question"},
    ("repeats", "clusters"): {"on": "question"},
    ("required_n", "on"): {"second": "b"},
}
BASE: dict[str, Any] = {"compare": {"resamples": 200}, "repeats": {"on": "question"}, "label_sample": {"n": 3}}


def two_systems(sample: Sample, scored: Columns) -> dict[str, Columns]:
    """Scored rows of two systems on the same questions, drawn from those of the sample."""
    rng = np.random.default_rng(1)
    systems = {
        system: {name: [values[row] for row in rng.integers(sample.rows, size=ROWS)] for name, values in scored.items()}
        | COLUMNS
        for system in "ab"
    }
    systems["a"]["other order"], systems["b"]["other order"] = COLUMNS["id"], rng.permutation(ROWS).tolist()
    return systems


def check_witnesses(loaded: Any, sample: Sample, method: str) -> None:
    taken = {"self", "systems", "columns", "scored", "options"}
    assert set(inspect.signature(getattr(type(loaded), method)).parameters) - taken == set(WITNESSES[method])
    systems = two_systems(sample, loaded.score_batch(dict(sample.inputs), **sample.options))
    for name, values in WITNESSES[method].items():
        if name == "human_labels" and not is_share(loaded, sample):
            continue
        arguments = {**sample.options, **BASE.get(method, {}), **WITH.get((method, name), {})}
        results = []
        for value in values:
            options = {**arguments, name: value}
            if options.get("second"):
                options["second"] = systems["b"]
            results.append(getattr(loaded, method)(systems if method == "compare" else systems["a"], **options))
        assert json.dumps(results[0]) != json.dumps(results[1]), name
        if method == "compare":
            assert f"{results[1]['confidence_level']:.0%} CI" in str(results[1])
        if name in loaded.options:
            at_loading = answer_metrics.load(loaded.name, **{name: values[1]})
            assert json.dumps(getattr(at_loading, method)(systems, **arguments)) == json.dumps(results[1]), name


def test_each_option_of_compare_changes_the_result(loaded: Any, sample: Sample) -> None:
    check_witnesses(loaded, sample, "compare")


@pytest.mark.parametrize("method", [*WITNESSES][1:])
def test_each_option_of_the_other_methods_changes_the_result(metric: Callable[[str], Any], method: str) -> None:
    check_witnesses(metric("accuracy"), sample_of("accuracy"), method)


def intervals(entries: Any, place: str = "") -> dict[str, Any]:
    """All intervals in a result, by their place."""
    inner = {f"{place}/{name}": value for name, value in entries.items()} if isinstance(entries, dict) else {}
    own = {key: value for key, value in inner.items() if key.endswith("_interval") and not isinstance(value, dict)}
    return own | {key: one for name, value in inner.items() for key, one in intervals(value, name).items()}


@pytest.mark.parametrize("method", ["compare", "aggregate", "repeats"])
@pytest.mark.parametrize("changed", [{"confidence_level": 0.9}, {"clusters": "document"}])
def test_level_and_clusters_reach_every_interval(metric: Any, method: str, changed: dict[str, Any]) -> None:
    loaded, sample = metric("accuracy"), sample_of("accuracy")
    systems = two_systems(sample, loaded.score_batch(dict(sample.inputs), abstention="en"))
    arguments = {"by": "half", "human_labels": "label"}
    if method == "repeats":
        arguments = {"on": "question", "answers": "answer"}
    for columns in systems.values():
        columns["half"] = [row % 2 for row in range(ROWS)]
        columns["accuracy_match_types"][::17] = ["abstained"] * len(columns["accuracy_match_types"][::17])
    tables = systems if method == "compare" else systems["a"]
    call = getattr(loaded, method)
    first, second = (intervals(call(tables, abstention="en", **arguments, **options)) for options in ({}, changed))
    assert len(first) > 3
    assert {place for place in first if first[place] == second[place]} == set()


def test_comparison_is_independent_of_row_order_and_shards(loaded: Any, sample: Sample, scored: Columns) -> None:
    ids = list(range(sample.rows))
    worse = {name: [*values[1:], values[0]] for name, values in scored.items()}
    clusters = [index // 2 for index in ids]
    first, second = ({**columns, "id": ids, "cluster": clusters} for columns in (scored, worse))
    options = {"on": "id", "clusters": "cluster", "resamples": 2, **sample.options}  # too few to try all
    expected = loaded.compare({"a": first, "b": second}, **options)
    order = np.random.default_rng(1).permutation(sample.rows).tolist()
    shuffled = [{name: [values[i]] for name, values in second.items()} for i in order]
    assert loaded.compare({"a": first, "b": shuffled}, **options) == expected
    reordered = [{name: [values[i] for i in order] for name, values in side.items()} for side in (first, second)]
    assert loaded.compare(dict(zip("ab", reordered, strict=True)), **options) == expected


@pytest.mark.parametrize("on", [None, "id"])
def test_systems_whose_references_differ_are_rejected(loaded: Any, sample: Sample, name: str, on: str | None) -> None:
    if "references" not in loaded.inputs:
        pytest.skip("it has no references")
    ids = [f"q{row}" for row in range(sample.rows)]
    raw = {**sample.inputs, "id": ids}
    other = {**raw, "references": [*raw["references"][:2], raw["references"][0], *raw["references"][3:]]}
    place = "id 'q2'" if on else "row 2"
    for first, second in ((raw, other), (raw, {**other, **loaded.score_batch(other, **sample.options)})):
        with pytest.raises(ValueError, match=f"^{name}: the references of {place} differ: .* of b, .* of a; compare"):
            loaded.compare({"a": first, "b": second}, on=on, **sample.options)
    named = [{"gold": side.pop("references"), **side} for side in (dict(raw), dict(other))]
    with pytest.raises(ValueError, match=f"^{name}: the references of {place} differ: "):
        loaded.compare(dict(zip("ab", named, strict=True)), on=on, columns={"references": "gold"}, **sample.options)
    without = {**loaded.score_batch(other, **sample.options), "id": ids}
    missing = {**without, "references": [math.nan] * sample.rows}
    once = {column: iter(values) for column, values in raw.items()}
    for first, second in ((raw, without), (missing, missing), (raw, once)):
        loaded.compare({"a": first, "b": second}, on=on, **sample.options)


@pytest.mark.filterwarnings("ignore:.*human labels:UserWarning")
def test_corrected_score_of_fully_labeled_rows_is_the_mean_label(loaded: Any, sample: Sample) -> None:
    """With all rows labeled, the scores of the metric do not matter. Other scores than shares are refused."""
    if not is_share(loaded, sample):
        with pytest.raises(ValueError, match=r"^\w+: human_labels: .* must be a score from 0 to 1"):
            loaded.compute(**sample.inputs, human_labels=[1] * sample.rows, **sample.options)
        return
    labels = [row % 2 for row in range(sample.rows)]
    with pytest.warns(UserWarning, match="fewer than 30"):
        result = loaded.compute(**sample.inputs, human_labels=labels, **sample.options)
    mean = sum(labels) / sample.rows
    assert result[f"{loaded.main_score}_corrected"] == mean == result["label_mean"]
    low, high = result[f"{loaded.main_score}_corrected_confidence_interval"]
    assert 0 < low < mean < high < 1
    assert result["labels"] == sample.rows
