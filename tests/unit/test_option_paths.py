"""Options on every path that takes them, and values of results, against slow references: SciPy and plain loops."""

import math
import re
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.stats

Columns = dict[str, list[Any]]
ROWS = 96
RNG = np.random.default_rng(5)
RIGHT = {name: RNG.random(ROWS) < share for name, share in {"a": 0.6, "b": 0.7, "c": 0.8}.items()}
ROW_COLUMNS: Columns = {
    "id": list(range(ROWS)),
    "group": [f"g{row % 4}" for row in range(ROWS)],
    "document": [f"d{row // 4}" for row in range(ROWS)],
    "one": ["x"] * ROWS,
    "question": [[0, 1, 1, 2, 2, 2][row % 6] + 3 * (row // 6) for row in range(ROWS)],  # of 1, 2 and 3 samples
}
LEVELS = [0.5, 0.9, 0.995]


@pytest.fixture(scope="module")
def systems(metric: Callable[[str], Any]) -> dict[str, Columns]:
    references = [f"answer {question}" for question in ROW_COLUMNS["question"]]
    return {
        name: {
            **metric("accuracy").score_batch(
                {"predictions": np.where(right, references, "?").tolist(), "references": references}
            ),
            **ROW_COLUMNS,
        }
        for name, right in RIGHT.items()
    }


def rows_where(columns: Columns, name: str, value: Any) -> Columns:
    rows = [row for row, other in enumerate(columns[name]) if other == value]
    return {column: [values[row] for row in rows] for column, values in columns.items()}


# ---- intervals of proportions


def reference_interval(right: int, total: int, level: float, method: str, seed: int) -> tuple[float, float]:
    if method == "bootstrap":
        shares = np.random.default_rng(seed).binomial(total, right / total, size=1000) / total
        low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)
    scipy_method = {"wilson": "wilson", "clopper-pearson": "exact"}[method]
    bounds = scipy.stats.binomtest(right, total).proportion_ci(level, method=scipy_method)
    return bounds.low, bounds.high


def computed(accuracy: Any, systems: dict[str, Columns], **options: Any) -> Any:
    texts = ["right" if right else "wrong" for right in RIGHT["a"]]
    return accuracy.compute(predictions=texts, references=["right"] * ROWS, return_confidence=True, **options)


def compared(accuracy: Any, systems: dict[str, Columns], **options: Any) -> Any:
    return accuracy.compare({name: systems[name] for name in "ab"}, **options)["systems"]["a"]


def aggregated(accuracy: Any, columns: Any, **options: Any) -> Any:
    return accuracy.aggregate(columns, return_confidence=True, **options)


def shards(columns: Columns) -> list[Columns]:
    return [rows_where(columns, "group", f"g{group}") for group in range(4)]


# Each takes the metric, scored systems, and the options.
INTERVAL_PATHS: dict[str, Callable[..., Any]] = {
    "compute": computed,
    "loaded": lambda accuracy, systems, **options: computed(type(accuracy)(**options), systems),
    "aggregate": lambda accuracy, systems, **options: aggregated(accuracy, systems["a"], **options),
    "details": lambda accuracy, systems, **options: aggregated(accuracy, systems["a"], return_details=True, **options),
    "table": lambda accuracy, systems, **options: aggregated(accuracy, pa.table(systems["a"]), **options),
    "shards": lambda accuracy, systems, **options: aggregated(accuracy, shards(systems["a"]), **options),
    "compare": compared,
    "pairs": lambda accuracy, systems, **options: compared(accuracy, systems, baseline="all", **options),
    "groups": lambda accuracy, systems, **options: aggregated(accuracy, systems["a"], by="one", **options)["groups"][
        "x"
    ],
}


@pytest.mark.filterwarnings("ignore:.*single row")
@pytest.mark.parametrize("path", INTERVAL_PATHS)
@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "bootstrap"])
def test_level_method_and_seed_give_the_reference_interval_on_every_path(
    metric: Any, systems: dict[str, Columns], path: str, method: str
) -> None:
    for level in LEVELS:
        for seed in (0, 7):
            options = {"confidence_level": level, "confidence_method": method, "bootstrap_seed": seed}
            bounds = INTERVAL_PATHS[path](metric("accuracy"), systems, **options)["accuracy_confidence_interval"]
            expected = reference_interval(int(RIGHT["a"].sum()), ROWS, level, method, seed)
            assert bounds == pytest.approx(expected, abs=1e-9), options


