# Vendored: edit metrics/_shared/space_ui/report.py and run `make vendor`.
"""The report of a Space: a result as HTML that needs no script to be read. Standard library only.

Whatever a visitor wrote goes through `escape`. A colour never stands alone: each outcome has a sign and a word too.
"""

import html
from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from difflib import SequenceMatcher
from typing import Literal

Outcome = Literal["hit", "near", "miss"]
SIGNS: Mapping[Outcome, str] = {"hit": "✓", "near": "≈", "miss": "✗"}
ORDER: Mapping[str, int] = {"hit": 0, "near": 1, "miss": 2}

_MARKED = 200  # longer texts are shown without marks: comparing them letter by letter is slow, and nobody reads it
_ALIKE = 0.4  # below it two texts have too little in common for marks to tell anything
_SHOWN = 600
_BINS = 10
_HIGH = 56  # pixels of the highest bar
_FEW = 30


@dataclass(frozen=True)
class Example:
    """One row of the table."""

    outcome: Outcome
    label: str
    cells: tuple[str | list[str], ...]
    why: str
    """HTML."""
    drawn: tuple[str, ...] = ()
    """HTML to show instead of the cells, where the plain texts do not say enough."""


@dataclass(frozen=True)
class Track:
    """A score with its interval."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Report:
    """All that a page shows of a result."""

    tracks: Sequence[Track]
    sentence: str
    level: float
    figures: Sequence[tuple[str, str, str]]
    """Name, value and meaning of the other figures."""
    columns: Sequence[str]
    examples: Sequence[Example]
    notices: Sequence[str] = ()
    histogram: Sequence[float] = ()
    histogram_name: str = ""
    footnote: str = ""
    labels: Mapping[str, Outcome] = field(default_factory=dict)
    """The labels that can occur, in the order of the legend."""
    equals: bool = False
    """Whether the scores stand beside each other, and none of them above the others."""
    sought: tuple[str, Outcome] = ("Only misses", "miss")
    """What the button above the table says, and the outcome of the rows that it leaves."""


def escape(text: object) -> str:
    """Make a text safe to stand in HTML, in an attribute too."""
    return html.escape(str(text), quote=True)


def percent(value: float) -> str:
    """Write a share for reading: 66.7 %."""
    return f"{100 * value:.1f}".removesuffix(".0") + "\u202f%"


def number(value: float) -> str:
    """Write a figure of a result."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


# ---- texts


def visible(text: str) -> str:
    """Show a text as HTML; white space at its ends, which is easily overlooked, is drawn."""
    if not text:
        return '<span class="nil">empty</span>'
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    start = len(shown) - len(shown.lstrip())
    end = len(shown.rstrip())
    if start >= end:
        return _drawn(shown)
    return _drawn(shown[:start]) + escape(shown[start:end]) + _drawn(shown[end:])


def _drawn(space: str) -> str:
    """Draw white space."""
    signs = {" ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍"}
    return f'<span class="ws">{escape("".join(signs.get(one, "␣") for one in space))}</span>' if space else ""


def marked(left: str, right: str) -> tuple[str, str]:
    """Show two texts as HTML, with marks where they differ."""
    if max(len(left), len(right)) > _MARKED:
        return visible(left), visible(right)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if not left or not right or matcher.ratio() < _ALIKE:
        return visible(left), visible(right)
    sides = ["", ""]
    for kind, left_start, left_end, right_start, right_end in matcher.get_opcodes():
        for side, part in enumerate((left[left_start:left_end], right[right_start:right_end])):
            if kind == "equal":
                sides[side] += escape(part)
            elif part:
                sides[side] += f"<mark>{_drawn(part) if part.isspace() else escape(part)}</mark>"
    return sides[0], sides[1]


def compared(
    prediction: str, references: Sequence[str], forms: Callable[[list[str]], list[str]], label: str, detail: str = ""
) -> str:
    """Say as HTML why a prediction matches its references or not.

    Args:
        prediction: The text as it was given.
        references: The acceptable texts as they were given.
        forms: Turns texts into what is compared.
        label: "exact", "contains", "fuzzy" or "none"; under another both texts are shown.
        detail: What else there is to say, as text.
    """
    plain, *others = forms([prediction, *references])
    which = f" {{}} of {len(references)}" if len(references) > 1 else ""
    said = f' <span class="soft">· {escape(detail)}</span>' if detail else ""
    if label == "exact":
        place = others.index(plain)
        as_written = prediction == references[place]
        words = "Equal as written" if as_written else "Equal once normalised"
        chosen = f", reference{which.format(place + 1)}" if which else ""
        return f"{words}{chosen}" + ("" if as_written else f": <code>{visible(plain)}</code>") + said
    if label == "contains":
        place = next((index for index, other in enumerate(others) if other and other in plain), 0)
        before, _, after = plain.partition(others[place])
        return f"Stands inside: <code>{escape(before)}<mark>{escape(others[place])}</mark>{escape(after)}</code>{said}"
    nearest = max(others, key=lambda other: _nearness(plain, other))
    left, right = marked(plain, nearest)
    sign = _BETWEEN.get(label, '<span class="op">·</span>')
    among = f' <span class="soft">· nearest of {len(references)}</span>' if which else ""
    return f"<code>{left}</code> {sign} <code>{right}</code>{said}{among}"


