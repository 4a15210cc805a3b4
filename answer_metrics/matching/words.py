"""The words of a text, and where the words of a reference are found in an answer.

`Text` reads a text: words as they are compared and numbers by their value, each with its place. `find_all` finds words
in other forms, spellings, short forms and units. Examples in docstrings name the reference first: "rain" in "rainy".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import itemgetter

from rapidfuzz.distance import Levenshtein, Prefix

from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.dates import FOREIGN_MONTHS, MONTHS, Date, Time
from answer_metrics.matching.english import american, opposites, singular
from answer_metrics.matching.han import SIMPLIFY
from answer_metrics.matching.numbers import ROMANS, Code, Number
from answer_metrics.matching.values import LONGEST_READ, STATED, Value, is_fall, is_other_version, relate, year_of
from answer_metrics.text.normalization import NO_SPACE_SCRIPTS

# Words that say nothing about an answer, unless it has no others.
FUNCTION_WORDS = frozenset(
    """a about after also am an and are as at be been before being between but by can could did do does down during for
    from had has have he her him his how i if in into is it its may me might my of on or our out over she should so such
    than that the their them then there these they this those to under up us was we were what when where which who whom
    whose will with would you your""".split()
)
# Titles before a name, which are not part of it. A period after them does not end a clause.
TITLES = frozenset(
    """captain dame doctor dr emperor general jr king lady lord miss mr mrs ms pope president prince princess prof professor
    queen saint sir sr st""".split()
)
# Roman numerals that are no words.
_ROMANS = {numeral: value for numeral, value in ROMANS.items() if value <= 23 or len(numeral) > 3}
_NOT, _PLUS, _MINUS = "\1\2\3"  # stand for the "n't" of contractions and for the signs of blood types, grades and ions
_SIGNS = {
    "$": "dollar", "%": "percent", "£": "pound", "¥": "yen", "€": "euro", "₩": "won", "₹": "rupee", "₽": "ruble",
    _NOT: "not", _PLUS: "positive", _MINUS: "negative",
}  # fmt: skip

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
# AB-, A+, Na+, Ca2+; but not the hyphen of "X-ray".
_CHARGE = re.compile(r"(?<![^\W_])((?:[A-Z][a-z]?\d{0,2}){1,3})([+-])(?![\w+-])")
_CHARGE_ABOVE = re.compile("(?<=[A-Za-z0-9₀-₉])[¹²³⁴⁵]?[⁺⁻]")  # Ca²⁺
_CHARGE_DIGITS = str.maketrans("¹²³⁴⁵⁺⁻", "12345+-")
_SCRIPT_TAG = re.compile("</?su[bp]>")
_CONTRACTION = re.compile(r"n't(?![^\W\d_])|'[st](?![^\W\d_])", re.IGNORECASE)
_PATTERN = r"""
    (?P<war>WW(?:II?(?!{inside})|[12](?!\d)))
    # Not "onMarch", as in text copied from the web; with the blank, which would be tried in vain.
    | (?P<word>[a-z]{{2,}}+(?=[A-Z][a-z])|{letter}{inside}+)[ ]?
    | (?P<note>[A-G](?:[♯♭]|-(?:sharp|flat)(?!{letter})|(?:\ sharp|\ flat|\#)(?=\s(?:major|minor))))
    | (?:{letter}\.)+{letter}(?!{letter})\.?|(?:{letter}\.){{2,}}|{letter}(?:\+\+|\#)(?!\w)  # U.S., C++, C#
    | {letter}
    | (?P<digits>\d+(?:\.\d+)*)  # B52, in1997: not read as values
    | (?P<sign>[%$\u20ac\u00a3\u00a5\u20a9\u20b9\u20bd\1-\3])
"""
_LETTER = rf"(?![{NO_SPACE_SCRIPTS}])[^\W\d_]"
_ASCII_TOKEN = compile_later(_PATTERN.format(letter="[A-Za-z]", inside="[A-Za-z]"), re.VERBOSE)
_UNICODE_TOKEN = compile_later(
    _PATTERN.format(letter=_LETTER, inside=rf"(?:{_LETTER}|(?!\d)[{_ACCENTS}{_VOWEL_SIGNS}])")
    + rf"| (?P<run>[{NO_SPACE_SCRIPTS}]+)",
    re.VERBOSE,
)
_WORD_GROUP = 2  # the group of words in both
# Most texts are ASCII and have only these tokens, in lower case; not #, ++, U.S., 2.14.1, onMarch, WWI.
_PLAIN_TOKEN = re.compile(r"([a-z]+|\d+(?:\.\d+)?|[$%\1-\3])")
_ODD = re.compile(
    r"[.A-Z#+](?:(?<=[#+])|(?<=[A-G])[ -](?:sharp|flat)|(?<=\.)(?:[A-Za-z]|\d+\.\d)|(?<=[a-z].)[a-z]|W[I12](?<=WW.))"
)
_CLAUSE_END = re.compile('[.,;:!?()\\[\\]\u201c\u201d\n\u2014。，、；：！？،؛؟"]|\\s[-\u2013]\\s')
# Longer words are only compared as they are: other rules would take quadratic time.
_LONGEST_WORD = 64
# At most this many occurrences of a word are considered, and words with the same first letter.
_MOST_PLACES, _MOST_CANDIDATES = 8, 100
_LONGEST_CODE = 20  # tokens
_CODE_MARKS = re.compile(r"[_{}$]|</?su[bp]>")  # H_2O, H<sub>2</sub>O
# Shorter words have no other spellings, unless they are Korean.
_LEAST_LETTERS, _FIRST_HANGUL, _LAST_HANGUL = 5, "\uac00", "\ud7a3"


_Token = tuple[int, int, str, Value | None]  # start, end, key, and the value if it is one


class Text:
    """A text as keys with their places, and the indexes that words are looked up in.

    A key is a word without case and accents, or "#" and a value ("#6", "#1/2", "#2020-5-12").
    """

    may_be_share = False
    """Whether a number may be written with and without a percent sign."""
    is_version = False
    """Whether 3.1 is not 3.10."""
    stances = STATED
    """The stances in which an answer states a value."""

    def __init__(self, text: str, *, english: bool, values: Sequence[Value] | None = None) -> None:
        """Split a text; without its values, digits are keys as they are written."""
        self.text = text
        self.english = english
        self.values: dict[int, Value] = {}
        """The dates, times and numbers by place."""
        plain = _simplify(text, values)
        self._plain: str = plain
        has_words = plain.isascii() and not _ODD.search(plain)
        self.keys: list[str] = _PLAIN_TOKEN.findall(plain.lower()) if has_words else []
        has_words_only = has_words and "".join(self.keys).isalpha()
        if not has_words or (values is not None and not has_words_only):
            self._take(_split_text(plain, reads_digits=values is not None))
        elif not has_words_only:
            self.keys = [key if key.isalpha() else _SIGNS.get(key) or f"#{key}" for key in self.keys]
        if values:
            own = map(self.values.get, range(len(self.keys)))
            words = zip(self.bounds[::2], self.bounds[1::2], self.keys, own, strict=False)
            self._take([*words, *((value.start, value.end, key_of(value), value) for value in values)])
        if values is not None and english and not _ROMANS.keys().isdisjoint(self.keys):
            self._read_romans()
        self.words = frozenset(self.keys)

    def _take(self, tokens: Iterable[_Token]) -> None:
        tokens = sorted((token for token in tokens if token[2]), key=itemgetter(0))
        self.keys = [key for _, _, key, _ in tokens]
        self.bounds = [bound for token in tokens for bound in token[:2]]
        self.values = {place: value for place, (_, _, _, value) in enumerate(tokens) if value is not None}

    @cached_property
    def bounds(self) -> list[int]:
        """Where the tokens start and end in the text, in turns."""
        return list(accumulate(map(len, _PLAIN_TOKEN.split(self._plain.lower()))))

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The places of each key, at most the first 8."""
        places: dict[str, list[int]] = {}
        for place, key in enumerate(self.keys):
            if key not in places:
                places[key] = [place]
            elif len(places[key]) < _MOST_PLACES:
                places[key].append(place)
        return places

    def _read_romans(self) -> None:
        """Read Roman numerals; those of one letter only after a name: "World War I", but not "I think" or "V8"."""
        for place, key in enumerate(self.keys):
            if key not in _ROMANS or self.written(place) != key.upper():
                continue
            is_numeral = len(key) > 1 or (
                self.gap_before(place) == " "
                and self.is_name(place - 1)
                and self.keys[place - 1] not in FUNCTION_WORDS
                and not self.text[(end := self.bounds[2 * place + 1]) : end + 1].isalnum()
            )
            if is_numeral:
                numeral = Number(Fraction(_ROMANS[key]), *self.span(place), kind="roman")
                self.keys[place], self.values[place] = key_of(numeral), numeral

    def span(self, place: int) -> tuple[int, int]:
        return self.bounds[2 * place], self.bounds[2 * place + 1]

    def written(self, place: int) -> str:
        return self.text[slice(*self.span(place))]

    def key_at(self, place: int) -> str:
        """Return the key of a token; "" if there is no token."""
        return self.keys[place] if 0 <= place < len(self.keys) else ""

    def is_number(self, place: int) -> bool:
        return self.keys[place][0] == "#"

    def is_capital(self, place: int) -> bool:
        return self.text[self.bounds[2 * place]].isupper()

    def is_name(self, place: int) -> bool:
        """Return whether a token may be part of a name: capitalized, and neither a number nor a title."""
        return self.is_capital(place) and not self.is_number(place) and self.keys[place] not in TITLES

    def is_article(self, place: int) -> bool:
        """Return whether a token is a capital A that is no initial."""
        return self.written(place) == "A" and not self.text.startswith(".", self.span(place)[1])

    def is_compound(self, place: int) -> bool:
        """Return whether a capital letter and a hyphen stand before a token: X-rays."""
        return self.gap_before(place) == "-" and len(before := self.written(place - 1)) == 1 and before.isupper()

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
        return self.text[slice(*self.bounds[2 * place - 1 : 2 * place + 1])] if place else ""

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
        return list(self.values)[:_MOST_CANDIDATES]

    @cached_property
    def labels(self) -> dict[str, set[str]]:
        """The numbers behind each word: 2 behind "table"."""
        labels: dict[str, set[str]] = {}
        for place in range(1, len(self.keys)):
            if self.is_number(place) and not self.is_number(place - 1):
                labels.setdefault(self.keys[place - 1], set()).add(self.keys[place])
        return labels

    @cached_property
    def beginnings(self) -> dict[str, list[str]]:
        """The distinct words by their first letter."""
        beginnings: dict[str, list[str]] = {}
        for key in dict.fromkeys(self.keys):
            beginnings.setdefault(key[0], []).append(key)
        return beginnings

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """The distinct words by their American stem."""
        spellings: dict[str, list[str]] = {}
        for key in dict.fromkeys(self.keys):
            spellings.setdefault(american(key), []).append(key)
        return spellings

    @cached_property
    def initials(self) -> tuple[str, list[int]]:
        """The first letters of the names in the text, and their places; of all words if there are no capitals."""
        names = [at for at in range(len(self.keys)) if self.is_capital(at) or not self.has_capitals]
        names = [at for at in names if self.keys[at] not in FUNCTION_WORDS]
        return "".join(self.keys[at][0] for at in names), names

    @cached_property
    def codes(self) -> dict[int, tuple[str, str]]:
        """The keys of codes of letters and digits by place, joined by nothing, "h #2 o" or "", and by hyphens, too."""
        runs: tuple[dict[int, str], dict[int, str]] = ({}, {})
        for joint, codes in zip(("", "-"), runs, strict=True):
            first = 0
            for end in range(1, len(self.keys) + 1):
                if end < len(self.keys) and self._is_joined(end, joint):
                    continue
                keys = self.keys[first : end - (self.keys[end - 1] == "s")]  # F-16s
                if 1 < len(keys) <= _LONGEST_CODE and len({key[0] == "#" for key in keys}) == 2:
                    codes.update(dict.fromkeys(range(first, end), " ".join(keys)))
                first = end
        return {place: (runs[0].get(place, ""), code) for place, code in runs[1].items()}

    def _is_joined(self, place: int, joint: str) -> bool:
        """Return whether two tokens are of one code, whose words are short or have capitals: not 31-member, has3."""
        if _CODE_MARKS.sub("", self.gap_before(place)) not in {"", joint}:
            return False
        before, written = self.written(place - 1), self.written(place)
        is_ending = len(before) > 3 and before.isdigit() and written.islower()  # 2019ko in Basque
        return not is_ending and all(map(self._may_be_code, (place - 1, place)))

    def _may_be_code(self, place: int) -> bool:
        written = self.written(place)
        if self.is_number(place):  # not WW2
            value = self.values.get(place)
            return written.isdigit() and not (isinstance(value, Number) and value.kind)
        return written.isascii() and written.isalpha() and (len(written) < 3 or not written.islower())

    def forms(self, key: str) -> list[int]:
        """Return the places of the English forms and spellings of a word."""
        return [at for other in self.spellings.get(american(key), ()) for at in self.places[other]]


def _simplify(text: str, values: Sequence[Value] | None) -> str:
    """Write a text with marks of ASCII, without footnotes, contractions and values; places stay the same."""
    if "<su" in text:
        text = _SCRIPT_TAG.sub(lambda tag: " " * len(tag[0]), text)
    if not text.isascii():
        text = _CHARGE_ABOVE.sub(lambda charge: charge[0].translate(_CHARGE_DIGITS), text)
        text = _MARK_RUN.sub(lambda run: " " * len(run[0]), text).translate(_TO_ASCII)
    if "'" in text:  # isn't; of "Orwell's", the s is left out
        text = _CONTRACTION.sub(lambda ending: f"  {_NOT}"[-len(ending[0]) :] if len(ending[0]) > 2 else "  ", text)
    if "+" in text or "-" in text:
        text = _CHARGE.sub(lambda sign: sign[1] + (_PLUS if sign[2] == "+" else _MINUS), text)
    if values:
        characters = list(text)
        for value in values:
            characters[value.start : value.end] = " " * (value.end - value.start)
        text = "".join(characters)
    return text


def _split_text(plain: str, *, reads_digits: bool) -> Iterator[_Token]:
    """Split a text at everything but letters and digits, and between letters and digits."""
    is_ascii = plain.isascii()
    to_key = str.lower if is_ascii else fold
    for match in (_ASCII_TOKEN if is_ascii else _UNICODE_TOKEN).finditer(plain):
        if match.lastindex == _WORD_GROUP:
            yield *match.span(_WORD_GROUP), to_key(match[_WORD_GROUP]), None
        else:
            yield from _split_other(match, reads_digits=reads_digits)


def _split_other(match: re.Match[str], *, reads_digits: bool) -> list[_Token]:
    """Read a sign, a world war, a run of a script without spaces, digits, a letter, an abbreviation or a symbol."""
    kind, written, (start, end) = match.lastgroup, match[0], match.span()
    if kind == "sign":
        return [(start, end, _SIGNS[written], None)]
    if kind == "digits":
        if not reads_digits or start < len(match.string) - LONGEST_READ or written.count(".") > 1:
            return [(start, end, f"#{written}", None)]
        number = Number(Fraction(written[:_LONGEST_WORD]), start, end, decimals=len(written.partition(".")[2]))
        return [(start, end, key_of(number), number)]
    if kind == "note":
        return [(start, end, ("♭" if written[-1] in "♭t" else "♯") + written[0], None)]
    if kind == "war":
        number = Number(Fraction(2 if written[2:] in {"II", "2"} else 1), start + 2, end, kind="roman")
        words = [(start, start + 1, "world", None), (start + 1, start + 2, "war", None)]
        return [*words, (start + 2, end, key_of(number), number)]
    if kind == "run":  # pairs of characters, since single ones would find 東京 in 京都は東の
        key = fold if not unicodedata.is_normalized("NFKD", written) else str
        pairs = [(start + at, written[at : at + 2]) for at in range(max(len(written) - 1, 1))]
        return [(at, at + len(pair), key(pair).translate(SIMPLIFY), None) for at, pair in pairs]
    return [(start, end, fold(written).replace(".", ""), None)]


def fold(word: str) -> str:
    """Drop case and accents: "Röntgen" and "rontgen" are one word."""
    if word.isascii():
        return word.lower()
    word = _ACCENT.sub("", word.casefold())
    if len(word) <= _LONGEST_WORD:
        word = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", word)))
    return word.translate(_LETTERS).strip()


def key_of(value: Value) -> str:
    """Return a key that equal values of one type share."""
    if isinstance(value, Number):
        return f"#{value.value}"
    if isinstance(value, Time):
        return f"#{value.hour}:{value.minute}:{value.second}"
    if isinstance(value, Code):
        return f"#{value.text}"
    return f"#{value.year}-{value.month}-{value.day}"


# ---- where the words of a reference are found

# Short forms of names that are not prefixes: "Bill" for "William", "Mt" for "Mount".
_SHORT_NAMES = {
    "alexander": "sandy", "andrew": "andy drew", "anthony": "tony", "boulevard": "blvd", "catherine": "kate",
    "charles": "charlie chuck", "christopher": "kit", "colonel": "col", "company": "co", "corporation": "corp",
    "david": "dave", "edward": "eddie ned ted teddy", "elizabeth": "beth betty liz", "fort": "ft", "frederick": "fred",
    "gerald": "jerry", "henry": "hank harry", "incorporated": "inc", "james": "jamie jim jimmy", "john": "jack johnny",
    "joseph": "joe joey", "katherine": "kate kathy katie", "kathleen": "kate", "lawrence": "larry", "lieutenant": "lt",
    "limited": "ltd", "margaret": "maggie peggy", "mary": "molly", "michael": "mick mike", "mount": "mt",
    "mountain": "mtn", "muhammad": "mohamed mohammed", "nicholas": "nick", "peter": "pete", "richard": "dick rick",
    "road": "rd", "robert": "bob bobby rob", "sarah": "sally", "sergeant": "sgt", "stephen": "steve", "steven": "steve",
    "terence": "terry", "theodore": "ted teddy", "thomas": "tommy", "university": "univ", "william": "bill billy will",
}  # fmt: skip
_SAME_ACRONYMS = {"us": "usa", "usa": "us"}
# Suffixes that turn a name into another one: Paul and Paula, John and Johnson.
_NAME_ENDINGS = frozenset("a e i ia ina ine o son us".split())
# What the forms of an English word end in, after the letters that they share.
_ENDINGS = frozenset(
    """a able age al ally ance ant ar ary ate ated ation ations ative ator b be ce ces cy d de e ed ement en ence ent er
    ers es ese ful hood i ia ial ian ible ic ical ics ie ied ies ing ings ion ions is ise ish ism ist ists ity ive ize
    less ly ment ments n ness on or ors ory ous ption red ring s se ship sion sions ssion t th tial tic tion tions tor
    ty um us ward wise y""".split()
) | {""}
# Accents that only say how a word is stressed: grave, acute, circumflex.
_STRESS = frozenset("\u0300\u0301\u0302")
# First letters that two spellings of a word can have: "Caesar" and "Kaesar".
_SOUNDS = {"c": "ck", "i": "ijy", "j": "ji", "k": "kc", "s": "sz", "y": "yi", "z": "zs"}
_ARTICLES = frozenset({"a", "an"})  # "a symmetric shape" is not asymmetric
_CHANGE = re.compile(r"\b(?:(?P<rise>increas|rise|rose|grew|grow|gain)|(?P<fall>decreas|declin|fell|fall|drop))", re.I)
# At most this many words of a reference are searched in other forms, which takes longest.
_MOST_MISSING = 50


Matches = dict[int, list[int]]
"""The places in an answer where each word of a reference is found, by its place in the reference."""


class Content:
    """Some words of a reference that are looked for together: their places, and the acronyms that they make or are."""

    def __init__(self, reference: Text, places: list[int]) -> None:
        self.places = places
        self.names = [index for index in places if reference.is_capital(index) and not reference.is_number(index)]
        initials = "".join(reference.keys[index][0] for index in self.names[:6])
        self.acronyms = [initials[:length] for length in range(len(initials), 1, -1)]
        self.acronyms += ["usa"] if "us" in self.acronyms and "united" in reference.words else []
        has_number = any(map(reference.is_number, places))
        self.codes = [at for at in places if len(reference.keys[at]) < 3 or (has_number and at in reference.codes)]
        self.acronym_places = [index for index in places if _may_be_acronym(reference, index)][:_MOST_MISSING]


def find_all(reference: Text, answer: Text, content: Content) -> Matches:
    """Find some words of a reference in an answer."""
    matches = {
        index: _find_exact(reference, index, answer, content) if reference.keys[index] in answer.words else []
        for index in content.places
    }
    missing = [index for index, places in matches.items() if not places]
    for index in missing[:_MOST_MISSING]:
        value = reference.values.get(index)
        matches[index] = (
            _find_other_form(reference, index, answer) if value is None else _find_value(reference, value, answer)
        )
    for index, places in matches.items() if not reference.text.isascii() else ():
        matches[index] = [place for place in places if not _is_another_word(reference, index, answer, place)]
    for index in content.codes:
        if len(matches[index]) < _MOST_PLACES:  # else there may be more
            matches[index] = [place for place in matches[index] if _is_same_code(reference, index, answer, place)]
    if missing and not all(matches.values()):
        _find_short_names(reference, answer, matches)
        _find_acronyms(reference, answer, content, matches)
    return matches


def _find_exact(reference: Text, index: int, answer: Text, content: Content) -> list[int]:
    """Find a word or a value as it is; WHO or A, if a reference is nothing else, not in "who came" and "a vitamin"."""
    key, value = reference.keys[index], reference.values.get(index)
    places = answer.places[key]
    if value is not None:
        return [place for place in places if _states(answer, place, value, reference) in {"equal", "finer"}]
    is_acronym = key in FUNCTION_WORDS and reference.written(index).replace(".", "").isupper()
    if is_acronym and len(content.places) == 1 and reference.english and answer.has_capitals:
        return [place for place in places if not _is_function_word(answer, place)]
    return places


def _is_same_code(reference: Text, index: int, answer: Text, place: int) -> bool:
    """Return whether a word or a number is in the same code but for hyphens, B-52 and B52, or in none; not H2O in H2O2."""
    wanted, code = (text.codes.get(at) for text, at in ((reference, index), (answer, place)))
    if wanted and code:
        return all(f" {part} " in f" {whole} " for part, whole in ((code[0], wanted[1]), (wanted[0], code[1])) if part)
    if wanted:
        is_enough = wanted[1].count("#") == 1  # Interstate 95 for I-95
    else:
        is_enough = not code or len(reference.keys[index]) > 2 or reference.is_number(index)  # but not CO2 for CO
    if is_enough:
        return True
    beside = [(reference.key_at(index + side), answer.key_at(place + side)) for side in (-1, 1)]
    return any(key and key == other for key, other in beside)  # B 52


def _is_function_word(answer: Text, place: int) -> bool:
    """Return whether a word that may be an acronym is none: no name in its clause, and a word right behind it."""
    is_last = place + 1 == len(answer.keys) or answer.gap_before(place + 1) != " "
    is_name = answer.is_capital(place) and not answer.begins_clause(place)
    return not is_last and not is_name and not answer.written(place).replace(".", "").isupper()


def _is_another_word(reference: Text, index: int, answer: Text, place: int) -> bool:
    """Return whether marks that an answer lacks make another word of one that is no name: "ano" for "año"."""
    written = reference.written(index)
    if written.isascii() or not written.islower() or index in reference.values:
        return False
    if reference.keys[index] != answer.keys[place]:
        return False
    forms = ((reference, index), (answer, place))
    word, other = (
        unicodedata.normalize("NFC", text.written(at).casefold().replace("\u0451", "\u0435")) for text, at in forms
    )
    if reference.english:  # but jalapeno is jalapeño, and café is cafe
        return word != other and len(word) <= 4 and not set(unicodedata.normalize("NFD", word)) & _STRESS
    return word != other and (len(word) <= 4 or not answer.text.isascii())


def _find_other_form(reference: Text, index: int, answer: Text) -> list[int]:
    """Find a word in another form: inflected, derived, spelled otherwise, or written as two words or one."""
    key = reference.keys[index]
    if key in answer.words:  # "who" is no form of WHO
        return []
    if key in _SAME_ACRONYMS and reference.is_acronym(index):
        return [at for at in answer.places.get(_SAME_ACRONYMS[key], ()) if answer.is_acronym(at)]
    if answer.english and (places := answer.forms(key)):
        return places
    is_name = reference.is_capital(index)
    if month := MONTHS.get(key) if is_name else None if answer.english else FOREIGN_MONTHS.get(key):
        return _find_month(month, answer)
    if places := _find_joined(reference, index, answer):
        return places
    if len(key) < _LEAST_LETTERS and key[0] < _FIRST_HANGUL:
        return []
    for first in _SOUNDS.get(key[0], key[0]):
        for other in answer.beginnings.get(first, ())[:_MOST_CANDIDATES]:
            if _is_same_word(key, other, english=answer.english) and (
                (is_name and (not answer.has_capitals or any(map(answer.is_capital, answer.places[other]))))
                or _is_form(key, other, english=answer.english)
            ):
                return answer.places[other]
    return []


def _find_month(month: int, answer: Text) -> list[int]:
    """Find a month as a name or in a date: "September" in "Sept. 6" and in "2019-09-06"."""
    names = [key for key in answer.places if (MONTHS if answer.english else FOREIGN_MONTHS).get(key) == month]
    named = [at for name in names for at in answer.places[name] if answer.is_capital(at) or not answer.english]
    dates = [at for at in answer.numbers if isinstance(date := answer.values.get(at), Date) and date.month == month]
    return named + dates


def _find_joined(reference: Text, index: int, answer: Text) -> list[int]:
    """Find two words written as one, and one as two: "sun flower" in "sunflower", "Spiderman" in "Spider-Man"."""
    key = reference.keys[index]
    before = reference.key_at(index - 1)
    for joined in (key + reference.key_at(index + 1), "" if before in _ARTICLES else before + key):
        if joined in answer.words:
            return answer.places[joined]
    for beginning in sorted(_beginnings(key) & answer.words - _ARTICLES, key=len):
        for place in answer.places[beginning]:
            if answer.key_at(place + 1) == key[len(beginning) :]:
                return [place, place + 1]
    return []


@lru_cache(maxsize=10_000)
def _beginnings(word: str) -> frozenset[str]:
    """Return what a word may begin with if it is written as two."""
    return frozenset(word[:length] for length in range(2, min(len(word) - 1, _LONGEST_WORD)))


def _is_same_word(one: str, other: str, *, english: bool) -> bool:
    """Return whether two words are spellings or derivations of one: "colour" and "color", "Canada" and "Canadian"."""
    short, long = sorted((one, other), key=len)
    if _FIRST_HANGUL <= short[0] <= _LAST_HANGUL:
        return len(short) > 1 and long.startswith(short)  # particles are attached to Korean words
    if (
        len(short) < _LEAST_LETTERS
        or len(long) > _LONGEST_WORD
        or not short.isalpha()
        or (english and singular(other) in opposites(one))
    ):
        return False
    if english and long.startswith(short) and long[len(short) :] in _NAME_ENDINGS:
        return False
    if len(long) - len(short) <= 4 and long.startswith(short[: max(4, len(short) - 2)]):
        return True
    return Levenshtein.distance(short, long, score_cutoff=len(long) // 5) * 5 <= len(long)  # four of five letters


def _is_form(one: str, other: str, *, english: bool) -> bool:
    """Return whether a common word is a form or another spelling of another: not "amines" of "amides"."""
    if _FIRST_HANGUL <= one[0] <= _LAST_HANGUL:
        return True
    same = Prefix.similarity(one, other)
    endings = {one[same:], other[same:]}
    if english and one.isascii():
        return same >= 4 and endings <= _ENDINGS
    return same >= 4 and all(len(ending) <= 3 for ending in endings) and other not in FOREIGN_MONTHS


def _states(answer: Text, place: int, value: Value, reference: Text) -> str:
    """Return how a value of an answer relates to one of a reference, "contradicts" if it is not stated as a fact."""
    other = answer.values.get(place)
    if other is None:
        return "unrelated"
    relation = relate(value, other, is_share=reference.may_be_share)
    if relation == "contradicts" and is_fall(answer.text, value, other):
        opposite = other._replace(value=-other.value)  # type: ignore[union-attr,call-arg]
        relation = relate(value, opposite, is_share=reference.may_be_share)
    if isinstance(value, Number) and isinstance(other, Number) and relation != "unrelated":
        places = ((reference.text, value.start, value.end), (answer.text, other.start, other.end))
        wanted, stated = (
            {change.lastgroup for change in _CHANGE.finditer(text, max(0, start - 60), end + 20)}
            for text, start, end in places
        )
        is_opposite = wanted and stated and wanted.isdisjoint(stated)
        is_other = is_opposite or (reference.is_version and is_other_version(value, other))
        relation = "contradicts" if is_other else relation
    is_ratio = (value.stance, other.stance) == ("++", "-") and " and " not in answer.text  # one to three for 1:3
    is_stated = other.stance == value.stance or (other.stance in reference.stances and value.stance != "±") or is_ratio
    return relation if is_stated or relation == "unrelated" else "contradicts"


def _find_value(reference: Text, value: Value, answer: Text) -> list[int]:
    """Find a value written otherwise, or else a coarser date or time, unless one that says as much contradicts it."""
    hits: list[int] = []
    coarse: list[int] = []
    is_denied = False
    is_date = not isinstance(value, Number) or year_of(value) is not None
    for place in answer.numbers:
        other, relation = answer.values.get(place), _states(answer, place, value, reference)
        span = other.span if isinstance(other, Date) else 1
        if relation == "contradicts":
            is_denied = is_denied or _says_as_much(other, value)
        elif relation == "coarser" and is_date:
            # "In the 18th century" is too coarse for 1745, and a year beside a day may be of another date.
            if span < 100 and not (isinstance(other, Number) and _has_day_beside(answer, place)):
                coarse.append(place)
        elif relation != "unrelated":
            is_of_decade = isinstance(value, Date) and value.span == 10 != span
            if not (is_of_decade and relation == "finer"):  # nor do people take 1848 for the 1840s
                hits.append(place)
    return hits or ([] if is_denied else coarse)


def _says_as_much(other: Value | None, value: Value) -> bool:
    both = isinstance(other, Date) and isinstance(value, Date)
    return both and bool(other.day or not value.day) and bool(other.month)  # type: ignore[union-attr]


def is_marked(value: Value | None) -> bool:
    """Return whether a value can be told from other digits: by a month, an era, a half of the day, a sign."""
    if isinstance(value, Number):
        return value.value < 0 or bool(value.kind and value.unit)
    return bool(value.month or value.era) if isinstance(value, Date) else bool(value and getattr(value, "sure", True))


def contradicts(reference: Text, index: int, answer: Text) -> bool:
    """Return whether an answer contradicts a marked value of a reference."""
    value = reference.values.get(index)
    if value is None or not is_marked(value):
        return False
    return any(_states(answer, place, value, reference) == "contradicts" for place in answer.numbers)


def _has_day_beside(answer: Text, place: int) -> bool:
    """Return whether a number that may be a day stands next to a year, so that both are a date that is not read."""
    start, end = answer.span(place)
    for at in (place - 1, place + 1):
        other = answer.values.get(at)
        is_day = isinstance(other, Number) and other.is_bare and other.value < 32
        if other and is_day and (0 <= other.start - end < 4 or 0 <= start - other.end < 4):
            return True
    return False


def _find_short_names(reference: Text, answer: Text, matches: Matches) -> None:
    """Find missing names in a short form next to one that is found: "Benjamin Willis" in "Ben Willis"."""
    missing = [index for index, places in matches.items() if not places and reference.is_name(index)]
    for index in (*missing, *reversed(missing)) if any(matches.values()) else ():
        beside = [(place, side) for side in (-1, 1) for place in matches.get(index + side, ())]
        # Other names may be in between: "Dan Haggerty" in "Daniel Francis Haggerty".
        near = [at for place, side in beside for at in range(place - side, place - 4 * side, -side)]
        names = [at for at in near if 0 <= at < len(answer.keys) and answer.is_name(at) and not answer.is_article(at)]
        matches[index] = matches[index] or [at for at in names if _is_short_name(reference, index, answer, at)][:1]


def _is_short_name(reference: Text, index: int, answer: Text, place: int) -> bool:
    """Return whether one name is short for the other: "Bill" and "William", "W." and "Wilson", "J.R.R." and "John"."""
    short, long = sorted((reference.keys[index], answer.keys[place]), key=len)
    if any(one in _SHORT_NAMES.get(name, "").split() for one, name in ((short, long), (long, short))):
        return True
    if "." in reference.written(index) + answer.written(place) and len(short) > 1:
        return short[0] == long[0]
    ending = long.removeprefix(short)
    return ending != long and (len(short) == 1 or (len(short) > 2 and len(ending) > 1 and ending not in _NAME_ENDINGS))


def _find_acronyms(reference: Text, answer: Text, content: Content, matches: Matches) -> None:
    """Find "National Football League" in "NFL", and "USA" in "United States of America"."""
    for acronym in answer.words.intersection(content.acronyms) and content.acronyms:
        if places := [place for place in answer.places.get(acronym, ()) if _may_be_acronym(answer, place)]:
            matches.update({index: matches[index] or places for index in content.names})
            break
    for index in content.acronym_places:
        if not matches[index]:
            key, (initials, names) = reference.keys[index], answer.initials
            key = "us" if key == "usa" and initials == "us" and "united" in answer.words else key
            at = initials.find(key) if reference.is_acronym(index) or len(key) == len(initials) else -1
            matches[index] = names[at : at + len(key)] if at >= 0 else []


def _may_be_acronym(text: Text, place: int) -> bool:
    """Return whether a word is an acronym, or may be one in a text without capitals: "usa", but not "who is"."""
    key = text.keys[place]
    may_be = not text.has_capitals and 2 <= len(key) <= 6
    return text.is_acronym(place) or (may_be and (key not in FUNCTION_WORDS or len(text.keys) == 1))
