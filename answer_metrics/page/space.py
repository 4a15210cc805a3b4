"""The Space of a metric, configured by its app.py: scoring, the report, the endpoints. No Gradio here.

Processes for long calls import this module; `gradio_page.py` has the page.
"""

import base64
import csv
import inspect
import json
import os
import re
import runpy
import sys
import types
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal, NamedTuple
from unicodedata import normalize as normalize_unicode

import evaluate
import jinja2
import pandas as pd

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from answer_metrics.page.page_tables import SYSTEMS, Column, Limits, Row, visible

ALWAYS = ("return_details", "return_confidence", "return_signature")  # options that the page always sets
LABELS = {"questions": "Question", "predictions": "Prediction", "references": "Reference"}
KIND_OF = {  # what a cell contains, by the type label of an input
    "list of str": "text",
    "list of float, bool or str": "text",
    "list of str, or list of lists of str": "answers",
    "list of lists of str": "list",
    "list of lists of float": "numbers",
}
CHANGES = {"improved": "hit", "scores differ": "near", "same score": "near", "left out": "near", "regressed": "miss"}
TABLES = {"by": "By group", "baseline": "All pairs"}  # of a comparison, by the argument that asks for them
SHOWN = 200  # rows of each label in the report; all are in the CSV

HERE = Path(__file__).parent
TEXTS: dict[str, dict[str, Any]] = json.loads((HERE / "texts.json").read_text(encoding="utf-8"))
"""What the page calls options, columns, figures and reasons."""

# A class of the stylesheet (text, soft, code, mark, sign, chip and an outcome) and a text.
Span = tuple[str, str]
Cell = list[list[Span]]  # the texts of a cell, each in spans
# The reason for the label of a row, and cells to show instead of the inputs, by input.
Explanation = tuple[list[Span], Mapping[str, Cell]]
Parameter = tuple[str, Any, Any, str]  # of an endpoint: name, type, default, help
Endpoint = tuple[str, str, list[Parameter]]  # the method that answers it, what it does, and its parameters
Named = Mapping[str, Any]  # columns, options or results, by name


class Scored(NamedTuple):
    """Rows and their result, from which each metric's app.py explains them."""

    inputs: Mapping[str, list[Any]]
    result: Named
    options: Any  # resolved
    script: types.ModuleType  # of the metric, as evaluate loaded it

    def references(self, row: int) -> list[str]:
        """Return the references of a row as a list."""
        found = self.inputs["references"][row]
        return [found] if isinstance(found, str) else found

    def prediction(self, row: int) -> str:
        """Return the prediction of a row without the model's thinking, if that is dropped."""
        text: str = self.inputs["predictions"][row]
        drop = library(self.script.__name__, "drop_reasoning")
        return text if self.options.reasoning == "keep" else drop([text], self.options.reasoning_marks)[0][0]


# ---- the report


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
IDS, GROUPS, CLUSTERS = (
    Column(name, label, "name", aliases, optional=True, help=text)
    for name, (label, aliases, text) in TEXTS["columns"].items()
)


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
    explain: Callable[[int], Explanation]  # called for the rows that are shown
    saved: Named  # the content of the JSON download
    table: Mapping[str, Sequence[Any]]  # columns of the CSV download after the inputs
    python: str  # empty for a result that was recorded earlier, so that computing gives another
    link: str
    level: float = 0.95
    method: str = "score"  # of the Space, which made the report
    notices: Sequence[str] = ()
    tables: Mapping[str, str] = field(default_factory=dict)  # HTML of further tables, by title
    figures: Mapping[str, tuple[float, str]] = field(default_factory=dict)  # others, with their meaning
    histogram: Sequence[float] = ()
    matrix: Mapping[str, Sequence[float]] = field(default_factory=dict)  # scores of the rows by metric, for the gallery
    signature: str = ""

    def html(self) -> str:
        """Render the report, misses first; the template escapes all texts."""
        rows = {label: [row for row, one in enumerate(self.labels) if one == label] for label in self.outcomes}
        legend = [(label, outcome, len(rows[label])) for label, outcome in self.outcomes.items() if rows[label]]
        order = sorted(legend, key=lambda one: (one[0] != "disagree", ("miss", "near", "hit").index(one[1])))

        def example(row: int) -> tuple[Any, ...]:
            why, replaced = self.explain(row)
            found = [(one, self.inputs[one.name][row], replaced.get(one.name)) for one in self.columns]
            return row + 1, self.labels[row], found, why

        bins = Counter(min(int(10 * score), 9) for score in self.histogram)
        html: str = REPORT.render(
            report=self,
            legend=legend,
            examples=[example(row) for label, _, _ in order for row in rows[label][:SHOWN]],
            bins=[bins[index] for index in range(10)] if self.histogram else [],
            json=json.dumps(self.saved, ensure_ascii=False, indent=1),
            csv=self.csv(),
        )
        return html

    def csv(self) -> str:
        """Write all rows as CSV, with lists of results as JSON."""
        texts = {one.name: [tables.join_cell(cell, one.kind) for cell in self.inputs[one.name]] for one in self.columns}
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


