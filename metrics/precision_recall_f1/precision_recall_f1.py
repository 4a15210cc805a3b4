"""Precision, recall and F1 of retrieval: how much of what was retrieved is relevant, and how much was found?"""

import math
from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from typing import Any
from typing import Literal
from typing import get_args

import evaluate
import numpy as np
import rapidfuzz

from ._buffering import right_call as right_call
from ._columns import StringListColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._human_labels import FEWEST_LABELS as FEWEST_LABELS
from ._intervals import Interval as Interval
from ._matching import Matcher
from ._matching import RougeMatcher
from ._matching import match_exact
from ._matching import match_query
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._options import Choice
from ._options import Flag
from ._options import Function
from ._options import Number
from ._options import ScoringOptions
from ._options import qualified_name
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._sentences import Language
from ._sentences import make_splitter
from ._sentences import splitter_version
from ._statistics import Statistic
from ._statistics import mean_statistic
from ._statistics import pooled_statistic
from ._strings import shorten as shorten
from ._tabular import plain_list as plain_list
from ._tokens import loses_most
from ._tokens import make_tokenizer
from ._tokens import tokenizer_version
from ._unicode_scripts import NO_SPACE_SCRIPTS as NO_SPACE_SCRIPTS
from ._user_warnings import warn
from ._version import VERSION

