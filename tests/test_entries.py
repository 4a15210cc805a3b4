"""Every list of metrics is complete, and a removed metric leaves no entries behind."""

import re

import pytest
import yaml  # type: ignore[import-untyped]  # its types are a separate package
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from spaces.files import version_of
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
    found = [Requirement(line) for line in read(path).splitlines() if line and not line.startswith("#")]
    return {canonicalize_name(one.name): one for one in found}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_requirement_ranges_cover_the_tested_versions(name: str) -> None:
    lowest, newest = requirements("constraints-lowest.txt"), requirements("constraints.txt")
    stated = requirements(f"metrics/{name}/requirements.txt")
    assert stated
    for library, requirement in stated.items():
        least = next(one.version for one in requirement.specifier if one.operator == ">=")
        (pinned,) = lowest[library].specifier
        assert Version(least) == Version(pinned.version), library
        (tested,) = newest[library].specifier
        assert requirement.specifier.contains(tested.version), library


def test_citation_names_the_version() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert {version_of(ROOT / "metrics" / name) for name in NAMES} == {citation["version"]}
    assert {"cff-version", "message", "title", "authors", "license"} <= set(citation)
