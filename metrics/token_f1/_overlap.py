"""Token overlap of a prediction with its references, by the rules of SQuAD v2's official script.

Sources: SQuAD v2, https://rajpurkar.github.io/SQuAD-explorer/ (evaluate-v2.0.py, `get_raw_scores`); MLQA,
https://github.com/facebookresearch/MLQA (mlqa_evaluation_v1.py, `mixed_segmentation`).
"""

import functools
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from collections.abc import Sequence
from typing import NamedTuple

from ._normal_form import normal_form
from ._unicode_scripts import NO_SPACE_SCRIPTS
from ._unicode_scripts import mark_ranges

# Raise it whenever the tokens or the scores of any text change: it is part of the signature.
OVERLAP_VERSION = "v1"

Tokenizer = Callable[[str], list[str]]


class Overlap(NamedTuple):
    """The overlap of a prediction with its best reference.

    Attributes:
        f1: 2 * shared tokens / (tokens of the prediction + tokens of the reference).
        precision: Shared tokens / tokens of the prediction.
        recall: Shared tokens / tokens of the reference.
        exact_match: 1 if the prediction has the tokens of a reference in the same order, else 0.
    """

    f1: float
    precision: float
    recall: float
    exact_match: int


@functools.cache
def _segmentation() -> tuple[dict[int, None], re.Pattern[str]]:
    # ASCII punctuation is left to the normalizer, which may keep marks in numbers.
    beyond_ascii = map(chr, range(0x80, sys.maxunicode + 1))
    punctuation = {ord(character): None for character in beyond_ascii if unicodedata.category(character)[0] == "P"}
    marks = "".join(f"{chr(first)}-{chr(last)}" for first, last in mark_ranges())
    return punctuation, re.compile(f"[{NO_SPACE_SCRIPTS}][{marks}]*|[^\\s{NO_SPACE_SCRIPTS}]+")


def unicode_tokens(text: str) -> list[str]:
    """Split a normalized text at whitespace, and scripts written without spaces into characters.

    Punctuation beyond ASCII is removed first; a combining mark stays with its character. After `normalizer="squad"`,
    Chinese texts get the tokens of MLQA's script, which does this for U+4E00 to U+9FA5 only.
    """
    if text.isascii():
        return text.split()
    punctuation, token = _segmentation()
    return token.findall(normal_form("NFC", text.translate(punctuation)))


TOKENIZERS: dict[str, Tokenizer] = {"squad": str.split, "unicode": unicode_tokens}


def overlap_version(tokenizer: str) -> str:
    """Return the signature entry of the tokenizer and the scores."""
    data = f"-{unicodedata.unidata_version}" if tokenizer == "unicode" else ""
    return f"{tokenizer}-{OVERLAP_VERSION}{data}"


def count_shared(first: list[str], second: list[str]) -> int:
    """Return the size of the multiset intersection of two lists of tokens."""
    distinct_first, distinct_second = set(first), set(second)
    if len(distinct_first) == len(first) or len(distinct_second) == len(second):
        return len(distinct_first & distinct_second)  # no token is repeated in both
    return (Counter(first) & Counter(second)).total()


def score_answer(prediction: str, references: Sequence[str], tokenize: Tokenizer) -> Overlap:
    """Score a normalized prediction against its normalized references.

    F1, precision and recall are those of the reference with the highest F1, ties broken by precision. References
    without tokens are ignored unless none has any; then a prediction without tokens is right, and any other is wrong.

    Args:
        prediction: A text.
        references: At least one text.
        tokenize: A function from a normalized text to its tokens.

    Returns:
        Scores from 0 to 1.
    """
    tokens = tokenize(prediction)
    answers = [answer for answer in map(tokenize, references) if answer] or [[]]
    if tokens in answers:
        return Overlap(1.0, 1.0, 1.0, 1)
    if not tokens or not answers[0]:
        return Overlap(0.0, 0.0, 0.0, 0)
    return Overlap(*max(_f1_precision_recall(tokens, answer) for answer in answers), 0)


def _f1_precision_recall(tokens: list[str], answer: list[str]) -> tuple[float, float, float]:
    shared = count_shared(tokens, answer)
    # One division of integers, so that equal shares are equal floats.
    return 2 * shared / (len(tokens) + len(answer)), shared / len(tokens), shared / len(answer)
