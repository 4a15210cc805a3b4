"""Agreement between the judges of a panel. Pure."""

import math
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ._human_labels import cohens_kappa

_RIGHT = 0.5


def pairwise_agreement(scores: Sequence[Sequence[float | None]], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Compare every pair of judges on the examples that both judged; a score above 0.5 is a Yes.

    Args:
        scores: The score of each judge for each example, 0 to 1, or None.
        names: The judges' names.

    Returns:
        For each pair, by "name and name": "agreement", the share of examples with the same verdict, 0 to 1; "kappa",
        Cohen's kappa, -1 to 1, None if chance agreement is 1; "examples", the number of examples compared. Without
        examples, agreement and kappa are None.
    """
    agreements = {}
    for i, j in combinations(range(len(names)), 2):
        pairs = [(row[i], row[j]) for row in scores]
        verdicts = [(a > _RIGHT, b > _RIGHT) for a, b in pairs if a is not None and b is not None]
        agreements[f"{names[i]} and {names[j]}"] = _compare(verdicts)
    return agreements


def _compare(verdicts: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    total = len(verdicts)
    if not total:
        return {"agreement": None, "kappa": None, "examples": 0}
    same = sum(a == b for a, b in verdicts)
    first, second = sum(a for a, _ in verdicts), sum(b for _, b in verdicts)
    return {"agreement": same / total, "kappa": cohens_kappa(same, first, second, total), "examples": total}


def summarize_panel(columns: Mapping[str, Any], names: Sequence[str], score_name: str) -> dict[str, Any]:
    """Return every judge's mean score and cost in dollars, and the agreement between judges.

    Args:
        columns: `juror_scores` and `juror_costs`: one list per example with one value per judge, None if unknown.
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
