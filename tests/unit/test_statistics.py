"""Scores as functions of column sums and their intervals, with SciPy and published values as oracles."""

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.statistics import statistic as _statistic
from answer_metrics.statistics.statistic import (
    Statistic,
    check_clusters,
    divide,
    exact_sum,
    mean,
    normal_quantile,
    pooled,
    proportion,
    t_quantile,
)
from tests.oracles import clustered_variance, counts_of_queries, pooled_f1

METHODS = ["wilson", "clopper-pearson", "bootstrap"]
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=30)
LABELS = [0, 0, 1, 1, 1, 2, 3, 3, 4, 5]
Z = 1.959963984540054


def interval(statistic: Statistic, **options: Any) -> tuple[float, float]:
    bounds = _statistic.interval(statistic, **options)
    assert bounds is not None  # as for all scores with bounds
    return bounds


def successes_of(successes: int, total: int) -> Statistic:
    """A proportion of many examples, stored as two rows with their counts."""
    counts = np.array([successes, total - successes])
    return Statistic((np.array([1.0, 0.0]), np.array([1.0, 1.0])), "proportion", divide, counts)


def wilson_at(score: float, size: float) -> tuple[float, float]:
    middle = (score + Z * Z / (2 * size)) / (1 + Z * Z / size)
    spread = Z * math.sqrt(score * (1 - score) / size + Z * Z / (4 * size * size)) / (1 + Z * Z / size)
    return middle - spread, middle + spread


def unseen(score: float, total: int) -> float:
    """The variance of half a score of 0 and half a score of 1 more, fading below 60 examples."""
    return 0.5 * ((1 - score) ** 2 + score**2) / (total * (total + 60))


@pytest.mark.parametrize("level", [1e-3, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999999])
def test_quantiles_equal_scipy(level: float) -> None:
    assert normal_quantile(level) == pytest.approx(-scipy.stats.norm.ppf((1 - level) / 2), rel=1e-12)
    for degrees in (1, 2, 3, 4, 5, 10, 59, 60, 999, 1000, 1001, 10_000, 10**6, 10**9):
        # SciPy's quantile is off by 1e-10 at 10**9 degrees of freedom and tiny levels.
        assert t_quantile(level, degrees) == pytest.approx(-scipy.stats.t.ppf((1 - level) / 2, degrees), rel=1e-9)


@given(SCORES, st.data())
def test_sum_with_counts_equals_that_of_repeated_values(values: list[float], data: Any) -> None:
    counts = data.draw(st.lists(st.integers(0, 10**12), min_size=len(values), max_size=len(values)))
    exact = sum(Fraction(value) * count for value, count in zip(values, counts, strict=True))
    assert exact_sum(np.array(values), np.array(counts)) == pytest.approx(float(exact), rel=1e-12)
    assert exact_sum(np.array(values)) == math.fsum(values)


def test_examples_without_a_score_are_ignored() -> None:
    with_gaps = mean([0.5, None, 1.0, math.nan])
    assert (with_gaps.value, with_gaps.total) == (0.75, 2)
    assert with_gaps.scored.tolist() == [True, False, True, False]
    assert with_gaps.row_scores.tolist()[::2] == [0.5, 1.0]
    assert np.isnan(with_gaps.row_scores).tolist() == [False, True, False, True]
    assert proportion(np.array([True, False])).value == 0.5
    for make in (mean, proportion):
        assert interval(make([1, None, 0, 1])) == interval(make([1, 0, 1]))
        assert interval(make(Counter([1, None, 0, 1]))) == interval(make([1, 0, 1]))
        assert interval(make([1, None, 0, 1]), clusters="abca") == interval(make([1, 0, 1]), clusters="aca")


@pytest.mark.parametrize("wrong", [2, -1, 1.5, math.inf])
def test_scores_out_of_range_are_rejected(wrong: float) -> None:
    for values in ([0.5, wrong], Counter([0.5, wrong]), [None, wrong]):
        with pytest.raises(ValueError, match=f"^scores must be between 0 and 1, got {wrong:g}$"):
            mean(values)
    assert mean([1.0 + 1e-15]).total == 1  # a rounding error


def test_no_scores_give_zero_and_the_widest_interval() -> None:
    assert (mean([]).value, mean([]).total, mean([None]).value) == (0.0, 0, 0.0)
    for method in METHODS:
        assert interval(proportion([]), method=method) == (0.0, 1.0)
    assert interval(mean([None, None])) == interval(mean([]), clusters=[]) == (0.0, 1.0)
    assert interval(mean([None, None, 0.5]), clusters=[1, 2, 2]) == (0.0, 1.0)
    assert interval(mean([1e-200, 0.0]), clusters="ab") == (0.0, 1.0)  # the effective size is nearly 0, too


