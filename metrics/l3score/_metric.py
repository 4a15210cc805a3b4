# Vendored: edit metrics/_shared/_metric.py and run `make vendor`.
"""The base class of all metrics: options, the two steps of scoring, results.

`ScoringMetric` is a mixin, not an `EvaluationModule`, because evaluate's loader takes the first `EvaluationModule` in a
script to be the metric. A metric is `class Accuracy(ScoringMetric[Options], evaluate.Metric)` and declares

- `description`, `citation`, `examples`, `reference_urls`: the documentation that evaluate shows;
- `options_type`: a dataclass of options (`_options.py`), `inputs` (`_columns.py`) and `outputs` (`_documentation.py`),
  from which signatures, docstrings, the card's tables and the page are generated;
- `column_types(options)`: the per-example columns of the first step and how they are stored;
- `score_columns(inputs, options)`: the first step, from inputs to per-example columns, row by row;
- `summarize(columns, options)`: the second step, from per-example columns to scalars;
- `statistics(columns, options)`: the scores as functions of column sums, used for intervals and comparisons;
- `signature_fields(options)`: everything that can change a score.
"""

import inspect
import reprlib
from collections.abc import Mapping
from typing import Any
from typing import ClassVar

import evaluate

from ._buffering import positional_error
from ._columns import COMMON_INPUTS
from ._comparison_methods import ComparisonMethods
from ._configuration import OptionsT
from ._documentation import Output
from ._documentation import compute_signature
from ._documentation import copy_function
from ._documentation import corrected_outputs
from ._documentation import describe_arguments
from ._options import option_kinds
from ._pickling import portable
from ._score_intervals import check_clusters
from ._score_intervals import describe_unequal_clusters
from ._score_intervals import score_interval
from ._scored_columns import encode_batch
from ._scored_reading import ScoredColumnReader
from ._statistics import Statistic
from ._statistics import cluster_codes
from ._tabular import has_column
from ._tabular import plain_columns
from ._tabular import value_counts
from ._user_warnings import warn

Columns = dict[str, list[Any]]

OTHER_INPUTS = frozenset({"questions", "relevance"})
"""Inputs that only some metrics have; the others ignore them, so that `evaluate.combine` can send them to all."""
_RENAME = 'If a column has another name, say so: columns={"predictions": "output"}'


