"""Missing requirements of an environment are reported in one sentence."""

import sys

import pytest

from metrics._shared._environment import check_python
from metrics._shared._environment import check_version


def test_python_before_3_11_is_rejected() -> None:
    check_python()
    check_python((3, 11, 0))
    check_python((4, 0, 0))
    with pytest.raises(ImportError, match=r"needs Python 3\.11 or newer, this is Python 3\.10\.14$"):
        check_python((3, 10, 14, "final", 0))  # type: ignore[arg-type]  # as sys.version_info is


@pytest.mark.parametrize("installed", ["3.8", "3.8.0", "3.10.1", "4.0", "3.9.0rc1"])
def test_recent_library_is_accepted(installed: str) -> None:
    check_version("rapidfuzz", installed, "3.8")


@pytest.mark.parametrize("installed", ["3.7.9", "2.15.2", "0.1"])
def test_old_library_is_rejected_with_the_command_that_updates_it(installed: str) -> None:
    with pytest.raises(ImportError, match=rf'needs rapidfuzz 3\.8 or newer, found {installed}: pip install "rapidfuzz'):
        check_version("rapidfuzz", installed, "3.8")


def test_this_python_is_supported() -> None:
    assert sys.version_info >= (3, 11)
