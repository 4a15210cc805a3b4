"""examples/compare.py and the simulations, run from the command line."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT


def run(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_example_output_equals_the_documentation() -> None:
    printed = run("examples/compare.py")
    quoted = (
        "accuracy: second 0.7083 (95% CI 0.5949 to 0.8006) vs. first 0.4444 (95% CI 0.3354 to 0.5591); difference "
        "+0.2639 (95% CI +0.1329 to +0.3922), p = 0.00031 (exact McNemar test); 23 wins, 4 losses, 45 ties; n = 72; "
        "noninferior within a margin of 0.05; accuracy|case:no|norm:v1|fuzzy:no|version:0.1.0\n"
    )
    assert quoted in printed
    documented = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8").replace("\n> ", " ")
    assert quoted in documented
    assert "The corrected score is 75.7%, 95% CI 61.8% to 89.6%." in " ".join(printed.split())


@pytest.mark.parametrize("table", ["intervals", "comparisons", "corrections"])
def test_simulations_print_tables(table: str) -> None:
    lines = run("-m", "benchmarks.simulations", table, "--draws", "2").splitlines()
    assert lines[1].startswith("| --- |")
    assert len(lines) >= 14
    assert all(line.startswith("|") for line in lines if line)
