"""The recipes of docs/integrations.md and docs/at-scale.md run as written, in the real tools, and give our scores."""

import asyncio
import functools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml  # type: ignore[import-untyped]  # its types are a separate package

import answer_metrics
from answer_metrics.integrations import lm_eval
from tests import recipes
from tests.conftest import ROOT
from tests.integration.conftest import run_python
from tests.integration.space_server import Server

ANSWERS: list[dict[str, Any]] = [
    {"question": "capital of France ?", "answer": "Paris", "gold": ["paris", "City of Light"]},
    {"question": "capital of Italy ?", "answer": "Oslo", "gold": ["Rome"]},
    {"question": "capital of Norway ?", "answer": "oslo", "gold": ["Oslo"]},
]
SCORES = [1.0, 0.0, 1.0]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "".join(json.dumps({"id": f"q{number}", **row}) + "\n" for number, row in enumerate(ANSWERS))
    (tmp_path / "answers.jsonl").write_text(lines, encoding="utf-8")


def accuracy(predictions: list[str], references: list[Any], **options: Any) -> Any:
    metric = evaluate.load(str(ROOT / "metrics" / "accuracy"), **options)
    return metric.compute(predictions=predictions, references=references)["accuracy"]


def test_document_names_the_tested_versions() -> None:
    text = "".join(document.read_text(encoding="utf-8") for document in recipes.DOCUMENTS)
    for name, version in re.findall(r"\b([A-Za-z-]+) (\d+\.\d+(?:\.\d+)*)", text):
        try:
            installed = metadata.version("mlflow-skinny" if name == "mlflow" else name)
        except metadata.PackageNotFoundError:
            continue
        assert f"{installed}.".startswith(f"{version}."), f"{name} {installed}"


def missing(argument: str, name: str, kind: str, *names: str) -> str:
    """Return the error about a field that a tool's data does not have."""
    return f"{argument}={name!r} is not a {kind}; choose one of these: {', '.join(names)}"


def run_harness(monkeypatch: pytest.MonkeyPatch, answers: list[str], **task: Any) -> dict[str, Any]:
    """Run a task of the three documents on a tiny model, whose answers, of random weights, are replaced."""
    harness = pytest.importorskip("lm_eval")
    models = pytest.importorskip("lm_eval.models.huggingface")
    model, tokenizer = recipes.make_model(), recipes.make_tokenizer()
    judged = models.HFLM(pretrained=model, tokenizer=tokenizer, batch_size=3, device="cpu", max_length=64)
    generate = judged.generate_until
    monkeypatch.setattr(judged, "generate_until", lambda *given, **more: generate(*given, **more) and answers)
    config = {
        "task": "cities", "dataset_path": "json", "dataset_kwargs": {"data_files": {"test": "answers.jsonl"}},
        "test_split": "test", "output_type": "generate_until", "doc_to_text": "{{question}}",
        "doc_to_target": "{{gold[0]}}",
        "generation_kwargs": {"until": ["</s>"], "max_gen_toks": 2, "do_sample": False}, **task,
    }  # fmt: skip
    result = harness.simple_evaluate(model=judged, tasks=[config], bootstrap_iters=10, verbosity="ERROR")
    return dict(result["results"]["cities"])


def test_harness_with_a_list_of_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    config = yaml.safe_load(recipes.recipe("lm-evaluation-harness", 1, language="yaml"))
    answers = ["It was Paris.", "Oslo", "oslo"]
    scores = run_harness(monkeypatch, answers, **config)
    assert scores["accuracy,none"] == accuracy(answers, [row["gold"][0] for row in ANSWERS], match="recall")
    assert scores["accuracy,none"] == pytest.approx(2 / 3)
    assert scores["accuracy_stderr,none"] > 0


def process_results_task() -> dict[str, Any]:
    """Return the task of the recipe, with its function."""
    text = recipes.recipe("lm-evaluation-harness", language="yaml").replace("!function ", "")
    return {**yaml.safe_load(text), "process_results": recipes.run("lm-evaluation-harness")["process_results"]}


