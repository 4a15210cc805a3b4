# Vendored: edit metrics/_shared/_user_warnings.py and run `make vendor`.
"""Warnings for the caller of a metric.

`warnings.catch_warnings` is not safe with several threads, so a page that scores for many visitors at once collects
what belongs to its own call by `capture_warnings` instead.
"""

import contextlib
import contextvars
import warnings
from collections.abc import Iterator

_CAPTURED: contextvars.ContextVar[list[str] | None] = contextvars.ContextVar("captured", default=None)


def warn(message: str) -> None:
    """Issue a `UserWarning`, or hand the message to the `capture_warnings` that this call runs in."""
    captured = _CAPTURED.get()
    if captured is None:
        warnings.warn(message, UserWarning, stacklevel=2)
    else:
        captured.append(message)


@contextlib.contextmanager
def capture_warnings() -> Iterator[list[str]]:
    """Collect the messages of this thread's calls in a list, in place of Python's warnings."""
    messages: list[str] = []
    token = _CAPTURED.set(messages)
    try:
        yield messages
    finally:
        _CAPTURED.reset(token)
