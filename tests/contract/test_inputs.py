"""Inputs of every metric: every container, every way of adding, optional inputs, and one clear error for bad input."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from answer_metrics.contract import evaluate_module
from answer_metrics.contract.evaluate_module import OTHER_INPUTS
from tests.conftest import ROOT
from tests.containers import ANY
from tests.contract.samples import EVERYTHING, Sample, compute, is_share

pytestmark = pytest.mark.usefixtures("expect_warnings")

Columns = dict[str, list[Any]]
SINGULAR = {"predictions": "prediction", "references": "reference"}
NOT_STRINGS = {"None": None, "int": 3, "float": 1.5, "bytes": b"a", "NaN": float("nan"), "surrogate": "a\ud800"}


@pytest.mark.parametrize("container", ANY.values(), ids=ANY)
def test_columns_in_any_container_equal_lists(loaded: Any, sample: Sample, container: Callable[[Any], Any]) -> None:
    options = {**sample.options, **EVERYTHING}
    expected = compute(loaded, sample, **EVERYTHING)

    def carried() -> dict[str, Any]:
        return {name: container(column) for name, column in sample.inputs.items()}

    assert loaded.compute(**carried(), **options) == expected
    loaded.add_batch(**carried())
    assert loaded.compute(**options) == expected
    assert loaded.aggregate(loaded.score_batch(carried(), **options), **options) == expected


@pytest.fixture(params=["clusters", "human_labels"])
def given(request: pytest.FixtureRequest, loaded: Any, sample: Sample) -> dict[str, list[Any]]:
    if request.param == "human_labels" and not is_share(loaded, sample):
        pytest.skip("labels are shares, and this score is none")
    labels: list[float | None] = [1.0, 0.0, None, 1.0, 0.0, None]
    clusters = [f"document {row // 2}" for row in range(sample.rows)]
    values: Columns = {"clusters": clusters, "human_labels": labels[: sample.rows]}
    return {request.param: values[request.param]}


def test_every_way_of_adding_equals_one_call(
    loaded: Any, sample: Sample, given: Columns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_module, "_MAX_TABLES", 2)  # joined after so many
    inputs, options = {**sample.inputs, **given}, {**sample.options, **EVERYTHING}
    expected = loaded.compute(**inputs, **options)
    assert expected != loaded.compute(**sample.inputs, **options)
    rows = [{name: [column[row]] for name, column in inputs.items()} for row in range(sample.rows)]
    loaded.add_batch(**{name: [] for name in sample.inputs})  # does not decide which inputs later batches have
    loaded.add_batch(**rows[0])
    loaded.add_batch(**{name: column[1:] for name, column in inputs.items()})
    assert loaded.compute(**options) == expected
    for row in rows[:-1]:
        loaded.add(**{SINGULAR.get(name, name): column[0] for name, column in row.items()})
    assert loaded.compute(**rows[-1], **options) == expected

    without = loaded.score_batch(sample.inputs, **options)
    columns = {f"my {name}": column for name, column in given.items()}
    names = {name: f"my {name}" for name in given}
    one_by_one = {"batched": True, "batch_size": 1, "writer_batch_size": 1, "fn_kwargs": options}
    mapped = datasets.Dataset.from_dict(inputs).map(loaded.score_batch, **one_by_one)
    brief = {**options, "return_details": False}  # needs no list of each column, but these inputs by row
    expected_brief = loaded.compute(**inputs, **brief)
    for scored, named in (
        (loaded.score_batch(inputs, **options), {}),
        ([loaded.score_batch(row, **options) for row in rows], {}),
        (without, given),
        ({**without, **columns}, names),
        (loaded.score_batch({**sample.inputs, **columns}, columns=names, **options), {}),
        (mapped, {}),
    ):
        assert loaded.aggregate(scored, **named, **options) == expected
        assert loaded.aggregate(scored, **named, **brief) == expected_brief


def test_optional_input_in_some_batches_only_is_rejected(loaded: Any, sample: Sample, name: str, given: Any) -> None:
    (optional,) = given
    for first, second in ((given, {}), ({}, given)):
        loaded.add_batch(**sample.inputs, **first)
        for call in (loaded.add_batch, loaded.compute):
            with pytest.raises(ValueError, match=f"^{name}: give {optional} with every batch or with none"):
                call(**sample.inputs, **second)
        assert len(loaded) == sample.rows
        assert loaded.compute(**sample.options) == loaded.compute(**sample.inputs, **first, **sample.options)
    options = {**sample.options, "return_details": True}
    scored = [loaded.score_batch(inputs, **options) for inputs in ({**sample.inputs, **given}, sample.inputs)]
    for shards in (scored, scored[::-1]):
        for details in (True, False):
            with pytest.raises(ValueError, match=f"^{name}: give {optional} with every shard or with none"):
                loaded.aggregate(shards, **{**sample.options, "return_details": details})


@pytest.mark.parametrize(
    ("optional", "value", "message"),
    [
        ("clusters", None, r"clusters\[1\] is None, not a string or an integer"),
        ("clusters", True, r"clusters\[1\] is True \(bool\), not a string or an integer"),
        ("clusters", 7, r"clusters\[1\] is 7 \(int\), but clusters\[0\] is"),
        ("human_labels", 2, r"human_labels\[1\] is 2 \(int\), not a number between 0 and 1"),
        ("human_labels", "yes", r"human_labels\[1\] is 'yes' \(str\), not a number between 0 and 1"),
    ],
)
def test_bad_value_of_an_optional_input_is_rejected_with_its_index(
    loaded: Any, sample: Sample, name: str, optional: str, value: Any, message: str
) -> None:
    valid: list[Any] = ["document" if optional == "clusters" else 1.0] * sample.rows
    scored = loaded.score_batch(sample.inputs, **sample.options)
    calls: tuple[Callable[..., Any], ...] = (
        partial(loaded.compute, **sample.inputs),
        partial(loaded.add_batch, **sample.inputs),
        lambda **given: loaded.score_batch({**sample.inputs, **given}, **sample.options),
        partial(loaded.aggregate, scored, **sample.options),
    )
    for call in calls:
        with pytest.raises(ValueError, match=f"^{name}: {message}"):
            call(**{optional: [valid[0], value, *valid[2:]]})
        with pytest.raises(ValueError, match=f"^{name}: got .*{len(valid) - 1} {optional}; all columns must have"):
            call(**{optional: valid[1:]})
    with pytest.raises(ValueError, match=f"^{name}: the batch has no column 'typo'.*{optional}"):
        loaded.aggregate(scored, **{optional: "typo"}, **sample.options)
    assert len(loaded) == 0


def test_inputs_of_other_metrics_are_ignored(loaded: Any, sample: Sample) -> None:
    """`evaluate.combine` sends what is given to all of its metrics."""
    common = {"clusters", "human_labels"}
    assert set(loaded.inputs) - common <= OTHER_INPUTS, "add the input to OTHER_INPUTS in contract/evaluate_module.py"
    others = {other: ["x"] for other in OTHER_INPUTS - set(loaded.inputs)}
    assert compute(loaded, sample, **others) == compute(loaded, sample)


def test_combine_passes_optional_inputs_to_metrics_that_have_them(metric: Callable[[str], Any]) -> None:
    """Options are given at loading, since combine passes those of compute to every metric."""
    options: dict[str, Any] = {"accuracy": {"match": "recall"}, "answer_exact_match": {"normalizer": "squad"}}
    texts = {"predictions": ["a bridge", "the Lyon"], "references": ["old bridge", "Lyon"]}
    inputs, questions = {**texts, "clusters": ["a", "b"]}, {"questions": ["Which bridge?"] * 2}
    modules = {name: evaluate.load(str(ROOT / "metrics" / name), **given) for name, given in options.items()}
    both = evaluate.combine(modules, force_prefix=True)
    result = both.compute(**inputs, **questions)
    both.add_batch(**texts)
    assert both.compute() == both.compute(**texts)
    for name, given in options.items():
        extra = questions if "questions" in modules[name].inputs else {}
        expected = metric(name).compute(**inputs, **extra, **given)
        assert {f"{name}_{key}": value for key, value in expected.items()}.items() <= result.items()


def replace_at(column: list[Any], index: int, value: Any) -> list[Any]:
    return [*column[:index], value, *column[index + 1 :]]


def bad_columns(kind: str, name: str, column: list[Any]) -> Iterator[tuple[Any, str]]:
    """Yield a bad column, and the pattern that the error message begins with."""
    if kind != "Verdicts":  # the only input: without it `compute` scores what was added
        yield None, f"{name} is missing"
    yield "abcd", f"{name} is a bare str"
    yield b"abcd", f"{name} is a bare bytes"
    yield dict.fromkeys("abcd", "x"), f"{name} is a dict"
    yield set("abcd"), f"{name} is a set"
    yield pd.DataFrame({"x": column}), f"{name} is a DataFrame"  # iterating would give its column names
    yield pa.table({"x": column}), f"{name} is a Table"
    yield 3, rf"{name} is 3 \(int\)"
    yield len, f"{name} is <built-in function len>"
    yield np.array("abcd"), f"{name} is array"
    if kind != "Verdicts":  # there is no other length to agree with
        yield column[:-1], rf"got .*{len(column) - 1} {name}"
        yield [*column, column[0]], rf"got .*{len(column) + 1} {name}"
    if kind == "Numbers":
        wrong: list[Any] = [None, "3", [3], float("nan"), float("inf"), True, b"a", {}, ()]
        for value in wrong:
            yield replace_at(column, 2, value), rf"{name}\[2\] is .*, not a "
        return
    if kind == "Verdicts":
        for value in (None, [3], float("nan"), float("inf"), b"a", {}, "a\ud800"):
            yield replace_at(column, 2, value), rf"{name}\[2\] "
        return
    lists = [text if isinstance(text, list) else [text] for text in column]
    for value in NOT_STRINGS.values():
        if kind != "StringLists":
            yield replace_at(column, 2, value), rf"{name}\[2\] "
        if kind != "Strings":
            yield replace_at(lists, 2, ["a", value]), rf"{name}\[2\]\[1\] "
            yield replace_at(lists, 2, value), rf"{name}\[2\] "
    if kind == "Strings":
        yield replace_at(column, 2, ["a"]), rf"{name}\[2\] is \['a'\] \(list\), not a string"
    else:
        yield replace_at(lists, 2, [["a"]]), rf"{name}\[2\]\[0\] is \['a'\] \(list\), not a string"
    if kind == "StringLists":
        yield replace_at(column, 2, "abc"), rf"{name}\[2\] is 'abc' \(str\), not a list"
    if kind == "References":
        yield replace_at(column, 2, ["a"]), rf"{name}\[2\] is \['a'\] \(list\)"
        yield replace_at(lists, 2, "a"), rf"{name}\[2\] is 'a' \(str\)"
        yield replace_at(lists, 2, []), rf"{name}\[2\] is an empty list"


def test_bad_input_raises_one_clear_error_and_keeps_earlier_batches(loaded: Any, sample: Sample, name: str) -> None:
    first = {column: values[:2] for column, values in sample.inputs.items()}
    rest = {column: values[2:] for column, values in sample.inputs.items()}
    expected = compute(loaded, sample)
    calls = (loaded.compute, loaded.add_batch, lambda **inputs: loaded.score_batch(inputs))
    tried = 0
    for argument, column in sample.inputs.items():
        for bad, message in bad_columns(type(loaded.inputs[argument]).__name__, argument, column):
            loaded.add_batch(**first)
            for call in calls:
                with pytest.raises(ValueError, match=f"^{name}: {message}") as caught:
                    call(**{**sample.inputs, argument: bad})
                assert len(str(caught.value)) < 500
                assert "\n" not in str(caught.value)
            assert len(loaded) == 2
            loaded.add_batch(**rest)
            assert loaded.compute(**sample.options) == expected
            tried += 1
    assert tried > 15


def test_error_in_the_code_of_a_metric_shows_its_place_and_keeps_what_was_added(
    loaded: Any, sample: Sample, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def score(*_: Any) -> Any:
        return int("a")

    loaded.add_batch(**sample.inputs)
    with monkeypatch.context() as patched:
        patched.setattr(type(loaded), "score", score)
        with pytest.raises(ValueError, match=f"^{name}: invalid literal") as caught:
            loaded.compute(**sample.options)
    assert caught.traceback[-1].name == "score"
    assert loaded.compute(**sample.options) == compute(loaded, sample)


def test_empty_reference_beside_an_answer_causes_a_warning(loaded: Any, sample: Sample, name: str) -> None:
    if type(loaded.inputs.get("references")).__name__ == "References":
        empty = {**sample.inputs, "references": ["", *sample.inputs["references"][1:]]}
        with pytest.warns(UserWarning, match=f"{name}: 1 reference is empty although there is an answer"):
            loaded.score_batch(empty, **sample.options)


def test_add_rejects_bad_examples_and_unknown_inputs(loaded: Any, sample: Sample, name: str) -> None:
    row = {SINGULAR.get(column, column): values[0] for column, values in sample.inputs.items()}
    loaded.add(**row, clusters=None)  # means that it was not given
    first = {column: values[:1] for column, values in sample.inputs.items()}
    assert loaded.compute(**sample.options) == loaded.compute(**first, **sample.options)
    for argument in row.keys() & {"prediction", "reference", "scores"}:
        other: Any = 3 if isinstance(row[argument], (str, list)) else "3"
        for value in (None, {"a": "b"}, b"a", *([other] if argument != "scores" else [])):
            with pytest.raises(ValueError, match=rf"^{name}: {argument.removesuffix('s')}s\[0\] is "):
                loaded.add(**{**row, argument: value})
    with pytest.raises(ValueError, match=f"{name}: got prediction and predictions: give one of them"):
        loaded.add(**{**row, "prediction": "a"}, predictions="a")
    with pytest.raises(ValueError, match=f"{name} has no input 'answers'; its inputs are .*{loaded.scored_input()}"):
        loaded.add_batch(**sample.inputs, answers=["a"])
    assert len(loaded) == 0


def test_misspelled_input_gets_a_suggestion(loaded: Any, sample: Sample, name: str) -> None:
    if "references" not in loaded.inputs:
        pytest.skip("its input is not misspelled like this")
    given = {"prediction": ["a"], **sample.inputs}
    with pytest.raises(TypeError, match=f"^{name} has no option 'prediction'; did you mean 'predictions'"):
        loaded.compute(**given)
    with pytest.raises(ValueError, match=f"^{name} has no input 'refrences'; did you mean 'references'"):
        loaded.add_batch(**sample.inputs, refrences=["a"])
    with pytest.raises(ValueError, match=f"^{name}: columns names 'refrences'; did you mean 'references'"):
        loaded.score_batch(sample.inputs, columns={"refrences": "gold"})


def test_positional_arguments_raise_an_error_that_shows_the_right_call(loaded: Any, sample: Sample, name: str) -> None:
    call = r"\(.*(predictions?=\.\.\., references?|scores)=\.\.\.\)"
    for method in ("compute", "add", "add_batch"):
        with pytest.raises(TypeError, match=f"^{name}: {method} takes keyword arguments only: metric.{method}{call}$"):
            getattr(loaded, method)(*sample.inputs.values())
    assert len(loaded) == 0


def test_positional_call_after_an_error_of_ours_repeats_that_error(loaded: Any, sample: Sample, name: str) -> None:
    """lm-evaluation-harness calls again with positional arguments after a TypeError, which would hide the real one."""

    def call_again(first: Callable[[], Any]) -> None:
        try:
            first()
        except (TypeError, ValueError):
            loaded.compute(*sample.inputs.values())

    with pytest.raises(TypeError, match=f"the previous call failed: {name} has no option 'details'"):
        call_again(lambda: loaded.compute(**sample.inputs, details=True))
    with pytest.raises(TypeError, match=r"(references?|scores)=\.\.\.\)$"):
        call_again(lambda: int("not ours"))
