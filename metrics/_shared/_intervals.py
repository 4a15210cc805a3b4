"""Confidence intervals of proportions.

Every interval is a pair `(low, high)` of floats in [0, 1] that contains the score; without examples it is (0.0, 1.0).
The bootstrap uses its own generator and leaves numpy's global state alone.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ._distributions import binomial_tail
from ._distributions import normal_quantile

Interval: TypeAlias = tuple[float, float]

RESAMPLES = 1000

_SMALLEST_TOTAL = 1e-100  # below, its square underflows


def proportion_interval(
    successes: int, total: int, *, level: float = 0.95, method: str = "wilson", seed: int = 0
) -> Interval:
    """Return the confidence interval of a proportion.

    Args:
        successes: Number of successes.
        total: Number of examples.
        level: The confidence level, strictly between 0 and 1.
        method: "wilson": Wilson's score interval (https://doi.org/10.1080/01621459.1927.10502953); "clopper-pearson":
            the exact interval (https://doi.org/10.1093/biomet/26.4.404), conservative; "bootstrap": the percentile
            bootstrap, drawn directly from the binomial distribution of resampled counts.
        seed: Seed of the bootstrap.
    """
    if total == 0:
        return (0.0, 1.0)
    score = successes / total
    if method == "wilson":
        return wilson_interval(score, total, normal_quantile(level))
    if method == "clopper-pearson":
        failures = total - successes
        # Without successes, or without failures, the interval ends at the score itself.
        low = _clopper_pearson_low(successes, total, level) if successes else score
        high = 1 - _clopper_pearson_low(failures, total, level) if failures else score
    else:
        counts = np.random.default_rng(seed).binomial(total, score, size=RESAMPLES)
        low, high = (float(end) for end in np.quantile(counts / total, [(1 - level) / 2, (1 + level) / 2]))
    return contain(score, low, high)


def wilson_interval(score: float, total: float, z: float) -> Interval:
    """Return Wilson's score interval (https://doi.org/10.1080/01621459.1927.10502953) for any effective `total` > 0."""
    if total < _SMALLEST_TOTAL:
        return (0.0, 1.0)
    scale = 1 + z * z / total
    middle = (score + z * z / (2 * total)) / scale
    spread = z * math.sqrt(score * (1 - score) / total + z * z / (4 * total * total)) / scale
    # Ends that are exactly 0 or 1 are off by rounding; `contain` corrects them.
    return contain(score, middle - spread, middle + spread)


def contain(score: float, low: float, high: float) -> Interval:
    """Clamp an interval to [0, 1], and extend it to contain the score."""
    return max(0.0, min(low, score)), min(1.0, max(high, score))


def _clopper_pearson_low(successes: int, total: int, level: float) -> float:
    """Return the lower Clopper-Pearson bound (1 <= successes <= total)."""
    tail = (1 - level) / 2
    return bisect(lambda p: binomial_tail(successes, total, p) > tail, 0.0, 1.0)[0]


def bisect(condition: Callable[[float], bool], low: float, high: float) -> Interval:
    """Return the adjacent floats between which a monotone condition that is false at `low` becomes true."""
    while low < (middle := (low + high) / 2) < high:
        if condition(middle):
            high = middle
        else:
            low = middle
    return low, high
