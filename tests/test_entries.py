"""Every list of metrics is complete, and a removed metric leaves no entries behind."""

import ast
import re
import tomllib
from fnmatch import fnmatchcase

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from scripts.vendor import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import SAMPLES
from tests.properties.subjects import SUBJECTS

NAMES = {directory.name for directory in metric_directories()}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def gallery_metrics() -> set[str]:
    """The metrics in the gallery, read without running it."""
    tree = ast.parse((ROOT / "spaces" / "gallery" / "app.py").read_text(encoding="utf-8"))
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Configuration"
    ]
    return {str(ast.literal_eval(call.args[1])) for call in calls}


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("SAMPLES in tests/contract/samples.py", set(SAMPLES)),
        ("SUBJECTS in tests/properties/subjects.py", set(SUBJECTS)),
        ("[tool.coverage.paths] in pyproject.toml", set(PYPROJECT["tool"]["coverage"]["paths"])),
        (
            "README.md",
            set(re.findall(r"\]\(metrics/(\w+)/README\.md\)", (ROOT / "README.md").read_text(encoding="utf-8"))),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_list_of_metrics_is_complete(place: str, named: set[str]) -> None:
    assert named - NAMES == set(), f"{place} names metrics that do not exist"
    assert NAMES - named == set(), f"{place} does not name all metrics"


def test_gallery_shows_existing_metrics_only() -> None:
    runs = gallery_metrics()
    assert runs
    assert runs <= NAMES, f"CONFIGURATIONS in spaces/gallery/app.py: {sorted(runs - NAMES)} do not exist"


def test_changelog_names_every_metric() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert {name for name in NAMES if f"`{name}`" not in changelog} == set()


def requirements(lines: str) -> dict[str, Requirement]:
    """Read a requirements or constraints file into a mapping by library."""
    found = [Requirement(line) for line in lines.splitlines() if line and not line.startswith("#")]
    return {canonicalize_name(one.name): one for one in found}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_requirement_ranges_cover_the_tested_versions(name: str) -> None:
    lowest, newest = (
        requirements((ROOT / file).read_text(encoding="utf-8"))
        for file in ("constraints-lowest.txt", "constraints.txt")
    )
    stated = requirements((ROOT / "metrics" / name / "requirements.txt").read_text(encoding="utf-8"))
    assert stated
    for library, requirement in stated.items():
        least = next(one.version for one in requirement.specifier if one.operator == ">=")
        (pinned,) = lowest[library].specifier
        assert Version(least) == Version(pinned.version), library
        (tested,) = newest[library].specifier
        assert requirement.specifier.contains(tested.version), library


def test_unit_tests_belong_to_existing_metrics() -> None:
    imported = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"^from metrics\.(\w+)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert imported - {"_shared"} <= NAMES


def test_gitattributes_marks_all_copies_and_nothing_else() -> None:
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    patterns = [line.split()[0] for line in lines if line.endswith(" linguist-generated")]
    files = [path for path in (ROOT / "metrics").rglob("*.py") if path.is_file()]
    marked = {path for path in files for pattern in patterns if fnmatchcase(str(path.relative_to(ROOT)), pattern)}
    assert marked == {path for path in files if path.read_text(encoding="utf-8").startswith("# Vendored: ")}
