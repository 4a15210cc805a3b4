"""Intervals of means, micro averages and clustered scores."""

import math
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._distributions import student_t_quantile
from metrics._shared._intervals import proportion_interval
from metrics._shared._score_intervals import row_scores
from metrics._shared._score_intervals import score_interval
from metrics._shared._statistics import divide_sums
from metrics._shared._statistics import mean_statistic
from metrics._shared._statistics import pooled_statistic
from metrics._shared._statistics import proportion_statistic
from metrics._shared._statistics import sampling_variance

from .test_statistics import counts_of_queries
from .test_statistics import f1

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)
LABELS = [0, 0, 1, 1, 1, 2, 3, 3, 4, 5]


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "bootstrap"])
@pytest.mark.parametrize(("successes", "failures"), [(0, 4), (3, 1), (40, 60), (9, 0)])
def test_proportions_keep_their_methods(method: str, successes: int, failures: int) -> None:
    statistic = proportion_statistic([1] * successes + [0] * failures)
    assert score_interval(statistic, method=method, level=0.9, seed=3) == proportion_interval(
        successes, successes + failures, method=method, level=0.9, seed=3
    )


@given(st.lists(st.booleans(), min_size=1, max_size=50), st.floats(0.5, 0.999))
def test_interval_of_zeros_and_ones_is_wilsons(scores: list[bool], level: float) -> None:
    expected = proportion_interval(sum(scores), len(scores), level=level)
    assert score_interval(mean_statistic(scores), level=level) == pytest.approx(expected, abs=1e-12)


@given(SCORES, st.floats(0.01, 0.999), st.sampled_from([None, 3]))
def test_interval_has_a_width_and_contains_the_score(scores: list[float], level: float, clusters: int | None) -> None:
    statistic = mean_statistic(scores)
    labels = [index % clusters for index in range(len(scores))] if clusters and len(scores) > 1 else None
    low, high = score_interval(statistic, level=level, clusters=labels)
    assert 0.0 <= low <= statistic.value <= high <= 1.0
    assert high > low
    assert (type(low), type(high)) == (float, float)


@pytest.mark.parametrize("clusters", [None, LABELS])
@pytest.mark.parametrize("kind", ["proportion", "mean", "function"])
@pytest.mark.parametrize("score", [0, 1])
def test_interval_of_all_zeros_or_ones_is_wilsons(kind: str, score: int, clusters: list[int] | None) -> None:
    """Ten examples, or six clusters, that all score 0 or all score 1."""
    statistic = {
        "proportion": lambda: proportion_statistic([score] * 10),
        "mean": lambda: mean_statistic([score] * 10),
        "function": lambda: pooled_statistic([[score] * 10, [1] * 10], lambda sums: sums[..., 0] / sums[..., 1]),
    }[kind]()
    total = 10 if clusters is None else 6
    expected = proportion_interval(score * total, total)
    assert score_interval(statistic, clusters=clusters) == pytest.approx(expected, abs=1e-12)


def wilson(score: float, size: float, z: float = 1.959963984540054) -> tuple[float, float]:
    middle = (score + z * z / (2 * size)) / (1 + z * z / size)
    spread = z * math.sqrt(score * (1 - score) / size + z * z / (4 * size * size)) / (1 + z * z / size)
    return middle - spread, middle + spread


def unseen(score: float, total: int) -> float:
    """Half a score of 0 and half a score of 1 more, fading below 60 examples."""
    return 0.5 * ((1 - score) ** 2 + score**2) / (total * (total + 60))


@pytest.mark.parametrize(("total", "concentration"), [(2, 10), (7, 20), (40, 3), (200, 200)])
def test_interval_of_a_mean_is_wilsons_at_the_effective_size(total: int, concentration: float) -> None:
    scores = np.random.default_rng(total).beta(0.8 * concentration, 0.2 * concentration, total)
    p = scores.mean()
    inflation = (scipy.stats.t.ppf(0.975, total - 1) / scipy.stats.norm.ppf(0.975)) ** 2
    variance = min(p * (1 - p) / total, inflation * scores.var(ddof=1) / total + unseen(p, total))
    assert score_interval(mean_statistic(scores)) == pytest.approx(wilson(p, p * (1 - p) / variance), rel=1e-9)


