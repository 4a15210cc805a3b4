"""The report on scored rows: how a row is explained, and the HTML of everything. No Gradio here."""

import base64
import csv
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from unicodedata import normalize as normalize_unicode

import jinja2
import pandas as pd

from answer_metrics.page import page_tables as tables
from answer_metrics.page.page_tables import Column, visible

HERE = Path(__file__).parent
TEXTS: dict[str, dict[str, Any]] = json.loads((HERE / "texts.json").read_text(encoding="utf-8"))
"""What the page calls options, columns, figures and reasons."""

DRAWN = (
    200  # rows of each label that the server renders, with explanations; the browser draws the others as plain texts
)
HISTOGRAM = 20  # rows that a histogram of their scores needs
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")  # a character, without spaces

# A class of the stylesheet (text, soft, code, mark, differ, sign, chip and an outcome) and a text.
Span = tuple[str, str]
Cell = list[list[Span]]  # the texts of a cell, each in spans
# The reason for the label of a row, and cells to show instead of the inputs, by input.
Explanation = tuple[list[Span], Mapping[str, Cell]]
Named = Mapping[str, Any]  # columns, options or results, by name


def data_link(text: str, kind: str) -> str:
    """Put a download into the page itself, so that no file with a visitor's texts is on the server."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
_ENVIRONMENT.globals.update(data_link=data_link, repr=repr)
REPORT = _ENVIRONMENT.get_template("report.html")
EXPORTS: Any = _ENVIRONMENT.get_template("exports.jinja").module  # code, tables and sentences about a result
PARTS: Any = _ENVIRONMENT.get_template("page.html").module  # HTML of the page around the report


@dataclass(kw_only=True)
class Report:
    """What the report shows."""

    title: str
    name: str  # of the downloads
    scores: list[tuple[str, float, Sequence[float]]]  # name, value, and its interval or nothing
    sentence: str
    outcomes: Mapping[str, str]  # the outcome (hit, near or miss) of each label, in the order of the legend
    labels: Sequence[str]  # of the rows
    columns: Sequence[Column]
    inputs: Mapping[str, Sequence[Any]]  # of the columns, by name
    explain: Callable[[int], Explanation]  # called for the rows that the server renders
    saved: Named  # the content of the JSON download
    table: Mapping[str, Sequence[Any]]  # columns of the CSV download after the inputs
    python: str  # empty for a result that was recorded earlier, so that computing gives another
    link: str
    row_scores: Sequence[float | None]  # what rows are sorted by
    level: float = 0.95
    scale: tuple[float, float] = (0.0, 1.0)  # the lowest and the highest value of a score
    method: str = "score"  # of the Space, which made the report
    notices: Sequence[str] = ()
    tables: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # rows of further tables, by title
    figures: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # others as texts, with their meaning
    matrix: Mapping[str, Sequence[float | None]] = field(default_factory=dict)  # scores by metric
    signature: str = ""
    difference: tuple[float, Sequence[float]] | tuple[()] = ()  # of two systems: second minus first, and its interval
    systems: Sequence[str] = ()  # what they are called
    ranks: Mapping[str, Sequence[int]] = field(default_factory=dict)  # of several systems: lowest and highest
    demo: bool = False  # a score that says nothing about the answers

    def html(self) -> str:
        """Render the report, misses first; the template escapes all texts."""
        rows: dict[str, list[int]] = {label: [] for label in self.outcomes}
        for row, label in enumerate(self.labels):
            rows[label].append(row)
        legend = [(label, outcome, len(rows[label])) for label, outcome in self.outcomes.items() if rows[label]]
        order = sorted(legend, key=lambda key: (key[0] != "disagree", ("miss", "near", "hit").index(key[1])))
        limit = None if self.matrix else DRAWN
        drawn = [row for label, _, _ in order for row in rows[label][:limit]]
        others = [] if limit is None else [row for label, _, _ in order for row in rows[label][limit:]]
        low, high = self.scale
        scores = [score for score in self.row_scores if score is not None]
        has_bins = self.method == "score" and len(scores) >= HISTOGRAM and not {*scores} <= {low, high}
        bins = Counter(min(int(10 * (score - low) / (high - low)), 9) for score in scores) if has_bins else {}
        html: str = REPORT.render(
            report=self,
            id=secrets.token_hex(4),
            legend=legend,
            examples=[self.example(row) for row in drawn],
            others=[self.plain_row(row) for row in others],
            groups=sorted(set(map(str, self.inputs.get("groups", ())))),
            bins=[bins.get(index, 0) for index in range(10)] if bins else [],
            json=json.dumps(self.saved, ensure_ascii=False, indent=1),
            csv=self.csv(),
        )
        return html

    def example(self, row: int) -> tuple[Any, ...]:
        """Return what the template shows of a row: its number, label, score, group, cells and explanation."""
        why, replaced = self.explain(row)
        cells = [(column, self.inputs[column.name][row], replaced.get(column.name)) for column in self.columns]
        return row + 1, self.labels[row], self.row_scores[row], self.group(row), cells, why

    def plain_row(self, row: int) -> list[Any]:
        """Return the same of a row that the browser draws, with its cells as texts and without an explanation."""
        cells = [tables.join_cell(self.inputs[column.name][row], column.kind) for column in self.columns]
        return [row + 1, self.labels[row], self.row_scores[row], self.group(row), cells]

    def group(self, row: int) -> str:
        """Return the group of a row, "" without groups."""
        return str(self.inputs["groups"][row]) if "groups" in self.inputs else ""

    def csv(self) -> str:
        """Write all rows as CSV, with lists of results as JSON."""
        texts = {
            column.name: [tables.join_cell(cell, column.kind) for cell in self.inputs[column.name]]
            for column in self.columns
        }
        table = pd.DataFrame({**texts, "outcome": self.labels, **self.table}, dtype=object)
        return "\N{BYTE ORDER MARK}" + str(
            table.map(spreadsheet_cell).to_csv(index=False, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
        )


def spreadsheet_cell(value: Any) -> Any:
    """Keep a spreadsheet from taking a text for a formula, which may send other cells to a server."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    starts = isinstance(value, str) and value[:1] in {*"=+-@\t\r\n"}
    return f"'{value}" if starts and not re.fullmatch(r"[+-]?[\d.]+", value) else value


