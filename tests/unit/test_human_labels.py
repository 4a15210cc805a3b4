"""Scores corrected by human labels: formulas, published kappas, simulated coverage."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._human_labels import Correction
from metrics._shared._human_labels import correct_score
from metrics._shared._intervals import proportion_interval
from metrics._shared._score_intervals import score_interval
from metrics._shared._statistics import mean_statistic

NAN = math.nan


def judged(rows: int, seed: int, rate: float = 0.6) -> tuple[Any, Any]:
    """Human labels of all rows, and a metric that agrees with four in five."""
    random = np.random.default_rng(seed)
    people = (random.random(rows) < rate).astype(float)
    return np.where(random.random(rows) < 0.8, people, 1 - people), people


def sample_labels(people: Any, number: int, seed: int) -> Any:
    """Keep a random sample of the labels."""
    chosen = np.random.default_rng(seed).choice(len(people), number, replace=False)
    labels = np.full(len(people), NAN)
    labels[chosen] = people[chosen]
    return labels


def ppi_plus_plus(scores: Any, labels: Any) -> tuple[float, float]:
    """Point estimate and standard error, from the paper's formulas (section 6: power tuning)."""
    labeled = ~np.isnan(labels)
    n, rest = labeled.sum(), (~labeled).sum()
    covariance = np.cov(labels[labeled], scores[labeled], ddof=0)[0, 1]
    weight = np.clip(covariance / ((1 + n / rest) * scores.var(ddof=1)), 0, 1)
    residuals = labels[labeled] - weight * scores[labeled]
    estimate = weight * scores[~labeled].mean() + residuals.mean()
    return estimate, math.sqrt(weight**2 * scores[~labeled].var() / rest + residuals.var() / n)


@pytest.mark.parametrize("seed", range(20))
def test_estimate_and_interval_equal_the_ppi_formulas(seed: int) -> None:
    scores, people = judged(400, seed)
    scores = scores * np.random.default_rng(seed).random(400)
    labels = sample_labels(people, 90, seed)
    estimate, error = ppi_plus_plus(scores, labels)
    found = correct_score(scores, labels, level=0.9)
    assert found.corrected == pytest.approx(estimate, rel=1e-12)
    reach = 1.6448536269514722 * error
    assert found.interval == pytest.approx((estimate - reach, estimate + reach), rel=1e-12)
    assert found.warnings == []


def test_uninformative_metric_gets_zero_weight() -> None:
    _, people = judged(300, 1)
    labels = sample_labels(people, 100, 1)
    found = correct_score(1 - people, labels)
    assert found.weight == 0.0
    assert found.corrected == pytest.approx(np.nanmean(labels))


def test_biased_metric_is_corrected() -> None:
    """The metric calls every fourth right answer wrong."""
    random = np.random.default_rng(2)
    people = (random.random(5000) < 0.8).astype(float)
    scores = people * (random.random(5000) < 0.75)
    found = correct_score(scores, sample_labels(people, 300, 2))
    assert scores.mean() < 0.65
    assert found.interval[0] <= people.mean() <= found.interval[1]
    assert found.corrected == pytest.approx(0.8, abs=0.04)


def test_interval_has_nominal_coverage_and_is_narrower_than_labels_alone() -> None:
    covered, widths, alone = 0, 0.0, 0.0
    scores, people = judged(2000, 3)
    for seed in range(300):
        labels = sample_labels(people, 150, seed)
        low, high = correct_score(scores, labels).interval
        covered += low <= people.mean() <= high
        widths += high - low
        low, high = score_interval(mean_statistic(labels))
        alone += high - low
    assert 0.93 <= covered / 300 <= 0.99
    assert widths < 0.9 * alone


@pytest.mark.parametrize(("labels", "rate", "agreement"), [(50, 0.9, 0.99), (100, 0.95, 0.98), (30, 0.85, 0.95)])
def test_interval_covers_with_few_wrong_answers_and_few_errors(labels: int, rate: float, agreement: float) -> None:
    """A normal interval covers 85 to 89% here."""
    covered = 0
    for seed in range(300):
        random = np.random.default_rng(seed)
        people = (random.random(3000) < rate).astype(float)
        scores = np.where(random.random(3000) < agreement, people, 1 - people)
        low, high = correct_score(scores, sample_labels(people, labels, seed)).interval
        covered += low <= rate <= high
    assert 0.92 <= covered / 300 <= 0.99


