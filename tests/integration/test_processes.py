"""Equal results in other processes, fresh, forked or unpickled, and after failures.

Most of it is in the base class, so one metric is enough.
"""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

from spaces.build import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import EVERYTHING, sample_of
from tests.integration.conftest import run_clean

PATH = str(ROOT / "metrics" / "accuracy")


@pytest.fixture
def loaded(metric: Callable[[str], Any]) -> Any:
    return metric("accuracy")


def test_fingerprint_of_score_batch_depends_on_the_options() -> None:
    """datasets reuses a cached result if the fingerprint of the function is the same."""
    prints = [
        datasets.fingerprint.Hasher.hash(evaluate.load(PATH, **options).score_batch)
        for options in ({"match": "contains"}, {"match": "contains"}, {})
    ]
    assert prints[0] == prints[1] != prints[2]


FRESH_PROCESS = """
import json, pickle, sys, warnings
warnings.simplefilter("ignore")
handed_over = pickle.load(open(sys.argv[1], "rb"))
assert not any(name.startswith(("evaluate", "datasets")) for name in sys.modules)
unpickled = [pickle.loads(pickled) for pickled, *_ in handed_over]
again = [pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(metric)))) for metric in unpickled]
import evaluate
loaded = [evaluate.load(path, **options) for _, path, _, options in handed_over]
for metrics, (_, _, inputs, _) in zip(zip(unpickled, again, loaded), handed_over):
    print(json.dumps([metric.compute(**inputs) for metric in metrics]))
"""


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_results_in_a_fresh_process_are_bit_identical(tmp_path: Path) -> None:
    expected, handed_over = [], []
    for directory in metric_directories():
        sample = sample_of(directory.name)
        options = {**sample.options, **sample.change, **EVERYTHING}
        loaded = evaluate.load(str(directory), **options)
        loaded.add_batch(**sample.inputs)  # not part of the pickle
        expected.append([json.dumps(evaluate.load(str(directory), **options).compute(**sample.inputs))] * 3)
        handed_over.append((pickle.dumps(loaded), str(directory), dict(sample.inputs), options))
    (tmp_path / "metrics.pickle").write_bytes(pickle.dumps(handed_over))
    printed = run_clean(tmp_path, "-c", FRESH_PROCESS, str(tmp_path / "metrics.pickle"), HF_EVALUATE_OFFLINE="1")
    results = [list(map(json.dumps, json.loads(line))) for line in printed.splitlines()[-len(expected) :]]
    assert results == expected


SCORE_ONE = "import pickle, sys; print(pickle.load(sys.stdin.buffer)({'predictions': ['a'], 'references': ['A']}))"


@pytest.mark.parametrize("pickler", ["pickle", "ray.cloudpickle", "dill"])
def test_score_batch_works_in_a_fresh_process(pickler: str, loaded: Any) -> None:
    sent = pytest.importorskip(pickler).dumps(loaded.score_batch)
    done = subprocess.run([sys.executable, "-c", SCORE_ONE], input=sent, capture_output=True, timeout=600, check=True)
    expected = loaded.score_batch({"predictions": ["a"], "references": ["A"]})
    assert done.stdout.decode().strip() == str(expected)
