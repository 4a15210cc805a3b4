"""Texts as tokens: words as they are compared, and numbers by their value, each with its place in the text.

`Text` holds the tokens of one text with the indexes that `_recall_rules.py` looks words up in.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from ._normalization import NO_SPACE_SCRIPTS
from ._numbers import CARDINALS, DIGITS, PARTS, SCALES, VULGAR, WORD_SCALES, digits_value, words_value

# Words that say nothing about an answer, unless it has no others.
FUNCTION_WORDS = frozenset(
    """a about after also am an and are as at be been before being between but by can could did do does down during for
    from had has have he her him his how i if in into is it its may me might my of on or our out over she should so such
    than that the their them then there these they this those to under up was we were what when where which who whom
    whose will with would you your""".split()
)
# Words with which an English text denies something.
NEGATIONS = frozenset("cannot neither never no nor not without".split())
# Titles before a name, which are not part of it. A period after them does not end a clause.
TITLES = frozenset(
    """captain dame doctor dr emperor general jr king lady lord miss mr mrs ms pope president prince princess prof professor
    queen saint sir sr st""".split()
)
# Months and their short forms, by number.
_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {name: number for number, name in enumerate(_MONTHS, start=1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
# Words of numbers, by value; those of cardinals, scales and fractions are in `_numbers.py`.
_SMALL_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()
_ORDINALS = {word[:-1] + "ieth": value for word, value in CARDINALS.items() if value >= 20}
_ORDINALS |= {word: value for value, word in enumerate(_SMALL_ORDINALS)}
_TIMES = {"once": 1, "twice": 2}
_NUMBER_WORDS = CARDINALS.keys() | _ORDINALS.keys() | _TIMES.keys() | WORD_SCALES.keys()
# Roman numerals, by value.
_NUMERALS = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII".split()
_ROMANS = {numeral: value for value, numeral in enumerate(_NUMERALS, start=1)}
# Words with irregular stems.
_IRREGULAR = """children:child doctor:dr feet:foot leaves:leaf lives:life men:man mice:mouse people:person
    professor:prof saint:st teeth:tooth wives:wife women:woman"""
_IRREGULAR_FORMS = dict(pair.split(":") for pair in _IRREGULAR.split())
_SIGNS = {"$": "dollar", "%": "percent", "£": "pound", "¥": "yen", "€": "euro", "₩": "won", "₹": "rupee", "₽": "ruble"}

# Accents and points, which are left out when words are compared; vowel signs of Indian scripts are kept.
_ACCENTS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c\u200d"
)
_VOWEL_SIGNS = "\u06d6-\u06ed\u0900-\u0963\u0971-\u0dff\u135d-\u135f\u1dc0-\u1dff\ufe20-\ufe2f"
_ACCENT = re.compile(f"[{_ACCENTS}]+")
_LETTERS = str.maketrans({"\u0131": "i", "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ł": "l", "œ": "oe"})
# Superscripts mark footnotes, subscripts are digits (H₂O). One character each, so that places stay the same.
_MARKS = "¹²³⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"
_POWER_OF_TEN = re.compile(f"10[{_MARKS}]")
_MARK_RUN = re.compile(rf"([\u00d7x*\u00b7\u22c5][ ]?10)?([{_MARKS}]+)")
_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉\u2212\u2010\u2018\u2019\u00d7\u22c5\u00b7", "0123456789--''***")
_FOOTNOTES = _PLAIN | dict.fromkeys(map(ord, _MARKS), " ")
_PATTERN = r"""
    (?P<word>{letter}{inside}+)[ ]?                                  # with the blank, which would be tried in vain
    | (?P<number>(?=[-.\d\\{vulgar}])
        (?:(?<![\w.)\]%-])-(?=\.?\d))?
        (?:\d{{4}}-\d\d-\d\d(?!\d)                                  # 2019-09-06
        | (?!\d{{1,3}}\.\d{{3}}\.\d{{3}}(?!\d))\d+(?:[.:/]\d+){{2,}}   # 12/08/1990, but not 1.234.567
        | \d+:\d+                                                    # 10:30
        | (?!(?<=[\w.])\.){digits})                                   # 1,000,000.5, 3/4, 1½, 3*10^5
      )(?P<suffix>(?:'?s|st|nd|rd|th|[kKMB])(?!{letter}|\d))?
    | (?P<abbreviation>(?:{letter}\.)+{letter}(?!{letter})\.?|(?:{letter}\.){{2,}})
    | (?P<symbol>{letter}(?:\+\+|\#)(?!\w))                          # C++, C#
    | (?P<letter>{letter})
    | (?P<sign>[%$\u20ac\u00a3\u00a5\u20a9\u20b9\u20bd])
"""
_LETTER = rf"(?![{NO_SPACE_SCRIPTS}])[^\W\d_]"
_NUMBER_PARTS = {"digits": DIGITS, "vulgar": VULGAR}
_ASCII_TOKEN = re.compile(_PATTERN.format(letter="[A-Za-z]", inside="[A-Za-z]", **_NUMBER_PARTS), re.VERBOSE)
_UNICODE_TOKEN = re.compile(
    rf"(?P<run>[{NO_SPACE_SCRIPTS}]+) | "
    + _PATTERN.format(letter=_LETTER, inside=rf"(?:{_LETTER}|(?!\d)[{_ACCENTS}{_VOWEL_SIGNS}])", **_NUMBER_PARTS),
    re.VERBOSE,
)
# A lowercase word run together with a capitalized one, as in text copied from the web: "onMarch", not "JavaScript".
_GLUED = re.compile("[a-z]{2,}(?=[A-Z][a-z])")
_DATE = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4})|(\d{4})-(\d\d)-(\d\d)")
_CLAUSE_END = re.compile('[.,;:!?()\\[\\]\u201c\u201d\n\u2014。，、；：！？،؛؟"]|\\s[-\u2013]\\s')
_JOINTS = frozenset({"", " ", "-", "\u00a0", "\u202f"})
_SHORT_SCALES = frozenset("kKMB")
_NO_NUMBER = re.compile(r":|[./]\d+[./]")  # 10:30, 12/08/1990
_DECIMAL = re.compile(r"-?(?:\d+|\d*\.\d+)", re.ASCII)
# Longer words and numbers are only compared as they are: other rules would take quadratic time.
LONGEST_WORD = 64
_LONGEST_NUMBER = 16
# At most this many occurrences of a word are considered, and words with the same first letter.
_MOST_PLACES = 8
_MOST_CANDIDATES = 100


class Token(NamedTuple):
    """A word, a number, or two neighboring characters of a script without spaces."""

    key: str
    """What is compared: a word without case and accents, or "#" and a value ("#6", "#0.5", "#1990s")."""
    start: int
    end: int
    kind: str = ""
    """Of a number, "cardinal", "ordinal", "roman" or "date" (the day and month of 12/08/1990); of others, ""."""


class Text:
    """A text as tokens, with the indexes that words are looked up in."""

    may_be_share = False
    """Whether a number may be written with and without a percent sign."""

    def __init__(self, text: str, *, english: bool) -> None:
        self.text = text
        self.english = english
        self.tokens = _tokenize(text)
        may_join = "/" in text or not text.isascii()  # 10 1/2, 10½
        if english and (may_join or not _NUMBER_WORDS.isdisjoint([token.key for token in self.tokens])):
            self.tokens = _join_numbers(text, self.tokens)
        if english:
            self._read_romans()
        self.places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            places = self.places.setdefault(token.key, [])
            if len(places) < _MOST_PLACES:
                places.append(place)

    def _read_romans(self) -> None:
        """Read Roman numerals; those of one letter only after a name: "World War I", but not "I think" or "V8"."""
        for place, token in enumerate(self.tokens):
            if token.kind or self.text[token.start] not in "IVX" or self.written(place) not in _ROMANS:
                continue
            is_numeral = token.end - token.start > 1 or (
                self.gap_before(place) == " "
                and self.is_name(place - 1)
                and self.tokens[place - 1].key not in FUNCTION_WORDS
                and not self.text[token.end : token.end + 1].isalnum()
            )
            if is_numeral:
                self.tokens[place] = Token(f"#{_ROMANS[self.written(place)]}", token.start, token.end, "roman")

    def written(self, place: int) -> str:
        return self.text[self.tokens[place].start : self.tokens[place].end]

    def key_at(self, place: int) -> str:
        """Return the key of a token; "" if there is no token."""
        return self.tokens[place].key if 0 <= place < len(self.tokens) else ""

    def is_number(self, place: int) -> bool:
        return self.tokens[place].key[0] == "#"

    def is_capital(self, place: int) -> bool:
        return self.text[self.tokens[place].start].isupper()

    def is_name(self, place: int) -> bool:
        """Return whether a token may be part of a name: capitalized, and neither a number nor a title."""
        return self.is_capital(place) and not self.is_number(place) and self.tokens[place].key not in TITLES

    def is_acronym(self, place: int) -> bool:
        """Return whether a token is several capitals, with or without periods: "NFL", "U.S."."""
        letters = self.written(place).replace(".", "")
        return 2 <= len(letters) <= 6 and letters.isalpha() and letters.isupper()

    @cached_property
    def has_capitals(self) -> bool:
        """Whether there is any capital letter, so that names can be told from other words."""
        return not self.text.islower()

    def gap_before(self, place: int) -> str:
        """Return the text between a token and the one before it."""
        return self.text[self.tokens[place - 1].end : self.tokens[place].start] if place else ""

    def begins_clause(self, place: int) -> bool:
        """Return whether a clause ends before a token; the period of "Mr." and of an initial does not end one."""
        gap = self.gap_before(place)
        if not place or gap == " ":
            return not place
        before = self.tokens[place - 1]
        if gap == ". " and (before.key in TITLES or before.end - before.start == 1):
            return False
        return bool(_CLAUSE_END.search(gap))

    @cached_property
    def numbers(self) -> list[int]:
        """The places of numbers, at most the first 100."""
        return [place for place, token in enumerate(self.tokens) if token.key[0] == "#"][:_MOST_CANDIDATES]

    @cached_property
    def stems(self) -> dict[str, list[int]]:
        """The places of each English stem; empty for other languages."""
        stems: dict[str, list[int]] = {}
        for key, places in self.places.items() if self.english else ():
            if key[0] != "#":
                stems.setdefault(stem(key), []).extend(places)
        return stems

    @cached_property
    def beginnings(self) -> dict[str, list[str]]:
        """The distinct words that begin with a letter, at most 100 for each."""
        beginnings: dict[str, list[str]] = {}
        for key in self.places:
            alike = beginnings.setdefault(key[0], [])
            if len(alike) < _MOST_CANDIDATES:
                alike.append(key)
        return beginnings


def fold(word: str) -> str:
    """Drop case and accents: "Röntgen" and "rontgen" are one word."""
    if word.isascii():
        return word.lower()
    word = _ACCENT.sub("", word.casefold())
    if len(word) <= LONGEST_WORD:
        word = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", word)))
    return word.translate(_LETTERS)


# Months in other languages, by number: of two months, one is no form of the other (červen, červenec).
_FOREIGN_MONTHS = """
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    januar februar märz april mai juni juli august september oktober november dezember
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    januari februari maart april mei juni juli augustus september oktober november december
    gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
    leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
    ledna února března dubna května června července srpna září října listopadu prosince
    lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci
    styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
"""
FOREIGN_MONTHS = {
    fold(name): number
    for line in _FOREIGN_MONTHS.split("\n")[1:-1]
    for number, name in enumerate(line.split(), start=1)
}


@lru_cache(maxsize=10_000)  # a column has few distinct words
def stem(word: str) -> str:
    """Strip an English inflection (plurals, -ed, -ing, -ly): not a dictionary form, but the same for all forms."""
    word = _IRREGULAR_FORMS.get(word, word)
    if len(word) <= 3:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("ches", "shes", "sses", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("is", "ss", "us")):
        word = word[:-1]
    for ending in ("ed", "ing", "ly"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            is_doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            word = base[:-1] if is_doubled else base
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def is_year(key: str) -> bool:
    """Return whether a number may be a year."""
    return len(key) == 5 and key[1:].isdigit() and "#1000" <= key < "#2100"


def value_of(key: str) -> Decimal | None:
    """Return the value of a number's key, None for times, decades and very long numbers."""
    return Decimal(key[1:]) if len(key) <= _LONGEST_NUMBER and _DECIMAL.fullmatch(key, 1) else None


def _key_of(value: Fraction) -> str:
    if value.denominator == 1:
        return f"#{value.numerator}"
    return f"#{round(Decimal(value.numerator) / Decimal(value.denominator), 6).normalize():f}"


@lru_cache(maxsize=10_000)
def _key_of_digits(digits: str) -> str:
    """Write equal values in one way: "#1000" for "1,000.0", "#-0.5" for "-.50", "#0.75" for "3/4" and "¾"."""
    if digits.isdigit() and digits.isascii() and digits[0] != "0":
        return "#" + digits
    sign = "-" if digits[0] == "-" else ""
    written = digits.removeprefix("-").removesuffix(":00")
    value = None if _NO_NUMBER.search(written) else digits_value(written)[0]
    if value is None:  # a time, a date, a version, or too many digits
        return "#" + sign + (_as_ascii(written).lstrip("0") or "0")
    return _key_of(-value if sign else value)


def _as_ascii(digits: str) -> str:
    return "".join(str(unicodedata.decimal(mark, mark)) for mark in digits)


def _tokenize(text: str) -> list[Token]:
    """Split a text at everything but letters and digits, and between letters and digits."""
    plain = text
    if not text.isascii():
        is_raised = _POWER_OF_TEN.search(text)
        plain = _MARK_RUN.sub(_without_footnote, text).translate(_PLAIN) if is_raised else text.translate(_FOOTNOTES)
    is_ascii = plain.isascii()
    tokens: list[Token] = []
    for match in (_ASCII_TOKEN if is_ascii else _UNICODE_TOKEN).finditer(plain):
        kind = match.lastgroup
        start, end = match.span("word") if kind == "word" else match.span()
        if kind == "word":
            word = match["word"]
            if not word.islower():
                word, start = _split_off(word, start, tokens)
            tokens.append(Token(word.lower() if is_ascii else fold(word), start, end))
        elif kind in {"number", "suffix"}:
            tokens += _number_tokens(match, tokens)
        elif kind == "sign":
            tokens.append(Token(_SIGNS[match.group()], start, end))
        elif kind == "run":  # pairs of characters, since single ones would find 東京 in 京都は東の
            written = fold if not unicodedata.is_normalized("NFKD", match.group()) else str
            pairs = [(at, min(at + 2, end)) for at in range(start, max(end - 1, start + 1))]
            tokens += [Token(written(plain[first:last]), first, last) for first, last in pairs]
        elif kind == "letter" and tokens and plain[start - 1 : start] == "'" and match.group() in "sStT":
            if match.group() in "tT" and tokens[-1].key.endswith("n"):  # isn't; of "Orwell's", the s is left out
                tokens[-1] = tokens[-1]._replace(key=tokens[-1].key[:-1] or "n")
                tokens.append(Token("not", start, end))
        else:  # a letter, an abbreviation or a symbol
            tokens.append(Token(fold(match.group()).replace(".", ""), start, end))
    return tokens if is_ascii else [token for token in tokens if token.key.strip()]


def _without_footnote(match: re.Match[str]) -> str:
    """Blank out superscripts, unless they are the power of ten: 3*10⁵."""
    return match.group() if match[1] else " " * len(match.group())


def _split_off(word: str, start: int, tokens: list[Token]) -> tuple[str, int]:
    """Add the first tokens of "onMarch" and "WWII" to the others, and return the rest of the word and its start."""
    if word in {"WWI", "WWII"}:
        tokens += [Token("world", start, start + 1), Token("war", start + 1, start + 2)]
        return f"#{len(word) - 2}", start + 2
    if glued := _GLUED.match(word):
        tokens.append(Token(glued.group(), start, start + glued.end()))
    length = glued.end() if glued else 0
    return word[length:], start + length


def _number_tokens(match: re.Match[str], before: list[Token]) -> list[Token]:
    """Make the tokens of digits: one, or three of a date."""
    start, end = match.span()
    if end - start >= 8 and (date := _DATE.fullmatch(match.group())):
        spans = [(start + date.start(part), start + date.end(part)) for part in (1, 3, 4, 5, 6, 7) if date[part]]
        keys = [(_key_of_digits(match.string[first:last]), first, last) for first, last in spans]
        return [Token(*key, "cardinal" if is_year(key[0]) else "date") for key in keys]
    key, suffix = _key_of_digits(match["number"]), match["suffix"]
    if suffix in {"s", "'s"}:
        return [Token(key + "s", start, end, "cardinal")]
    if suffix in _SHORT_SCALES and _DECIMAL.fullmatch(key, 1):  # 15k, $3B
        return [Token(_key_of(Fraction(key[1:]) * SCALES[suffix.lower()]), start, end, "cardinal")]
    year = before[-1].key if before and match.string[before[-1].end : start] in {"-", "\u2013", "/"} else ""
    if len(key) == 3 and is_year(year) and key[1:] > year[3:]:
        key = year[:3] + key[1:]  # 1979-80
    return [Token(key, start, end, "ordinal" if suffix else "cardinal")]


def _join_numbers(text: str, tokens: list[Token]) -> list[Token]:
    """Read number words and join them: "twenty-five", "2.5 million", "nineteen eighty-four", "two thirds"."""
    joined: list[Token] = []
    place = 0
    while place < len(tokens):
        token, count = tokens[place], 0
        behind = tokens[place + 1].key if place + 1 < len(tokens) else ""
        if behind in WORD_SCALES if token.kind else token.key in _NUMBER_WORDS:
            value, count = words_value(_number_parts(text, tokens, place))
        if not count or (count == 1 and token.kind):
            joined.append(token)
            place += 1
            continue
        place += count
        last = tokens[place - 1]
        kind = "ordinal" if last.key in _ORDINALS and value.denominator == 1 else "cardinal"
        joined.append(Token(_key_of(value), token.start, last.end, kind))
    return joined


def _number_parts(text: str, tokens: list[Token], place: int) -> Iterator[str | Fraction]:
    """Yield the words of a number that may begin at a place, as `words_value` takes them."""
    before = ""
    for at in range(place, len(tokens)):
        if at > place and text[tokens[at - 1].end : tokens[at].start] not in _JOINTS:
            return
        part = _number_part(tokens[at], before)
        if part is None or (before and tokens[place].kind and part not in WORD_SCALES):  # "in 1900 five men"
            return
        before = tokens[at].key
        yield part


def _number_part(token: Token, before: str) -> str | Fraction | None:
    """Return a word of a number, or the value of digits or an ordinal; None for other words."""
    key = token.key
    if token.kind:
        value = None if before else value_of(key)
        return None if value is None else Fraction(value)
    if key in PARTS and (key not in _ORDINALS or before == "one"):  # two thirds, one third
        return key
    number = _ORDINALS.get(key) or _TIMES.get(key)
    if number is not None:
        return Fraction(number)
    return key if key in CARDINALS or key in WORD_SCALES or key == "and" else None
