"""`accuracy` with its interval, against Benchwise's."""

from collections.abc import Callable
from typing import Any

from benchmarks import benchwise
from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import compare_match_types
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side


def ours(inputs: Columns) -> Callable[[], Any]:
    """All that `compute` returns by default."""
    metric = load("accuracy")
    return lambda: metric.compute(**inputs)["match_types"]


def peer(inputs: Columns) -> Callable[[], Any]:
    """All that Benchwise returns by default."""
    return lambda: benchwise.accuracy(inputs["predictions"], inputs["references"])["match_types"]


ROW = Row(
    metric="accuracy",
    what="compute() with interval, short pairs",
    unit="pairs",
    inputs=answers,
    sizes=(10_000, 100_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("Benchwise (reimplemented)", peer, at_least=40),),
    compare=compare_match_types,
)
