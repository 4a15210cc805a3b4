"""Paired differences and comparisons of systems, with SciPy and enumeration as oracles."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics._shared import _statistics
from metrics._shared._statistics import Comparison, Pair, adjust, compare, mcnemar, mean, pooled, proportion, tango
from tests.oracles import clustered_variance, counts_of_queries, pooled_f1

Z = 1.959963984540054
SCORES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.8, 1.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=8)


def pair_of_answers(wins: int, losses: int, ties: int = 0) -> Pair:
    first = proportion([1] * wins + [0] * losses + [1] * ties)
    return Pair.of(first, proportion([0] * wins + [1] * losses + [1] * ties))


def pair_of_scores(first: Any, second: Any, codes: Any = None) -> Pair:
    return Pair.of(mean(first), mean(second), codes)


def pair_of_queries(first: Any, second: Any) -> Pair:
    return Pair.of(pooled(first.T, pooled_f1), pooled(second.T, pooled_f1))


# ---- tests of no difference


@given(st.integers(0, 6000), st.integers(0, 6000) | st.integers(0, 20))
def test_mcnemar_equals_scipy(wins: int, losses: int) -> None:
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert mcnemar(wins, losses) == pytest.approx(expected, rel=1e-8)
    assert (mcnemar(5, 0), mcnemar(3, 0)) == (0.0625, 0.25)  # to the last bit


def difference_of_means(x: Any, y: Any, axis: int) -> Any:
    return x.mean(axis=axis) - y.mean(axis=axis)


@given(PAIRS)
@settings(max_examples=40)
def test_exact_permutation_test_equals_scipy(pairs: list[tuple[float, float]]) -> None:
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    expected = scipy.stats.permutation_test(
        (first, second), difference_of_means, permutation_type="samples", n_resamples=math.inf, vectorized=True
    )
    p_value, name = pair_of_scores(first, second).test(256, 0)
    assert p_value == pytest.approx(expected.pvalue)
    assert name == "exact permutation test of rows"


@pytest.mark.parametrize("seed", range(4))
def test_exact_test_of_a_micro_average_equals_enumeration(seed: int) -> None:
    """Every assignment of queries to the systems, pooled by the plain formula."""
    first, second = counts_of_queries(2 * seed, 7), counts_of_queries(2 * seed + 1, 7)
    observed = abs(pooled_f1(first.sum(axis=0)) - pooled_f1(second.sum(axis=0)))
    extreme = 0
    for swaps in itertools.product([False, True], repeat=7):
        swapped = np.array(swaps)[:, None]
        sums = np.where(swapped, second, first).sum(axis=0), np.where(swapped, first, second).sum(axis=0)
        extreme += abs(pooled_f1(sums[0]) - pooled_f1(sums[1])) >= observed - 1e-12
    assert pair_of_queries(first, second).test(128, 0)[0] == pytest.approx(extreme / 128)


@pytest.mark.parametrize("seed", range(4))
def test_exact_test_swaps_whole_clusters(seed: int) -> None:
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(6), random.integers(1, 6, 6))
    first, second = (random.random((2, len(codes))) < 0.5).astype(int)
    sums = np.array([(first - second)[codes == group].sum() for group in range(6)])
    signs = np.array(list(itertools.product([-1, 1], repeat=6)))
    expected = (np.abs(signs @ sums) >= abs(sums.sum())).mean()
    p_value, name = Pair.of(proportion(first), proportion(second), codes).test(64, 0)
    assert p_value == pytest.approx(expected)
    assert name == "exact permutation test of clusters"


@pytest.mark.parametrize("values", [4, 10**6], ids=["few-valued", "many-valued"])
@pytest.mark.parametrize("shift", [0.0, 0.04, 0.3])
def test_drawn_permutations_are_close_to_scipy(values: int, shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_statistics, "_MAX_DRAWS", 50_000)  # several steps
    first, second = np.rint(np.random.default_rng(values).random((2, 120)) * (values - 1)) / (values - 1)
    first, second = (first + shift) / 2, second / 2
    p_value, name = pair_of_scores(first, second).test(20_000, 0)
    expected = scipy.stats.permutation_test(
        (first, second), difference_of_means, permutation_type="samples", n_resamples=20_000, rng=1
    ).pvalue
    error = math.sqrt(max(expected * (1 - expected), 1e-4) / 20_000)
    assert p_value == pytest.approx(expected, abs=6 * error)
    assert name == "permutation test of rows, 20000 resamples, seed 0"


def test_drawn_sums_are_exact() -> None:
    """Many swaps of tenths are ties with the observed difference, which rounding errors would break."""
    first, second = [0.1, 0.3, 0.7] * 6, [0.3, 0.1, 0.6] * 6
    tenths = np.rint((np.array(first) - second) * 10).astype(int)
    sums = np.array([0])
    for tenth in tenths:
        sums = np.concatenate([sums + tenth, sums - tenth])
    expected = (np.abs(sums) >= abs(tenths.sum())).mean()
    assert pair_of_scores(first, second).test(20_000, 0)[0] == pytest.approx(expected, abs=0.015)


def test_p_values_at_their_limits() -> None:
    # (k + 1) / (n + 1): the observed assignment is one of the possible ones.
    assert pair_of_scores(np.linspace(0.6, 1, 50), np.linspace(0, 0.3, 50)).test(999, 0)[0] == 1 / 1000
    assert pair_of_scores([0.3, 0.7], [0.3, 0.7]).test(100, 0) == (1.0, "exact permutation test of rows")
    assert pair_of_scores([], []).test(100, 0)[0] == 1.0
    random = np.random.default_rng(4)
    pair = pair_of_scores(random.random(50) / 2 + 0.025, random.random(50) / 2)
    assert pair.test(2000, 1) == pair.test(2000, 1)
    assert pair.test(2000, 1)[0] != pair.test(2000, 2)[0]


# ---- intervals of differences


def tango_distance(delta: float, wins: int, losses: int, total: int) -> float:
    """Tango's score statistic with the constrained maximum of the likelihood found numerically."""

    def unlikelihood(lost: float) -> float:
        terms = [(wins, lost + delta), (losses, lost), (total - wins - losses, 1 - delta - 2 * lost)]
        return -sum(count * math.log(max(p, 1e-300)) for count, p in terms if count)

    bounds = max(0.0, -delta), (1 - delta) / 2
    lost = scipy.optimize.minimize_scalar(unlikelihood, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x
    return (wins - losses - total * delta) / math.sqrt(total * max(2 * lost + delta * (1 - delta), 1e-300))


@pytest.mark.parametrize(
    ("wins", "losses", "total"), [(12, 2, 50), (1, 5, 40), (3, 0, 30), (0, 7, 9), (20, 20, 100), (1, 1, 3)]
)
def test_tango_bounds_have_a_score_statistic_of_z(wins: int, losses: int, total: int) -> None:
    low, high = tango(wins, losses, total, Z)
    assert tango_distance(low, wins, losses, total) == pytest.approx(Z, abs=2e-4)
    assert tango_distance(high, wins, losses, total) == pytest.approx(-Z, abs=2e-4)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60), st.floats(0.5, 0.999))
