"""What contradicts a reference although enough of its words are found: opposites, other names, parts of a list."""

from collections.abc import Iterator
from itertools import pairwise

from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import NEGATIONS
from ._recall_forms import OPPOSITES
from ._recall_names import TITLES
from ._recall_text import Found
from ._recall_text import Text
from ._recall_tokens import Token

_NEGATIVE_PREFIXES = ("in", "un", "non", "dis", "im", "ir", "il", "anti")
_OPPOSING_PREFIXES = (
    ("mono", "mon", "di", "tri", "tetra"),
    ("de", "in"),
    ("inter", "intra", "extra"),
    ("hyper", "hypo"),
    ("exo", "endo"),
    ("micro", "macro"),
    ("pre", "post"),
    ("homo", "hetero"),
)
_OPPOSING_SUFFIXES = (("ate", "ite"), ("er", "ee"))
_LEAST_NEGATED = 4


def is_in(words: frozenset[str], tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token is one of some small words, and not a name of capitals: "vitamin A", "US", "WHO"."""
    token = tokens[index]
    return token.key in words and not is_capital_code(tokens, index)


def is_capital_code(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token is all capitals without being the first word or the pronoun "I"."""
    token = tokens[index]
    letters = token.text.replace(".", "")
    return letters.isupper() and (
        len(letters) > 1 or (index > 0 and letters != "I" and not tokens[index - 1].is_number)
    )


def lacks_required(wanted: Text, missing: list[int]) -> bool:
    """Say whether a word is missing that turns its neighbors into something else: "not", or "West" in a name."""
    tokens = wanted.tokens
    return any(
        tokens[index].key in NEGATIONS
        or (tokens[index].key in NAME_PREFIXES and tokens[index].capital and _has_name_behind(tokens, index))
        for index in missing
    )


def _has_name_behind(tokens: tuple[Token, ...], index: int) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1].capital and tokens[index + 1].start - tokens[index].end == 1


def is_other_name(wanted: Text, given: Text, index: int, place: int) -> bool:
    """Say whether a place of a prediction has another name than that of the reference: "West Virginia"."""
    if not place or not wanted.tokens[index].capital or not given.tokens[place].capital:
        return False
    before = given.tokens[place - 1]
    if before.key not in NAME_PREFIXES or not before.capital or given.tokens[place].start - before.end != 1:
        return False
    return before.key not in wanted.keys


def has_opposite(word: str, wanted: Text, given: Text) -> bool:
    """Say whether the opposite of a missing word stands in the prediction ("south", or "direct" for "indirect")."""
    others = OPPOSITES.get(word, frozenset()) | _swapped(word)
    for prefix in _NEGATIVE_PREFIXES:
        positive = word.removeprefix(prefix)
        if positive != word and len(positive) >= _LEAST_NEGATED:
            others |= {positive}
        if len(word) >= _LEAST_NEGATED:
            others |= {prefix + word}
    return any(other in given.keys and other not in wanted.keys for other in others)


def _swapped(word: str) -> frozenset[str]:
    """Make the words that differ from a word in a prefix or suffix that opposes it: "monoxide" for "dioxide"."""
    swapped: set[str] = set()
    for group in _OPPOSING_PREFIXES:
        for prefix in group:
            rest = word.removeprefix(prefix)
            if rest != word and len(rest) >= _LEAST_NEGATED:
                swapped.update(other + rest for other in group if other != prefix)
    for one, other in _OPPOSING_SUFFIXES:
        for ending, instead in ((one, other), (other, one)):
            if word.endswith(ending) and len(word) - len(ending) >= _LEAST_NEGATED:
                swapped.add(word.removesuffix(ending) + instead)
    return frozenset(swapped)


def has_other_initials(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether a person has other initials: "George H. W. Bush" for "George W. Bush", and the other way round."""
    initials = [index for index in content if _is_initial(wanted.tokens, index)]
    if not initials:
        return False
    near = {place + step for index in content for place in found[index] for step in (-1, 1)}
    others = [
        place
        for place in near - {place for index in content for place in found[index]}
        if 0 <= place < len(given.tokens) and _is_initial(given.tokens, place)
    ]
    letters = {wanted.tokens[index].key[0] for index in content}
    if any(given.tokens[place].key not in letters for place in others):
        return True
    some = any(_is_initial(given.tokens, place) for index in initials for place in found[index])
    return some and any(not found[index] for index in initials)


def _is_initial(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token is a single capital beside another word of a name."""
    token = tokens[index]
    if len(token.text) != 1 or not token.capital:
        return False
    beside = [tokens[place] for place in (index - 1, index + 1) if 0 <= place < len(tokens)]
    return any(other.capital and len(other.text) > 1 for other in beside) or (
        len(beside) == 2 and all(other.capital for other in beside)  # on both sides
    )


def is_contradicted(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether the prediction has another name wherever the reference's should stand.

    Where a missing name is the neighbor of a found word, another name stands on the same side of every place where that
    word was found: "Michelle Obama" for "Barack Obama".
    """
    tokens = given.tokens
    contradicted = False
    for anchor, missing, side in _neighbors(content):
        if not found[anchor] or found[missing] or not wanted.tokens[missing].capital:
            continue
        if wanted.tokens[anchor].is_number and side > 0:
            continue  # what follows a number is its unit
        between = {wanted.tokens[index].key for index in range(min(anchor, missing) + 1, max(anchor, missing))}
        for place in found[anchor]:
            if wanted.tokens[anchor].capital and given.has_capitals and not _is_name(tokens, place):
                continue
            at = place + side
            while 0 <= at < len(tokens) and tokens[at].key in between:
                at += side
            if not 0 <= at < len(tokens) or given.ends_sentence(max(place, at)):
                return False
            if not _is_name(tokens, at) or tokens[at].key in wanted.keys or tokens[at].key in TITLES:
                return False
            contradicted = True
    return contradicted


def _is_name(tokens: tuple[Token, ...], place: int) -> bool:
    """Say whether a token of a prediction reads as a name, or as a number that is part of one."""
    token = tokens[place]
    return token.is_number or (token.capital and not is_in(FUNCTION_WORDS, tokens, place))


def _neighbors(content: list[int]) -> Iterator[tuple[int, int, int]]:
    """List the pairs of neighbors, both ways: the first one, the second one, and on which side it stands."""
    for left, right in pairwise(content):
        yield left, right, 1
        yield right, left, -1


def has_all_items(wanted: Text, found: Found) -> bool:
    """Say whether something of every item of a list is found ("A, B and C")."""
    items: list[list[int]] = [[]]
    for index, token in enumerate(wanted.tokens):
        between = wanted.text[wanted.tokens[index - 1].end : token.start] if index else ""
        if token.key == "and" or not {",", ";", "&"}.isdisjoint(between):
            items.append([])
        if index in found:
            items[-1].append(index)
    return all(any(found[index] for index in item) for item in items if item)
