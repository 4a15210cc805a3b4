"""Run a published directory as a Space: a copy of it, in a separate process, with its own directories."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from spaces.build import write

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
def running(command: list[str], url: str, log: Path, **options: Any) -> Iterator[int]:
    """Run a server until the block ends, and yield its process id when it answers at `url`."""
    deadline = time.monotonic() + SECONDS
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **options)
    try:
        while True:
            with suppress(OSError), urllib.request.urlopen(url, timeout=5):  # a local address
                break
            assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")[-3000:]
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8", errors="replace")[-3000:]
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def serve(directory: Path, place: Path, code: str = "", **environment: str) -> Iterator[Server]:
    """Start a Space from its built directory, which is not named after the metric; stop it at the end."""
    place.mkdir(exist_ok=True)
    app = place / "space"
    write(directory, app)
    for name in ("home", "tmp"):
        (place / name).mkdir()
    for name in ("scipy", "transformers"):  # a Space does not install them, and evaluate would import them for seconds
        (place / "home" / f"{name}.py").write_text("raise ImportError('not installed')\n", encoding="utf-8")
    port = free_port()
    everything = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(place / "home"),
        "PYTHONPATH": str(place / "home"),
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
    command = [sys.executable, "-c", code] if code else [sys.executable, "app.py"]
    with running(command, url, place / "log.txt", cwd=app, env=everything) as pid:
        yield Server(url, place, pid)
