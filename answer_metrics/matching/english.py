"""Forms of English words: their stems, their American spelling, and the words that they exclude."""

import re
from functools import lru_cache

# Words with irregular stems, and abbreviated weekdays.
_IRREGULAR = {
    "anticlockwise": "counterclockwise", "calves": "calf", "children": "child", "doctor": "dr", "elves": "elf",
    "feet": "foot", "geese": "goose", "halves": "half", "hooves": "hoof", "junior": "jr", "knives": "knife",
    "leaves": "leaf", "lives": "life", "loaves": "loaf", "men": "man", "mice": "mouse", "mister": "mr", "oxen": "ox",
    "people": "person", "professor": "prof", "saint": "st", "scarves": "scarf", "senior": "sr", "shelves": "shelf",
    "teeth": "tooth", "thieves": "thief", "wives": "wife", "wolves": "wolf", "women": "woman", "fri": "friday",
    "thu": "thursday", "thurs": "thursday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday",
}  # fmt: skip
# British spellings in stems of five letters or more, replaced in this order, and shorter stems.
_BRITISH = {
    "(?<=[a-z][bdgilmnpv])our(?![nt])": "or", "(?<=[bcghtv])er$": "r", "is(?=e|ing|ation|abl|$)": "iz",
    "ys(?=e|ing|$)": "yz", "ogue?$": "og", "^aero(?=pl|f)": "air", "ae|oe": "e", "en[cs]e?$": "ens", "ll(?!ow)": "l",
    "gramme?$": "gram", "^cyph": "ciph", "ph": "f", "ey$": "y", "xion$": "ction", "^aluminium": "aluminum",
    "^chequ": "check", "dgement": "dgment", "doughnut": "donut", "draught": "draft", "^enquir": "inquir",
    "^grey": "gray", "^jewelery": "jewelry", "liquoric": "licoric", "mould": "mold", "moult": "molt", "moust": "must",
    "plough": "plow", "pyjama": "pajama", "roubl": "rubl", "sceptic": "skeptic", "specialit": "specialt",
    "waggon": "wagon", "yoghurt": "yogurt",
}  # fmt: skip
_ANY_BRITISH = re.compile("|".join(_BRITISH))
_AMERICAN = {
    "aeon": "eon", "cosy": "cozy", "faec": "fec", "gaol": "jail", "grey": "gray", "kerb": "curb", "tsar": "czar",
    "tyr": "tir",
}  # fmt: skip
_LEAST_STEM = 5  # letters; shorter stems have no other spelling than those listed

# Words that exclude each other: "south" contradicts "north", and "Iraq" is not a spelling of "Iran".
_OPPOSITES = [
    "absolute relative", "above below", "active passive", "acute chronic", "after before", "afternoon evening morning",
    "alpha beta delta gamma", "anterior posterior", "arteries veins", "artery vein",
    "aunt brother husband sister uncle wife", "australia austria", "autumn spring summer winter", "best worst",
    "black blue brown green orange pink purple red white yellow", "boy girl", "bronze gold silver",
    "buddhist christian hindu jewish muslim", "buyer seller", "calcium lithium magnesium potassium sodium",
    "civil criminal", "clockwise counterclockwise", "cold hot", "composite prime", "compound simple",
    "concave convex", "continuous discrete", "covalent ionic", "credit debit", "cupric cuprous", "dark light",
    "daughter father mother son", "defendant plaintiff", "diastolic systolic", "divorced married",
    "dominant recessive", "dorsal ventral", "early late mid", "east north south west",
    "eastern northern southern western", "eldest middle youngest", "employee employer", "ethane ethene ethyne",
    "even odd", "female male", "ferric ferrous", "first last",
    "friday monday saturday sunday thursday tuesday wednesday", "gambia zambia", "gross net", "guilty innocent",
    "hard soft", "high low", "horizontal vertical", "inner outer", "iran iraq", "jr sr", "junior senior",
    "kinetic potential", "king queen", "landlord tenant", "lateral medial", "left right", "less more", "long short",
    "lower upper", "lunar solar", "major minor", "man woman", "maternal paternal", "max min", "maximum minimum",
    "midnight noon", "mr mrs ms", "negative positive", "new old", "niger nigeria", "nitric nitrous",
    "northeast northwest southeast southwest", "northeastern northwestern southeastern southwestern",
    "oldest youngest", "parallel perpendicular", "photon proton", "private public", "qualitative quantitative",
    "retail wholesale", "rural urban", "slovakia slovenia", "stalactite stalagmite", "strong weak", "thick thin",
]  # fmt: skip
# Beginnings and endings of words that exclude each other: "hypotension" and "hypertension", "nitrite" and "nitrate".
_OPPOSITE_PREFIXES = [group.split() for group in (
    "an cat", "ana cata", "ante post pre", "anti pro", "as des", "bi di mon mono poly tetra tri uni", "de ex im in",
    "down up", "endo exo", "hetero homo", "hyper hypo iso", "in out", "inter intra", "macro micro", "meta ortho para",
    "over under", "sub super",
)]  # fmt: skip
_OPPOSITE_SUFFIXES = [group.split() for group in ("ate ide ite", "ful less")]
# Beginnings of words that exclude the rest, if that has so many letters: "unstable", but not "around".
_NEGATING_PREFIXES = {
    "un": 4, "non": 4, "anti": 4, "il": 5, "ir": 5, "mis": 5, "a": 6, "an": 6, "dis": 6, "im": 6, "in": 6,
}  # fmt: skip


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


@lru_cache(maxsize=10_000)
def american(word: str) -> str:
    """Spell the stem of a word in the American way, nearly: "color" for "colour", "anemi" for "anaemia"."""
    base = stem(word)
    if len(base) < _LEAST_STEM:
        return _AMERICAN.get(base, base)
    if _ANY_BRITISH.search(base):
        for british, american in _BRITISH.items():
            base = re.sub(british, american, base)
    return base


def singular(word: str) -> str:
    """Strip the "s" of a plural, and no other ending: "even" is not "evening", nor "mrs" "mr"."""
    return word if len(word) < 4 or word.endswith(("ss", "us", "is")) else word.removesuffix("s")


def _read_opposites() -> dict[str, set[str]]:
    listed: dict[str, set[str]] = {}
    for words in ([*map(singular, group.split())] for group in _OPPOSITES):
        for word in words:
            listed.setdefault(word, set()).update(set(words) - {word})
    return listed


_LISTED_OPPOSITES = _read_opposites()


@lru_cache(maxsize=10_000)
def opposites(word: str, *, negated: bool = False) -> frozenset[str]:
    """Return the English words, in the singular, that exclude a word: "south" of "north", "hypotonic" of "hypertonic".

    With `negated`, also the word with and without a prefix that negates it: "unstable" of "stable".
    """
    base = singular(word)
    prefixes = [(own, group) for group in _OPPOSITE_PREFIXES for own in group if base.startswith(own)]
    suffixes = [(own, group) for group in _OPPOSITE_SUFFIXES for own in group if base.endswith(own)]
    others = {prefix + base[len(own) :] for own, group in prefixes if len(base) > len(own) + 2 for prefix in group}
    others |= {base[: -len(own)] + suffix for own, group in suffixes if len(base) > len(own) + 2 for suffix in group}
    for prefix, least in _NEGATING_PREFIXES.items() if negated else ():
        if len(base) >= least:
            others.add(prefix + base)
        if base.startswith(prefix) and len(base) >= len(prefix) + least:
            others.add(base.removeprefix(prefix))
    return frozenset(_LISTED_OPPOSITES.get(base, set()) | others) - {base}
