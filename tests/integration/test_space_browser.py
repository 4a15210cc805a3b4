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
from tests.unit.test_space_form import METRICS
from tests.unit.test_space_form import each_metric

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python")
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
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TABS = {"try": "Try it", "api": "Python & API", "card": "Metric card"}

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

    def note(said: Any) -> None:
        # The browser itself reports every 422, with which the server says what is wrong.
        if said.type == "error" and "422" not in said.text:
            wrong.append(said.text)

    def open_page(
        name: str = "accuracy", width: int = 1280, scheme: str = "light", fragment: str = "", *, strict: bool = False
    ) -> Any:
        # Playwright waits by `eval`, which the page's policy forbids.
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


def is_here(address: str, url: str) -> bool:
    return address.startswith((url, "data:", "blob:"))


def compute(page: Any) -> None:
    """Press the button, and wait for the new report."""
    page.evaluate("document.querySelector('.report')?.setAttribute('data-old', '')")
    page.locator("#compute").click()
    page.wait_for_selector(".report:not([data-old])")


def score(page: Any) -> str:
    text: str = page.locator(".figure .exact").inner_text()
    return text


def wait_for_score(page: Any, text: str) -> None:
    page.wait_for_function(f"document.querySelector('.figure .exact')?.textContent === '{text}'")


def wait_for_status(page: Any, text: str) -> None:
    page.wait_for_function(f"document.querySelector('#status').textContent.includes({json.dumps(text)})")


def rows_shown(page: Any) -> int:
    count: int = page.locator(".report tbody:visible").count()
    return count


def fill(page: Any, *rows: tuple[str, str]) -> None:
    page.get_by_role("button", name="Clear").click()
    for number, (prediction, reference) in enumerate(rows, start=1):
        if number > 1:
            page.get_by_role("button", name="+ Add row").click()
        page.get_by_label(f"Prediction, row {number}", exact=True).fill(prediction)
        page.get_by_label(f"Reference, row {number}", exact=True).fill(reference)


def upload(page: Any, name: str, content: bytes) -> None:
    page.locator("#file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})


def is_stale(page: Any) -> bool:
    page.wait_for_timeout(300)
    count: int = page.locator(".report.stale").count()
    return bool(count)


def violations(page: Any) -> list[str]:
    """Run axe-core on what is on the page."""
    page.evaluate(AXE)
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]


