# Vendored: edit metrics/_shared/_normal_form.py and run `make vendor`.
"""`unicodedata.normalize` in linear time: CPython's is quadratic on long runs of combining marks."""

import functools
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Up to this length of a run, CPython's insertion sort is quicker than what is done here.
_LONG_RUN = 32
_STRIDE = 8

# Covers every character whose decomposition is combining marks alone. The two half-width ones are letters to `\w`.
_MAYBE_MARK = r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])"
_MAYBE_LONG_RUN = re.compile(f"{_MAYBE_MARK}{{{_LONG_RUN // _STRIDE}}}")


def normal_form(form: Form, text: str) -> str:
    """Return what `unicodedata.normalize(form, text)` returns, in time that grows with the length of the text.

    CPython sorts each run of combining marks by insertion. A long run is sorted here first, which changes nothing for
    Unicode: the canonical order of marks is defined by a stable sort (https://www.unicode.org/reports/tr15/).
    """
    # A long run shows in every eighth character, which is an eighth of the work.
    if len(text) >= _LONG_RUN and _MAYBE_LONG_RUN.search(text[::_STRIDE]):
        decomposed: Form = "NFKD" if "K" in form else "NFD"
        marks = {character for character in set(text) if _is_only_marks(decomposed, character)}
        if marks:
            sort = functools.partial(_in_canonical_order, decomposed)
            text = re.sub(f"{character_class(marks)}{{{_LONG_RUN},}}", sort, text)
    return unicodedata.normalize(form, text)


def character_class(characters: Iterable[str]) -> str:
    """Write characters as a class of a regular expression."""
    return f"[{re.escape(''.join(sorted(characters)))}]"


@functools.cache
def _is_only_marks(decomposed: Form, character: str) -> bool:
    return all(map(unicodedata.combining, unicodedata.normalize(decomposed, character)))


def _in_canonical_order(decomposed: Form, run: re.Match[str]) -> str:
    text = run.group()
    if any(unicodedata.normalize(decomposed, character) != character for character in set(text)):
        text = "".join(unicodedata.normalize(decomposed, character) for character in text)
    return "".join(sorted(text, key=unicodedata.combining))
