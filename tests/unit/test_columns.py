"""Columns as users give them: every container gives the values of a list, every bad value its message and a hint."""

import contextlib
import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import pytest

from answer_metrics.columns.inputs import Clusters, Labels, NumberLists, Numbers, References, StringLists, Strings
from answer_metrics.columns.tables import LONG, get_column, some, to_list, value_counts
from tests.conftest import ROOT

PREDICTIONS = ["Paris!", "lyon", "東京。", "Oslo", "", "1,000 km", "x\0y", "São Paulo"] * 3
REFERENCES = ["paris", "Lyons", "東京", "Rome", "?", "1000 km", "X\0Y", "sa\u0303o  paulo"] * 3


@pytest.fixture(params=[0, 1_000], ids=["by sums", "one by one"])
def long(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, metric: Callable[[str], Any]) -> None:
    """Let the fast path start at the first row, since these columns are short."""
    metric("accuracy")
    for module in ("columns.tables", "text.equality"):
        monkeypatch.setattr(f"answer_metrics.{module}.LONG", request.param)


def fails(text: str) -> str:
    raise LookupError(text)


def open_files(folder: Path) -> list[str]:
    """Files and locks in a folder that this process has open, also deleted ones; none where that is not known."""
    paths = []
    for link in Path("/proc/self/fd").glob("*"):
        with contextlib.suppress(OSError):  # closed by now
            paths.append(os.readlink(link))
    return [path for path in paths if path.startswith(str(folder))]


def test_processes_can_go_on_after_an_error(tmp_path: Path) -> None:
    """Files and locks of the failed call are released. Threads stand for the processes."""
    path, shared = str(ROOT / "metrics" / "accuracy"), {"num_process": 2, "experiment_id": "two", "timeout": 30}
    processes = [evaluate.load(path, process_id=rank, cache_dir=str(tmp_path), **shared) for rank in (0, 1)]
    inputs = {"predictions": ["a"], "references": ["a"]}

    def fails_without_files(text: str) -> str:
        for file in tmp_path.rglob("*.arrow"):
            file.unlink()
        return fails(text)

    documents = [{"clusters": ["x"]}, {"clusters": ["y"]}]
    with ThreadPoolExecutor(2) as pool:
        for normalizer in (fails, fails_without_files, str.upper):
            first, second = (
                pool.submit(process.compute, **inputs, **clusters, normalizer=normalizer)
                for process, clusters in zip(processes, documents, strict=True)
            )
            assert second.result() is None
            if normalizer is str.upper:
                assert (first.result()["total"], first.result()["clusters"]) == (2, 2)
            else:
                with pytest.raises(ValueError, match=r"^accuracy: normalizer failed on predictions\[0\]") as caught:
                    first.result()
                assert open_files(tmp_path) == [], caught  # which is kept, and with it everything in its frames
            assert list(tmp_path.rglob("*.arrow")) == []
        nothing = pool.submit(processes[1].compute, predictions=[], references=[])
        assert processes[0].compute(**inputs)["total"] == 1
        assert nothing.result() is None
    shutil.rmtree(tmp_path)
    with pytest.raises(OSError, match=r"^accuracy: cannot write to .*; set HF_HOME to a writable folder$"):
        processes[0].compute(**inputs)


SWAPPED = "; each example has one prediction: are predictions and references swapped?"
DECODE = "; token ids must be decoded first: tokenizer.batch_decode(ids, skip_special_tokens=True)"
CHUNK_IDS = "; pass chunk ids as strings: [str(id) for id in ids]"
AS_TEXT = "; for numbers as text pass [str(number) for number in x]"
LABELS = '; for class labels, use evaluate\'s own metric: evaluate.load("accuracy")'
MISSING = '; leave out a missing text, or pass ""'
MESSAGES = '; for chat messages pass [messages[-1]["content"] for messages in {}]'
WRITTEN = "; to parse lists stored as strings pass [ast.literal_eval(text) for text in {}]"
CHAT = {"role": "assistant", "content": "Paris"}


