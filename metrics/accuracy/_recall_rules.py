"""Where the words of a reference are found in an answer: in other forms, spellings, short forms and units.

`find_all` is the entry point. Examples in docstrings name the reference first: "Canada" in "Canadian".
"""

import re
import unicodedata
from decimal import Context, Decimal
from functools import lru_cache
from itertools import takewhile

from rapidfuzz.distance import Levenshtein

from ._recall_tokens import FOREIGN_MONTHS, FUNCTION_WORDS, LONGEST_WORD, MONTHS, Text, is_year, stem, value_of

# Words that exclude each other: "south" contradicts "north", and "Iraq" is not a spelling of "Iran".
_EXCLUSIVE = """
    above below | acute chronic | after before | afternoon evening morning | alpha beta delta gamma | arteries veins
    | artery vein | aunt brother husband sister uncle wife | australia austria | autumn spring summer winter | black
    blue brown green orange pink purple red white yellow | boy girl | bronze gold silver | buddhist christian hindu
    jewish muslim | calcium lithium magnesium potassium sodium | chlorate chloride chlorite | cold hot | dark light
    | daughter father mother son | decrease increase | deductive inductive | dioxide monoxide trioxide | direct
    indirect | divorced married | dominant recessive | east north south west | eastern northern southern western |
    eldest middle youngest | export import | external internal | female male | first last | friday monday saturday
    sunday thursday tuesday wednesday | gambia zambia | guilty innocent | high low | hyperglycemia hypoglycemia |
    hypertension hypotension | hyperthyroidism hypothyroidism | illegal legal | inner outer | interstate intrastate
    | iran iraq | king queen | left right | less more | lower upper | macroeconomics microeconomics | major minor |
    man woman | max min | maximum minimum | midnight noon | mr mrs ms | negative positive | new old | niger nigeria
    | nitrate nitride nitrite | nitric nitrous | northeast northwest southeast southwest | northeastern northwestern
    southeastern southwestern | oldest youngest | photon proton | private public | slovakia slovenia | sulfate
    sulfide sulfite
"""
EXCLUSIVE: dict[str, frozenset[str]] = {}
for _group in _EXCLUSIVE.split("|"):
    for _word in _group.split():
        EXCLUSIVE[_word] = EXCLUSIVE.get(_word, frozenset()) | frozenset(_group.split()) - {_word}

