"""`map_batches(metric.score_batch)` of Ray Data on two cores, against the identity function on the same batches."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side

ROWS = 10_000
FILES = 4
ENVIRONMENT = ("ray==2.60.0", "evaluate==0.4.6", "datasets==5.2.0", "rapidfuzz==3.14.6", "numpy==2.4.6")


def _read(inputs: Columns) -> Callable[[], Any]:
    """Write Parquet files, start Ray, and return what reads them."""
    import os

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import pyarrow as pa
    import pyarrow.parquet as pq
    import ray
    from ray.data import DataContext

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=500_000_000)
    DataContext.get_current().enable_progress_bars = False
    directory = Path(tempfile.mkdtemp())
    table = pa.table(dict(inputs))
    step = -(-len(table) // FILES)
    for file in range(FILES):
        pq.write_table(table.slice(file * step, step), directory / f"{file}.parquet")
    return lambda: ray.data.read_parquet(str(directory))


def ours(inputs: Columns) -> Callable[[], Any]:
    """Score, and aggregate what comes back."""
    metric, read = load("accuracy"), _read(inputs)

    def run() -> float:
        scored = read().map_batches(metric.score_batch, batch_size=ROWS, batch_format="pyarrow")
        shards = scored.iter_batches(batch_size=ROWS, batch_format="pyarrow")
        return float(metric.aggregate(shards, return_details=False)["total"])

    return run


def nothing(inputs: Columns) -> Callable[[], Any]:
    """Send the batches to the workers and back, and count the rows."""
    read = _read(inputs)

    def run() -> float:
        same = read().map_batches(lambda batch: batch, batch_size=ROWS, batch_format="pyarrow")
        return float(sum(len(batch) for batch in same.iter_batches(batch_size=ROWS, batch_format="pyarrow")))

    return run


ROW = Row(
    metric="accuracy",
    what=f"Ray Data's map_batches(score_batch) and aggregate, 2 cores, batches of {ROWS:,}",
    unit="rows",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("accuracy", ours, needs=ENVIRONMENT),
    peers=(Side("identity function", nothing, needs=ENVIRONMENT, at_least=0.4),),
)
