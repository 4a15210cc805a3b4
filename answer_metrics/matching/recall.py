"""Token recall: whether an answer has the words of a reference, and nothing that contradicts them.

Source of the idea: Adlakha et al. 2024, https://arxiv.org/abs/2307.16877, who found that token recall agrees best with
people. The rules for numbers, dates, names and contradictions are our own; the metric's card lists them.

`_words.py` reads texts and finds the words of a reference in an answer; here `_judge` decides on a pair, and `_decide`
asks the questions about its words in order. Single pairs, with explanations, and columns take the same path.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from answer_metrics.matching.commitment import (
    contains,
    denied,
    last_assertion,
    lowercase_words,
    may_offer,
    open_candidates,
)
from answer_metrics.matching.han import is_another_name
from answer_metrics.matching.numbers import DecimalMark, Number, single_number
from answer_metrics.matching.stance import declines, head_of, says_yes
from answer_metrics.matching.values import NEUTRAL_WORDS, PLAIN, accepted_stances, asked_unit, find_stated
from answer_metrics.matching.words import (
    EXCLUSIVE,
    FUNCTION_WORDS,
    TITLES,
    Found,
    Text,
    contradicts,
    find_all,
    is_marked,
)

# Bump this whenever a decision changes: it is part of signatures.
RECALL_VERSION = "v4"

# Function words that other languages have, too: they do not show that a text is English.
_SHARED_WORDS = frozenset("a am an as at do he her i in me no on over so under".split())
# Words with which an English text denies something.
_NEGATIONS = frozenset("cannot neither never no nor not without".split())
# Words that turn the next word into another rank, "vice" and "deputy" even without a hyphen.
_RANKS = frozenset("deputy ex half post pre pseudo semi step vice".split())
# Words that turn the next word into another name: Virginia and West Virginia, York and New York.
_NAME_PREFIXES = frozenset("east eastern new north northern south southern west western".split())
# Numbers of sequels, at the end of a title: Rocky II, Toy Story 3 is; but not Paris 3 times.
_SEQUEL = re.compile(r" (?:Part )?(?:[2-9]|II|III|IV|VI{0,3}|IX)(?=$|[,;!?)\"]|\.(?!\d)| (?:and|are|has|in|is|was)\b)")
# Small words inside names, which are skipped.
_PARTICLES = frozenset("and da de del den der di la le of ten ter the van von".split())
# Words with which an answer says yes or no.
_YES_NO = frozenset("correct false incorrect indeed no nope true yeah yep yes".split())
# What a reference adds in parentheses: "World War I (1914-1918)".
_ASIDE = re.compile(r"\([^()]*\)")
_COMMON_WEIGHT = 0.5  # They say less than the name that they describe: "the drama series Gunsmoke".
_NEAR = 20  # Without the question, a negation among so many words says no.
_MOST_POSSESSIONS = 3  # A short answer names something of somebody in so many words.
# English answers that decline have one of these words.
_UNSURE = "a idk impossible insufficient lack lacks n na unable unanswerable unclear unknown".split()
_DECLINING = _NEGATIONS.union(_UNSURE)
_KEPT = 10_000  # Questions and references, as several systems answer the same.


class Decision(NamedTuple):
    """The decision on a pair."""

    found: Found
    share: float
    reason: str
    """Why the answer is wrong: one of the reasons of `Recall`."""
    by_value: bool = False
    """Whether one number decided, in the unit that the question asks for."""
    hits: tuple[tuple[int, int], ...] = ()
    """In columns, the words of the answer that made it right, or the candidates of a hedged one, by start and end."""


@dataclass(frozen=True)
class Recall:
    """Which words of a reference are found in an answer, by start and end, and the decision."""

    share: float
    """The share of the reference's words that are found, 0 to 1; common words next to a name count half."""
    right: bool
    found: tuple[tuple[int, int], ...]
    """The words of the reference that are found."""
    missing: tuple[tuple[int, int], ...]
    evidence: tuple[tuple[int, int], ...]
    """The words of the answer that they are found in."""
    reason: str
    """Why it is wrong, or "": "empty", "number", "share", "denied", "opposite", "other name", "declined", "neither"."""


