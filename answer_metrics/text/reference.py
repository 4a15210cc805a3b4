"""Normalization as a specification: the reference implementation of `normalization.py` and `equality.py`.

Those are many times faster, and property tests compare them with these functions. The tables of characters are shared.
"""

import re
import unicodedata
from unicodedata import normalize as unicode_form

from answer_metrics.text.normalization import INVISIBLE, MINUSES, is_dash, is_mark, keeps_form

# Patterns match the shape of a text, which has one of these characters for each of its own: L for a letter or combining
# mark, N for a number, - for a minus, = for another dash, a comma for other punctuation than `.+#`, and x for the rest.
_MARK = "[-=.+#,]"
_START = r"(?: (?<![LN=-]) -\.? | (?<![L.]) \. ) (?=N)"
_PUNCTUATION = re.compile(
    rf"""
      (?P<suffix> (?<=L) [+#]+ )                      # C++, C#: the marks stay
    | (?P<infix>  (?<=N) {_MARK} (?=N) )              # 3.5, 1/2, 2-3: the mark stays
    | (?P<start>  {_START} )                          # -5, .5, -.5: the marks stay, after a space
    | (?P<gap>    (?<=N) {_MARK}+? (?=N | {_START}) ) # 3..5: other marks between numbers become a space
    | {_MARK}                                         # all others are removed
    """,
    re.VERBOSE,
)


def normalize(text: str, *, case_sensitive: bool = False) -> str:
    """Apply the rules until nothing changes.

    >>> normalize(" The  Café, No. 3.50! ")
    'the café no 3.50'
    """
    form = _normalize_once(text, case_sensitive=case_sensitive)
    return form if form == text else normalize(form, case_sensitive=case_sensitive)


def is_equal(first: str, second: str, *, case_sensitive: bool, normalize_text: bool) -> bool:
    """Return whether two texts have equal forms; without `normalize_text`, only their ends and case are normalized."""
    if normalize_text:
        return normalize(first, case_sensitive=case_sensitive) == normalize(second, case_sensitive=case_sensitive)
    first, second = first.strip(), second.strip()
    return first == second if case_sensitive else first.casefold() == second.casefold()


def _normalize_once(text: str, *, case_sensitive: bool) -> str:
    text = unify_forms(INVISIBLE.sub("", text))
    text = text if case_sensitive else text.casefold()
    bare = collapse_spaces(remove_punctuation(ungroup_numbers(text)))
    return unicode_form("NFC", bare or collapse_spaces(text))


def unify_forms(text: str) -> str:
    """Replace characters by their compatible forms, but keep superscripts, fractions and the like."""
    characters = unicode_form("NFC", text)
    return unicode_form("NFC", "".join(c if keeps_form(c) else unicode_form("NFKD", c) for c in characters))


def ungroup_numbers(text: str) -> str:
    """Remove the commas of whole numbers that are grouped in threes: 1,000 and 12,345.6, but not 1,00 or 0,125."""

    def ungroup(number: re.Match[str]) -> str:
        whole, point, decimals = number[0].partition(".")
        first, *groups = whole.split(",")
        grouped = len(first) <= 3 and unicodedata.digit(first[0]) != 0 and all(len(group) == 3 for group in groups)
        return whole.replace(",", "") + point + decimals if grouped else number[0]

    return re.sub(r"\d(?:[.,]?\d)*", ungroup, text)


def remove_punctuation(text: str) -> str:
    """Remove punctuation, except what belongs to numbers, `C++` and `C#`."""
    shape, result, end = "".join(map(_shape, text)), "", 0
    for marks in _PUNCTUATION.finditer(shape):
        result += text[end : marks.start()]
        end = marks.end()
        if marks.lastgroup in {"suffix", "infix"}:
            result += "-" if marks[0] in {"-", "="} else text[marks.start() : end]
        elif marks.lastgroup == "gap":
            result += " "
        elif marks.lastgroup == "start":
            result += marks[0] if not result or result[-1].isspace() or result[-1] == "\0" else f" {marks[0]}"
    return result + text[end:]


def _shape(character: str) -> str:
    if is_mark(character):
        dash = "-" if character in MINUSES else "=" if is_dash(character) else ","
        return character if character in {".", "+", "#"} else dash
    category = unicodedata.category(character)[0]
    return {"L": "L", "M": "L", "N": "N"}.get(category, "x")


def collapse_spaces(text: str) -> str:
    """Replace runs of whitespace by single spaces, and strip the ends."""
    return " ".join(text.split())
