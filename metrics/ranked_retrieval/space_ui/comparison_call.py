# Vendored: edit metrics/_shared/space_ui/comparison_call.py and run `make vendor`.
"""The endpoint that compares two systems, for programs and language models. No Gradio here.

If scoring is free it takes the predictions of both systems. If a judge is paid per answer, it takes the scores that the
metric's endpoint returned for each system, so that nothing is judged twice and no key is needed.
"""

import re
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING
from typing import Any

from .comparison import compare_columns
from .comparison import describe
from .controls import Control
from .controls import check_options
from .pairing import SECOND
from .pairing import check_ids
from .pairing import match_ids
from .rows import InputError
from .space import RESAMPLING_SECONDS

if TYPE_CHECKING:
    from .form import Form

MARGIN = Control(
    name="margin",
    kind="number",
    default=None,
    help="Largest difference that does not matter; adds noninferior and equivalent.",
    low=0,
    high=1,
    exclusive=True,
)
_COMPARISON_OPTIONS = ("confidence_level", "bootstrap_seed")
"""The options that have an effect if nothing is scored."""
_CHECKED_TYPES = ("list of str or int", "list of float or None")
_IDS = "The id of each row, such as that of its question; all must differ."
_IDS_B = "The ids of the rows of system B if they are in a different order; otherwise both have the same order."


def endpoint_name(name: str) -> str:
    """Return the name of a metric's comparison endpoint."""
    return f"{name}_compare"


def comparison_inputs(form: "Form") -> dict[str, Any]:
    """Return the input columns of the endpoint, by name."""
    kinds = form.helper("_columns")
    scores = form.judged_column
    if scores is None:
        columns = {}
        for name, column in form.inputs.items():
            columns[name] = column
            if name == form.compared_columns[0]:
                columns[name] = _described(column, f"{column.help.rstrip('.')}, of system A.")
                columns[f"{name}{SECOND}"] = _described(column, f"{column.help.rstrip('.')}, of system B.")
    else:
        help_text = f"The {scores} that {form.name} returned for system {{}}; null where judging failed."
        columns = {
            scores: kinds.LabelColumn(help_text.format("A")),
            f"{scores}{SECOND}": kinds.LabelColumn(help_text.format("B")),
        }
    clusters = form.metric.inputs["clusters"]
    columns["clusters"] = clusters
    columns["ids"] = _described(clusters, _IDS)
    columns[f"ids{SECOND}"] = _described(clusters, _IDS_B)
    return columns


def comparison_controls(form: "Form") -> list[Control]:
    """Return the options of the endpoint."""
    judged = form.judged_column is not None
    return [*(control for control in form.controls if not judged or control.name in _COMPARISON_OPTIONS), MARGIN]


def describe_comparison(form: "Form") -> str:
    """Describe the endpoint in a few sentences."""
    given = "Scores the predictions of both systems" if form.judged_column is None else "Takes scores of both systems"
    return (
        f"Is system B better than system A by {form.title}? {given} on the same examples and returns the difference "
        "with its confidence interval, the p-value of a paired test, wins, losses and ties, the minimum detectable "
        "difference, a summary line for a paper and a plain-language sentence."
    )


def _described(column: Any, text: str) -> Any:
    column = copy(column)
    column.help = text
    return column


def call_comparison(form: "Form", arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Handle a call of the endpoint: return the result of the metric's `compare`, with a summary and a sentence.

    Raises:
        ValueError: For bad input.
        TypeError: For an unknown option.
    """
    columns = comparison_inputs(form)
    inputs = {name: arguments[name] for name in columns if arguments.get(name) is not None}
    options = {name: value for name, value in arguments.items() if name not in columns and name != MARGIN.name}
    missing = [name for name, column in columns.items() if not column.optional and name not in inputs]
    if missing:
        raise InputError(f"{', '.join(missing)} missing")
    form.limits.check_columns(inputs)
    check_options(options, comparison_controls(form))
    for name in [name for name in inputs if columns[name].type_label in _CHECKED_TYPES]:
        inputs[name] = _checked(name, columns[name], inputs[name])
    scores = form.judged_column
    compared = scores or form.compared_columns[0]
    _check_lengths(inputs, compared)
    clusters = inputs.pop("clusters", None)
    systems = _systems(inputs, compared)
    if scores:
        systems = {name: {f"{form.name}_{scores}": system[scores]} for name, system in systems.items()}
    asked = {**form.asked(options), MARGIN.name: arguments.get(MARGIN.name)}
    try:
        result, messages = compare_columns(form.metric, systems, asked, clusters, signed=scores is None)
    except ValueError as error:
        raise InputError(_with_argument_names(form.message(error, ""), compared)) from None
    return {**describe(result), "warnings": messages} if messages else describe(result)


def estimate_comparison(form: "Form", arguments: Mapping[str, Any]) -> float:
    """Estimate the seconds that a call takes: scoring both systems, and resampling."""
    second = {**arguments, form.compared_columns[0]: arguments.get(f"{form.compared_columns[0]}{SECOND}")}
    rows = max((len(values) for values in arguments.values() if isinstance(values, list)), default=0)
    scored = 0.0 if form.judged_column else form.estimate_call(arguments) + form.estimate_call(second)
    return scored + RESAMPLING_SECONDS * rows


def _checked(name: str, column: Any, values: Any) -> list[Any]:
    """Check a column that is not an input of the metric."""
    if not isinstance(values, list):
        raise InputError(f"{name} must be a list with one value per row, got {type(values).__name__}")
    try:
        checked: list[Any] = column.check(name, values)
    except ValueError as error:
        raise InputError(str(error).replace("if there is no label", "if there is no score")) from None
    return checked


def _check_lengths(inputs: Mapping[str, Any], compared: str) -> None:
    """Raise an `InputError` if the columns of the two systems, ids or clusters differ in length."""
    lengths = {name: len(values) for name, values in inputs.items() if isinstance(values, list)}
    for name, other in (("clusters", compared), ("ids", compared), (f"ids{SECOND}", f"{compared}{SECOND}")):
        if name in lengths and lengths[name] != lengths.get(other, lengths[name]):
            raise InputError(f"{name} has {lengths[name]} values, {other} {lengths[other]}; give one per row")
    first, second = (lengths.get(f"{compared}{end}") for end in ("", SECOND))
    if first != second and f"ids{SECOND}" not in inputs and first is not None and second is not None:
        raise InputError(
            f"{compared} has {first} rows, {compared}{SECOND} {second}; give the same examples in the same order, or "
            f"ids and ids{SECOND} to match them by"
        )


def _systems(inputs: dict[str, Any], compared: str) -> dict[str, dict[str, Any]]:
    """Return the columns of both systems, in the order of the first."""
    ids, ids_b = inputs.pop("ids", None), inputs.pop(f"ids{SECOND}", None)
    values_b = inputs.pop(f"{compared}{SECOND}")
    if ids_b is not None:
        if ids is None:
            raise InputError(f"ids{SECOND} needs ids, the ids of the other columns")
        order = match_ids(ids, ids_b)
        # The metric rejects anything but a list.
        values_b = [values_b[index] for index in order] if isinstance(values_b, list) else values_b
    elif ids is not None:
        check_ids(ids)
    return {"A": inputs, "B": {**inputs, compared: values_b}}


def _with_argument_names(message: str, compared: str) -> str:
    """Rename the column of system B to the endpoint's argument in an error message of the metric."""
    system, _, text = message.partition(": ")
    if system == "systems['B']":
        return re.sub(rf"\b{compared}\b", f"{compared}{SECOND}", text)
    return text if system == "systems['A']" else message
