"""How every metric must behave, the same way: options, results, bad input, determinism, pickling, threads."""

import copy
import json
import pickle
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any

import evaluate
import numpy as np
import pytest

from tests.contract.samples import Sample

SCALARS = {"return_details": False, "return_confidence": False}
EVERYTHING = {"return_details": True, "return_confidence": True, "return_signature": True}

pytestmark = pytest.mark.usefixtures("expect_warnings")


def compute(loaded: Any, sample: Sample, **options: Any) -> dict[str, Any]:
    result: dict[str, Any] = loaded.compute(**sample.inputs, **{**sample.options, **options})
    return result


def score_batch(loaded: Any, **inputs: Any) -> dict[str, Any]:
    scored: dict[str, Any] = loaded.score_batch(inputs)
    return scored


# ---- options


def test_options_at_loading(directory: Path, loaded: Any, sample: Sample) -> None:
    """They hold for every call, and a call overrides them."""
    default, changed = compute(loaded, sample), compute(loaded, sample, **sample.change)
    assert default != changed, "sample.change must change a result"
    configured = evaluate.load(str(directory), **sample.options, **sample.change)
    assert configured.compute(**sample.inputs) == changed
    assert configured.compute(**sample.inputs) == changed
    back = {name: loaded.defaults()[name] for name in sample.change}
    assert configured.compute(**sample.inputs, **back) == default
    # Another object of the same class knows nothing of them.
    assert compute(loaded, sample) == default


def test_evaluates_own_options_at_loading(directory: Path, loaded: Any, sample: Sample, tmp_path: Path) -> None:
    own = {"keep_in_memory": True, "cache_dir": str(tmp_path), "seed": 3, "experiment_id": "mine"}
    assert compute(evaluate.load(str(directory), **own), sample) == compute(loaded, sample)


@pytest.mark.parametrize("wrong", ["fuzzy", "kwargs", "Return_Details", "prediction"])
def test_unknown_option(directory: Path, loaded: Any, sample: Sample, name: str, wrong: str) -> None:
    for call in (
        partial(compute, loaded, sample),
        partial(evaluate.load, str(directory)),
        partial(loaded.score_batch, sample.inputs),
        partial(loaded.aggregate, {}),
    ):
        with pytest.raises(TypeError, match=rf"^{name} has no option '{wrong}'.* its options are .*return_details"):
            call(**{wrong: True})
    assert compute(loaded, sample)


def test_wrong_value_of_an_option(directory: Path, loaded: Any, sample: Sample, name: str) -> None:
    expected = compute(loaded, sample)
    for option, value in (*sample.wrong_options, ("return_details", None), ("return_signature", "yes")):
        for call in (partial(compute, loaded, sample), partial(evaluate.load, str(directory))):
            with pytest.raises(ValueError, match=rf"^{name}: .*{option}") as caught:
                call(**{option: value})
            shown = str(value) if isinstance(value, float) else repr(value)
            assert shown in str(caught.value)
    assert compute(loaded, sample) == expected


def test_a_wrong_option_costs_no_data(loaded: Any, sample: Sample) -> None:
    expected = compute(loaded, sample)
    loaded.add_batch(**sample.inputs)
    with pytest.raises(ValueError, match="return_details"):
        loaded.compute(return_details="yes")
    with pytest.raises(TypeError, match="no option"):
        loaded.compute(details=True)
    assert loaded.compute(**sample.options) == expected


# ---- results


def plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(key) is str and plain(item) for key, item in value.items())
    if type(value) in {list, tuple}:
        return all(map(plain, value))
    return type(value) in {float, int, str, bool, NoneType}


def test_results_are_plain(loaded: Any, sample: Sample) -> None:
    for options in ({}, SCALARS, EVERYTHING):
        result = compute(loaded, sample, **options)
        assert plain(result)
        json.dumps(result, allow_nan=False)


def test_scalars_only(loaded: Any, sample: Sample) -> None:
    result = compute(loaded, sample, **SCALARS)
    assert {type(value) for value in result.values()} <= {float, int, str, NoneType}
    assert result.items() <= compute(loaded, sample, **EVERYTHING).items()


def test_details_are_per_example(loaded: Any, sample: Sample) -> None:
    details = compute(loaded, sample, return_details=True, return_confidence=False)
    extra = details.keys() - compute(loaded, sample, **SCALARS).keys()
    assert extra
    count = len(next(iter(sample.inputs.values())))
    assert {len(details[key]) for key in extra} == {count}


