# Vendored: edit metrics/_shared/space.py and run `make vendor`.
"""The Space of a metric, configured by its app.py: scoring, the report, the endpoints. No Gradio here.

Processes for long calls import this module; `space_page.py` has the page.
"""

import base64
import csv
import importlib.util
import inspect
import io
import json
import os
import re
import sys
import types
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal, NamedTuple

import evaluate
import jinja2

from space_tables import (
    SECOND,
    Column,
    InputError,
    Limits,
    Row,
    check_ids,
    count_rows,
    filled_rows,
    join_cell,
    match_ids,
    pack_link,
    to_inputs,
)

ALWAYS = ("return_details", "return_confidence", "return_signature")
"""Options that the page always sets."""
LABELS = {"questions": "Question", "predictions": "Prediction", "references": "Reference"}
KINDS = {
    "list of str": ("text", list[str]),
    "list of str, or list of lists of str": ("answers", list[str] | list[list[str]]),
    "list of lists of str": ("list", list[list[str]]),
    "list of lists of float": ("numbers", list[list[float]]),
}
"""What a cell contains and the type of the endpoint's argument, by the type label of an input."""
CLUSTERS = Column("clusters", "Cluster", optional=True)
IDS = Column("ids", "ID", optional=True)
CHANGES = {"improved": "hit", "same score": "near", "left out": "near", "regressed": "miss"}
FIGURES = {
    "difference": "B minus A",
    "p_value": "The probability of such a difference if A and B were equally good",
    "wins": "Rows on which B scores higher",
    "losses": "Rows on which A scores higher",
    "ties": "Rows on which both score the same",
    "minimum_detectable_difference": "The true difference that the test would detect with a power of 80%",
}
"""The figures of a comparison."""
SHOWN = 200  # rows of each label in the report; all are in the CSV
FEW = 30
INLINE = 40  # rows that the Python code contains; with more it reads the downloaded file

Span = tuple[str, str]
"""A class of the stylesheet (text, soft, code, mark, sign, chip and an outcome) and a text."""
Cell = list[list[Span]]
"""The texts of a cell, each in spans."""
Parameter = tuple[str, Any, Any, str]
"""A parameter of an endpoint: name, type, default, help."""
REQUIRED: Any = inspect.Parameter.empty
_NAMES = list[str] | list[int] | None
LABELS_OF_ROWS: list[Parameter] = [
    ("clusters", _NAMES, None, "What each row belongs to, such as its document, if rows depend on each other."),
    ("ids", _NAMES, None, "The id of each row, such as that of its question; all must differ."),
    (f"ids{SECOND}", _NAMES, None, "The ids of the rows of system B if they are in a different order."),
]
MARGIN = ("margin", float | None, None, "Largest difference that does not matter; adds noninferior and equivalent.")
Score = tuple[str, float, Sequence[float]]
"""A score: name, value, and its interval or nothing."""


class Scored(NamedTuple):
    """Rows and their result, from which each metric's app.py explains them."""

    inputs: Mapping[str, list[Any]]
    result: Mapping[str, Any]
    options: Any
    """The resolved options."""
    script: types.ModuleType
    """The metric's script, as evaluate loaded it."""

    def references(self, row: int) -> list[str]:
        """Return the references of a row as a list."""
        found = self.inputs["references"][row]
        return [found] if isinstance(found, str) else found

    def scores(self, main: str) -> list[Any]:
        """Return the main score of each row."""
        scores: list[Any] = self.result.get(f"individual_{main}") or self.result["individual_scores"]
        return scores


# ---- the report


def percent(value: float) -> str:
    """Write a share: 62.5%, 60%."""
    return f"{100 * value:.1f}".removesuffix(".0") + "%"


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
_ENVIRONMENT.globals["percent"] = percent
TEMPLATE: Any = _ENVIRONMENT.get_template("report.html")


