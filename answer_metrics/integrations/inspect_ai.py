"""Scorers for Inspect: every metric of texts, found by its name through an entry point of this package.

    inspect score logs/run.eval --scorer answer_metrics/accuracy -S match=recall

In a task: `Task(..., scorer=scorer("accuracy", match="recall"))`.
"""

import asyncio
import math
from collections.abc import Callable
from statistics import fmean
from typing import Any

from inspect_ai.scorer import NOANSWER, SampleScore, Score, Scorer, Target, Value, ci_wilson, mean, metric, stderr
from inspect_ai.scorer import scorer as register
from inspect_ai.solver import TaskState
from inspect_ai.util import sample_limits

import answer_metrics
from answer_metrics.integrations import explain, row_scorer


@metric
def attempts() -> Any:
    """Compute `accuracy_given_attempted`, the mean over samples that do not decline in all epochs.

    It is there with the option `abstention` only.
    """

    def compute(scores: list[SampleScore]) -> Value:
        if not any("declines" in (sample.score.metadata or {}) for sample in scores):
            return {}
        attempted = [sample.score.as_float() for sample in scores if sample.score.reason != "refusal"]
        return {"accuracy_given_attempted": fmean(attempted or [0.0])}

    return compute


def _registered(name: str) -> Callable[..., Scorer]:
    names_of_options = answer_metrics.metric_class(name).options
    interval = ci_wilson() if "confidence_method" in names_of_options else stderr()
    metrics = [mean(), interval, attempts()] if "abstention" in names_of_options else [mean(), interval]

    @register(metrics=metrics, name=name)
    def build(**options: Any) -> Scorer:
        if refused := options.keys() & {"confidence_level", "confidence_method"}:
            instead = "metrics=[mean(), ci_wilson(level=0.99)]"
            raise RuntimeError(f"{name}: Inspect computes the interval; give the task {instead}, not {min(refused)}")
        try:
            score_row = row_scorer(name, **options)
        except (TypeError, ValueError) as error:  # which Inspect takes for a scorer that does not exist
            raise RuntimeError(str(error)) from None

        async def score(state: TaskState, target: Target) -> Score:
            try:
                references = _references(state, target)
            except ValueError as error:
                if _is_running():
                    raise
                return Score.unscored(reason="scoring_failed", explanation=f"{error}")
            row = {"predictions": state.output.completion, "questions": state.input_text, **references}
            value, details = await asyncio.to_thread(score_row, **row)  # a judge waits for its server
            texts = {"answer": details.get("extracted", state.output.completion), "explanation": explain(details)}
            if math.isnan(value):
                return Score.unscored(reason="grader_failed", metadata=details, **texts)
            declines = details.get("match_types") == "abstained"
            if options.get("abstention") is not None:
                details["declines"] = declines
            outcome = {"value": NOANSWER, "reason": "refusal"} if declines else {"value": value}
            return Score(metadata=details, **outcome, **texts)

        return score

    scorer_: Callable[..., Scorer] = build
    return scorer_


def _is_running() -> bool:
    """Return whether the sample is part of a run, which records its errors; `inspect score` would end."""
    try:
        sample_limits()
    except RuntimeError:
        return False
    return True


def _references(state: TaskState, target: Target) -> dict[str, Any]:
    """Return the references of a sample, and its choices in the order of the target's letters.

    As in Inspect, several letters of choices are one set: all of them must be chosen.
    """
    references = [text for text in target if text]
    if not references:
        raise ValueError(f"sample {state.sample_id!r} has no target")
    choices = [choice.value for choice in sorted(state.choices, key=lambda choice: choice.original_position)]
    if len(references) > 1 and all(len(text) == 1 and 0 <= ord(text) - ord("A") < len(choices) for text in references):
        references = [", ".join(references)]
    return {"references": references, "choices": choices or None}


SCORERS = {
    name: _registered(name)
    for name in answer_metrics.names()
    if getattr(answer_metrics.metric_class(name).inputs.get("predictions"), "type_name", "") == "list of str"
}
"""The scorers by the names of the metrics."""


def scorer(name: str, **options: Any) -> Scorer:
    """Return the scorer of a metric, with its options; a `ValueError` for a metric that scores no texts."""
    answer_metrics.check_name(name)
    if name not in SCORERS:
        raise ValueError(f"{name} does not score texts; these do: {', '.join(SCORERS)}")
    return SCORERS[name](**options)
