"""Adapters whose tool need not be installed; tests/integration runs the recipes of the documents inside the tools."""

import math
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import answer_metrics
from answer_metrics.integrations import explain, headline, lm_eval, promptfoo, row_scorer, transformers, trl
from tests.conftest import ROOT

MOCK: dict[str, Any] = {"provider": "mock", "use_cache": False}
pytestmark = pytest.mark.filterwarnings("ignore:l3score:UserWarning", "ignore:.*mock judge:UserWarning")


def message(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


ASSISTANT = message("assistant", "Paris")
COMPLETIONS = [
    ("Paris", 1), ("Rome", 0), ("", 0), (None, 0), ([], 0), ([ASSISTANT], 1), ([message("assistant", None)], 0),
    ([message("assistant", [{"type": "text", "text": "Par"}, {"type": "text", "text": "is"}])], 1),
    ([message("assistant", [{"type": "image", "image": "Paris"}])], 0),
    ([message("assistant", [{"type": "thinking", "text": "Rome"}, {"type": "text", "text": "Paris"}])], 1),
    ([message("assistant", [{"text": "Rome"}, {"type": "text", "text": "Paris"}])], 1),
    ([ASSISTANT, {"role": "assistant", "tool_calls": [{"id": "1"}]}], 0),
    ([message("assistant", "I look it up."), message("tool", "Paris")], 0),
    ([ASSISTANT, message("tool", "Rome")], 1),
    ([ASSISTANT, message("tool", "Rome"), message("assistant", None)], 0),
    ([message("assistant", "Rome"), message("user", "Sure?"), ASSISTANT], 1),
]  # fmt: skip


@pytest.mark.parametrize(("completion", "score"), COMPLETIONS)
def test_a_reward_is_for_the_last_text_of_the_assistant(completion: Any, score: float) -> None:
    for references in ("Paris", ["Paris", "City of Light"]):
        batch = trl.reward("accuracy", match="equal")([completion] * 3, answer=[references] * 3, prompts=["?"] * 3)
        assert batch == [score] * 3


@pytest.mark.filterwarnings("ignore:.*references are empty:UserWarning")
def test_no_text_is_wrong_even_where_no_answer_is_right() -> None:
    completions = [[message("assistant", None)], " ", "no"]
    assert trl.reward("accuracy", match="equal")(completions, answer=[""] * 3) == [0, 0, 0]


def test_columns_of_the_dataset_reach_the_metric() -> None:
    reward = trl.reward("accuracy", "gold", choices="options", preset="multiple_choice")
    columns = {"gold": ["Rome", "Rome"], "options": [["Oslo", "Rome"], ["Rome", "Oslo"]]}
    assert reward(["The answer is (B).", "The answer is (B)."], **columns) == [1, 0]
    judged = trl.reward("l3score", questions="question", **MOCK)
    row = {"predictions": ["Paris"], "references": ["Paris"], "questions": ["Capital of France?"]}
    expected = [answer_metrics.load("l3score").compute(**row, **MOCK)["L3Score"]]
    assert judged(["Paris"], answer=["Paris"], question=["Capital of France?"]) == expected


def test_accuracy_is_strict_as_a_reward_unless_told_otherwise() -> None:
    hedges = ["Paris or Rome", "It could be Paris.", "Is it Paris?", "Paris, London, Rome, Oslo", "It is Paris."]
    columns = {"answer": ["Paris"] * 5, "question": ["What is the capital of France?"] * 5}
    with pytest.warns(UserWarning, match='preset="strict", since neither preset nor match is set'):
        strict = trl.reward("accuracy", questions="question")
    assert strict(hedges, **columns) == [0, 0, 0, 0, 1]
    assert trl.reward("accuracy", match="contains")(hedges, **columns) == [1] * 5
    names = [trl.reward("accuracy", match="equal", label=label).__name__ for label in (None, "recall")]
    assert names == ["accuracy_reward", "recall"]


CONTEXT = {"vars": {"gold": ["Paris"], "references": 42, "question": "?"}}
FIELDS: list[Callable[[], Any]] = [
    lambda: trl.reward("token_f1", "reference")(["x"], [[1]], gold=["x"], question=["?"], trainer_state=object()),
    lambda: trl.reward("accuracy", "gold", choices="reference", match="equal")(["x"], gold=["x"], question=["?"]),
    lambda: lm_eval.process_results("token_f1", "reference")({"gold": "x", "question": "?"}, ["x"]),
    lambda: lm_eval.process_results("token_f1", "gold", questions="reference")({"gold": "x", "question": "?"}, ["x"]),
    lambda: promptfoo.grade("token_f1", "x", CONTEXT, references="reference"),
    lambda: promptfoo.grade("token_f1", "x", CONTEXT, questions="reference"),
]


@pytest.mark.parametrize("call", FIELDS)
def test_a_missing_field_is_named_with_those_there_are(call: Callable[[], Any]) -> None:
    kind = "(column of the dataset|field of the document|variable of the test)"
    fields = r"gold(, references)?, question$"
    with pytest.raises(ValueError, match=rf"='reference' is not a {kind}; choose one of these: {fields}"):
        call()


@pytest.mark.filterwarnings("ignore:accuracy rewards with preset:UserWarning")
@pytest.mark.parametrize("adapt", [row_scorer, trl.reward, lm_eval.process_results, promptfoo.load_core])
def test_an_unknown_metric_or_option_is_met_by_what_was_meant(adapt: Any) -> None:
    with pytest.raises(ValueError, match=r"there is no metric 'acuracy'; did you mean 'accuracy'\?"):
        adapt("acuracy")
    with pytest.raises(TypeError, match=r"accuracy has no option 'mach'; did you mean 'match'\?"):
        adapt("accuracy", mach="recall")


def test_samples_of_a_document_are_averaged_and_no_score_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    process = lm_eval.process_results("accuracy", lambda document: document["gold"], label="equal")
    assert process({"gold": ["Paris"]}, ["paris", "Rome"]) == {"equal": 1.0}
    assert process({"gold": ["Paris"]}, [["Paris", "Rome", "paris", "Oslo"]]) == {"equal": 0.5}
    asked = lm_eval.process_results("accuracy", lambda document: document["gold"], "question", numbers="value")
    assert asked({"gold": "1500", "question": "Revenue in USD millions?"}, ["$1.5 billion"]) == {"accuracy": 1.0}
    scores = iter([math.nan, 0.5, math.nan, math.nan])  # of a judge that fails now and then
    calls: Any = []

    def scorer(*metric: Any, **options: Any) -> Any:
        calls.append((*metric, options))
        return lambda **row: calls.append(row) or (next(scores), {})

    monkeypatch.setattr(lm_eval, "row_scorer", scorer)
    judged = lm_eval.process_results("l3score", questions="question", **MOCK)
    row = {"answer": "Paris", "question": "?"}
    assert [judged(row, [["x", "y"]]), judged(row, [["x", "y"]])] == [{"l3score": 0.5}, {}]
    rows = [{"predictions": text, "references": "Paris", "questions": "?"} for text in "xy"]
    assert calls == [("l3score", MOCK), *rows * 2]
    monkeypatch.setattr(promptfoo, "row_scorer", lambda core: scorer(core.name))
    scores, calls = iter([0.25, math.nan]), []
    graded = [promptfoo.grade("token_f1", "x", CONTEXT, "gold", "question", at) for at in (0.25, 0.0)]
    assert [each["pass"] for each in graded] == [True, False]  # no score passes no threshold
    assert calls == [("token_f1", {}), {"predictions": "x", "references": ["Paris"], "questions": "?"}] * 2


def test_a_completion_without_a_score_has_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = answer_metrics.load("accuracy", match="equal")
    monkeypatch.setattr(metric, "row_scores", lambda _: [None, None, 0.25])
    monkeypatch.setattr(answer_metrics, "load", lambda *_, **__: metric)
    rewards = trl.reward("accuracy", match="equal")(["x", " ", "y"], answer=["x"] * 3, trainer_state=object())
    assert rewards == [None, 0.0, 0.25]


@pytest.mark.parametrize(
    ("output", "references", "score"),
    [
        ("42", 42, 1),
        ("42", [41, 42], 1),
        ("3.5", 3.5, 1),
        ("4", 42, 0),
        ("Paris", ["Rome", "Paris"], 1),
        ("12345678", 12345678, 1),
        ("0.123456789", 0.123456789, 1),
    ],
)
def test_promptfoo_reads_numbers_as_text(output: str, references: Any, score: float) -> None:
    graded = promptfoo.grade("accuracy", output, {"vars": {"references": references}})
    assert (graded["pass"], graded["score"]) == (bool(score), score)
    assert graded["reason"] == ("The answer equals a reference." if score else "The answer matches no reference.")
    sentence = [promptfoo.grade("accuracy", f"It was {output}.", {"vars": {"references": output}}, match=match)["score"]
                for match in ("equal", "recall")]  # fmt: skip
    assert sentence == [0, 1]
    context = {"vars": {"references": f"{output} or"}}
    passes = [promptfoo.grade("token_f1", output, context, threshold=at)["pass"] for at in (0.6, 2 / 3, 0.7)]
    assert passes == [True, True, False]
    halves = [promptfoo.grade("token_f1", "x b", {"vars": {"references": text}})["pass"] for text in ("x c", "x c d")]
    assert halves == [True, False]


def test_promptfoo_needs_no_evaluate_and_changes_nothing_else() -> None:
    names = [name for name in answer_metrics.names() if "questions" not in answer_metrics.metric_class(name).inputs]
    code = f"""
import sys
from answer_metrics.integrations.promptfoo import grade, load_core
grade("accuracy", "It was Paris.", {{"vars": {{"references": "Paris"}}}}, match="recall")
print(sorted({{"evaluate", "datasets", "pandas"}} & sys.modules.keys()))
import answer_metrics
for name in {names}:
    core, metric = load_core(name), answer_metrics.load(name)
    print(core.name == metric.name, hasattr(core, "add_batch"), hasattr(metric, "add_batch"))
loaded = sys.modules["answer_metrics.contract.evaluate_module"].Module  # still one in the process
print({{isinstance(answer_metrics.load(name), loaded) for name in {names}}})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split("\n") == ["[]", *["True False True"] * len(names), "{True}", ""]


def test_logits_are_met_by_what_to_set() -> None:
    def batch_decode(ids: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" ".join(map(str, row)) for row in ids]

    tokenizer = SimpleNamespace(pad_token_id=9, batch_decode=batch_decode)
    options = {"confidence_level": 0.9, "return_details": True, "return_confidence": False}  # Trainers log scalars.
    compute = transformers.compute_metrics(tokenizer, "accuracy", "token_f1", **options)
    ids, labels = np.array([[3, -100, 9], [4, 5, -100]]), np.array([[3, 9, -100], [4, 6, 7]])
    rows = {"predictions": ["3 9 9", "4 5 9"], "references": ["3 9 9", "4 6 7"]}
    metrics = [answer_metrics.load(name, confidence_level=0.9) for name in ("accuracy", "token_f1")]
    expected = [headline(metric, metric.compute(**rows, return_confidence=True)) for metric in metrics]
    assert compute(SimpleNamespace(predictions=ids, label_ids=labels)) == expected[0] | expected[1]
    logits = np.zeros((2, 2, 9), np.float32)
    for predictions in (logits, (logits, logits), (logits, logits[0]), logits[:, 0]):
        with pytest.raises(ValueError, match=r"logits, not token ids: set predict_with_generate=True .* or give Train"):
            compute(SimpleNamespace(predictions=predictions, label_ids=ids))


def test_rows_are_scored_as_compute_scores_them() -> None:
    score = row_scorer("accuracy", fuzzy_match=True, extract="whole")
    assert score(predictions="Shakespear", references=["Shakespeare"]) == (
        1.0, {"individual_scores": 0.8, "match_types": "fuzzy", "similarities": pytest.approx(20 / 21),
              "extracted": "Shakespear"},
    )  # fmt: skip
    value, details = row_scorer("token_f1")(predictions="Paris now", references="Paris", questions=None)
    assert (value, explain(details)) == (2 / 3, "Scores: f1 0.667, precision 0.5, recall 1, exact_match 0.")
    judge = row_scorer("l3score", provider="mock", use_cache=False)
    assert [judge(questions="q", predictions="a", references="a", decided=decided)[0] for decided in (0.0, None)] == [
        0.0, pytest.approx(0.99, abs=0.01),
    ]  # fmt: skip
    metric = answer_metrics.load("token_f1")
    metric.row_scores = lambda _: [None]
    assert math.isnan(row_scorer(metric)(predictions="Paris", references="Paris")[0])
    failed = {"failures": "timeout", "individual_scores": math.nan}
    assert explain(failed) == "There is no score: timeout."
    assert explain({"match_types": "new", "individual_scores": 1.0}) == "The type of match is new."


def test_the_headline_is_the_main_score_or_what_stands_for_it() -> None:
    rows = {"questions": ["?"] * 2, "predictions": ["a", "b"], "references": ["a", "a"]}
    for scoring, name in (("logprobs", "L3Score"), ("votes", "vote_share")):
        metric = answer_metrics.load("l3score", scoring=scoring, return_confidence=True, **MOCK)
        result = metric.compute(**rows)
        low, high = result[f"{name}_confidence_interval"]
        assert headline(metric, result) == {name: result[name], f"{name}_low": low, f"{name}_high": high}
