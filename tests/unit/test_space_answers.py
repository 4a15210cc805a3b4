"""Responses of a Space: results, errors, exports, links, and calls of programs."""

import csv
import io
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import evaluate
import pytest

from space_ui.controls import build_endpoint
from space_ui.form import Form
from space_ui.permalink import pack_link
from space_ui.rows import InputError
from space_ui.rows import Limits
from tests.unit.test_space_form import METRICS
from tests.unit.test_space_form import computed_examples
from tests.unit.test_space_form import each_metric
from tests.unit.test_space_form import load_form

pytestmark = pytest.mark.filterwarnings("always::UserWarning")
ACCURACY = load_form("accuracy")
ROWS = [["Paris!", "paris"], ["Shakespear", "Shakespeare | Will"], ["Rome", "Oslo"]]
PADDED = [row + [""] * (len(ACCURACY.columns) - 2) for row in ROWS]


def ask(rows: Any, form: Form = ACCURACY, **options: Any) -> tuple[int, dict[str, Any]]:
    """Send a request like the page: rows have a cell for every column, including optional ones."""
    width = len(form.columns)
    rows = [[*row, *[""] * (width - len(row))] if len(row) > 1 else row for row in rows]
    status, answer = form.respond(json.dumps({"rows": rows, "options": options}).encode())
    return status, json.loads(json.dumps(answer))


def answer_of(rows: Any, form: Form = ACCURACY, **options: Any) -> dict[str, Any]:
    status, answer = ask(rows, form, **options)
    assert status == 200, answer
    return answer


def test_response_has_score_interval_and_explanations() -> None:
    answer = answer_of(ROWS, fuzzy_match=True)
    (score,) = answer["scores"]
    assert score["value"] == pytest.approx(2 / 3)
    assert (round(score["low"], 3), round(score["high"], 3)) == (0.208, 0.939)
    assert [example["label"] for example in answer["examples"]] == ["exact", "fuzzy", "miss"]
    assert [example["outcome"] for example in answer["examples"]] == ["hit", "near", "miss"]
    assert answer["examples"][0]["why"] == [["text", "Equal after normalization: "], ["code", "paris"]]
    assert ["soft", "similarity 0.952, needs 0.8"] in answer["examples"][1]["why"]
    assert answer["announcement"].startswith("accuracy 66.7%. 2 of 3 answers match.")


RANKED = [["d9\nd1", "d1 | d9", "3, 1"], ["d2", "d2", "2"]]


def test_relevance_of_ground_truths_is_scored() -> None:
    form = load_form("ranked_retrieval")
    graded = answer_of(RANKED, form, matching_strategy="ID", k=[2])
    assert json.loads(graded["json"])["inputs"]["relevance"] == [[3.0, 1.0], [2.0]]
    plain = answer_of([row[:2] for row in RANKED], form, matching_strategy="ID", k=[2])
    assert "relevance" not in json.loads(plain["json"])["inputs"]
    ndcg = [{one["name"]: one["value"] for one in answer["figures"]}["ndcg@2"] for answer in (graded, plain)]
    assert ndcg[0] < ndcg[1] == 1.0
    assert "G1 (relevance 3): rank 2" in json.dumps(graded["examples"])


@pytest.mark.parametrize(
    ("cell", "message"),
    [("3, high", "Row 1: relevance has “high”, which isn't a number"), ("3", "has 1 numbers"), ("nan 1", "a number")],
)
def test_invalid_relevance_cell_is_rejected(cell: str, message: str) -> None:
    status, answer = ask([["d9\nd1", "d1 | d9", cell]], load_form("ranked_retrieval"), matching_strategy="ID")
    assert status == 422
    assert message in answer["error"]


def test_endpoint_accepts_relevance() -> None:
    form = load_form("ranked_retrieval")
    assert build_endpoint(str, form.metric, form.inputs, form.api_controls).__annotations__["relevance"] == (
        list[list[float]] | None
    )
    given = {"predictions": [["a", "b"]], "references": [["b", "a"]], "matching_strategy": "ID", "k": [1]}
    assert json.loads(form.call(**given, relevance=[[3, 1]]))["ndcg@1"] < 1


def test_score_at_a_cutoff_has_the_help_of_its_output() -> None:
    form = load_form("ranked_retrieval")
    example = computed_examples(form)[0]
    answer = answer_of(example["rows"], form, **example["options"] | {"k": [5]})
    help_of = {figure["name"]: figure["help"] for figure in answer["figures"]}
    assert help_of["recall@5"] == form.metric.outputs["recall@k"].help
    assert all(help_of.values())


