"""Whether an answer asserts a candidate, judged by the clause that names it rather than by phrases.

An answer that only talks about answers ("It would have been Paris", "Two votes for Paris, five for Rome") consists of
function words, words about answering, and names. In such an answer, a candidate is not asserted if its clause is in
another mood (conditional, reported, compared, denied), or if a rival has a like frame or a later, plain clause.
Sentences with more words of their own subject are left alone: there, these words mean something else.
"""

import re
from collections.abc import Collection, Iterator, Sequence, Set
from functools import partial
from typing import NamedTuple

from answer_metrics.matching.clauses import PERIOD, SENTENCE_STOP, Parts, Span, contains
from answer_metrics.matching.commitment import NEGATIONS, NEUTRAL, affirmed
from answer_metrics.matching.words import FUNCTION_WORDS


def _inflected(words: str) -> frozenset[str]:
    """Return words with their regular inflections; forms that do not exist do no harm."""
    forms = set()
    for word in words.split():
        base = word[:-1] if word[-1] == "e" else word[:-1] + "i" if word[-1] == "y" else word
        doubled = word + word[-1]
        forms |= {word, word + "s", base + "es", base + "ed", base + "er", base + "ers", word.removesuffix("e") + "ing"}
        forms |= {doubled + "ed", doubled + "ing", word + "ly"}
    return frozenset(forms)


# Words that put a clause in another mood than assertion.
_MOODS = _inflected(
    "absent abstain absurd adjacent akin alike allegation alleged amateur anciently antithesis antonym anymore apart "
    "apologise apologize arbitrary aside assume avoid baffled bait baseless besides beware beyond bluff blunder bogus "
    "clueless coin conflicting confuse confusion consult contradict contradiction contrary counterfactual counterpart "
    "cross daydream debunk deceive deceptive decline decoy delusion denied denies deny dice differ different disagree "
    "disallow discard discredit dismiss disprove disproven disqualify distinct distractor doubt doubtful dream dreamt "
    "dubious dummy earlier erroneous error ex exclude fail fake fallacy false fantasize far-fetched faulty fictitious "
    "flawed flip fool forbidden former formerly gossip guess guesswork gullible halfway hallucinate hallucination "
    "hearsay hesitant hesitate hidden hint hitherto hoax hunch hypothesis hypothesize hypothetical idiot if ignore "
    "illusion imaginary imagine imitation implausible improbable inaccurate inadmissible inappropriate inconsistent "
    "incorrect ineligible inquire invalid ironic irony joke kidding lack laughable layman lest liar lol lookalike "
    "lose lure minority misattribute misconception miscount mishear misheard misidentify mislabel mislead misled "
    "mismatch misquote misread misremember missing misspell misspelled misspelling mistake mistaken misunderstand "
    "misunderstood mix mixup myth naive near nearby nonsense novice nowhere obsolete omit oppose opposite other "
    "outdated outgrown outside overheard overrule overruled parody partial partially partly perplexed placeholder "
    "precede predecessor preposterous pretend previous previously propaganda pseudo purported puzzled quasi "
    "questionable random rebut refuse refute reluctant reminiscent reportedly resemble reservation resist retract "
    "reverse revoke rhyme riddle ridiculous rival rumor rumour sarcasm sarcastic scam sceptical semi silly similar "
    "skeptical skip slim slip someday speculate speculation strike stumped successor supersede superstition suppose "
    "supposed suspicious template tempt temptation theoretical tomorrow toss trap typo unacceptable uncertain "
    "unconfirmed undecided undetermined unfounded unless unlike unproven unqualified unrelated unsuitable unsure "
    "untrue unverified veto whatever whether whichever whoever wish wished withdrawn wonder wondering wrong yesterday "
    "zero zilch"
)

