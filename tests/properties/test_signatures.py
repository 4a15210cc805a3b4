"""Two signatures are equal if and only if all options that can change a score are."""

from dataclasses import asdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.subjects import Options, Subject


def signature(loaded: Any, subject: Subject, options: Options) -> str:
    signed: str = loaded.signature(loaded.resolve_options({**options, **subject.required_options}))
    return signed


def settings_of(loaded: Any, subject: Subject, options: Options) -> Options:
    return asdict(loaded.resolve_options({**options, **subject.required_options}))


@st.composite
def pairs(draw: st.DrawFn, loaded: Any, subject: Subject) -> tuple[Options, Options]:
    """Two settings that differ in a few options, often only in ineffective ones."""
    values = subject.values(loaded)
    one = draw(subject.options(loaded))
    changed = draw(st.sets(st.sampled_from(sorted(values)), max_size=3))
    return one, one | {name: draw(values[name]) for name in sorted(changed)}


@given(data=st.data())
def test_signatures_are_equal_iff_effective_settings_are(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    """A new option must either change the signature and `effective_settings`, or neither."""
    one, other = data.draw(pairs(loaded, subject))
    effects = [subject.effective_settings(settings_of(loaded, subject, options)) for options in (one, other)]
    assert (signature(loaded, subject, one) == signature(loaded, subject, other)) is (effects[0] == effects[1])


def test_each_scoring_option_changes_a_score_and_the_signature(loaded: Any, subject: Subject) -> None:
    for name, (one, other, inputs) in subject.witnesses.items():
        before, after = (loaded.compute(**inputs, **options, **subject.required_options) for options in (one, other))
        assert any(before[key] != after[key] for key in before.keys() & set(subject.scores)), name
        assert signature(loaded, subject, one) != signature(loaded, subject, other), name


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_equal_signatures_mean_equal_scores(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    one, other = data.draw(pairs(loaded, subject))
    if signature(loaded, subject, one) != signature(loaded, subject, other):
        # Revert the effective differences, so that only options without effect at these settings differ.
        ineffective = {
            name: value
            for name, value in other.items()
            if signature(loaded, subject, {**one, name: value}) == signature(loaded, subject, one)
        }
        other = {**one, **ineffective}
        if signature(loaded, subject, one) != signature(loaded, subject, other):
            return  # without effect one by one, but not together
    inputs = data.draw(subject.inputs)
    results = [
        loaded.compute(**inputs, **{**options, "return_details": True, **subject.required_options})
        for options in (one, other)
    ]
    common = [
        key
        for key in results[0].keys() & results[1].keys()
        if not key.endswith("_confidence_interval") and key not in subject.batch_dependent
    ]
    assert set(subject.scores) & set(common)
    for key in common:
        assert repr(results[0][key]) == repr(results[1][key]), key
