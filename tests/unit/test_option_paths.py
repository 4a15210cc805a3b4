"""Options on every path that takes them, and values of results, against slow references: SciPy and plain loops."""

import itertools
import math
import re
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.stats

import answer_metrics

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
def systems(accuracy: Any) -> dict[str, Columns]:
    references = [f"answer {question}" for question in ROW_COLUMNS["question"]]
    answers = {name: np.where(right, references, "?").tolist() for name, right in RIGHT.items()}
    inputs = {name: {"predictions": texts, "references": references} for name, texts in answers.items()}
    return {name: {**accuracy.score_batch(columns), **ROW_COLUMNS} for name, columns in inputs.items()}


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
    return [{name: values[group::4] for name, values in columns.items()} for group in range(4)]


def grouped(accuracy: Any, systems: dict[str, Columns], **options: Any) -> Any:
    return aggregated(accuracy, systems["a"], by="one", **options)["groups"]["x"]


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
    "groups": grouped,
}


@pytest.mark.filterwarnings("ignore:.*single row")
@pytest.mark.parametrize("path", INTERVAL_PATHS)
@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "bootstrap"])
def test_options_give_the_reference_interval_on_every_path(accuracy: Any, systems: Any, path: str, method: str) -> None:
    for level, seed in itertools.product(LEVELS, (0, 7)):
        options = {"confidence_level": level, "confidence_method": method, "bootstrap_seed": seed}
        bounds = INTERVAL_PATHS[path](accuracy, systems, **options)["accuracy_confidence_interval"]
        expected = reference_interval(int(RIGHT["a"].sum()), ROWS, level, method, seed)
        assert bounds == pytest.approx(expected, abs=1e-9), options


# ---- tests of differences


def reference_holm(p_values: list[float]) -> list[float]:
    """Of each p-value, the largest of all p-values up to it times the number of those that are not smaller."""
    order = sorted(p_values)
    return [max(min(1.0, p * (len(order) - k)) for k, p in enumerate(order) if p <= own) for own in p_values]


def p_values(comparisons: list[dict[str, Any]], kind: str = "p_value") -> list[float]:
    return [comparison[kind] for comparison in comparisons]


def test_p_values_of_all_groups_and_systems_are_one_family(accuracy: Any, systems: dict[str, Columns]) -> None:
    result = accuracy.compare(systems, by="group")
    family = [comparison for group in result["groups"].values() for comparison in group.values()]
    assert len(family) == 8
    assert p_values(family, "adjusted_p_value") == pytest.approx(reference_holm(p_values(family)))
    for name, group in result["groups"].items():
        for system, comparison in group.items():
            sides = [RIGHT[side][[row for row in range(ROWS) if row % 4 == int(name[1])]] for side in ("a", system)]
            wins, losses = int((sides[1] & ~sides[0]).sum()), int((sides[0] & ~sides[1]).sum())
            assert comparison["p_value"] == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue)


@pytest.mark.filterwarnings("ignore:.*human labels:UserWarning")
def test_p_values_of_systems_and_of_pairs_are_adjusted(accuracy: Any, systems: dict[str, Columns]) -> None:
    labeled = {}
    for name, columns in systems.items():
        labels = [float(right ^ (row % 9 == 0)) if row % 2 else None for row, right in enumerate(RIGHT[name])]
        labeled[name] = {**columns, "human": labels}
    for baseline in ("a", "all"):
        result = accuracy.compare(labeled, baseline=baseline, human_labels="human")
        family = result.get("pairs") or [result["systems"][name] for name in "bc"]
        for kind in ("p_value", "corrected_p_value"):
            assert p_values(family, f"adjusted_{kind}") == pytest.approx(reference_holm(p_values(family, kind)))


@pytest.mark.parametrize("seed", [0, 5])
def test_seed_reaches_the_permutation_test_on_every_path(accuracy: Any, systems: dict[str, Columns], seed: int) -> None:
    options = {"bootstrap_seed": seed, "resamples": 200, "clusters": "document"}
    two = {name: systems[name] for name in "ab"}
    alone = accuracy.compare(two, **options)["systems"]["b"]
    paths = [
        accuracy.compare(two, baseline="all", **options)["pairs"][0],
        accuracy.compare(two, by="one", **options)["groups"]["x"]["b"],
        accuracy.compare(two, on="id", **options)["systems"]["b"],
    ]
    assert alone["test"] == f"permutation test of clusters, 200 resamples, seed {seed}"
    assert [(path["p_value"], path["test"]) for path in paths] == [(alone["p_value"], alone["test"])] * 3
    seeds = [accuracy.compare(two, **{**options, "bootstrap_seed": other}) for other in range(6, 10)]
    loaded = answer_metrics.load("accuracy", bootstrap_seed=7)
    assert loaded.compare(two, **{**options, "bootstrap_seed": 0}) == accuracy.compare(
        two, **options | {"bootstrap_seed": 0}
    )
    assert {result["systems"]["b"]["p_value"] for result in seeds} != {alone["p_value"]}


# ---- planning


