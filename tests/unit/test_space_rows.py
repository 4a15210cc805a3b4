"""Rows of a Space: what uploads, pasted text and links become, and what is refused."""

import base64
import contextlib
import csv
import io
import json
import string
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import example
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from space_ui.permalink import MAX_LINK
from space_ui.permalink import pack_link
from space_ui.permalink import unpack_link
from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Kind
from space_ui.rows import Limits
from space_ui.rows import check_rows
from space_ui.rows import join_cell
from space_ui.rows import split_cell
from space_ui.rows import to_inputs
from space_ui.upload import read_table

PAIR = [Column("predictions", "Prediction"), Column("references", "Reference", "answers")]
TRIPLE = [Column("questions", "Question"), *PAIR]
LISTS = [Column("predictions", "Retrieved", "list", ("chunks",)), Column("references", "Ground truth", "list")]
LIMITS = Limits()
ROWS = [["Paris", "paris"], ["Lyon, France", "Lyon"]]

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def read(text: str, columns: list[Column] = PAIR, filename: str = "") -> list[list[str]]:
    return read_table(text, columns, LIMITS, filename)[0]


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
def test_the_same_rows_from_every_format(text: str, filename: str) -> None:
    assert read(text, filename=filename) == ROWS


def test_the_most_telling_name_wins() -> None:
    rows, notes = read_table("answer,prediction,answers\nwrong,Paris,paris", PAIR, LIMITS)
    assert rows == [["Paris", "paris"]]
    assert notes == ["Read prediction from “prediction”, reference from “answers”."]


def test_a_question_is_found_among_three() -> None:
    assert read('{"query": "?", "output": "a", "expected": "b"}', TRIPLE) == [["?", "a", "b"]]


def test_several_references_come_as_a_list_or_apart_by_a_bar() -> None:
    rows = read('{"prediction": "NYC", "references": ["New York", "NYC"]}')
    assert rows == [["NYC", "New York | NYC"]]
    assert to_inputs(rows, PAIR) == {"predictions": ["NYC"], "references": [["New York", "NYC"]]}


def test_one_row_with_several_makes_the_column_one_of_lists() -> None:
    assert to_inputs([["a", "b"], ["c", "d | e"]], PAIR)["references"] == [["b"], ["d", "e"]]
    assert to_inputs([["a", "b"], ["c", "d"]], PAIR)["references"] == ["b", "d"]


def test_a_json_object_of_lists_is_columns_and_one_of_chunks_is_a_row() -> None:
    assert read('{"chunks": ["a", "b"], "references": ["c"]}', LISTS) == [["a\nb", "c"]]
    assert read('{"chunks": [["a", "b"], []], "references": [["c"], ["d"]]}', LISTS) == [["a\nb", "c"], ["", "d"]]


def test_chunks_are_lines_or_a_json_list_or_none() -> None:
    assert split_cell("one\ntwo | three\n\n", "list") == ["one", "two", "three"]
    assert split_cell('["one\\ntwo"]', "list") == ["one\ntwo"]
    assert split_cell("", "list") == []
    assert split_cell("[]", "list") == []


@pytest.mark.parametrize("cell", ["", " ", "[1, 2]", "[]", "a | ", " | ", "[not json]", '["a", 1]', "|", "a|b"])
def test_what_is_no_list_of_answers_is_one_answer_as_it_stands(cell: str) -> None:
    assert split_cell(cell, "answers") == [cell]


@given(st.lists(TEXT, min_size=1))
@example(["a | b"])
@example(['["a"]'])
@example(["", ""])
def test_cells_of_answers_give_back_what_they_hold(texts: list[str]) -> None:
    assert split_cell(join_cell(texts, "answers"), "answers") == texts


@given(st.lists(TEXT))
@example([""])
@example([" a "])
@example(["[]"])
def test_cells_of_lists_give_back_what_they_hold(texts: list[str]) -> None:
    assert split_cell(join_cell(texts, "list"), "list") == texts


