# Vendored: edit metrics/_shared/space_ui/gallery_comparison.py and run `make vendor`.
"""The comparison of two systems by every applicable metric of the gallery."""

from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import Protocol

from .comparison import compare_columns
from .comparison import describe
from .pairing import check_ids
from .pairing import match_ids
from .rows import Column
from .rows import InputError
from .rows import Limits
from .rows import check_rows
from .rows import join_cell
from .rows import to_inputs

_LABELS = ("clusters", "ids", "ids_b")
_SECOND_COLUMNS = {"predictions": "predictions_b", "retrieved_contexts": "retrieved_contexts_b"}
"""The columns that differ between systems."""


class Gallery(Protocol):
    """The Space that scores rows with several metrics."""

    @property
    def limits(self) -> Limits: ...
    @property
    def columns(self) -> list[Column]: ...
    @property
    def metrics(self) -> dict[str, Any]: ...
    def choose(self, given: Collection[str]) -> tuple[list[Any], list[str]]: ...


def rows_of(arguments: Mapping[str, Any], columns: Sequence[Column], limits: Limits) -> list[list[str]]:
    """Turn the columns of an API call into rows of the page.

    Raises:
        InputError: For columns that differ in length, or exceed the limits.
    """
    given = {column.name: arguments.get(column.name) or [] for column in columns}
    length = max(map(len, given.values()), default=0)
    for name, values in given.items():
        if values and len(values) != length:
            raise InputError(f"{name} has {len(values)} values, another column {length}")
    rows = [
        [_cell(column, given[column.name], index) if given[column.name] else "" for column in columns]
        for index in range(length)
    ]
    return check_rows(rows, columns, limits, minimum=1)


def _cell(column: Column, values: Sequence[Any], index: int) -> str:
    value = values[index]
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or column.kind == "text":
        raise InputError(f"{column.name}[{index}] is of type {type(value).__name__}, not a string")
    return join_cell([str(text) for text in value], column.kind)


def compare_by_each(gallery: Gallery, arguments: dict[str, Any]) -> dict[str, Any]:
    """Compare two systems by every applicable metric.

    Returns:
        `results`: for each configuration the result of the metric's `compare`, summary and sentence; `notices`.

    Raises:
        ValueError: For bad input.
    """
    given = {name: values for name, values in arguments.items() if values is not None}
    labels: dict[str, Any] = {name: _labels(name, given.pop(name)) for name in _LABELS if name in given}
    values_b = {first: given.pop(second) for first, second in _SECOND_COLUMNS.items() if second in given}
    if "predictions" not in values_b or "predictions" not in given:
        raise InputError("predictions and predictions_b are needed: the answers of both systems")
    columns: dict[str, Any] = {
        **labels,
        "predictions": given["predictions"],
        **{_SECOND_COLUMNS[name]: values for name, values in values_b.items()},
    }
    lengths = {name: len(values) if isinstance(values, list) else 0 for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns differ in length: {', '.join(f'{name} {n}' for name, n in lengths.items())}")
    if "ids_b" in labels:
        if "ids" not in labels:
            raise InputError("ids_b needs ids, the ids of the other columns")
        order = match_ids(labels["ids"], labels["ids_b"])
        values_b = {name: [values[index] for index in order] for name, values in values_b.items()}
    elif "ids" in labels:
        check_ids(labels["ids"])
    systems: dict[str, dict[str, Any]] = {
        "A": given,
        "B": {name: values for name, values in given.items() if name not in _SECOND_COLUMNS} | values_b,
    }
    inputs = {name: _inputs(gallery, columns) for name, columns in systems.items()}
    present = [name for name in inputs["A"] if all(any(columns[name]) for columns in inputs.values())]
    chosen, notices = gallery.choose(present)
    results: dict[str, Any] = {}
    for configuration in chosen:
        given_systems = {
            system: {name: columns[column] for name, column in configuration.inputs.items()}
            for system, columns in inputs.items()
        }
        compared, messages = compare_columns(
            gallery.metrics[configuration.metric], given_systems, configuration.options, labels.get("clusters")
        )
        results[configuration.title] = describe(compared)
        notices += [f"{configuration.title}: {text}" for text in messages if configuration.metric != "l3score"]
    return {"results": results, "notices": notices}


def _inputs(gallery: Gallery, columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    rows = rows_of(columns, gallery.columns, gallery.limits)
    if len(rows) != len(columns["predictions"]):
        raise InputError("a row has no text at all: leave it out")
    return to_inputs(rows, gallery.columns)


def _labels(name: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, (str, int)) for value in values):
        raise InputError(f"{name} must be a list of strings or integers, one per row")
    return list(map(str, values))
