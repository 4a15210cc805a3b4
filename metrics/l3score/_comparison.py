# Vendored: edit metrics/_shared/_comparison.py and run `make vendor`.
"""Paired comparison of systems by their scores on the same examples.

Sources: Miller 2024, Adding Error Bars to Evals (https://arxiv.org/abs/2411.00640); Dror et al. 2018, The Hitchhiker's
Guide to Testing Statistical Significance in NLP (https://aclanthology.org/P18-1128).
"""

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._paired import Pair
from ._paired import detectable_difference
from ._paired import difference_interval
from ._paired import make_pair
from ._paired import mcnemar_p_value
from ._paired import permutation_p_value
from ._score_intervals import check_clusters
from ._score_intervals import score_interval
from ._statistics import Array
from ._statistics import Statistic
from ._statistics import cluster_codes

_DIGITS = 4


class Comparison(dict[str, Any]):
    """The result of a comparison: a `dict` of plain values; `str` gives one line per system, ready for a paper."""

    def __str__(self) -> str:
        return "\n".join(summarize_comparison(self))


def compare_statistics(
    systems: Mapping[str, Mapping[str, Statistic]],
    *,
    baseline: str,
    main_score: str,
    clusters: Iterable[Any] | None = None,
    level: float = 0.95,
    method: str = "wilson",
    resamples: int = 10_000,
    seed: int = 0,
    margin: float | None = None,
) -> Comparison:
    """Compare systems with a baseline on the same examples.

    Args:
        systems: The scores of each system by name; one row per example, the same examples in the same order.
        baseline: The system that the others are compared with.
        main_score: The score that summaries report.
        clusters: One label per example: examples that depend on each other.
        level: The confidence level, strictly between 0 and 1.
        method: The interval method for each system's proportions (see `score_interval`).
        resamples: Number of random swaps in the permutation test if it cannot enumerate all.
        seed: Seed of the random swaps.
        margin: Largest difference that does not matter, greater than 0; adds `noninferior` and `equivalent`.

    Returns:
        `baseline`, `score` (the main one), `total`, `clusters` (their number, where there are any), `confidence_level`,
        and `systems`. A system has its scores and their intervals; all but the baseline also have `difference`,
        `difference_confidence_interval`, `p_value`, `adjusted_p_value`, `test`, `wins`, `losses`, `ties`, `left_out`
        (examples that have no score in one of the two systems) and `minimum_detectable_difference`; each is a value,
        or a mapping by score if the metric has several.
    """
    codes = None if clusters is None else cluster_codes(clusters)
    result = Comparison(baseline=baseline, score=main_score, total=_rows(systems[baseline]))
    if codes is not None:
        result["clusters"] = check_clusters(codes)
    if margin is not None:
        result["margin"] = float(margin)
    result |= {"confidence_level": level, "systems": {name: {} for name in systems}}
    for name, scores in systems.items():
        for score, statistic in scores.items():
            result["systems"][name][score] = statistic.value
            result["systems"][name][f"{score}_confidence_interval"] = score_interval(
                statistic, level=level, method=method, seed=seed, clusters=codes
            )
    others = [name for name in systems if name != baseline]
    single = len(systems[baseline]) == 1
    for score, reference in systems[baseline].items():
        compared = {}
        for name in others:
            pair, left_out = _pair(systems[name][score], reference, codes)
            compared[name] = _compare(pair, level, resamples, seed, margin) | {"left_out": left_out}
        adjusted = adjust_p_values([compared[name]["p_value"] for name in others])
        for name, p_value in zip(others, adjusted, strict=True):
            compared[name]["adjusted_p_value"] = p_value
            for key, value in compared[name].items():
                if single:
                    result["systems"][name][key] = value
                else:
                    result["systems"][name].setdefault(key, {})[score] = value
    return result


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number by Holm's method (1979, https://www.jstor.org/stable/4615733)."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def summarize_comparison(result: Mapping[str, Any]) -> list[str]:
    """Summarize each system's main score for a paper, one line per system."""
    lines = []
    score, baseline = result["score"], result["baseline"]
    percent = f"{result['confidence_level'] * 100:.10g}% CI"
    for name, values in result["systems"].items():
        if name == baseline:
            continue
        found = {key: value[score] if isinstance(value, Mapping) else value for key, value in values.items()}
        sides = [
            f"{side} {of[score]:.{_DIGITS}f} ({percent} {_range(of[f'{score}_confidence_interval'])})"
            for side, of in ((name, values), (baseline, result["systems"][baseline]))
        ]
        p_value = f"p = {_format_p_value(found['p_value'])}"
        if len(result["systems"]) > 2:  # noqa: PLR2004  # with one comparison there is nothing to adjust
            p_value += f", Holm-adjusted {_format_p_value(found['adjusted_p_value'])}"
        counted = f"n = {result['total'] - found['left_out']}"
        if "clusters" in result:
            counted += f" in {result['clusters']} clusters"
        line = (
            f"{score}: {sides[0]} vs. {sides[1]}; difference {found['difference']:+.{_DIGITS}f} "
            f"({percent} {_range(found['difference_confidence_interval'], '+')}), {p_value} ({found['test']}); "
            f"{_count(found['wins'], 'win')}, {_count(found['losses'], 'loss', 'losses')}, "
            f"{_count(found['ties'], 'tie')}; {counted}"
        )
        lines.append(
            "; ".join([line, *_caveats(found, result), *([result["signature"]] if "signature" in result else [])])
        )
    return lines


