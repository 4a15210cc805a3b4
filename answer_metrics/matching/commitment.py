"""Whether an answer commits to one candidate: what it denies, takes back or asks, and what it merely offers.

`denied` finds the parts of a text that it does not assert: "not Paris", "Paris? No, London", "I thought of Paris, but".
`open_candidates` finds candidates of which an answer chooses none: "Paris or London", "Maybe Paris. Maybe Rome."
`words_beside` lists what stands beside an answer, for `beside="neutral"`. All of them work on the characters of a text.
Marks count in every language, words in English; another language needs tables of its own.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

Span = tuple[int, int]
"""The start and the end of a part of a text, in characters."""


def _phrases(text: str) -> str:
    """Return a regular expression for phrases that are separated by "|"; "'" stands for both apostrophes."""
    return f"(?:{text})".replace(" ", r"\s").replace("'", "['\u2019]")


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def contains(spans: Sequence[Span], place: int) -> bool:
    """Return whether one of the spans, which are in order and apart, contains a place."""
    at = bisect_right(spans, (place, sys.maxsize)) - 1
    return at >= 0 and place < spans[at][1]


# ---- clauses and sentences

_STOP = r"(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St|Jr|Sr|vs))(?<!\bMrs)\.(?=\s|\Z|\W)"
_CLAUSE_STOP = re.compile(
    rf"[;:!?()\[\]\n\u2014\u2026\u201c\u201d\"。\uff0c\uff1b\uff1a\uff01\uff1f、]|(?<!\d),(?!\d)|(?<=\d),(?!\d"
    rf"|\s\d{{4}}\b)|{_STOP}|\s[-\u2013]\s|(?<=\d\d\d\d),(?!\d)"
)
_SENTENCE_STOP = re.compile(rf"[!?\n。\uff01\uff1f]|{_STOP}")


_LONGEST_PART = 300


class _Parts:
    """The clauses or sentences of a text."""

    def __init__(self, text: str, end: re.Pattern[str]) -> None:
        self._text, self._end = text, end

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in self._end.finditer(self._text))]

    @cached_property
    def _ends(self) -> list[int]:
        return [*(match.start() for match in self._end.finditer(self._text)), len(self._text)]

    def start(self, place: int, *, before: int = 0) -> int:
        """Return where the part of a place begins, or the part that is some parts before it; at most so far before."""
        start = self._starts[max(0, bisect_right(self._starts, place) - 1 - before)]
        return max(start, place - _LONGEST_PART)

    def end(self, place: int) -> int:
        end = self._ends[bisect_right(self._starts, place) - 1]
        return max(place, min(end, place + _LONGEST_PART))


# ---- what is denied, taken back or asked

NEGATIONS = frozenset("cannot neither never no nor not without".split())
_NEGATED = r"(?:cannot|neither|never|nor?|not|without|none|nobody|nothing|n['\u2019]t)"
_IS = r"\b(?:are|be|(?:has|have|had)\sbeen|is|was|were|sounds|seems|looks|proved|turned\sout)\b"
_UNTRUE = _phrases(
    "wrong|incorrect|false|mistaken|untrue|impossible|ruled out|excluded|eliminated|rejected|dismissed"
    "|discarded|refuted"
    "|disproved|debunked|out of the question|mistake|myth|misconception|error|red herring|decoy|trap|lie|hoax"
)
# What denies the words after it.
_DENIES_NEXT = _compile(
    r"(?<!\w)(?:(?P<negation>cannot|neither|never|nor|not|no|without)|(?P<word>"
    + _phrases(
        "in (?:stark |sharp )?contrast (?:to|with)|far from|refuse[sd]? to|declin(?:e|es|ed) to|instead of"
        "|in place of|rather than|in lieu of|as opposed to|unlike|contrary to|other than|except|except for"
        "|excluding|apart from|aside from|anything but|everything but|all but|anyone but|everyone but|doubts?"
        "|doubtful|deny"
        "|denie[sd]|rejects?|disputes?|refutes?|hardly|scarcely|unlikely|lack(?:s|ed|ing)?|beware of|forget"
        "|ignore|disregard"
        "|excludes?|rul(?:e|es|ed|ing) out|eliminat(?:e|ing)|nobody|no one|none|nothing|(?:false|untrue|wrong"
        "|incorrect) (?:that|to)"
        "|(?:mistake|error) to|(?:myth|misconception|false claim) that|(?:wrong|incorrect|false) (?:answer"
        "|choice|one|guess) (?:is|was|would be|here is)|confuse[ds]? (?:it )?with|mistaken for"
        "|mist(?:ake|ook) it for"
    )
    + r"|than(?=\s(?:an?|that|the|this)\s|\s(?-i:[A-Z])|\s\d|\s(?:two|three|four|five|six|seven|eight|nine|ten)\b)"
    + r"))(?!\w)|(?P<short>n['\u2019]t)\b"
)
# Words after a negation that cancel it: "not only Paris", "no doubt", "none other than Paris".
_CANCELED = _compile(
    r"\s(?:just|merely|necessarily|only|simply|until|other|but|else|less|fewer|later"
    r"|(?:\w+\s){0,2}?(?:doubt|deny|dispute|question|wrong|false|incorrect|unlikely|impossible|mistak|ruled"
    r"|refute|exclude|reject))"
    r"|(?<=no)\.?\s?[#\d]"
)
_OTHER = _compile(r"\s(?:but|other|else)\b")
_SCOPE = re.compile(r"(?:\W*[\w'\u2019.-]+){1,8}")
_SCOPE_END = _compile(r"\b(?:after|because|before|but|so|than|therefore|unless|until)\b")
_COMPARED_END = _compile(r"\b(?:after|because|before|but|so|unless|until|is|are|was|were)\b|(?<=\d)\s")
_BE_BEFORE, _NEGATED_BEFORE = (
    _compile(rf"{_IS}\s?\Z"),
    _compile(rf"(?<!\w){_NEGATED}(?:\s\w+){{0,2}}\s?\Z|n['\u2019]t\s?\Z"),
)
# What denies the subject before it: "Paris is wrong", "Paris: no", "Paris does not fit".
_DENIES_SUBJECT = _compile(
    rf"{_IS}\s(?!not\b)(?:\w+\s){{0,3}}?{_UNTRUE}\b|\b(?:is|was)(?:n['\u2019]t|\snot)\s"
    + _phrases(r"it|right|correct|true|possible|likely|the (?:\w+ )?(?:answer|one)")
    + r"\b|\b(?:do|does|did|would|can|could)(?:n['\u2019]t|\snot)\s(?:quite\s)?"
    + _phrases("fit|match|work|apply|qualify|count|hold|make sense|belong|meet|satisfy|answer")
    + r"\b|\bcannot\sbe\b(?!\s(?:ruled|excluded|wrong|denied))|\b(?:has|have|had)\snothing\sto\sdo\b"
    + r"|[:(]\s?(?:no|wrong|false|incorrect|nope)\b|[\u2717\u2718\u274c]"
)
# What denies the sentence before it, too: "They are wrong".
_DENIES_CLAIM = _compile(
    rf"\b(?:they|everyone|everybody|people|that|this|many|most|all)(?:\s(?:is|was|are|were|would\sbe)"
    rf"|['\u2019](?:s|re))\s(?:\w+\s){{0,2}}?{_UNTRUE}\b"
)
# What takes back its sentence: "Paris? No, London".
_NO = _compile(
    r"[?,;\-\u2013\u2014\u2026.]\s*(?:(?:oh|well|hm+|wait|ah),?\s)?(?:no|nope|nah|wrong"
    r"|not)\b(?=\s*(?:[,.:;!\-\u2013\u2014]|\Z))"
)
# What takes back all that stands before it.
CORRECTION = _compile(
    r"(?:\A|[.!?\u2026,;:()\-\u2013\u2014\n])\s*(?:(?:no|oh|ah|hm+|well|but|or|oops|sorry),?\s)?"
    + _phrases(
        "(?:no,? )?wait\\b|hold on\\b|correction\\b|scratch that|strike that|never ?mind|(?:on"
        "|upon) (?:second thoughts?|reflection)"
        "|i mean(?:t)?\\b|make that\\b|i (?:take|took) (?:it|that|this) back|i (?:was|am) (?:wrong|mistaken)"
        "|i (?:misspoke|retract)"
        "|i stand corrected|my (?:mistake|bad)\\b|let me (?:correct|rephrase|revise|fix)|oops\\b"
        "|actually\\b(?=,? (?:it|no|yes|that|the answer|i)\\b)"
        "|(?:the|my) (?:right|correct|true|real|actual|final) (?:answer|one|choice)\\b"
    )
    + r"\b|\bor\srather\b|\bchanged\smy\smind\b"
)
_STRUCK = re.compile(r"~~.+?~~|<(del|s|strike)>.+?</\1>")
# What somebody supposed before the truth: "I thought it was Paris, but …", "Some say Paris. Others …".
_SUPPOSED = _compile(
    r"\b(?:thought|believed|assumed|guess(?:ed)?|suspected|mist(?:ake|aken|ook)|tempt(?:ed|ing)|(?:i"
    r"|we)\s(?:first\s)?considered"
    r"|(?:used\sto|some|many|most|people|would|often)\s(?:\w+\s)?(?:believe|say|think|assume|credit|name|answer"
    r"|guess)(?:e?d)?)\b"
)
_PASSIVE = _compile(r"\b(?:is|are)\s(?:\w+\s)?\Z")
_TRUTH = _compile(
    r"\b(?:actually|but|however|yet|in\s(?:fact|truth|reality)|the\struth|others|really|now|until|turn(?:ed"
    r"|s)\sout)\b"
)
_CONCEDED = _compile(
    r"(?:\A|[.!?]\s)(?:although|though|even\sthough|while|whereas|despite|in\sspite\sof|unlike|contrary\sto"
    r"|forget|ignore)"
    r"\s([^,.;!?\n]*)[,.;]"
)
_QUESTION = _compile(
    r"(?:so |maybe |perhaps |or )?(?:is|are|was|were|did|does|do|could|can|might|may|would|should|will|what|how"
    r"|isn't|wasn't|who"
    r"|which|where|when|why)\b"
)
_TAG = _compile(
    r",\s(?:right|correct|yes|no|eh|(?:is|was|did|does|do|are|were)n['\u2019]t\s(?:it|he|she|they|that))\?\Z"
)
_YES = _compile(r"\s*(?:yes|yeah|yep|correct|right|indeed|exactly|of course|certainly)\b")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Without one of its words, a pattern does not occur in a text: a set is tested a hundred times as fast.
_CORRECTION_CUES = _words(
    "wait hold correction scratch strike never nevermind thought thoughts reflection mean "
    "meant make take took wrong mistaken "
    "misspoke retract stand mistake bad let oops actually right correct true real actual final rather changed"
)
_NO_CUES = _words("no nope nah wrong not")
_CONCEDED_CUES = _words("although though while whereas despite spite unlike contrary forget ignore")
_SUPPOSED_CUES = _words(
    "thought believed assumed guess guessed suspected mistake mistaken mistook tempted tempting considered used some "
    "many most people would often"
)
_UNTRUE_CUES = _words(
    "wrong incorrect false mistaken untrue impossible ruled excluded eliminated rejected dismissed discarded refuted "
    "disproved debunked out mistake myth misconception error red decoy trap lie hoax"
)
_SUBJECT_CUES = _UNTRUE_CUES | _words("t not cannot nothing no nope")
_NEXT_CUES = _words(
    "t cannot neither never nor not no without contrast far refuse refuses refused decline declines declined instead "
    "place rather lieu opposed unlike contrary than except excluding apart aside but doubt doubts doubtful deny denied "
    "denies reject rejects dispute disputes refute refutes hardly scarcely unlikely lack lacks lacked lacking beware "
    "forget ignore disregard exclude excludes rule rules ruled ruling eliminate eliminating nobody none nothing false "
    "untrue wrong incorrect mistake error myth misconception confuse confused confuses mistaken mistook"
)
_DENIAL_CUES = _CORRECTION_CUES | _NO_CUES | _CONCEDED_CUES | _SUPPOSED_CUES | _UNTRUE_CUES | _SUBJECT_CUES | _NEXT_CUES
_DENIAL_MARKS = re.compile("[?~<\u2717\u2718\u274c]")


def lowercase_words(text: str) -> frozenset[str]:
    """Return the runs of letters in a text, in lower case."""
    return frozenset(_LETTER_RUN.findall(text.lower()))


_LETTER_RUN = re.compile(r"[^\W\d_]+")


def denied(
    text: str,
    question: Collection[str] = (),
    reference: Collection[str] = (),
    words: frozenset[str] | None = None,
) -> list[Span]:
    """Return the parts of an English text that it denies, takes back or asks.

    The words of the question and the reference, in lower case, deny nothing: "Which animal is not a mammal?" `words`
    are those of the text by `lowercase_words`, if they are known.
    """
    cues = _DENIAL_CUES & (lowercase_words(text) if words is None else words)
    has_marks = _DENIAL_MARKS.search(text) is not None
    if not cues and not has_marks:
        return []
    clauses, sentences = _Parts(text, _CLAUSE_STOP), _Parts(text, _SENTENCE_STOP)
    spans: list[Span] = []
    if cues & _CORRECTION_CUES:
        spans += [(0, match.start()) for match in CORRECTION.finditer(text)]
    if cues & _NO_CUES:
        spans += [(sentences.start(match.start()), match.start()) for match in _NO.finditer(text)]
    if has_marks:
        spans += [match.span() for match in _STRUCK.finditer(text)]
        spans += _asked(text)
    if cues & _CONCEDED_CUES:
        spans += [match.span(1) for match in _CONCEDED.finditer(text)]
    if cues & _UNTRUE_CUES:
        spans += [(sentences.start(match.start(), before=1), match.start()) for match in _DENIES_CLAIM.finditer(text)]
    if cues & _SUPPOSED_CUES:
        spans += _supposed(text, clauses)
    for match in _DENIES_SUBJECT.finditer(text) if has_marks or cues & _SUBJECT_CUES else ():
        if not _repeats(match.group(), {*question, *reference}) and not _is_negated(text, match.start()):
            spans += _subject(text, clauses.start(match.start()), match.start())
    for match in _DENIES_NEXT.finditer(text) if cues & _NEXT_CUES else ():
        if match["word"]:
            is_denial = not _repeats(match["word"], {*question, *reference}) and not _is_negated(text, match.start())
            is_denial = is_denial and not _OTHER.match(text, match.end())
        else:
            is_denial = _is_denial(text, match, clauses, question, reference)
            if is_denial and _BE_BEFORE.search(
                text, max(0, match.start() - 12), match.start()
            ):  # Sydney is not the capital
                spans += _names(text, clauses.start(match.start()), match.start())
        if is_denial:
            spans += _scope(text, match.end(), clauses)
    return _merged(spans)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, joined where they overlap; empty ones are left out."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _repeats(cue: str, words: Collection[str]) -> bool:
    """Return whether a cue repeats a word that is not too short to tell."""
    return any(word in words and word not in _FUNCTION_KEYS for word in re.findall(r"[^\W_]{3,}", cue.lower()))


def _is_negated(text: str, place: int) -> bool:
    """Return whether a negation stands in the three words before a place: "none other than", "cannot be wrong"."""
    return bool(_NEGATED_BEFORE.search(text, max(0, place - 30), place))


def _is_denial(
    text: str, match: re.Match[str], clauses: _Parts, question: Collection[str], reference: Collection[str]
) -> bool:
    """Return whether a negation denies: not in a title, nor where the question or the reference has it."""
    start, end = match.span()
    if not NEGATIONS.isdisjoint(reference) or _CANCELED.match(text, end):
        return False
    if text[start].isupper() and start > clauses.start(start) + 1:  # Not in "Love Me Not"
        return False
    return NEGATIONS.isdisjoint(question) or not _repeats(text[end : min(clauses.end(end), end + 80)], question)


def _scope(text: str, place: int, clauses: _Parts) -> Iterator[Span]:
    """Yield the words after a place that a cue there denies: eight words of its clause, up to a turn."""
    if reach := _SCOPE.match(text, place):
        end = min(reach.end(), clauses.end(place))
        turn = (_COMPARED_END if text.endswith("than", 0, place) else _SCOPE_END).search(text, place, end)
        yield place, turn.start() if turn and turn.start() > place + 1 else end


def _names(text: str, start: int, end: int) -> Iterator[Span]:
    return (word.span() for word in re.compile(r"\b[^\W\d_]\w*").finditer(text, start, end) if word[0][0].isupper())


def _subject(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a subject, and where a short one stands before: "Paris or Rome? Paris does not fit"."""
    subject = text[start:end].strip(" *_'\"")
    yield start, end
    if 2 < len(subject) < 40:
        earlier = re.compile(rf"\b{re.escape(subject)}\b")
        yield from (match.span() for match in earlier.finditer(text, max(0, start - _LONGEST_TEXT), start))


