"""Confidence intervals: published values, scipy as oracle, and what every interval must hold to."""

import math
import random
import tracemalloc
from itertools import permutations
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared import _intervals
from metrics._shared._intervals import bootstrap_interval
from metrics._shared._intervals import mean_interval
from metrics._shared._intervals import proportion_interval
from metrics._shared._intervals import resampled_sums

METHODS = ["wilson", "clopper-pearson", "bootstrap"]
PROPORTIONS = [(0, 1), (1, 1), (0, 20), (20, 20), (1, 2), (1, 29), (15, 148), (81, 263), (999, 1000), (1, 10**6)]
PROPORTIONS += [(0, 10**6), (10**6, 10**6), (10**6 - 1, 10**6), (500_000, 10**6), (123_456, 10**6)]


@pytest.mark.parametrize(
    ("successes", "total", "wilson", "clopper_pearson"),
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_published_values(
    successes: int, total: int, wilson: tuple[float, float], clopper_pearson: tuple[float, float]
) -> None:
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, methods 3 and 5."""
    assert proportion_interval(successes, total) == pytest.approx(wilson, abs=5e-5)
    assert proportion_interval(successes, total, method="clopper-pearson") == pytest.approx(clopper_pearson, abs=5e-5)


@pytest.mark.parametrize(("successes", "total"), PROPORTIONS)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
def test_equals_scipy(successes: int, total: int, level: float, method: str, theirs: str) -> None:
    expected = scipy.stats.binomtest(successes, total).proportion_ci(level, method=theirs)
    assert proportion_interval(successes, total, level=level, method=method) == pytest.approx(
        (expected.low, expected.high), abs=1e-9
    )


@pytest.mark.parametrize(("successes", "total"), PROPORTIONS)
def test_clopper_pearson_is_a_quantile_of_beta(successes: int, total: int) -> None:
    low, high = proportion_interval(successes, total, method="clopper-pearson")
    if successes:
        assert low == pytest.approx(scipy.stats.beta.ppf(0.025, successes, total - successes + 1), abs=1e-9)
    if successes < total:
        assert high == pytest.approx(scipy.stats.beta.ppf(0.975, successes + 1, total - successes), abs=1e-9)


def test_clopper_pearson_of_one_example_is_the_level_itself() -> None:
    """With one example the tail is p, and so the bound is where p is a quarter: to the last bit, as 1/4 is a float."""
    assert proportion_interval(1, 1, level=0.5, method="clopper-pearson") == (0.25, 1.0)
    assert proportion_interval(0, 1, level=0.5, method="clopper-pearson") == (0.0, 0.75)


def test_clopper_pearson_of_a_few_among_a_thousand_million() -> None:
    """As many rows as docs/at-scale.md is about: only the terms that count are added up."""
    low, high = proportion_interval(3, 10**9, method="clopper-pearson")
    # The logarithms of the factorials are near 2e10, whose last bit is 4e-6.
    assert low == pytest.approx(scipy.stats.beta.ppf(0.025, 3, 10**9 - 2), rel=1e-4)
    assert high == pytest.approx(scipy.stats.beta.ppf(0.975, 4, 10**9 - 3), rel=1e-4)


@given(st.integers(1, 5000), st.data(), st.floats(1e-6, 1 - 1e-6))
def test_proportions_agree_with_scipy_everywhere(total: int, data: Any, level: float) -> None:
    successes = data.draw(st.integers(0, total))
    test = scipy.stats.binomtest(successes, total)
    for method, theirs in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        expected = test.proportion_ci(level, method=theirs)
        assert proportion_interval(successes, total, level=level, method=method) == pytest.approx(
            (expected.low, expected.high), abs=1e-8
        )


@pytest.mark.parametrize(("successes", "total"), [(1, 2), (15, 148), (81, 263), (900, 1000), (123_456, 10**6)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_bootstrap_of_a_proportion_is_near_the_binomial_quantiles(successes: int, total: int, level: float) -> None:
    low, high = proportion_interval(successes, total, level=level, method="bootstrap")
    score = successes / total
    expected = scipy.stats.binom.ppf([(1 - level) / 2, (1 + level) / 2], total, score) / total
    # The quantiles of 1000 draws wander by a few per cent of the width.
    spread = math.sqrt(score * (1 - score) / total)
    assert low == pytest.approx(expected[0], abs=0.3 * spread + 1 / total)
    assert high == pytest.approx(expected[1], abs=0.3 * spread + 1 / total)


@given(st.integers(1, 10**6), st.data(), st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_every_interval_contains_the_score_and_stays_inside(total: int, data: Any, level: float) -> None:
    successes = data.draw(st.integers(0, total))
    for method in METHODS:
        low, high = proportion_interval(successes, total, level=level, method=method)
        assert 0.0 <= low <= successes / total <= high <= 1.0
        assert (type(low), type(high)) == (float, float)


@pytest.mark.parametrize("level", [5e-324, 1e-12, 1 - 1e-12, math.nextafter(1, 0)])
@pytest.mark.parametrize("method", METHODS)
def test_extreme_levels(level: float, method: str) -> None:
    """The last number below 1 is a level too: (1 + level) / 2 would round to 1."""
    low, high = proportion_interval(3, 4, level=level, method=method)
    assert 0.0 <= low <= 0.75 <= high <= 1.0
    low, high = mean_interval([0.0, 0.5, 1.0], 0.5, level=level)
    assert 0.0 <= low <= 0.5 <= high <= 1.0


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_never_degenerate_at_the_ends(method: str) -> None:
    assert proportion_interval(0, 5, method=method)[0] == 0.0
    assert 0.3 < proportion_interval(0, 5, method=method)[1] < 0.6
    assert proportion_interval(5, 5, method=method)[1] == 1.0
    assert 0.4 < proportion_interval(5, 5, method=method)[0] < 0.7


@pytest.mark.parametrize("method", METHODS)
def test_mirror_image(method: str) -> None:
    low, high = proportion_interval(30, 100, method=method)
    mirrored = proportion_interval(70, 100, method=method)
    # The bootstrap draws other numbers for the mirror image.
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=0.02 if method == "bootstrap" else 1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_no_examples(method: str) -> None:
    assert proportion_interval(0, 0, method=method) == (0.0, 1.0)
    assert mean_interval([], 0.0) == (0.0, 1.0)
    assert bootstrap_interval(np.empty((0, 2)), 0.0, statistic=lambda sums: sums[:, 0]) == (0.0, 1.0)


RANDOM = random.Random(5)  # noqa: S311  # test data
CONTINUOUS = [RANDOM.random() ** 2 for _ in range(300)]
FEW_VALUED = [RANDOM.choice([0.0, 0.8, 1.0]) for _ in range(300)]


@pytest.mark.parametrize("scores", [CONTINUOUS, FEW_VALUED], ids=["continuous", "few-valued"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_mean_is_near_scipys_bootstrap(scores: list[float], level: float) -> None:
    theirs = scipy.stats.bootstrap(
        (scores,), np.mean, confidence_level=level, n_resamples=20_000, method="percentile", rng=1
    ).confidence_interval
    low, high = mean_interval(scores, math.fsum(scores) / len(scores), level=level)
    width = theirs.high - theirs.low
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.08 * width)


@pytest.mark.parametrize("scores", [CONTINUOUS[:50], FEW_VALUED], ids=["continuous", "few-valued"])
def test_order_does_not_matter(scores: list[float]) -> None:
    mean = math.fsum(scores) / len(scores)
    expected = mean_interval(scores, mean)
    assert mean_interval(scores[::-1], mean) == expected
    assert mean_interval(sorted(scores), mean) == expected


def test_order_of_rows_does_not_matter() -> None:
    rows = [[1, 2, 0], [0, 3, 1], [2, 2, 2], [0, 1, 1]]
    draws = [resampled_sums(np.array(order), seed=0) for order in permutations(rows)]
    assert all((draw == draws[0]).all() for draw in draws)


def test_seed_decides() -> None:
    mean = math.fsum(CONTINUOUS) / len(CONTINUOUS)
    assert mean_interval(CONTINUOUS, mean, seed=1) == mean_interval(CONTINUOUS, mean, seed=1)
    assert mean_interval(CONTINUOUS, mean, seed=1) != mean_interval(CONTINUOUS, mean, seed=2)
    assert proportion_interval(30, 100, method="bootstrap", seed=2**200) is not None


@pytest.mark.parametrize(
    ("scores", "interval"),
    [
        ([i * i / 100 for i in range(10)], (0.129, 0.465025)),
        # Scores that take one of three values: from more than 8 examples per value on, the values are drawn.
        ([0.0, 0.8, 1.0] * 8, (0.4166666666666667, 0.7583333333333333)),
        ([0.0, 0.8, 1.0] * 8 + [0.0], (0.392, 0.752)),
    ],
)
def test_a_published_mean_is_found_again(scores: list[float], interval: tuple[float, float]) -> None:
    """Whoever runs a version again gets its figures: as many draws, by the same seed. Other draws, other figures."""
    mean = math.fsum(scores) / len(scores)
    rows = np.array(scores).reshape(-1, 1)
    assert mean_interval(scores, mean) == pytest.approx(interval, rel=1e-12)
    assert bootstrap_interval(rows, mean, statistic=lambda sums: sums[:, 0] / len(rows)) == mean_interval(scores, mean)


def test_a_published_proportion_is_found_again() -> None:
    interval = (0.2509505703422053, 0.3612167300380228)
    assert proportion_interval(81, 263, method="bootstrap") == pytest.approx(interval, rel=1e-12)


def test_global_random_state_is_untouched() -> None:
    random.seed(3)
    np.random.seed(3)  # noqa: NPY002  # the legacy state is what others rely on
    before = random.getstate(), np.random.get_state(legacy=True)  # noqa: NPY002
    mean_interval(CONTINUOUS, 0.3)
    mean_interval(FEW_VALUED, 0.6)
    proportion_interval(30, 100, method="bootstrap")
    assert random.getstate() == before[0]
    np.testing.assert_equal(np.random.get_state(legacy=True), before[1])  # noqa: NPY002


@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("values", [2, 10**6], ids=["few-valued", "many-valued"])
def test_sums_over_several_columns(columns: int, values: int) -> None:
    """Each column's resampled sums have the mean and spread of the theory, and columns stay together."""
    rows = np.random.default_rng(4).integers(values, size=(400, 1)) * np.arange(1, columns + 1)
    sums = resampled_sums(rows, seed=0)
    assert sums.shape == (_intervals.RESAMPLES, columns)
    assert (sums == sums[:, :1] * np.arange(1, columns + 1)).all()
    error = rows[:, 0].std() * math.sqrt(len(rows))
    assert sums[:, 0].mean() == pytest.approx(rows[:, 0].sum(), abs=error / 5)
    assert sums[:, 0].std() == pytest.approx(error, rel=0.1)


def test_ratio_of_sums() -> None:
    rows = np.random.default_rng(6).integers(0, 5, size=(200, 2))
    rows[:, 1] += rows[:, 0]
    pooled = rows[:, 0].sum() / rows[:, 1].sum()
    low, high = bootstrap_interval(rows, pooled, statistic=lambda sums: sums[:, 0] / sums[:, 1])
    theirs = scipy.stats.bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda a, b, axis: a.sum(axis) / b.sum(axis),
        paired=True,
        method="percentile",
        rng=1,
    ).confidence_interval
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.08 * (theirs.high - theirs.low))


