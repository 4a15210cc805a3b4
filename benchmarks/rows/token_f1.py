"""`token_f1` against HF `squad`, whose rules it follows."""

from collections.abc import Callable
from typing import Any

from benchmarks.environments import ROOT
from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree_up_to_rounding


def ours(inputs: Columns) -> Callable[[], Any]:
    """All that `compute` returns by default."""
    metric = load("token_f1")

    def run() -> list[float]:
        result = metric.compute(**inputs)
        return [result["exact_match"], result["f1"]]

    return run


def hf_squad(inputs: Columns) -> Callable[[], Any]:
    """evaluate's complete path: encode, write, read, compare."""  # noqa: D403  # the name of a library
    import evaluate

    metric = evaluate.load(str(ROOT / "benchmarks" / "hf_squad"))
    pairs = list(enumerate(zip(inputs["predictions"], inputs["references"], strict=True)))
    predictions = [{"id": str(index), "prediction_text": prediction} for index, (prediction, _) in pairs]
    references = [
        {"id": str(index), "answers": {"text": [reference], "answer_start": [0]}} for index, (_, reference) in pairs
    ]

    def run() -> list[float]:
        result = metric.compute(predictions=predictions, references=references)
        return [result["exact_match"] / 100, result["f1"] / 100]

    return run


ROW = Row(
    metric="token_f1",
    what="compute(), short pairs",
    unit="pairs",
    inputs=answers,
    sizes=(10_000, 100_000),
    smoke=500,
    ours=Side("token_f1", ours),
    peers=(Side("HF squad (reimplemented)", hf_squad),),
    compare=agree_up_to_rounding,
)
