"""The pages of the Spaces in a browser: every control, both themes, a phone, and what is loaded."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import ROOT

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
playwright = pytest.importorskip("playwright.sync_api")

Visit = Callable[..., Any]
ALL = ("accuracy", "answer_exact_match", "token_f1", "precision_recall_f1", "ranked_retrieval", "l3score", "gallery")

FOLDERS = {name: ROOT / ("spaces/gallery" if name == "gallery" else f"metrics/{name}") for name in ALL}


def shown(page: Any) -> str:
    text: str = page.locator(".rows:visible").inner_text()
    return " ".join(text.split())


def wait_for(page: Any, selector: str, text: str | re.Pattern[str]) -> None:
    found = page.locator(f"{selector}:visible")
    try:
        found.filter(has_text=text).first.wait_for()
    except playwright.TimeoutError:
        notes = page.locator(".note:visible").all_inner_texts()
        pytest.fail(f"waited for {text!r} in {found.all_inner_texts()}; the page says {notes}")


def upload(page: Any, path: Path, button: str = "Upload file") -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button).locator("visible=true").click()
    chooser.value.set_files(path)


def write(page: Any, cell: str, text: str) -> None:
    page.locator(f"[data-testid={cell}]:visible").dblclick()
    page.locator(f"[data-testid={cell}] textarea:focus").wait_for()  # Gradio sets it one frame later
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def fill(page: Any, label: str, text: str) -> None:
    """Fill a field that may just have appeared: Gradio sets its first value a moment later."""
    field = page.get_by_label(label).locator("visible=true").first
    field.wait_for()
    page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))")
    field.fill(text)


def compute(page: Any, text: str, button: str = "Compute") -> None:
    page.get_by_role("button", name=button, exact=True).click()
    wait_for(page, ".sentence", text)


def check_access(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []


def copied(page: Any, button: str) -> str:
    page.locator(button).click()
    page.locator(f"{button}[data-done]").wait_for()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


@pytest.mark.parametrize("name", ALL)
def test_page_is_accessible_and_fits_a_phone(visit: Visit, name: str) -> None:
    page = visit(name, 390)
    first = json.loads((FOLDERS[name] / "examples.json").read_text(encoding="utf-8"))[0]["title"]
    page.get_by_role("button", name=first, exact=True).wait_for()  # drawn last, without a text at first
    button = page.get_by_role("button", name="Compute", exact=True)
    assert button.bounding_box()["y"] > 700  # at the bottom, wherever the page is scrolled
    page.add_style_tag(content="* { transition: none !important; }")  # no color between those of two themes
    for theme in ("light", "dark"):
        page.evaluate("(dark) => document.body.classList.toggle('dark', dark)", theme == "dark")
        check_access(page)
    page.get_by_role("button", name="About" if name == "gallery" else "Metric card").click()
    page.locator(".card p").first.wait_for()
    playwright.expect(page.locator(".card.prose")).not_to_contain_text("sdk_version")
    check_access(page)


def test_first_load_is_small_and_shows_a_result(browser: Any, servers: Any) -> None:
    page = browser.new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(int(response.headers.get("content-length", 0))))
    page.goto(servers("accuracy").url)
    page.wait_for_selector(".report .figure")
    page.wait_for_load_state("networkidle")
    assert sum(sizes) < 490_000  # an empty page with a table has 378,000
    assert "50%" in page.locator(".figure").inner_text()
    page.close()


def test_rows_are_typed_uploaded_and_pasted(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    page.get_by_role("button", name="Clear", exact=True).click()
    page.locator(".rows:visible", has_text="Paris!").wait_for(state="hidden")  # typed before, texts would be cleared
    page.get_by_role("button", name="Add rows").click()
    page.locator("[data-testid=cell-5-0]:visible").wait_for()
    for cell, text in (("cell-0-0", "Berlin"), ("cell-0-1", "berlin"), ("cell-5-0", "Rome")):
        write(page, cell, text)
    compute(page, "1 of 2 answers match")
    files = {
        "table.csv": 'output,gold\n"Rome, Italy",Rome\n',
        "table.json": json.dumps([{"prediction": "Rome, Italy", "answers": {"text": ["Rome", "Roma"]}}]),
        "samples.jsonl": json.dumps(
            {"doc": {"question": "Where?"}, "filtered_resps": ["Rome, Italy"], "target": "Rome"}
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    pq.write_table(pa.table({"pred": ["Rome, Italy"], "target": [["Rome"]]}), tmp_path / "table.parquet")
    for name in (*files, "table.parquet"):
        page.get_by_role("button", name="Clear", exact=True).click()
        page.locator(".rows:visible", has_text=re.compile("Berlin|Rome")).wait_for(state="hidden")
        upload(page, tmp_path / name)
        wait_for(page, "p.note", "1 row: Prediction from")
        wait_for(page, ".rows", "Rome, Italy")
        if name == "samples.jsonl":
            wait_for(page, ".rows", "Where?")  # an optional column with texts
    assert "Question" not in shown(page)
    (tmp_path / "other.json").write_text('[{"mine": "a", "yours": "b", "more": "c"}]', encoding="utf-8")
    upload(page, tmp_path / "other.json")
    wait_for(page, "p.note", "No column for Prediction, Reference. Found: “mine”, “yours”, “more”.")
    for label, field in (("Prediction from", "yours"), ("Reference from", "mine")):
        fill(page, label, field)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
    wait_for(page, "p.note", "Prediction from “yours”, Reference from “mine”")
    wait_for(page, "[data-testid=cell-0-0]", "b")
    wait_for(page, "[data-testid=cell-0-1]", "a")
    page.get_by_role("button", name="Numbers", exact=True).click()  # its rows are not those of the fields
    page.locator(".mapping:visible").wait_for(state="hidden")
    for text, found in (("Bern\r\n1850\r\n", "1850"), ("Bern\tBonn\r\nA\tB\r\n", "2 rows")):
        page.locator("[data-testid=cell-0-0]:visible").click()
        page.evaluate(PASTE, text)
        wait_for(page, ".rows", "Bern")
        wait_for(page, ".rows, p.note", found)
    page.locator("[data-testid=cell-0-0]:visible").click()
    for key in ("K", "x", "Backspace", "i", "e", "l", "Tab"):  # Gradio's field would come too late for the first ones
        page.keyboard.press(key)
    wait_for(page, "[data-testid=cell-0-0]", re.compile("^\\s*Kiel"))
    fill(page, "Table", "Paris\tparis\nLyon\tparis")
    page.get_by_role("button", name="Load", exact=True).locator("visible=true").click()
    wait_for(page, "p.note", "2 rows")
    wait_for(page, ".rows", "Lyon")
    page.get_by_role("button", name="More columns").click()
    wait_for(page, ".rows", "Question")
    compute(page, "1 of 2 answers match")


PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
}"""


