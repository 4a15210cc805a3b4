"""The Spaces without Gradio: cells, files, two systems, links, options, reports, endpoints, the owner's budget."""

import base64
import csv
import dataclasses
import gzip
import io
import json
import re
import runpy
import sys
import zipfile
from contextlib import nullcontext
from functools import cache
from html import unescape
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import Mock

import markupsafe
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from answer_metrics.page.page_tables import Column, Limits
from answer_metrics.page.report import EXPORTS, Report, spreadsheet_cell
from answer_metrics.page.space import Space, library
from tests.conftest import ROOT

METRICS = "accuracy answer_exact_match token_f1 precision_recall_f1 ranked_retrieval l3score recorded_score".split()
PREDICTIONS, REFERENCES = Column("predictions", "Prediction"), Column("references", "Reference", "answers")
TWO = [PREDICTIONS, REFERENCES]
LISTS = [Column("predictions", "Retrieved", "list"), Column("relevance", "Relevance", "numbers", optional=True)]
PAIRED = [PREDICTIONS.of_system("A"), PREDICTIONS.of_system("B"), REFERENCES, Column("ids", "ID", optional=True)]


@cache
def space_of(name: str) -> Any:
    """Load the Space of a metric, or the gallery, once."""
    folder = ROOT / ("spaces/gallery" if name == "gallery" else f"metrics/{name}")
    return runpy.run_path(str(folder / "app.py"))["SPACE"]


def read(text: str | bytes, extension: str = "", columns: list[Column] = TWO) -> list[list[str]]:
    table = tables.read_table(text.encode() if isinstance(text, str) else text, extension)
    return tables.to_rows(table, columns, tables.match_columns(table.names, columns))


@given(texts=st.lists(st.text(st.characters(codec="utf-8")), min_size=1), kind=st.sampled_from(["answers", "list"]))
def test_cell_of_texts_comes_back(texts: list[str], kind: str) -> None:
    assert tables.split_cell(tables.join_cell(texts, kind), kind) == texts


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"predictions": ["a" * 5] * 2}, ""),  # limits are inclusive
        ({"predictions": ["a" * 4, ""], "references": [["b" * 3, "c" * 3], []]}, ""),
        ({"predictions": ["a"] * 3}, "There are 3 rows; the limit is 2"),
        ({"predictions": ["a", "a" * 7]}, "Row 2 has 7 characters in a cell; the limit is 6"),
        ({"predictions": [["a"] * 3]}, "Row 1 has 3 texts in a cell; the limit is 2"),
        ({"predictions": ["a" * 6], "references": ["b" * 5]}, "The texts have 11 characters; the limit is 10"),
    ],
)
def test_limits(inputs: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) if message else nullcontext():
        Limits(2, 10, 6, 2).check(inputs)


ROWS = [["Paris", "paris"], ["Rome, Italy", "Rome | Roma"]]


def parquet(columns: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


RECORDS = b'[{"output": "Paris", "gold": "paris"}, {"output": "Rome, Italy", "gold": ["Rome", "Roma"]}]'


def zipped(content: bytes) -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr(zipfile.ZipInfo("rows.json"), content)  # the same bytes at any time
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "extension"),
    [
        ('prediction,reference\nParis,paris\n"Rome, Italy",Rome | Roma\n', ".csv"),
        ("\ufeffReference;Model answer\r\nparis;Paris\r\nRome | Roma;Rome, Italy\r\n", ".csv"),
        ("output\tgold\nParis\tparis\nRome, Italy\tRome | Roma\n", ""),  # copied from a spreadsheet
        ("Paris\tparis\nRome, Italy\tRome | Roma\n", ""),  # without a header
        ('\ufeff{"predictions": ["Paris", "Rome, Italy"], "references": ["paris", ["Rome", "Roma"]]}', ".json"),
        (('{"metric": "accuracy", "inputs": {"predictions": ["Paris", "Rome, Italy"], '
         '"references": ["paris", ["Rome", "Roma"]]}}'), ""),  # as the page saves it
        (('{"resps": [["Paris"]], "target": "paris", "doc_id": 0}\n'
         '{"resps": [["Rome, Italy"]], "target": ["Rome", "Roma"], "doc_id": 1}\n'), ".jsonl"),  # lm-evaluation-harness
        (parquet({"pred": ["Paris", "Rome, Italy"], "target": [["paris"], ["Rome", "Roma"]]}), ""),
        (gzip.compress(RECORDS, mtime=0), ""),
        (zipped(RECORDS), ""),
    ],
)  # fmt: skip
def test_files(content: str | bytes, extension: str) -> None:
    assert read(content, extension) == ROWS


def test_values_of_files_keep_their_meaning() -> None:
    assert read("prediction,reference\n007,NA\n") == [["007", "NA"]]
    assert tables.to_cell(float("nan"), Column("ids", "ID", "name")) == ""
    assert read('prediction,reference\n"",x\n') == [["", "x"]]  # an empty answer, unlike a missing one
    optional = [*TWO, Column("questions", "Question", optional=True)]
    assert read('[{"prediction": "a", "reference": "b", "question": null}]', columns=optional) == [["a", "b", ""]]
    assert read('[{"prediction": 3.50, "reference": "a | b"}]') == [["3.5", '["a | b"]']]  # in JSON it is one text
    absent = '{"prediction": "a", "reference": "b"}\n{"reference": "c"}'
    assert read(absent, ".jsonl") == [["a", "b"], [tables.MISSING, "c"]]
    named = tables.read_table(b"mine,mine,\n1,2,3\n", ".csv")
    assert named.records == [{"mine": "1", "mine (2)": "2", "column 3": "3"}]
    rows = read('[{"predictions": ["a | b"], "relevance": [1, 0]}]', columns=LISTS)
    assert tables.to_inputs(rows, LISTS) == {"predictions": [["a | b"]], "relevance": [[1.0, 0.0]]}
    rows = read('predictions,relevance\n"d1,d2","1,0"\n"[""d,3""]",\n', columns=LISTS)
    assert tables.to_inputs(rows, LISTS) == {"predictions": [["d1", "d2"], ["d,3"]], "relevance": [[1.0, 0.0], []]}
    assert read('predictions,relevance\n"Paris, France",1\n', columns=LISTS) == [["Paris, France", "1"]]


