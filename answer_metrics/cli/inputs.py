"""Which field of a file is which input of a metric, by the metric's declarations, and its values as that takes them."""

import argparse
import ast
import contextlib
import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

import answer_metrics
from answer_metrics import did_you_mean
from answer_metrics.cli.arguments import pairs
from answer_metrics.files import reading
from answer_metrics.files.names import LISTS, SURE, TEXTS, UNSURE, by_simple_name
from answer_metrics.files.rows import Columns, InputError, Lines, Record, Rows, column_at, has_field, plain
from answer_metrics.files.tools import last_text, messages_of

ARROW = (pa.Array, pa.ChunkedArray)
SHOWN = ("ids", "questions", "predictions", "references")
"""What people want to see of a row."""
_NEVER_GUESSED = frozenset({"clusters", "human_labels"})
_WRITTEN_LIST = re.compile(r"""\s*\[\s*(['"].*['"])?\s*\]\s*""", re.DOTALL)
_PLAUSIBLE = 0.2
"""The share of rows in which a field has to share a text with the other side to be suggested."""


def open_inputs(path: str, args: argparse.Namespace, *, is_references: bool = False) -> Rows:
    """Open a file as the command line says: its format, encoding, fields, and samples in several columns."""
    chosen = pairs(args.columns, "--columns")
    rows = reading.open_rows(
        path, args.format, encoding=args.encoding, is_references=is_references, fields=chosen.values()
    )
    samples = chosen.get("predictions", "")
    pieces = _by_sample(rows.pieces, samples) if "," in samples and not is_references else rows.pieces
    return replace(rows, path=path, pieces=pieces, chosen=frozenset(chosen), separator=args.split)


def implied_options(args: argparse.Namespace, metric: str) -> dict[str, Any]:
    """Return options of a metric that the format of the files implies: documents of TREC are compared by id."""
    if "matching_strategy" not in answer_metrics.metric_class(metric).options:
        return {}
    paths = [
        path for path in (args.references, args.files[0]) if path and (Path(path).is_file() or Path(path).is_dir())
    ]
    return next((rows.options for rows in (open_inputs(path, args) for path in paths) if rows.options), {})


def _by_sample(pieces: Iterator[Columns], samples: str) -> Iterator[Columns]:
    """Give each of several columns of predictions a row of its own, all of a row with the same `question_id`."""
    fields = samples.split(",")
    start = 0
    for piece in pieces:
        if samples in piece:  # a field whose name has a comma
            yield piece
            continue
        columns = [column_at(piece, field) for field in fields]
        for field, column in zip(fields, columns, strict=True):
            if column is None:
                raise InputError(
                    f"--columns predictions={samples}: there is no field {field!r}{did_you_mean(field, piece)}"
                )
        count = len(columns[0])
        repeated = {
            name: [value for value in plain(column) for _ in fields]
            for name, column in piece.items()
            if name not in fields
        }
        repeated[samples] = list(itertools.chain.from_iterable(zip(*map(plain, columns), strict=True)))
        questions = [number for number in range(start, start + count) for _ in fields]
        yield {"question_id": questions, **repeated}
        start += count


# ---- names


def name_columns(
    metric: Any, kind: str, fields: Columns, chosen: Mapping[str, str], without: Collection[str] = ()
) -> dict[str, str]:
    """Find the field of each input: as `chosen` by the user, as named by the format `kind`, otherwise by its name.

    Inputs and fields in `without` are not looked for. The order is that of the metric's declaration.
    """
    inputs = [*metric.inputs, "ids"]
    for name, field in chosen.items():
        if name not in inputs:
            raise InputError(f"--columns {name}={field}: there is no input {name!r}{did_you_mean(name, inputs)}")
        if not has_field(fields, field):
            raise InputError(f"--columns {name}={field}: there is no field {field!r}{did_you_mean(field, fields)}")
    wanted = [name for name in inputs if name not in {*_NEVER_GUESSED, *without}]
    columns = dict(chosen)
    if kind in reading.NAMED:
        columns = {name: name for name in wanted if name in fields} | columns
    simple = by_simple_name(field for field in fields if field not in without)
    for table in () if kind in reading.NAMED else (SURE, UNSURE):
        for name in [name for name in wanted if name not in columns]:
            names = table.get(name, "")
            if name in LISTS and metric.inputs[name].type_name.startswith("list of lists"):
                names = LISTS[name]
            free = (simple[alias] for alias in names.split() if alias in simple)
            matches = list(dict.fromkeys(field for field in free if field not in columns.values()))
            if matches[1:] == ["answer"] and name == "predictions":
                matches = matches[:1]  # beside `output`, the answer is the reference
            if len(matches) > 1 and name in {"predictions", "references"} and matches[0] not in {name, name[:-1]}:
                raise InputError(
                    f"Both {matches[0]!r} and {matches[1]!r} could be the {name}; say which: "
                    f"--columns {name}={matches[0]}"
                )
            if matches:
                columns[name] = matches[0]
    return {name: columns[name] for name in inputs if name in columns}


def unknown_columns(metric: Any, piece: Columns, columns: Mapping[str, str], missing: list[str]) -> str:
    """Return a message about inputs without a field, with a field to choose if one is plausible."""
    hint = ""
    others = [field for field in piece if field not in columns.values()]
    name = missing[0]
    side = {"predictions": "references", "references": "predictions"}.get(name, "")
    if len(missing) == 1 and side in columns:
        words_of_rows = [set(_words(value)) for value in plain(column_at(piece, columns[side]))[:1000]]
        shares = {field: _shared(words_of_rows, plain(piece[field])) for field in others}
        best = max(shares, key=lambda field: shares[field], default="")
        hint = f" such as --columns {name}={best}" if best and shares[best] >= _PLAUSIBLE else ""
    return (
        f"no field is known to be the {' or the '.join(missing)}; say which one is:"
        f"{hint or f' --columns {name}=FIELD'} (there are {', '.join(piece)})"
    )


