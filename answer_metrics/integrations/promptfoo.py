"""Assertions for promptfoo, in a Python block of its configuration."""

from collections.abc import Mapping
from typing import Any

from answer_metrics.integrations import row_scorer


def grade(
    name: str,
    output: str,
    context: Mapping[str, Any],
    references: str = "references",
    questions: str | None = None,
    threshold: float = 0.5,
    **options: Any,
) -> dict[str, Any]:
    """Return promptfoo's `pass`, `score` and `reason` of one output.

    Args:
        name: The name of the metric.
        output: What the model wrote.
        context: What promptfoo knows of the test.
        references: The variable of the test that has its reference or references.
        questions: The variable that has its question.
        threshold: The least score that passes.
        **options: The options of the metric.
    """
    variables = context["vars"]
    asked = variables[questions] if questions else None
    score, found = row_scorer(name, **options)(predictions=output, references=variables[references], questions=asked)
    return {"pass": score >= threshold, "score": score, "reason": str(found.get("match_types") or found)}
