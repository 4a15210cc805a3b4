"""The functions that score: the examples in their docstrings, and that they need neither evaluate nor datasets."""

import doctest
import re
import subprocess
import sys
from importlib import import_module

from scripts.vendor import is_copy
from tests.conftest import ROOT

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
    for path in sorted(ROOT.glob("metrics/*/_[a-z]*.py"))
    if not is_copy(path) and ">>> " in path.read_text(encoding="utf-8")
]


def test_functions_exist_and_import_only_the_documented_libraries() -> None:
    """In one process for the functions with the same needs."""
    assert len(ROWS) == 8
    for needs in {libraries for _, libraries in ROWS}:
        named = [one for functions, libraries in ROWS if libraries == needs for one in _NAMED.findall(functions)]
        lines = [f"from answer_metrics.{module} import {function}" for module, function in named]
        code = "\n".join(["import sys", *lines, "print(*sys.modules)"])
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert set(done.stdout.split()) & LIBRARIES == set(needs.split(", ")) - {"–"}


def test_examples_of_functions_run() -> None:
    assert {path.split(".")[1] for path in MODULES} >= {"_shared", "accuracy", "ranked_retrieval", "l3score"}
    for path in MODULES:
        results = doctest.testmod(import_module(path))
        assert results.attempted > results.failed == 0, path
