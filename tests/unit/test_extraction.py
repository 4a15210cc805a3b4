r"""Extraction of answers from longer texts, and numbers by value; in linear time on any text."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._extraction import EXTRACTORS, extract_column, number_value, same_number

ANSWERS: dict[str, dict[str, str | None]] = {
    # The last box that is not withdrawn; braces nest.
    "boxed": {
        r"\boxed{3} is wrong, so \boxed{4}.": "4",
        r"\boxed{4}. It is not \boxed{5}": "4",
        r"not \boxed{3}": None,
        r"\boxed {33}": "33",
        r"\boxed{\boxed{5}}": "5",
        r"\boxed{a\}b}": r"a\}b",
        r"\boxed{a} and \boxed{": "a",
        r"\boxed{}": "",
        r"\boxed{5\text{ cm}}": r"5\text{ cm}",
        r"\fbox{3}": "3",
    },
    # The rest of the line after the last "Answer:", without Markdown around it.
    "answer_line": {
        "**Answer:** 42.": "42",
        "6 * 12 = 72\n#### 72": "72",
        "Answer: 1\nNo. Answer: 2": "2",
        "Final Answer: The final answer is $x=5$. I hope it is correct.": "$x=5$",
        "The answer is 3.5.": "3.5",
        "## Final Answer\n\n42": "42",
        "#### Answer: 5": "5",
        "<answer>42</answer>": "42",
        "Answer - Paris": "Paris",
        "Answer\uff1aParis": "Paris",
        r"The answer is $\boxed{\frac{1}{2}}$.": r"\frac{1}{2}",
        "answers: 5": None,
        "the answer isn't 5": None,
        "Answer:": None,
    },
    # A letter only where it is given as the answer: not an article, a pronoun, an initial or a symbol.
    "choice": {
        "b": "B",
        "(C)": "C",
        "A. Paris": "A",
        "The answer is (D).": "D",
        "The answer is B because it is.": "B",
        r"\boxed{\text{(B)}}": "B",
        "Option C is right": "C",
        "The answer is not B but C.": "C",
        "The answer is B, not C.": "B",
        "<answer>B</answer>": "B",
        "First (A), then I settle on (B)": "B",
        "It must be D!": "D",
        "Therefore, A.": "A",
        "A is wrong. B is wrong, too. So C.": "C",
        "I would take option (b)": "B",
        "J. K. Rowling": None,
        "Hepatitis B": None,
        "I like it": None,
        r"\Delta E is 5": None,
        "Answer: A dog": None,
        "E = mc^2": None,
        "K": None,
    },
    # The last number with sign, separators and fraction.
    "last_number": {
        "42 km total 7": "7",
        "It costs -1,234.5 dollars": "-1,234.5",
        "1e5 units": "1e5",
        "1, 2 and 3.": "3",
        "so x = 3/4": "3/4",
        "it takes 3 1/2 hours": "3 1/2",
        "−2½ degrees": "−2½",
        "1\u202f000 people": "1\u202f000",
        "a loss of -$5": "-5",
        "a loss of \u2212€1,200.50.": "\u22121,200.50",
        "from $3-$5": "5",
        "none": None,
    },
    r"x=(\d)": {"x=1 x=2": "2", "y": None},
}


@pytest.mark.parametrize("extract", ANSWERS)
def test_answer_is_extracted(extract: str) -> None:
    texts, expected = map(list, zip(*ANSWERS[extract].items(), strict=True))
    assert dict(zip(texts, extract_column(texts, extract), strict=True)) == dict(zip(texts, expected, strict=True))


def test_expression_may_be_compiled_and_a_function_may_find_nothing() -> None:
    assert extract_column(["x=1"], re.compile(r"X=(\d)", re.IGNORECASE)) == ["1"]
    assert extract_column(["a b", ""], lambda text: text.split()[-1] if text else None) == ["b", None]


PIECES = r"\boxed{ { } Answer: the_answer_is_ ** #### (A) B 1, 000 - . _ \ not_ is_A # * $ 1".replace("_", " ").split(
    " "
)
PIECES += [" ", "\n", "the answer is ", "not "]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(EXTRACTORS))
def test_extracted_answer_occurs_in_the_text(text: str, extract: str) -> None:
    (answer,) = extract_column([text], extract)
    assert answer is None or answer.upper() in text.upper()


# ---- numbers by value

NUMBERS = {
    "3.00": 3,
    "1,000.5": Fraction(2001, 2),
    "1 000": 1000,
    "-$5": -5,
    "$-5": -5,
    "1e3": 1000,
    "½": Fraction(1, 2),
    "1½": Fraction(3, 2),
    "3/4": Fraction(3, 4),
    ".5": Fraction(1, 2),
    "1 1/2": Fraction(3, 2),
    "$1.5 million": 1_500_000,
    "**42**": 42,
    r"\frac{1}{2}": Fraction(1, 2),
    r"-\dfrac{3}{4}": Fraction(-3, 4),
    "1{,}234": 1234,
    r"\$5": 5,
    r"\(5\)": 5,
    "٣": 3,
}
NO_NUMBERS = ["", ".", "abc", "3 apples", "1/0", "12,34", "--5", "1e999999", "1e500", "½e3", "9" * 1000, "x" * 1000]


def test_text_is_parsed_as_a_number_and_nothing_else() -> None:
    assert {text: number_value(text) for text in NUMBERS} == {text: (value, False) for text, value in NUMBERS.items()}
    assert [text for text in NO_NUMBERS if number_value(text) is not None] == []


@pytest.mark.parametrize(
    ("first", "second", "same"),
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
def test_numbers_are_compared_by_value(first: str, second: str, *, same: bool | None) -> None:
    assert same_number(first, second) is same
    assert same_number(second, first) is same


@pytest.mark.parametrize(
    ("given", "tolerance", "same"),
    # The float 0.3 is a little less than the decimal that the user wrote.
    [("101", 0.01, True), ("101.0001", 0.01, False), ("99", 0.01, True), ("130", 0.3, True)],
)
def test_tolerance_is_relative_to_the_reference(given: str, tolerance: float, *, same: bool) -> None:
    assert same_number(given, "100", tolerance=tolerance) is same
    assert same_number("-" + given, "-100", tolerance=tolerance) is same
