# Vendored: edit metrics/_shared/_pickling.py and run `make vendor`.
"""Pickling of secrets and bound methods, for metrics that are sent to other processes."""

import functools
from collections.abc import Callable
from typing import Any


class Secret(str):
    """A string whose repr is masked, and so its value in the local variables of a traceback."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


class _BoundMethod(functools.partial[Any]):
    """A bound method that pickles as its object and its name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.args[0], self.func.__name__)


class portable:  # noqa: N801  # a decorator
    """Decorator that makes a method picklable by cloudpickle and dill.

    Python pickles a bound method as an attribute of its object. cloudpickle and dill, which Ray and `datasets` use,
    pickle it as an object and a module's function, but evaluate's modules cannot be imported in a fresh process.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        vars(self).update(__name__=function.__name__, __doc__=function.__doc__)

    def __get__(self, metric: Any, _owner: Any = None) -> Callable[..., Any]:
        bound = _BoundMethod(self._function, metric)
        vars(bound).update(vars(self))
        return bound
