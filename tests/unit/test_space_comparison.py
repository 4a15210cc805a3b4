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
    assert "This can be chance" in answer["sentence"]
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
    assert answer["sentence"].endswith("A difference like this is unlikely to be chance.")


def test_equal_systems_are_equal() -> None:
    answer = compare([["a", "a", "a"], ["b", "b", "x"]])[1]
    assert answer["sentence"].startswith("B is equal to A (95% CI")


@pytest.mark.parametrize("name", [name for name in METRICS if name != "l3score"])
def test_every_metric_without_a_key_compares(name: str) -> None:
    example = load_form(name).examples[0]
    place = [column.name for column in load_form(name).columns].index("predictions")
    rows = [[*row[: place + 1], "another", *row[place + 1 :]] for row in example["rows"]]
    status, answer = compare(rows, name, **example["options"])
    assert status == 200, answer
    assert len(answer["scores"]) == 2
    assert len(answer["examples"]) == len(rows)


def test_exports_of_a_comparison_lead_to_the_same_result(
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
    exec(snippet, {})  # noqa: S102  # it is what the page offers to be run
    assert capsys.readouterr().out.strip() in answer["footnote"]
    table = list(csv.DictReader(io.StringIO(answer["csv"])))
    assert [row["outcome"] for row in table].count("regressed") == 2
    assert table[0]["predictions_b"] == "Rome"


def test_link_of_a_comparison_opens_as_one() -> None:
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
    assert "There are no texts of system B" in answer["error"]


def test_judge_compares_nothing_as_it_would_cost_twice() -> None:
    assert load_form("l3score").compared_column is None
    assert load_form("l3score").columns_for(comparing=True) == load_form("l3score").columns
