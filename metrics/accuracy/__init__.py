"""The scoring functions of accuracy, which need neither evaluate nor `datasets`; imported when they are first used."""

from importlib import import_module
from typing import Any

_MODULES = {
    "CREDIT": "answer_metrics.matching.pipeline",
    "Matching": "answer_metrics.matching.pipeline",
    "match_answers": "answer_metrics.matching.pipeline",
    "normalize": "answer_metrics.text.normalization",
    "interval": "answer_metrics.statistics.statistic",
    "compare": "answer_metrics.statistics.comparison",
    "correct": "answer_metrics.statistics.human_labels",
}
__all__ = list(_MODULES)  # `normalize` needs no library, the others do


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
