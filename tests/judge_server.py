"""A judge on 127.0.0.1 with the parts of the OpenAI chat API that the metric uses, and configurable errors."""

import argparse
import asyncio
import json
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

Top = list[tuple[str, float]]
YES: Top = [("Yes", -0.1), ("No", -2.4), (" yes", -6.0), ("Y", -8.0), ("The", -9.0)]


@dataclass(frozen=True)
class Reply:
    """A response: status, headers and body after a delay, or a broken connection.

    It waits until `until` is true. With `drip`, the bytes come one by one, `drip` seconds apart; with `short`, all but
    the last.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    until: Callable[[], bool] = lambda: True
    broken: bool = False
    drip: float = 0.0
    short: bool = False

    def encoded(self) -> bytes:
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        headers = {"content-type": "application/json", **self.headers, "content-length": str(len(body))}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def completion(top: Top = YES, **changes: Any) -> dict[str, Any]:
    """A chat completion with these candidates for its first token; `changes` replace fields of the body."""
    candidates = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in top]
    chosen = {**candidates[0], "top_logprobs": candidates} if candidates else {"token": "", "top_logprobs": []}
    choice = {
        "index": 0,
        "finish_reason": "length",
        "message": {"role": "assistant", "content": chosen["token"]},
        "logprobs": {"content": [chosen]},
    }
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "judge-2026-11-01",
        "system_fingerprint": "fp_1", "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101}, **changes,
    }  # fmt: skip


def error(status: int, message: str, *, code: str | None = None, param: str | None = None, **headers: str) -> Reply:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"error": {"message": message, "type": "x", "param": param, "code": code}}, status, names)


class JudgeServer:
    """Serves `answer(request, number)` on a free port of 127.0.0.1 while the `with` block lasts.

    `requests` are the JSON bodies received, `headers` their header blocks; `connections` have been made, `connected`
    are open.
    """

    def __init__(
        self,
        answer: Callable[[dict[str, Any], int], Reply] | None = None,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._tls = tls
        self.connections = self.connected = 0
        self.answer = answer or (lambda _request, _number: Reply(completion()))
        self.port = port
        self.requests: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.most_at_once = self._at_once = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def prompts(self) -> list[str]:
        return [request["messages"][0]["content"] for request in self.requests]

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        starting = asyncio.start_server(self._serve, "127.0.0.1", self.port, backlog=512, ssl=self._tls)
        server = self._loop.run_until_complete(starting)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.connected += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                lines = head.lower().split("\r\n")
                length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length"))
                request = json.loads(await reader.readexactly(length))
                self.requests.append(request)
                self.headers.append(head)
                self._at_once += 1
                self.most_at_once = max(self.most_at_once, self._at_once)
                try:
                    reply = self.answer(request, len(self.requests))
                    await asyncio.sleep(reply.delay)
                    while not reply.until():  # set in any thread
                        await asyncio.sleep(0.002)
                finally:
                    self._at_once -= 1
                if reply.broken:
                    return
                encoded = reply.encoded()[: -1 if reply.short else None]
                for start in range(0, len(encoded), 1 if reply.drip else len(encoded)):
                    writer.write(encoded[start : start + 1] if reply.drip else encoded)
                    await writer.drain()
                    await asyncio.sleep(reply.drip)
                if reply.short:
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self.connected -= 1
            writer.close()


def main() -> None:
    """Serve Yes to every request after a fixed delay, in a separate process; print the port."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--delay", type=float, default=0.15)
    delay = parser.parse_args().delay
    reply = Reply(completion(), delay=delay)
    with JudgeServer(lambda _request, _number: reply) as server:
        print(server.port, flush=True)  # the caller reads it
        threading.Event().wait()


if __name__ == "__main__":
    main()
