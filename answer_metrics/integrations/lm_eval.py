"""Scoring in tasks of lm-evaluation-harness, with several references, several samples, questions or a judge."""

import math
from collections.abc import Callable
from statistics import fmean
from typing import Any

from answer_metrics.integrations import get_fields, row_scorer


def process_results(
    name: str,
    references: str | Callable[[Any], Any] = "answer",
    questions: str | None = None,
    *,
    label: str | None = None,
    **options: Any,
) -> Callable[[Any, list[Any]], dict[str, float]]:
    """Return a function for `process_results` of a task: the mean score of a document's samples with a metric.

    `references` is the field of a document that has its reference or references, or a function from the document;
    `questions` is the field of its question. The score is called `label`, or like the metric. A document without a
    score, such as one that no judge could judge, is left out of the mean of the task.
    """
    score = row_scorer(name, **options)

    def process(document: Any, results: list[Any]) -> dict[str, float]:
        named = None if callable(references) else references
        row = get_fields(document, "field of the document", references=named, questions=questions)
        if callable(references):
            row["references"] = references(document)
        samples = results[0] if isinstance(results[0], list) else results[:1]
        scores = [score(predictions=sample, **row)[0] for sample in samples]
        present = [value for value in scores if not math.isnan(value)]
        return {label or name: fmean(present)} if present else {}

    return process
