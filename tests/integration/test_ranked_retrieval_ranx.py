"""`ranked_retrieval` on ids equals ranx, which runs in a separate environment because it needs numba."""

import json
import random
import subprocess

import pytest

from benchmarks.cases import CASES
from benchmarks.peers import RANKED_SCORES
from benchmarks.run import python_for
from metrics._shared._retrieval import match_exact
from metrics.ranked_retrieval._ranking import find_first_ranks, score_names, score_ranking

pytestmark = pytest.mark.integration

RANX = """
import json, sys, ranx
queries, names = json.load(sys.stdin)
truths = {f"q{i:05}": relevance for i, (_, relevance) in enumerate(queries)}
ranked = {f"q{i:05}": {item: 99.0 - place for place, item in enumerate(items)} for i, (items, _) in enumerate(queries)}
scores = ranx.evaluate(ranx.Qrels(truths), ranx.Run(ranked), names, return_mean=False)
print(json.dumps({name: list(map(float, values)) for name, values in scores.items()}))
"""


def test_id_scores_equal_ranx() -> None:
    rng = random.Random(0)  # noqa: S311  # test data
    documents = [f"d{number}" for number in range(12)]
    queries = [
        (
            rng.sample(documents, rng.randint(1, 12)),
            {document: rng.randint(0, 3) for document in rng.sample(documents, rng.randint(1, 6))},
        )
        for _ in range(500)
    ]
    python = python_for(CASES["ranked_retrieval"].peers[0].needs, install=True)
    assert python is not None
    done = subprocess.run(
        [python, "-c", RANX], input=json.dumps([queries, RANKED_SCORES]), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    expected = json.loads(done.stdout)
    assert list(RANKED_SCORES) == score_names([1, 5, 10])
    for index, (retrieved, relevance) in enumerate(queries):
        ranks = find_first_ranks(retrieved, range(1, len(retrieved) + 1), list(relevance), match_exact)
        scores = score_ranking(ranks, list(map(float, relevance.values())), [1, 5, 10])
        assert scores == pytest.approx([expected[name][index] for name in RANKED_SCORES]), (retrieved, relevance)
