# Vendored: edit metrics/_shared/space_ui/scored.py and run `make vendor`.
"""A scored set of rows, the argument of a metric's `explain`, and its report."""

import re
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING
from typing import Any

from .report import Explanation
from .report import Report
from .report import Score
from .rows import Column

if TYPE_CHECKING:
    from .form import Form


@dataclass(frozen=True)
class Scored:
    """A result with its inputs and options."""

    script: ModuleType
    """The metric's script, whose functions help to explain the rows."""
    inputs: Mapping[str, list[Any]]
    options: Any
    """The metric's `Options`."""
    result: Mapping[str, Any]
    texts: Sequence[tuple[str | list[str], ...]]
    """The inputs row by row, in the order of the columns."""
    columns: Sequence[Column]
    asked: Mapping[str, Any]
    """The options to pass to the metric for the same result."""
    messages: Sequence[str]
    """The metric's warnings."""


def describe_result(form: "Form", scored: Scored, explanation: Explanation, seconds: float) -> Report:
    """Build the report for the page."""
    result, outputs = scored.result, form.metric.outputs
    declared = {key: re.sub(r"@\d+$", "@k", key) for key in result}
    return Report(
        title=form.title,
        scores=[
            Score(key, result[key] or 0.0, *(result.get(f"{key}_confidence_interval") or (None, None)))
            for key in form.scores
        ],
        level=scored.options.confidence_level,
        explanation=explanation,
        columns=[column.label for column in scored.columns],
        figures=[
            (key, value, outputs[name].help if (name := declared[key]) in outputs else "")
            for key, value in result.items()
            if isinstance(value, (int, float)) and key not in form.scores
        ],
        notices=[
            next((notice for start, notice in form.notices.items() if text.startswith(start)), text)
            for text in scored.messages
        ],
        footnote=f"{result.get('signature', '')} · {1000 * seconds:.0f} ms",
    )
