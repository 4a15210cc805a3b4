# Vendored: edit metrics/_shared/space_ui/controls.py and run `make vendor`.
"""What a metric says about itself, as a form needs it: its options, their help texts, its inputs. No Gradio here."""

import inspect
import math
import re
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal

Kind = Literal["flag", "choice", "number", "integer", "text"]

NOTHING = "none"
_ENTRY = re.compile(r"^    (?P<name>\w+)(?: \((?P<type>[^)]*)\))?: (?P<text>.*)$")
_DEFAULT = re.compile(r"\s*Defaults to [^.]*(?:\.\d[^.]*)?\.$")


@dataclass(frozen=True)
class Control:
    """One option, as a form shows it."""

    name: str
    kind: Kind
    default: Any
    help: str
    choices: tuple[str | None, ...] = ()
    low: float | None = None
    high: float | None = None
    open_ends: bool = False

    @property
    def label(self) -> str:
        """What the page calls it."""
        return self.name.replace("_", " ").capitalize()

    def shown(self, value: Any) -> Any:
        """Turn a value into what the page shows: Gradio takes None for nothing chosen."""
        return NOTHING if value is None and self.kind == "choice" else value

    def given(self, shown: Any) -> Any:
        """Turn what a page or a link gives into a value; browsers make no difference between 1 and 1.0.

        Raises:
            ValueError: For a text that is no number where one is wanted.
        """
        if self.kind == "choice" and shown == NOTHING:
            return None
        if self.kind == "integer" and isinstance(shown, float) and shown.is_integer():
            return int(shown)
        if self.kind in {"number", "integer"} and isinstance(shown, str) and shown.strip():
            try:
                return float(shown) if self.kind == "number" else int(shown)
            except ValueError:
                raise ValueError(f"{self.name} must be a number, got {shown!r}") from None
        empty = shown is None or (isinstance(shown, str) and not shown.strip())
        return self.default if empty and self.kind != "choice" else shown

    def check_offered(self, value: Any) -> None:
        """Raise a `ValueError` for a choice that the Space does not offer; the rest is for the metric to check."""
        if self.choices and not any(value is choice or value == choice for choice in self.choices):
            offered = ", ".join("none" if choice is None else f'"{choice}"' for choice in self.choices)
            raise ValueError(f"{self.name} must be one of {offered}, got {value!r}")

    @property
    def annotation(self) -> Any:
        """Its type, for a typed endpoint."""
        if self.kind == "choice":
            named = Literal[tuple(choice for choice in self.choices if choice is not None)]  # type: ignore[valid-type]
            return named | None if None in self.choices else named
        plain = {"flag": bool, "number": float, "integer": int, "text": str}[self.kind]
        return plain | None if self.default is None else plain


def entries(documentation: str, section: str) -> dict[str, tuple[str, str]]:
    """Read a section of a docstring in Google's manner: type and text by name, in order, each text on one line."""
    found: dict[str, tuple[str, str]] = {}
    inside, name = False, ""
    for line in documentation.splitlines():
        if line and not line.startswith(" "):
            inside = line.strip() == f"{section}:"
            continue
        entry = _ENTRY.match(line)
        if inside and entry:
            name = entry["name"]
            found[name] = (entry["type"] or "", entry["text"].strip())
        elif inside and name and line.strip():
            kind, text = found[name]
            found[name] = (kind, f"{text} {line.strip()}")
    return found


def read_controls(
    metric: Any,
    hidden: Collection[str] = (),
    *,
    starts: Mapping[str, Any] | None = None,
    choices: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Control]:
    """Derive the controls of a metric from its options, their defaults and its documentation.

    Options that only take a function have no control: a page must not run a visitor's code.

    Args:
        metric: A loaded metric.
        hidden: Options that have no control on purpose.
        starts: Defaults other than the metric's.
        choices: The values that are offered, where they are fewer than the metric takes.
    """
    helps = entries(metric.inputs_description, "Args")
    defaults = {**metric.defaults(), **(starts or {})}
    kinds: dict[str, Kind] = {"Flag": "flag", "Number": "number", "Integer": "integer", "Dollars": "number"}
    controls = []
    for name, option in metric.options.items():
        offered: tuple[str | None, ...] = (choices or {}).get(name) or tuple(getattr(option, "choices", ()))
        if name in hidden or (type(option).__name__ == "Function" and not offered):
            continue
        if offered and defaults[name] not in offered:
            offered = (defaults[name], *offered)
        _, text = helps.get(name, ("", ""))
        high = getattr(option, "high", None)
        controls.append(
            Control(
                name=name,
                kind="choice" if offered else kinds.get(type(option).__name__, "text"),
                default=defaults[name],
                help=_DEFAULT.sub("", text),
                choices=offered,
                low=getattr(option, "low", None),
                high=None if high == math.inf else high,
                open_ends=getattr(option, "exclusive", False),
            )
        )
    return controls


def column_kind(column: Any) -> Literal["text", "answers", "list"]:
    """Say what the cells of an input hold, by the class that checks it."""
    if type(column).__name__ == "StringColumn":
        return "text"
    return "list" if getattr(column, "allow_empty", False) else "answers"


def changed(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Leave only the options that differ from the metric's defaults."""
    return {
        name: value
        for name, value in options.items()
        if value != defaults[name] or isinstance(value, bool) is not isinstance(defaults[name], bool)
    }


def endpoint(
    run: Callable[..., str], metric: Any, controls: Sequence[Control], header: tuple[str, Any] | None = None
) -> Callable[..., str]:
    """Build the function of an endpoint: typed and documented as the metric is.

    Args:
        run: Called with the arguments by name.
        metric: A loaded metric.
        controls: The options that the endpoint takes.
        header: Name and type of an argument that comes from an HTTP header, not from the caller's arguments.
    """
    helps = {name: text for name, (_, text) in entries(metric.inputs_description, "Args").items()}
    helps |= {control.name: f"{control.help} Defaults to {control.default!r}." for control in controls}
    kinds = {"text": list[str], "answers": list[str] | list[list[str]], "list": list[list[str]]}
    annotations: dict[str, Any] = {
        name: kinds[column_kind(column)] for name, column in metric.inputs.items() if not column.optional
    }
    defaults: dict[str, Any] = {}
    for control in controls:
        annotations[control.name] = control.annotation
        defaults[control.name] = control.default
    if header:
        annotations[header[0]] = header[1]
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=defaults.get(name, inspect.Parameter.empty if name in metric.inputs else ""),
            annotation=annotation,
        )
        for name, annotation in annotations.items()
    ]

    def call(*args: Any) -> str:
        return run(**dict(zip(annotations, args, strict=True)))

    name = metric.label
    call.__name__ = call.__qualname__ = name
    call.__annotations__ = {**annotations, "return": str}
    call.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    documented = "\n".join(f"    {name}: {helps[name]}" for name in annotations if name in helps)
    description = " ".join(metric.description.split()).replace("`", "")
    call.__doc__ = f"{description}\n\nArgs:\n{documented}\n\nReturns:\n    The result, as JSON text."
    return call
