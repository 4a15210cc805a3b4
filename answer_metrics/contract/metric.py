"""What a metric is: its declarations, options, and the two steps from inputs to a result.

A metric is a subclass of `Module` (`evaluate_module.py`), which adds to `Metric` what evaluate needs. Its docstring is
the description. It declares `citation`, `examples`, `reference_urls`, `main_score`,

- `options_type`: a dataclass of options (`core/options.py`); `inputs` (`columns/inputs.py`) and `outputs`;
- `columns`: the per-example columns, by name, and their types (`columns/storage.py` lists them);
- `score(inputs, options)`: the first step, from inputs to per-example columns, row by row;
- `statistics(columns, options)`: the second step, each score as a function of column sums (`statistics/statistic.py`);
- `signature_fields(options)`: everything that can change a score.

`compute` runs both steps; `score_batch` and `aggregate` run them separately, so that shards can be scored anywhere.
`compare` does the second step for several systems on the same examples.
Signatures and docstrings are generated from the declarations.
"""

import contextlib
import contextvars
import inspect
import math
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, TypeAlias

import numpy as np

from answer_metrics.columns.inputs import COMMON_INPUTS, Column, doubts
from answer_metrics.columns.reasoning import cut_off_message, drop_reasoning
from answer_metrics.columns.storage import decode, encode
from answer_metrics.columns.tables import (
    as_batch,
    check_order,
    column_names,
    count_rows,
    get_column,
    keep_columns,
    plain_values,
    shards,
    to_list,
    value_counts,
)
from answer_metrics.core.options import (
    Option,
    Options,
    Secret,
    declared,
    describe,
    did_you_mean,
    is_int,
    shorten,
    without_effect,
)
from answer_metrics.core.results import Output, Result, common_outputs
from answer_metrics.statistics.comparison import check_margin, check_systems, compare, plan_rows
from answer_metrics.statistics.human_labels import correct, correct_comparison
from answer_metrics.statistics.samples import (
    Groups,
    System,
    common_rows,
    compare_groups,
    match_systems,
    summarize_groups,
    summarize_samples,
)
from answer_metrics.statistics.statistic import UNIT, Array, Scale, Statistic, check_clusters, cluster_codes, interval

VERSION = "0.2.0"
"""The version of all metrics; part of every signature. evaluate's loader hashes the code to decide whether a cached
copy is current, and a release changes that hash by this line."""
_RENAME = 'If a column has another name, say so: columns={"predictions": "output"}'
_RESCORE = "Give aggregate what score_batch returned under the same options, including return_details"
_Source: TypeAlias = tuple[Any, Callable[[Any], list[Any]]]
"""A column, and the function that checks it and returns its values."""
_CAPTURED: contextvars.ContextVar[list[str] | None] = contextvars.ContextVar("captured", default=None)


def warn(message: str) -> None:
    """Issue a `UserWarning`, or pass the message to the enclosing `capture_warnings`."""
    captured = _CAPTURED.get()
    if captured is None:
        warnings.warn(message, UserWarning, stacklevel=2)
    else:
        captured.append(message)


@contextlib.contextmanager
def capture_warnings() -> Iterator[list[str]]:
    """Collect warnings in a list; unlike `warnings.catch_warnings` it is thread-safe, for pages with many visitors."""
    messages: list[str] = []
    token = _CAPTURED.set(messages)
    try:
        yield messages
    finally:
        _CAPTURED.reset(token)


