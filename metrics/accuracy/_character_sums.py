# Vendored: edit metrics/_shared/_character_sums.py and run `make vendor`.
"""Fast: which pairs of strings are equal once normalized, on Arrow buffers; the slow twin is `oracles.equal_pairs`.

Every character has a weight: 0 if normalization can remove or insert it (punctuation, white space, invisible and
combining marks), else the sum of the weights of what it decomposes and folds to. Normalization never changes the sum of
a text, so texts with different sums have different normalized forms. Only pairs with equal sums that are not equal as
they stand are normalized, and only those that are not ASCII become Python strings.
"""

import functools
import operator
import unicodedata
import zlib
from typing import Any
from typing import TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._ascii_normalization import delete_marks
from ._normalization import is_invisible
from ._normalization import normalize_column
from ._punctuation import is_mark
from ._tabular import LONG_LIST

Array = np.ndarray[Any, Any]
Strings = Any
"""A list, an Arrow array or a chunked one; Arrow has no types."""

_BLANK = ord(" ")
_STRINGS = pa.large_string()
_LISTS = pa.large_list(_STRINGS)
_NOTHING, _NUL = pa.scalar("", _STRINGS), pa.scalar("\0", _STRINGS)
_ROWS_AT_ONCE = 1 << 16
_BYTES_AT_ONCE = 1 << 20


class Rules(TypedDict):
    """The options of `normalize`."""

    case_sensitive: bool
    normalize_text: bool


def prefers_sums(column: Strings) -> bool:
    """Decide between this path and normalizing each string, by the length of a column alone: both give the same."""
    return len(column) > LONG_LIST


def equal_pairs(first: Strings, second: Strings, rules: Rules | None) -> Array:
    """Find the pairs whose normalized forms are equal.

    Args:
        first: Strings without nulls, a list or an Arrow array of any string type.
        second: As many strings, or lists of strings, none of them empty: one that is equal is enough.
        rules: How to normalize; None compares the strings as they are.

    Returns:
        Shape (pairs,), bool.
    """
    equal = np.zeros(len(first), dtype=np.bool_)
    for start in range(0, len(first), _ROWS_AT_ONCE):
        ours, theirs = (_large_strings(column[start : start + _ROWS_AT_ONCE]) for column in (first, second))
        end = start + len(ours)
        if pa.types.is_large_list(theirs.type):
            starts = np.asarray(theirs.offsets)[:-1]
            flat = _equal_by_owner(ours, theirs.flatten(), np.asarray(theirs.value_parent_indices()), rules)
            equal[start:end] = np.logical_or.reduceat(flat, starts - starts[0])
        else:
            equal[start:end] = _equal_by_owner(ours, theirs, None, rules)
    return equal


def _large_strings(column: Strings) -> pa.Array:
    """Bring a slice to one array of `large_string`, or of large lists of these."""
    if isinstance(column, list):
        return pa.array(column, _LISTS if isinstance(column[0], list) else _STRINGS)
    column = column.cast(_LISTS if pa.types.is_nested(column.type) else _STRINGS)
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


def _equal_by_owner(ours: pa.Array, theirs: pa.Array, owners: Array | None, rules: Rules | None) -> Array:
    """Compare each string of `theirs` with that of `ours` at the index in `owners`, or at its own."""
    if owners is None:
        equal = _mask(pc.equal(ours, theirs))
        others = pa.array(~equal)
        if rules is not None:
            equal[~equal] = _equal_sums(ours.filter(others), theirs.filter(others), None, rules)
        return equal
    if rules is None:
        return _mask(pc.equal(ours.take(pa.array(owners)), theirs))
    return _equal_sums(ours, theirs, owners, rules)


def _equal_sums(ours: pa.Array, theirs: pa.Array, owners: Array | None, rules: Rules) -> Array:
    """Compare the forms of pairs with equal sums; other pairs are unequal."""
    sums = character_sums(ours, rules)
    candidates = np.flatnonzero((sums if owners is None else sums[owners]) == character_sums(theirs, rules))
    left = ours.take(pa.array(candidates if owners is None else owners[candidates]))
    right = theirs.take(pa.array(candidates))
    unequal = ~_mask(pc.equal(left, right))
    equal = np.zeros(len(theirs), dtype=np.bool_)
    equal[candidates] = True
    equal[candidates[unequal]] = _equal_forms(left.filter(pa.array(unequal)), right.filter(pa.array(unequal)), rules)
    return equal


def _equal_forms(left: pa.Array, right: pa.Array, rules: Rules) -> Array:
    """Compare pairs by their normalized forms: ASCII as bytes, the others as Python strings."""
    equal = np.zeros(len(left), dtype=np.bool_)
    decided = np.zeros(len(left), dtype=np.bool_)
    if rules["normalize_text"]:
        ascii_only = _mask(pc.and_(pc.string_is_ascii(left), pc.string_is_ascii(right)))
        forms = [_ascii_forms(side.filter(pa.array(ascii_only)), rules) for side in (left, right)]
        equal[ascii_only] = _mask(pc.equal(*forms))
        # Where nothing is left of a text, it keeps its marks.
        decided[ascii_only] = _mask(pc.greater(pc.min_element_wise(*map(pc.binary_length, forms)), 1))
    others = pa.array(~decided)
    ours, theirs = (normalize_column(side.filter(others).to_pylist(), **rules) for side in (left, right))
    equal[~decided] = np.fromiter(map(operator.eq, ours, theirs), np.bool_, len(ours))
    return equal


