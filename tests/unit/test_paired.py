"""Tests, intervals and power of paired differences, compared with SciPy, statsmodels and enumeration."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
import statsmodels.api as sm
from hypothesis import assume
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from metrics._shared._paired import detectable_difference
from metrics._shared._paired import difference_interval
from metrics._shared._paired import make_pair
from metrics._shared._paired import mcnemar_p_value
from metrics._shared._paired import permutation_p_value
from metrics._shared._paired import tango_interval
from metrics._shared._statistics import mean_statistic
from metrics._shared._statistics import pooled_statistic
from metrics._shared._statistics import proportion_statistic

from .test_statistics import counts_of_queries
from .test_statistics import f1

Z = 1.959963984540054
SCORES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.8, 1.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=8)


def binary(wins: int, losses: int, ties: int = 0) -> Any:
    """A pair of systems with 0/1 scores."""
    return make_pair(
        proportion_statistic([1] * wins + [0] * losses + [1] * ties),
        proportion_statistic([0] * wins + [1] * losses + [1] * ties),
    )


def mean_pair(scores: Any, baseline: Any, codes: Any = None) -> Any:
    return make_pair(mean_statistic(scores), mean_statistic(baseline), codes)


# ---- tests of no difference


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_equals_scipy_and_statsmodels(wins: int, losses: int) -> None:
    p_value = mcnemar_p_value(wins, losses)
    if wins + losses:
        assert p_value == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue, rel=1e-8)
        assert p_value == pytest.approx(mcnemar([[3, wins], [losses, 2]], exact=True).pvalue, rel=1e-8)


def test_five_wins_and_no_losses_are_not_significant() -> None:
    """evaluate's own `mcnemar` gives 0.025, and divides by zero if the systems agree."""
    assert mcnemar_p_value(5, 0) == 0.0625
    assert mcnemar_p_value(0, 0) == 1.0


def difference_of_means(x: Any, y: Any, axis: int) -> Any:
    return x.mean(axis=axis) - y.mean(axis=axis)


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_exact_permutation_test_equals_scipy(pairs: list[tuple[float, float]]) -> None:
    ours, theirs = (np.array(side) for side in zip(*pairs, strict=True))
    assume(len(pairs) > 1)
    expected = scipy.stats.permutation_test(
        (ours, theirs), difference_of_means, permutation_type="samples", n_resamples=math.inf, vectorized=True
    )
    p_value, exact = permutation_p_value(mean_pair(ours, theirs), resamples=256, seed=0)
    assert exact
    assert p_value == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("seed", range(5))
def test_exact_test_of_a_micro_average_equals_enumeration(seed: int) -> None:
    """Aggregate every assignment of queries to the systems by the plain formula."""
    ours, theirs = (np.array(counts_of_queries(seed * 2 + side, 7), dtype=float).T for side in (0, 1))
    observed = abs(f1(ours.sum(axis=0)) - f1(theirs.sum(axis=0)))
    extreme = 0
    for swaps in itertools.product([False, True], repeat=7):
        first = np.where(np.array(swaps)[:, None], theirs, ours).sum(axis=0)
        second = np.where(np.array(swaps)[:, None], ours, theirs).sum(axis=0)
        extreme += abs(f1(first) - f1(second)) >= observed - 1e-12
    pair = make_pair(pooled_statistic(ours.T.tolist(), f1), pooled_statistic(theirs.T.tolist(), f1))
    p_value, exact = permutation_p_value(pair, resamples=128, seed=0)
    assert exact
    assert p_value == pytest.approx(extreme / 128)


@pytest.mark.parametrize("seed", range(5))
def test_exact_test_swaps_whole_clusters(seed: int) -> None:
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(6), random.integers(1, 6, 6))
    ours, theirs = (random.random(len(codes)) < 0.5 for _ in range(2))
    sums = np.array([(ours[codes == g].astype(int) - theirs[codes == g]).sum() for g in range(6)])
    signs = np.array(list(itertools.product([-1, 1], repeat=6)))
    expected = (np.abs(signs @ sums) >= abs(sums.sum())).mean()
    pair = make_pair(proportion_statistic(ours), proportion_statistic(theirs), codes)
    p_value, exact = permutation_p_value(pair, resamples=64, seed=0)
    assert exact
    assert p_value == pytest.approx(expected)


