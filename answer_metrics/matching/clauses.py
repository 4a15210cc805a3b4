"""Spans, clauses and sentences of a text, and patterns of phrases; on these, rules say what an answer commits to."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from answer_metrics.core.patterns import compile_later

Span = tuple[int, int]
"""The start and the end of a part of a text, in characters."""


def compile_phrases(pattern: str) -> re.Pattern[str]:
    """Compile a pattern without case; a space stands for any white space, "'" for both apostrophes."""
    return compile_later(pattern.replace(" ", r"\s").replace("'", "['\u2019]"), re.IGNORECASE)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as it stands, between blanks."""
    return frozenset(text.split())


def contains(spans: Sequence[Span], place: int) -> bool:
    """Return whether one of the spans, which are in order and apart, contains a place."""
    return overlaps(spans, place, place + 1)


def overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    """Return whether a part of a text overlaps one of the spans, which are in order and apart."""
    at = bisect_right(spans, (end - 1, sys.maxsize)) - 1
    return at >= 0 and start < spans[at][1]


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, joined where they overlap; empty ones are left out."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


# ---- clauses and sentences

_CLAUSE_MARKS = ';:!?()\\[\\]\n\u2014\u2026\u201c\u201d"。\uff0c\uff1b\uff1a\uff01\uff1f、'
_SENTENCE_MARKS = "!?\n。\uff01\uff1f"
PERIOD = r"(?<=\.)(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St|Jr|Sr|vs)\.)(?<!\bMrs\.)(?=\W|\Z)"
CLAUSE_STOP = re.compile(
    rf"[{_CLAUSE_MARKS}.,\-\u2013](?:(?<=[{_CLAUSE_MARKS}])|{PERIOD}|(?<=\s[-\u2013])\s"
    r"|(?<=,)(?!\d)(?!(?<=\d,)(?<!\d\d\d\d,)\s\d{4}\b))"
)
SENTENCE_STOP = re.compile(rf"[{_SENTENCE_MARKS}.](?:(?<!\.)|{PERIOD})")
_LONGEST_PART = 300


class Parts:
    """The clauses or sentences of a text."""

    def __init__(self, text: str, stop: re.Pattern[str]) -> None:
        stops = [match.span() for match in stop.finditer(text)]
        self._starts = [0, *(end for _, end in stops)]
        self._ends = [*(start for start, _ in stops), len(text)]

    def start(self, place: int, *, before: int = 0) -> int:
        """Return where the part of a place begins, or the part that is some parts before it; at most so far before."""
        start = self._starts[max(0, bisect_right(self._starts, place) - 1 - before)]
        return max(start, place - _LONGEST_PART)

    def end(self, place: int) -> int:
        """Return where the part of a place ends; at most so far behind."""
        end = self._ends[bisect_right(self._starts, place) - 1]
        return max(place, min(end, place + _LONGEST_PART))
