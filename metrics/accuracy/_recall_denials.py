"""What an English text denies, or offers as one of several alternatives, which does not count as an answer."""

from typing import Protocol

from ._recall_forms import ARTICLES
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NEGATIONS
from ._recall_tokens import Token
from ._recall_units import UNITS
from ._recall_units import same_unit
from ._recall_units import unit_of

# Words after a negation that cancel it, or that end its scope.
_NEGATION_ENDS = frozenset(
    "only just merely simply solely exclusively necessarily until unless because before after but however".split()
)
_NO = frozenset({"no", "without"})
_DOUBTS = frozenset("doubt wrongly incorrectly mistakenly erroneously falsely misconception".split())
_MISTAKEN = frozenset({"confused", "mistaken"})
_FALSE = frozenset("false wrong incorrect untrue misconception myth".split())
_ANYTHING = frozenset("anyone anything anywhere everyone everything everywhere".split())
_INSTEAD = frozenset({"rather", "instead", "other"})
# Words that reject what follows them, after one of these words: "rather than", "mistaken for".
_REJECTING = {
    "than": _INSTEAD,
    "of": _INSTEAD,
    "with": _MISTAKEN,
    "for": _MISTAKEN,
    "but": _ANYTHING,
    "that": _FALSE,
    "to": _FALSE,
}
# "Some say Paris, but" and "many people thought …; however".
_BELIEVERS = frozenset("some many most people often commonly widely popularly".split())
_BELIEFS = frozenset("say think believe assume thought believed assumed".split())
_FACTS = frozenset({"actually", "really", "fact", "actual", "truth"})
# A text without any of these denies nothing.
DENYING = NEGATIONS | _FACTS | {"no", "either", "or", "than", "instead"}
DENYING |= _MISTAKEN | _ANYTHING | _DOUBTS | _FALSE | _BELIEFS
_HEDGES = frozenset({"maybe", "perhaps", "possibly", "either", "be"})
_BEFORE_ALTERNATIVES = ARTICLES | {"in", "maybe", "perhaps", "possibly"}
_BEFORE_ALIASES = frozenset("called named known as means meaning termed aka also".split())
_LONGEST_ALTERNATIVE = 8
_LONGEST_CLAUSE = 24
_AUXILIARIES = frozenset("do does did don doesn didn have has had can could will would".split())
_MORE = frozenset({"more", "less", "fewer"})
_COPULAS = frozenset("is was are were isn wasn aren weren".split())
_REVERSALS = frozenset({"but", "however"})
_CONCESSIONS = frozenset({"while", "although", "though"})
_QUANTIFIERS = frozenset({"longer", "one", "other", "more", "less", "fewer", "such"})
_BEFORE_NO = frozenset("is was are were has have had with there".split())
_BEFORE_COMPARED = ARTICLES | {"that", "those", "any", "of", "its", "their", "his", "her", "is"}


class Readable(Protocol):
    """What this module needs of a text."""

    @property
    def text(self) -> str:
        """The text as given."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its words and numbers in order."""

    def ends_sentence(self, place: int) -> bool:
        """Say whether a sentence ends between a token and the one before it."""

    def ends_clause(self, place: int) -> bool:
        """Say whether a clause ends between a token and the one before it."""


