"""`answer_exact_match` against the two that do the same: Haystack's evaluator, a bare loop, and HF `exact_match`.

Haystack compares two lists in one loop. Here every text is checked as well, which takes three quarters of the time.
Arrow columns, whose type is the check, are compared several times as fast as lists.
"""

from collections.abc import Callable
from typing import Any

from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree
from benchmarks.rows.accuracy_million import hf_exact_match


def ours(inputs: Columns) -> Callable[[], Any]:
    """All that `compute` returns by default."""
    metric = load("answer_exact_match")
    return lambda: metric.compute(**inputs)["individual_scores"]


def ours_on_arrow(inputs: Columns) -> Callable[[], Any]:
    """The same from Arrow columns."""
    import pyarrow as pa

    metric = load("answer_exact_match")
    columns = {name: pa.array(column) for name, column in inputs.items()}
    return lambda: metric.compute(**columns)["individual_scores"]


def haystack(inputs: Columns) -> Callable[[], Any]:
    """All that the component returns."""
    from haystack.components.evaluators import AnswerExactMatchEvaluator

    evaluator = AnswerExactMatchEvaluator()
    given = {"ground_truth_answers": inputs["references"], "predicted_answers": inputs["predictions"]}
    return lambda: evaluator.run(**given)["individual_scores"]


def compare(inputs: Columns, ours: list[int], theirs: list[int] | float) -> str:
    """HF gives the mean only."""
    return agree(inputs, sum(ours) / len(ours) if isinstance(theirs, float) else ours, theirs)


ROW = Row(
    metric="answer_exact_match",
    what="compute(), short pairs",
    unit="pairs",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("answer_exact_match", ours),
    peers=(
        Side("HF exact_match (reimplemented)", hf_exact_match),
        Side("Haystack, no input checks", haystack, needs=("haystack-ai==3.4.0",)),
        Side("answer_exact_match on Arrow columns", ours_on_arrow),
    ),
    compare=compare,
)
