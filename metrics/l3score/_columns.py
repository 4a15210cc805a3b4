# Vendored: edit metrics/_shared/_columns.py and run `make vendor`.
"""Types of input columns: their checks, and their features for evaluate.

Each class describes the values of one input. `check` takes a list and returns a list of plain values, or raises a
`ValueError` that names the argument, the index and the value found there. `features` are the types declared to
evaluate, and `to_arrow` encodes a checked column as the last of them.
"""

import math
import numbers
from collections.abc import Mapping
from itertools import chain
from itertools import filterfalse
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.compute as pc

from ._string_buffers import is_valid
from ._strings import describe
from ._strings import unflatten
from ._tabular import arrow_column
from ._tabular import is_arrow

CLASS_LABELS_HINT = 'for class labels, use evaluate\'s own metric: evaluate.load("accuracy")'
DECODE_HINT = "token ids must be decoded first: tokenizer.batch_decode(ids, skip_special_tokens=True)"


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, or pandas' NA or NaT, which cannot be compared."""
    is_nan = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}


def _is_list(value: object) -> bool:
    """Return whether a value is list-like: a list, a tuple or, as Ray and pandas provide them, a 1-D array."""
    return isinstance(value, (list, tuple)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1)


def _has_token_ids(value: object) -> bool:
    return _is_list(value) and len(value) > 0 and isinstance(value[0], numbers.Integral)  # type: ignore[arg-type,index]


def _all_are(kind: type, values: list[Any]) -> bool:
    """Return whether all values are of exactly this type; `list.count` is faster than a set or a loop."""
    return list(map(type, values)).count(kind) == len(values)


def _row_to_list(value: Any) -> list[Any]:
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _squad_hint(name: str, value: object) -> str:
    """Return a hint for dictionaries in SQuAD's format, which the `squad` metric takes."""
    if not isinstance(value, Mapping):
        return ""
    column = name.partition("[")[0]
    if "prediction_text" in value:
        return f'; for SQuAD\'s format pass [item["prediction_text"] for item in {column}]'
    if "answers" in value or "text" in value:
        path = '["answers"]["text"]' if "answers" in value else '["text"]'
        return f"; for SQuAD's format pass [item{path} for item in {column}]"
    return ""


def _not_a_string(name: str, value: object) -> str:
    found = f"{name} is {describe(value)}, not a string"
    if isinstance(value, numbers.Integral):
        return f"{found}; {CLASS_LABELS_HINT}"
    if is_missing(value):
        return f'{found}; a missing text is either left out or given as ""'
    if _has_token_ids(value):
        return f"{found}; {DECODE_HINT}"
    if _is_list(value) and name.startswith("predictions") and name.count("[") == 1:
        return f"{found}; each example has one prediction: are predictions and references swapped?"
    return found + _squad_hint(name, value)


def plain_strings(name: str, texts: list[Any]) -> list[str]:
    """Check that all values are strings that can be encoded.

    Args:
        name: Format string for the name of a value, as in `predictions[{}]`.
        texts: The values.

    Raises:
        ValueError: For the first value that is not such a string.
    """
    if not _all_are(str, texts):
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                raise ValueError(_not_a_string(name.format(index), text))
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
                    f"{name.format(index)} contains a lone surrogate, U+{ord(text[error.start]):04X} at character "
                    f"{error.start}, which is not valid text; decode its source with errors='replace'"
                ) from None
    return texts


def _has_strings(array: Any, column: Any) -> bool:
    """Return whether the Arrow array of a column contains valid strings, dictionary-encoded or not, and no nulls."""
    kind, chunks = array.type, array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    nulls = array.null_count
    if pa.types.is_dictionary(kind):
        # The null count leaves out nulls in the dictionary; and Arrow cannot decode a dictionary of views.
        nulls += sum(chunk.dictionary.null_count for chunk in chunks)
        kind = pa.null() if pa.types.is_string_view(kind.value_type) else kind.value_type
    strings = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    # Python strings have just been encoded and are valid.
    return strings and not nulls and (type(column) is list or all(map(is_valid, chunks)))


