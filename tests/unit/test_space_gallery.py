"""The gallery: all applicable metrics side by side, and the rows where they disagree."""

import csv
import io
import json
from typing import Any

import pytest

from space_ui.gallery_endpoints import scoring_endpoint
from space_ui.rows import InputError
from tests.conftest import ROOT
from tests.unit.test_space_form import load_module

APP: Any = load_module(ROOT / "spaces" / "gallery" / "app.py", "app_of_gallery")
GALLERY = APP.GALLERY

pytestmark = pytest.mark.filterwarnings("always::UserWarning")


@pytest.fixture(autouse=True)
def load_from_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SPACE_ID", raising=False)
    monkeypatch.delenv("METRICS", raising=False)


def respond(rows: list[list[str]]) -> dict[str, Any]:
    status, answer = GALLERY.respond(json.dumps({"rows": rows}).encode())
    assert status == 200, answer
    plain: dict[str, Any] = json.loads(json.dumps(answer))
    return plain


def test_every_configuration_is_scored_and_disagreements_are_found() -> None:
    rows = [
        ["Where?", "Paris", "Paris", "a chunk", "a chunk"],
        ["Where?", "paris!", "Paris", "", "x"],
        ["Where?", "Rome", "Oslo", "", ""],
    ]
    answer = respond(rows)
    saved = json.loads(answer["json"])
    assert list(saved["results"]) == [one.title for one in APP.CONFIGURATIONS]
    assert [row["outcome"] for row in csv.DictReader(io.StringIO(answer["csv"]))] == [
        "all accept",
        "disagree",
        "all reject",
    ]
    assert answer["sentence"] == "Metrics disagree on 1 of 3 answers."


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    (row,) = csv.DictReader(io.StringIO(respond([["Where?", "=1+1", "2", "", ""]])["csv"]))
    assert row["prediction"] == "'=1+1"


def test_metric_without_its_columns_is_left_out_with_a_notice() -> None:
    answer = respond([["", "Paris", "Paris", "", ""]])
    assert answer["notices"] == [
        "L3Score, demo judge is left out: no row has questions.",
        "retrieval F1 is left out: no row has retrieved contexts or ground truth contexts.",
        "retrieval MAP is left out: no row has retrieved contexts or ground truth contexts.",
    ]
    answers_only = [one.title for one in APP.CONFIGURATIONS if set(one.inputs) == {"predictions", "references"}]
    assert list(json.loads(answer["json"])["results"]) == [
        title for title in answers_only if not title.startswith("retrieval")
    ]


@pytest.mark.parametrize("index", range(3))
def test_every_example_can_be_computed(index: int) -> None:
    example = GALLERY.examples[index]
    assert example["options"] == {}
    assert respond(example["rows"])["examples"]


def test_there_are_three_examples() -> None:
    assert len(GALLERY.examples) == 3


def test_link_leads_to_the_same_rows() -> None:
    status, opened = GALLERY.open_link(respond(GALLERY.examples[1]["rows"])["link"])
    assert (status, opened["rows"]) == (200, GALLERY.examples[1]["rows"])


def test_file_with_only_some_columns_is_read() -> None:
    names = [column.name for column in GALLERY.columns]
    _, read = GALLERY.read(b"output,gold\na,b\n", "x.csv", names, None)
    assert read["rows"] == [["", "a", "b", "", ""]]
    sample = (ROOT / "examples" / "qa_sample.jsonl").read_bytes()
    assert len(GALLERY.read(sample, "qa_sample.jsonl", names, None)[1]["rows"]) == 72


def test_endpoint_returns_scores_of_all_configurations() -> None:
    called = json.loads(scoring_endpoint(GALLERY.call)(["Paris!"], ["paris"]))
    assert called["results"]["exact match"]["score"] == 0.0
    assert called["results"]["accuracy"]["accuracy"] == 1.0
    assert called["notices"]


def test_endpoint_rejects_columns_of_different_lengths() -> None:
    with pytest.raises(InputError, match="references has 1 values, another column 2"):
        scoring_endpoint(GALLERY.call)(["a", "b"], ["a"])


def test_internal_error_of_the_endpoint_names_its_type_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Any, rows: list[list[str]]) -> Any:
        raise RuntimeError(str(rows))

    monkeypatch.setattr(APP.Gallery, "score", fail)
    with pytest.raises(InputError, match=r"^internal error \(RuntimeError\)$"):
        GALLERY.call(predictions=["private"], references=["private"])


def test_code_reproduces_the_scores(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answer = respond(GALLERY.examples[0]["rows"])
    (tmp_path / "gallery.json").write_text(answer["json"], encoding="utf-8")
    code = answer["snippet"].replace("gallery.json", str(tmp_path / "gallery.json"))
    exec(code, {})  # noqa: S102  # code that the page offers to run
    results = json.loads(answer["json"])["results"]
    expected = [f"{one.title} {results[one.title][one.score]}" for one in APP.CONFIGURATIONS]
    assert capsys.readouterr().out.splitlines() == expected


def test_metrics_come_from_the_owner_of_the_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert APP.source_of_metrics() == "metrics"
    monkeypatch.setenv("SPACE_ID", "someone/gallery")
    assert APP.source_of_metrics() == "someone"
    monkeypatch.setenv("METRICS", "another")
    assert APP.source_of_metrics() == "another"


def test_page_without_metrics_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("METRICS", str(tmp_path))
    alone = APP.Gallery(title="Alone")
    status, answer = alone.respond(json.dumps({"rows": [["", "a", "a", "", ""]]}).encode())
    assert (status, answer["error"]) == (422, "No metric could be loaded here.")