@pytest.mark.parametrize("queries", [2, 10, 300])
def test_influences_equal_the_derivative_of_the_score(queries: int) -> None:
    """The partial derivatives of F1 = 2PR / (P + R)."""
    relevant, retrieved, ends, truths = counts_of_queries(3, queries).T
    precision, recall = relevant.sum() / retrieved.sum(), ends.sum() / truths.sum()
    of_precision = (relevant - precision * retrieved) / retrieved.sum()
    of_recall = (ends - recall * truths) / truths.sum()
    expected = 2 * (recall**2 * of_precision + precision**2 * of_recall) / (precision + recall) ** 2
    statistic = pooled([relevant, retrieved, ends, truths], pooled_f1)
    assert statistic.influences() == pytest.approx(expected, rel=1e-8, abs=1e-13)


@given(st.integers(1, 10**6) | st.integers(1, 20), st.data(), st.floats(1e-6, 1 - 1e-6))
def test_intervals_of_any_proportion_equal_scipy(total: int, data: Any, level: float) -> None:
    successes = data.draw(st.integers(0, total) | st.sampled_from([0, 1, total - 1, total]))
    test = scipy.stats.binomtest(successes, total)
    for method, name in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        expected = test.proportion_ci(level, method=name)
        ends = interval(successes_of(successes, total), level=level, method=method)
        assert ends == pytest.approx((expected.low, expected.high), abs=1e-8)


def test_clopper_pearson_at_its_limits() -> None:
    # With one example the tail is p, so the bound is where p is a quarter: to the last bit, as 1/4 is a float.
    assert interval(proportion([1]), level=0.5, method="clopper-pearson") == (0.25, 1.0)
    assert interval(proportion([0]), level=0.5, method="clopper-pearson") == (0.0, 0.75)
    low, high = interval(successes_of(3, 10**9), method="clopper-pearson")
    # The log-factorials are near 2e10, where one unit in the last place is 4e-6.
    assert low == pytest.approx(scipy.stats.beta.ppf(0.025, 3, 10**9 - 2), rel=1e-4)
    assert high == pytest.approx(scipy.stats.beta.ppf(0.975, 4, 10**9 - 3), rel=1e-4)


def test_bootstrap_is_reproducible() -> None:
    drawn = [interval(successes_of(81, 263), method="bootstrap", seed=seed) for seed in (0, 0, 1, 2, 2**200)]
    assert drawn[0] == drawn[1] == pytest.approx((0.2509505703422053, 0.3612167300380228), rel=1e-12)
    assert len(set(drawn)) > 1


@given(SCORES, st.floats(1e-12, 1 - 1e-12) | st.sampled_from([5e-324, math.nextafter(1, 0)]), st.booleans())
def test_every_interval_contains_the_score_and_stays_in_range(scores: list[float], level: float, grouped: bool) -> None:
    labels = [index % 3 for index in range(len(scores))] if grouped and len(scores) > 1 else None
    binary = proportion([score > 0.5 for score in scores])
    ends = [(binary, interval(binary, level=level, method=method)) for method in METHODS]
    ends += [(statistic, interval(statistic, level=level, clusters=labels)) for statistic in (mean(scores), binary)]
    for statistic, (low, high) in ends:
        assert 0.0 <= low <= statistic.value <= high <= 1.0
        assert (type(low), type(high)) == (float, float)
    low, high = interval(mean(scores), clusters=labels)
    assert low < high


@pytest.mark.parametrize("score", [0, 1])
def test_interval_of_all_zeros_or_ones_is_wilsons(score: int) -> None:
    for clusters, total in ((None, 10), (LABELS, 6)):
        expected = interval(successes_of(score * total, total))
        for statistic in (proportion([score] * 10), mean([score] * 10), pooled([[score] * 10, [1] * 10], divide)):
            assert interval(statistic, clusters=clusters) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("total", "concentration"), [(2, 10), (7, 20), (40, 3), (200, 200)])
def test_interval_of_a_mean_is_wilsons_at_the_effective_size(total: int, concentration: float) -> None:
    scores = np.random.default_rng(total).beta(0.8 * concentration, 0.2 * concentration, total)
    p = scores.mean()
    inflation = (scipy.stats.t.ppf(0.975, total - 1) / Z) ** 2
    variance = min(p * (1 - p) / total, inflation * scores.var(ddof=1) / total + unseen(p, total))
    assert interval(mean(scores)) == pytest.approx(wilson_at(p, p * (1 - p) / variance), rel=1e-9)


