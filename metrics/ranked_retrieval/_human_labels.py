# Vendored: edit metrics/_shared/_human_labels.py and run `make vendor`.
"""Correction of a metric's score by human labels for some of the rows.

Prediction-powered inference (Angelopoulos et al. 2023, PPI++: Efficient Prediction-Powered Inference,
https://arxiv.org/abs/2311.01453): the metric's mean over the unlabeled rows, times a weight, plus the mean of label
minus weighted score over the labeled rows. The estimate is valid if the labels are a random sample of the rows; the
better labels and metric agree, the narrower the interval.
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
from ._intervals import wilson_interval
from ._score_intervals import check_clusters
from ._score_intervals import score_interval
from ._score_intervals import unseen_variance
from ._statistics import Array
from ._statistics import cluster_codes
from ._statistics import cluster_sums
from ._statistics import effective_number
from ._statistics import exact_sum
from ._statistics import mean_statistic

MIN_LABELS = 30
_FEW = 10
"""Effective number of labels below which a normal interval is too narrow, chosen by simulation (`make simulations`)."""
_ROUNDING = 1e-12
_NEARLY = 0.1
"""If 0/1 labels differ from their scores by the same up to this, the scores are 0/1 verdicts without an error."""
_RIGHT = 0.5
"""Labels and scores of at least this count as right."""


@dataclass
class Correction:
    """A score corrected by human labels.

    Attributes:
        corrected: The estimate of the mean human label over all rows; None without labels.
        interval: Its confidence interval; (0.0, 1.0) without labels.
        weight: The weight of the metric's scores, 0 (labels only) to 1.
        labels: The number of labels.
        label_mean: Their mean, which agreement and kappa depend on; None without labels.
        agreement: The share of labeled rows that the metric and people call the same, right or wrong.
        kappa: Cohen's kappa: agreement beyond chance; None if only one of the two verdicts occurs.
        sensitivity: The share of rows that people call right that the metric also calls right; None without such rows.
        specificity: The same for rows that people call wrong.
        warnings: Caveats for the user.
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


def correct_score(  # noqa: C901  # a sequence of guards
    scores: Array, labels: Iterable[Any], *, level: float = 0.95, clusters: Iterable[Any] | None = None
) -> Correction:
    """Estimate the mean human label over all rows.

    Args:
        scores: The metric's score of each row, in [0, 1], shape (rows,); rows with NaN are left out.
        labels: A human label in [0, 1] for each row; None or NaN for unlabeled rows.
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
    if number < MIN_LABELS:
        warnings.append(
            f"only {number} human label{'s' if number > 1 else ''}: "
            f"with fewer than {MIN_LABELS} the interval may be too narrow"
        )
    label_mean = exact_sum(observed) / number
    weight, corrected, variance, problem = 0.0, label_mean, 0.0, ""
    if observed.min() == observed.max():
        problem = "all human labels are equal"
    elif number < len(scores):
        weight, corrected, variance = _estimate(scores, people, labeled, codes)
        # Without a single error among the labels, nothing is known about the rate of errors elsewhere.
        tolerance = _NEARLY if np.isin(observed, (0.0, 1.0)).all() else _ROUNDING
        if np.ptp(observed - predicted) <= tolerance or np.ptp(observed - weight * predicted) <= _ROUNDING:
            weight, corrected, variance = 0.0, label_mean, 0.0
            problem = "human labels and scores differ by the same everywhere"
    if problem:
        warnings.append(f"{problem}: the corrected score and its interval are those of the labels alone")
    corrected = min(1.0, max(0.0, corrected))
    label_codes = None if codes is None else codes[labeled]
    if label_codes is not None and label_codes.min() == label_codes.max():
        warnings.append("all human labels are in one cluster, which says nothing about the others")
        interval = (0.0, 1.0)
    elif variance > 0:
        interval = _interval(corrected, variance, level, observed, label_codes)
    else:
        interval = score_interval(mean_statistic(observed), level=level, clusters=label_codes)
    agreement = _agreement(predicted >= _RIGHT, observed >= _RIGHT)
    return Correction(corrected, interval, weight, number, label_mean, *agreement, warnings)


def _interval(score: float, variance: float, level: float, labels: Array, codes: Array | None) -> Interval:
    """Return a normal interval (t with clusters), or Wilson's if few labels are right, or few are wrong.

    Wilson's interval has the size at which a proportion would have this variance; as in `score_interval`, the variance
    is raised for the degrees of freedom and for rare scores that the labels may have missed.
    """
    number = len(labels) if codes is None else len(np.unique(codes))
    z, t = normal_quantile(level), student_t_quantile(level, number - 1)
    if effective_number(labels - exact_sum(labels) / len(labels)) < _FEW:
        raised = (t / z) ** 2 * variance + unseen_variance(1.0, number)
        return wilson_interval(score, number if score in {0.0, 1.0} else score * (1 - score) / raised, z)
    half_width = (z if codes is None else t) * math.sqrt(variance)
    return contain(score, score - half_width, score + half_width)


def _estimate(scores: Array, people: Array, labeled: Array, codes: Array | None) -> tuple[float, float, float]:
    """Return the power-tuned weight, the corrected mean and its variance."""
    observed, predicted, rest = people[labeled], scores[labeled], scores[~labeled]
    label_mean, predicted_mean, rest_mean = (exact_sum(part) / len(part) for part in (observed, predicted, rest))
    if codes is None:
        covariance = exact_sum((observed - label_mean) * (predicted - predicted_mean)) / len(observed)
        pooled = _variance(scores, len(scores) - 1)
        weight = covariance / ((1 + len(observed) / len(rest)) * pooled) if pooled > 0 else 0.0
    else:
        # First-order terms of the mean label and of the correction at a weight of 1.
        label_terms, score_terms = np.zeros(len(scores)), np.zeros(len(scores))
        label_terms[labeled] = (observed - label_mean) / len(observed)
        score_terms[labeled] = (predicted - predicted_mean) / len(predicted)
        score_terms[~labeled] = -(rest - rest_mean) / len(rest)
        label_sums, score_sums = cluster_sums(label_terms, codes), cluster_sums(score_terms, codes)
        squares = exact_sum(score_sums * score_sums)
        weight = exact_sum(label_sums * score_sums) / squares if squares > 0 else 0.0
    weight = min(1.0, max(0.0, weight))
    corrected = weight * rest_mean + label_mean - weight * predicted_mean
    if codes is None:
        residuals = observed - weight * predicted
        variance = _variance(residuals, len(observed)) / len(observed) + weight**2 * _variance(rest, len(rest)) / len(
            rest
        )
    else:
        terms = label_terms - weight * score_terms
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
    return (
        (both + neither) / number,
        cohens_kappa(both + neither, called_right, right, number),
        both / right if right else None,
        neither / (number - right) if right < number else None,
    )


def cohens_kappa(same: int, first: int, second: int, total: int) -> float | None:
    """Return Cohen's kappa, the agreement beyond chance (https://doi.org/10.1177/001316446002000104).

    Args:
        same: Number of rows on which two judges give the same verdict.
        first: Number of rows that the first judge calls right.
        second: Number of rows that the second judge calls right.
        total: Number of rows.

    Returns:
        -1 to 1; None if chance agreement is 1.
    """
    # Chance agreement times total squared, so that everything is an integer until the division.
    by_chance = first * second + (total - first) * (total - second)
    return None if by_chance == total * total else (same * total - by_chance) / (total * total - by_chance)
