"""Codes and compounds, whose parts mean something else: CO in "CO2", Java in "JavaScript", n in "n^2"."""

from ._recall_text import Found
from ._recall_text import Text
from ._recall_tokens import Token

_LONGEST_SYMBOL = 2
_AFTER_FOOTNOTES = frozenset(".,;:!?)]")


def drop_parts_of_codes(wanted: Text, given: Text, found: Found) -> None:
    """Drop words found only as part of a code or compound, and compounds found only in part."""
    for index, places in found.items():
        if not places or wanted.tokens[index].is_number:
            continue
        # "Hyper" and "Sport" of "HyperSport" are found for "Hypersport".
        if not (len(places) > 1 and places[0] + 1 == places[1]):
            found[index] = [place for place in places if not _is_part(wanted, given, index, place)]
    for index in range(len(wanted.tokens) - 1):
        if _is_compound(wanted.tokens, index) or _is_code(wanted, index):
            parts = [part for part in (index, index + 1) if part in found]
            if not all(found[part] for part in parts):
                found.update((part, []) for part in parts)


def _is_part(wanted: Text, given: Text, index: int, place: int) -> bool:
    """Say whether more is attached to a word than in the reference."""
    tokens = given.tokens
    after = wanted.tokens[index + 1] if index + 1 < len(wanted.tokens) else None
    before = wanted.tokens[index - 1] if index else None
    if _is_compound(tokens, place) and not (after and tokens[place + 1].key.startswith(after.key)):
        return True
    if place and _is_compound(tokens, place - 1) and not (before and before.key == tokens[place - 1].key):
        return True
    if place and _has_prefix(given, place) and not (before and _has_prefix(wanted, index)):
        return True
    return not (after and after.is_number) and (
        (wanted.tokens[index].text.isupper() and _is_code(given, place))
        or (len(wanted.tokens[index].text) == 1 and _gap(given, place) == "^")
    )


def _has_prefix(text: Text, place: int) -> bool:
    """Say whether a lowercase letter is attached before capitals: "mRNA"."""
    before = text.tokens[place - 1].text
    return _gap(text, place - 1) == "" and text.tokens[place].text.isupper() and len(before) == 1 and before.islower()


def _gap(text: Text, index: int) -> str | None:
    """Return the text between a token and the next; None after the last one."""
    tokens = text.tokens
    return text.text[tokens[index].end : tokens[index + 1].start] if index + 1 < len(tokens) else None


def _is_code(text: Text, index: int) -> bool:
    """Say whether a number is attached to capitals ("CO2", "H2O"), but not that of a footnote ("by NASA1.")."""
    if _gap(text, index) != "":
        return False
    one, other = text.tokens[index : index + 2]
    if one.is_number:
        return other.text.isupper() and len(other.text) <= _LONGEST_SYMBOL
    is_footnote = len(one.text) > _LONGEST_SYMBOL and text.text[other.end : other.end + 1] in _AFTER_FOOTNOTES
    return one.text.isupper() and other.is_number and not is_footnote


def _is_compound(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a word and the next are written as one, with a capital inside: "JavaScript"."""
    if index + 1 >= len(tokens):
        return False
    one, other = tokens[index : index + 2]
    return one.end == other.start and one.capital and other.capital and one.text.isalpha() and other.text.isalpha()
