"""Search for a reference in a longer answer, as a whole word or phrase.

Marks that normalization removes are word boundaries here: "Answer:33" contains "33", and "<answer>Paris</answer>"
contains "Paris". A reference is also found if it occurs in the normalized answer ("U.S.A." contains "USA"), except that
an apostrophe never joins words.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from functools import lru_cache
from itertools import accumulate
from itertools import chain
from itertools import pairwise

from ._normalization import normalize_column
from ._punctuation import is_mark
from ._punctuation import kept_from_run
from ._punctuation import kept_marks
from ._unicode_scripts import NO_SPACE_SCRIPTS

_NO_SPACE = re.compile(f"[{NO_SPACE_SCRIPTS}]")
_APOSTROPHES = str.maketrans(dict.fromkeys("'\u2018\u2019\u02bc\uff07`\u00b4", " "))
# A footnote number: superscript, or copied as plain digits at the end of a clause ("Haryana1.", "in 19921.").
_FOOTNOTE = re.compile(
    r"(?<=\S)[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?!\w)"
    r"|(?:(?<=[^\W\d_]{3})|(?<=(?<!\w)[12]\d\d\d))\d{1,2}(?=[.,;:!?)]+(?:\s|\Z))"
)
# Matches to search for by str.find before switching to the algorithm with guaranteed linear time.
_QUICK_TRIES = 8


@lru_cache(256)
def _runs_of(marks: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(marks)}]+")


def with_word_boundaries(text: str) -> str:
    """Replace every run of marks that normalization removes by a space; marks that it keeps stay (3.5, -5, C++)."""
    marks = "".join(sorted(filter(is_mark, set(text))))
    if not marks:
        return text

    def replace(run: re.Match[str]) -> str:
        start, end = run.span()
        found = run.group()
        kept = kept_from_run(found, text[start - 1] if start else "", text[end : end + 1]).strip()
        if not kept or kept == found:
            return kept or " "
        return f"{kept} " if kept[0] in "+#" else f" {kept}"

    return _runs_of(marks).sub(replace, text)


def contains_phrase(reference: str, prediction: str) -> bool:
    """Return whether a prediction contains a reference with no letter, digit or kept mark on either side.

    In scripts without spaces it may occur anywhere. Linear in both lengths.

    Args:
        reference: The normalized reference.
        prediction: The normalized prediction.
    """
    kept: set[int] | None = None
    for start in _occurrences(reference, prediction):
        end = start + len(reference)
        sides = ((start, start - 1), (end - 1, end))
        if any(0 <= outside < len(prediction) and is_mark(prediction[outside]) for _, outside in sides):
            kept = kept_marks(prediction) if kept is None else kept
        if all(_is_boundary(prediction, inside, outside, kept or set()) for inside, outside in sides):
            return True
    return False


def _is_boundary(text: str, inside: int, outside: int, kept: set[int]) -> bool:
    """Return whether a word boundary separates the character inside a phrase from its neighbor outside."""
    if not 0 <= outside < len(text):
        return True
    kind = unicodedata.category(text[outside])[0]
    if kind == "M" and outside > inside:
        return False  # a vowel sign or accent belongs to the letter before it
    if kind in {"L", "N", "M"}:
        return bool(_NO_SPACE.match(text[outside]) or _NO_SPACE.match(text[inside]))
    return outside not in kept


def _occurrences(part: str, text: str) -> Iterator[int]:
    """Yield the start of every occurrence of a part in a text, including overlapping ones."""
    if not part:
        return
    start = text.find(part)
    for _ in range(_QUICK_TRIES):
        if start < 0:
            return
        yield start
        start = text.find(part, start + 1)
    if start >= 0:
        yield from _occurrences_from(part, text, start)


def _occurrences_from(part: str, text: str, start: int) -> Iterator[int]:
    """Do the same from an index on by Knuth-Morris-Pratt: str.find takes quadratic time on texts such as "a" * n."""
    borders = [0] * len(part)
    length = 0
    for index in range(1, len(part)):
        while length and part[index] != part[length]:
            length = borders[length - 1]
        length += part[index] == part[length]
        borders[index] = length
    length = 0
    for index in range(start, len(text)):
        while length and (length == len(part) or text[index] != part[length]):
            length = borders[length - 1]
        length += text[index] == part[length]
        if length == len(part):
            yield index - length + 1


class Containers:
    """The normalized forms of a column of texts to search for phrases, each computed on first use."""

    def __init__(self, texts: list[str], *, case_sensitive: bool) -> None:
        self._texts, self._case_sensitive = texts, case_sensitive

    def _normalized(self, texts: list[str]) -> list[str]:
        return normalize_column(texts, case_sensitive=self._case_sensitive)

    @cached_property
    def split_at_marks(self) -> list[str]:
        """Forms in which removed marks are word boundaries."""
        return self._normalized(list(map(with_word_boundaries, self._texts)))

    @cached_property
    def without_footnotes(self) -> list[str]:
        """The same without footnote numbers at the end of words."""
        forms = list(self.split_at_marks)
        affected = [index for index, text in enumerate(self._texts) if _FOOTNOTE.search(text)]
        stripped = [with_word_boundaries(_FOOTNOTE.sub(" ", self._texts[index])) for index in affected]
        for index, form in zip(affected, self._normalized(stripped), strict=True):
            forms[index] = form
        return forms

    @cached_property
    def joined_at_marks(self) -> list[str]:
        """Forms in which removed marks leave nothing, except that apostrophes are word boundaries."""
        return self._normalized([text.translate(_APOSTROPHES) for text in self._texts])


def contains_column(predictions: list[str], references: list[list[str]], *, case_sensitive: bool) -> list[bool]:
    """Return for each prediction whether it contains one of its references.

    Args:
        predictions: The predictions, not normalized.
        references: The acceptable references of each.
        case_sensitive: Respect letter case.
    """
    answers = Containers(predictions, case_sensitive=case_sensitive)
    phrases = Containers(list(chain.from_iterable(references)), case_sensitive=case_sensitive)
    result = []
    for index, (start, end) in enumerate(pairwise(accumulate(map(len, references), initial=0))):
        result.append(
            any(
                contains_phrase(phrases.split_at_marks[number], answers.split_at_marks[index])
                or contains_phrase(phrases.joined_at_marks[number], answers.joined_at_marks[index])
                or contains_phrase(phrases.split_at_marks[number], answers.without_footnotes[index])
                for number in range(start, end)
            )
        )
    return result
