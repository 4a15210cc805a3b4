"""Fixtures for the tests of Spaces: running Spaces, and a browser."""

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.integration.browser_page import CHROMIUM
from tests.integration.browser_page import FLAGS
from tests.integration.browser_page import NewPage
from tests.integration.browser_page import is_here
from tests.integration.space_server import Server
from tests.integration.space_server import serve


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Start the Space of a metric, or the gallery, when it is first requested."""
    running: dict[str, Server] = {}
    with ExitStack() as stack:

        def get(name: str) -> Server:
            if name not in running:
                directory = ROOT / ("spaces/gallery" if name == "gallery" else f"metrics/{name}")
                more = {"METRICS": str(ROOT / "metrics")} if name == "gallery" else {}
                running[name] = stack.enter_context(serve(directory, tmp_path_factory.mktemp(name), **more))
            return running[name]

        yield get


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, servers: Callable[[str], Server]) -> Iterator[NewPage]:
    """Open the page of a metric; at the end, fail if there were errors or requests to other hosts."""
    contexts, wrong = [], []

    def note(said: Any) -> None:
        # The browser reports every 422 response as an error, although rejected input is expected here.
        if said.type == "error" and "422" not in said.text:
            wrong.append(said.text)

    def open_page(
        name: str = "accuracy", width: int = 1280, scheme: str = "light", fragment: str = "", *, strict: bool = False
    ) -> Any:
        # Playwright uses `eval` to wait, which the page's policy forbids.
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True, bypass_csp=not strict
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", note)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        url = servers(name).url
        page.on("request", lambda asked: wrong.append(asked.url) if not is_here(asked.url, url) else None)
        page.goto(f"{url}/?__theme={scheme}{fragment}")
        page.wait_for_selector("[data-ready]", state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []
