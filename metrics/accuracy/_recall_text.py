"""A text as tokens, with the indexes that token recall uses, each computed on first use."""

import re
from collections.abc import Callable
from collections.abc import Iterable
from functools import lru_cache
from typing import Generic
from typing import TypeVar

from ._recall_contrasts import CONTRASTING
from ._recall_contrasts import find_contrasted
from ._recall_dates import ALL_MONTHS
from ._recall_dates import Date
from ._recall_dates import find_dates
from ._recall_denials import DENYING
from ._recall_denials import find_denied
from ._recall_forms import BEGINNINGS
from ._recall_forms import NEGATIONS
from ._recall_forms import bases
from ._recall_forms import spelling
from ._recall_forms import spellings_without_a_vowel
from ._recall_forms import stem
from ._recall_numbers import tokenize_english
from ._recall_tokens import Token
from ._recall_tokens import is_korean
from ._recall_tokens import tokenize
from ._recall_units import Measure
from ._recall_units import find_measures
from ._recall_units import unit_of

Key = TypeVar("Key")
Owner = TypeVar("Owner")
Value = TypeVar("Value")
Places = dict[str, list[int]]
Found = dict[int, list[int]]
"""The prediction tokens where each counted word of a reference is found, as indices, by the index of the word."""
QUOTES = frozenset('"\u201c\u201d\u201e')
SENTENCE_ENDS = frozenset(".;!?。；！？।؛؟")  # noqa: RUF001
COMMAS = frozenset(",:，、：،")  # noqa: RUF001
_CLAUSE_ENDS = SENTENCE_ENDS | COMMAS
_LONGEST_KOREAN = 12
# Digits of a year together with those of a footnote: "19921", "199212".
FOOTNOTED_YEAR = frozenset({5, 6})
# The most occurrences of one word that are looked at: a word repeated on both sides would take quadratic time.
MOST_PLACES = 32
# The longest word that may be written as two.
LONGEST_JOINED = 32
_LONGEST_CACHED = 200
_DIGIT = re.compile("[0-9]")


def index_by(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    """Collect the token indices of each key, at most the first `MOST_PLACES`."""
    index: dict[Key, list[int]] = {}
    for key, place in pairs:
        places = index.setdefault(key, [])
        if len(places) < MOST_PLACES:
            places.append(place)
    return index


class made_once(Generic[Owner, Value]):  # noqa: N801  # as property
    """A property that is computed on first use: `cached_property` without its lock, which Python 3.11 still takes."""

    def __init__(self, function: Callable[[Owner], Value]) -> None:
        self._function = function

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Owner, _owner: type) -> Value:
        value = instance.__dict__[self._name] = self._function(instance)
        return value


class Forms:
    """The token indices of words that begin alike, by form and by spelling."""

    def __init__(self, words: list[tuple[str, int]]) -> None:
        self._words = words

    @made_once
    def stems(self) -> Places:
        """The token indices of each English stem."""
        return index_by((stem(key), place) for key, place in self._words)

    @made_once
    def bases(self) -> Places:
        """The token indices of words that are derived from a stem, by stem."""
        return index_by((base, place) for key, place in self._words for base in bases(key))

    @made_once
    def spellings(self) -> Places:
        """The token indices of each normalized spelling."""
        return index_by((plain, place) for key, place in self._words if (plain := spelling(key)))

    @made_once
    def shortened(self) -> Places:
        """The token indices of spellings with one more vowel."""
        return index_by((plain, place) for key, place in self._words for plain in spellings_without_a_vowel(key))


