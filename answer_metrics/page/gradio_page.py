"""The page of a Space in Gradio's components, its endpoints and MCP tools. Uploads are deleted within five minutes."""

import ast
import functools
import importlib.util
import inspect
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
import pandas as pd
from gradio.blocks import BlocksConfig
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from answer_metrics.files.rows import InputError, plural
from answer_metrics.page import page_tables as tables
from answer_metrics.page.calls import Runner, guard
from answer_metrics.page.page_tables import SYSTEMS, Column, Row, Table
from answer_metrics.page.report import HERE, PARTS
from answer_metrics.page.space import Parameter, Space

KEPT = (60, 180)  # seconds between two searches for old uploads, and the age at which they are deleted
FILES = ".csv .tsv .txt .json .jsonl .ndjson .parquet .xlsx .eval .zip .gz .xz .zst".split()
# Of the events of the page: Gradio's queue would hold the last request until the next one.
HIDDEN: dict[str, Any] = {"api_visibility": "private", "queue": False}
Sent = Mapping[str, Any]  # what the script sends with a call: `page.sent`

# HTML without Gradio's styles and script.
block = functools.partial(gr.HTML, apply_default_css=False, padding=False, js_on_load=None)


def headed(columns: Sequence[Column], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the properties of the table for rows and an empty one; optional columns only if they have texts."""
    places = range(len(columns))
    used = [place for place in places if not columns[place].optional or any(row[place].strip() for row in rows)]
    data = [[row[place] for place in used] for row in rows] + [[""] * len(used) for _ in range(1 if rows else 3)]
    value = {"headers": [columns[place].heading for place in used], "data": data}
    width = f"{100 / len(used):.2f}%" if len(used) <= 3 else "150px"  # more columns scroll
    return {"value": value, "column_widths": [width] * len(used)}


def rows_of(frame: pd.DataFrame, columns: Sequence[Column]) -> list[Row]:
    """Return the rows of the table; a visitor may have deleted columns, or given them other headers."""
    names = [str(name) for name in frame.columns]
    fields = tables.match_columns(names, columns)
    fields |= {column.name: column.heading for column in columns if column.heading in names}
    wanted = [column.heading for column in columns if not column.optional and column.name not in fields]
    if wanted or len(set(names)) < len(names):
        problem = f"has no column {', '.join(wanted)}" if wanted else "has two columns with the same name"
        raise InputError(f"The table {problem}: press Clear for an empty one, or load the rows again.")
    texts = {str(name): ["" if pd.isna(cell) else str(cell) for cell in frame[name]] for name in frame.columns}
    texts[""] = [""] * len(frame)
    return [list(row) for row in zip(*(texts[fields.get(column.name, "")] for column in columns), strict=True)]


class Part:
    """A part of the page: a table of rows with its sources, the button that scores or compares them, the report."""

    def __init__(self, page: "Page", method: str, columns: list[Column]) -> None:
        self.page, self.method, self.columns, self.compares = page, method, columns, method == "compare"
        examples = [example for example in page.space.examples if bool(example.get("comparing")) is self.compares]
        self.examples = [*examples, {"rows": []}]  # the last one is what Clear leaves

    def draw(self) -> None:
        """Add the components of the rows."""
        space = self.page.space
        title = space.words["preset"][0] if "preset" in space.options and not self.compares else "Examples"
        first = self.examples[0]
        block(PARTS.cards(self.method, title, [example["title"] for example in self.examples[:-1]]))
        with gr.Column(elem_classes="line own"):
            block("<b>Your answers:</b>", elem_classes="own-title")
            self.open_paste = gr.Button("Paste", size="sm", min_width=60)
            look = {"size": "sm", "min_width": 60, "file_types": FILES}
            look |= {"file_count": "multiple"} if self.compares else {}
            buttons = ["Upload files", "Add a system"] if self.compares else ["Upload"]
            self.uploads = [gr.UploadButton(text, **look) for text in buttons]
            self.example = gr.Button("Try an example", size="sm", min_width=60, elem_classes="try")
        with gr.Column(elem_classes="sources"):  # the script opens it
            block(PARTS.sources([column.kind for column in self.columns]))
            self.load_text = gr.Button("Load", size="sm", elem_classes="load")
        self.note = block(self.note_of(first), elem_classes="note")
        self.mapping = block("", elem_classes="mapping")
        self.choose = gr.Button(visible="hidden", elem_classes="choose")  # the script clicks it
        look = {**headed(self.columns, first["rows"]), "max_height": 330, "max_chars": 200, "wrap": True, "buttons": []}
        self.table = gr.Dataframe(**look, interactive=True, show_label=False, label="Rows", elem_classes="rows")
        with gr.Column(elem_classes="line bar"):
            self.add = gr.Button("Add rows", size="sm", min_width=80)
            has_more = any(column.optional for column in self.columns)
            self.more = gr.Button("More columns", size="sm", min_width=80, visible=has_more)
            self.clear = gr.Button("Clear", size="sm", min_width=60, elem_classes="clear")
            if self.compares:
                block(PARTS.names(), elem_classes="names")
        with gr.Column(elem_classes="line go"):
            verb = "Compare" if self.compares else "Compute"
            self.button = gr.Button(verb, variant="primary", elem_classes="compute")
            block(PARTS.rule(), elem_classes="rule")

    def draw_answer(self, html: str) -> None:
        """Add the components of the report."""
        space = self.page.space
        with gr.Column(elem_classes=["answer-of", self.method]):
            self.report = block(html, elem_id=f"report-{self.method}", elem_classes="report-of")
            self.steps: dict[Any, Any] = {}  # after a report, and what removes those of an earlier one
            has_answers = bool(space.options) and space.metric.scored_input() == "predictions"
            if has_answers and not self.compares and not space.judged:
                self.draw_steps()

    def draw_steps(self) -> None:
        """Add what a visitor may do after a report."""
        with gr.Column(elem_classes="line further-steps"):
            self.check = gr.Button("Check 30 rows yourself", size="sm")
            several = len(self.page.space.presets) > 1
            self.others = gr.Button("What would other presets say?", size="sm", visible=several)
        self.step = block("", elem_classes="step")
        self.correct = gr.Button("Show the corrected score", size="sm", visible=False, elem_classes="correct")
        self.corrected = block("", elem_classes="step")
        self.steps = {self.step: "", self.correct: gr.update(visible=False), self.corrected: ""}

    def note_of(self, example: Mapping[str, Any]) -> str:
        """Return what is said about an example, which holds under its options."""
        return str(PARTS.note(example.get("note"), example.get("options", {}), "result" in example))

    def filled(self) -> list[Any]:
        """Return the components that take the rows of an example, and lose what was read before."""
        return [self.table, self.note, self.mapping, self.button]

    def fillings(self, example: Mapping[str, Any]) -> list[Any]:
        """Return what these components take, as the browser does, too."""
        update = {"__type__": "update"}
        table = headed(self.columns, example["rows"])
        return [{**update, **table}, self.note_of(example), "", {**update, "interactive": True}]

    # ---- events

    def connect(self) -> None:
        """Add the events; while a call runs, the last of further ones counts, but a second click never pays a judge."""
        page, table, method = self.page, self.table, self.method
        on = functools.partial(page.on, trigger_mode="always_last")
        once = {"trigger_mode": "once"} if page.space.judged else {}
        rows = [page.sent, table]
        # At once, so that no later rows are replaced.
        self.example.click(None, None, self.filled(), js=f"() => page.fill('{method}')", **HIDDEN)
        compute = functools.partial(on, self.button.click, self.compute, rows, **once)
        show = functools.partial(on, self.example.click, self.show_example, [page.sent])
        for name, start in (("rows", compute), ("example", show)):
            call = f"'{method}', '{name}'"
            asked = start([self.report, *self.steps], js=f"(_, ...table) => page.asked({call}, table)")
            asked.then(None, js=f"() => page.answered({call})", **HIDDEN)
        self.connect_sources(on)
        self.add.click(None, table, table, js="(rows) => page.addRows(rows)", **HIDDEN)
        headings = json.dumps([column.heading for column in self.columns])
        self.more.click(None, table, table, js=f"(rows) => page.addColumns({headings}, rows)", **HIDDEN)
        table.input(None, js=f"() => page.typed('{method}')", **HIDDEN)
        if self.steps:
            drawn = {"outputs": [*self.steps], "inputs": rows, "js": f"(_, table) => [page.sent('{method}'), table]"}
            on(self.check.click, self.draw_sample, **drawn)
            on(self.others.click, self.score_presets, **drawn)
            labeled = {"js": f"(_, table) => [page.sent('{method}', page.labels()), table]"}
            on(self.correct.click, self.correct_score, rows, [self.corrected], **labeled)

    def connect_sources(self, on: Callable[..., Any]) -> None:
        """Add the events of uploads and of the fields for texts."""
        page, method = self.page, self.method
        self.open_paste.click(None, js=f"() => page.openSources('{method}')", **HIDDEN)
        sources = [page.sent, self.table, *self.uploads]
        outputs = [self.note, self.table, self.mapping, self.button, page.sent, *self.uploads]
        unread: dict[Any, Any] = {page.sent: {}}
        forgotten = {**unread, self.mapping: "", **dict.fromkeys(self.uploads)}
        starts = {self.load_text.click: -1, **{button.upload: place for place, button in enumerate(self.uploads)}}
        for start, place in {**starts, self.choose.click: None}.items():
            handler, refused = functools.partial(self.load, place), unread if place is None else forgotten
            js = f"(_, ...values) => [page.sent('{method}', page.sources('{method}')), ...values]"
            loaded = on(start, handler, sources, outputs, refused=refused, js=js)
            then = f"(sent) => page.loaded('{method}', sent, {json.dumps(place is not None)})"
            loaded.then(None, page.sent, js=then, **HIDDEN)
        cleared = self.clear.click(None, None, self.filled(), js=f"() => page.fill('{method}', -1)", **HIDDEN)
        cleared.then(None, js=f"() => page.cleared('{method}')", **HIDDEN)

    # ---- handlers

    async def ask(self, request: gr.Request, method: str, sent: Sent, table: pd.DataFrame, *more: Any) -> Any:
        """Call a method of the Space with the table, and the options and names of systems that the script sent."""
        options, names = self.page.with_effect(sent["options"]), sent["names"]
        if self.compares and names.strip():
            more = (dict(zip(SYSTEMS, map(str.strip, names.split(",")), strict=False)), *more)
        return await self.page.runner.run(request, method, rows_of(table, self.columns), options, *more)

    async def compute(self, request: gr.Request, sent: Sent, table: pd.DataFrame) -> dict[Any, Any]:
        """Score the rows of the table."""
        return {self.report: await self.ask(request, self.method, sent, table), **self.steps}

    async def show_example(self, request: gr.Request, sent: Sent) -> dict[Any, Any]:
        """Score the rows of the chosen card under the options of the page, or take their recorded result."""
        example = self.examples[sent["card"]]
        recorded = example if "result" in example else None
        report = await self.page.runner.run(request, self.method, example["rows"], sent["options"], recorded)
        return {self.report: report, **self.steps}

    async def draw_sample(self, request: gr.Request, sent: Sent, table: pd.DataFrame) -> dict[Any, Any]:
        """Show rows drawn at random as a form."""
        form = await self.ask(request, "sample", sent, table, secrets.randbelow(2**31))
        return {self.step: form, self.correct: gr.Button(visible=True), self.corrected: ""}

    async def correct_score(self, request: gr.Request, sent: Sent, table: pd.DataFrame) -> dict[Any, Any]:
        """Correct the score by the labels of all rows that were drawn."""
        if left := sent["rows"] - len(sent["labels"]):
            raise InputError(f"{plural(left, 'row')} unlabeled: label all drawn rows, or the sample is not random.")
        return {self.corrected: await self.ask(request, "correct", sent, table, sent["labels"])}

    async def score_presets(self, request: gr.Request, sent: Sent, table: pd.DataFrame) -> dict[Any, Any]:
        """Show the score of the rows under each preset."""
        return {**self.steps, self.step: await self.ask(request, "presets_scored", sent, table)}

    async def load(self, source: int | None, _: Any, sent: Sent, table: pd.DataFrame, *uploads: Any) -> Any:
        """Read rows from an upload, given by its place, or at -1 from the texts; None if other fields were chosen."""
        limit = self.page.space.limits.rows
        used = [place for place, files in enumerate(uploads) if files and source in {None, place}]
        paths = uploads[used[-1]] if used else ""
        paths = paths if isinstance(paths, list) else [paths]
        adds = used[-1:] == [1]
        unused = [upload for place, upload in enumerate(self.uploads) if source not in {None, place}]
        fresh: dict[Any, Any] = dict.fromkeys(unused)
        names = sent["names"].strip() if adds or source is None else ""
        titles = [name.strip() for name in names.split(",")] if names else []
        rows = [row for row in rows_of(table, self.columns) if any(map(str.strip, row))] if adds else []
        for place, path in enumerate(paths):
            file = await self.page.runner.in_thread(tables.read_source, path, sent["paste"], sent["hub"], limit)
            system = tables.next_system(rows, self.columns) if adds or place else ""
            if source is None:
                mapping = {name: field for name, field in sent["fields"].items() if field in file.names}
                # The table may have texts of this system from when its file was read first.
                own = [column.system for column in self.columns if column.name in mapping and column.system > "A"]
                system = min([system, *own])
            else:
                mapping = tables.match_columns(file.names, self.columns, system)
            missing = tables.missing_columns(file, self.columns, mapping, system)
            if source is not None:
                offered = [column for column in self.columns if not system or column.system in {"", system}]
                fresh[self.mapping] = PARTS.mapping(offered, file.names, mapping, missing)
            if missing:
                if len(paths) > 1:
                    raise InputError(f"{Path(path).name}: {missing} Upload this file alone.")
                waits = {self.button: gr.Button(interactive=False), self.page.sent: {}}
                return {**fresh, **waits, self.note: PARTS.error(missing, waiting=True)}
            rows, note = self.merge(rows, file, mapping, system)
            if path and self.compares:
                letters = [*SYSTEMS]
                before = [*titles, *letters[len(titles) :]][: letters.index(system or "A")]
                titles = [*before, Path(path).stem.replace(",", " ")[:40]]
        filled = {self.table: gr.update(**headed(self.columns, rows)), self.note: PARTS.note(note)}
        back = {"names": ", ".join(titles)}
        return {**filled, self.page.sent: back, self.button: gr.Button(interactive=True), **fresh}

    def merge(self, before: list[Row], file: Table, mapping: Mapping[str, str], system: str) -> tuple[list[Row], str]:
        """Return the rows of a file, merged with those before if it is of a further system; and what was read."""
        if not (rows := tables.to_rows(file, self.columns, mapping)):
            raise InputError("There are no rows, only a header.")
        read = [column for column in self.columns if column.name in mapping]
        origins = ", ".join(f"{column.heading} from “{mapping[column.name]}”" for column in read)
        note = f"{plural(len(rows), 'row')}: {origins}".removesuffix(": ")
        if system:
            rows, note = tables.pair_rows(before, rows, self.columns, system, self.page.space.function("align"))
        remarks = list(file.notes)
        if blank := sum(not any(map(str.strip, row)) for row in rows):
            remarks.insert(0, f"{plural(blank, 'row')} without text left out")
        if missing := tables.count_missing(file, mapping):
            noun = f"missing {self.page.space.metric.scored_input().removesuffix('s')}"
            remarks.append(f"{plural(missing, noun)} counted as wrong")
        return rows, "; ".join([note.rstrip(".") if remarks else note, *remarks])


def control_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options as their controls have them."""
    texts = {name: ", ".join(map(str, value)) for name, value in options.items() if isinstance(value, (tuple, list))}
    return {name: texts.get(name, "" if value is None else value) for name, value in options.items()}


def names_of(example: Mapping[str, Any]) -> str:
    """Return the names of the systems of an example as their field has them."""
    return ", ".join((example.get("names") or {}).values())


class Page:
    """The page of a Space."""

    def __init__(self, space: Space) -> None:
        self.space, self.runner = space, Runner(space)
        self.defaults = control_values({name: space.values[name] for name in space.options})
        self.presets = {
            preset: control_values({name: value for name, value in options.items() if name in space.options})
            for preset, options in space.presets.items()
        }
        self.needs: dict[str, list[Any]] = {}  # another option, and its values; in the order that they have in JSON
        for name, option in sorted(space.options.items()):
            if option.needs and option.needs[0] in space.options:
                self.needs[name] = ["" if value is None else value for value in option.needs]
        self.parts = [Part(self, "score", space.rows)]
        if space.options:  # the gallery's page compares metrics, not systems
            self.parts.append(Part(self, "compare", space.compared))
        self.opening = self.options_of(self.parts[0].examples[0])

    def settings(self) -> dict[str, Any]:
        """Return what the script in the browser knows about options and cards."""
        space = self.space
        return {
            "defaults": self.defaults,
            "values": self.opening,
            "presets": self.presets,
            "needs": self.needs,
            "parts": [part.method for part in self.parts],
            "used": {part.method: space.used[part.method] for part in self.parts},
            "cards": {part.method: [*map(self.options_of, part.examples[:-1])] for part in self.parts},
            "fillings": {part.method: [*map(part.fillings, part.examples)] for part in self.parts},
            "systems": {part.method: [names_of(example) for example in part.examples] for part in self.parts},
            "titles": {name: space.words[name][0].rstrip(" …") for name in space.options},
            "choices": {name: space.words[name][2] for name in space.options},
            "offered": {name: self.offered(name) for name in space.options},
            "common": space.common,
            "rules": space.rules,
        }

    def options_of(self, example: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options of an example, or of a link."""
        own = control_values({name: value for name, value in example["options"].items() if name in self.defaults})
        return {**self.defaults, **self.presets.get(own.get("preset"), {}), **own}

    def with_effect(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that matter under the others."""
        chosen = {**self.defaults, **options}
        idle = {name for name, (needed, *allowed) in self.needs.items() if chosen[needed] not in allowed}
        return {name: value for name, value in chosen.items() if name not in idle}

    def offered(self, name: str) -> list[Any]:
        """Return the choices of an option as its control has them."""
        return ["" if choice is None else choice for choice in self.space.offered(name)]

    def control(self, name: str) -> dict[str, Any]:
        """Return what the control of an option shows; its code name is in the help."""
        option, (title, _, names) = self.space.options[name], self.space.words[name]
        info = f"{name}: {option.help.replace('`', '')}" if option.help else name
        kind = "checkbox" if option.accepts(bool) else "text"
        if kind == "text" and (option.accepts(float) or option.accepts(int)) and self.opening[name] != "":
            kind = "number"
        return {
            "name": name,
            "title": title,
            "info": info,
            "kind": kind,
            "step": "1" if option.accepts(int) else "0.05",
            "choices": [names.get(choice, str(choice) or "none") for choice in self.offered(name)],
            "both": name in self.space.used["compare"],
        }

    def build(self) -> gr.Blocks:
        """Return the page."""
        space = self.space
        with gr.Blocks(title=space.title, analytics_enabled=False, delete_cache=KEPT, fill_width=True) as blocks:
            owner = os.environ.get("SPACE_ID", "").partition("/")[0]
            hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
            block(PARTS.masthead(space, owner and f"{hub}/spaces/{owner}"))
            with gr.Column(elem_classes="split"):
                with gr.Column(elem_classes="asked"), gr.Tabs() as self.tabs:  # a single one has no title
                    for part, title in zip(self.parts, ("One system", "A against B"), strict=False):
                        with gr.Tab(title, id=part.method, elem_classes=["part", part.method]) as tab:
                            part.draw()
                        tab.select(None, js=f"() => page.opened('{part.method}')", **HIDDEN)
                with gr.Column(elem_classes="answer"):
                    for part, html in zip(self.parts, (self.first_report(), ""), strict=False):
                        part.draw_answer(html)
                if controls := [self.control(name) for name in space.options if name != "preset"]:
                    block(PARTS.options(controls, space.common), elem_classes="options")
            self.open = gr.Button(visible="hidden", elem_id="open-link")  # the script clicks it
            self.sent = gr.JSON(visible=False)  # what the script sends with a call, and gets back
            block(PARTS.fold("Metric card" if space.options else "About"), elem_classes="fold")
            text = gr.Markdown(visible=False, elem_classes="card")
            gr.Button(visible="hidden", elem_id="read-card").click(self.read_card, None, text, **HIDDEN)
            self.connect(blocks)
            api: dict[str, Any] = {"queue": False, "concurrency_limit": None}
            with gr.Column(visible=False):  # else the browser would draw each argument
                for name, endpoint in space.endpoints().items():
                    gr.api(self.endpoint(name, *endpoint), api_name=name, **api)
                call: Parameter = ("call", list, [], "A report and rows of it.")
                explained = self.endpoint("explain_rows", "explain_rows", "For the page itself.", [call])
                gr.api(explained, api_name="explain_rows", api_visibility="undocumented", **api)
        return blocks

    def first_report(self) -> str:
        """Return the report of the first example."""
        example = self.parts[0].examples[0]
        try:
            return self.space.score(example["rows"], self.opening, example if "result" in example else None)
        except Exception as error:  # the page itself works
            return str(PARTS.error(self.space.reason(error)))

    def read_card(self) -> Any:
        """Show the metric card, without its title."""
        card = (self.space.directory / "README.md").read_text(encoding="utf-8")
        text = re.sub(r"\A---\n.*?\n---\n\s*(# [^\n]*\n)?", "", card, flags=re.DOTALL)
        return gr.Markdown(text, visible=True)

    # ---- events

    def connect(self, blocks: gr.Blocks) -> None:
        """Add the events of the page."""
        for part in self.parts:
            part.connect()
        places = [component for part in self.parts for component in (part.report, *part.filled())]
        blocks.load(None, js="() => page.start()", **HIDDEN)
        link = {"js": "() => page.link()", "show_progress": "hidden"}
        opened = self.on(self.open.click, self.open_link, self.sent, [*places, self.sent, self.tabs], **link)
        opened.then(None, self.sent, js="(sent) => page.arrived(sent)", **HIDDEN)

    def on(self, event: Any, handler: Any, inputs: Any, outputs: Any, refused: Any = None, **properties: Any) -> Any:
        """Let a handler answer an event; the message of an error takes the place of the first output."""
        call = self.safe(handler, lambda message: {outputs[0]: PARTS.error(message), **(refused or {})})
        return event(fn=call, inputs=inputs, outputs=outputs, **HIDDEN, **properties)

    async def open_link(self, request: gr.Request, sent: Sent) -> dict[Any, Any]:
        """Show the rows of a link."""
        rows, options, comparing = tables.unpack_link(sent["link"])
        part = self.parts[-1 if comparing else 0]
        names = comparing if isinstance(comparing, dict) else {}
        example = {"rows": tables.filled_rows(rows, len(part.columns)), "names": names}
        chosen = self.options_of({"options": options})
        report = await self.runner.run(request, part.method, example["rows"], chosen, names or None)
        filled = dict(zip(part.filled(), part.fillings(example), strict=True))
        back = {"part": part.method, "options": chosen, "names": names_of(example)}
        return {part.report: report, **filled, self.sent: back, self.tabs: gr.Tabs(selected=part.method)}

    def safe(self, handler: Callable[..., Any], refuse: Callable[[str], Any]) -> Callable[..., Any]:
        """Answer with the message of an error if a handler fails; it is not logged, as it may repeat texts."""

        async def call(request: gr.Request, *args: Any) -> Any:
            try:
                return await handler(request, *args)
            except Exception as error:
                return refuse(self.space.reason(error))

        return call

    def endpoint(self, name: str, method: str, text: str, parameters: list[Parameter]) -> Any:
        """Return the function of an endpoint, with its name, signature and documentation."""
        with_key = self.space.authorize is not None and method == "call"

        async def call(request: gr.Request, *args: Any) -> Any:
            arguments = dict(zip((parameter[0] for parameter in parameters), args, strict=False))
            key = [str(args[-1] or "").strip()] if with_key else []
            return await self.runner.run(request, method, arguments, *key)

        def refuse(message: str) -> None:
            raise gr.Error(message, print_exception=False)

        function: Any = self.safe(call, refuse)
        taken = [("request", gr.Request, inspect.Parameter.empty), *(parameter[:3] for parameter in parameters)]
        taken += [("x_judge_key", gr.Header, "")] if with_key else []
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        arguments = [inspect.Parameter(arg, kind, annotation=type_, default=value) for arg, type_, value in taken]
        helps = "\n".join(f"    {argument}: {help_text}" for argument, _, _, help_text in parameters)
        function.__name__, function.__doc__ = name, f"{text}\n\nArgs:\n{helps}"
        function.__signature__ = inspect.Signature(arguments, return_annotation=dict)
        function.__annotations__ = {argument.name: argument.annotation for argument in arguments} | {"return": dict}
        return function


def json_tools(server: Any, space: Space) -> None:
    """Make an MCP server return JSON, as text and as structured content, where Gradio returns the repr of a dict."""
    from mcp import types as messages  # an extra of gradio that may be missing

    answers, lists = (server.request_handlers[kind] for kind in (messages.CallToolRequest, messages.ListToolsRequest))

    async def call(request: Any) -> Any:
        reply = await answers(request)
        (content,) = reply.root.content
        if not reply.root.isError:
            reply.root.structuredContent = ast.literal_eval(content.text)
            content.text = json.dumps(reply.root.structuredContent, ensure_ascii=False)
        elif content.text[:1] in {"'", '"'}:
            content.text = ast.literal_eval(content.text)
        return reply

    async def list_tools(request: Any) -> Any:
        reply = await lists(request)
        for tool in reply.root.tools:
            tool.outputSchema = space.output_schema(space.endpoints()[tool.name][0])
        return reply

    server.request_handlers |= {messages.CallToolRequest: call, messages.ListToolsRequest: list_tools}


def launch(space: Space) -> None:
    """Serve the page until the process ends."""
    # After each call, Gradio would summarize the last 10,000 with pandas, for monitoring, which is off.
    os.environ.update(GRADIO_ANALYTICS_MAX_EVENTS="1", GRADIO_ANALYTICS_CACHE_FREQUENCY=str(sys.maxsize))
    os.environ["FORWARDED_ALLOW_IPS"] = "*"  # a Space is behind a proxy, which says who the client is
    page = Page(space)
    blocks = page.build()
    # The style of the report is here as Gradio must not rewrite it: saved reports have it too.
    texts = [(HERE / name).read_text(encoding="utf-8") for name in ("report.css", "report.js", "page.js")]
    sans = gr.themes.LocalFont("IBM Plex Sans", weights=(400, 700))
    fonts = {"font": [sans, "ui-sans-serif", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    has_mcp = importlib.util.find_spec("mcp") is not None
    blocks.launch(
        theme=gr.themes.Base(primary_hue="indigo", neutral_hue="stone", radius_size="md", **fonts),
        css_paths=HERE / "page.css",
        head=str(PARTS.head(page.settings(), *texts)),
        mcp_server=has_mcp,
        footer_links=["api"],
        ssr_mode=False,
        run_history=False,
        enable_monitoring=False,
        max_file_size="20mb",
        app_kwargs={"middleware": [Middleware(guard), Middleware(GZipMiddleware, compresslevel=6)]},
        state_session_capacity=100,
        prevent_thread_lock=True,
    )
    # Gradio would describe all components for each session, with their last values, for deep links: there are none.
    BlocksConfig.config_for_block = lambda *_: {}
    if has_mcp:
        json_tools(blocks.mcp_server_obj.mcp_server, space)
    blocks.block_thread()
