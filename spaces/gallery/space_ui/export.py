# Vendored: edit metrics/_shared/space_ui/export.py and run `make vendor`.
"""Exports of a result: JSON, CSV without formulas, Python code, tables for papers."""

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
_FORMULA_STARTS = frozenset("=+-@\t\r")
_MAX_INLINE = 40  # rows that the Python code contains; with more it reads the downloaded file


def as_plain(value: Any) -> Any:
    """Convert the tuples of a result to lists, so that it survives a round trip through JSON."""
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    return value


def write_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV, with lists as JSON."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)  # with its \r\n line ends it quotes cells that contain either character
    writer.writerow(head)
    writer.writerows(zip(*map(_csv_column, zip(*rows, strict=True)), strict=True))
    return buffer.getvalue()


def examples_csv(
    columns: Sequence[str], rows: Sequence[Sequence[str]], examples: Sequence[Example], result: Mapping[str, Any]
) -> str:
    """Write the examples as CSV: inputs, outcome, and the metric's per-example lists."""
    lists = {key: value for key, value in result.items() if isinstance(value, list) and len(value) == len(rows)}
    head = [*(name.removesuffix("s") for name in columns), "outcome", *lists]
    table = zip(rows, examples, *lists.values(), strict=True)
    return write_csv(head, ([*row, example.label, *values] for row, example, *values in table))


def _csv_column(cells: Sequence[object]) -> Iterable[object]:
    """Escape the cells of a column; most columns need no escaping."""
    is_safe = all(type(cell) is float or (type(cell) is str and cell[:1] not in _FORMULA_STARTS) for cell in cells)
    return cells if is_safe else map(_csv_cell, cells)


def _csv_cell(cell: object) -> object:
    """Escape a cell against CSV injection.

    Spreadsheets interpret text that begins with one of `_FORMULA_STARTS` as a formula, which may send other cells to a
    server. A leading apostrophe makes it text. Numbers are kept as they are.
    """
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    if not isinstance(cell, str) or cell[:1] not in _FORMULA_STARTS:
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def python_code(
    name: str, address: str, scores: Sequence[str], inputs: Mapping[str, list[Any]], options: Mapping[str, Any]
) -> str:
    """Write the Python code that reproduces the result.

    Args:
        name: The name of the metric.
        address: The argument of `evaluate.load`.
        scores: The keys of the result to print.
        inputs: The columns.
        options: The options that differ from the metric's defaults.
    """
    load = f'import evaluate\n\n{name} = evaluate.load("{address}")\n'
    shown = "print(" + ", ".join(f'result["{key}"]' for key in scores) + ")\n"
    if len(next(iter(inputs.values()))) > _MAX_INLINE:
        return (
            f"import json\n\n{load}\n# Too many rows to list here: download the JSON file from the page.\n"
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
    """Write scores in percent, with intervals and signature, as a Markdown table and as LaTeX rows."""
    interval = f"{100 * level:g}% CI"
    lines = [f"| {title} | score (%) | {interval} | n |", "| --- | --- | --- | --- |"]
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
    note = f"% {title}, {interval}" + (f", {signature}" if signature else "")
    return {
        "markdown": "\n".join([*lines, *(["", f"`{signature}`"] if signature else [])]) + "\n",
        "latex": "\n".join([note, *latex]) + "\n",
    }
