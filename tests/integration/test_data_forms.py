"""Equal results in every way of adding data that the contract tests leave out: caches, processes, failures.

All of it is in the base class, so one metric is enough.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

from tests.conftest import ROOT

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
