"""What contradicts a reference although enough of its words are found: opposites and other names."""

from collections.abc import Iterator
from itertools import pairwise

from ._recall_forms import EXCLUSIVE
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import NEGATIONS
from ._recall_forms import RANKS
from ._recall_names import GENERATIONS
from ._recall_names import TITLES
from ._recall_numbers import is_roman
from ._recall_opposites import has_opposite
from ._recall_text import MOST_PLACES
from ._recall_text import QUOTES
from ._recall_text import Found
from ._recall_text import Text
from ._recall_tokens import Token

_SAME_AS_CITY = frozenset({"vatican"})
_KIN = next(group for group in EXCLUSIVE if "father" in group)
_STEPS = frozenset({"step", "half"})
# A word that excludes a missing one is looked for at most so many words from the missing one's neighbor.
_NEAR = 3
_SEQUELS = frozenset("23456789")
# In a longer text, a number at the end of a clause may be that of a footnote.
_LONGEST_TITLE = 8


def is_in(words: frozenset[str], tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token is one of some words, and not a name in capitals: "vitamin A", "US", "WHO"."""
    token = tokens[index]
    return token.key in words and not is_capital_code(tokens, index)


def is_capital_code(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token is all capitals without being the first word or the pronoun "I"."""
    token = tokens[index]
    letters = token.text.replace(".", "")
    return letters.isupper() and (
        len(letters) > 1 or (index > 0 and letters != "I" and not tokens[index - 1].is_number)
    )


def says_opposite(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether an English prediction says the opposite because of what is missing."""
    missing = [index for index in content if not found[index]]
    return wanted.english and (
        lacks_required(wanted, set(missing))
        or any(has_opposite(wanted.tokens[index].key, wanted, given) for index in missing)
        or has_exclusive_word(wanted, given, content, found)
    )


def lacks_required(wanted: Text, missing: set[int]) -> bool:
    """Say whether a word is missing that changes the meaning of its neighbors: "not", or "West" in a name."""
    tokens = wanted.tokens
    return any(
        tokens[index].key in NEGATIONS
        or (is_name_prefix(tokens, index) and index + 1 not in missing)
        or _is_symbol(wanted, index)
        or is_rank(tokens, index)
        or (tokens[index].key == "law" and index and tokens[index - 1].key == "in")
        or _is_surname(tokens, index)
        or (tokens[index].key == "city" and index == len(tokens) - 1 == 1 and tokens[0].key not in _SAME_AS_CITY)
        for index in missing
    )


def is_rank(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token changes the meaning of the next word: "vice president", "step-father"."""
    behind = index + 1
    joined = behind < len(tokens) and tokens[behind].start - tokens[index].end == 1
    if tokens[index].key not in RANKS or not joined or tokens[behind].is_number:
        return False
    return tokens[index].key not in _STEPS or tokens[behind].key in _KIN  # not "half Irish"


def _is_surname(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token is the name before "Jr." or "Sr."."""
    behind = index + 1
    return behind < len(tokens) and tokens[behind].key in GENERATIONS and tokens[index].capital


def _is_symbol(text: Text, index: int) -> bool:
    """Say whether a token is a single letter, but no initial and not in brackets: the C of "vitamin C"."""
    token = text.tokens[index]
    if len(token.text) != 1 or not (token.text.isascii() and token.text.isalpha()) or _is_initial(text.tokens, index):
        return False
    return text.text[token.end : token.end + 1] != "." and text.text[max(0, token.start - 2) : token.start] != " ("


def is_name_prefix(tokens: tuple[Token, ...], index: int) -> bool:
    """Say whether a token makes the next one another name: "West" in "West Virginia"."""
    if tokens[index].key not in NAME_PREFIXES or not tokens[index].capital:
        return False
    return index + 1 < len(tokens) and tokens[index + 1].capital and tokens[index + 1].start - tokens[index].end == 1


def is_other_name(wanted: Text, given: Text, index: int, place: int) -> bool:
    """Say whether a matching token is part of another name or rank: "West Virginia", "vice president"."""
    if place and is_rank(given.tokens, place - 1) and given.tokens[place - 1].key not in wanted.keys:
        return True
    if _has_name_ending(wanted, given, place):
        return True
    if not place or not wanted.tokens[index].capital or not given.tokens[place].capital:
        return False
    before = given.tokens[place - 1]
    if before.key not in NAME_PREFIXES or not before.capital or given.tokens[place].start - before.end != 1:
        return False
    return before.key not in wanted.keys


def _has_name_ending(wanted: Text, given: Text, place: int) -> bool:
    """Say whether what follows a token makes it another name: "Kansas City", "father-in-law"; not "New York City"."""
    tokens = given.tokens
    after = tokens[place + 1 : place + 3]
    if [token.key for token in after] == ["in", "law"]:
        return "law" not in wanted.keys
    if not after or after[0].key != "city" or not (after[0].capital and tokens[place].capital):
        return False
    is_same = tokens[place].key in _SAME_AS_CITY or (place and tokens[place - 1].key == "new")
    return "city" not in wanted.keys and not is_same


def has_exclusive_word(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether a word that excludes a missing one occurs near its neighbor: "white blood cells" for "red"."""
    for anchor, missing, _ in _neighbors(content):
        if not found[anchor] or found[missing]:
            continue
        key = wanted.tokens[missing].key
        others = {word for group in EXCLUSIVE if key in group for word in group} - wanted.keys
        for place in found[anchor] if not others.isdisjoint(given.keys) else ():
            if not others.isdisjoint(_words_near(given, place)):
                return True
    return False


def _words_near(text: Text, place: int) -> Iterator[str]:
    """List the words near a token, in its clause; the period of "Mr." does not end it."""
    for step in (-1, 1):
        for at in range(place + step, place + step * (_NEAR + 1), step):
            border = max(at, at - step)
            if not 0 <= at < len(text.tokens):
                break
            if text.ends_clause(border) and text.tokens[border - 1].key not in TITLES:
                break
            yield text.tokens[at].key


def has_titles_only(wanted: Text, content: list[int], found: Found) -> bool:
    """Say whether only the title of a name is found: "Mr. Bingley" for "Mr. Darcy"."""
    hits = [index for index in content if found[index]]
    return len(hits) < len(content) and all(
        wanted.tokens[index].capital and wanted.tokens[index].key in TITLES for index in hits
    )


def is_sequel(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether a title has a number, wherever it occurs, that the reference lacks: "Toy Story 3" for "Toy Story"."""
    last = content[-1]
    if last + 1 != len(wanted.tokens) or not all(
        wanted.tokens[index].capital and not wanted.tokens[index].is_number and found[index] for index in content
    ):
        return False
    return all(_has_sequel_behind(given, place) for place in found[last])


def _has_sequel_behind(text: Text, place: int) -> bool:
    """Say whether "II", "3" or "Part II" follows a name: not a king's number, nor a footnote's."""
    tokens = text.tokens
    at = place + 1
    if at >= len(tokens) or (place and tokens[place - 1].key in TITLES):
        return False
    if tokens[at].key == "part" and tokens[at].capital and at + 1 < len(tokens):
        at += 1
    elif text.text[tokens[place].end : tokens[at].start] != " ":
        return False
    token = tokens[at]
    if token.capital and at + 1 < len(tokens) and tokens[at + 1].key in GENERATIONS:
        return True  # "Martin Luther King Jr." for "Martin Luther"
    if is_roman(token):
        return True
    is_last = at + 1 == len(tokens) or text.ends_clause(at + 1)
    if not token.is_number or token.text not in _SEQUELS or (is_last and len(tokens) > _LONGEST_TITLE):
        return False
    # Not "Paris 3 times".
    return is_last or tokens[at + 1].key in FUNCTION_WORDS or not tokens[at + 1].key.endswith("s")


def has_swapped_score(wanted: Text, given: Text, found: Found) -> bool:
    """Say whether two numbers joined by a dash are in reverse order: "2-3" for "3-2"."""
    tokens = wanted.tokens
    for index in range(len(tokens) - 1):
        if not (index in found and index + 1 in found and _joins_numbers(wanted, index)):
            continue
        first, second = set(found[index]), set(found[index + 1])
        in_order = any(place + step in second for place in first for step in (1, 2))
        if not in_order and any(place + 1 in first and _joins_numbers(given, place) for place in second):
            return tokens[index].key != tokens[index + 1].key
    return False


def _joins_numbers(text: Text, index: int) -> bool:
    """Say whether a dash joins a number to the next one, with at most three digits each."""
    if index + 1 >= len(text.tokens):
        return False
    one, other = text.tokens[index : index + 2]
    short = one.is_number and other.is_number and len(one.text) <= 3 and len(other.text) <= 3
    return short and text.text[one.end : other.start] in {"-", "\u2013"}


def has_other_initials(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether a person has other initials: "George H. W. Bush" for "George W. Bush", and vice versa."""
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
    """Say whether a token is a single capital next to another word of a name."""
    token = tokens[index]
    if len(token.text) != 1 or not token.capital:
        return False
    beside = [tokens[place] for place in (index - 1, index + 1) if 0 <= place < len(tokens)]
    return any(other.capital and len(other.text) > 1 for other in beside) or (
        len(beside) == 2 and all(other.capital for other in beside)  # on both sides
    )


def is_contradicted(wanted: Text, given: Text, content: list[int], found: Found) -> bool:
    """Say whether the prediction has another name wherever that of the reference should be.

    Where a missing name is the neighbor of a word that is found, another name is on the same side of each match of that
    word: "Michelle Obama" for "Barack Obama".
    """
    tokens = given.tokens
    contradicted = False
    for anchor, missing, side in _neighbors(content):
        if not found[anchor] or found[missing] or not wanted.tokens[missing].capital:
            continue
        if wanted.tokens[anchor].is_number and side > 0:
            continue  # what follows a number is its unit
        for place in found[anchor]:
            if wanted.tokens[anchor].capital and given.has_capitals and not _is_name(tokens, place):
                continue
            if not _has_other_name(wanted, given, (anchor, missing, side), place):
                return False
            contradicted = True
    return contradicted


def _has_other_name(wanted: Text, given: Text, neighbors: tuple[int, int, int], place: int) -> bool:
    """Say whether a match has another name on the side where its missing neighbor should be."""
    anchor, missing, side = neighbors
    tokens = given.tokens
    between = {wanted.tokens[index].key for index in range(min(anchor, missing) + 1, max(anchor, missing))}
    at = place + side
    while (
        0 <= at < len(tokens)
        and (tokens[at].key in between or _is_nickname(given, at))
        and abs(at - place) <= MOST_PLACES
    ):
        at += side
    border = max(place, at)
    if side < 0 < at and _is_initial(tokens, at) and wanted.tokens[missing].key[0] != tokens[at].key:
        at, border = at - 1, at  # "Lyndon B. Johnson": the point ends no sentence
    if not 0 <= at < len(tokens) or given.ends_sentence(border):
        return False
    is_listed = "," in wanted.text[wanted.tokens[anchor - 1].end : wanted.tokens[anchor].start]
    if side < 0 and given.ends_clause(border) and not is_listed:
        return False  # "In 1794, Jesse Bennett" for "Dr. Jesse Bennett"
    return _is_name(tokens, at) and tokens[at].key not in wanted.keys and tokens[at].key not in TITLES


def _is_nickname(text: Text, place: int) -> bool:
    """Say whether a token stands in quotation marks of its own between names: 'John "Bonzo" Bonham'."""
    token = text.tokens[place]
    if text.text[token.start - 1 : token.start] not in QUOTES or text.text[token.end : token.end + 1] not in QUOTES:
        return False
    beside = text.tokens[place - 1 : place] + text.tokens[place + 1 : place + 2]
    return len(beside) > 1 and all(other.capital for other in beside)


def _is_name(tokens: tuple[Token, ...], place: int) -> bool:
    """Say whether a token of a prediction may be a name, or a number that is part of one."""
    token = tokens[place]
    return token.is_number or (token.capital and not is_in(FUNCTION_WORDS, tokens, place))


def _neighbors(content: list[int]) -> Iterator[tuple[int, int, int]]:
    """List the pairs of neighbors in both directions: one, the other, and the side that the other is on (-1 or 1)."""
    for left, right in pairwise(content):
        yield left, right, 1
        yield right, left, -1
