"""Hints in the errors of input columns: what the caller probably meant, and how to pass it."""

from typing import Any

import numpy as np
import pytest

from metrics._shared._columns import InputColumn
from metrics._shared._columns import ReferenceColumn
from metrics._shared._columns import StringColumn
from metrics._shared._columns import StringListColumn

SWAPPED = "each example has one prediction: are predictions and references swapped?"
DECODE = "token ids must be decoded first: tokenizer.batch_decode(ids, skip_special_tokens=True)"
CHUNK_IDS = "pass chunk ids as strings: [str(id) for id in ids]"
CLASS_LABELS = 'for class labels, use evaluate\'s own metric: evaluate.load("accuracy")'
PREDICTION_TEXT = 'for SQuAD\'s format pass [item["prediction_text"] for item in predictions]'
ANSWERS = 'for SQuAD\'s format pass [item["answers"]["text"] for item in references]'
TEXT = 'for SQuAD\'s format pass [item["text"] for item in references]'
HINTS = (SWAPPED, DECODE, CHUNK_IDS, CLASS_LABELS, PREDICTION_TEXT, ANSWERS, TEXT, "SQuAD", "swapped", "decoded")


def message_of(kind: InputColumn, name: str, column: Any) -> str:
    with pytest.raises(ValueError, match=rf"^{name}\[") as caught:
        kind.check(name, column)
    return str(caught.value)


@pytest.mark.parametrize(
    ("kind", "name", "column", "start", "hint"),
    [
        (StringColumn(), "predictions", [["a", "b"], ["c"]], "predictions[0] is", SWAPPED),
        (StringColumn(), "predictions", ["a", ("b",)], "predictions[1] is", SWAPPED),
        (StringColumn(), "predictions", ["a", np.array(["b"])], "predictions[1] is", SWAPPED),
        (StringColumn(), "predictions", ["a", []], "predictions[1] is", SWAPPED),
        (StringColumn(), "predictions", [[101, 2023, 102]], "predictions[0] is", DECODE),
        (StringColumn(), "predictions", [np.array([101, 102])], "predictions[0] is", DECODE),
        (StringColumn(), "questions", [(101,)], "questions[0] is", DECODE),
        (StringColumn(), "predictions", ["a", 1], "predictions[1] is 1 (int), not a string", CLASS_LABELS),
        (StringColumn(), "predictions", [{"id": "1", "prediction_text": "a"}], "predictions[0] is", PREDICTION_TEXT),
        (ReferenceColumn(), "references", [{"id": "1", "answers": {"text": ["a"]}}], "references[0] is", ANSWERS),
        (ReferenceColumn(), "references", [{"text": ["a"], "answer_start": [1]}], "references[0] is", TEXT),
        (StringListColumn(), "references", [["a"], {"answers": {"text": ["a"]}}], "references[1] is", ANSWERS),
        (StringListColumn(), "references", [{"text": ["a"]}], "references[0] is", TEXT),
        (StringListColumn(), "predictions", [["a"], ["b", 7]], "predictions[1][1] is 7 (int), not a string", CHUNK_IDS),
        (StringListColumn(), "references", [np.array([7, 8])], "references[0][0] is 7 (int), not a string", CHUNK_IDS),
        (ReferenceColumn(), "references", [["a"], [7]], "references[1][0] is 7 (int), not a string", CLASS_LABELS),
    ],
)
def test_error_ends_with_the_matching_hint(kind: InputColumn, name: str, column: Any, start: str, hint: str) -> None:
    message = message_of(kind, name, column)
    assert message.startswith(start)
    assert message.endswith(f"; {hint}")
    assert message.count(";") == 1, "one hint"


@pytest.mark.parametrize(
    ("kind", "name", "column"),
    [
        (StringColumn(), "questions", [["a"]]),  # cannot have been swapped with references
        (StringColumn(), "references", [["a"]]),
        (StringColumn(), "predictions", [{"answer": "a"}]),  # a dict, but not SQuAD's
        (StringColumn(), "predictions", [b"a"]),
        (StringListColumn(), "predictions", [["a", ["b"]]]),
        (StringListColumn(), "predictions", [["a", 1.5]]),
        (StringListColumn(), "predictions", ["a"]),
        (ReferenceColumn(), "references", [["a"], [{"b": "c"}]]),
    ],
)
def test_error_without_a_matching_hint_has_none(kind: InputColumn, name: str, column: Any) -> None:
    message = message_of(kind, name, column)
    assert not any(hint in message for hint in HINTS), message
