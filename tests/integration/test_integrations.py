"""The recipes of docs/integrations.md run as written, in the real clients with a tiny model, and give our scores."""

import asyncio
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
    lines = "".join(json.dumps(row) + "\n" for row in ANSWERS)
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


# ---- evaluation harnesses


def run_harness(monkeypatch: pytest.MonkeyPatch, answers: list[str], **task: Any) -> dict[str, Any]:
    """Run a task of the three documents on a tiny model, whose answers, of random weights, are replaced."""
    harness = pytest.importorskip("lm_eval")
    models = pytest.importorskip("lm_eval.models.huggingface")
    model, tokenizer = recipes.make_model(), recipes.make_tokenizer()
    judged = models.HFLM(pretrained=model, tokenizer=tokenizer, batch_size=3, device="cpu", max_length=64)
    generate = judged.generate_until
    monkeypatch.setattr(judged, "generate_until", lambda *given, **more: generate(*given, **more) and answers)
    config = {
        "task": "cities",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": "answers.jsonl"}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{gold[0]}}",
        "generation_kwargs": {"until": ["</s>"], "max_gen_toks": 2, "do_sample": False},
        **task,
    }
    result = harness.simple_evaluate(model=judged, tasks=[config], bootstrap_iters=10, verbosity="ERROR")
    return dict(result["results"]["cities"])


def test_harness_with_a_list_of_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    config = yaml.safe_load(recipes.recipe("lm-evaluation-harness", language="yaml"))
    answers = ["It was Paris.", "Oslo", "oslo"]
    scores = run_harness(monkeypatch, answers, **config)
    assert scores["accuracy,none"] == accuracy(answers, [row["gold"][0] for row in ANSWERS], match="recall")
    assert scores["accuracy,none"] == pytest.approx(2 / 3)
    assert scores["accuracy_stderr,none"] > 0


def test_harness_with_process_results(monkeypatch: pytest.MonkeyPatch) -> None:
    process_results = recipes.run("lm-evaluation-harness")["process_results"]
    listed = [{"metric": "accuracy", "aggregation": "mean", "higher_is_better": True}]
    answers = ["the City of Light", "Oslo", "oslo"]
    scores = run_harness(monkeypatch, answers, metric_list=listed, process_results=process_results)
    assert scores["accuracy,none"] == accuracy(answers, [row["gold"] for row in ANSWERS], match="recall")
    assert scores["accuracy,none"] == pytest.approx(2 / 3)


EVALS = ROOT / ".venvs" / "evals" / "bin" / "python"
INSPECT = """
import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import ci_wilson, mean, precomputed_scores
from inspect_ai.solver import solver

rows = [json.loads(line) for line in open("answers.jsonl")]
answers, references = ([row[name] for row in rows] for name in ("answer", "gold"))
ids = [str(index) for index in range(len(rows))]

@solver
def recorded():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("recorded", state.metadata["answer"])
        return state
    return solve

def ask(scorer):
    samples = [Sample(id=name, input=row["question"], target=row["gold"], metadata=row) for name, row in zip(ids, rows)]
    task = Task(dataset=MemoryDataset(samples), solver=recorded(), scorer=scorer)
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir=".")
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}

answer_accuracy = run("Inspect")["answer_accuracy"]
metric = evaluate.load(f"{ROOT}/metrics/accuracy")
run("Inspect", 1, metric=metric, ids=ids, answers=answers, references=references)
result = metric.compute(predictions=answers, references=references)
low, high = result["accuracy_confidence_interval"]
stored = precomputed_scores("scores.jsonl", metrics=[mean(), ci_wilson()])
for scores in (ask(answer_accuracy()), ask(stored)):
    assert abs(scores["mean"] - 2 / 3) < 1e-12, scores
    assert abs(scores["lower"] - low) < 1e-9, (scores, low)
    assert abs(scores["upper"] - high) < 1e-9, (scores, high)
"""
LIGHTEVAL = """
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

metric = run("LightEval")["answer_accuracy"]
rows = [json.loads(line) for line in open("answers.jsonl")]
scores = []
for row in rows:
    doc = Doc(query=row["question"], choices=row["gold"], gold_index=list(range(len(row["gold"]))))
    scores.append(metric.compute_sample(doc=doc, model_response=ModelResponse(text=[row["answer"]]))["accuracy"])
assert scores == [1.0, 0.0, 1.0], scores
assert abs(metric.get_corpus_aggregations()["accuracy"](scores) - 2 / 3) < 1e-12
"""


@pytest.mark.skipif(not EVALS.exists(), reason="make clients installs them; their requirements exclude ours")
@pytest.mark.parametrize("program", [INSPECT, LIGHTEVAL], ids=["inspect", "lighteval"])
def test_harnesses_in_an_environment_of_their_own(program: str, tmp_path: Path) -> None:
    imports = "import json\nimport evaluate\nfrom tests.recipes import ROOT, run\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [EVALS, "-c", imports + program], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


PROMPTFOO = ROOT / ".venvs" / "promptfoo" / "node_modules" / ".bin" / "promptfoo"


