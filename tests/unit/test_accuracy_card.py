"""The examples of the rules of token recall in docs/accuracy.md."""

import re

from metrics.accuracy._matching import Matching, match_answers
from tests.conftest import ROOT

HEADER = "| rule | right: reference in prediction | wrong |\n| --- | --- | --- |\n"


def read_examples() -> list[tuple[str, str, str, bool]]:
    """Return reference, prediction, question and whether the prediction is right."""
    card = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    examples = []
    for row in card.partition(HEADER)[2].partition("\n\n")[0].splitlines():
        for cell, right in zip(row.split("|")[2:4], (True, False), strict=True):
            for example in cell.split(";"):
                text, _, question = example.partition("if asked")
                reference, *predictions = re.findall(r"`([^`]+)`", text) or [""]
                examples += [(reference, prediction, question.strip(" `"), right) for prediction in predictions]
    return examples


def test_documented_examples_of_token_recall_hold() -> None:
    examples = read_examples()
    assert len(examples) > 50
    references, predictions, questions, _ = map(list, zip(*examples, strict=True))
    types = match_answers(predictions, references, questions, Matching(match="recall")).types
    wrong = [example for example, found in zip(examples, types, strict=True) if (found != "none") != example[-1]]
    assert wrong == []
