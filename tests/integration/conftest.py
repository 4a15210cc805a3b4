"""Python in new processes, and fixtures for the tests of Spaces: running Spaces, and a browser."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from spaces.build import metric_directories, write
from tests.conftest import ROOT
from tests.integration.space_server import Server, serve

# All metrics, including ones added later.
METRICS = metric_directories()
SLOWEST = 90_000  # milliseconds: tests of heavy calls may take both cores for half a minute
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def run_python(*arguments: str, cwd: Path = ROOT, **variables: str) -> str:
    """Run Python in a new process and return what it prints; an error contains its output."""
    return _run(arguments, cwd, {**os.environ, **variables})


def run_clean(home: Path, *arguments: str, **variables: str) -> str:
    """Run Python with its caches in the directory `home`, and nothing else of this process."""
    home.mkdir(parents=True, exist_ok=True)
    inherited = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    quiet = {"HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    caches = {"HOME": str(home), "HF_HOME": str(home / "hf"), "PYTHONPATH": str(ROOT)}
    return _run(arguments, home, {**inherited, **quiet, **caches, **variables})


def _run(arguments: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Start the Space of a metric, or the gallery, when it is first requested."""
    running: dict[str, Server] = {}
    with ExitStack() as stack:

        def get(name: str) -> Server:
            if name not in running:
                directory = ROOT / ("spaces/gallery" if name == "gallery" else f"metrics/{name}")
                place = tmp_path_factory.mktemp("metrics")
                for metric in metric_directories() if name == "gallery" else ():
                    write(metric, place / metric.name)
                more = {"METRICS": str(place)} if name == "gallery" else {}
                running[name] = stack.enter_context(serve(directory, tmp_path_factory.mktemp(name), **more))
            return running[name]

        yield get


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=SLOWEST)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, servers: Callable[[str], Server]) -> Iterator[Callable[..., Any]]:
    """Open the page of a metric; at the end, fail if there were errors or requests to other hosts."""
    contexts, wrong = [], []

    def open_page(name: str = "accuracy", width: int = 1280, scheme: str = "light", fragment: str = "") -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SLOWEST)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        url = servers(name).url
        page.on(
            "request",
            lambda asked: wrong.append(asked.url) if urlsplit(asked.url).hostname not in {"127.0.0.1", None} else None,
        )
        page.goto(f"{url}/?__theme={scheme}{fragment}")
        page.wait_for_selector(".report, .failed")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []
