"""The recipes of docs/integrations.md run as written, in the real clients with a tiny model, and give our scores."""

import asyncio
import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import pytest
import yaml  # type: ignore[import-untyped]  # its types are a separate package

import answer_metrics
from tests import recipes
from tests.conftest import ROOT
from tests.integration.clean_process import run_python
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
    text = recipes.DOCUMENT.read_text(encoding="utf-8")
    for name, version in re.findall(r"\b([A-Za-z-]+) (\d+\.\d+(?:\.\d+)*)", text):
        try:
            installed = metadata.version("mlflow-skinny" if name == "mlflow" else name)
        except metadata.PackageNotFoundError:
            continue
        assert f"{installed}.".startswith(f"{version}."), f"{name} {installed}"


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


def test_harness_with_process_results(monkeypatch: pytest.MonkeyPatch) -> None:
    process_results = recipes.run("lm-evaluation-harness")["process_results"]
    text = recipes.recipe("lm-evaluation-harness", language="yaml").replace("!function ", "")
    config = {**yaml.safe_load(text), "process_results": process_results}
    answers = ["the City of Light", "Oslo", "oslo"]
    scores = run_harness(monkeypatch, answers, **config)
    assert scores["accuracy,none"] == accuracy(answers, [row["gold"] for row in ANSWERS], match="recall")
    assert scores["accuracy,none"] == pytest.approx(2 / 3)


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
HAYSTACK = """
import json
from haystack import Pipeline

pipeline = Pipeline()
pipeline.add_component("evaluator", evaluator)
again = Pipeline.loads(pipeline.dumps(), allowed_modules=["answer_metrics.*"])
given = {"ground_truth_answers": [["Paris"]], "predicted_answers": ["paris"]}
print(json.dumps([result, again.run({"evaluator": given})["evaluator"]["score"]]))
"""
LIGHTEVAL = """
import json, pickle
from lighteval.logging.evaluation_tracker import EvaluationTracker
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
    scores.append(metric.compute_sample(doc=doc, model_response=response))
    tracker.details_logger.log("cities|0", doc, response, scores[-1])
tracker.save()
print(json.dumps([[score["accuracy"] for score in scores], metric.get_corpus_aggregations()["accuracy"](SCORES)]))
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
    (scored,) = (one for one in json.loads(header)["results"]["scores"] if "accuracy" in one["name"])
    assert {name: one["value"] for name, one in scored["metrics"].items()} == pytest.approx(expected)
    result = json.loads(run("answer-metrics", "score", "logs/run.eval", "--set", "match=recall", "--json"))
    assert result["accuracy"] == score


def test_lighteval(installed: Any) -> None:
    run = installed(ROOT / ".venvs" / "lighteval" / "bin")
    code = recipes.recipe("LightEval") + LIGHTEVAL.replace("SCORES", str(SCORES))
    scores, mean = json.loads(run(*program(code)).splitlines()[-1])
    assert (scores, mean) == (SCORES, pytest.approx(2 / 3))
    (details,) = map(str, Path("out").rglob("details_*.parquet"))
    assert json.loads(run("answer-metrics", "score", details, "--json"))["accuracy"] == pytest.approx(2 / 3)


def test_haystack(installed: Any) -> None:
    run = installed(EVALS)
    result, again = json.loads(run(*program(recipes.recipe("Haystack") + HAYSTACK)).splitlines()[-1])
    assert (result["score"], result["individual_scores"], again) == (0.5, [1.0, 0.0], 1.0)


@pytest.mark.skipif(not PROMPTFOO.exists(), reason="make clients installs it, with npm")
def test_promptfoo(installed: Any, tmp_path: Path) -> None:
    run = installed(EVALS)
    tests = [{"vars": {"answer": row["answer"], "references": row["gold"]}} for row in ANSWERS]
    config = "prompts: ['{{answer}}']\nproviders: [echo]\n" + recipes.recipe("promptfoo", language="yaml")
    (tmp_path / "promptfooconfig.yaml").write_text(f"{config}tests: {json.dumps(tests)}\n", encoding="utf-8")
    offline = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
    subprocess.run(
        [PROMPTFOO / "promptfoo", "eval", "--no-cache", "--output", "out.json", "--output", "out.jsonl"],
        env={"PATH": f"{EVALS}:{os.environ['PATH']}", "HOME": str(tmp_path), **offline},
        capture_output=True,
        check=False,  # its status says that a test failed, as the second one must
        timeout=180,
    )
    results = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["results"]["results"]
    assert [result["score"] for result in sorted(results, key=lambda result: result["testIdx"])] == SCORES
    assert json.loads(run("answer-metrics", "score", "out.jsonl", "--json"))["accuracy"] == pytest.approx(2 / 3)


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

    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(predict_with_generate=True, generation_max_length=3, **common),
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model=model),
        compute_metrics=watched,
    )
    logged = trainer.evaluate(rows)
    names = {f"eval_{name}{end}" for name in ("accuracy", "f1") for end in ("", "_low", "_high")}
    assert names <= set(logged)
    assert all(isinstance(value, (int, float)) for value in logged.values())
    (evaluated,) = seen
    assert evaluated.label_ids[:, :2].tolist() == [[3, 1], [4, 1], [5, 1]]
    # A causal model predicts the token after each position: the recipe lines them up with the labels.
    torch = pytest.importorskip("torch")
    logits, labels = torch.rand(3, 4, 10), torch.tensor([[-100, -100, city, 1] for city in (3, 4, 5)])
    found = recipes.run("transformers", 1)["preprocess_logits_for_metrics"](logits, labels)
    assert found[:, 2:].tolist() == logits.argmax(-1)[:, 1:3].tolist()
    assert (found[:, :2] == -100).all()


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


def test_trl_reward() -> None:
    trl = pytest.importorskip("trl")
    reward = recipes.run("TRL")["reward"]
    trainer = trl.GRPOTrainer(
        model=recipes.make_model(),
        reward_funcs=reward,
        processing_class=recipes.make_tokenizer(),
        train_dataset=datasets.Dataset.from_list([{"prompt": r["question"], "answer": r["gold"]} for r in ANSWERS]),
        args=trl.GRPOConfig(
            "out", max_steps=1, num_generations=2, per_device_train_batch_size=2, use_cpu=True, bf16=False
        ),
    )
    trainer.train()
    assert 0 <= trainer.state.log_history[0]["reward"] <= 1
    answers = [row["answer"] for row in ANSWERS]
    messages = [[{"role": "assistant", "content": answer}] for answer in answers]
    golds = [row["gold"] for row in ANSWERS]
    assert reward(answers, answer=golds) == reward(messages, answer=golds) == SCORES


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


def test_ray_data(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the package, for the workers
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        names = recipes.run("Ray")
        result = names["result"]
        found = sorted(row["question"] for row in names["scored"].take_all())
        assert found == sorted(row["question"] for row in ANSWERS)
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
