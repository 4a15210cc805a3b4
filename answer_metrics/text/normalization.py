"""Text normalization: answers that differ only in form become equal, answers that differ in content stay different.

Pure functions of strings, standard library only. `normalize` takes a text, `normalize_column` a list of texts; both are
idempotent. `reference.py` has the same rules in a form that is easy to read and slow. In this order:

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
import string
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, Literal

from answer_metrics.core.options import call, qualified_name

# Bump this whenever the result for any text changes: it is part of signatures.
NORMALIZATION_VERSION = "v1"

# Scripts written without spaces between words: the blocks whose line breaking needs a dictionary or breaks anywhere
# (classes SA and ID of https://www.unicode.org/reports/tr14/), except Hangul, since Korean is written with spaces.
NO_SPACE_SCRIPTS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan, whose word separator is a punctuation mark
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf"  # Tai Le, New Tai Lue, Tai Tham, Tai Viet
    "\u1b00-\u1b7f\ua980-\ua9df"  # Balinese, Javanese
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b"  # Han radicals, iteration marks, numerals
    "\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\uff66-\uff9f"  # Hiragana, Katakana, Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Kana supplements, Han extensions
)


Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Below this run length, CPython's insertion sort is faster.
_LONG_RUN = 32
_STRIDE = 8
# Covers every character that decomposes to combining marks only. `\w` matches the two half-width ones as letters.
_MAYBE_LONG_RUN = re.compile(rf"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){{{_LONG_RUN // _STRIDE}}}")


def normal_form(form: Form, text: str) -> str:
    """Return `unicodedata.normalize(form, text)`, in linear time.

    CPython sorts each run of combining marks by insertion. Long runs are sorted here first, which does not change the
    result: Unicode defines the canonical order of marks as a stable sort (https://www.unicode.org/reports/tr15/).
    """
    # A long run is visible in every eighth character already.
    if len(text) >= _LONG_RUN and _MAYBE_LONG_RUN.search(text[::_STRIDE]):
        decomposed: Form = "NFKD" if "K" in form else "NFD"
        if marks := {character for character in set(text) if _is_only_marks(decomposed, character)}:

            def in_order(run: re.Match[str]) -> str:
                # Mark by mark: normalizing a run would sort it slowly.
                each = "".join(unicodedata.normalize(decomposed, character) for character in run.group())
                return "".join(sorted(each, key=unicodedata.combining))

            text = re.sub(f"{_any_of(marks)}{{{_LONG_RUN},}}", in_order, text)
    return unicodedata.normalize(form, text)


@functools.cache
def _is_only_marks(decomposed: Form, character: str) -> bool:
    return all(map(unicodedata.combining, unicodedata.normalize(decomposed, character)))


def _any_of(characters: Iterable[str]) -> str:
    """Return a regular expression's character class of these characters."""
    return f"[{re.escape(''.join(sorted(characters)))}]"


MINUSES = frozenset("-\u2010\u2212")
"""Hyphens and minuses, which can be the sign of a number."""

# A comma groups digits in threes: 1,000 and 12,345.6, but not 1,00 or 0,125 or 3.1,000.
_GROUPED_NUMBER = re.compile(r"\d(?<!0)(?<!\d\d)(?<!\d[.,]\d)\d{0,2}(?:,\d{3})+(?!\d|,\d)")

# The longest run whose result is cached: texts can contain runs of any length.
_MAX_CACHED_RUN = 8


@functools.cache
def is_mark(character: str) -> bool:
    """Return whether a character counts as punctuation: Unicode's, ASCII's, currency signs, U+2212 and U+00B4."""
    category = unicodedata.category(character)
    return category[0] == "P" or category == "Sc" or character in string.punctuation + "\u2212\u00b4"


def is_dash(character: str) -> bool:
    """Return whether a character is a dash of any length, or a minus."""
    return character in MINUSES or unicodedata.category(character) == "Pd"


@functools.lru_cache(maxsize=1024)
def _rest_of_run(marks: str, before: str, after: str) -> str:
    """Return what remains of a maximal run of marks between two characters, which are "" at the ends of the text."""
    kind = unicodedata.category(before)[0] if before else ""
    suffix = marks[: len(marks) - len(marks.lstrip("+#"))] if kind in {"L", "M"} else ""
    if not after or unicodedata.category(after)[0] != "N":
        return suffix
    if kind == "N" and len(marks) == 1:
        return "-" if is_dash(marks) else marks

    # A decimal point and a minus directly before the number.
    context = before + marks
    index = len(context) - 1
    point = sign = ""
    if context[index] == "." and (
        index == 0 or not (context[index - 1] == "." or unicodedata.category(context[index - 1])[0] in "LM")
    ):
        point = "."
        index -= 1
    if index >= len(before) and context[index] in MINUSES:
        left = context[index - 1] if index else ""
        if not left or not (is_dash(left) or unicodedata.category(left)[0] in "LMN"):
            sign = "-"
    if sign or point:
        space = "" if not suffix and (not before or before.isspace() or before == "\0") else " "
        return suffix + space + sign + point
    return " " if kind == "N" else suffix


def resolve_run(text: str, start: int, end: int) -> str:
    """Return what remains of the maximal run of marks `text[start:end]`."""
    resolve = _rest_of_run if end - start <= _MAX_CACHED_RUN else _rest_of_run.__wrapped__
    return resolve(text[start:end], text[start - 1] if start else "", text[end : end + 1])


def resolve_match(run: re.Match[str]) -> str:
    """Return what remains of a maximal run of marks, the match of a regular expression."""
    return resolve_run(run.string, run.start(), run.end())


@functools.lru_cache(maxsize=16)  # asked about one text again and again
def kept_marks(text: str) -> set[int]:
    """Find the indices of the marks that normalization keeps: in `3.5`, `-5` and `C++`, not the last of `C++.`."""
    indices: set[int] = set()
    marks = set(filter(is_mark, text))
    for run in re.finditer(f"{_any_of(marks)}+", text) if marks else ():
        start, end = run.span()
        left = resolve_match(run)
        if end - start == 1:
            indices.update([start] if left.strip() else [])
        else:
            indices.update(range(start, start + len(left) - len(left.lstrip("+#"))))
            indices.update(range(end - len(left) + len(left.rstrip("-.")), end))
    return indices


def ungroup_numbers(text: str) -> str:
    """Remove the commas of every number that is grouped in threes."""
    if "," not in text:
        return text
    return _GROUPED_NUMBER.sub(  # the pattern excludes only the ASCII zero
        lambda number: number[0] if unicodedata.digit(number[0][0]) == 0 else number[0].replace(",", ""), text
    )


# Nearly all grouped numbers have one comma; this pattern handles them without a Python callback per match. It starts
# with the comma, which is rarer than a digit. `_MULTIPLE_COMMAS` finds numbers with more.
_ONE_COMMA = re.compile(
    r",(?=[0-9]{3}(?![0-9]|,[0-9]))"
    r"(?:(?<=(?<![0-9])[1-9],)(?<![0-9][.,][0-9],)"
    r"|(?<=(?<![0-9])[1-9][0-9],)(?<![0-9][.,][0-9]{2},)"
    r"|(?<=(?<![0-9])[1-9][0-9]{2},)(?<![0-9][.,][0-9]{3},))"
)
_MULTIPLE_COMMAS = re.compile(r",[0-9]{3},[0-9]{3}")

# By far the most frequent mark to keep: a decimal point.
_POINT_BETWEEN_DIGITS = re.compile(r"\.(?<=[0-9].)(?=[0-9])")
# Maps every mark to a point, every digit to a zero and all else to a space: Python searches for a literal character
# several times faster than for a character class.
_SHAPES = bytes(
    ord("." if chr(code) in string.punctuation else "0" if chr(code) in string.digits else " ") for code in range(256)
)
_MARK_BEFORE_DIGIT, _PLUS, _HASH = map(re.compile, (rb"\.(?=0)", rb"\+", rb"#"))
_HIDE = {ord(mark): ord(mark) | 0x80 for mark in string.punctuation}
_ASCII_WHITESPACE = bytes(code for code in range(128) if chr(code).isspace())
# Whitespace becomes spaces, hidden marks return to ASCII, and letters are folded.
_KEEP_CASE_BYTES = bytes.maketrans(_ASCII_WHITESPACE, b" " * len(_ASCII_WHITESPACE))[:128] * 2
_FOLD_BYTES = _KEEP_CASE_BYTES.lower()


def _strip_ascii(text: str, *, case_sensitive: bool) -> str:
    """Fold the case of an ASCII text, remove its punctuation, and collapse its whitespace to single spaces.

    The text may be a column joined by NUL; a space may remain next to a NUL and at either end.
    """
    if "," in text:
        text = _ONE_COMMA.sub("", text)
        text = ungroup_numbers(text) if _MULTIPLE_COMMAS.search(text) else text
    table = _KEEP_CASE_BYTES if case_sensitive else _FOLD_BYTES
    stripped = _hide_kept_marks(text).encode("latin-1").translate(table, string.punctuation.encode())
    # Splitting a run of spaces at pairs leaves empty pieces and at most one leading space.
    return b" ".join(filter(None, map(bytes.lstrip, stripped.split(b"  ")))).decode("ascii")


def _hide_kept_marks(text: str) -> str:
    """Replace the runs around marks that may be kept, before a digit or `+` or `#`, with those to keep, above 127."""
    text = _POINT_BETWEEN_DIGITS.sub("\xae", text)
    encoded = text.encode("latin-1")
    shapes = encoded.translate(_SHAPES)
    hits = itertools.chain(_MARK_BEFORE_DIGIT.finditer(shapes), _PLUS.finditer(encoded), _HASH.finditer(encoded))
    pieces = []
    done = 0
    for mark in sorted(hit.start() for hit in hits):
        if mark < done:
            continue  # in the run of an earlier one
        start = end = mark
        while start > done and text[start - 1] in string.punctuation:
            start -= 1
        while end < len(text) and text[end] in string.punctuation:
            end += 1
        pieces += [text[done:start], resolve_run(text, start, end).translate(_HIDE)]
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


INVISIBLE = re.compile(
    "[\u00ad\u061c\u180b-\u180d\u180f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
"""What step 1 removes."""
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")


@functools.cache
def keeps_form(character: str) -> bool:
    """Return whether a character must not be replaced by its NFKC form: 10², ½, ①, and spacing accents."""
    plain = unicodedata.normalize("NFKD", character)
    return unicodedata.decomposition(character).startswith(_KEPT_FORMS) or (plain[0] == " " and len(plain) > 1)


def _fold(text: str, *, case_sensitive: bool) -> str:
    """Do steps 1 to 3."""
    text = normal_form("NFC", INVISIBLE.sub("", text))
    distinct = set(filter(keeps_form, set(text)))
    pieces = re.split(f"({_any_of(distinct)}+)", text) if distinct else [text]
    pieces[::2] = [normal_form("NFKC", piece) for piece in pieces[::2]]
    text = "".join(pieces)
    return text if case_sensitive else text.casefold()


def _collapse(text: str) -> str:
    return " ".join(text.split())


def apply_batched(function: Callable[[str, int], list[str]], texts: list[str]) -> list[str]:
    """Apply a function to texts joined by NUL; texts that contain NUL are processed one by one.

    The function takes the joined texts and their number, and returns as many results.
    """
    joined = "\0".join(texts)
    if joined.count("\0") < len(texts):
        return function(joined, len(texts))
    batched = [text for text in texts if "\0" not in text]
    results = iter(function("\0".join(batched), len(batched)))
    return [function(text, 1)[0] if "\0" in text else next(results) for text in texts]


def _split(joined: str, count: int) -> list[str]:
    """Split joined texts; a single text may contain NUL."""
    return joined.split("\0") if count > 1 else [joined]


def _pass_ascii(joined: str, count: int, *, case_sensitive: bool) -> list[str]:
    stripped = list(map(str.strip, _split(_strip_ascii(joined, case_sensitive=case_sensitive), count)))
    if all(stripped):
        return stripped
    # Marks only, which have no case.
    return [form or _collapse(text) for form, text in zip(stripped, _split(joined, count), strict=True)]


def _pass_unicode(joined: str, count: int, *, case_sensitive: bool, unstable_chars: set[str]) -> list[str]:
    """Do all steps once; adds characters that another pass may change to `unstable_chars`."""
    folded = _fold(joined, case_sensitive=case_sensitive)
    characters, bare = set(folded), ungroup_numbers(folded)
    if marks := set(filter(is_mark, characters)):
        bare = re.sub(f"{_any_of(marks)}+", resolve_match, bare)
    composed = normal_form("NFC", bare := _collapse(bare))
    if composed != bare:
        characters.update(composed)
    stripped = list(map(str.strip, _split(composed, count)))
    if not all(stripped):
        for index, text in enumerate(_split(folded, count)):
            if not stripped[index]:
                stripped[index] = normal_form("NFC", _collapse(text))
                characters.update(stripped[index])
    # Another pass leaves ASCII characters and letters unchanged.
    unstable_chars.update(c for c in characters if not c.isascii() and unicodedata.category(c)[0] != "L")
    return stripped


def _normalize_unicode(texts: Iterable[str], *, case_sensitive: bool) -> dict[str, str]:
    """Return the form of each distinct text; repeats the pass until nothing changes.

    One pass is not idempotent on every text: for example, folding can produce characters that compose with the
    character after a removed mark. A text of stable characters needs no second pass.
    """
    forms = pending = {text: text for text in texts}
    while pending:
        unstable_chars: set[str] = set()
        one_pass = functools.partial(_pass_unicode, case_sensitive=case_sensitive, unstable_chars=unstable_chars)
        after = dict(zip(pending, apply_batched(one_pass, list(pending.values())), strict=True))
        changed = {text: form for text, form in after.items() if form != pending[text]}
        forms.update(after)
        pending = {text: form for text, form in changed.items() if not unstable_chars.isdisjoint(form)}
    return forms


def normalize(text: str, *, case_sensitive: bool = False, normalize_text: bool = True) -> str:
    """Return the normalized form of a text, any string without lone surrogates.

    `normalize_text=False` only strips surrounding whitespace and folds the case, which `case_sensitive` keeps.

    >>> normalize(" The  Café, No. 3.50! ")
    'the café no 3.50'
    """
    return normalize_column([text], case_sensitive=case_sensitive, normalize_text=normalize_text)[0]


def normalize_column(texts: list[str], *, case_sensitive: bool = False, normalize_text: bool = True) -> list[str]:
    """Return `[normalize(text, ...) for text in texts]`, several times faster."""
    if not normalize_text:
        return [text.strip() for text in texts] if case_sensitive else [text.strip().casefold() for text in texts]
    pass_ascii = functools.partial(_pass_ascii, case_sensitive=case_sensitive)
    if all(map(str.isascii, texts)):
        return apply_batched(pass_ascii, texts)
    # Normalizing such a text takes ten times as long as looking one up.
    forms = _normalize_unicode((text for text in texts if not text.isascii()), case_sensitive=case_sensitive)
    ascii_forms = iter(apply_batched(pass_ascii, [text for text in texts if text.isascii()]))
    return [next(ascii_forms) if text.isascii() else forms[text] for text in texts]


Normalizer = Literal["default", "squad", "triviaqa", "benchwise"] | Callable[[str], str] | None

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
# TriviaQA's script (https://github.com/mandarjoshi90/triviaqa, evaluation/triviaqa_evaluation.py) does the same, but
# punctuation and three typographic marks become spaces.
_SPACE_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "‘’´", " "))  # noqa: RUF001  # as in the script


