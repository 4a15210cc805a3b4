"""Random walks over the page: what it shows is what `compute` returns for what the table has, or is marked out of date.

WALKS=300 walks as long as one likes; by default, a few walks do.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import answer_metrics

playwright = pytest.importorskip("playwright.sync_api")

WALKS, STEPS = int(os.environ.get("WALKS", "12")), 7
TEXTS = tuple("Paris; paris!; It is Paris.; Lyon; 12; twelve; The answer is (B).; B; 3.50; <b>x</b>; a b".split("; "))
CARDS: dict[str, dict[str, Any]] = {
    "Free text": {"preset": "free_form"},
    "Short answers": {},
    "Numbers": {"preset": "number"},
    "As it is written": {"case_sensitive": True, "normalize_text": False},
}
STATE = """() => {
  const report = document.querySelector("#report-score");
  const cells = [...document.querySelectorAll(".part.score .rows [role=gridcell]")];
  const width = document.querySelectorAll(".part.score .rows [role=columnheader]").length;
  const texts = cells.map((cell) => cell.querySelector("textarea")?.value ?? cell.querySelector(".text").textContent);
  const rows = [];
  for (let place = 0; place < texts.length; place += width) rows.push(texts.slice(place, place + width));
  return {
    rows: rows.filter((row) => row.join("")),
    busy: "busy" in report.dataset,
    stale: "stale" in report.dataset,
    score: report.querySelector(".figure strong")?.title ?? "",
    failed: [...document.querySelectorAll(".score .failed")].some((note) => note.offsetParent),
    rule: document.querySelector(".part.score .rule").textContent,
    drawn: [...report.querySelectorAll(".rows-of tbody")].length,
  };
}"""


class Walk:
    """A visitor who does anything, and knows what the page must show."""

    def __init__(self, page: Any, seed: int, place: Path) -> None:
        self.page, self.random, self.place = page, random.Random(seed), place
        self.rows: list[list[str]] = []
        self.options: dict[str, Any] = {}
        self.scored: tuple[list[list[str]], dict[str, Any]] | None = None  # what the report is of
        self.own = True
        self.done: list[str] = []

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True).locator("visible=true")

    def settle(self) -> dict[str, Any]:
        """Wait until nothing changes any more, and return what is shown."""
        last = None
        for _ in range(100):
            state: dict[str, Any] = self.page.evaluate(STATE)
            if state == last and not state["busy"]:
                return state
            last = state
            self.page.wait_for_timeout(120)
        raise AssertionError(f"{self.done}: the page does not settle: {last}")

    # ---- steps

    def clear(self) -> None:
        self.button("Clear").click()
        self.rows, self.own, self.scored = [], True, None

    def read(self, rows: list[list[str]]) -> None:
        self.rows, self.own, self.scored = rows, True, None

    def drawn_rows(self) -> list[list[str]]:
        return [[self.random.choice(TEXTS), self.random.choice(TEXTS)] for _ in range(self.random.randint(1, 3))]

    def upload(self) -> None:
        rows = self.drawn_rows()
        path = self.place / "rows.tsv"
        path.write_text("\n".join(map("\t".join, [["prediction", "reference"], *rows])), encoding="utf-8")
        with self.page.expect_file_chooser() as chooser:
            self.button("Upload").click()
        with self.page.expect_response("**/run/predict*"):  # the note may be that of an earlier file
            chooser.value.set_files(path)
        self.page.locator("p.note:visible", has_text="from “prediction”").wait_for()
        self.page.wait_for_timeout(300)
        self.read(rows)

    def paste(self) -> None:
        rows = self.drawn_rows()
        self.button("Paste").click()
        field = self.page.locator(".paste textarea:visible")
        field.wait_for()
        field.fill("\n".join(map("\t".join, [["prediction", "reference"], *rows])))
        self.button("Load").click()
        self.page.locator(".paste textarea:visible").wait_for(state="hidden")
        self.read(rows)

    def open_cell(self) -> str | None:
        """Open the field of a cell and type; return what was typed, or None without rows."""
        if not self.rows:
            return None
        self.page.locator("[data-testid=cell-0-0]:visible").dblclick()
        self.page.locator("[data-testid=cell-0-0] textarea:focus").wait_for()
        self.page.wait_for_timeout(60)
        text = self.random.choice(TEXTS)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)
        return text

    def edit(self) -> None:
        text = self.open_cell()
        if text is not None:
            self.page.keyboard.press(self.random.choice(["Enter", "Tab"]))
            self.rows = [[text, *self.rows[0][1:]], *self.rows[1:]]
            self.own, self.scored = True, None

    def escape(self) -> None:
        if self.open_cell() is not None:
            assert self.settle()["stale"], f"{self.done}: an open cell is an edit"
            self.page.keyboard.press("Escape")

    def compute_open(self) -> None:
        text = self.open_cell()
        if text is not None:
            self.rows = [[text, *self.rows[0][1:]], *self.rows[1:]]
            self.own = True
        self.compute()

    def compute(self) -> None:
        self.button("Compute").click()
        self.page.wait_for_timeout(100)
        self.scored = (self.rows, self.options) if self.rows else None

    def pick(self) -> None:
        name = self.random.choice([*CARDS])
        card = self.page.locator(".cards:visible").get_by_label(name, exact=True)
        if card.is_checked():
            return
        card.check()
        self.options = {**CARDS[name]}
        self.scored = None
        self.page.wait_for_timeout(200)
        if not self.own:
            self.take_example()

    def example(self) -> None:
        self.button("Try an example").click()
        self.page.wait_for_timeout(200)
        self.take_example()

    def take_example(self) -> None:
        self.rows = self.settle()["rows"]
        self.own, self.scored = False, (self.rows, self.options)

    def typos(self) -> None:
        box = self.page.get_by_label("Accept typos")
        box.set_checked(not box.is_checked())
        options = {name: value for name, value in self.options.items() if name != "fuzzy_match"}
        self.options = {**options, "fuzzy_match": True} if box.is_checked() else options
        self.scored = None

    def reset(self) -> None:
        if self.page.locator(".reset:visible").count():
            self.page.locator(".reset:visible").click()
            self.options = {name: value for name, value in self.options.items() if name == "preset"}
            self.scored = None

    def steps(self) -> list[Callable[[], None]]:
        return [
            *(self.clear, self.upload, self.paste, self.edit, self.escape, self.compute_open),
            *(self.compute, self.pick, self.example, self.typos, self.reset),
        ]

    def run(self) -> None:
        metric = answer_metrics.load("accuracy")
        for _ in range(STEPS):
            step = self.random.choice(self.steps())
            self.done.append(step.__name__)
            step()
            state = self.settle()
            story = f"{self.done}: {state}, {self.rows}, {self.options}"
            assert [row[:2] for row in state["rows"]] == [row[:2] for row in self.rows], story
            assert ("except" in state["rule"]) == bool(self.options.keys() - {"preset"}), story
            if self.scored is None:
                assert state["stale"] or state["failed"], story
            else:
                rows, options = self.scored
                inputs = {name: list(column) for name, column in zip(NAMES, zip(*rows, strict=True), strict=False)}
                inputs["references"] = [text.split(" | ") for text in inputs["references"]]
                expected = metric.compute(**inputs, **options)["accuracy"]
                assert (state["stale"], state["drawn"]) == (False, len(rows)), story
                assert float(state["score"]) == pytest.approx(expected), story


NAMES = ("predictions", "references")


@pytest.mark.filterwarnings("ignore:accuracy. extract found nothing:UserWarning")  # the page shows it as a notice
def test_random_walks(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit()
    page.get_by_role("button", name="Customize the rules").click()
    page.get_by_label("Accept typos").wait_for()
    for seed in range(WALKS):
        walk = Walk(page, seed, tmp_path)
        page.locator(".cards:visible").get_by_label("Short answers", exact=True).check()
        page.wait_for_timeout(300)
        walk.clear()
        walk.settle()
        walk.run()
        if page.locator(".reset:visible").count():
            page.locator(".reset:visible").click()
