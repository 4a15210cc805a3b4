"""The remote judge against a server on 127.0.0.1 that errs in every way that is known."""

import asyncio
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from metrics.l3score import _http
from metrics.l3score import _judge
from metrics.l3score import _pace
from metrics.l3score import _remote
from metrics.l3score import _remote_judge
from metrics.l3score._budget import Budget
from metrics.l3score._budget import Meter
from metrics.l3score._outcomes import JudgeError
from metrics.l3score._replies import retry_after
from metrics.l3score.l3score import L3Score
from tests.conftest import ROOT
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.judge_server import error

SCORE = pytest.approx(0.908877, abs=1e-6)
Answer = Callable[[dict[str, Any], int], Reply]


@pytest.fixture(autouse=True)
def _quick_and_fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(_judge, "_FIRST_WAIT", 0.01)
    monkeypatch.setattr(_pace, "_FIRST_PAUSE", 0.02)
    monkeypatch.setattr("evaluate.config.HF_CACHE_HOME", str(tmp_path))
    _remote._learned.clear()
    _remote_judge._paces.clear()
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("l3score")]


def judge(server: JudgeServer, count: int = 3, **options: Any) -> dict[str, Any]:
    result = L3Score().compute(
        questions=[f"question {number}" for number in range(count)],
        predictions=["prediction"] * count,
        references=["reference"] * count,
        **{"base_url": server.url, "model": "gpt-4o-mini", "return_details": True, **options},
    )
    assert result is not None
    return result


def failing(*replies: Reply) -> Answer:
    """The first requests get these replies, all others Yes."""
    return lambda _request, number: replies[number - 1] if number <= len(replies) else Reply(completion())


def failing_for(text: str, reply: Reply) -> Answer:
    """Prompts that hold a text get this reply."""
    return lambda request, _number: reply if text in request["messages"][0]["content"] else Reply(completion())


# ---- what passes


TRANSIENT = [
    pytest.param(error(429, "slow down"), id="429"),
    pytest.param(error(429, "slow down", retry_after="0.05"), id="429 with Retry-After"),
    pytest.param(error(408, "too late"), id="408"),
    pytest.param(error(409, "conflict"), id="409"),
    pytest.param(error(500, "oops"), id="500"),
    pytest.param(Reply(b"<html>busy</html>", 503, {"content-type": "text/html"}), id="503 with HTML"),
    pytest.param(Reply(broken=True), id="broken connection"),
    pytest.param(Reply(completion(), delay=3), id="slow answer"),
    pytest.param(Reply(b'{"id": "x", "choi'), id="malformed JSON"),
    pytest.param(Reply(b"<html>log in</html>", headers={"content-type": "text/html"}), id="a web page with 200"),
    pytest.param(Reply({"error": {"message": "upstream", "code": 502}}), id="an error in a 200"),
    pytest.param(Reply({"error": {"message": "upstream"}, "choices": None}), id="an error without code in a 200"),
    pytest.param(Reply(completion(choices=[])), id="empty choices"),
    pytest.param(Reply(["no", "object"]), id="a list"),
    pytest.param(Reply(completion(), drip=0.1), id="an answer byte by byte"),
    pytest.param(Reply(gzip.compress(b" " * 2**26), headers={"content-encoding": "gzip"}), id="a gzip bomb"),
    pytest.param(Reply(b"x", headers={"content-encoding": "br"}), id="an encoding that was not asked for"),
]


def patience(reply: Reply) -> float:
    """Seconds to wait for an answer: short of the slow one, and long enough for a busy machine otherwise."""
    return 1.0 if reply.delay or reply.drip else 60.0


@pytest.mark.parametrize("reply", TRANSIENT)
def test_transient_failures_are_retried(reply: Reply) -> None:
    with JudgeServer(failing(reply, reply)) as server:
        result = judge(server, request_timeout=patience(reply), max_retries=2)
        assert result["individual_scores"] == [SCORE] * 3
        assert len(server.requests) == 5