@dataclass(kw_only=True)
class Report:
    """What the report shows."""

    title: str
    name: str
    """Of the downloads."""
    scores: list[Score]
    level: float
    sentence: str
    outcomes: Mapping[str, str]
    """The outcome (hit, near or miss) of each label, in the order of the legend."""
    labels: Sequence[str]
    """The label of each row."""
    columns: Sequence[str]
    example: Callable[[int], tuple[Sequence[Cell], Sequence[Span]]]
    """Returns cells and reason of a row; called for the rows that are shown."""
    saved: Mapping[str, Any]
    """The content of the JSON download."""
    table: Mapping[str, Sequence[Any]]
    """The columns of the CSV download."""
    python: str
    link: str = ""
    side_by_side: bool = False
    """Whether all scores have equal weight and none is the headline."""
    notices: Sequence[str] = ()
    figures: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """Other figures, with their meaning."""
    histogram: Sequence[float] = ()
    signature: str = ""

    def html(self) -> str:
        """Render the report, misses first; the template escapes all texts."""
        rows: dict[str, list[int]] = {label: [] for label in self.outcomes}
        for row, label in enumerate(self.labels):
            rows[label].append(row)
        legend = [(label, outcome, len(rows[label])) for label, outcome in self.outcomes.items() if rows[label]]
        order = sorted(legend, key=lambda one: ("miss", "near", "hit").index(one[1]))
        examples = [
            (row + 1, label, outcome, *self.example(row)) for label, outcome, _ in order for row in rows[label][:SHOWN]
        ]
        exports = {
            "json": ("application/json", json.dumps(self.saved, ensure_ascii=False, indent=1)),
            "csv": ("text/csv", write_csv(self.table)),
            "svg": ("image/svg+xml", str(TEMPLATE.module.drawing(self.scores)).strip()),
        }
        bins = Counter(min(int(10 * score), 9) for score in self.histogram)
        html: str = TEMPLATE.render(
            report=self,
            legend=legend,
            examples=examples,
            bins=[bins[index] for index in range(10)] if self.histogram else [],
            # In the page itself, so that no file with a visitor's texts is on the server.
            exports=[
                (end, f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}")
                for end, (kind, text) in exports.items()
            ],
            copies={"Python": self.python, **self.for_papers()},
        )
        return html

    def for_papers(self) -> dict[str, str]:
        """Write the scores in percent, with intervals and signature, as a Markdown table and as rows in LaTeX."""
        total, interval = len(self.labels), f"{100 * self.level:g}% CI"
        lines = [f"| {self.title} | score (%) | {interval} | n |", "| --- | --- | --- | --- |"]
        latex = [f"% {self.title}, {interval}, {self.signature}".removesuffix(", ")]
        for name, value, ends in self.scores:
            bounds = [f"{100 * end:.1f}" for end in ends]
            lines.append(f"| {name} | {100 * value:.1f} | {' to '.join(bounds)} | {total:,} |")
            small = f" {{\\scriptsize [{', '.join(bounds)}]}}" if bounds else ""
            latex.append(name.replace("_", r"\_") + f" & {100 * value:.1f}{small} & {total} \\\\")
        signed = ["", f"`{self.signature}`"] if self.signature else []
        return {"Markdown": "\n".join([*lines, *signed]), "LaTeX": "\n".join(latex)}


def write_csv(table: Mapping[str, Sequence[Any]]) -> str:
    """Write columns as CSV, with lists as JSON.

    Spreadsheets take a text that begins with one of = + - @ for a formula, which may send other cells to a server; an
    apostrophe before it makes it a text.
    """

    def cell(value: Any) -> Any:
        if isinstance(value, (list, dict)):
            return json.dumps(value, ensure_ascii=False)
        is_formula = isinstance(value, str) and value[:1] in {*"=+-@\t\r"} and not re.fullmatch(r"[+-]?[\d.]+", value)
        return f"'{value}" if is_formula else value

    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(table)
    writer.writerows(map(cell, row) for row in zip(*table.values(), strict=True))
    return "\N{BYTE ORDER MARK}" + buffer.getvalue()


