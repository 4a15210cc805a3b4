"""What an answer denies in other languages than English, and their words for "or" and "maybe".

The tables have German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Arabic, Turkish, Hindi, Chinese,
Japanese and Korean. To add a language, add its words.
"""

import re

from answer_metrics.core.patterns import compile_later

_STOPS = r",;:.!?()\n\u060c\u061b\u061f\u0964\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u2014"
# What denies the words behind it, up to a copula or a word for "but".
_NOT_AHEAD = (
    r"nicht|kein\w*|weder|(?:an)?statt|anstelle von|pas|ni|non|au lieu d[eu]|plutôt que|no|en (?:vez|lugar) de"
    r"|invece di|não|nem|em vez de|niet|geen|in plaats van|nie|zamiast|не|ни|вместо|و?(?:ليست?|لا|بدلا من)"
)
_IS_WORDS = r"ist|war|sind|est|était|es|fue|è|era|é|foi|is|jest"
_BUT = r"sondern|aber|mais|sino|pero|ma|mas|maar|lecz|ale|а|но|بل|لكن"  # noqa: RUF001
_ONLY = r"nur|seulement|solo|sólo|solamente|soltanto|só|apenas|alleen|tylko|только|فقط"
# The same without spaces, "wrongly believed to be" among them.
_NOT_IN_HAN = "不(?:可能|会|應|应该)?是(?!唯一)|并非|並非|而非|绝非|以为是?|以為是?"
_BELIEVED = r"dachte|glauben|croi[ts]|croient|pens\w+|creen|cre[eí]\w*|думал\w*|думают"
# What denies the words before it.
_NOT_BEHIND = (
    "(?:で(?:は|も)|じゃ|と(?:は|も))(?:な[いくか]|ありません|言えま)|(?:は|が|も)?(?:間違い(?!な|あり|は?ない)|誤り|違いま|不正解)|のはずがな"
    "|と思われがち|と勘違い|[이가은는도]? ?(?:아니[라고며지다]|아닙니다|아닌|아니에요|틀[린렸립])|नहीं|नही|değil"
    "|(?:是|为)?(?:错|不对|不正确|錯|不對)|(?:ist|war) (?:falsch|nicht)|est (?:faux|fausse|une mauvaise)"
    r"|es (?:incorrect|fals)\w+|(?:è|é) (?:sbagliat|errat|fals)\w+|неверно|неправильно|(?:إجابة )?خاطئة?|yanlış"  # noqa: RUF001
)
# Doubt that is denied, and nothing else than the answer: these affirm it.
_AFFIRMING = re.compile(
    r"\b(?:zweifel|doute\b|dud[ao]|dubbi|dúvida|twijfel|wątpliwości|сомнен|شك|şüphe|ander[esn]|autre|otr[oa]|altr[oi]"
    r"|outr[oa]|inn[aeyi]|ин[оы]|другое|başka|सिवा)",
    re.IGNORECASE,
)
TAGS = (
    r"nicht wahr|niet waar|oder(?: nicht)?|gell|n'est-ce pas|non|no|verdad|vero|não(?: é)?|né|certo|toch|prawda|nie"
    r"|не так ли|не правда ли|верно|değil mi|أليس كذلك|对吧|對吧|对吗|是吧|是吗"
)
_NO_WORDS = r"nein|non|no|não|nee|nie|нет|لا|नहीं|hayır|不是?|不对|不對|错|いいえ|いや|違|아니|아뇨"  # noqa: RUF001
_CLAUSE = rf"[^{_STOPS}]*"
_DENIED = compile_later(
    rf"\b(?:{_NOT_AHEAD})\b(?!\s(?:{_ONLY})\b)(?:\s(?:{_IS_WORDS})\b)?(?P<behind>{_CLAUSE}?)(?=\b(?:{_BUT}|{_IS_WORDS})\b|[{_STOPS}]|\Z)"
    rf"|(?:{_NOT_IN_HAN})(?P<han>[^{_STOPS}]*?)(?=而是|就是|[{_STOPS}]|\Z)"
    rf"|\b(?:{_BELIEVED})\b(?P<believed>{_CLAUSE})(?=[{_STOPS}]\s*(?:(?:{_BUT})\b|en r|tats))",
    re.IGNORECASE,
)
_DENIED_BEHIND = compile_later(
    rf"(?:{_NOT_BEHIND})|[?\uff1f\u061f]\s*(?:{_NO_WORDS})(?!\w*[-\u00ad])(?=\b|[{_STOPS}]|[\u3040-\ud7a3])",
    re.IGNORECASE,
)
_CLAUSE_BEFORE = re.compile(rf"(?:{_CLAUSE}지 )?({_CLAUSE})\Z")
_LONGEST_CLAUSE, _LONGEST_ANSWER = 100, 50_000
OR_WORDS = frozenset("oder ou или أو या veya lub nebo 또는 혹은 아니면 או ή".split())
MAYBE = (
    "vielleicht|möglicherweise|peut-être|quizás|quizá|tal vez|forse|talvez|misschien|может быть|может|возможно|وربما"
    "|ربما|शायद|belki|可能是|可能|也许|也許|아마"
)
"""Phrases for "maybe", separated by "|"."""


def denied_in_other_languages(text: str, row: str, is_english: bool) -> list[tuple[int, int]]:
    """Return the parts of a text that it denies, by start and end.

    They are none if the question or the reference, the text of the row, denies something. English rules decide on "no"
    if the text may be English.
    """
    if _DENIED.search(row) or _DENIED_BEHIND.search(row):
        return []
    spans = []
    start = max(0, len(text) - _LONGEST_ANSWER)  # long answers come to their conclusion at the end
    for match in _DENIED.finditer(text, start):
        if not (is_english and match.group()[:3].lower() == "no ") and not _AFFIRMING.search(match.group()):
            spans.append(match.span(match.lastgroup or 0))
    for match in _DENIED_BEHIND.finditer(text, start):
        end = match.start()
        clause = _CLAUSE_BEFORE.search(text, max(0, end - _LONGEST_CLAUSE), end)
        if clause and not _AFFIRMING.search(clause.group()):
            spans.append(clause.span(1))
    return spans
