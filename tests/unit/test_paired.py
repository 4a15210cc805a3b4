"""Comparisons of systems on the same examples, with SciPy and enumeration as oracles."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.core.results import Result
from answer_metrics.statistics.comparison import compare
from answer_metrics.statistics.statistic import Scale, mean, pooled, proportion
from tests.oracles import clustered_variance, counts_of_queries, pooled_f1

Z = scipy.stats.norm.ppf(0.975)
SCORES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.8, 1.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=8)


def compared(systems: dict[str, Any], make: Any = mean, **options: Any) -> Result:
    statistics = {name: {"score": make(scores)} for name, scores in systems.items()}
    return compare(statistics, baseline="a", main_score="score", **options)


def pair(first: Any, second: Any, make: Any = mean, **options: Any) -> dict[str, Any]:
    outcome: dict[str, Any] = compared({"a": second, "b": first}, make, **options)["systems"]["b"]
    return outcome


def pair_of_answers(wins: int, losses: int, ties: int = 0, **options: Any) -> dict[str, Any]:
    first, second = [1] * wins + [0] * losses + [1] * ties, [0] * wins + [1] * losses + [1] * ties
    return pair(first, second, proportion, **options)


def pair_of_queries(first: Any, second: Any, **options: Any) -> dict[str, Any]:
    return pair(first, second, lambda counts: pooled(counts.T, pooled_f1), **options)


def interval(outcome: dict[str, Any]) -> tuple[float, float]:
    bounds: tuple[float, float] = outcome["difference_confidence_interval"]
    return bounds


@given(st.integers(0, 3000), st.integers(0, 3000) | st.integers(0, 20))
def test_p_value_of_answers_is_mcnemars(wins: int, losses: int) -> None:
    outcome = pair_of_answers(wins, losses, ties=1)
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert outcome["p_value"] == pytest.approx(expected, rel=1e-8)
    assert outcome["test"] == "exact McNemar test"
    assert [pair_of_answers(number, 0)["p_value"] for number in (5, 3)] == [0.0625, 0.25]  # to the last bit


def difference_of_means(x: Any, y: Any, axis: int) -> Any:
    return x.mean(axis=axis) - y.mean(axis=axis)


@given(PAIRS)
def test_exact_permutation_test_equals_scipy(pairs: list[tuple[float, float]]) -> None:
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    settings = {"permutation_type": "samples", "n_resamples": math.inf, "vectorized": True}
    expected = scipy.stats.permutation_test((first, second), difference_of_means, **settings)
    outcome = pair(first, second, resamples=256)
    assert outcome["p_value"] == pytest.approx(expected.pvalue)
    assert outcome["test"] == "exact permutation test of rows"


@pytest.mark.parametrize("seed", range(4))
def test_exact_test_of_a_micro_average_equals_enumeration(seed: int) -> None:
    first, second = counts_of_queries(2 * seed, 7), counts_of_queries(2 * seed + 1, 7)
    observed = abs(pooled_f1(first.sum(axis=0)) - pooled_f1(second.sum(axis=0)))
    extreme = 0
    for swaps in itertools.product([False, True], repeat=7):
        swapped = np.array(swaps)[:, None]
        sums = np.where(swapped, second, first).sum(axis=0), np.where(swapped, first, second).sum(axis=0)
        extreme += abs(pooled_f1(sums[0]) - pooled_f1(sums[1])) >= observed - 1e-12
    assert pair_of_queries(first, second, resamples=128)["p_value"] == pytest.approx(extreme / 128)


@pytest.mark.parametrize("seed", range(4))
def test_exact_test_swaps_whole_clusters(seed: int) -> None:
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(6), random.integers(1, 6, 6))
    first, second = (random.random((2, len(codes))) < 0.5).astype(int)
    sums = np.array([(first - second)[codes == group].sum() for group in range(6)])
    signs = np.array(list(itertools.product([-1, 1], repeat=6)))
    expected = (np.abs(signs @ sums) >= abs(sums.sum())).mean()
    outcome = pair(first, second, proportion, clusters=codes, resamples=64)
    assert outcome["p_value"] == pytest.approx(expected)
    assert outcome["test"] == "exact permutation test of clusters"


@pytest.mark.parametrize("values", [4, 30, 10**6])
@pytest.mark.parametrize("shift", [0.0, 0.02, 0.3])
def test_drawn_permutations_are_close_to_scipy(values: int, shift: float) -> None:
    first, second = np.rint(np.random.default_rng(values).random((2, 300)) * (values - 1)) / (values - 1)
    first, second = (first + shift) / 2, second / 2
    outcome = pair(first, second, resamples=5_000)
    settings = {"permutation_type": "samples", "n_resamples": 5_000, "rng": 1}
    expected = scipy.stats.permutation_test((first, second), difference_of_means, **settings).pvalue
    error = math.sqrt(max(expected * (1 - expected), 1e-4) / 5_000)
    assert outcome["p_value"] == pytest.approx(expected, abs=6 * error)
    assert outcome["test"] == "permutation test of rows, 5000 resamples, seed 0"


def test_rounding_errors_of_drawn_sums_break_no_ties() -> None:
    """Many swaps of tenths are ties with the observed difference."""
    first, second = [0.1, 0.3, 0.7] * 6, [0.3, 0.1, 0.6] * 6
    tenths = np.rint((np.array(first) - second) * 10).astype(int)
    sums = np.array([0])
    for tenth in tenths:
        sums = np.concatenate([sums + tenth, sums - tenth])
    expected = (np.abs(sums) >= abs(tenths.sum())).mean()
    assert pair(first, second, resamples=20_000)["p_value"] == pytest.approx(expected, abs=0.015)


def test_darwins_maize_has_fishers_p_value_and_rs_interval() -> None:
    """Fisher 1935, The Design of Experiments, chapter III: 1726 of 32,768 swaps; the interval is that of R's t.test."""
    eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    crossed, inbred = np.array(eighths) / 8 + 20, np.full(15, 20.0)
    inches = Scale(-math.inf, math.inf)
    for unit in (1.0, 2**-20):  # inches, and a unit in which all differences are small
        heights = (crossed * unit, inbred * unit)
        outcome = pair(*heights, lambda values: mean(values, scale=inches), resamples=2**15)
        assert (outcome["p_value"], outcome["test"]) == (1726 / 32_768, "exact permutation test of rows")
        low, high = interval(outcome)
        assert (low / unit, high / unit) == pytest.approx((0.003899165, 5.229434169), abs=1e-9)


def test_p_values_at_their_limits() -> None:
    # (k + 1) / (n + 1): the observed assignment is one of the possible ones.
    assert pair(np.linspace(0.6, 1, 50), np.linspace(0, 0.3, 50), resamples=999)["p_value"] == 1 / 1000
    assert pair([0.3, 0.7], [0.3, 0.7])["p_value"] == pair([], [])["p_value"] == 1.0
    random = np.random.default_rng(4)
    first, second = random.random(50) / 2 + 0.025, random.random(50) / 2
    drawn = [pair(first, second, resamples=2000, seed=seed)["p_value"] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def tango(wins: float, losses: float, total: float, z: float) -> tuple[float, float]:
    """Find Tango's bounds numerically: a score statistic of z, with the constrained maximum of the likelihood."""

    def distance(delta: float) -> float:
        def unlikelihood(lost: float) -> float:
            terms = [(wins, lost + delta), (losses, lost), (total - wins - losses, 1 - delta - 2 * lost)]
            return -sum(count * math.log(max(p, 1e-300)) for count, p in terms if count)

        span = max(0.0, -delta), (1 - delta) / 2
        lost = scipy.optimize.minimize_scalar(unlikelihood, bounds=span, method="bounded", options={"xatol": 1e-13}).x
        return (wins - losses - total * delta) / math.sqrt(total * max(2 * lost + delta * (1 - delta), 1e-300))

    middle = (wins - losses) / total
    ends = (-1.0, middle, z), (middle, 1.0, -z)
    low, high = (scipy.optimize.brentq(lambda at, end=end: distance(at) - end, *span) for *span, end in ends)
    return low, high


def test_interval_of_proportions_is_tangos() -> None:
    for wins, losses, ties in ((12, 2, 36), (1, 5, 34), (3, 0, 27), (0, 7, 2), (20, 20, 60), (1, 1, 1)):
        expected = tango(wins, losses, wins + losses + ties, Z)
        assert interval(pair_of_answers(wins, losses, ties)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_interval_of_means_is_the_paired_t_interval(seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = random.random((2, int(random.integers(10, 200))))
    expected = scipy.stats.ttest_rel(first, second).confidence_interval(0.9)
    assert interval(pair(first, second, level=0.9)) == pytest.approx((expected.low, expected.high), rel=1e-9)
    codes = np.arange(90) % int(random.integers(10, 30))
    graded = np.clip(random.random(90) + random.normal(0, 0.5, (2, 90)), 0, 1)
    for make, (one, other) in ((mean, graded), (proportion, np.rint(graded))):
        reach = scipy.stats.t.ppf(0.975, codes.max()) * math.sqrt(clustered_variance(one - other, codes))
        expected = (one - other).mean() - reach, (one - other).mean() + reach
        assert interval(pair(one, other, make, clusters=codes)) == pytest.approx(expected, rel=1e-8)


@given(PAIRS, st.floats(0.5, 0.999), st.booleans())
def test_interval_of_means_has_a_width_and_stays_in_range(pairs: Any, level: float, grouped: bool) -> None:
    first, second = zip(*pairs, strict=True)
    outcome = pair(first, second, level=level, clusters=np.arange(len(pairs)) % 2 if grouped else None)
    low, high = interval(outcome)
    assert -1 <= low <= outcome["difference"] <= high <= 1
    assert low < high


def test_intervals_of_scores_that_hardly_vary() -> None:
    # A hundred equal scores give no more information than a hundred equal answers.
    assert 0.03 < interval(pair([0.5] * 100, [0.5] * 100))[1] < 0.05
    # One whole point: t would give 0.01 +- 0.02.
    low, high = interval(pair([1.0] + [0.5] * 99, [0.0] + [0.5] * 99))
    assert low < -0.02
    assert high > 0.05
    # Every row gains a tenth: the variance is 0, and only the allowance for unseen scores remains.
    t = scipy.stats.t.ppf(0.975, 99)
    unseen = 0.25 / (100 * 160)
    reach = t * math.sqrt(unseen)
    assert interval(pair([0.6] * 100, [0.5] * 100)) == pytest.approx((0.1 - reach, 0.1 + reach))
    # Three of a hundred rows gain a tenth: Tango's interval at the size at which wins of a whole point vary so.
    variance = np.array([0.1] * 3 + [0.0] * 97).var(ddof=1) / 100
    factor = (0.3 - 0.3**2 / 100) / 100**2 / (variance + unseen)
    expected = tango(0.3 * factor, 0, 100 * factor, t)
    assert interval(pair([0.6] * 3 + [0.5] * 97, [0.5] * 100)) == pytest.approx(expected, abs=1e-6)
    assert interval(pair([0.6], [0.5])) == (-1.0, 1.0)
    # A whole point on every row, in either direction: Tango's statistic is sqrt(n (1 - d) / (1 + d)).
    square = scipy.stats.t.ppf(0.975, 8) ** 2
    end = (9 - square) / (9 + square)
    assert interval(pair([1.0] * 9, [0.0] * 9)) == pytest.approx((end, 1.0))
    assert interval(pair([0.0] * 9, [1.0] * 9)) == pytest.approx((-1.0, -end))


def test_detectable_difference_is_the_quantiles_times_the_standard_error() -> None:
    first, second = np.random.default_rng(3).random((2, 40))
    for clusters, quantile in ((None, scipy.stats.norm.ppf), (np.arange(40) % 5, scipy.stats.t(4).ppf)):
        variance = clustered_variance(first - second, np.arange(40) if clusters is None else clusters)
        expected = (quantile(0.975) + quantile(0.8)) * math.sqrt(variance)
        outcome = pair(first, second, clusters=clusters)["minimum_detectable_difference"]
        assert outcome == pytest.approx(expected, rel=1e-6)
    identical = Z / (100 + Z * Z)
    assert pair_of_answers(0, 0, 100)["minimum_detectable_difference"] == pytest.approx((Z + 0.8416212) * identical)
    assert pair_of_answers(0, 0, 1)["minimum_detectable_difference"] == 1.0


def test_margin_uses_the_interval_at_one_minus_two_alpha() -> None:
    first, second = np.random.default_rng(8).random((2, 80))
    low, high = scipy.stats.ttest_rel(first, second).confidence_interval(0.9)
    verdicts = {
        (-low * 1.01): (True, high < -low * 1.01),
        (-low * 0.99): (False, False),
        max(-low, high) * 1.01: (True, True),
    }
    for margin, expected in verdicts.items():
        outcome = compared({"a": second, "b": first}, margin=margin)["systems"]["b"]
        assert (outcome["noninferior"], outcome["equivalent"]) == expected


def test_rows_without_a_score_are_excluded_pairwise_and_counted() -> None:
    gaps = compared({"a": [0.1, None, 0.9, 0.3], "b": [0.2, 0.4, None, 0.5], "c": [0.2, 0.4, 0.3, 0.5]})
    plain = compared({"a": [0.1, 0.3], "b": [0.2, 0.5]})
    for key in ("difference", "difference_confidence_interval", "p_value", "wins", "minimum_detectable_difference"):
        assert gaps["systems"]["b"][key] == plain["systems"]["b"][key]
    assert (gaps["systems"]["b"]["left_out"], gaps["systems"]["c"]["left_out"], gaps["total"]) == (2, 1, 4)
    assert "2 rows left out because one of the two has no score" in str(gaps)


def test_no_common_rows_give_the_widest_interval() -> None:
    result = compared({"a": [0.1, 0.2, None, None], "b": [None, None, 0.3, 0.4]}, clusters=["x", "x", "y", "y"])
    outcome = result["systems"]["b"]
    assert (outcome["difference_confidence_interval"], outcome["p_value"], outcome["left_out"]) == ((-1.0, 1.0), 1.0, 4)
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
    for name, line in zip("bc", str(several).splitlines(), strict=True):
        outcome = several["systems"][name]
        assert line.startswith(f"score: {name} ")
        assert f"), p = {outcome['p_value']:.2g}, Holm-adjusted {outcome['adjusted_p_value']:.2g} (permutation" in line
        assert "; not significant, which does not mean equal: with 80% power, the test detects" in line
        assert f" a difference of {outcome['minimum_detectable_difference']:.4f}" in line
    lenient = compared({"a": [1] * 70 + [0] * 30, "b": [1] * 74 + [0] * 26}, proportion, level=0.5)
    assert lenient["systems"]["b"]["p_value"] == 0.125
    assert "not significant" not in str(lenient)


@pytest.mark.parametrize(
    ("systems", "options", "parts"),
    [
        (
            {"a": [0.1, 0.5, 0.9, None], "b": [0.2, 0.4, 0.9, 1.0]},
            {},
            [
                "; 1 win, 1 loss, 1 tie; n = 3;",
                "not significant, which does not mean equal",
                " a difference of 0.1617; 1 row left out because",
            ],
        ),
        ({"a": [0.1, 0.5, 0.9], "b": [0.2, 0.4, 1.0]}, {"clusters": [1, 1, 2]}, ["; n = 3 in 2 clusters;"]),
        ({"a": [0.5] * 50, "b": [0.4] * 50}, {"margin": 0.2}, ["; equivalent within a margin of 0.2"]),
        ({"a": [0.5] * 50, "b": [0.9] * 50}, {"margin": 0.2}, ["; noninferior within a margin of 0.2", "p = 0.001 ("]),
        ({"a": [0.5] * 50, "b": [0.1] * 50}, {"margin": 0.2}, ["; not shown to be noninferior within a margin of 0.2"]),
        (
            {"a": [0] * 5 + [1] * 5, "b": [1] * 10},
            {"make": proportion},  # p = 0.0625, but the interval excludes 0
            ["; the interval and the test disagree, so go by the test", "power, the test detects a difference"],
        ),
        ({"a": [0] * 50, "b": [1] * 50}, {"make": proportion}, ["p = 1.8e-15 (exact McNemar test)"]),
    ],
)
def test_summary_has_caveats(systems: dict[str, Any], options: dict[str, Any], parts: list[str]) -> None:
    summary = str(compared(systems, **{"resamples": 999, **options}))
    assert [part for part in parts if part not in summary] == []


def test_rounding_errors_are_no_wins() -> None:
    outcome = pair([0.1 + 0.2, 0.3, 0.5], [0.3, 0.1 + 0.2, 0.4])
    assert (outcome["wins"], outcome["losses"], outcome["ties"]) == (1, 0, 2)
