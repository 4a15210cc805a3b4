"""Metrics for LightEval: `metrics=[metric("accuracy", match="recall")]` in the configuration of a task."""

import copy
import math
from statistics import fmean
from typing import Any, Literal

import numpy as np
from lighteval.metrics.metrics_sample import SampleLevelComputation, SamplingMetric
from lighteval.metrics.utils.metric_utils import SampleLevelMetric, SamplingMethod

import answer_metrics

Reduction = Literal["avg", "maj", "pass"]


class _Samples(SamplingMetric, SampleLevelComputation):
    """Scores the samples of a document; LightEval asks for their number, and pickles it."""

    def __init__(self, name: str, n: int, reduction: Reduction, k: int, options: dict[str, Any]) -> None:
        super().__init__()
        self._metric = answer_metrics.load(name, **options)
        self.n, self.k, self._reduction = n, k, reduction

    def __deepcopy__(self, _memo: Any) -> "_Samples":
        return copy.copy(self)  # LightEval copies its configuration; a copy of the metric would lose its API key

    def num_samples(self) -> int:
        return self.n

    def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
        texts, references = model_response.final_text[: self.n], doc.get_golds()
        row = {"references": references, "questions": doc.query}
        if len(doc.choices) > len(references):  # else all choices are references
            row["choices"] = doc.choices
        columns = {name: [value] * len(texts) for name, value in row.items() if name in self._metric.inputs}
        batch = {"predictions": texts, "document": [0] * len(texts), **columns}
        scored = self._metric.score_batch(batch, keep=["document", "predictions"])
        if self._reduction == "avg":
            scores = [score for score in self._metric.row_scores(scored) if score is not None]
            return fmean(scores) if scores else math.nan
        answers = "predictions" if self._reduction == "maj" else None
        result = self._metric.repeats(scored, on="document", k=self.k, answers=answers)
        return float(result[f"pass@{self.k}"] if self._reduction == "pass" else result["majority@n"])


class _PresentMetric(SampleLevelMetric):
    """A metric without the documents that have no score: NaN would be their mean's standard error."""

    def compute_sample(self, **inputs: Any) -> dict[str, float]:
        return {name: score for name, score in super().compute_sample(**inputs).items() if not math.isnan(score)}


def metric(
    name: str, *, n: int = 1, reduction: Reduction = "avg", k: int = 1, label: str | None = None, **options: Any
) -> SampleLevelMetric:
    """Return a metric of LightEval: the mean over documents that have a score.

    The choices of a document at `gold_index` are the references; if there are others, all are the metric's `choices`.

    Args:
        name: The name of the metric.
        n: The number of samples of a document, which LightEval generates.
        reduction: How a document's samples become its score: their mean (avg@n), the score of the most frequent answer
            (maj@n), or the probability that one of `k` samples is right (pass@k).
        k: The k of pass@k.
        label: The name in LightEval's results; by default that of the metric, with `_maj@n` or `_pass@k`.
        **options: The options of the metric.
    """
    labels = {"avg": name, "maj": f"{name}_maj@{n}", "pass": f"{name}_pass@{k}"}
    if reduction not in labels:
        raise ValueError(f"reduction must be one of {', '.join(labels)}, got {reduction!r}")
    if reduction != "avg" and (n < 2 or k > n):
        raise ValueError(f"reduction={reduction!r} needs several samples, and at least k: n={n}, k={k}")
    computation = _Samples(name, n, reduction, k, options)
    return _PresentMetric(label or labels[reduction], True, SamplingMethod.GENERATIVE, computation, np.mean)