def test_pooled_counts_may_vary_more_than_a_proportion_of_as_many_examples() -> None:
    statistic = pooled(zip([9, 9, 9, 9], [0, 9, 0, 9], [1, 1, 1, 1], strict=True), pooled_f1)
    p, variance = statistic.value, statistic.variance()
    assert variance > p * (1 - p) / 3
    assert interval(statistic) == pytest.approx(wilson_at(p, p * (1 - p) / variance), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_clusters_give_the_t_interval_of_a_mean_and_wilsons_of_a_proportion(seed: int) -> None:
    draw = np.random.default_rng(seed)
    codes = np.arange(80) % int(draw.integers(8, 40))
    scores = np.clip(0.5 + draw.normal(0, 0.12, 80)[codes] + draw.normal(0, 0.15, 80), 0, 1)
    t = scipy.stats.t.ppf(0.975, codes.max())
    reach = t * math.sqrt(clustered_variance(scores, codes))
    expected = scores.mean() - reach, scores.mean() + reach
    assert interval(mean(scores), clusters=codes.tolist()) == pytest.approx(expected, rel=1e-9)
    answers = np.rint(scores)
    p = answers.mean()
    size = min(80, p * (1 - p) / clustered_variance(answers, codes)) * (Z / t) ** 2
    assert interval(proportion(answers), clusters=codes.tolist()) == pytest.approx(wilson_at(p, size), rel=1e-9)


@pytest.mark.parametrize(
    "scores",
    [
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.61, 0.6, 0.6, 0.6, 0.6],
        [0.99, 1.0, 0.97, 1.0, 1.0, 0.4, 1.0, 0.9, 1.0, 1.0],
        [0.01, 0.0, 0.03, 0.0, 0.0, 0.6, 0.0, 0.1, 0.0, 0.0],
    ],
    ids=["nearly equal", "near 1", "near 0"],
)
def test_clustered_mean_interval_is_widened_to_wilsons(scores: list[float]) -> None:
    """Six clusters that hardly vary, or whose t interval leaves [0, 1]."""
    statistic = mean(scores)
    p, error = statistic.value, math.sqrt(statistic.variance(np.array(LABELS)))
    t = scipy.stats.t.ppf(0.975, 5)
    around = wilson_at(p, p * (1 - p) / (error**2 + unseen(p, 6)) * (Z / t) ** 2)
    expected = max(0, min(p - t * error, around[0])), min(1, max(p + t * error, around[1]))
    assert interval(statistic, clusters=LABELS) == pytest.approx(expected, rel=1e-9)


def test_few_large_clusters_cause_a_warning() -> None:
    for sizes, warned in (
        ([9, 9, 9] + [1] * 7, True),  # as many as 4.6 clusters of equal size, fewer than half of 10
        ([9, 9, 9, 9, 9] + [1] * 5, False),  # as many as 6.1
        ([20] * 15 + [1] * 100, False),  # fewer than half of 115, but more than 15
    ):
        number, caveat = check_clusters(np.repeat(np.arange(len(sizes)), sizes).tolist())
        assert (number, bool(caveat)) == (len(sizes), warned)


def test_number_of_clusters_decides_the_width() -> None:
    # Ten samples of each question do not count as ten questions.
    answers, questions = [1, 0, 1, 1, 0, 1, 0, 1], list(range(8))
    once = interval(proportion(answers), clusters=questions)
    assert interval(proportion(answers * 10), clusters=questions * 10) == pytest.approx(once, rel=1e-12)
    # Half of each of 20 clusters is right, so the variance over clusters is 0 and n* is the number of rows.
    ratio = Z / scipy.stats.t.ppf(0.975, 19)
    ends = interval(proportion([0, 1] * 20), clusters=[index // 2 for index in range(40)])
    assert ends == pytest.approx(wilson_at(0.5, 40 * ratio**2), rel=1e-9)


def test_single_cluster_and_other_methods_with_clusters_are_rejected() -> None:
    with pytest.raises(ValueError, match="clusters has one distinct value; an interval needs at least two clusters"):
        interval(proportion([1, 0, 1]), clusters=["a", "a", "a"])
    for method in ("clopper-pearson", "bootstrap"):
        with pytest.raises(ValueError, match=f"confidence_method='{method}' assumes independent rows"):
            interval(proportion([1, 0]), method=method, clusters=[0, 1])
