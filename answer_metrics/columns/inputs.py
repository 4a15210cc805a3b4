"""The kinds of input columns, each checked value by value.

`check` takes a list and returns a list of plain values, or raises a `ValueError` that names the argument, the index and
the value there. Neither evaluate nor `datasets` is imported.
"""

import math
import numbers
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, filterfalse, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from answer_metrics.columns.tables import all_are, decoded, is_arrow, is_missing, plain_values, string_buffers, to_arrow
from answer_metrics.core.options import shorten, show

_SAMPLED_ROWS = 30
_CLASS_LABELS = '; for class labels, use evaluate\'s own metric: evaluate.load("accuracy")'
_MISSING_TEXT = '; leave out a missing text, or pass ""'
_SERIALIZED_LIST = re.compile(r"""\s*\[\s*(['"].*['"]\s*(,\s*)?)?\]\s*""", re.DOTALL)


def _is_list(value: Any) -> bool:
    """Return whether a value is list-like: a list, a tuple or, as Ray and pandas provide them, a 1-D array."""
    return isinstance(value, (list, tuple)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1)


def doubts(inputs: Mapping[str, Any]) -> Iterator[str]:
    """Describe what looks wrong with valid inputs: lists stored as strings, and empty references."""
    for name in ("predictions", "references"):
        if name in inputs and (text := _serialized_list(inputs[name])):
            yield (
                f"most {name} look like lists stored as strings, such as {shorten(text)}; to parse them pass "
                f"[ast.literal_eval(text) for text in {name}]"
            )
    if empty := _count_empty_references(inputs):
        are_empty = "reference is empty" if empty == 1 else "references are empty"
        advice = "leave out examples without a reference"
        yield f"{empty} {are_empty} although there is an answer, which counts as wrong; {advice}"


def _serialized_list(column: Any) -> str:
    """Return a text such as "['Danube', 'Donau']", a list read from CSV, if most of a column's first rows are such."""
    rows = column[:_SAMPLED_ROWS]
    rows = rows.to_pylist() if is_arrow(rows) else rows
    if not len(rows) or not isinstance(rows[0], (str, list)):
        return ""  # numbers
    texts = rows if isinstance(rows[0], str) else [row[0] for row in rows if len(row) == 1]
    serialized = [text for text in texts if "[" in text and _SERIALIZED_LIST.fullmatch(text)]
    return serialized[0] if 2 * len(serialized) > len(rows) else ""


def _count_empty_references(inputs: Mapping[str, Any]) -> int:
    """Count the examples whose only reference is empty, although there is an answer."""
    references, predictions = inputs.get("references", []), inputs.get("predictions", [])
    rows: list[int] = []
    if is_arrow(references) and not _is_list_type(references.type):
        rows = np.flatnonzero(np.asarray(pc.equal(decoded(references), ""))).tolist()
    elif references and isinstance(references[0], str) and "" in references:
        rows = [row for row, reference in enumerate(references) if not reference]
    return sum(str(predictions[row]) != "" for row in rows)


def _hint(place: str, value: Any, *, ids: bool) -> str:
    """Return advice for a value that is not a string, at a place such as `references[3][0]`."""
    column, depth = place.partition("[")[0], place.count("[")
    if is_missing(value):
        return "; leave out examples without a reference" if column == "references" else _MISSING_TEXT
    if isinstance(value, numbers.Real):
        whole = isinstance(value, numbers.Integral)
        if whole and ids:
            return "; pass chunk ids as strings: [str(id) for id in ids]"
        converted = "[str(number) for number in row] for row" if depth > 1 else "str(number) for number"
        return f"{_CLASS_LABELS if whole else ''}; for numbers as text pass [{converted} in {column}]"
    if _is_list(value):
        if len(value) and isinstance(value[0], numbers.Integral):
            return "; token ids must be decoded first: tokenizer.batch_decode(ids, skip_special_tokens=True)"
        if len(value) and isinstance(value[0], Mapping) and {"role", "content"} <= value[0].keys():
            return f'; for chat messages pass [messages[-1]["content"] for messages in {column}]'
        if column == "predictions" and depth == 1:
            return "; each example has one prediction: are predictions and references swapped?"
    return _format_hint(place, value)


def _format_hint(place: str, value: Any) -> str:
    """Return advice for lists stored as strings, and for chat messages."""
    column, depth = place.partition("[")[0], place.count("[")
    if isinstance(value, str) and _SERIALIZED_LIST.fullmatch(value):
        return f"; to parse lists stored as strings pass [ast.literal_eval(text) for text in {column}]"
    if isinstance(value, Mapping) and {"role", "content"} <= value.keys():
        contents = 'messages[-1]["content"] for messages' if depth > 1 else 'message["content"] for message'
        return f"; for chat messages pass [{contents} in {column}]"
    return ""


