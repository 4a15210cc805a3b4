"""Which field of a file is which input of a metric, by the metric's declarations, and its values as that takes them."""

import ast
import contextlib
import json
import re
from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa

from answer_metrics import did_you_mean
from answer_metrics.files import reading
from answer_metrics.files.names import LISTS, SURE, UNSURE
from answer_metrics.files.rows import Columns, InputError, Lines, Rows

ARROW = (pa.Array, pa.ChunkedArray)
SHOWN = ("ids", "questions", "predictions", "references")
"""What people want to see of a row."""
_NEVER_GUESSED = frozenset({"clusters", "human_labels"})
_WRITTEN_LIST = re.compile(r"""\s*\[\s*(['"].*['"])?\s*\]\s*""", re.DOTALL)


def name_columns(
    metric: Any, kind: str, fields: Collection[str], chosen: Mapping[str, str], without: Collection[str] = ()
) -> dict[str, str]:
    """Find the field of each input: as `chosen` by the user, as named by the format `kind`, otherwise by its name.

    Inputs and fields in `without` are not looked for. The order is that of the metric's declaration.
    """
    known = [*metric.inputs, "ids"]
    for name, field in chosen.items():
        if name not in known:
            raise InputError(f"--columns {name}={field}: there is no input {name!r}{did_you_mean(name, known)}")
        if field not in fields:
            raise InputError(f"--columns {name}={field}: there is no field {field!r}{did_you_mean(field, fields)}")
    wanted = [name for name in known if name not in {*_NEVER_GUESSED, *without}]
    found = dict(chosen)
    if kind in reading.NAMED:
        found = {name: name for name in wanted if name in fields} | found
    present = [field for field in reversed(list(fields)) if field not in without]
    plain = {re.sub(r"[^\w.]+", "_", field.strip().casefold()): field for field in present}
    for table in () if kind in reading.NAMED else (SURE, UNSURE):
        for name in [name for name in wanted if name not in found]:
            names = table.get(name, "")
            if name in LISTS and metric.inputs[name].type_label.startswith("list of lists"):
                names = LISTS[name]
            fit = [plain[alias] for alias in names.split() if alias in plain and plain[alias] not in found.values()]
            if len(fit) > 1 and name in {"predictions", "references"} and fit[0] not in {name, name.removesuffix("s")}:
                raise InputError(
                    f"Both {fit[0]!r} and {fit[1]!r} could be the {name}; say which: --columns {name}={fit[0]}"
                )
            if fit:
                found[name] = fit[0]
    return {name: found[name] for name in known if name in found}


# ---- values


def given_in(piece: Columns, names: Mapping[str, str], metric: Any, rows: Rows) -> dict[str, Any]:
    """Return the inputs that a piece of `rows` has, as the metric takes them, by the names of their fields."""
    given = {}
    for name, source in names.items():
        if source in piece:
            column = piece[source]
            if isinstance(piece, Lines) and "double" in str(column.type):
                column = [row.get(source) for row in piece.records()]
            given[name] = _to_values(metric, name, column, is_cells=rows.format in {"csv", "tsv"})
    return given


def _to_values(metric: Any, name: str, column: Any, *, is_cells: bool) -> Any:
    """Return a column as the metric takes it: numbers become text, a list of one text becomes that text.

    In cells, which have text only, a list is written `["one", "two"]` or `one | two`.
    """
    if name in _NEVER_GUESSED or name == "ids":
        return column
    kind = metric.inputs[name].type_label
    several = "list of lists" in kind
    if "float" in kind:
        return [_numbers(cell) for cell in column] if is_cells else column
    if is_cells and several:
        column = [_split(cell, always=kind.startswith("list of lists")) for cell in column]
    if isinstance(column, ARROW):
        types = ("string", "large_string", *(("list<item: string>", "list<element: string>") if several else ()))
        if str(column.type) in types:
            return column
    values = [_text(value, several=several) for value in to_list(column)]
    if several and any(isinstance(value, list) for value in values):
        return [value if isinstance(value, list) or value is None else [value] for value in values]
    return values


def to_list(column: Any) -> Any:
    """Return a column as a list."""
    return column.to_pylist() if isinstance(column, ARROW) else column


def _text(value: Any, *, several: bool) -> Any:
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if isinstance(value, list) and several:
        return [_text(item, several=False) for item in value]
    if isinstance(value, list) and len(value) == 1:
        return _text(value[0], several=False)
    return value


def _split(cell: str, *, always: bool) -> str | list[str]:
    """Return the texts in a cell; one text stays a text unless `always`."""
    if _WRITTEN_LIST.fullmatch(cell):
        for parse in (json.loads, ast.literal_eval):
            with contextlib.suppress(ValueError, SyntaxError):
                value = parse(cell)
                if (value or always) and all(isinstance(item, str) for item in value):
                    return list(value)
    parts = cell.split(" | ")
    if always:
        return [part for part in parts if part.strip()]
    return parts if len(parts) > 1 and all(map(str.strip, parts)) else cell


def _numbers(cell: str) -> list[float]:
    try:
        return [float(text) for text in re.split(r"[\s,;|\[\]]+", cell) if text]
    except ValueError:
        raise InputError(f"{cell[:40]!r} is not a list of numbers.") from None
