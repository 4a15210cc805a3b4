"""Properties of every result and signature of every metric, for any inputs and options."""

import itertools
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.samples import is_plain, sample_of, scale_of
from tests.properties.subjects import TEXT, Inputs, Options, Subject, rows_of

EVERYTHING = {"return_details": True, "return_confidence": True}
# Each example computes several results, for each metric.
FEWER = settings(max_examples=settings().max_examples // 3)

Result = dict[str, Any]


def count_rows(inputs: Inputs) -> int:
    return len(next(iter(inputs.values())))


def select_rows(inputs: Inputs, indices: list[int]) -> Inputs:
    return {name: [column[index] for index in indices] for name, column in inputs.items()}


def scalars(result: Result) -> Result:
    return {key: value for key, value in result.items() if not isinstance(value, list)}


def lists(result: Result) -> Result:
    """Per-example values; whether a judgment was cached depends on the rest of the batch."""
    return {key: value for key, value in result.items() if isinstance(value, list) and key != "cached"}


def identical(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


@FEWER
@given(data=st.data())
def test_scores_are_inside_their_intervals_and_results_are_plain(
    loaded: Any, name: str, subject: Subject, data: Any
) -> None:
    inputs, options = data.draw(rows_of(loaded)), data.draw(subject.options(loaded))
    result = loaded.compute(**inputs, **{**options, **sample_of(name).options, "return_confidence": True})
    assert is_plain(result)
    assert json.loads(json.dumps(result, allow_nan=False))
    checked = 0
    scale = scale_of(loaded, sample_of(name), loaded.main_score)
    for key in result.keys() & set(subject.scores):
        assert type(result[key]) is float
        assert scale.low <= result[key] <= scale.high
        checked += 1
        if f"{key}_confidence_interval" in result:
            low, high = result[f"{key}_confidence_interval"] or (scale.low, scale.high)
            assert scale.low <= low <= result[key] <= high <= scale.high
            checked += 1
    assert checked >= 2
    for key, value in result.items():
        if isinstance(value, list):
            assert len(value) == count_rows(inputs), key
        if key.startswith("individual_"):
            assert all(scale.low <= score <= scale.high for score in value)


@FEWER
@given(data=st.data())
def test_order_batches_and_shards_do_not_change_the_result(loaded: Any, name: str, subject: Subject, data: Any) -> None:
    inputs = data.draw(rows_of(loaded))
    options = {**data.draw(subject.options(loaded)), **sample_of(name).options}
    count = count_rows(inputs)
    order = data.draw(st.permutations(range(count)))
    cuts = sorted(data.draw(st.sets(st.integers(1, count - 1)))) if count > 1 else []
    batches = [order[start:stop] for start, stop in zip([0, *cuts], [*cuts, count], strict=True)]
    detailed = loaded.compute(**inputs, **{**options, **EVERYTHING})
    brief = loaded.compute(**inputs, **{**options, "return_details": False})

    shards = [loaded.score_batch(select_rows(inputs, batch), **{**options, **EVERYTHING}) for batch in batches]
    whole = loaded.aggregate(shards, **{**options, **EVERYTHING})
    assert identical(scalars(whole), scalars(detailed))
    assert identical(lists(whole), select_rows(lists(detailed), order))
    assert identical(loaded.aggregate(iter(shards), **{**options, "return_details": False}), brief)
    mixed = loaded.compute(**select_rows(inputs, order), **{**options, **EVERYTHING})
    assert identical(scalars(mixed), scalars(detailed))


WORDS = TEXT.filter(lambda text: re.search("[A-Za-z0-9]", text) is not None)  # all that some tokenizers read


@FEWER
@given(data=st.data())
def test_answer_scored_against_itself_is_right(loaded: Any, name: str, subject: Subject, data: Any) -> None:
    """With the default options. The mock judge is never surer than 0.99."""
    if "references" not in loaded.inputs:
        return
    column = data.draw(rows_of(loaded))["predictions"]
    if not isinstance(column[0], float):
        texts = data.draw(st.lists(WORDS, min_size=1, max_size=4))
        column = [[text] for text in texts] if isinstance(column[0], list) else texts
    result = loaded.compute(**dict.fromkeys(loaded.required_inputs(), column), **sample_of(name).options)
    scale = scale_of(loaded, sample_of(name), loaded.main_score)
    for key in result.keys() & set(subject.scores):
        assert (result[key] >= 0.99 - 1e-12) if scale.higher_is_better else result[key] <= scale.low + 1e-12


def rows_alone(loaded: Any, inputs: Inputs, options: dict[str, Any]) -> list[Result]:
    given = {**options, **EVERYTHING}
    return [lists(loaded.compute(**select_rows(inputs, [row]), **given)) for row in range(count_rows(inputs))]


@FEWER
@given(data=st.data())
def test_rows_that_share_values_are_scored_as_if_alone(loaded: Any, name: str, subject: Subject, data: Any) -> None:
    """Each combination of two values of each input: one reference under two questions, two answers to one question."""
    drawn = data.draw(rows_of(loaded).filter(lambda inputs: count_rows(inputs) > 1))
    drawn |= {
        one: [data.draw(TEXT) for _ in range(count_rows(drawn))]
        for one, column in loaded.inputs.items()
        if type(column).__name__ == "Strings" and one not in drawn
    }
    rows = list(itertools.product(*(column[:2] for column in drawn.values())))
    inputs = {column: list(values) for column, values in zip(drawn, zip(*rows, strict=True), strict=True)}
    if "relevance" in inputs:  # which has the shape of the references
        same = zip(inputs["relevance"], inputs["references"], strict=True)
        inputs = select_rows(inputs, [row for row, (one, other) in enumerate(same) if len(one) == len(other)])
    options = {**data.draw(subject.options(loaded)), **sample_of(name).options}
    together = lists(loaded.compute(**inputs, **{**options, **EVERYTHING}))
    for row, alone in enumerate(rows_alone(loaded, inputs, options)):
        assert identical(select_rows(together, [row]), alone)


def test_each_optional_input_changes_a_score_of_rows_that_are_equal_otherwise(loaded: Any, subject: Subject) -> None:
    optional = {one for one, column in loaded.inputs.items() if column.optional} - {"clusters", "human_labels"}
    assert set(subject.input_witnesses) == optional, "give input_witnesses two values for equal rows"
    for one, (values, inputs, options) in subject.input_witnesses.items():
        rows = {**{column: value * len(values) for column, value in inputs.items()}, one: values}
        result = loaded.compute(**rows, **{**options, **EVERYTHING})
        alone = rows_alone(loaded, rows, options)
        assert lists(result) == {key: [row[key][0] for row in alone] for key in lists(result)}
        assert any(column[0] != column[1] for column in lists(result).values())


@FEWER
@given(data=st.data())
def test_repeated_references_and_rows_change_no_score(loaded: Any, name: str, subject: Subject, data: Any) -> None:
    inputs = data.draw(rows_of(loaded))
    options = {**data.draw(subject.options(loaded)), **sample_of(name).options}
    expected = loaded.compute(**inputs, **options)
    repeated = {
        column: [[*value, *value[:1]] if isinstance(value, list) else value for value in values]
        for column, values in inputs.items()
        if column in {"references", "relevance"}
    }
    twice = select_rows(inputs, [row for row in range(count_rows(inputs)) for _ in "ab"])
    for changed in ({**inputs, **repeated}, twice):
        result = loaded.compute(**changed, **options)
        for key in expected.keys() & set(subject.scores):
            assert result[key] == pytest.approx(expected[key], abs=1e-12)


def signature(loaded: Any, options: Options) -> str:
    signed: str = loaded.signature(loaded.resolve_options(options))
    return signed


def test_each_scoring_option_changes_a_score_and_the_signature(loaded: Any, subject: Subject) -> None:
    for name, (value, predictions, references) in subject.witnesses.items():
        needed, *values = loaded.options[name].needs or (None,)
        one = {needed: values[0]} if needed else {}
        other = {**one, name: value}
        inputs = dict(zip(loaded.required_inputs(), (predictions, references), strict=False))
        before, after = (loaded.compute(**inputs, **options) for options in (one, other))
        assert any(before[key] != after[key] for key in before.keys() & set(subject.scores)), name
        assert signature(loaded, one) != signature(loaded, other), name


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_equal_signatures_mean_equal_scores(loaded: Any, name: str, subject: Subject, data: Any) -> None:
    values = subject.values(loaded)
    one = {**data.draw(subject.options(loaded)), **sample_of(name).options}
    names = data.draw(st.sets(st.sampled_from(sorted(values)), max_size=3))
    changed = {option: data.draw(values[option]) for option in names}
    # Only those without effect at these settings.
    ineffective = {
        option: value
        for option, value in changed.items()
        if signature(loaded, {**one, option: value}) == signature(loaded, one)
    }
    other = {**one, **ineffective, **sample_of(name).options}
    if signature(loaded, one) != signature(loaded, other):
        return  # without effect one by one, but not together
    inputs = data.draw(rows_of(loaded))
    first, second = (loaded.compute(**inputs, **{**options, "return_details": True}) for options in (one, other))
    common = [key for key in first.keys() & second.keys() - {"cached"} if not key.endswith("_confidence_interval")]
    assert set(subject.scores) & set(common)
    for key in common:
        assert repr(first[key]) == repr(second[key]), key
