"""The gallery: the same answers scored by every metric that fits, side by side, and the rows where they disagree.

The metrics come from where the gallery is: in a Space from the same owner's Spaces, in a checkout from its own
directory. METRICS names another place, an owner on the Hub or a directory.
"""

import json
import os
import time
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

import evaluate

from space_ui.export import as_plain
from space_ui.export import write_csv
from space_ui.form import Form
from space_ui.form import Told
from space_ui.permalink import pack_link
from space_ui.report import SIGNS
from space_ui.report import Example
from space_ui.report import Outcome
from space_ui.report import Report
from space_ui.report import Track
from space_ui.report import escape
from space_ui.report import render
from space_ui.report import sentence
from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Limits
from space_ui.rows import Row
from space_ui.rows import to_inputs

HERE = Path(__file__).resolve().parent
ACCEPTED = 0.5
SURE = 0.9
LABELS: dict[str, Outcome] = {"all accept": "hit", "disagree": "near", "all reject": "miss"}


@dataclass(frozen=True)
class Run:
    """One way of asking a metric."""

    title: str
    metric: str
    options: Mapping[str, Any]
    score: str
    each: str = "individual_scores"
    inputs: Mapping[str, str] = field(default_factory=lambda: {name: name for name in ("predictions", "references")})
    """The columns of the page that the inputs come from."""
    of_answers: bool = True
    """Whether it judges the answer; else what was retrieved for it."""


