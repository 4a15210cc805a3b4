"""Scores as functions of column sums, and their confidence intervals.

A `Statistic` is a function of column sums: a mean divides the sum of scores by the number of rows. Sums are rounded
once, so results depend neither on the order of rows nor on shards. Intervals are pairs `(low, high)` that contain the
score.

Sources: Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953; Clopper and Pearson 1934,
https://doi.org/10.1093/biomet/26.4.404; cluster-robust variance (CR1), Cameron and Miller 2015,
https://doi.org/10.3368/jhr.50.2.317; Miller 2024, Adding Error Bars to Evals, https://arxiv.org/abs/2411.00640.
"""

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Literal, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Interval: TypeAlias = tuple[float, float]

Method: TypeAlias = Literal["wilson", "clopper-pearson", "bootstrap"]
METHOD_HELP = "Wilson score, Clopper-Pearson (exact) or percentile bootstrap interval."

TIE = 1e-12
"""Score differences up to this size are rounding errors and count as ties."""
_RESAMPLES = 1000
_SMALLEST = 1e-100
"""Lower bound of quantiles and totals, whose squares would underflow."""
_STEP = 1e-3
"""Relative step of the numerical derivative."""
_FEW_CLUSTERS = 15
"""With fewer effective clusters than this, and than half of their number, intervals cover less than 93% instead of 95%
(`make simulations`)."""
FEW = 10
"""If fewer rows than this account for most of a variance, normal intervals are too narrow (`make simulations`)."""


@dataclass(frozen=True)
class Scale:
    """The range of a score and its direction; use infinity for an unbounded end.

    Intervals and tests use the unit scale: scores in [0, 1], higher is better; without bounds, only the sign changes.
    """

    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True

    @functools.cached_property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return math.isfinite(self.high - self.low)

    @property
    def worst(self) -> float:
        """The worst score, which may be infinite."""
        return self.low if self.higher_is_better else self.high

    @functools.cached_property
    def size(self) -> float:
        """The size of a difference of 1 on the unit scale."""
        return self.high - self.low if self.bounded else 1.0

    @property
    def most(self) -> float:
        """The largest difference, which may be infinite."""
        return self.size if self.bounded else math.inf

    def to_unit(self, scores: Any) -> Any:
        """Convert scores to the unit scale."""
        origin = self.worst if self.bounded else 0.0
        return (scores - origin if self.higher_is_better else origin - scores) / self.size

    def difference(self, unit: float) -> float:
        """Convert a difference from the unit scale."""
        return unit * self.size if self.higher_is_better else -unit * self.size

    def interval(self, score: float, bounds: Interval) -> Interval:
        """Convert the interval of a score from the unit scale, which is bounded; it contains the score."""
        low, high = sorted(self.worst + self.difference(end) for end in bounds)
        return clamp(score, low, high, self.low, self.high)

    def difference_interval(self, difference: float, bounds: Interval) -> Interval:
        """Convert the interval of a difference from the unit scale; it contains the difference."""
        low, high = sorted(map(self.difference, bounds))
        return clamp(difference, low, high, -self.most, self.most)

    def check(self, scores: Array) -> None:
        """Raise a `ValueError` for a score outside the range, apart from rounding."""
        for extreme in (scores.min(), scores.max()) if len(scores) else ():
            if not self.low - TIE * self.size <= extreme <= self.high + TIE * self.size:
                raise ValueError(f"scores must be between {self.low:g} and {self.high:g}, got {extreme:g}")


UNIT = Scale()
_UNBOUNDED = Scale(-math.inf, math.inf)


