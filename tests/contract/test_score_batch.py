"""The two steps of every metric: per-example columns by `score_batch`, and their summary by `aggregate`."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.contract.helpers import compute
from tests.contract.helpers import is_plain
from tests.contract.samples import Sample

pytestmark = pytest.mark.usefixtures("expect_warnings")


def test_score_batch_reads_renamed_columns_and_reports_missing_ones(loaded: Any, sample: Sample, name: str) -> None:
    renamed = {f"my {column}": values for column, values in sample.inputs.items()}
    names = {column: f"my {column}" for column in sample.inputs}
    scored = loaded.score_batch(renamed, columns=names, **sample.options)
    assert scored == loaded.score_batch(sample.inputs, **sample.options)
    assert all(key.startswith(f"{name}_") for key in scored)
    assert loaded.aggregate(scored, **sample.options) == compute(loaded, sample)
    without = {column: values for column, values in sample.inputs.items() if column != "predictions"}
    with pytest.raises(ValueError, match=f"{name}: the batch has no column 'predictions'; it has .*references"):
        loaded.score_batch({**without, "output": ["a"]}, **sample.options)
    with pytest.raises(ValueError, match=f"{name}: columns names 'answers'; its inputs are "):
        loaded.score_batch(sample.inputs, columns={"answers": "predictions"})
    with pytest.raises(ValueError, match=f"{name}: the batch has no column '{name}_"):
        loaded.aggregate(sample.inputs, **sample.options)


def test_aggregate_rejects_columns_of_different_lengths(loaded: Any, sample: Sample, name: str) -> None:
    scored = loaded.score_batch(sample.inputs, **sample.options)
    if len(scored) > 1:
        key = next(iter(scored))
        with pytest.raises(ValueError, match=f"{name}: got .*the same length"):
            loaded.aggregate({**scored, key: scored[key][:-1]}, **sample.options)


def test_aggregate_of_numpy_scalars_returns_plain_values(loaded: Any, sample: Sample) -> None:
    """Ray passes numpy scalars."""
    scored = loaded.score_batch(sample.inputs, **sample.options)
    rows = {
        key: [np.array([value])[0] if isinstance(value, (int, float, str)) else value for value in values]
        for key, values in scored.items()
    }
    result = loaded.aggregate(rows, **sample.options)
    assert is_plain(result)
    assert result == compute(loaded, sample)


def test_aggregate_reports_the_row_of_an_invalid_value(loaded: Any, sample: Sample, name: str) -> None:
    options = {**sample.options, "return_details": True}
    scored = loaded.score_batch(sample.inputs, **options)
    numeric = [key for key, values in scored.items() if isinstance(values[1], (int, float))]
    assert numeric
    for key in numeric:
        for value in ("x", [1], float("inf")):
            columns = {**scored, key: [*scored[key][:1], value, *scored[key][2:]]}
            with pytest.raises(ValueError, match=rf"{name}: {key}\[1\] is .* not "):
                loaded.aggregate(columns, **options)


def test_aggregate_rejects_a_missing_value_in_arrow(loaded: Any, sample: Sample, name: str) -> None:
    scored = loaded.score_batch(pa.table(dict(sample.inputs)), **sample.options)
    key = next(key for key in scored.column_names if scored.schema.field(key).type in {pa.int64(), pa.float64()})
    gap = pa.array([*scored[key].to_pylist()[:-1], None], scored.schema.field(key).type)
    columns = scored.set_column(scored.column_names.index(key), key, gap)
    if name != "l3score":  # a judgment may fail
        with pytest.raises(ValueError, match=rf"{name}: {key}\[{len(gap) - 1}\] is None"):
            loaded.aggregate(columns, return_details=False, **sample.options)


def test_aggregate_rejects_none(loaded: Any, sample: Sample, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: the batch has no column"):
        loaded.aggregate(None, **sample.options)
