"""The signature of accuracy: different where scores can differ, equal where they cannot."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

Load = Callable[[str], Any]


@pytest.fixture
def accuracy(metric: Load) -> Any:
    return metric("accuracy")


def last_line(text: str) -> str:
    return text.splitlines()[-1].strip() if text else ""


CHANGES_SCORES: list[dict[str, Any]] = [
    {},
    {"case_sensitive": True},
    {"normalize_text": False},
    {"normalize_text": False, "case_sensitive": True},
    {"fuzzy_match": True},
    {"fuzzy_match": True, "fuzzy_threshold": 0.7},
    {"fuzzy_match": True, "fuzzy_threshold": 0.7000000001},
    {"fuzzy_match": True, "fuzzy_scorer": "WRatio"},
    {"match": "contains"},
    {"match": "contains", "fuzzy_match": True},
    {"normalizer": last_line},
    {"normalizer": str.lower},
]


def signature(accuracy: Any, **options: Any) -> str:
    signed: str = accuracy.compute(predictions=["a"], references=["a"], return_signature=True, **options)["signature"]
    return signed


def test_signatures_tell_what_can_differ(accuracy: Any) -> None:
    signatures = [signature(accuracy, **options) for options in CHANGES_SCORES]
    assert all(one != other for one, other in combinations(signatures, 2))
    assert signatures[0] == f"accuracy|case:no|norm:v1|fuzzy:no|version:{accuracy.version}"
    assert signatures[3] == f"accuracy|case:yes|norm:no|fuzzy:no|version:{accuracy.version}"


@pytest.mark.parametrize(
    "options",
    [
        {"return_details": False},
        {"return_confidence": False},
        {"confidence_level": 0.5},
        {"confidence_method": "bootstrap"},
        {"bootstrap_seed": 5},
        {"fuzzy_threshold": 0.5},
        {"fuzzy_scorer": "WRatio"},
    ],
)
def test_signatures_do_not_tell_what_cannot(accuracy: Any, options: dict[str, Any]) -> None:
    """Threshold and scorer are included with fuzzy matching only."""
    assert signature(accuracy, **options) == signature(accuracy)


def test_a_lambda_is_refused_before_anything_is_scored(accuracy: Any) -> None:
    with pytest.raises(ValueError, match=r"^accuracy: <function .*<lambda>.* cannot be signed"):
        signature(accuracy, normalizer=lambda _: 1 / 0)
