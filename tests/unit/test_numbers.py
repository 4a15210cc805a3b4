"""Numbers by value: texts that are parsed as a number, and equality of two numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._answer_matching import Matching
from metrics.accuracy._answer_matching import match_answers
from metrics.accuracy._numbers import number_value
from metrics.accuracy._numbers import same_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Fraction(3)),
        ("3.00", Fraction(3)),
        ("1,000.5", Fraction(2001, 2)),
        ("1 000", Fraction(1000)),
        ("$29.00", Fraction(29)),
        ("-$5", Fraction(-5)),
        ("$-5", Fraction(-5)),
        ("1e3", Fraction(1000)),
        ("½", Fraction(1, 2)),
        ("1½", Fraction(3, 2)),
        ("3/4", Fraction(3, 4)),
        ("\u22125", Fraction(-5)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1 1/2", Fraction(3, 2)),
        ("$1.5 million", Fraction(1_500_000)),
        ("**42**", Fraction(42)),
        ("`42`", Fraction(42)),
        (r"\frac{1}{2}", Fraction(1, 2)),
        (r"-\dfrac{3}{4}", Fraction(-3, 4)),
        ("1{,}234", Fraction(1234)),
        (r"\$5", Fraction(5)),
        (r"\(5\)", Fraction(5)),
        ("٣", Fraction(3)),
    ],
)
def test_text_is_parsed_as_a_number(text: str, value: Fraction) -> None:
    assert number_value(text) == (value, False)


@pytest.mark.parametrize(
    "text", ["", ".", "abc", "3 apples", "1/0", "12,34", "--5", "1e999999", "9" * 1000, "x" * 1000]
)
def test_text_is_not_parsed_as_a_number(text: str) -> None:
    assert number_value(text) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("50%", "50 percent", True),
        ("50%", "50 per cent", True),
        (r"50\%", "50%", True),
        ("1.5 million", "1.5", False),
        ("50%", "50", False),
        ("50%", "0.5", False),
        ("1/3", "0.333", False),
        ("0.1", "1e-1", True),
        ("5", "-5", False),
        ("five", "5", None),
    ],
)
def test_numbers_are_compared_by_value(one: str, other: str, *, same: bool | None) -> None:
    assert same_number(one, other) is same
    assert same_number(other, one) is same


@pytest.mark.parametrize(
    ("given", "tolerance", "same"), [("101", 0.01, True), ("101.0001", 0.01, False), ("99", 0.01, True)]
)
def test_tolerance_is_relative_to_the_reference(given: str, tolerance: float, *, same: bool) -> None:
    assert same_number(given, "100", tolerance=tolerance) is same
    assert same_number("-" + given, "-100", tolerance=tolerance) is same


@given(st.fractions(max_denominator=1), st.integers(0, 5))
def test_trailing_zeros_do_not_matter(value: Fraction, zeros: int) -> None:
    assert same_number(f"{value}.{'0' * zeros}", str(value)) is True


@pytest.mark.parametrize(
    ("prediction", "references", "kind"),
    [
        ("3.00", ["3"], "value"),
        ("3", ["3"], "exact"),
        ("50%", ["50"], "none"),
        ("50%", ["50", "50 percent"], "value"),
        ("fifty", ["50", "Fifty"], "exact"),
        ("3.00", ["4", "three"], "none"),
    ],
)
def test_each_reference_is_compared_by_value_or_as_text(prediction: str, references: list[str], kind: str) -> None:
    assert match_answers([prediction], [references], rules=Matching(by_value=True)).types == [kind]
