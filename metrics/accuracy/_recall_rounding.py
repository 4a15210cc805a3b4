"""Numbers that are rounded: "about 348,000" for "348,450", "3.14" for "3.14159"."""

import re
from decimal import ROUND_HALF_UP
from decimal import Context
from decimal import Decimal
from functools import lru_cache

from ._recall_text import Text
from ._recall_tokens import Token
from ._recall_units import amount

_NUMBER = re.compile(r"#(?:\d{4,15}|\d{1,15}\.\d{1,15})")
_YEAR = re.compile(r"#(?:1\d|20)\d\d")
_LEAST_DIGITS = 4
_LEAST_LEFT = 2
_MILLION = 10**6
_HEDGES = frozenset("about approx approximately around circa estimated nearly almost over roughly some than".split())


@lru_cache(1 << 14)
def roundings(key: str) -> dict[str, bool]:
    """Name the keys of what a number may be rounded to, the closest first, each with whether it needs a hedge.

    Two significant digits are left at least; three of a number that has fewer than four. What may be a year is not
    rounded.
    """
    if not _NUMBER.fullmatch(key) or _YEAR.fullmatch(key):
        return {}
    value = Decimal(key[1:]).normalize()
    digits = len(value.as_tuple().digits)
    least = _LEAST_LEFT if digits >= _LEAST_DIGITS else _LEAST_LEFT + 1
    found: dict[str, bool] = {}
    for left in range(digits - 1, least - 1, -1):
        rounded = Context(prec=left, rounding=ROUND_HALF_UP).plus(value).normalize()
        if len(rounded.as_tuple().digits) >= least:
            found[f"#{rounded:f}"] = not (rounded >= _MILLION or ("." in key and left > _LEAST_LEFT))
    return found


def find_rounded(number: Token, given: Text) -> list[int]:
    """Find a number as it is rounded: after "about" or the like, in millions, or with fewer decimals."""
    for key, needs_hedge in roundings(number.key).items():
        if found := _hedged(given.places.get(key, []), given, needs_hedge=needs_hedge):
            return found
    return []


def find_rounded_measure(number: Token, unit: str, given: Text) -> list[int]:
    """Find a number with its unit as it is rounded in another unit: 10,935 m as "nearly 11 km"."""
    for key, needs_hedge in roundings(number.key).items():
        measure = amount(key, unit)
        if measure and (found := _hedged(given.measures.get(measure, []), given, needs_hedge=needs_hedge)):
            return found
    return []


def _hedged(places: list[int], given: Text, *, needs_hedge: bool) -> list[int]:
    return [at for at in places if not needs_hedge or (at and given.tokens[at - 1].key in _HEDGES)]
