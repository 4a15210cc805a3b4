"""Token F1: overlap of the words of an answer with those of the reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from answer_metrics.columns.inputs import References, Strings
from answer_metrics.columns.reasoning import AnswerOptions, signature_of_reasoning
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import option
from answer_metrics.core.results import Output, score_outputs
from answer_metrics.statistics.statistic import Statistic, mean, proportion
from answer_metrics.text.normalization import normalize_answers, normalizer_version
from answer_metrics.text.tokens import DATA_VERSION, OVERLAP_VERSION, answer_tokens, score_answer

_CITATION = """\
@inproceedings{rajpurkar2018know,
  title = {Know What You Don't Know: Unanswerable Questions for {SQuAD}},
  author = {Rajpurkar, Pranav and Jia, Robin and Liang, Percy},
  booktitle = {Proceedings of ACL},
  year = {2018},
  url = {https://aclanthology.org/P18-2124}
}
"""

_EXAMPLES = """
    >>> import evaluate
    >>> token_f1 = evaluate.load("./metrics/token_f1")
    >>> references = ["Eiffel tower in Paris", "Paris"]
    >>> result = token_f1.compute(predictions=["the Eiffel Tower", "Lyon"], references=references)
    >>> {name: round(score, 3) for name, score in result.items()}
    {'f1': 0.333, 'precision': 0.5, 'recall': 0.25, 'exact_match': 0.0}

    Chinese has no spaces; the unicode tokenizer takes its characters one by one:

    >>> token_f1.compute(predictions=["北京市"], references=[["北京", "上海"]], tokenizer="unicode")["f1"]
    0.8
"""

_MEANINGS = {
    "f1": "Mean F1 of the tokens shared with the best reference.",
    "precision": "Mean share of the prediction's tokens that this reference has.",
    "recall": "Mean share of this reference's tokens that the prediction has.",
    "exact_match": "Share of predictions with the tokens of a reference in the same order.",
}
SCORES = tuple(_MEANINGS)


@dataclass(frozen=True, kw_only=True)
class TokenF1Options(AnswerOptions):
    """The options of token_f1."""

    # In the usual order of types this would be the union of answer_exact_match, which `typing` has cached, with its
    # order of names, if that metric was loaded before.
    normalizer: Callable[[str], str] | None | Literal["squad", "triviaqa", "default"] = option(  # noqa: RUF036
        "squad",
        "How to normalize both sides: squad (as in its official script: lowercase, no ASCII punctuation, no English "
        "articles), triviaqa (as in its script: punctuation becomes spaces), default (as in accuracy: numbers keep "
        "their value, articles stay), or a function from str to str.",
    )
    tokenizer: Literal["squad", "unicode"] = option(
        "squad",
        "squad: split at spaces; unicode: also split scripts without spaces into characters, and drop all punctuation.",
    )


class TokenF1(Module):
    """Token F1 is the harmonic mean of precision and recall over the words that a prediction shares with its reference,
    or with the best of its references, by the rules of SQuAD v2's official script. It gives partial credit where exact
    match gives none.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://rajpurkar.github.io/SQuAD-explorer/", "https://github.com/facebookresearch/MLQA"]
    options_type = TokenF1Options
    inputs = {
        "predictions": Strings("The answers to score."),
        "references": References("The reference for each, or a list of acceptable references."),
    }
    outputs = {
        **score_outputs(_MEANINGS, "example"),
        "individual_exact_match": Output(
            "list of int", "1 for an exact match, 0 otherwise; with `return_details` only."
        ),
    }
    main_score = "f1"
    compared_scores = ("f1", "exact_match")
    columns = {f"individual_{name}": int if name == "exact_match" else float for name in SCORES}
    counted = tuple(columns)

    def score(self, inputs: Mapping[str, Any], options: TokenF1Options) -> dict[str, Any]:
        predictions = normalize_answers(self.answers(inputs, options), options.normalizer, "predictions")
        references = normalize_answers(inputs["references"], options.normalizer, "references")
        tokenize = str.split if options.tokenizer == "squad" else answer_tokens
        overlaps = [
            score_answer(prediction, [answers] if isinstance(answers, str) else answers, tokenize)
            for prediction, answers in zip(predictions, references, strict=True)
        ]
        return {f"individual_{name}": [getattr(overlap, name) for overlap in overlaps] for name in SCORES}

    def statistics(self, columns: Mapping[str, Any], options: TokenF1Options) -> dict[str, Statistic]:
        means = {name: mean(columns[f"individual_{name}"]) for name in SCORES[:-1]}
        return means | {"exact_match": proportion(columns["individual_exact_match"])}

    def signature_fields(self, options: TokenF1Options) -> dict[str, Any]:
        data = DATA_VERSION if options.tokenizer == "unicode" else ""
        fields = {
            "norm": normalizer_version(options.normalizer),
            "tokens": f"{options.tokenizer}-{OVERLAP_VERSION}{data}",
        }
        return fields | signature_of_reasoning(options)
