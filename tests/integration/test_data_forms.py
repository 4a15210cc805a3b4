"""Equal results in every way of adding data: whole, in pieces, from two processes, as a dataset transform."""

import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pytest

from tests.conftest import ROOT

PREDICTIONS = ["Paris!", "Lodnon", "3.5", "Zürich", "in 東京", "", "Rom", "Oslo"] * 3
REFERENCES = ["paris", "London", "35", "Zu\u0308rich", "東京", "", "Rome", "Bern"] * 3
SEVERAL = [[text, "another"] for text in REFERENCES]
ACCURACY = {"fuzzy_match": True, "match": "contains", "return_signature": True}
METRICS = {"accuracy": ACCURACY, "answer_exact_match": {"normalizer": "default", "return_confidence": True}}


@pytest.fixture(params=METRICS)
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {**METRICS[request.param], "metric": request.param}


@pytest.fixture
def loaded(metric: Callable[[str], Any], options: dict[str, Any]) -> Any:
    return metric(options.pop("metric"))


@pytest.fixture(params=["one reference", "several references"])
def references(request: pytest.FixtureRequest) -> list[Any]:
    return REFERENCES if request.param == "one reference" else SEVERAL


def path_of(loaded: Any) -> str:
    return str(ROOT / "metrics" / loaded.label)


# ---- in pieces


def test_data_added_in_pieces_equals_one_call(loaded: Any, options: dict[str, Any], references: list[Any]) -> None:
    expected = loaded.compute(predictions=PREDICTIONS, references=references, **options)

    loaded.add_batch(predictions=PREDICTIONS, references=references)
    assert loaded.compute(**options) == expected

    for start in range(0, 24, 5):
        loaded.add_batch(predictions=PREDICTIONS[start : start + 5], references=references[start : start + 5])
    assert loaded.compute(**options) == expected

    for prediction, reference in zip(PREDICTIONS, references, strict=True):
        loaded.add(prediction=prediction, reference=reference)
    assert loaded.compute(**options) == expected

    loaded.add_batch(predictions=PREDICTIONS[:7], references=references[:7])
    loaded.add(prediction=PREDICTIONS[7], reference=references[7])
    loaded.add(prediction=PREDICTIONS[8], reference=references[8])
    loaded.add_batch(predictions=[], references=[])
    loaded.add_batch(predictions=PREDICTIONS[9:11], references=references[9:11])
    assert loaded.compute(predictions=PREDICTIONS[11:], references=references[11:], **options) == expected

    assert loaded.compute(predictions=PREDICTIONS, references=references, **options) == expected


def test_pieces_may_mix_single_and_multiple_references(loaded: Any, options: dict[str, Any]) -> None:
    """Each call has references of one type; different calls may differ."""
    expected = loaded.compute(
        predictions=PREDICTIONS, references=[*[[t] for t in REFERENCES[:9]], *SEVERAL[9:]], **options
    )
    loaded.add_batch(predictions=PREDICTIONS[:9], references=REFERENCES[:9])
    loaded.add_batch(predictions=PREDICTIONS[9:], references=SEVERAL[9:])
    assert loaded.compute(**options) == expected


def test_add_accepts_plural_input_names(loaded: Any, options: dict[str, Any]) -> None:
    """evaluate's own documentation writes add(references=..., predictions=...)."""
    expected = loaded.compute(predictions=PREDICTIONS[:1], references=REFERENCES[:1], **options)
    loaded.add(references=REFERENCES[0], predictions=PREDICTIONS[0])
    assert loaded.compute(**options) == expected


def test_many_small_pieces_equal_one_large_call(loaded: Any) -> None:
    """More rows than evaluate writes at a time."""
    predictions, references = PREDICTIONS * 100, REFERENCES * 100
    expected = loaded.compute(predictions=predictions, references=references)
    for index in range(0, 2400, 3):
        loaded.add_batch(predictions=predictions[index : index + 2], references=references[index : index + 2])
        loaded.add(prediction=predictions[index + 2], reference=references[index + 2])
    assert loaded.compute() == expected


@pytest.mark.parametrize("pieces", [1, 4])
def test_keep_in_memory_equals_one_call(
    loaded: Any, options: dict[str, Any], references: list[Any], pieces: int
) -> None:
    expected = loaded.compute(predictions=PREDICTIONS, references=references, **options)
    in_memory = evaluate.load(path_of(loaded), keep_in_memory=True)
    for _ in range(2):
        step = 24 // pieces
        for start in range(0, 24, step):
            in_memory.add_batch(
                predictions=PREDICTIONS[start : start + step], references=references[start : start + step]
            )
        assert in_memory.compute(**options) == expected


def test_cache_files_are_removed_after_compute(loaded: Any, tmp_path: Path) -> None:
    own = evaluate.load(path_of(loaded), cache_dir=str(tmp_path))
    own.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    own.compute()
    assert [path.name for path in tmp_path.rglob("*.arrow")] == []


