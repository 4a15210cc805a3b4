"""Whether an answer commits to one candidate: what it denies, takes back or asks, and what it merely offers.

`denied` finds the parts of a text that it does not assert: "not Paris", "Paris? No, London", "I thought of Paris, but".
`open_candidates` finds candidates of which an answer chooses none: "Paris or London", "Maybe Paris. Maybe Rome."
`words_beside` lists what stands beside an answer, for `beside="neutral"`. All of them work on the characters of a text.
Marks count in every language, words in English; `languages.py` has what other languages deny, their "or" and "maybe".
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from answer_metrics.matching.clauses import (
    CLAUSE_STOP,
    SENTENCE_STOP,
    Parts,
    Span,
    compile_phrases,
    contains,
    merged,
    overlaps,
    word_set,
)
from answer_metrics.matching.languages import MAYBE, OR_WORDS, TAGS
from answer_metrics.matching.words import FUNCTION_WORDS, TITLES, Text

# ---- what is denied, taken back or asked

NEGATIONS = word_set("cannot neither never no nor not without")
_IS = r"\b(?:are|be|(?:has|have|had) been|is|was|were|sounds|seems|looks|proved|turned out)\b"


def _cues_of(phrases: str) -> frozenset[str]:
    """Return the rarest word of each phrase, without which it does not occur; phrases are separated by "|"."""
    words = (re.findall(r"(?<!['(\\])\b[a-z]+\b(?!')", phrase) for phrase in phrases.split("|"))
    return frozenset(max(phrase, key=lambda word: (word not in FUNCTION_WORDS, len(word))) for phrase in words)


_UNTRUE = (
    "wrong|incorrect|false|mistaken|untrue|impossible|ruled out|excluded|eliminated|rejected|dismissed|discarded"
    "|refuted|disproved|debunked|out of the question|mistake|myth|misconception|error|red herring|decoy|trap|lie|hoax"
    "|ludicrous|absurd|nonsense|second guess|second choice"
)
_MISFIT = (
    "fit|match|work|apply|qualify|count|hold|make sense|belong|meet|satisfy|answer|add up|hold up|square|check out"
)
# What denies the words after it.
_DENIES_NEXT = (
    "replace|replaced|replaces|swap|swap out|in contrast to|in contrast with|in stark contrast to"
    "|in sharp contrast to|far from|refuse to|refuses to|refused to|decline to|declines to|declined to|instead of"
    "|in place of|rather than|in lieu of|as opposed to|unlike|contrary to|except(?!\\sthat)|except for|excluding"
    "|apart from|aside from|anything but|everything but|anyone but|everyone but|all but|doubt|doubts|doubtful|deny"
    "|denies|denied|reject|rejects|dispute|disputes|refute|refutes|hardly|scarcely|unlikely|lack|lacks|lacked|lacking"
    "|beware of|forget|ignore|disregard|excludes|exclude|rule out|rules out|ruled out|ruling out|eliminate"
    "|eliminating|nobody|none|nothing|false that|false to|untrue that|wrong that|wrong to|incorrect that"
    "|incorrect to|mistake to|error to|myth that|misconception that|false claim that|wrong answer is|wrong answer was"
    "|wrong answer would be|wrong answer here is|wrong choice is|wrong one is|wrong guess is|incorrect answer is"
    "|false answer is|confuse it with|confuse with|confused with|confuses with|mistaken for|mistook it for"
    "|mistake it for|other than|as though|you wrote|you said|you claimed|you suggested|often write|often guess"
    "|often answer|sooner than|possible answers include|see also|cf\\."
)
_COMPARED = (
    r"\bas if\b|\bthan(?= (?:an?|that|the|this) | (?-i:[A-Z])| \d"
    r"| (?:two|three|four|five|six|seven|eight|nine|ten|call|say|name|pick|choose|accept)\b)"
)
_AFFIRMED_CUES = NEGATIONS | word_set("none nobody nothing")
# What cancels a negation: "not only Paris", "no doubt", "none other than Paris", "I wouldn't say it isn't Paris".
_AFFIRMED = compile_phrases(
    r"(?:\b(?:cannot|never|not|no|without|none|nobody|nothing|no one)|n't) (?:(?:just|merely|only|simply"
    r"|necessarily(?= (?-i:[a-z]))|until|but|(?:other|else|less|fewer|later)(?: than)?)\b"
    r"|(?:\w+ ){0,3}?(?:\w+n't|not)\b|(?:\w+ ){0,6}?(?:except"
    r"|(?:better|other) (?:\w+ )?than|(?:anyone|anything) (?:but|else))\b|(?:\w+ ){0,2}?(?:doubt|deny|dispute|question"
    r"|wrong|false|incorrect|unlikely|impossible|mistak\w+|myth|misconception|secret|wonder|ifs|kidding|objection\w*|reservation\w*|ruled"
    r"|refute|exclude|reject|duda|otr[oa])\w*)|(?<![:(,.?!] )\bno\.? ?(?=[#\d])"
    r"|(?<=\bdr )no\b|(?<=\bdr\. )no\b|(?<=\bdoctor )no\b"
)
_SCOPE = re.compile(r"[ \t\"\u201c\u2018'*_(\[]*(?:\W*[\w'\u2019.-]+){1,8}")
_SCOPE_START = re.compile(r"(?:, as [^,]+,)?[ \t\"\u201c\u2018'*_(\[]*")
_SCOPE_END = compile_phrases(
    r"\b(?:after|because|before|but|so|than|therefore|unless|until|(?<!d )(?<!o )(?:put|say|use|write))\b"
)
_COMPARED_END = compile_phrases(r"\b(?:after|because|before|but|so|unless|until|is|are|was|were)\b|(?<=\d) ")
_SWAPPED_END = compile_phrases(r"\b(?:by|for|with)\b")
_ENDS = {"than": _COMPARED_END, "repl": _SWAPPED_END, "swap": _SWAPPED_END}
_BE_BEFORE = compile_phrases(rf"{_IS} ?\Z")
# Subjects that stand for the sentence before: "That does not match".
_NO_CANDIDATES = word_set(
    "all both but everyone everybody many most people so some that these they this those though yet"
)
_CORRECTED = (
    "wait|no, wait|hold on|correction|scratch that|strike that|never mind|nevermind|on second thought"
    "|on second thoughts|upon reflection|on reflection|i mean|i meant|make that|i take it back|i take that back"
    "|i took it back|i was wrong|i am wrong|i was mistaken|i am mistaken|i misspoke|i retract|i stand corrected"
    "|my mistake|my bad|let me correct|let me rephrase|let me revise|let me fix|oops|the correct answer"
    "|the right answer|my final answer|the final answer|the true answer|the real answer|the actual answer"
    "|the correct one|the right one|the correct choice|the right choice|edit"
)
CORRECTION = compile_phrases(
    r"(?:\A|[.!?\u2026,;:()\-\u2013\u2014\n])\s*(?:(?:no|oh|ah|hm+|well|but|or|oops|sorry),? )?(?:"
    + _CORRECTED
    + r"|actually\b(?=,? (?:it|no|yes|that|the answer|i)\b))\b(?!\W*(?:yes|that's right)\b)"
    r"|\bor rather\b|\bchanged my mind\b"
)
"""What takes back all that stands before it."""
_NO = compile_phrases(
    r"[?,;\-\u2013\u2014\u2026.]\s*(?:(?:oh|well|hm+|wait|ah),? )?(?:no|nope|nah|wrong|not(?!,))\b"
    r"(?=\s*(?:[,.:;!\-\u2013\u2014]|\Z))"
)
# What somebody supposed before the truth: "I thought it was Paris, but …", "Some say Paris. Others …".
_SUPPOSED = compile_phrases(
    r"\b(?:thought|believed|assumed|guess(?:ed)?|suspected|mist(?:ake|aken|ook)|tempt(?:ed|ing)"
    r"|(?:i|we) (?:first )?considered|(?:used to|some|many|most|people|would|often) (?:\w+ )?"
    r"(?:believe|say|think|assume|credit|name|answer|guess)(?:e?d)?)\b"
)
_SUPPOSING = """thought believe believed assume assumed guess guessed suspected mistake mistaken mistook tempted
    tempting considered say think credit credited name named answer answered"""
_PASSIVE = compile_phrases(r"\b(?:is|are) (?:\w+ )?\Z")
_TRUTH = compile_phrases(
    r"\b(?:actually|but|however|yet|in (?:fact|truth|reality)|the truth|others|really|now|until|turn(?:ed|s) out)\b"
)
_QUESTION = compile_phrases(
    r"(?:so |maybe |perhaps )?(?:is|are|was|were|did|does|do|could|can|might|may|would|should|will|what|how|isn't"
    r"|wasn't|who|which|where|when|why)\b"
)
_TAG = compile_phrases(
    r"(?:[,\uff0c\u060c]\s*\u00bf?| \u00bf)(?:right|correct|yes|no|eh|if i'm not mistaken"
    r"|(?:is|was|did|does|do|are|were)n't (?:it|he|she|they|that)"
    rf"|{TAGS})\s?[?\uff1f\u061f]\Z|(?<=[\uc8e0\u306d])[?\uff1f]\Z"
)
_YES = compile_phrases(r"\s*(?:because(?! of)|yes|yeah|yep|correct|right|indeed|exactly|of course|certainly)\b")
_JUDGED = compile_phrases(
    r"[:=|>(\u2192\u21d2\u2014]\s*[*_\"]*(?:no|false|wrong|incorrect|rejected|fail(?:ed)?)\b"
    r"(?=[ \t*_\")]*(?:[|;.\n]|,[^,:=\n]+[:=]|\Z))"
)
_NOUNS = "(?:answer|candidate|choice|guess|option|pick|place)s?"
_OUT = "(?:discarded|eliminated|excluded|incorrect|rejected|ruled[ _]out|wrong)"
# A key, tag, heading or rank before a candidate: "Runner-up: Rome", {"rejected": ["Rome"]}, "## Wrong answers".
_LABEL = compile_phrases(
    rf"\"[\w ]*{_OUT}\w*\"\s*:|<{_OUT}>|(?:\A|[\n.;])\W*(?:\w+ )?(?:{_OUT} {_NOUNS}|(?:rejected|not)(?= ?:))\W*?[:\n]"
    rf"|\b(?:runner-up|(?:second|third|2nd|3rd) {_NOUNS})(?::| (?:is|was|would be)\b)"
)
_LABELED = re.compile(r'\s*(?:\[[^\]]*\]|"[^"\n]*"|(?:[-*] [^\n]+\s*)+|(?:[^\n;<}|.]|\.(?!\s))*)')
_LINE_STOP = re.compile(r"[\n;|\u2713\u2714\u2705\U0001f44d]|(?<!\d),\s|(?<=\d\d\d\d),\s|[.!?]\s")


class _Scopes:
    """A text with its clauses and sentences, and what cues in it deny."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def clauses(self) -> Parts:
        return Parts(self.text, CLAUSE_STOP)

    @cached_property
    def sentences(self) -> Parts:
        return Parts(self.text, SENTENCE_STOP)

    def next(self, match: re.Match[str]) -> Iterator[Span]:
        """Yield the words after a cue, eight words of its clause, up to a turn; "Sydney is not": the names before."""
        place = match.end()
        start = _SCOPE_START.match(self.text, place)
        if reach := _SCOPE.match(self.text, place):
            end = min(reach.end(), self.clauses.end(start.end() if start else place))
            turn = _ENDS.get(match.group().lower()[:4], _SCOPE_END).search(self.text, place, end)
            yield place, turn.start() if turn and turn.start() > place + 1 else end
        is_negation = match.group().lower() in NEGATIONS or match.group()[-1] == "t"
        if is_negation and _BE_BEFORE.search(self.text, max(0, match.start() - 12), match.start()):
            start_of_clause = self.clauses.start(match.start())
            names = re.compile(r"\b[^\W\d_]\w*").finditer(self.text, start_of_clause, match.start())
            yield from (word.span() for word in names if word[0][0].isupper())

    def subject(self, match: re.Match[str]) -> Iterator[Span]:
        """Yield a subject, and where a short one stands before: "Paris or Rome? Paris does not fit"."""
        end = match.start()
        start = self.clauses.start(end)
        subject = self.text[start:end].strip(" *_'\"")
        words = re.findall(r"[^\W_]+", subject.lower())
        if _NO_CANDIDATES.issuperset(words) and words:
            yield self.sentences.start(end, before=1), end
        elif not words or words[0] in {"as", "which"} or (words[0] == "and" and match[0][:3] in {"do ", "don"}):
            # "Paris, as some claim, is a mistake"; "Rome, Oslo, and Paris do not fit"
            yield self.clauses.start(end, before=2), end
        yield start, end
        if 2 < len(subject) < 40:
            earlier = re.compile(rf"\b{re.escape(subject)}\b")
            yield from (match.span() for match in earlier.finditer(self.text, max(0, start - _LONGEST_TEXT), start))

    def sentence(self, match: re.Match[str]) -> Iterator[Span]:
        yield self.sentences.start(match.start()), match.start()

    def before(self, match: re.Match[str]) -> Iterator[Span]:
        yield 0, match.start()

    def whole(self, match: re.Match[str]) -> Iterator[Span]:
        yield match.span(match.lastindex or 0)

    def supposed(self, match: re.Match[str]) -> Iterator[Span]:
        truth = _TRUTH.search(self.text, match.end(), match.end() + 120)
        if truth and not _PASSIVE.search(self.text, max(0, match.start() - 20), match.start()):
            yield self.clauses.start(match.start()), truth.start()

    def judged(self, match: re.Match[str]) -> Iterator[Span]:
        """Yield what a verdict stands behind, "Paris: no", or a cross before."""
        end = len(self.text[: match.start()].rstrip(" |*_"))
        stops = [stop.end() for stop in _LINE_STOP.finditer(self.text, max(0, end - 100), end)]
        start = stops[-1] if stops else max(0, end - 100)
        if re.search(r"\w", self.text[start:end]):
            yield start, end
        else:
            stop = _LINE_STOP.search(self.text, match.end() + 3)
            yield match.end(), stop.start() if stop else len(self.text)

    def labeled(self, match: re.Match[str]) -> Iterator[Span]:
        yield from (labeled.span() for labeled in [_LABELED.match(self.text, match.end())] if labeled)

    def asked(self, match: re.Match[str]) -> Iterator[Span]:
        """Yield a question: not "Paris, right?", nor "Is it Paris? Yes."."""
        start = self.sentences.start(match.start())
        sentence = self.text[start : match.end()].lstrip()
        if _QUESTION.match(sentence) and not _TAG.search(sentence) and not _YES.match(self.text, match.end()):
            yield start, match.end()


