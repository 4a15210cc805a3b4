"""examples/at_scale.py: Ray Data and `datasets` give the scores of `compute`, and metrics work in fresh processes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

CALL = "import pickle, sys; print(pickle.load(sys.stdin.buffer)({'predictions': ['Paris'], 'references': ['paris']}))"


def test_all_four_methods_equal_compute(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "at_scale.py"), "--rows", "3000", "--shards", "3"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["loop", "datasets", "streaming", "ray"]


@pytest.mark.parametrize("pickler", ["pickle", "ray.cloudpickle", "dill"])
@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match"])
def test_score_batch_works_in_a_fresh_process(name: str, pickler: str, metric: Callable[[str], Any]) -> None:
    sent = pytest.importorskip(pickler).dumps(metric(name).score_batch)
    done = subprocess.run([sys.executable, "-c", CALL], input=sent, capture_output=True, timeout=120, check=True)
    assert done.stdout.decode().strip() == str(
        metric(name).score_batch({"predictions": ["Paris"], "references": ["paris"]})
    )
