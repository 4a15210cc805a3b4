"""Tokens of many texts as NumPy arrays, with the operations that token recall needs on them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# A row and a key make one number, the key in these low bits.
_KEY_BITS = 32


@dataclass(frozen=True)
class Tokens:
    """The tokens of several texts, concatenated."""

    counts: Array
    """The number of tokens of each text, shape (texts,)."""
    keys: Array
    """The vocabulary index of each token's key, shape (tokens,)."""
    kinds: Array
    """The bits of each token (`_recall_kinds.py`), shape (tokens,)."""

    @cached_property
    def rows(self) -> Array:
        """The index of each token's text, shape (tokens,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def ends(self) -> Array:
        """The index after the last token of each text, shape (texts,)."""
        return np.cumsum(self.counts)

    @cached_property
    def starts(self) -> Array:
        """The index of the first token of each text, shape (texts,)."""
        starts: Array = self.ends - self.counts
        return starts

    @cached_property
    def row_kinds(self) -> Array:
        """The bits that any token of a text has, shape (texts,)."""
        return self.combine_bits(self.kinds)

    def token_indices(self, texts: Array) -> Array:
        """List the indices of the tokens of some texts, shape (tokens of these texts,)."""
        return spread(self.starts[texts], self.counts[texts])

    def take(self, texts: Array) -> "Tokens":
        """Select texts by their indices, shape (selected,)."""
        indices = self.token_indices(texts)
        return Tokens(self.counts[texts], self.keys[indices], self.kinds[indices])

    def are(self, kinds: int) -> Array:
        """Say which tokens have one of these bits, shape (tokens,), bool."""
        chosen: Array = (self.kinds & kinds) != 0
        return chosen

    def has(self, kinds: int) -> Array:
        """Say which texts have a token with one of these bits, shape (texts,), bool."""
        chosen: Array = (self.row_kinds & kinds) != 0
        return chosen

    def count(self, chosen: Array) -> Array:
        """Count the chosen tokens of each text, shape (texts,)."""
        return np.bincount(self.rows[chosen], minlength=len(self.counts))

    def any(self, chosen: Array) -> Array:
        """Say which texts have a chosen token, shape (texts,), bool."""
        result = np.zeros(len(self.counts), dtype=np.bool_)
        result[self.rows[chosen]] = True
        return result

    def combine_bits(self, values: Array) -> Array:
        """Combine a value per token by bitwise "or", shape (texts,)."""
        result = np.zeros(len(self.counts), dtype=np.int64)
        filled = self.counts > 0
        if len(values):
            result[filled] = np.bitwise_or.reduceat(values, self.starts[filled])
        return result

    def contain(self, rows: Array, keys: Array, *, where: Array | None = None) -> Array:
        """Say whether texts contain keys.

        Args:
            rows: The text of each query, shape (queries,).
            keys: The key of each query, shape (queries,).
            where: The tokens to look at, shape (tokens,), bool; all if left out.

        Returns:
            Shape (queries,), bool.
        """
        _, codes = self._codes(keys, where)
        return isin_sorted(np.sort(codes), rows << _KEY_BITS | keys)

    def occurrences(self, rows: Array, keys: Array) -> tuple[Array, Array]:
        """Find the tokens of texts that have some keys.

        Args:
            rows: The text of each query, shape (queries,).
            keys: The key of each query, shape (queries,).

        Returns:
            How many tokens each query has, shape (queries,), and their indices, in order, shape (sum of these counts,).
        """
        indices, codes = self._codes(keys, None)
        order = np.argsort(codes, kind="stable")
        codes, queries = codes[order], rows << _KEY_BITS | keys
        first = np.searchsorted(codes, queries)
        counts = np.searchsorted(codes, queries, "right") - first
        return counts, indices[order[spread(first, counts)]]

    def _codes(self, keys: Array, where: Array | None) -> tuple[Array, Array]:
        """Select the tokens with one of some keys: their indices, and numbers that stand for text and key."""
        queried = np.zeros(1 + max(self._greatest_key, keys.max(initial=0)), dtype=np.bool_)
        queried[keys] = True
        indices = np.flatnonzero(queried[self.keys] if where is None else queried[self.keys] & where)
        return indices, self.rows[indices] << _KEY_BITS | self.keys[indices]

    @cached_property
    def _greatest_key(self) -> int:
        return int(self.keys.max(initial=0))


def isin_sorted(values: Array, queries: Array) -> Array:
    """Say which queries are among sorted values, shape (queries,), bool."""
    if not len(values):
        return np.zeros(len(queries), dtype=np.bool_)
    found: Array = values[np.minimum(np.searchsorted(values, queries), len(values) - 1)] == queries
    return found


def spread(starts: Array, counts: Array) -> Array:
    """List `counts` consecutive numbers from each start, shape (sum of the counts,)."""
    ends = np.cumsum(counts)
    return np.repeat(starts - (ends - counts), counts) + np.arange(ends[-1] if len(ends) else 0)


def map_distinct(values: Array, function: Callable[[int], int]) -> Array:
    """Apply a function to each number, calling it once per distinct one; the result has the shape of `values`."""
    distinct, inverse = np.unique(values, return_inverse=True)
    return np.array(list(map(function, distinct.tolist())), dtype=np.int64)[inverse]


def map_distinct_to_several(values: Array, function: Callable[[int], list[int]]) -> tuple[Array, Array]:
    """Apply a function that returns several numbers to each number, calling it once per distinct one.

    Returns:
        How many numbers each value has, shape (values,), and these numbers in order, shape (sum of these counts,).
    """
    distinct, inverse = np.unique(values, return_inverse=True)
    several = list(map(function, distinct.tolist()))
    counts = np.array(list(map(len, several)), dtype=np.int64)
    flat = np.array([other for others in several for other in others], dtype=np.int64)
    return counts[inverse], flat[spread((np.cumsum(counts) - counts)[inverse], counts[inverse])]
