"""`precision_recall_f1` by chunk and ROUGE-L: 200 queries x 10 chunks x 5 ground truths of 560 tokens."""

from benchmarks.retrieval import continuous_eval
from benchmarks.retrieval import ours
from benchmarks.retrieval import queries
from benchmarks.retrieval import rouge_score
from benchmarks.row import Row
from benchmarks.row import agree

STRATEGY = "ROUGE_CHUNK_MATCH"

ROW = Row(
    metric="precision_recall_f1",
    what=f'compute(matching_strategy="{STRATEGY}"), 10 chunks x 5 ground truths of 560 tokens',
    unit="queries",
    inputs=queries,
    sizes=(100, 200),
    smoke=1,
    ours=ours(STRATEGY),
    peers=(
        continuous_eval(STRATEGY, at_most=1, at_least=1000),
        rouge_score(STRATEGY, at_most=2, at_least=500),
    ),
    compare=agree,
)
