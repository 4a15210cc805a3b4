# Vendored: edit metrics/_shared/_strings.py and run `make vendor`.
"""Columns of strings in plain Python: what scoring functions use without evaluate, `datasets` or Arrow."""

from collections.abc import Callable
from itertools import accumulate
from itertools import chain
from itertools import pairwise
from typing import Any

_MAX_SHOWN = 60


def shorten(value: object) -> str:
    """Format a value for an error message."""
    shown = repr(value)
    return shown if len(shown) <= _MAX_SHOWN else shown[: _MAX_SHOWN - 3] + "..."


def describe(value: object) -> str:
    """Format a value and its type for an error message."""
    return "None" if value is None else f"{shorten(value)} ({type(value).__name__})"


def unflatten(flat: list[Any], column: list[list[str]]) -> list[list[Any]]:
    """Split a flat list into rows as long as those of a column of lists."""
    ends = accumulate(map(len, column), initial=0)
    return [flat[start:end] for start, end in pairwise(ends)]


def map_strings(function: Callable[[list[str]], list[Any]], column: list[str] | list[list[str]]) -> list[Any]:
    """Apply a function of many strings to a column of strings, or of lists of strings, in one call."""
    if not column or isinstance(column[0], str):
        return function(column)  # type: ignore[arg-type]  # a column has one form
    return unflatten(function(list(chain.from_iterable(column))), column)


def call_for_each(function: Callable[[str], str], texts: list[str], *, option: str) -> list[str]:
    """Call a function of the user's, given as an option, for each string.

    Raises:
        ValueError: If it returns anything but a string.
    """
    results = []
    for text in texts:
        result = function(text)
        if not isinstance(result, str):
            raise ValueError(f"{option} returned {describe(result)} for {shorten(text)}, not a string")
        results.append(result)
    return results