def _supposed(text: str, clauses: _Parts) -> Iterator[Span]:
    for match in _SUPPOSED.finditer(text):
        truth = _TRUTH.search(text, match.end(), match.end() + 120)
        if truth and not _PASSIVE.search(text, max(0, match.start() - 20), match.start()):
            yield clauses.start(match.start()), truth.start()


# What an answer asserts at its end: "It is Paris", "Paris is", "Paris" after a stop.
_LAST = _compile(
    r"(?:[,.;:!?\u2026\n\u2014]|\b(?:but|yet|so)\b)\s*(?:(?:no|now|today|then|and|but|so|yet|really|in\sfact),?\s)*"
    r"(?:(?:it|that|this)(?:\s(?:is|was|must\sbe|has\sto\sbe|should\sbe)|['\u2019]s)\s(?:the\s|called\s)?"
    r"|make\sit\s|\b(?:say|go\swith|choose|pick)\s)"
    r"(?P<called>[^\s,.;:!?]+(?:\s[^\s,.;:!?]+){0,4})[.!]*\s*\Z"
    r"|(?:[,;.]|\b(?:but|yet|and))\s(?:the\s)?(?P<subject>[^\s,.;:!?]+(?:\s[^\s,.;:!?]+){0,4})\s(?:is|was|does"
    r"|did|fits|matches|works)[.!]*\s*\Z"
    r"|(?:[?\u2026\u2014]|\.\.\.|\b(?:truth|reality"
    r"|no)[,:])\s*(?P<bare>[^\s,.;:!?()]+(?:\s[^\s,.;:!?()]+){0,4})[.!]*\s*\Z"
)


