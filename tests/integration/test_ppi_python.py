"""Corrected scores against ppi-python, by the authors of the method."""

import numpy as np
import pytest

from metrics._shared._labels import correct


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
