"""Precision, recall and F1 of retrieval, against ground-truth contexts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from typing import Any
from typing import Literal

import evaluate
import numpy as np

from ._buffering import positional_error as positional_error
from ._columns import StringListColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._human_labels import MIN_LABELS as MIN_LABELS
from ._intervals import Interval as Interval
from ._matching import match_query
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._options import Choice
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._relevance import RelevanceOptions
from ._relevance import sentences_of
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._scored_reading import ScoredColumnReader as ScoredColumnReader
from ._sentences import SENTENCES_VERSION as SENTENCES_VERSION
from ._statistics import Statistic
from ._statistics import mean_statistic
from ._statistics import pooled_statistic
from ._string_buffers import string_buffers as string_buffers
from ._strings import shorten as shorten
from ._tabular import LONG_LIST as LONG_LIST
from ._tokens import TOKENS_VERSION as TOKENS_VERSION
from ._unicode_scripts import NO_SPACE_SCRIPTS as NO_SPACE_SCRIPTS
from ._user_warnings import warn
from ._version import VERSION

_DESCRIPTION = """
Precision, recall and F1 of a retriever, against ground-truth contexts that need not be the chunks that it retrieves.
A retrieved chunk or sentence is relevant if it equals a ground truth, or if it contains enough of one, in order:
ROUGE-L recall above a threshold.
"""

_CITATION = """\
@inproceedings{lin2004rouge,
  title = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  author = {Lin, Chin-Yew},
  booktitle = {Text Summarization Branches Out},
  year = {2004},
  url = {https://aclanthology.org/W04-1013}
}
"""

_EXAMPLES = """
    >>> import evaluate
    >>> metric = evaluate.load("./metrics/precision_recall_f1")
    >>> retrieved = [["Paris is the capital of France.", "Lyon is on the Rhone."]]
    >>> ground_truth = [["Paris is the capital of France."]]
    >>> result = metric.compute(predictions=retrieved, references=ground_truth)
    >>> {key: round(value, 3) for key, value in result.items()}
    {'precision': 0.5, 'recall': 1.0, 'f1': 0.667}

    Sentence by sentence, with the pairs that match:

    >>> result = metric.compute(
    ...     predictions=[["Lyon is on the Rhone. Paris, they say, is the capital of France."]],
    ...     references=ground_truth,
    ...     matching_strategy="ROUGE_SENTENCE_MATCH",
    ...     return_details=True,
    ... )
    >>> print(result["precision"], result["recall"], result["matched_pairs"])
    0.5 1.0 [[[1, 0]]]
"""

Array = np.ndarray[Any, Any]

COUNTS = ("relevant", "retrieved", "found", "ground_truths")
SCORES = ("precision", "recall", "f1")
INDIVIDUAL = tuple(f"individual_{name}" for name in SCORES)


def scores(counts: Array) -> Array:
    """Compute precision, recall and F1 from counts; divisions by zero give 0.

    Args:
        counts: Shape (..., 4): the numbers of relevant retrieved components, retrieved components, distinct ground
            truths found, and distinct ground truths.

    Returns:
        Shape (..., 3), between 0 and 1.
    """
    relevant, retrieved, found, ground_truths = np.moveaxis(counts, -1, 0)
    precision, recall = _divide(relevant, retrieved), _divide(found, ground_truths)
    return np.stack([precision, recall, _divide(2 * precision * recall, precision + recall)], axis=-1)


def score_at(index: int, counts: Array) -> Array:
    """Return the score with this index in `SCORES`, shape (...)."""
    score: Array = scores(counts)[..., index]
    return score


def _divide(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros(np.shape(whole)), where=whole != 0)


@dataclass(frozen=True, kw_only=True)
class Options(RelevanceOptions):
    """The options of precision_recall_f1."""

    average: Annotated[
        Literal["macro", "micro"],
        Choice(
            "macro", "micro", help="macro: the means over the queries; micro: from the pooled counts of all queries."
        ),
    ] = "macro"


class PrecisionRecallF1(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = [
        "https://aclanthology.org/W04-1013",
        "https://github.com/google-research/google-research/tree/master/rouge",
    ]
    options_type = Options
    inputs = {
        "predictions": StringListColumn("The chunks that were retrieved for each query; a list may be empty."),
        "references": StringListColumn("The ground-truth contexts of each query; a list may be empty."),
    }
    outputs = {
        "precision": Output("float, 0 to 1", "Relevant retrieved components / retrieved components."),
        "recall": Output("float, 0 to 1", "Distinct ground-truth components found / distinct ground-truth components."),
        "f1": Output(
            "float, 0 to 1", '2 precision recall / (precision + recall); with `average="macro"` the mean over queries.'
        ),
        "precision_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "recall_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "f1_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "individual_precision": Output("list of float, 0 to 1", "Precision of each query; with `return_details` only."),
        "individual_recall": Output("list of float, 0 to 1", "Recall of each query; with `return_details` only."),
        "individual_f1": Output("list of float, 0 to 1", "F1 of each query; with `return_details` only."),
        "matched_pairs": Output(
            "list of lists of [int, int]",
            "For each query, which retrieved component matches which ground truth; with `return_details` only.",
        ),
        "retrieved_sentences": Output(
            "list of lists of str", "The sentences that the pairs refer to; with details of a sentence strategy only."
        ),
        "ground_truth_sentences": Output("list of lists of str", "The same for the ground truth."),
        **COMMON_OUTPUTS,
    }
    main_score = "f1"
    summary_columns = (*COUNTS, *INDIVIDUAL)

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        types: dict[str, ColumnType] = {**dict.fromkeys(COUNTS, "int"), **dict.fromkeys(INDIVIDUAL, "float")}
        if options.return_details:
            types["matched_pairs"] = "json"
            if options.by_sentence:
                types |= {"retrieved_sentences": "json", "ground_truth_sentences": "json"}
        return types

    def score_columns(self, inputs: Mapping[str, list[Any]], options: Options) -> dict[str, list[Any]]:
        options.warn_if_unmatchable(self.label, {name: inputs[name] for name in ("predictions", "references")})
        retrieved, ground_truths = inputs["predictions"], inputs["references"]
        if options.by_sentence:
            split = options.splitter()
            retrieved = sentences_of("predictions", retrieved, split)
            ground_truths = sentences_of("references", ground_truths, split)
        matcher = options.matcher()
        counts: list[list[int]] = []
        pairs: list[list[list[int]]] = []
        for query in zip(retrieved, ground_truths, strict=True):
            matched = match_query(*query, matcher, with_pairs=options.return_details)
            counts.append([getattr(matched, name) for name in COUNTS])
            if options.return_details:
                pairs.append(matched.pairs)
        table = np.array(counts, dtype=np.int64).reshape(-1, len(COUNTS))
        columns = dict(zip((*COUNTS, *INDIVIDUAL), [*table.T.tolist(), *scores(table).T.tolist()], strict=True))
        if options.return_details:
            columns["matched_pairs"] = pairs
            if options.by_sentence:
                columns |= {"retrieved_sentences": retrieved, "ground_truth_sentences": ground_truths}
        return columns

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        if options.average == "macro":
            return {name: mean_statistic(columns[f"individual_{name}"]) for name in SCORES}
        counts = [columns[name] for name in COUNTS]
        return {name: pooled_statistic(counts, partial(score_at, index)) for index, name in enumerate(SCORES)}

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        total = len(columns["ground_truths"])
        without = columns["ground_truths"].count(0)
        if without:
            have, count = ("has", "counts") if without == 1 else ("have", "count")
            warn(f"{self.label}: {without} of {total} queries {have} no ground truth and {count} with a recall of 0")
        if options.average == "micro":
            averages = scores(np.array([sum(columns[name]) for name in COUNTS], dtype=np.int64)).tolist()
        else:
            averages = [math.fsum(columns[name]) / total if total else 0.0 for name in INDIVIDUAL]
        return dict(zip(SCORES, averages, strict=True))

    def details(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        return {name: columns[name] for name in self.column_types(options) if name not in COUNTS}

    def signature_fields(self, options: Options) -> dict[str, Any]:
        return {"strategy": options.matching_strategy, "average": options.average} | options.signature_fields()
