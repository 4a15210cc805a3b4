"""`make demo` shows every metric, a comparison, and agreement with people."""

import subprocess
import sys

from scripts.vendor import metric_directories
from tests.conftest import ROOT


def test_quickstart_prints_scores_comparison_and_agreement() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "quickstart.py"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    for directory in metric_directories():
        assert directory.name in done.stdout
    for title in ("Is a second system better?", "Agreement with the author", "Where modes of accuracy differ"):
        assert title in done.stdout
