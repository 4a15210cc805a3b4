"""Columns of texts as arrays of tokens: each distinct piece between blanks is split into tokens once per column.

The tokens of a text are those of its pieces, except that English joins neighbors into numbers ("five million", "World
War II"): the tokens where that may happen are marked.
"""

import re
from array import array
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ._recall_dates import MONTHS
from ._recall_denials import DENYING
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import NEGATIONS
from ._recall_forms import RANKS
from ._recall_forms import beginning
from ._recall_forms import related_forms
from ._recall_names import GENERATIONS
from ._recall_names import NICKNAMES
from ._recall_names import is_acronym
from ._recall_numbers import NUMBER_WORDS
from ._recall_numbers import roman_value
from ._recall_numbers import tokenize_english
from ._recall_text import LONGEST_JOINED
from ._recall_tokens import Token
from ._recall_tokens import number_key
from ._recall_tokens import pieces
from ._recall_tokens import tokenize
from ._recall_units import UNIT_KINDS
from ._recall_units import UNITS
from ._recall_units import Measure
from ._recall_units import amount

Array = np.ndarray[Any, Any]

# What is known of a token, one bit each.
CAPITAL = 1
NUMBER = 2
NUMBER_WORD = 4  # part of a number in words, or may be
ROMAN = 8  # a number, if the word before it is a noun
SEVERAL_VALUES = 16  # a number that stands for others too: the 90s, 1992 with the footnote 1
FUNCTION = 32
DENIES = 64  # what it is near may be denied, or another person's name: "not", "Jr."
PREFIX = 128  # makes something else of what follows: "West", "vice"
MONTH = 256
ACRONYM = 512
DOTTED = 1024
NICKNAME = 2048
UNUSUAL = 4096  # in a reference, a matter for `judge`
SMALL = 8192  # between names, no word that counts: "de"
COMPOUND = 16384  # a part of one: "Java" of "JavaScript"
LINK = 32768  # may link the words of a number: "a hundred", "two and a half"
PART = 65536  # before a number, makes another name of a title: "Rocky Part II"
ANY_NUMBER = NUMBER | NUMBER_WORD | ROMAN

# Parts of a number in words whose value their neighbors decide: "half of", "two dozen".
_PARTS_OF_NUMBERS = frozenset({"half", "halves", "quarter", "quarters", "dozen"})
# Decimals that are written in another way after arithmetic.
_LONGEST_DECIMAL = 15
_LONGEST_PARTICLE = 3
# Around a word or number, these change nothing.
_OPENING = '("'
_CLOSING = '.,;:!?)"'
_PLAIN_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+")
_FOOTNOTED = frozenset({5, 6})
_LINKS = frozenset({"a", "and"})
_MARKS_IN_WORDS = frozenset("'+#")
_MEASURES = sorted(set(UNIT_KINDS.values()))


