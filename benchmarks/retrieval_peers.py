"""Score queries with a peer, in the environment of the peers; `retrieval.py` starts this and reads what it prints.

Standard input holds {"peer", "by_sentence", "queries": [[retrieved chunks, ground truths], ...]} as JSON, standard
output gets {"seconds": [per query], "scores": [[precision, recall, F1], ...]}. Imports are not timed.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ["CONTINUOUS_EVAL_DO_NOT_TRACK"] = "true"

Texts = list[str]


def sentences(chunk: str) -> Texts:
    """Split the sample's texts, whose sentences end in a period and a space: neither side has to split them."""
    return [sentence.rstrip(".") + "." for sentence in chunk.split(". ")]


def continuous_eval(*, by_sentence: bool) -> Callable[[Texts, Texts], list[float]]:
    """Take its metric as it is, but for its sentence splitter: that one downloads its rules at run time."""
    from continuous_eval.metrics import retrieval  # noqa: PLC0415  # each peer is imported where it is asked for
    from continuous_eval.metrics.retrieval import precision_recall_f1 as module  # noqa: PLC0415

    module.sent_tokenize = sentences
    strategy = retrieval.RougeSentenceMatch() if by_sentence else retrieval.RougeChunkMatch()
    metric = retrieval.PrecisionRecallF1(strategy)
    return lambda retrieved, truths: list(metric.compute(retrieved, truths).values())


def rouge_score(*, by_sentence: bool) -> Callable[[Texts, Texts], list[float]]:
    """Put Google's scorer into the same loops."""
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415  # see above

    scorer = RougeScorer(["rougeL"])
    threshold = 0.8 if by_sentence else 0.7

    def score(retrieved: Texts, truths: Texts) -> list[float]:
        if by_sentence:
            retrieved = [sentence for chunk in retrieved for sentence in sentences(chunk)]
            truths = [sentence for chunk in truths for sentence in sentences(chunk)]
        distinct = set(truths)
        relevant = 0
        found = set()
        for text in retrieved:
            hits = {truth for truth in distinct if scorer.score(truth, text)["rougeL"].recall > threshold}
            relevant += bool(hits)
            found |= hits
        precision = relevant / len(retrieved) if retrieved else 0.0
        recall = len(found) / len(distinct) if distinct else 0.0
        both = precision + recall
        return [precision, recall, 2 * precision * recall / both if both else 0.0]

    return score


def main() -> None:
    """Read, score, print."""
    task: dict[str, Any] = json.load(sys.stdin)
    peers = {"continuous-eval": continuous_eval, "rouge-score": rouge_score}
    with contextlib.redirect_stdout(sys.stderr):
        score = peers[task["peer"]](by_sentence=task["by_sentence"])
        scored, seconds = [], []
        for query in task["queries"]:
            started = time.perf_counter()
            scored.append(score(*query))
            seconds.append(time.perf_counter() - started)
    json.dump({"seconds": seconds, "scores": scored}, sys.stdout)


if __name__ == "__main__":
    main()
