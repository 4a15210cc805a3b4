"""Simulate the properties of intervals, tests and corrected scores, and print the tables of the documentation.

    python -m benchmarks.simulations intervals            coverage of intervals of means and micro averages
    python -m benchmarks.simulations comparisons          false positives, coverage and power of comparisons
    python -m benchmarks.simulations corrections          coverage of corrected scores, by number of labels
    python -m benchmarks.simulations labels DATA          corrected scores on a file with human verdicts

`--draws N` sets the number of samples per cell. Every figure depends on the seeds below only.
"""

import argparse
import math
from collections.abc import Callable
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.agreement import SYSTEMS
from benchmarks.agreement import ours
from benchmarks.agreement import read_answers
from benchmarks.simulated_pairs import simulate_comparisons
from benchmarks.simulated_pairs import simulate_unequal_clusters
from metrics._shared._human_labels import correct_score
from metrics._shared._score_intervals import score_interval
from metrics._shared._statistics import Statistic
from metrics._shared._statistics import divide_sums
from metrics._shared._statistics import mean_statistic
from metrics._shared._statistics import pooled_statistic
from metrics._shared._statistics import proportion_statistic

Array = np.ndarray[Any, Any]
Sample = Callable[[np.random.Generator, int, float], Statistic]

SIZES = (5, 10, 30, 100, 300)
SURE = 0.9
NEAR = (-0.03, -0.02, -0.01, 0.0, 0.01, 0.02, 0.03)


# ---- intervals of one score


def beta_scores(concentration: float) -> Sample:
    """Scores with a beta distribution: U-shaped below a concentration of 2, bell-shaped above."""

    def sample(random: np.random.Generator, size: int, mean: float) -> Statistic:
        return mean_statistic(random.beta(mean * concentration, (1 - mean) * concentration, size))

    return sample