def _ascii_forms(strings: pa.Array, rules: Rules) -> pa.Array:
    """Return the normalized forms of ASCII strings, each with a NUL behind it; all empty if one of them holds NUL."""
    offsets, data = _buffers(pc.binary_join_element_wise(strings, _NOTHING, _NUL))
    joined = data[offsets[0] : offsets[-1]].tobytes().decode("ascii")
    if joined.count("\0") > len(strings):
        return pa.array([b""] * len(strings), pa.large_binary())
    stripped = np.frombuffer(delete_marks(joined, case_sensitive=rules["case_sensitive"]), dtype=np.uint8)
    # White space collapses: a blank stays if neither blank nor NUL follows, and if no NUL stands before it.
    blank = stripped == _BLANK
    stripped = stripped[~blank | np.append(~(blank | (stripped == 0))[1:], True)]
    stripped = stripped[(stripped != _BLANK) | np.append(False, stripped[:-1] != 0)]
    ends = np.flatnonzero(stripped == 0) + 1
    buffers = [None, pa.py_buffer(np.append(0, ends).astype(np.int64)), pa.py_buffer(stripped)]
    return pa.Array.from_buffers(pa.large_binary(), len(strings), buffers)


def _buffers(strings: pa.Array) -> tuple[Array, Array]:
    """Return the offsets of an array of `large_string`, one more than strings, and the bytes that they count."""
    _, offsets, data = strings.buffers()
    every = np.frombuffer(offsets or bytes(8), dtype=np.int64)
    return every[strings.offset : strings.offset + len(strings) + 1], np.frombuffer(data or b"", dtype=np.uint8)


def _mask(values: pa.Array) -> Array:
    mask: Array = values.to_numpy(zero_copy_only=False)
    return mask


def character_sums(strings: pa.Array, rules: Rules) -> Array:
    """Return the sum of the weights of the characters of each string, shape (strings,), uint32, modulo 2**32.

    Args:
        strings: Of type `large_string`, without nulls.
        rules: How the strings would be normalized.
    """
    weights = _weights(rules["case_sensitive"], rules["normalize_text"])
    offsets, data = _buffers(strings)
    sums = np.empty(len(strings), dtype=np.uint32)
    start = 0
    while start < len(strings):
        end = int(np.searchsorted(offsets, offsets[start] + _BYTES_AT_ONCE, side="right")) - 1
        end = min(max(end, start + 1), len(strings))
        block, within = data[offsets[start] : offsets[end]], offsets[start : end + 1] - offsets[start]
        beyond_ascii = np.flatnonzero(block > 127)  # noqa: PLR2004
        sums[start:end] = _segment_sums(weights.of_ascii(block), within)
        if len(beyond_ascii):
            affected = np.zeros(end - start, dtype=np.bool_)
            affected[np.searchsorted(within, beyond_ascii, side="right") - 1] = True
            rows = start + np.flatnonzero(affected)
            sums[rows] = _sums_beyond_ascii(strings.take(pa.array(rows)), weights)
        start = end
    return sums


def _sums_beyond_ascii(strings: pa.Array, weights: "_Weights") -> Array:
    offsets, data = _buffers(strings)
    codes = np.frombuffer(data.tobytes().decode().encode("utf-32-le"), dtype=np.uint32)
    # From bytes to characters: all bytes but those that look like 10xxxxxx begin one.
    inner = np.flatnonzero((data & 0xC0) == 0x80)  # noqa: PLR2004
    return _segment_sums(weights.of(codes), offsets - np.searchsorted(inner, offsets))


def _segment_sums(summands: Array, offsets: Array) -> Array:
    totals = np.zeros(len(summands) + 1, dtype=np.uint32)
    np.cumsum(summands, out=totals[1:])
    sums: Array = totals[offsets[1:]] - totals[offsets[:-1]]
    return sums


@functools.cache
def _weights(case_sensitive: bool, normalize_text: bool) -> "_Weights":
    return _Weights({"case_sensitive": case_sensitive, "normalize_text": normalize_text})


class _Weights:
    """The weights of all code points under some rules, found out when they are first met."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._table = np.zeros(0x110000, dtype=np.uint32)
        self._known = np.zeros(0x110000, dtype=np.bool_)
        self._learn(np.arange(128))

    def of_ascii(self, data: Array) -> Array:
        """Return the weights of bytes; what is not ASCII has one of 0 here."""
        weights: Array = self._table[:128].take(data, mode="clip")
        return weights

    def of(self, codes: Array) -> Array:
        """Return the weights of code points."""
        known = self._known.take(codes)
        if not known.all():
            self._learn(np.unique(codes[~known]))
        weights: Array = self._table.take(codes)
        return weights

    def _learn(self, codes: Array) -> None:
        self._table[codes] = [sum(map(self._weigh, self._fold(chr(code)))) % (1 << 32) for code in codes.tolist()]
        self._known[codes] = True

    def _fold(self, text: str) -> str:
        """Decompose and fold until nothing changes."""
        folded = unicodedata.normalize("NFKD", text) if self._rules["normalize_text"] else text
        folded = folded if self._rules["case_sensitive"] else folded.casefold()
        return text if folded == text else self._fold(folded)

    def _weigh(self, character: str) -> int:
        marks = self._rules["normalize_text"] and (
            is_mark(character) or is_invisible(character) or unicodedata.category(character)[0] == "M"
        )
        return 0 if marks or character.isspace() else zlib.crc32(character.encode())
