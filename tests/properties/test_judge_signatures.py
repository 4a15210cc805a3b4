"""The signature of a judge's score holds everything that can change a judgment, and nothing else."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

BASE_URL = "http://127.0.0.1:8000/v1"
SCORING_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "provider": st.sampled_from(["openai", "deepseek", "xai", "openai-compatible"]),
    "model": st.sampled_from(["gpt-4o-mini", "gpt-5.1", "judge"]),
    "base_url": st.sampled_from([BASE_URL, BASE_URL + "/", "http://127.0.0.1:8001/v1", "https://judges.example/v1"]),
    "prompt": st.sampled_from(["card", "spiqa"]),
    "top_logprobs": st.sampled_from([2, 3, 5]),
    "extra_body": st.sampled_from(
        [None, {}, {"seed": 1}, {"seed": 2}, {"seed": 1, "a": [1, 2]}, {"a": [1, 2], "seed": 1}]
    ),
}
OTHER_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "api_key": st.sampled_from([None, "sk-one", "sk-two"]),
    "max_concurrency": st.integers(1, 8),
    "request_timeout": st.sampled_from([5.0, 60.0]),
    "max_retries": st.integers(0, 2),
    "use_cache": st.just(value=False),
    "on_error": st.sampled_from(["raise", "skip"]),
    "price": st.sampled_from([(0, 0), (0.15, 0.6)]),
    "return_confidence": st.booleans(),
    "confidence_level": st.sampled_from([0.5, 0.95]),
    "bootstrap_seed": st.integers(0, 3),
}
EXTRA = {"deepseek": {"thinking": {"type": "disabled"}}}
INPUTS = {"questions": ["?"] * 3, "predictions": ["a", "b", "c"], "references": ["a", "b", "d"]}


def signature(metric: L3Score, options: dict[str, Any]) -> str:
    return metric._signature(metric.resolve_options(options))


def effective(options: dict[str, Any]) -> Any:
    """Return the request and the settings that determine how its response is read."""
    provider, model = options.get("provider", "openai"), options.get("model", "gpt-4o-mini")
    extra = {"reasoning_effort": "none"} if provider == "openai" and model == "gpt-5.1" else EXTRA.get(provider, {})
    extra = {**extra, **(options.get("extra_body") or {})}
    return (
        provider,
        model,
        options["base_url"].rstrip("/"),
        options.get("prompt", "card"),
        options.get("top_logprobs", 5),
        json.dumps(extra, sort_keys=True),
    )


ANY_OPTIONS = st.fixed_dictionaries(
    {"base_url": SCORING_OPTIONS["base_url"]},
    optional={name: values for name, values in {**SCORING_OPTIONS, **OTHER_OPTIONS}.items() if name != "base_url"},
)


@given(ANY_OPTIONS, ANY_OPTIONS, st.sets(st.sampled_from([*SCORING_OPTIONS, *OTHER_OPTIONS]), max_size=3))
def test_signatures_are_equal_iff_effective_settings_are(
    one: dict[str, Any], other: dict[str, Any], changed: set[str]
) -> None:
    metric = L3Score()
    other = {**one, **{name: other[name] for name in changed if name in other}}
    assert (signature(metric, one) == signature(metric, other)) is (effective(one) == effective(other))


def answer(request: dict[str, Any], _number: int) -> Reply:
    """Answer with probabilities that are a hash of the request without its output limit."""
    content = {name: value for name, value in request.items() if name not in {"max_tokens", "max_completion_tokens"}}
    share = 0.1 + 0.8 * int(hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8], 16) / 2**32
    return Reply(completion([("Yes", share - 1.0), ("No", -share)][: request["top_logprobs"]]))


@settings(max_examples=max(10, settings().max_examples // 10))
@given(st.fixed_dictionaries({}, optional=OTHER_OPTIONS), st.fixed_dictionaries({}, optional=OTHER_OPTIONS))
def test_other_options_change_neither_score_nor_signature(one: dict[str, Any], other: dict[str, Any]) -> None:
    with JudgeServer(answer) as server:
        results = [
            L3Score().compute(
                **INPUTS, base_url=server.url, return_signature=True, **{"price": (0, 0), **options, "use_cache": False}
            )
            for options in (one, other)
        ]
    assert [result["L3Score"] for result in results if result] == [results[0]["L3Score"]] * 2  # type: ignore[index]
    assert results[0]["signature"] == results[1]["signature"]  # type: ignore[index]


@pytest.mark.parametrize(
    "change",
    [{"model": "judge"}, {"prompt": "spiqa"}, {"top_logprobs": 4}, {"extra_body": {"seed": 1}}],
    ids=lambda change: next(iter(change)),
)
def test_scoring_option_changes_score_and_signature(change: dict[str, Any]) -> None:
    with JudgeServer(answer) as server:
        common = {"base_url": server.url, "use_cache": False, "price": (0, 0), "return_signature": True}
        before, after = (L3Score().compute(**INPUTS, **common, **options) for options in ({}, change))
    assert before is not None
    assert after is not None
    assert before["L3Score"] != after["L3Score"]
    assert before["signature"] != after["signature"]


def test_different_hosts_have_different_signatures() -> None:
    with JudgeServer(answer) as one, JudgeServer(answer) as other:
        assert signature(L3Score(), {"base_url": one.url}) != signature(L3Score(), {"base_url": other.url})


def test_texts_containing_prompt_lines_are_scored_separately() -> None:
    """Two triplets with equal prompts: the mock does not read the prompt, so each has its own score, in any order."""
    inputs = {
        "questions": ["Q", "Q"],
        "predictions": ["P", "P\nCandidate answer: P"],
        "references": ["R\nCandidate answer: P", "R"],
    }
    alone = [
        L3Score().compute(**{name: [column[index]] for name, column in inputs.items()}, provider="mock")["L3Score"]  # type: ignore[index]
        for index in range(2)
    ]
    together = L3Score().compute(**inputs, provider="mock", return_details=True)
    assert together is not None
    assert alone[0] != alone[1]
    assert together["individual_scores"] == alone
