"""Pairs of simulated systems: false positives, coverage and power of comparisons. `simulations.py` prints the table."""

import math
from collections.abc import Callable
from collections.abc import Iterable
from typing import Any

import numpy as np

from metrics._shared._paired import Pair
from metrics._shared._paired import detectable_difference
from metrics._shared._paired import difference_interval
from metrics._shared._paired import make_pair
from metrics._shared._paired import mcnemar_p_value
from metrics._shared._paired import permutation_p_value
from metrics._shared._statistics import Statistic
from metrics._shared._statistics import divide_sums
from metrics._shared._statistics import mean_statistic
from metrics._shared._statistics import pooled_statistic
from metrics._shared._statistics import proportion_statistic

Array = np.ndarray[Any, Any]
SURE = 0.9

Draw = Callable[[np.random.Generator, int, float], tuple[Pair, float]]
"""Draws a pair of systems with a number of rows and an effect size; returns it with the true difference."""
PER_CLUSTER = 5


def f1(sums: Array) -> Array:
    """F1 of (relevant, retrieved, found, ground truths)."""
    precision, recall = divide_sums(sums[..., :2]), divide_sums(sums[..., 2:])
    return divide_sums(np.stack([2 * precision * recall, precision + recall], axis=-1))


def paired_answers(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """0/1 scores of questions of unequal difficulty."""
    rate = random.beta(1.4, 0.6, rows)
    better = rate + effect * (1 - rate)
    ours, theirs = random.random(rows) < better, random.random(rows) < rate
    return make_pair(proportion_statistic(ours), proportion_statistic(theirs)), effect * 0.3


def paired_scores(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """Scores in [0, 1] of questions of unequal difficulty."""
    rate = np.clip(random.beta(1.4, 0.6, rows), 1e-3, 1 - 1e-3)
    better = rate + effect * (1 - rate)
    ours, theirs = random.beta(4 * better, 4 * (1 - better)), random.beta(4 * rate, 4 * (1 - rate))
    return make_pair(mean_statistic(ours), mean_statistic(theirs)), effect * 0.3


def paired_verdicts(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """A judge's scores near 0 and 1 for systems that mostly agree: few rows differ by more than about 0.001."""
    rate = np.where(random.random(rows) < SURE, random.choice([0.0, 1.0], rows, p=[0.3, 0.7]), 0.5)
    better = rate + effect * (1 - rate)
    ours, theirs = (np.abs((random.random(rows) < chance) - random.beta(1, 999, rows)) for chance in (better, rate))
    # Scores are 0 or 1, moved inward by 0.001 on average.
    return make_pair(mean_statistic(ours), mean_statistic(theirs)), effect * (0.9 * 0.3 + 0.05) * 0.998


def paired_queries(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """Pooled F1 of queries; the true difference is known only if it is 0."""
    rate = random.beta(2, 2, rows)
    truths = random.integers(1, 4, rows)
    sides = []
    for chance in (rate + effect * (1 - rate), rate):
        retrieved = random.integers(1, 10, rows)
        counts = [random.binomial(retrieved, chance), retrieved, random.binomial(truths, chance), truths]
        sides.append(pooled_statistic(counts, f1))
    return make_pair(sides[0], sides[1]), math.nan if effect else 0.0


def clustered(kind: Callable[[Any], Statistic]) -> Draw:
    """Five rows per cluster; each system is better on some clusters and worse on others."""

    def draw(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
        clusters = rows // PER_CLUSTER
        codes = np.repeat(np.arange(clusters), PER_CLUSTER)
        ours, theirs = random.beta(1, 0.6, (2, clusters))
        ours = ours + effect * (1 - ours)
        sides = []
        for rate in (ours[codes], theirs[codes]):
            if kind is proportion_statistic:
                sides.append(kind(random.random(len(codes)) < rate))
            else:
                clipped = np.clip(rate, 1e-3, 1 - 1e-3)
                sides.append(kind(random.beta(8 * clipped, 8 * (1 - clipped))))
        return make_pair(sides[0], sides[1], codes), effect * (1 - 1 / 1.6)

    return draw


PAIRS: list[tuple[str, Draw]] = [
    ("0/1 scores", paired_answers),
    ("scores in [0, 1]", paired_scores),
    ("scores near 0 and 1", paired_verdicts),
    ("micro F1", paired_queries),
    ("0/1 scores, clusters of 5", clustered(proportion_statistic)),
    ("scores in [0, 1], clusters of 5", clustered(mean_statistic)),
]


def p_value(pair: Pair, resamples: int) -> float:
    """Return the p-value as `compare` does."""
    if pair.binomial:
        return mcnemar_p_value(pair.wins, pair.losses)
    return permutation_p_value(pair, resamples=resamples, seed=0)[0]


def simulate_comparisons(draws: int) -> Iterable[str]:
    """Simulate false positives of equally good systems, coverage of true differences, and power."""
    headings = (
        "",
        "n",
        "false positives",
        "if clusters are ignored",
        "coverage, no difference",
        "coverage, a difference",
        "power",
    )
    yield f"| {' | '.join(headings)} |"
    yield f"|{' --- |' * len(headings)}"
    for name, draw in PAIRS:
        for rows in (10, 30, 100, 1000, 10_000):
            random = np.random.default_rng([rows, 3])
            times = draws if rows < 10_000 else max(1, draws // 5)  # noqa: PLR2004
            alarms = ignored = covered = covered_effect = found = 0
            effect_known = True
            for _ in range(times):
                pair, _zero = draw(random, rows, 0.0)
                alarms += p_value(pair, 999) <= 0.05  # noqa: PLR2004
                low, high = difference_interval(pair, 0.95)
                covered += low <= 0 <= high
                if pair.clustered:
                    ignored += p_value(make_pair(pair.system, pair.baseline), 999) <= 0.05  # noqa: PLR2004
                # An effect of the size that should be detected with a power of 80%.
                per_effect = draw(random, 10, 0.1)[1] / 0.1
                effect = typical_detectable(draw, rows) / (0.5 if math.isnan(per_effect) else per_effect)
                pair, difference = draw(random, rows, min(0.9, effect))
                effect_known = not math.isnan(difference)
                low, high = difference_interval(pair, 0.95)
                covered_effect += low <= difference <= high
                found += p_value(pair, 999) <= 0.05  # noqa: PLR2004
            shown = [
                f"{100 * alarms / times:.1f}%",
                f"{100 * ignored / times:.1f}%" if pair.clustered else "",
                f"{100 * covered / times:.1f}%",
                f"{100 * covered_effect / times:.1f}%" if effect_known else "",
                f"{100 * found / times:.0f}%" if effect_known else "",
            ]
            yield f"| {name} | {rows} | {' | '.join(shown)} |"


UNEQUAL: list[tuple[str, Callable[[np.random.Generator, int], Array]]] = [
    ("five rows each", lambda _, clusters: np.full(clusters, 5)),
    ("log-normal, a few large", lambda random, clusters: np.ceil(random.lognormal(1, 1, clusters)).astype(int)),
    ("one has half of the rows", lambda _, clusters: np.array([5 * (clusters - 1)] + [5] * (clusters - 1))),
]
"""Sizes of clusters by name."""


def simulate_unequal_clusters(draws: int) -> Iterable[str]:
    """Simulate coverage and false positives for equally good systems and clusters of different sizes."""
    counts = (5, 10, 30, 100)
    yield "| cluster sizes | " + " | ".join(f"{clusters} clusters" for clusters in counts) + " |"
    yield "| --- |" + " --- |" * len(counts)
    for name, sizes in UNEQUAL:
        cells = []
        for clusters in counts:
            random = np.random.default_rng([clusters, 7])
            covered = alarms = 0
            for _ in range(draws):
                codes = np.repeat(np.arange(clusters), sizes(random, clusters))
                rates = np.clip(random.beta(1, 0.6, (2, clusters)), 1e-3, 1 - 1e-3)[:, codes]
                ours, theirs = (mean_statistic(random.beta(8 * rate, 8 * (1 - rate))) for rate in rates)
                pair = make_pair(ours, theirs, codes)
                low, high = difference_interval(pair, 0.95)
                covered += low <= 0 <= high
                alarms += p_value(pair, 999) <= 0.05  # noqa: PLR2004
            cells.append(f"{100 * covered / draws:.1f}% ({100 * alarms / draws:.1f}%)")
        yield f"| {name} | {' | '.join(cells)} |"


_TYPICAL: dict[tuple[int, int], float] = {}


def typical_detectable(draw: Draw, rows: int) -> float:
    """Return the median detectable difference of samples of equally good systems."""
    key = (id(draw), rows)
    if key not in _TYPICAL:
        random = np.random.default_rng([rows, 5])
        _TYPICAL[key] = float(np.median([detectable_difference(draw(random, rows, 0.0)[0], 0.95) for _ in range(31)]))
    return _TYPICAL[key]
