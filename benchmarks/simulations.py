"""Simulate what intervals, tests and corrected scores promise, and print the tables of the documentation.

    python -m benchmarks.simulations intervals            how often intervals of means and micro averages cover
    python -m benchmarks.simulations comparisons          false alarms, coverage and power of comparisons
    python -m benchmarks.simulations labels DATA          corrected scores on a file with human verdicts

`--draws N` sets the number of samples per cell. Every figure depends on the seeds below only.
"""

import argparse
import json
import math
import re
from collections.abc import Callable
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from metrics._shared._human_labels import correct_score
from metrics._shared._paired import Pair
from metrics._shared._paired import detectable_difference
from metrics._shared._paired import difference_interval
from metrics._shared._paired import make_pair
from metrics._shared._paired import mcnemar_p_value
from metrics._shared._paired import permutation_p_value
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
    """What a confident judge gives: 0.001 and 0.999, and one score in ten in between."""
    sure = random.random(size) < SURE
    right = (mean - 0.1 * mean - 0.9 * 0.001) / (0.9 * 0.998)
    ends = np.where(random.random(size) < right, 0.999, 0.001)
    return mean_statistic(np.where(sure, ends, random.beta(2 * mean, 2 * (1 - mean), size)))


def rare_failures(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """Scores near 1 that fail now and then, and then clearly; the mirror image for means below 1/2."""
    if mean < 0.5:  # noqa: PLR2004
        statistic = rare_failures(random, size, 1 - mean)
        return mean_statistic(1 - statistic.rows[:, 0])
    fails = random.random(size) < (0.998 - mean) / (0.998 - 0.1)
    return mean_statistic(np.where(fails, random.beta(1, 9, size), random.beta(499, 1, size)))


def binary(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """0/1 scores as a mean."""
    return mean_statistic((random.random(size) < mean).astype(float))


def pooled_precision(random: np.random.Generator, size: int, mean: float) -> Statistic:
    """One to nine chunks per query, relevant at a rate of the query's own."""
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
    """Give the width of the percentile bootstrap's 95% interval."""
    drawn = random.integers(len(statistic.rows), size=(1000, len(statistic.rows)))
    low, high = np.quantile(statistic.function(statistic.rows[drawn].sum(axis=1)), [0.025, 0.975])
    return float(high - low)


def simulate_intervals(draws: int) -> Iterable[str]:
    """Cover true means within 0.03 of each cell's; also at the worst of them, and beside the bootstrap's width."""
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


# ---- comparisons

Draw = Callable[[np.random.Generator, int, float], tuple[Pair, float]]
"""Draws systems on a number of rows with an effect, and gives the true difference."""
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
    """A judge's scores near 0 and 1 of systems that mostly agree: few rows differ by more than a hair."""
    rate = np.where(random.random(rows) < SURE, random.choice([0.0, 1.0], rows, p=[0.3, 0.7]), 0.5)
    better = rate + effect * (1 - rate)
    ours, theirs = (np.abs((random.random(rows) < chance) - random.beta(1, 999, rows)) for chance in (better, rate))
    # A hair of 0.001 is taken off 1 and put on 0.
    return make_pair(mean_statistic(ours), mean_statistic(theirs)), effect * (0.9 * 0.3 + 0.05) * 0.998


def paired_queries(random: np.random.Generator, rows: int, effect: float) -> tuple[Pair, float]:
    """Pooled F1 of queries; the true difference is known where there is none."""
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
    """Test as `compare` does."""
    if pair.binomial:
        return mcnemar_p_value(pair.wins, pair.losses)
    return permutation_p_value(pair, resamples=resamples, seed=0)[0]


def simulate_comparisons(draws: int) -> Iterable[str]:
    """Count false alarms where the systems are equally good, and cover true differences; find detectable ones."""
    yield "| | n | false alarms | if clusters are ignored | coverage, no difference | coverage, a difference | power |"
    yield "| --- |" + " --- |" * 6
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
                # As large an effect as should be found four times in five, were it known.
                per_effect = draw(random, 10, 0.1)[1] / 0.1
                wanted = typical_detectable(draw, rows) / (0.5 if math.isnan(per_effect) else per_effect)
                pair, difference = draw(random, rows, min(0.9, wanted))
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


_TYPICAL: dict[tuple[int, int], float] = {}


def typical_detectable(draw: Draw, rows: int) -> float:
    """Give the detectable difference of a typical sample of equally good systems."""
    key = (id(draw), rows)
    if key not in _TYPICAL:
        random = np.random.default_rng([rows, 5])
        _TYPICAL[key] = float(np.median([detectable_difference(draw(random, rows, 0.0)[0], 0.95) for _ in range(31)]))
    return _TYPICAL[key]


# ---- human labels

WORD = r"[^\W_]+"
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")


def words(text: str) -> str:
    """Keep letters and digits, one space around every word."""
    return f" {' '.join(re.findall(WORD, text.casefold()))} "


def contains(answer: str, references: list[str]) -> float:
    """Say whether a reference stands in the answer."""
    return float(any(words(reference) in words(answer) for reference in references))


def simulate_labels(path: Path, draws: int, number: int = 200) -> Iterable[str]:
    """Label some answers of each system at random, and see whether the interval holds the rate of all labels.

    The file holds EVOUNA's verdicts (Wang et al. 2023, https://arxiv.org/abs/2305.12421): rows with `golden_answer`,
    `answer_<system>` and `judge_<system>`.
    """
    rows = [row for row in json.loads(path.read_text(encoding="utf-8")) if not row["improper"]]
    yield "| system | rows | metric | people | corrected, mean | coverage | width | labels alone | narrower | worth |"
    yield "| --- |" + " --- |" * 9
    for system in SYSTEMS:
        judged = [row for row in rows if row[f"judge_{system}"] is not None]
        people = np.array([row[f"judge_{system}"] for row in judged], dtype=float)
        scores = np.array([contains(row[f"answer_{system}"] or "", row["golden_answer"].split("/")) for row in judged])
        covered, widths, alone, estimates = 0, [], [], []
        for seed in range(draws):
            chosen = np.random.default_rng(seed).choice(len(judged), number, replace=False)
            labels = np.full(len(judged), math.nan)
            labels[chosen] = people[chosen]
            found = correct_score(scores, labels)
            covered += found.interval[0] <= people.mean() <= found.interval[1]
            widths.append(found.interval[1] - found.interval[0])
            estimates.append(found.corrected or 0.0)
            low, high = score_interval(proportion_statistic(labels))
            alone.append(high - low)
        ratio = float(np.mean(widths) / np.mean(alone))
        yield (
            f"| {system} | {len(judged)} | {scores.mean():.3f} | {people.mean():.3f} | {np.mean(estimates):.3f} | "
            f"{100 * covered / draws:.1f}% | {np.mean(widths):.3f} | {np.mean(alone):.3f} | {100 * (1 - ratio):.0f}% | "
            f"{number / ratio**2:.0f} labels |"
        )


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=["intervals", "comparisons", "labels"])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--draws", type=int)
    given = parser.parse_args()
    if given.table == "labels":
        if given.data is None:
            parser.error("labels needs the path of a file")
        lines = simulate_labels(given.data, given.draws or 500)
    elif given.table == "intervals":
        lines = simulate_intervals(given.draws or 1500)
    else:
        lines = simulate_comparisons(given.draws or 2000)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
