"""Judges that fail: what stops a run, what fails one row, retries, rate limits, and budgets."""

import asyncio
import contextlib
import gzip
import heapq
import random
import re
import signal
import socket
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from answer_metrics.judge import client, engine
from answer_metrics.judge.client import Reply as ClientReply
from answer_metrics.judge.engine import JudgeError, Pace
from tests.judge_server import JudgeServer, Reply, completion, error
from tests.judges import SCORE, always, compute, for_question, judge, question_number

pytestmark = [pytest.mark.filterwarnings("ignore:l3score. the model"), pytest.mark.usefixtures("quick_judges")]
NO_QUOTA = "insufficient_quota billing_hard_limit_reached billing_not_active insufficient_balance".split()
HTML, GZIP = {"content-type": "text/html"}, {"content-encoding": "gzip"}


def gemini(quota: str, wait: str = "0.01s") -> Reply:
    """A refusal of Google's: one status for all limits, told apart by their names; the body is a list."""
    violation = {"quotaId": quota, "quotaMetric": "generativelanguage.googleapis.com/generate_content_requests"}
    details = [{"@type": "QuotaFailure", "violations": [violation]}, {"@type": "RetryInfo", "retryDelay": wait}]
    fault = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your quota.", "details": details}
    return Reply([{"error": fault}], 429, {"retry-after": "300"})  # of a gateway: the body's wait counts


QUOTA_PER_DAY = gemini("GenerateRequestsPerDayPerProjectPerModel-FreeTier")

UNSCORED = {"message": {"content": "Yes"}, "logprobs": None}
# A failure of every prompt costs one call; one that may concern a single prompt costs an additional harmless one.
STOPPING: list[tuple[Reply, str, int]] = [
    (error(401, "Incorrect API key provided"), "the key was refused", 1),
    (error(403, "not for you"), "the server refused the key or the prompt", 2),
    (error(403, "You are not allowed to request logprobs"), "refuses to give these log-probabilities", 1),
    *((error(429, "quota", code=code), "the account has no quota left", 1) for code in NO_QUOTA),
    (error(402, "pay"), "the account has no quota left", 2),
    (error(404, "nothing here"), "the server does not know the model or the address", 2),
    (error(404, "The model `x` does not exist"), "the server does not know the model", 2),
    (error(400, "no", code="model_not_found"), "the server does not know the model", 1),
    (error(429, "tomorrow", retry_after="86400"), "the server asks to wait 86400 seconds", 1),
    (error(400, "no", param="logprobs"), "refuses to give these log-probabilities", 1),
    (Reply({"error": {"message": "bad key", "code": 401}}), "the key was refused", 1),
    (Reply(completion(choices=[UNSCORED])), "no log-probabilities.* Choose another model or server", 2),
    (Reply({}, 302, {"location": "/login"}), "redirects to '/login'", 1),
    (Reply({}, 307, {"location": "http://127.0.0.1:9/v1"}), "redirects to '127.0.0.1/v1'.*not followed", 1),
    (Reply(broken=True), r"the connection to 127\.0\.0\.1 broke .*Check base_url=", 4),
    (error(503, "starting"), r"HTTP 503 \(starting\)\. Check base_url=", 4),
    (Reply(b"<html>Sign in</html>", headers=HTML), r"not valid JSON \(a web page\?\)\. Check base_url=", 4),
    (error(400, "no"), r"HTTP 400 \(no\)", 2),
    (QUOTA_PER_DAY, "the account has no quota left", 1),
]


@pytest.mark.parametrize(("reply", "message", "calls"), STOPPING, ids=range(len(STOPPING)))
def test_failure_of_every_prompt_stops_the_run(reply: Reply, message: str, calls: int) -> None:
    with JudgeServer(always(reply)) as server:
        with pytest.raises(
            JudgeError, match=f"^Judging stopped: .*{message}.* 0 of the 50 missing .* for \\$0\\.00"
        ) as caught:
            judge(server, 50, on_error="skip" if calls != 1 else "raise")
        assert len(server.requests) == calls
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://127.0.0.1:{}/v1", r"no connection to 127.0.0.1:\d+ \(Connection refused\)"),
        ("http://no-such-host.invalid/v1", r"the host no-such-host.invalid cannot be found \("),
    ],
)
def test_unreachable_server_is_reported_at_once_in_one_sentence(address: str, reason: str, monkeypatch: Any) -> None:
    look_up = Mock(side_effect=socket.getaddrinfo)
    with JudgeServer() as server:
        pass
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(JudgeError, match=rf"^Judging stopped: {reason}.*\. Check base_url= and the network\. 0 of"):
        judge(server, 50, base_url=address.format(server.port))
    assert look_up.call_count == ("invalid" in address)


