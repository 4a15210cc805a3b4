"""Precision, recall and F1 of retrieval, against ground-truth contexts."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from answer_metrics.columns.inputs import StringLists
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import option
from answer_metrics.core.results import Output, score_outputs
from answer_metrics.statistics.statistic import Array, Statistic, divide, mean, pooled
from answer_metrics.text.retrieval import RetrievalOptions, match_query, without_truth

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

_MEANINGS = {
    "precision": "Relevant retrieved components / retrieved components.",
    "recall": "Distinct ground-truth components found / distinct ground-truth components.",
    "f1": '2 precision recall / (precision + recall); with `average="macro"` the mean over queries.',
}
COUNTS = ("relevant", "retrieved", "found", "ground_truths")
SCORES = tuple(_MEANINGS)


def scores(counts: Array) -> Array:
    """Compute precision, recall and F1, shape (..., 3), 0 to 1, from counts in the order of `COUNTS`, shape (..., 4).

    Divisions by zero give 0.
    """
    precision, recall = divide(counts[..., :2]), divide(counts[..., 2:])
    f1 = divide(np.stack([2 * precision * recall, precision + recall], axis=-1))
    return np.stack([precision, recall, f1], axis=-1)


def score_at(index: int, counts: Array) -> Array:
    """Return the score with this index in `SCORES`, shape (...)."""
    return np.asarray(scores(counts)[..., index])


@dataclass(frozen=True, kw_only=True)
class PrecisionRecallF1Options(RetrievalOptions):
    """The options of precision_recall_f1."""

    average: Literal["macro", "micro"] = option("macro", "macro: means over queries; micro: from pooled counts.")


class PrecisionRecallF1(Module):
    """Precision, recall and F1 of a retriever, against ground-truth contexts that need not be the chunks that it
    retrieves. A retrieved chunk or sentence is relevant if it equals a ground truth, or if it contains enough of one,
    in order: ROUGE-L recall above a threshold.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = [
        "https://aclanthology.org/W04-1013",
        "https://github.com/google-research/google-research/tree/master/rouge",
    ]
    options_type = PrecisionRecallF1Options
    inputs = {
        "predictions": StringLists("The chunks retrieved for each query; a list may be empty."),
        "references": StringLists("The ground-truth contexts of each query; a list may be empty."),
    }
    outputs = {
        **score_outputs(_MEANINGS, "query"),
        "matched_pairs": Output(
            "list of lists of [int, int]",
            "For each query, which retrieved component matches which ground truth; with `return_details` only.",
        ),
        "retrieved_sentences": Output(
            "list of lists of str", "The sentences that the pairs refer to; with details of a sentence strategy only."
        ),
        "ground_truth_sentences": Output("list of lists of str", "The same for the ground truth."),
    }
    main_score = "f1"
    columns = {**dict.fromkeys(COUNTS, int), **{f"individual_{name}": float for name in SCORES}}
    internal = COUNTS

    def columns_of(self, options: PrecisionRecallF1Options) -> dict[str, Any]:
        details = options.detail_columns("matched_pairs", "retrieved_sentences", "ground_truth_sentences")
        return {**self.columns, **details}

    def score(self, inputs: Mapping[str, Any], options: PrecisionRecallF1Options) -> dict[str, Any]:
        chunks = {name: inputs[name] for name in ("predictions", "references")}
        self.warn(options.warnings(chunks))
        retrieved, ground_truths = ([query.texts for query in column] for column in options.components(chunks))
        matcher = options.matcher()
        matched = [
            match_query(*query, matcher, with_pairs=options.return_details)
            for query in zip(retrieved, ground_truths, strict=True)
        ]
        counts = np.array([query[: len(COUNTS)] for query in matched], dtype=np.int64).reshape(-1, len(COUNTS))
        columns = dict(zip(self.columns, [*counts.T.tolist(), *scores(counts).T.tolist()], strict=True))
        columns["matched_pairs"] = [query.pairs for query in matched]
        columns |= {"retrieved_sentences": retrieved, "ground_truth_sentences": ground_truths}
        return {name: columns[name] for name in self.columns_of(options)}

    def statistics(self, columns: Mapping[str, Any], options: PrecisionRecallF1Options) -> dict[str, Statistic]:
        if options.average == "macro":
            return {name: mean(columns[f"individual_{name}"]) for name in SCORES}
        counts = [columns[name] for name in COUNTS]
        return {name: pooled(counts, partial(score_at, index)) for index, name in enumerate(SCORES)}

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: PrecisionRecallF1Options
    ) -> dict[str, Any]:
        self.warn(without_truth(columns["ground_truths"], "ground truth", "a recall of 0"))
        return super().summarize(statistics, columns, options)

    def signature_fields(self, options: PrecisionRecallF1Options) -> dict[str, Any]:
        return {"strategy": options.matching_strategy, "average": options.average} | options.signature_fields()