@pytest.mark.parametrize("second", [None, "b"])
@pytest.mark.parametrize("clusters", [None, "document"])
def test_required_rows_equal_connetts_formula(accuracy: Any, systems: Any, second: Any, clusters: Any) -> None:
    def variance(scores: Any) -> float:
        """The variance of one row: that of the mean times the number of rows."""
        if clusters is None:
            return float(np.var(scores, ddof=1))
        sums = np.add.reduceat(scores - scores.mean(), range(0, ROWS, 4))
        return float((sums**2).sum() / ROWS * len(sums) / (len(sums) - 1))

    def rows(total: float, level: float, power: float, difference: float) -> int:
        z, z_power = map(float, scipy.stats.norm.ppf([(1 + level) / 2, power]))
        root = z * math.sqrt(total + difference**2) + z_power * math.sqrt(total)
        return math.ceil((root / difference) ** 2 + (0 if clusters else 1 / difference))

    first, other = RIGHT["a"].astype(float), RIGHT[second or "a"].astype(float)
    worst = variance(first) + variance(other)
    typical = variance(other - first) if second else 0.55 * worst
    options = {"clusters": clusters, "second": second and systems[second]}
    for level, power, difference in ((0.95, 0.8, 0.1), (0.9, 0.8, 0.1), (0.95, 0.9, 0.05)):
        plan = accuracy.required_n(systems["a"], difference, power, confidence_level=level, **options)
        numbers = [rows(total, level, power, difference) for total in (typical, worst)]
        assert plan == dict(zip(("n", "n_worst"), numbers, strict=True))


# ---- samples of a question


def test_parts_of_the_variance_equal_their_definitions(accuracy: Any, systems: dict[str, Columns]) -> None:
    result = accuracy.repeats(systems["b"], on="question")
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
        again = accuracy.repeats(systems["b"], on="question", confidence_level=level)
        low, high = again["accuracy_confidence_interval"]
        assert again["accuracy"] == pytest.approx(statistics.fmean(means))
        assert low < again["accuracy"] < high
        assert f"({level * 100:g}% CI {low:.4f} to {high:.4f})" in str(again)


# ---- columns in chunks

TEXTS = [f"text {row}" for row in range(900)]


@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match", "token_f1"])
@pytest.mark.filterwarnings("ignore:.*1 (row of )?prediction:UserWarning")
def test_odd_row_in_any_chunk_scores_as_alone(metric: Any, name: str) -> None:
    common = metric(name).score_batch({"predictions": ["text"], "references": ["text"]})
    odd_texts = ("<think>no</think> right", "RIGHT", "wrong", "<think> right")
    for row, odd in itertools.product((0, 299, 300, 899), odd_texts):
        alone = metric(name).score_batch({"predictions": [odd], "references": ["right"]})
        chunks = {}
        for column, text in (("predictions", odd), ("references", "right")):
            values = [*TEXTS[:row], text, *TEXTS[row + 1 :]]
            chunks[column] = pa.chunked_array([pa.array(["x", *values[:300]])[1:], values[300:301], values[301:]])
        scored = metric(name).score_batch(pa.table(chunks)).to_pydict()
        for column, values in scored.items():
            assert values == [*common[column] * row, alone[column][0], *common[column] * (899 - row)]


@pytest.mark.parametrize("argument", ["predictions", "references"])
def test_missing_text_in_any_chunk_is_named_with_its_row(accuracy: Any, argument: str) -> None:
    for row in (0, 300, 899):
        with_null = [*TEXTS[:row], None, *TEXTS[row + 1 :]]
        columns = dict.fromkeys(("predictions", "references"), pa.chunked_array([TEXTS[:300], TEXTS[300:]]))
        columns[argument] = pa.chunked_array([with_null[:300], with_null[300:]], pa.string())
        for call in (accuracy.compute, lambda **inputs: accuracy.score_batch(inputs)):
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


def test_message_names_the_row(metric: Any) -> None:
    for name, predictions, references, options, place in MESSAGES:
        with pytest.raises(ValueError, match=rf"^{name}: .*{re.escape(place)}(?!\[)"):
            metric(name).compute(predictions=predictions, references=references, **options)


def test_message_of_a_table_names_the_row(metric: Any) -> None:
    exact_match = metric("answer_exact_match")
    with pytest.raises(ValueError, match=r"^answer_exact_match: answer_exact_match_individual_scores\[3\] is 'x'"):
        exact_match.aggregate({"answer_exact_match_individual_scores": [0, 1, 1, "x"]})
    rows = [{"predictions": "a", "references": "b"}] * 3
    with pytest.raises(ValueError, match=r"^answer_exact_match: row 3 has no 'references'"):
        exact_match.score_batch([*rows, {"predictions": "a"}])


def test_samples_that_differ_are_named_with_their_rows(accuracy: Any) -> None:
    columns = {"id": [*"ababa"], "predictions": GOOD, "references": ["x", "y", "x", "y", "z"]}
    scored = {**columns, **accuracy.score_batch(columns)}
    with pytest.raises(ValueError, match=r"references of id 'a' differ: \['x'\] .* in row 0, \['z'\] .* in row 4"):
        accuracy.repeats(scored, on="id")
