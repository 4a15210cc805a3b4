"""Use a metric as an Inspect scorer, and exchange per-example scores with Inspect as JSON Lines. No model, no network.

python -m pip install inspect-ai -r metrics/accuracy/requirements.txt
python examples/inspect_scorer.py

One record per line, as Inspect's `precomputed_scores` reads them: `{"id": ..., "value": ..., "answer": ...,
"explanation": ...}`, where `value` is the score of the example, and `explanation` its match type. The example writes
the output of `score_batch` to such a file, and reads it back as columns for `aggregate` and `compare`.
"""

import json
import tempfile
from collections.abc import Mapping
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import evaluate
from inspect_ai import Task
from inspect_ai import eval as run_inspect
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.scorer import Scorer
from inspect_ai.scorer import Target
from inspect_ai.scorer import ci_wilson
from inspect_ai.scorer import mean
from inspect_ai.scorer import precomputed_scores
from inspect_ai.scorer import scorer
from inspect_ai.solver import Generate
from inspect_ai.solver import Solver
from inspect_ai.solver import TaskState
from inspect_ai.solver import solver

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "examples" / "qa_sample.jsonl"
SCORES, TYPES = "accuracy_individual_scores", "accuracy_match_types"


@scorer(metrics=[mean(), ci_wilson()])
def answer_accuracy(**options: Any) -> Scorer:
    """Score each answer with the metric accuracy.

    Args:
        **options: Options of accuracy, such as `match="contains"`.
    """
    metric = evaluate.load(str(ROOT / "metrics" / "accuracy"), **options)

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        scored = metric.score_batch({"predictions": [answer], "references": [list(target)]})
        return Score(value=scored[SCORES][0], answer=answer, explanation=scored[TYPES][0])

    return score


def write_records(path: Path, ids: Sequence[str], answers: Sequence[str], scored: Mapping[str, Sequence[Any]]) -> None:
    """Write the output of accuracy's `score_batch` for Inspect's `precomputed_scores`."""
    rows = zip(ids, answers, scored[SCORES], scored[TYPES], strict=True)
    records = ({"id": id_, "value": score, "answer": answer, "explanation": kind} for id_, answer, score, kind in rows)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def read_records(path: Path) -> dict[str, list[Any]]:
    """Read such a file as columns for accuracy's `aggregate` and `compare`, including `id`."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines if line.strip()]
    keys = {"id": "id", SCORES: "value", TYPES: "explanation"}
    return {column: [record[key] for record in records] for column, key in keys.items()}


@solver
def recorded_answers() -> Solver:
    """Answer with the recorded predictions of the sample instead of a model."""

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("recorded", state.metadata["prediction"])
        return state

    return solve


def run_task(rows: Sequence[Mapping[str, Any]], judge: Scorer, logs: Path) -> dict[str, Any]:
    """Run an Inspect task on recorded answers and return its metrics by name."""
    samples = [
        Sample(
            id=row["id"], input=row["question"], target=row["references"], metadata={"prediction": row["prediction"]}
        )
        for row in rows
    ]
    task = Task(dataset=MemoryDataset(samples), solver=recorded_answers(), scorer=judge)
    (log,) = run_inspect(task, model="mockllm/model", display="none", log_dir=str(logs))
    if log.status != "success" or log.results is None:
        raise RuntimeError(f"Inspect: {log.status}, {log.error}")
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


def main() -> None:
    """Score the sample in three ways with equal results."""
    with SAMPLE.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    answers = [row["prediction"] for row in rows]
    metric = evaluate.load(str(ROOT / "metrics" / "accuracy"), match="contains")
    scored = metric.score_batch({"predictions": answers, "references": [row["references"] for row in rows]})
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "scores.jsonl"
        inside = run_task(rows, answer_accuracy(match="contains"), Path(folder))
        write_records(records, [row["id"] for row in rows], answers, scored)
        outside = run_task(rows, precomputed_scores(str(records), metrics=[mean(), ci_wilson()]), Path(folder))
        columns = read_records(records)
    result = metric.aggregate({name: values for name, values in columns.items() if name != "id"})
    low, high = result["accuracy_confidence_interval"]
    print(f"the metric as a scorer of Inspect: {inside['mean']:.4f}, {inside['lower']:.4f} to {inside['upper']:.4f}")
    print(
        f"its scores from a file, in Inspect: {outside['mean']:.4f}, {outside['lower']:.4f} to {outside['upper']:.4f}"
    )
    print(f"the same file, in the metric:      {result['accuracy']:.4f}, {low:.4f} to {high:.4f}")


if __name__ == "__main__":
    main()