@pytest.mark.parametrize("values", [3, 10**6], ids=["few-valued", "many-valued"])
@pytest.mark.parametrize("shift", [0.0, 0.04, 0.3])
def test_drawn_permutations_are_close_to_scipy(values: int, shift: float) -> None:
    random = np.random.default_rng(values)
    ours, theirs = (np.rint(random.random(120) * (values - 1)) / (values - 1) for _ in range(2))
    ours = ours + shift
    p_value, exact = permutation_p_value(mean_pair(ours, theirs), resamples=20_000, seed=0)
    expected = scipy.stats.permutation_test(
        (ours, theirs), difference_of_means, permutation_type="samples", n_resamples=20_000, rng=1
    ).pvalue
    error = math.sqrt(max(expected * (1 - expected), 1e-4) / 20_000)
    assert not exact
    assert p_value == pytest.approx(expected, abs=6 * error)


def test_drawn_permutations_of_a_micro_average_are_close_to_a_plain_loop() -> None:
    ours, theirs = (np.array(counts_of_queries(seed, 90), dtype=float).T for seed in (3, 4))
    pair = make_pair(pooled_statistic(ours.T.tolist(), f1), pooled_statistic(theirs.T.tolist(), f1))
    random = np.random.default_rng(9)
    draws = 4000
    swaps = random.random((draws, 90, 1)) < 0.5
    differences = f1(np.where(swaps, theirs, ours).sum(axis=1)) - f1(np.where(swaps, ours, theirs).sum(axis=1))
    expected = (np.abs(differences) >= abs(pair.difference)).mean()
    assert permutation_p_value(pair, resamples=20_000, seed=0)[0] == pytest.approx(expected, abs=0.03)


def test_drawn_p_value_is_never_zero() -> None:
    """(k + 1) / (n + 1): the observed assignment is one of the possible ones."""
    pair = mean_pair(np.linspace(0.6, 1, 50), np.linspace(0, 0.3, 50))
    assert permutation_p_value(pair, resamples=999, seed=0) == (1 / 1000, False)


def test_identical_systems_have_a_p_value_of_one() -> None:
    assert permutation_p_value(mean_pair([0.3, 0.7], [0.3, 0.7]), resamples=100, seed=0) == (1.0, True)
    assert permutation_p_value(mean_pair([], []), resamples=100, seed=0) == (1.0, True)


def test_draws_depend_on_the_seed() -> None:
    random = np.random.default_rng(4)
    pair = mean_pair(random.random(50) + 0.05, random.random(50))
    once = permutation_p_value(pair, resamples=2000, seed=1)
    assert once == permutation_p_value(pair, resamples=2000, seed=1)
    assert once != permutation_p_value(pair, resamples=2000, seed=2)


def test_draw_chunks_cover_every_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processing units and resamples in chunks does not change the distribution."""
    random = np.random.default_rng(4)
    pair = mean_pair(random.random(203) + 0.04, random.random(203))
    at_once = permutation_p_value(pair, resamples=4000, seed=1)[0]
    monkeypatch.setattr("metrics._shared._paired._MAX_GROUPS", 3)
    monkeypatch.setattr("metrics._shared._paired._MAX_LOOKUPS", 1000)
    assert permutation_p_value(pair, resamples=4000, seed=1)[0] == pytest.approx(at_once, abs=0.05)


# ---- intervals of differences


def tango_distance(delta: float, wins: int, losses: int, total: int) -> float:
    """Tango's score statistic with the constrained maximum of the likelihood found numerically."""
    least = max(0.0, -delta)
    most = (1 - delta) / 2

    def unlikelihood(lost: float) -> float:
        terms = [(wins, lost + delta), (losses, lost), (total - wins - losses, 1 - delta - 2 * lost)]
        return -sum(count * math.log(max(p, 1e-300)) for count, p in terms if count)

    lost = scipy.optimize.minimize_scalar(
        unlikelihood, bounds=(least, most), method="bounded", options={"xatol": 1e-13}
    ).x
    return (wins - losses - total * delta) / math.sqrt(total * max(2 * lost + delta * (1 - delta), 1e-300))


