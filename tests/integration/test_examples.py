"""Programs in examples/ run as documented, and ppi-python corrects alike."""

import numpy as np
import pytest

from answer_metrics.statistics.human_labels import correct
from spaces.build import metric_directories
from tests.conftest import ROOT
from tests.integration.conftest import run_python


def test_quickstart_shows_every_metric_a_comparison_and_agreement() -> None:
    printed = run_python("examples/quickstart.py")
    titles = ["Is a second system better?", "Agreement with the author", "Where modes of accuracy differ"]
    for title in [directory.name for directory in metric_directories()] + titles:
        assert title in printed
    assert "no examples" not in printed


def test_compare_prints_what_the_documentation_quotes() -> None:
    printed = run_python("examples/compare.py")
    document = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    (quoted,) = (" ".join(block.split("\n> ")) for block in document.split("\n\n") if block.startswith("> accuracy: "))
    assert quoted.removeprefix("> ") in printed.splitlines()
    assert "The corrected score is 75.7%, 95% CI 61.8% to 89.6%." in " ".join(printed.split())


def test_every_way_of_at_scale_equals_compute() -> None:
    pytest.importorskip("ray")
    printed = run_python("examples/at_scale.py", "--rows", "3000", "--shards", "3")
    *ways, compared = printed.splitlines()
    assert [line.partition(":")[0] for line in ways] == ["loop", "datasets", "streaming", "ray"]
    assert compared == "compared by id: 0 rows differ"


@pytest.mark.parametrize("seed", range(40))
def test_corrected_score_equals_ppi_python(seed: int) -> None:
    ppi_py = pytest.importorskip("ppi_py")
    random = np.random.default_rng(seed)
    rows, number = int(random.integers(80, 2000)), int(random.integers(30, 80))
    people = random.random(rows) if seed % 2 else (random.random(rows) < 0.6).astype(float)
    mixed = random.random() * people + 0.3 * random.random(rows)
    scores = np.clip(mixed, 0, 1) if seed % 3 else (mixed > np.median(mixed)).astype(float)
    if (scores[:number] == people[:number]).all():
        people[0] = 1 - people[0]  # without an error among the labels, the interval is that of the labels alone
    labels = np.where(np.arange(rows) < number, people, np.nan)
    theirs = ppi_py.ppi_mean_ci(people[:number], scores[:number], scores[number:], alpha=0.1)
    estimate = ppi_py.ppi_mean_pointestimate(people[:number], scores[:number], scores[number:])
    found, _ = correct(scores, labels, level=0.9)
    assert found["corrected"] == pytest.approx(np.clip(np.squeeze(estimate), 0, 1), rel=1e-9)
    assert found["corrected_confidence_interval"] == pytest.approx(np.clip(np.squeeze(theirs), 0, 1).tolist(), rel=1e-9)