def nearly_binary(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """Scores of a confident judge: 0.001 and 0.999, and one score in ten in between."""
    sure = random.random(size) < SURE
    right = (mean - 0.1 * mean - 0.9 * 0.001) / (0.9 * 0.998)
    ends = np.where(random.random(size) < right, 0.999, 0.001)
    return mean_statistic(np.where(sure, ends, random.beta(2 * mean, 2 * (1 - mean), size)))


def rare_failures(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """Scores near 1 with rare, clear failures; mirrored for means below 1/2."""
    if mean < 0.5:  # noqa: PLR2004
        statistic = rare_failures(random, size, 1 - mean)
        return mean_statistic(1 - statistic.rows[:, 0])
    fails = random.random(size) < (0.998 - mean) / (0.998 - 0.1)
    return mean_statistic(np.where(fails, random.beta(1, 9, size), random.beta(499, 1, size)))


def binary(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """0/1 scores as a mean."""
    return mean_statistic((random.random(size) < mean).astype(float))


def pooled_precision(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """One to nine chunks per query, with a relevance rate that varies by query."""
    retrieved = random.integers(1, 10, size)
    rates = random.beta(3 * mean, 3 * (1 - mean), size)
    return pooled_statistic([random.binomial(retrieved, rates), retrieved], divide_sums)


CELLS: list[tuple[str, Sample, float]] = [
    ("nearly all 0 or 1, mean .5", nearly_binary, 0.5),
    ("nearly all 0 or 1, mean .9", nearly_binary, 0.9),
    ("0/1, mean .97", binary, 0.965),
    ("U-shaped, mean .5", beta_scores(0.5), 0.5),
    ("U-shaped, mean .9", beta_scores(0.5), 0.9),
    ("uniform", beta_scores(2), 0.5),
    ("medium, mean .5", beta_scores(10), 0.5),
    ("medium, mean .7", beta_scores(6), 0.7),
    ("rare failures, mean .97", rare_failures, 0.96),
    ("rare failures, mean .99", rare_failures, 0.99),
    ("rare successes, mean .03", rare_failures, 0.04),
    ("micro average, .5", pooled_precision, 0.5),
    ("micro average, .9", pooled_precision, 0.9),
    ("micro average, .97", pooled_precision, 0.96),
]


def percentile_width(statistic: Statistic, random: np.random.Generator) -> float:
    """Return the width of the percentile bootstrap's 95% interval."""
    drawn = random.integers(len(statistic.rows), size=(1000, len(statistic.rows)))
    low, high = np.quantile(statistic.function(statistic.rows[drawn].sum(axis=1)), [0.025, 0.975])
    return float(high - low)


def simulate_intervals(draws: int) -> Iterable[str]:
    """Simulate coverage, mean and minimum over true means within 0.03 of each cell's, and the relative width."""
    yield "| scores | " + " | ".join(f"n = {size}" for size in SIZES) + " | width |"
    yield "| --- |" + " --- |" * (len(SIZES) + 1)
    for name, sample, center in CELLS:
        cells = []
        for size in SIZES:
            rates = []
            for offset in NEAR:
                mean = center + offset
                if not 0 < mean < 0.998:  # noqa: PLR2004
                    continue
                random = np.random.default_rng([size, round(mean * 1000)])
                hits = 0
                for _ in range(draws):
                    low, high = score_interval(sample(random, size, mean))
                    hits += low <= mean <= high
                rates.append(hits / draws)
            cells.append(f"{100 * math.fsum(rates) / len(rates):.1f} ({100 * min(rates):.0f})")
        random = np.random.default_rng(7)
        ratios = []
        for _ in range(100):
            statistic = sample(random, 100, center)
            low, high = score_interval(statistic)
            ratios.append((high - low) / (percentile_width(statistic, random) or math.nan))
        yield f"| {name} | {' | '.join(cells)} | {np.nanmedian(ratios):.2f} |"


def simulate_clustered_intervals(draws: int) -> Iterable[str]:
    """Simulate coverage for means of clustered scores, four rows per cluster."""
    sizes = (5, 10, 30, 100)
    yield "| scores, four per cluster | " + " | ".join(f"{size} clusters" for size in sizes) + " |"
    yield "| --- |" + " --- |" * len(sizes)
    for kind in ("0/1", "in [0, 1]"):
        for mean in (0.5, 0.8, 0.95):
            cells = []
            for size in sizes:
                random = np.random.default_rng([size, round(mean * 100)])
                codes = np.repeat(np.arange(size), 4)
                hits = 0
                for _ in range(draws):
                    rate = np.clip(random.beta(2 * mean, 2 * (1 - mean), size), 1e-3, 1 - 1e-3)[codes]
                    statistic = (
                        proportion_statistic(random.random(len(codes)) < rate)
                        if kind == "0/1"
                        else mean_statistic(random.beta(8 * rate, 8 * (1 - rate)))
                    )
                    low, high = score_interval(statistic, clusters=codes)
                    hits += low <= mean <= high
                cells.append(f"{100 * hits / draws:.1f}")
            yield f"| {kind}, mean {mean} | {' | '.join(cells)} |"


# ---- human labels

MODES = {"contains": ours(match="contains"), "recall": ours(match="recall")}
"""The modes of `accuracy` whose scores are corrected."""


def simulate_labels(path: Path, draws: int, number: int = 200) -> Iterable[str]:
    """Label random answers of each system, and check whether the corrected interval contains the rate of all labels.

    The file contains EVOUNA's verdicts (Wang et al. 2023, https://arxiv.org/abs/2305.12421), see `agreement.py`.
    """
    answers = read_answers(path)
    columns = "system|rows|people|`match`|metric|corrected, mean|coverage|width|labels alone|narrower|worth".split("|")
    yield f"| {' | '.join(columns)} |"
    yield "| --- " * len(columns) + "|"
    for system, name in SYSTEMS.items():
        judged = [answer for answer in answers if answer.system == system]
        people = np.array([answer.right for answer in judged], dtype=float)
        drawn = [np.random.default_rng(seed).choice(len(judged), number, replace=False) for seed in range(draws)]
        alone = np.mean([_width(score_interval(proportion_statistic(people[chosen]))) for chosen in drawn])
        for mode, matcher in MODES.items():
            scores = np.array(matcher(judged), dtype=float)
            found = [correct_score(scores, _label_only(people, chosen)) for chosen in drawn]
            covered = np.mean([each.interval[0] <= people.mean() <= each.interval[1] for each in found])
            width = np.mean([_width(each.interval) for each in found])
            ratio = float(width / alone)
            yield (
                f"| {name} | {len(judged)} | {people.mean():.3f} | {mode} | {scores.mean():.3f} | "
                f"{np.mean([each.corrected or 0.0 for each in found]):.3f} | {100 * covered:.1f}% | {width:.3f} | "
                f"{alone:.3f} | {100 * (1 - ratio):.0f}% | {number / ratio**2:.0f} labels |"
            )


def simulate_corrections(draws: int, rows: int = 3000) -> Iterable[str]:
    """Simulate coverage of corrected scores for 0/1 labels, with a metric whose sensitivity equals its specificity."""
    agreements = (0.8, 0.9, 0.95, 0.98)
    yield "| labels | right answers | " + " | ".join(f"agreement {100 * each:.0f}%" for each in agreements) + " |"
    yield "| --- | --- |" + " --- |" * len(agreements)
    for number in (30, 50, 100, 200):
        for rate in (0.5, 0.8, 0.95):
            cells = []
            for agreement in agreements:
                random = np.random.default_rng([number, round(rate * 100), round(agreement * 100)])
                hits = 0
                for _ in range(draws):
                    people = (random.random(rows) < rate).astype(float)
                    scores = np.where(random.random(rows) < agreement, people, 1 - people)
                    # The rows are in random order, so the first ones are a random sample.
                    low, high = correct_score(scores, _label_only(people, np.arange(number))).interval
                    hits += low <= rate <= high
                cells.append(f"{100 * hits / draws:.1f}")
            yield f"| {number} | {100 * rate:.0f}% | {' | '.join(cells)} |"


def _width(interval: tuple[float, float]) -> float:
    return interval[1] - interval[0]


def _label_only(labels: Array, chosen: Array) -> Array:
    """Keep the labels of some rows; the others are missing."""
    kept = np.full(len(labels), math.nan)
    kept[chosen] = labels[chosen]
    return kept


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=["intervals", "comparisons", "corrections", "labels"])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--draws", type=int)
    given = parser.parse_args()
    lines: Iterable[str]
    if given.table == "labels":
        if given.data is None:
            parser.error("labels needs the path of a file")
        lines = simulate_labels(given.data, given.draws or 500)
    elif given.table == "intervals":
        draws = given.draws or 1500
        lines = chain(simulate_intervals(draws), [""], simulate_clustered_intervals(draws))
    elif given.table == "corrections":
        lines = simulate_corrections(given.draws or 1000)
    else:
        draws = given.draws or 2000
        lines = chain(simulate_comparisons(draws), [""], simulate_unequal_clusters(draws))
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
