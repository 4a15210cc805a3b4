"""Remote judges: every kind of response seen so far."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.remote_judge import SCORE
from tests.remote_judge import failing_for
from tests.remote_judge import judge

pytestmark = pytest.mark.usefixtures("quick_remote_judge")


@pytest.mark.parametrize("logprob", [b"NaN", b"null", b'"-1"', b"Infinity", b"[1]"])
def test_candidate_without_a_numeric_probability_is_a_failure(logprob: bytes) -> None:
    """Ignoring an invalid Yes beside a valid No would give it the remaining probability."""
    raw = Reply(completion([("No", -0.7), ("Yes", -9.0)])).encoded().partition(b"\r\n\r\n")[2]
    with JudgeServer(lambda _request, _number: Reply(raw.replace(b"-9.0", logprob))) as server:
        result = judge(server, 1, on_error="skip")
    assert "not a number" in result["failures"][0]


def test_minus_infinity_is_a_probability_of_zero() -> None:
    raw = Reply(completion([("No", -0.1), ("Yes", -9.0)])).encoded().partition(b"\r\n\r\n")[2]
    with JudgeServer(lambda _request, _number: Reply(raw.replace(b"-9.0", b"-Infinity"))) as server:
        assert judge(server, 1)["individual_scores"] == [0.0]


def test_candidates_that_are_no_objects_are_ignored() -> None:
    body = completion()
    body["choices"][0]["logprobs"]["content"][0]["top_logprobs"] += [{"token": None, "logprob": -1.0}, "x", None]
    with JudgeServer(lambda _request, _number: Reply(body)) as server:
        assert judge(server, 1)["top_tokens"] == [["Yes", "No", " yes", "Y", "The", ""]]


@pytest.mark.parametrize("token", [None, "other"])
def test_candidate_without_a_text_keeps_its_probability(token: str | None) -> None:
    """Without it, Yes would get as much as No."""
    top: list[Any] = [(token, -0.1), ("No", -2.4)]
    with JudgeServer(lambda _request, _number: Reply(completion(top))) as server:
        assert judge(server, 1)["individual_scores"] == [pytest.approx(0.0467, abs=1e-4)]


def test_candidates_without_any_text_are_no_log_probabilities() -> None:
    top: list[Any] = [(None, -0.1), (None, -2.4)]
    with JudgeServer(failing_for("question 1", Reply(completion(top)))) as server:
        assert "no log-probabilities" in judge(server, 2, on_error="skip")["failures"][1]


def test_tokens_given_by_id_are_decoded_from_their_bytes() -> None:
    body = completion([("token_id:9642", -0.1), ("token_id:2822", -2.4)])
    for candidate, word in zip(
        body["choices"][0]["logprobs"]["content"][0]["top_logprobs"], ("Yes", "No"), strict=True
    ):
        candidate["bytes"] = list(word.encode())
    with JudgeServer(lambda _request, _number: Reply(body)) as server:
        assert judge(server, 1)["top_tokens"] == [["Yes", "No"]]


@pytest.mark.parametrize("key", ["x", "Yes", "none", "model", "logprob", "1"])
def test_placeholder_key_is_not_redacted(key: str) -> None:
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
def test_malformed_bodies_are_failures_without_exceptions(body: dict[str, Any]) -> None:
    with JudgeServer(failing_for("question 1", Reply(body))) as server:
        assert judge(server, 2, on_error="skip", max_retries=0)["failed"] == 1


def test_invalid_model_names_are_ignored() -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(model={"x": 1}, system_fingerprint=7))) as server:
        result = judge(server, 1)
    assert (result["served_models"], result["fingerprints"]) == ([""], [""])


ODD = [
    # Found by fuzzing: each stopped the run as "a defect of this metric".
    pytest.param(
        {"choices": [{"message": "text", "logprobs": {"content": []}}]}, "with nothing", id="message is a string"
    ),
    pytest.param(b"[" * 100_000, "not valid JSON", id="nested too deeply"),
    pytest.param(completion([("Yes", 10**400)]), "not a number", id="too large for a float"),
]


@pytest.mark.parametrize(("body", "message"), ODD)
def test_malformed_responses_are_failures_with_a_reason(body: Any, message: str) -> None:
    with JudgeServer(failing_for("question 1", Reply(body))) as server:
        result = judge(server, on_error="skip", max_retries=0)
    assert result["failed"] == 1
    assert message in result["failures"][1]


def test_malformed_response_is_quoted_as_plain_text() -> None:
    """A lone surrogate cannot be written to a file, a dictionary is not a string, and 10**400 is not a token count."""
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


def test_damaged_compression_is_retried_with_a_reason() -> None:
    reply = Reply(json.dumps(completion()).encode(), headers={"content-encoding": "gzip"})
    with JudgeServer(failing_for("question 1", reply)) as server:
        result = judge(server, on_error="skip", max_retries=1)
        assert len(server.requests) == 4
    assert result["failures"][1] == "the server answered with gzip data that is damaged"


class EarlyReply(Reply):
    """A response after two interim ones."""

    def encoded(self) -> bytes:
        return b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + super().encoded()


def test_interim_responses_are_skipped() -> None:
    """The final response would be taken for the answer to the next prompt."""

    def answer(request: dict[str, Any], _number: int) -> Reply:
        right = "question 1" in request["messages"][0]["content"]
        return EarlyReply(completion([("Yes" if right else "No", -0.1)]), drip=0.0002)

    with JudgeServer(answer) as server:
        assert judge(server, max_concurrency=1)["individual_scores"] == pytest.approx([0, 1, 0], abs=0.2)


def test_environment_proxy_is_not_used_for_loopback_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with JudgeServer() as server:
        assert judge(server, 1)["individual_scores"] == [SCORE]
