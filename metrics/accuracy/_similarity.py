"""Similarity of many pairs of texts, by RapidFuzz."""

from itertools import accumulate
from itertools import chain
from itertools import repeat
from typing import Any
from typing import Literal
from typing import get_args

import numpy as np
import rapidfuzz
from rapidfuzz import fuzz
from rapidfuzz import process
from rapidfuzz.distance import Indel

from ._environment import check_version

check_version("rapidfuzz", rapidfuzz.__version__, "3.9")

Scorer = Literal["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "WRatio"]
SCORERS: tuple[Scorer, ...] = get_args(Scorer)

EXACT_SCORERS = frozenset({"ratio", "token_sort_ratio"})
"""Scorers whose values are one division of integers; RapidFuzz rounds the values of the others."""


def pairwise_similarities(first: list[str], second: list[str], scorer: Scorer = "ratio") -> list[float]:
    """Return the similarity, 0 to 1, of each text to the text with the same index in the other list.

    "ratio" is 2 LCS / (sum of both lengths), by one division of integers, so that a value equal to a threshold compares
    as equal. RapidFuzz's value, 1 - distance / length, has rounding errors.
    """
    if scorer == "token_sort_ratio":
        first = [" ".join(sorted(text.split())) for text in first]
        second = [" ".join(sorted(text.split())) for text in second]
    if scorer in EXACT_SCORERS:
        distances = process.cpdist(first, second, scorer=Indel.distance, dtype=np.int64)
        lengths = np.fromiter(map(len, first), np.int64) + np.fromiter(map(len, second), np.int64)
        lengths = np.maximum(lengths, 1)
        values: list[float] = ((lengths - distances) / lengths).tolist()
    else:
        values = (process.cpdist(first, second, scorer=getattr(fuzz, scorer), dtype=np.float64) / 100).tolist()
    return values


def best_similarities(predictions: list[str], references: list[Any], scorer: Scorer = "ratio") -> list[float]:
    """Return the similarity, 0 to 1, of each prediction to its reference, or to the most similar of several."""
    if not references or isinstance(references[0], str):
        return pairwise_similarities(predictions, references, scorer)
    counts = list(map(len, references))
    repeated = list(chain.from_iterable(map(repeat, predictions, counts)))
    each = pairwise_similarities(repeated, list(chain.from_iterable(references)), scorer)
    best: list[float] = np.maximum.reduceat(each, [0, *accumulate(counts[:-1])]).tolist()
    return best
