# Vendored: edit metrics/_shared/_metric.py and run `make vendor`.
"""The base class of all metrics.

A metric is a subclass of `Metric` that declares `description`, `citation`, `examples`, `reference_urls`, `main_score`,

- `options_type`: a dataclass of options (`_options.py`); `inputs` (`_columns.py`) and `outputs`;
- `columns`: the per-example columns, by name, and their types (`encode` in `_columns.py` lists them);
- `score(inputs, options)`: the first step, from inputs to per-example columns, row by row;
- `statistics(columns, options)`: the second step, each score as a function of column sums (`_statistics.py`);
- `signature_fields(options)`: everything that can change a score.

`compute` runs both steps; `score_batch` and `aggregate` run them separately, so that shards can be scored anywhere.
Signatures and docstrings are generated from the declarations.
"""

import contextlib
import contextvars
import functools
import inspect
import os
import reprlib
import sys
import types
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import datasets
import evaluate
import numpy as np
import pyarrow as pa

from ._columns import (
    COMMON_INPUTS,
    Column,
    align,
    column_names,
    decode,
    encode,
    get_column,
    is_missing,
    looks_written,
    plain_values,
    rows_have,
    shards,
    to_list,
    value_counts,
)
from ._options import (
    Option,
    Options,
    Output,
    Secret,
    declared,
    describe,
    did_you_mean,
    explicit_signature,
    shorten,
    show,
    without_effect,
)
from ._statistics import Comparison, Statistic, check_clusters, compare, correct, interval

VERSION = "0.1.0"
"""The version of all metrics; part of every signature. evaluate's loader hashes the code to decide whether a cached
copy is current, and a release changes that hash by this line."""
OTHER_INPUTS = frozenset({"questions", "relevance"})
"""Inputs that only some metrics have; the others ignore them, so that `evaluate.combine` can send them to all."""
_RENAME = 'If a column has another name, say so: columns={"predictions": "output"}'
_RESCORE = "Give aggregate what score_batch returned under the same options, including return_details"
_MAX_TABLES = 1_000
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


