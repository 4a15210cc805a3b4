"""A Space as its visitors meet it: in Chromium, at a desk and on a phone, by mouse and by keyboard."""

import csv
import io
import json
import re
import shutil
from collections.abc import Callable
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.space_server import Server
from tests.unit.test_space_form import each_metric

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("gradio")
CHROMIUM = shutil.which("chromium")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
KEY = "sk-visitor-abcdef0123456789"
# The contrast of every text with what is behind it, and whatever is below the least that WCAG AA asks for.
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")

NewPage = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, servers: Callable[[str], Server]) -> Iterator[NewPage]:
    """Open the page of a metric; at the end, nothing must have gone wrong or left the machine."""
    contexts, wrong = [], []

    def open_page(name: str = "accuracy", width: int = 1280, scheme: str = "light", fragment: str = "") -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        url = servers(name).url
        page.on("request", lambda asked: wrong.append(asked.url) if not is_here(asked.url, url) else None)
        page.goto(f"{url}/?__theme={scheme}{fragment}")
        page.wait_for_selector(".report")
        page.wait_for_selector(".grid tbody textarea")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def is_here(address: str, url: str) -> bool:
    return address.startswith((url, "data:", "blob:"))


def compute(page: Any) -> None:
    """Press the button, and wait for the new report."""
    page.evaluate("document.querySelector('.report').dataset.old = 'yes'")
    page.locator("#compute").click()
    page.wait_for_selector(".report:not([data-old])")


def score(page: Any) -> str:
    text: str = page.locator(".figure .exact").inner_text()
    return text


def rows_shown(page: Any) -> int:
    count: int = page.locator(".report tbody:visible").count()
    return count