def _is_list_type(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


class InputColumn:
    """The type of an input, one value per example.

    Args:
        help: One sentence for the docstring, the card and the page.
        optional: Whether the input may be left out.
    """

    features: tuple[Any, ...]
    arrow_type: pa.DataType
    type_label: str
    allow_missing = False

    def __init__(self, help: str = "", *, optional: bool = False) -> None:  # noqa: A002  # as argparse
        self.help, self.optional = help, optional

    def check(self, name: str, column: list[Any]) -> list[Any]:
        """Return the column as plain values, or raise a `ValueError`."""
        raise NotImplementedError

    def arrow_strings(self, column: Any) -> Any:
        """Return a column as an Arrow array if it is one, or a long list, and valid as it is; else None.

        Any other column goes through `check`, which reports what is wrong.
        """
        return None

    def to_arrow(self, column: Any) -> pa.Array:
        """Encode a checked column."""
        return column.cast(self.arrow_type) if is_arrow(column) else pa.array(column, self.arrow_type)


class StringColumn(InputColumn):
    """One string per example."""

    features = (datasets.Value("string"),)
    arrow_type = pa.string()
    type_label = "list of str"

    def check(self, name: str, column: list[Any]) -> list[str]:
        """Return the column as plain strings, or raise a `ValueError`."""
        return plain_strings(name + "[{}]", column)

    def arrow_strings(self, column: Any) -> Any:
        """Return a column as an Arrow array if it contains only strings, see `InputColumn`."""
        array = arrow_column(column)
        return array if array is not None and _has_strings(array, column) else None


class StringListColumn(InputColumn):
    """A list of strings per example, which may be empty."""

    features: tuple[Any, ...] = (datasets.Sequence(datasets.Value("string")),)
    arrow_type = pa.list_(pa.string())
    type_label = "list of lists of str"
    allow_empty = True

    def check(self, name: str, column: list[Any]) -> list[list[str]]:
        """Return the column as lists of plain strings, or raise a `ValueError`."""
        if not _all_are(list, column):
            for index, texts in enumerate(column):
                if not _is_list(texts):
                    hint = _squad_hint(f"{name}[{index}]", texts)
                    raise ValueError(f"{name}[{index}] is {describe(texts)}, not a list of strings{hint}")
            column = [_row_to_list(texts) for texts in column]
        if not self.allow_empty and [] in column:
            raise ValueError(f"{name}[{column.index([])}] is an empty list; each example needs at least one reference")
        flat = list(chain.from_iterable(column))
        try:
            plain = plain_strings("{}", flat)
        except ValueError:
            for index, texts in enumerate(column):
                self._check_row(f"{name}[{index}]", texts)
            raise
        return column if plain is flat else unflatten(plain, column)

    def _check_row(self, name: str, texts: list[Any]) -> None:
        try:
            plain_strings(f"{name}[{{}}]", texts)
        except ValueError as error:
            if self.allow_empty and any(isinstance(text, numbers.Integral) for text in texts):
                message = str(error).replace(CLASS_LABELS_HINT, "pass chunk ids as strings: [str(id) for id in ids]")
                raise ValueError(message) from None
            raise


class ReferenceColumn(StringListColumn):
    """References: one string per example, or a list of acceptable strings per example; one type per call."""

    features = (*StringColumn.features, *StringListColumn.features)
    type_label = "list of str, or list of lists of str"
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
            return plain_strings(name + "[{}]", column)
        return super().check(name, column)

    def arrow_strings(self, column: Any) -> Any:
        """Return a column as an Arrow array if it contains only strings, or only non-empty lists of strings."""
        array = arrow_column(column)
        if array is None or not _is_list_type(array.type):
            return array if array is not None and _has_strings(array, column) else None
        valid = not array.null_count and _has_strings(pc.list_flatten(array), column) and len(array)
        return array if valid and pc.min(pc.list_value_length(array)).as_py() else None

    def to_arrow(self, column: Any) -> pa.Array:
        """Encode a checked column, always as lists, so that batches of both types fit in one file."""
        lists = _is_list_type(column.type) if is_arrow(column) else bool(column) and isinstance(column[0], list)
        if lists:
            return super().to_arrow(column)
        strings = column.cast(pa.string()) if is_arrow(column) else pa.array(column, pa.string())
        if isinstance(strings, pa.ChunkedArray):
            strings = pa.concat_arrays(strings.chunks) if strings.num_chunks else pa.array([], pa.string())
        return pa.ListArray.from_arrays(pa.array(range(len(strings) + 1), pa.int32()), strings)


class NumberListColumn(InputColumn):
    """A list of numbers in a range per example, which may be empty."""

    features = (datasets.Sequence(datasets.Value("float64")),)
    arrow_type = pa.list_(pa.float64())
    type_label = "list of lists of float"
    allow_empty = True

    def __init__(self, low: float, high: float, help: str = "", *, optional: bool = False) -> None:  # noqa: A002  # as argparse
        super().__init__(help, optional=optional)
        self.low, self.high = low, high

    def check(self, name: str, column: list[Any]) -> list[list[float]]:
        """Return the column as lists of floats, or raise a `ValueError`."""
        return [self._check_row(f"{name}[{index}]", values) for index, values in enumerate(column)]

    def _check_row(self, name: str, values: Any) -> list[float]:
        if not _is_list(values):
            raise ValueError(f"{name} is {describe(values)}, not a list of numbers")
        checked = []
        for index, value in enumerate(_row_to_list(values)):
            if not isinstance(value, numbers.Real) or not self.low <= float(value) <= self.high:
                raise ValueError(
                    f"{name}[{index}] is {describe(value)}, not a number between {self.low:,} and {self.high:,}"
                )
            checked.append(float(value) + 0.0)
        return checked


class ClusterColumn(InputColumn):
    """The cluster that each example belongs to: a string or an integer, such as a document's id."""

    features = (datasets.Value("string"),)
    arrow_type = pa.string()
    type_label = "list of str or int"

    def check(self, name: str, column: list[Any]) -> list[str]:
        """Return the ids as strings, or raise a `ValueError`."""
        for index, value in enumerate(column):
            if isinstance(value, bool) or not isinstance(value, (str, numbers.Integral)):
                raise ValueError(f"{name}[{index}] is {describe(value)}, not a string or an integer")
            if isinstance(value, str) is not isinstance(column[0], str):
                raise ValueError(
                    f"{name}[{index}] is {describe(value)}, but {name}[0] is {describe(column[0])}: give strings only "
                    "or integers only"
                )
        return _encodable(name + "[{}]", [str(value) for value in column])


class LabelColumn(InputColumn):
    """The human judgment of each example, 0 to 1; None or NaN if there is none."""

    features = (datasets.Value("float64"),)
    arrow_type = pa.float64()
    type_label = "list of float or None"
    allow_missing = True

    def check(self, name: str, column: list[Any]) -> list[float | None]:
        """Return the labels as floats or None, or raise a `ValueError`."""
        labels: list[float | None] = []
        for index, value in enumerate(column):
            if is_missing(value):
                labels.append(None)
            elif isinstance(value, numbers.Real) and 0 <= float(value) <= 1:
                labels.append(float(value))
            elif type(value).__name__ in {"bool_", "bool"}:
                labels.append(float(bool(value)))
            else:
                raise ValueError(
                    f"{name}[{index}] is {describe(value)}, not a number between 0 and 1, or None if there is no label"
                )
        return labels


COMMON_INPUTS: dict[str, InputColumn] = {
    "clusters": ClusterColumn(
        "The cluster of each example, such as its document, if examples depend on each other.", optional=True
    ),
    "human_labels": LabelColumn("Human judgments of some of the examples, 0 to 1; None for the others.", optional=True),
}
