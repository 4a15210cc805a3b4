# Vendored: edit metrics/_shared/space_ui/usage.py and run `make vendor`.
"""The HTML page, rendered by Jinja2 with autoescape: header, form, API usage, metric card. No Gradio here."""

import itertools
import json
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

from .comparison_usage import comparison_code
from .comparison_usage import comparison_tables
from .form import Form
from .rows import to_inputs
from .space import SECONDS
from .space import Space

HERE = Path(__file__).parent
METRICS = ("accuracy", "answer_exact_match", "token_f1", "l3score", "precision_recall_f1", "ranked_retrieval")


def code_spans(text: object) -> Markup:
    """Convert text in backquotes to code elements; everything else is escaped."""
    parts = str(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else part for index, part in enumerate(parts)
    )


_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
)
_TEMPLATES.filters["code_spans"] = code_spans


def form_page(form: Form) -> str:
    """Render the page of a metric."""
    return render(
        form,
        kicker=f"evaluate metric `{form.name}`",
        lead=" ".join(form.metric.description.split()),
        code={**form_code(form), **comparison_code(form)},
        tables=[*tables(form), *comparison_tables(form)],
        card=card_html(form.script.parent / "README.md"),
        address=form.address,
        first=form.examples[0],
        common=form.common,
        key=({"help": form.key_help, "visible_if": form.key_visible_if} if form.key_option else None),
    )


def gallery_page(gallery: Space, lead: str) -> str:
    """Render the page of the gallery."""
    payload = json.dumps({"predictions": ["Paris!"], "references": ["paris"]})
    compared = json.dumps({"predictions": ["Rome"], "predictions_b": ["Paris!"], "references": ["paris"]})
    code = {
        "REST": f"curl -s ORIGIN/api/gallery -H 'Content-Type: application/json' \\\n  -d {shlex.quote(payload)}",
        "gradio_client": 'from gradio_client import Client\n\nclient = Client("ORIGIN")\n'
        'print(client.predict(predictions=["Paris!"], references=["paris"], api_name="/gallery"))',
        "MCP": json.dumps({"mcpServers": {"gallery": {"url": "ORIGIN/gradio_api/mcp/"}}}, indent=2),
        "Comparison by every metric": "curl -s ORIGIN/api/gallery_compare -H 'Content-Type: application/json'"
        f" \\\n  -d {shlex.quote(compared)}",
    }
    columns = [
        {
            "name": column.name,
            "type": {"text": "list of str", "answers": "list of str, or list of lists of str"}.get(
                column.kind, "list of lists of str"
            ),
            "text": column.label,
            "note": "optional" if column.optional else "",
        }
        for column in gallery.columns
    ]
    return render(
        gallery,
        kicker="gallery of evaluate metrics",
        lead=lead,
        code=code,
        tables=[("Arguments", columns)],
        card=None,
        address="<org>/accuracy",
        first=gallery.examples[0],
    )


def render(
    space: Space,
    *,
    kicker: str,
    lead: str,
    code: Mapping[str, str],
    tables: list[tuple[str, list[dict[str, str]]]],
    card: Markup | None,
    address: str,
    first: Mapping[str, Any],
    common: tuple[str, ...] = (),
    key: Mapping[str, Any] | None = None,
) -> str:
    """Render the page of a Space, with the result of its first example."""
    body = json.dumps({"rows": first["rows"], "options": first["options"]}).encode()
    answer = first.get("answer") or space.respond(body)[1]
    order = {name: index for index, name in enumerate(common)}
    controls = sorted(space.controls, key=lambda control: order.get(control.name, len(order)))
    data = {
        "name": space.name,
        "columns": [vars(column) for column in space.columns],
        "controls": [control.as_json(common=control.name in order) for control in controls],
        "examples": space.examples,
        "limits": {"bytes": space.limits.bytes},
        "key": key,
        "compared_columns": [vars(column) for column in space.columns_for(comparing=True)],
        "second_columns": [vars(column) for column in space.second_columns],
        "answer": answer,
    }
    limits = space.limits
    return _TEMPLATES.get_template("page.html").render(
        title=space.title,
        kicker=kicker,
        lead=lead,
        facts=space.facts,
        links=links_to_others(space.name),
        # "</script>" would end the script element, so "<" is escaped.
        form_data=Markup(json.dumps(data).replace("<", "\\u003c")),  # noqa: S704  # no "<" is left in it
        examples=space.examples,
        compared=bool(space.compared_columns),
        judged=key is not None,
        key=key,
        code=code.items(),
        tables=tables,
        card=card,
        address=address,
        limits=(
            f"This Space accepts {limits.rows:,} rows, {limits.cell:,} characters in a cell, {limits.characters:,} "
            f"characters and {SECONDS:.0f} seconds per call; in Python there is no limit. Nothing you send is stored."
        ),
    )


