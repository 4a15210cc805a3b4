"""Tokenizers: the one of Google's `rouge-score`, and two for texts of any script.

`rouge-score` (https://github.com/google-research/google-research/tree/master/rouge) lowercases the text and keeps runs
of `a-z0-9`, so Chinese or Arabic text has no tokens. The Unicode tokenizers keep the letters of all scripts, and take
scripts that are written without spaces character by character.
"""

import functools
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import NamedTuple, TypeAlias

from answer_metrics.text.normalization import NO_SPACE_SCRIPTS, normal_form

Tokenizer: TypeAlias = Callable[[str], list[str]]

# Parts of signatures: bump them whenever the tokens of any text change, or the overlap of any tokens.
TOKENS_VERSION = "v1"
OVERLAP_VERSION = "v1"
DATA_VERSION = f"-{unicodedata.unidata_version}"
"""The signature entry of Unicode's data, on which the tokens of other scripts depend."""


@functools.cache
def _rouge_table() -> bytes:
    """Return rouge-score's rule for lowercased ASCII text: what separates tokens becomes a space."""
    try:
        from rouge_score.tokenize import NON_ALPHANUM_RE  # 0.07 s, and only needed here
    except ImportError as error:
        raise ImportError('tokenizer="rouge" needs rouge-score: pip install rouge-score') from error
    table = "".join(NON_ALPHANUM_RE.sub(" ", chr(code)) for code in range(128))
    return table.encode("ascii") * 2  # `translate` takes no table without bytes above 127


def rouge_tokens(text: str) -> list[str]:
    """Return `rouge_score.tokenize.tokenize(text, None)`, 15 times as fast; an `ImportError` without rouge-score."""
    # By the same rule, all characters beyond ASCII separate tokens; here they become question marks, which do, too.
    return text.lower().encode("ascii", "replace").translate(_rouge_table()).decode("ascii").split()


def loses_most(text: str) -> bool:
    """Return whether `rouge_tokens` drops more than half of the letters and digits of a text."""
    return not text.isascii() and 2 * sum(map(len, rouge_tokens(text))) < sum(map(str.isalnum, text))


@functools.cache
def _marks() -> str:
    """Return all marks (category M) as ranges for a character class, which match faster than single characters."""
    ranges: list[tuple[int, int]] = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] == "M":
            first = ranges.pop()[0] if ranges and ranges[-1][1] == code - 1 else code
            ranges.append((first, code))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@functools.cache
def _unicode_token() -> re.Pattern[str]:
    word = f"(?:[^\\W_{NO_SPACE_SCRIPTS}]+[{_marks()}]*)+"
    single = f"(?=[^\\W_])[{NO_SPACE_SCRIPTS}][{_marks()}]*"
    return re.compile(f"{word}|{single}")


def unicode_tokens(text: str) -> list[str]:
    """Return case-folded words of letters, digits and their marks, and single letters in scripts without spaces.

    The tokens are in NFC, so that a composed and a decomposed "é" are the same.

    >>> unicode_tokens("Zürich, 東京 3.5")
    ['zürich', '東', '京', '3', '5']
    """
    return _unicode_token().findall(normal_form("NFC", text.casefold()))


@functools.cache
def _answer_token() -> tuple[dict[int, None], re.Pattern[str]]:
    # ASCII punctuation is left to the normalizer, which may keep marks in numbers.
    beyond_ascii = map(chr, range(0x80, sys.maxunicode + 1))
    punctuation = {ord(character): None for character in beyond_ascii if unicodedata.category(character)[0] == "P"}
    return punctuation, re.compile(f"[{NO_SPACE_SCRIPTS}][{_marks()}]*|[^\\s{NO_SPACE_SCRIPTS}]+")


def answer_tokens(text: str) -> list[str]:
    """Split a normalized text at whitespace, and scripts written without spaces into characters with their marks.

    Punctuation beyond ASCII is removed first. After `normalizer="squad"`, Chinese texts get the tokens of MLQA's script
    (https://github.com/facebookresearch/MLQA, `mixed_segmentation`), which does this for U+4E00 to U+9FA5 only.
    """
    if text.isascii():
        return text.split()
    punctuation, token = _answer_token()
    return token.findall(normal_form("NFC", text.translate(punctuation)))


def make_tokenizer(name: str, *, use_stemmer: bool) -> Tokenizer:
    """Return the tokenizer "rouge" or "unicode", with or without stemming of English words.

    Stemming is that of `rouge-score`, without which it is an `ImportError`: Porter's, on words of more than 3 letters.
    """
    tokenize = rouge_tokens if name == "rouge" else unicode_tokens
    if not use_stemmer:
        return tokenize
    try:
        from rouge_score.tokenizers import porter  # 0.2 s, and only needed here
    except ImportError as error:
        raise ImportError("use_stemmer needs rouge-score: pip install rouge-score") from error
    stem = functools.cache(porter.PorterStemmer().stem)
    return lambda text: [stem(token) if len(token) > 3 else token for token in tokenize(text)]


def tokenizer_version(name: str, *, use_stemmer: bool) -> str:
    """Return the signature entry of a tokenizer."""
    data = DATA_VERSION if name == "unicode" else ""
    stemmer = f"+porter-nltk-{metadata.version('nltk')}" if use_stemmer else ""
    return f"{name}-{TOKENS_VERSION}{data}{stemmer}"


class Overlap(NamedTuple):
    """The overlap of a prediction with its best reference, each 0 to 1."""

    f1: float
    precision: float
    recall: float
    exact_match: int


def score_answer(prediction: str, references: Sequence[str], tokenize: Tokenizer) -> Overlap:
    """Score a normalized prediction against its normalized references, of which the one with the highest F1 counts.

    F1 is 2 * shared / (both), precision shared / prediction, recall shared / reference, in tokens. References without
    tokens are ignored unless none has any; then a prediction without tokens is right, and any other is wrong. Source:
    SQuAD v2, https://rajpurkar.github.io/SQuAD-explorer/ (evaluate-v2.0.py, `get_raw_scores`).

    >>> score_answer("eiffel tower", ["eiffel tower in paris", "paris"], str.split)
    Overlap(f1=0.6666666666666666, precision=1.0, recall=0.5, exact_match=0)
    """
    tokens = tokenize(prediction)
    answers = [answer for answer in map(tokenize, references) if answer] or [[]]
    if tokens in answers:
        return Overlap(1.0, 1.0, 1.0, 1)
    if not tokens or not answers[0]:
        return Overlap(0.0, 0.0, 0.0, 0)
    distinct = set(tokens)
    overlaps = []
    for answer in answers:
        if len(distinct) == len(tokens):
            shared = len(distinct.intersection(answer))
        else:
            shared = (Counter(tokens) & Counter(answer)).total()
        overlaps.append((2 * shared / (len(tokens) + len(answer)), shared / len(tokens), shared / len(answer)))
    return Overlap(*max(overlaps), 0)
