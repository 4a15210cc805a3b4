"""A Ray worker dies while judging: Ray repeats its task, and judgments that were paid for are kept."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

ROWS, IN_FLIGHT = 60, 2
RUN = """
    import json, sys
    import evaluate, ray
    url, folder, rows, in_flight = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=200_000_000)
    metric = evaluate.load("metrics/l3score", base_url=url, judge_cache_dir=folder, max_concurrency=in_flight)
    answers = [{"questions": f"question {n}", "predictions": "p", "references": "r"} for n in range(rows)]
    scored = ray.data.from_items(answers, override_num_blocks=6).map_batches(metric.score_batch, batch_size=10)
    result = metric.aggregate(scored.iter_batches(batch_format="pyarrow"), return_details=True)
    print(json.dumps([result["L3Score"], result["individual_scores"]]))
"""


def kill_a_worker() -> bool:
    """Kill the first process that judges a batch for Ray."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            if (entry / "cmdline").read_bytes().startswith(b"ray::MapBatches"):
                os.kill(int(entry.name), signal.SIGKILL)
                return True
    return False


def test_killed_worker_is_replaced_and_repeats_only_calls_in_flight(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    killed = []

    def answer(_request: dict[str, Any], number: int) -> Reply:
        if number == ROWS // 2:
            killed.append(kill_a_worker())
        return Reply(completion(), delay=0.05)

    with JudgeServer(answer) as server:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(RUN), server.url, str(tmp_path), str(ROWS), str(IN_FLIGHT)],
            cwd=ROOT,
            env={**os.environ, "HF_HOME": str(tmp_path / "hf"), "RAY_USAGE_STATS_ENABLED": "0"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        times = Counter(server.prompts())
    assert done.returncode == 0, done.stderr[-3000:]
    assert killed == [True]
    score, scores = json.loads(done.stdout.splitlines()[-1])
    assert len(scores) == ROWS
    assert score == pytest.approx(0.908877, abs=1e-6)
    assert len(times) == ROWS
    assert sum(times.values()) <= ROWS + IN_FLIGHT
    assert max(times.values()) <= 2
