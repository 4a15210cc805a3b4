"""The gallery: the same answers scored by every applicable metric, side by side, and the rows where they disagree.

In a Space, the metrics are loaded from the owner's Spaces; in a checkout, from its directory. The environment variable
METRICS overrides this with an owner on the Hub or a directory.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import evaluate

import space
from space import Cell, Endpoint, Span
from space_tables import SECOND, Column, Limits, Row, filled_rows, pack_link, to_inputs

HERE = Path(__file__).resolve().parent
OWNER = os.environ.get("SPACE_ID", "").partition("/")[0]
SOURCE = os.environ.get("METRICS") or OWNER or os.path.relpath(HERE.parents[1] / "metrics")
TEXTS = {"predictions": "predictions", "references": "references"}
CHUNKS = {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"}
QUESTIONS = {"questions": "questions", **TEXTS}
LISTS = list[list[str]] | None
PARAMETERS: list[space.Parameter] = [
    ("predictions", list[str], space.REQUIRED, "The answers to score, of system A if two are compared."),
    ("references", list[str] | list[list[str]], space.REQUIRED, "The reference for each, or several acceptable ones."),
    ("questions", list[str] | None, None, "The questions, which the judge needs."),
    ("retrieved_contexts", LISTS, None, "The chunks that were retrieved for each question."),
    ("ground_truth_contexts", LISTS, None, "The chunks that should have been retrieved for each."),
]
OF_B: list[space.Parameter] = [
    (f"predictions{SECOND}", list[str], space.REQUIRED, "The answers of system B."),
    (f"retrieved_contexts{SECOND}", LISTS, None, "The chunks that system B retrieved."),
]


class Configuration(NamedTuple):
    """A metric with its options, the column for each input, and the keys of its score and of the scores of the rows."""

    metric: str
    options: dict[str, Any]
    columns: dict[str, str]
    score: str
    details: str = "individual_scores"


CONFIGURATIONS = {
    "exact match": Configuration("answer_exact_match", {}, TEXTS, "score"),
    "accuracy": Configuration("accuracy", {}, TEXTS, "accuracy"),
    "accuracy, fuzzy": Configuration("accuracy", {"fuzzy_match": True}, TEXTS, "accuracy"),
    "accuracy, contains": Configuration("accuracy", {"match": "contains"}, TEXTS, "accuracy"),
    "accuracy, recall": Configuration("accuracy", {"match": "recall"}, TEXTS, "accuracy"),
    "token F1": Configuration("token_f1", {}, TEXTS, "f1", "individual_f1"),
    "L3Score, demo judge": Configuration("l3score", {"provider": "mock", "use_cache": False}, QUESTIONS, "L3Score"),
    "retrieval F1": Configuration("precision_recall_f1", {"tokenizer": "unicode"}, CHUNKS, "f1", "individual_f1"),
    "retrieval MAP": Configuration("ranked_retrieval", {"tokenizer": "unicode"}, CHUNKS, "map", "individual_map"),
}


class Gallery(space.Space):
    """The Space that scores rows with several metrics."""

    def __init__(self) -> None:
        self.name, self.directory, self.title = "gallery", HERE, "Six metrics, one set of answers"
        self.lead = (
            "The same answers scored by every applicable metric. Where they disagree, you see what each counts as "
            "right: equal character by character, equal after normalization, equal up to typos, or equal in meaning."
        )
        self.facts = ("Exact match, accuracy, retrieval, a judge", "Side by side", "Where they disagree, and how")
        self.limits = Limits(rows=500, characters=500_000)
        chunks = "retrieved_context retrieved chunks contexts passages"
        self.columns = [
            Column("questions", "Question", optional=True),
            Column("predictions", "Prediction"),
            Column("references", "Reference", "answers"),
            Column("retrieved_contexts", "Retrieved", "list", chunks, optional=True),
            Column("ground_truth_contexts", "Ground truth", "list", "reference_contexts relevant", optional=True),
        ]
        self.compared = []  # the page compares metrics, not systems
        self.options, self.values, self.defaults, self.metrics = {}, {}, {}, {}
        for name in dict.fromkeys(one.metric for one in CONFIGURATIONS.values()):
            try:
                self.metrics[name] = evaluate.load(f"{SOURCE}/{name}")
            except (OSError, ImportError, ValueError) as error:
                print(f"{name} is left out: {type(error).__name__}: {error}")  # noqa: T201  # the owner's log
        self.examples = self.read_examples()

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
            with space.helper(metric, "_metric").capture_warnings() as messages:
                if len(inputs) == 1:
                    results[title] = space.plain(metric.compute(**inputs["A"], **given, **one.options))
                else:
                    results[title] = space.described(metric.compare(inputs, **given, **one.options))
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
            return [space.text_cell(inputs[name][row]) for name in TEXTS], chips

        keys = {title: CONFIGURATIONS[title].score for title in results}
        return space.Report(
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
            table={**space.as_columns(rows, self.columns, inputs), "outcome": labels, **scores},
            python=self.python(),
            link=pack_link(rows, {}),
            side_by_side=True,
            notices=notices,
        ).html()

    def python(self) -> str:
        """Return code that scores downloaded rows in Python."""
        lines = ["import json\n\nimport evaluate\n\n" + space.read_saved(self.name) + 'rows = saved["inputs"]']
        for title, one in CONFIGURATIONS.items():
            inputs = [f'{name}=rows["{column}"]' for name, column in one.columns.items()]
            given = ", ".join([*inputs, *(f"{name}={value!r}" for name, value in one.options.items())])
            lines.append(f'print("{title}", evaluate.load("{SOURCE}/{one.metric}").compute({given})["{one.score}"])')
        return "\n".join(lines)

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the endpoints."""
        both = "Is system B better than system A? Compare both by every applicable metric, with a paired test each."
        compared = [*PARAMETERS[:1], OF_B[0], *PARAMETERS[1:], OF_B[1], *space.LABELS_OF_ROWS]
        return {
            "gallery": Endpoint("call", "Score answers with every applicable metric, with intervals.", PARAMETERS),
            "gallery_compare": Endpoint("call", both, compared),
        }

    def call(self, arguments: dict[str, Any], key: str = "") -> dict[str, Any]:
        """Answer a call of an endpoint: results, or comparisons of two systems, by configuration."""
        del key
        inputs = {name: column for name, column in arguments.items() if column is not None}
        if f"predictions{SECOND}" in arguments:
            results, notices = self.each(self.systems(inputs), clusters=inputs.get("clusters"))
        else:
            results, notices = self.each({"A": inputs}, return_details=False, return_confidence=True)
        return {"results": results, "notices": notices}


SPACE = Gallery()

if __name__ == "__main__":
    from space_page import launch

    launch(SPACE)
