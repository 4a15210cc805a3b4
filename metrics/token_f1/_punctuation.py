# Vendored: edit metrics/_shared/_punctuation.py and run `make vendor`.
"""Which marks are punctuation, and what the removal of a run of them leaves: step 4 of the normalization.

Numbers keep their value (`3.5`, `-5`, `1/2`), and so do `C++` and `C#`; everything else goes. Marks are judged by
maximal runs, each by what stands directly before and after it.
"""

import functools
import re
import string
import unicodedata

_MINUS = frozenset("-\u2010\u2212")
_STRAY_MARKS = "\u00b4\u2212"

# A comma groups digits in threes: 1,000 and 12,345.6, but not 1,00 or 0,125 or 3.1,000.
_GROUPED_NUMBER = re.compile(r"\d(?<!0)(?<!\d\d)(?<!\d[.,]\d)\d{0,2}(?:,\d{3})+(?!\d|,\d)")

# The longest run whose outcome is remembered: texts can hold runs of any length.
_SHORT_RUN = 8


@functools.cache
def is_mark(character: str) -> bool:
    """Tell whether a character counts as punctuation: Unicode's, ASCII's, currency signs, U+2212 and U+00B4."""
    category = unicodedata.category(character)
    return category[0] == "P" or category == "Sc" or character in string.punctuation or character in _STRAY_MARKS


def _is_dash(character: str) -> bool:
    return character in _MINUS or unicodedata.category(character) == "Pd"


def kept_from_run(marks: str, before: str, after: str) -> str:
    """Return what is kept from a maximal run of marks.

    Args:
        marks: The run.
        before: The character before it, "" at the start of the text.
        after: The character after it, "" at the end of the text.
    """
    return _remembered(marks, before, after) if len(marks) <= _SHORT_RUN else _kept_from_run(marks, before, after)


def _kept_from_run(marks: str, before: str, after: str) -> str:
    kind = unicodedata.category(before)[0] if before else ""
    kept = ""
    if kind in {"L", "M"}:
        kept = marks[: len(marks) - len(marks.lstrip("+#"))]
    if not after or unicodedata.category(after)[0] != "N":
        return kept
    if kind == "N" and len(marks) == 1:
        return "-" if _is_dash(marks) else marks

    # A decimal point and a minus directly before the number that follows.
    around = before + marks
    at = len(around) - 1
    point = sign = ""
    if around[at] == "." and (
        at == 0 or not (around[at - 1] == "." or unicodedata.category(around[at - 1])[0] in "LM")
    ):
        point = "."
        at -= 1
    if at >= len(before) and around[at] in _MINUS:
        left = around[at - 1] if at else ""
        if not left or not (_is_dash(left) or unicodedata.category(left)[0] in "LMN"):
            sign = "-"
    if sign or point:
        blank = "" if not kept and (not before or before.isspace() or before == "\0") else " "
        return kept + blank + sign + point
    return " " if kind == "N" else kept


_remembered = functools.lru_cache(maxsize=1024)(_kept_from_run)


def resolve_run(text: str, start: int, end: int) -> str:
    """Return what is kept from the maximal run of marks `text[start:end]`."""
    return kept_from_run(text[start:end], text[start - 1] if start else "", text[end : end + 1])


def resolve_match(run: re.Match[str]) -> str:
    """Return what is kept from a maximal run of marks that a regular expression found."""
    return resolve_run(run.string, run.start(), run.end())


def kept_marks(text: str) -> set[int]:
    """Find the marks that normalization keeps: that of `3.5`, that of `-5`, both of `C++`, but not the last of `C++.`.

    Returns:
        Their indices in the text.
    """
    kept: set[int] = set()
    end = 0
    for start, character in enumerate(text):
        if start < end or not is_mark(character):
            continue
        end = start
        while end < len(text) and is_mark(text[end]):
            end += 1
        left = resolve_run(text, start, end)
        if end - start == 1:
            kept.update([start] if left.strip() else [])
            continue
        kept.update(range(start, start + len(left) - len(left.lstrip("+#"))))
        kept.update(range(end - len(left) + len(left.rstrip("-.")), end))
    return kept


def ungroup_numbers(text: str) -> str:
    """Remove the commas of every number that is grouped in threes."""
    return _GROUPED_NUMBER.sub(_ungroup, text)


def _ungroup(number: re.Match[str]) -> str:
    text = number.group()
    # The expression knows ASCII's zero only, which is enough nearly always.
    return text if unicodedata.digit(text[0]) == 0 else text.replace(",", "")