@pytest.mark.parametrize("reply", TRANSIENT)
def test_permanent_failure_is_not_scored_zero(reply: Reply) -> None:
    with JudgeServer(failing_for("question 1", reply)) as server:
        options: dict[str, Any] = {"request_timeout": patience(reply), "max_retries": 1}
        with pytest.raises(JudgeError, match=r"^1 judgments failed: 1 x .* stored") as caught:
            judge(server, **options)
        # A rate limit is no fault of the prompt: while others pass, it does not count as a try.
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


def test_retry_after_is_honoured_by_all_calls() -> None:
    times: list[float] = []

    def answer(_request: dict[str, Any], number: int) -> Reply:
        times.append(time.monotonic())
        return error(429, "slow down", retry_after_ms="1500") if number == 5 else Reply(completion(), delay=0.05)

    with JudgeServer(answer) as server:
        judge(server, 30, max_concurrency=3)
    longest, after = max((later - earlier, after) for after, (earlier, later) in enumerate(pairwise(times)))
    assert longest > 1.2
    # Those that were under way came before the pause, all others after it.
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
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 1 Jan 2024 00:00:00 +99999999999999999"}, None),
        ({"retry-after": "Mon, 1 Jan 99999999999 00:00:00 GMT"}, None),
    ],
)
def test_retry_after_header(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("changes", "dollars"),
    [
        ({"usage": {"prompt_tokens": 1_000_000, "completion_tokens": 1}}, 0.15 + 0.0000006),
        (
            {
                "usage": {
                    "prompt_tokens": 10**6,
                    "completion_tokens": 0,
                    "prompt_tokens_details": {"cached_tokens": 10**6},
                }
            },
            0.075,
        ),
        ({"usage": None}, None),
        ({"usage": {"prompt_tokens": "many"}}, None),
        ({"usage": {"prompt_tokens": False, "completion_tokens": 1}}, None),
    ],
)
def test_cost_by_list_price(changes: dict[str, Any], dollars: float | None) -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(**changes))) as server:
        if dollars is None:
            with pytest.warns(UserWarning, match="report the billed tokens"):
                assert judge(server, 1)["Cost"] is None
        else:
            assert judge(server, 1)["Cost"] == pytest.approx(dollars)
        assert judge(server, 1)["Cost"] == 0.0


def test_unknown_price_costs_none_not_zero() -> None:
    with JudgeServer() as server:
        with pytest.warns(UserWarning, match="price of 'my-model' is unknown"):
            result = judge(server, 2, model="my-model")
        assert result["Cost"] is None
        assert result["costs"] == [None, None]
        assert judge(server, 3, model="my-model", price=(1, 2))["Cost"] == pytest.approx(102e-6)


def test_failed_attempts_that_were_billed_are_in_the_cost() -> None:
    with JudgeServer(failing(Reply(completion(choices=[])))) as server:
        assert judge(server, 1, price=(1, 2))["Cost"] == pytest.approx(2 * 102e-6)


def test_identical_triplets_are_asked_once() -> None:
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


def test_works_inside_a_running_event_loop_and_in_many_threads(tmp_path: Path) -> None:
    with JudgeServer() as server:

        async def notebook() -> float:
            return float(judge(server, 20)["L3Score"])

        assert asyncio.run(notebook()) == SCORE
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


def test_one_progress_bar_with_the_running_cost(capfd: pytest.CaptureFixture[str]) -> None:
    with JudgeServer() as server:
        judge(server, 5, price=(10**6, 0))
    shown = capfd.readouterr().err
    assert "5/5" in shown
    assert re.search(r"\$500\.0000", shown)


def test_the_state_of_random_is_left_alone() -> None:
    random.seed(7)
    state = random.getstate()
    with JudgeServer(failing(error(500, "oops"))) as server:
        judge(server, 3)
    assert random.getstate() == state


