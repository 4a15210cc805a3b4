"""Many processes on one store, and killed runs: judgments that were paid for are kept."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from metrics.l3score.l3score import L3Score
from tests.conftest import ROOT
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

RUN = """
    import json, os, sys
    import evaluate
    url, folder, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    metric = evaluate.load("metrics/l3score", experiment_id=str(os.getpid()))
    print("ready", flush=True)
    sys.stdin.readline()
    numbers = range(first, last)
    result = metric.compute(
        questions=[f"question {number}" for number in numbers], predictions=["p"] * len(numbers),
        references=["r"] * len(numbers), base_url=url, judge_cache_dir=folder, price=(1, 1), return_details=True)
    print(json.dumps([result["L3Score"], result["Cost"], result["cached"].count(True)]))
"""


def start(url: str, folder: Path, first: int, last: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [
            sys.executable,
            "-W",
            "error::UserWarning",
            "-c",
            textwrap.dedent(RUN),
            url,
            str(folder),
            str(first),
            str(last),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HOME": str(folder / "hf")},
    )


def start_all(processes: "list[subprocess.Popen[str]]") -> None:
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def results(processes: "list[subprocess.Popen[str]]") -> list[Any]:
    found = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        found.append(json.loads(output))
    return found


def test_eight_processes_share_one_store(tmp_path: Path) -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(), delay=0.02)) as server:
        # The first one runs alone, since evaluate copies the module into an empty cache.
        first = [start(server.url, tmp_path, 0, 100)]
        start_all(first)
        results(first)
        # Each process judges 100 prompts of its own and the 100 stored ones.
        processes = [
            start(server.url, tmp_path, 0, 100),
            *(start(server.url, tmp_path, n, n + 100) for n in range(100, 800, 100)),
        ]
        start_all(processes)
        found = results(processes)
        assert len(server.requests) == 800
        everything = [start(server.url, tmp_path, 0, 800)]
        start_all(everything)
        assert results(everything)[0][1:] == [0.0, 800]
        assert len(server.requests) == 800
    assert {round(score, 6) for score, _, _ in found} == {0.908877}


def test_eight_processes_with_the_same_prompts_pay_once(tmp_path: Path) -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(), delay=0.05)) as server:
        start_all(first := [start(server.url, tmp_path, 1000, 1001)])
        results(first)
        processes = [start(server.url, tmp_path, 0, 200) for _ in range(8)]
        start_all(processes)
        found = results(processes)
        assert 201 <= len(server.requests) <= 211
    assert {score for score, _, _ in found} == {found[0][0]}
    assert sum(200 - cached for _, _, cached in found) == pytest.approx(len(server.requests) - 1)


def test_rerun_after_kill_9_pays_only_for_missing_judgments(tmp_path: Path) -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(), delay=0.03)) as server:
        killed = start(server.url, tmp_path, 0, 400)
        start_all([killed])
        while len(server.requests) < 150:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        time.sleep(0.2)
        asked_before = len(server.requests)
        rerun = [start(server.url, tmp_path, 0, 400)]
        start_all(rerun)
        ((score, cost, cached),) = results(rerun)
        times = Counter(server.prompts())
    assert asked_before < 400
    # At most the calls in flight are repeated.
    assert asked_before - 16 <= cached <= asked_before
    assert len(server.requests) - asked_before == 400 - cached
    assert cost == pytest.approx((400 - cached) * 101e-6)
    assert score == pytest.approx(0.908877, abs=1e-6)
    assert max(times.values()) <= 2
    assert sum(count == 2 for count in times.values()) <= 16


def test_ctrl_c_stops_promptly_and_keeps_finished_judgments(tmp_path: Path) -> None:
    script = """
        import signal, sys, time
        from metrics.l3score.l3score import L3Score
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
        url, folder = sys.argv[1:]
        try:
            L3Score().compute(questions=[str(n) for n in range(400)], predictions=["p"] * 400, references=["r"] * 400,
                              base_url=url, judge_cache_dir=folder, max_concurrency=4)
        except KeyboardInterrupt:
            print("interrupted")
    """
    reply = Reply(completion(), delay=0.05)
    with JudgeServer(
        lambda _request, number: Reply(completion(), delay=300) if number % 4 == 1 and number > 5 else reply
    ) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), server.url, str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={**os.environ, "OPENAI_API_KEY": ""},
        )
        while len(server.requests) < 8 and process.poll() is None:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        # Far less than the 300 s of the calls in flight, and more than a busy machine takes.
        assert process.communicate(timeout=45)[0] == b"interrupted\n"
        server.answer = lambda _request, _number: reply
        result = L3Score().compute(
            questions=[str(number) for number in range(400)],
            predictions=["p"] * 400,
            references=["r"] * 400,
            base_url=server.url,
            judge_cache_dir=tmp_path,
            max_concurrency=100,
            return_details=True,
        )
        assert result is not None
        assert result["cached"].count(True) >= 4


def test_sigterm_stops_the_run_and_keeps_calls_in_flight(tmp_path: Path) -> None:
    script = """
        import sys
        from metrics.l3score.l3score import L3Score
        L3Score().compute(questions=[str(n) for n in range(500)], predictions=["p"] * 500, references=["r"] * 500,
                          base_url=sys.argv[1], judge_cache_dir=sys.argv[2], max_concurrency=8)
    """
    with JudgeServer(lambda _request, _number: Reply(completion(), delay=0.3)) as server:
        command = [sys.executable, "-c", textwrap.dedent(script), server.url, str(tmp_path)]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
        while len(server.requests) < 12 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 128 + signal.SIGTERM
        asked = len(server.requests)
        result = L3Score().compute(
            questions=[str(n) for n in range(500)],
            predictions=["p"] * 500,
            references=["r"] * 500,
            base_url=server.url,
            judge_cache_dir=str(tmp_path),
            dry_run=True,
        )
    assert result is not None
    assert result["cached"] == asked
