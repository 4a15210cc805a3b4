# Vendored: edit metrics/_shared/_scored_columns.py and run `make vendor`.
"""The types of per-example columns, so that every carrier keeps them.

`Dataset.map`, Parquet, `pa.table` and JSON infer the type of a column from its first values: an empty list is a list of
null, a batch of None is a column of null, and the next batch does not fit. So each column that leaves `score_batch` has
one storage type: nested values become one JSON string per row, and a missing number becomes NaN.
"""

import json
import math
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
    """Turn Python values into values of the storage type."""
    if kind in {"optional_float", "optional_int"}:
        return [math.nan if value is None else float(value) for value in values]
    if kind == "json":
        return [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return values


def encode_batch(
    columns: Mapping[str, Any], stored_as: Mapping[str, ColumnType | pa.DataType], prefix: str, *, like: Any
) -> Any:
    """Turn per-example columns into what leaves `score_batch`.

    Args:
        columns: Lists or Arrow arrays by name.
        stored_as: The storage type of each.
        prefix: What the names begin with.
        like: The batch that was scored: an Arrow table or record batch gets one back, anything else a mapping of lists.
    """
    carrier = next((kind for kind in (pa.Table, pa.RecordBatch) if isinstance(like, kind)), None)
    if carrier is None:
        return {
            f"{prefix}{name}": encode_column(plain_list(name, column), stored_as[name])
            for name, column in columns.items()
        }
    return carrier.from_pydict({f"{prefix}{name}": _to_array(columns[name], stored_as[name]) for name in columns})


def _to_array(column: Any, kind: ColumnType | pa.DataType) -> pa.Array:
    arrow_type = kind if isinstance(kind, pa.DataType) else _ARROW_TYPES[kind]
    return column.cast(arrow_type) if is_arrow(column) else pa.array(encode_column(column, kind), arrow_type)


def decode_column(values: list[Any], kind: ColumnType) -> list[Any]:
    """Undo `encode_column`; what was never encoded stays as it is."""
    decode = _DECODERS.get(kind)
    return [decode(value) for value in values] if decode else values


def _decode_float(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else value


def _decode_int(value: Any) -> int | None:
    return None if value is None or math.isnan(value) else int(value)


def _decode_json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


_DECODERS: dict[ColumnType, Callable[[Any], Any]] = {
    "optional_float": _decode_float,
    "optional_int": _decode_int,
    # pandas and numpy read a column of integers with a gap as floats
    "int": int,
    "bool": bool,
    "json": _decode_json,
}