@dataclass(frozen=True)
class Tokens:
    """The tokens of a column of texts, one after the other."""

    counts: Array
    """How many tokens each text has, shape (texts,)."""
    keys: Array
    """The number of each token's key in the vocabulary, shape (tokens,)."""
    kinds: Array
    """What is known of each, the bits above."""

    @cached_property
    def rows(self) -> Array:
        """The text of each token, shape (tokens,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def starts(self) -> Array:
        """Where the tokens of each text begin, shape (texts,)."""
        return np.cumsum(self.counts) - self.counts

    def places(self, texts: Array) -> Array:
        """List the places of the tokens of some texts."""
        return spread(self.starts[texts], self.counts[texts])

    def take(self, texts: Array) -> "Tokens":
        """Take some of the texts."""
        places = self.places(texts)
        return Tokens(self.counts[texts], self.keys[places], self.kinds[places])

    def are(self, kinds: int) -> Array:
        """Say which tokens are of one of these kinds."""
        chosen: Array = (self.kinds & kinds) != 0
        return chosen

    def count(self, chosen: Array) -> Array:
        """Count the chosen tokens of each text."""
        return np.bincount(self.rows[chosen], minlength=len(self.counts))

    def any(self, chosen: Array) -> Array:
        """Say which texts have a chosen token."""
        result = np.zeros(len(self.counts), dtype=np.bool_)
        result[self.rows[chosen]] = True
        return result

    def has(self, kinds: int) -> Array:
        """Say which texts have a token of one of these kinds."""
        return self.any(self.are(kinds))

    def bits(self, values: Array) -> Array:
        """Combine the bits of the tokens of each text."""
        result = np.zeros(len(self.counts), dtype=np.int64)
        some = np.flatnonzero(values)
        np.bitwise_or.at(result, self.rows[some], values[some])
        return result


class Index:
    """The keys of each text, to look many up at once."""

    def __init__(self, rows: Array, keys: Array, size: int) -> None:
        self._size = size
        self._sorted = np.sort(rows * size + keys)

    def has(self, rows: Array, keys: Array) -> Array:
        """Say of each key whether its text has it."""
        if not len(self._sorted):
            return np.zeros(len(rows), dtype=np.bool_)
        wanted = rows * self._size + keys
        places = np.searchsorted(self._sorted, wanted)
        found: Array = self._sorted[np.minimum(places, len(self._sorted) - 1)] == wanted
        return found

    def counts(self, rows: Array, keys: Array) -> Array:
        """Count how often each key stands in its text."""
        wanted = rows * self._size + keys
        return np.searchsorted(self._sorted, wanted, "right") - np.searchsorted(self._sorted, wanted)


class Vocabulary(dict[str, int]):
    """The distinct pieces of some columns, each with the number that it is known by, and their tokens."""

    def __init__(self, *, english: bool) -> None:
        super().__init__()
        self.english = english
        self._first = array("q")  # of each piece, its first token below
        self._count = array("q")
        self._keys = array("q")
        self._kinds = array("q")
        self._key_numbers: dict[str, int] = {}
        self.names: list[str] = []
        """The key of each number; that of an amount of money with its unit."""
        self._beginnings: dict[str, int] = {}
        self._beginning_of = array("q")
        self._value_of = array("q")
        self._measure_of = array("q")
        self._initial_of = array("q")
        self._forms: dict[int, frozenset[str]] = {}
        self._amounts: dict[Measure | None, int] = {None: -1}

    def __missing__(self, piece: str) -> int:
        number = self[piece] = len(self)
        tokens = self._tokens_of(piece)
        self._first.append(len(self._keys))
        self._count.append(len(tokens))
        for key, kind in tokens:
            self._keys.append(self._number(key))
            self._kinds.append(kind)
        return number

    def read(self, texts: Sequence[str]) -> Tokens:
        """Split texts into tokens."""
        numbers: list[int] = []
        counts = []
        for text in texts:
            parts = pieces(text)
            numbers += map(self.__getitem__, parts)
            counts.append(len(parts))
        chosen = np.array(numbers, dtype=np.int64)
        widths = np.array(self._count, dtype=np.int64)
        sizes = widths[chosen]
        where = spread(np.array(self._first, dtype=np.int64)[chosen], sizes)
        ends = np.append(0, np.cumsum(sizes))[np.cumsum([0, *counts])]
        return Tokens(
            np.diff(ends), np.array(self._keys, dtype=np.int64)[where], np.array(self._kinds, dtype=np.int64)[where]
        )

    def find(self, key: str) -> int:
        """Give the number of a word, -1 if no text has it."""
        return self._key_numbers.get(key, -1)

    def find_all(self, keys: Iterable[str]) -> list[int]:
        """Give the numbers of those words that some text has."""
        return [self._key_numbers[key] for key in keys if key in self._key_numbers]

    def second_parts(self, key: int) -> list[int]:
        """Part a word in two that both stand in some text, in every way; give the second ones."""
        name, known = self.names[key], self._key_numbers
        lengths = range(1, len(name) if len(name) <= LONGEST_JOINED else 0)
        return [known[name[at:]] for at in lengths if name[at:] in known and name[:at] in known]

    @property
    def beginning_numbers(self) -> Array:
        """For each key, the number of its first two sounds, which all its forms share."""
        return np.array(self._beginning_of, dtype=np.int64)

    @property
    def value_keys(self) -> Array:
        """For each key, the key that ordinals and signed numbers of its value share with it."""
        return np.array(self._value_of, dtype=np.int64)

    @property
    def measure_bits(self) -> Array:
        """For each key, a bit for what is measured in it, if it is a unit that has multiples or an amount of one."""
        return np.array(self._measure_of, dtype=np.int64)

    @property
    def initial_bits(self) -> Array:
        """For each key, a bit for its first character; different characters may share one."""
        return np.array(self._initial_of, dtype=np.int64)

    def amount(self, key: int, unit: int) -> int:
        """Give a number for what a number and the unit behind it measure, -1 for nothing."""
        measure = amount(self.names[key], UNITS.get(self.names[unit], ""))
        return self._amounts.setdefault(measure, len(self._amounts))

    def may_be_one(self, key: int, other: int) -> bool:
        """Say whether a word may be found as a form or spelling of another."""
        for each in (key, other):
            if each not in self._forms:
                self._forms[each] = related_forms(self.names[each])
        return not self._forms[key].isdisjoint(self._forms[other])

    def _number(self, name: str) -> int:
        number = self._key_numbers.get(name)
        if number is None:
            number = self._key_numbers[name] = len(self.names)
            self.names.append(name)
            key = beginning(name)
            self._beginning_of.append(self._beginnings.setdefault(key, len(self._beginnings)))
            self._initial_of.append(1 << (ord(name[0]) % 62))
            self._value_of.append(number)
            self._measure_of.append(self._measure(name))
            if name[0] == "#":
                value = "#" + name.partition(" ")[0][1:].rstrip("ths").lstrip("-")
                self._value_of[number] = number if value == name else self._number(value)
        return number

    def _measure(self, name: str) -> int:
        kind = UNIT_KINDS.get(name.rpartition(" ")[2], "") if self.english else ""
        return 1 << _MEASURES.index(kind) if kind else 0

    def _tokens_of(self, piece: str) -> list[tuple[str, int]]:
        plain = piece.lstrip(_OPENING).rstrip(_CLOSING)
        if len(plain) > 1 and plain.isascii():
            key = plain.lower()
            if plain.isalpha() and plain[1:].islower() and not (self.english and key in NUMBER_WORDS):
                capital = key != plain
                return [(key, (CAPITAL if capital else 0) | self._kind_of_key(key, capital=capital))]
            if _PLAIN_NUMBER.fullmatch(plain):
                kind = (SEVERAL_VALUES if _may_have_footnote(plain) else 0) | (UNUSUAL if _is_rewritten(plain) else 0)
                return [(number_key(plain), NUMBER | kind)]
        tokens = tokenize(piece)
        more = 0
        if self.english:
            words = {token.key for token in tokens}
            if "/" in piece or not NUMBER_WORDS.isdisjoint(words):
                more = NUMBER_WORD if _PARTS_OF_NUMBERS.isdisjoint(words) else NUMBER_WORD | SEVERAL_VALUES
            if more or len(tokens) > 1:
                tokens = tokenize_english(piece)
        kinds = [self._kind_of(token) | more for token in tokens]
        for place, (token, after) in enumerate(pairwise(tokens)):
            if token.end == after.start and not token.is_number and not after.is_number:
                kinds[place] |= COMPOUND
                kinds[place + 1] |= COMPOUND
        if "[" in piece:  # the numbers of notes are no others: "in 2018[5]"
            tokens = tuple(token._replace(unit="[") if token.is_number else token for token in tokens)
            kinds = [kind | UNUSUAL for kind in kinds]
        names = [f"{token.key} {token.unit}" if token.unit else token.key for token in tokens]
        return list(zip(names, kinds, strict=True))

    def _kind_of(self, token: Token) -> int:
        kind = CAPITAL if token.capital else 0
        if token.text.islower() and len(token.text) <= _LONGEST_PARTICLE:
            kind |= SMALL  # "6th", too
        if token.is_number:
            several = token.key[-1] == "s" or _may_have_footnote(token.text)
            unusual = token.text.isupper() or ("." in token.key and _is_rewritten(token.key))
            return kind | NUMBER | (SEVERAL_VALUES if several else 0) | (UNUSUAL if unusual else 0)
        kind |= self._kind_of_key(token.key, capital=token.capital)
        if token.text.isupper():
            kind |= UNUSUAL | (ACRONYM if is_acronym(token) else 0)
        if "." in token.text:
            kind |= DOTTED | UNUSUAL
        return kind | (ROMAN if self.english and token.text.isupper() and roman_value(token.text) else 0)

    def _kind_of_key(self, key: str, *, capital: bool) -> int:
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
        if not self.english:
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


def spread(starts: Array, counts: Array) -> Array:
    """List `counts` consecutive numbers from each start."""
    ends = np.cumsum(counts)
    return np.repeat(starts - (ends - counts), counts) + np.arange(ends[-1] if len(ends) else 0)
