"""Input and output of a page: files and tables, the report, downloads, links and prints."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.browser_page import CHROMIUM
from tests.integration.browser_page import NewPage
from tests.integration.browser_page import compute
from tests.integration.browser_page import fill
from tests.integration.browser_page import rows_shown
from tests.integration.browser_page import score
from tests.integration.browser_page import upload
from tests.integration.browser_page import violations
from tests.integration.browser_page import wait_for_clipboard
from tests.integration.browser_page import wait_for_score
from tests.integration.browser_page import wait_for_status
from tests.integration.browser_page import wait_until_settled
from tests.unit.test_space_form import each_metric

pytest.importorskip("playwright.sync_api")
pytest.importorskip("axe_playwright_python")
pytest.importorskip("gradio")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

# ---- files


def test_uploaded_and_pasted_columns_can_be_mapped(visit: NewPage) -> None:
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


def test_file_description_omits_systems_without_a_comparison(visit: NewPage) -> None:
    page = visit()
    upload(page, "answers.csv", b"prediction,reference\na,a\n")
    wait_for_status(page, "Read prediction from \u201cprediction\u201d, reference from")


def test_column_mapping_is_cleared_with_its_file(visit: NewPage) -> None:
    page = visit()
    picker = page.get_by_label("Column for Prediction")
    for leave in (
        lambda: upload(page, "broken.jsonl", b"{oops\n"),
        lambda: page.get_by_role("button", name="Clear").click(),
        lambda: page.locator("#example").select_option(index=1),
    ):
        upload(page, "answers.csv", b"prediction,reference\na,a\n")
        picker.wait_for()
        leave()
        picker.wait_for(state="detached")


def test_file_error_disappears_on_the_next_change(visit: NewPage) -> None:
    page = visit()
    upload(page, "empty.csv", b"")
    wait_for_status(page, "The file is empty.")
    page.get_by_label("Prediction, row 1").fill("something else")
    page.wait_for_function("document.querySelector('#status').textContent === ''")


def test_file_dropped_anywhere_on_the_page_is_read(visit: NewPage) -> None:
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


def test_twenty_thousand_rows_are_scored_and_paginated(visit: NewPage) -> None:
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


def test_examples_can_be_filtered_and_sorted(visit: NewPage) -> None:
    page = visit()
    assert rows_shown(page) == 8
    page.get_by_role("button", name="Show misses only").click()
    assert rows_shown(page) == 3
    assert page.locator(".shown").inner_text() == "3 of 8 examples"
    page.get_by_label("Filter the examples by text").fill("moscow")
    assert rows_shown(page) == 1
    page.get_by_label("Filter the examples by text").fill("nowhere")
    assert page.locator(".shown").inner_text() == "None of 8 examples"
    page.get_by_label("Filter the examples by text").fill("")
    page.get_by_role("button", name="Show misses only").click()
    page.locator('.key[data-label="fuzzy"]').click()
    assert rows_shown(page) == 1
    page.locator('.key[data-label="fuzzy"]').click()
    page.get_by_label("Order of the examples").select_option("lowest")
    assert page.locator(".report tbody").first.get_attribute("class") == "miss"


def test_drawer_shows_the_whole_row_and_closes_on_escape(visit: NewPage) -> None:
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
    wait_until_settled(page)
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
def test_downloads_and_link_reproduce_the_result(visit: NewPage, name: str) -> None:
    page = visit(name)

    def download(label: str) -> tuple[str, bytes]:
        with page.expect_download() as file:
            page.get_by_role("button", name=f"Download {label}", exact=True).click()
        return file.value.suggested_filename, Path(file.value.path()).read_bytes()

    file_name, content = download("JSON")
    assert file_name == f"{name}.json"
    saved = json.loads(content)
    _, content = download("CSV")
    assert content.startswith(b"\xef\xbb\xbf"), "Excel needs the byte order mark to read accents"
    table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert len(table) == len(next(iter(saved["inputs"].values()))) == rows_shown(page)
    assert download("SVG")[1].startswith(b"<svg")
    assert download("PNG")[1].startswith(b"\x89PNG")
    _, html = download("HTML report")
    assert b"<script" not in html
    assert b"https://" not in html.replace(b"http://www.w3.org", b"")

    page.get_by_role("button", name="Copy Python").click()
    wait_for_clipboard(page, f"result = {name}.compute(")
    assert page.get_by_role("button", name="Copied").count() == 1
    page.get_by_role("button", name="Copy as LaTeX").click()
    wait_for_clipboard(page, r" \\")
    page.get_by_role("button", name="Copy link").click()
    wait_for_clipboard(page, "#rows=")
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
    assert report.locator(".figure strong").inner_text() == "62.5%"
    assert report.locator("tbody").count() == 8
    assert violations(report) == []
    report.close()


def test_damaged_link_is_reported(visit: NewPage) -> None:
    page = visit(fragment="#rows=damaged")
    page.wait_for_selector(".report.failed")
    assert "The link is damaged" in page.locator(".report.failed").inner_text()
    compute(page)
    assert score(page) == "0.6250"


def test_printed_page_contains_only_the_report(visit: NewPage) -> None:
    page = visit(scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".report").is_visible()
    for selector in (".ask", ".tabs", ".export", ".filters"):
        assert page.locator(selector).first.is_hidden()


def test_right_to_left_text_is_displayed_right_to_left(visit: NewPage) -> None:
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
