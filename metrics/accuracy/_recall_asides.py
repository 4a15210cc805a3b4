"""References with a part in parentheses that an answer may leave out: "Titanic (1997)"."""

import re

from ._recall_dates import is_year
from ._recall_text import Found
from ._recall_text import Text
from ._recall_units import unit_of

_ASIDE = re.compile(r"(?<!\S)\([^()]*\)")


def words_to_spare(wanted: Text, given: Text, content: list[int], found: Found) -> frozenset[int]:
    """Choose the words of a reference that may be missing: those in parentheses, if all others are found.

    None may be missing if the prediction has another number for one of them.
    """
    aside = _ASIDE.search(wanted.text) if "(" in wanted.text else None
    if not aside:
        return frozenset()
    inside = frozenset(index for index in content if aside.start() < wanted.tokens[index].start < aside.end())
    is_rest_found = len(inside) < len(content) and all(found[index] for index in content if index not in inside)
    return inside if is_rest_found and not _has_other(wanted, given, inside, found) else frozenset()


def _has_other(wanted: Text, given: Text, part: frozenset[int], found: Found) -> bool:
    """Say whether the prediction has another number like a missing one: a year, or one with the same unit."""
    used = {place for places in found.values() for place in places}
    others = {_kind(given, place) for place, token in enumerate(given.tokens) if token.is_number and place not in used}
    return any(_kind(wanted, index) in others for index in part if wanted.tokens[index].is_number and not found[index])


def _kind(text: Text, place: int) -> tuple[bool, str]:
    return is_year(text.tokens[place]), unit_of(text.tokens, place)
