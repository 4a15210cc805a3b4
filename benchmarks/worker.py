"""Worker process for one side of a case, in its own environment: reads commands from standard input as JSON lines.

Standard library only. Started as `python -m benchmarks.worker CASE SIDE` in the root of the repository.
"""

import contextlib
import gc
import importlib.metadata
import json
import os
import pickle
import resource
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.cases import CASES, Case, Side


def side_of(case: Case, name: str) -> Side:
    """Find a side of a case by its name."""
    return next(side for side in (case.ours, *case.peers) if side.name == name)


def peak_memory() -> int:
    """Return the peak memory of this process in bytes.

    On Linux a child inherits the ru_maxrss of its parent, but not VmHWM.
    """
    return _status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def _status(name: str) -> int:
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return 0


def versions(names: list[str]) -> dict[str, str]:
    """Return the versions of the distributions that are installed in this environment."""
    found = {}
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


class Worker:
    """Executes commands for one side of a case."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.run: Any = None
        self.result: Any = None
        self.before = 0

    def execute(self, command: dict[str, Any]) -> Any:
        """Execute one command."""
        match command["do"]:
            case "prepare":
                if self.side.prepare is None:
                    raise ValueError(f"{self.side.name} has nothing to run")
                self.run = self.result = None
                with Path(command["inputs"]).open("rb") as file:
                    inputs = pickle.load(file)  # noqa: S301  # written by this benchmark
                self.run = self.side.prepare(inputs)
                del inputs
                gc.collect()
                with contextlib.suppress(OSError):
                    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
                self.before = _status("VmRSS")
                return None
            case "run":
                self.result = None
                gc.collect()
                start = time.perf_counter()
                self.result = self.run()
                return time.perf_counter() - start
            case "result":
                Path(command["to"]).write_bytes(pickle.dumps(self.result))
                return None
            case "memory":
                return max(peak_memory() - (self.before if command["above"] else 0), 1)
            case "versions":
                return versions(command["names"])
            case unknown:
                raise ValueError(f"unknown command {unknown!r}")


def main() -> None:
    """Execute commands until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of libraries goes to standard error
    case, side = sys.argv[1:]
    worker = Worker(side_of(CASES[case], side))
    for line in sys.stdin:
        print(json.dumps(worker.execute(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
