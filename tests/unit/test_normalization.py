"""Normalization: a table of cases with their reasons, and a slow oracle on texts that take unusual paths."""

import random
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics._shared import _normalization
from metrics._shared._normalization import (
    Form,
    is_mark,
    kept_marks,
    normal_form,
    normalize,
    normalize_answers,
    normalize_column,
    normalizer_version,
)
from tests import oracles

NBSP = "\N{NO-BREAK SPACE}"
FORMS = [
    # text, normal form, reason
    ("", "", "empty text stays empty"),
    ("Paris!", "paris", "case and punctuation do not count"),
    ("  New \t York\n", "new york", "whitespace is collapsed and stripped"),
    ("\u201cParis\u201d!", "paris", "typographic quotes are punctuation"),
    ("東京。", "東京", "punctuation of other scripts"),
    ("state-of-the-art", "stateoftheart", "hyphen between letters is removed"),
    ("don't", "dont", "apostrophe is removed"),
    ("don\N{ACUTE ACCENT}t", "dont", "acute accent used as an apostrophe"),
    ("<b>Paris</b> ^~|=", "bparisb", "all of string.punctuation"),
    # Invisible characters
    ("\ufeffParis", "paris", "a byte-order mark at the start of a file"),
    ("Ber\N{SOFT HYPHEN}lin", "berlin", "soft hyphen"),
    ("\N{LEFT-TO-RIGHT ISOLATE}5\N{POP DIRECTIONAL ISOLATE}", "5", "direction controls"),
    ("\N{WHITE HEART SUIT}\N{VARIATION SELECTOR-16}", "\N{WHITE HEART SUIT}", "variation selectors"),
    ("می\u200cخواهم", "می\u200cخواهم", "zero-width non-joiner is kept: it changes words"),
    ("1,\N{SOFT HYPHEN}000", "1000", "removed before numbers are recognized"),
    # Unicode form
    ("cafe\u0301", "café", "decomposed equals composed"),
    ("Ｔｏｋｙｏ", "tokyo", "full-width letters"),
    ("３．５", "3.5", "full-width point"),
    (f"1{NBSP}000", "1 000", "no-break space is a space"),
    ("10²", "10²", "superscript is not a digit of the number"),
    ("½", "½", "fraction is kept"),
    ("\N{DIAERESIS}", "\N{DIAERESIS}", "spacing accent does not become a space"),
    # Case
    ("Straße", "strasse", "sharp s folds to ss"),
    ("οδος", "οδοσ", "final sigma folds like any sigma"),
    # Numbers keep their value
    ("3.5", "3.5", "decimal point is kept"),
    ("3,5", "3,5", "decimal comma is kept"),
    ("1/2", "1/2", "fraction bar is kept"),
    ("2-3", "2-3", "hyphen of a score or range is kept"),
    ("2\u20133", "2-3", "en dash between digits becomes a hyphen"),
    ("2\u22123", "2-3", "and so does a Unicode minus sign"),
    ("1,000", "1000", "thousands separator is removed"),
    ("1,000,000", "1000000", "and so are several"),
    ("1,000,00", "1,000,00", "groups of different sizes are not thousands"),
    ("0,125", "0,125", "comma after a leading 0 is a decimal comma"),
    ("1234,567", "1234,567", "four digits before a comma are not a group"),
    ("3.141,592", "3.141,592", "no thousands separators among decimals"),
    ("1,0000", "1,0000", "four digits after a comma are not a group"),
    ("3..5", "3 5", "two marks between digits become a space"),
    ("-5", "-5", "minus sign is kept"),
    ("\u22125", "-5", "Unicode minus sign becomes a hyphen"),
    ("(-5)", "-5", "minus sign in parentheses is kept"),
    ("\u20135", "5", "en dash before a number is a list bullet"),
    ("--5", "5", "two hyphens are not a sign"),
    ("\u2212-5", "5", "nor are a Unicode minus sign and a hyphen"),
    ("x = -5", "x -5", "equals sign is removed, minus sign is kept"),
    ("covid-19", "covid19", "hyphen after a letter is not a sign"),
    ("x\u0301-5", "x\u03015", "hyphen after a combining accent is not a sign"),
    ("x\u0301+", "x\u0301+", "plus sign after a combining accent is kept"),
    (".5", ".5", "decimal point without an integer part"),
    ("x.5", "x5", "point after a letter is not a decimal point"),
    ("..5", "5", "two points are not a decimal point"),
    ("3,.5", "3 .5", "comma between two numbers becomes a space"),
    ("٣٫٥", "٣٫٥", "decimal separator of another script"),
    # C++ and C#
    ("C++", "c++", "plus signs directly after a letter are kept"),
    ("C#", "c#", "number sign directly after a letter is kept"),
    ("C ++", "c", "plus signs after a space are removed"),
    ("3+", "3", "plus sign after a digit is removed"),
    # Differences that are ignored
    ("50%", "50", "percent sign is removed"),
    ("2 + 3", "2 3", "plus operator between spaces is removed"),
    # A text of punctuation only does not become empty
    ("+", "+", "punctuation only is kept"),
    (" ! ? ", "! ?", "whitespace between marks is collapsed"),
    ("…", "...", "ellipsis character"),
    ("\0", "\0", "NUL is not whitespace"),
    ("a\0b", "a\0b", "NUL does not split a text"),
    ("a\x1c\x85\u2028\u3000b", "a b", "all whitespace characters of Python"),
]