def plain(value: Any) -> Any:
    """Return a result as JSON has it."""
    return json.loads(json.dumps(value))


# ---- what explains a row


def marked(text: str, spans: Sequence[tuple[int, int]]) -> Cell:
    """Return a text with the parts marked that are given by start and end."""
    pieces, end = [], 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [("", text[end:start]), ("mark", text[start:stop])]
            end = stop
    return [[*pieces, ("", text[end:])]]


def numbered(texts: Sequence[str], partners: Mapping[int, Sequence[int]], letters: str) -> Cell:
    """Number texts, each with those that it matches by index; `letters` are those of this side and of the other."""
    cell: Cell = []
    for index, text in enumerate(texts):
        found = " ".join(f"{letters[1]}{partner + 1}" for partner in partners.get(index, ()))
        sign = ("hit", f"= {found}") if found else ("miss", "no match")
        cell.append([("code", f"{letters[0]}{index + 1}"), ("", text), sign])
    return cell


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
    nearest = max(others, key=lambda other: SequenceMatcher(None, own[:200], other[:200], autojunk=False).quick_ratio())
    among = [("soft", f"nearest of {len(references)} references")] if several else []
    sign = "≈" if label == "fuzzy" else "≠"
    shown = [visible(text) or "(nothing)" for text in (own, nearest)]
    if len({normalize_unicode("NFKC", text) for text in shown}) == 1:
        shown = [ascii(text)[1:-1] for text in (own, nearest)]
    return [("code", shown[0]), ("sign", sign), ("code", shown[1]), *among]


# ---- the Space


def answer_once() -> None:
    """Answer one call in a process of its own: `[method, arguments]` on standard input, as JSON, and so the result."""
    output, sys.stdout = sys.stdout, sys.stderr
    method, args = json.load(sys.stdin)
    space = runpy.run_path(sys.argv[1])["SPACE"]
    try:
        answer = {"result": getattr(space, method)(*args)}
    except Exception as error:
        answer = {"error": space.reason(error)}
    print(json.dumps(answer), file=output, flush=True)  # what the server reads


def library(script: str, name: str) -> Any:
    """Return a function that the library defines, as the module of a script uses it; in a Space, from a copy beside it.

    Raises:
        LookupError: If no imported module of the library defines it.
    """
    package = script.rpartition(".")[0]
    for prefix in (f"{package}._", "answer_metrics."):
        for path, module in list(sys.modules.items()):
            function = vars(module).get(name) if path.startswith(prefix) else None
            if getattr(function, "__module__", None) == path:
                return function
    raise LookupError(f"{name} is in no module of {package}")


def run(metric: Any, method: str, *args: Any, **options: Any) -> tuple[Any, list[str]]:
    """Call a method of a new object of a metric, as calls must not share what was added; return warnings too."""
    with library(type(metric).__module__, "capture_warnings")() as messages:
        result = getattr(type(metric)(keep_in_memory=True), method)(*args, **options)
    return result, [text.removeprefix(f"{metric.label}: ") for text in dict.fromkeys(messages)]


