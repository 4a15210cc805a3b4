"""`accuracy` on Arrow columns, against HF `exact_match`, which normalizes nothing and is fastest with lists."""

from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.rows.accuracy_million import compare
from benchmarks.rows.accuracy_million import hf_exact_match


def ours(inputs: Columns) -> Callable[[], Any]:
    """All that `compute` returns by default."""
    import pyarrow as pa

    metric = load("accuracy")
    columns = {name: pa.array(column) for name, column in inputs.items()}
    return lambda: metric.compute(**columns)["accuracy"]


ROW = Row(
    metric="accuracy",
    what="compute() of Arrow columns, short pairs",
    unit="pairs",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("HF exact_match (reimplemented), from lists", hf_exact_match, at_least=12),),
    compare=compare,
)
