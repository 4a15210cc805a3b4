"""The commands of the command line, each a function from parsed arguments to an exit code."""

import argparse
import collections
import csv
import importlib
import itertools
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
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
        self, path: str, keep: Sequence[str | None] = (), *, first: str | None = None, show: bool = False
    ) -> scoring.Scored:
        """Return the scored rows of a file.

        Args:
            path: The file.
            keep: Fields of the file, or inputs, that the tables have as well.
            first: The file that has the references if this one has none.
            show: Whether the tables have the inputs and ids as well.
        """
        columns = pairs(self.args.columns, "--columns")
        if self.args.on and (self.args.references or first):
            columns.setdefault("ids", self.args.on)
        request = scoring.Request(
            path=path,
            format=self.args.format,
            columns=columns,
            references=self.args.references or first,
            is_optional=self.args.references is None,
            keep=[field for field in keep if field],
            show=show,
            quiet=self.args.quiet,
        )
        return scoring.Scored(self.metric, self.options, request, getattr(self.args, "output", None))


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
    job = _Job(args)
    record = _record(args, job.metric)
    labels = scoring.read_labels(args.human_labels, args.on) if args.human_labels else None
    rows = job.rows(args.files[0], [args.by, args.on if labels is not None else None], show=args.show > 0)
    seen = _Seen(job.metric, args.show)
    shards: Any = seen.watch(rows)
    if labels is not None or args.difference is not None:  # which need all rows at once
        shards = list(shards)
    given = {"human_labels": _labels_of(shards, labels, args.on)} if labels is not None else {}
    given |= {"by": args.by} if args.by else {}
    result = job.metric.aggregate(shards, **given, **job.result_options)
    print(record(result) if record else report.render(result, args.style, seen.counts))
    _print_beside(args, *seen.wrong)
    if args.difference is not None:
        _print_needed(job, shards, None)
    return BELOW if args.fail_under is not None and not result[job.metric.main_score] >= args.fail_under else 0


def _record(args: argparse.Namespace, metric: Any) -> Callable[[Mapping[str, Any]], str] | None:
    """Return a function from a result to what is printed; the arguments are checked before anything is scored."""
    if args.export is None:
        return None
    kind, _, path = args.export.partition("=")
    about = pairs(args.about, "--about")
    exports.check(kind, about)

    def record(result: Mapping[str, Any]) -> str:
        text = exports.record(kind, metric, result, about).rstrip()
        if not path:
            return text
        with scoring.written(path) as file:
            file.write(f"{text}\n")
        return report.render(result, args.style)

    return record


def _labels_of(shards: Sequence[Any], labels: Mapping[Any, float], on: str | None) -> list[float | None]:
    if on is None:
        return [labels.get(row) for row in range(sum(shard.num_rows for shard in shards))]
    return [labels.get(str(value)) for shard in shards for value in shard[on].to_pylist()]


class _Seen:
    """What passes by while a file is scored: how many rows have which category, and rows that are wrong."""

    def __init__(self, metric: Any, limit: int) -> None:
        self._metric, self._limit = metric, limit
        kinds = metric.columns_of(metric.resolve_options({}))
        names = [name for name, kind in kinds.items() if getattr(kind, "__name__", "") == "Category"]
        self.counts: dict[str, collections.Counter[str]] = {name: collections.Counter() for name in names}
        self.wrong: list[str] = []
        self._done = 0

    def watch(self, tables: Any) -> Iterator[Any]:
        """Pass the tables on."""
        for table in tables:
            for name, counter in self.counts.items():
                counts = table[f"{self._metric.label}_{name}"].value_counts().to_pylist()
                counter.update({pair["values"]: pair["counts"] for pair in counts})
            if len(self.wrong) < self._limit:
                self._keep_wrong(table)
            self._done += table.num_rows
            yield table

    def _keep_wrong(self, table: Any) -> None:
        prefix = f"{self._metric.label}_"
        scores = self._metric.row_scores(table)
        wrong = [row for row, value in enumerate(scores) if value == 0][: self._limit - len(self.wrong)]
        for place, row in zip(wrong, table.take(wrong).to_pylist(), strict=True):
            found = {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}
            self.wrong.append(report.show_row(self._done + place + 1, row, found))


def _print_beside(args: argparse.Namespace, *texts: str) -> None:
    """Print below a table, but keep standard output clean for what programs read."""
    for text in texts:
        print(text, file=sys.stdout if args.style == "text" else sys.stderr)


def _print_needed(job: _Job, first: Any, second: Any) -> None:
    needed = job.metric.required_n(first, difference=job.args.difference, second=second)
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
        kept = [args.on, args.by, args.human_labels, "references"]
        rows = job.rows(path, kept, first=None if path == first else first)
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
    rows = job.rows(args.files[0], [args.on, args.answers])
    given = {name: getattr(args, name) for name in ("k", "answers") if getattr(args, name) is not None}
    print(report.render(job.metric.repeats(iter(rows), on=args.on, **given), args.style))
    return 0


# ---- label


def label(args: argparse.Namespace) -> int:
    """Draw rows for people to label."""
    output, args.output = args.output, None
    job = _Job(args)
    tables = list(job.rows(args.files[0], show=True))
    drawn = set(job.metric.label_sample(tables, args.n, seed=args.seed))
    names = [name for name in readers.KNOWN if tables and name in tables[0].column_names]
    texts = itertools.chain.from_iterable(table.select(names).to_pylist() for table in tables)
    with scoring.written(output, encoding="utf-8-sig", newline="") as file:  # with a mark, for Excel
        writer = csv.writer(file)
        writer.writerow(["row", *names, "label"])
        writer.writerows([row, *map(_cell, one.values()), ""] for row, one in enumerate(texts) if row in drawn)
    print(
        f"{output}: {len(drawn)} rows. Fill in `label` with 1 (right) or 0 (wrong) without looking at scores, then:\n"
        f"answer-metrics score {args.files[0]} --human-labels {output}"
    )
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


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "score": score,
    "compare": compare,
    "repeats": repeats,
    "label": label,
    "space": space,
    "metrics": metrics,
}
