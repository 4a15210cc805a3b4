# Vendored: edit metrics/_shared/_comparison.py and run `make vendor`.
"""Paired comparison of systems on the same examples: differences, intervals, tests, and how many rows they need.

Sources: Tango, Statistics in Medicine 17, 1998, 891-908; Phipson and Smyth 2010,
https://doi.org/10.2202/1544-6115.1585; Holm 1979, https://www.jstor.org/stable/4615733; number of rows for McNemar's
test, Connett, Smith and McHugh 1987, https://doi.org/10.1002/sim.4780060509; simultaneous intervals of ranks from tests
of all pairs, Al Mohamad, Goeman and van Zwet 2022, https://doi.org/10.1111/biom.13419.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np

from ._options import is_int
from ._results import Result
from ._statistic import (
    FEW,
    TIE,
    Array,
    Interval,
    Scale,
    Statistic,
    bisect,
    check_clusters,
    cluster_codes,
    cluster_sums,
    effective_number,
    exact_sum,
    normal_quantile,
    score_interval,
    t_quantile,
    unseen_variance,
    upper_tail,
)

_HALF_BITS = 30
"""Sums of the permutation test are integers of 60 bits, added in two halves."""
_MAX_DRAWS = 1 << 22
"""Swaps that one step of the permutation test draws: 32 MB."""
TYPICAL_CORRELATION = 0.45
"""Of the scores of two systems on the same rows: between 0.34 and 0.60 for the ten pairs of systems of EVOUNA
(https://arxiv.org/abs/2305.12421)."""


# ---- a system and the baseline


@dataclass(frozen=True)
class Pair:
    """A system and the baseline on the examples that have a score in both, on the unit scale (`Scale`).

    Attributes:
        codes: The cluster of each example, None without clusters.
        units: Sorted, one per example or cluster: the difference if every unit were like this one, to first order.
            Their mean is the difference, and their variance divided by their number its sampling variance.
        wins, losses, ties: Numbers of examples on which the system scores higher, lower, the same.
    """

    system: Statistic
    baseline: Statistic
    codes: Array | None
    difference: float
    units: Array
    wins: int
    losses: int
    ties: int

    @classmethod
    def of(cls, system: Statistic, baseline: Statistic, codes: Array | None = None) -> "Pair":
        """Pair two statistics of the same kind, all of whose rows have a score."""
        influences = system.influences() - baseline.influences() if len(system.rows) else np.zeros(0)
        units = influences if codes is None else cluster_sums(influences, codes)
        difference = system.value - baseline.value
        gaps = system.function(system.rows) - baseline.function(baseline.rows)
        wins = int((gaps > TIE).sum())
        losses = int((gaps < -TIE).sum())
        return cls(
            system=system,
            baseline=baseline,
            codes=codes,
            difference=difference,
            units=np.sort(difference + len(units) * units),
            wins=wins,
            losses=losses,
            ties=len(gaps) - wins - losses,
        )

    @property
    def binomial(self) -> bool:
        """Whether wins and losses of independent 0/1 scores are sufficient statistics."""
        return self.system.kind == "proportion" and self.codes is None

    @property
    def variance(self) -> float:
        """The estimated sampling variance of the difference."""
        number = len(self.units)
        if number < 2 or self.units[-1] - self.units[0] <= TIE:  # noqa: PLR2004
            return 0.0
        deviations = self.units - self.difference
        return exact_sum(deviations * deviations) / (number * (number - 1))

    def interval(self, level: float) -> Interval:
        """Return the interval of the difference, within [-1, 1], containing it, never of width 0.

        Tango's score interval for 0/1 scores of independent examples. Otherwise the difference +- t standard errors; if
        few units account for most of the variance, t is too narrow, and the interval is widened to Tango's at the
        number of units at which wins and losses of a whole point would have the same variance.
        """
        number, difference = len(self.units), self.difference
        if number == 0 or (number == 1 and not self.binomial):
            return (-1.0, 1.0)
        if self.binomial:
            low, high = tango(self.wins, self.losses, number, normal_quantile(level))
        elif abs(difference) == 1:  # every score is 0 in one system and 1 in the other
            wins, losses = (number, 0) if difference > 0 else (0, number)
            low, high = tango(wins, losses, number, t_quantile(level, number - 1))
        else:
            t = t_quantile(level, number - 1)
            variance, unseen = self.variance, unseen_variance(1.0, number) / 2
            half_width = t * math.sqrt(max(variance, unseen))
            low, high = difference - half_width, difference + half_width
            effective = effective_number(self.units)
            if effective < FEW and effective * 8 < number:
                wider = self._sparse_interval(variance + unseen, t)
                low, high = min(low, wider[0]), max(high, wider[1])
        return max(-1.0, min(low, difference)), min(1.0, max(high, difference))

    def unbounded_interval(self, level: float) -> Interval | None:
        """Return the difference +- t standard errors; None, which means unknown, if differences do not vary."""
        error = math.sqrt(self.variance)
        if error <= TIE:
            return None
        half_width = t_quantile(level, len(self.units) - 1) * error
        return self.difference - half_width, self.difference + half_width

    def _sparse_interval(self, variance: float, t: float) -> Interval:
        number = len(self.units)
        gains = exact_sum(np.maximum(self.units, 0.0))
        costs = exact_sum(np.maximum(-self.units, 0.0))
        whole = (gains + costs - (gains - costs) ** 2 / number) / number**2
        factor = max(whole / variance, 1.0) if whole > 0 else 1.0
        return tango(gains * factor, costs * factor, max(number, gains + costs) * factor, t)

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

        The permutation test swaps examples, or clusters, between the systems: all 2^m swaps of the m that differ if
        these are at most `resamples`, else (k + 1) / (resamples + 1) for k of `resamples` random swaps that are as
        extreme.
        """
        if self.binomial:
            return mcnemar(self.wins, self.losses), "exact McNemar test"
        unit = "rows" if self.codes is None else "clusters"
        rows = self.system.rows - self.baseline.rows
        if self.codes is not None:
            rows = np.stack([cluster_sums(column, self.codes) for column in rows.T], axis=1)
        rows = rows[rows.any(axis=1)]
        if len(rows) == 0:
            return 1.0, f"exact permutation test of {unit}"
        # Integer sums are exact: they do not depend on the order of addition or the machine.
        scale = 2.0 ** (2 * _HALF_BITS - np.ceil(np.log2(np.maximum(np.abs(rows).sum(axis=0), 1.0))))
        whole = np.rint(rows * scale).astype(np.int64)
        exact = 2 ** len(rows) <= resamples
        swapped = _every_swap(whole) if exact else _random_swaps(whole, resamples, np.random.default_rng(seed))
        moved = swapped / scale
        shuffled = self.system.function(self.system.sums - moved) - self.system.function(self.baseline.sums + moved)
        extreme = int((np.abs(shuffled) >= abs(self.difference) - TIE).sum())
        if exact:
            return extreme / len(swapped), f"exact permutation test of {unit}"
        return (extreme + 1) / (resamples + 1), f"permutation test of {unit}, {resamples} resamples, seed {seed}"


def _every_swap(rows: Array) -> Array:
    """Return the sums of all subsets of the rows, shape (2^rows, columns)."""
    sums = np.zeros((1, rows.shape[1]), dtype=np.int64)
    for row in rows:
        sums = np.concatenate([sums, sums + row])
    return sums


def _random_swaps(rows: Array, resamples: int, random: np.random.Generator) -> Array:
    """Return the sums of random subsets of the rows, shape (resamples, columns), int64.

    Of equal rows, only the number that is swapped is drawn. Matrix products of float64 are many times faster than those
    of integers, and exact below 2**53, so the upper and the lower bits are added separately.
    """
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    many_equal = len(distinct) * 16 < len(rows)
    if not many_equal:
        distinct = np.repeat(distinct, counts, axis=0)
    halves = np.concatenate([distinct >> _HALF_BITS, distinct % (1 << _HALF_BITS)], axis=1).astype(np.float64)
    step = max(1, _MAX_DRAWS // len(distinct))
    sums = []
    for start in range(0, resamples, step):
        shape = (min(step, resamples - start), len(distinct))
        if many_equal:
            swaps: Array = random.binomial(counts, 0.5, shape)
        else:
            drawn = random.integers(256, size=(shape[0], -(-shape[1] // 8)), dtype=np.uint8)
            swaps = np.unpackbits(drawn, axis=1, count=shape[1])
        upper, lower = np.split((swaps.astype(np.float64) @ halves).astype(np.int64), 2, axis=1)
        sums.append((upper << _HALF_BITS) + lower)
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
    differing, fewer = wins + losses, min(wins, losses)
    if wins == losses:
        return 1.0
    if differing <= 1000:  # noqa: PLR2004  # exact integers: 3:0 is exactly 0.25
        return float(2 * sum(math.comb(differing, k) for k in range(fewer + 1)) / 2**differing)
    return min(1.0, 2 * upper_tail(max(wins, losses), differing, 0.5))


def adjust(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number by Holm's method.

    >>> adjust([0.5, 0.0625])
    [0.5, 0.125]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


# ---- several systems


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
    """Compare systems on the same examples.

    Args:
        systems: The scores of each system by name; one row per example, the same examples in the same order.
        baseline: The system that the others are compared with; "all" (if no system is named so) compares all pairs.
        main_score: The score that summaries report, and the only one that is compared for all pairs.
        clusters: One label per example: examples that depend on each other.
        level: The confidence level, strictly between 0 and 1.
        method: The interval method of each system's proportions, as in `interval`.
        resamples: Number of random swaps in the permutation test if it cannot enumerate all.
        seed: Seed of the random swaps.
        margin: Largest difference that does not matter; two one-sided tests add `noninferior` and `equivalent`.

    Returns:
        `baseline`, `score` (the main one), `total`, `clusters` (their number), `margin`, `confidence_level` and
        `systems`: each with its scores and their intervals, and all but the baseline also with `difference`,
        `difference_confidence_interval`, `p_value`, `adjusted_p_value`, `test`, `wins`, `losses`, `ties`,
        `minimum_detectable_difference` and `left_out` (examples without a score in one of the two); each is a value, or
        a mapping by score if there are several. For all pairs, these are in a list, `pairs`, whose items also have
        `system` and `baseline`, and each system has a `rank` and its `rank_confidence_interval`.
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
            bounds = score_interval(statistic, level=level, method=method, seed=seed, clusters=codes)
            result["systems"][name] |= {score: statistic.value, f"{score}_confidence_interval": bounds}
    settings = {"level": level, "resamples": resamples, "seed": seed, "margin": margin}
    if baseline in systems:
        _compare_with_baseline(result, systems, codes, settings)
    else:
        _compare_pairs(result, {name: scores[main_score] for name, scores in systems.items()}, codes, settings)
    return result


def _compare_with_baseline(
    result: Result, systems: Mapping[str, Mapping[str, Statistic]], codes: Array | None, settings: Mapping[str, Any]
) -> None:
    """Add the comparison with the baseline to each system of a result."""
    baseline = systems[result["baseline"]]
    others = [name for name in systems if name != result["baseline"]]
    for score, reference in baseline.items():
        found = {name: describe_pair(systems[name][score], reference, codes, **settings) for name in others}
        adjust_all(found.values())
        for name in others:
            for key, value in found[name].items():
                if len(baseline) == 1:
                    result["systems"][name][key] = value
                else:
                    result["systems"][name].setdefault(key, {})[score] = value


def _compare_pairs(
    result: Result, systems: Mapping[str, Statistic], codes: Array | None, settings: Mapping[str, Any]
) -> None:
    """Add the comparisons of all pairs, and the interval of each system's rank, to a result."""
    result["pairs"] = [
        {"system": second, "baseline": first, **describe_pair(systems[second], systems[first], codes, **settings)}
        for first, second in combinations(systems, 2)
    ]
    adjust_all(result["pairs"])
    for name, ranks in _ranks(systems, result["pairs"], settings["level"]).items():
        result["systems"][name] |= ranks


def describe_pair(
    system: Statistic,
    baseline: Statistic,
    codes: Array | None,
    *,
    level: float,
    resamples: int,
    seed: int,
    margin: float | None = None,
) -> dict[str, Any]:
    """Compare a system with the baseline; the arguments and keys are those of `compare`.

    Wins are rows on which the system is better; differences and the margin are on the scale of the score. An interval
    or a detectable difference of None is unknown.
    """
    pair, left_out = pair_rows(system, baseline, codes)
    scale = baseline.scale
    p_value, test = pair.test(resamples, seed)
    difference = scale.difference(pair.difference)
    bounds = pair.interval(level) if scale.bounded else pair.unbounded_interval(level)
    found: dict[str, Any] = {
        "difference": difference,
        "difference_confidence_interval": None if bounds is None else scale.difference_interval(difference, bounds),
        "p_value": p_value,
        "adjusted_p_value": p_value,
        "test": test,
        "wins": pair.wins,
        "losses": pair.losses,
        "ties": pair.ties,
        "minimum_detectable_difference": None if bounds is None else pair.detectable(level) * scale.size,
    }
    if margin is not None:
        within = pair.interval(2 * level - 1) if scale.bounded else pair.unbounded_interval(2 * level - 1)
        noninferior = within is not None and within[0] > -margin / scale.size
        equivalent = noninferior and within is not None and within[1] < margin / scale.size
        found |= {"noninferior": noninferior, "equivalent": equivalent}
    return found | {"left_out": left_out}


def pair_rows(system: Statistic, baseline: Statistic, codes: Array | None) -> tuple[Pair, int]:
    """Pair the examples that have a score in both; also returns the number of those that do not."""
    both = system.scored & baseline.scored
    if system.kind == "function":  # all-zero counts are a valid example
        both = np.ones(len(baseline.rows), dtype=bool)
    kept = None if codes is None else cluster_codes(codes[both])
    return Pair.of(system.take(both).unit(), baseline.take(both).unit(), kept), int((~both).sum())


def adjust_all(found: Iterable[dict[str, Any]], key: str = "p_value") -> None:
    """Add to each comparison its p-value adjusted for their number by Holm's method."""
    compared = list(found)
    for one, p_value in zip(compared, adjust([each[key] for each in compared]), strict=True):
        one[f"adjusted_{key}"] = p_value


def _ranks(
    systems: Mapping[str, Statistic], pairs: Iterable[Mapping[str, Any]], level: float
) -> dict[str, dict[str, Any]]:
    """Return the rank of each system, and the interval of ranks that it may have.

    It begins after the systems that are shown to be better, and ends before those that are shown to be worse. If all
    pairs are tested with a familywise error of 5%, all true ranks lie in their intervals with a probability of 95%.
    """
    scores = {name: statistic.unit().value for name, statistic in systems.items()}
    better, worse = dict.fromkeys(systems, 0), dict.fromkeys(systems, 0)
    for pair in pairs:
        if pair["adjusted_p_value"] <= 1 - level:
            worst, best = sorted((pair["system"], pair["baseline"]), key=scores.__getitem__)
            better[worst] += 1
            worse[best] += 1
    return {
        name: {
            "rank": 1 + sum(other > score for other in scores.values()),
            "rank_confidence_interval": (1 + better[name], len(scores) - worse[name]),
        }
        for name, score in scores.items()
    }


# ---- planning


def required_rows(variance: float, difference: float, *, level: float, power: float, exact: bool = False) -> int:
    """Return the number of rows at which a two-sided paired test detects a true difference with this power.

    Connett's formula, ((z sqrt(V + d^2) + z' sqrt(V)) / d)^2: under the null hypothesis, the variance is V + d^2.

    Args:
        variance: V, the variance of the difference of one row.
        difference: d, the true difference, above 0.
        level: 1 minus the significance level.
        power: The power, from 0.5 to 1.
        exact: Whether the test is the exact McNemar test, which needs 1 / d more rows, as its p-values are discrete.
    """
    under_null = normal_quantile(level) * math.sqrt(variance + difference**2)
    needed = ((under_null + NormalDist().inv_cdf(power) * math.sqrt(variance)) / difference) ** 2
    return math.ceil(needed + (1 / difference if exact else 0))


def plan_rows(
    systems: Sequence[Statistic], codes: Array | None, *, difference: float, power: float, level: float
) -> dict[str, int]:
    """Return what `Metric.required_n` documents, from the scores of one system or two on the same rows.

    Raises:
        ValueError: For fewer than two rows or clusters, or a bad value.
    """
    scale = systems[0].scale
    for name, value, low, high in (("difference", difference, 0, scale.size), ("power", power, 0.5, 1)):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not low < value < (high if scale.bounded or name == "power" else math.inf):
            expected = (
                f"a number between {low} and {high:g}" if scale.bounded or name == "power" else "a number above 0"
            )
            raise ValueError(f"{name} must be {expected}, got {value!r}")
    pair, _ = pair_rows(systems[-1], systems[0], codes)
    number, rows = len(pair.units), pair.system.total
    if number < 2:  # noqa: PLR2004
        raise ValueError("required_n needs two rows or clusters with a score")
    own = [one.variance(pair.codes) * rows for one in (pair.baseline, pair.system)]
    worst = math.fsum(own)
    variance = pair.variance * rows if len(systems) > 1 else (1 - TYPICAL_CORRELATION) * worst
    unseen = unseen_variance(1.0, number) * rows / 2 if scale.bounded else 0.0  # as in `Pair.interval`
    needed = partial(required_rows, difference=difference / scale.size, level=level, power=power, exact=pair.binomial)
    return {"n": needed(max(variance, unseen)), "n_worst": needed(max(worst, variance, unseen))}


# ---- checks


def check_systems(systems: Any, baseline: str | None, resamples: Any) -> str:
    """Check the arguments of `compare` and return the name of the baseline, or "all"."""
    if not isinstance(systems, Mapping) or len(systems) < 2:  # noqa: PLR2004
        count = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
        raise ValueError(f"systems must map two names or more to their columns, got {count}")
    for name in systems:
        if not isinstance(name, str):
            raise ValueError(f"systems are named by strings, not by {name!r} ({type(name).__name__})")
    first = next(iter(systems)) if baseline is None else baseline
    if not isinstance(first, str) or first not in {*systems, "all"}:
        raise ValueError(f"baseline={baseline!r} is not one of the systems {', '.join(systems)}")
    if not is_int(resamples) or resamples < 1:
        raise ValueError(f"resamples must be an int of at least 1, got {resamples!r}")
    return first


def check_margin(margin: Any, level: float, scale: Scale) -> None:
    """Raise a `ValueError` for a margin that is no difference of scores, or at a level at which it cannot be tested."""
    if margin is None:
        return
    most = scale.size if scale.bounded else math.inf
    is_number = isinstance(margin, (int, float)) and not isinstance(margin, bool)
    if not is_number or not 0 < margin <= most or math.isinf(margin):
        expected = "a number above 0" + (f" and at most {most:g}" if scale.bounded else "")
        raise ValueError(f"margin must be {expected}, got {margin!r}")
    if level <= 0.5:  # noqa: PLR2004  # two one-sided tests use the interval at 2 * level - 1
        raise ValueError(f"with margin, confidence_level must be above 0.5, got {level!r}")