# ---- what a request looks like, and what a server may refuse


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"max_completion_tokens": 1, "model": "gpt-4o-mini", "top_logprobs": 5}),
        ({"model": None}, {"max_completion_tokens": 4, "model": "gpt-6-luna", "reasoning_effort": "none"}),
        ({"model": "gpt-5.4-mini"}, {"reasoning_effort": "none"}),
        ({"provider": "deepseek", "model": None}, {"max_tokens": 1, "thinking": {"type": "disabled"}}),
        ({"provider": "xai", "top_logprobs": 8}, {"max_completion_tokens": 1, "top_logprobs": 8}),
        ({"provider": "openai-compatible", "extra_body": {"seed": 3}}, {"max_tokens": 1, "seed": 3}),
    ],
)
def test_requests(options: dict[str, Any], expected: dict[str, Any]) -> None:
    with JudgeServer() as server:
        judge(server, 1, price=(0, 0), **options)
        request = server.requests[0]
    assert {name: request[name] for name in expected} == expected
    assert (request["temperature"], request["logprobs"], len(request["messages"])) == (0, True, 1)
    assert ("max_tokens" in request) != ("max_completion_tokens" in request)


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("refused", ["max_completion_tokens", "temperature", "reasoning_effort"])
def test_a_refused_parameter_is_adapted_to_once(refused: str, *, by_name: bool) -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        if refused in request:
            return error(400, f"Unsupported parameter: '{refused}'", param=refused if by_name else None)
        return Reply(completion())

    with JudgeServer(answer) as server:
        judge(server, 20, model="gpt-5.1")
        assert len(server.requests) == 21
        judge(server, 25, model="gpt-5.1")
        assert len(server.requests) == 26
        assert ("max_tokens" in server.requests[-1]) == (refused == "max_completion_tokens")


def test_never_without_a_limit_on_the_length() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        name = next(name for name in ("max_tokens", "max_completion_tokens") if name in request)
        return error(400, f"Unrecognized request argument: {name}")

    with JudgeServer(answer) as server:
        with pytest.raises(JudgeError, match="Unrecognized"):
            judge(server, 1)
        assert len(server.requests) == 2


def test_a_server_that_ignores_max_completion_tokens_is_noticed() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        length = 1 if "max_tokens" in request else 400
        return Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": length}))

    with JudgeServer(answer) as server:
        assert sorted(judge(server, 5)["output_tokens"]) == [1, 1, 1, 1, 400]


@pytest.mark.parametrize("concurrency", [1, 16])
def test_a_long_answer_is_no_reason_for_a_field_that_the_server_refuses(concurrency: int) -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        if "max_tokens" in request:
            return error(400, "Unsupported parameter: 'max_tokens'", param="max_tokens", code="unsupported_parameter")
        return Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": 2}))

    with JudgeServer(answer) as server:
        for count in (20, 40):
            assert (
                judge(server, count, max_concurrency=concurrency, price=(0, 0))["individual_scores"] == [SCORE] * count
            )
        assert sum("max_tokens" in request for request in server.requests) <= concurrency
        assert all("max_completion_tokens" in request for request in server.requests[-20:])


@pytest.mark.parametrize(
    "message",
    [
        "'max_tokens' or 'max_completion_tokens' is too large: 1. This model's maximum context length is 400 tokens",
        "This model's maximum context length is 400 tokens. You requested max_tokens=1 and temperature=0",
    ],
)
def test_a_prompt_that_is_too_long_changes_no_request(message: str) -> None:
    with JudgeServer(failing_for("question 1", error(400, message))) as server:
        result = judge(server, 4, max_concurrency=1, on_error="skip")
        assert result["failed"] == 1
        assert len(server.requests) == 4
        assert {tuple(request) for request in server.requests} == {tuple(server.requests[0])}


@pytest.mark.parametrize("by_name", [True, False])
def test_a_refused_field_of_the_callers_stops_the_run(*, by_name: bool) -> None:
    reply = error(400, "seed is not supported", param="seed" if by_name else None)
    with JudgeServer(lambda request, _number: reply if "seed" in request else Reply(completion())) as server:
        with pytest.raises(JudgeError, match=r"refuses 'seed' of extra_body \(seed is not supported\)"):
            judge(server, 20, extra_body={"seed": 1})
        assert len(server.requests) == 1


def test_a_length_of_the_callers_stays() -> None:
    reply = Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": 16}))
    with JudgeServer(lambda _request, _number: reply) as server:
        judge(server, 5, extra_body={"max_completion_tokens": 16}, max_concurrency=1)
        assert [request["max_completion_tokens"] for request in server.requests] == [16] * 5


