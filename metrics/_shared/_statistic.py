"""Scores as functions of column sums, and their confidence intervals.

A `Statistic` is a score as a function of column sums: a mean sums (score, 1) and divides, precision pooled over queries
sums (relevant, retrieved) and divides. Sums are rounded once, at the end, so results do not depend on the order of the
rows or on how they were split into shards. All intervals are pairs `(low, high)` that contain the score.

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
METHOD_HELP = "The interval: Wilson's score, the exact one (Clopper-Pearson) or the percentile bootstrap."

TIE = 1e-12
"""Score differences up to this size are rounding errors and count as ties."""
_RESAMPLES = 1000
_SMALLEST = 1e-100
"""Lower bound of quantiles and totals, whose squares would underflow."""
_STEP = 1e-3
"""Relative step of the numerical derivative, whose error is of the fourth order."""
_FEW_CLUSTERS = 15
"""With fewer effective clusters than this, and than half of their number, intervals cover less than 93% instead of 95%
(`make simulations`)."""
FEW = 10
"""If fewer rows than this account for most of a variance, normal intervals are too narrow (`make simulations`)."""


# ---- scores


@dataclass(frozen=True)
class Scale:
    """The range of a score and its direction; an infinite end is none.

    Intervals and tests are made on the unit scale, where scores lie in [0, 1] and higher is better; a score whose range
    has an infinite end keeps its size there, and changes its sign if lower is better.
    """

    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True

    @property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return math.isfinite(self.high - self.low)

    @property
    def worst(self) -> float:
        """The worst score, which may be infinite."""
        return self.low if self.higher_is_better else self.high

    @property
    def size(self) -> float:
        """The factor between a difference on the unit scale and one on this scale, at least 0."""
        return self.high - self.low if self.bounded else 1.0

    def to_unit(self, scores: Any) -> Any:
        """Convert scores to the unit scale."""
        origin = self.worst if self.bounded else 0.0
        return (scores - origin) / self.size if self.higher_is_better else (origin - scores) / self.size

    def difference(self, unit: float) -> float:
        """Convert a difference from the unit scale."""
        return unit * self.size if self.higher_is_better else -unit * self.size

    def interval(self, score: float, bounds: Interval) -> Interval:
        """Convert the interval of a score from the unit scale; it contains the score."""
        origin = self.worst if self.bounded else 0.0
        low, high = sorted(origin + self.difference(end) for end in bounds)
        return max(self.low, min(low, score)), min(self.high, max(high, score))

    def difference_interval(self, difference: float, bounds: Interval) -> Interval:
        """Convert the interval of a difference from the unit scale; it contains the difference."""
        low, high = sorted(self.difference(end) for end in bounds)
        most = self.size if self.bounded else math.inf
        return max(-most, min(low, difference)), min(most, max(high, difference))

    def check(self, scores: Array) -> None:
        """Raise a `ValueError` for a score outside the range, apart from rounding."""
        for extreme in (scores.min(), scores.max()) if len(scores) else ():
            if not self.low - TIE * self.size <= extreme <= self.high + TIE * self.size:
                raise ValueError(f"scores must be between {self.low:g} and {self.high:g}, got {extreme:g}")


UNIT = Scale()
_UNBOUNDED = Scale(-math.inf, math.inf)


@dataclass(frozen=True, eq=False)
class Statistic:
    """A score that is a function of column sums; in [0, 1], where higher is better, unless `scale` says otherwise.

    Attributes:
        columns: The summands of each example, two or more arrays of shape (examples,), float64 or bool; all are zero
            for an example without a score.
        kind: "proportion": the mean of scores that are the ends of the scale, 0 and 1; "mean": the mean of scores;
            "function": anything else. The columns of the first two are the scores, and whether there is one.
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

    def unit(self) -> "Statistic":
        """Return the statistic on the unit scale; see `Scale`."""
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
        """Return rows by their indices, like `take`; -1 is a row with the worst score.

        Raises:
            ValueError: For a score that is no mean, or that has no worst value.
        """
        if self.kind == "function" or not math.isfinite(self.scale.worst):
            kind = "is pooled over all rows" if self.kind == "function" else "has no worst value"
            raise ValueError(f'missing="wrong" needs a score that each row has and that is bounded; this one {kind}')
        scores, scored = self.columns
        filled = (np.append(scores, self.scale.worst)[indices], np.append(scored, True)[indices])
        return replace(self, columns=filled)

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


