"""What the tests of the Spaces share: Spaces that run."""

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.conftest import ROOT
from tests.integration.space_server import Server
from tests.integration.space_server import serve


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Start the Space of a metric, or the gallery, when it is first asked for."""
    running: dict[str, Server] = {}
    with ExitStack() as stack:

        def get(name: str) -> Server:
            if name not in running:
                directory = ROOT / ("spaces/gallery" if name == "gallery" else f"metrics/{name}")
                more = {"METRICS": str(ROOT / "metrics")} if name == "gallery" else {}
                running[name] = stack.enter_context(serve(directory, tmp_path_factory.mktemp(name), **more))
            return running[name]

        yield get
