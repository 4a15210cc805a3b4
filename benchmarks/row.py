"""The definition of a benchmark row: our side, its peers, sizes and targets.

A row is a file in `rows/` that defines `ROW`. It is imported in the environment of each side, so at the top it imports
only the standard library and this package; a side imports its dependencies inside its function.
"""

import math
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal

Inputs = Any
Result = Any


@dataclass(frozen=True)
class Side:
    """One of the programs to compare."""

    name: str
    prepare: Callable[[Inputs], Callable[[], Result]] | None = None
    """Takes the inputs, does everything that is not measured (imports, loading), and returns the function to measure,
    whose result consists of plain Python values."""
    code: str = ""
    """Instead of `prepare`, for `measure="start"`: the code for `python -c`."""
    bound: Callable[[int], float] | None = None
    """Instead of `prepare`: the theoretical number of seconds for a size."""
    needs: tuple[str, ...] = ()
    """The requirements of a separate environment; empty for `.venv`."""
    at_least: float | None = None
    """For a peer: the target ratio of its time (or memory) to ours."""
    at_most: int | None = None
    """For a slow peer: the largest size to measure; beyond it, its time is scaled proportionally, with a footnote."""


@dataclass(frozen=True)
class Row:
    """One line of the table for each size and peer."""

    metric: str
    what: str
    unit: str
    """The unit of the sizes: pairs, queries, judgments."""
    sizes: tuple[int, ...]
    smoke: int
    """The tiny size of `make bench-smoke`."""
    ours: Side
    peers: tuple[Side, ...]
    inputs: Callable[[int], Inputs] = lambda _size: None
    measure: Literal["time", "memory", "start"] = "time"
    """Time of a run; peak memory of a process with one run, inputs included; time of a whole process."""
    compare: Callable[[Inputs, Result, Result], str] | None = None
    """Takes the inputs, our result and a peer's. Returns an explanation of the differences, "" if there are none;
    raises `Disagreement` for unexpected differences."""


class Disagreement(Exception):  # noqa: N818  # a good name without "Error"
    """Two sides have different results for no known reason."""


def agree(_inputs: Inputs, ours: Result, theirs: Result) -> str:
    """Compare two results that must be equal."""
    if ours != theirs:
        raise Disagreement(f"ours {str(ours)[:200]}, theirs {str(theirs)[:200]}")
    return ""


def agree_up_to_rounding(_inputs: Inputs, ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Compare two lists of scores that must be equal except for rounding."""
    if not all(math.isclose(one, other, rel_tol=1e-9) for one, other in zip(ours, theirs, strict=True)):
        raise Disagreement(f"ours {ours}, theirs {theirs}")
    return ""