DROP = """(cell) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["output\\tgold\\na\\tb\\nc\\td\\n"], "rows.tsv"));
  cell.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
}"""


def slow_down(page: Any) -> None:
    """Answer each request a second late, once the page is complete."""
    page.wait_for_load_state("networkidle")
    slow = {"offline": False, "latency": 1_000, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)


def test_double_click_asks_a_judge_once(visit: Visit) -> None:
    page = visit("l3score")
    slow_down(page)
    asked: list[str] = []  # the rows of each call
    page.on("request", lambda one: asked.append(one.post_data) if "headers" in (one.post_data or "") else None)
    page.get_by_role("button", name="Compute", exact=True).dblclick()
    page.wait_for_timeout(3_000)  # a second call would follow the answer to the first
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1
    page.get_by_role("button", name="Compute", exact=True).click()
    page.get_by_label("guarded").check()  # while the judge is asked
    page.locator("#report:not([data-busy])").wait_for()
    assert page.locator(".outdated").is_visible()


def test_what_cannot_be_done_is_said_on_the_page(visit: Visit, tmp_path: Path) -> None:
    page = visit("ranked_retrieval")
    (tmp_path / "wrong.csv").write_text("a,b\n1,2,3\n", encoding="utf-8")
    upload(page, tmp_path / "wrong.csv")
    wait_for(page, ".failed", "Line 2 has 3 cells, the first line has 2")
    page.locator(".outdated").wait_for(state="hidden")  # a file that cannot be read changes nothing
    page.get_by_role("button", name="Compute", exact=True).click()
    page.locator(".failed:visible").wait_for(state="hidden")
    upload(page, tmp_path / "wrong.csv")
    wait_for(page, ".failed", "Line 2 has 3 cells, the first line has 2")
    for key in ("Control+A", "Delete"):  # which fires no event of Gradio's
        page.get_by_label("(k)").press(key)
    page.locator(".outdated").wait_for()
    wait_for(page, ".differ", "1 option differs from the defaults: k")
    page.get_by_role("tab", name="A against B").click()
    (tmp_path / "b.csv").write_text("retrieved\na\n", encoding="utf-8")
    page.get_by_role("button", name="Clear", exact=True).locator("visible=true").click()
    upload(page, tmp_path / "b.csv", "Add a system")
    wait_for(page, ".failed", "Upload the file of system A first")
    page.get_by_role("tab", name="One system").click()
    fill(page, "(k)", "0, 1")
    page.get_by_role("button", name="Compute", exact=True).click()
    wait_for(page, ".report + *, .failed", "k must be a list of distinct integers of at least 1")
    fill(page, "(k)", "1")
    page.get_by_role("button", name="More options").click()
    page.get_by_label("by sentence, ROUGE-L").check()
    page.get_by_label("(language)").wait_for()
    page.get_by_label("chunk by chunk, ROUGE-L").check()
    page.get_by_label("(language)").wait_for(state="hidden")  # it has no effect
    for seed in ("-3", "1.5"):
        fill(page, "(bootstrap_seed)", seed)
        page.get_by_role("button", name="Compute", exact=True).click()
        wait_for(page, ".failed", f"bootstrap_seed must be an integer of at least 0, got {seed}")
    page.locator(".rows:visible [aria-label='Open cell menu']").first.evaluate("button => button.click()")
    page.get_by_role("menuitem", name="Delete column").wait_for()
    assert page.get_by_role("menuitem").count() == 1  # what is filtered, sorted or added would have an unseen effect
    page.get_by_role("menuitem", name="Delete column").evaluate("item => item.click()")
    page.get_by_role("button", name="Compute", exact=True).click()
    wait_for(page, ".failed", "The table has no column Retrieved, best first: press Clear")
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_role("button", name="Compute", exact=True).click()
    wait_for(page, ".failed", "There are no rows yet")


