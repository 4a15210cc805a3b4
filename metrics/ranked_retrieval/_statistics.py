# Vendored: edit metrics/_shared/_statistics.py and run `make vendor`.
"""Statistics of scores: confidence intervals, paired comparison of systems, correction by human labels.

A `Statistic` is a score as a function of column sums: a mean sums (score, 1) and divides, precision pooled over queries
sums (relevant, retrieved) and divides. Sums are rounded once, at the end, so results do not depend on the order of the
rows or on how they were split into shards. All intervals are pairs `(low, high)` that contain the score.

Sources: Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953; Clopper and Pearson 1934,
https://doi.org/10.1093/biomet/26.4.404; cluster-robust variance (CR1), Cameron and Miller 2015,
https://doi.org/10.3368/jhr.50.2.317; Miller 2024, Adding Error Bars to Evals, https://arxiv.org/abs/2411.00640; Tango,
Statistics in Medicine 17, 1998, 891-908; Phipson and Smyth 2010, https://doi.org/10.2202/1544-6115.1585; Holm 1979,
https://www.jstor.org/stable/4615733; PPI++, Angelopoulos et al. 2023, https://arxiv.org/abs/2311.01453.
"""

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Literal, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Interval: TypeAlias = tuple[float, float]

Method: TypeAlias = Literal["wilson", "clopper-pearson", "bootstrap"]
METHOD_HELP = "The interval: Wilson's score, the exact one (Clopper-Pearson) or the percentile bootstrap."

TIE = 1e-12
"""Score differences up to this size are rounding errors and count as ties."""
MIN_LABELS = 30
_RESAMPLES = 1000
_SMALLEST = 1e-100
"""Lower bound of quantiles and totals, whose squares would underflow."""
_STEP = 1e-3
"""Relative step of the numerical derivative, whose error is of the fourth order."""
_HALF_BITS = 30
"""Sums of the permutation test are integers of 60 bits, added in two halves."""
_MAX_DRAWS = 1 << 22
"""Swaps that one step of the permutation test draws: 32 MB."""
_FEW_CLUSTERS = 15
"""With fewer effective clusters than this, and than half of their number, intervals cover less than 93% instead of 95%
(`make simulations`)."""
_FEW = 10
"""If fewer rows than this account for most of a variance, normal intervals are too narrow (`make simulations`)."""


# ---- scores


