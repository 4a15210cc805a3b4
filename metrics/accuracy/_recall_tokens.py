"""Texts as tokens: words as they are compared, and numbers by their value, each with its place in the text.

`Text` holds the tokens of one text with the indexes that `_recall_rules.py` looks words up in.
"""

import re
import unicodedata
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from ._normalization import NO_SPACE_SCRIPTS

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
    """captain dame dr emperor general jr king lady lord miss mr mrs ms pope president prince princess prof professor
    queen saint sir sr st""".split()
)
# Months and their short forms, by number.
_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {name: number for number, name in enumerate(_MONTHS, start=1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
# Number words, by value.
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_SMALL_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()
_CARDINALS = {word: 10 * tens for tens, word in enumerate(_TENS)} | {word: value for value, word in enumerate(_SMALL)}
_CARDINALS |= {"once": 1, "twice": 2}
_ORDINALS = {word[:-1] + "ieth": 10 * tens for tens, word in enumerate(_TENS) if tens > 1}
_ORDINALS |= {word: value for value, word in enumerate(_SMALL_ORDINALS)}
# The factor by which a word multiplies the number before it.
_SCALES = {"billion": 10**9, "bn": 10**9, "dozen": 12, "hundred": 100, "million": 10**6, "thousand": 1000}
_NUMBER_WORDS = _CARDINALS.keys() | _ORDINALS.keys() | _SCALES.keys()
# Roman numerals, by value.
_NUMERALS = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII".split()
_ROMANS = {numeral: value for value, numeral in enumerate(_NUMERALS, start=1)}
# Words with irregular stems.
_IRREGULAR = """children:child feet:foot leaves:leaf lives:life men:man mice:mouse people:person teeth:tooth wives:wife
    women:woman"""
_IRREGULAR_FORMS = dict(pair.split(":") for pair in _IRREGULAR.split())
_SIGNS = {"$": "dollar", "%": "percent", "£": "pound", "¥": "yen", "€": "euro", "₹": "rupee"}

# Accents and points, which are left out when words are compared; vowel signs of Indian scripts are kept.
_ACCENTS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c\u200d"
)
_VOWEL_SIGNS = "\u06d6-\u06ed\u0900-\u0963\u0971-\u0dff\u135d-\u135f\u1dc0-\u1dff\ufe20-\ufe2f"
_ACCENT = re.compile(f"[{_ACCENTS}]+")
_LETTERS = str.maketrans({"\u0131": "i", "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ł": "l", "œ": "oe"})
# Superscripts mark footnotes, subscripts are digits (H₂O). One character each, so that places stay the same.
_MARKS = "¹²³⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"
_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉\u2212\u2010\u2018\u2019" + _MARKS, "0123456789--''" + " " * len(_MARKS))
_PATTERN = r"""
    (?P<word>{letter}{inside}+)[ ]?                                  # with the blank, which would be tried in vain
    | (?P<number>
        (?:(?<![\w.)\]%-])-(?=\.?\d))?
        (?:\d{{1,3}}(?:[,\u00a0\u202f]\d{{3}})+(?!\d)(?:\.\d+)?      # 1,000,000.5
        | (?<![\w.])\.\d+                                            # .5
        | \d{{4}}-\d\d-\d\d(?!\d)                                    # 2019-09-06
        | \d+(?:[.:/]\d+)*                                           # 3.5, 10:30, 3/4, 12/08/1990
        | [\u00bc-\u00be\u2150-\u215e])                              # ½
      )(?P<suffix>(?:'?s|st|nd|rd|th)(?!{letter}|\d))?
    | (?P<abbreviation>(?:{letter}\.)+{letter}(?!{letter})\.?|(?:{letter}\.){{2,}})
    | (?P<symbol>{letter}(?:\+\+|\#)(?!\w))                          # C++, C#
    | (?P<letter>{letter})
    | (?P<sign>[%$\u20ac\u00a3\u00a5\u20b9])
"""
_LETTER = rf"(?![{NO_SPACE_SCRIPTS}])[^\W\d_]"
_ASCII_TOKEN = re.compile(_PATTERN.format(letter="[A-Za-z]", inside="[A-Za-z]"), re.VERBOSE)
_UNICODE_TOKEN = re.compile(
    rf"(?P<run>[{NO_SPACE_SCRIPTS}]+) | "
    + _PATTERN.format(letter=_LETTER, inside=rf"(?:{_LETTER}|(?!\d)[{_ACCENTS}{_VOWEL_SIGNS}])"),
    re.VERBOSE,
)
# A lowercase word run together with a capitalized one, as in text copied from the web: "onMarch", not "JavaScript".
_GLUED = re.compile("[a-z]{2,}(?=[A-Z][a-z])")
_DATE = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4})|(\d{4})-(\d\d)-(\d\d)")
_CLAUSE_END = re.compile('[.,;:!?()\\[\\]\u201c\u201d\n\u2014。，、；：！？،؛؟"]|\\s[-\u2013]\\s')  # noqa: RUF001
_JOINTS = frozenset({"", " ", " and ", "-", "\u00a0", "\u202f"})
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


