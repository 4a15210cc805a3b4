# Vendored: edit metrics/_shared/space_ui/form.py and run `make vendor`.
"""The Space of a metric: described in a few lines by its app.py, the rest read from the metric. No Gradio here."""

import json
import os
import sys
import time
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

from .comparison import compare_systems
from .comparison_call import call_comparison
from .comparison_call import estimate_comparison
from .controls import Control
from .controls import changed
from .controls import check_options
from .controls import column_kind
from .controls import read_controls
from .evaluate_import import evaluate
from .export import as_plain
from .export import examples_csv
from .export import paper_rows
from .export import python_code
from .pairing import with_scores
from .permalink import pack_link
from .report import Explanation
from .rows import Column
from .rows import Row
from .rows import load_examples
from .rows import split_cell
from .rows import to_inputs
from .scored import Scored as Scored
from .scored import describe_result
from .space import KEY_HEADER
from .space import RESAMPLING_SECONDS
from .space import Request
from .space import Space

_ALWAYS = {"return_details": True, "return_confidence": True, "return_signature": True}
_LABELS = {"predictions": "Prediction", "references": "Reference", "questions": "Question"}
_NOT_ON_PAGES = frozenset({"clusters", "human_labels"})


Compute = Callable[[dict[str, Any]], dict[str, Any]]
Authorize = Callable[[Compute, dict[str, Any], str], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Form(Space):
    """The Space of a metric."""

    script: Path
    """The metric's script."""
    scores: tuple[str, ...]
    """The keys of the result that are shown large, the headline first."""
    explain: Callable[[Scored], Explanation]
    """Says what became of each row, and why."""
    common: tuple[str, ...] = ()
    """The options that are always in sight."""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What files call the inputs, beyond the usual names."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the page calls the inputs, where the usual name misleads."""
    hidden: frozenset[str] = frozenset()
    """Options that neither page nor endpoint take."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Options that the Space sets, and nobody else."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Where the Space's default of an option is another than the metric's."""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where the Space takes only some values of an option."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """Help texts of options of which the Space takes only some values, where the metric's would mislead."""
    visible_if: Mapping[str, tuple[str, tuple[Any, ...]]] = field(default_factory=dict)
    """Options that only matter if another one has one of some values, beyond what the metric declares."""
    cost: Callable[[Sequence[Row], Mapping[str, Any]], float] | None = None
    """Estimates the seconds that a call takes beyond the usual; the rows are those of the page."""
    notices: Mapping[str, str] = field(default_factory=dict)
    """What the page says in place of a warning of the metric that begins so."""
    key_option: str | None = None
    """The option that takes a visitor's key."""
    key_help: str = ""
    key_visible_if: tuple[str, tuple[Any, ...]] | None = None
    """The option that decides whether a key is of use, and its values with which it is."""
    quote: Callable[[Mapping[str, Any], Mapping[str, Any]], str] | None = None
    """Says what a call would cost, given the inputs and the options, without making it."""
    authorize: Authorize | None = None
    """Runs a call: may change or refuse its options, given the key, and sees the result."""

    # ---- what the metric says

    @cached_property
    def metric(self) -> Any:
        """The loaded metric; each call makes its own from its class."""
        return evaluate.load(str(self.script))

    @property
    def name(self) -> str:
        """The metric's name in code."""
        return self.script.stem

    @property
    def address(self) -> str:
        """What `evaluate.load` takes: the Space itself, where this is one."""
        return os.environ.get("SPACE_ID") or f"metrics/{self.name}"

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the metric that a page takes."""
        kinds = ("list of str", "list of lists of str", "list of lists of float")
        return {
            name: column
            for name, column in self.metric.inputs.items()
            if name not in _NOT_ON_PAGES and column.type_label.startswith(kinds)
        }

    @cached_property
    def columns(self) -> list[Column]:
        """The inputs as columns of the page."""
        return [
            Column(
                name,
                self.labels.get(name, _LABELS.get(name, name)),
                column_kind(column),
                self.aliases.get(name, ()),
                optional=column.optional,
            )
            for name, column in self.inputs.items()
        ]

    @cached_property
    def api_controls(self) -> list[Control]:
        """The options that the endpoint takes."""
        hidden = {*self.hidden, *self.fixed, self.key_option or ""}
        controls = read_controls(self.metric, hidden, defaults=self.defaults, choices=self.choices)
        return [
            replace(
                control,
                help=self.helps.get(control.name, control.help),
                visible_if=self.visible_if.get(control.name, control.visible_if),
            )
            for control in controls
        ]

    @cached_property
    def controls(self) -> list[Control]:
        """The options that the page shows; what a page always asks for needs no control."""
        return [control for control in self.api_controls if control.name not in _ALWAYS]

    @cached_property
    def examples(self) -> list[dict[str, Any]]:
        """The examples that a visitor can load, as the columns of the page hold them."""
        examples = load_examples(self.script.parent / "examples.json", self.columns)
        for example in examples:
            if "result" in example:
                request = Request(example["rows"], self.clean(example["options"]))
                answer = self.answer(request, recorded=example.pop("result"))
                example["answer"] = {**answer, "notices": [example["recorded"]]}
        return examples

    @cached_property
    def judged_column(self) -> str | None:
        """The per-example scores that are compared where scoring costs something; None where it is free."""
        return self.metric.compared_columns[0] if self.key_option else None

    @property
    def compared_columns(self) -> tuple[str, ...]:
        """The predictions, and scores where they were judged before."""
        return ("predictions", self.judged_column) if self.judged_column else ("predictions",)

    @cached_property
    def comparison_columns(self) -> list[Column]:
        """The inputs, and scores where they were judged before."""
        return with_scores(self.columns, self.name, self.judged_column) if self.judged_column else self.columns

    # ---- options

    def clean(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options that a page or a link gave, and give every other its default."""
        cleaned = {}
        for control in self.controls:
            value = control.parse(options.get(control.name, control.default))
            cleaned[control.name] = self.metric.options[control.name].check(control.name, value)
        return cleaned

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that have to be named to get the same result from the metric itself."""
        return changed({**self.defaults, **options}, self.metric.defaults())

    def estimate(self, request: Request) -> float:
        """Estimate the seconds that a call takes."""
        swapped = RESAMPLING_SECONDS * len(request.rows) if request.comparing else 0.0
        return super().estimate(request) + swapped + (self.cost(request.rows, request.options) if self.cost else 0.0)

    def estimate_call(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that a program's call takes; 0 for what is refused anyway."""
        columns = [values if isinstance(values, list) else [] for values in map(arguments.get, self.inputs)]
        rows = [[_joined(cell) for cell in row] for row in zip_longest(*columns, fillvalue="")]
        return self.estimate(Request(rows, {**self.metric.defaults(), **arguments}))

    # ---- one call

    def score(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str = ""
    ) -> tuple[dict[str, Any], list[str]]:
        """Compute, with a metric object of its own.

        Args:
            inputs: The columns.
            options: The options that were asked for.
            key: A visitor's key, used for this one call.

        Returns:
            The result, and what the metric warned of.

        Raises:
            ValueError: For bad input.
        """
        metric = type(self.metric)(keep_in_memory=True)

        def compute(given: dict[str, Any]) -> dict[str, Any]:
            result: dict[str, Any] = metric.compute(**inputs, **given)
            return result

        given = {**options, **self.fixed}
        with self.helper("_user_warnings").capture_warnings() as messages:
            result = self.authorize(compute, given, key) if self.authorize else compute(given)
        return as_plain(result), [text.removeprefix(f"{self.name}: ") for text in dict.fromkeys(messages)]

    def helper(self, name: str) -> Any:
        """Return a helper of the metric's script, as evaluate loaded it."""
        return sys.modules[f"{type(self.metric).__module__.rpartition('.')[0]}.{name}"]

    def evaluate(
        self,
        rows: Sequence[Row],
        options: Mapping[str, Any],
        key: str = "",
        recorded: Mapping[str, Any] | None = None,
    ) -> Scored:
        """Score rows of the page, or take their recorded result, without what the page shows of them.

        Raises:
            ValueError: For what can't be scored.
        """
        used = [
            (index, column)
            for index, column in enumerate(self.columns)
            if not column.optional or any(row[index].strip() for row in rows)
        ]
        columns = [column for _, column in used]
        inputs = to_inputs([[row[index] for index, _ in used] for row in rows], columns)
        asked = self.asked({**options, **{name: True for name in _ALWAYS if name in self.metric.options}})
        result, messages = self.score(inputs, asked, key) if recorded is None else (recorded, [])
        with self.helper("_user_warnings").capture_warnings():
            resolved = self.metric.resolve_options(asked)
        texts = [
            tuple(
                row[index] if column.kind == "text" else split_cell(row[index], column.kind) for index, column in used
            )
            for row in rows
        ]
        script = sys.modules[type(self.metric).__module__]
        return Scored(script, inputs, resolved, result, texts, columns, asked, messages)

    def answer(self, request: Request, key: str = "", recorded: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Score rows, and describe the result, or a recorded one, to the page."""
        if request.comparing:
            return compare_systems(self, request)
        started = time.perf_counter()
        rows = request.rows
        scored = self.evaluate(rows, request.options, key, recorded)
        explanation = self.explain(scored)
        report = describe_result(self, scored, explanation, time.perf_counter() - started)
        inputs, asked, result = scored.inputs, scored.asked, scored.result
        saved = {"metric": self.name, "inputs": inputs, "options": asked, "result": result}
        return {
            **report.as_json(),
            "name": self.name,
            "json": json.dumps(saved, ensure_ascii=False, indent=1),
            "csv": examples_csv([column.name for column in self.columns], rows, explanation.examples, result),
            "snippet": python_code(self.name, self.address, self.scores, inputs, asked),
            "paper": paper_rows(self.title, report.scores, report.level, len(rows), result.get("signature", "")),
            # Without what the page begins with, which in a Space may be another value than the metric's default.
            "link": pack_link(rows, changed(request.options, self.clean({}))),
        }

    def estimate_cost(self, request: Request) -> str:
        """Say what a call would cost."""
        inputs = to_inputs(request.rows, self.columns)
        return self.quote(inputs, self.asked(request.options)) if self.quote else "This costs nothing."

    # ---- what programs send

    def call(self, **arguments: Any) -> str:
        """Answer the endpoint: the metric's result as JSON text, with what it warned of.

        Raises:
            InputError: For bad input, in the metric's own words.
        """
        key = str(arguments.pop(KEY_HEADER, "") or "").strip()
        given = {name: arguments.pop(name, None) for name in self.inputs}
        inputs = {name: column for name, column in given.items() if column is not None}

        def work() -> dict[str, Any]:
            self.limits.check_columns(inputs)
            check_options(arguments, self.api_controls)
            result, messages = self.score(inputs, self.asked(arguments), key)
            return {**result, "warnings": messages} if messages else result

        return self.answer_program(work, key)

    def compare(self, **arguments: Any) -> str:
        """Answer the endpoint that compares two systems.

        Raises:
            InputError: For bad input, in the metric's own words.
        """
        return self.answer_program(lambda: call_comparison(self, arguments))

    def estimate_comparison(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that a comparison takes."""
        return estimate_comparison(self, arguments)


def _joined(cell: object) -> str:
    return "".join(map(str, cell)) if isinstance(cell, list) else str(cell)
