"""What is sent to a judge server, how requests adapt to it, and how its answers are read."""

import email.utils
import gzip
import itertools
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from answer_metrics.judge.client import read_verdict, retry_after
from answer_metrics.judge.engine import JudgeError
from answer_metrics.judge.logprobs import PROMPTS
from tests.judge_server import JudgeServer, Reply, completion, error
from tests.judges import SCORE, Answer, always, for_question, judge

pytestmark = [pytest.mark.filterwarnings("ignore:l3score. the model"), pytest.mark.usefixtures("quick_judges")]


def refusing(field: str, *, param: str | None = None) -> Answer:
    refused = error(400, f"Unsupported parameter: '{field}'", param=param)
    return lambda request, _number: refused if field in request else Reply(completion())


def too_short(refusal: Reply) -> Answer:
    return lambda request, _number: refusal if request["max_completion_tokens"] < 16 else Reply(completion())


def refusing_any_limit(request: dict[str, Any], _number: int) -> Reply:
    return error(400, f"Unrecognized argument: {next(name for name in request if name.endswith('_tokens'))}")


BELOW_MINIMUM = error(400, "Too low", param="max_completion_tokens", code="integer_below_min_value")
PYDANTIC = {"type": "greater_than_equal", "loc": ["body", "max_completion_tokens"], "msg": "at least 16", "input": 4}
# How a server refuses the first request for gpt-5.1, and some fields of all later requests.
ADAPTED: list[tuple[Answer, dict[str, Any]]] = [
    (refusing("temperature"), {"temperature": None}),
    (refusing("reasoning_effort"), {"reasoning_effort": None}),
    (refusing("max_completion_tokens"), {"max_completion_tokens": None, "max_tokens": 4}),
    (too_short(error(400, "Could not finish the message: max_tokens was reached.")), {"max_completion_tokens": 16}),
    (too_short(BELOW_MINIMUM), {"max_completion_tokens": 16}),
    (too_short(Reply({"detail": [PYDANTIC]}, 422)), {"max_completion_tokens": 16}),
]


@pytest.mark.parametrize(("answer", "fields"), ADAPTED, ids=range(len(ADAPTED)))
def test_request_that_a_server_refuses_is_adapted_once_a_run(answer: Answer, fields: dict[str, Any]) -> None:
    name = next(iter(fields))
    with JudgeServer(answer) as server:
        with pytest.warns(UserWarning, match=f"127.0.0.1 did not accept the request as it is, only with.* {name}"):
            judge(server, 20, model="gpt-5.1")
        assert len(server.requests) == 21
        assert {name: server.requests[-1].get(name) for name in fields} == fields


@pytest.mark.parametrize(
    ("answer", "extra_body", "message", "calls"),
    [
        (refusing("seed"), {"seed": 1}, r"refuses 'seed' of extra_body \(Unsupported parameter: 'seed'\)", 1),
        (always(error(400, "", param="seed")), {"seed": 1}, r"refuses 'seed' of extra_body \(without a reason\)", 1),
        (refusing_any_limit, None, "Unrecognized", 2 * 2),
        (always(error(400, "max_tokens must be at least 9000")), None, "must be at least 9000", 2 * 7),
        (always(error(400, "Unsupported: max_completion_tokens")), {"max_completion_tokens": 4}, "refuses 'max_", 1),
    ],
)
def test_request_is_never_sent_without_a_limit_or_a_field_of_the_caller(
    answer: Answer, extra_body: dict[str, Any] | None, message: str, calls: int
) -> None:
    with JudgeServer(answer) as server:
        with pytest.raises(JudgeError, match=message):
            judge(server, 1, extra_body=extra_body)
        assert len(server.requests) == calls


@pytest.mark.filterwarnings("ignore:l3score. 127.0.0.1 did not accept the request")
@pytest.mark.parametrize("concurrency", [1, 16])
def test_ignored_limit_is_renamed_but_a_refused_or_given_field_does_not_come_back(concurrency: int) -> None:
    def ignoring(request: dict[str, Any], _number: int) -> Reply:
        length = 1 if "max_tokens" in request else 400
        return Reply(completion(usage={"prompt_tokens": 9, "completion_tokens": length}))

    def refusing_the_other(request: dict[str, Any], number: int) -> Reply:
        if "max_tokens" in request:
            return error(400, "Unsupported parameter: 'max_tokens'", param="max_tokens")
        return ignoring(request, number)

    with JudgeServer(ignoring) as server:
        limited = judge(server, 4, max_concurrency=concurrency, extra_body={"max_completion_tokens": 16})
        assert limited["output_tokens"] == [400] * 4
        assert sorted(judge(server, 5, max_concurrency=concurrency)["output_tokens"]) == [1, 1, 1, 1, 400]
        server.answer = refusing_the_other
        more = judge(server, 40, max_concurrency=concurrency, model="another", price=(0, 0))
        assert more["individual_scores"] == [SCORE] * 40
        asked = server.requests[9:]
        assert sum("max_tokens" in request for request in asked) <= concurrency
        assert all("max_completion_tokens" in request for request in asked[-20:])


def with_logprob(written: bytes) -> Reply:
    """A completion whose second candidate has this log-probability."""
    raw = json.dumps(completion([("No", -0.1), ("Yes", -9.0)])).encode()
    return Reply(raw.replace(b"-9.0", written))


