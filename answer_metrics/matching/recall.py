"""Token recall: whether an answer has the words of a reference, and nothing that contradicts them.

Source of the idea: Adlakha et al. 2024, https://arxiv.org/abs/2307.16877, who found that token recall agrees best with
people. The rules for numbers, dates, names and contradictions are our own; the metric's card lists them.

`words.py` finds the words of a reference in an answer, `commitment.py` what an answer denies or leaves open. Single
pairs, with explanations, and columns take the same path.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from answer_metrics.matching.assertion import find_weakness, is_sure, may_be_talk
from answer_metrics.matching.clauses import Span, contains, merged
from answer_metrics.matching.commitment import (
    NEGATIONS,
    affirmed,
    denied,
    may_deny,
    may_offer,
    open_candidates,
)
from answer_metrics.matching.dates import FOREIGN_MONTHS, MONTHS
from answer_metrics.matching.english import opposites, singular
from answer_metrics.matching.han import is_another_name
from answer_metrics.matching.languages import denied_in_other_languages
from answer_metrics.matching.numbers import DecimalMark, Number, single_number
from answer_metrics.matching.stance import TRUTHS, declines, head_of, says_yes
from answer_metrics.matching.units import without_tex
from answer_metrics.matching.values import NEUTRAL_WORDS, PLAIN, accepted_stances, asked_unit, find_stated, read
from answer_metrics.matching.words import (
    FUNCTION_WORDS,
    TITLES,
    Content,
    Matches,
    Text,
    contradicts,
    find_all,
    is_marked,
)

# Bump this whenever a decision changes: it is part of signatures.
RECALL_VERSION = "v4"

# Function words that other languages do not have: they show that a text is English.
_LETTER_RUN = re.compile(r"[^\W\d_]+")
_ENGLISH_WORDS = FUNCTION_WORDS - frozenset("a am an as at do he her i in me no on over so under us was will".split())
_ENGLISH_ONLY = _ENGLISH_WORDS - {"is", "to"}  # Het is niet Paris; to nie Paris
# Words that turn the next word into another rank, "vice" and "deputy" even without a hyphen.
_RANKS = frozenset("deputy ex half post pre pseudo semi step vice".split())
# Words that turn the next word into another name: Virginia and West Virginia, York and New York.
_NAME_PREFIXES = frozenset("east eastern new north northern south southern west western".split())
# Numbers of sequels, at the end of a title: Rocky II, Toy Story 3 is; but not Paris 3 times.
_SEQUEL = re.compile(r" (?:Part )?(?:[2-9]|II|III|IV|VI{0,3}|IX)(?=$|[,;!?)\"]|\.(?!\d)| (?:and|are|has|in|is|was)\b)")
_NUMBERED = re.compile(r"(?:\A|[\s:])1[.)]\s")
# Without one of these keys, no word beside a name makes it another one.
_MODIFIERS = _RANKS | _NAME_PREFIXES | {"law", "city"} | {*"ii iii iv v vi vii viii ix".split()}
_MODIFIERS |= {f"#{number}" for number in range(2, 10)}
# Words whose absence may turn the meaning around.
_TURNS = frozenset({"after", "before"})
# Small words inside names, which are skipped.
_PARTICLES = frozenset("and da de del den der di la le of ten ter the van von".split())
# Words with which an answer says yes or no.
_YES_NO = frozenset("correct false incorrect indeed no nope true yeah yep yes".split())
# What a reference adds in parentheses: "World War I (1914-1918)".
_WORDS_WITH_RULES = FUNCTION_WORDS | NEGATIONS
_ASIDE = re.compile(r"\([^()]*\)")
# What a reference is not: "Lyon, not Paris".
_CONTRAST = re.compile(
    r"(?<=\w)(?:,\s(?:and\s)?not(?!\s(?:yet|once|only|even|until|because|\w+ing)\b)"
    r"|,?\s(?:rather\sthan|instead\sof|as\sopposed\sto))\s(?![^;\n]{0,60}\bbut\b)[^;\n]{1,60}\Z",
    re.IGNORECASE,
)
_NAMED_VERSION = re.compile(r"(?:[a-z]?[A-Z][\w+#]*\s){1,3}(?:version\s|v\s?)?\d+\.\d+")  # Python 3.10
_WITH_INITIALS = re.compile(r"\b([A-Z][^\W\d_]+)\s([A-Z])(?:\.\s?|\s)?(?:[A-Z]\b\.?\s?){0,2}(?<=[.\s])([A-Z][^\W\d_]+)")
_HAN_AND_OR = frozenset("和与與及或")
_COMMON_WEIGHT = 0.5  # They say less than the name that they describe: "the drama series Gunsmoke".
_NEAR = 20  # Without the question, a negation among so many words says no.
_MOST_DENIED = 6  # A sentence of so many words may be said with a negation, too, in other languages than English.
_LONGEST_NAMED = 4  # Longer references are statements, which may be denials themselves.
_SPOKEN_WORD = re.compile(r"[^\W_]+")
_MOST_POSSESSIONS = 3  # A short answer names something of somebody in so many words.
# English answers that decline have one of these words.
_DECLINING = NEGATIONS.union(
    "idk impossible insufficient lack lacks n none null unable unanswerable unclear unknown".split()
)
_CACHE_SIZE = 10_000  # Questions and references, as several systems answer the same.


class Decision(NamedTuple):
    """The decision on a pair."""

    matches: Matches
    share: float
    reason: str
    """Why the answer is wrong: one of the reasons of `Recall`."""
    by_value: bool = False
    """Whether one number decided, in the unit that the question asks for."""
    hits: tuple[Span, ...] = ()
    """In columns, the words of the answer that made it right, or the candidates of a hedged one, by start and end."""


_PLAINLY_RIGHT = Decision({}, 1.0, "")


@dataclass(frozen=True)
class Recall:
    """Which words of a reference are found in an answer, by start and end, and the decision."""

    share: float
    """The share of the reference's words that are found, 0 to 1; common words next to a name count half."""
    right: bool
    found: tuple[Span, ...]
    """The words of the reference that are found."""
    missing: tuple[Span, ...]
    evidence: tuple[Span, ...]
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

    >>> result = recall("Barack Obama", "It was Obama, I think.")
    >>> result.right, result.share
    (True, 0.5)
    """
    question = question or ""
    asked = Text(question, english=language == "en" and _may_be_english(question, prediction))
    wanted = _Reference(reference, asked, decimal)
    answer = _Answer(prediction, english=asked.english, decimal=decimal)
    decision = _judge(wanted, answer, threshold)
    places = decision.matches.items()
    return Recall(
        share=decision.share,
        right=not decision.reason,
        found=tuple(wanted.span(index) for index, words in places if words),
        missing=tuple(wanted.span(index) for index, words in places if not words),
        evidence=tuple(_spans(decision.matches, answer.read_for(wanted))),
        reason=decision.reason,
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
    has_places: bool = True,
) -> list[Decision]:
    """Judge each prediction by the best of its references; the arguments are columns of those of `recall`.

    The best decision has the greatest share of those that call the prediction right, else of all; without any reference
    the share is 0.0 and the reason "empty". The tolerance of amounts is relative to the reference. An answer that names
    several candidates is wrong for the reason "hedged", unless `hedged` is "right". Without places, which take longer,
    what plainly has all words of a reference has no matches and hits.
    """

    @lru_cache(_CACHE_SIZE)
    def read_question(question: str, english: bool) -> Text:
        return Text(question, english=english)

    @lru_cache(_CACHE_SIZE)
    def read_reference(reference: str, question: Text) -> _Reference:
        return _Reference(reference, question, decimal)

    decisions = []
    for row, prediction in enumerate(predictions):
        asked = "" if questions is None else questions[row]
        question = read_question(asked, language == "en" and _may_be_english(asked, prediction))
        answer = _Answer(prediction, english=question.english, decimal=decimal)
        accepted = [read_reference(reference, question) for reference in references[row]]
        if not has_places and _is_plainly_right(answer, accepted):
            decisions.append(_PLAINLY_RIGHT)
            continue
        best, text = Decision({}, 0.0, "empty"), answer.plain
        for reference in accepted:
            decision = _judge(reference, answer, threshold, tolerance)
            if (not decision.reason, decision.share) > (not best.reason, best.share):
                best, text = decision, answer.read_for(reference)
                if not best.reason and best.share == 1.0:
                    break
        if not best.reason:
            best = best._replace(hits=tuple(_spans(best.matches, text)))
            best = _check_commitment(best, answer, accepted, hedged)
        decisions.append(best)
    return decisions


def _is_plainly_right(answer: "_Answer", references: Sequence["_Reference"]) -> bool:
    """Return whether an answer has all words of a reference as they are, and nothing to which any other rule reacts.

    It decides most right answers by their words, before anything is looked for in the text.
    """
    text, words = answer.text, answer.plain.words
    if not answer.english or not text.isascii() or _ENGLISH_ONLY.isdisjoint(words):
        return False
    reference = next((each for each in references if each.required and each.required <= words), None)
    if reference is None or not _DECLINING.isdisjoint(words):
        return False
    if (
        may_deny(text, words)
        or may_be_talk(text, words, references[0].question.words, _spoken(references))
        or may_offer(text, words, english=True)
    ):
        return False
    if _MODIFIERS.isdisjoint(words) and "'s " not in text:
        return True
    places = {index: answer.plain.places[reference.keys[index]] for index in reference.content.places}
    return not _is_other_name(reference, answer.plain, places, [])


def _spans(matches: Matches, answer: Text) -> list[Span]:
    """Return where the words that match are in an answer, in order."""
    places = {place for places in matches.values() for place in places if place < len(answer.keys)}
    return [answer.span(place) for place in sorted(places)]


def _may_be_english(question: str, prediction: str) -> bool:
    """Return whether a question, or the answer to one in ASCII, has an English word, or the question is too short."""
    words = _LETTER_RUN.findall(question.lower())
    if len(words) < 3 or not _ENGLISH_WORDS.isdisjoint(words):
        return True
    return question.isascii() and not _ENGLISH_WORDS.isdisjoint(_LETTER_RUN.findall(prediction.lower()))


def _declines(text: Text) -> bool:
    """Return whether a text declines to answer."""
    if text.english and _DECLINING.isdisjoint(text.words):
        return False
    return declines(text.text, "en" if text.english else "any")


class _Reference(Text):
    """A right answer, and which of its words count; an empty question is none."""

    def __init__(self, text: str, question: Text, decimal: DecimalMark) -> None:
        text = without_tex(text)
        if question.english and (contrast := _CONTRAST.search(text)) and not head_of(text):  # Lyon, not Paris
            text = text[: contrast.start()]
        super().__init__(text, english=question.english, values=read(text, decimal, english=question.english))
        self.question = question
        self.content = Content(self, self._choose_content())
        self.middle_initials = _middle_initials(text)
        self.unit = asked_unit(question.text)
        self.is_version = self.unit.is_version or bool(_NAMED_VERSION.fullmatch(text))
        self.stances = accepted_stances(question.text)
        self.may_be_share = self.unit.is_share
        self.head = head_of(text) if self.english else None
        self.declines = _declines(self)
        self.spoken = self.words.union(_SPOKEN_WORD.findall(text.lower()))
        months = MONTHS if self.english else FOREIGN_MONTHS
        self.needs_values = bool(self.values) or not months.keys().isdisjoint(self.words)
        number = single_number(text, decimal) if self.unit != PLAIN else None
        self.amount = number if number and (number.decimals or self.unit.scale > 1) else None
        """The number that the reference is, if the question names its unit."""
        needs_more = (
            self.needs_values or self.middle_initials or self.amount or self.head or self.declines or not text.isascii()
        )
        required = frozenset(self.keys[index] for index in self.content.places)
        needs_more = needs_more or not _WORDS_WITH_RULES.isdisjoint(required) or not _TURNS.isdisjoint(self.words)
        self.required = frozenset() if needs_more or not self.english else required
        """The words that are enough in a plain answer; none if other rules look at them."""

    def _choose_content(self) -> list[int]:
        """Leave out function words, small words in names, and a question's words unless it offers a choice."""
        margins = {index for index, value in self.values.items() if value.stance == "±"}  # 5 ± 0.2
        margins = margins if len(margins) < len(self.values) else set()
        content = [index for index in range(len(self.keys)) if index not in margins]
        if self.english:
            content = [index for index in content if not self._is_function_word(index)] or content
        if content and self.is_capital(content[0]) and self.is_capital(content[-1]):  # Miguel de Cervantes
            small = {index for index in content if self.written(index).islower() and len(self.written(index)) <= 3}
            content = [index for index in content if index not in small or self.keys[index] in NEGATIONS]
        if "、" in self.text:
            content = [index for index in content if self.keys[index] not in _HAN_AND_OR] or content
        if self.question.words and "or" not in self.question.words:
            content = [index for index in content if not self._is_asked(index)] or content
        return content

    def _is_function_word(self, index: int) -> bool:
        """Return whether a token is a function word, and not a name: "vitamin A", "US", "WHO", "May 2019"."""
        key = self.keys[index]
        if key not in FUNCTION_WORDS or self.is_acronym(index):
            return False
        return index == 0 or not self.written(index).isupper() or self.written(index) == "I"

    def _is_asked(self, index: int) -> bool:
        """Return whether a question has a word, which is no number."""
        key = self.keys[index]
        in_question = key in self.question.words or bool(self.english and self.question.forms(key))
        return in_question and not self.is_number(index)

    def label_of(self, index: int) -> str:
        """Return the word before a number if the question has it before this number only: Table 2; else ""."""
        before = self.keys[index - 1] if index and self.is_number(index) else ""
        return before if self.question.labels.get(before) == {self.keys[index]} else ""

    @cached_property
    def weights(self) -> dict[int, float]:
        """How much each word counts: common words next to a name half."""
        content = self.content.places
        has_name = any(index and self.is_capital(index) for index in content)
        heavy = {index for index in content if not has_name or self.is_capital(index) or self.is_number(index)}
        return {index: 1.0 if index in heavy else _COMMON_WEIGHT for index in content}

    @cached_property
    def alternatives(self) -> list[Content]:
        """Words that are enough: without asides or the question's labels, an acronym, the first of three places."""
        content = self.content.places
        without_asides = _ASIDE.sub(lambda aside: " " * len(aside[0]), self.text)
        inside = [index for index in content if without_asides[self.span(index)[0]] == " "]
        outside = [index for index in content if index not in inside]
        places = self.text.split(", ")
        enough = []
        if inside and outside:
            enough = [outside, inside] if len(inside) == 1 and self.is_acronym(inside[0]) else [outside]
        elif len(places) > 2 and all(self.is_capital(index) for index in content):
            enough = [[index for index in content if self.span(index)[1] <= len(places[0])]]
        named = [index for index in content if not self.label_of(index)]
        if 0 < len(named) < len(content):
            enough = [*enough, named]
        return [Content(self, part) for part in enough]


