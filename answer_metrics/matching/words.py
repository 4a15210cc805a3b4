"""The words of a text, and where the words of a reference are found in an answer.

`Text` reads a text: words as they are compared and numbers by their value, each with its place. `find_all` finds words
in other forms, spellings, short forms and units. Examples in docstrings name the reference first: "rain" in "rainy".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import compress, takewhile

from rapidfuzz.distance import Levenshtein

from answer_metrics.matching.numbers import (
    CARDINALS,
    CURRENCIES,
    PARTS,
    PATTERNS,
    SCALES,
    WORD_SCALES,
    as_ascii,
    digits_value,
    words_value,
)
from answer_metrics.text.normalization import NO_SPACE_SCRIPTS

# Words that say nothing about an answer, unless it has no others.
FUNCTION_WORDS = frozenset(
    """a about after also am an and are as at be been before being between but by can could did do does down during for
    from had has have he her him his how i if in into is it its may me might my of on or our out over she should so such
    than that the their them then there these they this those to under up was we were what when where which who whom
    whose will with would you your""".split()
)
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
_NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii".split()
_ROMANS = {numeral: value for value, numeral in enumerate(_NUMERALS, start=1)}
# Words with irregular stems.
_IRREGULAR = {
    "children": "child", "doctor": "dr", "feet": "foot", "leaves": "leaf", "lives": "life", "men": "man",
    "mice": "mouse", "people": "person", "professor": "prof", "saint": "st", "teeth": "tooth", "wives": "wife",
    "women": "woman",
}  # fmt: skip
_SIGNS = {"$": "dollar", "£": "pound", "¥": "yen", "€": "euro", "₩": "won", "₹": "rupee", "₽": "ruble"}

# Accents and points, which are left out when words are compared; vowel signs of Indian scripts are kept.
_ACCENTS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c\u200d"
)
_VOWEL_SIGNS = "\u06d6-\u06ed\u0900-\u0963\u0971-\u0dff\u135d-\u135f\u1dc0-\u1dff\ufe20-\ufe2f"
_ACCENT = re.compile(f"[{_ACCENTS}]+")
_LETTERS = str.maketrans({"\u0131": "i", "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ł": "l", "œ": "oe"})
# Superscripts mark footnotes, subscripts are digits (H₂O). One character each, so that places stay the same.
_MARKS = "¹²³⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"
_MARK_RUN = re.compile(rf"([\u00d7x*\u00b7\u22c5][ ]?10)?([{_MARKS}]+)")
_TO_ASCII = str.maketrans("₀₁₂₃₄₅₆₇₈₉\u2212\u2010\u2018\u2019\u00d7\u22c5\u00b7", "0123456789--''***")
_PATTERN = r"""
    (?P<war>WWII?)(?!{inside})
    # Not "onMarch", as in text copied from the web; with the blank, which would be tried in vain.
    | (?P<word>[a-z]{{2,}}+(?=[A-Z][a-z])|{letter}{inside}+)[ ]?
    | (?P<number>(?=[-.\d\\{vulgar}])
        (?:(?<![\w.)\]%-])-(?=\.?\d))?
        (?:\d{{4}}-\d\d-\d\d(?!\d)                                  # 2019-09-06
        | (?!\d{{1,3}}\.\d{{3}}\.\d{{3}}(?!\d))\d+(?:[.:/]\d+){{2,}}   # 12/08/1990, but not 1.234.567
        | \d+:\d+                                                    # 10:30
        | (?!(?<=[\w.])\.){digits})                                   # 1,000,000.5, 3/4, 1½, 3*10^5
      )(?P<suffix>(?:'?s|st|nd|rd|th|[kKMB])(?!{letter}|\d))?
    | (?:{letter}\.)+{letter}(?!{letter})\.?|(?:{letter}\.){{2,}}|{letter}(?:\+\+|\#)(?!\w)  # U.S., C++, C#
    | (?P<letter>{letter})
    | (?P<sign>[%$\u20ac\u00a3\u00a5\u20a9\u20b9\u20bd])
"""
_LETTER = rf"(?![{NO_SPACE_SCRIPTS}])[^\W\d_]"
_ASCII_TOKEN = re.compile(_PATTERN.format(letter="[A-Za-z]", inside="[A-Za-z]", **PATTERNS), re.VERBOSE)
_UNICODE_TOKEN = re.compile(
    _PATTERN.format(letter=_LETTER, inside=rf"(?:{_LETTER}|(?!\d)[{_ACCENTS}{_VOWEL_SIGNS}])", **PATTERNS)
    + rf"| (?P<run>[{NO_SPACE_SCRIPTS}]+)",
    re.VERBOSE,
)
_WORD_GROUP = 2  # the group of words in both
_DATE, _DATE_PART = re.compile(r"\d{1,2}([./])\d{1,2}\1\d{4}|\d{4}-\d\d-\d\d"), re.compile(r"\d+")
_CLAUSE_END = re.compile('[.,;:!?()\\[\\]\u201c\u201d\n\u2014。，、；：！？،؛؟"]|\\s[-\u2013]\\s')
_JOINTS = frozenset({"", " ", "-", "\u00a0", "\u202f"})
_NO_NUMBER = re.compile(r":|[./]\d+[./]")  # 10:30, 12/08/1990
_DECIMAL = re.compile(r"-?(?:\d+|\d*\.\d+)", re.ASCII)
# Longer words and numbers are only compared as they are: other rules would take quadratic time.
_LONGEST_WORD, _LONGEST_NUMBER = 64, 16
# Larger fractions have more digits than `decimal` computes with, and stay fractions.
_LARGEST_DECIMAL = 10**20
# At most this many occurrences of a word are considered, and words with the same first letter.
_MOST_PLACES, _MOST_CANDIDATES = 8, 100


class Text:
    """A text as words and numbers, in columns of one value each, with the indexes that words are looked up in."""

    may_be_share = False
    """Whether a number may be written with and without a percent sign."""

    def __init__(self, text: str, *, english: bool) -> None:
        self.text = text
        self.english = english
        self.keys: list[str] = []
        """What is compared: a word without case and accents, or "#" and a value ("#6", "#0.5", "#1990s")."""
        self.spans: list[tuple[int, int]] = []
        self.kinds: list[str] = []
        """Of a number, "cardinal", "ordinal", "roman" or "date" (the day and month of 12/08/1990); of others, ""."""
        self._read()
        if english:
            if not _NUMBER_WORDS.isdisjoint(self.keys):
                self._join_numbers()
            if not _ROMANS.keys().isdisjoint(self.keys):
                self._read_romans()
        self.places: dict[str, list[int]] = {}
        for place, key in enumerate(self.keys):
            places = self.places.setdefault(key, [])
            if len(places) < _MOST_PLACES:
                places.append(place)

    def _read(self) -> None:
        """Split the text at everything but letters and digits, and between letters and digits."""
        plain = self.text
        if not plain.isascii():
            # Without footnotes; but the power of ten stays: 3*10⁵.
            plain = _MARK_RUN.sub(lambda run: run[0] if run[1] else " " * len(run[0]), plain).translate(_TO_ASCII)
        is_ascii = plain.isascii()
        to_key = str.lower if is_ascii else fold
        keys, spans, kinds = self.keys, self.spans, self.kinds
        for match in (_ASCII_TOKEN if is_ascii else _UNICODE_TOKEN).finditer(plain):
            if match.lastindex == _WORD_GROUP:
                if key := to_key(match[_WORD_GROUP]):
                    keys.append(key)
                    spans.append(match.span(_WORD_GROUP))
                    kinds.append("")
            elif match["number"]:
                self._add_number(match)
            else:
                self._add_other(match)

    def _add(self, key: str, start: int, end: int, kind: str = "") -> None:
        if key:
            self.keys.append(key)
            self.spans.append((start, end))
            self.kinds.append(kind)

    def _add_number(self, match: re.Match[str]) -> None:
        """Add a number or, of a date, three."""
        start, end = match.span()
        if end - start >= 8 and _DATE.fullmatch(match.group()):
            for part in _DATE_PART.finditer(match.string, start, end):
                key = _key_of_digits(part.group())
                self._add(key, *part.span(), "cardinal" if is_year(key) else "date")
            return
        key, suffix = _key_of_digits(match["number"]), match["suffix"]
        if suffix in {"s", "'s"}:
            key += "s"
        elif suffix in {"k", "K", "M", "B"} and _DECIMAL.fullmatch(key, 1):  # 15k, $3B
            key = _key_of(Fraction(key[1:]) * SCALES[suffix.lower()])
        else:
            joint = match.string[self.spans[-1][1] : start] if self.spans else ""
            year = self.keys[-1] if joint in {"-", "\u2013", "/"} else ""
            if len(key) == 3 and is_year(year) and key[1:] > year[3:]:
                key = year[:3] + key[1:]  # 1979-80
        self._add(key, start, end, "ordinal" if suffix in {"st", "nd", "rd", "th"} else "cardinal")

    def _add_other(self, match: re.Match[str]) -> None:
        """Add a sign, a world war, a run of a script without spaces, a letter, an abbreviation or a symbol."""
        kind, written, (start, end) = match.lastgroup, match.group(), match.span()
        if kind == "sign":
            self._add(_SIGNS.get(written, "percent"), start, end)
        elif kind == "war":
            self._add("world", start, start + 1)
            self._add("war", start + 1, start + 2)
            self._add(f"#{end - start - 2}", start + 2, end)
        elif kind == "run":  # pairs of characters, since single ones would find 東京 in 京都は東の
            key = fold if not unicodedata.is_normalized("NFKD", written) else str
            for at in range(start, max(end - 1, start + 1)):
                stop = min(at + 2, end)
                self._add(key(match.string[at:stop]), at, stop)
        elif kind == "letter" and self.keys and match.string[start - 1 : start] == "'" and written in "sStT":
            if written in "tT" and self.keys[-1].endswith("n"):  # isn't; of "Orwell's", the s is left out
                self.keys[-1] = self.keys[-1][:-1] or "n"
                self._add("not", start, end)
        else:
            self._add(fold(written).replace(".", ""), start, end)

    def _join_numbers(self) -> None:
        """Read number words and join them: "twenty-five", "2.5 million", "nineteen eighty-four", "two thirds"."""
        joined: set[int] = set()
        for word in [place for place, key in enumerate(self.keys) if key in _NUMBER_WORDS]:
            is_scale = word and self.kinds[word - 1] and self.keys[word] in WORD_SCALES  # 2.5 million
            for place in (word - 1, word) if is_scale else (word,):
                if place not in joined:
                    joined.update(self._join_from(place))
        if joined:
            stays = [place not in joined for place in range(len(self.keys))]
            self.keys, self.spans = list(compress(self.keys, stays)), list(compress(self.spans, stays))
            self.kinds = list(compress(self.kinds, stays))

    def _join_from(self, place: int) -> range:
        """Join the words of a number that begins at a place, and return the places of its other words."""
        value, count = words_value(self._number_parts(place))
        if count <= bool(self.kinds[place]):
            return range(0)
        last = place + count - 1
        is_ordinal = self.keys[last] in _ORDINALS and value.denominator == 1
        self.keys[place], self.kinds[place] = _key_of(value), "ordinal" if is_ordinal else "cardinal"
        self.spans[place] = (self.spans[place][0], self.spans[last][1])
        return range(place + 1, last + 1)

    def _number_parts(self, place: int) -> Iterator[str | Fraction]:
        """Yield the words of a number that may begin at a place, as `words_value` takes them."""
        before = ""
        for at in range(place, len(self.keys)):
            if at > place and self.gap_before(at) not in _JOINTS:
                return
            part = _number_part(self.keys[at], before, is_read=bool(self.kinds[at]))
            if part is None or (before and self.kinds[place] and part not in WORD_SCALES):  # "in 1900 five men"
                return
            before = self.keys[at]
            yield part

    def _read_romans(self) -> None:
        """Read Roman numerals; those of one letter only after a name: "World War I", but not "I think" or "V8"."""
        for place, key in enumerate(self.keys):
            if key not in _ROMANS or self.kinds[place] or self.written(place) != key.upper():
                continue
            is_numeral = len(key) > 1 or (
                self.gap_before(place) == " "
                and self.is_name(place - 1)
                and self.keys[place - 1] not in FUNCTION_WORDS
                and not self.text[self.spans[place][1] : self.spans[place][1] + 1].isalnum()
            )
            if is_numeral:
                self.keys[place], self.kinds[place] = f"#{_ROMANS[key]}", "roman"

    def written(self, place: int) -> str:
        start, end = self.spans[place]
        return self.text[start:end]

    def key_at(self, place: int) -> str:
        """Return the key of a token; "" if there is no token."""
        return self.keys[place] if 0 <= place < len(self.keys) else ""

    def is_number(self, place: int) -> bool:
        return self.keys[place][0] == "#"

    def is_capital(self, place: int) -> bool:
        return self.text[self.spans[place][0]].isupper()

    def is_name(self, place: int) -> bool:
        """Return whether a token may be part of a name: capitalized, and neither a number nor a title."""
        return self.is_capital(place) and not self.is_number(place) and self.keys[place] not in TITLES

    def names_month(self, month: int) -> bool:
        """Return whether a word may be the name of a month."""
        return not self.places.keys().isdisjoint(_MONTH_NAMES.get(month, ()))

    def find_months(self, places: Iterable[int]) -> set[int]:
        """Find the months within two words of numbers, and those of 12/05/1990, in which the 12 may be one as well."""
        found = set()
        for place in places:
            if self.kinds[place] == "date":
                found.add(int(self.keys[place][1:]))
            for at in (place - 2, place - 1, place + 1, place + 2):
                key = self.key_at(at)
                if key in MONTHS and self.is_capital(at):
                    found.add(MONTHS[key])
                elif key in FOREIGN_MONTHS and not (self.english and self.is_capital(at)):  # Mars, the company
                    found.add(FOREIGN_MONTHS[key])
        return found

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
        return self.text[self.spans[place - 1][1] : self.spans[place][0]] if place else ""

    def begins_clause(self, place: int) -> bool:
        """Return whether a clause ends before a token; the period of "Mr." and of an initial does not end one."""
        gap = self.gap_before(place)
        if not place or gap == " ":
            return not place
        if gap == ". " and (self.keys[place - 1] in TITLES or len(self.written(place - 1)) == 1):
            return False
        return bool(_CLAUSE_END.search(gap))

    @cached_property
    def numbers(self) -> list[int]:
        """The places of numbers, at most the first 100."""
        return [place for place, key in enumerate(self.keys) if key[0] == "#"][:_MOST_CANDIDATES]

    @cached_property
    def beginnings(self) -> dict[str, list[str]]:
        """The distinct words that begin with a letter."""
        beginnings: dict[str, list[str]] = {}
        for key in self.places:
            beginnings.setdefault(key[0], []).append(key)
        return beginnings

    def forms(self, key: str) -> list[int]:
        """Return the places of words with the same English stem, which begins with the same letter."""
        base = stem(key)
        return [at for other in self.beginnings.get(key[0], ()) if stem(other) == base for at in self.places[other]]


def fold(word: str) -> str:
    """Drop case and accents: "Röntgen" and "rontgen" are one word."""
    if word.isascii():
        return word.lower()
    word = _ACCENT.sub("", word.casefold())
    if len(word) <= _LONGEST_WORD:
        word = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", word)))
    return word.translate(_LETTERS).strip()


# Months in other languages, by number.
_FOREIGN_MONTHS = """
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    januar februar märz april mai juni juli august september oktober november dezember
    januari februari mars april maj juni juli augusti september oktober november december
    januari februari maart april mei juni juli augustus september oktober november december
    januar februar marts april maj juni juli august september oktober november december
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
    ledna února března dubna května června července srpna září října listopadu prosince
    lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci
    styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
""".split()
FOREIGN_MONTHS = {fold(name): place % 12 + 1 for place, name in enumerate(_FOREIGN_MONTHS)}
_ALL_MONTHS = (*MONTHS.items(), *FOREIGN_MONTHS.items())
_MONTH_NAMES = {month: {name for name, number in _ALL_MONTHS if number == month} for month in MONTHS.values()}


@lru_cache(maxsize=10_000)  # a column has few distinct words
def stem(word: str) -> str:
    """Strip an English inflection (plurals, -ed, -ing, -ly): not a dictionary form, but the same for all forms."""
    word = _IRREGULAR.get(word, word)
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
    if abs(value) > _LARGEST_DECIMAL:
        return f"#{value}"
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
        return "#" + sign + (as_ascii(written).lstrip("0") or "0")
    return _key_of(-value if sign else value)


def _number_part(key: str, before: str, *, is_read: bool) -> str | Fraction | None:
    """Return a word of a number, or the value of digits or an ordinal; None for other words."""
    if is_read:
        value = None if before else value_of(key)
        return None if value is None else Fraction(value)
    if key in PARTS and (key not in _ORDINALS or before == "one"):  # two thirds, one third
        return key
    number = _ORDINALS.get(key) or _TIMES.get(key)
    if number is not None:
        return Fraction(number)
    return key if key in CARDINALS or key in WORD_SCALES or key == "and" else None


# ---- where the words of a reference are found

# Words that exclude each other: "south" contradicts "north", and "Iraq" is not a spelling of "Iran".
_OPPOSITES = [
    "above below", "acute chronic", "after before", "afternoon evening morning", "alpha beta delta gamma",
    "arteries veins", "artery vein", "aunt brother husband sister uncle wife", "australia austria",
    "autumn spring summer winter", "black blue brown green orange pink purple red white yellow", "boy girl",
    "bronze gold silver", "buddhist christian hindu jewish muslim", "calcium lithium magnesium potassium sodium",
    "chlorate chloride chlorite", "cold hot", "dark light", "daughter father mother son", "decrease increase",
    "deductive inductive", "dioxide monoxide trioxide", "direct indirect", "divorced married", "dominant recessive",
    "east north south west", "eastern northern southern western", "eldest middle youngest", "export import",
    "external internal", "female male", "first last", "friday monday saturday sunday thursday tuesday wednesday",
    "gambia zambia", "guilty innocent", "high low", "hyperglycemia hypoglycemia", "hypertension hypotension",
    "hyperthyroidism hypothyroidism", "illegal legal", "inner outer", "interstate intrastate", "iran iraq",
    "king queen", "left right", "less more", "lower upper", "macroeconomics microeconomics", "major minor", "man woman",
    "max min", "maximum minimum", "midnight noon", "mr mrs ms", "negative positive", "new old", "niger nigeria",
    "nitrate nitride nitrite", "nitric nitrous", "northeast northwest southeast southwest",
    "northeastern northwestern southeastern southwestern", "oldest youngest", "photon proton", "private public",
    "slovakia slovenia", "sulfate sulfide sulfite",
]  # fmt: skip
EXCLUSIVE = {word: {*group} - {word} for group in map(str.split, _OPPOSITES) for word in group}

# Short forms of names that are not prefixes: "Bill" for "William", "Mt" for "Mount".
_SHORT_NAMES = {
    "alexander": "sandy", "andrew": "andy drew", "anthony": "tony", "boulevard": "blvd", "catherine": "kate",
    "charles": "charlie chuck", "christopher": "kit", "company": "co", "david": "dave", "edward": "eddie ned ted teddy",
    "elizabeth": "beth betty liz", "fort": "ft", "frederick": "fred", "gerald": "jerry", "henry": "hank harry",
    "james": "jamie jim jimmy", "john": "jack johnny", "joseph": "joe joey", "katherine": "kate kathy katie",
    "kathleen": "kate", "lawrence": "larry", "limited": "ltd", "margaret": "maggie peggy", "mary": "molly",
    "michael": "mick mike", "mount": "mt", "mountain": "mtn", "nicholas": "nick", "peter": "pete",
    "richard": "dick rick", "road": "rd", "robert": "bob bobby rob", "sarah": "sally", "stephen": "steve",
    "steven": "steve", "terence": "terry", "theodore": "ted teddy", "thomas": "tommy", "william": "bill billy will",
}  # fmt: skip
# Suffixes that turn a name into another one: Paul and Paula, John and Johnson.
_NAME_ENDINGS = frozenset("a e i ia ina ine o son us".split())
# What the forms of an English word end in, after the letters that they share.
_ENDINGS = frozenset(
    """a able age al ally ance ant ar ary ate ated ation ations ative ator b be ce ces cy d de e ed ement en ence ent er
    ers es ese ful hood i ia ial ian ible ic ical ics ie ied ies ing ings ion ions is ise ish ism ist ists ity ive ize
    less ly ment ments n ness on or ors ory ous ption red ring s se ship sion sions ssion t th tial tic tion tions tor
    ty um us ward wise y""".split()
) | {""}
# Differences between British and American spellings.
_BRITISH = {
    "our": "or", "tre$|ter$": "tr", "is(?=e|ing|ation|$)": "iz", "ys(?=e|ing|$)": "yz", "ogue?$": "og", "ae|oe": "e",
    "en[cs]e?$": "ens", "ll": "l", "gramme?$": "gram", "que?$": "ck", "ph": "f",
}  # fmt: skip
# Accents that only say how a word is stressed: grave, acute, circumflex.
_STRESS = frozenset("\u0300\u0301\u0302")
# First letters that two spellings of a word can have: "Caesar" and "Kaesar".
_SOUNDS = {"c": "ck", "i": "ijy", "j": "ji", "k": "kc", "s": "sz", "y": "yi", "z": "zs"}
UnitValue = tuple[str, Decimal]
# What is measured, the multiple of its first unit, and the names: "mile" and "kilometer" both measure lengths.
_MEASURES = [
    ("length", "1", "m meter metre"), ("length", ".01", "cm centimeter centimetre"), ("length", ".001", "mm millimeter"),
    ("length", "1000", "km kilometer kilometre"), ("length", ".3048", "foot ft"), ("length", ".0254", "inch"),
    ("length", ".9144", "yard"), ("length", "1609.344", "mi mile"), ("mass", "1", "kg kilogram"),
    ("mass", ".001", "g gram"), ("mass", "1000", "ton tonne"), ("mass", ".45359237", "lb lbs pound"),
    ("speed", "1", "kmh kph"), ("speed", "1.609344", "mph"), ("time", "1", "second"), ("time", "60", "min minute"),
    ("time", "3600", "hour"), ("days", "1", "day"), ("days", "7", "week"), ("months", "1", "month"),
    ("years", "1", "year"), ("years", "10", "decade"), ("years", "100", "century"), ("celsius", "1", "c celsius"),
    ("fahrenheit", "1", "f fahrenheit"), ("degrees", "1", "degree"), ("percent", "1", "percent"),
    ("$", ".01", "cent"),
]  # fmt: skip
# Currencies are called by their signs, so that a pound is a mass.
_UNITS = {stem(name): (sign, Decimal(1)) for sign, name in _SIGNS.items()}
_UNITS |= {stem(name): (measured, Decimal(factor)) for measured, factor, names in _MEASURES for name in names.split()}
_CODES = {name: sign for name, sign in CURRENCIES.items() if sign in _SIGNS and len(name) == 3 and name != "yen"}
# The tolerance of amounts in different units: "82 km" and "51 miles".
_CONVERTED = Decimal("0.006")
# At most this many words of a reference are searched in other forms, which takes longest.
_MOST_MISSING = 50

Found = dict[int, list[int]]
"""The places in an answer where each word of a reference is found, by its place in the reference."""


def find_all(wanted: Text, given: Text, content: list[int]) -> Found:
    """Find the words at some places of a reference (`content`) in an answer."""
    found = {index: _find_exact(wanted, index, given) for index in content}
    missing = [index for index, places in found.items() if not places]
    for index in missing[:_MOST_MISSING]:
        find = _find_other_number if wanted.is_number(index) else _find_other_form
        found[index] = find(wanted, index, given)
    for index in content if not wanted.text.isascii() else ():
        if not wanted.written(index).isascii():
            found[index] = [place for place in found[index] if not _is_another_word(wanted, index, given, place)]
    if not all(found.values()):
        _find_short_names(wanted, given, found)
        _find_acronyms(wanted, given, found)
    return found


def _find_exact(wanted: Text, index: int, given: Text) -> list[int]:
    """Find a word unchanged, or a number by its value, unless its kind or unit differs."""
    key, kind = wanted.keys[index], wanted.kinds[index]
    places = given.places.get(key, [])
    if not places:
        return places
    if kind == "ordinal":  # "second season" in "season 2", but not "first" in "one", nor a century in years
        is_century = wanted.key_at(index + 1) == "century"
        cardinals = [at for at in places if given.kinds[at] == "cardinal"]
        return [at for at in places if at not in cardinals or (given.written(at).isdigit() and not is_century)]
    if kind:
        unit = unit_of(wanted, index)
        return [place for place in places if _units_fit(unit, unit_of(given, place), may_be_share=wanted.may_be_share)]
    if wanted.english and key in FUNCTION_WORDS and wanted.written(index).replace(".", "").isupper():  # WHO
        return [place for place in places if given.written(place).replace(".", "").isupper()]
    return places


def _is_another_word(wanted: Text, index: int, given: Text, place: int) -> bool:
    """Return whether marks that an answer lacks make another word of one that is no name: "ano" for "año"."""
    if wanted.keys[index] != given.keys[place] or not wanted.written(index).islower():
        return False
    forms = ((wanted, index), (given, place))
    word, other = (
        unicodedata.normalize("NFC", text.written(at).casefold().replace("\u0451", "\u0435")) for text, at in forms
    )
    if wanted.english:  # but jalapeno is jalapeño, and café is cafe
        return word != other and len(word) <= 4 and not set(unicodedata.normalize("NFD", word)) & _STRESS
    return word != other and (len(word) <= 4 or not given.text.isascii())


def _find_other_form(wanted: Text, index: int, given: Text) -> list[int]:
    """Find a word in another form: inflected, derived, spelled otherwise, or written as two words or one."""
    key = wanted.keys[index]
    if given.english and (places := given.forms(key)):
        return places
    is_name = wanted.is_capital(index)
    if key in MONTHS and is_name:
        return _find_month(MONTHS[key], given)
    if places := _find_joined(wanted, index, given):
        return places
    firsts = _SOUNDS.get(key[0], key[0])
    others = [other for first in firsts for other in given.beginnings.get(first, ())[:_MOST_CANDIDATES]]
    if not given.english and (month := FOREIGN_MONTHS.get(key)):
        return next((given.places[other] for other in others if FOREIGN_MONTHS.get(other) == month), [])
    for other in others:
        places = given.places[other]
        is_also = is_name and (not given.has_capitals or any(map(given.is_capital, places)))
        if _is_same_word(key, other, english=given.english) and (
            is_also or _is_form(key, other, english=given.english)
        ):
            return places
    return []


def _find_month(month: int, given: Text) -> list[int]:
    """Find a month as a name or as the number in a date: "September" in "Sept. 6" and in "2019-09-06"."""
    named = [at for name, number in MONTHS.items() if number == month for at in given.places.get(name, ())]
    places = list(filter(given.is_capital, named))
    return places or [at for at in given.places.get(f"#{month}", ()) if given.kinds[at] == "date"]


def _find_joined(wanted: Text, index: int, given: Text) -> list[int]:
    """Find two words written as one, and one as two: "sun flower" in "sunflower", "Spiderman" in "Spider-Man"."""
    key = wanted.keys[index]
    for joined in (key + wanted.key_at(index + 1), wanted.key_at(index - 1) + key):
        if joined in given.places:
            return given.places[joined]
    for length in range(2, min(len(key) - 1, _LONGEST_WORD)):
        for place in given.places.get(key[:length], ()):
            if given.key_at(place + 1) == key[length:]:
                return [place, place + 1]
    return []


def _is_same_word(one: str, other: str, *, english: bool) -> bool:
    """Return whether two words are spellings or derivations of one: "colour" and "color", "Canada" and "Canadian"."""
    short, long = sorted((one, other), key=len)
    if "\uac00" <= short[0] <= "\ud7a3":
        return len(short) > 1 and long.startswith(short)  # particles are attached to Korean words
    if len(short) < 5 or len(long) > _LONGEST_WORD or not short.isalpha() or other in EXCLUSIVE.get(one, ()):
        return False
    if english and long.startswith(short) and long[len(short) :] in _NAME_ENDINGS:
        return False
    if len(long) - len(short) <= 4 and long.startswith(short[: max(4, len(short) - 2)]):
        return True
    return Levenshtein.distance(short, long, score_cutoff=len(long) // 5) * 5 <= len(long)  # four of five letters


def _is_form(one: str, other: str, *, english: bool) -> bool:
    """Return whether a common word is a form or another spelling of another: not "amines" of "amides"."""
    if "\uac00" <= one[0] <= "\ud7a3" or (english and _american(one) == _american(other)):
        return True
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    endings = {one[same:], other[same:]}
    if english and one.isascii():
        return same >= 4 and endings <= _ENDINGS
    return same >= 4 and all(len(ending) <= 3 for ending in endings) and other not in FOREIGN_MONTHS


@lru_cache(maxsize=10_000)
def _american(word: str) -> str:
    """Spell a word in the American way, nearly: "color" for "colour", "center" for "centre", "anemia" for "anaemia"."""
    word = stem(word)
    for british, american in _BRITISH.items():
        word = re.sub(british, american, word)
    return word


def unit_of(text: Text, place: int) -> UnitValue | None:
    """Return what is measured and the factor of a number's unit: the word after it, or a currency sign before it."""
    before, behind = text.key_at(place - 1), text.key_at(place + 1)
    sign = text.written(place - 1) if before else ""
    if sign in _SIGNS:
        country = text.key_at(place - 2) if not text.gap_before(place - 1) else ""
        return CURRENCIES.get(country + sign, sign), Decimal(1)  # A$5
    if before in _CODES:
        return _CODES[before], Decimal(1)
    if not behind or text.kinds[place] in {"ordinal", "date"} or text.begins_clause(place + 1):
        return None
    if behind in {"degree", "degrees"} and text.key_at(place + 2) in {"c", "celsius", "f", "fahrenheit"}:
        behind = text.key_at(place + 2)
    elif len(behind) == 1 and text.written(place + 1) not in {"C", "F", "g", "m"}:
        return None
    return _UNITS.get(stem(behind))


def _units_fit(unit: UnitValue | None, other: UnitValue | None, *, may_be_share: bool) -> bool:
    """Return whether numbers with these units may be the same: 5 is $5, but 50 is 50% only if a share is asked for."""
    if unit == other:
        return True
    if unit is None or other is None:
        return may_be_share or (unit or other or ("",))[0] != "percent"
    return {unit[0], other[0]} == {"£", "mass"} and Decimal(".45359237") in {unit[1], other[1]}


def _find_other_number(wanted: Text, index: int, given: Text) -> list[int]:
    """Find a number in another form: as a month, a century, a decade, with a footnote, rounded, or in another unit."""
    key, kind = wanted.keys[index], wanted.kinds[index]
    if kind == "date" and len(key) <= 3:
        return _find_month(int(key[1:]), given)
    value, unit = value_of(key), unit_of(wanted, index)
    if kind == "ordinal" and wanted.key_at(index + 1) == "century":  # "19th century" in "the 1800s"
        return [] if value is None else given.places.get(f"#{value - 1}00s", [])
    others = [(place, given.keys[place]) for place in given.numbers]
    if key[-1] == "s":  # "1990s" in "90s"
        return [at for at, other in others if other[-3:] == key[-3:] and 4 in {len(other), len(key)}]
    if is_year(key):  # "1992" in "19921", with a footnote digit attached; "1990" in "the early 1990s"
        rests = [(at, other[5:]) for at, other in others if other[:5] == key]
        return [at for at, rest in rests if rest == "s" or (rest.isdigit() and len(rest) <= 2)]
    return [] if value is None else _find_near(value, unit, given, may_be_share=wanted.may_be_share)


def _find_near(value: Decimal, unit: UnitValue | None, given: Text, *, may_be_share: bool) -> list[int]:
    """Find a number rounded ("348,450" in "348,000") or converted ("82 km" in "51 miles")."""
    for place in given.numbers:
        other, its_unit = value_of(given.keys[place]), unit_of(given, place)
        if other is None or is_year(given.keys[place]):
            continue
        if _units_fit(unit, its_unit, may_be_share=may_be_share):
            is_near = _is_rounded(value, other)
        elif unit is None or its_unit is None:
            continue
        else:
            amount, its_amount = value * unit[1], other * its_unit[1]
            is_near = unit[0] == its_unit[0] and abs(amount - its_amount) <= _CONVERTED * abs(amount)
        if is_near:
            return [place]
    return []


def _is_rounded(value: Decimal, other: Decimal) -> bool:
    """Return whether one number is the other rounded to two or more digits; small whole numbers are not rounded."""
    for exact, rounded in ((value, other), (other, value)):
        digits = len(rounded.normalize().as_tuple().digits)
        if digits > 1 and (abs(value) >= 1000 or value % 1 != 0) and Context(prec=digits).plus(exact) == rounded:
            return True
    return False


def _find_short_names(wanted: Text, given: Text, found: Found) -> None:
    """Find missing names in a short form next to one that is found: "Benjamin Willis" in "Ben Willis"."""
    missing = [index for index, places in found.items() if not places and wanted.is_name(index)]
    for index in (*missing, *reversed(missing)) if any(found.values()) else ():
        beside = [(place, side) for side in (-1, 1) for place in found.get(index + side, ())]
        # Other names may be in between: "Dan Haggerty" in "Daniel Francis Haggerty".
        near = [at for place, side in beside for at in range(place - side, place - 4 * side, -side)]
        names = [at for at in near if 0 <= at < len(given.keys) and given.is_name(at)]
        found[index] = found[index] or [at for at in names if _is_short_name(wanted, index, given, at)][:1]


def _is_short_name(wanted: Text, index: int, given: Text, place: int) -> bool:
    """Return whether one name is short for the other: "Bill" and "William", "W." and "Wilson", "J.R.R." and "John"."""
    short, long = sorted((wanted.keys[index], given.keys[place]), key=len)
    if any(one in _SHORT_NAMES.get(name, "").split() for one, name in ((short, long), (long, short))):
        return True
    if "." in wanted.written(index) + given.written(place) and len(short) > 1:
        return short[0] == long[0]
    ending = long.removeprefix(short)
    return ending != long and (len(short) == 1 or (len(short) > 2 and len(ending) > 1 and ending not in _NAME_ENDINGS))


def _find_acronyms(wanted: Text, given: Text, found: Found) -> None:
    """Find "National Football League" in "NFL", and "USA" in "United States of America"."""
    names = [index for index in found if wanted.is_capital(index) and not wanted.is_number(index)]
    initials = "".join(wanted.keys[index][0] for index in names[:6])
    for length in range(len(initials), 1, -1):
        if places := [place for place in given.places.get(initials[:length], ()) if _may_be_acronym(given, place)]:
            found.update({index: found[index] or places for index in names})
            break
    missing = [index for index, places in found.items() if not places and _may_be_acronym(wanted, index)]
    if missing:
        capitals = [at for at in range(len(given.keys)) if given.is_capital(at) or not given.has_capitals]
        names = [at for at in capitals if given.keys[at] not in FUNCTION_WORDS]
        initials = "".join(given.keys[at][0] for at in names)
        for index in missing[:_MOST_MISSING]:
            key = wanted.keys[index]
            at = initials.find(key) if wanted.is_acronym(index) or len(key) == len(initials) else -1
            found[index] = names[at : at + len(key)] if at >= 0 else []


def _may_be_acronym(text: Text, place: int) -> bool:
    """Return whether a word is an acronym, or may be one in a text without capitals: "usa", but not "who is"."""
    key = text.keys[place]
    may_be = not text.has_capitals and 2 <= len(key) <= 6
    return text.is_acronym(place) or (may_be and (key not in FUNCTION_WORDS or len(text.keys) == 1))
