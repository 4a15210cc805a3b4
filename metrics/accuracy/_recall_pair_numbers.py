"""Numbers and dates of references that predictions certainly have, or certainly lack, for many pairs at once."""

import numpy as np

from ._recall_dates import ALL_MONTHS
from ._recall_kinds import Kind
from ._recall_pair_words import map_to_several
from ._recall_pairs import Pairs
from ._recall_rounding import roundings
from ._recall_text import MOST_PLACES
from ._recall_token_arrays import Array
from ._recall_token_arrays import Tokens
from ._recall_token_arrays import isin_sorted
from ._recall_token_arrays import map_distinct
from ._recall_token_arrays import map_distinct_to_several

_LONGEST_PHRASE = 12
_LONGEST_DATE = 3


def rows_with_phrase(pairs: Pairs, rows: Array) -> Array:
    """List those pairs whose whole reference stands in the prediction, token by token, with no number beside it.

    Args:
        pairs: The pairs.
        rows: The indices of those to look at, shape (rows,).

    Returns:
        Their indices, some maybe repeated, shape (places,).
    """
    predictions, references = pairs.predictions, pairs.references
    possible = (references.counts <= _LONGEST_PHRASE) & (references.count(references.are(Kind.NUMBER_WORD)) <= 1)
    possible &= references.count(references.are(Kind.NUMBER)) <= 2  # more may be a date
    possible &= predictions.count(predictions.are(Kind.NUMBER)) <= MOST_PLACES
    possible &= ~references.any(references.are(Kind.NUMBER_WORD) & references.are(Kind.SEVERAL_VALUES))
    possible &= ~(references.has(Kind.NUMBER_WORD) & references.has(Kind.LINK))
    possible &= ~(references.has(Kind.MONTH | Kind.NUMBER_WORD) & predictions.has(Kind.SEVERAL_VALUES))
    rows = rows[possible[rows]]
    counts, at = predictions.occurrences(rows, references.keys[references.starts[rows]])
    row = np.repeat(rows, counts)
    within = at + references.counts[row] <= predictions.ends[row]
    at, row = at[within], row[within]
    for step in range(1, _LONGEST_PHRASE):
        more = references.counts[row] > step
        if not more.any():
            break
        same = ~more
        same[more] = predictions.keys[at[more] + step] == references.keys[references.starts[row[more]] + step]
        at, row = at[same], row[same]
    after = at + references.counts[row]
    numbers, links = (np.append(predictions.are(kinds), [False, False]) for kinds in (Kind.ANY_NUMBER, Kind.LINK))
    begins = references.are(Kind.NUMBER_WORD)[references.starts[row]]
    ends = predictions.are(Kind.ANY_NUMBER)[after - 1]
    joined = (numbers[at - 1] | (links[at - 1] & begins)) & (at > predictions.starts[row])
    joined |= (numbers[after] | (links[after] & ends)) & (after < predictions.ends[row])
    alone: Array = row[~joined]
    return alone


def absent_numbers(pairs: Pairs) -> Array:
    """Choose the numbers of references of which the prediction has no form, shape (reference tokens,), bool."""
    predictions, references, values = pairs.predictions, pairs.references, pairs.vocabulary.value_keys
    numbers = np.flatnonzero(predictions.are(Kind.NUMBER))
    seen = np.sort(predictions.rows[numbers] * len(values) + values[predictions.keys[numbers]])
    vague = predictions.has(Kind.ROMAN | Kind.SEVERAL_VALUES) | joins_numbers(predictions) | joins_numbers(references)
    other = references.are(Kind.NUMBER) & ~references.are(Kind.SEVERAL_VALUES)
    other &= ~isin_sorted(seen, references.rows * len(values) + values[references.keys])
    names = pairs.vocabulary.names
    rows, rounded = map_to_several(
        pairs, np.flatnonzero(other), lambda key: pairs.vocabulary.find_all(roundings(names[key].partition(" ")[0]))
    )
    vague[rows[isin_sorted(seen, rows * len(values) + rounded)]] = True
    absent = ~predictions.has(Kind.ANY_NUMBER)[references.rows] | (other & ~vague[references.rows])
    absent &= ~_may_be_amounts(pairs)[references.rows]
    return pairs.numbers & absent