def _words(value: Any) -> list[str]:
    return re.findall(r"\w+", json.dumps(value, ensure_ascii=False, default=str).casefold()) if value else []


def _shared(words_of_rows: list[set[str]], values: list[Any]) -> float:
    """Return the share of rows that have a word in common; numbers that only count the rows have none."""
    if values[: len(words_of_rows)] in (list(range(len(words_of_rows))), list(range(1, len(words_of_rows) + 1))):
        return 0.0
    rows = zip(words_of_rows, values, strict=False)
    return sum(not words.isdisjoint(_words(value)) for words, value in rows) / max(1, len(words_of_rows))


# ---- values


def take_inputs(piece: Columns, names: Mapping[str, str], metric: Any, rows: Rows) -> dict[str, Any]:
    """Return the inputs that a piece of `rows` has, as the metric takes them, by the names of their fields.

    Null predictions and references are None. An optional input that was guessed is left out from the first piece on in
    which a row has none, with a note.
    """
    inputs = {}
    optional = set(metric.inputs) - {*metric.required_inputs(), *rows.chosen}
    for name, source in names.items():
        column = None if name in rows.dropped else column_at(piece, source)
        if column is None and (name in optional or name == "ids" or name in rows.dropped):
            continue
        if column is None:
            column = [None] * len(next(iter(piece.values())))
        if isinstance(piece, Lines) and "double" in str(getattr(column, "type", "")):
            column = [row.get(source) for row in piece.records()]
        values = _to_values(metric, name, column, rows)
        if name in optional and any(value is None for value in plain(values)):
            rows.dropped.add(name)
            rows.notes.append(f"{name} = {source} is not used, because it is null in some rows")
        else:
            inputs[name] = values
    rows.count += len(next(iter(piece.values())))
    return inputs


def _to_values(metric: Any, name: str, column: Any, rows: Rows) -> Any:
    """Return a column as the metric takes it: numbers become text, a list of one text becomes that text.

    In cells, which have text only, a list is written `["one", "two"]` or `one | two`.
    """
    if name in _NEVER_GUESSED or name == "ids":
        return column
    kind = metric.inputs[name].type_name
    several, is_cells = "list of lists" in kind, bool(rows.first)
    if "bool" in kind:  # scores, which may be words
        return [(cell or "").strip() or None for cell in column] if is_cells else column
    if "float" in kind:
        return [_numbers(cell) for cell in column] if is_cells and several else column
    if several and rows.separator and name == "references":
        column = [_parts(value, rows.separator) for value in plain(column)]
    elif is_cells and several:
        column = [_split(cell, always=kind.startswith("list of lists")) for cell in plain(column)]
    if isinstance(column, ARROW):
        types = ("string", "large_string", *(("list<item: string>", "list<element: string>") if several else ()))
        if str(column.type) in types:
            return column
    values: list[Any] = []
    try:
        for value in plain(column):
            values.append(_text(value, name, several=several))
    except InputError as error:
        raise InputError(f"{rows.path}, row {rows.count + len(values) + 1:,}: {error}") from None
    if several and any(isinstance(value, list) for value in values):
        return [value if isinstance(value, list) or value is None else [value] for value in values]
    return values


def _text(value: Any, name: str, *, several: bool) -> Any:
    """Return a value as text, or as a list of texts: a number as it is written, an object by the text that it has."""
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if messages_of(value):
        return last_text(value, "user" if name == "questions" else "assistant")
    if isinstance(value, dict):
        return _text(_text_within(value, name), name, several=several)
    if isinstance(value, list) and several:
        texts = [_text(item, name, several=True) for item in value]
        return list(itertools.chain.from_iterable(text if isinstance(text, list) else [text] for text in texts))
    if isinstance(value, list) and len(value) == 1:
        return _text(value[0], name, several=False)
    return value


def _text_within(value: Record, name: str) -> Any:
    lowered = {key.casefold(): item for key, item in value.items()}
    field = next((key for key in TEXTS if isinstance(lowered.get(key), (str, list, int, float))), None)
    if field is None:
        raise InputError(f"an object with {', '.join(value)} has no text; give its path: --columns {name}=a.b")
    return lowered[field]


def _parts(value: Any, separator: str) -> Any:
    if isinstance(value, list):
        return list(itertools.chain.from_iterable(_parts(item, separator) for item in value))
    return [part.strip() for part in value.split(separator) if part.strip()] if isinstance(value, str) else value


def _split(cell: str, *, always: bool) -> str | list[str]:
    """Return the texts in a cell; one text stays a text unless `always`."""
    if not isinstance(cell, str):
        return cell
    if _WRITTEN_LIST.fullmatch(cell):
        for parse in (json.loads, ast.literal_eval):
            with contextlib.suppress(ValueError, SyntaxError):
                value = parse(cell)
                if (value or always) and all(isinstance(item, str) for item in value):
                    return list(value)
    parts = cell.split(" | ")
    if always:
        return [part for part in parts if part.strip()]
    return parts if len(parts) > 1 and all(map(str.strip, parts)) else cell


def _numbers(cell: str) -> list[float]:
    try:
        return [float(text) for text in re.split(r"[\s,;|\[\]]+", cell) if text]
    except ValueError:
        raise InputError(f"{cell[:40]!r} is not a list of numbers.") from None
