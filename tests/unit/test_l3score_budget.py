"""Remote judges: costs and budgets."""

import re
import threading
import warnings
from typing import Any

import pytest

from metrics.l3score._budget import Budget
from metrics.l3score._budget import Meter
from metrics.l3score._outcomes import JudgeError
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.judge_server import error
from tests.remote_judge import failing
from tests.remote_judge import judge

pytestmark = pytest.mark.usefixtures("quick_remote_judge")


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


def test_billed_failed_attempts_are_included_in_the_cost() -> None:
    with JudgeServer(failing(Reply(completion(choices=[])))) as server:
        assert judge(server, 1, price=(1, 2))["Cost"] == pytest.approx(2 * 102e-6)


def test_max_cost_is_never_exceeded_and_judgments_are_stored() -> None:
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


def test_max_cost_holds_if_the_server_adds_tokens() -> None:
    usage = {"prompt_tokens": 5000, "completion_tokens": 50}
    with JudgeServer(lambda _request, _number: Reply(completion(usage=usage), delay=0.01)) as server:
        with pytest.raises(JudgeError, match="max_cost"):
            judge(server, 100, price=(100, 100), max_cost=5.0, max_concurrency=8)
        assert len(server.requests) * 0.505 <= 5.0


def test_max_cost_holds_in_every_run_of_a_process() -> None:
    """Costs learned in one run must not make the next run start all its calls on a wrong estimate."""
    usage = {"prompt_tokens": 3000, "completion_tokens": 1}
    with JudgeServer(lambda _request, _number: Reply(completion(usage=usage), delay=0.1)) as server:
        judge(server, 1, price=(1, 1), use_cache=False)
        with pytest.raises(JudgeError, match=r"exceed max_cost=0.004.* 1 of the 40 missing .* \$0.0030"):
            judge(server, 40, price=(1, 1), max_cost=0.004, use_cache=False)
        assert len(server.requests) == 2


def test_hidden_tokens_are_detected_after_a_long_prompt() -> None:
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
def test_list_price_is_not_used_for_other_service_tiers(tier: str, dollars: float | None) -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(service_tier=tier))) as server:
        assert judge(server, 1, price=(1, 1))["Cost"] == pytest.approx(101e-6)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert (judge(server, 2)["Cost"] is None) == (dollars is None)
            with pytest.raises(ValueError, match="service_tier='flex'"):
                judge(server, 2, extra_body={"service_tier": "flex"}, max_cost=1.0)


def test_calls_with_a_budget_run_concurrently_without_reported_usage() -> None:
    with JudgeServer(lambda _request, _number: Reply(completion(usage=None), delay=0.2)) as server:
        with pytest.warns(UserWarning, match="report the billed tokens"):
            judge(server, 40, price=(1, 1), max_cost=10.0, max_concurrency=8)
        assert server.most_at_once > 2


def test_lost_response_counts_against_the_budget() -> None:
    with JudgeServer(lambda _request, _number: Reply(broken=True)) as server:
        with pytest.raises(JudgeError, match="max_cost"):
            judge(server, 3, price=(1000, 0), max_cost=1.0, max_retries=1000)
        assert len(server.requests) < 5


def test_budget_too_small_for_one_call_is_rejected() -> None:
    with JudgeServer() as server:
        with pytest.raises(JudgeError, match="max_cost"):
            judge(server, 3, max_cost=1e-9)
        assert not server.requests
