# Vendored: edit metrics/_shared/_scoring.py and run `make vendor`.
"""What all metrics share: how data and options come in, the two steps of scoring, and how results leave.

`Scoring` is a mixin, not an `EvaluationModule`: evaluate's loader takes the first `EvaluationModule` that it finds in a
script for the metric itself. A metric is `class Accuracy(Scoring, evaluate.Metric)` and says

- `inputs`: what each column holds, by objects of `_columns.py`;
- `options`: what each option takes, by objects of `_options.py`; defaults stand in the signature of `_compute`;
- `_compute(self, predictions, references, <options>)`, whose body is `return self._run(locals())`;
- `_score(inputs, options)`: texts to per-example columns; each row depends on its own texts only;
- `_aggregate(columns, options)`: per-example columns to the result;
- `_signed(options)`: what can change a score, as pairs of name and value.
"""

import contextlib
import functools
import inspect
import os
import reprlib
import warnings
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING
from typing import Any
from typing import ClassVar
from typing import Protocol

import datasets
import evaluate
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from evaluate import Metric as _Base
else:
    _Base = object


_ROWS_READ = 100_000
"""How many rows of a `Dataset` are read at a time."""


class Column(Protocol):
    """What an input holds (see `_columns.py`)."""

    features: tuple[Any, ...]

    def check(self, name: str, column: list[Any]) -> list[Any]:
        """Return plain values or raise a `ValueError`."""

    def to_arrow(self, column: list[Any]) -> pa.Array:
        """Encode a checked column."""


class Option(Protocol):
    """What an option takes (see `_options.py`)."""

    def check(self, name: str, value: Any) -> Any:
        """Return the value or raise a `ValueError`."""


class Secret(str):
    """A text that does not show itself in a repr, nor so in the variables of a traceback."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


class _BoundMethod(functools.partial[Any]):
    """A method of a metric that pickles as what it is called and whose it is."""

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.args[0], self.func.__name__)


class _Sendable:
    """Decorates a method that is sent to other processes.

    Python pickles a method as an attribute of its object, but cloudpickle and dill, which Ray and `datasets` use, as an
    object and a function from a module; evaluate's modules can't be imported in a fresh process.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        vars(self).update(__name__=function.__name__, __doc__=function.__doc__)

    def __get__(self, metric: Any, _owner: Any = None) -> Callable[..., Any]:
        bound = _BoundMethod(self._function, metric)
        vars(bound).update(vars(self))
        return bound