# ---- tests of differences


def reference_holm(p_values: list[float]) -> list[float]:
    """Of each p-value, the largest of all p-values up to it times the number of those that are not smaller."""
    order = sorted(p_values)
    return [max(min(1.0, p * (len(order) - k)) for k, p in enumerate(order) if p <= own) for own in p_values]


def p_values(comparisons: list[dict[str, Any]], kind: str = "p_value") -> list[float]:
    return [comparison[kind] for comparison in comparisons]


def test_p_values_of_all_groups_and_systems_are_one_family(metric: Any, systems: dict[str, Columns]) -> None:
    result = metric("accuracy").compare(systems, by="group")
    family = [comparison for group in result["groups"].values() for comparison in group.values()]
    assert len(family) == 8
    assert p_values(family, "adjusted_p_value") == pytest.approx(reference_holm(p_values(family)))
    for name, group in result["groups"].items():
        for system, comparison in group.items():
            sides = [RIGHT[side][[row for row in range(ROWS) if row % 4 == int(name[1])]] for side in ("a", system)]
            wins, losses = int((sides[1] & ~sides[0]).sum()), int((sides[0] & ~sides[1]).sum())
            assert comparison["p_value"] == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue)


@pytest.mark.filterwarnings("ignore:.*human labels:UserWarning")
@pytest.mark.parametrize("kind", ["p_value", "corrected_p_value"])
def test_p_values_of_systems_and_of_pairs_are_adjusted(metric: Any, systems: dict[str, Columns], kind: str) -> None:
    labeled = {}
    for name, columns in systems.items():
        labels = [float(right ^ (row % 9 == 0)) if row % 2 else None for row, right in enumerate(RIGHT[name])]
        labeled[name] = {**columns, "human": labels}
    for baseline in ("a", "all"):
        result = metric("accuracy").compare(labeled, baseline=baseline, human_labels="human")
        family = result.get("pairs") or [result["systems"][name] for name in "bc"]
        assert p_values(family, f"adjusted_{kind}") == pytest.approx(reference_holm(p_values(family, kind)))


@pytest.mark.parametrize("seed", [0, 5])
def test_seed_reaches_the_permutation_test_on_every_path(metric: Any, systems: dict[str, Columns], seed: int) -> None:
    options = {"bootstrap_seed": seed, "resamples": 200, "clusters": "document"}
    two = {name: systems[name] for name in "ab"}
    alone = metric("accuracy").compare(two, **options)["systems"]["b"]
    paths = [
        metric("accuracy").compare(two, baseline="all", **options)["pairs"][0],
        metric("accuracy").compare(two, by="one", **options)["groups"]["x"]["b"],
        metric("accuracy").compare(two, on="id", **options)["systems"]["b"],
    ]
    assert alone["test"] == f"permutation test of clusters, 200 resamples, seed {seed}"
    assert [(path["p_value"], path["test"]) for path in paths] == [(alone["p_value"], alone["test"])] * 3
    seeds = [metric("accuracy").compare(two, **{**options, "bootstrap_seed": other}) for other in range(6, 10)]
    assert {result["systems"]["b"]["p_value"] for result in seeds} != {alone["p_value"]}


# ---- planning


