"""What an answer says besides its content: that it declines, yes, or no.

`declines` reads how an answer begins, in many languages. The subject is the speaker or a source: "The context does not
mention it", but not "The council does not have troops". `says_yes` reads English.
"""

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from answer_metrics.core.options import call, did_you_mean, qualified_name
from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.commitment import CORRECTION
from answer_metrics.matching.english import stem
from answer_metrics.matching.words import FUNCTION_WORDS

# Bump this whenever a phrase changes: it is part of signatures.
ABSTENTION_VERSION = "v2"
_EXPECTED = '"en", "any", a regular expression, a function from text to bool, or None'

_SOURCE = (
    "(?:contexts?|documents?|reports?|texts?|passages?|filings?|information|images?|articles?|data|statements?|questions?"
    "|tables?|excerpts?|pages?|sources?|10-[kq]|evidence|snippets?|search results?|handbooks?|manuals?"
    "|materials?|transcripts?)"
)
_FIND = (
    "(?:find|determine|answer|provide|calculate|access|give|tell|confirm|verify|say|compute|identify|locate|extract"
    "|assist|help|comment|recall|browse)"
)
_KNOWN = "(?:provided|available|specified|mentioned|given|disclosed|stated|enough|known|clear)"
_INFORMATION = "(?:information|data|answer|details|context|mention|records?)"
_SOURCE_BEGINS = rf"(?:the|this|these|that|your) (?:[^\s.!?]+ ){{0,8}}?{_SOURCE} (?:[^\s.!?]+ ){{0,8}}?"
# What may stand before: an apology, a connective, what the answer is based on.
_LEAD = (
    "(?:(?:unfortunately|i(?:'m| am) (?:so |very )?sorry|sorry|my apologies|apologies|i apologi[sz]e|however"
    "|(?:based on|according to|given|from|without) [^,.]{0,60}|as of [^,.]{0,40}"
    "|as an? (?:ai|language|large)[^,.]{0,40}|at (?:this|the) [^,.]{0,20})(?:,? but|,|:)? ){0,2}"
)
# Phrases as regular expressions, separated by " | "; a space stands for any white space.
_ENGLISH = rf"""
    i(?:'m| am) (?:still |currently |simply )?(?:unable|not (?:able|sure|certain|aware|familiar))
    | (?:i|we) (?:cannot|can't|can not|could not|couldn't|(?:am|was|were) (?:unable|not able) to) (?:\w+ )?{_FIND}
    | we are (?:unable|not able)
    | i (?:really |honestly )?(?:do not|don't|did not|didn't) (?:\w+ )?(?:have|know|find|see|recall|remember)
    | i have no (?:\w+ )?(?:idea|information|comment|knowledge|data|record|answer|way|access)
    | (?:it (?:is|'s|was) |it's )?not (?:{_KNOWN}|possible|certain|applicable|sure)\b
    | (?:it (?:is|'s|was) |it's )?(?:impossible to|unclear|unable to)\b
    | (?:it )?(?:cannot|can't|can not|could not) be (?:determined|answered|calculated|known)
    | {_SOURCE_BEGINS}(?:does|do|did)(?: not|n't) (?:\w+ )?(?:contain|provide|include|mention|specify|disclose|state)
    | {_SOURCE_BEGINS}(?:does|do|did)(?: not|n't) (?:\w+ )?(?:give|offer|list|have|say|indicate|show|cover|discuss|answer)
    | {_SOURCE_BEGINS}(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:{_KNOWN}|sufficient|included|possible|contained)
    | {_SOURCE_BEGINS}lacks?\b
    | (?:[^\s.!?]+ ){{1,16}}?(?:cannot|can not|can't) be (?:determined|answered|calculated)
    | (?:[^\s.!?,]+ ){{1,12}}?(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:mentioned|specified|disclosed|provided|stated)\b
    | (?:there (?:is|are|was) )?(?:no|not enough|insufficient) (?:[^\s.!?]+ ){{0,2}}{_INFORMATION}\b(?! (?:but|except|other))
    | no comment\b | (?:unanswerable|no idea|no answer|idk|none given)\W*\Z
"""
# Arabic, Catalan, Czech, German, Spanish, Basque, French, Galician, Italian, Japanese, Korean, Dutch, Polish, Portuguese,
# Russian, Turkish, Chinese.
_OTHERS = r"""
    لا أعرف | لا أعلم | لا يمكنني | لا أستطيع | ليس لدي | ليست لدي | لا أملك | لا تتوفر لدي | غير معروف
    | no ho sé\b | no sé\b | no tinc | no puc | no dispose?o | no em consta | no conec | ho sento, però
    | no es pot (?:saber|determinar|respondre)
    | nevím | neznám | nemám | nemohu | nemůžu | nedokážu | nedisponuji | nejsem si jist | není (?:mi )?znám | mi není znám
    | mi nejsou znám | nemohl bych | bohužel (?:ne|není) | nelze (?:určit|odpovědět|zjistit)
    | není (?:v [^.]{0,40})?(?:uveden|k dispozici|známo|veřejně)
    | ich weiß (?:es |das )?(?:leider )?nicht | keine (?:angaben?|informationen) | unbekannt
    | ich (?:habe|kann|konnte|finde|kenne|bin mir) [^.!?]{0,60}(?:nicht|kein)\w* | es ist nicht (?:bekannt|möglich)
    | (?:leider )?(?:habe|kann|konnte) ich [^.!?]{0,60}(?:nicht|kein)\w*
    | no lo sé | no tengo | no puedo | no dispongo | no cuento con | no me consta | no conozco | no estoy segur | desconozco
    | no se (?:puede|sabe|menciona|proporciona|especifica) | no hay (?:suficiente )?información
    | soy un modelo de lenguaje y no
    | ez dakit | ezin (?:dut|dizut) (?:erantzun|zehaztu|eman) | ez daukat | ez naiz ziur
    | ez dut (?:\w+ )?(?:informazio|iruzkin|datu|ezagutz)
    | je ne (?:sais|peux|suis|dispose|connais|trouve|parviens|possède) | je n'ai (?:pas|aucune?|trouvé) | je l'ignore
    | il (?:n'est pas|est im)possible | (?:aucune|pas assez d')information | je suis désolée?, mais je ne | inconnue?\W*\Z
    | non (?:o )?sei\b | non teño | non podo | non dispoño | descoñezo | non coñezo | non estou segur | non se (?:pode|sabe)
    | non (?:lo )?so\b | non ho | non posso | non sono (?:sicur|in grado|a conoscenza) | non conosco | non dispongo
    | non è (?:possibile|noto|specificato|indicato) | sconosciut[oa]\W*\Z | non ci sono (?:abbastanza )?informazioni
    | わかりません | 分かりません | 知りません | 存じません | お答えできません | 不明です | 情報がありません | 確認できません
    | 모르겠 | 모릅니다 | 알 수 없 | 알지 못 | 답변할 수 없 | 정보가 없 | 확인할 수 없 | 찾을 수 없
    | ik weet (?:het )?niet | ik (?:heb|kan|ken|vind) [^.!?]{0,60}(?:niet|geen)\b | ik ben (?:er )?niet zeker
    | geen informatie | onbekend
    | nie wiem | nie mam | nie mogę | nie jestem (?:pewien|pewna|w stanie) | nie znam | nie dysponuję | nie potrafię
    | nie udało mi się | nie można (?:określić|ustalić)
    | não (?:o )?sei\b | não tenho | não posso | não consigo | não disponho | não conheço | desconheço | não encontrei
    | não é possível | não há informaç
    | не знаю | не могу | у меня нет | мне не ?известно | не располагаю | неизвестно | нет (?:данных|информации) | не уверен
    | невозможно (?:определить|ответить)
    | bilmiyorum | bilgim yok | bilgiye sahip değilim | emin değilim | cevap veremem | yanıt veremem | belirleyemiyorum
    | bulamadım | bilinmiyor | bilgi(?:ye)? (?:yok|erişimim)
    | 不知道 | 不清楚 | 我不确定 | 無法 | 无法 | 没有(?:足够|相关|提供) | 沒有(?:足夠|相關|提供) | 未提供 | 未提及 | 抱歉
"""
# After these, the answer follows; unless the speaker only offers help.
_TURN = re.compile(
    r"\b(?:however|but|nevertheless|nonetheless|that said|although)\b,?(?! (?:you (?:can|may|could|might)|please|if you"
    r"|i (?:would|suggest|recommend|cannot|can't|could not|couldn't|do not|don't)|feel free|without))",
    re.IGNORECASE,
)
_BEGINNING = 300  # is read
_CURLY_APOSTROPHES = str.maketrans("\u2019\u02bc\u00b4`", "''''")
_ANSWER = r"\A[^\w<]{0,4}(?:(?:a|answer|respuesta|resposta|erantzuna|odpověď) ?[:\uff1a] ?)?"
# In other languages the phrase may stand behind other words of the first sentence, as pronouns are left out.
_BEHIND = r"""(?:(?:[^.!?。！？\n"“«]{5,150}[.!?] )?[^.!?。！？\n"“«]{0,150}?(?<![^\W_\u3040-\ud7a3]))??"""
_UNKNOWN = r"(?:<?(?:unknown|n/a|none|null)>?)\W*\Z"


