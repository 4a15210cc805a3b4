"""This repository passes the checks before publishing; and those that run a copy of the files alone."""

from pathlib import Path

import pytest

from spaces.build import published_directories
from spaces.checks import check_alone, check_directory
from spaces.files import read_space
from tests import made_up


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


@pytest.mark.parametrize("path", published_directories(), ids=lambda path: path.name)
def test_directories_of_this_repository_pass(path: Path) -> None:
    assert check_directory(path) == []


def run_alone(directory: Path, name: str = made_up.NAME) -> list[str]:
    return check_alone(name, read_space(directory, "acme"))


def test_smallest_metric_passes(directory: Path) -> None:
    assert run_alone(directory) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("import datasets\n", "import datasets\nfrom evaluate import Metric\n", "not the one of made_up.py"),
        ("return {", "return {'a': {1, 2}} or {", "TypeError: Object of type set is not JSON serializable"),
        ("import datasets\n", "import datasets\nTEXT = '''\nimport absent\n'''\n", "pip install absent"),
    ],
)
def test_metric_that_fails_alone_is_rejected(directory: Path, old: str, new: str, expected: str) -> None:
    made_up.edit(directory / "made_up.py", old, new)
    (found,) = run_alone(directory)
    assert "made_up: an isolated copy does not load and compute: " in found
    assert expected in found
