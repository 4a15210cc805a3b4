"""The gallery: the same answers scored by every metric that fits, side by side, and the rows where they disagree.

The metrics come from where the gallery is: in a Space from the same owner's Spaces, in a checkout from its own
directory. METRICS names another place, an owner on the Hub or a directory.
"""

import json
import os
import sys
import time
from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from space_ui.evaluate_import import evaluate
from space_ui.export import as_plain
from space_ui.export import write_csv
from space_ui.gallery_comparison import compare_by_each
from space_ui.gallery_comparison import comparison_endpoint
from space_ui.gallery_comparison import rows_of
from space_ui.permalink import pack_link
from space_ui.report import Example
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import Report
from space_ui.report import Score
from space_ui.report import Span
from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Limits
from space_ui.rows import load_examples
from space_ui.rows import split_cell
from space_ui.rows import to_inputs
from space_ui.space import Request
from space_ui.space import Space

HERE = Path(__file__).resolve().parent
ACCEPTED = 0.5
SURE = 0.9
LABELS: dict[str, Outcome] = {"all accept": "hit", "disagree": "near", "all reject": "miss"}
LEAD = (
    "The same answers scored by every metric that fits them. Where they disagree you see what each of them counts as "
    "right: character by character, after normalization, with typos forgiven, or by meaning."
)


@dataclass(frozen=True)
class Configuration:
    """One way of asking a metric."""

    title: str
    metric: str
    options: Mapping[str, Any]
    score: str
    details: str = "individual_scores"
    inputs: Mapping[str, str] = field(default_factory=lambda: {name: name for name in ("predictions", "references")})
    """The columns of the page that the inputs come from."""
    judges_answers: bool = True
    """Whether it judges the answer; else what was retrieved for it."""