def _key_of(value: Decimal) -> str:
    return f"#{(value if value % 1 == 0 else round(value, 6)).normalize():f}"


def _key_of_digits(digits: str) -> str:
    """Write equal values in one way: "#1000" for "1,000.0", "#-0.5" for "-.50", "#0.75" for "3/4" and "¾"."""
    if not digits.isdecimal() and digits.isnumeric():
        return _key_of(Decimal(unicodedata.numeric(digits)))
    if digits.isdigit() and digits.isascii() and digits[0] != "0":
        return "#" + digits
    if not digits.isascii():
        digits = "".join(str(unicodedata.decimal(mark, "")) or mark * (mark in ",.:/-") for mark in digits)
    digits = digits.replace(",", "").removesuffix(":00")
    above, _, below = digits.partition("/")
    if len(digits) > _LONGEST_NUMBER or not _DECIMAL.fullmatch(above) or (below and not below.strip("0").isdigit()):
        return "#" + (digits.lstrip("0") or "0")
    return _key_of(Decimal(above) / Decimal(below or 1))


def _tokenize(text: str) -> list[Token]:
    """Split a text at everything but letters and digits, and between letters and digits."""
    plain = text if text.isascii() else text.translate(_PLAIN)
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
    key = _key_of_digits(match["number"])
    if match["suffix"] in {"s", "'s"}:
        return [Token(key + "s", start, end, "cardinal")]
    year = before[-1].key if before and match.string[before[-1].end : start] in {"-", "\u2013", "/"} else ""
    if len(key) == 3 and is_year(year) and key[1:] > year[3:]:
        key = year[:3] + key[1:]  # 1979-80
    return [Token(key, start, end, "ordinal" if match["suffix"] else "cardinal")]


def _join_numbers(text: str, tokens: list[Token]) -> list[Token]:
    """Read number words and join them: "twenty-five", "2.5 million", "nineteen eighty-four", "10 1/2"."""
    joined: list[Token] = []
    for token in tokens:
        key = token.key
        if key in _CARDINALS and joined and text.endswith(("hundred and", "thousand and"), 0, joined[-1].end):
            joined.pop()  # one hundred and one
        last = joined[-1] if joined else token
        is_behind_number = last.kind == "cardinal" and text[last.end : token.start] in _JOINTS
        before = value_of(last.key) if is_behind_number else None
        word = _CARDINALS.get(key, _ORDINALS.get(key))
        value = Decimal(word) if word is not None else value_of(key) if token.kind == "cardinal" else None
        if key in _SCALES:
            value = _SCALES[key] * (Decimal(1) if before is None else before)
        elif (
            value is not None and before is not None and _continues(before, value, in_digits=text[last.start].isdigit())
        ):
            value += before * (100 if 10 < before < 21 and value >= 10 else 1)
        else:
            before = None
        start = token.start if before is None else joined.pop().start
        if value is None or (before is None and token.kind):
            joined.append(token)
        else:
            joined.append(Token(_key_of(value), start, token.end, "ordinal" if key in _ORDINALS else "cardinal"))
    return joined


def _continues(before: Decimal, value: Decimal, *, in_digits: bool) -> bool:
    """Return whether one number may follow another in a longer one: "twenty" and "five", "nineteen" and "eighty"."""
    if in_digits:
        return before % 1 == 0 and 0 < value < 1  # 10 1/2
    if before % 100 == 0:
        return 0 < value < 100 <= before
    if before % 10 == 0 and before % 100 >= 20:
        return 0 < value < 10
    return 10 < before < 21 and 10 <= value < 100
