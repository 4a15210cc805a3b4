"""The page of a static Space: a worked example and the card of the metric, as self-contained HTML."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import TYPE_CHECKING
from typing import NamedTuple

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

if TYPE_CHECKING:
    from spaces.worked_example import WorkedExample

SIGNS = {"hit": "✓", "near": "≈", "miss": "✗"}
_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class Link(NamedTuple):
    """A link above the card."""

    label: str
    url: str


def render_page(title: str, card: str, links: tuple[Link, ...] = (), example: WorkedExample | None = None) -> str:
    """Render a card as a page with links to its sections. HTML in the card is escaped.

    Args:
        title: The page's title, plain text.
        card: Markdown without front matter.
        links: Links to other pages, shown before those to the sections; they open in a new tab.
        example: The example to show before the first section of the card.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(card)
    sections = [("worked-example", "Worked example")] if example else []
    for opening, content in itertools.pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            anchor = re.sub(r"\W+", "-", content.content).strip("-").lower()
            opening.attrSet("id", anchor)
            sections.append((anchor, content.content))
    body = markdown.renderer.render(tokens, markdown.options, {})
    # Scrollable elements must be reachable by keyboard; an empty cell is not a heading.
    body = body.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")
    number = itertools.count(1)
    body = re.sub(
        "<table>",
        lambda _: f'<div class="scroll" tabindex="0" role="region" aria-label="Table {next(number)}"><table>',
        body,
    ).replace("</table>", "</table></div>")
    before, heading, after = body.partition("<h2")
    return _TEMPLATES.get_template("static_page.html").render(
        title=title,
        links=links,
        sections=sections,
        opening=Markup(before),  # noqa: S704  # escaped by the Markdown renderer
        rest=Markup(heading + after),  # noqa: S704  # same
        example=example,
        signs=SIGNS,
    )
