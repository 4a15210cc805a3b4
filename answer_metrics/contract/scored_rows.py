"""Scored rows: scoring inputs, reading scored tables of any kind, and summarizing rows to a result.

Besides scores, rows have attributes, which relate them to other rows: "clusters", "human_labels", "by" (its
group), "ids", "references" and "answers".
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from answer_metrics.columns.inputs import COMMON_INPUTS, doubts
from answer_metrics.columns.storage import decode, encode
from answer_metrics.columns.tables import (
    as_batch,
    check_lengths,
    check_order,
    column_names,
    get_column,
    keep_columns,
    plain_values,
    shards,
    to_list,
    value_counts,
)
from answer_metrics.contract.definition import Definition
from answer_metrics.core.messages import prefix_errors, warn
from answer_metrics.core.results import Result
from answer_metrics.statistics.human_labels import correct
from answer_metrics.statistics.samples import Groups, System, summarize_groups
from answer_metrics.statistics.statistic import UNIT, Statistic, check_clusters, interval

_RENAME = 'If a column has another name, say so: columns={"predictions": "output"}'
_RESCORE = "Give aggregate what score_batch returned under the same options, including return_details"
_Source: TypeAlias = tuple[Any, Callable[[Any], list[Any]]]
"""A column, and the function that checks it and returns its values."""


@dataclass
class ScoredRows:
    """Per-example columns and the attributes of the rows, by name, as far as they were read.

    Without attributes, the columns may be a `Counter` of their values each.
    """

    columns: dict[str, Any]
    attributes: dict[str, Any]


def score_inputs(metric: Definition, inputs: Mapping[str, Any], options: Any) -> ScoredRows:
    """Score checked inputs."""
    metric.warn(doubts(inputs))
    with prefix_errors(metric.name):
        attributes = {name: inputs[name] for name in COMMON_INPUTS if name in inputs}
        return ScoredRows(metric.score(inputs, options), attributes)


def score_table(
    metric: Definition, table: Any, columns: Mapping[str, str] | None, keep: Sequence[str], options: Any
) -> Any:
    """Score the inputs in a table, as `Metric.score_batch` documents."""
    with prefix_errors(metric.name):
        passed_on = keep_columns(table, keep)
        metric.check_input_names(columns or {}, "columns names")
        present = column_names(table)
        names = {name: name for name, column in metric.inputs.items() if not column.optional or name in present}
        inputs = {name: get_column(table, column, _RENAME) for name, column in {**names, **(columns or {})}.items()}
        scored = score_inputs(metric, metric.check_inputs(inputs, as_arrow=metric.takes_arrow(options)), options)
        new = {**scored.columns, **scored.attributes}
        return encode(new, metric.columns_of(options), f"{metric.name}_", like=table, extra=passed_on)


def read_rows(
    metric: Definition, tables: Any, sources: Mapping[str, Any], options: Any, raw: Mapping[str, str] | None = None
) -> ScoredRows:
    """Read the output of `score_batch`, shard by shard, in one pass: Ray Data may reorder rows in a second one.

    `sources` are the attributes to read: the name of a column, or the values; None reads clusters and human_labels that
    `score_batch` passed on. `raw` names columns to score first, for analyses, which use the columns row by row.
    """
    values = {name: source for name, source in sources.items() if source is not None and not isinstance(source, str)}
    if values:
        check_order(tables, ", ".join(values))
    names = () if options.return_details else metric.counted
    counting = bool(names) and raw is None and not values
    names = (() if raw is None else metric.compared_columns) or names or tuple(metric.columns_of(options))
    if not metric.columns_of(options).keys() >= {*names}:
        raise ValueError("dry_run=True only estimates the cost and returns no scores: leave it out of this call")
    columns: dict[str, Any] = {name: [] for name in names}
    if isinstance(sources.get("by"), str):
        columns["by"] = []  # also if there are no shards
    for shard in _shard_sources(metric, tables, sources, names, options, raw):
        if counting and shard.keys() == {*names}:
            check_lengths({name: column for name, (column, _) in shard.items()})
            for name, (column, read_column) in shard.items():
                columns[name] = value_counts(column, read_column) + Counter(columns[name])
            continue
        read = {name: read_column(column) for name, (column, read_column) in shard.items()}
        check_lengths({name: column for name, column in read.items() if name != "references"})
        for name, column in read.items():
            columns.setdefault(name, []).extend(column)
    if len(columns.get("references", ())) != len(columns[names[0]]):
        columns.pop("references", None)  # only some shards have them
    if values:
        columns |= {name: read_attribute(metric, name, name, column) for name, column in values.items()}
        check_lengths(columns)
    return ScoredRows({name: columns.pop(name) for name in names}, columns)


def _shard_sources(
    metric: Definition,
    tables: Any,
    sources: Mapping[str, Any],
    names: Sequence[str],
    options: Any,
    raw: Mapping[str, str] | None,
) -> Iterator[dict[str, _Source]]:
    """Yield the columns and attributes of each shard, each with the function that reads it."""
    kinds = metric.columns_of(options)
    expected = None
    for table in shards(tables):
        shard = scored = as_batch(table)
        if raw is not None and {f"{metric.name}_{name}" for name in kinds}.isdisjoint(column_names(shard)):
            scored = score_table(metric, shard, raw, (), options)
        attributes = _attribute_sources(metric, sources, shard, scored)
        expected = attributes.keys() if expected is None else expected
        if differing := (expected ^ attributes.keys()) - {"references"}:
            raise ValueError(f"give {', '.join(sorted(differing))} with every shard or with none")
        columns: dict[str, _Source] = {}
        for name in names:
            stored, first = f"{metric.name}_{name}", f"{metric.name}_{next(iter(kinds))}"
            if name in metric.later_columns and stored not in column_names(scored):  # an earlier version scored it
                column = [metric.later_columns[name]] * len(get_column(scored, first, _RESCORE))
            else:
                column = get_column(scored, stored, _RESCORE)
            columns[name] = column, partial(decode, stored, kind=kinds[name], hint=_RESCORE)
        yield columns | attributes


def _attribute_sources(metric: Definition, sources: Mapping[str, Any], shard: Any, scored: Any) -> dict[str, _Source]:
    """Return the requested attributes of a shard, from it or from its scores; references only if it has them."""
    attributes: dict[str, _Source] = {}
    for name, source in sources.items():
        passed_on = f"{metric.name}_{'extracted' if name == 'answers' else name}"
        is_passed_on = passed_on in column_names(scored)
        if name in COMMON_INPUTS and source in (None, name) and is_passed_on:
            attributes[name] = scored[passed_on], partial(read_attribute, metric, name, name)
        elif name == "answers" and source is not None and is_passed_on:
            attributes[name] = scored[passed_on], partial(decode, source, kind=list, hint=_RESCORE)
        elif isinstance(source, str) and (name != "references" or source in column_names(shard)):
            hint = f"{'on' if name == 'ids' else name}= names a column; score_batch(keep=[{source!r}]) passes it on"
            attributes[name] = get_column(shard, source, hint), partial(read_attribute, metric, name, source)
    return attributes


def read_attribute(metric: Definition, name: str, source: str, column: Any) -> list[Any]:
    """Check and read an attribute of rows, which errors call `source`."""
    if name in COMMON_INPUTS:
        return metric.inputs[name].check(name, to_list(name, column))
    if name == "by":  # strings only or integers only, like clusters
        groups = plain_values(name, column)
        metric.inputs["clusters"].check(name, groups)
        return groups
    return to_list(name, column) if name == "references" else plain_values(source, column)


def read_system(
    metric: Definition, tables: Any, sources: Mapping[str, Any], options: Any, columns: Mapping[str, str] | None = None
) -> System:
    """Read the rows of a system that is compared or summarized; raw columns are scored first."""
    scored = read_rows(metric, tables, sources, options, raw=columns or {})
    metric.check_scored(scored.columns, options)
    ids = scored.attributes.pop("ids", range(len(next(iter(scored.columns.values())))))
    return System(metric.statistics(scored.columns, options), ids, scored.attributes)


def summarize_rows(metric: Definition, scored: ScoredRows, options: Any) -> dict[str, Any]:
    """Turn scored rows into the result of `compute`."""
    columns = scored.columns
    if not any(len(column) for column in columns.values()):
        warn_empty(metric)
    summed = {name: value_counts(columns[name]) for name in metric.counted} if metric.counted else columns
    with prefix_errors(metric.name):
        metric.check_scored(summed, options)
        by_row = {name: to_list(name, column) for name, column in columns.items()} if scored.attributes else summed
        statistics = metric.statistics(by_row, options)
        result = metric.summarize(statistics, summed, options)
        result = _add_attributes(metric, result, statistics, scored.attributes, options)
    if options.return_details:
        lists = {name: to_list(name, column) for name, column in columns.items()}
        result.update(metric.details(lists, options))
    if options.return_signature:
        result["signature"] = metric.signature(options)
    return result


def _add_attributes(
    metric: Definition, result: dict[str, Any], statistics: Mapping[str, Statistic], attributes: Any, options: Any
) -> dict[str, Any]:
    """Add intervals to a result, and what follows from clusters, groups and human labels."""
    clusters, labels = attributes.get("clusters"), attributes.get("human_labels")
    settings = {"level": options.confidence_level, "seed": options.bootstrap_seed, "clusters": clusters}
    settings["method"] = getattr(options, "confidence_method", "wilson")
    if clusters is not None:
        result["clusters"] = count_clusters(metric, clusters)
    if options.return_confidence:
        for name, statistic in statistics.items():
            result[f"{name}_confidence_interval"] = interval(statistic, **settings)
    main = metric.main_of(statistics) if statistics else ""
    if "by" in attributes and statistics:
        groups = Groups.of(attributes["by"])
        added, caveats = summarize_groups(main, statistics[main], groups, **settings)
        metric.warn(caveats)
        result = Result(result | added)
    if labels is not None and statistics:
        check_labelable(main, statistics[main])
        level = options.confidence_level
        corrected, caveats = correct(statistics[main].row_scores, labels, level=level, clusters=clusters)
        metric.warn(caveats)
        result |= {f"{main}_{key}" if key.startswith("corrected") else key: corrected[key] for key in corrected}
    return result


def warn_empty(metric: Definition) -> None:
    """Warn that there are no examples."""
    warn(f"{metric.name} got no examples: all scores are 0.0")


def count_clusters(metric: Definition, clusters: Any) -> int:
    """Return the number of clusters; warn if few have most of the rows."""
    number, caveat = check_clusters(clusters)
    metric.warn([caveat] if caveat else [])
    return number


def check_labelable(name: str, statistic: Statistic) -> None:
    """Raise a `ValueError` for a score that human labels cannot correct."""
    if statistic.scale != UNIT:
        raise ValueError(f"human_labels: {name} must be a score from 0 to 1 where higher is better, as labels are")