def test_clusters_with_few_wrong_answers_get_an_interval_below_one() -> None:
    """t would give 0.92 to 1."""
    scores, people = np.ones(400), np.ones(400)
    people[[0, 1, 2, 3]] = scores[[0, 1]] = 0.0
    labels = np.where(np.arange(400) < 80, people, NAN)
    found = correct_score(scores, labels, clusters=[row // 4 for row in range(400)])
    assert found.interval == pytest.approx((0.8241, 0.9969), abs=1e-4)


def test_clustered_interval_is_wider_and_has_nominal_coverage() -> None:
    """Four answers per question, right or wrong together; labels are drawn by question."""
    covered, widths, naive = 0, 0.0, 0.0
    for seed in range(200):
        random = np.random.default_rng(seed)
        questions = np.repeat(np.arange(300), 4)
        rate = random.choice([0.05, 0.95], 300, p=[0.4, 0.6])
        people = (random.random(1200) < rate[questions]).astype(float)
        scores = np.where(random.random(1200) < 0.75, people, 1 - people)
        chosen = np.isin(questions, random.choice(300, 50, replace=False))
        labels = np.where(chosen, people, NAN)
        low, high = correct_score(scores, labels, clusters=questions.tolist()).interval
        covered += low <= 0.4 * 0.05 + 0.6 * 0.95 <= high
        widths += high - low
        low, high = correct_score(scores, labels).interval
        naive += high - low
    assert 0.915 <= covered / 200 <= 0.985
    assert widths > 1.3 * naive


@pytest.mark.parametrize("seed", range(10))
def test_clustered_estimate_equals_the_formula(seed: int) -> None:
    """Labeled and unlabeled rows share clusters: their terms are added before they are squared."""
    random = np.random.default_rng(seed)
    codes = random.integers(25, size=200)
    people = np.clip(random.random(25)[codes] + random.normal(0, 0.2, 200), 0, 1)
    scores = np.clip(0.7 * people + 0.3 * random.random(200), 0, 1)
    labels = sample_labels(people, 80, seed)
    known = ~np.isnan(labels)
    told, taken = np.zeros(25), np.zeros(25)
    for cluster in range(25):
        inside, outside = known & (codes == cluster), ~known & (codes == cluster)
        told[cluster] = (labels[inside] - labels[known].mean()).sum() / 80
        taken[cluster] = (scores[inside] - scores[known].mean()).sum() / 80
        taken[cluster] -= (scores[outside] - scores[~known].mean()).sum() / 120
    weight = np.clip((told * taken).sum() / (taken**2).sum(), 0, 1)
    estimate = labels[known].mean() + weight * (scores[~known].mean() - scores[known].mean())
    error = math.sqrt(((told - weight * taken) ** 2).sum() * 25 / 24)
    degrees = len(set(codes[known].tolist())) - 1
    found = correct_score(scores, labels, clusters=codes.tolist())
    assert found.weight == pytest.approx(weight)
    assert found.corrected == pytest.approx(estimate)
    reach = scipy.stats.t.ppf(0.975, degrees) * error
    assert found.interval == pytest.approx((max(0, estimate - reach), min(1, estimate + reach)), rel=1e-9)


@pytest.mark.parametrize("clusters", [None, list(range(100))])
def test_constant_metric_gets_zero_weight(clusters: list[int] | None) -> None:
    _, people = judged(100, 6)
    found = correct_score(np.full(100, 0.7), sample_labels(people, 50, 6), clusters=clusters)
    assert found.weight == 0.0
    assert found.corrected == pytest.approx(np.nanmean(sample_labels(people, 50, 6)))


def test_singleton_clusters_are_close_to_rows() -> None:
    scores, people = judged(600, 5)
    labels = sample_labels(people, 150, 5)
    by_row = correct_score(scores, labels)
    by_cluster = correct_score(scores, labels, clusters=range(600))
    assert by_cluster.corrected == pytest.approx(by_row.corrected, abs=0.005)
    assert by_cluster.interval == pytest.approx(by_row.interval, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "agreement", "kappa", "sensitivity", "specificity"),
    [
        # Cohen's example as Wikipedia gives it: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no.
        ((20, 5, 10, 15), 0.7, 0.4, 20 / 30, 15 / 20),
        ((45, 15, 25, 15), 0.6, 0.1304, 45 / 70, 15 / 30),
        ((10, 0, 0, 10), 1.0, 1.0, 1.0, 1.0),
        ((0, 10, 10, 0), 0.0, -1.0, 0.0, 0.0),
        # An agreement of 90% that is no better than chance.
        ((90, 5, 5, 0), 0.9, -0.0526, 90 / 95, 0.0),
    ],
)
def test_agreement_kappa_sensitivity_and_specificity_by_hand(
    counts: tuple[int, ...], agreement: float, kappa: float, sensitivity: float, specificity: float
) -> None:
    pairs = [(1, 1), (1, 0), (0, 1), (0, 0)]
    rows = [pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)]
    found = correct_score(np.array([score for score, _ in rows], dtype=float), [label for _, label in rows])
    assert found.agreement == pytest.approx(agreement)
    assert found.kappa == pytest.approx(kappa, abs=5e-5)
    assert (found.sensitivity, found.specificity) == pytest.approx((sensitivity, specificity))


