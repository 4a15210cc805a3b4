"""Behavior of l3score when a judge fails: benchmarks/results/judge_faults.md.

    python -m benchmarks.judge_faults [row ...]

Every row starts a server on 127.0.0.1 that fails in one way, judges prompts with it, and prints its goal and the
outcomes with "met" or "MISSED". Nothing is sent to other hosts.
"""

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Self

from benchmarks.inputs import ROOT, triplets
from tests.judge_server import JudgeServer, Reply, completion, error

LATENCY = 0.15
Answer = Callable[[dict[str, Any], int], Reply]
Outcomes = Iterator[tuple[bool, str]]
"""Whether a goal is met, and the figures."""


# ---- the server


def prompt_number(request: dict[str, Any]) -> int:
    """Return the number of the question in a request."""
    number = re.search(r"number (\d+) of", request["messages"][0]["content"])
    return int(number[1]) if number else -1


def refuse_one_prompt(refusal: Reply) -> Answer:
    """Refuse the first prompt."""
    return lambda request, _number: refusal if prompt_number(request) == 0 else Reply(completion())


class RateLimit:
    """A token bucket of 500 calls a minute, in bursts; `hint` is a header of its refusals, or of all its answers."""

    def __init__(self, burst: float, hint: str = "") -> None:
        self.rate, self.burst, self.hint = 500 / 60, burst, hint
        self.level, self.updated = burst, time.monotonic()

    def __call__(self, _request: dict[str, Any], _number: int) -> Reply:
        """Return a completion, or 429 when the bucket is empty."""
        now = time.monotonic()
        self.level, self.updated = min(self.burst, self.level + (now - self.updated) * self.rate), now
        wait = max(1, int((1 - self.level) / self.rate * 1000))
        headers = {"retry-after-ms": str(wait), "retry-after": "1"}
        headers = {name: value for name, value in headers.items() if name == self.hint}
        if self.hint == "x-ratelimit":
            values = {
                "limit": 500,
                "remaining": max(0, int(self.level - 1)),
                "reset": f"{60 - self.level / self.rate:.3f}s",
            }
            headers = {f"x-ratelimit-{name}-requests": str(value) for name, value in values.items()}
        if self.level < 1:
            return Reply(error(429, "slow down").body, 429, headers, delay=LATENCY)
        self.level -= 1
        return Reply(completion(), headers=headers if self.hint == "x-ratelimit" else {}, delay=LATENCY)


def dripping(request: dict[str, Any], _number: int) -> Reply:
    """Answer byte by byte, but for the harmless question."""
    return Reply(completion(), drip=0.0 if "capital of France" in str(request) else 0.2)


def after(count: int, refusal: Reply) -> Answer:
    """Answer a number of calls, then always fail."""
    return lambda _request, number: refusal if number > count else Reply(completion(), delay=0.05)


def gemini(quota: str) -> Reply:
    """A refusal of Google's, which names the limit."""
    details = [{"violations": [{"quotaId": quota}]}, {"retryDelay": "2s"}]
    fault = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "quota", "details": details}
    return Reply([{"error": fault}], 429)


def limit_per_minute() -> Answer:
    """Refuse all calls in the first five seconds, naming a limit per minute."""
    begun = time.monotonic()
    refusal = gemini("GenerateRequestsPerMinutePerProjectPerModel")
    return lambda _request, _number: refusal if time.monotonic() - begun < 5 else Reply(completion())


def cut_off(request: dict[str, Any], _number: int) -> Reply:
    """Answers that end at the limit on tokens before the verdict, and are billed."""
    choice = {"finish_reason": "length", "message": {"content": ""}}
    if "capital of France" in str(request):
        choice = {"finish_reason": "stop", "message": {"content": "Yes"}}
    usage = {"prompt_tokens": 100, "completion_tokens": 4096 * request["n"]}
    return Reply(completion(choices=[choice] * request["n"], usage=usage))


def no_choices(request: dict[str, Any], _number: int) -> Reply:
    """Bodies without choices that are billed, but for the harmless question."""
    return Reply(completion() if "capital of France" in str(request) else completion(choices=[]))


def late_hidden_tokens(_request: dict[str, Any], number: int) -> Reply:
    """Bill 3,000 more input and 500 more output tokens after the hundredth call."""
    late = number > 100
    usage = {"prompt_tokens": 60 + 3000 * late, "completion_tokens": 1 + 500 * late}
    return Reply(completion(usage=usage), delay=LATENCY)