@pytest.mark.parametrize("name", ["a(", "[", "\\", "("])
def test_a_field_with_an_odd_name_is_no_defect(name: str) -> None:
    refused = pytest.raises(JudgeError, match=r"1 x HTTP 400 \(bad \(x\)")
    with JudgeServer(lambda _request, _number: error(400, "bad (x")) as server, refused:
        judge(server, 1, extra_body={name: 1})


# ---- what stops the run


STOPPING = [
    # What the server says of every prompt costs one call; what may be about one prompt costs another, harmless one.
    pytest.param(error(401, "Incorrect API key provided"), "key was refused", 1, id="401"),
    pytest.param(error(403, "not for you"), "key was refused", 2, id="403"),
    pytest.param(error(403, "You are not allowed to request logprobs"), "refuses to give these", 1, id="403 logprobs"),
    pytest.param(error(429, "quota", code="insufficient_quota"), "no quota left", 1, id="insufficient_quota"),
    pytest.param(error(402, "pay"), "no quota left", 2, id="402"),
    pytest.param(error(404, "nothing here"), "does not know the model", 2, id="404"),
    pytest.param(error(404, "The model `x` does not exist"), "does not know the model", 1, id="404 of a model"),
    pytest.param(error(400, "no", code="model_not_found"), "does not know the model", 1, id="model_not_found"),
    pytest.param(error(429, "tomorrow", retry_after="86400"), "wait 86400 seconds", 1, id="Retry-After of a day"),
    pytest.param(error(400, "top_logprobs must be at most 3"), "refuses to give these", 1, id="top_logprobs"),
    pytest.param(error(400, "no", param="logprobs"), "refuses to give these", 1, id="logprobs"),
    pytest.param(Reply({"error": {"message": "bad key", "code": 401}}), "key was refused", 1, id="401 in a 200"),
    pytest.param(
        Reply(completion(choices=[{"message": {"content": "Yes"}, "logprobs": None}])), "no log-prob", 2, id="null"
    ),
    pytest.param(Reply(completion(choices=[{"message": {"content": "Yes"}}])), "no log-prob", 2, id="no logprobs"),
    pytest.param(Reply(completion([])), "no log-prob", 2, id="empty top_logprobs"),
    pytest.param(Reply({}, 307, {"location": "http://127.0.0.1:9/v1"}), "redirects to '127.0.0.1/v1'", 1, id="307"),
    pytest.param(Reply({}, 308, {"location": "https://elsewhere.test/v1"}), "redirects to 'elsewhere", 1, id="308"),
]


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@pytest.mark.parametrize(("reply", "message", "calls"), STOPPING)
def test_fault_of_every_prompt_stops_the_run(reply: Reply, message: str, calls: int, on_error: str) -> None:
    if message == "no log-prob":
        reply.body["choices"][0].setdefault("message", {"content": "Yes"})["content"] = "Yes"
    with JudgeServer(lambda _request, _number: reply) as server:
        with pytest.raises(JudgeError, match=message) as caught:
            judge(server, 50, on_error=on_error)
        assert len(server.requests) == calls
        assert str(caught.value).count("\n") == 0


FLAGGED = [
    pytest.param(error(status, "the input was flagged"), id=str(status)) for status in (402, 403, 404, 412, 413, 451)
]


@pytest.mark.parametrize("concurrency", [1, 16])
@pytest.mark.parametrize("reply", FLAGGED)
def test_refusal_of_one_prompt_is_one_failed_row(reply: Reply, concurrency: int) -> None:
    with JudgeServer(failing_for("question 7\n", reply)) as server:
        for _ in range(2):
            result = judge(server, 30, on_error="skip", max_concurrency=concurrency)
            assert result["failed"] == 1
            assert result["failures"][7]


def test_refusal_of_the_only_prompt_is_one_failed_row() -> None:
    with JudgeServer(failing_for("question 0\n", error(403, "no"))) as server:
        assert judge(server, 1, on_error="skip")["failed"] == 1
        assert len(server.requests) == 2


def test_prompts_that_always_fail_leave_the_others_scored() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        text = request["messages"][0]["content"]
        return error(500, "oops") if "question 1" in text else Reply(completion())

    with JudgeServer(answer) as server:
        result = judge(server, 200, on_error="skip", max_retries=1)
        assert result["failed"] == 111
        assert not any(why.startswith("not asked") for why in result["failures"])


