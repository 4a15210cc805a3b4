"""Adapters in stand-ins for their tools, which tests/integration runs for real where they are installed.

To record what they give today, once the lines that changed are right: `python -m tests.unit.test_adapters`.
"""

import asyncio
import contextlib
import copy
import importlib
import itertools
import math
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import answer_metrics
from answer_metrics.core.messages import capture_warnings
from answer_metrics.integrations import headline, lm_eval, promptfoo, ray, transformers, trl
from tests.records import changed, record, recorded
from tests.unit.test_recorded import outcome

pytestmark = pytest.mark.filterwarnings("ignore:l3score:UserWarning", "ignore:.*mock judge:UserWarning")


class Score(SimpleNamespace):
    """A score of Inspect; one without a value is NaN."""

    reason: Any = None
    metadata: Any = None

    @classmethod
    def unscored(cls, **fields: Any) -> "Score":
        return cls(value=math.nan, **fields)

    def as_float(self) -> float:
        return 0.0 if self.value == "N" else float(self.value)


def register(metrics: list[Any], name: str) -> Any:
    def keep(build: Any) -> Any:
        build.metrics, build.name = metrics, name
        return build

    return keep


def no_sample() -> None:
    raise RuntimeError("no sample is running")


class Sampling:
    """A base class of LightEval's metrics of samples."""


@dataclass
class SampleLevelMetric:
    """LightEval's metric of a document."""

    metric_name: str
    higher_is_better: bool
    category: str
    sample_level_fn: Any
    corpus_level_fn: Any

    def compute_sample(self, **inputs: Any) -> dict[str, float]:
        return {self.metric_name: self.sample_level_fn.compute(**inputs)}


def component(cls: type) -> type:
    return cls


component.output_types = lambda **_: lambda run: run  # type: ignore[attr-defined]
TOOLS: dict[str, dict[str, Any]] = {
    "inspect_ai": {},
    "inspect_ai.scorer": {
        **dict.fromkeys(("SampleScore", "Scorer", "Target", "Value"), Any), "NOANSWER": "N", "Score": Score,
        "mean": lambda: "mean", "ci_wilson": lambda: "ci_wilson", "stderr": lambda: "stderr",
        "metric": lambda function: function, "scorer": register,
    },
    "inspect_ai.solver": {"TaskState": Any},
    "inspect_ai.util": {"sample_limits": no_sample},
    "lighteval": {}, "lighteval.metrics": {}, "lighteval.metrics.utils": {},
    "lighteval.metrics.metrics_sample": {"SampleLevelComputation": type("Level", (), {}), "SamplingMetric": Sampling},
    "lighteval.metrics.utils.metric_utils": {
        "SampleLevelMetric": SampleLevelMetric, "SamplingMethod": SimpleNamespace(GENERATIVE="generative"),
    },
    "haystack": {
        "Document": SimpleNamespace, "component": component,
        "default_to_dict": lambda _, **arguments: {"init_parameters": arguments},
        "default_from_dict": lambda cls, data: cls(**data["init_parameters"]),
    },
}  # fmt: skip


@contextlib.contextmanager
def stand_in(tool: str) -> Iterator[Any]:
    """Yield the adapter of a tool that is a stand-in."""
    with pytest.MonkeyPatch.context() as patch:
        for name, names in TOOLS.items():
            patch.setitem(sys.modules, name, ModuleType(name))
            vars(sys.modules[name]).update(names)
        name = f"answer_metrics.integrations.{tool}"
        patch.delitem(sys.modules, name, raising=False)
        yield importlib.import_module(name)
        sys.modules.pop(name)


@pytest.fixture
def adapter(request: pytest.FixtureRequest) -> Any:
    with stand_in(request.param) as module:
        yield module


def in_inspect(
    score: Any, output: str, target: list[str], choices: tuple[str, ...] = (), asked: str = "Which?"
) -> Score:
    placed = [SimpleNamespace(value=text, original_position=place) for place, text in enumerate(choices)]
    state = SimpleNamespace(
        sample_id="q1", input_text=asked, output=SimpleNamespace(completion=output), choices=placed[::-1]
    )
    score_: Score = asyncio.run(score(state, target))
    return score_


