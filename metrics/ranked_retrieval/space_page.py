# Vendored: edit metrics/_shared/space_page.py and run `make vendor`.
"""The page of a Space in Gradio's components, its endpoints and its MCP tools.

What visitors send is neither logged nor kept: no session state, no run history, downloads inside the page, uploads
deleted within five minutes.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import anyio
import gradio as gr
import pandas as pd
from gradio.blocks import BlocksConfig
from gradio.queueing import Queue
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse

import space_tables as tables
from space import TEMPLATE, Parameter, Space, helper
from space_tables import SECOND, Column, InputError, Row

HERE = Path(__file__).parent
PROCESS = Queue.process_events
SECONDS = 30
LIGHT, LIGHT_CELL, LIGHT_CELLS = 50_000, 1_000, 3_000
"""Characters, characters of a text, and texts of a call that runs in a thread; larger ones run in a process."""
KEPT = (60, 180)
"""Seconds between two searches for old uploads; the age at which they and results that nobody fetched are deleted."""
BODY = 26_000_000  # bytes of a request, which may be an upload in an envelope
WAITING = 8  # large calls that may wait for a process
FILES = [".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".xlsx"]
SCROLL = "() => { if (innerWidth < 901) document.querySelector('#report').scrollIntoView({behavior: 'smooth'}); }"
"""On a phone, the report is below the rows."""
SCROLL_NOTE = """() => setTimeout(() => {
  const note = [...document.querySelectorAll("p.note")].find((one) => one.offsetParent);
  note?.scrollIntoView({behavior: "smooth", block: "nearest"});
}, 100)"""
"""The note on a file is above the rows, the button for it below them."""
HIDDEN: dict[str, Any] = {"api_visibility": "private", "queue": False}
"""Properties of the events of the page: Gradio's queue holds the last request until the next one."""
ADD_ROWS = "({headers, data}) => ({headers, data: [...data, ...Array(3).fill(headers.map(() => ''))]})"
ADD_COLUMNS = """({headers, data}) => {
  const value = {headers: LABELS, data: data.map((row) => LABELS.map((label) => row[headers.indexOf(label)] ?? ""))};
  return {__type__: "update", value, column_widths: LABELS.map(() => "150px")};
}"""


# ---- calls


class Runner:
    """Runs the calls of a Space: light ones in threads, each of the others in a process that may take 30 seconds."""

    def __init__(self, space: Space) -> None:
        self.space = space
        # Not anyio's threads: an idle one keeps the arguments of its last call.
        self.threads = ThreadPoolExecutor(8 if space.judged else 2)
        self.processes = anyio.CapacityLimiter(2)

    async def run(self, method: str, *args: Any) -> Any:
        """Call a method of the Space.

        Raises:
            InputError: If the call fails, takes too long, or too many large calls are waiting.
        """
        if self.space.judged or is_light(args):
            return await self.in_thread(self.space.guarded, method, *args)
        if self.processes.statistics().tasks_waiting >= WAITING:
            raise InputError("The Space is busy with other large calls. Try again in a minute.")
        await self.in_thread(self.space.guarded, "check_size", method, args[0])  # before a process starts
        command = [sys.executable, "-c", "import space; space.answer_once()", str(self.space.directory / "app.py")]
        async with self.processes:
            try:
                with anyio.fail_after(SECONDS):  # it kills the process
                    process = await anyio.run_process(
                        command, input=json.dumps([method, args]).encode(), stderr=DEVNULL, cwd=HERE, check=False
                    )
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


def is_light(value: Any) -> bool:
    """Return whether rows or columns are few and short, so that scoring them takes milliseconds under any option."""
    sizes = list(sizes_in(value))
    return len(sizes) < LIGHT_CELLS and sum(sizes) < LIGHT and max(sizes, default=0) < LIGHT_CELL


