"""References that list several things, of which an answer must have each."""

from collections import Counter

from ._recall_text import Found
from ._recall_text import Text

_LEAST_ITEMS = 3
_LONGEST_ITEM = 3


def split_items(text: str) -> list[str]:
    """Split a text at commas into at least three items that begin and end with a letter or digit; [] for others."""
    items = text.split(", ")
    is_list = len(items) >= _LEAST_ITEMS and all(item and item[0].isalnum() and item[-1].isalnum() for item in items)
    return items if is_list else []


def is_list(text: Text) -> bool:
    """Say whether an English text lists things: with "and", or at least three common nouns between commas."""
    if "and" in text.keys:
        return True
    items = split_items(text.text)
    return bool(items) and all(item[0].islower() and len(item.split()) <= _LONGEST_ITEM for item in items[1:])


def has_all_items(wanted: Text, found: Found) -> bool:
    """Say whether every item of a list is found ("A, B and C"), by any word that no other item has.

    An item without such a word needs all of its words: "left atrium" beside "right atrium" and "left ventricle".
    """
    items: list[list[int]] = [[]]
    for index, token in enumerate(wanted.tokens):
        between = wanted.text[wanted.tokens[index - 1].end : token.start] if index else ""
        if token.key == "and" or not {",", ";", "&"}.isdisjoint(between):
            items.append([])
        if index in found:
            items[-1].append(index)
    counts = Counter(key for item in items for key in {wanted.tokens[index].key for index in item})
    for item in items:
        own = [index for index in item if counts[wanted.tokens[index].key] == 1]
        if item and not (any(found[index] for index in own) if own else all(found[index] for index in item)):
            return False
    return True
