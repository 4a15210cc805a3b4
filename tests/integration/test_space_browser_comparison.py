"""Two systems on the page: two columns of a file, two files matched by id, clusters, existing judge scores."""

import json
from typing import Any

import pytest

from tests.integration.browser_page import CHROMIUM
from tests.integration.browser_page import NewPage
from tests.integration.browser_page import compute
from tests.integration.browser_page import rows_shown
from tests.integration.browser_page import score
from tests.integration.browser_page import upload
from tests.integration.browser_page import violations
from tests.integration.browser_page import wait_for_status
from tests.integration.browser_page import wait_until_outdated
from tests.integration.browser_page import wait_until_settled

pytest.importorskip("playwright.sync_api")
pytest.importorskip("axe_playwright_python")
pytest.importorskip("gradio")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

FIRST = b"id,output,gold,doc\n1,a,a,u\n2,b,b,u\n3,x,c,v\n4,d,d,w\n"
SECOND = b"id,output\n4,d\n3,c\n2,y\n1,z\n"


def compare_two_systems(page: Any) -> None:
    page.get_by_label("Compare two systems").check()


def upload_second(page: Any, content: bytes) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload system B").click()
    chooser.value.set_files({"name": "b.csv", "mimeType": "text/csv", "buffer": content})


def outcomes(page: Any) -> list[str]:
    heads = page.locator(".report tbody:visible").evaluate_all("all => all.map((one) => one.dataset.label)")
    return list(heads)


def test_two_columns_of_one_file_are_compared(visit: NewPage) -> None:
    page = visit()
    upload(page, "ab.csv", b"prediction,prediction_b,reference\na,a,a\nb,x,b\nx,c,c\nd,x,d\n")
    wait_for_status(page, "from \u201cprediction\u201d")
    compare_two_systems(page)
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
    wait_until_outdated(page)
    compute(page)
    assert score(page) == "0.7500"


def test_files_of_two_systems_are_matched_by_id_and_compared(visit: NewPage) -> None:
    page = visit()
    compare_two_systems(page)
    upload(page, "a.csv", FIRST)
    wait_for_status(page, "Now upload system B.")
    page.get_by_label("Column for Cluster").select_option("doc")
    page.get_by_role("button", name="Use other columns").click()
    wait_for_status(page, "cluster from “doc”")
    upload_second(page, SECOND)
    wait_for_status(page, "Matched with system A by ID.")
    page.wait_for_selector(".report .chip")
    assert page.get_by_label("Prediction B, row 1").input_value() == "z"
    assert ", 3 clusters)" in page.locator(".sentence").inner_text()
    assert outcomes(page) == ["regressed", "regressed", "same score", "improved"]
    page.get_by_role("button", name="Show changes only").click()
    assert outcomes(page) == ["regressed", "regressed", "improved"]
    assert violations(page) == []
    wait_until_settled(page)
    page.reload()
    page.wait_for_selector(".report .chip")
    assert page.locator("#second").is_visible()
    assert rows_shown(page) == 3
    assert page.get_by_label("Cluster, row 4").input_value() == "w"


def test_second_file_can_be_dropped(visit: NewPage) -> None:
    page = visit()
    compare_two_systems(page)
    upload(page, "a.csv", FIRST)
    wait_for_status(page, "Now upload system B.")
    page.evaluate(
        f"""() => {{
          const data = new DataTransfer();
          data.items.add(new File([{json.dumps(SECOND.decode())}], "b.csv"));
          document.querySelector("h1").dispatchEvent(new DragEvent("drop", {{ dataTransfer: data, bubbles: true }}));
        }}"""
    )
    wait_for_status(page, "Matched with system A by ID.")
    page.wait_for_selector(".report .chip")


def test_mismatched_files_are_reported_and_change_nothing(visit: NewPage) -> None:
    page = visit()
    compare_two_systems(page)
    upload(page, "a.csv", FIRST)
    wait_for_status(page, "Now upload system B.")
    upload_second(page, SECOND.replace(b"\n4,", b"\n3,"))
    wait_for_status(page, "1 ID of system B occurs more than once: “3”")
    assert page.get_by_label("Prediction B, row 1").input_value() == ""
    upload_second(page, SECOND.replace(b"\n4,", b"\n5,"))
    wait_for_status(page, "1 ID of system A is not in system B: “4”")
    page.get_by_label("Column for ID").select_option("")
    page.get_by_role("button", name="Use other columns").click()
    wait_for_status(page, "System A has IDs, system B has none.")
    assert violations(page) == []


def test_existing_judge_scores_are_compared_without_a_key(visit: NewPage) -> None:
    page = visit("l3score")
    compare_two_systems(page)
    assert not page.locator("#options").is_visible()
    assert not page.locator("#key").is_visible()
    upload(page, "a.csv", b"id,prediction,l3score_individual_scores\n1,a,0.9\n2,b,0.2\n3,c,\n")
    wait_for_status(page, "Now upload system B.")
    upload_second(page, b"id,individual_scores\n3,0.5\n2,0.4\n1,0.1\n")
    wait_for_status(page, "Matched with system A by ID.")
    page.wait_for_selector(".report .chip")
    assert outcomes(page) == ["regressed", "improved", "left out"]
    assert "1 row left out" in page.locator(".footnote").inner_text()
    assert violations(page) == []
    page.get_by_label("Compare two systems").uncheck()
    assert page.locator("#options").is_visible()
