"""Answer exact match: comparison character by character, and after each normalizer."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def exact_match(metric: Callable[[str], Any]) -> Any:
    return metric("answer_exact_match")


def test_one_of_two_matching_answers_scores_one_half(exact_match: Any) -> None:
    result = exact_match.compute(references=["Berlin", "Paris"], predictions=["Berlin", "Lyon"])
    assert result == {"score": 0.5, "individual_scores": [1, 0]}
    assert [type(score) for score in result["individual_scores"]] == [int, int]
    assert type(result["score"]) is float


def test_interval_by_each_method_and_seed(exact_match: Any) -> None:
    def bounds(predictions: str, **options: Any) -> Any:
        data = {"predictions": list(predictions), "references": ["b"] * len(predictions)}
        return exact_match.compute(**data, return_confidence=True, **options)["score_confidence_interval"]

    none_of_20 = "a" * 20
    assert bounds(none_of_20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert bounds(none_of_20, confidence_method="clopper-pearson") == pytest.approx((0.0, 0.1684), abs=5e-5)
    assert bounds(none_of_20, confidence_method="bootstrap") == (0.0, 0.0)
    assert bounds(none_of_20, confidence_level=0.5) < (0.0, 0.1)
    drawn = [bounds("aab" * 100, confidence_method="bootstrap", bootstrap_seed=seed) for seed in (0, 0, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
    narrow = bounds("aab" * 100, confidence_method="bootstrap", confidence_level=0.5)
    assert drawn[0][0] < narrow[0] < narrow[1] < drawn[0][1]


# A prediction, its reference, and whether they are equal with each normalizer.
CASES = [
    ("Berlin", "berlin", 0, 1, 1),
    ("Berlin ", "Berlin", 0, 1, 1),
    ("", "", 1, 1, 1),
    ("", " ", 0, 1, 1),
    ("café", "cafe\u0301", 0, 1, 0),
    ("a\0", "a", 0, 0, 0),  # NUL does not end a string
    ("\U0001f600", "\U0001f600", 1, 1, 1),  # outside the BMP
    ("The Seine.", "seine", 0, 0, 1),
    ("3.5", "35", 0, 0, 1),  # SQuAD's rules equate different numbers
    ("A", "the", 0, 0, 1),  # an article alone becomes empty
    ("STRASSE", "Straße", 0, 1, 0),  # SQuAD lowercases, without case folding
]
NORMALIZERS = (None, "default", "squad")


@pytest.mark.parametrize(("prediction", "reference", "none", "default", "squad"), CASES)
def test_each_normalizer_decides_as_documented(
    exact_match: Any, prediction: str, reference: str, none: int, default: int, squad: int
) -> None:
    for normalizer, score in zip(NORMALIZERS, (none, default, squad), strict=True):
        for references in ([reference], [[reference]], [["another reference", reference]]):
            result = exact_match.compute(predictions=[prediction], references=references, normalizer=normalizer)
            assert result == {"score": float(score), "individual_scores": [score]}, normalizer


def test_signature_names_the_normalizer(exact_match: Any) -> None:
    for normalizer, norm in ((None, "no"), ("default", "v1"), ("squad", "squad")):
        signature = exact_match.signature(exact_match.resolve_options({"normalizer": normalizer}))
        assert signature == f"answer_exact_match|norm:{norm}|version:{exact_match.version}"
