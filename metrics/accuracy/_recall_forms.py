"""Which words match: inflected forms, derived forms and spelling variants, found by hashing.

Every test is an intersection of small sets, so that a word meets all words of a long answer in constant time.
"""

import re
from functools import lru_cache

ARTICLES = frozenset({"a", "an", "the"})
# Words that say nothing about the answer while others are left. Negations are not among them.
FUNCTION_WORDS = ARTICLES | frozenset(
    """
    of in on at by to for from with and or nor as is are was were be been being am that this these those it its he she
    they his her hers their theirs him them i me my you your yours we us our who whom whose which what when where why
    how do does did has have had having but if then than into onto upon also there here about during between through
    among because so such can could will would may might shall should must while very just etc
    get gets got getting become becomes became
    """.split()
)
# The longest small word inside a name: "de", "van".
LONGEST_PARTICLE = 3
# Between alternatives: "Tolstoy or Dostoevsky?"
CHOICES = frozenset("or oder ou или veya yoksa oppure".split())
NEGATIONS = frozenset({"not", "n't", "never", "nor", "neither", "without", "except", "excluding", "unlike", "cannot"})

_OPPOSITES = """
north south|east west|northern southern|eastern western|northeast northwest|southeast southwest|northeast southeast|
northwest southwest|northeastern northwestern|southeastern southwestern|northeastern southeastern|northwestern
southwestern|#1th last|before after|male female|man woman|men women|boy girl|boys girls|king queen|prince princess|
father mother|son daughter|brother sister|husband wife|uncle aunt|nephew niece|his her|left right|true false|yes no|
upper lower|up down|above below|over under|inside outside|internal external|interior exterior|major minor|more less|
most least|more fewer|maximum minimum|max min|highest lowest|largest smallest|biggest smallest|longest shortest|oldest
youngest|oldest newest|best worst|high low|hot cold|warm cold|positive negative|increase decrease|increases decreases|
increased decreased|increasing decreasing|rise fall|rises falls|win lose|won lost|open closed|early late|earlier later|
bc ad|bce ce|bc ce|am pm|summer winter|day night|black white|clockwise counterclockwise|clockwise anticlockwise|input
output|import export|imports exports|ancient modern|public private|horizontal vertical|acid base|acidic alkaline|vein
artery|odd even|buy sell|legal illegal|possible impossible|guilty innocent|alive dead|front back|top bottom|old new|
noon midnight
"""
OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in _OPPOSITES.split("|"):
    _one, _other = _pair.split()
    OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
    OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}

# Words of which one excludes the others where they stand before or behind the same word.
EXCLUSIVE = tuple(
    frozenset(words.split())
    for words in (
        "red orange yellow green blue purple violet pink brown black white gray",
        "spring summer autumn winter",
        "spring summer fall winter",
        "monday tuesday wednesday thursday friday saturday sunday",
        "father mother son daughter brother sister uncle aunt nephew niece husband wife cousin grandfather grandmother",
        "eldest middle youngest",
        "oldest middle youngest",
        "gold silver bronze copper iron wood",
        "morning afternoon evening night",
        "mr mrs",
        "mr ms",
        "mr miss",
        "lord lady",
        "emperor empress",
        "duke duchess",
        "solid liquid gas",
        "single double triple quadruple",
        "primary secondary tertiary",
        "dominant recessive",
        "acute chronic",
        "benign malignant",
        "bacterial viral fungal",
        "alpha beta gamma delta",
        "assistant associate full",
        "married divorced widowed",
        "dark light",
        "inner outer",
        "anterior posterior",
        "proximal distal",
        "dorsal ventral",
        "medial lateral",
        "superior inferior",
        "systolic diastolic",
        "sympathetic parasympathetic",
        "aerobic anaerobic",
        "prokaryotic eukaryotic",
        "offensive defensive",
        "civil criminal",
        "domestic foreign",
        "urban rural",
        "arithmetic geometric harmonic",
        "mean median mode",
        "plus minus",
        "sodium potassium calcium magnesium lithium ammonium barium silver copper iron zinc aluminum",
    )
)

# A name with one of these before it is another name: Virginia and West Virginia, York and New York.
NAME_PREFIXES = frozenset(
    "north south east west northern southern eastern western northeast northwest southeast southwest new"
    " equatorial".split()
)

# So has one with one of these behind it: Kansas and Kansas City, father and father-in-law.
NAME_ENDINGS = frozenset({"city", "law"})

# So has a person with one of these: president and vice president.
RANKS = frozenset("vice deputy assistant associate ex step half post pre neo proto pseudo quasi".split())

