"""The instructions of CONTRIBUTING.md for a new metric work, from `make new-metric` to the dry run of publishing."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the repository without generated files."""
    made = shutil.ignore_patterns(".git", ".venv*", ".*cache*", ".hypothesis", ".coverage*", "__pycache__")
    return Path(shutil.copytree(ROOT, tmp_path / "a checkout", ignore=made))


CONTRIBUTING = ROOT / "CONTRIBUTING.md"


def run(checkout: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=checkout,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_template_passes_the_contract_tests(checkout: Path) -> None:
    requirements = (checkout / "pyproject.toml").stat().st_mtime_ns
    made = run(checkout, "scripts.new_metric", "token_overlap")
    assert made.returncode == 0, made.stdout + made.stderr
    assert (checkout / "pyproject.toml").stat().st_mtime_ns == requirements, "make would install everything again"
    assert "created: metrics/token_overlap/token_overlap.py" in made.stdout
    assert "by hand" not in made.stdout

    chosen = ("-k", "token_overlap or test_entries", "-m", "not integration")
    tests = run(checkout, "pytest", "-v", "-x", "-p", "no:cacheprovider", *chosen)
    assert tests.returncode == 0, tests.stdout[-3000:]
    for kind in ("contract", "properties"):
        assert f"tests/{kind}/" in tests.stdout, "no such test covers a new metric"
    assert run(checkout, "scripts.vendor", "--check").returncode == 0
    assert run(checkout, "ruff", "check", "metrics/token_overlap").returncode == 0


def test_worked_example_runs_to_a_dry_run(checkout: Path) -> None:
    assert run(checkout, "scripts.new_metric", "token_jaccard").returncode == 0
    subprocess.run(["git", "apply", "docs/token_jaccard.diff"], cwd=checkout, check=True)  # noqa: S607
    assert run(checkout, "scripts.document").returncode == 0

    tests = run(
        checkout, "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", "token_jaccard", "-m", "not integration"
    )
    assert tests.returncode == 0, tests.stdout[-3000:]
    for command in (["init", "-q"], ["add", "metrics/token_jaccard"]):  # only tracked files are published
        subprocess.run(["git", *command], cwd=checkout, check=True)  # noqa: S607
    dry = run(checkout, "spaces.publish", "you", "token_jaccard", "--dry-run", HF_ENDPOINT="http://127.0.0.1:9")
    assert dry.returncode == 0, dry.stderr
    assert "you/token_jaccard\n  address    http://127.0.0.1:9/spaces/you/token_jaccard\n" in dry.stdout
    (line,) = re.findall(r"^  files .*, ", dry.stdout, re.MULTILINE)
    assert line in CONTRIBUTING.read_text(encoding="utf-8"), "the transcript of the dry run"

    script = (checkout / "metrics" / "token_jaccard" / "token_jaccard.py").read_text(encoding="utf-8")
    blocks = re.findall(
        r"^```python no-run\n(.*?)^```", CONTRIBUTING.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(blocks) == 2
    for block in blocks:
        assert "".join(block.split()) in "".join(script.split()), "CONTRIBUTING.md and docs/token_jaccard.diff differ"


NAMES = {
    "Token": "named like a Python module",
    "": "named like a Python module",
    "accuracy": "already exists",
    "class": "is a keyword",
    "match": "is a keyword",
    "json": "is the name of a module",
    "numpy": "is the name of a module",
    "evaluate": "is the name of a module",
    "spaces": "is the name of a module",
}


def test_invalid_metric_name_is_rejected(checkout: Path) -> None:
    before = sorted(checkout.rglob("*.md"))
    for name, message in NAMES.items():
        done = run(checkout, "scripts.new_metric", name)
        assert (done.returncode, message in done.stdout) == (1, True), name
    assert sorted(checkout.rglob("*.md")) == before
