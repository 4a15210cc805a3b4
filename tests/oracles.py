"""Simple reference implementations of optimized code, written from the description of each metric, not from its code.

The rules are quoted from the metric cards. All functions work on one text at a time, without
regular expressions or lookup tables.
"""

import re
import string
import unicodedata
from fractions import Fraction
from typing import Any

import numpy as np

# Characters that the rules of normalization depend on.
ASCII = "aZ09015.,,.-+#'\"$%/:() \t\n\x0b\x1c\0!?"
BEYOND = (
    "éßİıſΣςﬁ\u1fd3ªº"  # letters that fold or decompose in unusual ways
    "²₂½①㎏㊗Ⅷ٣५০"  # digits and numbers of many kinds
    "\u0300\u0301\u0308\u0327\u0328\u0338\u0345\u3099\u20dd\u0903"  # combining marks of several classes
    "\N{ACUTE ACCENT}\N{DIAERESIS}\u0384\u0385\u1fbd\u1fed\u1fee\u02d8\uffe3"  # spacing accents
    "\u2010\u2011\u2012\u2013\u2014\u2212\u207b\ufe63\uff0d\u30a0"  # dashes and minuses
    "…‥\u201c\u201d’¿。、・﹐，．－＋＃\u037e\u0387€£￥₿§†"  # other marks
    "\u00a0\u1680\u2003\u2028\u202f\u3000\u0085"  # white space
    "\u00ad\u061c\u180b\u200b\u200c\u200d\u200e\u2060\u2067\u2069\ufe0f\ufeff\U000e0100"  # invisible
    "한ᄒ\u1161\u11abかﾞがกิ京葛๑\U0001f600\U0001f3fd\U00011f00"
)
ODD_CHARACTERS = ASCII + BEYOND


def normalize(text: str, *, case_sensitive: bool = False) -> str:
    """Apply the normalization rules until the text no longer changes."""
    while True:
        after = _apply_rules(text, case_sensitive=case_sensitive)
        if after == text:
            return text
        text = after


def equal_pairs(first: list[str], second: list[str], *, case_sensitive: bool, normalize_text: bool) -> list[bool]:

    def form(text: str) -> str:
        if normalize_text:
            return normalize(text, case_sensitive=case_sensitive)
        return text.strip() if case_sensitive else text.strip().casefold()

    return [form(one) == form(other) for one, other in zip(first, second, strict=True)]


def _apply_rules(text: str, *, case_sensitive: bool) -> str:
    # 1. Invisible characters are removed.
    text = "".join(character for character in text if not _is_invisible(character))
    # 2. Unicode forms are unified, but some characters stay as they are.
    text = unicodedata.normalize("NFC", text)
    text = "".join(c if _is_excluded_from_unification(c) else unicodedata.normalize("NFKD", c) for c in text)
    text = unicodedata.normalize("NFC", text)
    # 3. Case.
    if not case_sensitive:
        text = text.casefold()
    # 4. and 5. Punctuation and whitespace.
    stripped = _single_spaces(_without_punctuation(_without_grouping(text)))
    # 6. A text of punctuation only does not become empty.
    return unicodedata.normalize("NFC", stripped or _single_spaces(text))


