# Vendored: edit metrics/_shared/space_ui/form.py and run `make vendor`.
"""A metric as a Space asks it: what is asked, how it is computed, and what is told of the result. No Gradio here.

Nothing is kept between calls, nobody's input reaches a file or a log, each call has a metric object of its own, and
every error becomes an answer that takes the place of an older one.
"""

import contextvars
import json
import logging
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Overdue
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from functools import cached_property
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any
from typing import TypeVar

# Read when the libraries below are imported: no look-ups, so that a Space works without internet.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")

import evaluate

from .controls import Control
from .controls import changed
from .controls import column_kind
from .controls import entries
from .controls import read_controls
from .export import as_plain
from .export import write_csv
from .permalink import pack_link
from .permalink import unpack_link
from .report import Example
from .report import Report
from .report import Track
from .report import compared
from .report import number
from .report import render
from .report import render_error
from .report import sentence
from .rows import Column
from .rows import InputError
from .rows import Limits
from .rows import Row
from .rows import check_rows
from .rows import join_cell
from .rows import split_cell
from .rows import to_inputs
from .upload import read_table

T = TypeVar("T")

SECONDS = 60.0
KEY_HEADER = "x_judge_key"  # as an argument; in HTTP it is x-judge-key
_LOG = logging.getLogger("space")
_WRITTEN_OUT = 40  # rows that the Python snippet spells out; with more it reads the downloaded file
_ALWAYS = {"return_details": True, "return_confidence": True, "return_signature": True}
_LABELS = {"predictions": "Prediction", "references": "Reference", "questions": "Question"}

_POOL = ThreadPoolExecutor(max_workers=8, thread_name_prefix="score")
_SAID: contextvars.ContextVar[list[str] | None] = contextvars.ContextVar("said", default=None)


def hear_warnings() -> None:
    """Send warnings to the call that they belong to: Python's own way of catching them is not for several threads."""
    show = warnings.showwarning
    if show.__module__ == __name__:
        return

    def hear(message: Any, category: Any, *args: Any, **kwargs: Any) -> None:
        said = _SAID.get()
        if said is None:
            show(message, category, *args, **kwargs)
        elif issubclass(category, UserWarning):
            said.append(str(message))

    warnings.showwarning = hear
    warnings.simplefilter("always", UserWarning)


@dataclass(frozen=True)
class Scored:
    """A result with all that led to it."""

    script: ModuleType
    """The metric's script: its functions explain the rows."""
    inputs: Mapping[str, list[Any]]
    options: Mapping[str, Any]
    result: Mapping[str, Any]
    texts: Sequence[tuple[str | list[str], ...]]
    """The inputs row by row, in the order of the columns."""


@dataclass(frozen=True)
class Told:
    """What is to be told of a result: made by each metric's `explain`."""

    examples: Sequence[Example]
    sentence: str
    labels: Mapping[str, Any] = field(default_factory=dict)
    histogram: Sequence[float] = ()
    histogram_name: str = ""