QUOTED = "invalid_api_key, insufficient_quota, model_not_found, logprobs, temperature, says the prompt"
FLAGGED = {status: error(status, "the input was flagged by moderation") for status in (402, 403, 404, 412)}
RATES = ((1, "retry-after-ms"), (10, ""), (10, "retry-after-ms"), (10, "retry-after"), (10, "x-ratelimit"), (50, ""))
ANSWERS: dict[str, Callable[[], Answer]] = {
    "plain": lambda: lambda _request, _number: Reply(completion(), delay=LATENCY),
    "quick": lambda: lambda _request, _number: Reply(completion(), delay=0.02),
    "half": lambda: lambda _request, _number: Reply(completion(), delay=0.5),
    "drip": lambda: dripping,
    "late": lambda: late_hidden_tokens,
    "500": lambda: after(0, error(500, "internal error")),
    "html": lambda: after(0, Reply(b"<html>Sign in</html>", headers={"content-type": "text/html"})),
    "sse": lambda: after(0, Reply(b"data: {}\n\n", headers={"content-type": "text/event-stream"})),
    "array": lambda: after(0, Reply([{"choices": []}])),
    "dead": lambda: after(100, error(503, "down")),
    "429": lambda: after(5, error(429, "slow down")),
    "429-hint": lambda: after(5, error(429, "slow down", retry_after="20")),
    "per-day": lambda: after(0, gemini("GenerateRequestsPerDayPerProjectPerModel")),
    "per-minute": limit_per_minute,
    "quoting": lambda: refuse_one_prompt(error(400, QUOTED)),
    "cut-off": lambda: cut_off,
    "no-choices": lambda: no_choices,
    **{f"flagged-{status}": partial(refuse_one_prompt, refusal) for status, refusal in FLAGGED.items()},
    **{f"rate-{hint}-{burst}": partial(RateLimit, burst, hint) for burst, hint in RATES},
}


def serve(name: str) -> None:
    """Serve until standard input is closed, then print a report of the requests."""
    answer = ANSWERS[name]()
    statuses: Counter[int] = Counter()
    usage = Counter({"prompt_tokens": 0, "completion_tokens": 0})

    def counted(request: dict[str, Any], number: int) -> Reply:
        reply = answer(request, number)
        statuses[reply.status] += 1
        if reply.status < 300 and isinstance(reply.body, dict):  # HTTP
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
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def __enter__(self) -> Self:
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"
        return self

    def __exit__(self, *_exception: object) -> None:
        self.report = json.loads(self._process.communicate("")[0])


# ---- the rows


def compute(count: int, **options: Any) -> dict[str, Any]:
    """Judge examples, with an empty store unless a directory is given."""
    import evaluate

    from metrics.l3score.l3score import L3Score

    evaluate.disable_progress_bar()
    with warnings.catch_warnings(), contextlib.ExitStack() as stack:
        warnings.simplefilter("ignore")
        folder = options.pop("judge_cache_dir", None) or stack.enter_context(tempfile.TemporaryDirectory())
        base = {"model": "gpt-4o-mini", "judge_cache_dir": folder, "on_error": "skip", "return_details": True}
        return dict(L3Score().compute(**triplets(count), **{**base, **options}) or {})


class Measured:
    """What judging with a server came to: the outcome, calls, dollars at one a million tokens, and seconds."""

    def __init__(self, answer: str, count: int, **options: Any) -> None:
        self.failed, self.outcome = None, ""
        with Server(answer) as server:
            compute(1, base_url=server.url, dry_run=True)  # keeps imports out of the measurement
            begun = time.monotonic()
            try:
                self.failed = compute(count, base_url=server.url, **{"price": (1, 1), **options})["failed"]
                self.outcome = f"{self.failed} of {count} failed"
            except RuntimeError as stopped:
                self.outcome = str(stopped).partition(". What arrived")[0]
            self.seconds = time.monotonic() - begun
        self.calls, self.dollars = server.report["calls"], sum(server.report["usage"].values()) / 1e6
        self.refused = server.report["statuses"].get("429", 0) / self.calls

    def __str__(self) -> str:
        figures = f"{self.outcome}; {self.calls} calls, ${self.dollars:.4f}, {self.seconds:.1f} s"
        return f"{figures}, {self.refused:.1%} refused" if self.refused else figures


