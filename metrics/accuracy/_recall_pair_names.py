"""Names that predictions have in part, in a short form, or another name instead, for many pairs at once."""

import numpy as np

from ._recall_full_names import NAME_SPAN
from ._recall_kinds import Kind
from ._recall_pairs import Pairs
from ._recall_text import MOST_PLACES
from ._recall_token_arrays import Array
from ._recall_token_arrays import Tokens
from ._recall_token_arrays import map_distinct

_MOST_BETWEEN = 3
# So near to a word of a number, tokens may be joined with it.
_NUMBER_SPAN = 3


def may_have_acronyms(pairs: Pairs) -> Array:
    """Choose the pairs where an acronym in the prediction may be that of a name, shape (pairs,), bool."""
    predictions, references, initials = pairs.predictions, pairs.references, pairs.vocabulary.initial_bits
    names = references.are(Kind.CAPITAL)
    shared = predictions.combine_bits(initials[predictions.keys] * predictions.are(Kind.ACRONYM))
    shared &= references.combine_bits(initials[references.keys] * names)
    possible: Array = (shared != 0) & (references.count(names) > 1)
    return possible


def may_lose_names(pairs: Pairs) -> Array:
    """Choose the pairs where a name that is found in part may be a common noun, or found too often; (pairs,), bool."""
    predictions, references = pairs.predictions, pairs.references
    names = pairs.content & references.are(Kind.CAPITAL)
    common = names & pairs.found
    proper = predictions.are(Kind.CAPITAL) & ~predictions.are(Kind.COMPOUND)
    common[common] = ~predictions.contain(references.rows[common], pairs.found_as[common], where=proper)
    many = pairs.found.copy()
    many[many] = predictions.occurrences(references.rows[many], pairs.found_as[many])[0] > MOST_PLACES
    possible: Array = references.any(names & ~pairs.found) & references.any(common | many)
    return possible


def may_be_in_two_names(pairs: Pairs) -> Array:
    """Choose the pairs where two neighbors of a name may stand in two other names, shape (pairs,), bool.

    Those where the prediction has both near one another are left out, as in `_recall_full_names.is_in_two_names`.
    """
    predictions, references = pairs.predictions, pairs.references
    possible = np.zeros(len(references.counts), dtype=np.bool_)
    if not pairs.vocabulary.english:
        return possible
    names, commas, rows = pairs.found & references.are(Kind.CAPITAL), references.are(Kind.COMMA), references.rows
    for step in (1, 2):
        together = names[step:] & names[:-step] & (rows[step:] == rows[:-step])
        first = np.flatnonzero(together & ~commas[:-step] & ~commas[step - 1 : -1])
        counts, place = predictions.occurrences(rows[first], pairs.found_as[first])
        which, second = np.repeat(np.arange(len(first)), counts), np.repeat(pairs.found_as[first + step], counts)
        is_near = np.zeros(len(first), dtype=np.bool_)
        whole = ~predictions.are(Kind.COMPOUND)
        for distance in (*range(-NAME_SPAN, 0), *range(1, NAME_SPAN + 1)):
            at = np.clip(place + distance, 0, len(predictions.keys) - 1)
            same = (predictions.keys[at] == second) & (predictions.rows[at] == predictions.rows[place])
            is_near[which[same & whole[at] & whole[place]]] = True
        many = counts > MOST_PLACES
        many |= predictions.occurrences(rows[first], pairs.found_as[first + step])[0] > MOST_PLACES
        possible[rows[first[~is_near | many]]] = True
    return possible


def may_be_core(pairs: Pairs) -> Array:
    """Choose the pairs where of a longer name just the part may be found that matters most, shape (pairs,), bool."""
    references = pairs.references
    counts = references.count(pairs.found)
    several = (references.count(pairs.content & references.are(Kind.CAPITAL)) > 2) & (counts > 0)
    possible: Array = several & ((counts == 1) | (references.count(references.are(Kind.COMMA)) > 1))
    return possible


def may_have_short_forms(pairs: Pairs) -> Array:
    """Choose the pairs where a missing word of a name may be found in a short form, shape (pairs,), bool."""
    predictions, references, vocabulary = pairs.predictions, pairs.references, pairs.vocabulary
    possible = np.zeros(len(references.counts), dtype=np.bool_)
    names = np.flatnonzero(pairs.missing & references.are(Kind.CAPITAL))
    near_number, size = _near_number_words(predictions), len(vocabulary.names)
    for side in (-1, 1):
        beside = names + side
        inside = (beside >= 0) & (beside < len(references.keys))
        word, beside = names[inside], beside[inside]
        known = pairs.found[beside] & (references.rows[word] == references.rows[beside])
        word, beside = word[known], beside[known]
        row = references.rows[word]
        counts, place = predictions.occurrences(row, pairs.found_as[beside])
        word, row = np.repeat(word, counts), np.repeat(row, counts)
        possible[row[near_number[place]]] = True
        for distance in (1, 2):
            at = place - side * distance
            inside = (at >= predictions.starts[row]) & (at < predictions.ends[row])
            others, words, rows = at[inside], word[inside], row[inside]
            capital = predictions.are(Kind.CAPITAL)[others]
            others, words, rows = others[capital], words[capital], rows[capital]
            possible[rows[predictions.are(Kind.DOTTED)[others]]] = True
            short = map_distinct(
                references.keys[words] * size + predictions.keys[others],
                lambda both: vocabulary.is_short_form(*divmod(both, size)),
            ).astype(np.bool_)
            possible[rows[short]] = True
    return possible


