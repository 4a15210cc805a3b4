# Vendored: edit metrics/_shared/_matching.py and run `make vendor`.
"""Matching of retrieved components with ground truths, and the resulting counts.

A component is a chunk or a sentence. ROUGE-L recall is LCS(retrieved, ground truth) / tokens of the ground truth
(Lin 2004, https://aclanthology.org/W04-1013/): the share of the ground truth's tokens found in order in the retrieved
text.
"""

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any
from typing import NamedTuple

import numpy as np
import rapidfuzz
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from ._environment import check_version

check_version("rapidfuzz", rapidfuzz.__version__, "3.9")

# Pairs per batch: 4 bytes for the LCS and 8 for the recall, so about 50 MB.
_BATCH_PAIRS = 1 << 22

# From this mean length of the ground truths on, in tokens, counting common tokens is faster than computing the LCS.
_LONG = 64
_BUCKETS = 1024

Array = np.ndarray[Any, Any]

# Tokens are encoded as characters, of which there are 0x110000; the encoding is reset when half of them are in use.
_MAX_TOKENS = 0x110000 // 2


@dataclass(frozen=True)
class Matches:
    """The matches among the distinct components of a query. Iterating yields the hits of each retrieved component.

    Attributes:
        relevant: For each retrieved component, whether it matches some ground truth.
        found: For each ground truth, whether some retrieved component matches it.
        list_hits: Yields for each retrieved component the indices of the ground truths that it matches, ascending.
            Lazy, since there can be as many as retrieved components times ground truths.
    """

    relevant: list[bool]
    found: list[bool]
    list_hits: Callable[[], Iterable[list[int]]]

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.list_hits())


# Takes the distinct retrieved texts and the distinct ground truths of a query.
Matcher = Callable[[Sequence[str], Sequence[str]], Matches]


def match_exact(retrieved: Sequence[str], ground_truths: Sequence[str]) -> Matches:
    """Match texts that are equal, character by character."""
    index = {text: i for i, text in enumerate(ground_truths)}
    retrieved_texts = set(retrieved)
    return Matches(
        [text in index for text in retrieved],
        [text in retrieved_texts for text in ground_truths],
        lambda: ([index[text]] if text in index else [] for text in retrieved),
    )


class _Characters(dict[str, str]):
    """Maps every token to a unique character."""

    def __missing__(self, token: str) -> str:
        character = self[token] = chr(len(self))
        return character