# Words about answers and those who give them, which are no reason to reject one by themselves.
_REPORTS = _inflected(
    "actually ah all almost alternative another answer any anybody anyone appear argue aunt believe bet bit boss both "
    "brother camp candidate certain chance check choice choose chose cite class classmate close clue colleague common "
    "confidence contender could cousin currently dad decide draft each early either even eventual every everybody "
    "everyone everything exam example expect expert few fine format friend future google grade grader great half head "
    "hear heard hm hmm hope however idea initial judge jury just key kind late least less let like likelihood likely "
    "list look loser majority many may maybe mention might minority mom more most near neighbor neither never no "
    "nobody none nor not now nowadays odds oh okay only opinion opt option panel past people percent perhaps pick "
    "please point poll popular possibility possibly potential prefer present probability probably professional pupil "
    "question quiz quote really reckon reply response rest runner-up said same sample say scenario score search "
    "second seem several shortlist side sister solution some somebody someone something sort sound source still stop "
    "student suggest suggestion survey suspect switch tail teacher team tell test thanks then thing think thought "
    "time timeline today told too turn uncle unlikely update verify version view vote want way well winner would yet"
)
_ASSERTING = frozenset(
    "actual actually agree agreed agrees best certain certainly clearly confident confirm confirmed confirms correct "
    "correctly currently definitely edit exactly fact final finally fits indeed just matches meant namely necessarily "
    "now nowadays obviously official officially only pass passes precisely present real really right rightly simply "
    "sure surely today true truly truth undoubtedly valid winner wins won yes".split()
)
_AMOUNTS = {word: at for at, word in enumerate("zero one two three four five six seven eight nine ten".split())}
_AMOUNTS |= {"first": -1, "1st": -1, "second": -2, "2nd": -2, "third": -3, "3rd": -3}
_COUNTS = frozenset([*_AMOUNTS, *"eleven twelve twenty thirty fifty hundred half once twice all".split()])
_NEGATING = NEGATIONS | frozenset("aren't didn't doesn't don't isn't nobody none nothing wasn't weren't won't".split())
_CONCEDING = frozenset("although despite even granted though whereas while".split())
_CONDITIONS = _CONCEDING | {"if", "unless", "unlike", "whatever"}
_COMMON = frozenset("against back because came come comes mind old plausible since take then why would".split())
_TALK = _NEGATING | _MOODS | _REPORTS | _ASSERTING | _COUNTS | FUNCTION_WORDS | NEUTRAL | _CONCEDING | _COMMON
_PLAIN_WORDS = (NEUTRAL | _ASSERTING | _COUNTS | _CONCEDING | _COMMON) - {"around", "inside", "near", "no"}
# What leaves open which of several candidates is meant.
_FRAMING = (_MOODS | _REPORTS | {"between", "for"}) - _PLAIN_WORDS - {"like", "name", "named"}
_BELIEFS, _SPEAKERS = frozenset("assume guess suppose".split()), frozenset("best i i'd my we".split())
# An answer is somebody or something else than the name behind: "a student of Einstein", "someone like Einstein".
_RELATED = frozenset(
    "alternative argued bet brother classmate colleague copy cousin cry daughter friend imitation neighbor part pupil "
    "sister somebody someone something son student successor suburb teacher uncle".split()
)
_PREPOSITIONS = frozenset("after against before from like of to".split())
_MOOD_PAIRS = (["would", "have"], ["old", "answer"])
_MOOD_CUES, _FRAME_CUES = _MOODS | _NEGATING | _RELATED | {"would"}, _FRAMING | {"#"}
_TALK_CUES = _MOOD_CUES | _FRAMING
_DENYING_TALK = _MOODS | NEGATIONS
_UNDECIDED = frozenset("certain doubt doubts else i i'm one other others question questions sure".split())

_SENTENCE_ENDS, _CLAUSE_ENDS = ";!?\n\u3002\uff01\uff1f", ":)<\\[\\]\u2014\u2026\uff0c\u3001"
_STOP = re.compile(
    rf"[{_SENTENCE_ENDS}{_CLAUSE_ENDS}.,(\s\-\u2013](?:(?P<sentence>(?<=[{_SENTENCE_ENDS}])|{PERIOD})"
    rf"|(?<=[{_CLAUSE_ENDS}])|(?<=,)(?!(?<=\d,)(?:\d|\s\d{{4}}\b))|(?<=\()(?!\d+(?:\s?%|/\d+)?\))|(?<=\s[-\u2013])\s"
    r"|(?<=\s)(?:(?P<and>and)|although|because|but|so|though|whereas|while|yet)\b)"
)
_PRONOUNS = frozenset("he i it she that they this we you".split())
_TALK_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*(?:-[^\W\d_]+)*|[%*/]")
_COMMON_WORD = re.compile(r"[a-z](?<![^\W_].)[a-z'\u2019-]+")
_FIRST_WORD = re.compile(r"(?:\A|[^\w\s]|\n)\W*([A-Z][\w'\u2019]*)")
_WRITTEN_WORD = re.compile(r"[^\W_]+")
_LONGEST_TALK, _LONGEST_TEXT_WITH_MOOD = 250, 2_000
_MOST_SUBJECT_WORDS = 2
_MOST_RIVAL_WORDS = 3


