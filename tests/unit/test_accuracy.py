"""Accuracy: the documented behavior, golden cases with reasons, several references, and a custom normalizer."""

import math
import statistics
from collections.abc import Callable
from typing import Any

import pytest

from tests import oracles

Load = Callable[[str], Any]
SCALARS = {"return_details": False, "return_confidence": False}


@pytest.fixture
def accuracy(metric: Load) -> Any:
    return metric("accuracy")


# ---- documented behavior


def test_default_result_has_the_documented_keys_and_values(accuracy: Any) -> None:
    result = accuracy.compute(predictions=["Paris", "London", "Tokyo"], references=["Paris", "London", "Berlin"])
    assert list(result) == [
        "accuracy",
        "exact_accuracy",
        "correct",
        "total",
        "mean_score",
        "std_score",
        "accuracy_confidence_interval",
        "individual_scores",
        "match_types",
    ]
    assert f"{result['accuracy']:.2%}" == "66.67%"
    assert (result["correct"], result["total"]) == (2, 3)
    assert result["accuracy"] == result["exact_accuracy"] == result["mean_score"] == 2 / 3
    assert result["std_score"] == pytest.approx(math.sqrt(2) / 3)
    assert result["accuracy_confidence_interval"] == pytest.approx((0.2077, 0.9385), abs=5e-5)
    assert result["individual_scores"] == [1.0, 1.0, 0.0]
    assert result["match_types"] == ["exact", "exact", "none"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 1.0),
        ({"normalize_text": True, "case_sensitive": True}, 0.5),
        ({"normalize_text": False, "case_sensitive": False}, 0.5),
        ({"normalize_text": False, "case_sensitive": True}, 0.5),
    ],
)
def test_each_mode_gives_the_documented_accuracy(accuracy: Any, options: dict[str, bool], expected: float) -> None:
    result = accuracy.compute(predictions=["Paris!", "London"], references=["paris", "London"], **options)
    assert result["accuracy"] == expected


def test_each_mode_accepts_only_its_own_differences(accuracy: Any) -> None:
    """For each mode, one pair that only this mode and less strict ones accept."""
    pairs = {"a": "a", "A": "a", "a!": "a", "A!": "a", " a ": "a"}
    types = {}
    for normalize_text in (True, False):
        for case_sensitive in (True, False):
            types[normalize_text, case_sensitive] = accuracy.compute(
                predictions=list(pairs),
                references=list(pairs.values()),
                normalize_text=normalize_text,
                case_sensitive=case_sensitive,
            )["individual_scores"]
    assert types == {
        (True, False): [1.0, 1.0, 1.0, 1.0, 1.0],
        (True, True): [1.0, 0.0, 1.0, 0.0, 1.0],
        (False, False): [1.0, 1.0, 0.0, 0.0, 1.0],
        (False, True): [1.0, 0.0, 0.0, 0.0, 1.0],
    }


@pytest.mark.parametrize(("scorer", "share"), [("token_set_ratio", 0.5), ("ratio", 0.0)])
@pytest.mark.parametrize("threshold", [0.8, 0.7])
def test_documented_fuzzy_example_depends_on_the_scorer(
    accuracy: Any, scorer: str, share: float, threshold: float
) -> None:
    """Benchwise documents 50%, which token_set_ratio gives; a subset of words is no typo, so the default is ratio."""
    result = accuracy.compute(
        predictions=["The capital of France is Paris", "Who wrote 1984?"],
        references=["Paris, France", "George Orwell wrote 'Nineteen Eighty-Four'"],
        fuzzy_match=True,
        fuzzy_threshold=threshold,
        fuzzy_scorer=scorer,
    )
    assert result["fuzzy_accuracy"] == result["accuracy"] == share
    assert result["exact_accuracy"] == 0.0
    assert result["match_types"] == ["fuzzy" if share else "none", "none"]
    assert result["individual_scores"] == [threshold if share else 0.0, 0.0]


def test_case_sensitive_raw_mode_equals_plain_equality(accuracy: Any) -> None:
    """The first version of Benchwise's accuracy: case-sensitive and raw."""
    predictions, references = ["Paris", "london", "Tokyo.", "Rome"], ["Paris", "London", "Tokyo", "Rome"]
    correct = sum(one == other for one, other in zip(predictions, references, strict=True))
    result = accuracy.compute(
        predictions=predictions, references=references, case_sensitive=True, normalize_text=False, **SCALARS
    )
    assert {key: result[key] for key in ("accuracy", "correct", "total")} == {
        "accuracy": correct / 4,
        "correct": correct,
        "total": 4,
    }
    lowered = [text.lower() for text in predictions], [text.lower() for text in references]
    correct = sum(one == other for one, other in zip(*lowered, strict=True))
    result = accuracy.compute(predictions=predictions, references=references, normalize_text=False)
    assert result["correct"] == correct == 3


# ---- keys


