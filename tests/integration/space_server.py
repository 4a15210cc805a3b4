"""Run a published directory as a Space: a copy of it, in a separate process, with its own directories."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

SECONDS = 120


class Server(NamedTuple):
    """A running Space."""

    url: str
    place: Path
    """Directory of the process: its home, temporary files and log."""
    pid: int


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serve(directory: Path, place: Path, code: str = "", **environment: str) -> Iterator[Server]:
    """Start a Space from a copy of its directory, which is not named after the metric; stop it at the end."""
    place.mkdir(exist_ok=True)
    app = place / "space"
    shutil.copytree(directory, app, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("home", "tmp"):
        (place / name).mkdir()
    port = free_port()
    everything = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
        "GRADIO_SERVER_PORT": str(port),
        # Nothing listens there: requests to other hosts fail at once.
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    url = f"http://127.0.0.1:{port}"
    with (place / "log.txt").open("wb") as log:
        command = [sys.executable, "-c", code] if code else [sys.executable, "app.py"]
        process = subprocess.Popen(command, cwd=app, env=everything, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait(url, process, place / "log.txt")
            yield Server(url, place, process.pid)
        finally:
            process.terminate()
            process.wait(30)


def _wait(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310  # a local address
                return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"the Space did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-3000:]}")
