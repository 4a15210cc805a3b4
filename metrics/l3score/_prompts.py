"""The two prompts, to the letter, with the words that count as Yes and No under each."""

from collections.abc import Callable
from typing import NamedTuple


class Prompt(NamedTuple):
    """One way to ask the judge.

    Attributes:
        fill: (question, reference, prediction) -> the text of the one user message. The texts are put in as they are.
        yes_words: Words that count as Yes.
        no_words: Words that count as No.
    """

    fill: Callable[[str, str, str], str]
    yes_words: frozenset[str]
    no_words: frozenset[str]


def _card(question: str, reference: str, prediction: str) -> str:
    return (
        "You are given a question, ground-truth answer, and a candidate answer.\n"
        f"Question: {question}\n"
        f"Ground-truth answer: {reference}\n"
        f"Candidate answer: {prediction}\n"
        "Is the semantic meaning of the ground-truth and candidate answers similar?\n"
        "Answer in one word - Yes or No."
    )


def _spiqa(question: str, reference: str, prediction: str) -> str:
    return (
        "You are given a question, ground-truth answer, and a candidate answer. "
        f"Question: {question} \n"
        f"Ground-truth answer: {reference} \n"
        f"Candidate answer: {prediction} \n"
        "Is the semantic meaning of the ground-truth and candidate answers similar? Answer in one word - Yes or No."
    )


# "card" is the prompt of the original metric card; "spiqa" that of the paper's script
# (https://github.com/google/spiqa/blob/main/metrics/open_models_l3score.py).
PROMPTS = {
    "card": Prompt(_card, frozenset({"yes"}), frozenset({"no"})),
    "spiqa": Prompt(_spiqa, frozenset({"yes", "yeah"}), frozenset({"no"})),
}
