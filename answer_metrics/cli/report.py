"""What the command line prints: scores with intervals as a table, and rows that are wrong."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from answer_metrics.cli.inputs import SHOWN

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


def _text(result: Mapping[str, Any]) -> str:
    """Format the scores of all rows, and below them the main score of each group."""
    lines = [*_lines(result), *([result["signature"]] if "signature" in result else [])]
    groups = {
        f"{name} ({found['total']:,} rows){end}": value
        for name, found in result.get("groups", {}).items()
        for (_, value), end in zip(found.items(), ("", "_confidence_interval"), strict=False)
    }
    return "\n".join([*lines, *([""] if groups else []), *_lines(groups)])


def _lines(result: Mapping[str, Any]) -> list[str]:
    """Format each number in a result, with its interval as a bar on the line from 0 to 1."""
    shown = [name for name in result if f"{name}_confidence_interval" in result or type(result[name]) in {int, float}]
    width = max(map(len, shown), default=0)
    lines = []
    for name in shown:
        value, bounds = result[name], result.get(f"{name}_confidence_interval")
        figure = "none" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
        interval = f"{bounds[0]:.4f} to {bounds[1]:.4f}" if bounds else ""
        bar = f"  {_bar(value, bounds)}" if bounds and value is not None and 0 <= bounds[0] <= bounds[1] <= 1 else ""
        lines.append(f"{name:{width}}  {figure:>10}  {interval:16}{bar}".rstrip())
    return lines


def _bar(value: float, bounds: Sequence[float]) -> str:
    """Draw a score as a bar, and its interval as a thin line around its end."""
    low, high = (round(bound * _BAR) for bound in bounds)
    end = round(value * _BAR)
    cells = ["━" if place < end else " " for place in range(_BAR)]
    cells[low:high] = ["╋" if place == end - 1 else "─" for place in range(low, high)]
    return f"▕{''.join(cells)}▏"


def show_row(number: int, row: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Format a row that is wrong: its number in the file, its inputs, and the scores that were found."""
    lines = [f"row {number:,}"]
    for name in SHOWN:
        if row.get(name) is not None:
            text = row[name] if isinstance(row[name], str) else json.dumps(row[name], ensure_ascii=False)
            text = " ".join(text.split())
            lines.append(f"  {name.removesuffix('s'):11} {text if len(text) <= _LONGEST else text[:_LONGEST] + ' …'}")
    scores = ", ".join(f"{name} {value}" for name, value in found.items() if value is not None)
    return "\n".join([*lines, f"  {scores[:_LONGEST]}"])
