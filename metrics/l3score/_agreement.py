"""How far the judges of a panel agree. Pure, standard library only."""

import math
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import combinations
from typing import Any

_RIGHT = 0.5


def pairwise_agreement(scores: Sequence[Sequence[float | None]], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Compare every pair of judges on the examples that both have judged; a score above 0.5 is a Yes.

    Args:
        scores: For each example the score of each judge, 0 to 1, or None.
        names: The judges' names.

    Returns:
        For each pair, by "name and name": "agreement", the share of examples with the same verdict, 0 to 1; "kappa",
        Cohen's (https://doi.org/10.1177/001316446002000104), -1 to 1, None where chance alone would agree always;
        "examples", how many were compared. Both are None for no examples.
    """
    found = {}
    for one, other in combinations(range(len(names)), 2):
        pairs = [(row[one], row[other]) for row in scores]
        verdicts = [(a > _RIGHT, b > _RIGHT) for a, b in pairs if a is not None and b is not None]
        found[f"{names[one]} and {names[other]}"] = _compare(verdicts)
    return found


def _compare(verdicts: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    total = len(verdicts)
    if not total:
        return {"agreement": None, "kappa": None, "examples": 0}
    same = sum(a == b for a, b in verdicts)
    first, second = sum(a for a, _ in verdicts), sum(b for _, b in verdicts)
    # Whole numbers as far as possible: total squared times the agreement that chance alone would give.
    by_chance = first * second + (total - first) * (total - second)
    kappa = None if by_chance == total * total else (same * total - by_chance) / (total * total - by_chance)
    return {"agreement": same / total, "kappa": kappa, "examples": total}


def summarize_panel(columns: Mapping[str, Any], names: Sequence[str], score_name: str) -> dict[str, Any]:
    """Give every judge's mean score and dollars, and how far the judges agree.

    Args:
        columns: `juror_scores` and `juror_costs`: for each example a list with one value per judge, None for unknown.
        names: The judges' names.
        score_name: The key of a judge's score.
    """
    judges = []
    for index, name in enumerate(names):
        scores = [row[index] for row in columns["juror_scores"]]
        known = [score for score in scores if score is not None]
        costs = [row[index] for row in columns["juror_costs"]]
        judges.append(
            {
                "name": name,
                score_name: math.fsum(known) / len(known) if known else None,
                "failed": len(scores) - len(known),
                "Cost": None if None in costs else math.fsum(costs),
            }
        )
    return {"judges": judges, "agreement": pairwise_agreement(columns["juror_scores"], names)}