Goal = Callable[[Measured], bool]
VOTES, BUSY = {"scoring": "votes", "samples": 8}, {"max_concurrency": 64}
REFUSED = "the server only refused calls"
# What fails and the goal; whether it is met; servers, prompts, options.
RUNS: dict[str, tuple[str, Goal, list[str], int, dict[str, Any]]] = {
    "broken_from_the_start": (
        '500, a web page, SSE, a JSON array from the first call on. Goal: 4 calls, 10 s, "Check base_url".',
        lambda run: run.calls == 4 and run.seconds < 10 and "Check base_url" in run.outcome,
        ["500", "html", "sse", "array"], 50, {},
    ),
    "limit_that_never_lifts": (
        "Five answers, then only 429. Goal: rows or an error that says why, within 3 minutes.",
        lambda run: (run.failed == 45 or REFUSED in run.outcome) and run.seconds < 180,
        ["429", "429-hint"], 50, {},
    ),
    "server_that_dies": (
        "503 after 100 of 300 answers. Goal: 200 rows without a score, in a minute.",
        lambda run: run.failed == 200 and run.seconds < 60,
        ["dead"], 300, {},
    ),
    "daily_quota": (
        "Google's quota of a day. Goal: one call.",
        lambda run: run.calls == 1 and "no quota left" in run.outcome,
        ["per-day"], 50, {},
    ),
    "limit_per_minute": (
        "Google's limit per minute, which lifts after 5 s. Goal: none failed.",
        lambda run: run.failed == 0,
        ["per-minute"], 50, {},
    ),
    "error_that_quotes": (
        "An error that quotes names of fields and other errors, for one prompt. Goal: one failed row.",
        lambda run: run.failed == 1 and run.calls <= 51,
        ["quoting"], 50, {},
    ),
    "votes_cut_off": (
        "Votes that end at the limit on tokens. Goal: each is paid once.",
        lambda run: run.calls <= 11,
        ["cut-off"], 10, VOTES,
    ),
    "no_choices": (
        "Bodies without choices. Goal: each is paid once.",
        lambda run: run.calls <= 11,
        ["no-choices"], 10, {},
    ),
    "rate_limited": (
        "500 requests a minute, 64 in flight. Goal: none failed, at most 15% of calls refused.",
        lambda run: run.failed == 0 and run.refused <= 0.15,
        [f"rate-{hint}-{burst}" for burst, hint in RATES], 300, BUSY,
    ),
    "slow_bytes": (
        "request_timeout=1 against a server that sends a byte every 0.2 s. Goal: the call fails within 2 s.",
        lambda run: run.failed == 1 and run.seconds <= 2,
        ["drip"], 1, {"request_timeout": 1, "max_retries": 0},
    ),
}  # fmt: skip


def measured(goal: Goal, answers: Any, count: Any, options: Any) -> Outcomes:
    """Judge prompts with each server."""
    for answer in answers:
        run = Measured(answer, count, **options)
        yield goal(run), f"{answer}: {run}"


def budget_that_fits() -> Outcomes:
    """400 calls of 500 ms, 64 in flight, max_cost at 2 and 1.2 times the need. Goal: 1.3 times as long as without."""
    free = Measured("half", 400, **BUSY)
    for factor, limit in ((2, 1.3), (1.2, 2)):
        run = Measured("half", 400, **BUSY, max_cost=factor * free.dollars)
        yield run.seconds <= limit * free.seconds, f"{factor} x: {run}; {free.seconds:.1f} s without a limit"


def hidden_tokens() -> Outcomes:
    """Hidden tokens from the hundredth call on, 400 prompts. Goal: max_cost, and what was in flight at that time."""
    for limit in (0.05, 0.02, 0.1, 0.5):
        run = Measured("late", 400, **BUSY, max_cost=limit)
        yield run.dollars <= limit + 64 * 3561e-6, f"max_cost={limit}: {run} ({run.dollars / limit:.0%})"


def damaged_store() -> Outcomes:
    """A store whose pages are overwritten, 100 prompts, three more runs. Goal: paid again at most once."""
    with Server("quick") as server, tempfile.TemporaryDirectory() as folder:
        compute(100, base_url=server.url, judge_cache_dir=folder)
        path = Path(folder) / "judgments.sqlite"
        content = bytearray(path.read_bytes())
        content[4096:20480] = os.urandom(16384)
        path.write_bytes(content)
        cached = [compute(100, base_url=server.url, judge_cache_dir=folder)["cached"].count(True) for _ in range(3)]
    yield cached[1:] == [100, 100], f"{cached} of 100 from the store, {server.report['calls']} calls in all"


