"""`accuracy` on lists, against HF `exact_match`, which normalizes nothing, and against a plain loop."""

from collections.abc import Callable
from typing import Any

from benchmarks import benchwise
from benchmarks.environments import ROOT
from benchmarks.inputs import Columns
from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Disagreement
from benchmarks.row import Row
from benchmarks.row import Side


def ours(inputs: Columns) -> Callable[[], Any]:
    """All that `compute` returns by default."""
    metric = load("accuracy")
    return lambda: metric.compute(**inputs)["accuracy"]


def hf_exact_match(inputs: Columns) -> Callable[[], Any]:
    """evaluate's complete path: encode, write, read, compare."""  # noqa: D403  # the name of a library
    import evaluate

    metric = evaluate.load(str(ROOT / "benchmarks" / "hf_exact_match"))
    return lambda: float(metric.compute(**inputs)["exact_match"])


def plain_loop(inputs: Columns) -> Callable[[], Any]:
    """A plain script without a library: lower case, no punctuation, single spaces, no interval."""
    return lambda: benchwise.accuracy(inputs["predictions"], inputs["references"], return_confidence=False)["accuracy"]


def compare(inputs: Columns, ours: float, theirs: float) -> str:
    """Check that equal texts match with normalization too, and report additional matches."""
    if ours < sum(map(str.__eq__, inputs["predictions"], inputs["references"])) / len(inputs["references"]):
        raise Disagreement(f"ours {ours} is less than the share of equal pairs")
    return "" if ours == theirs else f"accuracy {ours:.5f}, theirs {theirs:.5f}: they normalize less or differently"


ROW = Row(
    metric="accuracy",
    what="compute(), short pairs",
    unit="pairs",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(
        Side("HF exact_match (reimplemented), no normalization", hf_exact_match, at_least=8),
        Side("a plain loop that normalizes", plain_loop),
    ),
    compare=compare,
)
