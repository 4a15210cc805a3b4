"""A page of a Space in Chromium: actions on it, and values read from it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

NewPage = Callable[..., Any]


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


def wait_for_announcement(page: Any, text: str) -> None:
    """Wait for a text in the live region, which the page empties first so that screen readers notice a change."""
    page.wait_for_function(f"document.querySelector('#live').textContent.includes({json.dumps(text)})")


def wait_until_outdated(page: Any) -> None:
    page.wait_for_selector(".report.stale")


def wait_until_settled(page: Any) -> None:
    """Wait until the page has compared its rows with the report, and stored them: 120 ms after the last change."""
    page.wait_for_selector("html[data-state=settled]", state="attached")


def wait_until_current(page: Any) -> None:
    wait_until_settled(page)
    page.wait_for_selector(".report:not(.stale)")


def wait_for_clipboard(page: Any, text: str) -> None:
    page.wait_for_function(f"navigator.clipboard.readText().then((copied) => copied.includes({json.dumps(text)}))")


def hold_requests(page: Any, path: str) -> list[Any]:
    """Hold the requests for a path until a test continues them."""
    held: list[Any] = []

    def hold(route: Any) -> None:  # playwright can't call a built-in function such as `held.append`
        held.append(route)

    page.route(path, hold)
    return held


def violations(page: Any) -> list[str]:
    """Run axe-core on the page."""
    axe = pytest.importorskip("axe_playwright_python")
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]


def stops_to_compute(page: Any) -> int:
    """Count the presses of Tab and Enter that it takes to reach Compute from the top of the page."""
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