def test_numbers_and_missing_values_become_texts_with_a_note() -> None:
    rows, notes = read_table('[{"prediction": 42, "reference": null}]', PAIR, LIMITS)
    assert rows == [["42", ""]]
    assert "numbers" in notes[-1]
    assert "missing values, as empty texts" in notes[-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  \n ", "nothing in it"),
        ("prediction,reference\n", "no rows"),
        ("a,b,c\n1,2,3", "No column for prediction .*; reference .*Found: “a”, “b”, “c”"),
        ("prediction,x\na,b", "No column for reference"),
        ('prediction,reference\n"a,b\n', "Row 1 has 1 of 2 cells"),
        ('{"prediction": "a", "reference": "b"}\n{oops}', "Line 2 is no JSON"),
        ('{"prediction": "a", "reference": "b"}\n[1]', "Line 2 is no JSON object"),
        ('[{"prediction": "a", "reference": "b"}, {"prediction": "a"}]', "Row 2 has no field “reference”"),
        ('[{"prediction": ["a"], "reference": "b"}]', "field “prediction” is a list; one text"),
        ('[{"prediction": "a", "reference": []}]', "is an empty list"),
        ('[{"prediction": {"x": 1}, "reference": "b"}]', "is no text"),
        ('{"predictions": ["a"], "references": ["b", "c"]}', "differ in length: 1 predictions, 2 references"),
        ('[{"prediction": "\\ud800", "reference": "b"}]', "lone surrogate"),
        ("[" * 5000 + "{", "."),
    ],
)
def test_what_cannot_be_understood_is_said(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(rows=1), "2 rows; this page takes 1"),
        (Limits(cell=5), "Row 2 holds 12 characters"),
        (Limits(characters=20), "characters together; this page takes 20"),
        (Limits(characters=5), "this page takes 5"),
        (Limits(texts=3), "5 texts together; this page takes 3"),
        (Limits(texts_in_cell=1), "Row 2 holds 2 texts in a cell; this page takes 1"),
    ],
)
def test_limits_are_kept_and_named(limits: Limits, message: str) -> None:
    rows = [["Paris", "paris"], ["Lyon, France", "Lyon | L"]]
    with pytest.raises(InputError, match=message):
        read_table("\n".join("\t".join(row) for row in [["prediction", "reference"], *rows]), PAIR, limits)
    with pytest.raises(InputError, match=message):
        check_rows(rows, PAIR, limits)


@pytest.mark.parametrize("rows", [None, {}, "abc", [["a"]], [["a", "b", "c"]], [["a", None]], ["ab"], [[1, 2]]])
def test_a_page_that_sends_nonsense_is_told(rows: Any) -> None:
    with pytest.raises(InputError):
        check_rows(rows, PAIR, LIMITS)


def test_rows_without_text_are_left_out() -> None:
    assert check_rows([["", " "], ["", "b"]], PAIR, LIMITS) == [["", "b"]]
    with pytest.raises(InputError, match="no rows yet"):
        check_rows([["", " "]], PAIR, LIMITS, least=1)


# Uploads made of what breaks parsers: quotes, separators, line ends, brackets, odd spaces.
ODD = st.text(st.sampled_from('",;\t\n\r |[]{}:\\ab1\u2028\u0085\x00\x0b\ufeff'), max_size=60)


@given(
    ODD, st.sampled_from(["", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.txt"]), st.sampled_from([PAIR, TRIPLE, LISTS])
)
@settings(max_examples=400)
def test_odd_uploads_are_understood_or_refused_in_words(text: str, filename: str, columns: list[Column]) -> None:
    try:
        rows, notes = read_table(text, columns, LIMITS, filename)
    except InputError:
        return
    assert rows
    assert notes
    assert all(len(row) == len(columns) and all(isinstance(cell, str) for cell in row) for row in rows)


CELLS = st.lists(
    st.tuples(
        st.text(string.ascii_letters + '",;\t\n| é', min_size=1), st.text(string.ascii_letters + '",|\n', min_size=1)
    ),
    min_size=1,
)


@given(CELLS, st.sampled_from([",", "\t", ";"]))
def test_what_a_csv_writer_wrote_is_read(cells: list[tuple[str, str]], delimiter: str) -> None:
    cells = [(left, right) for left, right in cells if left.strip() or right.strip()] or [("a", "b")]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("prediction", "reference"), *cells])
    assert read(buffer.getvalue()) == [list(row) for row in cells]


