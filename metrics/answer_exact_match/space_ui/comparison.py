# Vendored: edit metrics/_shared/space_ui/comparison.py and run `make vendor`.
"""Comparison of two systems on the page: scores, difference with its interval, and the rows that changed."""

import json
import math
import sys
import time
from collections.abc import Mapping
from collections.abc import Sequence
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple

from .comparison_rows import LABELS
from .comparison_rows import SYSTEMS
from .comparison_rows import explain_changes
from .controls import changed
from .export import as_plain
from .export import paper_rows
from .export import write_csv
from .pairing import SECOND
from .pairing import check_ids
from .permalink import pack_link
from .report import Example
from .report import Explanation
from .report import Report
from .report import Score
from .rows import Column
from .rows import InputError
from .space import Request

if TYPE_CHECKING:
    from .form import Form

_HIT_THRESHOLD = 0.5


class Side(NamedTuple):
    """One system: its columns for `compare`, and its rows with their outcomes."""

    inputs: dict[str, list[Any]]
    examples: Sequence[Example]
    messages: Sequence[str] = ()


def compare_systems(form: "Form", request: Request) -> dict[str, Any]:
    """Compare two systems by the rows of a page, scoring the rows unless they contain scores, and describe the result.

    Raises:
        ValueError: For input that can't be compared.
    """
    started = time.perf_counter()
    columns = form.columns_for(comparing=True)
    cells = {column.name: [row[x] for row in request.rows] for x, column in enumerate(columns)}
    compared_column = form.compared_columns[-1]
    for end, name in zip(("", SECOND), SYSTEMS, strict=True):
        if not any(cell.strip() for cell in cells[f"{compared_column}{end}"]):
            label = next(column.label for column in columns if column.name == f"{compared_column}{end}")
            raise InputError(f"System {name} has no data yet: fill in or upload the column “{label}”.")
    clusters = read_clusters(cells["clusters"])
    if any(cell.strip() for cell in cells["ids"]):
        check_ids(cells["ids"])
    asked = form.asked(request.options)
    if form.judged_column:
        asked = form.asked({name: request.options[name] for name in ("confidence_level", "bootstrap_seed")})
        sides = {name: judged_side(form, cells, end, name) for name, end in zip(SYSTEMS, ("", SECOND), strict=True)}
    else:
        sides = {
            name: scored_side(form, request, columns, skipped)
            for name, skipped in zip(SYSTEMS, (f"{compared_column}{SECOND}", compared_column), strict=True)
        }
    given = {name: side.inputs for name, side in sides.items()}
    compared, messages = compare_columns(form.metric, given, asked, clusters, signed=not form.judged_column)
    level = compared["confidence_level"]
    main, second = compared["score"], second_system(compared)
    explained = {name: side.examples for name, side in sides.items()}
    changes = explain_changes(request.rows, columns, explained, form.compared_columns[0], form.judged_column)
    scores = [
        Score(f"{name} {main}", system[main], *system[f"{main}_confidence_interval"])
        for name, system in compared["systems"].items()
    ]
    report = Report(
        title=f"{form.title}: A and B",
        scores=scores,
        level=level,
        explanation=Explanation(changes.examples, summarize(compared), LABELS),
        columns=changes.columns,
        figures=figures({**second, "clusters": compared.get("clusters")}),
        notices=[*dict.fromkeys([*(text for side in sides.values() for text in side.messages), *messages])],
        footnote=f"{compared} · {1000 * (time.perf_counter() - started):.0f} ms",
        side_by_side=True,
        filter_button=("Show changes only", "!near"),
    )
    kept = {"clusters": clusters} if clusters else {}
    options = {name: value for name, value in asked.items() if not form.judged_column or name not in form.defaults}
    saved = {"metric": form.name, "systems": given, **kept, "options": options, "comparison": as_plain(dict(compared))}
    filled = [x for x, column in enumerate(columns) if not column.optional or any(row[x] for row in request.rows)]
    head = [*(columns[x].name for x in filled), "outcome", "difference"]
    table = (
        [*(row[x] for x in filled), example.label, example.score]
        for row, example in zip(request.rows, changes.examples, strict=True)
    )
    return {
        **report.as_json(),
        "order": "lowest",
        "name": f"{form.name}_comparison",
        "json": json.dumps(saved, ensure_ascii=False, indent=1),
        "csv": write_csv(head, table),
        "snippet": code(form, options, grouped=clusters is not None),
        "paper": paper_rows(report.title, scores, level, len(request.rows), str(compared)),
        "link": pack_link(request.rows, changed(request.options, form.clean({})), comparing=True),
    }


def scored_side(form: "Form", request: Request, columns: Sequence[Column], skipped: str) -> Side:
    """Score the rows of one system; `skipped` is the column of the other one."""
    index = [column.name for column in columns].index(skipped)
    rows = [[*row[:index], *row[index + 1 :]] for row in request.rows]
    scored = form.evaluate(rows, request.options)
    return Side(dict(scored.inputs), form.explain(scored).examples, scored.messages)


def judged_side(form: "Form", cells: Mapping[str, Sequence[str]], end: str, name: str) -> Side:
    """Read the scores of one system."""
    scores = [
        read_score(cell, f"Row {y:,}, score {name}") for y, cell in enumerate(cells[f"{form.judged_column}{end}"], 1)
    ]
    examples = [
        Example("miss" if score is None or score < _HIT_THRESHOLD else "hit", "score", (), score=score)
        for score in scores
    ]
    return Side({f"{form.name}_{form.judged_column}": scores}, examples)


