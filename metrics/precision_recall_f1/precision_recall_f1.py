"""Precision, recall and F1 of retrieval: how much of what was retrieved is relevant, and how much was found?"""

import math
from collections.abc import Callable
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any
from typing import Literal

import evaluate
import numpy as np

from ._columns import TextLists
from ._intervals import bootstrap_interval
from ._intervals import mean_interval
from ._matching import Matcher
from ._matching import RougeMatcher
from ._matching import match_exact
from ._matching import match_query
from ._normal_form import normal_form as normal_form
from ._options import Choice
from ._options import Flag
from ._options import Function
from ._options import Integer
from ._options import Number
from ._options import qualified_name
from ._scoring import Scoring
from ._sentences import Language
from ._sentences import make_splitter
from ._sentences import splitter_version
from ._tokens import loses_most
from ._tokens import make_tokenizer
from ._tokens import tokenizer_version
from ._unicode_scripts import NO_SPACE_SCRIPTS as NO_SPACE_SCRIPTS
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

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of lists of str): The chunks that were retrieved for each query; a list may be empty.
    references (list of lists of str): The ground-truth contexts of each query; a list may be empty.
    matching_strategy (str): What is compared, and how: "EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH" (equal, character by
        character), "ROUGE_CHUNK_MATCH" or "ROUGE_SENTENCE_MATCH" (ROUGE-L recall above the threshold). Defaults to
        "ROUGE_CHUNK_MATCH".
    rouge_chunk_match_threshold (float, 0 to 1): What the ROUGE-L recall of a chunk must exceed. Defaults to 0.7.
    rouge_sentence_match_threshold (float, 0 to 1): What the ROUGE-L recall of a sentence must exceed. Defaults to 0.8.
    average (str): "macro": the means over the queries; "micro": from the counts of all queries together. Defaults to
        "macro".
    use_stemmer (bool): Compare stems of English words (Porter's stemmer, as rouge-score uses it). Defaults to False.
    tokenizer (str): "rouge": runs of a-z and 0-9, as rouge-score takes them; "unicode": words of all scripts, and
        single characters where a script has no spaces. Defaults to "rouge".
    language (str): The language of the texts, by whose rules sentences end, such as "en", "de" or "pt-BR". Defaults to
        "en".
    sentence_splitter (callable): A function from str to list of str that is used instead. Defaults to None.
    return_confidence (bool): Add `precision_confidence_interval`, `recall_confidence_interval` and
        `f1_confidence_interval`, by resampling the queries. Defaults to False.
    confidence_level (float, between 0 and 1): The level of the intervals. Defaults to 0.95.
    return_details (bool): Add the per-query lists. Defaults to False.
    return_signature (bool): Add `signature`, one line that holds everything that can change a score. Defaults to False.
    bootstrap_seed (int): The seed of the resampling. Defaults to 0.

Returns:
    precision (float, 0 to 1): Relevant retrieved components / retrieved components.
    recall (float, 0 to 1): Distinct ground-truth components that were found / distinct ground-truth components.
    f1 (float, 0 to 1): 2 precision recall / (precision + recall); with "macro" the mean of the queries' own.
    individual_precision, individual_recall, individual_f1 (lists of float): The same for each query; with
        `return_details` only.
    matched_pairs (list of lists of [int, int]): For each query, which retrieved component matches which of the ground
        truth, by index; with `return_details` only.
    retrieved_sentences, ground_truth_sentences (lists of lists of str): The sentences that these indices count; with
        `return_details` and a strategy of sentences only.
    precision_confidence_interval, recall_confidence_interval, f1_confidence_interval (tuples of two floats): With
        `return_confidence` only.
    signature (str): With `return_signature` only.

Examples:
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
# What stands for an empty list in a column of lists: it has a type, where Arrow would take a batch of nothing but empty
# lists for lists of null, and then refuse the next batch of a dataset.
DETAILS = {
    "matched_pairs": np.empty((0, 2), np.int64),
    "retrieved_sentences": np.empty(0, np.str_),
    "ground_truth_sentences": np.empty(0, np.str_),
}


def scores(counts: Array) -> Array:
    """Turn counts into precision, recall and F1; what would be a division by nothing is 0.

    Args:
        counts: Shape (n, 4): per row how many retrieved components are relevant, how many were retrieved, how many
            distinct ground truths were found, how many there are.

    Returns:
        Shape (n, 3), between 0 and 1.
    """
    relevant, retrieved, found, ground_truths = counts.T
    precision, recall = _divided(relevant, retrieved), _divided(found, ground_truths)
    return np.stack([precision, recall, _divided(2 * precision * recall, precision + recall)], axis=1)


def _divided(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole != 0)


def _score_at(index: int, counts: Array) -> Array:
    score: Array = scores(counts)[:, index]
    return score


def sentences_of(name: str, column: list[list[str]], split: Splitter) -> list[list[str]]:
    """Split the chunks of each query into sentences.

    Raises:
        ValueError: Where the splitter fails; it names the input, the query and the chunk.
    """
    return [
        [sentence for j, chunk in enumerate(chunks) for sentence in _split_at(f"{name}[{i}][{j}]", chunk, split)]
        for i, chunks in enumerate(column)
    ]


def _split_at(place: str, chunk: str, split: Splitter) -> list[str]:
    try:
        return split(chunk)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def _by_sentence(options: SimpleNamespace) -> bool:
    return "SENTENCE" in options.matching_strategy


def _threshold(options: SimpleNamespace) -> float | None:
    if "EXACT" in options.matching_strategy:
        return None
    by_sentence: float = options.rouge_sentence_match_threshold
    by_chunk: float = options.rouge_chunk_match_threshold
    return by_sentence if _by_sentence(options) else by_chunk


def _matcher(options: SimpleNamespace) -> Matcher:
    threshold = _threshold(options)
    if threshold is None:
        return match_exact
    tokenize = make_tokenizer(options.tokenizer, use_stemmer=options.use_stemmer)
    return RougeMatcher(tokenize, threshold)


def _details(options: SimpleNamespace) -> list[str]:
    """Name the columns that only `return_details` asks for: they can be large."""
    if not options.return_details:
        return []
    return list(DETAILS)[: 3 if _by_sentence(options) else 1]


def _plain(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    return [_plain(item) for item in value] if isinstance(value, list) else value


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PrecisionRecallF1(Scoring, evaluate.Metric):
    """Adapter between `evaluate` and the functions above."""

    version = VERSION
    inputs = {"predictions": TextLists(), "references": TextLists()}
    options = {
        "matching_strategy": Choice(
            "EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH", "ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH"
        ),
        "rouge_chunk_match_threshold": Number(0, 1),
        "rouge_sentence_match_threshold": Number(0, 1),
        "average": Choice("macro", "micro"),
        "use_stemmer": Flag(),
        "tokenizer": Choice("rouge", "unicode"),
        "language": Language(),
        "sentence_splitter": Function(),
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
            reference_urls=[
                "https://aclanthology.org/W04-1013",
                "https://github.com/google-research/google-research/tree/master/rouge",
            ],
        )

    def _compute(
        self,
        predictions: list[list[str]],
        references: list[list[str]],
        matching_strategy: Strategy = "ROUGE_CHUNK_MATCH",
        rouge_chunk_match_threshold: float = 0.7,
        rouge_sentence_match_threshold: float = 0.8,
        average: Literal["macro", "micro"] = "macro",
        use_stemmer: bool = False,
        tokenizer: Literal["rouge", "unicode"] = "rouge",
        language: str = "en",
        sentence_splitter: Splitter | None = None,
        return_confidence: bool = False,
        confidence_level: float = 0.95,
        return_details: bool = False,
        return_signature: bool = False,
        bootstrap_seed: int = 0,
    ) -> dict[str, Any]:
        return self._run(locals())

    def _score(self, inputs: Mapping[str, list[Any]], options: SimpleNamespace) -> dict[str, list[Any]]:
        if _threshold(options) == 1:
            self._warn("no ROUGE-L recall is greater than a threshold of 1.0, so nothing can match")
        if _threshold(options) is not None and options.tokenizer == "rouge":
            self._warn_of_lost_letters(inputs)
        retrieved, ground_truths = inputs["predictions"], inputs["references"]
        if _by_sentence(options):
            split = make_splitter(options.language, options.sentence_splitter)
            retrieved = sentences_of("predictions", retrieved, split)
            ground_truths = sentences_of("references", ground_truths, split)
        matcher = _matcher(options)
        counts: list[list[int]] = []
        pairs: list[list[list[int]]] = []
        for query in zip(retrieved, ground_truths, strict=True):
            matched = match_query(*query, matcher, with_pairs=options.return_details)
            counts.append([getattr(matched, name) for name in COUNTS])
            if options.return_details:
                pairs.append(matched.pairs)
        table = np.array(counts, dtype=np.int64).reshape(-1, len(COUNTS))
        columns = dict(zip((*COUNTS, *INDIVIDUAL), [*table.T.tolist(), *scores(table).T.tolist()], strict=True))
        details = dict(zip(DETAILS, (pairs, retrieved, ground_truths), strict=True))
        return columns | {name: [row or DETAILS[name] for row in details[name]] for name in _details(options)}

    def _scored(self, options: SimpleNamespace) -> tuple[str, ...]:
        return (*COUNTS, *INDIVIDUAL, *_details(options))

    def _aggregate(self, columns: dict[str, list[Any]], options: SimpleNamespace) -> dict[str, Any]:
        total = len(columns["ground_truths"])
        without = columns["ground_truths"].count(0)
        if without:
            self._warn(f"{without} of {total} queries have no ground truth; they count, with a recall of 0")
        counts = np.array([columns[name] for name in COUNTS], dtype=np.int64).T
        if options.average == "micro":
            averages = scores(counts.sum(axis=0, keepdims=True))[0].tolist()
        else:
            averages = [math.fsum(columns[name]) / total if total else 0.0 for name in INDIVIDUAL]
        result: dict[str, Any] = dict(zip(SCORES, averages, strict=True))
        if options.return_confidence:
            how = {"level": options.confidence_level, "seed": options.bootstrap_seed}
            for index, name in enumerate(SCORES):
                result[f"{name}_confidence_interval"] = (
                    bootstrap_interval(counts, result[name], statistic=partial(_score_at, index), **how)
                    if options.average == "micro"
                    else mean_interval(columns[INDIVIDUAL[index]], result[name], **how)
                )
        if options.return_details:
            result |= {name: columns[name] for name in INDIVIDUAL}
            result |= {name: [_plain(row) for row in columns[name]] for name in _details(options)}
        return result

    def _signed(self, options: SimpleNamespace) -> dict[str, Any]:
        signed = {"strategy": options.matching_strategy, "average": options.average}
        if _threshold(options) is not None:
            signed["rouge"] = f">{_threshold(options)!r}"
            signed["tokens"] = tokenizer_version(options.tokenizer, use_stemmer=options.use_stemmer)
            signed["rapidfuzz"] = version("rapidfuzz")
        if _by_sentence(options):
            splitter = options.sentence_splitter
            signed["sentences"] = splitter_version(options.language) if splitter is None else qualified_name(splitter)
        return signed

    def _warn_of_lost_letters(self, inputs: Mapping[str, list[list[str]]]) -> None:
        places = [
            f"{name}[{i}][{j}]"
            for name, column in inputs.items()
            for i, chunks in enumerate(column)
            for j, chunk in enumerate(chunks)
            if loses_most(chunk)
        ]
        if places:
            self._warn(
                f'tokenizer="rouge" knows no letters but a to z and drops most of {len(places)} texts, the first at '
                f'{places[0]}; such texts can hardly match. tokenizer="unicode" takes the letters of all scripts'
            )