def check_strings(name: str, texts: list[Any], *, ids: bool = False) -> list[str]:
    """Return the texts as plain strings, or raise a `ValueError` that names the first non-string: `name[index]`.

    With `ids`, the advice considers that texts may be ids.
    """
    if not all_are(str, texts):
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                hint = _hint(f"{name}[{index}]", text, ids=ids)
                raise ValueError(f"{name}[{index}] is {show(text)}, not a string{hint}")
        texts = [str.__str__(text) for text in texts]
    try:
        "".join(filterfalse(str.isascii, texts)).encode()
    except UnicodeEncodeError:
        for index, text in enumerate(texts):
            if lone := re.search(r"[\ud800-\udfff]", text):
                raise ValueError(
                    f"{name}[{index}] contains a lone surrogate, U+{ord(lone[0]):04X} at character {lone.start()}, "
                    "which is not valid text; decode its source with errors='replace'"
                ) from None
    return texts


class Column:
    """An input, one value per example; `help` is one sentence for the docstring, the card and the page."""

    arrow_types: tuple[pa.DataType, ...]
    """The types declared to evaluate; added columns are stored as the last."""
    type_name: str
    allow_missing = False
    """Whether None is a value of the column."""

    def __init__(self, help: str = "", *, optional: bool = False) -> None:
        self.help, self.optional = help, optional

    def check(self, name: str, column: list[Any]) -> list[Any]:
        """Return the column as plain values, or raise a `ValueError`."""
        raise NotImplementedError

    def as_arrow(self, column: Any) -> Any:
        """Return a valid column as an Arrow array, or None: then `check` converts it or says what is wrong."""
        return None

    def store(self, column: Any) -> Any:
        """Encode a checked column."""
        return column.cast(self.arrow_types[-1]) if is_arrow(column) else pa.array(column, self.arrow_types[-1])


class Strings(Column):
    """One string per example."""

    arrow_types = (pa.string(),)
    type_name = "list of str"

    def check(self, name: str, column: list[Any]) -> list[Any]:
        return check_strings(name, column)

    def as_arrow(self, column: Any) -> Any:
        return _valid_strings(to_arrow(column), column)


class StringLists(Column):
    """A list of strings per example, which may be empty."""

    arrow_types: tuple[pa.DataType, ...] = (pa.list_(pa.string()),)
    type_name = "list of lists of str"
    allow_empty = True

    def check(self, name: str, column: list[Any]) -> list[Any]:
        if not all_are(list, column):
            for index, texts in enumerate(column):
                if not _is_list(texts):
                    hint = _format_hint(f"{name}[{index}]", texts)
                    raise ValueError(f"{name}[{index}] is {show(texts)}, not a list of strings{hint}")
            column = [texts.tolist() if hasattr(texts, "tolist") else list(texts) for texts in column]
        if not self.allow_empty and [] in column:
            raise ValueError(f"{name}[{column.index([])}] is an empty list; each example needs at least one reference")
        flat = list(chain.from_iterable(column))
        try:
            plain = check_strings(name, flat)
        except ValueError:
            for index, texts in enumerate(column):
                check_strings(f"{name}[{index}]", texts, ids=self.allow_empty)
            raise
        if plain is flat:
            return column
        return [plain[start:end] for start, end in pairwise(accumulate(map(len, column), initial=0))]


class References(StringLists):
    """One reference string per example, or a list of acceptable strings for every example."""

    arrow_types = (*Strings.arrow_types, *StringLists.arrow_types)
    type_name = "list of str, or list of lists of str"
    allow_empty = False

    def check(self, name: str, column: list[Any]) -> list[Any]:
        if all_are(str, column):
            return check_strings(name, column)
        lists = [_is_list(value) for value in column]
        if any(lists) and not all(lists):
            index = lists.index(not lists[0])
            raise ValueError(
                f"{name}[{index}] is {show(column[index])}, but {name}[0] is {show(column[0])}: give one string per "
                "example, or a list of acceptable strings for every example"
            )
        return super().check(name, column) if any(lists) else check_strings(name, column)

    def as_arrow(self, column: Any) -> Any:
        array = to_arrow(column)
        if array is None or not _is_list_type(array.type):
            return _valid_strings(array, column)
        if array.null_count or not len(array) or _valid_strings(pc.list_flatten(array), column) is None:
            return None
        return array if pc.min(pc.list_value_length(array)).as_py() else None

    def store(self, column: Any) -> Any:
        """Encode a checked column, always as lists, so that batches of both types can be concatenated."""
        if _is_list_type(column.type) if is_arrow(column) else column and isinstance(column[0], list):
            return super().store(column)
        strings = Strings().store(column)
        if isinstance(strings, pa.ChunkedArray):
            strings = strings.combine_chunks()
        return pa.ListArray.from_arrays(pa.array(range(len(strings) + 1), pa.int32()), strings)


