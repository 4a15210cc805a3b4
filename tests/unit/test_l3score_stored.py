"""Reruns of l3score whose judgments are stored, all or some."""

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metrics.l3score import _judging
from metrics.l3score._judges import make_judge
from metrics.l3score._judging import make_examples
from metrics.l3score._store import Store
from metrics.l3score.l3score import L3Score
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

GOOD = {"top": [["Yes", -0.1]], "usage": [1, 0, 1], "model": "m", "fingerprint": None}


def examples(count: int, length: int = 1) -> dict[str, list[str]]:
    return {
        "questions": [f"question {number}?" for number in range(count)],
        "predictions": [f"{number}" * length for number in range(count)],
        "references": [f"{number}" for number in range(count)],
    }


def stored_run(folder: Path, texts: dict[str, list[str]]) -> Callable[[], dict[str, Any] | None]:
    """Store a judgment of every example; return a run that asks nobody."""
    metric = L3Score(base_url="http://127.0.0.1:9/v1", judge_cache_dir=str(folder))
    options = metric.resolve_options({})
    store = Store(folder, make_judge(options).store_settings())
    for prompt in make_examples(texts, options).sources:
        store.put(prompt, GOOD)
    store.close()
    return lambda: metric.compute(**texts)


def test_stored_judgments_are_scored_without_garbage_collections(tmp_path: Path) -> None:
    """Each collection would traverse every object created so far: half of the time at 100,000 judgments."""
    run = stored_run(tmp_path, examples(2000))
    collections: list[str] = []

    def count(phase: str, _info: dict[str, int]) -> None:
        collections.append(phase)

    gc.callbacks.append(count)
    try:
        result = run()
    finally:
        gc.callbacks.remove(count)
    assert result is not None
    assert result["Cost"] == 0.0
    assert collections.count("start") <= 2


def test_prompts_of_stored_judgments_are_not_all_in_memory(tmp_path: Path) -> None:
    texts = examples(3000, length=1000)
    run = stored_run(tmp_path, texts)
    run()
    tracemalloc.start()
    try:
        run()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < sum(map(len, texts["predictions"]))


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_examples_with_and_without_stored_judgments_keep_their_order(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run judges only what the first did not; an example waits if one of its references does."""
    monkeypatch.setattr(_judging, "_CHUNK", chunk)

    def answer(request: dict[str, Any], _number: int) -> Reply:
        prompt = request["messages"][0]["content"]
        known = next(number for number in range(20) if f"answer: r{number}\n" in prompt)
        return Reply(completion([("Yes", -0.1 * (known + 1)), ("No", -2.0)]))

    def columns(numbers: list[int]) -> dict[str, Any]:
        return {
            "questions": ["which?"] * len(numbers),
            "predictions": ["p"] * len(numbers),
            "references": [[f"r{number}", f"r{number + 1}"] for number in numbers],
        }

    with JudgeServer(answer) as server:
        metric = L3Score(base_url=server.url, judge_cache_dir=str(tmp_path), return_details=True, price=(10_000, 0))
        panel = [{"model": name, "base_url": server.url, "price": (0, 0)} for name in "ab"]
        metric.compute(**columns([2, 5]))
        first = metric.compute(**columns([5, 4, 2, 0, 4, 5]))
        assert len(server.requests) == 4 + 3, "r2, r3, r5, r6; r4, r0, r1, each once"
        assert first is not None
        assert first["cached"] == [True, False, True, False, True, True]
        assert first["costs"] == [0.0, pytest.approx(1.0), 0.0, pytest.approx(2.0), 0.0, 0.0]
        again = metric.compute(**columns([5, 4, 2, 0, 4, 5]))
        assert again is not None
        assert again["individual_scores"] == first["individual_scores"]
        assert len(set(first["individual_scores"])) == 4
        asked = len(server.requests)
        together = metric.compute(**columns([5, 0]), judges=panel)
        assert together is not None
        both = [[score, score] for score in (first["individual_scores"][0], first["individual_scores"][3])]
        assert together["juror_scores"] == both
        assert len(server.requests) == asked + 2 * 4
