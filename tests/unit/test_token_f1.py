"""token_f1: compared with SQuAD v2's script, invariances, hand-computed scores, and the metric's options."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics._shared._tokens import answer_tokens
from tests.oracles import squad_normalized

TOKENIZERS: dict[str, Callable[[str], list[str]]] = {"squad": str.split, "unicode": answer_tokens}
WORDS = ["a", "the", "cat", "cats", "mat", "3.5", "-", "Zürich", "東", "京都", "。", ""]
text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
any_text = text | st.text(max_size=15)
several = st.lists(any_text, min_size=1, max_size=4)


@pytest.fixture(scope="module")
def token_f1(metric: Callable[[str], Any]) -> Any:
    return metric("token_f1")


# ---- SQuAD's script


def squad_f1(truth: list[str], tokens: list[str]) -> tuple[float, float, float]:
    """Return F1, precision and recall of normalized texts like `compute_f1` of evaluate-v2.0.py."""
    if not truth or not tokens:
        return (float(truth == tokens),) * 3
    shared = 0
    left = list(truth)
    for token in tokens:
        if token in left:
            left.remove(token)
            shared += 1
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


# ---- by hand


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [
        ("cat on mat", ["cat on a mat"], (6 / 6, 1.0, 1.0, 1)),  # articles do not count
        ("black cat", ["cat on mat"], (2 / 5, 1 / 2, 1 / 3, 0)),
        ("cat cat", ["cat"], (2 / 3, 1 / 2, 1.0, 0)),  # multisets: the second "cat" does not count
        ("mat cat", ["cat mat"], (1.0, 1.0, 1.0, 0)),  # the order of words does not count, except in exact match
        ("cat mat", ["cat", "cat mat dog"], (4 / 5, 1.0, 2 / 3, 0)),  # the best reference
        # 2 * 1 / (4 + 2) and 2 * 2 / (4 + 8): of equal F1, the higher precision
        ("w x q1 q2", ["w y", "w x y1 y2 y3 y4 y5 y6"], (1 / 3, 1 / 2, 1 / 4, 0)),
        ("", [""], (1.0, 1.0, 1.0, 1)),
        ("cat", [""], (0.0, 0.0, 0.0, 0)),
        ("", ["the", "cat"], (0.0, 0.0, 0.0, 0)),  # "the" becomes empty and is dropped
        ("", ["the", "!"], (1.0, 1.0, 1.0, 1)),  # all become empty: unanswerable
    ],
)
def test_scores_by_hand(token_f1: Any, prediction: str, references: list[str], expected: tuple[float, ...]) -> None:
    for several in (references, references[::-1]):
        result = token_f1.compute(predictions=[prediction], references=[several])
        assert tuple(result.values()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("prediction", "references", "by_words", "by_characters"),
    [
        ("北京市", ["北京"], (0, 0, 0, 0), (4 / 5, 2 / 3, 1.0, 0)),
        ("“Moby-Dick”", ["Moby-Dick"], (0, 0, 0, 0), (1, 1, 1, 1)),  # SQuAD removes ASCII punctuation only
        ("…", ["—"], (0, 0, 0, 0), (1, 1, 1, 1)),  # no tokens
        ("…", ["—", "x"], (0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_unicode_tokenizer_shares_characters_and_removes_all_punctuation(
    token_f1: Any, prediction: str, references: list[str], by_words: tuple[float, ...], by_characters: tuple[float, ...]
) -> None:
    answers = {"predictions": [prediction], "references": [references]}
    for tokenizer, expected in (("squad", by_words), ("unicode", by_characters)):
        result = token_f1.compute(**answers, tokenizer=tokenizer)
        assert tuple(result.values()) == pytest.approx(expected)


# ---- the metric


def test_result_has_four_means_and_details_per_example(token_f1: Any) -> None:
    answers = {"predictions": ["the black cat", "Lyon"], "references": [["cat", "black dog"], ["Paris"]]}
    result = token_f1.compute(**answers)
    assert result == {"f1": 1 / 3, "precision": 1 / 4, "recall": 1 / 2, "exact_match": 0.0}
    details = token_f1.compute(**answers, return_details=True)
    assert details == result | {
        "individual_f1": [2 / 3, 0.0],
        "individual_precision": [1 / 2, 0.0],
        "individual_recall": [1.0, 0.0],
        "individual_exact_match": [0, 0],
    }