def test_interval_of_proportions_is_tangos(wins: int, losses: int, ties: int, level: float) -> None:
    pair = pair_of_answers(wins, losses, ties)
    low, high = pair.interval(level)
    assert -1 <= low <= pair.difference <= high <= 1
    assert pair_of_answers(losses, wins, ties).interval(level) == pytest.approx((-high, -low), abs=1e-9)
    total = wins + losses + ties
    assert pair.interval(0.95) == pytest.approx(tango(wins, losses, total, Z), abs=1e-9)
    reach = Z * Z / (total + Z * Z)
    assert pair_of_answers(0, 0, total).interval(0.95) == pytest.approx((-reach, reach), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_interval_of_means_is_the_paired_t_interval(seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = random.random((2, int(random.integers(10, 200))))
    expected = scipy.stats.ttest_rel(first, second).confidence_interval(0.9)
    assert pair_of_scores(first, second).interval(0.9) == pytest.approx((expected.low, expected.high), rel=1e-9)
    codes = np.arange(90) % int(random.integers(10, 30))
    graded = np.clip(random.random(90) + random.normal(0, 0.5, (2, 90)), 0, 1)
    for make, (one, other) in ((mean, graded), (proportion, np.rint(graded))):
        pair = Pair.of(make(one), make(other), codes)
        reach = scipy.stats.t.ppf(0.975, codes.max()) * math.sqrt(clustered_variance(one - other, codes))
        expected = (one - other).mean() - reach, (one - other).mean() + reach
        assert pair.interval(0.95) == pytest.approx(expected, rel=1e-8)


def test_interval_of_a_micro_average_is_close_to_the_bootstrap() -> None:
    first, second = counts_of_queries(3, 300), counts_of_queries(4, 300)
    drawn = np.random.default_rng(1).integers(300, size=(4000, 300))
    differences = pooled_f1(first[drawn].sum(axis=1)) - pooled_f1(second[drawn].sum(axis=1))
    low, high = pair_of_queries(first, second).interval(0.95)
    expected = tuple(np.quantile(differences, [0.025, 0.975]))
    assert (low, high) == pytest.approx(expected, abs=0.06 * (high - low))


@given(PAIRS, st.floats(0.5, 0.999), st.sampled_from([None, 2]))
def test_interval_of_means_has_a_width_and_stays_in_range(pairs: Any, level: float, groups: int | None) -> None:
    first, second = zip(*pairs, strict=True)
    pair = pair_of_scores(first, second, np.arange(len(pairs)) % groups if groups else None)
    low, high = pair.interval(level)
    assert -1 <= low <= pair.difference <= high <= 1
    assert low < high


def test_intervals_of_scores_that_hardly_vary() -> None:
    # A hundred equal scores give no more information than a hundred equal answers.
    assert 0.03 < pair_of_scores([0.5] * 100, [0.5] * 100).interval(0.95)[1] < 0.05
    # One whole point: t would give 0.01 +- 0.02.
    low, high = pair_of_scores([1.0] + [0.5] * 99, [0.0] + [0.5] * 99).interval(0.95)
    assert low < -0.02
    assert high > 0.05
    # Every row gains a tenth: the variance is 0, and only the allowance for unseen scores remains.
    reach = scipy.stats.t.ppf(0.975, 99) * math.sqrt(0.25 / (100 * 160))
    assert pair_of_scores([0.6] * 100, [0.5] * 100).interval(0.95) == pytest.approx((0.1 - reach, 0.1 + reach))
    # Three of a hundred rows gain a tenth: Tango's interval at the size at which wins of a whole point vary so.
    pair = pair_of_scores([0.6] * 3 + [0.5] * 97, [0.5] * 100)
    factor = (0.3 - 0.3**2 / 100) / 100**2 / (pair.variance + 0.25 / (100 * 160))
    expected = tango(0.3 * factor, 0, 100 * factor, scipy.stats.t.ppf(0.975, 99))
    assert pair.interval(0.95) == pytest.approx(expected, rel=1e-6)
    assert pair_of_scores([0.6], [0.5]).interval(0.95) == (-1.0, 1.0)


@pytest.mark.parametrize(("codes", "units"), [(None, 6), (np.array([0, 0, 1, 1, 2, 2]), 3)])
def test_whole_points_in_all_rows_give_tangos_interval(codes: Any, units: int) -> None:
    """t would give 1 +- 0.06, from six rows."""
    low, high = pair_of_scores([1.0] * 6, [0.0] * 6, codes).interval(0.95)
    assert (low, high) == pytest.approx(tango(units, 0, units, scipy.stats.t.ppf(0.975, units - 1)))
    assert pair_of_scores([0.0] * 6, [1.0] * 6, codes).interval(0.95) == pytest.approx((-high, -low), abs=1e-9)


def test_detectable_difference_is_the_quantiles_times_the_standard_error() -> None:
    random = np.random.default_rng(3)
    first, second = random.random((2, 40))
    rows, clusters = pair_of_scores(first, second), pair_of_scores(first, second, np.arange(40) % 5)
    for pair, quantile in ((rows, scipy.stats.norm.ppf), (clusters, scipy.stats.t(4).ppf)):
        expected = (quantile(0.975) + quantile(0.8)) * math.sqrt(pair.variance)
        assert pair.detectable(0.95) == pytest.approx(expected, rel=1e-6)
    identical = Z / (100 + Z * Z)
    assert pair_of_answers(0, 0, 100).detectable(0.95) == pytest.approx((Z + 0.8416212) * identical, rel=1e-6)
    assert pair_of_answers(0, 0, 1).detectable(0.95) == 1.0


# ---- comparisons


def compared(systems: dict[str, Any], make: Any = mean, **options: Any) -> Comparison:
    statistics = {name: {"score": make(scores)} for name, scores in systems.items()}
    return compare(statistics, baseline="a", main_score="score", **options)


def test_margin_uses_the_interval_at_one_minus_two_alpha() -> None:
    first, second = np.random.default_rng(8).random((2, 80))
    low, high = scipy.stats.ttest_rel(first, second).confidence_interval(0.9)
    verdicts = {
        (-low * 1.01): (True, high < -low * 1.01),
        (-low * 0.99): (False, False),
        max(-low, high) * 1.01: (True, True),
    }
    for margin, expected in verdicts.items():
        found = compared({"a": second, "b": first}, margin=margin)["systems"]["b"]
        assert (found["noninferior"], found["equivalent"]) == expected


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([0.03], [0.03]),
        ([0.04, 0.01, 0.03], [0.06, 0.03, 0.06]),  # 3 * 0.01, 2 * 0.03, and no smaller than the one before
        ([0.01, 0.01], [0.02, 0.02]),
        ([0.6, 0.5, 0.0], [1.0, 1.0, 0.0]),
    ],
)
def test_p_values_are_adjusted_by_holms_method(p_values: list[float], adjusted: list[float]) -> None:
    assert adjust(p_values) == pytest.approx(adjusted)


