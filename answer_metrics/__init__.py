"""Metrics for question answering and retrieval, installed.

    import answer_metrics

    accuracy = answer_metrics.load("accuracy", match="recall")
    accuracy.compute(predictions=["It was Paris."], references=["Paris"])

`answer_metrics.<metric>` has the scoring functions that need no evaluate: `answer_metrics.accuracy.match_answers`.

The wheel has the directories of metrics/ in this package; in a checkout they are found beside it. Importing the package
imports no metric and no library.
"""

import difflib
import functools
import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

_CHECKOUT = Path(__file__).parents[1] / "metrics"
METRICS = _CHECKOUT if (_CHECKOUT / "_template").is_dir() else Path(__file__).parent
"""The folder of the metrics' directories: the checkout's if the package runs from one or is installed with `-e`."""
if METRICS == _CHECKOUT:
    __path__.append(str(_CHECKOUT))


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata  # takes longer than the rest of the package

        try:
            return metadata.version("answer-metrics")
        except metadata.PackageNotFoundError:
            return "checkout"
    if name in names():
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.cache
def names() -> list[str]:
    """List the metrics: the directories that have a script of their own name."""
    return sorted(path.parent.name for path in METRICS.glob("[!_]*/*.py") if path.stem == path.parent.name)


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the one that was probably meant, or all that there are."""
    listed = list(names)
    close = difflib.get_close_matches(str(name), listed, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(listed)}"


def check_name(name: str) -> None:
    """Raise a `ValueError` for the name of no metric."""
    if name not in names():
        raise ValueError(f"there is no metric {name!r}{did_you_mean(name, names())}")


def metric_class(name: str) -> Any:
    """Return the class of a metric, from its declarations to its methods; a `ValueError` for an unknown name."""
    check_name(name)
    return class_in(importlib.import_module(f"{__name__}.{name}.{name}"))


def class_in(script: ModuleType) -> Any:
    """Return the class of the metric that a script defines."""
    own = (value for value in vars(script).values() if getattr(value, "__module__", None) == script.__name__)
    return next(value for value in own if isinstance(value, type) and hasattr(value, "main_score"))


def load(name: str, **options: Any) -> Any:
    """Load a metric: what `evaluate.load` returns, without the Hub and without copies in a cache.

    `options` are those of the metric, and the arguments of `evaluate.load` that choose how it works: `num_process`,
    `process_id`, `experiment_id`, `cache_dir`, `keep_in_memory`.

    Raises:
        ValueError: For an unknown metric, or a bad value of an option.
        TypeError: For an unknown option.
    """
    return metric_class(name)(**options)