def links_to_others(name: str) -> list[tuple[str, str]]:
    """Return links to the gallery and the owner's other metrics if this is a Space on the Hub."""
    owner, _, _ = os.environ.get("SPACE_ID", "").partition("/")
    if not owner:
        return []
    hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    return [(other, f"{hub}/spaces/{owner}/{other}") for other in (*METRICS, "gallery") if other != name]


def card_html(path: Path) -> Markup | None:
    """Render the metric card without its front matter and title; HTML in it is escaped."""
    if not path.is_file():
        return None
    text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"\A\s*# .*\n", "", text)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    # Scrollable elements must be reachable by keyboard.
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<th></th>", "<td></td>")
    number = itertools.count(1)
    html = re.sub(
        "<table>",
        lambda _: f'<div class="scroll" tabindex="0" role="region" aria-label="Table {next(number)}"><table>',
        html,
    )
    return Markup(html.replace("</table>", "</table></div>"))  # noqa: S704  # the renderer has escaped it


def form_code(form: Form) -> dict[str, str]:
    """Write the code of the usage tab; the page replaces ORIGIN with its address."""
    row = to_inputs([form.examples[0]["rows"][0]], form.columns)
    example = {name: values for name, values in row.items() if not form.inputs[name].optional}
    arguments = ", ".join(f"{name}={value!r}" for name, value in example.items())
    option, values = form.key_visible_if or ("", ())
    given = {**example, **({option: values[0]} if option else {})}
    client_arguments = ", ".join(f"{name}={value!r}" for name, value in given.items())
    payload = json.dumps(given, ensure_ascii=False)
    key_python = ', headers={"x-judge-key": "..."}' if form.key_option else ""
    key_curl = ' -H "x-judge-key: $KEY"' if form.key_option else ""
    server: dict[str, Any] = {"url": "ORIGIN/gradio_api/mcp/"}
    if form.key_option:
        server["headers"] = {"x-judge-key": "..."}
    return {
        "Python": f'import evaluate\n\n{form.name} = evaluate.load("{form.address}")\n'
        f"result = {form.name}.compute({arguments})\nprint(result)",
        "REST": f"curl -s ORIGIN/api/{form.name} -H 'Content-Type: application/json'{key_curl} \\\n"
        f"  -d {shlex.quote(payload)}",
        "gradio_client": f'from gradio_client import Client\n\nclient = Client("ORIGIN"{key_python})\n'
        f'print(client.predict({client_arguments}, api_name="/{form.name}"))',
        "MCP": json.dumps({"mcpServers": {form.name: server}}, indent=2),
    }


def tables(form: Form) -> list[tuple[str, list[dict[str, str]]]]:
    """Describe the arguments and the result."""
    taken = {control.name: control for control in form.api_controls}
    arguments = []
    for name, column in form.metric.inputs.items():
        note = "optional" if column.optional else ""
        note = note if name in form.inputs else "optional, Python only"
        arguments.append({"name": name, "type": column.type_label, "text": column.help, "note": note})
    for name, kind in form.metric.options.items():
        text = f"{taken[name].help if name in taken else kind.help} Defaults to `{form.metric.defaults()[name]!r}`."
        if name in form.choices:
            text += f" In this Space: one of {', '.join(form.choices[name])}."
        if name in form.defaults:
            text += f" In this Space the default is {form.defaults[name]}."
        note = "" if name in taken else "Python only"
        arguments.append({"name": name, "type": kind.type_label, "text": text, "note": note})
    results = [
        {"name": name, "type": output.type_label, "text": output.help, "note": ""}
        for name, output in form.metric.outputs.items()
    ]
    return [("Arguments", arguments), ("Result", results)]
