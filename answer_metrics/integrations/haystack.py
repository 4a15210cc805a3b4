"""Components for Haystack's pipelines, with the sockets of its own evaluators."""

import functools
import operator
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

import answer_metrics
from answer_metrics.integrations import headline, present_inputs


class _Evaluator:
    """What the components share: a metric, its result as outputs, and serialization."""

    def __init__(self, metric: str, options: dict[str, Any], **arguments: Any) -> None:
        self._arguments = {"metric": metric, **arguments, **options}
        self._metric = answer_metrics.load(metric, **options)

    def _evaluate(self, **inputs: Any) -> dict[str, Any]:
        scored = self._metric.score_batch(present_inputs(self._metric, inputs))
        result = self._metric.aggregate(scored, return_details=False, return_confidence=True)
        score, low, high = headline(self._metric, result).values()
        return {"score": score, "individual_scores": self._metric.row_scores(scored), "interval": [low, high]}

    def to_dict(self) -> dict[str, Any]:
        """Serialize the component, for pipelines in YAML."""
        return dict(default_to_dict(self, **self._arguments))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Any:
        """Rebuild what `to_dict` returned."""
        return default_from_dict(cls, data)


@component
class AnswerEvaluator(_Evaluator):
    """Scores predicted answers against ground truth, with any metric of texts: `AnswerEvaluator("token_f1")`."""

    def __init__(self, metric: str = "accuracy", **options: Any) -> None:
        _Evaluator.__init__(self, metric, options)  # the decorator replaces the class, which breaks super()

    @component.output_types(score=float, individual_scores=list[float | None], interval=list[float])
    def run(
        self, ground_truth_answers: list[Any], predicted_answers: list[str], questions: list[str] | None = None
    ) -> dict[str, Any]:
        """Return the score, 0 to 1, that of each answer, and the confidence interval of the score.

        Each answer has a reference or a list of them. `l3score` needs the questions.
        """
        return self._evaluate(predictions=predicted_answers, references=ground_truth_answers, questions=questions)


@component
class RetrievalEvaluator(_Evaluator):
    """Scores retrieved documents against ground truth: `RetrievalEvaluator("precision_recall_f1")`.

    As in Haystack, `document_comparison_field` identifies a document: content, id or `meta.<key>`.
    """

    def __init__(
        self, metric: str = "ranked_retrieval", document_comparison_field: str = "content", **options: Any
    ) -> None:
        _Evaluator.__init__(self, metric, options, document_comparison_field=document_comparison_field)
        self._field = document_comparison_field
        self._attribute, *self._keys = self._field.split(".")
        if self._attribute not in {"content", "id", "meta"}:
            raise ValueError(f"document_comparison_field must be content, id or meta.<key>, got {self._attribute!r}")

    @component.output_types(score=float, individual_scores=list[float | None], interval=list[float])
    def run(
        self, ground_truth_documents: list[list[Document]], retrieved_documents: list[list[Document]]
    ) -> dict[str, Any]:
        """Return the score, 0 to 1, that of each query, and the confidence interval of the score."""

        def identify(document: Document) -> str:
            try:
                return str(functools.reduce(operator.getitem, self._keys, getattr(document, self._attribute)))
            except (KeyError, TypeError):
                raise ValueError(f"a document has no {self._field}: id {document.id}") from None

        predictions, references = (
            [list(map(identify, documents)) for documents in queries]
            for queries in (retrieved_documents, ground_truth_documents)
        )
        return self._evaluate(predictions=predictions, references=references)