def test_a_later_stop_keeps_what_came() -> None:
    reply = error(429, "quota", code="insufficient_quota")
    with JudgeServer(lambda _request, number: reply if number > 20 else Reply(completion())) as server:
        with pytest.raises(JudgeError, match="20 of the 100 missing judgments arrived"):
            judge(server, 100, max_concurrency=4)
        server.answer = lambda _request, _number: Reply(completion())
        already = len(server.requests)
        assert judge(server, 100)["cached"].count(True) == 20
        assert len(server.requests) == already + 80


def test_one_answer_without_logprobs_among_others_is_a_failure_only() -> None:
    reply = Reply(completion(choices=[{"message": {"content": "Yes"}, "logprobs": None}]))
    with JudgeServer(failing_for("question 2", reply)) as server:
        assert judge(server, 5, on_error="skip")["failed"] == 1


def test_content_filter_is_a_failure_only() -> None:
    choice = {"finish_reason": "content_filter", "message": {"content": None}, "logprobs": None}
    with JudgeServer(failing_for("question 0", Reply(completion(choices=[choice])))) as server:
        assert judge(server, 3, on_error="skip")["failures"][0].startswith("the provider's content filter")


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1", "https://{}/v1"])
def test_unreachable_server_is_one_sentence_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_http, "CONNECT_TIMEOUT", 1.0)
    with JudgeServer() as server:
        server.port, port = 0, server.port
        begun = time.monotonic()
        reason = "no connection to 127|cannot be found"
        with pytest.raises(JudgeError, match=reason):
            judge(server, 50, base_url=address.format(f"127.0.0.1:{port}"))
        assert time.monotonic() - begun < 10
        assert not server.requests


def test_a_server_that_dies_is_given_up() -> None:
    """Also after a success, in this run or in one before."""
    down = Reply(b"<html>down</html>", 503, {"content-type": "text/html"})
    with JudgeServer(lambda _request, number: down if number > 10 else Reply(completion())) as server:
        result = judge(server, 300, max_retries=1, max_concurrency=4, on_error="skip")
        assert result["failed"] == 290
        assert 220 < sum(why.startswith("not asked") for why in result["failures"]) <= 266
        assert "a harmless question (HTTP 503)" in str(result["failures"])
        assert len(server.requests) < 100
        asked = len(server.requests)
        assert judge(server, 300, max_retries=0, max_concurrency=4, on_error="skip")["failed"] == 290
        assert len(server.requests) < asked + 40


def test_failures_that_do_not_follow_each_other_are_no_reason_to_give_up() -> None:
    with JudgeServer(lambda _request, number: error(500, "oops") if number % 2 else Reply(completion())) as server:
        assert judge(server, 100, max_retries=0, max_concurrency=1, on_error="skip")["failed"] == 50


def test_refused_prompts_are_no_sign_of_a_dead_server() -> None:
    refused = error(400, "too long")
    with JudgeServer(lambda _request, number: refused if 1 < number < 60 else Reply(completion())) as server:
        assert judge(server, 80, max_concurrency=1, on_error="skip")["failed"] == 58


@pytest.mark.parametrize("logprob", [b"NaN", b"null", b'"-1"', b"Infinity", b"[1]"])
def test_candidate_without_a_number_is_a_failure(logprob: bytes) -> None:
    """Beside a valid No, leaving a Yes out would give it all the mass that is left."""
    raw = Reply(completion([("No", -0.7), ("Yes", -9.0)])).encoded().partition(b"\r\n\r\n")[2]
    with JudgeServer(lambda _request, _number: Reply(raw.replace(b"-9.0", logprob))) as server:
        result = judge(server, 1, on_error="skip")
    assert "not a number" in result["failures"][0]


def test_minus_infinity_is_a_probability_of_zero() -> None:
    raw = Reply(completion([("No", -0.1), ("Yes", -9.0)])).encoded().partition(b"\r\n\r\n")[2]
    with JudgeServer(lambda _request, _number: Reply(raw.replace(b"-9.0", b"-Infinity"))) as server:
        assert judge(server, 1)["individual_scores"] == [0.0]