def test_type_rows_and_compute(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Prediction, row 1").fill("Paris!")
    page.get_by_label("Reference, row 1").fill("paris")
    page.get_by_role("button", name="+ Add a row").click()
    page.get_by_label("Prediction, row 2").fill("Rome")
    page.get_by_label("Reference, row 2").fill("Oslo | Bergen")
    assert page.locator(".report.stale").count() == 1
    compute(page)
    assert score(page) == "0.5000"
    assert page.locator(".report.stale").count() == 0
    assert rows_shown(page) == 2
    assert "Equal once normalised" in page.locator(".report").inner_text()


def test_options_change_the_score(visit: NewPage) -> None:
    page = visit()
    page.locator("#option-fuzzy_match input").uncheck()
    page.wait_for_selector("#option-fuzzy_threshold", state="detached")
    compute(page)
    assert score(page) == "0.5000"


def test_upload_a_file_paste_cells_and_paste_a_table(visit: NewPage) -> None:
    page = visit()
    file = {"name": "answers.csv", "mimeType": "text/csv", "buffer": "Output,Gold\nété,été\n東京,東京\n".encode()}
    page.locator('.grid input[type="file"]').set_input_files(file)
    page.wait_for_function("document.querySelector('.grid .status').textContent.includes('from “Output”')")
    assert page.get_by_label("Prediction, row 2").input_value() == "東京"
    compute(page)
    assert score(page) == "1.0000"

    page.get_by_label("Prediction, row 2").evaluate(
        """(cell) => {
          const data = new DataTransfer();
          data.setData("text/plain", 'a\\tb\\n"c\\nd"\\te\\n');
          cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )
    assert page.get_by_label("Prediction, row 3").input_value() == "c\nd"
    assert page.get_by_label("Reference, row 3").input_value() == "e"
    assert page.get_by_label("Prediction, row 1").input_value() == "été"

    page.get_by_role("button", name="Paste a table").click()
    page.get_by_label("Rows to paste").fill('{"answer": "x", "targets": "y"}')
    page.get_by_role("button", name="Use these rows").click()
    page.wait_for_selector(".grid .status.failed")
    assert "No column for reference" in page.locator(".grid .status").inner_text()
    page.get_by_label("Rows to paste").fill('{"answer": "x", "target": ["y", "x"]}')
    page.get_by_role("button", name="Use these rows").click()
    page.wait_for_function("document.querySelector('.grid .status').textContent.startsWith('1 rows')")
    assert page.get_by_label("Reference, row 1").input_value() == "y | x"
    compute(page)
    assert score(page) == "1.0000"


def test_an_error_leaves_no_old_result(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Clear").click()
    compute(page)
    assert page.locator(".figure").count() == 0
    assert "There are no rows yet" in page.get_by_role("alert").inner_text()
    page.get_by_label("Prediction, row 1").fill("a")
    page.get_by_label("Reference, row 1").fill("a")
    compute(page)
    assert score(page) == "1.0000"


def test_filter_the_examples(visit: NewPage) -> None:
    page = visit()
    assert rows_shown(page) == 8
    page.get_by_role("button", name="Only misses").click()
    assert rows_shown(page) == 2
    assert page.locator(".shown").inner_text() == "2 of 8 examples"
    page.get_by_label("Filter the examples by text").fill("moscow")
    assert rows_shown(page) == 1
    page.get_by_label("Filter the examples by text").fill("nowhere")
    assert page.locator(".shown").inner_text() == "None of 8 examples"
    page.get_by_label("Filter the examples by text").fill("")
    page.get_by_role("button", name="Only misses").click()
    page.locator('.key[data-label="fuzzy"]').click()
    assert rows_shown(page) == 2


@each_metric
def test_examples_downloads_and_the_link(visit: NewPage, name: str) -> None:
    page = visit(name)
    with page.expect_download() as json_file:
        page.get_by_role("button", name="Download JSON").click()
    with page.expect_download() as csv_file:
        page.get_by_role("button", name="Download CSV").click()
    assert json_file.value.suggested_filename == f"{name}.json"
    saved = json.loads(Path(json_file.value.path()).read_text(encoding="utf-8"))
    table = list(csv.DictReader(io.StringIO(Path(csv_file.value.path()).read_text(encoding="utf-8"))))
    assert len(table) == len(next(iter(saved["inputs"].values()))) == rows_shown(page)

    page.get_by_role("button", name="Copy Python").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert f"result = {name}.compute(" in page.evaluate("navigator.clipboard.readText()")

    old = score(page)
    page.get_by_label("Example").first.click()
    page.get_by_role("option").nth(1).click()
    page.wait_for_function("document.querySelector('.grid .status').textContent")
    if name == "l3score":
        compute(page)
    else:
        page.wait_for_function(f"document.querySelector('.figure .exact').textContent !== '{old}'")
    second = score(page)
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    first = page.locator(".grid textarea").first.input_value()

    other = visit(name, fragment="#" + link.partition("#")[2]) if name != "l3score" else None
    if other:
        other.wait_for_function(f"document.querySelector('.figure .exact').textContent === '{second}'")
        assert other.locator(".grid textarea").first.input_value() == first
        assert other.locator(".grid .status").inner_text() == "From a link."


def test_a_damaged_link_is_said(visit: NewPage) -> None:
    page = visit(fragment="#rows=damaged")
    page.wait_for_selector('[role="alert"]')
    assert "The link is damaged" in page.get_by_role("alert").inner_text()
    compute(page)
    assert score(page) == "0.7500"


@each_metric
def test_a_phone_needs_no_scrolling_to_the_side(visit: NewPage, name: str) -> None:
    page = visit(name, width=390)
    for tab in ("Try it", "Python & API", "Metric card"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, tab


def test_keyboard_only(visit: NewPage) -> None:
    page = visit()
    page.get_by_label("Prediction, row 8").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Prediction, row 9"
    page.keyboard.type("Madrid")
    page.keyboard.press("Tab")
    page.keyboard.type("madrid")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.evaluate("document.querySelector('.report').dataset.old = 'yes'")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".report:not([data-old])")
    assert rows_shown(page) == 9
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.only')"):
            break
    page.keyboard.press("Space")
    assert rows_shown(page) == 2
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.id") == "compute":
            break
    page.evaluate("document.querySelector('.report').dataset.old = 'yes'")
    page.keyboard.press("Enter")
    page.wait_for_selector(".report:not([data-old])")


@each_metric
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_at_least_aa(visit: NewPage, name: str, width: int, scheme: str) -> None:
    page = visit(name, width=width, scheme=scheme)
    assert page.evaluate("document.body.classList.contains('dark')") is (scheme == "dark")
    page.get_by_role("button", name="More options").click()
    for tab in ("Try it", "Python & API"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(300)
        assert page.evaluate(CONTRAST) == []
    page.get_by_role("tab", name="Try it").click()
    page.get_by_role("button", name="Clear").click()
    compute(page)
    page.wait_for_timeout(500)  # what Gradio shows while it waits fades away
    assert page.evaluate(CONTRAST) == []


def test_colour_is_not_the_only_sign(visit: NewPage) -> None:
    page = visit()
    for body in page.locator(".report tbody").all():
        sign = {"hit": "✓", "near": "≈", "miss": "✗"}[body.get_attribute("class")]
        assert re.match(rf"{sign}\s*\w+", body.locator("th").inner_text())


def test_a_visitors_text_does_not_become_html(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Clear").click()
    nasty = "<img src=x onerror=\"document.title='broken'\">`${document.title='broken'}`{{1}}"
    page.get_by_label("Prediction, row 1").fill(nasty)
    page.get_by_label("Reference, row 1").fill(f"{nasty} | x")
    compute(page)
    assert score(page) == "1.0000"
    assert page.locator(".report img, .grid img").count() == 0
    assert page.title() == "Accuracy"


def test_a_key_is_kept_nowhere(visit: NewPage, servers: Callable[[str], Server]) -> None:
    page = visit("l3score")
    assert page.locator("#key").count() == 0
    page.get_by_role("radio", name="openai").check()
    page.wait_for_selector("#key input")
    assert page.locator("#key input").get_attribute("type") == "password"
    page.locator("#key input").fill(KEY)
    compute(page)
    page.wait_for_function("document.querySelector('#key input').value === ''")
    answer = page.locator("#report").inner_text()
    assert "could be judged" in answer or "not be reached" in answer or "connect" in answer.lower(), answer
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])")
    assert KEY not in kept + page.content()
    place = servers("l3score").place
    for path in place.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


def test_nobodys_rows_are_kept(visit: NewPage, servers: Callable[[str], Server]) -> None:
    page = visit()
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Prediction, row 1").fill("a text that nobody else writes")
    page.get_by_label("Reference, row 1").fill("another")
    compute(page)
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    assert "else writes" not in kept
    for path in servers("accuracy").place.rglob("*"):
        if path.is_file():
            assert b"else writes" not in path.read_bytes(), path


def test_the_gallery_shows_disagreement(visit: NewPage) -> None:
    page = visit("gallery")
    everything = rows_shown(page)
    page.get_by_role("button", name="Only disagreements").click()
    assert 0 < rows_shown(page) < everything
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Prediction, row 1").fill("paris!")
    page.get_by_label("Reference, row 1").fill("Paris")
    compute(page)
    assert rows_shown(page) == 1
    report = page.locator(".report").inner_text()
    assert "1 of 1 answers are judged differently" in report
    assert "L3Score, mock judge is left out: no row has questions." in report


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_gallery_fits_and_can_be_read(visit: NewPage, width: int, scheme: str) -> None:
    page = visit("gallery", width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []
