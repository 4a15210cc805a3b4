"""Signatures are equal only if all options that can change a score are."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.samples import sample_of
from tests.properties.subjects import Options, Subject


def signature(loaded: Any, options: Options) -> str:
    signed: str = loaded.signature(loaded.resolve_options(options))
    return signed


def test_each_scoring_option_changes_a_score_and_the_signature(loaded: Any, subject: Subject) -> None:
    for name, (value, predictions, references) in subject.witnesses.items():
        needed, *values = loaded.options[name].needs or (None,)
        one = {needed: values[0]} if needed else {}
        other = {**one, name: value}
        inputs = {"predictions": predictions, "references": references}
        before, after = (loaded.compute(**inputs, **options) for options in (one, other))
        assert any(before[key] != after[key] for key in before.keys() & set(subject.scores)), name
        assert signature(loaded, one) != signature(loaded, other), name


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_equal_signatures_mean_equal_scores(loaded: Any, name: str, subject: Subject, data: st.DataObject) -> None:
    """Of two settings that differ in a few options, often only in ineffective ones."""
    values = subject.values(loaded)
    one = {**data.draw(subject.options(loaded)), **sample_of(name).options}
    changed = {
        option: data.draw(values[option]) for option in data.draw(st.sets(st.sampled_from(sorted(values)), max_size=3))
    }
    # Only those without effect at these settings.
    ineffective = {
        option: value
        for option, value in changed.items()
        if signature(loaded, {**one, option: value}) == signature(loaded, one)
    }
    other = {**one, **ineffective, **sample_of(name).options}
    if signature(loaded, one) != signature(loaded, other):
        return  # without effect one by one, but not together
    inputs = data.draw(subject.inputs)
    first, second = (loaded.compute(**inputs, **{**options, "return_details": True}) for options in (one, other))
    common = [
        key for key in first.keys() & second.keys() if not key.endswith("_confidence_interval") and key != "cached"
    ]
    assert set(subject.scores) & set(common)
    for key in common:
        assert repr(first[key]) == repr(second[key]), key
