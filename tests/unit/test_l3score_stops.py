"""Remote judges: failures that stop a run, and failures of one row."""

import time
from typing import Any

import pytest

from metrics.l3score import _http
from metrics.l3score._outcomes import JudgeError
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.judge_server import error
from tests.remote_judge import failing_for
from tests.remote_judge import judge

pytestmark = pytest.mark.usefixtures("quick_remote_judge")


STOPPING = [
    # A failure of every prompt costs one call; one that may concern a single prompt costs an additional harmless one.
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
def test_failure_of_every_prompt_stops_the_run(reply: Reply, message: str, calls: int, on_error: str) -> None:
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


def test_later_stop_keeps_finished_judgments() -> None:
    reply = error(429, "quota", code="insufficient_quota")
    with JudgeServer(lambda _request, number: reply if number > 20 else Reply(completion())) as server:
        with pytest.raises(JudgeError, match="20 of the 100 missing judgments arrived"):
            judge(server, 100, max_concurrency=4)
        server.answer = lambda _request, _number: Reply(completion())
        already = len(server.requests)
        assert judge(server, 100)["cached"].count(True) == 20
        assert len(server.requests) == already + 80


def test_single_answer_without_logprobs_is_one_failed_row() -> None:
    reply = Reply(completion(choices=[{"message": {"content": "Yes"}, "logprobs": None}]))
    with JudgeServer(failing_for("question 2", reply)) as server:
        assert judge(server, 5, on_error="skip")["failed"] == 1


def test_filtered_prompt_is_one_failed_row() -> None:
    choice = {"finish_reason": "content_filter", "message": {"content": None}, "logprobs": None}
    with JudgeServer(failing_for("question 0", Reply(completion(choices=[choice])))) as server:
        assert judge(server, 3, on_error="skip")["failures"][0].startswith("the provider's content filter")


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1", "https://{}/v1"])
def test_unreachable_server_is_reported_at_once_in_one_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_http, "CONNECT_TIMEOUT", 1.0)
    with JudgeServer() as server:
        server.port, port = 0, server.port
        begun = time.monotonic()
        reason = "no connection to 127|cannot be found"
        with pytest.raises(JudgeError, match=reason):
            judge(server, 50, base_url=address.format(f"127.0.0.1:{port}"))
        assert time.monotonic() - begun < 10
        assert not server.requests


def test_server_that_dies_stops_the_run() -> None:
    """This also holds after a success, in this run or an earlier one."""
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


def test_nonconsecutive_failures_do_not_stop_the_run() -> None:
    with JudgeServer(lambda _request, number: error(500, "oops") if number % 2 else Reply(completion())) as server:
        assert judge(server, 100, max_retries=0, max_concurrency=1, on_error="skip")["failed"] == 50


def test_refused_prompts_do_not_stop_the_run() -> None:
    refused = error(400, "too long")
    with JudgeServer(lambda _request, number: refused if 1 < number < 60 else Reply(completion())) as server:
        assert judge(server, 80, max_concurrency=1, on_error="skip")["failed"] == 58
