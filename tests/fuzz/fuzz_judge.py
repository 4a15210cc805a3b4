"""Any response of a judge server is a score between 0 and 1, or a failure with a reason."""

import copy
import json
import math
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from metrics.l3score._logprobs import plain_word
from metrics.l3score._logprobs import score_top_tokens
from metrics.l3score._outcomes import Outcome
from metrics.l3score._prices import pricer
from metrics.l3score._prompts import PROMPTS
from metrics.l3score._replies import Reply
from metrics.l3score._replies import duration
from metrics.l3score._replies import read_body
from metrics.l3score._replies import read_error
from metrics.l3score._replies import retry_after
from metrics.l3score._result_rows import LOGPROB_COLUMNS
from metrics.l3score._result_rows import Judged
from metrics.l3score._result_rows import example_row
from metrics.l3score._result_rows import is_judgment
from metrics.l3score._result_rows import logprob_scores
from metrics.l3score._scored_columns import encode_column
from tests.judge_server import completion

_WORD = st.sampled_from(
    [
        "Yes",
        " yes",
        "NO",
        "no.",
        "content",
        "logprobs",
        "top_logprobs",
        "token",
        "logprob",
        "choices",
        "error",
        "code",
        "\ud800",
    ]
)
_NUMBER = (
    st.integers() | st.floats() | st.sampled_from([10**400, -(10**400), 1e308, -1e308, -9999.0, 710.0, 2**63, 2**1024])
)
_VALUE = st.recursive(
    st.none() | st.booleans() | _NUMBER | _WORD | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORD | st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [path, *(deeper for key in keys for deeper in _paths(value[key], (*path, key)))]


@st.composite
def bodies(draw: st.DrawFn) -> Any:
    """A completion with some parts missing or replaced by arbitrary values."""
    top = draw(st.lists(st.tuples(_WORD | st.text(max_size=4), _NUMBER), max_size=5))
    body: Any = copy.deepcopy(completion(top))
    if draw(st.booleans()):
        body["usage"]["prompt_tokens_details"] = {"cached_tokens": 3}
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(_paths(body)))
        if not path:
            return draw(_VALUE)
        parent = body
        for key in path[:-1]:
            parent = parent[key]
        if draw(st.booleans()) and isinstance(parent, dict):
            del parent[path[-1]]
        else:
            parent[path[-1]] = draw(_VALUE)
    return body


@given(bodies() | _VALUE)
def test_any_response_body_is_scored_or_a_failure(body: Any) -> None:
    reply = read_body(json.loads(json.dumps(body)))
    assert isinstance(reply, Reply)
    assert (reply.judgment is not None) == (reply.kind == "answer")
    assert reply.why or reply.kind == "answer"
    reply.why.encode()
    for price in (pricer(None, "x", (0.15, 0.6)), pricer("openai", "gpt-4o-mini", None)):
        if reply.usage is not None and price is not None:
            assert 0.0 <= price(reply.usage) < math.inf
    judgment = reply.judgment
    if judgment is None:
        return
    stored = json.loads(json.dumps(judgment, allow_nan=False))
    assert is_judgment(stored)
    card = PROMPTS["card"]
    rows = [
        example_row(
            ["x"], Judged({"x": Outcome(one, "", 0.0)}, set()), lambda told: logprob_scores(told, card), LOGPROB_COLUMNS
        )
        for one in (judgment, stored)
    ]
    assert rows[0] == rows[1]
    assert 0.0 <= rows[0]["individual_scores"] <= 1.0
    for name, kind in LOGPROB_COLUMNS.items():
        column = encode_column([rows[0][name]], kind)
        shown = pa.array(column).to_pylist()  # what a dataset transform does with it
        assert shown == column or all(map(math.isnan, (*shown, *column))), name


@given(bodies() | _VALUE)
def test_any_response_body_with_votes_is_judged_or_a_failure(body: Any) -> None:
    reply = read_body(json.loads(json.dumps(body)), votes=True)
    assert (reply.judgment is not None) == (reply.kind == "answer")
    assert reply.why or is_judgment(json.loads(json.dumps(reply.judgment)), votes=True)


@given(st.text() | st.from_regex(r"(\d{1,3}(\.\d)?(ms|h|m|s)){0,3}", fullmatch=True))
def test_any_duration_is_read_as_non_negative_or_none(text: str) -> None:
    seconds = duration(text)
    assert seconds is None or seconds >= 0.0


@given(st.lists(st.tuples(_WORD | st.text(max_size=6), st.floats(allow_nan=False, allow_infinity=False)), max_size=8))
def test_any_finite_log_probabilities_have_a_score(top: list[tuple[str, float]]) -> None:
    verdict = score_top_tokens(top)
    assert 0.0 <= verdict.score <= 1.0
    assert verdict == score_top_tokens(top[::-1])
    if not verdict.undecided:
        assert verdict.p_yes is not None
        assert verdict.p_no is not None
        assert 0.0 <= verdict.p_yes <= 1.0
        assert 0.0 <= verdict.p_no <= 1.0
    for token, _ in top:
        assert plain_word(plain_word(token)) in {plain_word(token), plain_word(token.casefold())}


_ASCII = st.text(st.characters(max_codepoint=126, min_codepoint=32))
_DATE = st.builds(
    "{}, {} {} {} {}:{}:{} {}".format,
    st.sampled_from(["Mon", "Sun", "X"]),
    st.integers(-1, 99),
    st.sampled_from(["Jan", "Feb", "Dec", "Foo"]),
    st.integers(-1, 99_999),
    *[st.integers(-1, 99)] * 3,
    st.sampled_from(["GMT", "-0000", "+0000", "+9999", "+99999999999999999", "EST", "", "-99999999"]) | _ASCII,
)
_NUMBERS = _NUMBER.map(str) | st.sampled_from(["nan", "inf", "-inf", "1e400", "1_000"])


@given(
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), _ASCII | _DATE | _NUMBERS),
    st.integers(100, 999),
)
def test_any_retry_header_is_read_as_non_negative_or_none(headers: dict[str, str], status: int) -> None:
    wait = retry_after(headers)
    assert wait is None or wait >= 0.0
    assert read_error(status, "", None, "", wait).why


@given(st.integers(100, 999), st.text(), st.none() | st.text(), st.text())
def test_any_error_response_has_a_kind_and_a_short_reason(
    status: int, code: str, parameter: str | None, message: str
) -> None:
    reply = read_error(status, code, parameter, message, None)
    assert reply.kind in {"limited", "retry", "refused", "suspect", "fatal"}
    assert len(reply.why) < 450
