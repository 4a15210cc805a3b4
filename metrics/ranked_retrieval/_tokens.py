# Vendored: edit metrics/_shared/_tokens.py and run `make vendor`.
"""Tokenizers: that of Google's `rouge-score` package, and one based on Unicode categories.

`rouge-score` (https://github.com/google-research/google-research/tree/master/rouge) lowercases the text and keeps runs
of `a-z0-9`; every other character is a separator, so Chinese or Arabic text has no tokens. The Unicode tokenizer
handles such text.
"""

import functools
import re
import string
import unicodedata
from collections.abc import Callable
from importlib import metadata

from ._normal_form import normal_form
from ._unicode_scripts import NO_SPACE_SCRIPTS
from ._unicode_scripts import mark_ranges

# Raise it whenever the tokens of any text change: it is part of the signature.
TOKENS_VERSION = "v1"

Tokenizer = Callable[[str], list[str]]

_ROUGE_TOKEN = re.compile("[a-z0-9]+")
# For ASCII text, replacing all other characters by spaces and splitting gives the matches of `_ROUGE_TOKEN`, faster.
_ASCII_WORDS = "".join(c.lower() if c in string.ascii_letters + string.digits else " " for c in map(chr, range(128)))


def rouge_tokens(text: str) -> list[str]:
    """Return `rouge_score.tokenize.tokenize(text, None)`."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    return _ROUGE_TOKEN.findall(text.lower())


@functools.cache
def _unicode_token() -> re.Pattern[str]:
    marks = "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in mark_ranges())
    word = f"(?:[^\\W_{NO_SPACE_SCRIPTS}]+[{marks}]*)+"
    single = f"(?=[^\\W_])[{NO_SPACE_SCRIPTS}][{marks}]*"
    return re.compile(f"{word}|{single}")


def unicode_tokens(text: str) -> list[str]:
    """Return case-folded words of letters, digits and their marks, and single letters in scripts without spaces.

    The tokens are in NFC, so that a composed and a decomposed "é" are the same.
    """
    return _unicode_token().findall(normal_form("NFC", text.casefold()))


def stemmed(tokenize: Tokenizer) -> Tokenizer:
    """Add stemming to a tokenizer as `rouge-score` does it: Porter's stemmer, on words of more than 3 characters.

    Raises:
        ImportError: If nltk is not installed.
    """
    try:
        from nltk.stem.porter import PorterStemmer  # noqa: PLC0415  # 0.14 s, and only needed here
    except ImportError as error:
        raise ImportError("use_stemmer needs nltk: pip install nltk") from error
    stem = functools.cache(PorterStemmer().stem)

    def stemmed_tokens(text: str) -> list[str]:
        return [stem(token) if len(token) > 3 else token for token in tokenize(text)]  # noqa: PLR2004  # as in rouge-score

    return stemmed_tokens


def make_tokenizer(name: str, *, use_stemmer: bool) -> Tokenizer:
    """Return a tokenizer by its name.

    Args:
        name: "rouge" or "unicode".
        use_stemmer: Whether to stem English words.

    Returns:
        A function from a text to its tokens.
    """
    tokenize = rouge_tokens if name == "rouge" else unicode_tokens
    return stemmed(tokenize) if use_stemmer else tokenize


def tokenizer_version(name: str, *, use_stemmer: bool) -> str:
    """Return the signature entry of a tokenizer."""
    data = f"-{unicodedata.unidata_version}" if name == "unicode" else ""
    stemmer = f"+porter-nltk-{metadata.version('nltk')}" if use_stemmer else ""
    return f"{name}-{TOKENS_VERSION}{data}{stemmer}"


def loses_most(text: str) -> bool:
    """Return whether the "rouge" tokenizer drops more than half of the letters and digits of a text."""
    if text.isascii():
        return False
    letters = sum(map(str.isalnum, text))
    return 2 * sum(map(len, rouge_tokens(text))) < letters
