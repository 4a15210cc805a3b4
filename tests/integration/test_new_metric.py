"""The instructions of CONTRIBUTING.md for a new metric work, from `make new-metric` to the dry run of publishing.

And the checks before publishing, of this repository and of a copy of the files alone.
"""

import ast
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from spaces.build import published_directories
from spaces.checks import check_alone, check_directory
from spaces.files import read_space
from tests import made_up
from tests.conftest import ROOT
from tests.integration.conftest import run_python

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def write_example(checkout: Path) -> None:
    """Do what CONTRIBUTING.md says: replace a function, a method and the unit test by its blocks of code."""
    blocks = re.findall(r"^```python no-run\n(.*?)^```", CONTRIBUTING, re.DOTALL | re.MULTILINE)
    function, method, unit_test = blocks
    script = checkout / "metrics" / "token_jaccard" / "token_jaccard.py"
    text = script.read_text(encoding="utf-8")
    for name, block in (("begins_with", function), ("score", textwrap.indent(method, "    "))):
        (node,) = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef) and n.name == name]
        lines = text.splitlines(keepends=True)
        text = "".join([*lines[: node.lineno - 1], block, *lines[node.end_lineno :]])
    script.write_text(text, encoding="utf-8")
    (checkout / "tests" / "unit" / "test_token_jaccard.py").write_text(unit_test, encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with two new metrics: the worked example, and one as the template makes it."""
    made = shutil.ignore_patterns(".git", ".venv*", ".*cache*", ".hypothesis", ".coverage*", "__pycache__")
    checkout = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("copy") / "a checkout", ignore=made))
    run_python("-m", "scripts.new_metric", "token_jaccard", cwd=checkout)
    write_example(checkout)
    run_python("-m", "scripts.document", cwd=checkout)
    printed = run_python("-m", "scripts.new_metric", "token_overlap", cwd=checkout)
    assert "created: metrics/token_overlap/token_overlap.py" in printed
    assert "by hand" not in printed
    return checkout


def test_new_metrics_pass_the_contract_tests(checkout: Path) -> None:
    chosen = ("-k", "token_overlap or token_jaccard or test_entries", "-m", "not integration")
    printed = run_python("-m", "pytest", "-v", "-x", "-p", "no:cacheprovider", *chosen, cwd=checkout)
    for name in ("token_overlap", "token_jaccard"):
        for kind in ("contract", "properties", "unit"):
            assert re.search(rf"tests/{kind}/.*{name}.* PASSED", printed), "no such test covers a new metric"
    run_python("-m", "spaces.build", "token_overlap", cwd=checkout)
    run_python("-m", "ruff", "check", "metrics/token_overlap", cwd=checkout)


# Per line of the template, that of an error: lower is better, and it has no upper bound.
ERRORS = {
    "statistic import Statistic, mean": "statistic import Scale, Statistic, mean",
    'mean(columns["individual_scores"])': 'mean(columns["individual_scores"], scale=Scale(0, float("inf"), False))',
    "return float(prediction.startswith(reference))": (
        "return 0.0 if prediction.startswith(reference) else 1.5 + len(prediction)"
    ),
}


def test_metric_of_errors_passes_the_contract_tests(checkout: Path) -> None:
    """Lower is better, and a score may be above 1: nothing but the formula and its scale differs from the template."""
    run_python("-m", "scripts.new_metric", "word_errors", cwd=checkout)
    script = checkout / "metrics" / "word_errors" / "word_errors.py"
    text = script.read_text(encoding="utf-8")
    for old, new in ERRORS.items():
        assert old in text
        text = text.replace(old, new)
    script.write_text(text, encoding="utf-8")
    chosen = ("-k", "word_errors and not doctests", "tests/contract", "tests/properties")  # those show shares
    printed = run_python("-m", "pytest", "-v", "-x", "-p", "no:cacheprovider", *chosen, cwd=checkout)
    assert re.search(r"test_system_compared_with_itself_has_no_difference.*word_errors.* PASSED", printed)


def test_worked_example_runs_to_a_dry_run(checkout: Path) -> None:
    for command in (["init", "-q"], ["add", "metrics/token_jaccard"]):  # only tracked files are published
        subprocess.run(["git", *command], cwd=checkout, check=True)
    command = ["-m", "spaces.publish", "you", "token_jaccard", "--dry-run"]
    dry = run_python(*command, HF_ENDPOINT="http://127.0.0.1:9", cwd=checkout)
    assert "you/token_jaccard\n  address    http://127.0.0.1:9/spaces/you/token_jaccard\n" in dry
    (line,) = re.findall(r"^  files .*", CONTRIBUTING, re.MULTILINE)
    assert re.search(re.sub(r"[\d,]+\d", r"[\\d,]+", line), dry), "the transcript of the dry run"


# ---- the checks before publishing


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


@pytest.mark.parametrize("path", published_directories(), ids=lambda path: path.name)
def test_directories_of_this_repository_pass(path: Path) -> None:
    assert check_directory(path) == []


def run_alone(directory: Path, name: str = made_up.NAME) -> list[str]:
    return check_alone(name, read_space(directory, "acme"))


def test_smallest_metric_passes(directory: Path) -> None:
    assert run_alone(directory) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("import datasets\n", "import datasets\nfrom evaluate import Metric\n", "not the one of made_up.py"),
        ("return {", "return {'a': {1, 2}} or {", "TypeError: Object of type set is not JSON serializable"),
        ("import datasets\n", "import datasets\nTEXT = '''\nimport absent\n'''\n", "pip install absent"),
    ],
)
def test_metric_that_fails_alone_is_rejected(directory: Path, old: str, new: str, expected: str) -> None:
    made_up.edit(directory / "made_up.py", old, new)
    (problem,) = run_alone(directory)
    assert "made_up: an isolated copy does not load and compute: " in problem
    assert expected in problem
