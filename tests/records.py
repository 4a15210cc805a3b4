"""Records: what the code gives for many inputs, as lines in tests/grids/records.parquet, so that every change shows."""

import hashlib
import itertools
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.conftest import ROOT

FILE = ROOT / "tests" / "grids" / "records.parquet"
Part = Callable[[], Iterator[Any]]


def steady(text: str) -> str:
    """Return a text without random names in HTML, versions, and last digits: Python 3.12 sums floats better.

    Optional literals are sorted: Python gives those of one process that are equal the order of the first.
    """
    text = re.sub(
        r"(?<=Optional\[typing\.Literal\[')[^]]+(?=')", lambda names: "', '".join(sorted(names[0].split("', '"))), text
    )
    text = re.sub(r"\b(version:|rapidfuzz:|sentencex-|math-verify-|unicode-v1-)[\d.]+", "", text)
    text = re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.9g}", text)
    return re.sub(r'(?:id|href)="[^"]*"', "", text) if text.count("<") > 20 else text


def recorded(part: Part, *, words: bool = False) -> list[str]:
    """Return a line for each value, with the words of messages or else, for these, where they occurred first."""
    places: dict[str, int] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(name): plain(item) for name, item in value.items()}
        if hasattr(value, "_asdict"):
            return plain(value._asdict())
        if isinstance(value, (list, tuple)):
            return [plain(item) for item in value]
        if isinstance(value, (set, frozenset)):
            return sorted(map(plain, value))
        if isinstance(value, float):
            return round(value, 9)
        if value is None or isinstance(value, (bool, int)):
            return value
        text = steady(str(value))
        if text.count("<") > 20:  # a page
            return hashlib.sha1(text.encode()).hexdigest()
        if words or text.count(" ") < 2:
            return text
        values = r"“[^”]*”|'[^']*'|\"[^\"]*\"|\d[\d.,]*"
        return [places.setdefault(re.sub(values, "?", text), len(places)), *re.findall(values, text)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [json.dumps(plain(value)) for value in part()]


def stored(module: str, part: str) -> list[str]:
    """Return the lines of a part that are recorded."""
    return list(pq.read_table(FILE, filters=[("module", "=", module), ("part", "=", part)])["line"].to_pylist())


def changed(module: str, part: str, lines: Iterable[str]) -> list[Any]:
    """Return the first lines of a part that are not as recorded: their number, the record, and the line of today."""
    pairs = itertools.zip_longest(stored(module, part), lines)
    return [(number, *pair) for number, pair in enumerate(pairs) if pair[0] != pair[1]][:5]


def record(module: str, parts: Mapping[str, Iterable[str]]) -> None:
    """Replace the record of a module by the lines of today, by part."""
    others = pq.read_table(FILE, filters=[("module", "!=", module)]).to_pylist()
    rows = [{"module": module, "part": part, "line": line} for part, lines in parts.items() for line in lines]
    rows = sorted([*others, *rows], key=lambda row: row["module"])
    pq.write_table(pa.Table.from_pylist(rows), FILE, compression="zstd")