class Scoring(_Base):
    """The contract of all metrics, on top of `evaluate.Metric`."""

    inputs: ClassVar[Mapping[str, Column]]
    options: ClassVar[Mapping[str, Option]]
    version: ClassVar[str]
    tallies: ClassVar[bool] = False
    """Whether the scalars follow from how often each value occurs per column: then `_aggregate` takes counts as well as
    lists, and `aggregate` needs the memory of one shard for any number of them."""
    secrets: ClassVar[frozenset[str]] = frozenset()
    """Options that are never kept: they are in no pickle, and show in the variables of none of our frames."""

    # evaluate's own attributes that are used here.
    writer: Any
    buf_writer: Any
    data: Any
    filelocks: Any
    file_paths: Any
    selected_feature_format: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs = self._veiled(kwargs)
        parameters = inspect.signature(evaluate.EvaluationModule.__init__).parameters.values()
        known = {parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD}
        self._loading = {name: value for name, value in kwargs.items() if name in known and name != "hash"}
        self._loaded_options: dict[str, Any] = {}
        super().__init__(*args, **{name: value for name, value in kwargs.items() if name in known})
        self._loaded_options = self._checked_options(
            {name: value for name, value in kwargs.items() if name not in known}
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild through `evaluate.load` from the script in evaluate's cache: a fresh process can't import it.

        What has been added but not computed stays behind, as do secrets.
        """
        options = {name: value for name, value in self._loaded_options.items() if name not in self.secrets}
        return functools.partial(evaluate.load, inspect.getfile(type(self)), **self._loading, **options), ()

    @property
    def label(self) -> str:
        """The name of the metric: that of its script."""
        return type(self).__module__.rpartition(".")[2]

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Give the default of every option, from the signature of `_compute`."""
        parameters = inspect.signature(cls._compute).parameters
        return {name: parameters[name].default for name in cls.options}

    @classmethod
    def feature_alternatives(cls) -> list[datasets.Features]:
        """Give what the metric declares to evaluate: references are strings, or lists of strings."""
        first = datasets.Features({name: column.features[0] for name, column in cls.inputs.items()})
        last = datasets.Features({name: column.features[-1] for name, column in cls.inputs.items()})
        return [first] if first == last else [first, last]

    # ---- data and options come in

    def _veiled(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Hide secrets; what is called with options begins with it."""
        return {
            name: Secret(value) if name in self.secrets and isinstance(value, str) else value
            for name, value in options.items()
        }

    def _checked_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check the options that are given; the others are left out."""
        for name in given:
            if name not in self.options:
                raise TypeError(
                    f"{self.label} has no option {name!r}; its options are {', '.join(sorted(self.options))}, and its "
                    f"inputs {', '.join(self.inputs)}"
                )
        return {name: self._named(self.options[name].check, name, value) for name, value in given.items()}

    def _all_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Give every option its value: from this call, else from loading, else the default."""
        options = {**self.defaults(), **self._loaded_options, **self._checked_options(given)}
        if options["return_signature"]:
            self._signature(SimpleNamespace(**options))  # what can't be signed is said before anything is scored
        return options

    def _named(self, check: Any, name: str, value: Any) -> Any:
        try:
            return check(name, value)
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None

    def _checked_inputs(self, given: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Check whole columns: their kind, their values, their lengths."""
        columns = {}
        for name, column in self.inputs.items():
            values = self._named(plain_list, name, given.get(name))
            columns[name] = self._named(column.check, name, values)
        return self._equally_long(columns)

    def _equally_long(self, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
        lengths = {name: len(values) for name, values in columns.items()}
        if len(set(lengths.values())) > 1:
            counted = ", ".join(f"{length} {name}" for name, length in lengths.items())
            raise ValueError(f"{self.label}: got {counted}: there must be as many of one as of the other")
        return columns

    def add(self, *, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """Add one example to what the next `compute()` scores.

        Args:
            prediction: One prediction.
            reference: What is right for it.
            **inputs: Any further input of the metric, by the name that it has in `compute`.

        Raises:
            ValueError: For bad input; what was added before stays.
        """
        for value, plural in ((prediction, "predictions"), (reference, "references")):
            if value is not None and plural in inputs:
                raise ValueError(f"{self.label}: got {plural[:-1]} and {plural}: give one of them")
        columns = self._checked_inputs(self._known_inputs(prediction, reference, inputs, each=True))
        self._open_writer()
        self.writer.write_row(self._to_table(columns))

    def add_batch(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """Add a batch of examples to what the next `compute()` scores.

        Args:
            predictions: The predictions.
            references: What is right for each.
            **inputs: Any further input of the metric.

        Raises:
            ValueError: For bad input; nothing of the batch is added then, what was added before stays.
        """
        self._store(self._checked_inputs(self._known_inputs(predictions, references, inputs, each=False)))

    def _known_inputs(
        self, predictions: Any, references: Any, others: Mapping[str, Any], *, each: bool
    ) -> dict[str, Any]:
        unknown = [name for name in others if name not in self.inputs]
        if unknown:
            raise ValueError(f"{self.label} has no input {unknown[0]!r}; its inputs are {', '.join(self.inputs)}")
        given = {"predictions": predictions, "references": references, **others}
        return {name: [value] for name, value in given.items()} if each else given

    def _open_writer(self) -> None:
        if self.writer is None:
            self.selected_feature_format = self.feature_alternatives()[-1]
            self._init_writer()

    def _store(self, columns: Mapping[str, list[Any]]) -> None:
        """Write checked columns to evaluate's file: Arrow encodes them several times faster than evaluate does."""
        self._open_writer()
        self.writer.write_table(self._to_table(columns))

    def _to_table(self, columns: Mapping[str, list[Any]]) -> pa.Table:
        return pa.table({name: column.to_arrow(columns[name]) for name, column in self.inputs.items()})

    # ---- the two steps

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Score what is given, together with what was added before.

        Args:
            predictions: The predictions; left out where everything was added by `add` or `add_batch`.
            references: What is right for each.
            **kwargs: Any further input of the metric, and its options.

        Returns:
            The result, plain Python values only; `None` in a process other than the first of several.

        Raises:
            TypeError: For an unknown option.
            ValueError: For bad input or a bad value of an option.

        After an error, what was added before stays; with several processes, only if nothing was scored yet.
        """
        kwargs = self._veiled(kwargs)
        others = {name: value for name, value in kwargs.items() if name in self.inputs}
        options = self._all_options({name: value for name, value in kwargs.items() if name not in self.inputs})
        given = {"predictions": predictions, "references": references, **others}
        added = len(self)
        alone = self.num_process == 1 and added == 0
        result: dict[str, Any] | None
        if any(column is not None for column in given.values()):
            columns = self._checked_inputs(given)
            if not alone:
                self._store(columns)
        elif alone:
            columns = {name: [] for name in self.inputs}
        if alone:
            # All data is at hand: no need for evaluate's file.
            result = self._compute(**columns, **options)
            return result
        self._open_writer()
        try:
            result = super().compute(**options)
        except BaseException:
            self._recover(added)
            raise
        return result

    def _recover(self, added: int) -> None:
        """Give evaluate's files and locks back after a failure, which evaluate does not, and keep what was added."""
        kept = None
        if self.num_process == 1 and self.data is not None:
            kept = {name: self.data[name][:added] for name in self.inputs}
        self.data = self.writer = self.buf_writer = None
        for lock, path in zip(self.filelocks or [], self.file_paths or [], strict=True):
            if os.path.exists(path):  # noqa: PTH110  # evaluate keeps its paths as strings
                os.remove(path)  # noqa: PTH107
            lock.release()
        self.filelocks = self.file_paths = None
        if kept is not None and added:
            self._store(kept)

    def _run(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do both steps with the arguments of `_compute`."""
        options = SimpleNamespace(**{name: arguments[name] for name in self.options})
        return self._finish(self._score({name: arguments[name] for name in self.inputs}, options), options)

    def _finish(self, columns: dict[str, list[Any]], options: SimpleNamespace) -> dict[str, Any]:
        if not any(len(column) for column in columns.values()):
            warnings.warn(f"{self.label} got no examples: all scores are 0.0", UserWarning, stacklevel=2)
        result = self._aggregate(columns, options)
        if options.return_signature:
            result["signature"] = self._signature(options)
        return result

    @_Sendable
    def score_batch(
        self, batch: Mapping[str, Any], columns: Mapping[str, str] | None = None, **options: Any
    ) -> dict[str, list[Any]]:
        """Score each example of a batch: the first step of `compute`, as a transform of a dataset.

        `Dataset.map(metric.score_batch, batched=True)`, `IterableDataset.map` and Ray Data's `map_batches` take it as
        it is. `aggregate` turns the new columns of all batches into what `compute` returns.

        Args:
            batch: Columns by name.
            columns: What the inputs are called in the batch, where they are called otherwise, as in
                `{"predictions": "output"}`.
            **options: The options of `compute`.

        Returns:
            New columns, one value per example, whose names begin with the name of the metric.

        Raises:
            TypeError: For an unknown option.
            ValueError: For bad input, a missing column, or a bad value of an option.
        """
        options = self._veiled(options)
        names = {name: name for name in self.inputs}
        for name, called in (columns or {}).items():
            if name not in names:
                raise ValueError(f"{self.label}: columns names {name!r}; its inputs are {', '.join(self.inputs)}")
            names[name] = called
        rename = 'Where a column is called otherwise, say so: columns={"predictions": "output"}'
        given = {name: _column(batch, called, self.label, rename) for name, called in names.items()}
        every = SimpleNamespace(**self._all_options(options))
        return {
            f"{self.label}_{key}": values for key, values in self._score(self._checked_inputs(given), every).items()
        }

    def aggregate(self, columns: Any, **options: Any) -> dict[str, Any]:
        """Turn per-example columns into what `compute` returns: its second step.

        Args:
            columns: What `score_batch` returned, for all examples: a mapping of columns, a `Dataset`, a data frame, an
                Arrow table; or a list or an iterator of these, one per shard, of which one at a time is read.
                Scalars do not depend on the order of the examples, lists follow it.
            **options: The options of `compute`, the same as for `score_batch`.

        Returns:
            The result of `compute` on the same examples.

        Raises:
            TypeError: For an unknown option.
            ValueError: For a missing column, columns of different lengths, or a bad value of an option.
        """
        options = self._veiled(options)
        every = SimpleNamespace(**self._all_options(options))
        counted = self.tallies and not every.return_details
        given: dict[str, Any] = {key: Counter() if counted else [] for key in self._scored(every)}
        rescore = "Give aggregate what score_batch returns, with the same options, return_details among them"
        for shard in _shards(columns):
            read: dict[str, Any] = {}
            for key in given:
                column = _column(shard, name := f"{self.label}_{key}", self.label, rescore)
                read[key] = tally(column) if counted and _is_arrow(column) else _plain_values(name, column)
            self._equally_long(read)
            for key, values in read.items():
                given[key].update(values) if counted else given[key].extend(values)
        return self._finish(given, every)

    def _signature(self, options: SimpleNamespace) -> str:
        """Write down all that can change a score, in sacreBLEU's manner (https://aclanthology.org/W18-6319)."""
        signed = {**self._signed(options), "version": self.version}
        for name, value in signed.items():
            if isinstance(value, bool):
                signed[name] = "yes" if value else "no"
        return "|".join([self.label, *(f"{name}:{value}" for name, value in signed.items())])

    def _warn(self, message: str) -> None:
        warnings.warn(f"{self.label}: {message}", UserWarning, stacklevel=2)

    # ---- what a metric says

    def _score(self, inputs: Mapping[str, list[Any]], options: SimpleNamespace) -> dict[str, list[Any]]:
        raise NotImplementedError

    def _scored(self, options: SimpleNamespace) -> tuple[str, ...]:
        """Name the columns that `_score` returns under these options."""
        raise NotImplementedError

    def _aggregate(self, columns: dict[str, list[Any]], options: SimpleNamespace) -> dict[str, Any]:
        raise NotImplementedError

    def _signed(self, options: SimpleNamespace) -> dict[str, Any]:
        raise NotImplementedError


def tally(column: Any) -> "Counter[Any]":
    """Count how often each value occurs in a column, be it a list, an Arrow array, or counted already."""
    if _is_arrow(column):
        return Counter({pair["values"]: pair["counts"] for pair in pc.value_counts(column).to_pylist()})
    return column if isinstance(column, Counter) else Counter(column)


def _is_arrow(column: Any) -> bool:
    return isinstance(column, (pa.Array, pa.ChunkedArray))


def _plain_values(name: str, column: Any) -> list[Any]:
    return [value.item() if isinstance(value, np.generic) else value for value in plain_list(name, column)]


def _shards(columns: Any) -> Iterable[Any]:
    """Tell many shards from one: those of many come as a list, or cannot be asked for a column."""
    if isinstance(columns, datasets.Dataset):
        # As Arrow it is read piece by piece, and exactly: numpy's and torch's formats round to 32 bits.
        return columns.with_format("arrow").iter(_ROWS_READ) if len(columns) else [columns]
    many = isinstance(columns, (list, tuple)) or (hasattr(columns, "__iter__") and not hasattr(columns, "__getitem__"))
    return columns if many else [columns]


def plain_list(name: str, column: Any) -> list[Any]:
    """Turn a column of any kind into a list of Python values.

    Takes lists, tuples, iterators, numpy arrays, pandas and polars Series, Arrow arrays, columns of `datasets`.

    Raises:
        ValueError: For nothing, for a bare string, for a mapping, a data frame or a set.
    """
    if type(column) is list:
        return column
    if column is None:
        raise ValueError(f"{name} is missing")
    if isinstance(column, (str, bytes)):
        raise ValueError(
            f"{name} is a bare {type(column).__name__}; expected a list with one entry per example (a dataset is "
            "mapped with batched=True)"
        )
    if isinstance(column, (Mapping, set, frozenset)) or hasattr(column, "columns"):  # a data frame iterates its names
        raise ValueError(f"{name} is a {type(column).__name__}; expected a list with one entry per example")
    for convert in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, convert):
            values = getattr(column, convert)()
            break
    else:
        values = column
        if isinstance(column, Sequence):
            # A column of `datasets` reads itself at once by [:], and row by row otherwise; a deque has no [:].
            with contextlib.suppress(TypeError):
                values = column[:]
        values = list(values) if isinstance(values, Iterable) else values
    if not isinstance(values, list):
        raise ValueError(
            f"{name} is {reprlib.repr(column)} ({type(column).__name__}); expected a list with one entry per example"
        )
    return values


def _column(batch: Any, name: str, label: str, hint: str) -> Any:
    try:
        return batch[name]
    except (KeyError, IndexError, TypeError, ValueError):
        known = getattr(batch, "column_names", None) or list(getattr(batch, "keys", list)())
        shown = ", ".join(map(str, known)) or "none"
        raise ValueError(f"{label}: the batch has no column {name!r}; it has {shown}. {hint}") from None