def plain(value: Any) -> Any:
    """Convert the tuples of a result to lists, as JSON has them."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


# ---- what explains a row


def text_cell(value: Any, kind: str = "answers") -> Cell:
    """Return the value of a column of this kind as a cell; ground truths are numbered as in `numbered`."""
    if kind == "numbers":
        return [[("", ", ".join(f"{number:g}" for number in value))]]
    if kind == "list":
        return [[("code", f"G{number}"), ("", text)] for number, text in enumerate(value, 1)]
    return [[("", text)] for text in ([value] if isinstance(value, str) else value)]


def marked(text: str, spans: Sequence[tuple[int, int]]) -> Cell:
    """Return a text with the parts marked that are given by start and end."""
    pieces, end = [], 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [("", text[end:start]), ("mark", text[start:stop])]
            end = stop
    return [[*pieces, ("", text[end:])]]


def marked_words(text: str, found: Callable[[str], bool]) -> Cell:
    """Return a text with the words marked for which `found` is true; in Chinese and Japanese, characters."""
    words = re.finditer(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+", text)
    return marked(text, [word.span() for word in words if found(word[0])])


def numbered(texts: Sequence[str], partners: Mapping[int, Sequence[int]], letters: str) -> Cell:
    """Return a numbered list of texts with the texts that each of them matches on the other side.

    Args:
        texts: The texts.
        partners: The indices of the matching texts of the other side, by the index of the text.
        letters: The prefixes of the numbers, of this side and of the other.
    """
    cell: Cell = []
    for index, text in enumerate(texts):
        found = " ".join(f"{letters[1]}{partner + 1}" for partner in partners.get(index, ()))
        cell.append(
            [("code", f"{letters[0]}{index + 1}"), ("", text), ("hit", f"= {found}") if found else ("miss", "no match")]
        )
    return cell


def compare_texts(
    prediction: str, references: list[str], normalize: Callable[[list[str]], list[str]], label: str = ""
) -> list[Span]:
    """Explain how a prediction relates to its references.

    Args:
        prediction: The prediction.
        references: The acceptable references.
        normalize: Normalizes texts for the comparison.
        label: "contains" or "fuzzy" if it matches in another way than being equal.
    """
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
    return [("code", own or "(nothing)"), ("sign", sign), ("code", nearest or "(nothing)"), *among]


# ---- the Space


def load_space(app: Path) -> Any:
    """Load the Space of an app.py."""
    spec = importlib.util.spec_from_file_location(f"app_of_{app.parent.name}", app)
    if spec is None or spec.loader is None:
        raise ImportError(f"{app} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.SPACE


def answer_once() -> None:
    """Answer one call in a process of its own: `[method, arguments]` on standard input, as JSON, and so the result."""
    output, sys.stdout = sys.stdout, sys.stderr
    method, args = json.load(sys.stdin)
    try:
        answer = {"result": load_space(Path(sys.argv[1])).guarded(method, *args)}
    except InputError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), file=output, flush=True)  # what the server reads


def helper(metric: Any, name: str) -> Any:
    """Return a helper module of a metric's script, as evaluate loaded it."""
    return sys.modules[f"{type(metric).__module__.rpartition('.')[0]}.{name}"]


