"""What a Space answers: reports, errors, files to take away, links, and calls of programs."""

import csv
import io
import json
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import evaluate
import pytest

from space_ui import form as form_module
from space_ui.form import Form
from space_ui.form import hear_warnings
from space_ui.permalink import pack_link
from space_ui.rows import InputError
from space_ui.rows import Limits
from tests.unit.test_space_form import METRICS
from tests.unit.test_space_form import each_metric
from tests.unit.test_space_form import load_form

pytestmark = pytest.mark.filterwarnings("always::UserWarning")
ACCURACY = load_form("accuracy")
ROWS = [["Paris!", "paris"], ["Shakespear", "Shakespeare | Will"], ["Rome", "Oslo"]]


def respond(rows: Any, form: Form = ACCURACY, **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(form.respond(json.dumps({"rows": rows}), *form.values(options)))
    return answer


def test_the_report_holds_score_interval_and_reasons() -> None:
    page = respond(ROWS, fuzzy_match=True)["html"]
    assert "66.7\u202f%" in page
    assert "95% interval 20.8\u202f% to 93.9\u202f%" in page
    assert "Equal once normalised: <code>paris</code>" in page
    assert "similarity 0.952, 0.8 needed" in page
    for sign, label in (("✓", "exact"), ("≈", "fuzzy"), ("✗", "none")):
        assert f'<b aria-hidden="true">{sign}</b> {label}' in page


@each_metric
def test_what_a_visitor_wrote_is_never_html(name: str) -> None:
    nasty = "<img src=x onerror=alert(1)>\"'&${1}{{2}}"
    *others, last = [nasty] * len(load_form(name).columns)
    page = respond([[*others, last], [*others, "x"], [*others[1:], "x", f"{nasty} | y"]], load_form(name))["html"]
    assert "<img" not in page
    assert "onerror=alert(1)&gt;&quot;&#x27;&amp;${1}{{2}}" in page


@each_metric
def test_what_is_taken_away_leads_to_the_same_result(name: str) -> None:
    form = load_form(name)
    for example in form.examples:
        answer = respond(example["rows"], form, **example["options"])
        saved = json.loads(answer["json"])
        metric = evaluate.load(f"metrics/{name}")
        again = metric.compute(**saved["inputs"], **saved["options"])
        assert json.loads(json.dumps(again)) == saved["result"]
        space: dict[str, Any] = {}
        exec(answer["snippet"], space)  # noqa: S102  # it is what the page offers to be run
        assert json.loads(json.dumps(space["result"])) == saved["result"]
        table = list(csv.DictReader(io.StringIO(answer["csv"])))
        assert len(table) == len(example["rows"])
        assert {"outcome"} < set(table[0])


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    cells = ['=HYPERLINK("http://x/","y")', "@SUM(1)", "+a", "-a", "\ta", "\ra", "-1.5", "+2e3", "a\r=b"]
    answer = respond([[cell, "x"] for cell in cells])
    rows = csv.DictReader(io.StringIO(answer["csv"], newline=""))
    assert [row["prediction"] for row in rows] == [*(f"'{cell}" for cell in cells[:6]), *cells[6:]]
    assert json.loads(answer["json"])["inputs"]["predictions"] == cells


def test_many_rows_are_read_from_the_downloaded_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", str(ACCURACY.script))
    answer = respond([[f"answer {index}", f"answer {index % 50}"] for index in range(100)])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "accuracy.json").write_text(answer["json"], encoding="utf-8")
    space: dict[str, Any] = {}
    exec(answer["snippet"], space)  # noqa: S102
    assert space["result"]["accuracy"] == 0.5


def test_the_snippet_names_the_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "someone/accuracy")
    assert 'evaluate.load("someone/accuracy")' in respond(ROWS)["snippet"]


@each_metric
def test_a_link_leads_to_the_same_rows_options_and_result(name: str) -> None:
    form = load_form(name)
    example = form.examples[-1]
    answer = respond(example["rows"], form, **example["options"])
    table, values, again = form.on_link(f"#{answer['link']}")
    assert json.loads(table or "")["rows"] == example["rows"]
    assert values == form.values(example["options"])
    if not form.key_option:
        assert json.loads(json.loads(again or "")["json"])["result"] == json.loads(answer["json"])["result"]


@pytest.mark.parametrize("fragment", ["#rows=broken", "#rows="])
def test_a_broken_link_is_said_and_changes_nothing_else(fragment: str) -> None:
    table, values, answer = ACCURACY.on_link(fragment)
    assert (table, values) == (None, None)
    assert "The link is damaged" in (answer or "")
    assert ACCURACY.on_link("") == (None, None, None)


def test_a_link_with_an_option_that_does_not_exist_or_fit() -> None:
    link = pack_link(ROWS, {"fuzzy_threshold": 7})
    assert "fuzzy_threshold must be a number" in (ACCURACY.on_link(f"#{link}")[2] or "")
    link = pack_link(ROWS, {"evil": 1})
    assert ACCURACY.on_link(f"#{link}")[1] == ACCURACY.values({})


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([], {}, "There are no rows yet"),
        ([["", ""]], {}, "There are no rows yet"),
        ([["a"]], {}, "Each row needs 2 texts"),
        ([["\ud800", "a"]], {}, "lone surrogate"),
        ([["a", "b"]] * 2001, {}, "2,001 rows; this page takes 2,000"),
        ([["a" * 2_001, "b"]], {}, "2,001 characters"),
        (ROWS, {"confidence_level": 1.0}, "confidence_level must be a number strictly between 0 and 1"),
        (ROWS, {"match": "<b>"}, "match must be one of"),
    ],
)
def test_an_error_takes_the_place_of_the_report(rows: Any, options: Any, message: str) -> None:
    answer = respond(rows, **options)
    assert set(answer) == {"html", "at"}
    assert message in answer["html"]
    assert 'role="alert"' in answer["html"]


