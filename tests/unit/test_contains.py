"""Phrases in longer answers: what is a border of a word, and that overlapping phrases take linear time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._contains import contains_column
from metrics.accuracy._contains import contains_phrase


def contains(reference: str, prediction: str) -> bool:
    return contains_column([prediction], [[reference]], case_sensitive=False)[0]


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ("33", "Answer:33"),
        ("Paris", "Paris—the capital"),
        ("Paris", "<answer>Paris</answer>"),
        ("Paris", '{"answer":"Paris"}'),
        ("33", r"\boxed{33}"),
        ("Orwell", "Orwell's"),
        ("1994", "1994⁶"),
        ("Haryana", "It is Haryana1. Next"),
        ("covid19", "covid-19"),
        ("covid 19", "covid-19"),
        ("covid-19", "covid 19"),
        ("USA", "U.S.A."),
        ("1,000", "about 1000 of them"),
        ("-5", "it is -5 now"),
        ("C++", "I use C++."),
        ("İstanbul", "İstanbul'da"),
        ("eau", "l'eau"),
        ("東京", "首都は東京です"),
        ("10²", "10²"),
        ("don't", "I don't"),
    ],
)
def test_reference_stands_in_the_answer(reference: str, prediction: str) -> None:
    assert contains(reference, prediction)


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ("well", "We'll see"),
        ("000", "1,000"),
        ("14", "3.14"),
        ("Paris", "Parisian"),
        ("5", "it is -5"),
        ("C", "I use C++."),
        ("102", "10²"),
        ("3", "3/4"),
        ("B", "vitamin B12."),
        ("", "anything"),
    ],
)
def test_reference_does_not_stand_in_the_answer(reference: str, prediction: str) -> None:
    assert not contains(reference, prediction)


@given(st.text("ab ", max_size=12), st.text("ab ", max_size=60))
def test_phrase_is_found_as_by_looking_at_every_place(reference: str, prediction: str) -> None:
    expected = bool(reference) and any(
        prediction.startswith(reference, start)
        and (start == 0 or prediction[start - 1] == " ")
        and prediction[start + len(reference) : start + len(reference) + 1] in {"", " "}
        for start in range(len(prediction))
    )
    assert contains_phrase(reference, prediction) is expected


def test_overlapping_phrases_take_linear_time() -> None:
    """Quadratic time would be 100 times as long for 10 times the text."""
    times = []
    for size in (4_000, 40_000):
        start = time.process_time()
        assert not contains_phrase("a" * (size // 2), "b" + "a" * size + "b")
        times.append(time.process_time() - start)
    assert times[1] < 40 * max(times[0], 1e-3)