def _near_number_words(tokens: Tokens) -> Array:
    """Choose tokens whose neighbors may be joined into numbers, shape (tokens,), bool."""
    near = np.zeros(len(tokens.keys), dtype=np.bool_)
    numbers = np.flatnonzero(tokens.are(Kind.NUMBER_WORD | Kind.ROMAN))
    for step in range(-_NUMBER_SPAN, _NUMBER_SPAN + 1):
        near[np.clip(numbers + step, 0, len(near) - 1)] = True
    return near


def find_other_names(pairs: Pairs) -> tuple[Array, Array]:
    """Find the pairs whose prediction has another name wherever one of the reference should stand.

    The rule is that of `_recall_contradictions.is_contradicted`.

    Returns:
        The pairs that are contradicted, and those where this is not certain, shape (pairs,), bool.
    """
    predictions, references = pairs.predictions, pairs.references
    anchor, missing, side = _neighbors(pairs)
    counts, place = predictions.occurrences(references.rows[anchor], pairs.found_as[anchor])
    anchor, missing, side = (np.repeat(each, counts) for each in (anchor, missing, side))
    row = references.rows[anchor]
    kinds = predictions.kinds
    is_name = predictions.are(Kind.NUMBER) | (predictions.are(Kind.CAPITAL) & ~predictions.are(Kind.FUNCTION))
    common = references.are(Kind.CAPITAL)[anchor] & ~is_name[place]
    uncertain = np.zeros(len(references.counts), dtype=np.bool_)
    uncertain[row[common & ~_have_capitals(predictions)[row]]] = True
    proper = ~common
    anchor, missing, side, place, row = (each[proper] for each in (anchor, missing, side, place, row))
    at, too_far = _skip_words_between(pairs, anchor, missing, place + side, side)
    inside = (at >= predictions.starts[row]) & (at < predictions.ends[row])
    at = np.where(inside, at, place)
    border = np.maximum(place, at)
    ends = (kinds[border] & Kind.STARTS_SENTENCE) | (kinds[border - 1] & Kind.ENDS_SENTENCE)
    other = inside & (ends == 0) & is_name[at] & ~predictions.are(Kind.TITLE)[at]
    other[other] = ~references.contain(row[other], predictions.keys[at[other]])
    near_number = _near_number_words(predictions)
    values = pairs.vocabulary.value_keys
    signed = predictions.are(Kind.NUMBER)[at] & (values[predictions.keys[at]] != predictions.keys[at])
    code = predictions.are(Kind.CAPITAL) & predictions.are(Kind.FUNCTION) & predictions.are(Kind.UNUSUAL)
    unsure = too_far | signed | near_number[place] | near_number[at] | code[at] | code[place]
    unsure |= ((side < 0) & predictions.are(Kind.INITIAL)[at]) | predictions.are(Kind.QUOTED)[at]
    unsure |= (side < 0) & (((kinds[border] | kinds[border - 1]) & Kind.COMMA) != 0)
    uncertain[row[unsure]] = True
    contradicted = np.zeros(len(references.counts), dtype=np.bool_)
    contradicted[row[other]] = True
    contradicted[row[~other]] = False
    return contradicted, uncertain


def _neighbors(pairs: Pairs) -> tuple[Array, Array, Array]:
    """List the neighbors of which one is found, and the other is a missing name.

    Returns:
        The indices of the reference tokens that are found, of those that are missing, and on which side of the first
        the second stands (-1 or 1), shape (neighbors,).
    """
    references = pairs.references
    content = np.flatnonzero(pairs.content)
    same = references.rows[content[:-1]] == references.rows[content[1:]]
    left, right = content[:-1][same], content[1:][same]
    anchor, missing = np.concatenate([left, right]), np.concatenate([right, left])
    side = np.repeat([1, -1], len(left))
    chosen = pairs.found[anchor] & (pairs.missing & references.are(Kind.CAPITAL))[missing]
    chosen &= ~(references.are(Kind.NUMBER)[anchor] & (side > 0))  # what follows a number is its unit
    return anchor[chosen], missing[chosen], side[chosen]


def _skip_words_between(pairs: Pairs, anchor: Array, missing: Array, at: Array, side: Array) -> tuple[Array, Array]:
    """Move places of predictions beyond the words that the reference has between two neighbors: "of" or "the".

    Args:
        pairs: The pairs.
        anchor: A token of the reference that is found.
        missing: Its neighbor.
        at: The prediction token beside the one that is found, maybe outside of its text.
        side: In which direction to move, -1 or 1.

    Returns:
        The places, and where this needs more steps than are taken here, shape (neighbors,) as all arguments.
    """
    predictions, references = pairs.predictions, pairs.references
    row = references.rows[anchor]
    first, last = np.minimum(anchor, missing) + 1, np.maximum(anchor, missing) - 1
    too_far = last - first >= _MOST_BETWEEN
    for _ in range(_MOST_BETWEEN + 1):
        inside = (at >= predictions.starts[row]) & (at < predictions.ends[row])
        keys = predictions.keys[np.clip(at, 0, len(predictions.keys) - 1)]
        skipped = np.zeros(len(at), dtype=np.bool_)
        for step in range(_MOST_BETWEEN):
            between = np.minimum(first + step, last)
            skipped |= inside & (first <= last) & (keys == references.keys[between])
        at = np.where(skipped, at + side, at)
    return at, too_far | skipped


def _have_capitals(predictions: Tokens) -> Array:
    """Say in which predictions capitals certainly mean something, shape (texts,), bool."""
    stays = ~predictions.are(Kind.NUMBER_WORD | Kind.LINK)
    capitals, lower = (predictions.any(stays & predictions.are(kind)) for kind in (Kind.CAPITAL, Kind.LOWER))
    both: Array = capitals & lower
    return both
