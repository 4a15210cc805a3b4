# Vendored: edit metrics/_shared/_normal_form.py and run `make vendor`.
"""`unicodedata.normalize` in linear time: CPython's is quadratic on long runs of combining marks."""

import functools
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Below this run length, CPython's insertion sort is faster.
_LONG_RUN = 32
_STRIDE = 8

# Covers every character that decomposes to combining marks only. `\w` matches the two half-width ones as letters.
_MAYBE_MARK = r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])"
_MAYBE_LONG_RUN = re.compile(f"{_MAYBE_MARK}{{{_LONG_RUN // _STRIDE}}}")


def normal_form(form: Form, text: str) -> str:
    """Return `unicodedata.normalize(form, text)`, in linear time.

    CPython sorts each run of combining marks by insertion. Long runs are sorted here first, which does not change the
    result: Unicode defines the canonical order of marks as a stable sort (https://www.unicode.org/reports/tr15/).
    """
    # A long run is visible in every eighth character already.
    if len(text) >= _LONG_RUN and _MAYBE_LONG_RUN.search(text[::_STRIDE]):
        decomposed: Form = "NFKD" if "K" in form else "NFD"
        marks = {character for character in set(text) if _is_only_marks(decomposed, character)}
        if marks:
            sort = functools.partial(_in_canonical_order, decomposed)
            text = re.sub(f"{character_class(marks)}{{{_LONG_RUN},}}", sort, text)
    return unicodedata.normalize(form, text)


def character_class(characters: Iterable[str]) -> str:
    """Return a regular expression's character class of these characters."""
    return f"[{re.escape(''.join(sorted(characters)))}]"


@functools.cache
def _is_only_marks(decomposed: Form, character: str) -> bool:
    return all(map(unicodedata.combining, unicodedata.normalize(decomposed, character)))


def _in_canonical_order(decomposed: Form, run: re.Match[str]) -> str:
    text = run.group()
    if any(unicodedata.normalize(decomposed, character) != character for character in set(text)):
        text = "".join(unicodedata.normalize(decomposed, character) for character in text)
    return "".join(sorted(text, key=unicodedata.combining))
