"""The functions that score need neither evaluate nor datasets."""

import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

LIBRARIES = {"datasets", "evaluate", "nltk", "numpy", "pandas", "pyarrow", "rapidfuzz", "scipy", "sentencex"}


# The rows of the document's table: functions, and the libraries that they need.
ROWS = re.findall(
    r"^\| [^|]+ \| (`\w+\.\w+.*) \| (.*) \|$",
    (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_every_metric_is_documented() -> None:
    assert len(ROWS) == 8


@pytest.mark.parametrize(("functions", "needs"), ROWS)
def test_functions_exist_and_import_only_the_documented_libraries(functions: str, needs: str) -> None:
    named = re.findall(r"`(\w+)\.(\w+)", functions)
    lines = [f"from answer_metrics.{module} import {function}" for module, function in named]
    code = "\n".join(["import sys", *lines, "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & LIBRARIES == set(needs.split(", ")) - {"–"}