def test_server_that_dies_ends_the_run_and_the_rows_before_it_stand() -> None:
    down = Reply(b"<html>down</html>", 503, HTML)
    with JudgeServer(lambda _request, number: down if number > 10 else Reply(completion())) as server:
        with pytest.warns(UserWarning, match=r"a harmless question \(HTTP 503\)\. 10 of the 300 missing"):
            result = judge(server, 300, max_retries=1, max_concurrency=4, on_error="skip")
        assert (result["failed"], result["L3Score"]) == (290, SCORE)
        assert sum(why.startswith("not asked: a prompt failed, and so did") for why in result["failures"]) >= 280
        assert len(server.requests) < 30
        asked = len(server.requests)
        server.answer = lambda _request, number: down if number > asked + 5 else Reply(completion())
        with pytest.raises(JudgeError, match=r"a harmless question \(HTTP 503\)\. 5 of the 290 missing"):
            judge(server, 300, max_retries=1, max_concurrency=4)


@pytest.mark.parametrize("before", [0, 5])
@pytest.mark.parametrize("hint", [{}, {"retry-after-ms": "60"}, {"retry-after": "9"}])
def test_limit_that_never_lifts_ends_a_run(before: int, hint: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_LIMIT_LIFTS", 0.3)
    monkeypatch.setattr(engine, "_LONGEST_PAUSE", 0.1)
    refused, began = Reply(error(429, "slow down").body, 429, hint), time.monotonic()
    with JudgeServer(lambda _request, number: refused if number > before else Reply(completion())) as server:
        with pytest.warns(UserWarning, match=rf"the server only refused calls: .*\. {before} of the 50 missing"):
            result = judge(server, 50, on_error="skip")
        assert result["failed"] == 50 - before
        with pytest.raises(JudgeError, match="the server only refused calls: HTTP 429"):
            judge(server, 50)
        assert time.monotonic() - began < 9  # longer waits are not begun


def test_limit_that_lifts_late_is_awaited_and_a_prompt_above_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_LONGEST_PAUSE", 0.05)
    begun = time.monotonic()
    limited = gemini("GenerateRequestsPerMinutePerProjectPerModel")

    def answer(request: dict[str, Any], _number: int) -> Reply:
        is_late = time.monotonic() - begun > 0.4
        return Reply(completion()) if is_late and question_number(request) != 3 else limited

    with JudgeServer(answer) as server:
        result = judge(server, 20, on_error="skip", max_retries=1)
    assert (result["failed"], result["individual_scores"][3]) == (1, None)
    assert result["failures"][3] == "HTTP 429 (You exceeded your quota.)"


def test_failures_that_are_not_in_a_row_do_not_stop_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"max_retries": 0, "max_concurrency": 1, "on_error": "skip"}
    with JudgeServer(for_question({0: error(403, "no")})) as server:
        assert judge(server, 1, **options)["failed"] == 1
        assert len(server.requests) == 2
        with pytest.raises(JudgeError, match=r"the connection to a..b broke \(Unicode\w*Error\)"):
            judge(server, 1, **options, base_url="http://a..b/v1")
    odd = {number: error(500, "oops") for number in range(1, 52, 2)}
    with JudgeServer(for_question(odd)) as server:
        assert judge(server, 52, **options)["failed"] == 26
    odd = dict.fromkeys(range(30), error(400, "flagged"))
    with JudgeServer(for_question(odd)) as server:  # a block of refused prompts
        assert judge(server, 60, **options)["failed"] == 30
    monkeypatch.setattr(engine, "_LIMIT_LIFTS", 0.3)
    answered, limited = Reply(completion(), delay=0.03), error(429, "slow down")
    with JudgeServer(lambda _request, number: limited if number in {12, 20} else answered) as server:
        assert judge(server, 20, on_error="skip", max_concurrency=1)["failed"] == 0


