"""Comparisons of systems: margins, adjusted p-values, results and summaries."""

import json
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from statsmodels.stats.multitest import multipletests

from metrics._shared._comparison import Comparison
from metrics._shared._comparison import adjust_p_values
from metrics._shared._comparison import compare_statistics
from metrics._shared._statistics import mean_statistic
from metrics._shared._statistics import pooled_statistic
from metrics._shared._statistics import proportion_statistic

from .test_statistics import counts_of_queries
from .test_statistics import f1


def compared(systems: dict[str, Any], **options: Any) -> Comparison:
    statistics = {name: {"score": mean_statistic(scores)} for name, scores in systems.items()}
    return compare_statistics(statistics, baseline="a", main_score="score", **options)


# ---- order of rows


@pytest.mark.parametrize("values", [2, 40], ids=["few-valued", "many-valued"])
@pytest.mark.parametrize("clustered", ["rows", "clusters"])
def test_row_order_does_not_change_the_comparison(values: int, clustered: str) -> None:
    random = np.random.default_rng(4)
    scores = np.round(random.random((60, 2)) * values) / values
    labels = random.integers(20, size=60) if clustered == "clusters" else None
    results = []
    for order in (np.arange(60), np.arange(60)[::-1], random.permutation(60)):
        systems = {"a": scores[order, 0], "b": scores[order, 1]}
        clusters = None if labels is None else labels[order].tolist()
        results.append(compared(systems, clusters=clusters, resamples=500))
    assert results[0] == results[1] == results[2]


# ---- margins


@pytest.mark.parametrize(
    ("shift", "noninferior", "equivalent"), [(-0.2, False, False), (0.0, True, True), (0.2, True, False)]
)
def test_margin_runs_two_one_sided_tests(shift: float, *, noninferior: bool, equivalent: bool) -> None:
    random = np.random.default_rng(1)
    scores = 0.3 + 0.4 * random.random(300)
    result = compared({"a": scores, "b": scores + shift + random.normal(0, 0.05, 300)}, margin=0.05)
    found = result["systems"]["b"]
    assert (found["noninferior"], found["equivalent"]) == (noninferior, equivalent)


def test_noninferiority_uses_the_interval_at_one_minus_two_alpha() -> None:
    random = np.random.default_rng(8)
    ours, theirs = random.random((2, 80))
    low, high = scipy.stats.ttest_rel(ours, theirs).confidence_interval(0.9)
    for margin, noninferior in [(-low * 1.01, True), (-low * 0.99, False)]:
        found = compared({"a": theirs, "b": ours}, margin=margin)["systems"]["b"]
        assert found["noninferior"] is noninferior
        assert found["equivalent"] is bool(noninferior and high < margin)


# ---- results


@pytest.mark.parametrize("systems", [1, 2, 3, 8])
def test_holm_equals_statsmodels(systems: int) -> None:
    for p_values in np.random.default_rng(systems).random((4, systems)).round(1).tolist():
        assert adjust_p_values(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist())


def test_single_score_gives_flat_result_and_several_give_mappings() -> None:
    one = compared({"a": [0.1, 0.5, 0.9], "b": [0.2, 0.4, 1.0]})
    assert one["systems"]["b"]["difference"] == pytest.approx(0.1 / 3)
    assert set(one["systems"]["a"]) == {"score", "score_confidence_interval"}
    rows = counts_of_queries(1, 5)
    several = compare_statistics(
        {
            name: {
                "precision": pooled_statistic(rows[:2], lambda sums: sums[..., 0] / sums[..., 1]),
                "f1": pooled_statistic(rows, f1),
            }
            for name in ("a", "b")
        },
        baseline="a",
        main_score="f1",
    )
    assert several["systems"]["b"]["difference"] == {"precision": 0.0, "f1": 0.0}
    assert several["systems"]["b"]["p_value"] == {"precision": 1.0, "f1": 1.0}
    assert "difference" not in several["systems"]["a"]
    assert str(several).startswith("f1: b ")


def test_wins_losses_and_ties_count_rows() -> None:
    result = compared({"a": [0.1, 0.5, 0.9, 0.9], "b": [0.2, 0.4, 1.0, 0.9]}, clusters=["x", "x", "y", "z"])
    found = result["systems"]["b"]
    assert (found["wins"], found["losses"], found["ties"]) == (2, 1, 1)
    assert (result["total"], result["clusters"]) == (4, 3)


