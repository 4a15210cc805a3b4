"""Options of metrics, declared once, as the annotated fields of a dataclass; standard library only.

    class FuzzyOptions(Options):
        threshold: float = option(0.8, "Lowest similarity that counts.", low=0, high=1, needs=("fuzzy_match", True))

Signature, docstring, the card's table, the page and its endpoint are generated from the declaration. An option may also
be a user's function: `call` calls it, and `qualified_name` identifies it in a signature.
"""

import dataclasses
import difflib
import enum
import hashlib
import inspect
import math
import numbers
import re
import reprlib
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from answer_metrics.core.results import Output

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 80
_MAX_LENGTH = 60


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> None:
    """Raise an `ImportError` before Python 3.11."""
    if version < (3, 11):
        raise ImportError(f"this metric needs Python 3.11 or newer, this is Python {'.'.join(map(str, version))}")


def check_version(library: str, installed: str, minimum: str) -> None:
    """Raise an `ImportError` for a library older than `minimum` (numbers and dots), with the command to update it."""
    parts = [int(part) for part in installed.split(".")[: minimum.count(".") + 1] if part.isdigit()]
    if parts < [int(part) for part in minimum.split(".")]:
        raise ImportError(
            f'this metric needs {library} {minimum} or newer, found {installed}: pip install "{library}>={minimum}"'
        )


check_python()


def shorten(value: object) -> str:
    """Format a value for an error message."""
    text = repr(value)
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3] + "..."


def show(value: object) -> str:
    """Format a value and its type for an error message."""
    return "None" if value is None else f"{shorten(value)} ({type(value).__name__})"


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """Suggest which of the names a misspelled one stands for, or return an empty string."""
    by_lower = {candidate.lower(): candidate for candidate in names}
    close = difflib.get_close_matches(str(name).lower(), by_lower, n=1, cutoff=0.7)
    return f"; did you mean {by_lower[close[0]]!r}?" if close else ""


def is_int(value: Any) -> bool:
    """Return whether a value is a Python or numpy integer; bools are rejected."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


class Secret(str):
    """A string whose repr is masked, and so its value in the local variables of a traceback."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


