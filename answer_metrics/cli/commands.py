"""The commands of the command line, each a function of its name from parsed arguments to an exit code."""

import argparse
import csv
import importlib
import itertools
import runpy
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import answer_metrics
from answer_metrics.cli import exports, report
from answer_metrics.cli.arguments import SHOW, pairs
from answer_metrics.cli.inputs import SHOWN, InputFile, open_file
from answer_metrics.cli.joining import read_labels
from answer_metrics.cli.scoring import Job, ScoredFile
from answer_metrics.cli.writing import replacing
from answer_metrics.core.results import Result
from answer_metrics.files import reading
from answer_metrics.files.rows import InputError, plain, plural

_FEW = 20
"""With so many rows and more, a score of 0 most likely means that something else was scored than the user thinks."""


def score(args: argparse.Namespace) -> int:
    """Score files, each by every metric."""
    kind, _, path = (args.export or "").partition("=")
    about = pairs(args.about, "--about")
    if kind:
        exports.check(kind, about)
    shown = _Shown(args.show)
    files = _expand(args)
    printed: set[str] = set()
    jobs = [(file, Job(args, name, printed)) for file in files for name in args.metric]
    if len(jobs) > 1:
        _check_several(args)
    names = dict(zip(files, _names(files), strict=True))
    runs = [report.Run(names[file], job.name, job.main_score, *_score(job, file, shown)) for file, job in jobs]
    metric = jobs[0][1].metric
    record = exports.record(kind, runs[0], metric, about) if kind else ""
    if path:
        with replacing(path) as partial:
            partial.write_text(record, encoding="utf-8")
    if kind and not path:
        print(record.rstrip())
    elif len(runs) > 1:
        print(report.render_several(runs, args.style))
    else:
        print(report.render(metric.draw(runs[0].result), args.style))
    _print_beside(args, *shown.rows, *shown.needed)
    scores = [run.result[run.score] for run in runs if run.metric == args.metric[0]]
    return int(args.fail_under is not None and any(value is None or value < args.fail_under for value in scores))


class _Shown:
    """What is printed beside the result: the rows that `--show` asks for, and how many rows would be needed."""

    def __init__(self, arguments: list[str]) -> None:
        numbers = [int(argument) for argument in arguments if argument.isdigit()]
        self._kinds = {argument for argument in arguments if not argument.isdigit()} or {"wrong"}
        if unknown := self._kinds - {*SHOW}:
            raise ValueError(f"--show takes a number or {', '.join(SHOW)}, not {min(unknown)!r}")
        self.limit = numbers[0] if numbers else 10 if arguments else 0
        self.rows: list[str] = []
        self.needed: list[str] = []

    def watch(self, job: Job, tables: ScoredFile) -> Iterator[Any]:
        """Pass scored tables on, and add the first rows of the kinds that are wanted."""
        prefix = f"{job.metric.name}_"
        for table in tables:
            left = self.limit - len(self.rows)
            for row in self._find(job, table)[:left] if left else ():
                (values,) = table.slice(row, 1).to_pylist()
                scores = {name[len(prefix) :]: value for name, value in values.items() if name.startswith(prefix)}
                self.rows.append(report.show_row(tables.numbers[-1][row] + 1, values, scores))
            yield table

    def _find(self, job: Job, table: Any) -> list[int]:
        metric, types, rows = job.metric, f"{job.metric.name}_match_types", set()
        if others := self._kinds - {"wrong"}:
            if types not in table.column_names:
                raise ValueError(f"--show {min(others)} needs accuracy; {metric.name} does not have such rows")
            rows |= {row for row, kind in enumerate(table[types].to_pylist()) if kind in others}
        if "wrong" in self._kinds:
            worst = metric.scales()[job.main_score].worst
            rows |= {row for row, score in enumerate(metric.row_scores(table)) if score is not None and score == worst}
        return sorted(rows)


