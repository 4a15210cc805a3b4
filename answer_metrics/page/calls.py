"""Calls of a Space: small ones in threads, large ones in processes that can be ended. Who waits for them is watched."""

import asyncio
import functools
import gzip
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL
from typing import Any
from weakref import WeakValueDictionary

import anyio
import gradio as gr
from gradio.context import LocalContext
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from answer_metrics.files.rows import InputError
from answer_metrics.page.space import Space

SECONDS = 30
# Characters, characters of a text, and pieces between quotes of a call, as JSON, that runs in a thread.
LIGHT, LIGHT_CELL, LIGHT_TEXTS = 60_000, 1_000, 6_000
BODY = 26_000_000  # bytes of a request, which may be an upload in an envelope
OPEN = 8  # large calls of a client that may wait for another of its own; they run one at a time
LISTEN = 10  # seconds until a client must ask for the result of a large call
ASSETS = {path.name: path for path in Path(gr.__file__).parent.glob("templates/frontend/assets/*.*s")}  # .js and .css
LISTENING: WeakValueDictionary[str, Request] = WeakValueDictionary()  # open requests for results, by event or session


class Runner:
    """Runs calls; a large one takes 30 seconds at most, runs after others of its client, and ends when that leaves."""

    def __init__(self, space: Space) -> None:
        self.space = space
        # Not anyio's threads: an idle one keeps the arguments of its last call.
        self.threads = ThreadPoolExecutor(8 if space.judged else 2)
        self.processes = anyio.CapacityLimiter(2)
        self.turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def run(self, caller: gr.Request, method: str, *args: Any) -> Any:
        """Call a method of the Space; an `InputError` says that it failed, took too long, or whose client has left."""
        judged, function = self.space.judged, getattr(self.space, method)
        if is_light(args) and not judged:
            return await self.in_thread(function, *args)
        events = [caller.session_hash, LocalContext.event_id.get(None)]
        with anyio.move_on_after(LISTEN) as asked:
            while not await is_there(caller, events):  # nothing says when
                await anyio.sleep(0.02)
        if asked.cancelled_caught:
            raise InputError("No client waits for the result.")
        turn = self.turns.setdefault(caller.client.host if caller.client else "", anyio.Lock())
        if turn.statistics().tasks_waiting >= OPEN:
            raise InputError(f"{OPEN} large calls of yours are already waiting. Wait for one of them.")
        with anyio.CancelScope() as scope:
            watch = asyncio.ensure_future(end_without(caller, events, scope))
            try:
                async with turn:
                    return await (self.in_thread(function, *args) if judged else self.in_process(method, *args))
            finally:
                watch.cancel()
        raise InputError("The client has left.")

    async def in_process(self, method: str, *args: Any) -> Any:
        """Answer a call in a process, which is ended after 30 seconds, or if this is cancelled."""
        directory = self.space.directory
        code = f"import sys; sys.path[:] = {sys.path!r}; from {Space.__module__} import answer_once; answer_once()"
        command = [sys.executable, "-c", code, str(directory / "app.py")]
        call = json.dumps([method, args]).encode()
        try:
            async with self.processes:
                with anyio.fail_after(SECONDS):
                    process = await anyio.run_process(command, input=call, stderr=DEVNULL, cwd=directory, check=False)
        except TimeoutError:
            message = f"This took more than {SECONDS} seconds. Send fewer or shorter rows, or compute in Python."
            raise InputError(message) from None
        answer = json.loads(process.stdout or b'{"error": "Something went wrong here."}')
        if "error" in answer:
            raise InputError(answer["error"])
        return answer["result"]

    async def in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, function, *args)


async def is_there(caller: gr.Request, events: Sequence[str | None]) -> bool:
    """Return whether a client waits for a result: on the connection of its request, or on a stream of its own."""
    path = caller.request.url.path
    streamed = "/call/" in path or path.endswith("/queue/join")
    waiting = [LISTENING.get(event) for event in events if event] if streamed else [caller.request]
    return any([request is not None and not await request.is_disconnected() for request in waiting])


async def end_without(caller: gr.Request, events: Sequence[str | None], scope: anyio.CancelScope) -> None:
    """Cancel a call when its client has left."""
    while await is_there(caller, events):  # nothing says when
        await anyio.sleep(0.2)
    scope.cancel()


def is_light(value: Any) -> bool:
    """Return whether rows or columns are few and short, so that scoring them takes milliseconds under any option."""
    written = json.dumps(value, ensure_ascii=False).replace("\\\\", "x").replace('\\"', "x")
    texts = written.split('"')
    return len(written) < LIGHT and max(map(len, texts)) < LIGHT_CELL and len(texts) < LIGHT_TEXTS


@functools.cache
def asset(name: str) -> Response:
    """Return a script or style sheet of Gradio, compressed once; Gradio reads and compresses it for each visitor."""
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Cache-Control": "max-age=31536000, immutable"}
    return Response(gzip.compress(ASSETS[name].read_bytes()), media_type=kind, headers=headers)


def guard(app: Any) -> Any:
    """Return middleware that limits all bodies, sends assets, and knows who waits for results: Gradio does not."""

    async def call(scope: Any, receive: Any, send: Any) -> Any:
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > BODY:
                raise HTTPException(413)
            return message

        path = str(scope.get("path"))
        name = path.removeprefix("/assets/")
        if name in ASSETS and b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b""):
            return await asset(name)(scope, counted, send)
        if scope.get("method") == "GET":
            request = Request(scope, counted)  # which must live as long as the call
            session = request.query_params.get("session_hash") if path.endswith("/queue/data") else ""
            LISTENING[session or path.partition("/call/")[2].split("/")[-1]] = request
        return await app(scope, counted, send)

    return call
