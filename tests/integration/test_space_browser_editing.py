"""What a visitor does not expect to lose: focus, rows, a shared link; and examples of two systems."""

from typing import Any

import pytest

from tests.integration.browser_page import CHROMIUM
from tests.integration.browser_page import NewPage
from tests.integration.browser_page import compute
from tests.integration.browser_page import fill
from tests.integration.browser_page import hold_requests
from tests.integration.browser_page import rows_shown
from tests.integration.browser_page import score
from tests.integration.browser_page import upload
from tests.integration.browser_page import wait_for_clipboard
from tests.integration.browser_page import wait_for_score
from tests.integration.browser_page import wait_for_status
from tests.integration.browser_page import wait_until_settled
from tests.unit.test_space_form import METRICS

pytest.importorskip("playwright.sync_api")
pytest.importorskip("gradio")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

PASTE = """(cell, text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
FULL_STORAGE = """() => {
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, text) {
    if (text.length > 500) throw new Error("full");
    set.call(this, key, text);
  };
}"""
DRAG = """([event, text, files]) => {
  const data = new DataTransfer();
  if (text) data.setData("text/plain", text);
  for (const [name, content] of files) data.items.add(new File([content], name));
  const drag = new DragEvent(event, { dataTransfer: data, bubbles: true, cancelable: true });
  document.querySelector("h1").dispatchEvent(drag);
  return drag.defaultPrevented;
}"""


def test_compute_keeps_the_focus_and_asks_once_when_pressed_twice(visit: NewPage) -> None:
    page = visit()
    held = hold_requests(page, "**/space/score")
    page.locator("#compute").focus()
    page.evaluate("document.querySelector('.report').setAttribute('data-old', '')")
    with page.expect_request("**/space/score"):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    page.locator("#compute", has_text="Computing").wait_for()
    held[0].continue_()
    page.wait_for_selector(".report:not([data-old])")
    page.locator("#compute[aria-disabled=false]").wait_for()
    assert len(held) == 1
    assert page.evaluate("document.activeElement.id") == "compute"


def test_deleted_and_pasted_over_rows_can_be_restored(visit: NewPage) -> None:
    page = visit()
    second = page.get_by_label("Prediction, row 2", exact=True)
    before = second.input_value()
    changes: list[Any] = [
        lambda: page.get_by_role("button", name="Delete row 2").click(),
        lambda: second.evaluate(PASTE, "x\ty\nz\tw"),
    ]
    for change in changes:
        change()
        assert second.input_value() != before
        page.get_by_role("button", name="Undo").click()
        assert second.input_value() == before
    fill(page, ("a", "a"))
    page.get_by_role("button", name="+ Add row").click()
    page.get_by_role("button", name="Delete row 2").click()
    wait_until_settled(page)
    assert "deleted" not in page.locator("#status").inner_text(), "an empty row is no loss"


def test_edits_of_a_shared_link_survive_a_reload(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Copy link").click()
    wait_for_clipboard(page, "#rows=")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit(fragment="#" + link.partition("#")[2])
    wait_for_status(other, "Loaded from a shared link.")
    wait_until_settled(other)
    other.reload()
    wait_for_status(other, "Loaded from a shared link.")
    first = other.get_by_label("Prediction, row 1", exact=True)
    first.fill("my edit")
    wait_until_settled(other)
    assert "rows=" not in other.url
    other.reload()
    wait_for_status(other, "Restored your previous rows.")
    assert first.input_value() == "my edit"


def test_rows_too_large_to_keep_are_mentioned_after_a_reload(visit: NewPage) -> None:
    page = visit()
    page.evaluate(FULL_STORAGE)
    upload(page, "a.csv", b"prediction,reference\n" + b"a,b\n" * 200)
    wait_for_status(page, "200 rows.")
    wait_until_settled(page)
    page.reload()
    wait_for_status(page, "too large to keep")


def test_escape_closes_the_source_of_rows(visit: NewPage) -> None:
    page = visit()
    for name, opener in (("Paste table", "paste"), ("Hub dataset", "hub")):
        page.get_by_role("button", name=name).click()
        page.locator("#source :is(textarea, input)").first.wait_for()
        page.keyboard.press("Escape")
        page.locator("#source").wait_for(state="hidden")
        assert page.evaluate("document.activeElement.id") == opener


def test_dragged_text_is_left_to_the_browser(visit: NewPage) -> None:
    page = visit()
    assert page.evaluate(DRAG, ["dragover", "text", []]) is False
    assert page.evaluate(DRAG, ["drop", "text", []]) is False
    assert page.evaluate("document.body.className") == ""
    assert page.evaluate(DRAG, ["dragover", "", [["a.csv", "x"]]]) is True


def test_two_dropped_files_are_two_systems(visit: NewPage) -> None:
    page = visit()
    files = [["a.csv", "id,prediction,reference\n1,a,a\n2,x,b\n"], ["b.csv", "id,prediction\n2,b\n1,a\n"]]
    page.evaluate(DRAG, ["drop", "", files])
    wait_for_status(page, "Matched with system A by ID.")
    page.wait_for_selector(".report .chip")
    assert page.get_by_label("Prediction B, row 2").input_value() == "b"
    page.evaluate(DRAG, ["drop", "", [*files, ["c.csv", "x"]]])
    wait_for_status(page, "Drop one file")


@pytest.mark.parametrize("name", METRICS)
def test_example_of_two_systems_is_compared(visit: NewPage, name: str) -> None:
    page = visit(name)
    titles = page.locator("#example option").all_inner_texts()
    page.locator("#example").select_option(index=next(i for i, title in enumerate(titles) if "compared" in title))
    page.wait_for_selector(".report .chip")
    assert page.get_by_label("Compare two systems").is_checked()
    assert page.locator(".report .sentence").inner_text().startswith("B is ")
    page.get_by_role("button", name="Open example 1", exact=True).click()
    page.get_by_role("dialog").get_by_text("A ").first.wait_for()
    if name != "l3score":
        headings = page.get_by_role("dialog").locator("h3").all_inner_texts()
        assert headings[-2:] == ["System A", "System B"]
    page.keyboard.press("Escape")
    page.locator("#example").select_option(index=1)
    page.locator("#second").wait_for(state="hidden")


def test_all_pages_of_the_table_are_printed(visit: NewPage) -> None:
    page = visit()
    lines = "".join(f"answer {index},answer {index}\n" for index in range(120))
    upload(page, "a.csv", f"prediction,reference\n{lines}".encode())
    wait_for_score(page, "1.0000")
    assert rows_shown(page) == 50
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert rows_shown(page) == 120
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert rows_shown(page) == 50


def test_counts_and_scores_look_different(visit: NewPage) -> None:
    page = visit()
    fill(page, ("a", "a"))
    compute(page)
    figures = dict(zip(*(page.locator(f".figures {tag}").all_inner_texts() for tag in ("dt", "dd")), strict=True))
    assert (figures["exact_accuracy"], figures["total"]) == ("1.0000", "1")


def test_choices_have_labels_and_code_has_their_values(visit: NewPage) -> None:
    page = visit()
    fill(page, ("So it is \\boxed{33}.", "33"))
    page.get_by_label("Extract the answer from the prediction").select_option(label="\\boxed{…}")
    compute(page)
    assert score(page) == "1.0000"
    page.get_by_role("button", name="Copy Python").click()
    wait_for_clipboard(page, "extract='boxed'")


def test_examples_are_paged_through_in_full_as_filtered_and_sorted(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Show misses only").click()
    page.get_by_label("Order of the examples").select_option("highest")
    numbers = page.locator(".report .place").evaluate_all("all => all.map((one) => parseInt(one.textContent))")
    assert len(numbers) == 3
    page.get_by_role("button", name=f"Open example {numbers[0]}", exact=True).click()
    drawer = page.get_by_role("dialog")
    back, forth = (drawer.get_by_role("button", name=f"{name} example") for name in ("Previous", "Next"))
    assert back.is_disabled()
    forth.click()
    drawer.get_by_text(f"Example {numbers[1]} ").wait_for()
    page.keyboard.press("ArrowRight")
    drawer.get_by_text(f"Example {numbers[2]} ").wait_for()
    assert forth.is_disabled()
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    drawer.get_by_text(f"Example {numbers[1]} ").wait_for()
    page.keyboard.press("Escape")
    drawer.wait_for(state="hidden")
