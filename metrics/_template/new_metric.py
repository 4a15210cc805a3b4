"""New metric: which share of the predictions begins with its reference?"""

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import evaluate

from ._columns import Answers
from ._columns import Texts
from ._intervals import mean_interval
from ._options import Flag
from ._options import Integer
from ._options import Number
from ._scoring import Scoring
from ._version import VERSION

_DESCRIPTION = """
New metric is the share of predictions that begin with their reference, or with one of their references.
"""

_CITATION = r"""
@inproceedings{vonwerra2022evaluate,
  title = {Evaluate \& Evaluation on the Hub: Better Best Practices for Data and Model Measurements},
  author = {von Werra, Leandro and Tunstall, Lewis and Thakur, Abhishek and Luccioni, Sasha and others},
  booktitle = {Proceedings of EMNLP: System Demonstrations},
  year = {2022},
  url = {https://aclanthology.org/2022.emnlp-demos.13}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The answers to score.
    references (list of str, or list of lists of str): What each should begin with, or several possible beginnings.
    case_sensitive (bool): Respect letter case. Defaults to True.
    return_confidence (bool): Add `score_confidence_interval`. Defaults to False.
    confidence_level (float, between 0 and 1): The level of the interval. Defaults to 0.95.
    return_details (bool): Add the per-example list. Defaults to True.
    return_signature (bool): Add `signature`, one line that holds everything that can change a score. Defaults to False.
    bootstrap_seed (int): The seed of the resampling. Defaults to 0.

Returns:
    score (float, 0 to 1): The mean of the individual scores.
    individual_scores (list of float): 1.0 for a prediction that begins with a reference, else 0.0.
    score_confidence_interval (tuple of two floats): The interval of `score`; with `return_confidence` only.
    signature (str): With `return_signature` only.

Examples:
    >>> import evaluate
    >>> new_metric = evaluate.load("metrics/new_metric")
    >>> new_metric.compute(predictions=["Paris, France", "Lyon"], references=["Paris", "Paris"])
    {'score': 0.5, 'individual_scores': [1.0, 0.0]}
    >>> new_metric.compute(predictions=["PARIS"], references=["Paris"], case_sensitive=False, return_details=False)
    {'score': 1.0}
"""


def begins_with(prediction: str, references: str | list[str], *, case_sensitive: bool = True) -> float:
    """Give 1.0 if a prediction begins with a reference, or with one of several, else 0.0."""
    candidates = [references] if isinstance(references, str) else references
    if not case_sensitive:
        prediction, candidates = prediction.casefold(), [candidate.casefold() for candidate in candidates]
    return float(prediction.startswith(tuple(candidates)))


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class NewMetric(Scoring, evaluate.Metric):
    """Adapter between `evaluate` and the functions above."""

    version = VERSION
    inputs = {"predictions": Texts(), "references": Answers()}
    options = {
        "case_sensitive": Flag(),
        "return_confidence": Flag(),
        "confidence_level": Number(0, 1, open_ends=True),
        "return_details": Flag(),
        "return_signature": Flag(),
        "bootstrap_seed": Integer(0),
    }

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=self.feature_alternatives(),
            reference_urls=["https://huggingface.co/docs/evaluate/creating_and_sharing"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[str] | list[list[str]],
        case_sensitive: bool = True,
        return_confidence: bool = False,
        confidence_level: float = 0.95,
        return_details: bool = True,
        return_signature: bool = False,
        bootstrap_seed: int = 0,
    ) -> dict[str, Any]:
        return self._run(locals())

    def _score(self, inputs: Mapping[str, list[Any]], options: SimpleNamespace) -> dict[str, list[Any]]:
        pairs = zip(inputs["predictions"], inputs["references"], strict=True)
        scores = [begins_with(one, several, case_sensitive=options.case_sensitive) for one, several in pairs]
        return {"individual_scores": scores}

    def _scored(self, options: SimpleNamespace) -> tuple[str, ...]:
        return ("individual_scores",)

    def _aggregate(self, columns: dict[str, list[Any]], options: SimpleNamespace) -> dict[str, Any]:
        scores = columns["individual_scores"]
        result: dict[str, Any] = {"score": math.fsum(scores) / len(scores) if scores else 0.0}
        if options.return_confidence:
            result["score_confidence_interval"] = mean_interval(
                scores, result["score"], level=options.confidence_level, seed=options.bootstrap_seed
            )
        return result | columns if options.return_details else result

    def _signed(self, options: SimpleNamespace) -> dict[str, Any]:
        return {"case": options.case_sensitive}
