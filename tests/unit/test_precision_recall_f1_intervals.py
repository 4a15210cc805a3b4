"""precision_recall_f1: formulas compared with fractions, intervals compared with a plain bootstrap."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.precision_recall_f1.precision_recall_f1 import scores


@pytest.fixture(scope="module")
def retrieval(metric: Callable[[str], Any]) -> Any:
    return metric("precision_recall_f1")


def compute(retrieval: Any, retrieved: list[list[str]], ground_truth: list[list[str]], **options: Any) -> Any:
    return retrieval.compute(predictions=retrieved, references=ground_truth, **options)


def random_queries(count: int) -> tuple[list[list[str]], list[list[str]]]:
    """Make queries whose precision is low and whose recall is high."""
    rng = random.Random(0)  # noqa: S311  # test data
    retrieved = [rng.choices("abcdefgh", k=rng.randint(1, 12)) for _ in range(count)]
    return retrieved, [rng.choices("abc", k=rng.randint(1, 3)) for _ in range(count)]


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_intervals_contain_the_score_and_widen_with_the_level(retrieval: Any, average: str) -> None:
    retrieved, truths = random_queries(200)
    options = {"matching_strategy": "EXACT_CHUNK_MATCH", "average": average, "return_confidence": True}
    result = compute(retrieval, retrieved, truths, **options)
    wide = compute(retrieval, retrieved, truths, **options, confidence_level=0.99)
    order = random.Random(1).sample(range(200), 200)  # noqa: S311  # test data
    shuffled = compute(retrieval, [retrieved[i] for i in order], [truths[i] for i in order], **options)
    assert shuffled == result
    for name in ("precision", "recall", "f1"):
        low, high = result[f"{name}_confidence_interval"]
        assert 0 <= low < result[name] < high <= 1
        assert wide[f"{name}_confidence_interval"][0] < low < high < wide[f"{name}_confidence_interval"][1]


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_intervals_are_close_to_the_bootstrap_over_queries(retrieval: Any, average: str) -> None:
    """Compare with a plain percentile bootstrap, whose error at 2000 resamples is below 0.01 here."""
    retrieved, truths = random_queries(60)
    result = compute(
        retrieval, retrieved, truths, matching_strategy="EXACT_CHUNK_MATCH", average=average, return_confidence=True
    )
    rng = random.Random(3)  # noqa: S311  # test data
    counts = [
        (sum(x in t for x in r), len(r), len(set(r) & set(t)), len(set(t)))
        for r, t in zip(retrieved, truths, strict=True)
    ]
    resampled = []
    for _ in range(2000):
        drawn = rng.choices(counts, k=60)
        if average == "micro":
            drawn = [tuple(map(sum, zip(*drawn, strict=True)))]  # type: ignore[list-item]  # four sums
        ratios = [(a / b, c / d) for a, b, c, d in drawn]
        each = [(p, r, 2 * p * r / (p + r) if p + r else 0.0) for p, r in ratios]
        resampled.append([sum(column) / len(drawn) for column in zip(*each, strict=True)])
    for index, name in enumerate(("precision", "recall", "f1")):
        expected = np.quantile([row[index] for row in resampled], [0.025, 0.975])
        assert result[f"{name}_confidence_interval"] == pytest.approx(tuple(expected), abs=0.015)


@given(st.lists(st.tuples(*[st.integers(0, 10**6)] * 4), min_size=1, max_size=5))
def test_scores_equal_the_formulas(rows: list[tuple[int, int, int, int]]) -> None:
    rows = [(min(a, b), b, min(c, d), d) for a, b, c, d in rows]
    for (a, b, c, d), (precision, recall, f1) in zip(rows, scores(np.array(rows)).tolist(), strict=True):
        assert precision == (a / b if b else 0.0)
        assert recall == (c / d if d else 0.0)
        p, r = Fraction(a, b or 1), Fraction(c, d or 1)
        assert f1 == pytest.approx(float(2 * p * r / (p + r)) if p + r else 0.0)
        assert 0 <= f1 <= 1