def parameters_of(columns: Sequence[Column]) -> list[Parameter]:
    """Return columns as the parameters of an endpoint, the required ones first."""
    required = [
        (one.name, tables.KINDS[one.kind], inspect.Parameter.empty, one.help) for one in columns if not one.optional
    ]
    return required + [(one.name, tables.KINDS[one.kind] | None, None, one.help) for one in columns if one.optional]


def paired(columns: Sequence[Column], double: Collection[str]) -> list[Column]:
    """Return the columns of a comparison: one per system of those with these names, and those of all metrics."""
    pairs = ([one.of_system(name) for name in "AB"] if one.name in double else [one] for one in columns)
    more = [one.of_system(name) for name in "CD" for one in columns if one.name in double]
    return [*(one for pair in pairs for one in pair), *more, IDS, GROUPS, CLUSTERS]


@dataclass(kw_only=True)
class Space:
    """The Space of a metric."""

    script: Path  # of the metric
    title: str
    scores: tuple[str, ...]  # the keys of the result that are shown as scores, the main score first
    outcomes: Mapping[str, str]  # the outcome (hit, near or miss) of each label, in the order of the legend
    label: Callable[[Scored], list[str]]  # returns the label of each row
    explain: Callable[[Scored, int], Explanation]  # returns the reason for the label of a row
    sentence: str = "answers match"  # the end of the summary, after the number of rows that count
    counted: tuple[str, ...] = ("hit", "near")  # the outcomes of the rows that count
    histogram: str = ""  # the key of the per-example scores that are drawn as a histogram
    facts: tuple[str, ...] = ()
    common: tuple[str, ...] = ()  # the options that are always visible
    words: Mapping[str, tuple[str, str, Mapping[str, str]]] = field(default_factory=dict)  # label, help, choices
    quiet: tuple[str, ...] = ("total", "correct")  # figures that are left out while they repeat a number above them
    labels: Mapping[str, str] = field(default_factory=dict)  # of inputs, where they differ from the usual ones
    hidden: tuple[str, ...] = ()  # options that neither the page nor the endpoints take
    fixed: Named = field(default_factory=dict)  # options with a fixed value
    defaults: Named = field(default_factory=dict)  # those that differ from the metric's
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # of options of which not all are taken
    needs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # as in the metric's declarations
    limits: Limits = Limits()
    judged: str = ""  # per-example scores that are compared where judging costs money; then calls stay in the process
    authorize: Callable[[Callable[..., Any], dict[str, Any], str], dict[str, Any]] | None = None  # runs `compute`

    def __post_init__(self) -> None:
        self.name, self.directory = self.script.stem, self.script.parent
        self.metric = evaluate.load(str(self.script))
        self.address = os.environ.get("SPACE_ID") or f"metrics/{self.name}"
        self.lead = " ".join(self.metric.description.split()).replace("`", "")
        labels = {**{name: name.capitalize() for name in self.metric.inputs}, **LABELS, **self.labels}
        self.columns = [
            Column(name, labels[name], KIND_OF[one.type_label], optional=one.optional, help=one.help)
            for name, one in self.metric.inputs.items()
            if one.type_label in KIND_OF
        ]
        plain: dict[str, Any] = {name: (name.replace("_", " ").capitalize(), "", {}) for name in self.metric.options}
        self.words = {**plain, **TEXTS["options"], **self.words}
        hidden = {*self.hidden, *self.fixed, *ALWAYS, *self.metric.secrets}
        self.options = {
            name: replace(one, help=(self.words[name][1] or one.help).strip(), needs=self.needs.get(name, one.needs))
            for name, one in self.metric.options.items()
            if name not in hidden and (one.choices or not one.accepts(Callable))  # a page does not run a visitor's code
        }
        self.values = {name: self.defaults.get(name, one.default) for name, one in self.metric.options.items()}
        if self.judged:
            aliases = f"{self.name}_{self.judged} result_{self.judged} score"
            text = f"The {self.judged} that {self.name} returned (null where judging failed)."
            score = Column(self.judged, "Score", "score", aliases, help=text)
            columns = [*(one._replace(optional=True) for one in self.columns), score]
        self.presets = {name or "": dict(given) for name, given in self.metric.presets.items()}
        # A judge is not asked again for the score of a group.
        self.rows = self.columns if self.judged else [*self.columns, IDS, GROUPS]
        self.compared = paired(columns if self.judged else self.columns, {self.metric.scored_input(), self.judged})
        of_both = [name for name in self.options if not self.judged or name in {"confidence_level", "bootstrap_seed"}]
        self.used = {"score": [*self.options, *ALWAYS], "compare": of_both}  # the options with an effect in each part
        self.examples = self.read_examples()

    def function(self, name: str) -> Any:
        """Return a function of the library, as the metric uses it."""
        return library(type(self.metric).__module__, name)

    def read_examples(self) -> list[dict[str, Any]]:
        """Read examples.json: title, note, options, rows, and perhaps the file of a recorded result."""
        examples: list[dict[str, Any]] = json.loads((self.directory / "examples.json").read_text(encoding="utf-8"))
        for example in examples:
            if "recorded" in example:
                example.update(json.loads((self.directory / example["recorded"]).read_text(encoding="utf-8")))
            columns = self.compared if example.get("comparing") else self.rows
            for row in example["rows"]:
                cells = zip([*row, *[""] * len(columns)], columns, strict=False)
                row[:] = [cell if isinstance(cell, str) else tables.join_cell(cell, one.kind) for cell, one in cells]
        return examples

    def launch(self) -> None:
        """Serve the page until the process ends."""
        from answer_metrics.page.gradio_page import launch  # needs Gradio

        launch(self)

    # ---- options

    def offered(self, name: str) -> list[Any]:
        """Return the choices of an option, None among them if the option takes it; empty if it has none."""
        option = self.metric.options[name]
        choices = list(self.choices.get(name, option.choices))
        return [None, *choices] if choices and option.accepts(types.NoneType) else choices

    def given(self, values: Named, method: str = "score") -> dict[str, Any]:
        """Return the options to pass to the metric: those that differ from its defaults, or from its preset."""
        values = {**self.defaults, **values}
        if unknown := [name for name in values if name not in {*self.options, *ALWAYS}]:
            raise InputError(f"This Space has no option {unknown[0]}; it has {', '.join(self.options)}.")
        asked = {name: self.checked(name, value) for name, value in values.items() if name in self.used[method]}
        preset = self.presets.get(asked.get("preset") or "", {})
        implied = {name: self.checked(name, preset.get(name, self.metric.options[name].default)) for name in asked}
        return {name: one for name, one in asked.items() if one != implied[name]}

    def checked(self, name: str, value: Any) -> Any:
        """Return the value of an option as the metric takes it, given that of its control or of an argument."""
        option, offered = self.metric.options[name], self.offered(name)
        if isinstance(value, (tuple, list)) and offered:
            value = ", ".join(value)
        chosen = value
        if value in ("", None):
            if option.default is not None and not option.accepts(types.NoneType):
                raise InputError(f"{name} is empty; it must be {option.label or option.expected}.")
            chosen = None
        elif isinstance(value, str) and (option.accepts(tuple) or (", " in value and value[:1] != "[")):
            parts = re.findall(r"[^\s,\[\]]+", value)
            chosen = [int(part) if part.isdigit() else part for part in parts]
        elif isinstance(value, str) and option.accepts(float):
            with suppress(ValueError):
                chosen = float(value)
        if offered and chosen is not None and value not in offered:
            shown = ", ".join("none" if one is None else f'"{one}"' for one in offered)
            raise InputError(f"{name} must be one of {shown}, got {value!r}")
        return option.check(chosen)

    # ---- scoring

    def reason(self, error: Exception) -> str:
        """Return the message of an error; that of an unexpected one is left out, as it may be of any kind."""
        if isinstance(error, (ValueError, TypeError, RuntimeError)):
            return str(error).removeprefix(f"{self.name}: ").partition('; missing="wrong"')[0]
        return f"Something went wrong here ({type(error).__name__})."

    def compute(self, inputs: Named, options: Named, key: str = "") -> tuple[dict[str, Any], list[str]]:
        """Compute the result and the metric's warnings."""
        self.limits.check(inputs)
        messages: list[str] = []

        def call(given: Named) -> Any:
            result, messages[:] = run(self.metric, "compute", **inputs, **{**given, **self.fixed})
            return result

        result = self.authorize(call, dict(options), key) if self.authorize else call(options)
        return plain(result), messages

    def explained(self, inputs: Named, options: Named, recorded: Named | None = None) -> tuple[Scored, list[str]]:
        """Score rows, or take their recorded result; return what explains them, and the metric's warnings."""
        inputs = {name: inputs[name] for name in self.metric.inputs if name in inputs}
        given = {**options, **{name: True for name in ALWAYS if name in self.metric.options}}
        result, messages = (recorded["result"], [recorded["recorded"]]) if recorded else self.compute(inputs, given)
        resolved, _ = run(self.metric, "resolve_options", options)
        return Scored(inputs, result, resolved, sys.modules[type(self.metric).__module__]), messages

    def score(self, rows: Sequence[Row], values: Named, recorded: Named | None = None) -> str:
        """Score rows of the page, or show their recorded result; return the report."""
        rows = tables.filled_rows(rows, len(self.rows))
        inputs, options = tables.to_inputs(rows, self.rows), {} if recorded else self.given(values)
        scored, messages = self.explained(inputs, options, recorded)
        result, labels = scored.result, self.label(scored)
        counted = sum(self.outcomes[label] in self.counted for label in labels)
        shown = {counted, len(rows), *(result[name] for name in self.scores)}
        about = {name: inputs[name] for name in ("ids", "groups") if name in inputs}
        outputs = self.metric.outputs
        return Report(
            title=self.title,
            name=self.name,
            scores=[(name, result[name], result.get(f"{name}_confidence_interval") or ()) for name in self.scores],
            level=scored.options.confidence_level,
            sentence=f"{counted:,} of {len(rows):,} {self.sentence}.",
            outcomes=self.outcomes,
            labels=labels,
            columns=[one for one in self.rows if one.name in inputs],
            inputs=inputs,
            notices=messages,
            explain=lambda row: self.explain(scored, row),
            saved={"metric": self.name, "inputs": scored.inputs, "options": options, "result": result} | about,
            table={
                name: one
                for name, one in result.items()
                if isinstance(one, list) and len(one) == len(rows) and not name.endswith("_confidence_interval")
            },
            python="" if recorded else EXPORTS.computed(self, scored.inputs, options),
            link="" if recorded else tables.pack_link(rows, options),
            tables=self.further(inputs, options, messages),
            figures={
                name: (value, outputs[name].help if name in outputs else "")
                for name, value in result.items()
                if type(value) in {int, float}
                and name not in self.scores
                and not (name in self.quiet and value in shown)
            },
            histogram=[score for score in result.get(self.histogram, ()) if score is not None],
            signature=result.get("signature") or "",
        ).html()

    def further(self, inputs: Named, options: Named, messages: list[str]) -> dict[str, str]:
        """Return tables of the scores by group, and of several samples of a question; adds to the messages."""
        ids, found, shown = inputs.get("ids", ()), {}, {"return_confidence": True}
        calls = [("By group", "aggregate", {"by": "groups", **shown})] if "groups" in inputs else []
        calls += [("Samples of the same question", "repeats", {"on": "ids", **shown})] if len({*ids}) < len(ids) else []
        keep = [name for name in ("ids", "groups") if name in inputs]
        scored = run(self.metric, "score_batch", inputs, keep=keep, **options)[0] if calls else {}
        for title, method, given in calls:
            try:
                result, more = run(self.metric, method, scored, **given, **options)
                found[title] = result._repr_html_()
            except ValueError as error:
                more = [f"{title}: {str(error).removeprefix(f'{self.name}: ')}"]
            messages += [text for text in more if text not in messages]
        return found

    # ---- several systems

    def compare(self, rows: Sequence[Row], values: Named) -> str:
        """Compare systems on rows of the page; return the report."""
        rows = tables.filled_rows(rows, len(self.compared))
        inputs, options = tables.to_inputs(rows, self.compared), self.given(values, "compare")
        systems, compared, messages, how = self.compare_systems(inputs, options)
        scored = {} if self.judged else {name: self.explained(of, options)[0] for name, of in systems.items()}
        labels = {name: self.label(one) for name, one in scored.items()}
        scores = {name: row_scores(self.metric.main_score, one.result) for name, one in scored.items()}
        scores = scores or {name: inputs[f"{self.judged}{SYSTEMS[name]}"] for name in systems}

        def explain(row: int) -> Explanation:
            cells: dict[str, Cell] = {}
            why: list[Span] = []
            for name, column in scores.items():
                label = labels[name][row] if scored else ""
                if column[row] is not None:
                    why.append((f"chip {self.outcomes.get(label, 'near')}", f"{name} {label} {column[row]:.3f}"))
                if scored:
                    reason, replaced = self.explain(scored[name], row)
                    why += [*reason, ("line", "")]
                    own = self.metric.scored_input()
                    cells[f"{own}{SYSTEMS[name]}"] = replaced.get(own, [])
            return why, cells

        main, interval = compared["score"], f"{compared['score']}_confidence_interval"
        return Report(
            title=f"{self.title}: {', '.join(systems)}",
            name=f"{self.name}_comparison",
            scores=[(f"{name} {main}", one[main], one[interval]) for name, one in compared["systems"].items()],
            level=compared["confidence_level"],
            sentence=sentence_of(compared),
            outcomes=CHANGES,
            labels=[change_of(row) for row in zip(*scores.values(), strict=True)],
            columns=[one for one in self.compared if one.base != self.judged and one.name in inputs],
            method="compare",
            inputs=inputs,
            explain=explain,
            saved={"metric": self.name, "systems": systems, "comparison": plain(compared), "options": options | how},
            table={f"score_{name.lower()}": column for name, column in scores.items()},
            tables={title: compared._repr_html_() for name, title in TABLES.items() if name in how},
            python=EXPORTS.compared(self),
            link=tables.pack_link(rows, options, comparing=True),
            notices=messages,
            figures=self.figures(systems, compared, options) if len(systems) == 2 else {},
            signature=compared.get("signature", ""),
        ).html()

    def figures(self, systems: Named, compared: Named, options: Named) -> dict[str, tuple[float, str]]:
        """Return figures of two systems, among them how many rows would detect a difference of one point."""
        found, (first, second) = of_second(compared), systems.values()
        if compared["total"] - found["left_out"] >= 2 and "samples" not in found:
            clusters = "clusters" if "clusters" in first else None
            given = {"second": second, "clusters": clusters, **options}
            found["required_n"] = run(self.metric, "required_n", first, **given)[0]["n"]
        texts = TEXTS["figures"] if compared["total"] > found["left_out"] else {}
        return {name: (found[name], text) for name, text in texts.items() if found.get(name) is not None}

    def systems(self, inputs: Named) -> dict[str, dict[str, Any]]:
        """Split columns into those of each system."""
        own = self.judged or self.metric.scored_input()
        names = {"ids", "groups", "clusters"} if self.judged else {one.name for one in self.compared if not one.system}
        shared = {name: column for name, column in inputs.items() if name in names}
        found = {}
        for system, end in SYSTEMS.items():
            given = {one.base: inputs[one.name] for one in self.compared if one.system == system and one.name in inputs}
            if given.get(own):
                found[system] = ({f"{self.name}_{own}": given[own]} if self.judged else given) | shared
            elif system in "AB":
                what = f"There are no {own}{end} yet"
                raise InputError(f"{what}: fill in the column or upload the file of system {system}.")
        return found

    def compare_systems(self, inputs: Named, options: Named, margin: Any = None) -> tuple[Any, Any, list[str], Any]:
        """Return the columns of the systems, the metric's comparison of them, its warnings, and its other arguments."""
        self.limits.check(inputs)
        systems, ids = self.systems(inputs), inputs.get("ids", ())
        how: dict[str, Any] = {"clusters": "clusters"} if "clusters" in inputs else {}
        if len(systems) > 2:  # not a pair
            how["baseline"] = "all"
        elif "groups" in inputs:
            how["by"] = "groups"
        if len({*ids}) < len(ids):
            how |= {"on": "ids", "repeats": True}
        compared, messages = run(self.metric, "compare", systems, margin=margin, **how, **options)
        if self.judged:
            compared.pop("signature", None)  # the scores do not say how they were judged
        if "groups" in inputs and "by" not in how:
            messages.append("Groups are compared for two systems only.")
        return systems, compared, messages, how

    # ---- endpoints

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the endpoints, by name."""
        taken = {**self.options, **{name: self.metric.options[name] for name in ALWAYS if name in self.values}}
        options = [(name, self.annotation(name), self.values[name], one.help) for name, one in taken.items()]
        inputs = {column.name for column in self.columns} if self.judged else ()
        text = "Largest difference that does not matter; adds noninferior and equivalent."
        of_both = [
            *parameters_of([one for one in self.compared[:-3] if one.base not in inputs]),
            *(one for one in options if one[0] in self.used["compare"]),
            ("margin", float | None, None, text),
            *parameters_of([CLUSTERS, GROUPS, IDS]),
        ]
        return {
            self.name: ("call", self.lead, [*parameters_of(self.columns), *options]),
            f"{self.name}_compare": ("call_compare", str(EXPORTS.comparing(self)).strip(), of_both),
        }

    def output_schema(self, method: str) -> dict[str, Any]:
        """Return the JSON schema of what an endpoint returns, for agents."""
        outputs = TEXTS["comparison"] if method == "call_compare" else self.metric.outputs
        types = {"float": "number", "int": "integer", "str": "string", "dict": "object"}
        kinds = {name: types.get(re.split(r"\W", label)[0], "array") for name, (label, _) in outputs.items()}
        known = {name: text.replace("`", "") for name, (_, text) in outputs.items() if "@" not in name}
        properties = {name: {"type": [kinds[name], "null"], "description": text} for name, text in known.items()}
        return {"type": "object", "properties": properties}

    def annotation(self, name: str) -> Any:
        """Return the type of an option as an argument."""
        option, choices = self.metric.options[name], [one for one in self.offered(name) if one is not None]
        kind: Any = next((one for one in (bool, int, float) if option.accepts(one)), str)
        kind = list[int] if option.accepts(tuple) else Literal[tuple(choices)] if choices else kind
        return kind | None if option.accepts(types.NoneType) else kind

    def call(self, arguments: dict[str, Any], key: str = "") -> dict[str, Any]:
        """Answer a call of the metric's endpoint."""
        result, messages = self.compute(*self.split(arguments), key)
        return {**result, "warnings": messages} if messages else result

    def call_compare(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of the comparison's endpoint."""
        margin = arguments.pop("margin", None)
        _, compared, messages, _ = self.compare_systems(*self.split(arguments, "compare"), margin)
        return described(compared) | ({"warnings": messages} if messages else {})

    def split(self, arguments: Named, method: str = "score") -> tuple[dict[str, Any], dict[str, Any]]:
        """Split the arguments of a call into columns that are given, and options for the metric."""
        columns = {column.name for column in (*self.columns, *self.compared)}
        inputs = {name: value for name, value in arguments.items() if name in columns and value is not None}
        options = {name: one for name, one in arguments.items() if name not in columns and one != self.values.get(name)}
        return inputs, self.given(options, method)


def row_scores(main: str, result: Named) -> list[Any]:
    """Return the main score of each row."""
    return list(result.get(f"individual_{main}") or result["individual_scores"])


def change_of(scores: Sequence[Any]) -> str:
    """Return the label of a row by its scores from the systems."""
    if None in scores:
        return "left out"
    if len({*scores}) == 1:
        return "same score"
    first, second, *others = scores
    return "scores differ" if others else "improved" if first < second else "regressed"


def described(compared: Any) -> dict[str, Any]:
    """Return a comparison as JSON has it, with its summary lines."""
    return {**plain(compared), "summary": str(compared), "sentence": sentence_of(compared)}


def of_second(compared: Named) -> dict[str, Any]:
    """Return the values of system B for the main score; a comparison may have one per score."""
    main, two = compared["score"], compared["systems"]["B"]
    return {name: value.get(main) if isinstance(value, dict) else value for name, value in two.items()}


def sentence_of(compared: Named) -> str:
    """State in a sentence or two whether B is better than A."""
    return " ".join(EXPORTS.verdict(compared, of_second(compared)).split())
