"""The definition of a metric: what its author declares and implements, and the options that follow from it.

A metric is a subclass of `Module` (`evaluate_module.py`), whose docstring is the description. It declares options
(`core/options.py`), inputs (`columns/inputs.py`), outputs and per-example columns (`columns/storage.py` lists their
types), and implements two steps, `score` and `statistics`, which `Metric` (`metric.py`) runs.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar

from answer_metrics.columns.inputs import COMMON_INPUTS, Column
from answer_metrics.columns.reasoning import cut_off_message, drop_reasoning
from answer_metrics.columns.tables import check_lengths, to_list
from answer_metrics.core.messages import prefix_errors, warn
from answer_metrics.core.options import Option, Options, Secret, declared, describe, did_you_mean, without_effect
from answer_metrics.core.results import Output, common_outputs
from answer_metrics.statistics.statistic import Scale, Statistic


class Definition(ABC):
    """What the author of a metric declares and implements, and how its options and inputs are checked."""

    version: ClassVar[str]
    description: ClassVar[str] = ""
    """The docstring, without what `declare` adds to it."""
    citation: ClassVar[str]
    examples: ClassVar[str]
    reference_urls: ClassVar[list[str]]
    options_type: ClassVar[type[Options]]
    inputs: ClassVar[dict[str, Column]]
    outputs: ClassVar[dict[str, Output]]
    columns: ClassVar[dict[str, Any]]
    main_score: ClassVar[str]
    presets: ClassVar[Mapping[Any, Mapping[str, Any]]] = {}
    """The options that each value of the option `preset` stands for."""
    compared_scores: ClassVar[tuple[str, ...]] = ()
    """The scores that `compare` compares; all if empty."""
    compared_columns: ClassVar[tuple[str, ...]] = ()
    """The columns that `statistics` needs in `compare`; the usual ones if empty."""
    later_columns: ClassVar[Mapping[str, Any]] = {}
    """Columns missing from rows that an earlier version scored, with their value for such rows."""
    internal: ClassVar[tuple[str, ...]] = ()
    """Columns that are not part of the result's details."""
    counted: ClassVar[tuple[str, ...]] = ()
    """If not empty, the only columns that `statistics` and `summarize` need, each as a list or as a `Counter` of its
    values. Then `aggregate` needs the memory of one shard only."""
    secrets: ClassVar[frozenset[str]] = frozenset()
    """Options that are never stored: they are not pickled and are masked in tracebacks."""

    name: ClassVar[str]
    """The name of the metric: the name of its script."""
    options: ClassVar[dict[str, Option]]
    """The declarations of all options, from `options_type`."""
    inputs_description: ClassVar[str]

    @classmethod
    def declare(cls) -> None:
        """Complete the declarations of a metric: its name, what all metrics share, and the documentation."""
        cls.name = cls.__module__.rpartition(".")[2]
        cls.inputs = {**cls.inputs, **COMMON_INPUTS}
        cls.outputs = {**cls.outputs, **common_outputs(cls.main_score)}
        cls.description = inspect.cleandoc(cls.__doc__ or cls.description)
        cls.options = declared(cls.options_type)
        arguments_and_returns = describe(cls.inputs, cls.options, cls.outputs)
        cls.inputs_description = f"\n{arguments_and_returns}\nExamples:\n{cls.examples.strip(chr(10))}\n"
        cls.__doc__ = f"{cls.description}\n{cls.inputs_description}"

    def __init__(self, **options: Any) -> None:
        self._loaded_options: dict[str, Any] = {}  # tracebacks that show local variables take the repr of this
        self._loaded_options = self._check_each(self.mask(options))

    @abstractmethod
    def score(self, inputs: Mapping[str, Any], options: Any) -> dict[str, Any]:
        """Turn checked inputs into per-example columns, lists or arrays; each row depends only on its own inputs."""

    @abstractmethod
    def statistics(self, columns: Mapping[str, Any], options: Any) -> dict[str, Statistic]:
        """Return each score as a function of column sums."""

    @abstractmethod
    def signature_fields(self, options: Any) -> dict[str, Any]:
        """Return everything that can change a score, by its name in the signature."""

    def columns_of(self, options: Any) -> dict[str, Any]:
        """Return the types of the columns that `score` returns under these options."""
        return self.columns

    def takes_arrow(self, options: Any) -> bool:
        """Return whether `score` also accepts Arrow arrays under these options."""
        return False

    def check_options(self, options: Any) -> None:  # noqa: B027  # most metrics need none
        """Raise a `ValueError` for incompatible values of two or more options."""

    def check_scored(self, columns: Mapping[str, Any], options: Any) -> None:  # noqa: B027  # same
        """Raise a `ValueError` for per-example columns that were scored under other options."""

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: Any
    ) -> dict[str, Any]:
        """Return the scalars of the result."""
        return {name: statistic.value for name, statistic in statistics.items()}

    def details(self, columns: Mapping[str, Any], options: Any) -> Mapping[str, Any]:
        """Return the per-example lists of the result."""
        return {name: column for name, column in columns.items() if name not in self.internal}

    def answer_forms(self, answers: list[Any], options: Any) -> list[Any]:
        """Return answers in a form in which equal answers are equal, None for no answer; for `majority@n`."""
        raise ValueError(f"answers: {self.name} cannot tell which answers are equal; accuracy can")

    def mask(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options with masked secrets; a caller rebinds its own variable, which tracebacks may show."""
        secrets = {name for name, value in options.items() if name in self.secrets and isinstance(value, str)}
        return {name: Secret(value) if name in secrets else value for name, value in options.items()}

    def _check_each(self, options: Mapping[str, Any]) -> dict[str, Any]:
        for name in options:
            if name not in self.options:
                raise TypeError(
                    f"{self.name} has no option {name!r}{did_you_mean(name, [*self.options, *self.inputs]) or ';'} "
                    f"its options are {', '.join(sorted(self.options))}, and its inputs {', '.join(self.inputs)}"
                )
        with prefix_errors(self.name):
            return {name: self.options[name].check(value) for name, value in options.items()}

    def resolve_options(self, options: Mapping[str, Any]) -> Any:
        """Resolve every option: from this call, its preset, loading, the preset at loading, or else the default."""
        call, loaded = self._check_each(options), self._loaded_options
        preset = self.presets.get((loaded | call).get("preset"), {})
        values = {**loaded, **preset, **call} if "preset" in call else {**preset, **loaded, **call}
        resolved = self.options_type(**values)
        with prefix_errors(self.name):
            self.check_options(resolved)
        self.warn(without_effect(self.options, resolved, loaded | call))
        if resolved.return_signature:
            self.signature(resolved)  # fail on an unsignable option before anything is scored
        return resolved

    def signature(self, options: Any) -> str:
        """Return everything that can change a score on one line; a `ValueError` for an option that cannot be signed."""
        with prefix_errors(self.name):
            fields = {**self.signature_fields(options), "version": self.version}
        words = {"True": "yes", "False": "no"}
        return "|".join([self.name, *(f"{name}:{words.get(str(value), value)}" for name, value in fields.items())])

    def scales(self, **options: Any) -> dict[str, Scale]:
        """Return the range and direction of each score under these options."""
        resolved = self.resolve_options(options)
        statistics = self.statistics({name: [] for name in self.columns_of(resolved)}, resolved)
        return {name: statistic.scale for name, statistic in statistics.items()}

    def main_of(self, scores: Collection[str]) -> str:
        """Return the name of the main score, or of the first score if the options leave the main one out."""
        return self.main_score if self.main_score in scores else next(iter(scores))

    @classmethod
    def required_inputs(cls) -> list[str]:
        """List the inputs that every call needs."""
        return [name for name, column in cls.inputs.items() if not column.optional]

    @classmethod
    def scored_input(cls) -> str:
        """Return the input that differs between systems: the predictions, or else the first that is required."""
        return "predictions" if "predictions" in cls.inputs else cls.required_inputs()[0]

    def worst_inputs(self, options: Any) -> dict[str, Any]:
        """Return inputs of a row that has the worst score, in place of those of a row without a prediction."""
        is_list = self.inputs[self.scored_input()].type_name.startswith("list of lists")
        answer = {self.scored_input(): [] if is_list else ""}
        return answer if is_list else {**answer, "references": "no reference is empty"}

    def check_inputs(self, inputs: Mapping[str, Any], *, as_arrow: bool = False) -> dict[str, Any]:
        """Check whole columns in any container, or raise a `ValueError` that names argument, index and value.

        With `as_arrow`, Arrow string arrays stay as they are, and long lists of strings become Arrow arrays.
        """
        columns = {}
        with prefix_errors(self.name):
            for name, column in self.inputs.items():
                value = inputs.get(name)
                if value is None and column.optional:
                    continue
                arrow = column.as_arrow(value) if as_arrow else None
                columns[name] = column.check(name, to_list(name, value)) if arrow is None else arrow
            check_lengths(columns)
        return columns

    def check_input_names(self, names: Iterable[str], problem: str) -> None:
        """Raise a `ValueError` that begins with the problem for a name that no input has."""
        for name in names:
            if name not in self.inputs:
                hint = did_you_mean(name, self.inputs) or ";"
                raise ValueError(f"{problem} {name!r}{hint} its inputs are {', '.join(self.inputs)}")

    def answers(self, inputs: Mapping[str, Any], options: Any) -> Any:
        """Return the predictions, without their reasoning under `reasoning="drop"`; warn if any ended mid-reasoning."""
        if options.reasoning == "keep":
            return inputs["predictions"]
        answers, cut_off = drop_reasoning(inputs["predictions"], options.reasoning_marks)
        if cut_off:
            self.warn([cut_off_message(len(cut_off))])
        return answers

    def warn(self, messages: Iterable[str]) -> None:
        """Warn with each message, after the name of the metric."""
        for message in messages:
            warn(f"{self.name}: {message}")