def _is_invisible(character: str) -> bool:
    name = unicodedata.name(character, "")
    return (
        name in {"SOFT HYPHEN", "ZERO WIDTH SPACE", "WORD JOINER", "ZERO WIDTH NO-BREAK SPACE"}
        or name in {"LEFT-TO-RIGHT MARK", "RIGHT-TO-LEFT MARK", "ARABIC LETTER MARK"}
        or unicodedata.bidirectional(character) in {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
        or name.startswith(("VARIATION SELECTOR-", "MONGOLIAN FREE VARIATION SELECTOR "))
    )


def _is_excluded_from_unification(character: str) -> bool:
    kind = unicodedata.decomposition(character).partition(" ")[0]
    if kind in {"<super>", "<sub>", "<fraction>", "<circle>", "<square>"}:
        return True
    plain = unicodedata.normalize("NFKD", character)
    return plain != " " and plain.startswith(" ")  # a spacing accent


def _is_digit(character: str) -> bool:
    return character != "" and unicodedata.category(character) in {"Nd", "Nl", "No"}


def _is_letter(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] in {"L", "M"}


def is_mark(character: str) -> bool:
    return character != "" and (
        unicodedata.category(character).startswith("P")
        or unicodedata.category(character) == "Sc"
        or character in string.punctuation
        or character in {"\N{MINUS SIGN}", "\N{ACUTE ACCENT}"}
    )


def _is_dash(character: str) -> bool:
    return character != "" and (unicodedata.category(character) == "Pd" or character == "\N{MINUS SIGN}")


def _is_minus(character: str) -> bool:
    return character in {"-", "\N{HYPHEN}", "\N{MINUS SIGN}"}


def _without_grouping(text: str) -> str:
    """Remove the commas of every number whose whole part is grouped in threes."""
    pieces = []
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and (
            text[end].isdecimal()
            or (start < end < len(text) - 1 and text[end] in {".", ","} and (text[end - 1] + text[end + 1]).isdecimal())
        ):
            end += 1
        number = text[start:end]
        whole, point, rest = number.partition(".")
        groups = whole.split(",")
        if (
            len(groups) > 1
            and 1 <= len(groups[0]) <= 3
            and unicodedata.digit(groups[0][0]) != 0
            and all(len(group) == 3 for group in groups[1:])
        ):
            number = "".join(groups) + point + rest
        pieces.append(number or text[start])
        start = max(end, start + 1)
    return "".join(pieces)


def _without_punctuation(text: str) -> str:
    return "".join(remaining_characters(text))


def remaining_characters(text: str) -> list[str]:
    left: list[str] = []
    for index, character in enumerate(text):
        start, end = index, index + 1
        while start > 0 and is_mark(text[start - 1]):
            start -= 1
        while end < len(text) and is_mark(text[end]):
            end += 1
        before, after = text[start - 1 : start], text[end : end + 1]

        if not is_mark(character) or (_is_letter(before) and set(text[start : index + 1]) <= {"+", "#"}):
            left.append(character)
        elif _is_digit(before) and _is_digit(after) and end - start == 1:
            left.append("-" if _is_dash(character) else character)
        elif _is_sign(text, index) or _is_point(text, index):
            written = "." if character == "." else "-"
            # A sign and a decimal point after it are kept together.
            follows_sign = _is_point(text, index) and index > 0 and _is_sign(text, index - 1)
            last = "".join(left)[-1:]
            at_start = last in {"", "\0"} or last.isspace()
            left.append(written if follows_sign or at_start else " " + written)
        elif _is_digit(before) and _is_digit(after) and index == end - 1:
            left.append(" ")
        else:
            left.append("")
    return left


def _is_point(text: str, index: int) -> bool:
    """Return whether there is a decimal point directly before a digit."""
    before = text[index - 1 : index] if index else ""
    return text[index] == "." and _is_digit(text[index + 1 : index + 2]) and not (_is_letter(before) or before == ".")


def _is_sign(text: str, index: int) -> bool:
    """Return whether there is a minus sign directly before a number."""
    before = text[index - 1 : index] if index else ""
    number = _is_digit(text[index + 1 : index + 2]) or (index + 1 < len(text) and _is_point(text, index + 1))
    return _is_minus(text[index]) and number and not (_is_letter(before) or _is_digit(before) or _is_dash(before))


def _single_spaces(text: str) -> str:
    words: list[str] = [""]
    for character in text:
        if character.isspace():
            words.append("")
        else:
            words[-1] += character
    return " ".join(word for word in words if word)


def squad_normalized(answer: str) -> str:
    kept = "".join(character for character in answer.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def longest_common_subsequence(first: str, second: str) -> int:
    """Give the length of the longest common subsequence, by the textbook's dynamic programming table."""
    row = [0] * (len(second) + 1)
    for one in first:
        previous = row[:]
        for column, other in enumerate(second, start=1):
            row[column] = previous[column - 1] + 1 if one == other else max(previous[column], row[column - 1])
    return row[-1]


def ratio(first: str, second: str) -> Fraction:
    """Return 2 LCS / (sum of both lengths) as an exact fraction."""
    length = len(first) + len(second)
    return Fraction(2 * longest_common_subsequence(first, second), length) if length else Fraction(1)


def pooled_f1(sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """F1 of pooled counts: (relevant, retrieved, found, ground truths) in the last axis; 0 if nothing is found."""
    precision, recall = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(2 * precision * recall / (precision + recall)))


def counts_of_queries(seed: int, queries: int) -> np.ndarray[Any, Any]:
    """Draw the counts that `pooled_f1` takes, one query per row."""
    random = np.random.default_rng(seed)
    retrieved, truths = random.integers(1, 9, queries), random.integers(1, 4, queries)
    columns = [random.binomial(retrieved, 0.4), retrieved, random.binomial(truths, 0.7), truths]
    return np.array(columns, dtype=float).T


def clustered_variance(scores: Any, codes: Any) -> float:
    """Variance of a mean by the formula CR1: the squared sums of deviations of g clusters, times g / (g - 1)."""
    scores, codes = np.asarray(scores, dtype=float), np.asarray(codes)
    groups = set(codes.tolist())
    sums = [(scores[codes == group] - scores.mean()).sum() / len(scores) for group in groups]
    return float(sum(one**2 for one in sums) * len(groups) / (len(groups) - 1))
