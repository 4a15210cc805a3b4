# Vendored: edit metrics/_shared/space_ui/comparison.py and run `make vendor`.
"""Two systems on the same rows: both scores, their difference with its interval, and the rows that changed."""

import json
import sys
import time
from collections.abc import Mapping
from collections.abc import Sequence
from typing import TYPE_CHECKING
from typing import Any

from .controls import changed
from .export import as_plain
from .export import paper_rows
from .export import write_csv
from .permalink import pack_link
from .report import Example
from .report import Explanation
from .report import Outcome
from .report import Report
from .report import Score
from .report import Span
from .rows import InputError
from .space import Request

if TYPE_CHECKING:
    from .form import Form

SYSTEMS = ("A", "B")
LABELS: dict[str, Outcome] = {"improved": "hit", "same score": "near", "regressed": "miss"}


def compare_systems(form: "Form", request: Request) -> dict[str, Any]:
    """Score the rows of both systems, compare them, and describe that to the page.

    Raises:
        ValueError: For what can't be scored.
    """
    started = time.perf_counter()
    place = [column.name for column in form.columns].index(str(form.compared_column))
    rows = {
        "A": [[*row[: place + 1], *row[place + 2 :]] for row in request.rows],
        "B": [[*row[:place], *row[place + 1 :]] for row in request.rows],
    }
    empty = [name for name in SYSTEMS if not any(row[place].strip() for row in rows[name])]
    if empty:
        label = form.columns[place].label
        raise InputError(f"There are no texts of system {empty[0]}: fill or upload the column “{label} {empty[0]}”.")
    scored = {name: form.evaluate(rows[name], request.options) for name in SYSTEMS}
    explained = {name: form.explain(scored[name]).examples for name in SYSTEMS}
    options = {name: value for name, value in scored["A"].asked.items() if not name.startswith("return_")}
    level = options.pop("confidence_level", 0.95)
    seed = options.pop("bootstrap_seed", 0)
    given = {name: dict(scored[name].inputs) for name in SYSTEMS}
    compared, messages = compare_columns(
        form.metric, given, {"confidence_level": level, "bootstrap_seed": seed, **options}
    )
    comparison = as_plain(dict(compared))
    main, second = compared["score"], second_system(compared)
    examples = explain_changes(explained, place, scored["A"].texts)
    told = summarize(compared)
    scores = [
        Score(f"{name} {main}", scored[name].result[main], *scored[name].result[f"{main}_confidence_interval"])
        for name in SYSTEMS
    ]
    columns = form.columns_for(comparing=True)
    report = Report(
        title=f"{form.title}: A and B",
        scores=scores,
        level=level,
        explanation=Explanation(examples, told, LABELS),
        columns=[column.label for column in columns if not column.optional or column in scored["A"].columns],
        figures=figures(second),
        notices=[*dict.fromkeys([*scored["A"].messages, *scored["B"].messages, *messages])],
        footnote=f"{compared} · {1000 * (time.perf_counter() - started):.0f} ms",
        side_by_side=True,
        filter_button=("Show changes only", "!near"),
    )
    saved = {"metric": form.name, "systems": given, "options": options, "comparison": comparison}
    head = [*(column.name for column in columns), "outcome", "difference"]
    table = ([*row, one.label, one.score] for row, one in zip(request.rows, examples, strict=True))
    return {
        **report.as_json(),
        "order": "lowest",
        "name": f"{form.name}_comparison",
        "json": json.dumps(saved, ensure_ascii=False, indent=1),
        "csv": write_csv(head, table),
        "snippet": code(form, options, level),
        "paper": paper_rows(report.title, scores, level, len(examples), str(compared)),
        "link": pack_link(request.rows, changed(request.options, form.clean({})), comparing=True),
    }