def test_entries_that_are_no_candidates_are_left_out() -> None:
    body = completion()
    body["choices"][0]["logprobs"]["content"][0]["top_logprobs"] += [{"token": None, "logprob": -1.0}, "x", None]
    with JudgeServer(lambda _request, _number: Reply(body)) as server:
        assert judge(server, 1)["top_tokens"] == [["Yes", "No", " yes", "Y", "The"]]


def test_tokens_named_by_number_are_read_from_their_bytes() -> None:
    body = completion([("token_id:9642", -0.1), ("token_id:2822", -2.4)])
    for candidate, word in zip(
        body["choices"][0]["logprobs"]["content"][0]["top_logprobs"], ("Yes", "No"), strict=True
    ):
        candidate["bytes"] = list(word.encode())
    with JudgeServer(lambda _request, _number: Reply(body)) as server:
        assert judge(server, 1)["top_tokens"] == [["Yes", "No"]]


@pytest.mark.parametrize("key", ["x", "Yes", "none", "model", "logprob", "1"])
def test_a_word_for_a_key_is_no_secret(key: str) -> None:
    with JudgeServer() as server:
        assert judge(server, 1, api_key=key)["top_tokens"] == [["Yes", "No", " yes", "Y", "The"]]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": {}},
        {"choices": [None]},
        {"choices": [{"message": "text", "logprobs": {"content": []}}]},
        {"choices": [], "error": {"code": {}}},
        {"choices": [], "error": ["x"]},
        {"choices": [{"logprobs": {"content": [{"top_logprobs": {}}]}, "message": []}], "usage": []},
    ],
)
def test_odd_bodies_are_failures_and_no_defects(body: dict[str, Any]) -> None:
    with JudgeServer(failing_for("question 1", Reply(body))) as server:
        assert judge(server, 2, on_error="skip", max_retries=0)["failed"] == 1


def test_odd_names_of_models_are_left_out() -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(model={"x": 1}, system_fingerprint=7))) as server:
        result = judge(server, 1)
    assert (result["served_models"], result["fingerprints"]) == ([""], [""])


ODD = [
    # What was found by fuzzing: each ended the run as "a defect of this metric".
    pytest.param({"choices": [{"message": "text", "logprobs": {"content": []}}]}, "with nothing", id="message a text"),
    pytest.param(b"[" * 100_000, "not valid JSON", id="nested too deeply"),
    pytest.param(completion([("Yes", 10**400)]), "not a number", id="beyond all floats"),
]


@pytest.mark.parametrize(("body", "message"), ODD)
def test_odd_answers_are_failures_with_a_name(body: Any, message: str) -> None:
    with JudgeServer(failing_for("question 1", Reply(body))) as server:
        result = judge(server, on_error="skip", max_retries=0)
    assert result["failed"] == 1
    assert message in result["failures"][1]


def test_what_an_odd_answer_says_of_itself_is_kept_plain() -> None:
    """A lone surrogate fits into no file, a dictionary into no column of texts, and 10**400 is no count of tokens."""
    top = [("Yes", -0.1), ("\ud83d", -3.0)]
    odd = completion(top, model={"a": 1}, system_fingerprint="\ud800", usage={"prompt_tokens": 10**400})
    odd["usage"]["completion_tokens"] = 1
    with JudgeServer(lambda _request, _number: Reply(odd)) as server, pytest.warns(UserWarning, match="Cost is None"):
        result = judge(server, 1, price=(1, 1))
    assert result["top_tokens"] == [["Yes", "?"]]
    assert (result["served_models"], result["fingerprints"]) == ([""], ["?"])
    assert result["Cost"] is None
    assert result["input_tokens"] == [None]


