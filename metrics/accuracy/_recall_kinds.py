"""What token recall needs to know of a token to decide pairs in bulk, as bits, found out once per distinct word."""

import re
from itertools import pairwise

from ._recall_dates import MONTHS
from ._recall_denials import DENYING
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import NEGATIONS
from ._recall_forms import RANKS
from ._recall_names import GENERATIONS
from ._recall_names import NICKNAMES
from ._recall_names import is_acronym
from ._recall_numbers import NUMBER_WORDS
from ._recall_numbers import roman_value
from ._recall_numbers import tokenize_english
from ._recall_tokens import Token
from ._recall_tokens import number_key
from ._recall_tokens import tokenize

CAPITAL = 1
NUMBER = 2
NUMBER_WORD = 4  # part of a number in words, or may be
ROMAN = 8  # a number if the word before it is a noun
SEVERAL_VALUES = 16  # a number that others may match: the 90s, 1992 with the footnote 1
FUNCTION = 32
DENIES = 64  # may deny words near it, or make another person of the name before it: "not", "Jr."
PREFIX = 128  # changes the meaning of the next word: "West", "vice"
MONTH = 256
ACRONYM = 512
DOTTED = 1024
NICKNAME = 2048
UNUSUAL = 4096  # a reference with one is left to `judge`
SMALL = 8192  # does not count between names: "de"
COMPOUND = 16384  # part of a compound: "Java" of "JavaScript"
LINK = 32768  # may link the words of a number: "a hundred", "two and a half"
PART = 65536  # "Part" before a number makes another title: "Rocky Part II"
ANY_NUMBER = NUMBER | NUMBER_WORD | ROMAN

# Parts of a number in words whose value depends on their neighbors: "half of", "two dozen".
_PARTS_OF_NUMBERS = frozenset({"half", "halves", "quarter", "quarters", "dozen"})
# Arithmetic may write a decimal with more digits in another way.
_LONGEST_DECIMAL = 15
_LONGEST_PARTICLE = 3
# Marks around a word or number that do not change its token.
_OPENING = '("'
_CLOSING = '.,;:!?)"'
_PLAIN_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+")
_FOOTNOTED = frozenset({5, 6})
_LINKS = frozenset({"a", "and"})
_MARKS_IN_WORDS = frozenset("'+#")


def classify(piece: str, *, english: bool) -> list[tuple[str, int]]:
    """Split a piece of text between blanks into tokens: the key (of an amount, with its unit) and the bits of each."""
    plain = piece.lstrip(_OPENING).rstrip(_CLOSING)
    if len(plain) > 1 and plain.isascii():
        key = plain.lower()
        if plain.isalpha() and plain[1:].islower() and not (english and key in NUMBER_WORDS):
            capital = key != plain
            return [(key, (CAPITAL if capital else 0) | _kind_of_key(key, capital=capital, english=english))]
        if _PLAIN_NUMBER.fullmatch(plain):
            kind = (SEVERAL_VALUES if _may_have_footnote(plain) else 0) | (UNUSUAL if _is_rewritten(plain) else 0)
            return [(number_key(plain), NUMBER | kind)]
    tokens = tokenize(piece)
    more = 0
    if english:
        words = {token.key for token in tokens}
        if "/" in piece or not NUMBER_WORDS.isdisjoint(words):
            more = NUMBER_WORD if _PARTS_OF_NUMBERS.isdisjoint(words) else NUMBER_WORD | SEVERAL_VALUES
        if more or len(tokens) > 1:
            tokens = tokenize_english(piece)
    kinds = [_kind_of(token, english=english) | more for token in tokens]
    for index, (token, after) in enumerate(pairwise(tokens)):
        if token.end == after.start and not token.is_number and not after.is_number:
            kinds[index] |= COMPOUND
            kinds[index + 1] |= COMPOUND
    if "[" in piece:  # the number of a footnote differs from all others: "in 2018[5]"
        tokens = tuple(token._replace(unit="[") if token.is_number else token for token in tokens)
        kinds = [kind | UNUSUAL for kind in kinds]
    keys = [f"{token.key} {token.unit}" if token.unit else token.key for token in tokens]
    return list(zip(keys, kinds, strict=True))


def _kind_of(token: Token, *, english: bool) -> int:
    kind = CAPITAL if token.capital else 0
    if token.text.islower() and len(token.text) <= _LONGEST_PARTICLE:
        kind |= SMALL  # "6th", too
    if token.is_number:
        several = token.key[-1] == "s" or _may_have_footnote(token.text)
        unusual = token.text.isupper() or ("." in token.key and _is_rewritten(token.key))
        return kind | NUMBER | (SEVERAL_VALUES if several else 0) | (UNUSUAL if unusual else 0)
    kind |= _kind_of_key(token.key, capital=token.capital, english=english)
    if token.text.isupper():
        kind |= UNUSUAL | (ACRONYM if is_acronym(token) else 0)
    if "." in token.text:
        kind |= DOTTED | UNUSUAL
    return kind | (ROMAN if english and token.text.isupper() and roman_value(token.text) else 0)


def _kind_of_key(key: str, *, capital: bool, english: bool) -> int:
    is_korean = "\uac00" <= key[0] <= "\ud7a3"  # particles are attached to its words
    kind = 0 if len(key) > 1 and _MARKS_IN_WORDS.isdisjoint(key) and not is_korean else UNUSUAL
    if not capital and len(key) <= _LONGEST_PARTICLE and key not in NEGATIONS:
        kind |= SMALL
    if key in _LINKS:
        kind |= LINK
    if capital and key == "part":
        kind |= PART
    if capital and key in NICKNAMES:
        kind |= NICKNAME
    if (capital and key in NAME_PREFIXES) or key in RANKS:
        kind |= PREFIX
    if not english:
        return kind
    if roman_value(key.upper()) or key in {"yes", "no"}:
        kind |= UNUSUAL
    if key in FUNCTION_WORDS:
        kind |= FUNCTION
    if key in DENYING or key in GENERATIONS:
        kind |= DENIES
    return kind | (MONTH if key in MONTHS else 0)


def _is_rewritten(number: str) -> bool:
    return len(number) > _LONGEST_DECIMAL or "0.0000" in number


def _may_have_footnote(text: str) -> bool:
    return len(text) in _FOOTNOTED and text.isdigit()