def test_interval_is_clamped_to_the_score() -> None:
    rows = np.array([[0.5]] * 3)
    assert bootstrap_interval(rows, 0.25, statistic=lambda sums: sums[:, 0] / 3) == (0.25, 0.5)
    assert bootstrap_interval(rows, 1.0, statistic=lambda sums: sums[:, 0] + 1) == (1.0, 1.0)
    assert bootstrap_interval(rows, 0.0, statistic=lambda sums: sums[:, 0] - 2) == (0.0, 0.0)


@pytest.mark.parametrize("distinct", [2000, 20_000], ids=["few-valued", "many-valued"])
def test_memory_is_bounded(distinct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one step the first would draw 16 MB, the second 160 MB; for a million examples it would be gigabytes."""
    monkeypatch.setattr(_intervals, "_MOST_INDICES", 1 << 16)
    rows = (np.arange(20_000) % distinct / distinct).reshape(-1, 1)
    tracemalloc.start()
    resampled_sums(rows, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6


def test_memory_as_it_comes() -> None:
    """32 MB of indices, and as much of the scores at these places."""
    rows = np.arange(20_000).reshape(-1, 1) / 20_000
    tracemalloc.start()
    resampled_sums(rows, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 80e6


@pytest.mark.parametrize("most", [1 << 10, 1], ids=["some at once", "fewer than one sample takes"])
@pytest.mark.parametrize("scores", [CONTINUOUS, FEW_VALUED], ids=["continuous", "few-valued"])
def test_steps_do_not_change_the_draws(scores: list[float], most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array(scores).reshape(-1, 1)
    at_once = resampled_sums(rows, seed=0)
    monkeypatch.setattr(_intervals, "_MOST_INDICES", most)
    assert resampled_sums(rows, seed=0) == pytest.approx(at_once, abs=1e-9)


@pytest.mark.parametrize("total", [1, 2, 7, 100, 10_000, 10**6])
@pytest.mark.parametrize("p", [1e-300, 1e-9, 0.01, 0.3, 0.5, 0.9, 1 - 1e-12])
def test_binomial_tail(total: int, p: float) -> None:
    """On both sides of its largest term."""
    for successes in {1, total // 3 + 1, total // 2 + 1, total - 1 or 1, total, min(total, int(total * p) + 1)}:
        expected = scipy.stats.binom.sf(successes - 1, total, p)
        assert _intervals._binomial_tail(successes, total, p) == pytest.approx(expected, rel=1e-6, abs=1e-300)