@dataclasses.dataclass(frozen=True)
class Option:
    """The declaration of an option: its type, what values it takes, and its help text."""

    name: str
    annotation: Any
    default: Any
    help: str = ""
    low: float | None = None
    high: float | None = None
    exclusive: bool = False
    """Whether `low` and `high` themselves are excluded."""
    needs: tuple[Any, ...] | None = None
    """Another option and its values without which this one has no effect: setting it warns, and the page hides it."""
    custom: Callable[[str, Any], Any] | None = None
    """Replaces the built-in check, except of None: takes name and value, returns the value or raises a `ValueError`."""
    custom_type: str = ""
    """Replaces the built-in `type_name`; with `custom`, "str" by default."""

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The members of the annotation if it is a union, else the annotation itself."""
        if typing.get_origin(self.annotation) in {typing.Union, types.UnionType}:
            return typing.get_args(self.annotation)
        return (self.annotation,)

    @property
    def choices(self) -> tuple[str, ...]:
        """The accepted names."""
        literals = [kind for kind in self.kinds if typing.get_origin(kind) is Literal]
        return tuple(name for kind in literals for name in typing.get_args(kind))

    def accepts(self, kind: Any) -> bool:
        """Return whether the option takes values of a kind: bool, int, float, tuple, Callable or NoneType."""
        return any(kind in {member, typing.get_origin(member)} for member in self.kinds)

    @property
    def expected(self) -> str:
        """The accepted values, as in "a number between 0 and 1"."""
        quoted = [f'"{choice}"' for choice in self.choices]
        if self.accepts(Callable):
            return ", ".join([*quoted, "a callable or None"])
        if quoted:
            return "one of " + ", ".join(quoted)
        if self.accepts(tuple):
            return f"a list of distinct integers of at least {self.low}"
        if self.accepts(bool):
            return "True or False"
        noun = "an integer" if self.accepts(int) else "a number"
        if self.high is None:
            return f"a finite number above {self.low:g}" if self.exclusive else f"{noun} of at least {self.low:g}"
        return f"{noun} {'strictly between' if self.exclusive else 'between'} {self.low:g} and {self.high:g}"

    @property
    def type_name(self) -> str:
        """The type and the range for documentation, as in "float, 0 to 1"."""
        if self.custom_type or self.accepts(bool):
            return self.custom_type or "bool"
        if self.accepts(tuple):
            return f"list of int, each at least {self.low}"
        if self.low is None:
            return self.expected
        kind = "int" if self.accepts(int) else "float"
        if self.high is None:
            return f"{kind}, {'above' if self.exclusive else 'at least'} {self.low:g}"
        span = "between {:g} and {:g}" if self.exclusive else "{:g} to {:g}"
        return f"{kind}, {span.format(self.low, self.high)}"

    def check(self, value: Any) -> Any:
        """Return the value as a plain Python value, or raise a `ValueError` that says what the option accepts."""
        is_none = value is None and self.accepts(types.NoneType)
        if self.custom is not None and not is_none:
            return self.custom(self.name, value)
        if is_none or (callable(value) and self.accepts(Callable)):
            return value
        if self.accepts(tuple):
            items = value.tolist() if hasattr(value, "tolist") else value
            if (
                isinstance(items, (list, tuple))
                and items
                and all(self._in_range(item, numbers.Integral) for item in items)
            ):
                integers = tuple(map(int, items))
                if len(set(integers)) == len(integers):
                    return integers
            raise self._error(value, f"; give [{value}]" if is_int(value) else "")
        if self.choices:  # also takes a member of an enumeration with that value or name
            is_member = isinstance(value, enum.Enum)
            name = (value.value if value.value in self.choices else value.name) if is_member else value
            if isinstance(name, str) and name in self.choices:
                return str.__str__(name)
            raise self._error(value, did_you_mean(name, self.choices) if isinstance(name, str) else "")
        is_scalar = type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0
        plain = value.item() if is_scalar else value
        if self.accepts(bool) and isinstance(plain, bool):
            return plain
        if self.accepts(int) and self._in_range(plain, numbers.Integral):
            return int(plain)
        if self.accepts(float) and self._in_range(plain, numbers.Real):
            return float(plain) + 0.0  # -0.0 becomes 0.0: equal options must have equal signatures
        raise self._error(value)

    def _in_range(self, value: Any, number: type) -> bool:
        if isinstance(value, bool) or not isinstance(value, number):
            return False
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        try:
            plain: float = float(value)  # type: ignore[arg-type]  # a number
        except OverflowError:  # a huge integer
            return False
        return low < plain < high if self.exclusive else low <= plain <= high

    def _error(self, value: Any, hint: str = "") -> ValueError:
        actual = f"{_REPR.repr(value)} ({type(value).__name__})"
        return ValueError(f"{self.name} must be {self.expected}, got {actual}{hint}")


def option(default: Any, help: str, **declaration: Any) -> Any:
    """Declare an option; see the attributes of `Option`."""
    if "custom" in declaration:
        declaration.setdefault("custom_type", "str")
    return dataclasses.field(default=default, metadata={"help": help, **declaration})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """The options of every metric: additions to the result."""

    return_confidence: bool = option(False, "Add confidence intervals.")
    confidence_level: float = option(
        0.95,
        "Confidence level. With 10 or fewer examples, or clusters of unequal size, coverage can be lower.",
        low=0,
        high=1,
        exclusive=True,
        needs=("return_confidence", True),
    )
    return_details: bool = option(False, "Add per-example lists.")
    return_signature: bool = option(False, "Add `signature`: one line with everything that can change a score.")
    bootstrap_seed: int = option(0, "Seed for all resampling.", low=0)


def declared(options: type[Options]) -> dict[str, Option]:
    """Return the options of a metric by name: `preset`, its own, and those of all metrics.

    A field that only overrides a default (`return_details: bool = True`) keeps the declaration of the base class.
    """
    fields = {field.name: field for field in dataclasses.fields(options)}
    inherited = {field.name: field for field in dataclasses.fields(Options)}
    shared = list(inherited)
    if "confidence_method" in fields:
        shared.insert(shared.index("confidence_level") + 1, "confidence_method")
    own = sorted((name for name in fields if name not in shared), key=lambda name: name != "preset")
    hints = typing.get_type_hints(options)
    return {
        name: Option(name, hints[name], fields[name].default, **(fields[name].metadata or inherited[name].metadata))
        for name in [*own, *shared]
    }


def without_effect(declarations: Mapping[str, Option], options: Options, names: Iterable[str]) -> list[str]:
    """Return a message for each of these options that has no effect under the others."""
    messages = []
    for name in names:
        other, *values = declarations[name].needs or (None,)
        if other is not None and getattr(options, other) not in values:
            alternatives = " or ".join(f"{other}={value!r}" for value in values)
            messages.append(f"{name} has no effect without {alternatives}")
    return messages


def call(
    function: Callable[..., Any], *texts: str, option: str, place: str, kinds: Any = str, expected: str = "a string"
) -> Any:
    """Call a user's function, the value of `option`, on texts, the first of which is at `place`: "predictions[3]".

    Raises:
        ValueError: If it raises an error, which becomes the cause, or returns a value of another kind.
    """
    try:
        result = function(*texts)
    except Exception as error:
        arguments = f"{place}, {', and '.join(map(shorten, texts))}"
        raise ValueError(f"{option} failed on {arguments}: {type(error).__name__}: {error}") from error
    if not isinstance(result, kinds):
        raise ValueError(f"{option} returned {show(result)} for {place}, {shorten(texts[0])}, not {expected}")
    return result


def qualified_name(function: Callable[..., Any]) -> str:
    """Return the name of a callable for a signature: module, qualified name and a hash of its source.

    Raises:
        ValueError: For anything but a plain function with source code: a name does not identify others.
    """
    name = getattr(function, "__qualname__", "")
    # "<": a <lambda>, or among the <locals> of a function.
    anonymous = not name or "<" in name or getattr(function, "__closure__", None) or hasattr(function, "__self__")
    try:
        source = "" if anonymous else inspect.getsource(function)
    except (OSError, TypeError):  # written in C, or typed into an interpreter that keeps no source
        source = ""
    # Python 3.13 answers with lines of `python -c` for a function of exec().
    if not re.search(rf"\b(def|class)\s+{re.escape(name.rpartition('.')[2])}\b", source):
        raise ValueError(
            f"{function!r} cannot be signed: a signature identifies a callable by its name and its source, and only a "
            "plain function has both; define it with def at the top level of a module, or leave out return_signature"
        )
    digest = hashlib.sha256(source.encode("utf-8", "backslashreplace")).hexdigest()
    return f"{function.__module__}.{name}@{digest[:8]}"


def literal(value: Any) -> str:
    """Format a default value for the documentation."""
    return f'"{value}"' if isinstance(value, str) else str(list(value) if isinstance(value, tuple) else value)


def describe(inputs: Mapping[str, Any], options: Mapping[str, Option], outputs: Mapping[str, Output]) -> str:
    """Write the Args and Returns sections of a Google-style docstring from the declarations."""
    arguments = {
        name: (column.type_name, f"{column.help}{' Optional.' if column.optional else ''}")
        for name, column in inputs.items()
    }
    for name, declaration in options.items():
        arguments[name] = declaration.type_name, f"{declaration.help} Defaults to {literal(declaration.default)}."
    lines = []
    for heading, described in (("Args:", arguments), ("\nReturns:", outputs)):
        lines.append(heading)
        for name, (kind, text) in described.items():
            entry = f"{name} ({kind}): {text}"
            lines += textwrap.wrap(
                entry, 116, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False
            )
    return "\n".join(lines) + "\n"


def explicit_signature(inputs: Mapping[str, Any], options: Mapping[str, Option]) -> inspect.Signature:
    """Build the signature of `compute`: every input is optional, since examples may have been added before."""
    required = [name for name, column in inputs.items() if not column.optional]
    declarations = [
        *((name, None, list[Any]) for name in required),
        *((name, declared.default, declared.annotation) for name, declared in options.items()),
        *((name, None, list[Any] | None) for name in inputs if name not in required),
    ]
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name, default, kind in declarations:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind))
    return inspect.Signature(parameters, return_annotation=dict[str, Any])
