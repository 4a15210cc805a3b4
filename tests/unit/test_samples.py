"""Samples of one question, groups, other scales, planning and corrected differences, with enumeration as an oracle."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.statistics.comparison import compare
from answer_metrics.statistics.human_labels import Labeled, best_weights, correct_difference
from answer_metrics.statistics.samples import Groups, Samples, pass_all, pass_at, summarize_groups, summarize_samples
from answer_metrics.statistics.statistic import (
    UNIT,
    Scale,
    Statistic,
    divide,
    interval,
    mean,
    normal_quantile,
    pooled,
    proportion,
    t_quantile,
    unseen_variance,
    wilson,
)

ERRORS = Scale(0, math.inf, higher_is_better=False)
RIGHT = st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=1, max_size=6)


def flat(questions: list[list[Any]]) -> tuple[list[Any], np.ndarray[Any, Any]]:
    codes = [number for number, samples in enumerate(questions) for _ in samples]
    return list(itertools.chain.from_iterable(questions)), np.array(codes)


@given(samples=st.lists(st.booleans(), min_size=1, max_size=6), data=st.data())
def test_pass_at_and_pass_all_are_shares_of_all_subsets(samples: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(samples)))
    subsets = list(itertools.combinations(samples, k))
    right = sum(samples)
    assert pass_at(k, len(samples), right) == pytest.approx(sum(map(any, subsets)) / len(subsets))
    assert pass_all(k, len(samples), right) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@given(questions=RIGHT)
def test_every_question_counts_the_same(questions: list[list[bool]]) -> None:
    scores, codes = flat(questions)
    expected = np.mean([np.mean(samples) for samples in questions])
    assert Samples.of(proportion(scores), codes).mean().value == pytest.approx(expected)
    order = np.random.default_rng(0).permutation(len(scores))
    shuffled = Samples.of(proportion(np.array(scores)[order]), codes[order])
    assert shuffled.split_variance() == Samples.of(proportion(scores), codes).split_variance()


def test_samples_without_a_score_do_not_count_and_variance_that_chance_explains_is_removable() -> None:
    codes = np.repeat(np.arange(4), 2)
    assert Samples.of(mean([1, None, 0.5, 0]), codes[:4]).mean().value == (1 + 0.25) / 2
    chance = Samples.of(proportion([1, 0, 1, 0, 1, 0, 1, 1]), codes).split_variance()
    assert (chance["variance_between"], chance["removable_share"]) == (0.0, 1.0)  # 0.375 / 2 is above 0.0625
    unknown = [Samples.of(mean([1, 0.5, 0]), np.array(codes)).split_variance() for codes in ([0, 1, 2], [0, 0, 0])]
    assert {value for parts in unknown for value in parts.values()} == {None}


def test_majority_is_the_score_of_the_commonest_answer() -> None:
    cases: list[tuple[list[Any], list[Any], float]] = [
        (["a", "a", "b"], [1, 1, 0], 1.0),
        (["a", "b"], [1, 0], 0.5),
        (["a", None, None], [1, 0, 0], 1.0),
        (["a", "a", "b"], [1, None, 0], 0.5),
    ]
    for answers, scores, expected in cases:
        codes = np.zeros(len(scores), int)
        summary = summarize_samples("s", mean(scores), codes, k=None, answers=answers, clusters=None, level=0.95)
        assert summary["majority@n"] == expected


def test_a_question_without_any_answer_is_wrong_in_the_majority() -> None:
    codes = np.array([0, 0, 1, 1])
    for scores, expected in (([1, 1, 0, 0], 0.5), ([1, 1, None, None], 1.0)):  # without a score, it does not count
        options: dict[str, Any] = {"k": None, "answers": ["a", "a", None, None], "clusters": None, "level": 0.95}
        assert summarize_samples("s", mean(scores), codes, **options)["majority@n"] == expected
    ranks = mean([1.0, 1.0, 5.0, 5.0], scale=Scale(1, 5, higher_is_better=False))
    assert summarize_samples("s", ranks, codes, **options)["majority@n"] == 3.0


@pytest.mark.parametrize(
    ("k", "scores", "codes", "message"),
    [
        (3, proportion([1, 0, 1]), [0, 0, 1], "k=3: 2 of 2 questions have fewer samples; k can be at most 1"),
        (1, mean([0.5, 0.2]), [0, 0], "needs scores that are right or wrong"),
        (0, proportion([1, 0]), [0, 0], "k must be a positive integer or a list of them, got 0"),
        (None, proportion([1, 0]), [0, 1], "every question has one sample only"),
        (None, pooled([[1, 1], [2, 2]], divide), [0, 0], "pooled over all rows"),
    ],
)
def test_impossible_summary_of_samples_is_rejected(k: Any, scores: Statistic, codes: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        summarize_samples("s", scores, np.array(codes), k=k, answers=None, clusters=None, level=0.95)


@pytest.mark.parametrize("make", [proportion, mean])
@pytest.mark.parametrize("scale", [UNIT, Scale(-1, 4, higher_is_better=False)])
@pytest.mark.parametrize("method", ["wilson", "bootstrap"])
def test_groups_are_scored_as_if_alone(make: Any, scale: Scale, method: str) -> None:
    random = np.random.default_rng(0)
    labels = random.integers(0, 7, 80).tolist()
    unit = random.integers(0, 2, 80) if make is proportion else random.random(80)
    scores = np.where(random.random(80) < 0.1, np.nan, scale.low + unit * (scale.high - scale.low))
    statistic = make(scores, scale=scale)
    summary, _ = summarize_groups("s", statistic, Groups.of(labels), level=0.9, method=method)
    assert list(summary["groups"]) == [str(label) for label in range(7)]
    for label, group in summary["groups"].items():
        alone = statistic.take(np.array(labels) == int(label))
        assert (group["s"], group["total"]) == (alone.value, alone.total)
        assert group["s_confidence_interval"] == pytest.approx(interval(alone, level=0.9, method=method), abs=1e-9)
    values = [group["s"] for group in summary["groups"].values()]
    assert summary["s_macro"] == pytest.approx(np.mean(values))
    low, high = summary["s_macro_confidence_interval"]
    assert scale.low < low < summary["s_macro"] < high < scale.high


def test_interval_of_a_single_row_is_unknown_and_an_empty_group_does_not_count() -> None:
    statistic = proportion([1, 1, 0, 1, None])
    summary, caveats = summarize_groups("s", statistic, Groups.of(["a", "a", "a", "b", "c"]))
    assert summary["groups"]["b"] == {"s": 1.0, "s_confidence_interval": None, "total": 1}
    assert summary["groups"]["c"] == {"s": None, "s_confidence_interval": None, "total": 0}
    assert summary["s_macro"] == pytest.approx((2 / 3 + 1) / 2)
    assert [caveat.rpartition(" ")[2] for caveat in caveats] == ["'c'", "'b'"]
    clustered, _ = summarize_groups("s", statistic, Groups.of(["a", "a", "a", "b", "c"]), clusters=[1, 1, 2, 3, 3])
    assert clustered["groups"]["a"]["s_confidence_interval"] is not None
    assert clustered["s_macro"] == summary["s_macro"]


def test_macro_average_adds_variances_which_small_groups_borrow() -> None:
    summary, _ = summarize_groups("s", mean([0.2, 0.4, 0.9] * 5), Groups.of(sorted([*range(5)] * 3)))
    variance = np.var([0.2, 0.4, 0.9], ddof=1) / 3 / 5
    degrees = 5 * 2  # each group borrows the variance of four rows, but no degrees of freedom
    raised = (t_quantile(0.95, degrees) / normal_quantile(0.95)) ** 2 * variance + unseen_variance(0.5, 15)
    expected = wilson(0.5, float(0.25 / raised), normal_quantile(0.95))
    assert summary["s_macro_confidence_interval"] == pytest.approx(expected)
    few, _ = summarize_groups("s", proportion([1] * 4 + [0, 1] * 250), Groups.of([0] * 4 + [1] * 500))
    low, high = few["s_macro_confidence_interval"]
    assert high - low > 3 * 2 * 1.96 * math.sqrt(0.25 / 500) / 2  # the variance of the four is 0


def test_macro_average_of_clusters_has_their_variance() -> None:
    scores, labels = np.random.default_rng(0).random(30), [row % 3 if row % 5 else 3 for row in range(30)]
    summary, _ = summarize_groups("s", mean(scores), Groups.of(labels), clusters=range(30))
    sizes = {label: labels.count(label) for label in labels}
    means = {label: np.mean(scores[np.array(labels) == label]) for label in labels}
    terms = [(score - means[label]) / sizes[label] / 4 for score, label in zip(scores, labels, strict=True)]
    score, z = float(np.mean(list(means.values()))), normal_quantile(0.95)
    raised = (t_quantile(0.95, 29) / z) ** 2 * np.sum(np.square(terms)) * 30 / 29 + unseen_variance(score, 30)
    expected = wilson(score, float(score * (1 - score) / raised), z)
    assert summary["s_macro_confidence_interval"] == pytest.approx(expected)


@pytest.mark.parametrize("margin", [0.02, 0.3])
@pytest.mark.parametrize(
    "scale", [Scale(0, 1, higher_is_better=False), Scale(-3, 7), Scale(0, 100, higher_is_better=False)]
)
def test_mirrored_and_stretched_scores_give_the_same_comparison(scale: Scale, margin: float) -> None:
    random = np.random.default_rng(0)
    first, second = random.random((2, 60)) * [[1], [0.9]]
    size, sign = scale.high - scale.low, 1 if scale.higher_is_better else -1
    systems = {name: scale.worst + sign * scores * size for name, scores in (("a", first), ("b", second))}
    systems = {name: {"s": mean(scores, scale=scale)} for name, scores in systems.items()}
    summary = compare(systems, baseline="a", main_score="s", margin=margin * size)["systems"]["b"]
    plain = {name: {"s": mean(scores)} for name, scores in (("a", first), ("b", second))}
    expected = compare(plain, baseline="a", main_score="s", margin=margin)["systems"]["b"]
    assert expected["noninferior"] == (margin == 0.3)
    ranked = [compare(side, baseline="all", main_score="s")["systems"] for side in (systems, plain)]
    assert [[system["rank"] for system in side.values()] for side in ranked] == [[2, 1]] * 2
    for key in ("p_value", "wins", "losses", "ties", "noninferior", "equivalent"):
        assert summary[key] == expected[key], key
    assert summary["difference"] == pytest.approx(sign * size * expected["difference"])
    ends = sorted(sign * size * end for end in expected["difference_confidence_interval"])
    assert summary["difference_confidence_interval"] == pytest.approx(ends)
    assert summary["minimum_detectable_difference"] == pytest.approx(size * expected["minimum_detectable_difference"])


def test_unbounded_scores_have_t_intervals_or_none() -> None:
    scores = [0.2, 1.45, 0.0, 3.0]
    low, high = interval(mean(scores, scale=ERRORS)) or (0.0, 0.0)
    expected = scipy.stats.t.interval(0.95, 3, np.mean(scores), scipy.stats.sem(scores))
    assert (low, high) == pytest.approx((max(0, expected[0]), expected[1]))
    assert interval(pooled([[3, 4, 22], [2, 8, 10]], divide, ERRORS)) is not None
    for unknown in ([], [1.0], [0.5, 0.5]):
        assert interval(mean(unknown, scale=ERRORS)) is None
    same = {name: {"s": mean([2.0, 1.0], scale=ERRORS)} for name in "ab"}
    summary = compare(same, baseline="a", main_score="s", margin=0.1)["systems"]["b"]
    assert (summary["difference_confidence_interval"], summary["minimum_detectable_difference"]) == (None, None)
    assert (summary["noninferior"], summary["p_value"]) == (False, 1.0)
    with pytest.raises(ValueError, match=r"scores must be between 0 and 1, got 1\.45"):
        pooled([[29], [20]], divide)


def test_ranks_leave_out_systems_that_are_shown_to_be_better_or_worse() -> None:
    scores = {"low": 20 * [0] + 40 * [1], "high": 60 * [1], "same": [*(58 * [1]), 0, 0]}
    result = compare({name: {"s": proportion(one)} for name, one in scores.items()}, baseline="all", main_score="s")
    pairs = [(pair["system"], pair["baseline"]) for pair in result["pairs"]]
    assert pairs == [("high", "low"), ("same", "low"), ("same", "high")]
    ranks = {name: (one["rank"], one["rank_confidence_interval"]) for name, one in result["systems"].items()}
    assert ranks == {"low": (3, (3, 3)), "high": (1, (1, 2)), "same": (2, (1, 2))}
    close = {"a": [1] * 60, "b": [0] * 6 + [1] * 54, "c": [1] * 60}  # p = 0.03, adjusted 0.09
    result = compare({name: {"s": proportion(one)} for name, one in close.items()}, baseline="all", main_score="s")
    assert {system["rank_confidence_interval"] for system in result["systems"].values()} == {(1, 3)}


@given(seed=st.integers(0, 1000))
def test_weights_are_those_of_bounded_least_squares(seed: int) -> None:
    random = np.random.default_rng(seed)
    terms = random.normal(size=(2, 30)) + random.normal(size=30) * random.random()
    target = random.normal(size=30) + random.random() * terms[0] + random.normal() * terms[1]
    expected = scipy.optimize.lsq_linear(terms.T, target, bounds=(0, 1)).x
    assert best_weights(target, terms) == pytest.approx(expected, abs=1e-6)


def test_difference_of_labels_of_all_rows_is_their_paired_difference() -> None:
    random = np.random.default_rng(0)
    first, second = (random.random((2, 300)) < [[0.7], [0.5]]).astype(float)
    summary = correct_difference(*(Labeled(random.random(300), labels) for labels in (first, second)))
    gaps = first - second
    error = math.sqrt((gaps @ gaps - gaps.sum() ** 2 / 300) / 297 / 300)
    low, high = scipy.stats.t.interval(0.95, 297, gaps.mean(), error)
    assert summary["corrected_difference"] == pytest.approx(gaps.mean())
    assert summary["corrected_difference_confidence_interval"] == pytest.approx((low, high), rel=1e-6)
    assert summary["corrected_p_value"] == pytest.approx(2 * scipy.stats.t.sf(gaps.mean() / error, 297), rel=1e-6)


@pytest.mark.parametrize("clustered", [False, True])
def test_difference_of_some_labels_is_that_of_bounded_least_squares(clustered: bool) -> None:
    """Each system has labels of other rows; the weights of its scores minimize the variance."""
    random = np.random.default_rng(2)
    people = random.random((2, 300))
    scores, labels = (people + random.random((2, 300))) / 2, np.where(random.random((2, 300)) < 0.4, people, np.nan)
    codes = random.integers(0, 50, 300) if clustered else np.arange(300)
    estimates, terms = [], []
    for score, label in zip(scores, labels, strict=True):
        labeled = ~np.isnan(label)
        here, there, total = score[labeled].mean(), score[~labeled].mean(), labeled.sum()
        estimates += [label[labeled].mean(), here - there]
        terms.append(np.where(labeled, label - estimates[-2], 0) / total)
        terms.append(np.where(labeled, (score - here) / total, (there - score) / (300 - total)))
    first, first_score, second, second_score = (np.bincount(codes, term) for term in terms)
    design, target = np.stack([first_score, -second_score], axis=1), first - second
    weights = scipy.optimize.lsq_linear(design, target, bounds=(0, 1)).x
    number = len(set(codes[~np.isnan(labels).all(axis=0)].tolist()))
    error = math.sqrt(((target - design @ weights) ** 2).sum() * number / (number - 3))
    expected = estimates[0] - estimates[2] - weights[0] * estimates[1] + weights[1] * estimates[3]
    sides = [Labeled(*side) for side in zip(scores, labels, strict=True)]
    summary = correct_difference(*sides, codes=codes if clustered else None, level=0.9)
    assert 0.1 < weights.min() < weights.max() < 0.9
    assert summary["corrected_difference"] == pytest.approx(expected, rel=1e-6)
    ends = scipy.stats.t.interval(0.9, number - 3, expected, error)
    assert summary["corrected_difference_confidence_interval"] == pytest.approx(ends, rel=1e-5)
    p_value = 2 * scipy.stats.t.sf(abs(expected) / error, number - 3)
    assert summary["corrected_p_value"] == pytest.approx(p_value, rel=1e-5)


def test_scores_narrow_the_interval_and_the_order_of_rows_does_not_matter() -> None:
    random = np.random.default_rng(1)
    people = (random.random((2, 2000)) < [[0.7], [0.6]]).astype(float)
    scores = np.where(random.random((2, 2000)) < 0.95, people, 1 - people)
    labels = np.where(np.arange(2000) < 200, people, np.nan)
    order = random.permutation(2000)
    sides = [Labeled(scores[side], labels[side]) for side in (0, 1)]
    summary = correct_difference(*sides)
    assert summary == correct_difference(*(side.take(order) for side in sides))
    alone = correct_difference(*(Labeled(np.zeros(2000), side.labels) for side in sides))
    low, high = summary["corrected_difference_confidence_interval"]
    wide_low, wide_high = alone["corrected_difference_confidence_interval"]
    assert high - low < 0.8 * (wide_high - wide_low)
    few = [Labeled(np.ones(9), np.array([1.0, 1.0, *[math.nan] * 7])) for _ in "ab"]
    assert correct_difference(*few)["corrected_difference_confidence_interval"] == (-1.0, 1.0)
