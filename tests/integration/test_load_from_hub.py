"""Every metric loads by its Hub name in a process with empty caches, and again offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration import made_up
from tests.integration.clean_process import METRICS
from tests.integration.clean_process import computed_locally
from tests.integration.clean_process import load_and_compute
from tests.loopback_hub import LoopbackHub


@pytest.mark.parametrize("directory", [None, *METRICS], ids=lambda path: path.name if path else made_up.NAME)
def test_loads_from_the_hub_then_offline(directory: Path | None, tmp_path: Path) -> None:
    directory = directory or made_up.write(tmp_path)
    name = f"org/{directory.name}"
    files = {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}
    home = tmp_path / "home"
    with LoopbackHub() as hub:
        hub.add(name, files)
        online = load_and_compute(name, home, HF_ENDPOINT=hub.url)
        loaded = {Path(request.path).name for request in hub.requests("GET", r"/resolve/main/.*")}
    # evaluate fetches only the script and the helpers that it names, like on a user's machine.
    assert f"{directory.name}.py" in loaded
    assert all(file.startswith("_") for file in loaded - {f"{directory.name}.py"})

    offline = load_and_compute(name, home, HF_ENDPOINT=hub.url, HF_EVALUATE_OFFLINE="1", HF_HUB_OFFLINE="1")
    assert online == offline == computed_locally(directory)
