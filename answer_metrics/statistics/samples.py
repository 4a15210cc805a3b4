"""Rows that belong together: one question in several systems, several samples of one question, groups of questions.

Sources: pass@k, Chen et al. 2021, https://arxiv.org/abs/2107.03374; pass^k, Yao et al. 2024,
https://arxiv.org/abs/2406.12045; variance within and between questions, Miller 2024, https://arxiv.org/abs/2411.00640;
degrees of freedom of a sum of variances, Welch 1947, https://doi.org/10.1093/biomet/34.1-2.28; variances moderated by
those of other groups, Smyth 2004, https://doi.org/10.2202/1544-6115.1027.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from answer_metrics.columns.tables import align, check_ids, is_missing, rows_have, some
from answer_metrics.core.options import is_int, show
from answer_metrics.statistics.comparison import adjust_all, describe_pair
from answer_metrics.statistics.statistic import (
    UNIT,
    Array,
    Interval,
    Scale,
    Statistic,
    clamp,
    cluster_codes,
    cluster_sums,
    clustered_variance,
    exact_sum,
    interval,
    mean,
    normal_quantile,
    t_quantile,
    unseen_variance,
    wilson,
)

USUAL_K = (1, 5, 10)
"""The default k of pass@k and pass^k: those that every question has samples for."""
_BORROWED = 4.0
"""Rows' worth of variance that a group borrows from the others; chosen by simulation (`make simulations`)."""


@dataclass(frozen=True)
class System:
    """The scored rows of a system.

    Attributes:
        statistics: The scores by name.
        ids: The id of each row; a `range` if rows are matched by position.
        rows: The attributes of each row: "clusters", "by", "human_labels", "references", each a list.
        notes: Entries for the result: how many "samples" a question had, how many rows are "missing".
    """

    statistics: dict[str, Statistic]
    ids: Any
    rows: dict[str, list[Any]]
    notes: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, order: Array, substitutes: Mapping[str, Sequence[Any]]) -> "System":
        """Reorder the rows; -1 is a row that the system lacks, with the worst score and the substitute attributes."""
        missing = int((order < 0).sum())
        select = Statistic.fill if missing else Statistic.take
        statistics = {name: select(statistic, order) for name, statistic in self.statistics.items()}
        indices = order.tolist()
        rows = {
            name: [values[index] if index >= 0 else substitutes[name][row] for row, index in enumerate(indices)]
            for name, values in self.rows.items()
        }
        notes = self.notes | ({"missing": missing} if substitutes else {})
        return replace(self, statistics=statistics, ids=indices, rows=rows, notes=notes)

    def merge(self, on: str) -> "System":
        """Return one row per question: the mean score of its samples, which may differ in their answers only."""
        check_ids({"scored": self.ids}, on)
        codes = cluster_codes(self.ids)
        statistics = {name: Samples.of(statistic, codes).mean() for name, statistic in self.statistics.items()}
        first = np.unique(codes, return_index=True)[1].tolist()
        for name, values in self.rows.items():
            plain = list(map(plain_references, values)) if name == "references" else values
            for row, (value, code) in enumerate(zip(plain, codes.tolist(), strict=True)):
                if value != (expected := plain[first[code]]):
                    raise ValueError(
                        f"{name} of {on} {self.ids[row]!r} differ: {show(expected)} in row {first[code]}, "
                        f"{show(value)} in row {row}; samples of one question differ in their answers only"
                    )
        rows = {name: [values[row] for row in first] for name, values in self.rows.items()}
        sizes = np.bincount(codes)
        notes = {"samples": (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)}
        return replace(self, statistics=statistics, ids=[self.ids[row] for row in first], rows=rows, notes=notes)