class _Answer:
    """An answer, read as words, and with its values for references that have some."""

    def __init__(self, text: str, *, english: bool, decimal: DecimalMark) -> None:
        self.text = without_tex(text)
        self.english = english
        self._decimal = decimal
        self.plain = Text(self.text, english=english)
        """The answer as words and digits."""
        self._matches: dict[_Reference, Matches] = {}
        self._denied: dict[_Reference, list[Span]] = {}

    @cached_property
    def with_values(self) -> Text:
        """The answer with its dates, times and numbers as values."""
        text = affirmed(self.text, self.plain.words) if self.english else self.text
        return Text(self.text, english=self.english, values=read(text, self._decimal, english=self.english))

    def read_for(self, reference: _Reference) -> Text:
        """Return the answer as a reference needs it."""
        return self.with_values if reference.needs_values else self.plain

    @cached_property
    def declines(self) -> bool:
        """Whether the answer declines to answer."""
        return _declines(self.plain)

    def find(self, reference: _Reference) -> Matches:
        """Find the words of a reference."""
        if reference not in self._matches:
            self._matches[reference] = find_all(reference, self.read_for(reference), reference.content)
        return self._matches[reference]

    def denied(self, reference: _Reference) -> list[Span]:
        """Return the parts of an answer that it denies."""
        if reference not in self._denied:
            words = reference.question.words, reference.words, self.plain.words
            spans = denied(self.text, *words) if self.english else []
            if len(reference.keys) <= _MOST_DENIED and _ENGLISH_ONLY.isdisjoint(self.plain.words):
                spans += denied_in_other_languages(
                    self.text, f"{reference.question.text}\n{reference.text}", self.english
                )
            self._denied[reference] = merged(spans)
        return self._denied[reference]