class Text:
    """A text as tokens, with its indexes."""

    def __init__(self, text: str, *, english: bool) -> None:
        self.text = text
        self.english = english
        self._marks: dict[int, frozenset[str]] = {}
        self._forms: dict[str, Forms] = {}

    @made_once
    def tokens(self) -> tuple[Token, ...]:
        """The words and numbers in order."""
        return tokenize_english(self.text) if self.english else tokenize(self.text)

    @made_once
    def places(self) -> Places:
        """The token indices of each key."""
        places: Places = {}
        for place, token in enumerate(self.tokens):
            key = token.key
            if key not in places:
                places[key] = [place]
            elif len(places[key]) < MOST_PLACES:
                places[key].append(place)
        return places

    @made_once
    def keys(self) -> frozenset[str]:
        """The distinct keys."""
        return frozenset(self.places)

    @made_once
    def has_capitals(self) -> bool:
        """Whether capital letters are informative: some word has one, and some word has none."""
        return (
            not self.text.islower()
            and any(token.capital for token in self.tokens)
            and any(token.text.islower() for token in self.tokens)
        )

    @made_once
    def _alike(self) -> dict[str, list[str]]:
        alike: dict[str, list[str]] = {}
        for key in self.places:
            if key[0] != "#":
                alike.setdefault(BEGINNINGS[key], []).append(key)
        return alike

    def forms(self, key: str) -> Forms | None:
        """Return the words that begin like a word, which include all its forms; None if there are none."""
        start = BEGINNINGS[key]
        if start not in self._alike:
            return None
        if start not in self._forms:
            self._forms[start] = Forms([(other, place) for other in self._alike[start] for place in self.places[other]])
        return self._forms[start]

    @made_once
    def _words(self) -> list[tuple[str, int]]:
        return [(key, place) for key, places in self.places.items() if key[0] != "#" for place in places]

    @made_once
    def korean_beginnings(self) -> Places:
        """The token indices of Korean words by their beginnings, since particles are attached to them."""
        return index_by(
            (key[:length], place)
            for key, place in self._words
            if is_korean(key)
            for length in range(2, min(len(key), _LONGEST_KOREAN))
        )

    @made_once
    def stems(self) -> Places:
        """The token indices of each English stem."""
        return index_by((stem(key), place) for key, place in self._words)

    @made_once
    def footnoted_years(self) -> Places:
        """The token indices of years that seem to have the digits of a footnote attached ("19921")."""
        return index_by(
            ("#" + token.text[:4], place)
            for place, token in enumerate(self.tokens)
            if len(token.text) in FOOTNOTED_YEAR and token.text.isdigit() and "1000" <= token.text[:4] <= "2099"
        )

    @made_once
    def measures(self) -> dict[Measure, list[int]]:
        """The token indices of each amount of a length, mass, time and so on: "5 km" and "5,000 m" are the same."""
        return index_by(find_measures(self.tokens))

    @made_once
    def units(self) -> frozenset[str]:
        """The units of the numbers of an English text."""
        return frozenset(unit_of(self.tokens, place) for place, token in enumerate(self.tokens) if token.is_number)

    @made_once
    def dates(self) -> list[Date]:
        """The dates with a month, in English texts."""
        return find_dates(self.tokens) if self.english and self.may_have_dates else []

    @made_once
    def dated(self) -> frozenset[int]:
        """The indices of tokens that belong to a date."""
        return frozenset(place for date in self.dates for place in date.places)

    @made_once
    def decades(self) -> Places:
        """The token indices of each decade of two digits, with or without its century ("90s" in "1990s")."""
        return index_by(
            (token.key[-3:], place)
            for place, token in enumerate(self.tokens)
            if token.is_number and token.key[-1] == "s"
        )

    @made_once
    def may_have_dates(self) -> bool:
        """Whether the text contains a month or a digit."""
        return not self.keys.isdisjoint(ALL_MONTHS) or _has_digits(self.text)

    @made_once
    def is_negative(self) -> bool:
        """Whether an English text contains a negation."""
        return self.english and not self.keys.isdisjoint(NEGATIONS | {"no"})

    @made_once
    def denied(self) -> frozenset[int]:
        """The places that are no evidence: what a text denies, or names as one of several alternatives."""
        denied = find_denied(self) if self.english and not self.keys.isdisjoint(DENYING) else frozenset()
        return denied if self.keys.isdisjoint(CONTRASTING) else denied | find_contrasted(self)

    @made_once
    def denials(self) -> frozenset[int]:
        """The indices of tokens with which an English text says no."""
        return frozenset(
            place for word in ("no", "nope", "not", "n't", "never", "cannot") for place in self.places.get(word, ())
        )

    def ends_sentence(self, place: int) -> bool:
        """Say whether a sentence ends between a token and the one before it."""
        return not SENTENCE_ENDS.isdisjoint(self._marks_before(place))

    def ends_clause(self, place: int) -> bool:
        """Say whether a clause ends between a token and the one before it."""
        return not _CLAUSE_ENDS.isdisjoint(self._marks_before(place))

    def _marks_before(self, place: int) -> frozenset[str]:
        """Return the distinct characters between a token and the one before it, cached since there may be many."""
        if place not in self._marks:
            self._marks[place] = frozenset(self.text[self.tokens[place - 1].end : self.tokens[place].start])
        return self._marks[place]


def _has_digits(text: str) -> bool:
    return bool(_DIGIT.search(text)) if text.isascii() else any(map(str.isdigit, text))


def read(text: str, language: str) -> Text:
    """Tokenize a text by the rules of a language, "en" or "none". Short texts are cached."""
    return _read_short(text, language) if len(text) <= _LONGEST_CACHED else Text(text, english=language == "en")


@lru_cache(1 << 12)
def _read_short(text: str, language: str) -> Text:
    return Text(text, english=language == "en")
