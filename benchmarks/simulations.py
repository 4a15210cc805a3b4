"""Simulate the properties of intervals, tests and corrected scores, and print the tables of the documentation.

    python -m benchmarks.simulations intervals            coverage of intervals of means and micro averages
    python -m benchmarks.simulations comparisons          false positives, coverage and power of comparisons
    python -m benchmarks.simulations corrections          coverage of corrected scores, by number of labels
    python -m benchmarks.simulations samples              coverage for several samples of a question, and for groups
    python -m benchmarks.simulations planning             power at required_n, and coverage of intervals of ranks
    python -m benchmarks.simulations labels DATA          corrected scores and differences on a file with human verdicts

`--draws N` sets the number of samples per cell. Every figure depends on the seeds below only.
"""

import argparse
import functools
import math
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from answer_metrics.statistics.comparison import Pair, compare, mcnemar, required_rows
from answer_metrics.statistics.human_labels import Labeled, correct, correct_difference
from answer_metrics.statistics.samples import Groups, Samples, pass_all, pass_at, summarize_groups
from answer_metrics.statistics.statistic import Scale, Statistic, divide, interval, pooled, proportion
from answer_metrics.statistics.statistic import mean as mean_score

Array = np.ndarray[Any, Any]
Sample = Callable[[np.random.Generator, int, float], Statistic]

SIZES = (5, 10, 30, 100, 300)
SURE = 0.9
NEAR = (-0.03, -0.02, -0.01, 0.0, 0.01, 0.02, 0.03)


def heading(*columns: str) -> str:
    """Return the first two lines of a table in Markdown."""
    return f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}"


def covers(bounds: tuple[float, float] | None, value: float, most: float = 1.0) -> bool:
    """Return whether an interval contains a value; without an interval all values are possible."""
    low, high = bounds or (0.0, most)
    return low <= value <= high


# ---- intervals of one score


def beta_scores(concentration: float) -> Sample:
    """Scores with a beta distribution: U-shaped below a concentration of 2, bell-shaped above."""

    def sample(random: np.random.Generator, size: int, mean: float) -> Statistic:
        return mean_score(random.beta(mean * concentration, (1 - mean) * concentration, size))

    return sample


