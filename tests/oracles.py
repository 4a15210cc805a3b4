"""Simple reference implementations of optimized code and of its tables; `answer_metrics/text/reference.py` has more."""

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


def is_invisible(character: str) -> bool:
    name = unicodedata.name(character, "")
    return (
        name in {"SOFT HYPHEN", "ZERO WIDTH SPACE", "WORD JOINER", "ZERO WIDTH NO-BREAK SPACE"}
        or name in {"LEFT-TO-RIGHT MARK", "RIGHT-TO-LEFT MARK", "ARABIC LETTER MARK"}
        or unicodedata.bidirectional(character) in {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
        or name.startswith(("VARIATION SELECTOR-", "MONGOLIAN FREE VARIATION SELECTOR "))
    )


def keeps_form(character: str) -> bool:
    kind = unicodedata.decomposition(character).partition(" ")[0]
    if kind in {"<super>", "<sub>", "<fraction>", "<circle>", "<square>"}:
        return True
    plain = unicodedata.normalize("NFKD", character)
    return plain != " " and plain.startswith(" ")  # a spacing accent


def is_mark(character: str) -> bool:
    return character != "" and (
        unicodedata.category(character).startswith("P")
        or unicodedata.category(character) == "Sc"
        or character in string.punctuation
        or character in {"\N{MINUS SIGN}", "\N{ACUTE ACCENT}"}
    )


def squad_normalized(answer: str) -> str:
    bare = "".join(character for character in answer.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def longest_common_subsequence(first: str, second: str) -> int:
    """Give the length of the longest common subsequence, by the textbook's dynamic programming table."""
    row = [0] * (len(second) + 1)
    for character in first:
        previous = row[:]
        for column, other in enumerate(second, start=1):
            row[column] = previous[column - 1] + 1 if character == other else max(previous[column], row[column - 1])
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
    return float(sum(term**2 for term in sums) * len(groups) / (len(groups) - 1))
