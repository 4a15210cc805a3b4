"""Side effects that no metric may have: on inputs, earlier results, random state, copies, other threads."""

import copy
import json
import pickle
import random
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from tests.contract.helpers import EVERYTHING
from tests.contract.helpers import compute
from tests.contract.samples import Sample

pytestmark = pytest.mark.usefixtures("expect_warnings")


def test_repeated_compute_returns_equal_results(loaded: Any, sample: Sample) -> None:
    assert compute(loaded, sample, **EVERYTHING) == compute(loaded, sample, **EVERYTHING)


def test_global_random_state_is_untouched(loaded: Any, sample: Sample) -> None:
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002  # other code relies on the legacy state
    before = random.getstate(), np.random.get_state(legacy=True)  # noqa: NPY002
    compute(loaded, sample, **EVERYTHING)
    if "confidence_method" in loaded.options:
        compute(loaded, sample, return_confidence=True, confidence_method="bootstrap")
    loaded.add_batch(**sample.inputs)
    loaded.compute(**sample.options, **EVERYTHING)
    assert random.getstate() == before[0]
    np.testing.assert_equal(np.random.get_state(legacy=True), before[1])  # noqa: NPY002


def test_inputs_are_not_modified(loaded: Any, sample: Sample) -> None:
    before = copy.deepcopy(dict(sample.inputs))
    compute(loaded, sample, **EVERYTHING)
    loaded.score_batch(sample.inputs, **sample.options)
    assert dict(sample.inputs) == before


def test_modifying_a_result_does_not_change_the_next_one(loaded: Any, sample: Sample) -> None:
    expected = json.dumps(compute(loaded, sample, **EVERYTHING))
    result = compute(loaded, sample, **EVERYTHING)
    for value in result.values():
        if isinstance(value, list):
            value.clear()
    assert json.dumps(compute(loaded, sample, **EVERYTHING)) == expected


def test_pickles_and_copies_keep_options_but_not_added_examples(directory: Path, sample: Sample) -> None:
    loaded = evaluate.load(str(directory), keep_in_memory=True, **sample.options, **sample.change)
    expected = loaded.compute(**sample.inputs)
    loaded.add_batch(**sample.inputs)
    for other in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded), copy.copy(loaded)):  # noqa: S301
        assert len(other) == 0
        assert other.keep_in_memory
        assert other.compute(**sample.inputs) == expected
    assert loaded.compute() == expected


def test_threads_sharing_one_metric_get_equal_results(loaded: Any, sample: Sample) -> None:
    expected = compute(loaded, sample, **EVERYTHING)

    def compute_repeatedly(_: int) -> list[dict[str, Any]]:
        return [compute(loaded, sample, **EVERYTHING) for _ in range(10)]

    with warnings.catch_warnings(), ThreadPoolExecutor(8) as pool:
        warnings.simplefilter("ignore")
        for results in pool.map(compute_repeatedly, range(8)):
            assert results == [expected] * 10


def test_two_metric_objects_keep_their_batches_apart(directory: Path, loaded: Any, sample: Sample) -> None:
    one, other = (evaluate.load(str(directory), **sample.options) for _ in range(2))
    first = {column: values[:2] for column, values in sample.inputs.items()}
    one.add_batch(**sample.inputs)
    other.add_batch(**first)
    assert one.compute() == compute(loaded, sample)
    assert other.compute() == loaded.compute(**first, **sample.options)