def sizes_in(value: Any) -> Iterator[int]:
    """Yield the lengths of all texts in nested lists; a number counts as one character."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from sizes_in(item)
    else:
        yield len(value) if isinstance(value, str) else 1


def limit_body(app: Any) -> Any:
    """Return middleware that refuses large bodies of requests: Gradio's limit is one on uploads only."""

    async def call(scope: Any, receive: Any, send: Any) -> None:
        received = int(dict(scope.get("headers", ())).get(b"content-length", 0))
        if received > BODY:
            await PlainTextResponse("Too large.", 413)(scope, receive, send)
            return
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= BODY else {"type": "http.disconnect"}

        await app(scope, counted, send)

    return call


def safe(handler: Callable[..., Any], refuse: Callable[[str], Any]) -> Callable[..., Any]:
    """Answer with the message of an error if a handler fails; it is not logged, as it may repeat a visitor's texts."""

    async def call(*args: Any) -> Any:
        try:
            return await handler(*args)
        except ValueError as error:
            message = str(error)
        except Exception as error:  # noqa: BLE001
            message = f"Something went wrong here ({type(error).__name__})."
        return refuse(message)

    return call


# ---- rows


def block(html: str, **properties: Any) -> gr.HTML:
    """Return HTML as it is, without Gradio's styles."""
    return gr.HTML(html, apply_default_css=False, padding=False, **properties)


