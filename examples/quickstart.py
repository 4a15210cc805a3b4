"""Score the sample with every metric of this checkout: what `make demo` runs. Offline, no key, no model.

A metric takes part as soon as its directory stands under metrics/. How it is asked stands in `ASKED`; one that does not
stand there is asked with the sample's answers and its own defaults.
"""

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from typing import NamedTuple

import evaluate
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
SHOWN_ROWS = 3
TELLING_KINDS = (
    "wrong_number",
    "right_in_other_words",
    "typo",
    "other_script",
    "right_case_or_punctuation",
    "too_long",
    "wrong",
    "empty",
    "right",
)


class Asking(NamedTuple):
    """How a metric is asked, and what is shown of its rows."""

    runs: Mapping[str, Mapping[str, Any]]
    """Options by the title of the run."""
    inputs: Mapping[str, str] = {}
    """What the metric's inputs are called in the sample, where they are called otherwise."""
    each: str = "individual_scores"
    """The key of the per-example scores."""
    shown: tuple[str, str] = ("predictions", "references")
    """The columns of the sample that explain a row."""


ASKED = {
    "accuracy": Asking(
        {"plain": {}, "fuzzy": {"fuzzy_match": True}, "contains": {"match": "contains"}},
    ),
    "answer_exact_match": Asking({"plain": {}, "normalized": {"normalizer": "default"}}),
    "precision_recall_f1": Asking(
        {
            "equal": {"matching_strategy": "EXACT_CHUNK_MATCH"},
            "chunk": {"tokenizer": "unicode"},
            "sentence": {"matching_strategy": "ROUGE_SENTENCE_MATCH", "tokenizer": "unicode"},
        },
        inputs={"predictions": "retrieved_contexts", "references": "ground_truth_contexts"},
        each="individual_f1",
        shown=("retrieved_contexts", "ground_truth_contexts"),
    ),
    "ranked_retrieval": Asking(
        {"chunk": {"tokenizer": "unicode", "k": [1, 3]}},
        inputs={"predictions": "retrieved_contexts", "references": "ground_truth_contexts"},
        each="individual_map",
        shown=("retrieved_contexts", "ground_truth_contexts"),
    ),
    "token_f1": Asking(
        {"SQuAD": {}, "any script": {"tokenizer": "unicode"}, "numbers kept": {"normalizer": "default"}},
        each="individual_f1",
    ),
    # A real judge costs money or gigabytes: see the metric's card.
    "l3score": Asking({"mock judge": {"provider": "mock"}}),
}


def read_sample() -> dict[str, list[Any]]:
    """Read the sample as columns, named as the metrics name their inputs."""
    lines = (ROOT / "examples" / "qa_sample.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return columns | {"predictions": columns["prediction"], "questions": columns["question"]}


def choose_rows(runs: list[list[float]], kinds: list[str]) -> list[int]:
    """Choose the rows that teach most: the runs differ, then some run rejects; each of another kind if possible."""

    def rank(index: int) -> tuple[int, float, int]:
        scores = [scores[index] for scores in runs]
        return -len(set(scores)), min(scores), TELLING_KINDS.index(kinds[index])

    ranked = sorted(range(len(kinds)), key=rank)
    first_of_kind = [
        index for place, index in enumerate(ranked) if kinds[index] not in {kinds[i] for i in ranked[:place]}
    ]
    return list(dict.fromkeys(first_of_kind + ranked))[:SHOWN_ROWS]


def show(value: object) -> str:
    """Write a cell of the sample in a few words."""
    if isinstance(value, list):
        return " | ".join(value) or "(none)"
    return str(value) or "(empty)"


def ask(metric: Any, asking: Asking, sample: Mapping[str, list[Any]]) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Compute every run of a metric; return the results by title, and what was warned of."""
    inputs = {name: sample[asking.inputs.get(name, name)] for name in metric.required_inputs()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = {
            title: metric.compute(**inputs, return_details=True, return_confidence=True, **options)
            for title, options in asking.runs.items()
        }
    return results, [str(warning.message) for warning in caught if warning.category is UserWarning]


def add_scores(overview: Table, name: str, results: Mapping[str, Mapping[str, Any]]) -> None:
    """Add a line per run and score with an interval."""
    for title, result in results.items():
        for key in [key for key in result if f"{key}_confidence_interval" in result]:
            low, high = result[f"{key}_confidence_interval"]
            overview.add_row(name, title, key, f"{result[key]:.3f}", f"{low:.3f} to {high:.3f}")
    overview.add_section()


def explain(
    name: str, asking: Asking, results: Mapping[str, Mapping[str, Any]], sample: Mapping[str, list[Any]]
) -> Table:
    """Show the telling rows of a metric, with the score that each run gives them."""
    table = Table(title=f"{name}: {SHOWN_ROWS} telling rows", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in asking.shown:
        table.add_column(heading, max_width=21, overflow="ellipsis", no_wrap=True)
    for title in results:
        table.add_column(title, justify="right", no_wrap=True)
    runs = [result[asking.each] for result in results.values()]
    for index in choose_rows(runs, sample["kind"]):
        table.add_row(
            *(show(sample[column][index]) for column in asking.shown),
            *(Text(f"{scores[index]:.2f}", style="green" if scores[index] > 0 else "red") for scores in runs),
        )
    return table


def main() -> None:
    """Print one table of scores, then for each metric the rows that explain them."""
    console = Console()
    sample = read_sample()
    overview = Table(title=f"Scores of {len(sample['id'])} answers", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("metric", "run", "key"):
        overview.add_column(heading)
    overview.add_column("score", justify="right")
    overview.add_column("95 % interval", justify="right")
    details: list[Table] = []
    notes: list[str] = []
    for script in sorted(ROOT.glob("metrics/[!_]*/*.py")):
        name = script.stem
        if name != script.parent.name:
            continue
        asking = ASKED.get(name, Asking({"plain": {}}))
        results, warned = ask(evaluate.load(str(script.parent)), asking, sample)
        add_scores(overview, name, results)
        details.append(explain(name, asking, results, sample))
        notes += warned
    for table in [overview, *details]:
        console.print(table)
    for note in dict.fromkeys(notes):
        console.print(f"Note: {note}", style="yellow")


if __name__ == "__main__":
    main()
