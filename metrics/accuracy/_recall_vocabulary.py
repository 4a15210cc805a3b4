"""Columns of texts as arrays of tokens: each distinct piece between blanks is split into tokens once per column.

The tokens of a text are those of its pieces, except that English joins neighbors into numbers ("five million", "World
War II"): the tokens where that may happen are marked.
"""

import re
from array import array
from collections.abc import Iterable
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._recall_conversions import CONVERTIBLE
from ._recall_finding import has_form
from ._recall_forms import BEGINNINGS
from ._recall_forms import related_forms
from ._recall_kinds import classify
from ._recall_kinds import kind_of_marks
from ._recall_names import is_short_for
from ._recall_rounding import roundings
from ._recall_text import LONGEST_JOINED
from ._recall_token_arrays import Array
from ._recall_token_arrays import Tokens
from ._recall_token_arrays import spread
from ._recall_tokens import Token
from ._recall_units import UNIT_KINDS
from ._recall_units import UNITS
from ._recall_units import Measure
from ._recall_units import amount

_MEASURES = sorted(set(UNIT_KINDS.values()))
_UNITS = sorted({UNITS[word] for word in UNIT_KINDS}.union(CONVERTIBLE))
_KIND_OF_UNIT = {UNITS[word]: kind for word, kind in UNIT_KINDS.items()}
# For each unit a bit for what it measures, one for itself, and those of what it is converted into; for none 0.
_MEASURE_BITS = [0, *(1 << _MEASURES.index(_KIND_OF_UNIT[unit]) if unit in _KIND_OF_UNIT else 0 for unit in _UNITS)]
_UNIT_BITS = [0, *(1 << index for index in range(len(_UNITS)))]
_CONVERTED_BITS = [0, *(sum(1 << _UNITS.index(other) for other in CONVERTIBLE.get(unit, ())) for unit in _UNITS)]
_UNIT_OF_WORD = {word: 1 + _UNITS.index(unit) for word, unit in UNITS.items() if unit in _UNITS}
_SURROGATES = re.compile("[\ud800-\udfff]")


