"""Two systems on one page: their scores, the difference, and what changed."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import evaluate
import pytest

from tests.unit.test_space_form import METRICS
from tests.unit.test_space_form import load_form

pytestmark = pytest.mark.filterwarnings("always::UserWarning")
ACCURACY = load_form("accuracy")
#        A        B        reference
ROWS = [
    ["Paris", "Rome", "paris"],
    ["Rome", "Oslo", "Oslo"],
    ["Bonn", "Bonn", "Bonn"],
    ["x", "y", "z"],
    ["Lima", "Kiev", "Lima | Quito"],
]


def compare(rows: Any, name: str = "accuracy", **options: Any) -> tuple[int, dict[str, Any]]:
    body = json.dumps({"rows": rows, "options": options, "comparing": True}).encode()
    status, answer = load_form(name).respond(body)
    return status, json.loads(json.dumps(answer))


def test_both_scores_and_their_difference_are_shown() -> None:
    status, answer = compare(ROWS)
    assert status == 200
    assert [(score["name"], score["value"]) for score in answer["scores"]] == [("A accuracy", 0.6), ("B accuracy", 0.4)]
    figures = {figure["name"]: figure["value"] for figure in answer["figures"]}
    assert figures["difference"] == pytest.approx(-0.2)
    assert (figures["wins"], figures["losses"], figures["ties"]) == (1, 2, 2)
    assert answer["sentence"].startswith("B is 20.0 points worse than A (95% CI of the difference -")
    assert "This can be due to chance" in answer["sentence"]
    assert answer["columns"] == ["Prediction A", "Prediction B", "Reference"]


def test_every_row_says_what_changed() -> None:
    examples = compare(ROWS)[1]["examples"]
    assert [example["label"] for example in examples] == [
        "regressed",
        "improved",
        "same score",
        "same score",
        "regressed",
    ]
    assert examples[4]["cells"] == ["Lima", "Kiev", ["Lima", "Quito"]]
    assert examples[0]["why"] == [["chip", "A exact", "hit", 1.0], ["chip", "B miss", "miss", 0.0]]


def test_clear_difference_is_called_unlikely_to_be_chance() -> None:
    rows = [["wrong", f"{index}", f"{index}"] for index in range(40)]
    answer = compare(rows)[1]
    assert answer["sentence"].startswith("B is 100.0 points better than A")
    assert answer["sentence"].endswith("A difference like this is unlikely to be due to chance.")


def test_disagreement_of_interval_and_test_is_reported() -> None:
    rows = [["wrong", "right", "right"]] * 5 + [["right", "right", "right"]] * 5
    assert (
        "p = 0.062). The interval and the test disagree; the test decides. This can be due to chance: with "
        "10 rows, only differences of about" in compare(rows)[1]["sentence"]
    )
    assert "disagree" not in compare(ROWS)[1]["sentence"]


def test_detectable_difference_has_two_digits() -> None:
    rows = [[str(index), str(index), str(index)] for index in range(400)]
    assert "only differences of about 1.4 points or more" in compare(rows)[1]["sentence"]


def test_small_difference_is_not_rounded_to_zero() -> None:
    rows = [["x" if index == 0 else "y", "y", "y"] for index in range(2500)]
    assert compare(rows)[1]["sentence"].startswith("B is 0.04 points better than A (95% CI")


def test_identical_systems_have_no_difference() -> None:
    answer = compare([["a", "a", "a"], ["b", "b", "x"]])[1]
    assert answer["sentence"].startswith("B scores the same as A (95% CI")
    assert "With 2 rows, only differences of about" in answer["sentence"]
    assert "chance" not in answer["sentence"]


@pytest.mark.parametrize("name", [name for name in METRICS if name != "l3score"])
def test_every_metric_that_needs_no_key_compares(name: str) -> None:
    example = load_form(name).examples[0]
    place = [column.name for column in load_form(name).columns].index("predictions")
    rows = [[*row[: place + 1], "another", *row[place + 1 :]] for row in example["rows"]]
    status, answer = compare(rows, name, **example["options"])
    assert status == 200, answer
    assert len(answer["scores"]) == 2
    assert len(answer["examples"]) == len(rows)


def test_comparison_exports_reproduce_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = compare(ROWS, fuzzy_match=True)[1]
    saved = json.loads(answer["json"])
    again = evaluate.load("metrics/accuracy").compare(saved["systems"], **saved["options"])
    assert json.loads(json.dumps(again)) == saved["comparison"]
    monkeypatch.setenv("SPACE_ID", str(ACCURACY.script))
    snippet = compare(ROWS, fuzzy_match=True)[1]["snippet"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "accuracy_comparison.json").write_text(answer["json"], encoding="utf-8")
    exec(snippet, {})  # noqa: S102  # code that the page offers to run
    assert capsys.readouterr().out.strip() in answer["footnote"]
    table = list(csv.DictReader(io.StringIO(answer["csv"])))
    assert [row["outcome"] for row in table].count("regressed") == 2
    assert table[0]["predictions_b"] == "Rome"


def test_comparison_link_opens_a_comparison() -> None:
    status, opened = ACCURACY.open_link(compare(ROWS)[1]["link"])
    assert status == 200
    assert opened["comparing"] is True
    assert [row[:3] for row in opened["rows"]] == ROWS


def test_second_column_of_a_file_is_found() -> None:
    names = ["predictions", "predictions_b", "references"]
    _, read = ACCURACY.read(b"output,output_b,gold\na,b,c\n", "x.csv", names, None)
    assert read["mapping"] == {"predictions": "output", "predictions_b": "output_b", "references": "gold"}
    assert read["rows"] == [["a", "b", "c"]]


def test_missing_second_system_is_reported() -> None:
    status, answer = compare([["a", "", "a"]])
    assert status == 422
    assert answer["error"] == "System B has no data yet: fill in or upload the column “Prediction B”."


# ---- clusters and ids


def columns_of(name: str) -> list[str]:
    return [column.name for column in load_form(name).columns_for(comparing=True)]


def with_columns(rows: list[list[str]], **more: list[str]) -> list[list[str]]:
    """Add further columns to rows of A, B and reference."""
    names = columns_of("accuracy")
    given = [dict(zip(("predictions", "predictions_b", "references"), row, strict=True)) for row in rows]
    for name, values in more.items():
        for one, value in zip(given, values, strict=True):
            one[name] = value
    return [[one.get(name, "") for name in names] for one in given]


def test_clusters_are_kept_together_and_counted() -> None:
    status, answer = compare(with_columns(ROWS, clusters=["u", "u", "v", "v", "w"], ids=list("12345")))
    assert status == 200
    figures = {figure["name"]: figure["value"] for figure in answer["figures"]}
    assert figures["clusters"] == 3
    assert ", 3 clusters)" in answer["sentence"]
    assert "in 3 clusters" in answer["footnote"]
    assert answer["columns"] == ["Prediction A", "Prediction B", "Reference"]
    assert answer["examples"][0]["cells"] == ["Paris", "Rome", ["paris"]]
    assert answer["examples"][0]["why"][-1] == ["soft", "cluster u, ID 1"]
    table = list(csv.DictReader(io.StringIO(answer["csv"])))
    assert (table[4]["clusters"], table[4]["ids"]) == ("w", "5")


def test_row_of_a_comparison_explains_both_systems() -> None:
    answer = compare(with_columns([["Paris!", "Rome", "paris"]], ids=["7"]))[1]
    (example,) = answer["examples"]
    assert [heading for heading, _ in example["more"]] == ["System A, ID 7", "System B, ID 7"]
    assert ["text", "Equal after normalization: "] in example["more"][0][1]
    assert ["pair", "rome", "paris", "≠", "is not equal to"] in example["more"][1][1]


def test_matches_of_both_systems_are_shown_in_the_cells() -> None:
    answer = compare([["a\nb", "b", "a"]], "precision_recall_f1")[1]
    first, second, references = answer["examples"][0]["parts"]
    assert [part["outcome"] for part in first] == ["hit", "miss"]
    assert [part["outcome"] for part in second] == ["miss"]
    assert references == ["a"]


def test_comparison_code_with_clusters_reproduces_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPACE_ID", str(ACCURACY.script))
    answer = compare(with_columns(ROWS, clusters=["u", "u", "v", "v", "w"]), confidence_level=0.9)[1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "accuracy_comparison.json").write_text(answer["json"], encoding="utf-8")
    exec(answer["snippet"], {})  # noqa: S102  # code that the page offers to run
    assert capsys.readouterr().out.strip() in answer["footnote"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"clusters": ["u", "", "v", "v", "w"]}, "Row 2 has no cluster: give a cluster to every row or to none."),
        ({"clusters": ["u"] * 5}, "at least two clusters"),
        ({"ids": ["1", "2", "2", "3", "1"]}, "2 IDs occur more than once: “1”, “2”. For several samples"),
        ({"ids": ["1", "", "2", "3", "4"]}, "1 of 5 rows have no ID, the first is row 2."),
    ],
)
def test_unusable_clusters_and_ids_are_reported(more: dict[str, list[str]], message: str) -> None:
    status, answer = compare(with_columns(ROWS, **more))
    assert status == 422
    assert message in answer["error"]


# ---- a file for each system


def read_file(content: str, *, second: bool = False, name: str = "accuracy", **mapping: str) -> dict[str, Any]:
    form = load_form(name)
    columns = form.second_columns if second else form.columns_for(comparing=True)
    names = [column.name for column in columns]
    status, read = form.read(content.encode(), "", names, mapping or None, second=second)
    assert status == 200, read
    return read


def pair(first: str, second: str, name: str = "accuracy") -> tuple[int, dict[str, Any]]:
    rows = read_file(first, name=name)["rows"]
    others = read_file(second, second=True, name=name)["rows"]
    return load_form(name).pair(json.dumps({"rows": rows, "second": others}).encode())


def test_file_with_one_system_is_read_and_waits_for_the_second() -> None:
    read = read_file("id,output,gold,cluster\n1,a,b,u\n")
    assert read["mapping"] == {"predictions": "output", "references": "gold", "clusters": "cluster", "ids": "id"}
    assert read["rows"] == [["a", "", "b", "", "u", "1"]]
    assert read_file("a,b\nc,d\n")["rows"][1][:3] == ["c", "", "d"]
    assert read_file("a,x,b\nc,y,d\n")["rows"][1][:3] == ["c", "y", "d"]


def test_second_file_is_matched_by_id_in_any_order() -> None:
    status, paired = pair("id,output,gold\n1,a,x\n2,b,y\n", "id,output,gold\n2,B,y\n1,A,x\n")
    assert status == 200
    assert [row[:3] for row in paired["rows"]] == [["a", "A", "x"], ["b", "B", "y"]]
    assert paired["notes"] == ["Matched with system A by ID."]


def test_second_file_is_matched_by_position_without_ids() -> None:
    status, paired = pair("output,gold\na,x\nb,y\nc,z\n", "prediction_b\nA\n\nC\n")
    assert status == 422
    assert "System A has 3 rows, system B 2." in paired["error"], "an empty line of a CSV file is not a row"
    status, paired = pair("output,gold\na,x\nb,y\n", '{"output": "A"}\n{"output": ""}\n')
    assert status == 200
    assert [row[1] for row in paired["rows"]] == ["A", ""]
    assert paired["notes"] == ["Matched with system A by position."]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("id,output,gold\n1,a,x\n2,b,y\n", "output\nA\nB\n", "System A has IDs, system B has none."),
        ("output,gold\na,x\nb,y\n", "id,output\n1,A\n2,B\n", "System B has IDs, system A has none."),
        ("id,output,gold\n1,a,x\n2,b,y\n", "id,output\n1,A\n1,B\n", "1 ID of system B occurs more than once: “1”"),
        ("id,output,gold\n1,a,x\n2,b,y\n", "id,output\n1,A\n3,B\n", "1 ID of system A is not in system B: “2”"),
        ("id,output,gold\n1,a,x\n", "id,output\n1,A\n3,B\n4,C\n", "2 IDs of system B are not in system A: “3”, “4”"),
        ("output,gold\na,x\n", "output\nA\nB\n", "System A has 1 rows, system B 2."),
        (
            "output,gold\na,x\nb,y\n",
            "output,gold\nA,y\nB,x\n",
            "2 of 2 rows have a different reference in the file of system B, the first is row 1",
        ),
    ],
)
def test_mismatched_files_are_reported(first: str, second: str, message: str) -> None:
    status, answer = pair(first, second)
    assert status == 422
    assert message in answer["error"]


def test_conflicting_references_for_an_id_are_reported() -> None:
    status, paired = pair("id,output,gold\n1,a,x\n2,b,y\n", "id,output,gold\n1,A,x\n2,B,z\n")
    assert status == 200
    assert paired["rows"][1][:3] == ["b", "B", "y"]
    assert "Reference: 1 of 2 rows differ between the files; those of system A are used." in paired["notes"]


def test_second_file_without_a_first_is_rejected() -> None:
    status, answer = ACCURACY.pair(json.dumps({"rows": [], "second": [["A"]]}).encode())
    assert (status, answer["error"]) == (422, "There are no rows of system A yet: load its file first.")
    assert ACCURACY.pair(b"[]")[0] == 422
    assert ACCURACY.pair(json.dumps({"rows": [["a", "", "x"]], "second": "abc"}).encode())[0] == 422


# ---- existing judge scores


def judged_file(scores: str, answers: str = "", name: str = "l3score_individual_scores") -> str:
    lines = [
        f"{index},{answer},{score}" for index, (answer, score) in enumerate(zip(answers, scores.split(), strict=False))
    ]
    return "\n".join([f"id,prediction,{name}", *lines]).replace("none", "") + "\n"


def test_existing_judge_scores_are_compared_without_calls() -> None:
    form = load_form("l3score")
    first, second = judged_file("0.9 0.2 none", "abc"), judged_file("0.5 0.7 0.4", "xyz", "individual_scores")
    status, paired = pair(first, second, "l3score")
    assert status == 200, paired
    status, answer = compare(paired["rows"], "l3score", provider="openai")
    assert status == 200, answer
    assert [round(score["value"], 4) for score in answer["scores"]] == [0.55, 0.5333]
    assert [example["label"] for example in answer["examples"]] == ["regressed", "improved", "left out"]
    assert answer["columns"] == ["Prediction A", "Prediction B"]
    figures = {figure["name"]: figure["value"] for figure in answer["figures"]}
    assert (figures["wins"], figures["losses"]) == (1, 1)
    assert "1 row left out" in answer["footnote"]
    assert "provider" not in answer["footnote"], "the scores do not name the judge"
    expected = form.compare(individual_scores=[0.9, 0.2, None], individual_scores_b=[0.5, 0.7, 0.4])
    assert json.loads(answer["json"])["comparison"]["systems"] == json.loads(expected)["systems"]


def test_code_for_judge_scores_reproduces_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPACE_ID", str(load_form("l3score").script))
    rows = pair(judged_file("0.9 0.2", "ab"), judged_file("0.5 0.7", "xy"), "l3score")[1]["rows"]
    answer = compare(rows, "l3score")[1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "l3score_comparison.json").write_text(answer["json"], encoding="utf-8")
    exec(answer["snippet"], {})  # noqa: S102  # code that the page offers to run
    assert capsys.readouterr().out.strip() in answer["footnote"]


@pytest.mark.parametrize("score", ["1.5", "-0.1", "nan", "yes"])
def test_invalid_score_is_reported(score: str) -> None:
    rows = pair(judged_file("0.9 0.2", "ab"), judged_file(f"0.5 {score}", "xy"), "l3score")[1]["rows"]
    status, answer = compare(rows, "l3score")
    assert (status, answer["error"]) == (422, f"Row 2, score B: “{score}” is not a number from 0 to 1.")


def test_downloads_of_the_judge_page_can_be_compared() -> None:
    form = load_form("l3score")
    body = json.dumps({"rows": [["q", "a", "a"], ["q", "b c", "b"]], "options": {}}).encode()
    answer = form.respond(body)[1]
    for content in (answer["csv"], answer["json"]):
        names = [column.name for column in form.columns_for(comparing=True)]
        status, read = form.read(content.encode(), "", names, None)
        assert status == 200
        assert read["rows"], read["error"]
        scores = [float(row[names.index("individual_scores")]) for row in read["rows"]]
        assert scores == json.loads(answer["json"])["result"]["individual_scores"]