@dataclass(frozen=True, eq=False)
class Statistic:
    """A score that is a function of column sums.

    Attributes:
        columns: The summands of each example, two or more arrays of shape (examples,), float64 or bool; all are zero
            for an example without a score.
        kind: "proportion" is the mean of scores that are the ends of the scale. The columns of it and of a "mean" are
            the scores, and whether there is one.
        function: Takes sums of shape (..., columns), returns scores of shape (...), 0.0 where it would divide by 0.
        counts: Shape (examples,), int64: how often each row occurs; None means once each.
        scale: The range and direction.
    """

    columns: tuple[Array, ...]
    kind: Literal["proportion", "mean", "function"]
    function: Callable[[Array], Array]
    counts: Array | None = None
    scale: Scale = UNIT

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
        """The number of examples with a score."""
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
        """Select rows by their indices or by a mask."""
        counts = None if self.counts is None else self.counts[indices]
        return replace(self, columns=tuple(column[indices] for column in self.columns), counts=counts)

    def unit(self) -> "Statistic":
        """Convert to the unit scale; see `Scale`."""
        scale = self.scale
        if scale in {UNIT, _UNBOUNDED}:
            return self
        within = UNIT if scale.bounded else _UNBOUNDED
        if self.kind == "function":
            function = self.function
            return replace(self, function=lambda sums: scale.to_unit(function(sums)), scale=within)
        scores, scored = self.columns
        return replace(self, columns=(np.where(scored, scale.to_unit(scores), 0.0), scored), scale=within)

    def fill(self, indices: Array) -> "Statistic":
        """Select rows like `take`; index -1 adds a row with the worst score, which only a bounded mean has."""
        if self.kind == "function" or not math.isfinite(self.scale.worst):
            reason = "is pooled over all rows" if self.kind == "function" else "has no worst value"
            raise ValueError(f'missing="wrong" needs a score that each row has and that is bounded; this one {reason}')
        scores, scored = self.columns
        filled = (np.append(scores, self.scale.worst)[indices], np.append(scored, True)[indices])
        return replace(self, columns=filled)

    def influences(self) -> Array:
        """Return the influence of each row on the score, to first order, shape (examples,); their sum is 0.

        If not a mean, by central differences with one step of Richardson extrapolation, relative error about 1e-12.
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
        """Return n / (n - 1) times the sum of squared influences of n examples, or clusters: s^2 / n for a mean."""
        influences = self.influences()
        if codes is not None:
            return clustered_variance(influences, codes)
        squares = exact_sum(influences * influences, self.counts)
        return squares * self.total / (self.total - 1) if self.total > 1 else 0.0


def mean(values: Iterable[Any], score: Callable[[Any], Any] | None = None, scale: Scale = UNIT) -> Statistic:
    """Return the mean of scores as a statistic; a `ValueError` for a score outside the scale, apart from rounding.

    `score` maps each of the values, or of a `Counter` of them, to its score: None or NaN for an example without one.
    """
    counts = np.array(list(values.values()), dtype=np.int64) if isinstance(values, Counter) else None
    scores = _numbers(values if score is None else map(score, values))
    scored = np.ones(len(scores), dtype=np.bool_) if scores.dtype == np.bool_ else ~np.isnan(scores)
    every = bool(scored.all())
    scale.check(scores if every else scores[scored])
    return Statistic((scores if every else np.where(scored, scores, 0.0), scored), "mean", divide, counts, scale)


def proportion(values: Iterable[Any], score: Callable[[Any], Any] | None = None, scale: Scale = UNIT) -> Statistic:
    """Return a proportion as a statistic: the mean of scores at the ends of the scale, such as 0 and 1; see `mean`."""
    return replace(mean(values, score, scale), kind="proportion")


def pooled(columns: Iterable[Iterable[Any]], function: Callable[[Array], Array], scale: Scale = UNIT) -> Statistic:
    """Return a micro average as a statistic, a function of the sums of columns; `ValueError` as in `mean`."""
    statistic = Statistic(tuple(_numbers(column) for column in columns), "function", function, scale=scale)
    scale.check(np.array([statistic.value]) if statistic.total else np.zeros(0))
    return statistic


def _numbers(values: Iterable[Any]) -> Array:
    """Convert to float64, or leave an array of bool as it is; None becomes NaN."""
    if isinstance(values, np.ndarray) and values.dtype == np.bool_:
        return values
    return np.asarray(values if isinstance(values, (list, np.ndarray)) else list(values), dtype=np.float64)


def divide(sums: Array) -> Array:
    """Divide the first sum by the second, 0.0 if that is 0: (..., 2) to (...)."""
    part, whole = sums[..., 0], sums[..., 1]
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=whole != 0)


def exact_sum(values: Array, counts: Array | None = None) -> float:
    """Return the sum, rounded once, so that the order does not matter; each value occurs `counts` times."""
    if values.dtype == np.bool_ and counts is None:
        return float(np.count_nonzero(values))
    terms = values if counts is None else values * counts
    # Sums of whole numbers below 2**53 are exact in any order, and numpy is fast.
    if (terms == np.rint(terms)).all() and np.abs(terms).sum() < 2**53:
        return float(terms.sum())
    return math.fsum(terms.tolist())


def cluster_codes(clusters: Iterable[Any]) -> Array:
    """Number the distinct clusters from 0, shape (examples,), int64."""
    codes: dict[Any, int] = {}
    return np.array([codes.setdefault(cluster, len(codes)) for cluster in clusters], dtype=np.int64)


def cluster_sums(values: Array, codes: Array) -> Array:
    """Sum values per cluster, in ascending order of values so that row order does not matter; shape (clusters,)."""
    order = np.lexsort((values, codes))
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.add.reduceat(values[order], starts) if len(starts) else np.zeros(0)


def clustered_variance(influences: Array, codes: Array) -> float:
    """Return the cluster-robust variance (CR1) of a score with these influences; 0.0 for a single cluster."""
    sums = cluster_sums(influences, codes)
    number = len(sums)
    return exact_sum(sums * sums) * number / (number - 1) if number > 1 else 0.0


def check_clusters(clusters: Iterable[Any]) -> tuple[int, str]:
    """Return the number of clusters, and a warning if few have most of the rows; a `ValueError` for one cluster."""
    sizes = np.bincount(cluster_codes(clusters))
    if (number := len(sizes)) == 1:
        raise ValueError("clusters has one distinct value; an interval needs at least two clusters to compare")
    if not number or sizes.sum() ** 2 / (sizes**2).sum() >= min(_FEW_CLUSTERS, number / 2):
        return number, ""
    return number, (
        f"the largest of {number} clusters has {sizes.max() / sizes.sum():.0%} of the rows: with clusters of such "
        "different sizes, confidence intervals are too narrow; the tests of compare are not affected"
    )


def effective_number(values: Array) -> float:
    """Return how many values account for the sum of squares: all of them if they have equal size."""
    squares = values * values
    if not squares.any():
        return 0.0
    squares = squares / squares.max()
    return exact_sum(squares) ** 2 / exact_sum(squares * squares)


# SciPy's distributions would add 140 MB and double the time of `import evaluate`.
def normal_quantile(level: float) -> float:
    """Return z such that a standard normal variable lies within -z and z with probability `level`."""
    return max(-NormalDist().inv_cdf((1 - level) / 2), _SMALLEST)


@functools.lru_cache(maxsize=2048)
def t_quantile(level: float, degrees: int) -> float:
    """Return t such that Student's t lies within -t and t with probability `level`; relative error below 1e-9."""
    t = z = normal_quantile(level)
    if degrees > 1000:  # powers of 1 / degrees (Abramowitz and Stegun, 26.7.5), else Newton's method
        terms = [z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96]
        terms.append((3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
        return math.fsum(term / degrees**power for power, term in enumerate(terms))
    log_scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    for _ in range(60):  # 4 steps, but 20 for one degree of freedom, where each doubles t at first
        density = math.exp(log_scale - (degrees + 1) / 2 * math.log1p(t * t / degrees))
        step = (t_tails(t, degrees) - (1 - level)) / (2 * density)
        t += step
        if abs(step) <= TIE * t:
            break
    return max(t, z)


def t_tails(t: float, degrees: float) -> float:
    """Return the probability that Student's t lies outside -t and t: the two-sided p-value."""
    square = t * t
    return _beta_share(degrees / (degrees + square), square / (degrees + square), degrees / 2, 0.5)


def upper_tail(successes: int, total: int, p: float) -> float:
    """Return the probability of at least `successes` in `total` trials, `successes` > 0."""
    return _beta_share(p, 1 - p, successes, total - successes + 1)


def _beta_share(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function I(x; a, b), with `rest` = 1 - x; relative error below 1e-9."""
    if x == 0 or rest == 0:
        return x
    log_x = math.log(x) if x < rest else math.log1p(-rest)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * log_x + b * math.log(rest))
    if x < (a + 1) / (a + b + 2):  # where the fraction converges quickly
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(rest, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of https://dlmf.nist.gov/8.17.E22 by Lentz's method."""
    # Where the fraction converges quickly, no denominator is 0.
    ratio = 1 / (1 - (a + b) * x / (a + 1))
    upper, fraction = 1.0, ratio
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            ratio = 1 / (1 + term * ratio)
            upper = 1 + term / upper
            fraction *= upper * ratio
        if abs(upper * ratio - 1) < 1e-15:
            break
    return fraction


def bisect(condition: Callable[[float], bool], low: float, high: float) -> Interval:
    """Return the adjacent floats between which a monotone condition that is false at `low` becomes true."""
    while low < (middle := (low + high) / 2) < high:
        if condition(middle):
            high = middle
        else:
            low = middle
    return low, high


def wilson(score: float, total: float, z: float) -> Interval:
    """Return Wilson's score interval for any effective `total` > 0.

    >>> [round(end, 4) for end in wilson(81 / 263, 263, normal_quantile(0.95))]
    [0.2553, 0.3662]
    """
    if total < _SMALLEST:
        return (0.0, 1.0)
    scale = 1 + z * z / total
    middle = (score + z * z / (2 * total)) / scale
    spread = z * math.sqrt(score * (1 - score) / total + z * z / (4 * total * total)) / scale
    return clamp(score, middle - spread, middle + spread)


def interval(
    statistic: Statistic, *, level: float = 0.95, method: str = "wilson", seed: int = 0, clusters: Any = None
) -> Interval | None:
    """Return the confidence interval of a score, which contains it; the whole range if no row has a score.

    - A proportion: by `method`, "wilson", "clopper-pearson" (exact) or "bootstrap" (percentile, from the binomial).
    - A mean or a micro average: Wilson's at the number of examples at which a proportion has the same variance.
    - With clusters: the variance is cluster-robust (CR1) and has clusters - 1 degrees of freedom. Proportions: Wilson's
      interval with n* = min(n, p (1 - p) / V) (z / t)^2, at p = 0 or 1 the number of clusters. Otherwise the score +- t
      standard errors; Wilson's interval with such an n* if that leaves [0, 1] or the clusters hardly vary.
    - A score without bounds: the score +- t standard errors, within its range; None (unknown) if fewer than two rows or
      clusters have a score, or if these do not vary.

    Raises a `ValueError` for fewer than two clusters, and for clusters with another `method` than "wilson".

    >>> [round(end, 3) for end in interval(proportion([1, 1, 1, 0]))]
    [0.301, 0.954]
    """
    if clusters is not None and method != "wilson":
        raise ValueError(f'confidence_method={method!r} assumes independent rows; with clusters it must be "wilson"')
    present = statistic if statistic.scored.all() else statistic.take(statistic.scored)
    codes = None if clusters is None else cluster_codes(clusters)
    if codes is not None:
        check_clusters(codes)
        codes = cluster_codes(codes[statistic.scored])
    score, scale = present.value, present.scale
    if scale.bounded:
        bounds = _unit_interval(present.unit(), codes, level, method, seed) if present.total else (0.0, 1.0)
        return scale.interval(score, bounds)
    number = present.total if codes is None else int(codes.max(initial=-1)) + 1
    error = math.sqrt(present.variance(codes)) if number > 1 else 0.0
    if error <= TIE * max(1.0, abs(score)):
        return None
    half_width = t_quantile(level, number - 1) * error
    return clamp(score, score - half_width, score + half_width, scale.low, scale.high)


def _unit_interval(statistic: Statistic, codes: Array | None, level: float, method: str, seed: int) -> Interval:
    score, total = statistic.value, statistic.total
    if codes is not None:
        return _clustered(statistic, codes, level)
    if statistic.kind != "proportion" or method == "wilson":
        return wilson(score, _effective_size(statistic, level), normal_quantile(level))
    if method == "clopper-pearson":
        successes, tail = round(statistic.sums[0]), (1 - level) / 2

        def least(number: int) -> float:
            return bisect(lambda p: upper_tail(number, total, p) > tail, 0.0, 1.0)[0] if number else 0.0

        return clamp(score, least(successes), 1 - least(total - successes))
    shares = np.random.default_rng(seed).binomial(total, score, size=_RESAMPLES) / total
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return clamp(score, low, high)


def unseen_variance(score: float, total: int) -> float:
    """Return the variance of unseen rare scores: 0.5 n / (n + 60) more of 0, as many of 1, chosen by simulation."""
    return 0.5 * (score * score + (1 - score) * (1 - score)) / (total * (total + 60))


def clamp(score: float, low: float, high: float, least: float = 0.0, most: float = 1.0) -> Interval:
    """Clip an interval to a range, and extend it to contain the score."""
    return max(least, min(low, score)), min(most, max(high, score))


def _effective_size(statistic: Statistic, level: float) -> float:
    """Return the number of examples at which a proportion has the variance of this score plus the unseen variance."""
    score, total = statistic.value, statistic.total
    if statistic.kind == "proportion" or score in {0.0, 1.0} or total == 1:
        return total
    variance, inflation = statistic.variance(), t_quantile(level, total - 1) / normal_quantile(level)
    # Of all scores with this mean, 0 and 1 have the largest variance. Pooled counts can vary more, since large examples
    # have more weight.
    raised = min(score * (1 - score) / total, inflation**2 * variance + unseen_variance(score, total))
    return score * (1 - score) / (raised if statistic.kind == "mean" else max(raised, variance))


def _clustered(statistic: Statistic, codes: Array, level: float) -> Interval:
    score, number = statistic.value, int(codes.max()) + 1
    if number == 1:
        return (0.0, 1.0)
    z, t = normal_quantile(level), t_quantile(level, number - 1)
    variance, unseen = statistic.variance(codes), unseen_variance(score, number)
    if statistic.kind == "proportion":
        size = min(statistic.total, score * (1 - score) / variance) if variance > 0 else statistic.total
    else:
        size = score * (1 - score) / (variance + unseen)
    bounds = wilson(score, number if score in {0.0, 1.0} else size * (z / t) ** 2, z)
    if statistic.kind == "proportion":
        return bounds
    half_width = t * math.sqrt(variance)
    low, high = score - half_width, score + half_width
    if low >= 0 and high <= 1 and unseen < 4 * variance:
        return low, high
    return clamp(score, min(low, bounds[0]), max(high, bounds[1]))
