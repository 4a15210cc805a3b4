# Vendored: edit metrics/_shared/_buffering.py and run `make vendor`.
"""Buffering of examples from `add` and `add_batch` in evaluate's Arrow file."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING
from typing import Any
from typing import ClassVar

import datasets
import pyarrow as pa

from ._columns import InputColumn
from ._tabular import plain_list

if TYPE_CHECKING:
    from evaluate import Metric as _Base
else:
    _Base = object


def positional_error(label: str, method: str, inputs: Mapping[str, InputColumn]) -> TypeError:
    """Return the error for positional arguments, which shows the correct call."""
    shown = ", ".join(f"{name}=..." for name, column in inputs.items() if not column.optional)
    return TypeError(f"{label}: {method} takes keyword arguments only: metric.{method}({shown})")


class BufferedInputs(_Base):
    """Checks input columns and buffers added batches for the next `compute`."""

    inputs: ClassVar[Mapping[str, InputColumn]]

    @property
    def label(self) -> str:
        """The name of the metric: the name of its script."""
        return type(self).__module__.rpartition(".")[2]

    # Attributes of evaluate.Metric that are used here.
    writer: Any
    buf_writer: Any
    data: Any
    filelocks: Any
    file_paths: Any
    selected_feature_format: Any
    _buffered: tuple[str, ...] | None = None
    """The inputs that are being buffered; None before the first batch."""

    @classmethod
    def required_inputs(cls) -> list[str]:
        """List the inputs that every call needs."""
        return [name for name, column in cls.inputs.items() if not column.optional]

    @classmethod
    def feature_alternatives(cls) -> list[datasets.Features]:
        """Return the `Features` that the metric declares to evaluate: references as strings, or as lists of strings."""
        required = cls.required_inputs()
        first = datasets.Features({name: cls.inputs[name].features[0] for name in required})
        last = datasets.Features({name: cls.inputs[name].features[-1] for name in required})
        return [first] if first == last else [first, last]

    def _feature_names(self) -> list[str]:
        return list(self._buffered or self.required_inputs())

    def takes_arrow(self, options: Any) -> bool:
        """Return whether `score_columns` also accepts Arrow arrays; it may return them under any options."""
        return False

    def check_inputs(self, given: Mapping[str, Any], *, as_arrow: bool = False) -> dict[str, Any]:
        """Check whole columns: types, values and lengths.

        Args:
            given: A column in any supported container for each input.
            as_arrow: Keep Arrow string arrays as they are, and convert long lists of strings to Arrow.

        Raises:
            ValueError: Names the metric, the argument, the index and what was found.
        """
        columns = {}
        for name, column in self.inputs.items():
            if column.optional and given.get(name) is None:
                continue
            arrow = column.arrow_strings(given.get(name)) if as_arrow else None
            if arrow is not None:
                columns[name] = arrow
                continue
            try:
                columns[name] = column.check(name, plain_list(name, given.get(name)))
            except ValueError as error:
                raise ValueError(f"{self.label}: {error}") from None
        return self.check_lengths(columns)

    def check_lengths(self, columns: dict[str, Any]) -> dict[str, Any]:
        """Return the columns, or raise a `ValueError` that counts them if their lengths differ."""
        lengths = {name: len(values) for name, values in columns.items()}
        if len(set(lengths.values())) > 1:
            counted = ", ".join(f"{length} {name}" for name, length in lengths.items())
            raise ValueError(f"{self.label}: got {counted}; all columns must have the same length")
        return columns

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
            raise TypeError(
                f"{self.label}: add takes keyword arguments only: metric.add(prediction=..., reference=...)"
            )
        for value, plural in ((prediction, "predictions"), (reference, "references")):
            if value is not None and plural in inputs:
                raise ValueError(f"{self.label}: got {plural[:-1]} and {plural}: give one of them")
        given = self._known_inputs({"predictions": prediction, "references": reference, **inputs})
        # A None label means that nobody judged this example; for any other input None means that it was not given.
        columns = self.check_inputs(
            {
                name: None
                if value is None and self.inputs[name].optional and not self.inputs[name].allow_missing
                else [value]
                for name, value in given.items()
            }
        )
        table = self._to_table(columns)
        self._open_writer(columns)
        self.writer.write_row(table)

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
            raise positional_error(self.label, "add_batch", self.inputs)
        given = {"predictions": predictions, "references": references, **inputs}
        self._store(self.check_inputs(self._known_inputs(given), as_arrow=True))

    def _known_inputs(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in given:
            if name not in self.inputs:
                raise ValueError(f"{self.label} has no input {name!r}; its inputs are {', '.join(self.inputs)}")
        return given

    def _open_writer(self, columns: Mapping[str, list[Any]]) -> None:
        if self.writer is None:
            self._buffered = tuple(name for name in self.inputs if name in columns)
            self.selected_feature_format = datasets.Features(
                {name: self.inputs[name].features[-1] for name in self._buffered}
            )
            try:
                self._init_writer()
            except OSError as error:
                raise OSError(
                    f"{self.label}: cannot write to {self.data_dir}, where evaluate keeps what is added ({error}); "
                    "load the metric with keep_in_memory=True, or set HF_HOME to a writable folder"
                ) from error
        elif self._buffered is not None and set(columns) != set(self._buffered):
            extra = ", ".join(sorted(set(columns) ^ set(self._buffered)))
            raise ValueError(f"{self.label}: give {extra} with every batch or with none")

    def _store(self, columns: Mapping[str, list[Any]]) -> None:
        """Write checked columns to evaluate's file as Arrow, several times faster than evaluate's own encoding."""
        if not any(len(values) for values in columns.values()):
            return  # else an empty batch would decide which inputs later batches have
        table = self._to_table(columns)
        self._open_writer(columns)
        self.writer.write_table(table)

    def _to_table(self, columns: Mapping[str, list[Any]]) -> pa.Table:
        kinds = {name: kind for name, kind in self.inputs.items() if name in columns}
        return pa.table({name: kind.to_arrow(columns[name]) for name, kind in kinds.items()})

    def _compute_buffered(self, given: Mapping[str, list[Any]] | None, options: Mapping[str, Any]) -> Any:
        """Score the buffered examples together with `given`; after a failure the buffered examples are kept."""
        added = len(self)
        if given is not None:
            self._store(given)
        self._open_writer(given if given is not None else {name: [] for name in self._feature_names()})
        try:
            result = super().compute(**options)
        except BaseException:
            self._recover(added)
            raise
        self._buffered = None
        return result

    def _recover(self, added: int) -> None:
        """Release evaluate's files and locks after a failure, which evaluate does not do; keep buffered examples."""
        kept = None
        if self.num_process == 1 and self.data is not None:
            kept = {name: self.data[name][:added] for name in self._feature_names()}
        self.data = self.writer = self.buf_writer = None
        for lock, path in zip(self.filelocks or [], self.file_paths or [], strict=True):
            if os.path.exists(path):  # noqa: PTH110  # evaluate keeps its paths as strings
                os.remove(path)  # noqa: PTH107
            lock.release()
        self.filelocks = self.file_paths = None
        self._buffered = None
        if kept is not None and added:
            self._store(kept)
