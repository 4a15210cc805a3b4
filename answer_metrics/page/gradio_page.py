"""The page of a Space in Gradio's components, its endpoints and its MCP tools.

What visitors send is neither logged nor kept; uploads are deleted within five minutes.
"""

import ast
import asyncio
import functools
import importlib.util
import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from subprocess import DEVNULL
from typing import Any
from weakref import WeakValueDictionary

import anyio
import gradio as gr
import pandas as pd
from gradio.blocks import BlocksConfig
from gradio.context import LocalContext
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from answer_metrics.page.page_tables import Column, Row
from answer_metrics.page.space import HERE, PARTS, Parameter, Space

SECONDS = 30
# Characters, characters of a text, and pieces between quotes of a call, as JSON, that runs in a thread.
LIGHT, LIGHT_CELL, LIGHT_TEXTS = 60_000, 1_000, 6_000
KEPT = (60, 180)  # seconds between two searches for old uploads, and the age at which they are deleted
BODY = 26_000_000  # bytes of a request, which may be an upload in an envelope
OPEN = 8  # large calls of a client that may wait for another of its own; they run one at a time
LISTEN = 10  # seconds until a client must ask for the result of a large call
FILES = [".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet"]
# Of the events of the page: Gradio's queue would hold the last request until the next one.
HIDDEN: dict[str, Any] = {"api_visibility": "private", "queue": False}


# ---- calls

LISTENING: WeakValueDictionary[str, Request] = WeakValueDictionary()  # open requests for results, by event or session


class Runner:
    """Runs the calls of a Space: small ones in threads, large ones in processes that can be ended.

    A large call may take 30 seconds, runs after the others of its client, and ends when the client leaves.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        # Not anyio's threads: an idle one keeps the arguments of its last call.
        self.threads = ThreadPoolExecutor(8 if space.judged else 2)
        self.processes = anyio.CapacityLimiter(2)
        self.turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def run(self, caller: gr.Request, method: str, *args: Any) -> Any:
        """Call a method of the Space; an `InputError` says that it failed, took too long, or whose client has left."""
        judged, function = self.space.judged, getattr(self.space, method)
        if is_light(args) and not judged:
            return await self.in_thread(function, *args)
        events = [caller.session_hash, LocalContext.event_id.get(None)]
        with anyio.move_on_after(LISTEN) as asked:
            while not await is_there(caller, events):  # nothing says when
                await anyio.sleep(0.02)
        if asked.cancelled_caught:
            raise InputError("No client waits for the result.")
        turn = self.turns.setdefault(caller.client.host if caller.client else "", anyio.Lock())
        if turn.statistics().tasks_waiting >= OPEN:
            raise InputError(f"{OPEN} large calls of yours are already waiting. Wait for one of them.")
        with anyio.CancelScope() as scope:
            watch = asyncio.ensure_future(end_without(caller, events, scope))
            try:
                async with turn:
                    return await (self.in_thread(function, *args) if judged else self.in_process(method, *args))
            finally:
                watch.cancel()
        raise InputError("The client has left.")

    async def in_process(self, method: str, *args: Any) -> Any:
        """Answer a call in a process, which is ended after 30 seconds, or if this is cancelled."""
        directory = self.space.directory
        code = f"import sys; sys.path[:] = {sys.path!r}; from {Space.__module__} import answer_once; answer_once()"
        command = [sys.executable, "-c", code, str(directory / "app.py")]
        call = json.dumps([method, args]).encode()
        try:
            async with self.processes:
                with anyio.fail_after(SECONDS):
                    process = await anyio.run_process(command, input=call, stderr=DEVNULL, cwd=directory, check=False)
        except TimeoutError:
            message = f"This took more than {SECONDS} seconds. Send fewer or shorter rows, or compute in Python."
            raise InputError(message) from None
        answer = json.loads(process.stdout or b'{"error": "Something went wrong here."}')
        if "error" in answer:
            raise InputError(answer["error"])
        return answer["result"]

    async def in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, function, *args)


async def is_there(caller: gr.Request, events: Sequence[str | None]) -> bool:
    """Return whether a client waits for a result: on the connection of its request, or on a stream of its own."""
    path = caller.request.url.path
    streamed = "/call/" in path or path.endswith("/queue/join")
    waiting = [LISTENING.get(event) for event in events if event] if streamed else [caller.request]
    return any([one is not None and not await one.is_disconnected() for one in waiting])


async def end_without(caller: gr.Request, events: Sequence[str | None], scope: anyio.CancelScope) -> None:
    """Cancel a call when its client has left."""
    while await is_there(caller, events):  # nothing says when
        await anyio.sleep(0.2)
    scope.cancel()


def is_light(value: Any) -> bool:
    """Return whether rows or columns are few and short, so that scoring them takes milliseconds under any option."""
    written = json.dumps(value, ensure_ascii=False).replace("\\\\", "x").replace('\\"', "x")
    texts = written.split('"')
    return len(written) < LIGHT and max(map(len, texts)) < LIGHT_CELL and len(texts) < LIGHT_TEXTS


def guard(app: Any) -> Any:
    """Return middleware that limits all bodies, and knows who waits for results: Gradio does not."""

    async def call(scope: Any, receive: Any, send: Any) -> None:
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > BODY:
                raise HTTPException(413)
            return message

        path = str(scope.get("path"))
        if scope.get("method") == "GET":
            request = Request(scope, counted)  # which must live as long as the call
            session = request.query_params.get("session_hash") if path.endswith("/queue/data") else ""
            LISTENING[session or path.partition("/call/")[2].split("/")[-1]] = request
        await app(scope, counted, send)

    return call


# ---- rows


def block(html: str, **properties: Any) -> gr.HTML:
    """Return HTML as it is, without Gradio's styles."""
    return gr.HTML(html, apply_default_css=False, padding=False, **properties)