def test_result_contains_the_name_of_the_test() -> None:
    random = np.random.default_rng(1)
    scores = {"a": random.random(30), "b": random.random(30)}
    clusters = [index // 5 for index in range(30)]
    binary_scores = {name: {"score": proportion_statistic(values > 0.5)} for name, values in scores.items()}
    few = {name: values[:5] for name, values in scores.items()}
    named = [
        compare_statistics(binary_scores, baseline="a", main_score="score"),
        compared(few),
        compared(scores, resamples=500, seed=7),
        compared(scores, clusters=clusters),
        compared(scores, clusters=clusters, resamples=63),
    ]
    assert [result["systems"]["b"]["test"] for result in named] == [
        "exact McNemar test",
        "exact permutation test of rows",
        "permutation test of rows, 500 resamples, seed 7",
        "exact permutation test of clusters",
        "permutation test of clusters, 63 resamples, seed 0",
    ]


def test_rows_without_a_score_are_excluded_pairwise_and_counted() -> None:
    gaps = compared({"a": [0.1, None, 0.9, 0.3], "b": [0.2, 0.4, None, 0.5], "c": [0.2, 0.4, 0.3, 0.5]})
    plain = compared({"a": [0.1, 0.3], "b": [0.2, 0.5]})
    for key in ("difference", "difference_confidence_interval", "p_value", "wins", "minimum_detectable_difference"):
        assert gaps["systems"]["b"][key] == plain["systems"]["b"][key]
    assert (gaps["systems"]["b"]["left_out"], gaps["systems"]["c"]["left_out"]) == (2, 1)
    assert gaps["total"] == 4
    assert "2 rows left out" in str(gaps)


def test_no_common_rows_in_clusters_give_the_widest_interval() -> None:
    pairs: list[dict[str, list[float | None]]] = [
        {"a": [0.1, 0.2, None, None], "b": [None, None, 0.3, 0.4]},
        {"a": [], "b": []},
    ]
    for scores in pairs:
        rows = len(scores["a"])
        result = compared(scores, clusters=["x", "x", "y", "y"][:rows])
        found = result["systems"]["b"]
        assert (found["difference_confidence_interval"], found["p_value"]) == ((-1.0, 1.0), 1.0)
        assert (found["left_out"], result["clusters"]) == (rows, rows // 2)


def test_summary_counts_in_the_singular() -> None:
    summary = str(compared({"a": [0.1, 0.5, 0.9, None], "b": [0.2, 0.4, 0.9, 1.0]}))
    assert "; 1 win, 1 loss, 1 tie; n = 3;" in summary
    assert "; 1 row left out because" in summary


def test_result_has_plain_values_only() -> None:
    random = np.random.default_rng(1)
    result = compared({"a": random.random(30), "b": random.random(30)}, clusters=["x", "y", "z"] * 10, margin=0.1)
    assert json.loads(json.dumps(result))["systems"]["b"]["wins"] == result["systems"]["b"]["wins"]

    def types(value: Any) -> set[type]:
        if isinstance(value, dict):
            return set().union(*map(types, value.values()))
        return set().union(*map(types, value)) if isinstance(value, tuple) else {type(value)}

    assert types(dict(result)) <= {float, int, str, bool}
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301  # our own
    assert str(pickle.loads(pickle.dumps(result))) == str(result)  # noqa: S301  # same


def test_summary_is_one_line() -> None:
    statistics = {
        "base": {"accuracy": proportion_statistic([1] * 70 + [0] * 30)},
        "tuned": {"accuracy": proportion_statistic([1] * 82 + [0] * 18)},
    }
    result = compare_statistics(statistics, baseline="base", main_score="accuracy")
    result["signature"] = "accuracy|case:no"
    assert str(result) == (
        "accuracy: tuned 0.8200 (95% CI 0.7333 to 0.8830) vs. base 0.7000 (95% CI 0.6042 to 0.7811); "
        "difference +0.1200 (95% CI +0.0700 to +0.1981), p = 0.00049 (exact McNemar test); "
        "12 wins, 0 losses, 88 ties; n = 100; accuracy|case:no"
    )


def test_summary_of_nonsignificant_test_reports_the_detectable_difference() -> None:
    summary = str(compared({"a": [0.1, 0.5, 0.9, 0.2], "b": [0.2, 0.4, 1.0, 0.2]}))
    assert "not significant, which does not mean equal: detectable with 80% power is a difference of 0.1" in summary


def test_summary_reports_disagreement_of_interval_and_test() -> None:
    statistics = {
        "a": {"accuracy": proportion_statistic([0] * 5 + [1] * 5)},
        "b": {"accuracy": proportion_statistic([1] * 10)},
    }
    result = compare_statistics(statistics, baseline="a", main_score="accuracy")
    assert result["systems"]["b"]["p_value"] == 0.0625
    assert result["systems"]["b"]["difference_confidence_interval"][0] > 0
    assert "the interval and the test disagree, so go by the test" in str(result)


def test_summary_has_a_line_per_system_with_adjusted_p_values() -> None:
    random = np.random.default_rng(2)
    lines = str(compared({name: random.random(20) for name in "abc"})).splitlines()
    assert [line.split()[1] for line in lines] == ["b", "c"]
    assert all("Holm-adjusted" in line for line in lines)


def test_single_cluster_is_rejected() -> None:
    with pytest.raises(ValueError, match="at least two clusters"):
        compared({"a": [0.1, 0.2], "b": [0.1, 0.3]}, clusters=["x", "x"])