class Metric(ABC):
    """What all metrics do without evaluate: check, score, aggregate, compare."""

    version: ClassVar[str] = VERSION
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
    """The columns that `statistics` needs in `compare`; those that it needs otherwise if empty."""
    later_columns: ClassVar[Mapping[str, Any]] = {}
    """Columns that rows lack which an earlier version scored, with their value in such rows."""
    internal: ClassVar[tuple[str, ...]] = ()
    """Columns that are no details of the result."""
    counted: ClassVar[tuple[str, ...]] = ()
    """If not empty, the only columns that `statistics` and `summarize` need, each as a list or as a `Counter` of its
    values. Then `aggregate` needs the memory of one shard only."""
    secrets: ClassVar[frozenset[str]] = frozenset()
    """Options that are never stored: they are not pickled and are masked in tracebacks."""

    label: ClassVar[str]
    """The name of the metric: the name of its script."""
    options: ClassVar[dict[str, Option]]
    """The declarations of all options, from `options_type`."""
    inputs_description: ClassVar[str]

    @classmethod
    def declare(cls) -> None:
        """Complete the declarations of a metric: its name, what all metrics share, and the documentation."""
        cls.label = cls.__module__.rpartition(".")[2]
        cls.inputs = {**cls.inputs, **COMMON_INPUTS}
        cls.outputs = {**cls.outputs, **common_outputs(cls.main_score)}
        cls.description = inspect.cleandoc(cls.__doc__ or cls.description)
        cls.options = declared(cls.options_type)
        described = describe(cls.inputs, cls.options, cls.outputs)
        cls.inputs_description = f"\n{described}\nExamples:\n{cls.examples.strip(chr(10))}\n"
        cls.__doc__ = f"{cls.description}\n{cls.inputs_description}"

    def __init__(self, **options: Any) -> None:
        self._loaded_options: dict[str, Any] = {}  # tracebacks that show local variables take the repr of this
        self._loaded_options = self._checked_options(self._masked(options))

    # ---- what each metric defines

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

    def answer_forms(self, answers: list[Any], options: Any) -> list[Any]:
        """Return answers in a form in which equal answers are equal, None for no answer; for `majority@n`."""
        raise ValueError(f"answers: {self.label} does not know which answers are equal; accuracy does")

    def details(self, columns: Mapping[str, Any], options: Any) -> Mapping[str, Any]:
        """Return the per-example lists of the result."""
        return {name: column for name, column in columns.items() if name not in self.internal}

    @classmethod
    def required_inputs(cls) -> list[str]:
        """List the inputs that every call needs."""
        return [name for name, column in cls.inputs.items() if not column.optional]

    @contextlib.contextmanager
    def _named(self, system: str | None = None) -> Iterator[None]:
        """Put the name of the metric, and of a system that it compares, before the message of a `ValueError`."""
        prefix = f"{self.label}: "
        try:
            yield
        except ValueError as error:  # goes on itself, so that its traceback ends at the line that raised it
            if type(error) is ValueError:
                place = "" if system is None else f"systems[{system!r}]: "
                error.args = (f"{prefix}{place}{str(error).removeprefix(prefix)}",)
            raise

    def answers(self, inputs: Mapping[str, Any], options: Any) -> Any:
        """Return the predictions, without what a model thought under `reasoning="drop"`; warn if some were cut off."""
        if options.reasoning == "keep":
            return inputs["predictions"]
        answers, cut_off = drop_reasoning(inputs["predictions"])
        if cut_off:
            warn(f"{self.label}: {cut_off_message(len(cut_off))}")
        return answers

    # ---- options

    def _masked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: Secret(value) if name in self.secrets and isinstance(value, str) else value
            for name, value in options.items()
        }

    def _checked_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        for name in given:
            if name not in self.options:
                raise TypeError(
                    f"{self.label} has no option {name!r}{did_you_mean(name, [*self.options, *self.inputs]) or ';'} "
                    f"its options are {', '.join(sorted(self.options))}, and its inputs {', '.join(self.inputs)}"
                )
        with self._named():
            return {name: self.options[name].check(value) for name, value in given.items()}

    def resolve_options(self, given: Mapping[str, Any]) -> Any:
        """Resolve every option: from this call, its preset, loading, the preset at loading, or else the default.

        Raises a `TypeError` for an unknown option, a `ValueError` for a bad value, or for incompatible values.
        """
        call, loaded = self._checked_options(given), self._loaded_options
        preset = self.presets.get((loaded | call).get("preset"), {})
        given = {**loaded, **preset, **call} if "preset" in call else {**preset, **loaded, **call}
        options = self.options_type(**given)
        with self._named():
            self.check_options(options)
        self._warn_all(without_effect(self.options, options, loaded | call))
        if options.return_signature:
            self.signature(options)  # fail on an unsignable option before anything is scored
        return options

    def signature(self, options: Any) -> str:
        """Return everything that can change a score on one line, as sacreBLEU does (https://aclanthology.org/W18-6319).

        Raises a `ValueError` for an option that cannot be signed, such as a lambda.
        """
        with self._named():
            fields = {**self.signature_fields(options), "version": self.version}
        yes_or_no = {True: "yes", False: "no"}
        shown = (f"{key}:{yes_or_no[value] if isinstance(value, bool) else value}" for key, value in fields.items())
        return "|".join([self.label, *shown])

    def scales(self, **options: Any) -> dict[str, Scale]:
        """Return the range and direction of each score under these options."""
        resolved = self.resolve_options(options)
        statistics = self.statistics({name: [] for name in self.columns_of(resolved)}, resolved)
        return {name: statistic.scale for name, statistic in statistics.items()}

    # ---- inputs

    def check_inputs(self, given: Mapping[str, Any], *, as_arrow: bool = False) -> dict[str, Any]:
        """Check whole columns, in any supported container: types, values and lengths.

        With `as_arrow`, Arrow string arrays stay as they are, and long lists of strings become some. Raises a
        `ValueError` that names the metric, the argument, the index and what was found.
        """
        columns = {}
        with self._named():
            for name, column in self.inputs.items():
                value = given.get(name)
                if value is None and column.optional:
                    continue
                arrow = column.as_arrow(value) if as_arrow else None
                columns[name] = column.check(name, to_list(name, value)) if arrow is None else arrow
            _check_lengths(columns)
        return columns

    # ---- the two steps

    def _score(self, inputs: Mapping[str, Any], options: Any) -> "_Scored":
        self._warn_all(doubts(inputs))
        with self._named():
            common = {name: inputs[name] for name in COMMON_INPUTS if name in inputs}
            return _Scored(self.score(inputs, options), common)

    def _summarize(self, scored: "_Scored", options: Any) -> dict[str, Any]:
        """Turn scored rows into the result."""
        columns, clusters, labels = scored.columns, scored.rows.get("clusters"), scored.rows.get("human_labels")
        if not any(len(column) for column in columns.values()):
            warn(f"{self.label} got no examples: all scores are 0.0")
        summed = {name: scored.count(name) for name in self.counted} if self.counted else columns
        with self._named():
            self.check_scored(summed, options)
            by_row = {name: to_list(name, column) for name, column in columns.items()} if scored.rows else summed
            statistics = self.statistics(by_row, options)
            if scored.rows and scored.counts is not None:
                statistics = {name: replace(one, counts=scored.counts) for name, one in statistics.items()}
            result = self.summarize(statistics, summed, options)
            settings = {"level": options.confidence_level, "seed": options.bootstrap_seed, "clusters": clusters}
            settings["method"] = getattr(options, "confidence_method", "wilson")
            if clusters is not None:
                result["clusters"] = self._count_clusters(clusters)
            if options.return_confidence:
                for name, statistic in statistics.items():
                    result[f"{name}_confidence_interval"] = interval(statistic, **settings)
            if "by" in scored.rows and statistics:
                score = self._main(statistics)
                added, caveats = summarize_groups(score, statistics[score], Groups.of(scored.rows["by"]), **settings)
                self._warn_all(caveats)
                result = Result(result | added)
            if labels is not None and statistics:
                result.update(self._correct(statistics, labels, clusters, options.confidence_level))
        if options.return_details:
            result.update(self.details({name: to_list(name, column) for name, column in columns.items()}, options))
        if options.return_signature:
            result["signature"] = self.signature(options)
        return result

    def _main(self, scores: Collection[str]) -> str:
        """Return the name of the main score, or of the first if the options leave it out."""
        return self.main_score if self.main_score in scores else next(iter(scores))

    def _correct(
        self, statistics: Mapping[str, Statistic], labels: list[Any], clusters: list[Any] | None, level: float
    ) -> dict[str, Any]:
        """Return the result keys that human labels add."""
        score = self._main(statistics)
        _check_labelable(score, statistics[score])
        found, caveats = correct(statistics[score].row_scores, labels, level=level, clusters=clusters)
        self._warn_all(caveats)
        return {f"{score}_{key}" if key.startswith("corrected") else key: value for key, value in found.items()}

    def _warn_all(self, messages: Iterable[str]) -> None:
        for message in messages:
            warn(f"{self.label}: {message}")

    def _count_clusters(self, clusters: Any) -> int:
        number, caveat = check_clusters(clusters)
        if caveat:
            warn(f"{self.label}: {caveat}")
        return number

    def score_batch(
        self, batch: Any, columns: Mapping[str, str] | None = None, keep: Sequence[str] = (), **options: Any
    ) -> Any:
        """Score each example of a batch: the first step of `compute`, as a dataset transform.

        Works with `Dataset.map(metric.score_batch, batched=True)`, `IterableDataset.map` and Ray Data's `map_batches`.
        `aggregate` turns the new columns of all batches into the result of `compute`.

        Args:
            batch: Columns by name: a mapping, a table of Arrow, pandas, polars or DuckDB, or a list of rows.
            columns: The names of input columns that differ in the batch, as in `{"predictions": "output"}`.
            keep: The columns of the batch to return unchanged, such as ids, by which `compare` matches rows.
            **options: The options of `compute`.

        Returns:
            A mapping of lists, or an Arrow table or record batch if the batch is one: the kept columns and new ones,
            whose names begin with that of the metric. These have one value per example, of the same type in every
            batch: nested details are JSON strings, missing numbers are NaN.

        Raises:
            ValueError: For bad input, a missing column, a column named twice, or a bad value of an option.
        """
        options = self._masked(options)
        return self._score_rows(as_batch(batch), columns, keep, self.resolve_options(options))

    def _score_rows(self, batch: Any, columns: Mapping[str, str] | None, keep: Sequence[str], options: Any) -> Any:
        with self._named():
            kept = keep_columns(batch, keep)
            given = self._get_inputs(batch, columns)
            scored = self._score(self.check_inputs(given, as_arrow=self.takes_arrow(options)), options)
            new = {**scored.columns, **scored.rows}
            return encode(new, self.columns_of(options), f"{self.label}_", like=batch, kept=kept)

    def _get_inputs(self, batch: Any, columns: Mapping[str, str] | None) -> dict[str, Any]:
        """Return the inputs in a batch, under the names that `columns` gives them."""
        self._check_names(columns or {}, "columns names")
        present = column_names(batch)
        names = {name: name for name, kind in self.inputs.items() if not kind.optional or name in present}
        names |= columns or {}
        return {name: get_column(batch, column, _RENAME) for name, column in names.items()}

    def _check_names(self, names: Iterable[str], problem: str) -> None:
        """Raise a `ValueError` that begins with the problem for a name that no input has."""
        for name in names:
            if name not in self.inputs:
                hint = did_you_mean(name, self.inputs) or ";"
                raise ValueError(f"{problem} {name!r}{hint} its inputs are {', '.join(self.inputs)}")

    def aggregate(
        self, columns: Any, *, clusters: Any = None, human_labels: Any = None, by: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Turn per-example columns into the result of `compute`: its second step.

        Args:
            columns: The output of `score_batch` for all examples: a mapping of columns, a `Dataset`, a data frame, an
                Arrow table or Ray Data's `Dataset`; a list of rows; or a list or an iterator of these tables, one per
                shard, read one at a time. Scalars do not depend on the order of the examples; lists follow it.
            clusters: The name of a column in `columns`, or the values themselves.
            human_labels: The same for human labels.
            by: The same for groups of examples, such as subjects: strings or integers.
            **options: The options of `compute`, the same as for `score_batch`.

        Returns:
            The result of `compute` on the same examples. `by` adds `groups`, each with its main score, its interval
            (None for a single example: unknown) and `total`; and `<score>_macro`, the mean of the groups' scores, with
            its interval. It is a `Result` then.

        Raises:
            ValueError: For a missing column, columns of different lengths, values (not names) for a table that does not
                keep the order of its rows, or a bad value of an option.
        """
        options = self._masked(options)
        resolved = self.resolve_options(options)
        with self._named():
            sources = {"clusters": clusters, "human_labels": human_labels, "by": by}
            scored = self._read(columns, sources, resolved)
        return self._summarize(scored, resolved)

    # ---- reading scored rows

    def _read(
        self, tables: Any, sources: Mapping[str, Any], options: Any, raw: Mapping[str, str] | None = None
    ) -> "_Scored":
        """Read the output of `score_batch`, shard by shard, in one pass: Ray Data may reorder rows in a second one.

        `sources` says what else to read of each row, clusters, human_labels, by, ids, answers or references: the name
        of a column, or the values; None reads clusters and human_labels that `score_batch` passed on. If systems are
        compared, `raw` names the inputs of those that are scored first, and only `statistics` uses columns, row by row.
        """
        given = {name: source for name, source in sources.items() if source is not None and not isinstance(source, str)}
        if given:
            check_order(tables, ", ".join(given))
        names = self.counted if self.counted and not options.return_details else tuple(self.columns_of(options))
        names = names if raw is None else self.compared_columns or names
        counting = bool(self.counted) and raw is None and not (options.return_details or given)
        values: dict[str, list[Any]] = {name: [] for name in names}
        if isinstance(sources.get("by"), str):
            values["by"] = []  # also if there are no shards
        cells: Counter[tuple[Any, ...]] = Counter()
        for found in self._find(tables, sources, names, options, raw):
            if counting and found.keys() <= {*names, "by"}:
                _check_lengths({name: column for name, (column, _) in found.items()})
                cells.update(count_rows(found))
                continue
            shard = {name: read(column) for name, (column, read) in found.items()}
            _check_lengths({name: column for name, column in shard.items() if name != "references"})
            for name, column in shard.items():
                values.setdefault(name, []).extend(column)
        if len(values.get("references", ())) != len(values[names[0]]):
            values.pop("references", None)  # only some shards have them
        values |= {name: self._read_rows(name, name, column) for name, column in given.items()}
        _check_lengths(values)
        if cells:
            values = dict(zip(values, map(list, zip(*cells, strict=True)), strict=True))
        counts = np.array(list(cells.values()), dtype=np.int64) if cells else None
        return _Scored({name: values.pop(name) for name in names}, values, counts)

    def _find(
        self, tables: Any, sources: Mapping[str, Any], names: Sequence[str], options: Any, raw: Mapping[str, str] | None
    ) -> Iterator[dict[str, _Source]]:
        """Find the columns of each shard, and what else is known of its rows."""
        kinds = self.columns_of(options)
        known = None
        for table in shards(tables):
            shard = source = as_batch(table)
            if raw is not None and {f"{self.label}_{name}" for name in kinds}.isdisjoint(column_names(shard)):
                source = self._score_rows(shard, raw, (), options)
            rows = self._find_rows(sources, shard, source)
            known = rows.keys() if known is None else known
            if differing := (known ^ rows.keys()) - {"references"}:
                raise ValueError(f"give {', '.join(sorted(differing))} with every shard or with none")
            yield {name: self._find_column(source, name, kinds[name]) for name in names} | rows

    def _find_column(self, shard: Any, name: str, kind: Any) -> _Source:
        """Find a per-example column in a shard; one that an earlier version did not write has one value."""
        stored = f"{self.label}_{name}"
        read = partial(decode, stored, kind=kind, hint=_RESCORE)
        if name in self.later_columns and stored not in column_names(shard):
            first = get_column(shard, f"{self.label}_{next(iter(self.columns))}", _RESCORE)
            return [self.later_columns[name]] * len(first), read
        return get_column(shard, stored, _RESCORE), read

    def _find_rows(self, sources: Mapping[str, Any], shard: Any, scored: Any) -> dict[str, _Source]:
        """Find what else is known of the rows of a shard, and of its scores: what is wanted, references if any."""
        found: dict[str, _Source] = {}
        for name, source in sources.items():
            passed_on = f"{self.label}_{'extracted' if name == 'answers' else name}"
            is_passed_on = passed_on in column_names(scored)
            if name in COMMON_INPUTS and source in (None, name) and is_passed_on:
                found[name] = scored[passed_on], partial(self._read_rows, name, name)
            elif name == "answers" and source is not None and is_passed_on:
                found[name] = scored[passed_on], partial(decode, source, kind=list, hint=_RESCORE)
            elif isinstance(source, str) and (name != "references" or source in column_names(shard)):
                hint = f"{'on' if name == 'ids' else name}= names a column; score_batch(keep=[{source!r}]) passes it on"
                found[name] = get_column(shard, source, hint), partial(self._read_rows, name, source)
        return found

    def _read_rows(self, name: str, source: str, column: Any) -> list[Any]:
        if name in COMMON_INPUTS:
            return self.inputs[name].check(name, to_list(name, column))
        if name == "by":  # strings only or integers only, like clusters
            groups = plain_values(name, column)
            self.inputs["clusters"].check(name, groups)
            return groups
        return to_list(name, column) if name == "references" else plain_values(source, column)

    # ---- comparison

    def compare(
        self,
        systems: Mapping[str, Any],
        baseline: str | None = None,
        on: str | None = None,
        clusters: Any = None,
        confidence_level: float = 0.95,
        resamples: int = 10_000,
        bootstrap_seed: int = 0,
        margin: float | None = None,
        columns: Mapping[str, str] | None = None,
        by: str | None = None,
        human_labels: str | None = None,
        repeats: bool = False,  # as `compute`, which has options of that kind
        missing: str = "raise",
        **options: Any,
    ) -> Result:
        """Compare systems with a baseline, or all with each other, on the same examples.

        Rows scored by `score_batch` are not scored again. `print(result)` gives one line per system, ready for a paper;
        a notebook shows a table, and `to_markdown()`, `to_latex()` and `to_pandas()` return it.

        Args:
            systems: At least two systems by name, each in the form that `aggregate` takes, or as raw columns for
                `score_batch`, which are scored first.
            baseline: The system that the others are compared with; the first one by default. "all" compares the main
                score of all pairs.
            on: The name of an id column by which rows are matched; without it, rows are matched by position, which is
                refused for tables that do not keep the order of their rows, such as those of Ray Data.
            clusters: The name of a column, or one value per row of the baseline: rows that depend on each other, such
                as questions about one document or samples of one question.
            confidence_level: The level of all intervals; 1 minus it is the significance level.
            resamples: Number of random swaps in the permutation test if it cannot enumerate all.
            bootstrap_seed: Seed of the random swaps.
            margin: Largest difference that does not matter; adds `noninferior` and `equivalent`.
            columns: The names of input columns that differ, as in `score_batch`.
            by: The name of a column of groups, such as subjects; needs a baseline. Adds `groups`.
            human_labels: The name of a column of each system: human judgments of a random sample of its rows, 0 to 1,
                None for the others; best of the same rows in all systems. Not with `repeats` or `missing`.
            repeats: Whether `on` is a question of which each system has several samples, whose means are compared.
            missing: "raise", or "wrong", which gives a system the worst score for rows that only others have.
            **options: The options of `compute`.

        Returns:
            `baseline`, `score` (the main one), `total`, `clusters` (their number), `confidence_level`, `signature`, and
            `systems`: for each its scores and their intervals, and for all but the baseline `difference`,
            `difference_confidence_interval`, `p_value`, `adjusted_p_value` (Holm), `test`, `wins`, `losses`, `ties`,
            `left_out`, `minimum_detectable_difference`: each a value, or a mapping by score if the metric has several.
            With baseline="all", these are in `pairs`, one per pair, with the names of its `system` and `baseline`; and
            each system has a `rank` and the interval of ranks that it may have. `groups` has these keys, and `total`,
            for each group and system. With `human_labels`, each system has `<score>_corrected` with its interval, and
            `labels`; and each comparison `corrected_difference`, `corrected_difference_confidence_interval`,
            `corrected_p_value` and `adjusted_corrected_p_value`. A system has `samples` (least and most of a question)
            with `repeats`, and `missing` (number of rows) with `missing="wrong"`. Differences are on the scale of the
            score; a win is a better row. All are plain Python values; an interval that is unknown is None.

        Raises:
            ValueError: For rows or references that do not match, fewer than two clusters, or a bad value.
        """
        given = {"return_confidence": True, "confidence_level": confidence_level, "bootstrap_seed": bootstrap_seed}
        options = self._masked(options)
        resolved = self.resolve_options({**options, **given, "return_details": False})
        with self._named():
            first = check_systems(systems, baseline, resamples)
            _check_request(first, systems, {"on": on, "by": by, "human_labels": human_labels}, repeats, missing)
            _check_order(systems, on, clusters)
            sources = {"clusters": clusters if isinstance(clusters, str) else None, "by": by, "ids": on}
            sources["references"] = (columns or {}).get("references", "references")
            if human_labels is not None:
                sources["human_labels"] = human_labels
            read = {}
            for name in sorted(systems, key=lambda name: name != first):  # the baseline first
                with self._named(name):
                    system = self._read_system(systems[name], sources, resolved, columns)
                    read[name] = system.merge(str(on)) if repeats else system
            matched = match_systems(read, on, missing=missing == "wrong")
            labels = common_rows(matched, "clusters", "cluster")
            if clusters is not None and not isinstance(clusters, str):
                labels = self._read_rows("clusters", "clusters", clusters)
                name, one = next(iter(matched.items()))
                _check_lengths({f"rows of {name}": one, "clusters": labels})
            in_order = {name: matched[name] for name in systems}
            result = self._compare(in_order, first, resolved, clusters=labels, margin=margin, resamples=int(resamples))
        with contextlib.suppress(ValueError):  # it was signed before if that was asked for
            result["signature"] = self.signature(resolved)
        return result

    def _compare(self, systems: Mapping[str, System], baseline: str, options: Any, **settings: Any) -> Result:
        """Compare systems whose rows are matched."""
        clusters, any_system = settings["clusters"], next(iter(systems.values()))
        if not len(any_system):
            warn(f"{self.label} got no examples: all scores are 0.0")
        if clusters is not None:
            self._count_clusters(clusters)
        scores = self.compared_scores or tuple(any_system.statistics)
        main = self._main(scores)
        for score in scores:
            check_margin(settings["margin"], options.confidence_level, any_system.statistics[score].scale)
        statistics = {name: {score: one.statistics[score] for score in scores} for name, one in systems.items()}
        settings |= {"level": options.confidence_level, "seed": options.bootstrap_seed}
        method = getattr(options, "confidence_method", "wilson")
        result = compare(statistics, baseline=baseline, main_score=main, method=method, **settings)
        by_system = {name: own[main] for name, own in statistics.items()}
        for name, system in systems.items():
            result["systems"][name] |= system.notes
        if (by := common_rows(systems, "by", "group")) is not None:
            result["groups"] = compare_groups(by_system, baseline, Groups.of(by), **settings)
        if "human_labels" in any_system.rows:
            _check_labelable(main, any_system.statistics[main])
            people = {name: system.rows["human_labels"] for name, system in systems.items()}
            self._warn_all(correct_comparison(result, by_system, people, clusters))
        return result

    def repeats(
        self,
        scored: Any,
        on: str = "question_id",
        k: int | Sequence[int] | None = None,
        answers: str | None = None,
        clusters: str | None = None,
        **options: Any,
    ) -> Result:
        """Summarize several samples of each question. Samples without a score are left out.

        Args:
            scored: The output of `score_batch` for all samples, in any form that `aggregate` takes.
            on: The name of the column that identifies the question, which `score_batch(keep=[...])` passes on.
            k: For pass@k (at least one of k samples is right) and pass^k (all k are) of scores that are 0 or 1; by
                default those of 1, 5 and 10 that every question has. In `ranked_retrieval`, its own option.
            answers: The name of a column of answers, which adds `majority@n`; only `accuracy` knows which are equal.
            clusters: The name of a column, the same for all samples of a question: questions that depend on each other.
            **options: The options that the rows were scored under.

        Returns:
            `questions` (their number), `samples` (least and most of a question), the mean over questions of their mean
            scores (avg@n) under the name of the main score, `pass@k`, `pass^k`, and `majority@n`, the mean score of
            each question's most frequent answer; each with its interval over questions. `variance_between` questions,
            `variance_within` a question, and `removable_share`, an estimate of the share of the variance of the mean
            that more samples could remove; None if unknown. `confidence_level` and `signature`.

        Raises:
            ValueError: For a score that is no mean over rows, questions of which none has two samples, too large a k,
                ids that are missing or of two types, or a bad value.
        """
        if "k" in self.options and k is not None:  # a metric of its own k has no scores that are right or wrong
            options, k = {**options, "k": k}, None
        resolved = self.resolve_options({**self._masked(options), "return_confidence": True, "return_details": False})
        with self._named():
            sources = {"ids": on, "answers": answers, "clusters": clusters, "references": "references"}
            system = self._read_system(scored, sources, resolved)
            given = system.rows.pop("answers", [])
            main = self._main(system.statistics)
            questions = system.merge(on)
            found = summarize_samples(
                main,
                system.statistics[main],
                cluster_codes(system.ids),
                k=k,
                answers=None if answers is None else self.answer_forms(given, resolved),
                clusters=questions.rows.get("clusters"),
                level=resolved.confidence_level,
            )
        with contextlib.suppress(ValueError):  # it was signed before if that was asked for
            found["signature"] = self.signature(resolved)
        return Result(found)

    @staticmethod
    def draw(saved: Mapping[str, Any]) -> Result:
        """Return a result of `compare`, `repeats` or `aggregate(by=...)` that was read from a pickle or from JSON."""
        return Result(saved)

    def required_n(
        self,
        scored: Any,
        difference: float = 0.01,
        power: float = 0.8,
        second: Any = None,
        on: str | None = None,
        clusters: str | None = None,
        **options: Any,
    ) -> dict[str, int]:
        """Return how many rows a comparison of two systems needs to detect a true difference of the main score.

        Args:
            scored: The scored rows of a system, at least two, in any form that `aggregate` takes.
            difference: The true difference, above 0, on the scale of the score.
            power: The probability of detecting it, from 0.5 to 1.
            second: The scored rows of another system. Without it, the second system is assumed to vary like the first.
            on: The name of an id column by which the rows of the two are matched.
            clusters: The name of a column: rows that depend on each other. More rows come in clusters like these.
            **options: The options that the rows were scored under; 1 minus `confidence_level` is the level of the test.

        Returns:
            `n`, the number of rows, with a correlation of the systems' scores as in these rows, or of 0.45 with one
            system; and `n_worst`, with a correlation of 0.
        """
        resolved = self.resolve_options({**self._masked(options), "return_confidence": True, "return_details": False})
        with self._named():
            given = {"scored": scored} if second is None else {"scored": scored, "second": second}
            if second is not None:
                _check_order(given, on, None)
            sources = {"clusters": clusters, "ids": on}
            read = {name: self._read_system(one, sources, resolved) for name, one in given.items()}
            matched = match_systems(read, on)
            main = self._main(read["scored"].statistics)
            labels = common_rows(matched, "clusters", "cluster")
            return plan_rows(
                [system.statistics[main] for system in matched.values()],
                None if labels is None else cluster_codes(labels),
                difference=difference,
                power=power,
                level=resolved.confidence_level,
            )

    def row_scores(self, scored: Any, **options: Any) -> list[float | None]:
        """Return the main score of each row on its own; None if it has none.

        Args:
            scored: The output of `score_batch`, in any form that `aggregate` takes; the result has its order.
            **options: The options that the rows were scored under.
        """
        resolved = self.resolve_options({**self._masked(options), "return_details": False})
        with self._named():
            statistics = self._read_system(scored, {}, resolved).statistics
        scores = statistics[self._main(statistics)].row_scores.tolist()
        return [None if math.isnan(score) else score for score in scores]

    def label_sample(self, scored: Any, n: int, seed: int = 0, **options: Any) -> list[int]:
        """Draw rows that people should label for `human_labels`: a simple random sample without replacement.

        The correction is valid only for a random sample: rows picked because they look odd or come first bias it. To
        compare systems, label the answers of all of them to the rows drawn for one: labels of the same rows are worth
        most.

        Args:
            scored: The output of `score_batch`, in any form that `aggregate` takes and that keeps the order of rows.
            n: Number of rows, at most that of the rows with a score: the others are not drawn.
            seed: Seed of the draw.
            **options: The options that the rows were scored under.

        Returns:
            The indices of the rows, ascending.
        """
        with self._named():
            check_order(scored, "scored", "; write them to files, or sort them, first")
            present = [row for row, score in enumerate(self.row_scores(scored, **options)) if score is not None]
            if not is_int(n) or not 0 <= n <= len(present):
                span = f"from 0 to {len(present)}, the number of rows with a score"
                raise ValueError(f"n must be an int {span}; got {n!r}")
            if not is_int(seed) or seed < 0:
                raise ValueError(f"seed must be an int of at least 0, got {seed!r}")
        return sorted(np.random.default_rng(seed).choice(present, int(n), replace=False).tolist())

    def _read_system(
        self, tables: Any, sources: Mapping[str, Any], options: Any, columns: Mapping[str, str] | None = None
    ) -> System:
        """Read what `compare` needs of a system; raw columns are scored first."""
        scored = self._read(tables, sources, options, raw=columns or {})
        self.check_scored(scored.columns, options)
        ids = scored.rows.pop("ids", range(len(next(iter(scored.columns.values())))))
        return System(self.statistics(scored.columns, options), ids, scored.rows)


@dataclass
class _Scored:
    """Scored rows, as far as they were read: per-example columns, and what else is known of each row, by name.

    `counts` says how often each row occurs, where equal rows need not be told apart; None means once each.
    """

    columns: dict[str, Any]
    rows: dict[str, Any]
    counts: Array | None = None

    def count(self, name: str) -> Counter[Any]:
        """Count the values of a column."""
        if self.counts is None:
            return value_counts(self.columns[name])
        counted: Counter[Any] = Counter()
        for value, number in zip(self.columns[name], self.counts.tolist(), strict=True):
            counted[value] += number
        return counted


def _check_lengths(columns: Mapping[str, Any]) -> None:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise ValueError(f"got {counted}; all columns must have the same length")


def _check_labelable(name: str, statistic: Statistic) -> None:
    if statistic.scale != UNIT:
        raise ValueError(f"human_labels: {name} must be a score from 0 to 1 where higher is better, as labels are")


def _check_request(
    baseline: str, systems: Mapping[str, Any], names: Mapping[str, Any], repeats: Any, missing: Any
) -> None:
    """Raise a `ValueError` for arguments of `compare` that are no names of columns, or that do not go together."""
    for argument, name in names.items():
        if name is not None and not isinstance(name, str):
            raise ValueError(f"{argument} must be the name of a column of every system, got {shorten(name)}")
    if not isinstance(repeats, bool):
        raise ValueError(f"repeats must be True or False, got {repeats!r}")
    if missing not in {"raise", "wrong"}:
        raise ValueError(f'missing must be one of "raise", "wrong", got {missing!r}')
    for given, argument in ((repeats, "repeats=True"), (missing == "wrong", 'missing="wrong"')):
        if given and names["on"] is None:
            raise ValueError(f"{argument} needs on= with the name of a column of ids")
        if given and names["human_labels"] is not None:
            raise ValueError(f"human_labels cannot be combined with {argument}: a label belongs to one row")
    if names["by"] is not None and baseline not in systems:
        raise ValueError('by needs a baseline: give the name of a system instead of "all"')


def _check_order(systems: Mapping[str, Any], on: str | None, clusters: Any) -> None:
    """Raise a `ValueError` if rows would be matched by position in a table that does not keep their order."""
    by_id = ': score with keep=["id"], and match rows by on="id"; clusters= then also needs the name of a column'
    for name, table in systems.items():
        if on is None:
            check_order(table, f"systems[{name!r}]", by_id)
        if not (clusters is None or isinstance(clusters, str)):
            check_order(table, "clusters")
