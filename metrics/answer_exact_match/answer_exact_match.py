"""Answer exact match: which share of the answers equals a ground truth, character by character?"""

import re
import string
from collections.abc import Callable
from collections.abc import Mapping
from functools import partial
from operator import eq
from types import SimpleNamespace
from typing import Any
from typing import Literal

import evaluate

from ._ascii_normalization import strip_ascii as strip_ascii
from ._columns import Answers
from ._columns import Texts
from ._columns import call_for_each
from ._columns import map_texts
from ._intervals import proportion_interval
from ._normal_form import normal_form as normal_form
from ._normalization import NORMALIZATION_VERSION
from ._normalization import normalize_column
from ._options import Choice
from ._options import Flag
from ._options import Function
from ._options import Integer
from ._options import Number
from ._options import qualified_name
from ._punctuation import resolve_run as resolve_run
from ._scoring import Scoring
from ._scoring import tally
from ._version import VERSION

_DESCRIPTION = """
Answer exact match is the share of predictions that equal their reference, or one of their references, character by
character: no stripping, no case folding. It suits extractive question answering, where an answer is a span of a text.
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

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The answers to score.
    references (list of str, or list of lists of str): The ground truth for each, or several ground truths for each.
    normalizer (str or callable): What to do to both sides first: None (nothing), "default" (the normalisation of the
        accuracy metric: case, punctuation and extra spaces do not count, numbers keep their value), "squad" (that of
        SQuAD v1's official script), or a function from str to str. Defaults to None.
    return_confidence (bool): Add `score_confidence_interval`. Defaults to False.
    confidence_level (float, between 0 and 1): The level of the interval. Defaults to 0.95.
    confidence_method (str): "wilson", "clopper-pearson" or "bootstrap". Defaults to "wilson".
    return_details (bool): Add the per-example list. Defaults to True.
    return_signature (bool): Add `signature`, one line that holds everything that can change a score. Defaults to False.
    bootstrap_seed (int): The seed of the resampling. Defaults to 0.

Returns:
    score (float, 0 to 1): The share of exact matches.
    individual_scores (list of int): 1 for an exact match, 0 for none.
    score_confidence_interval (tuple of two floats): The interval of `score`; with `return_confidence` only.
    signature (str): With `return_signature` only.

Examples:
    >>> import evaluate
    >>> exact_match = evaluate.load("metrics/answer_exact_match")
    >>> exact_match.compute(predictions=["Berlin", "Lyon"], references=["Berlin", "Paris"])
    {'score': 0.5, 'individual_scores': [1, 0]}

    Several ground truths, and the normalisation of SQuAD:

    >>> exact_match.compute(predictions=["the Seine"], references=[["Seine", "River Seine"]], normalizer="squad")
    {'score': 1.0, 'individual_scores': [1]}
"""

Normalizer = Literal["default", "squad"] | Callable[[str], str] | None

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize_squad(text: str) -> str:
    """Normalise as SQuAD v1's official script does: lower case, no ASCII punctuation, no articles, single spaces.

    Source: `normalize_answer` of https://rajpurkar.github.io/SQuAD-explorer/ (evaluate-v1.1.py).
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def normalized(texts: list[str], normalizer: Normalizer) -> list[str]:
    """Normalise texts as the option of the same name says."""
    if normalizer is None:
        return texts
    if normalizer == "default":
        return normalize_column(texts)
    if normalizer == "squad":
        return [normalize_squad(text) for text in texts]
    return call_for_each(normalizer, texts, option="normalizer")


def exact_matches(predictions: list[str], references: list[str] | list[list[str]]) -> list[int]:
    """Give 1 for each prediction that equals its reference, or one of its references, and 0 for the others."""
    if references and isinstance(references[0], list):
        return [int(one in several) for one, several in zip(predictions, references, strict=True)]
    return list(map(int, map(eq, predictions, references)))


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class AnswerExactMatch(Scoring, evaluate.Metric):
    """Adapter between `evaluate` and the functions above."""

    version = VERSION
    inputs = {"predictions": Texts(), "references": Answers()}
    tallies = True
    options = {
        "normalizer": Function("default", "squad"),
        "return_confidence": Flag(),
        "confidence_level": Number(0, 1, open_ends=True),
        "confidence_method": Choice("wilson", "clopper-pearson", "bootstrap"),
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
            reference_urls=["https://docs.haystack.deepset.ai/docs/answerexactmatchevaluator"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[str] | list[list[str]],
        normalizer: Normalizer = None,
        return_confidence: bool = False,
        confidence_level: float = 0.95,
        confidence_method: Literal["wilson", "clopper-pearson", "bootstrap"] = "wilson",
        return_details: bool = True,
        return_signature: bool = False,
        bootstrap_seed: int = 0,
    ) -> dict[str, Any]:
        return self._run(locals())

    def _score(self, inputs: Mapping[str, list[Any]], options: SimpleNamespace) -> dict[str, list[Any]]:
        form = partial(normalized, normalizer=options.normalizer)
        return {"individual_scores": exact_matches(form(inputs["predictions"]), map_texts(form, inputs["references"]))}

    def _scored(self, options: SimpleNamespace) -> tuple[str, ...]:
        return ("individual_scores",)

    def _aggregate(self, columns: dict[str, Any], options: SimpleNamespace) -> dict[str, Any]:
        scores = tally(columns["individual_scores"])
        correct, total = scores[1], scores.total()
        result: dict[str, Any] = {"score": correct / total if total else 0.0}
        if options.return_confidence:
            result["score_confidence_interval"] = proportion_interval(
                correct,
                total,
                level=options.confidence_level,
                method=options.confidence_method,
                seed=options.bootstrap_seed,
            )
        return result | columns if options.return_details else result

    def _signed(self, options: SimpleNamespace) -> dict[str, Any]:
        names = {None: False, "default": NORMALIZATION_VERSION, "squad": "squad"}
        function = options.normalizer
        return {"norm": qualified_name(function) if callable(function) else names[function]}