class _Rule(NamedTuple):
    """What denies a part of a text."""

    cues: frozenset[str]
    """The words and marks of which the pattern needs one."""
    pattern: re.Pattern[str]
    part: Callable[[_Scopes, re.Match[str]], Iterator[Span]]
    may_repeat: bool = True
    """Whether it denies, too, if the question or the reference has its words: "What do they lack?"."""


_NEGATION_RULE = _Rule(
    NEGATIONS, compile_phrases(r"(?<!\w)(?:cannot|neither|never|nor|not|no|without)(?!\w)|n't\b"), _Scopes.next
)
_RULES = (
    _NEGATION_RULE,
    _Rule(
        _cues_of(_DENIES_NEXT) | {"than", "if"},
        compile_phrases(rf"(?<!\w)(?:{_DENIES_NEXT})(?!\w)|{_COMPARED}"),
        _Scopes.next,
        may_repeat=False,
    ),
    _Rule(
        _cues_of(_UNTRUE) | {"not", "cannot"},
        compile_phrases(
            rf"{_IS} (?!not\b)(?:\w+ ){{0,3}}?(?:{_UNTRUE})\b"
            r"|\b(?:is|was)(?:n't| not) (?:it(?!\?)|right|correct|true|possible|likely|the (?:\w+ )?(?:answer|one))\b"
            rf"|\b(?:do|does|did|would|can|could)(?:n't| not) (?:quite ){{0,1}}(?:{_MISFIT})\b|\bcan(?:no|')t be\b"
        ),
        _Scopes.subject,
        may_repeat=False,
    ),
    _Rule(
        word_set("doubt confirm verify same think sure unsure idea know"),
        compile_phrases(
            r"(?<!\?)\?{1,3}\s+(?:i'm |i am )?(?:not sure|unsure|no idea|(?:i )?do(?:n't| not) know)\b"
            r"|(?:[?!.]\s+i )?\b(?:doubt (?:it|that|this|so)|do(?:n't| not) think so)\b"
            r"|(?:cannot|n't) (?:confirm|verify) (?:it|that|this)\b|(?:not|n't) the same\b"
        ),
        _Scopes.sentence,
        may_repeat=False,
    ),
    _Rule(word_set("no nope nah wrong not"), _NO, _Scopes.sentence),
    _Rule(word_set("no false wrong incorrect rejected fail failed"), _JUDGED, _Scopes.judged),
    _Rule(
        word_set("discarded eliminated excluded incorrect nd not rd rejected ruled runner second third wrong"),
        _LABEL,
        _Scopes.labeled,
        may_repeat=False,
    ),
    _Rule(_cues_of(_CORRECTED) | {"actually", "rather", "changed"}, CORRECTION, _Scopes.before),
    _Rule(word_set(_SUPPOSING), _SUPPOSED, _Scopes.supposed),
    _Rule(frozenset("?\uff1f"), re.compile(r"[?\uff1f](?=\s|\Z)"), _Scopes.asked),
    _Rule(
        word_set("~ < [ ranking ranked best most"),
        compile_phrases(
            r"~~.+?~~|<(?:del|s|strike)>.+?</(?:del|s|strike)>|\[ \][^\n]*"
            r"|\b(?:ranking|ranked|best to worst|most to least)\b[^\n:]*:\s*1[.)](?s:.*?)(\s2[.)](?s:.*))"
        ),
        _Scopes.whole,
    ),
    _Rule(frozenset("\u2717\u2718\u274c\U0001f44e"), re.compile("[\u2717\u2718\u274c\U0001f44e]"), _Scopes.judged),
)
_DENIAL_CUES = frozenset[str]().union(*(rule.cues for rule in _RULES))
_DENIAL_MARKS = re.compile("[?~<[\uff1f\u2717\u2718\u274c\U0001f44e]")