def test_intervals(loaded: Any, sample: Sample) -> None:
    with_intervals = compute(loaded, sample, return_details=False, return_confidence=True)
    extra = with_intervals.keys() - compute(loaded, sample, **SCALARS).keys()
    assert extra
    for key in extra:
        low, high = with_intervals[key]
        assert type(with_intervals[key]) is tuple
        assert 0.0 <= low <= with_intervals[key.removesuffix("_confidence_interval")] <= high <= 1.0
    narrow = compute(loaded, sample, return_confidence=True, confidence_level=0.5)
    assert all(narrow[key] != with_intervals[key] for key in extra)


def test_signature(loaded: Any, sample: Sample, name: str) -> None:
    default = compute(loaded, sample, return_signature=True)
    assert default.keys() - compute(loaded, sample).keys() == {"signature"}
    assert re.fullmatch(rf"{name}(\|[a-z_]+:[^|\n]+)+\|version:\d+\.\d+\.\d+", default["signature"])
    assert default["signature"].endswith(f"version:{loaded.version}")
    changed = compute(loaded, sample, return_signature=True, **(sample.signs or sample.change))
    assert changed["signature"] != default["signature"]
    with_more = compute(loaded, sample, **EVERYTHING)
    assert with_more["signature"] == default["signature"]


def test_empty_input(loaded: Any, sample: Sample, name: str) -> None:
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
        assert plain(result)
        for key, value in result.items():
            if key.endswith("_confidence_interval"):
                assert value == (0.0, 1.0)
            elif isinstance(value, (list, tuple)):
                assert list(value) == []
            elif not isinstance(value, str):
                assert value in {0, None}
    assert compute(loaded, sample)


# ---- bad input


def replaced(column: list[Any], index: int, value: Any) -> list[Any]:
    return [*column[:index], value, *column[index + 1 :]]


NO_TEXTS = {"None": None, "int": 3, "float": 1.5, "bytes": b"a", "NaN": float("nan"), "surrogate": "a\ud800"}