def _may_be_amounts(pairs: Pairs) -> Array:
    """Choose the pairs where a number may be found as the same amount in another unit: "5 km" as "5,000 m"."""
    measures, units = pairs.vocabulary.measure_bits, pairs.vocabulary.unit_bits
    texts = pairs.predictions, pairs.references
    kinds = [tokens.combine_bits(measures[tokens.keys]) for tokens in texts]
    possible: Array = (kinds[0] & kinds[1]) != 0
    given_units, wanted_units = (tokens.combine_bits(units[tokens.keys]) for tokens in texts)
    all_units = given_units | wanted_units
    converts = possible & ((all_units & (all_units - 1)) != 0)
    articles = [pairs.vocabulary.find("a"), pairs.vocabulary.find("an")]
    doubtful = np.zeros(len(possible), dtype=np.bool_)
    for tokens in texts:
        measured = measures[tokens.keys] != 0
        doubtful |= tokens.has(Kind.ROMAN | Kind.NUMBER_WORD) | tokens.any(tokens.are(Kind.NUMBER) & measured)
        before = np.flatnonzero(measured[1:] & (tokens.rows[1:] == tokens.rows[:-1]))
        doubtful[tokens.rows[before[np.isin(tokens.keys[before], articles)]]] = True
    possible &= doubtful
    rows = np.flatnonzero(converts & ~doubtful)
    possible[rows] = _have_same_amount(pairs, rows)
    rows = np.flatnonzero(wanted_units)
    references = pairs.references.take(rows)
    converted = references.combine_bits(pairs.vocabulary.converted_bits[references.keys])
    possible[rows] |= (converted & given_units[rows]) != 0
    return possible


def _have_same_amount(pairs: Pairs, rows: Array) -> Array:
    """Say which of some pairs have the same amount, maybe rounded, in one unit or in two, shape (rows,), bool."""
    vocabulary = pairs.vocabulary
    size = len(vocabulary.names)
    owners, measures = [], []
    for tokens in (pairs.predictions.take(rows), pairs.references.take(rows)):
        measured = vocabulary.measure_bits[tokens.keys] != 0
        number = np.flatnonzero(measured[1:] & tokens.are(Kind.NUMBER)[:-1] & (tokens.rows[1:] == tokens.rows[:-1]))
        measures.append(tokens.keys[number] * size + tokens.keys[number + 1])
        owners.append(tokens.rows[number])
    given = map_distinct(measures[0], lambda both: vocabulary.amount(*divmod(both, size)))
    counts, wanted = map_distinct_to_several(measures[1], lambda both: vocabulary.amounts(*divmod(both, size)))
    owner = np.repeat(owners[1], counts)
    size = 1 + max(given.max(initial=0), wanted.max(initial=0))
    same = isin_sorted(np.sort(owners[0][given >= 0] * size + given[given >= 0]), owner * size + wanted)
    result = np.zeros(len(rows), dtype=np.bool_)
    result[owner[same & (wanted >= 0)]] = True
    return result


def joins_numbers(tokens: Tokens) -> Array:
    """Choose the texts where a number in words may join a neighbor: "five million", "hundred and one"; (texts,)."""
    words, numbers = tokens.are(Kind.NUMBER_WORD), tokens.are(Kind.ANY_NUMBER | Kind.LINK)
    joins = np.zeros(len(words), dtype=np.bool_)
    for step in (1, 2):
        same = tokens.rows[step:] == tokens.rows[:-step]
        joins[step:] |= same & ((words[step:] & numbers[:-step]) | (numbers[step:] & words[:-step]))
    return tokens.any(joins)


def present_numbers(pairs: Pairs) -> Array:
    """Choose the only numbers of references that the prediction certainly has, shape (reference tokens,), bool."""
    references, predictions = pairs.references, pairs.predictions
    single = references.count(references.are(Kind.ANY_NUMBER)) == 1
    single &= ~references.has(Kind.MONTH) & ~joins_numbers(references)
    found = pairs.numbers & pairs.found & references.are(Kind.NUMBER) & ~references.are(Kind.SEVERAL_VALUES)
    numbers = np.flatnonzero(found & single[references.rows])
    row = references.rows[numbers]
    counts, at = predictions.occurrences(row, references.keys[numbers])
    number, row = np.repeat(numbers, counts), np.repeat(row, counts)
    after, unit = _neighbor(predictions, at, 1), _neighbor(references, number, 1)
    has_unit, wants_unit = predictions.are(Kind.UNIT)[after] & (after != at), references.are(Kind.UNIT)[unit]
    wants_unit &= unit != number
    # Another unit makes it another number, and a unit that is not found as a word may be found behind the number.
    same_unit = (predictions.keys[after] == references.keys[unit]) & (unit + 1 == references.ends[row])
    beyond = _neighbor(predictions, at, 2)
    same_unit &= (beyond == at) | ~predictions.are(Kind.UNIT_PART)[beyond]
    alone = _stands_alone(predictions, at)
    # "season 5" is not "5 seasons".
    before, before_number = _neighbor(predictions, at, -1), _neighbor(references, number, -1)
    names = pairs.vocabulary.names
    ordinal = map_distinct(references.keys[number], lambda key: names[key].endswith("th")).astype(np.bool_)
    alone &= (
        ordinal
        | (before_number == number)
        | ((before != at) & (predictions.keys[before] == references.keys[before_number]))
    )
    present = np.zeros(len(references.keys), dtype=np.bool_)
    present[number[alone]] = True
    present[number[has_unit & wants_unit & ~(same_unit & pairs.found[unit])]] = False
    present[numbers[counts > MOST_PLACES]] = False
    return present


