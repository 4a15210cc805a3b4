"""The page of a static Space and its contents for each metric, without a server or network."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spaces.plans import read_space
from spaces.static_page import Link
from spaces.worked_example import plain_text
from tests.conftest import ROOT
from tests.integration.browser_page import CHROMIUM
from tests.integration.browser_page import FLAGS
from tests.integration.browser_page import violations
from tests.unit.test_space_form import METRICS

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("axe_playwright_python")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

GALLERY = Link("Try it in the gallery", "https://huggingface.co/spaces/acme/gallery")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.mark.parametrize("name", METRICS)
def test_static_page_shows_a_result_and_the_code(browser: Any, name: str, tmp_path: Path) -> None:
    space = read_space(ROOT / "metrics" / name, "acme", "static", links=(GALLERY,))
    (tmp_path / "index.html").write_bytes(space.files["index.html"])
    for width, scheme in ((1280, "light"), (390, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        fetched: list[str] = []
        page.on("request", lambda request, fetched=fetched: fetched.append(request.url))
        page.goto((tmp_path / "index.html").as_uri())
        worked = page.get_by_role("region", name="Worked example")
        assert re.match(r"\d+\.\d%", worked.locator(".score strong").first.inner_text())
        assert worked.locator("tbody tr").count() > 1
        assert f'evaluate.load("acme/{name}")' in worked.locator("#code").inner_text()
        assert worked.get_by_role("link", name=GALLERY.label).get_attribute("href") == GALLERY.url
        assert fetched == [page.url], "it fetches nothing"
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        context.close()


def test_static_page_is_deterministic_and_shows_options() -> None:
    directory = ROOT / "metrics" / "ranked_retrieval"
    page = read_space(directory, "acme", "static").files["index.html"]
    assert page == read_space(directory, "acme", "static").files["index.html"]
    assert b"matching_strategy=" in page, "the options of the example are in its code"


def test_explanation_becomes_plain_text() -> None:
    spans = [("odds", 0.5), ("text", "Found: "), ("inside", "a ", "b", " c"), ("soft", "nearest")]
    assert plain_text(spans) == "Found: a b c · nearest"
    assert (
        plain_text([("pair", "x", "y", "≠", "is not equal to"), ("soft", "similarity 0.1")]) == "x ≠ y · similarity 0.1"
    )
