# Vendored: edit metrics/_shared/_paired.py and run `make vendor`.
"""The difference between two systems' scores on the same examples: its interval and its test.

The units are examples, or clusters of them. Everything is computed from their differences and from the two systems'
sums, so results do not depend on the order of the examples.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ._distributions import binomial_tail
from ._distributions import normal_quantile
from ._distributions import student_t_quantile
from ._intervals import Interval
from ._intervals import bisect
from ._score_intervals import unseen_variance
from ._statistics import Array
from ._statistics import Statistic
from ._statistics import cluster_sums
from ._statistics import effective_number
from ._statistics import exact_sum

_MAX_EXACT = 1000
"""Up to this many differing rows, the McNemar test sums integers: 3:0 is exactly 0.25."""
TIE = 1e-12
"""Score differences up to this size are rounding errors and count as ties."""
_SPARSE = 10
_SPARSE_SHARE = 8
_MAX_LOOKUPS = 1 << 22
"""Table entries that one step of the permutation test reads: 32 MB."""
_MAX_GROUPS = 1 << 12
"""Groups of 8 units per set of tables: 8 MB for each column of sums."""
_BITS = 8
_POWER = 0.6
"""The two-sided level whose quantile is the 0.8 quantile of the distribution: a power of 80%."""


@dataclass(frozen=True)
class Pair:
    """A system and the baseline on the examples that have a score in both.

    Attributes:
        system, baseline: The statistics, of the same kind.
        codes: The cluster of each example, None without clusters.
        difference: Score of the system minus score of the baseline.
        units: Shape (units,), sorted: the difference if every unit were like this one, to first order. Their mean is
            the difference, and their variance divided by the number of units its sampling variance.
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

    @property
    def clustered(self) -> bool:
        """Whether the units are clusters of examples."""
        return self.codes is not None

    @property
    def variance(self) -> float:
        """The estimated sampling variance of the difference."""
        number = len(self.units)
        if number == 0 or self.units[-1] - self.units[0] <= TIE:
            return 0.0
        deviations = self.units - self.difference
        return exact_sum(deviations * deviations) / (number * (number - 1)) if number > 1 else 0.0

    @property
    def binomial(self) -> bool:
        """Whether wins and losses of independent 0/1 scores are sufficient statistics."""
        return self.system.kind == "proportion" and not self.clustered


def make_pair(system: Statistic, baseline: Statistic, codes: Array | None = None) -> Pair:
    """Pair two statistics.

    Args:
        system: The system, one row per example, all rows with a score.
        baseline: The same of the baseline, of the same kind.
        codes: The cluster of each example, shape (examples,), from 0; None without clusters.
    """
    influences = system.influences() - baseline.influences() if len(system.rows) else np.zeros(0)
    difference = system.value - baseline.value
    units = influences if codes is None else cluster_sums(influences, codes)
    gaps = system.function(system.rows) - baseline.function(baseline.rows)
    wins, losses = int((gaps > TIE).sum()), int((gaps < -TIE).sum())
    return Pair(
        system=system,
        baseline=baseline,
        codes=codes,
        difference=difference,
        units=np.sort(difference + len(units) * units),
        wins=wins,
        losses=losses,
        ties=len(gaps) - wins - losses,
    )


def difference_interval(pair: Pair, level: float) -> Interval:
    """Return the interval of a difference, within [-1, 1], containing the difference, never of width 0.

    - 0/1 scores of independent examples: Tango's score interval.
    - Otherwise the difference +- t standard errors over examples or clusters. If few units account for most of the
      variance, t is too narrow, and the interval is widened to Tango's at an effective size: the number of units at
      which wins and losses of a whole point would have the same variance. Without any difference it is Tango's
      interval for 0 wins and 0 losses; if all examples differ by a whole point, Tango's for wins or losses only.
    """
    number = len(pair.units)
    if number == 0 or (number == 1 and not pair.binomial):
        return (-1.0, 1.0)
    if pair.binomial:
        return _around(pair, *tango_interval(pair.wins, pair.losses, number, normal_quantile(level)))
    t = student_t_quantile(level, number - 1)
    if abs(pair.difference) == 1:
        # Every score is 0 in one system and 1 in the other.
        return _around(pair, *tango_interval(*((number, 0) if pair.difference > 0 else (0, number)), number, t))
    variance = pair.variance
    unseen = unseen_variance(1.0, number) / 2
    half_width = t * math.sqrt(max(variance, unseen))
    low, high = pair.difference - half_width, pair.difference + half_width
    if _sparse(pair.units):
        gains = exact_sum(np.maximum(pair.units, 0.0))
        costs = exact_sum(np.maximum(-pair.units, 0.0))
        whole = (gains + costs - (gains - costs) ** 2 / number) / number**2
        factor = max(whole / (variance + unseen), 1.0) if whole > 0 else 1.0
        wider = tango_interval(gains * factor, costs * factor, max(number, gains + costs) * factor, t)
        low, high = min(low, wider[0]), max(high, wider[1])
    return _around(pair, low, high)


def tango_interval(wins: float, losses: float, total: float, z: float) -> Interval:
    """Return Tango's score interval of a difference of paired proportions (Statistics in Medicine 17, 1998, 891-908).

    Args:
        wins: Number of pairs in which only the system is right; any real number >= 0.
        losses: Number of pairs in which only the baseline is right.
        total: Number of pairs, at least wins + losses.
        z: The normal quantile.
    """

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


