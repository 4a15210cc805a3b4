"""`score_batch` in a loop over record batches, Arrow in and out, against the same with lists in and out."""

from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree

ROWS = 10_000


def ours(inputs: Columns) -> Callable[[], Any]:
    """Record batches, as a Parquet file gives them."""
    import pyarrow as pa

    metric = load("accuracy")
    batches = pa.table(dict(inputs)).to_batches(ROWS)
    return lambda: metric.aggregate(map(metric.score_batch, batches), return_details=False)


def with_lists(inputs: Columns) -> Callable[[], Any]:
    """The same record batches, turned to lists on the way in, as pandas and JSON do."""
    import pyarrow as pa

    metric = load("accuracy")
    batches = pa.table(dict(inputs)).to_batches(ROWS)
    return lambda: metric.aggregate((metric.score_batch(batch.to_pydict()) for batch in batches), return_details=False)


ROW = Row(
    metric="accuracy",
    what=f"score_batch and aggregate, record batches of {ROWS:,}",
    unit="rows",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("Arrow in and out", ours),
    peers=(Side("lists in and out", with_lists),),
    compare=agree,
)