def _score(job: Job, file: str, shown: _Shown) -> tuple[int, dict[str, Any]]:
    args = job.args
    labels = read_labels(args.human_labels, args.on) if args.human_labels else {}
    on = args.on if labels else None
    rows = job.rows(file, args.by, on, show=shown.limit > 0, output=args.output)
    shards: Any = shown.watch(job, rows)
    verdicts = None
    if labels or args.difference is not None:  # which need all rows at once
        shards = list(shards)
    if labels:
        keys = [key for shard in shards for key in shard[on].to_pylist()] if on else _numbers(rows)
        verdicts = list(map(labels.get, keys))
        of_file = set(keys)
        if unknown := [key for key in labels if key not in of_file]:
            reason = f"{len(unknown)} of the labels are for rows that the file does not have"
            raise InputError(f"{args.human_labels}: {reason}, such as {unknown[0]!r}")
    needed = {"return_confidence": True, "return_signature": True} if args.export else {}
    result: dict[str, Any] = job.metric.aggregate(shards, by=args.by, human_labels=verdicts, **needed)
    if args.difference is not None:
        shown.needed.append(_needed(job, shards))
    scales = job.metric.scales()
    if rows.total >= _FEW and scales and result[job.main_score] == scales[job.main_score].worst:
        fields = ", ".join(f"{name} = {field}" for name, field in rows.columns.items() if name in job.metric.inputs)
        question = f"0 of {rows.total:,} rows are correct; are these the right fields ({fields})?"
        others = "set others with --columns, the output type with --preset, the file format with --format"
        job.remark(file, [f"{question} If not, {others}; --show 5 prints rows"])
    return rows.total, result


def _print_beside(args: argparse.Namespace, *texts: str) -> None:
    """Print below a table, but keep standard output clean for what programs read."""
    for text in texts:
        print(text, file=sys.stdout if args.style == "text" else sys.stderr)


def _needed(job: Job, first: Any, second: Any = None) -> str:
    on = None if second is None else job.args.on
    needed = job.metric.required_n(first, difference=job.args.difference, second=second, on=on)
    rows = f"{needed['n']:,} rows, {needed['n_worst']:,} at worst"
    return f"To detect a difference of {job.args.difference:g} between two systems: {rows}."


def compare(args: argparse.Namespace) -> int:
    """Compare systems, one per file, named by its stem, or by its whole path if two stems are equal."""
    if len(args.files) < 2:
        raise ValueError("compare needs two files or more")
    if len(set(args.files)) < len(args.files):
        fields = "to compare fields of it, score each with --columns predictions=FIELD -o FIELD.parquet"
        raise ValueError(f"compare got the same file twice; {fields}, then compare these files")
    if args.repeats and args.difference is not None:
        raise ValueError("--difference counts rows, and --repeats compares questions: use one of them")
    if args.fail_if_worse and args.baseline == "all":
        raise ValueError("--fail-if-worse needs one baseline, not all")
    job = Job(args)
    references = "references" if "references" in job.metric.inputs else None
    kept = (args.on, args.by, args.human_labels, references)
    missing = args.missing or "error"
    settings = {"missing": missing if args.references else None, "is_clustered": not args.repeats}
    compared: dict[str, Any] = {}
    for name, file in zip(_names(args.files), args.files, strict=True):
        rows = job.rows(file, *kept, **settings)
        compared[name] = rows if args.difference is None else list(rows)
    options = {name: getattr(args, name) for name in ("on", "by", "baseline", "margin", "human_labels", "repeats")}
    result = job.metric.compare(compared, missing=missing, **options)
    needed = [] if args.difference is None else [_needed(job, *itertools.islice(compared.values(), 2))]
    print(report.render(result, args.style))
    _print_beside(args, *needed)
    worse = _worse(job.metric, result) if args.fail_if_worse else []
    for name in worse:
        print(f"{name} is significantly worse than {result['baseline']}", file=sys.stderr)
    return int(bool(worse))


def repeats(args: argparse.Namespace) -> int:
    """Summarize several samples of each question."""
    if not args.on:
        raise ValueError("repeats needs --on FIELD: the field that names the question of a row")
    job = Job(args)
    rows = job.rows(args.files[0], args.on, args.answers, is_clustered=False)
    print(report.render(job.metric.repeats(rows, on=args.on, k=args.k, answers=args.answers), args.style))
    return 0


