"""Texts into tokens, as Google's `rouge-score` package makes them or by Unicode's categories.

`rouge-score` (https://github.com/google-research/google-research/tree/master/rouge) lowers the text and keeps runs of
`a-z0-9`: every other letter separates, so Chinese or Arabic text has no tokens. The Unicode tokeniser is for that text.
"""

import functools
import re
import unicodedata
from collections.abc import Callable
from importlib import metadata

# Raise it whenever the tokens of any text change: it stands in the signatures.
TOKENS_VERSION = "v1"

Tokenizer = Callable[[str], list[str]]

_ROUGE_TOKEN = re.compile("[a-z0-9]+")


def rouge_tokens(text: str) -> list[str]:
    """Return the tokens that `rouge_score.tokenize.tokenize(text, None)` returns."""
    return _ROUGE_TOKEN.findall(text.lower())


@functools.cache
def _unicode_token(no_space_scripts: str) -> re.Pattern[str]:
    marks = "".join(re.escape(c) for c in map(chr, range(0x20000)) if unicodedata.category(c).startswith("M"))
    word = f"(?:[^\\W_{no_space_scripts}]+[{marks}]*)+"
    single = f"(?=[^\\W_])[{no_space_scripts}][{marks}]*"
    return re.compile(f"{word}|{single}")


def unicode_tokens(text: str, no_space_scripts: str) -> list[str]:
    """Return case-folded words of letters, digits and their marks, and the single letters of scripts without spaces.

    Args:
        text: Any text.
        no_space_scripts: The ranges of those scripts' characters, as in a regular expression's `[...]`.

    Returns:
        The tokens in canonical composition, so that a composed and a decomposed "é" are the same.
    """
    return _unicode_token(no_space_scripts).findall(unicodedata.normalize("NFC", text.casefold()))


def stemmed(tokenize: Tokenizer) -> Tokenizer:
    """Wrap a tokeniser so that it stems as `rouge-score` does: Porter's stemmer, on words of more than 3 characters.

    Raises:
        ImportError: Says what to install.
    """
    try:
        from nltk.stem.porter import PorterStemmer  # noqa: PLC0415  # 0.14 s, and only needed here
    except ImportError as error:
        raise ImportError("use_stemmer needs nltk: pip install nltk") from error
    stem = functools.cache(PorterStemmer().stem)

    def stemmed_tokens(text: str) -> list[str]:
        return [stem(token) if len(token) > 3 else token for token in tokenize(text)]  # noqa: PLR2004  # rouge-score's own

    return stemmed_tokens


def make_tokenizer(name: str, *, use_stemmer: bool, no_space_scripts: str) -> Tokenizer:
    """Return a tokeniser by its name.

    Args:
        name: "rouge" or "unicode".
        use_stemmer: Whether words are brought to their stem, by the rules for English.
        no_space_scripts: See `unicode_tokens`.

    Returns:
        A function from a text to its tokens.
    """
    tokenize = rouge_tokens if name == "rouge" else functools.partial(unicode_tokens, no_space_scripts=no_space_scripts)
    return stemmed(tokenize) if use_stemmer else tokenize


def tokenizer_version(name: str, *, use_stemmer: bool) -> str:
    """Return what a signature says about a tokeniser."""
    data = f"-{unicodedata.unidata_version}" if name == "unicode" else ""
    stemmer = f"+porter-nltk-{metadata.version('nltk')}" if use_stemmer else ""
    return f"{name}-{TOKENS_VERSION}{data}{stemmer}"


def loses_most(text: str) -> bool:
    """Tell whether the "rouge" tokeniser drops more than half of the letters and digits of a text."""
    if text.isascii():
        return False
    letters = sum(map(str.isalnum, text))
    return 2 * sum(map(len, rouge_tokens(text))) < letters