def bar_in_a_file() -> Outcomes:
    """A run of about 20 s whose stderr is a file. Goal: at most 3 lines."""
    code = (
        "import sys, evaluate, metrics.l3score.l3score as m; from benchmarks.inputs import triplets; "
        "m.L3Score().compute(**triplets(260), base_url=sys.argv[1], judge_cache_dir=sys.argv[2], "
        "model='gpt-4o-mini', max_concurrency=2)"
    )
    with Server("plain") as server, tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", "-c", code, server.url, folder]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    lines = [line for line in re.split(r"[\r\n]+", done.stderr) if "Judging" in line]
    yield len(lines) <= 3, f"{len(lines)} lines, the last: {lines[-1].strip() if lines else ''}"


def one_refused_prompt() -> Outcomes:
    """One refused prompt of 50. Goal: one failed row, also in the rerun, and no more than 52 calls."""
    for status in (403, 402, 404, 412):
        with Server(f"flagged-{status}") as server, tempfile.TemporaryDirectory() as folder:
            first = compute(50, base_url=server.url, judge_cache_dir=folder)
            second = compute(50, base_url=server.url, judge_cache_dir=folder)
        failed, calls = (first["failed"], second["failed"]), server.report["calls"]
        yield failed == (1, 1) and calls <= 52, f"{status}: {failed[0]} failed, {failed[1]} in the rerun, {calls} calls"


def many_processes() -> Outcomes:
    """8 processes that start together on the same 200 prompts. Goal: at most 210 calls, and one score."""
    code = (
        "import json, sys; from benchmarks.judge_faults import compute; sys.stdin.readline(); "
        "print(json.dumps(compute(200, base_url=sys.argv[1], judge_cache_dir=sys.argv[2])['L3Score']))"
    )
    with Server("plain") as server, tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "import metrics.l3score.l3score; " + code, server.url, folder]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        processes: list[Any] = [subprocess.Popen(command, text=True, cwd=ROOT, **pipes) for _ in range(8)]
        time.sleep(15)  # until all have finished their imports
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        scores = {process.communicate()[0].strip() for process in processes}
    calls = server.report["calls"]
    yield calls <= 210 and len(scores) == 1, f"{calls} calls for {len(server.report['prompts'])} prompts, {scores}"


def unreachable_server() -> Outcomes:
    """A server that refuses connections, and an unknown host; 50 prompts. Goal: one sentence within 10 s."""
    with Server("plain") as server:
        pass
    for address in (server.url, "http://no-such-host.invalid/v1"):
        begun = time.monotonic()
        try:
            compute(50, base_url=address)
        except RuntimeError as failure:
            seconds = time.monotonic() - begun
            yield seconds <= 10, f"{seconds:.1f} s: {str(failure).partition('. ')[0]}"
        else:
            yield False, f"{address}: no error"


def read_only_store() -> Outcomes:
    """A filled store in a read-only folder, read by another process, as nobody if this one is root.

    Goal: nothing is paid for again.
    """
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
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
        Path(folder).chmod(0o755)
    cached = done.stdout.strip() or done.stderr[-300:]
    again = server.report["calls"] - 100
    yield cached == "100" and not again, f"{cached} of 100 from the store, {again} calls paid again"


OTHERS: tuple[Callable[[], Outcomes], ...] = (
    *(one_refused_prompt, many_processes, unreachable_server, read_only_store, budget_that_fits, hidden_tokens),
    *(damaged_store, bar_in_a_file),
)
ROWS: dict[str, tuple[str, Callable[[], Outcomes]]] = {
    **{name: (text, partial(measured, goal, *run)) for name, (text, goal, *run) in RUNS.items()},
    **{row.__name__: (row.__doc__ or "", row) for row in OTHERS},
}


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", choices=ANSWERS)
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []])
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve)
        return
    for name in arguments.rows or ROWS:
        text, row = ROWS[name]
        print(" ".join(text.split()))
        for met, figures in row():
            print(f"    {'met' if met else 'MISSED'}: {figures}", flush=True)


if __name__ == "__main__":
    main()
