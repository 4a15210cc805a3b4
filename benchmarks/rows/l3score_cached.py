"""A second run of `l3score`, whose judgments are all stored, against the 20,000 a second that it has to reach."""

from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.judging import empty_folder
from benchmarks.judging import start_judge
from benchmarks.judging import triplets
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side


def ours(inputs: Columns) -> Callable[[], Any]:
    """Judge once, then read the judgments from disk."""
    options = {"base_url": start_judge(delay=0.0), "judge_cache_dir": empty_folder(), "max_concurrency": 64}
    metric = load("l3score")
    metric.compute(**inputs, **options)
    return lambda: metric.compute(**inputs, **options)["Cost"]


ROW = Row(
    metric="l3score",
    what="a second run, all judgments stored",
    unit="judgments",
    inputs=triplets,
    sizes=(1000, 10_000),
    smoke=50,
    ours=Side("l3score", ours),
    peers=(Side("20,000 a second", bound=lambda size: size / 20_000, at_least=1.0),),
)
