"""The Space of l3score: no addresses, paths or local models, and keys used only for their purpose."""

import json
import logging
import sys
from typing import Any

import pytest

from space_ui.rows import InputError
from tests.unit.test_space_form import load_form

FORM = load_form("l3score")
KEY = "sk-visitor-0123456789"
INPUTS = {"questions": ["q"], "predictions": ["a"], "references": ["a"]}
APP: Any = FORM.authorize.__globals__ if FORM.authorize else {}


def call(**options: Any) -> dict[str, Any]:
    given = {control.name: control.default for control in FORM.api_controls}
    result: dict[str, Any] = json.loads(FORM.call(**INPUTS, **{**given, **options}))
    return result


def respond(key: str = "", **options: Any) -> dict[str, Any]:
    body = json.dumps({"rows": [["q", "a", "a"], ["q", "b c", "b"]], "options": options}).encode()
    return dict(json.loads(json.dumps(FORM.respond(body, key)[1])))


pytestmark = pytest.mark.filterwarnings("always::UserWarning")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY", "L3SCORE_BUDGET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(APP, "BUDGET", APP["OwnerBudget"]())


@pytest.fixture
def judge_calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Replace the judging by a record of its arguments."""
    calls: list[dict[str, Any]] = []

    def finish(_metric: Any, _columns: Any, _common: Any, options: Any) -> dict[str, Any]:
        calls.append(vars(options))
        return {"L3Score": 1.0, "Cost": 0.01}

    monkeypatch.setattr(type(FORM.metric), "score_columns", lambda *_: {})
    monkeypatch.setattr(type(FORM.metric), "_summarize", finish)
    return calls


def test_mock_judge_is_used_and_announced_without_a_key() -> None:
    answer = respond()
    assert answer["notices"] == ["Demo judge: it compares words only. Not a real score."]
    assert json.loads(answer["json"])["options"]["provider"] == "mock"
    assert call()["warnings"]


@pytest.mark.parametrize("provider", ["transformers", "openai-compatible", "http://127.0.0.1", "", None])
def test_other_providers_are_rejected(provider: Any) -> None:
    with pytest.raises(InputError, match='provider must be one of "mock", "openai", "deepseek", "xai"'):
        call(provider=provider)
    assert "provider must be one of" in respond(provider=provider or "x")["error"]


@pytest.mark.parametrize("option", ["base_url", "judge_cache_dir", "extra_body", "price", "api_key", "use_cache"])
def test_python_only_options_are_not_offered_on_the_space(option: str) -> None:
    assert option not in {control.name for control in FORM.api_controls}
    with pytest.raises(InputError, match=f"no option {option}"):
        call(**{option: "x"})


def test_without_key_or_budget_no_call_is_made(
    judge_calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-owner")
    with pytest.raises(InputError, match="This judge needs a key"):
        call(provider="openai")
    monkeypatch.setenv("L3SCORE_BUDGET", "plenty")
    with pytest.raises(InputError, match="This judge needs a key"):
        call(provider="openai")
    assert not judge_calls


def test_owners_key_is_used_within_the_budget(
    judge_calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-owner")
    monkeypatch.setenv("L3SCORE_BUDGET", "0.2")
    call(provider="openai")
    assert judge_calls[-1]["api_key"] is None
    assert judge_calls[-1]["max_cost"] == pytest.approx(0.01)
    call(provider="openai", max_cost=0.001)
    assert judge_calls[-1]["max_cost"] == 0.001
    for _ in range(18):
        call(provider="openai")
    with pytest.raises(InputError, match="The owner's budget is spent"):
        call(provider="openai")
    assert len(judge_calls) == 20


def judge_error(spent: float | None) -> Exception:
    """Create an error of the class in the metric's script."""
    error: Exception = sys.modules[type(FORM.metric).__module__].JudgeError("Judging stopped: no quota.", spent)
    return error