def recall(
    reference: str,
    prediction: str,
    *,
    question: str | None = None,
    threshold: float = 0.5,
    language: str = "en",
    decimal: DecimalMark = "auto",
) -> Recall:
    """Look for the words of a reference in a prediction, and explain whether that makes it right.

    Words of the question are no evidence, unless the reference has no others, and if it has a negation itself ("which
    is not …"), nothing in the prediction counts as denied. The threshold is the minimum share of the words, 0 to 1; the
    language is "en", or "none" for no rules of any language.

    >>> found = recall("Barack Obama", "It was Obama, I think.")
    >>> found.right, found.share
    (True, 0.5)
    """
    asked = _read_question(question or "", language)
    wanted, given = _Reference(reference, asked, decimal), _Answer(prediction, english=asked.english, decimal=decimal)
    found, share, reason, *_ = _judge(wanted, given, threshold)
    hits = sorted({place for places in found.values() for place in places})
    return Recall(
        share=share,
        right=not reason,
        found=tuple(wanted.spans[index] for index, places in found.items() if places),
        missing=tuple(wanted.spans[index] for index, places in found.items() if not places),
        evidence=tuple(given.spans[place] for place in hits),
        reason=reason,
    )


def recall_column(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    questions: Sequence[str] | None = None,
    threshold: float = 0.5,
    language: str = "en",
    tolerance: float = 0.0,
    hedged: str = "wrong",
    decimal: DecimalMark = "auto",
) -> list[Decision]:
    """Judge each prediction by the best of its references; the arguments are columns of those of `recall`.

    The best decision has the greatest share of those that call the prediction right, else of all; without any reference
    the share is 0.0 and the reason "empty". The tolerance of amounts is relative to the reference. An answer that names
    several candidates is wrong for the reason "hedged", unless `hedged` is "right".
    """
    read_question = lru_cache(_KEPT)(_read_question)

    @lru_cache(_KEPT)
    def read_reference(reference: str, question: str) -> _Reference:
        return _Reference(reference, read_question(question, language), decimal)

    decisions = []
    for row, prediction in enumerate(predictions):
        question = "" if questions is None else questions[row]
        given = _Answer(prediction, english=read_question(question, language).english, decimal=decimal)
        best = Decision({}, 0.0, "empty")
        for reference in references[row]:
            best = max(best, _judge(read_reference(reference, question), given, threshold, tolerance), key=_by_verdict)
            if _by_verdict(best) == (True, 1.0):
                break
        if not best.reason:
            places = {place for several in best.found.values() for place in several if place < len(given.spans)}
            best = best._replace(hits=tuple(given.spans[place] for place in sorted(places)))
            if given.english and (end := last_assertion(prediction)):
                wanted = [read_reference(reference, question) for reference in references[row]]
                if _is_overruled(best, wanted, given, end):
                    best = best._replace(reason="denied")
            if not best.reason and hedged == "wrong" and may_offer(prediction):
                wanted = [read_reference(reference, question) for reference in references[row]]
                if candidates := _open_candidates(best, wanted, given):
                    best = best._replace(reason="hedged", hits=tuple(candidates))
        decisions.append(best)
    return decisions


def _by_verdict(decision: Decision) -> tuple[bool, float]:
    return not decision.reason, decision.share


def _read_question(question: str, language: str) -> Text:
    """Read a question, which may be English: with three words and more it has an English function word."""
    words = re.findall(r"[^\W\d_]+", question.lower())
    may_be_english = len(words) < 3 or not (FUNCTION_WORDS - _SHARED_WORDS).isdisjoint(words)
    return Text(question, english=language == "en" and may_be_english)


