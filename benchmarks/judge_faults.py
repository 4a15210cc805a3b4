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


def refuse_one_prompt(status: int) -> Answer:
    """Refuse the first prompt, with an HTTP status."""
    refusal = error(status, "the input was flagged by moderation" if status == 403 else "no")  # HTTP
    return lambda request, _number: refusal if prompt_number(request) == 0 else Reply(completion())


def failing_block(request: dict[str, Any], _number: int) -> Reply:
    """Always fail for 40 consecutive prompts."""
    return error(500, "internal error") if 100 <= prompt_number(request) < 140 else Reply(completion(), delay=0.02)


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
    if limit < 4:
        message = "Could not finish the message because max_tokens or model output limit was reached."
        return error(400, f"{message} Please try again with higher max_tokens.")
    return Reply(completion(), delay=0.05)


def dripping(request: dict[str, Any], _number: int) -> Reply:
    """Answer byte by byte, but for the harmless question."""
    return Reply(completion(), drip=0.0 if "capital of France" in str(request) else 0.2)


def after(count: int, refusal: Reply) -> Answer:
    """Answer a number of calls, then always fail."""
    return lambda _request, number: refusal if number > count else Reply(completion(), delay=0.05)


def quoting(request: dict[str, Any], number: int) -> Reply:
    """Refuse one prompt with an error that quotes words of other errors and names of fields."""
    quoted = "invalid_api_key, insufficient_quota, model_not_found, logprobs, temperature, says the prompt"
    return error(400, quoted) if prompt_number(request) == 0 else Reply(completion(), delay=0.02 * (number > 1))


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


