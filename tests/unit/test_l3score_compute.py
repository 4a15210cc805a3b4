"""The metric itself: inputs, options, results, the two steps, signatures."""

import contextlib
import json
import math
import pickle
import sqlite3
import sys
import warnings
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pandas as pd
import pytest

from metrics.l3score import _remote
from metrics.l3score import _remote_judge
from metrics.l3score._outcomes import JudgeError
from metrics.l3score._prices import pricer
from metrics.l3score._providers import PROVIDERS
from metrics.l3score._result_rows import is_judgment
from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

pytestmark = pytest.mark.filterwarnings("ignore:l3score. provider=.mock. is not a judge")

TEXTS: dict[str, Any] = {
    "questions": ["Capital of France?", "Capital of Germany?", "Colours of the flag?"],
    "predictions": ["Paris", "Moscow", "red and white"],
    "references": ["Paris", "Berlin", "red, white and blue"],
}


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("evaluate.config.HF_CACHE_HOME", str(tmp_path))
    for provider in PROVIDERS.values():
        if provider.key_variable:
            monkeypatch.delenv(provider.key_variable, raising=False)
    _remote._learned.clear()
    _remote_judge._paces.clear()


def mock(**options: Any) -> dict[str, Any]:
    result = L3Score().compute(**{**TEXTS, "provider": "mock", **options})
    assert result is not None
    return result


def by_answer(request: dict[str, Any], _number: int) -> Reply:
    """The candidates stand in the prediction itself: token and probability, by turns."""
    words = request["messages"][0]["content"].partition("Candidate answer: ")[2].partition("\n")[0].split()
    return Reply(completion([(words[i], math.log(float(words[i + 1]))) for i in range(0, len(words), 2)]))


def test_default_result_is_the_documented_one() -> None:
    assert mock() == {"L3Score": pytest.approx((0.99 + 0.01 + 0.85) / 3), "Cost": 0.0}


def test_mock_warns() -> None:
    with pytest.warns(UserWarning, match="is not a judge"):
        mock()


def test_results_are_plain() -> None:
    result = mock(return_details=True, return_confidence=True, return_signature=True, on_error="skip")
    assert json.loads(json.dumps(result))["failed"] == 0
    low, high = result["L3Score_confidence_interval"]
    assert 0.0 <= low <= result["L3Score"] <= high <= 1.0
    assert {len(value) for value in result.values() if isinstance(value, list)} == {3}


def test_no_examples() -> None:
    with pytest.warns(UserWarning, match="no examples"):
        result = L3Score().compute(questions=[], predictions=[], references=[], return_confidence=True)
    assert result == {"L3Score": 0.0, "Cost": 0.0, "L3Score_confidence_interval": (0.0, 1.0)}


def test_the_best_reference_counts() -> None:
    result = mock(references=[["Lyon", "Paris"], ["Bonn", "Berlin"], ["red and white", "none"]], return_details=True)
    assert result["individual_scores"] == pytest.approx([0.99, 0.01, 0.99])


def test_details_of_every_kind_of_answer() -> None:
    with JudgeServer(by_answer) as server, pytest.warns(UserWarning, match="1 of 4 judgments are undecided"):
        result = L3Score().compute(
            questions=["q"] * 4,
            predictions=["Yes 0.6 No 0.2", "Yes 0.7 The 0.25", "The 0.9 A 0.1", "no 0.9 Yeah 0.1"],
            references=["r"] * 4,
            base_url=server.url,
            return_details=True,
        )
    assert result is not None
    assert result["individual_scores"] == pytest.approx([0.75, 0.7 / 0.75, 0.0, 1e-8 / 0.9], rel=1e-6)
    assert result["L3Score"] == math.fsum(result["individual_scores"]) / 4
    assert result["p_yes"] == pytest.approx([0.6, 0.7, 0.0, 1e-8], rel=1e-6)
    assert result["p_no"] == pytest.approx([0.2, 0.05, 0.0, 0.9])
    assert result["undecided"] == [False, False, True, False]
    assert result["top_tokens"][3] == ["no", "Yeah"]
    assert result["served_models"] == ["judge-2026-11-01"] * 4
    assert result["fingerprints"] == ["fp_1"] * 4
    assert result["input_tokens"] == [100] * 4


