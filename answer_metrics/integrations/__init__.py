"""Adapters for other tools: `answer_metrics.integrations.<tool>` imports that tool."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import answer_metrics


def row_scorer(name: str, **options: Any) -> Callable[..., tuple[float, dict[str, Any]]]:
    """Return a function that scores one row with the metric `name` and its `options`.

    It takes the inputs of a row by their names in `compute`, without those that are None or that the metric does not
    have, and returns the main score, NaN if there is none, and the row's columns.
    """
    metric = answer_metrics.load(name, **options)

    def score(**row: Any) -> tuple[float, dict[str, Any]]:
        given = {key: [one] for key, one in row.items() if key in metric.inputs and one is not None}
        scored = metric.score_batch(given)
        values = {key.removeprefix(f"{metric.label}_"): column[0] for key, column in scored.items()}
        (found,) = metric.row_scores(scored)
        return math.nan if found is None else found, values

    return score


def headline(metric: Any, result: Mapping[str, Any]) -> dict[str, float]:
    """Return the main score as `<score>` and its interval as `<score>_low` and `<score>_high`, as loggers take them."""
    name = metric.main_score
    low, high = result[f"{name}_confidence_interval"]
    return {name: result[name], f"{name}_low": low, f"{name}_high": high}