def may_deny(text: str, words: frozenset[str]) -> bool:
    """Return whether a text may deny something: a quick test before `denied`."""
    return not _DENIAL_CUES.isdisjoint(words) or bool(_DENIAL_MARKS.search(text))


def denied(text: str, question: Collection[str], reference: Collection[str], words: frozenset[str]) -> list[Span]:
    """Return the parts of an English text that it denies, takes back or asks.

    The words of the question and the reference deny nothing: "Which animal is not a mammal?" `words` are those of the
    text. All words are in lower case, and "n't" is "not".
    """
    cues = _DENIAL_CUES & words.union(_DENIAL_MARKS.findall(text))
    scopes = _Scopes(affirmed(text, words)) if cues else _Scopes("")
    spans: list[Span] = []
    for rule in (rule for rule in _RULES if not rule.cues.isdisjoint(cues)):
        for match in rule.pattern.finditer(scopes.text):
            if _denies(rule, match, scopes, question, reference):
                spans += rule.part(scopes, match)
    return merged(spans)


def affirmed(text: str, words: Collection[str]) -> str:
    """Blank negations that are canceled, so that places stay the same: "not only", "none other than", ", no?"."""
    if _AFFIRMED_CUES.isdisjoint(words):
        return text
    blank = _TAG.sub(lambda tag: " " * len(tag.group()), text)
    return _AFFIRMED.sub(lambda phrase: " " * len(phrase.group()), blank)


