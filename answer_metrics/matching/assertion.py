"""Whether a short answer asserts the candidate that it names: a linear model of the words around it.

An answer that only talks about answers ("I was tempted to say Paris", "Half say Paris, the other half Rome") may use
any words, too many for lists of phrases. The model adds up weights of words by where they stand: before or behind the
candidate, elsewhere in its sentence, or in the sentences before and after it; and so of two and three adjacent words.
Words beside a rival count the other way around. `benchmarks/assertion.py` fits the weights to pairs of sentences and to
natural answers.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence, Set
from functools import partial
from itertools import accumulate, chain, takewhile
from math import fsum

from answer_metrics.matching.assertion_weights import KNOWN, REGIONS
from answer_metrics.matching.clauses import Span, overlaps
from answer_metrics.matching.dates import MONTHS
from answer_metrics.matching.numbers import CARDINALS, ORDINALS, WORD_SCALES
from answer_metrics.matching.words import FUNCTION_WORDS

WEIGHTS = {
    f"{region}{symbol}".replace("_", " ").replace("\\n", "\n"): int(weight) / 10
    for region, entries in REGIONS.items()
    for symbol, weight in re.findall(r"(\S+?)([+-]\d+)(?!\S)", entries)
}
CANDIDATE, RIVAL, ASKED, OWN, UNKNOWN, NUMBER = "R", "X", "Q", "O", "W", "#"
"""Symbols of the candidate, other candidates, words of the question and of the references, other words, numbers."""
_ROLES = frozenset((CANDIDATE, RIVAL, ASKED, OWN))
PREFIX = 6
"""So many letters of a word count, so that inflected forms share a weight."""
LEAST_SCORE, SURE_SCORE = -1.0, 3.0
"""The log odds above which a candidate may be asserted, since a wrong rejection is worse than a wrong acceptance, and
above which it is."""
_LONGEST_TALK = 400  # characters; longer answers are not looked at
_ADJACENT, _REACH = 2, 8  # symbols
_MOST_ADJACENT = 3  # symbols
_MOST_UNKNOWN = 4  # words; an answer with more is about its subject
_AMOUNT_MARGIN = 0.5  # "about 4", "at least 5": the words around a number are for the reader of values
_TALK_TOKEN = re.compile(r"\d+(?:[.,]\d+|, \d{4}\b)+|[^\W_]+(?:['\u2019][^\W_]+)*|\n|~~|->|[^\w\s]")
_TALK_MARKS = str.maketrans(
    "!\u3002\uff1f\uff01\uff0c\uff1b\uff1a\u2014\u2013\u2026\u201c\u201d[]{}", '..?.,;:--.""()()'
)
_TALK_ENDS = frozenset(".?;\n")
_TALK_OPENINGS = _TALK_ENDS | set(':,"(-*')
_BARE_TALK = _TALK_OPENINGS | {CANDIDATE, RIVAL, ")"}
_JOINTS = frozenset(("and", "or", ",", "/", "&"))
# A number of votes, and the negative of a rank.
_VOTES = CARDINALS | {rank: -place for rank, place in ORDINALS.items()} | {"1st": -1, "2nd": -2, "3rd": -3}
_NUMBER_WORDS = CARDINALS.keys() | ORDINALS.keys() | WORD_SCALES.keys()
_PLAIN_TALK = frozenset(
    "a an and answer are be by from in is it it's of on so that that's the they to was were".split()
)
_PLAIN_TALK |= {CANDIDATE, OWN}
# A formula, or a word that is not English.
_NO_PROSE = re.compile(r"[\\=]|(?<![^\W_])[a-z\u00df-\u00ff]*[\u00df-\u00ff]")
_CLAUSE_STOP_MARK = re.compile(r"[.!?;:,\n]")


def may_be_talk(text: str, words: Set[str], asked: Set[str], own: Set[str]) -> bool:
    """Return whether an answer may only talk about answers: it is short, and more than a candidate in plain words.

    A single sentence with words of the question is about its subject.
    """
    if len(text) > _LONGEST_TALK or words <= own | _PLAIN_TALK or _NO_PROSE.search(text):
        return False
    return words.isdisjoint(asked - own - FUNCTION_WORDS) or not _TALK_ENDS.isdisjoint(
        text.rstrip(" .\n").translate(_TALK_MARKS)
    )


def find_weakness(
    text: str, hits: Sequence[Span], asked: Collection[str], own: Collection[str], *, hedged: str = "wrong"
) -> str:
    """Return why an English answer does not assert the candidate that it names: "denied", "hedged" or "".

    `hits` are the words of the candidate by place; words of the question and the references are in lower case. An
    answer with rivals asserts enough if `hedged` is "right".
    """
    symbols = read_symbols(text, hits, asked, own)
    words = {symbol for symbol in symbols if symbol[0].isalnum()}
    is_foreign = UNKNOWN in words and words <= _ROLES | {UNKNOWN}
    is_enough = words <= _PLAIN_TALK or (RIVAL in words and hedged == "right")
    if is_foreign or is_enough or is_about_subject(symbols):
        return ""
    is_amount = RIVAL not in words and _kind_of(text, hits)[0].isdigit()
    if score(symbols) > (LEAST_SCORE - _AMOUNT_MARGIN if is_amount else LEAST_SCORE):
        return ""
    votes = _votes(symbols, CANDIDATE)
    is_tie = votes is not None and votes == _votes(symbols, RIVAL)
    is_open = RIVAL in words and score(_swapped(symbols)) <= 0
    return "hedged" if is_tie or is_open else "denied"


def is_sure(text: str, hits: Sequence[Span], asked: Collection[str], own: Collection[str]) -> bool:
    """Return whether an answer surely asserts its candidate and no rival, whatever rules for lists and denials say.

    The arguments are those of `find_weakness`. It is only sure of answers with words, all of which it knows.
    """
    symbols = read_symbols(text, hits, asked, own)
    words = [symbol for symbol in symbols if symbol[0].isalnum() or symbol[0] == NUMBER]
    has_words = not _ROLES.issuperset(words) and not any(word == UNKNOWN or word[0] == NUMBER for word in words)
    is_asserted = has_words and not is_about_subject(symbols) and score(symbols) > SURE_SCORE
    return is_asserted and (RIVAL not in symbols or score(_swapped(symbols)) <= LEAST_SCORE)


def _swapped(symbols: Sequence[str]) -> list[str]:
    """Return an answer in which the candidate and its rivals have changed places."""
    roles = {CANDIDATE: RIVAL, RIVAL: CANDIDATE}
    return [roles.get(symbol, symbol) for symbol in symbols]


def withholds(text: str, place: int) -> bool:
    """Return whether what stands before a place denies or only reports it: "I doubt that …", "Some say …", "Old …"."""
    before = _CLAUSE_STOP_MARK.split(text[max(0, place - 100) : place])[-1]
    symbols = read_symbols(before, [], (), ())
    has_words = any(symbol.isalpha() and symbol != UNKNOWN for symbol in symbols) and not _NO_PROSE.search(before)
    return has_words and score([*symbols, CANDIDATE]) <= 0


def score(symbols: Sequence[str]) -> float:
    """Return the log odds that an answer asserts its candidate."""
    return fsum(value * WEIGHTS.get(name, 0.0) for name, value in features(symbols).items())  # whatever their order


# ---- symbols


def read_symbols(text: str, hits: Sequence[Span], asked: Collection[str], own: Collection[str]) -> list[str]:
    """Return an answer as marks, beginnings of words, and symbols of what depends on the row, such as candidates.

    It ends where too many words are unknown. The hits are in order and apart.
    """
    first = _kind_of(text, hits)
    symbols: list[str] = []
    unknown = 0
    for match in _TALK_TOKEN.finditer(text):
        start, end = match.span()
        if overlaps(hits, start, end):
            symbol = CANDIDATE
        elif not match.group()[0].isalnum():
            symbol = match.group().translate(_TALK_MARKS)
        else:
            is_first = not symbols or symbols[-1] in _TALK_OPENINGS
            symbol = _symbol_of(match.group(), first, text[end : end + 2], asked, own, is_first=is_first)
        if (symbol == OWN and symbols[-1:] == [CANDIDATE]) or (symbol == first[1:] == "%" and first[0].isdigit()):
            continue
        if symbol == CANDIDATE and symbols[-2:-1] == [CANDIDATE] and symbols[-1] in _JOINTS:  # two references
            symbols.pop()
        if symbols[-1:] != [symbol] or symbol not in {CANDIDATE, RIVAL, ".", "\n"}:
            symbols.append(symbol)
        unknown += symbol == UNKNOWN
        if unknown > _MOST_UNKNOWN:
            break
    return symbols


def _kind_of(text: str, hits: Sequence[Span]) -> str:
    """Return what a rival is like: the first character of the candidate, "0" for a number, and "%" for a share."""
    if not hits:
        return " "
    words = [text[begin:end].lower() for begin, end in hits]
    begin, end = hits[0]
    first = "0" if words[0] in MONTHS or _NUMBER_WORDS.issuperset(words) else text[begin]
    return f"{first}%" if "%" in text[begin : end + 1] else first


def _symbol_of(
    word: str, first: str, behind: str, asked: Collection[str], own: Collection[str], *, is_first: bool
) -> str:
    """Return the symbol of a word; a rival is like the candidate by its first character, and the % behind it."""
    key = word.lower().replace("\u2019", "'")
    beginning = "not" if key.endswith("n't") else key[:PREFIX]
    is_known = beginning in KNOWN or key in FUNCTION_WORDS
    if key in own:
        return OWN
    if key in asked and key not in FUNCTION_WORDS:
        return ASKED
    if word[0].isdigit() or (first[0].isdigit() and key in MONTHS and behind[1:].isdigit()):
        return RIVAL if first[0].isdigit() and ("%" in behind) == (first[1:] == "%") else NUMBER + key
    is_name = (word[0].isupper() and len(word) > 1) or word[0].upper() == word[0].lower()
    if is_name and not (is_first and (is_known or first[0].islower())):
        return UNKNOWN if first[0].isdigit() else RIVAL
    return beginning if is_known else RIVAL if first[0].islower() else UNKNOWN


# ---- features


def sentences(symbols: Sequence[str]) -> list[int]:
    """Return the number of the sentence of each symbol."""
    return [*accumulate((symbol in _TALK_ENDS for symbol in symbols[:-1]), initial=0)]


def is_about_subject(symbols: Sequence[str]) -> bool:
    """Return whether an answer has many unknown words, or a word of the question in a sentence with the candidate."""
    if symbols.count(UNKNOWN) > _MOST_UNKNOWN:
        return True
    named, asked = (
        {at for at, symbol in zip(sentences(symbols), symbols, strict=True) if symbol == role}
        for role in (CANDIDATE, ASKED)
    )
    return not named.isdisjoint(asked)


def features(symbols: Sequence[str]) -> dict[str, float]:
    """Return the features of an answer by name: "l:word" is a word before the candidate, or one behind a rival's.

    Regions are "l" and "r", within 8 symbols on its left and right side, "ll" and "rr" within 2, "s" for its sentences,
    "b" and "a" for the sentences before and after these. Phrases have up to 3 symbols; those of "l" and "r" are next to
    the candidate. Features without a region are about the order of candidates.
    """
    at = sentences(symbols)
    named, rivals = ([place for place, symbol in enumerate(symbols) if symbol == role] for role in (CANDIDATE, RIVAL))
    if not named:
        return {}
    votes, rival_votes = _votes(symbols, CANDIDATE), _votes(symbols, RIVAL)
    symbols = [NUMBER if symbol[0] == NUMBER else symbol for symbol in symbols]
    values = dict.fromkeys((name for place in named for name in _words_beside(symbols, at, place)), 1.0)
    for place in rivals:
        for name in _words_beside(symbols, at, place):
            values[name] = values.get(name, 0.0) - 1.0 / len(rivals)
    first, last = at[named[0]], at[named[-1]]
    for place, sentence in enumerate(at):
        region = "b" if sentence < first else "a" if sentence > last else "s"
        for stop in range(place + 1, min(place + _MOST_ADJACENT, len(symbols)) + 1):
            values[f"{region}:{' '.join(symbols[place:stop])}"] = 1.0
    if votes is not None and rival_votes is not None:
        values["more" if votes > rival_votes else "less"] = 1.0
    return values | dict.fromkeys(_order_of(symbols, at, named, rivals), 1.0)


def _words_beside(symbols: Sequence[str], at: Sequence[int], place: int) -> set[str]:
    """Return the features of the symbols around a place: those up to the next candidate, and phrases next to it."""
    start, stop = bisect_left(at, at[place]), bisect_right(at, at[place])
    left, right = symbols[max(start, place - _REACH) : place][::-1], symbols[place + 1 : min(stop, place + 1 + _REACH)]
    names = set()
    for side, step, nearby in (("l", -1, left), ("r", 1, right)):
        for distance, symbol in enumerate(nearby or "^"):
            names.add(f"{side}:{symbol}")
            if distance < _ADJACENT and nearby:
                names.add(f"{side}{side}:{symbol}")
            if symbol in {CANDIDATE, RIVAL}:
                break
        for size in range(2, min(_MOST_ADJACENT, len(nearby)) + 1):
            names.add(f"{side}:{' '.join(nearby[:size][::step])}")
    return names


def _votes(symbols: Sequence[str], role: str) -> float | None:
    """Return the greatest number of votes or percent that stands beside a candidate or rival, if any does."""
    at, votes = sentences(symbols), []
    for place in (place for place, symbol in enumerate(symbols) if symbol == role):
        sides = (range(place - 1, place - 5, -1), range(place + 1, place + 5))
        for other in chain(*(takewhile(partial(_is_beside, symbols, at, place), side) for side in sides)):
            number = symbols[other].removeprefix(NUMBER)
            if number in _VOTES or number != symbols[other]:
                votes.append(_VOTES.get(number) or (float(number) if number.isdecimal() else 0.0))
                break
    return max(votes, default=None)


def _is_beside(symbols: Sequence[str], at: Sequence[int], place: int, other: int) -> bool:
    is_inside = 0 <= other < len(symbols) and at[other] == at[place]
    return is_inside and symbols[other] not in {CANDIDATE, RIVAL, ","}


def _order_of(symbols: Sequence[str], at: Sequence[int], named: list[int], rivals: list[int]) -> Iterator[str]:
    """Yield what the order and the number of candidates, rivals and unknown words say."""
    own, others = {at[place] for place in named}, {at[place] for place in rivals}
    yield "bias"
    yield from (f"unknown {count}" for count in range(1, 1 + min(4, symbols.count(UNKNOWN))))
    yield from (f"rivals {count}" for count in range(1, 1 + min(3, len(rivals))))
    facts = {
        "twice": len(named) > 1,
        "first": not rivals or named[0] < rivals[0],
        "last": not rivals or named[-1] > rivals[-1],
        "rival before": bool(own & others) and rivals[0] < named[0],
        "rival behind": bool(own & others) and rivals[-1] > named[-1],
        "rival earlier": min(others, default=max(own)) < min(own),
        "rival later": max(others, default=0) > max(own),
        "asks": symbols[-1] == "?",
        "is asked": any(symbols[place + 1 : place + 2] == ["?"] for place in named),
        "has question": ASKED in symbols,
        "has words": any(symbol.isalpha() and symbol not in {CANDIDATE, RIVAL} for symbol in symbols),
    }
    yield from (name for name, is_true in facts.items() if is_true)
    filled = {sentence for sentence, symbol in zip(at, symbols, strict=True) if symbol not in _BARE_TALK}
    yield from (name for name, bare in (("bare", own - filled), ("bare rival", others - own - filled)) if bare)