@dataclass(frozen=True, eq=False)
class Statistic:
    """A score in [0, 1] that is a function of column sums.

    Attributes:
        columns: The summands of each example, two or more arrays of shape (examples,), float64 or bool; all are zero
            for an example without a score.
        kind: "proportion": the mean of 0/1 scores; "mean": the mean of scores in [0, 1]; "function": anything else.
            The columns of the first two are the scores, and whether there is one.
        function: Takes sums of shape (..., columns), returns scores of shape (...), 0.0 where it would divide by 0.
        counts: Shape (examples,), int64: how often each row occurs; None means once each.
    """

    columns: tuple[Array, ...]
    kind: Literal["proportion", "mean", "function"]
    function: Callable[[Array], Array]
    counts: Array | None = None

    @functools.cached_property
    def rows(self) -> Array:
        """The summands, shape (examples, columns), float64."""
        return np.array(self.columns, dtype=np.float64).T

    @functools.cached_property
    def scored(self) -> Array:
        """Which rows have a score, shape (examples,), bool."""
        return functools.reduce(np.logical_or, self.columns)

    @functools.cached_property
    def total(self) -> int:
        """The number of examples that have a score."""
        return int(self.scored.sum() if self.counts is None else self.counts[self.scored].sum())

    @functools.cached_property
    def sums(self) -> Array:
        """The column sums, shape (columns,), correctly rounded."""
        return np.array([exact_sum(column, self.counts) for column in self.columns])

    @property
    def value(self) -> float:
        """The score."""
        return float(self.function(self.sums))

    @property
    def row_scores(self) -> Array:
        """The score of each row on its own, shape (examples,); NaN if it has none."""
        scores = np.asarray(self.function(self.rows), dtype=np.float64)
        return scores if self.kind == "function" else np.where(self.scored, scores, math.nan)

    def take(self, indices: Array) -> "Statistic":
        """Return the same statistic of some of the rows, given by their indices or by a mask."""
        counts = None if self.counts is None else self.counts[indices]
        return replace(self, columns=tuple(column[indices] for column in self.columns), counts=counts)

    def influences(self) -> Array:
        """Return the influence of each row on the score, to first order, shape (examples,).

        Influences sum to 0. For a mean they are (score - mean) / total; otherwise the derivative is numerical (central
        differences with one step of Richardson extrapolation, relative error about 1e-12).
        """
        sums = self.sums
        if self.kind != "function":
            scores, scored = self.columns
            return np.asarray((scores - sums[0] / sums[1] * scored) / sums[1])
        steps = np.diag(np.where(sums != 0, np.abs(sums), 1.0) * _STEP)

        def slopes(step: Array) -> Array:
            return np.asarray((self.function(sums + step) - self.function(sums - step)) / (2 * np.diag(step)))

        gradient = (4 * slopes(steps / 2) - slopes(steps)) / 3
        # The score is invariant to scaling all sums, so any derivative in that direction is numerical error.
        gradient -= sums * (np.sum(gradient * sums) / np.sum(sums * sums))
        return np.asarray(np.sum(self.rows * gradient, axis=1))

    def variance(self, codes: Array | None = None) -> float:
        """Estimate the sampling variance: n / (n - 1) times the sum of squared influences of n examples, or clusters.

        Args:
            codes: The cluster of each row, from 0, none empty.

        Returns:
            The variance, s^2 / n for a mean; 0.0 for a single example or cluster.
        """
        influences = self.influences()
        if codes is None:
            number = self.total
            squares = exact_sum(influences * influences, self.counts)
        else:
            sums = cluster_sums(influences, codes)
            number = len(sums)
            squares = exact_sum(sums * sums)
        return squares * number / (number - 1) if number > 1 else 0.0


def mean(values: Iterable[Any], score: Callable[[Any], Any] | None = None) -> Statistic:
    """Return the statistic of a mean of scores in [0, 1].

    Args:
        values: The scores, one per example; or a `Counter` of them, if rows need not be told apart. None or NaN is an
            example without a score.
        score: Turns a value into a score; by default values are scores.

    Raises:
        ValueError: For a score outside [0, 1], apart from rounding.
    """
    counts = np.array(list(values.values()), dtype=np.int64) if isinstance(values, Counter) else None
    scores = _numbers(values if score is None else map(score, values))
    scored = np.ones(len(scores), dtype=np.bool_) if scores.dtype == np.bool_ else ~np.isnan(scores)
    scores = scores if scored.all() else np.where(scored, scores, 0.0)
    for extreme in (scores.min(initial=0.0), scores.max(initial=0.0)):
        if not -TIE <= extreme <= 1 + TIE:
            raise ValueError(f"scores must be between 0 and 1, got {extreme:g}")
    return Statistic((scores, scored), "mean", divide, counts)


def proportion(values: Iterable[Any], score: Callable[[Any], Any] | None = None) -> Statistic:
    """Return the statistic of a proportion, whose scores are 0 or 1; see `mean`."""
    return replace(mean(values, score), kind="proportion")


def pooled(columns: Iterable[Iterable[Any]], function: Callable[[Array], Array]) -> Statistic:
    """Return the statistic of a micro average: a function of the sums of columns of counts."""
    return Statistic(tuple(_numbers(column) for column in columns), "function", function)


def _numbers(values: Iterable[Any]) -> Array:
    """Convert to float64, or leave an array of bool as it is; None becomes NaN."""
    if isinstance(values, np.ndarray) and values.dtype == np.bool_:
        return values
    return np.asarray(values if isinstance(values, (list, np.ndarray)) else list(values), dtype=np.float64)


def divide(sums: Array) -> Array:
    """Divide the first sum by the second, 0.0 if that is 0: (..., 2) to (...)."""
    part, whole = sums[..., 0], sums[..., 1]
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)