class ScoringMetric(ScoredColumnReader[OptionsT], ComparisonMethods):
    """The base class of all metrics, used together with `evaluate.Metric`."""

    description: ClassVar[str]
    citation: ClassVar[str]
    examples: ClassVar[str]
    reference_urls: ClassVar[list[str]]
    outputs: ClassVar[Mapping[str, Output]]
    main_score: ClassVar[str]
    compared_scores: ClassVar[tuple[str, ...]] = ()
    """The scores that `compare` compares; all scores with an interval if empty."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "options_type" not in vars(cls):
            return
        cls.inputs = {**cls.inputs, **COMMON_INPUTS}
        cls.outputs = {**cls.outputs, **corrected_outputs(cls.main_score)}
        cls.options = option_kinds(cls.options_type)
        arguments = describe_arguments(cls.inputs, cls.options, cls.defaults(), cls.outputs)
        cls.inputs_description = f"\n{arguments}\nExamples:\n{cls.examples.strip(chr(10))}\n"
        cls.__doc__ = f"{cls.description.strip()}\n{cls.inputs_description}"
        for name, call in (("_compute", False), ("compute", True)):
            method = copy_function(getattr(cls, name))
            method.__signature__ = compute_signature(cls.inputs, cls.options_type, list(cls.options), call=call)  # type: ignore[attr-defined]
            setattr(cls, name, method)

    def __repr__(self) -> str:
        """Show the metric and its options on one line; evaluate's repr prints the whole usage."""
        options = [
            f"{name}={reprlib.repr(value)}" for name, value in self._loaded_options.items() if name not in self.secrets
        ]
        call = f"{self.label}({', '.join(options)})"
        return f"<metric {call}, {len(self)} examples added; help() lists its inputs and options>"

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=self.description,
            citation=self.citation,
            inputs_description=self.inputs_description,
            features=self.feature_alternatives(),
            reference_urls=self.reference_urls,
        )

    # ---- the two steps

    def compute(
        self, *args: Any, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Score the given examples together with those added before.

        Args:
            *args: Not supported: arguments must be given by name.
            predictions: The predictions; omit them if all examples were added by `add` or `add_batch`.
            references: The references.
            **kwargs: Any other input of the metric, and its options.

        Returns:
            The result, plain Python values only; with several processes, `None` in all but the first.

        Raises:
            TypeError: For an unknown option.
            ValueError: For bad input or a bad value of an option.

        After an error, examples added before are kept; with several processes, only if nothing was scored yet.
        """
        if args:
            raise positional_error(self.label, "compute", self.inputs)
        kwargs = self._mask_secrets(kwargs)
        given = {"predictions": predictions, "references": references}
        given |= {name: kwargs.pop(name) for name in list(kwargs) if name in self.inputs}
        for name in OTHER_INPUTS - self.inputs.keys():
            kwargs.pop(name, None)
        options = self.resolve_options(kwargs)
        columns = None
        if any(column is not None for column in given.values()):
            columns = self.check_inputs(given, as_arrow=self.takes_arrow(options))
        if self.num_process == 1 and len(self) == 0:
            # Nothing is buffered, so evaluate's file is not needed.
            return self._score_and_summarize(columns or {name: [] for name in self.required_inputs()}, options)
        result: dict[str, Any] | None = self._compute_buffered(columns, vars(options))
        return result

    def _compute(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Score whole columns; evaluate calls this with all buffered examples."""
        bound = inspect.signature(type(self)._compute).bind(self, *args, **kwargs).arguments  # noqa: SLF001
        inputs = {name: bound[name] for name in self.inputs if bound.get(name) is not None}
        options = self.options_type(**{name: bound[name] for name in self.options if name in bound})
        return self._score_and_summarize(inputs, options)

    def _score_and_summarize(self, inputs: Mapping[str, list[Any]], options: OptionsT) -> dict[str, Any]:
        columns = self.score_columns(inputs, options)
        common = {name: inputs[name] for name in COMMON_INPUTS if name in inputs}
        return self._summarize(columns, common, options)

    def _summarize(self, columns: dict[str, Any], common: Mapping[str, list[Any]], options: OptionsT) -> dict[str, Any]:
        if not any(len(column) for column in columns.values()):
            warn(f"{self.label} got no examples: all scores are 0.0")
        summed: Mapping[str, Any] = columns
        if self.aggregates_counts:
            summed = {name: value_counts(columns[name]) for name in self.summary_columns or columns}
        self.check_scored(summed, options)
        result = self.summarize(summed, options)
        clusters, labels = common.get("clusters"), common.get("human_labels")
        if clusters is not None:
            result["clusters"] = self.count_clusters(clusters)
        if options.return_confidence or labels is not None:
            statistics = self.statistics(plain_columns(columns) if common else summed, options)
        if options.return_confidence:
            for name, statistic in statistics.items():
                result[f"{name}_confidence_interval"] = self._interval(statistic, options, clusters)
        if labels is not None:
            result |= self.correct(statistics, labels, clusters, options.confidence_level)
        if options.return_details:
            result |= self.details(plain_columns(columns), options)
        if options.return_signature:
            result["signature"] = self._signature(options)
        return result

    def count_clusters(self, clusters: list[Any]) -> int:
        """Return the number of clusters; raise a `ValueError` for fewer than two, and warn of very unequal ones."""
        codes = cluster_codes(clusters)
        try:
            number = check_clusters(codes)
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None
        if message := describe_unequal_clusters(codes):
            warn(f"{self.label}: {message}")
        return number

    def _interval(self, statistic: Statistic, options: OptionsT, clusters: list[Any] | None) -> tuple[float, float]:
        try:
            return score_interval(
                statistic,
                level=options.confidence_level,
                method=getattr(options, "confidence_method", "wilson"),
                seed=options.bootstrap_seed,
                clusters=clusters,
            )
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None

    @portable
    def score_batch(self, batch: Mapping[str, Any], columns: Mapping[str, str] | None = None, **options: Any) -> Any:
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
        options = self._mask_secrets(options)
        resolved = self.resolve_options(options)
        names = {name: name for name, column in self.inputs.items() if not column.optional or has_column(batch, name)}
        for name, renamed in (columns or {}).items():
            if name not in self.inputs:
                raise ValueError(f"{self.label}: columns names {name!r}; its inputs are {', '.join(self.inputs)}")
            names[name] = renamed
        given = {name: self._get(batch, column, _RENAME) for name, column in names.items()}
        inputs = self.check_inputs(given, as_arrow=self.takes_arrow(resolved))
        scored = self.score_columns(inputs, resolved)
        common = {name: inputs[name] for name in COMMON_INPUTS if name in inputs}
        stored_as = {**self.column_types(resolved), **{name: self.inputs[name].arrow_type for name in common}}
        return encode_batch({**scored, **common}, stored_as, f"{self.label}_", like=batch)

    def aggregate(
        self, columns: Any, *, clusters: Any = None, human_labels: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Turn per-example columns into the result of `compute`: its second step.

        Args:
            columns: The output of `score_batch` for all examples: a mapping of columns, a `Dataset`, a data frame or an
                Arrow table; a list of rows; or a list or an iterator of these tables, one per shard, read one at a
                time. Scalars do not depend on the order of the examples; lists follow it.
            clusters: The name of a column in `columns`, or the values themselves.
            human_labels: The same for human labels.
            **options: The options of `compute`, the same as for `score_batch`.

        Returns:
            The result of `compute` on the same examples.

        Raises:
            TypeError: For an unknown option.
            ValueError: For a missing column, columns of different lengths, or a bad value of an option.
        """
        options = self._mask_secrets(options)
        resolved = self.resolve_options(options)
        scored, common = self.read_scored(columns, {"clusters": clusters, "human_labels": human_labels}, resolved)
        return self._summarize(scored, common, resolved)

    # ---- hooks that each metric implements

    def score_columns(self, inputs: Mapping[str, Any], options: OptionsT) -> Columns:
        """Turn checked inputs into per-example columns; each row depends only on its own inputs."""
        raise NotImplementedError

    def statistics(self, columns: Mapping[str, Any], options: OptionsT) -> dict[str, Statistic]:
        """Return each score that has an interval as a function of column sums."""
        raise NotImplementedError

    def check_scored(self, columns: Mapping[str, Any], options: OptionsT) -> None:
        """Raise a `ValueError` for per-example columns that were scored under other options."""

    def summarize(self, columns: Mapping[str, Any], options: OptionsT) -> dict[str, Any]:
        """Turn per-example columns into the scalars of the result."""
        raise NotImplementedError

    def details(self, columns: Mapping[str, Any], options: OptionsT) -> dict[str, Any]:
        """Return the per-example lists of the result; all columns unless overridden."""
        return dict(columns)