def test_defect_of_the_metric_stops_the_run_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "read_body", lambda *_arguments, **_options: 1 / 0)
    with (
        JudgeServer() as server,
        pytest.raises(JudgeError, match="ZeroDivisionError in a judging task, a bug") as caught,
    ):
        judge(server, price=(1.0, 1.0), max_cost=1.0)
    assert caught.value.spent  # the server has billed the call


FAILED_WHILE_ANSWERING = {"finish_reason": "error", "error": {"code": 502, "message": "the provider failed"}}
TRANSIENT: list[tuple[Reply, str]] = [
    (error(500, "oops"), r"HTTP 500 \(oops\)"),
    (error(503, "later", retry_after="0.05"), r"HTTP 503 \(later\)"),
    (Reply(b"<html>busy</html>", 503, HTML), r"HTTP 503$"),
    (Reply(b'{"id": "x", "choi'), "not valid JSON"),
    (Reply(["no", "object"]), "something other than a JSON object"),
    (Reply(completion(choices=[], usage=None)), "without choices"),
    (Reply(completion() | {"choices": [FAILED_WHILE_ANSWERING]}), r"HTTP 502 \(the provider failed\)"),
    (Reply(completion(), short=True), "the connection to 127.0.0.1 broke"),
    (Reply(b"x" * 9_000_000), "the server answered with more than 8 MiB$"),
    (Reply(gzip.compress(b" " * 2**25), headers=GZIP), "the server answered with more than 8 MiB$"),
    (Reply(b"{}", headers=GZIP), "the server answered with compressed data that is damaged"),
]


def test_transient_failures_are_retried_and_then_failed_rows_but_never_zeros() -> None:
    replies = {index: reply for index, (reply, _) in enumerate(TRANSIENT, 3)}
    tries: Counter[int] = Counter()

    def answer(request: dict[str, Any], number: int) -> Reply:
        tries[question_number(request)] += 1
        return for_question(replies)(request, number)

    def at_first_only(request: dict[str, Any], number: int) -> Reply:
        return Reply(completion()) if tries[question_number(request)] else answer(request, number)

    options: dict[str, Any] = {"max_retries": 1, "max_concurrency": 32}
    rows = len(TRANSIENT) + 3
    with JudgeServer() as server:
        judge(server, 1, **options)
        server.answer = answer
        with pytest.raises(JudgeError, match=r"^4 judgments failed: 1 x .*; \.\.\.\. What arrived is stored") as caught:
            judge(server, 3 + 4, **options)
        assert caught.value.__cause__ is caught.value.__context__ is None
        tries.clear()
        result = judge(server, rows, on_error="skip", **options)
        assert {tries[index] for index in replies} == {2}
        assert (result["L3Score"], result["failed"]) == (SCORE, len(TRANSIENT))
        assert result["cached"] == [True] * 3 + [False] * len(TRANSIENT)
        for index, (_, reason) in enumerate(TRANSIENT, 3):
            assert result["individual_scores"][index] is None
            assert re.search(reason, result["failures"][index]), result["failures"][index]
        tries.clear()
        server.answer = at_first_only
        assert judge(server, rows, **options)["individual_scores"] == [SCORE] * rows


def test_slow_answers_are_abandoned_and_asked_again() -> None:
    slow = [Reply(completion(), delay=30), Reply(completion(), drip=0.1)]
    with JudgeServer() as server:
        judge(server, 1)
        server.answer = for_question(dict(enumerate(slow, 1)))
        result = judge(server, 3, request_timeout=0.5, max_retries=0, on_error="skip")
        assert result["failures"] == ["", *["no answer from 127.0.0.1 within 0.5 seconds"] * 2]
        replies = iter(slow)
        server.answer = lambda _request, _number: next(replies, Reply(completion()))
        assert judge(server, 3, request_timeout=0.5)["individual_scores"] == [SCORE] * 3


def test_rate_limit_costs_no_retries_while_other_calls_succeed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine._random, "sample", lambda population, _count: list(population))
    tries: Counter[int] = Counter()

    def answer(request: dict[str, Any], _number: int) -> Reply:
        number = question_number(request)
        tries[number] += 1
        refused = Reply(status=429, delay=0.1)
        return refused if number == 1 and tries[1] <= 2 else Reply(completion(), delay=0.01)

    with JudgeServer(answer) as server:
        assert judge(server, 20, max_retries=1, max_concurrency=4)["individual_scores"] == [SCORE] * 20
    assert tries[1] == 3