class RougeMatcher:
    """Match a retrieved text with the ground truths for which its ROUGE-L recall exceeds a threshold.

    Each distinct text is tokenized once.

    Attributes:
        tokenize: A function from a text to its tokens.
        threshold: The threshold in [0, 1] that the recall must exceed.
    """

    def __init__(self, tokenize: Callable[[str], Sequence[str]], threshold: float) -> None:
        self.tokenize = tokenize
        self.threshold = threshold
        self._characters = _Characters()
        self._encoded: dict[str, str] = {}

    def __call__(self, retrieved: Sequence[str], ground_truths: Sequence[str]) -> Matches:
        """Match distinct texts of one query, see `Matcher`."""
        if len(self._characters) > _MAX_TOKENS:
            self._characters.clear()
            self._encoded.clear()
        truths = [self._encode(text) for text in ground_truths]
        # A ground truth without tokens has an LCS of 0 and counts as 1 token, so its recall of 0 exceeds no threshold.
        lengths = np.array([len(truth) or 1 for truth in truths], dtype=np.int32)
        matching = np.zeros((len(retrieved), len(truths)), dtype=np.bool_)
        rows = max(1, _BATCH_PAIRS // max(1, len(truths)))
        for start in range(0, len(retrieved), rows):
            queries = [self._encode(text) for text in retrieved[start : start + rows]]
            # Divide rather than test lcs > threshold * length: 0.7 * 10 is rounded, but 7 / 10 is exactly float 0.7.
            np.greater(
                self._lcs(queries, truths, lengths) / lengths, self.threshold, out=matching[start : start + rows]
            )
        relevant, found = (np.asarray(matching.any(axis=axis)).tolist() for axis in (1, 0))
        return Matches(relevant, found, lambda: (np.flatnonzero(row).tolist() for row in matching))

    def _lcs(self, queries: list[str], truths: list[str], lengths: Array) -> Array:
        """Return the LCS of each pair, or 0 if it cannot reach the threshold."""
        # No score_cutoff: RapidFuzz 3.0 to 3.14 loses some pairs that are exactly at the cutoff.
        if sum(map(len, truths)) <= _LONG * len(truths):
            return process.cdist(queries, truths, scorer=LCSseq.similarity, dtype=np.int32, workers=1)
        possible = np.argwhere(common_tokens(queries, truths) / lengths > self.threshold).T
        lcs: Array = np.zeros((len(queries), len(truths)), dtype=np.int32)
        lcs[tuple(possible)] = process.cpdist(
            [queries[row] for row in possible[0].tolist()],
            [truths[column] for column in possible[1].tolist()],
            scorer=LCSseq.similarity,
            dtype=np.int32,
            workers=1,
        )
        return lcs

    def _encode(self, text: str) -> str:
        encoded = self._encoded.get(text)
        if encoded is None:
            encoded = self._encoded[text] = "".join(map(self._characters.__getitem__, self.tokenize(text)))
        return encoded


def common_tokens(first: list[str], second: list[str]) -> Array:
    """Return an upper bound of the LCS of each pair: the number of tokens in common, in any order.

    Tokens are hashed into `_BUCKETS` buckets, which can only raise the bound.

    Returns:
        Shape (len(first), len(second)).
    """
    ours, theirs = (np.array(list(map(_count_tokens, texts))) for texts in (first, second))
    return np.stack([np.minimum(ours, counts).sum(axis=1) for counts in theirs], axis=1)


def _count_tokens(encoded: str) -> Array:
    codes = np.frombuffer(encoded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.bincount(codes % _BUCKETS, minlength=_BUCKETS)


class Matched(NamedTuple):
    """The counts of one query, in components.

    Attributes:
        relevant: Number of retrieved components that match some ground truth, duplicates included.
        retrieved: Number of retrieved components, duplicates included.
        found: Number of distinct ground truths that some retrieved component matches.
        ground_truths: Number of distinct ground truths.
        pairs: All matching [index of the retrieved component, index of the ground truth], ascending; empty unless
            requested.
    """

    relevant: int
    retrieved: int
    found: int
    ground_truths: int
    pairs: list[list[int]]


def match_query(
    retrieved: Sequence[str], ground_truths: Sequence[str], matcher: Matcher, *, with_pairs: bool = True
) -> Matched:
    """Match the retrieved components of one query with its ground truths.

    Args:
        retrieved: The retrieved components, in order.
        ground_truths: The ground-truth components, in order.
        matcher: `match_exact` or a `RougeMatcher`.
        with_pairs: List the pairs, of which there can be as many as retrieved components times ground truths.

    Returns:
        The counts and the pairs.
    """
    copies = Counter(retrieved)
    positions: dict[str, list[int]] = {}
    for index, text in enumerate(ground_truths):
        positions.setdefault(text, []).append(index)
    if not copies or not positions:
        return Matched(0, len(retrieved), 0, len(positions), [])
    matches = matcher(list(copies), list(positions))
    relevant = sum(compress(copies.values(), matches.relevant))
    pairs: list[list[int]] = []
    if with_pairs:
        indices_by_truth = list(positions.values())
        indices = {
            text: sorted(index for hit in hits for index in indices_by_truth[hit])
            for text, hits in zip(copies, matches, strict=True)
        }
        pairs = [[i, j] for i, text in enumerate(retrieved) for j in indices[text]]
    return Matched(relevant, len(retrieved), sum(matches.found), len(positions), pairs)
