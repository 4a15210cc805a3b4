"""Answer exact match: comparison character by character, and after each normalizer."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def exact_match(metric: Callable[[str], Any]) -> Any:
    return metric("answer_exact_match")


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
