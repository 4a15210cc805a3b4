"""Quantities in another system of units: 82 km as "51 miles", 100 °C as "212 °F"; percentages as fractions."""

from decimal import ROUND_HALF_UP
from decimal import Context
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ._recall_numbers import value_key
from ._recall_text import Text
from ._recall_tokens import Token
from ._recall_units import PLAIN_NUMBER
from ._recall_units import unit_of

# How many of the second unit make one of the first.
_SIZES = {
    ("mile", "kilometer"): "1.609344",
    ("mile/hour", "kilometer/hour"): "1.609344",
    ("foot", "meter"): "0.3048",
    ("yard", "meter"): "0.9144",
    ("inches", "centimeter"): "2.54",
    ("pound", "kilogram"): "0.45359237",
    ("ounce", "gram"): "28.349523125",
    ("acre", "hectare"): "0.40468564224",
}
# Of each unit, the others with factor and offset.
_OTHERS: dict[str, list[tuple[str, Fraction, Fraction]]] = {
    "celsius": [("fahrenheit", Fraction(9, 5), Fraction(32))],
    "fahrenheit": [("celsius", Fraction(5, 9), Fraction(-160, 9))],
}
for (_one, _other), _size in _SIZES.items():
    _OTHERS.setdefault(_one, []).append((_other, Fraction(_size), Fraction(0)))
    _OTHERS.setdefault(_other, []).append((_one, 1 / Fraction(_size), Fraction(0)))
CONVERTIBLE: dict[str, frozenset[str]] = {}
"""The units that a number is converted into, by its unit or the first word of it: "mile", "mile/hour"."""
for _unit, _others in _OTHERS.items():
    for _name in (_unit, _unit.partition("/")[0]):
        _names = {name for other, _, _ in _others for name in (other, other.partition("/")[0])}
        CONVERTIBLE[_name] = CONVERTIBLE.get(_name, frozenset()) | _names
_DIGITS = range(2, 7)
_MOST_DIGITS = 28


@lru_cache(1 << 14)
def conversions(key: str, unit: str) -> frozenset[tuple[str, str]]:
    """Name the keys of a number in other units, with the unit, rounded to two significant digits or more."""
    if unit not in _OTHERS or not PLAIN_NUMBER.fullmatch(key):
        return frozenset()
    found = set()
    for other, factor, offset in _OTHERS[unit]:
        value = Fraction(key[1:]) * factor + offset
        exact = Context(prec=_MOST_DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
        for digits in _DIGITS:
            rounded = Context(prec=digits, rounding=ROUND_HALF_UP).plus(exact).normalize()
            found.add((f"#{rounded:f}", other))
    return frozenset(found)


def find_converted(number: Token, unit: str, given: Text) -> list[int]:
    """Find a number with its unit in another system of units, in a text without any number of that unit."""
    if unit in given.units:
        return []
    return [
        place
        for key, other in conversions(number.key, unit)
        for place in given.places.get(key, ())
        if unit_of(given.tokens, place) == other
    ]


def find_share(number: Token, given: Text) -> list[int]:
    """Find a percentage as a fraction in words: 25% as "a quarter"."""
    if not PLAIN_NUMBER.fullmatch(number.key):
        return []
    places = given.places.get(value_key(Fraction(number.key[1:]) / 100), [])
    return [place for place in places if given.tokens[place].text.isalpha()]
