"""Tokenizers: compared with rouge-score and MLQA's script, and by hand."""

import string
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from metrics._shared import _tokens
from metrics._shared._tokens import answer_tokens, loses_most, make_tokenizer, rouge_tokens, tokenizer_version

WORDS = ["The", "CATS", "running", "it's", "relational", "12", "İstanbul", "K", "東京", "oed", "dying", "skies"]

text = st.text(max_size=30) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join)


def test_every_character_separates_or_joins_tokens_as_in_rouge_score() -> None:
    every = "".join(f"x{chr(code)}Y " for code in range(sys.maxunicode + 1))
    assert rouge_tokens(every) == DefaultTokenizer().tokenize(every)


@given(text, st.booleans())
def test_tokens_and_stems_equal_rouge_score(answer: str, use_stemmer: bool) -> None:  # noqa: FBT001
    tokenize = make_tokenizer("rouge", use_stemmer=use_stemmer)
    assert tokenize(answer) == DefaultTokenizer(use_stemmer).tokenize(answer)


@pytest.mark.parametrize(
    ("answer", "words", "answer_words"),
    [
        ("東京タワー2020年", ["東", "京", "タ", "ワ", "ー", "2020", "年"], None),
        ("हिन्दी में", ["हिन्दी", "में"], None),  # vowel signs are not letters, but belong to words
        ("العَرَبِيَّة مرحبا", ["العَرَبِيَّة", "مرحبا"], None),
        ("café cafe\u0301", ["café", "café"], None),
        ("東\u3000京。", ["東", "京"], None),
        ("กข ກຂ ཀཁ ကခ កខ", [*"กขກຂཀཁကခកខ"], None),
        ("ᥐᥑ ᬓᬔ かナㄅ 한국", [*"ᥐᥑᬓᬔかナㄅ", "한국"], None),
        ("", [], None),
        # Answers are normalized before, which removes ASCII punctuation, or keeps it in numbers.
        ("Straße", ["strasse"], ["Straße"]),
        ("3.5公里", ["3", "5", "公", "里"], ["3.5", "公", "里"]),
        ("20°c", ["20", "c"], ["20°c"]),
        ("snake_case — “quoted”", ["snake", "case", "quoted"], ["snake_case", "quoted"]),
    ],
)
def test_unicode_tokenizers_by_hand(answer: str, words: list[str], answer_words: list[str] | None) -> None:
    assert make_tokenizer("unicode", use_stemmer=False)(answer) == words
    assert answer_tokens(answer) == (answer_words or words)


def mlqa_chinese_tokens(answer: str) -> list[str]:
    """Segment a text like `normalize_answer(..., "zh")` of mlqa_evaluation_v1.py."""
    tokens, word = [], ""
    for character in answer.lower():
        if unicodedata.category(character).startswith("P") or character in string.punctuation:
            continue
        if "\u4e00" <= character <= "\u9fa5":
            tokens += [*word.split(), character]
            word = ""
        else:
            word += character
    return tokens + word.split()


@given(st.text("中国北京的一丁GPT4 35km·，。《》（）°é", max_size=20))
def test_chinese_tokens_equal_mlqa(answer: str) -> None:
    assert answer_tokens(answer.lower()) == mlqa_chinese_tokens(answer)


def test_texts_that_rouge_tokens_cannot_read_are_found() -> None:
    assert loses_most("東京")
    assert loses_most("ab 東京都")
    for readable in ("ab 東京", "naïve café", ""):  # half of a text is not most of it
        assert not loses_most(readable)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score.tokenizers", None)
    with pytest.raises(ImportError, match="use_stemmer needs rouge-score: pip install rouge-score"):
        make_tokenizer("rouge", use_stemmer=True)
    _tokens._rouge_table.cache_clear()
    monkeypatch.setitem(sys.modules, "rouge_score.tokenize", None)
    with pytest.raises(ImportError, match='tokenizer="rouge" needs rouge-score: pip install rouge-score'):
        rouge_tokens("a")


def test_version_names_unicode_and_the_stemmer() -> None:
    assert tokenizer_version("rouge", use_stemmer=False) == "rouge-v1"
    assert tokenizer_version("rouge", use_stemmer=True).startswith("rouge-v1+porter-nltk-")
    assert tokenizer_version("unicode", use_stemmer=False) == f"unicode-v1-{unicodedata.unidata_version}"
