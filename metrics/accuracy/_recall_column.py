"""Token recall of many pairs: most are decided by the words of an answer alone, without its tokens.

The slow and obvious twin is `recall`, whose share and decision these are, on every pair.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ._recall import content_words
from ._recall import recall
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NEGATIONS
from ._recall_forms import bases
from ._recall_forms import beginning
from ._recall_names import is_acronym
from ._recall_names import name_runs
from ._recall_numbers import NUMBER_WORDS
from ._recall_numbers import is_roman
from ._recall_text import read

_LETTERS = {code: chr(code).lower() if chr(code).isalpha() else " " for code in range(128)}
# With any of these in an answer, words alone do not decide.
_DOUBTS = NEGATIONS | {"t", "either", "than", "instead"}
_ROMAN_WORDS = frozenset(
    tens + ones
    for tens in ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
) - {""}
_SPECIAL = FUNCTION_WORDS | NUMBER_WORDS | _ROMAN_WORDS | {"no"}
# No "one" and no "I": references with a 1 are not decided by words.
_NUMERALS = (NUMBER_WORDS | _ROMAN_WORDS) - {"one", "i"}
_BORDERS_BEFORE = frozenset(" (\"'\n")
_BORDERS_AFTER = frozenset(' ,;!?)"\n')
_WORD = re.compile(r"[^\W\d_]+")
_INNER_CAPITAL = re.compile("[a-z][A-Z]")
_POINTS = re.compile(r"[A-Za-z]\.[A-Za-z]")
_RANGE = re.compile("[0-9]{4}[-/][0-9]{2}")
_DIGITS = re.compile("[0-9]+")


class _Wanted(NamedTuple):
    """What a reference needs, prepared once."""

    words: frozenset[str]
    """Its words that count."""
    size: int
    """How many words and numbers count."""
    numbers: tuple[str, ...] | None
    """The first digits of its numbers; None if they do not tell whether a number is missing."""
    forms: frozenset[str]
    """How the forms of its words begin."""
    parts: frozenset[str]
    """What is left of its words without their first letter or two: they may be written as two words."""
    acronyms: frozenset[str]
    has_names: bool
    is_phrase: bool
    """Whether it begins and ends with a letter or digit."""
    ends: tuple[bool, bool]
    """Whether it begins and ends with a number, which its neighbors can change."""


@lru_cache(1 << 14)
def _prepare(reference: str, question: str | None, language: str) -> _Wanted | None:
    """Prepare a reference; None if words alone never decide about it."""
    text = read(reference, language)
    content = content_words(text, None if question is None else read(question, language))
    tokens = text.tokens
    chosen = [tokens[index] for index in content]
    words = frozenset(token.key for token in chosen if not token.is_number)
    if not content or any(is_roman(token) or is_acronym(token) for token in tokens):
        return None
    if any(len(word) == 1 or word in _SPECIAL or "'" in word for word in words) or not reference.strip():
        return None
    if not reference.isascii():
        words = frozenset()
    numbers = [token for token in chosen if token.is_number]
    plain = all(
        token.text.replace(",", "").isdigit() and token.key[1:] == token.text.replace(",", "") for token in numbers
    )
    first_digits = tuple(token.key[1:] for token in numbers)
    forms, parts = set(), set()
    for index in content:
        if not tokens[index].is_number:
            key, before = tokens[index].key, tokens[index - 1].key if index else ""
            forms |= {beginning(key), beginning(before + key), *map(beginning, bases(key))}
            parts |= {key[1:], key[2:]}
    return _Wanted(
        words=words,
        size=len(chosen),
        numbers=first_digits if plain and reference.isascii() and "1" not in first_digits else None,
        forms=frozenset(forms),
        parts=frozenset(parts),
        acronyms=frozenset("".join(tokens[index].key[0] for index in run) for run in name_runs(text)),
        has_names=any(token.capital for token in chosen),
        is_phrase=reference[0].isalnum() and (reference[-1].isalnum() or reference[-1] == "%"),
        ends=(tokens[0].is_number, tokens[-1].is_number),
    )


def recall_column(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    questions: Sequence[str] | None = None,
    threshold: float = 0.5,
    language: str = "en",
) -> tuple[list[bool], list[float]]:
    """Judge each prediction by the best of its references.

    Args:
        predictions: The answers to judge.
        references: The right answers for each.
        questions: What was asked, for each.
        threshold: The least share of the words, 0 to 1.
        language: "en", or "none" for no rules of any language.

    Returns:
        Whether each prediction is right, and the greatest share, 0 to 1, of those references that decide so.
    """
    rights, shares = [], []
    for index, (prediction, accepted) in enumerate(zip(predictions, references, strict=True)):
        question = None if questions is None else questions[index]
        words = _words_of(prediction)
        best = (False, 0.0)
        for reference in accepted:
            found = _decide(reference, prediction, words, question, language)
            if found is None:
                whole = recall(reference, prediction, question=question, threshold=threshold, language=language)
                judged = (whole.right, whole.share)
            else:
                judged = (found == 1.0, found)
            best = max(best, judged)
        rights.append(best[0])
        shares.append(best[1])
    return rights, shares


def _words_of(text: str) -> frozenset[str]:
    """List the words of a text: every token that is one is among them."""
    return frozenset(text.translate(_LETTERS).split() if text.isascii() else _WORD.findall(text.lower()))


def _decide(
    reference: str, prediction: str, words: frozenset[str], question: str | None, language: str
) -> float | None:
    """Give 1.0 for a prediction that is right, 0.0 for one that has nothing of the reference, None for the others."""
    wanted = _prepare(reference, question, language)
    if wanted is None:
        return None
    if wanted.words <= words and (not wanted.numbers or not _lacks_numbers(wanted.numbers, prediction, words)):
        if not words.isdisjoint(_DOUBTS):
            return None
        if len(wanted.words) and wanted.size == len(wanted.words) and wanted.numbers == ():
            return 1.0
        return 1.0 if wanted.is_phrase and _stands_as_it_is(reference, prediction, wanted) else None
    return _share_without_names(prediction, words, wanted)


def _share_without_names(prediction: str, words: frozenset[str], wanted: _Wanted) -> float | None:
    """Give the share of a reference of which some word or number is certainly missing; None where that is not sure."""
    hits = wanted.words & words
    if wanted.numbers is None or (
        wanted.acronyms and (_POINTS.search(prediction) or not words.isdisjoint(wanted.acronyms))
    ):
        return None
    if hits and (wanted.has_names or not wanted.numbers or not words.isdisjoint(_DOUBTS)):
        return None
    if not words.isdisjoint(wanted.parts) or not wanted.forms.isdisjoint(map(beginning, words - hits)):
        return None
    if (
        not prediction.isascii()
        or _INNER_CAPITAL.search(prediction)
        or ("%" in prediction and "percent" in wanted.words)
    ):
        return None
    if wanted.numbers and not _lacks_numbers(wanted.numbers, prediction, words):
        return None
    return len(hits) / wanted.size


def _lacks_numbers(numbers: tuple[str, ...], prediction: str, words: frozenset[str]) -> bool:
    """Say whether a prediction certainly holds none of some whole numbers."""
    if not words.isdisjoint(_NUMERALS) or _RANGE.search(prediction):
        return False
    given = _DIGITS.findall(prediction.replace(",", ""))
    return all(number not in {digits.lstrip("0") or "0", digits[:4]} for digits in given for number in numbers)


def _stands_as_it_is(reference: str, prediction: str, wanted: _Wanted) -> bool:
    """Say whether a reference stands in a prediction as written, between borders that change nothing."""
    start = prediction.find(reference)
    if start < 0:
        return False
    end = start + len(reference)
    before, after = prediction[start - 1 : start], prediction[end : end + 1]
    if (before and before not in _BORDERS_BEFORE) or (
        after and after not in _BORDERS_AFTER and not (after == "." and prediction[end + 1 : end + 2] in {"", " "})
    ):
        return False
    if wanted.ends[0] and _is_numeral(prediction[:start].rpartition(" ")[0].rpartition(" ")[2]):
        return False
    return not (wanted.ends[1] and _is_numeral(prediction[end:].strip(" ").partition(" ")[0]))


def _is_numeral(word: str) -> bool:
    """Say whether a neighbor of a number may be part of it."""
    return bool(word) and (not word.strip(",;.!?()\"'").isalpha() or word.lower() in NUMBER_WORDS)
