"""The options of l3score: invalid values, signatures, pickles, and what is known of providers and models."""

import math
import pickle
import sys
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from answer_metrics.judge import registry
from answer_metrics.judge.judges import make_judge
from answer_metrics.judge.judging import jurors_of
from answer_metrics.judge.options import JudgeOptions
from answer_metrics.judge.registry import ModelFamily
from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judges import TEXTS, compute

pytestmark = [
    pytest.mark.filterwarnings("ignore:l3score. provider=.mock. is not a judge"),
    pytest.mark.usefixtures("fresh_judges"),
]

INVALID: list[tuple[dict[str, Any], str]] = [
    ({"provider": "acme"}, r"provider must be one of: 'openai', .*base_url="),
    ({"provider": "groq"}, "provider='groq' offers no log-probabilities"),
    ({"provider": None}, "provider must be a string, got None"),
    ({"top_logprobs": 1}, "top_logprobs must be an integer of at least 2"),
    ({"top_logprobs": 1001}, "top_logprobs must be between 2 and 1000"),
    ({"provider": "openai", "model": "gpt-4o", "top_logprobs": 21}, "='openai' and model='gpt-4o', got 21"),
    ({"provider": "openai", "model": "gpt-5-mini"}, 'gives no log-probabilities; choose .*scoring="votes"'),
    ({"model": ("model", "tokenizer")}, 'model must be a name, unless provider="transformers"'),
    ({"judges": [{"name": ""}]}, r"judges\[0\]\['name'\] must be a string, got ''"),
    ({"provider": "transformers"}, "needs model=: a Hub id"),
    ({"judges": [{"modle": "x"}]}, r"judges\[0\] has no setting 'modle'; did you mean 'model'\?; its settings are"),
    ({"provider": "openai-compatible"}, "needs base_url="),
    ({"base_url": "http://localhost:99999/v1", "provider": "openai"}, "Port out of range"),
    ({"base_url": "http://user:word@localhost/v1"}, "base_url must not contain a user"),
    ({"max_concurrency": 0}, "max_concurrency must be an integer between 1 and 1000"),
    ({"price": (1, -1)}, "price must be a pair of numbers"),
    ({"price": (math.inf, 1)}, "price must be a pair of numbers"),
    ({"judges": [{}, {"price": (1,)}]}, r"judges\[1\]\['price'\] must be a pair of numbers"),
    ({"max_cost": math.inf}, "max_cost must be a positive number of dollars"),
    ({"scoring": "votes", "samples": 129}, "samples must be an integer between 1 and 128"),
    ({"max_cost": 0}, "max_cost must be a positive number of dollars"),
    ({"provider": "openai", "model": "mine", "max_cost": 1}, "max_cost needs a price: the price of 'mine' is unknown"),
    ({"judge_cache_dir": 3}, "judge_cache_dir must be a path"),
    ({"extra_body": {"x": {1}}}, "extra_body must be a JSON-serializable dictionary"),
    ({"api_key": "  "}, "api_key is empty"),
    ({"api_key_env": "sk-word"}, "api_key_env must be the name of an environment variable or None, not a key"),
    ({"prompt": "crad"}, "prompt must be one of .*did you mean 'card'"),
    ({"prompt": {"template": "{reference}", "yes": ["a"], "no": ["b"]}}, "prompt: the template lacks {answer}"),
    ({"prompt": {"template": "{reference} {answer}", "yes": ["a"]}}, "prompt: a custom prompt is"),
    ({"prompt": {"template": "{reference} {answer}", "yes": ["a"], "no": ["B", "A."]}}, "none in both"),
    ({"prompt": {"template": "{reference} {answer}", "yes": ["A", 1], "no": ["B"]}}, "must be a list of str"),
    ({"api_key": b"sk-word"}, "api_key must be a string or None, got a bytes"),
    ({"provider": "openai", "api_key": "sk-wörd"}, "api_key contains a character that no key has"),
    ({"provider": "openai"}, "needs a key: pass api_key= or set the environment variable OPENAI_API_KEY"),
]


