# Vendored: edit metrics/_shared/_character_sums.py and run `make vendor`.
"""Find pairs with equal normalized forms, fast, on Arrow buffers; the reference version is `oracles.equal_pairs`.

Texts whose characters have different sums of weights (`_character_weights.py`) have different normalized forms. Only
unequal pairs with equal sums are normalized (`_normalized_forms.py`).
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._character_weights import character_weights
from ._character_weights import segment_sums
from ._normalized_forms import Rules
from ._normalized_forms import equal_forms
from ._normalized_forms import equal_inside
from ._normalized_forms import to_mask
from ._string_buffers import string_buffers
from ._tabular import LONG_LIST

Array = np.ndarray[Any, Any]
Strings = Any
"""A list, an Arrow array or a chunked array; Arrow has no type annotations."""

_STRINGS = pa.large_string()
_LISTS = pa.large_list(_STRINGS)
_BATCH_ROWS = 100_000
_BLOCK_BYTES = 1 << 17


def prefers_sums(column: Strings) -> bool:
    """Return whether a column is long enough for character sums to pay off; results are the same either way."""
    return len(column) > LONG_LIST


def equal_pairs(first: Strings, second: Strings, rules: Rules | None) -> Array:
    """Find the pairs whose normalized forms are equal.

    Args:
        first: Strings without nulls, a list or an Arrow array of any string type.
        second: As many strings, or non-empty lists of strings, of which at least one must be equal.
        rules: How to normalize; None compares the strings as they are.

    Returns:
        Shape (pairs,), bool.
    """
    equal = np.zeros(len(first), dtype=np.bool_)
    for start in range(0, len(first), _BATCH_ROWS):
        ours, theirs = (_one_array(column[start : start + _BATCH_ROWS]) for column in (first, second))
        if ours.type != theirs.type:
            ours, theirs = ours.cast(_STRINGS), theirs if pa.types.is_nested(theirs.type) else theirs.cast(_STRINGS)
        end = start + len(ours)
        if pa.types.is_large_list(theirs.type):
            starts = np.asarray(theirs.offsets)[:-1]
            flat = _equal_by_owner(ours, theirs.flatten(), np.asarray(theirs.value_parent_indices()), rules)
            equal[start:end] = np.logical_or.reduceat(flat, starts - starts[0])
        else:
            equal[start:end] = _equal_by_owner(ours, theirs, None, rules)
    return equal


def _one_array(column: Strings) -> pa.Array:
    """Convert a slice to one array of `string`, `large_string` or `large_list<large_string>`."""
    if isinstance(column, list):
        return pa.array(column, _LISTS if isinstance(column[0], list) else _STRINGS)
    if isinstance(column, pa.ChunkedArray) and column.num_chunks == 1:
        column = column.chunk(0)
    if pa.types.is_nested(column.type):
        column = column.cast(_LISTS)
    elif isinstance(column, pa.ChunkedArray) or not pa.types.is_string(column.type):
        column = column.cast(_STRINGS)
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


def _equal_by_owner(ours: pa.Array, theirs: pa.Array, owners: Array | None, rules: Rules | None) -> Array:
    """Compare each string of `theirs` with `ours` at the index in `owners`, or at the same index."""
    if owners is None:
        equal = to_mask(pc.equal(ours, theirs))
        others = pa.array(~equal)
        if rules is not None:
            equal[~equal] = _equal_sums(ours.filter(others), theirs.filter(others), None, rules)
        return equal
    if rules is None:
        return to_mask(pc.equal(ours.take(pa.array(owners)), theirs))
    return _equal_sums(ours, theirs, owners, rules)


def _equal_sums(ours: pa.Array, theirs: pa.Array, owners: Array | None, rules: Rules) -> Array:
    """Compare the forms of pairs with equal sums; other pairs are unequal."""
    sums = character_sums(ours, rules)
    candidates = np.flatnonzero((sums if owners is None else sums[owners]) == character_sums(theirs, rules))
    rows = candidates if owners is None else owners[candidates]
    left, right = ours.take(pa.array(rows)), theirs.take(pa.array(candidates))
    # A sum other than 0 means that something remains when all marks are removed.
    same = (sums[rows] != 0) & equal_inside(left, right, rules)
    others = pa.array(~same)
    same[~same] = equal_forms(left.filter(others), right.filter(others), rules)
    equal = np.zeros(len(theirs), dtype=np.bool_)
    equal[candidates] = same
    return equal


def character_sums(strings: pa.Array, rules: Rules) -> Array:
    """Return the sum of the weights of the characters of each string, shape (strings,), uint32, modulo 2**32.

    Args:
        strings: Of type `string` or `large_string`, without nulls.
        rules: How to normalize the strings.
    """
    weights = character_weights(rules["case_sensitive"], rules["normalize_text"])
    offsets, data = string_buffers(strings)
    sums = np.empty(len(strings), dtype=np.uint32)
    start = 0
    while start < len(strings):
        end = int(np.searchsorted(offsets, int(offsets[start]) + _BLOCK_BYTES, side="right")) - 1
        end = min(max(end, start + 1), len(strings))
        block, within = data[offsets[start] : offsets[end]], offsets[start : end + 1] - offsets[start]
        summands = weights.of_bytes(block)
        starts = np.flatnonzero(block >= 0xC0)  # noqa: PLR2004  # the first byte of a character beyond ASCII
        summands[starts] = weights.of(_decode(block, starts))
        sums[start:end] = segment_sums(summands, within)
        start = end
    return sums


def _decode(data: Array, starts: Array) -> Array:
    """Decode the UTF-8 characters that start at these offsets, all beyond ASCII, to code points."""
    first = data[starts]
    codes = (first & 0x1F).astype(np.uint32)
    for place, least in enumerate((0xC0, 0xE0, 0xF0), start=1):
        longer = np.flatnonzero(first >= least)
        codes[longer] = codes[longer] << 6 | data[starts[longer] + place] & 0x3F
    return codes & 0x1FFFFF
