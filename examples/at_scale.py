"""Score Parquet files in constant memory, in four ways with the result of `compute`; the last one needs ray.

    python examples/at_scale.py --rows 1000000

`score_batch` scores each row, in any process, from Arrow to Arrow, and passes its id on; `aggregate` reads the scores
shard by shard and keeps counts. `compare` matches rows by id, as Ray returns them in any order. docs/at-scale.md says
when to use which way.
"""

import argparse
import gc
import json
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
COLUMNS = ["id", "predictions", "references"]
KEEP = {"keep": ["id"]}
ROWS_AT_A_TIME = 10_000
MOST_COMPARED = 100_000


def write_shards(directory: Path, rows: int, shards: int) -> list[str]:
    """Write the answers of the sample repeatedly, each with a unique number."""
    lines = (ROOT / "examples" / "qa_sample.jsonl").read_text(encoding="utf-8").splitlines()
    sample = [json.loads(line) for line in lines]
    paths = []
    for shard in range(shards):
        numbered = [(number, sample[number % len(sample)]) for number in range(shard, rows, shards)]
        predictions = [f"{row['prediction']} {number}" for number, row in numbered]
        references = [[f"{reference} {number}" for reference in row["references"]] for number, row in numbered]
        ids = [number for number, _ in numbered]
        paths.append(str(directory / f"answers-{shard:04}.parquet"))
        pq.write_table(pa.table([ids, predictions, references], COLUMNS), paths[-1], row_group_size=100_000)
    return paths


def loop(metric: Any, paths: list[str]) -> Any:
    """One process, Arrow only: the simplest way if one core is fast enough."""
    batches = (batch for path in paths for batch in pq.ParquetFile(path).iter_batches(ROWS_AT_A_TIME))
    return (metric.score_batch(batch, **KEEP) for batch in batches)


def mapped(metric: Any, paths: list[str]) -> Any:
    """`datasets`, two processes: scores are cached on disk, so a second run does not score again."""
    rows = datasets.load_dataset("parquet", data_files=paths, split="train").with_format("arrow")
    # A function that returns a table replaces the columns: only the scores and the ids are left.
    return rows.map(metric.score_batch, batched=True, batch_size=ROWS_AT_A_TIME, num_proc=2, fn_kwargs=KEEP)


def streamed(metric: Any, paths: list[str]) -> Any:
    """`datasets`, streaming: nothing is written, and files may be on the Hub or in a bucket."""
    rows = datasets.load_dataset("parquet", data_files=paths, split="train", streaming=True).with_format("arrow")
    scored = rows.map(
        metric.score_batch, batched=True, batch_size=ROWS_AT_A_TIME, fn_kwargs=KEEP, remove_columns=COLUMNS[1:]
    )
    return scored.iter(batch_size=ROWS_AT_A_TIME)


def with_ray(metric: Any, paths: list[str]) -> Any:
    """Ray Data: all cores of all machines."""
    import ray  # only this way needs it

    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=500_000_000)
    ray.data.DataContext.get_current().enable_progress_bars = False
    return ray.data.read_parquet(paths).map_batches(
        metric.score_batch, batch_size=ROWS_AT_A_TIME, batch_format="pyarrow", fn_kwargs=KEEP
    )


WAYS: dict[str, Callable[[Any, list[str]], Any]] = {
    "loop": loop,
    "datasets": mapped,
    "streaming": streamed,
    "ray": with_ray,
}


def main() -> None:
    """Score in all ways, and compare with all rows in memory."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--shards", type=int, default=4)
    options = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    datasets.disable_progress_bars()
    gc.freeze()  # halves the time: the garbage collector would scan all imported modules again and again
    metric = evaluate.load(str(ROOT / "metrics" / "accuracy"), return_details=False)
    with tempfile.TemporaryDirectory() as directory:
        paths = write_shards(Path(directory), options.rows, options.shards)
        datasets.config.HF_DATASETS_CACHE = Path(directory) / "datasets"
        table = pq.read_table(paths)
        expected = metric.compute(predictions=table["predictions"], references=table["references"])
        for name, way in WAYS.items():
            start = time.perf_counter()
            result = metric.aggregate(way(metric, paths))
            seconds = time.perf_counter() - start
            print(f"{name}: accuracy {result['accuracy']:.6f} of {result['total']:,} rows in {seconds:.1f} s")
            if result != expected:
                raise SystemExit(f"{name} gives {result}, compute gives {expected}")
        if options.rows <= MOST_COMPARED:
            found = metric.compare({name: way(metric, paths) for name, way in WAYS.items()}, on="id")
            differing = sum(one.get("wins", 0) + one.get("losses", 0) for one in found["systems"].values())
            print(f"compared by id: {differing} rows differ")


if __name__ == "__main__":
    main()
