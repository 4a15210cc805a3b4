"""L3Score as a metric: inputs, options, results, the two steps, signatures."""

import contextlib
import json
import math
import sqlite3
import sys
import warnings
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pandas as pd
import pytest

from metrics.l3score._outcomes import JudgeError
from metrics.l3score._prices import pricer
from metrics.l3score._providers import PROVIDERS
from metrics.l3score._result_rows import is_judgment
from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.l3score_cases import TEXTS
from tests.l3score_cases import mock

pytestmark = [
    pytest.mark.filterwarnings("ignore:l3score. provider=.mock. is not a judge"),
    pytest.mark.usefixtures("fresh_judges"),
]


def by_answer(request: dict[str, Any], _number: int) -> Reply:
    """The prediction lists the candidates: alternating tokens and probabilities."""
    words = request["messages"][0]["content"].partition("Candidate answer: ")[2].partition("\n")[0].split()
    return Reply(completion([(words[i], math.log(float(words[i + 1]))) for i in range(0, len(words), 2)]))


def test_default_result_has_the_documented_keys() -> None:
    assert mock() == {"L3Score": pytest.approx((0.99 + 0.01 + 0.85) / 3), "Cost": 0.0}


def test_mock_judge_warns() -> None:
    with pytest.warns(UserWarning, match="is not a judge"):
        mock()


def test_results_are_plain() -> None:
    result = mock(return_details=True, return_confidence=True, return_signature=True, on_error="skip")
    assert json.loads(json.dumps(result))["failed"] == 0
    low, high = result["L3Score_confidence_interval"]
    assert 0.0 <= low <= result["L3Score"] <= high <= 1.0
    assert {len(value) for value in result.values() if isinstance(value, list)} == {3}


def test_empty_input_scores_zero_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="no examples"):
        result = L3Score().compute(questions=[], predictions=[], references=[], return_confidence=True)
    assert result == {"L3Score": 0.0, "Cost": 0.0, "L3Score_confidence_interval": (0.0, 1.0)}


def test_best_reference_determines_the_score() -> None:
    result = mock(references=[["Lyon", "Paris"], ["Bonn", "Berlin"], ["red and white", "none"]], return_details=True)
    assert result["individual_scores"] == pytest.approx([0.99, 0.01, 0.99])


def test_details_cover_every_kind_of_answer() -> None:
    with (
        JudgeServer(by_answer) as server,
        pytest.warns(UserWarning, match="1 of 4 judgments is undecided, .* and scores 0"),
    ):
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


def test_yeah_counts_as_yes_under_the_prompt_of_the_paper() -> None:
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


def test_failed_examples_are_excluded_from_the_mean() -> None:
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


def test_score_batch_and_aggregate_equal_compute_in_any_order() -> None:
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


def test_dataset_without_a_price_is_mapped_with_and_without_cached_rows() -> None:
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
    """A stored judgment that cannot be scored is requested again and replaced."""
    assert is_judgment(GOOD)
    with JudgeServer() as server:
        options = {**TEXTS, "base_url": server.url, "price": (0, 0)}
        first = L3Score().compute(**options)
        (path,) = Path(evaluate.config.HF_CACHE_HOME).rglob("judgments.sqlite")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("UPDATE judgments SET judgment = ?", (json.dumps(poison),))
        assert L3Score().compute(**options) == first
        assert len(server.requests) == 6
        assert L3Score().compute(**options) == first
        assert len(server.requests) == 6


def test_disabled_cache_repeats_every_call(tmp_path: Path) -> None:
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
def test_missing_package_is_named(
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


def test_own_server_has_no_list_price() -> None:
    assert pricer(None, "any", None) is None
    price = pricer(None, "any", (2.0, 3.0))
    assert price is not None
    assert price((1_000_000, 5, 2_000_000)) == 8.0
