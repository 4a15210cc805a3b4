"""Words that mean the opposite of a word of a reference."""

from functools import lru_cache

from ._recall_forms import EXCLUSIVE
from ._recall_forms import NEGATIONS
from ._recall_forms import OPPOSITES
from ._recall_text import Text

_NEGATIVE_PREFIXES = ("in", "un", "non", "dis", "im", "ir", "il", "anti")
_OPPOSING_PREFIXES = (
    ("mono", "mon", "di", "tri", "tetra"),
    ("de", "in"),
    ("inter", "intra", "extra"),
    ("hyper", "hypo"),
    ("exo", "endo"),
    ("micro", "macro"),
    ("pre", "post"),
    ("homo", "hetero"),
)
_OPPOSING_SUFFIXES = (("ate", "ite"), ("er", "ee"), ("ous", "ic"), ("ide", "ate"), ("ide", "ite"))
_LEAST_NEGATED = 4


def has_opposite(word: str, wanted: Text, given: Text) -> bool:
    """Say whether the prediction has the opposite of a missing word ("south", or "direct" for "indirect")."""
    return any(other in given.keys and other not in wanted.keys for other in opposites(word))


def opposites(word: str) -> frozenset[str]:
    """Return the opposites of a word."""
    others = OPPOSITES.get(word, frozenset()) | _swapped(word)
    for prefix in _NEGATIVE_PREFIXES:
        positive = word.removeprefix(prefix)
        if positive != word and len(positive) >= _LEAST_NEGATED:
            others |= {positive}
        if len(word) >= _LEAST_NEGATED:
            others |= {prefix + word}
    return others


def turns_meaning(word: str) -> bool:
    """Say whether a prediction without a word may be wrong, whatever else it says."""
    return word in NEGATIONS or word in {"law", "last", "city"} or any(word in group for group in EXCLUSIVE)


@lru_cache(1 << 14)
def _swapped(word: str) -> frozenset[str]:
    """Return the words with an opposing prefix or suffix in its place: "monoxide" for "dioxide"."""
    swapped: set[str] = set()
    for group in _OPPOSING_PREFIXES:
        for prefix in group:
            rest = word.removeprefix(prefix)
            if rest != word and len(rest) >= _LEAST_NEGATED:
                swapped.update(other + rest for other in group if other != prefix)
    for one, other in _OPPOSING_SUFFIXES:
        for ending, instead in ((one, other), (other, one)):
            if word.endswith(ending) and len(word) - len(ending) >= _LEAST_NEGATED:
                swapped.add(word.removesuffix(ending) + instead)
    return frozenset(swapped)