class _TalkToken(NamedTuple):
    key: str
    kind: str
    """"candidate", "rival" (another candidate), "own" (of the question, or denied), "number", "talk" or "word"."""


class _Clause(NamedTuple):
    sentence: int
    tokens: list[_TalkToken]
    opening: str = ""
    """The mark or the conjunction before it."""

    def has(self, kind: str) -> bool:
        return any(token.kind == kind for token in self.tokens)

    def keys(self) -> list[str]:
        return [token.key for token in self.tokens]

    def frame(self) -> list[str]:
        """Return what the clause consists of, with one mark for all candidates, and one for all numbers."""
        marks = {"candidate": "X", "rival": "X", "own": "X", "number": "#"}
        frame = [marks.get(token.kind, token.key) for token in self.tokens if token.key != "also"]
        return [mark for mark, before in zip(frame, ["", *frame], strict=False) if mark != before]

    def amount(self) -> float:
        """Return the greatest of its numbers, which are shares or votes."""
        numbers = [token.key for token in self.tokens if token.kind == "number"]
        return max((_AMOUNTS.get(key) or (float(key) if key.isdecimal() else 0.0) for key in numbers), default=0.0)


def may_be_talk(
    text: str,
    words: frozenset[str],
    named: Set[str],
    asked: frozenset[str],
    reference: frozenset[str],
    hits: Sequence[Span] = (),
) -> bool:
    """Return whether a text may only talk about answers: a quick test before `find_weakness`.

    Either a sentence with few words of its own subject has another mood, or all of a short text has few, and a rival.
    `named` are the words of the candidate; where they are, its hits, makes the test more exact.
    """
    is_short, cues = len(text) <= _LONGEST_TALK, words & _TALK_CUES
    if len(text) > _LONGEST_TEXT_WITH_MOOD or not (is_short or not _MOODS.isdisjoint(cues)):
        return False
    has_clauses = bool(_STOP.search(text, 0, len(text) - 1))
    if not cues and not has_clauses:
        return False
    common = {*_COMMON_WORD.findall(text)}
    if not cues <= common:  # "Great Britain" has none
        cues &= {"not", *common, *map(str.lower, _FIRST_WORD.findall(text))}
    subject = common - _TALK
    most = _MOST_SUBJECT_WORDS if subject.isdisjoint(reference) else _MOST_SUBJECT_WORDS + _MOST_RIVAL_WORDS
    subject -= reference
    if not is_short or len(subject) > most:
        return not _MOODS.isdisjoint(cues) and (not hits or _has_short_sentence(text, hits, reference))
    if not _MOOD_CUES.isdisjoint(cues):
        return True
    if not has_clauses and not (cues and subject <= named):
        return False
    names = {word.lower() for word in _WRITTEN_WORD.findall(text) if not word.islower()}
    return not common.isdisjoint(named) or bool(names - _TALK - asked - reference)


def _has_short_sentence(text: str, hits: Sequence[Span], reference: frozenset[str]) -> bool:
    """Return whether the sentence of the first hit has few words of its own subject."""
    place, sentences = hits[0][0], Parts(text, SENTENCE_STOP)
    written = _COMMON_WORD.findall(text, sentences.start(place), sentences.end(place))
    common = {word.replace("\u2019", "'").partition("'")[0] for word in written} - _TALK - reference
    return len(common - words_of(text, hits)) <= _MOST_SUBJECT_WORDS


def words_of(text: str, hits: Sequence[Span]) -> set[str]:
    """Return the words of some parts of a text, in lower case."""
    return {word for start, end in hits for word in _WRITTEN_WORD.findall(text[start:end].lower())}


