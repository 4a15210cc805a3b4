r"""The reader of numbers: what is read in a text, what is the same, and the unit that a question asks for."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.matching.numbers import (
    _NUMBER,
    CARDINALS,
    NUMBER_WORDS,
    DecimalMark,
    _read,
    letter_runs,
    numbers_in,
    read_numbers,
    single_number,
    words_value,
)
from answer_metrics.matching.pipeline import Matching, vote_forms
from answer_metrics.matching.values import last_number, same_number

# What is read in a text: the value and unit of each number.
READ: dict[str, list[str]] = {
    "1,234.5 and 12,34,567": ["1234.5", "1234567"],
    "1 234, 1\u202f234, 1\u2009234, 1'234 and 1{,}234": ["1234"] * 5,
    "٣٫٥ and ١٬٢٣٤ and ４２": ["3.5", "1234", "42"],
    "15k, 5M, $3B, €2 m, 3 bn": ["15000", "5000000", "3000000000 $", "2000000 €", "3000000000"],
    "5 m, 5m, 300 K, 5 mm, 7 B-sides": ["5", "5", "300", "5", "7"],
    r"3×10^5, 1.5 \times 10^{3}, 2*10⁻², 10^6, 1e3": ["300000", "1500", "0.02", "1000000", "1000"],
    r"3/4, 1 3/4, ½, 2½, \frac{3}{4}, 1\frac34, \dfrac 1 2": ["0.75", "1.75", "0.5", "2.5", "0.75", "1.75", "0.5"],
    "50%, 50 percent, 5 per cent, 50\\%, ５０％": ["50 %", "50 %", "5 %", "50 %", "50 %"],
    "$5, 5 dollars, USD 5, 5 €, A$5, -$5, $-5, ($5)": ["5 $", "5 $", "5 $", "5 €", "5 a$", "-5 $", "-5 $", "-5 $"],
    "€5, £5, ¥5, ₹5, ₩5, ₽5, ₺5, ₫5, ₪5, ₱5, ฿5": [f"5 {sign}" for sign in "€£¥₹₩₽₺₫₪₱฿"],
    "-5, −5, 10–15, x = -3, (5)-3": ["-5", "-5", "10", "15", "-3", "5", "3"],
    "twenty-five, one hundred and one, a million": ["25", "101", "1000000"],
    "two thousand five hundred, nineteen eighty-four": ["2500", "1984"],
    "two thirds, one half, two and a half million": [str(Fraction(2, 3)), "0.5", "2500000"],
    "B52, x_1, v2.0, often, someone": [],
    "12/08/1990, 1.2.3": ["12", "8", "1990", "1.2"],
    "1/0, " + "9" * 201: [],
}  # fmt: skip

# Pairs that are the same number, others that are not, and pairs of which one is no single number.
SAME: dict[bool | None, list[tuple[str, str]]] = {
    True: [
        ("3", "3.00"), ("$29.00", "29"), ("1e3", "1,000"), ("½", "0.5"), ("50 percent", "50%"), ("**42**", "42"),
        ("$1.5 million", "1,500,000"), (r"\frac{1}{2}", ".5"), ("$-3$", "-3"), ("twenty-five", "25"), ("US$5", "$5"),
        ("5 dollars", "$5"), (r"\(1{,}234\)", "1234"), ("2,000,000,000,000", "2 trillion"),
        ("- 5", "-5"), ("($5)", "-$5"), ("3,5", "3.5"), ("minus five", "-5"), ("16.181", "16181"), ("3万5千", "35,000"),
    ],
    False: [
        ("€29", "$29"), ("50%", "50"), ("0.5", "50%"), ("-5", "5"), ("5 million", "5 billion"), ("A$5", "$5"),
    ],
    None: [
        ("5 m", "5"), ("(3,100)", "3100"), ("(5)", "5"), ("3 or 4", "3"), ("one two", "1"), ("", "0"), ("$", "0"),
        ("9" * 201, "9" * 201),
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_numbers_of_a_text(text: str) -> None:
    expected = [(Fraction(value), unit) for value, _, unit in (number.partition(" ") for number in READ[text])]
    assert [(number.value, number.unit) for number in read_numbers(text)] == expected


@pytest.mark.parametrize(
    ("prediction", "reference", "same"), [(*pair, same) for same, pairs in SAME.items() for pair in pairs]
)
def test_same_number(prediction: str, reference: str, *, same: bool | None) -> None:
    assert same_number(prediction, reference) is same_number(reference, prediction) is same


def test_tolerance_is_relative_to_the_reference_and_includes_its_bound() -> None:
    cases = [("101", "100", 0.01), ("101.1", "100", 0.01), ("1.1", "1", 0.0999)]
    assert [same_number(*pair, tolerance=share) for *pair, share in cases] == [True, False, False]


# A text and the last number that it states.
LAST = {
    "3 * 4 = 12, larger than 4": "12", "It is less than 4": None, "It is 5 (not 4)": "5", "3 or 4": None, "2,5": "2,5",
    "**Answer: 12** of the 30": "30", r"\frac{3}{4}": r"\frac{3}{4}", "no number": None,
}  # fmt: skip


def test_last_number_is_stated_and_has_its_unit_if_asked_to() -> None:
    assert {text: last_number(text) for text in LAST} == LAST
    assert last_number("about $3.50", with_unit=True) == "$3.50"
    assert last_number("It is **50%**.", with_unit=True) == "50%"


SPELLED = {value: word for word, value in CARDINALS.items()}


def spelled(value: int) -> str:
    for scale, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= scale:
            rest = f" {spelled(value % scale)}" if value % scale else ""
            return f"{spelled(value // scale)} {name}{rest}"
    return SPELLED[value] if value in SPELLED else f"{SPELLED[value // 10 * 10]}-{SPELLED[value % 10]}"


@given(st.integers(0, 10**9 - 1), st.sampled_from(["", " and more", " apples"]))
def test_number_that_is_spelled_out_is_read(value: int, behind: str) -> None:
    words = spelled(value).replace("-", " ").split()
    assert words_value([*words, *behind.split()]) == (Fraction(value), len(words))
    assert [number.value for number in read_numbers(spelled(value) + behind)] == [value]


PIECES = st.lists(st.sampled_from([*"0123456789.,-+/()$€%½ ×*^e\\{}kmb'", "million", "two", "and ", "\\frac"]))


@given(PIECES.map("".join))
def test_any_text_is_read_in_order(text: str) -> None:
    numbers = read_numbers(text)
    assert all(number.end <= following.start for number, following in pairwise(numbers))
    assert all(0 <= number.start < number.end <= len(text) for number in numbers)
    single_number(text)


@given(PIECES.map("".join))
def test_numbers_begin_where_the_quick_scan_looks(text: str) -> None:
    lower = text.lower()
    words = NUMBER_WORDS.intersection(letter_runs(lower))
    slow = [number.start for match in _NUMBER.finditer(lower) for number in _read(match, lower, ".")]
    assert [number.start for number in numbers_in(lower, lower, words, ".")] == slow


@pytest.mark.parametrize("part", "1,234,|1 234 |12,34,|10^|\\frac{|one hundred and |3/|$ |5 m |1|5'|<5 ".split("|"))
def test_long_texts_are_read(part: str) -> None:
    text = part * (40_000 // len(part))
    assert last_number(text) != ""
    assert single_number(text) is None


@pytest.mark.parametrize(("decimal", "is_same"), [("auto", True), (".", True), (",", False)])
def test_votes_read_numbers_with_the_decimal_mark(decimal: DecimalMark, is_same: bool) -> None:
    first, second = vote_forms(["1,234", "1234"], Matching(numbers="value", decimal=decimal))
    assert (first == second) is is_same


def test_votes_for_one_amount_may_have_other_units_and_reasoning() -> None:
    kilometer, meters, meter, bare = vote_forms(["1 km", "1000 m", "1 m", "1"], Matching(numbers="value"))
    assert kilometer == meters
    assert len({kilometer, meter, bare}) == 3
    rules = Matching(numbers="value", reasoning_marks=(("<x>", "</x>"),))
    assert vote_forms(["<x>a</x>4", "<think>b</think>4.0", "<x>4", ""], rules) == [(4, ""), (4, ""), None, None]


def test_a_minus_belongs_to_the_first_of_several_numbers() -> None:
    assert [number.value for number in read_numbers("minus five six")] == [-5, 6]
