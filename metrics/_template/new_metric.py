"""New metric: the share of predictions that begin with their reference."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answer_metrics.columns.inputs import References, Strings
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import Options, option
from answer_metrics.core.results import Output
from answer_metrics.statistics.statistic import Statistic, mean

_CITATION = r"""
@inproceedings{vonwerra2022evaluate,
  title = {Evaluate \& Evaluation on the Hub: Better Best Practices for Data and Model Measurements},
  author = {von Werra, Leandro and Tunstall, Lewis and Thakur, Abhishek and Luccioni, Sasha and others},
  booktitle = {Proceedings of EMNLP: System Demonstrations},
  year = {2022},
  url = {https://aclanthology.org/2022.emnlp-demos.13}
}
"""

_EXAMPLES = """
    >>> import evaluate
    >>> new_metric = evaluate.load("./metrics/new_metric")
    >>> new_metric.compute(predictions=["Paris", "Lyon"], references=["Paris", "Paris"])
    {'score': 0.5, 'individual_scores': [1.0, 0.0]}
    >>> new_metric.compute(predictions=["PARIS"], references=["Paris"], case_sensitive=False, return_details=False)
    {'score': 1.0}
"""


def begins_with(prediction: str, reference: str, *, case_sensitive: bool = True) -> float:
    """Return 1.0 if a prediction begins with a reference, else 0.0."""
    if not case_sensitive:
        prediction, reference = prediction.casefold(), reference.casefold()
    return float(prediction.startswith(reference))


@dataclass(frozen=True, kw_only=True)
class NewMetricOptions(Options):
    """The options of new_metric."""

    case_sensitive: bool = option(True, "Respect letter case.")
    return_details: bool = True


class NewMetric(Module):
    """New metric is the share of predictions that begin with their reference, or with one of them."""

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://huggingface.co/docs/evaluate/creating_and_sharing"]
    options_type = NewMetricOptions
    inputs = {
        "predictions": Strings("The answers to score."),
        "references": References("The expected beginning of each, or several acceptable ones."),
    }
    outputs = {
        "score": Output("float, 0 to 1", "Mean of the individual scores."),
        "score_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "individual_scores": Output(
            "list of float", "1.0 for a prediction that begins with a reference, 0.0 for any other."
        ),
    }
    main_score = "score"
    columns = {"individual_scores": float}

    def score(self, inputs: Mapping[str, Any], options: NewMetricOptions) -> dict[str, Any]:
        scores = []
        for prediction, references in zip(inputs["predictions"], inputs["references"], strict=True):
            candidates = [references] if isinstance(references, str) else references
            pairs = [(prediction, candidate) for candidate in candidates]
            scores.append(max(begins_with(*pair, case_sensitive=options.case_sensitive) for pair in pairs))
        return {"individual_scores": scores}

    def statistics(self, columns: Mapping[str, Any], options: NewMetricOptions) -> dict[str, Statistic]:
        return {"score": mean(columns["individual_scores"])}

    def signature_fields(self, options: NewMetricOptions) -> dict[str, Any]:
        return {"case": options.case_sensitive}