def mean(values: Iterable[Any], score: Callable[[Any], Any] | None = None, scale: Scale = UNIT) -> Statistic:
    """Return the statistic of a mean of scores.

    Args:
        values: The scores, one per example; or a `Counter` of them, if rows need not be told apart. None or NaN is an
            example without a score.
        score: Turns a value into a score; by default values are scores.
        scale: The range of the scores, [0, 1] by default, and their direction.

    Raises:
        ValueError: For a score outside the range, apart from rounding.
    """
    counts = np.array(list(values.values()), dtype=np.int64) if isinstance(values, Counter) else None
    scores = _numbers(values if score is None else map(score, values))
    scored = np.ones(len(scores), dtype=np.bool_) if scores.dtype == np.bool_ else ~np.isnan(scores)
    every = bool(scored.all())
    scale.check(scores if every else scores[scored])
    return Statistic((scores if every else np.where(scored, scores, 0.0), scored), "mean", divide, counts, scale)


def proportion(values: Iterable[Any], score: Callable[[Any], Any] | None = None, scale: Scale = UNIT) -> Statistic:
    """Return the statistic of a proportion, whose scores are the ends of the scale, 0 or 1; see `mean`."""
    return replace(mean(values, score, scale), kind="proportion")


def pooled(columns: Iterable[Iterable[Any]], function: Callable[[Array], Array], scale: Scale = UNIT) -> Statistic:
    """Return the statistic of a micro average: a function of the sums of columns of counts.

    Raises:
        ValueError: For a score outside the range of the scale.
    """
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


def effective_number(values: Array) -> float:
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


