"""A result with all that led to it: what a metric's `explain` is given."""

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .rows import Column


@dataclass(frozen=True)
class Scored:
    """A result with all that led to it."""

    script: ModuleType
    """The metric's script: its functions explain the rows."""
    inputs: Mapping[str, list[Any]]
    options: Any
    """The metric's own `Options`."""
    result: Mapping[str, Any]
    texts: Sequence[tuple[str | list[str], ...]]
    """The inputs row by row, in the order of the columns."""
    columns: Sequence[Column]
    asked: Mapping[str, Any]
    """The options that have to be named to get the same result."""
    messages: Sequence[str]
    """What the metric warned of."""
