"""Every metric gives bit-identical results in a fresh process, unpickled or loaded again."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import pytest

from scripts.vendor import metric_directories
from tests.contract.samples import EVERYTHING, sample_of

FRESH_PROCESS = """
import json, pickle, sys, warnings
warnings.simplefilter("ignore")
pickled, path, inputs, options = pickle.load(open(sys.argv[1], "rb"))
assert not any(name.startswith(("evaluate", "datasets")) for name in sys.modules)
unpickled = pickle.loads(pickled)
again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(unpickled))))
import evaluate
loaded = evaluate.load(path, **options)
print(json.dumps([metric.compute(**inputs) for metric in (unpickled, again, loaded)]))
"""


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("directory", metric_directories(), ids=lambda path: path.name)
def test_results_in_a_fresh_process_are_bit_identical(directory: Path, tmp_path: Path) -> None:
    sample = sample_of(directory.name)
    options = {**sample.options, **sample.change, **EVERYTHING}
    loaded = evaluate.load(str(directory), **options)
    loaded.add_batch(**sample.inputs)  # not part of the pickle
    expected = json.dumps(evaluate.load(str(directory), **options).compute(**sample.inputs))
    handover = tmp_path / "metric.pickle"
    handover.write_bytes(pickle.dumps((pickle.dumps(loaded), str(directory), dict(sample.inputs), options)))
    done = subprocess.run(
        [sys.executable, "-c", FRESH_PROCESS, str(handover)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [json.dumps(result) for result in json.loads(done.stdout.splitlines()[-1])] == [expected] * 3


SCORE_ONE = (
    "import pickle, sys; print(pickle.load(sys.stdin.buffer)({'predictions': ['Paris'], 'references': ['paris']}))"
)


@pytest.mark.parametrize("pickler", ["pickle", "ray.cloudpickle", "dill"])
def test_score_batch_works_in_a_fresh_process(pickler: str, metric: Callable[[str], Any]) -> None:
    """As the workers of Ray and `datasets` get it."""
    sent = pytest.importorskip(pickler).dumps(metric("accuracy").score_batch)
    done = subprocess.run([sys.executable, "-c", SCORE_ONE], input=sent, capture_output=True, timeout=120, check=True)
    expected = metric("accuracy").score_batch({"predictions": ["a"], "references": ["A"]})
    assert done.stdout.decode().strip() == str(expected)
