"""Optional inputs of every metric, clusters and human labels, in every way of adding data."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

from tests.contract.helpers import EVERYTHING
from tests.contract.samples import Sample

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SINGULAR = {"predictions": "prediction", "references": "reference"}


def count_examples(sample: Sample) -> int:
    return len(sample.inputs["predictions"])


def make_clusters(sample: Sample) -> list[str]:
    return [f"document {number // 2}" for number in range(count_examples(sample))]


@pytest.fixture(params=["clusters", "human_labels"])
def given(request: pytest.FixtureRequest, sample: Sample) -> dict[str, list[Any]]:
    """The optional inputs of a call."""
    if request.param == "clusters":
        return {"clusters": make_clusters(sample)}
    labels: list[float | None] = [1.0, 0.0, None, 1.0, 0.0, None]
    return {"human_labels": labels[: count_examples(sample)]}


def test_optional_inputs_give_equal_results_in_every_way_of_adding_data(
    loaded: Any, sample: Sample, given: dict[str, list[Any]]
) -> None:
    inputs, options = {**sample.inputs, **given}, {**sample.options, **EVERYTHING}
    expected = loaded.compute(**inputs, **options)
    assert expected != loaded.compute(**sample.inputs, **options)

    loaded.add_batch(**{name: column[:1] for name, column in inputs.items()})
    loaded.add_batch(**{name: column[1:] for name, column in inputs.items()})
    assert loaded.compute(**options) == expected

    for index in range(count_examples(sample)):
        loaded.add(**{SINGULAR.get(name, name): column[index] for name, column in inputs.items()})
    assert loaded.compute(**options) == expected

    scored = loaded.score_batch(inputs, **options)
    assert loaded.aggregate(scored, **options) == expected
    batches = [
        loaded.score_batch({name: [column[index]] for name, column in inputs.items()}, **options)
        for index in range(count_examples(sample))
    ]
    assert loaded.aggregate(batches, **options) == expected
    without = loaded.score_batch(sample.inputs, **options)
    assert loaded.aggregate(without, **given, **options) == expected
    columns = {f"my {name}": column for name, column in given.items()}
    names = {name: f"my {name}" for name in given}
    assert loaded.aggregate({**without, **columns}, **names, **options) == expected
    renamed = loaded.score_batch({**sample.inputs, **columns}, columns=names, **options)
    assert loaded.aggregate(renamed, **options) == expected


def test_optional_inputs_survive_dataset_map(loaded: Any, sample: Sample, given: dict[str, list[Any]]) -> None:
    inputs, options = {**sample.inputs, **given}, {**sample.options, **EVERYTHING}
    scored = datasets.Dataset.from_dict(inputs).map(
        loaded.score_batch, batched=True, batch_size=1, writer_batch_size=1, fn_kwargs=options
    )
    assert loaded.aggregate(scored, **options) == loaded.compute(**inputs, **options)


def test_optional_input_in_some_batches_only_is_rejected(
    loaded: Any, sample: Sample, name: str, given: dict[str, list[Any]]
) -> None:
    (optional,) = given
    loaded.add_batch(**sample.inputs, **given)
    with pytest.raises(ValueError, match=f"^{name}: give {optional} with every batch or with none"):
        loaded.add_batch(**sample.inputs)
    assert len(loaded) == count_examples(sample)
    expected = loaded.compute(**sample.options)
    assert expected == loaded.compute(**sample.inputs, **given, **sample.options)
    loaded.add_batch(**sample.inputs)
    with pytest.raises(ValueError, match=f"^{name}: give {optional} with every batch or with none"):
        loaded.add_batch(**sample.inputs, **given)
    assert loaded.compute(**sample.options) == loaded.compute(**sample.inputs, **sample.options)
    options = {**sample.options, "return_details": True}
    scored = [loaded.score_batch(inputs, **options) for inputs in ({**sample.inputs, **given}, sample.inputs)]
    for shards in (scored, scored[::-1]):
        for details in (True, False):
            with pytest.raises(ValueError, match=f"^{name}: give {optional} with every shard or with none"):
                loaded.aggregate(shards, **{**sample.options, "return_details": details})


def test_empty_batch_does_not_fix_the_optional_inputs(loaded: Any, sample: Sample, given: dict[str, list[Any]]) -> None:
    loaded.add_batch(**{column: [] for column in sample.inputs})
    loaded.add_batch(**sample.inputs, **given)
    assert loaded.compute(**sample.options) == loaded.compute(**sample.inputs, **given, **sample.options)


@pytest.mark.parametrize(
    ("optional", "value", "message"),
    [
        ("clusters", None, r"clusters\[1\] is None, not a string or an integer"),
        ("clusters", 1.5, r"clusters\[1\] is 1.5 \(float\), not a string or an integer"),
        ("clusters", 7, r"clusters\[1\] is 7 \(int\), but clusters\[0\] is"),
        ("human_labels", 2, r"human_labels\[1\] is 2 \(int\), not a number between 0 and 1"),
        ("human_labels", "yes", r"human_labels\[1\] is 'yes' \(str\), not a number between 0 and 1"),
        ("human_labels", -0.1, r"human_labels\[1\] is -0.1 \(float\), not a number between 0 and 1"),
    ],
)
def test_bad_value_of_an_optional_input_is_rejected_with_its_index(
    loaded: Any, sample: Sample, name: str, optional: str, value: Any, message: str
) -> None:
    valid: list[Any] = make_clusters(sample) if optional == "clusters" else [1.0] * count_examples(sample)
    bad = [valid[0], value, *valid[2:]]
    for call in (loaded.compute, loaded.add_batch, lambda **inputs: loaded.score_batch(inputs, **sample.options)):
        with pytest.raises(ValueError, match=f"^{name}: {message}"):
            call(**sample.inputs, **{optional: bad})
        with pytest.raises(ValueError, match=f"^{name}: got .*{len(valid) - 1} {optional}; all columns must have"):
            call(**sample.inputs, **{optional: valid[1:]})
    scored = loaded.score_batch(sample.inputs, **sample.options)
    with pytest.raises(ValueError, match=f"^{name}: {message}"):
        loaded.aggregate(scored, **{optional: bad}, **sample.options)
    with pytest.raises(ValueError, match=f"^{name}: got .*the same length"):
        loaded.aggregate(scored, **{optional: valid[1:]}, **sample.options)
    with pytest.raises(ValueError, match=f"^{name}: the batch has no column 'typo'.*{optional}"):
        loaded.aggregate(scored, **{optional: "typo"}, **sample.options)
    assert len(loaded) == 0


def test_combine_passes_clusters_to_every_metric(directory: Path, loaded: Any, sample: Sample) -> None:
    inputs = {**sample.inputs, "clusters": make_clusters(sample)}
    modules = {number: evaluate.load(str(directory), **sample.options) for number in ("first", "second")}
    result = evaluate.combine(modules, force_prefix=True).compute(**inputs, return_confidence=True)
    expected = loaded.compute(**inputs, **sample.options, return_confidence=True)
    assert result == {f"{number}_{key}": value for number in modules for key, value in expected.items()}


def test_combine_passes_questions_only_to_metrics_that_have_them(metric: Callable[[str], Any]) -> None:
    inputs = {"predictions": ["Paris", "Lyon"], "references": ["Paris", "Paris"], "clusters": ["a", "b"]}
    questions = {"questions": ["What is the capital of France?"] * 2}
    modules = {name: metric(name) for name in ("accuracy", "answer_exact_match")}
    result = evaluate.combine(modules, force_prefix=True).compute(**inputs, **questions)
    for name, module in modules.items():
        expected = module.compute(**inputs, **{key: questions[key] for key in questions if key in module.inputs})
        assert {f"{name}_{key}": value for key, value in expected.items()}.items() <= result.items()
