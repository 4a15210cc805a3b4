"""Phrases in longer answers: word boundaries, and linear time for overlapping phrases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy import _matching
from metrics.accuracy._matching import contains_column, contains_phrase


@pytest.mark.parametrize(
    ("reference", "prediction", "found"),
    [
        ("33", "Answer:33", True),
        ("Paris", "Paris—the capital", True),
        ("Paris", '{"answer":"Paris"}', True),
        ("Orwell", "Orwell's", True),
        ("1994", "1994⁶", True),
        ("covid19", "covid-19", True),
        ("covid-19", "covid 19", True),
        ("USA", "U.S.A.", True),
        ("1,000", "about 1000 of them", True),
        ("-5", "it is -5 now", True),
        ("C++", "I use C++.", True),
        ("İstanbul", "İstanbul'da", True),
        ("10²", "10²", True),
        ("well", "We'll see", False),
        ("000", "1,000", False),
        ("102", "10²", False),
        ("3", "3/4", False),
        ("C", "I use C++.", False),
        ("B", "vitamin B12.", False),
        ("", "anything", False),
    ],
)
def test_reference_is_found_in_the_answer_or_not(reference: str, prediction: str, *, found: bool) -> None:
    assert contains_column([prediction], [[reference]], case_sensitive=False) == [found]


@given(st.text("ab ", max_size=12), st.text("ab ", max_size=60))
def test_search_equals_testing_every_position(reference: str, prediction: str) -> None:
    expected = bool(reference) and any(
        prediction.startswith(reference, start)
        and (start == 0 or prediction[start - 1] == " ")
        and prediction[start + len(reference) : start + len(reference) + 1] in {"", " "}
        for start in range(len(prediction))
    )
    assert contains_phrase(reference, prediction) is expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_matching, "_QUICK_TRIES", 0)  # the search that takes linear time for overlapping places
        assert contains_phrase(reference, prediction) is expected


@pytest.mark.parametrize(
    ("reference", "prediction", "expected", "reason"),
    [
        ("paris", "a parisian in paris", True, "the second place is a whole word"),
        ("5", "3.5", False, "a part of a number"),
        ("5", ".5", False, "and so is the point"),
        ("25", "125", False, "the end of a longer number"),
        ("10:30", "at 10:30 sharp", True, "a mark inside"),
        ("5", "5km", False, "a letter directly after it"),
        ("cafe", "cafe\u0301s", False, "an accent belongs to its letter"),
        ("+", "a + b", True, "a mark by itself, where texts are not normalized"),
        ("+", "a+b", False, "the mark of a word"),
        ("👍", "i say 👍", True, "a symbol"),
        ("", "paris", False, "an empty reference stands nowhere"),
        ("東京", "首都は東京です", True, "Japanese has no spaces"),
        ("京", "東京", True, "so any part may be a word"),
        ("京", "x京abc", True, "also between letters of other scripts"),
        ("京", "c+京京", True, "at the second place no mark of another word stands before it"),
        (
            "京都京京都京都都",
            "c+京都京京都京都都 " * 9 + "c+京都京京都京都京京都京都都",
            True,
            "nor where the search must go back to find the tenth",
        ),
        ("5", "5年", True, "a number before an ideograph"),
        ("5", "15年", False, "but not a part of a number"),
        ("กรุงเทพ", "เมืองหลวงคือกรุงเทพมหานคร", True, "nor Thai"),
        ("ก", "กิน", False, "but a vowel sign belongs to its letter"),
        ("서울", "서울은 수도", False, "a particle makes it another word: listed as a limitation"),
        ("paris", "在paris開會", True, "Latin letters between ideographs"),
    ],
)
def test_text_contains_its_own_phrases(reference: str, prediction: str, *, expected: bool, reason: str) -> None:
    assert contains_phrase(reference, prediction) == expected, reason
