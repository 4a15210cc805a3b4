"""Rows of a Space: reading uploads and pasted text, and rejected input."""

import csv
import io
import json
import re
import string
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Kind
from space_ui.rows import Limits
from space_ui.rows import check_rows
from space_ui.rows import join_cell
from space_ui.rows import split_cell
from space_ui.rows import to_inputs
from space_ui.upload import read_upload

PAIR = [Column("predictions", "Prediction"), Column("references", "Reference", "answers")]
TRIPLE = [Column("questions", "Question"), *PAIR]
LISTS = [Column("predictions", "Retrieved", "list", ("chunks",)), Column("references", "Ground truth", "list")]
LIMITS = Limits()
ROWS = [["Paris", "paris"], ["Lyon, France", "Lyon"]]
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def read(text: str, columns: list[Column] = PAIR, filename: str = "") -> list[list[str]]:
    rows = read_upload(text.encode(), columns, LIMITS, filename).rows
    assert rows is not None
    return rows


@pytest.mark.parametrize(
    ("text", "filename"),
    [
        ('prediction,reference\nParis,paris\n"Lyon, France",Lyon\n', "answers.csv"),
        ('prediction;reference\nParis;paris\n"Lyon, France";Lyon\n', "answers.csv"),
        ("prediction\treference\nParis\tparis\nLyon, France\tLyon\n", "answers.tsv"),
        ("Paris\tparis\nLyon, France\tLyon", ""),
        ('\ufeffid,Output,Ground Truth\r\n1,Paris,paris\r\n2,"Lyon, France",Lyon\r\n', "excel.csv"),
        ('{"answer": "Paris", "gold": "paris"}\n{"answer": "Lyon, France", "gold": "Lyon"}\n', "answers.jsonl"),
        ('[{"response": "Paris", "target": "paris"}, {"response": "Lyon, France", "target": "Lyon"}]', ""),
        ('{"predictions": ["Paris", "Lyon, France"], "references": ["paris", "Lyon"]}', "answers.json"),
        ('{"name": "x", "data": [{"pred": "Paris", "ref": "paris"}, {"pred": "Lyon, France", "ref": "Lyon"}]}', ""),
    ],
)
def test_every_format_gives_the_same_rows(text: str, filename: str) -> None:
    assert read(text, filename=filename) == ROWS


def test_most_specific_column_name_is_used() -> None:
    upload = read_upload(b"answer,prediction,answers\nwrong,Paris,paris", PAIR, LIMITS)
    assert upload.rows == [["Paris", "paris"]]
    assert upload.mapping == {"predictions": "prediction", "references": "answers"}
    assert upload.notes == ["Read prediction from “prediction”, reference from “answers”."]


def test_question_column_is_found_among_three() -> None:
    assert read('{"query": "?", "output": "a", "expected": "b"}', TRIPLE) == [["?", "a", "b"]]


def test_several_references_are_a_list_or_separated_by_a_bar() -> None:
    rows = read('{"prediction": "NYC", "references": ["New York", "NYC"]}')
    assert rows == [["NYC", "New York | NYC"]]
    assert to_inputs(rows, PAIR) == {"predictions": ["NYC"], "references": [["New York", "NYC"]]}


def test_one_row_with_several_references_makes_a_list_column() -> None:
    assert to_inputs([["a", "b"], ["c", "d | e"]], PAIR)["references"] == [["b"], ["d", "e"]]
    assert to_inputs([["a", "b"], ["c", "d"]], PAIR)["references"] == ["b", "d"]


def test_json_object_of_lists_is_read_as_columns_or_as_a_row_of_chunks() -> None:
    assert read('{"chunks": ["a", "b"], "references": ["c"]}', LISTS) == [["a\nb", "c"]]
    assert read('{"chunks": [["a", "b"], []], "references": [["c"], ["d"]]}', LISTS) == [["a\nb", "c"], ["", "d"]]


def test_chunks_are_lines_a_json_list_or_empty() -> None:
    assert split_cell("one\ntwo | three\n\n", "list") == ["one", "two", "three"]
    assert split_cell('["one\\ntwo"]', "list") == ["one\ntwo"]
    assert split_cell("", "list") == []
    assert split_cell("[]", "list") == []


@pytest.mark.parametrize("cell", ["", " ", "[1, 2]", "[]", "a | ", " | ", "[not json]", '["a", 1]', "|", "a|b"])
def test_cell_that_is_not_a_list_is_a_single_answer(cell: str) -> None:
    assert split_cell(cell, "answers") == [cell]


@given(st.lists(TEXT, min_size=1))
@example(["a | b"])
@example(['["a"]'])
@example(["", ""])
def test_answer_cells_round_trip(texts: list[str]) -> None:
    assert split_cell(join_cell(texts, "answers"), "answers") == texts


