"""Every place that names all metrics names those that exist, and no other: a metric that is removed leaves nothing."""

import ast
import re
import tomllib

import pytest

from scripts.vendor import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import SAMPLES
from tests.properties.subjects import SUBJECTS

NAMES = {directory.name for directory in metric_directories()}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def gallery_metrics() -> set[str]:
    """The metrics that the gallery asks, read without running it."""
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
def test_each_metric_has_an_entry_and_no_other(place: str, named: set[str]) -> None:
    assert named - NAMES == set(), f"{place} names metrics that do not exist"
    assert NAMES - named == set(), f"{place} does not name all metrics"


def test_gallery_shows_existing_metrics_only() -> None:
    runs = gallery_metrics()
    assert runs
    assert runs <= NAMES, f"CONFIGURATIONS in spaces/gallery/app.py: {sorted(runs - NAMES)} do not exist"


def test_changelog_names_every_metric() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert {name for name in NAMES if f"`{name}`" not in changelog} == set()


def test_unit_tests_are_of_existing_metrics() -> None:
    imported = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"^from metrics\.(\w+)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert imported - {"_shared"} <= NAMES