_CLAUSE_MARK = re.compile(r"[.!?;:,\n]")
# Words that lead from what governs a clause to its answer: "I doubt that (the answer is) …".
_LEADING = frozenset("answer assume be correct final guess it it's my of suppose than the".split())
_GOVERNING = _MOODS | _REPORTS | frozenset("that claim claims used".split())
_WITHHOLDING = _MOODS | _NEGATING
_WITHHOLDING |= frozenset("bad else's instead might old people rather rejected".split())
_BEGINS_WITHHELD = re.compile(r"\W*some\b|.*\b(?:i|we|he|she|they|it|\w+s) (?:first )?(?:thought|used to)\b")


def withholds(text: str, place: int) -> bool:
    """Return whether what stands before a place denies or only reports it: "I doubt that …", "Some say …", "Old …"."""
    before = _CLAUSE_MARK.split(text[max(0, place - 100) : place].replace("\u2019", "'").lower())[-1]
    words = _TALK_TOKEN.findall(affirmed(before, NEGATIONS))
    while words and (words[-1] in _LEADING or " ".join(words[-2:]) in {"answer is", "answer was", "it is", "it was"}):
        words.pop()
    is_withheld = not _WITHHOLDING.isdisjoint(words) or _BEGINS_WITHHELD.match(before)
    is_governed = bool(words) and words[-1] in _GOVERNING and bool(is_withheld)
    return is_governed or not _WITHHOLDING.isdisjoint(words[-1:])


def find_weakness(
    text: str,
    hits: Sequence[Span],
    asked: frozenset[str],
    reference: Collection[str],
    excluded: Sequence[Span] = (),
) -> str:
    """Return why an English answer does not assert the candidate that it names: "denied", "hedged" or "".

    `hits` are the words of the right candidate by place, `excluded` the parts that are denied. Words of the question
    and of the references, in lower case, have no mood and are no rivals.
    """
    if not hits:
        return ""
    return _Talk(text, hits, asked, reference, excluded).weakness()


_RANKED = frozenset("second 2nd third 3rd".split())
_STATING = frozenset("answer be give i it's is now one s say take use was write".split())


_QUESTION_OR_HEADING = re.compile(r"\?|[^\W\d_]{2}:")


def _is_like(frame: list[str], other: list[str]) -> bool:
    """Return whether two frames differ in one word at most, and not in one of a subject: "avoid X" and "use X"."""
    pairs = [pair for pair in zip(frame, other, strict=False) if pair[0] != pair[1]]
    return len(frame) == len(other) and (not pairs or (len(pairs) == 1 and _TALK.union("X#").issuperset(pairs[0])))


