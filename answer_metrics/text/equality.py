"""Find pairs of texts with equal normalized forms, fast; `reference.is_equal` is the reference implementation.

Normalization can remove or insert some characters (punctuation, whitespace, invisible and combining marks). All others
have a weight, the sum of the hashes of their case-folded decomposition. Texts with different sums of weights have
different forms, and most texts with equal sums differ only in case, in marks at their ends and in doubled spaces, which
Arrow compares. Only the rest is normalized.
"""

import functools
import operator
import unicodedata
import zlib
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from answer_metrics.columns.tables import LONG, string_buffers
from answer_metrics.text.normalization import INVISIBLE, is_mark, normalize_column

Array = np.ndarray[Any, Any]

_STRINGS = pa.large_string()
_LISTS = pa.large_list(_STRINGS)
_BATCH_ROWS = 250_000
_BLOCK_BYTES = 1 << 17
"""Blocks of this size and their weights fit into the processor's cache."""
_WHITESPACE = "".join(character for character in map(chr, range(128)) if character.isspace())
# Marks that are always removed at this end of a text, without affecting which of the marks next to them are kept.
_OPENING, _CLOSING = _WHITESPACE + "\"'", _WHITESPACE + "\"'.,:;!?"


def pays_off(column: Any) -> bool:
    """Return whether a column is long enough to be compared as Arrow; results are the same either way."""
    return len(column) > LONG


def equal_pairs(
    first: Any, second: Any, *, case_sensitive: bool = False, normalize_text: bool = True, exact: bool = False
) -> Array:
    """Find the pairs whose normalized forms are equal, or, with `exact`, that are equal as they are.

    `first` has strings without nulls, a list or an Arrow array of any string type; `second` as many strings, or
    non-empty lists of strings, one of which must be equal. Returns shape (pairs,), bool. The options are those of
    `normalize`.
    """
    rules = None if exact else {"case_sensitive": case_sensitive, "normalize_text": normalize_text}
    equal = np.zeros(len(first), dtype=np.bool_)
    for start in range(0, len(first), _BATCH_ROWS):
        rows = slice(start, start + _BATCH_ROWS)
        texts, others = _single_array(first[rows]), _single_array(second[rows])
        if texts.type != others.type and not pa.types.is_nested(others.type):
            texts, others = texts.cast(_STRINGS), others.cast(_STRINGS)
        if pa.types.is_large_list(others.type):
            offsets, owners = np.asarray(others.offsets), np.asarray(others.value_parent_indices())
            if rules is None:
                flat = _mask(pc.equal(texts.take(pa.array(owners)), others.flatten()))
            else:
                flat = _equal_forms(texts.cast(_STRINGS), others.flatten(), owners, rules)
            equal[rows] = np.logical_or.reduceat(flat, offsets[:-1] - offsets[0])
        else:
            equal[rows] = _equal(texts, others, rules)
    return equal


def _single_array(column: Any) -> pa.Array:
    """Convert a slice to one array of `string`, `large_string` or `large_list<large_string>`."""
    if isinstance(column, list):
        return pa.array(column, _LISTS if isinstance(column[0], list) else _STRINGS)
    if isinstance(column, pa.ChunkedArray) and column.num_chunks == 1:
        column = column.chunk(0)  # combining copies even a single chunk
    if pa.types.is_nested(column.type):
        column = column.cast(_LISTS)
    elif not pa.types.is_string(column.type):  # casting copies
        column = column.cast(_STRINGS)
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _equal(first: pa.Array, second: pa.Array, rules: dict[str, bool] | None) -> Array:
    equal = _mask(pc.equal(first, second))
    if rules is not None:
        unequal = np.flatnonzero(~equal)
        first, second = first.take(pa.array(unequal)), second.take(pa.array(unequal))
        equal[unequal] = _equal_forms(first, second, np.arange(len(unequal)), rules)
    return equal


def _equal_forms(first: pa.Array, second: pa.Array, owners: Array, rules: dict[str, bool]) -> Array:
    """Compare the normalized form of each string of `second` with that of `first` at the index in `owners`."""
    sums = character_sums(second, **rules)
    candidates = np.flatnonzero(character_sums(first, **rules)[owners] == sums)
    first, second = first.take(pa.array(owners[candidates])), second.take(pa.array(candidates))
    # A sum other than 0 means that something remains when all marks are removed.
    remains = sums[candidates] != 0
    insides = [_inside(side, **rules) for side in (first, second)]
    same = remains & _mask(pc.equal(*insides))
    if rules["normalize_text"]:
        rest = np.flatnonzero(remains & ~same)
        insides = [pc.replace_substring(side.take(pa.array(rest)), "  ", " ") for side in insides]
        same[rest] = _mask(pc.equal(*insides))
    rest = np.flatnonzero(~same)
    forms = [normalize_column(side.take(pa.array(rest)).to_pylist(), **rules) for side in (first, second)]
    same[rest] = list(map(operator.eq, *forms))
    equal = np.zeros(len(owners), dtype=np.bool_)
    equal[candidates] = same
    return equal


