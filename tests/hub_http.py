"""The loopback Hub over HTTP: its log, its answers and error answers, and the handler of http.server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from dataclasses import field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.loopback_hub import LoopbackHub


@dataclass(frozen=True)
class Request:
    """One line of the server's log. The token is not stored, only whether one was sent."""

    method: str
    path: str
    status: int
    with_token: bool


class Refusal(Exception):  # noqa: N818  # an answer that ends the handling of a request, not a fault
    """An HTTP error answer, in the headers and body that huggingface_hub reads."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code


@dataclass(frozen=True)
class Answer:
    """The response to a request: JSON (`body` not bytes) or a file."""

    body: object
    headers: Mapping[str, str] = field(default_factory=dict)


def handler_of(hub: LoopbackHub) -> type[BaseHTTPRequestHandler]:
    """Return a handler class for this Hub: http.server takes only a class and creates the objects."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # headers and body are two writes: the second would wait 40 ms for the first

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            authorization = self.headers.get("Authorization")
            status: int = HTTPStatus.OK
            try:
                answer = hub.handle(self.command, self.path, authorization, body)
            except Refusal as refusal:
                status = refusal.status
                headers = {"X-Error-Message": refusal.message}
                if refusal.code is not None:
                    headers["X-Error-Code"] = refusal.code
                answer = Answer({"error": refusal.message, "errors": [{"message": refusal.message}]}, headers)
            hub.log.append(Request(self.command, self.path, status, with_token=authorization is not None))
            is_file = isinstance(answer.body, bytes)
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8" if is_file else "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_HEAD = do_POST = _answer  # noqa: N815  # http.server's names

        def log_message(self, *_: object) -> None:
            """Print nothing to stderr: the log is `hub.log`."""

    return Handler
