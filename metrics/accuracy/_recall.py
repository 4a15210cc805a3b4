"""Token recall: is what the reference says found in the prediction, and does nothing there contradict it?

Source of the idea: Adlakha et al. 2024, https://arxiv.org/abs/2307.16877, who found that token recall agrees best with
people. The rules for numbers, dates, names and contradictions are our own; the metric's card lists them.
"""

from dataclasses import dataclass

from ._recall_contradictions import has_all_items
from ._recall_contradictions import has_opposite
from ._recall_contradictions import has_other_initials
from ._recall_contradictions import is_capital_code
from ._recall_contradictions import is_contradicted
from ._recall_contradictions import is_in
from ._recall_contradictions import is_other_name
from ._recall_contradictions import lacks_required
from ._recall_dates import MONTHS
from ._recall_dates import DateIndex
from ._recall_dates import is_year
from ._recall_forms import ARTICLES
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import bases
from ._recall_forms import beginning
from ._recall_forms import spelling
from ._recall_forms import spellings_without_a_vowel
from ._recall_forms import stem
from ._recall_names import find_acronyms
from ._recall_names import find_short_forms
from ._recall_numbers import is_roman
from ._recall_numbers import unit_of
from ._recall_text import Found
from ._recall_text import Text
from ._recall_text import read
from ._recall_tokens import Token

# Raise it whenever any decision changes: it stands in the signatures.
RECALL_VERSION = "v1"

# Common words say less than the name that they describe: "the drama series Gunsmoke".
_COMMON_WEIGHT = 0.5


@dataclass(frozen=True)
class Recall:
    """What of a reference is found in a prediction, and what follows."""

    share: float
    """The share of the reference's words that are found, 0 to 1; common words beside a name count half."""
    right: bool
    """Whether the prediction is right."""
    found: tuple[tuple[int, int], ...]
    """The words of the reference that are found: where each starts and ends."""
    missing: tuple[tuple[int, int], ...]
    """Those that are not."""
    evidence: tuple[tuple[int, int], ...]
    """Where in the prediction the found ones stand."""
    reason: str
    """Why it is wrong: "number", "share", "denied", "opposite", "other name", "list" or "empty"; "" if it is right."""


def recall(
    reference: str, prediction: str, *, question: str | None = None, threshold: float = 0.5, language: str = "en"
) -> Recall:
    """Look for the words of a reference in a prediction.

    Args:
        reference: The right answer.
        prediction: The answer to judge.
        question: What was asked; its words are no evidence, unless the reference has no others.
        threshold: The least share of the words, 0 to 1.
        language: "en", or "none" for no rules of any language.

    Returns:
        What was found, and whether that makes the prediction right.
    """
    wanted, given = read(reference, language), read(prediction, language)
    content = content_words(wanted, None if question is None else read(question, language))
    found, share, reason = judge(wanted, given, content, threshold)
    spans = {index: (wanted.tokens[index].start, wanted.tokens[index].end) for index in content}
    return Recall(
        share=share,
        right=not reason,
        found=tuple(spans[index] for index in content if found[index]),
        missing=tuple(spans[index] for index in content if not found[index]),
        evidence=tuple(
            (given.tokens[place].start, given.tokens[place].end)
            for place in sorted({place for places in found.values() for place in places})
        ),
        reason=reason,
    )


def judge(wanted: Text, given: Text, content: list[int], threshold: float) -> tuple[Found, float, str]:
    """Do what `recall` does, with texts that are read already: what is found, the share, and why it is wrong."""
    found, reason = _find_all(wanted, given, content)
    share = _share(wanted, content, found)
    return found, share, reason or _reason(wanted, given, content, found, share, threshold)


def content_words(reference: Text, question: Text | None = None) -> list[int]:
    """Choose the words of a reference that count: no articles, no function words and no words of the question.

    Each of these counts where the reference has no others.
    """
    tokens = reference.tokens
    content = list(range(len(tokens)))
    if reference.english:
        content = [index for index in content if not is_in(ARTICLES, tokens, index)] or content
        content = [index for index in content if not is_in(FUNCTION_WORDS, tokens, index)] or content
    if question is not None:
        asked = question.keys
        stems: frozenset[str] = frozenset(question.stems) if reference.english else frozenset()
        content = [
            index
            for index in content
            if tokens[index].is_number or not (tokens[index].key in asked or stem(tokens[index].key) in stems)
        ] or content
    return content


