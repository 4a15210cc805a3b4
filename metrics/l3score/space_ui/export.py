# Vendored: edit metrics/_shared/space_ui/export.py and run `make vendor`.
"""Exports of a result: plain values for JSON, CSV that no spreadsheet computes, Python code, rows for a paper."""

import csv
import io
import json
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from .report import Example
from .report import Score

EN_DASH = "\N{EN DASH}"
_WRITTEN_OUT = 40  # rows that the Python code spells out; with more it reads the downloaded file


def as_plain(value: Any) -> Any:
    """Turn tuples of a result into lists, so that it is the same before and after JSON."""
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    return value


def write_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV; a list stands in its cell as JSON."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)  # its line ends, \r\n, make it quote a cell that holds either
    writer.writerow(head)
    writer.writerows(map(_csv_cell, row) for row in rows)
    return buffer.getvalue()


def examples_csv(
    columns: Sequence[str], rows: Sequence[Sequence[str]], examples: Sequence[Example], result: Mapping[str, Any]
) -> str:
    """Write the examples as CSV: what was given, what became of it, and the metric's per-example lists."""
    lists = {key: value for key, value in result.items() if isinstance(value, list) and len(value) == len(rows)}
    head = [*(name.removesuffix("s") for name in columns), "outcome", *lists]
    table = (
        [*row, examples[index].label, *(values[index] for values in lists.values())] for index, row in enumerate(rows)
    )
    return write_csv(head, table)


def _csv_cell(cell: object) -> object:
    """Make a cell of a CSV file one that a spreadsheet shows and does not compute.

    Excel and others take text that begins with one of these characters for a formula, which may send the other cells to
    a server. An apostrophe before it makes it a text. A number stays one; JSON, which nothing
    computes, holds all as it is.
    """
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    if not isinstance(cell, str) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def python_code(
    name: str, address: str, scores: Sequence[str], inputs: Mapping[str, list[Any]], options: Mapping[str, Any]
) -> str:
    """Write the Python code that leads to the same result.

    Args:
        name: The metric.
        address: What `evaluate.load` takes.
        scores: The keys of the result to print.
        inputs: The columns.
        options: The options that differ from the metric's defaults.
    """
    load = f'import evaluate\n\n{name} = evaluate.load("{address}")\n'
    shown = "print(" + ", ".join(f'result["{key}"]' for key in scores) + ")\n"
    if len(next(iter(inputs.values()))) > _WRITTEN_OUT:
        return (
            f"import json\n\n{load}\n# Too many rows to write out here: this is the file that the page offers.\n"
            f'with open("{name}.json", encoding="utf-8") as file:\n    saved = json.load(file)\n\n'
            f'result = {name}.compute(**saved["inputs"], **saved["options"])\n{shown}'
        )
    lines = []
    for column, values in inputs.items():
        lines += [f"    {column}=[", *(f"        {value!r}," for value in values), "    ],"]
    lines += [f"    {option}={value!r}," for option, value in options.items()]
    arguments = "\n".join(lines)
    return f"{load}result = {name}.compute(\n{arguments}\n)\n{shown}"


def paper_rows(title: str, scores: Sequence[Score], level: float, total: int, signature: str) -> dict[str, str]:
    """Write scores in percent, with interval and signature, as a table in Markdown and as rows for LaTeX."""
    name = f"{100 * level:g}% CI"
    lines = [f"| {title} | score (%) | {name} | n |", "| --- | --- | --- | --- |"]
    latex = []
    for score in scores:
        value = f"{100 * score.value:.1f}"
        ends = (
            [] if score.low is None or score.high is None else [f"{100 * end:.1f}" for end in (score.low, score.high)]
        )
        lines.append(f"| {score.name} | {value} | {EN_DASH.join(ends)} | {total:,} |")
        escaped = score.name.replace("_", r"\_")
        small = f" {{\\scriptsize [{', '.join(ends)}]}}" if ends else ""
        latex.append(f"{escaped} & {value}{small} & {total} \\\\")
    note = f"% {title}, {name}" + (f", {signature}" if signature else "")
    return {
        "markdown": "\n".join([*lines, *(["", f"`{signature}`"] if signature else [])]) + "\n",
        "latex": "\n".join([note, *latex]) + "\n",
    }
