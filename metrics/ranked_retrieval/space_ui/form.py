# Vendored: edit metrics/_shared/space_ui/form.py and run `make vendor`.
"""The Space of a metric, configured by its app.py and the metric's declarations. No Gradio here."""

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
from .controls import ALWAYS_ON
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
from .rows import InputError
from .rows import Row
from .rows import inputs_from_cells
from .rows import load_examples
from .rows import split_columns
from .rows import to_inputs
from .scored import Scored as Scored
from .scored import describe_result
from .space import KEY_HEADER
from .space import RESAMPLING_SECONDS
from .space import Request
from .space import Space

_LABELS = {"predictions": "Prediction", "references": "Reference", "questions": "Question"}
_HIDDEN_INPUTS = frozenset({"clusters", "human_labels"})

Compute = Callable[[dict[str, Any]], dict[str, Any]]
Authorize = Callable[[Compute, dict[str, Any], str], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Form(Space):
    """The Space of a metric."""

    script: Path
    """The metric's script."""
    scores: tuple[str, ...]
    """The keys of the result to show as headline scores, the main score first."""
    explain: Callable[[Scored], Explanation]
    """Explains the outcome of each row."""
    common: tuple[str, ...] = ()
    """The options that are always visible."""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Additional column names in files, by input."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of inputs on the page that differ from the default."""
    hidden: frozenset[str] = frozenset()
    """Options that neither the page nor the endpoint accepts."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Options with a fixed value in this Space."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of the Space that differ from the metric's."""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The accepted values of options for which the Space does not accept all."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """Help texts that replace the metric's, for options of which the Space accepts only some values."""
    visible_if: Mapping[str, tuple[str, tuple[Any, ...]]] = field(default_factory=dict)
    """Conditions on other options, in addition to those that the metric declares."""
    cost: Callable[[Sequence[Row], Mapping[str, Any]], float] | None = None
    """Estimates the additional seconds that a call takes, from the rows of the page and the options."""
    notices: Mapping[str, str] = field(default_factory=dict)
    """Replacements for warnings of the metric, by the start of the warning."""
    key_option: str | None = None
    """The option for a visitor's API key."""
    key_help: str = ""
    key_visible_if: tuple[str, tuple[Any, ...]] | None = None
    """An option and the values of it with which the key is used."""
    quote: Callable[[Mapping[str, Any], Mapping[str, Any]], str] | None = None
    """Estimates the cost of a call from the inputs and the options, without making it; returns a sentence."""
    authorize: Authorize | None = None
    """Runs a call; may change or reject its options, given the key."""

    # ---- the metric

    @cached_property
    def metric(self) -> Any:
        """The loaded metric; each call creates a new object of its class."""
        return evaluate.load(str(self.script))

    @property
    def name(self) -> str:
        """The name of the metric's script."""
        return self.script.stem

    @property
    def address(self) -> str:
        """The argument of `evaluate.load`: the ID of this Space, or the local path outside the Hub."""
        return os.environ.get("SPACE_ID") or f"metrics/{self.name}"

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the metric that the page accepts."""
        kinds = ("list of str", "list of lists of str", "list of lists of float")
        return {
            name: column
            for name, column in self.metric.inputs.items()
            if name not in _HIDDEN_INPUTS and column.type_label.startswith(kinds)
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
        """The options of the endpoint."""
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
        """The options that the page shows, without those that it always sets."""
        return [control for control in self.api_controls if control.name not in ALWAYS_ON]

    @cached_property
    def examples(self) -> list[dict[str, Any]]:
        """The examples that a visitor can load, with rows in the columns of the page."""
        path = self.script.parent / "examples.json"
        examples = load_examples(path, self.columns, self.columns_for(comparing=True))
        for example in examples:
            if "result" in example:
                request = Request(example["rows"], self.clean(example["options"]))
                answer = self.answer(request, recorded=example.pop("result"))
                example["answer"] = {**answer, "notices": [example["recorded"]]}
        return examples

    @cached_property
    def judged_column(self) -> str | None:
        """The per-example scores to compare if scoring costs money; None if it is free."""
        return self.metric.compared_columns[0] if self.key_option else None

    @property
    def compared_columns(self) -> tuple[str, ...]:
        """The predictions, and their scores if they are judged beforehand."""
        return ("predictions", self.judged_column) if self.judged_column else ("predictions",)

    @cached_property
    def comparison_columns(self) -> list[Column]:
        """The inputs, and the scores if they are judged beforehand."""
        return with_scores(self.columns, self.name, self.judged_column) if self.judged_column else self.columns

    # ---- options

    def clean(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options from a page or a link, and fill in defaults."""
        cleaned = {}
        for control in self.controls:
            try:
                value = control.parse(options.get(control.name, control.default))
                cleaned[control.name] = self.metric.options[control.name].check(control.name, value)
            except ValueError as error:
                raise InputError(f"{control.label}: {error}") from None
        return cleaned

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options to pass to the metric for the same result."""
        return changed({**self.defaults, **options}, self.metric.defaults())

    def estimate(self, request: Request) -> float:
        """Estimate the seconds that a call takes."""
        resampling = RESAMPLING_SECONDS * len(request.rows) if request.comparing else 0.0
        return super().estimate(request) + resampling + (self.cost(request.rows, request.options) if self.cost else 0.0)

    def estimate_call(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that an API call takes; 0 for invalid arguments."""
        columns = [values if isinstance(values, list) else [] for values in map(arguments.get, self.inputs)]
        rows = [[_joined(cell) for cell in row] for row in zip_longest(*columns, fillvalue="")]
        return self.estimate(Request(rows, {**self.metric.defaults(), **arguments}))

    # ---- one call

    def score(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str = ""
    ) -> tuple[dict[str, Any], list[str]]:
        """Compute the result with a new metric object.

        Args:
            inputs: The columns.
            options: The requested options.
            key: A visitor's key, used for this call only.

        Returns:
            The result, and the metric's warnings.

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
        """Score rows of the page, or use their recorded result.

        Raises:
            ValueError: For input that can't be scored.
        """
        used = [
            (index, column)
            for index, column in enumerate(self.columns)
            if not column.optional or any(row[index].strip() for row in rows)
        ]
        columns = [column for _, column in used]
        cells = split_columns([[row[index] for index, _ in used] for row in rows], columns)
        inputs = inputs_from_cells(cells, columns)
        asked = self.asked({**options, **{name: True for name in ALWAYS_ON if name in self.metric.options}})
        result, messages = self.score(inputs, asked, key) if recorded is None else (recorded, [])
        with self.helper("_user_warnings").capture_warnings():
            resolved = self.metric.resolve_options(asked)
        script = sys.modules[type(self.metric).__module__]
        return Scored(script, inputs, resolved, result, list(zip(*cells, strict=True)), columns, asked, messages)

    def answer(self, request: Request, key: str = "", recorded: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Score rows, or use a recorded result, and describe the result for the page."""
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
            # Without the page's defaults, which may differ from the metric's.
            "link": pack_link(rows, changed(request.options, self.clean({}))),
        }

    def estimate_cost(self, request: Request) -> str:
        """Estimate the cost of a call, as a sentence."""
        inputs = to_inputs(request.rows, self.columns)
        return self.quote(inputs, self.asked(request.options)) if self.quote else "This costs nothing."

    # ---- API calls

    def call(self, **arguments: Any) -> str:
        """Handle a call of the endpoint: return the metric's result as JSON text, with its warnings.

        Raises:
            InputError: For bad input, with the metric's message.
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
        """Handle a call of the comparison endpoint.

        Raises:
            InputError: For bad input, with the metric's message.
        """
        return self.answer_program(lambda: call_comparison(self, arguments))

    def estimate_comparison(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that a comparison takes."""
        return estimate_comparison(self, arguments)


def _joined(cell: object) -> str:
    return "".join(map(str, cell)) if isinstance(cell, list) else str(cell)
