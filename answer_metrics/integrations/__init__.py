"""Adapters for other tools: `answer_metrics.integrations.<tool>` imports that tool."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import answer_metrics

_EXPLANATIONS = {
    "exact": "The answer equals a reference.",
    "contains": "The answer contains a reference.",
    "recall": "The answer has enough of the words of a reference and does not contradict it.",
    "value": "The answer equals a reference as a number.",
    "equivalent": "The answer is equivalent to a reference.",
    "fuzzy": "The answer is similar enough to a reference.",
    "unextracted": "No answer was found in the output.",
    "truncated": "The output ended mid-reasoning, before an answer.",
    "abstained": "The output declines to answer.",
    "hedged": "The output names several candidates.",
    "none": "The answer matches no reference.",
}


def row_scorer(metric: Any, **options: Any) -> Callable[..., tuple[float, dict[str, Any]]]:
    """Return a function that scores one row with a metric, given by its name and its `options`, or loaded.

    It takes the inputs of a row by their names in `compute`, without those that the metric does not have, or does not
    need and that are None, and returns the main score, NaN if there is none, and the row's details by name.
    """
    metric = answer_metrics.load(metric, **options) if isinstance(metric, str) else metric
    kinds = metric.columns_of(metric.resolve_options({}))

    def score(**inputs: Any) -> tuple[float, dict[str, Any]]:
        scored = metric.score_batch({name: [value] for name, value in present_inputs(metric, inputs).items()})
        (main,) = metric.row_scores(scored)
        stored = {name: scored[f"{metric.name}_{name}"][0] for name in kinds}
        details = {name: json.loads(value) if kinds[name] is list else value for name, value in stored.items()}
        return math.nan if main is None else main, details

    return score


def present_inputs(metric: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs that the metric has, without those that are optional and None."""
    columns = metric.inputs
    return {
        name: value
        for name, value in inputs.items()
        if name in columns and (value is not None or not columns[name].optional)
    }


def explain(details: Mapping[str, Any]) -> str:
    """Explain a row's score in a sentence."""
    if details.get("failures"):
        return f"There is no score: {details['failures']}."
    if "match_types" in details:
        match_type = details["match_types"]
        return _EXPLANATIONS.get(match_type, f"The type of match is {match_type}.")
    numbers = {name: value for name, value in details.items() if isinstance(value, (int, float))}
    scores = {name.removeprefix("individual_"): value for name, value in numbers.items() if "individual_" in name}
    return f"Scores: {', '.join(f'{name} {value:.3g}' for name, value in scores.items())}."


def headline(metric: Any, result: Mapping[str, Any]) -> dict[str, float]:
    """Return the main score as `<score>` and its interval as `<score>_low` and `<score>_high`, as loggers take them."""
    name = metric.main_score if metric.main_score in result else next(iter(metric.scales()))
    low, high = result[f"{name}_confidence_interval"]
    return {name: result[name], f"{name}_low": low, f"{name}_high": high}


def get_fields(fields: Mapping[str, Any], kind: str, **names: str | None) -> dict[str, Any]:
    """Return the fields that the arguments of an adapter name, without those that are None.

    A `ValueError` lists the fields if one is missing; `kind` says what they are.
    """
    for argument, name in names.items():
        if name is not None and name not in fields:
            raise ValueError(f"{argument}={name!r} is not a {kind}; choose one of these: {', '.join(map(str, fields))}")
    return {argument: fields[name] for argument, name in names.items() if name is not None}
