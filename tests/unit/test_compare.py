"""`compare`, clusters, human labels and `label_sample` of loaded metrics: table types, matching of rows, errors."""

import copy
import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset

from answer_metrics.statistics.comparison import compare, required_rows
from answer_metrics.statistics.statistic import proportion
from tests.unit.conftest import IDS, RIGHT, ROWS, raw, scored


@pytest.fixture(scope="module")
def two_systems(accuracy: Any) -> dict[str, Any]:
    return {name: scored(accuracy, name) for name in ("base", "tuned")}


def test_scored_columns_give_the_comparison_of_their_scores(accuracy: Any, two_systems: dict[str, Any]) -> None:
    statistics = {name: {"accuracy": proportion(RIGHT[name])} for name in two_systems}
    expected = compare(statistics, baseline="base", main_score="accuracy")
    result = accuracy.compare(two_systems)
    assert result.pop("signature") == accuracy.signature(accuracy.resolve_options({}))
    assert result == expected


def test_rows_of_a_mapped_dataset_are_not_scored_again(accuracy: Any, two_systems: Any, monkeypatch: Any) -> None:
    mapped = {name: Dataset.from_dict(raw(name)).map(accuracy.score_batch, batched=True) for name in two_systems}
    monkeypatch.setattr(type(accuracy), "score", lambda *_: pytest.fail("scored again"))
    assert accuracy.compare(mapped) == accuracy.compare(two_systems)


def test_clusters_of_very_different_sizes_cause_a_warning(accuracy: Any, two_systems: dict[str, Any]) -> None:
    one_large = ["large"] * 14 + [f"d{index}" for index in range(10)]
    message = "accuracy: the largest of 11 clusters has 58% of the rows: .* intervals are too narrow"
    with pytest.warns(UserWarning, match=message):
        accuracy.compare(two_systems, clusters=one_large)
    with pytest.warns(UserWarning, match=message):
        accuracy.aggregate(two_systems["base"], clusters=one_large)


