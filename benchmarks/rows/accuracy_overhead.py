"""What `compute` adds to the scoring itself: checks, options, the interval, the result."""

import sys
from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree
from benchmarks.rows.accuracy_interval import ours


def scoring(inputs: Columns) -> Callable[[], Any]:
    """The pure functions of the same script alone."""
    script = sys.modules[type(load("accuracy")).__module__]
    return lambda: script.score(inputs["predictions"], inputs["references"])[0]


ROW = Row(
    metric="accuracy",
    what="compute() against its scoring alone",
    unit="pairs",
    inputs=answers,
    sizes=(10_000, 100_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("its pure scoring functions", scoring, at_least=0.5),),
    compare=agree,
)