_BETWEEN = {
    "fuzzy": '<span class="op" role="img" aria-label="is similar to">≈</span>',
    "none": '<span class="op" role="img" aria-label="is not equal to">≠</span>',
}


def _nearness(left: str, right: str) -> float:
    return SequenceMatcher(None, left[:_MARKED], right[:_MARKED], autojunk=False).quick_ratio()


def parts(texts: Sequence[str], partners: Mapping[int, Sequence[int]], mark: str, other: str) -> str:
    """Show a list of texts as HTML, numbered, with what each of them matches on the other side.

    Args:
        texts: The texts.
        partners: The places of those that a text matches, by its own place.
        mark: The letter that the numbers of these texts begin with.
        other: The letter of the numbers on the other side.
    """
    if not texts:
        return '<span class="nil">none</span>'
    items = []
    for place, text in enumerate(texts):
        outcome: Outcome = "hit" if partners.get(place) else "miss"
        named = ", ".join(f"{other}{partner + 1}" for partner in partners.get(place, ()))
        told = f" <em>matches {named}</em>" if named else ""
        items.append(
            f'<li class="{outcome}"><b aria-hidden="true">{SIGNS[outcome]}</b><em>{mark}{place + 1}</em> '
            f"{visible(text)}{told}</li>"
        )
    return f'<ul class="parts">{"".join(items)}</ul>'


# ---- drawings


def draw_tracks(tracks: Sequence[Track], level: float) -> str:
    """Draw scores with their intervals on one scale from 0 to 1."""
    parts = []
    for track in tracks:
        told = f"{track.name} {track.value:.3f}"
        band = ""
        if track.low is not None and track.high is not None:
            told += f", {level:.0%} interval from {track.low:.3f} to {track.high:.3f}"
            x, width = 100 * track.low, 100 * (track.high - track.low)
            band = (
                f'<rect class="band" x="{x:.2f}%" y="8" width="{max(width, 0.4):.2f}%" height="12" rx="2"/>'
                f'<line class="end" x1="{x:.2f}%" x2="{x:.2f}%" y1="5" y2="23"/>'
                f'<line class="end" x1="{x + width:.2f}%" x2="{x + width:.2f}%" y1="5" y2="23"/>'
            )
        point = 100 * track.value
        several = f'<span class="track-name">{escape(track.name)}</span>' if len(tracks) > 1 else ""
        figure = f'<span class="track-value">{track.value:.3f}</span>' if len(tracks) > 1 else ""
        ticks = "".join(f'<line class="tick" x1="{x}%" x2="{x}%" y1="11" y2="17"/>' for x in range(0, 101, 25))
        parts.append(
            f'<div class="track">{several}<svg role="img" aria-label="{escape(told)}" height="28" width="100%">'
            f'<line class="axis" x1="0" x2="100%" y1="14" y2="14"/>{ticks}{band}'
            f'<circle class="halo" cx="{point:.2f}%" cy="14" r="8"/>'
            f'<circle class="point" cx="{point:.2f}%" cy="14" r="5.5"/></svg>{figure}</div>'
        )
    scale = "".join(f"<span>{x}</span>" for x in ("0", ".25", ".5", ".75", "1"))
    several = " several" if len(tracks) > 1 else ""
    return f'<div class="tracks{several}">{"".join(parts)}<div class="scale" aria-hidden="true">{scale}</div></div>'


def draw_groups(counts: Sequence[tuple[str, Outcome, int]]) -> str:
    """Draw how many examples there are of each outcome, as one bar; the legend's buttons filter the table."""
    total = sum(count for _, _, count in counts) or 1
    bar = "".join(f'<i class="{outcome}" style="flex-grow:{count}"></i>' for _, outcome, count in counts if count)
    told = ", ".join(f"{count} {label}" for label, _, count in counts)
    legend = "".join(
        f'<button type="button" class="key {outcome}" data-label="{escape(label)}" aria-pressed="false">'
        f'<b aria-hidden="true">{SIGNS[outcome]}</b> {escape(label)} <span>{count:,}</span>'
        f"<em>{percent(count / total)}</em></button>"
        for label, outcome, count in counts
    )
    return f'<div class="groups"><div class="bar" role="img" aria-label="{escape(told)}">{bar}</div>{legend}</div>'