def _judge(reference: _Reference, answer: _Answer, threshold: float, tolerance: float = 0.0) -> Decision:
    """Decide on one pair: what declines is wrong, unless the reference declines, too."""
    content = reference.content.places
    if reference.declines and answer.declines:
        return Decision(dict.fromkeys(content, [0] if answer.plain.keys else []), 1.0, "")
    decision = _decide_yes_or_no(reference, answer.read_for(reference)) if reference.head else None
    if decision is None and reference.amount:
        decision = _decide_amount(reference, reference.amount, answer, tolerance)
    if decision is None:
        decision = _decide_words(reference, answer, threshold)
    if not decision.reason and answer.declines:
        return Decision({index: [] for index in content}, 0.0, "declined", decision.by_value)
    return decision


def _decide_words(reference: _Reference, answer: _Answer, threshold: float) -> Decision:
    """Decide by words; parts of a reference that may be missing are left out if it is not right with them."""
    matches, text = answer.find(reference), answer.read_for(reference)
    decision = _decide(reference, answer, matches, threshold)
    if decision.reason in {"number", "share"} and reference.alternatives:
        missing = [index for index, places in decision.matches.items() if not places]
        may_be_missing = not any(
            contradicts(reference, index, text) or text.labels.get(reference.label_of(index)) for index in missing
        )
        for content in reference.alternatives if may_be_missing else ():
            other = _decide(reference, answer, find_all(reference, text, content), threshold)
            if not other.reason:
                return other
    return decision


