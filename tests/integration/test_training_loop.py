"""examples/training_loop.py in one process, and in two."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

EXAMPLE = ROOT / "examples" / "training_loop.py"


def _run(tmp_path: Path, *command: str) -> Any:
    logged = tmp_path / "logged.json"
    done = subprocess.run(
        [sys.executable, *command, "--out", str(logged)],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("epoch ") for line in done.stdout.splitlines())
    return json.loads(logged.read_text(encoding="utf-8"))


def test_trainer_logs_increasing_scores(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    history = [entry for entry in _run(tmp_path, str(EXAMPLE)) if "eval_accuracy" in entry]
    assert len(history) == 12
    assert history[0]["eval_accuracy"] < 0.5
    assert history[-1]["eval_accuracy"] > history[0]["eval_accuracy"] + 0.3
    assert all(0 <= entry["eval_exact_match"] <= entry["eval_accuracy"] <= 1 for entry in history)


def test_two_processes_give_the_result_of_one(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    torchrun = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    logged = _run(tmp_path, *torchrun, str(EXAMPLE), "--accelerate")
    assert logged["processes"] == 2
    assert logged["result"]["total"] == 150
    assert logged["result"] == logged["alone"]
    assert logged["history"][-1] > logged["history"][0] + 0.3
