# Vendored: edit metrics/_shared/space_ui/report.py and run `make vendor`.
"""The report of a result, as JSON-serializable data for the page. No Gradio and no HTML here.

An explanation is a list of spans, `[kind, *values]`, which the page renders as text nodes, so that visitors' texts are
never HTML. Kinds: text, soft, code (one text each), inside (before, match, after), pair (left, right, sign, spoken),
odds (a share), chip (title, outcome, score).
"""

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from difflib import SequenceMatcher
from typing import Any
from typing import Literal

Outcome = Literal["hit", "near", "miss"]
Span = tuple[Any, ...]
ORDER: Mapping[str, int] = {"hit": 0, "near": 1, "miss": 2}

_MAX_COMPARED = 200  # characters of a text that are compared to find the nearest reference
_FEW = 30
_SMALLEST = 0.00005
_BINS = 10
_SIGNS = {
    "fuzzy": ("≈", "is similar to"),
    "partial": ("≈", "has words in common with"),
    "none": ("≠", "is not equal to"),
}


@dataclass(frozen=True)
class Example:
    """One row of the table."""

    outcome: Outcome
    label: str
    cells: Sequence[str | list[str]]
    why: Sequence[Span] = ()
    score: float | None = None
    parts: Sequence[Any] | None = None
    """Shown instead of the cells; from `match_parts`."""
    marks: Sequence[tuple[int, int]] = ()
    """Start and end of each span to highlight in the first cell."""
    more: Sequence[tuple[str, Sequence[Span]]] = ()
    """Headings and explanations that are shown with the full row, instead of `why`."""

    def as_json(self) -> dict[str, Any]:
        """Return the data for the page."""
        plain: dict[str, Any] = {
            "outcome": self.outcome,
            "label": self.label,
            "cells": list(self.cells),
            "why": list(self.why),
            "score": self.score,
        }
        if self.marks:
            plain["marks"] = list(self.marks)
        if self.more:
            plain["more"] = [[heading, list(spans)] for heading, spans in self.more]
        return plain if self.parts is None else {**plain, "parts": list(self.parts)}


@dataclass(frozen=True)
class Score:
    """A score with its interval."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Explanation:
    """The explanation of a result, returned by each metric's `explain`."""

    examples: Sequence[Example]
    sentence: str
    labels: Mapping[str, Outcome] = field(default_factory=dict)
    """The labels that can occur, in the order of the legend."""
    histogram: Sequence[float] = ()
    histogram_title: str = ""


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that the page shows of a result."""

    title: str
    scores: Sequence[Score]
    level: float
    explanation: Explanation
    columns: Sequence[str]
    figures: Sequence[tuple[str, float, str]] = ()
    """Name, value (a float unless it is a count) and meaning of the other figures."""
    notices: Sequence[str] = ()
    footnote: str = ""
    side_by_side: bool = False
    """Whether all scores have equal weight and none is the headline."""
    filter_button: tuple[str, str] = ("Show misses only", "miss")
    """Text of the filter button above the table, and the outcome of the rows that it shows; "!near": all others."""

    def as_json(self) -> dict[str, Any]:
        """Return the data for the page."""
        explanation = self.explanation
        outcomes = {**explanation.labels, **{example.label: example.outcome for example in explanation.examples}}
        labels = sorted(outcomes.items(), key=lambda item: ORDER[item[1]])
        head = self.scores[0]
        spoken = (
            explanation.sentence
            if self.side_by_side
            else f"{head.name} {100 * head.value:.1f}%. {explanation.sentence}"
        )
        return {
            "title": self.title,
            "scores": [vars(score) for score in self.scores],
            "side_by_side": self.side_by_side,
            "level": self.level,
            "sentence": explanation.sentence,
            "announcement": spoken,
            "notices": list(self.notices),
            "figures": [
                {"name": name, "value": value, "text": figure_text(value), "help": text}
                for name, value, text in self.figures
            ],
            "labels": labels,
            "filter": {"text": self.filter_button[0], "outcome": self.filter_button[1]},
            "histogram": histogram(explanation.histogram, explanation.histogram_title)
            if explanation.histogram
            else None,
            "columns": list(self.columns),
            "examples": [example.as_json() for example in explanation.examples],
            "footnote": self.footnote,
        }


def figure_text(value: float) -> str:
    """Write a figure: a count as it is, anything else with four decimals, or as a power of ten if it is too small."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4f}" if value == 0 or abs(value) >= _SMALLEST else f"{value:.1e}"