# Common short forms that are not prefixes: "Bill" for "William", "Mt" for "Mount".
_SHORT_NAMES = """
    andy:andrew beth:elizabeth betty:elizabeth bill:william billy:william blvd:boulevard bob:robert bobby:robert
    charlie:charles chuck:charles co:company dave:david dick:richard drew:andrew eddie:edward fred:frederick ft:fort
    hank:henry harry:henry jack:john jamie:james jerry:gerald jim:james jimmy:james joe:joseph joey:joseph
    johnny:john kate:catherine kate:katherine kate:kathleen kathy:katherine katie:katherine kit:christopher
    larry:lawrence liz:elizabeth ltd:limited maggie:margaret mick:michael mike:michael molly:mary mt:mount
    mtn:mountain ned:edward nick:nicholas peggy:margaret pete:peter rd:road rick:richard rob:robert sally:sarah
    sandy:alexander steve:stephen steve:steven ted:edward ted:theodore teddy:edward teddy:theodore terry:terence
    tommy:thomas tony:anthony will:william
"""
_SAME_NAMES = {frozenset(pair.split(":")) for pair in _SHORT_NAMES.split()}
# Suffixes that turn a name into another one: Paul and Paula, John and Johnson.
_NAME_ENDINGS = frozenset("a e i ia ina ine o son us".split())
# What the forms of an English word end in, after the letters that they share.
_ENDINGS = frozenset(
    """a able age al ally ance ant ar ary ate ated ation ations ative ator b be ce ces cy d de e ed ement en ence ent er
    ers es ese ful hood i ia ial ian ible ic ical ics ie ied ies ing ings ion ions is ise ish ism ist ists ity ive ize
    less ly ment ments n ness on or ors ory ous ption red ring s se ship sion sions ssion t th tial tic tion tions tor
    ty um us ward wise y""".split()
) | {""}
# Differences between British and American spellings.
_BRITISH = {
    "our": "or", "tre$|ter$": "tr", "is(?=e|ing|ation|$)": "iz", "ys(?=e|ing|$)": "yz", "ogue?$": "og", "ae|oe": "e",
    "en[cs]e?$": "ens", "ll": "l", "gramme?$": "gram", "que?$": "ck", "ph": "f",
}  # fmt: skip
_SPELLINGS = [(re.compile(british), american) for british, american in _BRITISH.items()]
# Accents that only say how a word is stressed: grave, acute, circumflex.
_STRESS = frozenset("\u0300\u0301\u0302")
# First letters that two spellings of a word can have: "Caesar" and "Kaesar".
_SOUNDS = {"c": "ck", "i": "ijy", "j": "ji", "k": "kc", "s": "sz", "y": "yi", "z": "zs"}
# Units by what they measure, each with its multiple of the first: "mile" and "kilometer" both measure lengths.
_UNITS = """
    celsius: c 1 celsius 1 | days: day 1 week 7 | degrees: degree 1 | dollars: cent .01 dollar 1 | euros: euro 1
    | fahrenheit: f 1 fahrenheit 1 | length: centimeter .01 centimetre .01 cm .01 feet .3048 foot .3048 ft .3048
      inch .0254 inches .0254 kilometer 1000 kilometre 1000 km 1000 m 1 meter 1 metre 1 mi 1609.344 mile 1609.344
      millimeter .001 mm .001 yard .9144
    | mass: g .001 gram .001 kg 1 kilogram 1 lb .45359237 lbs .45359237 pound .45359237 ton 1000 tonne 1000
    | months: month 1 | percent: percent 1 | rupees: rupee 1 | speed: kmh 1 kph 1 mph 1.609344
    | time: hour 3600 min 60 minute 60 second 1 | years: century 100 decade 10 year 1 | yen: yen 1 | wons: won 1
    | rubles: ruble 1
"""
Unit = tuple[str, Decimal]
_UNIT_BY_STEM: dict[str, Unit] = {}
for _group in _UNITS.split("|"):
    _measured, _, _names = _group.partition(":")
    for _name, _factor in zip(_names.split()[::2], _names.split()[1::2], strict=True):
        _UNIT_BY_STEM[stem(_name)] = (_measured.strip(), Decimal(_factor))
_CURRENCIES = frozenset("$£¥€₩₹₽")
_SIGN_UNITS = {name: (f"{name}s", Decimal(1)) for name in "dollar euro rupee ruble won".split()}
_SIGN_UNITS |= {"pound": ("sterling", Decimal(1)), "yen": ("yen", Decimal(1))}
_CODES = {"usd": "dollar", "eur": "euro", "gbp": "pound", "jpy": "yen", "inr": "rupee", "krw": "won", "rub": "ruble"}
# Countries whose dollar is not that of the United States: "A$".
_DOLLARS = frozenset("a c hk nz s r".split())
_POUNDS = {"sterling", "mass"}
# The tolerance of amounts in different units: "82 km" and "51 miles".
_CONVERTED = Decimal("0.006")
# At most this many words of a reference are searched in other forms, which takes longest.
_MOST_MISSING = 50

Found = dict[int, list[int]]
"""The places in an answer where each word of a reference is found, by its place in the reference."""


def find_all(wanted: Text, given: Text, content: list[int]) -> Found:
    """Find the words at some places of a reference (`content`) in an answer."""
    found = {index: _find_exact(wanted, index, given) for index in content}
    missing = [index for index, places in found.items() if not places]
    for index in missing[:_MOST_MISSING]:
        find = _find_other_number if wanted.is_number(index) else _find_other_form
        found[index] = find(wanted, index, given)
    for index in content if not wanted.text.isascii() else ():
        if not wanted.written(index).isascii():
            found[index] = [place for place in found[index] if not _is_another_word(wanted, index, given, place)]
    if not all(found.values()):
        _find_short_names(wanted, given, found)
        _find_acronyms(wanted, given, found)
    return found


