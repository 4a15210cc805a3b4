r"""Read numbers in text: digits, words and Chinese numerals, with sign, scale, currency and percent.

`numbers_in` yields every number of a text; `single_number` reads a text that is one number and nothing else. Values
are exact, and time is linear in the length of the text. `values.py` adds units, bounds and comparisons.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Set
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from answer_metrics.core.patterns import compile_later
from answer_metrics.text.normalization import NO_SPACE_SCRIPTS

# Bump this whenever a value or a comparison of two changes: it is part of signatures.
NUMBERS_VERSION = "v3"

DecimalMark = Literal["auto", ".", ","]
Rational = int | Fraction

# ---- words and signs

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS = {word: value for value, word in enumerate(_SMALL)}
CARDINALS |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
"""Number words and their values."""
_SMALL_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()
ORDINALS = {word: value for value, word in enumerate(_SMALL_ORDINALS)}
ORDINALS |= {word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, start=2)}
"""Ordinals of one word and their values."""
_ADVERBS = {"once": 1, "twice": 2}
_WORD_VALUES = CARDINALS | ORDINALS | _ADVERBS
_PARTS = {word: value for word, value in ORDINALS.items() if 3 <= value <= 10} | {"half": 2, "quarter": 4}
_PARTS |= {f"{word}s": parts for word, parts in _PARTS.items()} | {"halves": 2}
WORD_SCALES = {
    "hundred": 100, "dozen": 12, "thousand": 10**3, "lakh": 10**5, "million": 10**6, "mio": 10**6, "mn": 10**6,
    "crore": 10**7, "billion": 10**9, "bn": 10**9, "trillion": 10**12, "tn": 10**12, "trn": 10**12,
}  # fmt: skip
WORD_SCALES |= {f"{word}s": scale for word, scale in WORD_SCALES.items() if len(word) > 3}
# Not in languages with cases, whose forms are too many.
_MILLIONS = "millionen|miljoen|millones|millón|milhões|milhão|milioni|milione".split("|")
_MILLIARDS = "milliarde|milliarden|milliard|milliards|miliardi|miliardo|miljard|mrd|mil millones".split("|")
_WORDS_AFTER_DIGITS = WORD_SCALES | dict.fromkeys(_MILLIONS, 10**6) | dict.fromkeys(_MILLIARDS, 10**9)
SCALES = _WORDS_AFTER_DIGITS | {
    "mm": 10**6, "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8,
    "만": 10**4, "억": 10**8,
}  # fmt: skip
"""What a number is multiplied by, by the word or sign after it."""
_CURRENCY_NAMES = (
    "$ us$ usd dollar dollars us-dollar american-dollar|a$ au$ aud australian-dollar|c$ ca$ cad canadian-dollar|hk$ hkd"
    "|nz$ nzd zealand-dollar|s$ sgd singapore-dollar|twd taiwan-dollar|r$ brl reais brazilian-real brazilian-reais"
    "|€ eur euro euros|£ gbp british-pound pounds-sterling|¥ jpy yen japanese-yen|cny rmb yuan renminbi chinese-yuan"
    "|₹ inr rs rupee rupees indian-rupee|chf swiss-franc|₩ krw korean-won|₽ rub ruble rouble рубль рубля рублей"
    "|₴ uah hryvnia гривна гривны гривен гривень|₺ lira turkish-lira|₫ vnd|₪ ils shekel|₱ philippine-peso|฿ thb baht"
    "|mxn mexican-peso|argentine-peso|₦ ngn naira|sek kronor swedish-krona swedish-kronor swedish-kroner|idr rupiah"
    "|nok norwegian-krone norwegian-kroner|dkk danish-krone danish-kroner|egyptian-pound|aed dirham"
    "|pln zloty|czk koruna czech-crown|huf forint|zar rand|french-franc"
)
_ROMAN_DIGITS = [
    ["", one, one * 2, one * 3, one + five, five, five + one, five + one * 2, five + one * 3, one + ten]
    for one, five, ten in ("m  ", "cdm", "xlc", "ivx")
]
ROMANS = {"".join(digits): value for value, digits in enumerate(itertools.product(*_ROMAN_DIGITS)) if 0 < value < 4000}
"""Roman numerals in lower case and their values, 1 to 3999."""
CURRENCIES = {name: names.split()[0].replace("-", "") for names in _CURRENCY_NAMES.split("|") for name in names.split()}
"""One name for each currency, by its signs, codes and words; two words are joined by a hyphen."""

# Signs, separators and formal numerals of other scripts. One character each, so that positions in the text stay the
# same.
UNIFIED = str.maketrans(
    "\u2212\u2010\u2011\u2013\uff0d\uff0b\u00a0\u2007\u2009\u202f\u00d7\u22c5\u00b7\u066b\u066c\uff0e\uff0c\uff05\u066a"
    "\uff04\u2044\u2215\uff1a\u03bc壹贰叁肆伍陆柒捌玖拾佰仟",
    "-----+    ***.,.,%%$//:\u00b5一二三四五六七八九十百千",
)
_SUPERSCRIPT = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")

# ---- patterns, for text in lower case that was translated by `UNIFIED`

# 1.234,5 and 1.234.567; 12,34,567; 1,234 and 1 234 and 1'234 and 1_234 and 1{,}234. Each group ends where digits end,
# so that none is tried twice.
_GROUPED = (
    r"\d{1,3}(?:\.\d{3}(?!\d)){1,20},\d+|\d{1,3}(?:\.\d{3}(?!\d)){2,}|\d{1,2}(?:,\d\d(?!\d)){1,20},\d{3}(?!\d)"
    r"|\d{1,3}(?:(?:,|[ ]|['\u2019_]|\{,\}|,\\!|\\[,!;])\d{3}(?!\d))+"
)
_PLAIN = rf"(?:{_GROUPED}|\d+)(?:\.\d+)?|\.\d+"
_RAISED = r"\s?(?:\^\s?(?:-?\d{1,4}|\{\s?-?\d{1,4}\s?\})|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_TIMES_TEN = r"\s?(?:\*|\\times|\\cdot|x(?=\s?10))\s?10"
_VULGAR = "\u00bc-\u00be\u2150-\u215e"
_ENCLOSED = "\u2460-\u249b\u24ea-\u24f4\u2776-\u2793\u3251-\u325f\u32b1-\u32bf\u2160-\u216b\u2170-\u217b"  # ㉓, Ⅻ
_DIGITS = rf"""(?:
      (?:\d{{1,50}}+\s?)?\\[dtc]?frac\s?(?:\{{\s?-?\d{{1,50}}\s?\}}\s?\{{\s?\d{{1,50}}\s?\}}|\d\s?\d)
    | (?<!\d/)(?:\d{{1,3}}+[ ])?\d{{1,50}}+/\d{{1,50}}+(?![\d/]|\.\d)
    | (?:(?:{_GROUPED}|\d{{1,50}}+)[ ]?)?[{_VULGAR}]
    | (?<![^\s是为])[{_ENCLOSED}](?=[\s.,;。，；]|\Z)
    | 10{_RAISED}(?!\d)
    | (?:{_PLAIN})(?:e[-+]?\d{{1,4}}(?!\w))?(?:{_TIMES_TEN}{_RAISED})?
    )"""


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first."""
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


