"""The commands of the command line, each a function of its name from parsed arguments to an exit code."""

import argparse
import collections
import csv
import importlib
import itertools
import runpy
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import answer_metrics
from answer_metrics import exports, readers, report, scoring
from answer_metrics.arguments import RESULT_OPTIONS, pairs, value_of

BELOW = 1


class _Job:
    """A command with its metric and its files."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        options = _options(args)
        self.result_options = {name: options.pop(name, value) for name, value in RESULT_OPTIONS.items()}
        self.options = options
        self.metric = answer_metrics.load(args.metric, **options)

    def rows(
        self, path: str, *keep: str | None, first: str | None = None, show: bool = False, output: str | None = None
    ) -> scoring.Scored:
        """Return the scored rows of a file; `first` is the file that has the references if this one has none."""
        args = self.args
        columns = pairs(args.columns, "--columns")
        if args.on and (args.references or first):
            columns.setdefault("ids", args.on)
        return scoring.Scored(
            self.metric,
            self.options,
            path,
            format=args.format,
            columns=columns,
            references=args.references or first,
            is_optional=args.references is None,
            keep=[field for field in keep if field],
            show=show,
            quiet=args.quiet,
            output=output,
        )


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the metric: as given, else those that a scored file was scored with."""
    flags = {name.removeprefix("option_"): value for name, value in vars(args).items() if name.startswith("option_")}
    given = flags | {name: value_of(text) for name, text in pairs(args.set, "--set").items()}
    cls = answer_metrics.metric_class(args.metric)
    if secret := next((name for name in given if name in cls.secrets), None):
        raise ValueError(
            f"{secret} is a secret, which other users of the machine could read: set it in the environment"
        )
    if args.preset is not None:
        if "preset" not in cls.options:
            raise ValueError(f"{args.metric} has no presets; its options are {', '.join(sorted(cls.options))}")
        given["preset"] = args.preset
    note = scoring.note_of(args.files[0])
    return given or (note.get("options", {}) if note.get("metric") == args.metric else {})


# ---- score


def score(args: argparse.Namespace) -> int:
    """Score a file."""
    kind, _, path = (args.export or "").partition("=")
    about = pairs(args.about, "--about")
    if kind:
        exports.check(kind, about)
    job = _Job(args)
    labels = scoring.read_labels(args.human_labels, args.on) if args.human_labels else None
    on = None if labels is None else args.on
    rows = job.rows(args.files[0], args.by, on, show=args.show > 0, output=args.output)
    counts: dict[str, Any] = {}
    wrong: list[str] = []
    shards: Any = _watched(job.metric, rows, counts, wrong, args.show)
    if labels is not None or args.difference is not None:  # which need all rows at once
        shards = list(shards)
    given: dict[str, Any] = {"by": args.by} if args.by else {}
    if labels is not None:
        keys = (str(key) for shard in shards for key in shard[on].to_pylist()) if on else itertools.count()
        given["human_labels"] = [labels.get(key) for key, _ in zip(keys, range(sum(map(len, shards))), strict=False)]
    result = job.metric.aggregate(shards, **given, **job.result_options)
    record = exports.record(kind, job.metric, result, about) if kind else ""
    if path:
        with scoring.replacing(path) as beside:
            beside.write_text(record, encoding="utf-8")
    printed = kind and not path
    print(record.rstrip() if printed else report.render(job.metric.draw(result), args.style, counts))
    _print_beside(args, *wrong)
    if args.difference is not None:
        _print_needed(job, shards)
    return BELOW if args.fail_under is not None and not result[job.metric.main_score] >= args.fail_under else 0


def _watched(metric: Any, tables: Iterable[Any], counts: dict[str, Any], wrong: list[str], limit: int) -> Iterator[Any]:
    """Pass scored tables on; count the rows of each category in `counts`, and add the first wrong ones to `wrong`."""
    prefix, done = f"{metric.label}_", 0
    kinds = metric.columns_of(metric.resolve_options({})).items()
    counts |= {name: collections.Counter() for name, kind in kinds if getattr(kind, "__name__", "") == "Category"}
    for table in tables:
        for name, counter in counts.items():
            found = table[f"{prefix}{name}"].value_counts().to_pylist()
            counter.update({pair["values"]: pair["counts"] for pair in found})
        scores = metric.row_scores(table) if len(wrong) < limit else []
        places = [place for place, value in enumerate(scores) if value == 0][: limit - len(wrong)]
        for place in places:
            (row,) = table.slice(place, 1).to_pylist()
            columns = {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}
            wrong.append(report.show_row(done + place + 1, row, columns))
        done += table.num_rows
        yield table


def _print_beside(args: argparse.Namespace, *texts: str) -> None:
    """Print below a table, but keep standard output clean for what programs read."""
    for text in texts:
        print(text, file=sys.stdout if args.style == "text" else sys.stderr)


def _print_needed(job: _Job, first: Any, second: Any = None) -> None:
    on = None if second is None else job.args.on
    needed = job.metric.required_n(first, difference=job.args.difference, second=second, on=on)
    rows = f"{needed['n']:,} rows, {needed['n_worst']:,} at worst"
    _print_beside(job.args, f"To show a difference of {job.args.difference:g} between two systems: {rows}.")


# ---- compare, repeats


def compare(args: argparse.Namespace) -> int:
    """Compare systems, one per file."""
    if len(args.files) < 2:  # noqa: PLR2004
        raise ValueError("compare needs two files or more")
    job = _Job(args)
    first, systems = args.files[0], {}
    for name, path in zip(_distinct(args.files), args.files, strict=True):
        kept = args.on, args.by, args.human_labels, "references"
        rows = job.rows(path, *kept, first=None if path == first else first)
        systems[name] = list(rows) if args.difference is not None else iter(rows)
    names = ("on", "by", "baseline", "missing", "margin", "human_labels")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    result = job.metric.compare(systems, **given, **({"repeats": True} if args.repeats else {}))
    print(report.render(result, args.style))
    if args.difference is not None:
        _print_needed(job, *itertools.islice(systems.values(), 2))
    return 0


def _distinct(paths: Sequence[str]) -> list[str]:
    """Name systems by the stems of their files, or by their whole paths if these are equal."""
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else list(paths)


def repeats(args: argparse.Namespace) -> int:
    """Summarize several samples of each question."""
    if not args.on:
        raise ValueError("repeats needs --on FIELD: the field that names the question of a row")
    job = _Job(args)
    rows = job.rows(args.files[0], args.on, args.answers)
    given = {name: getattr(args, name) for name in ("k", "answers") if getattr(args, name) is not None}
    print(report.render(job.metric.repeats(iter(rows), on=args.on, **given), args.style))
    return 0


# ---- label


def label(args: argparse.Namespace) -> int:
    """Draw rows for people to label."""
    job = _Job(args)
    tables = list(job.rows(args.files[0], show=True))
    drawn = set(job.metric.label_sample(tables, args.n, seed=args.seed))
    names = [name for name in readers.KNOWN if tables and name in tables[0].column_names]
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