def nearly_binary(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """Scores of a confident judge: 0.001 and 0.999, and one score in ten in between."""
    sure = random.random(size) < SURE
    right = (mean - 0.1 * mean - 0.9 * 0.001) / (0.9 * 0.998)
    ends = np.where(random.random(size) < right, 0.999, 0.001)
    return mean_score(np.where(sure, ends, random.beta(2 * mean, 2 * (1 - mean), size)))


def rare_failures(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """Scores near 1 with rare, clear failures; mirrored for means below 1/2."""
    if mean < 0.5:
        statistic = rare_failures(random, size, 1 - mean)
        return mean_score(1 - statistic.rows[:, 0])
    fails = random.random(size) < (0.998 - mean) / (0.998 - 0.1)
    return mean_score(np.where(fails, random.beta(1, 9, size), random.beta(499, 1, size)))


def binary(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """0/1 scores as a mean."""
    return mean_score((random.random(size) < mean).astype(float))


def pooled_precision(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """One to nine chunks per query, with a relevance rate that varies by query."""
    retrieved = random.integers(1, 10, size)
    rates = random.beta(3 * mean, 3 * (1 - mean), size)
    return pooled([random.binomial(retrieved, rates), retrieved], divide)


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
    yield heading("scores", *(f"n = {size}" for size in SIZES), "width")
    for name, sample, center in CELLS:
        cells = []
        for size in SIZES:
            rates = []
            for offset in NEAR:
                mean = center + offset
                if not 0 < mean < 0.998:
                    continue
                random = np.random.default_rng([size, round(mean * 1000)])
                hits = [covers(interval(sample(random, size, mean)), mean) for _ in range(draws)]
                rates.append(sum(hits) / draws)
            cells.append(f"{100 * math.fsum(rates) / len(rates):.1f} ({100 * min(rates):.0f})")
        random = np.random.default_rng(7)
        ratios = []
        for _ in range(100):
            statistic = sample(random, 100, center)
            low, high = interval(statistic) or (0.0, 1.0)
            ratios.append((high - low) / (percentile_width(statistic, random) or math.nan))
        yield f"| {name} | {' | '.join(cells)} | {np.nanmedian(ratios):.2f} |"


def simulate_clustered_intervals(draws: int) -> Iterable[str]:
    """Simulate coverage for means of clustered scores, four rows per cluster."""
    sizes = (5, 10, 30, 100)
    yield heading("four per cluster", *(f"{size} clusters" for size in sizes))
    for kind in ("0/1", "in [0, 1]"):
        cells = []
        for size in sizes:
            shares = []
            for mean in (0.5, 0.8, 0.95):
                random = np.random.default_rng([size, round(mean * 100)])
                codes = np.repeat(np.arange(size), 4)
                hits = 0
                for _ in range(draws):
                    rate = np.clip(random.beta(2 * mean, 2 * (1 - mean), size), 1e-3, 1 - 1e-3)[codes]
                    statistic = (
                        proportion(random.random(len(codes)) < rate)
                        if kind == "0/1"
                        else mean_score(random.beta(8 * rate, 8 * (1 - rate)))
                    )
                    hits += covers(interval(statistic, clusters=codes), mean)
                shares.append(f"{100 * hits / draws:.1f}")
            cells.append(", ".join(shares))
        yield f"| {kind} | {' | '.join(cells)} |"


# ---- comparisons

Draw = Callable[[np.random.Generator, int, float], tuple[Pair, float]]
"""Draws a pair of systems with a number of rows and an effect size; returns it with the true difference."""
PER_CLUSTER = 5


def f1(sums: Array) -> Array:
    """F1 of (relevant, retrieved, found, ground truths)."""
    precision, recall = divide(sums[..., :2]), divide(sums[..., 2:])
    return divide(np.stack([2 * precision * recall, precision + recall], axis=-1))


def paired_answers(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """0/1 scores of questions of unequal difficulty."""
    rate = random.beta(1.4, 0.6, rows)
    better = rate + effect * (1 - rate)
    first, second = random.random(rows) < better, random.random(rows) < rate
    return Pair.of(proportion(first), proportion(second)), effect * 0.3


def paired_scores(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """Scores in [0, 1] of questions of unequal difficulty."""
    rate = np.clip(random.beta(1.4, 0.6, rows), 1e-3, 1 - 1e-3)
    better = rate + effect * (1 - rate)
    first, second = random.beta(4 * better, 4 * (1 - better)), random.beta(4 * rate, 4 * (1 - rate))
    return Pair.of(mean_score(first), mean_score(second)), effect * 0.3


def paired_verdicts(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """A judge's scores near 0 and 1 for systems that mostly agree: few rows differ by more than about 0.001."""
    rate = np.where(random.random(rows) < SURE, random.choice([0.0, 1.0], rows, p=[0.3, 0.7]), 0.5)
    better = rate + effect * (1 - rate)
    first, second = (np.abs((random.random(rows) < chance) - random.beta(1, 999, rows)) for chance in (better, rate))
    # Scores are 0 or 1, moved inward by 0.001 on average.
    return Pair.of(mean_score(first), mean_score(second)), effect * (0.9 * 0.3 + 0.05) * 0.998


def paired_queries(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """Pooled F1 of queries; the true difference is known only if it is 0."""
    rate = random.beta(2, 2, rows)
    truths = random.integers(1, 4, rows)
    sides = []
    for chance in (rate + effect * (1 - rate), rate):
        retrieved = random.integers(1, 10, rows)
        counts = [random.binomial(retrieved, chance), retrieved, random.binomial(truths, chance), truths]
        sides.append(pooled(counts, f1))
    return Pair.of(sides[0], sides[1]), math.nan if effect else 0.0


def clustered(kind: Callable[[Any], Statistic]) -> Draw:
    """Five rows per cluster; each system is better on some clusters and worse on others."""

    def draw(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
        clusters = rows // PER_CLUSTER
        codes = np.repeat(np.arange(clusters), PER_CLUSTER)
        first, second = random.beta(1, 0.6, (2, clusters))
        first = first + effect * (1 - first)
        sides = []
        for rate in (first[codes], second[codes]):
            if kind is proportion:
                sides.append(kind(random.random(len(codes)) < rate))
            else:
                clipped = np.clip(rate, 1e-3, 1 - 1e-3)
                sides.append(kind(random.beta(8 * clipped, 8 * (1 - clipped))))
        return Pair.of(sides[0], sides[1], codes), effect * (1 - 1 / 1.6)

    return draw


PAIRS: list[tuple[str, Draw]] = [
    ("0/1", paired_answers),
    ("in [0, 1]", paired_scores),
    ("near 0 and 1", paired_verdicts),
    ("micro F1", paired_queries),
    ("0/1, clusters of 5", clustered(proportion)),
    ("in [0, 1], clusters of 5", clustered(mean_score)),
]


def simulate_comparisons(draws: int) -> Iterable[str]:
    """Simulate false positives of equally good systems, coverage of true differences, and power, all in percent."""
    sizes = (10, 30, 100, 1000, 10_000)
    tables: dict[str, list[str]] = {"false positives": [], "coverage": [], "power": []}
    for name, draw in PAIRS:
        measured = [_compared(draw, rows, draws if rows < 10_000 else max(1, draws // 5)) for rows in sizes]
        for lines, cells in zip(tables.values(), zip(*measured, strict=True), strict=True):
            if any(cells):
                lines.append(f"| {name} | {' | '.join(cells)} |")
    for number, (measure, lines) in enumerate(tables.items()):
        yield from [""] if number else []
        yield heading(measure, *(f"n = {rows}" for rows in sizes))
        yield from lines


def _compared(draw: Draw, rows: int, times: int) -> tuple[str, str, str]:
    """Return false positives (if clusters are ignored), coverage without and with an effect, and power, in percent."""
    random = np.random.default_rng([rows, 3])
    alarms = ignored = covered = covered_effect = found = 0
    effect_known = True
    for _ in range(times):
        pair, _zero = draw(random, rows, 0.0)
        alarms += pair.test(999, 0)[0] <= 0.05
        covered += covers(pair.interval(0.95), 0.0)
        if pair.codes is not None:
            ignored += Pair.of(pair.system, pair.baseline).test(999, 0)[0] <= 0.05
        # An effect of the size that should be detected with a power of 80%.
        per_effect = draw(random, 10, 0.1)[1] / 0.1
        effect = typical_detectable(draw, rows) / (0.5 if math.isnan(per_effect) else per_effect)
        pair, difference = draw(random, rows, min(0.9, effect))
        effect_known = not math.isnan(difference)
        covered_effect += covers(pair.interval(0.95), difference)
        found += pair.test(999, 0)[0] <= 0.05
    return (
        f"{100 * alarms / times:.1f}" + (f" ({100 * ignored / times:.1f})" if pair.codes is not None else ""),
        f"{100 * covered / times:.1f}" + (f", {100 * covered_effect / times:.1f}" if effect_known else ""),
        f"{100 * found / times:.0f}" if effect_known else "",
    )


UNEQUAL: list[tuple[str, Callable[[np.random.Generator, int], Array]]] = [
    ("five rows each", lambda _, clusters: np.full(clusters, 5)),
    ("log-normal, a few large", lambda random, clusters: np.ceil(random.lognormal(1, 1, clusters)).astype(int)),
    ("one has half of the rows", lambda _, clusters: np.array([5 * (clusters - 1)] + [5] * (clusters - 1))),
]
"""Sizes of clusters by name."""


def simulate_unequal_clusters(draws: int) -> Iterable[str]:
    """Simulate coverage and false positives for equally good systems and clusters of different sizes."""
    counts = (5, 10, 30, 100)
    yield heading("cluster sizes", *(f"{clusters} clusters" for clusters in counts))
    for name, sizes in UNEQUAL:
        cells = []
        for clusters in counts:
            random = np.random.default_rng([clusters, 7])
            covered = alarms = 0
            for _ in range(draws):
                codes = np.repeat(np.arange(clusters), sizes(random, clusters))
                rates = np.clip(random.beta(1, 0.6, (2, clusters)), 1e-3, 1 - 1e-3)[:, codes]
                first, second = (mean_score(random.beta(8 * rate, 8 * (1 - rate))) for rate in rates)
                pair = Pair.of(first, second, codes)
                covered += covers(pair.interval(0.95), 0.0)
                alarms += pair.test(999, 0)[0] <= 0.05
            cells.append(f"{100 * covered / draws:.1f} ({100 * alarms / draws:.1f})")
        yield f"| {name} | {' | '.join(cells)} |"


@functools.cache
def typical_detectable(draw: Draw, rows: int) -> float:
    """Return the median detectable difference of samples of equally good systems."""
    random = np.random.default_rng([rows, 5])
    return float(np.median([draw(random, rows, 0.0)[0].detectable(0.95) for _ in range(31)]))


# ---- human labels

AGREEMENTS = (0.8, 0.9, 0.95, 0.98)
RIGHT = (0.5, 0.8, 0.95)
"""Shares of right answers: the values of a cell."""


def simulate_labels(path: Path, draws: int, number: int = 200) -> Iterable[str]:
    """Label random answers of each system, and check whether the corrected interval contains the rate of all labels.

    The file contains EVOUNA's verdicts (Wang et al. 2023, https://arxiv.org/abs/2305.12421), see `agreement.py`.
    """
    from benchmarks.agreement import SYSTEMS, ours, read_answers

    modes = (ours(match="contains"), ours(match="recall"))
    answers = read_answers(path)
    yield heading("system", "people", "alone", "metric", "corrected, mean", "coverage", "width", "narrower", "worth")
    for system, name in SYSTEMS.items():
        judged = [answer for answer in answers if answer.system == system]
        people = np.array([answer.right for answer in judged], dtype=float)
        drawn = [np.random.default_rng(seed).choice(len(judged), number, replace=False) for seed in range(draws)]
        alone = np.mean([_width(interval(proportion(people[chosen])) or (0.0, 1.0)) for chosen in drawn])
        columns = []
        for matcher in modes:
            scores = np.array(matcher(judged), dtype=float)
            found = [correct(scores, _label_only(people, chosen))[0] for chosen in drawn]
            bounds = [each["corrected_confidence_interval"] for each in found]
            covered = np.mean([covers(each, people.mean()) for each in bounds])
            width = np.mean(list(map(_width, bounds)))
            ratio = float(width / alone)
            corrected = np.mean([each["corrected"] or 0.0 for each in found])
            shares = f"{100 * (1 - ratio):.0f}%", f"{number / ratio**2:.0f}"
            columns.append(
                (f"{scores.mean():.3f}", f"{corrected:.3f}", f"{100 * covered:.1f}%", f"{width:.3f}", *shares)
            )
        cells = " | ".join(map(", ".join, zip(*columns, strict=True)))
        yield f"| {name} | {people.mean():.3f} | {alone:.3f} | {cells} |"


def simulate_corrections(draws: int, rows: int = 3000) -> Iterable[str]:
    """Simulate coverage of corrected scores for 0/1 labels, with a metric whose sensitivity equals its specificity."""
    yield heading("labels", *(f"agreement {100 * each:.0f}%" for each in AGREEMENTS))
    for number in (30, 50, 100, 200):
        yield f"| {number} | {' | '.join(_corrected_cells(draws, number, rows))} |"


def simulate_clustered_corrections(draws: int, size: int = 20) -> Iterable[str]:
    """Simulate the same for clusters of 20 rows, half of them labeled, whose rates of right answers differ."""
    yield heading("clusters", *(f"agreement {100 * each:.0f}%" for each in AGREEMENTS))
    for clusters in (2, 3, 5, 10, 30, 100):
        codes = np.repeat(np.arange(clusters), size)
        yield f"| {clusters} | {' | '.join(_corrected_cells(draws, len(codes) // 2, len(codes), codes))} |"


def _corrected_cells(draws: int, number: int, rows: int, codes: Array | None = None) -> list[str]:
    return [
        ", ".join(_corrected_coverage(draws, rate, agreement, number, rows, codes) for rate in RIGHT)
        for agreement in AGREEMENTS
    ]


def _corrected_coverage(
    draws: int, rate: float, agreement: float, number: int, rows: int, codes: Array | None = None
) -> str:
    """Return how often the corrected interval of rows of which some are labeled contains the rate, in percent."""
    seeds = [number, round(rate * 100), round(agreement * 100)]
    random = np.random.default_rng(seeds if codes is None else [*seeds, rows])
    hits = 0
    for _ in range(draws):
        chances = rate if codes is None else random.beta(2 * rate, 2 * (1 - rate), int(codes.max()) + 1)[codes]
        people = (random.random(rows) < chances).astype(float)
        scores = np.where(random.random(rows) < agreement, people, 1 - people)
        # Without clusters the rows are in random order, so the first ones are a random sample.
        chosen = np.arange(number) if codes is None else random.choice(rows, number, replace=False)
        found, _ = correct(scores, _label_only(people, chosen), clusters=codes)
        hits += covers(found["corrected_confidence_interval"], rate)
    return f"{100 * hits / draws:.1f}"


def _width(interval: tuple[float, float]) -> float:
    return interval[1] - interval[0]


def _label_only(labels: Array, chosen: Array) -> Array:
    """Keep the labels of some rows; the others are missing."""
    kept = np.full(len(labels), math.nan)
    kept[chosen] = labels[chosen]
    return kept


def simulate_label_differences(path: Path, draws: int, number: int = 200) -> Iterable[str]:
    """Label the answers of two systems, and check whether the corrected interval contains the difference of all labels.

    The labels are those of the same random rows, of rows of which half are shared, or of different rows.
    """
    from benchmarks.agreement import SYSTEMS, ours, read_answers

    answers, matcher = read_answers(path), ours(match="recall")
    judged = {system: [answer for answer in answers if answer.system == system] for system in SYSTEMS}
    verdicts = {
        system: dict(zip((a.question for a in one), matcher(one), strict=True)) for system, one in judged.items()
    }
    people = {system: {answer.question: answer.right for answer in one} for system, one in judged.items()}
    yield heading("systems", "difference", "labels alone", "same rows", "half shared", "other rows")
    for first, second in combinations(SYSTEMS, 2):
        questions = [question for question in people[first] if question in people[second]]
        sides = [
            (
                np.array([verdicts[one][q] for q in questions], float),
                np.array([people[one][q] for q in questions], float),
            )
            for one in (second, first)
        ]
        truth = float(np.mean(sides[0][1] - sides[1][1]))
        cells = [_label_difference(sides, truth, draws, number, offset) for offset in (None, 0, number // 2, number)]
        yield f"| {SYSTEMS[second]}, {SYSTEMS[first]} | {truth:+.3f} | {' | '.join(cells)} |"


def _label_difference(
    sides: list[tuple[Array, Array]], truth: float, draws: int, number: int, offset: int | None
) -> str:
    """Return coverage and mean width; the second system's labels begin `offset` rows later, None ignores the scores."""
    hits = width = 0.0
    for seed in range(draws):
        order = np.random.default_rng(seed).permutation(len(sides[0][0]))
        labeled = [
            Labeled(scores * (offset is not None), _label_only(labels, order[start : start + number]))
            for (scores, labels), start in zip(sides, (0, offset or 0), strict=True)
        ]
        bounds = correct_difference(*labeled)["corrected_difference_confidence_interval"]
        hits += covers(bounds, truth)
        width += _width(bounds)
    return f"{100 * hits / draws:.1f} ({width / draws:.3f})"


# ---- several samples of a question, groups, scores without bounds


def simulate_samples(draws: int) -> Iterable[str]:
    """Simulate coverage over questions whose rates have a beta distribution; averaged over means near 0, 1/2 and 1."""
    sizes = (10, 50, 300)
    yield heading("score", "samples", *(f"{size} questions" for size in sizes))
    for name, samples in product(("mean", "pass@k", "pass^k"), (2, 4, 16)):
        cells = []
        for size in sizes:
            rates = [
                _sampled_coverage(name, size, samples, mean, concentration, draws)
                for mean, concentration in product((0.03, 0.5, 0.97), (0.3, 2, 20))
            ]
            cells.append(f"{100 * np.mean(rates):.1f} ({100 * min(rates):.0f})")
        k = "" if name == "mean" else f", k = {min(samples, 4)}"
        yield f"| {name}{k} | {samples} | {' | '.join(cells)} |"


def _sampled_coverage(name: str, size: int, samples: int, mean: float, concentration: float, draws: int) -> float:
    a, b, k = mean * concentration, (1 - mean) * concentration, min(samples, 4)
    truth = {"mean": mean, "pass@k": 1 - _beta_moment(k, b, a), "pass^k": _beta_moment(k, a, b)}[name]
    random = np.random.default_rng([size, samples, round(100 * mean), round(10 * concentration)])
    codes, hits = np.repeat(np.arange(size), samples), 0
    for _ in range(draws):
        rate = random.beta(a, b, size)[codes]
        found = Samples.of(proportion(random.random(len(codes)) < rate), codes)
        score = found.mean() if name == "mean" else found.subsets(pass_at if name == "pass@k" else pass_all, k)
        hits += covers(interval(score), truth)
    return hits / draws


def _beta_moment(k: int, a: float, b: float) -> float:
    """Return the expectation of p^k for p with a beta distribution."""
    return math.exp(math.lgamma(a + k) - math.lgamma(a) + math.lgamma(a + b) - math.lgamma(a + b + k))


GROUPS: dict[str, list[int]] = {
    "57 of 1 row": [1] * 57,
    "57 of 2 rows": [2] * 57,
    "57 of 100 rows": [100] * 57,
    "3 of 3 rows": [3] * 3,
    "5 of 5 rows": [5] * 5,
    "10 of 10 rows": [10] * 10,
    "20 of 1 to 10 rows": [*range(1, 11), *range(1, 11)],
    "2 to 9 rows, and 400": [*range(2, 10), 400],
    "1, 1 and 200 rows": [1, 1, 200],
    "4 and 500 rows": [4, 500],
}


def simulate_groups(draws: int) -> Iterable[str]:
    """Simulate coverage of the macro average of 0/1 scores; in parentheses with variances that borrow nothing."""
    means = (0.05, 0.5, 0.9, 0.99)
    yield heading("groups", *(f"mean {mean}" for mean in means))
    for name, sizes in GROUPS.items():
        groups = Groups(np.repeat(np.arange(len(sizes)), sizes), list(map(str, range(len(sizes)))))
        cells = []
        for mean in means:
            random = np.random.default_rng([len(sizes), sum(sizes), round(100 * mean)])
            spread = 0.2 * min(mean, 1 - mean)
            rates = np.clip(mean + random.normal(0, spread, len(sizes)), 0.002, 0.998)
            hits = plain = 0
            for _ in range(draws):
                scores = (random.random(len(groups.codes)) < rates[groups.codes]).astype(float)
                found, _caveats = summarize_groups("s", proportion(scores), groups)
                hits += covers(found["s_macro_confidence_interval"], rates.mean())
                own = [scores[groups.codes == group] for group in range(len(sizes))]
                half = 1.96 * math.sqrt(sum(one.var(ddof=1) / len(one) for one in own if len(one) > 1)) / len(sizes)
                plain += abs(found["s_macro"] - rates.mean()) <= half
            cells.append(f"{100 * hits / draws:.1f} ({100 * plain / draws:.0f})")
        yield f"| {name} | {' | '.join(cells)} |"


def simulate_unbounded(draws: int) -> Iterable[str]:
    """Simulate coverage of an error rate over texts of 3 to 30 words: pooled over texts, and the mean of texts."""
    sizes, errors = (10, 30, 50, 300), Scale(0, math.inf, higher_is_better=False)
    yield heading("errors per word", *(f"{size} texts" for size in sizes))
    for rate in (0.1, 0.5, 1.4):
        cells = []
        for size in sizes:
            random, hits, means = np.random.default_rng([size, round(10 * rate)]), 0, 0
            for _ in range(draws):
                words = random.integers(3, 31, size)
                wrong = random.negative_binomial(1, 1 / (1 + rate * words))
                hits += covers(interval(pooled([wrong, words], divide, errors)), rate, math.inf)
                means += covers(interval(mean_score(wrong / words, scale=errors)), rate, math.inf)
            cells.append(f"{100 * hits / draws:.1f}, {100 * means / draws:.1f}")
        yield f"| {rate} | {' | '.join(cells)} |"


# ---- planning


def simulate_planning(draws: int) -> Iterable[str]:
    """Simulate the power of McNemar's exact test at the number of rows that `required_n` gives for a power of 80%."""
    test = functools.cache(mcnemar)
    yield heading("rows that differ", *(f"difference {difference}" for difference in (0.01, 0.02, 0.05, 0.1)))
    for discordant in (0.05, 0.1, 0.2, 0.4):
        cells = []
        for difference in (0.01, 0.02, 0.05, 0.1):
            if difference > 0.9 * discordant:
                cells.append("")
                continue
            rows = required_rows(discordant - difference**2, difference, level=0.95, power=0.8, exact=True)
            shares = [(discordant + difference) / 2, (discordant - difference) / 2, 1 - discordant]
            counts = np.random.default_rng(rows).multinomial(rows, shares, size=4 * draws)[:, :2].tolist()
            cells.append(f"{rows:,}: {100 * np.mean([test(*pair) <= 0.05 for pair in counts]):.1f}")
        yield f"| {100 * discordant:.0f}% | {' | '.join(cells)} |"


def simulate_ranks(draws: int) -> Iterable[str]:
    """Simulate how often all true ranks lie in their intervals, and the mean width of these in ranks."""
    yield heading("systems", "step between systems", "rows", "coverage", "width")
    for systems, step, rows in ((5, 0.0, 500), (5, 0.02, 500), (8, 0.05, 1000), (12, 0.02, 300)):
        rates = np.clip(0.7 + step * np.arange(systems), 0, 0.97)
        random, covered, width = np.random.default_rng([systems, rows]), 0, 0.0
        for _ in range(draws):
            easy, same = random.random(rows), random.random(rows) < 0.4
            scores = [np.where(same, easy, random.random(rows)) < rate for rate in rates]
            given = {str(name): {"s": proportion(one)} for name, one in enumerate(scores)}
            found = compare(given, baseline="all", main_score="s")["systems"].values()
            ranges = [one["rank_confidence_interval"] for one in found]
            best = [1 + int((rates > rate).sum()) for rate in rates]
            worst = [int((rates >= rate).sum()) for rate in rates]
            covered += all(low <= b and w <= high for (low, high), b, w in zip(ranges, best, worst, strict=True))
            width += float(np.mean([high - low for low, high in ranges]))
        yield f"| {systems} | {step} | {rows} | {100 * covered / draws:.1f} | {width / draws:.1f} |"


# By name: the default number of draws, and what is simulated.
TABLES: dict[str, tuple[int, tuple[Callable[[int], Iterable[str]], ...]]] = {
    "intervals": (1500, (simulate_intervals, simulate_clustered_intervals)),
    "comparisons": (2000, (simulate_comparisons, simulate_unequal_clusters)),
    "corrections": (1000, (simulate_corrections, simulate_clustered_corrections)),
    "samples": (600, (simulate_samples, simulate_groups, simulate_unbounded)),
    "planning": (400, (simulate_planning, simulate_ranks)),
}


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=[*TABLES, "labels"])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--draws", type=int)
    arguments = parser.parse_args()
    if arguments.table == "labels" and arguments.data is None:
        parser.error("labels needs the path of a file")
    labels = (partial(simulate, arguments.data) for simulate in (simulate_labels, simulate_label_differences))
    default, simulations = TABLES.get(arguments.table, (500, tuple(labels)))
    for number, simulate in enumerate(simulations):
        for line in chain([""] if number else [], simulate(arguments.draws or default)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
