"""Finds the words, numbers and dates of a reference in a prediction, in any form."""

from ._recall_contradictions import is_capital_code
from ._recall_conversions import find_converted
from ._recall_conversions import find_share
from ._recall_dates import MONTHS
from ._recall_dates import DateIndex
from ._recall_dates import is_year
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import bases
from ._recall_forms import spelling
from ._recall_forms import spellings_without_a_vowel
from ._recall_forms import stem
from ._recall_numbers import FOREIGN_NAMES
from ._recall_numbers import FOREIGN_NUMBERS
from ._recall_numbers import is_roman
from ._recall_rounding import find_rounded
from ._recall_rounding import find_rounded_measure
from ._recall_text import LONGEST_JOINED
from ._recall_text import Forms
from ._recall_text import Found
from ._recall_text import Text
from ._recall_tokens import Token
from ._recall_tokens import is_korean
from ._recall_units import measure_of
from ._recall_units import same_unit
from ._recall_units import unit_of

_CENTURY = stem("century")
_YES_OR_NO = frozenset({"yes", "no"})
_AGREEMENTS = frozenset("yeah yep indeed absolutely certainly definitely correct".split())
# A denial among so many first words is found as the answer "no".
_FIRST_WORDS = 20


def find_dates_of(wanted: Text, given: Text) -> Found:
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
        # "12/08/1990" is two dates, of which one is enough.
        found.update((place, places) for place in date.places if not found.get(place))
    return found


