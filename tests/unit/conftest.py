"""Fixtures for the tests of judges: no key, and no stored judgments or call rate from an earlier test."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def fresh_judges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Start without keys, stored judgments and settings learned from a server."""
    from metrics.l3score import _remote  # noqa: PLC0415  # imports evaluate, which most tests do not need
    from metrics.l3score import _remote_judge  # noqa: PLC0415  # same
    from metrics.l3score._providers import PROVIDERS  # noqa: PLC0415  # same

    monkeypatch.setattr("evaluate.config.HF_CACHE_HOME", str(tmp_path))
    for provider in PROVIDERS.values():
        if provider.key_variable:
            monkeypatch.delenv(provider.key_variable, raising=False)
    _remote._accepted.clear()
    _remote_judge._paces.clear()


@pytest.fixture
def quick_remote_judge(monkeypatch: pytest.MonkeyPatch, fresh_judges: None) -> Iterator[None]:  # noqa: ARG001
    """Wait a hundredth as long between retries, and leave no thread behind."""
    monkeypatch.setattr("metrics.l3score._judge._FIRST_WAIT", 0.01)
    monkeypatch.setattr("metrics.l3score._pace._FIRST_PAUSE", 0.02)
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("l3score")]
