"""The gallery: the same answers scored by every applicable metric, side by side, and the rows where they disagree.

In a Space, the metrics are loaded from the owner's Spaces; in a checkout, from its directory. The environment variable
METRICS overrides this with an owner on the Hub or a directory.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import evaluate

from space import (
    LABELS_OF_ROWS,
    REQUIRED,
    Cell,
    Endpoint,
    Report,
    Space,
    Span,
    helper,
    plain,
    read_saved,
    summarize,
    text_cell,
)
from space_tables import SECOND, Column, Limits, Row, filled_rows, pack_link, to_inputs

HERE = Path(__file__).resolve().parent
OWNER = os.environ.get("SPACE_ID", "").partition("/")[0]
SOURCE = os.environ.get("METRICS") or OWNER or os.path.relpath(HERE.parents[1] / "metrics")
ALIASES = "retrieved_context retrieved chunks contexts passages"
LISTS = list[list[str]] | None
PARAMETERS = [
    ("predictions", list[str], REQUIRED, "The answers to score, of system A if two are compared."),
    ("references", list[str] | list[list[str]], REQUIRED, "The reference for each, or several acceptable ones."),
    ("questions", list[str] | None, None, "The questions, which the judge needs."),
    ("retrieved_contexts", LISTS, None, "The chunks that were retrieved for each question."),
    ("ground_truth_contexts", LISTS, None, "The chunks that should have been retrieved for each."),
]


class Configuration(NamedTuple):
    """A metric with its options, and the keys of its score and of the scores of the rows."""

    metric: str
    options: dict[str, Any]
    score: str
    details: str = "individual_scores"

    @property
    def columns(self) -> dict[str, str]:
        """The column for each input of the metric."""
        if self.metric in {"precision_recall_f1", "ranked_retrieval"}:
            return {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"}
        columns = {"predictions": "predictions", "references": "references"}
        return {"questions": "questions", **columns} if self.metric == "l3score" else columns


CONFIGURATIONS = {
    "exact match": Configuration("answer_exact_match", {}, "score"),
    "accuracy": Configuration("accuracy", {}, "accuracy"),
    "accuracy, fuzzy": Configuration("accuracy", {"fuzzy_match": True}, "accuracy"),
    "accuracy, contains": Configuration("accuracy", {"match": "contains"}, "accuracy"),
    "accuracy, recall": Configuration("accuracy", {"match": "recall"}, "accuracy"),
    "token F1": Configuration("token_f1", {}, "f1", "individual_f1"),
    "L3Score, demo judge": Configuration("l3score", {"provider": "mock", "use_cache": False}, "L3Score"),
    "retrieval F1": Configuration("precision_recall_f1", {"tokenizer": "unicode"}, "f1", "individual_f1"),
    "retrieval MAP": Configuration("ranked_retrieval", {"tokenizer": "unicode"}, "map", "individual_map"),
}


class Gallery(Space):
    """The Space that scores rows with several metrics."""

    def __init__(self) -> None:
        self.name, self.directory, self.title = "gallery", HERE, "Six metrics, one set of answers"
        self.lead = (
            "The same answers scored by every applicable metric. Where they disagree, you see what each counts as "
            "right: equal character by character, equal after normalization, equal up to typos, or equal in meaning."
        )
        self.facts = (
            "Exact match, accuracy, retrieval, a judge",
            "Side by side, with intervals",
            "Where they disagree, and how",
        )
        self.limits = Limits(rows=500, characters=500_000)
        self.columns = [
            Column("questions", "Question", optional=True),
            Column("predictions", "Prediction"),
            Column("references", "Reference", "answers"),
            Column("retrieved_contexts", "Retrieved", "list", ALIASES, optional=True),
            Column("ground_truth_contexts", "Ground truth", "list", "reference_contexts relevant", optional=True),
        ]
        self.options, self.values, self.defaults, self.metrics = {}, {}, {}, {}
        for name in dict.fromkeys(one.metric for one in CONFIGURATIONS.values()):
            try:
                self.metrics[name] = evaluate.load(f"{SOURCE}/{name}")
            except (OSError, ImportError, ValueError) as error:
                print(f"{name} is left out: {type(error).__name__}: {error}")  # noqa: T201  # the owner's log
        self.examples = self.read_examples()

    @property
    def compared(self) -> list[Column]:
        """The page compares metrics, not systems."""
        return []

    def each(self, systems: Mapping[str, Any], **given: Any) -> tuple[dict[str, Any], list[str]]:
        """Compute, or compare if there are two systems, by every applicable metric; return results and notices."""
        results: dict[str, Any] = {}
        notices = []
        for columns in systems.values():
            self.limits.check(columns)
        for title, one in CONFIGURATIONS.items():
            inputs = {name: {k: columns.get(v) for k, v in one.columns.items()} for name, columns in systems.items()}
            if one.metric not in self.metrics or not all(all(system.values()) for system in inputs.values()):
                why = "a column that it needs is empty" if one.metric in self.metrics else "it could not be loaded"
                notices.append(f"{title} is left out: {why}.")
                continue
            metric = type(self.metrics[one.metric])(keep_in_memory=True)
            with helper(metric, "_metric").capture_warnings() as messages:
                if len(inputs) == 1:
                    results[title] = plain(metric.compute(**inputs["A"], **given, **one.options))
                else:
                    found = metric.compare(inputs, **given, **one.options)
                    results[title] = {**plain(dict(found)), "summary": str(found), "sentence": summarize(found)}
            notices += [f"{title}: {text.partition(': ')[2]}" for text in messages if one.metric != "l3score"]
        return results, list(dict.fromkeys(notices))

    def score(self, rows: Sequence[Row], values: Mapping[str, Any], recorded: Any = None) -> str:
        """Score rows with every applicable metric; return the report."""
        del values, recorded
        rows = filled_rows(rows, len(self.columns))
        inputs = to_inputs(rows, self.columns)
        results, notices = self.each({"A": inputs}, return_details=True, return_confidence=True)
        scores = {title: result[CONFIGURATIONS[title].details] for title, result in results.items()}
        judging = [column for title, column in scores.items() if not title.startswith("retrieval")]
        verdicts = [{score >= 0.5 for score in row} for row in zip(*judging, strict=True)]  # noqa: PLR2004
        labels = ["disagree" if len(one) > 1 else "all accept" if True in one else "all reject" for one in verdicts]

        def example(row: int) -> tuple[list[Cell], list[Span]]:
            chips = []
            for title, column in scores.items():
                outcome = "hit" if column[row] >= 0.9 else "miss" if column[row] < 0.5 else "near"  # noqa: PLR2004
                chips.append((f"chip {outcome}", f"{title} {column[row]:.2f}"))
            return [text_cell(inputs[name][row]) for name in ("predictions", "references")], chips

        keys = {title: CONFIGURATIONS[title].score for title in results}
        return Report(
            title=self.title,
            name=self.name,
            scores=[
                (title, results[title][key] or 0.0, results[title][f"{key}_confidence_interval"])
                for title, key in keys.items()
            ],
            level=0.95,
            sentence=f"Metrics disagree on {labels.count('disagree'):,} of {len(rows):,} answers.",
            outcomes={"all accept": "hit", "disagree": "near", "all reject": "miss"},
            labels=labels,
            columns=["Prediction", "Reference"],
            example=example,
            saved={"inputs": inputs, "results": results},
            table={
                **{one.name: [row[place] for row in rows] for place, one in enumerate(self.columns)},
                "outcome": labels,
                **scores,
            },
            python=self.snippets()["Python"],
            link=pack_link(rows, {}),
            side_by_side=True,
            notices=notices,
        ).html()

    def snippets(self) -> dict[str, str]:
        """Return code that scores downloaded rows in Python."""
        lines = ["import json\n\nimport evaluate\n\n" + read_saved(self.name) + 'rows = saved["inputs"]']
        for title, one in CONFIGURATIONS.items():
            inputs = [f'{name}=rows["{column}"]' for name, column in one.columns.items()]
            given = ", ".join([*inputs, *(f"{name}={value!r}" for name, value in one.options.items())])
            lines.append(f'print("{title}", evaluate.load("{SOURCE}/{one.metric}").compute({given})["{one.score}"])')
        return {"Python": "\n".join(lines)}

    def first_inputs(self) -> dict[str, Any]:
        """Return the first row of the examples as required inputs."""
        found = to_inputs(self.examples[0]["rows"][:1], self.columns)
        return {name: found[name] for name in ("predictions", "references")}

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the endpoints."""
        second = [
            (f"predictions{SECOND}", list[str], REQUIRED, "The answers of system B."),
            *PARAMETERS[1:],
            (f"retrieved_contexts{SECOND}", LISTS, None, "The chunks that system B retrieved."),
        ]
        both = "Is system B better than system A? Compare both by every applicable metric, with a paired test each."
        return {
            "gallery": Endpoint("call", "Score answers with every applicable metric, with intervals.", PARAMETERS),
            "gallery_compare": Endpoint("call_compare", both, [PARAMETERS[0], *second, *LABELS_OF_ROWS]),
        }

    def call(self, arguments: dict[str, Any], key: str = "") -> dict[str, Any]:
        """Answer a call of the endpoint: scores and intervals by configuration."""
        del key
        results, notices = self.each({"A": arguments}, return_details=False, return_confidence=True)
        return {"results": results, "notices": notices}

    def call_compare(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Answer a call that compares two systems: comparisons by configuration."""
        inputs = {name: column for name, column in arguments.items() if column is not None}
        results, notices = self.each(self.systems(inputs), clusters=inputs.get("clusters"))
        return {"results": results, "notices": notices}


SPACE = Gallery()

if __name__ == "__main__":
    from space_page import launch

    launch(SPACE)