_SHORT_TEXT = 80


def last_assertion(text: str) -> Span | None:
    """Return what an English answer asserts in the end, where it asserts a name or a number by itself."""
    if match := _LAST.search(text, max(0, len(text) - 150)):
        start, end = match.span(match.lastgroup or 0)
        shape, words = _shape(text[start:end], (), english=True)
        types = {"N", "D", "p", "w"} if len(text) < _SHORT_TEXT else {"N", "D", "p"}
        if set(shape[::2]) <= types and not all(word.key in _NEUTRAL for word in words):
            return start, end
    return None


def _asked(text: str) -> Iterator[Span]:
    """Yield questions: not "Paris, right?", nor "Is it Paris? Yes."."""
    start = 0
    for match in re.finditer(r"[?.!\n](?=\s|\Z)", text) if "?" in text else ():
        sentence = text[start : match.end()].lstrip()
        is_question = match.group() == "?" and _QUESTION.match(sentence) and not _TAG.search(sentence)
        if is_question and not _YES.match(text, match.end()):
            yield start, match.end()
        start = match.end()


# ---- candidates
#
# The shape of a text has a letter for each word and a mark for each gap between words, so that a regular expression
# finds rows of candidates. Words: N a name, D a number, o "or", a "and", p a small word in names, f another function
# word, b the number of an item, x what is denied, w any other.

