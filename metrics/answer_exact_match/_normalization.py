# Vendored: edit metrics/_shared/_normalization.py and run `make vendor`.
"""Bring texts to a form in which answers that say the same are equal, and answers that differ stay different.

A pure function of a string, standard library only. `normalize` takes one text, `normalize_column` a list of texts; both
agree on every text, and both are idempotent. The rules, in this order:

1. Invisible marks go: soft hyphen, zero-width space, word joiner, byte-order mark, direction marks, variation
   selectors. (Zero-width joiners stay: they change words.)
2. Unicode form: canonical and compatibility forms become one (NFKC), but superscripts, subscripts, fractions, circled
   and squared characters stay what they are, and spacing accents do not turn into blanks.
3. Case is folded, unless `case_sensitive`.
4. Punctuation goes, judged by maximal runs of marks; numbers keep their value, and so do `C++` and `C#`.
5. White space collapses to single spaces and is stripped; then canonical composition.
6. Nothing disappears: where step 4 leaves nothing of a text that had something, the text before step 4 is used.

A column is worked on as one long string with NUL between the texts, since a pass of C code over a long string is
several times faster than a call per text. NUL is neither letter, digit, mark nor white space, so no rule looks past it.
"""

import functools
import itertools
import re
import string
import unicodedata
from collections.abc import Callable
from collections.abc import Iterable

# Raise it whenever the form of any text changes: it stands in the signatures.
NORMALIZATION_VERSION = "v1"

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180b-\u180d\u180f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
# A comma groups digits in threes: 1,000 and 12,345.6, but not 1,00 or 0,125 or 3.1,000.
_GROUPED_NUMBER = re.compile(r"\d(?<!0)(?<!\d\d)(?<!\d[.,]\d)\d{0,2}(?:,\d{3})+(?!\d|,\d)")

# The same for ASCII numbers with one comma, nearly all: they need no call of Python each, and the search begins with a
# comma, which is rarer than a digit. Further commas are what `_SEVERAL_COMMAS` finds.
_ONE_COMMA = re.compile(
    r",(?=[0-9]{3}(?![0-9]|,[0-9]))"
    r"(?:(?<=(?<![0-9])[1-9],)(?<![0-9][.,][0-9],)"
    r"|(?<=(?<![0-9])[1-9][0-9],)(?<![0-9][.,][0-9]{2},)"
    r"|(?<=(?<![0-9])[1-9][0-9]{2},)(?<![0-9][.,][0-9]{3},))"
)
_SEVERAL_COMMAS = re.compile(r",[0-9]{3},[0-9]{3}")

_MINUS = frozenset("-\u2010\u2212")
_STRAY_MARKS = "\u00b4\u2212"
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")

_ASCII_MARKS = frozenset(string.punctuation)
# By far the most frequent mark that stays: a decimal point.
_POINT_BETWEEN_DIGITS = re.compile(r"\.(?<=[0-9].)(?=[0-9])")
# A column in which every mark is a point, every digit a zero and all else a blank. Python scans for a literal character
# many times faster than for a class of characters.
_SHAPES = bytes(
    ord("." if chr(code) in string.punctuation else "0" if chr(code) in string.digits else " ") for code in range(256)
)
_MARK_BEFORE_DIGIT = re.compile(rb"\.(?=0)")
_HIDE = {ord(mark): ord(mark) | 0x80 for mark in string.punctuation}
_ASCII_BLANKS = bytes(code for code in range(128) if chr(code).isspace())


def _byte_table(*, fold: bool) -> bytes:
    """What becomes of each byte of an ASCII column: blanks turn to spaces, hidden marks come back, letters fold."""
    table = bytearray(range(128)) * 2
    for blank in _ASCII_BLANKS:
        table[blank] = ord(" ")
    if fold:
        for letter in string.ascii_uppercase:
            table[ord(letter)] = ord(letter.lower())
    return bytes(table)


_FOLD_BYTES = _byte_table(fold=True)
_KEEP_CASE_BYTES = _byte_table(fold=False)
_MARK_BYTES = string.punctuation.encode()


@functools.cache
def is_mark(character: str) -> bool:
    """Say whether a character counts as punctuation: Unicode's, ASCII's, currency signs, U+2212 and U+00B4."""
    category = unicodedata.category(character)
    return category[0] == "P" or category == "Sc" or character in string.punctuation or character in _STRAY_MARKS


@functools.cache
def _keeps_form(character: str) -> bool:
    """Say whether a compatibility form means something else than its plain form (10², ½, ①) or is a spacing accent."""
    plain = unicodedata.normalize("NFKD", character)
    return unicodedata.decomposition(character).startswith(_KEPT_FORMS) or (plain[0] == " " and len(plain) > 1)


@functools.cache
def _is_settled(character: str) -> bool:
    """Say whether a character that is left by a pass is ASCII or a letter: another pass leaves these as they are."""
    return character.isascii() or unicodedata.category(character)[0] == "L"