class _BoundMethod(functools.partial[Any]):
    """A bound method that pickles as its object and its name.

    cloudpickle and dill, which Ray and `datasets` use, pickle a bound method as an object and a module's function, but
    evaluate's modules cannot be imported in a fresh process.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.args[0], self.func.__name__)


class _Named:
    """Puts the name of the metric, and of a system that it compares, before the message of a `ValueError`."""

    def __init__(self, label: str, system: str | None = None) -> None:
        self._label = f"{label}: "
        self._system = system

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if kind is ValueError and error is not None:
            system = "" if self._system is None else f"systems[{self._system!r}]: "
            raise ValueError(f"{self._label}{system}{str(error).removeprefix(self._label)}") from error.__cause__


class Metric(evaluate.Metric, ABC):  # evaluate's loader takes the first class that is not abstract
    """The base class of all metrics."""

    version: ClassVar[str] = VERSION
    description: ClassVar[str]
    citation: ClassVar[str]
    examples: ClassVar[str]
    reference_urls: ClassVar[list[str]]
    options_type: ClassVar[type[Options]]
    inputs: ClassVar[dict[str, Column]]
    outputs: ClassVar[dict[str, Output]]
    columns: ClassVar[dict[str, Any]]
    main_score: ClassVar[str]
    compared_scores: ClassVar[tuple[str, ...]] = ()
    """The scores that `compare` compares; all if empty."""
    compared_columns: ClassVar[tuple[str, ...]] = ()
    """The columns that `statistics` needs in `compare`; those that it needs otherwise if empty."""
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

    # Attributes of evaluate.Metric that are used here.
    writer: Any
    buf_writer: Any
    data: Any
    filelocks: Any
    file_paths: Any
    selected_feature_format: Any

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

    def check_options(self, options: Any) -> None:
        """Raise a `ValueError` for incompatible values of two or more options."""

    def check_scored(self, columns: Mapping[str, Any], options: Any) -> None:
        """Raise a `ValueError` for per-example columns that were scored under other options."""

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: Any
    ) -> dict[str, Any]:
        """Return the scalars of the result."""
        return {name: statistic.value for name, statistic in statistics.items()}

    def details(self, columns: Mapping[str, Any], options: Any) -> Mapping[str, Any]:
        """Return the per-example lists of the result; all columns unless overridden."""
        return columns

    # ---- loading

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.label = cls.__module__.rpartition(".")[2]
        cls.inputs = {**cls.inputs, **COMMON_INPUTS}
        cls.outputs = {**cls.outputs, **_common_outputs(cls.main_score)}
        cls.options = declared(cls.options_type)
        described = describe(cls.inputs, cls.options, cls.outputs)
        cls.inputs_description = f"\n{described}\nExamples:\n{cls.examples.strip(chr(10))}\n"
        cls.__doc__ = f"{cls.description.strip()}\n{cls.inputs_description}"
        for name in ("compute", "_compute"):
            method = _copy_function(getattr(cls, name))
            method.__signature__ = explicit_signature(cls.inputs, cls.options, all_optional=name == "compute")
            setattr(cls, name, method)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs = self._masked(kwargs)
        known = inspect.signature(evaluate.EvaluationModule.__init__).parameters.keys() - {"kwargs"}
        self._load_arguments = {name: value for name, value in kwargs.items() if name in known and name != "hash"}
        self._loaded_options: dict[str, Any] = {}
        self._added: list[pa.Table] = []
        self._added_names: list[str] | None = None
        super().__init__(*args, **{name: value for name, value in kwargs.items() if name in known})
        # evaluate copies methods onto every instance, which would lose the signature that `metric.compute?` shows.
        self.compute.__func__.__signature__ = inspect.signature(type(self).compute)  # type: ignore[attr-defined]
        score_batch = type(self).score_batch
        self.score_batch = functools.update_wrapper(_BoundMethod(score_batch, self), score_batch)  # type: ignore[method-assign]
        options = {name: value for name, value in kwargs.items() if name not in known}
        self._loaded_options = self._checked_options(options)

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild through `evaluate.load` from the script in evaluate's cache: a fresh process cannot import it.

        Added examples and secrets are not pickled.
        """
        options = {name: value for name, value in self._loaded_options.items() if name not in self.secrets}
        return functools.partial(evaluate.load, inspect.getfile(type(self)), **self._load_arguments, **options), ()

    def __repr__(self) -> str:
        """Show the metric and its options on one line; evaluate's repr prints the whole usage."""
        options = {name: value for name, value in self._loaded_options.items() if name not in self.secrets}
        call = f"{self.label}({', '.join(f'{name}={reprlib.repr(value)}' for name, value in options.items())})"
        return f"<metric {call}, {len(self)} examples added; help() lists its inputs and options>"

    def _info(self) -> evaluate.MetricInfo:
        features = []
        for place in (0, -1):  # references as strings, and as lists of strings
            arrow_types = {name: self.inputs[name].arrow_types[place] for name in self.required_inputs()}
            variant = datasets.Features.from_arrow_schema(pa.schema(arrow_types))
            if variant not in features:
                features.append(variant)
        return evaluate.MetricInfo(
            description=self.description,
            citation=self.citation,
            inputs_description=self.inputs_description,
            features=features,
            reference_urls=self.reference_urls,
        )

    @classmethod
    def required_inputs(cls) -> list[str]:
        """List the inputs that every call needs."""
        return [name for name, column in cls.inputs.items() if not column.optional]

    def _named(self, system: str | None = None) -> _Named:
        return _Named(self.label, system)

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
        """Resolve every option: from this call, else from loading, else the default.

        Raises:
            TypeError: For an unknown option.
            ValueError: For a bad value, or for incompatible values.
        """
        chosen = {**self._loaded_options, **self._checked_options(given)}
        options = self.options_type(**chosen)
        with self._named():
            self.check_options(options)
        for message in without_effect(self.options, options, chosen):
            warn(f"{self.label}: {message}")
        if options.return_signature:
            self.signature(options)  # fail on an unsignable option before anything is scored
        return options

    def signature(self, options: Any) -> str:
        """Return everything that can change a score on one line, as sacreBLEU does (https://aclanthology.org/W18-6319).

        Raises:
            ValueError: For an option that cannot be signed, such as a lambda.
        """
        with self._named():
            fields = {**self.signature_fields(options), "version": self.version}
        for name, value in fields.items():
            if isinstance(value, bool):
                fields[name] = "yes" if value else "no"
        return "|".join([self.label, *(f"{name}:{value}" for name, value in fields.items())])

    # ---- inputs

    def check_inputs(self, given: Mapping[str, Any], *, as_arrow: bool = False) -> dict[str, Any]:
        """Check whole columns: types, values and lengths.

        Args:
            given: A column in any supported container for each input.
            as_arrow: Keep Arrow string arrays as they are, and convert long lists of strings to Arrow.

        Raises:
            ValueError: Names the metric, the argument, the index and what was found.
        """
        columns = {}
        with self._named():
            for name, column in self.inputs.items():
                value = given.get(name)
                if value is None and column.optional:
                    continue
                arrow = column.as_arrow(value) if as_arrow else None
                columns[name] = column.check(name, to_list(name, value)) if arrow is None else arrow
            _check_lengths({name: len(column) for name, column in columns.items()})
        return columns

    def _positional_error(self, method: str, names: list[str]) -> TypeError:
        shown = ", ".join(f"{name}=..." for name in names)
        message = f"{self.label}: {method} takes keyword arguments only: metric.{method}({shown})"
        # Some libraries call again with positional arguments after an error, which would hide that error.
        before = sys.exception()
        is_own = before is not None and str(before).startswith((f"{self.label}: ", f"{self.label} "))
        return TypeError(f"{message}; the previous call failed: {before}" if is_own else message)

    def add(self, *args: Any, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """Add one example to what the next `compute()` scores.

        Args:
            *args: Not supported: arguments must be given by name.
            prediction: One prediction.
            reference: Its reference.
            **inputs: Any other input of the metric, by its name in `compute`.

        Raises:
            TypeError: For positional arguments.
            ValueError: For bad input; examples added before are kept.
        """
        if args:
            raise self._positional_error("add", ["prediction", "reference"])
        for value, plural in ((prediction, "predictions"), (reference, "references")):
            if value is not None and plural in inputs:
                raise ValueError(f"{self.label}: got {plural[:-1]} and {plural}: give one of them")
        given = {"predictions": prediction, "references": reference, **inputs}
        self._check_names(given)
        # A None label means that nobody judged this example; for any other input None means that it was not given.
        left_out = {name for name, kind in self.inputs.items() if kind.optional and not kind.allow_missing}
        self._store(
            self.check_inputs(
                {name: [value] for name, value in given.items() if value is not None or name not in left_out}
            )
        )

    def add_batch(self, *args: Any, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """Add a batch of examples to what the next `compute()` scores.

        Args:
            *args: Not supported: arguments must be given by name.
            predictions: The predictions.
            references: The references.
            **inputs: Any other input of the metric.

        Raises:
            TypeError: For positional arguments.
            ValueError: For bad input; nothing of the batch is added, and examples added before are kept.
        """
        if args:
            raise self._positional_error("add_batch", self.required_inputs())
        given = {"predictions": predictions, "references": references, **inputs}
        self._check_names(given)
        self._store(self.check_inputs(given, as_arrow=True))

    def _check_names(self, given: Mapping[str, Any]) -> None:
        for name in given:
            if name not in self.inputs:
                hint = did_you_mean(name, self.inputs) or ";"
                raise ValueError(f"{self.label} has no input {name!r}{hint} its inputs are {', '.join(self.inputs)}")

    def _store(self, columns: Mapping[str, Any]) -> None:
        """Keep checked columns for the next `compute`: in memory, or with several processes in evaluate's file."""
        if not any(map(len, columns.values())):
            return  # else an empty batch would decide which inputs later batches have
        table = self._to_table(columns)
        self._added_names = table.column_names
        if self.num_process > 1:
            self._open_writer()
            self.writer.write_table(table)
            return
        self._added.append(table)
        if len(self._added) % _MAX_TABLES == 0:  # many examples added one by one
            self._added = [pa.concat_tables(self._added).combine_chunks()]

    def _to_table(self, columns: Mapping[str, Any]) -> pa.Table:
        names = [name for name in self.inputs if name in columns]
        if self._added_names is not None and names != self._added_names:
            extra = ", ".join(sorted(set(names) ^ set(self._added_names)))
            raise ValueError(f"{self.label}: give {extra} with every batch or with none")
        return pa.table({name: self.inputs[name].store(columns[name]) for name in names})

    def _feature_names(self) -> list[str]:
        return self._added_names or self.required_inputs()

    def __len__(self) -> int:
        """Return the number of added examples."""
        return int(super().__len__()) if self.num_process > 1 else sum(table.num_rows for table in self._added)

    def _open_writer(self) -> None:
        if self.writer is not None:
            return
        arrow_types = {name: self.inputs[name].arrow_types[-1] for name in self._feature_names()}
        self.selected_feature_format = datasets.Features.from_arrow_schema(pa.schema(arrow_types))
        try:
            self._init_writer()
        except OSError as error:
            raise OSError(
                f"{self.label}: cannot write to {self.data_dir}, where processes exchange examples ({error}); "
                "set HF_HOME to a writable folder"
            ) from error

    # ---- the two steps

    def compute(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Score the given examples together with those added before.

        Args:
            *args: Not supported: arguments must be given by name.
            **kwargs: The inputs of the metric, omitted if all examples were added before, and its options.

        Returns:
            The result, plain Python values only; with several processes, `None` in all but the first.

        Raises:
            TypeError: For an unknown option.
            ValueError: For bad input or a bad value of an option.

        After an error, examples added before are kept; with several processes, only if nothing was scored yet.
        """
        if args:
            raise self._positional_error("compute", self.required_inputs())
        kwargs = self._masked(kwargs)
        given = {name: kwargs.pop(name, None) for name in self.inputs}
        for name in OTHER_INPUTS:
            kwargs.pop(name, None)
        options = self.resolve_options(kwargs)
        columns = None
        if any(column is not None for column in given.values()):
            columns = self.check_inputs(given, as_arrow=self.takes_arrow(options))
        if self.num_process > 1:
            return self._compute_with_others(columns, options)
        if self._added:
            tables = [*self._added, self._to_table(columns)] if columns is not None else self._added
            added = pa.concat_tables(tables)
            columns = self.check_inputs(
                {name: added[name] for name in added.column_names}, as_arrow=self.takes_arrow(options)
            )
        result = self._score_and_summarize(columns or {name: [] for name in self.required_inputs()}, options)
        self._added, self._added_names = [], None
        return result

    def _compute_with_others(self, columns: Mapping[str, Any] | None, options: Any) -> dict[str, Any] | None:
        """Score the examples of all processes, which exchange them through evaluate's files and locks."""
        if columns is not None:
            self._store(columns)
        self._open_writer()
        try:
            result: dict[str, Any] | None = super().compute(**vars(options))
        except BaseException:  # evaluate does not release its files and locks
            self.data = self.writer = self.buf_writer = None
            for lock, path in zip(self.filelocks or [], self.file_paths or [], strict=True):
                if os.path.exists(path):  # noqa: PTH110  # evaluate keeps its paths as strings
                    os.remove(path)  # noqa: PTH107
                lock.release()
            self.filelocks = self.file_paths = None
            raise
        finally:
            self._added_names = None
        return result

    def _compute(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Score whole columns; evaluate calls this with the examples of all processes."""
        bound = inspect.signature(type(self)._compute).bind(self, *args, **kwargs).arguments  # noqa: SLF001
        options = self.options_type(**{name: bound[name] for name in self.options if name in bound})
        return self._score_and_summarize(self.check_inputs(bound), options)

    def _score_and_summarize(self, inputs: Mapping[str, Any], options: Any) -> dict[str, Any]:
        columns = self._score(inputs, options)
        common = {name: inputs[name] for name in COMMON_INPUTS if name in inputs}
        return self._summarize(columns, common, options)

    def _score(self, inputs: Mapping[str, Any], options: Any) -> dict[str, Any]:
        for name in ("predictions", "references"):
            if name in inputs and (text := looks_written(inputs[name])):
                warn(
                    f"{self.label}: most {name} look like lists stored as strings, such as {shorten(text)}; to parse "
                    f"them pass [ast.literal_eval(text) for text in {name}]"
                )
        with self._named():
            return self.score(inputs, options)

    def _summarize(self, columns: Mapping[str, Any], common: Mapping[str, list[Any]], options: Any) -> dict[str, Any]:
        """Turn per-example columns into the result.

        Args:
            columns: Lists or arrays; `Counter`s if only the number of each value is known.
            common: The values of `COMMON_INPUTS` that are given.
            options: The resolved options.
        """
        if not any(len(column) for column in columns.values()):
            warn(f"{self.label} got no examples: all scores are 0.0")
        clusters, labels = common.get("clusters"), common.get("human_labels")
        summed = {name: value_counts(columns[name]) for name in self.counted} if self.counted else columns
        with self._named():
            self.check_scored(summed, options)
            by_row = {name: to_list(name, column) for name, column in columns.items()} if common else summed
            statistics = self.statistics(by_row, options)
            result = self.summarize(statistics, summed, options)
            if clusters is not None:
                result["clusters"] = self._count_clusters(clusters)
            if options.return_confidence:
                settings = {"level": options.confidence_level, "seed": options.bootstrap_seed, "clusters": clusters}
                method = getattr(options, "confidence_method", "wilson")
                for name, statistic in statistics.items():
                    result[f"{name}_confidence_interval"] = interval(statistic, method=method, **settings)
            if labels is not None and statistics:
                result |= self._correct(statistics, labels, clusters, options.confidence_level)
        if options.return_details:
            result.update(self.details({name: to_list(name, column) for name, column in columns.items()}, options))
        if options.return_signature:
            result["signature"] = self.signature(options)
        return result

    def _correct(
        self, statistics: Mapping[str, Statistic], labels: list[Any], clusters: list[Any] | None, level: float
    ) -> dict[str, Any]:
        """Return the result keys that human labels add."""
        score = self.main_score if self.main_score in statistics else next(iter(statistics))
        found, caveats = correct(statistics[score].row_scores, labels, level=level, clusters=clusters)
        for message in caveats:
            warn(f"{self.label}: {message}")
        return {f"{score}_{key}" if key.startswith("corrected") else key: value for key, value in found.items()}

    def _count_clusters(self, clusters: Any) -> int:
        number, caveat = check_clusters(clusters)
        if caveat:
            warn(f"{self.label}: {caveat}")
        return number

    def score_batch(self, batch: Any, columns: Mapping[str, str] | None = None, **options: Any) -> Any:
        """Score each example of a batch: the first step of `compute`, as a dataset transform.

        Works with `Dataset.map(metric.score_batch, batched=True)`, `IterableDataset.map` and Ray Data's `map_batches`.
        `aggregate` turns the new columns of all batches into the result of `compute`.

        Args:
            batch: Columns by name.
            columns: The names of input columns that differ in the batch, as in `{"predictions": "output"}`.
            **options: The options of `compute`.

        Returns:
            New columns, one value per example, with names that begin with the name of the metric, as a mapping of
            lists, or as an Arrow table or record batch if the batch is one. Each column has the same type in every
            batch: nested details are JSON strings, missing numbers are NaN.

        Raises:
            TypeError: For an unknown option.
            ValueError: For bad input, a missing column, or a bad value of an option.
        """
        options = self._masked(options)
        return self._score_rows(batch, columns, self.resolve_options(options))

    def _score_rows(self, batch: Any, columns: Mapping[str, str] | None, options: Any) -> Any:
        with self._named():
            given = self._get_inputs(batch, columns)
            inputs = self.check_inputs(given, as_arrow=self.takes_arrow(options))
            common = {name: inputs[name] for name in COMMON_INPUTS if name in inputs}
            scored = {**self._score(inputs, options), **common}
            return encode(scored, self.columns_of(options), f"{self.label}_", like=batch)

    def _get_inputs(self, batch: Any, columns: Mapping[str, str] | None) -> dict[str, Any]:
        """Return the inputs in a batch, under the names that `columns` gives them."""
        present = column_names(batch)
        names = {name: name for name, kind in self.inputs.items() if not kind.optional or name in present}
        for name, renamed in (columns or {}).items():
            if name not in self.inputs:
                hint = did_you_mean(name, self.inputs) or ";"
                raise ValueError(f"columns names {name!r}{hint} its inputs are {', '.join(self.inputs)}")
            names[name] = renamed
        return {name: get_column(batch, column, _RENAME) for name, column in names.items()}

    def aggregate(
        self, columns: Any, *, clusters: Any = None, human_labels: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Turn per-example columns into the result of `compute`: its second step.

        Args:
            columns: The output of `score_batch` for all examples: a mapping of columns, a `Dataset`, a data frame, an
                Arrow table or Ray Data's `Dataset`; a list of rows; or a list or an iterator of these tables, one per
                shard, read one at a time. Scalars do not depend on the order of the examples; lists follow it.
            clusters: The name of a column in `columns`, or the values themselves.
            human_labels: The same for human labels.
            **options: The options of `compute`, the same as for `score_batch`.

        Returns:
            The result of `compute` on the same examples.

        Raises:
            TypeError: For an unknown option.
            ValueError: For a missing column, columns of different lengths, or a bad value of an option.
        """
        options = self._masked(options)
        resolved = self.resolve_options(options)
        with self._named():
            scored, common = self._read(columns, {"clusters": clusters, "human_labels": human_labels}, resolved)
        return self._summarize(scored, common, resolved)

    def _read(
        self, columns: Any, given: Mapping[str, Any], options: Any, *, comparing: bool = False
    ) -> tuple[dict[str, Any], dict[str, list[Any]]]:
        """Read the output of `score_batch`, shard by shard.

        Args:
            columns: As in `aggregate`.
            given: For each input of `COMMON_INPUTS` the name of a column, its values, or None.
            options: The options that the columns were scored under.
            comparing: Whether only `statistics` will use the columns, row by row.

        Returns:
            The per-example columns, as lists or, if these are enough, as `Counter`s; and the common inputs.
        """
        kinds = self.columns_of(options)
        counting = bool(self.counted) and not comparing and not options.return_details
        counting = counting and all(source is None for source in given.values())
        names = self.counted if self.counted and not options.return_details else tuple(kinds)
        if comparing:
            names = self.compared_columns or names
        scored: dict[str, Any] = {}
        common: dict[str, list[Any]] = {}
        for shard in shards(columns):
            extra = self._read_common(shard, given)
            if scored and extra.keys() != common.keys():
                differing = ", ".join(sorted(extra.keys() ^ common.keys()))
                raise ValueError(f"give {differing} with every shard or with none")
            as_counts = counting and not extra
            read = {}
            for name in names:
                column = get_column(shard, f"{self.label}_{name}", _RESCORE)
                read[name] = decode(f"{self.label}_{name}", column, kinds[name], _RESCORE, as_counts=as_counts)
            lengths = {name: column.total() if as_counts else len(column) for name, column in read.items()}
            _check_lengths(lengths | {name: len(column) for name, column in extra.items()})
            for name, column in read.items():
                merged = scored.setdefault(name, Counter() if as_counts else [])
                merged.update(column) if as_counts else merged.extend(column)
            for name, column in extra.items():
                common.setdefault(name, []).extend(column)
        scored = scored or {name: [] for name in names}
        for name, source in given.items():
            if source is not None and not isinstance(source, str):
                common[name] = self.inputs[name].check(name, to_list(name, source))
        if common:
            _check_lengths({name: len(column) for name, column in (scored | common).items()})
        return scored, common

    def _read_common(self, shard: Any, given: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Read clusters and labels from a shard: from the given column, or from those that `score_batch` passed on."""
        present = column_names(shard)
        found = {}
        for name in COMMON_INPUTS:
            source, passed_on = given.get(name), f"{self.label}_{name}"
            if source is not None and not isinstance(source, str):
                continue
            if passed_on in present and source in {None, name}:
                source = passed_on
            if source is not None:
                column = get_column(shard, source, f"{name}= names a column")
                found[name] = self.inputs[name].check(name, to_list(name, column))
        return found

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
        **options: Any,
    ) -> Comparison:
        """Compare systems with a baseline on the same examples.

        Rows scored by `score_batch` are not scored again. `print(result)` gives one line per system, ready for a paper.

        Args:
            systems: At least two systems by name, each in the form that `aggregate` takes, or as raw columns for
                `score_batch`, which are scored first.
            baseline: The system that the others are compared with; the first one by default.
            on: The name of an id column by which rows are matched; without it, rows are matched by position.
            clusters: The name of a column, or one value per row of the baseline: rows that depend on each other, such
                as questions about one document or samples of one question.
            confidence_level: The level of all intervals; 1 minus it is the significance level.
            resamples: Number of random swaps in the permutation test if it cannot enumerate all.
            bootstrap_seed: Seed of the random swaps.
            margin: Largest difference that does not matter; adds `noninferior` and `equivalent`.
            columns: The names of input columns that differ, as in `score_batch`.
            **options: The options of `compute`.

        Returns:
            `baseline`, `score` (the main one), `total`, `clusters` (their number), `confidence_level`, `signature`, and
            `systems`: for each its scores and their intervals, and for all but the baseline `difference`,
            `difference_confidence_interval`, `p_value`, `adjusted_p_value` (Holm), `test`, `wins`, `losses`, `ties`,
            `left_out`, `minimum_detectable_difference`: each a value, or a mapping by score if the metric has several.
            All are plain Python values.

        Raises:
            TypeError: For an unknown option.
            ValueError: For fewer than two systems, rows or references that do not match, fewer than two clusters, or a
                bad value.
        """
        given = {"return_confidence": True, "confidence_level": confidence_level, "bootstrap_seed": bootstrap_seed}
        options = self._masked(options)
        resolved = self.resolve_options({**options, **given, "return_details": False})
        with self._named():
            first = _check_systems(systems, baseline, resamples, margin, resolved.confidence_level)
            read = {}
            for name in [first, *(name for name in systems if name != first)]:
                with self._named(name):
                    read[name] = self._read_system(systems[name], on, clusters, columns, resolved)
            ids = {name: system.ids for name, system in read.items()}
            aligned = {name: read[name].take(order) for name, order in align(ids, on).items()}
            _check_references(aligned, None if on is None else [f"{on} {example!r}" for example in ids[first]])
            labels = _common_clusters(aligned)
            if clusters is not None and not isinstance(clusters, str):
                labels = self.inputs["clusters"].check("clusters", to_list("clusters", clusters))
                _check_lengths({f"rows of {first}": len(ids[first]), "clusters": len(labels)})
            if not ids[first]:
                warn(f"{self.label} got no examples: all scores are 0.0")
            if labels is not None:
                self._count_clusters(labels)
            scores = self.compared_scores or tuple(read[first].statistics)
            result = compare(
                {name: {key: aligned[name].statistics[key] for key in scores} for name in systems},
                baseline=first,
                main_score=self.main_score if self.main_score in scores else scores[0],
                clusters=labels,
                level=resolved.confidence_level,
                method=getattr(resolved, "confidence_method", "wilson"),
                resamples=int(resamples),
                seed=resolved.bootstrap_seed,
                margin=margin,
            )
        with contextlib.nullcontext() if resolved.return_signature else contextlib.suppress(ValueError):
            result["signature"] = self.signature(resolved)
        return result

    def label_sample(self, scored: Any, n: int, seed: int = 0, **options: Any) -> list[int]:
        """Draw the rows that people should label for `human_labels`: a simple random sample without replacement.

        The correction is valid only for a random sample: rows picked because they look odd or come first bias it.

        Args:
            scored: The output of `score_batch`, in any form that `aggregate` takes. Rows without a score are not drawn.
            n: Number of rows.
            seed: Seed of the draw.
            **options: The options that the rows were scored under.

        Returns:
            The indices of the rows, ascending.

        Raises:
            ValueError: If there are fewer than `n` rows with a score.
        """
        options = self._masked(options)
        resolved = self.resolve_options({**options, "return_details": False})
        with self._named():
            statistics = self.statistics(self._read(scored, {}, resolved, comparing=True)[0], resolved)
            scores = (statistics.get(self.main_score) or next(iter(statistics.values()))).row_scores
            present = np.flatnonzero(~np.isnan(scores))
            if not _is_int(n) or not 0 <= n <= len(present):
                span = f"from 0 to {len(present)}, the number of rows with a score"
                raise ValueError(f"n must be an int {span}; got {n!r}")
            if not _is_int(seed) or seed < 0:
                raise ValueError(f"seed must be an int of at least 0, got {seed!r}")
        return sorted(np.random.default_rng(seed).choice(present, int(n), replace=False).tolist())

    def _read_system(
        self, rows: Any, on: str | None, clusters: Any, columns: Mapping[str, str] | None, options: Any
    ) -> "_System":
        """Read what `compare` needs of a system; raw columns are scored first."""
        scored, ids, references = [], [], []
        references_name = (columns or {}).get("references", "references")
        keys = {f"{self.label}_{name}" for name in self.columns_of(options)}
        for given in shards(rows):
            shard = given
            if isinstance(given, dict):  # references are read twice, which an iterator does not allow
                shard = {name: list(one) if isinstance(one, Iterator) else one for name, one in given.items()}
            present = column_names(shard)
            if on is not None:
                ids += plain_values(on, get_column(shard, on, "on= names a column of ids"))
            if references_name in present:
                references += to_list("references", shard[references_name])
            if keys.isdisjoint(present):
                found = self._score_rows(shard, columns, options)
                kept = {clusters: shard[clusters]} if isinstance(clusters, str) and clusters in present else {}
                scored.append({name: found[name] for name in column_names(found)} | kept)
            else:
                scored.append(shard)
        named = {"clusters": clusters if isinstance(clusters, str) else None}
        read, common = self._read(scored, named, options, comparing=True)
        self.check_scored(read, options)
        total = len(next(iter(read.values())))
        complete = references if len(references) == total else None
        return _System(
            self.statistics(read, options), range(total) if on is None else ids, common.get("clusters"), complete
        )


def _check_lengths(lengths: Mapping[str, int]) -> None:
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise ValueError(f"got {counted}; all columns must have the same length")


# ---- comparison: rows of systems


class _System(NamedTuple):
    """A system to compare, one row per example."""

    statistics: dict[str, Statistic]
    ids: Any
    clusters: list[Any] | None
    references: list[Any] | None
    """None if they are not among its columns."""

    def take(self, order: Any) -> "_System":
        """Return its rows in another order, an array of indices."""
        statistics = {name: statistic.take(order) for name, statistic in self.statistics.items()}
        indices = order.tolist()
        ids, clusters, references = (
            rows and [rows[index] for index in indices] for rows in (self.ids, self.clusters, self.references)
        )
        return _System(statistics, ids, clusters, references)


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _check_systems(systems: Any, baseline: str | None, resamples: Any, margin: Any, level: float) -> str:
    """Check the arguments of `compare` and return the name of the baseline."""
    if not isinstance(systems, Mapping) or len(systems) < 2:  # noqa: PLR2004
        count = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
        raise ValueError(f"systems must map two names or more to their columns, got {count}")
    for name in systems:
        if not isinstance(name, str):
            raise ValueError(f"systems are named by strings, not by {name!r} ({type(name).__name__})")
    first = next(iter(systems)) if baseline is None else baseline
    if not isinstance(first, str) or first not in systems:
        raise ValueError(f"baseline={baseline!r} is not one of the systems {', '.join(systems)}")
    if not _is_int(resamples) or resamples < 1:
        raise ValueError(f"resamples must be an int of at least 1, got {resamples!r}")
    if margin is not None:
        if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 < margin <= 1:
            raise ValueError(f"margin must be a number above 0 and at most 1, got {margin!r}")
        if level <= 0.5:  # noqa: PLR2004  # two one-sided tests use the interval at 2 * level - 1
            raise ValueError(f"with margin, confidence_level must be above 0.5, got {level!r}")
    return first


def _check_references(systems: Mapping[str, _System], places: list[str] | None) -> None:
    """Raise a `ValueError` for the first row in which the references of a system are not those of the others.

    Args:
        systems: The systems, with rows in the same order.
        places: What the rows are called in the message; None if they were matched by position.
    """
    named = {name: list(map(_plain_references, one.references)) for name, one in systems.items() if one.references}
    for name, found in named.items():
        first, expected = next(iter(named.items()))
        if found != expected:
            row = next(index for index, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other)
            raise ValueError(
                f"the references of {places[row] if places else f'row {row}'} differ: {show(found[row])} of {name}, "
                f"{show(expected[row])} of {first}; compare systems on the same examples"
                + ("" if places else ", or match rows by on= with the name of a column of ids")
            )


def _plain_references(value: Any) -> Any:
    """Return the references of a row as a list, None if they are missing."""
    if isinstance(value, str):
        return [value]
    if is_missing(value):
        return None
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, (list, tuple)) else value


def _common_clusters(systems: Mapping[str, _System]) -> list[Any] | None:
    """Return the clusters of the rows, which must be the same in all systems that have them."""
    named = {name: system.clusters for name, system in systems.items() if system.clusters is not None}
    labels = next(iter(named.values()), None)
    for name, found in named.items():
        if labels is not None and found != labels:
            wrong = sum(one != other for one, other in zip(found, labels, strict=True))
            raise ValueError(f"{rows_have(wrong, name)} a different cluster than in the systems before")
    return labels


# ---- documentation


def _common_outputs(main: str) -> dict[str, Output]:
    labeled = {
        f"{main}_corrected": ("float, 0 to 1, or None", "Estimate of the mean human label over all examples"),
        f"{main}_corrected_confidence_interval": ("tuple of two floats", "Its interval"),
        "labels": ("int", "Number of human labels"),
        "label_mean": ("float, 0 to 1, or None", "Their mean"),
        "agreement": ("float, 0 to 1, or None", "Share of labeled examples that the metric and people call the same"),
        "kappa": ("float, -1 to 1, or None", "Cohen's kappa: agreement beyond chance"),
        "sensitivity": ("float, 0 to 1, or None", "Share of what people call right that the metric calls right"),
        "specificity": ("float, 0 to 1, or None", "Share of what people call wrong that the metric calls wrong"),
    }
    return {
        "clusters": Output("int", "Number of clusters; with `clusters` only."),
        "signature": Output("str", "One line with everything that can change a score; with `return_signature` only."),
        **{name: Output(kind, f"{text}; with `human_labels` only.") for name, (kind, text) in labeled.items()},
    }


def _copy_function(function: Any) -> Any:
    """Copy a function, so that each metric can have its own signature."""
    copied = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__kwdefaults__, copied.__doc__ = function.__kwdefaults__, function.__doc__
    copied.__qualname__ = function.__qualname__
    return copied
