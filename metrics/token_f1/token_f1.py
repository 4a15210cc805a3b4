"""Token F1: overlap of the words of an answer with those of the reference."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from typing import Any
from typing import Literal

import evaluate

from ._answer_normalizers import Normalizer
from ._answer_normalizers import normalize_answers
from ._answer_normalizers import normalizer_version
from ._ascii_normalization import strip_ascii as strip_ascii
from ._buffering import positional_error as positional_error
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._human_labels import MIN_LABELS as MIN_LABELS
from ._intervals import Interval as Interval
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._normalization import NORMALIZATION_VERSION as NORMALIZATION_VERSION
from ._options import Choice
from ._options import Function
from ._options import ScoringOptions
from ._overlap import TOKENIZERS
from ._overlap import overlap_version
from ._overlap import score_answer
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
from ._tabular import LONG_LIST as LONG_LIST
from ._unicode_scripts import NO_SPACE_SCRIPTS as NO_SPACE_SCRIPTS
from ._user_warnings import warn as warn
from ._version import VERSION

_DESCRIPTION = """
Token F1 is the harmonic mean of precision and recall over the words that a prediction shares with its reference, or
with the best of its references, by the rules of SQuAD v2's official script. It gives partial credit where exact match
gives none.
"""

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

SCORES = ("f1", "precision", "recall", "exact_match")


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of token_f1."""

    normalizer: Annotated[
        Normalizer,
        Function(
            "squad",
            "default",
            help=(
                "How to normalize predictions and references: squad (as in SQuAD's official script: lower case, no "
                "ASCII punctuation, no English articles), default (as in the accuracy metric: numbers keep their "
                "value, articles are kept), a function from str to str, or None (no normalization)."
            ),
        ),
    ] = "squad"
    tokenizer: Annotated[
        Literal["squad", "unicode"],
        Choice(
            *TOKENIZERS,
            help=(
                "squad: words separated by spaces; unicode: also single characters in scripts without spaces, and no "
                "punctuation of any script."
            ),
        ),
    ] = "squad"


class TokenF1(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://rajpurkar.github.io/SQuAD-explorer/", "https://github.com/facebookresearch/MLQA"]
    options_type = Options
    inputs = {
        "predictions": StringColumn("The answers to score."),
        "references": ReferenceColumn("The reference for each, or a list of acceptable references for each."),
    }
    outputs = {
        "f1": Output("float, 0 to 1", "Mean F1 of the tokens shared with the best reference."),
        "precision": Output("float, 0 to 1", "Mean share of the prediction's tokens that this reference has."),
        "recall": Output("float, 0 to 1", "Mean share of this reference's tokens that the prediction has."),
        "exact_match": Output(
            "float, 0 to 1", "Share of predictions with the tokens of a reference in the same order."
        ),
        **{
            f"{name}_confidence_interval": Output("tuple of two floats", "With `return_confidence` only.")
            for name in SCORES
        },
        **{
            f"individual_{name}": Output("list of float, 0 to 1", "One per example; with `return_details` only.")
            for name in SCORES[:-1]
        },
        "individual_exact_match": Output(
            "list of int", "1 for an exact match, 0 otherwise; with `return_details` only."
        ),
        **COMMON_OUTPUTS,
    }
    main_score = "f1"
    compared_scores = ("f1", "exact_match")
    aggregates_counts = True

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        return {f"individual_{name}": "int" if name == "exact_match" else "float" for name in SCORES}

    def score_columns(self, inputs: Mapping[str, list[Any]], options: Options) -> dict[str, list[Any]]:
        normalize = partial(normalize_answers, normalizer=options.normalizer)
        predictions, references = normalize(inputs["predictions"]), map_strings(normalize, inputs["references"])
        tokenize = TOKENIZERS[options.tokenizer]
        overlaps = [
            score_answer(prediction, [answer] if isinstance(answer, str) else answer, tokenize)
            for prediction, answer in zip(predictions, references, strict=True)
        ]
        return {f"individual_{name}": [getattr(overlap, name) for overlap in overlaps] for name in SCORES}

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {
            name: column_statistic(columns[f"individual_{name}"], "proportion" if name == "exact_match" else "mean")
            for name in SCORES
        }

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        return {name: statistic.value for name, statistic in self.statistics(columns, options).items()}

    def signature_fields(self, options: Options) -> dict[str, Any]:
        return {"norm": normalizer_version(options.normalizer), "tokens": overlap_version(options.tokenizer)}
