"""The parameters of the contract tests: every directory under metrics/."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spaces.build import metric_directories
from tests.contract.samples import Sample, sample_of

DIRECTORIES = metric_directories()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that uses the fixture `directory`, directly or indirectly, once per metric."""
    if "directory" in metafunc.fixturenames:
        metafunc.parametrize("directory", DIRECTORIES, ids=lambda path: path.name)


@pytest.fixture
def name(directory: Path) -> str:
    return directory.name


@pytest.fixture
def sample(name: str) -> Sample:
    return sample_of(name)


@pytest.fixture
def loaded(name: str, metric: Callable[[str], Any]) -> Any:
    loaded = metric(name)
    assert len(loaded) == 0, "an earlier test left examples in the metric"
    return loaded


@pytest.fixture
def expect_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Turn every `UserWarning` into an error, except for the one that the metric of the test always issues."""
    expected = request.getfixturevalue("sample").expected_warning if "directory" in request.fixturenames else ""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", ".*human labels", UserWarning)  # a sample has few
        if expected:
            warnings.filterwarnings("ignore", f".*{expected}", UserWarning)
        yield
