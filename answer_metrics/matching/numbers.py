r"""Numbers in text: one reader for values, the last number, token recall, and the unit that a question asks for.

`read_numbers` finds every number in a text, `single_number` reads a text that is one number and nothing else, and
`is_same` compares two. Values are exact fractions. Every function takes time linear in the length of the text.
"""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from answer_metrics.text.normalization import NO_SPACE_SCRIPTS

NUMBERS_VERSION = "v2"

# ---- words and signs

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS = {word: value for value, word in enumerate(_SMALL)}
CARDINALS |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
"""Number words and their values."""
SCALES = {
    "hundred": 100, "hundreds": 100, "dozen": 12, "thousand": 10**3, "thousands": 10**3, "million": 10**6,
    "millions": 10**6, "mio": 10**6, "mn": 10**6, "mm": 10**6, "billion": 10**9, "billions": 10**9, "bn": 10**9,
    "trillion": 10**12, "trillions": 10**12, "tn": 10**12, "trn": 10**12, "k": 10**3, "m": 10**6, "b": 10**9,
    "t": 10**12, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8,
}  # fmt: skip
"""What a number is multiplied by, by the word after it."""
PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
PARTS |= {"halves": 2} | {f"{word}s": parts for word, parts in PARTS.items() if word != "half"}
CURRENCIES = {
    "$": "$", "us$": "$", "usd": "$", "dollar": "$", "dollars": "$", "a$": "a$", "aud": "a$", "c$": "c$", "cad": "c$",
    "hk$": "hk$", "hkd": "hk$", "nz$": "nz$", "nzd": "nz$", "s$": "s$", "sgd": "s$", "r$": "r$", "brl": "r$",
    "€": "€", "eur": "€", "euro": "€", "euros": "€", "£": "£", "gbp": "£", "¥": "¥", "jpy": "¥", "yen": "¥",
    "cny": "cny", "rmb": "cny", "yuan": "cny", "₹": "₹", "inr": "₹", "rupee": "₹", "rupees": "₹", "chf": "chf",
    "₩": "₩", "krw": "₩", "₽": "₽", "rub": "₽", "₺": "₺", "₫": "₫", "₪": "₪", "₱": "₱", "฿": "฿",
}  # fmt: skip
"""One name for each currency, by its signs, codes and words."""

WORD_SCALES = {
    name: value for name, value in SCALES.items() if len(name) > 3 or name in {"bn", "mio", "mn", "tn", "trn"}
}

# Signs and separators of other scripts. One character each, so that places in the text stay the same.
_UNIFIED = str.maketrans(
    "\u2212\u2010\u2011\u2013\uff0d\uff0b\u00a0\u2007\u2009\u202f\u00d7\u22c5\u00b7\u066b\u066c\uff0e\uff0c\uff05\u066a\uff04",
    "-----+    ***.,.,%%$",
)
_SUPERSCRIPT = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")

# ---- patterns, for text that was translated by `_UNIFIED`

# 1.234,5 and 1.234.567; 12,34,567; 1,234 and 1 234 and 1'234 and 1{,}234. Each group ends where
# digits end, so that none is tried twice.
_GROUPED = (
    r"\d{1,3}(?:\.\d{3}(?!\d)){1,20},\d+|\d{1,3}(?:\.\d{3}(?!\d)){2,}|\d{1,2}(?:,\d\d(?!\d)){1,20},\d{3}(?!\d)"
    r"|\d{1,3}(?:(?:,|[ ]|['\u2019]|\{,\}|,\\!|\\[,!;])\d{3}(?!\d))+"
)
_PLAIN = rf"(?:{_GROUPED}|\d+)(?:\.\d+)?|\.\d+"
_RAISED = r"\s?(?:\^\s?(?:-?\d{1,4}|\{\s?-?\d{1,4}\s?\})|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_TIMES_TEN = r"\s?(?:\*|\\times|\\cdot|x(?=\s?10))\s?10"
_VULGAR = "\u00bc-\u00be\u2150-\u215e"
_DIGITS = rf"""(?:
      (?:\d{{1,50}}\s?)?\\[dtc]?frac\s?(?:\{{\s?-?\d{{1,50}}\s?\}}\s?\{{\s?\d{{1,50}}\s?\}}|\d\s?\d)
    | (?<!\d/)(?:\d{{1,3}}[ ])?\d{{1,50}}/\d{{1,50}}(?![\d/]|\.\d)
    | (?:(?:{_GROUPED}|\d{{1,50}})[ ]?)?[{_VULGAR}]
    | 10{_RAISED}(?!\d)
    | (?:{_PLAIN})(?:[eE][-+]?\d{{1,4}}(?!\w))?(?:{_TIMES_TEN}{_RAISED})?
    )"""
