"""The options of accuracy that look inside answers, through `compute`, `score_batch` and `aggregate`."""

from collections.abc import Callable
from typing import Any

import pytest

ROWS: dict[str, list[Any]] = {
    "predictions": ["It was Wilhelm Röntgen.", "Michelle Obama", "so \\boxed{3.0}", "no idea"],
    "references": [["Wilhelm Conrad Röntgen"], ["Barack Obama"], ["3", "three"], ["7"]],
}
SCALARS = {"return_details": False, "return_confidence": False}


@pytest.fixture
def accuracy(metric: Callable[[str], Any]) -> Any:
    return metric("accuracy")


def test_recall_counts_as_correct_and_gives_shares(accuracy: Any) -> None:
    result = accuracy.compute(**ROWS, match="recall")
    assert result["match_types"] == ["recall", "none", "recall", "none"]
    assert result["recalls"] == [2 / 3, 0.5, 1.0, 0.0]
    assert (result["correct"], result["accuracy"], result["exact_accuracy"]) == (2, 0.5, 0.5)


def test_unextracted_answer_is_wrong_and_counted(accuracy: Any) -> None:
    result = accuracy.compute(**ROWS, extract="boxed", numbers="value")
    assert result["match_types"] == ["unextracted", "unextracted", "value", "unextracted"]
    assert result["extracted"] == [None, None, "3.0", None]
    assert (result["unextracted"], result["correct"], result["total"]) == (3, 1, 4)


@pytest.mark.parametrize(
    "options",
    [
        {"match": "recall"},
        {"match": "recall", "fuzzy_match": True, "fuzzy_scorer": "partial_ratio"},
        {"extract": "boxed", "numbers": "value", "fuzzy_match": True},
        {"extract": "boxed", "match": "recall"},
        {"match": "contains", "normalizer": "squad"},
        {"normalizer": "benchwise", "numbers": "value"},
    ],
)
def test_score_batch_and_aggregate_equal_compute(accuracy: Any, options: dict[str, Any]) -> None:
    whole = accuracy.compute(**ROWS, **options)
    shards = [
        accuracy.score_batch({name: column[start : start + 2] for name, column in ROWS.items()}, **options)
        for start in (0, 2)
    ]
    assert accuracy.aggregate(shards, **options) == whole


def test_words_of_the_question_do_not_count(accuracy: Any) -> None:
    data = {"predictions": ["a historic bridge"], "references": ["bow bridge"]}
    assert accuracy.compute(**data, match="recall", **SCALARS)["correct"] == 1
    assert accuracy.compute(**data, questions=["What bridge is it?"], match="recall", **SCALARS)["correct"] == 0


@pytest.mark.parametrize(
    ("scored_with", "message"),
    [
        ({"match": "recall"}, "match='recall'"),
        ({"extract": "boxed"}, "extract"),
        ({"extract": "boxed", "numbers": "value"}, "numbers='value'"),
    ],
)
def test_rows_scored_with_other_options_are_rejected(accuracy: Any, scored_with: dict[str, Any], message: str) -> None:
    scored = accuracy.score_batch(ROWS, **scored_with)
    with pytest.raises(ValueError, match=message):
        accuracy.aggregate(scored)


@pytest.mark.parametrize("option", [{"recall_threshold": 0.4}, {"language": "none"}, {"numeric_tolerance": 0.1}])
def test_option_without_effect_warns(accuracy: Any, option: dict[str, Any]) -> None:
    with pytest.warns(UserWarning, match=next(iter(option))):
        accuracy.compute(**ROWS, **option)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"match": "recall"}, "recall:en-v"),
        ({"extract": r"x=(\d|\d\d)"}, r"extract:x=(\d%7C\d\d)"),
        ({"numbers": "value"}, "numbers:value-v"),
        ({"normalizer": "benchwise"}, "norm:benchwise"),
    ],
)
def test_signature_contains_every_setting_that_changes_a_score(
    accuracy: Any, options: dict[str, Any], field: str
) -> None:
    assert field in accuracy.compute(**ROWS, **options, return_signature=True)["signature"]
    assert "recall" not in accuracy.compute(**ROWS, return_signature=True)["signature"]


# ---- phrases in longer answers


def test_partial_matching_is_stricter_than_a_substring(accuracy: Any) -> None:
    predictions = ["It is Paris.", "The Parisian life", "in 1999", "LONDON, of course"]
    references = ["paris", "Paris", "99", "London"]
    result = accuracy.compute(predictions=predictions, references=references, match="contains")
    assert all(
        reference.lower() in prediction.lower() for prediction, reference in zip(predictions, references, strict=True)
    )
    assert result["match_types"] == ["contains", "none", "none", "contains"]
    assert result["individual_scores"] == [1.0, 0.0, 0.0, 1.0]
    assert (result["accuracy"], result["exact_accuracy"], result["correct"]) == (0.5, 0.5, 2)


@pytest.mark.parametrize("normalize_text", [True, False])
@pytest.mark.parametrize(
    ("prediction", "reference", "kind"),
    [
        ("The answer is: Paris!", "Paris", "contains"),
        ("(Paris)", "Paris", None),  # exact once normalized
        ("Parisian", "Paris", "none"),
        ("pi is 3.14.", "3.14", "contains"),
        ("pi is 3.14", "14", "none"),
        ("pi is 3.14", "3", "none"),
        ("I like C++", "C", "none"),
        ("I like C++.", "C++", "contains"),
        ("C++, C# and C", "C#", "contains"),
        ("down to -5 degrees", "5", "none"),
        ("the sum (-5)", "-5", "contains"),
        ("答えは東京です", "東京", "contains"),
    ],
)
def test_answer_that_contains_the_reference_matches(
    accuracy: Any, prediction: str, reference: str, kind: str | None, *, normalize_text: bool
) -> None:
    result = accuracy.compute(
        predictions=[prediction], references=[reference], match="contains", normalize_text=normalize_text
    )
    assert result["match_types"] == [kind or ("exact" if normalize_text else "contains")]


def test_contains_and_fuzzy_matches_are_distinguished(accuracy: Any) -> None:
    result = accuracy.compute(
        predictions=["in Paris", "Pariss", "Paris", "Oslo"],
        references=["Paris"] * 4,
        match="contains",
        fuzzy_match=True,
    )
    assert result["match_types"] == ["contains", "fuzzy", "exact", "none"]
    assert result["individual_scores"] == [1.0, 0.8, 1.0, 0.0]
    assert (result["correct"], result["correct_fuzzy"]) == (2, 3)
