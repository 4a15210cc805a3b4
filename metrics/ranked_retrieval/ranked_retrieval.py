"""Ranked retrieval: MAP, MRR, nDCG and other scores of rankings of retrieved chunks."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from answer_metrics.columns.inputs import NumberLists, StringLists
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import option
from answer_metrics.core.results import Output, score_outputs
from answer_metrics.statistics.statistic import Statistic, mean, proportion
from answer_metrics.text.retrieval import STRATEGY_HELP, RetrievalOptions, Strategy, without_truth

from ._ranking import RANKING_VERSION, find_first_ranks, score_names, score_ranking

_CITATION = """\
@article{jarvelin2002cumulated,
  title = {Cumulated Gain-Based Evaluation of {IR} Techniques},
  author = {J{\\"a}rvelin, Kalervo and Kek{\\"a}l{\\"a}inen, Jaana},
  journal = {ACM Transactions on Information Systems},
  volume = {20},
  number = {4},
  year = {2002},
  doi = {10.1145/582415.582418}
}
"""

_EXAMPLES = """
    >>> import evaluate
    >>> metric = evaluate.load("./metrics/ranked_retrieval")
    >>> result = metric.compute(
    ...     predictions=[["d3", "d1", "d7"], ["d4", "d2"]],
    ...     references=[["d1", "d7"], ["d4"]],
    ...     matching_strategy="ID",
    ...     k=[1, 3],
    ... )
    >>> {name: round(score, 3) for name, score in result.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'map': 0.792, 'mrr': 0.75, 'r_precision': 0.75, 'mrr@1': 0.5, 'mrr@3': 0.75, 'ndcg@1': 0.5, 'ndcg@3': 0.847,
     'hit_rate@1': 0.5, 'hit_rate@3': 1.0, 'recall@1': 0.5, 'recall@3': 1.0, 'precision@1': 0.5, 'precision@3': 0.5}

    Chunks of text, with one ground truth that is more relevant than the other:

    >>> result = metric.compute(
    ...     predictions=[["Lyon is on the Rhone.", "Paris, they say, is the capital of France."]],
    ...     references=[["Paris is the capital of France.", "The Seine flows through Paris."]],
    ...     relevance=[[3, 1]],
    ...     k=[2],
    ...     return_details=True,
    ... )
    >>> print(result["mrr"], result["recall@2"], result["first_hits"])
    0.5 0.5 [[2, None]]
"""

_ID = re.compile(r"[!-/:-~]*[0-9][!-~]*")
_MEANINGS = {
    "map": "Mean average precision: the mean over ground truths of the precision at the rank of the first hit.",
    "mrr": "Mean reciprocal rank of the first relevant chunk.",
    "r_precision": "Distinct ground truths found among the first R chunks / R, the number of distinct ground truths.",
    "mrr@k": "As `mrr`, but 0 for queries without a relevant chunk among the first k.",
    "ndcg@k": "Discounted cumulative gain of the first k ranks / that of the ideal ranking.",
    "hit_rate@k": "Share of queries with a relevant chunk among the first k.",
    "recall@k": "Distinct ground truths found among the first k chunks / distinct ground truths.",
    "precision@k": "Chunks among the first k that are the first to match a ground truth / k.",
}


def look_like_ids(texts: Mapping[str, list[list[str]]]) -> bool:
    """Return whether every chunk is one ASCII word with a digit, such as `doc-17`."""
    chunks = list(chain.from_iterable(chain.from_iterable(texts.values())))
    return bool(chunks) and all(map(_ID.fullmatch, chunks))


@dataclass(frozen=True, kw_only=True)
class RankedRetrievalOptions(RetrievalOptions):
    """The options of ranked_retrieval."""

    matching_strategy: Literal[Strategy, "ID"] = option(  # type: ignore[assignment]  # one strategy more
        "ROUGE_CHUNK_MATCH", f"{STRATEGY_HELP} ID: compare chunk ids."
    )
    k: tuple[int, ...] = option((1, 5, 10), "Cutoffs of the scores named @k.", low=1)


class RankedRetrieval(Module):
    """Ranked retrieval scores rankings of retrieved chunks, or of their ids, against ground truths: mean average
    precision, reciprocal rank, R-precision, nDCG, hit rate, recall and precision. A chunk is relevant if it equals a
    ground truth, or if it contains enough of one, in order: ROUGE-L recall above a threshold.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://github.com/usnistgov/trec_eval", "https://doi.org/10.1145/582415.582418"]
    options_type = RankedRetrievalOptions
    inputs = {
        "predictions": StringLists("The retrieved chunks of each query in rank order, best first, or their ids."),
        "references": StringLists("The ground-truth contexts of each query, in any order, or their ids."),
        "relevance": NumberLists(
            0,
            1_000_000,
            "The relevance of each ground truth, in the shape of `references`; 0 means not relevant. None: 1 for all.",
            optional=True,
        ),
    }
    outputs = {
        **score_outputs(_MEANINGS, "query"),
        "first_hits": Output(
            "list of lists of int or None",
            "The rank at which each ground truth is first found, in the shape of `references`, or of "
            "`ground_truth_sentences`; with `return_details` only.",
        ),
        "ground_truth_sentences": Output(
            "list of lists of str", "The sentences of the ground truth; with details of a sentence strategy only."
        ),
    }
    main_score = "map"
    internal = ("ground_truths",)

    def check_inputs(self, inputs: Mapping[str, Any], *, as_arrow: bool = False) -> dict[str, Any]:
        columns = super().check_inputs(inputs, as_arrow=as_arrow)
        for index, numbers in enumerate(columns.get("relevance", [])):
            count = len(columns["references"][index])
            if len(numbers) != count:
                truths = f"references[{index}] has {count} ground truths; give one number for each"
                raise ValueError(f"{self.name}: relevance[{index}] has {len(numbers)} numbers, but {truths}")
        return columns

    def columns_of(self, options: RankedRetrievalOptions) -> dict[str, Any]:
        scores = {f"individual_{name}": float for name in score_names(options.k)}
        return {**scores, "ground_truths": int, **options.detail_columns("first_hits", "ground_truth_sentences")}

    def score(self, inputs: Mapping[str, Any], options: RankedRetrievalOptions) -> dict[str, Any]:
        texts = {name: inputs[name] for name in ("predictions", "references")}
        self.warn(options.warnings(texts))
        if options.matching_strategy != "ID" and look_like_ids(texts):
            self.warn(['these chunks look like ids, which matching_strategy="ID" compares as they are'])
        matcher, names = options.matcher(), score_names(options.k)
        columns = defaultdict[str, list[Any]](list)
        relevance = inputs.get("relevance") or [[1.0] * len(truths) for truths in inputs["references"]]
        rankings, ground_truths = options.components(texts)
        for retrieved, truths, numbers in zip(rankings, ground_truths, relevance, strict=True):
            gains: dict[str, float] = {}
            for truth, chunk in zip(*truths, strict=True):
                gains[truth] = max(numbers[chunk - 1], gains.get(truth, 0.0))
            relevant = [truth for truth, gain in gains.items() if gain > 0]
            ranks = find_first_ranks(retrieved.texts, retrieved.chunks, relevant, matcher)
            rank_of = dict(zip(relevant, ranks, strict=True))
            scores = score_ranking(ranks, [gains[truth] for truth in relevant], options.k)
            for name, score in zip(names, scores, strict=True):
                columns[f"individual_{name}"].append(score)
            columns["ground_truths"].append(len(relevant))
            columns["first_hits"].append([rank_of.get(truth) for truth in truths.texts])
            columns["ground_truth_sentences"].append(truths.texts)
        return {name: columns[name] for name in self.columns_of(options)}

    def statistics(self, columns: Mapping[str, Any], options: RankedRetrievalOptions) -> dict[str, Statistic]:
        return {
            name: (proportion if name.startswith("hit_rate") else mean)(columns[f"individual_{name}"])
            for name in score_names(options.k)
        }

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: RankedRetrievalOptions
    ) -> dict[str, Any]:
        self.warn(without_truth(columns["ground_truths"], "relevant ground truth", "scores of 0"))
        return super().summarize(statistics, columns, options)

    def signature_fields(self, options: RankedRetrievalOptions) -> dict[str, Any]:
        # Without k, which selects scores and changes none.
        return options.signature_fields() | {"ranking": RANKING_VERSION}
