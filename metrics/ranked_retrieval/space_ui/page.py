# Vendored: edit metrics/_shared/space_ui/page.py and run `make vendor`.
"""The page of a Space: a metric as a form, as an endpoint for programs, and as an MCP tool.

Safe by construction: Gradio keeps no history, no examples and no files, and nothing is fetched from the internet.
"""

import importlib.util
import json
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from .controls import Control
from .controls import endpoint
from .form import KEY_HEADER
from .form import Form
from .form import hear_warnings
from .form import note
from .rows import InputError
from .theme import theme
from .usage import card
from .usage import header
from .usage import manual

_MAX_BODY = 8_000_000
_ONE_LINE = 40  # characters of choices that fit beside each other
_QUIET: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}


def build(form: Form) -> gr.Blocks:
    """Build the page of a metric."""
    hear_warnings()
    with gr.Blocks(title=form.title, analytics_enabled=False, delete_cache=(3600, 3600)) as page:
        gr.HTML(header(form), apply_default_css=False, elem_classes="masthead")
        with gr.Tabs():
            with gr.Tab("Try it"):
                build_form(form, page)
            with gr.Tab("Python & API"):
                gr.HTML(manual(form), apply_default_css=False, js_on_load=beside("usage.js"), elem_classes="manual")
            with gr.Tab("Metric card"):
                gr.Markdown(card(form), elem_classes="card")
        given = (KEY_HEADER, gr.Header) if form.key_option else None
        run = endpoint(partial(_call, form), form.metric, form.api_controls, given)
        gr.api(run, api_name=form.name, concurrency_limit=8)
    return page


def _call(form: Form, **arguments: Any) -> str:
    """Answer the endpoint; what a caller did wrong is said in the metric's own words, and not logged."""
    try:
        return form.call(**arguments)
    except InputError as error:
        raise gr.Error(str(error), print_exception=False) from None


def build_form(form: Form, page: gr.Blocks) -> None:
    """Build the first tab."""
    start = form.examples[0]
    with gr.Row(elem_classes="split"):
        with gr.Column(scale=5, min_width=320, elem_classes="ask"):
            titles = [example["title"] for example in form.examples]
            choice = gr.Dropdown(titles, value=titles[0], label="Example", elem_classes="examples", filterable=False)
            grid = gr.HTML(
                json.dumps({"rows": start["rows"]}),
                html_template='<div class="grid"></div>',
                js_on_load=beside("grid.js"),
                apply_default_css=False,
                elem_id="rows",
                columns=[{"label": column.label, "kind": column.kind} for column in form.columns],
                max_characters=4 * form.limits.characters,
            )
            controls = _build_controls(form)
            key = _build_key(form, dict(zip((one.name for one in form.controls), controls, strict=True)))
            button = gr.Button("Compute", variant="primary", elem_id="compute", size="lg")
        with gr.Column(scale=6, min_width=320):
            report = gr.HTML(
                form.respond(json.dumps({"rows": start["rows"]}), *form.values(start["options"])),
                html_template='<div class="answer"></div>',
                js_on_load=beside("report.js"),
                apply_default_css=False,
                elem_id="report",
            )
    everything = [grid, *controls, *([key] if key else [])]
    on = gr.on([button.click, grid.submit], form.respond, everything, report, **{**_QUIET, "show_progress": "minimal"})
    if key:
        on.then(lambda: "", outputs=key, **_QUIET)

    def read(event: gr.EventData) -> str:  # Gradio looks for the type, which a partial function does not show
        return form.on_upload(str(event.text), str(event.name or ""))

    grid.upload(read, None, grid, **_QUIET)
    chosen = choice.input(form.on_example, choice, [grid, *controls], **_QUIET)
    if not form.key_option:  # else a call may cost something: that is for the visitor to start
        chosen.then(form.respond, everything, report, **_QUIET)
    fragment = gr.Textbox(visible=False)
    everywhere = [grid, *controls, report]
    # The browser sends the part of the address after the number sign here, and to no log.
    page.load(partial(_follow, form), fragment, everywhere, js="() => [window.location.hash]", **_QUIET)


def _follow(form: Form, fragment: str) -> list[Any]:
    """Fill in what a link carries; what it says nothing about stays as it is."""
    table, values, answer = form.on_link(fragment or "")
    return [
        gr.skip() if table is None else table,
        *([gr.skip()] * len(form.controls) if values is None else [gr.update(value=value) for value in values]),
        gr.skip() if answer is None else answer,
    ]


