"""Token overlap: SQuAD v2's and MLQA's rules, reimplemented, and invariances of the scores."""

import random
import re
import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from metrics.token_f1._overlap import TOKENIZERS
from metrics.token_f1._overlap import Overlap
from metrics.token_f1._overlap import count_shared
from metrics.token_f1._overlap import score_answer
from metrics.token_f1._overlap import unicode_tokens

WORDS = ["a", "the", "cat", "cats", "mat", "3.5", "-", "Zürich", "東", "京都", "。", ""]
text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
several = st.lists(text, min_size=1, max_size=4)


# ---- oracles


def squad_normalized(answer: str) -> str:
    kept = "".join(character for character in answer.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def squad_f1(truth: str, prediction: str) -> tuple[float, float, float]:
    """Return F1, precision and recall of normalized texts like `compute_f1` of evaluate-v2.0.py."""
    truth_tokens, tokens = truth.split(), prediction.split()
    if not truth_tokens or not tokens:
        return (float(truth_tokens == tokens),) * 3
    shared = 0
    left = list(truth_tokens)
    for token in tokens:
        if token in left:
            left.remove(token)
            shared += 1
    if shared == 0:
        return 0.0, 0.0, 0.0
    precision, recall = shared / len(tokens), shared / len(truth_tokens)
    return 2 * precision * recall / (precision + recall), precision, recall


def squad_scores(prediction: str, references: list[str]) -> tuple[float, int]:
    """Return F1 and exact match like `get_raw_scores` of evaluate-v2.0.py."""
    truths = [truth for truth in references if squad_normalized(truth)] or [""]
    f1 = max(squad_f1(squad_normalized(truth), squad_normalized(prediction))[0] for truth in truths)
    return f1, max(int(squad_normalized(truth) == squad_normalized(prediction)) for truth in truths)


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


def score(prediction: str, references: list[str], tokenizer: str = "squad") -> Overlap:
    normalized = [squad_normalized(reference) for reference in references]
    return score_answer(squad_normalized(prediction), normalized, TOKENIZERS[tokenizer])


@settings(max_examples=500)
@given(text | st.text(max_size=15), st.lists(text | st.text(max_size=15), min_size=1, max_size=4))
def test_scores_equal_squad_v2(prediction: str, references: list[str]) -> None:
    f1, exact_match = squad_scores(prediction, references)
    result = score(prediction, references)
    assert result.f1 == pytest.approx(f1, rel=1e-15, abs=0)
    assert result.exact_match == exact_match


@given(text, several)
def test_precision_and_recall_belong_to_a_reference_with_the_best_f1(prediction: str, references: list[str]) -> None:
    result = score(prediction, references)
    normalized = [squad_normalized(truth) for truth in references]
    candidates = [squad_f1(truth, squad_normalized(prediction)) for truth in normalized if truth] or [
        squad_f1("", squad_normalized(prediction))
    ]
    assert (result.precision, result.recall) in [(precision, recall) for _, precision, recall in candidates]
    assert max(candidates)[1:] == (result.precision, result.recall)


_CHINESE = st.text("中国北京的一丁GPT4 3.5km·，。《》（）-°é", max_size=20)


@given(_CHINESE, _CHINESE)
def test_chinese_tokens_and_exact_match_equal_mlqa(answer: str, truth: str) -> None:
    assert unicode_tokens(squad_normalized(answer)) == mlqa_chinese_tokens(answer)
    equal = mlqa_chinese_tokens(answer) == mlqa_chinese_tokens(truth)
    assert score(answer, [truth], "unicode").exact_match == equal


# ---- by hand


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [
        ("cat on mat", ["cat on a mat"], (6 / 6, 1.0, 1.0, 1)),  # articles do not count
        ("black cat", ["cat on mat"], (2 / 5, 1 / 2, 1 / 3, 0)),
        ("cat cat", ["cat"], (2 / 3, 1 / 2, 1.0, 0)),  # multisets: the second "cat" does not count
        ("cat cat", ["cat cat cat"], (4 / 5, 1.0, 2 / 3, 0)),
        ("mat cat", ["cat mat"], (1.0, 1.0, 1.0, 0)),  # the order of words does not count, except in exact match
        ("dog", ["cat"], (0.0, 0.0, 0.0, 0)),
        ("cat mat", ["cat", "cat mat dog"], (4 / 5, 1.0, 2 / 3, 0)),  # the best reference
        ("", [""], (1.0, 1.0, 1.0, 1)),
        ("the", [""], (1.0, 1.0, 1.0, 1)),  # it becomes empty
        ("cat", [""], (0.0, 0.0, 0.0, 0)),
        ("", ["cat"], (0.0, 0.0, 0.0, 0)),
        ("", ["the", "cat"], (0.0, 0.0, 0.0, 0)),  # "the" becomes empty and is dropped
        ("", ["the", "!"], (1.0, 1.0, 1.0, 1)),  # all become empty: unanswerable
        ("A", ["a"], (1.0, 1.0, 1.0, 1)),
    ],
)
def test_scores_equal_hand_computed_values(prediction: str, references: list[str], expected: tuple[float, ...]) -> None:
    assert score(prediction, references) == expected