def _class_of(characters: Iterable[str]) -> str:
    """Write characters as a class of a regular expression."""
    return f"[{re.escape(''.join(sorted(characters)))}]"


def _is_dash(character: str) -> bool:
    return character in _MINUS or unicodedata.category(character) == "Pd"


@functools.lru_cache(maxsize=1024)
def _left_of(marks: str, before: str, after: str) -> str:
    """Say what a maximal run of marks leaves behind (step 4), by the characters at its sides ("" at an end)."""
    kind = unicodedata.category(before)[0] if before else ""
    kept = ""
    if kind in {"L", "M"}:
        kept = marks[: len(marks) - len(marks.lstrip("+#"))]
    if not after or unicodedata.category(after)[0] != "N":
        return kept
    if kind == "N" and len(marks) == 1:
        return "-" if _is_dash(marks) else marks

    # A decimal point and a minus directly before the number that follows.
    around = before + marks
    at = len(around) - 1
    point = sign = ""
    if around[at] == "." and (
        at == 0 or not (around[at - 1] == "." or unicodedata.category(around[at - 1])[0] in "LM")
    ):
        point = "."
        at -= 1
    if at >= len(before) and around[at] in _MINUS:
        left = around[at - 1] if at else ""
        if not left or not (_is_dash(left) or unicodedata.category(left)[0] in "LMN"):
            sign = "-"
    if sign or point:
        blank = "" if not kept and (not before or before.isspace() or before == "\0") else " "
        return kept + blank + sign + point
    return " " if kind == "N" else kept


def _judge(text: str, start: int, end: int) -> str:
    """Say what the maximal run of marks `text[start:end]` leaves behind."""
    return _left_of(text[start:end], text[start - 1] if start else "", text[end : end + 1])


def kept_marks(text: str) -> set[int]:
    """Find the marks that normalisation leaves: that of `3.5`, that of `-5`, both of `C++`, but not the last of `C++.`.

    Returns:
        Their places in the text.
    """
    kept: set[int] = set()
    end = 0
    for start, character in enumerate(text):
        if start < end or not is_mark(character):
            continue
        end = start
        while end < len(text) and is_mark(text[end]):
            end += 1
        left = _judge(text, start, end)
        if end - start == 1:
            kept.update([start] if left.strip() else [])
            continue
        kept.update(range(start, start + len(left) - len(left.lstrip("+#"))))
        kept.update(range(end - len(left) + len(left.rstrip("-.")), end))
    return kept


def _ungroup(number: re.Match[str]) -> str:
    text = number.group()
    # The expression knows ASCII's zero only, which is enough nearly always.
    return text if unicodedata.digit(text[0]) == 0 else text.replace(",", "")


def _judge_match(run: re.Match[str]) -> str:
    return _judge(run.string, run.start(), run.end())


def _ungroup_ascii(text: str) -> str:
    text = _ONE_COMMA.sub("", text)
    return _GROUPED_NUMBER.sub(_ungroup, text) if _SEVERAL_COMMAS.search(text) else text


def _telling_marks(text: str) -> list[int]:
    """Find the marks of an ASCII text that may leave something behind: before a digit, and `+` and `#`."""
    encoded = text.encode("latin-1")
    found = [hit.start() for hit in _MARK_BEFORE_DIGIT.finditer(encoded.translate(_SHAPES))]
    for mark in b"+#":
        at = encoded.find(mark)
        while at >= 0:
            found.append(at)
            at = encoded.find(mark, at + 1)
    return sorted(found)


def _hide_kept_marks(text: str) -> str:
    """Replace the telling runs of an ASCII text by what they leave behind, moved above 127."""
    text = _POINT_BETWEEN_DIGITS.sub("\xae", text)
    pieces = []
    done = 0
    for mark in _telling_marks(text):
        if mark < done:
            continue  # in the run of an earlier one
        start = end = mark
        while start > done and text[start - 1] in _ASCII_MARKS:
            start -= 1
        while end < len(text) and text[end] in _ASCII_MARKS:
            end += 1
        pieces += [text[done:start], _judge(text, start, end).translate(_HIDE)]
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _strip_ascii(text: str, *, case_sensitive: bool) -> str:
    """Steps 3 to 5 for ASCII: what is to stay hides above 127 while one pass deletes every mark."""
    if "," in text:
        text = _ungroup_ascii(text)
    table = _KEEP_CASE_BYTES if case_sensitive else _FOLD_BYTES
    stripped = _hide_kept_marks(text).encode("latin-1").translate(table, _MARK_BYTES)
    # Between two blanks of a run nothing is left, or one blank.
    return b" ".join(filter(None, map(bytes.lstrip, stripped.split(b"  ")))).decode("ascii")


