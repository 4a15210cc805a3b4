"""examples/inspect_scorer.py, with the real inspect-ai in a separate environment, whose pins exclude ours."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

INSPECT = "inspect-ai==0.3.285"


def test_scores_agree_between_metric_inspect_and_exchange_file(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    requirements = ROOT / "metrics" / "accuracy" / "requirements.txt"
    subprocess.run([python, "-m", "pip", "install", "--quiet", INSPECT, "--requirement", requirements], check=True)
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [python, ROOT / "examples" / "inspect_scorer.py"],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = [re.findall(r"\d\.\d{4}", line) for line in done.stdout.splitlines()]
    assert len(figures) == 3
    assert len(figures[0]) == 3
    assert figures[0] == figures[1] == figures[2]