@functools.lru_cache(maxsize=2048)
def t_quantile(level: float, degrees: int) -> float:
    """Return t such that Student's t lies within -t and t with probability `level`.

    By Newton's method on `t_tails` up to 1000 degrees of freedom, then by the expansion in powers of 1 / degrees
    (Abramowitz and Stegun, 26.7.3, 26.7.4 and 26.7.5). Relative error below 1e-9 for levels from 0.001 to 0.999999.
    """
    t = z = normal_quantile(level)
    if degrees > 1000:  # noqa: PLR2004
        terms = (
            z,
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
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
    """Return the probability that Student's t lies outside -t and t: the two-sided p-value.

    The regularized incomplete beta function I(x; degrees / 2, 1 / 2) at x = degrees / (degrees + t^2), by its continued
    fraction (https://dlmf.nist.gov/8.17.E22), evaluated by Lentz's method. Relative error below 1e-9.
    """
    a, b = degrees / 2, 0.5
    x, rest = degrees / (degrees + t * t), t * t / (degrees + t * t)
    if x == 0 or rest == 0:
        return x
    log_x = math.log(x) if x < rest else math.log1p(-rest)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * log_x + b * math.log(rest))
    if x < (a + 1) / (a + b + 2):  # where the fraction converges quickly
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(rest, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    ratio = 1 / _nonzero(1 - (a + b) * x / (a + 1))
    upper, fraction = 1.0, ratio
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            ratio = 1 / _nonzero(1 + term * ratio)
            upper = _nonzero(1 + term / upper)
            fraction *= upper * ratio
        if abs(upper * ratio - 1) < 1e-15:  # noqa: PLR2004
            break
    return fraction


def _nonzero(value: float) -> float:
    return value if abs(value) > _SMALLEST else _SMALLEST


def upper_tail(successes: int, total: int, p: float) -> float:
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


def bisect(condition: Callable[[float], bool], low: float, high: float) -> Interval:
    """Return the adjacent floats between which a monotone condition that is false at `low` becomes true."""
    while low < (middle := (low + high) / 2) < high:
        if condition(middle):
            high = middle
        else:
            low = middle
    return low, high


# ---- intervals


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
) -> Interval:
    """Return the interval of a score on the unit scale: in [0, 1], containing the score; (0.0, 1.0) without examples.

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

    >>> low, high = interval(proportion([1, 1, 1, 0]))
    >>> round(low, 3), round(high, 3)
    (0.301, 0.954)
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
    return clamp(score, low, high)


def score_interval(
    statistic: Statistic, *, level: float = 0.95, method: str = "wilson", seed: int = 0, clusters: Any = None
) -> Interval | None:
    """Return the confidence interval of a score on its own scale; the arguments are those of `interval`.

    A score without bounds gets the score +- t standard errors, within its range; None, which means unknown, if fewer
    than two rows or clusters have a score, or if these do not vary: then nothing limits what was not seen.
    """
    scale = statistic.scale
    if scale == UNIT:
        return interval(statistic, level=level, method=method, seed=seed, clusters=clusters)
    if scale.bounded:
        bounds = interval(statistic.unit(), level=level, method=method, seed=seed, clusters=clusters)
        return scale.interval(statistic.value, bounds) if statistic.total else (scale.low, scale.high)
    present = statistic.take(statistic.scored)
    codes = None
    if clusters is not None:
        interval(proportion(np.ones(len(statistic.scored))), level=level, method=method, clusters=clusters)  # checks
        codes = cluster_codes(cluster_codes(clusters)[statistic.scored])
    number = present.total if codes is None else int(codes.max(initial=-1)) + 1
    error = math.sqrt(present.variance(codes)) if number > 1 else 0.0
    if error <= TIE * max(1.0, abs(present.value)):
        return None
    half_width = t_quantile(level, number - 1) * error
    return max(scale.low, present.value - half_width), min(scale.high, present.value + half_width)


def unseen_variance(score: float, total: int) -> float:
    """Return the variance to add for rare scores of 0 and 1 that a sample of this size may have missed.

    Thirty scores near 1 hardly vary, but do not rule out one failure in fifty. As if there were 0.5 n / (n + 60) more
    scores of 0, and as many of 1; both constants are chosen by simulation (`make simulations`).
    """
    return 0.5 * (score * score + (1 - score) * (1 - score)) / (total * (total + 60))


def clamp(score: float, low: float, high: float) -> Interval:
    return max(0.0, min(low, score)), min(1.0, max(high, score))


def _exact_low(successes: int, total: int, level: float) -> float:
    """Return the lower Clopper-Pearson bound."""
    if successes == 0:
        return 0.0
    share, tail = successes / total, (1 - level) / 2
    return bisect(lambda p: p >= share or upper_tail(successes, total, p) > tail, 0.0, 1.0)[0]


def _effective_size(statistic: Statistic, level: float) -> float:
    """Return the number of examples at which a proportion would have the same variance as this score."""
    score, total = statistic.value, statistic.total
    if score in {0.0, 1.0} or total == 1:
        return total
    t, variance = t_quantile(level, total - 1), statistic.variance()
    raised = raised_variance(score, total, variance, t / normal_quantile(level))
    return score * (1 - score) / (raised if statistic.kind == "mean" else max(raised, variance))


def raised_variance(score: float, total: int, variance: float, inflation: float) -> float:
    """Return the variance of a mean of scores in [0, 1], allowing for its few degrees of freedom and for unseen scores.

    Of all scores with this mean, 0 and 1 have the largest variance. Pooled counts can exceed it, since large examples
    have more weight.
    """
    return min(score * (1 - score) / total, inflation**2 * variance + unseen_variance(score, total))


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
    return clamp(score, min(low, bounds[0]), max(high, bounds[1]))