@pytest.mark.parametrize("table", ["", "null", "[]", "{}", '{"rows": 1}', "x"])
def test_a_page_that_sends_nonsense_gets_an_error(table: str) -> None:
    assert "Not computed" in json.loads(ACCURACY.respond(table, *ACCURACY.values({})))["html"]


def test_an_unexpected_error_is_logged_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Any) -> Any:
        raise RuntimeError("the visitor's secret text")

    with caplog.at_level(logging.DEBUG):
        answer = respond(ROWS, replace(ACCURACY, explain=fail))
    assert "Something went wrong here (RuntimeError)" in answer["html"]
    assert "RuntimeError in fail" in caplog.text
    assert "secret" not in caplog.text + answer["html"]


@pytest.mark.parametrize("slow", ["score", "explain", "endpoint"])
def test_a_call_that_takes_too_long_is_given_up(slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def wait(*_: Any) -> Any:
        release.wait(5)

    form = replace(ACCURACY, explain=wait) if slow == "explain" else ACCURACY
    monkeypatch.setattr(form_module, "SECONDS", 0.05)
    if slow != "explain":
        monkeypatch.setattr(type(ACCURACY.metric), "score_columns", wait)
    started = time.perf_counter()
    if slow == "endpoint":
        with pytest.raises(InputError, match="It took more than"):
            form.call(predictions=["a"], references=["a"])
    else:
        assert "It took more than" in respond(ROWS, form)["html"]
    assert time.perf_counter() - started < 2
    release.set()


def test_the_endpoint_returns_what_compute_does() -> None:
    given = {control.name: control.default for control in ACCURACY.api_controls}
    called = json.loads(ACCURACY.call(predictions=["a", "b"], references=["A", "c"], **given))
    computed = evaluate.load("metrics/accuracy").compute(predictions=["a", "b"], references=["A", "c"])
    assert called == json.loads(json.dumps(computed))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"predictions": "abc"}, "predictions is a bare str"),
        ({"predictions": None}, "predictions is missing"),
        ({"predictions": [1, 2]}, r"predictions\[0\] is 1"),
        ({"references": [["a"], "b"]}, r"references\[1\]"),
        ({"references": ["a"]}, "2 predictions, 1 references"),
        ({"fuzzy_match": 1}, "fuzzy_match must be True or False"),
        ({"fuzzy_threshold": "0.5"}, "fuzzy_threshold must be a number"),
        ({"match": None}, 'match must be one of "equal", "contains"'),
        ({"predictions": ["a"] * 2001}, "2,001 rows; this Space takes 2,000"),
        ({"references": [["a"], ["b"] * 101]}, "Row 2 holds 101 texts in a cell; this page takes 100"),
        ({"references": [[""] * 100] * 201}, "20,102 texts together; this page takes 20,000"),
        ({"references": [["a" * 30_000], ["b"]]}, "30,000 characters"),
    ],
)
def test_the_endpoint_refuses_bad_input_in_words(change: dict[str, Any], message: str) -> None:
    given = {control.name: control.default for control in ACCURACY.api_controls}
    with pytest.raises(InputError, match=message):
        ACCURACY.call(**{"predictions": ["a", "b"], "references": ["A", "c"], **given, **change})


def test_sentences_are_counted_where_sentences_are_compared() -> None:
    form = load_form("precision_recall_f1")
    given = {control.name: control.default for control in form.api_controls}
    many = {"predictions": [["It ran. " * 1100]], "references": [["It ran. " * 1100]]}
    with pytest.raises(InputError, match="1,210,000 pairs of sentences; this Space compares 1,000,000 a call"):
        form.call(**{**given, **many, "matching_strategy": "ROUGE_SENTENCE_MATCH"})
    assert form.call(**{**given, **many, "matching_strategy": "ROUGE_CHUNK_MATCH"})


def test_eight_users_at_once_get_their_own_results() -> None:
    def ask(user: int) -> float:
        rows = [[f"{user}", f"{user if index < user else 'x'}"] for index in range(8)]
        accuracy: float = json.loads(respond(rows)["json"])["result"]["accuracy"]
        return accuracy

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, [*range(8)] * 5)) == [user / 8 for user in range(8)] * 5


def test_warnings_reach_the_call_that_they_belong_to(recwarn: pytest.WarningsRecorder) -> None:
    hear_warnings()
    given = {control.name: control.default for control in ACCURACY.api_controls}
    called = json.loads(ACCURACY.call(predictions=[], references=[], **given))
    assert called["warnings"] == ["accuracy got no examples: all scores are 0.0"]
    assert "warnings" not in json.loads(ACCURACY.call(predictions=["a"], references=["a"], **given))
    assert not recwarn.list


def test_uploads_say_how_they_were_understood() -> None:
    answer = json.loads(ACCURACY.on_upload("answer,gold\na,b\n", "x.csv"))
    assert answer == {"rows": [["a", "b"]], "note": "1 rows. Read prediction from “answer”, reference from “gold”."}
    assert json.loads(ACCURACY.on_upload("", "x.csv")) == {"error": "There is nothing in it."}


def test_a_space_of_its_own_limits() -> None:
    assert "2 rows; this page takes 1" in respond(ROWS[:2], replace(ACCURACY, limits=Limits(rows=1)))["html"]


def test_there_are_metrics() -> None:
    assert "accuracy" in METRICS
