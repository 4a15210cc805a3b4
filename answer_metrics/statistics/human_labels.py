"""Estimate human scores of a dataset, and their difference between systems, from labels on a sample.

Source: prediction-powered inference, PPI++, Angelopoulos et al. 2023, https://arxiv.org/abs/2311.01453. For two systems
there are two weights, one for the scores of each, which together minimize the variance of the difference.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from answer_metrics.core.results import Result, count
from answer_metrics.statistics.comparison import adjust_all, tango
from answer_metrics.statistics.statistic import (
    FEW,
    TIE,
    Array,
    Interval,
    Statistic,
    check_clusters,
    clamp,
    cluster_codes,
    cluster_sums,
    clustered_variance,
    effective_number,
    exact_sum,
    interval,
    mean,
    normal_quantile,
    t_quantile,
    t_tails,
    unseen_variance,
    wilson,
)

MIN_LABELS = 30


@dataclass(frozen=True, eq=False)
class Labeled:
    """The scores and human labels of a system, NaN where a row has none."""

    scores: Array
    labels: Array

    def take(self, rows: Array) -> "Labeled":
        """Return some of the rows."""
        return Labeled(self.scores[rows], self.labels[rows])

    @cached_property
    def labeled(self) -> Array:
        """Which rows have a label."""
        return ~np.isnan(self.labels)

    @cached_property
    def parts(self) -> tuple[Array, Array, Array]:
        """The labels, the scores of the labeled rows, and the scores of the others."""
        return self.labels[self.labeled], self.scores[self.labeled], self.scores[~self.labeled]

    def terms(self) -> tuple[float, float, Array, Array]:
        """Return two estimates, and the first-order term of each row in them, whose squares add up to variances.

        The first is the mean label; the second, of expectation 0, is the mean score of the labeled rows minus that of
        the others. The corrected score is the first minus a weight times the second.
        """
        observed, predicted, rest = self.parts
        label_mean, gap = _mean(observed), 0.0
        label_terms, score_terms = np.zeros(len(self.labels)), np.zeros(len(self.labels))
        label_terms[self.labeled] = (observed - label_mean) / len(observed)
        if len(rest):  # else scores say nothing that labels do not
            here, there = _mean(predicted), _mean(rest)
            gap = here - there
            score_terms[self.labeled] = (predicted - here) / len(observed)
            score_terms[~self.labeled] = (there - rest) / len(rest)
        return label_mean, gap, label_terms, score_terms


def _mean(values: Array) -> float:
    return exact_sum(values) / len(values)


def correct(
    scores: Array, labels: Iterable[Any], *, level: float = 0.95, clusters: Any = None
) -> tuple[dict[str, Any], list[str]]:
    """Estimate the mean human label over all rows by prediction-powered inference (PPI++).

    The estimate is the mean score of the unlabeled rows times a weight, plus the mean of label minus weighted score
    over the labeled rows, which must be a random sample. `scores` are in [0, 1], rows with NaN are left out; `labels`
    are in [0, 1], None or NaN for unlabeled rows. Raises a `ValueError` for a single cluster. Returns the corrected
    score with its interval, the number and mean of the labels, and the metric's agreement with them; and caveats.

    >>> result, caveats = correct(np.array([1.0, 1.0, 0.0, 1.0]), [1, 0, 0, None])
    >>> round(result["corrected"], 3), caveats
    (0.37, ['only 3 human labels: with fewer than 30 the interval may be too narrow'])
    """
    all_rows = Labeled(scores, np.array(list(labels), dtype=np.float64))
    scored = ~np.isnan(scores)
    rows, codes = all_rows.take(scored), None
    if clusters is not None:
        check_clusters(clusters)
        codes = cluster_codes(cluster_codes(clusters)[scored])
    observed = rows.parts[0]
    corrected, caveats = None, []
    bounds: Interval | None = (0.0, 1.0)
    if left_out := int((all_rows.labeled & ~scored).sum()):
        caveats.append(f"human labels of rows without a score are left out: {left_out}")
    if not len(observed):
        caveats.append("there are no human labels")
    else:
        if len(observed) < MIN_LABELS:
            few = count(len(observed), "human label")
            caveats.append(f"only {few}: with fewer than {MIN_LABELS} the interval may be too narrow")
        corrected, variance, problem = _estimate(rows, codes)
        if problem:
            caveats.append(f"{problem}: the corrected score and its interval are those of the labels alone")
        label_codes = None if codes is None else codes[rows.labeled]
        if label_codes is not None and label_codes.min() == label_codes.max():
            caveats.append("all human labels are in one cluster, which says nothing about the others")
        elif variance > 0:
            bounds = _corrected_interval(corrected, variance, level, observed, label_codes)
        else:
            bounds = interval(mean(observed), level=level, clusters=label_codes)
    return {"corrected": corrected, "corrected_confidence_interval": bounds, **_agreement(rows)}, caveats


def _estimate(rows: Labeled, codes: Array | None) -> tuple[float, float, str]:
    """Return the corrected mean, its variance (0.0 if only the labels count), and why scores cannot help, if so."""
    observed, predicted, rest = rows.parts
    label_mean = _mean(observed)
    if observed.min() == observed.max():
        return label_mean, 0.0, "all human labels are equal"
    if not len(rest) or (codes is not None and not codes.any()):  # all rows with a score are in one cluster
        return label_mean, 0.0, ""
    weight, estimate, variance = _power_tuned(rows, codes)
    same = "human labels and scores differ by the same"
    # Without a single error among the labels, nothing is known about the rate of errors elsewhere.
    tolerance = 0.1 if np.isin(observed, (0.0, 1.0)).all() else TIE
    if np.ptp(observed - predicted) <= tolerance or np.ptp(observed - weight * predicted) <= TIE:
        return label_mean, 0.0, f"{same} everywhere"
    # For two clusters, there is always a weight without variance; if it is in [0, 1], it was chosen.
    if codes is not None and unseen_variance(label_mean, int(codes.max()) + 1) >= 4 * variance:
        return label_mean, 0.0, f"{same} in every cluster"
    return min(1.0, max(0.0, estimate)), variance, ""


def _power_tuned(rows: Labeled, codes: Array | None) -> tuple[float, float, float]:
    """Return the weight of the scores that minimizes the variance, the corrected mean and its variance."""
    observed, predicted, rest = rows.parts
    label_mean, predicted_mean, rest_mean = map(_mean, rows.parts)
    _, _, label_terms, score_terms = rows.terms()
    if codes is None:
        covariance = exact_sum((observed - label_mean) * (predicted - predicted_mean)) / len(observed)
        deviations = rows.scores - _mean(rows.scores)
        spread = (1 + len(observed) / len(rest)) * (exact_sum(deviations * deviations) / (len(deviations) - 1))
    else:
        label_sums, score_sums = cluster_sums(label_terms, codes), cluster_sums(score_terms, codes)
        covariance, spread = exact_sum(label_sums * score_sums), exact_sum(score_sums * score_sums)
    weight = min(1.0, max(0.0, covariance / spread if spread > TIE**2 else 0.0))
    residuals = label_terms - weight * score_terms
    variance = exact_sum(residuals * residuals) if codes is None else clustered_variance(residuals, codes)
    return weight, weight * rest_mean + label_mean - weight * predicted_mean, variance


def _corrected_interval(score: float, variance: float, level: float, labels: Array, codes: Array | None) -> Interval:
    """Return a normal interval (t with clusters), or Wilson's if few labels are right, or few are wrong."""
    number = len(labels) if codes is None else len(np.unique(codes))
    z, t = normal_quantile(level), t_quantile(level, number - 1)
    if effective_number(labels - _mean(labels)) < FEW:
        raised = (t / z) ** 2 * variance + unseen_variance(1.0, number)
        return wilson(score, number if score in {0.0, 1.0} else score * (1 - score) / raised, z)
    half_width = (z if codes is None else t) * math.sqrt(variance)
    return clamp(score, score - half_width, score + half_width)


