"""Scores corrected by human labels: the formulas of PPI++, published kappas, and the same through loaded metrics."""

import json
import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.statistics.human_labels import correct
from answer_metrics.statistics.statistic import interval, proportion
from tests.unit.conftest import DOCUMENTS, RIGHT, ROWS, raw, scored

NAN = math.nan


def judged(rows: int, seed: int, rate: float = 0.6) -> tuple[Any, Any]:
    """Draw a metric's scores that agree with four in five people, and the labels of all people."""
    random = np.random.default_rng(seed)
    people = (random.random(rows) < rate).astype(float)
    return np.where(random.random(rows) < 0.8, people, 1 - people), people


def sample_labels(people: Any, number: int, seed: int) -> Any:
    chosen = np.random.default_rng(seed).choice(len(people), number, replace=False)
    labels = np.full(len(people), NAN)
    labels[chosen] = people[chosen]
    return labels


def bounds(corrections: dict[str, Any]) -> Any:
    return corrections["corrected_confidence_interval"]


@pytest.mark.parametrize("seed", range(5))
def test_estimate_and_interval_equal_the_ppi_formulas(seed: int) -> None:
    """Section 6 of the paper: power tuning."""
    scores, people = judged(400, seed)
    scores = scores * np.random.default_rng(seed).random(400)
    labels = sample_labels(people, 90, seed)
    labeled = ~np.isnan(labels)
    covariance = np.cov(labels[labeled], scores[labeled], ddof=0)[0, 1]
    weight = np.clip(covariance / ((1 + 90 / 310) * scores.var(ddof=1)), 0, 1)
    residuals = labels[labeled] - weight * scores[labeled]
    estimate = weight * scores[~labeled].mean() + residuals.mean()
    reach = scipy.stats.norm.ppf(0.95) * math.sqrt(weight**2 * scores[~labeled].var() / 310 + residuals.var() / 90)
    corrections, caveats = correct(scores, labels, level=0.9)
    assert corrections["corrected"] == pytest.approx(estimate, rel=1e-12)
    assert bounds(corrections) == pytest.approx((estimate - reach, estimate + reach), rel=1e-12)
    assert caveats == []


@pytest.mark.parametrize("seed", range(5))
def test_clustered_estimate_equals_the_formula(seed: int) -> None:
    """Labeled and unlabeled rows share clusters: their terms are added before they are squared."""
    random = np.random.default_rng(seed)
    codes = random.integers(25, size=200)
    people = np.clip(random.random(25)[codes] + random.normal(0, 0.2, 200), 0, 1)
    scores = np.clip(0.7 * people + 0.3 * random.random(200), 0, 1)
    labels = sample_labels(people, 80, seed)
    present = ~np.isnan(labels)
    label_terms = np.where(present, labels - labels[present].mean(), 0) / 80
    score_terms = np.where(present, (scores - scores[present].mean()) / 80, (scores[~present].mean() - scores) / 120)
    of_labels, of_scores = np.bincount(codes, label_terms), np.bincount(codes, score_terms)
    weight = np.clip((of_labels * of_scores).sum() / (of_scores**2).sum(), 0, 1)
    estimate = labels[present].mean() + weight * (scores[~present].mean() - scores[present].mean())
    error = math.sqrt(((of_labels - weight * of_scores) ** 2).sum() * 25 / 24)
    reach = scipy.stats.t.ppf(0.975, len(set(codes[present].tolist())) - 1) * error
    corrections, _ = correct(scores, labels, clusters=codes.tolist())
    assert corrections["corrected"] == pytest.approx(estimate)
    assert bounds(corrections) == pytest.approx((max(0, estimate - reach), min(1, estimate + reach)), rel=1e-9)


