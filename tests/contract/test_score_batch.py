"""The two steps of every metric: columns of one type in every batch, and `aggregate` of any container of them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from answer_metrics.columns.tables import LONG
from tests.contract.samples import EVERYTHING, Sample

pytestmark = [pytest.mark.filterwarnings("ignore::UserWarning")]

Columns = dict[str, list[Any]]
ORDERS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "in order": list,
    "empty values first": lambda rows: sorted(rows, key=all),
}


def option_variants(loaded: Any, sample: Sample) -> Iterator[dict[str, Any]]:
    """Yield the default options, and then every flag and every choice on its own."""
    yield dict(sample.options)
    for name, option in loaded.options.items():
        for value in (True, False) if option.accepts(bool) else option.choices:
            yield {**EVERYTHING, name: value, **sample.options}


@pytest.fixture(params=ORDERS)
def inputs(request: pytest.FixtureRequest, sample: Sample) -> Columns:
    rows = ORDERS[request.param](list(zip(*sample.inputs.values(), strict=True)))
    return {name: list(column) for name, column in zip(sample.inputs, zip(*rows, strict=True), strict=True)}


def score_in_batches(loaded: Any, inputs: Columns, size: int, options: dict[str, Any]) -> list[Columns]:
    starts = range(0, len(next(iter(inputs.values()))), size)
    batches = [{name: column[start : start + size] for name, column in inputs.items()} for start in starts]
    return [loaded.score_batch(batch, **options) for batch in batches]


def test_long_columns_score_as_short_ones(loaded: Any, sample: Sample) -> None:
    """They take faster paths."""
    times = 1 + LONG // sample.rows
    for change in ({}, sample.change):
        options = {**sample.options, **change}
        once = loaded.score_batch(dict(sample.inputs), **options)
        long = loaded.score_batch({name: values * times for name, values in sample.inputs.items()}, **options)
        assert loaded.row_scores(long, **options) == loaded.row_scores(once, **options) * times


def carried(batches: list[Columns], tables: list[pa.Table], path: Path) -> Iterator[Any]:
    """Yield scored batches in the forms in which they may be stored; reading them needs only their columns."""
    pq.write_table(pa.concat_tables(tables), path)
    yield pq.read_table(path)
    yield json.loads(json.dumps(batches))
    yield pd.concat([pd.DataFrame(columns) for columns in batches], ignore_index=True)
    yield [row for table in tables for row in table.to_pylist()]
    yield [{key: list(np.array(values)) for key, values in columns.items()} for columns in batches]  # as Ray's


def test_columns_have_one_type_in_every_carrier(loaded: Any, sample: Sample, inputs: Columns, tmp_path: Path) -> None:
    seen = []
    for options in option_variants(loaded, sample):
        expected = loaded.compute(**inputs, **options)
        for size in (1, 3):
            batches = score_in_batches(loaded, inputs, size, options)
            tables = [pa.table(columns) for columns in batches]
            assert len({table.schema for table in tables}) == 1, options
            assert not any(pa.types.is_null(kind) or pa.types.is_nested(kind) for kind in tables[0].schema.types)
            assert loaded.aggregate(iter(tables), **options) == expected, options
            if (size, tables[0].schema) not in seen:
                seen.append((size, tables[0].schema))
                for scored in carried(batches, tables, tmp_path / "scored.parquet"):
                    assert loaded.aggregate(scored, **options) == expected, options


def test_dataset_map_equals_compute(loaded: Any, sample: Sample, inputs: Columns, tmp_path: Path) -> None:
    rows = datasets.Dataset.from_dict(inputs)
    for number, options in enumerate((dict(sample.options), {**EVERYTHING, **sample.change, **sample.options})):
        expected = loaded.compute(**inputs, **options)
        settings = {"batched": True, "batch_size": 3, "fn_kwargs": options}
        path = str(tmp_path / f"{number}.arrow")
        # The first row alone decides the schema.
        scored = rows.map(loaded.score_batch, writer_batch_size=1, cache_file_name=path, **settings)
        stream = rows.to_iterable_dataset().map(loaded.score_batch, **settings)
        for columns in (scored, scored.to_pandas(), stream, stream.iter(batch_size=3)):
            assert loaded.aggregate(columns, **options) == expected, options


TABLES = [pa.table, pa.RecordBatch.from_pydict, pd.DataFrame, pl.DataFrame]


@pytest.mark.parametrize("to_table", TABLES)
def test_the_columns_of_every_table_have_the_types_of_the_schema(loaded: Any, sample: Sample, to_table: Any) -> None:
    """Also those of an empty batch, such as an empty partition, which has nothing to infer a type from."""
    batch = to_table(dict(sample.inputs))
    for options in option_variants(loaded, sample):
        schema = loaded.schema(**options)
        assert set(schema.types) <= {pa.float64(), pa.int64(), pa.bool_(), pa.string()}
        returned = loaded.score_batch(batch, **options)
        assert type(returned) is type(batch)
        assert loaded.aggregate(returned, **options) == loaded.compute(**sample.inputs, **options)
        scored = pa.table(returned)
        views = (pa.large_string(), pa.string_view())  # strings of pandas and polars
        types = [pa.string() if kind in views else kind for kind in scored.schema.types]
        assert dict(zip(scored.column_names, types, strict=True)) == dict(zip(schema.names, schema.types, strict=True))
        if to_table is not pa.RecordBatch.from_pydict:
            empty = loaded.score_batch(batch[:0], **options)
            assert pa.table(empty).schema.types == scored.schema.types


def test_a_frame_keeps_its_index_and_what_is_kept_its_types(loaded: Any, sample: Sample) -> None:
    frame = pd.DataFrame({**sample.inputs, "id": pd.Categorical(map(str, range(sample.rows)))})
    frame.index = pd.Index([7] * sample.rows)
    scored = loaded.score_batch(frame, keep=["id"], **sample.options)
    assert scored.index.equals(frame.index)
    assert scored["id"].equals(frame["id"])
    schema = loaded.schema(**sample.options)
    lazy = pl.DataFrame(frame).lazy().map_batches(
        lambda batch: loaded.score_batch(batch, keep=["id"], **sample.options),
        schema=pl.Schema([*pl.Schema(schema).items(), ("id", pl.Categorical())]),
    )  # fmt: skip
    assert str(lazy.select(schema.names).collect().to_dicts()) == str(scored[schema.names].to_dict("records"))


def test_a_path_and_a_table_of_a_cluster_say_how_to_read_them(loaded: Any, name: str, tmp_path: Path) -> None:
    distributed = type("DataFrame", (), {"__module__": "pyspark.sql.classic.dataframe"})()
    call = rf"pyarrow.dataset.dataset\('{tmp_path}'\).to_batches"
    with pytest.raises(ValueError, match=rf"^{name}: got the path .*{call}"):
        loaded.aggregate(str(tmp_path))
    with pytest.raises(ValueError, match=rf"^{name}: .*mapInArrow, and aggregate scored.toArrow\(\)"):
        loaded.aggregate(distributed)


def test_renamed_columns_are_read_and_missing_ones_reported(loaded: Any, sample: Sample, name: str) -> None:
    renamed = {f"my {column}": values for column, values in sample.inputs.items()}
    names = {column: f"my {column}" for column in sample.inputs}
    scored = loaded.score_batch(renamed, columns=names, **sample.options)
    assert scored == loaded.score_batch(sample.inputs, **sample.options)
    assert all(key.startswith(f"{name}_") for key in scored)
    pair = {"a": renamed, "b": scored}
    assert loaded.compare(pair, columns=names, **sample.options)["total"] == sample.rows
    own = loaded.scored_input()
    without = {column: values for column, values in sample.inputs.items() if column != own}
    with pytest.raises(ValueError, match=f"{name}: the batch has no column '{own}'; it has .*output"):
        loaded.score_batch({**without, "output": ["a"]}, **sample.options)
    with pytest.raises(ValueError, match=f"{name}: columns names 'answers'; its inputs are "):
        loaded.score_batch(sample.inputs, columns={"answers": own})
    for columns in (sample.inputs, None, [scored, sample.inputs]):
        with pytest.raises(ValueError, match=f"{name}: the batch has no column"):
            loaded.aggregate(columns, **sample.options)


def test_aggregate_reports_what_is_wrong_with_a_column(loaded: Any, sample: Sample, name: str) -> None:
    options = {**sample.options, "return_details": True}
    scored = loaded.score_batch(sample.inputs, **options)
    numeric = [key for key, values in scored.items() if isinstance(values[1], (int, float))]
    assert numeric
    for key in numeric:
        for value in ("x", [1], float("inf")):
            columns = {**scored, key: [*scored[key][:1], value, *scored[key][2:]]}
            with pytest.raises(ValueError, match=rf"{name}: {key}\[1\] is .* not .*the same options"):
                loaded.aggregate(columns, **options)
        if len(scored) > 1:
            with pytest.raises(ValueError, match=f"{name}: got .*the same length"):
                loaded.aggregate({**scored, key: scored[key][:-1]}, **options)
            other = next(column for column in scored if column != key)
            uneven = [{**scored, key: scored[key][:-1]}, {**scored, other: scored[other][:-1]}]  # even in total
            with pytest.raises(ValueError, match=f"{name}: got .*the same length"):
                loaded.aggregate(uneven, **options)


def test_aggregate_rejects_a_missing_value_in_arrow(loaded: Any, sample: Sample, name: str) -> None:
    if name == "l3score":  # a judgment may fail
        return
    scored = loaded.score_batch(pa.table(dict(sample.inputs)), **sample.options)
    key = next(key for key in scored.column_names if scored.schema.field(key).type in {pa.int64(), pa.float64()})
    gap = pa.array([*scored[key].to_pylist()[:-1], None], scored.schema.field(key).type)
    columns = scored.set_column(scored.column_names.index(key), key, gap)
    with pytest.raises(ValueError, match=rf"{name}: {key}\[{len(gap) - 1}\] is None"):
        loaded.aggregate(columns, return_details=False, **sample.options)


def test_kept_columns_stay_and_groups_are_those_of_their_rows(loaded: Any, sample: Sample) -> None:
    options = {**sample.options, "return_details": False}
    groups = [f"g{row % 2}" for row in range(sample.rows)]
    table = pa.table({**sample.inputs, "id": range(sample.rows), "group": groups})
    for batch in (table, table.to_batches()[0], table.to_pydict(), table.to_pandas(), datasets.Dataset(table)):
        scored = loaded.score_batch(batch, keep=["id", "group"], **sample.options)
        assert pa.array(scored["id"]).to_pylist() == list(range(sample.rows))
        result = loaded.aggregate(scored, by="group", **options)
        assert list(result["groups"]) == ["g0", "g1"]
        for name, group in result["groups"].items():
            rows = [row for row in range(sample.rows) if groups[row] == name]
            alone = {column: [values[row] for row in rows] for column, values in sample.inputs.items()}
            assert group[loaded.main_score] == loaded.compute(**alone, **options)[loaded.main_score]
            assert group["total"] == len(rows)
    shards = [{name: [value] for name, value in row.items()} for row in pa.table(scored).to_pylist()]
    assert loaded.aggregate(shards, by="group", **options) == result
    assert loaded.aggregate(iter(shards), by=groups, **options) == result


def test_groups_of_no_rows_are_none_and_bad_ones_are_named(loaded: Any, sample: Sample, name: str) -> None:
    options = {**sample.options, "return_details": False}
    table = pa.table(dict(sample.inputs))
    empty = loaded.score_batch(table[:0].append_column("group", pa.array([])), keep=["group"], **sample.options)
    every: list[Any] = [empty, empty.to_pydict(), []]
    for scored in every:
        assert loaded.aggregate(scored, by="group", **options)["groups"] == {}
    for group, written in ((None, "None"), (1.5, r"1\.5 \(float\)")):
        grouped = table.append_column("group", pa.array([group] * sample.rows))
        scored = loaded.score_batch(grouped, keep=["group"], **sample.options)
        with pytest.raises(ValueError, match=rf"^{name}: by\[0\] is {written}, not a string or an integer$"):
            loaded.aggregate(scored, by="group", **options)


@pytest.mark.usefixtures("expect_warnings")
def test_rows_and_tables_that_are_not_read_yet_are_batches(loaded: Any, sample: Sample, tmp_path: Path) -> None:
    table = pa.table(dict(sample.inputs))
    pq.write_table(table, tmp_path / "part.parquet")
    expected = loaded.score_batch(table, **sample.options).to_pydict()
    files = pyarrow.dataset.dataset(tmp_path)
    for batch in (table.to_pylist(), pl.DataFrame(table).lazy(), table.to_reader(), files):
        scored = loaded.score_batch(batch, **sample.options)
        columns = scored if isinstance(scored, dict) else pa.table(scored).to_pydict()
        assert str(columns) == str(expected)
    readers = {name: table.to_reader() for name in "ab"}
    assert loaded.compare(readers, **sample.options)["total"] == sample.rows
