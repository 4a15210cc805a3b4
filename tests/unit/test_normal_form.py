"""Unicode forms: equal to `unicodedata.normalize` on every text, in linear time."""

import random
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared import _normal_form
from metrics._shared._normal_form import Form
from metrics._shared._normal_form import normal_form
from tests.growth import growth

FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
MARKS = [c for c in CHARACTERS if all(map(unicodedata.combining, unicodedata.normalize("NFKD", c)))]
# Letters that compose, Hangul, composition exclusions, marks that decompose, half-width marks, blocking marks.
ODD = "aeAKÅ한ᄒ\u1161\u11abかガ\u0958\u2adc\ufb1d\u0344\u0340\u0f73\u0f81\uff9e\uff9f\u034f\u200d½ﬁ ½-—\U0001d15e"

long_runs = st.lists(
    st.one_of(
        st.lists(st.sampled_from(MARKS), min_size=20, max_size=70).map("".join),
        st.text(st.sampled_from(ODD), max_size=4),
    ),
    max_size=5,
).map("".join)


@given(long_runs | st.text(), st.sampled_from(FORMS))
def test_nfkc_equals_unicodedata(text: str, form: Form) -> None:
    text = text.encode(errors="replace").decode()
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_every_mark_in_a_long_run_equals_unicodedata(form: Form) -> None:
    choose = random.Random(form)  # noqa: S311  # test data
    for start in range(0, len(MARKS), 15):
        run = MARKS[start : start + 15] * 3
        choose.shuffle(run)
        text = "".join(["é", *run, "한", *reversed(run), "x"])
        assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_every_character_before_and_in_a_long_run_equals_unicodedata(form: Form) -> None:
    run = "\u0327\u0301" * 16
    text = "".join(f"{character}{run}" for character in CHARACTERS[::53])
    pieces = [f"{character}{run}" for character in CHARACTERS[::53]]
    assert [normal_form(form, piece) for piece in pieces] == [unicodedata.normalize(form, piece) for piece in pieces]
    assert normal_form(form, text) == unicodedata.normalize(form, text)


def test_search_for_long_runs_finds_every_mark() -> None:
    """`MARKS` has the characters that decompose to marks only, in any form: no other character belongs to a run."""
    assert [ascii(mark) for mark in MARKS if not _normal_form._MAYBE_LONG_RUN.search(mark * 4)] == []


@pytest.mark.parametrize("unit", ["\u0327\u0301", "\u0f73\u0301", "か\uff9e\u0301\u0327", "a" + "\u0327\u0301" * 20])
@pytest.mark.parametrize("form", ["NFC", "NFKD"])
def test_long_runs_take_linear_time(form: Form, unit: str) -> None:
    assert growth(lambda text: normal_form(form, text), lambda size: unit * size, 1_000) < 1.5
