"""Checks that the files of a Space work in isolation: the metric loads and computes, the app starts.

Both run in separate processes, from a copy of exactly the published files, without network, token or key.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.vendor import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spaces.plans import SpaceFiles

SMOKE_TEST = Path(__file__).with_name("smoke_test.py")
LOAD_SECONDS = 300
START_SECONDS = 120
NOWHERE = "http://127.0.0.1:9"  # nothing listens there, so requests to other hosts fail immediately


def check_isolated(name: str, space: SpaceFiles) -> list[str]:
    """Return the problems found when the files of a Space are run in isolation, one sentence each.

    Args:
        name: The name of the directory and of the metric's script.
        space: The published files; the app of a Gradio Space is started.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy" / name
        for path, content in space.files.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(content)
        found = [*_check_load(copy, Path(scratch))] if f"{name}.py" in space.files else []
        if space.sdk == "gradio" and not found:
            found += _check_start(copy, Path(scratch))
    return found


def _check_load(copy: Path, home: Path) -> Iterator[str]:
    try:
        done = subprocess.run(  # noqa: S603  # our own script on files that are about to be published
            [sys.executable, "-P", str(SMOKE_TEST), str(copy)],
            env=_environment(home),
            cwd=home,
            capture_output=True,
            text=True,
            timeout=LOAD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        yield f"{copy.name}: an isolated copy did not load and compute within {LOAD_SECONDS} seconds"
        return
    if done.returncode:
        yield f"{copy.name}: an isolated copy does not load and compute: {_last_line(done.stderr)}"


def _check_start(copy: Path, home: Path) -> Iterator[str]:
    port = _free_port()
    # The gallery loads the metrics of its owner; here it loads those of the checkout.
    settings = {"GRADIO_SERVER_PORT": str(port), "METRICS": str(ROOT / "metrics")}
    log = home / "log.txt"
    with _process(["app.py"], copy, _environment(home) | settings, log) as process:
        deadline = time.monotonic() + START_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            if _answers(f"http://127.0.0.1:{port}"):
                return
            time.sleep(0.2)
        ended = process.poll() is not None
    if ended:
        yield f"{copy.name}: app.py does not start: {_last_line(log.read_text(encoding='utf-8', errors='replace'))}"
    else:
        yield f"{copy.name}: app.py shows no page after {START_SECONDS} seconds"


@contextmanager
def _process(
    arguments: list[str], cwd: Path, environment: dict[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  # as above
            [sys.executable, *arguments], cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):  # noqa: S310  # an address of this machine
            return True
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _environment(home: Path) -> dict[str, str]:
    """Return the environment variables of an isolated process: separate caches, no tokens and no keys."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE}
    directories = {"HOME": str(home), "HF_HOME": str(home / "hf"), "NO_PROXY": "127.0.0.1,localhost"}
    return kept | offline | directories | {"PYTHONDONTWRITEBYTECODE": "1", "GRADIO_ANALYTICS_ENABLED": "False"}


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]