@pytest.mark.parametrize(
    ("content", "extension", "message"),
    [
        ("a,b\n1,2,3\n", ".csv", "Line 2 has 3 cells, the first line has 2. Texts with a comma"),
        ('[{"prediction": "a", "reference": null}]', ".json", "Row 1, field “reference”: missing; a text is needed"),
        ('[{"prediction": [{"role": "user", "content": "a"}], "reference": "b"}]', "", r'messages\[-1\]\["content"\]'),
        (b"ARROW1", ".arrow", "Arrow files can't be read here"),
        ('[{"prediction": {"x": []}, "reference": [[]]}]', ".json", "Row 1, field “reference”: an empty|one text"),
        ('[{"prediction": ["a", "b"], "reference": "c"}, {"prediction": "", "reference": ""}]', ".json", "a list of 2"),
        ('{"predictions": ["a"], "references": ["b", "c"]}', ".json", "differ in length: 1 predictions, 2 references"),
    ],
)
def test_files_that_cannot_be_read(content: str | bytes, extension: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(content, extension)


def test_missing_predictions_are_wrong_under_all_rules() -> None:
    for name in ("accuracy", "answer_exact_match", "token_f1"):
        space = space_of(name)
        rules = [{"normalizer": normalizer or ""} for normalizer in space.offered("normalizer")]
        rules += [{"preset": preset} for preset in space.presets if preset]
        rules += [{option: choice} for option in ("match", "equivalent") for choice in space.words.get(option, "  ")[2]]
        rules = [rule for rule in rules if rule.keys() <= space.options.keys()]
        assert len(rules) > 1
        for rule in rules:
            for references in ([""], ["", "no"], ["null", "none", "missing"], ["0"]):
                inputs = {"predictions": [tables.MISSING], "references": [references]}
                result, _ = space.compute(inputs, space.chosen(rule))
                assert result[space.metric.main_score] == 0, (rule, references)


@pytest.mark.parametrize(
    ("scale", "values"), [("", (1, 1, 0)), ("1, 5", (5, 3, 1)), ("5, 1", (1, 3, 5)), ("a=0, b=3", ("b", "a", "a"))]
)
def test_missing_scores_are_the_worst(scale: str, values: tuple[Any, ...]) -> None:
    space = space_of("recorded_score")
    text = json.dumps([{"score": value} for value in (*values[:2], None)])
    rows = read(text, columns=space.rows)
    assert rows[2][0] == tables.MISSING
    explicit = space.score([[str(value)] for value in values], {"scale": scale})
    figures = [re.findall(r'<strong title="([^"]+)"', html) for html in (space.score(rows, {"scale": scale}), explicit)]
    assert figures[0] == figures[1] != []


def test_file_with_too_many_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows.TSV").write_text("a\tb\n1\t2\n3\t4\n", encoding="utf-8")
    assert len(tables.read_source(str(tmp_path / "rows.TSV"), "other", "", 2).records) == 2
    with pytest.raises(InputError, match="There are 2 rows; the limit is 1"):
        tables.read_source("", "a,b\n1,2\n3,4\n", "", 1)
    sparse = json.dumps([{f"field {number}": ""} for number in range(20_000)]).encode()
    assert len(tables.read_table(sparse, ".json").records) == 20_000  # no table of 400 million cells
    bomb = parquet({"pred": pa.array(["x" * 100_000] * 2_000).dictionary_encode(), "target": ["y"] * 2_000})
    with pytest.raises(InputError, match="too large once unpacked"):
        tables.read_table(bomb, ".parquet")
    blank = tables.read_table(b"a,b\n1,2\n,\n\n3,4\n")
    assert (len(blank.records), blank.notes) == (2, ["1 line without text left out"])
    with pytest.raises(InputError, match="Both a table and a dataset are given: empty one of the two fields"):
        tables.read_source("", "a,b\n1,2\n", "owner/name", 2)
    monkeypatch.setattr(tables, "fetch_dataset", lambda address: f"a,b\n1,{address}\n3,4\n".encode())
    assert tables.read_source("", " \n", "owner/name", 1).records == [{"a": "1", "b": "owner/name"}]
    with pytest.raises(InputError, match="The file is no longer here: upload it again"):
        tables.read_source(str(tmp_path / "gone.csv"), "", "", 2)


def test_second_system_is_matched_by_id_or_position() -> None:
    first = [["Paris", "", "paris", "1"], ["Rome", "", "rome", "2"]]
    table = tables.read_table(b"id,output\n2,Roma\n1 ,Lyon\n", ".csv")
    second = tables.to_rows(table, PAIRED, tables.match_columns(table.names, PAIRED, "B"))
    align = space_of("accuracy").function("align")
    rows, note = tables.pair_rows(first, second, PAIRED, "B", align)
    assert [row[:3] for row in rows] == [["Paris", "Lyon", "paris"], ["Rome", "Roma", "rome"]]
    assert "by ID" in note
    rows, note = tables.pair_rows(first, [["", "Lyon", " paris ", ""], ["", "Roma", "", ""]], PAIRED, "B", align)
    assert [row[1] for row in rows] == ["Lyon", "Roma"]
    assert "by position" in note
    samples = [[answer, "", "", number] for answer, number in zip("abc", "112", strict=True)]
    others = [["", answer, "", number] for answer, number in zip("xyz", "211", strict=True)]
    assert [row[:2] for row in tables.pair_rows(samples, others, PAIRED, "B", align)[0]] == [[*"ay"], [*"bz"], [*"cx"]]
    columns = [*PAIRED, Column("questions", "Question", optional=True)]
    asked = [[["a", "", "b", "1", question]] for question in ("", "q?", "p?")]
    assert tables.pair_rows(asked[0], asked[1], columns, "B", align)[0] == [["a", "", "b", "1", "q?"]]
    with pytest.raises(ValueError, match="are not in system B") as caught:
        tables.pair_rows(first, [["", "x", "", "2"], ["", "y", "", "3"]], PAIRED, "B", align)
    unmatched = "1 of the IDs of system {} are not in system {}: '{}'"
    reason = space_of("accuracy").reason(caught.value)  # without what the page does not have
    assert reason == f"{unmatched.format('A', 'B', 1)}; {unmatched.format('B', 'A', 3)}"
    with pytest.raises(InputError, match=r"Row 1 has a different question in the two files\.$"):
        tables.pair_rows(asked[1], asked[2], columns, "B", align)


@given(
    rows=st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=9), min_size=2, max_size=2), max_size=5),
    comparing=st.booleans(),
)
def test_link_comes_back(rows: list[list[str]], comparing: bool) -> None:
    link = tables.pack_link(rows, {"match": "recall"}, comparing=comparing)
    assert re.fullmatch(r"rows=[\w-]+", link)
    assert tables.unpack_link(link) == (rows, {"match": "recall"}, comparing)


