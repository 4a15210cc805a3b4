"""Outcomes of prompts, and the error that ends a run."""

from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple


class JudgeError(RuntimeError):
    """Judging failed; judgments that succeeded are stored. The message never contains a key.

    Attributes:
        spent: Upper bound of the dollars billed; None if the price is unknown.
    """

    def __init__(self, message: str, spent: float | None = None) -> None:
        super().__init__(message)
        self.spent = spent


class Outcome(NamedTuple):
    """The outcome of one prompt.

    Attributes:
        judgment: The judgment; None if it failed.
        why: The reason of the failure.
        cost: Dollars spent, including failed attempts; None if unknown.
        cached: Whether the judgment was already stored.
    """

    judgment: dict[str, Any] | None
    why: str
    cost: float | None
    cached: bool = False


def add_votes(votes: Mapping[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Add the answers of one call to those of earlier ones; a judgment by log-probabilities is unchanged."""
    if not votes or "yes" not in more:
        return more
    used = [votes["usage"], more["usage"]]
    usage = None if None in used else [sum(counts) for counts in zip(*used, strict=True)]
    counts = {name: votes[name] + more[name] for name in ("yes", "no", "invalid")}
    return {**more, **counts, "usage": usage}


def total_cost(costs: Sequence[float | None]) -> float | None:
    """Return the sum of the costs; None if any is unknown."""
    total = 0.0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total
