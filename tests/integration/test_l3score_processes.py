"""Many processes on one store, forks, and killed runs: judgments that were paid for are kept."""

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
    found = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        found.append(json.loads(output))
    return found


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
        found = results(*processes)
        assert 300 <= len(server.requests) <= 310
        assert {score for score, _, _ in found} == {found[0][0]}
        assert sum(300 - cached for _, _, cached in found) == len(server.requests) - 100
        assert judge(server, 300, model="m", judge_cache_dir=tmp_path)["cached"] == [True] * 300


def test_rerun_after_kill_9_pays_only_for_missing_judgments(tmp_path: Path) -> None:
    with JudgeServer(always(Reply(completion(), delay=0.03))) as server:
        go(killed := start(server.url, tmp_path, 0, 400))
        wait_for(lambda: len(server.requests) >= 150)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        time.sleep(0.2)
        asked_before = len(server.requests)
        go(rerun := start(server.url, tmp_path, 0, 400))
        ((score, cost, cached),) = results(rerun)
        times = Counter(server.prompts())
    assert asked_before < 400
    # At most the calls in flight are repeated.
    assert asked_before - 16 <= cached <= asked_before
    assert len(server.requests) - asked_before == 400 - cached
    assert (score, cost) == (SCORE, pytest.approx((400 - cached) * 101e-6))
    assert max(times.values()) <= 2
    assert sum(count == 2 for count in times.values()) <= 16


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_stops_promptly_and_keeps_finished_judgments(number: signal.Signals, tmp_path: Path) -> None:
    def answer(_request: dict[str, Any], number: int) -> Reply:
        return Reply(completion(), delay=300 if number == 20 else 0.3)

    with JudgeServer(answer) as server:
        go(process := start(server.url, tmp_path, 0, 500, max_concurrency=8))
        wait_for(lambda: len(server.requests) >= 24)
        process.send_signal(number)
        # Far less than the 300 s of one call in flight, and more than a busy machine takes.
        output, errors = process.communicate(timeout=45)
        expected = ("interrupted\n", 0) if number == signal.SIGINT else ("", 128 + number)
        assert (output, process.returncode) == expected
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
        found = context.Queue()
        child = context.Process(target=lambda: found.put(judge(server, 6, judge_cache_dir=tmp_path)["cached"]))
        child.start()
        assert found.get(timeout=60) == [True] * 3 + [False] * 3
        child.join()
        assert judge(server, 9, judge_cache_dir=tmp_path)["cached"] == [True] * 6 + [False] * 3
