"""New metric: the share of predictions that begin with their reference."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from typing import Any

import evaluate

from ._buffering import positional_error as positional_error
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._human_labels import Correction as Correction
from ._intervals import Interval as Interval
from ._metric import ScoringMetric
from ._options import Flag
from ._options import ScoringOptions
from ._paired import Pair as Pair
from ._pickling import Secret as Secret
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._statistics import Statistic
from ._statistics import column_statistic
from ._tabular import plain_list as plain_list
from ._user_warnings import warn as warn
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

_EXAMPLES = """
    >>> import evaluate
    >>> new_metric = evaluate.load("./metrics/new_metric")
    >>> new_metric.compute(predictions=["Paris, France", "Lyon"], references=["Paris", "Paris"])
    {'score': 0.5, 'individual_scores': [1.0, 0.0]}
    >>> new_metric.compute(predictions=["PARIS"], references=["Paris"], case_sensitive=False, return_details=False)
    {'score': 1.0}
"""


def begins_with(prediction: str, references: str | list[str], *, case_sensitive: bool = True) -> float:
    """Return 1.0 if a prediction begins with its reference, or with one of several, else 0.0."""
    candidates = [references] if isinstance(references, str) else references
    if not case_sensitive:
        prediction, candidates = prediction.casefold(), [candidate.casefold() for candidate in candidates]
    return float(prediction.startswith(tuple(candidates)))


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of new_metric."""

    case_sensitive: Annotated[bool, Flag(help="Respect letter case.")] = True
    return_details: bool = True


class NewMetric(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://huggingface.co/docs/evaluate/creating_and_sharing"]
    options_type = Options
    inputs = {
        "predictions": StringColumn("The answers to score."),
        "references": ReferenceColumn("The expected beginning of each, or several acceptable ones."),
    }
    outputs = {
        "score": Output("float, 0 to 1", "Mean of the individual scores."),
        "score_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "individual_scores": Output(
            "list of float", "1.0 for a prediction that begins with a reference, 0.0 for any other."
        ),
        **COMMON_OUTPUTS,
    }
    main_score = "score"

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        return {"individual_scores": "float"}

    def score_columns(self, inputs: Mapping[str, list[Any]], options: Options) -> dict[str, list[Any]]:
        pairs = zip(inputs["predictions"], inputs["references"], strict=True)
        return {
            "individual_scores": [
                begins_with(prediction, references, case_sensitive=options.case_sensitive)
                for prediction, references in pairs
            ]
        }

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {"score": column_statistic(columns["individual_scores"], "mean")}

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        scores = columns["individual_scores"]
        return {"score": math.fsum(scores) / len(scores) if scores else 0.0}

    def signature_fields(self, options: Options) -> dict[str, Any]:
        return {"case": options.case_sensitive}