def _decide(reference: _Reference, answer: _Answer, matches: Matches, threshold: float) -> Decision:
    """Decide whether an answer has some words of a reference, asserts them, and does not contradict them."""
    text = answer.read_for(reference)
    decision = _decide_matches(reference, text, matches, threshold)
    spans = [] if decision.reason else answer.denied(reference)
    if not spans:
        return decision
    asserted = {
        index: [place for place in places if not contains(spans, text.span(place)[0])]
        for index, places in matches.items()
    }
    if asserted == matches or _is_sure(decision, answer, [reference], _spans(matches, text)):
        return decision
    decision = _decide_matches(reference, text, asserted, threshold)
    is_denied = any(places and not asserted[index] for index, places in matches.items())
    return decision._replace(reason="denied") if is_denied else decision


def _decide_matches(reference: _Reference, answer: Text, matches: Matches, threshold: float) -> Decision:
    """Decide by the places at which the words of a reference are found."""
    missing = [index for index, places in matches.items() if not places]
    share = _share(reference, answer, matches) if missing else float(bool(matches))
    reason = ""
    if not matches:
        reason = "empty"
    elif any(reference.is_number(index) for index in missing):
        reason = "number"
    elif len(missing) < len(matches) and _is_other_name(reference, answer, matches, missing):
        reason = "other name"
    elif share < threshold or len(missing) == len(matches):
        reason = "share"
    elif reference.english and _says_opposite(reference, answer, missing):
        reason = "opposite"
    return Decision(matches, share, reason)


