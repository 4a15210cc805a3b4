"""Does a reference stand in a longer answer, as a whole word or phrase?

Marks that normalization removes are borders of words here: "Answer:33" and "<answer>Paris</answer>" contain what they
show. A reference stands in a text too where both are as normalization leaves them ("U.S.A." contains "USA"), except
that an apostrophe never glues words together.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from functools import lru_cache

from ._normalization import normalize_column
from ._punctuation import is_mark
from ._punctuation import kept_from_run
from ._punctuation import kept_marks
from ._unicode_scripts import NO_SPACE_SCRIPTS

_NO_SPACE = re.compile(f"[{NO_SPACE_SCRIPTS}]")
_APOSTROPHES = str.maketrans(dict.fromkeys("'\u2018\u2019\u02bc\uff07`\u00b4", " "))
# The number of a footnote: superscript, or copied as plain digits at the end of a clause ("Haryana1.", "in 19921.").
_FOOTNOTE = re.compile(
    r"(?<=\S)[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?!\w)"
    r"|(?:(?<=[^\W\d_]{3})|(?<=(?<!\w)[12]\d\d\d))\d{1,2}(?=[.,;:!?)]+(?:\s|\Z))"
)
# Searches by str.find before the one that takes linear time on every text.
_QUICK_TRIES = 8


@lru_cache(256)
def _runs_of(marks: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(marks)}]+")


def with_word_borders(text: str) -> str:
    """Write a blank for every run of marks that normalization removes; marks that it keeps stay (3.5, -5, C++)."""
    marks = "".join(sorted(filter(is_mark, set(text))))
    if not marks:
        return text

    def blank(run: re.Match[str]) -> str:
        start, end = run.span()
        found = run.group()
        kept = kept_from_run(found, text[start - 1] if start else "", text[end : end + 1]).strip()
        if not kept or kept == found:
            return kept or " "
        return f"{kept} " if kept[0] in "+#" else f" {kept}"

    return _runs_of(marks).sub(blank, text)


def contains_phrase(reference: str, prediction: str) -> bool:
    """Say whether a reference stands in a prediction with no letter, digit or kept mark at either side.

    In scripts without spaces it may stand anywhere. Linear in both lengths.

    Args:
        reference: The right answer, normalized.
        prediction: The answer to judge, normalized in the same way.
    """
    kept: set[int] | None = None
    for start in _occurrences(reference, prediction):
        end = start + len(reference)
        sides = ((start, start - 1), (end - 1, end))
        if any(0 <= outside < len(prediction) and is_mark(prediction[outside]) for _, outside in sides):
            kept = kept_marks(prediction) if kept is None else kept
        if all(_ends_between(prediction, inside, outside, kept or set()) for inside, outside in sides):
            return True
    return False


def _ends_between(text: str, inside: int, outside: int, kept: set[int]) -> bool:
    """Say whether a word ends between two neighbors, the character inside of it and the one outside."""
    if not 0 <= outside < len(text):
        return True
    kind = unicodedata.category(text[outside])[0]
    if kind == "M" and outside > inside:
        return False  # a vowel sign or accent belongs to the letter before it
    if kind in {"L", "N", "M"}:
        return bool(_NO_SPACE.match(text[outside]) or _NO_SPACE.match(text[inside]))
    return outside not in kept


def _occurrences(part: str, text: str) -> Iterator[int]:
    """Find every place of a part in a text, overlapping ones too."""
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
    """Do the same from a place on by Knuth, Morris and Pratt: find() takes quadratic time on "a" * n."""
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
    """The forms of a column of texts in which phrases are looked for, each made on first use."""

    def __init__(self, texts: list[str], *, case_sensitive: bool) -> None:
        self._texts, self._case_sensitive = texts, case_sensitive

    def _normalized(self, texts: list[str]) -> list[str]:
        return normalize_column(texts, case_sensitive=self._case_sensitive)

    @cached_property
    def parted(self) -> list[str]:
        """Removed marks are borders."""
        return self._normalized(list(map(with_word_borders, self._texts)))

    @cached_property
    def without_footnotes(self) -> list[str]:
        """The same without the numbers of footnotes at the end of words."""
        forms = list(self.parted)
        noted = [index for index, text in enumerate(self._texts) if _FOOTNOTE.search(text)]
        bare = self._normalized([with_word_borders(_FOOTNOTE.sub(" ", self._texts[index])) for index in noted])
        for index, form in zip(noted, bare, strict=True):
            forms[index] = form
        return forms

    @cached_property
    def glued(self) -> list[str]:
        """Removed marks leave nothing, but apostrophes are borders."""
        return self._normalized([text.translate(_APOSTROPHES) for text in self._texts])


def contains_column(predictions: list[str], references: list[list[str]], *, case_sensitive: bool) -> list[bool]:
    """Say for each prediction whether one of its references stands in it.

    Args:
        predictions: The answers to judge, as they were given.
        references: The right answers for each.
        case_sensitive: Respect letter case.
    """
    counts = list(map(len, references))
    given = Containers(predictions, case_sensitive=case_sensitive)
    wanted = Containers([one for several in references for one in several], case_sensitive=case_sensitive)
    result = []
    at = 0
    for index, count in enumerate(counts):
        span = range(at, at + count)
        at += count
        result.append(
            any(
                contains_phrase(wanted.parted[one], given.parted[index])
                or contains_phrase(wanted.glued[one], given.glued[index])
                or contains_phrase(wanted.parted[one], given.without_footnotes[index])
                for one in span
            )
        )
    return result