def _agreement(rows: Labeled) -> dict[str, Any]:
    """Compare scores and labels of the labeled rows; from 0.5 on they count as right."""
    observed, predicted, _ = rows.parts
    total, called, right = len(observed), predicted >= 0.5, observed >= 0.5
    both, neither, positive = int((right & called).sum()), int((~right & ~called).sum()), int(right.sum())
    return {
        "agreement": (both + neither) / total if total else None,
        "kappa": cohens_kappa(both + neither, int(called.sum()), positive, total),
        "sensitivity": both / positive if positive else None,
        "specificity": neither / (total - positive) if positive < total else None,
        "labels": total,
        "label_mean": _mean(observed) if total else None,
    }


def cohens_kappa(same: int, first: int, second: int, total: int) -> float | None:
    """Return Cohen's kappa of two judges (https://doi.org/10.1177/001316446002000104); None if chance agreement is 1.

    Arguments are numbers of rows: with the same verdict, called right by the first, by the second, and all.

    >>> cohens_kappa(same=35, first=25, second=30, total=50)
    0.4
    """
    by_chance = first * second + (total - first) * (total - second)
    return None if by_chance == total * total else (same * total - by_chance) / (total * total - by_chance)


def correct_comparison(
    result: Result, systems: Mapping[str, Statistic], labels: Mapping[str, Iterable[Any]], clusters: Any
) -> list[str]:
    """Add corrected main scores and differences to a result of `compare`, and return caveats for the user.

    Raises a `ValueError` if only some systems have labels.
    """
    score, level, baseline = result["score"], result["confidence_level"], result["baseline"]
    sides = {
        name: Labeled(statistic.row_scores, np.array(list(labels[name]), dtype=np.float64))
        for name, statistic in systems.items()
    }
    unlabeled = [name for name, side in sides.items() if not side.labeled.any()]
    if 0 < len(unlabeled) < len(systems):
        have = "has" if len(unlabeled) == 1 else "have"
        raise ValueError(f"human_labels: {', '.join(unlabeled)} {have} no labels; label the answers of every system")
    caveats = []
    for name, side in sides.items():
        corrected, problems = correct(side.scores, side.labels, level=level, clusters=clusters)
        caveats += [f"{name}: {problem}" for problem in problems]
        entries = {f"{score}_{key}": corrected[key] for key in ("corrected", "corrected_confidence_interval")}
        result["systems"][name] |= {**entries, "labels": corrected["labels"]}
    comparisons = [(pair, pair["system"], pair["baseline"]) for pair in result.get("pairs", ())] or [
        (result["systems"][name], name, baseline) for name in systems if name != baseline
    ]
    codes = None if clusters is None else cluster_codes(clusters)
    for comparison, system, other in comparisons:
        comparison |= correct_difference(sides[system], sides[other], codes=codes, level=level)  # in place
    adjust_all((comparison for comparison, _, _ in comparisons), "corrected_p_value")
    return caveats


