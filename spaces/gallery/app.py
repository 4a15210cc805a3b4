"""The gallery: the same answers scored by every applicable metric, side by side, and the rows where they disagree.

In a Space, the metrics are loaded from the owner's Spaces; in a checkout, from its directory. The environment variable
METRICS overrides this with an owner on the Hub or a directory.
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
from space_ui.space import RESAMPLING_SECONDS
from space_ui.space import Request
from space_ui.space import Space

HERE = Path(__file__).resolve().parent
ACCEPTED = 0.5
SURE = 0.9
LABELS: dict[str, Outcome] = {"all accept": "hit", "disagree": "near", "all reject": "miss"}
LEAD = (
    "The same answers scored by every applicable metric. Where the metrics disagree, you see what each of them counts "
    "as right: equal character by character, equal after normalization, equal up to typos, or equal in meaning."
)


@dataclass(frozen=True)
class Configuration:
    """A metric with its options and inputs."""

    title: str
    metric: str
    options: Mapping[str, Any]
    score: str
    details: str = "individual_scores"
    inputs: Mapping[str, str] = field(default_factory=lambda: {name: name for name in ("predictions", "references")})
    """The column of the page for each input of the metric."""
    judges_answers: bool = True
    """Whether it scores the answer rather than the retrieved contexts."""


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
    """Return the source of the metrics: an owner on the Hub or a directory."""
    if "METRICS" in os.environ:
        return os.environ["METRICS"]
    owner = os.environ.get("SPACE_ID", "").partition("/")[0]
    return owner or os.path.relpath(HERE.parents[1] / "metrics")


@dataclass(frozen=True, kw_only=True)
class Gallery(Space):
    """The Space that scores rows with several metrics."""

    name: str = "gallery"

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """The metrics that could be loaded, by name."""
        loaded = {}
        for name in dict.fromkeys(configuration.metric for configuration in CONFIGURATIONS):
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
        """Return the configurations that apply to the given columns, and notices about those left out."""
        used = dict.fromkeys(configuration.metric for configuration in CONFIGURATIONS)
        missing_metrics = [name for name in used if name not in self.metrics]
        notices = [f"{name} could not be loaded here." for name in missing_metrics]
        chosen = []
        for configuration in CONFIGURATIONS:
            missing = [
                column for column in configuration.inputs.values() if column not in given and column != "predictions"
            ]
            if missing:
                names = " or ".join(missing).replace("_", " ")
                notices.append(f"{configuration.title} is left out: no row has {names}.")
            elif configuration.metric in self.metrics:
                chosen.append(configuration)
        if not chosen:
            raise InputError("No metric could be loaded here.")
        return chosen, notices

    def score(self, rows: list[list[str]]) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Score rows with every applicable configuration.

        Returns:
            The results by configuration title, and notices.

        Raises:
            InputError: If no metric could be loaded.
        """
        inputs = to_inputs(rows, self.columns)
        chosen, notices = self.choose([name for name, column in inputs.items() if any(column)])
        results: dict[str, dict[str, Any]] = {}
        for configuration in chosen:
            metric = type(self.metrics[configuration.metric])(keep_in_memory=True)
            columns = {name: inputs[column] for name, column in configuration.inputs.items()}
            extras = {"return_details": True, "return_confidence": True}
            package = type(metric).__module__.rpartition(".")[0]
            with sys.modules[f"{package}._user_warnings"].capture_warnings() as messages:
                results[configuration.title] = as_plain(metric.compute(**columns, **configuration.options, **extras))
            if configuration.metric != "l3score":
                notices += [f"{configuration.title}: {text.partition(': ')[2]}" for text in messages]
        return results, notices

    def answer(self, request: Request, key: str = "") -> dict[str, Any]:
        """Score rows with every applicable metric, and describe where they disagree."""
        del key
        started = time.perf_counter()
        rows = request.rows
        results, notices = self.score(rows)
        chosen = [configuration for configuration in CONFIGURATIONS if configuration.title in results]
        explanation = self.explain(rows, chosen, results)
        report = Report(
            title=self.title,
            scores=[
                Score(
                    configuration.title,
                    result[configuration.score] or 0.0,
                    *result[f"{configuration.score}_confidence_interval"],
                )
                for configuration in chosen
                for result in [results[configuration.title]]
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
            for configuration in chosen:
                score = results[configuration.title][configuration.details][index]
                outcome: Outcome = "hit" if score >= SURE else "miss" if score < ACCEPTED else "near"
                if configuration.judges_answers:
                    verdicts.add(score >= ACCEPTED)
                chips.append(("chip", configuration.title, outcome, score))
            label = "disagree" if len(verdicts) > 1 else "all accept" if True in verdicts else "all reject"
            share = sum(chip[3] for chip in chips) / len(chips)
            examples.append(Example(LABELS[label], label, (row[1], split_cell(row[2], "answers")), chips, share))
        split = sum(example.label == "disagree" for example in examples)
        summary = f"Metrics disagree on {split:,} of {len(examples):,} answers."
        return Explanation(examples, summary, LABELS)

    def csv(
        self,
        rows: Sequence[list[str]],
        chosen: Sequence[Configuration],
        results: Mapping[str, dict[str, Any]],
        explanation: Explanation,
    ) -> str:
        """Write the scores of every row as CSV."""
        head = [
            *(column.name.removesuffix("s") for column in self.columns),
            "outcome",
            *(configuration.title for configuration in chosen),
        ]
        table = (
            [
                *row,
                explanation.examples[index].label,
                *(results[configuration.title][configuration.details][index] for configuration in chosen),
            ]
            for index, row in enumerate(rows)
        )
        return write_csv(head, table)

    def code(self, chosen: Sequence[Configuration]) -> str:
        """Write the Python code that reproduces the results."""
        lines = [
            "import json",
            "",
            "import evaluate",
            "",
            "# Download the JSON file from the page.",
            'with open("gallery.json", encoding="utf-8") as file:',
            '    rows = json.load(file)["inputs"]',
            "",
        ]
        for configuration in chosen:
            inputs = ", ".join(f'{name}=rows["{column}"]' for name, column in configuration.inputs.items())
            options = "".join(f", {name}={value!r}" for name, value in configuration.options.items())
            lines += [
                f'metric = evaluate.load("{source_of_metrics()}/{configuration.metric}")',
                f'print("{configuration.title}", metric.compute({inputs}{options})["{configuration.score}"])',
            ]
        return "\n".join(lines) + "\n"

    def call(self, **arguments: Any) -> str:
        """Handle an API call: return scores and intervals by configuration, as JSON text.

        Raises:
            InputError: For bad input.
        """

        def work() -> dict[str, Any]:
            results, notices = self.score(rows_of(arguments, self.columns, self.limits))
            scalars = {
                title: {k: v for k, v in result.items() if not isinstance(v, list) or "interval" in k}
                for title, result in results.items()
            }
            return {"results": scalars, "notices": notices}

        return self.answer_program(work)

    def compare(self, **arguments: Any) -> str:
        """Handle an API call that compares two systems: return comparisons by configuration, as JSON text.

        Raises:
            InputError: For bad input.
        """
        return self.answer_program(lambda: compare_by_each(self, arguments))

    def estimate_comparison(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that a comparison takes: scoring, and resampling for every configuration."""
        rows = max((len(values) for values in arguments.values() if isinstance(values, list)), default=0)
        return self.estimate_call(arguments) + RESAMPLING_SECONDS * rows * len(CONFIGURATIONS)


GALLERY = Gallery(
    title="Six metrics, one set of answers",
    facts=("Exact match, accuracy, retrieval, a judge", "Side by side, with intervals", "Where they disagree, and how"),
    limits=Limits(rows=500, characters=500_000),
)


if __name__ == "__main__":
    from space_ui.gallery_endpoints import comparison_endpoint
    from space_ui.gallery_endpoints import scoring_endpoint
    from space_ui.mcp_tools import Tool
    from space_ui.page import Service
    from space_ui.page import build_server
    from space_ui.page import launch
    from space_ui.page import shield
    from space_ui.usage import gallery_page

    service = Service(GALLERY, HERE / "app.py")
    endpoints = [
        (shield(scoring_endpoint(service.call)), "gallery"),
        (shield(comparison_endpoint(service.compare)), "gallery_compare"),
    ]
    tools = {"gallery": Tool(GALLERY.title), "gallery_compare": Tool("Compare two systems by every metric")}
    launch(build_server(service, gallery_page(GALLERY, LEAD), endpoints, tools))
