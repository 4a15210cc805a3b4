"""The gallery: the same answers scored by every applicable metric, side by side, and the rows where they disagree.

In a Space, the metrics are loaded from the owner's Spaces; in a checkout, from its directory. The environment variable
METRICS overrides this with an owner on the Hub or a directory.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import evaluate

from answer_metrics.files.names import LISTS
from answer_metrics.files.rows import InputError
from answer_metrics.page.page_tables import SYSTEMS, Column, Limits, Row, filled_rows, pack_link, to_inputs
from answer_metrics.page.report import EXPORTS, Report
from answer_metrics.page.space import Space, described, paired, plain, row_scores, run, scale_of

HERE = Path(__file__).resolve().parent
OWNER = os.environ.get("SPACE_ID", "").partition("/")[0]
FOLDER = next(path for path in (HERE.parents[1] / "metrics", HERE.parent) if path.is_dir())  # in a checkout, or built
SOURCE = os.environ.get("METRICS") or OWNER or os.path.relpath(FOLDER)
TEXTS = {"predictions": "predictions", "references": "references"}
CHUNKS = {"predictions": "retrieved_contexts", "references": "ground_truth_contexts"}
MORE, TRUE = LISTS["predictions"], LISTS["references"]
COLUMNS = [
    Column("questions", "Question", optional=True, help="The questions, which the judge needs."),
    Column("predictions", "Prediction", help="The answers to score."),
    Column("references", "Reference", "answers", help="The reference for each, or several acceptable ones."),
    Column("retrieved_contexts", "Retrieved", "list", MORE, optional=True, help="The chunks found for each question."),
    Column("ground_truth_contexts", "Ground truth", "list", TRUE, optional=True, help="The chunks to find for each."),
]
CONFIGURATIONS: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "exact match": ("answer_exact_match", {}, TEXTS),
    "accuracy": ("accuracy", {}, TEXTS),
    "accuracy, fuzzy": ("accuracy", {"fuzzy_match": True}, TEXTS),
    "accuracy, contains": ("accuracy", {"match": "contains"}, TEXTS),
    "accuracy, recall": ("accuracy", {"match": "recall"}, TEXTS),
    "token F1": ("token_f1", {}, TEXTS),
    "L3Score, demo judge": ("l3score", {"provider": "mock", "use_cache": False}, {"questions": "questions", **TEXTS}),
    "retrieval F1": ("precision_recall_f1", {"tokenizer": "unicode"}, CHUNKS),
    "retrieval MAP": ("ranked_retrieval", {"tokenizer": "unicode"}, CHUNKS),
}
"""A metric with its options, and the column for each input."""


class Gallery(Space):
    """The Space that scores rows with several metrics."""

    def __init__(self) -> None:
        self.name, self.directory, self.title = "gallery", HERE, "Six metrics, one set of answers"
        self.lead = (
            "The same answers scored by every applicable metric. Where they disagree, you see what each counts as "
            "right: equal character by character, equal after normalization, equal up to typos, or equal in meaning."
        )
        self.limits = Limits(rows=500, characters=500_000)
        self.columns, self.compared = COLUMNS, paired(COLUMNS, {"predictions", "retrieved_contexts"})
        self.rows, self.presets = COLUMNS, {}
        self.options, self.values, self.defaults, self.metrics, self.rules = {}, {}, {}, {}, {}
        self.words, self.common, self.judged = {}, (), ""
        self.used = {"score": [], "compare": []}
        for name in dict.fromkeys(name for name, *_ in CONFIGURATIONS.values()):
            try:
                self.metrics[name] = evaluate.load(f"{SOURCE}/{name}")
            except (OSError, ImportError, ValueError) as error:
                print(f"{name} is left out: {type(error).__name__}: {error}")  # the owner's log
        self.metric = next(iter(self.metrics.values()), None)
        self.examples = self.read_examples()

    def each(self, systems: Mapping[str, Any], **settings: Any) -> dict[str, Any]:
        """Compute, or compare if there are two systems, by every applicable metric; return results and notices."""
        scored: dict[str, Any] = {"results": {}, "notices": []}
        for columns in systems.values():
            self.limits.check(columns)
        for title, (name, options, needed) in CONFIGURATIONS.items():
            inputs = {system: {k: columns.get(v) for k, v in needed.items()} for system, columns in systems.items()}
            if name not in self.metrics or not all(all(columns.values()) for columns in inputs.values()):
                why = "a column that it needs is empty" if name in self.metrics else "it could not be loaded"
                scored["notices"].append(f"{title} is left out: {why}.")
                continue
            if len(inputs) == 1:
                result, messages = run(self.metrics[name], "compute", **inputs["A"], **settings, **options)
                scored["results"][title] = plain(result)
            else:
                result, messages = run(self.metrics[name], "compare", inputs, **settings, **options)
                scored["results"][title] = described(result, scale_of(self.metrics[name], options))
            scored["notices"] += [f"{title}: {text}" for text in messages if name != "l3score"]
        return scored

    def score(self, rows: Sequence[Row], *_: Any) -> str:
        """Score rows with every applicable metric; return the report."""
        if not self.metrics:
            raise InputError(f"No metric could be loaded from {SOURCE}: the log says why.")
        rows = filled_rows(rows, len(COLUMNS))
        inputs = to_inputs(rows, COLUMNS)
        results, notices = self.each({"A": inputs}, return_details=True, return_confidence=True).values()
        mains = {title: self.metrics[CONFIGURATIONS[title][0]].main_score for title in results}
        scores = {
            title: row_scores(self.metrics[CONFIGURATIONS[title][0]], result, CONFIGURATIONS[title][1])
            for title, result in results.items()
        }
        judging = [column for title, column in scores.items() if not title.startswith("retrieval")]
        verdicts = [{score >= 0.5 for score in row} for row in zip(*judging, strict=True)]
        outcomes = ["disagree" if len(row) > 1 else "all accept" if True in row else "all reject" for row in verdicts]

        return Report(
            title=self.title,
            name=self.name,
            scores=[
                (title, result[main] or 0.0, result[f"{main}_confidence_interval"])
                for (title, result), main in zip(results.items(), mains.values(), strict=True)
            ],
            sentence=f"Metrics disagree on {outcomes.count('disagree'):,} of {len(rows):,} answers.",
            scale=scale_of(self.metric, {}),
            outcomes={"disagree": "near", "all accept": "hit", "all reject": "miss"},
            row_outcomes=outcomes,
            row_scores=[sum(row) / len(row) for row in zip(*scores.values(), strict=True)],
            columns=[column for column in (*COLUMNS[1:3], COLUMNS[0], *COLUMNS[3:]) if column.name in inputs],
            inputs=inputs,
            explain=lambda row: ([("chip", f"{title} {column[row]:.0%}") for title, column in scores.items()], {}),
            matrix=scores,
            saved={"inputs": inputs, "results": results},
            table=scores,
            python=self.python(mains),
            link=pack_link(rows, {}),
            notices=notices,
        ).html()

    def python(self, mains: Mapping[str, str]) -> str:
        """Return code that scores downloaded rows in Python, for each title with the key of its main score."""
        lines = [f'import json\n\nimport evaluate\n\n{EXPORTS.read(self.name)}rows = saved["inputs"]']
        for title, main in mains.items():
            name, options, columns = CONFIGURATIONS[title]
            inputs = [f'{argument}=rows["{column}"]' for argument, column in columns.items()]
            arguments = ", ".join([*inputs, *(f"{option}={value!r}" for option, value in options.items())])
            lines.append(f'print("{title}", evaluate.load("{SOURCE}/{name}").compute({arguments})["{main}"])')
        return "\n".join(lines)

    def call(self, arguments: dict[str, Any], _key: str = "") -> dict[str, Any]:
        """Return results by configuration."""
        return self.each({"A": arguments}, return_details=False, return_confidence=True)

    def call_compare(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return comparisons of two systems by configuration."""
        names = dict(zip(SYSTEMS, arguments.pop("names", None) or (), strict=False))
        inputs, options = self.split(arguments)
        return self.each(self.systems(inputs, self.titles(inputs, names)), clusters=inputs.get("clusters"), **options)

    def output_schema(self, method: str) -> dict[str, Any]:
        """Return the JSON schema of what an endpoint returns."""
        returned = "The result" if method == "call" else "The comparison"
        results = {"type": "object", "description": f"{returned} by metric and options."}
        notices = {"type": "array", "description": "What is left out, and warnings."}
        return {"type": "object", "properties": {"results": results, "notices": notices}}


SPACE = Gallery()

if __name__ == "__main__":
    SPACE.launch()
