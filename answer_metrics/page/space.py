"""The Space of a metric: scoring, reports, endpoints. No Gradio here, as processes for long calls import this."""

import inspect
import json
import os
import re
import runpy
import sys
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import evaluate

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from answer_metrics.page.page_tables import SYSTEMS, Column, Limits, Row
from answer_metrics.page.report import EXPORTS, PARTS, TEXTS, Cell, Explanation, Named, Report, Span, score_text

ALWAYS = ("return_details", "return_confidence", "return_signature")  # options that the page always sets
CHANGES = {"improved": "hit", "scores differ": "near", "same score": "near", "left out": "near", "regressed": "miss"}
TABLES = {"by": "By group", "baseline": "All pairs"}  # of a comparison, by the argument that asks for them
SAMPLE = 30  # rows that a visitor checks
IDS, GROUPS, CLUSTERS = (
    Column(name, heading, "name", aliases, optional=True, help=text)
    for name, (heading, aliases, text) in TEXTS["columns"].items()
)

Parameter = tuple[str, Any, Any, str]  # of an endpoint: name, type, default, help
Endpoint = tuple[str, str, list[Parameter]]  # the method that answers it, what it does, and its parameters


class Scored(NamedTuple):
    """Rows and their result, from which each metric's app.py explains them."""

    inputs: Mapping[str, list[Any]]
    result: Named
    options: Any  # resolved
    script: types.ModuleType  # of the metric, as evaluate loaded it

    def references(self, row: int) -> list[str]:
        """Return the references of a row as a list."""
        references = self.inputs["references"][row]
        return [references] if isinstance(references, str) else references

    def prediction(self, row: int) -> str:
        """Return the prediction of a row without the model's thinking, if that is dropped."""
        text: str = self.inputs["predictions"][row]
        drop = library(self.script.__name__, "drop_reasoning")
        return text if self.options.reasoning == "keep" else drop([text], self.options.reasoning_marks)[0][0]


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


@cache
def library(script: str, name: str) -> Any:
    """Return a function that the library defines, as the module of a script uses it: in a Space, from a copy."""
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
    return result, [text.removeprefix(f"{metric.name}: ") for text in dict.fromkeys(messages)]


def parameters_of(columns: Sequence[Column]) -> list[Parameter]:
    """Return columns as the parameters of an endpoint, the required ones first."""
    required = {column: tables.KINDS[column.kind] for column in columns if not column.optional}
    optional = {column: tables.KINDS[column.kind] | None for column in columns if column.optional}
    first = [(column.name, kind, inspect.Parameter.empty, column.help) for column, kind in required.items()]
    return [*first, *((column.name, kind, None, column.help) for column, kind in optional.items())]


def paired(columns: Sequence[Column], double: Collection[str]) -> list[Column]:
    """Return the columns of a comparison: one per system of those with these names, and those of all metrics."""
    pairs = ([column.of_system(name) for name in "AB"] if column.name in double else [column] for column in columns)
    third, last = (
        [column.of_system(name) for name in names for column in columns if column.name in double]
        for names in ("CD", "EFGH")
    )
    return [*(column for pair in pairs for column in pair), *third, IDS, GROUPS, CLUSTERS, *last]