def with_choice(**choice: Any) -> Reply:
    return Reply(completion(choices=[choice]))


NOTHING = {"message": {"content": "Yes"}, "logprobs": None}
ODD_LOGPROBS = (b"NaN", b'"-1"', str(10**400).encode(), b"0.02", b"17")
REFUSED: list[tuple[Reply, str]] = [
    *((with_logprob(odd), "a log-probability that is not a number of at most 0") for odd in ODD_LOGPROBS),
    (with_choice(**NOTHING), "the judge returned no log-probabilities, which the score needs"),
    (Reply(completion([(None, -0.1), (None, -2.4)])), "the judge returned no log-probabilities"),  # type: ignore[list-item]
    (with_choice(message={"content": ""}, logprobs={"content": []}), "the judge's answer is empty"),
    (with_choice(finish_reason="content_filter", message={"content": None}), "the provider's content filter refused"),
    (with_choice(logprobs={"refusal": [1]}, message={"content": "I"}), "the provider's content filter refused"),
    (with_choice(message={"refusal": "I cannot"}), "the provider's content filter refused"),
    (error(403, "the input was flagged"), r"HTTP 403\) \(the input was flagged\)"),
    (error(402, "too dear"), "the account has no quota left, or not enough for this prompt"),
    (error(404, "no route"), "the server does not know the model or the address"),
]


@pytest.mark.parametrize("concurrency", [1, 16])
def test_prompt_that_the_judge_refuses_is_one_failed_row(concurrency: int) -> None:
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
    words = {"token_id:9642": [89, 101, 115], "token_id:2822": [78, 111], "token_id:7": [999]}
    by_id = completion([(token, -0.1 - 2.3 * place) for place, token in enumerate(words)])
    for candidate in by_id["choices"][0]["logprobs"]["content"][0]["top_logprobs"]:
        candidate["bytes"] = words[candidate["token"]]
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
    assert result["top_tokens"][:2] == [["Yes", "No", " yes", "Y", "The", ""], ["Yes", "No", "token_id:7"]]
    assert result["top_tokens"][2] == ["Yes", "?"]
    # Without the candidate that has no text, Yes would get as much as No.
    assert result["individual_scores"][3:] == [pytest.approx(0.0467, abs=1e-4), 0.0]
    assert (result["served_models"][2], result["fingerprints"][2], result["input_tokens"][2]) == ("", "?", None)
    assert result["Cost"] is None


def test_body_in_any_encoding_of_json_is_read() -> None:
    text = json.dumps(completion(system_fingerprint="é"), ensure_ascii=False)
    bodies = [b"\xef\xbb\xbf" + text.encode(), *(text.encode(name) for name in ("utf-8", "utf-16", "utf-16le"))]
    replies = [Reply(body, headers={"content-type": "application/json; charset=nonsense"}) for body in bodies]
    replies.append(Reply(gzip.compress(text.encode()), headers={"content-encoding": "gzip"}))
    replies.append(Reply(text.encode("latin-1")))  # JSON is never in Latin-1, but what it holds besides is read
    with JudgeServer(for_question(dict(enumerate(replies)))) as server:
        assert judge(server, len(replies))["fingerprints"] == [*["é"] * 5, "\ufffd"]


MARKS = [
    "Answer:",
    "Final answer:",
    "Verdict:",
    "Judgment:",
    "Judgement:",
    "The verdict is",
    "Answer\uff1a",
    "ANSWER: «",
]


@pytest.mark.parametrize("mark", MARKS)
def test_verdict_stands_behind_its_mark_at_the_end(mark: str) -> None:
    for verdict in ("yes", "no"):
        assert read_verdict(f"It names the city.\n{mark} {verdict.title()}.", PROMPTS["card"]) == verdict
        for end in ("</think>", "</thinking>", "</Thinking>"):  # what is before is left out
            assert read_verdict(f"<think>{mark} maybe{end} {verdict}", PROMPTS["card"]) == verdict
        for fence in ("```", "```json", "```JSON"):
            reply = f'{mark} maybe, so\n{fence}\n{{"reason": "no, yes", "verdict": "{verdict}"}}\n```\nDone.'
            assert read_verdict(reply, PROMPTS["card"]) == verdict
    assert read_verdict(f"{mark} yes, I think so.", PROMPTS["card"]) == ""


def test_the_last_of_several_fields_is_the_verdict() -> None:
    names = ("answer", "verdict", "Final_Answer", "judgment", "ANSWER")
    for first, last in itertools.permutations(names, 2):
        for verdict, other in (("yes", "no"), ("no", "yes")):
            assert read_verdict(json.dumps({first: other, last: verdict}), PROMPTS["card"]) == verdict


def test_a_date_to_wait_for_is_in_its_zone() -> None:
    for zone in (UTC, timezone(timedelta(hours=-5))):
        later = (datetime.now(zone) + timedelta(seconds=90)).strftime("%a, %d %b %Y %H:%M:%S %z")
        assert retry_after({"retry-after": later}) == pytest.approx(90, abs=3)
    zoneless = email.utils.format_datetime(datetime.now(UTC).replace(tzinfo=None) + timedelta(seconds=90))  # "-0000"
    assert retry_after({"retry-after": zoneless}) == pytest.approx(90, abs=3)
