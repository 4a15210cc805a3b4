# Vendored: edit metrics/_shared/_intervals.py and run `make vendor`.
"""Confidence intervals: closed forms for proportions, the percentile bootstrap for everything else.

Every interval is a pair `(low, high)` of floats inside [0, 1] that contains the score; for no examples it is
(0.0, 1.0). Resampling uses a generator of its own, so numpy's global state stays as it is, and sorts what it resamples,
so the order of the examples does not matter.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any
from typing import TypeAlias

import numpy as np

Interval: TypeAlias = tuple[float, float]

RESAMPLES = 1000
_MOST_INDICES = 1 << 22
"""How many indices one step of the bootstrap draws: 32 MB of them."""


def proportion_interval(
    successes: int, total: int, *, level: float = 0.95, method: str = "wilson", seed: int = 0
) -> Interval:
    """Give the confidence interval of a proportion.

    Args:
        successes: How many of the examples succeeded.
        total: How many examples there are.
        level: The confidence level, strictly between 0 and 1.
        method: "wilson": Wilson's score interval (https://doi.org/10.1080/01621459.1927.10502953); "clopper-pearson":
            the exact interval (https://doi.org/10.1093/biomet/26.4.404), never too narrow and often too wide;
            "bootstrap": the percentile bootstrap, whose resampled counts are binomial and are drawn as such.
        seed: Of the bootstrap.
    """
    if total == 0:
        return (0.0, 1.0)
    score = successes / total
    if method == "wilson":
        z = -NormalDist().inv_cdf((1 - level) / 2)  # (1 + level) / 2 can round to 1
        spread = z * math.sqrt(score * (1 - score) / total + z * z / (4 * total * total))
        scale = 1 + z * z / total
        middle = score + z * z / (2 * total)
        # Where the ends are 0 and 1 exactly, floating point misses them by a hair; `_around` brings them back.
        low, high = (middle - spread) / scale, (middle + spread) / scale
    elif method == "clopper-pearson":
        failures = total - successes
        # Where nothing succeeds, or nothing fails, the interval ends at the score itself.
        low = _clopper_pearson_low(successes, total, level) if successes else score
        high = 1 - _clopper_pearson_low(failures, total, level) if failures else score
    else:
        counts = np.random.default_rng(seed).binomial(total, score, size=RESAMPLES)
        low, high = _percentiles(counts / total, level)
    return _around(score, low, high)


def bootstrap_interval(
    rows: "np.ndarray[Any, Any]",
    score: float,
    *,
    statistic: "Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]",
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Give the percentile bootstrap interval of a statistic of the column sums of `rows`.

    Args:
        rows: Shape (examples, columns): what each example contributes to the sums. One column of scores for a mean;
            the counts of each example for a ratio of pooled counts.
        score: The statistic of the sums of all rows as they are.
        statistic: Takes sums of shape (resamples, columns), returns shape (resamples,). For a mean it divides by the
            number of rows.
        level: The confidence level, strictly between 0 and 1.
        seed: Of the resampling.

    Source:
        Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    if len(rows) == 0:
        return (0.0, 1.0)
    low, high = _percentiles(statistic(resampled_sums(rows, seed=seed)), level)
    return _around(score, low, high)


def mean_interval(scores: list[float], score: float, *, level: float = 0.95, seed: int = 0) -> Interval:
    """Give the percentile bootstrap interval of the mean of per-example scores between 0 and 1."""
    rows = np.asarray(scores, dtype=np.float64).reshape(-1, 1)
    return bootstrap_interval(rows, score, statistic=lambda sums: sums[:, 0] / len(rows), level=level, seed=seed)


def resampled_sums(rows: "np.ndarray[Any, Any]", *, seed: int) -> "np.ndarray[Any, Any]":
    """Draw `RESAMPLES` samples of the rows with replacement; return their column sums, shape (RESAMPLES, columns).

    Where rows repeat a lot (few-valued scores), drawing how often each distinct row is taken is the same and faster.
    """
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    random = np.random.default_rng(seed)
    total = len(rows)
    sums: np.ndarray[Any, Any] = np.empty((RESAMPLES, rows.shape[1]), dtype=np.float64)
    few_valued = len(distinct) * 8 < total
    ordered = distinct if few_valued else np.repeat(distinct, counts, axis=0)
    step = max(1, _MOST_INDICES // len(ordered))
    for start in range(0, RESAMPLES, step):
        size = min(step, RESAMPLES - start)
        if few_valued:
            # einsum and not @: BLAS may add up in another order in another process.
            times = random.multinomial(total, counts / total, size=size)
            sums[start : start + size] = np.einsum("rd,dc->rc", times, distinct)
        else:
            indices = random.integers(total, size=(size, total))
            for column in range(rows.shape[1]):
                sums[start : start + size, column] = ordered[:, column].take(indices).sum(axis=1)
    return sums


def _percentiles(statistics: "np.ndarray[Any, Any]", level: float) -> Interval:
    low, high = np.quantile(statistics, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _around(score: float, low: float, high: float) -> Interval:
    """Clamp an interval to [0, 1] and so that it contains the score."""
    return max(0.0, min(low, score)), min(1.0, max(high, score))


def _clopper_pearson_low(successes: int, total: int, level: float) -> float:
    """Give the proportion below which so many successes are too rare for the level (1 <= successes <= total)."""
    tail = (1 - level) / 2
    return _bisect(lambda p: _binomial_tail(successes, total, p) > tail)


def _bisect(holds: Callable[[float], bool]) -> float:
    """Find where a condition that fails at 0 begins to hold, to the last bit that halving reaches."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if holds(middle):
            high = middle
        else:
            low = middle
    return low


def _binomial_tail(successes: int, total: int, p: float) -> float:
    """Give the probability of at least `successes` in `total` trials (1 <= successes <= total, 0 < p < 1).

    The terms are summed outward from about the largest one of the tail until they no longer count, so the cost grows
    with the square root of `total`.
    """
    peak = max(successes, math.floor(total * p))
    log_peak = (
        math.lgamma(total + 1)
        - math.lgamma(peak + 1)
        - math.lgamma(total - peak + 1)
        + peak * math.log(p)
        + (total - peak) * math.log1p(-p)
    )
    first = math.exp(log_peak)
    odds = p / (1 - p)
    terms = [first]
    term = first
    for k in range(peak, total):
        term *= (total - k) / (k + 1) * odds
        terms.append(term)
        if term <= first * 1e-18:
            break
    term = first
    for k in range(peak, successes, -1):
        term *= k / (total - k + 1) / odds
        terms.append(term)
        if term <= first * 1e-18:
            break
    return math.fsum(terms)
