"""Normalizers, tokenizers, splitters and comparisons on arbitrary text."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rouge_score import tokenize

from metrics._shared._normalization import normalize, normalize_column, normalize_squad
from metrics.accuracy._matching import Matching, contains_phrase, match_answers, pairwise_similarities
from metrics.precision_recall_f1._retrieval import LANGUAGES, make_splitter
from metrics.precision_recall_f1._tokens import loses_most, rouge_tokens, unicode_tokens

# Characters that rules depend on: marks between digits, signs, combining and invisible marks, unusual whitespace.
_TELLING = st.text(
    st.sampled_from(
        "01289٣५０²½①.,:/-−–+#%$€()!?aZßİıſKǅéꙴ\u0301\u0308\u0345\u0e31\u3099\u200b"
        "\u200d\xad\ufe0f \t\n\u2003\x1c\0、。가각ᄀ"
    )
)
_ANY = st.text(st.characters(exclude_categories=["Cs"]))
TEXT = _TELLING | _ANY | st.lists(_TELLING | _ANY, max_size=4).map("".join)
WORDS = st.lists(
    st.sampled_from(["Dr.", "No.", "e.g.", "3.5", "U.S.", '"', "Paris", "!", "...", "\u2003", "\n", "。", ")"]) | _ANY
).map(" ".join)


@given(TEXT, st.booleans())
def test_normalization_is_idempotent_and_loses_no_text(text: str, case_sensitive: bool) -> None:  # noqa: FBT001
    form = normalize(text, case_sensitive=case_sensitive)
    assert normalize(form, case_sensitive=case_sensitive) == form
    assert form == form.strip()
    assert unicodedata.is_normalized("NFC", form)
    assert normalize(unicodedata.normalize("NFD", text), case_sensitive=case_sensitive) == form


@given(st.lists(TEXT, max_size=6), st.booleans(), st.booleans())
def test_normalized_column_equals_its_normalized_texts(texts: list[str], case_sensitive: bool, rules: bool) -> None:  # noqa: FBT001
    options = {"case_sensitive": case_sensitive, "normalize_text": rules}
    assert normalize_column(texts, **options) == [normalize(text, **options) for text in texts]


@given(TEXT)
def test_squad_normalization_leaves_no_punctuation_or_extra_space(text: str) -> None:
    form = normalize_squad(text)
    assert form == " ".join(form.split())
    assert not set(form) & set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@given(TEXT)
def test_tokens_equal_rouge_score(text: str) -> None:
    assert rouge_tokens(text) == tokenize.tokenize(text, None)
    tokens = unicode_tokens(text)
    assert all(tokens)
    assert all(any(map(str.isalnum, token)) for token in tokens)
    assert isinstance(loses_most(text), bool)


@given(TEXT | WORDS, st.sampled_from(sorted(LANGUAGES)) | st.sampled_from(["en", "de", "ja", "hy", "kk"]))
def test_sentences_contain_the_whole_text(text: str, language: str) -> None:
    sentences = make_splitter(language)(text)
    assert all(sentence == sentence.strip() != "" for sentence in sentences)
    assert re.sub(r"\s", "", "".join(sentences)) == re.sub(r"\s", "", text)


@given(TEXT, TEXT, st.sampled_from(["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "WRatio"]))
def test_similarities_are_between_0_and_1(one: str, other: str, scorer: str) -> None:
    assert 0.0 <= pairwise_similarities([one], [other], scorer)[0] <= 1.0  # type: ignore[arg-type]
    found = match_answers([one, one], [other, one], rules=Matching(match="contains", scorer=scorer))  # type: ignore[arg-type]
    types, similarities = found.types, found.similarities
    assert types[1] == "exact"
    assert similarities[1] == 1.0
    assert isinstance(contains_phrase(one, other), bool)
    assert contains_phrase(one, one) == bool(one)