@pytest.mark.parametrize(
    ("text", "form", "reason"), FORMS, ids=[ascii(f"{row[0]} {row[2]}").replace("\\", "%") for row in FORMS]
)
def test_text_has_the_documented_normal_form(text: str, form: str, reason: str) -> None:
    assert normalize(text) == form, reason
    assert oracles.normalize(text) == form, f"the oracle: {reason}"
    if text.isascii() and any(map(str.isalnum, text)):  # ASCII texts take a path of their own
        assert normalize(f"é {text} é") == f"é {form} é"


# ---- any text, against the oracle

odd_texts = st.text(oracles.ODD_CHARACTERS, max_size=12)
any_texts = st.one_of(odd_texts, st.text(st.characters(codec="utf-8"), max_size=12))
BASIC_PLANE = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]


@given(text=any_texts, case_sensitive=st.booleans())
@example(text="(-5", case_sensitive=False)  # of these marks only the minus sign is kept
@example(text="\u2026-\u0308", case_sensitive=False)  # one pass is not enough
@example(text='\x1c\xa8\xb4\u20ac"\u037e\u0301#\uff0c', case_sensitive=False)  # two passes are not enough
def test_normalization_equals_the_oracle(*, text: str, case_sensitive: bool) -> None:
    form = normalize(text, case_sensitive=case_sensitive)
    assert form == oracles.normalize(text, case_sensitive=case_sensitive)
    assert form == " ".join(form.split()) == normalize(form, case_sensitive=case_sensitive)
    left = oracles.remaining_characters(text)
    marks = {index for index, character in enumerate(text) if oracles.is_mark(character)}
    assert kept_marks(text) == {index for index in marks if left[index].strip()}


@pytest.mark.parametrize("alphabet", [oracles.ASCII, oracles.ODD_CHARACTERS], ids=["ascii", "unicode"])
def test_columns_of_random_texts_equal_the_oracle(alphabet: str) -> None:
    """Covers cases that Hypothesis, which tries only a few examples, may miss."""
    choose = random.Random(alphabet)  # noqa: S311  # test data
    texts = ["".join(choose.choices(alphabet, k=choose.randint(0, 8))) for _ in range(4_000)]
    texts += [form.format(c) for c in BASIC_PLANE[:: 5 if alphabet != oracles.ASCII else 50] for form in ("{}", "1{}2")]
    forms = normalize_column(texts)
    wrong = [ascii(text) for text, form in zip(texts, forms, strict=True) if form != oracles.normalize(text)]
    assert not wrong


@given(texts=st.lists(any_texts, max_size=6), case_sensitive=st.booleans(), normalize_text=st.booleans())
@example(texts=["a\0", "\0", "é"], case_sensitive=False, normalize_text=True)
@example(texts=["", "", ""], case_sensitive=False, normalize_text=True)
@example(texts=["？", "！", "é", ""], case_sensitive=False, normalize_text=True)
@example(texts=["a", "\u0301", "b"], case_sensitive=False, normalize_text=True)
@example(texts=["1", ",000"], case_sensitive=False, normalize_text=True)
def test_column_equals_single_texts(*, texts: list[str], case_sensitive: bool, normalize_text: bool) -> None:
    given_texts = list(texts)
    assert normalize_column(texts, case_sensitive=case_sensitive, normalize_text=normalize_text) == [
        normalize(text, case_sensitive=case_sensitive, normalize_text=normalize_text) for text in texts
    ]
    assert texts == given_texts