def test_harness_with_process_results(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["the City of Light", "Oslo", "oslo"]
    scores = run_harness(monkeypatch, answers, **process_results_task())
    assert scores["accuracy,none"] == accuracy(answers, [row["gold"] for row in ANSWERS], match="recall")
    assert scores["accuracy,none"] == pytest.approx(2 / 3)


def test_harness_averages_the_samples_of_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = yaml.safe_load(recipes.recipe("lm-evaluation-harness", 2, language="yaml"))
    answers = ["Paris", "Rome", "Oslo", "paris", *["Oslo"] * 4, *["oslo", "Rome"] * 2]
    scores = run_harness(monkeypatch, answers, **process_results_task(), **samples)
    golds = [row["gold"] for row in ANSWERS for _ in range(4)]
    assert scores["accuracy,samples"] == accuracy(answers, golds, match="recall") == pytest.approx(1 / 3)


def test_harness_leaves_out_a_document_without_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    config = process_results_task()
    process_results = config["process_results"]
    config["process_results"] = lambda row, results: {} if row["id"] == "q1" else process_results(row, results)
    assert run_harness(monkeypatch, ["Paris", "Rome", "Bern"], **config)["accuracy,none"] == 0.5
    for fields in ({"references": "golds"}, {"references": "gold", "questions": "golds"}):
        message = missing([*fields][-1], "golds", "field of the document", "id", "question", "answer", "gold")
        config["process_results"] = lm_eval.process_results("accuracy", **fields)
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            run_harness(monkeypatch, ["Paris", "Rome", "Bern"], **config)


EVALS = ROOT / ".venvs" / "evals" / "bin"
PROMPTFOO = ROOT / ".venvs" / "promptfoo" / "node_modules" / ".bin"
INSPECT = """
import json
import inspect_ai
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import ci_wilson, match, mean, precomputed_scores
from inspect_ai.solver import solver as a_solver
import answer_metrics

rows = [json.loads(line) for line in open("answers.jsonl")]
answers, references = ([row[name] for row in rows] for name in ("answer", "gold"))
ids = [str(index) for index in range(len(rows))]

@a_solver
def recorded():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("recorded", state.metadata["answer"])
        return state
    return solve

solver = recorded()
samples = [Sample(id=name, input=row["question"], target=row["gold"], metadata=row) for name, row in zip(ids, rows)]
dataset = MemoryDataset(samples)
metric = answer_metrics.load("accuracy", match="recall")

def ask(task):
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir="logs")
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}

# the recipes
stored = precomputed_scores("scores.jsonl", metrics=[mean(), ci_wilson()])
found = [ask(task), ask(Task(dataset=dataset, solver=solver, scorer=stored))]
ask(Task(dataset=dataset, solver=solver, scorer=match()))
result = metric.compute(predictions=answers, references=references)
print(json.dumps([found, result["accuracy"], result["accuracy_confidence_interval"]]))
"""
INSPECT_TASKS = """
import json
import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver as a_solver
from answer_metrics.integrations.inspect_ai import scorer

@a_solver
def recorded():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("recorded", state.metadata["output"])
        return state
    return solve

def run(rows, code):
    samples = [
        Sample(id=str(index), input="?", target=row["target"], choices=row.get("choices"), metadata=row)
        for index, row in enumerate(rows)
    ]
    names = {"dataset": MemoryDataset(samples), "solver": recorded(), "scorer": scorer, "Task": Task}
    try:
        exec(code, names)
    except (ValueError, RuntimeError) as error:
        return str(error)
    logs = inspect_ai.eval(names["task"], model="mockllm/model", display="none", log_dir="logs", fail_on_error=False)
    scores = [next(iter((sample.scores or {}).values()), None) for sample in logs[0].samples]
    rescored = inspect_ai.score(logs[0], names["task"].scorer, action="overwrite").samples
    return {
        "metrics": {name: metric.value for score in logs[0].results.scores for name, metric in score.metrics.items()},
        "scores": [score and [score.value, score.answer, score.explanation] for score in scores],
        "errors": [sample.error and sample.error.message for sample in logs[0].samples],
        "rescored": [[score.value, score.explanation] for sample in rescored for score in sample.scores.values()],
    }

print(json.dumps({name: run(*task) for name, task in json.load(open("tasks.json")).items()}))
"""
HAYSTACK = """
import json
from haystack import Pipeline

pipeline = Pipeline()
pipeline.add_component("evaluator", evaluator)
again = Pipeline.loads(pipeline.dumps(), allowed_modules=["answer_metrics.*"])
given = {"ground_truth_answers": [["Paris"]], "predicted_answers": ["paris"]}
pipeline.add_component("retrieval", retrieval)
documents = Pipeline.loads(pipeline.dumps(), allowed_modules=["answer_metrics.*"]).get_component("retrieval")
again_ranking = documents.run([[Document(meta={"file": "d2"})]], [[Document(meta={"file": "d2"})]])
judge = AnswerEvaluator("l3score", provider="mock", use_cache=False)
judged = judge.run(ground_truth_answers=["Paris"], predicted_answers=["Paris"], questions=["Capital of France?"])
score = again.run({"evaluator": given})["evaluator"]["score"]
print(json.dumps([result, score, ranking, again_ranking["score"], judged]))
"""
LIGHTEVAL = """
import json, pickle
from types import SimpleNamespace
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.logging.info_loggers import MetricsLogger
from lighteval.metrics import apply_metric
from lighteval.models.dummy.dummy_model import DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

metric = pickle.loads(pickle.dumps(answer_accuracy))
tracker = EvaluationTracker(output_dir="out", save_details=True)
tracker.general_config_logger.model_config = DummyModelConfig(seed=1)
tracker.general_config_logger.model_name = "recorded"
scores = []
for row in map(json.loads, open("answers.jsonl")):
    doc = Doc(id=row["answer"], query=row["question"], choices=row["gold"], gold_index=list(range(len(row["gold"]))))
    response = ModelResponse(text=[row["answer"]])
    scores.append(metric.compute_sample(doc=doc, model_response=response)["accuracy"])
    tracker.details_logger.log("cities|0", doc, response, {"accuracy": scores[-1]})
tracker.save()
response = ModelResponse(text=["It was Paris.", "Rome", "Rome", "Paris"])
doc = Doc(query="?", choices=["Paris", "City of Light"], gold_index=[0, 1])
samples = {}
for measure in (mean_of_four, majority_of_four, pass_at_two):
    samples |= measure.compute_sample(doc=doc, model_response=response)
# Of four documents, a judge fails at one.
values = iter([1.0, float("nan"), 0.0, 1.0])
answer_accuracy.sample_level_fn.compute = lambda **_: next(values)
logger = MetricsLogger()
for rows in apply_metric([response] * 4, [doc] * 4, [answer_accuracy]):
    logger.log("cities|0", rows)
logger.aggregate({"cities|0": SimpleNamespace(aggregation=answer_accuracy.get_corpus_aggregations)})
print(json.dumps([scores, samples, logger.metric_aggregated["cities|0"]]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Callable[[Path], Callable[..., str]]:
    """Return a function that installs the package in an environment, and returns one that runs a command there."""

    def install(folder: Path) -> Callable[..., str]:
        if not folder.exists():
            pytest.skip("make clients installs it")
        installing = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", str(wheel)]
        subprocess.run([str(folder / "python"), *installing], check=True)
        return functools.partial(run_in, folder)

    def run_in(folder: Path, *command: str) -> str:
        environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(Path.cwd())}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        return done.stdout

    return install


def program(text: str) -> Any:
    Path("program.py").write_text(text, encoding="utf-8")
    return "python", "program.py"


def test_inspect(installed: Any) -> None:
    run = installed(EVALS)
    code = INSPECT.replace("# the recipes", recipes.recipe("Inspect") + recipes.recipe("Inspect", 1))
    found, score, (low, high) = json.loads(run(*program(code)).splitlines()[-1])
    expected = {"mean": score, "lower": low, "upper": high}
    assert found == [pytest.approx(expected)] * 2
    log = max(Path("logs").iterdir())
    log.rename("logs/run.eval")
    command = recipes.recipe("Inspect", language="console").removeprefix("$ ").split()
    run(*command)
    header = run("inspect", "log", "dump", "--header-only", "logs/run.eval")
    (scored,) = (entry for entry in json.loads(header)["results"]["scores"] if "accuracy" in entry["name"])
    assert {name: metric["value"] for name, metric in scored["metrics"].items()} == pytest.approx(expected)
    result = json.loads(run("answer-metrics", "score", "logs/run.eval", "--set", "match=recall", "--json"))
    assert result["accuracy"] == score


CITIES = [("It was Paris.", "Paris"), ("I don't know.", "Rome"), ("Oslo, I think.", "Rome"), ("Bern", "Bern")]
PLACES = [("d1", "s1"), ("d1", "s1"), ("d2", "s2"), ("d3", "s2")]


def inspect_task(options: str, more: str = "") -> str:
    return f"task = Task(dataset=dataset, solver=solver, scorer=scorer({options}){more})"


@pytest.fixture(scope="module")
def inspected(installed: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run all tasks in one process; each has metrics, scores (value, answer, explanation) and errors of samples."""
    cities = [
        {"output": output, "target": target, "document": document, "subject": subject}
        for (output, target), (document, subject) in zip(CITIES, PLACES, strict=True)
    ]
    sets = [{"output": f"ANSWER: {text}", "target": ["B", "C"], "choices": [*"xyz"]} for text in ("C, B", "B")]
    numbers = [{"output": r"So: \boxed{42}", "target": "42"}, {"output": "42", "target": ""}]
    declining = '"accuracy", match="recall", abstention="en"'
    tasks = {
        "declining": (cities, inspect_task(declining)),
        "declining in two epochs": (cities, inspect_task(declining, ", epochs=2")),
        "numbers": (numbers, inspect_task('"accuracy", preset="number"')),
        "sets": (sets, inspect_task('"accuracy", preset="multiple_choice"')),
        "grouped": (cities, recipes.recipe("Inspect", 2)),
        "unknown metric": ([], inspect_task('"acuracy"')),
        "unknown option": ([], inspect_task('"accuracy", mach=1')),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("inspect"))
        Path("tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
        return json.loads(installed(EVALS)(*program(INSPECT_TASKS)).splitlines()[-1])


def test_inspect_reports_outputs_that_decline(inspected: Any) -> None:
    metric = evaluate.load(str(ROOT / "metrics" / "accuracy"), match="recall", abstention="en")
    predictions, references = map(list, zip(*CITIES, strict=True))
    expected = metric.compute(predictions=predictions, references=references)
    for name in ("declining", "declining in two epochs"):
        task = inspected[name]
        assert task["metrics"]["mean"] == expected["accuracy"]
        assert task["metrics"]["accuracy_given_attempted"] == expected["accuracy_given_attempted"]
        assert [score[0] for score in task["scores"][:4]] == [1.0, "N", 0.0, 1.0]
        assert task["scores"][1][1:] == ["I don't know.", "The output declines to answer."]


def test_inspect_shows_the_extracted_answer_and_a_sample_without_a_target_is_an_error(inspected: Any) -> None:
    task = inspected["numbers"]
    assert task["scores"] == [[1.0, "42", "The answer equals a reference."], None]
    assert task["metrics"]["mean"] == 1.0
    assert task["errors"][0] is None
    assert "sample '1' has no target" in task["errors"][1]
    (_, reason), (value, explanation) = task["rescored"]
    assert (reason, explanation) == ("The answer equals a reference.", "sample '1' has no target")
    assert math.isnan(value)


def test_inspect_scores_sets_of_choices(inspected: Any) -> None:
    assert [score[0] for score in inspected["sets"]["scores"]] == [1, 0]


def test_inspect_groups_clusters_and_epochs(inspected: Any) -> None:
    metrics = inspected["grouped"]["metrics"]
    assert metrics.keys() == {"mean", "lower", "upper", "s1", "s2", "all"}
    assert (metrics["mean"], metrics["s1"], metrics["s2"], metrics["all"]) == (0.5, 0.5, 0.5, 0.5)
    assert metrics["lower"] < 0.5 < metrics["upper"]


def test_inspect_says_what_a_scorer_does_not_take(inspected: Any) -> None:
    assert inspected["unknown metric"] == "there is no metric 'acuracy'; did you mean 'accuracy'?"
    assert inspected["unknown option"].startswith("accuracy has no option 'mach'; did you mean 'match'?")


def test_lighteval(installed: Any) -> None:
    run = installed(ROOT / ".venvs" / "lighteval" / "bin")
    code = recipes.recipe("LightEval") + LIGHTEVAL
    scores, samples, aggregated = json.loads(run(*program(code)).splitlines()[-1])
    assert scores == SCORES
    assert samples == {
        "accuracy_avg@4": 0.5, "accuracy_maj@4": 0.0, "accuracy_pass@2": pytest.approx(5 / 6)
    }  # fmt: skip
    assert aggregated == pytest.approx({"accuracy": 2 / 3, "accuracy_stderr": 1 / 3})
    (details,) = map(str, Path("out").rglob("details_*.parquet"))
    assert json.loads(run("answer-metrics", "score", details, "--json"))["accuracy"] == pytest.approx(2 / 3)


def test_haystack(installed: Any) -> None:
    run = installed(EVALS)
    code = recipes.recipe("Haystack") + recipes.recipe("Haystack", 1) + HAYSTACK
    result, again, ranking, again_ranking, judged = json.loads(run(*program(code)).splitlines()[-1])
    assert (result["score"], result["individual_scores"], again) == (0.5, [1.0, 0.0], 1.0)
    options = {"matching_strategy": "ID", "return_confidence": True}
    retrieval = evaluate.load(str(ROOT / "metrics" / "ranked_retrieval"), **options)
    expected = retrieval.compute(predictions=[["d1", "d2"]], references=[["d2"]])
    score = expected[retrieval.main_score]
    interval = list(expected[f"{retrieval.main_score}_confidence_interval"])
    assert ranking == {"score": score, "individual_scores": [score], "interval": interval}
    assert again_ranking == 1.0
    mock = evaluate.load(str(ROOT / "metrics" / "l3score"), provider="mock", use_cache=False)
    rows = {"predictions": ["Paris"], "references": ["Paris"], "questions": ["Capital of France?"]}
    with pytest.warns(UserWarning, match="mock"):
        assert judged["score"] == mock.compute(**rows)["L3Score"]


def run_promptfoo(folder: Path, tests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    config = "prompts: ['{{answer}}']\nproviders: [echo]\n" + recipes.recipe("promptfoo", language="yaml")
    tests = [{"vars": variables} for variables in tests]
    (folder / "promptfooconfig.yaml").write_text(f"{config}tests: {json.dumps(tests)}\n", encoding="utf-8")
    offline = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
    subprocess.run(
        [PROMPTFOO / "promptfoo", "eval", "--no-cache", "--output", "out.json", "--output", "out.jsonl"],
        env={"PATH": f"{EVALS}:{os.environ['PATH']}", "HOME": str(folder), **offline},
        capture_output=True,
        check=False,  # its status says that a test failed
        timeout=180,
    )
    results = json.loads((folder / "out.json").read_text(encoding="utf-8"))["results"]["results"]
    return sorted(results, key=lambda result: result["testIdx"])


@pytest.mark.skipif(not PROMPTFOO.exists(), reason="make clients installs it, with npm")
def test_promptfoo(installed: Any, tmp_path: Path) -> None:
    run = installed(EVALS)
    results = run_promptfoo(tmp_path, [{"answer": row["answer"], "references": row["gold"]} for row in ANSWERS])
    assert [result["score"] for result in results] == SCORES
    assert json.loads(run("answer-metrics", "score", "out.jsonl", "--json"))["accuracy"] == pytest.approx(2 / 3)
    failed = run_promptfoo(tmp_path, [{"answer": "Paris", "gold": "Paris"}, {"answer": "Paris", "references": None}])
    assert [result["error"].splitlines()[0].partition(": ValueError: ")[2] for result in failed] == [
        missing("references", "references", "variable of the test", "answer", "gold"),
        "accuracy: references[0] is None, not a string; leave out examples without a reference",
    ]


LOGITS = (
    r"^the trainer passes logits, not token ids: set predict_with_generate=True in Seq2SeqTrainingArguments, "
    r"or give Trainer preprocess_logits_for_metrics \(docs/integrations.md, transformers\)$"
)


def test_trainers(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    tokenizer = recipes.make_tokenizer()
    rows = [{"input_ids": [7, 8, city, 9], "labels": [city, 1]} for city in (3, 4, 5)]
    common = {"output_dir": str(tmp_path), "use_cpu": True, "report_to": [], "per_device_eval_batch_size": 2}
    common["disable_tqdm"] = True
    model = recipes.make_model("t5")
    seen: list[Any] = []
    compute_metrics = recipes.run("transformers", tokenizer=tokenizer)["compute_metrics"]

    def watched(evaluated: Any) -> Any:
        seen.append(evaluated)
        return compute_metrics(evaluated)

    def trainer(model: Any, generates: bool) -> Any:
        generating = {"predict_with_generate": generates, "generation_max_length": 3}
        return transformers.Seq2SeqTrainer(
            model=model,
            args=transformers.Seq2SeqTrainingArguments(**generating, **common),
            data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model=model),
            compute_metrics=watched,
        )

    logged = trainer(model, generates=True).evaluate(rows)
    names = {f"eval_{name}{end}" for name in ("accuracy", "f1") for end in ("", "_low", "_high")}
    assert names <= set(logged)
    assert all(isinstance(value, (int, float)) for value in logged.values())
    (evaluated,) = seen
    assert evaluated.label_ids[:, :2].tolist() == [[3, 1], [4, 1], [5, 1]]
    causal = [{"input_ids": row["labels"], "labels": row["labels"]} for row in rows]
    for misled, given in ((trainer(model, False), rows), (trainer(recipes.make_model(), False), causal)):
        with pytest.raises(ValueError, match=LOGITS):
            misled.evaluate(given)
    # A causal model predicts the token after each position: the recipe lines them up with the labels.
    torch = pytest.importorskip("torch")
    logits, labels = torch.rand(3, 4, 10), torch.tensor([[-100, -100, city, 1] for city in (3, 4, 5)])
    aligned = recipes.run("transformers", 1)["preprocess_logits_for_metrics"](logits, labels)
    assert aligned[:, 2:].tolist() == logits.argmax(-1)[:, 1:3].tolist()
    assert (aligned[:, :2] == -100).all()


ACCELERATE = """
import json, sys, torch
from tests import recipes

tokenizer, model = recipes.make_tokenizer(), recipes.make_model()
model.generation_config.max_new_tokens = None
inputs = torch.tensor([[3 + row % 4] for row in range(7)])
tokens = model.generate(inputs, max_new_tokens=8)
labels = tokens.clone()
labels[1::2] = 2  # every second answer is wrong
rows = [{"input_ids": given, "labels": gold} for given, gold in zip(inputs, labels)]
loader = torch.utils.data.DataLoader(rows, batch_size=2)
names = recipes.run("accelerate", model=model, loader=loader, tokenizer=tokenizer)
if names["accelerator"].is_main_process:
    print(json.dumps([names["accelerator"].num_processes, names["result"]]))
"""


def test_accelerate_counts_every_row_of_two_processes_once(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    (tmp_path / "train.py").write_text(ACCELERATE, encoding="utf-8")
    command = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "train.py"]
    processes, result = json.loads(run_python(*command, cwd=tmp_path, PYTHONPATH=str(ROOT)).splitlines()[-1])
    assert (processes, result["correct"], result["total"]) == (2, 4, 7)


def train_with(reward_funcs: Any, *columns: str) -> dict[str, float]:
    """Return what TRL logs about a step on the prompts and some columns of a dataset, with the golds as `answer`."""
    trl = pytest.importorskip("trl")
    config = {"max_steps": 1, "num_generations": 2, "per_device_train_batch_size": 2, "use_cpu": True, "bf16": False}
    rows = [{"prompt": row["question"], **row, "answer": row["gold"]} for row in ANSWERS]
    trainer = trl.GRPOTrainer(
        model=recipes.make_model(), reward_funcs=reward_funcs, processing_class=recipes.make_tokenizer(),
        train_dataset=datasets.Dataset.from_list(rows).select_columns(["prompt", *columns]),
        args=trl.GRPOConfig("out", **config),
    )  # fmt: skip
    trainer.train()
    return dict(trainer.state.log_history[0])


def test_trl_reward() -> None:
    reward = recipes.run("TRL")["reward"]
    assert 0 <= train_with(reward, "answer")["reward"] <= 1
    several = recipes.run("TRL", 1)["reward_funcs"]
    assert {f"rewards/{label}/mean" for label in ("strict", "overlap")} <= train_with(
        several, "answer", "question"
    ).keys()
    column = "column of the dataset"
    with pytest.raises(ValueError, match=f"^{missing('references', 'answer', column, 'prompts', 'gold')}$"):
        train_with(reward, "gold")
    with pytest.raises(ValueError, match=f"^{missing('questions', 'question', column, 'prompts', 'answer')}$"):
        train_with(several, "answer")
    answers = [row["answer"] for row in ANSWERS]
    messages = [[{"role": "assistant", "content": answer}] for answer in answers]
    golds = [row["gold"] for row in ANSWERS]
    assert reward(answers, answer=golds) == reward(messages, answer=golds) == SCORES


def test_mlflow_evaluates_with_a_scorer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("mlflow.genai")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "mlruns").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    data = [
        {"inputs": {"question": row["question"]}, "outputs": row["answer"], "expectations": {"gold": row["gold"]}}
        for row in ANSWERS
    ]
    metrics = recipes.run("MLflow", data=data)["evaluation"].metrics
    golds = [row["gold"] for row in ANSWERS]
    assert metrics["accuracy/mean"] == accuracy([row["answer"] for row in ANSWERS], golds, match="recall")


def test_loggers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("wandb")
    pytest.importorskip("tensorboard")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "mlruns").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    result = recipes.run("Loggers")["result"]
    assert result["ndcg@10"] == pytest.approx(0.6309, abs=1e-4)
    (run,) = mlflow.MlflowClient().search_runs(["0"])
    assert run.data.metrics["ndcg_at_10"] == result["ndcg@10"]
    assert len(run.data.metrics) == len(result)
    assert list(tmp_path.glob("wandb/offline-run-*/*.wandb"))
    accumulators = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulators.EventAccumulator(str(tmp_path / "runs"))
    events.Reload()
    (scalar,) = events.Scalars("ndcg@10")
    assert scalar.value == pytest.approx(result["ndcg@10"])


def test_tables() -> None:
    for library in ("pandas", "polars", "duckdb"):
        pytest.importorskip(library)
    names = recipes.run("Tables")
    expected = accuracy([row["answer"] for row in ANSWERS], [row["gold"] for row in ANSWERS])
    assert [result["accuracy"] for result in names["results"]] == [expected] * 2
    columns = [scored["accuracy_individual_scores"] for scored in names["scores"]]
    assert [column.to_pylist() if hasattr(column, "to_pylist") else list(column) for column in columns] == [SCORES] * 3
    assert list(names["frame"]["right"]) == SCORES


def write_parquet(tmp_path: Path, rows: int = 50) -> float:
    """Write many rows in several files, and return their accuracy."""
    cells = [{"id": number, **ANSWERS[number % 3]} for number in range(rows)]
    (tmp_path / "answers.parquet").mkdir()
    for part in range(2):
        pq.write_table(pa.Table.from_pylist(cells[part::2]), tmp_path / "answers.parquet" / f"{part}.parquet")
    columns = [[row[name] for row in cells] for name in ("answer", "gold")]
    return float(accuracy(columns[0], columns[1], match="recall"))


def check_aggregated(result: dict[str, Any], scored: Any, expected: float) -> None:
    assert (result["accuracy"], result["total"]) == (expected, 50)
    compared = answer_metrics.load("accuracy", match="recall").compare({"a": scored, "b": scored}, on="id")
    assert (compared["systems"]["b"]["wins"], compared["systems"]["b"]["losses"]) == (0, 0)


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    expected = write_parquet(tmp_path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the package, for the workers
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    names = recipes.run("Spark")
    try:
        scored = names["scored"]
        with pytest.raises(ValueError, match=r"score a Spark DataFrame with mapInArrow, .* scored.toArrow\(\)"):
            names["metric"].aggregate(scored)
        assert recipes.run("Spark", 1, scored=scored, metric=names["metric"])["result"] == names["result"]
        check_aggregated(names["result"], pq.read_table("scored"), expected)
    finally:
        names["spark"].stop()


def test_dask(tmp_path: Path) -> None:
    pytest.importorskip("dask.dataframe")
    expected = write_parquet(tmp_path)
    names = recipes.run("Dask")
    scored = names["scored"]
    assert scored.npartitions == 2
    check_aggregated(names["result"], scored.compute(), expected)
    with pytest.raises(ValueError, match=r"score a Dask DataFrame with map_partitions, .* scored.compute\(\)"):
        names["metric"].aggregate(scored)


def test_polars(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    expected = write_parquet(tmp_path)
    names = recipes.run("polars")
    check_aggregated(names["result"], polars.read_parquet("scored.parquet"), expected)


def test_rows_of_the_table_of_methods(tmp_path: Path) -> None:
    expected = write_parquet(tmp_path)
    lines = recipes.DOCUMENTS[1].read_text(encoding="utf-8").splitlines()
    calls = [line.split("`")[1] for line in lines if line.startswith("|") and ".map(" in line]
    rows = datasets.load_dataset("parquet", data_files="answers.parquet/*.parquet", split="train")
    rows = rows.rename_columns({"answer": "predictions", "gold": "references"})
    metric = answer_metrics.load("accuracy", match="recall")
    names = {"metric": metric, "dataset": rows, "iterable_dataset": rows.to_iterable_dataset()}
    results = [metric.aggregate(eval(call.replace("num_proc=8", "num_proc=2"), names)) for call in calls]  # our own
    assert [result["accuracy"] for result in results] == [expected] * 2


def test_ray_data(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the package, for the workers
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        names = recipes.run("Ray")
        result = names["result"]
        questions = sorted(row["question"] for row in names["scored"].take_all())
        assert questions == sorted(row["question"] for row in ANSWERS)
        compare, scored = answer_metrics.load("accuracy").compare, names["scored"]
        found = compare({"a": scored, "b": scored}, on="question")["systems"]["b"]
        assert (found["wins"], found["losses"]) == (0, 0)
        with pytest.raises(ValueError, match=r'come in any order, so they cannot be matched by position: .* on="id"'):
            compare({"a": scored, "b": scored})
    finally:
        ray.shutdown()
    assert result["accuracy"] == accuracy([row["answer"] for row in ANSWERS], [row["gold"] for row in ANSWERS])
    assert result["total"] == 3


def test_gradio_client(servers: Callable[[str], Server], monkeypatch: pytest.MonkeyPatch) -> None:
    client = pytest.importorskip("gradio_client")
    named: list[str] = []

    def connect(name: str) -> Any:
        named.append(name)
        return client.Client(servers("accuracy").url, verbose=False)

    monkeypatch.setitem(sys.modules, "gradio_client", SimpleNamespace(Client=connect))
    assert recipes.run("gradio_client")["result"]["accuracy"] == 1.0
    assert named == [f"{ROOT}/metrics/accuracy"]


def test_mcp(servers: Callable[[str], Server]) -> None:
    pytest.importorskip("mcp")
    names = recipes.run("MCP")
    names["SERVER"] = f"{servers('accuracy').url}/gradio_api/mcp/"
    result = asyncio.run(names["score"](["Paris", "Oslo"], ["paris", "Rome"]))
    assert result["accuracy"] == 0.5
