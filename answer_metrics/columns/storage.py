"""Per-example results as they are stored: columns whose types any writer keeps."""

import json
import math
import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from answer_metrics.columns.inputs import COMMON_INPUTS
from answer_metrics.columns.tables import is_arrow, plain_values, to_list


class Category(str):
    """The type of a column of strings of which there are few different ones; Arrow stores each once."""

    __slots__ = ()


# Writers infer the type of a column from its first values, where an empty list is a list of null. So each column has
# one storage type: nested values become one JSON string per row, and a missing number becomes NaN.
_STORED: dict[Any, tuple[pa.DataType, str]] = {
    float: (pa.float64(), "a number"),
    float | None: (pa.float64(), "a number or missing"),
    int: (pa.int64(), "an integer"),
    int | None: (pa.float64(), "an integer or missing"),
    bool: (pa.bool_(), "True or False"),
    str: (pa.string(), "a string"),
    Category: (pa.dictionary(pa.int8(), pa.string()), "a string"),
    list: (pa.string(), "valid JSON"),
}


def encode(
    columns: Mapping[str, Any], kinds: Mapping[str, Any], prefix: str, like: Any, kept: Mapping[str, Any]
) -> Any:
    """Encode per-example columns, lists or arrays of the kinds in `_STORED`, as `score_batch` returns them.

    Their names get the prefix. The result is an Arrow table or record batch if the batch that was scored, `like`, is
    one, else a mapping of lists. Columns of the batch that are kept are added as they are; their names must be new.
    """
    stored_types = {name: column.arrow_types[-1] for name, column in COMMON_INPUTS.items()}
    stored_types |= {name: _STORED[kind][0] for name, kind in kinds.items()}
    container = next((kind for kind in (pa.Table, pa.RecordBatch) if isinstance(like, kind)), None)
    stored: dict[str, Any] = {}
    for name, column in columns.items():
        if container is not None and isinstance(column, np.ndarray) and column.dtype != object:
            column = pa.array(column)  # no Python object for each number
        if container is not None and is_arrow(column):
            stored[f"{prefix}{name}"] = column.cast(stored_types[name])
        else:
            values = _encode_values(to_list(name, column), kinds.get(name))
            stored[f"{prefix}{name}"] = values if container is None else pa.array(values, stored_types[name])
    if taken := stored.keys() & kept.keys():
        raise ValueError(f"keep names {min(taken)!r}, which is also the name of a column of scores")
    if container is not None:
        return container.from_pydict({**stored, **kept})
    lists = (list, np.ndarray)  # which all carriers of a mapping take
    return stored | {name: one if isinstance(one, lists) else to_list("keep", one) for name, one in kept.items()}


def _encode_values(values: list[Any], kind: Any) -> list[Any]:
    if kind in (float | None, int | None):
        return [math.nan if value is None else float(value) for value in values]
    if kind is list:
        return [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return values


def decode(name: str, column: Any, kind: Any, hint: str) -> list[Any]:
    """Undo `encode` and check each value; nested details that are already decoded are accepted.

    Raises a `ValueError` for a value that is not of this kind, with its index and what to do about it: the hint.
    """
    values = plain_values(name, column)
    if set(map(type, values)) == {str if kind is Category else kind} and (
        kind is not float or math.isfinite(sum(values))
    ):
        return values
    decoded = []
    for index, value in enumerate(values):
        try:
            decoded.append(_decode(value, kind))
        except (TypeError, ValueError, OverflowError):
            shown = f"{reprlib.repr(value)} ({type(value).__name__})"
            raise ValueError(f"{name}[{index}] is {shown}, not {_STORED[kind][1]}. {hint}") from None
    return decoded


def _decode(value: Any, kind: Any) -> Any:
    if kind is list:
        return json.loads(value) if isinstance(value, str) else value
    if kind in (float | None, int | None):
        if value is None or value != value:  # true for NaN only
            return None
        kind = float if kind == float | None else int
    if kind is bool and value in (0, 1):
        return bool(value)
    if kind in (str, Category) and isinstance(value, str):
        return value
    # pandas reads an integer column with missing values as floats
    is_number = type(value) in {int, float} and math.isfinite(value)
    if is_number and (kind is float or (kind is int and float(value).is_integer())):
        return kind(value)
    raise ValueError
