# Vendored: edit metrics/_shared/_matching.py and run `make vendor`.
"""Which retrieved component matches which ground truth, and what that counts to.

A component is a chunk or a sentence. ROUGE-L recall is LCS(retrieved, ground truth) / tokens of the ground truth
(Lin 2004, https://aclanthology.org/W04-1013/): the share of the ground truth that the retrieved text holds in order.
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

# How many pairs are compared at once: 4 bytes for the LCS and 8 for its share, so some 50 MB.
_PAIRS_AT_ONCE = 1 << 22

# From this mean length of the ground truths on, in tokens, counting what a pair has in common is quicker than its LCS.
_LONG = 64
_BUCKETS = 1024

Array = np.ndarray[Any, Any]

# RapidFuzz compares texts of characters, of which there are 0x110000: from half of them on, each query begins anew.
_MOST_TOKENS = 0x110000 // 2


@dataclass(frozen=True)
class Matches:
    """Which of the distinct components of a query match. Iterated, it gives the hits of each retrieved one.

    Attributes:
        relevant: For each retrieved one, whether it matches some ground truth.
        found: For each ground truth, whether some retrieved one matches it.
        list_hits: Gives for each retrieved one the ground truths that it matches, by index, ascending. They are listed
            when they are asked for: there can be as many as retrieved times ground truths.
    """

    relevant: list[bool]
    found: list[bool]
    list_hits: Callable[[], Iterable[list[int]]]

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.list_hits())


# Decides which of the distinct retrieved and the distinct ground-truth texts of a query match.
Matcher = Callable[[Sequence[str], Sequence[str]], Matches]


def match_exact(retrieved: Sequence[str], ground_truths: Sequence[str]) -> Matches:
    """Match texts that are equal, character by character."""
    index = {text: i for i, text in enumerate(ground_truths)}
    ours = set(retrieved)
    return Matches(
        [text in index for text in retrieved],
        [text in ours for text in ground_truths],
        lambda: ([index[text]] if text in index else [] for text in retrieved),
    )


class _Characters(dict[str, str]):
    """Gives every token a character of its own."""

    def __missing__(self, token: str) -> str:
        character = self[token] = chr(len(self))
        return character


class RougeMatcher:
    """Match a retrieved text to the ground truths of which it holds more than a share, by ROUGE-L recall.

    Each distinct text is tokenized once in the life of the object.

    Attributes:
        tokenize: A function from a text to its tokens.
        threshold: The share in [0, 1] that the recall must exceed.
    """

    def __init__(self, tokenize: Callable[[str], Sequence[str]], threshold: float) -> None:
        self.tokenize = tokenize
        self.threshold = threshold
        self._characters = _Characters()
        self._encoded: dict[str, str] = {}

    def __call__(self, retrieved: Sequence[str], ground_truths: Sequence[str]) -> Matches:
        """Match distinct texts of one query, see `Matcher`."""
        if len(self._characters) > _MOST_TOKENS:
            self._characters.clear()
            self._encoded.clear()
        truths = [self._encode(text) for text in ground_truths]
        # A ground truth without tokens has an LCS of 0, whose share of 1 token is not greater than any threshold.
        lengths = np.array([len(truth) or 1 for truth in truths], dtype=np.int32)
        matching = np.zeros((len(retrieved), len(truths)), dtype=np.bool_)
        rows = max(1, _PAIRS_AT_ONCE // max(1, len(truths)))
        for start in range(0, len(retrieved), rows):
            queries = [self._encode(text) for text in retrieved[start : start + rows]]
            # The division, not lcs > threshold * length: 0.7 * 10 is rounded, 7 / 10 is the float that 0.7 is read as.
            np.greater(
                self._lcs(queries, truths, lengths) / lengths, self.threshold, out=matching[start : start + rows]
            )
        relevant, found = (np.asarray(matching.any(axis=axis)).tolist() for axis in (1, 0))
        return Matches(relevant, found, lambda: (np.flatnonzero(row).tolist() for row in matching))

    def _lcs(self, queries: list[str], truths: list[str], lengths: Array) -> Array:
        """Return the LCS of each pair; where it cannot reach the threshold, 0."""
        # No score_cutoff: with one, RapidFuzz 3.0 to 3.14 loses some of the pairs that lie exactly on it.
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
    """Bound the LCS of each pair from above, by how many tokens both have, whatever their order.

    Tokens are counted in `_BUCKETS` groups, which makes some pairs look more alike than they are, and none less.

    Returns:
        Shape (len(first), len(second)).
    """
    ours, theirs = (np.array(list(map(_count_tokens, texts))) for texts in (first, second))
    return np.stack([np.minimum(ours, counts).sum(axis=1) for counts in theirs], axis=1)


def _count_tokens(encoded: str) -> Array:
    codes = np.frombuffer(encoded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.bincount(codes % _BUCKETS, minlength=_BUCKETS)


class Matched(NamedTuple):
    """What was matched for one query, in components.

    Attributes:
        relevant: The retrieved components that match some ground truth, duplicates counted.
        retrieved: The retrieved components, duplicates counted.
        found: The distinct ground truths that some retrieved component matches.
        ground_truths: The distinct ground truths.
        pairs: All [index among the retrieved, index among the ground truths] that match, ascending; empty if not asked
            for.
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
        matcher: What decides, `match_exact` or a `RougeMatcher`.
        with_pairs: List the pairs, of which there can be as many as retrieved times ground truths.

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
        where = list(positions.values())
        indices = {
            text: sorted(index for hit in hits for index in where[hit])
            for text, hits in zip(copies, matches, strict=True)
        }
        pairs = [[i, j] for i, text in enumerate(retrieved) for j in indices[text]]
    return Matched(relevant, len(retrieved), sum(matches.found), len(positions), pairs)