@given(st.lists(TEXT))
@example([""])
@example([" a "])
@example(["[]"])
def test_list_cells_round_trip(texts: list[str]) -> None:
    assert split_cell(join_cell(texts, "list"), "list") == texts


@pytest.mark.parametrize("cell", ["3, 1", "[3, 1]", "3 1", "3 | 1", "3;1", " 3\n1 "])
def test_numbers_in_a_cell_are_parsed(cell: str) -> None:
    assert to_inputs([[cell]], [Column("relevance", "Relevance", "numbers")]) == {"relevance": [[3.0, 1.0]]}


def test_numbers_in_a_file_are_kept() -> None:
    columns = [Column("references", "Reference", "list"), Column("relevance", "Relevance", "numbers", optional=True)]
    upload = read_upload(b'{"references": [["a", "b"]], "relevance": [[3, 1]]}', columns, LIMITS)
    assert upload.rows == [["a\nb", "3, 1"]]
    assert upload.notes == ["Read reference from “references”, relevance from “relevance”."]


def test_numbers_and_missing_values_become_texts_with_a_note() -> None:
    upload = read_upload(b'[{"prediction": 42, "reference": null}]', PAIR, LIMITS)
    assert upload.rows == [["42", ""]]
    assert "numbers" in upload.notes[-1]
    assert "missing values, as empty texts" in upload.notes[-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  \n ", "The file is empty"),
        ("prediction,reference\n", "no rows"),
        ('prediction,reference\n"a,b\n', "Row 1 has 1 cell, the first line has 2"),
        ("prediction,reference\nhello, world,hello\n", "Row 1 has 3 cells, the first line has 2"),
        ('{"prediction": "a", "reference": "b"}\n{oops}', "Line 2 isn't valid JSON"),
        ('{"prediction": "a", "reference": "b"}\n[1]', "Line 2 isn't a JSON object"),
        ('{"prediction": "a", "reference": NaN}', "NaN isn't valid JSON; write a missing value as null"),
        (
            '{"prediction": "a", "reference": "b"}\n{"prediction": "a", "reference": -Infinity}',
            "Line 2: -Infinity isn't",
        ),
        ('[{"prediction": "a", "reference": "b"}, {"prediction": "a"}]', "Row 2 has no field “reference”"),
        ('[{"prediction": ["a", "b"], "reference": "b"}]', "field “prediction” is a list of 2; one text"),
        ('[{"prediction": "a", "reference": []}]', "is an empty list"),
        ('[{"prediction": [{"x": 1}], "reference": "b"}]', "isn't text"),
        ('{"predictions": ["a"], "references": ["b", "c"]}', "differ in length: 1 predictions, 2 references"),
        ('[{"prediction": "\\ud800", "reference": "b"}]', "lone surrogate"),
    ],
)
def test_unreadable_file_is_rejected_with_a_clear_error(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text)


def test_deeply_nested_json_is_rejected() -> None:
    with pytest.raises(InputError, match=r"nested too deeply|isn't valid JSON"):
        read("[" * 100_000, filename="a.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n1,2,3", "No column for prediction .*; reference .*Found: “a”, “b”, “c”"),
        ("prediction,x\na,b", "No column for reference"),
    ],
)
def test_unknown_columns_are_reported_with_their_names(text: str, message: str) -> None:
    upload = read_upload(text.encode(), PAIR, LIMITS)
    assert upload.rows is None
    assert re.search(message, upload.error)
    assert upload.names == text.partition("\n")[0].split(",")


def test_visitors_column_mapping_is_used() -> None:
    content = b"a,b,c\n1,2,3"
    upload = read_upload(content, PAIR, LIMITS, mapping={"predictions": "c", "references": "a"})
    assert upload.rows == [["3", "1"]]
    assert read_upload(content, PAIR, LIMITS, mapping={"predictions": "c", "references": "z"}).rows is None


@pytest.mark.parametrize(
    ("record", "columns", "row"),
    [
        (
            {"doc": {"question": "?"}, "target": "b", "resps": [["raw"]], "filtered_resps": ["a"]},
            "TRIPLE",
            ["?", "a", "b"],
        ),
        (
            {"question": "?", "answers": {"text": ["b", "c"], "answer_start": [1, 2]}, "prediction_text": "a"},
            "TRIPLE",
            ["?", "a", "b | c"],
        ),
        (
            {"samples": [{"input": "?", "target": "b", "output": {"completion": "a", "model": "m"}}]},
            "TRIPLE",
            ["?", "a", "b"],
        ),
    ],
    ids=["lm-evaluation-harness", "SQuAD", "Inspect"],
)
def test_known_log_formats_are_read(record: Any, columns: str, row: list[str]) -> None:
    assert read(json.dumps(record), globals()[columns]) == [row]


