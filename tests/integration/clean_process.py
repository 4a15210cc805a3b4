"""Run Python in a new process that shares no cache, token or proxy with this one."""

import os
import subprocess
import sys
from pathlib import Path

from scripts.vendor import ROOT, metric_directories

# All metrics, including ones added later.
METRICS = metric_directories()


def run_clean(home: Path, *arguments: str, **variables: str) -> str:
    """Run Python with its caches in the directory `home` and return what it prints; an error contains its output."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    quiet = {"HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**kept, **quiet, "HOME": str(home), "HF_HOME": str(home / "hf"), "PYTHONPATH": str(ROOT), **variables},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout
