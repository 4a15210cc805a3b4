"""Find pairs with equal normalized forms, fast, on Arrow buffers; the reference version is `normalize_column`.

ASCII strings are normalized as bytes, all in one pass. Other strings are normalized as code points where every
character maps to one character, a space or nothing regardless of its neighbors. The rest become Python strings.
"""

import functools
import operator
import unicodedata
from typing import Any
from typing import TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._ascii_normalization import delete_marks
from ._normalization import is_invisible
from ._normalization import normalize_column
from ._punctuation import is_mark
from ._string_buffers import string_buffers

Array = np.ndarray[Any, Any]

_SPACE = ord(" ")
_WHITESPACE = "".join(character for character in map(chr, range(128)) if character.isspace())
# Marks that are always removed at this end of a text, without affecting which of the marks next to them are kept.
_OPENING, _CLOSING = _WHITESPACE + "\"'", _WHITESPACE + "\"'.,:;!?"
_DELETED = 0x110000
_MARK, _NUMBER, _CONTEXTUAL, _KNOWN = 1, 2, 4, 8


class Rules(TypedDict):
    """The options of `normalize`."""

    case_sensitive: bool
    normalize_text: bool


def equal_forms(left: pa.Array, right: pa.Array, rules: Rules) -> Array:
    """Compare pairs by their normalized forms.

    Args:
        left: Of type `string` or `large_string`, without nulls.
        right: As many, of the same type.
        rules: How to normalize.

    Returns:
        Shape (pairs,), bool.
    """
    equal = np.zeros(len(left), dtype=np.bool_)
    decided = np.zeros(len(left), dtype=np.bool_)
    if rules["normalize_text"]:
        ascii_only = to_mask(pc.and_(pc.string_is_ascii(left), pc.string_is_ascii(right)))
        for rows, forms_of in ((ascii_only, _ascii_forms), (~ascii_only, _code_point_forms)):
            ours, theirs = (forms_of(side.filter(pa.array(rows)), rules) for side in (left, right))
            equal[rows] = to_mask(pc.equal(ours, theirs))
            # A form of one item is an empty text plus NUL: rule 6 applies to such a text.
            width = 1 if forms_of is _ascii_forms else 4
            shorter = pc.min_element_wise(pc.binary_length(ours), pc.binary_length(theirs))
            decided[rows] = to_mask(pc.greater(shorter, width))
    others = pa.array(~decided)
    ours, theirs = (normalize_column(side.filter(others).to_pylist(), **rules) for side in (left, right))
    equal[~decided] = np.fromiter(map(operator.eq, ours, theirs), np.bool_, len(ours))
    return equal


def equal_inside(left: pa.Array, right: pa.Array, rules: Rules) -> Array:
    """Find pairs that differ only in ASCII case, and in ASCII whitespace, quotes and closing marks at their ends.

    Their normalized forms are equal if they contain anything but marks. Most pairs with equal forms are of this kind.

    Args:
        left: Of type `string` or `large_string`, without nulls.
        right: As many, of the same type.
        rules: How to normalize.

    Returns:
        Shape (pairs,), bool; False means undecided.
    """
    opening, closing = (_OPENING, _CLOSING) if rules["normalize_text"] else (_WHITESPACE, _WHITESPACE)
    insides = []
    for strings in (left, right):
        folded = strings if rules["case_sensitive"] else pc.ascii_lower(strings)
        insides.append(pc.ascii_rtrim(pc.ascii_ltrim(folded, characters=opening), characters=closing))
    return to_mask(pc.equal(*insides))


def to_mask(values: pa.Array) -> Array:
    """Convert an Arrow array of bool to NumPy, shape (values,)."""
    mask: Array = values.to_numpy(zero_copy_only=False)
    return mask


def _join(strings: pa.Array) -> str:
    """Concatenate strings, each followed by NUL."""
    nothing, nul = (pa.scalar(text, strings.type) for text in ("", "\0"))
    offsets, data = string_buffers(pc.binary_join_element_wise(strings, nothing, nul))
    return data[offsets[0] : offsets[-1]].tobytes().decode()


