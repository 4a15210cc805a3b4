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
from functools import partial
from itertools import count
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

DRAWN = 200  # rows of each outcome that the server renders; the browser draws the others, and asks for their reasons
HISTOGRAM = 20  # rows that a histogram of their scores needs
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")  # a character, without spaces

# A class of the stylesheet (text, soft, code, mark, differ, sign, chip and an outcome) and a text.
Span = tuple[str, str]
Cell = list[list[Span]]  # the texts of a cell, each in spans
# The reason for the outcome of a row, and cells to show instead of the inputs, by input.
Explanation = tuple[list[Span], Mapping[str, Cell]]
Named = Mapping[str, Any]  # columns, options or results, by name


def data_link(text: str, kind: str) -> str:
    """Put a download into the page itself, so that no file with a visitor's texts is on the server."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"


def is_share(scale: Any) -> bool:
    """Return whether a score is a share of 1, and so written as a percentage."""
    return (scale.low, scale.high) == (0, 1)


def score_text(value: float, scale: Any) -> str:
    """Write a score as a percentage, or on the scale of its own."""
    return f"{round(100 * value, 1):g}%" if is_share(scale) else f"{value:.3g}"


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
_LATEX_MARKS = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_ENVIRONMENT.filters["latex"] = partial(
    re.sub, r"[&%$#_{}\\^~]", lambda mark: _LATEX_MARKS.get(mark[0], f"\\{mark[0]}")
)
_ENVIRONMENT.filters["markdown"] = partial(re.sub, r"[\\|`*_<>\[\]]", r"\\\g<0>")
_ENVIRONMENT.globals.update(data_link=data_link, is_share=is_share, repr=repr, write_score=score_text)
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
    outcomes: Mapping[str, str]  # whether each outcome is a hit, near or a miss, in the order of the legend
    row_outcomes: Sequence[str]
    columns: Sequence[Column]
    inputs: Mapping[str, Sequence[Any]]  # of the columns, by name
    explain: Callable[[int], Explanation]  # called for the rows that the server renders
    saved: Named  # the content of the JSON download
    options: Named = field(default_factory=dict)  # by which the browser asks for reasons
    table: Mapping[str, Sequence[Any]]  # columns of the CSV download after the inputs
    python: str  # empty for a result that was recorded earlier, so that computing gives another
    link: str
    row_scores: Sequence[float | None]  # what rows are sorted by
    level: float = 0.95
    scale: Any  # the library's `Scale` of the main score
    method: str = "score"  # of the Space, which made the report
    notices: Sequence[str] = ()
    tables: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # rows of further tables, by title
    figures: Mapping[str, tuple[Any, str, str]] = field(default_factory=dict)  # other numbers, with type and meaning
    matrix: Mapping[str, Sequence[float | None]] = field(default_factory=dict)  # scores by metric
    signature: str = ""
    compared: Named = field(default_factory=dict)  # what the metric's `compare` returned
    second: Named = field(default_factory=dict)  # of it, the second system by the main score
    demo: bool = False  # a score that says nothing about the answers

    def html(self) -> str:
        """Render the report, misses first; the template escapes all texts."""
        rows: dict[str, list[int]] = {outcome: [] for outcome in self.outcomes}
        for row, outcome in enumerate(self.row_outcomes):
            rows[outcome].append(row)
        legend = [(outcome, verdict, len(rows[outcome])) for outcome, verdict in self.outcomes.items() if rows[outcome]]
        order = sorted(legend, key=lambda key: (key[0] != "disagree", ("miss", "near", "hit").index(key[1])))
        limit = len(self.row_outcomes) if self.matrix else DRAWN
        drawn = [row for outcome, _, _ in order for row in rows[outcome][:limit]]
        others = [row for outcome, _, _ in order for row in rows[outcome][limit:]]
        groups = [*map(str, self.inputs.get("groups", [""] * len(self.row_outcomes)))]
        texts = {
            column.name: [tables.join_cell(cell, column.kind) for cell in self.inputs[column.name]]
            for column in self.columns
        }
        facts = [*zip(count(1), self.row_outcomes, self.row_scores, groups, strict=False)]
        return REPORT.render(
            report=self,
            id=secrets.token_hex(4),
            legend=legend,
            examples=[(*facts[row], *self.explained(row)) for row in drawn],
            others=[(*facts[row], [column[row] for column in texts.values()]) for row in others],
            groups=sorted({*groups}),
            bins=self.bins(),
            json=json.dumps(self.saved, ensure_ascii=False, indent=1),
            csv=self.csv(texts),
        )

    def explained(self, row: int) -> tuple[list[Any], list[Span]]:
        """Return the cells of a row, each with its column and what to show instead, and the reason for its outcome."""
        why, replaced = self.explain(row)
        return [(column, self.inputs[column.name][row], replaced.get(column.name)) for column in self.columns], why

    def bins(self) -> list[int]:
        """Count the scores of the rows in ten bins, if a histogram says more than the outcomes do."""
        low, high = self.scale.low, self.scale.high
        scores = [score for score in self.row_scores if score is not None]
        if self.method != "score" or len(scores) < HISTOGRAM or {*scores} <= {low, high}:
            return []
        bins = Counter(min(int(10 * (score - low) / (high - low)), 9) for score in scores)
        return [bins[index] for index in range(10)]

    def csv(self, texts: Mapping[str, Sequence[str]]) -> str:
        """Write all rows as CSV, with lists of results as JSON."""
        columns = {**texts, "outcome": self.row_outcomes, **self.table}
        cells = {name: [spreadsheet_cell(value) for value in values] for name, values in columns.items()}
        table = pd.DataFrame(cells, dtype=object)
        written = table.to_csv(index=False, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
        return f"\N{BYTE ORDER MARK}{written}"


def spreadsheet_cell(value: Any) -> Any:
    """Keep a spreadsheet from taking a text for a formula, which may send other cells to a server."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    starts = isinstance(value, str) and value[:1] in {*"=+-@\t\r\n"}
    return f"'{value}" if starts and not re.fullmatch(r"[+-]?[\d.]+", value) else value


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
    prediction: str, references: list[str], normalize: Callable[[list[str]], list[str]], match: str = ""
) -> list[Span]:
    """Explain how a prediction relates to its references; `match` may be "contains" or "fuzzy"."""
    own, *others = normalize([prediction, *references])
    several = len(references) > 1
    if own in others:
        index = others.index(own)
        which = f", reference {index + 1} of {len(references)}" if several else ""
        if prediction == references[index]:
            return [("text", f"Equal as written{which}")]
        return [("text", f"Equal after normalization{which}:"), ("code", own)]
    inside = max((other for other in others if other in own), key=len, default="")
    if match == "contains" and inside:
        before, _, after = own.partition(inside)
        return [("text", "Found in the answer:"), ("code", before), ("mark", inside), ("code", after)]
    nearest = others[nearest_reference(own, others)]
    among = [("soft", f"nearest of {len(references)} references")] if several else []
    sign = "≈" if match == "fuzzy" else "≠"
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
    changed = [step[1:] for step in steps if step[0] != "equal"]
    lost, added = (
        [places[side][word] for step in changed for word in range(*step[2 * side : 2 * side + 2])] for side in (0, 1)
    )
    after: Cell = [[("", text)] for text in references]
    (after[index],) = marked(references[index], added, "differ")
    return {"predictions": marked(prediction, lost, "differ"), "references": after}