class Numbers(Column):
    """A number in a range per example."""

    arrow_types: tuple[pa.DataType, ...] = (pa.float64(),)
    type_name = "list of float"

    def __init__(
        self, low: float = -math.inf, high: float = math.inf, help: str = "", *, optional: bool = False
    ) -> None:
        super().__init__(help, optional=optional)
        self.low, self.high = low, high

    def check(self, name: str, column: Sequence[Any]) -> list[Any]:
        for index, value in enumerate(plain := plain_values(name, column)):
            is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
            if not is_number or not abs(value) <= sys.float_info.max or not self.low <= float(value) <= self.high:
                span = f" between {self.low:,} and {self.high:,}" if math.isfinite(self.high - self.low) else ""
                raise ValueError(f"{name}[{index}] is {show(value)}, not a {'' if span else 'finite '}number{span}")
        return [float(value) + 0.0 for value in plain]  # -0.0 becomes 0.0


class NumberLists(Numbers):
    """A list of numbers in a range per example, which may be empty."""

    arrow_types = (pa.list_(pa.float64()),)
    type_name = "list of lists of float"

    def check(self, name: str, column: Sequence[Any]) -> list[Any]:
        for index, row in enumerate(column):
            if not _is_list(row):
                raise ValueError(f"{name}[{index}] is {show(row)}, not a list of numbers")
        check_row = super().check
        return [check_row(f"{name}[{index}]", row) for index, row in enumerate(column)]


class Clusters(Column):
    """The cluster of each example: a string or an integer, such as a document's id."""

    arrow_types = (pa.string(),)
    type_name = "list of str or int"

    def check(self, name: str, column: list[Any]) -> list[Any]:
        for index, value in enumerate(column if not all_are(str, column) else ()):
            if isinstance(value, bool) or not isinstance(value, (str, numbers.Integral)):
                raise ValueError(f"{name}[{index}] is {show(value)}, not a string or an integer")
            if isinstance(value, str) is not isinstance(column[0], str):
                raise ValueError(
                    f"{name}[{index}] is {show(value)}, but {name}[0] is {show(column[0])}: give strings only or "
                    "integers only"
                )
        return check_strings(name, list(map(str, column)))


class Labels(Column):
    """The human judgment of each example, 0 to 1; None or NaN if there is none."""

    arrow_types = (pa.float64(),)
    type_name = "list of float or None"
    allow_missing = True

    def check(self, name: str, column: list[Any]) -> list[Any]:
        plain = plain_values(name, column)
        for index, value in enumerate(plain):
            if not is_missing(value) and not (isinstance(value, numbers.Real) and 0 <= value <= 1):  # type: ignore[operator]
                span = "a number between 0 and 1, or None if there is no label"
                raise ValueError(f"{name}[{index}] is {show(value)}, not {span}")
        return [None if is_missing(value) else float(value) for value in plain]


COMMON_INPUTS: dict[str, Column] = {
    "clusters": Clusters(
        "The cluster of each example, such as its document, if examples are not independent.", optional=True
    ),
    "human_labels": Labels("Human judgments, 0 to 1, of a random sample; None elsewhere.", optional=True),
}


def _is_list_type(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _valid_strings(array: Any, column: Any) -> Any:
    """Return an Arrow array if it has valid strings, dictionary-encoded or not, and no nulls; else None."""
    if array is None:
        return None
    kind, chunks = array.type, array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    if pa.types.is_dictionary(kind):
        kind, chunks = kind.value_type, [chunk.dictionary for chunk in chunks]
    is_text = kind in (pa.string(), pa.large_string(), pa.string_view())
    # The null count of an array leaves out nulls in its dictionary.
    if not is_text or array.null_count or any(chunk.null_count for chunk in chunks):
        return None
    try:
        for chunk in () if type(column) is list else chunks:  # Python strings have just been encoded
            if kind != pa.string_view():
                chunk.view(pa.binary() if kind == pa.string() else pa.large_binary()).validate(full=True)
                offsets, data = string_buffers(chunk)
                if bytes(data[offsets[0] : offsets[-1]]).isascii():
                    continue
            chunk.validate(full=True)
    except pa.ArrowInvalid:  # not UTF-8; Parquet may contain any bytes
        return None
    return array
