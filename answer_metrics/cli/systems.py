"""Several files or metrics at once: which files are systems, what they are called, and which one is worse."""

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import answer_metrics
from answer_metrics.cli.arguments import pairs
from answer_metrics.cli.inputs import InputFile, open_file
from answer_metrics.files import reading
from answer_metrics.files.rows import InputError, plain

_OF_ONE_RUN = ("output", "export", "show", "human_labels", "difference")
"""Options of `score` that need one metric and one file."""


def expand(args: argparse.Namespace) -> list[str]:
    """Return the files to score one by one: a folder is one file, unless its files have the same questions."""
    files: list[str] = []
    for path in args.files:
        parts = reading.row_files(path)
        questions = [_questions(part, args) for part in parts] if len(parts) > 1 else []
        smaller = [
            (len(first & second), min(len(first), len(second)))
            for first, second in itertools.combinations(map(set, questions), 2)
        ]
        is_systems = any(shared > 0.5 * number for shared, number in smaller)
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


def names(files: Sequence[str]) -> list[str]:
    """Name systems by the stems of their files, or by their whole paths if two stems are equal."""
    stems = [Path(file).stem for file in files]
    return stems if len(set(stems)) == len(stems) else list(files)


def check_several(args: argparse.Namespace) -> None:
    """Raise a `ValueError` for an option that needs one metric and one file."""
    for name in _OF_ONE_RUN:
        if getattr(args, name) not in (None, []):
            flag = "-o" if name == "output" else f"--{name.replace('_', '-')}"
            raise ValueError(f"{flag} needs one metric and one file")
    if "-" in args.files:
        raise ValueError("standard input can be read once: give one metric and one file")


def worse(metric: Any, result: Mapping[str, Any]) -> list[str]:
    """List the systems of a comparison that are significantly worse than the baseline, by more than the margin.

    Without a margin by the test, adjusted for the number of systems; with one if the interval of the difference is
    beyond it.
    """
    score = result["score"]
    sign = 1 if metric.scales()[score].higher_is_better else -1
    systems = []
    for name, system in result["systems"].items():
        if name == result["baseline"]:
            continue
        own = {key: value[score] if isinstance(value, Mapping) else value for key, value in system.items()}
        bounds = own["difference_confidence_interval"]
        is_worse = sign * own["difference"] < 0 and own["adjusted_p_value"] <= 1 - result["confidence_level"]
        if result.get("margin") is not None:
            is_worse = bounds is not None and max(sign * end for end in bounds) < -result["margin"]
        systems += [name] if is_worse else []
    return systems
