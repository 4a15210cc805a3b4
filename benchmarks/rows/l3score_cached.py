"""A second run of `l3score`, whose judgments are all stored, against the 30,000 per second that it has to reach.

The first run is in a separate process, so that the peak memory is that of the second.
"""

import multiprocessing
from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.judging import empty_folder
from benchmarks.judging import start_judge
from benchmarks.judging import triplets
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side


def judge(inputs: Columns, options: dict[str, Any]) -> Any:
    """Judge the prompts that are not stored."""
    return load("l3score").compute(**inputs, **options)["Cost"]


def ours(inputs: Columns) -> Callable[[], Any]:
    """Judge once, then read the judgments from disk."""
    options = {"base_url": start_judge(delay=0.0), "judge_cache_dir": empty_folder(), "max_concurrency": 64}
    first = multiprocessing.get_context("spawn").Process(target=judge, args=(inputs, options))
    first.start()
    first.join()
    if first.exitcode:
        raise RuntimeError("the first run failed; its output is above")
    metric = load("l3score")
    return lambda: metric.compute(**inputs, **options)["Cost"]


ROW = Row(
    metric="l3score",
    what="rerun, all judgments stored",
    unit="judgments",
    inputs=triplets,
    sizes=(10_000, 100_000),
    smoke=50,
    ours=Side("l3score", ours),
    peers=(Side("30,000 per second", bound=lambda size: size / 30_000, at_least=1.0),),
)
