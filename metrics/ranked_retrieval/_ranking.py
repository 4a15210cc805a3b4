"""Ranking scores for retrieved chunks, each of which may match any number of ground truths.

On ids, where a retrieved item matches at most one ground truth, these are the measures of trec_eval
(https://github.com/usnistgov/trec_eval): map, recip_rank, Rprec, ndcg_cut, success, recall and P. Chunks of text can
repeat a ground truth, and one chunk can contain several; here each ground truth earns its gain once, at the first chunk
that matches it. For map and nDCG, ground truths that are first found in the same chunk occupy consecutive positions,
beginning with its rank, higher gains first, so that neither score exceeds 1, and finding more ground truths, or
finding them earlier, lowers neither. precision@k counts the chunks that are the first to match some ground truth;
r_precision, the recall at as many ranks as there are ground truths, counts ground truths.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Sequence

# Takes distinct retrieved and distinct ground-truth texts; yields the ground truths that each retrieved text matches.
Matcher = Callable[[Sequence[str], Sequence[str]], Iterable[list[int]]]

# Bump this whenever a score of any ranking changes: it is part of signatures.
RANKING_VERSION = "v1"


def score_names(cutoffs: Sequence[int]) -> list[str]:
    """Return the names of the scores in result order: first those without a cutoff, then the others per cutoff."""
    cut_off = ("mrr", "ndcg", "hit_rate", "recall", "precision")
    return ["map", "mrr", "r_precision", *(f"{name}@{k}" for name in cut_off for k in cutoffs)]


def find_first_ranks(
    components: Sequence[str], ranks: Sequence[int], ground_truths: Sequence[str], matcher: Matcher
) -> list[int | None]:
    """Return for each of the distinct ground truths the rank of the first component that matches it, or None.

    The components, retrieved chunks or their sentences, are in the order of their ranks, from 1.
    """
    first = dict(zip(reversed(components), reversed(ranks), strict=True))  # keeps the first of equal components
    first_ranks: dict[int, int] = {}
    for rank, hits in zip(first.values(), matcher(list(first), ground_truths), strict=True):
        for index in hits:
            first_ranks[index] = min(rank, first_ranks.get(index, rank))
    return [first_ranks.get(index) for index in range(len(ground_truths))]


def place_gains(hits: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Assign each retrieved ground truth, given by rank and gain, a distinct position not before its rank.

    Returns ascending positions with the gain at each. If several ground truths compete for a position, the highest gain
    takes it, which maximizes the discounted sum.
    """
    arrivals = sorted(hits, reverse=True)
    waiting: list[float] = []
    placed: list[tuple[int, float]] = []
    position = 0
    while arrivals or waiting:
        position = position + 1 if waiting else arrivals[-1][0]
        while arrivals and arrivals[-1][0] <= position:
            heapq.heappush(waiting, -arrivals.pop()[1])
        placed.append((position, -heapq.heappop(waiting)))
    return placed


def score_ranking(ranks: Sequence[int | None], gains: Sequence[float], cutoffs: Sequence[int]) -> list[float]:
    """Return the scores of one query that `score_names` lists, 0 to 1; all 0.0 if no ground truth is relevant.

    `ranks` has for each distinct ground truth the rank of the first chunk that matches it, or None; `gains` its
    relevance, finite and not negative, of which 0 is not relevant; `cutoffs` the values of k.

    >>> scores = score_ranking(ranks=[2, None], gains=[1, 1], cutoffs=[10])
    >>> dict(zip(score_names([10]), scores))["mrr"]
    0.5
    """
    relevant = [(rank, gain) for rank, gain in zip(ranks, gains, strict=True) if gain > 0]
    total = len(relevant)
    if not total:
        return [0.0] * len(score_names(cutoffs))
    hits = [(rank, gain) for rank, gain in relevant if rank is not None]
    first = sorted(rank for rank, _ in hits)
    placed = place_gains(hits)
    precisions = [(index + 1) / position for index, (position, _) in enumerate(placed)]
    ideal = list(enumerate(sorted((gain for _, gain in relevant), reverse=True), start=1))
    reciprocal = 1 / first[0] if first else 0.0
    return [
        math.fsum(precisions) / total,
        reciprocal,
        sum(rank <= total for rank in first) / total,
        *(reciprocal if first and first[0] <= k else 0.0 for k in cutoffs),
        # Rounding of the terms may raise a sum above the ideal one by an ulp.
        *(min(1.0, _discounted(placed, k) / _discounted(ideal, k)) for k in cutoffs),
        *(float(bool(first) and first[0] <= k) for k in cutoffs),
        *(sum(rank <= k for rank in first) / total for k in cutoffs),
        *(sum(rank <= k for rank in set(first)) / k for k in cutoffs),
    ]


def _discounted(gains: Sequence[tuple[int, float]], k: int) -> float:
    """Sum gain / log2(1 + position) up to position k (Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418)."""
    return math.fsum(gain / math.log2(1 + position) for position, gain in gains if position <= k)