def exact_sum(values: Array, counts: Array | None = None) -> float:
    """Return the correctly rounded sum, whatever the order or grouping; each value occurs `counts` times."""
    if values.dtype == np.bool_ and counts is None:
        return float(np.count_nonzero(values))
    repeats = np.ones(1, dtype=np.int64) if counts is None else counts
    # Sums of whole numbers below 2**53 are exact in any order, and numpy is fast.
    if (values == np.rint(values)).all() and (np.abs(values) * repeats).sum() < 2**53:
        return float((values * repeats).sum())
    if counts is None:
        return math.fsum(values.tolist())
    # Products of two numbers with at most 26 bits are exact; Veltkamp's constant splits a float into two such numbers.
    high = values * (2.0**27 + 1)
    high = high - (high - values)
    high_counts = counts >> 26 << 26
    products = [part * times for part in (high, values - high) for times in (high_counts, counts - high_counts)]
    return math.fsum(np.concatenate(products).tolist())


def cluster_codes(labels: Iterable[Any]) -> Array:
    """Number the distinct cluster labels from 0, shape (examples,), int64."""
    codes: dict[Any, int] = {}
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.int64)


def cluster_sums(values: Array, codes: Array) -> Array:
    """Sum values per cluster, in ascending order of values so that row order does not matter; shape (clusters,)."""
    order = np.lexsort((values, codes))
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.add.reduceat(values[order], starts) if len(starts) else np.zeros(0)


def check_clusters(labels: Iterable[Any]) -> tuple[int, str]:
    """Return the number of clusters, and a warning if few of them have most of the rows.

    Raises:
        ValueError: For a single cluster.
    """
    sizes = np.bincount(cluster_codes(labels))
    number = len(sizes)
    if number == 1:
        raise ValueError("clusters has one distinct value; an interval needs at least two clusters to compare")
    effective = sizes.sum() ** 2 / (sizes**2).sum() if number else math.inf
    if effective >= min(_FEW_CLUSTERS, number / 2):
        return number, ""
    return number, (
        f"the largest of {number} clusters has {sizes.max() / sizes.sum():.0%} of the rows: with clusters of such "
        "different sizes, confidence intervals are too narrow; the tests of compare are not affected"
    )


def _effective_number(values: Array) -> float:
    """Return how many values account for the sum of squares; values of equal size count fully."""
    squares = values * values
    largest = squares.max(initial=0.0)
    if largest == 0:
        return 0.0
    squares = squares / largest
    return exact_sum(squares) ** 2 / exact_sum(squares * squares)


# ---- distributions; SciPy would add 140 MB and double the time of `import evaluate`


def normal_quantile(level: float) -> float:
    """Return z such that a standard normal variable lies within -z and z with probability `level`."""
    return max(-NormalDist().inv_cdf((1 - level) / 2), _SMALLEST)