def compare_columns(
    metric: Any,
    systems: Mapping[str, Mapping[str, Any]],
    options: Mapping[str, Any],
    clusters: Sequence[Any] | None = None,
    *,
    signed: bool = True,
) -> tuple[dict[str, Any], list[str]]:
    """Compare two systems, with a metric object of its own.

    Args:
        metric: A loaded metric.
        systems: The columns of A and B.
        options: Those of `compare`.
        clusters: One label per row, if there are any.
        signed: Whether the options say how the systems were scored.

    Returns:
        What `compare` returns, and what the metric warned of.

    Raises:
        ValueError: For bad input.
    """
    own = type(metric)(keep_in_memory=True)
    package = type(metric).__module__.rpartition(".")[0]
    with sys.modules[f"{package}._user_warnings"].capture_warnings() as messages:
        compared: dict[str, Any] = own.compare(systems, clusters=clusters, **options)
    if not signed:
        del compared["signature"]
    return compared, [text.removeprefix(f"{own.label}: ") for text in dict.fromkeys(messages)]


def describe(compared: Mapping[str, Any]) -> dict[str, Any]:
    """Add to the result of `compare` one line for a paper and a sentence in plain words."""
    return {**as_plain(dict(compared)), "summary": str(compared), "sentence": summarize(compared)}


def second_system(compared: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a comparison says of B and the main score."""
    return {key: _of(value, compared["score"]) for key, value in compared["systems"]["B"].items()}


def _of(value: Any, score: str) -> Any:
    """Return the value for one score, where a comparison holds one for each."""
    return value.get(score) if isinstance(value, dict) else value


def explain_changes(
    explained: Mapping[str, Sequence[Example]],
    place: int,
    texts: Sequence[tuple[str | list[str], ...]],
) -> list[Example]:
    """Describe what became of each row from A to B."""
    examples = []
    for index, (one, other) in enumerate(zip(explained["A"], explained["B"], strict=True)):
        difference = (other.score or 0.0) - (one.score or 0.0)
        label = "improved" if difference > 0 else "regressed" if difference < 0 else "same score"
        why: list[Span] = [
            ("chip", f"{name} {example.label}", example.outcome, example.score or 0.0)
            for name, example in zip(SYSTEMS, (one, other), strict=True)
        ]
        cells = [*texts[index][: place + 1], other.cells[place], *texts[index][place + 1 :]]
        examples.append(Example(LABELS[label], label, cells, why, difference))
    return examples


def summarize(compared: Mapping[str, Any]) -> str:
    """Say in a sentence or two whether B is better than A."""
    second, level = second_system(compared), compared["confidence_level"]
    if compared["total"] == second["left_out"]:
        return "There is no row with scores of both systems, so nothing can be compared."
    points = 100 * second["difference"]
    low, high = (100 * end for end in second["difference_confidence_interval"])
    direction = "better than" if points > 0 else "worse than" if points < 0 else "equal to"
    amount = f"{abs(points):.1f} points {direction}" if points else "equal to"
    grouped = f", {compared['clusters']:,} clusters" if "clusters" in compared else ""
    told = f"B is {amount} A ({100 * level:g}% CI of the difference {low:+.1f} to {high:+.1f} points"
    told += f", p = {second['p_value']:.2g}{grouped}). "
    if second["p_value"] <= 1 - level:
        return f"{told}A difference like this is unlikely to be chance."
    needed = 100 * second["minimum_detectable_difference"]
    return f"{told}This can be chance: with so many rows only differences of about {needed:.0f} points can be seen."


def figures(second: Mapping[str, Any]) -> list[tuple[str, float, str]]:
    """Name the figures of a comparison."""
    names = {
        "difference": "B minus A",
        "p_value": "The probability of such a difference if A and B were equally good",
        "wins": "Rows on which B scores higher",
        "losses": "Rows on which A scores higher",
        "ties": "Rows on which both score the same",
        "minimum_detectable_difference": "The difference that would be seen four times out of five",
        "clusters": "Groups of rows that depend on each other, which are counted as wholes",
    }
    return [(name, second[name], text) for name, text in names.items() if second.get(name) is not None]


def code(form: "Form", options: Mapping[str, Any], level: float) -> str:
    """Write the Python code that leads to the same comparison."""
    given = "".join(f", {name}={value!r}" for name, value in {**options, "confidence_level": level}.items())
    return (
        f'import json\n\nimport evaluate\n\n{form.name} = evaluate.load("{form.address}")\n'
        f'# The file is what the page offers as JSON.\nwith open("{form.name}_comparison.json", encoding="utf-8") as '
        f'file:\n    systems = json.load(file)["systems"]\n\n'
        f"result = {form.name}.compare(systems{given})\nprint(result)\n"
    )
