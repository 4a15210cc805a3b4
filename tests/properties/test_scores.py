"""Properties of every result of every metric, for any texts and options."""

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.samples import is_plain, sample_of
from tests.properties.subjects import TEXT, Inputs, Subject

EVERYTHING = {"return_details": True, "return_confidence": True}
# Each example computes several results, for each metric.
FEWER = settings(max_examples=settings().max_examples // 3)

Result = dict[str, Any]


def count_rows(inputs: Inputs) -> int:
    return len(inputs["predictions"])


def select_rows(inputs: Inputs, indices: list[int]) -> Inputs:
    return {name: [column[index] for index in indices] for name, column in inputs.items()}


def scalars(result: Result) -> Result:
    return {key: value for key, value in result.items() if not isinstance(value, list)}


def lists(result: Result) -> Result:
    """Per-example values; whether a judgment was cached depends on the rest of the batch."""
    return {key: value for key, value in result.items() if isinstance(value, list) and key != "cached"}


def identical(one: Any, other: Any) -> bool:
    """Return whether two results have bit-identical values of equal types."""
    return repr(one) == repr(other)


@FEWER
@given(data=st.data())
def test_scores_are_inside_their_intervals_and_results_are_plain(
    loaded: Any, name: str, subject: Subject, data: st.DataObject
) -> None:
    inputs, options = data.draw(subject.inputs), data.draw(subject.options(loaded))
    result = loaded.compute(**inputs, **{**options, **sample_of(name).options, "return_confidence": True})
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
            assert len(value) == count_rows(inputs), key
        if key.startswith("individual_"):
            assert all(0.0 <= score <= 1.0 for score in value)


@FEWER
@given(data=st.data())
def test_order_batches_and_shards_do_not_change_the_result(
    loaded: Any, name: str, subject: Subject, data: st.DataObject
) -> None:
    """By `score_batch` and `aggregate`, with and without details."""
    inputs = data.draw(subject.inputs)
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


@given(texts=st.lists(WORDS, min_size=1, max_size=4))
def test_text_scored_against_itself_is_right(loaded: Any, name: str, subject: Subject, texts: list[str]) -> None:
    """With the default options. The mock judge is never surer than 0.99."""
    in_lists = type(loaded.inputs["predictions"]).__name__ == "StringLists"
    column = [[text] for text in texts] if in_lists else texts
    result = loaded.compute(**dict.fromkeys(loaded.required_inputs(), column), **sample_of(name).options)
    for key in result.keys() & set(subject.scores):
        assert result[key] >= 0.99 - 1e-12