@pytest.mark.parametrize(
    ("wins", "losses", "total"), [(12, 2, 50), (1, 5, 40), (3, 0, 30), (0, 7, 9), (20, 20, 100), (1, 1, 3)]
)
def test_tango_bounds_have_a_score_statistic_of_z(wins: int, losses: int, total: int) -> None:
    low, high = tango_interval(wins, losses, total, Z)
    assert tango_distance(low, wins, losses, total) == pytest.approx(Z, abs=2e-4)
    assert tango_distance(high, wins, losses, total) == pytest.approx(-Z, abs=2e-4)


@pytest.mark.parametrize("total", [1, 5, 100, 10_000])
def test_tango_interval_of_identical_systems_has_a_width(total: int) -> None:
    reach = Z * Z / (total + Z * Z)
    assert tango_interval(0, 0, total, Z) == pytest.approx((-reach, reach), rel=1e-9)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.floats(0.5, 0.999))
def test_interval_of_proportions_contains_the_difference(wins: int, losses: int, ties: int, level: float) -> None:
    assume(wins + losses + ties)
    pair = binary(wins, losses, ties)
    low, high = difference_interval(pair, level)
    assert -1 <= low <= pair.difference <= high <= 1
    assert low < high
    mirrored = difference_interval(binary(losses, wins, ties), level)
    assert mirrored == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_interval_of_means_is_the_paired_t_interval(seed: int) -> None:
    random = np.random.default_rng(seed)
    ours, theirs = random.random((2, int(random.integers(10, 200))))
    expected = scipy.stats.ttest_rel(ours, theirs).confidence_interval(0.9)
    assert difference_interval(mean_pair(ours, theirs), 0.9) == pytest.approx((expected.low, expected.high), rel=1e-9)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("make", [mean_statistic, proportion_statistic])
