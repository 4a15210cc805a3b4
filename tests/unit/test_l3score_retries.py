"""Remote judges: transient failures and retries."""

import asyncio
import email.utils
import gzip
import random
import re
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from metrics.l3score._outcomes import JudgeError
from metrics.l3score._replies import retry_after
from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.judge_server import error
from tests.remote_judge import SCORE
from tests.remote_judge import failing
from tests.remote_judge import failing_for
from tests.remote_judge import judge

pytestmark = pytest.mark.usefixtures("quick_remote_judge")


FAILED_WHILE_ANSWERING = {"finish_reason": "error", "error": {"code": 502, "message": "the provider failed"}}
TRANSIENT = [
    pytest.param(Reply(completion() | {"choices": [FAILED_WHILE_ANSWERING]}), id="502 in a choice"),
    pytest.param(error(429, "slow down"), id="429"),
    pytest.param(error(429, "slow down", retry_after="0.05"), id="429 with Retry-After"),
    pytest.param(error(408, "too late"), id="408"),
    pytest.param(error(409, "conflict"), id="409"),
    pytest.param(error(500, "oops"), id="500"),
    pytest.param(Reply(b"<html>busy</html>", 503, {"content-type": "text/html"}), id="503 with HTML"),
    pytest.param(Reply(broken=True), id="broken connection"),
    pytest.param(Reply(completion(), delay=3), id="slow answer"),
    pytest.param(Reply(b'{"id": "x", "choi'), id="malformed JSON"),
    pytest.param(Reply(b"<html>log in</html>", headers={"content-type": "text/html"}), id="HTML with 200"),
    pytest.param(Reply({"error": {"message": "upstream", "code": 502}}), id="error in a 200"),
    pytest.param(Reply({"error": {"message": "upstream"}, "choices": None}), id="error without code in a 200"),
    pytest.param(Reply(completion(choices=[])), id="empty choices"),
    pytest.param(Reply(["no", "object"]), id="a list"),
    pytest.param(Reply(completion(), drip=0.1), id="response byte by byte"),
    pytest.param(Reply(gzip.compress(b" " * 2**26), headers={"content-encoding": "gzip"}), id="a gzip bomb"),
    pytest.param(Reply(b"x", headers={"content-encoding": "br"}), id="an encoding that was not asked for"),
]


def response_timeout(reply: Reply) -> float:
    """Seconds to wait for a response: less than the slow one takes, but enough for a busy machine otherwise."""
    return 1.0 if reply.delay or reply.drip else 60.0


@pytest.mark.parametrize("reply", TRANSIENT)
def test_transient_failures_are_retried(reply: Reply) -> None:
    with JudgeServer(failing(reply, reply)) as server:
        result = judge(server, request_timeout=response_timeout(reply), max_retries=2)
        assert result["individual_scores"] == [SCORE] * 3
        assert len(server.requests) == 5


@pytest.mark.parametrize("reply", TRANSIENT)
def test_permanent_failure_is_not_scored_zero(reply: Reply) -> None:
    with JudgeServer(failing_for("question 1", reply)) as server:
        options: dict[str, Any] = {"request_timeout": response_timeout(reply), "max_retries": 1}
        with pytest.raises(JudgeError, match=r"^1 judgments failed: 1 x .* stored") as caught:
            judge(server, **options)
        # A rate limit is not the fault of the prompt: while others succeed, it does not count as a retry.
        spare = reply.status == 429
        assert 4 <= len(server.requests) <= 4 + 10 * spare
        asked = len(server.requests)
        assert caught.value.__cause__ is caught.value.__context__ is None
        result = judge(server, on_error="skip", **options)
        assert len(server.requests) == asked + 2
        assert result["L3Score"] == SCORE
        assert result["failed"] == 1
        assert result["individual_scores"] == [SCORE, None, SCORE]
        assert result["cached"] == [True, False, True]
        assert result["failures"][1]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_honored_by_all_calls(status: int) -> None:
    times: list[float] = []

    def answer(_request: dict[str, Any], number: int) -> Reply:
        times.append(time.monotonic())
        return error(status, "slow down", retry_after_ms="1500") if number == 5 else Reply(completion(), delay=0.05)

    with JudgeServer(answer) as server:
        judge(server, 30, max_concurrency=3)
    longest, after = max((later - earlier, after) for after, (earlier, later) in enumerate(pairwise(times)))
    assert longest > 1.2
    # Calls in flight came before the pause, all others after it.
    assert after < 15


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "nonsense"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e400"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 1 Jan 2024 00:00:00 +99999999999999999"}, None),
        ({"retry-after": "Mon, 1 Jan 99999999999 00:00:00 GMT"}, None),
    ],
)
def test_retry_after_header_is_parsed(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_date_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    try:
        soon = email.utils.formatdate(time.time() + 100, usegmt=True).removesuffix(" GMT")
        assert retry_after({"retry-after": soon}) == pytest.approx(100, abs=2)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_identical_triplets_are_judged_once() -> None:
    with JudgeServer() as server:
        result = L3Score().compute(
            questions=["q"] * 50,
            predictions=["p"] * 50,
            references=[["r", "s", "r"]] * 50,
            model="gpt-4o-mini",
            base_url=server.url,
            return_details=True,
        )
        assert result is not None
        assert len(server.requests) == 2
        assert result["cached"] == [False] + [True] * 49
        assert result["Cost"] == pytest.approx(2 * 1.56e-05) == sum(result["costs"])


def test_concurrency_is_bounded_and_used() -> None:
    reply = Reply(completion(), delay=0.2)
    with JudgeServer(lambda _request, _number: reply) as server:
        judge(server, 40, max_concurrency=10)
        assert 5 <= server.most_at_once <= 10


def test_compute_works_in_a_running_event_loop_and_in_many_threads(tmp_path: Path) -> None:
    with JudgeServer() as server:

        async def in_event_loop() -> float:
            return float(judge(server, 20)["L3Score"])

        assert asyncio.run(in_event_loop()) == SCORE
        results: list[Any] = []
        threads = [
            threading.Thread(target=lambda: results.append(judge(server, 20, judge_cache_dir=str(tmp_path / "t"))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [result["L3Score"] for result in results] == [SCORE] * 4


def test_single_progress_bar_shows_the_running_cost(capfd: pytest.CaptureFixture[str]) -> None:
    with JudgeServer() as server:
        judge(server, 5, price=(10**6, 0))
    shown = capfd.readouterr().err
    assert "5/5" in shown
    assert re.search(r"\$500\.0000", shown)


def test_random_state_is_not_changed() -> None:
    random.seed(7)
    state = random.getstate()
    with JudgeServer(failing(error(500, "oops"))) as server:
        judge(server, 3)
    assert random.getstate() == state