@pytest.mark.parametrize("second", [None, "b"])
@pytest.mark.parametrize("clusters", [None, "document"])
@pytest.mark.parametrize(("level", "power", "difference"), [(0.95, 0.8, 0.1), (0.9, 0.8, 0.1), (0.95, 0.9, 0.05)])
def test_required_rows_equal_connetts_formula(
    metric: Any,
    systems: dict[str, Columns],
    second: str | None,
    clusters: str | None,
    level: float,
    power: float,
    difference: float,
) -> None:
    def variance(scores: Any) -> float:
        """The variance of one row: that of the mean times the number of rows."""
        if clusters is None:
            return float(np.var(scores, ddof=1))
        sums = np.add.reduceat(scores - scores.mean(), range(0, ROWS, 4))
        return float((sums**2).sum() / ROWS * len(sums) / (len(sums) - 1))

    def rows(total: float) -> int:
        z, z_power = map(float, scipy.stats.norm.ppf([(1 + level) / 2, power]))
        root = z * math.sqrt(total + difference**2) + z_power * math.sqrt(total)
        return math.ceil((root / difference) ** 2 + (0 if clusters else 1 / difference))

    first, other = RIGHT["a"].astype(float), RIGHT[second or "a"].astype(float)
    worst = variance(first) + variance(other)
    options = {"confidence_level": level, "clusters": clusters, "second": second and systems[second]}
    planned = metric("accuracy").required_n(systems["a"], difference, power, **options)
    assert planned == {"n": rows(variance(other - first) if second else 0.55 * worst), "n_worst": rows(worst)}


# ---- samples of a question


def test_parts_of_the_variance_equal_their_definitions(metric: Any, systems: dict[str, Columns]) -> None:
    result = metric("accuracy").repeats(systems["b"], on="question")
    samples: dict[int, list[float]] = {}
    for question, right in zip(ROW_COLUMNS["question"], RIGHT["b"], strict=True):
        samples.setdefault(question, []).append(float(right))
    means = [statistics.fmean(scores) for scores in samples.values()]
    within = statistics.fmean(statistics.variance(scores) for scores in samples.values() if len(scores) > 1)
    by_samples = statistics.fmean(within / len(scores) for scores in samples.values())
    total = statistics.variance(means)
    assert result["variance_within"] == pytest.approx(within)
    assert result["variance_between"] == pytest.approx(total - by_samples)
    assert result["removable_share"] == pytest.approx(by_samples / total)
    assert 0 < result["variance_between"] < total
    for level in LEVELS:
        again = metric("accuracy").repeats(systems["b"], on="question", confidence_level=level)
        low, high = again["accuracy_confidence_interval"]
        assert again["accuracy"] == pytest.approx(statistics.fmean(means))
        assert low < again["accuracy"] < high
        assert f"({level * 100:g}% CI {low:.4f} to {high:.4f})" in str(again)


@pytest.mark.parametrize("level", LEVELS)
def test_summary_of_a_comparison_names_its_level(metric: Any, systems: dict[str, Columns], level: float) -> None:
    assert str(metric("accuracy").compare(systems, confidence_level=level)).count(f"({level * 100:g}% CI ") == 6


# ---- columns in chunks

TEXTS = [f"text {row}" for row in range(900)]


@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match", "token_f1"])
@pytest.mark.parametrize("row", [0, 299, 300, 899])
@pytest.mark.parametrize("odd", ["<think>no</think> right", "RIGHT", "wrong", "<think> right"])
@pytest.mark.filterwarnings("ignore:.*1 (row of )?prediction:UserWarning")
def test_odd_row_in_any_chunk_scores_as_alone(metric: Any, name: str, row: int, odd: str) -> None:
    predictions = [*TEXTS[:row], odd, *TEXTS[row + 1 :]]
    references = [*TEXTS[:row], "right", *TEXTS[row + 1 :]]
    alone = metric(name).score_batch({"predictions": [odd], "references": ["right"]})
    common = metric(name).score_batch({"predictions": ["text"], "references": ["text"]})
    chunks = {
        column: pa.chunked_array([pa.array(["x", *values[:300]])[1:], values[300:301], values[301:]])
        for column, values in (("predictions", predictions), ("references", references))
    }
    scored = metric(name).score_batch(pa.table(chunks)).to_pydict()
    for column, values in scored.items():
        expected = common[column] * 900
        expected[row] = alone[column][0]
        assert values == expected


