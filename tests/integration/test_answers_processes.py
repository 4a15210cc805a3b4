"""Answers in other processes, and interrupted: Math-Verify leaves none behind, choices travel, what hangs ends."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

PATH = str(ROOT / "metrics" / "accuracy")
EQUIVALENT = {"predictions": [r"\boxed{x+1}", r"\boxed{2x}", "no"], "references": ["1+x", "x+1", "y"]}
BEGIN = f"""
import evaluate, json, multiprocessing, sys, threading, time
accuracy = evaluate.load({PATH!r}, preset="math", return_confidence=False)
rows = {EQUIVALENT!r}
"""
RAY = """
import ray
ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=100_000_000)
data = ray.data.from_items([dict(zip(rows, row)) for row in zip(*rows.values())] * 4)
scored = data.map_batches(accuracy.score_batch, batch_size=6, batch_format="pyarrow")
print(accuracy.aggregate(scored.iter_batches(batch_format="pyarrow"))["match_types"])
"""
SPAWN = """
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(accuracy.aggregate(pool.map(accuracy.score_batch, [rows] * 4))["match_types"])
"""
THREADS = """
batches = {}
def score(place):
    batches[place] = accuracy.score_batch(rows)
threads = [threading.Thread(target=score, args=[place]) for place in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(accuracy.aggregate(batches.values())["match_types"])
"""
# Expressions that explode keep the workers busy; of 450 pairs, several at a time.
INTERRUPTED = """
slow = [r"\\boxed{9^{9^{9^%d}}}" % (9 + place) for place in range(int(sys.argv[1]))]
print("asking", flush=True)
try:
    accuracy.compute(predictions=slow, references=["10"] * len(slow))
except KeyboardInterrupt:
    print("interrupted")
print(accuracy.compute(**rows)["match_types"] * 4)
"""
HANGING = """
def equivalent(prediction, reference):
    print("asking", flush=True)
    while True:
        pass
accuracy.compute(**rows, preset=None, equivalent=equivalent)
"""


class Program:
    """A Python program, and the processes that it starts: they inherit a mark in their environment."""

    def __init__(self, directory: Path, code: str, *arguments: str) -> None:
        self._mark = f"TEST_MARK={uuid.uuid4().hex}"
        script = directory / "program.py"
        script.write_text(BEGIN + code, encoding="utf-8")
        name, _, value = self._mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, str(script), *arguments],
            env={**os.environ, name: value, "RAY_USAGE_STATS_ENABLED": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=directory,
        )

    def alive(self) -> list[int]:
        alive = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if self._mark.encode() in path.read_bytes():
                    alive.append(int(path.parent.name))
            except OSError:
                continue  # it has ended
        return alive

    def wait_for(self, condition: Any) -> None:
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        raise TimeoutError(self.alive())


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    """Start programs; at the end, fail if one has left a process behind."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("no /proc")
    started = []

    def run(code: str, *arguments: str) -> Program:
        started.append(Program(tmp_path, code, *arguments))
        return started[-1]

    yield run
    for program in started:
        try:
            program.process.wait(timeout=60)
            program.wait_for(lambda program=program: not program.alive())
        finally:
            for pid in program.alive():
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("code", [RAY, SPAWN, THREADS], ids=["Ray", "spawn", "threads"])
def test_math_verify_works_in_every_kind_of_process_and_leaves_none(start: Any, code: str) -> None:
    if code is RAY:
        pytest.importorskip("ray")
    printed, errors = start(code).process.communicate(timeout=300)
    assert printed.splitlines()[-1:] == [str(["equivalent", "none", "none"] * 4)], errors


@pytest.mark.parametrize("pairs", [2, 450])
def test_interrupted_cell_leaves_no_process_and_the_next_one_works(start: Any, pairs: int) -> None:
    program = start(INTERRUPTED, str(pairs))
    assert program.process.stdout.readline() == "asking\n"
    program.wait_for(lambda: len(program.alive()) > 1)
    time.sleep(1)  # into the question
    program.process.send_signal(signal.SIGINT)
    printed, errors = program.process.communicate(timeout=120)
    assert printed.splitlines() == ["interrupted", str(["equivalent", "none", "none"] * 4)], errors


def test_function_that_hangs_is_interrupted(start: Any) -> None:
    program = start(HANGING)
    assert program.process.stdout.readline() == "asking\n"
    program.process.send_signal(signal.SIGINT)
    _, errors = program.process.communicate(timeout=60)
    assert program.process.returncode
    assert errors.rstrip().endswith("KeyboardInterrupt")
