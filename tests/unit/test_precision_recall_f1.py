"""precision_recall_f1: hand-computed scores, formulas, intervals, options and errors."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.precision_recall_f1.precision_recall_f1 import scores

STRATEGIES = ("EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH", "ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH")
ROUGE_SENTENCES = {"matching_strategy": "ROUGE_SENTENCE_MATCH"}
# Two queries. In the first, one chunk is equal, one contains a ground truth with other punctuation, one is irrelevant.
RETRIEVED = [
    [
        "The Rhone is a river. Lyon lies on the Rhone.",
        "Well: the capital of France is Paris, they say.",
        "Bananas are yellow.",
    ],
    ["Mount Everest is 8849 meters high. It is in Asia."],
]
GROUND_TRUTH = [
    ["The Rhone is a river. Lyon lies on the Rhone.", "The capital of France is Paris."],
    ["K2 is 8611 meters high. It is in Asia."],
]

Compute = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def compute(metric: Callable[[str], Any]) -> Compute:
    def run(retrieved: Any, ground_truth: Any, **options: Any) -> dict[str, Any]:
        inputs = {"predictions": retrieved, "references": ground_truth}
        result: dict[str, Any] = metric("precision_recall_f1").compute(**inputs, **options)
        return result

    return run


@pytest.mark.parametrize(
    ("strategy", "pairs", "precisions", "recalls"),
    [
        ("EXACT_CHUNK_MATCH", [[[0, 0]], []], [1 / 3, 0.0], [1 / 2, 0.0]),
        # Sentences: 4 retrieved and 3 of the ground truth in the first query, 2 and 2 in the second.
        ("EXACT_SENTENCE_MATCH", [[[0, 0], [1, 1]], [[1, 1]]], [2 / 4, 1 / 2], [2 / 3, 1 / 2]),
        # 6 of 6 tokens of "The capital of France is Paris."; 7 of 9 of the chunk on K2, which are more than 0.7.
        ("ROUGE_CHUNK_MATCH", [[[0, 0], [1, 1]], [[0, 0]]], [2 / 3, 1.0], [1.0, 1.0]),
        # 3 of 5 tokens of "K2 is 8611 meters high." are not more than 0.8.
        ("ROUGE_SENTENCE_MATCH", [[[0, 0], [1, 1], [2, 2]], [[1, 1]]], [3 / 4, 1 / 2], [1.0, 1 / 2]),
    ],
)
def test_strategies_equal_hand_computed_scores(
    compute: Compute, strategy: str, pairs: list[list[list[int]]], precisions: list[float], recalls: list[float]
) -> None:
    result = compute(RETRIEVED, GROUND_TRUTH, matching_strategy=strategy, return_details=True)
    f1s = [2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precisions, recalls, strict=True)]
    assert result["matched_pairs"] == pairs
    for name, values in (("precision", precisions), ("recall", recalls), ("f1", f1s)):
        assert result[f"individual_{name}"] == values
        assert result[name] == pytest.approx(sum(values) / 2)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("retrieved", "truths", "expected"),
    [
        ([], ["One thing."], (0.0, 0.0, 0.0)),
        (["One thing.", "Other stuff."], ["One thing."], (0.5, 1.0, 2 / 3)),  # the seed prints F1 0.877, impossible
        (["One thing.", "One thing.", "No."], ["One thing."], (2 / 3, 1.0, 0.8)),  # retrieved twice counts twice
        (["One thing."], ["One thing.", "One thing.", "Other stuff."], (1.0, 0.5, 2 / 3)),
    ],
)
def test_edge_cases_have_the_documented_scores(
    compute: Compute, strategy: str, retrieved: list[str], truths: list[str], expected: tuple[float, ...]
) -> None:
    for average in ("macro", "micro"):
        result = compute([retrieved], [truths], matching_strategy=strategy, average=average)
        assert tuple(result.values()) == pytest.approx(expected)


def test_missing_ground_truth_scores_zero_and_warns(compute: Compute) -> None:
    with pytest.warns(UserWarning, match="2 of 3 queries have no ground truth and count with a recall of 0"):
        result = compute([["Yes."], ["Yes."], []], [["Yes."], [], []])
    assert list(result.values()) == [1 / 3] * 3
    with pytest.warns(UserWarning, match="1 of 2 queries has no ground truth and counts with a recall of 0"):
        compute([["Yes."], ["Yes."]], [["Yes."], []])


@given(st.lists(st.tuples(*[st.integers(0, 10**6)] * 4), min_size=1, max_size=5))
def test_scores_equal_the_formulas(rows: list[tuple[int, int, int, int]]) -> None:
    rows = [(min(a, b), b, min(c, d), d) for a, b, c, d in rows]
    for (a, b, c, d), (precision, recall, f1) in zip(rows, scores(np.array(rows)).tolist(), strict=True):
        p, r = Fraction(a, b or 1), Fraction(c, d or 1)
        assert (precision, recall) == (float(p), float(r))
        assert f1 == pytest.approx(float(2 * p * r / (p + r)) if p + r else 0.0)
        assert 0 <= f1 <= 1


@pytest.mark.parametrize(
    ("count", "option", "strategy"),
    [
        (7, "rouge_chunk_match_threshold", "ROUGE_CHUNK_MATCH"),
        (8, "rouge_sentence_match_threshold", "ROUGE_SENTENCE_MATCH"),
    ],
)
def test_recall_must_exceed_the_threshold(compute: Compute, count: int, option: str, strategy: str) -> None:
    def recall(text: str, **options: Any) -> float:
        return float(compute([[text]], [[ten]], matching_strategy=strategy, **options)["recall"])

    ten = "one two three four five six seven eight nine ten."
    at, above = (" ".join(ten.split()[:number]) for number in (count, count + 1))
    assert [recall(at), recall(above)] == [0.0, 1.0]
    assert [recall("none", **{option: 0}), recall("one", **{option: 0})] == [0.0, 1.0]
    with pytest.warns(UserWarning, match="greater than a threshold of 1.0, so nothing can match"):
        assert recall(ten, **{option: 1}) == 0.0
    other = ({"rouge_chunk_match_threshold", "rouge_sentence_match_threshold"} - {option}).pop()
    with pytest.warns(UserWarning, match=f"{other} has no effect without matching_strategy='"):
        assert recall(at, **{other: 0.1}) == 0.0


def test_text_without_ascii_letters_needs_the_unicode_tokenizer(compute: Compute) -> None:
    retrieved, truths = [["今天下雨。我们在家。"]], [["我们在家。"]]
    with pytest.warns(UserWarning, match=r"drops most of 2 texts, the first at predictions\[0\]\[0\].*unicode"):
        assert compute(retrieved, truths)["recall"] == 0.0
    assert compute(retrieved, truths, tokenizer="unicode")["recall"] == 1.0
    assert compute(retrieved, truths, **ROUGE_SENTENCES, tokenizer="unicode", language="zh")["precision"] == 0.5


def test_invalid_splitter_result_is_reported_with_its_position(compute: Compute) -> None:
    sentences = {"a": ["a"], "b": ["b"], "c": ["c"], "bad": None}
    splitter = {**ROUGE_SENTENCES, "sentence_splitter": sentences.__getitem__}
    assert compute([["a"]], [["a"]], **splitter)["f1"] == 1.0
    for text, message in (("bad", "returned a NoneType, not a list of strings"), ("d", "failed: KeyError: 'd'")):
        with pytest.raises(ValueError) as raised:  # the whole message is compared
            compute([["a"], ["a"]], [["a"], ["b", "c", text]], **splitter)
        assert str(raised.value) == f"precision_recall_f1: references[1][2]: sentence_splitter {message}"
