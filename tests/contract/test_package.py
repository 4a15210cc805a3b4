"""The package answer_metrics: every metric, loaded without copies, gives what `evaluate.load` gives."""

import subprocess
import sys
from typing import Any

import pytest

import answer_metrics
from scripts.vendor import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import EVERYTHING, Sample


def test_package_lists_every_metric() -> None:
    assert answer_metrics.names() == [path.name for path in metric_directories()]


@pytest.mark.usefixtures("expect_warnings")
def test_package_gives_the_results_of_evaluate(name: str, sample: Sample, loaded: Any) -> None:
    metric = answer_metrics.load(name, **sample.options, **EVERYTHING)
    assert type(metric).__module__ == f"answer_metrics.{name}.{name}"
    assert metric.compute(**sample.inputs) == loaded.compute(**sample.inputs, **sample.options, **EVERYTHING)


def test_unknown_names_are_said() -> None:
    with pytest.raises(ValueError, match="there is no metric 'acuracy'; did you mean 'accuracy'"):
        answer_metrics.load("acuracy")
    with pytest.raises(ValueError, match="there is no metric 'x'; there are accuracy, answer_exact_match"):
        answer_metrics.load("x")
    with pytest.raises(AttributeError, match="has no attribute 'acuracy'"):
        _ = answer_metrics.acuracy
    with pytest.raises(TypeError, match="accuracy has no option 'fuzy_match'; did you mean 'fuzzy_match'"):
        answer_metrics.load("accuracy", fuzy_match=True)


def test_importing_the_package_or_a_scoring_function_imports_no_evaluate(name: str) -> None:
    code = (
        "import sys, answer_metrics\n"
        "early = {'numpy', 'pyarrow'} & set(sys.modules)\n"
        f"module = answer_metrics.{name}\n"  # without functions of its own if the script defines them
        "functions = [getattr(module, one) for one in getattr(module, '__all__', [])]\n"
        "late = {'evaluate', 'datasets'} & set(sys.modules)\n"
        "assert not early and not late, (early, late)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