class _Reference(Text):
    """A right answer, and which of its words count; an empty question is none."""

    def __init__(self, text: str, question: Text, decimal: DecimalMark = "auto") -> None:
        super().__init__(text, english=question.english, decimal=decimal)
        self.decimal = decimal
        self.content = self._choose_content(question)
        self.question = question.text
        self.unit = asked_unit(self.question)
        self.stances = accepted_stances(self.question)
        self.may_be_share = self.unit.is_share
        self.head = head_of(text) if self.english else None
        self.declines = declines(text, "en" if self.english else "any")
        self.asked = frozenset(question.places)
        heavy = {index for index in self.content if self.is_capital(index) or self.is_number(index)}
        has_name = any(index and self.is_capital(index) for index in self.content)
        self.weights = {index: _COMMON_WEIGHT if has_name and index not in heavy else 1.0 for index in self.content}

    @cached_property
    def amount(self) -> Number | None:
        """The number that the reference is, if the question names its unit."""
        number = single_number(self.text, self.decimal) if self.unit != PLAIN else None
        return number if number and (number.decimals or self.unit.scale > 1) else None

    def _choose_content(self, question: Text) -> list[int]:
        """Leave out function words, small words in names, and a question's words unless it offers a choice."""
        content = list(range(len(self.keys)))
        if self.english:
            content = [index for index in content if not self._is_function_word(index)] or content
        if content and self.is_capital(content[0]) and self.is_capital(content[-1]):  # Miguel de Cervantes
            small = {index for index in content if self.written(index).islower() and len(self.written(index)) <= 3}
            content = [index for index in content if index not in small or self.keys[index] in _NEGATIONS]
        if "or" not in question.places:
            asked = {index for index in content if self.keys[index] in question.places}
            asked |= {index for index in content if self.english and question.forms(self.keys[index])}
            content = [index for index in content if index not in asked or self.is_number(index)] or content
        return content

    @cached_property
    def alternatives(self) -> list[list[int]]:
        """Words that are enough: those outside of parentheses, an acronym inside, the first of three places."""
        without_asides = _ASIDE.sub(lambda aside: " " * len(aside.group()), self.text)
        inside = [index for index in self.content if without_asides[self.spans[index][0]] == " "]
        outside = [index for index in self.content if without_asides[self.spans[index][0]] != " "]
        if inside and outside:
            return [outside, inside] if len(inside) == 1 and self.is_acronym(inside[0]) else [outside]
        places = self.text.split(", ")
        first = [index for index in self.content if self.spans[index][1] <= len(places[0])]
        return [first] if len(places) > 2 and all(self.is_capital(index) for index in self.content) else []

    def _is_function_word(self, index: int) -> bool:
        """Return whether a token is a function word, and not a name: "vitamin A", "US", "WHO", "May 2019"."""
        key = self.keys[index]
        if key not in FUNCTION_WORDS or self.is_acronym(index):
            return False
        return index == 0 or not self.written(index).isupper() or self.written(index) == "I"


class _Answer(Text):
    """An answer, and what it denies."""

    @cached_property
    def declines(self) -> bool:
        """Whether the answer declines to answer."""
        if self.english and _DECLINING.isdisjoint(self.places):
            return False
        return declines(self.text, "en" if self.english else "any")

    @cached_property
    def has_only_values(self) -> bool:
        """Whether the answer is nothing but dates, times and numbers."""
        words = (key for key, value in zip(self.keys, self.values, strict=True) if value is None)
        return NEUTRAL_WORDS.issuperset(words)

    @cached_property
    def words(self) -> frozenset[str]:
        """The runs of letters of the answer, in lower case."""
        return lowercase_words(self.text)

    def denied(self, reference: "_Reference") -> frozenset[int]:
        """Return the places of words that an English answer denies."""
        spans = denied(self.text, reference.asked, reference.places, self.words) if self.english else []
        return frozenset(place for place, (start, _) in enumerate(self.spans) if spans and contains(spans, start))