def _denies(
    rule: _Rule, match: re.Match[str], scopes: _Scopes, question: Collection[str], reference: Collection[str]
) -> bool:
    """Return whether a cue denies: not in a title, nor where the question or the reference has it."""
    if not rule.may_repeat:
        return not _repeats(match.group(), {*question, *reference})
    if rule is not _NEGATION_RULE:
        return True
    start, end = match.span()
    is_title = scopes.text[start].isupper() and start > scopes.clauses.start(start) + 1  # Love Me Not
    if is_title or not NEGATIONS.isdisjoint(reference):
        return False
    scope = scopes.text[end : min(scopes.clauses.end(end), end + 80)]
    return NEGATIONS.isdisjoint(question) or not _repeats(scope, question)


def _repeats(cue: str, words: Collection[str]) -> bool:
    """Return whether a cue repeats a word that is not too short to tell."""
    return any(word in words and word not in _FUNCTION_KEYS for word in re.findall(r"[^\W_]{3,}", cue.lower()))


# ---- candidates
#
# The shape of a text has a letter for each word and a mark for each gap between words, so that a regular expression
# finds rows of candidates. Words: N a name, D a number, o "or", a "and", p a small word in names, f another function
# word, b the number of an item, x what is denied, w any other.

_OR_KEYS = word_set("alternatively else maybe or otherwise perhaps possibly probably versus vs xor")
_AND_KEYS = word_set("and plus")
_NAME_PARTICLES = word_set("a an da de del der di la le of the van von")
_FUNCTION_KEYS = FUNCTION_WORDS | word_set("ah both either else hm hmm neither oh one it's i'm i'd")
_GAPS = [(mark, frozenset(signs)) for mark, signs in (
    ("(", "("), ("/", "/"), (":", ":\uff1a"), (";", ";\n|\uff1b+"), (".", ".?)[]!。\uff01\uff1f"),
    (",", ",、\uff0c،"), ("&", "&"),
)]  # fmt: skip
_PARENTHESES = compile_phrases(r"\((?!or\b)[^()\n]*\)")
_WHOLE_PARENTHESIS = re.compile(r"\A\(([^()]*)\)\Z")
_CANDIDATE_WORD = re.compile(
    r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*"
    r"|(?:(?<!\d,)\d+,\d+(?![\d,])|\d+(?:[.:/-]\d+|,(?:\d\d,)*\d{3}(?!\d))*)(?:st|nd|rd|th|s)?"  # not 2,5,9
)
_ITEM_END_MARK = re.compile(r"[.)] (?!or|alt)", re.IGNORECASE)
_ROW_JOINT = r"(?:[ ,;.:(]o[ ,](?:[fop][ ,])*|(?: a/o |/|,(?:a )?| a |&|;(?:b[. ])?)(?:p )?)"
_PROPER = "(?:D N D|D(?: [wN])?|N(?: (?:p )*[ND]){0,5})"
_ITEM = f"(?:{_PROPER}(?: w){{0,2}}|w(?: [fpwD]){{0,4}})"
_SPLIT = re.compile(f"{_ROW_JOINT}(?=[NDw])")
# Names and numbers anywhere; items of any kind if they are the whole answer: "One of these: copper, tin, zinc".
_ROW = re.compile(f"{_PROPER}(?:{_ROW_JOINT}{_PROPER})+")
_BARE = re.compile(
    rf"\A(?:[NDfopw](?: [NDfopw]){{0,3}}:)?(?:b[. ])?(?:[fop][ ,])*({_ITEM}(?:{_ROW_JOINT}{_ITEM})+)[.;]?\Z"
)
_CHOICE, _ITEM_COMMA = re.compile(r"(?:[ ,](?:a/)?o[ ,]|/)(?:[fop][ ,])*"), re.compile("[,;](?:[afop] )*")
_THREE = re.compile(",(?:[fp] )*[NDw][^,]*[ ,]o[ ,]")  # Paris, Rome or Oslo; but not: Paris, or so I read
_TRADES = re.compile("/w(?: w)* N")  # singer/songwriter Carole King
_NO_CHOICE = re.compile(r"<|//|\S/\s|\s/\S")  # </b>, https://, w/ and w/o
_LONGEST_ITEM = 5
_PROSE_KEYS = _FUNCTION_KEYS - _NAME_PARTICLES - _OR_KEYS - _AND_KEYS
_LEADING_KEYS = _FUNCTION_KEYS | _NAME_PARTICLES | _OR_KEYS | _AND_KEYS
_OFFER = (
    "possible answers|possible answer|possible option|possible choices|are possible|are plausible|are likely"
    "|is possible|is plausible|also possible|also plausible|both possible|both plausible|both likely|equally likely"
    "|equally possible|equally plausible|candidates|candidate|options|possibilities|contenders|contender|either"
    "|unsure|undecided|torn|whether|toss-up|tossup|coin-flip|flip a coin|choose between|choosing between"
    "|decide between|deciding between|flip between|coin between|pick between|torn between|call between|up between"
    "|forth between|any of|half of me|shortlist|whichever|tough call|one of these|one of those|one of them"
    "|one of the following|guesses|can't decide|can't choose|your pick|hard to say"
)
_OFFER_CUES = _cues_of(_OFFER)
_OFFERS = compile_phrases(rf"\b(?:{_OFFER})\b|\A\W*both\b")
# Several names of one thing: "also known as Mumbai or Bombay".
_NAMING = compile_phrases(
    r"\b(?:aka|alias|called|formerly|known|named|nicknamed|referred|spelled|stands|termed|means?|meaning)\b"
)
_ASKS_SEVERAL = re.compile(
    r"\b(?:what|which|who|where) (?:all |else )?(?:are|were)\b"
    r"|\b(?:which|what) (?:[^\W_]+ ){0,2}?[^\W_]+(?<![uis])s (?:are|were|do|did|have|had|can|use|make|in|of)\b"
    r"|\b(?:name|list|give|mention) (?:[^\W_]+ )?(?:[^\W_]+s|some|all|two|three|[2-9])\b"
    r"|\b(?:examples?|names|types|kinds|some|all) of\b|\bdifferent ways\b"
    r"|\bwho (?:\w+ )?(?:star|starred|stars|acted)\b|\b(?:the|are|name|list|top|what|which) (?:\w+ )?"
    r"(?:[2-9]|two|three|four|five|six|seven) (?:[^\W_]+ ){0,2}?[^\W_]+s\b"
    r"|\A(?!wh|how|is|are|do|can)(?:[^\W_]+ ){0,2}?[^\W_]+(?<![uis])s (?:of|in|that|who|with|for)\b"
)
_MAY_BE = r"(?:could|might|may)(?: (?:also|well|equally|just as well|just as easily))? (?:have been|be)\b"
_COULD_BE = compile_phrases(rf"\b{_MAY_BE}")
_UNCERTAIN = compile_phrases(
    rf"\b(?:{MAYBE}|maybe|perhaps|possibly"
    rf"|{_MAY_BE}"
    r"|(?:option|candidate|answer|guess|choice) (?:\d|[a-c]|one|two)\b|half of me)|(?:\A|[.;,\n]\s*)[A-E][:)] "
)
_INSTEAD = compile_phrases(
    r"\b(?:alternatively|failing that|if (?:not|it (?:isn't|is not))|or else|otherwise|or (?:is|was|could|might) it"
    r"|(?:another|other|second|next|backup|alternative|one more) (?:\w+ )?"
    r"(?:guess|option|possibility|candidate|choice|contender|answer))\b"
)
_UNCERTAIN_CUES = word_set(
    """maybe perhaps possibly could might may option candidate answer guess choice half alternatively failing if else
    otherwise possibility contender or"""
).union(Text(phrase, english=False).keys[0] for phrase in MAYBE.split("|"))
_OPTION = re.compile(r"[a-eA-E][:)]\s")
_LIST_MARKS = re.compile("[,;\n&|\u3001\uff0c]")
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
    is_offered: bool = False
    """Whether the answer offers its items in so many words, so that they are candidates of whatever kind."""


