"""Confidence intervals: published values, SciPy as oracle, and properties of every interval."""

import math
import random
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._intervals import proportion_interval

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
def test_intervals_equal_published_values(
    successes: int, total: int, wilson: tuple[float, float], clopper_pearson: tuple[float, float]
) -> None:
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, methods 3 and 5."""
    assert proportion_interval(successes, total) == pytest.approx(wilson, abs=5e-5)
    assert proportion_interval(successes, total, method="clopper-pearson") == pytest.approx(clopper_pearson, abs=5e-5)


@pytest.mark.parametrize(("successes", "total"), PROPORTIONS)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
def test_intervals_equal_scipy(successes: int, total: int, level: float, method: str, theirs: str) -> None:
    expected = scipy.stats.binomtest(successes, total).proportion_ci(level, method=theirs)
    assert proportion_interval(successes, total, level=level, method=method) == pytest.approx(
        (expected.low, expected.high), abs=1e-9
    )


@pytest.mark.parametrize(("successes", "total"), PROPORTIONS)
def test_clopper_pearson_equals_beta_quantiles(successes: int, total: int) -> None:
    low, high = proportion_interval(successes, total, method="clopper-pearson")
    if successes:
        assert low == pytest.approx(scipy.stats.beta.ppf(0.025, successes, total - successes + 1), abs=1e-9)
    if successes < total:
        assert high == pytest.approx(scipy.stats.beta.ppf(0.975, successes + 1, total - successes), abs=1e-9)


def test_clopper_pearson_of_one_example_is_given_by_the_level() -> None:
    """With one example the tail is p, and so the bound is where p is a quarter: to the last bit, as 1/4 is a float."""
    assert proportion_interval(1, 1, level=0.5, method="clopper-pearson") == (0.25, 1.0)
    assert proportion_interval(0, 1, level=0.5, method="clopper-pearson") == (0.0, 0.75)


def test_clopper_pearson_of_few_successes_in_a_billion_is_accurate() -> None:
    """At the scale of docs/at-scale.md: only terms that are not negligible are summed."""
    low, high = proportion_interval(3, 10**9, method="clopper-pearson")
    # The log-factorials are near 2e10, where one unit in the last place is 4e-6.
    assert low == pytest.approx(scipy.stats.beta.ppf(0.025, 3, 10**9 - 2), rel=1e-4)
    assert high == pytest.approx(scipy.stats.beta.ppf(0.975, 4, 10**9 - 3), rel=1e-4)


@given(st.integers(1, 5000), st.data(), st.floats(1e-6, 1 - 1e-6))
def test_intervals_of_any_proportion_equal_scipy(total: int, data: Any, level: float) -> None:
    successes = data.draw(st.integers(0, total))
    test = scipy.stats.binomtest(successes, total)
    for method, theirs in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        expected = test.proportion_ci(level, method=theirs)
        assert proportion_interval(successes, total, level=level, method=method) == pytest.approx(
            (expected.low, expected.high), abs=1e-8
        )


@pytest.mark.parametrize(("successes", "total"), [(1, 2), (15, 148), (81, 263), (900, 1000), (123_456, 10**6)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_bootstrap_of_a_proportion_is_close_to_binomial_quantiles(successes: int, total: int, level: float) -> None:
    low, high = proportion_interval(successes, total, level=level, method="bootstrap")
    score = successes / total
    expected = scipy.stats.binom.ppf([(1 - level) / 2, (1 + level) / 2], total, score) / total
    # Quantiles of 1000 draws vary by a few percent of the width.
    spread = math.sqrt(score * (1 - score) / total)
    assert low == pytest.approx(expected[0], abs=0.3 * spread + 1 / total)
    assert high == pytest.approx(expected[1], abs=0.3 * spread + 1 / total)


@given(st.integers(1, 10**6), st.data(), st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_every_interval_contains_the_score_and_stays_in_range(total: int, data: Any, level: float) -> None:
    successes = data.draw(st.integers(0, total))
    for method in METHODS:
        low, high = proportion_interval(successes, total, level=level, method=method)
        assert 0.0 <= low <= successes / total <= high <= 1.0
        assert (type(low), type(high)) == (float, float)


@pytest.mark.parametrize("level", [5e-324, 1e-12, 1 - 1e-12, math.nextafter(1, 0)])
@pytest.mark.parametrize("method", METHODS)
def test_intervals_at_extreme_levels_stay_in_range(level: float, method: str) -> None:
    """The largest float below 1 is a valid level, although (1 + level) / 2 rounds to 1."""
    low, high = proportion_interval(3, 4, level=level, method=method)
    assert 0.0 <= low <= 0.75 <= high <= 1.0


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_intervals_at_zero_and_one_have_a_width(method: str) -> None:
    assert proportion_interval(0, 5, method=method)[0] == 0.0
    assert 0.3 < proportion_interval(0, 5, method=method)[1] < 0.6
    assert proportion_interval(5, 5, method=method)[1] == 1.0
    assert 0.4 < proportion_interval(5, 5, method=method)[0] < 0.7


@pytest.mark.parametrize("method", METHODS)
def test_interval_of_failures_mirrors_that_of_successes(method: str) -> None:
    low, high = proportion_interval(30, 100, method=method)
    mirrored = proportion_interval(70, 100, method=method)
    # The bootstrap draws other numbers for the mirror image.
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=0.02 if method == "bootstrap" else 1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_no_examples_give_the_widest_interval(method: str) -> None:
    assert proportion_interval(0, 0, method=method) == (0.0, 1.0)


def test_bootstrap_depends_on_the_seed() -> None:
    drawn = {proportion_interval(30, 100, method="bootstrap", seed=seed) for seed in (1, 2, 3, 4)}
    assert len(drawn) > 1
    assert proportion_interval(30, 100, method="bootstrap", seed=1) in drawn
    assert proportion_interval(30, 100, method="bootstrap", seed=2**200) is not None


def test_bootstrap_interval_is_reproducible() -> None:
    interval = (0.2509505703422053, 0.3612167300380228)
    assert proportion_interval(81, 263, method="bootstrap") == pytest.approx(interval, rel=1e-12)


def test_global_random_state_is_untouched() -> None:
    random.seed(3)
    np.random.seed(3)  # noqa: NPY002  # other code relies on the legacy state
    before = random.getstate(), np.random.get_state(legacy=True)  # noqa: NPY002
    proportion_interval(30, 100, method="bootstrap")
    assert random.getstate() == before[0]
    np.testing.assert_equal(np.random.get_state(legacy=True), before[1])  # noqa: NPY002
