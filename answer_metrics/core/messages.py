"""Warnings and errors that say which metric they come from. Standard library only."""

import contextlib
import contextvars
import warnings
from collections.abc import Iterator

_CAPTURED: contextvars.ContextVar[list[str] | None] = contextvars.ContextVar("captured", default=None)


def warn(message: str) -> None:
    """Issue a `UserWarning`, or pass the message to the enclosing `capture_warnings`."""
    captured = _CAPTURED.get()
    if captured is None:
        warnings.warn(message, UserWarning, stacklevel=2)
    else:
        captured.append(message)


@contextlib.contextmanager
def capture_warnings() -> Iterator[list[str]]:
    """Collect warnings in a list; unlike `warnings.catch_warnings` it is thread-safe, for pages with many visitors."""
    messages: list[str] = []
    token = _CAPTURED.set(messages)
    try:
        yield messages
    finally:
        _CAPTURED.reset(token)


@contextlib.contextmanager
def prefix_errors(name: str, place: str = "") -> Iterator[None]:
    """Put the name of a metric, and a place such as `systems['A']: `, before the message of a `ValueError`."""
    prefix = f"{name}: "
    try:
        yield
    except ValueError as error:  # re-raised as it is, so that its traceback ends at the line that raised it
        if type(error) is ValueError:
            error.args = (f"{prefix}{place}{str(error).removeprefix(prefix)}",)
        raise
