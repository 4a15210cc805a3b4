"""Load a metric in a new process that shares no cache, token or proxy with this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from scripts.vendor import metric_directories
from spaces import smoke_test

# All metrics, including ones added later.
METRICS = metric_directories()


def sdk_of(directory: Path) -> str | None:
    """Return how a metric can be published: by the SDK of its card, or as a static page if it has no form yet."""
    return None if (directory / "app.py").is_file() else "static"


@cache
def computed_locally(directory: Path) -> dict[str, Any]:
    """Return the result of the metric loaded from its directory; computed once per test run."""
    with tempfile.TemporaryDirectory() as home:
        return load_and_compute(str(directory), Path(home), HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1")


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment variables of a clean process, with its caches below `home`."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    quiet = {"HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    return {**kept, **quiet, "HOME": str(home), "HF_HOME": str(home / "hf"), **more}


def load_and_compute(path: str, home: Path, *, revision: str | None = None, **more: str) -> dict[str, Any]:
    """Run `spaces/smoke_test.py` in a clean process and return the result; an error contains its output."""
    arguments = [path] if revision is None else [path, revision]
    done = subprocess.run(
        [sys.executable, smoke_test.__file__, *arguments],
        env=environment(home, **more),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout)
    return result
