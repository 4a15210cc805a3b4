"""Paired comparison of systems on the same examples: differences, intervals, tests and sample sizes.

Sources: Tango, Statistics in Medicine 17, 1998, 891-908; Phipson and Smyth 2010,
https://doi.org/10.2202/1544-6115.1585; Holm 1979, https://www.jstor.org/stable/4615733; number of rows for McNemar's
test, Connett, Smith and McHugh 1987, https://doi.org/10.1002/sim.4780060509; simultaneous intervals of ranks from tests
of all pairs, Al Mohamad, Goeman and van Zwet 2022, https://doi.org/10.1111/biom.13419.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np

from answer_metrics.core.options import is_int
from answer_metrics.core.results import Result
from answer_metrics.statistics.statistic import (
    FEW,
    TIE,
    Array,
    Interval,
    Scale,
    Statistic,
    bisect,
    check_clusters,
    clamp,
    cluster_codes,
    cluster_sums,
    effective_number,
    exact_sum,
    interval,
    normal_quantile,
    t_quantile,
    unseen_variance,
    upper_tail,
)

_MAX_DRAWS = 1 << 22
"""Swaps drawn in one step of the permutation test: 32 MB."""
TYPICAL_CORRELATION = 0.45
"""That of two systems' scores on the same rows: 0.34 to 0.60 in EVOUNA (https://arxiv.org/abs/2305.12421)."""


@dataclass(frozen=True, eq=False)
class Pair:
    """A system and the baseline on the examples that have a score in both, on the unit scale (`Scale`).

    `codes` has the cluster of each example, None without clusters.
    """

    system: Statistic
    baseline: Statistic
    codes: Array | None

    @classmethod
    def of(cls, system: Statistic, baseline: Statistic, codes: Array | None = None) -> "Pair":
        """Pair two statistics of the same kind on any scale."""
        both = system.scored & baseline.scored
        if system.kind == "function":  # all-zero counts are a valid example
            both = np.ones(len(both), dtype=bool)
        return cls(system.take(both).unit(), baseline.take(both).unit(), None if codes is None else codes[both])

    @cached_property
    def difference(self) -> float:
        """The difference of the scores."""
        return self.system.value - self.baseline.value

    @cached_property
    def gaps(self) -> Array:
        """The difference on each example."""
        return np.asarray(self.system.row_scores - self.baseline.row_scores)

    @cached_property
    def units(self) -> Array:
        """Sorted, one per example or cluster: the difference if every unit were like this one, to first order."""
        if not len(self.gaps):
            return self.gaps
        influences = self.system.influences() - self.baseline.influences()
        units = influences if self.codes is None else cluster_sums(influences, self.codes)
        return np.sort(self.difference + len(units) * units)

    @cached_property
    def wins_and_losses(self) -> tuple[int, int]:
        """The numbers of examples on which the system is better, and on which the baseline is."""
        return int((self.gaps > TIE).sum()), int((self.gaps < -TIE).sum())

    @property
    def binomial(self) -> bool:
        """Whether scores are independent and 0 or 1, so that wins and losses determine the test."""
        return self.system.kind == "proportion" and self.codes is None

    @property
    def variance(self) -> float:
        """The estimated sampling variance of the difference."""
        number = len(self.units)
        if number < 2 or self.units[-1] - self.units[0] <= TIE:
            return 0.0
        deviations = self.units - self.difference
        return exact_sum(deviations * deviations) / (number * (number - 1))

    def interval(self, level: float) -> Interval | None:
        """Return the interval of the difference, which contains it and has a width above 0; None if unknown.

        Tango's score interval for 0/1 scores of independent examples. Otherwise the difference +- t standard errors; if
        few units account for most of the variance, it is widened to Tango's at the number of units at which wins and
        losses of a whole point would have the same variance. Scores without bounds: unknown if differences do not vary.
        """
        number, difference, bounded = len(self.units), self.difference, self.system.scale.bounded
        if self.binomial and number:
            low, high = tango(*self.wins_and_losses, number, normal_quantile(level))
            return clamp(difference, low, high, -1.0)
        if number < 2 or not (bounded or math.sqrt(self.variance) > TIE):
            return (-1.0, 1.0) if bounded else None
        t, variance = t_quantile(level, number - 1), self.variance
        unseen = unseen_variance(1.0, number) / 2 if bounded else 0.0
        half_width = t * math.sqrt(max(variance, unseen))
        low, high = difference - half_width, difference + half_width
        if not bounded:
            return low, high
        effective = effective_number(self.units)
        if abs(difference) == 1:  # every score is 0 in one system and 1 in the other
            low, high = tango(max(difference, 0) * number, max(-difference, 0) * number, number, t)
        elif effective < FEW and effective * 8 < number:
            gains, costs = (exact_sum(np.maximum(units, 0.0)) for units in (self.units, -self.units))
            whole = (gains + costs - (gains - costs) ** 2 / number) / number**2
            factor = max(whole / (variance + unseen), 1.0) if whole > 0 else 1.0
            wider = tango(gains * factor, costs * factor, max(number, gains + costs) * factor, t)
            low, high = min(low, wider[0]), max(high, wider[1])
        return clamp(difference, low, high, -1.0)

    def detectable(self, level: float) -> float:
        """Return the smallest true difference that the two-sided test at 1 - level detects with a power of 80%."""
        number = len(self.units)
        if number <= 1:
            return 1.0
        # Of the standard normal distribution, 60% lies within -z and z of z = 0.84, and so 80% below that z.
        alpha, power = (
            normal_quantile(at) if self.codes is None else t_quantile(at, number - 1) for at in (level, 0.6)
        )
        # Without any difference Tango's interval is z^2 / (n + z^2) wide on either side.
        return min(1.0, (alpha + power) * (math.sqrt(self.variance) or alpha / (number + alpha**2)))

    def test(self, resamples: int, seed: int) -> tuple[float, str]:
        """Return the two-sided p-value and the name of the test: McNemar's, or a paired permutation test.

        That swaps examples, or clusters, between the systems: all 2^m swaps of the m that differ if these are at most
        `resamples`; else p is (k + 1) / (resamples + 1) for k of `resamples` random swaps that are as extreme.
        """
        if self.binomial:
            return mcnemar(*self.wins_and_losses), "exact McNemar test"
        unit = "rows" if self.codes is None else "clusters"
        rows = self.system.rows - self.baseline.rows
        if self.codes is not None:
            rows = np.stack([cluster_sums(column, self.codes) for column in rows.T], axis=1)
        rows = rows[rows.any(axis=1)]
        if exact := 2 ** len(rows) <= resamples:
            moved = np.zeros((1, rows.shape[1]))  # the sums of all subsets of the rows
            for row in rows:
                moved = np.concatenate([moved, moved + row])
        else:
            moved = _random_swaps(rows, resamples, np.random.default_rng(seed))
        shuffled = self.system.function(self.system.sums - moved) - self.system.function(self.baseline.sums + moved)
        extreme = int((np.abs(shuffled) >= abs(self.difference) - TIE).sum())
        if exact:
            return extreme / len(moved), f"exact permutation test of {unit}"
        return (extreme + 1) / (resamples + 1), f"permutation test of {unit}, {resamples} resamples, seed {seed}"


def _random_swaps(rows: Array, resamples: int, random: np.random.Generator) -> Array:
    """Return the sums of random subsets of the rows, shape (resamples, columns), whatever the order of rows."""
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    many_equal = len(distinct) * 16 < len(rows)  # then only the number of swapped rows is drawn
    if not many_equal:
        distinct = np.repeat(distinct, counts, axis=0)
    step = max(1, _MAX_DRAWS // len(distinct))
    sums = []
    for start in range(0, resamples, step):
        shape = (min(step, resamples - start), len(distinct))
        if many_equal:
            swaps: Array = random.binomial(counts, 0.5, shape)
        else:
            drawn = random.integers(256, size=(shape[0], -(-shape[1] // 8)), dtype=np.uint8)
            swaps = np.unpackbits(drawn, axis=1, count=shape[1])
        sums.append(swaps.astype(np.float64) @ distinct)
    return np.concatenate(sums)


def tango(wins: float, losses: float, total: float, z: float) -> Interval:
    """Return Tango's score interval of a difference of paired proportions; counts may be any real numbers."""

    def distance(delta: float) -> float:
        linear = (2 * total - wins + losses) * delta - wins - losses
        root = math.sqrt(max(linear * linear + 8 * total * losses * delta * (1 - delta), 0.0))
        # The maximum likelihood estimate of the probability of a loss at a difference of delta.
        lost = (root - linear) / (4 * total)
        variance = total * max(2 * lost + delta * (1 - delta), 0.0)
        excess = wins - losses - total * delta
        return excess / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, excess) if excess else 0.0

    middle = (wins - losses) / total
    _, low = bisect(lambda delta: distance(delta) <= z, -1.0, middle)
    _, high = bisect(lambda delta: distance(delta) < -z, middle, 1.0)
    return low, high


def mcnemar(wins: int, losses: int) -> float:
    """Return the p-value of the exact two-sided McNemar test (https://doi.org/10.1007/BF02295996).

    >>> mcnemar(5, 0)
    0.0625
    """
    differing = wins + losses
    if wins == losses:
        return 1.0
    if differing <= 1000:  # exact integers: 3:0 is exactly 0.25
        return float(2 * sum(math.comb(differing, k) for k in range(min(wins, losses) + 1)) / 2**differing)
    return min(1.0, 2 * upper_tail(max(wins, losses), differing, 0.5))


def compare(
    systems: Mapping[str, Mapping[str, Statistic]],
    *,
    baseline: str,
    main_score: str,
    clusters: Iterable[Any] | None = None,
    level: float = 0.95,
    method: str = "wilson",
    resamples: int = 10_000,
    seed: int = 0,
    margin: float | None = None,
) -> Result:
    """Compare systems, given by their scores by name, on the same examples in the same order.

    Arguments and result are those of `Metric.compare`, and `method` that of `interval`. A baseline that is no system
    means all pairs, of which only the main score is compared. A `margin` is tested by two one-sided tests.
    """
    codes = None if clusters is None else cluster_codes(clusters)
    total = len(next(iter(systems.values()))[main_score].rows)
    result = Result(baseline=baseline, score=main_score, total=total)
    if codes is not None:
        result["clusters"] = check_clusters(codes)[0]
    if margin is not None:
        result["margin"] = float(margin)
    result |= {"confidence_level": level, "systems": {name: {} for name in systems}}
    for name, scores in systems.items():
        for score, statistic in scores.items():
            bounds = interval(statistic, level=level, method=method, seed=seed, clusters=codes)
            result["systems"][name] |= {score: statistic.value, f"{score}_confidence_interval": bounds}
    settings: dict[str, Any] = {"codes": codes, "level": level, "resamples": resamples, "seed": seed, "margin": margin}
    if baseline not in systems:
        _compare_pairs(result, {name: scores[main_score] for name, scores in systems.items()}, **settings)
        return result
    for score, first in systems[baseline].items():
        others = {name: scores[score] for name, scores in systems.items() if name != baseline}
        comparisons = {name: describe_pair(other, first, **settings) for name, other in others.items()}
        adjust_all(comparisons.values())
        for name, comparison in comparisons.items():
            entries = result["systems"][name]
            for key, value in comparison.items():
                entries[key] = {**entries.get(key, {}), score: value} if len(systems[baseline]) > 1 else value
    return result


def _compare_pairs(result: Result, systems: Mapping[str, Statistic], **settings: Any) -> None:
    """Add the comparisons of all pairs, and the rank of each system with its interval, to a result."""
    result["pairs"] = [
        {"system": second, "baseline": first, **describe_pair(systems[second], systems[first], **settings)}
        for first, second in combinations(systems, 2)
    ]
    adjust_all(result["pairs"])
    scores = {name: statistic.unit().value for name, statistic in systems.items()}
    differing = [
        sorted((pair["system"], pair["baseline"]), key=scores.__getitem__)
        for pair in result["pairs"]
        if pair["adjusted_p_value"] <= 1 - result["confidence_level"]
    ]
    better, worse = Counter(worst for worst, _ in differing), Counter(best for _, best in differing)
    for name, score in scores.items():  # the interval is between the systems that are shown to be better and worse
        result["systems"][name] |= {
            "rank": 1 + sum(other > score for other in scores.values()),
            "rank_confidence_interval": (1 + better[name], len(scores) - worse[name]),
        }


def describe_pair(
    system: Statistic, baseline: Statistic, codes: Array | None, *, level: float, resamples: int, seed: int, margin: Any
) -> dict[str, Any]:
    """Compare a system with the baseline, on the scale of the score; see `Metric.compare` for arguments and keys."""
    pair, scale = Pair.of(system, baseline, codes), baseline.scale
    p_value, test = pair.test(resamples, seed)
    difference, bounds, (wins, losses) = scale.difference(pair.difference), pair.interval(level), pair.wins_and_losses
    comparison: dict[str, Any] = {
        "difference": difference,
        "difference_confidence_interval": None if bounds is None else scale.difference_interval(difference, bounds),
        "p_value": p_value,
        "adjusted_p_value": p_value,
        "test": test,
        "wins": wins,
        "losses": losses,
        "ties": len(pair.gaps) - wins - losses,
        "minimum_detectable_difference": None if bounds is None else pair.detectable(level) * scale.size,
    }
    if margin is not None:
        low, high = pair.interval(2 * level - 1) or (-math.inf, math.inf)
        noninferior = low > -margin / scale.size
        comparison |= {"noninferior": noninferior, "equivalent": noninferior and high < margin / scale.size}
    return comparison | {"left_out": len(system.scored) - len(pair.gaps)}


def adjust_all(comparisons: Iterable[dict[str, Any]], key: str = "p_value") -> None:
    """Add p-values adjusted by Holm's method for the number of comparisons."""
    family, largest = sorted(comparisons, key=lambda comparison: comparison[key]), 0.0
    for rank, comparison in enumerate(family):
        largest = max(largest, min(1.0, (len(family) - rank) * comparison[key]))
        comparison[f"adjusted_{key}"] = largest


def required_rows(variance: float, difference: float, *, level: float, power: float, exact: bool = False) -> int:
    """Return the number of rows at which a two-sided paired test at 1 - level detects a true difference d > 0.

    Connett's formula, ((z sqrt(V + d^2) + z' sqrt(V)) / d)^2, where V is the variance of the difference of one row, and
    V + d^2 that under the null hypothesis. The `exact` McNemar test needs 1 / d more: its p-values are discrete.
    """
    under_null = normal_quantile(level) * math.sqrt(variance + difference**2)
    needed = ((under_null + NormalDist().inv_cdf(power) * math.sqrt(variance)) / difference) ** 2
    return math.ceil(needed + (1 / difference if exact else 0))


def plan_rows(
    systems: Sequence[Statistic], codes: Array | None, *, difference: float, power: float, level: float
) -> dict[str, int]:
    """Plan a comparison from the scores of one system, or of two on the same rows; see `Metric.required_n`."""
    scale = systems[0].scale
    for name, value, low, high in (("difference", difference, 0, scale.most), ("power", power, 0.5, 1)):
        if not _is_number(value) or not low < value < high:
            expected = "a number above 0" if math.isinf(high) else f"a number between {low} and {high:g}"
            raise ValueError(f"{name} must be {expected}, got {value!r}")
    pair = Pair.of(systems[-1], systems[0], codes)
    number, rows = len(pair.units), pair.system.total
    if number < 2:
        raise ValueError("required_n needs two rows or clusters with a score")
    worst = math.fsum(side.variance(pair.codes) * rows for side in (pair.baseline, pair.system))
    variance = pair.variance * rows if len(systems) > 1 else (1 - TYPICAL_CORRELATION) * worst
    unseen = unseen_variance(1.0, number) * rows / 2 if scale.bounded else 0.0  # as in `Pair.interval`
    needed = partial(required_rows, difference=difference / scale.size, level=level, power=power, exact=pair.binomial)
    return {"n": needed(max(variance, unseen)), "n_worst": needed(max(worst, variance, unseen))}


def check_systems(systems: Any, baseline: str | None, resamples: Any) -> str:
    """Check the arguments of `compare` and return the name of the baseline, or "all"."""
    if not isinstance(systems, Mapping) or len(systems) < 2:
        count = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
        raise ValueError(f"systems must map two names or more to their columns, got {count}")
    for name in systems:
        if not isinstance(name, str):
            raise ValueError(f"systems are named by strings, not by {name!r} ({type(name).__name__})")
    first = next(iter(systems)) if baseline is None else baseline
    if not isinstance(first, str) or first not in {*systems, "all"}:
        raise ValueError(f"baseline={baseline!r} is not one of the systems {', '.join(systems)}")
    if baseline == "all" and "all" in systems:
        raise ValueError('baseline="all" compares all pairs, but a system is named "all"; rename that system')
    if not is_int(resamples) or resamples < 1:
        raise ValueError(f"resamples must be an int of at least 1, got {resamples!r}")
    return first


def check_margin(margin: Any, level: float, scale: Scale) -> None:
    """Raise a `ValueError` for a margin that no difference can have, or that cannot be tested at this level."""
    if margin is None:
        return
    if not _is_number(margin) or not 0 < margin <= scale.most or math.isinf(margin):
        expected = "a number above 0" + (f" and at most {scale.most:g}" if scale.bounded else "")
        raise ValueError(f"margin must be {expected}, got {margin!r}")
    if level <= 0.5:  # two one-sided tests use the interval at 2 * level - 1
        raise ValueError(f"with margin, confidence_level must be above 0.5, got {level!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
