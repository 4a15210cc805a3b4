"""Score any number of Parquet files in constant memory, in four ways with equal results.

    python examples/at_scale.py                                        # all ways, equal to compute(); needs ray
    python examples/at_scale.py --way ray --rows 10000000 --shards 10  # one way, timed

`score_batch` scores each row, in any process, from Arrow to Arrow; `aggregate` reads the scores shard by shard and
keeps counts. docs/at-scale.md explains when to use which way.
"""
# mypy: disable-error-code=no-any-return
# evaluate has no types, so its results are Any.

import argparse
import gc
import json
import logging
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[1]
METRIC = str(ROOT / "metrics" / "accuracy")
ROWS_AT_A_TIME = 10_000
NO_LISTS = {"return_details": False}

Result = dict[str, Any]


def write_shards(directory: Path, rows: int, shards: int) -> list[str]:
    """Write the answers of the sample repeatedly, each with a unique number; one file at a time."""
    lines = (ROOT / "examples" / "qa_sample.jsonl").read_text(encoding="utf-8").splitlines()
    sample = [json.loads(line) for line in lines]
    paths = []
    for shard in range(shards):
        numbers = range(shard, rows, shards)
        chosen = [sample[number % len(sample)] for number in numbers]
        table = {
            "predictions": [f"{row['prediction']} {number}" for row, number in zip(chosen, numbers, strict=True)],
            "references": [
                [f"{reference} {number}" for reference in row["references"]]
                for row, number in zip(chosen, numbers, strict=True)
            ],
        }
        paths.append(str(directory / f"answers-{shard:04}.parquet"))
        pq.write_table(pa.table(table), paths[-1], row_group_size=100_000)
    return paths


def loop(paths: list[str]) -> Result:
    """One process, Arrow only: the simplest way if one core is fast enough."""
    metric = evaluate.load(METRIC)
    batches = (batch for path in paths for batch in pq.ParquetFile(path).iter_batches(ROWS_AT_A_TIME))
    return metric.aggregate((metric.score_batch(batch) for batch in batches), **NO_LISTS)


def mapped(paths: list[str]) -> Result:
    """`datasets`, two processes: scores are cached on disk, so a second run does not score again."""
    metric = evaluate.load(METRIC)
    rows = datasets.load_dataset("parquet", data_files=paths, split="train").with_format("arrow")
    scored = rows.map(
        metric.score_batch, batched=True, batch_size=ROWS_AT_A_TIME, num_proc=2, remove_columns=rows.column_names
    )
    return metric.aggregate(scored, **NO_LISTS)


def streamed(paths: list[str]) -> Result:
    """`datasets`, streaming: nothing is written, and files may be on the Hub or in a bucket."""
    metric = evaluate.load(METRIC)
    rows = datasets.load_dataset("parquet", data_files=paths, split="train", streaming=True).with_format("arrow")
    scored = rows.map(
        metric.score_batch, batched=True, batch_size=ROWS_AT_A_TIME, remove_columns=["predictions", "references"]
    )
    return metric.aggregate(scored.iter(batch_size=ROWS_AT_A_TIME), **NO_LISTS)


def with_ray(paths: list[str]) -> Result:
    """Ray Data: all cores of all machines."""
    import ray  # noqa: PLC0415  # only this way needs it
    from ray.data import DataContext  # noqa: PLC0415

    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=500_000_000)
        logging.getLogger("ray.data").setLevel(logging.ERROR)
    DataContext.get_current().enable_progress_bars = False
    metric = evaluate.load(METRIC)
    rows = ray.data.read_parquet(paths)
    scored = rows.map_batches(metric.score_batch, batch_size=ROWS_AT_A_TIME, batch_format="pyarrow")
    shards = scored.iter_batches(batch_size=ROWS_AT_A_TIME, batch_format="pyarrow")
    return metric.aggregate(shards, **NO_LISTS)


WAYS: dict[str, Callable[[list[str]], Result]] = {
    "loop": loop,
    "datasets": mapped,
    "streaming": streamed,
    "ray": with_ray,
}


def compute(paths: list[str]) -> Result:
    """All rows in memory: the expected result."""
    rows = pa.concat_tables(map(pq.read_table, paths))
    given = {name: rows[name] for name in ("predictions", "references")}
    return evaluate.load(METRIC).compute(**given, **NO_LISTS)


def main() -> None:
    """Score by all ways and compare, or by one way and time it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--way", choices=WAYS, help="only this way (default: all, compared with compute)")
    parser.add_argument("--data", type=Path, help="directory of the shards; existing ones are used")
    options = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    datasets.disable_progress_bars()
    gc.freeze()  # halves the time: the garbage collector would scan all imported modules again and again
    with tempfile.TemporaryDirectory() as directory:
        folder = options.data or Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        paths = sorted(map(str, folder.glob("*.parquet"))) or write_shards(folder, options.rows, options.shards)
        datasets.config.HF_DATASETS_CACHE = Path(directory) / "datasets"
        expected = None if options.way else compute(paths)
        for name in [options.way] if options.way else WAYS:
            start = time.perf_counter()
            result = WAYS[name](paths)
            seconds = time.perf_counter() - start
            print(
                f"{name}: accuracy {result['accuracy']:.6f} of {result['total']:,} rows in {seconds:.1f} s", flush=True
            )
            if expected and result != expected:
                raise SystemExit(f"{name} gives {result}, compute gives {expected}")


if __name__ == "__main__":
    main()
