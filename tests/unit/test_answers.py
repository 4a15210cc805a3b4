r"""Extraction of answers from longer texts: boxes, answer lines, choices, steps; in linear time on any text."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics import load
from answer_metrics.matching.choices import extract_choice
from answer_metrics.matching.extraction import STEPS, extract_column, read_references

ANSWERS: dict[str, dict[str, str | None]] = {
    # The last box that is not withdrawn; braces nest.
    "boxed": {
        r"\boxed{3} is wrong, so \boxed{4}.": "4", r"\boxed{4}. It is not \boxed{5}": "4", r"not \boxed{3}": None,
        r"\boxed {33}": "33", r"It is $\boxed 7$": "7", r"\fbox -7": "-7", r"\boxed{}": "",
        r"\boxed{5\text{ cm}}": r"5\text{ cm}",
    },
    # The rest of the line after the last "Answer:", without Markdown around it.
    "answer_line": {
        "**Answer:** 42.": "42", "Final Answer: The final answer is $x=5$. I hope it is correct.": "$x=5$",
        "#### Answer: 5": "5", "Answer\uff1aParis": "Paris", r"The answer is $\boxed{\frac{1}{2}}$.": r"\frac{1}{2}",
        "Answer:": None, "Answer:\n-17": "-17", "Answer:\n- 17": "17", "Answer:\n• 17": "17", "Answer:\n−17": "−17",
        "I don't believe the answer is Rome.": None, "I don’t believe the answer is Rome.": None,
    },
    # A letter only where it is given as the answer: not an article, a pronoun, an initial or a symbol.
    "choice": {
        "The answer is not B but C.": "C", "It must be D!": "D", "A is wrong. B is wrong, too. So C.": "C",
        "J. K. Rowling": None, "E = mc^2": None,
    },
    # The last number with sign, separators and fraction.
    "last_number": {
        "1e5 units": "1e5", "it takes 3 1/2 hours": "3 1/2", "−2½ degrees": "−2½", "1\u202f000 people": "1\u202f000",
        "a loss of \u2212€1,200.50.": "\u22121,200.50", "none": None,
    },
    r"x=(\d)": {"x=1 x=2": "2", "y": None},
}  # fmt: skip


@pytest.mark.parametrize("extract", ANSWERS)
def test_answer_is_extracted(extract: str) -> None:
    texts, expected = map(list, zip(*ANSWERS[extract].items(), strict=True))
    assert dict(zip(texts, extract_column(texts, extract), strict=True)) == dict(zip(texts, expected, strict=True))


PIECES = "\\boxed{|{|}|Answer:|the answer is |**|####|(A)|B|1, 000|-|.|_|\\|not |A|#|*|$|1| |\n".split("|")


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(list(STEPS)))
def test_extracted_answer_occurs_in_the_text(text: str, extract: str) -> None:
    (answer,) = extract_column([text], extract)
    assert answer is None or answer.upper() in text.upper()


CITIES = ["Lyon", "Paris", "Rome", "Bonn"]
FORMS = [
    "{}", "({})", "{}.", "{}) text", "**{}**", "{}: text", "The answer is {}.", "The answer is ({}) because of it.",
    r"\boxed{{{}}}", r"\boxed{{\text{{({})}}}}", "Answer: {}", "I pick {}.", "We choose {} because it fits.",
    "We see.\n\n{}", "Not it.\nThe correct option is {}.", "option {} is right", "so option {} fits best",
    r"\boxed{{E = mc^2}}. So the answer is ({}).", r"\boxed{{x > 0}}. Hence choice {}.", "故选{}。",
    "Actually, option B looks tempting.\nBut it fails, hence \\boxed{{{}}}.", "Final answer: {} <eoa>", "Ans: {}",
    r"\text{{{}}}", "So the option is:\n\n{}. 10 eV",
]  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLAIN = [f"text {letter * 3}" for letter in LETTERS]


@pytest.mark.parametrize("form", FORMS)
def test_letter_is_read_in_every_form(form: str) -> None:
    assert [extract_choice(form.format(letter), PLAIN) for letter in LETTERS] == list(LETTERS)
    assert [extract_choice(form.format(letter)) for letter in LETTERS[:10]] == list(LETTERS[:10])


NO_CHOICE = [
    r"\boxed{{{0} = \mu_0 n I}}", r"\boxed{{{0} > 0}}", r"\boxed{{{0}^2}}", "The answer is {0} = 5.", "{0} or {1}",
    "({0}) or ({1})", "{0}/{1}", "Answer: {0} AND {1}", "Answer: {0} + {1}", "Answer: {0}; {1}", "{0} and {1}",
    "{0}、{1}", "not {0}", "It is not ({0}).", "({0}) is wrong.", "{0} isn't it", "Option {0} can be ruled out.",
    "None of {0}-{1}", "The correct options are {0} and {1}.", "It isn't text {0}{0}{0}.",
    "The answer is ({0}) or maybe ({1}).", "({0})({1})", "not text {0}{0}{0}", "text {0}{0}{0} is not the answer",
    "{0} is the worst answer.", "{0} - incorrect", "({0}): wrong",
]  # fmt: skip
PAIRS = [(first, second) for first in "BCDEFGHJ" for second in "BCDEFGHJ" if first < second]


@pytest.mark.parametrize("form", NO_CHOICE)
def test_formula_denial_and_two_letters_are_no_choice(form: str) -> None:
    assert {extract_choice(form.format(*pair), PLAIN) for pair in PAIRS} == {None}


DENIALS = ["({0}) is wrong. It is ({1}).", "The answer is {1}, not {0}.", "Not ({0}), but ({1})", "{1}, not {0}",
           "It is not text {0}{0}{0} but text {1}{1}{1}.", "text {1}{1}{1} rather than text {0}{0}{0}",
           "Answer: {0}\n\nWait, it should be {1}.", "I'd go with {1}; {0} and A look tempting but fail.",
           "ANSWER IS {1}. {0} is incorrect.", "Both {0} and A are wrong; {1} is right.",
           "The answer is {0}. Actually, {1} is right.",
           "({0}) text {0}{0}{0} is incorrect; ({1}) text {1}{1}{1} is correct.",
           "I'd rule out text {0}{0}{0}. It is text {1}{1}{1}.", "{0}? No, {1}.", "{0}... wait, ({1})",
           "Answer: {0}. Correction: {1}", "Eliminating {0} leaves {1}."]  # fmt: skip


@pytest.mark.parametrize("form", DENIALS)
def test_other_letter_is_denied(form: str) -> None:
    assert [pair for pair in PAIRS if extract_choice(form.format(*pair), PLAIN) != pair[1]] == []


@pytest.mark.parametrize("mark", ["({})", "{}.", "{})", "**{}.**", "{}:"])
@pytest.mark.parametrize("before", ["", "İİİİ of the İ: ", "Options: "])  # the lower case of İ is longer
def test_copy_of_all_options_chooses_none(mark: str, before: str) -> None:
    for number, space, shift in itertools.product(range(2, 9), [" ", "\n", ", "], [0, 2]):  # "(C) text (D) text"
        pairs = zip(LETTERS[shift:], PLAIN[:number], strict=False)
        copy = space.join(f"{mark.format(letter)} {option}" for letter, option in pairs)
        copy = before + (copy.upper() if before.startswith("İ") else copy)
        assert extract_choice(copy, PLAIN[:number]) is None
        assert extract_choice(f"{copy}\nI choose B.", PLAIN[:number]) == "B"
        assert extract_choice(f"{copy}\n\nThe answer is (A).", PLAIN[:number]) == "A"


@pytest.mark.parametrize("part", ["A and ", "A, ", "(A)", "not ", "A is not ", "option b ", "Actually, B ", "A. w "])
def test_long_texts_take_linear_time(part: str) -> None:
    """With a rule that backtracks, this would not end."""
    assert extract_choice(part * 2_000 + "\n\nThe answer is (B).", PLAIN[:4], as_set=True) == "B"


def test_first_step_that_finds_something_counts() -> None:
    assert extract_column(["x=1"], re.compile(r"X=(\d)", re.IGNORECASE)) == ["1"]
    assert extract_column(["a b", ""], lambda text: text.split()[-1] if text else None) == ["b", None]
    steps = ["boxed", "answer_line", "last_number"]
    texts = [r"Answer: 5, so \boxed{6}", "Answer: 18 dollars per day", "31 + 17 = 48, which gives 14", "none"]
    assert extract_column(texts, steps, ["1"] * 4) == ["6", "18 dollars per day", "14", None]
    assert extract_column(["Answer: 31 + 17 = 48, minus 34 gives 14"], steps, ["1"]) == ["14"]
    assert extract_column(["Answer: between 40 and 60"], steps, ["40"]) == ["between 40 and 60"]  # a range
    several = [r"\boxed{6} and \boxed{5}", "Answer: 6, 5", "Answer: 6; 5 and 4", r"\boxed{6}, \boxed{6.0}"]
    assert extract_column(several, steps, ["6"] * 4) == ["6, 5", "6, 5", "6; 5 and 4", "6"]
    assert extract_column(["a 1"], [r"b(\d)", "whole"]) == ["a 1"]
    assert extract_column(["x 1"], r"(\d*)") == ["1"]  # the last match, which is empty, finds nothing


def test_references_are_read_by_their_own_marks() -> None:
    references = ["6 * 12 = 72\n#### 72", r"so \boxed{72}", "72"]
    assert read_references(references, "auto", None) == ["72"] * 3
    assert read_references([r"\text{Paris}"], "auto", None) == ["Paris"]
    assert read_references(references, "last_number", None) == ["72", *references[1:]]
    assert read_references([["Rome", "D"]], "choice", [CITIES]) == [["C", "D"]]


SOLUTIONS = (
    "9 * 2 = 18\nA: {}", "5 and 5 is 10\nA: {}", "六加六\n答案：{}", "Two days.\r\n\r\n9 + 9 = {}\n",
    "x + 2 = 5\nx = 3\nSo {} it is.",
)  # fmt: skip


@pytest.mark.parametrize("number", ["18", "1,800", "0.5", "-3"])
@pytest.mark.parametrize("solution", SOLUTIONS)
def test_worked_solution_as_reference_is_its_last_number(solution: str, number: str) -> None:
    reference = solution.format(number)
    assert read_references([reference], "last_number", None) == [number]
    assert read_references([reference], "boxed", None) == [reference]
    wrong = reference.replace(number, "77")
    rows = {"predictions": [number, reference, "77", wrong], "references": [reference] * 4}
    assert load("accuracy").compute(**rows, preset="number")["individual_scores"] == [1, 1, 0, 0]
