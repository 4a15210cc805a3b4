"""`Dataset.map(metric.score_batch)` in Arrow's format, against the same in the default format, which makes lists."""

from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree

ROWS = 10_000


def mapped(inputs: Columns, format_type: str | None) -> Callable[[], Any]:
    """Map a dataset in memory, and aggregate."""
    import datasets

    datasets.disable_progress_bars()
    datasets.disable_caching()
    metric = load("accuracy")
    rows = datasets.Dataset.from_dict(dict(inputs)).with_format(format_type)

    def run() -> Any:
        scored = rows.map(metric.score_batch, batched=True, batch_size=ROWS, remove_columns=list(inputs))
        return metric.aggregate(scored, return_details=False)

    return run


ROW = Row(
    metric="accuracy",
    what=f"Dataset.map(score_batch) and aggregate, batches of {ROWS:,}",
    unit="rows",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("Arrow format", lambda inputs: mapped(inputs, "arrow")),
    peers=(Side("default format", lambda inputs: mapped(inputs, None)),),
    compare=agree,
)