def _split(codes: Array) -> pa.Array:
    """Collapse whitespace, and split after each NUL; as `large_binary`."""
    # Keep a space unless a space or NUL follows, or NUL precedes it.
    space = codes == _SPACE
    codes = codes[~space | np.append(~(space | (codes == 0))[1:], True)]
    codes = codes[(codes != _SPACE) | np.append(False, codes[:-1] != 0)]
    ends = (np.flatnonzero(codes == 0) + 1) * codes.itemsize
    offsets = np.append(0, ends).astype(np.int64)
    return pa.Array.from_buffers(pa.large_binary(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(codes)])


def _no_forms(count: int) -> pa.Array:
    return pa.array([b""] * count, pa.large_binary())


def _ascii_forms(strings: pa.Array, rules: Rules) -> pa.Array:
    """Return the normalized forms of ASCII strings, each followed by NUL; all empty if any string contains NUL."""
    joined = _join(strings)
    if joined.count("\0") > len(strings):
        return _no_forms(len(strings))
    return _split(np.frombuffer(delete_marks(joined, case_sensitive=rules["case_sensitive"]), dtype=np.uint8))


def _code_point_forms(strings: pa.Array, rules: Rules) -> pa.Array:
    """Return the normalized forms of strings as UTF-32, each followed by NUL; only NUL where context matters."""
    joined = _join(strings)
    if joined.count("\0") > len(strings):
        return _no_forms(len(strings))
    codes = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32)
    forms, kinds = _character_forms(rules["case_sensitive"]).of(codes)
    # A mark directly before a number may be kept.
    contextual = (kinds & _CONTEXTUAL) != 0
    contextual[:-1] |= ((kinds[:-1] & _MARK) != 0) & ((kinds[1:] & _NUMBER) != 0)
    ends = np.flatnonzero(codes == 0)
    rows = np.zeros(len(strings), dtype=np.bool_)
    rows[np.searchsorted(ends, np.flatnonzero(contextual))] = True
    deleted = forms == _DELETED
    if rows.any():
        deleted |= np.repeat(rows, np.diff(ends, prepend=-1)) & (codes != 0)
    return _split(forms[~deleted])


@functools.cache
def _character_forms(case_sensitive: bool) -> "_CharacterForms":
    return _CharacterForms(case_sensitive=case_sensitive)


class _CharacterForms:
    """The normalized form of each code point, computed by `normalize_column` on first use."""

    def __init__(self, *, case_sensitive: bool) -> None:
        self._case_sensitive = case_sensitive
        self._forms = np.zeros(0x110000, dtype=np.uint32)
        self._kinds = np.zeros(0x110000, dtype=np.uint8)
        self._kinds[0] = _KNOWN

    def of(self, codes: Array) -> tuple[Array, Array]:
        """Return the form of each code point (`_DELETED` for nothing) and its kind, a set of flags; shapes as given."""
        kinds = self._kinds.take(codes)
        if not kinds.all():
            self._fill(np.unique(codes[kinds == 0]))
            kinds = self._kinds.take(codes)
        return self._forms.take(codes), kinds

    def _fill(self, codes: Array) -> None:
        characters = list(map(chr, codes.tolist()))
        # Between letters, a mark is removed and whitespace becomes one space.
        forms = normalize_column([f"a{character}a" for character in characters], case_sensitive=self._case_sensitive)
        for character, form in zip(characters, forms, strict=True):
            inner = form[1:-1]
            self._forms[ord(character)] = ord(inner) if len(inner) == 1 else _DELETED
            self._kinds[ord(character)] = _kind(character, inner)


def _kind(character: str, form: str) -> int:
    """Return the flags of a character: mark, number, and whether its form depends on context."""
    plain = unicodedata.normalize("NFKC", character)
    contextual = (
        len(form) > 1
        or plain in {"+", "#"}  # kept after a letter
        or any(unicodedata.category(c) in {"Mn", "Mc", "Me", "Lm"} for c in plain)  # compose with the character before
        or any("\u1100" <= c <= "\u11ff" for c in plain)  # so do Hangul letters
        or is_invisible(character)  # may be between a sign and its number
    )
    return (
        _KNOWN
        | _MARK * any(map(is_mark, character + plain))
        | _NUMBER * any(unicodedata.category(c)[0] == "N" for c in character + plain + form)
        | _CONTEXTUAL * contextual
    )
