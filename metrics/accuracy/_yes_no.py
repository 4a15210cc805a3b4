"""Whether an English answer says yes or no, in its own words or by stating or denying what was asked.

`says_yes` asks in order: the announced answer, the first "yes" or "no" that stands for itself, a word of agreement or
denial at the beginning, and with a question its content, stated with or without a negation.
"""

import re
from collections.abc import Callable

_HEAD = re.compile(r"[\W_]{0,6}(yes|no)\b(?=\s*(?:[.,;:!()*\u2013\u2014\-]|\Z))[\s.,;:!*]*(?=(\S?))", re.IGNORECASE)
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
_BOTH = re.compile(r"[\W_]*(?:yes\W+(?:and|&)\W+no|no\W+(?:and|&)\W+yes)\b", re.IGNORECASE)
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
_WORD = re.compile(r"[^\W_]+")
# The share of a question's words that a sentence needs to state its content.
_STATED = 0.6
# Questions and sentences of more words are not compared.
_MOST_SENTENCES = 200


def head_of(reference: str) -> tuple[bool, bool] | None:
    """Read the yes or no that a reference is, or begins with.

    Returns:
        Whether it is yes, and whether the reference goes on; None for "no cure" and all other references.
    """
    match = _HEAD.match(reference)
    return (match[1].lower() == "yes", bool(match[2])) if match else None


def says_yes(answer: str, question: str | None, stem: Callable[[str], str], ignored: frozenset[str]) -> bool | None:
    """Return whether an answer says yes (True) or no (False); None if it says neither, or both.

    Args:
        answer: The answer to judge.
        question: What was asked, if that is known.
        stem: What makes forms of a word equal.
        ignored: Words that say nothing.
    """
    plain = _OFFERED.sub(" ", answer)
    if _BOTH.match(plain):
        return None
    announced = None
    for match in _ANNOUNCED.finditer(plain):
        announced = match
    if announced:
        return announced[1].lower() in {"yes", "true"}
    own = _OWN.search(plain)
    if own:
        return own[1] is not None
    if _DENIES.match(plain):
        return False
    if _AGREES.match(plain):
        return True
    return _states_content(plain, question, stem, ignored) if question else None


def _states_content(answer: str, question: str, stem: Callable[[str], str], ignored: frozenset[str]) -> bool | None:
    """Return whether the sentence closest to a question affirms it; of several equally close ones, the last."""
    asked = {stem(word) for word in map(str.lower, _WORD.findall(question)) if word not in ignored}
    best, sentence = 0.0, ""
    for part in _SENTENCE_END.split(answer)[-_MOST_SENTENCES:]:
        words = {stem(word) for word in map(str.lower, _WORD.findall(part))}
        share = len(asked & words) / len(asked) if asked else 0.0
        if share >= max(best, _STATED):
            best, sentence = share, part
    if not sentence:
        return None
    asks_negation = bool(_NEGATION.search(question, len(question.partition(" ")[0])))  # but "Isn't it …?"
    return bool(_NEGATION.search(sentence)) == asks_negation