def test_f1_ties_between_references_prefer_higher_precision() -> None:
    references = ["w y", "w x y1 y2 y3 y4 y5 y6"]  # 2 * 1 / (4 + 2) and 2 * 2 / (4 + 8)
    for candidates in (references, references[::-1]):
        assert score("w x q1 q2", candidates) == (1 / 3, 1 / 2, 1 / 4, 0)


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [
        ("2008年北京", ["2008", "年", "北", "京"]),
        ("gpt4 模型", ["gpt4", "模", "型"]),
        ("“paris” – ville", ["paris", "ville"]),  # non-ASCII quotes and dashes are not tokens
        ("3.5 km", ["3.5", "km"]),  # the normalizer removes ASCII punctuation
        ("3.5公里", ["3.5", "公", "里"]),
        ("20°c", ["20°c"]),
        ("cafe\u0301 naïve", ["café", "naïve"]),  # composed and decomposed forms are equal
        ("ก็ดี", ["ก็", "ดี"]),  # marks stay with their letter
        ("한국어 문장", ["한국어", "문장"]),  # Korean has spaces
        ("東\u3000京", ["東", "京"]),
        ("。", []),
        ("", []),
    ],
)
def test_unicode_tokenizer_splits_words_and_characters(answer: str, tokens: list[str]) -> None:
    assert unicode_tokens(answer) == tokens


def test_chinese_answers_share_characters_with_the_unicode_tokenizer_only() -> None:
    assert score("北京市", ["北京"]).f1 == 0
    assert score("北京市", ["北京"], "unicode") == (4 / 5, 2 / 3, 1.0, 0)


def test_texts_without_tokens_match() -> None:
    assert score_answer("…", ["—"], unicode_tokens) == (1.0, 1.0, 1.0, 1)
    assert score_answer("…", ["—", "x"], unicode_tokens) == (0.0, 0.0, 0.0, 0)


def test_punctuation_that_the_tokenizer_removes_does_not_count_in_exact_match() -> None:
    assert score("“Moby-Dick”", ["Moby-Dick"], "unicode").exact_match == 1
    assert score("“Moby-Dick”", ["Moby-Dick"]).exact_match == 0  # like SQuAD, which removes ASCII punctuation only


# ---- properties

tokens = st.lists(st.sampled_from("abcd"), max_size=8)


@given(tokens, tokens)
def test_shared_tokens_count_with_multiplicity(first: list[str], second: list[str]) -> None:
    assert count_shared(first, second) == sum(min(first.count(token), second.count(token)) for token in set(first))


@given(text, several, st.sampled_from(sorted(TOKENIZERS)))
def test_scores_are_in_range_and_exact_match_scores_one(prediction: str, references: list[str], tokenizer: str) -> None:
    result = score(prediction, references, tokenizer)
    assert all(0 <= value <= 1 for value in result)
    assert min(result.precision, result.recall) <= result.f1 <= max(result.precision, result.recall)
    if result.exact_match:
        assert result == (1.0, 1.0, 1.0, 1)


@given(text, several, st.randoms(), st.sampled_from(sorted(TOKENIZERS)))
def test_order_and_repetition_of_references_do_not_matter(
    prediction: str, references: list[str], rng: random.Random, tokenizer: str
) -> None:
    shuffled = [*references, *references[:1]]
    rng.shuffle(shuffled)
    assert score(prediction, shuffled, tokenizer) == score(prediction, references, tokenizer)


@given(tokens, tokens)
def test_word_order_does_not_change_f1(first: list[str], second: list[str]) -> None:
    words = [f"{letter}{letter}" for letter in first]  # "a" is an article
    truth = " ".join(f"{letter}{letter}" for letter in second)
    straight, reverse = score(" ".join(words), [truth]), score(" ".join(reversed(words)), [truth])
    assert straight[:3] == reverse[:3]


@given(text, text)
def test_swapping_prediction_and_reference_swaps_precision_and_recall(first: str, second: str) -> None:
    there, back = score(first, [second]), score(second, [first])
    assert (there.f1, there.precision, there.recall, there.exact_match) == (
        back.f1,
        back.recall,
        back.precision,
        back.exact_match,
    )


@given(text, several, text)
def test_additional_nonempty_reference_never_lowers_f1(prediction: str, references: list[str], more: str) -> None:
    if any(squad_normalized(reference) for reference in references):
        assert score(prediction, [*references, more]).f1 >= score(prediction, references).f1


@given(st.text(max_size=20))
def test_unicode_tokens_keep_all_but_spaces_and_punctuation(answer: str) -> None:
    composed = unicodedata.normalize("NFC", answer)
    kept = [c for c in composed if c.isascii() or not unicodedata.category(c).startswith("P")]
    assert (
        "".join(unicode_tokens(composed)).split()
        == "".join(c for c in unicodedata.normalize("NFC", "".join(kept)) if not c.isspace()).split()
    )