def figure_text(value: float, type_name: str = "") -> str:
    """Format a figure: a share as a percentage, as the scores are; counts and others as numbers."""
    if isinstance(value, int):
        return f"{value:,}"
    if type_name == "points":
        return f"{100 * value:+.1f} points" if abs(value) >= 0.0005 else "0.0 points"
    if re.match(r"float, -?[01] to 1", type_name):
        return f"{100 * value:.1f}%"
    return "0" if abs(value) < 1e-12 else f"{value:.4f}" if abs(value) >= 0.00005 else f"{value:.1e}"


# ---- what explains a row


def marked(text: str, places: Sequence[tuple[int, int]], kind: str = "mark") -> Cell:
    """Return a text as a cell with the parts marked that are given by start and end."""
    pieces, end = [], 0
    for start, stop in sorted(places):
        if start >= end:
            pieces += [("", text[end:start]), (kind, text[start:stop])]
            end = stop
    return [[piece for piece in (*pieces, ("", text[end:])) if piece[1]]]


def numbered(texts: Sequence[str], partners: Mapping[int, Sequence[int]], letters: str) -> Cell:
    """Number texts, each with those that it matches by index; `letters` are those of this side and of the other."""
    cell: Cell = []
    for index, text in enumerate(texts):
        matches = " ".join(f"{letters[1]}{partner + 1}" for partner in partners.get(index, ()))
        sign = ("hit", f"= {matches}") if matches else ("miss", "no match")
        cell.append([("code", f"{letters[0]}{index + 1}"), ("", text), sign])
    return cell


def nearest_reference(own: str, others: Sequence[str]) -> int:
    """Return the index of the text that has the most letters of another one."""
    ratios = [SequenceMatcher(None, own[:200], other[:200], autojunk=False).quick_ratio() for other in others]
    return ratios.index(max(ratios))


def compare_texts(
    prediction: str, references: list[str], normalize: Callable[[list[str]], list[str]], label: str = ""
) -> list[Span]:
    """Explain how a prediction relates to its references; `label` may be "contains" or "fuzzy"."""
    own, *others = normalize([prediction, *references])
    several = len(references) > 1
    if own in others:
        index = others.index(own)
        which = f", reference {index + 1} of {len(references)}" if several else ""
        if prediction == references[index]:
            return [("text", f"Equal as written{which}")]
        return [("text", f"Equal after normalization{which}:"), ("code", own)]
    inside = max((other for other in others if other in own), key=len, default="")
    if label == "contains" and inside:
        before, _, after = own.partition(inside)
        return [("text", "Found in the answer:"), ("code", before), ("mark", inside), ("code", after)]
    nearest = others[nearest_reference(own, others)]
    among = [("soft", f"nearest of {len(references)} references")] if several else []
    sign = "≈" if label == "fuzzy" else "≠"
    sides = [visible(text) or "(nothing)" for text in (own, nearest)]
    if len({normalize_unicode("NFKC", text) for text in sides}) == 1:
        sides = [ascii(text)[1:-1] for text in (own, nearest)]
    return [("code", sides[0]), ("sign", sign), ("code", sides[1]), *among]


def marked_differences(
    prediction: str, references: list[str], normalize: Callable[[list[str]], list[str]]
) -> dict[str, Cell]:
    """Return the cells of a prediction and its references with the words marked that differ from the nearest one."""
    own, *others = normalize([prediction, *references])
    index = nearest_reference(own, others)
    sides = (prediction, references[index])
    places = [[match.span() for match in WORD.finditer(text)] for text in sides]
    words = [normalize([text[start:end] for start, end in side]) for text, side in zip(sides, places, strict=True)]
    steps = SequenceMatcher(None, words[0][:500], words[1][:500], autojunk=False).get_opcodes()
    changed = [step for step in steps if step[0] != "equal"]
    before = marked(prediction, [places[0][word] for step in changed for word in range(*step[1:3])], "differ")
    after = marked(references[index], [places[1][word] for step in changed for word in range(*step[3:])], "differ")
    cells = [
        *([("", text)] for text in references[:index]),
        *after,
        *([("", text)] for text in references[index + 1 :]),
    ]
    return {"predictions": before, "references": cells}
