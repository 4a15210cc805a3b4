# Vendored: edit metrics/_shared/_options.py and run `make vendor`.
"""Kinds of options, and the options that all metrics share.

A metric declares its options as the fields of a frozen dataclass that extends `ScoringOptions`. A field's annotation
carries the kind of the option (its type, range and help text), and its default is the default of the option:

    fuzzy_threshold: Annotated[float, Number(0, 1, help="Lowest similarity that counts.")] = 0.8

The signature of `_compute`, the docstring, the card's table, the page and its endpoint are generated from these fields.
"""

import dataclasses
import difflib
import enum
import inspect
import math
import numbers
import reprlib
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from typing import Any
from typing import Literal
from typing import get_args

from ._environment import check_python

check_python()

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 80


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Suggest the known name that is closest to a misspelled one, or return an empty string."""
    by_lower = {option.lower(): option for option in known}
    close = difflib.get_close_matches(str(name).lower(), by_lower, n=1, cutoff=0.7)
    return f"; did you mean {by_lower[close[0]]!r}?" if close else ""


def _invalid(name: str, expected: str, value: object, hint: str = "") -> ValueError:
    return ValueError(f"{name} must be {expected}, got {_REPR.repr(value)} ({type(value).__name__}){hint}")


class OptionKind:
    """The values that an option accepts.

    Args:
        help: One or two sentences for the docstring, the card and the page.
        requires: Another option and the values of it under which this one has an effect, as in `("fuzzy_match", True)`.
            Giving an option that has no effect warns, and the page hides its control.
    """

    def __init__(self, *, help: str = "", requires: tuple[Any, ...] | None = None) -> None:  # noqa: A002  # as argparse
        self.help = help
        self.requires: tuple[str, tuple[Any, ...]] | None = (requires[0], requires[1:]) if requires else None

    @property
    def type_label(self) -> str:
        """The accepted values in a few words."""
        raise NotImplementedError

    def check(self, name: str, value: Any) -> Any:
        """Return the value as plain Python.

        Raises:
            ValueError: If the value is not accepted; names the option, the expected values and the value given.
        """
        raise NotImplementedError


class Flag(OptionKind):
    """True or False."""

    type_label = "bool"

    def check(self, name: str, value: Any) -> bool:
        """Return the value as a `bool`, or raise a `ValueError`."""
        if isinstance(value, bool):
            return value
        if type(value).__name__ in {"bool_", "bool"} and hasattr(value, "item"):  # numpy's
            return bool(value)
        raise _invalid(name, "True or False", value)


class Choice(OptionKind):
    """One of a few strings, or a member of an enumeration with that value or name."""

    type_label = "str"

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices

    def check(self, name: str, value: Any) -> str:
        """Return the value, or raise a `ValueError` that lists the choices."""
        given = value
        if isinstance(value, enum.Enum):
            value = value.value if value.value in self.choices else value.name
        if isinstance(value, str) and value in self.choices:
            return str.__str__(value)
        expected = "one of " + ", ".join(f'"{choice}"' for choice in self.choices)
        raise _invalid(name, expected, given, did_you_mean(value, self.choices) if isinstance(value, str) else "")


class Number(OptionKind):
    """A number in a range; `exclusive` excludes its ends."""

    def __init__(self, low: float, high: float = math.inf, *, exclusive: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.low, self.high, self.exclusive = low, high, exclusive

    @property
    def type_label(self) -> str:
        """The range."""
        if self.high == math.inf:
            return f"float, {'above' if self.exclusive else 'at least'} {self.low:g}"
        if self.exclusive:
            return f"float, between {self.low:g} and {self.high:g}"
        return f"float, {self.low:g} to {self.high:g}"

    def check(self, name: str, value: Any) -> float:
        """Return the value as a `float`, or raise a `ValueError` that names the range."""
        if isinstance(value, numbers.Real) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:  # a huge integer
                number = math.nan
            if self.low <= number <= self.high and not (self.exclusive and number in {self.low, self.high}):
                return number + 0.0  # turns -0.0 into 0.0: equal options must have equal signatures
        if self.high == math.inf:
            expected = f"a {'finite number above' if self.exclusive else 'number of at least'} {self.low:g}"
        else:
            between = "strictly between" if self.exclusive else "between"
            expected = f"a number {between} {self.low:g} and {self.high:g}"
        raise _invalid(name, expected, value)


class Integer(OptionKind):
    """An integer in a range that includes its ends."""

    def __init__(self, low: int, high: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.low, self.high = low, high

    @property
    def type_label(self) -> str:
        """The range."""
        return f"int, at least {self.low}" if self.high is None else f"int, {self.low} to {self.high}"

    def check(self, name: str, value: Any) -> int:
        """Return the value as an `int`, or raise a `ValueError` that names the range."""
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            number = int(value)
            if self.low <= number and (self.high is None or number <= self.high):
                return number
        expected = f"of at least {self.low}" if self.high is None else f"between {self.low} and {self.high}"
        raise _invalid(name, f"an integer {expected}", value)


class IntegerList(OptionKind):
    """A list of one or more distinct integers of at least `low`, kept as a tuple in the order given."""

    def __init__(self, low: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.low = low

    @property
    def type_label(self) -> str:
        """The range."""
        return f"list of int, each at least {self.low}"

    def check(self, name: str, value: Any) -> tuple[int, ...]:
        """Return the integers as a tuple, or raise a `ValueError` that shows a list."""
        given = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(given, (list, tuple)) and given:
            integers = [
                int(item) for item in given if isinstance(item, numbers.Integral) and not isinstance(item, bool)
            ]
            if len(given) == len(integers) == len(set(integers)) and min(integers) >= self.low:
                return tuple(integers)
        hint = f"; give [{value}]" if isinstance(value, numbers.Integral) and not isinstance(value, bool) else ""
        raise _invalid(name, f"a list of distinct integers of at least {self.low}", value, hint)


class Function(OptionKind):
    """A callable, the name of a built-in one, or None."""

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices

    @property
    def type_label(self) -> str:
        """Whether names of built-in functions are accepted."""
        return "str or callable" if self.choices else "callable"

    def check(self, name: str, value: Any) -> str | Callable[..., Any] | None:
        """Return the value, or raise a `ValueError` that lists the accepted values."""
        if value is None or (isinstance(value, str) and value in self.choices):
            return value
        if callable(value):
            function: Callable[..., Any] = value
            return function
        choices = "".join(f'"{choice}", ' for choice in self.choices)
        hint = did_you_mean(value, self.choices) if isinstance(value, str) else ""
        raise _invalid(name, f"{choices}a callable or None", value, hint)


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """The options of every metric: additions to the result."""

    return_confidence: Annotated[bool, Flag(help="Add the confidence interval of each score.")] = False
    confidence_level: Annotated[
        float, Number(0, 1, exclusive=True, help="Level of the intervals.", requires=("return_confidence", True))
    ] = 0.95
    return_details: Annotated[bool, Flag(help="Add the per-example lists.")] = False
    return_signature: Annotated[
        bool, Flag(help="Add `signature`: one line with everything that can change a score.")
    ] = False
    bootstrap_seed: Annotated[int, Integer(0, help="Seed of all resampling.")] = 0


ConfidenceMethodName = Literal["wilson", "clopper-pearson", "bootstrap"]


class ConfidenceMethod(Choice):
    """The method for the interval of a proportion."""

    def __init__(self) -> None:
        super().__init__(
            *get_args(ConfidenceMethodName),
            help="The interval: Wilson's score, the exact one (Clopper-Pearson) or the percentile bootstrap.",
            requires=("return_confidence", True),
        )


def option_kinds(options_type: type[ScoringOptions]) -> dict[str, OptionKind]:
    """Return the kind of each option, the metric's own options first.

    A field that only overrides a default (`return_details: bool = True`) keeps the kind that the base class declares.
    """
    declared: dict[str, OptionKind] = {}
    for base in reversed(options_type.__mro__):
        for name, annotation in inspect.get_annotations(base).items():
            kind = next((item for item in get_args(annotation) if isinstance(item, OptionKind)), None)
            if kind:
                declared[name] = kind
    shared = [field.name for field in dataclasses.fields(ScoringOptions)]
    if "confidence_method" in declared:
        shared.insert(shared.index("confidence_level") + 1, "confidence_method")
    specific = [field.name for field in dataclasses.fields(options_type) if field.name not in shared]
    return {name: declared[name] for name in (*specific, *shared)}


def without_effect(kinds: Mapping[str, OptionKind], given: Iterable[str], options: ScoringOptions) -> list[str]:
    """Return a message for each given option that has no effect under the others."""
    messages = []
    for name in given:
        required = kinds[name].requires
        if required and getattr(options, required[0]) not in required[1]:
            alternatives = " or ".join(f"{required[0]}={value!r}" for value in required[1])
            messages.append(f"{name} has no effect without {alternatives}")
    return messages


def qualified_name(function: Callable[..., Any]) -> str:
    """Return the name of a callable for a signature: module and qualified name.

    Raises:
        ValueError: For a callable whose name does not identify it: a lambda, a function defined in a function, a
            partial, an object.
    """
    name = getattr(function, "__qualname__", "")
    # "<": a <lambda>, or among the <locals> of a function.
    if not name or "<" in name or getattr(function, "__closure__", None) or hasattr(function, "__self__"):
        raise ValueError(
            f"{function!r} cannot be signed: a signature identifies a callable by its name, and only a plain function "
            "has one that does; define it with def at the top level of a module, or leave out return_signature"
        )
    return f"{getattr(function, '__module__', None) or 'builtins'}.{name}"
