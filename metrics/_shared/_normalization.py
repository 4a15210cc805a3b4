"""Text normalization: answers that differ only in form become equal, answers that differ in content stay different.

Pure functions of strings, standard library only. `normalize` takes one text, `normalize_column` a list of texts; both
agree on every text, and both are idempotent. The rules, in this order:

1. Invisible characters are removed: soft hyphen, zero-width space, word joiner, byte-order mark, direction marks,
   variation selectors. (Zero-width joiners are kept: they change words.)
2. Unicode form: NFKC, except that superscripts, subscripts, fractions, circled and squared characters are kept, and
   spacing accents do not become spaces.
3. Case is folded, unless `case_sensitive`.
4. Punctuation is removed, by maximal runs of marks; numbers keep their value, and `C++` and `C#` their marks.
5. Whitespace is collapsed to single spaces and stripped; then canonical composition.
6. If step 4 leaves nothing of a text that had something, the text before step 4 is used.

A column is processed as one long string with NUL between the texts, since one pass of C code over a long string is
several times faster than a call per text. NUL is not a letter, digit, mark or whitespace, so no rule looks past it.
"""

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable

from ._ascii_normalization import strip_ascii
from ._normal_form import character_class
from ._normal_form import normal_form
from ._punctuation import is_mark
from ._punctuation import resolve_match
from ._punctuation import ungroup_numbers

# Raise it whenever the result for any text changes: it is part of the signature.
NORMALIZATION_VERSION = "v1"

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180b-\u180d\u180f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")


def is_invisible(character: str) -> bool:
    """Return whether step 1 removes a character."""
    return bool(_INVISIBLE.match(character))


@functools.cache
def _keeps_form(character: str) -> bool:
    """Return whether a character must not be replaced by its NFKC form: 10², ½, ①, and spacing accents."""
    plain = unicodedata.normalize("NFKD", character)
    return unicodedata.decomposition(character).startswith(_KEPT_FORMS) or (plain[0] == " " and len(plain) > 1)


@functools.cache
def _is_stable(character: str) -> bool:
    """Return whether another pass leaves a character of the result unchanged: ASCII characters and letters."""
    return character.isascii() or unicodedata.category(character)[0] == "L"


def _fold(text: str, *, case_sensitive: bool) -> str:
    """Do steps 1 to 3."""
    text = normal_form("NFC", _INVISIBLE.sub("", text))
    kept = set(filter(_keeps_form, set(text)))
    if kept:
        pieces = re.split(f"({character_class(kept)}+)", text)
        pieces[::2] = [normal_form("NFKC", piece) for piece in pieces[::2]]
        text = "".join(pieces)
    else:
        text = normal_form("NFKC", text)
    return text if case_sensitive else text.casefold()


def _strip(text: str, characters: set[str]) -> str:
    """Do step 4 and the whitespace of step 5, for a text made up of these characters."""
    if "," in text:
        text = ungroup_numbers(text)
    marks = set(filter(is_mark, characters))
    if marks:
        text = re.sub(f"{character_class(marks)}+", resolve_match, text)
    return _collapse(text)


def _collapse(text: str) -> str:
    return " ".join(text.split())


def apply_batched(function: Callable[[str, int], list[str]], texts: list[str]) -> list[str]:
    """Apply a function to texts joined by NUL; texts that contain NUL are processed one by one.

    Args:
        function: Takes the joined texts and their number, and returns as many results.
        texts: The texts, at least one.

    Returns:
        One result per text, in the same order.
    """
    joined = "\0".join(texts)
    if joined.count("\0") < len(texts):
        return function(joined, len(texts))
    alone = [index for index, text in enumerate(texts) if "\0" in text]
    batched = list(texts)
    for index in alone:
        batched[index] = "a"  # a placeholder
    results = function("\0".join(batched), len(batched))
    for index in alone:
        results[index] = function(texts[index], 1)[0]
    return results


