# Vendored: edit metrics/_shared/_statistics.py and run `make vendor`.
"""Scores as functions of column sums, the basis of intervals, comparisons and corrections.

A `Statistic` has a few numbers per example and a function from their sums to the score. A mean sums (score, 1) and
divides; precision pooled over queries sums (relevant, retrieved) and divides. All sums are rounded once, at the end, so
results do not depend on the order of the rows or on how they were split into shards.
"""

import math
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal
from typing import TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

_SPLIT = float(2**27 + 1)
"""Veltkamp's constant: splits a float into two halves of at most 26 bits."""
_LOW_BITS = 2**26 - 1
_WHOLE = 2**53
_STEP = 1e-3
"""Relative step of the numerical derivative, whose error is of the fourth order."""


@dataclass(frozen=True, eq=False)
class Statistic:
    """A score in [0, 1] that is a function of column sums.

    Attributes:
        rows: Shape (examples, columns), float64: the summands of each example; all zeros for examples without a score.
        kind: "proportion": the mean of 0/1 scores; "mean": the mean of scores in [0, 1]; "function": anything else.
            Rows of the first two are (score, 1).
        function: Takes sums of shape (..., columns), returns scores of shape (...), 0.0 where it would divide by 0.
        counts: Shape (examples,), int: how often each row occurs; None means once each.
    """

    rows: Array
    kind: Literal["proportion", "mean", "function"]
    function: Callable[[Array], Array]
    counts: Array | None = None

    @property
    def scored(self) -> Array:
        """Which rows have a score, shape (examples,), bool."""
        return np.asarray(self.rows.any(axis=1))

    @property
    def total(self) -> int:
        """The number of examples that have a score."""
        return int(self.scored.sum() if self.counts is None else self.counts[self.scored].sum())

    @property
    def value(self) -> float:
        """The score."""
        return float(self.function(self.sums()))

    def sums(self) -> Array:
        """Return the column sums, shape (columns,), correctly rounded."""
        return np.array([exact_sum(column, self.counts) for column in self.rows.T])

    def influences(self) -> Array:
        """Return the influence of each row on the score, to first order, shape (examples,).

        Influences sum to 0. For a mean they are (score - mean) / total; otherwise the derivative is numerical (central
        differences with one step of Richardson extrapolation, relative error about 1e-12).
        """
        sums = self.sums()
        if self.kind != "function":
            total = float(sums[1])
            return np.asarray((self.rows[:, 0] - sums[0] / total * self.rows[:, 1]) / total)
        steps = np.diag(np.where(sums != 0, np.abs(sums), 1.0) * _STEP)

        def slopes(step: Array) -> Array:
            return np.asarray((self.function(sums + step) - self.function(sums - step)) / (2 * np.diag(step)))

        gradient = (4 * slopes(steps / 2) - slopes(steps)) / 3
        # The score is invariant to scaling all sums, so any derivative in that direction is numerical error.
        gradient -= sums * (np.sum(gradient * sums) / np.sum(sums * sums))
        return np.asarray(np.sum(self.rows * gradient, axis=1))

    def take(self, indices: Array) -> "Statistic":
        """Return the same statistic for some of the rows."""
        counts = None if self.counts is None else self.counts[indices]
        return Statistic(self.rows[indices], self.kind, self.function, counts)


def proportion_statistic(successes: Iterable[Any], counts: Array | None = None) -> Statistic:
    """Return the statistic of a proportion from 0/1 values; None or NaN is an example without a score."""
    return Statistic(_score_rows(successes), "proportion", divide_sums, counts)


def mean_statistic(scores: Iterable[Any], counts: Array | None = None) -> Statistic:
    """Return the statistic of a mean from scores in [0, 1]; None or NaN is an example without a score."""
    return Statistic(_score_rows(scores), "mean", divide_sums, counts)


def pooled_statistic(
    columns: Sequence[Iterable[Any]], function: Callable[[Array], Array], counts: Array | None = None
) -> Statistic:
    """Return the statistic of a micro average.

    Args:
        columns: The columns of counts, each with one value per example.
        function: As in `Statistic`.
        counts: As in `Statistic`.
    """
    rows = np.array([_numbers(column) for column in columns], dtype=np.float64).T
    return Statistic(np.ascontiguousarray(rows), "function", function, counts)


