"""`precision_recall_f1` by sentence and ROUGE-L, on the texts of `retrieval_chunks`."""

from benchmarks.retrieval import Query
from benchmarks.retrieval import Scores
from benchmarks.retrieval import continuous_eval
from benchmarks.retrieval import ours
from benchmarks.retrieval import queries
from benchmarks.retrieval import rouge_score
from benchmarks.row import Row

STRATEGY = "ROUGE_SENTENCE_MATCH"


def compare(_inputs: list[Query], mine: Scores, theirs: Scores) -> str:
    """Count differing queries: continuous-eval's ROUGE-L respects case and punctuation, and uses >= instead of >."""
    different = sum(one != other for one, other in zip(mine, theirs, strict=True))
    verb = "is" if different == 1 else "are"
    return f"{different} of {len(mine)} queries {verb} scored differently" if different else ""


ROW = Row(
    metric="precision_recall_f1",
    what=f'compute(matching_strategy="{STRATEGY}"), 10 chunks x 5 ground truths of 26 sentences',
    unit="queries",
    inputs=queries,
    sizes=(100, 200),
    smoke=1,
    ours=ours(STRATEGY),
    peers=(
        continuous_eval(STRATEGY, at_most=1, at_least=200),
        rouge_score(STRATEGY, at_most=2),
    ),
    compare=compare,
)