def _split(joined: str, count: int) -> list[str]:
    """Split joined texts; a single text may contain NUL."""
    return joined.split("\0") if count > 1 else [joined]


def _pass_ascii(joined: str, count: int, *, case_sensitive: bool) -> list[str]:
    bare = strip_ascii(joined, case_sensitive=case_sensitive).decode("ascii")
    stripped = list(map(str.strip, _split(bare, count)))
    if not all(stripped):
        for index, text in enumerate(_split(joined, count)):
            if not stripped[index]:
                stripped[index] = _collapse(text)  # marks only, which have no case
    return stripped


def _pass_unicode(joined: str, count: int, *, case_sensitive: bool, unstable_chars: set[str]) -> list[str]:
    """Do all steps once; adds characters that another pass may change to `unstable_chars`."""
    folded = _fold(joined, case_sensitive=case_sensitive)
    characters = set(folded)
    bare = _strip(folded, characters)
    composed = normal_form("NFC", bare)
    if composed != bare:
        characters.update(composed)
    stripped = list(map(str.strip, _split(composed, count)))
    if not all(stripped):
        for index, text in enumerate(_split(folded, count)):
            if not stripped[index]:
                stripped[index] = normal_form("NFC", _collapse(text))
                characters.update(stripped[index])
    unstable_chars.update(itertools.filterfalse(_is_stable, characters))
    return stripped


def _normalize_unicode(texts: list[str], *, case_sensitive: bool) -> list[str]:
    """Repeat the pass until nothing changes.

    One pass is not idempotent on every text: for example, folding can produce characters that compose with the
    character after a removed mark. A text of stable characters needs no second pass.
    """
    results = list(texts)
    pending = list(range(len(texts)))
    while pending:
        unstable_chars: set[str] = set()
        before = [results[index] for index in pending]
        one_pass = functools.partial(_pass_unicode, case_sensitive=case_sensitive, unstable_chars=unstable_chars)
        after = apply_batched(one_pass, before)
        for index, text in zip(pending, after, strict=True):
            results[index] = text
        pending = [
            index
            for index, old, new in zip(pending, before, after, strict=True)
            if old != new and not unstable_chars.isdisjoint(new)
        ]
    return results


def normalize(text: str, *, case_sensitive: bool = False, normalize_text: bool = True) -> str:
    """Normalize one text.

    Args:
        text: Any string without lone surrogates.
        case_sensitive: Keep the case.
        normalize_text: `False` only strips surrounding whitespace, and folds the case unless `case_sensitive`.

    Returns:
        The normalized form.
    """
    return normalize_column([text], case_sensitive=case_sensitive, normalize_text=normalize_text)[0]


def normalize_column(texts: list[str], *, case_sensitive: bool = False, normalize_text: bool = True) -> list[str]:
    """Normalize many texts: `[normalize(text) for text in texts]`, several times faster.

    Args:
        texts: Any strings without lone surrogates.
        case_sensitive: Keep the case.
        normalize_text: `False` only strips surrounding whitespace, and folds the case unless `case_sensitive`.

    Returns:
        The normalized forms, one per text, in the same order.
    """
    if not normalize_text:
        return [text.strip() for text in texts] if case_sensitive else [text.strip().casefold() for text in texts]
    if not texts:
        return []
    pass_ascii = functools.partial(_pass_ascii, case_sensitive=case_sensitive)
    others = [index for index, text in enumerate(texts) if not text.isascii()]
    if not others:
        return apply_batched(pass_ascii, texts)
    # Normalizing such a text takes ten times as long as looking one up.
    distinct = list(dict.fromkeys(texts[index] for index in others))
    forms = dict(zip(distinct, _normalize_unicode(distinct, case_sensitive=case_sensitive), strict=True))
    if len(others) == len(texts):
        return list(map(forms.__getitem__, texts))
    results = list(texts)
    for index in others:
        results[index] = "a"  # a placeholder
    results = apply_batched(pass_ascii, results)
    for index in others:
        results[index] = forms[texts[index]]
    return results