_OR_KEYS = frozenset("alternatively else maybe or otherwise perhaps possibly probably versus vs".split())
_AND_KEYS = frozenset("and plus".split())
_NAME_PARTICLES = frozenset("a an da de del der di la le of the van von".split())
_FUNCTION_KEYS = frozenset(
    """about after also am are as at be been before being between both but by can could did do does during either for
    from had has have he her him his how i if in into is it its may me might my neither on our out over she should
    so such than that their them then there these they this those to under up was we were what when where which who
    whom whose will with would you your one it's i'm i'd""".split()
)
_GAPS = (
    ("(", "("), ("/", "/"), (":", ":\uff1a"), (";", ";\n|\uff1b+"), (".", ".?)[]!。\uff01\uff1f"), (",", ",、\uff0c،"),
    ("&", "&"),
)  # fmt: skip
_PARENTHESES = _compile(r"\((?!or\b)[^()\n]*\)")
_WHOLE_PARENTHESIS = re.compile(r"\A\(([^()]*)\)\Z")
_CANDIDATE_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|s)?")
_ROW_JOINT = r"(?:[ ,;.:(]o[ ,](?:[fop][ ,])*|(?: a/o |/|,(?:a )?| a |&|;(?:b[. ])?)(?:p )?)"
_PROPER = "(?:D N D|D(?: [wN])?|N(?: (?:p )*[ND]){0,5})"
_ITEM = f"(?:{_PROPER}(?: w){{0,2}}|w(?: [fpwD]){{0,4}})"
_SPLIT = re.compile(f"{_ROW_JOINT}(?=[NDw])")
# Names and numbers anywhere; items of any kind if they are the whole answer: "One of these: copper, tin, zinc".
_ROW = re.compile(f"{_PROPER}(?:{_ROW_JOINT}{_PROPER})+")
_BARE = re.compile(
    rf"\A(?:[NDfopw](?: [NDfopw]){{0,3}}:)?(?:b[. ])?(?:[fop][ ,])*({_ITEM}(?:{_ROW_JOINT}{_ITEM})+)[.;]?\Z"
)
_TAIL = _compile(
    r"[,.;:]?\s(?:i (?:guess|think|believe|suppose)|(?:are|is) (?:both |all |equally )?(?:possible|plausible|likely)"
    r"|one of (?:these|those|them)|take your pick|you choose|not sure|who knows)[.!?]*\Z"
)
_OFFERS = _compile(
    r"\b(?:possible (?:answers?|options?|candidates?|choices)|(?:are|is|also|equally|both) (?:possible"
    r"|plausible|likely)|candidates?"
    r"|options|possibilities|contenders?|either|unsure|undecided|torn|whether|toss-?up|coin ?flip"
    r"|any of|half of me|shortlist|whichever|tough call|(?:choose|choosing|decide|deciding|flip|coin|pick|torn"
    r"|call|up) between"
    r"|one of (?:these|those|them|the following)|can't (?:decide|choose)|your pick|hard to say)\b"
)
# Several names of one thing: "also known as Mumbai or Bombay".
_NAMING = _compile(
    r"\b(?:aka|alias|called|formerly|known|named|nicknamed|referred|spelled|stands|termed|means?|meaning)\b"
)
_ASKS_SEVERAL = re.compile(
    r"\b(?:what|which|who|where) (?:all |else )?(?:are|were)\b"
    r"|\b(?:which|what) (?:[^\W_]+ ){0,2}?[^\W_]+(?<![uis])s (?:are|were|do|did|have|had|can|use|make|in|of)\b"
    r"|\b(?:name|list|give|mention) (?:[^\W_]+ )?(?:[^\W_]+s|some|all|two|three|[2-9])\b|\b(?:examples?|names"
    r"|types|kinds|some|all) of\b"
    r"|\b(?:the|are|name|list|top|what|which) (?:\w+ )?(?:[2-9]|two|three|four|five|six"
    r"|seven) (?:[^\W_]+ ){0,2}?[^\W_]+s\b"
    r"|\A(?!wh|how|is|are|do|can)(?:[^\W_]+ ){0,2}?[^\W_]+(?<![uis])s (?:of|in|that|who|with|for)\b"
    r"|\bdifferent ways\b"
    r"|\bwho (?:\w+ )?(?:star|starred|stars|acted)\b"
)
_UNCERTAIN = _compile(
    r"\b(?:maybe|perhaps|possibly|(?:could|might|may)(?:\s(?:also|well|equally|just as well"
    r"|just as easily))?\s(?:have\sbeen|be)\b"
    r"|(?:option|candidate|answer|guess|choice)\s(?:\d|[a-c]|one|two)\b|half\sof\sme)"
)
_LABEL = re.compile(r"(?:\A|[.;,\n]\s*)[A-Ea-e][:)]\s")
_SHARE = re.compile(r"\d\s?%")
_INSTEAD = _compile(
    r"\b(?:alternatively|failing\sthat|if\s(?:not|it\s(?:isn['\u2019]t|is\snot))|or\selse|otherwise|(?:another"
    r"|other|second|next|backup"
    r"|alternative|one\smore)"
    r"\s(?:\w+\s)?(?:guess|option|possibility|candidate|choice|contender|answer))\b"
)
_MAY_OFFER = _compile(
    r"\b(?:between|any\sof|half\sof|shortlist|vs|versus)\b|\b[A-E1-5][:.)]\s|[/;&|+?\uff1f\uff1b]|\b(?:or|else"
    r"|maybe|perhaps|possibly|otherwise|alternatively|either|both|could|might"
    r"|may)\b|\d\s?%|[,\n、\uff0c][^,\n、\uff0c]*[,\n、\uff0c]"
    r"|\b(?:option|candidate|possib|guess|choice|another|other|second)"
)
_OR_WORDS = _compile(rf"\b(?:{'|'.join(sorted(_OR_KEYS))})\b")
_PART_END = re.compile(r"[,;\n&、\uff0c،\uff1b]")
_LONGEST_TEXT = 5_000  # Candidates are looked for in so many characters.


