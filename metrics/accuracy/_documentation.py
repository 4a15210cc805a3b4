# Vendored: edit metrics/_shared/_documentation.py and run `make vendor`.
"""Documentation generated from the declarations of a metric: signatures, docstrings, tables of the card."""

import dataclasses
import inspect
import textwrap
import types
from collections.abc import Mapping
from typing import Annotated
from typing import Any
from typing import NamedTuple
from typing import get_args
from typing import get_origin

from ._columns import InputColumn
from ._options import OptionKind
from ._options import ScoringOptions

_WIDTH = 116


class Output(NamedTuple):
    """A key of the result."""

    type_label: str
    """Type and range, as in "float, 0 to 1"."""
    help: str
    """One or two sentences."""


COMMON_OUTPUTS = {
    "clusters": Output("int", "Number of clusters; with `clusters` only."),
    "signature": Output("str", "One line with everything that can change a score; with `return_signature` only."),
}


def corrected_outputs(main_score: str) -> dict[str, Output]:
    """Return the result keys that human labels add."""
    outputs = {
        f"{main_score}_corrected": ("float, 0 to 1, or None", "Estimate of the mean human label over all examples"),
        f"{main_score}_corrected_confidence_interval": ("tuple of two floats", "Its interval"),
        "labels": ("int", "Number of human labels"),
        "label_mean": ("float, 0 to 1, or None", "Their mean"),
        "agreement": ("float, 0 to 1, or None", "Share of labeled examples that the metric and people call the same"),
        "kappa": ("float, -1 to 1, or None", "Cohen's kappa: agreement beyond chance"),
        "sensitivity": ("float, 0 to 1, or None", "Share of what people call right that the metric calls right"),
        "specificity": ("float, 0 to 1, or None", "Share of what people call wrong that the metric calls wrong"),
    }
    return {name: Output(label, f"{text}; with `human_labels` only.") for name, (label, text) in outputs.items()}


def literal(value: Any) -> str:
    """Format a default value for the documentation."""
    if isinstance(value, tuple):
        return str(list(value))
    return f'"{value}"' if isinstance(value, str) else str(value)


def compute_signature(
    inputs: Mapping[str, InputColumn], options_type: type[ScoringOptions], names: list[str], *, call: bool
) -> inspect.Signature:
    """Build the explicit signature of `_compute`, or of `compute` if `call` is true.

    Args:
        inputs: The input columns by name; optional ones default to None.
        options_type: The dataclass of options, with their defaults and types.
        names: The options in signature order.
        call: Whether every input gets a default, since examples may have been added before.
    """

    def parameter(name: str, default: Any, annotation: Any) -> inspect.Parameter:
        kind = inspect.Parameter.KEYWORD_ONLY if call else inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Parameter(name, kind, default=default, annotation=annotation)

    fields = {field.name: field for field in dataclasses.fields(options_type)}
    missing = None if call else inspect.Parameter.empty
    parameters = [
        inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        *(parameter(name, missing, list[Any]) for name, column in inputs.items() if not column.optional),
        *(parameter(name, fields[name].default, _bare_type(fields[name].type)) for name in names),
        *(parameter(name, None, list[Any] | None) for name, column in inputs.items() if column.optional),
    ]
    return inspect.Signature(parameters, return_annotation=dict[str, Any])


def copy_function(function: Any) -> types.FunctionType:
    """Copy a function, so that each metric can have its own signature."""
    copied = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__kwdefaults__, copied.__doc__, copied.__qualname__ = (
        function.__kwdefaults__,
        function.__doc__,
        function.__qualname__,
    )
    return copied


def _bare_type(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def describe_arguments(
    inputs: Mapping[str, InputColumn],
    kinds: Mapping[str, OptionKind],
    defaults: Mapping[str, Any],
    outputs: Mapping[str, Output],
) -> str:
    """Write the Args and Returns sections of a Google-style docstring."""
    lines = ["Args:"]
    for name, column in inputs.items():
        optional = " Optional." if column.optional else ""
        lines += _entry(name, column.type_label, f"{column.help}{optional}")
    for name, kind in kinds.items():
        choices = ", ".join(literal(choice) for choice in getattr(kind, "choices", ()))
        listed = f" One of {choices}." if choices else ""
        lines += _entry(name, kind.type_label, f"{kind.help}{listed} Defaults to {literal(defaults[name])}.")
    lines += ["", "Returns:"]
    for name, output in outputs.items():
        lines += _entry(name, output.type_label, output.help)
    return "\n".join(lines) + "\n"


def _entry(name: str, label: str, text: str) -> list[str]:
    return textwrap.wrap(
        f"{name} ({label}): {text}", _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False
    )