@pytest.mark.parametrize(
    ("error", "spent"),
    [
        (ValueError("bad input, found before any call"), 0.0),
        (TypeError("no such option"), 0.0),
        (judge_error(0.0), 0.0),
        (judge_error(0.01), 0.01),
        (judge_error(0.07), 0.07),
        (judge_error(None), 0.05),
        (OSError("unknown state"), 0.05),
    ],
    ids=repr,
)
def test_failed_call_is_charged_its_maximum_cost(
    error: Exception, spent: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("L3SCORE_BUDGET", "1")

    def fail(_: Any) -> Any:
        raise error

    with pytest.raises((type(error), InputError)):
        APP["authorize"](fail, {"provider": "openai"}, "")
    assert vars(APP["BUDGET"])["_spent"] == pytest.approx(spent)


def test_cost_above_the_reservation_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("L3SCORE_BUDGET", "1")
    APP["authorize"](lambda _: {"Cost": 0.97}, {"provider": "openai"}, "")
    assert APP["BUDGET"].reserve() == pytest.approx(0.03)
    with pytest.raises(ValueError, match="budget is spent"):
        APP["BUDGET"].reserve()


@pytest.mark.parametrize("change", [{"model": "nonsense"}, {"max_cost": 0.0}, {"max_cost": -1.0}, {"max_cost": 1e-9}])
def test_calls_without_judge_requests_do_not_change_the_budget(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-owner")
    monkeypatch.setenv("L3SCORE_BUDGET", "1")
    for _ in range(21):
        with pytest.raises(InputError, match=r"is unknown|could exceed max_cost|max_cost must be"):
            call(provider="openai", **change)
    assert vars(APP["BUDGET"])["_spent"] == pytest.approx(0.0)


def test_judge_refusal_is_reported_on_page_and_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise judge_error(None)

    monkeypatch.setattr(type(FORM.metric), "score_columns", fail)
    assert "Judging stopped: no quota." in respond(KEY, provider="openai")["error"]
    with pytest.raises(InputError, match=r"Judging stopped: no quota\."):
        call(provider="openai", x_judge_key=KEY)


def test_visitors_key_is_used_once_and_shown_nowhere(
    judge_calls: list[dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        called = call(provider="openai", x_judge_key=KEY)
    assert str(judge_calls[-1]["api_key"]) == KEY
    assert judge_calls[-1]["max_cost"] is None
    assert KEY not in caplog.text + json.dumps(called)
    call(provider="mock", x_judge_key=KEY)
    assert judge_calls[-1]["api_key"] is None


def test_key_is_in_no_response() -> None:
    answer = respond(KEY)
    assert any("The key was not used" in notice for notice in answer["notices"])
    assert KEY not in json.dumps(answer)


def test_judgments_are_not_stored(judge_calls: list[dict[str, Any]]) -> None:
    call()
    assert judge_calls[-1]["use_cache"] is False
    assert judge_calls[-1]["base_url"] is None
    assert judge_calls[-1]["judge_cache_dir"] is None


def test_cost_is_estimated_without_calls() -> None:
    rows = [["q", "a", "a | b"], ["q", "b c", "b"]]
    body = json.dumps({"rows": rows, "options": {"provider": "openai", "model": "gpt-4o-mini"}}).encode()
    text = FORM.estimate_cost(FORM.parse(body))
    assert text.startswith("3 calls, about $0.00")
    assert text.endswith("No call has been made yet.")
    unknown = json.dumps({"rows": rows, "options": {"provider": "openai", "model": "nonsense"}}).encode()
    assert "price unknown" in FORM.estimate_cost(FORM.parse(unknown))


def test_link_carries_options_but_no_key() -> None:
    link = respond(KEY, on_error="raise")["link"]
    opened = FORM.open_link(link)[1]
    assert opened["options"] == FORM.clean({"on_error": "raise"})
    assert KEY not in json.dumps(opened)


def test_each_reference_counts_as_a_prompt(judge_calls: list[dict[str, Any]]) -> None:
    options = {control.name: control.default for control in FORM.api_controls}
    for references, message in (([[""] * 21], "21 texts in a cell"), ([["a"] * 20] * 46, "1,012 texts; the limit is")):
        rows = len(references)
        with pytest.raises(InputError, match=message):
            FORM.call(questions=["q"] * rows, predictions=["a"] * rows, references=references, **options)
    assert not judge_calls


def test_unreachable_judge_is_reported_without_options_that_the_space_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    error = respond(KEY, provider="openai")["error"]
    assert "Connection refused" in error
    assert "Try again later. 0 of the 2 missing judgments arrived" in error
    assert "base_url" not in error
    assert "use_cache" not in error
