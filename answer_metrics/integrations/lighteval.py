"""Metrics for LightEval: `metrics=[metric("accuracy", match="recall")]` in the configuration of a task."""

from typing import Any

import numpy as np
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetric, SamplingMethod

from answer_metrics.integrations import row_scorer


class _Rows(SampleLevelComputation):
    """Scores a document; LightEval pickles it."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self._given = name, options
        self._score = row_scorer(name, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given

    def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
        row = {"predictions": model_response.text[0], "references": doc.get_golds(), "questions": doc.query}
        return self._score(**row)[0]


def metric(name: str, **options: Any) -> SampleLevelMetric:
    """Return a metric of LightEval, the mean of the rows' scores; the choices at `gold_index` are the references."""
    return SampleLevelMetric(name, True, SamplingMethod.GENERATIVE, _Rows(name, options), np.mean)
