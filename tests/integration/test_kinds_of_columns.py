"""Equal results for every type of column: lists, arrays, Series, tables, datasets and generators."""

from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from .test_data_forms import PREDICTIONS
from .test_data_forms import REFERENCES
from .test_data_forms import SEVERAL

TABLE = pd.DataFrame({"p": PREDICTIONS, "r": REFERENCES, "keep": [True, False, True] * 8})
FILTERED = TABLE[TABLE["keep"]]
DATASET = datasets.Dataset.from_dict({"p": PREDICTIONS, "r": REFERENCES, "s": SEVERAL})


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (tuple(PREDICTIONS), tuple(REFERENCES)),
        (np.array(PREDICTIONS), np.array(REFERENCES)),
        (np.array(PREDICTIONS, dtype=object), np.array(SEVERAL, dtype=object)),
        (np.array(PREDICTIONS), [np.array(several, dtype=object) for several in SEVERAL]),
        (TABLE["p"], TABLE["r"]),
        (TABLE["p"].astype("string"), TABLE["r"].astype("category")),
        (TABLE["p"].to_numpy(), pd.Series(SEVERAL)),
        (DATASET["p"], DATASET["r"]),
        (DATASET["p"][:], DATASET["s"][:]),
        (DATASET["p"], DATASET["s"]),
        (DATASET.with_format("numpy")["p"], DATASET.with_format("numpy")["r"]),
        (DATASET.with_format("pandas")["p"], DATASET.with_format("arrow")["s"]),
        (pa.array(PREDICTIONS), pa.array(SEVERAL)),
        (pa.chunked_array([PREDICTIONS[:5], PREDICTIONS[5:]]), pa.array(REFERENCES)),
        ((text for text in PREDICTIONS), iter(SEVERAL)),
    ],
    ids=lambda column: f"{type(column).__module__.partition('.')[0]}.{type(column).__name__}",
)
def test_columns_of_any_type_equal_lists(metric: Callable[[str], Any], predictions: Any, references: Any) -> None:
    accuracy = metric("accuracy")
    if iter(predictions) is predictions:
        predictions, references = list(predictions), list(references)
    expected = accuracy.compute(predictions=PREDICTIONS, references=REFERENCES)
    several = accuracy.compute(predictions=PREDICTIONS, references=SEVERAL)
    assert several == expected, "no other reference equals a prediction"
    assert accuracy.compute(predictions=predictions, references=references) == expected
    accuracy.add_batch(predictions=predictions, references=references)
    assert accuracy.compute() == expected


def test_generators_are_accepted(metric: Callable[[str], Any]) -> None:
    accuracy = metric("accuracy")
    expected = accuracy.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert accuracy.compute(predictions=iter(PREDICTIONS), references=(text for text in REFERENCES)) == expected


def test_filtered_series_is_scored_and_missing_values_are_rejected(metric: Callable[[str], Any]) -> None:
    """evaluate reads row 0, which the filtered Series does not have."""
    accuracy = metric("accuracy")
    filtered = FILTERED[1:]
    expected = accuracy.compute(predictions=filtered["p"].to_list(), references=filtered["r"].to_list())
    assert accuracy.compute(predictions=filtered["p"], references=filtered["r"]) == expected
    for missing in (None, np.nan, pd.NA):
        broken = pd.Series([*PREDICTIONS[:3], missing], dtype=object)
        with pytest.raises(ValueError, match=r"accuracy: predictions\[3\] is .*a missing text"):
            accuracy.compute(predictions=broken, references=REFERENCES[:4])
        with pytest.raises(ValueError, match=r"accuracy: predictions\[3\] is .*a missing text"):
            accuracy.compute(predictions=broken.astype("string"), references=REFERENCES[:4])
