# Vendored: edit metrics/_shared/_punctuation.py and run `make vendor`.
"""Punctuation marks, and which of them are kept: step 4 of the normalization.

Marks are kept in numbers (`3.5`, `-5`, `1/2`) and in `C++` and `C#`; all others are removed. The rules apply to maximal
runs of marks and look at the characters directly before and after the run.
"""

import functools
import re
import string
import unicodedata

_MINUS = frozenset("-\u2010\u2212")
_STRAY_MARKS = "\u00b4\u2212"

# A comma groups digits in threes: 1,000 and 12,345.6, but not 1,00 or 0,125 or 3.1,000.
_GROUPED_NUMBER = re.compile(r"\d(?<!0)(?<!\d\d)(?<!\d[.,]\d)\d{0,2}(?:,\d{3})+(?!\d|,\d)")

# The longest run whose result is cached: texts can contain runs of any length.
_MAX_CACHED_RUN = 8


@functools.cache
def is_mark(character: str) -> bool:
    """Return whether a character counts as punctuation: Unicode's, ASCII's, currency signs, U+2212 and U+00B4."""
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
    return (
        _kept_from_short_run(marks, before, after)
        if len(marks) <= _MAX_CACHED_RUN
        else _kept_from_run(marks, before, after)
    )


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
    context = before + marks
    index = len(context) - 1
    point = sign = ""
    if context[index] == "." and (
        index == 0 or not (context[index - 1] == "." or unicodedata.category(context[index - 1])[0] in "LM")
    ):
        point = "."
        index -= 1
    if index >= len(before) and context[index] in _MINUS:
        left = context[index - 1] if index else ""
        if not left or not (_is_dash(left) or unicodedata.category(left)[0] in "LMN"):
            sign = "-"
    if sign or point:
        space = "" if not kept and (not before or before.isspace() or before == "\0") else " "
        return kept + space + sign + point
    return " " if kind == "N" else kept


_kept_from_short_run = functools.lru_cache(maxsize=1024)(_kept_from_run)


def resolve_run(text: str, start: int, end: int) -> str:
    """Return what is kept from the maximal run of marks `text[start:end]`."""
    return kept_from_run(text[start:end], text[start - 1] if start else "", text[end : end + 1])


def resolve_match(run: re.Match[str]) -> str:
    """Return what is kept from a maximal run of marks that a regular expression found."""
    return resolve_run(run.string, run.start(), run.end())


def kept_marks(text: str) -> set[int]:
    """Find the marks that normalization keeps: those of `3.5`, `-5` and `C++`, but not the last of `C++.`.

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
    # The pattern excludes only the ASCII zero.
    return text if unicodedata.digit(text[0]) == 0 else text.replace(",", "")
