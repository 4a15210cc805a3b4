# Vendored: edit metrics/_shared/_columns.py and run `make vendor`.
"""Check the columns that come in: what evaluate would cast, split or let through, and what would score wrongly.

Each class describes one input of a metric. `check` takes a list and returns a list of plain strings (or of lists of
plain strings), or raises a `ValueError` that names the argument, the index and what was found there. `features`
are the forms that evaluate is told of, and `to_arrow` encodes a checked column in the last of them.
"""

import math
import numbers
from collections.abc import Callable
from itertools import accumulate
from itertools import chain
from itertools import filterfalse
from itertools import pairwise
from typing import Any

import datasets
import pyarrow as pa

_SHOWN = 60
CLASS_LABELS_HINT = 'for class labels, evaluate\'s own metric is the right one: evaluate.load("accuracy")'


def shorten(value: object) -> str:
    """Show a value in an error message."""
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 3] + "..."


def describe(value: object) -> str:
    """Show a value and its type in an error message, shortened."""
    return "None" if value is None else f"{shorten(value)} ({type(value).__name__})"


def _is_list(value: object) -> bool:
    """Say whether a value is a list of texts: a list, a tuple or, as Ray and pandas hand them over, an array."""
    return isinstance(value, (list, tuple)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1)


def _all_are(kind: type, values: list[Any]) -> bool:
    """Say whether all values are of this very type: `list.count` sees that quicker than a set or a loop."""
    return list(map(type, values)).count(kind) == len(values)


def _apart(flat: list[str], column: list[list[str]]) -> list[list[str]]:
    """Take as many texts for each row as the row of a column has."""
    ends = accumulate(map(len, column), initial=0)
    return [flat[start:end] for start, end in pairwise(ends)]


def _plain_list(value: Any) -> list[Any]:
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _is_missing(value: object) -> bool:
    """Say whether a value stands for none: None, NaN, or pandas' own, which cannot even be compared."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}


def _not_a_text(value: object) -> str:
    if isinstance(value, numbers.Integral):
        return f"{describe(value)}, not a string; {CLASS_LABELS_HINT}"
    if _is_missing(value):
        return f'{describe(value)}, not a string; a missing text is either left out or given as ""'
    return f"{describe(value)}, not a string"


def _plain_texts(name: str, texts: list[Any]) -> list[str]:
    """Check that all are strings that can be encoded; `name` holds a place for the index, as in `predictions[{}]`."""
    if not _all_are(str, texts):
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                raise ValueError(f"{name.format(index)} is {_not_a_text(text)}")
        texts = [str.__str__(text) for text in texts]
    return _encodable(name, texts)


def _encodable(name: str, texts: list[str]) -> list[str]:
    try:
        "".join(filterfalse(str.isascii, texts)).encode()
    except UnicodeEncodeError:
        for index, text in enumerate(texts):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise ValueError(
                    f"{name.format(index)} holds a lone surrogate, U+{ord(text[error.start]):04X} at character "
                    f"{error.start}, and so is no valid text; decode its source with errors='replace'"
                ) from None
    return texts


class Texts:
    """One string per example."""

    features: tuple[Any, ...] = (datasets.Value("string"),)
    arrow_type = pa.string()

    def check(self, name: str, column: list[Any]) -> list[str]:
        """Return the column as plain strings, or raise a `ValueError`."""
        return _plain_texts(name + "[{}]", column)

    def to_arrow(self, column: list[str]) -> pa.Array:
        """Encode a checked column."""
        return pa.array(column, self.arrow_type)


class TextLists:
    """A list of strings per example, which may be empty."""

    features: tuple[Any, ...] = (datasets.Sequence(datasets.Value("string")),)
    arrow_type = pa.list_(pa.string())
    allow_empty = True

    def check(self, name: str, column: list[Any]) -> list[list[str]]:
        """Return the column as lists of plain strings, or raise a `ValueError`."""
        if not _all_are(list, column):
            for index, texts in enumerate(column):
                if not _is_list(texts):
                    raise ValueError(f"{name}[{index}] is {describe(texts)}, not a list of strings")
            column = [_plain_list(texts) for texts in column]
        if not self.allow_empty and [] in column:
            raise ValueError(f"{name}[{column.index([])}] is an empty list; each example needs at least one reference")
        flat = list(chain.from_iterable(column))
        try:
            plain = _plain_texts("{}", flat)
        except ValueError:
            for index, texts in enumerate(column):
                _plain_texts(f"{name}[{index}][{{}}]", texts)
            raise
        return column if plain is flat else _apart(plain, column)

    def to_arrow(self, column: list[Any]) -> pa.Array:
        """Encode a checked column."""
        return pa.array(column, self.arrow_type)


class Answers(TextLists):
    """What is right: one string per example, or a list of acceptable strings per example; one form per call."""

    features: tuple[Any, ...] = (*Texts.features, *TextLists.features)
    allow_empty = False

    def check(self, name: str, column: list[Any]) -> list[Any]:
        """Return the column as plain strings or as lists of plain strings, or raise a `ValueError`."""
        if _all_are(str, column):
            return _encodable(name + "[{}]", column)
        if _all_are(list, column):
            return super().check(name, column)
        lists = [_is_list(value) for value in column]
        if any(lists) and not all(lists):
            index = lists.index(not lists[0])
            raise ValueError(
                f"{name}[{index}] is {describe(column[index])}, but {name}[0] is {describe(column[0])}: give one "
                "string per example, or a list of acceptable strings for every example"
            )
        if not lists[0]:
            return _plain_texts(name + "[{}]", column)
        return super().check(name, column)

    def to_arrow(self, column: list[Any]) -> pa.Array:
        """Encode a checked column, always as lists, so that batches of both forms fit into one file."""
        return super().to_arrow([[value] if isinstance(value, str) else value for value in column])


def map_texts(function: Callable[[list[str]], list[str]], column: list[str] | list[list[str]]) -> list[Any]:
    """Apply a function of many texts to a column of texts, or of lists of texts, in one call."""
    if not column or isinstance(column[0], str):
        return function(column)  # type: ignore[arg-type]  # a column has one form
    return _apart(function(list(chain.from_iterable(column))), column)


def call_for_each(function: Callable[[str], str], texts: list[str], *, option: str) -> list[str]:
    """Call a function of the user's, given as an option, for each text.

    Raises:
        ValueError: If it returns something else than a string.
    """
    results = []
    for text in texts:
        result = function(text)
        if not isinstance(result, str):
            raise ValueError(f"{option} returned {describe(result)} for {shorten(text)}, not a string")
        results.append(result)
    return results