def label(args: argparse.Namespace) -> int:
    """Draw rows for people to label."""
    job = Job(args)
    scored = job.rows(args.files[0], show=True)
    tables = list(scored)
    drawn = set(job.metric.label_sample(tables, args.n, seed=args.seed))
    names = [name for name in SHOWN if tables and name in tables[0].column_names]
    rows = itertools.chain.from_iterable(table.to_pylist() for table in tables)
    with replacing(args.output) as path, path.open("w", encoding="utf-8-sig", newline="") as file:  # for Excel
        writer = csv.writer(file)
        writer.writerow(["row", *names, "label"])
        numbered = (
            (number, row)
            for place, (number, row) in enumerate(zip(_numbers(scored), rows, strict=True))
            if place in drawn
        )
        writer.writerows([number, *(_cell(row.get(name)) for name in names), ""] for number, row in numbered)
    filling = "Fill in `label` with 1 (right) or 0 (wrong) without looking at scores, then:"
    print(f"{args.output}: {plural(len(drawn), 'row')}. {filling}")
    references = f" --references {args.references}" if args.references else ""
    print(f"answer-metrics score {args.files[0]}{references} --human-labels {args.output}")
    return 0


def _numbers(rows: ScoredFile) -> list[int]:
    """Return the number of each row in its file, which labels refer to."""
    return [number for numbers in rows.numbers for number in numbers.tolist()]


def _cell(value: Any) -> Any:
    """Write a list into a cell, and a text that a spreadsheet would take for a formula as a text."""
    text = " | ".join(value) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text[:1] in {"=", "+", "-", "@", "\t"} else text


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
        summary = text.partition("\n")[0].strip('"').rstrip(".")
        print(f"{name:{width}}  {summary.partition(': ')[2] or summary}")
    return 0


def _expand(args: argparse.Namespace) -> list[str]:
    """Return the files to score one by one: a folder is one file, unless its files have the same questions."""
    files: list[str] = []
    for path in args.files:
        parts = reading.row_files(path)
        questions = [_questions(part, args) for part in parts] if len(parts) > 1 else []
        file_pairs = itertools.combinations(map(set, questions), 2)
        is_systems = any(len(first & second) > 0.5 * min(len(first), len(second)) for first, second in file_pairs)
        files += parts if is_systems else [path]
        shared = sum(count > 1 for count in Counter(itertools.chain.from_iterable(map(set, questions))).values())
        if shared and not args.quiet:
            treatment = "each file is a system" if is_systems else "all rows are pooled"
            are = "question is" if shared == 1 else "questions are"
            print(f"{path}: {shared:,} {are} in more than one of {len(parts)} files; {treatment}", file=sys.stderr)
    return files


def _questions(path: str, args: argparse.Namespace) -> list[Any]:
    """Return what identifies the first rows of a file: questions, ids, or else references and their places."""
    file = InputFile(answer_metrics.load(args.metric[0]), path, open_file(path, args), args)
    fields = next(file.pieces, {})
    chosen = {name: field for name, field in pairs(args.columns, "--columns").items() if field in fields}
    try:
        columns = file.name_columns(fields, chosen)
    except InputError:  # which scoring the file reports
        return []
    for name in ("questions", "question", "ids"):
        if field := columns.get(name) or (name if name in fields else None):
            return list(map(str, plain(fields[field])))
    references = {name: field for name, field in columns.items() if name == "references"}
    return list(enumerate(map(str, plain(file.take(fields, references).get("references", [])))))


def _names(files: Sequence[str]) -> list[str]:
    """Name systems by the stems of their files, or by their whole paths if two stems are equal."""
    stems = [Path(file).stem for file in files]
    return stems if len(set(stems)) == len(stems) else list(files)


def _check_several(args: argparse.Namespace) -> None:
    """Raise a `ValueError` for an option of `score` that needs one metric and one file."""
    for flag in ("-o", "--export", "--show", "--human-labels", "--difference"):
        if getattr(args, "output" if flag == "-o" else flag[2:].replace("-", "_")) not in (None, []):
            raise ValueError(f"{flag} needs one metric and one file")
    if "-" in args.files:
        raise ValueError("standard input can be read once: give one metric and one file")


def _worse(metric: Any, result: Result) -> list[str]:
    """List the systems of a comparison that are significantly worse than the baseline, by more than the margin.

    Without a margin by the test, adjusted for the number of systems; with one if the interval of the difference is
    beyond it.
    """
    sign = 1 if metric.scales()[result["score"]].higher_is_better else -1
    systems = []
    for name in result["systems"]:
        if name == result["baseline"]:
            continue
        own = result.entries_of(name)
        bounds = own["difference_confidence_interval"]
        is_worse = sign * own["difference"] < 0 and own["adjusted_p_value"] <= 1 - result["confidence_level"]
        if result.get("margin") is not None:
            is_worse = bounds is not None and max(sign * end for end in bounds) < -result["margin"]
        systems += [name] if is_worse else []
    return systems