def test_many_calls_are_in_flight_from_threads_and_running_event_loops(tmp_path: Path) -> None:
    random.seed(7)
    state = random.getstate()
    with JudgeServer() as server:
        tenfold = Reply(completion(), until=lambda: server.most_at_once >= 10)
        server.answer = lambda _request, number: tenfold if number > 1 else Reply(completion())
        judge(server, 40, max_concurrency=10)
        assert server.most_at_once == 10
        assert server.connections <= 10
        deadline = time.monotonic() + 30
        while server.connected and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.connected == 0

        async def in_event_loop() -> float:
            return float(judge(server, 20)["L3Score"])

        assert asyncio.run(in_event_loop()) == SCORE
        results: list[Any] = []
        together = {"judge_cache_dir": str(tmp_path / "t"), "max_concurrency": 5}
        threads = [threading.Thread(target=lambda: results.append(judge(server, 20, **together))) for _ in range(4)]
        asked = len(server.requests)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [result["L3Score"] for result in results] == [SCORE] * 4
        assert [any(row) for row in zip(*(result["cached"] for result in results), strict=True)] == [True] * 20
        assert sum(sum(result["cached"]) for result in results) == 60  # another one's judgment is a stored one
        assert len(server.requests) == asked + 20
    assert random.getstate() == state
    assert len([thread for thread in threading.enumerate() if thread.name == "l3score"]) == 0


