"""Ranked retrieval: MAP, MRR, nDCG and other scores of rankings of retrieved chunks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Annotated
from typing import Any
from typing import get_args

import evaluate

from ._buffering import positional_error as positional_error
from ._columns import NumberListColumn
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
from ._matching import Array as Array
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._options import Choice
from ._options import IntegerList
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._ranking import RANKING_VERSION
from ._ranking import find_first_ranks
from ._ranking import score_names
from ._ranking import score_ranking
from ._relevance import STRATEGY_HELP
from ._relevance import RelevanceOptions
from ._relevance import Strategy
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._scored_reading import ScoredColumnReader as ScoredColumnReader
from ._sentences import SENTENCES_VERSION as SENTENCES_VERSION
from ._statistics import Statistic
from ._statistics import column_statistic
from ._string_buffers import string_buffers as string_buffers
from ._strings import shorten as shorten
from ._tabular import LONG_LIST as LONG_LIST
from ._tokens import TOKENS_VERSION as TOKENS_VERSION
from ._unicode_scripts import NO_SPACE_SCRIPTS as NO_SPACE_SCRIPTS
from ._user_warnings import warn
from ._version import VERSION

_DESCRIPTION = """
Ranked retrieval scores rankings of retrieved chunks, or of their ids, against ground truths: mean average precision,
reciprocal rank, nDCG, hit rate, recall and precision. A chunk is relevant if it equals a ground truth, or if it
contains enough of one, in order: ROUGE-L recall above a threshold.
"""

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
    {'map': 0.792, 'mrr': 0.75, 'ndcg@1': 0.5, 'ndcg@3': 0.847, 'hit_rate@1': 0.5, 'hit_rate@3': 1.0,
     'recall@1': 0.5, 'recall@3': 1.0, 'precision@1': 0.5, 'precision@3': 0.5}

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
class Options(RelevanceOptions):
    """The options of ranked_retrieval."""

    matching_strategy: Annotated[
        str,
        Choice(*get_args(Strategy), "ID", help=f"{STRATEGY_HELP} ID: chunks are given by their ids."),
    ] = "ROUGE_CHUNK_MATCH"
    k: Annotated[
        tuple[int, ...], IntegerList(1, help="The ranks at which nDCG, hit rate, recall and precision are cut off.")
    ] = (1, 5, 10)


class RankedRetrieval(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://github.com/usnistgov/trec_eval", "https://doi.org/10.1145/582415.582418"]
    options_type = Options
    inputs = {
        "predictions": StringListColumn("The retrieved chunks of each query in rank order, best first, or their ids."),
        "references": StringListColumn("The ground-truth contexts of each query, in any order, or their ids."),
        "relevance": NumberListColumn(
            0,
            1_000_000,
            "The relevance of each ground truth, in the shape of `references`; 0 is not relevant. Default: 1 for all.",
            optional=True,
        ),
    }
    outputs = {
        **{name: Output("float, 0 to 1", meaning) for name, meaning in _MEANINGS.items()},
        **{
            f"{name}_confidence_interval": Output("tuple of two floats", "With `return_confidence` only.")
            for name in _MEANINGS
        },
        **{
            f"individual_{name}": Output(
                "list of float, 0 to 1", f"`{name}` of each query; with `return_details` only."
            )
            for name in _MEANINGS
        },
        "first_hits": Output(
            "list of lists of int or None",
            "The rank at which each ground truth is first found, in the shape of `references`, or of "
            "`ground_truth_sentences`; with `return_details` only.",
        ),
        "ground_truth_sentences": Output(
            "list of lists of str", "The sentences of the ground truth; with details of a sentence strategy only."
        ),
        **COMMON_OUTPUTS,
    }
    main_score = "map"

    def check_inputs(self, given: Mapping[str, Any], *, as_arrow: bool = False) -> dict[str, list[Any]]:
        """Check each column, and that relevance has the shape of references.

        Raises:
            ValueError: As `BufferedInputs.check_inputs`, and for a query with too few or too many relevance numbers.
        """
        columns = super().check_inputs(given, as_arrow=as_arrow)
        for index, (truths, numbers) in enumerate(
            zip(columns["references"], columns.get("relevance", []), strict=False)
        ):
            if len(truths) != len(numbers):
                raise ValueError(
                    f"{self.label}: relevance[{index}] has {len(numbers)} numbers, but references[{index}] "
                    f"has {len(truths)} ground truths; give one number for each"
                )
        return columns

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        types: dict[str, ColumnType] = {f"individual_{name}": "float" for name in score_names(options.k)}
        types["ground_truths"] = "int"
        if options.return_details:
            types["first_hits"] = "json"
            if options.by_sentence:
                types["ground_truth_sentences"] = "json"
        return types

    def score_columns(self, inputs: Mapping[str, list[Any]], options: Options) -> dict[str, list[Any]]:
        texts = {name: inputs[name] for name in ("predictions", "references")}
        options.warn_if_unmatchable(self.label, texts)
        if options.matching_strategy != "ID" and look_like_ids(texts):
            warn(f'{self.label}: these chunks look like ids, which matching_strategy="ID" compares as they are')
        matcher = options.matcher()
        columns: dict[str, list[Any]] = {name: [] for name in self.column_types(options)}
        relevance = inputs.get("relevance") or [[1.0] * len(truths) for truths in inputs["references"]]
        for (chunks, ranks), (truths, owners), numbers in zip(*options.components(texts), relevance, strict=True):
            gains: dict[str, float] = {}
            for truth, owner in zip(truths, owners, strict=True):
                gains[truth] = max(numbers[owner - 1], gains.get(truth, 0.0))
            relevant = [truth for truth, gain in gains.items() if gain > 0]
            found = dict(zip(relevant, find_first_ranks(chunks, ranks, relevant, matcher), strict=True))
            scores = score_ranking(list(found.values()), [gains[truth] for truth in relevant], options.k)
            for name, score in zip(score_names(options.k), scores, strict=True):
                columns[f"individual_{name}"].append(score)
            columns["ground_truths"].append(len(relevant))
            if options.return_details:
                columns["first_hits"].append([found.get(truth) for truth in truths])
                if options.by_sentence:
                    columns["ground_truth_sentences"].append(truths)
        return columns

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {
            name: column_statistic(
                columns[f"individual_{name}"], "proportion" if name.startswith("hit_rate") else "mean"
            )
            for name in score_names(options.k)
        }

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        total, without = len(columns["ground_truths"]), columns["ground_truths"].count(0)
        if without:
            have, count = ("has", "counts") if without == 1 else ("have", "count")
            nothing = f"{without} of {total} queries {have} no relevant ground truth"
            warn(f"{self.label}: {nothing} and {count} with scores of 0")
        return {name: statistic.value for name, statistic in self.statistics(columns, options).items()}

    def details(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        return {name: column for name, column in columns.items() if name != "ground_truths"}

    def signature_fields(self, options: Options) -> dict[str, Any]:
        # Without k, which selects scores and changes none.
        return options.signature_fields() | {"ranking": RANKING_VERSION}
