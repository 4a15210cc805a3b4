"""Analyses of scored rows: comparisons of systems, repeated samples, planning, and rows for people to label.

The methods of `Metric` with these names document arguments and results. `options` are resolved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from answer_metrics.columns.tables import check_lengths, check_order
from answer_metrics.contract.definition import Definition
from answer_metrics.contract.scored_rows import check_labelable, count_clusters, read_attribute, read_system, warn_empty
from answer_metrics.core.messages import prefix_errors
from answer_metrics.core.options import is_int, shorten
from answer_metrics.core.results import Result
from answer_metrics.statistics.comparison import check_margin, check_systems, compare, plan_rows
from answer_metrics.statistics.human_labels import correct_comparison
from answer_metrics.statistics.samples import (
    Groups,
    System,
    common_rows,
    compare_groups,
    match_systems,
    summarize_samples,
)
from answer_metrics.statistics.statistic import cluster_codes

MISSING = ("error", "wrong", "ignore", "raise")
"""What `compare` does about rows that a system lacks; "raise" is the old name of "error"."""


@dataclass(frozen=True)
class Comparison:
    """The arguments of `Metric.compare` that say which rows are compared with which, and how."""

    baseline: str | None
    on: str | None
    clusters: Any
    resamples: int
    margin: float | None
    columns: Mapping[str, str] | None
    by: str | None
    human_labels: str | None
    repeats: bool
    missing: str

    def check(self, systems: Mapping[str, Any]) -> str:
        """Return the name of the baseline, or "all"; raise a `ValueError` for bad arguments."""
        baseline = check_systems(systems, self.baseline, self.resamples)
        for argument in ("on", "by", "human_labels"):
            name = getattr(self, argument)
            if name is not None and not isinstance(name, str):
                raise ValueError(f"{argument} must be the name of a column of every system, got {shorten(name)}")
        if not isinstance(self.repeats, bool):
            raise ValueError(f"repeats must be True or False, got {self.repeats!r}")
        if self.missing not in MISSING:
            choices = ", ".join(f'"{choice}"' for choice in MISSING[:3])
            raise ValueError(f"missing must be one of {choices}, got {self.missing!r}")
        arguments = ["repeats=True"] if self.repeats else []
        arguments += [f'missing="{self.missing}"'] if self.missing in {"wrong", "ignore"} else []
        for argument in arguments:
            if self.on is None:
                raise ValueError(f"{argument} needs on= with the name of a column of ids")
            if self.human_labels is not None:
                raise ValueError(f"human_labels cannot be combined with {argument}: a label belongs to one row")
        if self.by is not None and baseline not in systems:
            raise ValueError('by needs a baseline: give the name of a system instead of "all"')
        _check_order(systems, self.on, self.clusters)
        return baseline

    @property
    def sources(self) -> dict[str, Any]:
        """Which attributes of the rows are read, and from which columns; see `read_rows`."""
        sources = {"clusters": self.clusters if isinstance(self.clusters, str) else None, "by": self.by, "ids": self.on}
        sources["references"] = (self.columns or {}).get("references", "references")
        return sources if self.human_labels is None else sources | {"human_labels": self.human_labels}


def _check_order(systems: Mapping[str, Any], on: str | None, clusters: Any) -> None:
    """Raise a `ValueError` if rows would be matched by position in a table that does not keep their order."""
    by_id = ': score with keep=["id"], and match rows by on="id"; clusters= then also needs the name of a column'
    for name, table in systems.items():
        if on is None:
            check_order(table, f"systems[{name!r}]", by_id)
        if not (clusters is None or isinstance(clusters, str)):
            check_order(table, "clusters")


def compare_systems(metric: Definition, systems: Mapping[str, Any], request: Comparison, options: Any) -> Result:
    """Compare systems; see `Metric.compare`."""
    with prefix_errors(metric.name):
        baseline = request.check(systems)
        read = {}
        for name in sorted(systems, key=lambda name: name != baseline):  # the baseline first
            with prefix_errors(metric.name, f"systems[{name!r}]: "):
                system = read_system(metric, systems[name], request.sources, options, request.columns)
                read[name] = system.merge(str(request.on)) if request.repeats else system
        matched = match_systems(read, request.on, missing="error" if request.missing == "raise" else request.missing)
        clusters = common_rows(matched, "clusters", "cluster")
        if request.clusters is not None and not isinstance(request.clusters, str):
            clusters = read_attribute(metric, "clusters", "clusters", request.clusters)
            first = next(iter(matched))
            check_lengths({f"rows of {first}": matched[first], "clusters": clusters})
        settings = {"clusters": clusters, "margin": request.margin, "resamples": int(request.resamples)}
        return _compare_matched(metric, {name: matched[name] for name in systems}, baseline, settings, options)


def _compare_matched(
    metric: Definition, systems: Mapping[str, System], baseline: str, settings: dict[str, Any], options: Any
) -> Result:
    """Compare systems whose rows are matched; `settings` are the clusters, the margin and the number of resamples."""
    any_system = next(iter(systems.values()))
    if not len(any_system):
        warn_empty(metric)
    if settings["clusters"] is not None:
        count_clusters(metric, settings["clusters"])
    scores = metric.compared_scores or tuple(any_system.statistics)
    main = metric.main_of(scores)
    for score in scores:
        check_margin(settings["margin"], options.confidence_level, any_system.statistics[score].scale)
    settings |= {"level": options.confidence_level, "seed": options.bootstrap_seed}
    method = getattr(options, "confidence_method", "wilson")
    compared = {name: {score: system.statistics[score] for score in scores} for name, system in systems.items()}
    result = compare(compared, baseline=baseline, main_score=main, method=method, **settings)
    main_statistics = {name: system.statistics[main] for name, system in systems.items()}
    for name, system in systems.items():
        result["systems"][name] |= system.notes
    if (by := common_rows(systems, "by", "group")) is not None:
        result["groups"] = compare_groups(main_statistics, baseline, Groups.of(by), **settings)
    if "human_labels" in any_system.rows:
        check_labelable(main, any_system.statistics[main])
        labels = {name: system.rows["human_labels"] for name, system in systems.items()}
        metric.warn(correct_comparison(result, main_statistics, labels, settings["clusters"]))
    return result


def plan_comparison(
    metric: Definition, systems: Mapping[str, Any], options: Any, *, on: str | None, clusters: str | None, **plan: float
) -> dict[str, int]:
    """Return how many rows a comparison needs, from those of one system or two; see `Metric.required_n`.

    `plan` has the difference and the power.
    """
    with prefix_errors(metric.name):
        if len(systems) > 1:
            _check_order(systems, on, None)
        sources = {"clusters": clusters, "ids": on}
        read = {name: read_system(metric, table, sources, options) for name, table in systems.items()}
        matched = match_systems(read, on)
        main = metric.main_of(next(iter(read.values())).statistics)
        common = common_rows(matched, "clusters", "cluster")
        codes = None if common is None else cluster_codes(common)
        statistics = [system.statistics[main] for system in matched.values()]
        return plan_rows(statistics, codes, level=options.confidence_level, **plan)


def summarize_repeats(
    metric: Definition, scored: Any, options: Any, *, on: str, k: Any, answers: str | None, clusters: str | None
) -> Result:
    """Summarize several samples of each question; see `Metric.repeats`."""
    with prefix_errors(metric.name):
        sources = {"ids": on, "answers": answers, "clusters": clusters, "references": "references"}
        system = read_system(metric, scored, sources, options)
        if not len(system):
            warn_empty(metric)
        texts = system.rows.pop("answers", [])
        main = metric.main_of(system.statistics)
        of_questions = system.merge(on).rows.get("clusters")
        forms = None if answers is None else metric.answer_forms(texts, options)
        settings = {"k": k, "answers": forms, "clusters": of_questions, "level": options.confidence_level}
        return Result(summarize_samples(main, system.statistics[main], cluster_codes(system.ids), **settings))


def draw_rows(scores: Sequence[float | None], n: int, seed: int) -> list[int]:
    """Draw n rows that have a score; see `Metric.label_sample`."""
    present = [row for row, score in enumerate(scores) if score is not None]
    if not is_int(n) or not 0 <= n <= len(present):
        raise ValueError(f"n must be an int from 0 to {len(present)}, the number of rows with a score; got {n!r}")
    if not is_int(seed) or seed < 0:
        raise ValueError(f"seed must be an int of at least 0, got {seed!r}")
    return sorted(np.random.default_rng(seed).choice(present, int(n), replace=False).tolist())
