"""What token recall needs to know of a token to decide pairs in bulk, as bits, found out once per distinct word."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from ._recall_bold import BOLD
from ._recall_contrasts import CONTRASTING
from ._recall_dates import ALL_MONTHS
from ._recall_dates import MONTH_CHARACTERS
from ._recall_denials import DENYING
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import LONGEST_PARTICLE
from ._recall_forms import NAME_ENDINGS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import NEGATIONS
from ._recall_forms import RANKS
from ._recall_names import GENERATIONS
from ._recall_names import TITLES
from ._recall_names import is_acronym
from ._recall_numbers import FOREIGN_NUMBERS
from ._recall_numbers import NUMBER_WORDS
from ._recall_numbers import roman_value
from ._recall_numbers import tokenize_english
from ._recall_text import COMMAS
from ._recall_text import FOOTNOTED_YEAR
from ._recall_text import QUOTES
from ._recall_text import SENTENCE_ENDS
from ._recall_tokens import Token
from ._recall_tokens import is_korean
from ._recall_tokens import number_key
from ._recall_tokens import tokenize
from ._recall_units import UNIT_PARTS
from ._recall_units import UNITS


class Kind:
    """Bits that describe a token."""

    CAPITAL = 1 << 0
    NUMBER = 1 << 1
    NUMBER_WORD = 1 << 2
    """Part of a number in words, or may be."""
    ROMAN = 1 << 3
    """A number if the word before it is a noun."""
    SEVERAL_VALUES = 1 << 4
    """A number that others may match, or that may be read in several ways: the 90s, 1992 with the footnote 1, 007."""
    FOUR_DIGITS = 1 << 5
    DAY = 1 << 6
    """One or two digits, 1 to 31."""
    FUNCTION = 1 << 7
    SMALL = 1 << 8
    """Does not count between names: "de"."""
    LOWER = 1 << 9
    """Written in small letters only."""
    INITIAL = 1 << 10
    """A single capital letter."""
    ACRONYM = 1 << 11
    DOTTED = 1 << 12
    KOREAN = 1 << 13
    MONTH = 1 << 14
    TITLE = 1 << 15
    UNIT = 1 << 16
    UNIT_PART = 1 << 17
    """A unit, or continues one: "per", "h"."""
    DENIES = 1 << 18
    """May deny words near it, or make another person of the name before it: "not", "Jr."."""
    PREFIX = 1 << 19
    """Changes the meaning of the next word, or of the one before it: "West", "vice", "City"."""
    LINK = 1 << 20
    """May link the words of a number: "a hundred", "two and a half"."""
    PART = 1 << 21
    """"Part" before a number makes another title: "Rocky Part II"."""
    COMPOUND = 1 << 22
    """Part of a compound: "Java" of "JavaScript"."""
    UNUSUAL = 1 << 23
    """In a reference: left to `judge`."""
    STARTS_SENTENCE = 1 << 24
    """Its piece has a mark before it that ends a sentence."""
    ENDS_SENTENCE = 1 << 25
    """Its piece has such a mark behind it, or the next piece consists of marks."""
    QUOTED = 1 << 27
    """Its piece has a quotation mark."""
    COMMA = 1 << 26
    """Its piece has a comma or colon, or the next piece consists of marks and has one."""
    ANY_NUMBER = NUMBER | NUMBER_WORD | ROMAN


# Parts of a number in words whose value depends on their neighbors: "half of", "two dozen".
_PARTS_OF_NUMBERS = frozenset({"half", "halves", "quarter", "quarters", "dozen"})
# Arithmetic may write a decimal with more digits in another way.
_LONGEST_DECIMAL = 15
# Marks around a word or number that do not change its token.
_OPENING = '("'
_SIGNS = QUOTES | {"(", "*"}
_CLOSING = '.,;:!?)"'
_PLAIN_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+")
_YEAR = 4
_LAST_DAY = 31
_MARKS_IN_WORDS = frozenset("'+#")


def classify(piece: str, *, english: bool) -> list[tuple[str, int]]:
    """Split a piece of text between blanks into tokens: the key (of an amount, with its unit) and the bits of each."""
    return (
        _classify_short(piece, english=english) if len(piece) <= _LONGEST_CACHED else _classify(piece, english=english)
    )


def _classify(piece: str, *, english: bool) -> list[tuple[str, int]]:
    plain = piece.lstrip(_OPENING).rstrip(_CLOSING)
    if len(plain) > 1 and plain.isascii():
        key = plain.lower()
        end = kind_of_marks(piece[len(plain) :]) | _kind_of_signs(piece) if len(piece) > len(plain) else 0
        if plain.isalpha() and plain[1:].islower() and not (english and key in NUMBER_WORDS):
            capital = key != plain
            kind = Kind.CAPITAL if capital else Kind.LOWER
            return [(key, kind | end | _kind_of_key(key, capital=capital, english=english))]
        if plain.isdigit() or _PLAIN_NUMBER.fullmatch(plain):
            return [(number_key(plain), end | _kind_of_number(plain, plain))]
    return _classify_tokens(piece, english=english)


def _classify_tokens(piece: str, *, english: bool) -> list[tuple[str, int]]:
    tokens = tokenize(piece)
    more = _kind_of_signs(piece)
    if english:
        words = {token.key for token in tokens}
        if "/" in piece or not NUMBER_WORDS.isdisjoint(words):
            more |= Kind.NUMBER_WORD
            more |= 0 if _PARTS_OF_NUMBERS.isdisjoint(words) else Kind.SEVERAL_VALUES
        if more & Kind.NUMBER_WORD or len(tokens) > 1:
            tokens = tokenize_english(piece)
    if "[" in piece:  # the number of a footnote differs from all others: "in 2018[5]"
        more |= Kind.UNUSUAL
        tokens = tuple(token._replace(unit="[") if token.is_number else token for token in tokens)
    kinds = [_kind_of(token, english=english) | more for token in tokens]
    _add_neighbors(piece, tokens, kinds)
    keys = [f"{token.key} {token.unit}" if token.unit else token.key for token in tokens]
    return list(zip(keys, kinds, strict=True))


def _add_neighbors(piece: str, tokens: tuple[Token, ...], kinds: list[int]) -> None:
    """Add the bits that depend on what stands beside each token in its piece."""
    before = 0
    for index, token in enumerate(tokens):
        if kind_of_marks(piece[before : token.start]) & Kind.ENDS_SENTENCE:
            kinds[index] |= Kind.STARTS_SENTENCE
        before = token.end
    if tokens:
        kinds[-1] |= kind_of_marks(piece[before:])
    if not COMMAS.isdisjoint(piece):
        kinds[:] = [kind | Kind.COMMA for kind in kinds]
    for index, (token, after) in enumerate(pairwise(tokens)):
        if token.end == after.start and not token.is_number and not after.is_number:
            kinds[index] |= Kind.COMPOUND
            kinds[index + 1] |= Kind.COMPOUND


_LONGEST_CACHED = 64
_classify_short = lru_cache(1 << 16)(_classify)


def kind_of_marks(marks: str) -> int:
    """Return the bits of a token that some marks follow."""
    end = 0 if SENTENCE_ENDS.isdisjoint(marks) else Kind.ENDS_SENTENCE
    return end | (0 if COMMAS.isdisjoint(marks) else Kind.COMMA)


def _kind_of_signs(piece: str) -> int:
    """Return the bits of all tokens of a piece with a parenthesis, quotation marks or bold type."""
    if _SIGNS.isdisjoint(piece):
        return 0
    kind = Kind.UNUSUAL if piece[0] == "(" else 0
    kind |= Kind.DENIES if BOLD in piece else 0
    return kind | (0 if QUOTES.isdisjoint(piece) else Kind.QUOTED)


def _kind_of(token: Token, *, english: bool) -> int:
    kind = Kind.CAPITAL if token.capital else 0
    if token.text.islower():
        kind |= Kind.LOWER | (Kind.SMALL if len(token.text) <= LONGEST_PARTICLE else 0)  # "6th", too
    if token.is_number:
        return kind | _kind_of_number(token.text, token.key)
    kind |= _kind_of_key(token.key, capital=token.capital, english=english)
    kind |= Kind.MONTH if token.key[0] in MONTH_CHARACTERS else 0
    if token.text.isupper():
        kind |= Kind.UNUSUAL | (Kind.ACRONYM if is_acronym(token) else 0)
        kind |= Kind.INITIAL if len(token.text) == 1 else 0
    if "." in token.text:
        kind |= Kind.DOTTED | Kind.UNUSUAL
    return kind | (Kind.ROMAN if english and token.text.isupper() and roman_value(token.text) else 0)


def _kind_of_number(text: str, key: str) -> int:
    kind = Kind.NUMBER
    if key[-1] == "s" or (len(text) in FOOTNOTED_YEAR and text.isdigit()):
        kind |= Kind.SEVERAL_VALUES
    if text.isdigit():
        if len(text) == _YEAR:
            kind |= Kind.FOUR_DIGITS
        elif len(text) > len("31") and text[0] == "0":
            kind |= Kind.SEVERAL_VALUES
        elif len(text) <= len("31") and 1 <= int(text) <= _LAST_DAY:
            kind |= Kind.DAY
    if text.isupper() or ("." in key and (len(key) > _LONGEST_DECIMAL or "0.0000" in key)):
        kind |= Kind.UNUSUAL
    return kind


def _kind_of_key(key: str, *, capital: bool, english: bool) -> int:
    kind = 0 if len(key) > 1 and _MARKS_IN_WORDS.isdisjoint(key) else Kind.UNUSUAL
    if is_korean(key):
        kind |= Kind.KOREAN
    if not capital and len(key) <= LONGEST_PARTICLE and key not in NEGATIONS:
        kind |= Kind.SMALL
    kind |= _KINDS.get(key, 0) | (_KINDS_OF_CAPITALIZED.get(key, 0) if capital else 0)
    if english:
        kind |= _ENGLISH_KINDS.get(key, 0) | (Kind.UNUSUAL if roman_value(key.upper()) else 0)
    return kind


def _combine(*groups: tuple[Iterable[str], int]) -> dict[str, int]:
    kinds: dict[str, int] = {}
    for words, kind in groups:
        for word in words:
            kinds[word] = kinds.get(word, 0) | kind
    return kinds


_KINDS = _combine(
    ({"a", "and"}, Kind.LINK), (TITLES, Kind.TITLE), (RANKS | {"law"}, Kind.PREFIX), (CONTRASTING, Kind.DENIES)
)
_KINDS_OF_CAPITALIZED = _combine(({"part"}, Kind.PART), (NAME_PREFIXES | NAME_ENDINGS, Kind.PREFIX))
_ENGLISH_KINDS = _combine(
    (FUNCTION_WORDS, Kind.FUNCTION),
    (DENYING | GENERATIONS, Kind.DENIES),
    (UNITS, Kind.UNIT),
    (UNIT_PARTS, Kind.UNIT_PART),
    (ALL_MONTHS, Kind.MONTH),
    (FOREIGN_NUMBERS, Kind.NUMBER_WORD | Kind.SEVERAL_VALUES | Kind.UNUSUAL),
    ({"yes", "no"}, Kind.UNUSUAL),
)
