"""Words of references that predictions have in another form or spelling, for many pairs at once."""

from collections.abc import Callable

import numpy as np

from ._recall_kinds import Kind
from ._recall_opposites import opposites
from ._recall_opposites import turns_meaning
from ._recall_pairs import Pairs
from ._recall_token_arrays import Array
from ._recall_token_arrays import Tokens
from ._recall_token_arrays import map_distinct
from ._recall_token_arrays import map_distinct_to_several

_MOST_CANDIDATES = 64
_LEAST_COMMAS = 2


def find_forms(pairs: Pairs) -> Array:
    """Find missing words in another form, which changes `found` and `found_as`.

    Returns:
        The pairs where a missing word may be found all the same, shape (pairs,), bool.
    """
    predictions, references, vocabulary = pairs.predictions, pairs.references, pairs.vocabulary
    uncertain = np.zeros(len(references.counts), dtype=np.bool_)
    words = np.flatnonzero(pairs.missing & ~references.are(Kind.NUMBER))
    # Forms of a word begin alike.
    beginnings = vocabulary.beginnings
    alike = Tokens(predictions.counts, beginnings[predictions.keys], predictions.kinds)
    counts, others = alike.occurrences(references.rows[words], beginnings[references.keys[words]])
    uncertain[references.rows[words[counts > _MOST_CANDIDATES]]] = True
    few = counts <= _MOST_CANDIDATES
    others, words = others[np.repeat(few, counts)], np.repeat(words[few], counts[few])
    size = len(vocabulary.names)
    codes = references.keys[words] * size + predictions.keys[others]
    related = map_distinct(codes, lambda both: vocabulary.may_be_form(*divmod(both, size))).astype(np.bool_)
    words, others, codes = words[related], others[related], codes[related]
    capital = references.are(Kind.CAPITAL)[words]
    forms = map_distinct(
        codes * 2 + capital, lambda both: vocabulary.is_form(*divmod(both // 2, size), capital=both % 2 == 1)
    ).astype(np.bool_)
    unsure = predictions.are(Kind.NUMBER_WORD | Kind.COMPOUND)[others]
    uncertain[references.rows[words[unsure]]] = True
    words, others = words[forms & ~unsure], predictions.keys[others[forms & ~unsure]]
    pairs.found_as[words] = others
    # A word that is found as two different ones is left to `judge`.
    uncertain[references.rows[words[pairs.found_as[words] != others]]] = True
    pairs.found[words] = True
    uncertain[_rows_with_joined_words(pairs)] = True
    return uncertain


def _rows_with_joined_words(pairs: Pairs) -> Array:
    """List the pairs where a missing word may be written as two, or as one with its neighbor."""
    missing = np.flatnonzero(pairs.missing & ~pairs.references.are(Kind.NUMBER))
    parts = [
        map_to_several(pairs, missing, pairs.vocabulary.second_parts),
        _joined(pairs, missing, before=True),
        _joined(pairs, missing, before=False),
    ]
    return np.concatenate([rows[pairs.predictions.contain(rows, keys)] for rows, keys in parts])


def _joined(pairs: Pairs, missing: Array, *, before: bool) -> tuple[Array, Array]:
    """Join missing words with a neighbor; return the rows and keys of what is a word in some text, (words,) each."""
    references, names, size = pairs.references, pairs.vocabulary.names, len(pairs.vocabulary.names)
    left = missing - before
    left = left[(left >= 0) & (left + 1 < len(references.keys))]
    left = left[references.rows[left] == references.rows[left + 1]]
    both = references.keys[left] * size + references.keys[left + 1]
    keys = map_distinct(both, lambda pair: pairs.vocabulary.find(names[pair // size] + names[pair % size]))
    return references.rows[left][keys >= 0], keys[keys >= 0]


def may_lack_words(pairs: Pairs) -> Array:
    """Choose the pairs that may be right without their missing words: nothing in the prediction opposes these.

    Returns:
        Shape (pairs,), bool. Other names in the place of missing ones are not looked at.
    """
    references, names = pairs.references, pairs.vocabulary.names
    missing = np.flatnonzero(pairs.missing)
    needed = map_distinct(
        references.keys[missing], lambda key: turns_meaning(names[key]) or not names[key].isascii()
    ).astype(np.bool_)
    possible = ~references.has(Kind.LINK | Kind.TITLE | Kind.DENIES)
    possible &= references.count(references.are(Kind.COMMA)) < _LEAST_COMMAS  # a list
    possible[references.rows[missing[needed]]] = False
    rows, keys = map_to_several(pairs, missing, lambda key: pairs.vocabulary.find_all(opposites(names[key])))
    possible[rows[pairs.predictions.contain(rows, keys)]] = False
    return possible


def map_to_several(pairs: Pairs, tokens: Array, function: Callable[[int], list[int]]) -> tuple[Array, Array]:
    """Apply a function that returns several keys to the keys of reference tokens.

    Args:
        pairs: The pairs.
        tokens: The indices of the reference tokens, shape (tokens,).
        function: From the key of a token to other keys.

    Returns:
        The row and the key of each result, shape (results,) each.
    """
    counts, keys = map_distinct_to_several(pairs.references.keys[tokens], function)
    return np.repeat(pairs.references.rows[tokens], counts), keys