@each_metric
def test_exports_reproduce_the_result(name: str) -> None:
    form = load_form(name)
    for example in [example for example in computed_examples(form) if "comparing" not in example]:
        answer = answer_of(example["rows"], form, **example["options"])
        saved = json.loads(answer["json"])
        again = evaluate.load(f"metrics/{name}").compute(**saved["inputs"], **saved["options"])
        assert json.loads(json.dumps(again)) == saved["result"]
        space: dict[str, Any] = {}
        exec(answer["snippet"], space)  # noqa: S102  # code that the page offers to run
        assert json.loads(json.dumps(space["result"])) == saved["result"]
        table = list(csv.DictReader(io.StringIO(answer["csv"])))
        assert len(table) == len(example["rows"])
        assert {"outcome"} < set(table[0])
        assert saved["result"]["signature"] in answer["paper"]["markdown"]
        assert saved["result"]["signature"] in answer["paper"]["latex"]


def test_paper_rows_have_percent_interval_and_count() -> None:
    paper = answer_of(ROWS, fuzzy_match=True)["paper"]
    assert "| accuracy | 66.7 | 20.8\u201393.9 | 3 |" in paper["markdown"]
    assert r"accuracy & 66.7 {\scriptsize [20.8, 93.9]} & 3 \\" in paper["latex"]


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    cells = ['=HYPERLINK("http://x/","y")', "@SUM(1)", "+a", "-a", "\ta", "\ra", "-1.5", "+2e3", "a\r=b"]
    answer = answer_of([[cell, "x"] for cell in cells])
    rows = csv.DictReader(io.StringIO(answer["csv"], newline=""))
    assert [row["prediction"] for row in rows] == [*(f"'{cell}" for cell in cells[:6]), *cells[6:]]
    assert json.loads(answer["json"])["inputs"]["predictions"] == cells


def test_code_for_many_rows_reads_the_downloaded_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", str(ACCURACY.script))
    answer = answer_of([[f"answer {index}", f"answer {index % 50}"] for index in range(100)])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "accuracy.json").write_text(answer["json"], encoding="utf-8")
    space: dict[str, Any] = {}
    exec(answer["snippet"], space)  # noqa: S102
    assert space["result"]["accuracy"] == 0.5


def test_code_names_the_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "someone/accuracy")
    assert 'evaluate.load("someone/accuracy")' in answer_of(ROWS)["snippet"]


@each_metric
def test_link_reproduces_rows_options_and_result(name: str) -> None:
    form = load_form(name)
    example = form.examples[:2][-1]  # a new metric has one example
    answer = answer_of(example["rows"], form, **example["options"])
    status, opened = form.open_link(answer["link"])
    assert status == 200
    assert opened["rows"] == example["rows"]
    assert opened["options"] == form.clean(example["options"])
    again = answer_of(opened["rows"], form, **opened["options"])
    assert json.loads(again["json"])["result"] == json.loads(answer["json"])["result"]


@pytest.mark.parametrize("packed", ["broken", ""])
def test_damaged_link_is_reported(packed: str) -> None:
    status, answer = ACCURACY.open_link(packed)
    assert status == 422
    assert "The link is damaged" in answer["error"]


def test_link_with_an_invalid_option_is_rejected_and_unknown_ones_are_ignored() -> None:
    status, answer = ACCURACY.open_link(pack_link(PADDED, {"fuzzy_threshold": 7}) or "")
    assert status == 422
    assert "fuzzy_threshold must be a number" in answer["error"]
    assert ACCURACY.open_link(pack_link(PADDED, {"evil": 1}) or "")[1]["options"] == ACCURACY.clean({})


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([], {}, "There are no rows yet"),
        ([["", ""]], {}, "There are no rows yet"),
        ([["a"]], {}, "Each row needs"),
        ([["\ud800", "a"]], {}, "lone surrogate"),
        ([["a", "b"]] * 20_001, {}, "20,001 rows; the limit is 20,000"),
        ([["a" * 10_001, "b"]], {}, "10,001 characters"),
        (ROWS, {"confidence_level": 1.0}, "confidence_level must be a number strictly between 0 and 1"),
        (ROWS, {"match": "<b>"}, "match must be one of"),
    ],
)
def test_bad_input_is_rejected_with_a_clear_error(rows: Any, options: Any, message: str) -> None:
    status, answer = ask(rows, **options)
    assert status == 422
    assert message in answer["error"]


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"{}", b'{"rows": 1}', b"x", b"\xff", b'{"rows": [], "options": 1}']
)
def test_malformed_body_is_rejected(body: bytes) -> None:
    status, answer = ACCURACY.respond(body)
    assert status == 422
    assert answer["error"]


