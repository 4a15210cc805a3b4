"""The score of one judgment, compared with golden cases and a plain implementation of SPIQA's formula."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.l3score._logprobs import plain_word
from metrics.l3score._logprobs import score_top_tokens
from metrics.l3score._mock_judge import mock_top_tokens
from metrics.l3score._prompts import PROMPTS
from tests.growth import growth

Top = list[tuple[str, float]]
log = math.log


def spiqa_score(top: Top, yes: tuple[str, ...] = ("yes",), no: tuple[str, ...] = ("no",)) -> float:
    """Compute SPIQA's score_openai step by step, on sorted candidates as it assumes."""
    top = sorted(top, key=lambda pair: -pair[1])
    at_yes = next((logprob for token, logprob in top if token.strip().lower() in yes), None)
    at_no = next((logprob for token, logprob in top if token.strip().lower() in no), None)
    if at_yes is None and at_no is None:
        return 0.0
    left_over = 1 - sum(math.exp(logprob) for _, logprob in top)
    missing = math.log(max(min(math.exp(top[-1][1]), left_over), 1e-8))
    at_yes, at_no = (missing if logprob is None else logprob for logprob in (at_yes, at_no))
    largest = max(at_yes, at_no)
    return math.exp(at_yes - largest) / (math.exp(at_yes - largest) + math.exp(at_no - largest))


GOLDEN = [
    pytest.param([("Yes", log(0.6)), ("No", log(0.3))], 2 / 3, id="both present"),
    pytest.param([("Yes", log(0.9)), ("The", log(0.05))], 0.9 / 0.95, id="one present: both estimates are 0.05"),
    pytest.param(
        [("Yes", log(0.5)), ("The", log(0.2))],
        0.5 / 0.7,
        id="one present: the smallest candidate is below the remaining mass",
    ),
    pytest.param([("Yes", log(0.7)), ("The", log(0.25))], 0.7 / 0.75, id="one present: the remaining mass is smaller"),
    pytest.param([("No", log(0.7)), ("The", log(0.25))], 0.05 / 0.75, id="only No present"),
    pytest.param([("Yes", 0.0)], 1 / (1 + 1e-8), id="floor: no remaining mass"),
    pytest.param([("Yes", log(0.9)), ("The", log(0.2))], 0.9 / (0.9 + 1e-8), id="floor: mass above 1 by rounding"),
    pytest.param([("Yes", -0.1), ("The", -9999.0)], math.exp(-0.1) / (math.exp(-0.1) + 1e-8), id="floor: -9999"),
    pytest.param([("The", -0.1), ("It", -3.0)], 0.0, id="neither present"),
    pytest.param([], 0.0, id="no candidates"),
    pytest.param([("yes", log(0.1)), ("No", log(0.2)), ("Yes", log(0.6))], 0.75, id="several spellings, unsorted"),
    pytest.param([("Yes", -9999.0), ("No", -9999.0)], 0.5, id="no 0/0 if both underflow"),
    pytest.param([("Yes", -9999.0), ("No", -0.1)], 0.0, id="no overflow"),
    pytest.param([("№", -0.1), ("Yes", -3.0)], None, id="the numero sign is not the word no"),
]


@pytest.mark.parametrize(("top", "expected"), GOLDEN)
def test_documented_candidates_give_the_documented_score(top: Top, expected: float | None) -> None:
    verdict = score_top_tokens(top)
    assert verdict.score == pytest.approx(spiqa_score(top) if expected is None else expected, abs=1e-12)
    assert verdict.undecided == (not any(token.strip().lower() in {"yes", "no"} for token, _ in top))


SPIQA_TOKENS = ["Yes", " yes", "YES", "no", "No ", "\nNO", "The", "", " ", "maybe", "Y", "nope", "yes, sir"]
LOGPROBS = st.floats(-30, 0) | st.sampled_from([0.0, -1e-9, -9999.0, log(0.5), log(0.2)])


@given(st.lists(st.tuples(st.sampled_from(SPIQA_TOKENS), LOGPROBS), max_size=12))
def test_scores_equal_spiqas_script(top: Top) -> None:
    assert score_top_tokens(top).score == pytest.approx(spiqa_score(top), abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from([*SPIQA_TOKENS, "Yeah", " yeah"]), LOGPROBS), max_size=8))
def test_scores_with_yeah_equal_spiqas_script(top: Top) -> None:
    words = PROMPTS["spiqa"].yes_words, PROMPTS["spiqa"].no_words
    assert score_top_tokens(top, *words).score == pytest.approx(spiqa_score(top, ("yes", "yeah")), abs=1e-9)


@given(st.lists(st.tuples(st.text(max_size=6), st.floats(-30, 0)), max_size=8))
def test_any_tokens_in_any_order_have_a_score(top: Top) -> None:
    verdict = score_top_tokens(top)
    assert 0.0 <= verdict.score <= 1.0
    shuffled = sorted(top, key=repr)
    assert score_top_tokens(shuffled).score == pytest.approx(verdict.score, abs=1e-12)