@pytest.mark.parametrize(("changes", "message"), INVALID, ids=str)
def test_bad_input_is_one_clear_error(changes: dict[str, Any], message: str) -> None:
    metric = L3Score()
    with pytest.raises(ValueError, match=message) as caught:
        metric.compute(**{**TEXTS, "provider": "mock", **changes})
    assert str(caught.value).startswith("l3score: ")
    assert not {"\n", "word", "wörd"} & set(str(caught.value).replace("wörd", "word").split())
    assert metric.compute(**TEXTS, provider="mock") == compute(provider="mock")


def test_a_shutdown_is_announced_half_a_year_before() -> None:
    family, day = ModelFamily(shutdown=date(2026, 7, 2), successor="s"), "on July 2, 2026"
    notices = {date(2025, 12, 30): "", date(2025, 12, 31): "will be", date(2026, 7, 1): "will be"}
    for today, verb in {**notices, date(2026, 7, 2): "was"}.items():
        notice = f"the model 'm' {verb} shut down {day} (" if verb else ""
        assert family.retirement_notice("m", today).partition("checked")[0] == notice


def test_an_address_has_nothing_that_may_be_secret() -> None:
    for address in ("http://h/v1?key=word", "http://h/v1#word", "http://:word@h/v1"):
        with pytest.raises(ValueError, match=r"^l3score: base_url must not contain .*: pass a key as api_key=\.$"):
            compute(base_url=address)


def test_dollars_are_finite_as_floats() -> None:
    for name, value in (("max_cost", 10**400), ("price", (1, 10**400))):
        with pytest.raises(ValueError, match=f"^l3score: {name} must be a p"):
            compute(provider="mock", **{name: value})


def test_key_of_the_environment_is_named_in_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk ab c")
    with pytest.raises(ValueError, match="the environment variable OPENAI_API_KEY contains a character"):
        compute(provider="openai")


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="pip install torch transformers"):
        compute(provider="transformers", model="x")
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ImportError, match=r"pip install 'openai\[aiohttp\]'"):
        compute(base_url="http://127.0.0.1:9/v1")
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    with pytest.raises(ValueError, match=r"max_cost needs a price: .* pip install genai-prices"):
        compute(max_cost=1)


def signature(**options: Any) -> str:
    metric = L3Score(return_signature=True, **{"model": "gpt-4o-mini", **options})
    return metric.signature(metric.resolve_options({}))


def test_signature_holds_what_changes_a_judgment_and_nothing_else() -> None:
    assert "|model:gpt-6-luna|host:api.openai.com/v1|" in signature(model=None)
    plain = signature()
    host = "provider:openai|model:gpt-4o-mini|host:api.openai.com/v1"
    assert plain == f"l3score|{host}|prompt:card|top_logprobs:5|scoring:2|version:0.3.0"
    different: list[dict[str, Any]] = [
        {"provider": "xai"}, {"provider": "mock"}, {"base_url": "http://localhost:1/v1"}, {"prompt": "spiqa"},
        {"top_logprobs": 6}, {"extra_body": {"seed": 1}}, {"extra_body": {"seed": 2}},
        {"extra_body": {"seed": 1, "a": [1, 2]}}, {"scoring": "votes", "samples": 3}, {"references_in_prompt": "all"},
        {"judges": [{"model": "gpt-4o"}, {"provider": "mock"}]},
        {"judges": [{"model": "gpt-4o", "top_logprobs": 3}, {"provider": "mock"}]},
        {"judges": [{"model": "gpt-4o"}, {"provider": "mock"}], "scoring": "votes"},
    ]  # fmt: skip
    assert len({plain, *(signature(**options) for options in different)}) == 1 + len(different)
    immaterial = {"api_key": "sk-1", "max_concurrency": 3, "judge_cache_dir": "/x", "max_cost": 1, "price": (1, 1)}
    immaterial |= {"on_error": "skip", "extra_body": {}, "base_url": " https://api.openai.com/v1/\n"}
    unset = dict.fromkeys(("api_key", "base_url", "judges", "extra_body", "judge_cache_dir", "price", "max_cost"))
    assert signature(**immaterial) == signature(**unset) == plain
    assert L3Score().resolve_options({"judge_cache_dir": "~/j"}).judge_cache_dir == str(Path.home() / "j")
    ordered = [{"seed": 1, "a": 2}, {"a": 2, "seed": 1}]
    assert len({signature(extra_body=body) for body in ordered}) == 1
    for model in ("/models/of/mine/judge-7b", Path("/judge-7b"), "./judge-7b/", "../judge-7b", "~/models/judge-7b"):
        assert "|model:judge-7b|" in signature(model=model)
    assert "|model:acme/judge-7b|" in signature(model="acme/judge-7b")


