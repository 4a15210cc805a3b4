"""Write the tables of options and results in the metric cards from the metrics' declarations: `make cards`."""

import dataclasses
import os
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")
os.environ.setdefault("HF_EVALUATE_OFFLINE", "1")

import evaluate

from answer_metrics.columns.inputs import COMMON_INPUTS
from answer_metrics.columns.reasoning import AnswerOptions
from answer_metrics.core.options import literal
from spaces import build
from spaces.flatten import ROOT

OUTPUTS = tuple(f"with `{name}` only." for name in ("clusters", "return_signature", "human_labels"))
"""How the help of the results ends that all metrics share; docs/contract.md and docs/human-labels.md describe them."""
SENTENCE = "The [common interface](../../docs/contract.md) describes"
SHARED = [*COMMON_INPUTS, *(field.name for field in dataclasses.fields(AnswerOptions))]
"""Inputs and options of several metrics, which docs/contract.md describes; a card has their defaults only."""


def input_table(metric: Any) -> list[str]:
    """Return the table of a metric's own inputs and options as lines, and the sentence about the shared ones."""
    rows = ["| name | type | default | description |", "| --- | --- | --- | --- |"]
    for name, column in metric.inputs.items():
        if name not in SHARED:
            default = "`None`" if column.optional else ""
            rows.append(f"| `{name}` | {column.type_name} | {default} | {_cell(column.help)} |")
    for name, option in metric.options.items():
        if name not in SHARED:
            kind = _cell(option.type_name.removeprefix("one of "))
            rows.append(f"| `{name}` | {kind} | `{literal(option.default)}` | {_cell(option.help)} |")
    options = [f"`{name}={literal(metric.options[name].default)}`" for name in SHARED if name in metric.options]
    shared = ", ".join([*(f"`{name}`" for name in COMMON_INPUTS), *options])
    sentence = (
        f"{SENTENCE} the other inputs and options, {shared}, and the methods `score_batch`, `aggregate` and `compare`."
    )
    return [*rows, "", *textwrap.wrap(sentence, 120, break_long_words=False, break_on_hyphens=False)]


def output_table(metric: Any) -> list[str]:
    """Return the table of the result's keys as lines. Keys with the same description share a row."""
    names: dict[tuple[str, str], list[str]] = {}
    for name, output in metric.outputs.items():
        if not output.help.endswith(OUTPUTS):
            names.setdefault((output.type_name, output.help), []).append(name)
    rows = [f"| {_names(keys)} | {kind} | {_cell(text)} |" for (kind, text), keys in names.items()]
    return ["| key | type | description |", "| --- | --- | --- |", *rows]


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def documented(card: str, metric: Any) -> str:
    """Return a card with its tables replaced by those of the metric."""
    for heading, table in (("### Inputs", input_table(metric)), ("### Output values", output_table(metric))):
        pattern = rf"({re.escape(heading)}\n+)(?:\|[^\n]*\n)+(?:\n{re.escape(SENTENCE)} (?:.+\n)+)?"
        written = "\n".join(table).replace("\\", r"\\")
        card, count = re.subn(pattern, rf"\g<1>{written}\n", card)
        if count != 1:
            raise SystemExit(f"the card of {metric.name} must have one table below {heading!r}")
    return card


def problems(directory: Path, metric: Any) -> list[str]:
    """Return the problems with the tables of a card."""
    card = (directory / "README.md").read_text(encoding="utf-8")
    return [] if documented(card, metric) == card else [f"{directory.name}/README.md: run make cards"]


def main(arguments: list[str]) -> int:
    """Update every card; with --check, report those that differ and fail instead."""
    failed = False
    for directory in build.metric_directories():
        metric = evaluate.load(str(directory))
        outdated = problems(directory, metric)
        if outdated and arguments == ["--check"]:
            print(*outdated, sep="\n")
            failed = True
        elif outdated:
            path = directory / "README.md"
            path.write_text(documented(path.read_text(encoding="utf-8"), metric), encoding="utf-8")
            print(f"updated: {path.relative_to(ROOT)}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
