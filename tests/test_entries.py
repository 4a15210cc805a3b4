"""Every list of metrics is complete, also after one was removed, and figures equal what they were taken from."""

import json
import re
from collections import Counter

import pytest
import yaml  # type: ignore[import-untyped]  # its types are a separate package
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from answer_metrics.contract.metric import VERSION
from benchmarks.report import to_markdown
from tests.conftest import ROOT
from tests.contract.samples import SAMPLES
from tests.properties.subjects import SUBJECTS

NAMES = {script.stem for script in (ROOT / "metrics").glob("[!_]*/*.py") if script.stem == script.parent.name}


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("SAMPLES in tests/contract/samples.py", set(SAMPLES)),
        ("SUBJECTS in tests/properties/subjects.py", set(SUBJECTS)),
        ("README.md", set(re.findall(r"\]\(metrics/(\w+)/README\.md\)", read("README.md")))),
        ("CHANGELOG.md", NAMES & set(re.findall(r"`(\w+)`", read("CHANGELOG.md")))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_list_of_metrics_is_complete(place: str, named: set[str]) -> None:
    assert named == NAMES, place


def requirements(path: str) -> dict[str, Requirement]:
    """Read a requirements or constraints file into a mapping by library."""
    lines = (line for line in read(path).splitlines() if line and not line.startswith("#"))
    return {canonicalize_name(requirement.name): requirement for requirement in map(Requirement, lines)}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_requirement_ranges_cover_the_tested_versions(name: str) -> None:
    lowest, newest = requirements("constraints-lowest.txt"), requirements("constraints.txt")
    stated = requirements(f"metrics/{name}/requirements.txt")
    assert stated
    for library, requirement in stated.items():
        least = next(part.version for part in requirement.specifier if part.operator == ">=")
        (pinned,) = lowest[library].specifier
        assert Version(least) == Version(pinned.version), library
        (tested,) = newest[library].specifier
        assert requirement.specifier.contains(tested.version), library


def test_citation_names_the_version() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["version"] == VERSION
    assert {"cff-version", "message", "title", "authors", "license"} <= set(citation)


def test_documents_quote_the_table_of_make_agreement() -> None:
    row = re.compile(r"^\| ([^|]+) \| (0\.\d{3}) \| ([\d.]+) \| ([-+]?0\.\d{3}) \|", re.MULTILINE)
    rows = row.findall(read("docs/accuracy.md"))
    agreements = {matcher: float(agreement) for matcher, agreement, *_ in rows}
    recall, f1 = agreements['`match="recall"`'], agreements["SQuAD's F1 >= 0.5"]
    row_held_out = r"^\| TriviaQA.*\| ([\d,]+) \| people .*; (0\.\d+) \|"
    ((answers, agreement),) = re.findall(row_held_out, read("docs/accuracy.md"), re.MULTILINE)
    readme = " ".join(read("README.md").split())
    held_out = f"On {answers} TriviaQA answers held out from development, `accuracy` agrees with human judges on"
    assert f"{held_out} {float(agreement):.0%} without calling a model" in readme
    assert f"({recall:.0%} agreement on EVOUNA)" in read("CHANGELOG.md")
    token_f1 = " ".join(read("metrics/token_f1/README.md").split())
    assert f'F1 >= 0.5 agrees with people on {f1:.0%}, and `accuracy` with `match="recall"` on {recall:.0%}' in token_f1
    (kappa, bias), *_ = [values for matcher, _, *values in rows if matcher == '`match="recall"`']
    substring = agreements["lexical matching (SQuAD-normalized substring)"]
    card = " ".join(read("metrics/accuracy/README.md").split())
    fewer = f"accepts {-100 * float(bias):.1f} percentage points fewer than people"
    assert f"it agrees on {recall:.0%} (kappa {kappa}) and {fewer}; a SQuAD-normalized substring test" in card
    assert f"substring test agrees on {substring:.0%}" in card


def test_benchmark_table_equals_the_measurements() -> None:
    measured = json.loads(read("benchmarks/results/benchmark.json"))
    written = read("benchmarks/results/README.md").splitlines()
    rows = [line for line in to_markdown(measured).splitlines() if line.startswith("| ")]
    assert rows == [line for line in written if line.startswith("| ")]


def test_readme_counts_the_items() -> None:
    names, readme = ("qa_sample.jsonl", "qa_second_system.jsonl"), read("examples/README.md")
    items, others = ([json.loads(line) for line in read(f"examples/{name}").splitlines()] for name in names)
    rows = {kind: int(count) for kind, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", readme, re.MULTILINE)}
    assert rows == Counter(item["kind"] for item in items)
    assert f"{len(items)} questions" in readme
    ids = [item["id"] for item in others]
    assert ids != sorted(ids) == [item["id"] for item in items]
