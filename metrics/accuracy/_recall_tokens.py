"""Split a text into the words and numbers that token recall compares, with their positions in the text."""

import re
import unicodedata
from functools import cache
from functools import lru_cache
from typing import NamedTuple

from ._normal_form import normal_form
from ._unicode_scripts import NO_SPACE_SCRIPTS


class Token(NamedTuple):
    """A word, a number, or two neighboring characters of a script that is written without spaces."""

    key: str
    """What is compared: a folded word, or "#" and the value of a number ("#6", "#6th", "#1990s")."""
    start: int
    end: int
    text: str
    """The token as written."""
    capital: bool = False
    """Whether a word begins with a capital letter."""
    unit: str = ""
    """Of a number, the sign before it, as a word ("dollar")."""

    @property
    def is_number(self) -> bool:
        """Whether it is compared by value."""
        return self.key[:1] == "#"

    @property
    def value(self) -> str:
        """The value of a number, without the mark of an ordinal or of a decade."""
        return self.key[1:].rstrip("ths")


# Superscripts are footnote marks, no part of what they are attached to; subscripts are (H₂O). One character each, so
# that places stay what they are.
_SCRIPTS = str.maketrans(
    dict.fromkeys("¹²³⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", " ") | dict(zip("₀₁₂₃₄₅₆₇₈₉\u2212\u2010\u2019", "0123456789--'", strict=True))
)
_NUMBER = r"""
(?P<number>
  (?:(?<![\w.)\]%-])-(?=[\d.]))?
  (?: \d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?       # 1,000,000.5
    | (?<![\w.])\.\d+                                        # .5
    | \d+(?:[.:/]\d+)* ))                                    # 3.5, 10:30, 3/4
  (?P<suffix>(?:'?s|st|nd|rd|th)(?![^\W_]))?"""
_SHORTEST_DATE = 8
# Three numbers: "12/08/1990", "8.12.1990".
_DATE = re.compile(r"(?P<first>\d{1,2})(?P<mark>[./])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})")
_ABBREVIATION = r"|(?P<abbreviation>(?<![^\W_])(?:[^\W\d_]\.){2,}(?:[^\W\d_](?![^\W_]))?)"
_SIGN = r"|(?P<sign>[%$\u20ac\u00a3\u00a5\u20b9])"
_ASCII_TOKEN = re.compile(
    # A word takes the blanks behind it along: every other alternative would be tried on each.
    r"(?P<word>[A-Za-z]{2,})[ \n]*|" + _NUMBER + _ABBREVIATION + "|(?P<letter>[A-Za-z])" + _SIGN,
    re.VERBOSE,
)
# Marks that are part of a name of one letter: C++ and C#, but not x+y.
_LETTER_MARKS = frozenset("+#")
_MARKS = re.compile(r"(?:\+{1,2}|#)(?!\w)")
_BLANKS = re.compile("[^\\S\u00a0\u202f]+")
_SIGNS = {"%": "percent", "$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₹": "rupee"}
_CAMEL_CASE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")

_LONGEST_CACHED = 64

