"""Per-example columns have one type in every batch, whatever their values, and `aggregate` reads them back."""

import json
from collections.abc import Callable
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.contract.helpers import EVERYTHING
from tests.contract.samples import Sample
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

Columns = dict[str, list[Any]]
BATCH_SIZES = (1, 3)
ORDERS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "in order": list,
    "reversed": lambda rows: rows[::-1],
    "empty values first": lambda rows: sorted(rows, key=all),
}


def option_variants(loaded: Any, sample: Sample) -> Iterator[dict[str, Any]]:
    """Yield the default options, and then every flag and every choice on its own."""
    for name, kind in loaded.options.items():
        # The kinds of a loaded metric are classes of its own copy of _options.py.
        values = (True, False) if type(kind).__name__ == "Flag" else getattr(kind, "choices", ())
        for value in values:
            yield {**EVERYTHING, name: value, **sample.options}
    yield dict(sample.options)


@pytest.fixture(params=ORDERS)
def inputs(request: pytest.FixtureRequest, sample: Sample) -> Columns:
    rows = ORDERS[request.param](list(zip(*sample.inputs.values(), strict=True)))
    return {name: list(column) for name, column in zip(sample.inputs, zip(*rows, strict=True), strict=True)}


def score_in_batches(loaded: Any, inputs: Columns, size: int, options: dict[str, Any]) -> list[Columns]:
    count = len(inputs["predictions"])
    return [
        loaded.score_batch({name: column[start : start + size] for name, column in inputs.items()}, **options)
        for start in range(0, count, size)
    ]


def test_arrow_infers_one_schema_for_every_batch(loaded: Any, sample: Sample, inputs: Columns, tmp_path: Path) -> None:
    for options in option_variants(loaded, sample):
        expected = loaded.compute(**inputs, **options)
        for size in BATCH_SIZES:
            tables = [pa.table(columns) for columns in score_in_batches(loaded, inputs, size, options)]
            assert len({table.schema for table in tables}) == 1, options
            assert not any(pa.types.is_null(kind) or pa.types.is_nested(kind) for kind in tables[0].schema.types)
            pq.write_table(pa.concat_tables(tables), tmp_path / "scored.parquet")
            assert loaded.aggregate(pq.read_table(tmp_path / "scored.parquet"), **options) == expected, options
            assert loaded.aggregate(iter(tables), **options) == expected, options


def test_dataset_map_in_small_batches_equals_compute(
    loaded: Any, sample: Sample, inputs: Columns, tmp_path: Path
) -> None:
    for number, options in enumerate((dict(sample.options), {**EVERYTHING, **sample.change, **sample.options})):
        expected = loaded.compute(**inputs, **options)
        for size in BATCH_SIZES:
            scored = datasets.Dataset.from_dict(inputs).map(
                loaded.score_batch,
                batched=True,
                batch_size=size,
                writer_batch_size=1,  # the first row alone decides the schema
                fn_kwargs=options,
                cache_file_name=str(tmp_path / f"{number}-{size}.arrow"),
            )
            assert loaded.aggregate(scored, **options) == expected, options
            assert loaded.aggregate(scored.to_pandas(), **options) == expected, options


def test_iterable_dataset_map_equals_compute(loaded: Any, sample: Sample, inputs: Columns) -> None:
    options = {**EVERYTHING, **sample.change, **sample.options}
    stream = datasets.Dataset.from_dict(inputs).to_iterable_dataset()
    scored = stream.map(loaded.score_batch, batched=True, batch_size=2, fn_kwargs=options)
    assert loaded.aggregate(scored.iter(batch_size=3), **options) == loaded.compute(**inputs, **options)


def test_json_and_pandas_round_trips_equal_compute(loaded: Any, sample: Sample, inputs: Columns) -> None:
    for options in option_variants(loaded, sample):
        expected = loaded.compute(**inputs, **options)
        batches = score_in_batches(loaded, inputs, 2, options)
        assert loaded.aggregate(json.loads(json.dumps(batches)), **options) == expected, options
        frame = pd.concat([pd.DataFrame(columns) for columns in batches], ignore_index=True)
        assert loaded.aggregate(frame, **options) == expected, options


def test_rows_collected_into_columns_equal_compute_without_details(
    loaded: Any, sample: Sample, inputs: Columns
) -> None:
    options = {**sample.options, "return_details": False, "return_confidence": True}
    batches = score_in_batches(loaded, inputs, 1, options)
    expected = loaded.compute(**inputs, **options)
    assert loaded.aggregate(reversed(batches), **options) == expected


@pytest.mark.parametrize("refused", [[0], [1, 2], [3], [0, 1, 2, 3]])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_failed_judgments_do_not_change_column_types(
    metric: Callable[[str], Any], refused: list[int], size: int, tmp_path: Path
) -> None:
    def reply(request: dict[str, Any], _number: int) -> Reply:
        prompt = str(request["messages"])
        if any(f"question {index}" in prompt for index in refused):
            return Reply({"error": {"message": "flagged", "code": "content_filter"}}, status=400)
        return Reply(completion())

    loaded = metric("l3score")
    inputs: Columns = {
        "questions": [f"question {index}" for index in range(4)],
        "predictions": ["a"] * 4,
        "references": [["a", "b"]] * 4,
    }
    with JudgeServer(reply) as server:
        options = {
            **EVERYTHING,
            "base_url": server.url,
            "model": "judge",
            "on_error": "skip",
            "price": (1, 1),
            "judge_cache_dir": str(tmp_path),
        }
        loaded.compute(**inputs, **options)  # fills the store: the cost of a batch depends on its contents
        expected = loaded.compute(**inputs, **options)
        batches = score_in_batches(loaded, inputs, size, options)
        assert expected["failed"] == len(refused)
        assert len({pa.table(columns).schema for columns in batches}) == 1
        assert loaded.aggregate(pa.concat_tables(map(pa.table, batches)), **options) == expected
        scored = datasets.Dataset.from_dict(inputs).map(
            loaded.score_batch, batched=True, batch_size=size, writer_batch_size=1, fn_kwargs=options
        )
        assert loaded.aggregate(scored, **options) == expected