@pytest.mark.parametrize("row", [0, 300, 899])
@pytest.mark.parametrize("argument", ["predictions", "references"])
def test_missing_text_in_any_chunk_is_named_with_its_row(metric: Any, argument: str, row: int) -> None:
    values = pa.chunked_array([TEXTS[:300], TEXTS[300:]])
    with_null = [*TEXTS[:row], None, *TEXTS[row + 1 :]]
    columns = {"predictions": values, "references": values} | {
        argument: pa.chunked_array([pa.array(with_null[:300], pa.string()), pa.array(with_null[300:], pa.string())])
    }
    for call in (metric("accuracy").compute, lambda **inputs: metric("accuracy").score_batch(inputs)):
        with pytest.raises(ValueError, match=rf"^accuracy: {argument}\[{row}\] is None, not a string"):
            call(**columns)


# ---- row numbers in messages


def fail_on_bad(text: str) -> str:
    if text == "bad":
        raise LookupError
    return text


def split_or_fail(text: str) -> list[str]:
    return [fail_on_bad(text)]


GOOD, BAD = ["ok"] * 5, ["ok", "ok", "ok", "bad", "ok"]
GOOD_LISTS, BAD_LISTS = [["ok", "ok"]] * 5, [["ok", "ok"]] * 3 + [["ok", "bad"], ["ok"]]
SPLIT = {"sentence_splitter": split_or_fail, "matching_strategy": "EXACT_SENTENCE_MATCH"}
RELEVANCE = [[1, 1]] * 3
MESSAGES: list[tuple[str, list[Any], list[Any], dict[str, Any], str]] = [
    ("token_f1", BAD, GOOD, {"normalizer": fail_on_bad}, "predictions[3]"),
    ("token_f1", GOOD, BAD, {"normalizer": fail_on_bad}, "references[3]"),
    ("answer_exact_match", GOOD, BAD_LISTS, {"normalizer": fail_on_bad}, "references[3][1]"),
    ("precision_recall_f1", BAD_LISTS, GOOD_LISTS, SPLIT, "predictions[3][1]"),
    ("ranked_retrieval", GOOD_LISTS, BAD_LISTS, SPLIT, "references[3][1]"),
    ("ranked_retrieval", GOOD_LISTS, GOOD_LISTS, {"relevance": [*RELEVANCE, [1], [1, 1]]}, "relevance[3]"),
    ("ranked_retrieval", GOOD_LISTS, GOOD_LISTS, {"relevance": [*RELEVANCE, [1, -1], [1, 1]]}, "relevance[3][1]"),
]


@pytest.mark.parametrize(("name", "predictions", "references", "options", "place"), MESSAGES)
def test_message_names_the_row(
    metric: Any, name: str, predictions: list[Any], references: list[Any], options: dict[str, Any], place: str
) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: .*{re.escape(place)}(?!\[)"):
        metric(name).compute(predictions=predictions, references=references, **options)


def test_message_of_a_table_names_the_row(metric: Any) -> None:
    exact_match = metric("answer_exact_match")
    with pytest.raises(ValueError, match=r"^answer_exact_match: answer_exact_match_individual_scores\[3\] is 'x'"):
        exact_match.aggregate({"answer_exact_match_individual_scores": [0, 1, 1, "x"]})
    rows = [{"predictions": "a", "references": "b"}] * 3
    with pytest.raises(ValueError, match=r"^answer_exact_match: row 3 has no 'references'"):
        exact_match.score_batch([*rows, {"predictions": "a"}])


def test_samples_that_differ_are_named_with_their_rows(metric: Any) -> None:
    columns = {"id": [*"ababa"], "predictions": GOOD, "references": ["x", "y", "x", "y", "z"]}
    scored = {**columns, **metric("accuracy").score_batch(columns)}
    with pytest.raises(ValueError, match=r"references of id 'a' differ: \['x'\] .* in row 0, \['z'\] .* in row 4"):
        metric("accuracy").repeats(scored, on="id")