def _check_commitment(decision: Decision, answer: _Answer, references: Sequence[_Reference], hedged: str) -> Decision:
    """Reject an answer that was right so far if it leaves open which candidate it means, or does not assert it."""
    text, words, question = answer.text, answer.plain.words, references[0].question
    hits = _all_hits(references, answer, decision.hits)
    if hedged == "wrong" and may_offer(text, words, english=answer.english):
        excluded = answer.denied(references[0])
        written = affirmed(text, words) if answer.english else text
        candidates = open_candidates(written, hits, question.text, excluded=excluded, english=answer.english)
        is_name = any("or" in reference.words and reference.words <= words for reference in references)
        if candidates and not is_name and not _is_sure(decision, answer, references, hits):
            return decision._replace(reason="hedged", hits=tuple(candidates))
    if _may_be_talk(decision, answer, references):
        weakness = find_weakness(text, hits, question.words, _spoken(references), hedged=hedged)
        if weakness:
            return decision._replace(reason=weakness)
    return decision


def _is_sure(decision: Decision, answer: _Answer, references: Sequence[_Reference], hits: Sequence[Span]) -> bool:
    """Return whether the words of a short answer leave no doubt that it asserts the name in it."""
    asked, own = references[0].question.words, _spoken(references)
    return _may_be_talk(decision, answer, references) and is_sure(answer.text, hits, asked, own)