RUNS = (
    Run("exact match", "answer_exact_match", {}, "score"),
    Run("accuracy", "accuracy", {}, "accuracy"),
    Run("accuracy, fuzzy", "accuracy", {"fuzzy_match": True}, "accuracy"),
    Run("accuracy, contains", "accuracy", {"match": "contains"}, "accuracy"),
    Run(
        "L3Score, mock judge",
        "l3score",
        {"provider": "mock", "use_cache": False},
        "L3Score",
        inputs={"questions": "questions", "predictions": "predictions", "references": "references"},
    ),
    Run(
        "retrieval F1",
        "precision_recall_f1",
        {"tokenizer": "unicode"},
        "f1",
        "individual_f1",
        {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"},
        of_answers=False,
    ),
)


def place_of_metrics() -> str:
    """Say where the metrics are loaded from."""
    if "METRICS" in os.environ:
        return os.environ["METRICS"]
    owner = os.environ.get("SPACE_ID", "").partition("/")[0]
    return owner or os.path.relpath(HERE.parents[1] / "metrics")


@dataclass(frozen=True, kw_only=True)
class Gallery(Form):
    """A form that asks several metrics."""

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """The metrics that could be loaded, by name."""
        loaded = {}
        for name in dict.fromkeys(run.metric for run in RUNS):
            try:
                loaded[name] = evaluate.load(f"{place_of_metrics()}/{name}")
            except (OSError, ImportError, ValueError) as error:
                print(f"{name} is left out: {type(error).__name__}: {error}")  # noqa: T201  # the owner's log
        return loaded

    @property
    def name(self) -> str:
        """What downloads are called."""
        return "gallery"

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
    def api_controls(self) -> list[Any]:
        """No options: what is compared is ways of asking."""
        return []

    def answer(self, rows: list[Row], options: Mapping[str, Any], key: str) -> dict[str, Any]:
        """Score rows with every metric that fits.

        Raises:
            InputError: If no metric could be loaded.
        """
        del options, key
        started = time.perf_counter()
        inputs = to_inputs(rows, self.columns)
        given = {name for name, column in inputs.items() if any(column)}
        said = [f"{name} could not be loaded here." for name in {run.metric for run in RUNS} - set(self.metrics)]
        results: dict[str, dict[str, Any]] = {}
        for run in RUNS:
            missing = [column for column in run.inputs.values() if column not in given and column != "predictions"]
            if missing:
                said.append(f"{run.title} is left out: no row has {' or '.join(missing).replace('_', ' ')}.")
            elif run.metric in self.metrics:
                metric = type(self.metrics[run.metric])(keep_in_memory=True)
                columns = {name: inputs[column] for name, column in run.inputs.items()}
                shown = {"return_details": True, "return_confidence": True}
                results[run.title] = as_plain(metric.compute(**columns, **run.options, **shown))
        runs = [run for run in RUNS if run.title in results]
        if not runs:
            raise InputError("No metric could be loaded here.")
        told = self.told(rows, runs, results)
        away = {"inputs": inputs, "results": results}
        return {
            "html": render(self.summary(runs, results, told, said, time.perf_counter() - started)),
            "name": self.name,
            "at": time.time_ns(),
            "json": json.dumps(away, ensure_ascii=False, indent=1),
            "csv": self.table(rows, runs, results, told),
            "snippet": self.code(runs),
            "link": pack_link(rows, {}),
        }

    def told(self, rows: Sequence[Row], runs: Sequence[Run], results: Mapping[str, dict[str, Any]]) -> Told:
        """Find the rows where the metrics disagree."""
        examples = []
        for place, row in enumerate(rows):
            chips, verdicts = [], set()
            for run in runs:
                score = results[run.title][run.each][place]
                outcome: Outcome = "hit" if score >= SURE else "miss" if score < ACCEPTED else "near"
                if run.of_answers:
                    verdicts.add(score >= ACCEPTED)
                chips.append(
                    f'<span class="{outcome}"><b aria-hidden="true">{SIGNS[outcome]}</b> {escape(run.title)} '
                    f"<em>{score:.2f}</em></span>"
                )
            label = "disagree" if len(verdicts) > 1 else "all accept" if True in verdicts else "all reject"
            references = to_inputs([row], self.columns)["references"][0]
            why = f'<div class="chips">{"".join(chips)}</div>'
            examples.append(Example(LABELS[label], label, (row[1], references), why))
        split = sum(example.label == "disagree" for example in examples)
        return Told(examples, sentence(split, len(examples), "answers are judged differently"), LABELS)

    def summary(
        self,
        runs: Sequence[Run],
        results: Mapping[str, dict[str, Any]],
        told: Told,
        said: Sequence[str],
        seconds: float,
    ) -> Report:
        """Put together what the page shows."""
        tracks = [
            Track(run.title, results[run.title][run.score], *results[run.title][f"{run.score}_confidence_interval"])
            for run in runs
        ]
        return Report(
            tracks=tracks,
            sentence=told.sentence,
            level=0.95,
            figures=(),
            columns=("Prediction", "Reference"),
            examples=told.examples,
            notices=said,
            labels=LABELS,
            footnote=f"metrics from {place_of_metrics()} · {1000 * seconds:.0f} ms",
            sought=("Only disagreements", "near"),
            equals=True,
        )

    def table(self, rows: Sequence[Row], runs: Sequence[Run], results: Mapping[str, dict[str, Any]], told: Told) -> str:
        """Write the scores of every row as CSV."""
        head = [*(column.name.removesuffix("s") for column in self.columns), "outcome", *(run.title for run in runs)]
        table = (
            [*row, told.examples[place].label, *(results[run.title][run.each][place] for run in runs)]
            for place, row in enumerate(rows)
        )
        return write_csv(head, table)

    def code(self, runs: Sequence[Run]) -> str:
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
        for run in runs:
            inputs = ", ".join(f'{name}=rows["{column}"]' for name, column in run.inputs.items())
            options = "".join(f", {name}={value!r}" for name, value in run.options.items())
            lines += [
                f'metric = evaluate.load("{place_of_metrics()}/{run.metric}")',
                f'print("{run.title}", metric.compute({inputs}{options})["{run.score}"])',
            ]
        return "\n".join(lines) + "\n"


GALLERY = Gallery(
    script=HERE / "app.py",
    title="Four metrics, one set of answers",
    scores=(),
    explain=lambda _: Told((), ""),
    facts=("Exact match, accuracy, retrieval, a judge", "Side by side, with intervals", "Where they disagree, and how"),
    limits=Limits(rows=500, characters=500_000, cell=20_000),
)

if __name__ == "__main__":
    import gradio as gr

    from space_ui.page import build_form
    from space_ui.page import launch
    from space_ui.usage import top

    LEAD = (
        "The same answers scored by every metric that fits them. Where they disagree you see what each of them counts "
        "as right: character by character, after normalisation, with typos forgiven, or by meaning."
    )
    with gr.Blocks(title=GALLERY.title, analytics_enabled=False, delete_cache=(3600, 3600)) as page:
        head = top("gallery of evaluate metrics", GALLERY.title, LEAD, GALLERY.facts)
        gr.HTML(head, elem_classes="masthead", apply_default_css=False)
        build_form(GALLERY, page)
    launch(page)