def divide_sums(sums: Array) -> Array:
    """Divide the first sum by the second, 0.0 if that is 0: (..., 2) to (...)."""
    part, whole = sums[..., 0], sums[..., 1]
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)


def exact_sum(values: Array, counts: Array | None = None) -> float:
    """Return the correctly rounded sum of floats, which does not depend on their order or grouping.

    Args:
        values: Shape (values,).
        counts: How often each is added, shape (values,); None means once.
    """
    if counts is None:
        # Sums of whole numbers below 2**53 are exact in any order, and numpy is fast.
        if (values == np.rint(values)).all() and np.abs(values).sum() < _WHOLE:
            return float(values.sum())
        return math.fsum(values.tolist())
    high = _SPLIT * values
    high = high - (high - values)
    counts = counts.astype(np.int64)
    low_counts = (counts & _LOW_BITS).astype(np.float64)
    high_counts = (counts & ~_LOW_BITS).astype(np.float64)
    # Products of two numbers with 26 significant bits each are exact.
    products = [part * times for part in (high, values - high) for times in (low_counts, high_counts)]
    return math.fsum(np.concatenate(products).tolist())


def cluster_codes(labels: Iterable[Any]) -> Array:
    """Number the distinct cluster labels from 0, shape (examples,), int64."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)
    codes: dict[Any, int] = {}
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.int64)


def cluster_sums(values: Array, codes: Array, counts: Array | None = None) -> Array:
    """Sum values per cluster, in ascending order of values so that row order does not matter; shape (clusters,)."""
    if counts is not None:
        values = values * counts
    if len(values) == 0:
        return np.zeros(0)
    order = np.lexsort((values, codes))
    ordered = codes[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return np.add.reduceat(values[order], starts)


def effective_number(values: Array) -> float:
    """Return how many values account for the sum of squares, 0.0 to their number; values of equal size count fully."""
    squares = values * values
    largest = squares.max(initial=0.0)
    if largest == 0:
        return 0.0
    squares = squares / largest
    return exact_sum(squares) ** 2 / exact_sum(squares * squares)


def sampling_variance(statistic: Statistic, codes: Array | None = None) -> float:
    """Estimate the variance of a score over samples of examples, or of clusters of examples.

    n / (n - 1) times the sum of squared influences, where n is the number of examples, or of clusters, whose influences
    are summed first (CR1, Cameron and Miller 2015, https://doi.org/10.3368/jhr.50.2.317). For a mean this is s^2 / n.

    Args:
        statistic: The statistic, with at least one row that has a score.
        codes: The cluster of each row, from 0 to clusters - 1, none empty.

    Returns:
        The variance; 0.0 for a single example or cluster.
    """
    influences = statistic.influences()
    if codes is None:
        number, squares = statistic.total, exact_sum(influences * influences, statistic.counts)
    else:
        sums = cluster_sums(influences, codes, statistic.counts)
        number, squares = len(sums), exact_sum(sums * sums)
    return squares * number / (number - 1) if number > 1 else 0.0


def _score_rows(scores: Iterable[Any]) -> Array:
    values = _numbers(scores)
    missing = np.isnan(values)
    return np.stack([np.where(missing, 0.0, values), np.where(missing, 0.0, 1.0)], axis=1)


def _numbers(values: Iterable[Any]) -> Array:
    if not isinstance(values, np.ndarray):
        values = [math.nan if value is None else value for value in values]
    return np.asarray(values, dtype=np.float64)


def column_statistic(
    column: Any, kind: Literal["proportion", "mean"], score: Callable[[Any], float] = float
) -> Statistic:
    """Return the statistic of a proportion or a mean from a per-example column, a list or a `Counter` of values.

    Args:
        column: The values, or a `Counter` of them.
        kind: As in `Statistic`.
        score: The score of a value, in [0, 1].
    """
    make = proportion_statistic if kind == "proportion" else mean_statistic
    if isinstance(column, Counter):
        return make([score(value) for value in column], np.array(list(column.values()), dtype=np.int64))
    return make([score(value) for value in column])