def differs(page: Any) -> str:
    text: str = page.locator(".differ:visible").or_(page.locator(".compute:visible")).first.inner_text()
    return text


def test_options_return_to_the_defaults(visit: Visit, tmp_path: Path) -> None:
    """Whatever an example had set: `Paris!` and `paris` are equal by default, and the line says what else differs."""
    page = visit()
    assert differs(page) == "Compute"
    (tmp_path / "rows.csv").write_text("prediction,reference\nParis!,paris\n", encoding="utf-8")

    def type_rows() -> None:
        page.get_by_role("button", name="Clear", exact=True).click()
        page.locator(".rows:visible", has_text="Tokyo").wait_for(state="hidden")
        for cell, text in (("cell-0-0", "Paris!"), ("cell-0-1", "paris")):
            write(page, cell, text)

    for load in (type_rows, lambda: upload(page, tmp_path / "rows.csv")):
        page.get_by_role("button", name="As it is written").click()
        wait_for(page, ".differ", "2 options differ from the defaults: case_sensitive, normalize_text")
        wait_for(page, "p.note", "case_sensitive=True")
        load()
        page.locator(".differ:visible").wait_for(state="hidden")
        page.locator(".outdated").wait_for()
        compute(page, "1 of 1 answers match")
    page.get_by_role("button", name="As it is written").click()
    wait_for(page, ".sentence", "2 of 5 answers match")
    page.locator(".differ:visible").click()
    page.locator(".outdated").wait_for()
    page.locator("p.note:visible").wait_for(state="hidden")  # it is about the example's options
    compute(page, "3 of 5 answers match")
    page.get_by_label("(fuzzy_match)").check()
    page.get_by_label("(fuzzy_threshold)").fill("")
    wait_for(page, ".differ", "2 options differ from the defaults: fuzzy_match, fuzzy_threshold")
    page.get_by_label("(fuzzy_match)").uncheck()
    page.locator(".differ:visible").wait_for(state="hidden")
    page.get_by_role("button", name="Compute", exact=True).click()
    page.locator(".outdated").wait_for(state="hidden")
    wait_for(page, ".sentence", "3 of 5 answers match")  # the threshold that is hidden is not sent
    page.get_by_label("Numbers", exact=True).check()
    page.get_by_label("text", exact=True).check()
    wait_for(page, ".differ", "1 option differs from the preset: numbers")
    page.locator(".differ:visible").click()
    page.locator(".differ:visible").wait_for(state="hidden")


