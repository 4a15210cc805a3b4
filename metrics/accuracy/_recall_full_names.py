"""Names of several words: when a part is enough, and when all of them are not."""

from itertools import dropwhile
from itertools import pairwise

from ._recall_contradictions import is_contradicted
from ._recall_forms import ARTICLES
from ._recall_forms import FUNCTION_WORDS
from ._recall_lists import split_items
from ._recall_names import TITLES
from ._recall_text import Found
from ._recall_text import Text

# The share for a surname without given names, and for a place without the places that it is in.
CORE_SHARE = 0.5
# Words of one name are at most so many tokens apart.
NAME_SPAN = 4
_GIVEN_NAMES = (1, 2, 3)
_BETWEEN_NAMES = frozenset(",;/(&")


def is_core_alone(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether only the most important part of a longer name is found."""
    return _is_place_alone(wanted, given, content, found) or _is_surname_alone(wanted, given, content, found)


def _is_place_alone(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether only the first of at least three nested places is found: Toronto of "Toronto, Ontario, Canada"."""
    items = split_items(wanted.text)
    if not items or not all(wanted.tokens[index].capital for index in content):
        return False
    first = [index for index in content if wanted.tokens[index].end <= len(items[0])]
    return bool(first) and all(any(given.tokens[place].capital for place in found[index]) for index in first)


def _is_surname_alone(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether only the surname of a person with one to three given names is found, with no other name next to it.

    "Mozart" for "Wolfgang Amadeus Mozart"; not "the Empire" for "Holy Roman Empire", nor "Leopold Mozart".
    """
    tokens, last = wanted.tokens, content[-1]
    given_names = list(dropwhile(lambda index: tokens[index].key in TITLES, content[:-1]))
    if len(given_names) not in _GIVEN_NAMES or last + 1 != len(tokens):
        return False
    if not found[last] or any(found[index] for index in content[:-1]):
        return False
    if not all(tokens[index].capital and tokens[index].text.isalpha() for index in content):
        return False
    is_plain = all(mark.isalpha() or mark in " -" for mark in wanted.text)
    if not is_plain or (wanted.english and any(token.key in FUNCTION_WORDS for token in tokens)):
        return False
    return any(_is_alone(given, place) and given.tokens[place].key == tokens[last].key for place in found[last])


def _is_alone(text: Text, place: int) -> bool:
    """Say whether a capitalized word has no article before it, no names next to it and no "of" after it."""
    tokens = text.tokens
    if not tokens[place].capital:
        return False
    if place + 1 < len(tokens) and not text.ends_clause(place + 1):
        after = tokens[place + 1]
        if after.capital or after.key == "of":
            return False
    if not place or text.ends_clause(place):
        return True
    before = tokens[place - 1]
    return before.key in TITLES or not (before.capital or before.is_number or before.key in ARTICLES)


def is_in_two_names(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether two adjacent words of a name are far apart, and one of them is part of another name.

    "He taught at the University of Geneva before he went to Ingolstadt" for "University of Ingolstadt".
    """
    if not wanted.english or not given.has_capitals or "and" in wanted.keys:
        return False
    return any(_are_in_two_names(wanted, given, pair, found) for pair in pairwise(content))


def _are_in_two_names(wanted: Text, given: Text, pair: tuple[int, int], found: Found) -> bool:
    first, second = pair
    tokens = wanted.tokens
    if second - first > 2 or any(
        not tokens[index].capital
        or tokens[index].is_number
        or "." in tokens[index].text
        or not any(given.tokens[place].capital for place in found[index])
        for index in pair
    ):
        return False
    if not _BETWEEN_NAMES.isdisjoint(wanted.text[tokens[first].end : tokens[second].start]):
        return False
    near = {place + step for place in found[first] for step in range(-NAME_SPAN, NAME_SPAN + 1)}
    if not near.isdisjoint(found[second]):
        return False
    one_missing = ({**{each: found[each] for each in pair}, index: []} for index in pair)
    return any(is_contradicted(wanted, given, [*pair], one) for one in one_missing)
