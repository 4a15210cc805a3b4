"""Token recall of many pairs: most are decided by the words of an answer alone, without its tokens.

The slow and obvious twin is `recall`, whose share and decision these are, on every pair.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from functools import lru_cache

from ._recall import content_words
from ._recall import judge
from ._recall_denials import DENYING
from ._recall_forms import BEGINNINGS
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import RANKS
from ._recall_forms import bases
from ._recall_forms import beginning
from ._recall_names import GENERATIONS
from ._recall_names import abbreviated_runs
from ._recall_numbers import NUMBER_WORDS
from ._recall_text import Text
from ._recall_text import read
from ._recall_tokens import fold
from ._recall_units import measure_of

_LETTERS = {code: chr(code).lower() if chr(code).isalpha() else " " for code in range(128)}
# With any of these in an answer, words alone do not decide.
_DOUBTS = NAME_PREFIXES | RANKS | DENYING | GENERATIONS | {"t"}
# Words that change a number before them: "2 and a half", "2 dozen".
_PARTS = frozenset({"half", "halves", "third", "thirds", "quarter", "quarters", "dozen"})
_ROMAN_WORDS = frozenset(
    tens + ones
    for tens in ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
) - {""}
_SPECIAL = FUNCTION_WORDS | NUMBER_WORDS | _ROMAN_WORDS | {"no", "yes"}
# No "one" and no "I": references with a 1 are not decided by words.
_NUMERALS = (NUMBER_WORDS | _ROMAN_WORDS) - {"one", "i"}
_BORDERS_BEFORE = frozenset(" (\"'\n")
_BORDERS_AFTER = frozenset(' ,;!?)"\n')
_WORD = re.compile(r"[^\W\d_]+")
_INNER_CAPITAL = re.compile(r"[^\W\d_A-Z][A-Z]")
_UNUSUAL_WORD = re.compile("[A-Z]{2}|[a-z][A-Z]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_POINTS = re.compile(r"[A-Za-z]\.[A-Za-z]")
_RANGE = re.compile("[0-9]{4}[-/][0-9]{2}")
_DIGITS = re.compile("[0-9]+")
_SEQUEL = re.compile(r"\W(?:[2-9]|[IVXL]+|[Pp]art|PART)(?!\w)")
_MAY_BE_SEQUELS = frozenset("23456789IVXLPp")
_MARKED = frozenset("'+#")


class _Wanted:
    """What a reference needs, prepared once."""

    def __init__(self, reference: str, question: str | None, language: str) -> None:
        self.text = read(reference, language)
        self.content = content_words(self.text, None if question is None else read(question, language))
        tokens = self.text.tokens
        self._chosen = [tokens[index] for index in self.content]
        self.size = len(self._chosen)
        words = {token.key for token in self._chosen if not token.is_number}
        # Whether words alone may decide.
        self.by_words = (
            bool(self.content)
            and _SPECIAL.isdisjoint(words)
            and not any(len(word) == 1 or not _MARKED.isdisjoint(word) for word in words)
            and not any(token.text.isupper() and (len(token.text) > 1 or token.is_number) for token in tokens)
        )
        self.is_ascii = reference.isascii()
        self.words = frozenset(words) if self.is_ascii else frozenset()
        self.prefixes = NAME_PREFIXES & self.words
        self.has_names = any(token.capital for token in self._chosen)
        self.is_title = all(token.capital for token in self._chosen)
        ends = reference[:1] + reference[-1:].replace("%", "")
        self.is_phrase = bool(self.content) and ends.isalnum()

    @cached_property
    def numbers(self) -> frozenset[str] | None:
        """The digits that each of its numbers begins with; None if they do not tell whether a number is missing."""
        numbers = [token.value.lstrip("-") for token in self._chosen if token.is_number]
        if not self.is_ascii or any(not value[:1].isdigit() or value[0] == "0" or "/" in value for value in numbers):
            return None
        first_digits = frozenset(_DIGITS.findall(value)[0] for value in numbers)
        if any(token.is_number and measure_of(self.text.tokens, index) for index, token in enumerate(self.text.tokens)):
            return None  # "an hour" is "60 minutes"
        if "century" in self.text.keys:
            return None  # the 1800s
        has_decades = any(token.key[-1] == "s" for token in self._chosen if token.is_number)
        return None if "1" in first_digits or has_decades else first_digits

    @cached_property
    def forms(self) -> frozenset[str]:
        """How the forms of its words begin."""
        found = set()
        for index in self.content:
            key, before = self.text.tokens[index].key, self.text.tokens[index - 1].key if index else ""
            if key[0] != "#":
                found |= {beginning(key), beginning(before + key), *map(beginning, bases(key))}
        return frozenset(found)

    @cached_property
    def parts(self) -> frozenset[str]:
        """What is left of its words without their first letter or two: they may be written as two words."""
        return frozenset(part for word in self.words for part in (word[1:], word[2:]) if part)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """How its names may be abbreviated."""
        tokens = self.text.tokens
        return frozenset("".join(tokens[index].key[0] for index in run) for run in abbreviated_runs(self.text))

    def count(self, words: frozenset[str]) -> int:
        """Count which of its words that count are among some; a word that it repeats counts each time."""
        return sum(token.key in words for token in self._chosen)

    @property
    def ends(self) -> tuple[bool, bool]:
        """Whether it begins and ends with a number, which its neighbors can change."""
        return self.text.tokens[0].is_number, self.text.tokens[-1].is_number


def _prepare(reference: str, question: str | None, language: str) -> _Wanted:
    """Prepare a reference; short ones are kept for the next time."""
    short = len(reference) + len(question or "") <= _LONGEST_CACHED
    return (_prepare_short if short else _Wanted)(reference, question, language)


_LONGEST_CACHED = 300
_prepare_short = lru_cache(1 << 14)(_Wanted)


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
        given: Text | None = None
        best = (False, 0.0)
        for reference in accepted:
            if question is None and _is_found_as_it_is(reference, prediction, words):
                best = (True, 1.0)
                break
            wanted = _prepare(reference, question, language)
            share = _decide(reference, prediction, words, wanted) if wanted.by_words else None
            if share is None:
                given = given or Text(prediction, english=language == "en")
                _, whole_share, reason = judge(wanted.text, given, wanted.content, threshold)
                best = max(best, (not reason, whole_share))
            else:
                best = max(best, (share == 1.0, share))
            if best == (True, 1.0):
                break
        rights.append(best[0])
        shares.append(best[1])
    return rights, shares


def _words_of(text: str) -> frozenset[str]:
    """List the words of a text: every token that is one is among them."""
    return frozenset(text.translate(_LETTERS).split() if text.isascii() else map(fold, _WORD.findall(text)))


def _is_found_as_it_is(reference: str, prediction: str, words: frozenset[str]) -> bool:
    """Say whether a reference of plain words stands in a prediction as written; most right answers end here."""
    start = prediction.find(reference)
    if start < 0 or not reference.replace(" ", "").isalpha() or not reference.isascii():
        return False
    own = reference.lower().split()
    end = start + len(reference)
    return (
        (start == 0 or prediction[start - 1] == " ")
        and prediction[end : end + 1] in {"", " ", ",", ";"}
        and (prediction[end : end + 1] != " " or prediction[end + 1 : end + 2] not in _MAY_BE_SEQUELS)
        and _SPECIAL.isdisjoint(own)
        and words.issuperset(own)
        and words.isdisjoint(_DOUBTS)
        and not _UNUSUAL_WORD.search(reference)
    )


def _decide(reference: str, prediction: str, words: frozenset[str], wanted: _Wanted) -> float | None:
    """Give 1.0 for a prediction that is right, the share for one that is certainly wrong, None for the others."""
    if wanted.words <= words and (not wanted.numbers or not _lacks_numbers(wanted.numbers, prediction, words)):
        # A prefix that the reference has itself makes no other name of what follows.
        if not _DOUBTS.isdisjoint(words if words.isdisjoint(wanted.prefixes) else words - wanted.prefixes):
            return None
        if wanted.words and not wanted.numbers and wanted.numbers is not None:
            return None if wanted.is_title and _SEQUEL.search(prediction) else 1.0
        if not words.isdisjoint(_PARTS):
            return None
        return 1.0 if wanted.is_phrase and _stands_as_it_is(reference, prediction, wanted) else None
    return _share_without_names(prediction, words, wanted)


def _share_without_names(  # noqa: PLR0911  # one doubt after the other
    prediction: str, words: frozenset[str], wanted: _Wanted
) -> float | None:
    """Give the share of a reference of which some word or number is certainly missing; None where that is not sure."""
    hits = wanted.words & words
    if wanted.numbers is None or (
        wanted.acronyms and (_POINTS.search(prediction) or not words.isdisjoint(wanted.acronyms))
    ):
        return None
    if hits and (wanted.has_names or not wanted.numbers or not words.isdisjoint(_DOUBTS)):
        return None
    if not words.isdisjoint(wanted.parts) or not wanted.forms.isdisjoint(map(BEGINNINGS.__getitem__, words - hits)):
        return None
    if _INNER_CAPITAL.search(prediction) or ("%" in prediction and "percent" in wanted.words):
        return None
    if not prediction.isascii() and (wanted.numbers or not wanted.is_ascii):
        return None
    if wanted.numbers and not _lacks_numbers(wanted.numbers, prediction, words):
        return None
    return wanted.count(hits) / wanted.size


def _lacks_numbers(numbers: frozenset[str], prediction: str, words: frozenset[str]) -> bool:
    """Say whether a prediction certainly holds none of some whole numbers."""
    if not words.isdisjoint(_NUMERALS) or _RANGE.search(prediction):
        return False
    given = _DIGITS.findall(prediction.replace(",", ""))
    return not any(digits[:4] in numbers or (digits.lstrip("0") or "0") in numbers for digits in given)


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
