"""What CONTRIBUTING.md says of a fifth metric is true: `make new-metric` makes one that passes what all must pass."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the repository, without what the commands made."""
    made = shutil.ignore_patterns(".*", "__pycache__")
    return Path(shutil.copytree(ROOT, tmp_path / "a checkout", ignore=made))


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=checkout, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_new_metric_passes_what_all_metrics_must_pass(checkout: Path) -> None:
    made = run(checkout, "scripts.new_metric", "token_overlap")
    assert made.returncode == 0, made.stdout + made.stderr
    assert "made: metrics/token_overlap/token_overlap.py" in made.stdout

    chosen = ("-k", "token_overlap", "-m", "not integration")
    tests = run(checkout, "pytest", "-v", "-x", "-p", "no:cacheprovider", *chosen)
    assert tests.returncode == 0, tests.stdout[-3000:]
    for kind in ("contract", "integration", "properties", "unit"):
        assert f"tests/{kind}/" in tests.stdout, "no test of this kind asks a new metric"
    assert run(checkout, "scripts.vendor", "--check").returncode == 0


@pytest.mark.parametrize(("name", "words"), [("Token", "named like a Python module"), ("accuracy", "exists already")])
def test_a_name_that_cannot_be_is_refused(checkout: Path, name: str, words: str) -> None:
    refused = run(checkout, "scripts.new_metric", name)
    assert refused.returncode == 1
    assert words in refused.stdout
