# Vendored: edit metrics/_shared/_garbage.py and run `make vendor`.
"""Make many lists and tuples at once without Python searching them for cycles again and again."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for cycles, for work that makes many objects and no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
