"""Answer exact match: comparison character by character, and after each normalizer."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def exact_match(metric: Callable[[str], Any]) -> Any:
    return metric("answer_exact_match")


@pytest.mark.parametrize(("method", "high"), [("wilson", 0.1611), ("clopper-pearson", 0.1684), ("bootstrap", 0.0)])
def test_interval_is_by_the_method(exact_match: Any, method: str, high: float) -> None:
    wrong = {"predictions": ["a"] * 20, "references": ["b"] * 20}
    result = exact_match.compute(**wrong, return_confidence=True, confidence_method=method)
    assert result["score_confidence_interval"] == pytest.approx((0.0, high), abs=5e-5)


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