@given(st.lists(st.fixed_dictionaries({"prediction": TEXT, "reference": TEXT}), min_size=1))
def test_what_json_lines_hold_is_read(records: list[dict[str, str]]) -> None:
    rows = read("\n".join(map(json.dumps, records)), filename="a.jsonl")
    inputs = to_inputs(rows, PAIR)
    assert inputs["predictions"] == [record["prediction"] for record in records]
    assert inputs["references"] == [record["reference"] for record in records]


# ---- links


@given(st.lists(st.tuples(TEXT, TEXT), max_size=5), st.dictionaries(TEXT, st.booleans() | st.floats(0, 1) | TEXT))
def test_links_give_back_what_they_carry(pairs: list[tuple[str, str]], options: dict[str, Any]) -> None:
    rows = [list(pair) for pair in pairs if any(cell.strip() for cell in pair)]
    link = pack_link(rows, options)
    assert link is not None
    assert unpack_link("#" + link, PAIR, LIMITS) == (rows, options)


def test_long_links_are_none() -> None:
    noise = [[f"{index * 7919 % 104729:x}", f"{index * 6367 % 99991:x}"] for index in range(2000)]
    assert pack_link(noise, {}) is None
    assert len(pack_link(noise[:50], {}) or "") <= MAX_LINK


def test_a_link_that_would_be_refused_is_not_offered() -> None:
    frame = len(json.dumps({"rows": [["", "b"]], "options": {}}, separators=(",", ":")))
    for length in (399_999, 400_000, 400_001):
        rows = [["a" * (length - frame), "b"]]
        link = pack_link(rows, {})
        assert (link is None) == (length > 400_000)
        if link is not None:
            assert unpack_link(link, PAIR, Limits(cell=length)) == (rows, {})


@pytest.mark.parametrize("fragment", ["", "#", "#section", "#tab=api", "rowsx=abc"])
def test_other_fragments_are_no_links(fragment: str) -> None:
    assert unpack_link(fragment, PAIR, LIMITS) is None


def packed(value: object) -> str:
    return "#rows=" + base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode().rstrip("=")


@pytest.mark.parametrize(
    "fragment",
    [
        "#rows=",
        "#rows=!!!",
        "#rows=abc",
        "#rows=é",
        packed([]),
        packed({"rows": [["a", "b"]]}),
        packed({"rows": "ab", "options": {}}),
        packed({"rows": [["a"]], "options": {}}),
        packed({"rows": [["a", "b"]] * 3000, "options": {}}),
        packed({"rows": [["a" * 30_000, "b"]], "options": {}}),
        packed({"rows": [["a" * 500_000, "b"]], "options": {}}),
        packed({"rows": [["a", "b"]], "options": {}})[:-6],
    ],
)
def test_bad_links_are_refused_in_words(fragment: str) -> None:
    with pytest.raises(InputError):
        unpack_link(fragment, PAIR, LIMITS)


def test_a_link_is_unpacked_as_far_as_the_limit_only() -> None:
    """A few kilobytes of a link can be compressed gigabytes."""
    tracemalloc.start()
    bomb = "#rows=" + base64.urlsafe_b64encode(zlib.compress(b" " * 100_000_000, 9)).decode().rstrip("=")
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with pytest.raises(InputError, match="damaged"):
        unpack_link(bomb, PAIR, LIMITS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - before < 5_000_000


@given(st.text())
def test_no_link_breaks_the_page(fragment: str) -> None:
    with contextlib.suppress(InputError):
        unpack_link(f"#rows={fragment}", PAIR, LIMITS)


@pytest.mark.parametrize("kind", ["text", "answers", "list"])
def test_a_plain_text_is_itself_in_every_kind_of_cell(kind: Kind) -> None:
    assert split_cell("Paris", kind) == ["Paris"]
