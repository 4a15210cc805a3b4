"""Shared by the tests of remote judges: examples for a server on 127.0.0.1, and its answers."""

from collections.abc import Callable
from typing import Any

import pytest

from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

SCORE = pytest.approx(0.908877, abs=1e-6)
Answer = Callable[[dict[str, Any], int], Reply]


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
    """Return these replies to the first requests, and Yes to all others."""
    return lambda _request, number: replies[number - 1] if number <= len(replies) else Reply(completion())


def failing_for(text: str, reply: Reply) -> Answer:
    """Return this reply to prompts that contain a text."""
    return lambda request, _number: reply if text in request["messages"][0]["content"] else Reply(completion())