class _Word(NamedTuple):
    start: int
    end: int
    key: str
    letter: str
    """What it is in the shape."""


class _Row(NamedTuple):
    """Candidates in a row."""

    items: list[list[_Word]]
    shape: str
    context: str
    """The row and the text around it."""
    is_whole: bool
    """Whether it is the whole answer."""


def open_candidates(
    text: str, hits: Sequence[Span], question: str = "", *, excluded: Sequence[Span] = (), english: bool = True
) -> list[Span]:
    """Return the candidates of a text if it chooses none and every hit, a word of a reference, is among them.

    What is excluded, because it is denied, is no candidate.
    """
    asked = set(re.findall(r"[^\W_]+", question.lower()))
    candidates = [] if "or" in asked else asked
    text = text[:_LONGEST_TEXT]
    spans = _merged(
        (item[0].start, item[-1].end)
        for row in (_rows(text, excluded, english=english) if _may_have_rows(text, english=english) else ())
        if _is_open(row, hits, candidates, question.lower())
        for item in row.items
    )
    if spans and all(contains(spans, start) for start, _ in hits):
        return spans
    return _uncertain(text, hits, asked) if english else []


def may_offer(text: str) -> bool:
    """Return whether a text may name several candidates: a quick test before `open_candidates`."""
    return bool(_MAY_OFFER.search(text))


