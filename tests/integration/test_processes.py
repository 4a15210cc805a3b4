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

from scripts.vendor import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import EVERYTHING, sample_of
from tests.integration.clean_process import run_clean

PREDICTIONS = ["Paris!", "Lodnon", "3.5", "Zürich", "in 東京", "", "Rom", "Oslo"] * 3
SINGLE = ["paris", "London", "35", "Zu\u0308rich", "東京", "", "Rome", "Bern"] * 3
SEVERAL = [[text, "another"] for text in SINGLE]
OPTIONS: dict[str, Any] = {"fuzzy_match": True, "fuzzy_threshold": 0.7, "match": "contains"}
PATH = str(ROOT / "metrics" / "accuracy")


@pytest.fixture
def loaded(metric: Callable[[str], Any]) -> Any:
    return metric("accuracy")


ONE_OF_TWO = """
import json, sys
import evaluate
path, rank, cache, predictions, references, options = json.loads(sys.argv[1])
inputs = {"predictions": predictions, "references": references}
at_once, added = (
    evaluate.load(path, num_process=2, process_id=rank, experiment_id=name, cache_dir=cache, timeout=60, **options)
    for name in ("at once", "added")
)
added.add_batch(**inputs)
print(json.dumps(at_once.compute(**inputs)), json.dumps(added.compute()), sep="\\n")
"""


def test_num_process_of_two_equals_one_call(loaded: Any, tmp_path: Path) -> None:
    """The first process has single references, the second lists; given to compute, and added before."""
    parts: list[list[Any]] = [[PREDICTIONS[:10], SINGLE[:10]], [PREDICTIONS[10:], SEVERAL[10:]]]
    processes = []
    for rank, part in enumerate(parts):
        command = [sys.executable, "-c", ONE_OF_TWO, json.dumps([PATH, rank, str(tmp_path), *part, OPTIONS])]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path))
    printed = [process.communicate(timeout=600)[0].splitlines()[-2:] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    both = [*[[text] for text in SINGLE[:10]], *SEVERAL[10:]]
    expected = json.dumps(loaded.compute(predictions=PREDICTIONS, references=both, **OPTIONS))
    assert printed == [[expected] * 2, ["null"] * 2]


# ---- score_batch and aggregate


def test_dataset_mapped_by_two_processes_aggregates_to_the_result_of_compute(loaded: Any) -> None:
    expected = loaded.compute(predictions=PREDICTIONS, references=SEVERAL, **OPTIONS)
    rows = datasets.Dataset.from_dict({"predictions": PREDICTIONS, "references": SEVERAL})
    scored = rows.map(loaded.score_batch, batched=True, batch_size=5, fn_kwargs=OPTIONS, num_proc=2)
    assert loaded.aggregate(scored, **OPTIONS) == expected
    assert loaded.aggregate(scored.with_format("numpy"), **OPTIONS) == expected  # 32-bit floats


def test_fingerprint_of_score_batch_depends_on_the_options() -> None:
    """datasets reuses a cached result if the fingerprint of the function is the same."""
    prints = [
        datasets.fingerprint.Hasher.hash(evaluate.load(PATH, **options).score_batch)
        for options in (OPTIONS, OPTIONS, {})
    ]
    assert prints[0] == prints[1] != prints[2]


# ---- failures


@pytest.mark.parametrize(("error", "raised"), [(ZeroDivisionError, ValueError), (KeyboardInterrupt, KeyboardInterrupt)])
def test_failure_in_the_middle_keeps_the_data_of_earlier_calls(
    error: type[BaseException], raised: type[BaseException], tmp_path: Path
) -> None:
    own = evaluate.load(PATH, cache_dir=str(tmp_path))

    def fail(_: str) -> str:
        raise error

    own.add_batch(predictions=["a", "b"], references=["a", "c"])
    more: dict[str, Any]
    for more in ({}, {"predictions": ["x"], "references": ["x"]}):
        with pytest.raises(raised):
            own.compute(normalizer=fail, **more)
    assert len(own) == 2
    assert own.compute()["accuracy"] == 0.5
    assert [path.name for path in tmp_path.rglob("*.arrow")] == []


# ---- fresh processes

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
    found = [list(map(json.dumps, json.loads(line))) for line in printed.splitlines()[-len(expected) :]]
    assert found == expected


SCORE_ONE = (
    "import pickle, sys; print(pickle.load(sys.stdin.buffer)({'predictions': ['Paris'], 'references': ['paris']}))"
)


@pytest.mark.parametrize("pickler", ["pickle", "ray.cloudpickle", "dill"])
def test_score_batch_works_in_a_fresh_process(pickler: str, loaded: Any) -> None:
    """As the workers of Ray and `datasets` get it."""
    sent = pytest.importorskip(pickler).dumps(loaded.score_batch)
    done = subprocess.run([sys.executable, "-c", SCORE_ONE], input=sent, capture_output=True, timeout=600, check=True)
    expected = loaded.score_batch({"predictions": ["a"], "references": ["A"]})
    assert done.stdout.decode().strip() == str(expected)