CONFIGURATIONS = (
    Configuration("exact match", "answer_exact_match", {}, "score"),
    Configuration("accuracy", "accuracy", {}, "accuracy"),
    Configuration("accuracy, fuzzy", "accuracy", {"fuzzy_match": True}, "accuracy"),
    Configuration("accuracy, contains", "accuracy", {"match": "contains"}, "accuracy"),
    Configuration("accuracy, recall", "accuracy", {"match": "recall"}, "accuracy"),
    Configuration("token F1", "token_f1", {}, "f1", "individual_f1"),
    Configuration(
        "L3Score, demo judge",
        "l3score",
        {"provider": "mock", "use_cache": False},
        "L3Score",
        inputs={"questions": "questions", "predictions": "predictions", "references": "references"},
    ),
    Configuration(
        "retrieval F1",
        "precision_recall_f1",
        {"tokenizer": "unicode"},
        "f1",
        "individual_f1",
        {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"},
        judges_answers=False,
    ),
    Configuration(
        "retrieval MAP",
        "ranked_retrieval",
        {"tokenizer": "unicode"},
        "map",
        "individual_map",
        {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"},
        judges_answers=False,
    ),
)


def source_of_metrics() -> str:
    """Return the place that the metrics are loaded from: an owner on the Hub or a directory."""
    if "METRICS" in os.environ:
        return os.environ["METRICS"]
    owner = os.environ.get("SPACE_ID", "").partition("/")[0]
    return owner or os.path.relpath(HERE.parents[1] / "metrics")


@dataclass(frozen=True, kw_only=True)
class Gallery(Space):
    """The Space that asks several metrics."""

    name: str = "gallery"

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """The metrics that could be loaded, by name."""
        loaded = {}
        for name in dict.fromkeys(one.metric for one in CONFIGURATIONS):
            try:
                loaded[name] = evaluate.load(f"{source_of_metrics()}/{name}")
            except (OSError, ImportError, ValueError) as error:
                print(f"{name} is left out: {type(error).__name__}: {error}")  # noqa: T201  # the owner's log
        return loaded

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of the page."""
        retrieved = ("retrieved_context", "retrieved", "chunks", "contexts", "passages")
        return [
            Column("questions", "Question", "text", (), optional=True),
            Column("predictions", "Prediction"),
            Column("references", "Reference", "answers"),
            Column("retrieved_contexts", "Retrieved", "list", retrieved, optional=True),
            Column("ground_truth_contexts", "Ground truth", "list", ("reference_contexts", "relevant"), optional=True),
        ]

    @cached_property
    def examples(self) -> list[dict[str, Any]]:
        """The examples that a visitor can load."""
        return load_examples(HERE / "examples.json", self.columns)

    def choose(self, given: Collection[str]) -> tuple[list[Configuration], list[str]]:
        """Return the configurations that fit the columns that are given, and what is left out."""
        missing_metrics = dict.fromkeys(one.metric for one in CONFIGURATIONS if one.metric not in self.metrics)
        notices = [f"{name} could not be loaded here." for name in missing_metrics]
        chosen = []
        for one in CONFIGURATIONS:
            missing = [column for column in one.inputs.values() if column not in given and column != "predictions"]
            if missing:
                names = " or ".join(missing).replace("_", " ")
                notices.append(f"{one.title} is left out: no row has {names}.")
            elif one.metric in self.metrics:
                chosen.append(one)
        if not chosen:
            raise InputError("No metric could be loaded here.")
        return chosen, notices

    def score(self, rows: list[list[str]]) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Score rows with every configuration that fits.

        Returns:
            The results by the configurations' titles, and what was left out.

        Raises:
            InputError: If no metric could be loaded.
        """
        inputs = to_inputs(rows, self.columns)
        chosen, notices = self.choose([name for name, column in inputs.items() if any(column)])
        results: dict[str, dict[str, Any]] = {}
        for one in chosen:
            metric = type(self.metrics[one.metric])(keep_in_memory=True)
            columns = {name: inputs[column] for name, column in one.inputs.items()}
            shown = {"return_details": True, "return_confidence": True}
            package = type(metric).__module__.rpartition(".")[0]
            with sys.modules[f"{package}._user_warnings"].capture_warnings() as messages:
                results[one.title] = as_plain(metric.compute(**columns, **one.options, **shown))
            notices += [f"{one.title}: {text.partition(': ')[2]}" for text in messages if one.metric != "l3score"]
        return results, notices

    def answer(self, request: Request, key: str = "") -> dict[str, Any]:
        """Score rows with every metric that fits, and describe where they disagree."""
        del key
        started = time.perf_counter()
        rows = request.rows
        results, notices = self.score(rows)
        chosen = [one for one in CONFIGURATIONS if one.title in results]
        explanation = self.explain(rows, chosen, results)
        report = Report(
            title=self.title,
            scores=[
                Score(one.title, result[one.score] or 0.0, *result[f"{one.score}_confidence_interval"])
                for one in chosen
                for result in [results[one.title]]
            ],
            level=0.95,
            explanation=explanation,
            columns=("Prediction", "Reference"),
            notices=notices,
            footnote=f"metrics from {source_of_metrics()} · {1000 * (time.perf_counter() - started):.0f} ms",
            filter_button=("Show disagreements only", "near"),
            side_by_side=True,
        )
        saved = {"inputs": to_inputs(rows, self.columns), "results": results}
        return {
            **report.as_json(),
            "name": self.name,
            "json": json.dumps(saved, ensure_ascii=False, indent=1),
            "csv": self.csv(rows, chosen, results, explanation),
            "snippet": self.code(chosen),
            "paper": None,
            "link": pack_link(rows, {}),
        }

    def explain(
        self, rows: Sequence[list[str]], chosen: Sequence[Configuration], results: Mapping[str, dict[str, Any]]
    ) -> Explanation:
        """Find the rows where the metrics disagree."""
        examples = []
        for index, row in enumerate(rows):
            chips: list[Span] = []
            verdicts = set()
            for one in chosen:
                score = results[one.title][one.details][index]
                outcome: Outcome = "hit" if score >= SURE else "miss" if score < ACCEPTED else "near"
                if one.judges_answers:
                    verdicts.add(score >= ACCEPTED)
                chips.append(("chip", one.title, outcome, score))
            label = "disagree" if len(verdicts) > 1 else "all accept" if True in verdicts else "all reject"
            share = sum(chip[3] for chip in chips) / len(chips)
            examples.append(Example(LABELS[label], label, (row[1], split_cell(row[2], "answers")), chips, share))
        split = sum(example.label == "disagree" for example in examples)
        told = f"Metrics disagree on {split:,} of {len(examples):,} answers."
        return Explanation(examples, told, LABELS)

    def csv(
        self,
        rows: Sequence[list[str]],
        chosen: Sequence[Configuration],
        results: Mapping[str, dict[str, Any]],
        explanation: Explanation,
    ) -> str:
        """Write the scores of every row as CSV."""
        head = [*(column.name.removesuffix("s") for column in self.columns), "outcome", *(one.title for one in chosen)]
        table = (
            [*row, explanation.examples[index].label, *(results[one.title][one.details][index] for one in chosen)]
            for index, row in enumerate(rows)
        )
        return write_csv(head, table)

    def code(self, chosen: Sequence[Configuration]) -> str:
        """Write the Python code that leads to the same results."""
        lines = [
            "import json",
            "",
            "import evaluate",
            "",
            "# The file is what the page offers as JSON.",
            'with open("gallery.json", encoding="utf-8") as file:',
            '    rows = json.load(file)["inputs"]',
            "",
        ]
        for one in chosen:
            inputs = ", ".join(f'{name}=rows["{column}"]' for name, column in one.inputs.items())
            options = "".join(f", {name}={value!r}" for name, value in one.options.items())
            lines += [
                f'metric = evaluate.load("{source_of_metrics()}/{one.metric}")',
                f'print("{one.title}", metric.compute({inputs}{options})["{one.score}"])',
            ]
        return "\n".join(lines) + "\n"

    def call(self, **arguments: Any) -> str:
        """Answer the endpoint: scores and intervals by configuration, as JSON text.

        Raises:
            InputError: For bad input.
        """
        results, notices = self.score(rows_of(arguments, self.columns, self.limits))
        scalars = {
            title: {k: v for k, v in result.items() if not isinstance(v, list) or "interval" in k}
            for title, result in results.items()
        }
        return json.dumps({"results": scalars, "notices": notices}, ensure_ascii=False)

    def compare(self, **arguments: Any) -> str:
        """Answer the endpoint that compares two systems: comparisons by configuration, as JSON text.

        Raises:
            InputError: For bad input.
        """
        return self.answer_program(lambda: compare_by_each(self, arguments))


GALLERY = Gallery(
    title="Six metrics, one set of answers",
    facts=("Exact match, accuracy, retrieval, a judge", "Side by side, with intervals", "Where they disagree, and how"),
    limits=Limits(rows=500, characters=500_000),
)


def compare_metrics(
    predictions: list[str],
    references: list[str] | list[list[str]],
    questions: list[str] | None = None,
    retrieved_contexts: list[list[str]] | None = None,
    ground_truth_contexts: list[list[str]] | None = None,
) -> str:
    """Score the same answers with every metric that fits them, with confidence intervals.

    Args:
        predictions: The answers to score.
        references: The right answer for each, or several acceptable ones for each.
        questions: The questions, which the judge needs.
        retrieved_contexts: The chunks that were retrieved for each question.
        ground_truth_contexts: The chunks that should have been retrieved for each.

    Returns:
        The scores by configuration, as JSON text.
    """
    return GALLERY.call(
        predictions=predictions,
        references=references,
        questions=questions,
        retrieved_contexts=retrieved_contexts,
        ground_truth_contexts=ground_truth_contexts,
    )


if __name__ == "__main__":
    from space_ui.mcp_tools import Tool
    from space_ui.page import Service
    from space_ui.page import build_server
    from space_ui.page import launch
    from space_ui.page import shield
    from space_ui.usage import gallery_page

    endpoints = [(shield(compare_metrics), "gallery"), (shield(comparison_endpoint(GALLERY)), "gallery_compare")]
    tools = {"gallery": Tool(GALLERY.title), "gallery_compare": Tool("Compare two systems by every metric")}
    launch(build_server(Service(GALLERY, HERE / "app.py"), gallery_page(GALLERY, LEAD), endpoints, tools))