@pytest.mark.parametrize(
    "token",
    [
        "Yes",
        " yes",
        "YES",
        "\u3000Yes",
        "▁Yes",
        "ĠYes",
        "ĊYes",
        "\ufeffYes",
        "\u200bYes",
        "Yes.",
        '"Yes',
        "**Yes",
        "(yes)",
    ],
)
def test_spellings_of_yes_are_recognized(token: str) -> None:
    assert plain_word(token) == "yes"


@pytest.mark.parametrize("token", ["№", "Yesterday", "not", "Non", "Y", "yes no", "ye s"])
def test_other_words_are_neither_yes_nor_no(token: str) -> None:
    assert plain_word(token) not in {"yes", "no"}


@pytest.mark.parametrize("logprob", [0.5, 1.0, 710.0, 1e308])
def test_positive_log_probability_is_clipped_to_one(logprob: float) -> None:
    """Above 709 the exponential overflows; from 0 on, the probability of the other answer is the floor."""
    verdict: tuple[object, ...] = score_top_tokens([("Yes", logprob)])
    assert verdict == (
        1.0 / (1.0 + math.exp(math.log(1e-8) - logprob)),
        1.0,
        pytest.approx(1e-8),
        False,
    )
    assert score_top_tokens([("Yes", logprob), ("No", -1.0)]).p_yes == 1.0
    assert score_top_tokens([("Yes", -1.0), ("No", logprob)]).p_no == 1.0


def test_remaining_probability_is_summed_in_spiqas_order() -> None:
    """Largest first, bit for bit: here the remaining mass is near the floor, where the order of summation matters."""
    top = [("Yes", -1.441265), ("a", -1.91), ("b", -1.24), ("c", -1.12199)]
    assert score_top_tokens(top) == score_top_tokens(top[::-1])
    assert score_top_tokens(top).score == 0.9988348986854862


def test_probabilities_of_yes_and_no_are_reported() -> None:
    verdict = score_top_tokens([("No", log(0.7)), ("The", log(0.25))])
    assert verdict.p_yes == pytest.approx(0.05)
    assert verdict.p_no == pytest.approx(0.7)
    assert score_top_tokens([("The", -0.1)])[1:] == (None, None, True)


def test_prompts_are_exact() -> None:
    texts = ("Where {x}?", "in {gt}\n", "%s {answer}")
    assert PROMPTS["card"].fill(*texts) == (
        "You are given a question, ground-truth answer, and a candidate answer.\nQuestion: Where {x}?\n"
        "Ground-truth answer: in {gt}\n\nCandidate answer: %s {answer}\n"
        "Is the semantic meaning of the ground-truth and candidate answers similar?\nAnswer in one word - Yes or No."
    )
    spiqa = (
        "You are given a question, ground-truth answer, and a candidate answer. Question: <question> \n"
        "Ground-truth answer: <GT> \nCandidate answer: <answer> \n"
        "Is the semantic meaning of the ground-truth and candidate answers similar? Answer in one word - Yes or No."
    )
    assert PROMPTS["spiqa"].fill("<question>", "<GT>", "<answer>") == spiqa


def test_mock_takes_linear_time() -> None:
    """Anyone can call the mock on a Space, with texts of many different words."""

    def texts(size: int) -> list[str]:
        return [" ".join(map(str, range(start, start + size))) for start in (0, size // 2)]

    assert score_top_tokens(mock_top_tokens(*texts(2_000))).score == pytest.approx(0.5)
    assert growth(lambda pair: mock_top_tokens(*pair), texts, 2_000) < 1.5


def test_mock_is_ordered_by_overlap() -> None:
    def score(reference: str, prediction: str) -> float:
        return score_top_tokens(mock_top_tokens(reference, prediction)).score

    assert score("Paris", "paris") == pytest.approx(0.99)
    assert score("Paris", "Rome") == pytest.approx(0.01)
    assert 0.01 < score("in Paris", "in Rome") < 0.99
    assert score("?", "?") == pytest.approx(0.99)
    assert score("?", "!") == pytest.approx(0.01)


@pytest.mark.parametrize("logprob", [math.nan, math.inf, "-1.0", None, [-1.0]])
@pytest.mark.parametrize("token", ["Yes", "x"])
def test_candidate_without_a_numeric_probability_is_rejected(token: str, logprob: Any) -> None:
    with pytest.raises(ValueError, match=f"the log-probability of '{token}' is"):
        score_top_tokens([("No", -0.7), (token, logprob)])


def test_probability_of_zero_is_accepted() -> None:
    assert score_top_tokens([("No", -0.1), ("Yes", -math.inf)]).score < 1e-7
