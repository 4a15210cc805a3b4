"""The programs in examples/ run as documented, and `make simulations` prints its tables."""

import pytest

from scripts.vendor import metric_directories
from tests.conftest import ROOT
from tests.integration.clean_process import run_python


def test_quickstart_shows_every_metric_a_comparison_and_agreement() -> None:
    printed = run_python("examples/quickstart.py")
    titles = ["Is a second system better?", "Agreement with the author", "Where modes of accuracy differ"]
    for shown in [directory.name for directory in metric_directories()] + titles:
        assert shown in printed


def test_compare_prints_what_the_documentation_quotes() -> None:
    printed = run_python("examples/compare.py")
    document = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    (quoted,) = (" ".join(block.split("\n> ")) for block in document.split("\n\n") if block.startswith("> accuracy: "))
    assert quoted.removeprefix("> ") in printed.splitlines()
    assert "The corrected score is 75.7%, 95% CI 61.8% to 89.6%." in " ".join(printed.split())


def test_every_way_of_at_scale_equals_compute() -> None:
    """The program fails if one does not."""
    pytest.importorskip("ray")
    printed = run_python("examples/at_scale.py", "--rows", "3000", "--shards", "3")
    *ways, compared = printed.splitlines()
    assert [line.partition(":")[0] for line in ways] == ["loop", "datasets", "streaming", "ray"]
    assert compared == "compared by id: 0 rows differ"


@pytest.mark.parametrize("table", ["intervals", "comparisons", "corrections", "samples", "planning"])
def test_simulations_print_tables(table: str) -> None:
    lines = run_python("-m", "benchmarks.simulations", table, "--draws", "2").splitlines()
    assert lines[1].startswith("| --- |")
    assert len(lines) >= 13
    assert all(line.startswith("|") for line in lines if line)
