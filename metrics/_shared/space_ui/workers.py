"""Processes for calls that take long: they can be ended, and they leave the others their share of the machine.

A process runs `python -m space_ui.workers app.py`, loads the metric once, and answers one request after the other: over
its standard input and output, each message with its length in front.
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
_START = 60.0  # seconds that a process may take to load its metric
WAITING = 9
"""Calls that may wait for a process. Each holds one of the server's 40 threads, which light calls need too."""


class OverdueError(InputError):
    """A call took too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took more than {seconds:.0f} seconds. Send fewer or shorter rows, or compute in Python: see the tab "
            "Python & API."
        )


class BusyError(InputError):
    """As many calls as may wait are waiting."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The Space is busy with other large calls. Try again in {seconds:.0f} seconds.")


class Worker:
    """One process."""

    def __init__(self, script: Path) -> None:
        paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(  # noqa: S603  # this file, on the page's own script
            [sys.executable, "-m", "space_ui.workers", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self.is_ready = False

    def ask(self, operation: str, payload: bytes, seconds: float) -> bytes:
        """Send a request and wait for the answer.

        Raises:
            OverdueError: If it takes too long; the process has ended then.
        """
        limit = seconds if self.is_ready else seconds + _START
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
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are pipes


class WorkerPool:
    """Some processes that share the calls; started when they are first needed."""

    def __init__(self, script: Path, size: int = 3, seconds: float = SECONDS, waiting: int = WAITING) -> None:
        self._script, self._seconds = script, seconds
        self._places = threading.BoundedSemaphore(size + waiting)
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        for _ in range(size):
            self._idle.put(None)

    def run(self, operation: str, payload: bytes) -> bytes:
        """Have a request answered.

        Raises:
            BusyError: If all processes stay busy, or too many calls wait for them already.
            OverdueError: If it takes too long.
        """
        if not self._places.acquire(blocking=False):
            raise BusyError(self._seconds)
        try:
            return self._answer(operation, payload)
        finally:
            self._places.release()

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
        """Start one process, so that the first large call needs not wait for it."""
        with contextlib.suppress(InputError):
            self.run("ping", b"")

    def end(self) -> None:
        """End all processes that are idle."""
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
    """Load what an app.py describes.

    Raises:
        LookupError: If it describes nothing.
    """
    spec = importlib.util.spec_from_file_location("space_app", script)
    if spec is None or spec.loader is None:
        raise LookupError(f"{script} is not a Python file")
    module = sys.modules["space_app"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for value in vars(module).values():
        if isinstance(value, Space):
            return value
    raise LookupError(f"{script} describes no Space")


def answer(space: Space, operation: str, payload: bytes) -> bytes:
    """Answer one request: `score` as the page asks, `call` and `compare` as programs do."""
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
    """End this process when the page has ended, even in the middle of a call."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main(script: Path) -> None:
    """Answer requests until the page ends."""
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