def test_downloaded_json_is_read_back() -> None:
    saved = {
        "metric": "accuracy",
        "inputs": {"predictions": ["a", "b"], "references": ["c", "d"]},
        "result": {"n": [1]},
    }
    assert read(json.dumps(saved, indent=1)) == [["a", "c"], ["b", "d"]]


def test_parquet_is_read(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"output": ["Paris", "Rome"], "gold": [["paris"], ["Roma", "Rome"]]}), tmp_path / "a.parquet"
    )
    content = (tmp_path / "a.parquet").read_bytes()
    assert read_upload(content, PAIR, LIMITS).rows == [["Paris", "paris"], ["Rome", "Roma | Rome"]]
    with pytest.raises(InputError, match="isn't valid Parquet"):
        read_upload(content[:40], PAIR, LIMITS)


def test_content_that_is_not_text_is_rejected() -> None:
    with pytest.raises(InputError, match="isn't UTF-8 text"):
        read_upload(b"prediction,reference\n\xe9,b", PAIR, LIMITS)
    assert read_upload("prediction\treference\né\tb".encode("utf-16"), PAIR, LIMITS).rows == [["é", "b"]]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(rows=1), "2 rows; the limit is 1"),
        (Limits(cell=5), "Row 2 has 12 characters"),
        (Limits(characters=20), "characters; the limit is 20"),
        (Limits(characters=5), "the limit is 5"),
        (Limits(texts=3), "5 texts; the limit is 3"),
        (Limits(texts_in_cell=1), "Row 2 has 2 texts in a cell; the limit is 1"),
    ],
)
def test_exceeded_limits_are_reported(limits: Limits, message: str) -> None:
    rows = [["Paris", "paris"], ["Lyon, France", "Lyon | L"]]
    text = "\n".join("\t".join(row) for row in [["prediction", "reference"], *rows])
    with pytest.raises(InputError, match=message):
        read_upload(text.encode(), PAIR, limits)
    with pytest.raises(InputError, match=message):
        check_rows(rows, PAIR, limits)


@pytest.mark.parametrize("rows", [None, {}, "abc", [["a"]], [["a", "b", "c"]], [["a", None]], ["ab"], [[1, 2]]])
def test_malformed_rows_are_rejected(rows: Any) -> None:
    with pytest.raises(InputError):
        check_rows(rows, PAIR, LIMITS)


def test_rows_without_text_are_dropped() -> None:
    assert check_rows([["", " "], ["", "b"]], PAIR, LIMITS) == [["", "b"]]
    with pytest.raises(InputError, match="no rows yet"):
        check_rows([["", " "]], PAIR, LIMITS, minimum=1)


# Uploads of characters that break parsers: quotes, separators, line endings, brackets, unusual spaces.
ODD = st.text(st.sampled_from('",;\t\n\r |[]{}:\\ab1\u2028\u0085\x00\x0b\ufeff'), max_size=60)


@given(
    ODD, st.sampled_from(["", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.txt"]), st.sampled_from([PAIR, TRIPLE, LISTS])
)
@settings(max_examples=400)
def test_unusual_uploads_are_read_or_rejected(text: str, filename: str, columns: list[Column]) -> None:
    try:
        upload = read_upload(text.encode(), columns, LIMITS, filename)
    except InputError:
        return
    assert (upload.rows is None) == bool(upload.error)
    rows = upload.rows or []
    assert upload.error or upload.notes
    assert all(len(row) == len(columns) and all(isinstance(cell, str) for cell in row) for row in rows)


CELLS = st.lists(
    st.tuples(
        st.text(string.ascii_letters + '",;\t\n| é', min_size=1), st.text(string.ascii_letters + '",|\n', min_size=1)
    ),
    min_size=1,
)


@given(CELLS, st.sampled_from([",", "\t", ";"]))
def test_csv_written_by_python_round_trips(cells: list[tuple[str, str]], delimiter: str) -> None:
    cells = [(left, right) for left, right in cells if left.strip() or right.strip()] or [("a", "b")]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("prediction", "reference"), *cells])
    assert read(buffer.getvalue()) == [list(row) for row in cells]


@given(st.lists(st.fixed_dictionaries({"prediction": TEXT, "reference": TEXT}), min_size=1))
def test_json_lines_round_trip(records: list[dict[str, str]]) -> None:
    rows = read("\n".join(map(json.dumps, records)), filename="a.jsonl")
    inputs = to_inputs(rows, PAIR)
    assert inputs["predictions"] == [record["prediction"] for record in records]
    assert inputs["references"] == [record["reference"] for record in records]


@pytest.mark.parametrize("kind", ["text", "answers", "list"])
def test_plain_text_is_unchanged_in_every_kind_of_cell(kind: Kind) -> None:
    assert split_cell("Paris", kind) == ["Paris"]
