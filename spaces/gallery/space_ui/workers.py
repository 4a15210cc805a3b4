# Vendored: edit metrics/_shared/space_ui/workers.py and run `make vendor`.
"""Worker processes for long calls: they can be killed, and run at low priority.

A process runs `python -m space_ui.workers app.py`, loads the metric once, and handles requests one at a time over its
standard input and output, as length-prefixed messages.
"""

import contextlib
import importlib.util
import json
import os
import queue
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from typing import BinaryIO

from .rows import InputError
from .space import SECONDS
from .space import Space

_LENGTH = struct.Struct(">Q")
_START_SECONDS = 60.0  # time limit for loading the metric
WAITING = 9
"""Calls that may wait for a process. Each blocks one of the server's 40 threads, which light calls need too."""


class OverdueError(InputError):
    """A call took too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took more than {seconds:.0f} seconds. Send fewer or shorter rows, or compute in Python: see the tab "
            "Python & API."
        )


class BusyError(InputError):
    """Too many calls are waiting."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The Space is busy with other large calls. Try again in {seconds:.0f} seconds.")


class Worker:
    """A worker process."""

    def __init__(self, script: Path) -> None:
        paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(  # noqa: S603  # runs this module
            [sys.executable, "-m", "space_ui.workers", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self.is_ready = False

    def ask(self, operation: str, payload: bytes, seconds: float) -> bytes:
        """Send a request and wait for the response.

        Raises:
            OverdueError: If it takes too long; the process is killed then.
        """
        limit = seconds if self.is_ready else seconds + _START_SECONDS
        timer = threading.Timer(limit, self._process.kill)
        timer.start()
        try:
            write_message(self._process.stdin, operation.encode() + b"\n" + payload)
            answer = read_message(self._process.stdout)
        except (OSError, EOFError):
            self.end()
            raise OverdueError(seconds) from None
        finally:
            timer.cancel()
        self.is_ready = True
        return answer

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are pipes


class WorkerPool:
    """A pool of worker processes, started on demand."""

    def __init__(self, script: Path, size: int = 3, seconds: float = SECONDS, waiting: int = WAITING) -> None:
        self._script, self._seconds = script, seconds
        self._slots = threading.BoundedSemaphore(size + waiting)
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        for _ in range(size):
            self._idle.put(None)

    def run(self, operation: str, payload: bytes) -> bytes:
        """Run a request in a worker process.

        Raises:
            BusyError: If no process becomes free in time, or too many calls are waiting.
            OverdueError: If it takes too long.
        """
        if not self._slots.acquire(blocking=False):
            raise BusyError(self._seconds)
        try:
            return self._answer(operation, payload)
        finally:
            self._slots.release()

    def _answer(self, operation: str, payload: bytes) -> bytes:
        try:
            worker = self._idle.get(timeout=self._seconds)
        except queue.Empty:
            raise BusyError(self._seconds) from None
        try:
            worker = worker or Worker(self._script)
            answer = worker.ask(operation, payload, self._seconds)
        except InputError:
            worker = None
            raise
        finally:
            self._idle.put(worker)
        return answer

    def warm_up(self) -> None:
        """Start one process, so that the first large call need not wait for it."""
        with contextlib.suppress(InputError):
            self.run("ping", b"")

    def end(self) -> None:
        """Kill all idle processes."""
        with contextlib.suppress(queue.Empty):
            while True:
                worker = self._idle.get_nowait()
                if worker:
                    worker.end()


def write_message(stream: BinaryIO | Any, content: bytes) -> None:
    """Write one message."""
    stream.write(_LENGTH.pack(len(content)) + content)
    stream.flush()


def read_message(stream: BinaryIO | Any) -> bytes:
    """Read one message.

    Raises:
        EOFError: If the other side has ended.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    content: bytes = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content


def load_space(script: Path) -> Space:
    """Load the Space that an app.py defines.

    Raises:
        LookupError: If it defines none.
    """
    spec = importlib.util.spec_from_file_location("space_app", script)
    if spec is None or spec.loader is None:
        raise LookupError(f"{script} is not a Python file")
    module = sys.modules["space_app"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for value in vars(module).values():
        if isinstance(value, Space):
            return value
    raise LookupError(f"{script} defines no Space")


def answer(space: Space, operation: str, payload: bytes) -> bytes:
    """Handle one request: `score` of the page, or an API `call` or `compare`."""
    if operation == "ping":
        return b"{}"
    if operation == "score":
        status, content = space.respond(payload)
    else:
        arguments = json.loads(payload)
        call = space.compare if operation == "compare" else space.call
        status, content = space.guard(lambda: {"result": call(**arguments)})
    return json.dumps({"status": status, "content": content}).encode()


def _end_with(parent: int) -> None:
    """Exit when the server has exited, even in the middle of a call."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main(script: Path) -> None:
    """Handle requests until the server exits."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing else may write between the messages
    if hasattr(os, "nice"):
        os.nice(10)
    space = load_space(script)
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            operation, _, payload = read_message(source).partition(b"\n")
            write_message(target, answer(space, operation.decode(), payload))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