def test_yeah_counts_under_the_prompt_of_the_paper() -> None:
    with JudgeServer(by_answer) as server:
        inputs: dict[str, Any] = {"questions": ["q"], "predictions": ["no 0.5 Yeah 0.25"], "references": ["r"]}
        options = {"base_url": server.url, "return_details": True}
        spiqa = L3Score().compute(**inputs, prompt="spiqa", **options)
        card = L3Score().compute(**inputs, prompt="card", **options)
        assert spiqa is not None
        assert card is not None
        assert spiqa["L3Score"] == pytest.approx(0.25 / 0.75)
        assert card["L3Score"] == pytest.approx(0.25 / 0.75)
        assert len(server.requests) == 2
        two = [
            L3Score().compute(**{**inputs, "predictions": ["no 0.5 Yeah 0.2 Yes 0.1"]}, prompt=p, **options)
            for p in ("spiqa", "card")
        ]
        assert [round(one["L3Score"], 4) for one in two if one] == [round(0.2 / 0.7, 4), round(0.1 / 0.6, 4)]


def test_failed_examples_are_left_out() -> None:
    with JudgeServer(
        lambda request, number: Reply({}, 400) if "good" not in str(request) else by_answer(request, number)
    ) as server:
        inputs: dict[str, Any] = {
            "questions": ["good", "bad", "mixed"],
            "predictions": ["Yes 0.6 No 0.2"] * 3,
            "references": [["a", "b"], ["a"], ["good", "other"]],
        }
        options: dict[str, Any] = {"base_url": server.url, "on_error": "skip", "return_details": True, "model": "m"}
        result = L3Score().compute(**inputs, **options)
        assert result is not None
        assert result["L3Score"] == pytest.approx(0.75)
        assert result["failed"] == 2
        assert result["individual_scores"] == [pytest.approx(0.75), None, None]
        all_failed = L3Score().compute(questions=["bad"], predictions=["p"], references=["r"], **options)
        assert all_failed is not None
        assert (all_failed["L3Score"], all_failed["failed"]) == (None, 1)
        json.dumps(result)
        metric = L3Score(**options)
        scored = metric.score_batch(inputs)
        second = {**result, "Cost": 0.0, "costs": [0.0] * 3, "cached": [True, False, False]}
        assert metric.aggregate(pd.DataFrame(scored), return_details=True) == second
        with pytest.raises(JudgeError, match='2 examples were not judged; on_error="skip"'):
            metric.aggregate(scored, on_error="raise")


def test_the_two_steps_are_compute_in_any_order() -> None:
    metric = L3Score(provider="mock")
    options = {"return_details": True, "return_confidence": True, "return_signature": True}
    whole = metric.compute(**TEXTS, **options)
    assert whole is not None
    dataset = datasets.Dataset.from_dict(TEXTS)
    scored = dataset.map(metric.score_batch, batched=True, batch_size=2)
    assert metric.aggregate(scored, **options) == whole
    backwards = metric.aggregate(scored.select([2, 0, 1]), return_confidence=True)
    assert (backwards["L3Score"], backwards["L3Score_confidence_interval"]) == (
        whole["L3Score"],
        whole["L3Score_confidence_interval"],
    )
    metric.add_batch(**{name: column[:2] for name, column in TEXTS.items()})
    metric.add(questions=TEXTS["questions"][2], prediction=TEXTS["predictions"][2], reference=TEXTS["references"][2])
    assert metric.compute(**options) == whole


def test_a_dataset_without_a_price_maps_whatever_is_cached() -> None:
    with JudgeServer() as server, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        metric = L3Score(base_url=server.url, model="unpriced")
        dataset = datasets.Dataset.from_dict(
            {"questions": ["a", "a"], "predictions": ["p"] * 2, "references": ["r"] * 2}
        )
        scored = dataset.map(metric.score_batch, batched=True, batch_size=1)
        result = metric.aggregate(scored, return_details=True)
        assert (result["Cost"], result["costs"]) == (None, [None, 0.0])


def test_cached_judgments_need_no_key_and_cost_nothing() -> None:
    with JudgeServer() as server:
        first = L3Score().compute(**TEXTS, base_url=server.url)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        second = L3Score().compute(**TEXTS, base_url=server.url, max_cost=0.01)
    assert first is not None
    assert second == {"L3Score": first["L3Score"], "Cost": 0.0}


GOOD = {"top": [["Yes", -0.1]], "usage": [1, 0, 1], "model": "m", "fingerprint": None}


@pytest.mark.parametrize(
    "poison",
    [
        None,
        [],
        {},
        {**GOOD, "top": []},
        {**GOOD, "top": "Yes"},
        {**GOOD, "top": [["Yes"]]},
        {**GOOD, "top": [["Yes", "-0.1"]]},
        {**GOOD, "top": [[{"html": "<b>"}, -0.1]]},
        {**GOOD, "top": [["Yes", math.nan]]},
        {**GOOD, "usage": [1, 2]},
        {**GOOD, "usage": ["1", 0, 1]},
        {**GOOD, "model": 5},
        {"top": [["Yes", -0.1]]},
    ],
)
def test_corrupt_cache_entry_is_rejudged(poison: Any) -> None:
    """What was stored and cannot be scored is asked anew, and replaced."""
    assert is_judgment(GOOD)
    with JudgeServer() as server:
        options = {**TEXTS, "base_url": server.url, "price": (0, 0)}
        first = L3Score().compute(**options)
        (path,) = Path(evaluate.config.HF_CACHE_HOME).rglob("judgements.sqlite")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("UPDATE judgements SET judgement = ?", (json.dumps(poison),))
        assert L3Score().compute(**options) == first
        assert len(server.requests) == 6
        assert L3Score().compute(**options) == first
        assert len(server.requests) == 6