_FOLDED_LETTERS = str.maketrans(
    {"\u0131": "i", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)
# Accents of Latin, Greek and Cyrillic letters, the vowel points and the hamza of Arabic, and the points of Hebrew. The
# vowel signs of Indian scripts are letters in all but name.
_ACCENTS = re.compile("[\u0300-\u036f\u0640\u064b-\u0655\u0670\u0591-\u05c7\u200c\u200d\u00ad]")


@cache
def _token_expression() -> re.Pattern[str]:
    """Compile the expression for non-ASCII text on first use, since it lists every combining mark."""
    marks = "".join(chr(code) for code in range(0x300, 0x1F000) if unicodedata.category(chr(code))[0] == "M")
    letter = rf"(?![{NO_SPACE_SCRIPTS}])[^\W\d_]"
    word = rf"|(?P<run>[{NO_SPACE_SCRIPTS}]+)|(?P<word>{letter}(?:{letter}|[{marks}\u200c\u200d\u00ad])*)"
    return re.compile(_NUMBER + r"|(?P<fraction>[¼-¾⅐-⅞])" + _ABBREVIATION + word + _SIGN, re.VERBOSE)


def fold(word: str) -> str:
    """Fold case and accents: "Röntgen" and "rontgen" are one word."""
    if word.isascii():
        return word.lower()
    return _fold_word(word) if len(word) <= _LONGEST_CACHED else _fold(word)


def _fold(word: str) -> str:
    plain = _ACCENTS.sub("", normal_form("NFKD", word.casefold()))
    return normal_form("NFC", plain).translate(_FOLDED_LETTERS)


_fold_word = lru_cache(1 << 16)(_fold)


def is_korean(word: str) -> bool:
    """Say whether a word begins with a Hangul syllable: particles are attached to Korean words."""
    return "\uac00" <= word[0] <= "\ud7a3"


def number_key(written: str, suffix: str = "") -> str:
    """Write the value of a number: "#1000" for "1,000.0", "#6th" for "6" with "th", "#1990s" for "1990" with "s"."""
    digits = written.replace(",", "")
    if not digits.isascii():
        digits = digits.replace("\u00a0", "").replace("\u202f", "")
        digits = "".join(str(unicodedata.decimal(mark, mark)) for mark in digits)
    sign = "-" if digits[0] == "-" else ""
    whole, point, decimals = digits.lstrip("-").partition(".")
    decimals = decimals.rstrip("0") if decimals.isdigit() else decimals
    kind = "" if not suffix else "s" if suffix.lstrip("'") == "s" else "th"
    return "#" + sign + (whole.lstrip("0") or "0") + (point + decimals if decimals else "") + kind


def _words(text: str, start: int) -> list[Token]:
    """Make tokens of consecutive letters, split at inner capitals ("FedExField")."""
    if text.islower() or text.isupper() or text.istitle():
        return [Token(fold(text), start, start + len(text), text, capital=not text[0].islower() and text[0].isupper())]
    tokens = []
    for part in _CAMEL_CASE.split(text):
        tokens.append(Token(fold(part), start, start + len(part), part, capital=part[0].isupper()))
        start += len(part)
    return tokens


def pieces(text: str) -> list[str]:
    """Split a text at whitespace, which no token contains, except for spaces that group the digits of a number."""
    if text.isascii() or not ("\u00a0" in text or "\u202f" in text):
        return text.split()
    return _BLANKS.split(text)


def tokenize(text: str) -> tuple[Token, ...]:
    """Split a text into tokens.

    Splits between letters and digits, and at all punctuation; a number is one token, with its sign, compared by value.
    In scripts without spaces, each pair of neighboring characters is a token.

    Args:
        text: Any text.

    Returns:
        The tokens in order. Their positions count the characters of the text as given.
    """
    tokens: list[Token] = []
    make = tuple.__new__  # half the time of Token(...)
    at = 0
    for piece in pieces(text):
        at = text.index(piece, at)
        parts = _tokens_of_short(piece) if len(piece) <= _LONGEST_CACHED else _tokens_of(piece)
        for key, start, end, written, capital, unit in parts:
            tokens.append(make(Token, (key, at + start, at + end, written, capital, unit)))
        at += len(piece)
    return tuple(tokens)


def _tokens_of(text: str) -> tuple[Token, ...]:  # noqa: C901, PLR0912  # one branch for each kind of token
    """Split a text without blanks into tokens."""
    plain = text.translate(_SCRIPTS) if not text.isascii() else text
    expression = _ASCII_TOKEN if plain.isascii() else _token_expression()
    tokens: list[Token] = []
    for match in expression.finditer(plain):
        kind = match.lastgroup
        start, end = match.span("word" if kind == "word" else 0)
        part = plain[start:end]
        if kind == "word" and len(part) > 1:
            if part.islower() and part.isascii():
                tokens.append(Token(part, start, end, part, False, ""))  # noqa: FBT003
            else:
                tokens += _words(part, start)
        elif kind in {"word", "letter"}:
            if part in "sStT" and start and plain[start - 1] == "'":
                if part in "tT":
                    tokens.append(Token("n't", start, end, part))
                continue  # Orwell's
            if len(part) == 1 and plain[end : end + 1] in _LETTER_MARKS and (marks := _MARKS.match(plain, end)):
                written = plain[start : marks.end()]  # C++, C#
                tokens.append(Token(fold(part) + marks.group(), start, marks.end(), written, part.isupper()))
                continue
            tokens += _words(part, start)
        elif kind == "abbreviation":
            tokens.append(Token(fold(part.replace(".", "")), start, end, part, capital=part[0].isupper()))
        elif kind == "run":
            pairs = range(max(len(part) - 1, 1))
            tokens += [
                Token(fold(part[at : at + 2]), start + at, min(start + at + 2, end), part[at : at + 2]) for at in pairs
            ]
        elif kind == "fraction":
            value = str(unicodedata.numeric(part))
            if tokens and tokens[-1].is_number and tokens[-1].end == start and tokens[-1].value.isdigit():
                whole = tokens.pop()
                value, start = whole.value + value.lstrip("0"), whole.start
            tokens.append(Token("#" + value, start, end, plain[start:end]))
        elif kind == "sign":
            if part == "%":
                tokens.append(Token("percent", start, end, part))
        else:
            written = match["number"]
            if len(written) >= _SHORTEST_DATE and (date := _DATE.fullmatch(written)):
                spans = [(start + date.start(part), start + date.end(part)) for part in ("first", "second", "year")]
                tokens += [Token(number_key(plain[a:b]), a, b, plain[a:b]) for a, b in spans]
                continue
            sign = plain[start - 1 : start]
            key = number_key(written, match["suffix"] or "")
            if re.fullmatch(r"#\d{1,2}:00", key):
                key = key[:-3]
            if (
                len(key) == 3
                and key[1:].isdigit()
                and tokens
                and re.fullmatch(r"#[12]\d{3}", tokens[-1].key)
                and plain[tokens[-1].end : start] in {"-", "\u2013", "/"}
                and int(key[1:]) > int(tokens[-1].key[3:])
            ):
                key = tokens[-1].key[:3] + key[1:]
            tokens.append(Token(key, start, end, part, unit=_SIGNS.get(sign, "")))
    return tuple(token for token in tokens if token.key.strip())  # a mark alone, such as a tatweel, has no key


_tokens_of_short = lru_cache(1 << 15)(_tokens_of)
