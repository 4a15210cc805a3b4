"""Output of the command line: a table of scores with intervals, and wrong rows."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from answer_metrics.cli.inputs import SHOWN
from answer_metrics.core.results import Result
from answer_metrics.files.rows import plural

_BAR = 32
_LONGEST = 400


def render(result: Any, style: str) -> str:
    """Format a result of `draw`, `compare` or `repeats`."""
    if style == "json":
        return json.dumps(result, ensure_ascii=False)
    if style == "csv":
        tables = (result.to_pandas(name).to_csv(index=False, lineterminator="\n") for name in result.tables())
        return "\n".join(tables).rstrip()
    if style != "text":
        return str(result.to_latex() if style == "latex" else result.to_markdown())
    if "systems" in result:
        groups = [result.to_markdown().rpartition("\n\n")[2]] if "groups" in result else []
        return "\n\n".join([str(result), *groups])
    return str(result) if "questions" in result else _text(result)


class _Table(Result):
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        return {"scores": self["lines"]}


class Run(NamedTuple):
    """A system scored by a metric; `score` is the key of the main score, `total` the number of rows."""

    system: str
    metric: str
    score: str
    total: int
    result: Mapping[str, Any]


def render_several(runs: Sequence[Run], style: str) -> str:
    """Format the main scores of systems as one table; as JSON, a list of all results."""
    if style == "json":
        entries = [{"system": run.system, "metric": run.metric, **run.result} for run in runs]
        return json.dumps(entries, ensure_ascii=False)
    has_groups = any("groups" in run.result for run in runs)
    lines = []
    for run in runs:
        for group, scores in {"all": {"total": run.total, **run.result}, **run.result.get("groups", {})}.items():
            line = {"system": run.system, "metric": run.metric, **({"group": group} if has_groups else {})}
            interval = scores.get(f"{run.score}_confidence_interval")
            line |= {"score": run.score, "value": scores[run.score], "interval": interval, "total": scores["total"]}
            lines.append(line)
    if style != "text":
        return render(_Table(lines=lines), style)
    names = [key for key in lines[0] if key not in {"value", "interval", "total"}]
    widths = {key: max(len(line[key]) for line in lines) for key in names}
    texts: dict[str, Any] = {}
    for line in lines:
        name = "  ".join(line[key].ljust(width) for key, width in widths.items())
        name = f"{name}  {plural(line['total'], 'row'):>12}"
        texts |= {name: line["value"], f"{name}_confidence_interval": line["interval"]}
    return "\n".join(_lines(texts))


def _text(result: Mapping[str, Any]) -> str:
    lines = [*_lines(result), *([result["signature"]] if "signature" in result else [])]
    groups = {
        f"{name} ({plural(group['total'], 'row')}){end}": value
        for name, group in result.get("groups", {}).items()
        for (_, value), end in zip(group.items(), ("", "_confidence_interval"), strict=False)
    }
    return "\n".join([*lines, *([""] if groups else []), *_lines(groups)])


def _lines(result: Mapping[str, Any]) -> list[str]:
    """Format each number in a result, with its interval as a bar on the line from 0 to 1."""
    names = [name for name in result if f"{name}_confidence_interval" in result or type(result[name]) in {int, float}]
    width = max(map(len, names), default=0)
    lines = []
    for name in names:
        value, bounds = result[name], result.get(f"{name}_confidence_interval")
        figure = "none" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
        interval = f"{bounds[0]:.4f} to {bounds[1]:.4f}" if bounds else ""
        is_drawn = value is not None and bounds and 0 <= bounds[0] <= bounds[1] <= 1
        bar = f"  {_bar(value, bounds or ())}" if is_drawn else ""
        lines.append(f"{name:{width}}  {figure:>10}  {interval:16}{bar}".rstrip())
    return lines


def _bar(value: float, bounds: Sequence[float]) -> str:
    low, high = (round(bound * _BAR) for bound in bounds)
    end = round(value * _BAR)
    cells = ["━" if place < end else " " for place in range(_BAR)]
    cells[low:high] = ["╋" if place == end - 1 else "─" for place in range(low, high)]
    return f"▕{''.join(cells)}▏"


def show_row(number: int, row: Mapping[str, Any], scores: Mapping[str, Any]) -> str:
    """Format a row: its number in the file, its inputs, and its scores."""
    lines = [f"row {number:,}"]
    for name in SHOWN:
        if row.get(name) is not None:
            text = row[name] if isinstance(row[name], str) else json.dumps(row[name], ensure_ascii=False)
            text = " ".join(text.split())
            lines.append(f"  {name.removesuffix('s'):11} {text if len(text) <= _LONGEST else text[:_LONGEST] + ' …'}")
    values = ", ".join(f"{name} {value}" for name, value in scores.items() if value is not None)
    return "\n".join([*lines, f"  {values[:_LONGEST]}"])