def bad_columns(kind: str, name: str, column: list[Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield what is wrong, the column, and what the message begins with."""
    yield "missing", None, f"{name} is missing"
    yield "bare string", "abcd", f"{name} is a bare str"
    yield "mapping", dict.fromkeys("abcd", "x"), f"{name} is a dict"
    yield "set", {"a", "b", "c", "d"}, f"{name} is a set"
    yield "number", 3, f"{name} is 3"
    yield "array without dimension", np.array("abcd"), f"{name} is array"
    for what, value in NO_TEXTS.items():
        if kind != "StringListColumn":
            yield what, replaced(column, 2, value), rf"{name}\[2\] "
        if kind != "StringColumn":
            lists = [text if isinstance(text, list) else [text] for text in column]
            yield f"{what} in a list", replaced(lists, 2, ["a", value]), rf"{name}\[2\]\[1\] "
            yield f"{what} for a list", replaced(lists, 2, value), rf"{name}\[2\] "
    if kind == "StringColumn":
        yield "list", replaced(column, 2, ["a"]), rf"{name}\[2\] is \['a'\] \(list\), not a string"
    elif kind == "StringListColumn":
        yield "bare string for a list", replaced(column, 2, "abc"), rf"{name}\[2\] is 'abc' \(str\), not a list"
        yield "list in a list", replaced(column, 2, [["a"]]), rf"{name}\[2\]\[0\] is \['a'\] \(list\), not a string"
    elif kind == "ReferenceColumn":
        yield "list among strings", replaced(column, 2, ["a"]), rf"{name}\[2\] is \['a'\] \(list\)"
        lists = [[text] for text in column]
        yield "string among lists", replaced(lists, 2, "a"), rf"{name}\[2\] is 'a' \(str\)"
        yield "no reference", replaced(lists, 2, []), rf"{name}\[2\] is an empty list"
        yield "list in a list", replaced(lists, 2, [["a"]]), rf"{name}\[2\]\[0\] is \['a'\] \(list\), not a string"


def bad_inputs(loaded: Any, sample: Sample) -> Iterator[tuple[str, dict[str, Any], str]]:
    for name, column in sample.inputs.items():
        for what, values, message in bad_columns(type(loaded.inputs[name]).__name__, name, column):
            yield f"{name}: {what}", {**sample.inputs, name: values}, message
        count = len(column)
        yield f"{name}: too short", {**sample.inputs, name: column[:-1]}, rf"got .*{count - 1} {name}"
        yield f"{name}: too long", {**sample.inputs, name: [*column, column[0]]}, rf"got .*{count + 1} {name}"


def test_bad_input(loaded: Any, sample: Sample, name: str) -> None:
    """One clear error each, and the metric works right after."""
    expected = compute(loaded, sample)
    tried = 0
    for what, inputs, message in bad_inputs(loaded, sample):
        for call in (loaded.compute, loaded.add_batch, partial(score_batch, loaded)):
            with pytest.raises(ValueError, match=f"^{name}: {message}") as caught:
                call(**inputs)
            assert len(str(caught.value)) < 500, what
            assert "\n" not in str(caught.value), what
        assert len(loaded) == 0, what
        tried += 1
    assert tried > 20
    assert compute(loaded, sample) == expected


def test_a_rejected_batch_adds_nothing_and_takes_nothing(loaded: Any, sample: Sample, name: str) -> None:
    first = {column: values[:2] for column, values in sample.inputs.items()}
    rest = {column: values[2:] for column, values in sample.inputs.items()}
    expected = compute(loaded, sample)
    for _, inputs, _ in bad_inputs(loaded, sample):
        loaded.add_batch(**first)
        with pytest.raises(ValueError, match=name):
            loaded.add_batch(**inputs)
        with pytest.raises(ValueError, match=name):
            loaded.compute(**inputs, **sample.options)
        assert len(loaded) == 2
        loaded.add_batch(**rest)
        assert loaded.compute(**sample.options) == expected


def test_bad_input_of_add(loaded: Any, sample: Sample, name: str) -> None:
    others = {
        column: values[0] for column, values in sample.inputs.items() if column not in {"predictions", "references"}
    }
    first = {"prediction": sample.inputs["predictions"][0], "reference": sample.inputs["references"][0]}
    for argument in ("prediction", "reference"):
        for value in (None, 3, {"a": "b"}, b"a"):
            with pytest.raises(ValueError, match=rf"^{name}: {argument}s\[0\] is "):
                loaded.add(**others, **{**first, argument: value})
    with pytest.raises(ValueError, match=f"{name} has no input 'answers'; its inputs are .*predictions"):
        loaded.add_batch(**sample.inputs, answers=["a"])
    assert len(loaded) == 0
    assert compute(loaded, sample)


def test_columns_of_score_batch(loaded: Any, sample: Sample, name: str) -> None:
    renamed = {f"my {column}": values for column, values in sample.inputs.items()}
    names = {column: f"my {column}" for column in sample.inputs}
    scored = loaded.score_batch(renamed, columns=names, **sample.options)
    assert scored == loaded.score_batch(sample.inputs, **sample.options)
    assert all(key.startswith(f"{name}_") for key in scored)
    assert loaded.aggregate(scored, **sample.options) == compute(loaded, sample)
    without = {column: values for column, values in sample.inputs.items() if column != "predictions"}
    with pytest.raises(ValueError, match=f"{name}: the batch has no column 'predictions'; it has .*references"):
        loaded.score_batch({**without, "output": ["a"]}, **sample.options)
    with pytest.raises(ValueError, match=f"{name}: columns names 'answers'; its inputs are "):
        loaded.score_batch(sample.inputs, columns={"answers": "predictions"})
    with pytest.raises(ValueError, match=f"{name}: the batch has no column '{name}_"):
        loaded.aggregate(sample.inputs, **sample.options)


def test_one_example_is_given_by_one_name(loaded: Any, sample: Sample, name: str) -> None:
    one = {column: values[0] for column, values in sample.inputs.items()}
    with pytest.raises(ValueError, match=f"{name}: got prediction and predictions: give one of them"):
        loaded.add(prediction=one["predictions"], **one)


def test_columns_of_different_lengths_do_not_aggregate(loaded: Any, sample: Sample, name: str) -> None:
    scored = loaded.score_batch(sample.inputs, **sample.options)
    if len(scored) > 1:
        key = next(iter(scored))
        with pytest.raises(ValueError, match=f"{name}: got .*the same length"):
            loaded.aggregate({**scored, key: scored[key][:-1]}, **sample.options)


def test_aggregate_of_numpys_numbers_is_plain(loaded: Any, sample: Sample) -> None:
    """Ray hands rows over with them."""
    scored = loaded.score_batch(sample.inputs, **sample.options)
    rows = {
        key: [np.array([value])[0] if isinstance(value, (int, float, str)) else value for value in values]
        for key, values in scored.items()
    }
    result = loaded.aggregate(rows, **sample.options)
    assert plain(result)
    assert result == compute(loaded, sample)


# ---- state


def test_deterministic(loaded: Any, sample: Sample) -> None:
    assert compute(loaded, sample, **EVERYTHING) == compute(loaded, sample, **EVERYTHING)


def test_global_random_state_is_untouched(loaded: Any, sample: Sample) -> None:
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002  # the legacy state is what others rely on
    before = random.getstate(), np.random.get_state(legacy=True)  # noqa: NPY002
    compute(loaded, sample, **EVERYTHING)
    if "confidence_method" in loaded.options:
        compute(loaded, sample, return_confidence=True, confidence_method="bootstrap")
    loaded.add_batch(**sample.inputs)
    loaded.compute(**sample.options, **EVERYTHING)
    assert random.getstate() == before[0]
    np.testing.assert_equal(np.random.get_state(legacy=True), before[1])  # noqa: NPY002


def test_inputs_are_not_changed(loaded: Any, sample: Sample) -> None:
    before = copy.deepcopy(dict(sample.inputs))
    compute(loaded, sample, **EVERYTHING)
    loaded.score_batch(sample.inputs, **sample.options)
    assert dict(sample.inputs) == before


def test_results_are_the_callers(loaded: Any, sample: Sample) -> None:
    """A caller who changes a result does not change the next."""
    expected = json.dumps(compute(loaded, sample, **EVERYTHING))
    result = compute(loaded, sample, **EVERYTHING)
    for value in result.values():
        if isinstance(value, list):
            value.clear()
    assert json.dumps(compute(loaded, sample, **EVERYTHING)) == expected


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


def test_in_another_process(directory: Path, sample: Sample, tmp_path: Path) -> None:
    """Equal to the last bit, also from a pickle in a process that never saw the module."""
    options = {**sample.options, **sample.change, **EVERYTHING}
    loaded = evaluate.load(str(directory), **options)
    loaded.add_batch(**sample.inputs)  # what was added stays behind
    expected = json.dumps(evaluate.load(str(directory), **options).compute(**sample.inputs))
    handed_over = tmp_path / "metric.pickle"
    handed_over.write_bytes(pickle.dumps((pickle.dumps(loaded), str(directory), dict(sample.inputs), options)))
    done = subprocess.run(
        [sys.executable, "-c", FRESH_PROCESS, str(handed_over)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [json.dumps(result) for result in json.loads(done.stdout.splitlines()[-1])] == [expected] * 3


def test_pickle_and_copies(directory: Path, sample: Sample) -> None:
    loaded = evaluate.load(str(directory), keep_in_memory=True, **sample.options, **sample.change)
    expected = loaded.compute(**sample.inputs)
    loaded.add_batch(**sample.inputs)
    for other in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded), copy.copy(loaded)):  # noqa: S301  # our own
        assert len(other) == 0
        assert other.keep_in_memory
        assert other.compute(**sample.inputs) == expected
    assert loaded.compute() == expected


def test_threads_share_one_object(loaded: Any, sample: Sample) -> None:
    expected = compute(loaded, sample, **EVERYTHING)

    def work(_: int) -> list[dict[str, Any]]:
        return [compute(loaded, sample, **EVERYTHING) for _ in range(10)]

    with warnings.catch_warnings(), ThreadPoolExecutor(8) as pool:
        warnings.simplefilter("ignore")
        for results in pool.map(work, range(8)):
            assert results == [expected] * 10


def test_earlier_batches_of_others_are_not_touched(directory: Path, loaded: Any, sample: Sample) -> None:
    """Two objects that collect at the same time keep their data apart."""
    one, other = (evaluate.load(str(directory), **sample.options) for _ in range(2))
    first = {column: values[:2] for column, values in sample.inputs.items()}
    one.add_batch(**sample.inputs)
    other.add_batch(**first)
    assert one.compute() == compute(loaded, sample)
    assert other.compute() == loaded.compute(**first, **sample.options)