def _find_all(wanted: Text, given: Text, content: list[int]) -> tuple[Found, str]:
    """Find the places of the prediction for each word that counts; a reason comes back if they are denied."""
    found: Found = _find_dates(wanted, given)
    for index in content:
        if index not in found:
            find = _find_number if wanted.tokens[index].is_number else _find_word
            found[index] = find(wanted, given, index)
    found = {index: found[index] for index in content}
    if any(not places for places in found.values()):
        find_short_forms(wanted, given, content, found)
        find_acronyms(wanted, given, content, found)
    reason = ""
    if given.denied and not wanted.is_negative and not ("or" in wanted.keys and "either" in given.keys):
        for index, places in found.items():
            found[index] = [place for place in places if place not in given.denied]
            if places and not found[index]:
                reason = "denied"
    if wanted.english and not given.keys.isdisjoint(NAME_PREFIXES):
        for index, places in found.items():
            found[index] = [place for place in places if not is_other_name(wanted, given, index, place)]
    _drop_common_nouns(wanted, given, content, found)
    return found, reason


def _find_dates(wanted: Text, given: Text) -> Found:
    """Find the dates of a reference, as wholes."""
    found: Found = {}
    dates = [date for date in wanted.dates if date.year or date.day]
    if not dates:
        return found
    others = [date for date in given.dates if given.denied.isdisjoint(date.places)]
    years: dict[str, list[int]] = {}
    for place, token in enumerate(given.tokens):
        if is_year(token) and place not in given.dated and place not in given.denied:
            years.setdefault(token.value, [place])
    for key, places in given.footnoted_years.items():
        years.setdefault(key[1:], []).extend(places)
    index = DateIndex(others, years)
    for date in dates:
        places = list(index.find(date) or ())
        found.update((place, places) for place in date.places)
    return found


