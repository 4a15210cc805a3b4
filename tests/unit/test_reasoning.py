"""What a model thought before its answer is no part of it: lists and every type of Arrow strings."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._columns import answer_of, drop_reasoning

HARMONY = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>"
ANSWERS = {
    "<think>Paris?</think>\n\nLyon": "Lyon",
    "Paris?</THINK> Lyon\n": "Lyon\n",  # templates often write the opening mark
    "<thinking>a</thinking>b": "b",
    "<reasoning>a</reasoning>b": "b",
    "<think>a</think>b</think>c": "c",
    "[THINK]a[/THINK]b": "b",
    "◁think▷a◁/think▷b": "b",
    "<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>": "b",
    HARMONY: "42",
    "<think></think>": "",
    # A block that is never closed was cut off, also after one that was closed.
    "<think>Paris": None,
    "Well.\n <think>Paris": None,
    "<think>a</think>b\n<think>c": None,
    "<|channel|>analysis<|message|>hm": None,
    # Inside a sentence the mark is a word.
    "Use <think> tags": "Use <think> tags",
    "a < b, [1], “x” |> y ": "a < b, [1], “x” |> y ",
    "": "",
}
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]


@pytest.mark.parametrize("text", ANSWERS)
def test_answer_follows_the_last_block_of_thinking(text: str) -> None:
    assert answer_of(text) == ANSWERS[text]


def as_lists(columns: tuple[Any, list[int]]) -> tuple[list[str], list[int]]:
    return columns[0] if isinstance(columns[0], list) else columns[0].to_pylist(), columns[1]


@given(st.lists(st.sampled_from([*ANSWERS, "Paris"])))
def test_arrow_columns_give_what_lists_give(texts: list[str]) -> None:
    expected = [ANSWERS.get(text, text) for text in texts]
    cut_off = [row for row, answer in enumerate(expected) if answer is None]
    found = drop_reasoning(texts)
    assert found == ([answer or "" for answer in expected], cut_off)
    array = pa.array(["</think>", *texts, "<think>"])
    for kind in TYPES:
        sliced = array.cast(kind)[1:-1]
        chunked = pa.chunked_array([sliced[:2], sliced[2:]], kind)
        assert as_lists(drop_reasoning(sliced)) == as_lists(drop_reasoning(chunked)) == found


def test_column_without_marks_stays_the_same_object() -> None:
    for column in (["a < b", "[1]"], pa.array(["Paris", "“Lyon”"])):
        assert drop_reasoning(column)[0] is column or drop_reasoning(column)[0] == column
