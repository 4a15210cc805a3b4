"""Results: the declaration of their keys, and the dict of `compare`, `repeats` and groups that renders as tables.

Standard library only; `to_pandas` needs pandas.
"""

import copy
import html
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

Row: TypeAlias = dict[str, Any]

_MARKDOWN = {ord(sign): f"\\{sign}" for sign in "\\|`*_<>[]"} | {ord("\n"): " "}
_LATEX = {ord(sign): f"\\{sign}" for sign in "&%$#_{}"}
_LATEX |= {
    ord(sign): f"\\text{name}{{}}"
    for sign, name in zip("\\~^<>|", ["backslash", "asciitilde", "asciicircum", "less", "greater", "bar"], strict=True)
}
_BAR = (
    '<div style="position:relative;width:10em;height:.9em;background:#8882">'
    '<div style="position:absolute;left:{start:.2%};width:{width:.2%};top:30%;height:40%;background:#47a"></div>'
    '<div style="position:absolute;left:{at:.2%};width:2px;height:100%;background:currentColor"></div></div>'
)
_UNKNOWN = "unknown"


class Output(NamedTuple):
    """A key of the result."""

    type_name: str
    """Type and range, as in "float, 0 to 1"."""
    help: str
    """One or two sentences."""


def score_outputs(meanings: Mapping[str, str], rows: str) -> dict[str, Output]:
    """Declare scores from 0 to 1 with their meanings, their intervals, and their values per row."""
    scores = {name: Output("float, 0 to 1", meaning) for name, meaning in meanings.items()}
    optional = "With `return_confidence` only."
    intervals = {f"{name}_confidence_interval": Output("tuple of two floats", optional) for name in scores}
    by_row = Output("list of float, 0 to 1", f"Value for each {rows}; with `return_details` only.")
    return scores | intervals | {f"individual_{name}": by_row for name in scores}


def common_outputs(main: str) -> dict[str, Output]:
    """Declare the keys that the results of all metrics share; `main` is the main score."""
    labeled = {
        f"{main}_corrected": ("float, 0 to 1, or None", "Estimate of the mean human label over all examples"),
        f"{main}_corrected_confidence_interval": ("tuple of two floats", "Its interval"),
        "labels": ("int", "Number of human labels"),
        "label_mean": ("float, 0 to 1, or None", "Their mean"),
        "agreement": ("float, 0 to 1, or None", "Share of labeled examples on which the metric and people agree"),
        "kappa": ("float, -1 to 1, or None", "Cohen's kappa: agreement beyond chance"),
        "sensitivity": ("float, 0 to 1, or None", "Share of what people call right that the metric calls right"),
        "specificity": ("float, 0 to 1, or None", "Share of what people call wrong that the metric calls wrong"),
    }
    return {
        "clusters": Output("int", "Number of clusters; with `clusters` only."),
        "signature": Output("str", "One line with everything that can change a score; with `return_signature` only."),
        **{name: Output(kind, f"{text}; with `human_labels` only.") for name, (kind, text) in labeled.items()},
    }


