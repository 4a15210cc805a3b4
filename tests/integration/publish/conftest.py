"""Fixtures for the tests of publishing: a loopback Hub, a made-up metric, and the command that `make publish` runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from typing import NamedTuple

import pytest

from spaces import publish
from tests.integration import made_up
from tests.loopback_hub import TOKEN
from tests.loopback_hub import LoopbackHub

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from pathlib import Path

ORG = "acme"
SPACE = f"{ORG}/{made_up.NAME}"


class Run(NamedTuple):
    """The exit status and the output of a run of the command."""

    status: int
    text: str


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    with LoopbackHub(orgs=(ORG,)) as hub:
        yield hub


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


@pytest.fixture
def command(
    hub: LoopbackHub, directory: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Run]:
    """Run the command on the made-up metric, in this process and without the slow checks; watch for the token."""
    monkeypatch.setattr(publish, "check_isolated", lambda *_: [])
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def run(*options: str, org: str = ORG, metric: Path = directory) -> Run:
        status = publish.main([org, str(metric), *options])
        captured = capfd.readouterr()
        text = captured.out + captured.err
        secret = os.environ.get("HF_TOKEN", "").strip() or TOKEN
        assert secret not in text
        assert TOKEN not in text
        assert not any(TOKEN in request.path for request in hub.log)
        assert "Traceback" not in text
        return Run(status, text)

    return run


def writes(hub: LoopbackHub) -> list[str]:
    return [
        request.path.rpartition("/")[0].rpartition("/")[2]
        for kind in ("/create", "/commit/.*", "/tag/.*")
        for request in hub.requests("POST", kind)
    ]


@pytest.fixture
def gallery(tmp_path: Path) -> Path:
    """A Space without a metric."""
    gallery = tmp_path / "spaces" / "gallery"
    gallery.mkdir(parents=True)
    card = made_up.CARD.replace("tags:\n  - evaluate\n  - metric\n", "")
    (gallery / "README.md").write_text(card, encoding="utf-8")
    (gallery / "app.py").write_text("print(1)\n", encoding="utf-8")
    (gallery / "space_ui").mkdir()
    (gallery / "space_ui" / "__init__.py").write_text('"""The page."""\n', encoding="utf-8")
    return gallery
