"""Many processes on one store, forks, and killed runs: judgments that were paid for are kept."""

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.judge_server import JudgeServer, Reply, completion
from tests.judges import SCORE, always, judge

RUN = """
    import json, os, signal, sys
    import evaluate
    url, folder, first, last, options = *sys.argv[1:3], int(sys.argv[3]), int(sys.argv[4]), json.loads(sys.argv[5])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
    metric = evaluate.load("metrics/l3score", experiment_id=str(os.getpid()))
    print("ready", flush=True)
    sys.stdin.readline()
    numbers = range(first, last)
    try:
        result = metric.compute(
            questions=[f"question {number}" for number in numbers], predictions=["prediction"] * len(numbers),
            references=["reference"] * len(numbers), base_url=url, judge_cache_dir=folder, model="m",
            price=(1, 1), return_details=True, **options)
        print(json.dumps([result["L3Score"], result["Cost"], result["cached"].count(True)]))
    except KeyboardInterrupt:
        print("interrupted")
"""


def start(url: str, folder: Path, first: int, last: int, **options: Any) -> Any:
    arguments = [url, str(folder), str(first), str(last), json.dumps(options)]
    process = subprocess.Popen(
        [sys.executable, "-W", "error::UserWarning", "-c", textwrap.dedent(RUN), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HOME": str(folder / "hf")},
    )
    assert process.stdout is not None
    return process


def go(*processes: Any) -> None:
    """Let processes judge at the same moment, when all have finished their imports."""
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()


def results(*processes: Any) -> list[Any]:
    outputs = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        outputs.append(json.loads(output))
    return outputs


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the process has not asked enough"
        time.sleep(0.01)


def test_eight_processes_share_one_store_and_pay_once(tmp_path: Path) -> None:
    with JudgeServer(always(Reply(completion(), delay=0.05))) as server:
        # The first one runs alone, since evaluate copies the module into an empty cache.
        go(first := start(server.url, tmp_path, 0, 100))
        assert results(first) == [[SCORE, pytest.approx(100 * 101e-6), 0]]
        processes = [start(server.url, tmp_path, 0, 300) for _ in range(8)]
        go(*processes)
        outputs = results(*processes)
        assert 300 <= len(server.requests) <= 310
        assert {score for score, _, _ in outputs} == {outputs[0][0]}
        assert sum(300 - cached for _, _, cached in outputs) == len(server.requests) - 100
        assert judge(server, 300, model="m", judge_cache_dir=tmp_path)["cached"] == [True] * 300


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_run_stops_promptly_and_keeps_finished_judgments(number: signal.Signals, tmp_path: Path) -> None:
    def answer(_request: dict[str, Any], number: int) -> Reply:
        return Reply(completion(), delay=300 if number == 20 else 0.3)

    with JudgeServer(answer) as server:
        go(process := start(server.url, tmp_path, 0, 500, max_concurrency=8))
        wait_for(lambda: len(server.requests) >= 24)
        process.send_signal(number)
        # Far less than the 300 s of one call in flight, and more than a busy machine takes.
        output, errors = process.communicate(timeout=45)
        codes = {signal.SIGINT: 0, signal.SIGTERM: 128 + number, signal.SIGKILL: -number}
        assert (output, process.returncode) == ("interrupted\n" if number == signal.SIGINT else "", codes[number])
        assert "Task" not in errors
        asked = len(server.requests)
        stored = judge(server, 500, model="m", judge_cache_dir=tmp_path, dry_run=True)["cached"]
        # After SIGTERM all calls in flight are kept but the one that takes too long.
        assert stored == asked - 1 if number == signal.SIGTERM else asked - 8 <= stored < asked


def test_forked_process_has_its_own_loop(tmp_path: Path) -> None:
    """As DataLoader workers and `Dataset.map(num_proc=2)` on Linux do, after the parent has judged."""
    with JudgeServer() as server:
        judge(server, 3, judge_cache_dir=tmp_path)
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=lambda: queue.put(judge(server, 6, judge_cache_dir=tmp_path)["cached"]))
        child.start()
        assert queue.get(timeout=60) == [True] * 3 + [False] * 3
        child.join()
        assert judge(server, 9, judge_cache_dir=tmp_path)["cached"] == [True] * 6 + [False] * 3


ROWS, IN_FLIGHT = 60, 2
RAY = """
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


def test_killed_ray_worker_is_replaced_and_repeats_only_calls_in_flight(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    killed = []

    def answer(_request: dict[str, Any], number: int) -> Reply:
        if number == ROWS // 2:
            killed.append(kill_a_worker())
        return Reply(completion(), delay=0.05)

    with JudgeServer(answer) as server:
        command = [sys.executable, "-c", textwrap.dedent(RAY), server.url, str(tmp_path), str(ROWS), str(IN_FLIGHT)]
        environment = {**os.environ, "HF_HOME": str(tmp_path / "hf"), "RAY_USAGE_STATS_ENABLED": "0"}
        settings: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 300}
        done = subprocess.run(command, check=False, cwd=ROOT, env=environment, **settings)
        times = Counter(server.prompts())
    assert done.returncode == 0, done.stderr[-3000:]
    assert killed == [True]
    score, scores = json.loads(done.stdout.splitlines()[-1])
    assert (score, len(scores), len(times)) == (SCORE, ROWS, ROWS)
    assert sum(times.values()) <= ROWS + IN_FLIGHT
    assert max(times.values()) <= 2
