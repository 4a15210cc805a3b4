"""The scoring functions of accuracy, which need neither evaluate nor `datasets`; imported when they are first used."""

from importlib import import_module
from typing import Any

_MODULES = {
    "CREDIT": "._matching",
    "Matching": "._matching",
    "match_answers": "._matching",
    "normalize": "answer_metrics.text.normalization",
    "interval": "answer_metrics.statistics.statistic",
    "compare": "answer_metrics.statistics.comparison",
    "correct": "answer_metrics.statistics.human_labels",
}
__all__ = list(_MODULES)  # `normalize` needs no library, the others do


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)
