"""Measure a Space under load: `make load-test [METRIC=accuracy]` prints latency, memory and cold start.

Visitors are threads of this process, each with its own table of 200 rows and its expected score. Targets: 64 concurrent
visitors with a 95th percentile under a second and no wrong score, memory within 10% after 5,000 calls, first page in 6
seconds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles

from tests.integration.space_server import Server
from tests.integration.space_server import serve

ROOT = Path(__file__).resolve().parents[1]
ROWS = 200


class Visitors:
    """Visitors of a Space, one per thread; each keeps its connection open, like a browser."""

    def __init__(self, server: Server, count: int) -> None:
        self._address = server.url.removeprefix("http://")
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(count)

    def ask(self, visitor: int) -> tuple[float, bool]:
        """Score the table of a visitor, and return the seconds and whether the score is right."""
        right = visitor % (ROWS + 1)
        rows = [[f"answer {visitor} {row}", f"Answer {visitor} {row if row < right else 'x'}"] for row in range(ROWS)]
        body = json.dumps({"rows": rows, "options": {}}).encode()
        started = time.monotonic()
        if not hasattr(self._local, "connection"):
            self._local.connection = HTTPConnection(self._address, timeout=120)
        self._local.connection.request("POST", "/space/score", body, {"Content-Type": "application/json"})
        content = self._local.connection.getresponse().read()
        seconds = time.monotonic() - started
        return seconds, json.loads(content)["scores"][0]["value"] == right / ROWS

    def ask_all(self, calls: int) -> list[tuple[float, bool]]:
        """Make this many calls, with all visitors concurrently."""
        return list(self._pool.map(self.ask, range(calls)))


def memory_of(port: str) -> float:
    """Return the resident megabytes of the process that listens on a port."""
    listing = subprocess.run(["ps", "-eo", "pid,rss,args"], capture_output=True, text=True, check=True).stdout  # noqa: S607
    for line in listing.splitlines()[1:]:
        pid, size, command = line.split(None, 2)
        environment = Path(f"/proc/{pid}/environ")
        if command.endswith("app.py") and f"GRADIO_SERVER_PORT={port}".encode() in environment.read_bytes():
            return int(size) / 1024
    raise LookupError(port)


def main(arguments: argparse.Namespace) -> int:
    """Run the measurements and print them."""
    with tempfile.TemporaryDirectory() as scratch:
        started = time.monotonic()
        directory = ROOT / "metrics" / arguments.metric
        with serve(directory, Path(scratch) / "run") as server:
            print(f"cold start {time.monotonic() - started:.1f} s")
            visitors = Visitors(server, arguments.visitors)
            port = server.url.rpartition(":")[2]
            visitors.ask_all(500)
            before = memory_of(port)
            answers = visitors.ask_all(arguments.visitors * 10)
            waits = quantiles([seconds for seconds, _ in answers], n=20)
            wrong = sum(not right for _, right in answers)
            shown = f"median {waits[9]:.2f} s, p95 {waits[18]:.2f} s, {wrong} wrong"
            print(f"{arguments.visitors} visitors x {ROWS} rows: {shown}")
            wrong += sum(not right for _, right in visitors.ask_all(arguments.calls))
            after = memory_of(port)
            print(f"memory {before:.0f} MB, after {arguments.calls:,} calls {after:.0f} MB ({after / before - 1:+.1%})")
    return int(wrong > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure a Space under load.")
    parser.add_argument("metric", nargs="?", default="accuracy")
    parser.add_argument("--visitors", type=int, default=64)
    parser.add_argument("--calls", type=int, default=5000)
    os.chdir(ROOT)
    sys.exit(main(parser.parse_args()))
