"""Which pairs of a column token recall decides by words and numbers alone, all at once.

Of each word of a reference it is found out whether it stands in the prediction, or certainly stands there in no form. A
pair is decided if all words stand there and nothing denies them, if too few do, or if those that are missing are words
in small letters that nothing opposes. What turns on more than that, such as forms of a word, contradictions and
denials, is left to `judge`.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ._recall import COMMON_WEIGHT
from ._recall_contradictions import opposites
from ._recall_contradictions import turns_meaning
from ._recall_forms import stem
from ._recall_kinds import ACRONYM
from ._recall_kinds import ANY_NUMBER
from ._recall_kinds import CAPITAL
from ._recall_kinds import COMPOUND
from ._recall_kinds import DENIES
from ._recall_kinds import DOTTED
from ._recall_kinds import FUNCTION
from ._recall_kinds import LINK
from ._recall_kinds import MONTH
from ._recall_kinds import NICKNAME
from ._recall_kinds import NUMBER
from ._recall_kinds import NUMBER_WORD
from ._recall_kinds import PART
from ._recall_kinds import PREFIX
from ._recall_kinds import ROMAN
from ._recall_kinds import SEVERAL_VALUES
from ._recall_kinds import SMALL
from ._recall_kinds import UNUSUAL
from ._recall_names import TITLES
from ._recall_text import MOST_PLACES
from ._recall_token_arrays import Array
from ._recall_token_arrays import Tokens
from ._recall_token_arrays import isin_sorted
from ._recall_token_arrays import map_distinct
from ._recall_token_arrays import spread
from ._recall_vocabulary import Vocabulary

_LONGEST_PHRASE = 12
_MOST_CANDIDATES = 64


class Pairs:
    """Pairs of a prediction and a reference."""

    def __init__(self, vocabulary: Vocabulary, given: Tokens, wanted: Tokens) -> None:
        self._vocabulary = vocabulary
        self._given, self._wanted = given, wanted
        self._content = ~wanted.are(FUNCTION)
        # Those that may be decided here.
        particles = wanted.any(self._content & wanted.are(SMALL)) & (wanted.count(wanted.are(CAPITAL)) > 1)
        self._open = wanted.any(self._content) & ~wanted.has(UNUSUAL | COMPOUND) & ~particles

    def leave_out(self, questions: Tokens) -> None:
        """Let the words of questions be no evidence."""
        wanted, names = self._wanted, self._vocabulary.names
        used, places = np.unique(np.concatenate([questions.keys, wanted.keys]), return_inverse=True)
        numbers: dict[str, int] = {}
        shorten = stem if self._vocabulary.english else str
        stems = np.array(
            [numbers.setdefault(shorten(names[key]), len(numbers)) for key in used.tolist()], dtype=np.int64
        )[places]
        asked = Tokens(questions.counts, stems[: len(questions.keys)], questions.kinds)
        known = self._content & asked.contain(wanted.rows, stems[len(questions.keys) :]) & ~wanted.are(NUMBER)
        self._content &= ~known
        self._open &= wanted.any(self._content)
        self._open &= ~questions.has(NUMBER_WORD) & ~wanted.any(known & wanted.are(NUMBER_WORD))

    def decide(self, threshold: float) -> tuple[Array, Array]:
        """Say which pairs are right, and give the share of each; NaN where that is not sure."""
        shares = np.full(len(self._open), np.nan)
        right = self._are_right()
        shares[right] = 1.0
        rest = np.flatnonzero(self._open & ~right)
        if len(rest):
            right[rest], shares[rest] = self._take(rest).decide_parts(threshold)
        return right, shares

    def _take(self, rows: Array) -> "Pairs":
        taken = Pairs(self._vocabulary, self._given.take(rows), self._wanted.take(rows))
        taken._content = self._content[self._wanted.token_indices(rows)]
        taken._open = self._open[rows]
        return taken

    @cached_property
    def _hit(self) -> Array:
        """The tokens of references that count and stand in the prediction as they are, not in a compound only."""
        given, wanted = self._given, self._wanted
        hit = np.zeros(len(wanted.keys), dtype=np.bool_)
        content = np.flatnonzero(self._content)
        hit[content] = given.contain(wanted.rows[content], wanted.keys[content], where=~given.are(COMPOUND))
        return hit

    @cached_property
    def _numbers(self) -> Array:
        """The tokens of references that count and are numbers, or part of one."""
        return self._content & self._wanted.are(NUMBER | NUMBER_WORD)

    @cached_property
    def _calm(self) -> Array:
        """The pairs where nothing in the prediction takes back what is found there."""
        given, wanted = self._given, self._wanted
        prefixes = np.flatnonzero(given.are(PREFIX))
        rows = given.rows[prefixes]
        calm = ~given.has(DENIES) & (given.count(given.are(COMPOUND)) <= MOST_PLACES)
        calm[rows[~wanted.contain(rows, given.keys[prefixes])]] = False
        return calm

    def _are_right(self) -> Array:
        found = self._open & self._calm & ~self._wanted.any(self._content & ~self._hit)
        with_numbers = self._wanted.any(self._numbers)
        right: Array = found & ~with_numbers & ~self._may_be_sequels()
        right[self._standing(np.flatnonzero(found & with_numbers))] = True
        return right

    def _may_be_sequels(self) -> Array:
        """Choose the pairs where something like a number follows a title that is the whole reference."""
        given, wanted = self._given, self._wanted
        last = np.full(len(self._open), -1)
        last[wanted.counts > 0] = wanted.keys[(wanted.starts + wanted.counts - 1)[wanted.counts > 0]]
        last[wanted.any(self._content & ~wanted.are(CAPITAL))] = -1
        followed = np.append(given.are(ANY_NUMBER | PART)[1:] & (given.rows[1:] == given.rows[:-1]), False)
        followed = followed[: len(given.rows)]
        return given.any(followed & (given.keys == last[given.rows]))

    def _standing(self, rows: Array) -> Array:
        """Choose the pairs whose reference stands in the prediction token by token, with no number beside it."""
        given, wanted = self._given, self._wanted
        possible = (wanted.counts <= _LONGEST_PHRASE) & (wanted.count(wanted.are(NUMBER_WORD)) <= 1)
        possible &= (wanted.count(wanted.are(NUMBER)) <= 2) & (given.count(given.are(NUMBER)) <= MOST_PLACES)
        possible &= ~wanted.any(wanted.are(NUMBER_WORD) & wanted.are(SEVERAL_VALUES))
        possible &= ~(wanted.has(NUMBER_WORD) & wanted.has(LINK))
        rows = rows[possible[rows]]
        first = np.full(len(possible), -1)
        first[rows] = wanted.keys[wanted.starts[rows]]
        at = np.flatnonzero(given.keys == first[given.rows])
        row = given.rows[at]
        ends = given.starts + given.counts
        within = at + wanted.counts[row] <= ends[row]
        at, row = at[within], row[within]
        for step in range(1, _LONGEST_PHRASE):
            more = wanted.counts[row] > step
            if not more.any():
                break
            same = ~more
            same[more] = given.keys[at[more] + step] == wanted.keys[wanted.starts[row[more]] + step]
            at, row = at[same], row[same]
        after = at + wanted.counts[row]
        numbers, links = (np.append(given.are(kinds), [False, False]) for kinds in (ANY_NUMBER, LINK))
        begins, ends_so = wanted.are(NUMBER_WORD)[wanted.starts[row]], given.are(ANY_NUMBER)[after - 1]
        joined = (numbers[at - 1] | (links[at - 1] & begins)) & (at > given.starts[row])
        joined |= (numbers[after] | (links[after] & ends_so)) & (after < ends[row])
        return row[~joined]

    def decide_parts(self, threshold: float) -> tuple[Array, Array]:
        """Decide pairs of which not everything is found: whether they are right, and their shares."""
        wanted, content, hit = self._wanted, self._content, self._hit
        gone = self._gone_numbers()
        without_hits = ~wanted.any(hit)
        certain = ~wanted.any(self._numbers & ~gone) & wanted.any(content & ~hit)
        certain &= ~self._may_be_months() & ~self._may_be_acronyms()
        unsettled = wanted.has(PREFIX) | wanted.any(wanted.are(NUMBER_WORD) & wanted.are(SEVERAL_VALUES))
        certain &= without_hits | (self._calm & ~unsettled & ~_joins_numbers(wanted) & ~self._may_change_hits())
        shares = wanted.count(hit) / np.maximum(wanted.count(content), 1)
        heavy = wanted.are(CAPITAL | NUMBER)
        total = wanted.count(content & heavy) + COMMON_WEIGHT * wanted.count(content & ~heavy)
        found = wanted.count(hit & heavy) + COMMON_WEIGHT * wanted.count(hit & ~heavy)
        later = content & wanted.are(CAPITAL)
        later[wanted.starts[wanted.counts > 0]] = False
        weighted = np.maximum(shares, found / np.maximum(total, COMMON_WEIGHT))
        shares = np.where(wanted.any(later), weighted, shares)
        wrong = without_hits | wanted.any(gone & wanted.are(NUMBER)) | (shares < threshold)
        right = certain & ~wrong
        right[right] = self._take(np.flatnonzero(right)).lack_nothing_needed()
        certain &= wrong | right
        words = content & ~hit & ~wanted.are(NUMBER)
        certain[self._related(np.flatnonzero(words & certain[wanted.rows]))] = False
        return right & certain, np.where(certain, shares, np.nan)

    def lack_nothing_needed(self) -> Array:
        """Choose pairs where what is missing are words in small letters that nothing in the prediction opposes."""
        wanted, names = self._wanted, self._vocabulary.names
        missing = np.flatnonzero(self._content & ~self._hit)
        rows, keys = wanted.rows[missing], wanted.keys[missing]
        needed = map_distinct(keys, lambda key: turns_meaning(names[key]) or not names[key].isascii()).astype(np.bool_)
        lacking = ~wanted.has(ANY_NUMBER | LINK)
        lacking[rows[needed | wanted.are(CAPITAL)[missing]]] = False
        lacking &= ~wanted.any(map_distinct(wanted.keys, lambda key: names[key] in TITLES).astype(np.bool_))
        rows, keys = self._among(missing, lambda key: self._vocabulary.find_all(opposites(names[key])))
        lacking[rows[self._given.contain(rows, keys)]] = False
        return lacking

    def _gone_numbers(self) -> Array:
        """Find the numbers of references of which no form stands in the prediction."""
        given, wanted, values = self._given, self._wanted, self._vocabulary.value_keys
        numbers = np.flatnonzero(given.are(NUMBER))
        seen = np.sort(given.rows[numbers] * len(values) + values[given.keys[numbers]])
        measures = self._vocabulary.measure_bits
        amounts = given.combine_bits(measures[given.keys]) & wanted.combine_bits(measures[wanted.keys])
        vague = given.has(ROMAN | SEVERAL_VALUES) | _joins_numbers(given) | _joins_numbers(wanted)
        other = (
            wanted.are(NUMBER)
            & ~wanted.are(SEVERAL_VALUES)
            & ~isin_sorted(seen, wanted.rows * len(values) + values[wanted.keys])
        )
        gone = ~given.has(ANY_NUMBER)[wanted.rows] | (other & ~vague[wanted.rows])
        gone &= (amounts == 0)[wanted.rows] | ~self._may_be_amounts()[wanted.rows]
        return self._numbers & gone

    def _may_be_amounts(self) -> Array:
        """Choose the pairs where a number may be found as the same amount in another unit: "5 km" as "5,000 m"."""
        vocabulary, rows, amounts = self._vocabulary, [], []
        possible = np.zeros(len(self._open), dtype=np.bool_)
        articles = [vocabulary.find("a"), vocabulary.find("an")]
        for tokens in (self._given, self._wanted):
            numbers, measured = tokens.are(NUMBER), vocabulary.measure_bits[tokens.keys] != 0
            behind = np.flatnonzero(measured[1:] & (tokens.rows[1:] == tokens.rows[:-1]))
            possible |= tokens.has(ROMAN | NUMBER_WORD) | tokens.any(numbers & measured)
            possible[tokens.rows[behind[np.isin(tokens.keys[behind], articles)]]] = True
            behind = behind[numbers[behind]]
            both = tokens.keys[behind] * len(vocabulary.names) + tokens.keys[behind + 1]
            amounts.append(map_distinct(both, lambda pair: vocabulary.amount(*divmod(pair, len(vocabulary.names)))))
            rows.append(tokens.rows[behind])
        given, wanted = amounts
        size = 1 + max(given.max(initial=0), wanted.max(initial=0))
        same = isin_sorted(np.sort(rows[0][given >= 0] * size + given[given >= 0]), rows[1] * size + wanted)
        possible[rows[1][same & (wanted >= 0)]] = True
        return possible

    def _may_be_months(self) -> Array:
        """Choose the pairs where a month may be found in a date, or abbreviated."""
        months = self._content & self._wanted.are(MONTH)
        doubtful = self._wanted.any(months & ~self._hit) | self._wanted.any(self._numbers)
        return self._given.has(MONTH) & self._wanted.any(months) & doubtful

    def _may_be_acronyms(self) -> Array:
        """Choose the pairs where an acronym in the prediction may be that of a name."""
        given, wanted, initials = self._given, self._wanted, self._vocabulary.initial_bits
        names = wanted.are(CAPITAL)
        shared = given.combine_bits(initials[given.keys] * given.are(ACRONYM)) & wanted.combine_bits(
            initials[wanted.keys] * names
        )
        possible: Array = (shared != 0) & (wanted.count(names) > 1)
        return possible

    def _may_change_hits(self) -> Array:
        """Choose the pairs where a name may be found in a short form, or only as a common noun."""
        given, wanted, initials = self._given, self._wanted, self._vocabulary.initial_bits
        names = self._content & wanted.are(CAPITAL)
        missing = names & ~self._hit
        common = names & self._hit
        alone = given.are(CAPITAL) & ~given.are(COMPOUND)
        common[common] = ~given.contain(wanted.rows[common], wanted.keys[common], where=alone)
        many = self._hit.copy()
        many[many] = given.occurrences(wanted.rows[many], wanted.keys[many])[0] > MOST_PLACES
        shared = given.combine_bits(initials[given.keys] * given.are(CAPITAL)) & wanted.combine_bits(
            initials[wanted.keys] * missing
        )
        short = (shared != 0) | (given.has(NICKNAME) & wanted.any(missing & wanted.are(NICKNAME))) | given.has(DOTTED)
        possible: Array = wanted.any(missing) & (short | wanted.any(common | many))
        return possible

    def _related(self, missing: Array) -> Array:
        """Choose the pairs where a missing word may stand in another form, written as two, or joined with another."""
        given, wanted = self._given, self._wanted
        parts = [
            self._among(missing, self._vocabulary.second_parts),
            self._joined(missing, before=True),
            self._joined(missing, before=False),
        ]
        rows = [row[given.contain(row, key)] for row, key in parts]
        # Forms of a word begin alike.
        beginnings = self._vocabulary.beginnings
        size = len(beginnings)
        alike = Tokens(given.counts, beginnings[given.keys], given.kinds)
        wanted_rows = wanted.rows[missing]
        counts, others = alike.occurrences(wanted_rows, beginnings[wanted.keys[missing]])
        rows.append(wanted_rows[counts > _MOST_CANDIDATES])
        others = given.keys[others[np.repeat(counts <= _MOST_CANDIDATES, counts)]]
        counts[counts > _MOST_CANDIDATES] = 0
        keys, one_each = np.repeat(wanted.keys[missing], counts), np.repeat(wanted_rows, counts)
        related = map_distinct(
            keys * size + others, lambda both: self._vocabulary.may_be_one(both // size, both % size)
        ).astype(np.bool_)
        return np.concatenate([*rows, one_each[related]])

    def _joined(self, missing: Array, *, before: bool) -> tuple[Array, Array]:
        """Write missing words and their neighbors as one; give the rows and keys of those that some text has."""
        wanted, names, size = self._wanted, self._vocabulary.names, len(self._vocabulary.names)
        left = missing - before
        inside = (left >= 0) & (left + 1 < len(wanted.keys))
        left = left[inside]
        left = left[wanted.rows[left] == wanted.rows[left + 1]]
        both = wanted.keys[left] * size + wanted.keys[left + 1]
        keys = map_distinct(both, lambda pair: self._vocabulary.find(names[pair // size] + names[pair % size]))
        return wanted.rows[left][keys >= 0], keys[keys >= 0]

    def _among(self, places: Array, function: Callable[[int], list[int]]) -> tuple[Array, Array]:
        """Apply a function that gives several keys to the keys at some places; give their rows and these keys."""
        keys, which = np.unique(self._wanted.keys[places], return_inverse=True)
        several = list(map(function, keys.tolist()))
        counts = np.array(list(map(len, several)), dtype=np.int64)
        flat = np.array([other for others in several for other in others], dtype=np.int64)
        chosen = spread((np.cumsum(counts) - counts)[which], counts[which])
        return np.repeat(self._wanted.rows[places], counts[which]), flat[chosen]


def _joins_numbers(tokens: Tokens) -> Array:
    """Choose the texts where a number in words may join a neighbor: "five million", "hundred and one"."""
    words, numbers = tokens.are(NUMBER_WORD), tokens.are(ANY_NUMBER | LINK)
    joins = np.zeros(len(words), dtype=np.bool_)
    for step in (1, 2):
        same = tokens.rows[step:] == tokens.rows[:-step]
        joins[step:] |= same & ((words[step:] & numbers[:-step]) | (numbers[step:] & words[:-step]))
    return tokens.any(joins)