def _may_be_talk(decision: Decision, answer: _Answer, references: Sequence[_Reference]) -> bool:
    """Return whether an answer is for the model of words: English and short, with a name as the reference."""
    has_other_rules = decision.by_value or any(reference.head or reference.declines for reference in references)
    is_name = 0 < len(decision.matches) <= _LONGEST_NAMED and not has_other_rules
    asked = references[0].question.words
    return is_name and answer.english and may_be_talk(answer.text, answer.plain.words, asked, _spoken(references))


def _spoken(references: Sequence[_Reference]) -> Set[str]:
    """Return the words of references, as written in lower case."""
    return references[0].spoken.union(*(reference.spoken for reference in references[1:]))


def _all_hits(references: Sequence[_Reference], answer: _Answer, hits: Sequence[Span] = ()) -> list[Span]:
    """Return where the words of any reference are in an answer."""
    spans = set(hits)
    for reference in references:
        spans.update(_spans(answer.find(reference), answer.read_for(reference)))
    return sorted(spans)


def _decide_yes_or_no(reference: _Reference, answer: Text) -> Decision | None:
    """Decide on a reference that is, or begins with, yes or no; None where the rest of the reference must decide."""
    if reference.words <= TRUTHS and not answer.words.isdisjoint(TRUTHS):
        return None
    is_yes, goes_on = reference.head or (False, False)
    verdict = says_yes(answer.text, reference.question.text)
    if verdict is None and not reference.question.text and not NEGATIONS.isdisjoint(answer.keys[:_NEAR]):
        verdict = False  # You do not need one
    if verdict is None:
        return None if goes_on else Decision({0: []}, 0.0, "neither")
    if verdict != is_yes:
        return Decision({0: []}, 0.0, "opposite")
    evidence = [place for place, key in enumerate(answer.keys) if key in _YES_NO or key in NEGATIONS]
    return Decision({0: evidence[:1] or [0]}, 1.0, "")


def _decide_amount(reference: _Reference, amount: Number, answer: _Answer, tolerance: float) -> Decision:
    """Decide on a number by all asserted numbers of the answer, in the unit that the question asks for."""
    content, text = reference.content.places, answer.read_for(reference)
    denied_spans = answer.denied(reference)
    asserted = [value for value in text.values.values() if not contains(denied_spans, value.start)]
    number = find_stated(text.text, asserted, amount, reference.unit, tolerance)
    if number is None:
        return Decision({index: [] for index in content}, 0.0, "number", by_value=True)
    spans = map(text.span, range(len(text.keys)))
    places = [at for at, (start, end) in enumerate(spans) if number.start < end and start < number.end]
    return Decision(dict.fromkeys(content, places), 1.0, "", by_value=True)


