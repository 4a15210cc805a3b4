"""Read what English writes in words or Roman numerals as numbers: token recall compares numbers by their value."""

import re
from fractions import Fraction

from ._recall_tokens import Token
from ._recall_tokens import tokenize

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
SMALL = {word: value for value, word in enumerate(_ONES)}
TENS = {word: 10 * value for value, word in enumerate(_TENS, 2)}
ORDINALS = {word: value for value, word in enumerate(_ORDINALS, 1)} | {
    word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, 2)
}
DECADES = {word[:-1] + "ies": 10 * value for value, word in enumerate(_TENS, 2)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SCALES |= {word + "s": value for word, value in SCALES.items()} | {"bn": 10**9, "mn": 10**6}
NUMBER_WORDS = frozenset([*SMALL, *TENS, *ORDINALS, *DECADES, *SCALES, "hundred", "hundreds", "minus", "negative"])

_ROMAN = re.compile(r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50}

# Units, by what each is written as. A number with one unit is not the same number with another.
_UNITS = """
kilometer kilometers kilometre kilometres km kms|meter meters metre metres m|centimeter centimeters centimetre
centimetres cm|millimeter millimeters millimetre millimetres mm|mile miles mi|yard yards yd|foot feet ft|inch
inches|kilogram kilograms kg kgs|gram grams|milligram milligrams mg|pound pounds lb lbs|ounce ounces oz|ton tons tonne
tonnes|liter liters litre litres|milliliter milliliters millilitre millilitres ml|gallon gallons|second seconds sec
secs|minute minutes min mins|hour hours hr hrs|day days|week weeks|month months|year years yr yrs|decade
decades|century centuries| dollar dollars usd|euro euros eur|yen|rupee rupees|percent|celsius
centigrade|fahrenheit|kelvin|watt watts|kilowatt kilowatts kw|megawatt megawatts mw|hertz hz|kilohertz khz|megahertz
mhz|gigahertz ghz|megabyte megabytes mb|gigabyte gigabytes gb|terabyte terabytes tb|bc bce|ad ce|am|pm|degree degrees
"""
UNITS = {word: names.split()[0] for names in _UNITS.split("|") for word in names.split()}


def roman_value(text: str) -> int:
    """Read a Roman numeral below 90 in capitals; 0 for anything else."""
    if not text or not _ROMAN.fullmatch(text):
        return 0
    values = [_ROMAN_DIGITS[letter] for letter in text]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def is_roman(token: Token) -> bool:
    """Say whether a number is written as a Roman numeral."""
    return token.is_number and token.text.isalpha() and token.text.isupper()


def _roman_at(tokens: tuple[Token, ...], index: int) -> int:
    """Give the value of a numeral that follows a name or noun, as in "World War II"; 0 elsewhere.

    "I" is one only where no verb can follow: before a blank at most, and at the end or before a preposition.
    """
    token = tokens[index]
    value = roman_value(token.text)
    if not value or not index:
        return 0
    before = tokens[index - 1]
    if before.is_number or token.start - before.end != 1 or before.key in _NOT_BEFORE_NUMERALS or len(before.key) == 1:
        return 0
    if token.text == "I" and index + 1 < len(tokens):
        after = tokens[index + 1]
        if after.start - token.end == 1 and after.key not in _AFTER_NUMERALS:
            return 0
    return value


_NOT_BEFORE_NUMERALS = frozenset(
    "and or but that if when as so because can may do did am have than then what how why where until before after while"
    " the a an of in i".split()
)
_AFTER_NUMERALS = frozenset("of in and was is ended began to on at by for from during".split())


def _spoken(tokens: tuple[Token, ...], start: int) -> tuple[str, int] | None:  # one branch for each kind
    """Read the number in words that begins at a token: its key, and the index after it."""
    total = current = 0
    index = start
    if start + 1 < len(tokens) and SMALL.get(tokens[start].key, 0) > 9 and tokens[start + 1].key in TENS:
        current, index = SMALL[tokens[start].key] * 100, start + 1  # nineteen eighty-four
    while index < len(tokens):
        word = tokens[index].key
        follows = index > start
        if follows and tokens[index].start - tokens[index - 1].end > 1:
            break
        if word in SMALL and (
            not follows
            or (current % 100 >= 20 and current % 10 == 0 and 0 < SMALL[word] < 10)
            or (current % 100 == 0 and SMALL[word])
        ):
            current += SMALL[word]
        elif word in TENS and current % 100 == 0:
            current += TENS[word]
        elif word == "hundred" and follows and 0 < current < 100:
            current *= 100
        elif word in SCALES and current:
            total, current = total + current * SCALES[word], 0
        elif word in ORDINALS and (
            not follows or (current % 10 == 0 and current % 100 >= 20 and ORDINALS[word] < 10) or current % 100 == 0
        ):
            return f"#{total + current + ORDINALS[word]}th", index + 1
        elif (
            word == "and"
            and current % 100 == 0
            and follows
            and index + 1 < len(tokens)
            and (tokens[index + 1].key in SMALL or tokens[index + 1].key in TENS)
            and (current or total)
        ):
            pass
        else:
            break
        index += 1
    return (f"#{total + current}", index) if index > start else None


def _scaled(number: Token, scale: str) -> str:
    """Write the value of "2.5 million"."""
    value = Fraction(number.value) * SCALES[scale]
    return f"#{value.numerator}" if value.denominator == 1 else f"#{float(value)}"


_PLAIN_NUMBER = re.compile(r"#-?\d{1,18}(?:\.\d{1,18})?")


_ROMAN_WORD = re.compile(r"(?<![^\W_])[IVXL]+(?![^\W_])")


def tokenize_english(text: str) -> tuple[Token, ...]:  # noqa: C901  # one branch for each kind of number
    """Split an English text into tokens, with numbers in words and Roman numerals as numbers.

    Args:
        text: Any text.

    Returns:
        The tokens in order: "six" is "#6", "sixth" "#6th", "2.5 million" "#2500000", "minus 5" "#-5", "nineties"
        "#90s", and "II" of "World War II" "#2".
    """
    tokens = tokenize(text)
    if NUMBER_WORDS.isdisjoint([token.key for token in tokens]) and not _ROMAN_WORD.search(text):
        return tokens
    merged: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        word = token.key
        after = index + 1
        if word in NUMBER_WORDS:
            if word in {"minus", "negative"} and after < len(tokens):
                spoken = _spoken(tokens, after)
                if tokens[after].is_number or spoken:
                    key, after = spoken or (tokens[after].key, after + 1)
                    token = token._replace(key="#-" + key[1:].lstrip("-"), end=tokens[after - 1].end)
            elif word in DECADES:
                token = token._replace(key=f"#{DECADES[word]}s")
            elif spoken := _spoken(tokens, index):
                key, after = spoken
                token = token._replace(key=key, end=tokens[after - 1].end)
        elif word[0] == "#":
            if after < len(tokens) and tokens[after].key in SCALES and _PLAIN_NUMBER.fullmatch(word):
                token = token._replace(key=_scaled(token, tokens[after].key), end=tokens[after].end)
                after += 1
        elif token.text.isupper() and (value := _roman_at(tokens, index)):
            token = token._replace(key=f"#{value}", text=token.text)
        merged.append(token)
        index = after
    return tuple(merged)


def unit_of(tokens: tuple[Token, ...], index: int) -> str:
    """Name the unit of a number, by the sign before it or the word after it; "" for none that is known."""
    if tokens[index].unit:
        return tokens[index].unit
    if index + 1 < len(tokens) and tokens[index + 1].start - tokens[index].end <= 2:
        return UNITS.get(tokens[index + 1].key, "")
    return ""