def headed(columns: Sequence[Column], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the properties of the table for rows; optional columns only if they have texts."""
    used = [
        place for place, column in enumerate(columns) if not column.optional or any(row[place].strip() for row in rows)
    ]
    data = [[row[place] for place in used] for row in rows] or [[""] * len(used) for _ in range(3)]
    value = {"headers": [columns[place].label for place in used], "data": data}
    width = f"{100 / len(used):.2f}%" if len(used) <= 3 else "150px"  # noqa: PLR2004  # more columns scroll
    return {"value": value, "column_widths": [width] * len(used)}


def rows_of(frame: pd.DataFrame, columns: Sequence[Column]) -> list[Row]:
    """Return the rows of the table; a file that was dropped on it has its own headers."""
    names = [str(name) for name in frame.columns]
    labels = {column.name: column.label for column in columns if column.label in names}
    found = labels if set(names) <= {column.label for column in columns} else tables.match_columns(names, columns)
    texts = {str(name): ["" if pd.isna(cell) else str(cell) for cell in frame[name]] for name in frame.columns}
    empty = [""] * len(frame)
    return [list(row) for row in zip(*(texts.get(found.get(one.name, ""), empty) for one in columns), strict=True)]


class Rows:
    """The table of rows with its sources: examples, a file, a pasted table, a dataset of the Hub."""

    def __init__(self, page: "Page", method: str, columns: list[Column], examples: list[dict[str, Any]]) -> None:
        self.page, self.method, self.columns, self.examples = page, method, columns, examples
        self.compares = any(column.name.endswith(SECOND) for column in columns)

    def draw(self) -> None:
        """Add the components."""
        if self.examples:
            titles = [[example["title"]] for example in self.examples]
            hidden = [gr.Textbox(visible=False)]
            self.dataset = gr.Dataset(
                components=hidden, samples=titles, type="index", label="Examples", samples_per_page=20
            )
        first = self.examples[0] if self.examples else {"rows": []}
        self.note = block(TEMPLATE.module.note(first.get("note")), elem_classes="note")
        self.table = gr.Dataframe(
            **headed(self.columns, first["rows"]),
            type="pandas",
            datatype="str",
            interactive=True,
            wrap=True,
            max_height=430,
            max_chars=200,
            show_label=False,
            label="Rows",
            buttons=[],
            elem_classes="rows",
        )
        with gr.Row(elem_classes="bar"):
            labels = ["Upload file", "Upload system B"] if self.compares else ["Upload file"]
            self.uploads = [gr.UploadButton(label, size="sm", file_types=FILES, min_width=90) for label in labels]
            self.more = gr.Button(
                "More columns", size="sm", min_width=90, visible=any(one.optional for one in self.columns)
            )
            self.add = gr.Button("Add rows", size="sm", min_width=90)
            self.clear = gr.Button("Clear", size="sm", min_width=90)
        with gr.Accordion("Paste a table, or load a dataset from the Hub", open=False):
            self.paste = gr.Textbox(
                lines=3, label="Table", info="Copied from a spreadsheet, CSV or JSON; with or without a header."
            )
            self.hub = gr.Textbox(label="Dataset", info="owner/name, or owner/name, configuration, split", max_lines=1)
            self.load_text = gr.Button("Load", size="sm")
        with gr.Row(visible=False, elem_classes="mapping") as self.mapping:
            self.fields = [
                gr.Dropdown([""], label=f"{column.label} from", min_width=130, interactive=True)
                for column in self.columns
            ]
        kinds = ["compute", "judged"] if self.page.space.judged else "compute"
        self.button = gr.Button(
            "Compare A and B" if self.compares else "Compute", variant="primary", elem_classes=kinds
        )
        block(TEMPLATE.module.hint([column.kind for column in self.columns]))

    def connect(self) -> None:
        """Add the events.

        While a call runs, Gradio by default ignores further events of the same kind; here the last one counts. A second
        click on Compute would pay a judge twice.
        """
        page, table = self.page, self.table

        def on(event: Any, handler: Callable[..., Any], inputs: Any, outputs: list[Any], **properties: Any) -> Any:
            place = page.report if page.report in outputs else self.note
            call = safe(handler, lambda message: {place: TEMPLATE.module.error(message)})
            given = {"trigger_mode": "always_last", **HIDDEN, **properties}
            return event(fn=call, inputs=inputs, outputs=outputs, **given)

        controls = [*page.controls.values()]
        mode = "once" if page.space.judged else "always_last"
        computed = [on(self.button.click, self.compute, [table, *controls], [page.report], trigger_mode=mode)]
        if self.examples:
            computed.append(
                on(self.dataset.click, self.example, self.dataset, [table, *controls, page.report, self.note])
            )
        for event in computed:
            event.then(None, js=SCROLL, api_visibility="private")
        sources = [self.paste, self.hub, table, *self.uploads, *self.fields]
        outputs = [table, self.note, self.mapping, *self.uploads, *self.fields]
        starts = {self.load_text.click: 0, **{one.upload: number for number, one in enumerate(self.uploads, 1)}}
        for start, number in starts.items():
            loaded = on(start, functools.partial(self.load, self.uploads[:number]), sources, outputs)
            loaded.then(None, js=SCROLL_NOTE, api_visibility="private")
        chosen = functools.partial(gr.on, [one.input for one in self.fields])
        on(chosen, functools.partial(self.load, None), sources, outputs)
        update = {"__type__": "update"}
        emptied = [{**update, **headed(self.columns, [])}, "", {**update, "visible": False}, "", ""]
        more = ADD_COLUMNS.replace("LABELS", json.dumps([column.label for column in self.columns]))
        self.clear.click(None, None, [*outputs[:3], self.paste, self.hub], js=f"() => {json.dumps(emptied)}", **HIDDEN)
        self.add.click(None, table, table, js=ADD_ROWS, **HIDDEN)
        self.more.click(None, table, table, js=more, **HIDDEN)

    # ---- handlers

    async def compute(self, frame: pd.DataFrame, *values: Any) -> dict[Any, Any]:
        """Score the rows of the table."""
        rows = rows_of(frame, self.columns)
        options = dict(zip(self.page.controls, values, strict=True))
        return {self.page.report: await self.page.runner.run(self.method, rows, options)}

    async def example(self, index: int) -> dict[Any, Any]:
        """Show an example with its report."""
        example = self.examples[index]
        options = {**self.page.defaults, **example["options"]}
        recorded = [example["result"]] if "result" in example else []
        return {
            self.page.report: await self.page.runner.run(self.method, example["rows"], options, *recorded),
            self.table: gr.update(**headed(self.columns, example["rows"])),
            self.note: TEMPLATE.module.note(example["note"]),
            **self.page.set_controls(options),
        }

    async def load(self, uploads: list[Any] | None, paste: str, hub: str, frame: Any, *others: Any) -> dict[Any, Any]:
        """Read rows from the last of these uploads, or else from the texts.

        Without a list, the visitor has chosen the fields of the columns, and the last source is read again.
        """
        files = dict(zip(self.uploads, others, strict=False))
        used = [upload for upload in self.uploads if files[upload] and (uploads is None or upload in uploads)]
        limit = self.page.space.limits.rows

        def read() -> tables.Table:
            if used:
                path = Path(files[used[-1]])
                return tables.read_table(path.read_bytes(), path.suffix.lower())
            return tables.read_table(paste.encode()) if paste.strip() else tables.read_hub(hub, limit)

        try:
            table = await self.page.runner.in_thread(read)
        except FileNotFoundError:
            raise InputError("The file is no longer here: upload it again.") from None
        names, is_b = table.names, bool(used) and used[-1] is not self.uploads[0]
        mapping = tables.match_columns(names, self.columns, second=is_b)
        fresh: dict[Any, Any] = {}
        if uploads is None:  # the fields stay as they are: another may have been chosen meanwhile
            fields = zip(self.columns, others[len(self.uploads) :], strict=True)
            mapping = {one.name: field for one, field in fields if field in names}
        else:
            drops = [gr.Dropdown(["", *names], value=mapping.get(one.name, "")) for one in self.columns]
            fresh = {self.mapping: gr.Row(visible=True), **dict(zip(self.fields, drops, strict=True))}
            fresh |= {upload: None for upload in self.uploads if upload not in uploads}
        required = [one for one in self.columns if not one.optional]
        in_order = not mapping and table.first is not None and len(names) == len(required)
        needed = [one for one in required if one.name.endswith(SECOND) is is_b and not in_order]
        if missing := [one.label for one in needed if one.name not in mapping]:
            found = ", ".join(f"“{name[:40]}”" for name in names[:8])
            note = f"No column for {', '.join(missing)}. Found: {found}. Choose the columns below."
            return {self.note: TEMPLATE.module.note(note), **fresh}
        if len(table.records) > limit:
            raise InputError(f"There are {len(table.records):,} rows; the limit is {limit:,}.")
        rows = tables.to_rows(table, self.columns, mapping)
        origins = [f"{one.label} from “{mapping[one.name]}”" for one in self.columns if one.name in mapping]
        note = f"{tables.count_rows(len(rows))}: {', '.join(origins)}".removesuffix(": ")
        if is_b:
            own = rows_of(frame, self.columns)
            if not any(map("".join, own)):
                raise InputError("Upload the file of system A first, then that of system B.")
            own = tables.filled_rows(own, len(self.columns))
            align = helper(self.page.space.metric, "_columns").align
            rows, note = tables.pair_rows(own, rows, self.columns, align)
        return {self.table: gr.update(**headed(self.columns, rows)), self.note: TEMPLATE.module.note(note), **fresh}


def shown_value(value: Any) -> Any:
    """Return the value of an option as its control has it."""
    return ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else "" if value is None else value


class Page:
    """The page of a Space."""

    def __init__(self, space: Space) -> None:
        self.space, self.runner = space, Runner(space)
        self.defaults = {name: dict(space.values)[name] for name in space.options}
        self.first = {**self.defaults, **space.examples[0]["options"]}
        """The options of the first example, which the page shows."""
        self.controls: dict[str, Any] = {}
        self.tabs: list[gr.Tabs] = []
        own = [example for example in space.examples if not example.get("comparing")]
        self.parts = [Rows(self, "score", space.columns, own)]
        if space.options:  # the gallery's page compares metrics, not systems
            double = [example for example in space.examples if example.get("comparing")]
            self.parts.append(Rows(self, "compare", space.compared, double))

    def set_controls(self, options: Mapping[str, Any]) -> dict[Any, Any]:
        """Return the values for the controls."""
        return {control: shown_value(options[name]) for name, control in self.controls.items()}

    def control(self, name: str) -> Any:
        """Return the component of an option."""
        option, value = self.space.options[name], self.first[name]
        text = option.help.replace("`", "")
        common = {"label": name, "info": text, "value": shown_value(value), "interactive": True}
        if option.needs and option.needs[0] in self.space.options:
            common["visible"] = self.first[option.needs[0]] in option.needs[1:]
        choices = [("none", "") if one is None else (str(one), one) for one in self.space.offered(name)]
        if choices:
            return gr.Radio(choices, **common) if len(choices) < 5 else gr.Dropdown(choices, **common)  # noqa: PLR2004
        if option.accepts(bool):
            return gr.Checkbox(**common)
        if option.accepts(float) and option.high is not None and value is not None:
            return gr.Slider(option.low, option.high, step=0.01, **common)
        if option.accepts(float) or option.accepts(int):
            common["value"] = value
            return gr.Number(precision=0 if option.accepts(int) else None, minimum=option.low, **common)
        return gr.Textbox(**common)

    def build(self) -> gr.Blocks:
        """Return the page."""
        space = self.space
        with gr.Blocks(title=space.title, analytics_enabled=False, delete_cache=KEPT, fill_width=True) as blocks:
            owner = os.environ.get("SPACE_ID", "").partition("/")[0]
            hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
            block(TEMPLATE.module.masthead(space, owner and f"{hub}/spaces/{owner}"))
            with gr.Tabs():
                with gr.Tab("Try it"), gr.Row(elem_classes="split"):
                    with gr.Column(elem_classes="asked"):
                        self.draw_rows()
                    with gr.Column(elem_classes="answer"):
                        first = self.parts[0].examples[0]
                        recorded = [first["result"]] if "result" in first else []
                        html = space.score(first["rows"], self.first, *recorded)
                        self.report = block(html, elem_id="report")
                    with gr.Column(elem_classes="options"):
                        self.draw_options()
                with gr.Tab("Metric card" if space.options else "About"):
                    card = (space.directory / "README.md").read_text(encoding="utf-8")
                    text = re.sub(r"\A---\n.*?\n---\n\s*(# [^\n]*\n)?", "", card, flags=re.DOTALL)
                    gr.Markdown(text, elem_classes="card")
            for part in self.parts:
                part.connect()
            link = gr.Textbox(visible=False)
            outputs = [*(part.table for part in self.parts), *self.controls.values(), self.report, *self.tabs]
            opened = safe(self.open_link, lambda message: {self.report: TEMPLATE.module.error(message)})
            blocks.load(opened, link, outputs, js="() => location.hash.slice(1)", show_progress="hidden", **HIDDEN)
            for name, endpoint in space.endpoints().items():
                gr.api(self.endpoint(name, *endpoint), api_name=name, queue=False, concurrency_limit=None)
        return blocks

    def draw_rows(self) -> None:
        """Add the tables of rows."""
        if len(self.parts) == 1:
            self.parts[0].draw()
            return
        with gr.Tabs() as tabs:
            self.tabs = [tabs]
            for part, title in zip(self.parts, ("One system", "A against B"), strict=True):
                with gr.Tab(title, id=part.method):
                    part.draw()

    def draw_options(self) -> None:
        """Add the controls of the options, the common ones first; some appear when they matter under another."""
        options = self.space.options
        groups = gr.Group, functools.partial(gr.Accordion, "More options", open=False)
        for group, is_common in zip(groups, (True, False), strict=True):
            if names := [name for name in options if (name in self.space.common) is is_common]:
                with group():
                    self.controls.update({name: self.control(name) for name in names})
        for name, control in self.controls.items():
            needed, *values = options[name].needs or [""]
            if needed in self.controls:
                allowed = json.dumps([shown_value(value) for value in values])
                script = f"(value) => ({{__type__: 'update', visible: {allowed}.includes(value)}})"
                self.controls[needed].change(None, self.controls[needed], control, js=script, **HIDDEN)

    async def open_link(self, packed: str) -> dict[Any, Any]:
        """Show the rows of a link."""
        if not packed.startswith("rows="):
            return {self.report: gr.skip()}
        rows, options, comparing = tables.unpack_link(packed)
        part = self.parts[-1 if comparing else 0]
        rows = tables.filled_rows(rows, len(part.columns))
        given = {**self.defaults, **{name: value for name, value in options.items() if name in self.defaults}}
        return {
            self.report: await self.runner.run(part.method, rows, given),
            part.table: gr.update(**headed(part.columns, rows)),
            **{tabs: gr.Tabs(selected=part.method) for tabs in self.tabs},
            **self.set_controls(given),
        }

    def endpoint(self, name: str, method: str, text: str, parameters: list[Parameter]) -> Any:
        """Return the function of an endpoint, with its name, signature and documentation."""
        with_key = self.space.authorize is not None and method == "call"

        async def call(*args: Any) -> Any:
            arguments = dict(zip((one[0] for one in parameters), args, strict=False))
            key = [str(args[-1] or "").strip()] if with_key else []
            return await self.runner.run(method, arguments, *key)

        def refuse(message: str) -> None:
            raise gr.Error(message, print_exception=False)

        function: Any = safe(call, refuse)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        given = [inspect.Parameter(one, kind, default=value, annotation=of) for one, of, value, _ in parameters]
        if with_key:
            given.append(inspect.Parameter("x_judge_key", kind, default="", annotation=gr.Header))
        helps = "\n".join(f"    {one}: {note}" for one, _, _, note in parameters)
        function.__name__, function.__doc__ = name, f"{text}\n\nArgs:\n{helps}"
        function.__signature__ = inspect.Signature(given, return_annotation=dict)
        function.__annotations__ = {one.name: one.annotation for one in given} | {"return": dict}
        return function


# ---- the server


def json_tools(server: Any) -> None:
    """Make an MCP server return JSON, as text and as structured content, where Gradio returns the repr of a dict."""
    from mcp import types as messages  # noqa: PLC0415  # an extra of gradio that may be missing

    answer = server.request_handlers[messages.CallToolRequest]

    async def call(request: Any) -> Any:
        reply = await answer(request)
        (content,) = reply.root.content
        if not reply.root.isError:
            reply.root.structuredContent = ast.literal_eval(content.text)
            content.text = json.dumps(reply.root.structuredContent, ensure_ascii=False)
        elif content.text[:1] in {"'", '"'}:
            content.text = ast.literal_eval(content.text)
        return reply

    server.request_handlers[messages.CallToolRequest] = call


async def process_and_forget(queue: Queue, events: list[Any], *args: Any) -> None:
    """Process calls of Gradio's queue in a task of its own, and empty them.

    The loops of the queue hold the last call, its request with a key, and the context of its task until the next one.
    """
    try:
        await asyncio.create_task(PROCESS(queue, events, *args))
    finally:
        for event in events:
            event.data = event.request = None
            asyncio.get_running_loop().call_later(KEPT[1], drop_result, queue, event._id, event.session_hash)  # noqa: SLF001


def drop_result(queue: Queue, call: str, session: str) -> None:
    """Drop the result of a call if no client has fetched it."""
    if call in queue.pending_event_ids_session.get(session, ()):
        del queue.pending_event_ids_session[session]
        queue.pending_messages_per_session.pop(session, None)


def launch(space: Space) -> None:
    """Serve the page until the process ends."""
    Queue.process_events = process_and_forget
    # After each call, Gradio would summarize the last 10,000 with pandas, for monitoring, which is off.
    os.environ.update(GRADIO_ANALYTICS_MAX_EVENTS="1", GRADIO_ANALYTICS_CACHE_FREQUENCY=str(sys.maxsize))
    blocks = Page(space).build()
    sans, mono = (gr.themes.LocalFont(f"IBM Plex {name}", weights=(400, 700)) for name in ("Sans", "Mono"))
    fonts = {"font": [sans, "ui-sans-serif", "sans-serif"], "font_mono": [mono, "ui-monospace", "monospace"]}
    has_mcp = importlib.util.find_spec("mcp") is not None
    blocks.launch(
        theme=gr.themes.Base(primary_hue="indigo", neutral_hue="stone", radius_size="md", **fonts),
        css_paths=[HERE / "space.css"],
        mcp_server=has_mcp,
        ssr_mode=False,
        footer_links=["api"],
        run_history=False,
        enable_monitoring=False,
        max_file_size="20mb",
        app_kwargs={"middleware": [Middleware(limit_body)]},
        state_session_capacity=100,
        prevent_thread_lock=True,
    )
    # Gradio describes all components anew for each session, and keeps their last values there, for deep links, which
    # this page does not have.
    BlocksConfig.config_for_block = lambda *_: {}
    if has_mcp:
        json_tools(blocks.mcp_server_obj.mcp_server)
    blocks.block_thread()
