# Vendored: edit metrics/_shared/_options.py and run `make vendor`.
"""Check the values of options: each class describes what one option takes, `check` returns the value or raises.

Defaults stand in the signature of a metric's `_compute` and nowhere else; here stands only what is allowed.
"""

import math
import numbers
import reprlib
from collections.abc import Callable
from typing import Any

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80


def _wrong(name: str, expected: str, value: object) -> ValueError:
    return ValueError(f"{name} must be {expected}, got {_SHORT.repr(value)} ({type(value).__name__})")


class Flag:
    """True or False."""

    def check(self, name: str, value: Any) -> bool:
        """Return the value as a `bool`, or raise a `ValueError`."""
        if isinstance(value, bool):
            return value
        if type(value).__name__ in {"bool_", "bool"} and hasattr(value, "item"):  # numpy's
            return bool(value)
        raise _wrong(name, "True or False", value)


class Choice:
    """One of a few strings."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def check(self, name: str, value: Any) -> str:
        """Return the value, or raise a `ValueError` that lists the choices."""
        if isinstance(value, str) and value in self.choices:
            return str.__str__(value)
        raise _wrong(name, "one of " + ", ".join(f'"{choice}"' for choice in self.choices), value)


class Number:
    """A number in a range, its ends included unless `open_ends`."""

    def __init__(self, low: float, high: float = math.inf, *, open_ends: bool = False) -> None:
        self.low, self.high, self.open_ends = low, high, open_ends

    def check(self, name: str, value: Any) -> float:
        """Return the value as a `float`, or raise a `ValueError` that names the range."""
        if isinstance(value, numbers.Real) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:  # a huge whole number
                number = math.nan
            if self.low <= number <= self.high and not (self.open_ends and number in {self.low, self.high}):
                return number + 0.0  # -0.0 is 0.0: equal options have equal signatures
        if self.high == math.inf:
            expected = f"a {'finite number above' if self.open_ends else 'number of at least'} {self.low:g}"
        else:
            between = "strictly between" if self.open_ends else "between"
            expected = f"a number {between} {self.low:g} and {self.high:g}"
        raise _wrong(name, expected, value)


class Integer:
    """A whole number in a range, its ends included."""

    def __init__(self, low: int, high: int | None = None) -> None:
        self.low, self.high = low, high

    def check(self, name: str, value: Any) -> int:
        """Return the value as an `int`, or raise a `ValueError` that names the range."""
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            number = int(value)
            if self.low <= number and (self.high is None or number <= self.high):
                return number
        expected = f"of at least {self.low}" if self.high is None else f"between {self.low} and {self.high}"
        raise _wrong(name, f"a whole number {expected}", value)


class Function:
    """A callable, one of a few named ones, or None."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def check(self, name: str, value: Any) -> str | Callable[..., Any] | None:
        """Return the value, or raise a `ValueError` that says what is possible."""
        if value is None or (isinstance(value, str) and value in self.choices):
            return value
        if callable(value):
            function: Callable[..., Any] = value
            return function
        choices = "".join(f'"{choice}", ' for choice in self.choices)
        raise _wrong(name, f"{choices}a callable or None", value)


def qualified_name(function: Callable[..., Any]) -> str:
    """Name a callable for a signature: module and qualified name.

    Raises:
        ValueError: For what has no name that tells it apart from others: a lambda, a function made in a function, a
            partial, an object.
    """
    name = getattr(function, "__qualname__", "")
    # "<": a <lambda>, or among the <locals> of a function.
    if not name or "<" in name or getattr(function, "__closure__", None) or hasattr(function, "__self__"):
        raise ValueError(
            f"{function!r} cannot be signed: a signature holds a callable by its name, and only a plain function has "
            "one that says what it does; define one with def at the top of a module, or leave return_signature out"
        )
    return f"{getattr(function, '__module__', None) or 'builtins'}.{name}"