def _build_controls(form: Form) -> list[Any]:
    """Build the controls, the commonest in sight and the others in an accordion; their order is that of the form."""
    made: dict[str, Any] = {}
    by_name = {one.name: one for one in form.controls}
    if form.common:
        with gr.Group(elem_classes="options"):
            for name in form.common:
                made[name] = _build_control(form, by_name.pop(name))
    if by_name:
        with gr.Accordion("More options", open=False, elem_classes="options"):
            made |= {name: _build_control(form, one) for name, one in by_name.items()}
    for name, (other, values) in form.needs.items():
        made[other].change(
            lambda now, values=values: gr.update(visible=now in values), made[other], made[name], **_QUIET
        )
    return [made[one.name] for one in form.controls]


def _build_control(form: Form, one: Control) -> Any:
    """Build one control."""
    start = form.complete(form.examples[0]["options"])
    other, values = form.needs.get(one.name, ("", ()))
    common: dict[str, Any] = {
        "value": one.shown(start[one.name]),
        "label": one.label,
        "info": one.help.replace("`", ""),
        "visible": not other or start[other] in values,
        "elem_id": f"option-{one.name}",
    }
    if one.kind == "flag":
        return gr.Checkbox(**common)
    if one.kind == "choice":
        choices = [one.shown(choice) for choice in one.choices]
        if len("".join(choices)) <= _ONE_LINE:
            return gr.Radio(choices, **common)
        return gr.Dropdown(choices, filterable=False, **common)
    if one.kind == "number" and one.low is not None and one.high is not None:
        step = 0.01
        margin = step if one.open_ends else 0
        return gr.Slider(one.low + margin, one.high - margin, step=step, **common)
    if one.kind in {"number", "integer"} and one.default is not None:
        precision = 0 if one.kind == "integer" else None
        return gr.Number(minimum=one.low, maximum=one.high, precision=precision, **common)
    # An optional number is a text: Gradio shows 0 where there is no number.
    return gr.Textbox(max_lines=1, placeholder="none" if one.default is None else None, **common)


def _build_key(form: Form, controls: dict[str, Any]) -> Any:
    """Build the box for a visitor's key, in sight where a key is of use."""
    if not form.key_option:
        return None
    start = form.complete(form.examples[0]["options"])
    option, values = form.key_needs or ("", ())
    key = gr.Textbox(
        label="API key",
        info=form.key_help,
        type="password",
        max_lines=1,
        elem_id="key",
        visible=not option or start[option] in values,
        html_attributes=gr.InputHTMLAttributes(autocomplete="off", spellcheck=False),
    )
    if option:
        controls[option].change(lambda now: gr.update(visible=now in values), controls[option], key, **_QUIET)
    return key


def beside(name: str) -> str:
    """Read a script or a style sheet that stands beside this file."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def launch(page: gr.Blocks, **options: Any) -> Any:
    """Serve a page with everything off that keeps, shows or fetches what it should not."""
    page.queue(default_concurrency_limit=8, max_size=64)
    page.process_api = _without_words(page.process_api)
    return page.launch(
        theme=theme(),
        css=beside("style.css"),
        run_history=False,
        footer_links=[],
        enable_monitoring=False,
        ssr_mode=False,
        max_file_size="1mb",
        mcp_server=importlib.util.find_spec("mcp") is not None,
        app_kwargs={"middleware": [(_Doorkeeper, (), {})]},
        **options,
    )


def _without_words(process: Any) -> Any:
    """Keep what Gradio itself finds wrong with a request out of the log: its messages repeat the input."""

    async def quiet(*args: Any, **kwargs: Any) -> Any:
        try:
            return await process(*args, **kwargs)
        except gr.Error as error:
            error.print_exception = False
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is
            note(error)
            raise gr.Error(f"The request can't be answered ({type(error).__name__}).", print_exception=False) from None

    return quiet


class _Doorkeeper:
    """Refuse uploads, which the page does without, and bodies larger than any that it sends, declared or not."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = dict(scope.get("headers") or ()).get(b"content-length", b"0")
        refusal: tuple[int, bytes] | None = None
        if length.isdigit() and int(length) > _MAX_BODY:
            refusal = 413, b"Too large."
        elif scope.get("method") == "POST" and scope.get("path", "").rstrip("/").endswith("/upload"):
            refusal = 403, b"This Space takes no files: the page reads them in the browser."
        if refusal is not None:
            headers = [(b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": refusal[0], "headers": headers})
            await send({"type": "http.response.body", "body": refusal[1]})
            return
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= _MAX_BODY else {"type": "http.disconnect"}

        await self.app(scope, counted, send)