def _judge(wanted: _Reference, given: _Answer, threshold: float, tolerance: float = 0.0) -> Decision:
    """Decide on one pair: what declines is wrong, unless the reference declines, too."""
    if wanted.declines and given.declines:
        return Decision(dict.fromkeys(wanted.content, [0] if given.keys else []), 1.0, "")
    decision = _decide_yes_or_no(wanted, given) if wanted.head else None
    if decision is None and wanted.amount:
        decision = _decide_amount(wanted, wanted.amount, given, tolerance)
    if decision is None:
        decision = _decide_words(wanted, given, threshold)
    if not decision.reason and given.declines:
        return Decision({index: [] for index in wanted.content}, 0.0, "declined", decision.by_value)
    return decision


def _decide_words(wanted: _Reference, given: _Answer, threshold: float) -> Decision:
    """Decide by words; parts of a reference that may be missing are left out if it is not right with them."""
    decision = _decide(wanted, given, wanted.content, threshold)
    is_settled = any(not places and contradicts(wanted, index, given) for index, places in decision.found.items())
    for content in wanted.alternatives if decision.reason in {"number", "share"} and not is_settled else ():
        other = _decide(wanted, given, content, threshold)
        if not other.reason:
            return other
    return decision


def _decide(wanted: _Reference, given: _Answer, content: list[int], threshold: float) -> Decision:
    """Decide whether an answer has some words of a reference, asserts them, and does not contradict them."""
    found = find_all(wanted, given, content)
    decision = _decide_found(wanted, given, found, threshold)
    denied = given.denied(wanted) if not decision.reason else frozenset()
    if denied.isdisjoint(place for places in found.values() for place in places):
        return decision
    is_denied = any(places and denied.issuperset(places) for places in found.values())
    found = {index: [place for place in places if place not in denied] for index, places in found.items()}
    decision = _decide_found(wanted, given, found, threshold)
    return decision._replace(reason="denied") if is_denied else decision


def _decide_found(wanted: _Reference, given: _Answer, found: Found, threshold: float) -> Decision:
    """Decide by the places at which the words of a reference are found."""
    content = list(found)
    share = _share(wanted, given, found)
    missing = [index for index in content if not found[index]]
    reason = ""
    if not content:
        reason = "empty"
    elif any(wanted.is_number(index) for index in missing):
        reason = "number"
    elif any(rule(wanted, given, found) for rule in (_is_another, _names_another, _is_owner)) or (
        not wanted.text.isascii() and is_another_name(wanted.text, given.text)
    ):
        reason = "other name"
    elif share < threshold or len(missing) == len(content):
        reason = "share"
    elif wanted.english and _says_opposite(wanted, given, found):
        reason = "opposite"
    return Decision(found, share, reason)


def _all_hits(decision: Decision, references: Sequence[_Reference], given: _Answer) -> list[tuple[int, int]]:
    """Return where the words of any reference are in an answer."""
    found = (find_all(reference, given, reference.content) for reference in references)
    places = {place for words in found for several in words.values() for place in several}
    return sorted({*decision.hits, *(given.spans[place] for place in places)})


def _is_overruled(decision: Decision, references: Sequence[_Reference], given: _Answer, end: tuple[int, int]) -> bool:
    """Return whether an answer ends in another candidate of the same type: "I would say Rome, but it is Oslo"."""
    hits = _all_hits(decision, references, given)
    words = {key.lower() for key in re.findall(r"[^\W_]+", given.text[end[0] : end[1]])}
    if not hits or any(start < end[1] and end[0] < stop for start, stop in hits) or words & references[0].asked:
        return False
    mine, other = given.text[hits[0][0]], given.text[end[0] : end[1]].strip()[0]
    return (mine.isdigit(), mine.islower()) == (other.isdigit(), other.islower())


