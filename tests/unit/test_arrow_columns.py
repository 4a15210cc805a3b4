"""Arrow columns give the same values as lists, bit for bit, and per-example columns are returned as Arrow."""

import re
from collections.abc import Callable
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
import pytest

from metrics._shared import _character_sums
from metrics._shared import _normalized_forms

PREDICTIONS = ["Paris!", "lyon", "東京。", "Oslo", "", "1,000 km", "x\0", "São Paulo"] * 3
REFERENCES = ["paris", "Lyons", "東京", "Rome", "?", "1000 km", "X\0", "sa\u0303o  paulo"] * 3
SEVERAL = [[reference, f"{index} other", "“Oslo”"] for index, reference in enumerate(REFERENCES)]

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {}),
    ("accuracy", {"case_sensitive": True, "normalize_text": False, "return_signature": True}),
    ("accuracy", {"fuzzy_match": True}),
    ("accuracy", {"match": "contains", "return_details": False}),
    ("accuracy", {"normalizer": str.upper}),
    ("answer_exact_match", {}),
    ("answer_exact_match", {"normalizer": "default", "return_confidence": True}),
    ("answer_exact_match", {"normalizer": "squad"}),
]


@pytest.fixture(autouse=True, params=[0, 1_000], ids=["by sums", "one by one"])
def long_list(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, metric: Callable[[str], Any]) -> None:
    """Let the fast path start at the first row, since these columns are short."""
    for name in ("accuracy", "answer_exact_match"):
        package = type(metric(name)).__module__.rpartition(".")[0]
        for module in ("_tabular", "_character_sums"):
            monkeypatch.setattr(f"{package}.{module}.LONG_LIST", request.param)


every_option = pytest.mark.parametrize(("name", "options"), OPTIONS, ids=[f"{n} {o}" for n, o in OPTIONS])


class PolarsLikeSeries:
    """The Arrow C stream interface of a polars Series."""

    dtype = "String"

    def __init__(self, values: list[Any]) -> None:
        self._values = pa.chunked_array([pa.array(values)])

    def __len__(self) -> int:
        return len(self._values)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._values.__arrow_c_stream__(requested_schema)


def dataset_column(values: list[Any], format_type: str | None = None) -> Any:
    return datasets.Dataset.from_dict({"column": values}).with_format(format_type)["column"]


CARRIERS: dict[str, Callable[[list[Any]], Any]] = {
    "array": pa.array,
    "chunked": lambda values: pa.chunked_array([values[:5], values[5:]]),
    "slice": lambda values: pa.array([*values, *values]).slice(len(values)),
    "datasets": dataset_column,
    "datasets with numpy's format": lambda values: dataset_column(values, "numpy"),
    "datasets with Arrow's format": lambda values: dataset_column(values, "arrow"),
    "filtered datasets": lambda values: datasets.Dataset.from_dict(
        {"column": [*values, values[0]], "row": range(len(values) + 1)}
    ).filter(lambda row: row < len(values), input_columns="row")["column"],
    "pandas": pd.Series,
    "pandas on Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.array(values).type)),
    "polars": PolarsLikeSeries,
}
STRING_CARRIERS: dict[str, Callable[[list[Any]], Any]] = {
    "large_string": lambda values: pa.array(values, pa.large_string()),
    "string_view": lambda values: pa.array(values, pa.string_view()),
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "dictionary of views, as polars has": lambda values: (
        pa.chunked_array([values[:5], values[5:]])
        .dictionary_encode()
        .cast(pa.dictionary(pa.uint32(), pa.string_view()))
    ),
    "pandas strings on Arrow": lambda values: pd.Series(values, dtype="string[pyarrow]"),
}


@every_option
@pytest.mark.parametrize("carrier", [*CARRIERS, *STRING_CARRIERS])
def test_every_column_type_equals_lists(metric: Any, name: str, options: dict[str, Any], carrier: str) -> None:
    loaded, make = metric(name), (CARRIERS | STRING_CARRIERS)[carrier]
    expected = loaded.compute(predictions=PREDICTIONS, references=REFERENCES, **options)
    assert loaded.compute(predictions=make(PREDICTIONS), references=make(REFERENCES), **options) == expected
    assert loaded.compute(predictions=make(PREDICTIONS), references=REFERENCES, **options) == expected


@every_option
@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_column_type_of_several_references_equals_lists(
    metric: Any, name: str, options: dict[str, Any], carrier: str
) -> None:
    loaded, make = metric(name), CARRIERS[carrier]
    expected = loaded.compute(predictions=PREDICTIONS, references=SEVERAL, **options)
    assert loaded.compute(predictions=make(PREDICTIONS), references=make(SEVERAL), **options) == expected


