"""Two signatures are equal exactly when all options that can change a score are equal."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from tests.properties.subjects import Options
from tests.properties.subjects import Subject
from tests.properties.subjects import subject_of

JUDGES = frozenset({"provider", "model", "base_url", "prompt", "top_logprobs", "extra_body"})
"""The options that can change a score of l3score, though not one of the mock's: see test_judge_signatures.py."""


def signature(loaded: Any, subject: Subject, options: Options) -> str:
    signed: str = loaded._signature(loaded.resolve_options({**options, **subject.fixed}))
    return signed


def settings_of(loaded: Any, subject: Subject, options: Options) -> Options:
    return asdict(loaded.resolve_options({**options, **subject.fixed}))


def pairs(subject: Subject) -> st.SearchStrategy[tuple[Options, Options]]:
    """Two settings that differ in a few options, often in none that counts."""
    changed = st.dictionaries(st.sampled_from([*subject.scoring, *subject.others]), st.none(), max_size=3).flatmap(
        lambda names: st.fixed_dictionaries({name: {**subject.scoring, **subject.others}[name] for name in names})
    )
    return st.tuples(subject.options(), changed).map(lambda drawn: (drawn[0], {**drawn[0], **drawn[1]}))


def test_every_option_is_known_to_change_scores_or_not(loaded: Any, subject: Subject, name: str) -> None:
    known = {*subject.scoring, *subject.others, *(JUDGES if name == "l3score" else ())}
    assert known == set(loaded.options)
    assert set(subject.witnesses) == set(subject.scoring)


@given(data=st.data())
def test_signatures_are_equal_exactly_when_what_counts_is(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    one, other = data.draw(pairs(subject))
    equal = subject.effective(settings_of(loaded, subject, one)) == subject.effective(
        settings_of(loaded, subject, other)
    )
    assert (signature(loaded, subject, one) == signature(loaded, subject, other)) is equal


def test_each_option_that_can_change_a_score_does_and_signs(loaded: Any, subject: Subject) -> None:
    for name, (one, other, inputs) in subject.witnesses.items():
        before, after = (loaded.compute(**inputs, **options, **subject.fixed) for options in (one, other))
        assert any(before[key] != after[key] for key in before.keys() & set(subject.scores)), name
        assert signature(loaded, subject, one) != signature(loaded, subject, other), name


@given(data=st.data())
def test_no_other_option_changes_the_signature(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    options = data.draw(subject.options())
    bare = {name: value for name, value in options.items() if name in subject.scoring}
    assert signature(loaded, subject, options) == signature(loaded, subject, bare)


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_equal_signatures_mean_equal_scores(loaded: Any, subject: Subject, data: st.DataObject) -> None:
    one, other = data.draw(pairs(subject))
    if signature(loaded, subject, one) != signature(loaded, subject, other):
        # Bring what differs and counts back: then only options that are inert at these settings differ.
        inert = {
            name: value
            for name, value in other.items()
            if signature(loaded, subject, {**one, name: value}) == signature(loaded, subject, one)
        }
        other = {**one, **inert}
        if signature(loaded, subject, one) != signature(loaded, subject, other):
            return  # inert one by one, but not together
    inputs = data.draw(subject.inputs)
    results = [
        loaded.compute(**inputs, **{**options, "return_details": True, **subject.fixed}) for options in (one, other)
    ]
    common = [
        key
        for key in results[0].keys() & results[1].keys()
        if not key.endswith("_confidence_interval") and key not in subject.unstable
    ]
    assert set(subject.scores) & set(common)
    for key in common:
        assert repr(results[0][key]) == repr(results[1][key]), key


@pytest.mark.parametrize(
    ("named", "option", "more"),
    [
        ("accuracy", "normalizer", {}),
        ("answer_exact_match", "normalizer", {}),
        ("precision_recall_f1", "sentence_splitter", {"matching_strategy": "EXACT_SENTENCE_MATCH"}),
    ],
)
def test_callables_of_one_name_in_different_modules_differ(
    metric: Callable[[str], Any], named: str, option: str, more: Options
) -> None:
    def at(module: str) -> str:
        def lines(text: str) -> list[str]:
            return text.splitlines()

        lines.__module__, lines.__qualname__ = module, "lines"
        return signature(metric(named), subject_of(named), {option: lines, **more})

    assert at("one") != at("other")
