"""Figures in documents equal the table or file that they come from."""

import json
import re

import pytest

from benchmarks.report import to_markdown
from scripts.vendor import metric_directories
from tests.conftest import ROOT


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def agreement() -> dict[str, float]:
    """The column "agreement" of the table in the card of accuracy, which `make agreement` prints."""
    rows = re.findall(
        r"^\| ([^|]+) \| (0\.\d{3}) \| [\d.]+ \| [-+]?0\.\d{3} \|", read("metrics/accuracy/README.md"), re.MULTILINE
    )
    return {matcher: float(share) for matcher, share in rows}


def test_documents_quote_the_agreement_in_the_card_of_accuracy() -> None:
    found = agreement()
    recall, exact = found['`match="recall"`'], found["SQuAD's exact match"]
    f1 = found["SQuAD's F1 >= 0.5"]
    substring = found["lexical matching (SQuAD-normalized substring)"]
    readme = " ".join(read("README.md").split())
    assert f'`match="recall"` agrees with people on {recall:.0%}' in readme
    assert f"Exact match by SQuAD's rules agrees on {exact:.0%}, a substring test on {substring:.0%}" in readme
    assert f"({recall:.0%} agreement on EVOUNA)" in read("CHANGELOG.md")
    token_f1 = " ".join(read("metrics/token_f1/README.md").split())
    assert f"for {f1:.0%}. Even the threshold" in token_f1
    best = found["`token_f1` at its best single threshold on these answers"]
    assert f"which accepts any shared word, reaches {best:.1%};" in token_f1
    assert f'`accuracy` with `match="recall"` reaches {recall:.1%}' in token_f1


COVERAGE = re.compile(r"^ *\| ([^|]+) \|((?: \d+\.\d \(\d+\) \|){5})", re.MULTILINE)


@pytest.mark.parametrize("card", [f"metrics/{one.name}/README.md" for one in metric_directories()])
def test_coverage_in_cards_equals_the_documented_simulations(card: str) -> None:
    documented = dict(COVERAGE.findall(read("docs/comparison.md")))
    assert documented
    assert set(COVERAGE.findall(read(card))) <= set(documented.items())


def test_benchmark_table_equals_the_measurements() -> None:
    measured = json.loads(read("benchmarks/results/benchmark.json"))
    written = read("benchmarks/results/README.md").splitlines()
    rows = [line for line in to_markdown(measured).splitlines() if line.startswith("| ")]
    assert rows == [line for line in written if line.startswith("| ")]
