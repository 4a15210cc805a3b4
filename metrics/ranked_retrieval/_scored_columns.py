# Vendored: edit metrics/_shared/_scored_columns.py and run `make vendor`.
"""The types of per-example columns, so that every carrier keeps them.

`Dataset.map`, Parquet, `pa.table` and JSON infer the type of a column from its first values: an empty list is a list of
null, a batch of None is a column of null, and the next batch does not fit. So each column that leaves `score_batch` has
one storage type: nested values become one JSON string per row, and a missing number becomes NaN.
"""

import json
import math
from collections.abc import Callable
from typing import Any
from typing import Literal

ColumnType = Literal["float", "optional_float", "int", "optional_int", "bool", "str", "json"]


def encode_column(values: list[Any], kind: ColumnType) -> list[Any]:
    """Turn Python values into values of the storage type."""
    if kind in {"optional_float", "optional_int"}:
        return [math.nan if value is None else float(value) for value in values]
    if kind == "json":
        return [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return values


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
