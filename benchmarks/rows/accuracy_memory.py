"""Peak memory of `accuracy`, against HF `exact_match`."""

from benchmarks.inputs import answers
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.rows.accuracy_million import compare
from benchmarks.rows.accuracy_million import hf_exact_match
from benchmarks.rows.accuracy_million import ours

ROW = Row(
    metric="accuracy",
    what="peak memory of the process, inputs included",
    unit="pairs",
    inputs=answers,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("HF exact_match (reimplemented)", hf_exact_match, at_least=1),),
    measure="memory",
    compare=compare,
)
