"""Run Python in a new process."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from spaces.build import metric_directories
from spaces.flatten import ROOT

# All metrics, including ones added later.
METRICS = metric_directories()


def run_python(*arguments: str, cwd: Path = ROOT, **variables: str) -> str:
    """Run Python in a new process and return what it prints; an error contains its output."""
    return _run(arguments, cwd, {**os.environ, **variables})


def run_clean(home: Path, *arguments: str, **variables: str) -> str:
    """Run Python with its caches in the directory `home`, and nothing else of this process."""
    home.mkdir(parents=True, exist_ok=True)
    inherited = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    quiet = {"HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    caches = {"HOME": str(home), "HF_HOME": str(home / "hf"), "PYTHONPATH": str(ROOT)}
    return _run(arguments, home, {**inherited, **quiet, **caches, **variables})


def _run(arguments: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout
