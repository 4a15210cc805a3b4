"""Figures in documents equal the table or file that they come from."""

import json
import re

from benchmarks.report import to_markdown
from tests.conftest import ROOT


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_documents_quote_the_table_of_make_agreement() -> None:
    row = re.compile(r"^\| ([^|]+) \| (0\.\d{3}) \| ([\d.]+) \| ([-+]?0\.\d{3}) \|", re.MULTILINE)
    rows = row.findall(read("docs/accuracy.md"))
    found = {matcher: float(agreement) for matcher, agreement, *_ in rows}
    recall, exact = found['`match="recall"`'], found["SQuAD's exact match"]
    f1 = found["SQuAD's F1 >= 0.5"]
    substring = found["lexical matching (SQuAD-normalized substring)"]
    readme = " ".join(read("README.md").split())
    assert f'`match="recall"` agrees with people on {recall:.0%}' in readme
    assert f"Exact match by SQuAD's rules agrees on {exact:.0%}, a substring test on {substring:.0%}" in readme
    assert f"({recall:.0%} agreement on EVOUNA)" in read("CHANGELOG.md")
    token_f1 = " ".join(read("metrics/token_f1/README.md").split())
    assert f'F1 >= 0.5 agrees with people on {f1:.0%}, and `accuracy` with `match="recall"` on {recall:.0%}' in token_f1
    shown = row.findall(read("metrics/accuracy/README.md"))
    assert len(shown) == 5
    assert set(shown) <= set(rows)


def test_benchmark_table_equals_the_measurements() -> None:
    measured = json.loads(read("benchmarks/results/benchmark.json"))
    written = read("benchmarks/results/README.md").splitlines()
    rows = [line for line in to_markdown(measured).splitlines() if line.startswith("| ")]
    assert rows == [line for line in written if line.startswith("| ")]
