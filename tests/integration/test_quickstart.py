"""`make demo` shows every metric that there is."""

import subprocess
import sys

from scripts.vendor import metric_directories
from tests.conftest import ROOT


def test_quickstart() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "quickstart.py"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    for directory in metric_directories():
        assert f"{directory.name}: 3 telling rows" in done.stdout
        assert done.stdout.count(directory.name) >= 2
