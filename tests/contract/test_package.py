"""The package answer_metrics gives what `evaluate.load` gives, and its functions need neither evaluate nor datasets."""

import doctest
import re
import subprocess
import sys
import warnings
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import evaluate
import pytest

import answer_metrics
from answer_metrics.contract.evaluate_module import _code_of
from answer_metrics.contract.metric import VERSION
from spaces.build import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import EVERYTHING, Sample


def test_package_lists_every_metric() -> None:
    assert answer_metrics.names() == [path.name for path in metric_directories()]
    packages = {path.parent.name for path in ROOT.glob("answer_metrics/*/*.py")}
    assert not packages & {*answer_metrics.names()}, "an installed metric is a package beside these"
    assert not [path for path in ROOT.glob("answer_metrics/*/*.py") if path.stem == path.parent.name], "is no metric"


@pytest.mark.usefixtures("expect_warnings")
def test_package_gives_the_results_of_evaluate(name: str, sample: Sample, loaded: Any) -> None:
    metric = answer_metrics.load(name, **sample.options, **EVERYTHING)
    assert type(metric).__module__ == f"answer_metrics.{name}.{name}"
    assert metric.compute(**sample.inputs) == loaded.compute(**sample.inputs, **sample.options, **EVERYTHING)


@pytest.mark.parametrize("version", [VERSION, "0.0.1"])
def test_a_checkout_of_another_version_than_the_library_warns(tmp_path: Path, monkeypatch: Any, version: str) -> None:
    monkeypatch.chdir(tmp_path)
    library, script = "answer_metrics/contract/metric.py", "metrics/token_f1/token_f1.py"
    text = f"{(ROOT / script).read_text(encoding='utf-8')}\n_VERSION = '{version}'\n"
    for path, content in ((library, f'VERSION = "{version}"\n'), (script, text)):
        Path(path).parent.mkdir(parents=True)
        Path(path).write_text(content, encoding="utf-8")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evaluate.load("./metrics/token_f1")
    expected = [] if version == VERSION else [f"token_f1: the installed answer_metrics is version {VERSION}, and this"]
    assert [str(warning.message).partition(" checkout")[0] for warning in caught] == expected


def test_unknown_names_are_said() -> None:
    with pytest.raises(ValueError, match="there is no metric 'acuracy'; did you mean 'accuracy'"):
        answer_metrics.load("acuracy")
    with pytest.raises(AttributeError, match="has no attribute 'acuracy'"):
        _ = answer_metrics.acuracy
    with pytest.raises(TypeError, match="accuracy has no option 'fuzy_match'; did you mean 'fuzzy_match'"):
        answer_metrics.load("accuracy", fuzy_match=True)


def test_importing_the_package_or_a_scoring_function_imports_no_evaluate() -> None:
    code = """
import sys, answer_metrics
early = {"numpy", "pyarrow"} & set(sys.modules)
for name in answer_metrics.names():
    module = getattr(answer_metrics, name)  # without functions of its own if the script defines them
    functions = [getattr(module, one) for one in getattr(module, "__all__", [])]
    late = {"evaluate", "datasets"} & set(sys.modules)
    assert not early and not late, (name, early, late)"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


LIBRARIES = {"datasets", "evaluate", "nltk", "numpy", "pandas", "pyarrow", "rapidfuzz", "scipy", "sentencex"}
_NAMED = re.compile(r"`(\w+)\.(\w+)")
# The rows of the document's table: functions, and the libraries that they need.
ROWS = re.findall(
    r"^\| [^|]+ \| (`\w+\.\w+.*) \| (.*) \|$",
    (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
# Modules without evaluate that have examples.
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted([*ROOT.glob("metrics/*/_[a-z]*.py"), *ROOT.glob("answer_metrics/[cjmst]*/*.py")])
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_functions_exist_and_import_only_the_documented_libraries() -> None:
    assert len(ROWS) == 8
    for needs in {libraries for _, libraries in ROWS}:
        named = [name for functions, libraries in ROWS if libraries == needs for name in _NAMED.findall(functions)]
        lines = [f"from answer_metrics.{module} import {function}" for module, function in named]
        code = "\n".join(["import sys", *lines, "print(*sys.modules)"])
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert set(done.stdout.split()) & LIBRARIES == set(needs.split(", ")) - {"–"}


def test_examples_of_functions_run() -> None:
    assert {path.split(".")[1] for path in MODULES} >= {"columns", "judge", "matching", "ranked_retrieval", "text"}
    for path in MODULES:
        results = doctest.testmod(import_module(path))
        assert results.attempted > results.failed == 0, path


LAYERS = "core columns statistics text matching judge contract files page cli integrations".split()


def test_packages_are_layers() -> None:
    """Each imports only from those before it, so that nobody has to read upwards."""
    folders = {path.parent.name for path in (ROOT / "answer_metrics").glob("*/__init__.py")}
    assert folders <= set(LAYERS)
    script = ROOT / "metrics" / "token_f1" / "token_f1.py"  # with all code that can change a score
    code = [ROOT / "answer_metrics" / name for name in sorted({*LAYERS} - {"files", "page", "cli", "integrations"})]
    files = [path for folder in [*code, script.parent] for path in sorted(folder.glob("*.py"))]
    assert _code_of(str(script)) == sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    for number, layer in enumerate(LAYERS):
        for path in sorted((ROOT / "answer_metrics" / layer).glob("*.py")):
            imported = re.findall(r"from answer_metrics\.(\w+)", path.read_text(encoding="utf-8"))
            assert not {*imported} & {*LAYERS[number + 1 :]}, path
