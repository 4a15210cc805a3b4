# Vendored: edit metrics/_shared/_strings.py and run `make vendor`.
"""Helpers for columns of strings, in plain Python without evaluate, `datasets` or Arrow."""

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
    """Split a flat list into rows of the same lengths as those of `column`."""
    ends = accumulate(map(len, column), initial=0)
    return [flat[start:end] for start, end in pairwise(ends)]


def map_strings(function: Callable[[list[str]], list[Any]], column: list[str] | list[list[str]]) -> list[Any]:
    """Apply a function on lists of strings to a column of strings, or of lists of strings, in one call."""
    if not column or isinstance(column[0], str):
        return function(column)  # type: ignore[arg-type]  # a column has one type
    return unflatten(function(list(chain.from_iterable(column))), column)


def call_for_each(function: Callable[[str], str], texts: list[str], *, option: str) -> list[str]:
    """Call a user's function, given as an option, for each string.

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