@pytest.mark.parametrize(
    ("charset", "encode"),
    [
        ("utf-8", lambda text: b"\xef\xbb\xbf" + text.encode()),
        ("utf-16", lambda text: text.encode("utf-16")),
        ("utf-16le", lambda text: text.encode("utf-16-le")),
        ("latin-1", lambda text: text.encode("latin-1")),
        ("nonsense", lambda text: text.encode()),
        ("base64", lambda text: text.encode()),
    ],
)
def test_body_in_any_charset_is_read(charset: str, encode: Callable[[str], bytes]) -> None:
    text = json.dumps(completion(system_fingerprint="é"), ensure_ascii=False)
    reply = Reply(encode(text), headers={"content-type": f"application/json; charset={charset}"})
    with JudgeServer(lambda _request, _number: reply) as server:
        assert judge(server, 1)["fingerprints"] == ["é"]


def test_compressed_body_is_read() -> None:
    reply = Reply(gzip.compress(json.dumps(completion()).encode()), headers={"content-encoding": "gzip"})
    with JudgeServer(lambda _request, _number: reply) as server:
        assert judge(server, 1)["individual_scores"] == [SCORE]


def test_proxy_of_the_environment_is_not_used_for_a_loopback_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with JudgeServer() as server:
        assert judge(server, 1)["individual_scores"] == [SCORE]


def test_model_that_needs_more_tokens_is_learned_in_one_call() -> None:
    message = "Could not finish the message because max_tokens or model output limit was reached."

    def answer(request: dict[str, Any], _number: int) -> Reply:
        return error(400, message) if request["max_completion_tokens"] < 4 else Reply(completion())

    with JudgeServer(answer) as server:
        judge(server, 60)
        assert len(server.requests) == 61


def test_least_number_of_tokens_is_read_from_the_message() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        if request["max_completion_tokens"] < 16:
            return error(400, "Invalid 'max_completion_tokens': Expected a value >= 16", param="max_completion_tokens")
        return Reply(completion())

    with JudgeServer(answer) as server:
        judge(server, 5)
        assert len(server.requests) == 6
        assert server.requests[-1]["max_completion_tokens"] == 16


# ---- budget


def test_max_cost_is_never_exceeded_and_everything_is_stored() -> None:
    usage = {"prompt_tokens": 300, "completion_tokens": 1}
    with JudgeServer(lambda _request, _number: Reply(completion(usage=usage), delay=0.01)) as server:
        with pytest.raises(JudgeError, match=r"exceed max_cost=1.0.* (\d+) of the 100 missing") as caught:
            judge(server, 100, price=(100, 0), max_cost=1.0, max_concurrency=8)
        spent = len(server.requests) * 0.03
        assert 0.9 < spent <= 1.0
        arrived = int(re.search(r"(\d+) of the 100", str(caught.value))[1])  # type: ignore[index]  # it matched above
        assert arrived == len(server.requests)
        result = judge(server, 100, price=(100, 0), max_cost=10.0)
        assert result["cached"].count(True) == arrived
        assert result["Cost"] == pytest.approx((100 - arrived) * 0.03)


def test_max_cost_holds_though_the_server_adds_tokens() -> None:
    usage = {"prompt_tokens": 5000, "completion_tokens": 50}
    with JudgeServer(lambda _request, _number: Reply(completion(usage=usage), delay=0.01)) as server:
        with pytest.raises(JudgeError, match="max_cost"):
            judge(server, 100, price=(100, 100), max_cost=5.0, max_concurrency=8)
        assert len(server.requests) * 0.505 <= 5.0


def test_max_cost_holds_in_every_run_of_a_process() -> None:
    """What a run learns of a server must not let the next one start all its calls on a wrong guess."""
    usage = {"prompt_tokens": 3000, "completion_tokens": 1}
    with JudgeServer(lambda _request, _number: Reply(completion(usage=usage), delay=0.1)) as server:
        judge(server, 1, price=(1, 1), use_cache=False)
        with pytest.raises(JudgeError, match=r"exceed max_cost=0.004.* 1 of the 40 missing .* \$0.0030"):
            judge(server, 40, price=(1, 1), max_cost=0.004, use_cache=False)
        assert len(server.requests) == 2


def test_hidden_tokens_are_seen_behind_a_long_prompt() -> None:
    meter = Meter(lambda tokens: tokens[0])
    budget, stopped = Budget(10_000), threading.Event()
    number = budget.reserve(meter, "x" * 4000, stopped)
    assert number is not None
    budget.reconcile(number, meter, "x" * 4000, 4000.0, (4000, 0, 1))
    assert meter.estimate("short").expected == 3005