def _share(reference: _Reference, answer: Text, matches: Matches) -> float:
    """Compute the share of the words that are found, of which some are missing."""
    hits = [index for index, places in matches.items() if places]
    if not hits:
        return 0.0
    others = (key for place, key in enumerate(answer.keys) if place not in answer.values)
    if any(is_marked(reference.values.get(index)) for index in hits) and NEUTRAL_WORDS.issuperset(others):
        return 1.0  # a date for a sentence about it
    if reference.english and TITLES.issuperset(reference.keys[index] for index in hits):
        return 0.0  # Mr. Bingley for Mr. Darcy
    if len(reference.keys) == 2 and reference.span(1)[0] < reference.span(0)[1] and not matches.get(0):
        return 0.0  # 京都 for 東京都
    weights = reference.weights
    if not reference.english and answer.has_capitals:  # mešita v Niamey for Mešita Yaama
        names = [index for index in hits if reference.is_capital(index)]
        common = [index for index in names if not any(map(answer.is_capital, matches[index]))]
        weights = {index: weights[index] for index in matches} | dict.fromkeys(common, _COMMON_WEIGHT)
    share = sum(weights[index] for index in hits) / sum(weights.values())
    return 0.5 if share < 0.5 and len(matches) > 2 and _is_surname_alone(reference, answer, matches) else share


def _is_surname_alone(reference: _Reference, answer: Text, matches: Matches) -> bool:
    """Return whether the last name stands alone: "Mozart" for "Wolfgang Amadeus Mozart", but not "Leopold Mozart"."""
    last = [*matches][-1]
    names = [index for index in matches if reference.is_capital(index) and not reference.is_number(index)]
    if last + 1 != len(reference.keys) or len(names) < len(matches):
        return False
    places = [place for place in matches[last] if answer.is_capital(place) and answer.key_at(place - 1) != "the"]
    beside = [[_has_name_beside(answer, at, side, frozenset(), crosses=False) for side in (-1, 1)] for at in places]
    return not all(any(sides) for sides in beside)


def _says_opposite(reference: _Reference, answer: Text, missing: list[int]) -> bool:
    """Return whether a missing word changes the meaning: a negation, or "north" where the answer has "south"."""
    keys = {reference.keys[index] for index in missing} | (reference.words & _TURNS - answer.words)
    others = set().union(*(opposites(key, negated=True) for key in keys if key.isalpha()))
    return not NEGATIONS.isdisjoint(keys) or not others.isdisjoint(map(singular, answer.words - reference.words))


# ---- other names


def _is_other_name(reference: _Reference, answer: Text, matches: Matches, missing: list[int]) -> bool:
    """Return whether the words that are found belong to another name, rank or person."""
    may_be_another = not _MODIFIERS.isdisjoint(answer.words) or (missing and not _MODIFIERS.isdisjoint(reference.words))
    if reference.english and may_be_another and _is_another(reference, answer, matches):
        return True
    if missing and _names_another(reference, answer, matches):
        return True
    pairs = ((index, place) for index, places in matches.items() for place in places)
    if missing and any(reference.is_compound(index) != answer.is_compound(place) for index, place in pairs):
        return True  # gamma rays for X-rays
    initials = _middle_initials(answer.text) if reference.middle_initials else {}
    if any(initials.get(names, initial) != initial for names, initial in reference.middle_initials.items()):
        return True  # George W. Bush for George H. W. Bush
    if reference.english and _is_owner(reference, answer, matches):
        return True
    return not reference.text.isascii() and is_another_name(reference.text, answer.text)


def _middle_initials(text: str) -> dict[tuple[str, str], str]:
    return {(name[1], name[3]): name[2] for name in _WITH_INITIALS.finditer(text)}


