"""`accuracy` with fuzzy matching and its interval, against Benchwise's."""

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
    """Fuzzy matching by the default scorer and threshold."""
    metric = load("accuracy")
    return lambda: metric.compute(**inputs, fuzzy_match=True)["match_types"]


def peer(inputs: Columns) -> Callable[[], Any]:
    """The same, by thefuzz."""
    return lambda: benchwise.accuracy(inputs["predictions"], inputs["references"], fuzzy_match=True)["match_types"]


ROW = Row(
    metric="accuracy",
    what="compute(fuzzy_match=True) with interval, short pairs",
    unit="pairs",
    inputs=answers,
    sizes=(10_000, 100_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("Benchwise (reimplemented)", peer, needs=("numpy==2.4.6", "thefuzz==0.22.1"), at_least=35),),
    compare=compare_match_types,
)
