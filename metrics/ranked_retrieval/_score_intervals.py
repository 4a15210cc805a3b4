# Vendored: edit metrics/_shared/_score_intervals.py and run `make vendor`.
"""Confidence intervals of a `Statistic`: proportions, means of scores in [0, 1], and micro averages.

Every interval is a pair `(low, high)` in [0, 1] that contains the score and has a positive width; without examples it
is (0.0, 1.0). It does not depend on the order of the examples.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._distributions import normal_quantile
from ._distributions import student_t_quantile
from ._intervals import Interval
from ._intervals import contain
from ._intervals import proportion_interval
from ._intervals import wilson_interval
from ._statistics import Array
from ._statistics import Statistic
from ._statistics import cluster_codes
from ._statistics import sampling_variance

UNSEEN = 0.5
UNSEEN_FADES = 60
"""A small sample may miss rare scores: its variance is raised as if it had UNSEEN * n / (n + UNSEEN_FADES) more scores
of 0, and as many of 1. Both constants are chosen by simulation (`make simulations`)."""
_MIN_CLUSTERS = 2
_HARDLY = 4
"""Clusters hardly vary if this many times their variance is less than the unseen variance."""
_FEW_CLUSTERS = 15
"""With fewer effective clusters than this, and than half of their number, intervals cover less than 93% instead of 95%
(`make simulations`). Clusters of equal size with the same share of squared sizes would be this many."""


def score_interval(
    statistic: Statistic,
    *,
    level: float = 0.95,
    method: str = "wilson",
    seed: int = 0,
    clusters: Iterable[Any] | None = None,
) -> Interval:
    """Return the confidence interval of a score.

    - A proportion: by `method` (see `proportion_interval`).
    - A mean of scores in [0, 1], or a micro average: Wilson's interval with the effective number of examples at which a
      proportion would have the same variance as this score. With scores of 0 and 1 it is Wilson's interval itself.
    - With clusters: the variance is cluster-robust (CR1) and has clusters - 1 degrees of freedom. Proportions: Wilson's
      interval with n* = min(n, p (1 - p) / V) (z / t)^2, at p = 0 or 1 the number of clusters. Otherwise the score +- t
      standard errors; Wilson's interval with such an n* if that leaves [0, 1] or the clusters hardly vary.

    Args:
        statistic: The score. Rows without a score are ignored.
        level: The confidence level, strictly between 0 and 1.
        method: For a proportion: "wilson", "clopper-pearson" or "bootstrap".
        seed: Seed of the bootstrap.
        clusters: One label per row: rows that depend on each other, such as questions about one document.

    Raises:
        ValueError: For fewer than two clusters, or clusters with a `method` other than "wilson".
    """
    if clusters is not None and method != "wilson":
        raise ValueError(f'confidence_method={method!r} assumes independent rows; with clusters it must be "wilson"')
    present = statistic.take(statistic.scored)
    if clusters is not None:
        codes = cluster_codes(clusters)
        check_clusters(codes)
        codes = cluster_codes(codes[statistic.scored])
    if present.total == 0:
        return (0.0, 1.0)
    if clusters is not None:
        return _clustered_interval(present, codes, level)
    score, total = present.value, present.total
    if statistic.kind == "proportion":
        return proportion_interval(round(present.sums()[0]), total, level=level, method=method, seed=seed)
    z = normal_quantile(level)
    return wilson_interval(score, _independent_size(present, score, total, level), z)


def unseen_variance(score: float, total: int) -> float:
    """Return the variance to add for rare scores of 0 and 1 that a sample of this size may have missed.

    For example, thirty scores near 1 hardly vary, but do not rule out one failure in fifty.
    """
    square = score * score + (1 - score) * (1 - score)
    return UNSEEN * square / (total * (total + UNSEEN_FADES))


def row_scores(statistic: Statistic) -> Array:
    """Return the score of each row on its own, shape (rows,); NaN if it has none."""
    scores = np.asarray(statistic.function(statistic.rows), dtype=np.float64)
    return scores if statistic.kind == "function" else np.where(statistic.scored, scores, math.nan)


def check_clusters(codes: Array) -> int:
    """Return the number of clusters.

    Raises:
        ValueError: For fewer than two.
    """
    number = len(np.unique(codes))
    if len(codes) and number < _MIN_CLUSTERS:
        raise ValueError("clusters has one distinct value; an interval needs at least two clusters to compare")
    return number


def describe_unequal_clusters(codes: Array) -> str:
    """Return a warning if few large clusters have most of the rows, which makes cluster-robust intervals too narrow."""
    sizes = np.bincount(codes)
    effective = sizes.sum() ** 2 / (sizes**2).sum() if len(sizes) else math.inf
    if effective >= min(_FEW_CLUSTERS, len(sizes) / 2):
        return ""
    return (
        f"the largest of {len(sizes)} clusters has {sizes.max() / sizes.sum():.0%} of the rows: with clusters of such "
        "different sizes, confidence intervals are too narrow; the tests of compare are not affected"
    )


def _clustered_interval(statistic: Statistic, codes: Array, level: float) -> Interval:
    score, total, number = statistic.value, statistic.total, int(codes.max()) + 1
    if number < _MIN_CLUSTERS:
        return (0.0, 1.0)
    z, t = normal_quantile(level), student_t_quantile(level, number - 1)
    variance = sampling_variance(statistic, codes)
    if statistic.kind == "proportion":
        size = number if score in {0.0, 1.0} else _capped_size(total, score * (1 - score), variance) * (z / t) ** 2
        return wilson_interval(score, size, z)
    half_width = t * math.sqrt(variance)
    low, high = score - half_width, score + half_width
    unseen = unseen_variance(score, number)
    if unseen < _HARDLY * variance and low >= 0 and high <= 1:
        return low, high
    size = number if score in {0.0, 1.0} else score * (1 - score) / (variance + unseen) * (z / t) ** 2
    wilson = wilson_interval(score, size, z)
    return contain(score, min(low, wilson[0]), max(high, wilson[1]))


def _independent_size(statistic: Statistic, score: float, total: int, level: float) -> float:
    """Return the number of examples at which a proportion would have the same variance as this score."""
    if score in {0.0, 1.0} or total < _MIN_CLUSTERS:
        return total
    inflation = (student_t_quantile(level, total - 1) / normal_quantile(level)) ** 2
    variance = sampling_variance(statistic)
    # Of all scores in [0, 1] with this mean, 0 and 1 have the largest variance. Pooled counts can exceed it, since
    # large examples have more weight.
    bound = score * (1 - score) / total
    raised = min(bound, inflation * variance + unseen_variance(score, total))
    return score * (1 - score) / (raised if statistic.kind == "mean" else max(raised, variance))


def _capped_size(total: int, numerator: float, variance: float) -> float:
    return min(total, numerator / variance) if variance > 0 else total
