"""Answer exact match: the share of answers that equal a reference, character by character."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq
from typing import Any, Literal

import numpy as np

from answer_metrics.columns.inputs import References, Strings
from answer_metrics.columns.reasoning import AnswerOptions, signature_of_reasoning
from answer_metrics.columns.tables import to_list
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import option
from answer_metrics.core.results import Output
from answer_metrics.statistics.statistic import METHOD_HELP, Method, Statistic, proportion
from answer_metrics.text.equality import equal_pairs, pays_off
from answer_metrics.text.normalization import normalize_answers, normalizer_version

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
class ExactMatchOptions(AnswerOptions):
    """The options of answer_exact_match."""

    normalizer: Literal["default", "squad", "triviaqa"] | Callable[[str], str] | None = option(
        None,
        "How to normalize both sides: default (as in accuracy: ignore case, punctuation and extra spaces, keep the "
        "value of numbers), squad or triviaqa (as in their official scripts), or a function from str to str.",
    )
    confidence_method: Method = option("wilson", METHOD_HELP, needs=("return_confidence", True))
    return_details: bool = True


class AnswerExactMatch(Module):
    """Answer exact match is the share of predictions that equal their reference, or one of their references, character
    by character: no stripping, no case folding. It suits extractive question answering, where an answer is a span of
    text.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://docs.haystack.deepset.ai/docs/answerexactmatchevaluator"]
    options_type = ExactMatchOptions
    inputs = {
        "predictions": Strings("The answers to score."),
        "references": References("The reference for each, or a list of acceptable references."),
    }
    outputs = {
        "score": Output("float, 0 to 1", "Share of exact matches."),
        "score_confidence_interval": Output(
            "tuple of two floats", "Interval of `score`; with `return_confidence` only."
        ),
        "individual_scores": Output("list of int", "1 for an exact match, 0 otherwise."),
    }
    main_score = "score"
    columns = {"individual_scores": int}
    counted = ("individual_scores",)

    def takes_arrow(self, options: ExactMatchOptions) -> bool:
        return options.normalizer in {None, "default"}

    def score(self, inputs: Mapping[str, Any], options: ExactMatchOptions) -> dict[str, Any]:
        columns = {"predictions": self.answers(inputs, options), "references": inputs["references"]}
        if self.takes_arrow(options) and pays_off(columns["predictions"]):
            equal = equal_pairs(columns["predictions"], columns["references"], exact=options.normalizer is None)
            return {"individual_scores": equal.astype(np.int64)}
        predictions, references = (
            normalize_answers(to_list(name, column), options.normalizer, name) for name, column in columns.items()
        )
        if references and isinstance(references[0], list):
            pairs = zip(predictions, references, strict=True)
            return {"individual_scores": [int(prediction in answers) for prediction, answers in pairs]}
        return {"individual_scores": list(map(int, map(eq, predictions, references)))}

    def statistics(self, columns: Mapping[str, Any], options: ExactMatchOptions) -> dict[str, Statistic]:
        return {"score": proportion(columns["individual_scores"])}

    def signature_fields(self, options: ExactMatchOptions) -> dict[str, Any]:
        fields = {"norm": normalizer_version(options.normalizer)}
        return fields | signature_of_reasoning(options)