@pytest.mark.parametrize("limit", [0.02, 0.05, 0.1])
def test_max_cost_holds_when_hidden_tokens_start_late(limit: float) -> None:
    def answer(_request: dict[str, Any], number: int) -> Reply:
        late = number > 100
        return Reply(
            completion(usage={"prompt_tokens": 60 + 3000 * late, "completion_tokens": 1 + 500 * late}), delay=0.02
        )

    with JudgeServer(answer) as server:
        with pytest.raises(JudgeError, match="max_cost") as caught:
            judge(server, 300, price=(1, 1), max_cost=limit, max_concurrency=64)
        late = max(0, len(server.requests) - 100)
        spent = (len(server.requests) * 61 + late * 3500) / 1e6
        assert 0.5 * limit < spent <= limit
        assert caught.value.spent == pytest.approx(spent)


def test_error_without_a_budget_says_what_was_spent() -> None:
    reply = error(429, "quota", code="insufficient_quota")
    with JudgeServer(lambda _request, number: reply if number > 5 else Reply(completion())) as server:
        with pytest.raises(JudgeError) as caught:
            judge(server, 20, price=(1, 1), max_concurrency=1)
        assert caught.value.spent == pytest.approx(5 * 101e-6)


@pytest.mark.parametrize(("tier", "dollars"), [("default", 101e-6), ("flex", None), ("priority", None)])
def test_list_price_does_not_hold_for_other_service_tiers(tier: str, dollars: float | None) -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(service_tier=tier))) as server:
        assert judge(server, 1, price=(1, 1))["Cost"] == pytest.approx(101e-6)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert (judge(server, 2)["Cost"] is None) == (dollars is None)
            with pytest.raises(ValueError, match="service_tier='flex'"):
                judge(server, 2, extra_body={"service_tier": "flex"}, max_cost=1.0)


def test_calls_are_side_by_side_under_a_budget_though_the_server_tells_no_usage() -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(usage=None), delay=0.2)) as server:
        with pytest.warns(UserWarning, match="report the billed tokens"):
            judge(server, 40, price=(1, 1), max_cost=10.0, max_concurrency=8)
        assert server.most_at_once > 2


def test_a_lost_answer_counts_against_the_budget() -> None:
    with JudgeServer(lambda _request, _number: Reply(broken=True)) as server:
        with pytest.raises(JudgeError, match="max_cost"):
            judge(server, 3, price=(1000, 0), max_cost=1.0, max_retries=1000)
        assert len(server.requests) < 5


def test_a_budget_too_small_for_one_call() -> None:
    with JudgeServer() as server:
        with pytest.raises(JudgeError, match="max_cost"):
            judge(server, 3, max_cost=1e-9)
        assert not server.requests


# ---- interruption


def test_ctrl_c_ends_promptly_and_keeps_what_came(tmp_path: Path) -> None:
    script = """
        import signal, sys, time
        from metrics.l3score.l3score import L3Score
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
        url, folder = sys.argv[1:]
        try:
            L3Score().compute(questions=[str(n) for n in range(400)], predictions=["p"] * 400, references=["r"] * 400,
                              base_url=url, judge_cache_dir=folder, max_concurrency=4)
        except KeyboardInterrupt:
            print("interrupted")
    """
    reply = Reply(completion(), delay=0.05)
    with JudgeServer(
        lambda _request, number: Reply(completion(), delay=30) if number % 4 == 1 and number > 5 else reply
    ) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), server.url, str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={**os.environ, "OPENAI_API_KEY": ""},
        )
        while len(server.requests) < 8 and process.poll() is None:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        assert process.communicate(timeout=20)[0] == b"interrupted\n"
        assert time.monotonic() - begun < 15
        server.answer = lambda _request, _number: reply
        result = L3Score().compute(
            questions=[str(number) for number in range(400)],
            predictions=["p"] * 400,
            references=["r"] * 400,
            base_url=server.url,
            judge_cache_dir=tmp_path,
            max_concurrency=100,
            return_details=True,
        )
        assert result is not None
        assert result["cached"].count(True) >= 4
