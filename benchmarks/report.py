"""Formatting of the measurements as Markdown tables."""

import statistics
from collections.abc import Mapping
from typing import Any

HEADINGS = ["what", "size", "this repository", "peer", "peer's", "ratio"]
_HUNDRED = 100
_HOW = (
    "Speed and memory compared with other libraries, written by `make bench`. The two sides of a row run alternately, "
    "each in its own process; values are medians of three to ten runs. Both sides have the same results, or a note "
    "says how they differ. Queries of `precision_recall_f1` have 10 chunks and 5 ground truths of 560 tokens. "
    "[growth.md](growth.md) shows how time grows with size."
)


def show_seconds(seconds: float) -> str:
    """Format a time in s, ms or µs."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= factor:
            return (
                f"{seconds / factor:,.0f} {unit}" if seconds >= _HUNDRED * factor else f"{seconds / factor:.3g} {unit}"
            )
    return f"{seconds * 1e6:.3g} µs"


def show(value: float, measure: str) -> str:
    """Format a measured value: a time, or memory in MiB."""
    return f"{value / 2**20:,.0f} MiB" if "memory" in measure else show_seconds(value)


def is_missed(line: Mapping[str, Any]) -> bool:
    """Return whether a line was measured and misses its target."""
    return line["target"] is not None and line["ratio"] is not None and line["ratio"] < line["target"]


def show_ratio(ratio: float, measure: str) -> str:
    """Say how many times faster or smaller our side is, or by how much it exceeds the peer."""
    better, worse = ("less", "as much") if "memory" in measure else ("faster", "as long")
    factor = ratio if ratio >= 1 else 1 / ratio
    return f"{f'{factor:,.0f}' if factor >= _HUNDRED else f'{factor:.3g}'}x {better if ratio >= 1 else worse}"


def show_target(target: float, measure: str) -> str:
    """Say what was wanted."""
    if target == 1:
        return "not more" if "memory" in measure else "not slower"
    return f"at {'least' if target > 1 else 'most'} {show_ratio(target, measure)}"


def cells_of(line: Mapping[str, Any], notes: list[str]) -> list[str]:
    """Return the cells of a line; its notes, numbered, are added to the others."""
    marks = ""
    for note in line["notes"]:
        if note not in notes:
            notes.append(note)
        marks += f" [{notes.index(note) + 1}]"
    measure, peer = line["measure"], f"{line['peer']}{marks}"
    ours = show(statistics.median(line["ours"]), measure) if line["ours"] else ""
    cells = [line["what"], f"{line['size']:,} {line['unit']}", ours, peer]
    if line["ratio"] is None:
        return [*cells, "", "not measured"]
    theirs = statistics.median(line["theirs"]) * line["size"] / line["peer_size"]
    ratio = f"**{show_ratio(line['ratio'], measure)}**"
    if is_missed(line):
        ratio += f"; target: {show_target(line['target'], measure)}"
    return [*cells, show(theirs, measure), ratio]


def table(headings: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (headings, ["---"] * len(headings), *rows)]


def where(about: Mapping[str, Any]) -> str:
    """Describe a run in one sentence: date and machine."""
    return (
        f"{about['date']}, {about['cpu']}, {about['cores']} cores, {about['memory_gib']} GiB, {about['system']}, "
        f"Python {about['python']}."
    )


def to_markdown(measured: Mapping[str, Any]) -> str:
    """Format the measurements: a table for each subject, then the notes."""
    lines = measured["lines"]
    versions = ", ".join(f"{name} {version}" for name, version in sorted(measured["versions"].items()))
    wanted = [line for line in lines if line["target"] is not None and line["ratio"] is not None]
    met = sum(not is_missed(line) for line in wanted)
    parts = ["# Benchmark", "", _HOW, "", f"{where(measured['machine'])} {versions}.", ""]
    parts += [f"{met} of {len(wanted)} targets met; a ratio that missed its target shows it."]
    if measured["failed"]:
        parts += ["", f"Failed, and not in the tables: {', '.join(measured['failed'])}."]
    notes: list[str] = []
    for subject in dict.fromkeys(line["subject"] for line in lines):
        rows = [cells_of(line, notes) for line in lines if line["subject"] == subject]
        parts += ["", f"## {subject}", "", *table(HEADINGS, rows)]
    parts += [f"\n[{number}] {note}" for number, note in enumerate(notes, start=1)]
    return "\n".join([*parts, ""])