def change(name: str, values: list[Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda columns: {**columns, name: values}


def shorten(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: values[:-2] for name, values in columns.items()}


def drop_fields(columns: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: values[0] for name, values in columns.items()}, {"id": "q1"}]


def drop_types(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: values for name, values in (raw("tuned") | columns).items() if name != "accuracy_match_types"}


ON_ID = {"on": "id"}


@pytest.mark.parametrize(
    ("changed", "options", "message"),
    [
        (shorten, {}, "different numbers of rows (base 24, tuned 22)"),
        (shorten, ON_ID, "2 of the id of base are not in tuned: 'q22', 'q23'"),
        (change("id", IDS[:2] * 2 + IDS[4:]), ON_ID, "2 of the id of tuned occur more than once"),
        (change("id", [pd.NA, None, *IDS[2:]]), ON_ID, "2 rows of tuned have no id"),
        (change("id", [[1]] * ROWS), ON_ID, "cannot be ids, such as lists"),
        (drop_fields, ON_ID, "systems['tuned']: row 1 has no '"),
        (drop_types, {}, "systems['tuned']: the batch has no column 'accuracy_match_types'"),
        (dict, {"on": "key"}, "systems['base']: the batch has no column 'key'"),
        (dict, {"clusters": ["d", "e"]}, "got 24 rows of base, 2 clusters; all columns must have the same length"),
        (change("document", ["d9"] * ROWS), {"clusters": "document"}, "24 rows of tuned have a different cluster"),
        (dict, {"clusters": "document", "confidence_method": "bootstrap"}, "confidence_method='bootstrap'"),
        (dict, {"baseline": ["base"]}, "baseline=['base'] is not one of the systems base, tuned"),
        (dict, {"resamples": 0}, "resamples must be an int of at least 1, got 0"),
        (change("id", list(range(ROWS))), ON_ID, "id has values of different types: str in base, int in tuned"),
        (shorten, {"missing": "wrong"}, 'missing="wrong" needs on= with the name of a column of ids'),
        (shorten, {"missing": "left out"}, 'missing must be one of "error", "wrong", "ignore", got \'left out\''),
        (dict, {"repeats": True}, "repeats=True needs on= with the name of a column of ids"),
        (dict, {"on": "id", "repeats": 1}, "repeats must be True or False, got 1"),
        (dict, {"on": "id", "repeats": True, "human_labels": "id"}, "human_labels cannot be combined with repeats"),
        (dict, {"on": "id", "missing": "wrong", "human_labels": "id"}, "human_labels cannot be combined with missing="),
        (dict, {"human_labels": [1] * ROWS}, "human_labels must be the name of a column of every system, got [1, 1"),
        (dict, {"by": "document", "baseline": "all"}, "by needs a baseline"),
        (change("document", ["d9"] * ROWS), {"by": "document"}, "24 rows of tuned have a different group"),
        (dict, {"margin": 0}, "margin must be a number above 0 and at most 1, got 0"),
        (dict, {"margin": 0.1, "confidence_level": 0.5}, "with margin, confidence_level must be above 0.5, got 0.5"),
    ],
)
def test_systems_that_cannot_be_compared_are_rejected(
    accuracy: Any, two_systems: dict[str, Any], changed: Callable[[Any], Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match="^accuracy: .*" + re.escape(message)):
        accuracy.compare({"base": two_systems["base"], "tuned": changed(two_systems["tuned"])}, **options)


def test_systems_are_a_mapping_of_two_names_or_more(accuracy: Any) -> None:
    wrong: list[tuple[Any, str]] = [({}, "got 0"), ({"a": {}}, "got 1 of them"), ([{}, {}], "got list")]
    for systems, count in wrong:
        with pytest.raises(ValueError, match=f"^accuracy: systems must map two names or more to .*, {count}"):
            accuracy.compare(systems)
    for systems in ({1: {}, "b": {}}, {"b": {}, 1: {}}):
        with pytest.raises(ValueError, match=r"^accuracy: systems are named by strings, not by 1 \(int\)"):
            accuracy.compare(systems)


def test_a_system_named_all_is_a_baseline_only_by_default(accuracy: Any, two_systems: dict[str, Any]) -> None:
    systems = {"all": two_systems["base"], "tuned": two_systems["tuned"]}
    with pytest.raises(ValueError, match='baseline="all" compares all pairs, but a system is named "all"; rename'):
        accuracy.compare(systems, baseline="all")
    result = accuracy.compare(systems)
    assert result["baseline"] == "all"
    assert "difference" in result["systems"]["tuned"]


class Unordered(dict[str, Any]):
    """Rows that come in any order, as those of Ray Data."""

    __module__ = "ray.data.dataset"


class Ordered(Unordered):
    """Rows of Ray Data that is configured to keep their order."""

    __module__ = "ray.data.dataset"
    context = SimpleNamespace(execution_options=SimpleNamespace(preserve_order=True))


def test_rows_without_an_order_are_not_matched_by_position(accuracy: Any, two_systems: dict[str, Any]) -> None:
    loose = {name: Unordered(columns) for name, columns in two_systems.items()}
    calls: list[Callable[[], Any]] = [
        lambda: accuracy.compare(loose),
        lambda: accuracy.compare(loose, on="id", clusters=IDS),
        lambda: accuracy.required_n(loose["base"], second=loose["tuned"]),
        lambda: accuracy.aggregate(loose["base"], by=IDS),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^accuracy: .*rows of a Ray Dataset come in any order, so they can"):
            call()
    ordered = {name: Ordered(columns) for name, columns in two_systems.items()}
    assert accuracy.compare(ordered) == accuracy.compare(two_systems)
    summary = accuracy.compare(loose, on="id", clusters="document")
    assert summary == accuracy.compare(two_systems, on="id", clusters="document")


def samples(loaded: Any, system: str, number: int) -> dict[str, list[Any]]:
    columns = scored(loaded, system)
    order = np.random.default_rng(number).permutation(np.repeat(np.arange(ROWS), number)).tolist()
    return {name: [values[row] for row in order] for name, values in columns.items()}


def test_means_of_questions_are_compared(accuracy: Any, two_systems: dict[str, Any]) -> None:
    expected = accuracy.compare(two_systems, on="id", by="document")
    repeated = {"base": samples(accuracy, "base", 2), "tuned": samples(accuracy, "tuned", 3)}
    with pytest.raises(ValueError, match=r"24 of the id of base occur more than once.* repeats=True"):
        accuracy.compare(repeated, on="id")
    result = accuracy.compare(repeated, on="id", by="document", repeats=True)
    assert [result["systems"][name].pop("samples") for name in ("base", "tuned")] == [(2, 2), (3, 3)]
    same = ("total", "score")
    assert [result[key] for key in same] == [expected[key] for key in same]
    for key in ("accuracy", "difference", "wins", "losses"):
        assert result["systems"]["tuned"].get(key) == expected["systems"]["tuned"].get(key), key
    ids = repeated["base"]["id"]
    first = ids.index(ids[-1])
    repeated["base"]["document"][-1] = "another"
    rows = rf"in row {first}, 'another' .* in row {len(ids) - 1}; samples of one question differ in their answers"
    with pytest.raises(ValueError, match=rf"by of id .* differ: .* {rows}"):
        accuracy.compare(repeated, on="id", by="document", repeats=True)


def test_integer_ids_may_be_floats_in_another_system(accuracy: Any, two_systems: dict[str, Any]) -> None:
    numbers = {name: {**rows, "id": [*range(ROWS)]} for name, rows in two_systems.items()}
    expected = accuracy.compare(numbers, on="id")
    numbers["tuned"] |= {"id": [float(number) for number in range(ROWS)]}  # as pandas reads a column with gaps
    assert accuracy.compare(numbers, on="id") == expected


def test_repeats_name_what_is_wrong_with_ids(accuracy: Any) -> None:
    rows = scored(accuracy, "base")
    for ids, message in (
        ([*IDS[1:], 7], "id has values of different types: int and str in scored; convert them to one type"),
        ([*IDS[1:], None], "1 row of scored has no id"),
        (IDS, "every question has one sample only; repeats needs several, and aggregate is for one"),
    ):
        with pytest.raises(ValueError, match=f"^accuracy: {message}"):
            accuracy.repeats({**rows, "id": ids}, on="id")


@pytest.mark.filterwarnings("ignore:.*thinking:UserWarning")
@pytest.mark.parametrize(
    ("answers", "options"),
    [
        (["Paris", "paris!", "Lyon", "", "", ""], {}),  # no answer has no vote
        (["<think>Lyon?</think>Paris", "Lyon", "paris"], {}),
        (["3.0", "3", "4", "4.5"], {"numbers": "value"}),
        ([r"\boxed{x + 1}", r"\boxed{x+1}", r"\boxed{x}"], {"preset": "math"}),
    ],
)
def test_answers_that_are_equal_vote_together(accuracy: Any, answers: list[str], options: dict[str, Any]) -> None:
    rows = {"id": ["q"] * len(answers), "predictions": answers, "references": [["Paris", "3", "$x+1$"]] * len(answers)}
    scored_rows = rows | accuracy.score_batch(rows, **options)
    summary = accuracy.repeats(scored_rows, on="id", answers="predictions", k=[2, 1], **options)
    assert summary["majority@n"] == 1.0
    assert [name for name in summary if re.fullmatch(r"pass.\d", name)] == ["pass@2", "pass^2", "pass@1", "pass^1"]


def test_rows_that_a_system_lacks_are_wrong_if_said(accuracy: Any, two_systems: dict[str, Any]) -> None:
    lacking = shorten(two_systems["tuned"])
    settings = {"on": "id", "by": "document", "clusters": "document", "missing": "wrong"}
    result = accuracy.compare({"base": two_systems["base"], "tuned": lacking}, **settings)
    assert [result["systems"][name]["missing"] for name in ("base", "tuned")] == [0, 2]
    assert result["systems"]["tuned"]["accuracy"] == sum(RIGHT["tuned"][:-2]) / ROWS
    assert (result["total"], result["clusters"], len(result["groups"])) == (ROWS, 8, 8)
    common = accuracy.compare({"base": two_systems["base"], "tuned": lacking}, **{**settings, "missing": "ignore"})
    expected = accuracy.compare(
        {"base": shorten(two_systems["base"]), "tuned": lacking}, **{**settings, "missing": "raise"}
    )
    assert [common["systems"][name].pop("missing") for name in ("base", "tuned")] == [0, 2]
    assert common == expected
    reverse = accuracy.compare({"tuned": lacking, "base": two_systems["base"]}, on="id", missing="wrong")
    assert reverse["systems"]["base"]["difference"] == -result["systems"]["tuned"]["difference"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"margin": 0.3, "confidence_level": 0.8},
        {"clusters": "document", "margin": 0.2, "bootstrap_seed": 7, "resamples": 20, "confidence_level": 0.995},
    ],
)
def test_groups_are_compared_as_if_alone(accuracy: Any, two_systems: dict[str, Any], settings: dict[str, Any]) -> None:
    half = [row // 3 % 2 for row in range(ROWS)]
    by_half = {name: {**columns, "half": half} for name, columns in two_systems.items()}
    result = accuracy.compare(by_half, by="half", **settings)
    level = {name: value for name, value in settings.items() if name in {"confidence_level", "clusters"}}
    pooled = accuracy.aggregate(by_half["tuned"], by="half", return_confidence=True, **level)
    for name_of_half, group in result["groups"].items():
        rows = [row for row in range(ROWS) if half[row] == int(name_of_half)]
        part = {n: {name: [v[row] for row in rows] for name, v in one.items()} for n, one in by_half.items()}
        expected = accuracy.compare(part, **settings)["systems"]["tuned"]
        keys = ("difference", "difference_confidence_interval", "p_value", "wins", "left_out", "test", "noninferior")
        for key in (*keys, "equivalent", "margin"):
            assert group["tuned"].get(key) == expected.get(key), key
        own = accuracy.aggregate(part["tuned"], return_confidence=True, **level)
        for key in ("accuracy", "accuracy_confidence_interval", "total"):
            assert pooled["groups"][name_of_half][key] == own[key], key
    single = accuracy.compare(two_systems, by="id")["groups"]["q0"]["tuned"]
    assert (single["total"], single["difference_confidence_interval"]) == (1, None)


@pytest.mark.filterwarnings("ignore:.*human labels:UserWarning")
def test_labels_of_one_system_are_rejected_and_those_of_all_count(accuracy: Any, two_systems: dict[str, Any]) -> None:
    labels = [float(row % 3 > 0) if row % 2 else None for row in range(ROWS)]
    labeled = {name: {**columns, "human": labels} for name, columns in two_systems.items()}
    labeled["base"]["human"] = [one and one / 2 for one in labels]
    with pytest.raises(ValueError, match=r"^accuracy: human_labels: tuned has no labels"):
        accuracy.compare({**labeled, "tuned": {**labeled["tuned"], "human": [None] * ROWS}}, human_labels="human")
    unlabeled = {name: {**labeled["tuned"], "human": [None] * ROWS} for name in ("tuned", "third")}
    with pytest.raises(
        ValueError, match=r"human_labels: tuned, third have no labels; label the answers of every system"
    ):
        accuracy.compare({**labeled, **unlabeled}, human_labels="human")
    with pytest.warns(UserWarning, match="tuned: only 12 human labels"):
        result = accuracy.compare(labeled, human_labels="human")
    every = accuracy.compare(labeled, human_labels="human", baseline="all")
    (only,) = every["pairs"]
    tuned = result["systems"]["tuned"]
    reverse = accuracy.compare(labeled, human_labels="human", baseline="tuned")["systems"]["base"]
    assert only["corrected_difference"] == tuned["corrected_difference"] == -reverse["corrected_difference"]
    assert not {key for key in every["systems"]["tuned"] if "corrected_difference" in key or "p_value" in key}
    assert tuned["labels"] == 12
    alone = accuracy.aggregate(two_systems["tuned"], human_labels=labels, return_confidence=False)
    assert tuned["accuracy_corrected"] == alone["accuracy_corrected"]


def test_number_of_rows_needed_counts_unseen_differences(accuracy: Any, two_systems: dict[str, Any]) -> None:
    base = two_systems["base"]
    equal_in_the_sample = accuracy.required_n(base, difference=0.1, second=base, on="id")
    assert min(equal_in_the_sample.values()) > required_rows(0.0, 0.1, level=0.95, power=0.8, exact=True)
    with pytest.raises(ValueError, match=r"^accuracy: difference must be a number between 0 and 1, got 0"):
        accuracy.required_n(base, difference=0)
    with pytest.raises(ValueError, match=r"^accuracy: power must be a number between 0.5 and 1, got 1"):
        accuracy.required_n(base, power=1)


def test_columns_that_cannot_be_kept_are_rejected(accuracy: Any) -> None:
    batch, scores = raw("base"), ["accuracy_match_types"]
    table = pa.table(batch)
    cases: list[tuple[Any, Any, str]] = [
        (batch, "id", r"keep must be a list of names of columns, as in keep=\['id'\], got 'id'"),
        (batch, ["ID"], "the batch has no column 'ID'; it has id, document, predictions, references"),
        (batch, ["id", "id"], "keep names a column twice: id, id"),
        ({**batch, scores[0]: IDS}, scores, f"keep names '{scores[0]}', which is also the name of a column of scores"),
        (table.append_column("id", table["id"]), ["id"], "the batch has 2 columns named 'id'; rename all but one"),
    ]
    for columns, keep, message in cases:
        with pytest.raises(ValueError, match=f"^accuracy: {message}"):
            accuracy.score_batch(columns, keep=keep)


def test_tables_of_a_result(accuracy: Any, two_systems: dict[str, Any]) -> None:
    named = {"a|b &\nc_d{": two_systems["base"], "<tuned>": two_systems["tuned"]}
    result = accuracy.compare(named, by="document")
    assert "| a\\|b & c\\_d{ | 0.6667 |" in result.to_markdown()
    assert "a\\textbar{}b \\&\nc\\_d\\{ & 0.6667 &" in result.to_latex()
    drawn = result._repr_html_()
    assert (drawn.count("<table>"), "&lt;tuned&gt;" in drawn, "<tuned>" in drawn) == (2, True, False)
    frame = result.to_pandas("groups")
    assert (list(frame["group"]), set(frame["total"])) == ([f"d{number}" for number in range(8)], {3})
    assert result.to_pandas()["difference interval_low"].notna().tolist() == [False, True]
    read_again = accuracy.draw(json.loads(json.dumps(result)))
    assert read_again.to_pandas().to_dict("list").keys() == result.to_pandas().to_dict("list").keys()
    assert read_again.to_pandas("groups").equals(frame)
    copy.deepcopy(result)["systems"].clear()  # which leaves the original as it is
    assert type(copy.deepcopy(result)) is type(copy.copy(result)) is type(result)
    with pytest.raises(ValueError, match="table must be one of systems, groups, got 'pairs'"):
        result.to_pandas("pairs")
    with pytest.warns(UserWarning, match="there are no human labels"):
        unlabeled = accuracy.aggregate(two_systems["base"], by="document", human_labels=[None] * ROWS)
    assert "accuracy_corrected: unknown" in str(unlabeled)
    assert "| accuracy\\_corrected | unknown | 0.0000 to 1.0000 |" in unlabeled.to_markdown()
    assert "<td>unknown</td><td>0.0000 to 1.0000</td>" in unlabeled._repr_html_()
    compared = accuracy.compare(two_systems)
    for p_value, text in (
        (1e-4, "p = 0.0001 ("),
        (9.94e-5, "p = 9.9e-05 ("),
        (0.05, "p = 0.05 ("),
        (0.051, "p = 0.051 ("),
    ):
        compared["systems"]["tuned"]["p_value"] = p_value
        assert text in str(compared)
        assert ("not significant" in str(compared)) is (p_value > 0.05)  # at 95%
    repeats = accuracy.repeats(samples(accuracy, "base", 2), on="id")
    assert str(repeats).startswith("24 questions, 2 samples each\naccuracy: 0.6667 (95% CI 0.4671 to 0.8203)\n")
    single = accuracy.score_batch(
        {"id": [1, 1], **{name: ["a"] * 2 for name in ("predictions", "references")}}, keep=["id"]
    )
    assert str(accuracy.repeats(single, on="id", confidence_level=0.995)).startswith(
        "1 question, 2 samples each\naccuracy: 1.0000 (99.5% CI 0.1126 to 1.0000)\n"
    )


@pytest.mark.filterwarnings("ignore:.*no ground truth:UserWarning")
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_several_scores_are_compared_by_name(metric: Any, average: str) -> None:
    loaded, truths = metric("precision_recall_f1"), [["x"], ["z"], ["q"], ["w"], []]
    retrieved = {"a": [["x", "y"], ["z"], ["v"], ["w"], []], "b": [["x"], ["z", "u", "t"], ["q"], ["w"], []]}
    systems = {name: {"predictions": chunks, "references": truths} for name, chunks in retrieved.items()}
    options = {"matching_strategy": "EXACT_CHUNK_MATCH", "average": average}
    result = loaded.compare(systems, **options)
    first, second = (loaded.compute(**columns, **options) for columns in systems.values())
    for score in ("precision", "recall", "f1"):
        assert result["systems"]["b"][score] == second[score]
        assert result["systems"]["b"]["difference"][score] == pytest.approx(second[score] - first[score])
    assert result["score"] == "f1"
    assert result["systems"]["b"]["left_out"] == {"precision": 0, "recall": 0, "f1": 0}


def test_bars_show_intervals_on_an_axis_for_the_whole_table(accuracy: Any, two_systems: dict[str, Any]) -> None:
    systems = accuracy.compare(two_systems)
    lines = [(line["accuracy"], *line["accuracy_confidence_interval"]) for line in systems["systems"].values()]
    pairs = accuracy.compare({**two_systems, "third": two_systems["base"]}, baseline="all")
    differences = [(pair["difference"], *pair["difference_confidence_interval"]) for pair in pairs["pairs"]]
    for result, table, ends in ((systems, lines, (0, 1)), (pairs, differences, (0,))):
        low = min(end for _, *interval in table for end in (*interval, *ends))
        span = max(end for _, *interval in table for end in (*interval, *ends)) - low
        expected = [
            f"{(start - low) / span:.2%} {(end - start) / span:.2%} {(at - low) / span:.2%}" for at, start, end in table
        ]
        bars = re.findall(r"left:([-.\d]+%);width:([.\d]+%);top.*?left:([-.\d]+%);width:2px", result._repr_html_())
        assert list(map(" ".join, bars))[-len(table) :] == expected


def test_a_table_shows_one_rank_where_only_one_is_possible(accuracy: Any) -> None:
    rows, counts = {"references": ["a"] * 40}, {"x": 40, "y": 20, "z": 18}
    systems = {name: {**rows, "predictions": ["a"] * right + ["b"] * (40 - right)} for name, right in counts.items()}
    table = accuracy.compare(systems, baseline="all").to_markdown()
    ranks = [[cell.strip() for cell in line.split("|")] for line in table.splitlines() if line.startswith("| ")]
    place = ranks[0].index("ranks")
    assert [cells[place] for cells in ranks[:5] if "---" not in cells[1]] == ["ranks", "1", "2 to 3", "2 to 3"]