@pytest.mark.parametrize(
    "scores",
    [
        [0.6] * 10,
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.61, 0.6, 0.6, 0.6, 0.6],
        [0.99, 1.0, 0.97, 1.0, 1.0, 0.4, 1.0, 0.9, 1.0, 1.0],
        [0.01, 0.0, 0.03, 0.0, 0.0, 0.6, 0.0, 0.1, 0.0, 0.0],
    ],
    ids=["equal", "nearly equal", "near 1", "near 0"],
)
def test_clustered_mean_interval_is_widened_to_wilsons(scores: list[float]) -> None:
    """Six clusters that hardly vary, or whose t interval leaves [0, 1]."""
    statistic = mean_statistic(scores)
    p, error = statistic.value, math.sqrt(sampling_variance(statistic, np.array(LABELS)))
    t, z = scipy.stats.t.ppf(0.975, 5), scipy.stats.norm.ppf(0.975)
    size = p * (1 - p) / (error**2 + unseen(p, 6)) * (z / t) ** 2
    around = wilson(p, size)
    expected = max(0, min(p - t * error, around[0])), min(1, max(p + t * error, around[1]))
    assert score_interval(statistic, clusters=LABELS) == pytest.approx(expected, rel=1e-9)


def test_two_clusters_are_enough() -> None:
    low, high = score_interval(mean_statistic([0.4, 0.5, 0.6, 0.7]), clusters=["a", "a", "b", "b"])
    assert (low, high) == (0.0, 1.0)
    low, high = score_interval(mean_statistic([0.4, 0.7, 0.4, 0.7]), clusters=["a", "a", "b", "b"])
    assert high - low < 1


