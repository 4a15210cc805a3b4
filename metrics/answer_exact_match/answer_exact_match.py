"""Answer exact match: the share of answers that equal a reference, character by character."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa

from ._answer_normalizers import Normalizer
from ._answer_normalizers import normalize_answers
from ._answer_normalizers import normalizer_version
from ._ascii_normalization import strip_ascii as strip_ascii
from ._buffering import positional_error as positional_error
from ._character_sums import equal_pairs
from ._character_sums import prefers_sums
from ._character_weights import sums_of_texts as sums_of_texts
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._exact_match import exact_matches
from ._human_labels import MIN_LABELS as MIN_LABELS
from ._intervals import Interval as Interval
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._normalization import NORMALIZATION_VERSION as NORMALIZATION_VERSION
from ._normalized_forms import Rules
from ._options import ConfidenceMethod
from ._options import ConfidenceMethodName
from ._options import Function
from ._options import ScoringOptions
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._punctuation import is_mark as is_mark
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._scored_reading import ScoredColumnReader as ScoredColumnReader
from ._statistics import Statistic
from ._statistics import column_statistic
from ._string_buffers import string_buffers as string_buffers
from ._strings import map_strings
from ._tabular import plain_columns
from ._tabular import value_counts
from ._user_warnings import warn as warn
from ._version import VERSION

_DESCRIPTION = """
Answer exact match is the share of predictions that equal their reference, or one of their references, character by
character: no stripping, no case folding. It suits extractive question answering, where an answer is a span of text.
"""

_CITATION = """\
@inproceedings{rajpurkar2016squad,
  title = {{SQuAD}: 100,000+ Questions for Machine Comprehension of Text},
  author = {Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy},
  booktitle = {Proceedings of EMNLP},
  year = {2016},
  url = {https://aclanthology.org/D16-1264}
}
"""

_EXAMPLES = """
    >>> import evaluate
    >>> exact_match = evaluate.load("./metrics/answer_exact_match")
    >>> exact_match.compute(predictions=["Berlin", "Lyon"], references=["Berlin", "Paris"])
    {'score': 0.5, 'individual_scores': [1, 0]}

    Several references, and SQuAD's normalization:

    >>> exact_match.compute(predictions=["the Seine"], references=[["Seine", "River Seine"]], normalizer="squad")
    {'score': 1.0, 'individual_scores': [1]}
"""


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of answer_exact_match."""

    normalizer: Annotated[
        Normalizer,
        Function(
            "default",
            "squad",
            help=(
                "How to normalize predictions and references: None (no normalization), default (as in the accuracy "
                "metric: case, punctuation and extra spaces are ignored, numbers keep their value), squad (as in "
                "SQuAD's official script), or a function from str to str."
            ),
        ),
    ] = None
    confidence_method: Annotated[ConfidenceMethodName, ConfidenceMethod()] = "wilson"
    return_details: bool = True


class AnswerExactMatch(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://docs.haystack.deepset.ai/docs/answerexactmatchevaluator"]
    options_type = Options
    inputs = {
        "predictions": StringColumn("The answers to score."),
        "references": ReferenceColumn("The reference for each, or a list of acceptable references for each."),
    }
    outputs = {
        "score": Output("float, 0 to 1", "Share of exact matches."),
        "score_confidence_interval": Output(
            "tuple of two floats", "Interval of `score`; with `return_confidence` only."
        ),
        "individual_scores": Output("list of int", "1 for an exact match, 0 otherwise."),
        **COMMON_OUTPUTS,
    }
    main_score = "score"
    aggregates_counts = True

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        return {"individual_scores": "int"}

    def takes_arrow(self, options: Options) -> bool:
        return options.normalizer in {None, "default"}

    def score_columns(self, inputs: Mapping[str, Any], options: Options) -> dict[str, Any]:
        if self.takes_arrow(options) and prefers_sums(inputs["predictions"]):
            rules = Rules(case_sensitive=False, normalize_text=True) if options.normalizer else None
            equal = equal_pairs(inputs["predictions"], inputs["references"], rules)
            return {"individual_scores": pa.array(equal.astype(np.int64))}
        inputs = plain_columns(inputs)
        normalize = partial(normalize_answers, normalizer=options.normalizer)
        predictions, references = normalize(inputs["predictions"]), map_strings(normalize, inputs["references"])
        return {"individual_scores": exact_matches(predictions, references)}

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {"score": column_statistic(columns["individual_scores"], "proportion")}

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        scores = value_counts(columns["individual_scores"])
        total = scores.total()
        return {"score": scores[1] / total if total else 0.0}

    def signature_fields(self, options: Options) -> dict[str, Any]:
        return {"norm": normalizer_version(options.normalizer)}
