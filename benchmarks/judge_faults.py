"""Behavior of l3score when a judge fails: the table of docs/judges.md, measured against a local server process.

    python -m benchmarks.judge_faults [row ...]

Every row starts a server on 127.0.0.1 that fails in one way, judges prompts with it, and prints the outcome. Nothing is
sent to other hosts.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

from tests.judge_server import JudgeServer, Reply, completion, error

ROOT = Path(__file__).resolve().parents[1]
LATENCY = 0.15
Answer = Callable[[dict[str, Any], int], Reply]


# ---- the server


def prompt_number(request: dict[str, Any]) -> int:
    """Return the number of the question in a request."""
    found = request["messages"][0]["content"].partition("question ")[2].split("\n")[0]
    return int(found) if found.isdecimal() else -1


def refuse_one_prompt(status: int) -> Answer:
    """Refuse the first prompt, with an HTTP status."""
    refusal = error(status, "the input was flagged by moderation" if status == 403 else "no")  # noqa: PLR2004  # HTTP
    return lambda request, _number: refusal if prompt_number(request) == 0 else Reply(completion())


def failing_block(request: dict[str, Any], _number: int) -> Reply:
    """Always fail for 40 consecutive prompts."""
    return error(500, "internal error") if 100 <= prompt_number(request) < 140 else Reply(completion(), delay=0.02)  # noqa: PLR2004


class RateLimit:
    """A token bucket with a rate per minute and a burst size; `style` selects the headers of its refusals."""

    def __init__(self, per_minute: float, burst: float, style: str) -> None:
        self.rate, self.burst, self.style = per_minute / 60, burst, style
        self.level, self.updated = burst, time.monotonic()

    def __call__(self, _request: dict[str, Any], _number: int) -> Reply:
        """Return a completion, or 429 when the bucket is empty."""
        now = time.monotonic()
        if self.style == "window":
            if now - self.updated >= 60 / 10:
                self.level, self.updated = self.rate * 6, now
        else:
            self.level, self.updated = min(self.burst, self.level + (now - self.updated) * self.rate), now
        headers = {}
        if self.style == "headers":
            headers = {
                "x-ratelimit-limit-requests": str(int(self.rate * 60)),
                "x-ratelimit-remaining-requests": str(int(max(0, self.level - 1))),
                "x-ratelimit-reset-requests": f"{(self.rate * 60 - self.level + 1) / self.rate:.3f}s",
            }
        if self.level >= 1:
            self.level -= 1
            return Reply(completion(), headers=headers, delay=LATENCY)
        if self.style == "precise":
            headers["retry-after-ms"] = str(max(1, int((1 - self.level) / self.rate * 1000)))
        elif self.style == "window":
            headers["retry-after"] = str(max(1, round(self.updated + 6 - now)))
        elif self.style == "seconds":
            headers["retry-after"] = "1"
        return Reply(error(429, "slow down").body, 429, headers, delay=LATENCY)


def needs_four_tokens(request: dict[str, Any], _number: int) -> Reply:
    """Refuse a limit of fewer than four output tokens, as some models do."""
    limit = request.get("max_completion_tokens") or request.get("max_tokens") or 0
    if limit < 4:  # noqa: PLR2004
        message = "Could not finish the message because max_tokens or model output limit was reached."
        return error(400, f"{message} Please try again with higher max_tokens.")
    return Reply(completion(), delay=0.05)


def late_hidden_tokens(_request: dict[str, Any], number: int) -> Reply:
    """Bill 3,000 more input and 500 more output tokens after the hundredth call."""
    late = number > 100  # noqa: PLR2004
    usage = {"prompt_tokens": 60 + 3000 * late, "completion_tokens": 1 + 500 * late}
    return Reply(completion(usage=usage), delay=LATENCY)


ANSWERS: dict[str, Callable[[], Answer]] = {
    "plain": lambda: lambda _request, _number: Reply(completion(), delay=LATENCY),
    "quick": lambda: lambda _request, _number: Reply(completion(), delay=0.02),
    "drip": lambda: lambda _request, _number: Reply(completion(), drip=0.2),
    "block": lambda: failing_block,
    "four": lambda: needs_four_tokens,
    "late": lambda: late_hidden_tokens,
    **{f"flagged-{status}": lambda status=status: refuse_one_prompt(status) for status in (402, 403, 404, 412)},  # type: ignore[misc]
    **{
        f"rate-{style}-{burst}": lambda style=style, burst=burst: RateLimit(500, burst, style)  # type: ignore[misc]
        for style in ("bare", "precise", "seconds", "headers", "window")
        for burst in (1, 10, 50)
    },
}


def serve(name: str) -> None:
    """Serve until standard input is closed, then print a report of the requests."""
    answer = ANSWERS[name]()
    statuses: Counter[int] = Counter()
    usage = Counter({"prompt_tokens": 0, "completion_tokens": 0})

    def counted(request: dict[str, Any], number: int) -> Reply:
        reply = answer(request, number)
        statuses[reply.status] += 1
        if reply.status == 200:  # noqa: PLR2004  # HTTP
            usage.update({name: reply.body["usage"][name] for name in usage})
        return reply

    with JudgeServer(counted) as server:
        print(server.port, flush=True)
        sys.stdin.read()
        prompts = Counter(map(prompt_number, server.requests))
        print(json.dumps({"statuses": statuses, "usage": usage, "calls": len(server.requests), "prompts": prompts}))


class Server:
    """A server in a separate process."""

    def __init__(self, name: str) -> None:
        self.report: dict[str, Any] = {}
        command = [sys.executable, "-m", "benchmarks.judge_faults", "--serve", name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)  # noqa: S603

    def __enter__(self) -> Self:
        assert self._process.stdout is not None  # noqa: S101
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"
        return self

    def __exit__(self, *_exception: object) -> None:
        self.report = json.loads(self._process.communicate("")[0])


# ---- the rows


def questions(count: int) -> dict[str, list[str]]:
    """Generate distinct examples."""
    return {
        "questions": [f"question {n}" for n in range(count)],
        "predictions": ["p"] * count,
        "references": ["r"] * count,
    }


def compute(count: int, **options: Any) -> dict[str, Any]:
    """Judge examples, with an empty store unless a directory is given."""
    import evaluate

    from metrics.l3score.l3score import L3Score

    evaluate.disable_progress_bar()
    with warnings.catch_warnings(), contextlib.ExitStack() as stack:
        warnings.simplefilter("ignore")
        folder = options.pop("judge_cache_dir", None) or stack.enter_context(tempfile.TemporaryDirectory())
        base = {"model": "gpt-4o-mini", "judge_cache_dir": folder, "on_error": "skip", "return_details": True}
        return dict(L3Score().compute(**questions(count), **{**base, **options}) or {})


def one_refused_prompt() -> Iterator[str]:
    """One refused prompt of 50."""
    for status in (403, 402, 404, 412):
        with Server(f"flagged-{status}") as server, tempfile.TemporaryDirectory() as folder:
            first = compute(50, base_url=server.url, judge_cache_dir=folder)
            second = compute(50, base_url=server.url, judge_cache_dir=folder)
        yield f"{status}: {first['failed']} failed row, {second['failed']} in the rerun, {server.report['calls']} calls"


def failing_prompts() -> Iterator[str]:
    """40 prompts in a row that always fail, of 300."""
    with Server("block") as server:
        result = compute(300, base_url=server.url, max_retries=2)
    yield f"{result['failed']} unscored, {server.report['calls']} calls"


def rate_limited() -> Iterator[str]:
    """500 requests a minute, 64 in flight, 300 prompts."""
    styles = ("bare", "precise", "seconds", "headers", "window")
    for style, burst in (("precise", 1), *((style, 10) for style in styles), ("bare", 50)):
        with Server(f"rate-{style}-{burst}") as server:
            begun = time.monotonic()
            result = compute(300, base_url=server.url, max_concurrency=64)
            seconds = time.monotonic() - begun
        refused = server.report["statuses"].get("429", 0) / server.report["calls"]
        yield f"{style}, burst {burst}: {result['failed']} failed, {refused:.1%} of calls refused, {seconds:.0f} s"


def many_processes() -> Iterator[str]:
    """8 processes that start together on the same 200 prompts."""
    code = (
        "import json, sys; from benchmarks.judge_faults import compute; sys.stdin.readline(); "
        "print(json.dumps(compute(200, base_url=sys.argv[1], judge_cache_dir=sys.argv[2])['L3Score']))"
    )
    with Server("plain") as server, tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "import metrics.l3score.l3score; " + code, server.url, folder]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        processes: list[Any] = [subprocess.Popen(command, text=True, cwd=ROOT, **pipes) for _ in range(8)]  # noqa: S603
        time.sleep(15)  # until all have finished their imports
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        scores = {process.communicate()[0].strip() for process in processes}
    yield f"{server.report['calls']} calls for {len(server.report['prompts'])} prompts, scores {scores}"


def unreachable_server() -> Iterator[str]:
    """A server that refuses connections, and an unknown host; 50 prompts."""
    with Server("plain") as server:
        pass
    for address in (server.url, "http://no-such-host.invalid/v1"):
        begun = time.monotonic()
        try:
            compute(50, base_url=address)
        except RuntimeError as failure:
            yield f"{time.monotonic() - begun:.1f} s: {str(failure).partition('. ')[0]}"


def slow_bytes() -> Iterator[str]:
    """request_timeout=1 against a server that sends a byte every 0.2 s."""
    with Server("drip") as server:
        begun = time.monotonic()
        try:
            compute(1, base_url=server.url, request_timeout=1, max_retries=0)
        except RuntimeError as failure:
            yield f"{time.monotonic() - begun:.1f} s: {failure}"
        else:
            yield f"{time.monotonic() - begun:.1f} s: one failed row"


def read_only_store() -> Iterator[str]:
    """A filled store in a read-only folder, read by another process, as nobody if this one is root."""
    code = (
        "import os, sys, metrics.l3score.l3score; from benchmarks.judge_faults import compute; "
        "os.setuid(os.geteuid() or 65534); "
        "print(compute(100, base_url=sys.argv[1], judge_cache_dir=sys.argv[2])['cached'].count(True))"
    )
    with Server("quick") as server, tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        compute(100, base_url=server.url, judge_cache_dir=folder)
        Path(home).chmod(0o777)
        for path in (*Path(folder).iterdir(), Path(folder)):
            path.chmod(0o555)
        command = [sys.executable, "-c", code, server.url, folder]
        environment = {**os.environ, "HF_HOME": home}
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)  # noqa: S603
        Path(folder).chmod(0o755)
    cached = done.stdout.strip() or done.stderr[-300:]
    yield f"{cached} of 100 from the store, {server.report['calls'] - 100} calls paid again"


def minimum_output_tokens() -> Iterator[str]:
    """A model that needs at least 4 output tokens, 60 prompts."""
    with Server("four") as server:
        result = compute(60, base_url=server.url)
    yield f"{result['failed']} failed, {server.report['statuses'].get('400', 0)} call rejected first"


def throughput() -> Iterator[str]:
    """Calls of 150 ms, 3,000 prompts."""
    rates = {}
    for in_flight in (64, 256, 1000):
        with Server("plain") as server:
            compute(1, base_url=server.url)  # keeps imports, which take seconds, out of the measurement
            begun = time.monotonic()
            compute(3000, base_url=server.url, max_concurrency=in_flight)
            rates[in_flight] = 3000 / (time.monotonic() - begun)
    shown = ", ".join(f"{in_flight}: {rate:.0f} a second" for in_flight, rate in rates.items())
    yield f"{shown}; 256 is {rates[256] / rates[64]:.2f} times 64, 1000 {rates[1000] / rates[256]:.2f} times 256"


def budget() -> Iterator[str]:
    """max_cost, hidden tokens from the hundredth call on, 64 in flight, 400 prompts."""
    for limit in (0.05, 0.02, 0.1, 0.5):
        with Server("late") as server, contextlib.suppress(RuntimeError):
            compute(400, base_url=server.url, max_concurrency=64, price=(1, 1), max_cost=limit)
        spent = sum(server.report["usage"].values()) / 1e6
        yield f"max_cost={limit}: {spent:.4f} spent ({spent / limit:.0%}), {server.report['calls']} calls"


ROWS = (
    *(one_refused_prompt, failing_prompts, rate_limited, many_processes, unreachable_server, slow_bytes),
    *(read_only_store, minimum_output_tokens, throughput, budget),
)


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", choices=ANSWERS)
    parser.add_argument("rows", nargs="*", choices=[*(row.__name__ for row in ROWS), []])
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve)
        return
    for row in ROWS:
        if not arguments.rows or row.__name__ in arguments.rows:
            print(row.__doc__)
            for line in row():
                print(f"    {line}", flush=True)


if __name__ == "__main__":
    main()