def _may_have_rows(text: str, *, english: bool) -> bool:
    """Return whether a row of candidates may be open: joined by "or" or a slash, offered, or the whole text.

    A row that is the whole text has no function words, so that most prose is told from it by its last part.
    """
    if (
        not english
        or "/" in text
        or "(" in text
        or _OR_WORDS.search(text)
        or _OFFERS.search(text)
        or _TAIL.search(text)
    ):
        return True
    last = _CANDIDATE_WORD.findall(_PART_END.split(text)[-1])
    return not any(word.islower() and word in _FUNCTION_KEYS for word in last)


def _rows(text: str, excluded: Sequence[Span], *, english: bool) -> Iterator[_Row]:
    tail = _TAIL.search(text)
    shape, words = _shape(text[: tail.start()] if tail else text, excluded, english=english)
    bare = _BARE.search(shape)
    for start, end in [*(row.span() for row in _ROW.finditer(shape)), *([bare.span(1)] if bare else [])]:
        joints = [joint.span() for joint in _SPLIT.finditer(shape, start, end)]
        bounds = pairwise([(start, start), *joints, (end, end)])
        items = [words[behind // 2 : (before + 1) // 2] for (_, behind), (before, _) in bounds]
        context = text[max(0, items[0][0].start - 40) : items[-1][-1].end + 40]
        yield _Row(items, shape[start:end], context, end >= len(shape) - 1 and (bool(bare) or start == 0))


def _shape(text: str, excluded: Sequence[Span], *, english: bool) -> tuple[str, list[_Word]]:
    """Return the shape of a text without what is in parentheses, and its words."""
    text = _WHOLE_PARENTHESIS.sub(r" \1 ", text)
    plain = _PARENTHESES.sub(lambda aside: " " * len(aside.group()), text)
    if plain.rstrip().endswith("?"):
        plain = plain.replace("?", ";")  # Paris? London?
    shape: list[str] = []
    words: list[_Word] = []
    end = 0
    for match in _CANDIDATE_WORD.finditer(plain):
        written, gap = match.group(), plain[end : match.start()]
        mark = " " if gap == " " else next((mark for mark, signs in _GAPS if not set(signs).isdisjoint(gap)), " ")
        before = words[-1] if words else None
        if before and (
            gap == "." or (gap == ". " and before.key == "vs") or (gap == ". " and end - before.start == 1)
        ):  # J. Keats, U.S.
            mark = " "
        elif mark == "," and before and before.letter == "D" and len(before.key) < 3 and len(written) == 4:
            mark = " "  # May 5, 1990
        elif mark == "/" and written.islower() and len(written) < 3 and written not in _OR_KEYS:
            mark = " "  # 54 Mbit/s
        begins = before is None or mark == ";"
        is_excluded = bool(excluded) and contains(excluded, match.start())
        letter = "x" if is_excluded else _letter(written, plain[match.end() :][:2], english=english, begins=begins)
        shape += [mark, letter]
        words.append(_Word(match.start(), match.end(), written.lower(), letter))
        end = match.end()
    return "".join(shape[1:]), words


def _letter(word: str, behind: str, *, english: bool, begins: bool) -> str:
    key = word.lower()
    if word[0].isdigit():
        return "b" if begins and behind in {". ", ") "} else "D"
    if english and (key in _OR_KEYS or key in _AND_KEYS):
        return "a" if key in _AND_KEYS else "o"
    if key in _NAME_PARTICLES and not (word.isupper() and behind[:1] == "."):
        return "p"
    if english and key in _FUNCTION_KEYS and not (word.isupper() and len(word) > 1) and word != "May":
        return "f"
    return "N" if word[0].isupper() or word[0].upper() == word[0].lower() else "w"


def _is_open(row: _Row, hits: Sequence[Span], asked: Collection[str], question: str) -> bool:
    """Return whether a row leaves open which candidate is meant: at most half of them are right."""
    counts = [
        sum(any(word.start < end and start < word.end for start, end in hits) for word in item) for item in row.items
    ]
    needed = [
        sum(word.letter in "ND" for word in item) or sum(word.letter == "w" for word in item) for item in row.items
    ]
    most = max(counts)
    # Right are those with most of the reference's words, or with no others: not Tom Cruise for Tom Hanks.
    is_right = [count == most > 0 or 0 < needed[place] <= count for place, count in enumerate(counts)]
    if most == 0:
        return False
    right = [item for item, is_good in zip(row.items, is_right, strict=True) if is_good]
    wrong = [item for item in row.items if item not in right and not all(word.key in asked for word in item)]
    if all(any(word.letter == "D" for word in item) and not any(word.letter == "N" for word in item) for item in right):
        wrong = [item for item in wrong if any(word.letter == "D" for word in item)]  # 17, or so I read
    if not wrong or len(right) > len(wrong) or _has_units(row) or _NAMING.search(row.context):
        return False
    last = row.items[0][-1]
    if (
        right[0] is row.items[0]
        and last.letter in {"f", "w"}
        and last.key not in asked
        and not any(start <= last.start < end for start, end in hits)
    ):
        return False  # Cats won against dogs or mice
    if "(o" in row.shape and right[0] is row.items[0]:  # Mumbai (or Bombay)
        return False
    if re.search("[o/]", row.shape) or _OFFERS.search(row.context):
        return True
    # A list names more than was asked for; "Paris, Texas, USA" is one place.
    joints = re.sub("[^,;&a]", "", row.shape)
    is_place = right[0] is row.items[0] and joints == ",," and "D" not in row.shape
    is_list = row.is_whole and len(joints) > 1 and "f" not in row.shape and not is_place
    return is_list and not _ASKS_SEVERAL.search(question)


def _has_units(row: _Row) -> bool:
    """Return whether all numbers have words behind them, and not the same: "100 km or 62 miles"."""
    units = set()
    for item in row.items:
        for word, behind in pairwise([*item, _Word(0, 0, "", "")]):
            if word.letter == "D":
                units.add(behind.key if behind.letter in {"w", "N"} else "")
    return len(units) > 1 and "" not in units


def _uncertain(text: str, hits: Sequence[Span], asked: Collection[str]) -> list[Span]:
    """Return the parts that are said to be uncertain if all hits are among them, and another candidate, too."""
    clauses = _Parts(text, _CLAUSE_STOP)
    parts = [(match.end(), clauses.end(match.end() + 1)) for match in _UNCERTAIN.finditer(text)]
    parts += [(match.end(), clauses.end(match.end() + 1)) for match in _LABEL.finditer(text)]
    parts += [(clauses.start(match.start()), clauses.end(match.end())) for match in _SHARE.finditer(text)]
    for match in _INSTEAD.finditer(text):
        end = clauses.end(match.end() + 1)
        parts += [(match.end(), end), (end, clauses.end(end + 1))]
        parts.append((clauses.start(max(0, match.start() - 3)), match.start()))
    spans = _merged(parts)
    if len(parts) < 2 or not all(contains(spans, start) for start, _ in hits):
        return []
    others = [text[start:end] for start, end in parts if not any(start <= hit < end for hit, _ in hits)]
    words = (word for other in others for word in _shape(other, (), english=True)[1])
    is_open = any(word.letter in "NDbw" and word.key not in asked for word in words)
    return spans if is_open else []


# ---- what stands beside an answer

# Words that say nothing about which candidate is meant, so that they may stand beside it.
_NEUTRAL = frozenset(
    """a about according actually all an and answer answers appears approximately around as at be been believe by
    called certainly choose chose clearly conclude conclusion confident correct course definitely exactly final
    finally following for from got guess had has have he her here hers his how i i'd i'll i'm in indeed inside into
    is it it's its known likely ll m me must my name named namely near obviously of ok okay on one option our over
    overall please point pretty re really respond response result right s say says she should simple simply so
    solution specifically started such sure surely that that's the their them there therefore these they think this
    those thus to true undoubtedly up us ve very was we well were what which who will with would yes you your quite
    ends equals hence course hello hi thanks thank question asked happy help found find see here's located happened
    occurred took place year date city country person people value total number amount percent dollars dollar usd
    euros euro km kilometers miles meters degrees celsius years days hours minutes captain dame doctor dr emperor
    general jr king lady lord miss mr mrs ms pope president prince princess prof professor queen saint sir sr
    st""".split()
)
_SYMBOL = re.compile("[~=\u2260\u00ac\u2200-\u22ff\u2190-\u21ff\u2600-\u27bf\U0001f300-\U0001faff]|<(?:del|s|strike)>")
_ANY_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|\S")
_CLOSING = " \t\n*_\"')]}\u201d\u2019.!"


def asks_back(text: str, references: Iterable[str]) -> bool:
    """Return whether a text is one question, and no reference has the mark: not "Paris, right?"."""
    end = text.rstrip(_CLOSING)
    is_question = end.endswith(("?", "\uff1f", "\u061f")) and not any(end[-1] in reference for reference in references)
    return is_question and not _TAG.search(end) and not _SENTENCE_STOP.search(end, 0, len(end) - 1)


def asks(text: str, hits: Iterable[Span], references: Iterable[str]) -> bool:
    """Return whether a text ends in a question mark or asks for one of its hits, and no reference has the mark."""
    text = text.replace("\uff1f", "?").replace("\u061f", "?")
    if any("?" in reference for reference in references):
        return False
    sentences = _Parts(text, _SENTENCE_STOP)
    is_asked = (text[sentences.end(start) :][:1] == "?" for start, _ in hits)
    return text.rstrip(_CLOSING).endswith("?") or any(is_asked) or bool(_INVERTED.match(text))


_INVERTED = _compile(r"\W*(?:is|was|are|were|could|might|would|can|did|does)\s(?:it|that|this|he|she|they|the)\b")


def has_symbol(text: str, references: Iterable[str]) -> bool:
    """Return whether a text has a symbol that may change its meaning, and no reference has it."""
    symbols = {match.group() for match in _SYMBOL.finditer(text)}
    return not all(any(symbol in reference for reference in references) for symbol in symbols)


def words_beside(text: str, hits: Sequence[Span], question: str, references: Sequence[str]) -> list[str]:
    """Return the words of a text that are neither hits, of the question or a reference, nor neutral."""
    asked = re.findall(r"[^\W_]+", question.lower())
    for place in [place for place, word in enumerate(asked) if word == "or"]:  # Paris or London?
        asked[max(0, place - 3) : place + 4] = [""] * len(asked[max(0, place - 3) : place + 4])
    own = " ".join(references)
    spoken = {*re.findall(r"[^\W_]+", own.lower()), *(set(asked) - NEGATIONS)}
    beside = []
    for match in _ANY_WORD.finditer(text):
        word = match.group().lower().replace("\u2019", "'")
        is_own = any(match.start() < end and start < match.end() for start, end in hits)
        if is_own or word in spoken or word in _NEUTRAL or word.removesuffix("'s") in spoken:
            continue
        if word[0].isalnum():
            beside.append(match.group())
    return beside