def test_result_counts_rows_and_clusters() -> None:
    scores = {"a": [0.1, 0.5, 0.9, 0.9], "b": [0.2, 0.4, 1.0, 0.9]}
    result = compared(scores, clusters=["x", "x", "y", "z"], margin=0.1)
    found = result["systems"]["b"]
    assert (found["wins"], found["losses"], found["ties"], found["left_out"]) == (2, 1, 1, 0)
    assert (result["total"], result["clusters"], found["test"]) == (4, 3, "exact permutation test of clusters")
    assert found["difference"] == pytest.approx(0.1 / 4)


def test_rows_without_a_score_are_excluded_pairwise_and_counted() -> None:
    gaps = compared({"a": [0.1, None, 0.9, 0.3], "b": [0.2, 0.4, None, 0.5], "c": [0.2, 0.4, 0.3, 0.5]})
    plain = compared({"a": [0.1, 0.3], "b": [0.2, 0.5]})
    for key in ("difference", "difference_confidence_interval", "p_value", "wins", "minimum_detectable_difference"):
        assert gaps["systems"]["b"][key] == plain["systems"]["b"][key]
    assert (gaps["systems"]["b"]["left_out"], gaps["systems"]["c"]["left_out"], gaps["total"]) == (2, 1, 4)
    assert "2 rows left out because one of the two has no score" in str(gaps)


