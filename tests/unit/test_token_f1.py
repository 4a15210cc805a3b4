"""The metric `token_f1` through its public interface."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.test_token_f1_overlap import several
from tests.unit.test_token_f1_overlap import squad_scores
from tests.unit.test_token_f1_overlap import text


@pytest.fixture(scope="module")
def token_f1(metric: Callable[[str], Any]) -> Any:
    return metric("token_f1")


def last_word(answer: str) -> str:
    return answer.rpartition(" ")[2]


@given(st.lists(st.tuples(text, several), min_size=1, max_size=4))
def test_scores_equal_squad_v2(token_f1: Any, rows: list[tuple[str, list[str]]]) -> None:
    predictions, references = [list(column) for column in zip(*rows, strict=True)]
    result = token_f1.compute(predictions=predictions, references=references)
    expected = [squad_scores(prediction, answers) for prediction, answers in rows]
    assert result["f1"] == pytest.approx(sum(f1 for f1, _ in expected) / len(rows), rel=1e-14, abs=0)
    assert result["exact_match"] == sum(exact for _, exact in expected) / len(rows)


def test_default_result_has_the_four_means(token_f1: Any) -> None:
    result = token_f1.compute(predictions=["the black cat", "Lyon"], references=[["cat", "black dog"], ["Paris"]])
    assert result == {"f1": 1 / 3, "precision": 1 / 4, "recall": 1 / 2, "exact_match": 0.0}


def test_details_are_listed_per_example(token_f1: Any) -> None:
    result = token_f1.compute(predictions=["cat cat", "x"], references=["cat", "X"], return_details=True)
    assert {key: value for key, value in result.items() if key.startswith("individual_")} == {
        "individual_f1": [2 / 3, 1.0],
        "individual_precision": [1 / 2, 1.0],
        "individual_recall": [1.0, 1.0],
        "individual_exact_match": [0, 1],
    }


@pytest.mark.parametrize(
    ("normalizer", "f1"),
    [("squad", 1.0), ("default", 1 / 3), (None, 0.0), (last_word, 0.0), (str.upper, 1 / 3)],
)
def test_normalizer_determines_equal_words(token_f1: Any, normalizer: Any, f1: float) -> None:
    # Only "squad" removes "the" and turns 3.5 into 35; without a normalizer case is kept.
    result = token_f1.compute(predictions=["The KM 3.5"], references=["km 35 a"], normalizer=normalizer)
    assert result["f1"] == pytest.approx(f1)


def test_chinese_answers_share_characters_with_the_unicode_tokenizer(token_f1: Any) -> None:
    answers = {"predictions": ["答案是北京。"], "references": [["北京", "上海"]]}
    assert token_f1.compute(**answers)["f1"] == 0
    assert token_f1.compute(**answers, tokenizer="unicode") == {
        "f1": 4 / 7,
        "precision": 2 / 5,
        "recall": 1.0,
        "exact_match": 0.0,
    }


def test_normalizer_that_does_not_return_a_string_is_rejected(token_f1: Any) -> None:
    with pytest.raises(ValueError, match="normalizer returned 1 \\(int\\) for 'a', not a string"):
        token_f1.compute(predictions=["a"], references=["b"], normalizer=len)


def test_empty_list_of_references_is_rejected(token_f1: Any) -> None:
    with pytest.raises(ValueError, match=r"references\[1\] is an empty list"):
        token_f1.compute(predictions=["a", "b"], references=[["a"], []])


def test_signature_names_normalizer_and_tokenizer(token_f1: Any) -> None:
    answers = {"predictions": ["a"], "references": ["a"], "return_signature": True}
    assert "|norm:squad|tokens:squad-v1|" in token_f1.compute(**answers)["signature"]
    signature = token_f1.compute(**answers, normalizer=last_word, tokenizer="unicode")["signature"]
    assert "|norm:tests.unit.test_token_f1.last_word|tokens:unicode-v1-" in signature


def test_intervals_contain_their_scores_and_exact_match_is_a_proportion(token_f1: Any) -> None:
    answers = {"predictions": ["x b", "c", "d e f"] * 10, "references": ["b", "c", "y"] * 10}
    result = token_f1.compute(**answers, return_confidence=True)
    for name in ("f1", "precision", "recall", "exact_match"):
        low, high = result[f"{name}_confidence_interval"]
        assert 0 < low < result[name] < high < 1
    assert [round(bound, 4) for bound in result["exact_match_confidence_interval"]] == [0.1923, 0.5122]  # Wilson's


def test_comparison_covers_f1_and_exact_match(token_f1: Any) -> None:
    references = [f"word{i} other" for i in range(20)]
    systems = {
        "half": {"predictions": [f"word{i}" for i in range(20)], "references": references},
        "whole": {"predictions": references, "references": references},
    }
    result = token_f1.compare(systems, resamples=200)
    assert result["score"] == "f1"
    assert result["systems"]["whole"]["difference"] == {"f1": 1 - 2 / 3, "exact_match": 1.0}
    assert result["systems"]["whole"]["wins"] == {"f1": 20, "exact_match": 20}
    assert result["systems"]["whole"]["p_value"]["exact_match"] == 2 / 2**20


def test_human_labels_correct_f1(token_f1: Any) -> None:
    answers = {"predictions": ["x"] * 30 + ["y"] * 30, "references": ["x"] * 60}
    result = token_f1.compute(**answers, human_labels=[1.0] * 15 + [0.0] * 15 + [None] * 15 + [0.0] * 15)
    assert result["f1"] == 0.5
    assert result["f1_corrected"] < 0.5
