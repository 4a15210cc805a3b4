"""Any upload, pasted text, link or table is read or rejected with a clear error, and no character is split."""

import base64
import json
import zlib
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.vendor import metric_directories
from space_ui.form import Form
from space_ui.permalink import pack_link
from space_ui.permalink import unpack_link
from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Limits
from space_ui.rows import check_rows
from space_ui.rows import join_cell
from space_ui.rows import split_cell
from space_ui.rows import to_inputs
from space_ui.upload import read_upload
from tests.unit.test_space_form import load_form

# A page shows the warnings of a metric; elsewhere they fail the test.
pytestmark = pytest.mark.filterwarnings("always::UserWarning")

NAMES = [path.name for path in metric_directories()]
SHAPES = [
    [Column("predictions", "Prediction"), Column("references", "Reference", "answers")],
    [
        Column("questions", "Question"),
        Column("predictions", "Prediction"),
        Column("references", "Reference", "answers"),
    ],
    [Column("predictions", "Retrieved", "list", ("chunks",)), Column("references", "Ground truth", "list")],
]
LIMITS = Limits(rows=50, characters=20_000, cell=2_000)

_ALL = st.text()  # lone surrogates too: JSON can hold them
_WORD = st.sampled_from(
    ["prediction", "reference", "references", "Question", "chunks", "a | b", '["a"]', "[]", "NaN", "1e999", "null", ""]
)
_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORD | _ALL,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_WORD | _ALL, inner, max_size=4),
    max_leaves=12,
)
_JSON = _VALUE.map(json.dumps) | st.lists(_VALUE.map(json.dumps), max_size=4).map("\n".join)
_TABLE = st.builds(
    lambda rows, delimiter, end: end.join(delimiter.join(row) for row in rows),
    st.lists(st.lists(_WORD | _ALL, max_size=4), max_size=5),
    st.sampled_from([",", "\t", ";", '","']),
    st.sampled_from(["\n", "\r\n", "\r", "\x85", "\u2028", '"\n']),
)
UPLOAD = _JSON | _TABLE | _ALL | _JSON.map(lambda text: text[: len(text) // 2])
NAME = st.sampled_from(["", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.JSONL", "noending", ".", "a.exe"]) | _ALL
FRAGMENT = (
    _ALL
    | _ALL.map("rows={}".format)
    | st.binary().map(lambda raw: "rows=" + base64.urlsafe_b64encode(zlib.compress(raw)).decode())
    | _VALUE.map(lambda value: "rows=" + base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode())
)


@cache
def form(name: str) -> Form:
    return load_form(name)


def check_words(error: InputError) -> None:
    assert 0 < len(str(error)) < 2_000


@given(UPLOAD, NAME, st.sampled_from(SHAPES))
def test_any_upload_is_read_or_rejected(text: str, filename: str, columns: list[Column]) -> None:
    try:
        upload = read_upload(text.encode(errors="surrogatepass"), columns, LIMITS, filename)
    except InputError as error:
        check_words(error)
        return
    if upload.rows is None:
        assert upload.error
        return
    rows = upload.rows
    assert upload.notes
    assert all(len(row) == len(columns) and all(type(cell) is str for cell in row) for row in rows)
    kept = check_rows(rows, columns, LIMITS)
    inputs = to_inputs(kept, columns)
    assert {len(values) for values in inputs.values()} == {len(kept)}
    json.dumps(inputs).encode()
    "".join("".join(row) for row in rows).encode()


@given(st.lists(_ALL | _WORD, max_size=5), st.sampled_from(["answers", "list"]))
def test_joined_cells_split_back_into_the_same_texts(texts: list[str], kind: Any) -> None:
    if texts or kind == "list":
        assert split_cell(join_cell(texts, kind), kind) == texts


@given(FRAGMENT, st.sampled_from(SHAPES))
def test_any_link_is_opened_or_rejected(fragment: str, columns: list[Column]) -> None:
    try:
        rows, options, comparing = unpack_link(fragment, lambda **_: columns, LIMITS)
    except InputError as error:
        check_words(error)
        return
    link = pack_link(rows, options, comparing=comparing)
    assert link is None or unpack_link(link, lambda **_: columns, LIMITS) == (rows, options, comparing)


@given(UPLOAD, NAME, FRAGMENT, st.sampled_from(NAMES))
def test_any_upload_or_link_on_a_page_gets_a_response(text: str, filename: str, fragment: str, name: str) -> None:
    asked = form(name)
    content = text.encode(errors="surrogatepass")
    names = [column.name for column in asked.columns]
    for status, answer in (asked.read(content, filename, names, None), asked.open_link(fragment)):
        assert status in {200, 422}
        assert answer
        json.dumps(answer)


ROWS = st.lists(st.lists(_WORD | _ALL, min_size=2, max_size=3), max_size=3)


@given(st.builds(lambda rows: json.dumps({"rows": rows}), ROWS) | _JSON, st.data())
def test_any_table_with_any_options_gets_a_response(table: str, data: st.DataObject) -> None:
    asked = form(data.draw(st.sampled_from(NAMES)))
    options = {
        control.name: data.draw(st.just(control.default) | st.just(control.default) | _VALUE)
        for control in asked.controls
    }
    sent = json.loads(table) if _is_table(table) else {"rows": []}
    status, answer = asked.respond(json.dumps({**sent, "options": options}).encode())
    assert status in {200, 422}, answer
    json.dumps(answer)


def _is_table(table: str) -> bool:
    try:
        value = json.loads(table)
    except ValueError:
        return False
    return isinstance(value, dict) and "rows" in value
