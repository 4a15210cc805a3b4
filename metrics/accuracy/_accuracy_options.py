"""The options of accuracy."""

from dataclasses import dataclass
from typing import Annotated
from typing import Literal

from ._answer_normalizers import Normalizer
from ._extraction import EXTRACTORS
from ._extraction import Extract
from ._extraction import ExtractOption
from ._options import Choice
from ._options import ConfidenceMethod
from ._options import ConfidenceMethodName
from ._options import Flag
from ._options import Function
from ._options import Number
from ._options import ScoringOptions
from ._similarity import SCORERS
from ._similarity import Scorer


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of accuracy."""

    case_sensitive: Annotated[bool, Flag(help="Respect letter case.", requires=("normalizer", None))] = False
    normalize_text: Annotated[
        bool,
        Flag(
            help="Remove punctuation and extra spaces; False only strips the surrounding whitespace.",
            requires=("normalizer", None),
        ),
    ] = True
    fuzzy_match: Annotated[
        bool, Flag(help="If a prediction equals no reference, accept one that is similar enough.")
    ] = False
    fuzzy_threshold: Annotated[
        float,
        Number(
            0,
            1,
            help="Minimum similarity that counts as a fuzzy match, and the individual score of such a match.",
            requires=("fuzzy_match", True),
        ),
    ] = 0.8
    fuzzy_scorer: Annotated[
        Scorer,
        Choice(
            *SCORERS,
            help=(
                "RapidFuzz similarity: ratio (characters in common, in the same order), partial_ratio (the best "
                "substring of the longer text; cubic time at worst, 3 s for two texts of 4,000 characters), "
                "token_sort_ratio (words in any order), token_set_ratio (a subset of the words is enough), WRatio "
                "(the best of these, weighted)."
            ),
            requires=("fuzzy_match", True),
        ),
    ] = "ratio"
    match: Annotated[
        Literal["equal", "contains", "recall"],
        Choice(
            "equal",
            "contains",
            "recall",
            help=(
                "contains: a prediction is also right if a reference occurs in it as a whole word or phrase. recall: "
                "if it contains enough of the words of a reference and all of its numbers, and does not contradict it."
            ),
        ),
    ] = "equal"
    recall_threshold: Annotated[
        float,
        Number(0, 1, help="Minimum share of the reference's words that must be found.", requires=("match", "recall")),
    ] = 0.5
    language: Annotated[
        Literal["en", "none"],
        Choice(
            "en",
            "none",
            help="Language of the rules of token recall: English, or rules that work in every language.",
            requires=("match", "recall"),
        ),
    ] = "en"
    extract: Annotated[
        Extract,
        ExtractOption(
            *EXTRACTORS,
            help=(
                "Which part of each prediction to compare: the last \\boxed{}, the line after the last 'Answer:', the "
                "choice letter, the last number, the last match of a regular expression with one group, or what a "
                "function returns. A prediction without one is wrong."
            ),
        ),
    ] = None
    numbers: Annotated[
        Literal["text", "value"],
        Choice("text", "value", help="value: if both sides are a single number, their values are compared (3 = 3.00)."),
    ] = "text"
    numeric_tolerance: Annotated[
        float,
        Number(
            0,
            1,
            help="Maximum difference of two equal numbers, relative to the reference.",
            requires=("numbers", "value"),
        ),
    ] = 0.0
    normalizer: Annotated[
        Normalizer,
        Function(
            "squad",
            "benchwise",
            help=(
                "Replaces the built-in normalization: that of SQuAD v1's official script, that of Benchwise, or a "
                "function from str to str."
            ),
        ),
    ] = None
    return_confidence: bool = True
    confidence_method: Annotated[ConfidenceMethodName, ConfidenceMethod()] = "wilson"
    return_details: bool = True
