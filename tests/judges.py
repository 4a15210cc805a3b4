"""Shared by the tests of l3score: examples, and how they are judged by a server on 127.0.0.1 or by the mock."""

from collections.abc import Callable
from typing import Any

import pytest

from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer, Reply, completion

Answer = Callable[[dict[str, Any], int], Reply]
SCORE = pytest.approx(0.908877, abs=1e-6)
"""The score of the answer that `completion()` gives: p(yes) is exp(-0.1), p(no) is exp(-2.4)."""
TEXTS: dict[str, Any] = {
    "questions": ["Capital of France?", "Capital of Germany?", "Colors of the flag?"],
    "predictions": ["Paris", "Moscow", "red and white"],
    "references": ["Paris", "Berlin", "red, white and blue"],
}


def compute(**options: Any) -> dict[str, Any]:
    result = L3Score().compute(**{**TEXTS, **options})
    assert result is not None
    return result


def judge(server: JudgeServer, count: int = 3, **options: Any) -> dict[str, Any]:
    texts = {
        "questions": [f"question {number}" for number in range(count)],
        "predictions": ["prediction"] * count,
        "references": ["reference"] * count,
    }
    return compute(**{**texts, "base_url": server.url, "model": "gpt-4o-mini", "return_details": True, **options})


def question_number(request: dict[str, Any]) -> int:
    """Return the number of the question in a request, or -1 for another question."""
    number = request["messages"][0]["content"].partition("question ")[2].partition("\n")[0]
    return int(number) if number.isdecimal() else -1


def always(reply: Reply) -> Answer:
    return lambda _request, _number: reply


def for_question(replies: dict[int, Reply]) -> Answer:
    """Give these replies to the questions of these numbers, and Yes to all others."""
    return lambda request, _number: replies.get(question_number(request), Reply(completion()))