class Result(dict[str, Any]):
    """What `compare`, `repeats` and `aggregate(by=...)` return: a dict that renders as text, Markdown, LaTeX or HTML.

    `str` gives lines for a paper; a notebook shows tables with a bar for each interval. It pickles as a plain `dict`,
    which a process that has not loaded the metric can read; `metric.draw(saved)` restores it.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def __copy__(self) -> "Result":
        return type(self)(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Result":
        return type(self)(copy.deepcopy(dict(self), memo))

    def tables(self) -> dict[str, list[Row]]:
        """Return the tables, one mapping per line: "systems", "pairs", "groups", or "scores" of `repeats`.

        Intervals are pairs; None means unknown.
        """
        if "systems" in self:
            systems = [_row(self.entries_of(name), self["score"]) for name in self["systems"]]
            names = dict.fromkeys(name for row in systems for name in row)  # the baseline has no difference
            groups = [
                _row({"group": group, "system": name, **comparison}, self["score"])
                for group, comparisons in self.get("groups", {}).items()
                for name, comparison in comparisons.items()
            ]
            tables = {
                "systems": [{name: row.get(name, "") for name in names} for row in systems],
                "pairs": [_row(pair, self["score"]) for pair in self.get("pairs", ())],
                "groups": groups,
            }
        else:
            groups = [_row({"group": group, **own}, next(iter(own))) for group, own in self.get("groups", {}).items()]
            tables = {"scores": _score_rows(self), "groups": groups}
        return {name: rows for name, rows in tables.items() if rows}

    def to_pandas(self, table: str | None = None) -> Any:
        """Return one of the `tables`, by default the first; each interval is two columns, `..._low` and `..._high`."""
        import pandas  # optional

        tables = self.tables()
        if table is not None and table not in tables:
            raise ValueError(f"table must be one of {', '.join(tables)}, got {table!r}")
        rows = tables[table] if table is not None else next(iter(tables.values()), [])
        intervals = {name for row in rows for name, value in row.items() if isinstance(value, (list, tuple))}
        return pandas.DataFrame([_flat(row, intervals) for row in rows])

    def to_markdown(self) -> str:
        """Return the tables in Markdown."""
        return "\n\n".join(map(_markdown, self.tables().values()))

    def to_latex(self) -> str:
        """Return the tables in LaTeX, for the package booktabs."""
        return "\n\n".join(map(_latex, self.tables().values()))

    def _repr_html_(self) -> str:
        return "\n".join(map(_html, self.tables().values()))

    def __str__(self) -> str:
        if "systems" not in self:
            return "\n".join(_score_lines(self))
        baseline = self["baseline"]
        others = [{**self.entries_of(name), "baseline": baseline} for name in self["systems"] if name != baseline]
        return "\n".join(_summarize(self, pair) for pair in self.get("pairs", others))

    def entries_of(self, system: str) -> Row:
        """Return the entries of a system in a comparison, those of its main score where there are several."""
        score, entries = self["score"], self["systems"][system]
        own = {key: value[score] if isinstance(value, Mapping) else value for key, value in entries.items()}
        return {"system": system, **own}


def _row(entries: Mapping[str, Any], score: str) -> Row:
    """Return the cells of a table's row for a score, a difference or both, by heading."""
    headings = {name: name for name in ("group", "system", "baseline", score)} | {
        f"{score}_confidence_interval": "interval",
        "total": "total",
        "rank": "rank",
        "rank_confidence_interval": "ranks",
        "difference": "difference",
        "difference_confidence_interval": "difference interval",
        "p_value": "p",
        "adjusted_p_value": "adjusted p",
        "corrected_difference": "corrected difference",
        "corrected_difference_confidence_interval": "corrected interval",
        "corrected_p_value": "corrected p",
    }
    return {heading: entries[name] for name, heading in headings.items() if name in entries}


def _score_rows(result: Mapping[str, Any]) -> list[Row]:
    """List the scores of a result: the keys that have an interval or, in a result without intervals, all floats."""
    names = [name for name in result if f"{name}_confidence_interval" in result]
    if not names:
        return [{"score": name, "value": value} for name, value in result.items() if isinstance(value, float)]
    return [{"score": name, "value": result[name], "interval": result[f"{name}_confidence_interval"]} for name in names]


def _flat(row: Row, intervals: set[str]) -> Row:
    """Split the intervals of a row, two columns for each; "" becomes missing."""
    flat: Row = {}
    for name, value in row.items():
        if name in intervals:
            flat[f"{name}_low"], flat[f"{name}_high"] = value or (None, None)
        else:
            flat[name] = None if value == "" else value
    return flat


def _cells(rows: list[Row], escape: Callable[[str], str]) -> list[list[str]]:
    """Return the cells of the heading and of the rows as escaped text."""
    lines = [[_show(name, value) for name, value in row.items()] for row in rows]
    return [list(map(escape, line)) for line in (rows[0], *lines)]


def _show(name: str, value: Any) -> str:
    """Format a value: differences with their sign, p-values with two digits."""
    if isinstance(value, (list, tuple)):  # JSON only has lists
        return " to ".join(dict.fromkeys(_show(name, end) for end in value))
    if value is None:
        return _UNKNOWN
    if not isinstance(value, float):
        return str(value)
    if name.rpartition(" ")[2] == "p":
        return _p_value(value)
    return f"{value:+.4f}" if "difference" in name or name.startswith("corrected") else f"{value:.4f}"