def match_systems(systems: Mapping[str, System], on: str | None, *, missing: str = "error") -> dict[str, System]:
    """Match the rows of systems with those of the first one, as `align` does; references must not differ."""
    ids = {name: system.ids for name, system in systems.items()}
    examples, orders = align(ids, on, missing=missing)
    substitutes = {}  # the attributes of each example in the first system that has it
    for name in ("references", "clusters", "by") if missing == "wrong" else ():
        by_id: dict[Any, Any] = {}
        for system in reversed([system for system in systems.values() if name in system.rows]):
            by_id |= zip(system.ids, system.rows[name], strict=True)
        substitutes[name] = list(map(by_id.get, examples))
    matched = {name: systems[name].take(order, substitutes) for name, order in orders.items()}
    if missing == "ignore":
        number = len(set().union(*ids.values()))
        for name, system in matched.items():
            matched[name] = replace(system, notes=system.notes | {"missing": number - len(ids[name])})
    _check_references(matched, on, examples)
    return matched


def _check_references(systems: Mapping[str, System], on: str | None, examples: Sequence[Any]) -> None:
    """Raise a `ValueError` for rows whose references differ."""
    by_system = {
        name: list(map(plain_references, system.rows["references"]))
        for name, system in systems.items()
        if system.rows.get("references")
    }
    first, expected = next(iter(by_system.items()), ("", []))
    for name, references in by_system.items():
        if references != expected:
            pairs = zip(references, expected, strict=True)
            row = next(index for index, (actual, other) in enumerate(pairs) if actual != other)
            place = f"row {row}" if on is None else f"{on} {examples[row]!r}"
            hint = ", or match rows by on= with the name of a column of ids" if on is None else ""
            raise ValueError(
                f"the references of {place} differ: {show(references[row])} of {name}, {show(expected[row])} of "
                f"{first}; compare systems on the same examples{hint}"
            )


def plain_references(value: Any) -> Any:
    """Return the references of a row as a list, None if they are missing."""
    if isinstance(value, str):
        return [value]
    if is_missing(value):
        return None
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, (list, tuple)) else value


def common_rows(systems: Mapping[str, System], attribute: str, noun: str) -> list[Any] | None:
    """Return the clusters or groups of the rows, which must be the same in all systems that have them."""
    by_system = {name: system.rows[attribute] for name, system in systems.items() if attribute in system.rows}
    first = next(iter(by_system.values()), None)
    for name, values in by_system.items():
        if first is not None and values != first:
            differing = sum(value != expected for value, expected in zip(values, first, strict=True))
            raise ValueError(f"{rows_have(differing, name)} a different {noun} than in the systems before")
    return first


@dataclass(frozen=True)
class Samples:
    """The scores of the samples of each question; arrays have the shape (questions,)."""

    numbers: Array  # number of samples with a score
    means: Array  # mean of their scores, 0.0 without any
    squares: Array  # sum of squared deviations from the mean
    scale: Scale = UNIT
    binary: bool = False  # whether every score is right or wrong

    @classmethod
    def of(cls, statistic: Statistic, codes: Array) -> "Samples":
        """Collect the scores by the number of their question, from 0; a `ValueError` for a score that is pooled."""
        if statistic.kind == "function":
            raise ValueError("repeats needs a score that each row has; this one is pooled over all rows")
        numbers = np.bincount(codes[statistic.scored], minlength=int(codes.max(initial=-1)) + 1)
        scores = np.where(statistic.scored, statistic.columns[0], 0.0)
        means = cluster_sums(scores, codes) / np.maximum(numbers, 1)
        squares = cluster_sums(np.where(statistic.scored, (scores - means[codes]) ** 2, 0.0), codes)
        return cls(numbers, means, squares, statistic.scale, statistic.kind == "proportion")

    def mean(self) -> Statistic:
        """Return the mean over questions of their means, in which every question has the same weight."""
        return mean(np.where(self.numbers > 0, self.means, math.nan), scale=self.scale)

    def subsets(self, share: Callable[[int, int, int], float], k: int) -> Statistic:
        """Return the mean over questions of `pass_at` or `pass_all`; a `ValueError` if one has fewer than k samples."""
        asked = self.numbers[self.numbers > 0]
        if (few := int((asked < k).sum())) > 0:
            have = "1 question has" if few == 1 else f"{few} of {len(asked)} questions have"
            raise ValueError(f"k={k}: {have} fewer samples; k can be at most {asked.min()}")
        right = np.rint(self.scale.to_unit(self.means) * self.numbers).astype(np.int64)
        pairs = list(zip(self.numbers.tolist(), right.tolist(), strict=True))
        shares = {pair: share(k, *pair) if pair[0] else None for pair in set(pairs)}
        return mean([shares[pair] for pair in pairs])

    def split_variance(self) -> dict[str, float | None]:
        """Estimate the parts of the variance of the mean over questions (Miller 2024, section 3.1).

        The keys are those of `Metric.repeats`; None with one question, or one sample each.
        """
        asked = self.numbers > 0
        numbers, means, squares = self.numbers[asked], self.means[asked], self.squares[asked]
        several = numbers > 1
        if len(numbers) < 2 or not several.any():
            return dict.fromkeys(("variance_between", "variance_within", "removable_share"))
        within = exact_sum(squares[several] / (numbers[several] - 1)) / int(several.sum())
        total = exact_sum((means - exact_sum(means) / len(means)) ** 2) / (len(means) - 1)
        by_samples = min(total, within * exact_sum(1 / numbers) / len(numbers))
        return {
            "variance_between": total - by_samples,
            "variance_within": within,
            "removable_share": by_samples / total if total > 0 else 0.0,
        }