@dataclass(kw_only=True)
class Space:
    """The Space of a metric."""

    script: Path  # of the metric
    title: str
    scores: tuple[str, ...]  # the keys of the result that are shown as scores, the main score first
    outcomes: Mapping[str, str]  # hit, near or miss for each outcome, in the order of the legend
    classify: Callable[[Scored], list[str]]  # returns the outcome of each row
    explain: Callable[[Scored, int], Explanation]  # returns the reason for the outcome of a row
    sentence: str = "answers match"  # the end of the summary, after the number of rows that count
    counted: tuple[str, ...] = ("hit", "near")  # which of them count
    common: tuple[str, ...] = ()  # the options that are always visible
    words: Mapping[str, tuple[str, str, Mapping[str, str]]] = field(default_factory=dict)  # title, help, choices
    quiet: tuple[str, ...] = ("total", "correct")  # figures that are left out while they repeat a number above them
    headings: Mapping[str, str] = field(default_factory=dict)  # of inputs, where they differ from the usual ones
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
        headings = {**{name: name.capitalize() for name in self.metric.inputs}, **TEXTS["inputs"], **self.headings}
        kinds = TEXTS["kinds"]  # what a cell contains, by the type of an input
        self.columns = [
            Column(name, headings[name], kinds[declared.type_name], optional=declared.optional, help=declared.help)
            for name, declared in self.metric.inputs.items()
            if declared.type_name in kinds
        ]
        plain: dict[str, Any] = {name: (name.replace("_", " ").capitalize(), "", {}) for name in self.metric.options}
        self.words = {**plain, **TEXTS["options"], **self.words}
        hidden = {*self.hidden, *self.fixed, *ALWAYS, *self.metric.secrets}
        self.options = {}
        for name, option in self.metric.options.items():
            if name not in hidden and (option.choices or not option.accepts(Callable)):  # no code of visitors is run
                text = (self.words[name][1] or option.help).strip()
                self.options[name] = replace(option, help=text, needs=self.needs.get(name, option.needs))
        self.values = {name: self.defaults.get(name, option.default) for name, option in self.metric.options.items()}
        if self.judged:
            aliases = f"{self.name}_{self.judged} result_{self.judged} score"
            text = f"The {self.judged} that {self.name} returned (null where judging failed)."
            score = Column(self.judged, "Score", "score", aliases, help=text)
            columns = [*(column._replace(optional=True) for column in self.columns), score]
        self.rules = TEXTS["rules"] if "preset" in self.options else {}
        self.presets = {"": {}, **self.metric.presets} if self.metric.presets else {}
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
                row += [""] * (len(columns) - len(row))
                for place, (cell, column) in enumerate(zip(row, columns, strict=True)):
                    row[place] = cell if isinstance(cell, str) else tables.join_cell(cell, column.kind)
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

    def chosen(self, values: Named, method: str = "score") -> dict[str, Any]:
        """Return the options to pass to the metric: those that differ from its defaults, or from its preset."""
        values = {**self.defaults, **values}
        if unknown := [name for name in values if name not in {*self.options, *ALWAYS}]:
            raise InputError(f"This Space has no option {unknown[0]}; it has {', '.join(self.options)}.")
        asked = {name: self.checked(name, value) for name, value in values.items() if name in self.used[method]}
        preset = self.presets.get(asked.get("preset") or "", {})
        implied = {name: self.checked(name, preset.get(name, self.metric.options[name].default)) for name in asked}
        return {name: value for name, value in asked.items() if value != implied[name]}

    def checked(self, name: str, value: Any) -> Any:
        """Return the value of an option as the metric takes it, given that of its control or of an argument."""
        option, offered = self.metric.options[name], self.offered(name)
        if isinstance(value, (tuple, list)) and offered:
            value = ", ".join(map(str, value))
        chosen = value
        if value in ("", None):
            if option.default is not None and not option.accepts(types.NoneType):
                raise InputError(f"{name} is empty; it must be {option.custom_type or option.expected}.")
            chosen = None
        elif isinstance(value, str) and (option.accepts(tuple) or (", " in value and value[:1] != "[")):
            parts = re.findall(r"[^\s,\[\]]+", value)
            chosen = [int(part) if part.isdigit() else part for part in parts]
        elif isinstance(value, str) and option.accepts(float):
            with suppress(ValueError):
                chosen = float(value)
        if offered and chosen is not None and value not in offered:
            listed = ", ".join("none" if choice is None else f'"{choice}"' for choice in offered)
            raise InputError(f"{name} must be one of {listed}, got {value!r}")
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

        def call(options: Named) -> Any:
            result, messages[:] = run(self.metric, "compute", **inputs, **{**options, **self.fixed})
            return result

        result = self.authorize(call, dict(options), key) if self.authorize else call(options)
        return plain(result), messages

    def read_page(self, rows: Any, values: Named, method: str = "score", partial: Sequence[Column] = ()) -> Any:
        """Return filled rows, their inputs and options; `partial` has the columns of rows of a larger table."""
        columns = partial or (self.rows if method == "score" else self.compared)
        rows = rows if partial else tables.filled_rows(rows, len(columns))
        inputs, options = tables.to_inputs(rows, columns, partial=bool(partial)), self.chosen(values, method)
        own = self.metric.scored_input()
        if own != "predictions":  # numbers, of which the options say what is worst
            worst = str(self.metric.worst_inputs(self.metric.resolve_options(options))[own])
            for name in {own + end for end in SYSTEMS.values()} & inputs.keys():
                inputs[name] = [worst if cell == tables.MISSING else cell for cell in inputs[name]]
        return rows, inputs, options

    def explained(self, inputs: Named, options: Named, recorded: Named | None = None) -> tuple[Scored, list[str]]:
        """Score rows, or take their recorded result; return what explains them, and the metric's warnings."""
        inputs = {name: inputs[name] for name in self.metric.inputs if name in inputs}
        details = {**options, **{name: True for name in ALWAYS if name in self.metric.options}}
        result, messages = (recorded["result"], [recorded["recorded"]]) if recorded else self.compute(inputs, details)
        resolved, _ = run(self.metric, "resolve_options", options)
        return Scored(inputs, result, resolved, sys.modules[type(self.metric).__module__]), messages

    def score(self, rows: Sequence[Row], values: Named, recorded: Any = None, partial: Sequence[Column] = ()) -> str:
        """Score rows of the page, or show their recorded result; return the report."""
        rows, inputs, options = self.read_page(rows, {} if recorded else values, "score", partial)
        options = {} if recorded else options
        scored, messages = self.explained(inputs, options, recorded)
        result, outcomes = scored.result, self.classify(scored)
        counted = sum(self.outcomes[outcome] in self.counted for outcome in outcomes)
        about = {name: inputs[name] for name in ("ids", "groups") if name in inputs}
        above = {counted, len(rows), *(result[name] for name in self.scores)}
        repeated = {name for name in self.quiet if result.get(name) in above}
        return Report(
            title=self.title,
            name=self.name,
            scores=[(name, result[name], result.get(f"{name}_confidence_interval") or ()) for name in self.scores],
            level=scored.options.confidence_level,
            scale=scale_of(self.metric, options),
            sentence=f"{counted:,} of {len(rows):,} {self.sentence}.",
            outcomes=self.outcomes,
            row_outcomes=outcomes,
            row_scores=row_scores(self.metric, result, options),
            columns=[column for column in self.rows if column.name in inputs],
            inputs=inputs,
            options=options,
            notices=messages,
            explain=lambda row: self.explain(scored, row),
            saved={"metric": self.name, "inputs": scored.inputs, "options": options, "result": result} | about,
            table={
                name: values
                for name, values in result.items()
                if isinstance(values, list) and len(values) == len(rows) and not name.endswith("_confidence_interval")
            },
            python="" if recorded else EXPORTS.computed(self, scored.inputs, options),
            link="" if recorded else tables.pack_link(rows, options),
            tables=self.further(inputs, options, messages),
            figures={
                name: (value, *self.metric.outputs.get(re.sub(r"@\d+", "@k", name), ("", "")))
                for name, value in result.items()
                if type(value) in {int, float} and name not in {*self.scores, *repeated}
            },
            signature=result.get("signature") or "",
            demo=not recorded and options.get("provider", self.values.get("provider")) == "mock",
        ).html()

    def presets_scored(self, rows: Sequence[Row], values: Named) -> str:
        """Return a table of the score of the same rows under each preset."""
        rows, inputs, _ = self.read_page(rows, {})
        own = {name: inputs[name] for name in self.metric.inputs if name in inputs}
        current, names, main = values.get("preset") or "", self.words["preset"][2], self.metric.main_score
        scores = {}
        for preset in self.presets:
            try:
                result, _ = self.compute(own, {"preset": preset or None, "return_confidence": True})
                score = result[main], result[f"{main}_confidence_interval"]
            except ValueError as error:
                score = None, self.reason(error)
            scores[names.get(preset, preset)] = (*score, preset == current)
        return str(PARTS.presets_scored(scores, len(rows)))

    def sample(self, rows: Sequence[Row], values: Named, seed: int) -> str:
        """Draw rows at random, for a visitor to say whether each answer is right; return them as a form."""
        rows, inputs, options = self.read_page(rows, values)
        scored, _ = run(self.metric, "score_batch", inputs, **options)
        present = sum(score is not None for score in run(self.metric, "row_scores", scored, **options)[0])
        drawn, _ = run(self.metric, "label_sample", scored, min(SAMPLE, present), seed=seed, **options)
        columns = [column for column in self.columns if column.name in inputs]
        examples = [(row, [(column, inputs[column.name][row]) for column in columns]) for row in drawn]
        return str(PARTS.label_form(examples, len(rows)))

    def correct(self, rows: Sequence[Row], values: Named, labels: Mapping[str, bool]) -> str:
        """Correct the score by a visitor's labels of the rows that `sample` drew, by row; return it in words."""
        rows, inputs, options = self.read_page(rows, values)
        scored, _ = run(self.metric, "score_batch", inputs, **options)
        people = [labels.get(str(row)) for row in range(len(rows))]
        result, messages = run(self.metric, "aggregate", scored, human_labels=people, return_confidence=True, **options)
        level = options.get("confidence_level", self.values["confidence_level"])
        return str(PARTS.corrected(self.metric.main_score, plain(result), level, messages))

    def further(self, inputs: Named, options: Named, messages: list[str]) -> dict[str, Any]:
        """Return rows of tables: scores by group, and of several samples of a question; adds to the messages."""
        ids, further = inputs.get("ids", ()), {}
        calls = [("By group", "aggregate", {"by": "groups"})] if "groups" in inputs else []
        calls += [("Samples of the same question", "repeats", {"on": "ids"})] if len({*ids}) < len(ids) else []
        keep = [name for name in ("ids", "groups") if name in inputs]
        scored = run(self.metric, "score_batch", inputs, keep=keep, **options)[0] if calls else {}
        for title, method, arguments in calls:
            try:
                result, more = run(self.metric, method, scored, return_confidence=True, **arguments, **options)
                further[title] = list(result.tables().values())
            except ValueError as error:
                more = [f"{title}: {str(error).removeprefix(f'{self.name}: ')}"]
            messages += [text for text in more if text not in messages]
        return further

    # ---- several systems

    def compare(self, rows: Sequence[Row], values: Named, names: Any = None, partial: Sequence[Column] = ()) -> str:
        """Compare systems on rows of the page; `names` are those of their files. Return the report."""
        rows, inputs, options = self.read_page(rows, values, "compare", partial)
        titles = self.titles(inputs, names or {})
        systems, compared, messages, arguments = self.compare_systems(inputs, options, titles)
        own = {} if self.judged else dict(zip(titles, systems.values(), strict=True))
        scored = {system: self.explained(columns, options)[0] for system, columns in own.items()}
        scores = {system: row_scores(self.metric, rows.result, options) for system, rows in scored.items()}
        scores = scores or {system: inputs[f"{self.judged}{SYSTEMS[system]}"] for system in titles}
        main, results = compared["score"], compared["systems"]
        interval, scale = f"{main}_confidence_interval", scale_of(self.metric, options)
        rows_of_scores = [*zip(*scores.values(), strict=True)]
        columns = [column for column in self.compared if column.base != self.judged and column.name in inputs]
        columns = [column.titled(titles.get(column.system, "")) for column in columns]
        further = {name: table for name, table in compared.tables().items() if name != "systems"}
        return Report(
            title=f"{self.title}: {', '.join(titles.values())}",
            name=f"{self.name}_comparison",
            scores=[(name if names else f"{name} {main}", row[main], row[interval]) for name, row in results.items()],
            level=compared["confidence_level"],
            scale=scale,
            sentence=sentence_of(compared, scale),
            outcomes=CHANGES,
            row_outcomes=[change_of(row, scale) for row in rows_of_scores],
            row_scores=[None if None in (row[0], row[-1]) else row[-1] - row[0] for row in rows_of_scores],
            columns=columns,
            method="compare",
            inputs=inputs,
            options=options,
            explain=lambda row: self.explained_pair(scored, scores, titles, scale, row),
            saved={
                "metric": self.name,
                "systems": systems,
                "comparison": plain(compared),
                "options": options | arguments,
            },
            table={f"score_{titles[name] if names else name.lower()}": column for name, column in scores.items()},
            tables={title: [*further.values()] for argument, title in TABLES.items() if argument in arguments},
            python=EXPORTS.compared(self),
            link=tables.pack_link(rows, options, comparing=titles if names else True),
            notices=messages,
            figures=comparison_figures(self.metric, systems, compared, options) if len(systems) == 2 else {},
            signature=compared.get("signature", ""),
            compared=compared,
            second=of_second(compared),
        ).html()

    def explained_pair(self, scored: Named, scores: Named, titles: Named, scale: Any, row: int) -> Explanation:
        """Explain the scores of a row of several systems."""
        cells: dict[str, Cell] = {}
        why: list[Span] = []
        for name, column in scores.items():
            outcome = self.classify(scored[name])[row] if scored else ""
            if column[row] is not None:
                verdict = self.outcomes.get(outcome, "near")
                why.append((f"chip {verdict}", f"{titles[name]} {outcome} {score_text(column[row], scale)}"))
            if scored:
                reason, replaced = self.explain(scored[name], row)
                why += [*reason, ("line", "")]
                own = self.metric.scored_input()
                cells[f"{own}{SYSTEMS[name]}"] = replaced.get(own, [])
        return why, cells

    def explain_rows(self, arguments: Named) -> dict[str, str]:
        """Return the report on rows that an earlier report has without their reasons, as cells by column."""
        method, records, names, options = arguments["call"]
        score, columns = (self.compare, self.compared) if method == "compare" else (self.score, self.rows)
        ignored = (IDS, GROUPS, CLUSTERS)  # each row is a question of its own
        columns = [column for column in columns if column.name in records[0] and column not in ignored]
        rows = [[cells[column.name] for column in columns] for cells in records]
        return {"html": score(rows, options, dict(zip(SYSTEMS, names, strict=False)) or None, columns)}

    def titles(self, inputs: Named, names: Mapping[str, str]) -> dict[str, str]:
        """Return what the systems that have answers are called; a name that another one has gets its letter too."""
        main, titles = self.judged or self.metric.scored_input(), dict[str, str]()
        for system, end in SYSTEMS.items():
            if inputs.get(f"{main}{end}"):
                name = names.get(system) or system
                titles[system] = f"{name} ({system})" if name in titles.values() else name
            elif system in "AB":
                raise InputError(
                    f"There are no {main}{end} yet: fill in the column or upload the file of system {system}."
                )
        return titles

    def systems(self, inputs: Named, titles: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        """Split columns into those of each system, by what it is called."""
        columns = [column for column in self.compared if column.name in inputs]
        if self.judged:  # the scores are compared, and nothing else
            columns = [column for column in columns if column in (IDS, GROUPS, CLUSTERS) or column.base == self.judged]
        stored, systems = {self.judged: f"{self.name}_{self.judged}"}, {}
        for system, title in titles.items():
            own = [column for column in columns if column.system in {"", system}]
            systems[title] = {stored.get(column.base, column.base): inputs[column.name] for column in own}
        return systems

    def compare_systems(self, inputs: Named, options: Named, titles: Named, margin: Any = None) -> tuple[Any, ...]:
        """Return the columns of the systems, the metric's comparison of them, its warnings, and its other arguments."""
        self.limits.check(inputs)
        systems, ids = self.systems(inputs, titles), inputs.get("ids", ())
        arguments: dict[str, Any] = {"clusters": "clusters"} if "clusters" in inputs else {}
        if len(systems) > 2:  # not a pair
            arguments["baseline"] = "all"
        elif "groups" in inputs:
            arguments["by"] = "groups"
        if len({*ids}) < len(ids):
            arguments |= {"on": "ids", "repeats": True}
        compared, messages = run(self.metric, "compare", systems, margin=margin, **arguments, **options)
        if self.judged:
            compared.pop("signature", None)  # the scores do not say how they were judged
        if "groups" in inputs and "by" not in arguments:
            messages.append("Groups are compared for two systems only.")
        return systems, compared, messages, arguments

    # ---- endpoints

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the endpoints, by name."""
        taken = {**self.options, **{name: self.metric.options[name] for name in ALWAYS if name in self.values}}
        options = [(name, self.annotation(name), self.values[name], option.help) for name, option in taken.items()]
        left_out = {"ids", "groups", "clusters", *(column.name for column in self.columns if self.judged)}
        of_both = [
            *parameters_of([column for column in self.compared if column.base not in left_out and column.system < "E"]),
            *(parameter for parameter in options if parameter[0] in self.used["compare"]),
            ("margin", float | None, None, "Largest difference that does not matter; adds noninferior and equivalent."),
            ("names", list[str] | None, None, "What the systems are called; A, B and so on by default."),
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
        kinds = {name: types.get(re.split(r"\W", type_name)[0], "array") for name, (type_name, _) in outputs.items()}
        texts = {name: text.replace("`", "") for name, (_, text) in outputs.items() if "@" not in name}
        properties = {name: {"type": [kinds[name], "null"], "description": text} for name, text in texts.items()}
        return {"type": "object", "properties": properties}

    def annotation(self, name: str) -> Any:
        """Return the type of an option as an argument."""
        option, choices = self.metric.options[name], [choice for choice in self.offered(name) if choice is not None]
        kind: Any = next((kind for kind in (bool, int, float) if option.accepts(kind)), str)
        kind = list[int] if option.accepts(tuple) else Literal[tuple(choices)] if choices else kind
        return kind | None if option.accepts(types.NoneType) else kind

    def call(self, arguments: dict[str, Any], key: str = "") -> dict[str, Any]:
        """Answer a call of the metric's endpoint."""
        result, messages = self.compute(*self.split(arguments), key)
        return {**result, "warnings": messages} if messages else result

    def call_compare(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of the comparison's endpoint."""
        margin, names = arguments.pop("margin", None), arguments.pop("names", None)
        inputs, options = self.split(arguments, "compare")
        titles = self.titles(inputs, dict(zip(SYSTEMS, names or (), strict=False)))
        _, compared, messages, _ = self.compare_systems(inputs, options, titles, margin)
        return described(compared, scale_of(self.metric, options)) | ({"warnings": messages} if messages else {})

    def split(self, arguments: Named, method: str = "score") -> tuple[dict[str, Any], dict[str, Any]]:
        """Split the arguments of a call into columns that are given, and options for the metric."""
        columns = {column.name for column in (*self.columns, *self.compared)}
        inputs = {name: value for name, value in arguments.items() if name in columns and value is not None}
        options = {name: value for name, value in arguments.items() if name not in columns}
        changed = {name: value for name, value in options.items() if value != self.values.get(name)}
        return inputs, self.chosen(changed, method)


def comparison_figures(metric: Any, systems: Named, compared: Named, options: Named) -> dict[str, tuple[Any, str, str]]:
    """Return figures of two systems, among them how many rows would detect a difference of one point."""
    figures, (first, second) = of_second(compared), systems.values()
    if compared["total"] - figures["left_out"] >= 2 and "samples" not in figures:
        figures["required_n"] = run(metric, "required_n", first, second=second, **options)[0]["n"]
    texts = TEXTS["figures"] if compared["total"] > figures["left_out"] else {}
    kinds = dict.fromkeys(("difference", "minimum_detectable_difference"), "difference")
    present = [name for name in texts if figures.get(name) is not None]
    return {name: (figures[name], kinds.get(name, ""), texts[name]) for name in present}


def plain(value: Any) -> Any:
    """Return a result as JSON has it."""
    return json.loads(json.dumps(value))


def row_scores(metric: Any, result: Named, options: Named) -> list[float | None]:
    """Return what each row adds to the main score: 1 for a hit, even if its details have a similarity."""
    if (scores := result.get(f"individual_{metric.main_score}")) is not None:
        return list(scores)
    columns = {f"{metric.name}_{name}": values for name, values in result.items()}
    scores, _ = run(metric, "row_scores", columns, **options)
    return list(scores)


def scale_of(metric: Any, options: Named) -> Any:
    """Return the scale of the main score."""
    return run(metric, "scales", **options)[0][metric.main_score]


def change_of(scores: Sequence[Any], scale: Any) -> str:
    """Return the outcome of a row by its scores from the systems."""
    if None in scores:
        return "left out"
    if len({*scores}) == 1:
        return "same score"
    first, second, *others = scores
    return "scores differ" if others else "improved" if (first < second) == scale.higher_is_better else "regressed"


def described(compared: Any, scale: Any) -> dict[str, Any]:
    """Return a comparison as JSON has it, with its summary lines."""
    return {**plain(compared), "summary": str(compared), "sentence": sentence_of(compared, scale)}


def of_second(compared: Any) -> dict[str, Any]:
    """Return the values of the second system for the main score."""
    return dict(compared.entries_of(list(compared["systems"])[1]))


def sentence_of(compared: Named, scale: Any) -> str:
    """State in a sentence or two whether the second system is better than the first."""
    return " ".join(EXPORTS.verdict(compared, of_second(compared), scale).unescape().split())