PATTERNS = {"digits": _DIGITS, "vulgar": _VULGAR}
r"""A number in digits, as a verbose pattern without groups: 1,234.5, 3/4, 1½, 3*10^5, \frac{3}{4}; and fractions."""
_SINGULAR = "hundred|thousand|million|billion|trillion|dozen"
_WORD = rf"(?:{'|'.join(sorted(CARDINALS, key=len, reverse=True))}|{_SINGULAR})"
_WORDS = rf"(?:an?\s(?={_SINGULAR}))?{_WORD}(?:(?:[ -]|\sand\s){_WORD}|\sand\sa\shalf)*(?:[ -](?:{'|'.join(PARTS)}))?"
_CURRENCY = r"(?:us|hk|nz|[acsr])?\$|[€£¥₹₩₽₺₫₪₱฿]"
_CODE = "usd|eur|gbp|jpy|inr|chf|cad|aud|cny|rmb|hkd|nzd|sgd|krw|brl|rub"
# Not after a letter, except in scripts without spaces, nor after an index or inside a number: x_1, 1.2.3.
_BEFORE = rf"(?<![^\W_{NO_SPACE_SCRIPTS}])(?<![^\W_]_)(?<!\d\.)"
_AFTER = rf"(?![^\W\d_{NO_SPACE_SCRIPTS}])"
_NUMBER = re.compile(
    rf"""
    (?=[-+.\\\da-z$€£¥₹₩₽₺₫₪₱฿{_VULGAR}]){_BEFORE}      # the first is for speed
    (?P<outer>(?<![)\]%}}\d])[-+](?=\s?(?:{_CURRENCY}|{_CODE}|[\d.\\{_VULGAR}])))?
    (?:(?:(?P<before>{_CURRENCY}|{_CODE})|(?P<latex>\\\$))\s?(?P<sign>[-+](?=[\d.\\{_VULGAR}]))?)?
    (?:(?P<digits>{_DIGITS})|(?P<words>{_WORDS}){_AFTER})
    (?:[ -]?(?P<scale>thousands?|millions?|billions?|trillions?|hundreds?|dozen|bn|mn|mio|trn|tn){_AFTER}
      | (?P<gap>\s?)(?P<short>mm|[kmbt])(?![^\W_]|[-'\u2019/²³])
      | \s?(?P<chinese>[万萬亿億]))?
    (?:\s?(?P<percent>\\?%|(?:percent(?:age)?|per\s?cent|pct){_AFTER}))?
    (?:\s?(?P<after>(?:{_CURRENCY})(?!\s?\d)|(?:{_CODE}|dollars?|euros?|yen|yuan|rupees?){_AFTER}))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SHORT_FRACTION = re.compile(r"frac\s?(\d)\s?(\d)")  # \frac34
_POWER = re.compile(rf"(?:{_TIMES_TEN}|\A10)({_RAISED})\Z", re.IGNORECASE)
_DECIMALS = re.compile(rf"(?:{_GROUPED}|\d+)?(?:\.(\d+))?")
_EACH_WORD = re.compile(r"and\sa\shalf|[^\s-]+")
_BOLD = re.compile(r"\*\*([^*\n]{1,40})\*\*")
_BOUND = re.compile(
    r"\b(?:than|at\s(?:least|most)|above|below|over|under|exceeding|after|before)\s(?:or\sequal\sto\s)?(?:the\s)?\Z",
    re.IGNORECASE,
)
_UNIT = re.compile(
    rf"\\?[%$]|{_CURRENCY}|\b(?:{_CODE}|dollars?|euros?|per\s?cent|percent(?:age)?|pct)\b", re.IGNORECASE
)
_FALL = re.compile(
    r"\b(?:decreas|declin|fell|fall|drop|down|negative|minus|loss|lower|reduc|shrank|contract)\w*\b[^.\n]{0,60}\Z",
    re.IGNORECASE,
)
_LOOK_BEHIND = 80
_MOST_NUMBER_WORDS = 20
_MOST_NUMBERS = 10_000
# Longer ones are compared as text: arithmetic on them takes more than linear time.
_MOST_DIGITS = 200
_MOST_EXPONENT = 300


class Number(NamedTuple):
    """A number in a text."""

    value: Fraction
    start: int
    end: int
    unit: str = ""
    """"%", the name of a currency, or "" for a plain number."""
    scale: int = 1
    """What the word after it multiplied it by: 1,000,000 in "$3 million"."""
    decimals: int = -1
    """How many digits were written after the decimal point; -1 for fractions and powers, which are exact."""
    is_word: bool = False


# ---- reading


def read_numbers(text: str) -> list[Number]:
    """Find all numbers in a text, from left to right: "$3 million", "1 234", "½", "3*10^5", "twenty-five percent".

    Digits in names ("B52", "x_1") are no numbers, nor are numbers of more than 200 digits.
    """
    return [number for match in _NUMBER.finditer(text.translate(_UNIFIED)) for number in _read(match)]


@lru_cache(maxsize=20_000)  # references repeat
def single_number(text: str) -> Number | None:
    r"""Read a text that is one number, such as "$1.5 million", "½", "**42**" or "1 \frac{1}{2}"; None if it is not.

    Its place is that in the text without the Markdown and LaTeX around it.
    """
    if len(text) > 3 * _MOST_DIGITS:
        return None
    inner = _unwrapped(text.translate(_UNIFIED))
    in_brackets = int(inner[:1] == "(" and inner[-1:] == ")")  # ($5); but (5) is a label
    match = _NUMBER.fullmatch(inner, in_brackets, len(inner) - in_brackets)
    found = _read(match) if match else []
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(inner)) else None


def last_number(text: str, *, with_unit: bool = False) -> str | None:
    """Find the last number that is more than a bound ("larger than 4"); number words only if there are no digits.

    If numbers are alone in bold, as models write their results, it is the last of these. It is returned as it was
    written, if wanted with the sign of a currency or of percent.
    """
    bold = [match[1] for match in _BOLD.finditer(text) if single_number(match[1])]
    written = bold[-1] if bold else _last_stated(text)
    return written and (written if with_unit else _UNIT.sub("", written)).strip()


def _last_stated(text: str) -> str | None:
    """Find the last number in digits that is no bound, else the last in words, else the last bound."""
    word = bound = None
    for match in reversed(list(_NUMBER.finditer(text.translate(_UNIFIED)))):
        for number in reversed(_read(match)):
            written = text[number.start : number.end]
            if _BOUND.search(text, max(0, number.start - _LOOK_BEHIND), number.start):
                bound = bound or written
            elif number.is_word:
                word = word or written
            else:
                return written
    return word or bound


def _unwrapped(text: str) -> str:
    """Remove Markdown, the delimiters of LaTeX and a period around a text, and the space after a sign."""
    inner = text.strip(" \t\r\n*`_").removesuffix(".").strip(" *`_")
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if inner.startswith(opening) and inner.endswith(closing) and len(inner) > len(opening + closing):
            inner = inner[len(opening) : -len(closing)].strip(" *`_").removesuffix(".")
    return inner[0] + inner[1:].lstrip() if inner[:1] in {"-", "+"} else inner


def _read(match: re.Match[str]) -> list[Number]:
    """Make the numbers of a match: none if it is too long, one, or several from words such as "one two"."""
    outer, before, latex, sign, digits, words, scale, gap, short, chinese, percent, after = match.groups()
    currency = before or after or ("$" if latex else "")
    unit = "%" if percent else CURRENCIES.get(currency.lower(), "") if currency else ""
    # "15k", "5M" and "$5 m" are scaled, but "5 m" are meters and "300 K" kelvins.
    name = scale or chinese or (short if short and (unit or (not gap and (short == "k" or short.isupper()))) else "")
    factor = SCALES[name.lower()] if name else 1
    start, end = match.span()
    if short and not name and not unit:  # the "m" of "5 m" is no part of the number
        end = match.start("gap")
    if words:
        return _read_words(match, end, unit, factor)
    value, decimals = digits_value(digits)
    if value is None:
        return []
    if outer == "-" or sign == "-":
        value = -value
    if unit not in {"", "%"} and match.string[start - 1 : start] + match.string[end : end + 1] == "()":
        start, end, value = start - 1, end + 1, -value  # ($5) is -5 in a balance sheet
    return [Number(value * factor if name else value, start, end, unit, factor, decimals)]


def _read_words(match: re.Match[str], end: int, unit: str, factor: int) -> list[Number]:
    """Read number words; a unit and a scale after them belong to the last number of several."""
    words = [(" ".join(word.group().lower().split()), *word.span()) for word in _EACH_WORD.finditer(match["words"])]
    place, found = int(words[0][0] in {"a", "an"}), []
    offset = match.start("words")
    while place < len(words):
        value, count = words_value(word for word, _, _ in words[place : place + _MOST_NUMBER_WORDS])
        read = words[place : place + count]
        place += max(count, 1)
        if read:
            scale = max(SCALES.get(word, 1) for word, _, _ in read)
            found.append(Number(value, offset + read[0][1], offset + read[-1][2], "", scale, 0, is_word=True))
    if found and place == len(words):
        last = found[-1]
        found[-1] = last._replace(value=last.value * factor, end=end, unit=unit, scale=max(last.scale, factor))
    return found


@lru_cache(maxsize=20_000)
def digits_value(written: str) -> tuple[Fraction | None, int]:
    r"""Return the value of a number that `_DIGITS` found, and how many digits stand after the decimal point.

    The value is None for a division by zero and for too many digits; the count is -1 for fractions and powers.
    """
    digits = written.lower() if written.isascii() else as_ascii(written).lower()
    decimals = _DECIMALS.fullmatch(digits)
    if len(digits) > _MOST_DIGITS:
        return None, -1
    if decimals:
        return _decimal(digits, 0), len(decimals[1] or "")
    power = _POWER.search(digits)
    if power:
        raised = re.sub(r"[\s^{}]", "", power[1].translate(_SUPERSCRIPT))
        return _decimal(digits[: power.start()] or "1", int(raised)), -1
    if "frac" in digits or "/" in digits:
        return _fraction(digits), -1
    if not digits[-1].isdigit():
        part = Fraction(unicodedata.numeric(digits[-1])).limit_denominator(10)
        whole = digits[:-1].rstrip()
        return part + ((digits_value(whole)[0] or 0) if whole else 0), -1
    return _decimal(digits, 0), -1


def _fraction(digits: str) -> Fraction | None:
    r"""Return the value of 3/4, 1 3/4 and \frac{3}{4}."""
    written = _SHORT_FRACTION.sub(r" \1/\2", digits)
    *whole, above, below = map(int, re.findall(r"-?\d+", written))
    return sum(whole) + Fraction(above, below) if below else None


def _decimal(digits: str, power: int) -> Fraction | None:
    """Return the value of ASCII digits with separators and perhaps an exponent, times a power of ten."""
    mantissa, _, exponent = digits.lower().partition("e")
    if "," in mantissa and "." in mantissa[: mantissa.index(",")]:  # 1.234,5
        mantissa = mantissa.replace(".", "").replace(",", ".")
    if mantissa.count(".") > 1:  # 1.234.567
        mantissa = mantissa.replace(".", "")
    power += int(exponent or 0)
    kept = re.sub(r"[^\d.]", "", mantissa)
    return None if abs(power) > _MOST_EXPONENT else Fraction(Decimal(kept).scaleb(power))


def as_ascii(digits: str) -> str:
    """Write the digits of any script as ASCII."""
    return "".join(str(unicodedata.decimal(mark, mark)) for mark in digits)


def words_value(words: Iterable[str | Fraction]) -> tuple[Fraction, int]:
    """Return the number that words in lower case begin with, and how many of the words belong to it.

    It is 125, of 5 words, for "one hundred and twenty five times"; digits and ordinals are given as their values.
    """
    total, group, limit, count = Fraction(0), None, 10**15, 0
    previous: str | Fraction = ""
    for place, word in enumerate(words):
        before, previous = previous, word
        scale = 0 if isinstance(word, Fraction) else WORD_SCALES.get(word, 0)
        value = word if isinstance(word, Fraction) else CARDINALS.get(word)
        joined = None if value is None else _join(group, Fraction(value))
        if joined is not None and (not total or joined < limit):
            group = joined
        elif scale == 100 and group and group < 100:  # twelve hundred, two hundred thousand
            group *= 100
        elif scale and scale < limit and (group or not total):
            total, group, limit = total + (group or 1) * scale, None, scale
        elif word == "and a half" and group is not None and group % 1 == 0:
            group += Fraction(1, 2)
        elif word in PARTS and place == 1 and group and (group == 1 or str(word)[-1] == "s"):
            return group / PARTS[str(word)], 2  # two thirds
        elif word == "and" and before in WORD_SCALES:
            continue
        else:
            break
        count = place + 1
    return total + (group or 0), count


def _join(before: Fraction | None, value: Fraction) -> Fraction | None:
    """Join parts of a number: "twenty" and "five", "nineteen" and "eighty"; None if they are two numbers."""
    if before is None:
        return value
    if before % 100 == 0 and before:
        return before + value if 0 < value < 100 else None
    if before % 10 == 0 and before % 100 >= 20:
        return before + value if 0 < value < 10 else None
    return before * 100 + value if 10 < before < 21 and 10 <= value < 100 else None


# ---- comparing


class Unit(NamedTuple):
    """What a question says about a bare number: its scale, and whether it may be a share."""

    scale: int = 1
    """1,000,000 for "in USD millions"."""
    is_share: bool = False
    """Whether 65% and 0.65 are the same: for "margin", "rate", "in percent"."""


PLAIN = Unit()
_ASKED_SCALE = re.compile(
    r"\b(?:in|nearest|to)\s(?:units\sof\s|the\snearest\s)?(?:usd|us\$|us|u\.s\.|\$|eur|€|gbp|£)?\s?(?:dollars?\s)?"
    r"(?:in\s)?(thousand|million|billion|mn|bn|mm)s?\b"
    r"|\((?:in\s)?(?:usd|us\$|\$|eur|€|gbp|£)?\s?(?:in\s)?(thousand|million|billion|mn|bn|mm)s?\)"
    r"|[$€£]\s?(mn|bn|mm|million|billion|thousand)\b",
    re.IGNORECASE,
)
_ASKED_SHARE = re.compile(
    r"%|\b(?:percent\w*|per\scent|margin|rate|ratio|growth|yield|share|proportion|fraction)\b", re.IGNORECASE
)


@lru_cache(maxsize=10_000)
def asked_unit(question: str) -> Unit:
    """Find the unit that a question asks for: "in USD millions", "(in thousands)", "margin in percent".

    Of several lines, as of a table with a question, the last one with a question mark counts, else the last one.
    """
    lines = question.strip().splitlines() or [""]
    question = next((line for line in reversed(lines) if "?" in line), lines[-1])
    scale = _ASKED_SCALE.search(question)
    name = next(filter(None, scale.groups())).lower() if scale else ""
    return Unit(SCALES.get(name, 1), bool(_ASKED_SHARE.search(question)))


def same_number(prediction: str, reference: str, *, tolerance: float = 0.0, question: str | None = None) -> bool | None:
    """Return whether two texts are the same number; None if one of them is not a single number.

    The tolerance is the largest difference relative to the reference, 0 to 1; the question may name the unit of a bare
    number.

    >>> same_number("$1.5 billion", "1500", question="Revenue in USD millions?")
    True
    """
    given, wanted = single_number(prediction), single_number(reference)
    return is_same(given, wanted, asked_unit(question or ""), tolerance) if given and wanted else None


def units_differ(one: Number, other: Number, unit: Unit = PLAIN) -> bool:
    """Return whether two numbers have other currencies, or only one is a percentage and nobody asked for a share."""
    is_share = "%" not in {one.unit, other.unit} or unit.is_share
    return one.unit != other.unit and (bool(one.unit and other.unit) or not is_share)


def is_same(given: Number, wanted: Number, unit: Unit = PLAIN, tolerance: float = 0.0) -> bool:
    """Return whether a number says what the right one says, which may be bare and in the unit of a question.

    Asked for USD millions, 16525 is "$16,525 million", "16.5 billion" (rounded to what is written) and "16525"; asked
    for a rate, 0.65 is "65%". The number that is given may be more precise, if the question names a unit. The tolerance
    is relative to the right number.
    """
    return _is_near(given, wanted, unit, _accepted(wanted, unit, tolerance))


def _accepted(wanted: Number, unit: Unit, tolerance: float) -> Fraction:
    """Return the greatest difference from a number that is accepted."""
    accepted = Fraction(repr(tolerance)) * abs(wanted.value)  # the decimal that was written, not the nearest binary one
    may_be_precise = wanted.decimals >= 0 if unit.scale > 1 else unit.is_share and wanted.decimals > 0
    return max(accepted, _half_step(wanted)) if may_be_precise else accepted


def _is_near(given: Number, wanted: Number, unit: Unit, accepted: Fraction) -> bool:
    if units_differ(given, wanted, unit):
        return False
    value, right = given.value, wanted.value
    if value == right and (unit.scale == 1 or given.scale == 1 or wanted.scale > 1):
        return True
    values = [value] if unit.scale == 1 or given.scale == 1 or wanted.scale > 1 else []
    if unit.scale > 1 and wanted.scale == 1 and given.unit != "%":
        values.append(value / unit.scale)
        if unit.scale < given.scale and given.decimals >= 0:  # "16.5 billion" for 16525 million
            accepted = max(accepted, _half_step(given) / unit.scale)
    if given.unit != wanted.unit and "%" in {given.unit, wanted.unit}:
        values.append(value / 100 if given.unit == "%" else value * 100)
    return any(other == right or (accepted and abs(other - right) <= accepted) for other in values)


def _half_step(number: Number) -> Fraction:
    return Fraction(number.scale, 2 * 10**number.decimals)


def find_stated(text: str, wanted: Number, unit: Unit = PLAIN, tolerance: float = 0.0) -> Number | None:
    """Return the first of the first 10,000 numbers of a text that is the wanted one; "a decrease of 3.7%" is -3.7%."""
    accepted = _accepted(wanted, unit, tolerance)
    found = (number for match in _NUMBER.finditer(text.translate(_UNIFIED)) for number in _read(match))
    for number in islice(found, _MOST_NUMBERS):
        start = number.start
        falls = wanted.value < 0 < number.value and _FALL.search(text, max(0, start - _LOOK_BEHIND), start)
        if _is_near(number._replace(value=-number.value) if falls else number, wanted, unit, accepted):
            return number
    return None
