"""The chart of seconds against size on log-log axes, one panel per metric, written as SVG."""

import math
import statistics
from collections.abc import Iterable
from collections.abc import Mapping
from html import escape
from typing import Any

Points = dict[str, list[tuple[float, float]]]

_WIDTH, _HEIGHT, _LEFT, _TOP, _LEGEND = 460, 260, 62, 34, 17
_COLORS = ("#0b6e99", "#c2571a", "#5a8f29", "#8e4fa8", "#b8860b", "#7a7a7a", "#c23b5e", "#2f9e8f")


def _series(lines: Iterable[Mapping[str, Any]]) -> dict[str, Points]:
    """Collect the measured points (size, seconds) by metric, and by name of side and row."""
    panels: dict[str, Points] = {}
    for line in lines:
        if line["measure"] != "time":
            continue
        for side, name in ((line["ours"], "ours"), (line["peer"], line["peer"]["name"])):
            if side["values"]:
                points = panels.setdefault(line["metric"], {}).setdefault(f"{name}: {line['what']}", [])
                point = (float(side["size"]), statistics.median(side["values"]))
                if point not in points:
                    points.append(point)
    return panels


def _decades(values: Iterable[float]) -> tuple[int, int]:
    logs = [math.log10(value) for value in values]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    return low, max(high, low + 1)


def _label(power: int, *, seconds: bool) -> str:
    if seconds and power < 0:
        return f"{10 ** (power % 3)} {('ms', 'µs', 'ns')[-(power // 3) - 1]}"
    return f"{10**power:,}" + (" s" if seconds else "")


def _panel(title: str, series: Points, top: int) -> tuple[list[str], int]:
    """Draw one panel; return its elements and its height."""
    xs = _decades(x for points in series.values() for x, _ in points)
    ys = _decades(y for points in series.values() for _, y in points)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - xs[0]) / (xs[1] - xs[0])
        up = (math.log10(y) - ys[0]) / (ys[1] - ys[0])
        return _LEFT + across * _WIDTH, top + _TOP + (1 - up) * _HEIGHT

    bottom = top + _TOP + _HEIGHT + 16
    parts = [f'<text x="{_LEFT}" y="{top + 20}" font-weight="bold">{escape(title)}: time against size</text>']
    for power in range(xs[0], xs[1] + 1):
        x, _ = at(10.0**power, 10.0 ** ys[0])
        parts += [
            f'<path d="M{x:.1f} {top + _TOP}v{_HEIGHT}" stroke="#ddd"/>',
            f'<text x="{x:.1f}" y="{bottom}" text-anchor="middle">{_label(power, seconds=False)}</text>',
        ]
    for power in range(ys[0], ys[1] + 1):
        _, y = at(10.0 ** xs[0], 10.0**power)
        parts += [
            f'<path d="M{_LEFT} {y:.1f}h{_WIDTH}" stroke="#ddd"/>',
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_label(power, seconds=True)}</text>',
        ]
    legend = top + _TOP + _HEIGHT + 40
    for number, (name, points) in enumerate(series.items()):
        color = _COLORS[number % len(_COLORS)]
        dash = "" if name.startswith("ours") else ' stroke-dasharray="5 3"'
        coordinates = [at(x, y) for x, y in sorted(points)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in coordinates)
        parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>' for x, y in coordinates]
        y = legend + number * _LEGEND
        parts += [
            f'<path d="M{_LEFT} {y - 4}h24" stroke="{color}" stroke-width="2"{dash}/>',
            f'<text x="{_LEFT + 32}" y="{y}">{escape(name)}</text>',
        ]
    return parts, _TOP + _HEIGHT + 40 + len(series) * _LEGEND + 20


def draw(lines: Iterable[Mapping[str, Any]]) -> str:
    """Draw all panels, one below the other."""
    parts: list[str] = []
    top = 0
    for metric, series in _series(lines).items():
        panel, height = _panel(metric, series, top)
        parts += panel
        top += height
    width = _LEFT + _WIDTH + 60
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}"'
    first = f'{head} font-family="sans-serif" font-size="12" fill="#222">'
    return "\n".join([first, '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>", ""])
