# Vendored: edit metrics/_shared/_scored_reading.py and run `make vendor`.
"""Reading of per-example columns that `score_batch` returned, shard by shard, from any supported container."""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from itertools import chain
from typing import Any
from typing import ClassVar

from ._columns import COMMON_INPUTS
from ._configuration import ConfiguredMetric
from ._configuration import OptionsT
from ._scored_columns import ColumnType
from ._scored_columns import decode_column
from ._tabular import get_column
from ._tabular import has_column
from ._tabular import is_arrow
from ._tabular import iterate_shards
from ._tabular import plain_list
from ._tabular import plain_values
from ._tabular import value_counts

_NO_SHARD: dict[str, Any] = {}
_RESCORE = "Give aggregate what score_batch returned under the same options, including return_details"


class ScoredColumnReader(ConfiguredMetric[OptionsT]):
    """Part of `ScoringMetric`: reading the input of the second step."""

    summary_columns: ClassVar[tuple[str, ...]] = ()
    """The columns that `summarize` needs; all if empty."""
    compared_columns: ClassVar[tuple[str, ...]] = ()
    """The columns that `statistics` needs; those of `summarize` if empty."""
    aggregates_counts: ClassVar[bool] = False
    """Whether `summarize` and `statistics` also accept a `Counter` of each column's values, so that `aggregate` needs
    the memory of one shard only."""

    def column_types(self, options: OptionsT) -> dict[str, ColumnType]:
        """Name the per-example columns that `score_columns` returns under these options, and their types."""
        raise NotImplementedError

    def read_scored(
        self, columns: Any, given: Mapping[str, Any], options: OptionsT, *, comparing: bool = False
    ) -> tuple[dict[str, Any], dict[str, list[Any]]]:
        """Read the output of `score_batch`, shard by shard.

        Args:
            columns: As in `aggregate`.
            given: For each input of `COMMON_INPUTS` the name of a column, its values, or None.
            options: The options that the columns were scored under.
            comparing: Whether only `statistics` will use the columns, which must then be lists.

        Returns:
            The per-example columns, as lists or, if counts are sufficient, as counters; and the common inputs.

        Raises:
            ValueError: For a missing column, columns of different lengths, or a value that does not fit its column.
        """
        stored_as = self.column_types(options)
        names = self.summary_columns if self.summary_columns and not options.return_details else tuple(stored_as)
        if comparing:
            names = self.compared_columns or names
        shards = iter(self._shards(columns))
        first = next(shards, _NO_SHARD)
        counted = self.aggregates_counts and not comparing and not options.return_details
        counted = counted and not self._has_common(first, given)
        scored: dict[str, Any] = {key: Counter() if counted else [] for key in names}
        common: dict[str, list[Any]] = {}
        for shard in () if first is _NO_SHARD else chain([first], shards):
            read = {key: self._get(shard, f"{self.label}_{key}", _RESCORE) for key in names}
            read = {
                key: column if counted and is_arrow(column) else plain_values(key, column)
                for key, column in read.items()
            }
            extra = self._read_common(shard, given)
            if shard is not first and extra.keys() != common.keys():
                differing = ", ".join(sorted(extra.keys() ^ common.keys()))
                raise ValueError(f"{self.label}: give {differing} with every shard or with none")
            self.check_lengths({**read, **extra})
            for key, column in read.items():
                if counted:
                    scored[key].update(self._count(key, column, stored_as[key]))
                else:
                    scored[key].extend(self._decode(key, column, stored_as[key]))
            for key, column in extra.items():
                common.setdefault(key, []).extend(column)
        for name, source in given.items():
            if source is not None and not isinstance(source, str):
                common |= self._check_common(name, source)
        if not counted:
            self.check_lengths({**scored, **common})
        return scored, common

    def _shards(self, columns: Any) -> Iterable[Any]:
        try:
            return iterate_shards(columns)
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None

    def _count(self, key: str, column: Any, kind: ColumnType) -> "Counter[Any]":
        if not is_arrow(column):
            return value_counts(self._decode(key, column, kind))
        counts = value_counts(column)
        try:
            decode_column(key, list(counts), kind)
        except ValueError:  # decode the rows to report the index
            self._decode(key, plain_values(key, column), kind)
            raise
        return counts

    def _decode(self, key: str, column: list[Any], kind: ColumnType) -> list[Any]:
        try:
            return decode_column(f"{self.label}_{key}", column, kind)
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}. {_RESCORE}") from None

    def _has_common(self, shard: Any, given: Mapping[str, Any]) -> bool:
        if any(source is not None for source in given.values()):
            return True
        return any(has_column(shard, f"{self.label}_{name}") for name in COMMON_INPUTS)

    def _read_common(self, shard: Any, given: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Read clusters and labels from a shard: from the given column, or from those that `score_batch` passed on."""
        columns: dict[str, list[Any]] = {}
        for name in COMMON_INPUTS:
            source = given.get(name)
            passed_on = f"{self.label}_{name}"
            if isinstance(source, str) and not (source == name and has_column(shard, passed_on)):
                columns |= self._check_common(name, self._get(shard, source, f"{name}= names a column"))
            elif (source is None or isinstance(source, str)) and has_column(shard, passed_on):
                columns |= self._check_common(name, shard[passed_on])
        return columns

    def _check_common(self, name: str, values: Any) -> dict[str, list[Any]]:
        try:
            return {name: self.inputs[name].check(name, plain_list(name, values))}
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None

    def _get(self, batch: Any, name: str, hint: str) -> Any:
        try:
            return get_column(batch, name, hint)
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None
