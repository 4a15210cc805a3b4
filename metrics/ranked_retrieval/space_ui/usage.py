# Vendored: edit metrics/_shared/space_ui/usage.py and run `make vendor`.
"""The texts of a Space: the top of the page, the metric card, and how programs use it."""

import json
import shlex
from collections.abc import Iterable
from typing import Any

from .controls import entries
from .form import SECONDS
from .form import Form
from .report import escape
from .rows import to_inputs


def header(form: Form) -> str:
    """Write the top of a metric's page."""
    return top(f"evaluate metric `{form.name}`", form.title, form.metric.description, form.facts)


def top(kicker: str, title: str, lead: str, facts: Iterable[str]) -> str:
    """Write the top of a page; backquotes are for code."""
    listed = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    return (
        f'<header><div><p class="kicker">{_inline_code(kicker)}</p><h1>{escape(title)}</h1>'
        f"<p>{_inline_code(' '.join(lead.split()))}</p></div><ul>{listed}</ul></header>"
    )


def card(form: Form) -> str:
    """Give the metric card without its front matter."""
    path = form.script.parent / "README.md"
    if not path.exists():
        return f"# {form.title}\n\n{form.metric.description}"
    text = path.read_text(encoding="utf-8")
    return text.split("\n---\n", 1)[1] if text.startswith("---\n") and "\n---\n" in text else text


def manual(form: Form) -> str:
    """Write the tab for programs."""
    example = to_inputs([form.examples[0]["rows"][0]], form.columns)
    arguments = ", ".join(f"{name}={value!r}" for name, value in example.items())
    option, values = form.key_needs or ("", ())
    called = {**example, **({option: values[0]} if option else {})}
    calling = ", ".join(f"{name}={value!r}" for name, value in called.items())
    payload = json.dumps(called, ensure_ascii=False)
    key_python = ', headers={"x-judge-key": "..."}' if form.key_option else ""
    key_curl = ' -H "x-judge-key: $KEY"' if form.key_option else ""
    server: dict[str, Any] = {"url": "ORIGIN/gradio_api/mcp/"}
    if form.key_option:
        server["headers"] = {"x-judge-key": "..."}
    code = {
        "Python": f'import evaluate\n\n{form.name} = evaluate.load("{form.address}")\n'
        f"result = {form.name}.compute({arguments})\nprint(result)",
        "gradio_client": f'from gradio_client import Client\n\nclient = Client("ORIGIN"{key_python})\n'
        f'print(client.predict({calling}, api_name="/{form.name}"))',
        "REST": f"curl -s ORIGIN/gradio_api/call/v2/{form.name} -H 'Content-Type: application/json'{key_curl} \\\n"
        f"  -d {shlex.quote(payload)}\n# answers with an event_id; the result, as JSON text:\n"
        f"curl -N ORIGIN/gradio_api/call/v2/{form.name}/EVENT_ID",
        "MCP": json.dumps({"mcpServers": {form.name: server}}, indent=2),
    }
    blocks = "".join(
        f'<section><h3>{name}</h3><div class="code"><button type="button" class="copy">Copy</button>'
        f"<pre><code>{escape(text)}</code></pre></div></section>"
        for name, text in code.items()
    )
    helps = entries(form.metric.inputs_description, "Args")
    taken = {*(column.name for column in form.columns), *(control.name for control in form.api_controls)}
    only = ' <span class="soft">Python only</span>'
    arguments_table = _definitions(
        (name, kind, text + _here(form, name), "" if name in taken else only) for name, (kind, text) in helps.items()
    )
    returned = entries(form.metric.inputs_description, "Returns")
    results_table = _definitions((name, kind, text, "") for name, (kind, text) in returned.items())
    most = form.limits
    limits = (
        f"This Space takes {most.rows:,} rows, {most.texts:,} texts ({most.texts_in_cell:,} in a cell), "
        f"{most.characters:,} characters and {SECONDS:.0f} seconds a call; in Python there is no limit. Nothing that "
        "you send is kept."
    )
    return (
        f'<div class="pair"><div>{blocks}<p class="soft">{limits}</p></div><div><h3>Arguments</h3>{arguments_table}'
        f"<h3>Result</h3>{results_table}</div></div>"
    )


def _here(form: Form, name: str) -> str:
    """Say what an option is in the Space, where that is not what it is in Python."""
    said = []
    if name in form.choices:
        said.append(f"one of {', '.join(form.choices[name])}")
    if name in form.starts:
        said.append(f"by default {form.starts[name]}")
    return f" In this Space: {', '.join(said)}." if said else ""


def _inline_code(text: str) -> str:
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def _definitions(rows: Iterable[tuple[str, str, str, str]]) -> str:
    written = "".join(
        f"<div><dt><code>{escape(name)}</code> <span>{escape(kind)}</span>{note}</dt>"
        f"<dd>{_inline_code(text)}</dd></div>"
        for name, kind, text, note in rows
    )
    return f"<dl>{written}</dl>"
