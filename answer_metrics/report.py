"""What the command line prints: scores with intervals as a table, and rows that are wrong."""

import csv
import io
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any

_BAR = 32
_HEAD = ("score", "value", "interval")
_LONGEST = 400
_SHOWN = ("ids", "questions", "predictions", "references")


def render(result: Mapping[str, Any], style: str, counts: Mapping[str, Mapping[str, int]] | None = None) -> str:
    """Format a result of `aggregate`, `compare` or `repeats`.

    Args:
        result: The result.
        style: json, markdown, latex, csv or text.
        counts: For text, how many rows have which category, by the name of the column.
    """
    if style == "json":
        return json.dumps(result, ensure_ascii=False)
    drawn: Any = result
    if type(result) is dict:
        plain = {"markdown": _markdown, "latex": _latex, "csv": _csv}
        return plain[style](result) if style in plain else _text(result, counts or {})
    if style == "text":
        return str(drawn) if "systems" in result or "groups" not in result else _grouped(result, counts or {})
    return str(
        {"markdown": drawn.to_markdown, "latex": drawn.to_latex, "csv": lambda: _csv_of(drawn)}[style]()
    ).rstrip()


def _csv_of(result: Any) -> str:
    return str(result.to_pandas().to_csv(lineterminator="\n"))


def _rows(result: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return name, value and interval of every number in a result."""
    return [
        (name, value, result.get(f"{name}_confidence_interval"))
        for name, value in result.items()
        if isinstance(value, (int, float)) or (value is None and f"{name}_confidence_interval" in result)
    ]


def _figure(value: float | None) -> str:
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def _interval(bounds: Sequence[float] | None) -> str:
    return f"{bounds[0]:.4f} to {bounds[1]:.4f}" if bounds else ""


def _cells(result: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, _figure(value), _interval(bounds)) for name, value, bounds in _rows(result)]


def _markdown(result: Mapping[str, Any]) -> str:
    lines = [_HEAD, ("---", "---:", "---"), *_cells(result)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _latex(result: Mapping[str, Any]) -> str:
    lines = [" & ".join(line).replace("_", r"\_").replace("@", "{@}") for line in (_HEAD, *_cells(result))]
    body = " \\\\\n".join([lines[0] + r" \\ \midrule" + "\n" + lines[1], *lines[2:]])
    return f"\\begin{{tabular}}{{lrl}}\n\\toprule\n{body} \\\\\n\\bottomrule\n\\end{{tabular}}"


def _csv(result: Mapping[str, Any]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("score", "value", "low", "high"))
    writer.writerows((name, value, *(bounds or ("", ""))) for name, value, bounds in _rows(result))
    return text.getvalue().rstrip()


def _text(result: Mapping[str, Any], counts: Mapping[str, Mapping[str, int]]) -> str:
    """Format a table for a terminal: the interval of each score as a bar on the line from 0 to 1."""
    rows = _rows(result)
    width = max([len(name) for name, *_ in rows], default=0)
    lines = []
    for name, value, bounds in rows:
        inside = bounds and value is not None and 0 <= bounds[0] <= bounds[1] <= 1
        bar = f"  {_bar(value, bounds)}" if inside else ""
        lines.append(f"{name:{width}}  {_figure(value):>10}  {_interval(bounds):16}{bar}".rstrip())
    if lines:
        lines[0] = _bold(lines[0])
    for name, found in counts.items():
        lines.append(f"{name:{width}}  {', '.join(f'{kind} {count:,}' for kind, count in found.items())}")
    return "\n".join([*lines, *([_faint(result["signature"])] if "signature" in result else [])])


def _grouped(result: Mapping[str, Any], counts: Mapping[str, Mapping[str, int]]) -> str:
    """Format a result with groups: the table of all rows, and one of the groups' main scores."""
    groups = {
        f"{name}{end}": value
        for name, found in result["groups"].items()
        for (_, value), end in zip(found.items(), ("", "_confidence_interval"), strict=False)
    }
    return f"{_text(result, counts)}\n\n{_text(groups, {})}"


def _bar(value: float, bounds: Sequence[float]) -> str:
    """Draw a score as a bar, and its interval as a thin line around its end."""
    low, high = (round(bound * _BAR) for bound in bounds)
    end = round(value * _BAR)
    cells = ["━" if place < end else " " for place in range(_BAR)]
    cells[low:high] = ["╋" if place == end - 1 else "─" for place in range(low, high)]
    return f"▕{''.join(cells)}▏"


def _styled(text: str, code: str) -> str:
    plain = not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain else f"\x1b[{code}m{text}\x1b[0m"


def _bold(text: str) -> str:
    return _styled(text, "1")


def _faint(text: str) -> str:
    return _styled(text, "2")


def show_row(number: int, row: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Format a row that is wrong.

    Args:
        number: Its number in the file, counted from 1.
        row: Its inputs.
        found: Its scores.
    """
    width = shutil.get_terminal_size((100, 24)).columns
    lines = [_bold(f"row {number:,}")]
    for name in _SHOWN:
        if row.get(name) is not None:
            text = row[name] if isinstance(row[name], str) else json.dumps(row[name], ensure_ascii=False)
            text = " ".join(text.split())
            lines.append(
                f"  {name.removesuffix('s'):11} {text if len(text) <= width * 3 else text[: width * 3] + ' …'}"
            )
    lines.append(
        "  " + _faint(", ".join(f"{name} {value}" for name, value in found.items() if value is not None)[:_LONGEST])
    )
    return "\n".join(lines)