def _find_exact(wanted: Text, index: int, given: Text) -> list[int]:
    """Find a word unchanged, or a number by its value, unless its kind or unit differs.

    Function words that are names, as in "WHO" and "vitamin A", are found in capitals only.
    """
    token = wanted.tokens[index]
    places = given.places.get(token.key, [])
    if not places:
        return places
    if token.kind == "ordinal":  # "second season" in "season 2", but not "first" in "one", nor a century in years
        is_century = wanted.key_at(index + 1) == "century"
        cardinals = [at for at in places if given.tokens[at].kind == "cardinal"]
        return [at for at in places if at not in cardinals or (given.written(at).isdigit() and not is_century)]
    if token.kind:
        unit = unit_of(wanted, index)
        return [place for place in places if _units_fit(unit, unit_of(given, place), may_be_share=wanted.may_be_share)]
    if wanted.english and token.key in FUNCTION_WORDS and wanted.written(index).replace(".", "").isupper():
        return [place for place in places if given.written(place).replace(".", "").isupper()]
    return places


def _is_another_word(wanted: Text, index: int, given: Text, place: int) -> bool:
    """Return whether marks that an answer lacks make another word of a common one: "ano" for "año".

    Names and English loanwords are also written without marks (Nunez, jalapeno), and so are texts without any.
    """
    if wanted.tokens[index].key != given.tokens[place].key or not wanted.written(index).islower():
        return False
    forms = ((wanted, index), (given, place))
    word, other = (
        unicodedata.normalize("NFC", text.written(at).casefold().replace("\u0451", "\u0435")) for text, at in forms
    )
    if wanted.english:  # café is cafe
        return word != other and len(word) <= 4 and not set(unicodedata.normalize("NFD", word)) & _STRESS
    return word != other and (len(word) <= 4 or not given.text.isascii())


def _find_other_form(wanted: Text, index: int, given: Text) -> list[int]:
    """Find a word in another form: inflected, derived, spelled otherwise, or written as two words or one."""
    key = wanted.tokens[index].key
    if places := given.stems.get(stem(key)) if given.english else None:
        return places
    if key in MONTHS and wanted.is_capital(index):
        return _find_month(MONTHS[key], given)
    if places := _find_joined(wanted, index, given):
        return places
    others = [other for first in _SOUNDS.get(key[0], key[0]) for other in given.beginnings.get(first, ())]
    is_name = wanted.is_capital(index)
    month = None if given.english else FOREIGN_MONTHS.get(key)
    if month:
        return next((given.places[other] for other in others if FOREIGN_MONTHS.get(other) == month), [])
    for other in others:
        places = given.places[other]
        is_also = is_name and (not given.has_capitals or any(map(given.is_capital, places)))
        if _is_same_word(key, other, english=given.english) and (
            is_also or _is_form(key, other, english=given.english)
        ):
            return places
    return []


def _find_month(month: int, given: Text) -> list[int]:
    """Find a month as a name or as the number in a date: "September" in "Sept. 6" and in "2019-09-06"."""
    places = [at for name, number in MONTHS.items() if number == month for at in given.places.get(name, ())]
    places = [place for place in places if given.is_capital(place)]
    return places or [at for at in given.places.get(f"#{month}", ()) if given.tokens[at].kind == "date"]


def _find_joined(wanted: Text, index: int, given: Text) -> list[int]:
    """Find two words written as one, and one as two: "sun flower" in "sunflower", "Spiderman" in "Spider-Man"."""
    key = wanted.tokens[index].key
    for joined in (key + wanted.key_at(index + 1), wanted.key_at(index - 1) + key):
        if joined in given.places:
            return given.places[joined]
    for length in range(2, min(len(key) - 1, LONGEST_WORD)):
        for place in given.places.get(key[:length], ()):
            if given.key_at(place + 1) == key[length:]:
                return [place, place + 1]
    return []


