"""Regular expressions that are compiled on first use. Standard library only."""

import re
from typing import Any, cast


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)
        return value


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return `re.compile(pattern, flags)`, compiled on first use: large patterns take most of the time of an import."""
    return cast("re.Pattern[str]", _Later(pattern, flags))
