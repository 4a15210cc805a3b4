"""Accuracy's verdicts on texts of many kinds, as recorded: a change of a rule shows what else it changes.

To record the verdicts of today, once those that changed are right: `python -m tests.unit.test_verdicts`.
"""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import answer_metrics
from tests.conftest import ROOT

FILE = ROOT / "tests" / "grids" / "verdicts.parquet"
OPTIONS: dict[str, dict[str, Any]] = {
    "free_form": {"preset": "free_form"}, "strict": {"preset": "strict"}, "number": {"preset": "number"},
    "math": {"preset": "math", "equivalent": None}, "multiple_choice": {"preset": "multiple_choice"},
    "other languages": {"match": "recall", "language": "none", "abstention": "any"},
    "decimal comma": {"match": "contains", "numbers": "value", "decimal": ","},
    "typos": {"extract": "auto", "fuzzy_match": True, "numbers": "value"},
}  # fmt: skip


def verdicts(rows: dict[str, list[Any]], name: str) -> list[str]:
    """Return the kind of match of each row, the share or similarity, and what was extracted."""
    columns = {"predictions": rows["prediction"], "references": rows["reference"]}
    if name in {"free_form", "strict"}:
        columns["questions"] = rows["question"]
    if name == "multiple_choice":
        columns |= {"references": rows["letter"], "choices": rows["choices"]}
    result = answer_metrics.load("accuracy", return_confidence=False, **OPTIONS[name]).compute(**columns)
    nothing = [""] * len(rows["reference"])
    shares = result.get("recalls") or result.get("similarities") or nothing
    shares = [share and f"{share:.3f}" for share in shares]
    details = zip(result["match_types"], shares, result.get("extracted", nothing), strict=True)
    return [" ".join(map(str, filter(None, row))) for row in details]


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.filterwarnings("ignore:accuracy:UserWarning")
def test_verdicts_are_those_that_were_recorded(name: str) -> None:
    rows = pq.read_table(FILE).to_pydict()
    texts = zip(rows["reference"], rows["prediction"], rows[name], verdicts(rows, name), strict=True)
    assert [row for row in texts if row[2] != row[3]][:20] == []


if __name__ == "__main__":
    table = pq.read_table(FILE)
    for column in OPTIONS:
        new = pa.array(verdicts(table.to_pydict(), column))
        table = table.set_column(table.column_names.index(column), column, new)
    pq.write_table(table, FILE, compression="zstd")
