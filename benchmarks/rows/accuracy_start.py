"""From `python` to the first result of `accuracy`, against `import evaluate` alone."""

from benchmarks.environments import ROOT
from benchmarks.row import Row
from benchmarks.row import Side

FIRST_RESULT = f"""
import evaluate
metric = evaluate.load({str(ROOT / "metrics" / "accuracy")!r})
print(metric.compute(predictions=["Paris!"], references=["paris"])["accuracy"])
"""

ROW = Row(
    metric="accuracy",
    what="process start to first result",
    unit="pair",
    sizes=(1,),
    smoke=1,
    ours=Side("accuracy", code=FIRST_RESULT),
    peers=(Side("import evaluate alone", code="import evaluate", at_least=1 / 1.15),),
    measure="start",
)
