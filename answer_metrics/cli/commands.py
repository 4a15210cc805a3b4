"""The commands of the command line, each a function of its name from parsed arguments to an exit code."""

import argparse
import csv
import importlib
import itertools
import runpy
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import answer_metrics
from answer_metrics.cli import exports, inputs, report, scoring
from answer_metrics.cli.arguments import pairs

# ---- score


def score(args: argparse.Namespace) -> int:
    """Score a file."""
    kind, _, path = (args.export or "").partition("=")
    about = pairs(args.about, "--about")
    if kind:
        exports.check(kind, about)
    job = scoring.Job(args)
    labels = scoring.read_labels(args.human_labels, args.on) if args.human_labels else {}
    on = args.on if labels else None
    wrong: list[str] = []
    rows = job.rows(args.files[0], args.by, on, show=args.show > 0, output=args.output)
    shards: Any = _watched(job.metric, rows, wrong, args.show)
    verdicts = None
    if labels or args.difference is not None:  # which need all rows at once
        shards = list(shards)
    if labels:
        keys = [str(key) for shard in shards for key in shard[on].to_pylist()] if on else range(sum(map(len, shards)))
        verdicts = [labels.get(key) for key in keys]
    needed = {"return_confidence": True, "return_signature": True} if kind else {}
    result = job.metric.aggregate(shards, by=args.by, human_labels=verdicts, **needed)
    record = exports.record(kind, job.metric, result, about) if kind else ""
    if path:
        with scoring.replacing(path) as beside:
            beside.write_text(record, encoding="utf-8")
    print(record.rstrip() if kind and not path else report.render(job.metric.draw(result), args.style))
    _print_beside(args, *wrong)
    _print_needed(job, shards)
    return int(args.fail_under is not None and not result[job.metric.main_score] >= args.fail_under)


def _watched(metric: Any, tables: Iterable[Any], wrong: list[str], limit: int) -> Iterator[Any]:
    """Pass scored tables on, and add the first rows that are wrong to `wrong`."""
    prefix, done = f"{metric.label}_", 0
    for table in tables:
        scores = metric.row_scores(table) if len(wrong) < limit else []
        for place in [place for place, value in enumerate(scores) if value == 0][: limit - len(wrong)]:
            (row,) = table.slice(place, 1).to_pylist()
            columns = {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}
            wrong.append(report.show_row(done + place + 1, row, columns))
        done += table.num_rows
        yield table


def _print_beside(args: argparse.Namespace, *texts: str) -> None:
    """Print below a table, but keep standard output clean for what programs read."""
    for text in texts:
        print(text, file=sys.stdout if args.style == "text" else sys.stderr)


def _print_needed(job: scoring.Job, first: Any, second: Any = None) -> None:
    if job.args.difference is None:
        return
    on = None if second is None else job.args.on
    needed = job.metric.required_n(first, difference=job.args.difference, second=second, on=on)
    rows = f"{needed['n']:,} rows, {needed['n_worst']:,} at worst"
    _print_beside(job.args, f"To show a difference of {job.args.difference:g} between two systems: {rows}.")


# ---- compare, repeats


def compare(args: argparse.Namespace) -> int:
    """Compare systems, one per file, named by its stem, or by its whole path if two stems are equal."""
    if len(args.files) < 2:
        raise ValueError("compare needs two files or more")
    job = scoring.Job(args)
    stems = [Path(path).stem for path in args.files]
    names = stems if len(set(stems)) == len(stems) else args.files
    found = (job.rows(path, args.on, args.by, args.human_labels, "references") for path in args.files)
    systems = {name: rows if args.difference is None else list(rows) for name, rows in zip(names, found, strict=True)}
    options = ("on", "by", "baseline", "missing", "margin", "human_labels", "repeats")
    result = job.metric.compare(systems, **{name: getattr(args, name) for name in options})
    print(report.render(result, args.style))
    _print_needed(job, *itertools.islice(systems.values(), 2))
    return 0


def repeats(args: argparse.Namespace) -> int:
    """Summarize several samples of each question."""
    if not args.on:
        raise ValueError("repeats needs --on FIELD: the field that names the question of a row")
    job = scoring.Job(args)
    rows = job.rows(args.files[0], args.on, args.answers)
    print(report.render(job.metric.repeats(rows, on=args.on, k=args.k, answers=args.answers), args.style))
    return 0


# ---- label


def label(args: argparse.Namespace) -> int:
    """Draw rows for people to label."""
    job = scoring.Job(args)
    tables = list(job.rows(args.files[0], show=True))
    drawn = set(job.metric.label_sample(tables, args.n, seed=args.seed))
    names = [name for name in inputs.SHOWN if tables and name in tables[0].column_names]
    texts = itertools.chain.from_iterable(table.select(names).to_pylist() for table in tables)
    with scoring.replacing(args.output) as path, path.open("w", encoding="utf-8-sig", newline="") as file:  # for Excel
        writer = csv.writer(file)
        writer.writerow(["row", *names, "label"])
        writer.writerows([row, *map(_cell, one.values()), ""] for row, one in enumerate(texts) if row in drawn)
    filling = "Fill in `label` with 1 (right) or 0 (wrong) without looking at scores, then:"
    print(f"{args.output}: {len(drawn)} rows. {filling}")
    print(f"answer-metrics score {args.files[0]} --human-labels {args.output}")
    return 0


def _cell(value: Any) -> Any:
    """Write a list into a cell, and a text that a spreadsheet would take for a formula as a text."""
    text = " | ".join(value) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text[:1] in {"=", "+", "-", "@", "\t"} else text


# ---- pages and lists


def space(args: argparse.Namespace) -> int:
    """Serve the page of a metric."""
    try:
        importlib.import_module("gradio")
    except ImportError:
        raise ImportError("the page needs Gradio: pip install 'answer-metrics[space]'") from None
    folder = answer_metrics.METRICS / args.metric
    sys.path.insert(0, str(folder))
    runpy.run_path(str(folder / "app.py"), run_name="__main__")
    return 0


def metrics(_: argparse.Namespace) -> int:
    """List the metrics."""
    names = answer_metrics.names()
    width = max(map(len, names))
    for name in names:
        text = (answer_metrics.METRICS / name / f"{name}.py").read_text(encoding="utf-8")
        said = text.partition("\n")[0].strip('"').rstrip(".")
        print(f"{name:{width}}  {said.partition(': ')[2] or said}")
    return 0