def _fold(text: str, *, case_sensitive: bool) -> str:
    """Steps 1 to 3."""
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    kept = set(filter(_keeps_form, set(text)))
    if kept:
        pieces = re.split(f"({_class_of(kept)}+)", text)
        pieces[::2] = [unicodedata.normalize("NFKC", piece) for piece in pieces[::2]]
        text = "".join(pieces)
    else:
        text = unicodedata.normalize("NFKC", text)
    return text if case_sensitive else text.casefold()


def _strip(text: str, characters: set[str]) -> str:
    """Step 4 and the white space of step 5, for a text of these characters."""
    if "," in text:
        text = _GROUPED_NUMBER.sub(_ungroup, text)
    marks = set(filter(is_mark, characters))
    if marks:
        text = re.sub(f"{_class_of(marks)}+", _judge_match, text)
    return _collapse(text)


def _collapse(text: str) -> str:
    return " ".join(text.split())


def _at_once(function: Callable[[str, int], list[str]], texts: list[str]) -> list[str]:
    """Apply a pass to texts joined by NUL, or to each by itself where one holds NUL."""
    joined = "\0".join(texts)
    if joined.count("\0") >= len(texts):
        return [function(text, 1)[0] for text in texts]
    return function(joined, len(texts))


def _split(joined: str, count: int) -> list[str]:
    """Take joined texts apart. A single one may hold NUL itself."""
    return joined.split("\0") if count > 1 else [joined]


def _pass_ascii(joined: str, count: int, *, case_sensitive: bool) -> list[str]:
    stripped = list(map(str.strip, _split(_strip_ascii(joined, case_sensitive=case_sensitive), count)))
    if not all(stripped):
        for index, text in enumerate(_split(joined, count)):
            if not stripped[index]:
                stripped[index] = _collapse(text)  # marks, without a case
    return stripped


def _pass_unicode(joined: str, count: int, *, case_sensitive: bool, doubtful: set[str]) -> list[str]:
    """Do all steps once; to `doubtful` come the characters of the results that another pass may change."""
    folded = _fold(joined, case_sensitive=case_sensitive)
    characters = set(folded)
    bare = _strip(folded, characters)
    composed = unicodedata.normalize("NFC", bare)
    if composed != bare:
        characters.update(composed)
    stripped = list(map(str.strip, _split(composed, count)))
    if not all(stripped):
        for index, text in enumerate(_split(folded, count)):
            if not stripped[index]:
                stripped[index] = unicodedata.normalize("NFC", _collapse(text))
                characters.update(stripped[index])
    doubtful.update(itertools.filterfalse(_is_settled, characters))
    return stripped


def _normalize_unicode(texts: list[str], *, case_sensitive: bool) -> list[str]:
    """Repeat the pass until nothing changes.

    One pass is not idempotent on every text: folding can bring up characters that compose with what a removed mark
    stood before, and so on. A text of nothing but settled characters is stable; for others a second pass confirms it.
    """
    results = list(texts)
    pending = list(range(len(texts)))
    while pending:
        doubtful: set[str] = set()
        before = [results[index] for index in pending]
        after = _at_once(functools.partial(_pass_unicode, case_sensitive=case_sensitive, doubtful=doubtful), before)
        for index, text in zip(pending, after, strict=True):
            results[index] = text
        pending = [
            index
            for index, old, new in zip(pending, before, after, strict=True)
            if old != new and not doubtful.isdisjoint(new)
        ]
    return results


def normalize(text: str, *, case_sensitive: bool = False, normalize_text: bool = True) -> str:
    """Normalise one text.

    Args:
        text: Any string without lone surrogates.
        case_sensitive: Leave the case as it is.
        normalize_text: `False` only strips the surrounding white space, and folds the case unless `case_sensitive`.

    Returns:
        The comparable form, the same for every text that says the same under the rules of this module.
    """
    return normalize_column([text], case_sensitive=case_sensitive, normalize_text=normalize_text)[0]


def normalize_column(texts: list[str], *, case_sensitive: bool = False, normalize_text: bool = True) -> list[str]:
    """Normalise many texts: `[normalize(text) for text in texts]`, several times faster.

    Args:
        texts: Any strings without lone surrogates.
        case_sensitive: Leave the case as it is.
        normalize_text: `False` only strips the surrounding white space, and folds the case unless `case_sensitive`.

    Returns:
        The comparable forms, one per text, in the same order.
    """
    if not normalize_text:
        return [text.strip() for text in texts] if case_sensitive else [text.strip().casefold() for text in texts]
    if not texts:
        return []
    pass_ascii = functools.partial(_pass_ascii, case_sensitive=case_sensitive)
    others = [index for index, text in enumerate(texts) if not text.isascii()]
    if not others:
        return _at_once(pass_ascii, texts)
    from_others = _normalize_unicode([texts[index] for index in others], case_sensitive=case_sensitive)
    if len(others) == len(texts):
        return from_others
    results = list(texts)
    for index in others:
        results[index] = "a"  # any text that needs no work keeps the place
    results = _at_once(pass_ascii, results)
    for index, text in zip(others, from_others, strict=True):
        results[index] = text
    return results
