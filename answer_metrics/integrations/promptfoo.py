"""Assertions for promptfoo, in a Python block of its configuration."""

import importlib.util
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import answer_metrics
from answer_metrics.contract.metric import Metric
from answer_metrics.integrations import explain, get_fields, row_scorer

_EVALUATE_MODULE = "answer_metrics.contract.evaluate_module"


class _Core(Metric):
    """The base class of a metric that evaluate does not load."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.declare()


def load_core(name: str, **options: Any) -> Any:
    """Load a metric without evaluate, whose import takes longer than scoring a row.

    Its script runs once more, with a plain base class in place of evaluate's; `answer_metrics.load` is not affected.
    """
    answer_metrics.check_name(name)
    spec = importlib.util.find_spec(f"answer_metrics.{name}.{name}")
    assert spec is not None and spec.loader is not None  # the script of a metric
    script = importlib.util.module_from_spec(spec)
    plain = ModuleType(_EVALUATE_MODULE)
    plain.Module = _Core  # type: ignore[attr-defined]
    before = {key: module for key, module in sys.modules.items() if key == _EVALUATE_MODULE}
    sys.modules[_EVALUATE_MODULE] = plain
    try:
        spec.loader.exec_module(script)
    finally:
        del sys.modules[_EVALUATE_MODULE]
        sys.modules.update(before)
    return answer_metrics.class_in(script)(**options)


def grade(
    name: str,
    output: str,
    context: Mapping[str, Any],
    references: str = "references",
    questions: str | None = None,
    threshold: float = 0.5,
    **options: Any,
) -> dict[str, Any]:
    """Return promptfoo's `pass`, `score` and `reason` of one output, scored with the metric `name`.

    `context` is what promptfoo passes on about the test, `references` the variable that has its reference or
    references (numbers are read as text), `questions` that of its question, `threshold` the lowest score that passes.
    """
    row = get_fields(context["vars"], "variable of the test", references=references, questions=questions)
    value = row["references"]
    values = [str(item) if type(item) in {int, float} else item for item in (value if type(value) is list else [value])]
    row["references"] = values if type(value) is list else values[0]
    score, details = row_scorer(load_core(name, **options))(predictions=output, **row)
    return {"pass": score >= threshold, "score": score, "reason": explain(details)}