def test_without_cache_everything_is_asked_again(tmp_path: Path) -> None:
    with JudgeServer() as server:
        for _ in range(2):
            L3Score().compute(**TEXTS, base_url=server.url, use_cache=False)
        assert len(server.requests) == 6
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("missing", "options", "advice"),
    [
        ("torch", {"provider": "transformers", "model": "x"}, "pip install torch transformers"),
    ],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, missing: str, options: dict[str, Any], advice: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=advice):
        L3Score().compute(**TEXTS, **options)


def test_without_genai_prices_the_cost_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    with JudgeServer() as server, pytest.warns(UserWarning, match="pip install genai-prices"):
        result = L3Score().compute(**TEXTS, base_url=server.url)
    assert result is not None
    assert result["Cost"] is None
    with pytest.raises(ValueError, match=r"max_cost needs a price: .* pip install genai-prices"):
        L3Score().compute(**TEXTS, max_cost=1)


# ---- bad input and bad options


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"questions": None}, "questions is missing"),
        ({"questions": ["q"]}, "got 1 questions, 3 predictions, 3 references"),
        ({"questions": "a bare string"}, "questions is a bare str"),
        ({"questions": ["q", 7, "q"]}, r"questions\[1\] is 7 \(int\)"),
        ({"predictions": ["p", None, "p"]}, r"predictions\[1\] is None"),
        ({"references": ["r", ["r"], "r"]}, r"references\[1\] is .*list"),
        ({"references": [["r"], [], ["r"]]}, r"references\[1\] is an empty list"),
        ({"questions": ["q", "\ud800", "q"]}, r"questions\[1\] holds a lone surrogate"),
        ({"on_error": "ignore"}, 'on_error must be one of "raise", "skip"'),
        ({"prompt": "mine"}, 'prompt must be one of "card", "spiqa"'),
        ({"provider": "acme"}, r"provider must be one of: 'openai', .*base_url="),
        ({"provider": "groq"}, "provider='groq' offers no log-probabilities"),
        ({"provider": None}, "provider must be a string"),
        ({"top_logprobs": 1}, "top_logprobs must be an integer of at least 2"),
        ({"provider": "openai", "model": "gpt-4o", "top_logprobs": 21}, "top_logprobs must be between 2 and 20"),
        ({"provider": "openai", "top_logprobs": 6}, "top_logprobs must be between 2 and 5 .* model='gpt-6-luna'"),
        ({"provider": "openai", "model": "gpt-5-mini"}, 'gives no log-probabilities; choose .*scoring="votes"'),
        ({"judges": []}, "judges must be a list of dictionaries"),
        ({"judges": [{"modle": "x"}]}, r"judges\[0\] has no setting 'modle'.*model"),
        ({"judges": [{"provider": "acme"}]}, "provider must be one of"),
        ({"scoring": "vote"}, 'scoring must be one of "logprobs", "votes"'),
        ({"provider": "xai", "top_logprobs": 9}, "top_logprobs must be between 2 and 8"),
        ({"provider": "openai", "model": "gpt-5.2", "top_logprobs": 6}, "top_logprobs must be between 2 and 5"),
        ({"top_logprobs": 1001}, "top_logprobs must be between 2 and 1000"),
        ({"provider": "transformers", "model": "m", "top_logprobs": 1001}, "top_logprobs must be between 2 and 1000"),
        ({"provider": "openai", "model": ("model", "tokenizer")}, "model must be a name"),
        ({"model": 3}, "model must be the name of a model"),
        ({"provider": "transformers"}, "needs model=: a Hub id"),
        ({"provider": "transformers", "return_signature": True}, "needs model=: a Hub id"),
        ({"provider": "openai-compatible"}, "needs base_url="),
        ({"base_url": "localhost:8000"}, "base_url must be an address"),
        ({"base_url": "//localhost:8000/v1"}, "base_url must be an address"),
        ({"base_url": "http:/localhost:8000/v1"}, "base_url must be an address"),
        ({"max_concurrency": 0}, "max_concurrency must be"),
        ({"request_timeout": 0}, "request_timeout must be"),
        ({"max_retries": -1}, "max_retries must be"),
        ({"price": 3}, "price must be a pair"),
        ({"price": (1, -1)}, "price must be a pair"),
        ({"price": (1, True)}, "price must be a pair"),
        ({"max_cost": 0}, "max_cost must be a positive number"),
        ({"provider": "openai", "model": "mine", "max_cost": 1}, "max_cost needs a price"),
        ({"judge_cache_dir": 3}, "judge_cache_dir must be a path"),
        ({"extra_body": {"x": object()}}, "extra_body must be a dictionary"),
        ({"confidence_level": 1}, "confidence_level must be"),
        ({"provider": "openai"}, "needs a key: pass api_key= or set the environment variable OPENAI_API_KEY"),
    ],
)
def test_bad_input_is_one_clear_error(changes: dict[str, Any], message: str) -> None:
    metric = L3Score()
    with pytest.raises(ValueError, match=message) as caught:
        metric.compute(**{**TEXTS, "provider": "mock", **changes})
    assert "\n" not in str(caught.value)
    assert metric.compute(**TEXTS, provider="mock") == mock()


