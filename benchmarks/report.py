"""Formatting of the measurements as a Markdown table."""

import statistics
from collections.abc import Mapping
from typing import Any

_KIB = 1024
_HUNDRED = 100


def show_seconds(seconds: float) -> str:
    """Format a time in s, ms or µs."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= factor:
            return (
                f"{seconds / factor:.3g} {unit}" if seconds < _HUNDRED * factor else f"{seconds / factor:,.0f} {unit}"
            )
    return f"{seconds * 1e6:.3g} µs"


def show_bytes(count: float) -> str:
    """Format an amount of memory in MiB."""
    return f"{count / _KIB**2:,.0f} MiB"


def show(value: float, measure: str) -> str:
    """Format a measured value."""
    return show_bytes(value) if "memory" in measure else show_seconds(value)


def is_missed(line: Mapping[str, Any]) -> bool:
    """Return whether a line misses its target by more than 10%, which is left to the noise of a busy machine."""
    return line["target"] is not None and line["ratio"] is not None and line["ratio"] < 0.9 * line["target"]


def show_ratio(ratio: float) -> str:
    """Format a ratio with three significant digits, or as an integer from 100 on."""
    return f"{ratio:,.0f}x" if ratio >= _HUNDRED else f"{ratio:.3g}x"


def _number(note: str, notes: list[str]) -> int:
    """Return the number of a footnote; equal notes share one."""
    if note not in notes:
        notes.append(note)
    return notes.index(note) + 1


def _cells(line: Mapping[str, Any], notes: list[str]) -> list[str]:
    ours, peer = line["ours"], line["peer"]
    own = show(statistics.median(ours["values"]), line["measure"])
    cells = [line["metric"], line["what"], f"{line['size']:,} {line['unit']}", own]
    if peer["skipped"]:
        return [*cells, peer["name"], peer["skipped"], "", "", "", "", "", ""]
    scale = line["size"] / peer["size"]
    theirs = show(statistics.median(peer["values"]) * scale, line["measure"])
    if scale > 1:
        scaled = f"Measured at size {peer['size']:,} and scaled proportionally."
        theirs += f" [{_number(scaled, notes)}]"
    low, high = line["spread"]
    verdict = ""
    if line["target"] is not None:
        verdict = f"{show_ratio(line['target'])} {'**missed**' if is_missed(line) else 'met'}"
    return [
        *cells,
        peer["name"],
        theirs,
        f"**{show_ratio(line['ratio'])}** ({show_ratio(low)} to {show_ratio(high)})",
        verdict,
        " / ".join(show_bytes(side["peak_memory"]) if side["peak_memory"] else "-" for side in (ours, peer)),
        str(len(ours["values"])),
        str(line["load"]),
        f"[{_number(line['differences'], notes)}]" if line["differences"] else ("agree" if line["compared"] else ""),
    ]


def _escaped(note: str) -> str:
    return note.replace("|", "\\|").replace("<", "&lt;")


def to_markdown(table: Mapping[str, Any]) -> str:
    """Format the table with machine, versions and footnotes."""
    machine = table["machine"]
    headings = ["metric", "what", "size", "ours", "peer", "theirs", "ratio (spread)", "target", "peak memory", "runs"]
    headings += ["load", "results"]
    notes: list[str] = []
    rows = [_cells(line, notes) for line in table["lines"]]
    found = {k: v for line in table["lines"] for side in ("ours", "peer") for k, v in line[side]["versions"].items()}
    versions = ", ".join(f"{name} {version}" for name, version in sorted(found.items()))
    how = (
        "Speed and memory of the metrics and of comparable libraries, written by `make bench`. Times are medians of "
        "alternating runs. The ratio is theirs / ours, so above 1 ours is faster; the spread is the smallest and the "
        "largest ratio of two consecutive runs. A target is met with 10% of slack for a noisy machine. Peak memory is "
        "that of the whole process, ours / theirs. Load is the machine's load average, to which the benchmark adds 1. "
        "Results agree, or a footnote says how they differ. "
        "[Growth](growth.md) shows how time grows with size."
    )
    where = (
        f"{table['date']}, {machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, "
        f"{machine['system']}, Python {machine['python']}. {versions}."
    )
    parts = ["# Benchmark", "", how, "", where, "", f"| {' | '.join(headings)} |", f"|{' --- |' * len(headings)}"]
    parts += [f"| {' | '.join(row)} |" for row in rows]
    parts += [f"\n[{number}] {_escaped(note)}" for number, note in enumerate(notes, start=1)]
    return "\n".join([*parts, ""])
