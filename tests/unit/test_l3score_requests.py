"""Remote judges: fields of a request, and refused fields."""

from typing import Any

import pytest

from metrics.l3score._outcomes import JudgeError
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.judge_server import error
from tests.remote_judge import SCORE
from tests.remote_judge import failing_for
from tests.remote_judge import judge

pytestmark = pytest.mark.usefixtures("quick_remote_judge")


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
def test_request_has_the_expected_fields(options: dict[str, Any], expected: dict[str, Any]) -> None:
    with JudgeServer() as server:
        judge(server, 1, price=(0, 0), **options)
        request = server.requests[0]
    assert {name: request[name] for name in expected} == expected
    assert (request["temperature"], request["logprobs"], len(request["messages"])) == (0, True, 1)
    assert ("max_tokens" in request) != ("max_completion_tokens" in request)


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("refused", ["max_completion_tokens", "temperature", "reasoning_effort"])
def test_refused_parameter_is_adapted_once(refused: str, *, by_name: bool) -> None:
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


def test_request_always_limits_the_output_length() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        name = next(name for name in ("max_tokens", "max_completion_tokens") if name in request)
        return error(400, f"Unrecognized request argument: {name}")

    with JudgeServer(answer) as server:
        with pytest.raises(JudgeError, match="Unrecognized"):
            judge(server, 1)
        assert len(server.requests) == 2


def test_server_that_ignores_max_completion_tokens_is_detected() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        length = 1 if "max_tokens" in request else 400
        return Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": length}))

    with JudgeServer(answer) as server:
        assert sorted(judge(server, 5)["output_tokens"]) == [1, 1, 1, 1, 400]


@pytest.mark.parametrize("concurrency", [1, 16])
def test_long_answer_does_not_bring_back_a_refused_field(concurrency: int) -> None:
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
def test_too_long_prompt_changes_no_other_request(message: str) -> None:
    with JudgeServer(failing_for("question 1", error(400, message))) as server:
        result = judge(server, 4, max_concurrency=1, on_error="skip")
        assert result["failed"] == 1
        assert len(server.requests) == 4
        assert {tuple(request) for request in server.requests} == {tuple(server.requests[0])}


@pytest.mark.parametrize("by_name", [True, False])
def test_refused_field_of_the_caller_stops_the_run(*, by_name: bool) -> None:
    reply = error(400, "seed is not supported", param="seed" if by_name else None)
    with JudgeServer(lambda request, _number: reply if "seed" in request else Reply(completion())) as server:
        with pytest.raises(JudgeError, match=r"refuses 'seed' of extra_body \(seed is not supported\)"):
            judge(server, 20, extra_body={"seed": 1})
        assert len(server.requests) == 1


def test_output_limit_of_the_caller_is_kept() -> None:
    reply = Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": 16}))
    with JudgeServer(lambda _request, _number: reply) as server:
        judge(server, 5, extra_body={"max_completion_tokens": 16}, max_concurrency=1)
        assert [request["max_completion_tokens"] for request in server.requests] == [16] * 5


@pytest.mark.parametrize("name", ["a(", "[", "\\", "("])
def test_field_with_special_characters_in_its_name_is_reported(name: str) -> None:
    refused = pytest.raises(JudgeError, match=r"1 x HTTP 400 \(bad \(x\)")
    with JudgeServer(lambda _request, _number: error(400, "bad (x")) as server, refused:
        judge(server, 1, extra_body={name: 1})


def test_minimum_number_of_tokens_is_learned_in_one_call() -> None:
    message = "Could not finish the message because max_tokens or model output limit was reached."

    def answer(request: dict[str, Any], _number: int) -> Reply:
        return error(400, message) if request["max_completion_tokens"] < 4 else Reply(completion())

    with JudgeServer(answer) as server:
        judge(server, 60)
        assert len(server.requests) == 61


def test_minimum_number_of_tokens_is_parsed_from_the_message() -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        if request["max_completion_tokens"] < 16:
            return error(400, "Invalid 'max_completion_tokens': Expected a value >= 16", param="max_completion_tokens")
        return Reply(completion())

    with JudgeServer(answer) as server:
        judge(server, 5)
        assert len(server.requests) == 6
        assert server.requests[-1]["max_completion_tokens"] == 16