def test_clusters_with_few_wrong_answers_get_an_interval_below_one() -> None:
    """t would give 0.92 to 1."""
    scores, people = np.ones(400), np.ones(400)
    people[[0, 1, 2, 3]] = scores[[0, 1]] = 0.0
    labels = np.where(np.arange(400) < 80, people, NAN)
    corrections, _ = correct(scores, labels, clusters=[row // 4 for row in range(400)])
    assert bounds(corrections) == pytest.approx((0.8241, 0.9969), abs=1e-4)


@pytest.mark.parametrize(
    ("clusters", "wrong", "expected"),
    [
        ([0, 1, 2], [4, 11, 18], (0.4917, 0.8052)),  # each cluster has as many right labels, and as many right scores
        ([0, 1, 1], [4, 5, 11], (0.1783, 0.9485)),  # for two clusters, some weight of the scores equalizes them
    ],
)
def test_clusters_that_do_not_differ_get_the_interval_of_the_labels_alone(
    clusters: list[int], wrong: list[int], expected: tuple[float, float]
) -> None:
    """Their variance is a rounding error, and the interval would be a point."""
    labels = [1, 1, 1, 1, 0, 0, None] * 3
    scores = np.ones(21)
    scores[wrong] = 0
    corrections, caveats = correct(scores, labels, clusters=np.repeat(clusters, 7))
    assert corrections["corrected"] == pytest.approx(2 / 3)
    assert bounds(corrections) == pytest.approx(expected, abs=1e-4)
    same = "human labels and scores differ by the same in every cluster"
    assert caveats[1:] == [f"{same}: the corrected score and its interval are those of the labels alone"]


@pytest.mark.parametrize(
    ("counts", "agreement", "kappa", "sensitivity", "specificity"),
    [
        # Cohen's example as Wikipedia gives it: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no.
        ((20, 5, 10, 15), 0.7, 0.4, 20 / 30, 15 / 20),
        ((10, 0, 0, 10), 1.0, 1.0, 1.0, 1.0),
        # An agreement of 90% that is no better than chance.
        ((90, 5, 5, 0), 0.9, -0.0526, 90 / 95, 0.0),
        ((9, 0, 0, 0), 1.0, None, 1.0, None),
    ],
)
def test_agreement_kappa_sensitivity_and_specificity_by_hand(
    counts: tuple[int, ...], agreement: float, kappa: float | None, sensitivity: float, specificity: float | None
) -> None:
    pairs = [(1.0, 1), (0.5, 0.4), (0.49, 0.5), (0.0, 0)]  # one half is right
    scores, labels = zip(*(pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)), strict=True)
    corrections, _ = correct(np.array(scores), labels)
    assert corrections["agreement"] == pytest.approx(agreement)
    assert corrections["kappa"] == (None if kappa is None else pytest.approx(kappa, abs=5e-5))
    assert (corrections["sensitivity"], corrections["specificity"]) == (sensitivity, specificity)


def test_few_or_uninformative_labels_get_the_interval_of_the_labels_and_a_caveat() -> None:
    scores, people = judged(100, 4)

    def check(scores: Any, labels: Any, expected: Any, caveats: list[str], **options: Any) -> None:
        corrections, problems = correct(np.array(scores), labels, **options)
        kept = ~np.isnan(np.array(labels, dtype=float)) & ~np.isnan(scores)
        observed = np.array(labels, dtype=float)[kept]
        assert corrections["corrected"] == (pytest.approx(observed.mean()) if len(observed) else None)
        assert (bounds(corrections), corrections["labels"]) == (pytest.approx(expected), len(observed))
        assert problems == caveats

    alone = ": the corrected score and its interval are those of the labels alone"
    few = "only {}: with fewer than 30 the interval may be too narrow"
    check(scores, people, interval(proportion(people)), [])
    equal = f"all human labels are equal{alone}"
    for label in (0, 1):
        check(scores, [label] * 40 + [None] * 60, interval(proportion([label] * 40)), [equal])
    check([0.0, 1.0], [None, NAN], (0.0, 1.0), ["there are no human labels"])
    # Scores of 0 and 1, or of a judge that is nearly sure: no error among 100 labels does not mean that none occur.
    for rows, noise in ((150, 0.0), (10_000, 0.0), (150, 0.05), (10_000, 0.05)):
        _, truth = judged(rows, 4)
        labels = np.where(np.arange(rows) < 100, truth, NAN)
        nearly = np.abs(truth - noise * np.random.default_rng(4).random(rows))
        same = f"human labels and scores differ by the same everywhere{alone}"
        check(nearly, labels, interval(proportion(truth[:100])), [same])
    one_cluster = "all human labels are in one cluster, which says nothing about the others"
    caveats = [few.format("2 human labels"), equal, one_cluster]
    check([0.0, 1.0, 1.0], [1, 1, None], (0.0, 1.0), caveats, clusters=["a", "a", "b"])
    caveats[1] = f"human labels and scores differ by the same in every cluster{alone}"
    check([0.0, 1.0, 1.0, 1.0], [1, 0, None, None], (0.0, 1.0), caveats, clusters=["a", "a", "a", "b"])
    check([0.0, 1.0, 1.0, NAN], [1, 0, None, None], (0.0, 1.0), caveats[::2], clusters=["a", "a", "a", "b"])
    assert correct(scores, sample_labels(people, 29, 0))[1] == [few.format("29 human labels")]
    assert correct(scores, sample_labels(people, 30, 0))[1] == []
    assert correct(np.array([0.0, 1.0]), [1, None])[1][0] == few.format("1 human label")
    with pytest.raises(ValueError, match="at least two clusters"):
        correct(np.array([0.0, 1.0]), [1, None], clusters=["a", "a"])


def test_labels_of_rows_without_a_score_are_left_out() -> None:
    scores, people = judged(100, 4)
    labels = sample_labels(people, 60, 0)
    scores[np.flatnonzero(~np.isnan(labels))[:2]] = NAN
    corrections, caveats = correct(scores, labels)
    assert (corrections["labels"], caveats) == (58, ["human labels of rows without a score are left out: 2"])
    kept = ~np.isnan(scores)
    assert corrections == correct(scores[kept], labels[kept])[0]
    clusters = np.arange(100) // 4
    of_kept, _ = correct(scores[kept], labels[kept], clusters=clusters[kept])
    assert correct(scores, labels, clusters=clusters)[0] == of_kept


LABELED_ROW = st.tuples(st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([None, 0, 0.6, 1]), st.integers(0, 3))


@given(st.lists(LABELED_ROW, min_size=1, max_size=40), st.randoms(use_true_random=False), st.booleans())
def test_row_order_does_not_change_results_and_they_stay_in_range(rows: Any, random: Any, grouped: bool) -> None:
    def corrected() -> dict[str, Any]:
        scores, labels, clusters = zip(*rows, strict=True)
        return correct(np.array(scores), labels, clusters=clusters if grouped and len(set(clusters)) > 1 else None)[0]

    corrections = corrected()
    random.shuffle(rows)
    assert corrected() == corrections
    low, high = bounds(corrections)
    assert 0 <= low < high - 0.01 < 1
    assert corrections["corrected"] is None or low <= corrections["corrected"] <= high


@pytest.fixture(scope="module")
def rows(accuracy: Any) -> dict[str, Any]:
    return scored(accuracy, "base")


def test_clusters_and_labels_give_the_same_in_compute_and_aggregate(accuracy: Any, rows: dict[str, Any]) -> None:
    inputs = {name: column for name, column in raw("base").items() if name in accuracy.inputs}
    labels = [1, 0, None, 1, 1, 1] * 4
    with pytest.warns(UserWarning, match="only 20 human labels"):
        computed = accuracy.compute(**inputs, clusters=DOCUMENTS, human_labels=labels, confidence_level=0.8)
    expected, _ = correct(np.array(RIGHT["base"], dtype=float), labels, clusters=DOCUMENTS, level=0.8)
    renamed = {f"accuracy_{name}" if name.startswith("corrected") else name: expected[name] for name in expected}
    assert {name: computed[name] for name in renamed} == renamed
    assert computed["clusters"] == 8
    by_cluster = interval(proportion(RIGHT["base"]), clusters=DOCUMENTS, level=0.8)
    assert computed["accuracy_confidence_interval"] == pytest.approx(by_cluster, abs=1e-9)
    table = pa.table({**rows, "human": labels})
    with pytest.warns(UserWarning, match="few"):
        aggregated = accuracy.aggregate(table, clusters="document", human_labels="human", confidence_level=0.8)
    assert aggregated == computed
    json.dumps(computed)


def test_label_sample_is_a_random_sample_of_scored_rows(accuracy: Any, rows: dict[str, Any]) -> None:
    drawn = accuracy.label_sample(rows, 10, seed=3)
    assert len(set(drawn)) == 10
    assert drawn == sorted(drawn)
    assert all(type(index) is int for index in drawn)
    assert drawn == accuracy.label_sample(rows, 10, seed=3) != accuracy.label_sample(rows, 10, seed=4)
    assert accuracy.label_sample(rows, ROWS) == list(range(ROWS))
    counts = np.zeros(ROWS)
    for seed in range(300):
        counts[accuracy.label_sample(rows, 6, seed=seed)] += 1
    assert 45 < counts.min() <= counts.max() < 110  # 75 expected


def test_label_sample_rejects_bad_numbers(accuracy: Any, rows: dict[str, Any]) -> None:
    numbers = "n must be an int from 0 to 24, the number of rows with a score; got"
    for bad in (25, -1, 2.5, True):
        with pytest.raises(ValueError, match=f"^accuracy: {numbers}"):
            accuracy.label_sample(rows, bad)
    for seed in (-1, 2.5, True, None):
        with pytest.raises(ValueError, match=r"^accuracy: seed must be an int of at least 0, got"):
            accuracy.label_sample(rows, 3, seed=seed)