def _find_number(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a number by its value and, where both sides have one, its unit."""
    number, tokens = wanted.tokens[index], given.tokens
    places = given.places.get(number.key, []) or given.footnoted_years.get(number.key, [])
    if not places and wanted.english:
        places = _find_ordinal(wanted, given, index)
    if not places or not wanted.english:
        return places
    unit = unit_of(wanted.tokens, index)
    if unit:
        places = [place for place in places if unit_of(tokens, place) in {"", unit}]
    before = stem(wanted.tokens[index - 1].key) if index and number.key[-1].isdigit() else ""
    if before and before in given.stems and len(wanted.tokens) > 1:  # "season 5" is not "5 seasons"
        places = [
            place
            for place in places
            if not tokens[place].key[-1].isdigit()
            or (place and stem(tokens[place - 1].key) == before)
            or place + 1 == len(tokens)
            or stem(tokens[place + 1].key) != before
        ]
    return places


def _find_ordinal(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a number that is written in the other way: "Elizabeth the Second", "season 2", "July 6th", "the '90s"."""
    number, tokens = wanted.tokens[index], given.tokens
    key, value = number.key, number.value
    if is_roman(number):
        return given.places.get(f"#{value}th", [])
    if key.endswith("th"):
        after = stem(wanted.tokens[index + 1].key) if index + 1 < len(wanted.tokens) else ""
        return [
            place
            for place in given.places.get("#" + value, [])
            if is_roman(tokens[place]) or (place and stem(tokens[place - 1].key) == after)
        ]
    if key.endswith("s"):
        if len(value) == 2:  # 90s
            return given.decades.get(key[1:], [])
        return given.places.get(f"#{value[-2:]}s", [])
    before = stem(wanted.tokens[index - 1].key) if index else ""
    return [
        place
        for place in given.places.get(f"#{value}th", [])
        if (place + 1 < len(tokens) and stem(tokens[place + 1].key) == before) or place in given.dated
    ]


def _find_word(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a word as it stands, in another form or spelling, or written as two."""
    word = wanted.tokens[index]
    key = word.key
    places = given.places.get(key, [])
    if places and key in FUNCTION_WORDS and is_capital_code(wanted.tokens, index) and given.has_capitals:
        return [place for place in places if given.tokens[place].text.replace(".", "").isupper()]  # US is not "us"
    if places:
        return places
    if beginning(key) in given.beginnings:
        if wanted.english:
            places = _find_form(word, given) or _find_month(word, given)
        if not places and (plain := spelling(key)):
            places = given.spellings.get(plain) or given.shortened.get(plain) or []
            for shorter in () if places else spellings_without_a_vowel(key):
                places = places or given.spellings.get(shorter, [])
    elif wanted.english and key == "no" and len(wanted.tokens) == 1 and "yes" not in given.keys:
        places = [place for place in sorted(given.denials) if place < _FIRST_WORDS]
    return places or _find_joined(wanted, given, index)


def _find_joined(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a word that is written as two, or two that are written as one: "Spider-Man" and "Spiderman"."""
    key = wanted.tokens[index].key
    before = wanted.tokens[index - 1].key if index else ""
    after = wanted.tokens[index + 1].key if index + 1 < len(wanted.tokens) else ""
    if before and before + key in given.places:
        return given.places[before + key]
    if after and key + after in given.places:
        return given.places[key + after]
    for length in range(1, len(key) if len(key) <= _LONGEST_JOINED else 0):
        if key[length:] in given.places:
            for place in given.places.get(key[:length], ()):
                if place + 1 < len(given.tokens) and given.tokens[place + 1].key == key[length:]:
                    return [place, place + 1]
    return []


_FIRST_WORDS = 20
_LONGEST_JOINED = 32


def _find_form(word: Token, given: Text) -> list[int]:
    """Find an English word in another inflection, or in a word that it is derived from or that is derived from it.

    The name of a place is not found in what is derived from it (Paris in "Parisian"), only the other way round.
    """
    base = stem(word.key)
    places = given.stems.get(base) or ([] if word.capital else given.bases.get(base)) or []
    for other in () if places else bases(word.key):
        places = places or given.stems.get(other, [])
    return places


def _find_month(word: Token, given: Text) -> list[int]:
    """Find the name of a month, in full or abbreviated."""
    if word.key not in MONTHS or not word.capital or given.keys.isdisjoint(MONTHS):
        return []
    same = [key for key, number in MONTHS.items() if number == MONTHS[word.key]]
    return [place for key in same for place in given.places.get(key, ()) if given.tokens[place].capital]


def _drop_common_nouns(wanted: Text, given: Text, content: list[int], found: Found) -> None:
    """Where a name is found in part, take away what is found as a common noun only ("lake" for "Lake Oahe")."""
    names = [index for index in content if wanted.tokens[index].capital]
    if not given.has_capitals or all(found[index] for index in names):
        return
    for index in names:
        if index == 0 and len(names) < len([i for i in content if not wanted.tokens[i].is_number]):
            continue  # the first word of a phrase has a capital anyway
        tokens = [given.tokens[place] for place in found[index]]
        if not wanted.tokens[index].is_number and not any(token.capital or token.is_number for token in tokens):
            found[index] = []


def _share(wanted: Text, content: list[int], found: Found) -> float:
    """Compute the share of the words that are found; beside a name, common words count half if that gives more."""
    if not content:
        return 0.0
    hits = [bool(found[index]) for index in content]
    share = sum(hits) / len(hits)
    if all(hits) or not any(wanted.tokens[index].capital and index for index in content):
        return share
    weights = [
        1.0 if wanted.tokens[index].capital or wanted.tokens[index].is_number else _COMMON_WEIGHT for index in content
    ]
    # Halves add up exactly.
    return max(share, sum(weight for weight, hit in zip(weights, hits, strict=True) if hit) / sum(weights))


def _reason(  # noqa: PLR0911  # one rule after the other
    wanted: Text, given: Text, content: list[int], found: Found, share: float, threshold: float
) -> str:
    """Say why a prediction is wrong, or "" if it is right."""
    missing = [index for index in content if not found[index]]
    if not content:
        return "empty"
    in_dates = {index for date in wanted.dates if date.year or date.day for index in date.places}
    if any(wanted.tokens[index].is_number or index in in_dates for index in missing):
        return "number"
    if share < threshold or len(missing) == len(content):
        return "share"
    if has_other_initials(wanted, given, content, found):
        return "other name"
    if not missing:
        return ""
    if wanted.english and lacks_required(wanted, missing):
        return "opposite"
    if wanted.english and any(has_opposite(wanted.tokens[index].key, wanted, given) for index in missing):
        return "opposite"
    if is_contradicted(wanted, given, content, found):
        return "other name"
    if wanted.english and "and" in wanted.keys and not has_all_items(wanted, found):
        return "list"
    return ""
