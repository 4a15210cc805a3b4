"""Bad input to every metric: one clear error, and the metric stays usable."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.contract.helpers import compute
from tests.contract.samples import Sample

pytestmark = pytest.mark.usefixtures("expect_warnings")


def replace_at(column: list[Any], index: int, value: Any) -> list[Any]:
    return [*column[:index], value, *column[index + 1 :]]


NOT_STRINGS = {"None": None, "int": 3, "float": 1.5, "bytes": b"a", "NaN": float("nan"), "surrogate": "a\ud800"}


def bad_columns(kind: str, name: str, column: list[Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield a label, a bad column, and the pattern that the error message begins with."""
    yield "missing", None, f"{name} is missing"
    yield "bare string", "abcd", f"{name} is a bare str"
    yield "mapping", dict.fromkeys("abcd", "x"), f"{name} is a dict"
    yield "set", {"a", "b", "c", "d"}, f"{name} is a set"
    yield "number", 3, f"{name} is 3"
    yield "array without dimension", np.array("abcd"), f"{name} is array"
    for what, value in NOT_STRINGS.items():
        if kind != "StringListColumn":
            yield what, replace_at(column, 2, value), rf"{name}\[2\] "
        if kind != "StringColumn":
            lists = [text if isinstance(text, list) else [text] for text in column]
            yield f"{what} in a list", replace_at(lists, 2, ["a", value]), rf"{name}\[2\]\[1\] "
            yield f"{what} for a list", replace_at(lists, 2, value), rf"{name}\[2\] "
    if kind == "StringColumn":
        yield "list", replace_at(column, 2, ["a"]), rf"{name}\[2\] is \['a'\] \(list\), not a string"
    elif kind == "StringListColumn":
        yield "bare string for a list", replace_at(column, 2, "abc"), rf"{name}\[2\] is 'abc' \(str\), not a list"
        yield "list in a list", replace_at(column, 2, [["a"]]), rf"{name}\[2\]\[0\] is \['a'\] \(list\), not a string"
    elif kind == "ReferenceColumn":
        yield "list among strings", replace_at(column, 2, ["a"]), rf"{name}\[2\] is \['a'\] \(list\)"
        lists = [[text] for text in column]
        yield "string among lists", replace_at(lists, 2, "a"), rf"{name}\[2\] is 'a' \(str\)"
        yield "no reference", replace_at(lists, 2, []), rf"{name}\[2\] is an empty list"
        yield "list in a list", replace_at(lists, 2, [["a"]]), rf"{name}\[2\]\[0\] is \['a'\] \(list\), not a string"


def bad_inputs(loaded: Any, sample: Sample) -> Iterator[tuple[str, dict[str, Any], str]]:
    for name, column in sample.inputs.items():
        for what, values, message in bad_columns(type(loaded.inputs[name]).__name__, name, column):
            yield f"{name}: {what}", {**sample.inputs, name: values}, message
        count = len(column)
        yield f"{name}: too short", {**sample.inputs, name: column[:-1]}, rf"got .*{count - 1} {name}"
        yield f"{name}: too long", {**sample.inputs, name: [*column, column[0]]}, rf"got .*{count + 1} {name}"


def score_batch(loaded: Any, **inputs: Any) -> dict[str, Any]:
    scored: dict[str, Any] = loaded.score_batch(inputs)
    return scored


def test_bad_input_raises_value_error_and_metric_stays_usable(loaded: Any, sample: Sample, name: str) -> None:
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


def test_rejected_batch_adds_nothing_and_keeps_earlier_batches(loaded: Any, sample: Sample, name: str) -> None:
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


def test_add_rejects_bad_examples_and_unknown_inputs(loaded: Any, sample: Sample, name: str) -> None:
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


def test_add_rejects_singular_and_plural_names_together(loaded: Any, sample: Sample, name: str) -> None:
    one = {column: values[0] for column, values in sample.inputs.items()}
    with pytest.raises(ValueError, match=f"{name}: got prediction and predictions: give one of them"):
        loaded.add(prediction=one["predictions"], **one)