def test_links_that_cannot_be_opened() -> None:
    link = tables.pack_link([["a", "b"]], {})
    for damaged in (link[:-4], "rows=%%%", "rows=", "rows=" + "A" * 50):
        with pytest.raises(InputError, match="damaged or was cut short"):
            tables.unpack_link(damaged)
    names: dict[str, Any] = {"A": "x", "B": 1}
    assert tables.unpack_link(tables.pack_link([["a"]], {}, comparing=names)) == ([["a"]], {}, True)
    longest = 400_000 - len('[[[""]],{},false]')  # bytes, when unpacked
    for fits in ("é" * (longest // 2), "a" * longest):
        assert tables.unpack_link(tables.pack_link([[fits]], {}))[0] == [[fits]]
        assert tables.pack_link([[f"{fits}aa"]], {}) == ""
    assert tables.pack_link([[str(hash(str(i))) for i in range(3000)]], {}) == ""  # packed


@pytest.mark.parametrize("name", [*METRICS, "gallery"])
def test_examples_have_reports(name: str) -> None:
    space = space_of(name)
    assert space.examples[0]["options"].keys() <= {"preset"}  # the page opens with the defaults, or with a preset
    assert {*space.presets} <= {example["options"].get("preset", "") for example in space.examples}
    defaults = {name: space.values[name] for name in space.options}
    for example in space.examples:
        method = space.compare if example.get("comparing") else space.score
        recorded = [example] if "result" in example else []
        implied = space.presets.get(example["options"].get("preset", ""), {})
        html = method(example["rows"], {**defaults, **implied, **example["options"]}, *recorded)
        assert html.count("<tbody class") == len(example["rows"])
        assert "Undefined" not in html
        if recorded:  # under other options than those of the page
            download = re.findall(r'download="l3score.json" href="[^,]+,([^"]+)"', html)[0]
            assert json.loads(base64.b64decode(download))["options"] == {}
        assert not re.search(r"@\d+</dt><dd>[\d.]+<", html)  # figures are percentages, like the scores


def options_of(space: Any, example: dict[str, Any]) -> dict[str, Any]:
    """Return all options of the page under an example."""
    preset = space.presets.get(example["options"].get("preset", ""), {})
    return {**{name: space.values[name] for name in space.options}, **preset, **example["options"]}


@pytest.mark.parametrize("name", METRICS)
def test_comparison_opens_under_the_options_of_every_example(name: str) -> None:
    space = space_of(name)
    pairs = [example for example in space.examples if example.get("comparing")]
    for example in space.examples:
        options = options_of(space, example)
        used = {name: options[name] for name in space.used["compare"]}
        fits = [pair for pair in pairs if used.items() <= options_of(space, pair).items()]
        assert 'class="headline"' in space.compare([*fits, pairs[0]][0]["rows"], options)


def reasons(html: str) -> dict[int, str]:
    """Return the cells and the reason of each row of a report."""
    html = re.sub(r'<td data-name="(ID|Group|Cluster)".*?</td>| colspan="\d+"|\s', "", html)
    rows = re.findall(r'<tbodyclass="row[^>]*data-row="(\d+)".*?(<td.*?)</tbody>', html)
    return {int(number): cells for number, cells in rows}


@pytest.mark.parametrize("name", METRICS)
def test_reasons_of_rows_that_the_browser_draws(name: str) -> None:
    space = space_of(name)
    for example in space.examples:
        method, columns = ("compare", space.compared) if example.get("comparing") else ("score", space.rows)
        names = [*"AB"] if method == "compare" else []
        options = space.chosen(options_of(space, example), method)
        rows = [
            [f"{row if column.name == 'ids' else row % 2}" if column.kind == "name" else cell
             for cell, column in zip(cells, columns, strict=True)]
            for row, cells in enumerate(example["rows"])
        ]  # fmt: skip
        html = getattr(space, method)(rows, options)
        inside = [place for place, column in enumerate(columns) if any(row[place] for row in rows)]
        for number, row in list(enumerate(rows, 1))[:: 1 + len(rows) // 5]:
            record = {columns[place].name: row[place] for place in inside}
            later = space.explain_rows({"call": [method, [record], names, json.loads(json.dumps(options))]})["html"]
            assert reasons(later)[1] == reasons(html)[number]


@pytest.mark.parametrize(
    ("scale", "worst", "best", "difference", "score"),
    [
        ("", "0", "1", "90.0 points", "100.0"),
        ("1, 0", "1", "0", "90.0 points", "0.0"),
        ("1, 5", "1", "5", "3.6", "5.00"),
        ("5, 1", "5", "1", "3.6", "1.00"),
    ],
)
def test_scores_are_written_on_their_scale(scale: str, worst: str, best: str, difference: str, score: str) -> None:
    html = space_of("recorded_score").compare([[worst, best]] * 9 + [[best, best]], {"scale": scale})
    assert f"B is {difference} better than A" in html
    assert f"| B score | {score} |" in html
    assert f"B score & {score} " in html
    assert re.findall(r"(improved|same score|regressed) <span>(\d+)<", html) == [("improved", "9"), ("same score", "1")]
    columns = [column.name for column in space_of("recorded_score").compared]
    systems = ({"scores": worst, "scores_b": best, "scores_c": third} for third in (worst, worst, best))
    rows = [[scores.get(name, "") for name in columns] for scores in systems]
    html = space_of("recorded_score").compare(rows, {"scale": scale})
    assert re.findall(r"<td>[\d–]+</td>\s*<th scope=\"row\">(\w)", html) == [*"BCA"]
    html = space_of("recorded_score").score([[worst]] * 2 + [[best]] * 7, {"scale": scale})
    assert re.findall(r"(best|between|worst) <span>(\d+)<", html) == [("best", "7"), ("worst", "2")]


@pytest.mark.parametrize(
    ("name", "rows", "options", "expected"),
    [
        ("accuracy", [["Paris!", "paris"]], {}, ["Equal after normalization", "paris", "1 of 1 answers match"]),
        ("accuracy", [["It is Ada King", "Ada Lovelace"]], {"match": "recall"}, ["<mark>Ada<", "missing: Lovelace"]),
        ("accuracy", [["Is X my Rome?\nAnswer: my Rome", "The Rome"]], {"preset": "free_form"}, ["Answer: my <mark>R"]),
        ("accuracy", [["none", "4"]], {"extract": "last_number"}, ["No answer found in the prediction"]),
        ("accuracy", [[r"\boxed{0.50}", "1/2"]], {"preset": "number"}, ["Equal by value:", ">0.50<", ">1/2<"]),
        ("accuracy", [["3.14", "5 | 3.1416"]], {"preset": "number", "numeric_tolerance": 0.01}, ['code">3.1416<']),
        ("accuracy", [["A", "Au", "", "Au | Ag"]], {"preset": "multiple_choice"}, ["with A", "Equal as written"]),
        ("accuracy", [["<think>x</think>Paris", "Paris"]], {}, ["Equal as written"]),
        ("accuracy", [["<a>x</a>Paris", "Paris"]], {"reasoning_marks": '[["<a>", "</a>"]]'}, ["Equal as written"]),
        ("accuracy", [["In York City", "York | York City"]], {"match": "contains"}, ["<mark>york city<"]),
        ("token_f1", [["new york", "new york new york"]], {}, ["2 of 4 words found", "missing: new, york"]),
        ("token_f1", [["e\u0301cole", "école"]], {}, [r"missing: \xe9cole", r"1 more in the answer, e\u0301cole"]),
        ("token_f1", [["a river", "Seine River | seine, river!"]], {}, ["<li>seine, river!<"]),
        ("answer_exact_match", [["a", "b | a"]], {}, ["Equal as written, reference 2 of 2"]),
        ("precision_recall_f1", [["the cat sat", "the cat sat | a dog"]], {}, ["= G1", "G2 0.000", "needs &gt; 0.7"]),
        ("ranked_retrieval", [["a 1 | b 2", "b 2", ""]], {"matching_strategy": "ID"}, ["G1: rank 2", "= R2"]),
        ("ranked_retrieval", [["a", "b | a", "2, 1"]], {"matching_strategy": "ID"}, [">2, 1</td>", "G2 (relevance 1)"]),
        ("l3score", [["q?", "Paris", "Paris"]], {}, ["p(yes) 0.990", "log-probabilities"]),
        ("answer_exact_match", [["1969 ", "1969"], ["a\u200bb", "ab"]], {}, [">1969·</span>", "a[U+200B]b"]),
        ("answer_exact_match", [["x\ufe00", "x"], ["❤\ufe0f", "❤"]], {}, ["x[U+FE00]", "❤[U+FE0F]"]),
        ("ranked_retrieval", [["a", "a | b", "1, 0"]], {"matching_strategy": "ID"}, ["all found", "0): not needed"]),
    ],
)  # fmt: skip
def test_reasons(name: str, rows: list[list[str]], options: dict[str, Any], expected: list[str]) -> None:
    html = space_of(name).score(rows, options)
    for text in expected:
        assert text in html


def test_misses_come_first_and_texts_are_escaped() -> None:
    html = space_of("accuracy").score([["a", "a"], ["<script>x</script>", "b"]], {})
    examples = html[html.index("<tbody") :]
    assert examples.index("&lt;script&gt;") < examples.index("Equal as written")
    assert "<script" not in html


def test_references_of_a_file_may_number_the_options() -> None:
    columns = [PREDICTIONS, REFERENCES, Column("choices", "Options", "list")]
    rows = [{"prediction": "A", "answer": number, "choices": ["x | y", "z"]} for number in (0, 1)]
    assert [row[1] for row in read(json.dumps(rows), ".json", columns)] == ['["x | y"]', "z"]
    assert [row[1] for row in read(json.dumps(rows[1:]), ".json", columns)] == ["1"]


def test_exports_count_the_rows_that_have_a_score() -> None:
    report = SimpleNamespace(row_outcomes=["yes", None, "failed", "no"], saved=SimpleNamespace(comparison=None))
    assert EXPORTS.rows_scored(report, 0) == "2"


def test_downloads_and_code_reproduce_the_result() -> None:
    """A text of a visitor stays data: in Python, as a formula of a spreadsheet, and in the page."""
    nasty = "\"\"\"'''\\\n\",]) or __import__('os').abort() #\u2028{x}\0"
    rows = [[nasty, "a | b", "", "", "7"], ["=1+1", "2", "", "", "8"]]
    html = space_of("accuracy").score(rows, {"fuzzy_match": True})
    exports = dict(re.findall(r'download="accuracy\.(\w+)" href="([^"]+)"', html))
    assert exports.keys() == {"json", "csv", "svg"}
    saved = json.loads(base64.b64decode(exports["json"].partition("base64,")[2]))
    _, options, comparing = tables.unpack_link(re.findall(r"#(rows=[\w-]+)", html)[0])
    assert (options, comparing) == ({"fuzzy_match": True}, False)
    assert saved["inputs"] == {"predictions": [nasty, "=1+1"], "references": [["a", "b"], ["2"]]}
    assert saved["options"] == {"fuzzy_match": True}
    assert saved["ids"] == ["7", "8"]
    code = unescape(re.findall(r'aria-label="Python">(.*?)</pre>', html, flags=re.DOTALL)[0])
    scope: dict[str, Any] = {}
    exec(code.replace('"metrics/accuracy"', repr(str(ROOT / "metrics" / "accuracy"))), scope)  # our code
    assert scope["result"]["accuracy"] == saved["result"]["accuracy"]
    table = base64.b64decode(exports["csv"].partition("base64,")[2]).decode("utf-8-sig")
    first, *lines = csv.reader(io.StringIO(table, newline=""))
    assert first == ["predictions", "references", "ids", "outcome", "individual_scores", "match_types", "similarities"]
    assert [line[:4] for line in lines] == [[nasty, "a | b", "7", "miss"], ["'=1+1", "2", "8", "miss"]]
    assert list(map(spreadsheet_cell, ("-2+3", "+1 a", "-2.5", "+3"))) == ["'-2+3", "'+1 a", "-2.5", "+3"]
    counts: Any = SimpleNamespace(row_outcomes=["hit", "miss"], table={"count": [12, None], "share": [0.5, 1]})
    assert Report.csv(counts, {"id": ["a", "b"]}).splitlines()[1:] == ['"a","hit",12,0.5', '"b","miss","",1']


def test_preset_implies_options() -> None:
    """The page sends the values of all controls; what a preset implies is not given."""
    space = space_of("accuracy")
    implied = {name: space.values[name] for name in space.options} | {"preset": "number"}
    implied |= {"extract": "boxed, answer_line, last_number", "numbers": "value"}
    assert space.chosen(implied) == {"preset": "number"}
    assert space.chosen({**implied, "numbers": "text"}) == {"preset": "number", "numbers": "text"}
    assert space.reason(KeyError("a text")) == "Something went wrong here (KeyError)."
    called = space.call({"predictions": ["so 1.5 million"], "references": ["1500000"], "preset": "number"})
    assert called["accuracy"] == 1.0
    cut_off = space.call({"predictions": ["<think>so"], "references": ["a"]})
    assert cut_off["warnings"] == ["1 prediction ended mid-reasoning and was scored wrong"]
    for preset in space.presets:
        html = space.presets_scored([["a", "a"]], {"preset": preset})
        assert re.findall(r'class="chosen">\s*<th scope="row">([^<]*)<', html) == [space.words["preset"][2][preset]]


def test_groups_and_samples_have_tables() -> None:
    rows = [["a", "a", "", "", "1", "x<b>"], ["b", "a", "", "", "1", "x<b>"], ["c", "c", "", "", "2", "y"]]
    html = space_of("accuracy").score([*rows, ["c", "c", "", "", "2", "y"]], {})
    assert re.search(r"<td>x&lt;b&gt;</td><td>50%</td>", html)
    assert "<td>pass@1</td><td>75%</td>" in html
    rows = [["a", "a", "1", "x"], ["b", "a", "2", "x"]]
    assert "no effect" not in space_of("answer_exact_match").score(rows, {"confidence_method": "clopper-pearson"})


@pytest.mark.parametrize(
    ("name", "rows", "expected"),
    [
        ("precision_recall_f1", [["a b", "c d", "a b | c d"], ["a", "b", "c"]], ["= G1", "= G2", ">G2</span>c d"]),
        ("accuracy", [[*"axa", "", "", row[0], "", *row[1:]] for row in ("a1g", "x2g", "c3h")],
         ["Ranks that the systems may have", "C accuracy", "!D accuracy", "All pairs", "!By group"]),
        ("accuracy", [[*"axa", *[""] * 4, one, group] for one, group in ("1g", "2g", "3h")],
         ["By group", "regressed <span>3<", "!All pairs"]),
        ("accuracy", [[*"axa", *[""] * 6, number] for number in "1122"], ["2 clusters)", "!All pairs", "!By group"]),
        ("l3score", [[*"qabr", score, "0.5"] for score in ("0.1", "", "0.9")],
         ["left out <span>1</span> <em>33.3%</em>", "improved <span>1<", "& 2 ", "& 3 "]),
        ("l3score", [[*"qabr", *scores] for scores in (("1", ""), ("", "1"))], ["nothing can be compared", "!<dt>"]),
        ("l3score", [[*"qabr", *scores] for scores in (("0.1", "0.3"), ("0.7", "0.6"), ("0.3", "0.2"))],
         ["B scores the same as A", "±0 points<"]),
        ("accuracy", [[*"aba", *[""] * 4, number] for number in "1122"], ["| 100.0 | 34.2 to 100.0 | 2 |"]),
    ],
)  # fmt: skip
def test_comparisons(name: str, rows: list[list[str]], expected: list[str]) -> None:
    html = space_of(name).compare(rows, {})
    assert html.count("<tbody class") == len(rows)
    for text in expected:
        assert (text.removeprefix("!") in html) is not text.startswith("!")


def test_required_rows_of_a_comparison_have_its_options() -> None:
    space, answers, clusters = space_of("accuracy"), ("aabbaabb", "bbaabbbb"), [*"11223344"]
    rows = [[*pair, "a", *[""] * 6, cluster] for *pair, cluster in zip(*answers, clusters, strict=True)]
    columns = ({"predictions": [*texts], "references": ["a"] * 8, "clusters": clusters} for texts in answers)
    first, second = map(space.metric.score_batch, columns)
    for options in ({}, {"confidence_level": 0.99}):
        needed = space.metric.required_n(first, second=second, **options)["n"]
        assert f"<dd>{needed:,}</dd>" in space.compare(rows, options)


def test_rows_of_several_systems_are_sorted_by_the_last_and_the_first() -> None:
    space = space_of("accuracy")
    fields = [column.name for column in space.compared]
    rows = [
        dict(zip(("predictions", "predictions_b", "predictions_c"), each, strict=True))
        for each in ("aab", "baa", "aba")
    ]
    html = space.compare([[{"references": "a", **row}.get(name, "") for name in fields] for row in rows], {})
    scores = re.findall(r'data-row="(\d)"[^>]*data-score="(-?[\d.]+)"', html)
    assert sorted(scores) == [("1", "-1.0"), ("2", "1.0"), ("3", "0.0")]


def test_the_corrected_score_names_its_level() -> None:
    rows, labels = [["a", "a"], ["b", "a"]] * 20, {str(row): row % 2 == 0 for row in range(0, 40, 3)}
    space = space_of("accuracy")
    for options, level in (({}, "95%"), ({"confidence_level": 0.8}, "80%")):
        assert f"{level} CI" in space.correct(rows, options, labels)


def test_the_reason_of_a_row_has_the_letters_of_its_own_choices() -> None:
    space = space_of("accuracy")
    fields = [column.name for column in space.rows]
    options = {"(B)": "gold | iron", "(A)": "iron | gold"}
    rows = [{"predictions": letter, "choices": choices, "references": "gold"} for letter, choices in options.items()]
    html = space.score([[row.get(name, "") for name in fields] for row in rows], {"preset": "multiple_choice"})
    assert re.findall(r"compared with (\w)\b", html) == ["A", "B"]


@pytest.mark.parametrize("name", METRICS)
def test_options_are_named_in_words(name: str) -> None:
    space = space_of(name)
    for option, name_ in space.options.items():
        assert space.words[option][0].lower() != option.replace("_", " ")
        assert len(name_.help) <= 110
    arguments = {name_[0] for _, _, parameters in space.endpoints().values() for name_ in parameters}
    assert not [name_ for name_ in {*space.options, *arguments} if "key" in name_ or "url" in name_ or "dir" in name_]


def test_numbers_above_a_thousand_have_a_comma() -> None:
    space = space_of("accuracy")
    cells = [
        {"predictions": "b" if row % 30 == 0 else "a", "predictions_b": "a" if row else "b", "references": "a"}
        for row in range(1234)
    ]
    rows, pairs = (
        [[row.get(column.name, "") for column in columns] for row in cells] for columns in (space.rows, space.compared)
    )
    for html, texts in (
        (
            space.score(rows, {}),
            ["1,192 of 1,234 answers match.", "| 95.4 to 97.5 | 1,234 |", "[95.4, 97.5]} & 1,234 "],
        ),
        (space.compare(pairs, {}), ["| A accuracy | 96.6 | 95.4 to 97.5 | 1,234 |", "<dd>2,629</dd>"]),
        (space.presets_scored(rows, {}), ["The same 1,234 rows under each preset"]),
        (space.sample(rows, {}, 1), ["30 of 1,234 rows"]),
    ):
        assert [text for text in texts if text not in html] == []
    odd, last = ["a"] * 1233, [*PAIRED, Column("questions", "Question", optional=True)]
    first, second = ([["a", "", "b", "", text] for text in [*odd, end]] for end in "xy")
    table = tables.Table([*({"output": text} for text in odd), {"output": ["b", "c"]}])
    align = space.function("align")
    for call, message in (
        (lambda: Limits(cell=6).check({"predictions": [*odd, "b" * 7]}), "has 7 characters in a cell"),
        (lambda: Limits(texts_in_cell=1).check({"predictions": [*odd, ["b", "c"]]}), "has 2 texts in a cell"),
        (lambda: tables.to_inputs([["1"]] * 1233 + [["x"]], [Column("x", "S", "score")]), "S: “x” isn't a number"),
        (lambda: tables.to_inputs([["1"]] * 1233 + [[""]], [Column("ids", "ID", "name")]), "has no id: every row"),
        (lambda: tables.to_rows(table, TWO, {"predictions": "output"}), "field “output”: a list of 2; one text"),
        (lambda: tables.pair_rows(first, second, last, "B", align), "has a different question in the two files"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=f"^Row 1,234,? {message}"):
            call()


def test_histogram_is_drawn_for_enough_scores_between_the_ends() -> None:
    between = [["x y", "x"]]
    for name, rows, drawn in (("token_f1", 20, True), ("token_f1", 19, False), ("accuracy", 30, False)):
        assert ('class="histogram"' in space_of(name).score(between * rows, {})) == drawn
    html = space_of("recorded_score").score([*map(list, "12345" * 4)], {"scale": "1, 5"})
    assert "in ten bins from 1 to 5: 4, 0, 4, 0, 0, 4, 0, 4, 0, 4" in html


def test_rows_beyond_the_first_of_a_label_are_drawn_by_the_browser() -> None:
    rows = [["a</script>", "a</script>"]] * 300 + [["b", "c"]] * 5
    in_groups = [[*row, "", "", "", "z" if number == 250 else "y"] for number, row in enumerate(rows)]
    assert "<option>y</option><option>z</option>" in space_of("accuracy").score(in_groups, {})
    html = space_of("accuracy").score(rows, {})
    assert html.count("<tbody class") == 205
    (others,) = re.findall(r'<script type="application/json" class="others">(.*?)</script>', html)
    rows = json.loads(others)["rows"]
    assert [row[0] for row in rows] == [*range(201, 301)]
    assert rows[0][1:] == ["exact", 1.0, "", ["a</script>", "a</script>"]]


@pytest.mark.parametrize(
    "name", [r"C:\data\m", r"\1", r"\g<0>", "$&", "a|b", "{{x}}", "%s", "<b>", "B", "a\u200bb", "`"]
)
def test_systems_have_any_names(name: str) -> None:
    page = space_of("accuracy").compare([["a", "b", "b"]], {}, {"A": name, "B": "other"})
    assert f"other is 100.0 points better than {markupsafe.escape(name)} (" in page
    column = Column("predictions", "Prediction").of_system("A")
    assert column.titled(name).heading == column.heading.replace(" A", f" {name}")


def test_comparison_of_calls() -> None:
    inputs = {"predictions": ["a", "x", "c"], "references": ["a", "b", "c"]}
    call = {**inputs, "predictions_b": ["a", "b", "c"], "ids": [1, 2, 3], "names": ["R&D <1>"] * 2}
    compared = space_of("accuracy").call_compare(call)
    assert "R&D <1> (B) is 33.3 points better than R&D <1>" in compared["sentence"]
    own = compared["systems"]["R&D <1> (B)"]
    assert (own["wins"], own["accuracy"]) == (1, 1.0)
    html = space_of("accuracy").compare([["a", "b", "b"]], {}, {"A": "R&D_1", "B": "<i>"})
    assert "&lt;i&gt; is 100.0 points better than R&amp;D_1 (" in html
    assert "R\\&amp;D\\_1 & 0.0 {" in html  # in LaTeX
    assert "| R&amp;D\\_1 | 0.0 |" in html  # in Markdown
    html = space_of("accuracy").compare([["a", "b", "b"]], {}, {"A": r"a^b~c\d{e}", "B": "x"})
    assert r"a\textasciicircum{}b\textasciitilde{}c\textbackslash{}d\{e\} & 0.0 {" in html
    cut_off = space_of("accuracy").call_compare({**inputs, "predictions_b": ["a", "b", "<think>so"]})
    assert cut_off["warnings"] == ["1 prediction ended mid-reasoning and was scored wrong"]
    with pytest.raises(ValueError, match="got 1 predictions, 3 references"):
        space_of("accuracy").call_compare({**inputs, "predictions_b": ["a"]})
    with pytest.raises(InputError, match="There are no predictions_b yet"):
        space_of("accuracy").call_compare(inputs)


@pytest.mark.parametrize("name", METRICS)
def test_output_schema_has_what_calls_return(name: str) -> None:
    kinds: dict[str, Any] = {"number": (int, float), "integer": int, "string": str, "array": list, "object": dict}
    space = space_of(name)
    inputs = tables.to_inputs(space.examples[0]["rows"], space.rows)
    inputs = {column: inputs[column] for column in space.metric.inputs if column in inputs}
    details = dict.fromkeys(("return_details", "return_confidence", "return_signature"), True)
    own = space.judged or space.metric.scored_input()
    scores = {own: [0.1, 0.2]} if space.judged else inputs
    pair = {**scores, f"{own}_b": scores[own], "margin": 0.5}
    for method, result in (("call", space.call({**inputs, **details})), ("call_compare", space.call_compare(pair))):
        properties = space.output_schema(method)["properties"]
        assert {key for key in result if "@" not in key} - {"warnings"} <= properties.keys()
        for key in result.keys() & properties.keys():
            kind, none = properties[key]["type"]
            assert (none, bool(properties[key].get("description"))) == ("null", True), key
            assert result[key] is None or isinstance(result[key], kinds[kind]), (key, kind)


def test_rows_that_cannot_be_scored() -> None:
    space = space_of("accuracy")
    with pytest.raises(InputError, match="The column Prediction B is empty: fill it in"):
        space.compare([["a", "", "a"], ["b", "", "b"]], {})
    for method, row in (("score", ["a", "x" * 10_001, "", ""]), ("compare", ["a", "b", "x" * 10_001, "", "", "", ""])):
        with pytest.raises(InputError, match="Row 1 has 10,001 characters in a cell; the limit is 10,000"):
            getattr(space, method)([row], {})
    with pytest.raises(InputError, match="language is empty; it must be the code of a language"):
        space_of("ranked_retrieval").call({"predictions": [["a"]], "references": [["b"]], "language": ""})
    for wrong in ("nan", "1.5", "-0.5"):
        with pytest.raises(InputError, match=f"Row 2, Score A: “{wrong}” isn't a number from 0 to 1"):
            space_of("l3score").compare([[*"qabr", score, "0.5"] for score in ("1", wrong)], {})
    hidden = {"top_logprobs": "", "confidence_level": 0.9}  # what a comparison does not use is not looked at
    assert space_of("l3score").chosen(hidden, "compare") == {"confidence_level": 0.9}
    with pytest.raises(InputError, match="Row 2 has no group: every row needs one, or none"):
        space.score([["a", "a", "", "", "", "x"], ["b", "b"]], {})
    with pytest.raises(InputError, match="Row 2 has no cluster: every row needs one, or none"):
        space.compare([["a", "b", "a", *[""] * 6, "c1"], ["a", "b", "a"]], {})


def test_a_space_uses_the_functions_of_its_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("org.space.other", "org.space._copy"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        exec("def align(): ...\ndef own(): ...", vars(sys.modules[name]))
    assert space_of("token_f1").function("align").__module__.startswith("answer_metrics.")
    assert library("org.space.script", "align").__module__ == "org.space._copy"
    with pytest.raises(LookupError, match=r"^own is in no module of org$"):
        library("org.script", "own")


def test_gallery_leaves_out_what_does_not_apply() -> None:
    inputs = {"predictions": ["Paris!"], "references": ["paris"]}
    called = space_of("gallery").call({**inputs, "questions": ["Where?"]})
    assert not [text for text in called["notices"] if "is not a judge" in text]  # the page says "demo judge"
    assert called["results"]["accuracy"]["accuracy"] == 1.0
    assert called["results"]["exact match"]["score"] == 0.0
    assert "retrieval F1 is left out: a column that it needs is empty." in called["notices"]
    html = space_of("gallery").score([["", "Paris!", "paris"], ["", "a", "b"], ["", "c", "c"]], {})
    assert "Metrics disagree on 1 of 3 answers." in html
    marks = re.findall(r">([●◐○])<", html)
    assert (html.count("<tbody class"), marks[0], marks[-1]) == (3, "○", "●" if "all accept" in html else "○")
    assert html.index("Paris!") < html.index(">c<")  # disagreements first
    pair = {"predictions": ["Rome"], "predictions_b": ["Paris!"], "references": ["paris"]}
    compared = space_of("gallery").call_compare(pair)
    assert compared["results"]["accuracy"]["systems"]["B"]["wins"] == 1
    assert compared["results"]["exact match"]["systems"]["B"]["wins"] == 0


def test_gallery_without_metrics_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setenv("METRICS", str(tmp_path))
    monkeypatch.setenv("SPACE_ID", "owner/gallery")
    gallery = runpy.run_path(str(ROOT / "spaces" / "gallery" / "app.py"))["SPACE"]
    printed = capsys.readouterr().out
    names = "answer_exact_match accuracy token_f1 l3score precision_recall_f1 ranked_retrieval".split()
    assert re.findall(r"^(\w+) is left out: \w+Error: ", printed, re.MULTILINE) == names
    with pytest.raises(InputError, match=f"No metric could be loaded from {tmp_path}: the log says why"):
        gallery.score([["", "a", "a"]])
    call = gallery.call({"predictions": ["a"], "references": ["a"]})
    assert (call["results"], call["notices"][0]) == ({}, "exact match is left out: it could not be loaded.")


@pytest.fixture
def authorize(monkeypatch: pytest.MonkeyPatch) -> Any:
    function = space_of("l3score").authorize
    monkeypatch.setitem(function.__globals__, "SPENT", {"dollars": 0.0})
    monkeypatch.setenv("L3SCORE_BUDGET", "1")
    return function


def spent(authorize: Any) -> float:
    return float(authorize.__globals__["SPENT"]["dollars"])


def test_owner_pays_within_the_budget_only(authorize: Any) -> None:
    judge = Mock(return_value={"Cost": 0.04})
    for most in (0.045, 3, None, *[0.05] * 22):
        authorize(judge, {"provider": "openai", "max_cost": most}, "")
    assert spent(authorize) == pytest.approx(1.0)
    assert judge.call_args_list.pop(0).args[0]["max_cost"] == 0.045
    assert judge.call_args.args[0]["max_cost"] == pytest.approx(0.04)  # what is left
    assert judge.call_args_list[0].args[0]["max_cost"] == 0.05  # a twentieth of the budget per call
    with pytest.raises(InputError, match="budget is spent: duplicate this Space"):
        authorize(judge, {"provider": "openai"}, "")
    authorize(judge, {"provider": "mock"}, "")  # costs nothing
    authorize(judge, {"provider": "openai"}, "sk-own")
    assert judge.call_args.args[0]["api_key"] == "sk-own"
    assert spent(authorize) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("judge", "charged"),
    [
        (Mock(return_value={"Cost": None}), 0.05),  # an unknown price costs the share
        (Mock(return_value={"Cost": 0.0}), 0.0),  # nothing was asked
        (Mock(return_value={"Cost": 0.01, "lost_cost": 0.02}), 0.03),  # answers that never arrived may be billed
        (Mock(side_effect=ValueError("bad input")), 0.0),
        (Mock(side_effect=TypeError("no such option")), 0.0),
        (Mock(side_effect=RuntimeError("the judge stopped")), 0.05),
        (Mock(side_effect=type("Stopped", (RuntimeError,), {"spent": 0.01})()), 0.01),
        (Mock(side_effect=type("Refused", (RuntimeError,), {"spent": 0.0})()), 0.0),
    ],
)
def test_what_a_call_is_charged(authorize: Any, judge: Mock, charged: float) -> None:
    with pytest.raises(type(judge.side_effect)) if judge.side_effect else nullcontext():
        authorize(judge, {"provider": "openai"}, "")
    assert spent(authorize) == pytest.approx(charged)


def test_without_a_budget_the_owner_does_not_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "0"):
        monkeypatch.setenv("L3SCORE_BUDGET", value)
        inputs = {"questions": ["a?"], "predictions": ["b"], "references": ["c"]}
        with pytest.raises(InputError, match="This judge needs a key: duplicate this Space"):
            space_of("l3score").call({**inputs, "provider": "openai"})
    judge = Mock(return_value={"L3Score": None})
    monkeypatch.setattr(space_of("l3score"), "authorize", judge)
    called = space_of("l3score").call({**inputs, "provider": "openai", "max_cost": 0.5, "prompt": "card"}, "sk-1")
    assert (called, judge.call_args.args[1:]) == ({"L3Score": None}, ({"on_error": "skip", "max_cost": 0.5}, "sk-1"))
    with pytest.raises(InputError, match="This Space has no option base_url"):
        space_of("l3score").chosen({"base_url": "http://169.254.169.254"})
    with pytest.raises(InputError, match='provider must be one of "mock", "openai", "deepseek", "xai"'):
        space_of("l3score").chosen({"provider": "transformers"})


def test_every_field_of_a_space_is_documented() -> None:
    table = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [field.name for field in dataclasses.fields(Space)]
