"""What is sent to a judge server, how requests adapt to it, and how its answers are read."""

import copy
import gzip
import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.l3score._client import Reply as ClientReply
from metrics.l3score._client import read_body, read_error, retry_after
from metrics.l3score._engine import JudgeError, duration
from metrics.l3score._judging import is_judgment
from metrics.l3score._logprobs import score_top_tokens
from tests.judge_server import JudgeServer, Reply, completion, error
from tests.judges import SCORE, always, for_question, judge

pytestmark = [
    pytest.mark.filterwarnings("ignore:l3score. the model"),
    pytest.mark.usefixtures("quick_judges"),
]

# ---- requests


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"max_completion_tokens": 1, "model": "gpt-4o-mini", "top_logprobs": 5}),
        ({"model": None}, {"max_completion_tokens": 4, "model": "gpt-6-luna", "reasoning_effort": "none"}),
        ({"provider": "deepseek", "model": None}, {"max_tokens": 1, "thinking": {"type": "disabled"}}),
        ({"provider": "xai", "top_logprobs": 8}, {"max_completion_tokens": 1, "top_logprobs": 8}),
        ({"provider": "openai-compatible", "extra_body": {"seed": 3}}, {"max_tokens": 1, "seed": 3}),
    ],
)
def test_request_has_the_fields_of_its_model(options: dict[str, Any], expected: dict[str, Any]) -> None:
    with JudgeServer() as server:
        judge(server, 1, price=(0, 0), **options)
        (request,) = server.requests
    assert {name: request[name] for name in expected} == expected
    assert (request["temperature"], request["logprobs"], len(request["messages"])) == (0, True, 1)
    assert ("max_tokens" in request) != ("max_completion_tokens" in request)


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("refused", ["max_completion_tokens", "temperature", "reasoning_effort"])
def test_refused_parameter_is_adapted_once(refused: str, *, by_name: bool) -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        message = f"Unsupported parameter: '{refused}'"
        return error(400, message, param=refused if by_name else None) if refused in request else Reply(completion())

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


@pytest.mark.parametrize("concurrency", [1, 16])
def test_ignored_limit_is_renamed_but_a_refused_field_does_not_come_back(concurrency: int) -> None:
    def ignoring(request: dict[str, Any], _number: int) -> Reply:
        length = 1 if "max_tokens" in request else 400
        return Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": length}))

    def refusing(request: dict[str, Any], _number: int) -> Reply:
        if "max_tokens" in request:
            return error(400, "Unsupported parameter: 'max_tokens'", param="max_tokens")
        return Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": 2}))

    with JudgeServer(ignoring) as server:
        assert sorted(judge(server, 5, max_concurrency=concurrency)["output_tokens"]) == [1, 1, 1, 1, 400]
    with JudgeServer(refusing) as server:
        assert judge(server, 40, max_concurrency=concurrency)["individual_scores"] == [SCORE] * 40
        assert sum("max_tokens" in request for request in server.requests) <= concurrency
        assert all("max_completion_tokens" in request for request in server.requests[-20:])


@pytest.mark.parametrize(
    ("message", "least"),
    [
        ("Could not finish the message because max_tokens or model output limit was reached.", 4),
        ("Invalid 'max_completion_tokens': Expected a value >= 16", 16),
    ],
)
def test_least_number_of_tokens_is_learned_in_one_call(message: str, least: int) -> None:
    def answer(request: dict[str, Any], _number: int) -> Reply:
        return error(400, message) if request["max_completion_tokens"] < least else Reply(completion())

    with JudgeServer(answer) as server:
        judge(server, 30)
        assert len(server.requests) == 31
        assert server.requests[-1]["max_completion_tokens"] == least


def test_too_long_prompt_changes_no_other_request() -> None:
    message = "This model's maximum context length is 400 tokens. You requested max_tokens=1 and temperature=0"
    with JudgeServer(for_question({1: error(400, message)})) as server:
        assert judge(server, 4, max_concurrency=1, on_error="skip")["failed"] == 1
        assert len(server.requests) == 4
        assert {tuple(request) for request in server.requests} == {tuple(server.requests[0])}


