# Vendored: edit metrics/_shared/space_ui/controls.py and run `make vendor`.
"""Controls for the options of a metric on the page and at the endpoint. No Gradio here."""

import inspect
import json
import math
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
from typing import Any
from typing import Literal

Kind = Literal["flag", "choice", "number", "integer", "text", "json"]

LABELS: Mapping[str, str] = {
    "case_sensitive": "Case-sensitive",
    "normalize_text": "Normalize the texts",
    "fuzzy_match": "Fuzzy matching also accepts near matches",
    "fuzzy_threshold": "Minimum similarity of a near match",
    "fuzzy_scorer": "Similarity",
    "match": "What counts as a match",
    "numbers": "Compare numbers",
    "numeric_tolerance": "Numeric tolerance",
    "recall_threshold": "Minimum share of the reference's words",
    "extract": "Extract the answer from the prediction",
    "matching_strategy": "What is compared, and how",
    "rouge_chunk_match_threshold": "Chunk threshold",
    "rouge_sentence_match_threshold": "Sentence threshold",
    "average": "Average",
    "use_stemmer": "Compare word stems",
    "k": "Cutoffs k",
    "provider": "Judge",
    "top_logprobs": "Candidates per first token",
    "on_error": "If a judgment fails",
    "max_cost": "Spend at most (dollars)",
    "normalizer": "Normalization",
    "bootstrap_seed": "Random seed",
}
CHOICE_LABELS: Mapping[str, Mapping[str | None, str]] = {
    "extract": {
        None: "whole prediction",
        "boxed": "\\boxed{…}",
        "answer_line": "line after “Answer:”",
        "choice": "choice letter",
        "last_number": "last number",
    },
    "numbers": {"text": "as text", "value": "by value"},
    "language": {"en": "English", "none": "any language"},
    "provider": {"mock": "demo (mock)", "openai": "OpenAI", "deepseek": "DeepSeek", "xai": "xAI"},
    "matching_strategy": {
        "EXACT_CHUNK_MATCH": "Whole chunks, equal",
        "EXACT_SENTENCE_MATCH": "Sentences, equal",
        "ROUGE_CHUNK_MATCH": "Whole chunks, by ROUGE-L recall",
        "ROUGE_SENTENCE_MATCH": "Sentences, by ROUGE-L recall",
        "ID": "IDs of chunks",
    },
}
"""What the page shows instead of the value of an option."""
_KINDS: Mapping[str, Kind] = {"Flag": "flag", "Number": "number", "Integer": "integer", "Dollars": "number"}
_ANNOTATIONS: Mapping[str, Any] = {
    "list of str": list[str],
    "list of str, or list of lists of str": list[str] | list[list[str]],
    "list of lists of str": list[list[str]],
    "list of lists of float": list[list[float]],
    "list of str or int": list[str] | list[int],
    "list of float or None": list[float | None],
}
"""The types of inputs by type label."""
ALWAYS_ON = ("return_details", "return_confidence", "return_signature")
"""Options that the page always sets to True."""
_PLAIN = {"flag": bool, "number": float, "integer": int, "text": str, "json": list}


@dataclass(frozen=True)
class Control:
    """The control of one option."""

    name: str
    kind: Kind
    default: Any
    help: str
    choices: tuple[str | None, ...] = ()
    low: float | None = None
    high: float | None = None
    exclusive: bool = False
    visible_if: tuple[str, tuple[Any, ...]] | None = None
    """Another option and the values of it under which this one has an effect."""

    @property
    def label(self) -> str:
        """The label on the page."""
        return LABELS.get(self.name, self.name.replace("_", " ").capitalize())

    def parse(self, value: Any) -> Any:
        """Convert a value from a page or a link; JavaScript does not distinguish 1 and 1.0.

        Raises:
            ValueError: For a list that can't be parsed, and for a choice that is not offered.
        """
        if self.kind == "choice":
            self.check_offered(value)
            return value
        if value is None or (isinstance(value, str) and not value.strip()):
            return self.default
        if self.kind == "integer" and isinstance(value, float) and value.is_integer():
            return int(value)
        if self.kind == "json" and isinstance(value, str):
            try:
                return json.loads(value if value.strip().startswith("[") else f"[{value}]")
            except ValueError:
                raise ValueError(f"{self.name} must be a list such as 1, 5, 10, got {value!r}") from None
        return value

    def check_offered(self, value: Any) -> None:
        """Raise a `ValueError` for a choice that the Space does not offer; the metric checks everything else."""
        if self.choices and not any(value is choice or value == choice for choice in self.choices):
            offered = ", ".join("none" if choice is None else f'"{choice}"' for choice in self.choices)
            raise ValueError(f"{self.name} must be one of {offered}, got {value!r}")

    @property
    def annotation(self) -> Any:
        """The type of the endpoint's argument; bounds are in the MCP schema."""
        if self.kind == "choice":
            named = Literal[tuple(choice for choice in self.choices if choice is not None)]  # type: ignore[valid-type]
            return named | None if None in self.choices else named
        plain = _PLAIN[self.kind]
        return plain | None if self.default is None else plain

    def as_json(self, *, common: bool) -> dict[str, Any]:
        """Return the control as JSON for the page."""
        default = ", ".join(map(str, self.default)) if self.kind == "json" else self.default
        return {
            "name": self.name,
            "label": self.label,
            "kind": self.kind,
            "default": default,
            "help": self.help.replace("`", "").removeprefix(f"{self.label}: "),
            "choices": list(self.choices),
            "choice_labels": [CHOICE_LABELS.get(self.name, {}).get(one, one or "none") for one in self.choices],
            "low": self.low,
            "high": self.high,
            "exclusive": self.exclusive,
            "visible_if": self.visible_if,
            "common": common,
        }


