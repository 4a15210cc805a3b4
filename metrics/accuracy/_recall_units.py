"""Units of numbers: the words for each, and which units are multiples of one another."""

import re
from collections.abc import Iterator
from fractions import Fraction

from ._recall_tokens import Token

PLAIN_NUMBER = re.compile(r"#-?\d{1,18}(?:\.\d{1,18})?")
# Units, by what each is written as. A number with one unit is not the same number with another.
_UNITS = """
kilometer kilometers kilometre kilometres km kms|meter meters metre metres m|centimeter centimeters centimetre
centimetres cm|millimeter millimeters millimetre millimetres mm|mile miles mi|yard yards yd|foot feet ft|inch
inches|kilogram kilograms kg kgs|gram grams g|milligram milligrams mg|microgram micrograms mcg|pound pounds lb
lbs|ounce ounces oz|ton tons|tonne tonnes|liter liters litre litres l|milliliter milliliters millilitre millilitres
ml|gallon gallons|second seconds sec secs|minute minutes min mins|hour hours hr hrs|day days|week weeks|month
months|year years yr yrs|decade decades|century centuries|dollar dollars usd|cent cents|euro euros eur|yen|rupee
rupees|percent|celsius centigrade c|fahrenheit f|kelvin|watt watts|kilowatt kilowatts kw|megawatt megawatts mw|hertz
hz|kilohertz khz|megahertz mhz|gigahertz ghz|megabyte megabytes mb|gigabyte gigabytes gb|terabyte terabytes tb|bc
bce|ad ce|am|pm|degree degrees|kilometer/hour kph kmh|mile/hour mph|hectare hectares ha|acre acres
"""
UNITS = {word: names.split()[0] for names in _UNITS.split("|") for word in names.split()}

# Units that are multiples of one another: what they measure, and how much of it.
_FACTORS = {
    unit: (kind, Fraction(size))
    for kind, sizes in {
        "length": {"kilometer": "1000", "meter": "1", "centimeter": "1/100", "millimeter": "1/1000"},
        "imperial length": {"mile": "5280", "yard": "3", "foot": "1", "inches": "1/12"},
        "mass": {"tonne": "1000000", "kilogram": "1000", "gram": "1", "milligram": "1/1000", "microgram": "1/1000000"},
        "imperial mass": {"pound": "16", "ounce": "1"},
        "volume": {"liter": "1000", "milliliter": "1"},
        "time": {"second": "1", "minute": "60", "hour": "3600", "day": "86400", "week": "604800"},
        "years": {"month": "1", "year": "12", "decade": "120", "century": "1200"},
        "dollars": {"dollar": "100", "cent": "1"},
        "power": {"watt": "1", "kilowatt": "1000", "megawatt": "1000000"},
        "frequency": {"hertz": "1", "kilohertz": "1000", "megahertz": "1000000", "gigahertz": "1000000000"},
    }.items()
    for unit, size in sizes.items()
}
UNIT_KINDS = {word: _FACTORS[unit][0] for word, unit in UNITS.items() if unit in _FACTORS}
"""The quantity that a unit with multiples measures, by the words for the unit."""
_DEGREES = frozenset({"celsius", "fahrenheit"})
_RATES = {"h": "hour", "hr": "hour", "s": "second", "sec": "second", "min": "minute"}
UNIT_PARTS = frozenset({"per", "an"}).union(UNITS, _RATES)
"""The words that a unit consists of."""
Measure = tuple[str, Fraction]


def units_behind(tokens: tuple[Token, ...], index: int) -> dict[int, str]:
    """Find the words that are the unit of a number: none, one, or two ("km/h", "miles per hour", "degrees Celsius")."""
    at, behind = index + 1, index + 2
    if at >= len(tokens) or tokens[at].key not in UNITS or tokens[at].start - tokens[index].end > 2:
        return {}
    found = {at: UNITS[tokens[at].key]}
    if behind < len(tokens) and tokens[behind].start - tokens[at].end <= 2:
        after = tokens[behind].key
        if after in {"per", "an"} and behind + 1 < len(tokens) and tokens[behind + 1].key in UNITS:
            found |= {behind: "/", behind + 1: UNITS[tokens[behind + 1].key]}
        elif after in _RATES and found[at] in _FACTORS:
            found[behind] = "/" + _RATES[after]
        elif found[at] == "degree" and UNITS.get(after) in _DEGREES:
            found |= {at: "", behind: UNITS[after]}
    return found


def unit_of(tokens: tuple[Token, ...], index: int) -> str:
    """Return the unit of a number, from the sign before it or the words after it ("kilometer/hour"); "" if unknown."""
    return tokens[index].unit or "".join(units_behind(tokens, index).values())


def same_unit(one: str, other: str) -> bool:
    """Say whether two units may be the same: none and any, degrees and those of a scale, tons and tonnes."""
    if one == other or not one or not other:
        return True
    short, long = sorted((one, other), key=len)
    return long.startswith(short + "/") or (short == "degree" and long in _DEGREES) or (short, long) == ("ton", "tonne")


def measure_of(tokens: tuple[Token, ...], index: int) -> Measure | None:
    """Return the quantity and amount that a number with its unit measures; None if its unit has no multiples."""
    return amount(tokens[index].key, unit_of(tokens, index))


def amount(number: str, unit: str) -> Measure | None:
    """Return the quantity and amount of a number with a unit, given its key and the name of the unit."""
    factor = _FACTORS.get(unit)
    if not factor or not PLAIN_NUMBER.fullmatch(number):
        return None
    return factor[0], Fraction(number[1:]) * factor[1]


def find_measures(tokens: tuple[Token, ...]) -> Iterator[tuple[Measure, int]]:
    """Find the measures of a text: "5 km", "60 minutes", "a decade"."""
    for place, token in enumerate(tokens):
        if token.is_number:
            if measure := measure_of(tokens, place):
                yield measure, place
        elif token.key in {"a", "an"} and place + 1 < len(tokens):
            unit = UNITS.get(tokens[place + 1].key, "")
            if unit in _FACTORS:
                yield _FACTORS[unit], place + 1