@every_option
@pytest.mark.parametrize("references", [REFERENCES, SEVERAL], ids=["one", "several"])
def test_added_arrow_columns_equal_lists(
    metric: Any, name: str, options: dict[str, Any], references: list[Any]
) -> None:
    loaded = metric(name)
    expected = loaded.compute(predictions=PREDICTIONS, references=references, **options)
    loaded.add_batch(
        predictions=pa.chunked_array([PREDICTIONS[:3], PREDICTIONS[3:7]]), references=pa.array(references[:7])
    )
    loaded.add_batch(predictions=PREDICTIONS[7:9], references=references[7:9])
    rest = {"predictions": pa.array(PREDICTIONS[9:]), "references": pa.array(references[9:])}
    assert loaded.compute(**rest, **options) == expected


@pytest.mark.parametrize("rows", [1, 1_000, 1_001])
@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match"])
def test_long_lists_equal_short_ones(metric: Any, name: str, rows: int) -> None:
    options = {"normalizer": "default"} if name == "answer_exact_match" else {}
    predictions, references = (column * (rows // len(column) + 1) for column in (PREDICTIONS, REFERENCES))
    short = metric(name).compute(predictions=PREDICTIONS, references=REFERENCES, **options)["individual_scores"]
    result = metric(name).compute(predictions=predictions[:rows], references=references[:rows], **options)
    assert result["individual_scores"] == (short * (rows // len(short) + 1))[:rows]


# ---- Arrow in, Arrow out


@every_option
@pytest.mark.parametrize("carrier", [pa.table, pa.RecordBatch.from_pydict])
def test_arrow_batch_is_scored_as_arrow(metric: Any, name: str, options: dict[str, Any], carrier: Any) -> None:
    loaded = metric(name)
    expected = loaded.score_batch({"predictions": PREDICTIONS, "references": REFERENCES}, **options)
    scored = loaded.score_batch(carrier({"predictions": PREDICTIONS, "references": REFERENCES}), **options)
    assert type(scored) is type(carrier({"a": [1]}))
    assert scored.to_pydict() == expected
    result = loaded.compute(predictions=PREDICTIONS, references=REFERENCES, **options)
    assert loaded.aggregate(scored, **options) == result
    main_score = loaded.main_score
    assert loaded.aggregate([scored, scored], **options)[main_score] == result[main_score]


def test_match_types_are_dictionary_encoded(metric: Any) -> None:
    for options in ({}, {"fuzzy_match": True}):
        scored = metric("accuracy").score_batch(pa.table({"predictions": ["a"], "references": ["A"]}), **options)
        assert pa.types.is_dictionary(scored["accuracy_match_types"].type)
        assert scored["accuracy_individual_scores"].type == pa.float64()


def test_table_with_lists_labels_and_clusters_stays_a_table(metric: Any) -> None:
    batch = pa.table(
        {"predictions": ["a", "b"], "references": ["a", "c"], "clusters": [1, 2], "human_labels": [None, 1.0]}
    )
    scored = metric("accuracy").score_batch(batch)
    assert scored["accuracy_clusters"].to_pylist() == ["1", "2"]
    assert scored["accuracy_human_labels"].to_pylist() == [None, 1.0]


def test_mapped_dataset_in_arrow_format_equals_compute(metric: Any) -> None:
    loaded = metric("accuracy")
    rows = datasets.Dataset.from_dict({"predictions": PREDICTIONS, "references": REFERENCES})
    scored = rows.with_format("arrow").map(loaded.score_batch, batched=True, batch_size=5)
    assert loaded.aggregate(scored) == loaded.compute(predictions=PREDICTIONS, references=REFERENCES)


@pytest.mark.parametrize("format_type", [None, "arrow", "numpy"])
def test_streamed_scores_in_every_format_equal_compute(metric: Any, format_type: str | None) -> None:
    """NumPy's format would round the threshold to 32 bits."""
    loaded, options = metric("accuracy"), {"fuzzy_match": True}
    rows = datasets.Dataset.from_dict({"predictions": PREDICTIONS, "references": REFERENCES}).to_iterable_dataset()
    scored = rows.with_format(format_type).map(loaded.score_batch, batched=True, batch_size=5, fn_kwargs=options)
    assert loaded.aggregate(scored, **options) == loaded.compute(
        predictions=PREDICTIONS, references=REFERENCES, **options
    )
    with pytest.warns(UserWarning, match="no examples"):
        assert loaded.aggregate(scored.take(0), **options)["total"] == 0


# ---- errors are those of lists

WITH_NULL = pa.DictionaryArray.from_arrays([0, 1], ["a", None])


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (pa.array(["a", None]), pa.array(["a", "b"])),
        (pa.array([1, 2]), pa.array(["a", "b"])),
        (pa.array(["a", "b"]), pa.array([["a"], []], pa.list_(pa.string()))),
        (pa.array(["a", "b"]), pa.array([["a"], None])),
        (pa.array(["a", "b"]), pa.array([["a"], ["b", None]])),
        (pa.array(["a", "b"]), pa.array(["a"])),
        (pa.array([["a"], ["b"]]), pa.array(["a", "b"])),
        (pa.array([b"a", b"b"]), pa.array(["a", "b"])),
        (WITH_NULL, pa.array(["a", "b"])),
        (pa.array(["a", "b"]), pa.chunked_array([WITH_NULL])),
        (pa.array(["a"]), pa.ListArray.from_arrays([0, 2], WITH_NULL)),
    ],
    ids=[
        "null",
        "ints",
        "no reference",
        "null list",
        "null in a list",
        "lengths",
        "lists",
        "bytes",
        "null in a dictionary",
        "null in a dictionary of references",
        "null in a list of a dictionary",
    ],
)
def test_arrow_columns_raise_the_errors_of_lists(metric: Any, predictions: Any, references: Any) -> None:
    loaded = metric("accuracy")
    with pytest.raises(ValueError, match="accuracy: ") as with_lists:
        loaded.compute(predictions=predictions.to_pylist(), references=references.to_pylist())
    with pytest.raises(ValueError, match="accuracy: ") as with_arrow:
        loaded.compute(predictions=predictions, references=references)
    assert str(with_arrow.value) == str(with_lists.value)
    assert loaded.compute(predictions=["a"], references=["a"])["accuracy"] == 1.0


@pytest.mark.parametrize(
    ("carrier", "place"),
    [
        (lambda strings: strings, "references[1]"),
        (lambda strings: pa.chunked_array([strings, strings[:0]]), "references[1]"),
        (lambda strings: pa.ListArray.from_arrays([0, 1, 3], strings.take([0, 0, 1])), "references[1][1]"),
        (lambda strings: pa.DictionaryArray.from_arrays([0, 1], strings), "references[1]"),
    ],
    ids=["array", "chunked", "lists", "dictionary"],
)
@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match", "token_f1"])
def test_strings_that_are_not_utf8_are_rejected_with_their_index(
    metric: Any, name: str, carrier: Callable[[Any], Any], place: str
) -> None:
    """Arrow reads them from Parquet files without an error, and two that are equal would count as a match."""
    invalid = pa.array([b"a", b"\xed\xa0\x80"]).view(pa.string())
    message = rf"^{name}: {re.escape(place)} is not valid UTF-8; decode its source with errors='replace'$"
    for method in (metric(name).compute, metric(name).add_batch):
        with pytest.raises(ValueError, match=message):
            method(predictions=["a", "b"], references=carrier(invalid))
    with pytest.raises(ValueError, match=r"predictions\[1\] is not valid UTF-8"):
        metric(name).compute(predictions=invalid, references=invalid)


def test_batch_that_cannot_be_stored_does_not_decide_which_inputs_later_batches_have(
    metric: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow stores at most 2 GiB of text in one array of evaluate's file."""
    loaded = metric("accuracy")

    def refuse(_: Any) -> pa.Array:
        raise pa.ArrowInvalid("input array too large")

    with monkeypatch.context() as patch:
        patch.setattr(type(loaded).inputs["references"], "to_arrow", refuse)
        with pytest.raises(pa.ArrowInvalid, match="too large"):
            loaded.add_batch(predictions=["a"], references=["a"])
    loaded.add_batch(predictions=["a"], references=["a"], questions=["Which letter?"])
    assert loaded.compute()["total"] == 1


def test_empty_arrow_columns_warn_like_lists(metric: Any) -> None:
    with pytest.warns(UserWarning, match="no examples"):
        result = metric("accuracy").compute(predictions=pa.array([], pa.string()), references=pa.array([], pa.string()))
    assert result["total"] == 0


# ---- no Python strings


@pytest.fixture
def no_normalization(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(texts: list[str], **_: bool) -> list[str]:
        assert texts == []
        return []

    monkeypatch.setattr(_normalized_forms, "normalize_column", refuse)


@pytest.mark.usefixtures("no_normalization")
def test_equal_and_clearly_different_pairs_create_no_python_strings() -> None:
    first, second = pa.array(["São Paulo", "東京", "a", "A!"]), pa.array(["São Paulo", "京", "b", "a"])
    found = _character_sums.equal_pairs(first, second, {"case_sensitive": False, "normalize_text": True})
    assert found.tolist() == [True, False, False, True]
