"""Overhead of `compute` over scoring: checks, options, the interval, the result."""

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
    """The first scoring step alone, on checked Arrow columns."""
    metric = load("accuracy")
    options = metric.resolve_options({})
    checked = metric.check_inputs(inputs, as_arrow=True)
    return lambda: metric.details(metric.score_columns(checked, options), options)["match_types"]


def compare(inputs: Columns, ours: list[str], theirs: Any) -> str:
    """Compare match types; for many pairs, scoring returns them as Arrow."""
    return agree(inputs, ours, theirs if isinstance(theirs, list) else theirs.to_pylist())


ROW = Row(
    metric="accuracy",
    what="compute() and its scoring step alone",
    unit="pairs",
    inputs=answers,
    sizes=(10_000, 100_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("score_columns alone", scoring, at_least=0.5),),
    compare=compare,
)