def test_fields_of_the_caller_are_never_changed() -> None:
    refused = error(400, "seed is not supported")
    usage = {"prompt_tokens": 9, "completion_tokens": 16}
    with JudgeServer(
        lambda request, _number: refused if "seed" in request else Reply(completion(usage=usage))
    ) as server:
        with pytest.raises(JudgeError, match=r"refuses 'seed' of extra_body \(seed is not supported\)"):
            judge(server, 20, extra_body={"seed": 1})
        assert len(server.requests) == 1
        judge(server, 5, extra_body={"max_completion_tokens": 16}, max_concurrency=1)
        assert [request["max_completion_tokens"] for request in server.requests[1:]] == [16] * 5
    with (
        JudgeServer(always(error(400, "bad (x"))) as server,
        pytest.raises(JudgeError, match=r"1 x HTTP 400 \(bad \(x"),
    ):
        judge(server, 1, extra_body={"a(": 1})


# ---- answers


def with_logprob(written: bytes) -> Reply:
    """A completion whose second candidate has this log-probability."""
    raw = json.dumps(completion([("No", -0.1), ("Yes", -9.0)])).encode()
    return Reply(raw.replace(b"-9.0", written))


def with_choice(**choice: Any) -> Reply:
    return Reply(completion(choices=[choice]))


NOTHING = {"message": {"content": "Yes"}, "logprobs": None}
REFUSED: list[tuple[Reply, str]] = [
    (with_logprob(b"NaN"), "a log-probability that is not a number"),
    (with_logprob(b"null"), "a log-probability that is not a number"),
    (with_logprob(b'"-1"'), "a log-probability that is not a number"),
    (with_logprob(b"Infinity"), "a log-probability that is not a number"),
    (with_logprob(str(10**400).encode()), "a log-probability that is not a number"),
    (with_choice(**NOTHING), "the judge gave no log-probabilities, without which there is no score"),
    (Reply(completion([(None, -0.1), (None, -2.4)])), "the judge gave no log-probabilities"),  # type: ignore[list-item]
    (with_choice(message={"content": ""}, logprobs={"content": []}), "the judge answered with nothing"),
    (with_choice(message="text", logprobs={"content": []}), "the judge answered with nothing"),
    (with_choice(finish_reason="content_filter", message={"content": None}), "the provider's content filter refused"),
    (with_choice(message={"refusal": "I cannot"}), "the provider's content filter refused"),
    (with_choice(logprobs={"refusal": [{}]}), "the provider's content filter refused"),
    (error(403, "the input was flagged"), r"HTTP 403 \(the input was flagged\)"),
    (error(402, "too dear"), "the account has no quota left, or not enough for this prompt"),
    (error(404, "no route"), "the server does not know the model or the address"),
    (error(412, "no"), "HTTP 412"),
    (error(413, "too long"), "HTTP 413"),
    (error(451, "no"), "HTTP 451"),
]


@pytest.mark.parametrize("concurrency", [1, 16])
def test_prompt_that_the_judge_refuses_is_one_failed_row(concurrency: int) -> None:
    """Not retried within a run, and asked again in the next."""
    with JudgeServer(for_question({index: reply for index, (reply, _) in enumerate(REFUSED, 5)})) as server:
        count = len(REFUSED) + 10
        for _ in range(2):
            result = judge(server, count, on_error="skip", max_concurrency=concurrency)
            assert (result["L3Score"], result["failed"]) == (SCORE, len(REFUSED))
            for index, (_, reason) in enumerate(REFUSED, 5):
                assert result["individual_scores"][index] is None
                assert re.search(reason, result["failures"][index]), result["failures"][index]


def test_odd_candidates_are_read() -> None:
    listed = completion()
    listed["choices"][0]["logprobs"]["content"][0]["top_logprobs"] += [{"token": None, "logprob": -1.0}, "x", None]
    by_id = completion([("token_id:9642", -0.1), ("token_id:2822", -2.4)])
    for candidate, word in zip(
        by_id["choices"][0]["logprobs"]["content"][0]["top_logprobs"], ("Yes", "No"), strict=True
    ):
        candidate["bytes"] = list(word.encode())
    # A lone surrogate cannot be written to a file, a dictionary is not a name, and 10**400 is not a token count.
    odd = completion([("Yes", -0.1), ("\ud83d", -3.0)], model={"a": 1}, system_fingerprint="\ud800")
    odd["usage"]["prompt_tokens"] = 10**400
    nameless: Any = [(None, -0.1), ("No", -2.4)]
    replies = [Reply(listed), Reply(by_id), Reply(odd), Reply(completion(nameless)), with_logprob(b"-Infinity")]
    with (
        JudgeServer(for_question(dict(enumerate(replies)))) as server,
        pytest.warns(UserWarning, match="Cost is None: the server did not always report the billed tokens"),
    ):
        result = judge(server, 5, price=(1, 1))
    assert result["top_tokens"][:3] == [["Yes", "No", " yes", "Y", "The", ""], ["Yes", "No"], ["Yes", "?"]]
    # Without the candidate that has no text, Yes would get as much as No.
    assert result["individual_scores"][3:] == [pytest.approx(0.0467, abs=1e-4), 0.0]
    assert (result["served_models"][2], result["fingerprints"][2], result["input_tokens"][2]) == ("", "?", None)
    assert result["Cost"] is None


