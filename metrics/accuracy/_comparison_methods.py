# Vendored: edit metrics/_shared/_comparison_methods.py and run `make vendor`.
"""The methods `compare` and `label_sample`, and the correction by human labels."""

import reprlib
from collections import Counter
from collections.abc import Mapping
from typing import Any
from typing import TypeAlias

import numpy as np

from ._columns import is_missing
from ._comparison import Comparison
from ._comparison import compare_statistics
from ._human_labels import correct_score
from ._score_intervals import row_scores
from ._statistics import Statistic
from ._tabular import column_names
from ._tabular import get_column
from ._tabular import has_column
from ._tabular import iterate_shards
from ._tabular import plain_values
from ._user_warnings import warn

_Read: TypeAlias = tuple[dict[str, Any], list[Any] | None, list[Any] | None]
"""Per-example columns, ids and clusters."""
_MAX_SHOWN = 5
_MIN_SYSTEMS = 2


class ComparisonMethods:
    """Part of `ScoringMetric`: comparing systems and sampling rows for human labels."""

    def compare(
        self: Any,
        systems: Mapping[str, Any],
        baseline: str | None = None,
        on: str | None = None,
        clusters: Any = None,
        confidence_level: float = 0.95,
        resamples: int = 10_000,
        bootstrap_seed: int = 0,
        margin: float | None = None,
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
            **options: The options of `compute`.

        Returns:
            `baseline`, `score` (the main one), `total`, `clusters` (their number), `confidence_level`, `signature`, and
            `systems`: for each its scores and their intervals, and for all but the baseline `difference`,
            `difference_confidence_interval`, `p_value`, `adjusted_p_value` (Holm), `test`, `wins`, `losses`, `ties`,
            `left_out`, `minimum_detectable_difference`: each a value, or a mapping by score if the metric has several.
            All are plain Python values.

        Raises:
            TypeError: For an unknown option.
            ValueError: For fewer than two systems, rows that do not match, fewer than two clusters, or a bad value.
        """
        given = {**options, "return_confidence": True, "return_details": False}
        given |= {"confidence_level": confidence_level, "bootstrap_seed": bootstrap_seed}
        resolved = self.resolve_options(self._mask_secrets(given))
        names = self._check_systems(systems, baseline, resamples, margin, resolved.confidence_level)
        read = {name: self._read_system(name, systems[name], on, clusters, given, resolved) for name in names}
        order, labels = self._align(read, names[0], on)
        if clusters is not None and not isinstance(clusters, str):
            labels = self._check_common("clusters", clusters)["clusters"]
            self.check_lengths({f"rows of {names[0]}": order[names[0]], "clusters": labels})
        statistics: dict[str, dict[str, Statistic]] = {}
        for name, (columns, _, _) in read.items():
            self.check_scored(columns, resolved)
            found = self.statistics(columns, resolved)
            keys = self.compared_scores or tuple(found)
            statistics[name] = {key: found[key].take(order[name]) for key in keys}
        if len(order[names[0]]) == 0:
            warn(f"{self.label} got no examples: all scores are 0.0")
        if labels is not None:
            self.count_clusters(labels)
        main = self.main_score if self.main_score in statistics[names[0]] else next(iter(statistics[names[0]]))
        try:
            result = compare_statistics(
                {name: statistics[name] for name in systems},
                baseline=names[0],
                main_score=main,
                clusters=labels,
                level=resolved.confidence_level,
                method=getattr(resolved, "confidence_method", "wilson"),
                resamples=int(resamples),
                seed=resolved.bootstrap_seed,
                margin=margin,
            )
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None
        try:
            result["signature"] = self._signature(resolved)
        except ValueError:
            if resolved.return_signature:
                raise
        return result

    def label_sample(self: Any, scored: Any, n: int, seed: int = 0, **options: Any) -> list[int]:
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
        resolved = self.resolve_options(self._mask_secrets({**options, "return_details": False}))
        columns, _ = self.read_scored(scored, {}, resolved, comparing=True)
        statistics = self.statistics(columns, resolved)
        scores = row_scores(statistics.get(self.main_score) or next(iter(statistics.values())))
        present = np.flatnonzero(~np.isnan(scores))
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 0 <= n <= len(present):
            raise ValueError(
                f"{self.label}: n must be an int from 0 to {len(present)}, the number of rows with a score; got {n!r}"
            )
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise ValueError(f"{self.label}: seed must be an int of at least 0, got {seed!r}")
        chosen = np.random.default_rng(seed).choice(present, int(n), replace=False)
        return sorted(chosen.tolist())

    def correct(
        self: Any, statistics: Mapping[str, Statistic], labels: list[Any], clusters: list[Any] | None, level: float
    ) -> dict[str, Any]:
        """Return the result keys that human labels add.

        Args:
            statistics: The statistics of the scores by name, one row per example.
            labels: A human label in [0, 1] for each row; None for unlabeled rows.
            clusters: The cluster of each row, or None.
            level: The confidence level, strictly between 0 and 1.

        Raises:
            ValueError: For fewer than two clusters.
        """
        key = self.main_score if self.main_score in statistics else next(iter(statistics))
        try:
            found = correct_score(row_scores(statistics[key]), labels, level=level, clusters=clusters)
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None
        for message in found.warnings:
            warn(f"{self.label}: {message}")
        return {
            f"{key}_corrected": found.corrected,
            f"{key}_corrected_confidence_interval": found.interval,
            "agreement": found.agreement,
            "kappa": found.kappa,
            "sensitivity": found.sensitivity,
            "specificity": found.specificity,
            "labels": found.labels,
            "label_mean": found.label_mean,
        }

    def _check_systems(
        self: Any, systems: Any, baseline: str | None, resamples: int, margin: float | None, level: float
    ) -> list[str]:
        """Return the names of the systems, the baseline first, or raise a `ValueError`."""
        if not isinstance(systems, Mapping) or len(systems) < _MIN_SYSTEMS:
            count = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
            raise ValueError(f"{self.label}: systems must map two names or more to their columns, got {count}")
        for name in systems:
            if not isinstance(name, str):
                raise ValueError(f"{self.label}: systems are named by strings, not by {name!r} ({type(name).__name__})")
        first = next(iter(systems)) if baseline is None else baseline
        if not isinstance(first, str) or first not in systems:
            raise ValueError(f"{self.label}: baseline={baseline!r} is not one of the systems {', '.join(systems)}")
        if isinstance(resamples, bool) or not isinstance(resamples, (int, np.integer)) or resamples < 1:
            raise ValueError(f"{self.label}: resamples must be an int of at least 1, got {resamples!r}")
        if margin is not None:
            if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 < margin <= 1:
                raise ValueError(f"{self.label}: margin must be a number above 0 and at most 1, got {margin!r}")
            if level <= 0.5:  # noqa: PLR2004  # two one-sided tests use the interval at 2 * level - 1
                raise ValueError(f"{self.label}: with margin, confidence_level must be above 0.5, got {level!r}")
        return [first, *(name for name in systems if name != first)]

    def _read_system(
        self: Any, name: str, columns: Any, on: str | None, clusters: Any, given: Mapping[str, Any], options: Any
    ) -> _Read:
        """Return per-example columns, ids and clusters of a system; raw columns are scored first."""
        kept = [column for column in (on, clusters) if isinstance(column, str)]
        keys = [f"{self.label}_{key}" for key in self.column_types(options)]
        shards, ids = [], []
        try:
            for shard in iterate_shards(columns):
                if on is not None:
                    ids += plain_values(on, get_column(shard, on, "on= names a column of ids"))
                if any(has_column(shard, key) for key in keys):
                    shards.append(shard)
                else:
                    scored = self.score_batch(shard, **given)
                    passed_on = {column: shard[column] for column in kept if has_column(shard, column)}
                    shards.append({column: scored[column] for column in column_names(scored)} | passed_on)
            named = clusters if isinstance(clusters, str) else None
            read, common = self.read_scored(shards, {"clusters": named}, options, comparing=True)
        except ValueError as error:
            raise ValueError(_prefix_system(name, self.label, error)) from None
        return read, ids if on is not None else None, common.get("clusters")

    def _align(
        self: Any, read: Mapping[str, _Read], first: str, on: str | None
    ) -> tuple[dict[str, Any], list[Any] | None]:
        """Return the row order that aligns each system with the baseline, and the clusters in that order."""
        lengths = {name: len(next(iter(columns.values()))) for name, (columns, _, _) in read.items()}
        order = {name: np.arange(length) for name, length in lengths.items()}
        if on is None:
            if len(set(lengths.values())) > 1:
                shown = ", ".join(f"{name} {length}" for name, length in lengths.items())
                raise ValueError(
                    f"{self.label}: the systems have different numbers of rows ({shown}); give the same examples in "
                    "the same order, or on= with the name of a column of ids"
                )
        else:
            rows = {name: self._rows_by_id(name, on, ids, lengths[name]) for name, (_, ids, _) in read.items()}
            for name in read:
                unmatched = {
                    f"{side} are not in {other}": [id_ for id_ in rows[side] if id_ not in rows[other]]
                    for side, other in ((first, name), (name, first))
                }
                problems = [
                    f"{len(ids)} of the {on} of {where}: {_some(ids)}" for where, ids in unmatched.items() if ids
                ]
                if problems:
                    raise ValueError(f"{self.label}: {'; '.join(problems)}")
                order[name] = np.array([rows[name][id_] for id_ in rows[first]], dtype=np.int64)
        labels: list[Any] | None = None
        for name, (_, _, clusters) in read.items():
            if clusters is None:
                continue
            aligned = [clusters[index] for index in order[name].tolist()]
            if labels is not None and aligned != labels:
                wrong = sum(ours != theirs for ours, theirs in zip(aligned, labels, strict=True))
                raise ValueError(
                    f"{self.label}: {_rows_have(wrong, name)} a different cluster than in the systems before"
                )
            labels = aligned
        return order, labels

    def _rows_by_id(self: Any, name: str, on: str, ids: list[Any] | None, length: int) -> dict[Any, int]:
        ids = ids or []
        try:
            counts = Counter(ids)
        except TypeError:
            raise ValueError(
                f"{self.label}: {on} of {name} contains values that cannot be ids, such as lists"
            ) from None
        missing = sum(map(is_missing, ids))
        if missing or len(ids) != length:
            raise ValueError(f"{self.label}: {_rows_have(missing or abs(length - len(ids)), name)} no {on}")
        repeated = [id_ for id_, count in counts.items() if count > 1]
        if repeated:
            raise ValueError(
                f"{self.label}: {len(repeated)} of the {on} of {name} occur more than once: {_some(repeated)}; for "
                "several samples of one question, give each an id and the question as clusters="
            )
        return {id_: index for index, id_ in enumerate(ids)}


def _rows_have(number: int, name: str) -> str:
    return f"1 row of {name} has" if number == 1 else f"{number} rows of {name} have"


def _some(values: list[Any]) -> str:
    shown = ", ".join(map(reprlib.repr, values[:_MAX_SHOWN]))
    return shown + (", ..." if len(values) > _MAX_SHOWN else "")


def _prefix_system(name: str, label: str, error: ValueError) -> str:
    """Insert the name of the system after the metric's name in an error message."""
    return f"{label}: systems[{name!r}]: {str(error).removeprefix(f'{label}: ')}"