def find_denied(text: Readable) -> frozenset[int]:  # noqa: C901  # one branch for each kind
    """Find the tokens that do not count as an answer.

    What a negation reaches ("not Paris", "no longer Paris", "no cure"), a name before it ("Sydney is not the capital"),
    what is compared with ("older than Mary"), what a sentence takes back ("some say Paris, but it is Lyon",
    "while Edison is credited, the actual inventor") or rejects ("it is false that", "wrongly", "anything but Paris"),
    and alternatives ("Paris or London").
    """
    tokens = text.tokens
    denied: set[int] = set()
    seen: set[tuple[int, int, bool]] = set()
    for place, token in enumerate(tokens):
        key, before = token.key, tokens[place - 1].key if place else ""
        if key in NEGATIONS:
            denied.update(_denied_after(text, place, seen))
            if before in _COPULAS or (before in _AUXILIARIES and _ends_clause_behind(text, place)):
                denied.update(_subject_before(text, place - 1))
        elif key == "longer" and before == "no":
            denied.update(_denied_after(text, place, seen))
            if place > 1 and tokens[place - 2].key in _COPULAS:
                denied.update(_subject_before(text, place - 2))
        elif key == "no":
            if before in _BEFORE_NO and place + 1 < len(tokens) and tokens[place + 1].key not in _QUANTIFIERS:
                denied.add(place + 1)
        elif key == "either":
            denied.update(_alternatives_after(text, place))
        elif _rejects_what_follows(key, before) or (key == "than" and _compares_names(text, place)):
            denied.update(_denied_after(text, place, seen))
        elif key in _FALSE and before in _COPULAS:
            denied.update(_subject_before(text, place - 1))
        elif key == "or":
            denied.update(_alternatives_around(text, place))
        elif key in _REVERSALS or key in _CONCESSIONS:
            denied.update(_taken_back(text, place))
    return frozenset(denied)


def _rejects_what_follows(key: str, before: str) -> bool:
    """Say whether a word, with the one before it, rejects what follows: "rather than", "anything but", "wrongly"."""
    if key in _DOUBTS:
        return before not in _NO
    return key in _REJECTING and before in _REJECTING[key]


def _ends_clause_behind(text: Readable, place: int) -> bool:
    """Say whether a clause ends after a token, as in "the lungs do not"."""
    return place + 1 == len(text.tokens) or text.ends_clause(place + 1)


def _subject_before(text: Readable, verb: int) -> list[int]:
    """Find the name before a negated verb, unless "only" or the like cancels the negation."""
    after = text.tokens[verb + 2].key if verb + 2 < len(text.tokens) else ""
    if after in _NEGATION_ENDS:
        return []
    if verb and _ends_clause_behind(text, verb + 1) and not text.tokens[verb - 1].capital:
        return [verb - 1]
    subject: list[int] = []
    at = verb - 1
    while at >= 0 and text.tokens[at].capital and not text.ends_clause(at + 1) and len(subject) < _LONGEST_ALTERNATIVE:
        subject.append(at)
        at -= 1
    return subject


def _compares_names(text: Readable, place: int) -> bool:
    """Say whether "than" compares with a name or noun: "older than Mary"; not "no larger than", "more than 100"."""
    tokens = text.tokens
    after = place + 1
    while after < len(tokens) and tokens[after].key in _BEFORE_COMPARED:
        after += 1
    if after >= len(tokens) or text.ends_clause(after) or tokens[after].is_number or tokens[after].key in UNITS:
        return False
    before = [token.key for token in tokens[max(0, place - _LONGEST_ALTERNATIVE) : place]]
    is_comparative = before[-1:] != [] and (before[-1].endswith("er") or not _MORE.isdisjoint(before))
    return is_comparative and "no" not in before


def _taken_back(text: Readable, place: int) -> list[int]:
    """Find what is withdrawn: before "but it is actually", in "some say …, but", in "while …, the actual …"."""
    tokens = text.tokens
    if tokens[place].key in _REVERSALS:
        start = place
        while start > 0 and place - start < _LONGEST_CLAUSE and (start == place or not text.ends_sentence(start)):
            start -= 1
        said = {token.key for token in tokens[start:place]}
        is_belief = not (said.isdisjoint(_BELIEVERS) or said.isdisjoint(_BELIEFS))
        after = [token.key for token in tokens[place + 1 : place + 5]]
        says_fact = tokens[place].key == "but" and not _FACTS.isdisjoint(after)
        return list(range(start, place)) if is_belief or says_fact or not _DOUBTS.isdisjoint(after[:1]) else []
    if place and not text.ends_sentence(place):
        return []
    comma = place + 1
    while comma < len(tokens) and comma - place < _LONGEST_CLAUSE and not text.ends_clause(comma):
        comma += 1
    fact = not _FACTS.isdisjoint(token.key for token in tokens[comma : comma + 4])
    return list(range(place, comma)) if fact and comma < len(tokens) and not text.ends_sentence(comma) else []