def read_score(cell: str, where: str) -> float | None:
    """Read a score from 0 to 1; an empty cell is a row without one.

    Raises:
        InputError: For anything else.
    """
    if not cell.strip():
        return None
    try:
        score = float(cell)
    except ValueError:
        score = math.nan
    if not 0 <= score <= 1:
        raise InputError(f"{where}: “{cell.strip()[:40]}” is not a number from 0 to 1.")
    return score


def read_clusters(cells: Sequence[str]) -> list[str] | None:
    """Return the cluster of each row, or None if no row has one.

    Raises:
        InputError: If only some rows have one.
    """
    clusters = [cell.strip() for cell in cells]
    if not any(clusters):
        return None
    if "" in clusters:
        raise InputError(f"Row {clusters.index('') + 1:,} has no cluster: give a cluster to every row or to none.")
    return clusters


def compare_columns(
    metric: Any,
    systems: Mapping[str, Mapping[str, Any]],
    options: Mapping[str, Any],
    clusters: Sequence[Any] | None = None,
    *,
    signed: bool = True,
) -> tuple[dict[str, Any], list[str]]:
    """Compare two systems, with a new metric object.

    Args:
        metric: A loaded metric.
        systems: The columns of A and B.
        options: The options of `compare`.
        clusters: One label per row, or None.
        signed: Whether to return the signature; false if the options do not say how the systems were scored.

    Returns:
        The result of `compare`, and the metric's warnings.

    Raises:
        ValueError: For bad input.
    """
    fresh = type(metric)(keep_in_memory=True)
    package = type(metric).__module__.rpartition(".")[0]
    with sys.modules[f"{package}._user_warnings"].capture_warnings() as messages:
        compared: dict[str, Any] = fresh.compare(systems, clusters=clusters, **options)
    if not signed:
        del compared["signature"]
    return compared, [text.removeprefix(f"{fresh.label}: ") for text in dict.fromkeys(messages)]


def describe(compared: Mapping[str, Any]) -> dict[str, Any]:
    """Add a summary line for a paper and a plain-language sentence to the result of `compare`."""
    return {**as_plain(dict(compared)), "summary": str(compared), "sentence": summarize(compared)}


def second_system(compared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of system B for the main score."""
    return {key: _of(value, compared["score"]) for key, value in compared["systems"]["B"].items()}


def _of(value: Any, score: str) -> Any:
    """Return the value for one score if the comparison has one per score."""
    return value.get(score) if isinstance(value, dict) else value


def summarize(compared: Mapping[str, Any]) -> str:
    """State in a sentence or two whether B is better than A."""
    second, level = second_system(compared), compared["confidence_level"]
    if compared["total"] == second["left_out"]:
        return "No row has scores from both systems, so nothing can be compared."
    points = 100 * second["difference"]
    low, high = (100 * end for end in second["difference_confidence_interval"])
    amount = f"{abs(points):.1f}" if abs(points) >= 0.1 else f"{abs(points):.1g}"  # noqa: PLR2004  # one digit
    verdict = f"is {amount} points {'better' if points > 0 else 'worse'} than" if points else "scores the same as"
    grouped = f", {compared['clusters']:,} clusters" if "clusters" in compared else ""
    text = f"B {verdict} A ({100 * level:g}% CI of the difference {low:+.1f} to {high:+.1f} points"
    text += f", p = {second['p_value']:.2g}{grouped}). "
    significant = second["p_value"] <= 1 - level
    if significant is (low <= 0 <= high):
        text += "The interval and the test disagree; the test decides. "
    if significant:
        return f"{text}A difference like this is unlikely to be due to chance."
    needed = 100 * second["minimum_detectable_difference"]
    chance = "This can be due to chance: with" if points else "With"
    rows = f"{compared['total'] - second['left_out']:,} rows"
    amount = f"{needed:.0f}" if needed >= 10 else f"{needed:.2g}"  # noqa: PLR2004  # two digits
    return f"{text}{chance} {rows}, only differences of about {amount} points or more are likely to be detected."


def figures(second: Mapping[str, Any]) -> list[tuple[str, float, str]]:
    """List the figures of a comparison with their help texts."""
    names = {
        "difference": "B minus A",
        "p_value": "The probability of such a difference if A and B were equally good",
        "wins": "Rows on which B scores higher",
        "losses": "Rows on which A scores higher",
        "ties": "Rows on which both score the same",
        "minimum_detectable_difference": "The true difference that the test would detect with a power of 80%",
        "clusters": "Number of groups of rows that depend on each other",
    }
    return [(name, second[name], text) for name, text in names.items() if second.get(name) is not None]


def code(form: "Form", options: Mapping[str, Any], *, grouped: bool) -> str:
    """Write the Python code that reproduces the comparison."""
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    clusters = ', clusters=saved["clusters"]' if grouped else ""
    unsigned = '# The scores do not identify their judge.\ndel result["signature"]\n' if form.judged_column else ""
    return (
        f'import json\n\nimport evaluate\n\n{form.name} = evaluate.load("{form.address}")\n'
        f'# Download the JSON file from the page.\nwith open("{form.name}_comparison.json", encoding="utf-8") as '
        f"file:\n    saved = json.load(file)\n\n"
        f'result = {form.name}.compare(saved["systems"]{clusters}{given})\n{unsigned}print(result)\n'
    )
