"""A component for Haystack's pipelines, with the sockets of its own evaluators."""

from typing import Any

from haystack import component, default_from_dict, default_to_dict

import answer_metrics
from answer_metrics.integrations import headline


@component
class AnswerEvaluator:
    """Scores predicted answers against ground truth, with any metric of texts: `AnswerEvaluator("token_f1")`."""

    def __init__(self, metric: str = "accuracy", **options: Any) -> None:
        self._given = {"metric": metric, **options}
        self._metric = answer_metrics.load(metric, **options)

    @component.output_types(score=float, individual_scores=list[float | None], interval=list[float])
    def run(self, ground_truth_answers: list[Any], predicted_answers: list[str]) -> dict[str, Any]:
        """Return the score, 0 to 1, that of each answer, and the 95% confidence interval of the score.

        Each answer has a reference or a list of them.
        """
        scored = self._metric.score_batch({"predictions": predicted_answers, "references": ground_truth_answers})
        result = self._metric.aggregate(scored, return_details=False, return_confidence=True)
        score, low, high = headline(self._metric, result).values()
        return {"score": score, "individual_scores": self._metric.row_scores(scored), "interval": [low, high]}

    def to_dict(self) -> dict[str, Any]:
        """Serialize, for pipelines in YAML."""
        return dict(default_to_dict(self, **self._given))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "AnswerEvaluator":
        """Rebuild what `to_dict` returned."""
        rebuilt: AnswerEvaluator = default_from_dict(cls, data)
        return rebuilt
