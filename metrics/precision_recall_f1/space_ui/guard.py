# Vendored: edit metrics/_shared/space_ui/guard.py and run `make vendor`.
"""Filters for requests to Gradio, and for the errors that it logs and returns."""

import inspect
import json
import logging
from collections.abc import Callable
from typing import Any

import gradio as gr

from .rows import InputError
from .space import KEY_HEADER
from .space import log_exception

MAX_BODY = 26_000_000
_REJECTED = {
    "/upload": b"This Space does not store files: the page reads them.",
    "/deep_link": b"This Space does not store sessions.",
    "/component_server": b"This Space has no components.",
}


def check_arguments(endpoint: Callable[..., str], body: bytes) -> dict[str, Any]:
    """Read the arguments of an endpoint from JSON, with their defaults, in their order.

    Raises:
        InputError: If the body isn't a JSON object, or an argument is missing or unknown.
    """
    parameters = inspect.signature(endpoint).parameters
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("The body isn't valid JSON.") from None
    if not isinstance(given, dict):
        raise InputError("The body must be a JSON object with named arguments.")
    known = [name for name in parameters if name != KEY_HEADER]
    missing = [name for name in known if parameters[name].default is inspect.Parameter.empty and name not in given]
    unknown = [str(name)[:40] for name in given if name not in known]
    if missing or unknown:
        wrong = [f"{', '.join(missing)} missing"] if missing else []
        wrong += [f"{', '.join(unknown)} unknown"] if unknown else []
        raise InputError(f"{'; '.join(wrong)}. The arguments are {', '.join(known)}.")
    return {name: given.get(name, parameter.default) for name, parameter in parameters.items()}


def redact_errors(process: Any) -> Any:
    """Keep Gradio's own errors out of the log, since their messages repeat the input."""

    async def quiet(*args: Any, **kwargs: Any) -> Any:
        try:
            return await process(*args, **kwargs)
        except gr.Error as error:
            error.print_exception = False
            raise
        except Exception as error:  # noqa: BLE001  # no error may leak its message
            log_exception(error)
            raise gr.Error(f"The request can't be answered ({type(error).__name__}).", print_exception=False) from None

    return quiet


class NoTracebacks(logging.Filter):
    """Keeps the messages of exceptions out of the server's log: they may repeat what a visitor sent."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the traceback of a record by the type of the exception."""
        if record.exc_info and record.exc_info[0]:
            record.msg, record.args = f"{record.exc_info[0].__name__} while answering a request", ()
            record.exc_info = None
        return True


class RequestLimitMiddleware:
    """Rejects Gradio routes that a Space does not use, oversized bodies, and calls with wrong arguments."""

    def __init__(self, app: Any, endpoints: dict[str, Callable[..., str]] | None = None) -> None:
        self.app = app
        self.endpoints = endpoints or {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope.get("path", "").rstrip("/")
        length = dict(scope.get("headers") or ()).get(b"content-length", b"0")
        if length.isdigit() and int(length) > MAX_BODY:
            await _reject(send, 413, b"Too large.")
            return
        rejection = next((text for end, text in _REJECTED.items() if path.endswith(f"/gradio_api{end}")), None)
        if rejection is not None:
            await _reject(send, 403, rejection)
            return
        endpoint = self.endpoints.get(path.rpartition("/gradio_api/call/v2/")[2]) if "/call/v2/" in path else None
        if scope.get("method") == "POST" and endpoint is not None:
            receive = await self._checked(endpoint, receive, send)
            if receive is None:
                return
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= MAX_BODY else {"type": "http.disconnect"}

        await self.app(scope, counted, send)

    async def _checked(self, endpoint: Callable[..., str], receive: Any, send: Any) -> Any:
        """Read the body, reject it if its arguments are wrong, else return a `receive` that replays it."""
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False) and message["type"] == "http.request"
            if len(body) > MAX_BODY:
                await _reject(send, 413, b"Too large.")
                return None
        try:
            check_arguments(endpoint, body)
        except InputError as error:
            content = json.dumps({"error": str(error)}).encode()
            await _reject(send, 422, content, b"application/json")
            return None
        pending = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Any:
            return pending.pop() if pending else await receive()

        return replay


async def _reject(send: Any, status: int, body: bytes, kind: bytes = b"text/plain") -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]})
    await send({"type": "http.response.body", "body": body})