def histogram(scores: Sequence[float], title: str) -> dict[str, Any]:
    """Return a histogram of scores with ten bins."""
    bins = Counter(min(int(score * _BINS), _BINS - 1) for score in scores)
    return {"title": title, "bins": [bins[index] for index in range(_BINS)]}


def sentence(correct: int, total: int, what: str) -> str:
    """Write the summary sentence for a share of examples."""
    text = f"{correct:,} of {total:,} {what}."
    return f"{text} Too few examples to say how a larger set would score." if total < _FEW else text


def compare_texts(
    prediction: str, references: Sequence[str], plain: str, others: Sequence[str], label: str, detail: str = ""
) -> list[Span]:
    """Explain why a prediction matches its references or not.

    Args:
        prediction: The prediction as given.
        references: The acceptable references as given.
        plain: The normalized prediction.
        others: The normalized references.
        label: "exact", "contains", "fuzzy", "none", or another label of the metric.
        detail: Additional text.
    """
    soft: list[Span] = [("soft", detail)] if detail else []
    has_several = len(references) > 1
    if label == "exact" and plain in others:
        index = others.index(plain)
        chosen = f", reference {index + 1} of {len(references)}" if has_several else ""
        if prediction == references[index]:
            return [("text", f"Equal as written{chosen}"), *soft]
        return [("text", f"Equal after normalization{chosen}: "), ("code", plain), *soft]
    inside = next((other for other in others if other and other in plain), None)
    if label == "contains" and inside is not None:
        before, _, after = plain.partition(inside)
        return [("text", "Found in the answer: "), ("inside", before, inside, after), *soft]
    nearest = max(others, key=lambda other: _nearness(plain, other)) if has_several else others[0]
    sign, spoken = _SIGNS.get(label, ("·", "compared with"))
    among: list[Span] = [("soft", f"nearest of {len(references)} references")] if has_several else []
    return [("pair", plain, nearest, sign, spoken), *soft, *among]


def _nearness(left: str, right: str) -> float:
    return SequenceMatcher(None, left[:_MAX_COMPARED], right[:_MAX_COMPARED], autojunk=False).quick_ratio()


def match_parts(
    texts: Sequence[str], partners: Mapping[int, Sequence[int]], letter: str, other_letter: str
) -> list[dict[str, Any]]:
    """Describe a numbered list of texts with the texts that each of them matches on the other side.

    Args:
        texts: The texts.
        partners: The indices of the matching texts on the other side, by the index of the text.
        letter: Prefix of the numbers of these texts.
        other_letter: Prefix of the numbers on the other side.
    """
    return [
        {
            "name": f"{letter}{index + 1}",
            "text": text,
            "outcome": "hit" if partners.get(index) else "miss",
            "matches": [f"{other_letter}{partner + 1}" for partner in partners.get(index, ())],
        }
        for index, text in enumerate(texts)
    ]


def explain_matches(
    texts: Sequence[tuple[str | list[str], ...]],
    labels_of_rows: Sequence[str],
    scores: Sequence[float],
    normalize: Callable[[list[str]], list[str]],
    labels: Mapping[str, Outcome],
    details: Sequence[str] = (),
    what: str = "answers match",
) -> Explanation:
    """Explain the result of a metric that decides for each row whether two texts match.

    Args:
        texts: The prediction and the references of each row, as given.
        labels_of_rows: How each row matches: "exact", "contains", "fuzzy", "none" or another label of the metric.
        scores: The score of each row.
        normalize: Normalizes texts for the comparison.
        labels: The outcome of each label that can occur.
        details: Additional text for each row.
        what: The end of the summary sentence, after the number of rows that match.
    """
    pairs = [(str(row[0]), [row[1]] if isinstance(row[1], str) else row[1]) for row in texts]
    plain = normalize([prediction for prediction, _ in pairs])
    forms = iter(normalize([reference for _, references in pairs for reference in references]))
    examples = []
    for index, ((prediction, references), label) in enumerate(zip(pairs, labels_of_rows, strict=True)):
        detail = details[index] if details and label != "exact" else ""
        others = [next(forms) for _ in references]
        why = compare_texts(prediction, references, plain[index], others, label, detail)
        score = scores[index]
        outcome: Outcome = labels.get(label, "hit" if score else "miss")
        examples.append(Example(outcome, "miss" if label == "none" else label, texts[index], why, score))
    hits = sum(example.outcome != "miss" for example in examples)
    shown: dict[str, Outcome] = {"miss" if label == "none" else label: outcome for label, outcome in labels.items()}
    return Explanation(examples, sentence(hits, len(examples), what), shown)