def _rows(scores: Mapping[str, Statistic]) -> int:
    return len(next(iter(scores.values())).rows)


def _pair(system: Statistic, baseline: Statistic, codes: Array | None) -> tuple[Pair, int]:
    """Pair the rows that have a score in both systems, and count the others."""
    both = baseline.scored & system.scored
    if baseline.kind == "function":
        # All-zero counts are a valid example here.
        both = np.ones(len(baseline.rows), dtype=bool)
    kept = None if codes is None else cluster_codes(codes[both])
    return make_pair(system.take(both), baseline.take(both), kept), int((~both).sum())


def _compare(pair: Pair, level: float, resamples: int, seed: int, margin: float | None) -> dict[str, Any]:
    if pair.binomial:
        p_value, test = mcnemar_p_value(pair.wins, pair.losses), "exact McNemar test"
    else:
        p_value, exact = permutation_p_value(pair, resamples=resamples, seed=seed)
        swapped = "of clusters" if pair.clustered else "of rows"
        test = (
            f"exact permutation test {swapped}"
            if exact
            else (f"permutation test {swapped}, {resamples} resamples, seed {seed}")
        )
    found: dict[str, Any] = {
        "difference": pair.difference,
        "difference_confidence_interval": difference_interval(pair, level),
        "p_value": p_value,
        "adjusted_p_value": p_value,
        "test": test,
        "wins": pair.wins,
        "losses": pair.losses,
        "ties": pair.ties,
        "minimum_detectable_difference": detectable_difference(pair, level),
    }
    if margin is not None:
        # Two one-sided tests at 1 - level.
        low, high = difference_interval(pair, 2 * level - 1)
        noninferior = bool(low > -margin)
        found |= {"noninferior": noninferior, "equivalent": bool(noninferior and high < margin)}
    return found


def _caveats(found: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    alpha = 1 - result["confidence_level"]
    low, high = found["difference_confidence_interval"]
    significant, outside = found["p_value"] <= alpha, not low <= 0 <= high
    caveats = []
    if not significant:
        detectable = f"{found['minimum_detectable_difference']:.{_DIGITS}f}"
        caveats.append(
            f"not significant, which does not mean equal: detectable with 80% power is a difference of {detectable}"
        )
    if significant != outside:
        caveats.append("the interval and the test disagree, so go by the test")
    if "noninferior" in found:
        verdict = "not shown to be noninferior"
        if found["noninferior"]:
            verdict = "equivalent" if found["equivalent"] else "noninferior"
        caveats.append(f"{verdict} within a margin of {result['margin']}")
    if found["left_out"]:
        caveats.append(f"{_count(found['left_out'], 'row')} left out because one of the two has no score")
    return caveats


def _count(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def _range(interval: tuple[float, float], sign: str = "") -> str:
    return " to ".join(f"{end:{sign}.{_DIGITS}f}" for end in interval)


def _format_p_value(p_value: float) -> str:
    return f"{p_value:.2g}" if p_value >= 1e-4 else f"{p_value:.1e}"  # noqa: PLR2004  # exponents are easier to read than many zeros