@lru_cache(maxsize=2)
def _pattern(language: str) -> re.Pattern[str]:
    """Return what an answer that declines begins with, in English or in another language."""
    lead, phrases = (_LEAD, _ENGLISH) if language == "en" else (_BEHIND, _OTHERS)
    alternatives = "|".join(re.split(r"\s+\|\s+", phrases.strip()))
    written = f"{_ANSWER}(?:{lead}(?:{alternatives})|{_UNKNOWN})"
    return compile_later(written.replace(" ", r"\s"), re.IGNORECASE)


def declines(text: str, language: str = "en") -> bool:
    """Return whether an answer begins by declining, in English or in "any" language that is known, and does not go on.

    >>> declines("I do not know."), declines("I do not know the date, but it was in 1969.")
    (True, False)
    """
    plain = text.translate(_CURLY_APOSTROPHES) if "\u2019" in text else text
    phrase = _pattern("en").search(plain[:_BEGINNING])
    if phrase:
        return not _TURN.search(plain, phrase.end())
    return language == "any" and bool(_pattern("others").search(plain[:_BEGINNING]))


def check_abstention(name: str, value: Any) -> Any:
    """Return a value of the option `abstention`, or raise a `ValueError` that says what is possible."""
    if value is None or callable(value) or (isinstance(value, str) and value in {"en", "any"}):
        return value
    if isinstance(value, str) and value.isalpha():  # "de": an expression of one word is a typo
        raise ValueError(f"{name} must be {_EXPECTED}, got {value!r}{did_you_mean(value, ('en', 'any'))}")
    compiled(name, value, _EXPECTED)
    return value


