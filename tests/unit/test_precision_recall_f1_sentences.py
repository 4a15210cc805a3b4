"""Sentence splitters: results, limits, and inputs that make sentencex fail."""

import random
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
from tests.growth import growth


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
def test_text_is_split_into_sentences(language: str, text: str, sentences: list[str]) -> None:
    assert split(text, language) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["It rains here.", "We stay inside."],
        ["Who is she?", "Nobody knows!", "Ask Ann."],
        ["The book of Ann B. Lee is out."],
        ["See p. 12 for the map."],
        ["He sold it to Smith & Co. in May."],
        ["Mt. Etna is active.", "It is in Italy."],
        ["St. Mary's stands on 3rd st. near the park."],
        ["That is Tom Jr.'s car."],
        ["He left the U.S.A. last May."],
        ["We moved to the E.U.", "Why did you?"],
        ["The U.S. Senate met for 3 hours."],
        ["It cost $12.50 in all."],
        ["It cost $12.50.", "That is a lot."],
        ["She sings (she was a teacher once.) in our choir."],
        ["Write to ann.lee@example.com.", "She will answer."],
        ["It is at https://www.example.com/a.b/c_d.html.", "Have a look."],
        ["He said, 'It is late.' and left."],
        ['He said, "It is late."', "She turned around."],
        ["No!!", "Never again."],
        ["Really?!", "Are you sure?"],
        ["She works for Yahoo! in sales."],
        ["It was cold....", "She went home."],
    ],
)
def test_english_golden_rule_cases_are_split(sentences: list[str]) -> None:
    """The cases of pySBD's golden rules for English, paraphrased."""
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u3000\u2003\t"])
def test_blank_texts_have_no_sentences(language: str, text: str) -> None:
    assert split(text, language) == []


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


@pytest.mark.parametrize(
    ("given_code", "code"),
    [("EN", "en"), ("en-US", "en"), ("pt-BR", "pt"), ("pt_br", "pt"), (" de ", "de"), ("zh-Hant-TW", "zh-hant")],
)
def test_language_codes_are_normalized(given_code: str, code: str) -> None:
    assert Language().check("language", given_code) == code


@pytest.mark.parametrize("wrong", ["xx", "english", "", "-", "12", None, 5])
def test_unknown_language_raises_an_error_listing_the_known_ones(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"language must be .*, de, .*, ja, .*sentence_splitter"):
        Language().check("language", wrong)


def test_splitter_version_names_language_and_library() -> None:
    assert splitter_version("de") == f"de-sentencex-{metadata.version('sentencex')}-v2"


# ---- custom splitters


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
def test_splitter_that_does_not_return_strings_is_rejected(returned: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_splitter("en", lambda _: returned)("text")  # type: ignore[arg-type, return-value]  # that is the point


def test_splitter_is_called_once_per_text_and_sentences_are_trimmed() -> None:
    calls: list[str] = []

    def halves(text: str) -> list[str]:
        calls.append(text)
        return [f" {half}\n" for half in text.split("|")]

    splitter = make_splitter("en", halves)
    assert [splitter("a|b||c"), splitter("a|b||c")] == [["a", "b", "c"]] * 2
    assert calls == ["a|b||c"]


class PanicException(BaseException):
    """The exception that pyo3 raises if Rust panics."""


@pytest.mark.parametrize(
    ("raised", "expected"),
    [(PanicException("at the disco"), ValueError), (KeyboardInterrupt(), KeyboardInterrupt), (OSError(), OSError)],
)
def test_panic_becomes_an_error_and_interrupt_is_not_swallowed(
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
def test_window_boundary_does_not_cut_a_sentence(language: str, text: str, sentences: list[str]) -> None:
    assert split(text, language) == sentences


@pytest.mark.parametrize("language", ["en", "hy"])
@pytest.mark.parametrize(
    "unit",
    [
        *[
            "x",
            "?",
            "!'",
            "…?",
            "東京です。",
            "a.",
            ".\u3000",
            "? ",
            "\n\n",
            "A. ",
            "» ",
            "„a ",
            "‘a ",
            "(‘Dr. ‛“",
            "No. ”",
        ],
        *["«``《] a ", '"‛」 ', "@'' 」 《", '〈 [" 1. ', "(a). ", "[1 ``", "word " * 100 + "« ", "“Yes.” "],
    ],
)
def test_any_text_takes_linear_time(language: str, unit: str) -> None:
    split_once = make_splitter(language)

    def split_uncached(text: str) -> None:
        split_once(text + str(len(seen)))
        seen.append(text)

    seen: list[str] = []
    assert growth(split_uncached, lambda size: unit * (size // len(unit)), 6_000) < 1.6


@pytest.mark.parametrize("seed", range(20))
def test_every_character_is_read_a_bounded_number_of_times(seed: int) -> None:
    choose = random.Random(seed)  # noqa: S311  # test data
    pieces = [*" .?!“”()«»", "\n\n", "a", "B. ", "word " * 300, "x" * 1500]
    text = "".join(choose.choices(pieces, weights=[5] * 13 + [1, 1], k=400))
    read: list[int] = []
    ends = _sentences._sentence_ends("en")

    def record_window(window: str) -> list[int]:
        read.append(len(window))
        return ends(window)

    pieces = _sentences.split_sentences(text, record_window)
    assert "".join(pieces) == text
    assert max(read) <= max(2000, _sentences.window_size(text))
    assert sum(read) <= 4 * len(text) + max(read)


def test_ordinary_long_text_fits_in_one_window() -> None:
    text = "He said: “I have seen it (twice, in 1994).” Nobody believed him, though. " * 100
    assert len(text) < _sentences.window_size(text)


def test_missing_sentencex_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(ImportError, match="pip install sentencex"):
        make_splitter("en")
