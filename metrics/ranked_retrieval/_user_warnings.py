# Vendored: edit metrics/_shared/_user_warnings.py and run `make vendor`.
"""Warnings for the caller of a metric.

`warnings.catch_warnings` is not thread-safe, so a page that serves concurrent visitors uses `capture_warnings` to
collect the warnings of one call.
"""

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
    """Collect the messages of the current context in a list instead of issuing warnings."""
    messages: list[str] = []
    token = _CAPTURED.set(messages)
    try:
        yield messages
    finally:
        _CAPTURED.reset(token)
