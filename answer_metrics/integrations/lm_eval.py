"""Scoring in tasks of lm-evaluation-harness, with several references, questions or a judge."""

from collections.abc import Callable
from typing import Any

from answer_metrics.integrations import row_scorer


def process_results(
    name: str, references: str | Callable[[Any], Any] = "answer", questions: str | None = None, **options: Any
) -> Callable[[Any, list[str]], dict[str, float]]:
    """Return a function for `process_results` of a task, whose only score has the name of the metric.

    Args:
        name: The name of the metric.
        references: The field of a document that has its reference or references, or a function from the document.
        questions: The field of its question.
        **options: The options of the metric.
    """
    score = row_scorer(name, **options)

    def process(doc: Any, results: list[str]) -> dict[str, float]:
        gold = references(doc) if callable(references) else doc[references]
        asked = doc[questions] if questions else None
        return {name: score(predictions=results[0], references=gold, questions=asked)[0]}

    return process