@pytest.mark.parametrize("adapter", ["inspect_ai"], indirect=True)
def test_inspect_scores_samples(adapter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(adapter.SCORERS) == {"accuracy", "answer_exact_match", "l3score", "token_f1"}
    metrics = {name: [str(metric) for metric in build.metrics] for name, build in adapter.SCORERS.items()}
    assert [len(metrics[name]) for name in sorted(metrics)] == [3, 2, 2, 2]
    assert metrics["accuracy"][:2] == ["mean", "ci_wilson"]
    assert metrics["token_f1"] == ["mean", "stderr"]
    number = in_inspect(adapter.scorer("accuracy", preset="number"), r"So: \boxed{42}", ["42"])
    assert (number.value, number.answer, number.explanation) == (1.0, "42", "The answer equals a reference.")
    assert {"match_types": "exact", "extracted": "42", "individual_scores": 1.0}.items() <= number.metadata.items()
    whole = in_inspect(adapter.scorer("token_f1"), "Paris now", ["Rome", "", "Paris"])
    assert (whole.value, whole.answer) == (2 / 3, "Paris now")
    letters = adapter.scorer("accuracy", preset="multiple_choice")
    sets = [("B, C", "BC", 1), ("B", "BC", 0), ("A, B, C", "BC", 0), ("B", "B", 1), ("C", "B", 0), ("four", "B", 1),
            ("three", "A", 1), ("nine", "A", 0)]  # fmt: skip
    for output, target, value in sets:
        assert in_inspect(letters, f"ANSWER: {output}", [*target], ("three", "four", "nine")).value == value
    assert in_inspect(adapter.scorer("accuracy"), "E", ["D", "E"], ("x", "y", "z", "w")).value == 1  # E is no letter
    unscored = in_inspect(letters, "B", [""])
    assert (unscored.reason, unscored.explanation) == ("scoring_failed", "sample 'q1' has no target")
    monkeypatch.setattr(adapter, "sample_limits", lambda: None)
    with pytest.raises(ValueError, match="sample 'q1' has no target"):
        in_inspect(letters, "B", [])
    for options, message in (
        ({"confidence_level": 0.9}, r"Inspect computes the interval; .*, not confidence_level"),
        ({"mach": 1}, "no option 'mach'; did you mean 'match'"),
        ({"fuzzy_threshold": 2.0}, "fuzzy_threshold"),
    ):
        with pytest.raises(RuntimeError, match=message):
            adapter.scorer("accuracy", **options)
    with pytest.raises(ValueError, match="ranked_retrieval does not score texts; these do: accuracy, "):
        adapter.scorer("ranked_retrieval")


@pytest.mark.parametrize("adapter", ["inspect_ai"], indirect=True)
def test_inspect_leaves_out_samples_that_decline_or_have_no_judgment(
    adapter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempted = adapter.attempts()
    for options, given in (({"abstention": "en"}, {"accuracy_given_attempted": 0.5}), ({}, {})):
        score = adapter.scorer("accuracy", match="recall", **options)
        scores = [in_inspect(score, text, ["Paris"]) for text in ("It was Paris.", "I don't know.", "Rome")]
        assert [score.value for score in scores] == [1.0, "N" if options else 0.0, 0.0]
        assert [score.reason for score in scores] == [None, "refusal" if options else None, None]
        assert attempted([SimpleNamespace(score=score) for score in scores]) == given
        others = [SimpleNamespace(score=Score(value=1.0)), SimpleNamespace(score=scores[2])]
        assert attempted(others) == given and attempted(others[:1]) == {}
        assert attempted([SimpleNamespace(score=scores[1])]) == ({"accuracy_given_attempted": 0.0} if given else {})
    calls: Any = []
    unjudged = (math.nan, {"failures": "timeout"})
    monkeypatch.setattr(
        adapter, "row_scorer", lambda *name, **options: lambda **row: calls.append((*name, options, row)) or unjudged
    )
    score = in_inspect(adapter.scorer("l3score", scoring="votes"), "Paris", ["Paris"], ("b", "a"))
    row = {"predictions": "Paris", "questions": "Which?", "references": ["Paris"], "choices": ["b", "a"]}
    assert calls == [("l3score", {"scoring": "votes"}, row)]
    assert (score.reason, score.explanation) == ("grader_failed", "There is no score: timeout.")
    assert score.answer == "Paris"
    assert score.metadata == {"failures": "timeout"}


@pytest.mark.parametrize("adapter", ["lighteval"], indirect=True)
def test_lighteval_scores_all_samples(adapter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["It was Paris.", "Rome", "Rome", "Paris", "Paris"]
    response = SimpleNamespace(final_text=texts)
    doc = SimpleNamespace(query="?", choices=["Paris", "City of Light"], get_golds=lambda: ["Paris", "City of Light"])
    metric = answer_metrics.load("accuracy", match="recall")
    rows = {"predictions": texts[:4], "references": [["Paris"]] * 4, "question_id": ["q"] * 4}
    scored = metric.score_batch(rows, keep=["question_id", "predictions"])
    expected = metric.repeats(scored, k=2, answers="predictions")
    for name, keys, options in (
        ("accuracy", "accuracy", {}), ("accuracy_maj@4", "majority@n", {"reduction": "maj"}),
        ("accuracy_pass@2", "pass@2", {"reduction": "pass", "k": 2}), ("mine", "accuracy", {"label": "mine"}),
    ):  # fmt: skip
        computed = adapter.metric("accuracy", n=4, match="recall", **options)
        assert computed.compute_sample(doc=doc, model_response=response) == {name: expected[keys]}
        assert (computed.higher_is_better, computed.category, computed.corpus_level_fn([1, 0])) == (
            True,
            "generative",
            0.5,
        )
        assert computed.sample_level_fn.num_samples() == 4
        assert copy.deepcopy(computed.sample_level_fn)._metric is computed.sample_level_fn._metric
    letters = adapter.metric("accuracy", preset="multiple_choice")
    asked = SimpleNamespace(query="?", choices=["Rome", "Paris"], get_golds=lambda: ["Paris"])
    for text, score in (("The answer is (B).", 1.0), ("The answer is (A).", 0.0)):
        response = SimpleNamespace(final_text=[text])
        assert letters.compute_sample(doc=asked, model_response=response) == {"accuracy": score}
    with pytest.raises(ValueError, match="reduction must be one of avg, maj, pass, got 'min'"):
        adapter.metric("accuracy", reduction="min")
    for wrong in ({"reduction": "maj"}, {"reduction": "pass", "n": 2, "k": 3}):
        with pytest.raises(ValueError, match="needs several samples, and at least k"):
            adapter.metric("accuracy", **wrong)
    assert adapter.metric("accuracy", reduction="pass", n=2, k=2).metric_name == "accuracy_pass@2"
    assert adapter.metric("accuracy", reduction="maj", n=2, label="mine").metric_name == "mine"
    assert adapter.metric("accuracy", reduction="pass", n=2).metric_name == "accuracy_pass@1"
    assert adapter.metric("accuracy").sample_level_fn.num_samples() == 1
    for scores, values in (([None, 0.5, None], {"accuracy": 0.5}), ([None], {})):  # of a judge that fails
        judged = adapter.metric("accuracy", n=3)
        monkeypatch.setattr(judged.sample_level_fn._metric, "row_scores", lambda _, scores=scores: scores)
        assert judged.compute_sample(doc=doc, model_response=SimpleNamespace(final_text=texts)) == values
    asking = adapter.metric("l3score", n=2, provider="mock", use_cache=False, return_details=True)
    batches: list[Any] = []
    monkeypatch.setattr(asking.sample_level_fn._metric, "score_batch", lambda batch, **_: batches.append(batch))
    monkeypatch.setattr(asking.sample_level_fn._metric, "row_scores", lambda _: [1.0])
    asking.compute_sample(doc=doc, model_response=SimpleNamespace(final_text=texts))
    row = {"predictions": texts[:2], "references": [doc.choices] * 2, "questions": ["?"] * 2, "document": [0, 0]}
    assert batches == [row]


@pytest.mark.parametrize("adapter", ["haystack"], indirect=True)
def test_haystack_evaluates_answers_and_documents(adapter: Any) -> None:
    defaults = {"metric": "ranked_retrieval", "document_comparison_field": "content"}
    assert adapter.AnswerEvaluator().to_dict() == {"init_parameters": {"metric": "accuracy"}}
    assert adapter.RetrievalEvaluator().to_dict() == {"init_parameters": defaults}
    evaluator = adapter.AnswerEvaluator("token_f1", tokenizer="squad")
    answers = {"ground_truth_answers": [["Paris", "City of Light"], ["Rome"]], "predicted_answers": ["Paris!", "Oslo"]}
    result = adapter.AnswerEvaluator.from_dict(evaluator.to_dict()).run(**answers)
    metric = answer_metrics.load("token_f1", tokenizer="squad", return_confidence=True, return_details=False)
    expected = metric.compute(predictions=answers["predicted_answers"], references=answers["ground_truth_answers"])
    score, low, high = headline(metric, expected).values()
    assert result == {"score": score, "individual_scores": [1.0, 0.0], "interval": [low, high]}
    judge = adapter.AnswerEvaluator("l3score", provider="mock", use_cache=False)
    judged = judge.run(ground_truth_answers=["Paris"], predicted_answers=["Paris"], questions=["Which?"])
    assert judged["individual_scores"] == [pytest.approx(0.99)]
    judge._metric.row_scores = lambda _: [None]  # of a judge that fails
    assert judge.run(["Paris"], ["Paris"], ["Which?"])["individual_scores"] == [None]
    documents = [
        SimpleNamespace(content=f"c{place}", id=place, meta={"file": {"name": f"f{place % 2}", "page": place}})
        for place in range(4)
    ]
    for field, score in (("content", 0.0), ("id", 0.0), ("meta.file.name", 1.0)):
        arguments = adapter.RetrievalEvaluator(document_comparison_field=field, matching_strategy="ID").to_dict()
        retrieval = adapter.RetrievalEvaluator.from_dict(arguments)
        result = retrieval.run(ground_truth_documents=[documents[:2]], retrieved_documents=[documents[2:]])
        assert (result["score"], result["individual_scores"]) == (score, [score])
    with pytest.raises(ValueError, match=r"document_comparison_field must be content, id or meta\.<key>, got 'name'"):
        adapter.RetrievalEvaluator(document_comparison_field="name.x")
    for field in ("meta.name", "meta.file.name.x", "id.x"):
        with pytest.raises(ValueError, match=f"^a document has no {field}: id 0$"):
            adapter.RetrievalEvaluator(document_comparison_field=field).run([documents], [documents])


class Dataset(dict[str, list[Any]]):
    """A dataset of Ray, in batches of two rows."""

    def map_batches(self, function: Any, fn_kwargs: dict[str, Any], batch_format: str) -> list[Any]:
        assert batch_format == "pyarrow"
        table = pa.table(dict(self))
        starts = range(0, len(table), 2)
        return [pickle.loads(pickle.dumps(function))(table.slice(start, 2), **fn_kwargs) for start in starts]


def test_ray_scores_batches() -> None:
    references = ["Paris", "Rome"]
    rows = Dataset(answer=["Paris now", "Oslo"], references=references, id=["a", "b"], predictions=references)
    (scored,) = ray.score(rows, "accuracy", columns={"predictions": "answer"}, keep=["id"], match="contains")
    assert pa.table(scored)["id"].to_pylist() == ["a", "b"]
    assert ray.aggregate(ray.score(rows, "accuracy"), "accuracy")["accuracy"] == 1.0
    result = ray.aggregate(scored, "accuracy", match="contains", confidence_level=0.5)
    expected = answer_metrics.load("accuracy", match="contains", confidence_level=0.5, return_details=False)
    assert result == expected.compute(predictions=["Paris now", "Oslo"], references=["Paris", "Rome"])


ASKED, CHOICES = "What was the revenue in USD millions?", ("Rome", "Paris", "Oslo")
OUTPUTS = ["Paris", "It was Paris.", "", " \n", "I don't know.", "<think>hm", "<think>Rome</think>Paris",
           "Paris or Rome", "The answer is (B).", "ANSWER: A, B", "$1.5 billion"]  # fmt: skip
GOLDS: list[Any] = ["Paris", ["Paris"], ["Rome", "Paris"], ["B"], ["A", "B"], ["", "Paris"], "", [], None, "1500", 42,
                    [3.5, 1500.0], True, ["Paris", None]]  # fmt: skip
MOCK = {"provider": "mock", "use_cache": False}
METRICS: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {}), ("accuracy", {"preset": "strict"}), ("accuracy", {"preset": "multiple_choice"}),
    ("accuracy", {"match": "recall", "abstention": "en", "numbers": "value"}), ("l3score", MOCK),
    ("accuracy", {"confidence_level": 0.995, "match": "equal"}), ("accuracy", {"confidence_method": "clopper-pearson"}),
    ("token_f1", {"tokenizer": "squad", "reasoning": "keep"}), ("l3score", {**MOCK, "scoring": "votes"}),
    ("answer_exact_match", {}), ("precision_recall_f1", {}), ("token_f1", {"preset": "strict"}), ("recorded_score", {}),
]  # fmt: skip
CHUNKS = [[], ["a"], ["b", "a"], ["c", "b", "a"], ["d"]]


class Tokenizer:
    """A tokenizer of characters; 0 is padding."""

    pad_token_id = 0

    def batch_decode(self, ids: Any, *, skip_special_tokens: bool) -> list[str]:
        return ["".join(chr(code) for code in row if code or not skip_special_tokens) for row in ids]


def scored_by(
    tools: Any, name: str, options: dict[str, Any], texts: list[str], gold: Any, choices: tuple[str, ...]
) -> Iterator[Any]:
    """Yield what each adapter gives for three samples of one question."""
    golds = gold if isinstance(gold, list) else [gold]
    inputs = answer_metrics.metric_class(name).inputs
    fields = {"gold": gold, "q": ASKED, "o": list(choices) or None}
    columns = {field: [value] * 3 for field, value in fields.items()}
    named = {"questions": "q", **({"choices": "o"} if choices else {})}
    named = {name: field for name, field in named.items() if name in inputs}

    def by_inspect() -> Any:
        score = tools.inspect_ai.scorer(name, **options)
        scores = [
            in_inspect(score, text, [gold for gold in golds if isinstance(gold, str)], choices, ASKED) for text in texts
        ]
        means = tools.inspect_ai.attempts()([SimpleNamespace(score=each) for each in scores])
        return [vars(each) for each in scores], means

    def by_lighteval(**kind: Any) -> Any:
        doc = SimpleNamespace(query=ASKED, choices=[*(choices or golds)], get_golds=lambda: golds)
        computed = tools.lighteval.metric(name, **kind, **options)
        return computed.compute_sample(doc=doc, model_response=SimpleNamespace(final_text=texts))

    def by_ray() -> Any:
        rows = Dataset(text=texts, id=[*"abc"], **columns)
        sources = {"predictions": "text", "references": "gold", **named}
        scored = ray.score(rows, name, columns=sources, keep=["q", "id"], **options)
        return [pa.table(each).to_pydict() for each in scored], ray.aggregate(scored, name, **options)

    def by_transformers() -> Any:
        ids = [
            np.array([[*map(ord, f"{text:\0<12}"[:12])] for text in side])
            for side in (texts, [str([*golds, None][0])] * 3)
        ]
        evaluated = SimpleNamespace(
            predictions=np.where(ids[0], ids[0], -100), label_ids=np.where(ids[1], ids[1], -100)
        )
        return transformers.compute_metrics(Tokenizer(), name, **options)(evaluated)

    turns = [[{"role": "assistant", "content": text}, {"role": "tool", "content": "Rome"}] for text in texts]
    yield outcome(by_inspect)
    for kind in ({"n": 3}, {"n": 2, "reduction": "maj"}, {"n": 3, "reduction": "pass", "k": 2}):
        yield outcome(by_lighteval, **kind)
    yield outcome(lambda: tools.haystack.AnswerEvaluator(name, **options).run([gold] * 3, texts, [ASKED] * 3))
    for results in (texts, [texts]):
        yield outcome(lambda results: lm_eval.process_results(name, "gold", "q", **options)(fields, results), results)
    for completions in (texts, turns):
        yield outcome(lambda texts: trl.reward(name, "gold", **named, **options)(texts, **columns), completions)
    if not choices:  # as each call loads the metric
        yield outcome(promptfoo.grade, name, texts[0], {"vars": fields}, "gold", "q", **options)
    yield outcome(by_ray)
    yield outcome(by_transformers)


def adapters() -> Iterator[Any]:
    """Yield what each adapter gives for outputs, references, choices and options of any kind, and its warnings."""
    with contextlib.ExitStack() as stack:
        tools = SimpleNamespace(
            **{tool: stack.enter_context(stand_in(tool)) for tool in ["inspect_ai", "lighteval", "haystack"]}
        )
        for number, (place, gold) in itertools.product(range(len(METRICS)), enumerate(GOLDS)):
            if (number + place) % 2:  # half of them
                continue
            (name, options), choices = METRICS[number], CHOICES if place % 4 > 1 else ()
            texts = [OUTPUTS[(3 * (place + number) + at) % len(OUTPUTS)] for at in range(3)]
            with capture_warnings() as messages:
                yield name, options, texts, gold, choices, *scored_by(tools, name, options, texts, gold, choices)
            yield sorted(set(messages))
        rankings = [
            [SimpleNamespace(content=name, id=f"{name}1", meta={"n": [name]}) for name in names] for names in CHUNKS
        ]
        for name, field in itertools.product(
            ("ranked_retrieval", "precision_recall_f1"), ("content", "id", "meta.n", "meta.x")
        ):
            options = {"confidence_level": 0.9} | ({"matching_strategy": "ID"} if name == "ranked_retrieval" else {})
            evaluator = tools.haystack.RetrievalEvaluator(name, field, **options)
            yield evaluator.to_dict(), outcome(evaluator.run, rankings[1:], rankings[:-1])


def test_what_adapters_give_is_as_recorded() -> None:
    assert changed("adapters", "adapters", recorded(adapters, words=True)) == []


if __name__ == "__main__":
    record("adapters", {"adapters": recorded(adapters, words=True)})