def find_number(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a number by its value and, where both sides have one, its unit."""
    number, tokens = wanted.tokens[index], given.tokens
    places = given.places.get(number.key, []) or given.footnoted_years.get(number.key, [])
    if not places and wanted.english:
        places = _find_ordinal(wanted, given, index) or find_rounded(number, given) or _find_foreign(number, given)
    if not _is_note(wanted, index):
        places = [place for place in places if not _is_note(given, place)]
    if not wanted.english:
        return places
    unit = unit_of(wanted.tokens, index)
    if unit:
        places = places or (find_share(number, given) if unit == "percent" else [])
        places = [place for place in places if same_unit(unit, unit_of(tokens, place))]
        if not places and (measure := measure_of(wanted.tokens, index)):
            places = given.measures.get(measure) or find_rounded_measure(number, unit, given)
        places = places or find_converted(number, unit, given)
    before = stem(wanted.tokens[index - 1].key) if index and number.key[-1].isdigit() else ""
    if before and _has_stem(wanted.tokens[index - 1].key, given):  # "season 5" is not "5 seasons"
        places = [
            place
            for place in places
            if not tokens[place].key[-1].isdigit()
            or (place and stem(tokens[place - 1].key) == before)
            or place + 1 == len(tokens)
            or stem(tokens[place + 1].key) != before
        ]
    return places


def _has_stem(word: str, given: Text) -> bool:
    forms = given.forms(word)
    return forms is not None and stem(word) in forms.stems


def _is_note(text: Text, place: int) -> bool:
    """Say whether a number stands in square brackets that are attached to a word: "in 2018[5]"."""
    at, end = text.tokens[place].start - 1, text.tokens[place].end
    if text.text[at : at + 1] == "^":
        at -= 1
    is_attached = at > 0 and text.text[at] == "[" and not text.text[at - 1].isspace()
    return is_attached and text.text[end : end + 1] in {"]", "^", ","}


def _find_ordinal(wanted: Text, given: Text, index: int) -> list[int]:
    """Find an ordinal for a cardinal, or vice versa: "Elizabeth the Second", "season 2", "July 6th", "the '90s"."""
    number, tokens = wanted.tokens[index], given.tokens
    key, value = number.key, number.value
    if is_roman(number):
        return given.places.get(f"#{value}th", [])
    if key.endswith("th"):
        after = stem(wanted.tokens[index + 1].key) if index + 1 < len(wanted.tokens) else ""
        decades = given.places.get(f"#{int(value) - 1}00s", []) if after == _CENTURY else []
        return decades or [
            place
            for place in given.places.get("#" + value, [])
            if is_roman(tokens[place]) or (place and stem(tokens[place - 1].key) == after)
        ]
    if key.endswith("s"):
        if value.endswith("00"):
            return _find_century(given, int(value) // 100 + 1)
        if len(value) == 2:  # 90s
            return given.decades.get(key[1:], [])
        return given.places.get(f"#{value[-2:]}s", [])
    before = stem(wanted.tokens[index - 1].key) if index else ""
    return [
        place
        for place in given.places.get(f"#{value}th", [])
        if (place + 1 < len(tokens) and stem(tokens[place + 1].key) == before) or place in given.dated
    ]


def _find_foreign(number: Token, given: Text) -> list[int]:
    """Find a number by its name in another language."""
    names = FOREIGN_NAMES.get(number.key, ())
    return [place for name in names for place in given.places.get(name, ()) if is_foreign_number(given, place)]


def is_foreign_number(text: Text, place: int) -> bool:
    """Say whether a word is a number in another language than English: "sept", not "Sept" nor "sept 2019"."""
    if text.tokens[place].key not in FOREIGN_NUMBERS:
        return False
    beside = text.tokens[max(0, place - 1) : place + 2]
    return text.tokens[place].text.islower() and not any(token.is_number for token in beside)


def _find_century(given: Text, number: int) -> list[int]:
    """Find the century of "the 1800s"."""
    tokens = given.tokens
    places = given.places.get(f"#{number}th", [])
    return [place for place in places if place + 1 < len(tokens) and tokens[place + 1].key == "century"]


def find_word(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a word as it is, in another form or spelling, or written as two."""
    word = wanted.tokens[index]
    key = word.key
    places = given.places.get(key, [])
    if wanted.english and len(wanted.tokens) == 1 and key in _YES_OR_NO:
        return _find_yes_or_no(key, given)
    if places and key in FUNCTION_WORDS and is_capital_code(wanted.tokens, index) and given.has_capitals:
        return [place for place in places if given.tokens[place].text.replace(".", "").isupper()]  # US is not "us"
    if places:
        return places
    if wanted.english and is_foreign_number(wanted, index):
        return given.places.get(FOREIGN_NUMBERS[key], [])
    if forms := given.forms(key):
        if wanted.english:
            places = _find_form(word, forms) or _find_month(word, given)
        places = places or _find_spelling(key, forms)
    if not places and is_korean(key):
        places = given.korean_beginnings.get(key, [])
    return places or _find_joined(wanted, given, index)


def _find_yes_or_no(key: str, given: Text) -> list[int]:
    """Find an answer of one word: the first "yes" or "no" decides, or a denial among the first words."""
    said = {word: given.places[word][0] for word in _YES_OR_NO if word in given.keys}
    if len(said) == 2 and said["no"] - said["yes"] in {1, 2} and not given.ends_clause(said["no"]):
        return []  # "yes and no"
    if not said and key == "yes" and given.tokens and given.tokens[0].key in _AGREEMENTS:
        return [0]
    if said:
        return [said[key]] if key in said and said[key] == min(said.values()) else []
    return [place for place in sorted(given.denials) if place < _FIRST_WORDS] if key == "no" else []


def _find_joined(wanted: Text, given: Text, index: int) -> list[int]:
    """Find a word that is written as two, or two that are written as one: "Spider-Man" and "Spiderman"."""
    key = wanted.tokens[index].key
    before = wanted.tokens[index - 1].key if index else ""
    after = wanted.tokens[index + 1].key if index + 1 < len(wanted.tokens) else ""
    if before and before + key in given.places:
        return given.places[before + key]
    if after and key + after in given.places:
        return given.places[key + after]
    for length in range(1, len(key) if len(key) <= LONGEST_JOINED else 0):
        if key[length:] in given.places:
            for place in given.places.get(key[:length], ()):
                if place + 1 < len(given.tokens) and given.tokens[place + 1].key == key[length:]:
                    return [place, place + 1]
    return []


def _find_form(word: Token, forms: Forms) -> list[int]:
    """Find an English word in another inflection, or in a word that it is derived from or that is derived from it.

    The name of a place is not found in what is derived from it (Paris in "Parisian"), only the other way round.
    """
    base = stem(word.key)
    places = forms.stems.get(base) or ([] if word.capital else forms.bases.get(base)) or []
    for other in () if places else bases(word.key):
        places = places or forms.stems.get(other, [])
    return places


def _find_spelling(key: str, forms: Forms) -> list[int]:
    """Find a word in another spelling."""
    plain = spelling(key)
    if not plain:
        return []
    places = forms.spellings.get(plain) or forms.shortened.get(plain) or []
    for shorter in () if places else spellings_without_a_vowel(key):
        places = places or forms.spellings.get(shorter, [])
    return places


def has_form(word: Token, other: str, *, english: bool) -> bool:
    """Say whether `find_word` finds a word where the prediction has another one, as its form or spelling."""
    forms = Forms([(other, 0)])
    return bool((english and _find_form(word, forms)) or _find_spelling(word.key, forms))


def _find_month(word: Token, given: Text) -> list[int]:
    """Find the name of a month, in full or abbreviated."""
    if word.key not in MONTHS or not word.capital or given.keys.isdisjoint(MONTHS):
        return []
    same = [key for key, number in MONTHS.items() if number == MONTHS[word.key]]
    return [place for key in same for place in given.places.get(key, ()) if given.tokens[place].capital]