def stops_to_compute(page: Any) -> int:
    """Count how often Tab and Enter have to be pressed, from the top of the page, to stand on Compute."""
    page.evaluate("document.activeElement.blur()")
    for presses in range(1, 40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.skip')"):
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.id") == "compute":
            return presses
    return 40


# ---- computing


def test_type_rows_and_compute(visit: NewPage) -> None:
    page = visit()
    page.locator("#option-fuzzy_match").uncheck()
    fill(page, ("Paris!", "paris"), ("Rome", "Oslo | Bergen"))
    assert is_stale(page)
    compute(page)
    assert score(page) == "0.5000"
    assert not is_stale(page)
    assert rows_shown(page) == 2
    assert "Equal after normalization" in page.locator(".report").inner_text()


def test_page_works_under_its_own_policy(visit: NewPage) -> None:
    page = visit(strict=True)
    fill(page, ("Paris!", "paris"))
    page.locator("#compute").click()
    page.locator(".figure .exact", has_text="1.0000").wait_for()
    page.get_by_role("button", name="Open example 1").click()
    with page.expect_download():
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Download PNG").click()


def test_options_change_the_score(visit: NewPage) -> None:
    page = visit()
    page.locator("#option-fuzzy_match").uncheck()
    assert page.locator("#option-fuzzy_threshold").is_hidden()
    compute(page)
    assert score(page) == "0.5000"


def test_example_menu_left_untouched_changes_nothing(visit: NewPage) -> None:
    page = visit()
    page.get_by_label("Prediction, row 1", exact=True).fill("mine")
    for keys in (["Tab"], ["Escape"], ["Alt+ArrowDown", "Escape"]):
        page.locator("#example").focus()
        for key in keys:
            page.keyboard.press(key)
        page.locator("h1").click()
    page.wait_for_timeout(300)
    assert page.get_by_label("Prediction, row 1", exact=True).input_value() == "mine"


def test_example_replaces_rows_and_can_be_undone(visit: NewPage) -> None:
    page = visit()
    page.get_by_label("Prediction, row 1", exact=True).fill("mine")
    page.locator("#example").select_option(index=2)
    page.wait_for_function("document.querySelector('#rows textarea').value !== 'mine'")
    page.get_by_role("button", name="Undo").click()
    assert page.get_by_label("Prediction, row 1", exact=True).input_value() == "mine"
    assert is_stale(page)


@pytest.mark.parametrize("name", [*METRICS, "gallery"])
def test_every_example_of_every_page_is_computed(visit: NewPage, name: str) -> None:
    page = visit(name)
    for index in range(1, page.locator("#example option").count()):
        page.evaluate("document.querySelector('.report')?.setAttribute('data-old', '')")
        page.locator("#example").select_option(index=index)
        if name == "l3score":
            page.locator("#compute").click()
        page.wait_for_selector(".report:not([data-old])")
        assert page.locator(".report.failed").count() == 0, page.locator(".report").inner_text()
        assert rows_shown(page) > 0
        assert not is_stale(page)


def test_result_is_outdated_after_every_kind_of_change(visit: NewPage) -> None:
    page = visit()
    first = page.get_by_label("Prediction, row 1", exact=True)
    before = first.input_value()
    first.fill("changed")
    assert is_stale(page)
    first.fill(before)
    assert not is_stale(page), "equal to what was scored"
    paste = """(cell) => {
      const data = new DataTransfer();
      data.setData("text/plain", "a\\tb\\nc\\td");
      cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }"""
    changes: list[Callable[[], Any]] = [
        lambda: page.get_by_role("button", name="Delete row 2").click(),
        lambda: page.get_by_label("Prediction, row 3").evaluate(paste),
        lambda: page.get_by_role("button", name="Clear").click(),
        lambda: page.locator("#option-case_sensitive").evaluate("(box) => box.click()"),
    ]
    for change in changes:
        compute(page) if page.locator(".report.failed").count() == 0 else None
        change()
        assert is_stale(page)
        page.reload()
        page.wait_for_selector("[data-ready]", state="attached")
        page.locator("#example").select_option(index=1)
        page.wait_for_function("!document.querySelector('.report.stale')")
        wait_for_score(page, "0.7500")


def test_error_replaces_an_old_result(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Clear").click()
    compute(page)
    assert page.locator(".figure").count() == 0
    assert "Couldn’t compute" in page.locator(".report.failed").inner_text()
    assert "There are no rows yet" in page.locator("#live").inner_text()
    fill(page, ("a", "a"))
    compute(page)
    assert score(page) == "1.0000"
    assert "accuracy 100.0%. 1 of 1 answers match." in page.locator("#live").inner_text()


def test_compute_waits_for_a_file_that_is_being_read(visit: NewPage) -> None:
    page = visit()
    page.route("**/space/read*", lambda route: (page.wait_for_timeout(800), route.continue_()))
    upload(page, "a.csv", b"prediction,reference\na,a\nb,b\nc,x\n")
    page.locator("#compute").click()
    wait_for_score(page, "0.6667")
    page.wait_for_timeout(500)
    assert rows_shown(page) == 3


# ---- files


def test_upload_paste_and_choose_columns(visit: NewPage) -> None:
    page = visit()
    upload(page, "answers.csv", "Output,Gold\nété,été\n東京,東京\n".encode())
    wait_for_status(page, "from “Output”")
    assert page.get_by_label("Prediction, row 2").input_value() == "東京"
    wait_for_score(page, "1.0000")

    page.get_by_role("button", name="Paste table").click()
    page.get_by_label("Rows to paste").fill('{"x": "a", "y": "b"}')
    page.get_by_role("button", name="Use these rows").click()
    wait_for_status(page, "No column for prediction")
    page.get_by_label("Column for Prediction").select_option("x")
    page.get_by_label("Column for Reference").select_option("y")
    page.get_by_role("button", name="Use these columns").click()
    wait_for_score(page, "0.0000")
    assert page.get_by_label("Reference, row 1").input_value() == "b"

    page.get_by_label("Prediction, row 1").evaluate(
        """(cell) => {
          const data = new DataTransfer();
          data.setData("text/plain", 'a\\tb\\n"c\\nd"\\te\\n');
          cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )
    wait_for_status(page, "No column names in the first line")
    assert page.get_by_label("Prediction, row 2").input_value() == "c\nd"


def test_file_dropped_anywhere_is_read(visit: NewPage) -> None:
    page = visit()
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(['{"prediction": "x", "reference": ["y", "x"]}'], "a.jsonl"));
          document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }"""
    )
    wait_for_score(page, "1.0000")
    assert page.get_by_label("Reference, row 1").input_value() == "y | x"


def test_twenty_thousand_rows_are_scored_and_paged(visit: NewPage) -> None:
    page = visit()
    page.set_default_timeout(60_000)
    lines = "".join(f"answer {index},answer {index if index % 4 else 'x'}\n" for index in range(20_000))
    upload(page, "large.csv", b"prediction,reference\n" + lines.encode())
    wait_for_status(page, "20,000 rows.")
    page.wait_for_function("document.querySelector('.report .shown') && /Page 1 of 400/.test(document.body.innerText)")
    assert page.locator(".grid tbody tr").count() == 50
    assert rows_shown(page) == 50
    page.locator(".report .pager").get_by_role("button", name="Next").click()
    assert "51" in page.locator(".report tbody .place").first.inner_text()
    page.get_by_label("Filter the examples by text").fill("answer 19999")
    assert rows_shown(page) == 1


# ---- the report


def test_filter_and_sort_the_examples(visit: NewPage) -> None:
    page = visit()
    assert rows_shown(page) == 8
    page.get_by_role("button", name="Show misses only").click()
    assert rows_shown(page) == 2
    assert page.locator(".shown").inner_text() == "2 of 8 examples"
    page.get_by_label("Filter the examples by text").fill("moscow")
    assert rows_shown(page) == 1
    page.get_by_label("Filter the examples by text").fill("nowhere")
    assert page.locator(".shown").inner_text() == "None of 8 examples"
    page.get_by_label("Filter the examples by text").fill("")
    page.get_by_role("button", name="Show misses only").click()
    page.locator('.key[data-label="fuzzy"]').click()
    assert rows_shown(page) == 2
    page.locator('.key[data-label="fuzzy"]').click()
    page.get_by_label("Order of the examples").select_option("lowest")
    assert page.locator(".report tbody").first.get_attribute("class") == "miss"


def test_drawer_shows_the_whole_row_and_closes_by_escape(visit: NewPage) -> None:
    page = visit()
    fill(page, ("It is " + "very " * 300 + "long: Paris", "Paris"))
    page.get_by_role("radio", name="contains").check()
    compute(page)
    page.get_by_role("button", name="Open example 1").click()
    drawer = page.get_by_role("dialog")
    assert drawer.inner_text().count("very") >= 300
    assert drawer.locator(".full mark").inner_text() == "Paris"
    page.keyboard.press("Escape")
    assert drawer.is_hidden()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Open example 1"


def test_view_edits_and_tab_survive_a_reload(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Show misses only").click()
    page.get_by_label("Prediction, row 1", exact=True).fill("my edit")
    page.wait_for_timeout(400)
    page.reload()
    page.wait_for_selector("[data-ready]", state="attached")
    assert page.get_by_label("Prediction, row 1", exact=True).input_value() == "my edit"
    compute(page)
    assert page.get_by_role("button", name="Show misses only").get_attribute("aria-pressed") == "true"
    page.get_by_role("tab", name="Metric card").click()
    page.reload()
    page.wait_for_selector("#panel-card:not([hidden])")
    other = visit(fragment="#tab=api")
    assert other.locator("#panel-api").is_visible()


@each_metric
def test_downloads_and_link(visit: NewPage, name: str) -> None:
    page = visit(name)

    def download(label: str) -> tuple[str, bytes]:
        with page.expect_download() as file:
            page.get_by_role("button", name=f"Download {label}", exact=True).click()
        return file.value.suggested_filename, Path(file.value.path()).read_bytes()

    file_name, content = download("JSON")
    assert file_name == f"{name}.json"
    saved = json.loads(content)
    _, content = download("CSV")
    assert content.startswith(b"\xef\xbb\xbf"), "Excel needs the mark to read accents"
    table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert len(table) == len(next(iter(saved["inputs"].values()))) == rows_shown(page)
    assert download("SVG")[1].startswith(b"<svg")
    assert download("PNG")[1].startswith(b"\x89PNG")
    _, html = download("HTML report")
    assert b"<script" not in html
    assert b"https://" not in html.replace(b"http://www.w3.org", b"")

    page.get_by_role("button", name="Copy Python").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert f"result = {name}.compute(" in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Copy as LaTeX").click()
    page.get_by_role("button", name="Copied").first.wait_for()
    assert r"\\" in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('#rows='))")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit(name, fragment="#" + link.partition("#")[2])
    wait_for_status(other, "Loaded from a shared link.")
    if name == "l3score":
        assert other.locator(".report").count() == 0, "a link starts no call that may cost something"
    else:
        wait_for_score(other, score(page))


def test_html_report_opens_without_the_space(visit: NewPage, browser: Any, tmp_path: Path) -> None:
    page = visit()
    with page.expect_download() as file:
        page.get_by_role("button", name="Download HTML report").click()
    file.value.save_as(tmp_path / "report.html")
    report = browser.new_page(viewport={"width": 1000, "height": 900})
    report.goto(f"file://{tmp_path}/report.html")
    assert report.locator(".figure strong").inner_text() == "75%"
    assert report.locator("tbody").count() == 8
    assert violations(report) == []
    report.close()


def test_damaged_link_is_reported(visit: NewPage) -> None:
    page = visit(fragment="#rows=damaged")
    page.wait_for_selector(".report.failed")
    assert "The link is damaged" in page.locator(".report.failed").inner_text()
    compute(page)
    assert score(page) == "0.7500"


def test_print_shows_the_report_alone(visit: NewPage) -> None:
    page = visit()
    page.emulate_media(media="print")
    assert page.locator(".report").is_visible()
    for selector in (".ask", ".tabs", ".export", ".filters"):
        assert page.locator(selector).first.is_hidden()


def test_right_to_left_texts_run_right_to_left(visit: NewPage) -> None:
    page = visit()
    fill(page, ("القاهرة", "القاهرة"))
    compute(page)
    for selector in ("#rows textarea", ".report tbody td"):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).direction") == "rtl"


def test_gallery_shows_disagreement(visit: NewPage) -> None:
    page = visit("gallery")
    everything = rows_shown(page)
    page.get_by_role("button", name="Show disagreements only").click()
    assert 0 < rows_shown(page) < everything
    page.get_by_role("button", name="Show disagreements only").click()
    fill(page, ("paris!", "Paris"))
    compute(page)
    assert rows_shown(page) == 1
    report = page.locator(".report").inner_text()
    assert "Metrics disagree on 1 of 1 answers." in report
    assert "L3Score, demo judge is left out: no row has questions." in report


# ---- everybody can use it


@pytest.mark.parametrize("name", ["accuracy", "precision_recall_f1", "l3score", "gallery"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_overflows(visit: NewPage, name: str, width: int, scheme: str) -> None:
    page = visit(name, width=width, scheme=scheme)
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for tab, title in TABS.items():
        if page.get_by_role("tab", name=title).count() == 0:
            continue
        page.get_by_role("tab", name=title).click()
        page.wait_for_timeout(100)
        assert violations(page) == [], tab
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tab
    page.get_by_role("tab", name="Try it").click()
    page.get_by_role("button", name="Paste table").click()
    page.get_by_role("button", name="Open example 1", exact=True).click()
    assert violations(page) == [], "drawer"
    page.keyboard.press("Escape")
    page.get_by_label("Prediction, row 1", exact=True).or_(
        page.get_by_label("Retrieved, row 1", exact=True)
    ).first.fill("x")
    assert is_stale(page)
    assert violations(page) == [], "outdated"
    page.get_by_role("button", name="Clear").click()
    compute(page)
    assert violations(page) == [], "error"


@pytest.mark.parametrize("name", ["accuracy", "l3score", "gallery"])
def test_keyboard_reaches_compute_in_ten_stops(visit: NewPage, name: str) -> None:
    page = visit(name)
    assert stops_to_compute(page) <= 10
    page.evaluate("document.querySelector('.report')?.setAttribute('data-old', '')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".report:not([data-old])")


def test_keyboard_only(visit: NewPage) -> None:
    page = visit()
    page.get_by_label("Prediction, row 8").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Prediction, row 9"
    page.keyboard.type("Madrid")
    page.keyboard.press("Tab")
    page.keyboard.type("madrid")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.evaluate("document.querySelector('.report').setAttribute('data-old', '')")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".report:not([data-old])")
    assert rows_shown(page) == 9
    page.get_by_role("tab", name="Try it").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#panel-api").is_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_compute_stays_in_sight(visit: NewPage, width: int) -> None:
    page = visit(width=width)
    box = page.locator("#compute").bounding_box()
    assert box["y"] + box["height"] <= 900
    page.mouse.wheel(0, 900)
    page.wait_for_timeout(300)
    box = page.locator("#compute").bounding_box()
    assert 0 <= box["y"] <= 900 - box["height"]


def test_color_is_not_the_only_sign(visit: NewPage) -> None:
    page = visit()
    for body in page.locator(".report tbody").all():
        sign = {"hit": "✓", "near": "≈", "miss": "✗"}[body.get_attribute("class")]
        assert re.match(rf"{sign}\s*\w+", body.locator("th").inner_text())


# ---- nobody's texts get anywhere


def test_visitors_text_does_not_become_html(visit: NewPage) -> None:
    page = visit()
    nasty = "<img src=x onerror=\"document.title='broken'\">`${document.title='broken'}`{{1}}"
    fill(page, (nasty, f"{nasty} | x"))
    compute(page)
    assert score(page) == "1.0000"
    page.get_by_role("button", name="Open example 1").click()
    assert page.locator(".report img, .grid img, dialog img").count() == 0
    assert page.title() == "Accuracy"


def test_key_is_stored_nowhere(visit: NewPage, servers: Callable[[str], Server]) -> None:
    page = visit("l3score")
    assert page.locator("#key-field").is_hidden()
    page.get_by_role("radio", name="openai").check()
    page.locator("#key-field").fill(KEY)
    compute(page)
    answer = page.locator("#report").inner_text()
    assert "could be judged" in answer or "reach" in answer or "connect" in answer.lower(), answer
    kept = page.evaluate(
        "JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state])"
    )
    assert KEY not in kept + page.content()
    assert page.locator("#key-field").input_value() == KEY, "it stays in the page until it is reloaded"
    page.reload()
    page.wait_for_selector("[data-ready]", state="attached")
    assert page.locator("#key-field").input_value() == ""
    place = servers("l3score").place
    for path in place.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


def test_rows_are_stored_in_the_browser_only(visit: NewPage, servers: Callable[[str], Server]) -> None:
    page = visit()
    fill(page, ("a text that nobody else writes", "another"))
    compute(page)
    page.wait_for_timeout(300)
    assert "else writes" not in page.evaluate("JSON.stringify([localStorage, document.cookie, location.href])")
    assert "else writes" in page.evaluate("JSON.stringify(sessionStorage)"), "so that a reload keeps them"
    for path in servers("accuracy").place.rglob("*"):
        if path.is_file():
            assert b"else writes" not in path.read_bytes(), path


def test_two_systems_are_compared(visit: NewPage) -> None:
    page = visit()
    upload(page, "ab.csv", b"prediction,prediction_b,reference\na,a,a\nb,x,b\nx,c,c\nd,x,d\n")
    wait_for_status(page, "from \u201cprediction\u201d")
    page.get_by_label("Compare two systems").check()
    assert page.locator("#rows thead th").nth(2).inner_text() == "Prediction B"
    upload(page, "ab.csv", b"prediction,prediction_b,reference\na,a,a\nb,x,b\nx,c,c\nd,x,d\n")
    page.wait_for_selector(".report .chip")
    report = page.locator(".report")
    assert "B is 25.0 points worse than A" in report.inner_text()
    assert "regressed" in page.locator(".report tbody th").first.inner_text()
    page.get_by_role("button", name="Show changes only").click()
    assert rows_shown(page) == 3
    assert violations(page) == []
    page.get_by_label("Compare two systems").uncheck()
    assert is_stale(page)
    compute(page)
    assert score(page) == "0.7500"


def test_optional_column_is_shown_once_it_is_needed(visit: NewPage) -> None:
    page = visit()
    assert page.locator("#rows thead th").count() == 4
    page.get_by_role("button", name="Add the column Question").click()
    page.get_by_label("Question, row 1").fill("Where?")
    assert page.locator("#rows thead th").count() == 5
    compute(page)
    assert "Question" in page.locator(".report thead").inner_text()
    upload(page, "a.csv", b"prediction,reference,question\na,a,b?\n")
    wait_for_status(page, "question from")
    assert page.get_by_label("Question, row 1").input_value() == "b?"
