"""How evaluate loads a metric, collects its examples and runs it in several processes.

`metric.compute(...)` checks its arguments, joins them with the examples added before, and runs the two steps
(`scored_rows.py`). evaluate's own files and locks are used only where several processes exchange examples.
"""

import functools
import hashlib
import inspect
import reprlib
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pyarrow as pa

from answer_metrics.contract.metric import VERSION, Metric
from answer_metrics.contract.scored_rows import score_inputs, summarize_rows
from answer_metrics.core.messages import warn
from answer_metrics.core.options import explicit_signature
from answer_metrics.core.results import count

OTHER_INPUTS = frozenset({"choices", "decided", "predictions", "questions", "references", "relevance", "scores"})
"""Inputs that only some metrics have; the others ignore them, since `evaluate.combine` sends them to all."""
_MAX_TABLES = 1_000
_SINGULAR = {"predictions": "prediction", "references": "reference"}
"""Arguments of `add` whose name differs from that of the input."""
LAYERS = ("columns", "contract", "core", "judge", "matching", "statistics", "text")
"""The packages of the library whose code can change a score."""


@functools.cache
def _code_of(script: str) -> str:
    """Return a hash of the library and of the modules beside a script; "" for a self-contained cached copy.

    `datasets` reuses cached results of equal pickles, and evaluate's own hash leaves out an installed library.
    """
    if not __name__.startswith("answer_metrics."):
        return ""
    folders = [Path(__file__).parents[1] / name for name in LAYERS]
    files = (path for folder in [*folders, Path(script).parent] for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _checkout_warnings(module: str) -> Iterator[str]:
    """Warn of version skew: a script from the checkout in the working directory, with another library installed."""
    library = Path("answer_metrics", "contract", "metric.py")
    is_copied_script = module.startswith("evaluate_modules.") and __name__.startswith("answer_metrics.")
    if is_copied_script and library.is_file() and f'VERSION = "{VERSION}"\n' not in library.read_text("utf-8"):
        yield (
            f"the installed answer_metrics is version {VERSION}, and this checkout has another one: "
            "pip install -e . installs it"
        )


class _BoundMethod(functools.partial[Any]):
    """A bound method that pickles as its object and its name: a fresh process cannot import the function's module."""

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.args[0], self.func.__name__)