@pytest.mark.parametrize("case_sensitive", [False, True])
def test_every_letter_is_stable_after_one_pass(*, case_sensitive: bool) -> None:
    """Texts of letters get no second pass, so none may need one, including letters that fold to several.

    All letters but the unified ideographs, which have no other form.
    """
    characters = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c)[0] == "L"]
    letters = [f"a{c}b" for c in characters if not unicodedata.name(c, "").startswith("CJK UNIFIED")]
    once = normalize_column(letters, case_sensitive=case_sensitive)
    assert normalize_column(once, case_sensitive=case_sensitive) == once


def test_marks_equal_the_oracle() -> None:
    assigned = (c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) not in {"Cn", "Co", "Cs"})
    assert [c for c in assigned if is_mark(c) != oracles.is_mark(c)] == []


def test_long_runs_of_marks_are_not_cached() -> None:
    """Otherwise a thousand runs of a megabyte each would stay in memory."""
    before = _normalization._kept_from_short_run.cache_info().currsize
    for length in range(1_000, 1_100):
        assert normalize(f"x{'.' * length}y") == "xy"
    assert _normalization._kept_from_short_run.cache_info().currsize == before


# ---- Unicode's forms

UNICODE_FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
COMBINING = [c for c in CHARACTERS if all(map(unicodedata.combining, unicodedata.normalize("NFKD", c)))]
# Letters that compose, Hangul, composition exclusions, marks that decompose, half-width marks, blocking marks.
UNUSUAL = "aeAKÅ한ᄒ\u1161\u11abかガ\u0958\u2adc\ufb1d\u0344\u0340\u0f73\u0f81\uff9e\uff9f\u034f\u200d½ﬁ ½-—\U0001d15e"
runs = st.lists(st.sampled_from(COMBINING), min_size=20, max_size=70).map("".join)


@given(
    st.lists(runs | st.text(st.sampled_from(UNUSUAL), max_size=4), max_size=5).map("".join),
    st.sampled_from(UNICODE_FORMS),
)
def test_forms_of_long_runs_equal_unicodedata(text: str, form: Form) -> None:
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", UNICODE_FORMS)
def test_every_mark_in_a_long_run_equals_unicodedata(form: Form) -> None:
    for start in range(0, len(COMBINING), 15):
        run = COMBINING[start : start + 15] * 3
        random.Random(start).shuffle(run)  # noqa: S311  # test data
        text = "".join(["é", *run, "한", *reversed(run), "x"])
        assert normal_form(form, text) == unicodedata.normalize(form, text)


def test_search_for_long_runs_finds_every_mark() -> None:
    """`COMBINING` has the characters that decompose to marks only, in any form: no other belongs to a run."""
    assert [ascii(mark) for mark in COMBINING if not _normalization._MAYBE_LONG_RUN.search(mark * 4)] == []


# ---- the option `normalizer`


TEXT = " The  Cat's - hat, 1,000! "


@pytest.mark.parametrize(
    ("normalizer", "expected", "version"),
    [
        (None, TEXT, False),
        ("default", "the cats hat 1000", "v1"),
        ("squad", "cats hat 1000", "squad"),  # no articles, no punctuation at all
        ("triviaqa", "cat s hat 1 000", "triviaqa"),  # punctuation becomes spaces
        ("benchwise", "the cats  hat 1000", "benchwise"),  # spaces around a removed mark stay
        (str.strip, TEXT.strip(), None),
    ],
)
def test_normalizers(normalizer: Any, expected: str, version: object) -> None:
    assert normalize_answers([TEXT, ""], normalizer) == [expected, ""]
    assert normalize_answers([[TEXT], ["", TEXT]], normalizer) == [[expected], ["", expected]]
    assert normalize_answers([], normalizer) == []
    if version is not None:
        assert normalizer_version(normalizer) == version


SQUAD = st.lists(st.sampled_from(["a", "An", "THE", "the", "ana", "-", "_", ".", " ", "\n", "é", "\u0301", "1", "\0"]))


@given(st.lists(st.text() | SQUAD.map("".join) | st.sampled_from(["ΑΣ", "σΣ"]), max_size=5))
@example(["the\0a", "b"])
def test_squad_normalizer_of_a_column_equals_the_script(texts: list[str]) -> None:
    assert normalize_answers(texts, "squad") == list(map(oracles.squad_normalized, texts))


def test_marks_that_only_some_scripts_know() -> None:
    assert normalize_answers(["l’hôtel ‘x’ ´y` F.C."], "triviaqa") == ["l hôtel x y f c"]
    assert normalize_answers(["- the Hat !"], "benchwise") == ["the hat"]