ENCODINGS: list[tuple[str, Callable[[str], bytes], str]] = [
    ("utf-8", lambda text: b"\xef\xbb\xbf" + text.encode(), ""),
    ("utf-16", lambda text: text.encode("utf-16"), ""),
    ("utf-16le", lambda text: text.encode("utf-16-le"), ""),
    ("latin-1", lambda text: text.encode("latin-1"), ""),
    ("nonsense", lambda text: text.encode(), ""),
    ("base64", lambda text: text.encode(), ""),
    ("utf-8", lambda text: gzip.compress(text.encode()), "gzip"),
]


def test_body_in_any_encoding_is_read() -> None:
    text = json.dumps(completion(system_fingerprint="é"), ensure_ascii=False)
    replies = {
        index: Reply(
            encode(text),
            headers={"content-type": f"application/json; charset={charset}", "content-encoding": packed or "identity"},
        )
        for index, (charset, encode, packed) in enumerate(ENCODINGS)
    }
    with JudgeServer(for_question(replies)) as server:
        assert judge(server, len(replies))["fingerprints"] == ["é"] * len(replies)


class EarlyReply(Reply):
    """A response after two interim ones."""

    def encoded(self) -> bytes:
        return b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + super().encoded()


def test_interim_responses_are_skipped() -> None:
    """The final response would be taken for the answer to the next prompt."""
    replies: dict[int, Reply] = {n: EarlyReply(completion([("Yes" if n == 1 else "No", -0.1)])) for n in range(3)}
    with JudgeServer(for_question(replies)) as server:
        assert judge(server, max_concurrency=1)["individual_scores"] == pytest.approx([0, 1, 0], abs=0.2)


# ---- anything at all

WORDS = st.sampled_from(["Yes", " no", "content", "logprobs", "top_logprobs", "token", "logprob", "code", "\ud800"])
NUMBERS = st.integers() | st.floats() | st.sampled_from([10**400, 1e308, -9999.0, 710.0, 2**1024])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=10,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [path, *(deeper for key in keys for deeper in paths(value[key], (*path, key)))]


@st.composite
def bodies(draw: st.DrawFn) -> Any:
    """A completion with some parts replaced by arbitrary values."""
    body: Any = copy.deepcopy(completion(draw(st.lists(st.tuples(WORDS, NUMBERS), max_size=5))))
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(paths(body)))
        if not path:
            return draw(VALUES)
        parent = body
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = draw(VALUES)
    return body


@given(bodies() | VALUES, st.booleans())
def test_any_body_is_a_valid_judgment_or_a_failure_with_a_reason(body: Any, votes: bool) -> None:  # noqa: FBT001
    reply = read_body(json.loads(json.dumps(body)), votes=votes)
    assert isinstance(reply, ClientReply)
    assert (reply.judgment is not None) == (reply.kind == "answer")
    if reply.judgment is None:
        assert reply.why.encode()
    else:
        stored = json.loads(json.dumps(reply.judgment, allow_nan=False))
        assert is_judgment(stored, votes=votes)
        assert votes or 0.0 <= score_top_tokens(stored["top"]).score <= 1.0


TEXTS = st.text(st.characters(max_codepoint=126, min_codepoint=32))


@given(st.integers(100, 999), TEXTS, st.none() | TEXTS, TEXTS | NUMBERS.map(str), TEXTS | NUMBERS.map(str))
def test_any_error_has_a_kind_and_a_short_reason(
    status: int, code: str, name: str | None, text: str, wait: str
) -> None:
    seconds = retry_after({"retry-after": wait, "retry-after-ms": text})
    assert seconds is None or seconds >= 0.0
    assert (duration(text) or 0.0) >= 0.0
    reply = read_error(status, code, name, text, seconds)
    assert reply.kind in {"limited", "retry", "refused", "suspect", "fatal"}
    assert 0 < len(reply.why) < 450
    assert math.isfinite(reply.wait or 0.0)