def draw_histogram(scores: Sequence[float], name: str) -> str:
    """Draw how the scores of the examples are distributed, in tenths."""
    bins = Counter(min(int(score * _BINS), _BINS - 1) for score in scores)
    highest = max(bins.values(), default=1)
    told = ", ".join(f"{bins[place]} from {place / _BINS:g} to {(place + 1) / _BINS:g}" for place in sorted(bins))
    bars = "".join(
        f'<div class="bin"><span>{bins[place] or ""}</span>'
        f'<i style="height:{_HIGH * bins[place] / highest:.1f}px"></i></div>'
        for place in range(_BINS)
    )
    scale = "".join(f"<span>{x}</span>" for x in ("0", ".5", "1"))
    return (
        f'<div class="histogram"><h4>{escape(name)}</h4><div class="bins" role="img" '
        f'aria-label="{escape(name)}: {escape(told)}">{bars}</div>'
        f'<div class="scale" aria-hidden="true">{scale}</div></div>'
    )


# ---- the whole


def render(report: Report) -> str:
    """Write a report as HTML."""
    head = report.tracks[0]
    counted = Counter(example.label for example in report.examples)
    outcomes = {**report.labels, **{example.label: example.outcome for example in report.examples}}
    groups = [
        (label, outcomes[label], counted[label]) for label in outcomes if counted[label] or label in report.labels
    ]
    groups.sort(key=lambda group: ORDER[group[1]])
    interval = ""
    if head.low is not None and head.high is not None and not report.equals:
        interval = (
            f'<span class="interval">{report.level:.0%} interval {percent(head.low)} to {percent(head.high)}</span>'
        )
    notices = "".join(f'<p class="notice">{escape(notice)}</p>' for notice in report.notices)
    figures = "".join(
        f'<div title="{escape(meaning)}"><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>'
        for name, value, meaning in report.figures
    )
    return (
        '<section class="report" aria-label="Result">'
        f'{notices}<div class="headline{" equals" if report.equals else ""}">{_figure(report)}'
        f'<div class="drawn">{draw_tracks(report.tracks, report.level)}'
        f'<p role="status">{escape(report.sentence)} {interval}</p></div></div>'
        f"{draw_groups(groups)}"
        f"{draw_histogram(report.histogram, report.histogram_name) if report.histogram else ''}"
        f'<dl class="figures">{figures}</dl>'
        f"{_table(report)}"
        f'<p class="footnote">{escape(report.footnote)}</p></section>'
    )


def _figure(report: Report) -> str:
    """Write the score that is shown large."""
    if report.equals:
        return ""
    head = report.tracks[0]
    return (
        f'<div class="figure"><span class="name">{escape(head.name)}</span><strong>{percent(head.value)}</strong>'
        f'<span class="exact">{head.value:.4f}</span></div>'
    )


def render_error(message: str) -> str:
    """Write what went wrong as HTML; it takes the place of any older report."""
    return (
        '<section class="report failed" role="alert"><h3><b aria-hidden="true">!</b> Not computed</h3>'
        f"<p>{escape(message)}</p></section>"
    )


def sentence(correct: int, total: int, what: str) -> str:
    """Say what a share of so many examples means."""
    said = f"{correct:,} of {total:,} {what}."
    return f"{said} With so few examples the interval is wide." if total < _FEW else said


def _table(report: Report) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in report.columns)
    bodies = "".join(_body(place, example, report.columns) for place, example in enumerate(report.examples, start=1))
    return (
        '<div class="table-head"><h3>Example by example</h3><div class="filters">'
        '<button type="button" class="only" aria-pressed="false" '
        f'data-outcome="{report.sought[1]}">{escape(report.sought[0])}</button>'
        '<input type="search" class="filter" aria-label="Filter the examples by text" placeholder="Filter by text"/>'
        '</div></div><p class="shown" aria-live="polite"></p><table><thead><tr><th scope="col">Outcome</th>'
        f'{heads}</tr></thead>{bodies}</table><button type="button" class="more" hidden>Show more</button>'
    )


def _body(place: int, example: Example, columns: Sequence[str]) -> str:
    drawn = example.drawn or tuple(map(_cell, example.cells))
    cells = "".join(f'<td data-name="{escape(name)}">{cell}</td>' for name, cell in zip(columns, drawn, strict=True))
    why = f'<tr class="why"><td colspan="{len(columns)}">{example.why}</td></tr>' if example.why else ""
    return (
        f'<tbody class="{example.outcome}" data-label="{escape(example.label)}"><tr><th scope="row" '
        f'rowspan="{2 if why else 1}"><b aria-hidden="true">{SIGNS[example.outcome]}</b> {escape(example.label)}'
        f'<span class="place">{place}</span></th>{cells}</tr>{why}</tbody>'
    )


def _cell(cell: str | list[str]) -> str:
    if isinstance(cell, str):
        return visible(cell)
    if not cell:
        return '<span class="nil">none</span>'
    if len(cell) == 1:
        return visible(cell[0])
    return "<ul>" + "".join(f"<li>{visible(text)}</li>" for text in cell) + "</ul>"
