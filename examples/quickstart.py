"""Score the sample data with every metric of this checkout: what `make demo` runs. Offline, without a key or a model.

Every metric in metrics/ is run. `RUNS` lists the options and columns to use; a metric without an entry runs on the
answers with its default options.
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
SHOWN_ROWS = 4
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


class Run(NamedTuple):
    """The options and inputs with which a metric is run on the sample."""

    variants: Mapping[str, Mapping[str, Any]]
    """Options by the name of the variant."""
    inputs: Mapping[str, str] = {}
    """The columns of the sample for inputs with a different name."""


RETRIEVAL_INPUTS = {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"}
RUNS = {
    "accuracy": Run(
        {
            "equal": {},
            "fuzzy": {"fuzzy_match": True},
            "contains": {"match": "contains"},
            "recall": {"match": "recall"},
        },
    ),
    "answer_exact_match": Run({"as written": {}, "normalized": {"normalizer": "default"}}),
    "precision_recall_f1": Run(
        {
            "exact chunks": {"matching_strategy": "EXACT_CHUNK_MATCH"},
            "chunks": {"tokenizer": "unicode"},
            "sentences": {"matching_strategy": "ROUGE_SENTENCE_MATCH", "tokenizer": "unicode"},
        },
        inputs=RETRIEVAL_INPUTS,
    ),
    "ranked_retrieval": Run(
        {"chunks": {"tokenizer": "unicode", "k": [1, 3]}},
        inputs=RETRIEVAL_INPUTS,
    ),
    "token_f1": Run({"SQuAD": {}, "any script": {"tokenizer": "unicode"}}),
    # A real judge needs a key or gigabytes of weights; see the metric card.
    "l3score": Run({"mock judge": {"provider": "mock"}}),
}


def read_columns(name: str) -> dict[str, list[Any]]:
    """Read a file of one JSON object per line as columns."""
    lines = (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return {key: [row[key] for row in rows] for key in rows[0]}


def read_sample() -> dict[str, list[Any]]:
    """Read the sample as columns, named like the inputs of the metrics."""
    columns = read_columns("qa_sample.jsonl")
    return columns | {"predictions": columns["prediction"], "questions": columns["question"]}


def choose_rows(variants: list[list[float]], kinds: list[str], right: list[bool]) -> list[int]:
    """Choose informative rows, on which the variants differ, with one per kind of answer if possible.

    Args:
        variants: The per-example scores of each variant.
        kinds: The kind of each example.
        right: Whether each example is right.

    Returns:
        The indices of `SHOWN_ROWS` rows.
    """

    def rank(index: int) -> tuple[bool, int, int]:
        scores = [scores[index] for scores in variants]
        credited = not right[index] and max(scores) > 0
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
    names = [name for name in metric.inputs if name in {*metric.required_inputs(), "questions"}]
    inputs = {name: sample[run.inputs.get(name, name)] for name in names}
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


def show_comparison(sample: Mapping[str, list[Any]]) -> Table:
    """Compare the sample's system with a second one on the same questions."""
    references = dict(zip(sample["id"], sample["references"], strict=True))
    second = read_columns("qa_second_system.jsonl")
    systems = {
        "first": {"id": sample["id"], "predictions": sample["predictions"], "references": sample["references"]},
        "second": {
            "id": second["id"],
            "predictions": second["prediction"],
            "references": [references[id_] for id_ in second["id"]],
        },
    }
    accuracy = evaluate.load(str(ROOT / "metrics" / "accuracy"))
    table = Table(
        title="Is a second system better? (exact McNemar test)",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        caption="In points. Detectable: the difference that the test finds with 80% power.\n"
        "Near 5%, test and interval can disagree; then go by the test.\n",
        caption_justify="left",
    )
    table.add_column("accuracy")
    for heading in ("difference", "95% CI", "p-value", "wins/losses", "detectable"):
        table.add_column(heading, justify="right")
    for mode in ("equal", "recall"):
        found = accuracy.compare(systems, on="id", match=mode)["systems"]["second"]
        low, high = (f"{100 * end:+.1f}" for end in found["difference_confidence_interval"])
        table.add_row(
            mode,
            f"{100 * found['difference']:+.1f}",
            f"{low} to {high}",
            f"{found['p_value']:.2g}",
            f"{found['wins']}/{found['losses']}",
            f"{100 * found['minimum_detectable_difference']:.1f}",
        )
    return table


def show_agreement(results: Mapping[str, Mapping[str, Any]], sample: Mapping[str, list[Any]]) -> Table:
    """Show how often each mode of accuracy agrees with the author of the sample."""
    table = Table(title="Agreement with the author of the sample", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("accuracy", "agreement", "right, but rejected", "wrong, but accepted"):
        table.add_column(heading, justify="left" if heading == "accuracy" else "right")
    for name, result in results.items():
        credited = [score > 0 for score in result["individual_scores"]]
        pairs = list(zip(sample["is_right"], credited, strict=True))
        agreement = sum(is_right == is_credited for is_right, is_credited in pairs) / len(pairs)
        table.add_row(name, f"{agreement:.1%}", str(pairs.count((True, False))), str(pairs.count((False, True))))
    return table


def show_rows(results: Mapping[str, Mapping[str, Any]], sample: Mapping[str, list[Any]]) -> Table:
    """Return a table of rows on which the modes of accuracy differ."""
    table = Table(title="Where modes of accuracy differ", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("prediction", "references"):
        table.add_column(heading, max_width=18, overflow="ellipsis", no_wrap=True)
    for variant in results:
        table.add_column(variant, justify="right", no_wrap=True)
    variants = [result["individual_scores"] for result in results.values()]
    for index in choose_rows(variants, sample["kind"], sample["is_right"]):
        table.add_row(
            *(format_cell(sample[column][index]) for column in ("predictions", "references")),
            *(Text(f"{scores[index]:.1f}", style="green" if scores[index] > 0 else "red") for scores in variants),
        )
    return table


def main() -> None:
    """Print the scores of all metrics, a comparison of two systems, and how the modes of accuracy differ."""
    console = Console()
    evaluate.utils.logging.disable_progress_bar()
    sample = read_sample()
    overview = Table(title=f"Scores of {len(sample['id'])} answers", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("metric", "options", "score"):
        overview.add_column(heading)
    overview.add_column("value", justify="right")
    overview.add_column("95% CI", justify="right")
    computed: dict[str, dict[str, dict[str, Any]]] = {}
    messages: list[str] = []
    for directory in sorted(ROOT.glob("metrics/[!_]*")):
        if not (directory / f"{directory.name}.py").is_file():
            continue
        metric = evaluate.load(str(directory))
        computed[directory.name], warned = compute_variants(
            metric, RUNS.get(directory.name, Run({"default": {}})), sample
        )
        add_scores(overview, metric, computed[directory.name])
        messages += warned
    modes = computed["accuracy"]
    for table in (overview, show_comparison(sample), show_agreement(modes, sample), show_rows(modes, sample)):
        console.print(table)
    for message in dict.fromkeys(messages):
        console.print(f"Note: {message}", style="yellow")
    console.print(
        "Next: `make space METRIC=accuracy` opens a page; examples/compare.py corrects a score by human labels."
    )


if __name__ == "__main__":
    main()