Compute = Callable[[dict[str, Any]], dict[str, Any]]
Govern = Callable[[Compute, dict[str, Any], str], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Form:
    """A metric as a Space shows it, described in a few lines; the rest is read from the metric itself."""

    script: Path
    """The metric's script."""
    title: str
    scores: tuple[str, ...]
    """The keys of the result that are shown large, the most telling first."""
    explain: Callable[[Scored], Told]
    """Says what became of each row, and why."""
    facts: tuple[str, ...] = ()
    """What one should know before one starts, a few words each."""
    common: tuple[str, ...] = ()
    """The options that are always in sight."""
    needs: Mapping[str, tuple[str, tuple[Any, ...]]] = field(default_factory=dict)
    """Options that only matter if another one has one of some values."""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What files call the inputs, beyond the usual names."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the page calls the inputs, where the usual name misleads."""
    hidden: frozenset[str] = frozenset()
    """Options that neither page nor endpoint take."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Options that the Space sets, and nobody else."""
    starts: Mapping[str, Any] = field(default_factory=dict)
    """Where the Space's default of an option is another than the metric's."""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where the Space takes only some values of an option."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """Help texts of options of which the Space takes only some values, where the metric's would mislead."""
    limits: Limits = field(default_factory=Limits)
    key_option: str | None = None
    """The option that takes a visitor's key."""
    key_help: str = ""
    key_needs: tuple[str, tuple[Any, ...]] | None = None
    """The option that decides whether a key is of use, and its values with which it is."""
    govern: Govern | None = None
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
    def columns(self) -> list[Column]:
        """The inputs of the metric."""
        return [
            Column(
                name, self.labels.get(name, _LABELS.get(name, name)), column_kind(column), self.aliases.get(name, ())
            )
            for name, column in self.metric.inputs.items()
            if not column.optional
        ]

    @cached_property
    def api_controls(self) -> list[Control]:
        """The options that the endpoint takes."""
        hidden = {*self.hidden, *self.fixed, self.key_option or ""}
        controls = read_controls(self.metric, hidden, starts=self.starts, choices=self.choices)
        return [replace(control, help=self.helps.get(control.name, control.help)) for control in controls]

    @cached_property
    def controls(self) -> list[Control]:
        """The options that the page shows; what a page always asks for needs no control."""
        return [control for control in self.api_controls if control.name not in _ALWAYS]

    @cached_property
    def examples(self) -> list[dict[str, Any]]:
        """The examples that a visitor can choose: title, note, options, rows."""
        examples: list[dict[str, Any]] = json.loads((self.script.parent / "examples.json").read_text(encoding="utf-8"))
        for example in examples:
            example["rows"] = [
                [
                    cell if isinstance(cell, str) else join_cell(cell, column.kind)
                    for cell, column in zip(row, self.columns, strict=True)
                ]
                for row in example["rows"]
            ]
        return examples

    # ---- options

    def complete(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Give every control its value, by the options that are given."""
        return {control.name: options.get(control.name, control.default) for control in self.controls}

    def values(self, options: Mapping[str, Any]) -> list[Any]:
        """Give what all controls show, in their order."""
        complete = self.complete(options)
        return [control.shown(complete[control.name]) for control in self.controls]

    def cleaned(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options that a page or a link gave."""
        cleaned = {}
        for control in self.controls:
            value = control.given(options.get(control.name, control.default))
            control.check_offered(value)
            cleaned[control.name] = self.metric.options[control.name].check(control.name, value)
        return cleaned

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Give the options that have to be named to get the same result from the metric itself."""
        return changed({**self.starts, **options}, self.metric.defaults())

    # ---- one call

    def score(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str
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
        said: list[str] = []
        metric = type(self.metric)(keep_in_memory=True)

        def compute(given: dict[str, Any]) -> dict[str, Any]:
            result: dict[str, Any] = metric.compute(**inputs, **given)
            return result

        given = {**options, **self.fixed}
        token = _SAID.set(said)
        try:
            result = self.govern(compute, given, key) if self.govern else compute(given)
        finally:
            _SAID.reset(token)
        return as_plain(result), [words.removeprefix(f"{self.name}: ") for words in dict.fromkeys(said)]

    def respond(self, table: str, *values: Any) -> str:
        """Answer the page: a report and what is to be taken away, or what went wrong.

        Args:
            table: The rows, as JSON text.
            *values: The values of the controls in their order, then the key where there is one.
        """
        key = str(values[len(self.controls)] or "").strip() if len(values) > len(self.controls) else ""
        try:
            rows = check_rows(json.loads(table)["rows"], self.columns, self.limits, least=1)
            options = dict(zip((control.name for control in self.controls), values, strict=False))
            return json.dumps(_in_time(partial(self.answer, rows, self.cleaned(options), key)))
        except ValueError as error:
            return json.dumps({"html": render_error(self.safe(error, key)), "at": time.time_ns()})
        except Exception as error:  # noqa: BLE001  # whatever happens, no old result may stay on the page
            note(error)
            message = f"Something went wrong here ({type(error).__name__}), not with your rows."
            return json.dumps({"html": render_error(message)})

    def safe(self, error: Exception, key: str) -> str:
        """Give the words of an error, without the key whatever they are."""
        words = str(error).removeprefix(f"{self.name}: ")
        return words.replace(key, "(key)") if key else words

    def answer(self, rows: list[Row], options: Mapping[str, Any], key: str) -> dict[str, Any]:
        """Score rows and tell of it."""
        started = time.perf_counter()
        inputs = to_inputs(rows, self.columns)
        defaults = self.metric.defaults()
        wanted = {name: True for name in _ALWAYS if name in self.metric.options}
        asked = self.asked({**options, **wanted})
        result, said = self.score(inputs, asked, key)
        seconds = time.perf_counter() - started
        texts = [
            tuple(
                cell if column.kind == "text" else split_cell(cell, column.kind)
                for cell, column in zip(row, self.columns, strict=True)
            )
            for row in rows
        ]
        script = sys.modules[type(self.metric).__module__]
        scored = Scored(script, inputs, {**defaults, **options, **asked}, result, texts)
        told = self.explain(scored)
        away = {"metric": self.name, "inputs": inputs, "options": asked, "result": result}
        return {
            "html": render(self.report(scored, told, said, seconds)),
            "name": self.name,
            "at": time.time_ns(),  # two equal results are two answers: the page must notice the second
            "json": json.dumps(away, ensure_ascii=False, indent=1),
            "csv": self.csv(rows, told, result),
            "snippet": self.snippet(inputs, asked),
            # Without what the page begins with, which in a Space may be another value than the metric's default.
            "link": pack_link(rows, changed(options, self.complete({}))),
        }

    def report(self, scored: Scored, told: Told, said: Sequence[str], seconds: float) -> Report:
        """Put together what the page shows."""
        result = scored.result
        meanings = {
            name: text
            for names, (_, text) in entries(self.metric.inputs_description, "Returns").items()
            for name in names.split(", ")
        }
        figures = [
            (key, number(value), meanings.get(key, ""))
            for key, value in result.items()
            if isinstance(value, (int, float)) and key not in self.scores
        ]
        tracks = [
            Track(key, result[key] or 0.0, *(result.get(f"{key}_confidence_interval") or (None, None)))
            for key in self.scores
        ]
        return Report(
            tracks=tracks,
            sentence=told.sentence,
            level=scored.options.get("confidence_level", 0.95),
            figures=figures,
            columns=[column.label for column in self.columns],
            examples=told.examples,
            notices=said,
            histogram=told.histogram,
            histogram_name=told.histogram_name,
            labels=told.labels,
            footnote=f"{result.get('signature', '')} · {1000 * seconds:.0f} ms",
        )

    def csv(self, rows: Sequence[Row], told: Told, result: Mapping[str, Any]) -> str:
        """Write the examples as CSV: what was given, what became of it, and the metric's per-example lists."""
        lists = {key: value for key, value in result.items() if isinstance(value, list) and len(value) == len(rows)}
        head = [*(column.name.removesuffix("s") for column in self.columns), "outcome", *lists]
        table = (
            [*row, told.examples[place].label, *(values[place] for values in lists.values())]
            for place, row in enumerate(rows)
        )
        return write_csv(head, table)

    def snippet(self, inputs: Mapping[str, list[Any]], options: Mapping[str, Any]) -> str:
        """Write the Python code that leads to the same result."""
        load = f'import evaluate\n\n{self.name} = evaluate.load("{self.address}")\n'
        shown = "print(" + ", ".join(f'result["{key}"]' for key in self.scores) + ")\n"
        if len(next(iter(inputs.values()))) > _WRITTEN_OUT:
            return (
                f"import json\n\n{load}\n# Too many rows to write out here: this is the file that the page offers.\n"
                f'with open("{self.name}.json", encoding="utf-8") as file:\n    saved = json.load(file)\n\n'
                f'result = {self.name}.compute(**saved["inputs"], **saved["options"])\n{shown}'
            )
        lines = []
        for name, values in inputs.items():
            lines += [f"    {name}=[", *(f"        {value!r}," for value in values), "    ],"]
        lines += [f"    {name}={value!r}," for name, value in options.items()]
        arguments = "\n".join(lines)
        return f"{load}result = {self.name}.compute(\n{arguments}\n)\n{shown}"

    # ---- what programs and the page send

    def call(self, **arguments: Any) -> str:
        """Answer the endpoint: the metric's result as JSON text, with what it warned of.

        Raises:
            InputError: For bad input, in the metric's own words.
        """
        key = str(arguments.pop(KEY_HEADER, "") or "").strip()
        inputs = {column.name: arguments.pop(column.name) for column in self.columns}
        try:
            self.check_size(inputs)
            self.check_options(arguments)
            result, said = _in_time(partial(self.score, inputs, self.asked(arguments), key))
        except ValueError as error:
            raise InputError(self.safe(error, key)) from None
        except Exception as error:  # noqa: BLE001  # its message may hold a visitor's texts or key
            note(error)
            raise InputError(f"internal error ({type(error).__name__})") from None
        return json.dumps({**result, "warnings": said} if said else result, ensure_ascii=False)

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse what the Space does not offer; values the metric checks."""
        controls = {control.name: control for control in self.api_controls}
        for name, value in options.items():
            if name not in controls:
                raise InputError(f"this Space has no option {name}")
            controls[name].check_offered(value)

    def check_size(self, inputs: Mapping[str, Any]) -> None:
        """Refuse what is too much for a call; what it is made of, the metric checks."""
        columns = [values for values in inputs.values() if isinstance(values, list)]
        longest = max(map(len, columns), default=0)
        if longest > self.limits.rows:
            raise InputError(f"{longest:,} rows; this Space takes {self.limits.rows:,} a call")
        rows = [
            [cell if isinstance(cell, list) else [cell] for cell in row] for row in zip_longest(*columns, fillvalue=[])
        ]
        self.limits.check_texts([[len(cell) for cell in row] for row in rows])
        self.limits.check([["".join(text for text in cell if isinstance(text, str)) for cell in row] for row in rows])

    def on_upload(self, text: str, filename: str) -> str:
        """Read what was uploaded or pasted."""
        try:
            rows, notes = read_table(text, self.columns, self.limits, filename)
        except InputError as error:
            return json.dumps({"error": str(error)})
        return json.dumps({"rows": rows, "note": f"{len(rows):,} rows. {' '.join(notes)}"})

    def on_example(self, title: str) -> list[Any]:
        """Give the rows of an example, and the values of all controls."""
        example = next(example for example in self.examples if example["title"] == title)
        table = json.dumps({"rows": example["rows"], "note": example["note"]})
        return [table, *self.values(example["options"])]

    def on_link(self, fragment: str) -> tuple[str | None, list[Any] | None, str | None]:
        """Give what a link leads to: the rows, the values of all controls, the answer; None for what stays."""
        try:
            found = unpack_link(fragment, self.columns, self.limits)
            if found is None:
                return None, None, None
            rows, options = found
            values = self.values(self.cleaned(options))
        except ValueError as error:
            return None, None, json.dumps({"html": render_error(str(error))})
        table = json.dumps({"rows": rows, "note": "From a link."})
        # Where a call may cost something, it is for the visitor to start it.
        return table, values, json.dumps({"html": ""}) if self.key_option else self.respond(table, *values)


def _in_time(work: Callable[[], T]) -> T:
    """Do some work in a thread, and wait for it no longer than a call may take.

    Raises:
        InputError: If it takes longer; what was begun ends by itself, as Python stops no thread.
    """
    future = _POOL.submit(contextvars.copy_context().run, work)
    try:
        return future.result(timeout=SECONDS)
    except Overdue:
        future.cancel()
        raise InputError(f"It took more than {SECONDS:.0f} seconds. Send fewer rows, or compute in Python.") from None


def note(error: Exception) -> None:
    """Log where an unexpected error came from, without its message: that may hold a visitor's texts or key."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    _LOG.error("%s in %s", type(error).__name__, " < ".join(f"{frame.name}:{frame.lineno}" for frame in frames))


def tell_matches(
    scored: Scored, types: Sequence[str], forms: Callable[[list[str]], list[str]], labels: Mapping[str, Any]
) -> Told:
    """Tell of a metric that finds for each row whether two texts match.

    Args:
        scored: The result.
        types: How each row matches: "exact", "contains", "fuzzy", "none" or a word of the metric's own.
        forms: Turns texts into what is compared.
        labels: The outcome of each type that can occur.
    """
    similarities = scored.result.get("similarities")
    threshold = scored.options.get("fuzzy_threshold")
    examples = []
    for place, ((prediction, references), kind) in enumerate(zip(scored.texts, types, strict=True)):
        detail = ""
        if similarities and kind != "exact":
            detail = f"similarity {similarities[place]:.3f}, {threshold:g} needed"
        several = [references] if isinstance(references, str) else references
        why = compared(str(prediction), several, forms, kind, detail)
        examples.append(Example(labels[kind], kind, (prediction, references), why))
    hits = sum(example.outcome != "miss" for example in examples)
    return Told(examples, sentence(hits, len(examples), "answers match"), labels)