def test_progress_bar_appears_in_long_runs_and_rarely_writes_to_a_file(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("tqdm.std.time", lambda: now)

    def answer(_request: dict[str, Any], _number: int) -> Reply:
        nonlocal now
        now += 7.0
        return Reply(completion(), delay=0.01)

    with JudgeServer() as server:
        judge(server, 5, price=(10**6, 0))
        assert capfd.readouterr().err == ""
        server.answer = answer
        judge(server, 30, price=(10**6, 0), max_concurrency=1, use_cache=False)
    lines = [line for line in re.split(r"[\r\n]+", capfd.readouterr().err) if line]
    assert "30/30 [03:30<00:00,  7.00s/call, $3000.0000]" in lines[-1]  # the mean of the whole run
    assert len(lines) <= 210 / 30 + 2


ROUND_TRIP = 0.15
Limit = Callable[[float, int], tuple[float | None, dict[str, str]]]
"""Maps the time and number of a call to the seconds to wait, None if it is accepted, and to headers."""


def simulate(monkeypatch: pytest.MonkeyPatch, limit: Limit, accepted: int, in_flight: int) -> tuple[float, int]:
    """Simulate calls until `accepted` are accepted; return the seconds, and the number of refused calls."""
    now, refused, numbers = 0.0, 0, count(1)
    flying: list[tuple[float, int, float, float | None, dict[str, str]]] = []
    pace = Pace(lambda: now)

    def land() -> None:
        nonlocal now, accepted, refused
        end, _, start, wait, headers = heapq.heappop(flying)
        now = max(now, end)
        pace.leave(start, ClientReply("answer" if wait is None else "limited", wait=wait or None, headers=headers))
        refused += wait is not None
        accepted -= wait is None

    async def wait(_event: asyncio.Event, seconds: float) -> bool:
        nonlocal now
        until = now + seconds
        if flying and flying[0][0] <= until:
            land()
        else:
            now = until
        return False

    async def run() -> None:
        while accepted:
            if len(flying) < min(in_flight, accepted):
                start = await pace.enter(asyncio.Event())
                assert start is not None
                number = next(numbers)
                heapq.heappush(flying, (start + ROUND_TRIP, number, start, *limit(start, number)))
            else:
                land()

    monkeypatch.setattr(engine, "_wait", wait)
    asyncio.run(run())
    return now, refused


def bucket(per_second: float, size: float, *, headers: bool = False) -> Limit:
    """A server that allows a number of calls per second, and reports what is left, or when the next one is allowed."""
    tokens, last = size, 0.0

    def answer(now: float, _number: int) -> tuple[float | None, dict[str, str]]:
        nonlocal tokens, last
        tokens, last = min(size, tokens + (now - last) * per_second), now
        wait = None if tokens >= 1 else (1 - tokens) / per_second
        tokens -= wait is None
        values = {"limit": size, "remaining": max(0, int(tokens)), "reset": f"0m{(size - tokens) / per_second:.3f}s"}
        return wait, {f"x-ratelimit-{name}-requests": str(value) for name, value in values.items()} if headers else {}

    return answer


PER_SECOND = 500 / 60
# Limit, accepted calls, calls in flight; the most seconds and refused calls; what they are, as recorded
LIMITS: dict[str, tuple[Limit, int, int, tuple[float, int], tuple[float, int]]] = {
    "1 at once": (bucket(PER_SECOND, 1), 600, 64, (1.7 * 599 / PER_SECOND, 105), (110.03553, 26)),
    "100 at once": (bucket(PER_SECOND, 100), 600, 64, (1.7 * 500 / PER_SECOND, 105), (62.11722, 78)),
    "100 at once, with headers": (
        bucket(PER_SECOND, 100, headers=True), 600, 64, (1.4 * 600 / PER_SECOND, 6), (60.51111, 0),
    ),
    "overloaded for a minute": (
        lambda now, _number: (0.0 if now < 60 else None, {}), 100, 8, (60 + 60, 40), (72.94643, 29),
    ),
    "every second is refused": (
        lambda _now, number: (None if number % 2 else 0.2, {}), 20, 16, (80, 30), (25.02568, 19),
    ),
    # All calls in flight are refused at once; pauses grow only for consecutive refusals.
    "one burst of refusals": (
        lambda now, _number: (0.0 if now < ROUND_TRIP else None, {}), 64, 64, (10, 64), (2.74625, 11),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_rate_limit_is_used_and_rarely_hit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, accepted, in_flight, most, recorded = LIMITS[name]
    monkeypatch.undo()  # with the pauses of real runs
    monkeypatch.setattr(engine, "_random", random.Random(0))
    took, refused = simulate(monkeypatch, limit, accepted, in_flight)
    assert (took <= most[0], refused <= most[1]) == (True, True), (took, refused)
    assert (round(took, 5), refused) == recorded


def test_pace_belongs_to_one_model_of_one_server_and_is_forgotten_with_the_run() -> None:
    with JudgeServer() as server, JudgeServer() as another:
        limited = Reply(error(429, "slow down").body, 429, {"retry-after-ms": "400"})
        server.answer = lambda request, number: limited if number == 1 else Reply(completion())
        jurors = [{"base_url": url, "model": model} for url, model in ((server.url, "a"), (server.url, "a"))]
        jurors += [{"base_url": another.url, "model": "a"}]
        began = time.monotonic()
        judge(another, 3, judges=[{"base_url": another.url, "model": "b"}, *jurors])
        assert time.monotonic() - began >= 0.4
        assert len(server.requests) == 1 + 3


USED = {"prompt_tokens": 10**6, "completion_tokens": 0}
# Changes of the answer, options, and the cost of one call
COSTS: list[tuple[dict[str, Any], dict[str, Any], float | None]] = [
    ({"usage": {"prompt_tokens": 10**6, "completion_tokens": 1}}, {}, 0.15 + 0.0000006),
    ({"usage": {**USED, "prompt_tokens_details": {"cached_tokens": 10**6}}}, {}, 0.075),
    ({"usage": {**USED, "prompt_tokens_details": {"cached_tokens": 10**6}}}, {"price": (1, 1)}, 1.0),
    ({"usage": {**USED, "prompt_tokens_details": {"cached_tokens": 10**7}}}, {}, 0.075),
    ({"usage": None}, {}, None),
    ({"usage": {"prompt_tokens": False, "completion_tokens": 1}}, {}, None),
    ({"service_tier": "flex"}, {}, None),
    ({"service_tier": "flex"}, {"price": (1, 1)}, 101e-6),
]


@pytest.mark.parametrize(("changes", "options", "dollars"), COSTS, ids=range(len(COSTS)))
def test_cost_is_by_price_and_unknown_without_tokens(changes: Any, options: Any, dollars: float | None) -> None:
    with JudgeServer(always(Reply(completion(**changes)))) as server:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert judge(server, 1, **options)["Cost"] == (None if dollars is None else pytest.approx(dollars))
        assert any("report the billed tokens" in str(warning.message) for warning in caught) == (dollars is None)
        assert judge(server, 1, **options)["Cost"] == 0.0


def test_unknown_price_costs_none_and_a_failed_attempt_is_billed() -> None:
    billed_failure = Reply(completion() | {"choices": [FAILED_WHILE_ANSWERING]})
    with JudgeServer(lambda _request, number: billed_failure if number in {1, 4} else Reply(completion())) as server:
        unknown = r"Cost is None: the price of 'my-model' is unknown.*; \(0, 0\) for a server"
        with pytest.warns(UserWarning, match=unknown):
            result = judge(server, 2, model="my-model", provider="openai-compatible")
        assert (result["Cost"], result["costs"]) == (None, [None, None])
        priced = judge(server, 3, model="my-model", price=(1, 2), provider="openai-compatible")
        assert priced["Cost"] == pytest.approx(2 * 102e-6)
        with pytest.raises(ValueError, match="service_tier='flex'"):
            judge(server, 2, extra_body={"service_tier": "flex"}, max_cost=1.0)


@pytest.mark.parametrize("unknown", [1, 2])
def test_cost_of_an_attempt_that_is_unknown_makes_that_of_the_example_unknown(unknown: int) -> None:
    def answer(_request: Any, number: int) -> Reply:
        reply = completion([("Hm" if number == 1 else "Yes", -0.1)])  # the first has no verdict, and is tried again
        reply["choices"][0]["finish_reason"] = "stop"
        return Reply(reply | {"usage": None} if number == unknown else reply)

    with JudgeServer(answer) as server, pytest.warns(UserWarning, match="report the billed tokens"):
        assert judge(server, 1, price=(1, 2), scoring="votes", samples=1)["Cost"] is None
        assert len(server.requests) == 2


@pytest.mark.filterwarnings("ignore:l3score. 127.0.0.1 did not accept the request")
@pytest.mark.parametrize(("read", "written", "least"), [(600, 1, 0.036), (4100, 1, 0.032), (60, 540, 0.036)])
def test_max_cost_is_never_exceeded_and_finished_judgments_are_stored(read: int, written: int, least: float) -> None:
    tokens = read + written - 1
    answer = Reply(completion(usage={"prompt_tokens": read, "completion_tokens": written}), delay=0.005)
    with JudgeServer(always(answer)) as server:
        with pytest.raises(JudgeError, match=r"exceed max_cost=0.04.* (\d+) of the 100 missing") as caught:
            judge(server, 100, price=(1, 1), max_cost=0.04, max_concurrency=64)
        arrived = len(server.requests)
        spent = arrived * (tokens + 1) / 1e6
        assert least < spent <= 0.04
        assert caught.value.spent == pytest.approx(spent)
        assert f"{arrived} of the 100" in str(caught.value)
        result = judge(server, 100, price=(1, 1), max_cost=10.0)
        assert result["cached"].count(True) == arrived
        assert result["Cost"] == pytest.approx((100 - arrived) * (tokens + 1) / 1e6)


def test_max_cost_does_not_slow_a_run_that_fits() -> None:
    """After 60 of 200 calls, no answer comes before 40 are in flight: a budget that holds calls back ends the run."""
    with JudgeServer() as server:
        together = Reply(completion(), until=lambda: server.most_at_once >= 40)
        server.answer = lambda _request, number: together if number > 60 else Reply(completion())
        options = {"price": (1, 1), "max_concurrency": 50, "max_retries": 0, "request_timeout": 20}
        judge(server, 200, max_cost=2 * 200 * 101e-6, **options)
        tight = judge(server, 200, max_cost=202 * 101e-6, use_cache=False, **options)
        assert tight["Cost"] == pytest.approx(200 * 101e-6)


def test_max_cost_holds_in_every_run_if_the_server_adds_tokens() -> None:
    """Costs learned in one run must not make the next run start all its calls on a wrong estimate."""
    usage = {"prompt_tokens": 3000, "completion_tokens": 1}
    message = r"exceed max_cost=0.004.* 1 of the 40 missing .* \$0.0030. What .* is lost"
    with JudgeServer(always(Reply(completion(usage=usage), delay=0.05))) as server:
        judge(server, 1, price=(1, 1), use_cache=False)
        with pytest.raises(JudgeError, match=message):
            judge(server, 40, price=(1, 1), max_cost=0.004, use_cache=False)
        assert len(server.requests) == 2


def test_budget_counts_lost_answers_and_runs_concurrently_without_reported_usage() -> None:
    with JudgeServer(lambda _request, number: Reply(broken=number % 3 == 0, body=completion())) as server:
        with pytest.raises(JudgeError, match=r"max_cost=0\.003") as caught:
            judge(server, 40, price=(1, 1), max_cost=0.003, max_concurrency=1)
        lost = len(server.requests) // 3
        assert lost >= 2
        # A lost call counts with what was reserved, more than twice its cost.
        assert (len(server.requests) + lost) * 101e-6 < (caught.value.spent or 0.0) <= 0.003
        failing = pytest.raises(JudgeError, match=r"^1 judgments failed: 1 x the connection to 127\.0")
        alone = {"price": (1, 1), "use_cache": False, "max_retries": 0, "max_concurrency": 1}
        with JudgeServer(for_question({3: Reply(completion(), short=True)})) as another, failing as failed:
            judge(another, 8, **alone)
        assert (len(another.requests) + 0.2) * 101e-6 < (failed.value.spent or 0.0) < 1e-2  # with the lost one
        result = judge(server, 40, price=(1, 1), max_cost=1.0, max_concurrency=1, return_details=False)
        assert result["Cost"] / 2 < result["lost_cost"] < 2 * result["Cost"]
    with JudgeServer() as server:
        together = Reply(completion(usage=None), until=lambda: server.most_at_once >= 8)
        server.answer = lambda _request, number: together if number > 1 else Reply(completion(usage=None))
        with pytest.warns(UserWarning, match="report the billed tokens"):
            judge(server, 40, price=(1, 1), max_cost=10.0, max_concurrency=8)
        asked = len(server.requests)
        with pytest.raises(JudgeError, match="the next call could exceed max_cost=1e-09"):
            judge(server, 60, max_cost=1e-9)
        assert len(server.requests) == asked


def test_the_progress_bar_says_what_is_spent_and_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Mock()
    monkeypatch.setattr("evaluate.utils.logging.tqdm", lambda **_: contextlib.nullcontext(bar))
    refused = error(429, "slow down", retry_after="1.5")
    with JudgeServer(lambda _, number: refused if number == 1 else Reply(completion())) as server:
        judge(server, 4, price=(1, 1))
        texts = [call.args[0] for call in bar.set_postfix_str.call_args_list]
        assert any(text.startswith("$0.0000, rate limit: waiting ") for text in texts)
        assert texts[-1].startswith("$0.0004")
        assert (bar.n, bar.total) == (4, 4)
        for prices in ([(1, 1), None], [None, (1, 1)]):
            judges = [{"base_url": server.url, "model": f"m{number}", "price": p} for number, p in enumerate(prices)]
            with pytest.warns(UserWarning, match="Cost is None"):
                compute(judges=judges, use_cache=False)
            assert bar.set_postfix_str.call_args.args[0].startswith("cost unknown")


def test_ctrl_c_starts_no_more_calls_and_stores_what_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Mock()
    monkeypatch.setattr("evaluate.utils.logging.tqdm", lambda **_: contextlib.nullcontext(bar))
    with JudgeServer() as server:
        arrived = threading.Event()

        def interrupt(*_: Any, **__: Any) -> None:
            if len(server.requests) == 5:  # one until the judge has answered, then four
                threading.Timer(0.2, arrived.set).start()
                raise KeyboardInterrupt

        late = Reply(completion(), until=arrived.is_set)
        server.answer = lambda _, number: late if number > 1 else Reply(completion())
        bar.set_postfix_str.side_effect = interrupt
        with pytest.raises(KeyboardInterrupt):
            judge(server, 20, max_concurrency=4)
        assert len(server.requests) == 5
        bar.set_postfix_str.side_effect = None
        assert judge(server, 20)["cached"].count(True) == 5


def test_sigterm_ends_a_run_unless_the_caller_handles_it() -> None:
    at_first = signal.getsignal(signal.SIGTERM)
    try:
        for handler in (signal.SIG_IGN, lambda *_: None, signal.SIG_DFL):
            signal.signal(signal.SIGTERM, handler)
            with engine._exit_on_sigterm():
                inside: Any = signal.getsignal(signal.SIGTERM)
            assert (inside is handler) == (handler is not signal.SIG_DFL)
            assert signal.getsignal(signal.SIGTERM) is handler
        with pytest.raises(SystemExit, match="143"):
            inside(signal.SIGTERM, None)
    finally:
        signal.signal(signal.SIGTERM, at_first)