def _inside(strings: pa.Array, *, case_sensitive: bool, normalize_text: bool) -> pa.Array:
    """Fold ASCII case, and strip ASCII whitespace, quotes and closing marks."""
    opening, closing = (_OPENING, _CLOSING) if normalize_text else (_WHITESPACE, _WHITESPACE)
    folded = strings if case_sensitive else pc.ascii_lower(strings)
    return pc.ascii_rtrim(pc.ascii_ltrim(folded, characters=opening), characters=closing)


def _mask(values: pa.Array) -> Array:
    mask: Array = values.to_numpy(zero_copy_only=False)
    return mask


def character_sums(strings: pa.Array, *, case_sensitive: bool, normalize_text: bool) -> Array:
    """Return the sum of the weights of the characters of each string, shape (strings,), uint32, modulo 2**32.

    The strings are of type `string` or `large_string`, without nulls; the options are those of `normalize`.
    """
    weights = _weights(case_sensitive=case_sensitive, normalize_text=normalize_text)
    offsets, buffer = string_buffers(strings)
    data = np.frombuffer(buffer, dtype=np.uint8)
    sums = np.zeros(len(strings), dtype=np.uint32)
    # Of the same type as the offsets: else they would be converted to search them.
    places = np.arange(int(offsets[0]), int(offsets[-1]), _BLOCK_BYTES).astype(offsets.dtype)
    bounds = np.unique(np.searchsorted(offsets, places)).tolist()
    for start, end in pairwise([*bounds, len(strings)]):
        block = data[offsets[start] : offsets[end]]
        totals = np.zeros(len(block) + 1, dtype=np.uint32)
        summands = totals[1:]
        weights.of_ascii.take(block, mode="wrap", out=summands)  # no byte is out of range; checking that takes longer
        beyond = np.flatnonzero(block >= 0xC0)  # the first byte of a character beyond ASCII
        summands[beyond] = weights.of(_code_points(block, beyond))
        np.cumsum(summands, out=summands)
        sums[start:end] = np.diff(totals.take(offsets[start : end + 1] - offsets[start]))
    return sums


def _code_points(data: Array, starts: Array) -> Array:
    """Decode the UTF-8 characters that start at these offsets, all beyond ASCII."""
    first = data[starts]
    codes = (first & 0x1F).astype(np.uint32)
    for place, least in enumerate((0xC0, 0xE0, 0xF0), start=1):
        longer = np.flatnonzero(first >= least)
        codes[longer] = codes[longer] << 6 | data[starts[longer] + place] & 0x3F
    return codes & 0x1FFFFF


class _Weights:
    """The weights of all code points, computed on first use."""

    def __init__(self, *, case_sensitive: bool, normalize_text: bool) -> None:
        self._case_sensitive = case_sensitive
        self._normalize_text = normalize_text
        self._table = np.zeros(0x110000, dtype=np.uint32)
        self._is_computed = np.zeros(0x110000, dtype=np.bool_)
        self.of(np.arange(128))
        self.of_ascii = self._table[:256].copy()
        """The weights of the bytes of UTF-8, 0 for those beyond ASCII."""

    def of(self, codes: Array) -> Array:
        """Return the weights of code points, in their shape, uint32."""
        computed = self._is_computed.take(codes)
        if not computed.all():
            for code in np.unique(codes[~computed]).tolist():
                self._table[code] = sum(map(self._weigh, self._fold(chr(code)))) % (1 << 32)
                self._is_computed[code] = True
        weights: Array = self._table.take(codes)
        return weights

    def _fold(self, text: str) -> str:
        """Decompose and case-fold until nothing changes."""
        folded = unicodedata.normalize("NFKD", text) if self._normalize_text else text
        folded = folded if self._case_sensitive else folded.casefold()
        return text if folded == text else self._fold(folded)

    def _weigh(self, character: str) -> int:
        removed = self._normalize_text and (
            is_mark(character) or INVISIBLE.match(character) or unicodedata.category(character)[0] == "M"
        )
        return 0 if removed or character.isspace() else zlib.crc32(character.encode())


_weights = functools.cache(_Weights)
"""Return the shared table for these rules."""
