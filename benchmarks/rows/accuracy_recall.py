"""`accuracy` with `match="recall"` on answers of 20 words, against a loop of SQuAD's F1 and HF `squad`."""

import random
import re
import string
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.rows.token_f1 import hf_squad

_FILLER = (
    "according to most sources the answer that people give to this question is that it was for many years known as and "
    "later became the best of several places which"
).split()
_WORDS = 20
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = set(string.punctuation)


def sentences(size: int) -> Columns:
    """Generate sentences of 20 words with short answers; three in four contain the reference, or nearly."""
    columns = answers(size)
    rng = random.Random(1)  # noqa: S311  # not for cryptography
    predictions = []
    for answer in columns["predictions"]:
        words = [rng.choice(_FILLER) for _ in range(max(_WORDS - len(answer.split()), 1))]
        words.insert(rng.randrange(len(words)), answer)
        text = " ".join(words)
        predictions.append(f"{text[0].upper()}{text[1:]}.")
    return {"predictions": predictions, "references": columns["references"]}


def ours(inputs: Columns) -> Callable[[], Any]:
    """The default threshold and language."""
    metric = load("accuracy")
    return lambda: metric.compute(**inputs, match="recall")["correct"]


def _squad_tokens(text: str) -> list[str]:
    """Normalize and split like the official script, character by character."""
    plain = "".join(mark for mark in text.lower() if mark not in _PUNCTUATION)
    return _ARTICLES.sub(" ", plain).split()


def peer(inputs: Columns) -> Callable[[], Any]:
    """The loop of SQuAD's evaluation script, without exact match."""

    def run() -> float:
        total = 0.0
        for prediction, reference in zip(inputs["predictions"], inputs["references"], strict=True):
            given, wanted = _squad_tokens(prediction), _squad_tokens(reference)
            common = sum((Counter(given) & Counter(wanted)).values())
            if common:
                precision, recall = common / len(given), common / len(wanted)
                total += 2 * precision * recall / (precision + recall)
        return total

    return run


ROW = Row(
    metric="accuracy",
    what='compute(match="recall") with interval, answers of 20 words',
    unit="pairs",
    inputs=sentences,
    sizes=(10_000, 100_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(
        Side("a loop of SQuAD's F1", peer),
        Side("HF squad (reimplemented)", hf_squad, at_least=1),
    ),
)
