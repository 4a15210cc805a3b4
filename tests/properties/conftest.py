"""The parameters of the property tests: every directory under metrics/."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from spaces.build import metric_directories
from tests.properties.subjects import Subject, subject_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that uses the fixture `name`, directly or indirectly, once per metric."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", [path.name for path in metric_directories()], scope="session")


@pytest.fixture(scope="session")
def subject(name: str) -> Subject:
    return subject_of(name)


@pytest.fixture(scope="session")
def loaded(name: str, metric: Callable[[str], Any]) -> Any:
    loaded = metric(name)
    assert len(loaded) == 0, "an earlier test left examples in the metric"
    return loaded


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield
