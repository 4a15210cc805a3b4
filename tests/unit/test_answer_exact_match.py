"""Answer exact match: comparison character by character, and after each normalizer."""

import re
import string
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._normalization import normalize_answers


@pytest.fixture
def exact_match(metric: Callable[[str], Any]) -> Any:
    return metric("answer_exact_match")


def test_one_of_two_matching_answers_scores_one_half(exact_match: Any) -> None:
    result = exact_match.compute(references=["Berlin", "Paris"], predictions=["Berlin", "Lyon"])
    assert result == {"score": 0.5, "individual_scores": [1, 0]}
    assert list(result) == ["score", "individual_scores"]
    assert [type(score) for score in result["individual_scores"]] == [int, int]
    assert type(result["score"]) is float


@pytest.mark.parametrize(
    ("prediction", "reference", "score", "reason"),
    [
        ("Berlin", "Berlin", 1, "equal"),
        ("Berlin", "berlin", 0, "case counts"),
        ("Berlin ", "Berlin", 0, "whitespace counts"),
        ("Berlin.", "Berlin", 0, "punctuation counts"),
        ("", "", 1, "empty equals empty"),
        ("", " ", 0, "a space is not empty"),
        ("café", "cafe\u0301", 0, "Unicode forms differ"),
        ("a\0", "a", 0, "NUL does not end a string"),
        ("\U0001f600", "\U0001f600", 1, "outside the BMP"),
    ],
)
def test_strings_match_only_if_every_character_is_equal(
    exact_match: Any, prediction: str, reference: str, score: int, reason: str
) -> None:
    for references in ([reference], [[reference]], [["other", reference]]):
        result = exact_match.compute(predictions=[prediction], references=references)
        assert result == {"score": float(score), "individual_scores": [score]}, reason


def test_any_of_several_references_may_match(exact_match: Any) -> None:
    result = exact_match.compute(predictions=["NYC", "LA"], references=[["New York", "NYC"], ["Los Angeles"]])
    assert result == {"score": 0.5, "individual_scores": [1, 0]}


def test_seed_decides_the_bootstrap_interval(exact_match: Any) -> None:
    inputs = {"predictions": ["a", "b", "c"] * 100, "references": ["a", "b", "x"] * 100}
    options = {"confidence_method": "bootstrap", "return_confidence": True, "return_details": False}
    found = [exact_match.compute(**inputs, **options, bootstrap_seed=seed) for seed in (0, 0, 1, 2, 3)]
    intervals = [result["score_confidence_interval"] for result in found]
    assert intervals[0] == intervals[1]
    assert len(set(intervals)) > 1


def test_interval_of_zero_in_twenty_by_each_method(exact_match: Any) -> None:
    data = {"predictions": ["a"] * 20, "references": ["b"] * 20, "return_confidence": True}
    assert exact_match.compute(**data)["score_confidence_interval"] == pytest.approx((0.0, 0.1611), abs=5e-5)
    exact = exact_match.compute(**data, confidence_method="clopper-pearson")["score_confidence_interval"]
    assert exact == pytest.approx((0.0, 0.1684), abs=5e-5)
    assert exact_match.compute(**data, confidence_method="bootstrap")["score_confidence_interval"] == (0.0, 0.0)
    low, high = exact_match.compute(**data, confidence_level=0.5)["score_confidence_interval"]
    assert (low, high) < (0.0, 0.1)


@pytest.mark.parametrize(
    ("prediction", "reference", "none", "default", "squad"),
    [
        ("The Seine.", "seine", 0, 0, 1),
        ("Seine.", "seine", 0, 1, 1),
        ("3.5", "35", 0, 0, 1),  # SQuAD's rules equate different numbers
        ("-5", "5", 0, 0, 1),  # likewise
        ("A", "the", 0, 0, 1),  # an article alone becomes empty
        ("A", "", 0, 0, 1),  # likewise
        ("1,000", "1000", 0, 1, 1),
        ("Ｔｏｋｙｏ", "tokyo", 0, 1, 0),
        ("「東京」", "東京", 0, 1, 0),  # SQuAD removes ASCII punctuation only
        ("STRASSE", "Straße", 0, 1, 0),  # SQuAD lowercases, without case folding
        ("İ", "i\u0307", 0, 1, 1),
        ("state-of-the-art", "stateoftheart", 0, 1, 1),
        ("state of the art", "state of art", 0, 0, 1),
    ],
)
def test_each_normalizer_decides_as_documented(
    exact_match: Any, prediction: str, reference: str, none: int, default: int, squad: int
) -> None:
    for normalizer, score in ((None, none), ("default", default), ("squad", squad)):
        for references in ([reference], [[reference, "another reference"]]):
            result = exact_match.compute(predictions=[prediction], references=references, normalizer=normalizer)
            assert result["individual_scores"] == [score], normalizer


def test_callable_normalizer_is_applied_to_both_sides(exact_match: Any) -> None:
    data = {"predictions": [" Berlin"], "references": ["Berlin"]}
    assert exact_match.compute(**data, normalizer=str.strip)["score"] == 1.0
    assert exact_match.compute(**data, normalizer=lambda text: text[:1])["score"] == 0.0
    with pytest.raises(ValueError, match="normalizer returned 7"):
        exact_match.compute(**data, normalizer=len)


def normalize_answer(text: str) -> str:
    """Reimplement `normalize_answer` of SQuAD's evaluate-v1.1.py step by step."""

    def remove_articles(text: str) -> str:
        return re.sub(r"\b(a|an|the)\b", " ", text)

    def white_space_fix(text: str) -> str:
        return " ".join(text.split())

    def remove_punc(text: str) -> str:
        exclude = set(string.punctuation)
        return "".join(ch for ch in text if ch not in exclude)

    def lower(text: str) -> str:
        return text.lower()

    return white_space_fix(remove_articles(remove_punc(lower(text))))


squad_texts = st.one_of(
    st.text(),
    st.lists(st.sampled_from(["a", "An", "THE", "the", "ana", "-", "_", ".", " ", "\n", "é", "\u0301", "1"])).map(
        "".join
    ),
)


@given(st.lists(squad_texts | st.sampled_from(["ΑΣ", "σΣ", "a\0the", "\0"]), max_size=5))
def test_squad_normalizer_of_a_column_equals_single_texts(texts: list[str]) -> None:
    assert normalize_answers(texts, "squad") == [normalize_answer(text) for text in texts]


def test_signature_names_the_normalizer(exact_match: Any) -> None:
    signatures = [
        exact_match.compute(predictions=["a"], references=["a"], normalizer=normalizer, return_signature=True)[
            "signature"
        ]
        for normalizer in (None, "default", "squad")
    ]
    assert signatures == [
        f"answer_exact_match|norm:{norm}|version:{exact_match.version}" for norm in ("no", "v1", "squad")
    ]
