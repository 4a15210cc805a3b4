"""Sentences: what the splitters do, and where they would fail."""

import sys
from importlib import metadata

import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared import _sentences
from metrics._shared._sentences import LANGUAGES
from metrics._shared._sentences import Language
from metrics._shared._sentences import make_splitter
from metrics._shared._sentences import splitter_version


def split(text: str, language: str = "en") -> list[str]:
    return make_splitter(language)(text)


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", "Dr. Smith left at 5 p.m. today.  Late!\n\nWhy? ", ["Dr. Smith left at 5 p.m. today.", "Late!", "Why?"]),
        ("en", "One sentence", ["One sentence"]),
        ("en", "A line\nbreak inside. And out.", ["A line\nbreak inside.", "And out."]),
        ("en", "Ends.\u00a0Begins.\u2003Again.", ["Ends.", "Begins.", "Again."]),
        ("de", "Das ist z.B. so.  Und das?   Ja! ", ["Das ist z.B. so.", "Und das?", "Ja!"]),
        ("pt", "O Sr. Silva saiu. Ele voltou.", ["O Sr. Silva saiu.", "Ele voltou."]),
        ("ja", "東京です。「大阪。」と言った。終わり！", ["東京です。", "「大阪。」", "と言った。", "終わり！"]),
        ("zh", "今天下雨。我们在家。", ["今天下雨。", "我们在家。"]),
        ("hi", "यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
        ("ar", "أين الكتاب؟ الكتاب هنا.", ["أين الكتاب؟", "الكتاب هنا."]),
    ],
)
def test_sentences(language: str, text: str, sentences: list[str]) -> None:
    assert split(text, language) == sentences


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u3000\u2003\t"])
def test_blank_texts_have_no_sentences(language: str, text: str) -> None:
    assert split(text, language) == []


def test_unicode_white_space_that_makes_sentencex_panic() -> None:
    text = "Plan A\u2003. Plan B\u00a0. Ende."
    with pytest.raises(BaseException, match="char boundary") as caught:
        sentencex.segment("de", text)
    assert not isinstance(caught.value, Exception)
    assert "".join(split(text, "de")).replace(" ", "") == text.replace(" ", "")


@given(st.text(), st.sampled_from(sorted(LANGUAGES)))
def test_no_text_fails_and_nothing_but_white_space_is_lost(text: str, language: str) -> None:
    text = text.encode(errors="replace").decode()
    sentences = split(text, language)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in sentences)


@pytest.mark.parametrize(
    ("given_code", "code"),
    [("EN", "en"), ("en-US", "en"), ("pt-BR", "pt"), ("pt_br", "pt"), (" de ", "de"), ("zh-Hant-TW", "zh-hant")],
)
def test_codes_of_languages(given_code: str, code: str) -> None:
    assert Language().check("language", given_code) == code


@pytest.mark.parametrize("wrong", ["xx", "english", "", "-", "12", None, 5])
def test_an_unknown_language_is_an_error_that_lists_the_known_ones(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"language must be .*, de, .*, ja, .*sentence_splitter"):
        Language().check("language", wrong)


def test_a_signature_names_the_library_that_splits() -> None:
    assert splitter_version("en") == f"nupunkt-{metadata.version('nupunkt')}-v1"
    assert splitter_version("de") == f"sentencex-{metadata.version('sentencex')}-v1"


# ---- a splitter of the user's


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("a string", "returned a str, not a list of strings"),
        (None, "returned a NoneType"),
        (("a",), "returned a tuple"),
        (["a", None], "whose item 1 is a NoneType"),
        ([b"a"], "whose item 0 is a bytes"),
    ],
)
def test_what_is_no_list_of_strings(returned: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_splitter("en", lambda _: returned)("text")  # type: ignore[arg-type, return-value]  # that is the point


def test_a_splitter_is_called_once_per_text_and_its_sentences_are_trimmed() -> None:
    calls: list[str] = []

    def halves(text: str) -> list[str]:
        calls.append(text)
        return [f" {half}\n" for half in text.split("|")]

    splitter = make_splitter("en", halves)
    assert [splitter("a|b||c"), splitter("a|b||c")] == [["a", "b", "c"]] * 2
    assert calls == ["a|b||c"]


class PanicException(BaseException):
    """What pyo3 raises where Rust panics."""


@pytest.mark.parametrize(
    ("raised", "expected"),
    [(PanicException("at the disco"), ValueError), (KeyboardInterrupt(), KeyboardInterrupt), (OSError(), OSError)],
)
def test_a_panic_is_an_error_like_others_and_an_interrupt_is_not_swallowed(
    raised: BaseException, expected: type[BaseException]
) -> None:
    def fails(_: str) -> list[str]:
        raise raised

    with pytest.raises(expected):
        make_splitter("en", fails)("text")


# ---- long texts without spaces

JAPANESE = "東京は日本の首都です。「大阪へ行きます。」と彼は言った。すばらしい！"


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        (
            "ja",
            JAPANESE * 300,
            ["東京は日本の首都です。", "「大阪へ行きます。」", "と彼は言った。", "すばらしい！"] * 300,
        ),
        ("en", "x" * 10_000 + ". Next one.", ["x" * 10_000 + ".", "Next one."]),
        ("en", "He left. " * 300 + "y" * 5000 + "! He left.", ["He left."] * 300 + ["y" * 5000 + "!", "He left."]),
        ("de", "z" * 10_000, ["z" * 10_000]),
    ],
)
def test_a_window_cuts_no_sentence(language: str, text: str, sentences: list[str]) -> None:
    assert split(text, language) == sentences


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("unit", ["x", "?", "!'", "…?", "東京です。", "a.", ".\u3000", "? ", "\n\n", "A. "])
def test_the_splitters_see_texts_of_bounded_length_or_with_spaces(language: str, unit: str) -> None:
    # The time itself is not tested: what makes it grow with the square of the length is a long run without spaces.
    seen: list[str] = []
    ends = _sentences._ends_in(language)

    def watching(text: str) -> list[int]:
        seen.append(text)
        return ends(text)

    text = unit * 20_000
    _sentences.split_sentences(text, watching)
    longest_run = max(len(run) for piece in seen for run in piece.split() or [""])
    assert longest_run <= 2000  # the window that the card names
    assert sum(map(len, seen)) <= 3 * len(text) + 2000


def test_a_splitter_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for language, library in (("en", "nupunkt"), ("de", "sentencex")):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(ImportError, match=f"pip install {library}"):
            make_splitter(language)
