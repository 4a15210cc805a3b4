"""What a text in a language other than English denies by contrast: "nicht Paris, sondern Lyon"."""

from ._recall_denials import Readable
from ._recall_tokens import Token
from ._recall_tokens import fold

_LONGEST = 12
_LONGEST_GAP = 24
_LONGEST_NOUN = 2


def _read(table: str) -> dict[str, frozenset[str]]:
    """Read lines of words before a colon, each of which goes with all words behind it."""
    words: dict[str, frozenset[str]] = {}
    for line in table.strip().splitlines():
        keys, _, others = line.partition(":")
        for key in map(fold, keys.split()):
            words[key] = words.get(key, frozenset()).union(map(fold, others.split()))
    return words


# Reversals and the negations they go with: "nicht … sondern", "pas … mais".
_REVERSALS = _read("""
sondern: nicht kein keine keinen keinem keiner keines
mais: pas non ni
sino: no
ma bensì: non
mas senão: não
maar: niet geen
utan: inte ej
lecz ale: nie
ci: nu
hanem: nem
vaan: ei
melainkan: bukan
а: не
αλλά: όχι δεν
אלא: לא
بل لكن ولكن إنما وإنما: ليس ليست
而是: 不是 并非 並非
""")  # noqa: RUF001
# Negations behind what they deny, and the words of which one must stand before them, or after them.
_BEFORE = _read("""
değil:
아니라:
なく: はな ゃな でな
नहीं:
""")
_AFTER = _read("नहीं: बल्कि")
# With one of these it is "not only Paris, but", or a question.
_CANCELING = frozenset(
    map(
        fold,
        """
        nur allein bloß lediglich seulement uniquement juste solo sólo solamente únicamente soltanto só
        somente apenas alleen slechts bara endast tylko numai doar csak csupán vain hanya только лишь μόνο רק فقط
        只有 只在 只是 仅仅 僅僅 だけ のみ sadece yalnızca yalnız केवल सिर्फ
        """.split(),  # noqa: RUF001
    )
)
_NOT_ONLY = ("뿐만", "뿐")
_QUESTIONS = frozenset({"mi"})
_TOPICS = ("は", "은", "는")
CONTRASTING = frozenset(_REVERSALS).union(_BEFORE)
"""A text without any of these denies nothing by contrast."""


def find_contrasted(text: Readable) -> frozenset[int]:
    """Find the tokens that a text denies by contrast, in any language: Paris in "nicht Paris, sondern Lyon"."""
    denied: set[int] = set()
    for place, token in enumerate(text.tokens):
        if token.key in _REVERSALS and not token.text[0].isupper():
            denied.update(_denied_by_reversal(text, place))
        elif token.key in _BEFORE and _reverses(text, place):
            denied.update(_denied_before(text, place))
    return frozenset(denied)


def _denied_by_reversal(text: Readable, place: int) -> range:
    """Find what stands between a negation and its reversal, up to the first mark."""
    tokens = text.tokens
    start = place - 1
    while start >= 0 and place - start < _LONGEST_GAP and tokens[start].key not in _REVERSALS[tokens[place].key]:
        if text.ends_sentence(start + 1):
            return range(0)
        start -= 1
    end = start + 1
    while end < place and not text.ends_clause(end):
        end += 1
    is_negation = start >= 0 and tokens[start].key in _REVERSALS[tokens[place].key]
    denied = range(start + 1, end)
    return range(0) if not is_negation or len(denied) > _LONGEST or _is_canceled(text, denied) else denied


def _reverses(text: Readable, place: int) -> bool:
    """Say whether a negation stands between what it denies and what is said instead: "İstanbul değil, Ankara"."""
    tokens = text.tokens
    key, after = tokens[place].key, place + 1
    if not place or after == len(tokens) or text.ends_sentence(after) or tokens[after].key in _QUESTIONS:
        return False
    if _BEFORE[key] and tokens[place - 1].key not in _BEFORE[key]:
        return False
    return key not in _AFTER or tokens[after].key in _AFTER[key] or text.ends_clause(after)


def _denied_before(text: Readable, place: int) -> list[int]:
    """Find the name, number or noun before a negation."""
    tokens = text.tokens
    last = place - (3 if _BEFORE[tokens[place].key] else 1)  # pairs of characters overlap
    clause: list[int] = []
    for at in range(last, max(-1, last - _LONGEST), -1):
        if (clause and text.ends_clause(at + 1)) or (clause and tokens[at].text.endswith(_TOPICS)):
            break
        clause.append(at)
    if _is_canceled(text, clause):
        return []
    nouns = [at for at in clause if not _is_suffix(text, at)]
    proper = bool(nouns) and _is_proper(tokens[nouns[0]])
    denied: list[int] = []
    for at in nouns:
        overlaps = tokens[at].end > tokens[at + 1].start
        if not overlaps and (_is_proper(tokens[at]) is not proper or (not proper and len(denied) == _LONGEST_NOUN)):
            break
        denied.append(at)
    return denied


def _is_suffix(text: Readable, place: int) -> bool:
    """Say whether a token is attached to the one before it with an apostrophe."""
    return place > 0 and text.text[text.tokens[place - 1].end : text.tokens[place].start] in {"'", "\u2019"}


def _is_proper(token: Token) -> bool:
    return token.capital or token.is_number


def _is_canceled(text: Readable, denied: list[int] | range) -> bool:
    keys = [text.tokens[at].key for at in denied]
    return any(key in _CANCELING or key.endswith(_NOT_ONLY) for key in keys)
