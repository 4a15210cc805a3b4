"""Score the sample data with every metric of this checkout: what `make demo` runs. Offline, without a key or a model.

`RUNS` lists the options to show. A metric that is not listed runs on the answers with its default options.
"""

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import evaluate
from rich import box
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
# A real judge needs a key or gigabytes of weights; see the card of l3score.
RUNS: dict[str, dict[str, dict[str, Any]]] = {
    "accuracy": {
        "equal": {},
        "fuzzy": {"fuzzy_match": True},
        "contains": {"match": "contains"},
        "recall": {"match": "recall"},
        "free form": {"preset": "free_form"},
    },
    "answer_exact_match": {"as written": {}, "normalized": {"normalizer": "default"}},
    "l3score": {"mock judge": {"provider": "mock"}},
    "precision_recall_f1": {
        "exact chunks": {"matching_strategy": "EXACT_CHUNK_MATCH"},
        "chunks": {"tokenizer": "unicode"},
        "sentences": {"matching_strategy": "ROUGE_SENTENCE_MATCH", "tokenizer": "unicode"},
    },
    "ranked_retrieval": {"chunks": {"tokenizer": "unicode", "k": [1, 3]}},
    "recorded_score": {"verdicts of the author": {}},
    "token_f1": {"SQuAD": {}, "any script": {"tokenizer": "unicode"}},
}
ANSWERS = {"predictions": "prediction", "references": "references"}
CHUNKS = {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"}
COLUMNS = {
    "l3score": ANSWERS | {"questions": "question"},
    "precision_recall_f1": CHUNKS,
    "ranked_retrieval": CHUNKS,
    "recorded_score": {"scores": "is_right"},
}

Results = Mapping[str, Mapping[str, Any]]


def read_rows(name: str) -> list[dict[str, Any]]:
    """Read a file of one JSON object per line."""
    return [json.loads(line) for line in (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()]


def new_table(title: str, texts: list[str], numbers: list[str], width: int | None = None) -> Table:
    """Return an empty table whose first columns are texts of at most `width`, and whose others are numbers."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for heading in texts:
        table.add_column(heading, max_width=width, overflow="ellipsis", no_wrap=True)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def show_scores(overview: Table, metric: Any, results: Results) -> None:
    """Add the main score under each set of options, with its interval."""
    key = metric.main_score
    for name, result in results.items():
        low, high = result[f"{key}_confidence_interval"]
        overview.add_row(metric.name, name, key, f"{result[key]:.1%}", f"{100 * low:.1f}\u2013{100 * high:.1f}%")
    overview.add_section()


def show_comparison(accuracy: Any, sample: list[dict[str, Any]]) -> Table:
    """Compare the sample's system with a second one on the same questions."""
    references = {row["id"]: row["references"] for row in sample}
    systems = {
        name: {
            "id": [row["id"] for row in rows],
            "predictions": [row["prediction"] for row in rows],
            "references": [references[row["id"]] for row in rows],
        }
        for name, rows in (("first", sample), ("second", read_rows("qa_second_system.jsonl")))
    }
    headings = ["difference", "95% CI", "p-value", "wins/losses"]
    table = new_table("Is a second system better? (exact McNemar test)", ["accuracy"], headings)
    for match in ("equal", "recall"):
        found = accuracy.compare(systems, on="id", match=match)["systems"]["second"]
        low, high = (f"{100 * end:+.1f}" for end in found["difference_confidence_interval"])
        difference, wins_losses = f"{100 * found['difference']:+.1f}", f"{found['wins']}/{found['losses']}"
        table.add_row(match, difference, f"{low} to {high}", f"{found['p_value']:.2g}", wins_losses)
    return table


def show_agreement(results: Results, sample: list[dict[str, Any]]) -> Table:
    """Count how often each mode of accuracy agrees with the author of the sample."""
    headings = ["agreement", "right, but rejected", "wrong, but accepted"]
    table = new_table("Agreement with the author of the sample", ["accuracy"], headings)
    for name, result in results.items():
        verdicts = [
            (row["is_right"], score > 0) for row, score in zip(sample, result["individual_scores"], strict=True)
        ]
        agreement = sum(right == credited for right, credited in verdicts) / len(verdicts)
        table.add_row(name, f"{agreement:.1%}", str(verdicts.count((True, False))), str(verdicts.count((False, True))))
    return table


def show_differences(results: Results, sample: list[dict[str, Any]]) -> Table:
    """Show the first answer of each kind on which the modes of accuracy differ."""
    table = new_table("Where modes of accuracy differ", ["prediction", "references"], list(results), width=18)
    kinds = set()
    scores = zip(*(result["individual_scores"] for result in results.values()), strict=True)
    for row, found in zip(sample, scores, strict=True):
        if len(set(found)) > 1 and row["kind"] not in kinds:
            kinds.add(row["kind"])
            table.add_row(row["prediction"], " | ".join(row["references"]), *(f"{score:.1f}" for score in found))
    return table


def main() -> None:
    """Print the scores of all metrics, a comparison of two systems, and how the modes of accuracy differ."""
    evaluate.utils.logging.disable_progress_bar()
    console = Console()
    sample = read_rows("qa_sample.jsonl")
    overview = new_table(f"Scores of {len(sample)} answers", ["metric", "options", "score"], ["value", "95% CI"])
    metrics, results = {}, {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        for script in sorted(ROOT.glob("metrics/[!_]*/[!_]*.py")):
            name = script.stem
            if name != script.parent.name:
                continue
            metric = metrics[name] = evaluate.load(str(script.parent), return_details=True, return_confidence=True)
            inputs = {key: [row[column] for row in sample] for key, column in COLUMNS.get(name, ANSWERS).items()}
            runs = RUNS.get(name, {"default": {}})
            results[name] = {title: metric.compute(**inputs, **options) for title, options in runs.items()}
            show_scores(overview, metric, results[name])
    modes = results["accuracy"]
    console.print(overview, show_comparison(metrics["accuracy"], sample))
    console.print(show_agreement(modes, sample), show_differences(modes, sample))
    for message in dict.fromkeys(str(warning.message) for warning in caught if warning.category is UserWarning):
        console.print(f"Note: {message}", style="yellow")
    console.print("Next: `make space METRIC=accuracy` opens a page; examples/compare.py corrects a score by labels.")


if __name__ == "__main__":
    main()
