"""Fuzzy matching: ties decided in integers, scorers compared with RapidFuzz, and thresholds."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from metrics.accuracy._answer_matching import Matching
from metrics.accuracy._answer_matching import match_answers
from metrics.accuracy._similarity import Scorer
from metrics.accuracy._similarity import pairwise_similarities
from tests import oracles

Load = Callable[[str], Any]
SCORERS: tuple[Scorer, ...] = get_args(Scorer)


@pytest.fixture
def accuracy(metric: Load) -> Any:
    return metric("accuracy")


THRESHOLDS = [0.1, 0.15, 0.3, 1 / 3, 0.35, 0.55, 0.6, 0.65, 2 / 3, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.96, 0.99, 1.0]


def fraction(threshold: float) -> Fraction:
    """Return the number that a user means by a threshold: 0.8 is 8/10, 0.3333333333333333 is 1/3."""
    return Fraction(threshold).limit_denominator(1000)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("scorer", ["ratio", "token_sort_ratio"])
def test_ratio_equal_to_the_threshold_is_a_match(scorer: Scorer, threshold: float) -> None:
    """All lengths up to 150, with numbers of common letters around the threshold."""
    exact = fraction(threshold)
    for length in range(2, 151):
        short = length // 2
        border = math.floor(exact * length / 2)
        for common in range(max(0, border - 1), min(short, border + 2) + 1):
            one = "a" * common + "b" * (short - common)
            other = "a" * common + "c" * (length - short - common)
            found = match_answers([one], [other], rules=Matching(scorer=scorer, fuzzy_threshold=threshold))
            (kind,), (value,) = found.types, found.similarities
            assert value == 2 * common / length or kind == "exact"
            expected = "exact" if one == other else "fuzzy" if Fraction(2 * common, length) >= exact else "none"
            assert kind == expected, (common, length)


@pytest.mark.parametrize("threshold", THRESHOLDS[:-1])
def test_partial_ratio_equal_to_the_threshold_is_a_match(threshold: float) -> None:
    """The best-matching part of the second text is its run of a's."""
    for common in range(1, 60):
        for rest in range(1, 60):
            one, other = "a" * common + "b" * rest, "a" * common + "c" * rest
            rules = Matching(scorer="partial_ratio", fuzzy_threshold=threshold)
            (kind,) = match_answers([one], [other], rules=rules).types
            expected = Fraction(2 * common, 2 * common + rest) >= fraction(threshold)
            assert kind == ("fuzzy" if expected else "none"), (common, rest)


words = st.text("ab c", max_size=12)


@given(words, words)
def test_ratio_equals_the_textbook_formula(one: str, other: str) -> None:
    assert pairwise_similarities([one], [other]) == [float(oracles.ratio(one, other))]


@pytest.mark.parametrize("scorer", SCORERS)
@given(st.one_of(words, st.text(max_size=12)), st.one_of(words, st.text(max_size=12)))
def test_scorers_equal_rapidfuzz(scorer: Scorer, one: str, other: str) -> None:
    (value,) = pairwise_similarities([one], [other], scorer)
    assert value == pytest.approx(getattr(fuzz, scorer)(one, other) / 100, abs=1e-12)
    assert 0.0 <= value <= 1.0
    assert type(value) is float


@pytest.mark.parametrize(
    ("scorer", "one", "other", "expected"),
    [
        ("ratio", "shakespear", "shakespeare", 20 / 21),
        ("partial_ratio", "paris", "the city of paris", 1.0),
        ("token_sort_ratio", "york new", "new york", 1.0),
        ("token_set_ratio", "paris", "not paris", 1.0),
        ("WRatio", "york new", "new york", 0.95),
    ],
)
def test_scorers_give_different_similarities(accuracy: Any, scorer: str, one: str, other: str, expected: float) -> None:
    result = accuracy.compute(predictions=[one], references=[other], fuzzy_match=True, fuzzy_scorer=scorer)
    assert result["similarities"] == [pytest.approx(expected)]
    assert result["match_types"] == ["fuzzy"]


def test_thresholds_of_zero_and_one_are_accepted(accuracy: Any) -> None:
    data = {"predictions": ["a", "b"], "references": ["a", "c"], "fuzzy_match": True}
    assert accuracy.compute(**data, fuzzy_threshold=0)["match_types"] == ["exact", "fuzzy"]
    assert accuracy.compute(**data, fuzzy_threshold=0)["individual_scores"] == [1.0, 0.0]
    assert accuracy.compute(**data, fuzzy_threshold=1)["match_types"] == ["exact", "none"]


def test_default_rules_neither_match_fuzzily_nor_report_similarities() -> None:
    found = match_answers(["in Paris", "Pariss", "Paris!"], ["paris"] * 3)
    assert (found.types, found.similarities) == (["none", "none", "exact"], [])


def test_default_threshold_is_the_documented_one() -> None:
    assert match_answers(["Shakespear", "abcd"], ["Shakespeare", "wxyz"], rules=Matching(scorer="ratio")).types == [
        "fuzzy",
        "none",
    ]


def test_rows_scored_with_fuzzy_matching_aggregate_with_it(accuracy: Any) -> None:
    """Without the option, a fuzzy match would count as none."""
    rows = accuracy.score_batch({"predictions": ["Shakespear"], "references": ["Shakespeare"]}, fuzzy_match=True)
    with pytest.raises(ValueError, match="scored with fuzzy_match=True; pass the same option to aggregate"):
        accuracy.aggregate(rows)
    assert accuracy.aggregate(rows, fuzzy_match=True)["accuracy"] == 1.0