def _open_candidates(decision: Decision, references: Sequence[_Reference], given: _Answer) -> list[tuple[int, int]]:
    """Return the candidates of an answer that does not choose one; any of the references is a right one."""
    if any("or" in reference.places for reference in references):
        return []
    hits = _all_hits(decision, references, given)
    excluded = [given.spans[place] for place in sorted(given.denied(references[0]))]
    return open_candidates(given.text, hits, references[0].question, excluded=excluded, english=given.english)


def _decide_yes_or_no(wanted: _Reference, given: _Answer) -> Decision | None:
    """Decide on a reference that is, or begins with, yes or no; None where the rest of the reference must decide."""
    is_yes, goes_on = wanted.head or (False, False)
    said = says_yes(given.text, wanted.question)
    evidence = [place for place, key in enumerate(given.keys) if key in _YES_NO or key in _NEGATIONS]
    if said is None and not wanted.question and any(given.key_at(place) in _NEGATIONS for place in range(_NEAR)):
        said = False  # You do not need one
    if said is None:
        return None if goes_on else Decision({0: []}, 0.0, "neither")
    if said != is_yes:
        return Decision({0: []}, 0.0, "opposite")
    return Decision({0: evidence[:1] or [0]}, 1.0, "")


def _decide_amount(wanted: _Reference, amount: Number, given: _Answer, tolerance: float) -> Decision:
    """Decide on a number by all numbers of the answer, in the unit that the question asks for."""
    number = find_stated(given.text, filter(None, given.values), amount, wanted.unit, tolerance)
    if number is None:
        return Decision({index: [] for index in wanted.content}, 0.0, "number", by_value=True)
    places = [at for at, (start, end) in enumerate(given.spans) if number.start < end and start < number.end]
    return Decision(dict.fromkeys(wanted.content, places), 1.0, "", by_value=True)


def _is_owner(wanted: _Reference, given: _Answer, found: Found) -> bool:
    """Return whether a short answer is about somebody else: "Barack Obama's wife"."""
    places = [place for several in found.values() for place in several]
    if not wanted.english or not places or "'" in wanted.text or "\u2019" in wanted.text:
        return False
    last = max(places)
    if len(given.keys) > last + 1 + _MOST_POSSESSIONS:
        return False
    begins = all(given.is_name(place) for place in range(last + 1))
    return begins and given.text.startswith(("'s ", "\u2019s "), given.spans[last][1])


def _share(wanted: _Reference, given: _Answer, found: Found) -> float:
    """Compute the share of the words that are found."""
    hits = [index for index, places in found.items() if places]
    if len(hits) == len(found):
        return 1.0 if found else 0.0
    if given.has_only_values and any(is_marked(wanted.values[index]) for index in hits):
        return 1.0  # a date for a sentence about it
    if wanted.english and all(wanted.keys[index] in TITLES for index in hits):
        return 0.0  # Mr. Bingley for Mr. Darcy
    if len(wanted.keys) == 2 and wanted.spans[1][0] < wanted.spans[0][1] and not found.get(0):
        return 0.0  # 京都 for 東京都
    weights = wanted.weights
    if not wanted.english and given.has_capitals:  # mešita v Niamey for Mešita Yaama
        common = [index for index in hits if wanted.is_capital(index) and not any(map(given.is_capital, found[index]))]
        weights = {index: weights[index] for index in found} | dict.fromkeys(common, _COMMON_WEIGHT)
    share = sum(weights[index] for index in hits) / sum(weights.values())
    return 0.5 if share < 0.5 and len(found) > 2 and _is_surname_alone(wanted, given, found) else share


def _is_surname_alone(wanted: _Reference, given: _Answer, found: Found) -> bool:
    """Return whether the last name stands alone: "Mozart" for "Wolfgang Amadeus Mozart", but not "Leopold Mozart"."""
    last = [*found][-1]
    if last + 1 != len(wanted.keys) or not all(wanted.is_capital(at) and not wanted.is_number(at) for at in found):
        return False
    places = [place for place in found[last] if given.is_capital(place) and given.key_at(place - 1) != "the"]
    beside = [[_has_name_beside(given, at, side, frozenset(), crosses=False) for side in (-1, 1)] for at in places]
    return not all(any(sides) for sides in beside)


