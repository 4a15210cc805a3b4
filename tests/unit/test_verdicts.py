"""What metrics say about texts of many kinds, as recorded: a change of a rule shows what else it changes.

Each row of the file has a metric, options and inputs as JSON, and the scores. To record the scores of today, once those
that changed are right: `python -m tests.unit.test_verdicts`; with a path, also for the rows of a file of JSON lines.
"""

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import answer_metrics
from answer_metrics.matching.mathematics import decide
from tests.conftest import ROOT

FILE = ROOT / "tests" / "grids" / "verdicts.parquet"


def call_of(row: dict[str, Any]) -> tuple[str, ...]:
    return row["metric"], row["options"], *sorted(json.loads(row["inputs"]))


def scores(name: str, options: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Return the scores of each row: all per-example columns, rounded."""
    if options.get("equivalent") == "decided":  # Math-Verify would take seconds
        options = options | {"equivalent": lambda *pair: decide(*pair) is True}
    inputs = [json.loads(row["inputs"]) for row in rows]
    result = answer_metrics.load(name).score_batch({key: [row[key] for row in inputs] for key in inputs[0]}, **options)
    columns = (
        [f"{value:.3g}" if isinstance(value, float) else str(value) for value in column] for column in result.values()
    )
    return list(map(" ".join, zip(*columns, strict=True)))


def calls() -> list[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    return [(call, list(rows)) for call, rows in groupby(pq.read_table(FILE).to_pylist(), call_of)]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("call", "rows"), calls())
def test_scores_are_those_that_were_recorded(call: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    new = scores(call[0], json.loads(call[1]), rows)
    pairs = zip(rows, new, strict=True)
    assert [(row["inputs"], row["scores"], now) for row, now in pairs if row["scores"] != now][:20] == []


if __name__ == "__main__":
    rows = pq.read_table(FILE).to_pylist()
    for path in sys.argv[1:]:
        rows += map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    rows.sort(key=call_of)
    for call, group in groupby(rows, call_of):
        same = list(group)
        for row, now in zip(same, scores(call[0], json.loads(call[1]), same), strict=True):
            row["scores"] = now
    pq.write_table(pa.Table.from_pylist(rows), FILE, compression="zstd")