def headed(columns: Sequence[Column], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the properties of the table for rows; optional columns only if they have texts."""
    used = [place for place, one in enumerate(columns) if not one.optional or any(row[place].strip() for row in rows)]
    data = [[row[place] for place in used] for row in rows] or [[""] * len(used) for _ in range(3)]
    value = {"headers": [columns[place].label for place in used], "data": data}
    width = f"{100 / len(used):.2f}%" if len(used) <= 3 else "150px"  # more columns scroll
    return {"value": value, "column_widths": [width] * len(used)}


def rows_of(frame: pd.DataFrame, columns: Sequence[Column]) -> list[Row]:
    """Return the rows of the table; a visitor may have deleted columns, or given them other headers."""
    names = [str(name) for name in frame.columns]
    found = tables.match_columns(names, columns) | {one.name: one.label for one in columns if one.label in names}
    wanted = [column.label for column in columns if not column.optional and column.name not in found]
    if wanted or len(set(names)) < len(names):
        what = f"has no column {', '.join(wanted)}" if wanted else "has two columns with the same name"
        raise InputError(f"The table {what}: press Clear for an empty one, or load the rows again.")
    texts = {str(name): ["" if pd.isna(cell) else str(cell) for cell in frame[name]] for name in frame.columns}
    empty = [""] * len(frame)
    return [list(row) for row in zip(*(texts.get(found.get(one.name, ""), empty) for one in columns), strict=True)]


class Part:
    """A part of the page: a table of rows with its sources, and the button that scores or compares them."""

    def __init__(self, page: "Page", method: str, columns: list[Column]) -> None:
        self.page, self.method, self.columns, self.compares = page, method, columns, method == "compare"
        self.examples = [one for one in page.space.examples if bool(one.get("comparing")) is self.compares]

    def draw(self) -> None:
        """Add the components."""
        titles = [[one["title"]] for one in self.examples]
        self.chosen = gr.Dataset(
            components=["textbox"], samples=titles, type="index", visible=bool(titles), elem_classes="examples"
        )
        first = self.examples[0] if self.examples else {"rows": []}
        self.note = block(PARTS.note(first.get("note"), {}), elem_classes="note")
        look = {**headed(self.columns, first["rows"]), "max_height": 360, "max_chars": 200, "wrap": True, "buttons": []}
        self.table = gr.Dataframe(**look, interactive=True, show_label=False, label="Rows", elem_classes="rows")
        with gr.Row(elem_classes="bar"):
            labels = ["Upload file", "Add a system"] if self.compares else ["Upload file"]
            self.uploads = [gr.UploadButton(label, size="sm", file_types=FILES, min_width=80) for label in labels]
            has_more = any(one.optional for one in self.columns)
            self.more = gr.Button("More columns", size="sm", min_width=80, visible=has_more)
            self.add = gr.Button("Add rows", size="sm", min_width=80)
            self.clear = gr.Button("Clear", size="sm", min_width=60)
        with gr.Row(visible=False, elem_classes="mapping") as self.mapping:
            self.fields = [
                gr.Dropdown([""], label=f"{column.label} from", min_width=130, interactive=True, visible=False)
                for column in self.columns
            ]
        with gr.Row(elem_classes="go"):
            self.differ = gr.Button("", size="sm", visible=False, elem_classes="differ")
            label = "Compare A and B" if self.compares else "Compute"
            self.button = gr.Button(label, variant="primary", elem_classes="compute")
        with gr.Accordion("Paste a table, or load a dataset from the Hub", open=False, elem_classes="sources"):
            info = "Copied from a spreadsheet, CSV or JSON, with or without a header. It replaces the rows."
            self.paste = gr.Textbox(lines=3, label="Table", info=info, elem_classes="paste")
            self.hub = gr.Textbox(label="Dataset", info="owner/name, or owner/name, configuration, split", max_lines=1)
            self.load_text = gr.Button("Load", size="sm", elem_classes="load")
            block(PARTS.hint([column.kind for column in self.columns]))

    def connect(self) -> None:
        """Add the events; while a call runs, the last of further ones counts, but a second click never pays a judge."""
        page, table = self.page, self.table
        on = functools.partial(page.on, trigger_mode="always_last")
        controls = [*page.controls.values()]
        once = {"trigger_mode": "once"} if page.space.judged else {}
        shown = [page.report, self.note, table, self.mapping, *self.uploads, *controls]
        compute = functools.partial(on, self.button.click, self.compute, [table, *controls], shown[:1], **once)
        show = functools.partial(on, self.chosen.click, self.show, self.chosen, shown)
        for name, start in (("rows", compute), ("example", show)):
            call = f"'{self.method} {name}'"
            page.after(start(js=f"(...values) => page.asked({call}, values)").then, f"page.answered({call})")
        sources = [self.paste, self.hub, table, *self.uploads, *self.fields]
        outputs = [self.note, table, self.mapping, *self.uploads, *self.fields, *controls]
        forgotten = {self.mapping: gr.Row(visible=False), **dict.fromkeys(self.uploads)}
        starts = {self.load_text.click: 0, **{one.upload: number for number, one in enumerate(self.uploads, 1)}}
        for start, number in starts.items():
            loaded = on(start, functools.partial(self.load, self.uploads[:number]), sources, outputs, refused=forgotten)
            page.after(loaded.then, "page.loaded()")
        chosen = functools.partial(gr.on, [one.input for one in self.fields])
        on(chosen, functools.partial(self.load, None), sources, outputs).then(None, js="() => page.loaded()", **HIDDEN)
        update = {"__type__": "update"}
        emptied = ["", {**update, **headed(self.columns, [])}, {**update, "visible": False}, "", ""]
        emptied += [page.defaults[name] for name in page.controls]
        places = [*outputs[:3], self.paste, self.hub, *controls]
        cleared = self.clear.click(None, None, places, js=f"() => {json.dumps(emptied)}", **HIDDEN)
        page.after(cleared.then, "page.edited()")
        self.add.click(None, table, table, js="(rows) => page.addRows(rows)", **HIDDEN)
        labels = json.dumps([column.label for column in self.columns])
        self.more.click(None, table, table, js=f"(rows) => page.addColumns({labels}, rows)", **HIDDEN)

    # ---- handlers

    async def compute(self, request: gr.Request, frame: pd.DataFrame, *values: Any) -> dict[Any, Any]:
        """Score the rows of the table."""
        rows = rows_of(frame, self.columns)
        chosen = dict(zip(self.page.controls, values, strict=True))
        hidden = {name for name, (needed, *allowed) in self.page.needs.items() if chosen[needed] not in allowed}
        options = {name: one for name, one in chosen.items() if name not in hidden}
        return {self.page.report: await self.page.runner.run(request, self.method, rows, options)}

    async def show(self, request: gr.Request, place: int, example: Mapping[str, Any] | None = None) -> dict[Any, Any]:
        """Show the example at a place, or another one, with its report."""
        example = example or self.examples[place]
        options = self.page.options_of(example)
        recorded = [example] if "result" in example else []
        return {
            self.page.report: await self.page.runner.run(request, self.method, example["rows"], options, *recorded),
            self.table: gr.update(**headed(self.columns, example["rows"])),
            self.note: PARTS.note(example.get("note"), example["options"], "result" in example),
            **dict.fromkeys(self.uploads),
            self.mapping: gr.Row(visible=False),
            **self.page.set_controls(options),
        }

    async def load(
        self, uploads: list[Any] | None, _request: gr.Request, paste: str, hub: str, frame: Any, *others: Any
    ) -> dict[Any, Any]:
        """Read rows from the last of these uploads, or else from the texts; None if other fields were chosen."""
        files, limit = dict(zip(self.uploads, others, strict=False)), self.page.space.limits.rows
        used = [upload for upload in self.uploads if files[upload] and (uploads is None or upload in uploads)]
        table = await self.page.runner.in_thread(tables.read_source, files[used[-1]] if used else "", paste, hub, limit)
        names, before, system = table.names, [], ""
        if used and used[-1] is not self.uploads[0]:
            before = [row for row in rows_of(frame, self.columns) if any(map(str.strip, row))]
            system = tables.next_system(before, self.columns)
        if uploads is None:  # the fields stay as they are: another may have been chosen meanwhile
            fields = zip(self.columns, others[len(self.uploads) :], strict=True)
            mapping, fresh = {one.name: field for one, field in fields if field in names}, {}
            # The table may have texts of this system from when its file was read first.
            system = min([system, *(one.system for one in self.columns if one.name in mapping and one.system > "A")])
        else:
            if system == "E":
                raise InputError("There are four systems already: press Clear to compare others.")
            mapping = tables.match_columns(names, self.columns, system)
            drop, own = functools.partial(gr.Dropdown, ["", *names]), {"", system} if system else {"", *tables.SYSTEMS}
            drops = [drop(value=mapping.get(one.name, ""), visible=one.system in own) for one in self.columns]
            fresh = {self.mapping: gr.Row(visible=True), **dict(zip(self.fields, drops, strict=True))}
            fresh |= {upload: None for upload in self.uploads if upload not in uploads}
        if missing := tables.missing_columns(table, self.columns, mapping, system):
            return {self.note: PARTS.error(missing), **fresh}
        fresh |= self.page.set_controls(self.page.defaults) if uploads is not None else {}
        if not (rows := tables.to_rows(table, self.columns, mapping)):
            raise InputError("There are no rows, only a header.")
        origins = [f"{one.label} from “{mapping[one.name]}”" for one in self.columns if one.name in mapping]
        note = f"{tables.count(len(rows))}: {', '.join(origins)}".removesuffix(": ")
        if system:
            align = self.page.space.function("align")
            rows, note = tables.pair_rows(before, rows, self.columns, system, align)
        blank = sum(not any(map(str.strip, row)) for row in rows)
        more = [f"{tables.count(blank)} without any text left out"] * bool(blank) + table.notes
        note = "; ".join([note.rstrip(".") if more else note, *more])
        return {self.table: gr.update(**headed(self.columns, rows)), self.note: PARTS.note(note), **fresh}


def shown_value(value: Any) -> Any:
    """Return the value of an option as its control has it."""
    return ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else "" if value is None else value


class Page:
    """The page of a Space."""

    def __init__(self, space: Space) -> None:
        self.space, self.runner = space, Runner(space)
        self.defaults = {name: shown_value(one) for name, one in dict(space.values).items() if name in space.options}
        self.presets = {name: {k: shown_value(one) for k, one in of.items()} for name, of in space.presets.items()}
        self.controls: dict[str, Any] = {}
        needs = {name: option.needs for name, option in space.options.items() if option.needs}
        # Another option, and its values; in the order that they have in JSON.
        self.needs = {name: [*map(shown_value, one)] for name, one in sorted(needs.items()) if one[0] in space.options}
        self.parts = [Part(self, "score", space.rows)]
        if space.options:  # the gallery's page compares metrics, not systems
            self.parts.append(Part(self, "compare", space.compared))

    def settings(self) -> dict[str, Any]:
        """Return what the script in the browser knows about the options."""
        used = [self.space.used[part.method] for part in self.parts]
        names = list(self.controls)
        return {"names": names, "defaults": self.defaults, "presets": self.presets, "used": used, "needs": self.needs}

    def options_of(self, example: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options of an example, or of a link."""
        given = {name: one for name, one in example["options"].items() if name in self.defaults}
        return {**self.defaults, **self.presets.get(given.get("preset"), {}), **given}

    def set_controls(self, options: Mapping[str, Any]) -> dict[Any, Any]:
        """Return the values for the controls."""
        return {control: shown_value(options[name]) for name, control in self.controls.items()}

    def control(self, name: str) -> Any:
        """Return the component of an option."""
        option, value = self.space.options[name], self.defaults[name]
        words, _, names = self.space.words[name]
        text = words if words.endswith("?") else f"{words} ({name})"
        common = {"label": text, "info": option.help.replace("`", ""), "value": value}
        common |= {"interactive": True, "elem_classes": [name, "" if name in self.space.used["compare"] else "single"]}
        if name in self.needs:
            needed, *allowed = self.needs[name]
            common["visible"] = self.defaults[needed] in allowed
        offered = ["" if one is None else one for one in self.space.offered(name)]
        if choices := [(names.get(one, str(one) or "none"), one) for one in offered]:
            return gr.Radio(choices, **common)
        if option.accepts(bool):
            return gr.Checkbox(**common)
        if (option.accepts(float) or option.accepts(int)) and value != "":
            return gr.Number(step=1 if option.accepts(int) else 0.05, **common)
        return gr.Textbox(**common)

    def build(self) -> gr.Blocks:
        """Return the page."""
        space = self.space
        with gr.Blocks(title=space.title, analytics_enabled=False, delete_cache=KEPT, fill_width=True) as blocks:
            owner = os.environ.get("SPACE_ID", "").partition("/")[0]
            hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
            block(PARTS.masthead(space, owner and f"{hub}/spaces/{owner}"))
            with gr.Row(elem_classes="split"):
                with gr.Column(elem_classes="asked"):
                    self.draw_controls(["preset"])
                    self.draw_parts()
                with gr.Column(elem_classes="options"):
                    with gr.Column():
                        self.draw_controls(space.common)
                    if set(space.options) > {*self.controls}:
                        with gr.Accordion("More options", open=False):
                            self.draw_controls(space.options)
                with gr.Column(elem_classes="answer"):
                    self.report = block(self.first_report(), elem_id="report")
            with gr.Accordion("Metric card" if space.options else "About", open=False, elem_classes="fold") as card:
                text = gr.Markdown(visible=False, elem_classes="card")
            card.expand(self.read_card, None, text, **HIDDEN)
            self.connect(blocks)
            for name, endpoint in space.endpoints().items():
                gr.api(self.endpoint(name, *endpoint), api_name=name, queue=False, concurrency_limit=None)
        return blocks

    def first_report(self) -> str:
        """Return the report of the first example."""
        example = self.parts[0].examples[0]
        try:
            return self.space.score(example["rows"], self.options_of(example))
        except Exception as error:  # the page itself works
            return str(PARTS.error(self.space.reason(error)))

    def read_card(self) -> Any:
        """Show the metric card, without its title."""
        card = (self.space.directory / "README.md").read_text(encoding="utf-8")
        text = re.sub(r"\A---\n.*?\n---\n\s*(# [^\n]*\n)?", "", card, flags=re.DOTALL)
        return gr.Markdown(text, visible=True)

    def draw_parts(self) -> None:
        """Add the tables of rows, each in its tab; a single tab has no title."""
        with gr.Tabs() as self.tabs:
            for part, title in zip(self.parts, ("One system", "A against B"), strict=False):
                with gr.Tab(title, id=part.method, elem_classes="part"):
                    part.draw()

    def draw_controls(self, names: Iterable[str]) -> None:
        """Add the controls of these options that are not drawn yet, in the metric's order."""
        for name in self.space.options:
            if name in names and name not in self.controls:
                self.controls[name] = self.control(name)

    def after(self, event: Callable[..., Any], script: str = "") -> None:
        """After an event, run a script, say how many options differ, and show those that matter under others."""
        shown = [*(part.differ for part in self.parts), *map(self.controls.__getitem__, self.needs)]
        js = f"(...values) => page.sync(() => {script or 0}, values)"
        event(None, [*self.controls.values()], shown if self.controls else None, js=js, **HIDDEN)

    def connect(self, blocks: gr.Blocks) -> None:
        """Add the events of the page."""
        for part in self.parts:
            part.connect()
        controls, resets = [*self.controls.values()], [part.differ.click for part in self.parts]
        resets += [self.controls["preset"].input] if "preset" in self.controls else []
        self.after(functools.partial(gr.on, [part.table.input for part in self.parts]), "page.edited()")
        changes = [one.change if isinstance(one, gr.Textbox) else one.input for one in controls]
        if changes:  # `input` of a text field misses what is deleted or pasted; the script sees that
            self.after(functools.partial(gr.on, changes))
        reset = gr.on(resets, None, controls, controls, js="(...values) => page.reset(values)", **HIDDEN)
        self.after(reset.then, "page.edited()")
        places = [one for part in self.parts for one in (part.table, part.note, part.mapping, *part.uploads)]
        link = {"inputs": gr.Textbox(visible=False), "js": "() => location.hash.slice(1)", "show_progress": "hidden"}
        load = self.on(blocks.load, self.open_link, outputs=[self.report, *places, *controls, self.tabs], **link)
        self.after(load.then)

    def on(self, event: Any, handler: Callable[..., Any], inputs: Any, outputs: list[Any], **properties: Any) -> Any:
        """Let a handler answer an event; the message of an error takes the place of the first output."""
        refused = properties.pop("refused", {})
        call = self.safe(handler, lambda message: {outputs[0]: PARTS.error(message), **refused})
        return event(fn=call, inputs=inputs, outputs=outputs, **HIDDEN, **properties)

    async def open_link(self, request: gr.Request, packed: str) -> dict[Any, Any]:
        """Show the rows of a link."""
        if not packed.startswith("rows="):
            return {self.report: gr.skip()}
        rows, options, comparing = tables.unpack_link(packed)
        part = self.parts[-1 if comparing else 0]
        rows = tables.filled_rows(rows, len(part.columns))
        shown = await part.show(request, -1, {"rows": rows, "options": options})
        return {**shown, self.tabs: gr.Tabs(selected=part.method)}

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
            arguments = dict(zip((one[0] for one in parameters), args, strict=False))
            key = [str(args[-1] or "").strip()] if with_key else []
            return await self.runner.run(request, method, arguments, *key)

        def refuse(message: str) -> None:
            raise gr.Error(message, print_exception=False)

        function: Any = self.safe(call, refuse)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        given = [inspect.Parameter(one, kind, default=value, annotation=of) for one, of, value, _ in parameters]
        if with_key:
            given.append(inspect.Parameter("x_judge_key", kind, default="", annotation=gr.Header))
        given.insert(0, inspect.Parameter("request", kind, annotation=gr.Request))
        helps = "\n".join(f"    {one}: {note}" for one, _, _, note in parameters)
        function.__name__, function.__doc__ = name, f"{text}\n\nArgs:\n{helps}"
        function.__signature__ = inspect.Signature(given, return_annotation=dict)
        function.__annotations__ = {one.name: one.annotation for one in given} | {"return": dict}
        return function


# ---- the server


def json_tools(server: Any, space: Space) -> None:
    """Make an MCP server return JSON, as text and as structured content, where Gradio returns the repr of a dict."""
    from mcp import types as messages  # an extra of gradio that may be missing

    answers, lists = (server.request_handlers[one] for one in (messages.CallToolRequest, messages.ListToolsRequest))
    methods = {name: endpoint[0] for name, endpoint in space.endpoints().items()}

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
            tool.outputSchema = space.output_schema(methods[tool.name])
        return reply

    server.request_handlers |= {messages.CallToolRequest: call, messages.ListToolsRequest: list_tools}


def launch(space: Space) -> None:
    """Serve the page until the process ends."""
    # After each call, Gradio would summarize the last 10,000 with pandas, for monitoring, which is off.
    os.environ.update(GRADIO_ANALYTICS_MAX_EVENTS="1", GRADIO_ANALYTICS_CACHE_FREQUENCY=str(sys.maxsize))
    os.environ["FORWARDED_ALLOW_IPS"] = "*"  # a Space is behind a proxy, which says who the client is
    page = Page(space)
    blocks = page.build()
    sans = gr.themes.LocalFont("IBM Plex Sans", weights=(400, 700))
    fonts = {"font": [sans, "ui-sans-serif", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    has_mcp = importlib.util.find_spec("mcp") is not None
    blocks.launch(
        theme=gr.themes.Base(primary_hue="indigo", neutral_hue="stone", radius_size="md", **fonts),
        css_paths=HERE / "page.css",
        head=str(PARTS.script(page, (HERE / "page.js").read_text(encoding="utf-8"))),
        mcp_server=has_mcp,
        footer_links=["api"],
        ssr_mode=False,
        run_history=False,
        enable_monitoring=False,
        max_file_size="20mb",
        app_kwargs={"middleware": [Middleware(GZipMiddleware, compresslevel=6), Middleware(guard)]},
        state_session_capacity=100,
        prevent_thread_lock=True,
    )
    # Gradio would describe all components for each session, with their last values, for deep links: there are none.
    BlocksConfig.config_for_block = lambda *_: {}
    if has_mcp:
        json_tools(blocks.mcp_server_obj.mcp_server, space)
    blocks.block_thread()