def test_clusters_without_variance_keep_the_number_of_rows() -> None:
    """Half of each of 20 clusters is right, so the variance over clusters is 0 and n* is the number of rows."""
    statistic = proportion_statistic([0, 1] * 20)
    ratio = scipy.stats.norm.ppf(0.975) / scipy.stats.t.ppf(0.975, 19)
    found = score_interval(statistic, clusters=[index // 2 for index in range(40)])
    assert found == pytest.approx(wilson(0.5, 40 * ratio**2), rel=1e-9)


def test_row_scores_equal_the_score_of_each_row() -> None:
    assert row_scores(mean_statistic([0.3, None, 1.0])).tolist()[::2] == [0.3, 1.0]
    assert math.isnan(row_scores(mean_statistic([0.3, None, 1.0]))[1])
    pooled = pooled_statistic([[1, 0, 2], [2, 0, 2]], divide_sums)
    assert row_scores(pooled).tolist() == [0.5, 0.0, 1.0]


def test_equal_scores_inside_the_range_have_a_nonzero_width() -> None:
    for clusters in (None, LABELS):
        low, high = score_interval(mean_statistic([0.6] * 10), clusters=clusters)
        assert 0.2 < low < 0.58
        assert 0.62 < high < 0.9


def test_medium_scores_get_the_t_interval() -> None:
    scores = np.random.default_rng(2).beta(3, 3, size=400)
    reach = student_t_quantile(0.95, 399) * scores.std(ddof=1) / 20
    low, high = score_interval(mean_statistic(scores))
    assert (low, high) == pytest.approx((scores.mean() - reach, scores.mean() + reach), abs=0.02 * reach)


@pytest.mark.parametrize("seed", range(20))
def test_clustered_means_equal_statsmodels(seed: int) -> None:
    random = np.random.default_rng(seed)
    number = int(random.integers(8, 40))
    codes = random.integers(number, size=6 * number)
    scores = np.clip(0.5 + random.normal(0, 0.12, number)[codes] + random.normal(0, 0.15, len(codes)), 0, 1)
    model = sm.OLS(scores, np.ones(len(scores))).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    low, high = score_interval(mean_statistic(scores), level=0.9, clusters=codes.tolist())
    assert (low, high) == pytest.approx(tuple(model.conf_int(0.1)[0]), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_clustered_proportion_is_wilsons_at_the_effective_size(seed: int) -> None:
    random = np.random.default_rng(seed)
    codes = random.integers(12, size=80)
    answers = (random.random(80) < random.beta(2, 1, 12)[codes]).astype(int)
    p, groups = answers.mean(), len(set(codes.tolist()))
    variance = groups / (groups - 1) * sum(((answers[codes == g] - p).sum() / 80) ** 2 for g in set(codes.tolist()))
    z, t = 1.959963984540054, student_t_quantile(0.95, groups - 1)
    size = min(80, p * (1 - p) / variance) * (z / t) ** 2
    middle = (p + z * z / (2 * size)) / (1 + z * z / size)
    spread = z * math.sqrt(p * (1 - p) / size + z * z / (4 * size * size)) / (1 + z * z / size)
    interval = score_interval(proportion_statistic(answers), clusters=codes.tolist())
    assert interval == pytest.approx((middle - spread, middle + spread), rel=1e-9)


def test_repeated_rows_in_clusters_do_not_narrow_the_interval() -> None:
    """Ten samples of one question do not count as ten questions."""
    answers, questions = [1, 0, 1, 1, 0, 1, 0, 1], list(range(8))
    once = score_interval(proportion_statistic(answers), clusters=questions)
    repeated = score_interval(proportion_statistic(answers * 10), clusters=questions * 10)
    assert repeated == pytest.approx(once, rel=1e-12)


@pytest.mark.parametrize("clusters", [["a", "a", "a"], [7, 7, 7]])
def test_single_cluster_is_rejected(clusters: list[Any]) -> None:
    with pytest.raises(ValueError, match="two clusters"):
        score_interval(proportion_statistic([1, 0, 1]), clusters=clusters)


@pytest.mark.parametrize("method", ["clopper-pearson", "bootstrap"])
def test_other_methods_with_clusters_are_rejected(method: str) -> None:
    with pytest.raises(ValueError, match=f"confidence_method='{method}'"):
        score_interval(proportion_statistic([1, 0]), method=method, clusters=[0, 1])


def test_no_scores_give_the_widest_interval() -> None:
    assert score_interval(mean_statistic([])) == (0.0, 1.0)
    assert score_interval(mean_statistic([None, None])) == (0.0, 1.0)
    assert score_interval(mean_statistic([]), clusters=[]) == (0.0, 1.0)
    assert score_interval(mean_statistic([None, None, 0.5]), clusters=[1, 2, 2]) == (0.0, 1.0)


@pytest.mark.parametrize("make", [proportion_statistic, mean_statistic])
def test_rows_without_a_score_are_ignored(make: Callable[..., Any]) -> None:
    assert score_interval(make([1, None, 0, 1])) == score_interval(make([1, 0, 1]))
    with_gap = score_interval(make([1, None, 0, 1]), clusters=["a", "b", "c", "a"])
    assert with_gap == score_interval(make([1, 0, 1]), clusters=["a", "c", "a"])


@pytest.mark.parametrize("clusters", [None, "abbcc"])
def test_row_order_does_not_change_the_interval(clusters: str | None) -> None:
    rows = list(zip([0.1, 0.3, 0.85, 1.0, 0.7], clusters or "aaaaa", strict=True))
    intervals = set()
    for order in permutations(rows):
        scores, labels = zip(*order, strict=True)
        intervals.add(score_interval(mean_statistic(scores), clusters=labels if clusters else None))
    assert len(intervals) == 1


@pytest.mark.parametrize("level", [5e-324, 1e-12, 1 - 1e-12, math.nextafter(1, 0)])
@pytest.mark.parametrize("clusters", [None, LABELS])
@pytest.mark.parametrize("make", [proportion_statistic, mean_statistic])
def test_intervals_at_extreme_levels_stay_in_range(level: float, clusters: list[int] | None, make: Any) -> None:
    low, high = score_interval(make([0, 1] * 5), level=level, clusters=clusters)
    assert 0.0 <= low <= 0.5 <= high <= 1.0


def test_micro_average_interval_is_wider_than_for_independent_counts() -> None:
    """The sampling unit is the query: with unequal queries the pooled precision varies more than a proportion."""
    found, retrieved = [0, 50, 2, 40], [50, 50, 2, 40]
    statistic = pooled_statistic([found, retrieved], lambda sums: sums[..., 0] / sums[..., 1])
    low, high = score_interval(statistic)
    naive = proportion_interval(sum(found), sum(retrieved))
    assert high - low > 2 * (naive[1] - naive[0])


def test_micro_average_of_many_queries_gets_the_normal_interval() -> None:
    statistic = pooled_statistic(counts_of_queries(1, 3000), f1)
    left_out = f1(statistic.sums() - statistic.rows)
    error = math.sqrt(2999 / 3000 * ((left_out - left_out.mean()) ** 2).sum())
    low, high = score_interval(statistic)
    expected = statistic.value - 1.96 * error, statistic.value + 1.96 * error
    assert (low, high) == pytest.approx(expected, abs=0.02 * error)
