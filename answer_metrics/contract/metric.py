"""The public methods of a metric: two steps from inputs to a result, and the analyses of scored rows.

`compute` (`evaluate_module.py`) runs both steps; `score_batch` and `aggregate` run them separately, so that shards can
be scored anywhere. `compare`, `repeats` and the other analyses do the second step on the same rows (`analysis.py`).
"""

import contextlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pyarrow as pa

from answer_metrics.columns.storage import stored_schema
from answer_metrics.columns.tables import as_batch, check_order
from answer_metrics.contract.analysis import Comparison, compare_systems, draw_rows, plan_comparison, summarize_repeats
from answer_metrics.contract.definition import Definition
from answer_metrics.contract.scored_rows import read_rows, read_system, score_table, summarize_rows
from answer_metrics.core.messages import prefix_errors
from answer_metrics.core.results import Result

VERSION = "0.3.0"
"""The version of all metrics; part of every signature. evaluate's loader hashes the code to decide whether a cached
copy is current, and a release changes that hash by this line."""


class Metric(Definition):
    """A metric without evaluate: score, aggregate, compare."""

    version: ClassVar[str] = VERSION

    def score_batch(
        self, batch: Any, columns: Mapping[str, str] | None = None, keep: Sequence[str] = (), **options: Any
    ) -> Any:
        """Score each example of a batch: the first step of `compute`; `aggregate` is the second.

        Works with `Dataset.map(metric.score_batch, batched=True)`, `IterableDataset.map` and Ray Data's `map_batches`.

        Args:
            batch: Columns by name: a mapping, a table of Arrow, pandas, polars or DuckDB, or a list of rows.
            columns: The names of input columns that differ in the batch, as in `{"predictions": "output"}`.
            keep: Columns of the batch to return unchanged, such as the ids by which `compare` matches rows.
            **options: The options of `compute`.

        Returns:
            The kept columns, and new ones, whose names begin with that of the metric and whose types `schema` gives:
            nested details are JSON strings, missing numbers are NaN. An Arrow table, a record batch, or a frame of
            pandas or polars if the batch is one, else a mapping of lists.

        Raises a `ValueError` for bad input, a missing column, a column named twice, or a bad value of an option.
        """
        options = self.mask(options)
        resolved = self.resolve_options(options)
        with prefix_errors(self.name):
            return score_table(self, as_batch(batch), columns, keep, resolved)

    def schema(self, **options: Any) -> pa.Schema:
        """Return the names and types of the columns that `score_batch` adds, for Spark, Dask and polars.

        `clusters` and `human_labels`, which are passed on, are not listed.
        """
        resolved = self.resolve_options(self.mask(options))
        return stored_schema(self.columns_of(resolved), f"{self.name}_")

    def aggregate(
        self, columns: Any, *, clusters: Any = None, human_labels: Any = None, by: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Turn per-example columns into the result of `compute`: its second step.

        Args:
            columns: The output of `score_batch`: a mapping of columns, a list of rows, a `Dataset`, a data frame, an
                Arrow table or Ray Data's `Dataset`; or a list or an iterator of shards, read one at a time. Scores do
                not depend on the order of examples; lists follow it.
            clusters: The name of a column in `columns`, or one value per example.
            human_labels: The same for human labels.
            by: The same for groups of examples, such as subjects: strings or integers.
            **options: The options of `compute`, the same as for `score_batch`.

        Returns:
            The result of `compute` on the same examples. `by` makes it a `Result` with `groups`, each with its main
            score, its interval (None if unknown) and `total`; and with `<score>_macro`, the mean of the groups' scores.

        Raises a `ValueError` for a missing column, columns of different lengths, values (not names) for a table that
        does not keep the order of its rows, or a bad value of an option.
        """
        options = self.mask(options)
        resolved = self.resolve_options(options)
        with prefix_errors(self.name):
            scored = read_rows(self, columns, {"clusters": clusters, "human_labels": human_labels, "by": by}, resolved)
        return summarize_rows(self, scored, resolved)

    def compare(
        self,
        systems: Mapping[str, Any],
        baseline: str | None = None,
        on: str | None = None,
        clusters: Any = None,
        confidence_level: float | None = None,
        resamples: int = 10_000,
        bootstrap_seed: int | None = None,
        margin: float | None = None,
        columns: Mapping[str, str] | None = None,
        by: str | None = None,
        human_labels: str | None = None,
        repeats: bool = False,  # as `compute`, which has options of that kind
        missing: str = "error",
        **options: Any,
    ) -> Result:
        """Compare systems with a baseline, or all with each other, on the same examples.

        Args:
            systems: At least two systems by name, each in a form that `aggregate` takes, or as raw columns, which
                are scored first.
            baseline: The system that the others are compared with; by default the first. "all" compares the main
                score of all pairs.
            on: The name of an id column by which rows are matched; by default they are matched by position, in tables
                that keep the order of their rows.
            clusters: The name of a column, or one value per row of the baseline: rows that depend on each other, such
                as questions about one document.
            confidence_level: The level of all intervals; 1 minus it is the significance level. None: as loaded (0.95).
            resamples: Number of random swaps in a permutation test that cannot enumerate all.
            bootstrap_seed: Seed of the random swaps. None: as loaded (0).
            margin: Largest difference that does not matter; adds `noninferior` and `equivalent`.
            columns: The names of input columns that differ, as in `score_batch`.
            by: The name of a column of groups, such as subjects; needs a baseline. Adds `groups`.
            human_labels: The name of a column: human judgments of a random sample of rows, best of the same ones in
                all systems, 0 to 1, None for the others. Not with `repeats` or `missing`.
            repeats: Whether `on` is a question of which each system has several samples, whose means are compared.
            missing: Rows that only some systems have are an "error", "wrong" (the worst score), or left out: "ignore".
            **options: The options of `compute`.

        Returns:
            `baseline`, `score` (the main one), `total`, `clusters` (their number), `confidence_level`, `signature`, and
            `systems`: for each its scores and their intervals, and for all but the baseline `difference`,
            `difference_confidence_interval`, `p_value`, `adjusted_p_value` (Holm), `test`, `wins`, `losses`, `ties`,
            `left_out`, `minimum_detectable_difference`: each a value, or a mapping by score if the metric has several.
            With baseline="all", these are in `pairs`, with `system` and `baseline`, and each system has a `rank` and
            its interval. `groups` has these keys, and `total`, for each group and system. `human_labels` adds
            `<score>_corrected` and `labels` to systems, and `corrected_difference`, `corrected_p_value` and
            `adjusted_corrected_p_value` to comparisons. `repeats` adds `samples` (least and most of a question),
            `missing` the number of missing rows. Differences are on the scale of the score; a win is a better row; an
            unknown interval is None.

        Raises a `ValueError` for rows or references that do not match, fewer than two clusters, or a bad value.
        """
        own = {"confidence_level": confidence_level, "bootstrap_seed": bootstrap_seed}
        options |= {name: value for name, value in own.items() if value is not None}
        options = self._row_options(options)
        resolved = self.resolve_options(options)
        request = Comparison(baseline, on, clusters, resamples, margin, columns, by, human_labels, repeats, missing)
        return self._signed(compare_systems(self, systems, request, resolved), resolved)

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
            on: The name of the column that identifies the question.
            k: For pass@k (at least one of k samples is right) and pass^k (all k are) of scores that are 0 or 1; by
                default those of 1, 5 and 10 that every question has. In `ranked_retrieval`, its own option.
            answers: The name of a column of answers, which adds `majority@n`; only `accuracy` knows which are equal.
            clusters: The name of a column, the same for all samples of a question: questions that depend on each other.
            **options: The options that the rows were scored under.

        Returns:
            `questions` (their number), `samples` (least and most of a question), the mean over questions of their mean
            scores (avg@n) under the name of the main score, `pass@k`, `pass^k`, and `majority@n`, the mean score of
            each question's most frequent answer; each with its interval over questions. `variance_between` questions,
            `variance_within` a question, and `removable_share`, the share of the variance of the mean that more samples
            could remove; None if unknown. `confidence_level` and `signature`.

        Raises a `ValueError` for a pooled score, one sample of each question, too large a k, or a bad value.
        """
        if "k" in self.options and k is not None:  # a metric of its own k has no scores that are right or wrong
            options, k = {**options, "k": k}, None
        options = self._row_options(options)
        resolved = self.resolve_options(options)
        result = summarize_repeats(self, scored, resolved, on=on, k=k, answers=answers, clusters=clusters)
        return self._signed(result, resolved)

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
        options = self._row_options(options)
        systems = {"scored": scored} | ({} if second is None else {"second": second})
        plan = {"difference": difference, "power": power}
        return plan_comparison(self, systems, self.resolve_options(options), on=on, clusters=clusters, **plan)

    def row_scores(self, scored: Any, **options: Any) -> list[float | None]:
        """Return the main score of each row of `scored` on its own; None if it has none. Arguments as in `repeats`."""
        options = {**self.mask(options), "return_details": False}
        resolved = self.resolve_options(options)
        with prefix_errors(self.name):
            statistics = read_system(self, scored, {}, resolved).statistics
        scores = statistics[self.main_of(statistics)].row_scores.tolist()
        return [None if math.isnan(score) else score for score in scores]

    def label_sample(self, scored: Any, n: int, seed: int = 0, **options: Any) -> list[int]:
        """Return the indices of rows that people should label for `human_labels`, ascending: a random sample.

        Rows picked because they look odd or come first would bias the correction. To compare systems, label the same
        rows of all of them.

        Args:
            scored: The output of `score_batch`, in any form that `aggregate` takes and that keeps the order of rows.
            n: Number of rows, at most that of the rows with a score: the others are not drawn.
            seed: Seed of the draw.
            **options: The options that the rows were scored under.
        """
        with prefix_errors(self.name):
            check_order(scored, "scored", "; write them to files, or sort them, first")
            return draw_rows(self.row_scores(scored, **options), n, seed)

    @staticmethod
    def draw(saved: Mapping[str, Any]) -> Result:
        """Return a result of `compare`, `repeats` or `aggregate(by=...)` that was read from a pickle or from JSON."""
        return Result(saved)

    def _row_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return masked options for an analysis of rows, which always has intervals and needs no details."""
        return {**self.mask(options), "return_confidence": True, "return_details": False}

    def _signed(self, result: Result, options: Any) -> Result:
        with contextlib.suppress(ValueError):  # if the signature was asked for, it was checked before
            result["signature"] = self.signature(options)
        return result
