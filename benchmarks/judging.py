"""Shared by the rows of `l3score`: a slow judge on 127.0.0.1, and questions for it."""

import atexit
import shutil
import subprocess
import sys
import tempfile

from benchmarks.environments import ROOT
from benchmarks.inputs import Columns

DELAY = 0.15
"""Latency of the judge in seconds, as of a fast provider."""
IN_FLIGHT = 64


def triplets(size: int) -> Columns:
    """Generate distinct questions with answers of typical length."""
    return {
        "questions": [f"In which year was observatory number {number} of the survey built?" for number in range(size)],
        "predictions": [f"It was built in {1500 + number % 500}." for number in range(size)],
        "references": [f"in {1500 + number % 400}" for number in range(size)],
    }


def start_judge(delay: float = DELAY) -> str:
    """Start a judge in a separate process that is killed at exit; return its base URL."""
    command = [sys.executable, "-m", "tests.judge_server", "--delay", str(delay)]
    judge = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)  # noqa: S603  # our own command
    atexit.register(judge.kill)
    if judge.stdout is None:
        raise RuntimeError("the judge has no output")
    return f"http://127.0.0.1:{int(judge.stdout.readline())}/v1"


def empty_folder() -> str:
    """Create a directory for judgments that is removed when this process ends."""
    folder = tempfile.mkdtemp(prefix="l3score-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