def test_pickle_contains_no_key() -> None:
    panel = [{"provider": "mock", "api_key": "sk-canary", "name": "a"}]
    metric = L3Score(provider="mock", api_key="sk-canary", price=(1, 2), judges=panel)
    for text in (repr(metric), repr(vars(metric)), repr(pickle.dumps(metric))):
        assert "canary" not in text
    rebuilt = pickle.loads(pickle.dumps(metric))  # made here
    without_keys = {"provider": "mock", "price": (1.0, 2.0), "judges": [{"provider": "mock", "name": "a"}]}
    assert rebuilt._loaded_options == without_keys


def test_retirement_is_announced() -> None:
    with JudgeServer() as server, pytest.warns(UserWarning, match="the model 'gpt-3.5-turbo' was shut down on"):
        compute(base_url=server.url, model="gpt-3.5-turbo")


@pytest.mark.parametrize(
    ("provider", "model"), [("openai", None), ("deepseek", None), ("xai", None), ("xai", "grok-4.20-reasoning")]
)
def test_default_models_and_variants_of_one_name_have_a_list_price(provider: str, model: str | None) -> None:
    judge: Any = make_judge(JudgeOptions(provider=provider, model=model))
    assert 0 < judge.price((1000, 0, 1)) < judge.price((1000, 0, 1000))


def test_judge_of_a_panel_takes_no_identity_from_the_call() -> None:
    identity = {"price": (1, 1), "model": "m", "base_url": "http://h/v1", "api_key": "sk-1", "extra_body": {"seed": 1}}
    identity["api_key_env"] = "A_KEY"
    options = L3Score().resolve_options({**identity, "judges": [{"provider": "mock"}]})
    assert [getattr(jurors_of(options)[0], name) for name in identity] == [None] * len(identity)


def test_the_callers_fields_come_before_those_of_the_model() -> None:
    for provider, own in (("openai", {"reasoning_effort": "low"}), ("deepseek", {"thinking": 1}), ("xai", {"n": 2})):
        judge: Any = make_judge(JudgeOptions(provider=provider, extra_body={**own, "temperature": 1, "model": "x"}))
        assert judge._fields().items() >= {**own, "temperature": 1, "model": "x"}.items()


def test_fields_that_the_caller_changes_later_stay_as_they_were_given() -> None:
    body: dict[str, Any] = {"reasoning": {"effort": "low"}, "stop": ["a"]}
    metric = L3Score(extra_body=body)
    options = metric.resolve_options({})
    body["reasoning"]["effort"] = "high"
    body["stop"].append("b")
    assert (
        options.extra_body == metric.resolve_options({}).extra_body == {"reasoning": {"effort": "low"}, "stop": ["a"]}
    )


def test_list_prices_follow_the_time_of_day(monkeypatch: pytest.MonkeyPatch) -> None:
    genai_prices = pytest.importorskip("genai_prices")
    minutes = iter((1, 1, 2, 3))
    prices = iter((0.0, 1.0, 0.5, 0.25))
    monkeypatch.setattr(registry, "time", SimpleNamespace(time=lambda: 60.0 * next(minutes)))
    monkeypatch.setattr(genai_prices, "calc_price", lambda *_, **__: SimpleNamespace(total_price=next(prices)))
    price: Any = registry.pricer("deepseek", "deepseek-chat", None)
    assert [price((10, 0, 1)) for _ in range(4)] == [1.0, 1.0, 0.5, 0.25]
