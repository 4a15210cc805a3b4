"""Results of every metric: plain values, details, intervals, signatures, empty input."""

import json
import re
from types import NoneType
from typing import Any

import pytest

from tests.contract.helpers import EVERYTHING
from tests.contract.helpers import SCALARS_ONLY
from tests.contract.helpers import compute
from tests.contract.helpers import is_plain
from tests.contract.samples import Sample

pytestmark = pytest.mark.usefixtures("expect_warnings")


def test_results_are_plain_and_valid_json(loaded: Any, sample: Sample) -> None:
    for options in ({}, SCALARS_ONLY, EVERYTHING):
        result = compute(loaded, sample, **options)
        assert is_plain(result)
        json.dumps(result, allow_nan=False)


def test_without_details_and_confidence_results_are_scalars(loaded: Any, sample: Sample) -> None:
    result = compute(loaded, sample, **SCALARS_ONLY)
    assert {type(value) for value in result.values()} <= {float, int, str, NoneType}
    assert result.items() <= compute(loaded, sample, **EVERYTHING).items()


def test_details_have_one_entry_per_example(loaded: Any, sample: Sample) -> None:
    details = compute(loaded, sample, return_details=True, return_confidence=False)
    extra = details.keys() - compute(loaded, sample, **SCALARS_ONLY).keys()
    assert extra
    count = len(next(iter(sample.inputs.values())))
    assert {len(details[key]) for key in extra} == {count}


def test_confidence_intervals_contain_the_score_and_narrow_at_lower_levels(loaded: Any, sample: Sample) -> None:
    with_intervals = compute(loaded, sample, return_details=False, return_confidence=True)
    extra = with_intervals.keys() - compute(loaded, sample, **SCALARS_ONLY).keys()
    assert extra
    for key in extra:
        low, high = with_intervals[key]
        assert type(with_intervals[key]) is tuple
        assert 0.0 <= low <= with_intervals[key.removesuffix("_confidence_interval")] <= high <= 1.0
    narrow = compute(loaded, sample, return_confidence=True, confidence_level=0.5)
    for key in extra:
        (low, high), (wide_low, wide_high) = narrow[key], with_intervals[key]
        assert high - low < wide_high - wide_low


def test_signature_changes_with_scoring_options_only(loaded: Any, sample: Sample, name: str) -> None:
    default = compute(loaded, sample, return_signature=True)
    assert default.keys() - compute(loaded, sample).keys() == {"signature"}
    assert re.fullmatch(rf"{name}(\|[a-z_]+:[^|\n]+)+\|version:\d+\.\d+\.\d+", default["signature"])
    assert default["signature"].endswith(f"version:{loaded.version}")
    changed = compute(loaded, sample, return_signature=True, **(sample.signature_change or sample.change))
    assert changed["signature"] != default["signature"]
    with_more = compute(loaded, sample, **EVERYTHING)
    assert with_more["signature"] == default["signature"]


def test_empty_input_scores_zero_with_a_warning(loaded: Any, sample: Sample, name: str) -> None:
    empty: dict[str, list[str]] = {column: [] for column in sample.inputs}

    def added() -> dict[str, Any]:
        loaded.add_batch(**empty)
        result: dict[str, Any] = loaded.compute(**sample.options, **EVERYTHING)
        return result

    for call in (
        lambda: loaded.compute(**empty, **sample.options, **EVERYTHING),
        lambda: loaded.compute(**sample.options, **EVERYTHING),
        added,
    ):
        with pytest.warns(UserWarning, match=f"{name} got no examples"):
            result = call()
        assert is_plain(result)
        for key, value in result.items():
            if key.endswith("_confidence_interval"):
                assert value == (0.0, 1.0)
            elif isinstance(value, (list, tuple)):
                assert list(value) == []
            elif not isinstance(value, str):
                assert value in {0, None}
    assert compute(loaded, sample)