_SINGULAR = "hundred|thousand|million|billion|trillion|dozen"
_WORD = rf"(?:{_any_of(CARDINALS)}|{_SINGULAR})"
_WORDS = (
    rf"half\sa\s(?:{_SINGULAR})|half\san?(?=\s(?:hour|mile|century|minute|day|pound)\b)"
    rf"|(?:an?\s(?={_SINGULAR}))?{_WORD}(?:\sand\s(?:an?|one|two|three)\s{_any_of(_PARTS)}\b|(?:[ -]|\sand\s){_WORD}"
    rf"|\spoint(?=\s{_WORD}))*"
    rf"(?:(?:(?<=ty)[ -]|(?<=hundred|housand|million|billion|rillion)\s(?:and\s)?){_any_of(ORDINALS)}"
    rf"|[ -]{_any_of(_PARTS)})?"
    rf"|{_any_of(ORDINALS)}|once|twice|half"
)
_SIGNS_ONLY = "€£¥₹₩₽₺₫₪₱฿₴₦"
CURRENCY_SIGN = rf"(?:us|hk|nz|au|ca|[acsr])?\$|[{_SIGNS_ONLY}]"
_CODE = "|".join(name for name in CURRENCIES if len(name) == 3 and name.isascii() and name.isalpha() and name != "yen")
_NEGATIVE = "minus|negative|moins|menos|meno"
# 一百二十三, 3万5千, 二〇二〇, 三分之一; a numeral of one character only after a sign or as the whole text.
HAN_DIGITS = "零〇一二两兩三四五六七八九"
_HAN_VALUES = dict(zip(HAN_DIGITS, (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_HAN = rf"{HAN_DIGITS}十百千万萬亿億"
_HAN_NUMERAL = (
    rf"(?:\d{{1,12}}|[{_HAN}]{{1,12}})分之(?:\d{{1,12}}(?:\.\d+)?|[{_HAN}]{{1,12}})"
    rf"|(?=[{_HAN}만억\d.]{{2}})(?:\d+(?:\.\d+)?[百千万萬亿億만억](?=[ ]?[\d{_HAN}])"
    rf"|[{HAN_DIGITS}]?[十百千万萬亿億])(?:[{_HAN}\d천]|(?<=[만억])[ ](?=\d)|만)*"
    rf"|[{HAN_DIGITS}]{{3,9}}|(?:(?<=[负負下])|(?<=\A))[{HAN_DIGITS}十](?![^\W\d])"
)
# Not after a letter, except in scripts without spaces, nor after an index or inside a number: x_1, 1.2.3.
_BEFORE = rf"(?<![^\W_{NO_SPACE_SCRIPTS}])(?<![^\W_]_)(?<!\d\.)"
_AFTER = rf"(?![^\W\d_{NO_SPACE_SCRIPTS}])"
_NUMBER = compile_later(
    rf"""{_BEFORE}
    # A sign apart from its number is a bullet or a dash, except in a formula: x = - 3.
    ((?=[-+mn负負零])(?:(?<![)\]%}}\d])(?<!\+/)(?:[-+]|(?<==\s)[-+]\s|(?<==)[-+]\s)(?={CURRENCY_SIGN}|{_CODE}|[\d.\\{_VULGAR}])
      | (?<!\d)(?<!\d\s)(?<!plus\sor\s)(?<!plus/)(?:{_NEGATIVE})\s+|[负負]\s?|零下\s?))?
    (?:(?!\d)(?:({CURRENCY_SIGN}|{_CODE}|rs(?:\.[ ]?|[ ])(?=\d)|%(?=\d))|(\\\$))\s?([-+](?=[\d.\\{_VULGAR}]))?)?
    (?:((?=[\d.]*+[{_HAN}만억])(?:{_HAN_NUMERAL}))|(?P<digits>{_DIGITS})|(?P<words>{_WORDS}){_AFTER})
    (?:(?=[\s-]?[a-z万萬亿億만억])(?:[ -]?({_any_of(_WORDS_AFTER_DIGITS).replace(" ", "[ ]")}){_AFTER}
      | (?P<gap>\s?)(?P<short>mm|[kmbt])(?![^\W_]|[-'\u2019/²³])
      | \s?([万萬亿億만억])))?
    (?:(?=\s?[\\%‰p])\s?(\\?%|‰|(?:percent(?:age)?|per\s?cent|per\s?mille|pct){_AFTER}))?
    (?:\s?((?:{CURRENCY_SIGN})(?!\s?\d)|(?:{_CODE}|dollars?|euros?|yen|yuan|rupees?){_AFTER}))?
    """,
    re.VERBOSE,
)
# Where numbers and codes begin: at a sign, digit, or a word of these. It is much faster than `_NUMBER` at every letter.
NUMBER_SIGN = re.compile(rf"[\d{_VULGAR}{_ENCLOSED}{_HAN}]")
NUMBER_WORDS = frozenset({*_WORD_VALUES, *WORD_SCALES, "half", "rs", *_NEGATIVE.split("|"), *_CODE.split("|")})
NUMBER_WORDS |= {"http", "https", "www"}
_START = compile_later(
    rf"\d(?<!\d\d)|[-+.\\${_SIGNS_ONLY}%{_VULGAR}{_ENCLOSED}{_HAN}负負](?:(?<!\.)|(?=\d))|(?:us|hk|nz|au?|ca?|s|r)\$"
)
_ANY_LETTERS, _ASCII_LETTERS = re.compile(r"[^\W\d_]+"), re.compile("[a-z]+")

DELIMITERS = re.compile(r"(?:\$\$?|\\\[|\\\()\s*(.*?)\s*(?:\$\$?|\\\]|\\\))", re.DOTALL)
"""A formula between the delimiters of LaTeX, when the whole text is matched."""
_SHORT_FRACTION = re.compile(r"frac\s?(\d)\s?(\d)")  # \frac34
_POWER = re.compile(rf"(?:{_TIMES_TEN}|\A10)({_RAISED})\Z")
_DECIMALS = re.compile(rf"(?:{_GROUPED}|\d+)?(?:\.(\d+))?")
_EACH_WORD = re.compile(rf"and\s(?:an?|one|two|three)\s{_any_of(_PARTS)}\b|[^\s-]+")
# 2,5 and 0,125 and 3,1416, but neither 12,345 nor 1,2,3 nor (2,5).
_COMMA_AS_POINT = re.compile(r"(?<![\d.,(\[{])(?:0+,\d+|\d{1,50},(?:\d\d?|\d{4,50}))(?!\d|[.,]\d)")
_COMMA_AND_DIGIT = re.compile(r",\d")
_SEPARATOR = re.compile(r"(?<=\d)[.,](?=\d)")
_SWAPPED = str.maketrans(".,", ",.")
_GROUP_OF_THREE = re.compile(r"[1-9]\d{0,2}\.\d{3}")
# Longer ones are compared as text: arithmetic on them takes more than linear time.
_MOST_DIGITS = 200
_MOST_EXPONENT = 300


class Number(NamedTuple):
    """A number in a text, with its unit."""

    value: Rational
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
    factor: Rational = 1
    """The size of its unit in the basic unit of the same measure: 1000 for kilometers."""
    may_group: bool = False
    """Whether its point may separate thousands: 16.181."""
    stance: str = ""
    """How the text states it: "" as a fact; see `values.py`."""

    @property
    def is_bare(self) -> bool:
        """Whether nothing but a few digits or words is written, so that it may also be a year, a day or an hour."""
        if self.unit or self.kind or self.scale != 1 or self.value <= 0:
            return False
        return self.is_word or self.end - self.start == len(str(self.value))


class Code(NamedTuple):
    """An address, an identifier, a version, a time zone or the like; its writings have one text."""

    start: int
    end: int
    text: str
    stance: str = ""


# Addresses; colors; versions, but not 1.234.567; ISBN and phone numbers; British postcodes.
_CODES = compile_later(
    r"""(?:(?:https?://|www\.|arxiv\.org/|doi\.org/)[^\s<>"'(){}|]+[\w/]|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}
    |(?:arxiv|doi):\s?\d+\.\d+(?:v\d|/[^\s<>"'(),;]+\w)?|\b10\.\d{4,9}/[^\s<>"'(),;]+\w
    |\#[0-9a-f]{6}\b|rgb\(\d{1,3},\s?\d{1,3},\s?\d{1,3}\)|\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b
    |(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?!\.?\d))\d+(?:\.\d+){2,}(?:-?(?:rc|alpha|beta|dev|post|[ab])\.?\d+)?
    |(?<![\w.,/$+-])(?:(?:\+\d{1,3}[ -]?)?(?:\(0?\d{1,4}\)[ -]?)?\d{1,5}(?:-\d{1,7}){2,4}(?:-[\dx])?
      |\+\d{1,3}(?:[ -]?(?:\(\d{1,4}\)|\d{1,5})){2,6}|(?:\(\d{2,5}\)|0\d{1,4})(?:[ -]\d{2,5}){2,4})(?![\w-]|[.,]\d)
    |\b[a-z]{1,2}\d[a-z\d]?[ ]?\d[abd-hjlnp-uw-z]{2}(?<!st|nd|rd|th)\b)""",
    re.VERBOSE,
)

_CODE_PREFIX = re.compile(r"(?:https?://)?(?:www\.)?(?:(?:dx\.)?doi\.org/|arxiv\.org/(?:abs|pdf)/|(?:arxiv|doi):\s?)?")


def find_codes(lower: str) -> Iterator[Code]:
    """Yield the codes of a text in lower case."""
    for match in _CODES.finditer(lower):
        text = _CODE_PREFIX.sub("", match[0], count=1).rstrip("/")
        if text.startswith("rgb("):
            text = "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", text))
        elif not re.search(r"[@./]", text):
            text = re.sub(r"\(0\)|[ ():-]", "", text)
        if text and (not text.strip("+").isdigit() or len(text) > 8):
            yield Code(*match.span(), text)


def is_same_code(*values: Any) -> bool:
    """Return whether codes, or a code and a number, are the same, or phone numbers but for the prefix of a country."""
    first, second = (str(getattr(value, "text", None) or getattr(value, "value", "")) for value in values)
    short, long = sorted((first.lstrip("+0"), second.lstrip("+0")), key=len)
    is_phone = len(short) > 8 and "+" in first + second and len(long) - len(short) < 4
    return first == second or (is_phone and long.isdigit() and long.endswith(short))


# ---- reading


def read_numbers(text: str, decimal: DecimalMark = "auto") -> list[Number]:
    """List the cardinals of a text, from left to right: "$3 million", "1 234", "½", "3*10^5", "twenty-five percent".

    Digits in names ("B52", "x_1") are no numbers, nor are numbers of more than 200 digits.
    """
    plain = text if text.isascii() else text.translate(UNIFIED)
    lower = lowered(plain)
    words = NUMBER_WORDS.intersection(letter_runs(lower))
    return [number for number in numbers_in(plain, lower, words, decimal) if not number.kind]


def lowered(text: str) -> str:
    """Return a text in lower case, or as it is where that would move its characters."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def letter_runs(lower: str) -> list[str]:
    """List the runs of letters of a text in lower case."""
    return (_ASCII_LETTERS if lower.isascii() else _ANY_LETTERS).findall(lower)


def numbers_in(plain: str, lower: str, words: Set[str], decimal: DecimalMark) -> Iterator[Number]:
    """Yield the numbers of a text with unified signs, in its own and in lower case, that has these `NUMBER_WORDS`."""
    starts = []
    if NUMBER_SIGN.search(lower):
        lower = _with_points(lower, decimal)
        starts = [match.start() for match in _START.finditer(lower)]
    if words:
        starts = sorted([*starts, *(match.start() for match in word_finder(words).finditer(lower))])
    end = 0
    for start in starts:
        if start >= end and (match := _NUMBER.match(lower, start)):
            end = match.end()
            yield from _read(match, plain, decimal)


@lru_cache(maxsize=1_000)
def word_finder(words: Set[str]) -> re.Pattern[str]:
    """Compile a pattern that finds whole words in a text in lower case."""
    return compile_later(rf"(?<![^\W\d_])(?:{'|'.join(words)})(?![^\W\d_])")


@lru_cache(maxsize=20_000)  # references repeat
def single_number(text: str, decimal: DecimalMark = "auto") -> Number | None:
    r"""Read a text that is one number, such as "$1.5 million", "½", "**42**" or "1 \frac{1}{2}"; None if it is not.

    Its place is that in the text without the Markdown and LaTeX around it.
    """
    if len(text) > 3 * _MOST_DIGITS:
        return None
    inner = _unwrapped(text.translate(UNIFIED))
    in_brackets = int(inner[:1] == "(" and inner[-1:] == ")")  # ($5); but (5) is a label
    match = _NUMBER.fullmatch(_with_points(lowered(inner), decimal), in_brackets, len(inner) - in_brackets)
    numbers = _read(match, inner, decimal) if match else []
    is_whole = len(numbers) == 1 and (numbers[0].start, numbers[0].end) == (0, len(inner))
    return numbers[0] if is_whole and numbers[0].kind != "ordinal" else None


def _with_points(text: str, decimal: DecimalMark) -> str:
    """Write every decimal mark as a point, character by character: 2,5 as 2.5, but 12,345 as it is."""
    if decimal == ",":
        return _SEPARATOR.sub(lambda mark: mark.group().translate(_SWAPPED), text)
    if decimal == "auto" and _COMMA_AND_DIGIT.search(text):
        return _COMMA_AS_POINT.sub(lambda number: number.group().replace(",", "."), text)
    return text


def _unwrapped(text: str) -> str:
    """Remove Markdown, the delimiters of LaTeX and a period around a text, and the space after a sign."""
    inner = text.strip(" \t\r\n*`_").removesuffix(".").strip(" *`_")
    if delimited := DELIMITERS.fullmatch(inner):
        inner = delimited[1].strip(" *`_").removesuffix(".")
    return inner[0] + inner[1:].lstrip() if inner[:1] in {"-", "+"} else inner


def _read(match: re.Match[str], plain: str, decimal: DecimalMark) -> list[Number]:
    """Make the numbers of a match: none if it is too long, one, or several from words such as "one two"."""
    start, end = match.span()
    if match.span("digits") == (start, end):  # most are digits and nothing else
        digits = match["digits"]
        value, decimals = digits_value(digits)
        may_group = decimals == 3 and decimal == "auto" and bool(_GROUP_OF_THREE.fullmatch(digits))
        return [] if value is None else [Number(value, start, end, "", 1, decimals, may_group=may_group)]
    outer, before, latex, sign, han, digits, words, scale, gap, short, chinese, percent, after = match.groups()
    is_mille = percent == "‰" or (percent or "").endswith("mille")
    is_percent = percent or before == "%" or (han and han.startswith("百分之"))
    unit = "%" if is_percent else CURRENCIES.get((before or after or ("$" if latex else "")).strip(" ."), "")
    # "15k", "5M" and "$5 m" are scaled, but "5 m" are meters and "300 K" kelvins.
    is_scaled = short and (unit or (not gap and (short == "k" or plain[match.start("short")].isupper())))
    name = scale or chinese or (short if is_scaled else "")
    factor: Rational = (SCALES[name] if name else 1) * (Fraction(1, 10) if is_mille else 1)
    if short and not name and not unit:  # the "m" of "5 m" is no part of the number
        end = match.start("gap")
    is_negative = sign == "-" or bool(outer and outer.strip() != "+")
    if words:
        numbers = _read_words(match, end, unit, factor)
        if is_negative and numbers:
            numbers[0] = numbers[0]._replace(value=-numbers[0].value, start=start)
        return numbers
    value, decimals = (han_value(han.removeprefix("百分之")), 0) if han else digits_value(digits)
    if value is None:
        return []
    if unit not in {"", "%"} and plain[start - 1 : start] + plain[end : end + 1] == "()":
        start, end, is_negative = start - 1, end + 1, not is_negative  # ($5) is -5 in a balance sheet
    may_group = decimal == "auto" and bool(digits and _GROUP_OF_THREE.fullmatch(digits))
    value = _whole(value * factor)
    return [Number(-value if is_negative else value, start, end, unit, int(factor) or 1, decimals, may_group=may_group)]


def _read_words(match: re.Match[str], end: int, unit: str, factor: Rational) -> list[Number]:
    """Read number words; a unit and a scale after them belong to the last number of several."""
    offset = match.start("words")
    matches = list(_EACH_WORD.finditer(match["words"]))
    words = [" ".join(word[0].split()) for word in matches]
    scale_after = int(factor) or 1
    if words == ["half"]:
        return [Number(Fraction(1, 2), *match.span("words"), is_word=True, kind="part")]
    if words[0] == "half":  # half a million, half an hour
        scale = WORD_SCALES.get(words[-1], 1) * scale_after
        return [Number(_whole(Fraction(scale, 2)), offset, end, unit, scale, 0, is_word=True)]
    place, numbers = 0, []
    while place < len(words):
        first = place
        value, place = words_value(words, place)
        if place == first:  # "a", "and"
            place += 1
            continue
        scale = max(SCALES.get(word, 1) for word in words[first:place])
        is_ordinal = words[place - 1] in ORDINALS and value.denominator == 1
        kind = "ordinal" if is_ordinal else "adverb" if words[first] in _ADVERBS else ""
        start, stop = offset + matches[first].start(), offset + matches[place - 1].end()
        numbers.append(Number(value, start, stop, "", scale, 0, is_word=True, kind=kind))
    if numbers and numbers[-1].end == match.end("words"):
        tail = numbers[-1]
        scale = max(tail.scale, scale_after)
        numbers[-1] = tail._replace(value=_whole(tail.value * factor), end=end, unit=unit, scale=scale)
    return numbers


def words_value(words: list[str], start: int = 0) -> tuple[Rational, int]:
    """Return the number that words in lower case spell from a place on, and the place after it.

    It is 125, and the place 5, for "one hundred and twenty five times".
    """
    total: Rational = 0
    group: Rational | None = None
    limit, end = 10**15, start
    decimals: int | None = None
    for place in range(start, len(words)):
        word = words[place]
        scale, value = WORD_SCALES.get(word, 0), _WORD_VALUES.get(word)
        if word in _PARTS and place == start + 1 and group and (group == 1 or word[-1] == "s"):
            return Fraction(group) / _PARTS[word], place + 1  # two thirds
        joined = None if value is None or decimals is not None else _join(group, value)
        if word == "point" and group is not None and decimals is None:
            decimals = 0
            continue
        if decimals is not None and value is not None and value < 10:
            decimals += 1
            group = (group or 0) + Fraction(value, 10**decimals)
        elif joined is not None and (not total or joined < limit):
            group = joined
        elif scale == 100 and group and group < 100:  # twelve hundred, two hundred thousand
            group *= 100
        elif scale and scale < limit and (group or not total):
            total, group, limit = total + (group or 1) * scale, None, scale
        elif word.startswith("and ") and group is not None and group % 1 == 0:  # two and a half
            _, count, part = word.split()
            group += Fraction(CARDINALS.get(count, 1), _PARTS[part])
        elif word == "and" and place > start and words[place - 1] in WORD_SCALES:
            continue
        else:
            break
        end = place + 1
    return _whole(total + (group or 0)), end


def _join(before: Rational | None, value: int) -> Rational | None:
    """Join parts of a number: "twenty" and "five", "nineteen" and "eighty"; None if they are two numbers."""
    if before is None:
        return value
    limit = 100 if before and before % 100 == 0 else 10 if before % 10 == 0 and before % 100 >= 20 else 0
    if limit:
        return before + value if 0 < value < limit else None
    return before * 100 + value if 10 < before < 21 and 10 <= value < 100 else None


def han_value(written: str) -> Rational:
    """Return the value of a numeral in Chinese characters, perhaps with digits: 一百二十三, 3万5千, 三分之一."""
    below, is_fraction, above = written.partition("分之")
    if is_fraction:
        return Fraction(han_value(above)) / (han_value(below) or 1)
    total: Rational = 0
    group: Rational = 0
    digit: Rational = 0
    for part in re.findall(r"\d+(?:\.\d+)?|\S", written.replace("천", "千")):
        if myriad := SCALES.get(part):  # 万, 亿
            higher = total if total > myriad else 0  # 1亿2千万, but 一万亿
            total, group, digit = higher + (total - higher + group + digit or 1) * myriad, 0, 0
        elif part in "十百千":
            group += (digit or 1) * 10 ** ("十百千".index(part) + 1)
            digit = 0
        else:
            digit = digit * 10 + _HAN_VALUES[part] if part in _HAN_VALUES else digit * 10 + Fraction(part)
    return _whole(total + group + digit)


def _whole(value: Rational) -> Rational:
    return value.numerator if value.denominator == 1 else value


@lru_cache(maxsize=20_000)
def digits_value(digits: str) -> tuple[Rational | None, int]:
    r"""Return the value of a number that `_DIGITS` found, and how many digits stand after the decimal point.

    The value is None for a division by zero and for too many digits; the count is -1 for fractions and powers.
    """
    if len(digits) > _MOST_DIGITS:
        return None, -1
    if decimals := _DECIMALS.fullmatch(digits):
        return _decimal(digits, 0), len(decimals[1] or "")
    if power := _POWER.search(digits):
        raised = re.sub(r"[\s^{}]", "", power[1].translate(_SUPERSCRIPT))
        return _decimal(digits[: power.start()] or "1", int(raised)), -1
    if "frac" in digits or "/" in digits:  # 3/4, 1 3/4, \frac{3}{4}
        *whole, above, below = map(int, re.findall(r"-?\d+", _SHORT_FRACTION.sub(r" \1/\2", digits)))
        return _whole(sum(whole) + Fraction(above, below)) if below else None, -1
    if not digits[-1].isdecimal():
        part = Fraction(unicodedata.numeric(digits[-1])).limit_denominator(10)
        return _whole(part + (_decimal(digits[:-1], 0) or 0 if len(digits) > 1 else 0)), -1
    return _decimal(digits, 0), -1


def _decimal(digits: str, power: int) -> Rational | None:
    """Return the value of digits with separators and perhaps an exponent, times a power of ten."""
    mantissa, _, exponent = digits.partition("e")
    if "," in mantissa and "." in mantissa[: mantissa.index(",")]:  # 1.234,5
        mantissa = mantissa.replace(".", "").replace(",", ".")
    if mantissa.count(".") > 1:  # 1.234.567
        mantissa = mantissa.replace(".", "")
    power += int(exponent or 0)
    plain = re.sub(r"[^\d.]", "", mantissa)
    return None if abs(power) > _MOST_EXPONENT else _whole(Fraction(f"{plain}e{power}"))