def test_late_answer_is_out_of_date(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    (tmp_path / "rows.csv").write_text("prediction,reference\n" + f"{'a' * 40},b\n" * 3_000, encoding="utf-8")
    upload(page, tmp_path / "rows.csv")
    wait_for(page, ".rows", "aaa")
    page.get_by_role("button", name="Compute", exact=True).click()
    page.locator("#report[data-busy]").wait_for()
    page.get_by_role("button", name="Numbers", exact=True).click()
    wait_for(page, ".sentence", "of 5 answers match")
    wait_for(page, ".sentence", "of 3,000 answers match")
    page.locator(".outdated").wait_for()


def test_report_is_out_of_date_after_a_change(visit: Visit) -> None:
    page = visit()
    outdated, export = page.locator(".outdated"), page.locator(".export")
    changes: list[Callable[[], Any]] = [
        lambda: write(page, "cell-0-0", "Lyon"),
        lambda: page.get_by_label("(fuzzy_match)").check(),
        lambda: page.get_by_label("(fuzzy_threshold)").fill("0.5"),
        lambda: page.get_by_label("Numbers", exact=True).check(),
        lambda: page.get_by_role("button", name="Clear", exact=True).click(),
    ]
    for change in changes:
        outdated.wait_for(state="hidden")
        assert export.is_visible()
        change()
        outdated.wait_for()
        assert not export.is_visible()
        if change is not changes[-1]:
            page.get_by_role("button", name="Compute", exact=True).click()
    page.get_by_role("button", name="Short answers").click()
    outdated.wait_for(state="hidden")
    page.get_by_role("tab", name="A against B").click()  # the report is of the other tab
    outdated.wait_for()


def test_report_is_filtered_copied_and_saved(visit: Visit) -> None:
    page = visit()
    rows = page.locator(".report tbody:visible")
    assert "miss" in rows.first.inner_text()
    page.locator(".find").fill("MOSC")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        playwright.expect(rows).to_have_count(1)
    page.locator(".key", has_text="exact").click()
    page.get_by_text("No row has this text.").wait_for()
    page.locator(".key", has_text="all").click()
    page.locator(".find").fill("")
    page.locator(".key", has_text="exact").click()
    playwright.expect(rows).to_have_count(4)
    page.locator(".key input").first.focus()
    page.keyboard.press("Space")
    playwright.expect(rows).to_have_count(8)
    with page.expect_download() as download:
        page.locator("a.save", has_text="JSON").click()
    saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert saved["result"]["accuracy"] == 0.5
    for name, text in (
        ("Markdown", "| accuracy | 50.0 |"),
        ("LaTeX", "accuracy & 50.0"),
        ("Python", "import evaluate"),
    ):
        page.locator("summary", has_text=name).click()
        assert text in copied(page, ".report .copy:visible")
        page.locator("summary", has_text=name).click()


def test_two_systems_are_compared_and_linked(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    (tmp_path / "a.csv").write_text("id,output,gold\n1,Paris,paris\n2,Lima,lima\n3,x,oslo\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("id,output,other\n3,Oslo,north\n1,Paris,east\n2,y,west\n", encoding="utf-8")
    page.get_by_role("tab", name="A against B").click()
    upload(page, tmp_path / "a.csv")
    wait_for(page, "p.note", "3 rows: Prediction A from “output”")
    wait_for(page, ".rows", "Lima")  # the next call sends what the page shows
    upload(page, tmp_path / "b.csv", "Add a system")
    wait_for(page, "p.note", "3 rows, matched with system A by ID.")
    for field, text in (("other", "north"), ("output", "Oslo")):
        fill(page, "Prediction B from", field)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        wait_for(page, ".rows", re.compile(text))  # the references have "oslo"
    compute(page, "B scores the same as A", "Compare A and B")
    link = copied(page, "a.link")
    assert "#rows=" in link
    outcomes = [row.split()[1] for row in page.locator(".report tbody").all_inner_texts()]
    assert outcomes == ["regressed", "same", "improved"]
    upload(page, tmp_path / "a.csv")
    wait_for(page, "p.note", "3 rows: Prediction A from “output”")
    fill(page, "Prediction A from", "gold")  # of this file, though one was added before
    page.keyboard.press("Enter")
    wait_for(page, "p.note", "3 rows: Prediction A from “gold”")
    page.keyboard.press("Escape")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    upload(page, tmp_path / "bad.json")
    wait_for(page, ".failed", "isn't valid JSON")
    page.locator(".mapping:visible").wait_for(state="hidden")
    page.locator("[data-testid=cell-0-0]:visible").evaluate(DROP)
    wait_for(page, "p.note", "2 rows")
    other = visit(fragment="#" + link.partition("#")[2])
    wait_for(other, ".sentence", "B scores the same as A")
    wait_for(other, ".rows", "Prediction B")
    damaged = visit(fragment="#rows=AAAA")
    wait_for(damaged, ".failed", "The link is damaged or was cut short")


@pytest.mark.parametrize("name", ALL)
def test_every_example_runs_at_a_click(visit: Visit, name: str) -> None:
    page = visit(name)
    examples = json.loads((FOLDERS[name] / "examples.json").read_text(encoding="utf-8"))
    for example in examples:
        if name != "gallery":
            page.get_by_role("tab", name="A against B" if example.get("comparing") else "One system").click()
        button = page.get_by_role("button", name=example["title"], exact=True).locator("visible=true")
        note = page.locator("p.note:visible", has_text="" if "recorded" in example else example["note"]).first
        button.click()
        note.wait_for()
        playwright.expect(page.locator(".report .row")).to_have_count(len(example["rows"]))
        page.locator(".outdated").wait_for(state="hidden")
        if "recorded" in example:
            page.get_by_role("button", name="Compute", exact=True).click()
            page.locator("p.note:visible").wait_for(state="hidden")  # this report is not the recorded one
        if example["options"].keys() <= {"preset"}:
            page.locator(".differ:visible").wait_for(state="hidden")
