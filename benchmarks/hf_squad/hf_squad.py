"""HF `squad`, reimplemented as an evaluate module for use without the Hub.

Its algorithm: answers come as dictionaries with ids; per pair of a prediction and a reference both are normalized
twice, once for F1 (shared words, as a `Counter` has them) and once for exact match; the best reference counts; the sums
are divided at the end, in percent.
"""

import re
import string
from collections import Counter
from collections.abc import Callable
from typing import Any

import datasets
import evaluate

_PUNCTUATION = set(string.punctuation)


def normalize(text: str) -> str:
    """Normalize like SQuAD v1's script."""
    kept = "".join(character for character in text.lower() if character not in _PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def f1(prediction: str, reference: str) -> float:
    """Compute F1 of words."""
    predicted, expected = normalize(prediction).split(), normalize(reference).split()
    shared = sum((Counter(predicted) & Counter(expected)).values())
    if not shared:
        return 0
    precision, recall = shared / len(predicted), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def exact_match(prediction: str, reference: str) -> float:
    """Compare normalized texts."""
    return normalize(prediction) == normalize(reference)


def best(score: Callable[[str, str], float], prediction: str, references: list[str]) -> float:
    """Return the score of the best reference."""
    return max(score(prediction, reference) for reference in references)


class HFSquad(evaluate.Metric):
    """The module that evaluate's loader finds."""

    def _info(self) -> evaluate.MetricInfo:
        text, number = datasets.Value("string"), datasets.Value("int32")
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description="",
            features=datasets.Features(
                {
                    "predictions": {"id": text, "prediction_text": text},
                    "references": {"id": text, "answers": datasets.Sequence({"text": text, "answer_start": number})},
                }
            ),
        )

    def _compute(self, predictions: list[dict[str, Any]], references: list[dict[str, Any]]) -> dict[str, float]:
        answers = {prediction["id"]: prediction["prediction_text"] for prediction in predictions}
        sums = {"exact_match": 0.0, "f1": 0.0}
        for reference in references:
            prediction, texts = answers[reference["id"]], reference["answers"]["text"]
            sums["exact_match"] += best(exact_match, prediction, texts)
            sums["f1"] += best(f1, prediction, texts)
        return {name: 100.0 * value / len(references) for name, value in sums.items()}
