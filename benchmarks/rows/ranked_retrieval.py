"""`ranked_retrieval` on ids against ranx, whose loops numba compiles (before the clock starts)."""

import random
from collections.abc import Callable
from typing import Any

from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree_up_to_rounding

RETRIEVED = 100
RELEVANT = 5
CUTOFFS = (1, 5, 10)
SCORES = ("map", "mrr", *(f"{name}@{k}" for name in ("ndcg", "hit_rate", "recall", "precision") for k in CUTOFFS))

Query = tuple[list[str], dict[str, int]]
Scores = list[float]


def queries(count: int) -> list[Query]:
    """Generate rankings of ids, some of which are ground truths, graded 1 to 3."""
    rng = random.Random(0)  # noqa: S311  # not for cryptography
    made = []
    for _ in range(count):
        pool = [f"doc{number}" for number in rng.sample(range(100_000), RETRIEVED + RELEVANT)]
        truths = rng.sample(pool, RELEVANT)
        made.append((pool[:RETRIEVED], {truth: rng.randint(1, 3) for truth in truths}))
    return made


def ours(inputs: list[Query]) -> Callable[[], Scores]:
    """All that `compute` returns by default."""
    metric = load("ranked_retrieval")
    columns = {
        "predictions": [retrieved for retrieved, _ in inputs],
        "references": [list(truths) for _, truths in inputs],
        "relevance": [list(truths.values()) for _, truths in inputs],
    }

    def run() -> Scores:
        result = metric.compute(**columns, matching_strategy="ID", k=list(CUTOFFS))
        return [result[name] for name in SCORES]

    return run


def ranx(inputs: list[Query]) -> Callable[[], Scores]:
    """The complete path from Python lists: build both tables, evaluate."""
    import ranx

    def run(queries: list[Query] = inputs) -> Scores:
        truths = {f"q{index}": relevance for index, (_, relevance) in enumerate(queries)}
        ranked = {
            f"q{index}": {item: float(RETRIEVED - rank) for rank, item in enumerate(retrieved)}
            for index, (retrieved, _) in enumerate(queries)
        }
        scores: Any = ranx.evaluate(ranx.Qrels(truths), ranx.Run(ranked), list(SCORES))
        return [float(scores[name]) for name in SCORES]

    run(inputs[:2])
    return run


ROW = Row(
    metric="ranked_retrieval",
    what='compute(matching_strategy="ID"), 100 ids x 5 ground truths',
    unit="queries",
    inputs=queries,
    sizes=(1000, 10_000),
    smoke=5,
    ours=Side("ranked_retrieval", ours),
    peers=(Side("ranx", ranx, needs=("ranx==0.3.21",)),),
    compare=agree_up_to_rounding,
)
