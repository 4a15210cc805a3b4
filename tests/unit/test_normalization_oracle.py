"""Normalization of any text compared with the oracle, and properties of every character."""

import random
import sys
import unicodedata
from typing import Literal

import pytest
from hypothesis import example
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._normalization import normalize
from metrics._shared._normalization import normalize_column
from metrics._shared._punctuation import is_mark
from metrics._shared._punctuation import kept_marks
from tests import oracles

ASCII = "aZ09015.,,.-+#'\"$%/:() \t\n\x0b\x1c\0!?"
BEYOND = (
    "éßİıſΣςﬁ\u1fd3ªº"  # letters that fold or decompose in unusual ways
    "²₂½①㎏㊗Ⅷ٣५০"  # digits and numbers of many kinds
    "\u0300\u0301\u0308\u0327\u0328\u0338\u0345\u3099\u20dd\u0903"  # combining marks of several classes
    "\N{ACUTE ACCENT}\N{DIAERESIS}\u0384\u0385\u1fbd\u1fed\u1fee\u02d8\uffe3"  # spacing accents
    "\u2010\u2011\u2012\u2013\u2014\u2212\u207b\ufe63\uff0d\u30a0"  # dashes and minuses
    "…‥\u201c\u201d’¿。、・﹐，．－＋＃\u037e\u0387€£￥₿§†"  # other marks
    "\u00a0\u1680\u2003\u2028\u202f\u3000\u0085"  # white space
    "\u00ad\u061c\u180b\u200b\u200c\u200d\u200e\u2060\u2067\u2069\ufe0f\ufeff\U000e0100"  # invisible
    "한ᄒ\u1161\u11abかﾞがกิ京葛๑\U0001f600\U0001f3fd\U00011f00"
)
ascii_texts = st.text(ASCII, max_size=12)
odd_texts = st.text(ASCII + BEYOND, max_size=12)
any_texts = st.one_of(odd_texts, st.text(st.characters(codec="utf-8"), max_size=12))


@given(text=odd_texts, case_sensitive=st.booleans())
@example(text="\u2026-\u0308", case_sensitive=False)  # one pass is not enough
@example(text='\x1c\xa8\xb4\u20ac"\u037e\u0301#\uff0c', case_sensitive=False)  # two passes are not enough
def test_normalization_equals_the_oracle(*, text: str, case_sensitive: bool) -> None:
    assert normalize(text, case_sensitive=case_sensitive) == oracles.normalize(text, case_sensitive=case_sensitive)


@pytest.mark.parametrize("alphabet", [ASCII, ASCII + BEYOND], ids=["ascii", "unicode"])
def test_many_random_texts_equal_the_oracle(alphabet: str) -> None:
    """Covers cases that Hypothesis, which tries only a few examples, may miss."""
    choose = random.Random(alphabet)  # noqa: S311  # test data
    texts = ["".join(choose.choices(alphabet, k=choose.randint(1, 8))) for _ in range(15_000)]
    forms = normalize_column(texts)
    wrong = [ascii(text) for text, form in zip(texts, forms, strict=True) if form != oracles.normalize(text)]
    assert not wrong


@given(text=ascii_texts, case_sensitive=st.booleans())
def test_ascii_normalization_equals_the_oracle(*, text: str, case_sensitive: bool) -> None:
    assert normalize(text, case_sensitive=case_sensitive) == oracles.normalize(text, case_sensitive=case_sensitive)


@given(text=any_texts, case_sensitive=st.booleans())
def test_normalization_is_idempotent(*, text: str, case_sensitive: bool) -> None:
    form = normalize(text, case_sensitive=case_sensitive)
    assert normalize(form, case_sensitive=case_sensitive) == form


@given(texts=st.lists(any_texts, max_size=6), case_sensitive=st.booleans(), normalize_text=st.booleans())
@example(texts=["a\0", "\0", "é"], case_sensitive=False, normalize_text=True)
@example(texts=["", "", ""], case_sensitive=False, normalize_text=True)
@example(texts=["é", ""], case_sensitive=False, normalize_text=True)
@example(texts=["5", "-5", "é-", "5"], case_sensitive=False, normalize_text=True)
@example(texts=["a", "\u0301", "b"], case_sensitive=False, normalize_text=True)
@example(texts=["1", ",000"], case_sensitive=False, normalize_text=True)
def test_column_equals_single_texts(*, texts: list[str], case_sensitive: bool, normalize_text: bool) -> None:
    assert normalize_column(texts, case_sensitive=case_sensitive, normalize_text=normalize_text) == [
        normalize(text, case_sensitive=case_sensitive, normalize_text=normalize_text) for text in texts
    ]


@given(any_texts)
def test_nonempty_text_stays_nonempty(text: str) -> None:
    visible = [c for c in text if not c.isspace() and not oracles._is_invisible(c)]
    assert bool(normalize(text)) == bool(visible)


@given(any_texts)
def test_whitespace_is_collapsed_and_stripped(text: str) -> None:
    form = normalize(text)
    assert form == " ".join(form.split())


@given(any_texts, st.sampled_from(["NFC", "NFD"]))
def test_canonically_equivalent_texts_are_equal(text: str, form: Literal["NFC", "NFD"]) -> None:
    assert normalize(unicodedata.normalize(form, text)) == normalize(text)


@given(st.integers(-(10**12), 10**12))
def test_grouped_integers_equal_plain_ones(number: int) -> None:
    assert normalize(f"{number:,}") == str(number)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.decimals(allow_nan=False, places=3))
def test_different_decimals_differ(one: object, other: object) -> None:
    assert (normalize(f"{one:f}") == normalize(f"{other:f}")) == (f"{one:f}" == f"{other:f}")


CODES = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]


@pytest.mark.parametrize("context", ["{}", "a{}5", "1{}2", " {}.5"])
def test_every_character_of_the_basic_plane_equals_the_oracle(context: str) -> None:
    texts = [context.format(character) for character in CODES]
    forms = normalize_column(texts)
    wrong = [ascii(text) for text, form in zip(texts, forms, strict=True) if form != oracles.normalize(text)]
    assert not wrong


@pytest.mark.parametrize("case_sensitive", [False, True])
def test_every_letter_is_stable_after_one_pass(*, case_sensitive: bool) -> None:
    """Texts of letters get no second pass, so none may need one, including letters that fold to several."""
    letters = [f"a{c}b" for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c)[0] == "L"]
    once = normalize_column(letters, case_sensitive=case_sensitive)
    assert normalize_column(once, case_sensitive=case_sensitive) == once


def test_every_character_of_the_basic_plane_is_stable() -> None:
    for context in ("{}", "a{0}{0}"):
        forms = normalize_column([context.format(character) for character in CODES])
        assert normalize_column(forms) == forms


def test_marks_equal_the_oracle() -> None:
    assert [c for c in map(chr, range(sys.maxunicode + 1)) if is_mark(c) != oracles.is_mark(c)] == []


@given(odd_texts)
def test_kept_marks_equal_the_oracle_at_every_position(text: str) -> None:
    left = oracles.remaining_characters(text)
    assert kept_marks(text) == {
        index for index, character in enumerate(text) if oracles.is_mark(character) and left[index].strip() != ""
    }
