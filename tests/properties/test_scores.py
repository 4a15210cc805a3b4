"""What holds of every result of every metric, whatever the texts and the options."""

import json
from typing import Any

from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from tests.contract.helpers import is_plain
from tests.properties.subjects import Inputs
from tests.properties.subjects import Options
from tests.properties.subjects import Subject

EVERYTHING = {"return_details": True, "return_confidence": True}
# Each example computes several times, for each metric.
FEWER = settings(max_examples=settings().max_examples // 3)

Result = dict[str, Any]


def compute(loaded: Any, subject: Subject, inputs: Inputs, options: Options) -> Result:
    result: Result = loaded.compute(**inputs, **{**options, **subject.fixed})
    return result


def rows_of(inputs: Inputs) -> int:
    return len(inputs["predictions"])


def taken(inputs: Inputs, places: list[int]) -> Inputs:
    return {name: [column[place] for place in places] for name, column in inputs.items()}


def scalars(result: Result) -> Result:
    return {key: value for key, value in result.items() if not isinstance(value, list)}


def lists(result: Result, subject: Subject) -> Result:
    return {key: value for key, value in result.items() if isinstance(value, list) and key not in subject.unstable}


def same(one: Any, other: Any) -> bool:
    """Say whether two results are equal to the last bit, and of the same types."""
    return repr(one) == repr(other)


@FEWER
@given(data=st.data())
def test_scores_are_shares_intervals_hold_them_and_everything_is_plain(
    loaded: Any, subject: Subject, data: st.DataObject
) -> None:
    inputs, options = data.draw(subject.inputs), data.draw(subject.options())
    result = compute(loaded, subject, inputs, {**options, "return_confidence": True})
    assert is_plain(result)
    assert json.loads(json.dumps(result, allow_nan=False))
    checked = 0
    for key in result.keys() & set(subject.scores):
        assert type(result[key]) is float
        assert 0.0 <= result[key] <= 1.0
        checked += 1
        if f"{key}_confidence_interval" in result:
            low, high = result[f"{key}_confidence_interval"]
            assert 0.0 <= low <= result[key] <= high <= 1.0
            checked += 1
    assert checked >= 2
    for key, value in result.items():
        if isinstance(value, list):
            assert len(value) == rows_of(inputs), key
        if key.startswith("individual_"):
            assert all(0.0 <= score <= 1.0 for score in value)


@FEWER
@given(data=st.data())
def test_the_order_of_the_examples_does_not_matter(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    inputs, options = data.draw(subject.inputs), data.draw(subject.options())
    order = data.draw(st.permutations(range(rows_of(inputs))))
    result = compute(loaded, subject, inputs, {**options, **EVERYTHING})
    mixed = compute(loaded, subject, taken(inputs, order), {**options, **EVERYTHING})
    assert same(scalars(mixed), scalars(result))
    assert same(lists(mixed, subject), taken(lists(result, subject), order))


@FEWER
@given(data=st.data())
def test_the_split_into_batches_and_the_order_of_shards_do_not_matter(
    loaded: Any, subject: Subject, data: st.DataObject
) -> None:
    """By `score_batch` and `aggregate`, with details and without, and by `add_batch`."""
    inputs = data.draw(subject.inputs)
    options = {**data.draw(subject.options()), **subject.fixed}
    count = rows_of(inputs)
    cuts = sorted(data.draw(st.sets(st.integers(1, count - 1)))) if count > 1 else []
    pieces = [list(range(start, stop)) for start, stop in zip([0, *cuts], [*cuts, count], strict=True)]
    detailed = loaded.compute(**inputs, **{**options, **EVERYTHING})
    brief = loaded.compute(**inputs, **{**options, "return_details": False})

    shards = [loaded.score_batch(taken(inputs, piece), **{**options, **EVERYTHING}) for piece in pieces]
    whole = loaded.aggregate(shards, **{**options, **EVERYTHING})
    assert same(scalars(whole), scalars(detailed))
    assert same(lists(whole, subject), lists(detailed, subject))
    shuffled = data.draw(st.permutations(shards))
    assert same(scalars(loaded.aggregate(shuffled, **{**options, **EVERYTHING})), scalars(detailed))
    assert same(loaded.aggregate(iter(shuffled), **{**options, "return_details": False}), brief)


@settings(max_examples=settings().max_examples // 10)
@given(data=st.data())
def test_adding_in_batches_does_not_matter(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    """Through evaluate's file, which is slower: fewer examples."""
    inputs, options = data.draw(subject.inputs), data.draw(subject.options())
    cut = data.draw(st.integers(0, rows_of(inputs)))
    places = list(range(rows_of(inputs)))
    for piece in (places[:cut], places[cut:]):
        if piece:
            loaded.add_batch(**taken(inputs, piece))
    added = loaded.compute(**{**options, **subject.fixed})
    assert same(added, compute(loaded, subject, inputs, options))


@FEWER
@given(data=st.data())
def test_compute_is_score_batch_and_aggregate(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    inputs = data.draw(subject.inputs)
    options = {**data.draw(subject.options()), **subject.fixed}
    columns = loaded.score_batch(inputs, **options)
    assert all(len(column) == rows_of(inputs) for column in columns.values())
    assert same(loaded.aggregate(columns, **options), loaded.compute(**inputs, **options))


@given(data=st.data())
def test_a_text_scored_against_itself_is_right(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    """With the default options."""
    texts = data.draw(st.lists(subject.right, min_size=1, max_size=4))
    result = compute(loaded, subject, subject.itself(texts), {})
    for key in result.keys() & set(subject.scores):
        assert result[key] >= subject.perfect - 1e-12


@FEWER
@given(data=st.data())
def test_a_further_right_answer_never_lowers_a_score(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    more = subject.itself([data.draw(subject.right)])
    inputs = {name: column for name, column in data.draw(subject.inputs).items() if name in more}
    before = compute(loaded, subject, inputs, {})
    if isinstance(inputs["references"][0], list) and isinstance(more["references"][0], str):
        more["references"] = [more["references"]]
    after = compute(loaded, subject, {name: [*column, *more[name]] for name, column in inputs.items()}, {})
    for key in before.keys() & set(subject.scores):
        assert after[key] >= before[key] - 1e-12