def detectable_difference(pair: Pair, level: float) -> float:
    """Return the smallest true difference that the two-sided test at 1 - level detects with a power of 80%.

    It is (z for 1 - alpha / 2 plus z for 0.8) standard errors of the paired difference; t with clusters.
    """
    number = len(pair.units)
    if number <= 1:
        return 1.0
    quantiles = [
        student_t_quantile(at, number - 1) if pair.clustered else normal_quantile(at) for at in (level, _POWER)
    ]
    # Without any difference Tango's interval is z^2 / (n + z^2) wide on either side.
    error = math.sqrt(pair.variance) or quantiles[0] / (number + quantiles[0] ** 2)
    return min(1.0, (quantiles[0] + quantiles[1]) * error)


def mcnemar_p_value(wins: int, losses: int) -> float:
    """Return the p-value of the exact two-sided McNemar test (https://doi.org/10.1007/BF02295996)."""
    differing, fewer = wins + losses, min(wins, losses)
    if wins == losses:
        return 1.0
    if differing <= _MAX_EXACT:
        return float(2 * sum(math.comb(differing, k) for k in range(fewer + 1)) / 2**differing)
    return min(1.0, 2 * binomial_tail(max(wins, losses), differing, 0.5))


def permutation_p_value(pair: Pair, *, resamples: int, seed: int) -> tuple[float, bool]:
    """Run the paired permutation test: swap units between the two systems and aggregate again.

    The two-sided p-value is the share of swaps whose difference is at least as large as the observed one: among all
    2^m swaps of the m units that differ if these are at most `resamples`, else (k + 1) / (resamples + 1) for k of
    `resamples` random swaps (Phipson and Smyth 2010, https://doi.org/10.2202/1544-6115.1585).

    Returns:
        The p-value, and whether it is exact.
    """
    differences = pair.system.rows - pair.baseline.rows
    if pair.codes is not None:
        differences = np.stack([cluster_sums(column, pair.codes) for column in differences.T], axis=1)
    differences = differences[differences.any(axis=1)]
    if len(differences) == 0:
        return 1.0, True
    # Integer sums are exact: they do not depend on the order of addition, BLAS threads or the machine.
    scale = 2.0 ** (60 - np.ceil(np.log2(np.maximum(np.abs(differences).sum(axis=0), 1.0))))
    whole = np.rint(differences * scale).astype(np.int64)
    distinct, counts = np.unique(whole, axis=0, return_counts=True)
    high, low = pair.system.sums(), pair.baseline.sums()
    observed = abs(pair.difference) - TIE

    def count_extreme(swapped: Array) -> int:
        """Count the swaps whose difference is at least as large as the observed one."""
        moved = swapped / scale
        shuffled = pair.system.function(high - moved) - pair.system.function(low + moved)
        return int((np.abs(shuffled) >= observed).sum())

    if 2 ** len(differences) <= resamples:
        sums = np.zeros((1, whole.shape[1]), dtype=np.int64)
        for row in np.repeat(distinct, counts, axis=0):
            sums = np.concatenate([sums, sums + row])
        return count_extreme(sums) / len(sums), True
    random = np.random.default_rng(seed)
    many_equal = len(distinct) * 2 * _BITS < len(whole)
    sums = (_draw_counts if many_equal else _draw_bytes)(distinct, counts, resamples, random)
    return (count_extreme(sums) + 1) / (resamples + 1), False


def _draw_counts(distinct: Array, counts: Array, resamples: int, random: np.random.Generator) -> Array:
    """Swap every unit with probability 1/2, by drawing how many units of each distinct value are swapped.

    Returns:
        The sums of the swapped units, shape (resamples, columns).
    """
    sums = np.empty((resamples, distinct.shape[1]), dtype=np.int64)
    for chosen in _steps(resamples, _MAX_LOOKUPS // len(distinct)):
        times = random.binomial(counts, 0.5, size=(len(sums[chosen]), len(distinct)))
        sums[chosen] = np.stack([(times * column).sum(axis=1) for column in distinct.T], axis=1)
    return sums


def _draw_bytes(distinct: Array, counts: Array, resamples: int, random: np.random.Generator) -> Array:
    """Do the same by drawing a byte for every eight units and looking up the sum of the units whose bits are set."""
    units = np.repeat(distinct, counts, axis=0)
    groups = -(-len(units) // _BITS)
    padded = np.zeros((groups * _BITS, units.shape[1]), dtype=np.int64)
    padded[: len(units)] = units
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.int64)
    sums = np.zeros((resamples, units.shape[1]), dtype=np.int64)
    for part in _steps(groups, _MAX_GROUPS):
        grouped = padded.reshape(groups, _BITS, -1)[part]
        # Shape (columns, groups * 256): for every group, the sum of each of its subsets.
        tables = np.einsum("sb,gbc->cgs", bits, grouped).reshape(units.shape[1], -1)
        offsets = np.arange(len(grouped)) * 256
        for chosen in _steps(resamples, _MAX_LOOKUPS // len(grouped)):
            drawn = random.integers(256, size=(len(sums[chosen]), len(grouped)), dtype=np.uint8)
            entries = drawn + offsets
            sums[chosen] += np.stack([table.take(entries).sum(axis=1) for table in tables], axis=1)
    return sums


def _steps(total: int, step: int) -> Iterator[slice]:
    step = max(1, step)
    return (slice(start, min(start + step, total)) for start in range(0, total, step))


def _sparse(units: Array) -> bool:
    """Return whether few units account for most of the variance, which makes t intervals too narrow."""
    effective = effective_number(units)
    return effective < _SPARSE and effective * _SPARSE_SHARE < len(units)


def _around(pair: Pair, low: float, high: float) -> Interval:
    return max(-1.0, min(low, pair.difference)), min(1.0, max(high, pair.difference))
