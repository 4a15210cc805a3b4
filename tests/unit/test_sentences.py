"""Sentence splitters: results, limits, and inputs that make sentencex fail."""

import random
import sys
from importlib import metadata
from typing import Any

import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.text.retrieval import (
    LANGUAGES,
    check_language,
    make_splitter,
    sentence_ends,
    split_sentences,
    splitter_version,
    window_size,
)

JAPANESE = ["東京は日本の首都です。", "「大阪へ行きます。」", "と彼は言った。", "すばらしい！"]
MARKS = frozenset("\"'`()<>{}[]«»‘’‚‛“”„‟‹›《》「」（）")


def split(text: str, language: str = "en") -> list[str]:
    return make_splitter(language)(text)


# Sentences as they are found in the text that they are joined to; the English ones paraphrase pySBD's golden rules.
GOLDEN = """
en: Dr. Smith left at 5 p.m. today. | Late! | Why?
en: St. Mary's stands on 3rd st. near the park.
en: He said, "It is late." | She turned around.
en: Really?! | Are you sure? | No!! | Never again.
de: Das ist z.B. so. | Und das? | Ja!
hi: यह पहला है। | यह दूसरा है।
ar: أين الكتاب؟ | الكتاب هنا.
"""


@pytest.mark.parametrize("golden", GOLDEN.strip().splitlines())
def test_golden_sentences_are_found(golden: str) -> None:
    language, _, joined = golden.partition(": ")
    assert split(joined.replace(" | ", " "), language) == joined.split(" | ")


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", " Why?  A line\nbreak!\n\nSo ", ["Why?", "A line\nbreak!", "So"]),
        ("en", "Ends.\u00a0Begins.\u2003Again.", ["Ends.", "Begins.", "Again."]),
        ("ja", "\u3000\u2003\t", []),
        # Longer than a window: its end cuts no sentence.
        ("ja", "".join(JAPANESE) * 99, JAPANESE * 99),
        ("en", "x" * 10_000 + ". Next one.", ["x" * 10_000 + ".", "Next one."]),
        ("en", "He left. " * 300 + "y" * 5000 + "! He left.", ["He left."] * 300 + ["y" * 5000 + "!", "He left."]),
    ],
)
def test_blanks_are_dropped_and_windows_cut_no_sentence(language: str, text: str, sentences: list[str]) -> None:
    assert split(text, language) == sentences


def test_unicode_whitespace_does_not_panic() -> None:
    text = "Plan A\u2003. Plan B\u00a0. Ende."
    with pytest.raises(BaseException, match="char boundary") as caught:
        sentencex.segment("de", text)
    assert not isinstance(caught.value, Exception)
    assert "".join(split(text, "de")).replace(" ", "") == text.replace(" ", "")


@given(st.text(), st.sampled_from(sorted(LANGUAGES)))
def test_any_text_is_split_and_only_whitespace_is_lost(text: str, language: str) -> None:
    text = text.encode(errors="replace").decode()
    sentences = split(text, language)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in sentences)


def test_language_codes_are_normalized() -> None:
    codes = ["EN", "en-US", "pt-BR", "pt_br", " de ", "zh-Hant-TW"]
    assert [check_language("language", code) for code in codes] == ["en", "en", "pt", "pt", "de", "zh-hant"]


def test_unknown_language_raises_an_error_listing_the_known_ones() -> None:
    message = r"language must be a language code that sentencex supports, got .*, de, .*, ja, .*sentence_splitter"
    for wrong in ("xx", "english", "", "-", None):
        with pytest.raises(ValueError, match=message):
            check_language("language", wrong)


def test_library_is_named_in_the_signature_and_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert splitter_version("de") == f"de-sentencex-{metadata.version('sentencex')}-v2"
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(ImportError, match="pip install sentencex"):
        make_splitter("en")


def test_splitter_that_does_not_return_strings_is_rejected() -> None:
    wrong: list[tuple[Any, str]] = [
        ("a b", "returned a str, not a list of strings"),
        (["a", None], "item 1 is a NoneType"),
    ]
    for returned, message in wrong:
        with pytest.raises(ValueError, match=message):
            make_splitter("en", lambda _, returned=returned: returned)("text")  # type: ignore[misc]


class PanicException(BaseException):
    """The exception that pyo3 raises if Rust panics."""


@pytest.mark.parametrize(
    ("raised", "expected"),
    [(PanicException("at the disco"), ValueError), (KeyboardInterrupt(), KeyboardInterrupt), (OSError(), ValueError)],
)
def test_panic_becomes_an_error_but_no_interrupt(raised: BaseException, expected: type[BaseException]) -> None:
    def fails(_: str) -> list[str]:
        raise raised

    with pytest.raises(expected):
        make_splitter("en", fails)("text")


UNITS = ["x", "!'", "…?", "東京です。", "\n\n", "A. ", "» ", "„a ", "(‘Dr. ‛“", "«``《] a ", "word " * 100 + "« "]


@pytest.mark.parametrize("unit", [*UNITS, None])
def test_work_is_linear_in_the_length_of_any_text(unit: str | None) -> None:
    """The time of sentencex for a window is at worst the number of its quotation marks times its length."""
    choose = random.Random(0)  # test data
    pieces = [*" .?!“”()«»", "\n\n", "a", "B. ", "word " * 300, "x" * 1500]
    mixed = "".join(choose.choices(pieces, weights=[5] * 13 + [1, 1], k=400))
    text = mixed if unit is None else unit * (50_000 // len(unit))
    windows: list[str] = []
    ends = sentence_ends("en")

    def record(window: str) -> list[int]:
        windows.append(window)
        return ends(window)

    sentences = split_sentences(text, record)
    assert "".join(sentences).rstrip() == text.rstrip()
    longest = max(map(len, windows))
    assert longest <= max(2000, window_size(text))
    assert sum(map(len, windows)) <= 4 * len(text) + longest
    work = sum(sum(map(window.count, MARKS)) * len(window) for window in windows)
    assert work <= 4 * 2000 * len(text)
    if "x" * 1500 in text:
        assert longest <= 2000