def compiled(name: str, value: Any, expected: str) -> re.Pattern[str]:
    """Compile a regular expression, or raise a `ValueError` that says what an option is expected to be."""
    if not isinstance(value, (str, re.Pattern)) or isinstance(getattr(value, "pattern", ""), bytes):
        raise ValueError(f"{name} must be {expected}, got {value!r} ({type(value).__name__})")
    try:
        return re.compile(value)
    except re.error as error:
        raise ValueError(f"{name} is not a valid regular expression: {error}, in {value!r}") from None


def sign_rule(value: Any, names: Collection[str], version: str) -> str:
    """Return the text for a named rule, a function or an expression in signatures; separators of fields are escaped."""
    if callable(value):
        return qualified_name(value)
    if value in names:
        return f"{value}-{version}"
    written, bits = (value, 0) if isinstance(value, str) else (value.pattern, value.flags)
    flags = "".join(flag for flag in "aimsx" if bits & re.RegexFlag[flag.upper()])
    written = f"(?{flags}){written}" if flags else written
    return str(written).replace("%", "%25").replace("|", "%7C")


def is_refusal(text: str, abstention: str | re.Pattern[str] | Callable[[str], bool], place: str) -> bool:
    """Return whether a text declines by the option `abstention`; its place is for the errors of a function."""
    if callable(abstention):
        rules: dict[str, Any] = {"option": "abstention", "kinds": bool, "expected": "True or False"}
        return bool(call(abstention, text, place=place, **rules))
    if isinstance(abstention, str) and abstention in {"en", "any"}:
        return declines(text, abstention)
    return bool(re.search(abstention, text))


# ---- yes and no

