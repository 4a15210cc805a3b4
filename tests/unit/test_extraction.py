r"""Extraction of answers from longer texts, in linear time on any text."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._extraction import EXTRACTORS
from metrics.accuracy._extraction import ExtractOption
from metrics.accuracy._extraction import extract_answer_line
from metrics.accuracy._extraction import extract_boxed
from metrics.accuracy._extraction import extract_choice
from metrics.accuracy._extraction import extract_column
from metrics.accuracy._extraction import extract_last_number
from metrics.accuracy._extraction import signature_of
from tests.growth import growth


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"so \boxed{\frac{1}{2}} it is", r"\frac{1}{2}"),
        (r"\boxed{3} is wrong, so \boxed{4}.", "4"),
        (r"\boxed{4}. It is not \boxed{5}", "4"),
        (r"\boxed{4} instead of \boxed{5}", "4"),
        (r"the answer was \boxed{4}", "4"),
        (r"not \boxed{3}", None),
        (r"$$\boxed{33}$$", "33"),
        (r"\boxed {33}", "33"),
        (r"\boxed{\boxed{5}}", "5"),
        (r"\boxed{a\}b}", r"a\}b"),
        (r"\boxed{a} and \boxed{", "a"),
        (r"\boxed{", None),
        (r"\boxed{}", ""),
        (r"\boxed{\text{Paris}}", "Paris"),
        (r"\boxed{5\text{ cm}}", r"5\text{ cm}"),
        (r"\fbox{3}", "3"),
        ("no box", None),
    ],
)
def test_last_box_that_is_not_negated_is_extracted(text: str, answer: str | None) -> None:
    assert extract_boxed(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: 42", "42"),
        ("**Answer:** 42.", "42"),
        ("**Final answer**: Paris", "Paris"),
        ("The answer is **Paris**.", "Paris"),
        ("The final answer is: $5$", "$5$"),
        ("6 * 12 = 72\n#### 72", "72"),
        ("Answer:\n\n33", "33"),
        ("Answer: 1\nNo. Answer: 2", "2"),
        ("Final Answer: The final answer is $x=5$. I hope it is correct.", "$x=5$"),
        ("The answer is 3.5.", "3.5"),
        ("## Final Answer\n\n42", "42"),
        ("**Final Answer**\n\n42", "42"),
        ("#### Answer: 5", "5"),
        ("<answer>42</answer>", "42"),
        ("The answer would be 12.", "12"),
        ("Answer - Paris", "Paris"),
        ("Answer\uff1aParis", "Paris"),
        (r"The answer is $\boxed{\frac{1}{2}}$.", r"\frac{1}{2}"),
        ("An answer - in short", "in short"),
        ("answers: 5", None),
        ("the answer isn't 5", None),
        ("Answer:", None),
        ("", None),
    ],
)
def test_rest_of_the_last_answer_line_is_extracted(text: str, answer: str | None) -> None:
    assert extract_answer_line(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(C)", "C"),
        ("B) Paris", "B"),
        ("A. Paris", "A"),
        ("**B**", "B"),
        ("The answer is (D).", "D"),
        ("The answer is B because it is.", "B"),
        ("The correct answer is A: Paris", "A"),
        (r"\boxed{\text{(B)}}", "B"),
        ("Option C is right", "C"),
        ("The answer is (C) because the others are wrong.", "C"),
        ("The answer is not B but C.", "C"),
        ("The answer is B, not C.", "B"),
        ("The answer would be C.", "C"),
        ("<answer>B</answer>", "B"),
        ("I think it is C", "C"),
        ("First (A), then I settle on (B)", "B"),
        ("It's B.", "B"),
        ("I'd go with C.", "C"),
        ("It must be D!", "D"),
        ("Therefore, A.", "A"),
        ("A is wrong. B is wrong, too. So C.", "C"),
        ("I would take option (b)", "B"),
        ("J. K. Rowling", None),
        ("Hepatitis B", None),
        ("A dog", None),
        ("I like it", None),
        ("It seems", None),
        (r"\Delta E is 5", None),
        ("Answer: A dog", None),
        ("E = mc^2", None),
        ("K", None),
        ("", None),
    ],
)
def test_choice_letter_is_extracted_only_if_given_as_the_answer(text: str, answer: str | None) -> None:
    assert extract_choice(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("42 km total 7", "7"),
        ("It costs -1,234.5 dollars", "-1,234.5"),
        ("x=-3.", "-3"),
        ("from 5-7", "7"),
        ("1e5 units", "1e5"),
        ("about .5", ".5"),
        ("1, 2 and 3.", "3"),
        ("so x = 3/4", "3/4"),
        ("it takes 3 1/2 hours", "3 1/2"),
        ("on 5/6/2020", "2020"),
        ("about ½ of it", "½"),
        ("−2½ degrees", "−2½"),
        ("1\u202f000 people", "1\u202f000"),
        ("a loss of -$5", "-5"),
        ("a loss of \u2212€1,200.50.", "\u22121,200.50"),
        ("from $3-$5", "5"),
        ("none", None),
    ],
)
def test_last_number_is_extracted_with_sign_and_separators(text: str, answer: str | None) -> None:
    assert extract_last_number(text) == answer


def test_regular_expression_gives_its_last_match() -> None:
    assert extract_column(["x=1 x=2", "y"], r"x=(\d)") == ["2", None]
    assert extract_column(["x=1"], re.compile(r"X=(\d)", re.IGNORECASE)) == ["1"]


def test_function_gives_an_answer_or_none() -> None:
    assert extract_column(["a b", ""], lambda text: text.split()[-1] if text else None) == ["b", None]
    with pytest.raises(ValueError, match="index 1"):
        extract_column(["a", "b"], lambda text: text if text == "a" else 5)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("value", ["boxes", "(a)(b)", "(a", "abc", 5])
def test_invalid_extraction_is_rejected(value: object) -> None:
    with pytest.raises(ValueError, match="extract"):
        ExtractOption(*EXTRACTORS).check("extract", value)


def test_signature_escapes_its_field_separator() -> None:
    assert signature_of("(a|b%)") == "(a%7Cb%25)"
    assert signature_of("boxed").startswith("boxed-v")


PIECES = [
    r"\boxed{",
    "{",
    "}",
    "Answer:",
    "the answer is ",
    "**",
    "####",
    "(A)",
    "B",
    "1,",
    "000",
    "-",
    ".",
    " ",
    "\n",
    "\\",
    "not ",
]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(EXTRACTORS))
def test_extracted_answer_occurs_in_the_text(text: str, extract: str) -> None:
    (answer,) = extract_column([text], extract)
    assert answer is None or answer.upper() in text.upper()


@pytest.mark.parametrize("extractor", [extract_boxed, extract_answer_line, extract_choice, extract_last_number])
@pytest.mark.parametrize(
    "unit",
    [
        r"\boxed{",
        "{",
        "}",
        "answer ",
        "the answer is ",
        "*",
        "1,",
        "1",
        "-",
        "(A",
        "#",
        " ",
        "\\",
        "1.",
        "not ",
        "is A",
    ],
)
def test_time_grows_linearly(extractor: Callable[[str], str | None], unit: str) -> None:
    assert growth(extractor, lambda size: (unit * size)[:size], 4_000) < 1.6
