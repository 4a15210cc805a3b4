"""What a row of the benchmark is: what is measured, our side, the others, two sizes, and what must hold.

A row is a file in `rows/` that defines `ROW`. It is imported in the environment of each of its sides, so at its top it
imports the standard library and this package only; what a side needs it imports inside its function.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from typing import Literal

Inputs = Any
Result = Any


@dataclass(frozen=True)
class Side:
    """One of the programs that are compared."""

    name: str
    prepare: Callable[[Inputs], Callable[[], Result]] | None = None
    """Takes the inputs, does what is not to be measured (imports, loading), returns what is. Its result holds plain
    Python values."""
    code: str = ""
    """Instead of `prepare`, for `measure="start"`: what `python -c` runs."""
    bound: Callable[[int], float] | None = None
    """Instead of `prepare`: the seconds that arithmetic gives for a size."""
    needs: tuple[str, ...] = ()
    """The requirements of an environment of its own; none for `.venv`."""
    at_least: float | None = None
    """Of a peer: how many times as fast (or as small) our side must be."""
    at_most: int | None = None
    """Of a slow peer: the largest size it is measured at; beyond it, its time is scaled in proportion, and the table
    says so."""


@dataclass(frozen=True)
class Row:
    """One line of the table for each size and peer."""

    metric: str
    what: str
    unit: str
    """What the sizes count: pairs, queries, judgments."""
    sizes: tuple[int, ...]
    smoke: int
    """The tiny size of `make bench-smoke`."""
    ours: Side
    peers: tuple[Side, ...]
    inputs: Callable[[int], Inputs] = lambda _size: None
    measure: Literal["time", "memory", "start"] = "time"
    """Time of a run; peak memory of a process that does one run, inputs included; time of a whole process."""
    compare: Callable[[Inputs, Result, Result], str] | None = None
    """Takes the inputs, our result and a peer's. Says where they differ and why, "" where they agree; raises
    `Disagreement` where they differ and must not."""


class Disagreement(Exception):  # noqa: N818  # it is what happened
    """Two sides do not give the same result, and nothing explains why."""


def agree(_inputs: Inputs, ours: Result, theirs: Result) -> str:
    """Compare two results that must be equal."""
    if ours != theirs:
        raise Disagreement(f"ours {str(ours)[:200]}, theirs {str(theirs)[:200]}")
    return ""
