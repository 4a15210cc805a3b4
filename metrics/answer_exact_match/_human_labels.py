# Vendored: edit metrics/_shared/_human_labels.py and run `make vendor`.
"""What would people have said? A few human labels correct the score of a metric for all rows.

Prediction-powered inference (Angelopoulos et al. 2023, PPI++: Efficient Prediction-Powered Inference,
https://arxiv.org/abs/2311.01453): the metric's mean over the rows without a label, times a weight, plus the mean of
label minus weighted score over the rows with one. Whatever the metric gets wrong, the labels correct, as long as they
are a random sample of the rows; the better the two agree, the narrower the interval.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field
from typing import Any

import numpy as np

from ._distributions import normal_quantile
from ._distributions import student_t_quantile
from ._intervals import Interval
from ._intervals import contain
from ._score_intervals import check_clusters
from ._score_intervals import score_interval
from ._statistics import Array
from ._statistics import cluster_codes
from ._statistics import cluster_sums
from ._statistics import exact_sum
from ._statistics import mean_statistic

FEWEST_LABELS = 30
_ROUNDING = 1e-12
_RIGHT = 0.5
"""Labels and scores of at least this much say that the answer is right."""


@dataclass
class Correction:
    """What human labels say about a score.

    Attributes:
        corrected: The estimate of the mean human label over all rows; None without labels.
        interval: Its confidence interval; (0.0, 1.0) without labels.
        weight: The weight of the metric's scores, 0 (labels alone) to 1.
        labels: The number of labels.
        label_mean: Their mean, without which agreement and kappa cannot be read; None without labels.
        agreement: The share of labeled rows for which metric and people say the same, right or wrong.
        kappa: Cohen's kappa: the agreement beyond chance; None where only one of the two verdicts occurs.
        sensitivity: Of the rows that people call right, the share that the metric also calls right; None without any.
        specificity: The same for wrong.
        warnings: What the reader of these figures must know.
    """

    corrected: float | None
    interval: Interval
    weight: float
    labels: int
    label_mean: float | None
    agreement: float | None
    kappa: float | None
    sensitivity: float | None
    specificity: float | None
    warnings: list[str] = field(default_factory=list)


def correct_score(  # noqa: C901  # one guard after another, in the order of what can be said
    scores: Array, labels: Iterable[Any], *, level: float = 0.95, clusters: Iterable[Any] | None = None
) -> Correction:
    """Estimate the mean human label over all rows.

    Args:
        scores: The metric's score of each row, in [0, 1]; NaN where there is none (the row is left out).
        labels: For each row 0, 1 or a score in [0, 1] from people; None or NaN where nobody has looked.
        level: The confidence level, strictly between 0 and 1.
        clusters: One label per row: rows that depend on each other.

    Raises:
        ValueError: For fewer than two clusters.
    """
    people = np.array([math.nan if label is None else label for label in labels], dtype=np.float64)
    codes = None if clusters is None else cluster_codes(clusters)
    if codes is not None:
        check_clusters(codes)
    kept = ~np.isnan(scores)
    left_out = int((~kept & ~np.isnan(people)).sum())
    scores, people = scores[kept], people[kept]
    codes = None if codes is None else cluster_codes(codes[kept])
    labeled = ~np.isnan(people)
    observed, predicted = people[labeled], scores[labeled]
    warnings = []
    if left_out:
        warnings.append(f"human labels of rows without a score are left out: {left_out}")
    number = len(observed)
    if number == 0:
        warnings.append("there are no human labels")
        return Correction(None, (0.0, 1.0), 0.0, 0, None, None, None, None, None, warnings)
    if number < FEWEST_LABELS:
        warnings.append(
            f"only {number} human label{'s' if number > 1 else ''}: "
            f"with fewer than {FEWEST_LABELS} the interval may be too narrow"
        )
    label_mean = exact_sum(observed) / number
    weight, corrected, variance, doubt = 0.0, label_mean, 0.0, ""
    if observed.min() == observed.max():
        doubt = "all human labels are equal"
    elif number < len(scores):
        weight, corrected, variance = _estimate(scores, people, labeled, codes)
        if np.ptp(observed - weight * predicted) <= _ROUNDING:
            weight, corrected, variance = 0.0, label_mean, 0.0
            doubt = "human labels and scores differ by the same everywhere"
    if doubt:
        warnings.append(f"{doubt}: the corrected score and its interval are those of the labels alone")
    corrected = min(1.0, max(0.0, corrected))
    of_labels = None if codes is None else codes[labeled]
    if of_labels is not None and of_labels.min() == of_labels.max():
        warnings.append("all human labels are in one cluster, which says nothing about the others")
        interval = (0.0, 1.0)
    elif variance > 0:
        reach = _quantile(level, of_labels) * math.sqrt(variance)
        interval = contain(corrected, corrected - reach, corrected + reach)
    else:
        interval = score_interval(mean_statistic(observed), level=level, clusters=of_labels)
    agreement = _agreement(predicted >= _RIGHT, observed >= _RIGHT)
    return Correction(corrected, interval, weight, number, label_mean, *agreement, warnings)


def _quantile(level: float, codes: Array | None) -> float:
    if codes is None:
        return normal_quantile(level)
    return student_t_quantile(level, len(np.unique(codes)) - 1)


def _estimate(scores: Array, people: Array, labeled: Array, codes: Array | None) -> tuple[float, float, float]:
    """Return the power-tuned weight, the corrected mean and its variance."""
    observed, predicted, rest = people[labeled], scores[labeled], scores[~labeled]
    told_mean, predicted_mean, rest_mean = (exact_sum(part) / len(part) for part in (observed, predicted, rest))
    if codes is None:
        covariance = exact_sum((observed - told_mean) * (predicted - predicted_mean)) / len(observed)
        pooled = _variance(scores, len(scores) - 1)
        weight = covariance / ((1 + len(observed) / len(rest)) * pooled) if pooled > 0 else 0.0
    else:
        # The first-order terms of the mean label and of what a weight of 1 takes off, by cluster.
        told_terms, taken_terms = np.zeros(len(scores)), np.zeros(len(scores))
        told_terms[labeled] = (observed - told_mean) / len(observed)
        taken_terms[labeled] = (predicted - predicted_mean) / len(predicted)
        taken_terms[~labeled] = -(rest - rest_mean) / len(rest)
        by_cluster, taken = cluster_sums(told_terms, codes), cluster_sums(taken_terms, codes)
        squares = exact_sum(taken * taken)
        weight = exact_sum(by_cluster * taken) / squares if squares > 0 else 0.0
    weight = min(1.0, max(0.0, weight))
    corrected = weight * rest_mean + told_mean - weight * predicted_mean
    if codes is None:
        residuals = observed - weight * predicted
        variance = _variance(residuals, len(observed)) / len(observed) + weight**2 * _variance(rest, len(rest)) / len(
            rest
        )
    else:
        terms = told_terms - weight * taken_terms
        sums = cluster_sums(terms, codes)
        variance = exact_sum(sums * sums) * len(sums) / (len(sums) - 1)
    return weight, corrected, variance


def _variance(values: Array, divisor: int) -> float:
    deviations = values - exact_sum(values) / len(values)
    return exact_sum(deviations * deviations) / divisor if divisor else 0.0


def _agreement(predicted: Array, observed: Array) -> tuple[float, float | None, float | None, float | None]:
    """Return agreement, kappa, sensitivity and specificity of two columns of verdicts."""
    number = len(observed)
    both, neither = int((predicted & observed).sum()), int((~predicted & ~observed).sum())
    right, called_right = int(observed.sum()), int(predicted.sum())
    # Kappa times the square of the number, so that it stays in integers until the division.
    expected = right * called_right + (number - right) * (number - called_right)
    kappa = (number * (both + neither) - expected) / (number * number - expected) if expected < number**2 else None
    return (
        (both + neither) / number,
        kappa,
        both / right if right else None,
        neither / (number - right) if right < number else None,
    )