def test_verdicts_use_a_threshold_of_one_half() -> None:
    found = correct_score(np.array([0.5, 0.49, 0.9, 0.1]), [0.5, 0.4, 0.3, 0.2])
    assert (found.agreement, found.sensitivity) == (0.75, 1.0)
    assert found.specificity == pytest.approx(2 / 3)


def test_fully_labeled_rows_give_the_mean_label() -> None:
    scores, people = judged(100, 4)
    found = correct_score(scores, people)
    assert (found.corrected, found.weight, found.labels) == (people.mean(), 0.0, 100)
    assert found.interval == pytest.approx(proportion_interval(int(people.sum()), 100))
    assert found.warnings == []


def test_missing_labels_are_reported() -> None:
    found = correct_score(np.array([0.0, 1.0]), [None, NAN])
    assert found == Correction(None, (0.0, 1.0), 0.0, 0, None, None, None, None, None, ["there are no human labels"])


@pytest.mark.parametrize("label", [0, 1])
def test_identical_labels_give_wilsons_interval_and_a_warning(label: int) -> None:
    scores, _ = judged(100, 4)
    found = correct_score(scores, [label] * 40 + [None] * 60)
    assert found.corrected == label
    assert found.interval == pytest.approx(proportion_interval(40 * label, 40))
    assert found.kappa is None or found.kappa == 0
    assert ["all human labels are equal" in warning for warning in found.warnings] == [True]


@pytest.mark.parametrize("rows", [150, 10_000])
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_labels_equal_to_the_scores_give_wilsons_interval_and_a_warning(rows: int, noise: float) -> None:
    """Scores of 0 and 1, or of a judge that is nearly sure: no error among 100 labels does not mean that none occur."""
    _, people = judged(rows, 4)
    scores = np.abs(people - noise * np.random.default_rng(4).random(rows))
    labels = np.where(np.arange(rows) < 100, people, NAN)
    found = correct_score(scores, labels)
    assert found.interval == pytest.approx(proportion_interval(int(people[:100].sum()), 100))
    assert found.corrected == pytest.approx(people[:100].mean())
    assert "differ by the same" in found.warnings[0]


def test_graded_labels_close_to_their_scores_are_used() -> None:
    random = np.random.default_rng(4)
    people = random.random(1000)
    labels = np.where(np.arange(1000) < 100, people, NAN)
    low, high = correct_score(people + 0.01 * random.random(1000), labels).interval
    assert high - low < 0.05


@pytest.mark.parametrize(("labels", "missed"), [(30, 0.02), (50, 0.05), (100, 0.02)])
def test_interval_covers_if_the_metric_rarely_misses_right_answers(labels: int, missed: float) -> None:
    """A normal interval covers 65 to 90% here: often no label shows an error, which all go in one direction."""
    covered = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        people = (random.random(5000) < 0.5).astype(float)
        scores = people * (random.random(5000) >= missed)
        low, high = correct_score(scores, sample_labels(people, labels, seed)).interval
        covered += low <= 0.5 <= high
    assert covered / 200 >= 0.92


def test_few_labels_cause_a_warning() -> None:
    scores, people = judged(100, 4)
    assert "only 29 human labels: " in correct_score(scores, sample_labels(people, 29, 0)).warnings[0]
    assert correct_score(scores, sample_labels(people, 30, 0)).warnings == []


def test_labels_of_rows_without_a_score_are_excluded_and_counted() -> None:
    scores, people = judged(100, 4)
    labels = sample_labels(people, 60, 0)
    scores[np.flatnonzero(~np.isnan(labels))[:2]] = NAN
    found = correct_score(scores, labels)
    assert found.labels == 58
    assert found.warnings == ["human labels of rows without a score are left out: 2"]


def test_single_cluster_is_rejected() -> None:
    with pytest.raises(ValueError, match="at least two clusters"):
        correct_score(np.array([0.0, 1.0]), [1, None], clusters=["a", "a"])


def test_labels_in_one_cluster_only_give_the_widest_interval() -> None:
    found = correct_score(np.array([0.0, 1.0, 1.0]), [1, 1, None], clusters=["a", "a", "b"])
    assert found.interval == (0.0, 1.0)
    assert "in one cluster" in found.warnings[-1]


ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([None, 0, 0.6, 1]), st.integers(0, 3)),
    min_size=1,
    max_size=40,
)


@given(ROWS, st.randoms(use_true_random=False), st.sampled_from(["rows", "clusters"]))
def test_row_order_does_not_change_results_and_they_stay_in_range(rows: list[Any], random: Any, units: str) -> None:
    def corrected(rows: list[Any]) -> Correction:
        scores, labels, clusters = zip(*rows, strict=True)
        together = units == "clusters" and len(set(clusters)) > 1
        return correct_score(np.array(scores), labels, clusters=clusters if together else None)

    found = corrected(rows)
    random.shuffle(rows)
    assert corrected(rows) == found
    low, high = found.interval
    assert 0 <= low < high <= 1
    assert found.corrected is None or low <= found.corrected <= high