_DESCRIPTION = """
Precision, recall and F1 of a retriever, against ground-truth contexts that need not be the chunks that it retrieves.
A retrieved chunk or sentence is relevant if it equals one of the ground truth, or if it holds enough of one, in order:
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
    >>> metric = evaluate.load("metrics/precision_recall_f1")
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

Strategy = Literal["EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH", "ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH"]
Splitter = Callable[[str], list[str]]
Array = np.ndarray[Any, Any]

COUNTS = ("relevant", "retrieved", "found", "ground_truths")
SCORES = ("precision", "recall", "f1")
INDIVIDUAL = tuple(f"individual_{name}" for name in SCORES)
ROUGE = ("ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH")
SENTENCE = ("EXACT_SENTENCE_MATCH", "ROUGE_SENTENCE_MATCH")


def scores(counts: Array) -> Array:
    """Turn counts into precision, recall and F1; what would be a division by zero is 0.

    Args:
        counts: Shape (..., 4): how many retrieved components are relevant, how many were retrieved, how many distinct
            ground truths were found, how many there are.

    Returns:
        Shape (..., 3), between 0 and 1.
    """
    relevant, retrieved, found, ground_truths = np.moveaxis(counts, -1, 0)
    precision, recall = _divide(relevant, retrieved), _divide(found, ground_truths)
    return np.stack([precision, recall, _divide(2 * precision * recall, precision + recall)], axis=-1)


def score_at(index: int, counts: Array) -> Array:
    """Return one of the scores of `scores`, shape (...)."""
    score: Array = scores(counts)[..., index]
    return score


def _divide(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros(np.shape(whole)), where=whole != 0)


def sentences_of(name: str, column: list[list[str]], split: Splitter) -> list[list[str]]:
    """Split the chunks of each query into sentences.

    Raises:
        ValueError: Where the splitter fails; names the input, the query and the chunk.
    """
    return [
        [sentence for j, chunk in enumerate(chunks) for sentence in _split_chunk(f"{name}[{i}][{j}]", chunk, split)]
        for i, chunks in enumerate(column)
    ]


def _split_chunk(name: str, chunk: str, split: Splitter) -> list[str]:
    try:
        return split(chunk)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of precision_recall_f1."""

    matching_strategy: Annotated[
        Strategy,
        Choice(
            *get_args(Strategy),
            help=(
                "What is compared, and how: EXACT (equal, character by character) or ROUGE (ROUGE-L recall above the "
                "threshold), of whole chunks or of their sentences."
            ),
        ),
    ] = "ROUGE_CHUNK_MATCH"
    rouge_chunk_match_threshold: Annotated[
        float,
        Number(
            0,
            1,
            help="What the ROUGE-L recall of a chunk must exceed.",
            requires=("matching_strategy", "ROUGE_CHUNK_MATCH"),
        ),
    ] = 0.7
    rouge_sentence_match_threshold: Annotated[
        float,
        Number(
            0,
            1,
            help="What the ROUGE-L recall of a sentence must exceed.",
            requires=("matching_strategy", "ROUGE_SENTENCE_MATCH"),
        ),
    ] = 0.8
    average: Annotated[
        Literal["macro", "micro"],
        Choice(
            "macro", "micro", help="macro: the means over the queries; micro: from the pooled counts of all queries."
        ),
    ] = "macro"
    use_stemmer: Annotated[
        bool,
        Flag(
            help="Compare stems of English words (Porter's stemmer, as rouge-score uses it).",
            requires=("matching_strategy", *ROUGE),
        ),
    ] = False
    tokenizer: Annotated[
        Literal["rouge", "unicode"],
        Choice(
            "rouge",
            "unicode",
            help=(
                "rouge: runs of a-z and 0-9, as rouge-score takes them; unicode: words of all scripts, and single "
                "characters where a script has no spaces."
            ),
            requires=("matching_strategy", *ROUGE),
        ),
    ] = "rouge"
    language: Annotated[
        str,
        Language(
            help="Language of the texts, by whose rules sentences end, such as en, de or pt-BR.",
            requires=("matching_strategy", *SENTENCE),
        ),
    ] = "en"
    sentence_splitter: Annotated[
        Splitter | None,
        Function(
            help="Function from str to list of str, used instead of the built-in splitter.",
            requires=("matching_strategy", *SENTENCE),
        ),
    ] = None

    @property
    def by_sentence(self) -> bool:
        """Whether the components are sentences."""
        return self.matching_strategy in SENTENCE

    @property
    def threshold(self) -> float | None:
        """The threshold that counts, None where components must be equal."""
        if self.matching_strategy not in ROUGE:
            return None
        return self.rouge_sentence_match_threshold if self.by_sentence else self.rouge_chunk_match_threshold

    def matcher(self) -> Matcher:
        """Make what matches the components of a query."""
        if self.threshold is None:
            return match_exact
        tokenize = make_tokenizer(self.tokenizer, use_stemmer=self.use_stemmer)
        return RougeMatcher(tokenize, self.threshold)


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
        if options.threshold == 1:
            warn("precision_recall_f1: no ROUGE-L recall is greater than a threshold of 1.0, so nothing can match")
        if options.threshold is not None and options.tokenizer == "rouge":
            self._warn_of_lost_letters(inputs)
        retrieved, ground_truths = inputs["predictions"], inputs["references"]
        if options.by_sentence:
            split = make_splitter(options.language, options.sentence_splitter)
            retrieved = sentences_of("predictions", retrieved, split)
            ground_truths = sentences_of("references", ground_truths, split)
        matcher = options.matcher()
        counts: list[list[int]] = []
        pairs: list[list[list[int]]] = []
        for query in zip(retrieved, ground_truths, strict=True):
            matched = match_query(*query, matcher, with_pairs=options.return_details)
            counts.append([getattr(matched, name) for name in COUNTS])
            if options.return_details:
                pairs.append([list(pair) for pair in matched.pairs])
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
            warn(f"precision_recall_f1: {without} of {total} queries have no ground truth and count with a recall of 0")
        if options.average == "micro":
            averages = scores(np.array([sum(columns[name]) for name in COUNTS], dtype=np.int64)).tolist()
        else:
            averages = [math.fsum(columns[name]) / total if total else 0.0 for name in INDIVIDUAL]
        return dict(zip(SCORES, averages, strict=True))

    def details(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        return {name: columns[name] for name in self.column_types(options) if name not in COUNTS}

    def signature_fields(self, options: Options) -> dict[str, Any]:
        fields: dict[str, Any] = {"strategy": options.matching_strategy, "average": options.average}
        if options.threshold is not None:
            fields["rouge"] = f">{options.threshold!r}"
            fields["tokens"] = tokenizer_version(options.tokenizer, use_stemmer=options.use_stemmer)
            fields["rapidfuzz"] = rapidfuzz.__version__
        if options.by_sentence:
            splitter = options.sentence_splitter
            fields["sentences"] = (
                f"{options.language}-{splitter_version(options.language)}"
                if splitter is None
                else qualified_name(splitter)
            )
        return fields

    def _warn_of_lost_letters(self, inputs: Mapping[str, list[list[str]]]) -> None:
        lost = [
            f"{name}[{i}][{j}]"
            for name in ("predictions", "references")
            for i, chunks in enumerate(inputs[name])
            for j, chunk in enumerate(chunks)
            if loses_most(chunk)
        ]
        if lost:
            warn(
                'precision_recall_f1: tokenizer="rouge" keeps only the letters a to z and drops most of '
                f"{len(lost)} texts, the first at {lost[0]}; such texts can hardly match. "
                'tokenizer="unicode" keeps the letters of all scripts'
            )
