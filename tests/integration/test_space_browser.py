"""The page of a Space in Chromium, at desktop and phone widths, with mouse and keyboard."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.integration.browser_page import CHROMIUM
from tests.integration.browser_page import NewPage
from tests.integration.browser_page import compute
from tests.integration.browser_page import fill
from tests.integration.browser_page import hold_requests
from tests.integration.browser_page import rows_shown
from tests.integration.browser_page import score
from tests.integration.browser_page import stops_to_compute
from tests.integration.browser_page import upload
from tests.integration.browser_page import violations
from tests.integration.browser_page import wait_for_announcement
from tests.integration.browser_page import wait_for_score
from tests.integration.browser_page import wait_for_status
from tests.integration.browser_page import wait_until_current
from tests.integration.browser_page import wait_until_outdated
from tests.integration.browser_page import wait_until_settled
from tests.integration.space_server import Server
from tests.unit.test_space_form import METRICS

pytest.importorskip("playwright.sync_api")
pytest.importorskip("axe_playwright_python")
pytest.importorskip("gradio")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

KEY = "sk-visitor-abcdef0123456789"
TABS = {"try": "Try it", "api": "Python & API", "card": "Metric card"}


# ---- computing


def test_typed_rows_are_scored(visit: NewPage) -> None:
    page = visit()
    page.locator("#option-fuzzy_match").uncheck()
    fill(page, ("Paris!", "paris"), ("Rome", "Oslo | Bergen"))
    wait_until_outdated(page)
    compute(page)
    assert score(page) == "0.5000"
    wait_until_current(page)
    assert rows_shown(page) == 2
    assert "Equal after normalization" in page.locator(".report").inner_text()


def test_page_works_under_its_content_security_policy(visit: NewPage) -> None:
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


def test_leaving_the_example_menu_without_a_choice_keeps_the_rows(visit: NewPage) -> None:
    page = visit()
    page.get_by_label("Prediction, row 1", exact=True).fill("mine")
    for keys in (["Tab"], ["Escape"], ["Alt+ArrowDown", "Escape"]):
        page.locator("#example").focus()
        for key in keys:
            page.keyboard.press(key)
        page.locator("h1").click()
    wait_until_settled(page)
    assert page.get_by_label("Prediction, row 1", exact=True).input_value() == "mine"


def test_example_replaces_rows_and_can_be_undone(visit: NewPage) -> None:
    page = visit()
    page.get_by_label("Prediction, row 1", exact=True).fill("mine")
    page.locator("#example").select_option(index=2)
    page.wait_for_function("document.querySelector('#rows textarea').value !== 'mine'")
    page.get_by_role("button", name="Undo").click()
    assert page.get_by_label("Prediction, row 1", exact=True).input_value() == "mine"
    wait_until_outdated(page)


@pytest.mark.parametrize("name", [*METRICS, "gallery"])
def test_every_example_on_every_page_is_scored(visit: NewPage, name: str) -> None:
    page = visit(name)
    for index in range(1, page.locator("#example option").count()):
        page.evaluate("document.querySelector('.report')?.setAttribute('data-old', '')")
        page.locator("#example").select_option(index=index)
        if name == "l3score" and index > 1:  # the first one is already recorded
            page.locator("#compute").click()
        page.wait_for_selector(".report:not([data-old])")
        assert page.locator(".report.failed").count() == 0, page.locator(".report").inner_text()
        assert rows_shown(page) > 0
        wait_until_current(page)


def test_every_change_marks_the_result_as_outdated(visit: NewPage) -> None:
    page = visit()
    first = page.get_by_label("Prediction, row 1", exact=True)
    before = first.input_value()
    first.fill("changed")
    wait_until_outdated(page)
    first.fill(before)
    wait_until_current(page)  # equal to what was scored
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
        wait_until_outdated(page)
        page.reload()
        page.wait_for_selector("[data-ready]", state="attached")
        page.locator("#example").select_option(index=1)
        page.wait_for_function("!document.querySelector('.report.stale')")
        wait_for_score(page, "0.6250")


def test_error_replaces_an_old_result(visit: NewPage) -> None:
    page = visit()
    page.get_by_role("button", name="Clear").click()
    compute(page)
    assert page.locator(".figure").count() == 0
    assert "Couldn’t compute" in page.locator(".report.failed").inner_text()
    wait_for_announcement(page, "There are no rows yet")
    fill(page, ("a", "a"))
    compute(page)
    assert score(page) == "1.0000"
    wait_for_announcement(page, "accuracy 100.0%. 1 of 1 answers match.")


def test_compute_waits_for_a_file_upload(visit: NewPage) -> None:
    page = visit()
    scored: list[str] = []
    held = hold_requests(page, "**/space/read*")
    page.on("request", lambda request: scored.append(request.post_data) if "/space/score" in request.url else None)
    with page.expect_request("**/space/read*"):
        upload(page, "a.csv", b"prediction,reference\na,a\nb,b\nc,x\n")
    page.locator("#compute").click()
    page.locator("#compute", has_text="Computing").wait_for()
    assert scored == []
    held[0].continue_()
    wait_for_score(page, "0.6667")
    assert rows_shown(page) == 3
    assert all('"c"' in body for body in scored), "the rows before were not scored"


# ---- accessibility


@pytest.mark.parametrize("name", [*METRICS, "gallery"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_overflows(visit: NewPage, name: str, width: int, scheme: str) -> None:
    page = visit(name, width=width, scheme=scheme)
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for tab, title in TABS.items():
        if page.get_by_role("tab", name=title).count() == 0:
            continue
        page.get_by_role("tab", name=title).click()
        page.locator(f"#panel-{tab}:not([hidden])").wait_for()
        assert violations(page) == [], tab
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tab
    page.get_by_role("tab", name="Try it").click()
    page.get_by_role("button", name="Paste table").click()
    page.get_by_role("button", name="Open example 1", exact=True).click()
    assert violations(page) == [], "drawer"
    page.keyboard.press("Escape")
    page.locator("#rows textarea").first.fill("x")
    wait_until_outdated(page)
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


def test_page_is_usable_by_keyboard_only(visit: NewPage) -> None:
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
@pytest.mark.parametrize("name", ["accuracy", "gallery"])
def test_compute_button_stays_visible(visit: NewPage, name: str, width: int) -> None:
    page = visit(name, width=width)
    for end in (0, 700, 100_000):  # the gallery has a long result next to few fields
        page.evaluate("(end) => window.scrollTo({ top: end, behavior: 'instant' })", end)
        box = page.locator("#compute").bounding_box()
        assert 0 <= box["y"] <= 900 - box["height"]


def test_match_is_not_shown_by_color_alone(visit: NewPage) -> None:
    page = visit()
    for body in page.locator(".report tbody").all():
        sign = {"hit": "✓", "near": "≈", "miss": "✗"}[body.get_attribute("class")]
        assert re.match(rf"{sign}\s*\w+", body.locator("th").inner_text())


# ---- privacy


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
    page.locator("#example").select_option(index=2)
    assert page.locator("#key-field").is_hidden()
    page.get_by_role("radio", name="openai").check()
    page.locator("#key-field").fill(KEY)
    page.evaluate("document.querySelector('.report')?.setAttribute('data-old', '')")
    page.locator("#compute").click()
    page.get_by_role("dialog").get_by_role("button", name="Run the judge").click()
    page.wait_for_selector(".report:not([data-old])")
    answer = page.locator("#report").inner_text()
    assert "could be judged" in answer or "reach" in answer or "connect" in answer.lower(), answer
    kept = page.evaluate(
        "JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state])"
    )
    assert KEY not in kept + page.content()
    assert page.locator("#key-field").input_value() == KEY, "the key stays in the page until a reload"
    page.reload()
    page.wait_for_selector("[data-ready]", state="attached")
    assert page.locator("#key-field").input_value() == ""
    place = servers("l3score").place
    for path in place.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


def test_judge_page_opens_with_recorded_judgments(visit: NewPage) -> None:
    page = visit("l3score")
    assert "Recorded, not computed now" in page.locator(".report .notice").inner_text()
    assert "Recorded scores of a small model" in page.locator("#status").inner_text()
    assert {body.get_attribute("class") for body in page.locator(".report tbody").all()} == {"hit", "near", "miss"}
    wait_until_current(page)
    assert violations(page) == []
    page.reload()
    page.wait_for_selector("[data-ready]", state="attached")
    assert "Recorded, not computed now" in page.locator(".report .notice").inner_text()
    compute(page)
    assert "This judge needs a key" in page.locator(".report.failed").inner_text()


def test_demo_judge_example_is_scored_immediately(visit: NewPage) -> None:
    page = visit("l3score")
    page.locator("#example").select_option(index=2)
    page.wait_for_function("!document.querySelector('.report .notice')?.textContent.includes('Recorded')")
    assert "yes" in page.locator(".report").inner_text()
    wait_until_current(page)


def test_cost_is_shown_before_a_key_is_charged(visit: NewPage) -> None:
    page = visit("l3score")
    page.locator("#example").select_option(index=2)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/space/")[2]))
    page.get_by_role("radio", name="openai").check()
    page.locator("#key-field").fill(KEY)
    page.locator("#compute").click()
    dialog = page.get_by_role("dialog", name="Run the judge?")
    assert re.search(r"\d+ calls, .*input tokens", dialog.inner_text())
    assert violations(page) == []
    dialog.get_by_role("button", name="Cancel").click()
    assert page.get_by_role("dialog").count() == 0
    page.locator("#compute").click()
    dialog.wait_for()
    page.keyboard.press("Control+Enter")  # the dialog asks already
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.get_by_role("button", name="Estimate cost").click()
    page.wait_for_function("document.querySelector('#quote-text').textContent.includes('calls')")
    assert asked == ["quote", "quote", "quote"], "no judge was called"


def test_rows_are_stored_in_the_browser_only(visit: NewPage, servers: Callable[[str], Server]) -> None:
    page = visit()
    fill(page, ("a text that nobody else writes", "another"))
    compute(page)
    wait_until_settled(page)
    assert "else writes" not in page.evaluate("JSON.stringify([localStorage, document.cookie, location.href])")
    assert "else writes" in page.evaluate("JSON.stringify(sessionStorage)"), "rows are stored for a reload"
    for path in servers("accuracy").place.rglob("*"):
        if path.is_file():
            assert b"else writes" not in path.read_bytes(), path


def test_optional_column_appears_when_needed(visit: NewPage) -> None:
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
