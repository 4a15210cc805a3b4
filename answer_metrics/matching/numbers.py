r"""Read numbers in text: digits, words and Chinese numerals, with sign, scale, currency and percent.

`find_numbers` yields every number of a text; `single_number` reads a text that is one number and nothing else. Values
are exact fractions, and time is linear in the length of the text. `values.py` adds units, bounds and comparisons.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from answer_metrics.text.normalization import NO_SPACE_SCRIPTS

# Bump this whenever a value or a comparison of two changes: it is part of signatures.
NUMBERS_VERSION = "v3"

DecimalMark = Literal["auto", ".", ","]

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
    "t": 10**12, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "만": 10**4, "억": 10**8,
}  # fmt: skip
"""What a number is multiplied by, by the word after it."""
PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
PARTS |= {"halves": 2} | {f"{word}s": parts for word, parts in PARTS.items() if word != "half"}
_SMALL_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()
ORDINALS = {word: value for value, word in enumerate(_SMALL_ORDINALS)}
ORDINALS |= {word[:-1] + "ieth": value for word, value in CARDINALS.items() if value >= 20}
"""Ordinals of one word and their values."""
_ADVERBS = {"once": 1, "twice": 2}
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

# Signs and separators of other scripts. One character each, so that positions in the text stay the same.
UNIFIED = str.maketrans(
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
_ORDINAL = rf"(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
_WORDS = (
    rf"half\sa\s(?:{_SINGULAR})|(?:an?\s(?={_SINGULAR}))?{_WORD}(?:(?:[ -]|\sand\s){_WORD}|\sand\sa\shalf)*"
    rf"(?:(?:(?<=ty)[ -]|(?<=hundred|housand|million|billion|rillion)\s(?:and\s)?){_ORDINAL}"
    rf"|[ -](?:{'|'.join(PARTS)}))?"
    rf"|{_ORDINAL}|once|twice|half"
)
_CURRENCY = r"(?:us|hk|nz|[acsr])?\$|[€£¥₹₩₽₺₫₪₱฿]"
_CODE = "usd|eur|gbp|jpy|inr|chf|cad|aud|cny|rmb|hkd|nzd|sgd|krw|brl|rub"
# 一百二十三, 3万5千, 二〇二〇; a numeral of one character only after a sign or as the whole text.
HAN_DIGITS = "零〇一二两兩三四五六七八九"
_HAN_VALUES = dict(zip(HAN_DIGITS, (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_HAN = rf"{HAN_DIGITS}十百千万萬亿億"
_HAN_NUMERAL = (
    rf"(?=[{_HAN}\d.]{{2}})(?:\d+(?:\.\d+)?[百千万萬亿億만억](?=[\d{_HAN}])|[{HAN_DIGITS}]?[十百千万萬亿億])[{_HAN}\d]*"
    rf"|[{HAN_DIGITS}]{{3,9}}|(?:(?<=[负負下])|(?<=\A))[{HAN_DIGITS}十](?![^\W\d])"
)
# Not after a letter, except in scripts without spaces, nor after an index or inside a number: x_1, 1.2.3.
_BEFORE = rf"(?<![^\W_{NO_SPACE_SCRIPTS}])(?<![^\W_]_)(?<!\d\.)"
_AFTER = rf"(?![^\W\d_{NO_SPACE_SCRIPTS}])"
_NUMBER = re.compile(
    rf"""
    (?=[-+.\\\da-z$€£¥₹₩₽₺₫₪₱฿{_VULGAR}{_HAN}负負]){_BEFORE}      # the first is for speed
    (?P<outer>(?<![)\]%}}\d])[-+](?=\s?(?:{_CURRENCY}|{_CODE}|[\d.\\{_VULGAR}]))
      | (?<!\d)(?<!\d\s)(?:minus|negative|moins|menos|meno)\s+|[负負]\s?|零下\s?)?
    (?:(?:(?P<before>{_CURRENCY}|{_CODE})|(?P<latex>\\\$))\s?(?P<sign>[-+](?=[\d.\\{_VULGAR}]))?)?
    (?:(?P<han>{_HAN_NUMERAL})|(?P<digits>{_DIGITS})|(?P<words>{_WORDS}){_AFTER})
    (?:[ -]?(?P<scale>thousands?|millions?|billions?|trillions?|hundreds?|dozen|bn|mn|mio|trn|tn){_AFTER}
      | (?P<gap>\s?)(?P<short>mm|[kmbt])(?![^\W_]|[-'\u2019/²³])
      | \s?(?P<chinese>[万萬亿億만억]))?
    (?:\s?(?P<percent>\\?%|(?:percent(?:age)?|per\s?cent|pct){_AFTER}))?
    (?:\s?(?P<after>(?:{_CURRENCY})(?!\s?\d)|(?:{_CODE}|dollars?|euros?|yen|yuan|rupees?){_AFTER}))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Where numbers begin, in text in lower case: much faster than to try `_NUMBER` at every letter.
_START = re.compile(
    rf"[-+\\\d$€£¥₹₩₽₺₫₪₱฿{_VULGAR}{_HAN}负負]|\.(?=\d)|{_BEFORE}(?:minus|negative|moins|menos|meno"
    rf"|(?:us|hk|nz|[acsr])\$|{_CODE}|an?\s(?={_SINGULAR})|{_WORD}|{_ORDINAL}|once|twice|half)"
)
_SHORT_FRACTION = re.compile(r"frac\s?(\d)\s?(\d)")  # \frac34
_POWER = re.compile(rf"(?:{_TIMES_TEN}|\A10)({_RAISED})\Z", re.IGNORECASE)
_DECIMALS = re.compile(rf"(?:{_GROUPED}|\d+)?(?:\.(\d+))?")
_EACH_WORD = re.compile(r"and\sa\shalf|[^\s-]+")
# 2,5 and 0,125 and 3,1416, but neither 12,345 nor 1,2,3 nor (2,5).
_COMMA_AS_POINT = re.compile(r"(?<![\d.,(\[{])(?:0+,\d+|\d{1,50},(?:\d\d?|\d{4,50}))(?!\d|[.,]\d)")
_SEPARATOR = re.compile(r"(?<=\d)[.,](?=\d)")
_SWAPPED = str.maketrans(".,", ",.")
_GROUP_OF_THREE = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_MOST_NUMBER_WORDS = 20
# Longer ones are compared as text: arithmetic on them takes more than linear time.
_MOST_DIGITS = 200
_MOST_EXPONENT = 300


class Number(NamedTuple):
    """A number in a text, with its unit."""

    value: Fraction
    start: int
    end: int
    unit: str = ""
    """What its unit measures ("mass"), the name of a currency, "%", or "" for a bare number."""
    scale: int = 1
    """What the word after it multiplied it by: 1,000,000 in "$3 million"."""
    decimals: int = -1
    """How many digits were written after the decimal point; -1 for fractions and powers, which are exact."""
    is_word: bool = False
    kind: str = ""
    """"ordinal", "roman", "adverb" (twice), "part" (half), a direction ("north") or "" for a cardinal."""
    factor: Fraction = Fraction(1)
    """The size of its unit in the basic unit of the same measure: 1000 for kilometers."""
    may_group: bool = False
    """Whether its point may separate thousands: 16.181."""
    stance: str = ""
    """How the text states it: "" as a fact; see `values.py`."""

    @property
    def is_bare(self) -> bool:
        """Whether nothing but a few digits or words is written, so that it may also be a year, a day or an hour."""
        is_digits = self.end - self.start == len(str(self.value))
        return not (self.unit or self.kind) and self.scale == 1 and self.value > 0 and (self.is_word or is_digits)


# ---- reading


def read_numbers(text: str, decimal: DecimalMark = "auto") -> list[Number]:
    """List the cardinals of a text, from left to right: "$3 million", "1 234", "½", "3*10^5", "twenty-five percent".

    Digits in names ("B52", "x_1") are no numbers, nor are numbers of more than 200 digits.
    """
    return [number for number in find_numbers(text, decimal) if not number.kind]


def find_numbers(text: str, decimal: DecimalMark = "auto") -> Iterator[Number]:
    """Yield the cardinals, ordinals and adverbs of number of a text, from left to right."""
    plain = _with_points(text, decimal)
    lower = plain.lower()
    if len(lower) != len(plain):  # places must stay the same
        lower = plain
    end = 0
    for start in _START.finditer(lower):
        match = _NUMBER.match(plain, start.start()) if start.start() >= end else None
        if match:
            end = match.end()
            yield from _read(match, decimal)


@lru_cache(maxsize=20_000)  # references repeat
def single_number(text: str, decimal: DecimalMark = "auto") -> Number | None:
    r"""Read a text that is one number, such as "$1.5 million", "½", "**42**" or "1 \frac{1}{2}"; None if it is not.

    Its place is that in the text without the Markdown and LaTeX around it.
    """
    if len(text) > 3 * _MOST_DIGITS:
        return None
    inner = _unwrapped(_with_points(text, decimal))
    in_brackets = int(inner[:1] == "(" and inner[-1:] == ")")  # ($5); but (5) is a label
    match = _NUMBER.fullmatch(inner, in_brackets, len(inner) - in_brackets)
    numbers = _read(match, decimal) if match else []
    is_whole = len(numbers) == 1 and (numbers[0].start, numbers[0].end) == (0, len(inner))
    return numbers[0] if is_whole and numbers[0].kind != "ordinal" else None


def _with_points(text: str, decimal: DecimalMark) -> str:
    """Write every decimal mark as a point, character by character: 2,5 as 2.5, but 12,345 as it is."""
    plain = text.translate(UNIFIED)
    if decimal == ",":
        return _SEPARATOR.sub(lambda mark: mark.group().translate(_SWAPPED), plain)
    if decimal == "auto" and "," in plain:
        return _COMMA_AS_POINT.sub(lambda number: number.group().replace(",", "."), plain)
    return plain


def _unwrapped(text: str) -> str:
    """Remove Markdown, the delimiters of LaTeX and a period around a text, and the space after a sign."""
    inner = text.strip(" \t\r\n*`_").removesuffix(".").strip(" *`_")
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if inner.startswith(opening) and inner.endswith(closing) and len(inner) > len(opening + closing):
            inner = inner[len(opening) : -len(closing)].strip(" *`_").removesuffix(".")
    return inner[0] + inner[1:].lstrip() if inner[:1] in {"-", "+"} else inner


def _read(match: re.Match[str], decimal: DecimalMark) -> list[Number]:
    """Make the numbers of a match: none if it is too long, one, or several from words such as "one two"."""
    before, latex, words, digits = match.group("before", "latex", "words", "digits")
    scale, short, percent = match.group("scale", "short", "percent")
    currency = before or match["after"] or ("$" if latex else "")
    unit = "%" if percent else CURRENCIES.get(currency.lower(), "") if currency else ""
    # "15k", "5M" and "$5 m" are scaled, but "5 m" are meters and "300 K" kelvins.
    is_scaled = short and (unit or (not match["gap"] and (short == "k" or short.isupper())))
    name = scale or match["chinese"] or (short if is_scaled else "")
    factor = SCALES[name.lower()] if name else 1
    start, end = match.span()
    if short and not name and not unit:  # the "m" of "5 m" is no part of the number
        end = match.start("gap")
    sign = -1 if match["sign"] == "-" or (match["outer"] or "+").strip() != "+" else 1
    if words:
        numbers = _read_words(match, end, unit, factor)
        numbers[:1] = [number._replace(value=sign * number.value) for number in numbers[:1]]
        return [number._replace(start=start) for number in numbers[:1]] + numbers[1:] if sign < 0 else numbers
    value, decimals = (han_value(match["han"]), 0) if match["han"] else digits_value(digits)
    if value is None:
        return []
    value = value * sign
    if unit not in {"", "%"} and match.string[start - 1 : start] + match.string[end : end + 1] == "()":
        start, end, value = start - 1, end + 1, -value  # ($5) is -5 in a balance sheet
    may_group = decimal == "auto" and bool(digits and _GROUP_OF_THREE.fullmatch(digits))
    return [Number(value * factor if name else value, start, end, unit, factor, decimals, may_group=may_group)]


def _read_words(match: re.Match[str], end: int, unit: str, factor: int) -> list[Number]:
    """Read number words; a unit and a scale after them belong to the last number of several."""
    words = [(" ".join(word.group().lower().split()), *word.span()) for word in _EACH_WORD.finditer(match["words"])]
    if len(words) == 1 and words[0][0] == "half":
        return [Number(Fraction(1, 2), *match.span("words"), is_word=True, kind="part")]
    if words[0][0] == "half":  # half a million
        scale = WORD_SCALES[words[-1][0]] * factor
        return [Number(Fraction(scale, 2), match.start("words"), end, unit, scale, 0, is_word=True)]
    position, numbers = int(words[0][0] in {"a", "an"}), []
    offset = match.start("words")
    while position < len(words):
        parts = [_number_part(words, at) for at in range(position, min(position + _MOST_NUMBER_WORDS, len(words)))]
        value, count = words_value(parts)
        read = words[position : position + count]
        position += max(count, 1)
        if read:
            scale = max(SCALES.get(word, 1) for word, _, _ in read)
            last = read[-1][0]
            is_ordinal = last in ORDINALS and value.denominator == 1
            kind = "ordinal" if is_ordinal else "adverb" if last in _ADVERBS else ""
            start, stop = offset + read[0][1], offset + read[-1][2]
            numbers.append(Number(value, start, stop, "", scale, 0, is_word=True, kind=kind))
    if numbers and position == len(words):
        tail = numbers[-1]
        numbers[-1] = tail._replace(value=tail.value * factor, end=end, unit=unit, scale=max(tail.scale, factor))
    return numbers


def _number_part(words: list[tuple[str, int, int]], place: int) -> str | Fraction:
    """Return a word as `words_value` takes it: the "third" of "one third" is a part, that of "twenty-third" is not."""
    word = words[place][0]
    value = ORDINALS.get(word, _ADVERBS.get(word))
    is_part = word in PARTS and place and words[place - 1][0] == "one"
    return word if value is None or is_part else Fraction(value)


def han_value(written: str) -> Fraction:
    """Return the value of a numeral in Chinese characters, perhaps mixed with digits: 一百二十三, 3万5千, 二〇二〇."""
    total = group = digit = Fraction(0)
    for part in re.findall(r"\d+(?:\.\d+)?|.", written):
        if part in SCALES:  # 万, 亿
            total, group, digit = (total + group + digit or Fraction(1)) * SCALES[part], Fraction(0), Fraction(0)
        elif part in "十百千":
            group += (digit or 1) * 10 ** ("十百千".index(part) + 1)
            digit = Fraction(0)
        else:
            digit = digit * 10 + Fraction(part if part[0].isdecimal() else str(_HAN_VALUES[part]))
    return total + group + digit


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
