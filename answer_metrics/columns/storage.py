"""Storage of per-example results: columns whose types survive any writer."""

import json
import math
import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from answer_metrics.columns.inputs import COMMON_INPUTS
from answer_metrics.columns.tables import is_arrow, plain_values, to_list

# Writers infer the type of a column from its first values, where an empty list is a list of null. So each column has
# one storage type: nested values become one JSON string per row, and a missing number becomes NaN.
_STORED: dict[Any, tuple[pa.DataType, str]] = {
    float: (pa.float64(), "a number"),
    float | None: (pa.float64(), "a number or missing"),
    int: (pa.int64(), "an integer"),
    int | None: (pa.float64(), "an integer or missing"),
    bool: (pa.bool_(), "True or False"),
    str: (pa.string(), "a string"),
    list: (pa.string(), "valid JSON"),
}


def stored_schema(kinds: Mapping[str, Any], prefix: str) -> pa.Schema:
    """Return the names and Arrow types of per-example columns as `encode` stores them."""
    return pa.schema({f"{prefix}{name}": _STORED[kind][0] for name, kind in kinds.items()})


def encode(
    columns: Mapping[str, Any], kinds: Mapping[str, Any], prefix: str, like: Any, extra: Mapping[str, Any]
) -> Any:
    """Encode per-example columns, lists or arrays of the kinds in `_STORED`, as `score_batch` returns them.

    Their names get the prefix. The result has the type of the scored batch, `like`, if that is an Arrow table, a record
    batch or a frame, else it is a mapping of lists. `extra` columns are passed on unchanged; their names must be new.
    """
    if duplicates := extra.keys() & {f"{prefix}{name}" for name in columns}:
        raise ValueError(f"keep names {min(duplicates)!r}, which is also the name of a column of scores")
    library = type(like).__module__.partition(".")[0]
    is_frame = library in ("pandas", "polars") and type(like).__name__ == "DataFrame"
    is_mapping = not is_frame and not isinstance(like, (pa.Table, pa.RecordBatch))
    types = {name: column.arrow_types[-1] for name, column in COMMON_INPUTS.items()}
    types |= {name: _STORED[kind][0] for name, kind in kinds.items()}
    encoded: dict[str, Any] = {}
    for name, column in columns.items():
        if not is_mapping and isinstance(column, np.ndarray) and column.dtype != object:
            column = pa.array(column)  # no Python object for each number
        if not is_mapping and is_arrow(column):
            encoded[f"{prefix}{name}"] = column.cast(types[name])
        else:
            values = _encode_values(to_list(name, column), kinds.get(name))
            encoded[f"{prefix}{name}"] = values if is_mapping else pa.array(values, types[name])
    if is_mapping:  # all carriers of one take lists and numpy's arrays
        arrays = (list, np.ndarray)
        return encoded | {
            name: kept if isinstance(kept, arrays) else to_list("keep", kept) for name, kept in extra.items()
        }
    if not is_frame:
        return type(like).from_pydict({**encoded, **extra})
    table = pa.table(encoded)
    if library == "polars":
        return type(like)(table).with_columns(**extra)
    return table.to_pandas().set_axis(like.index).assign(**extra)


def _encode_values(values: list[Any], kind: Any) -> list[Any]:
    if kind in (float | None, int | None):
        return [math.nan if value is None else float(value) for value in values]
    if kind is list:
        return [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return values


def decode(name: str, column: Any, kind: Any, hint: str) -> list[Any]:
    """Undo `encode`, or raise a `ValueError` with the index of a value of another kind and the hint."""
    values = plain_values(name, column)
    if set(map(type, values)) == {kind} and (kind is not float or math.isfinite(sum(values))):
        return values
    decoded = []
    for index, value in enumerate(values):
        try:
            decoded.append(_decode(value, kind))
        except (TypeError, ValueError, OverflowError):
            actual = f"{reprlib.repr(value)} ({type(value).__name__})"
            raise ValueError(f"{name}[{index}] is {actual}, not {_STORED[kind][1]}. {hint}") from None
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
    if kind is str and isinstance(value, str):
        return value
    # pandas reads an integer column with missing values as floats
    is_number = type(value) in {int, float} and math.isfinite(value)
    if is_number and (kind is float or (kind is int and float(value).is_integer())):
        return kind(value)
    raise ValueError