_IRREGULAR = dict(
    pair.split(":")
    for pair in (
        "men:man women:woman children:child feet:foot teeth:tooth geese:goose mice:mouse people:person lives:life"
        " wives:wife knives:knife wolves:wolf leaves:leaf halves:half shelves:shelf criteria:criterion dice:die"
        " phenomena:phenomenon"
    ).split()
)
_VOWEL = re.compile("[aeiouy]")


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """Strip an English inflection: plurals, -ed, -ing, -ly. Not a dictionary form, but the same for all forms."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "ly"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and _VOWEL.search(base):
            word = base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz" else base
            if ending == "ed" and word.endswith("i"):
                word = word[:-1] + "y"
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_LEAST_BASE = 4
_DERIVED = {
    # Suffix: what stands in its place in the word it is derived from.
    "ical": ("ic", "y"), "ial": ("", "y", "um"), "al": ("", "um", "a"), "ary": ("",), "ic": ("", "y", "ia", "a"),
    "ism": ("", "y"), "ist": ("", "y"), "ation": ("", "at"), "ition": ("", "it"), "ion": ("",),
    "ive": ("", "ion"), "iv": ("", "ion"), "ment": ("",), "ness": ("",),
    "ian": ("", "y", "ia", "a"), "an": ("", "a"), "n": ("",),
    "ese": ("", "a"), "es": ("", "a"), "ish": ("", "land"), "ion ": (), "on": ("a",), "um": ("a",), "us": ("i",),
}  # fmt: skip


@lru_cache(1 << 16)
def bases(word: str) -> frozenset[str]:
    """Return the stems of the words that an English word may be derived from: "canada" for "canadian"."""
    short = stem(word)
    found = {short}
    for suffix, replacements in _DERIVED.items():
        base = short.removesuffix(suffix)
        if base != short and len(base) >= _LEAST_BASE:
            found.update(stem(base + ending) for ending in replacements if len(base + ending) > _LEAST_BASE)
    return frozenset(found)


_DOUBLED = re.compile(r"(.)\1")
_SOFT_C = re.compile("c(?=[eiy])")
_SOUNDS = (("shch", "sh"), ("sch", "sh"), ("ph", "f"), ("ck", "k"), ("qu", "kv"), ("q", "k"), ("ae", "e"), ("oe", "o"),
           ("ue", "u"), ("ou", "o"), ("y", "i"), ("w", "v"), ("z", "s"), ("dh", "d"), ("th", "t"),
           ("gh", "g"), ("kh", "k"))  # fmt: skip


def _sound(word: str) -> str:
    word = _SOFT_C.sub("s", word)
    for written, sound in _SOUNDS:
        if written in word:
            word = word.replace(written, sound)
    return _DOUBLED.sub(r"\1", word.replace("c", "k"))


class _Beginnings(dict[str, str]):
    """The first two sounds of each word, which all its forms and spellings share.

    A dictionary, since every word of every answer is looked up.
    """

    _most = 1 << 16

    def __missing__(self, word: str) -> str:
        value = _sound(_IRREGULAR.get(word, word)[:8])[:2]
        if len(self) < self._most and len(word) < self._most:
            self[word] = value
        return value


BEGINNINGS = _Beginnings()


_LEAST_SPELLING = 5
# Without accents, as words are folded: "й" is "и". Four letters are left at least.
_CYRILLIC = re.compile("[а-я]+")  # noqa: RUF001
_CYRILLIC_ENDING = re.compile(
    "(?<=....)(?:иеи|ого|его|ому|ему|ыми|ими|ами|ями|ои|еи|ии|ыи|ая|яя|ое|ее|ые|ие"  # noqa: RUF001
    "|ия|ию|ием|ам|ям|ах|ях|ом|ем|им|ым|ою|ею|ую|юю|[аяыиоеуюь])$"  # noqa: RUF001
)
_LEAST_LONG = 7
_MOST_LONG = 64


@lru_cache(1 << 16)
def spelling(word: str) -> str:
    """Reduce a word of at least five letters to what all its spellings share; "" for most scripts.

    Latin spellings vary in doubled letters, c/k/s/z, i/y, v/w, ph/f, ae/e, oe/ö, ou/o, -re/-er, and h after a
    consonant, Cyrillic words in the endings of Russian nouns, names and adjectives.
    """
    if len(word) < _LEAST_SPELLING:
        return ""
    if not word.isascii():
        return _CYRILLIC_ENDING.sub("", word) if _CYRILLIC.fullmatch(word) else ""
    word = _sound(word)
    if word.endswith("re"):
        word = word[:-2] + "er"
    return word[:-1] if len(word) > _LEAST_LONG and word.endswith("e") else word


@lru_cache(1 << 16)
def spellings_without_a_vowel(word: str) -> frozenset[str]:
    """Return the spellings of a long word without one inner vowel ("aluminum" for "aluminium")."""
    plain = spelling(word)
    if not _LEAST_LONG <= len(plain) <= _MOST_LONG:
        return frozenset()
    return frozenset(plain[:at] + plain[at + 1 :] for at in range(2, len(plain) - 1) if plain[at] in "aeiou")


def related_forms(word: str) -> frozenset[str]:
    """Return the stems and spellings of a word. Words that share none of them are never forms of one another."""
    sounds = spellings_without_a_vowel(word) | {spelling(word)} - {""}
    return bases(word) | {f"~{sound}" for sound in sounds}