def open_candidates(
    text: str, hits: Sequence[Span], question: str = "", *, excluded: Sequence[Span] = (), english: bool = True
) -> list[Span]:
    """Return the candidates of a text if it chooses none and every hit, a word of a reference, is among them.

    What is excluded, because it is denied, is no candidate.
    """
    asked = set(re.findall(r"[^\W_]+", question.lower()))
    candidates = [] if "or" in asked else asked
    text = text[:_LONGEST_TEXT]
    spans = merged(
        (item[0].start, item[-1].end)
        for row in _rows(text, excluded, english=english)
        if _is_open(row, hits, candidates, question.lower())
        for item in row.items
    )
    if spans and all(contains(spans, start) for start, _ in hits):
        return spans
    return _uncertain(text, hits, asked, excluded)


def may_offer(text: str, words: frozenset[str], *, english: bool) -> bool:
    """Return whether a text may name several candidates: a quick test before `open_candidates`.

    They are joined by "or" or a slash, offered in words, or listed; prose has function words in its last part.
    """
    if not english or not (_OR_KEYS | OR_WORDS).isdisjoint(words) or "/" in text or "?" in text or "both" in words:
        return True
    if not _OFFER_CUES.isdisjoint(words) and _OFFERS.search(text):
        return True
    if not _UNCERTAIN_CUES.isdisjoint(words) and (len(_UNCERTAIN.findall(text)) > 1 or _INSTEAD.search(text)):
        return True
    *parts, last = _LIST_MARKS.split(text)
    is_list = (
        len(parts) > 1
        or " b) " in text.lower()
        or (bool(parts) and (any(mark in text for mark in ';\n"') or text[0].isdigit()))
    )
    return is_list and " and " not in last and _may_be_list(text)


