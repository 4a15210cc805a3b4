"""Statistics as functions of column sums, and the distributions behind intervals and tests."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._distributions import binomial_tail
from metrics._shared._distributions import normal_quantile
from metrics._shared._distributions import student_t_quantile
from metrics._shared._distributions import student_t_tail
from metrics._shared._statistics import Statistic
from metrics._shared._statistics import cluster_codes
from metrics._shared._statistics import exact_sum
from metrics._shared._statistics import mean_statistic
from metrics._shared._statistics import pooled_statistic
from metrics._shared._statistics import proportion_statistic
from metrics._shared._statistics import sampling_variance

DEGREES = [1, 2, 3, 4, 5, 7, 10, 29, 58, 59, 60, 61, 99, 500, 999, 9999, 10_000, 10_001, 10**6, 10**9]
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def f1(sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """F1 of (relevant, retrieved, found, ground truths)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
        return np.asarray(np.nan_to_num(2 * precision * recall / (precision + recall)))


def counts_of_queries(seed: int, queries: int) -> list[list[int]]:
    random = np.random.default_rng(seed)
    retrieved, truths = random.integers(1, 9, queries), random.integers(1, 4, queries)
    return [random.binomial(retrieved, 0.4).tolist(), retrieved.tolist(), random.binomial(truths, 0.7).tolist(),
            truths.tolist()]  # fmt: skip


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("level", [1e-3, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-9, math.nextafter(1, 0)])
def test_student_t_quantile_equals_scipy(level: float, degrees: int) -> None:
    expected = -scipy.stats.t.ppf((1 - level) / 2, degrees)
    # SciPy's quantile is off by 1e-10 at 10**9 degrees of freedom and tiny levels.
    assert student_t_quantile(level, degrees) == pytest.approx(expected, rel=1e-11, abs=1e-12)


@given(st.floats(0, 50), st.integers(1, 5000))
def test_student_t_tail_equals_scipy(t: float, degrees: int) -> None:
    assert student_t_tail(t, degrees) == pytest.approx(scipy.stats.t.sf(t, degrees), rel=1e-10)


@given(st.floats(1e-6, 1 - 1e-6))
def test_normal_quantile_equals_scipy(level: float) -> None:
    assert normal_quantile(level) == pytest.approx(-scipy.stats.norm.ppf((1 - level) / 2), rel=1e-9)


def test_level_near_zero_has_a_positive_quantile() -> None:
    assert 0 < normal_quantile(5e-324) < 1e-9
    assert 0 < student_t_quantile(5e-324, 3) < 1e-9


@given(st.integers(1, 10_000), st.data(), st.floats(1e-3, 1 - 1e-3))
def test_binomial_tail_equals_scipy(total: int, data: Any, p: float) -> None:
    successes = data.draw(st.integers(1, total))
    expected = scipy.stats.binom.sf(successes - 1, total, p)
    assert binomial_tail(successes, total, p) == pytest.approx(expected, rel=1e-8, abs=1e-300)


@given(SCORES, st.data())
def test_weighted_sum_is_the_exact_sum_rounded_once(values: list[float], data: Any) -> None:
    counts = data.draw(st.lists(st.integers(0, 10**12), min_size=len(values), max_size=len(values)))
    exact = sum(Fraction(value) * count for value, count in zip(values, counts, strict=True))
    # Subnormal numbers have too few bits to be split.
    assert exact_sum(np.array(values), np.array(counts)) == pytest.approx(float(exact), rel=0, abs=1e-290)


@given(SCORES)
def test_counts_are_equivalent_to_repeated_rows(scores: list[float]) -> None:
    counts = np.arange(1, len(scores) + 1)
    compressed = mean_statistic(scores, counts)
    repeated = mean_statistic(np.repeat(scores, counts))
    assert (compressed.value, compressed.total) == (repeated.value, repeated.total)
    assert sampling_variance(compressed) == pytest.approx(sampling_variance(repeated), rel=1e-12)


@given(SCORES, st.randoms(use_true_random=False))
def test_row_order_does_not_change_statistics(scores: list[float], random: Any) -> None:
    labels = [index // 3 for index in range(len(scores))]
    pairs = list(zip(scores, labels, strict=True))
    random.shuffle(pairs)
    shuffled, moved = zip(*pairs, strict=True)
    before, after = mean_statistic(scores), mean_statistic(shuffled)
    assert before.value == after.value
    assert sampling_variance(before) == sampling_variance(after)
    assert sampling_variance(before, cluster_codes(labels)) == sampling_variance(after, cluster_codes(moved))


def test_examples_without_a_score_are_ignored() -> None:
    with_gaps = mean_statistic([0.5, None, 1.0, math.nan])
    assert (with_gaps.value, with_gaps.total) == (0.75, 2)
    assert with_gaps.scored.tolist() == [True, False, True, False]
    assert proportion_statistic([True, None, 0, 1]).value == pytest.approx(2 / 3)


def test_no_examples_score_zero() -> None:
    assert (mean_statistic([]).value, mean_statistic([]).total) == (0.0, 0)
    assert mean_statistic([None]).value == 0.0


@pytest.mark.parametrize("queries", [2, 10, 300])
def test_influences_equal_the_derivative_of_the_score(queries: int) -> None:
    """Compare with the partial derivatives of F1 = 2PR/(P+R)."""
    columns = counts_of_queries(3, queries)
    statistic = pooled_statistic(columns, f1)
    relevant, retrieved, found, truths = (np.array(column, dtype=float) for column in columns)
    precision, recall = relevant.sum() / retrieved.sum(), found.sum() / truths.sum()
    of_precision = (relevant - precision * retrieved) / retrieved.sum()
    of_recall = (found - recall * truths) / truths.sum()
    expected = 2 * (recall**2 * of_precision + precision**2 * of_recall) / (precision + recall) ** 2
    assert statistic.influences() == pytest.approx(expected, rel=1e-8, abs=1e-13)


def test_variance_of_a_pooled_score_is_close_to_the_jackknife() -> None:
    columns = counts_of_queries(5, 400)
    statistic = pooled_statistic(columns, f1)
    left_out = f1(statistic.sums() - statistic.rows)
    jackknife = 399 / 400 * ((left_out - left_out.mean()) ** 2).sum()
    assert sampling_variance(statistic) == pytest.approx(jackknife, rel=0.02)


@given(st.integers(2, 40), st.integers(2, 8), st.integers(0, 10**6))
def test_variance_of_a_mean_equals_statsmodels(total: int, clusters: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    scores, codes = random.random(total), np.arange(total) % clusters
    statistic = mean_statistic(scores)
    assert sampling_variance(statistic) == pytest.approx(scores.var(ddof=1) / total, rel=1e-9)
    if total > clusters:
        model = sm.OLS(scores, np.ones(total)).fit(cov_type="cluster", cov_kwds={"groups": codes})
        assert sampling_variance(statistic, codes) == pytest.approx(model.bse[0] ** 2, rel=1e-9)


def test_singleton_clusters_equal_rows() -> None:
    statistic: Statistic = mean_statistic([0.1, 0.9, 0.4, 0.4])
    assert sampling_variance(statistic, np.arange(4)) == pytest.approx(sampling_variance(statistic), rel=1e-12)
