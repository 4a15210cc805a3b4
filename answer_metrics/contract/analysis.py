"""Comparisons of systems by their scored rows; `Metric.compare` documents arguments and results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from answer_metrics.columns.tables import check_lengths, check_order
from answer_metrics.contract.definition import Definition
from answer_metrics.contract.scored_rows import check_labelable, count_clusters, read_attribute, read_system, warn_empty
from answer_metrics.core.messages import prefix_errors
from answer_metrics.core.options import shorten
from answer_metrics.core.results import Result
from answer_metrics.statistics.comparison import check_margin, check_systems, compare
from answer_metrics.statistics.human_labels import correct_comparison
from answer_metrics.statistics.samples import Groups, System, common_rows, compare_groups, match_systems

MISSING = ("error", "wrong", "ignore", "raise")
"""What `compare` does about rows that a system lacks; "raise" is the old name of "error"."""
BY_ID = ': score with keep=["id"], and match rows by on="id"; clusters= then also needs the name of a column'
"""Advice for tables that do not keep the order of their rows."""


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
        for name, table in systems.items():
            if self.on is None:
                check_order(table, f"systems[{name!r}]", BY_ID)
            if not (self.clusters is None or isinstance(self.clusters, str)):
                check_order(table, "clusters")
        return baseline

    @property
    def sources(self) -> dict[str, Any]:
        """Which attributes of the rows are read, and from which columns; see `read_rows`."""
        sources = {"clusters": self.clusters if isinstance(self.clusters, str) else None, "by": self.by, "ids": self.on}
        sources["references"] = (self.columns or {}).get("references", "references")
        return sources if self.human_labels is None else sources | {"human_labels": self.human_labels}


def compare_systems(metric: Definition, systems: Mapping[str, Any], request: Comparison, options: Any) -> Result:
    """Compare systems under resolved options."""
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