def read_controls(
    metric: Any,
    hidden: Collection[str] = (),
    *,
    defaults: Mapping[str, Any] | None = None,
    choices: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Control]:
    """Derive controls from the options that a metric declares.

    Options that accept only a function have no control: a page must not run a visitor's code.

    Args:
        metric: A loaded metric.
        hidden: Options without a control.
        defaults: Defaults that differ from the metric's.
        choices: The values to offer for options where the Space does not offer all.
    """
    values = {**metric.defaults(), **(defaults or {})}
    controls: dict[str, Control] = {}
    for name, option in metric.options.items():
        offered: tuple[str | None, ...] = (choices or {}).get(name) or tuple(getattr(option, "choices", ()))
        if name in hidden or (type(option).__name__ == "Function" and not offered):
            continue
        if offered and values[name] not in offered:
            offered = (values[name], *offered)
        kind: Kind = "json" if isinstance(values[name], (list, tuple)) else "text"
        high = getattr(option, "high", None)
        controls[name] = Control(
            name=name,
            kind="choice" if offered else _KINDS.get(type(option).__name__, kind),
            default=list(values[name]) if kind == "json" else values[name],
            help=option.help,
            choices=offered,
            low=getattr(option, "low", None),
            high=None if high == math.inf else high,
            exclusive=getattr(option, "exclusive", False),
            visible_if=option.requires,
        )
    return [
        control
        if control.visible_if and control.visible_if[0] in controls and control.visible_if[0] not in ALWAYS_ON
        else replace(control, visible_if=None)
        for control in controls.values()
    ]


def column_kind(column: Any) -> Literal["text", "answers", "list", "numbers"]:
    """Return the kind of an input's cells, by the class of its column."""
    if not hasattr(column, "allow_empty"):
        return "text"
    if hasattr(column, "low"):
        return "numbers"
    return "list" if column.allow_empty else "answers"


def changed(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from the defaults."""
    return {
        name: value
        for name, value in options.items()
        if value != defaults[name] or isinstance(value, bool) is not isinstance(defaults[name], bool)
    }


def check_options(options: Mapping[str, Any], controls: Sequence[Control]) -> None:
    """Raise a `ValueError` for an option or choice that the Space does not offer; the metric checks values."""
    known = {control.name: control for control in controls}
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"this Space has no option {name}; it has {', '.join(known)}")
        known[name].check_offered(value)


def build_endpoint(
    run: Callable[..., str],
    metric: Any,
    inputs: Mapping[str, Any],
    controls: Sequence[Control],
    header: tuple[str, Any] | None = None,
    *,
    name: str = "",
    description: str = "",
) -> Callable[..., str]:
    """Build the function of an endpoint, with the types and documentation of the metric.

    Args:
        run: Called with the arguments by name.
        metric: A loaded metric.
        inputs: The input columns that the endpoint takes.
        controls: The options that it takes.
        header: Name and type of an argument that is read from an HTTP header.
        name: The name of the endpoint; the metric's name by default.
        description: Its description; the metric's description by default.
    """
    required = {argument: column for argument, column in inputs.items() if not column.optional}
    optional = {argument: column for argument, column in inputs.items() if column.optional}
    annotations: dict[str, Any] = {argument: _ANNOTATIONS[column.type_label] for argument, column in required.items()}
    helps = {argument: column.help for argument, column in inputs.items()}
    defaults: dict[str, Any] = {}
    for control in controls:
        annotations[control.name] = control.annotation
        defaults[control.name] = control.default
        helps[control.name] = f"{control.help} Defaults to {control.default!r}."
    for argument, column in optional.items():
        annotations[argument] = _ANNOTATIONS[column.type_label] | None
        defaults[argument] = None
    if header:
        annotations[header[0]] = header[1]
        defaults[header[0]] = ""
    parameters = [
        inspect.Parameter(
            argument,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=defaults.get(argument, inspect.Parameter.empty),
            annotation=annotation,
        )
        for argument, annotation in annotations.items()
    ]

    def call(*args: Any) -> str:
        return run(**dict(zip(annotations, args, strict=True)))

    call.__name__ = call.__qualname__ = name or metric.label
    call.__annotations__ = {**annotations, "return": str}
    call.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    documented = "\n".join(f"    {argument}: {helps[argument]}" for argument in annotations if argument in helps)
    summary = " ".join((description or metric.description).split()).replace("`", "")
    call.__doc__ = f"{summary}\n\nArgs:\n{documented}\n\nReturns:\n    The result, as JSON text."
    return call
