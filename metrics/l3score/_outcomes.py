"""What becomes of prompts: outcomes, their sums, and the error that ends a run."""

from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple


class JudgeError(RuntimeError):
    """Judgments could not be had. Those that could are stored. The message never holds a key.

    Attributes:
        spent: The dollars that may have been billed at most; None if the price is unknown.
    """

    def __init__(self, message: str, spent: float | None = None) -> None:
        super().__init__(message)
        self.spent = spent


class Outcome(NamedTuple):
    """What became of one prompt.

    Attributes:
        judgment: What the judge sent; None if it failed.
        why: Why it failed.
        cost: Dollars spent on it, failed attempts included; None if unknown.
        cached: Whether another run had asked it already.
    """

    judgment: dict[str, Any] | None
    why: str
    cost: float | None
    cached: bool = False


def add_votes(votes: Mapping[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Add the answers of one call to those of earlier ones; a judgment by log-probabilities stays as it is."""
    if not votes or "yes" not in more:
        return more
    used = [votes["usage"], more["usage"]]
    usage = None if None in used else [sum(counts) for counts in zip(*used, strict=True)]
    counts = {name: votes[name] + more[name] for name in ("yes", "no", "invalid")}
    return {**more, **counts, "usage": usage}


def total_cost(costs: Sequence[float | None]) -> float | None:
    """Add dollars up; None if one of them is unknown."""
    total = 0.0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total