def _denied_after(text: Readable, start: int, seen: set[tuple[int, int, bool]]) -> list[int]:
    """Find what a negation denies: the next name, number or phrase of its clause, without function words.

    What an earlier negation reached in the same state, it denies already; `seen` keeps these states, so that a run
    of negations takes linear time.
    """
    denied: list[int] = []
    for place in range(start + 1, len(text.tokens)):
        token = text.tokens[place]
        state = (place, min(len(denied), 2), bool(denied) and text.tokens[denied[-1]].capital)
        if state in seen:
            break
        seen.add(state)
        if text.ends_clause(place) or token.key in _NEGATION_ENDS:
            break
        if token.key in FUNCTION_WORDS and not token.is_number:
            if denied and text.tokens[denied[-1]].capital:
                break
            continue
        if len(denied) > 1 and not (token.capital or token.is_number):
            break
        denied.append(place)
    return denied


def _alternatives_after(text: Readable, start: int) -> list[int]:
    """Find the alternatives after "either": as many words after "or" as before it, in one clause."""
    for place in range(start + 1, min(start + 1 + _LONGEST_ALTERNATIVE, len(text.tokens))):
        if text.tokens[place].key == "or":
            end = place + 1
            while end < len(text.tokens) and end <= 2 * place - start and not text.ends_clause(end):
                end += 1
            return list(range(start + 1, end))
    return []


def _alternatives_around(text: Readable, place: int) -> list[int]:
    """Find the numbers around "or", or the names that end a clause: naming several is not an answer.

    Two names of one thing are no alternatives: they follow "called" or "known as", or a mark stands before "or".
    """
    left, right = (_run_from(text, place, step) for step in (-1, 1))
    if not left or not right:
        return []
    first, second = text.tokens[left[0]], text.tokens[right[0]]
    earlier = _earlier_alternatives(text, left)
    gap = text.text[text.tokens[place - 1].end : text.tokens[place].start].strip()
    if gap and not (gap == "," and earlier):
        return []
    if first.is_number and second.is_number:
        units = [unit_of(text.tokens, at) for at in (left[0], right[0])]
        return [*earlier, left[0], right[0]] if same_unit(*units) and units.count("percent") != 1 else []
    end = right[-1] + 1
    before = {token.key for token in text.tokens[max(0, left[-1] - 2) : left[-1]]}
    if first.is_number or second.is_number or not before.isdisjoint(_BEFORE_ALIASES):
        return []
    # Without a comma before "or", it is "Bonn, Germany or Prussia", unless these are all that is said.
    start = earlier[-1] if earlier else 0
    if not gap and start and not text.ends_clause(start) and text.tokens[start - 1].key not in _HEDGES:
        earlier = []
    return [*earlier, *left, *right] if end == len(text.tokens) or text.ends_clause(end) else []


def _earlier_alternatives(text: Readable, run: list[int]) -> list[int]:
    """Find the names or numbers that commas separate from the run before "or": Mozart in "Mozart, Bach, or Weber"."""
    earlier: list[int] = []
    tokens, is_number = text.tokens, text.tokens[run[0]].is_number
    while run[-1] and text.text[tokens[run[-1] - 1].end : tokens[run[-1]].start] == ", ":
        run = _run_from(text, run[-1], -1)
        if not run or tokens[run[0]].is_number is not is_number:
            break
        earlier += run
    return earlier


def _run_from(text: Readable, place: int, step: int) -> list[int]:
    """Find the names and numbers right before or after a token, the nearest first; articles may be between.

    A mark ends the run, but may stand before the token.
    """
    run: list[int] = []
    for at in range(place + step, place + step * (1 + _LONGEST_ALTERNATIVE), step):
        border = max(at, at - step)
        if not 0 <= at < len(text.tokens) or (border != place and text.ends_clause(border)):
            break
        token = text.tokens[at]
        if token.is_number or (token.capital and token.key not in FUNCTION_WORDS):
            run.append(at)
        elif run or token.key not in _BEFORE_ALTERNATIVES:
            break
    return run
