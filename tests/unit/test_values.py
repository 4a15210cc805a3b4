"""Typed values through accuracy's door: no pair of values may raise, whatever the preset."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

NUMBERS = st.one_of(
    st.integers(0, 99), st.integers(1000, 2100), st.integers(0, 10**30), st.just(10**200)
).map(str)  # fmt: skip
JOINTS = st.sampled_from(["", " ", "-", "/", ".", ",", ":", "'", " - ", " or ", " of ", " May ", " to ", "年", "月"])
MARKS = st.sampled_from("|½|²|¹|%|$|€|°| BC| a.m.| kg| million|万|百|th|s|e9|-|−|²⁰".split("|"))
VALUES = st.lists(st.tuples(NUMBERS, MARKS, JOINTS).map("".join), min_size=1, max_size=3).map("".join)
FRAMES = st.sampled_from(["{}", "-{}", "{} ({})", "It is {}.", "not {}", "<answer>{}</answer>", "\\boxed{{{}}}"])


@st.composite
def related_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A reference of digits and marks, and an answer that repeats it or parts of it."""
    reference = draw(VALUES)
    digits = reference[::-1] if draw(st.booleans()) else reference
    answer = draw(st.sampled_from([reference, digits, draw(VALUES) + reference, reference[1:], draw(VALUES)]))
    return reference, draw(FRAMES).format(answer, reference)


@pytest.mark.parametrize("options", [
    {"preset": "free_form"}, {"preset": "number"}, {"preset": "math", "equivalent": None}, {"match": "contains"},
    {"match": "recall", "language": "none"}, {"numbers": "value", "fuzzy_match": True},
], ids=str)  # fmt: skip
@settings(max_examples=100)
@given(st.lists(related_pairs(), min_size=1, max_size=8))
def test_no_pair_of_values_raises(
    metric: Callable[[str], Any], options: dict[str, Any], pairs: list[tuple[str, str]]
) -> None:
    references, answers = map(list, zip(*pairs, strict=True))
    result = metric("accuracy").compute(predictions=answers, references=references, **options)
    assert len(result["match_types"]) == len(pairs)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("1999-12-31", "31/12/1999"), ("13/13/2020", "May 13, 2020"), ("1", "99999999999999999999999992020½")],
)
def test_other_dates_and_long_fractions_do_not_raise(metric: Callable[[str], Any], reference: str, answer: str) -> None:
    for pair in ((reference, answer), (answer, reference)):
        result = metric("accuracy").compute(predictions=pair[:1], references=pair[1:], preset="free_form")
        assert len(result["match_types"]) == 1
