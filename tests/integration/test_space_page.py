"""The pages of the Spaces in a browser: every control, both themes, a phone, and what is loaded."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.unit.test_space import METRICS

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
playwright = pytest.importorskip("playwright.sync_api")

Visit = Callable[..., Any]
ALL = (*METRICS, "gallery")
FOLDERS = {name: ROOT / ("spaces/gallery" if name == "gallery" else f"metrics/{name}") for name in ALL}


def shown(page: Any) -> str:
    text: str = page.locator(".rows:visible").inner_text()
    return " ".join(text.split())


def wait_for(page: Any, selector: str, text: str | re.Pattern[str]) -> None:
    places = page.locator(f"{selector}:visible")
    try:
        places.filter(has_text=text).first.wait_for()
    except playwright.TimeoutError:
        notes = page.locator(".note:visible").all_inner_texts()
        pytest.fail(f"waited for {text!r} in {places.all_inner_texts()}; the page says {notes}")


def upload(page: Any, path: Any, button: str = "Upload") -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button, exact=True).locator("visible=true").click()
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


HARD_TO_TOUCH = """() =>
  [...document.querySelectorAll(".split :is(button, select, summary, [type=text], label:has(input))")]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => !control.closest(".rows, [aria-hidden=true]"))
    .filter((control) => {
      const { left, right, width, height } = control.getBoundingClientRect();
      return Math.min(width, height) < 24 || left < 0 || right > innerWidth;
    })
    .map((control) => control.innerText || control.className)"""


def check_access(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(HARD_TO_TOUCH) == []
    violations = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [rule["id"] for rule in violations if rule["impact"] in {"serious", "critical"}] == []


def copied(page: Any, button: str) -> str:
    page.locator(button).click()
    page.locator(f"{button}[data-done]").wait_for()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


@pytest.mark.parametrize("name", ALL)
def test_page_is_accessible_and_fits_a_phone(visit: Visit, name: str) -> None:
    page = visit(name, 390)
    first = json.loads((FOLDERS[name] / "examples.json").read_text(encoding="utf-8"))[0]["title"]
    page.get_by_label(first, exact=True).wait_for()  # a card
    button = page.get_by_role("button", name="Compute", exact=True)
    assert button.bounding_box()["y"] > 700  # at the bottom, wherever the page is scrolled
    page.add_style_tag(content="* { transition: none !important; }")  # no color between those of two themes
    for theme in ("light", "dark"):
        page.evaluate("(dark) => document.body.classList.toggle('dark', dark)", theme == "dark")
        # What the browser draws, such as boxes and lists, has the colors of the theme.
        schemes = page.locator(".report").evaluate("(report) => getComputedStyle(report).colorScheme")
        assert ("dark" in schemes) == (theme == "dark")
        check_access(page)
    if name != "gallery":
        page.get_by_role("button", name="Customize the rules").click()
        page.get_by_role("button", name="More options").wait_for()
    page.get_by_role("button", name="About" if name == "gallery" else "Metric card").click()
    page.locator(".card p").first.wait_for()
    playwright.expect(page.locator(".card.prose")).not_to_contain_text("sdk_version")
    check_access(page)


def test_first_load_is_small_and_shows_a_result(browser: Any, servers: Any) -> None:
    page = browser.new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(int(response.headers.get("content-length", 0))))
    page.goto(servers("accuracy").url)
    page.wait_for_selector(".report .figure", timeout=90_000)  # as slow as on a busy machine
    page.wait_for_load_state("networkidle")
    assert sum(sizes) < 475_000  # an empty page with a table has 378,000
    assert "50%" in page.locator(".figure").inner_text()
    page.close()


def test_rows_are_typed_uploaded_and_pasted(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    sample = {
        "doc_id": 0, "doc": {"question": "Where?"}, "arguments": {"gen_args_0": {"arg_0": "Where?"}}, "target": "Rome",
        "resps": [["Rome, Italy"]], "filtered_resps": ["Rome, Italy"],
    }  # fmt: skip
    (tmp_path / "samples.jsonl").write_text(json.dumps(sample), encoding="utf-8")
    upload(page, tmp_path / "samples.jsonl")
    wait_for(page, "p.note", "1 row: Prediction from")
    wait_for(page, ".rows", "Rome, Italy")
    wait_for(page, ".rows", "Where?")  # an optional column with texts
    (tmp_path / "other.json").write_text('[{"mine": "a", "yours": "b", "more": "c"}]', encoding="utf-8")
    upload(page, tmp_path / "other.json")
    wait_for(page, "p.note", "No column for Prediction, Reference. Found: “mine”, “yours”, “more”.")
    assert page.locator(".compute:visible").is_disabled()
    page.locator(".outdated").wait_for()
    for label, field in (("Prediction from", "yours"), ("Reference from", "mine")):
        page.get_by_label(label).select_option(field)
    wait_for(page, "p.note", "Prediction from “yours”, Reference from “mine”")
    wait_for(page, "[data-testid=cell-0-0]", "b")
    wait_for(page, "[data-testid=cell-0-1]", "a")
    assert page.locator(".compute:visible").is_enabled()
    page.get_by_role("button", name="Try an example").click()  # its rows are not those of the fields
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
    page.get_by_role("button", name="Add rows").click()
    page.locator("[data-testid=cell-5-0]:visible").wait_for()
    compute(page, "0 of 2 answers match")


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
    page.get_by_role("button", name="Customize the rules").click()
    page.get_by_label("guarded").wait_for()
    slow_down(page)
    asked: list[str] = []  # the rows of each call
    page.on("request", lambda call: asked.append(call.post_data) if "headers" in (call.post_data or "") else None)
    page.get_by_role("button", name="Compute", exact=True).dblclick()
    page.wait_for_timeout(3_000)  # a second call would follow the answer to the first
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1
    page.get_by_role("button", name="Compute", exact=True).click()
    page.get_by_label("guarded").check()  # while the judge is asked
    page.locator("#report-score:not([data-busy])").wait_for()
    assert page.locator(".outdated").is_visible()


def test_card_of_the_rows_is_chosen_again_after_a_reset(visit: Visit) -> None:
    page = visit("l3score")
    page.get_by_label("Capitals and dates").check()
    page.get_by_role("button", name="Customize the rules").click()
    page.get_by_label("guarded").check()
    playwright.expect(page.get_by_label("Capitals and dates")).not_to_be_checked()
    page.locator(".reset:visible").click()
    playwright.expect(page.get_by_label("Capitals and dates")).to_be_checked()  # the first card has these rules, too


def test_card_of_the_rules_is_chosen_whatever_has_no_effect(visit: Visit) -> None:
    page = visit()
    card = page.get_by_label("Short answers")
    card.check()
    page.get_by_role("button", name="Customize the rules").click()
    page.get_by_label("Accept typos").check()
    playwright.expect(card).not_to_be_checked()
    fill(page, "Minimum similarity", "0.9")
    page.get_by_label("Accept typos").uncheck()
    playwright.expect(card).to_be_checked()
    page.get_by_role("button", name="More options").click()
    fill(page, "Random seed", "5")
    playwright.expect(card).not_to_be_checked()
    fill(page, "Random seed", "0")  # which is not an empty field
    playwright.expect(card).to_be_checked()


def test_rows_without_a_score_come_last(visit: Visit, tmp_path: Path) -> None:
    page = visit("l3score")
    (tmp_path / "scores.csv").write_text("score_a,score_b\n" + "0.13,0.87\n,0.5\n0.87,0.13\n" * 2, encoding="utf-8")
    page.get_by_role("tab", name="A against B").click()
    upload(page, tmp_path / "scores.csv", "Upload files")
    wait_for(page, "p.note", "6 rows: Score A")
    wait_for(page, ".rows", "0.87")
    compute(page, "B scores the same as scores", "Compare")
    rows = page.locator(".compare .rows-of tbody")
    worse, better, left_out = ["regressed"] * 2, ["improved"] * 2, ["left"] * 2
    for order, outcomes in (("Lowest", [*worse, *better, *left_out]), ("Highest", [*better, *worse, *left_out])):
        page.get_by_label("Order").locator("visible=true").select_option(f"{order} difference first")
        assert [row.split()[1] for row in rows.all_inner_texts()] == outcomes


def test_what_cannot_be_done_is_said_on_the_page(visit: Visit, tmp_path: Path) -> None:
    page = visit("ranked_retrieval")
    page.get_by_role("button", name="Customize the rules").click()
    (tmp_path / "wrong.csv").write_text("a,b\n1,2,3\n", encoding="utf-8")
    upload(page, tmp_path / "wrong.csv")
    wait_for(page, ".failed", "Line 2 has 3 cells, the first line has 2")
    page.locator(".outdated").wait_for(state="hidden")  # a file that cannot be read changes nothing
    page.get_by_role("button", name="Compute", exact=True).click()
    page.locator(".failed:visible").wait_for(state="hidden")
    upload(page, tmp_path / "wrong.csv")
    wait_for(page, ".failed", "Line 2 has 3 cells, the first line has 2")
    for key in ("Control+A", "Delete"):  # which fires no event of Gradio's
        page.get_by_label("Cut-off ranks").press(key)
    page.locator(".outdated").wait_for()
    wait_for(page, ".rule", "Changed: Cut-off ranks: none")
    page.get_by_role("tab", name="A against B").click()
    page.get_by_role("tab", name="One system").click()
    fill(page, "Cut-off ranks", "0, 1")
    page.get_by_role("button", name="Compute", exact=True).click()
    wait_for(page, ".report + *, .failed", "k must be a list of distinct integers of at least 1")
    fill(page, "Cut-off ranks", "1")
    page.get_by_role("button", name="More options").click()
    page.get_by_label("by sentence, ROUGE-L").check()
    page.get_by_label("Language of the texts").wait_for()
    page.get_by_label("chunk by chunk, ROUGE-L").check()
    page.get_by_label("Language of the texts").wait_for(state="hidden")  # it has no effect
    page.locator(".rows:visible [aria-label='Open cell menu']").first.evaluate("button => button.click()")
    page.get_by_role("menuitem", name="Delete column").wait_for()
    assert page.get_by_role("menuitem").count() == 1  # what is filtered, sorted or added would have an unseen effect
    page.get_by_role("menuitem", name="Delete column").evaluate("item => item.click()")


def test_late_answer_is_out_of_date(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    (tmp_path / "rows.csv").write_text("prediction,reference\n" + f"{'a' * 40},b\n" * 3_000, encoding="utf-8")
    upload(page, tmp_path / "rows.csv")
    wait_for(page, ".rows", "aaa")
    held: list[Any] = []  # the call with all rows, until the other one is answered
    calls = "**/run/predict*"
    page.route(calls, lambda one: held.append(one) if len(one.request.post_data) > 100_000 else one.continue_())
    page.get_by_role("button", name="Compute", exact=True).click()
    page.locator("#report-score[data-busy]").wait_for()
    page.get_by_role("button", name="Try an example").click()
    page.locator("#report-score[data-asked=example]:not([data-busy])").wait_for()
    wait_for(page, ".sentence", "of 8 answers match")
    held.pop().continue_()
    wait_for(page, ".sentence", "of 3,000 answers match")
    page.locator(".outdated").wait_for()


def test_rows_of_an_example_never_replace_what_is_typed(visit: Visit) -> None:
    page = visit()
    slow_down(page)
    page.get_by_role("button", name="Try an example").click()
    write(page, "cell-0-0", "typed meanwhile")
    page.locator("#report-score:not([data-busy])").wait_for()
    page.locator(".outdated").wait_for()
    playwright.expect(page.locator("#report-score .export").first).to_be_hidden()  # it would be of other rows
    wait_for(page, "[data-testid=cell-0-0]", "typed meanwhile")
    compute(page, "of 8 answers match")
    wait_for(page, ".report tbody", "typed meanwhile")


def test_report_is_filtered_copied_and_saved(visit: Visit) -> None:
    page = visit()
    rows = page.locator(".report tbody:visible")
    playwright.expect(page.locator(".report:not([data-rows])")).to_have_count(1)
    assert "miss" in rows.first.inner_text()
    page.locator(".find").fill("WORLD WAR")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        playwright.expect(rows).to_have_count(1)
    page.locator(".key", has_text="recall").click()
    page.get_by_text("No matching rows.").wait_for()
    page.locator(".key", has_text=re.compile("^ *all")).click()
    page.locator(".find").fill("")
    page.locator(".key", has_text="recall").click()
    playwright.expect(rows).to_have_count(4)
    page.locator(".key input").first.focus()
    page.keyboard.press("Space")
    playwright.expect(rows).to_have_count(8)
    page.get_by_label("Order").select_option("In the order of the rows")
    assert "Röntgen" in rows.first.inner_text()
    with page.expect_download() as download:
        page.locator("a.save", has_text="JSON").click()
    saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert saved["result"]["accuracy"] == 0.5
    for name, text in {"Markdown": "| accuracy | 50.0 |", "LaTeX": "accuracy & 50.0", "Python": "import eval"}.items():
        page.locator(".export summary", has_text=name).click()
        assert text in copied(page, ".report .copy:visible")
        page.locator(".export summary", has_text=name).click()


def test_rows_of_a_large_report_are_found_on_their_pages(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    lines = [f"answer {row},answer {row if row % 3 else row + 1}" for row in range(1_000)]
    (tmp_path / "rows.csv").write_text("prediction,reference\n" + "\n".join(lines), encoding="utf-8")
    upload(page, tmp_path / "rows.csv")
    wait_for(page, "p.note", "1,000 rows")
    compute(page, "666 of 1,000 answers match")
    rows = page.locator(".report tbody")
    playwright.expect(rows).to_have_count(50)
    wait_for(page, ".pages", "1–50 of 1,000")
    page.get_by_label("Next rows").click()
    wait_for(page, ".pages", "51–100 of 1,000")
    page.route("**/explain_rows", lambda request: request.fulfill(body="damaged"), times=1)
    page.locator(".find").fill("answer 998")  # which the server did not draw
    playwright.expect(rows).to_have_count(1)
    playwright.expect(rows.locator(".why")).to_have_count(0)
    page.locator(".find").fill("answer 99")
    page.locator(".find").fill("answer 998")  # a reason that did not arrive is asked for again
    playwright.expect(rows).to_have_count(1)
    wait_for(page, ".report tbody", "Equal as written")
    assert "999" in rows.inner_text()
    page.get_by_label("Order").select_option("In the order of the rows")
    page.locator(".find").fill("")
    wait_for(page, ".report tbody", "answer 49")
    page.locator(".key", has_text="miss").click()
    wait_for(page, ".pages", "1–50 of 334")
    with page.expect_download() as download:
        page.get_by_role("button", name="Report").click()
    download.value.save_as(tmp_path / "report.html")
    page.goto((tmp_path / "report.html").as_uri())
    wait_for(page, ".pages", "1–50 of 1,000")
    reasons = page.evaluate(
        "document.querySelector('.report').rows.filter(({ element }) => element.querySelector('.why')).length"
    )
    assert (reasons, page.locator(".notice:visible").count()) == (1_000, 0)
    for _ in range(19):
        page.get_by_label("Next rows").click()
    wait_for(page, ".pages", "951–1,000 of 1,000")
    playwright.expect(page.get_by_label("Next rows")).to_be_disabled()
    page.locator(".find").fill("answer 998")  # all rows are filtered without a server
    playwright.expect(page.locator(".report tbody")).to_have_count(1)


def test_score_is_corrected_by_the_labels_of_a_random_sample(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Check 30 rows yourself").click()
    fields = page.locator("form.labels fieldset")
    playwright.expect(fields).to_have_count(8)
    for row in fields.all()[1:]:
        row.get_by_label("Right").check()
    fields.first.get_by_label("Wrong").check()
    page.get_by_role("button", name="Show the corrected score").click()
    wait_for(page, ".corrected", "8 labels")
    page.get_by_role("button", name="What would other presets say?").click()
    wait_for(page, ".presets", "Short answers")
    write(page, "cell-0-0", "Lyon")
    page.locator(".presets").wait_for(state="hidden")  # they were about other rows


def test_tab_that_is_opened_before_it_is_drawn_waits_for_its_report(visit: Visit) -> None:
    page = visit()
    page.evaluate("""async () => {
        const report = page.report("score");
        report.id = "late";
        page.opened("score");
        await new Promise((wait) => setTimeout(wait, 200));
        report.id = "report-score";
    }""")
    page.wait_for_timeout(200)  # an error of the script fails the test at its end
    assert "50%" in page.locator(".figure").inner_text()


def test_card_of_one_part_changes_the_rules_of_all(visit: Visit) -> None:
    page = visit()
    page.get_by_role("tab", name="A against B").click()
    wait_for(page, ".compare .sentence", "B ")
    playwright.expect(page.locator(".outdated:visible")).to_have_count(0)
    page.get_by_role("tab", name="One system").click()
    page.get_by_label("Short answers").check()  # with the rows of an example, and then with others
    wait_for(page, ".sentence", "4 of 8 answers match")
    playwright.expect(page.locator(".outdated:visible")).to_have_count(0)
    playwright.expect(page.locator(".export:visible").first).to_be_visible()
    page.get_by_role("tab", name="A against B").click()
    page.locator(".outdated:visible").wait_for()
    playwright.expect(page.locator(".export:visible")).to_have_count(0)
    compute(page, "B ", "Compare")
    playwright.expect(page.locator(".outdated:visible")).to_have_count(0)
    page.get_by_role("tab", name="One system").click()
    page.evaluate("page.typed(page.parts[0])")
    page.get_by_label("Free text", exact=True).check()
    page.get_by_role("tab", name="A against B").click()
    page.locator(".outdated:visible").wait_for()


def test_two_systems_are_compared_and_linked(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    (tmp_path / "a.csv").write_text("id,output,gold\n1,Paris,paris\n2,Lima,lima\n3,x,oslo\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("id,output,other\n3,Oslo,north\n1,Paris,east\n2,y,west\n", encoding="utf-8")
    page.get_by_label("Short answers").check()
    wait_for(page, ".sentence", "4 of 8 answers match")
    page.get_by_role("tab", name="A against B").click()
    wait_for(page, ".compare .sentence", "B ")
    upload(page, tmp_path / "a.csv", "Upload files")
    wait_for(page, "p.note", "3 rows: Prediction A from “output”")
    wait_for(page, ".rows", "Lima")  # the next call sends what the page shows
    upload(page, tmp_path / "b.csv", "Add a system")
    wait_for(page, "p.note", "3 rows, matched with system A by ID.")
    page.get_by_role("button", name="Columns of the file").locator("visible=true").click()
    for field, text in (("other", "north"), ("output", "Oslo")):
        page.get_by_label("Prediction B from").select_option(field)
        wait_for(page, ".rows", re.compile(text))  # the references have "oslo"
    compute(page, "b scores the same as a", "Compare")
    link = copied(page, "a.link:visible")
    assert "#rows=" in link
    outcomes = [row.split()[1] for row in page.locator(".compare .rows-of tbody").all_inner_texts()]
    assert outcomes == ["regressed", "same", "improved"]
    page.get_by_label("Only where they differ").check()
    playwright.expect(page.locator(".compare .rows-of tbody")).to_have_count(2)
    (tmp_path / "c.csv").write_bytes((tmp_path / "a.csv").read_bytes())
    upload(page, [tmp_path / f"{name}.csv" for name in "abc"], "Upload files")
    playwright.expect(page.get_by_label("Names of the systems")).to_have_value("a, b, c")
    compute(page, "Ranks that the systems may have", "Compare")
    playwright.expect(page.locator(".leaderboard tbody tr")).to_have_count(3)
    upload(page, tmp_path / "a.csv", "Upload files")
    wait_for(page, "p.note", "3 rows: Prediction A from “output”")
    page.get_by_role("button", name="Columns of the file").locator("visible=true").click()
    page.get_by_label("Prediction A from").select_option("gold")  # of this file, though one was added before
    wait_for(page, "p.note", "3 rows: Prediction A from “gold”")
    page.locator("h1").evaluate(DROP)  # anywhere
    wait_for(page, "p.note", "2 rows")
    other = visit(fragment="#" + link.partition("#")[2])
    wait_for(other, ".sentence", "b scores the same as a")
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
            report = page.locator("[id^=report-]:visible:not([data-busy])")
            report.locator(".report, .failed").first.wait_for()  # a tab loads its example under the current rules
            page.wait_for_timeout(200)  # and chooses its card
        card = page.locator(".cards:visible").get_by_label(example["title"], exact=True)
        note = page.locator("p.note:visible", has_text="" if "recorded" in example else example["note"]).first
        if not card.is_checked():
            card.check()
        note.wait_for()
        report = page.locator(f"#report-{'compare' if example.get('comparing') else 'score'}")
        playwright.expect(report.locator(".row")).to_have_count(len(example["rows"]))
        report.locator(".outdated").wait_for(state="hidden")
        if "recorded" in example:
            page.get_by_role("button", name="Compute", exact=True).click()
            page.locator("p.note:visible").wait_for(state="hidden")  # this report is not the recorded one
        if example["options"].keys() <= {"preset"}:
            page.locator(".reset:visible").wait_for(state="hidden")
