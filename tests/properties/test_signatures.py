"""Two signatures are equal if and only if all options that can change a score are."""

from dataclasses import asdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.subjects import Options, Subject

JUDGES = frozenset(
    {"provider", "model", "base_url", "judges", "prompt", "references_in_prompt", "scoring", "samples", "top_logprobs"}
    | {"extra_body", "dry_run"}
)
"""Options of l3score that change the scores of real judges, but not of the mock."""


def signature(loaded: Any, subject: Subject, options: Options) -> str:
    signed: str = loaded.signature(loaded.resolve_options({**options, **subject.required_options}))
    return signed


def settings_of(loaded: Any, subject: Subject, options: Options) -> Options:
    return asdict(loaded.resolve_options({**options, **subject.required_options}))


def pairs(subject: Subject) -> st.SearchStrategy[tuple[Options, Options]]:
    """Two settings that differ in a few options, often only in ineffective ones."""
    changed = st.dictionaries(
        st.sampled_from([*subject.scoring_options, *subject.other_options]), st.none(), max_size=3
    ).flatmap(
        lambda names: st.fixed_dictionaries(
            {name: {**subject.scoring_options, **subject.other_options}[name] for name in names}
        )
    )
    return st.tuples(subject.options(), changed).map(lambda drawn: (drawn[0], {**drawn[0], **drawn[1]}))


def test_every_option_is_declared_as_scoring_or_other(loaded: Any, subject: Subject, name: str) -> None:
    known = {*subject.scoring_options, *subject.other_options, *(JUDGES if name == "l3score" else ())}
    assert known == set(loaded.options)
    assert set(subject.witnesses) == set(subject.scoring_options)


@given(data=st.data())
def test_signatures_are_equal_iff_effective_settings_are(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    one, other = data.draw(pairs(subject))
    equal = subject.effective_settings(settings_of(loaded, subject, one)) == subject.effective_settings(
        settings_of(loaded, subject, other)
    )
    assert (signature(loaded, subject, one) == signature(loaded, subject, other)) is equal


def test_each_scoring_option_changes_a_score_and_the_signature(loaded: Any, subject: Subject) -> None:
    for name, (one, other, inputs) in subject.witnesses.items():
        before, after = (loaded.compute(**inputs, **options, **subject.required_options) for options in (one, other))
        assert any(before[key] != after[key] for key in before.keys() & set(subject.scores)), name
        assert signature(loaded, subject, one) != signature(loaded, subject, other), name


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_equal_signatures_mean_equal_scores(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    one, other = data.draw(pairs(subject))
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
