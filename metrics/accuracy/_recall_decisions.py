"""Token recall of many pairs at once: decides those that need no look at the texts, and leaves the others to `judge`.

A pair is decided if all words of the reference are found and nothing denies them, if too few are found, or if the
prediction may lack those that are not found, or has other names in their place. Whatever is not certain here, such as
acronyms, denials and most dates, is left open.
"""

import numpy as np

from ._recall import COMMON_WEIGHT
from ._recall_kinds import Kind
from ._recall_pair_names import find_other_names
from ._recall_pair_names import may_be_core
from ._recall_pair_names import may_be_in_two_names
from ._recall_pair_names import may_have_acronyms
from ._recall_pair_names import may_have_short_forms
from ._recall_pair_names import may_lose_names
from ._recall_pair_numbers import absent_numbers
from ._recall_pair_numbers import find_dates
from ._recall_pair_numbers import joins_numbers
from ._recall_pair_numbers import present_numbers
from ._recall_pair_numbers import rows_with_phrase
from ._recall_pair_words import find_forms
from ._recall_pair_words import may_lack_words
from ._recall_pairs import Pairs
from ._recall_token_arrays import Array


def decide(pairs: Pairs, threshold: float) -> tuple[Array, Array]:
    """Decide pairs in bulk.

    Args:
        pairs: Predictions with one reference each.
        threshold: The least share of a reference's words that must be found, 0 to 1.

    Returns:
        Whether each prediction is right, shape (pairs,), bool, and the share of the words that are found, shape
        (pairs,), which is NaN where the pair is left to `judge`.
    """
    shares = np.full(len(pairs.decidable), np.nan)
    right = _have_all_words(pairs)
    shares[right] = 1.0
    rest = np.flatnonzero(pairs.decidable & ~right)
    if len(rest):
        right[rest], shares[rest] = _decide_others(pairs.take(rest), threshold)
    return right, shares


def _have_all_words(pairs: Pairs) -> Array:
    """Choose the pairs that are right since the prediction has all words as they are, shape (pairs,), bool."""
    complete = pairs.decidable & pairs.keeps_found & ~pairs.references.any(pairs.missing)
    with_numbers = pairs.references.any(pairs.numbers)
    right: Array = complete & ~with_numbers & ~_may_be_sequels(pairs) & ~may_be_in_two_names(pairs)
    right[rows_with_phrase(pairs, np.flatnonzero(complete & with_numbers))] = True
    return right


def _may_be_sequels(pairs: Pairs) -> Array:
    """Choose the pairs where something like a number follows a title that is the whole reference; (pairs,), bool."""
    predictions, references = pairs.predictions, pairs.references
    titles = np.flatnonzero((references.counts > 0) & ~references.any(pairs.content & ~references.are(Kind.CAPITAL)))
    counts, at = predictions.occurrences(titles, pairs.found_as[references.ends[titles] - 1])
    followed = np.append(predictions.are(Kind.ANY_NUMBER | Kind.PART), [False])[at + 1]
    sequels = np.zeros(len(references.counts), dtype=np.bool_)
    sequels[np.repeat(titles, counts)[followed & (at + 1 < predictions.ends[predictions.rows[at]])]] = True
    return sequels


def _decide_others(pairs: Pairs, threshold: float) -> tuple[Array, Array]:
    """Decide pairs of which not all words are found as they are; arguments and results as in `decide`."""
    references = pairs.references
    certain = ~_may_have_months(pairs)
    absent = absent_numbers(pairs)
    has_date, lacks_date = find_dates(pairs, absent)
    certain = (certain | lacks_date) & ~may_have_acronyms(pairs)
    certain &= ~(find_forms(pairs) | _has_months_in_other_forms(pairs)) | lacks_date
    in_found, in_lacking = has_date[references.rows], lacks_date[references.rows]
    pairs.found |= pairs.content & in_found
    pairs.found &= ~in_lacking
    absent = (absent & ~in_found) | (pairs.numbers & in_lacking)
    present = present_numbers(pairs) | (pairs.numbers & in_found)
    certain &= ~references.any(pairs.numbers & ~absent & ~present)
    nothing = ~references.any(pairs.found)
    certain &= ~references.any(pairs.missing & references.are(Kind.KOREAN))
    certain &= nothing | (pairs.keeps_found & ~_is_ambiguous(pairs) & ~may_be_core(pairs))
    incomplete = references.any(pairs.missing)
    shares = _shares(pairs)
    wrong = nothing | references.any(absent & references.are(Kind.NUMBER)) | (shares < threshold)
    right = certain & ~wrong & (incomplete | ~(_may_be_sequels(pairs) | may_be_in_two_names(pairs)))
    certain &= wrong | right
    partly = np.flatnonzero(right & incomplete)
    if len(partly):
        right[partly], certain[partly] = _decide_partly_found(pairs.take(partly))
    return right & certain, np.where(certain, shares, np.nan)


def _decide_partly_found(pairs: Pairs) -> tuple[Array, Array]:
    """Decide pairs of which enough words are found, but not all.

    Returns:
        Whether the prediction is right, and whether this is certain, shape (pairs,), bool.
    """
    certain = may_lack_words(pairs)
    names = np.flatnonzero(certain & pairs.references.any(pairs.missing & pairs.references.are(Kind.CAPITAL)))
    right = certain.copy()
    if len(names):
        contradicted, uncertain = find_other_names(pairs.take(names))
        right[names] = ~contradicted
        certain[names] = ~uncertain if pairs.vocabulary.english else False
    return right, certain


def _is_ambiguous(pairs: Pairs) -> Array:
    """Choose the pairs where other words may be found than it seems, or weigh something else; (pairs,), bool."""
    references = pairs.references
    numbers = references.any(references.are(Kind.NUMBER_WORD) & references.are(Kind.SEVERAL_VALUES))
    compounds = references.any(pairs.missing & references.are(Kind.CAPITAL)) & pairs.predictions.has(Kind.COMPOUND)
    ambiguous: Array = numbers | joins_numbers(references) | references.has(Kind.PREFIX) | compounds
    return ambiguous | may_lose_names(pairs) | may_have_short_forms(pairs)


def _may_have_months(pairs: Pairs) -> Array:
    """Choose the pairs where a month may be found in a date, or abbreviated, shape (pairs,), bool."""
    months = pairs.content & pairs.references.are(Kind.MONTH)
    doubtful = pairs.references.any(months & ~pairs.found) | pairs.references.any(pairs.numbers)
    return pairs.predictions.has(Kind.MONTH) & pairs.references.any(months) & doubtful


def _has_months_in_other_forms(pairs: Pairs) -> Array:
    """Choose the pairs where a month is found in another form, such as a plural, and in no date; (pairs,), bool."""
    references = pairs.references
    others: Array = references.any(references.are(Kind.MONTH) & pairs.found & (pairs.found_as != references.keys))
    return others


def _shares(pairs: Pairs) -> Array:
    """Compute the share of the words that are found; beside a name, common words may count half; shape (pairs,)."""
    references, content, found = pairs.references, pairs.content, pairs.found
    shares = references.count(found) / np.maximum(references.count(content), 1)
    heavy = references.are(Kind.CAPITAL | Kind.NUMBER)
    total = references.count(content & heavy) + COMMON_WEIGHT * references.count(content & ~heavy)
    weighted = references.count(found & heavy) + COMMON_WEIGHT * references.count(found & ~heavy)
    later = content & references.are(Kind.CAPITAL)
    later[references.starts[references.counts > 0]] = False
    best = np.maximum(shares, weighted / np.maximum(total, COMMON_WEIGHT))
    return np.where(references.any(later), best, shares)
