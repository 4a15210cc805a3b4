"""Whether two answers give the same number, by decimal arithmetic, without symbolic mathematics."""

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction

NUMBERS_VERSION = "v1"

# Longer ones are compared as text: arithmetic on them takes more than linear time.
_MOST_DIGITS = 200
_MOST_EXPONENT = 300

_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0d": "-", "\uff0b": "+", "\u00a0": " ", "\u202f": " "})
# LaTeX and Markdown around and inside a number: "**42**", "\\frac{1}{2}", "1{,}234", "50\\%", "\\$5".
_MARKS = "*`_ "
_LATEX_MARKS = re.compile(r"\\[,!;]|\\(?=[$%])|(?<=\d)\{(?=,)|(?<=,)\}(?=\d)|\\[()]")
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s?\{(\d{1,50})\}\s?\{(\d{1,50})\}")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_CURRENCY = "[$€£¥₹]|US\\$|USD|EUR|GBP"
_NUMBER = re.compile(
    rf"""
    (?P<outer>[-+])?\s?(?:{_CURRENCY})?\s?
    (?P<sign>[-+])?
    (?:
      (?P<whole>\d{{1,3}}(?:[,\ ]\d{{3}})+|\d+)?(?P<decimals>\.\d*)?(?:[eE](?P<exponent>[-+]?\d{{1,4}}))?
      (?:\s?(?P<vulgar>[¼-¾⅐-⅞]))?
    | (?:(?P<integer>\d{{1,50}})\s)?(?P<numerator>\d{{1,50}})/(?P<denominator>\d{{1,50}})
    )
    (?:\s(?P<scale>thousand|million|billion|trillion))?
    \s?(?P<percent>%|per\s?cent|pct\.?)?
    \s?(?:{_CURRENCY}|dollars?|euros?)?\.?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def number_value(text: str) -> tuple[Fraction, bool] | None:  # noqa: C901, PLR0911  # a branch for each kind
    r"""Read a text that is one number and nothing else.

    Args:
        text: An answer: "3.00", "1,000", "$1.5 million", "1e3", "½", "1 3/4", "50 percent", "**42**", "\frac{1}{2}".

    Returns:
        The exact value, and whether it is a percentage; None if the text is anything else, or has more than 200 digits.
    """
    if len(text) > 3 * _MOST_DIGITS:
        return None
    text = text.strip().strip(_MARKS).translate(_SIGNS)
    if "\\" in text or "{" in text:
        text = _LATEX_MARKS.sub("", _LATEX_FRACTION.sub(r"\1/\2", text)).strip()
    if not text or len(text) > 2 * _MOST_DIGITS:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    if parts["outer"] and parts["sign"]:
        return None
    if parts["numerator"]:
        if not int(parts["denominator"]):
            return None
        value = int(parts["integer"] or 0) + Fraction(int(parts["numerator"]), int(parts["denominator"]))
    else:
        digits = (parts["whole"] or "").replace(",", "").replace(" ", "")
        decimals = (parts["decimals"] or "").lstrip(".")
        if not (digits or decimals or parts["vulgar"]) or len(digits) + len(decimals) > _MOST_DIGITS:
            return None
        exponent = int(parts["exponent"] or 0)
        if abs(exponent) > _MOST_EXPONENT or (parts["exponent"] and not digits + decimals):
            return None
        value = Fraction(Decimal(f"{_ascii(digits) or 0}.{_ascii(decimals) or 0}E{exponent}"))
        if parts["vulgar"]:
            value += Fraction(unicodedata.numeric(parts["vulgar"])).limit_denominator(10)
    value *= _SCALES.get((parts["scale"] or "").lower(), 1)
    negative = "-" in {parts["outer"], parts["sign"]}
    return (-value if negative else value), bool(parts["percent"])


def _ascii(digits: str) -> str:
    """Write the digits of any script as ASCII."""
    return digits if digits.isascii() else "".join(str(unicodedata.decimal(digit)) for digit in digits)


def same_number(prediction: str, reference: str, *, tolerance: float = 0.0) -> bool | None:
    """Say whether two texts give the same number.

    Args:
        prediction: The answer to judge.
        reference: The right answer.
        tolerance: The greatest difference that is accepted, relative to the reference: 0.01 is one percent.

    Returns:
        Whether they do; None if one of them is not one number. A percentage equals percentages only.
    """
    wanted = number_value(reference)
    given = number_value(prediction) if wanted is not None else None
    if wanted is None or given is None:
        return None
    if wanted[1] != given[1]:
        return False
    # The decimal that was written, 0.1, not the binary fraction that is nearest to it.
    accepted = Fraction(repr(tolerance)) * abs(wanted[0])
    return abs(given[0] - wanted[0]) <= accepted
