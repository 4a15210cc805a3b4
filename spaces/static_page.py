"""The page of a static Space: the metric's card as HTML, which fetches nothing and needs no paid plan."""

from __future__ import annotations

import html
import itertools
import re
from typing import NamedTuple

from markdown_it import MarkdownIt

TEMPLATE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  :root {{ color-scheme: light dark; --line: light-dark(#d0d4dc, #3a404c); --tint: light-dark(#f5f6f8, #1c2027); }}
  body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1.5rem; }}
  h1, h2, h3 {{ line-height: 1.25; margin: 2em 0 .6em; }}
  h1 {{ margin-top: .5em; }}
  a {{ color: light-dark(#3538a8, #a5b4fc); }}
  nav {{ display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }}
  p code, li code {{ overflow-wrap: anywhere; }}
  code {{ font-size: .9em; }}
  pre {{ overflow-x: auto; padding: 1rem; border-radius: .5rem; background: var(--tint); }}
  table {{ display: block; overflow-x: auto; border-collapse: collapse; }}
  th, td {{ border-bottom: 1px solid var(--line); padding: .4rem .8rem .4rem 0; }}
  th, td {{ text-align: left; vertical-align: top; }}
  td:first-child code {{ white-space: nowrap; }}
</style>
<nav aria-label="Sections">
{links}</nav>
<main>
{body}</main>
</html>
"""


class Link(NamedTuple):
    """A link above the card."""

    label: str
    url: str


def render_page(title: str, card: str, links: tuple[Link, ...] = ()) -> str:
    """Return a card as a page with links to its sections. HTML in the card is shown, not interpreted.

    Args:
        title: The page's title, plain text.
        card: Markdown without front matter.
        links: Links to other pages, shown before those to the sections; they open a new tab.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(card)
    sections = []
    for opening, content in itertools.pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            anchor = re.sub(r"\W+", "-", content.content).strip("-").lower()
            opening.attrSet("id", anchor)
            sections.append(f'<a href="#{html.escape(anchor)}">{html.escape(content.content)}</a>\n')
    others = (
        f'<a href="{html.escape(link.url)}" target="_blank" rel="noopener">{html.escape(link.label)}</a>\n'
        for link in links
    )
    body = markdown.renderer.render(tokens, markdown.options, {})
    return TEMPLATE.format(title=html.escape(title), links="".join((*others, *sections)), body=body)
