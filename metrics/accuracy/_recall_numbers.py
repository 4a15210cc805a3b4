"""Read English number words and Roman numerals as numbers, since token recall compares numbers by value."""

import re
from fractions import Fraction

from ._recall_forms import ARTICLES
from ._recall_forms import FUNCTION_WORDS
from ._recall_tokens import Token
from ._recall_tokens import fold
from ._recall_tokens import tokenize
from ._recall_units import PLAIN_NUMBER
from ._recall_units import UNITS

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
SMALL = {word: value for value, word in enumerate(_ONES)} | {"twice": 2, "thrice": 3}
TENS = {word: 10 * value for value, word in enumerate(_TENS, 2)}
ORDINALS = {word: value for value, word in enumerate(_ORDINALS, 1)} | {
    word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, 2)
}
DECADES = {word[:-1] + "ies": 10 * value for value, word in enumerate(_TENS, 2)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SCALES |= {word + "s": value for word, value in SCALES.items()} | {"bn": 10**9, "mn": 10**6}
# "thirds", "quarters": what a fraction in words has below its line. "second" is none.
DENOMINATORS = {word + "s": value for word, value in ORDINALS.items() if value > 2}
DENOMINATORS |= {word: value for word, value in ORDINALS.items() if value > 2}
DENOMINATORS |= {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_WORLD_WARS = {"wwi": 1, "wwii": 2}
NUMBER_WORDS = frozenset(
    [
        *SMALL,
        *TENS,
        *ORDINALS,
        *DECADES,
        *SCALES,
        *DENOMINATORS,
        "hundred",
        "hundreds",
        "dozen",
        "minus",
        "negative",
        *_WORLD_WARS,
    ]
)

# The numbers from two in other languages, "-" where the word also means something else, or is an English one.
_FOREIGN = """
zwei drei vier fünf sechs sieben acht neun zehn - zwölf
deux trois quatre cinq - sept huit - dix onze douze
dos tres cuatro cinco seis siete ocho nueve diez - doce
- tre quattro cinque - sette otto nove dieci undici dodici
dois três quatro cinco seis sete oito nove dez onze doze
twee drie vier vijf zes zeven acht negen tien - twaalf
iki üç dört beş altı yedi sekiz dokuz - - -
два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать
"""  # noqa: RUF001
FOREIGN_NUMBERS = {
    fold(word): f"#{value}"
    for line in _FOREIGN.strip().splitlines()
    for value, word in enumerate(line.split(), 2)
    if word != "-"
}
"""The keys of numbers, by their names in other languages."""
FOREIGN_NAMES: dict[str, list[str]] = {}
for _word, _key in FOREIGN_NUMBERS.items():
    FOREIGN_NAMES.setdefault(_key, []).append(_word)

_ROMAN = re.compile(r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50}
_ROMAN_WORD = re.compile(r"(?<![^\W_])[IVXL]+(?![^\W_])")
_NOT_BEFORE_NUMERALS = frozenset(
    "and or but that if when as so because can may do did am have than then what how why where until before after while"
    " the a an of in i".split()
)
_AFTER_NUMERALS = frozenset("of in and was is ended began to on at by for from during".split())

_FRACTION = re.compile(r"#(\d{1,3})/(\d{1,3})")
_AFTER_HALF = ARTICLES | {"of", "dozen", ""}
_BEFORE_HALF = FUNCTION_WORDS - ARTICLES | {"about", "almost", "nearly", "over", "roughly", "approximately", "only"}


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
    """Return the value of a numeral that follows a name or noun, as in "World War II"; 0 otherwise.

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


def _spoken(tokens: tuple[Token, ...], start: int) -> tuple[str, int] | None:
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


def value_key(value: Fraction) -> str:
    """Write a value as the key of a number: "#2.5", or "#2/3" where decimals do not end."""
    if value.denominator == 1:
        return f"#{value.numerator}"
    decimal = f"{float(value)}"
    return "#" + (decimal if Fraction(decimal) == value else f"{value.numerator}/{value.denominator}")


def _fraction(tokens: tuple[Token, ...], index: int) -> tuple[Fraction, int] | None:
    """Read a fraction: "1/2", "two thirds", "one half", "a half", "half of", "a quarter of"; its value and its end."""
    if match := _FRACTION.fullmatch(tokens[index].key):
        above, below = map(int, match.groups())
        return (Fraction(above, below), index + 1) if above < below else None
    key, after, behind = (token.key if token else "" for token in (*tokens[index : index + 3], None, None)[:3])
    if key == "half" and (not index or tokens[index - 1].key in _BEFORE_HALF) and after in _AFTER_HALF:
        return Fraction(1, 2), index + 2 if after in ARTICLES else index + 1
    if after not in DENOMINATORS:
        return None
    if key == "a":  # not "a half-brother", "a third person"
        is_half = after == "half" and (behind in UNITS or behind in SCALES)
        is_part = behind == "of" or is_half or (not behind and after in {"half", "quarter"})
        return (Fraction(1, DENOMINATORS[after]), index + 2) if is_part else None
    above = SMALL.get(key, 0) or (int(key[1:]) if re.fullmatch(r"#\d{1,2}", key) else 0)
    if above and (above == 1) is not after.endswith("s"):
        return Fraction(above, DENOMINATORS[after]), index + 2
    return None


def _quantity(tokens: tuple[Token, ...], start: int) -> tuple[str, int] | None:
    """Read the number that begins at a token, in words, digits or both: its key, and the index after it."""
    key, index = "", start
    value: Fraction | None = None
    if read := _fraction(tokens, start) or _round(tokens, start):
        value, index = read
    elif spoken := _spoken(tokens, start):
        key, index = spoken
    elif tokens[start].is_number and not is_roman(tokens[start]):
        key, index = tokens[start].key, start + 1
    if value is None and PLAIN_NUMBER.fullmatch(key):
        value = Fraction(key[1:])
        if value.denominator == 1 and value >= 0 and (part := _added_fraction(tokens, index)):
            value, index = value + part[0], part[1]
    if value is None:
        return (key, index) if index > start else None
    while index < len(tokens) and (scale := _multiple(tokens[index].key)):
        value, index = value * scale, index + 1
    return (value_key(value), index) if index > start else None


def _added_fraction(tokens: tuple[Token, ...], index: int) -> tuple[Fraction, int] | None:
    """Read the fraction after a whole number: "1/2" after "10", or "and a half" after "two"."""
    if index >= len(tokens):
        return None
    if tokens[index].key == "and" and index + 1 < len(tokens):
        return _fraction(tokens, index + 1)
    return _fraction(tokens, index) if tokens[index].is_number else None


def _round(tokens: tuple[Token, ...], index: int) -> tuple[Fraction, int] | None:
    """Read "a hundred", "a million" and the one of "a dozen"."""
    if tokens[index].key == "dozen":
        return Fraction(1), index
    after = tokens[index + 1].key if tokens[index].key == "a" and index + 1 < len(tokens) else ""
    if after == "dozen":
        return Fraction(1), index + 1
    return (Fraction(SCALES.get(after, 100)), index + 2) if after == "hundred" or after in SCALES else None


def _multiple(word: str) -> int:
    return 12 if word == "dozen" else SCALES.get(word, 0)


def tokenize_english(text: str) -> tuple[Token, ...]:  # one branch for each kind of number
    """Split an English text into tokens, with numbers in words and Roman numerals as numbers.

    Args:
        text: Any text.

    Returns:
        The tokens in order: "six" is "#6", "sixth" "#6th", "2.5 million" "#2500000", "two and a half" "#2.5", "two
        thirds" "#2/3", "a dozen" "#12", "minus 5" "#-5", "nineties" "#90s", and "II" of "World War II" "#2".
    """
    tokens = tokenize(text)
    if NUMBER_WORDS.isdisjoint([token.key for token in tokens]) and "/" not in text and not _ROMAN_WORD.search(text):
        return tokens
    merged: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        word = token.key
        after = index + 1
        if word in {"minus", "negative"} and after < len(tokens):
            if read := _quantity(tokens, after) if tokens[after].key != "a" else None:
                key, after = read
                token = token._replace(key="#-" + key[1:].lstrip("-"), end=tokens[after - 1].end)
        elif word in _WORLD_WARS:
            merged.append(token._replace(key="ww", end=token.start + 2, text=token.text[:2]))
            token = token._replace(key=f"#{_WORLD_WARS[word]}", start=token.start + 2, text=token.text[2:])
        elif word in DECADES:
            token = token._replace(key=f"#{DECADES[word]}s")
        elif word == "a" or word in NUMBER_WORDS or word[0] == "#":
            if read := _quantity(tokens, index):
                key, after = read
                token = token._replace(key=key, end=tokens[after - 1].end)
        elif token.text.isupper() and (value := _roman_at(tokens, index)):
            token = token._replace(key=f"#{value}", text=token.text)
        merged.append(token)
        index = after
    return tuple(merged)
