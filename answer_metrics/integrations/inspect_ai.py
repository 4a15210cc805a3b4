"""Scorers for Inspect: every metric of texts, found by its name through an entry point of this package.

    inspect score logs/run.eval --scorer answer_metrics/accuracy -S match=recall

In a task: `Task(..., scorer=scorer("accuracy", match="recall"))`.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, ci_wilson, mean, stderr
from inspect_ai.scorer import scorer as register
from inspect_ai.solver import TaskState

import answer_metrics
from answer_metrics.integrations import row_scorer


def _registered(name: str) -> Callable[..., Scorer]:
    interval = ci_wilson() if "confidence_method" in answer_metrics.metric_class(name).options else stderr()

    @register(metrics=[mean(), interval], name=name)
    def build(**options: Any) -> Scorer:
        try:
            score_row = row_scorer(name, **options)
        except (TypeError, ValueError) as error:  # which Inspect takes for a scorer that does not exist
            raise RuntimeError(str(error)) from None

        async def score(state: TaskState, target: Target) -> Score:
            choices = [choice.value for choice in state.choices] if state.choices else None
            row = {"predictions": state.output.completion, "references": list(target), "questions": state.input_text}
            value, found = await asyncio.to_thread(score_row, choices=choices, **row)  # a judge waits for its server
            explanation = found.get("match_types") or json.dumps(found)
            return Score(value=value, answer=state.output.completion, explanation=explanation, metadata=found)

        return score

    scorer_: Callable[..., Scorer] = build
    return scorer_


SCORERS = {
    name: _registered(name)
    for name in answer_metrics.names()
    if answer_metrics.metric_class(name).inputs["predictions"].type_label == "list of str"
}
"""The scorers by the names of the metrics."""


def scorer(name: str, **options: Any) -> Scorer:
    """Return the scorer of a metric, with its options."""
    return SCORERS[name](**options)
