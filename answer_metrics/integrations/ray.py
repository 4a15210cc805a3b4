"""Scoring of Ray's datasets: `scored = score(dataset, "accuracy", keep=["id"], match="recall")`."""

from collections.abc import Mapping, Sequence
from typing import Any

import answer_metrics


def score(
    dataset: Any, name: str, *, columns: Mapping[str, str] | None = None, keep: Sequence[str] = (), **options: Any
) -> Any:
    """Return a dataset of the scores, and of the columns in `keep`; Ray does not keep the order of the rows.

    Args:
        dataset: A dataset of Ray Data.
        name: The name of the metric.
        columns: The names of input columns that differ, as in `score_batch`.
        keep: Other columns to keep, such as ids, by which `compare` matches rows.
        **options: The options of the metric.
    """
    metric = answer_metrics.load(name, **options)
    arguments = {"columns": dict(columns or {}), "keep": list(keep)}
    return dataset.map_batches(metric.score_batch, fn_kwargs=arguments, batch_format="pyarrow")


def aggregate(scored: Any, name: str, **options: Any) -> Any:
    """Return the result of `compute`, from what `score` returned under the same options."""
    return answer_metrics.load(name).aggregate(scored, return_details=False, **options)