def test_unknown_options() -> None:
    with pytest.raises(TypeError, match="no option 'temperature'"):
        L3Score(temperature=0)
    with pytest.raises(TypeError, match="no option 'temperature'"):
        mock(temperature=0)


# ---- signature


def test_signature() -> None:
    def signature(**options: Any) -> str:
        metric = L3Score(return_signature=True, **{"model": "gpt-4o-mini", **options})
        return metric._signature(metric.resolve_options({}))

    assert "|model:gpt-6-luna|host:api.openai.com/v1|" in signature(model=None)
    plain = signature(model="gpt-4o-mini")
    assert plain == (
        "l3score|provider:openai|model:gpt-4o-mini|host:api.openai.com/v1|prompt:card|top_logprobs:5|scoring:1|version:0.1.0"
    )
    different: list[dict[str, Any]] = [
        {"provider": "xai"},
        {"model": "gpt-4o"},
        {"base_url": "http://localhost:1/v1"},
        {"prompt": "spiqa"},
        {"top_logprobs": 6},
        {"extra_body": {"seed": 1}},
        {"provider": "mock"},
        {"prompt": "guarded"},
        {"scoring": "votes"},
        {"scoring": "votes", "samples": 3},
        {"references_in_prompt": "all"},
        {"judges": [{"model": "gpt-4o-mini"}, {"provider": "mock"}]},
        {"judges": [{"model": "gpt-4o"}, {"provider": "mock"}]},
    ]
    assert len({plain, *(signature(**options) for options in different)}) == 1 + len(different)
    same: list[dict[str, Any]] = [
        {"api_key": "sk-1"},
        {"max_concurrency": 3},
        {"judge_cache_dir": "/x"},
        {"max_cost": 1},
    ]
    assert {signature(**options) for options in same} == {plain}


@pytest.mark.parametrize(
    ("model", "signed"),
    [
        ("/models/of/mine/judge-7b", "judge-7b"),
        ("./judge-7b/", "judge-7b"),
        ("../judge-7b", "judge-7b"),
        ("~/models/judge-7b", "judge-7b"),
        ("acme/judge-7b", "acme/judge-7b"),
    ],
)
def test_no_path_is_signed(model: str, signed: str) -> None:
    metric = L3Score(provider="openai-compatible", base_url="http://localhost:1/v1", model=model)
    assert f"|model:{signed}|" in metric._signature(metric.resolve_options({}))


def test_pickles_without_secrets() -> None:
    metric = L3Score(provider="mock", api_key="sk-1", price=(1, 2))
    rebuilt = pickle.loads(pickle.dumps(metric))  # noqa: S301  # made here
    assert rebuilt._loaded_options == {"provider": "mock", "price": (1.0, 2.0)}
    assert rebuilt.compute(**TEXTS) == mock()


# ---- records


@pytest.mark.parametrize(
    ("name", "model"),
    [("openai", "gpt-4o-mini"), ("openai", "gpt-5.4-mini"), ("deepseek", "deepseek-flash"), ("xai", "grok-4.3")],
)
def test_list_prices_are_known(name: str, model: str) -> None:
    price = pricer(PROVIDERS[name].prices, model, None)
    assert price is not None
    assert 0 < price((1000, 0, 1)) < 0.1
    assert price((1000, 1000, 1)) <= price((1000, 0, 1))


def test_a_server_of_ones_own_has_no_list_price() -> None:
    assert pricer(None, "any", None) is None
    price = pricer(None, "any", (2.0, 3.0))
    assert price is not None
    assert price((1_000_000, 5, 2_000_000)) == 8.0
