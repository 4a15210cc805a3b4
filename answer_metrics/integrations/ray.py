"""Scoring of Ray's datasets: `scored = score(dataset, "accuracy", keep=["id"], match="recall")`."""

from collections.abc import Mapping, Sequence
from typing import Any

import answer_metrics


def score(
    dataset: Any, name: str, *, columns: Mapping[str, str] | None = None, keep: Sequence[str] = (), **options: Any
) -> Any:
    """Score a Ray dataset with the metric `name`: return a dataset of the scores and of the columns in `keep`.

    `columns` maps inputs of the metric to columns with other names. Ray does not keep the order of the rows, so keep
    their ids, by which `compare` matches them.
    """
    metric = answer_metrics.load(name, **options)
    arguments = {"columns": dict(columns or {}), "keep": list(keep)}
    return dataset.map_batches(metric.score_batch, fn_kwargs=arguments, batch_format="pyarrow")


def aggregate(scored: Any, name: str, **options: Any) -> Any:
    """Return the result of `compute`, from what `score` returned under the same options."""
    return answer_metrics.load(name).aggregate(scored, return_details=False, **options)