@pytest.mark.skipif(not PROMPTFOO.exists(), reason="make clients installs it, with npm")
def test_promptfoo(tmp_path: Path) -> None:
    code = recipes.recipe("promptfoo").replace('"metrics"', repr(str(ROOT / "metrics")))
    (tmp_path / "assert_accuracy.py").write_text(code, encoding="utf-8")
    assertion = recipes.recipe("promptfoo", language="yaml")
    tests = [{"vars": {"answer": row["answer"], "references": row["gold"]}} for row in ANSWERS]
    config = "prompts: ['{{answer}}']\nproviders: [echo]\ndefaultTest:\n  options: {disableVarExpansion: true}\n"
    config += "".join(f"  {line}\n" for line in assertion.splitlines()) + f"tests: {json.dumps(tests)}\n"
    (tmp_path / "promptfooconfig.yaml").write_text(config, encoding="utf-8")
    subprocess.run(
        [PROMPTFOO, "eval", "--no-cache", "--output", "out.json"],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PROMPTFOO_PYTHON": sys.executable,
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
        },
        capture_output=True,
        check=False,  # its status says that a test failed, as the second one must
        timeout=180,
    )
    results = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["results"]["results"]
    assert [result["score"] for result in sorted(results, key=lambda result: result["testIdx"])] == SCORES


# ---- training


def test_trainers(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    tokenizer = recipes.make_tokenizer()
    rows = [{"input_ids": [7, 8, city, 9], "labels": [city, 1]} for city in (3, 4, 5)]
    common = {
        "output_dir": str(tmp_path),
        "use_cpu": True,
        "report_to": [],
        "disable_tqdm": True,
        "per_device_eval_batch_size": 2,
    }
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
    assert {"eval_accuracy", "eval_correct", "eval_total", "eval_f1"} <= set(logged)
    assert logged["eval_total"] == 3
    assert all(isinstance(value, (int, float)) for value in logged.values())
    (evaluated,) = seen
    assert evaluated.label_ids[:, :2].tolist() == [[3, 1], [4, 1], [5, 1]]

    # A causal model that predicts the token after each position: the recipe must line them up with the labels.
    reduce = recipes.run("transformers", 1)["preprocess_logits_for_metrics"]
    rows = [{"input_ids": [7, 8, city, 1], "labels": [-100, -100, city, 1]} for city in (3, 4, 5)]
    causal = recipes.make_model()
    trainer = transformers.Trainer(
        model=causal,
        args=transformers.TrainingArguments(**common),
        compute_metrics=watched,
        preprocess_logits_for_metrics=reduce,
    )
    assert trainer.evaluate(rows)["eval_total"] == 3
    logits = causal(pytest.importorskip("torch").tensor([row["input_ids"] for row in rows])).logits
    assert seen[1].predictions[:, 2:].tolist() == logits.argmax(-1)[:, 1:3].tolist()
    assert (seen[1].predictions[:, :2] == -100).all()


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
    environment = {"PYTHONPATH": str(ROOT), "ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1"}
    processes, result = json.loads(run_python(*command, cwd=tmp_path, **environment).splitlines()[-1])
    assert (processes, result["correct"], result["total"]) == (2, 4, 7)


def test_trl_reward() -> None:
    trl = pytest.importorskip("trl")
    reward = recipes.run("TRL")["reward"]
    answers = [row["answer"] for row in ANSWERS]
    messages = [[{"role": "assistant", "content": answer}] for answer in answers]
    golds = [row["gold"] for row in ANSWERS]
    assert reward(answers, answer=golds) == reward(messages, answer=golds) == SCORES

    given: list[Any] = []

    def watched(completions: list[Any], answer: list[Any], **columns: Any) -> list[float]:
        given.append((completions, answer))
        scores: list[float] = reward(completions, answer, **columns)
        return scores

    rows = [{"prompt": row["question"], "answer": row["gold"]} for row in ANSWERS]
    trainer = trl.GRPOTrainer(
        model=recipes.make_model(),
        reward_funcs=watched,
        processing_class=recipes.make_tokenizer(),
        train_dataset=datasets.Dataset.from_list(rows),
        args=trl.GRPOConfig(
            output_dir="out",
            max_steps=1,
            num_generations=2,
            per_device_train_batch_size=2,
            max_completion_length=3,
            use_cpu=True,
            report_to=[],
            disable_tqdm=True,
            bf16=False,
        ),
    )
    trainer.train()
    assert given
    assert all(len(completions) == len(answer) == 2 for completions, answer in given)


# ---- loggers and tables


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
    assert [result["accuracy"] for result in names["results"]] == [expected] * 3
    columns = [scored["accuracy_individual_scores"] for scored in names["scores"]]
    assert [column.to_pylist() if hasattr(column, "to_pylist") else list(column) for column in columns] == [SCORES] * 3
    assert list(names["frame"]["right"]) == SCORES


def test_ray_data() -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        result = recipes.run("Tables", 1)["result"]
    finally:
        ray.shutdown()
    assert result["accuracy"] == accuracy([row["answer"] for row in ANSWERS], [row["gold"] for row in ANSWERS])
    assert result["total"] == 3


# ---- Spaces


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