ANSWERS: dict[str, Callable[[], Answer]] = {
    "plain": lambda: lambda _request, _number: Reply(completion(), delay=LATENCY),
    "quick": lambda: lambda _request, _number: Reply(completion(), delay=0.02),
    "drip": lambda: dripping,
    "block": lambda: failing_block,
    "four": lambda: needs_four_tokens,
    "late": lambda: late_hidden_tokens,
    "half": lambda: lambda _request, _number: Reply(completion(), delay=0.5),
    "500": lambda: after(0, error(500, "internal error")),
    "html": lambda: after(0, Reply(b"<html>Sign in</html>", headers={"content-type": "text/html"})),
    "sse": lambda: after(0, Reply(b"data: {}\n\n", headers={"content-type": "text/event-stream"})),
    "array": lambda: after(0, Reply([{"choices": []}])),
    "dead": lambda: after(100, error(503, "down")),
    "429": lambda: after(5, error(429, "slow down")),
    "429-hint": lambda: after(5, error(429, "slow down", retry_after="20")),
    "per-day": lambda: after(0, gemini("GenerateRequestsPerDayPerProjectPerModel")),
    "per-minute": limit_per_minute,
    "quoting": lambda: quoting,
    "cut-off": lambda: cut_off,
    "no-choices": lambda: no_choices,
    "201": lambda: lambda _request, _number: Reply(completion(), status=201),
    **{f"flagged-{status}": partial(refuse_one_prompt, status) for status in (402, 403, 404, 412)},
    **{
        f"rate-{style}-{burst}": partial(RateLimit, 500, burst, style)
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
        self.result: dict[str, Any] = {}
        self.outcome = ""
        with Server(answer) as server:
            compute(1, base_url=server.url, dry_run=True)  # keeps imports out of the measurement
            begun = time.monotonic()
            try:
                self.result = compute(count, base_url=server.url, **{"price": (1, 1), **options})
                self.outcome = f"{self.result['failed']} of {count} failed"
            except RuntimeError as stopped:
                self.outcome = str(stopped).partition(". What arrived")[0]
            self.seconds = time.monotonic() - begun
        self.calls, self.dollars = server.report["calls"], sum(server.report["usage"].values()) / 1e6

    def __str__(self) -> str:
        return f"{self.outcome}; {self.calls} calls, ${self.dollars:.4f}, {self.seconds:.1f} s"


def broken_from_the_start() -> Outcomes:
    """500, a web page, SSE, a JSON array from the first call on; 50 prompts. Goal: 4 calls, 10 s, "Check base_url"."""
    for answer in ("500", "html", "sse", "array"):
        measured = Measured(answer, 50)
        yield (
            measured.calls == 4 and measured.seconds < 10 and "Check base_url" in measured.outcome,
            f"{answer}: {measured}",
        )


def limit_that_never_lifts() -> Outcomes:
    """Five answers, then only 429; 50 prompts. Goal: rows or an error that says why, within 3 minutes."""
    for answer, on_error in (("429", "skip"), ("429-hint", "raise")):
        measured = Measured(answer, 50, on_error=on_error)
        said = measured.result.get("failed") == 45 or "the server only refused calls" in measured.outcome
        yield said and measured.seconds < 180, f"{answer}, {on_error}: {measured}"


def server_that_dies() -> Outcomes:
    """503 after 100 of 300 answers. Goal: 200 rows without a score, in a minute."""
    measured = Measured("dead", 300)
    yield measured.result.get("failed") == 200 and measured.seconds < 60, str(measured)


def google_quotas() -> Outcomes:
    """Google's quota of a day, and a limit per minute that lifts after 5 s. Goal: one call; none failed."""
    day, minute = Measured("per-day", 50), Measured("per-minute", 50)
    yield day.calls == 1 and "no quota left" in day.outcome, f"day: {day}"
    yield minute.result.get("failed") == 0, f"minute: {minute}"


def error_that_quotes() -> Outcomes:
    """An error that quotes names of fields and other errors, for one prompt of 50. Goal: one failed row."""
    measured = Measured("quoting", 50)
    yield measured.result.get("failed") == 1 and measured.calls <= 51, str(measured)


def billed_for_nothing() -> Outcomes:
    """10 prompts: votes that end at the limit on tokens, bodies without choices. Goal: each is paid once."""
    votes = Measured("cut-off", 10, scoring="votes", samples=8)
    empty = Measured("no-choices", 10)
    yield votes.calls <= 11, f"votes: {votes}"
    yield empty.calls <= 11, f"no choices: {empty}"


def created() -> Outcomes:
    """Status 201. Goal: it is an answer."""
    measured = Measured("201", 20)
    yield measured.result.get("failed") == 0 and measured.calls == 20, str(measured)


def budget_that_fits() -> Outcomes:
    """400 calls of 500 ms, 64 in flight, max_cost at 2 and 1.2 times the need. Goal: 1.3 times as long as without."""
    free = Measured("half", 400, max_concurrency=64)
    for factor in (2, 1.2):
        measured = Measured("half", 400, max_concurrency=64, max_cost=factor * free.dollars)
        limit = 1.3 if factor == 2 else 2
        yield measured.seconds <= limit * free.seconds, f"{factor} x: {measured}; {free.seconds:.1f} s without a limit"


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


def failing_prompts() -> Outcomes:
    """40 prompts in a row that always fail, of 300. Goal: 40 unscored."""
    with Server("block") as server:
        result = compute(300, base_url=server.url, max_retries=2)
    yield result["failed"] == 40, f"{result['failed']} unscored, {server.report['calls']} calls"


def rate_limited() -> Outcomes:
    """500 requests a minute, 64 in flight, 300 prompts. Goal: none failed, at most 15% of calls refused."""
    styles = ("bare", "precise", "seconds", "headers", "window")
    for style, burst in (("precise", 1), *((style, 10) for style in styles), ("bare", 50)):
        with Server(f"rate-{style}-{burst}") as server:
            begun = time.monotonic()
            result = compute(300, base_url=server.url, max_concurrency=64)
            seconds = time.monotonic() - begun
        refused, failed = server.report["statuses"].get("429", 0) / server.report["calls"], result["failed"]
        shown = f"{style}, burst {burst}: {failed} failed, {refused:.1%} refused, {seconds:.0f} s"
        yield failed == 0 and refused <= 0.15, shown


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


def slow_bytes() -> Outcomes:
    """request_timeout=1 against a server that sends a byte every 0.2 s. Goal: the call fails within 2 s."""
    with Server("drip") as server:
        compute(1, base_url=server.url, request_timeout=1, max_retries=0)  # keeps imports out of the measurement
        begun = time.monotonic()
        result = compute(1, base_url=server.url, request_timeout=1, max_retries=0)
        seconds = time.monotonic() - begun
    yield result["failed"] == 1 and seconds <= 2, f"{seconds:.1f} s: {result['failed']} failed row"


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


def minimum_output_tokens() -> Outcomes:
    """A model that needs at least 4 output tokens, 60 prompts. Goal: none failed, one call rejected."""
    with Server("four") as server:
        result = compute(60, base_url=server.url)
    counts = (result["failed"], server.report["statuses"].get("400", 0))
    yield counts == (0, 1), f"{counts[0]} failed, {counts[1]} call rejected first"


def budget() -> Outcomes:
    """Hidden tokens from the hundredth call on, 64 in flight, 400 prompts.

    Goal: no more than max_cost, and the calls that were in flight when they appeared.
    """
    for limit in (0.05, 0.02, 0.1, 0.5):
        with Server("late") as server, contextlib.suppress(RuntimeError):
            compute(400, base_url=server.url, max_concurrency=64, price=(1, 1), max_cost=limit)
        spent = sum(server.report["usage"].values()) / 1e6
        yield (
            spent <= limit + 64 * 3561e-6,
            f"max_cost={limit}: {spent:.4f} spent ({spent / limit:.0%}), {server.report['calls']} calls",
        )


ROWS = (
    *(one_refused_prompt, failing_prompts, rate_limited, many_processes, unreachable_server, slow_bytes),
    *(read_only_store, minimum_output_tokens, budget, broken_from_the_start, limit_that_never_lifts, server_that_dies),
    *(google_quotas, error_that_quotes, billed_for_nothing, created, budget_that_fits, damaged_store, bar_in_a_file),
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
            print(" ".join((row.__doc__ or "").split()))
            for met, figures in row():
                print(f"    {'met' if met else 'MISSED'}: {figures}", flush=True)


if __name__ == "__main__":
    main()