TRUTHS = frozenset({"true", "false"})
_HEAD = re.compile(
    r"[\W_]{0,6}(yes|no(?!\.\s?\d))\b(?=\s*(?:[.,;:!()*\u2013\u2014\-]|\Z))[\s.,;:!*]*(?=(\S?))", re.IGNORECASE
)
# What is offered, not said: "(Yes or No)".
_OFFERED = re.compile(r"\(?\b(?:yes|no)\s?(?:or|/)\s?(?:yes|no)\b\)?", re.IGNORECASE)
_ANNOUNCED = re.compile(
    r"\b(?:answer|verdict|conclusion|response|(?:would|should)\ssay|short)\b(?:\sto\s[^.?!]{0,60})?[\s*_\"':(]{0,6}"
    r"(?:(?:is|was|would\sbe|should\sbe|must\sbe)\b[\s*_\"':(]{0,6})?(?:therefore\s|thus\s|probably\s|likely\s|a\s)?"
    r"[\"'*_]{0,3}(yes|no|true|false)\b(?!\s(?:one|longer|more)\b)",
    re.IGNORECASE,
)
# "no" stands for itself before a mark or a pronoun, not in "no limits" or "no one".
_OWN = re.compile(
    r"\b(?:(yes|yeah|yep|yup)|(?:nope|nah|no(?=\W*\Z|\s?[.,;:!?)*\"\u2013\u2014]|\s-|\s(?:it|they|he|she|you|we|that|this|there)\b)))\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"[\W_]*(?:(?:maybe|perhaps|possibly|either|both|sometimes|partly)\W+)?(?:yes\W+(?:(?:and|&|or|maybe|perhaps|possibly|sometimes"
    r"|partly|also)\W+)+no|no\W+(?:(?:and|&|or|maybe|perhaps|possibly|sometimes|partly|also)\W+)+yes)\b",
    re.IGNORECASE,
)
_OPENING = r"[\W_]*(?:well,?\s|(?:(?:that|this|it|the\s(?:statement|claim))(?:['\u2019]s|\s(?:is|was|would\sbe))?\s))?"
_AGREES = re.compile(
    rf"{_OPENING}(?:absolutely|affirmative|certainly|correct|definitely|exactly|indeed|of\scourse|right|sure|true|"
    r"undoubtedly|it\s(?:is|does|can|was|did|will|would)(?=\W*\Z))\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    rf"{_OPENING}(?:not\s(?:so|true|correct|right|really|exactly|at\sall|necessarily|the\scase)|incorrect|false|wrong|untrue|"
    r"negative|never|on\sthe\scontrary|by\sno\smeans|absolutely\snot|definitely\snot|certainly\snot|of\scourse\snot"
    r"|it\s(?:(?:is|does|can|was|did|will|would)\snot|(?:is|does|was|did|would)n['\u2019]t|can(?:no|['\u2019])t)(?=\W*\Z))\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|nor|neither|none|nothing|without|cannot|unable|impossible|unlikely|incapable|fails?|failed|lacks?"
    r"|false|incorrect|untrue)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_STANCE_WORD = re.compile(r"[^\W_]+")
_STATED = 0.6  # the share of a question's words that a sentence needs to state its content
_MOST_SENTENCES = 200  # the last ones are compared with a question


def head_of(reference: str) -> tuple[bool, bool] | None:
    """Return whether a reference is or begins with yes, rather than no, and whether it goes on; None for "no cure".

    A reference of "true" or "false", as in BoolQ, counts as one that goes on: an answer may also have its word.
    """
    if (word := reference.strip().lower()) in TRUTHS:
        return word == "true", True
    match = _HEAD.match(reference)
    return (match[1].lower() == "yes", bool(match[2])) if match else None


def says_yes(answer: str, question: str | None) -> bool | None:
    """Return whether an answer says yes (True) or no (False); None if it says neither, or both.

    It is the announced answer, else the first "yes" or "no" that stands for itself, else a word of agreement or denial
    at the beginning, else, with a question, whether its content is stated with a negation.
    """
    plain = _OFFERED.sub(" ", answer)
    if _BOTH.match(plain):
        return None
    announced = _ANNOUNCED.findall(plain)
    if announced:
        return announced[-1].lower() in {"yes", "true"}
    corrected = max((match.end() for match in CORRECTION.finditer(plain)), default=0)
    own = list(_OWN.finditer(plain))
    asserted = [match for match in own if match.end() > corrected and plain[match.end() :][:1] != "?"] or own
    if asserted:
        return asserted[0][1] is not None
    if _DENIES.match(plain):
        return False
    if _AGREES.match(plain):
        return True
    return _states_content(plain, question) if question else None


def _states_content(answer: str, question: str) -> bool | None:
    """Return whether the sentence closest to a question affirms it; of several equally close ones, the last."""
    lines = question.splitlines()
    question = next((line for line in reversed(lines) if "?" in line), question)
    asked = {stem(word) for word in _STANCE_WORD.findall(question.lower()) if word not in FUNCTION_WORDS}

    def share(part: str) -> float:
        return len(asked & {stem(word) for word in _STANCE_WORD.findall(part.lower())}) / max(1, len(asked))

    sentence = max(reversed(_SENTENCE_END.split(answer)[-_MOST_SENTENCES:]), key=share)
    if share(sentence) < _STATED:
        return None
    asks_negation = bool(_NEGATION.search(question, len(question.partition(" ")[0])))  # but "Isn't it …?"
    return bool(_NEGATION.search(sentence)) == asks_negation