class Endpoint(NamedTuple):
    """An endpoint: the method that answers it, what it does, and its parameters."""

    method: str
    text: str
    parameters: list[Parameter]

    def describe(self, function: Callable[..., Any], name: str, extra: Sequence[Parameter] = ()) -> None:
        """Give a function the name, the signature and the documentation of this endpoint."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            inspect.Parameter(name, kind, default=default, annotation=annotation)
            for name, annotation, default, _ in (*self.parameters, *extra)
        ]
        function.__name__ = function.__qualname__ = name
        function.__signature__ = inspect.Signature(parameters, return_annotation=dict)  # type: ignore[attr-defined]
        function.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": dict}
        helps = "\n".join(f"    {name}: {text}" for name, _, _, text in self.parameters)
        function.__doc__ = f"{self.text}\n\nArgs:\n{helps}"


@dataclass(kw_only=True)
class Space:
    """The Space of a metric."""

    script: Path
    """The metric's script."""
    title: str
    scores: tuple[str, ...]
    """The keys of the result that are shown as scores, the main score first."""
    outcomes: Mapping[str, str]
    """The outcome (hit, near or miss) of each label, in the order of the legend."""
    label: Callable[[Scored], list[str]]
    """Returns the label of each row."""
    explain: Callable[[Scored, int], tuple[list[Span], Mapping[str, Cell]]]
    """Returns the reason for the label of a row, and cells to show instead of the inputs, by input."""
    sentence: str = "answers match"
    """The end of the summary, after the number of rows that count."""
    counted: tuple[str, ...] = ("hit", "near")
    """The outcomes of the rows that count."""
    histogram: str = ""
    """The key of the per-example scores that are drawn as a histogram."""
    facts: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    """The options that are always visible."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of inputs that differ from the usual ones."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Further names of columns in files, by input."""
    hidden: tuple[str, ...] = ()
    """Options that neither the page nor the endpoints take."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Options with a fixed value."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Defaults that differ from the metric's."""
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The values of options of which the Space does not take all."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """Help texts that replace the metric's."""
    needs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Other options, and the values of them under which an option matters, where the metric declares none."""
    limits: Limits = Limits()
    judged: str = ""
    """The per-example scores that are compared if judging costs money; then calls stay in the server's process."""
    authorize: Callable[[Callable[..., Any], dict[str, Any], str], dict[str, Any]] | None = None
    """Runs `compute` with the given options and key; may change or refuse them."""

    def __post_init__(self) -> None:
        self.name, self.directory = self.script.stem, self.script.parent
        self.metric = evaluate.load(str(self.script))
        self.address = os.environ.get("SPACE_ID") or f"metrics/{self.name}"
        self.lead = " ".join(self.metric.description.split()).replace("`", "")
        self.inputs = {name: one for name, one in self.metric.inputs.items() if one.type_label in KINDS}
        self.columns = [
            Column(
                name,
                self.labels.get(name, LABELS.get(name, name.capitalize())),
                KINDS[one.type_label][0],
                self.aliases.get(name, ""),
                one.optional,
            )
            for name, one in self.inputs.items()
        ]
        hidden = {*self.hidden, *self.fixed, *ALWAYS, *self.metric.secrets}
        self.options = {
            name: replace(one, help=self.helps.get(name, one.help), needs=self.needs.get(name, one.needs))
            for name, one in self.metric.options.items()
            if name not in hidden and (one.choices or not one.accepts(Callable))
        }
        """Not those that take functions only: a page does not run a visitor's code."""
        self.values = {name: self.defaults.get(name, one.default) for name, one in self.metric.options.items()}
        self.compared = self.compared_columns()
        self.examples = self.read_examples()

    def compared_columns(self) -> list[Column]:
        """Return the columns of a comparison."""
        own = [column.of_system(system) for column in self.columns if column.name == "predictions" for system in "AB"]
        columns = [one for column in self.columns for one in (own if column.name == "predictions" else [column])]
        if self.judged:
            aliases = f"{self.name}_{self.judged} result_{self.judged} score"
            score = Column(self.judged, "Score", "text", aliases)
            columns = [*(column._replace(optional=True) for column in columns), *map(score.of_system, "AB")]
        return [*columns, IDS, CLUSTERS]

    def read_examples(self) -> list[dict[str, Any]]:
        """Read examples.json: title, note, options, rows, and perhaps the file of a recorded result."""
        examples: list[dict[str, Any]] = json.loads((self.directory / "examples.json").read_text(encoding="utf-8"))
        for example in examples:
            if "recorded" in example:
                example.update(json.loads((self.directory / example["recorded"]).read_text(encoding="utf-8")))
                example["note"] = example["recorded"]
            columns = self.compared if example.get("comparing") else self.columns
            for row in example["rows"]:
                row.extend([""] * (len(columns) - len(row)))
                row[:] = [
                    cell if isinstance(cell, str) else join_cell(cell, column.kind)
                    for cell, column in zip(row, columns, strict=True)
                ]
        return examples

    # ---- options

    def offered(self, name: str) -> list[Any]:
        """Return the choices of an option, None among them if the option takes it; empty if it has none."""
        option = self.options[name]
        choices = list(self.choices.get(name, option.choices))
        return [None, *choices] if choices and option.accepts(types.NoneType) else choices

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options to pass to the metric: those that differ from its defaults.

        Raises:
            ValueError: For an option or a value that this Space, or the metric, does not take.
        """
        asked = {}
        for name, value in {**self.defaults, **values}.items():
            option = self.metric.options.get(name)
            if option is None or (name in values and name not in self.options):
                raise InputError(f"This Space has no option {name}; it has {', '.join(self.options)}.")
            chosen = value
            if isinstance(value, str) and option.accepts(tuple):
                numbers = [number for number in re.split(r"[\s,\[\]]+", value) if number]
                chosen = [int(number) if number.isdigit() else number for number in numbers]
            if value in ("", None):
                chosen = None if option.accepts(types.NoneType) else option.default
            offered = self.offered(name) if name in self.options else []
            if offered and chosen not in offered:
                shown = ", ".join("none" if one is None else f'"{one}"' for one in offered)
                raise InputError(f"{name} must be one of {shown}, got {chosen!r}")
            checked = option.check(chosen)
            if checked != option.default:
                asked[name] = checked
        return asked

    # ---- scoring

    def check_size(self, method: str, asked: Any) -> None:
        """Raise an `InputError` for rows of the page, or arguments of an endpoint, that are too large."""
        columns = self.compared if method == "compare" else self.columns
        self.limits.check(asked if isinstance(asked, Mapping) else to_inputs(asked, columns))

    def guarded(self, method: str, *args: Any) -> Any:
        """Call a method; every error becomes an `InputError`.

        The message of an unexpected error is left out, as it may repeat a visitor's texts.
        """
        try:
            return getattr(self, method)(*args)
        except (ValueError, TypeError, RuntimeError) as error:
            message = str(error).removeprefix(f"{self.name}: ")
        except Exception as error:  # noqa: BLE001
            message = f"Something went wrong here ({type(error).__name__})."
        raise InputError(message)

    def helper(self, name: str) -> Any:
        """Return a helper module of the metric's script."""
        return helper(self.metric, name)

    def fresh(self) -> Any:
        """Return a new object of the metric: calls do not share what was added."""
        return type(self.metric)(keep_in_memory=True)

    def unprefixed(self, messages: Sequence[str]) -> list[str]:
        """Return warnings without repetitions and without the name of the metric."""
        return [text.removeprefix(f"{self.name}: ") for text in dict.fromkeys(messages)]

    def compute(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str = ""
    ) -> tuple[dict[str, Any], list[str]]:
        """Compute the result and the metric's warnings."""
        self.limits.check(inputs)
        metric = self.fresh()

        def call(given: Mapping[str, Any]) -> Any:
            return metric.compute(**inputs, **{**given, **self.fixed})

        with self.helper("_metric").capture_warnings() as messages:
            result = self.authorize(call, dict(options), key) if self.authorize else call(options)
        return plain(result), self.unprefixed(messages)

    def explained(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], recorded: Mapping[str, Any] | None = None
    ) -> tuple[Scored, list[str]]:
        """Score rows, or take their recorded result; return what explains them, and the metric's warnings."""
        flags = {name: True for name in ALWAYS if name in self.metric.options}
        result, messages = (recorded, []) if recorded else self.compute(inputs, {**options, **flags})
        with self.helper("_metric").capture_warnings():
            resolved = self.metric.resolve_options(options)
        return Scored(inputs, result, resolved, sys.modules[type(self.metric).__module__]), messages

    def score(self, rows: Sequence[Row], values: Mapping[str, Any], recorded: Mapping[str, Any] | None = None) -> str:
        """Score rows of the page, or show their recorded result; return the report."""
        rows = filled_rows(rows, len(self.columns))
        inputs = to_inputs(rows, self.columns)
        options = self.given(values)
        scored, messages = self.explained(inputs, options, recorded)
        result, labels = scored.result, self.label(scored)
        used = [column for column in self.columns if column.name in inputs]
        count = sum(self.outcomes[label] in self.counted for label in labels)
        few = " Too few examples to say how a larger set would score." if len(rows) < FEW else ""

        def example(row: int) -> tuple[list[Cell], list[Span]]:
            why, cells = self.explain(scored, row)
            return [cells.get(column.name) or text_cell(inputs[column.name][row], column.kind) for column in used], why

        lists = {
            name: value
            for name, value in result.items()
            if isinstance(value, list) and len(value) == len(rows) and not name.endswith("_confidence_interval")
        }
        outputs = self.metric.outputs
        return Report(
            title=self.title,
            name=self.name,
            scores=[(name, result[name], result.get(f"{name}_confidence_interval") or ()) for name in self.scores],
            level=scored.options.confidence_level,
            sentence=f"{count:,} of {len(rows):,} {self.sentence}.{few}",
            outcomes=self.outcomes,
            labels=labels,
            columns=[column.label for column in used],
            example=example,
            saved={"metric": self.name, "inputs": inputs, "options": options, "result": result},
            table={**as_columns(rows, self.columns, inputs), "outcome": labels, **lists},
            python=self.code(inputs, options),
            link=pack_link(rows, options),
            notices=messages,
            figures={
                name: (value, outputs[name].help if name in outputs else "")
                for name, value in result.items()
                if type(value) in {int, float} and name not in self.scores
            },
            histogram=[score for score in result.get(self.histogram, ()) if score is not None],
            signature=result.get("signature") or "",
        ).html()

    def code(self, inputs: Mapping[str, Any], options: Mapping[str, Any]) -> str:
        """Write the Python code that reproduces the result."""
        given = [f"    {name}={value!r}," for name, value in options.items()]
        lines = []
        for column, values in inputs.items():
            own = [f"    {column}=[", *(f"        {value!r}," for value in values), "    ],"]
            lines += own if len(values) > 1 else [f"    {column}={values!r},"]
        start = f'import evaluate\n\n{self.name} = evaluate.load("{self.address}")\n'
        if len(next(iter(inputs.values()))) > INLINE:
            start = f"import json\n\n{start}{read_saved(self.name)}"
            lines = ['    **saved["inputs"],']
        shown = ", ".join(f'result["{key}"]' for key in self.scores)
        return "\n".join([f"{start}result = {self.name}.compute(", *lines, *given, ")", f"print({shown})"])

    # ---- two systems

    def compare(self, rows: Sequence[Row], values: Mapping[str, Any]) -> str:
        """Compare two systems on rows of the page; return the report."""
        columns = self.compared
        rows = filled_rows(rows, len(columns))
        inputs = {name: column for name, column in to_inputs(rows, columns).items() if any(column)}
        clusters = inputs.get("clusters")
        if clusters and not all(map(str.strip, clusters)):
            raise InputError("Some rows have no cluster: give a cluster to every row or to none.")
        options = self.given(values)
        systems = self.systems(inputs)
        compared, messages = self.compare_systems(systems, clusters, options)
        scored = {} if self.judged else {name: self.explained(system, options)[0] for name, system in systems.items()}
        labels = {name: self.label(one) for name, one in scored.items()}
        scores = {
            name: scored[name].scores(self.metric.main_score) if scored else system[f"{self.name}_{self.judged}"]
            for name, system in systems.items()
        }
        changes = [change_of(*pair) for pair in zip(scores["A"], scores["B"], strict=True)]
        shown = [
            column for column in columns if column.name in inputs and column.name.removesuffix(SECOND) != self.judged
        ]

        def example(row: int) -> tuple[list[Cell], list[Span]]:
            cells: dict[str, Cell] = {}
            why: list[Span] = []
            for name, column in scores.items():
                label = labels[name][row] if scored else ""
                if column[row] is not None:
                    why.append((f"chip {self.outcomes.get(label, 'near')}", f"{name} {label} {column[row]:.3f}"))
                if scored:
                    reason, replaced = self.explain(scored[name], row)
                    why += [*reason, ("line", "")]
                    if "predictions" in replaced:
                        cells[f"predictions{SECOND * (name == 'B')}"] = replaced["predictions"]
            return [cells.get(column.name) or text_cell(inputs[column.name][row], column.kind) for column in shown], why

        main = compared["score"]
        second = of_second(compared)
        return Report(
            title=f"{self.title}: A and B",
            name=f"{self.name}_comparison",
            scores=[
                (f"{name} {main}", side[main], side[f"{main}_confidence_interval"])
                for name, side in compared["systems"].items()
            ],
            level=compared["confidence_level"],
            sentence=summarize(compared),
            outcomes=CHANGES,
            labels=changes,
            columns=[column.label for column in shown],
            example=example,
            saved={
                "metric": self.name,
                "systems": systems,
                "clusters": clusters,
                "options": {} if self.judged else options,
                "comparison": plain(dict(compared)),
            },
            table={
                **as_columns(rows, columns, inputs),
                "outcome": changes,
                "score_a": scores["A"],
                "score_b": scores["B"],
            },
            python=f'import json\n\nimport evaluate\n\n{self.name} = evaluate.load("{self.address}")\n'
            + read_saved(f"{self.name}_comparison")
            + f'print({self.name}.compare(saved["systems"], clusters=saved["clusters"], **saved["options"]))',
            link=pack_link(rows, options, comparing=True),
            side_by_side=True,
            notices=messages,
            figures={name: (second[name], text) for name, text in FIGURES.items() if second.get(name) is not None},
            signature=compared.get("signature", ""),
        ).html()

    def systems(self, inputs: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Split columns into those of A and B, which end in `_b`, in the order of A if there are ids for both."""
        own = self.judged or "predictions"
        for system, name in (("A", own), ("B", f"{own}{SECOND}")):
            if not inputs.get(name):
                raise InputError(f"There are no {name} yet: fill in the column or upload the file of system {system}.")
        ids, other_ids = inputs.get("ids"), inputs.get(f"ids{SECOND}")
        order = match_ids(ids, other_ids) if ids and other_ids else range(len(inputs[f"{own}{SECOND}"]))
        if (ids or other_ids) and not (ids and other_ids):
            check_ids(ids or other_ids or [])
        seconds = {}
        for name, column in inputs.items():
            first = name.removesuffix(SECOND)
            if first not in {name, "ids"}:
                if len(column) != len(order) or len(inputs.get(first, column)) != len(order):
                    raise InputError(
                        f"{first} has {count_rows(len(inputs.get(first, order)))}, {name} {count_rows(len(column))}; "
                        f"give the same examples in the same order, or ids and ids{SECOND} to match them by"
                    )
                seconds[first] = [column[index] for index in order]
        if self.judged:
            columns = {"A": inputs[own], "B": seconds[own]}
            return {name: {f"{self.name}_{own}": list(map(read_score, column))} for name, column in columns.items()}
        shared = {one.name: inputs[one.name] for one in self.columns if one.name in inputs}
        return {"A": shared, "B": {**shared, **seconds}}

    def compare_systems(
        self, systems: Mapping[str, Any], clusters: Any, options: Mapping[str, Any], margin: Any = None
    ) -> tuple[Any, list[str]]:
        """Return the metric's comparison and its warnings."""
        for system in systems.values():
            self.limits.check(system)
        known = {"confidence_level", "bootstrap_seed"} if self.judged else options
        given = {name: value for name, value in options.items() if name in known}
        with self.helper("_metric").capture_warnings() as messages:
            compared = self.fresh().compare(systems, clusters=clusters, margin=margin, **given)
        if self.judged:
            compared.pop("signature", None)  # the scores do not say how they were judged
        return compared, self.unprefixed(messages)

    # ---- endpoints

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the endpoints, by name."""
        inputs: list[Parameter] = []
        both: list[Parameter] = []
        for name, column in self.inputs.items():
            kind = KINDS[column.type_label][1]
            inputs.append(
                (name, kind | None, None, column.help) if column.optional else (name, kind, REQUIRED, column.help)
            )
            both.append(inputs[-1])
            if name == "predictions":
                both.append((f"{name}{SECOND}", kind, REQUIRED, f"{column.help.rstrip('.')}, of system B."))
        options: list[Parameter] = [
            (name, self.annotation(name), self.values[name], one.help) for name, one in self.options.items()
        ]
        flags = [
            (name, bool, self.values[name], self.metric.options[name].help) for name in ALWAYS if name in self.values
        ]
        of_both = options
        if self.judged:
            text = f"The {self.judged} that {self.name} returned for system {{}}; null where judging failed."
            of_both = [one for one in options if one[0] in {"confidence_level", "bootstrap_seed"}]
            both = [
                (name, list[float | None], REQUIRED, text.format(system))
                for name, system in ((self.judged, "A"), (f"{self.judged}{SECOND}", "B"))
            ]
        what = "Takes scores of" if self.judged else "Scores the predictions of"
        compare = (
            f"Is system B better than system A by {self.title}? {what} both systems on the same examples and returns "
            "the difference with its confidence interval, the p-value of a paired test, wins, losses, ties, the "
            "minimum detectable difference, a summary line for a paper and a plain-language sentence."
        )
        return {
            self.name: Endpoint("call", self.lead, [*inputs, *options, *flags]),
            f"{self.name}_compare": Endpoint("call_compare", compare, [*both, *of_both, MARGIN, *LABELS_OF_ROWS]),
        }

    def annotation(self, name: str) -> Any:
        """Return the type of an option as an argument."""
        option, choices = self.options[name], [one for one in self.offered(name) if one is not None]
        kind: Any = next((one for one in (bool, int, float) if option.accepts(one)), str)
        kind = list[int] if option.accepts(tuple) else Literal[tuple(choices)] if choices else kind
        return kind | None if option.accepts(types.NoneType) else kind

    def call(self, arguments: dict[str, Any], key: str = "") -> dict[str, Any]:
        """Answer a call of the metric's endpoint."""
        inputs = {name: arguments.pop(name, None) for name in self.inputs}
        flags = {name: arguments.pop(name) for name in ALWAYS if name in arguments}
        given = {name: column for name, column in inputs.items() if column is not None}
        result, messages = self.compute(given, {**self.given(arguments), **flags}, key)
        return {**result, "warnings": messages} if messages else result

    def call_compare(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of the comparison's endpoint."""
        margin = arguments.pop("margin", None)
        options = {name: arguments.pop(name) for name in self.options if name in arguments}
        inputs = {name: column for name, column in arguments.items() if column is not None}
        for name, column in inputs.items():
            if not isinstance(column, list):
                raise InputError(f"{name} must be a list with one value per row, got {type(column).__name__}")
        compared, messages = self.compare_systems(
            self.systems(inputs), inputs.get("clusters"), self.given(options), margin
        )
        result = described(compared)
        return {**result, "warnings": messages} if messages else result


def as_columns(rows: Sequence[Row], columns: Sequence[Column], used: Container[str]) -> dict[str, list[str]]:
    """Return the cells of rows by the names of the columns that are used."""
    return {column.name: [row[place] for row in rows] for place, column in enumerate(columns) if column.name in used}


def change_of(first: float | None, second: float | None) -> str:
    """Return the label of a row by its scores from both systems."""
    if first is None or second is None:
        return "left out"
    return "same score" if first == second else "improved" if first < second else "regressed"


def described(compared: Any) -> dict[str, Any]:
    """Return a comparison as JSON has it, with its summary lines."""
    return {**plain(dict(compared)), "summary": str(compared), "sentence": summarize(compared)}


def read_saved(name: str) -> str:
    """Return the lines of Python that read a downloaded JSON file."""
    return (
        f'# Download the JSON file from the page.\nwith open("{name}.json", encoding="utf-8") as file:\n'
        "    saved = json.load(file)\n\n"
    )


def read_score(value: Any) -> float | None:
    """Read a score from 0 to 1, or from its text; None or an empty cell is a row without one."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        score = float(value)
    except (ValueError, TypeError):
        score = -1.0
    if isinstance(value, bool) or not 0 <= score <= 1:
        raise InputError(f"{str(value)[:40]!r} is not a score from 0 to 1; leave it empty (null) where there is none")
    return score


def of_second(compared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of system B for the main score; a comparison may have one per score."""
    main = compared["score"]
    return {
        name: value.get(main) if isinstance(value, dict) else value for name, value in compared["systems"]["B"].items()
    }


def summarize(compared: Mapping[str, Any]) -> str:
    """State in a sentence or two whether B is better than A."""
    level, second = compared["confidence_level"], of_second(compared)
    if compared["total"] == second["left_out"]:
        return "No row has scores from both systems, so nothing can be compared."
    points = 100 * second["difference"]
    low, high = (100 * end for end in second["difference_confidence_interval"])
    amount = f"{abs(points):.1f}" if abs(points) >= 0.1 else f"{abs(points):.1g}"  # noqa: PLR2004  # one digit
    verdict = f"is {amount} points {'better' if points > 0 else 'worse'} than" if points else "scores the same as"
    grouped = f", {compared['clusters']:,} clusters" if "clusters" in compared else ""
    text = f"B {verdict} A ({100 * level:g}% CI of the difference {low:+.1f} to {high:+.1f} points"
    text += f", p = {second['p_value']:.2g}{grouped}). "
    significant = second["p_value"] <= 1 - level
    if significant is (low <= 0 <= high):
        text += "The interval and the test disagree; the test decides. "
    if significant:
        return f"{text}A difference like this is unlikely to be due to chance."
    needed = 100 * second["minimum_detectable_difference"]
    chance = "This can be due to chance: with" if points else "With"
    rows = count_rows(compared["total"] - second["left_out"])
    amount = f"{needed:.0f}" if needed >= 10 else f"{needed:.2g}"  # noqa: PLR2004  # two digits
    return f"{text}{chance} {rows}, only differences of about {amount} points or more are likely to be detected."
