# Vendored: edit metrics/_shared/space_ui/comparison_rows.py and run `make vendor`.
"""The rows of a comparison: how each of them changed from system A to system B."""

from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

from .pairing import CLUSTERS
from .pairing import IDS
from .pairing import SECOND
from .report import Example
from .report import Outcome
from .report import Span
from .rows import Column
from .rows import Row
from .rows import split_cell

SYSTEMS = ("A", "B")
LABELS: dict[str, Outcome] = {"improved": "hit", "same score": "near", "regressed": "miss"}
_BESIDE = (CLUSTERS.name, IDS.name)
"""Columns that are not shown as cells, but next to the scores."""


class ChangedRows(NamedTuple):
    """The table of a comparison."""

    columns: list[str]
    examples: list[Example]


def explain_changes(
    rows: Sequence[Row],
    columns: Sequence[Column],
    systems: Mapping[str, Sequence[Example]],
    compared: str,
    given_scores: str | None,
) -> ChangedRows:
    """Describe how each row changed from A to B.

    Args:
        rows: The rows of the page.
        columns: Their columns; optional ones without text are not shown.
        systems: The rows of A and B as the metric explains them.
        compared: The column with the predictions of A.
        given_scores: The column with the scores of A if it was judged beforehand.
    """
    filled = [(x, column) for x, column in enumerate(columns) if not column.optional or any(row[x] for row in rows)]
    shown = [(x, column) for x, column in filled if column.name not in _BESIDE]
    # Scores that were given are shown with the outcome; texts need the space.
    texts = [(x, column) for x, column in shown if column.name.removesuffix(SECOND) != given_scores]
    shown = texts if any(row[x].strip() for x, _ in texts for row in rows) else shown
    beside = [(x, column) for x, column in filled if column.name in _BESIDE]
    place = [column.name for column in columns if not column.name.endswith(SECOND)].index(compared)
    examples = []
    for row, first, second in zip(rows, systems["A"], systems["B"], strict=True):
        cells = [row[x] if column.kind == "text" else split_cell(row[x], column.kind) for x, column in shown]
        parts = None
        if first.parts is not None and second.parts is not None:
            of_system = {compared: first.parts[place], f"{compared}{SECOND}": second.parts[place]}
            parts = [of_system.get(column.name, cell) for (_, column), cell in zip(shown, cells, strict=True)]
        labels = ", ".join(f"{column.spoken} {row[x].strip()}" for x, column in beside if row[x].strip())
        examples.append(_changed(first, second, cells, parts, labels))
    return ChangedRows([column.label for _, column in shown], examples)


def _changed(
    first: Example, second: Example, cells: Sequence[str | list[str]], parts: Sequence[Any] | None, labels: str
) -> Example:
    beside: list[Span] = [("soft", labels)] if labels else []
    chips: dict[str, list[Span]] = {
        name: [] if example.score is None else [("chip", f"{name} {example.label}", example.outcome, example.score)]
        for name, example in zip(SYSTEMS, (first, second), strict=True)
    }
    why = [*chips["A"], *chips["B"]]
    if first.score is None or second.score is None:
        left_out: Span = ("text", "One of the two has no score.")
        return Example("near", "left out", cells, [*why, left_out, *beside], parts=parts)
    difference = second.score - first.score
    label = "improved" if difference > 0 else "regressed" if difference < 0 else "same score"
    more = [
        (f"System {name}{f', {labels}' if labels else ''}", [*chips[name], *example.why])
        for name, example in zip(SYSTEMS, (first, second), strict=True)
        if example.why
    ]
    return Example(LABELS[label], label, cells, [*why, *beside], difference, parts, more=more)