def _neighbor(tokens: Tokens, indices: Array, step: int) -> Array:
    """Return the indices of the neighbors of tokens; where the text has none, the tokens' own; shape as given."""
    rows, neighbors = tokens.rows[indices], indices + step
    outside = (neighbors < tokens.starts[rows]) | (neighbors >= tokens.ends[rows])
    return np.where(outside, indices, neighbors)


def _stands_alone(predictions: Tokens, at: Array) -> Array:
    """Say which numbers of predictions are part of no other number, shape as given, bool."""
    numbers, links = predictions.are(Kind.ANY_NUMBER), predictions.are(Kind.LINK)
    before, after, beyond = (_neighbor(predictions, at, step) for step in (-1, 1, 2))
    joined = (numbers[before] | (links[before] & predictions.are(Kind.NUMBER_WORD)[at])) & (before != at)
    joined |= numbers[after] & (after != at)
    joined |= links[after] & (numbers | links)[beyond] & (beyond != at)
    alone: Array = ~joined & ~predictions.are(Kind.SEVERAL_VALUES)[at]
    return alone


def find_dates(pairs: Pairs, absent: Array) -> tuple[Array, Array]:
    """Find references that are a date with a year ("2 April 1969", "April 2, 1969", "April 1969") by the year alone.

    Args:
        pairs: The pairs.
        absent: The result of `absent_numbers`.

    Returns:
        The pairs whose prediction has the year and no other date, and those whose prediction certainly lacks the date,
        shape (pairs,), bool.
    """
    references, predictions = pairs.references, pairs.predictions
    last = references.ends - 1
    plain = references.are(Kind.NUMBER) & ~references.are(Kind.NUMBER_WORD | Kind.SEVERAL_VALUES) & pairs.content
    years, months = plain & references.are(Kind.FOUR_DIGITS), references.are(Kind.MONTH) & pairs.content
    days = plain & references.are(Kind.DAY)
    is_date = (references.counts > 1) & (references.counts <= _LONGEST_DATE) & years[last]
    is_date &= (references.count(months) == 1) & (references.count(days) == references.counts - 2)
    same_month = (_months(pairs, predictions) & _months(pairs, references)) != 0
    lacks = is_date & absent[last] & (~same_month | ~references.any(plain & ~absent))
    rows = np.flatnonzero(is_date & pairs.found[last] & ~predictions.has(Kind.MONTH))
    counts, at = predictions.occurrences(rows, references.keys[last[rows]])
    row = np.repeat(rows, counts)
    numbers = predictions.are(Kind.ANY_NUMBER)
    side_by_side = np.append(numbers[:-1] & numbers[1:] & (predictions.rows[1:] == predictions.rows[:-1]), [False])
    good = predictions.are(Kind.FOUR_DIGITS)[at] & _stands_alone(predictions, at)
    good &= ~predictions.any(side_by_side[: len(numbers)])[row]
    has = np.zeros(len(is_date), dtype=np.bool_)
    has[row[good]] = True
    has[rows[counts > MOST_PLACES]] = False
    return has, lacks


def _months(pairs: Pairs, tokens: Tokens) -> Array:
    """Combine a bit for each month that a text names, shape (texts,)."""
    names = pairs.vocabulary.names
    bits = np.zeros(len(tokens.keys), dtype=np.int64)
    months = np.flatnonzero(tokens.are(Kind.MONTH))
    bits[months] = map_distinct(tokens.keys[months], lambda key: 1 << ALL_MONTHS.get(names[key], 0))
    return tokens.combine_bits(bits)