def pass_at(k: int, samples: int, right: int) -> float:
    """Return the share of subsets of k samples with at least one correct: the unbiased estimate of 1 - (1 - p)^k.

    >>> pass_at(2, samples=4, right=1)
    0.5
    """
    return 1 - math.comb(samples - right, k) / math.comb(samples, k)


def pass_all(k: int, samples: int, right: int) -> float:
    """Return the share of subsets of k samples that are all correct: the unbiased estimate of p^k.

    >>> pass_all(2, samples=5, right=3)
    0.3
    """
    return math.comb(right, k) / math.comb(samples, k)


def majority(answers: Sequence[Any], statistic: Statistic, codes: Array) -> Statistic:
    """Return the mean over questions of the score of the most frequent answer, or the mean of several such answers.

    None does not vote, nor does an answer without a score.
    """
    votes: list[dict[Any, list[float]]] = [{} for _ in range(int(codes.max(initial=-1)) + 1)]
    for answer, score, code in zip(answers, statistic.row_scores.tolist(), codes.tolist(), strict=True):
        if not math.isnan(score):
            votes[code].setdefault(answer, []).append(score)
    majorities: list[float | None] = []
    for scores_of in votes:
        candidates = [scores for answer, scores in scores_of.items() if answer is not None]
        most = max(map(len, candidates), default=0)
        winners = [math.fsum(scores) / most for scores in candidates if len(scores) == most]
        worst = statistic.scale.worst if scores_of else None
        majorities.append(math.fsum(winners) / len(winners) if winners else worst)
    return mean(majorities, scale=statistic.scale)


def fitting_k(k: Any, samples: Samples) -> tuple[int, ...]:
    """Return k as a tuple, by default those of 1, 5 and 10 that every question has samples for."""
    fewest = int(samples.numbers[samples.numbers > 0].min(initial=np.iinfo(np.int64).max))
    if k is None:
        return tuple(size for size in USUAL_K if size <= fewest) if samples.binary and samples.numbers.any() else ()
    sizes = k if isinstance(k, (list, tuple)) else [k]
    if not sizes or not all(is_int(size) and size > 0 for size in sizes):
        raise ValueError(f"k must be a positive integer or a list of them, got {k!r}")
    if not samples.binary:
        raise ValueError("k (pass@k and pass^k) needs scores that are right or wrong, 1 or 0")
    return tuple(dict.fromkeys(map(int, sizes)))


