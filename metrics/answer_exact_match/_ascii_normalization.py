# Vendored: edit metrics/_shared/_ascii_normalization.py and run `make vendor`.
"""Steps 3 to 5 of the normalization for ASCII, in a few passes of C code; the reference version is tests/oracles.py.

Marks to keep are moved above 127, out of reach of the `bytes.translate` that deletes all other marks.
"""

import re
import string

from ._punctuation import resolve_run
from ._punctuation import ungroup_numbers

# Nearly all grouped numbers have one comma; this pattern handles them without a Python callback per match. It starts
# with the comma, which is rarer than a digit. `_MULTIPLE_COMMAS` finds numbers with more.
_ONE_COMMA = re.compile(
    r",(?=[0-9]{3}(?![0-9]|,[0-9]))"
    r"(?:(?<=(?<![0-9])[1-9],)(?<![0-9][.,][0-9],)"
    r"|(?<=(?<![0-9])[1-9][0-9],)(?<![0-9][.,][0-9]{2},)"
    r"|(?<=(?<![0-9])[1-9][0-9]{2},)(?<![0-9][.,][0-9]{3},))"
)
_MULTIPLE_COMMAS = re.compile(r",[0-9]{3},[0-9]{3}")

_ASCII_MARKS = frozenset(string.punctuation)
# By far the most frequent mark to keep: a decimal point.
_POINT_BETWEEN_DIGITS = re.compile(r"\.(?<=[0-9].)(?=[0-9])")
# Maps every mark to a point, every digit to a zero and all else to a space: Python searches for a literal character
# many times faster than for a character class.
_SHAPES = bytes(
    ord("." if chr(code) in string.punctuation else "0" if chr(code) in string.digits else " ") for code in range(256)
)
_MARK_BEFORE_DIGIT = re.compile(rb"\.(?=0)")
_HIDE = {ord(mark): ord(mark) | 0x80 for mark in string.punctuation}
_ASCII_WHITESPACE = bytes(code for code in range(128) if chr(code).isspace())


def _byte_table(*, fold: bool) -> bytes:
    """Build the translation table: whitespace becomes spaces, hidden marks return to ASCII, letters are folded."""
    table = bytearray(range(128)) * 2
    for code in _ASCII_WHITESPACE:
        table[code] = ord(" ")
    if fold:
        for letter in string.ascii_uppercase:
            table[ord(letter)] = ord(letter.lower())
    return bytes(table)


_FOLD_BYTES = _byte_table(fold=True)
_KEEP_CASE_BYTES = _byte_table(fold=False)
_MARK_BYTES = string.punctuation.encode()


def strip_ascii(text: str, *, case_sensitive: bool) -> bytes:
    """Fold the case of an ASCII text, remove its punctuation, and collapse its whitespace to single spaces.

    The text may be a column joined by NUL; a space may remain next to a NUL and at either end.
    """
    stripped = delete_marks(text, case_sensitive=case_sensitive)
    # Splitting a run of spaces at pairs leaves empty pieces and at most one leading space.
    return b" ".join(filter(None, map(bytes.lstrip, stripped.split(b"  "))))


def delete_marks(text: str, *, case_sensitive: bool) -> bytes:
    """Fold the case of an ASCII text and remove its punctuation; each whitespace character becomes a space."""
    if "," in text:
        text = _ONE_COMMA.sub("", text)
        if _MULTIPLE_COMMAS.search(text):
            text = ungroup_numbers(text)
    table = _KEEP_CASE_BYTES if case_sensitive else _FOLD_BYTES
    return _hide_kept_marks(text).encode("latin-1").translate(table, _MARK_BYTES)


def candidate_marks(text: str) -> list[int]:
    """Return the indices of marks in an ASCII text that may be kept: those before a digit, and `+` and `#`."""
    encoded = text.encode("latin-1")
    found = [hit.start() for hit in _MARK_BEFORE_DIGIT.finditer(encoded.translate(_SHAPES))]
    for mark in b"+#":
        index = encoded.find(mark)
        while index >= 0:
            found.append(index)
            index = encoded.find(mark, index + 1)
    return sorted(found)


def _hide_kept_marks(text: str) -> str:
    """Replace the runs around candidate marks with the marks to keep, moved above 127."""
    text = _POINT_BETWEEN_DIGITS.sub("\xae", text)
    pieces = []
    done = 0
    for mark in candidate_marks(text):
        if mark < done:
            continue  # in the run of an earlier one
        start = end = mark
        while start > done and text[start - 1] in _ASCII_MARKS:
            start -= 1
        while end < len(text) and text[end] in _ASCII_MARKS:
            end += 1
        pieces += [text[done:start], resolve_run(text, start, end).translate(_HIDE)]
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
