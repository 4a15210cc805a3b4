"""`make demo` shows every metric."""

import subprocess
import sys

from scripts.vendor import metric_directories
from tests.conftest import ROOT


def test_quickstart_shows_scores_and_rows_of_every_metric() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "quickstart.py"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    for directory in metric_directories():
        assert f"{directory.name}: 3 of 72 rows" in done.stdout
        assert done.stdout.count(directory.name) >= 2
