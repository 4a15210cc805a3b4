"""`precision_recall_f1` on short excerpts of real text: the Python language reference, as included in `pydoc`.

A ground truth is a sentence or two of a paragraph; what is retrieved are paragraphs, the right one among them. The
peers have little to do for each pair of such short texts, so the gap is a tenth of that with long chunks, or less.
"""

import random
import re
from pydoc_data import topics

from benchmarks.retrieval import Query
from benchmarks.retrieval import Scores
from benchmarks.retrieval import continuous_eval
from benchmarks.retrieval import ours
from benchmarks.retrieval import rouge_score
from benchmarks.row import Row

STRATEGY = "ROUGE_CHUNK_MATCH"
CHUNKS = 10
GROUND_TRUTHS = 2
SHORTEST, LONGEST = 10, 120


def inputs(size: int) -> list[Query]:
    """Draw queries: two excerpts of one paragraph each, and ten paragraphs, the two among them or not."""
    texts = (" ".join(text.split()) for topic in topics.topics.values() for text in re.split(r"\n\s*\n", topic))
    prose = (text for text in texts if text[:1].isalpha() and SHORTEST <= len(text.split()) <= LONGEST)
    paragraphs = list(dict.fromkeys(prose))  # a paragraph may belong to several topics
    rng = random.Random(0)  # noqa: S311  # not for cryptography
    queries = []
    for _ in range(size):
        chunks = rng.sample(paragraphs, CHUNKS)
        sources = rng.sample(chunks, GROUND_TRUTHS - 1) + rng.sample(paragraphs, 1)
        queries.append((chunks, [" ".join(re.split(r"(?<=[.!?]) ", source)[:2]) for source in sources]))
    return queries


def compare(inputs: list[Query], ours: Scores, theirs: Scores) -> str:
    """rouge-score's decisions are ours; continuous-eval's are of another kind on natural text."""  # names
    different = sum(one != other for one, other in zip(ours, theirs, strict=True))
    if not different:
        return ""
    return (
        f"{different} of {len(inputs)} queries differ: the rouge package compares words with their case and "
        "punctuation, sentence by sentence, and continuous-eval takes a recall of just the threshold for a match"
    )


ROW = Row(
    metric="precision_recall_f1",
    what=f'compute(matching_strategy="{STRATEGY}"), 10 paragraphs x 2 excerpts of the Python reference',
    unit="queries",
    inputs=inputs,
    sizes=(100, 1000),
    smoke=1,
    ours=ours(STRATEGY),
    peers=(
        continuous_eval(STRATEGY, at_most=20, at_least=20),
        rouge_score(STRATEGY, at_most=100),
    ),
    compare=compare,
)