def test_unexpected_error_is_logged_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Any) -> Any:
        raise RuntimeError("the visitor's secret text")

    with caplog.at_level(logging.DEBUG):
        status, answer = ask(ROWS, replace(ACCURACY, explain=fail))
    assert status == 500
    assert "Something went wrong here (RuntimeError); your rows are not the cause." in answer["error"]
    assert "RuntimeError in fail" in caplog.text
    assert "secret" not in caplog.text + str(answer)


def test_key_is_redacted_from_error_messages() -> None:
    def fail(*_: Any) -> Any:
        raise ValueError("401 for sk-visitor-1")

    broken = replace(ACCURACY, authorize=fail)
    status, answer = broken.respond(json.dumps({"rows": PADDED}).encode(), "sk-visitor-1")
    assert (status, answer["error"]) == (422, "401 for (key)")


def test_endpoint_returns_the_result_of_compute() -> None:
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
        ({"match": None}, 'match must be one of "equal"'),
        ({"predictions": ["a"] * 20_001}, "20,001 rows; the limit is 20,000"),
        ({"references": [["a"], ["b"] * 101]}, "Row 2 has 101 texts in a cell; the limit is 100"),
        ({"references": [[""] * 100] * 601}, "60,102 texts; the limit is 60,000"),
        ({"references": [["a" * 30_000], ["b"]]}, "30,000 characters"),
        ({"unknown": 1}, "this Space has no option unknown"),
    ],
)
def test_endpoint_rejects_bad_input_with_a_clear_error(change: dict[str, Any], message: str) -> None:
    given = {control.name: control.default for control in ACCURACY.api_controls}
    with pytest.raises(InputError, match=message):
        ACCURACY.call(**{"predictions": ["a", "b"], "references": ["A", "c"], **given, **change})


def test_sentence_pairs_are_limited_for_sentence_strategies() -> None:
    form = load_form("precision_recall_f1")
    given = {control.name: control.default for control in form.api_controls}
    many = {"predictions": [["It ran. " * 1100]], "references": [["It ran. " * 1100]]}
    with pytest.raises(InputError, match="1,210,000 pairs of sentences; the limit of this Space is 1,000,000 per call"):
        form.call(**{**given, **many, "matching_strategy": "ROUGE_SENTENCE_MATCH"})
    assert form.call(**{**given, **many, "matching_strategy": "ROUGE_CHUNK_MATCH"})


def test_concurrent_users_get_their_own_results() -> None:
    def score(user: int) -> float:
        rows = [[f"{user}", f"{user if index < user else 'x'}"] for index in range(8)]
        accuracy: float = json.loads(answer_of(rows)["json"])["result"]["accuracy"]
        return accuracy

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(score, [*range(8)] * 5)) == [user / 8 for user in range(8)] * 5


def test_warnings_are_returned_to_their_own_call(recwarn: pytest.WarningsRecorder) -> None:
    given = {control.name: control.default for control in ACCURACY.api_controls}
    called = json.loads(ACCURACY.call(predictions=[], references=[], **given))
    assert called["warnings"] == ["accuracy got no examples: all scores are 0.0"]
    assert "warnings" not in json.loads(ACCURACY.call(predictions=["a"], references=["a"], **given))
    assert not recwarn.list


def test_page_lists_warnings_as_notices() -> None:
    form = load_form("l3score")
    answer = answer_of([["q", "a", "a"]], form)
    assert any("Demo judge" in notice for notice in answer["notices"])


def test_limits_apply_per_space() -> None:
    status, answer = ask(ROWS[:2], replace(ACCURACY, limits=Limits(rows=1)))
    assert status == 422
    assert "2 rows; the limit is 1" in answer["error"]


def test_time_estimate_grows_with_length_and_scorer() -> None:
    def seconds(length: int, **options: Any) -> float:
        cells = ["ab" * (length // 2)] * 2 + [""] * (len(ACCURACY.columns) - 2)
        body = json.dumps({"rows": [cells] * 100, "options": options}).encode()
        return ACCURACY.estimate(ACCURACY.parse(body))

    assert seconds(20) < 0.05
    assert seconds(2000) < 2
    assert seconds(2000, fuzzy_match=True, fuzzy_scorer="partial_ratio") > 10
    assert ACCURACY.estimate_call({"predictions": "abc"}) < 0.01


def test_metrics_are_found() -> None:
    assert "accuracy" in METRICS