def _markdown(rows: list[Row]) -> str:
    names, *lines = _cells(rows, lambda text: text.translate(_MARKDOWN))
    rule = ["---", *["---:"] * (len(names) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (names, rule, *lines))


def _latex(rows: list[Row]) -> str:
    head, *body = [f"{' & '.join(line)} \\\\" for line in _cells(rows, lambda text: text.translate(_LATEX))]
    begin = rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}"
    return "\n".join([begin, r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"])


def _html(rows: list[Row]) -> str:
    names, *lines = _cells(rows, html.escape)
    head = "".join(f"<th>{name}</th>" for name in names)
    drawn = [_with_bar(line, row, rows) for line, row in zip(lines, rows, strict=True)]
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in drawn)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _with_bar(line: list[str], row: Row, rows: list[Row]) -> list[str]:
    """Add a bar to the first interval of a line; all lines of a table share the ends of the axis."""
    name = "interval" if "interval" in row else "difference interval"
    place = list(row).index(name) if row.get(name) else 0
    value = list(row.values())[place - 1]
    if not place or value is None:
        return line
    ends = [end for other in rows for end in other[name] or ()] + [0.0, 1.0 if name == "interval" else 0.0]
    low, span = min(ends), max(ends) - min(ends) or 1.0
    start, end = row[name]
    bar = _BAR.format(start=(start - low) / span, width=(end - start) / span, at=(value - low) / span)
    return [*line[:place], line[place] + bar, *line[place + 1 :]]


def _score_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """Summarize scores without a comparison."""
    if "questions" in result:
        least, most = result["samples"]
        samples = f"{least}" if least == most else f"{least} to {most}"
        yield f"{count(result['questions'], 'question')}, {samples} samples each"
    for row in _score_rows(result):
        yield f"{row['score']}: {_with_interval(result, result, row['score'])}"
    for group, entries in result.get("groups", {}).items():
        yield f"  {group}: {_with_interval(result, entries, next(iter(entries)))}, n = {entries['total']}"


def _with_interval(result: Mapping[str, Any], entries: Mapping[str, Any], name: str, sign: str = "") -> str:
    value, level = entries[name], result.get("confidence_level")
    if value is None:
        return _UNKNOWN
    if f"{name}_confidence_interval" not in entries:
        return f"{value:{sign}.4f}"
    bounds = entries[f"{name}_confidence_interval"]
    ends = _UNKNOWN if bounds is None else " to ".join(f"{end:{sign}.4f}" for end in bounds)
    return f"{value:{sign}.4f} ({'' if level is None else f'{level * 100:.10g}% '}CI {ends})"


def _summarize(result: Result, pair: Mapping[str, Any]) -> str:
    """Summarize the main score of a system and the baseline."""
    score = result["score"]
    names = (pair["system"], pair["baseline"])
    sides = [f"{name} {_with_interval(result, result.entries_of(name), score)}" for name in names]
    several = len(result["systems"]) > 2  # with one comparison there is nothing to adjust
    adjusted = f", Holm-adjusted {_p_value(pair['adjusted_p_value'])}" if several else ""
    p_value = f"p = {_p_value(pair['p_value'])}{adjusted} ({pair['test']})"
    clusters = f" in {result['clusters']} clusters" if "clusters" in result else ""
    wins, losses = count(pair["wins"], "win"), count(pair["losses"], "loss", "losses")
    parts = [
        f"{score}: {sides[0]} vs. {sides[1]}",
        f"difference {_with_interval(result, pair, 'difference', '+')}, {p_value}",
        f"{wins}, {losses}, {count(pair['ties'], 'tie')}",
        f"n = {result['total'] - pair['left_out']}{clusters}",
        *_caveats(result, pair),
    ]
    if pair.get("corrected_difference") is not None:
        corrected = _with_interval(result, pair, "corrected_difference", "+")
        parts.append(f"corrected by human labels {corrected}, p = {_p_value(pair['corrected_p_value'])}")
    if "signature" in result:
        parts.append(result["signature"])
    return "; ".join(parts)


def _caveats(result: Mapping[str, Any], pair: Mapping[str, Any]) -> Iterator[str]:
    significant = pair["p_value"] <= 1 - result["confidence_level"]
    if not significant:
        detectable = pair["minimum_detectable_difference"]
        power = "" if detectable is None else f": with 80% power, the test detects a difference of {detectable:.4f}"
        yield f"not significant, which does not mean equal{power}"
    bounds = pair["difference_confidence_interval"]
    if bounds is not None and significant == (bounds[0] <= 0 <= bounds[1]):
        yield "the interval and the test disagree, so go by the test"
    if "noninferior" in pair:
        verdict = "not shown to be noninferior"
        if pair["noninferior"]:
            verdict = "equivalent" if pair["equivalent"] else "noninferior"
        yield f"{verdict} within a margin of {result['margin']}"
    if pair["left_out"]:
        yield f"{count(pair['left_out'], 'row')} left out because one of the two has no score"


def count(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, as in "1 win" and "2 losses"."""
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def _p_value(p_value: float) -> str:
    return f"{p_value:.2g}" if p_value >= 1e-4 else f"{p_value:.1e}"