ONE_OF_TWO = """
import json, sys, warnings
import evaluate
path, rank, cache, at_once, predictions, references, options = json.loads(sys.argv[1])
metric = evaluate.load(
    path, num_process=2, process_id=rank, experiment_id="two", cache_dir=cache, timeout=60, **options
)
if at_once:
    result = metric.compute(predictions=predictions, references=references)
else:
    metric.add_batch(predictions=predictions, references=references)
    result = metric.compute()
print(json.dumps(result))
"""


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "added"])
def test_num_process_of_two_equals_one_call(
    loaded: Any, options: dict[str, Any], tmp_path: Path, *, at_once: bool
) -> None:
    both_forms = [*[[text] for text in REFERENCES[:10]], *SEVERAL[10:]]
    expected = loaded.compute(predictions=PREDICTIONS, references=both_forms, **options)
    processes = []
    for rank, part in enumerate((slice(10), slice(10, 24))):
        # The first process starts with single references, the second with lists.
        several = REFERENCES if rank == 0 else SEVERAL
        arguments = [path_of(loaded), rank, str(tmp_path), at_once, PREDICTIONS[part], several[part], options]
        command = [sys.executable, "-c", ONE_OF_TWO, json.dumps(arguments)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path))
    printed = [process.communicate(timeout=120)[0].splitlines()[-1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert printed == [json.dumps(expected), "null"]


# ---- evaluate.combine


def test_combined_metrics_equal_single_metrics(metric: Callable[[str], Any]) -> None:
    """Options are given at loading, since combine sends those of compute to every metric."""
    both = evaluate.combine(
        [
            evaluate.load(str(ROOT / "metrics" / "accuracy"), fuzzy_match=True),
            evaluate.load(str(ROOT / "metrics" / "answer_exact_match"), normalizer="squad"),
        ]
    )
    accuracy = metric("accuracy").compute(predictions=PREDICTIONS, references=REFERENCES, fuzzy_match=True)
    exact_match = metric("answer_exact_match").compute(
        predictions=PREDICTIONS, references=REFERENCES, normalizer="squad"
    )
    at_once = both.compute(predictions=PREDICTIONS, references=REFERENCES)
    for start in (0, 12):
        both.add_batch(predictions=PREDICTIONS[start : start + 12], references=REFERENCES[start : start + 12])
    assert both.compute() == at_once
    for result in (accuracy, exact_match):
        for key, value in result.items():
            if key != "individual_scores":
                assert at_once[key] == value
    # Both metrics return this key, so combine prefixes it with their names.
    renamed = [value for key, value in at_once.items() if key.endswith("individual_scores")]
    assert renamed == [accuracy["individual_scores"], exact_match["individual_scores"]]
    scalars = both.compute(predictions=PREDICTIONS, references=REFERENCES, return_details=False)
    assert not any("individual" in key for key in scalars)


# ---- score_batch and aggregate


def columns_of(loaded: Any, dataset: Any) -> Any:
    return {name: dataset[name][:] for name in dataset.column_names if name.startswith(loaded.label)}


@pytest.mark.parametrize("processes", [None, 2])
def test_mapped_dataset_aggregates_to_the_result_of_compute(
    loaded: Any, options: dict[str, Any], references: list[Any], processes: int | None
) -> None:
    expected = loaded.compute(predictions=PREDICTIONS, references=references, **options)
    dataset = datasets.Dataset.from_dict({"predictions": PREDICTIONS, "references": references})
    scored = dataset.map(loaded.score_batch, batched=True, batch_size=5, fn_kwargs=options, num_proc=processes)
    assert scored["predictions"][:] == PREDICTIONS
    assert loaded.aggregate(scored, **options) == expected
    assert loaded.aggregate(columns_of(loaded, scored), **options) == expected
    assert loaded.aggregate(scored.to_pandas(), **options) == expected
    # In NumPy format, datasets returns 32-bit floats.
    assert loaded.aggregate(scored.with_format("numpy"), **options) == expected
    assert loaded.aggregate(scored.data.table, **options) == expected


def test_mapped_dataset_uses_options_set_at_loading(loaded: Any, options: dict[str, Any]) -> None:
    configured = evaluate.load(path_of(loaded), **options)
    renamed = datasets.Dataset.from_dict({"output": PREDICTIONS, "truth": SEVERAL})
    names = {"predictions": "output", "references": "truth"}
    scored = renamed.map(configured.score_batch, batched=True, fn_kwargs={"columns": names}, remove_columns="output")
    assert configured.aggregate(scored) == configured.compute(predictions=PREDICTIONS, references=SEVERAL)


def test_map_fingerprint_depends_on_options(loaded: Any, options: dict[str, Any]) -> None:
    """datasets reuses a cached result if the fingerprint of the function is the same."""
    fingerprint = datasets.fingerprint.Hasher.hash
    same = [fingerprint(evaluate.load(path_of(loaded), **options).score_batch) for _ in range(2)]
    assert same[0] == same[1]
    assert fingerprint(loaded.score_batch) != same[0]


def test_mapped_stream_aggregates_to_the_result_of_compute(
    loaded: Any, options: dict[str, Any], references: list[Any]
) -> None:
    expected = loaded.compute(predictions=PREDICTIONS, references=references, **options)
    stream = datasets.Dataset.from_dict({"predictions": PREDICTIONS, "references": references}).to_iterable_dataset(3)
    scored = list(stream.map(loaded.score_batch, batched=True, batch_size=4, fn_kwargs=options))
    columns = {name: [row[name] for row in scored] for name in scored[0]}
    assert loaded.aggregate(columns, **options) == expected


def test_shard_order_does_not_change_the_result(loaded: Any, options: dict[str, Any]) -> None:
    """Scalars are bit-identical; lists follow the order of the shards."""
    options["return_details"] = False
    extra = {"fuzzy_threshold": 0.7} if "fuzzy_match" in options else {}
    expected = loaded.compute(predictions=PREDICTIONS, references=SEVERAL, **options, **extra)
    rows = list(zip(PREDICTIONS, SEVERAL, strict=True))
    for seed in range(20):
        random.Random(seed).shuffle(rows)  # noqa: S311  # test data
        shards = [rows[start::7] for start in range(7)]
        scored = [
            loaded.score_batch(
                {"predictions": [row[0] for row in shard], "references": [row[1] for row in shard]}, **options, **extra
            )
            for shard in shards
        ]
        columns = {name: [value for shard in scored for value in shard[name]] for name in scored[0]}
        assert loaded.aggregate(columns, **options, **extra) == expected


def test_batches_in_the_format_of_ray_are_scored(loaded: Any, options: dict[str, Any]) -> None:
    """Ray Data passes a batch as arrays, with lists as an array of arrays."""
    cells = np.empty(24, dtype=object)
    cells[:] = [np.array(several, dtype=object) for several in SEVERAL]
    batch = {"predictions": np.array(PREDICTIONS, dtype=object), "references": cells}
    expected = loaded.compute(predictions=PREDICTIONS, references=SEVERAL, **options)
    scored = loaded.score_batch(batch, **options)
    arrays = {name: np.array(values) for name, values in scored.items()}
    assert loaded.aggregate(arrays, **options) == expected
    rows = {name: list(values) for name, values in arrays.items()}
    result = loaded.aggregate(rows, **options)
    assert result == expected
    json.dumps(result)


def test_score_batch_accepts_a_data_frame(loaded: Any, options: dict[str, Any]) -> None:
    frame = pd.DataFrame({"predictions": PREDICTIONS, "references": REFERENCES})[3:]
    expected = loaded.compute(predictions=PREDICTIONS[3:], references=REFERENCES[3:], **options)
    scored = pd.DataFrame(loaded.score_batch(frame, **options))
    assert loaded.aggregate(scored, **options) == expected


# ---- failures


def test_failure_in_the_middle_leaves_the_metric_usable(loaded: Any, options: dict[str, Any], tmp_path: Path) -> None:
    own = evaluate.load(path_of(loaded), cache_dir=str(tmp_path))
    options.pop("return_signature", None)
    expected = own.compute(predictions=PREDICTIONS, references=REFERENCES, **options)

    def fail(_: str) -> str:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            own.compute(predictions=PREDICTIONS, references=REFERENCES, normalizer=fail)
        own.add_batch(predictions=PREDICTIONS, references=REFERENCES)
        with pytest.raises(ZeroDivisionError):
            own.compute(normalizer=fail)
        with pytest.raises(ZeroDivisionError):
            own.compute(predictions=PREDICTIONS, references=REFERENCES, normalizer=fail)
        # Earlier batches stay; the data of the failed call is dropped.
        assert len(own) == len(PREDICTIONS)
        assert own.compute(**options) == expected
    assert [path.name for path in tmp_path.rglob("*.arrow")] == []


def test_interrupted_computation_leaves_the_metric_usable(loaded: Any, tmp_path: Path) -> None:
    own = evaluate.load(path_of(loaded), cache_dir=str(tmp_path))

    def interrupt(_: str) -> str:
        raise KeyboardInterrupt

    own.add_batch(predictions=["a"], references=["a"])
    with pytest.raises(KeyboardInterrupt):
        own.compute(normalizer=interrupt)
    own.add_batch(predictions=["b"], references=["c"])
    assert own.compute(return_details=False)["accuracy" if loaded.label == "accuracy" else "score"] == 0.5


def test_pickle_of_a_mapped_metric_holds_no_data(loaded: Any) -> None:
    loaded.add_batch(predictions=["a secret answer"], references=["x"])
    pickled = pickle.dumps(loaded)
    loaded.compute()
    assert b"secret" not in pickled
    assert os.environ["HF_HOME"].encode() in pickled  # it is rebuilt from the script in evaluate's cache
