"""The gallery: every metric that fits, side by side, and the rows where they disagree."""

import csv
import io
import json
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.unit.test_space_form import load_module

APP: Any = load_module(ROOT / "spaces" / "gallery" / "app.py", "app_of_gallery")
GALLERY = APP.GALLERY

pytestmark = pytest.mark.filterwarnings("always::UserWarning")


@pytest.fixture(autouse=True)
def from_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SPACE_ID", raising=False)
    monkeypatch.delenv("METRICS", raising=False)


def respond(rows: list[list[str]]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(GALLERY.respond(json.dumps({"rows": rows})))
    return answer


def test_every_way_of_asking_appears_and_disagreement_is_found() -> None:
    rows = [
        ["Where?", "Paris", "Paris", "a chunk", "a chunk"],
        ["Where?", "paris!", "Paris", "", "x"],
        ["Where?", "Rome", "Oslo", "", ""],
    ]
    answer = respond(rows)
    saved = json.loads(answer["json"])
    assert list(saved["results"]) == [run.title for run in APP.RUNS]
    assert [row["outcome"] for row in csv.DictReader(io.StringIO(answer["csv"]))] == [
        "all accept",
        "disagree",
        "all reject",
    ]
    assert "1 of 3 answers are judged differently" in answer["html"]


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    (row,) = csv.DictReader(io.StringIO(respond([["Where?", "=1+1", "2", "", ""]])["csv"]))
    assert row["prediction"] == "'=1+1"


def test_what_does_not_fit_is_left_out_and_said() -> None:
    answer = respond([["", "Paris", "Paris", "", ""]])
    assert "L3Score, mock judge is left out: no row has questions." in answer["html"]
    assert "retrieval F1 is left out: no row has retrieved contexts or ground truth contexts." in answer["html"]
    assert list(json.loads(answer["json"])["results"]) == [run.title for run in APP.RUNS[:4]]


def test_examples_links_and_files_with_some_columns_only() -> None:
    for example in GALLERY.examples:
        answer = respond(example["rows"])
        assert "json" in answer, answer["html"]
    table, values, again = GALLERY.on_link(f"#{respond(GALLERY.examples[1]['rows'])['link']}")
    assert json.loads(table)["rows"] == GALLERY.examples[1]["rows"]
    assert values == []
    assert "json" in json.loads(again)
    read = json.loads(GALLERY.on_upload("output,gold\na,b\n", "x.csv"))
    assert read["rows"] == [["", "a", "b", "", ""]]
    sample = (ROOT / "examples" / "qa_sample.jsonl").read_text(encoding="utf-8")
    assert len(json.loads(GALLERY.on_upload(sample, "qa_sample.jsonl"))["rows"]) == 72


def test_the_snippet_gives_the_same_scores(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answer = respond(GALLERY.examples[0]["rows"])
    (tmp_path / "gallery.json").write_text(answer["json"], encoding="utf-8")
    code = answer["snippet"].replace("gallery.json", str(tmp_path / "gallery.json"))
    exec(code, {})  # noqa: S102  # it is what the page offers to be run
    results = json.loads(answer["json"])["results"]
    expected = [f"{run.title} {results[run.title][run.score]}" for run in APP.RUNS]
    assert capsys.readouterr().out.splitlines() == expected


def test_metrics_come_from_the_owner_of_the_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert APP.place_of_metrics() == "metrics"
    monkeypatch.setenv("SPACE_ID", "someone/gallery")
    assert APP.place_of_metrics() == "someone"
    monkeypatch.setenv("METRICS", "another")
    assert APP.place_of_metrics() == "another"


def test_without_metrics_the_page_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("METRICS", str(tmp_path))
    alone = APP.Gallery(**{name: getattr(GALLERY, name) for name in ("script", "title", "scores", "explain")})
    answer = json.loads(alone.respond(json.dumps({"rows": [["", "a", "a", "", ""]]})))
    assert "No metric could be loaded here." in answer["html"]
