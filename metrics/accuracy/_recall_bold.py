"""Answers that set what they answer in bold type, in Markdown: what stands elsewhere is mentioned in passing."""

import re

from ._recall_text import Found
from ._recall_text import Text

BOLD = "**"
_SPAN = re.compile(r"\*\*([^*\n]+)\*\*(?!:)")


def is_beside_bold(wanted: Text, given: Text, asked: Text, found: Found) -> bool:
    """Say whether a reference is found outside of the only bold words, which answer the question with another name.

    Bold words of the question, and headings such as "**Answer:**", answer nothing. A number is no answer for a name.
    """
    spans = list(_SPAN.finditer(given.text)) if BOLD in given.text else []
    if len(spans) != 1 or spans[0][1].rstrip().endswith(":"):
        return False
    start, end = spans[0].span(1)
    places = [place for place, token in enumerate(given.tokens) if start <= token.start < end]
    if not {place for places in found.values() for place in places}.isdisjoint(places):
        return False
    asks_number = any(wanted.tokens[index].is_number for index in found)
    answers = [given.tokens[place] for place in places if given.tokens[place].key not in asked.keys]
    return any(token.is_number if asks_number else token.capital for token in answers)
