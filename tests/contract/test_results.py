"""Results of every metric: plain values, details, intervals, signatures, empty input; and no side effects."""

import copy
import json
import pickle
import random
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import NoneType
from typing import Any

import evaluate
import numpy as np
import pytest

from tests.contract.samples import EVERYTHING, SCALARS_ONLY, Sample, compute, is_plain, scale_of

pytestmark = pytest.mark.usefixtures("expect_warnings")


def test_without_details_and_confidence_results_are_scalars(loaded: Any, sample: Sample) -> None:
    result = compute(loaded, sample, **SCALARS_ONLY)
    assert {type(value) for value in result.values()} <= {float, int, str, NoneType}
    everything = compute(loaded, sample, **EVERYTHING)
    assert result.items() <= everything.items()
    assert {type(value) for key, value in everything.items() if key.endswith("_confidence_interval")} == {tuple}


def test_signature_is_one_line_of_fields(loaded: Any, sample: Sample) -> None:
    default = compute(loaded, sample, return_signature=True)
    assert default.keys() - compute(loaded, sample).keys() == {"signature"}
    fields = rf"{loaded.name}(\|[a-z_]+:[^|\n]+)+\|version:{re.escape(loaded.version)}"
    assert re.fullmatch(fields, default["signature"])
    changed = compute(loaded, sample, return_signature=True, **(sample.signature_change or sample.change))
    assert changed["signature"] != default["signature"]
    assert compute(loaded, sample, **EVERYTHING)["signature"] == default["signature"]


def test_empty_input_scores_zero_with_a_warning(loaded: Any, sample: Sample, name: str) -> None:
    empty: dict[str, list[str]] = {column: [] for column in sample.inputs}
    options = {**sample.options, **EVERYTHING}
    for given in (empty, {}):
        loaded.add_batch(**empty)
        with pytest.warns(UserWarning, match=f"{name} got no examples"):
            result = loaded.compute(**given, **options)
        assert is_plain(result)
        for key, value in result.items():
            if key.endswith("_confidence_interval"):
                scale = scale_of(loaded, sample, key.removesuffix("_confidence_interval"))
                assert value == ((scale.low, scale.high) if scale.bounded else None)
            elif isinstance(value, (list, tuple)):
                assert list(value) == []
            elif not isinstance(value, str):
                assert value in {0, None}


def test_global_random_state_is_untouched(loaded: Any, sample: Sample) -> None:
    random.seed(5)
    np.random.seed(5)  # other code relies on the legacy state
    before = random.getstate(), np.random.get_state(legacy=True)
    compute(loaded, sample, **EVERYTHING)
    if "confidence_method" in loaded.options:
        compute(loaded, sample, return_confidence=True, confidence_method="bootstrap")
    assert random.getstate() == before[0]
    np.testing.assert_equal(np.random.get_state(legacy=True), before[1])


def test_inputs_and_earlier_results_are_not_shared(loaded: Any, sample: Sample) -> None:
    inputs = copy.deepcopy(dict(sample.inputs))
    expected = json.dumps(compute(loaded, sample, **EVERYTHING))
    result = compute(loaded, sample, **EVERYTHING)
    loaded.score_batch(sample.inputs, **sample.options)
    assert dict(sample.inputs) == inputs
    for value in result.values():
        if isinstance(value, list):
            value.clear()
    assert json.dumps(compute(loaded, sample, **EVERYTHING)) == expected


def test_pickles_and_copies_keep_options_but_not_added_examples(directory: Path, sample: Sample) -> None:
    loaded = evaluate.load(str(directory), keep_in_memory=True, **sample.options, **sample.change)
    expected = loaded.compute(**sample.inputs)
    loaded.add_batch(**sample.inputs)
    for other in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded), copy.copy(loaded)):
        assert len(other) == 0
        assert other.keep_in_memory
        assert other.compute(**sample.inputs) == expected
    assert loaded.compute() == expected


def test_threads_sharing_one_metric_get_equal_results(loaded: Any, sample: Sample) -> None:
    expected = compute(loaded, sample, **EVERYTHING)

    def compute_repeatedly(_: int) -> list[dict[str, Any]]:
        return [compute(loaded, sample, **EVERYTHING) for _ in range(4)]

    with warnings.catch_warnings(), ThreadPoolExecutor(6) as pool:
        warnings.simplefilter("ignore")
        for results in pool.map(compute_repeatedly, range(6)):
            assert results == [expected] * 4