def summarize_samples(
    name: str, statistic: Statistic, codes: Array, *, k: Any, answers: Sequence[Any] | None, clusters: Any, level: float
) -> dict[str, Any]:
    """Summarize samples, whose questions `codes` numbers from 0; see `Metric.repeats`. `clusters` are of questions."""
    samples = Samples.of(statistic, codes)
    asked = samples.numbers[samples.numbers > 0]
    if asked.max(initial=0) == 1:
        raise ValueError("every question has one sample only; repeats needs several, and aggregate is for one")
    scores = {name: samples.mean()}
    for size in fitting_k(k, samples):
        scores |= {f"pass@{size}": samples.subsets(pass_at, size), f"pass^{size}": samples.subsets(pass_all, size)}
    if answers is not None:
        scores["majority@n"] = majority(answers, statistic, codes)
    least_and_most = (int(asked.min()), int(asked.max())) if len(asked) else (0, 0)
    result: dict[str, Any] = {"questions": len(asked), "samples": least_and_most, "confidence_level": level}
    for key, score in scores.items():
        bounds = interval(score, level=level, clusters=clusters)
        result |= {key: score.value, f"{key}_confidence_interval": bounds}
    return result | samples.split_variance()


class Groups(NamedTuple):
    """The number of each row's group, and the names of the groups, sorted as strings or integers."""

    codes: Array
    names: list[str]

    @classmethod
    def of(cls, groups: Sequence[Any]) -> "Groups":
        place = {group: number for number, group in enumerate(sorted(set(groups)))}
        return cls(np.array([place[group] for group in groups], dtype=np.int64), list(map(str, place)))

    def split(self) -> list[Array]:
        """Return the indices of the rows of each group."""
        codes = self.codes.astype(np.uint16) if len(self.names) < 1 << 16 else self.codes  # sorted ten times as fast
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.names)))
        return np.split(np.argsort(codes, kind="stable"), ends[:-1]) if self.names else []


class _Group(NamedTuple):
    """A group's score and interval, None if unknown, its number of scored rows, and the unit-scale variance of one."""

    value: float | None
    interval: Interval | None
    total: int
    variance: float


def summarize_groups(
    name: str, statistic: Statistic, groups: Groups, *, clusters: Iterable[Any] | None = None, **settings: Any
) -> tuple[dict[str, Any], list[str]]:
    """Return the keys that groups add to a result, and caveats for the user; the settings are those of `interval`.

    The groups are fixed (the same subjects would be asked again), and have equal weights in the macro average.
    """
    codes, level = None if clusters is None else cluster_codes(clusters), settings.get("level", 0.95)
    described = [_describe_group(statistic, rows, codes, settings) for rows in groups.split()]
    macro, bounds = _macro(statistic, groups, described, level, codes)
    entries, empty, single = {}, list[str](), list[str]()
    for key, group in zip(groups.names, described, strict=True):
        entries[key] = {name: group.value, f"{name}_confidence_interval": group.interval, "total": group.total}
        if group.interval is None:
            (single if group.total else empty).append(key)
    caveats = [f"groups without a score do not count in {name}_macro: {some(empty)}"] if empty else []
    if single:
        unknown = "a single row" if codes is None else "a single row or cluster"
        caveats.append(f"the interval of a group with {unknown} is unknown (None): {some(single)}")
    return {"groups": entries, f"{name}_macro": macro, f"{name}_macro_confidence_interval": bounds}, caveats


def _describe_group(statistic: Statistic, rows: Array, codes: Array | None, settings: Mapping[str, Any]) -> _Group:
    rows = rows[statistic.scored[rows]]
    scored, own = statistic.take(rows), None if codes is None else cluster_codes(codes[rows])
    if not scored.total:
        return _Group(None, None, 0, 0.0)
    several = scored.total > 1 and (own is None or own.any())
    bounds = interval(scored, clusters=own, **settings) if several else None
    return _Group(scored.value, bounds, scored.total, scored.unit().variance() * scored.total)