class _Talk:
    """An answer as clauses of tokens."""

    def __init__(
        self,
        text: str,
        hits: Sequence[Span],
        asked: frozenset[str],
        reference: Collection[str],
        excluded: Sequence[Span],
    ) -> None:
        self._hits, self._asked, self._reference, self._excluded = hits, asked, reference, excluded
        self._content = frozenset(asked) - FUNCTION_WORDS
        firsts = [text[start] for start, _ in hits]
        self._rivals = "number" if any(map(str.isdigit, firsts)) else "word" if firsts[0].islower() else "name"
        self._clauses = list(self._split(text))
        self._named = [clause for clause in self._clauses if clause.has("candidate")]
        self._is_short = len(text) <= _LONGEST_TALK
        self._is_bare = not _QUESTION_OR_HEADING.search(text)

    def _split(self, text: str) -> Iterator[_Clause]:
        """Yield clauses; a short heading belongs to what is behind its colon, and "and" may join names."""
        clause, end = _Clause(0, []), 0
        for stop in [*_STOP.finditer(text), None]:
            start, end = end, stop.end() if stop else len(text)
            for match in _TALK_TOKEN.finditer(text, start, stop.start() if stop else end):
                clause.tokens.append(self._read(match, is_first=not clause.tokens))
            kinds = {token.kind for token in clause.tokens}
            begins = clause.tokens and clause.tokens[0].key.partition("'")[0] not in _PRONOUNS
            if stop and stop.group() == ":" and begins and len(clause.tokens) < 4:
                is_heading = not {"candidate", "rival"} & kinds and any(map(partial(self._is_mood, clause), range(4)))
                if is_heading or kinds <= {"candidate", "rival", "own"} or clause.tokens[-1].key == "#":
                    continue
            if stop and stop["and"] and _TALK.isdisjoint(_COMMON_WORD.findall(text, end, end + 30)[:3]):
                continue
            if clause.tokens:
                yield clause
            sentence = clause.sentence + bool(stop and stop["sentence"] is not None)
            clause = _Clause(sentence, [], stop.group().strip().lower() if stop else "")

    def _read(self, match: re.Match[str], *, is_first: bool) -> _TalkToken:
        written, (start, end) = match.group(), match.span()
        key = written.lower().replace("\u2019", "'")
        is_talk = key in _TALK or key.partition("'")[0] in _TALK
        if any(start < stop and begin < end for begin, stop in self._hits):
            kind = "candidate"
        elif len(written) == 1 and not is_first and match.string.startswith(": ", end):  # Option B: Rome
            key, kind = "#", "number"
        elif key in self._reference or (not is_talk and contains(self._excluded, start)):
            kind = "own"
        elif written[0].isdigit() or key in _COUNTS:
            is_share = match.string.startswith(("%", " %"), end)
            is_rival = self._rivals == "number" and written[0].isdigit() and key not in self._asked and not is_share
            kind = "rival" if is_rival else "number"
        elif not written[0].isalnum() or (is_talk and (written.islower() or is_first or written == "I")):
            kind = "talk"
        elif self._rivals == ("word" if written[0].islower() else "name") and key not in self._asked:
            kind = "rival"
        else:
            kind = "word" if written[0].islower() else "own"
        return _TalkToken(key, kind)

    def weakness(self) -> str:
        if all(self._has_mood(place) for place, clause in enumerate(self._clauses) if clause in self._named):
            return "denied"
        tokens = [token for clause in self._clauses for token in clause.tokens]
        subject = {token.key for token in tokens if token.kind == "word"}
        rivals = [token for token in tokens if token.kind == "rival"]
        if not self._is_short or not rivals or len(subject) > _MOST_SUBJECT_WORDS:
            return ""
        if self._rivals == "word" and len(rivals) > _MOST_RIVAL_WORDS:
            return ""
        if self._ends_in_candidate():
            return ""
        if self._has_later_rival():
            is_list = self._is_bare and not any(token.kind in {"talk", "word"} and token.key[1:] for token in tokens)
            return "hedged" if is_list else "denied"
        return "hedged" if self._has_equal_rival() else ""

    def _has_mood(self, place: int) -> bool:
        """Return whether a clause has a word of another mood, or the next clause denies it; not if that confirms it."""
        clause = self._clauses[place]
        tokens = [token for other in self._clauses if other.sentence == clause.sentence for token in other.tokens]
        subject = {token.key for token in tokens if token.kind in {"word", "rival"} and token.key[0].islower()}
        if len(subject) > _MOST_SUBJECT_WORDS:
            return False
        before = self._clauses[place - 1].keys() if place else []
        if before[:2] in (["if", "it"], ["if", "not"]) and not _NEGATING.isdisjoint(before):  # If not Rome, then Paris
            return True
        following = self._clauses[place + 1 : place + 3]
        comment = following[0].tokens if following else []
        keys = {token.key for token in comment}
        if not keys <= _TALK or not all(token.kind == "talk" for token in comment):
            keys = set()
        is_denied = not _DENYING_TALK.isdisjoint(keys) and keys != {"not"}
        if comment and (comment[0].key in _CONDITIONS or following[0].opening in _CONDITIONS):
            is_denied = False  # Paris, even if some disagree
        if len(following) > 1 and following[1].opening == "but" and not _ASSERTING.isdisjoint(following[1].keys()):
            is_denied = False  # Paris. You may not like it, but it's true
        if keys and not is_denied and not keys.isdisjoint(_ASSERTING):
            return False
        if is_denied and _UNDECIDED.isdisjoint(keys):
            return True
        return any(self._is_mood(clause, at) for at in range(len(clause.tokens)))

    def _is_mood(self, clause: _Clause, at: int) -> bool:
        """Return whether a word is of another mood and not negated: "wrong", "would have", "not sure"."""
        if at >= len(clause.tokens):
            return False
        keys, (key, kind) = clause.keys(), clause.tokens[at]
        if kind != "talk" or key in self._asked:
            return False
        is_negated = not _NEGATING.isdisjoint(keys[max(0, at - 3) : at])
        is_beside = [token.kind for token in clause.tokens[at + 1 : at + 2]] == ["candidate"]
        if is_beside and key in _PREPOSITIONS and not _RELATED.isdisjoint(keys[at - 1 : at]):
            return not (clause.has("own") or clause.has("rival"))  # Daryl is the brother of Merle
        if key in _BELIEFS and not _SPEAKERS.isdisjoint(keys[max(0, at - 2) : at]):
            return False
        if key in {"certain", "correct", "necessarily", "right", "sure", "true"}:
            return is_negated
        if key in _NEGATING:
            kinds = [token.kind for token in clause.tokens]
            is_last = {"word", "rival", "own", "candidate"}.isdisjoint(kinds[at:])
            return "candidate" in kinds[:at] and is_last and keys[at - 1] in {"is", "was"}
        return not is_negated and (key.partition("'")[0] in _MOODS or keys[at : at + 2] in _MOOD_PAIRS)

    def _ends_in_candidate(self) -> bool:
        """Return whether the last clause with a name has the candidate only, in a frame that no rival has."""
        last = [clause for clause in self._clauses if clause.has("candidate") or clause.has("rival")][-1]
        frame = last.frame()
        if last.has("rival") or last.has("number") or self._has_mood(self._clauses.index(last)):
            return False
        others = [clause.frame() for clause in self._clauses if clause.has("rival")]
        return not any(_is_like(frame, other) for other in others)

    def _has_later_rival(self) -> bool:
        """Return whether the last clause states another candidate, as no more than two clauses do."""
        last, named = self._clauses[-1], self._named[-1]
        kinds = [token.kind for token in last.tokens]
        is_aside = last.opening == "(" and "talk" in kinds
        if "rival" not in kinds or "candidate" in kinds or kinds.count("word") > 1 or is_aside:
            return False
        keys = {*last.keys()}
        if not _TALK_CUES.isdisjoint(keys - self._asked - _PLAIN_WORDS) or not _RANKED.isdisjoint(keys):
            return False
        words = [token.key for token in named.tokens if token.kind == "word"]
        if len(words) > 1 or not self._content.isdisjoint(named.keys()):
            return False
        before = self._clauses[-2] if len(self._clauses) > 1 else last
        begins = before.sentence < last.sentence or not (before.has("candidate") or before.has("rival"))
        is_contrast = not _CONCEDING.isdisjoint(named.keys()[:1]) or last.opening in {"but", "yet"}
        begins |= is_contrast and "word" not in kinds
        before_rival = last.keys()[: kinds.index("rival")]
        while before_rival and (before_rival[-1][-2:] == "ly" or before_rival == ["the"]):
            before_rival.pop()
        is_stated = before_rival[-1] in _STATING if before_rival else begins
        return is_stated and sum(clause.has("rival") for clause in self._clauses) < 3

    def _is_denied(self, clause: _Clause) -> bool:
        return any(self._is_mood(clause, at) or token.key in _NEGATING for at, token in enumerate(clause.tokens))

    def _has_equal_rival(self) -> bool:
        """Return whether another candidate has the same frame, or the candidate has none that settles anything."""
        rivals = [clause for clause in self._clauses if clause.has("rival")]
        others = [clause for clause in rivals if clause not in self._named and not self._is_denied(clause)]
        counted = [clause for clause in self._named if clause.has("number")]
        if counted and others and all(clause.has("number") for clause in others):
            has_most = max(map(_Clause.amount, counted)) > max(map(_Clause.amount, others))
            is_vote = not all(_FRAMING.isdisjoint(clause.keys()) for clause in others)
            if has_most or (is_vote and not any(clause.has("word") for clause in [*counted, *others])):
                return not has_most
        framed = [clause for clause in self._named if self._content.isdisjoint(clause.keys())]
        for frame in map(_Clause.frame, framed):
            is_framed = len(frame) > 1 and not _FRAME_CUES.isdisjoint(frame)
            if is_framed and any(_is_like(other.frame(), frame) for other in others):
                return True
        return (
            self._rivals != "word"
            and len(framed) == len(self._named)
            and (others or any(clause in self._named for clause in rivals))
            and all(not clause.has("word") and not _FRAMING.isdisjoint(clause.frame()) for clause in framed)
        )