@functools.lru_cache(maxsize=256)
def t_quantile(level: float, degrees: int) -> float:
    """Return t such that Student's t lies within -t and t with probability `level`.

    Exact finite sums up to 1000 degrees of freedom, then the expansion in powers of 1 / degrees (Abramowitz and Stegun,
    26.7.3, 26.7.4 and 26.7.5). Relative error below 1e-9 for levels up to 0.999999.
    """
    z = normal_quantile(level)
    if degrees > 1000:  # noqa: PLR2004
        terms = (
            z,
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        return math.fsum(term / degrees**power for power, term in enumerate(terms))

    def inside(t: float) -> float:
        angle = math.atan(t / math.sqrt(degrees))
        cosine = math.cos(angle)
        odd = degrees % 2
        term = cosine if odd else 1.0
        total = 0.0
        for k in range(1 + odd, degrees, 2):
            total += term
            term *= cosine * cosine * k / (k + 1)
        if odd:
            return (angle + math.sin(angle) * total) * 2 / math.pi
        return math.sin(angle) * total

    return max(z, _bisect(lambda t: inside(t) > level, 0.0, 1e9)[1])


def _upper_tail(successes: int, total: int, p: float) -> float:
    """Return the probability of at least `successes` in `total` trials, for successes / total >= p > 0."""
    log_choices = math.lgamma(total + 1) - math.lgamma(successes + 1) - math.lgamma(total - successes + 1)
    term = first = math.exp(log_choices + successes * math.log(p) + (total - successes) * math.log1p(-p))
    terms = [first]
    for k in range(successes, total):
        term *= (total - k) / (k + 1) * p / (1 - p)
        terms.append(term)
        if term <= first * 1e-18:
            break
    return math.fsum(terms)


def _bisect(condition: Callable[[float], bool], low: float, high: float) -> Interval:
    """Return the adjacent floats between which a monotone condition that is false at `low` becomes true."""
    while low < (middle := (low + high) / 2) < high:
        if condition(middle):
            high = middle
        else:
            low = middle
    return low, high


# ---- intervals


def wilson(score: float, total: float, z: float) -> Interval:
    """Return Wilson's score interval for any effective `total` > 0."""
    if total < _SMALLEST:
        return (0.0, 1.0)
    scale = 1 + z * z / total
    middle = (score + z * z / (2 * total)) / scale
    spread = z * math.sqrt(score * (1 - score) / total + z * z / (4 * total * total)) / scale
    return _clamp(score, middle - spread, middle + spread)


def interval(
    statistic: Statistic, *, level: float = 0.95, method: str = "wilson", seed: int = 0, clusters: Any = None
) -> Interval:
    """Return the confidence interval of a score: within [0, 1], containing the score; (0.0, 1.0) without examples.

    - A proportion: by `method`, "wilson", "clopper-pearson" (exact, conservative) or "bootstrap" (percentile; counts
      are drawn from the binomial distribution).
    - A mean, or a micro average: Wilson's interval with the number of examples at which a proportion would have the
      same variance. With scores of 0 and 1 it is Wilson's interval itself.
    - With clusters: the variance is cluster-robust (CR1) and has clusters - 1 degrees of freedom. Proportions: Wilson's
      interval with n* = min(n, p (1 - p) / V) (z / t)^2, at p = 0 or 1 the number of clusters. Otherwise the score +- t
      standard errors; Wilson's interval with such an n* if that leaves [0, 1] or the clusters hardly vary.

    Args:
        statistic: The score. Rows without a score are ignored.
        level: The confidence level, strictly between 0 and 1.
        method: For a proportion.
        seed: Seed of the bootstrap.
        clusters: One label per row: rows that depend on each other, such as questions about one document.

    Raises:
        ValueError: For fewer than two clusters, or clusters with a `method` other than "wilson".
    """
    present = statistic if statistic.scored.all() else statistic.take(statistic.scored)
    score, total = present.value, present.total
    if clusters is not None:
        if method != "wilson":
            raise ValueError(
                f'confidence_method={method!r} assumes independent rows; with clusters it must be "wilson"'
            )
        codes = cluster_codes(clusters)
        check_clusters(codes)
        return _clustered(present, cluster_codes(codes[statistic.scored]), level) if total else (0.0, 1.0)
    if total == 0:
        return (0.0, 1.0)
    if present.kind != "proportion":
        return wilson(score, _effective_size(present, level), normal_quantile(level))
    if method == "wilson":
        return wilson(score, total, normal_quantile(level))
    if method == "clopper-pearson":
        successes = round(present.sums[0])
        low = _exact_low(successes, total, level)
        high = 1 - _exact_low(total - successes, total, level)
    else:
        shares = np.random.default_rng(seed).binomial(total, score, size=_RESAMPLES) / total
        low, high = (float(end) for end in np.quantile(shares, [(1 - level) / 2, (1 + level) / 2]))
    return _clamp(score, low, high)


def unseen_variance(score: float, total: int) -> float:
    """Return the variance to add for rare scores of 0 and 1 that a sample of this size may have missed.

    Thirty scores near 1 hardly vary, but do not rule out one failure in fifty. As if there were 0.5 n / (n + 60) more
    scores of 0, and as many of 1; both constants are chosen by simulation (`make simulations`).
    """
    return 0.5 * (score * score + (1 - score) * (1 - score)) / (total * (total + 60))


def _clamp(score: float, low: float, high: float) -> Interval:
    return max(0.0, min(low, score)), min(1.0, max(high, score))


def _exact_low(successes: int, total: int, level: float) -> float:
    """Return the lower Clopper-Pearson bound."""
    if successes == 0:
        return 0.0
    share, tail = successes / total, (1 - level) / 2
    return _bisect(lambda p: p >= share or _upper_tail(successes, total, p) > tail, 0.0, 1.0)[0]


def _effective_size(statistic: Statistic, level: float) -> float:
    """Return the number of examples at which a proportion would have the same variance as this score."""
    score, total = statistic.value, statistic.total
    if score in {0.0, 1.0} or total == 1:
        return total
    inflation = (t_quantile(level, total - 1) / normal_quantile(level)) ** 2
    variance = statistic.variance()
    # Of all scores in [0, 1] with this mean, 0 and 1 have the largest variance. Pooled counts can exceed it, since
    # large examples have more weight.
    bound = score * (1 - score) / total
    raised = min(bound, inflation * variance + unseen_variance(score, total))
    return score * (1 - score) / (raised if statistic.kind == "mean" else max(raised, variance))


def _clustered(statistic: Statistic, codes: Array, level: float) -> Interval:
    score = statistic.value
    number = int(codes.max()) + 1
    if number == 1:
        return (0.0, 1.0)
    z, t = normal_quantile(level), t_quantile(level, number - 1)
    variance = statistic.variance(codes)
    if score in {0.0, 1.0}:
        bounds = wilson(score, number, z)
    elif statistic.kind == "proportion":
        size = min(statistic.total, score * (1 - score) / variance) if variance > 0 else statistic.total
        bounds = wilson(score, size * (z / t) ** 2, z)
    else:
        size = score * (1 - score) / (variance + unseen_variance(score, number))
        bounds = wilson(score, size * (z / t) ** 2, z)
    if statistic.kind == "proportion":
        return bounds
    half_width = t * math.sqrt(variance)
    low, high = score - half_width, score + half_width
    hardly_vary = unseen_variance(score, number) >= 4 * variance
    if low >= 0 and high <= 1 and not hardly_vary:
        return low, high
    return _clamp(score, min(low, bounds[0]), max(high, bounds[1]))


# ---- paired comparison


@dataclass(frozen=True)
class Pair:
    """A system and the baseline on the examples that have a score in both.

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
            effective = _effective_number(self.units)
            if effective < _FEW and effective * 8 < number:
                wider = self._sparse_interval(variance + unseen, t)
                low, high = min(low, wider[0]), max(high, wider[1])
        return max(-1.0, min(low, difference)), min(1.0, max(high, difference))

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
    _, low = _bisect(lambda delta: distance(delta) <= z, -1.0, middle)
    _, high = _bisect(lambda delta: distance(delta) < -z, middle, 1.0)
    return low, high


def mcnemar(wins: int, losses: int) -> float:
    """Return the p-value of the exact two-sided McNemar test (https://doi.org/10.1007/BF02295996)."""
    differing, fewer = wins + losses, min(wins, losses)
    if wins == losses:
        return 1.0
    if differing <= 1000:  # noqa: PLR2004  # exact integers: 3:0 is exactly 0.25
        return float(2 * sum(math.comb(differing, k) for k in range(fewer + 1)) / 2**differing)
    return min(1.0, 2 * _upper_tail(max(wins, losses), differing, 0.5))


def adjust(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number by Holm's method."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


class Comparison(dict[str, Any]):
    """The result of a comparison: a `dict` of plain values; `str` gives one line per system, ready for a paper."""

    def __str__(self) -> str:
        return "\n".join(self._summarize(name) for name in self["systems"] if name != self["baseline"])

    def _summarize(self, name: str) -> str:
        """Summarize the main score of a system."""
        score, baseline, systems = self["score"], self["baseline"], self["systems"]
        found = {key: value[score] if isinstance(value, Mapping) else value for key, value in systems[name].items()}
        percent = f"{self['confidence_level'] * 100:.10g}% CI"
        system_side, baseline_side = (
            f"{side} {systems[side][score]:.4f} ({percent} {_range(systems[side][f'{score}_confidence_interval'])})"
            for side in (name, baseline)
        )
        p_value = f"p = {_p_value(found['p_value'])}"
        if len(systems) > 2:  # noqa: PLR2004  # with one comparison there is nothing to adjust
            p_value += f", Holm-adjusted {_p_value(found['adjusted_p_value'])}"
        rows = f"n = {self['total'] - found['left_out']}"
        if "clusters" in self:
            rows += f" in {self['clusters']} clusters"
        interval = _range(found["difference_confidence_interval"], "+")
        outcomes = [
            _count(found["wins"], "win"),
            _count(found["losses"], "loss", "losses"),
            _count(found["ties"], "tie"),
        ]
        parts = [
            f"{score}: {system_side} vs. {baseline_side}",
            f"difference {found['difference']:+.4f} ({percent} {interval}), {p_value} ({found['test']})",
            ", ".join(outcomes),
            rows,
            *self._caveats(found),
        ]
        if "signature" in self:
            parts.append(self["signature"])
        return "; ".join(parts)

    def _caveats(self, found: Mapping[str, Any]) -> list[str]:
        low, high = found["difference_confidence_interval"]
        significant = found["p_value"] <= 1 - self["confidence_level"]
        outside = not low <= 0 <= high
        caveats = []
        if not significant:
            detectable = f"{found['minimum_detectable_difference']:.4f}"
            caveats.append(
                f"not significant, which does not mean equal: detectable with 80% power is a difference of {detectable}"
            )
        if significant != outside:
            caveats.append("the interval and the test disagree, so go by the test")
        if "noninferior" in found:
            verdict = "not shown to be noninferior"
            if found["noninferior"]:
                verdict = "equivalent" if found["equivalent"] else "noninferior"
            caveats.append(f"{verdict} within a margin of {self['margin']}")
        if found["left_out"]:
            caveats.append(f"{_count(found['left_out'], 'row')} left out because one of the two has no score")
        return caveats


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
) -> Comparison:
    """Compare systems with a baseline on the same examples.

    Args:
        systems: The scores of each system by name; one row per example, the same examples in the same order.
        baseline: The system that the others are compared with.
        main_score: The score that summaries report.
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
        a mapping by score if there are several.
    """
    codes = None if clusters is None else cluster_codes(clusters)
    total = len(next(iter(systems[baseline].values())).rows)
    result = Comparison(baseline=baseline, score=main_score, total=total)
    if codes is not None:
        result["clusters"] = check_clusters(codes)[0]
    if margin is not None:
        result["margin"] = float(margin)
    result |= {"confidence_level": level, "systems": {name: {} for name in systems}}
    for name, scores in systems.items():
        for score, statistic in scores.items():
            bounds = interval(statistic, level=level, method=method, seed=seed, clusters=codes)
            result["systems"][name] |= {score: statistic.value, f"{score}_confidence_interval": bounds}
    others = [name for name in systems if name != baseline]
    for score, reference in systems[baseline].items():
        found = {}
        for name in others:
            pair, left_out = _pair(systems[name][score], reference, codes)
            found[name] = {**_describe(pair, level, resamples, seed, margin), "left_out": left_out}
        adjusted = adjust([found[name]["p_value"] for name in others])
        for name, p_value in zip(others, adjusted, strict=True):
            found[name]["adjusted_p_value"] = p_value
            for key, value in found[name].items():
                if len(systems[baseline]) == 1:
                    result["systems"][name][key] = value
                else:
                    result["systems"][name].setdefault(key, {})[score] = value
    return result


def _pair(system: Statistic, baseline: Statistic, codes: Array | None) -> tuple[Pair, int]:
    """Pair the examples that have a score in both; also returns the number of those that do not."""
    both = system.scored & baseline.scored
    if system.kind == "function":  # all-zero counts are a valid example
        both = np.ones(len(baseline.rows), dtype=bool)
    kept = None if codes is None else cluster_codes(codes[both])
    return Pair.of(system.take(both), baseline.take(both), kept), int((~both).sum())


def _describe(pair: Pair, level: float, resamples: int, seed: int, margin: float | None) -> dict[str, Any]:
    p_value, test = pair.test(resamples, seed)
    found: dict[str, Any] = {
        "difference": pair.difference,
        "difference_confidence_interval": pair.interval(level),
        "p_value": p_value,
        "adjusted_p_value": p_value,
        "test": test,
        "wins": pair.wins,
        "losses": pair.losses,
        "ties": pair.ties,
        "minimum_detectable_difference": pair.detectable(level),
    }
    if margin is not None:
        low, high = pair.interval(2 * level - 1)
        noninferior = low > -margin
        found |= {"noninferior": noninferior, "equivalent": noninferior and high < margin}
    return found


def _count(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def _range(bounds: Interval, sign: str = "") -> str:
    return " to ".join(f"{end:{sign}.4f}" for end in bounds)


def _p_value(p_value: float) -> str:
    return f"{p_value:.2g}" if p_value >= 1e-4 else f"{p_value:.1e}"  # noqa: PLR2004


# ---- human labels


def correct(
    scores: Array, labels: Iterable[Any], *, level: float = 0.95, clusters: Any = None
) -> tuple[dict[str, Any], list[str]]:
    """Estimate the mean human label over all rows by prediction-powered inference (PPI++).

    The estimate is the mean score of the unlabeled rows times a weight, plus the mean of label minus weighted score
    over the labeled rows. It is valid if the labels are a random sample of the rows.

    Args:
        scores: The metric's score of each row, in [0, 1]; rows with NaN are left out.
        labels: A human label in [0, 1] for each row; None or NaN for unlabeled rows.
        level: The confidence level.
        clusters: One label per row: rows that depend on each other.

    Returns:
        `corrected`, `corrected_confidence_interval`, the number of `labels` and their mean, `agreement`, Cohen's
        `kappa`, `sensitivity` and `specificity` of the metric on the labeled rows; and caveats for the user.

    Raises:
        ValueError: For a single cluster.
    """
    people = np.array(list(labels), dtype=np.float64)
    codes = None if clusters is None else cluster_codes(clusters)
    if codes is not None:
        check_clusters(codes)
    kept = ~np.isnan(scores)
    left_out = int((~kept & ~np.isnan(people)).sum())
    scores, people = scores[kept], people[kept]
    codes = None if codes is None else cluster_codes(codes[kept])
    labeled = ~np.isnan(people)
    observed, predicted = people[labeled], scores[labeled]
    number = len(observed)
    caveats = []
    if left_out:
        caveats.append(f"human labels of rows without a score are left out: {left_out}")
    if number == 0:
        caveats.append("there are no human labels")
        bounds = (0.0, 1.0)
        return {"corrected": None, "corrected_confidence_interval": bounds, **_agreement(predicted, observed)}, caveats
    if number < MIN_LABELS:
        caveats.append(
            f"only {_count(number, 'human label')}: with fewer than {MIN_LABELS} the interval may be too narrow"
        )
    corrected, variance, problem = _estimate(scores, people, labeled, codes)
    if problem:
        caveats.append(f"{problem}: the corrected score and its interval are those of the labels alone")
    label_codes = None if codes is None else codes[labeled]
    if label_codes is not None and label_codes.min() == label_codes.max():
        caveats.append("all human labels are in one cluster, which says nothing about the others")
        bounds = (0.0, 1.0)
    elif variance > 0:
        bounds = _corrected_interval(corrected, variance, level, observed, label_codes)
    else:
        bounds = interval(mean(observed), level=level, clusters=label_codes)
    found = {"corrected": corrected, "corrected_confidence_interval": bounds, **_agreement(predicted, observed)}
    return found, caveats


def _estimate(scores: Array, people: Array, labeled: Array, codes: Array | None) -> tuple[float, float, str]:
    """Return the corrected mean and its variance, 0.0 if only the labels count; and if scores cannot help, why."""
    observed, predicted = people[labeled], scores[labeled]
    label_mean = exact_sum(observed) / len(observed)
    if observed.min() == observed.max():
        return label_mean, 0.0, "all human labels are equal"
    if labeled.all() or (codes is not None and not codes.any()):  # all rows with a score are in one cluster
        return label_mean, 0.0, ""
    weight, estimate, variance = _power_tuned(scores, people, labeled, codes)
    same = "human labels and scores differ by the same"
    # Without a single error among the labels, nothing is known about the rate of errors elsewhere.
    tolerance = 0.1 if np.isin(observed, (0.0, 1.0)).all() else TIE
    if np.ptp(observed - predicted) <= tolerance or np.ptp(observed - weight * predicted) <= TIE:
        return label_mean, 0.0, f"{same} everywhere"
    # For two clusters, there is always a weight without variance; if it is in [0, 1], it was chosen.
    if codes is not None and unseen_variance(label_mean, int(codes.max()) + 1) >= 4 * variance:
        return label_mean, 0.0, f"{same} in every cluster"
    return min(1.0, max(0.0, estimate)), variance, ""


def _agreement(predicted: Array, observed: Array) -> dict[str, Any]:
    """Compare scores and labels of the labeled rows; from 0.5 on they count as right."""
    total = len(observed)
    called, right = predicted >= 0.5, observed >= 0.5  # noqa: PLR2004
    both, neither = int((right & called).sum()), int((~right & ~called).sum())
    positive = int(right.sum())
    same = both + neither
    return {
        "agreement": same / total if total else None,
        "kappa": cohens_kappa(same, int(called.sum()), positive, total),
        "sensitivity": both / positive if positive else None,
        "specificity": neither / (total - positive) if positive < total else None,
        "labels": total,
        "label_mean": exact_sum(observed) / total if total else None,
    }


def _power_tuned(scores: Array, people: Array, labeled: Array, codes: Array | None) -> tuple[float, float, float]:
    """Return the weight of the scores that minimizes the variance, the corrected mean and its variance."""
    observed, predicted, rest = people[labeled], scores[labeled], scores[~labeled]
    label_mean, predicted_mean, rest_mean = (exact_sum(part) / len(part) for part in (observed, predicted, rest))
    if codes is None:
        covariance = exact_sum((observed - label_mean) * (predicted - predicted_mean)) / len(observed)
        spread = (1 + len(observed) / len(rest)) * _variance(scores, len(scores) - 1)
    else:  # first-order terms of the mean label, and of the correction at a weight of 1
        label_terms, score_terms = np.zeros(len(scores)), np.zeros(len(scores))
        label_terms[labeled] = (observed - label_mean) / len(observed)
        score_terms[labeled] = (predicted - predicted_mean) / len(predicted)
        score_terms[~labeled] = -(rest - rest_mean) / len(rest)
        label_sums, score_sums = cluster_sums(label_terms, codes), cluster_sums(score_terms, codes)
        covariance = exact_sum(label_sums * score_sums)
        spread = exact_sum(score_sums * score_sums)
    weight = min(1.0, max(0.0, covariance / spread if spread > TIE**2 else 0.0))
    if codes is None:
        variance = _variance(observed - weight * predicted, len(observed)) / len(observed)
        variance += weight**2 * _variance(rest, len(rest)) / len(rest)
    else:
        sums = cluster_sums(label_terms - weight * score_terms, codes)
        variance = exact_sum(sums * sums) * len(sums) / (len(sums) - 1)
    return weight, weight * rest_mean + label_mean - weight * predicted_mean, variance


def _variance(values: Array, divisor: int) -> float:
    deviations = values - exact_sum(values) / len(values)
    return exact_sum(deviations * deviations) / divisor


def _corrected_interval(score: float, variance: float, level: float, labels: Array, codes: Array | None) -> Interval:
    """Return a normal interval (t with clusters), or Wilson's if few labels are right, or few are wrong."""
    number = len(labels) if codes is None else len(np.unique(codes))
    z, t = normal_quantile(level), t_quantile(level, number - 1)
    if _effective_number(labels - exact_sum(labels) / len(labels)) < _FEW:
        raised = (t / z) ** 2 * variance + unseen_variance(1.0, number)
        return wilson(score, number if score in {0.0, 1.0} else score * (1 - score) / raised, z)
    half_width = (z if codes is None else t) * math.sqrt(variance)
    return _clamp(score, score - half_width, score + half_width)


def cohens_kappa(same: int, first: int, second: int, total: int) -> float | None:
    """Return Cohen's kappa of two judges (https://doi.org/10.1177/001316446002000104); None if chance agreement is 1.

    Args:
        same: Number of rows on which both give the same verdict.
        first: Number of rows that the first calls right.
        second: Number of rows that the second calls right.
        total: Number of rows.
    """
    by_chance = first * second + (total - first) * (total - second)
    return None if by_chance == total * total else (same * total - by_chance) / (total * total - by_chance)