class Module(Metric, evaluate.Metric):  # evaluate's loader takes the first of its classes that is not abstract
    """A metric that `evaluate.load` loads: the base class of all metrics."""

    # Attributes of evaluate.Metric that are reset after an error.
    writer: Any
    filelocks: Any
    file_paths: Any

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.declare()
        for message in _checkout_warnings(cls.__module__):
            warn(f"{cls.name}: {message}")
        for name in ("compute", "_compute"):
            base = getattr(cls, name)
            method: Any = types.FunctionType(base.__code__, base.__globals__, name, closure=base.__closure__)
            functools.update_wrapper(method, base)
            method.__signature__ = explicit_signature(cls.inputs, cls.options)
            setattr(cls, name, method)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        of_evaluate = inspect.signature(evaluate.EvaluationModule.__init__).parameters.keys() - {"kwargs"}
        kwargs = self.mask(kwargs)
        arguments = {name: value for name, value in kwargs.items() if name in of_evaluate}
        self._load_arguments = {name: value for name, value in arguments.items() if name != "hash"}
        self._added: list[pa.Table] = []
        self._added_names: list[str] | None = None
        evaluate.Metric.__init__(self, *args, **arguments)
        # evaluate copies methods onto every instance, which would lose the signature that `metric.compute?` shows.
        self.compute.__func__.__signature__ = inspect.signature(type(self).compute)  # type: ignore[attr-defined]
        score_batch = type(self).score_batch
        self.score_batch = functools.update_wrapper(_BoundMethod(score_batch, self), score_batch)  # type: ignore[method-assign]
        Metric.__init__(self, **{name: value for name, value in kwargs.items() if name not in of_evaluate})

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild through `evaluate.load` from the script in evaluate's cache, without added examples and secrets."""
        is_copy = type(self).__module__.startswith("evaluate_modules.")
        load = functools.partial(evaluate.load, inspect.getfile(type(self))) if is_copy else type(self)
        call = functools.partial(load, **self._load_arguments, **self._public_options())
        return call, (), {"_code": _code_of(inspect.getfile(type(self)))}

    def _public_options(self) -> dict[str, Any]:
        return {name: value for name, value in self._loaded_options.items() if name not in self.secrets}

    def __repr__(self) -> str:
        """Return the metric and its options on one line; evaluate's repr prints the whole usage."""
        options = self._public_options()
        call = f"{self.name}({', '.join(f'{name}={reprlib.repr(value)}' for name, value in options.items())})"
        return f"<metric {call}, {count(len(self), 'example')} added; help() lists its inputs and options>"

    def _info(self) -> evaluate.MetricInfo:
        # References as strings, and as lists of strings.
        first, last = (self._features(self.required_inputs(), place) for place in (0, -1))
        return evaluate.MetricInfo(
            description=self.description,
            citation=self.citation,
            inputs_description=self.inputs_description,
            features=[first] if first == last else [first, last],
            reference_urls=self.reference_urls,
        )

    def _features(self, names: list[str], place: int) -> datasets.Features:
        arrow_types = {name: self.inputs[name].arrow_types[place] for name in names}
        return datasets.Features.from_arrow_schema(pa.schema(arrow_types))

    def _positional_error(self, method: str, names: list[str]) -> TypeError:
        arguments = ", ".join(f"{name}=..." for name in names)
        message = f"{self.name}: {method} takes keyword arguments only: metric.{method}({arguments})"
        # Some libraries call again with positional arguments after an error, which would hide that error.
        before = sys.exception()
        is_own = before is not None and str(before).startswith((f"{self.name}: ", f"{self.name} "))
        return TypeError(f"{message}; the previous call failed: {before}" if is_own else message)

    def add(self, *args: Any, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """Add one example to what the next `compute()` scores; other inputs are named as in `compute`.

        Raises a `TypeError` for positional arguments, a `ValueError` for bad input, which keeps what was added before.
        """
        if args:
            raise self._positional_error("add", [_SINGULAR.get(name, name) for name in self.required_inputs()])
        for value, plural in ((prediction, "predictions"), (reference, "references")):
            if value is not None and plural in inputs:
                raise ValueError(f"{self.name}: got {plural[:-1]} and {plural}: give one of them")
        values = self._named(prediction, reference, inputs)
        # None as a human label means that nobody judged this example; otherwise it means that the input is absent.
        absent = {name for name, column in self.inputs.items() if column.optional and not column.allow_missing}
        columns = {name: [value] for name, value in values.items() if value is not None or name not in absent}
        self._store(self.check_inputs(columns))

    def add_batch(self, *args: Any, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """Add a batch of examples to what the next `compute()` scores; errors are those of `add`, and add nothing."""
        if args:
            raise self._positional_error("add_batch", self.required_inputs())
        self._store(self.check_inputs(self._named(predictions, references, inputs), as_arrow=True))

    def _named(self, predictions: Any, references: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return inputs by name; a `ValueError` for one with a value that the metric does not have."""
        answers = {"predictions": predictions, "references": references}
        named = {name: value for name, value in answers.items() if name in self.inputs or value is not None}
        named |= inputs
        self.check_input_names(named, f"{self.name} has no input")
        return named

    def _store(self, columns: Mapping[str, Any]) -> None:
        """Store checked columns for the next `compute`: in memory, or with several processes in evaluate's file."""
        if not any(map(len, columns.values())):
            return  # an empty batch must not decide which inputs later batches have
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
        if extra := ", ".join(sorted({*names} ^ {*(self._added_names or names)})):
            raise ValueError(f"{self.name}: give {extra} with every batch or with none")
        return pa.table({name: self.inputs[name].store(columns[name]) for name in names})

    def _feature_names(self) -> list[str]:  # overrides that of evaluate.Metric
        return self._added_names or self.required_inputs()

    def __len__(self) -> int:
        """Return the number of added examples."""
        return int(super().__len__()) if self.num_process > 1 else sum(table.num_rows for table in self._added)

    def _open_writer(self) -> None:
        if self.writer is not None:
            return
        self.selected_feature_format = self._features(self._feature_names(), -1)
        try:
            self._init_writer()
        except OSError as error:
            raise OSError(
                f"{self.name}: cannot write to {self.data_dir}, where processes exchange examples ({error}); "
                "set HF_HOME to a writable folder"
            ) from error

    def compute(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Score these examples together with those added before.

        Takes the inputs of the metric, none of them if all examples were added before, and its options, by name.
        Returns plain Python values only; with several processes, None in all but the first. Raises a `TypeError` for an
        unknown option, and a `ValueError` for bad input or a bad value of an option: then examples added before are
        kept, with several processes only if nothing was scored yet.
        """
        if args:
            raise self._positional_error("compute", self.required_inputs())
        kwargs = self.mask(kwargs)
        inputs = {name: kwargs.pop(name, None) for name in self.inputs}
        others = [kwargs.pop(name, None) for name in OTHER_INPUTS]
        options = self.resolve_options(kwargs)
        is_arrow, columns = self.takes_arrow(options), None
        if any(column is not None for column in [*inputs.values(), *others]):
            columns = self.check_inputs(inputs, as_arrow=is_arrow)
        if self.num_process > 1:
            return self._compute_with_others(columns, options)
        if self._added:
            tables = [*self._added, self._to_table(columns)] if columns is not None else self._added
            added = pa.concat_tables(tables)
            columns = self.check_inputs({name: added[name] for name in added.column_names}, as_arrow=is_arrow)
        columns = columns or {name: [] for name in self.required_inputs()}
        result = summarize_rows(self, score_inputs(self, columns, options), options)
        self._added, self._added_names = [], None
        return result

    def _compute_with_others(self, columns: Mapping[str, Any] | None, options: Any) -> dict[str, Any] | None:
        """Score the examples of all processes, which exchange them through evaluate's files and locks."""
        if columns is not None:
            self._store(columns)
        self._open_writer()
        try:
            result: dict[str, Any] | None = super().compute(**vars(options))
        except BaseException:  # evaluate would not release its files and locks
            self.data = self.writer = self.buf_writer = None
            for lock, path in zip(self.filelocks or [], self.file_paths or [], strict=True):
                Path(path).unlink(missing_ok=True)
                lock.release()
            self.filelocks = self.file_paths = None
            raise
        finally:
            self._added_names = None
        return result

    def _compute(self, **kwargs: Any) -> dict[str, Any]:
        """Score whole columns; evaluate calls this with the examples of all processes."""
        inputs = {name: kwargs.pop(name, None) for name in self.inputs}
        options = self.options_type(**kwargs)
        return summarize_rows(self, score_inputs(self, self.check_inputs(inputs), options), options)
