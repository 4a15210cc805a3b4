# Vendored: edit metrics/_shared/_matching.py and run `make vendor`.
"""Which retrieved component matches which ground truth, and what that counts to.

A component is a chunk or a sentence. ROUGE-L recall is LCS(retrieved, ground truth) / tokens of the ground truth
(Lin 2004, https://aclanthology.org/W04-1013/): the share of the ground truth that the retrieved text holds in order.
"""

from collections.abc import Callable
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

# Takes distinct retrieved and distinct ground-truth texts; gives the ground truths that each retrieved one matches.
Matcher = Callable[[Sequence[str], Sequence[str]], list[list[int]]]

# How many pairs are compared at once: 4 bytes for the LCS and 8 for its share, so some 50 MB.
_PAIRS_AT_ONCE = 1 << 22

# RapidFuzz compares texts of characters, of which there are 0x110000: from half of them on, each query begins anew.
_MOST_TOKENS = 0x110000 // 2


def match_exact(retrieved: Sequence[str], ground_truths: Sequence[str]) -> list[list[int]]:
    """Match texts that are equal, character by character."""
    index = {text: i for i, text in enumerate(ground_truths)}
    return [[index[text]] if text in index else [] for text in retrieved]


class _Characters(dict[str, str]):
    """Gives every token a character of its own."""

    def __missing__(self, token: str) -> str:
        character = self[token] = chr(len(self))
        return character


class RougeMatcher:
    """Match a retrieved text to the ground truths of which it holds more than a share, by ROUGE-L recall.

    Each distinct text is tokenised once in the life of the object.

    Attributes:
        tokenize: A function from a text to its tokens.
        threshold: The share in [0, 1] that the recall must exceed.
    """

    def __init__(self, tokenize: Callable[[str], Sequence[str]], threshold: float) -> None:
        self.tokenize = tokenize
        self.threshold = threshold
        self._characters = _Characters()
        self._encoded: dict[str, str] = {}

    def __call__(self, retrieved: Sequence[str], ground_truths: Sequence[str]) -> list[list[int]]:
        """Match distinct texts of one query, see `Matcher`."""
        if len(self._characters) > _MOST_TOKENS:
            self._characters.clear()
            self._encoded.clear()
        truths = [self._encode(text) for text in ground_truths]
        # A ground truth without tokens has an LCS of 0, whose share of 1 token is not greater than any threshold.
        lengths = np.array([len(truth) or 1 for truth in truths], dtype=np.int32)
        rows = max(1, _PAIRS_AT_ONCE // max(1, len(truths)))
        matches: list[list[int]] = []
        for start in range(0, len(retrieved), rows):
            queries = [self._encode(text) for text in retrieved[start : start + rows]]
            # No score_cutoff: with one, RapidFuzz 3.0 to 3.14 loses some of the pairs that lie exactly on it.
            lcs = process.cdist(queries, truths, scorer=LCSseq.similarity, dtype=np.int32, workers=1)
            # The division, not lcs > threshold * length: 0.7 * 10 is rounded, 7 / 10 is the float that 0.7 is read as.
            matching = lcs / lengths > self.threshold
            found: list[list[int]] = [[] for _ in queries]
            for row in np.flatnonzero(matching.any(axis=1)).tolist():
                found[row] = np.flatnonzero(matching[row]).tolist()
            matches.extend(found)
        return matches

    def _encode(self, text: str) -> str:
        encoded = self._encoded.get(text)
        if encoded is None:
            encoded = self._encoded[text] = "".join(map(self._characters.__getitem__, self.tokenize(text)))
        return encoded


class Matched(NamedTuple):
    """What was matched for one query, in components.

    Attributes:
        relevant: The retrieved components that match some ground truth, duplicates counted.
        retrieved: The retrieved components, duplicates counted.
        found: The distinct ground truths that some retrieved component matches.
        ground_truths: The distinct ground truths.
        pairs: All [index among the retrieved, index among the ground truths] that match, ascending.
    """

    relevant: int
    retrieved: int
    found: int
    ground_truths: int
    pairs: list[list[int]]


def match_query(retrieved: Sequence[str], ground_truths: Sequence[str], matcher: Matcher) -> Matched:
    """Match the retrieved components of one query with its ground truths.

    Args:
        retrieved: The retrieved components, in order.
        ground_truths: The ground-truth components, in order.
        matcher: What decides, `match_exact` or a `RougeMatcher`.

    Returns:
        The counts and the pairs.
    """
    places: dict[str, list[int]] = {}
    for place, text in enumerate(ground_truths):
        places.setdefault(text, []).append(place)
    distinct = list(dict.fromkeys(retrieved))
    matches = dict(zip(distinct, matcher(distinct, list(places)), strict=True)) if places and distinct else {}
    where = list(places.values())
    found: set[int] = set()
    pairs: list[list[int]] = []
    relevant = 0
    for i, text in enumerate(retrieved):
        hits = matches.get(text)
        if hits:
            relevant += 1
            found.update(hits)
            pairs.extend([i, j] for j in sorted([place for hit in hits for place in where[hit]]))
    return Matched(relevant, len(retrieved), len(found), len(where), pairs)