def correct_difference(
    system: Labeled, baseline: Labeled, *, codes: Array | None = None, level: float = 0.95
) -> dict[str, Any]:
    """Estimate the difference of mean human labels of two systems on the same rows; None without labels.

    Rows may be labeled for both systems (a pair), one or none; those without a score in either are left out. Student's
    t has the number of labeled rows, or clusters, minus 3 degrees of freedom: the mean and two weights are estimated.
    """
    both = ~(np.isnan(system.scores) | np.isnan(baseline.scores))
    system, baseline = system.take(both), baseline.take(both)
    codes = None if codes is None else codes[both]
    counted = system.labeled | baseline.labeled
    number = int(counted.sum()) if codes is None else len(np.unique(codes[counted]))
    degrees = number - 3
    difference, bounds, p_value = None, (-1.0, 1.0), 1.0
    if system.labeled.any() and baseline.labeled.any():
        difference, variance = _weighted_difference(system, baseline, codes, number)
        if degrees > 0:
            # As in `Pair.interval`: labels that hardly differ do not rule out that others do.
            error = math.sqrt(max(variance, unseen_variance(1.0, number) / 2))
            half_width = t_quantile(level, degrees) * error
            low, high = difference - half_width, difference + half_width
            gaps = (system.labels - baseline.labels)[system.labeled & baseline.labeled]
            if codes is None and len(gaps) and effective_number(gaps) < FEW:  # labels differ on few rows
                wins, losses = exact_sum(np.maximum(gaps, 0.0)), exact_sum(np.maximum(-gaps, 0.0))
                alone = tango(wins, losses, len(gaps), t_quantile(level, degrees))
                low, high = min(low, alone[0]), max(high, alone[1])
            bounds = clamp(difference, low, high, -1.0)
            p_value = t_tails(abs(difference) / error, degrees)
        difference = max(bounds[0], min(bounds[1], difference))
    return {
        "corrected_difference": difference,
        "corrected_difference_confidence_interval": bounds,
        "corrected_p_value": p_value,
    }


def _weighted_difference(system: Labeled, baseline: Labeled, codes: Array | None, number: int) -> tuple[float, float]:
    """Return the corrected difference, and its variance from the labeled rows or clusters."""
    (label_mean, gap, label_terms, score_terms), other = system.terms(), baseline.terms()
    rows = [label_terms - other[2], score_terms, -other[3]]
    target, *terms = rows if codes is None else [cluster_sums(row, codes) for row in rows]
    weights = best_weights(target, np.stack(terms))
    difference = label_mean - other[0] - weights[0] * gap + weights[1] * other[1]
    residuals = target - (weights[0] * terms[0] + weights[1] * terms[1])
    return float(difference), exact_sum(residuals * residuals) * number / max(number - 3, 1)


def best_weights(target: Array, terms: Array) -> Array:
    """Return the least-squares weights in [0, 1] that fit two rows of terms to the target.

    The minimum is where the gradient vanishes, if that is inside the square, else on an edge.
    """
    square = np.array([[exact_sum(row * column) for column in terms] for row in terms])
    product = np.array([exact_sum(row * target) for row in terms])
    candidates = [np.array([first, second]) for first in (0.0, 1.0) for second in (0.0, 1.0)]
    determinant = square[0, 0] * square[1, 1] - square[0, 1] ** 2
    if determinant > 1e-9 * square[0, 0] * square[1, 1]:
        inverse = np.array([[square[1, 1], -square[0, 1]], [-square[0, 1], square[0, 0]]]) / determinant
        candidates.append(inverse @ product)
    for free, end in ((0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)):
        if square[free, free] > 0:
            edge = np.full(2, end)
            edge[free] = (product[free] - end * square[0, 1]) / square[free, free]
            candidates.append(edge)
    inside = [weights for weights in candidates if ((weights >= 0) & (weights <= 1)).all()]
    return min(inside, key=lambda weights: float(weights @ square @ weights - 2 * weights @ product))