def _macro(
    statistic: Statistic, groups: Groups, described: Sequence[_Group], level: float, codes: Array | None
) -> tuple[float, Interval | None]:
    """Return the unweighted mean of the scores of groups, and its interval, with clusters by CR1."""
    scale, counted = statistic.scale, [group for group in described if group.total]
    if not counted:
        return 0.0, (scale.low, scale.high) if scale.bounded else None
    score = math.fsum(group.value or 0.0 for group in counted) / len(counted)
    unit = scale.to_unit(score)
    total = sum(group.total for group in counted)
    if codes is None:
        variance, degrees = _moderated_variance(counted, unit, bounded=scale.bounded)
    else:
        influences = np.zeros(len(codes))
        for rows in groups.split():
            if statistic.scored[rows].any():
                influences[rows] = statistic.unit().take(rows).influences() / len(counted)
        own = cluster_codes(codes[statistic.scored])
        variance, degrees = clustered_variance(influences[statistic.scored], own), int(own.max())
        total = degrees + 1
    z, t = normal_quantile(level), t_quantile(level, max(1, degrees))
    if not scale.bounded:
        half_width = t * math.sqrt(variance)
        return score, clamp(score, score - half_width, score + half_width, scale.low, scale.high) if variance else None
    raised = (t / z) ** 2 * variance + unseen_variance(unit, total)
    if codes is None:  # of all scores in [0, 1] with this mean, 0 and 1 have the largest variance
        largest = math.fsum(unit * (1 - unit) / group.total for group in counted) / len(counted) ** 2
        raised = min(raised, max(largest, variance))
    size = total if unit in {0.0, 1.0} else unit * (1 - unit) / raised
    return score, scale.interval(score, wilson(unit, size, z))


def _moderated_variance(groups: Sequence[_Group], score: float, *, bounded: bool) -> tuple[float, int]:
    """Return the variance of a macro average, and its degrees of freedom (Welch and Satterthwaite).

    The variance of a row is the mean of that in its group and of the pooled one, which counts as much as `_BORROWED`
    rows: that of a few rows is often 0. Without any group of two rows, it is the largest that scores in [0, 1] with
    this mean can have. What is borrowed adds no degrees of freedom: a group has those of its rows, a single row one.
    """
    degrees = np.array([group.total - 1.0 for group in groups])
    own = np.array([group.variance for group in groups])
    largest = score * (1 - score) if bounded else 0.0
    pooled = exact_sum(own * degrees) / exact_sum(degrees) if degrees.any() else largest
    parts = (own * degrees + pooled * _BORROWED) / (degrees + _BORROWED) / (degrees + 1) / len(groups) ** 2
    variance, squares = exact_sum(parts), exact_sum(parts**2 / np.maximum(degrees, 1))
    return variance, max(1, int(variance**2 / squares)) if squares else int(exact_sum(degrees + 1))


def compare_groups(
    systems: Mapping[str, Statistic], baseline: str, groups: Groups, clusters: Iterable[Any] | None, **settings: Any
) -> dict[str, dict[str, Any]]:
    """Compare systems with the baseline in each group by `describe_pair`; one family of p-values (Holm)."""
    codes = None if clusters is None else cluster_codes(clusters)
    unknown = {"difference_confidence_interval": None, "minimum_detectable_difference": None}
    comparisons: dict[str, dict[str, Any]] = {group: {} for group in groups.names}
    for group, rows in zip(groups.names, groups.split(), strict=True):
        first, own = systems[baseline].take(rows), None if codes is None else codes[rows]
        for name in (name for name in systems if name != baseline):
            values = describe_pair(systems[name].take(rows), first, own, **settings)
            units = len(rows) - values["left_out"] if own is None else len(np.unique(own))
            comparisons[group][name] = {"total": len(rows), **values, **(unknown if units <= 1 else {})}
    adjust_all(values for group in comparisons.values() for values in group.values())
    return comparisons
