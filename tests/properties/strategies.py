"""Hypothesis strategies for difficult inputs of answer and retrieval metrics."""

from typing import Any

from hypothesis import strategies as st

Inputs = dict[str, list[Any]]
Options = dict[str, Any]


def first_word(text: str) -> str:
    return text.partition(" ")[0]


def to_upper(text: str) -> str:
    return text.upper()


def lines(text: str) -> list[str]:
    return text.split("\n")


def halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


# Pieces that differ only in case, Unicode form, marks, numbers or script, so that generated texts are often similar.
_PIECES = [
    *("Paris", "paris", "PARIS", "Parisian", "paris!", "the", "a", "not", "Straße", "STRASSE", "İ"),
    *("3.5", "35", "1,000", "1000", "-5", "5", "\u22125", "½", "10²", "102", "C++", "C#", "?", "!", ".", "+"),
    *("é", "e\u0301", "ﬁne", "fine", "Ｔｏｋｙｏ", "東京", "京都", "สวัสดี", "\u0e31", "а", "\u200b", "\xad", "\0"),
    *(" ", "  ", "\n", "\u2003", "Dr. No", "end. Next", "[", "]", '"', "|", "Candidate answer: x"),
]
_FREE = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXT = st.lists(st.sampled_from(_PIECES), max_size=5).map("".join) | st.sampled_from(_PIECES) | _FREE
_SENTENCES = [
    "Paris is large.",
    "Lyon is on the Rhone.",
    "paris is large",
    "It is 3.5 km long!",
    "東京は大きい。",
    "Bern",
]
CHUNK = st.lists(st.sampled_from(_SENTENCES), max_size=3).map(" ".join) | TEXT


@st.composite
def answer_rows(draw: st.DrawFn, *, questions: bool = False) -> Inputs:
    """Examples, about half of which are right in some sense."""
    pair = st.tuples(TEXT, TEXT) | TEXT.map(lambda text: (text, text)) | TEXT.map(lambda text: (text, f" {text}."))
    rows = draw(st.lists(pair, min_size=1, max_size=8))
    several = draw(st.booleans())
    references = [[one, *draw(st.lists(TEXT, max_size=2))] if several else one for _, one in rows]
    inputs: Inputs = {"predictions": [one for one, _ in rows], "references": references}
    return {"questions": [draw(TEXT) for _ in rows], **inputs} if questions else inputs


@st.composite
def chunk_rows(draw: st.DrawFn) -> Inputs:
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        truths = draw(st.lists(CHUNK, max_size=3))
        found = st.sampled_from(truths) | CHUNK if truths else CHUNK
        rows.append((draw(st.lists(found, max_size=4)), truths))
    return {"predictions": [found for found, _ in rows], "references": [truths for _, truths in rows]}