@pytest.mark.parametrize(
    ("column", "name", "values", "message"),
    [
        (Strings(), "questions", ["a", None], "questions[1] is None, not a string" + MISSING),
        (Strings(), "x", ["a", 1], "x[1] is 1 (int), not a string" + LABELS + AS_TEXT),
        (Strings(), "x", [1.5], "x[0] is 1.5 (float), not a string" + AS_TEXT),
        (Strings(), "x", [b"g" * 57], f"x[0] is b'{'g' * 57}' (bytes), not"),
        (Strings(), "x", [b"g" * 58], f"x[0] is b'{'g' * 55}... (bytes), not"),
        (References(), "references", [None], "not a string; leave out examples without a reference"),
        (Strings(), "x", ["\ud800a"], "x[0] contains a lone surrogate, U+D800 at character 0, which is not valid text"),
        (Strings(), "predictions", ["a", ("b",)], "predictions[1] is ('b',) (tuple), not a string" + SWAPPED),
        (Strings(), "questions", [["a"]], "questions[0] is ['a'] (list), not a string"),  # cannot have been swapped
        (Strings(), "predictions", [[101, 2023]], "predictions[0] is [101, 2023] (list), not a string" + DECODE),
        (Strings(), "predictions", [CHAT], '; for chat messages pass [message["content"] for message in predictions]'),
        (References(), "references", [[CHAT], [CHAT]], MESSAGES.format("references")),
        (StringLists(), "x", [["a"], ["b", 7]], "x[1][1] is 7 (int), not a string" + CHUNK_IDS),
        (References(), "x", [["a"], [7]], "pass [[str(number) for number in row] for row in x]"),
        (StringLists(), "x", [["a"], "['b']"], "x[1] is \"['b']\" (str), not a list of strings" + WRITTEN.format("x")),
        (References(), "x", [["a"], []], "x[1] is an empty list; each example needs at least one reference"),
        (References(), "x", ["a", ["b"]], "x[1] is ['b'] (list), but x[0] is 'a' (str): give one string per"),
        (References(), "x", [["a"], {"b"}], "x[1] is {'b'} (set), but x[0] is ['a'] (list): give one string per"),
        (NumberLists(0, 1000), "x", [[1, 2000]], "x[0][1] is 2000 (int), not a number between 0 and 1,000"),
        (Numbers(), "x", [1, True], "x[1] is True (bool), not a finite number"),
        (Clusters(), "x", ["a", 1], "x[1] is 1 (int), but x[0] is 'a' (str): give strings only or integers only"),
        (Clusters(), "x", [1, 2, "a"], "x[2] is 'a' (str), but x[0] is 1 (int): give strings only or integers only"),
        (Strings(), "predictions", [np.array([101, 2023])], "(ndarray), not a string" + DECODE),
        (Numbers(0), "x", [1, -1], "x[1] is -1 (int), not a finite number"),
        (
            Labels(),
            "x",
            [None, 1.0, 1.5],
            "x[2] is 1.5 (float), not a number between 0 and 1, or None if there is no label",
        ),
        (Numbers(), "x", [1, 10**400], "x[1] is 1000"),
        (Labels(), "x", [1, 10**400], "(int), not a number between 0 and 1, or None if there is no label"),
        (Clusters(), "x", ["a", True], "x[1] is True (bool), not a string or an integer"),
        (Labels(), "x", [1.0, "a"], "x[1] is 'a' (str), not a number between 0 and 1, or None if there is no label"),
    ],
)
def test_bad_value_is_named_with_its_place_and_a_hint(column: Any, name: str, values: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name}\[\d+\]") as caught:
        column.check(name, to_list(name, values))
    assert message in str(caught.value)
    if "not a" in message and "give one" not in message:
        assert str(caught.value).endswith(message[-20:])
    assert len(str(caught.value)) < 300
    assert column.as_arrow(values * 2 * LONG) is None  # a long list may be valid as it is, this one is not


WITH_NULL = pa.DictionaryArray.from_arrays([0, 1], ["a", None])
NULL_ONLY = pa.DictionaryArray.from_arrays([0], pa.array([None], pa.string()))
CLEAN = pa.DictionaryArray.from_arrays([0], ["a"])


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (pa.array(["a", None]), pa.array(["a", "b"])), (pa.array([1, 2]), pa.array(["a", "b"])),
        (pa.array(["a", "b"]), pa.array([["a"], []], pa.list_(pa.string()))),
        (pa.array(["a", "b"]), pa.array([["a"], ["b", None]])), (pa.array([["a"], ["b"]]), pa.array(["a", "b"])),
        (WITH_NULL, pa.array(["a", "b"])), (pa.array(["a", "b"]), pa.chunked_array([CLEAN, NULL_ONLY])),
        (pa.array(["a"]), pa.ListArray.from_arrays([0, 2], WITH_NULL)),
    ],
)  # fmt: skip
def test_arrow_columns_raise_the_errors_of_lists(metric: Any, predictions: Any, references: Any) -> None:
    messages = []
    for columns in ((predictions.to_pylist(), references.to_pylist()), (predictions, references)):
        with pytest.raises(ValueError, match=r"^accuracy: ") as caught:
            metric("accuracy").compute(predictions=columns[0], references=columns[1])
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


INVALID = pa.array([b"a", b"\xed\xa0\x80"]).view(pa.string())


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match", "token_f1"])
def test_text_that_is_not_utf8_is_rejected(metric: Any, name: str) -> None:
    """Arrow reads them from Parquet files without an error, and two that are equal would count as a match."""
    for column, place in (
        (INVALID, "[1]"),
        (pa.chunked_array([INVALID, INVALID[:0]]), "[1]"),
        (pa.ListArray.from_arrays([0, 1, 3], INVALID.take([0, 0, 1])), "[1][1]"),
        (pa.DictionaryArray.from_arrays([0, 1], INVALID), "[1]"),
        (pa.chunked_array([CLEAN, pa.DictionaryArray.from_arrays([1], INVALID)]), "[1]"),
    ):
        message = re.escape(f"{name}: references{place} is not valid UTF-8; decode its source with errors='replace'")
        for method in (metric(name).compute, metric(name).add_batch):
            with pytest.raises(ValueError, match=f"^{message}$"):
                method(predictions=["a", "b"], references=column)


