# Vendored: edit metrics/_shared/_scored_columns.py and run `make vendor`.
"""Storage types of per-example columns.

`Dataset.map`, Parquet, `pa.table` and JSON infer the type of a column from its first values: an empty list is a list of
null, a batch of None is a column of null, and the next batch does not fit. So each column that `score_batch` returns
has one storage type: nested values become one JSON string per row, and a missing number becomes NaN.
"""

import json
import math
import reprlib
from collections.abc import Callable
from collections.abc import Mapping
from typing import Any
from typing import Literal

import pyarrow as pa

from ._tabular import is_arrow
from ._tabular import plain_list

ColumnType = Literal["float", "optional_float", "int", "optional_int", "bool", "str", "category", "json"]
_ARROW_TYPES: dict[ColumnType, pa.DataType] = {
    "float": pa.float64(),
    "optional_float": pa.float64(),
    "int": pa.int64(),
    "optional_int": pa.float64(),
    "bool": pa.bool_(),
    "str": pa.string(),
    "category": pa.dictionary(pa.int8(), pa.string()),
    "json": pa.string(),
}


def encode_column(values: list[Any], kind: ColumnType | pa.DataType) -> list[Any]:
    """Convert Python values to the storage type."""
    if kind in {"optional_float", "optional_int"}:
        return [math.nan if value is None else float(value) for value in values]
    if kind == "json":
        return [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return values


def encode_batch(
    columns: Mapping[str, Any], stored_as: Mapping[str, ColumnType | pa.DataType], prefix: str, *, like: Any
) -> Any:
    """Encode per-example columns as the output of `score_batch`.

    Args:
        columns: Lists or Arrow arrays by name.
        stored_as: The storage type of each.
        prefix: Prefix of the column names.
        like: The batch that was scored: for an Arrow table or record batch the result is one too, else a mapping of
            lists.
    """
    container = next((kind for kind in (pa.Table, pa.RecordBatch) if isinstance(like, kind)), None)
    if container is None:
        return {
            f"{prefix}{name}": encode_column(plain_list(name, column), stored_as[name])
            for name, column in columns.items()
        }
    return container.from_pydict({f"{prefix}{name}": _to_array(columns[name], stored_as[name]) for name in columns})


def _to_array(column: Any, kind: ColumnType | pa.DataType) -> pa.Array:
    arrow_type = kind if isinstance(kind, pa.DataType) else _ARROW_TYPES[kind]
    return column.cast(arrow_type) if is_arrow(column) else pa.array(encode_column(column, kind), arrow_type)


def decode_column(name: str, values: list[Any], kind: ColumnType) -> list[Any]:
    """Undo `encode_column`, and check each value; nested details that are already decoded are accepted.

    Raises:
        ValueError: For a value that is not of this type; names the column and the index.
    """
    if _is_plain(values, kind):
        return values
    decode, expected = _DECODERS[kind]
    try:
        return list(map(decode, values))
    except (TypeError, ValueError, OverflowError):  # rare: look for the first one that does not fit
        for index, value in enumerate(values):
            try:
                decode(value)
            except (TypeError, ValueError, OverflowError):
                shown = f"{reprlib.repr(value)} ({type(value).__name__})"
                raise ValueError(f"{name}[{index}] is {shown}, not {expected}") from None
        raise


def _is_plain(values: list[Any], kind: ColumnType) -> bool:
    """Check quickly whether no value needs decoding; False means undecided."""
    types = set(map(type, values))
    if kind == "float":
        return types == {float} and math.isfinite(sum(values))
    return types == {"int": {int}, "bool": {bool}, "str": {str}, "category": {str}}.get(kind)


def _decode_float(value: Any) -> float:
    if type(value) not in {float, int} or not math.isfinite(value):
        raise ValueError
    return value  # type: ignore[no-any-return]  # an int is kept, since it is equal


def _decode_int(value: Any) -> int:
    if type(value) is int:
        return value
    # pandas and numpy read an integer column with missing values as floats
    if type(value) is not float or not value.is_integer():
        raise ValueError
    return int(value)


def _decode_bool(value: Any) -> bool:
    if value not in (0, 1):
        raise ValueError
    return bool(value)


def _decode_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _decode_json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def _optional(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None or value != value else decode(value)  # noqa: PLR0124  # true for NaN only


_DECODERS: dict[ColumnType, tuple[Callable[[Any], Any], str]] = {
    "float": (_decode_float, "a number"),
    "optional_float": (_optional(_decode_float), "a number or missing"),
    "int": (_decode_int, "an integer"),
    "optional_int": (_optional(_decode_int), "an integer or missing"),
    "bool": (_decode_bool, "True or False"),
    "str": (_decode_text, "a string"),
    "category": (_decode_text, "a string"),
    "json": (_decode_json, "valid JSON"),
}