def test_interval_with_clusters_equals_statsmodels(seed: int, make: Any) -> None:
    random = np.random.default_rng(seed)
    codes = np.arange(90) % int(random.integers(10, 30))
    shared = random.random(90)
    ours, theirs = (np.clip(shared + random.normal(0, 0.5, 90), 0, 1) for _ in range(2))
    if make is proportion_statistic:
        ours, theirs = np.rint(ours), np.rint(theirs)
    model = sm.OLS(ours - theirs, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    pair = make_pair(make(ours), make(theirs), codes)
    assert pair.variance == pytest.approx(model.bse[0] ** 2, rel=1e-9)
    assert difference_interval(pair, 0.95) == pytest.approx(tuple(model.conf_int(0.05)[0]), rel=1e-8)


def test_interval_of_a_micro_average_is_close_to_the_bootstrap() -> None:
    ours, theirs = (np.array(counts_of_queries(seed, 300), dtype=float).T for seed in (3, 4))
    pair = make_pair(pooled_statistic(ours.T.tolist(), f1), pooled_statistic(theirs.T.tolist(), f1))
    drawn = np.random.default_rng(1).integers(300, size=(4000, 300))
    differences = f1(ours[drawn].sum(axis=1)) - f1(theirs[drawn].sum(axis=1))
    low, high = difference_interval(pair, 0.95)
    width = high - low
    assert (low, high) == pytest.approx(tuple(np.quantile(differences, [0.025, 0.975])), abs=0.06 * width)


@given(PAIRS, st.floats(0.5, 0.999), st.sampled_from([None, 2]))
def test_interval_of_means_has_a_width_and_stays_in_range(
    pairs: list[tuple[float, float]], level: float, groups: int | None
) -> None:
    codes = np.arange(len(pairs)) % groups if groups and len(pairs) >= groups else None
    ours, theirs = zip(*pairs, strict=True)
    pair = mean_pair(ours, theirs, codes)
    low, high = difference_interval(pair, level)
    assert -1 <= low <= pair.difference <= high <= 1
    assert low < high


def test_identical_scores_leave_room_for_a_difference() -> None:
    """A hundred equal scores give no more information than a hundred equal answers."""
    reach = difference_interval(mean_pair([0.5] * 100, [0.5] * 100), 0.95)[1]
    assert 0.03 < reach < 0.05


def test_one_whole_point_among_equal_scores_widens_the_t_interval() -> None:
    """t would give 0.01 +- 0.02."""
    low, high = difference_interval(mean_pair([1.0] + [0.5] * 99, [0.0] + [0.5] * 99), 0.95)
    assert low < -0.02
    assert high > 0.05


def test_few_small_differences_are_narrower_than_whole_points() -> None:
    """Three of a hundred rows differ by a tenth of a point: Tango's interval at the size at which wins vary so."""
    pair = mean_pair([0.6] * 3 + [0.5] * 97, [0.5] * 100)
    low, high = difference_interval(pair, 0.95)
    t = scipy.stats.t.ppf(0.975, 99)
    unseen = 0.25 / (100 * 160)
    factor = (0.3 - 0.3**2 / 100) / 100**2 / (pair.variance + unseen)
    expected = tango_interval(0.3 * factor, 0, 100 * factor, t)
    assert (low, high) == pytest.approx((expected[0], expected[1]), rel=1e-6)
    assert high < tango_interval(0.3, 0, 100, t)[1]


def test_constant_difference_has_a_narrow_interval() -> None:
    """Every row gains a tenth: the variance is 0, and only the allowance for unseen scores remains."""
    low, high = difference_interval(mean_pair([0.6] * 100, [0.5] * 100), 0.95)
    reach = scipy.stats.t.ppf(0.975, 99) * math.sqrt(0.25 / (100 * 160))
    assert (low, high) == pytest.approx((0.1 - reach, 0.1 + reach), rel=1e-6)


@pytest.mark.parametrize("clusters", [None, [0, 0, 1, 1, 2, 2]])
def test_whole_points_in_all_rows_give_tangos_interval(clusters: list[int] | None) -> None:
    """t would give 1 +- 0.06, from six rows."""
    codes = None if clusters is None else np.array(clusters)
    units = 6 if clusters is None else 3
    t = scipy.stats.t.ppf(0.975, units - 1)
    low, high = difference_interval(mean_pair([1.0] * 6, [0.0] * 6, codes), 0.95)
    assert (low, high) == pytest.approx(tango_interval(units, 0, units, t))
    mirrored = difference_interval(mean_pair([0.0] * 6, [1.0] * 6, codes), 0.95)
    assert mirrored == pytest.approx((-high, -low), abs=1e-9)


def test_single_row_gives_the_widest_interval() -> None:
    assert difference_interval(mean_pair([0.6], [0.5]), 0.95) == (-1.0, 1.0)


# ---- power


@pytest.mark.parametrize("seed", range(5))
def test_detectable_difference_is_detected_with_80_percent_power(seed: int) -> None:
    random = np.random.default_rng(seed)
    noise = random.normal(0, 0.2, (2000, 200))
    pair = mean_pair(0.5 + noise[0], np.full(200, 0.5))
    true = (Z + scipy.stats.norm.ppf(0.8)) * 0.2 / math.sqrt(200)
    assert detectable_difference(pair, 0.95) == pytest.approx(true, rel=0.15)
    power = (scipy.stats.ttest_1samp(noise + true, 0, axis=1).pvalue < 0.05).mean()
    assert power == pytest.approx(0.8, abs=0.04)


def test_detectable_difference_with_clusters_uses_t() -> None:
    random = np.random.default_rng(3)
    pair = mean_pair(random.random(40), random.random(40), np.arange(40) % 5)
    t = scipy.stats.t(4)
    expected = (t.ppf(0.975) + t.ppf(0.8)) * math.sqrt(pair.variance)
    assert detectable_difference(pair, 0.95) == pytest.approx(expected, rel=1e-6)


def test_detectable_difference_of_identical_systems_is_positive() -> None:
    error = Z / (100 + Z * Z)
    assert detectable_difference(binary(0, 0, 100), 0.95) == pytest.approx((Z + 0.8416212) * error, rel=1e-6)
    assert detectable_difference(binary(0, 0, 1), 0.95) == 1.0