def _is_another(reference: _Reference, answer: Text, matches: Matches) -> bool:
    """Return whether a word is found in another name or rank only, or the reference's rank is missing."""
    used = frozenset(place for places in matches.values() for place in places)
    for index, places in matches.items():
        key = reference.keys[index]
        is_rank = key in _RANKS or (key in _NAME_PREFIXES and reference.is_capital(index))
        if not places and is_rank and matches.get(index + 1):
            return True  # president for vice president
        is_word = places and not reference.is_number(index)
        if is_word and all(_is_part_of_another(reference, index, answer, place, used) for place in places):
            return True
    return False


def _is_part_of_another(reference: _Reference, index: int, answer: Text, place: int, used: frozenset[int]) -> bool:
    """Return whether the words beside a place turn it into another name: "vice president", "Mexico City"."""
    before = answer.key_at(place - 1)
    is_name = reference.is_capital(index) and answer.is_capital(place)
    gap = answer.gap_before(place)
    is_rank = before in _RANKS and (gap == "-" or before in {"deputy", "vice"})  # half-Irish, but not half Irish
    is_prefix = is_name and before in _NAME_PREFIXES and answer.is_capital(place - 1)
    if (is_rank or is_prefix) and before not in reference.words and gap in {" ", "-"}:
        return True
    end = answer.span(place)[1]
    if "law" not in reference.words and answer.text.startswith("-in-law", end):
        return True
    if is_name and "city" not in reference.words and answer.text.startswith(" City", end):
        return before != "new" and answer.keys[place] != "vatican"
    may_be_sequel = is_name and index + 1 == len(reference.keys) and before not in TITLES
    may_be_sequel = may_be_sequel and place + 1 not in used  # World War II for Second World War
    return may_be_sequel and bool(_SEQUEL.match(answer.text, end)) and not _NUMBERED.search(answer.text, 0, end)


def _names_another(reference: _Reference, answer: Text, matches: Matches) -> bool:
    """Return whether the answer has another name where a missing one should be, next to every place of its neighbor."""
    content = list(matches)
    used = frozenset(place for places in matches.values() for place in places)
    for position, index in enumerate(content):
        if matches[index] or not reference.is_capital(index):
            continue
        for side in (-1, 1):
            neighbor = content[position + side] if 0 <= position + side < len(content) else index
            if not matches[neighbor] or (side < 0 and reference.is_number(neighbor)):
                continue
            crosses = reference.gap_before(max(index, neighbor)) == ", "  # Paris, France for Paris, Texas
            if all(_has_name_beside(answer, place, -side, used, crosses=crosses) for place in matches[neighbor]):
                return True  # Michelle Obama for Barack Obama
    return False


def _has_name_beside(answer: Text, place: int, side: int, used: frozenset[int], *, crosses: bool) -> bool:
    """Return whether the next word before (-1) or after (1) a place is an unused name, in its clause or not."""
    for at in range(place + side, place + 4 * side, side):
        if not 0 <= at < len(answer.keys) or (answer.begins_clause(max(at, at - side)) and not crosses):
            return False
        key = answer.keys[at]
        if key not in _PARTICLES:
            is_name = answer.is_capital(at) or answer.is_number(at)
            is_function_word = key in FUNCTION_WORDS and answer.written(at) != "A"  # Group A
            return is_name and at not in used and not is_function_word and key not in TITLES
    return False


def _is_owner(reference: _Reference, answer: Text, matches: Matches) -> bool:
    """Return whether a short answer is about somebody else: "Barack Obama's wife"."""
    if not ("'s " in answer.text or "\u2019s " in answer.text) or "'" in reference.text or "\u2019" in reference.text:
        return False
    last = max(place for places in matches.values() for place in places)
    if len(answer.keys) > last + 1 + _MOST_POSSESSIONS:
        return False
    begins = all(answer.is_name(place) for place in range(last + 1))
    return begins and answer.text.startswith(("'s ", "\u2019s "), answer.span(last)[1])