def test_no_common_rows_give_the_widest_interval() -> None:
    result = compared({"a": [0.1, 0.2, None, None], "b": [None, None, 0.3, 0.4]}, clusters=["x", "x", "y", "y"])
    found = result["systems"]["b"]
    assert (found["difference_confidence_interval"], found["p_value"], found["left_out"]) == ((-1.0, 1.0), 1.0, 4)
    empty = compared({"a": [], "b": []}, clusters=[])
    assert (empty["clusters"], empty["systems"]["b"]["p_value"]) == (0, 1.0)


def test_summary_is_one_line_per_system() -> None:
    result = compared({"a": [1] * 70 + [0] * 30, "b": [1] * 82 + [0] * 18}, proportion)
    result["signature"] = "accuracy|case:no"
    assert str(result) == (
        "score: b 0.8200 (95% CI 0.7333 to 0.8830) vs. a 0.7000 (95% CI 0.6042 to 0.7811); "
        "difference +0.1200 (95% CI +0.0700 to +0.1981), p = 0.00049 (exact McNemar test); "
        "12 wins, 0 losses, 88 ties; n = 100; accuracy|case:no"
    )
    several = compared(dict(zip("abc", np.random.default_rng(2).random((3, 20)), strict=True)))
    assert [line.split()[1] for line in str(several).splitlines()] == ["b", "c"]
    assert all("Holm-adjusted" in line for line in str(several).splitlines())


@pytest.mark.parametrize(
    ("systems", "options", "parts"),
    [
        (
            {"a": [0.1, 0.5, 0.9, None], "b": [0.2, 0.4, 0.9, 1.0]},
            {},
            [
                "; 1 win, 1 loss, 1 tie; n = 3;",
                "; 1 row left out because",
                "not significant, which does not mean equal",
            ],
        ),
        ({"a": [0.1, 0.5, 0.9], "b": [0.2, 0.4, 1.0]}, {"clusters": [1, 1, 2]}, ["; n = 3 in 2 clusters;"]),
        ({"a": [0.5] * 50, "b": [0.4] * 50}, {"margin": 0.2}, ["; equivalent within a margin of 0.2"]),
        ({"a": [0.5] * 50, "b": [0.9] * 50}, {"margin": 0.2}, ["; noninferior within a margin of 0.2", "p = 0.001 ("]),
        ({"a": [0.5] * 50, "b": [0.1] * 50}, {"margin": 0.2}, ["; not shown to be noninferior within a margin of 0.2"]),
        (
            {"a": [0] * 5 + [1] * 5, "b": [1] * 10},
            {"make": proportion},  # p = 0.0625, but the interval excludes 0
            ["the interval and the test disagree, so go by the test", "detectable with 80% power"],
        ),
        ({"a": [0] * 50, "b": [1] * 50}, {"make": proportion}, ["p = 1.8e-15 (exact McNemar test)"]),
    ],
)
def test_summary_has_caveats(systems: dict[str, Any], options: dict[str, Any], parts: list[str]) -> None:
    summary = str(compared(systems, **{"resamples": 999, **options}))
    assert [part for part in parts if part not in summary] == []