def test_written_lists_warn_if_most_rows_are(metric: Callable[[str], Any]) -> None:
    written = ["['Danube', 'Donau']", '["Rhine"]', "[]", "Elbe"]
    message = (
        r"accuracy: most references look like lists stored as strings, such as .*Danube.*ast\.literal_eval\(text\) for"
    )
    for references in (written, pa.array(written), [[text] for text in written]):
        with pytest.warns(UserWarning, match=message):
            metric("accuracy").compute(predictions=["a"] * 4, references=references)
    half = ["Elbe", "['Rhine']"] * 15
    metric("accuracy").compute(predictions=half, references=[*half[:-1], "Elbe"])  # of the first 30 rows, no more
    metric("accuracy").compute(predictions=[*half, "['Elbe']"], references=["a"] * 31)
    metric("accuracy").compute(predictions=["a"] * 4, references=[*[["a", "b"]] * 3, ["['x']"]])  # most are lists
    with pytest.warns(UserWarning, match="most predictions look like"):
        metric("token_f1").score_batch({"predictions": written, "references": ["a"] * 4})


@pytest.mark.parametrize("wrap", [list, pa.array, lambda values: pa.chunked_array([values[:1], values[1:]])])
def test_batches_of_strings_and_of_lists_fit_together(accuracy: Any, wrap: Callable[[Any], Any]) -> None:
    lists = [[text] for text in REFERENCES]
    expected = accuracy.compute(predictions=PREDICTIONS, references=lists)
    for first, second in ((REFERENCES, lists), (lists, REFERENCES)):
        accuracy.add_batch(predictions=PREDICTIONS[:9], references=wrap(first[:9]))
        assert accuracy.compute(predictions=PREDICTIONS[9:], references=wrap(second[9:])) == expected


@pytest.mark.parametrize(
    "wrap",
    [
        list, pa.array, lambda texts: pa.array(texts).dictionary_encode(),
        lambda texts: pa.chunked_array([texts[:91], texts[91:]]),
    ],
)  # fmt: skip
def test_empty_references_are_counted_in_every_row(metric: Any, wrap: Callable[[Any], Any]) -> None:
    """Beside a blank answer too, not beside an empty one."""
    for number, are_empty in (1, "1 reference is"), (2, "2 references are"), (4, "4 references are"):
        references, predictions = ["a"] * 90 + [""] * (number + 1), ["a"] * 90 + [" ", *["b"] * (number - 1), ""]
        for name in ("token_f1", "accuracy"):  # which takes Arrow as it is
            with pytest.warns(UserWarning, match=f"^{name}: {are_empty} empty although") as caught:
                metric(name).compute(predictions=wrap(predictions), references=wrap(references))
            assert len(caught) == 1


def test_values_in_messages_are_all_up_to_five_and_columns_are_counted() -> None:
    assert (some([*range(5)]), some([*range(6)])) == ("0, 1, 2, 3, 4", "0, 1, 2, 3, 4, ...")
    with pytest.raises(ValueError, match=r"^the batch has 3 columns named 'a'; rename all but one$"):
        get_column(pa.table([[1]] * 3, ["a"] * 3), "a", "")
    chunks = [pa.array(texts).dictionary_encode() for texts in (["a", "b"], ["b", "c"], ["a"])]
    for column in (pa.chunked_array(chunks), pa.chunked_array(chunks).cast(pa.string())):
        assert value_counts(column) == {"a": 2, "b": 2, "c": 1}
        assert to_list("x", column) == [*"abbca"]


def test_scored_lists_are_readable_and_dictionaries_in_order(metric: Any) -> None:
    texts = ["é", "b", "a", "é"]
    assert to_list("x", pa.array(texts).dictionary_encode()) == texts
    options = {"matching_strategy": "EXACT_SENTENCE_MATCH", "return_details": True}
    batch = {"predictions": [["é.", "b."], []], "references": [["é."], ["a."]]}
    with pytest.raises(ValueError, match=r"keep must be a list of names of columns, .* got \['predictions', 3\]"):
        metric("precision_recall_f1").score_batch(batch, keep=["predictions", 3])
    for wrap in (dict, pa.table):
        scored = metric("precision_recall_f1").score_batch(wrap(batch), **options)
        for name, values in ("retrieved_sentences", ['["é.","b."]', "[]"]), ("matched_pairs", ["[[0,0]]", "[]"]):
            assert to_list(name, scored[f"precision_recall_f1_{name}"]) == values
