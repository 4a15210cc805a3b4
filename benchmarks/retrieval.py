"""Shared by the retrieval rows: queries, our side, and two peers that score them in the same loops.

`precision_recall_f1` is modeled on continuous-eval; rouge-score is Google's, used in continuous-eval's loops. Both need
seconds per query, so they are measured on one or two.
"""

import random
from collections.abc import Callable
from typing import Any

from benchmarks.ours import load
from benchmarks.row import Side

CHUNKS = 10
GROUND_TRUTHS = 5
TOKENS = 560
TOKENS_PER_SENTENCE = 22
VOCABULARY = 5000
ROUGE_THRESHOLDS = {"ROUGE_CHUNK_MATCH": 0.7, "ROUGE_SENTENCE_MATCH": 0.8}

Query = tuple[list[str], list[str]]
Scores = list[list[float]]


def queries(count: int) -> list[Query]:
    """Generate queries of random words with a Zipf distribution; some of the ground truths were retrieved."""
    rng = random.Random(0)  # noqa: S311  # not for cryptography
    words = [f"w{rank}" for rank in range(1, VOCABULARY + 1)]
    weights = [1 / rank for rank in range(1, VOCABULARY + 1)]

    def chunk() -> str:
        drawn = rng.choices(words, weights, k=TOKENS)
        starts = range(0, TOKENS, TOKENS_PER_SENTENCE)
        return " ".join(" ".join(drawn[i : i + TOKENS_PER_SENTENCE]).capitalize() + "." for i in starts)

    def altered(text: str) -> str:
        return " ".join(
            rng.choice(words) if rng.random() < rng.choice([0.1, 0.2]) else word for word in text.split(" ")
        )

    result = []
    for _ in range(count):
        truths = [chunk() for _ in range(GROUND_TRUTHS)]
        result.append(([chunk() for _ in range(CHUNKS - 3)] + [altered(text) for text in truths[:3]], truths))
    return result


def sentences(chunk: str) -> list[str]:
    """Split these texts, whose sentences all end with a period and a space, like sentencex."""
    *complete, last = chunk.split(". ")
    return [sentence + "." for sentence in complete] + [last]


def ours(strategy: str) -> Side:
    """Return our side, which computes precision, recall and F1 of each query."""

    def prepare(inputs: list[Query]) -> Callable[[], Scores]:
        metric = load("precision_recall_f1")
        retrieved, truths = ([list(query[side]) for query in inputs] for side in (0, 1))

        def run() -> Scores:
            result = metric.compute(
                predictions=retrieved, references=truths, matching_strategy=strategy, return_details=True
            )
            keys = ("individual_precision", "individual_recall", "individual_f1")
            return [list(scores) for scores in zip(*(result[key] for key in keys), strict=True)]

        return run

    return Side("precision_recall_f1", prepare)


def continuous_eval(strategy: str, *, at_most: int, at_least: float) -> Side:
    """Return continuous-eval's metric, with its sentence splitter replaced since it downloads its rules at import."""

    def prepare(inputs: list[Query]) -> Callable[[], Scores]:
        import os

        os.environ["CONTINUOUS_EVAL_DO_NOT_TRACK"] = "true"
        from continuous_eval.metrics import retrieval
        from continuous_eval.metrics.retrieval import precision_recall_f1 as module

        module.sent_tokenize = sentences
        strategies: Any = {
            "ROUGE_CHUNK_MATCH": retrieval.RougeChunkMatch,
            "ROUGE_SENTENCE_MATCH": retrieval.RougeSentenceMatch,
        }
        metric = retrieval.PrecisionRecallF1(strategies[strategy]())
        return lambda: [list(metric.compute(*query).values()) for query in inputs]

    needs = ("continuous-eval==0.3.14.post2",)
    return Side("continuous-eval", prepare, needs=needs, at_most=at_most, at_least=at_least)


def rouge_score(strategy: str, *, at_most: int, at_least: float | None = None) -> Side:
    """Return Google's scorer in the loops of continuous-eval."""

    def prepare(inputs: list[Query]) -> Callable[[], Scores]:
        from rouge_score.rouge_scorer import RougeScorer

        scorer = RougeScorer(["rougeL"])
        threshold = ROUGE_THRESHOLDS[strategy]

        def score(retrieved: list[str], truths: list[str]) -> list[float]:
            if strategy == "ROUGE_SENTENCE_MATCH":
                retrieved = [sentence for chunk in retrieved for sentence in sentences(chunk)]
                truths = [sentence for chunk in truths for sentence in sentences(chunk)]
            distinct = set(truths)
            relevant = 0
            found: set[str] = set()
            for text in retrieved:
                hits = {truth for truth in distinct if scorer.score(truth, text)["rougeL"].recall > threshold}
                relevant += bool(hits)
                found |= hits
            precision, recall = relevant / len(retrieved), len(found) / len(distinct)
            both = precision + recall
            return [precision, recall, 2 * precision * recall / both if both else 0.0]

        return lambda: [score(*query) for query in inputs]

    needs = ("rouge-score==0.1.2",)
    return Side("the same loops with rouge-score", prepare, needs=needs, at_most=at_most, at_least=at_least)