def test_fuzzy_matching_adds_its_keys(accuracy: Any) -> None:
    data = {"predictions": ["Paris", "Lodnon", "x"], "references": ["Paris", "London", "Berlin"]}
    result = accuracy.compute(**data, fuzzy_match=True, return_signature=True)
    assert list(result) == [
        "accuracy",
        "exact_accuracy",
        "correct",
        "fuzzy_accuracy",
        "correct_fuzzy",
        "total",
        "mean_score",
        "std_score",
        "accuracy_confidence_interval",
        "individual_scores",
        "match_types",
        "similarities",
        "signature",
    ]
    assert (result["correct"], result["correct_fuzzy"], result["total"]) == (1, 2, 3)
    assert (result["accuracy"], result["fuzzy_accuracy"], result["exact_accuracy"]) == (2 / 3, 2 / 3, 1 / 3)
    assert result["individual_scores"] == [1.0, 0.8, 0.0]
    assert result["mean_score"] == pytest.approx(0.6)
    assert result["std_score"] == pytest.approx(statistics.pstdev([1.0, 0.8, 0.0]))
    assert result["similarities"] == [1.0, 10 / 12, 0.0]
    # The interval is that of the reported accuracy: 2 of 3.
    assert result["accuracy_confidence_interval"] == pytest.approx((0.2077, 0.9385), abs=5e-5)


def test_empty_input_scores_zero_with_a_warning(accuracy: Any) -> None:
    with pytest.warns(UserWarning, match="accuracy got no examples"):
        result = accuracy.compute(predictions=[], references=[], fuzzy_match=True)
    assert result == {
        "accuracy": 0.0,
        "exact_accuracy": 0.0,
        "correct": 0,
        "fuzzy_accuracy": 0.0,
        "correct_fuzzy": 0,
        "total": 0,
        "mean_score": 0.0,
        "std_score": 0.0,
        "accuracy_confidence_interval": (0.0, 1.0),
        "individual_scores": [],
        "match_types": [],
        "similarities": [],
    }


def test_empty_answer_is_right_only_for_an_empty_reference(accuracy: Any) -> None:
    """An empty answer equals only an empty reference."""
    result = accuracy.compute(
        predictions=["", "", " ", "a"], references=["", "a", "", ""], fuzzy_match=True, match="contains"
    )
    assert result["match_types"] == ["exact", "none", "exact", "none"]
    assert result["similarities"] == [1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "bootstrap"])
@pytest.mark.parametrize("level", [0.5, 0.99])
def test_interval_options_change_the_interval(accuracy: Any, method: str, level: float) -> None:
    data = {"predictions": ["a"] * 10, "references": ["a"] * 7 + ["b"] * 3}
    low, high = accuracy.compute(**data, confidence_method=method, confidence_level=level)[
        "accuracy_confidence_interval"
    ]
    assert low < 0.7 < high
    assert (high - low < 0.3) == (level == 0.5)


def test_bootstrap_seed_changes_the_interval(accuracy: Any) -> None:
    data = {"predictions": ["a"] * 1000, "references": ["a"] * 700 + ["b"] * 300, "confidence_method": "bootstrap"}
    intervals = {accuracy.compute(**data, bootstrap_seed=seed)["accuracy_confidence_interval"] for seed in range(5)}
    assert len(intervals) > 1


# ---- several references


@pytest.mark.parametrize("position", [0, 1, 2])
def test_reference_at_any_position_can_match(accuracy: Any, position: int) -> None:
    references = ["Rome", "Madrid"]
    for right, kind in (("Paris", "exact"), ("Pariss", "fuzzy"), ("Berlin", "none")):
        several = [*references[:position], right, *references[position:]]
        result = accuracy.compute(predictions=["paris"], references=[several], fuzzy_match=True)
        assert result["match_types"] == [kind]
        assert result["similarities"] == [max(float(oracles.ratio("paris", text.lower())) for text in several)]
    several = [*references[:position], "Paris", *references[position:]]
    assert accuracy.compute(predictions=["in paris"], references=[several], match="contains")["correct"] == 1


def test_reference_in_a_list_equals_a_single_reference(accuracy: Any) -> None:
    predictions, references = ["Paris!", "x", "Lodnon", "in Rome"], ["paris", "y", "London", "Rome"]
    options = {"fuzzy_match": True, "match": "contains"}
    assert accuracy.compute(predictions=predictions, references=references, **options) == accuracy.compute(
        predictions=predictions, references=[[text] for text in references], **options
    )


# ---- custom normalizers


def last_line(text: str) -> str:
    return text.splitlines()[-1].strip() if text else ""


def test_normalizer_replaces_the_built_in_rules(accuracy: Any) -> None:
    data = {"predictions": ["So:\n Paris ", "paris", "Paris!"], "references": [["Paris", "x"], ["Paris"], ["Paris"]]}
    result = accuracy.compute(**data, normalizer=last_line)
    assert result["match_types"] == ["exact", "none", "none"]
    # The other normalization options have no effect then.
    assert accuracy.compute(**data, normalizer=last_line, case_sensitive=False, normalize_text=True) == result
    assert accuracy.compute(**data, normalizer=str.lower)["match_types"] == ["none", "exact", "none"]


def test_normalizer_that_fails_or_returns_no_string_raises(accuracy: Any) -> None:
    with pytest.raises(ValueError, match="normalizer returned None for 'a', not a string"):
        accuracy.compute(predictions=["a"], references=["a"], normalizer=lambda _: None)
    with pytest.raises(ZeroDivisionError):
        accuracy.compute(predictions=["a"], references=["a"], normalizer=lambda _: 1 / 0)
    assert accuracy.compute(predictions=["a"], references=["a"])["correct"] == 1


# ---- rounding


def test_mean_is_rounded_once(accuracy: Any) -> None:
    """Ten times 0.1 is 1, but not if summed one by one."""
    data = {"predictions": ["ab"] * 10, "references": ["ac"] * 10, "fuzzy_match": True, "fuzzy_threshold": 0.1}
    result = accuracy.compute(**data)
    assert result["match_types"] == ["fuzzy"] * 10
    assert (result["mean_score"], result["std_score"]) == (0.1, 0.0)