def _may_be_list(text: str) -> bool:
    """Return whether a text is no prose: behind a heading and its first words, it has no function words."""
    text = _PARENTHESES.sub(" ", _WHOLE_PARENTHESIS.sub(r"\1", text)) if "(" in text else text
    words = _CANDIDATE_WORD.findall(text, text.find(":") + 1)
    first = next((at for at, word in enumerate(words) if word.lower() not in _LEADING_KEYS), len(words))
    return _PROSE_KEYS.isdisjoint(words[first:])


def _rows(text: str, excluded: Sequence[Span], *, english: bool) -> Iterator[_Row]:
    shape, words = _shape(text, excluded, english=english)
    bare = _BARE.search(shape)
    for start, end in [*(row.span() for row in _ROW.finditer(shape)), *([bare.span(1)] if bare else [])]:
        joints = [joint.span() for joint in _SPLIT.finditer(shape, start, end)]
        bounds = pairwise([(start, start), *joints, (end, end)])
        items = [words[behind // 2 : (before + 1) // 2] for (_, behind), (before, _) in bounds]
        context = text[max(0, items[0][0].start - 40) : items[-1][-1].end + 40]
        yield _Row(items, shape[start:end], context, end >= len(shape) - 1 and (bool(bare) or start == 0))
    if english and words and (offered := _offered(text, shape, words)):
        yield offered


def _offered(text: str, shape: str, words: list[_Word]) -> _Row | None:
    """Return what a whole answer offers in words, or as "A/B" and "A and/or B", whatever kind of words that is."""
    first = next((at for at, word in enumerate(words) if word.letter not in "fop" and word.key not in _OFFER_CUES), 0)
    lead, rest = text[: words[first].start], shape[2 * first :].rstrip(".;")
    if not set(".:;(").isdisjoint(rest):
        return None
    joints = [joint.span() for joint in _CHOICE.finditer(rest)]
    if joints and "," in rest[joints[-1][1] :] and words[0].key == "whether":  # whether big or small, Paris
        return None
    if not joints and lead.rstrip().endswith(":") and rest.count(",") > 1:  # One of these: Rome, Oslo, Paris
        joints = [joint.span() for joint in _ITEM_COMMA.finditer(rest)]
    bounds = pairwise([(0, 0), *joints, (len(rest), len(rest))])
    items = [words[first + behind // 2 : first + (before + 1) // 2] for (_, behind), (before, _) in bounds]
    items = [item for item in items if any(word.letter in "NDw" for word in item)]
    if not items or any(word.letter == "f" for item in items for word in item):
        return None
    is_offered = bool(_OFFERS.search(lead) or (_COULD_BE.search(lead) and _THREE.search(rest)))
    if not is_offered and "/" in rest and "," not in rest and not (_NO_CHOICE.search(text) or _TRADES.search(rest)):
        is_offered = all(len(item) <= _LONGEST_ITEM for item in items)
    return _Row(items, rest, text, is_whole=True, is_offered=True) if is_offered else None


def _shape(text: str, excluded: Sequence[Span], *, english: bool) -> tuple[str, list[_Word]]:
    """Return the shape of a text without what is in parentheses, and its words."""
    text = _WHOLE_PARENTHESIS.sub(r" \1 ", text)
    plain = _PARENTHESES.sub(lambda aside: " " * len(aside.group()), text)
    shape: list[str] = []
    words: list[_Word] = []
    end = 0
    for match in _CANDIDATE_WORD.finditer(plain):
        written, gap = match.group(), plain[end : match.start()]
        marks = () if gap == " " else (mark for mark, signs in _GAPS if not signs.isdisjoint(gap))
        mark = ";" if gap == '", "' else next(iter(marks), " ")
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
        behind = plain[match.end() : match.end() + 5]
        letter = "x" if is_excluded else _letter(written, behind, english=english, begins=begins)
        if letter == "b" and words:  # a) Paris b) London
            mark = ";"
        shape += [mark, letter]
        words.append(_Word(match.start(), match.end(), written.lower(), letter))
        end = match.end()
    return "".join(shape[1:]), words


def _letter(word: str, behind: str, *, english: bool, begins: bool) -> str:
    key = word.lower()
    if len(word) == 1 and word in "abcdeABCDE" and behind.startswith(")"):
        return "b"
    if word[0].isdigit():
        return "b" if begins and len(word) < 3 and _ITEM_END_MARK.match(behind) else "D"
    if key in OR_WORDS or (key == "o" and not english):
        return "o"
    if english and (key in _OR_KEYS or key in _AND_KEYS):
        return "a" if key in _AND_KEYS else "o"
    is_letter = word.isupper() and (len(word) > 1 or behind.startswith((".", ",", "/", " or")))
    if key in _NAME_PARTICLES and not is_letter:
        return "p"
    if english and key in _FUNCTION_KEYS and not is_letter and word != "May":
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
    for kind, other in () if row.is_offered else ("DN", "ND"):  # 17, or so I read; | Paris | 2 |
        if all({kind} == {kind, other} & {word.letter for word in item} for item in right):
            wrong = [item for item in wrong if kind in {word.letter for word in item}]
    if not wrong or len(right) > len(wrong) or _has_units(row) or _NAMING.search(row.context):
        return False
    last = row.items[0][-1]
    if (
        right[0] is row.items[0]
        and not row.is_offered
        and last.letter in {"f", "w"}
        and last.key not in asked
        and not any(start <= last.start < end for start, end in hits)
    ):
        return False  # Cats won against dogs or mice
    if "(o" in row.shape and right[0] is row.items[0]:  # Mumbai (or Bombay)
        return False
    if row.is_offered or re.search("[o/]", row.shape) or _OFFERS.search(row.context):
        return True
    # A list names more than was asked for; "Paris, Texas, USA" is one place.
    joints = re.sub("[^,;&a]", "", row.shape)
    is_place = right[0] is row.items[0] and joints == ",," and "D" not in row.shape
    is_pair = ";b" in row.shape or any(mark in row.context for mark in ';"')  # 1. Paris 2. Lyon
    is_pair = (";" in joints and is_pair) or row.shape == "D,D"
    is_list = row.is_whole and (len(joints) > 1 or is_pair) and "f" not in row.shape
    return is_list and not is_place and not _ASKS_SEVERAL.search(question)


def _has_units(row: _Row) -> bool:
    """Return whether all numbers have words behind them, and not the same: "100 km or 62 miles"."""
    units = set()
    for item in row.items:
        for word, behind in pairwise([*item, _Word(0, 0, "", "")]):
            if word.letter == "D":
                units.add(behind.key if behind.letter in {"w", "N"} else "")
    return len(units) > 1 and "" not in units


def _uncertain(text: str, hits: Sequence[Span], asked: Collection[str], excluded: Sequence[Span]) -> list[Span]:
    """Return the parts that are said to be uncertain if all hits are among them, and another candidate, too."""
    has_cue = not _UNCERTAIN_CUES.isdisjoint(re.findall(r"[a-z]+", text.lower())) or _OPTION.search(text)
    if text.isascii() and not has_cue:
        return []
    maybe, instead = list(_UNCERTAIN.finditer(text)), list(_INSTEAD.finditer(text))
    if not instead and len(maybe) < 2:
        return []
    clauses = Parts(text, CLAUSE_STOP)
    parts = [(match.end(), clauses.end(match.end() + 1)) for match in maybe]
    for match in instead:
        end = clauses.end(match.end() + 1)
        parts += [(match.end(), end), (end, clauses.end(end + 1))]
        parts.append((clauses.start(max(0, match.start() - 3)), match.start()))
    spans = merged(parts)
    if not all(contains(spans, start) for start, _ in hits):
        return []
    others = [text[start:end] for start, end in parts if not any(start <= hit < end for hit, _ in hits)]
    words = (word for other in others for word in _shape(other, (), english=True)[1])
    is_open = any(word.letter in "NDbw" and word.key not in asked for word in words)
    return spans if is_open else []


# ---- what stands beside an answer

# Words that say nothing about which candidate is meant, so that they may stand beside it.
NEUTRAL = TITLES | word_set(
    """a about according actually all an and answer answers appears approximately around as at be been believe by
    called certainly choose chose clearly conclude conclusion confident correct course definitely exactly final
    finally following for from got guess had has have he her here hers his how i i'd i'll i'm in indeed inside into
    is it it's its known likely ll m me must my name named namely near obviously of ok okay on one option our over
    overall please point pretty re really respond response result right s say says she should simple simply so
    solution specifically started such sure surely that that's the their them there therefore these they think this
    those thus to true undoubtedly up us ve very was we well were what which who will with would yes you your quite
    ends equals hence course hello hi thanks thank question asked happy help found find see here's located happened
    occurred took place year date city country person people value total number amount percent dollars dollar usd
    euros euro km kilometers miles meters degrees celsius years days hours minutes"""
)
_SYMBOL = re.compile("[~=\u2260\u00ac\u2200-\u22ff\u2190-\u21ff\u2600-\u27bf\U0001f300-\U0001faff]|<(?:del|s|strike)>")
_ANY_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|\S")
_INVERTED = compile_phrases(
    r"\W*(?:is|was|are|were|could|might|would|can|did|does)\s(?:it|that|this|he|she|they|the)\b"
)
_CLOSING = " \t\n*_\"')]}\u201d\u2019.!"


def asks_back(text: str, references: Iterable[str]) -> bool:
    """Return whether a text is one question, and no reference has the mark: not "Paris, right?"."""
    end = text.rstrip(_CLOSING)
    is_question = end.endswith(("?", "\uff1f", "\u061f")) and not any(end[-1] in reference for reference in references)
    return is_question and not _TAG.search(end) and not SENTENCE_STOP.search(end, 0, len(end) - 1)


def asks(text: str, hits: Iterable[Span], references: Iterable[str]) -> bool:
    """Return whether a text ends in a question mark or asks for one of its hits, and no reference has the mark."""
    text = text.replace("\uff1f", "?").replace("\u061f", "?")
    if any("?" in reference for reference in references):
        return False
    sentences = Parts(text, SENTENCE_STOP)
    is_asked = (text.startswith("?", sentences.end(start)) for start, _ in hits)
    return text.rstrip(_CLOSING).endswith("?") or any(is_asked) or bool(_INVERTED.match(text))


def has_symbol(text: str, references: Iterable[str]) -> bool:
    """Return whether a text has a symbol that may change its meaning, and no reference has it."""
    symbols = {match.group() for match in _SYMBOL.finditer(text)}
    return not all(any(symbol in reference for reference in references) for symbol in symbols)


def words_beside(text: str, hits: Sequence[Span], question: str, references: Sequence[str]) -> list[str]:
    """Return the words of a text that are neither hits, of the question or a reference, nor neutral."""
    asked = re.findall(r"[^\W_]+", question.lower())
    for place in [place for place, word in enumerate(asked) if word == "or"]:  # Paris or London?
        asked[max(0, place - 3) : place + 4] = [""] * len(asked[max(0, place - 3) : place + 4])
    own_spans = merged(hits)
    spoken = {*re.findall(r"[^\W_]+", " ".join(references).lower()), *(set(asked) - NEGATIONS)}
    beside = []
    for match in _ANY_WORD.finditer(text):
        word = match.group().lower().replace("\u2019", "'")
        if overlaps(own_spans, *match.span()) or word in spoken or word in NEUTRAL or word.removesuffix("'s") in spoken:
            continue
        if word[0].isalnum():
            beside.append(match.group())
    return beside