class Vocabulary(dict[str, int]):
    """The distinct pieces of some columns, each with its index, and the keys of their tokens."""

    def __init__(self, *, english: bool) -> None:
        super().__init__()
        self.english = english
        self._first = array("q")  # of each piece, the index of its first token in the next two
        self._count = array("q")
        self._mark_kinds = array("q")  # of each piece without tokens, what its marks say of the token before
        self._keys = array("q")
        self._kinds = array("q")
        self._key_indices: dict[str, int] = {}
        self.names: list[str] = []
        """The keys in the order of their indices; that of an amount of money with its unit."""
        self._beginnings = {"": 0}
        self._beginning_of = array("q")
        self._value_of = array("q")
        self._unit_of = array("q")
        self._initial_of = array("q")
        self._forms: dict[int, frozenset[str]] = {}
        self._amounts: dict[Measure | None, int] = {None: -1}

    def __missing__(self, piece: str) -> int:
        number = self[piece] = len(self)
        tokens = classify(piece, english=self.english)
        self._first.append(len(self._keys))
        self._count.append(len(tokens))
        self._mark_kinds.append(0 if tokens else kind_of_marks(piece))
        for key, kind in tokens:
            self._keys.append(self._index(key))
            self._kinds.append(kind)
        return number

    def read(self, texts: Sequence[str]) -> Tokens:
        """Split texts into tokens."""
        try:
            strings = pa.array(texts, pa.large_string())
        except UnicodeEncodeError:  # neither a lone surrogate nor this character is part of a token
            strings = pa.array([_SURROGATES.sub("\ufffd", text) for text in texts], pa.large_string())
        # Blanks beyond ASCII, and the separators of ASCII, stay in a piece, and part its tokens.
        pieces = pc.ascii_split_whitespace(strings)
        encoded = pieces.values.dictionary_encode()
        numbers = np.array([self[piece] for piece in encoded.dictionary.to_pylist()], dtype=np.int64)
        indices = numbers[encoded.indices.to_numpy()]
        counts = np.array(self._count, dtype=np.int64)[indices]
        where = spread(np.array(self._first, dtype=np.int64)[indices], counts)
        ends = np.append(0, np.cumsum(counts))[pieces.offsets.to_numpy()]
        kinds = np.array(self._kinds, dtype=np.int64)[where]
        # A piece of marks only belongs to the token before it.
        mark_kinds = np.array(self._mark_kinds, dtype=np.int64)[indices]
        marks = np.flatnonzero(mark_kinds)
        before = np.cumsum(counts)[marks] - 1
        np.bitwise_or.at(kinds, before[before >= 0], mark_kinds[marks[before >= 0]])
        return Tokens(np.diff(ends), np.array(self._keys, dtype=np.int64)[where], kinds)

    def find(self, key: str) -> int:
        """Return the index of a key, -1 if no text has it."""
        return self._key_indices.get(key, -1)

    def find_all(self, keys: Iterable[str]) -> list[int]:
        """Return the indices of those keys that some text has."""
        return [self._key_indices[key] for key in keys if key in self._key_indices]

    def second_parts(self, key: int) -> list[int]:
        """Split a word in two words that both occur in some text, in every way; return the second ones."""
        name, known = self.names[key], self._key_indices
        lengths = range(1, len(name) if len(name) <= LONGEST_JOINED else 0)
        return [known[name[at:]] for at in lengths if name[at:] in known and name[:at] in known]

    @property
    def beginnings(self) -> Array:
        """For each key, a number for its first two sounds, which all its forms share, 0 for numbers; shape (keys,)."""
        return np.array(self._beginning_of, dtype=np.int64)

    @property
    def value_keys(self) -> Array:
        """For each key, the key that ordinals and signed numbers of the same value share; shape (keys,)."""
        return np.array(self._value_of, dtype=np.int64)

    @property
    def measure_bits(self) -> Array:
        """For each key, a bit for what it measures, if it is a unit that has multiples or an amount; shape (keys,)."""
        return np.array(_MEASURE_BITS, dtype=np.int64)[self._units]

    @property
    def unit_bits(self) -> Array:
        """For each key, a bit for the unit that it is or has, if it is converted into others; shape (keys,)."""
        return np.array(_UNIT_BITS, dtype=np.int64)[self._units]

    @property
    def converted_bits(self) -> Array:
        """For each key, the bits of the units of another system that its own may be converted into; shape (keys,)."""
        return np.array(_CONVERTED_BITS, dtype=np.int64)[self._units]

    @property
    def _units(self) -> Array:
        return np.array(self._unit_of, dtype=np.int64)

    @property
    def initial_bits(self) -> Array:
        """For each key, a bit for its first character; different characters may share one; shape (keys,)."""
        return np.array(self._initial_of, dtype=np.int64)

    def amount(self, key: int, unit: int) -> int:
        """Return a number for what a number and the unit after it measure, -1 for nothing."""
        return self._amount(self.names[key], unit)

    def amounts(self, key: int, unit: int) -> list[int]:
        """The same for a number and all that it may be rounded to."""
        name = self.names[key]
        return [self._amount(each, unit) for each in (name, *roundings(name))]

    def _amount(self, name: str, unit: int) -> int:
        measure = amount(name, UNITS.get(self.names[unit], ""))
        return self._amounts.setdefault(measure, len(self._amounts))

    def may_be_form(self, key: int, other: int) -> bool:
        """Say whether a word may be found as a form or spelling of another."""
        for each in (key, other):
            if each not in self._forms:
                self._forms[each] = related_forms(self.names[each])
        return not self._forms[key].isdisjoint(self._forms[other])

    def is_form(self, key: int, other: int, *, capital: bool) -> bool:
        """Say whether a word, written with a capital or without, is found where a prediction has another one."""
        name = self.names[key]
        return has_form(Token(name, 0, 0, name, capital=capital), self.names[other], english=self.english)

    def is_short_form(self, key: int, other: int) -> bool:
        """Say whether one of two words next to the same name is short for the other."""
        one, two = (Token(name, 0, 0, name) for name in (self.names[key], self.names[other]))
        return is_short_for(one, two)

    def _index(self, name: str) -> int:
        index = self._key_indices.get(name)
        if index is None:
            index = self._key_indices[name] = len(self.names)
            self.names.append(name)
            self._value_of.append(index)
            word = name.rpartition(" ")[2] if name[0] == "#" else name
            self._unit_of.append(_UNIT_OF_WORD.get(word, 0) if self.english else 0)
            if name[0] != "#":
                start = BEGINNINGS[name]
                self._beginning_of.append(self._beginnings.setdefault(start, len(self._beginnings)))
                self._initial_of.append(1 << (ord(name[0]) % 62))
            else:
                self._beginning_of.append(0)
                self._initial_of.append(0)
                if not name[-1].isdigit() or name[1] == "-":
                    value = "#" + name.partition(" ")[0][1:].rstrip("ths").lstrip("-")
                    self._value_of[index] = index if value == name else self._index(value)
        return index
