"""Steps 3 to 5 of the normalization for ASCII, in a few passes of C code; the slow twin is tests/oracles.py.

What is to stay hides above 127 while one `bytes.translate` deletes every mark.
"""

import re
import string

from ._punctuation import resolve_run
from ._punctuation import ungroup_numbers

# Numbers with one comma, nearly all of the grouped ones, need no call of Python each. The search begins with a comma,
# which is rarer than a digit. Further commas are what `_SEVERAL_COMMAS` finds.
_ONE_COMMA = re.compile(
    r",(?=[0-9]{3}(?![0-9]|,[0-9]))"
    r"(?:(?<=(?<![0-9])[1-9],)(?<![0-9][.,][0-9],)"
    r"|(?<=(?<![0-9])[1-9][0-9],)(?<![0-9][.,][0-9]{2},)"
    r"|(?<=(?<![0-9])[1-9][0-9]{2},)(?<![0-9][.,][0-9]{3},))"
)
_SEVERAL_COMMAS = re.compile(r",[0-9]{3},[0-9]{3}")

_ASCII_MARKS = frozenset(string.punctuation)
# By far the most frequent mark that stays: a decimal point.
_POINT_BETWEEN_DIGITS = re.compile(r"\.(?<=[0-9].)(?=[0-9])")
# A column in which every mark is a point, every digit a zero and all else a blank. Python scans for a literal character
# many times faster than for a class of characters.
_SHAPES = bytes(
    ord("." if chr(code) in string.punctuation else "0" if chr(code) in string.digits else " ") for code in range(256)
)
_MARK_BEFORE_DIGIT = re.compile(rb"\.(?=0)")
_HIDE = {ord(mark): ord(mark) | 0x80 for mark in string.punctuation}
_ASCII_BLANKS = bytes(code for code in range(128) if chr(code).isspace())


def _byte_table(*, fold: bool) -> bytes:
    """Return what becomes of each byte: blanks turn to spaces, hidden marks come back, letters fold."""
    table = bytearray(range(128)) * 2
    for blank in _ASCII_BLANKS:
        table[blank] = ord(" ")
    if fold:
        for letter in string.ascii_uppercase:
            table[ord(letter)] = ord(letter.lower())
    return bytes(table)


_FOLD_BYTES = _byte_table(fold=True)
_KEEP_CASE_BYTES = _byte_table(fold=False)
_MARK_BYTES = string.punctuation.encode()


def strip_ascii(text: str, *, case_sensitive: bool) -> bytes:
    """Fold the case of an ASCII text, remove its punctuation, and collapse its white space to single spaces.

    The text may be a column joined by NUL: a space may be left beside a NUL, and at the ends.
    """
    stripped = delete_marks(text, case_sensitive=case_sensitive)
    # Between two blanks of a run nothing is left, or one blank.
    return b" ".join(filter(None, map(bytes.lstrip, stripped.split(b"  "))))


def delete_marks(text: str, *, case_sensitive: bool) -> bytes:
    """Fold the case of an ASCII text and remove its punctuation; white space becomes as many spaces."""
    if "," in text:
        text = _ONE_COMMA.sub("", text)
        if _SEVERAL_COMMAS.search(text):
            text = ungroup_numbers(text)
    table = _KEEP_CASE_BYTES if case_sensitive else _FOLD_BYTES
    return _hide_kept_marks(text).encode("latin-1").translate(table, _MARK_BYTES)


def candidate_marks(text: str) -> list[int]:
    """Find the marks of an ASCII text that may leave something behind: before a digit, and `+` and `#`."""
    encoded = text.encode("latin-1")
    found = [hit.start() for hit in _MARK_BEFORE_DIGIT.finditer(encoded.translate(_SHAPES))]
    for mark in b"+#":
        at = encoded.find(mark)
        while at >= 0:
            found.append(at)
            at = encoded.find(mark, at + 1)
    return sorted(found)


def _hide_kept_marks(text: str) -> str:
    """Replace the runs around candidate marks by what they leave behind, moved above 127."""
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
