"""Presets of accuracy, choices as a column, and rows that decline or were cut off."""

from collections.abc import Callable
from typing import Any

import evaluate
import pyarrow as pa
import pytest
from datasets import Dataset

from tests.conftest import ROOT

CITIES = ["Lyon", "Paris"]
ROWS: dict[str, list[Any]] = {
    "predictions": ["(B)", "It is Lyon.", "<think>A</think>B"],
    "references": ["Paris", "B", "B"],
    "choices": [CITIES] * 3,
}


@pytest.fixture
def accuracy(metric: Callable[..., Any]) -> Any:
    return metric("accuracy")


def resolved(metric: Any, *names: str, **options: Any) -> list[Any]:
    chosen = metric.resolve_options(options)
    return [getattr(chosen, name) for name in names]


def test_options_come_from_call_preset_loading_preset_at_loading_and_defaults() -> None:
    path = str(ROOT / "metrics" / "accuracy")
    loaded = evaluate.load(path, preset="number", numeric_tolerance=0.1, match="contains")
    names = ("extract", "numbers", "numeric_tolerance", "match")
    number = ("boxed", "answer_line", "last_number")
    assert resolved(loaded, *names) == [number, "value", 0.1, "contains"]
    # The preset of a call comes before all that was given at loading, and replaces the preset there.
    assert resolved(loaded, *names, preset="free_form") == ["auto", "value", 0.1, "recall"]
    assert resolved(loaded, *names, preset="multiple_choice", numeric_tolerance=0.0) == [
        "choice",
        "text",
        0.0,
        "contains",
    ]
    assert resolved(loaded, *names, extract=None, numbers="text", numeric_tolerance=0.0)[:2] == [None, "text"]
    assert resolved(loaded, "extract", preset=None) == [None]


def test_unknown_preset_is_named(accuracy: Any) -> None:
    with pytest.raises(
        ValueError, match=r"accuracy: preset must be one of .*, got 'freeform' .*did you mean 'free_form'"
    ):
        accuracy.compute(predictions=["a"], references=["a"], preset="freeform")


def test_signature_shows_the_options_of_a_preset(accuracy: Any) -> None:
    def signature(**options: Any) -> Any:
        return accuracy.signature(accuracy.resolve_options(options))

    assert "|extract:auto-v2|numbers:value-v2+-0.0|match:recall|" in signature(preset="free_form")
    assert signature(preset="multiple_choice") == signature(extract="choice")
    assert "|reasoning:keep|" in signature(reasoning="keep")


def test_choices_are_a_column_like_others(accuracy: Any) -> None:
    expected = accuracy.compute(**ROWS, preset="multiple_choice")
    assert (expected["accuracy"], expected["extracted"]) == (2 / 3, ["B", "A", "B"])
    for column in range(3):
        accuracy.add_batch(**{name: values[column : column + 1] for name, values in ROWS.items()})
    assert accuracy.compute(preset="multiple_choice") == expected
    scored = [
        accuracy.score_batch({name: values[row:] for name, values in ROWS.items()}, extract="choice") for row in (0,)
    ]
    assert accuracy.aggregate(scored, preset="multiple_choice") == expected
    table = accuracy.score_batch(pa.table(ROWS), preset="multiple_choice")
    assert accuracy.aggregate(table, preset="multiple_choice") == expected
    mapped = Dataset.from_dict(ROWS).map(accuracy.score_batch, batched=True, fn_kwargs={"preset": "multiple_choice"})
    assert accuracy.aggregate(mapped, preset="multiple_choice") == expected


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([CITIES], "accuracy: got 3 predictions, 3 references, 1 choices"),
        (["Lyon", "Paris", "Rome"], r"accuracy: choices\[0\] is 'Lyon' \(str\), not a list of strings"),
        ([CITIES, [], CITIES], r"accuracy: choices\[1\] has 0 options, not 1 to 26: A to Z"),
        ([CITIES, ["a"] * 27, CITIES], r"accuracy: choices\[1\] has 27 options"),
        ([CITIES, ["a", None], CITIES], r"accuracy: choices\[1\]\[1\] is None"),
    ],
)
def test_bad_choices_are_named(accuracy: Any, choices: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accuracy.compute(**{**ROWS, "choices": choices}, preset="multiple_choice")


def test_repeated_options_and_extraction_that_finds_nothing_warn(accuracy: Any) -> None:
    with pytest.warns(UserWarning, match="1 row of choices has an option twice"):
        accuracy.compute(predictions=["A"], references=["x"], choices=[["x", "x"]], preset="multiple_choice")
    with pytest.warns(UserWarning, match="extract found nothing in any prediction; the first ends in 'It is 5'"):
        accuracy.compute(predictions=["It is 5", "6"], references=["5", "6"], extract="boxed")


def test_cut_off_thinking_is_wrong_whatever_the_reference(accuracy: Any) -> None:
    predictions = ["<think>Paris", "<think>Lyon?</think>\nParis", "Paris"]
    for options in ({}, {"match": "recall"}, {"fuzzy_match": True}, {"preset": "free_form"}):
        with pytest.warns(UserWarning, match="1 row of predictions has thinking that was cut off, and so no answer"):
            result = accuracy.compute(predictions=predictions, references=[[""], ["Paris"], ["Paris"]], **options)
        assert result["match_types"] == ["truncated", "exact", "exact"]
        assert result["truncated"] == 1
    kept = accuracy.compute(predictions=predictions, references=["Paris"] * 3, reasoning="keep")
    assert kept["match_types"] == ["none", "none", "exact"]
    assert "truncated" not in kept


def test_declining_is_counted_apart(accuracy: Any) -> None:
    predictions = ["I don't know.", "Paris", "Lyon", r"I cannot say for sure. \boxed{Paris}", "I don't know."]
    references = ["Paris", "Paris", "Paris", "Paris", "It cannot be determined."]
    result = accuracy.compute(predictions=predictions, references=references, preset="free_form", abstention="en")
    assert result["match_types"] == ["abstained", "exact", "none", "exact", "equivalent"]
    assert (result["attempted"], result["accuracy_given_attempted"]) == (0.8, 0.75)
    low, high = result["accuracy_given_attempted_confidence_interval"]
    assert low < 0.75 < high
    for abstention in (r"(?i)don't know", lambda text: "know" in text):
        again = accuracy.compute(predictions=predictions[:2], references=references[:2], abstention=abstention)
        assert again["match_types"] == ["abstained", "exact"]


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("truncated", {"reasoning": "keep"}, "the rows were scored with reasoning='drop'"),
        ("abstained", {}, "the rows were scored with abstention; pass the same option"),
        ("equivalent", {}, "the rows were scored with equivalent; pass the same option"),
    ],
)
def test_aggregate_refuses_rows_of_other_options(
    accuracy: Any, kind: str, options: dict[str, Any], message: str
) -> None:
    rows = {"accuracy_individual_scores": [1.0 if kind == "equivalent" else 0.0], "accuracy_match_types": [kind]}
    with pytest.raises(ValueError, match=message):
        accuracy.aggregate(rows, **options)


def test_aggregate_reads_rows_of_version_0_1_0(accuracy: Any) -> None:
    rows = {
        "accuracy_individual_scores": [1.0, 0.0, 1.0],
        "accuracy_match_types": ["exact", "unextracted", "value"],
        "accuracy_extracted": ['"5"', "null", '"6.0"'],
    }
    result = accuracy.aggregate(rows, extract="boxed", numbers="value")
    assert (result["correct"], result["unextracted"], result["extracted"]) == (2, 1, ["5", None, "6.0"])