def _says_opposite(wanted: _Reference, given: _Answer, found: Found) -> bool:
    """Return whether a missing word changes the meaning: a negation, or "north" where the answer has "south"."""
    missing = {wanted.keys[index] for index, places in found.items() if not places}
    missing |= {key for key in ("after", "before") if key in wanted.places and key not in given.places}
    others = {other for key in missing for other in EXCLUSIVE.get(key, ())}
    return not _NEGATIONS.isdisjoint(missing) or not others.isdisjoint(given.places.keys() - wanted.places.keys())


def _is_another(wanted: _Reference, given: _Answer, found: Found) -> bool:
    """Return whether a found word is part of another name or rank, or the reference's rank is missing."""
    for index, places in found.items() if wanted.english else ():
        key = wanted.keys[index]
        is_rank = key in _RANKS or (key in _NAME_PREFIXES and wanted.is_capital(index))
        if not places and is_rank and found.get(index + 1):
            return True  # president for vice president
        is_word = places and not wanted.is_number(index)
        if is_word and all(_is_part_of_another(wanted, index, given, place) for place in places):
            return True
    return False


def _is_part_of_another(wanted: _Reference, index: int, given: _Answer, place: int) -> bool:
    """Return whether the words next to a found one turn it into another: "vice president", "Mexico City"."""
    before = given.key_at(place - 1)
    is_name = wanted.is_capital(index) and given.is_capital(place)
    gap = given.gap_before(place)
    is_rank = before in _RANKS and (gap == "-" or before in {"deputy", "vice"})  # half-Irish, but not half Irish
    is_prefix = is_name and before in _NAME_PREFIXES and given.is_capital(place - 1)
    if (is_rank or is_prefix) and before not in wanted.places and gap in {" ", "-"}:
        return True
    end = given.spans[place][1]
    if "law" not in wanted.places and given.text.startswith("-in-law", end):
        return True
    if is_name and "city" not in wanted.places and given.text.startswith(" City", end):
        return before != "new" and given.keys[place] != "vatican"
    may_be_sequel = is_name and index + 1 == len(wanted.keys) and before not in TITLES
    return may_be_sequel and bool(_SEQUEL.match(given.text, end))


def _names_another(wanted: _Reference, given: _Answer, found: Found) -> bool:
    """Return whether the answer has another name where a missing one should be, next to every place of its neighbor."""
    content = list(found)
    used = frozenset(place for places in found.values() for place in places)
    for position, index in enumerate(content if used else ()):
        if found[index] or not wanted.is_capital(index):
            continue
        for side in (-1, 1):
            neighbor = content[position + side] if 0 <= position + side < len(content) else index
            if not found[neighbor] or (side < 0 and wanted.is_number(neighbor)):
                continue
            crosses = wanted.gap_before(max(index, neighbor)) == ", "  # Paris, France for Paris, Texas
            if all(_has_name_beside(given, place, -side, used, crosses=crosses) for place in found[neighbor]):
                return True  # Michelle Obama for Barack Obama
    return False


def _has_name_beside(given: _Answer, place: int, side: int, used: frozenset[int], *, crosses: bool) -> bool:
    """Return whether the next word before (-1) or after (1) a place is an unused name, in its clause or not."""
    for at in range(place + side, place + 4 * side, side):
        if not 0 <= at < len(given.keys) or (given.begins_clause(max(at, at - side)) and not crosses):
            return False
        key = given.keys[at]
        if key not in _PARTICLES:
            is_name = given.is_capital(at) or given.is_number(at)
            return is_name and at not in used and key not in FUNCTION_WORDS and key not in TITLES
    return False
