# Vendored: edit metrics/_shared/_environment.py and run `make vendor`.
"""Checks of the Python and library versions that the metrics need."""

import sys

PYTHON = (3, 11)


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> None:
    """Raise an `ImportError` before Python 3.11."""
    if version[:2] < PYTHON:
        needed, found = (".".join(map(str, parts)) for parts in (PYTHON, version[:3]))
        raise ImportError(f"this metric needs Python {needed} or newer, this is Python {found}")


def check_version(library: str, installed: str, minimum: str) -> None:
    """Raise an `ImportError` for a library that is too old, with the command that updates it.

    Args:
        library: Its name on PyPI.
        installed: Its version.
        minimum: The first version that works, numbers and points only.
    """
    found = [int(part) for part in installed.split(".")[: minimum.count(".") + 1] if part.isdigit()]
    if found < [int(part) for part in minimum.split(".")]:
        raise ImportError(
            f'this metric needs {library} {minimum} or newer, found {installed}: pip install "{library}>={minimum}"'
        )