def _is_same_word(one: str, other: str, *, english: bool) -> bool:
    """Return whether two words are spellings or derivations of one: "colour" and "color", "Canada" and "Canadian"."""
    short, long = sorted((one, other), key=len)
    if "\uac00" <= short[0] <= "\ud7a3":
        return len(short) > 1 and long.startswith(short)  # particles are attached to Korean words
    if len(short) < 5 or len(long) > LONGEST_WORD or not short.isalpha() or other in EXCLUSIVE.get(one, ()):
        return False
    if english and long.startswith(short) and long[len(short) :] in _NAME_ENDINGS:
        return False
    if len(long) - len(short) <= 4 and long.startswith(short[: max(4, len(short) - 2)]):
        return True
    return Levenshtein.distance(short, long, score_cutoff=len(long) // 5) * 5 <= len(long)  # four of five letters


def _is_form(one: str, other: str, *, english: bool) -> bool:
    """Return whether a common word is a form or another spelling of another: not "amines" of "amides"."""
    if "\uac00" <= one[0] <= "\ud7a3":
        return True
    if english and _american(one) == _american(other):
        return True
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    endings = {one[same:], other[same:]}
    if english and one.isascii():
        return same >= 4 and endings <= _ENDINGS
    return same >= 4 and all(len(ending) <= 3 for ending in endings) and other not in FOREIGN_MONTHS


@lru_cache(maxsize=10_000)
def _american(word: str) -> str:
    """Spell a word in the American way, nearly: "color" for "colour", "center" for "centre", "anemia" for "anaemia"."""
    word = stem(word)
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    return word


def is_day(text: Text, place: int) -> bool:
    """Return whether a number is next to the name of a month: "25th of December"."""
    behind = place + 2 if text.key_at(place + 1) == "of" else place + 1
    months = [at for at in (place - 1, behind) if text.key_at(at) in MONTHS and text.is_capital(at)]
    return len(text.tokens[place].key) <= 3 and bool(months)


def unit_of(text: Text, place: int) -> Unit | None:
    """Return what is measured and the factor of a number's unit: the word after it, or a currency sign before it."""
    before, behind = text.key_at(place - 1), text.key_at(place + 1)
    if before and text.written(place - 1) in _CURRENCIES:
        country = text.key_at(place - 2) if not text.gap_before(place - 1) else ""
        return (f"{country} dollars", Decimal(1)) if country in _DOLLARS else _SIGN_UNITS[before]
    if before in _CODES:
        return _SIGN_UNITS[_CODES[before]]
    if not behind or text.tokens[place].kind in {"ordinal", "date"} or text.begins_clause(place + 1):
        return None
    if behind in {"degree", "degrees"} and text.key_at(place + 2) in {"c", "celsius", "f", "fahrenheit"}:
        behind = text.key_at(place + 2)
    elif len(behind) == 1 and text.written(place + 1) not in {"C", "F", "g", "m"}:
        return None
    return _UNIT_BY_STEM.get(stem(behind))


def _units_fit(unit: Unit | None, other: Unit | None, *, may_be_share: bool) -> bool:
    """Return whether numbers with these units may be the same: 5 is $5, but 50 is 50% only if a share is asked for."""
    if unit == other:
        return True
    if unit is None or other is None:
        return may_be_share or (unit or other or ("",))[0] != "percent"
    return {unit[0], other[0]} == _POUNDS and Decimal(".45359237") in {unit[1], other[1]}


def _find_other_number(wanted: Text, index: int, given: Text) -> list[int]:
    """Find a number in another form: as a month, a century, a decade, with a footnote, rounded, or in another unit."""
    token = wanted.tokens[index]
    if token.kind == "date" and len(token.key) <= 3:
        return _find_month(int(token.key[1:]), given)
    value, unit = value_of(token.key), unit_of(wanted, index)
    if token.kind == "ordinal" and wanted.key_at(index + 1) == "century":  # "19th century" in "the 1800s"
        return [] if value is None else given.places.get(f"#{value - 1}00s", [])
    keys = [(place, given.tokens[place].key) for place in given.numbers]
    if token.key[-1] == "s":  # "1990s" in "90s"
        return [at for at, key in keys if key[-3:] == token.key[-3:] and 4 in {len(key), len(token.key)}]
    if is_year(token.key):  # "1992" in "19921", with a footnote digit attached; "1990" in "the early 1990s"
        rests = [(at, key[5:]) for at, key in keys if key[:5] == token.key]
        return [at for at, rest in rests if rest == "s" or (rest.isdigit() and len(rest) <= 2)]
    return [] if value is None else _find_near(value, unit, given, may_be_share=wanted.may_be_share)


def _find_near(value: Decimal, unit: Unit | None, given: Text, *, may_be_share: bool) -> list[int]:
    """Find a number rounded ("348,450" in "348,000") or converted ("82 km" in "51 miles")."""
    for place in given.numbers:
        other, its_unit = value_of(given.tokens[place].key), unit_of(given, place)
        if other is None or is_year(given.tokens[place].key):
            continue
        if _units_fit(unit, its_unit, may_be_share=may_be_share):
            is_near = _is_rounded(value, other)
        elif unit is None or its_unit is None:
            continue
        else:
            amount, its_amount = value * unit[1], other * its_unit[1]
            is_near = unit[0] == its_unit[0] and abs(amount - its_amount) <= _CONVERTED * abs(amount)
        if is_near:
            return [place]
    return []


def _is_rounded(value: Decimal, other: Decimal) -> bool:
    """Return whether one number is the other rounded to two or more digits; small whole numbers are not rounded."""
    for exact, rounded in ((value, other), (other, value)):
        digits = len(rounded.normalize().as_tuple().digits)
        if digits > 1 and (abs(value) >= 1000 or value % 1 != 0) and Context(prec=digits).plus(exact) == rounded:
            return True
    return False


def _find_short_names(wanted: Text, given: Text, found: Found) -> None:
    """Find missing names in a short form next to one that is found: "Benjamin Willis" in "Ben Willis"."""
    missing = [index for index, places in found.items() if not places and wanted.is_name(index)]
    for index in (*missing, *reversed(missing)) if any(found.values()) else ():
        beside = [(place, side) for side in (-1, 1) for place in found.get(index + side, ())]
        # Other names may be in between: "Dan Haggerty" in "Daniel Francis Haggerty".
        near = [at for place, side in beside for at in range(place - side, place - 4 * side, -side)]
        names = [at for at in near if 0 <= at < len(given.tokens) and given.is_name(at)]
        found[index] = found[index] or [at for at in names if _is_short_name(wanted, index, given, at)][:1]


def _is_short_name(wanted: Text, index: int, given: Text, place: int) -> bool:
    """Return whether one name is short for the other: "Bill" and "William", "W." and "Wilson", "J.R.R." and "John"."""
    short, long = sorted((wanted.tokens[index].key, given.tokens[place].key), key=len)
    if frozenset((short, long)) in _SAME_NAMES:
        return True
    if "." in wanted.written(index) + given.written(place) and len(short) > 1:
        return short[0] == long[0]
    ending = long.removeprefix(short)
    return ending != long and (len(short) == 1 or (len(short) > 2 and len(ending) > 1 and ending not in _NAME_ENDINGS))


def _find_acronyms(wanted: Text, given: Text, found: Found) -> None:
    """Find "National Football League" in "NFL", and "USA" in "United States of America"."""
    names = [index for index in found if wanted.is_capital(index) and not wanted.is_number(index)]
    initials = "".join(wanted.tokens[index].key[0] for index in names[:6])
    for length in range(len(initials), 1, -1):
        if places := [place for place in given.places.get(initials[:length], ()) if _may_be_acronym(given, place)]:
            found.update({index: found[index] or places for index in names})
            break
    missing = [index for index, places in found.items() if not places and len(wanted.tokens[index].key) <= 6]
    missing = [index for index in missing if _may_be_acronym(wanted, index)]
    if missing:
        capitals = [at for at in range(len(given.tokens)) if given.is_capital(at) or not given.has_capitals]
        names = [at for at in capitals if given.tokens[at].key not in FUNCTION_WORDS]
        initials = "".join(given.tokens[at].key[0] for at in names)
        for index in missing[:_MOST_MISSING]:
            key = wanted.tokens[index].key
            at = initials.find(key) if wanted.is_acronym(index) or len(key) == len(initials) else -1
            found[index] = names[at : at + len(key)] if at >= 0 else []


def _may_be_acronym(text: Text, place: int) -> bool:
    """Return whether a word is an acronym, or may be one in a text without capitals: "usa", but not "who is"."""
    if text.is_acronym(place):
        return True
    key = text.tokens[place].key
    return not text.has_capitals and 2 <= len(key) <= 6 and (key not in FUNCTION_WORDS or len(text.tokens) == 1)
