"""token_f1 and its tokenizers: compared with the scripts of SQuAD v2 and MLQA and with rouge-score, and by hand."""

import re
import string
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from answer_metrics.text import tokens as _tokens
from answer_metrics.text.normalization import normalize_answers
from answer_metrics.text.tokens import answer_tokens, loses_most, make_tokenizer, rouge_tokens, tokenizer_version
from tests.oracles import squad_normalized

TOKENIZERS: dict[str, Callable[[str], list[str]]] = {"squad": str.split, "unicode": answer_tokens}
WORDS = ["a", "the", "cat", "cats", "mat", "3.5", "-", "Zürich", "東", "京都", "。", ""]
text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
any_text = text | st.text(max_size=15)
several = st.lists(any_text, min_size=1, max_size=4)


def lower(text: str) -> str:
    return text.lower()


@pytest.fixture(scope="module")
def token_f1(metric: Callable[[str], Any]) -> Any:
    return metric("token_f1")


def squad_f1(truth: list[str], tokens: list[str]) -> tuple[float, float, float]:
    if not truth or not tokens:
        return (float(truth == tokens),) * 3
    shared = sum((Counter(truth) & Counter(tokens)).values())
    if shared == 0:
        return 0.0, 0.0, 0.0
    precision, recall = shared / len(tokens), shared / len(truth)
    return 2 * precision * recall / (precision + recall), precision, recall


def squad_scores(
    prediction: str, references: list[str], tokenize: Callable[[str], list[str]]
) -> tuple[tuple[float, float, float], int]:
    """Return the scores of the best reference, and exact match, like `get_raw_scores` of evaluate-v2.0.py."""
    tokens, *truths = (tokenize(squad_normalized(answer)) for answer in (prediction, *references))
    truths = [truth for truth in truths if truth] or [[]]
    return max(squad_f1(truth, tokens) for truth in truths), int(tokens in truths)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(rows=st.lists(st.tuples(any_text, several), min_size=1, max_size=4))
@example(rows=[("cat cat mat", ["cat cat cats"])])
@example(rows=[("w x q1 q2", ["w y", "w x y1 y2 y3 y4 y5 y6"])])  # of equal F1, the higher precision
@example(rows=[("", ["the", "!"]), ("", ["the", "cat"])])  # all become empty; one does
def test_scores_equal_squad_v2(token_f1: Any, tokenizer: str, rows: list[tuple[str, list[str]]]) -> None:
    predictions, references = [list(column) for column in zip(*rows, strict=True)]
    data = {"predictions": predictions, "references": references}
    result = token_f1.compute(**data, tokenizer=tokenizer, return_details=True)
    expected = [squad_scores(prediction, answers, TOKENIZERS[tokenizer]) for prediction, answers in rows]
    for index, name in enumerate(("f1", "precision", "recall")):
        values = [scores[index] for scores, _ in expected]
        assert result[f"individual_{name}"] == pytest.approx(values, rel=1e-15, abs=0)
        assert result[name] == pytest.approx(sum(values) / len(rows), rel=1e-14, abs=0)
    assert result["individual_exact_match"] == [exact for _, exact in expected]
    means = token_f1.compute(**data, tokenizer=tokenizer)
    assert list(means) == ["f1", "precision", "recall", "exact_match"]
    assert means == {name: result[name] for name in means}
    assert means["exact_match"] == sum(exact for _, exact in expected) / len(rows)


STEMMED = "The CATS running it's relational 12 İstanbul K 東京 oed dying skies was his dyed".split()
texts_of_words = st.text(max_size=30) | st.lists(st.sampled_from(STEMMED), max_size=20).map(" ".join)


def test_every_character_separates_or_joins_tokens_as_in_rouge_score() -> None:
    every = "".join(f"x{chr(code)}Y " for code in range(0x30000))
    assert rouge_tokens(every) == DefaultTokenizer().tokenize(every)


@given(texts_of_words, st.booleans())
@example(" ".join(STEMMED), True)
def test_tokens_and_stems_equal_rouge_score(answer: str, use_stemmer: bool) -> None:
    tokenize = make_tokenizer("rouge", use_stemmer=use_stemmer)
    assert tokenize(answer) == DefaultTokenizer(use_stemmer).tokenize(answer)


@pytest.mark.parametrize(
    ("answer", "words", "answer_words"),
    [
        ("東京タワー2020年", ["東", "京", "タ", "ワ", "ー", "2020", "年"], None),
        ("हिन्दी में", ["हिन्दी", "में"], None),  # vowel signs are not letters, but belong to words
        ("café cafe\u0301", ["café", "café"], None),
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


SCRIPTS = "THAI LAO TIBETAN MYANMAR KHMER TAI_LE NEW_TAI TAI_THAM TAI_VIET BALINESE JAVANESE CJK KANGXI IDEOGRAPHIC"
SCRIPTS += " VERTICAL_IDEOGRAPHIC HANGZHOU HIRAGANA HENTAIGANA KATAKANA HALFWIDTH_KATAKANA BOPOMOFO"


def test_every_letter_of_scripts_without_spaces_is_a_token() -> None:
    names = tuple(f"{name.replace('_', ' ')} " for name in SCRIPTS.split())
    for character in filter(str.isalnum, map(chr, (*range(0x10000), *range(0x1B000, 0x32000)))):
        name = unicodedata.name(character, "").replace("-", " ")
        if not re.search("ANNOTATION|MINNAN|TALLY", name):  # signs that are rarely in texts
            assert len(answer_tokens(f"a{character}b")) == (3 if name.startswith(names) else 1), name


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


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("normalizer", [None, "squad", "triviaqa", "default", lower])
def test_every_normalizer_goes_with_every_tokenizer(token_f1: Any, tokenizer: str, normalizer: Any) -> None:
    texts = ["The 1,500 cats.", "東京 Tower", "the-end A", "3.50"]
    truths = ["the 1500 Cats", "東 tower", "End; a the", "3.5"]
    tokenize = TOKENIZERS[tokenizer]
    pairs = [[*map(tokenize, normalize_answers(side, normalizer, "x"))] for side in (texts, truths)]
    options = {"tokenizer": tokenizer, "normalizer": normalizer, "return_details": True, "return_signature": True}
    result = token_f1.compute(predictions=texts, references=truths, **options)
    scores = [squad_f1(truth, tokens) for tokens, truth in zip(*pairs, strict=True)]
    for index, name in enumerate(("f1", "precision", "recall")):
        assert result[f"individual_{name}"] == pytest.approx([score[index] for score in scores])
    data = f"-{unicodedata.unidata_version}" if tokenizer == "unicode" else ""
    assert f"|tokens:{tokenizer}-v1{data}|" in result["signature"]
