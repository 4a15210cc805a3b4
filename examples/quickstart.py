"""Score the sample data with every metric of this checkout: what `make demo` runs. Offline, without a key or a model.

Every directory under metrics/ takes part. `RUNS` holds the options to try and the columns to use; a metric without an
entry runs on the answers with its default options.
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
# The kinds of answers, the most informative first; see examples/README.md.
KINDS = (
    "typo",
    "too_long",
    "right_in_other_words",
    "other_script",
    "right_case_or_punctuation",
    "right",
    "wrong_number",
    "wrong",
    "empty",
)
WRONG_KINDS = {"wrong_number", "wrong", "empty"}


class Run(NamedTuple):
    """How a metric is run on the sample, and what is shown of its rows."""

    variants: Mapping[str, Mapping[str, Any]]
    """Options by the name of the variant."""
    inputs: Mapping[str, str] = {}
    """The names that inputs have in the sample, where they differ."""
    row_scores: str = "individual_scores"
    """The key of the per-example scores."""
    shown: tuple[str, str] = ("predictions", "references")
    """The columns of the sample to show next to the scores."""


RETRIEVAL_INPUTS = {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"}
RUNS = {
    "accuracy": Run(
        {"equal": {}, "fuzzy": {"fuzzy_match": True}, "contains": {"match": "contains"}},
    ),
    "answer_exact_match": Run({"as written": {}, "normalized": {"normalizer": "default"}}),
    "precision_recall_f1": Run(
        {
            "exact chunks": {"matching_strategy": "EXACT_CHUNK_MATCH"},
            "chunks": {"tokenizer": "unicode"},
            "sentences": {"matching_strategy": "ROUGE_SENTENCE_MATCH", "tokenizer": "unicode"},
        },
        inputs=RETRIEVAL_INPUTS,
        row_scores="individual_f1",
        shown=("retrieved_contexts", "ground_truth_contexts"),
    ),
    "ranked_retrieval": Run(
        {"chunks": {"tokenizer": "unicode", "k": [1, 3]}},
        inputs=RETRIEVAL_INPUTS,
        row_scores="individual_map",
        shown=("retrieved_contexts", "ground_truth_contexts"),
    ),
    "token_f1": Run({"SQuAD": {}, "any script": {"tokenizer": "unicode"}}, row_scores="individual_f1"),
    # A real judge needs a key or gigabytes of weights: see the card of the metric.
    "l3score": Run({"mock judge": {"provider": "mock"}}),
}


def read_sample() -> dict[str, list[Any]]:
    """Read the sample as columns, named like the inputs of the metrics."""
    lines = (ROOT / "examples" / "qa_sample.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return columns | {"predictions": columns["prediction"], "questions": columns["question"]}


def choose_rows(variants: list[list[float]], kinds: list[str]) -> list[int]:
    """Choose informative rows: those on which the variants differ, one per kind of answer as far as possible.

    Args:
        variants: The per-example scores of each variant.
        kinds: The kind of each example.

    Returns:
        The indices of `SHOWN_ROWS` rows.
    """

    def rank(index: int) -> tuple[bool, int, int]:
        scores = [scores[index] for scores in variants]
        credited = kinds[index] in WRONG_KINDS and max(scores) > 0
        return credited, -len(set(scores)), KINDS.index(kinds[index])

    ranked = sorted(range(len(kinds)), key=rank)
    first_of_kind = {kinds[index]: index for index in reversed(ranked)}
    return [*sorted(first_of_kind.values(), key=rank), *ranked][:SHOWN_ROWS]


def format_cell(value: object) -> str:
    """Format a value of the sample for a cell of a table."""
    if isinstance(value, list):
        return " | ".join(value) or "(none)"
    return str(value) or "(empty)"


def compute_variants(
    metric: Any, run: Run, sample: Mapping[str, list[Any]]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Compute every variant of a run; return the results by name, and the warnings."""
    inputs = {name: sample[run.inputs.get(name, name)] for name in metric.required_inputs()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = {
            name: metric.compute(**inputs, return_details=True, return_confidence=True, **options)
            for name, options in run.variants.items()
        }
    return results, [str(warning.message) for warning in caught if warning.category is UserWarning]


def add_scores(overview: Table, metric: Any, results: Mapping[str, Mapping[str, Any]]) -> None:
    """Add the main score of each variant, with its interval."""
    key = metric.main_score
    for name, result in results.items():
        low, high = result[f"{key}_confidence_interval"]
        overview.add_row(metric.label, name, key, f"{result[key]:.1%}", f"{100 * low:.1f}\u2013{100 * high:.1f}%")
    overview.add_section()


def show_rows(name: str, run: Run, results: Mapping[str, Mapping[str, Any]], sample: Mapping[str, list[Any]]) -> Table:
    """Return a table of informative rows, with the score of each variant."""
    table = Table(title=f"{name}: {SHOWN_ROWS} of {len(sample['id'])} rows", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in run.shown:
        table.add_column(heading, max_width=21, overflow="ellipsis", no_wrap=True)
    for variant in results:
        table.add_column(variant, justify="right", no_wrap=True)
    variants = [result[run.row_scores] for result in results.values()]
    for index in choose_rows(variants, sample["kind"]):
        table.add_row(
            *(format_cell(sample[column][index]) for column in run.shown),
            *(Text(f"{scores[index]:.2f}", style="green" if scores[index] > 0 else "red") for scores in variants),
        )
    return table


def main() -> None:
    """Print the scores of all metrics, then informative rows of each."""
    console = Console()
    sample = read_sample()
    overview = Table(title=f"Scores of {len(sample['id'])} answers", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("metric", "options", "score"):
        overview.add_column(heading)
    overview.add_column("value", justify="right")
    overview.add_column("95% CI", justify="right")
    tables: list[Table] = []
    messages: list[str] = []
    for directory in sorted(ROOT.glob("metrics/[!_]*")):
        if not (directory / f"{directory.name}.py").is_file():
            continue
        metric = evaluate.load(str(directory))
        run = RUNS.get(directory.name, Run({"default": {}}))
        results, warned = compute_variants(metric, run, sample)
        add_scores(overview, metric, results)
        tables.append(show_rows(directory.name, run, results, sample))
        messages += warned
    for table in [overview, *tables]:
        console.print(table)
    for message in dict.fromkeys(messages):
        console.print(f"Note: {message}", style="yellow")
    console.print("Next: examples/compare.py compares two systems on these questions.")


if __name__ == "__main__":
    main()