def _normalize_squad(joined: str, count: int, punctuation: Any = _DELETE_PUNCTUATION) -> list[str]:
    """Normalize as SQuAD's official scripts do: lower case, no ASCII punctuation, no articles, single spaces.

    Takes texts joined by NUL, which neither lowercasing nor the article pattern looks past. Source: `normalize_answer`
    of https://rajpurkar.github.io/SQuAD-explorer/ (evaluate-v1.1.py, evaluate-v2.0.py).
    """
    plain = _ARTICLES.sub(" ", joined.lower().translate(punctuation))
    return list(map(_collapse, _split(plain, count)))


def normalize_answers(column: list[Any], normalizer: Normalizer, name: str = "texts") -> list[Any]:
    """Apply the normalizer to strings, or to lists of strings; None leaves them unchanged.

    If a callable raises, or returns anything but a string, a `ValueError` calls the texts `name`.

    >>> normalize_answers(["the Seine!", "Seine"], "squad")
    ['seine', 'seine']
    """
    if normalizer is None or not column:
        return column
    if not callable(normalizer):
        return apply_flat(_NORMALIZERS[normalizer], column)
    places = [f"{name}[{index}]" for index in range(len(column))]
    placed = zip(column, places, strict=True)
    if isinstance(column[0], str):
        return [call(normalizer, text, option="normalizer", place=place) for text, place in placed]
    return [normalize_answers(texts, normalizer, place) for texts, place in placed]


def apply_flat(function: Callable[[list[str]], list[str]], column: list[Any]) -> list[Any]:
    """Apply a function of a list of texts to a column of texts, or of lists of texts."""
    if not column or isinstance(column[0], str):
        return function(column)
    results = iter(function(list(itertools.chain.from_iterable(column))))
    return [list(itertools.islice(results, len(texts))) for texts in column]


_NORMALIZERS: dict[str, Callable[[list[str]], list[str]]] = {
    "default": normalize_column,
    "squad": functools.partial(apply_batched, _normalize_squad),
    "triviaqa": functools.partial(apply_batched, functools.partial(_normalize_squad, punctuation=_SPACE_PUNCTUATION)),
    # `_normalize_text` of https://github.com/Benchwise/benchwise (benchwise/metrics.py) keeps two spaces in "a - b".
    "benchwise": lambda texts: [_collapse(text.lower()).translate(_DELETE_PUNCTUATION).strip() for text in texts],
}


def normalizer_version(normalizer: Normalizer) -> Any:
    """Return the signature entry of a normalizer; a `ValueError` for a callable that its name does not identify."""
    if callable(normalizer):
        return qualified_name(normalizer)
    return {None: False, "default": NORMALIZATION_VERSION}.get(normalizer, normalizer)
