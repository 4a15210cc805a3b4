# Vendored: edit metrics/_shared/_columns.py and run `make vendor`.
"""Columns: inputs as users give them, checked value by value, and per-example results as they are stored.

Each class describes the values of one input. `check` takes a list and returns a list of plain values, or raises a
`ValueError` that names the argument, the index and the value found there. Neither evaluate nor `datasets` is imported.
"""

import contextlib
import gc
import json
import math
import numbers
import re
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, filterfalse, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._options import shorten, show

LONG = 800
"""Up to this length, working on Python strings is faster than converting them to Arrow; the batches of `Dataset.map`
are longer."""
_ROWS_PER_READ = 100_000
_UNREAD = {"LazyFrame": "collect", "DuckDBPyRelation": "to_arrow_table"}
"""Tables of polars and DuckDB that are not read yet, and the method that reads them."""
_SAMPLED_ROWS = 30
_MAX_LISTED = 5
_CLASS_LABELS = '; for class labels, use evaluate\'s own metric: evaluate.load("accuracy")'
_MISSING_TEXT = '; a missing text is either left out or given as ""'
_WRITTEN_LIST = re.compile(r"""\s*\[\s*(['"].*['"]\s*(,\s*)?)?\]\s*""", re.DOTALL)


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, for work that creates many objects and no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# ---- containers


def to_list(name: str, column: Any) -> list[Any]:
    """Convert a list, tuple, iterator, numpy array, Series, Arrow array or column of `datasets` to a list.

    Raises:
        ValueError: For None, a bare string, a mapping, a data frame or a set, and for a string that is not UTF-8.
    """
    if type(column) is list:
        return column
    arrow = to_arrow(column)
    if arrow is not None:
        try:
            return _arrow_to_list(arrow)
        except UnicodeDecodeError:
            place = _first_invalid(arrow)
            raise ValueError(f"{name}{place} is not valid UTF-8; decode its source with errors='replace'") from None
    if column is None:
        raise ValueError(f"{name} is missing")
    expected = "expected a list with one entry per example"
    if isinstance(column, (str, bytes)):
        raise ValueError(f"{name} is a bare {type(column).__name__}; {expected} (map a dataset with batched=True)")
    if isinstance(column, (Mapping, set, frozenset)) or hasattr(column, "columns"):
        raise ValueError(f"{name} is a {type(column).__name__}; {expected}")  # iterating would yield names
    values = _convert(column)
    if not isinstance(values, list):
        raise ValueError(f"{name} is {reprlib.repr(column)} ({type(column).__name__}); {expected}")
    return values


def _convert(column: Any) -> Any:
    """Convert a column that is not backed by Arrow to a list, if it can be."""
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, method):
            return getattr(column, method)()
    if isinstance(column, Sequence):
        # A column of `datasets` is read in one piece by [:], otherwise row by row; a deque does not support [:].
        with contextlib.suppress(TypeError):
            return list(column[:])
    return list(column) if isinstance(column, Iterable) else column


def _arrow_to_list(column: Any) -> list[Any]:
    if isinstance(column, pa.ChunkedArray):
        return [value for chunk in column.chunks for value in _arrow_to_list(chunk)]
    if pa.types.is_dictionary(column.type) and not column.null_count:  # many times as fast as `to_pylist`
        values = np.array(column.dictionary.to_pylist(), dtype=object)
        return list(values[np.asarray(column.indices)])
    return list(column.to_pylist())


def _first_invalid(column: Any) -> str:
    """Return the place of the first string that is not UTF-8, as in "[3]" or "[3][0]"; "" if there is none."""
    for index, value in enumerate(column):
        try:
            value.as_py()
        except UnicodeDecodeError:
            return f"[{index}]{_first_invalid(value.values) if isinstance(value, pa.ListScalar) else ''}"
    return ""


def plain_values(name: str, column: Any) -> list[Any]:
    """Convert a column to a list of Python values, including numpy scalars in it."""
    return [value.item() if isinstance(value, np.generic) else value for value in to_list(name, column)]


def to_arrow(column: Any) -> Any:
    """Return a column as an Arrow array if it is backed by Arrow, or if it is a long list of strings; else None."""
    array: Any = None
    dtype = getattr(column, "dtype", None)
    if is_arrow(column):
        array = column
    elif type(column) is list:
        array = _list_to_arrow(column) if len(column) > LONG else None
    elif type(column).__module__ == "datasets.arrow_dataset" and hasattr(column, "column_name"):
        array = _dataset_column(column)
    elif type(column).__module__.startswith("pandas"):
        backed = type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", None) == "pyarrow"
        array = pa.array(column.array) if backed else None
    elif dtype is not None and hasattr(column, "__arrow_c_stream__"):  # polars
        array = pa.chunked_array(column)
    kind = getattr(array, "type", None)
    if kind == pa.string_view():  # polars; checking and comparing views takes longer
        return array.cast(pa.large_string())
    if isinstance(kind, pa.DictionaryType) and kind.value_type in (pa.string(), pa.string_view()):
        # Arrow decodes neither dictionaries of views, as polars has, nor those of more than 2 GiB.
        return array.cast(pa.dictionary(kind.index_type, pa.large_string()))
    return array


def _dataset_column(column: Any) -> Any:
    """Read a column of a `Dataset` as Arrow."""
    source = column.source
    if type(source) is type(column) or source.format["type"] == "custom":
        return None  # a field of a struct column, or the output of a user's function
    return source.with_format("arrow").select_columns([column.column_name])[:][column.column_name]


def is_arrow(column: Any) -> bool:
    """Return whether a column is an Arrow array."""
    return isinstance(column, (pa.Array, pa.ChunkedArray))


def _list_to_arrow(column: list[Any]) -> Any:
    """Convert a list of strings, or of lists of strings, to Arrow, or return None."""
    # Arrow must infer the type: given the type string, it would also accept bytes.
    try:
        if not isinstance(column[0], list):
            return pa.array(column) if isinstance(column[0], str) else None
        if not _all_are(list, column):
            return None  # Arrow would also accept sets
        offsets = np.concatenate(([0], np.cumsum(np.fromiter(map(len, column), np.int64, len(column)))))
        return pa.LargeListArray.from_arrays(offsets, pa.array(list(chain.from_iterable(column))))
    except (TypeError, ValueError, OverflowError):
        return None  # `check` reports the error with its index


def column_names(batch: Any) -> list[str]:
    """List the columns of a mapping, a `Dataset`, a data frame or an Arrow table."""
    names = getattr(batch, "column_names", None)
    if names is None:
        names = batch.keys() if hasattr(batch, "keys") else getattr(batch, "columns", [])
    return list(map(str, names))


def get_column(batch: Any, name: str, hint: str) -> Any:
    """Return a column of a batch, or raise a `ValueError` that lists the columns and gives the hint."""
    names = column_names(batch)
    if name not in names:
        raise ValueError(f"the batch has no column {name!r}; it has {', '.join(names) or 'none'}. {hint}")
    if names.count(name) > 1:
        raise ValueError(f"the batch has {names.count(name)} columns named {name!r}; rename all but one")
    return batch[name]


def keep_columns(batch: Any, names: Any) -> dict[str, Any]:
    """Return the columns of a batch that `score_batch` passes on; `names` must be a list of different names."""
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        shown = f"[{names!r}]" if isinstance(names, str) else '["id"]'
        raise ValueError(f"keep must be a list of names of columns, as in keep={shown}, got {names!r}")
    if len(set(names)) < len(names):
        raise ValueError(f"keep names a column twice: {', '.join(names)}")
    return {name: get_column(batch, name, "keep= names columns to pass on") for name in names}


def check_order(columns: Any, argument: str, advice: str = "; give the name of a column") -> None:
    """Raise a `ValueError` if rows come in another order than they went in: Ray Data's, unless it was told not to."""
    if type(columns).__module__.startswith("ray."):
        context = getattr(columns, "context", None)
        if context is None or not context.execution_options.preserve_order:
            unordered = "the rows of a Ray Dataset come in any order, so they cannot be matched by position"
            raise ValueError(f"{argument}: {unordered}{advice}")


def shards(columns: Any) -> Iterator[Any]:
    """Yield the shards of scored columns: a table is one shard, a list of rows is one shard, any other list is many."""
    is_dataset = type(columns).__module__.startswith("datasets.") and hasattr(columns, "with_format")
    is_list = isinstance(columns, (list, tuple)) and not (columns and _is_row(columns[0]))
    if is_dataset and hasattr(columns, "__len__") and columns.format["type"] == "custom":
        yield from columns.iter(_ROWS_PER_READ)  # the output of a user's function
    elif is_dataset and (not hasattr(columns, "__len__") or len(columns)):
        # Piece by piece and without loss: the numpy and torch formats round to 32 bits. Of a stream, `datasets` makes
        # Arrow row by row, and fails if some rows have empty lists.
        yield from columns.with_format("arrow" if hasattr(columns, "__len__") else None).iter(_ROWS_PER_READ)
    elif type(columns).__module__.startswith("ray.") and hasattr(columns, "iter_batches"):
        yield from columns.iter_batches(batch_format="pyarrow", batch_size=_ROWS_PER_READ)
    elif is_list or (hasattr(columns, "__iter__") and not hasattr(columns, "__getitem__")):
        yield from columns
    else:
        yield columns


def as_batch(data: Any) -> Any:
    """Return a table that is not read yet, or a list of rows, as one batch, whose columns can be read twice."""
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    if type(data).__name__ in _UNREAD:
        return getattr(data, _UNREAD[type(data).__name__])()
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        return _transpose(data)
    if isinstance(data, dict):
        return {name: list(column) if isinstance(column, Iterator) else column for name, column in data.items()}
    return data


def _is_row(item: Any) -> bool:
    """Return whether an item is a row: a mapping with a single value, which no column is."""
    scalars = (str, numbers.Number, np.generic, type(None))
    return isinstance(item, Mapping) and any(isinstance(value, scalars) for value in item.values())


def _transpose(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    for index, row in enumerate(rows):
        if missing := [name for name in rows[0] if name not in row]:
            raise ValueError(f"row {index} has no {missing[0]!r}, but row 0 has")
    return {name: [row[name] for row in rows] for name in rows[0]}


def align(
    ids: Mapping[str, Any], on: str | None, *, missing: bool = False
) -> tuple[Sequence[Any], dict[str, np.ndarray[Any, Any]]]:
    """Return the ids of all examples, in the order of the first table, and the index of the row of each in each table.

    `on` is what ids are called; if it is None, they are a `range`, and rows are matched by position. Raises a
    `ValueError` for ids that are missing, repeated or of different types, for different numbers of rows, and for ids
    that are only in some tables unless rows may be missing; the index of those is -1.
    """
    first = next(iter(ids))
    if on is None:
        if len(set(map(len, ids.values()))) > 1:
            shown = ", ".join(f"{name} {len(rows)}" for name, rows in ids.items())
            raise ValueError(
                f"the systems have different numbers of rows ({shown}); give the same examples in the same order, or "
                "on= with the name of a column of ids"
            )
        return ids[first], {name: np.arange(len(rows)) for name, rows in ids.items()}
    check_ids(ids, on)
    rows = {name: _rows_by_id(name, on, found) for name, found in ids.items()}
    for name in () if missing else rows:
        problems = []
        for side, other in ((first, name), (name, first)):
            if unmatched := [example for example in rows[side] if example not in rows[other]]:
                problems.append(f"{len(unmatched)} of the {on} of {side} are not in {other}: {some(unmatched)}")
        if problems:
            hint = '; missing="wrong" gives a system the worst score for rows that it lacks'
            raise ValueError("; ".join(problems) + hint)
    examples = list(dict.fromkeys(chain.from_iterable(rows.values())))
    return examples, {
        name: np.array([found.get(one, -1) for one in examples], np.int64) for name, found in rows.items()
    }


def _rows_by_id(name: str, on: str, ids: Iterable[Any]) -> dict[Any, int]:
    """Return the index of the row of each id, or raise a `ValueError` for ids that are repeated."""
    if repeated := [example for example, number in Counter(ids).items() if number > 1]:
        raise ValueError(
            f"{len(repeated)} of the {on} of {name} occur more than once: {some(repeated)}; for several samples of "
            "one question, compare the means of questions with repeats=True, or give each sample an id and the "
            "question as clusters="
        )
    return {example: index for index, example in enumerate(ids)}


def check_ids(ids: Mapping[str, Iterable[Any]], on: str) -> None:
    """Raise a `ValueError` for rows of tables without an id, and for strings beside numbers, which are never equal."""
    for name, found in ids.items():
        try:
            distinct = set(found)
        except TypeError:
            raise ValueError(f"{on} of {name} contains values that cannot be ids, such as lists") from None
        if any(map(is_missing, distinct)):
            raise ValueError(f"{rows_have(sum(map(is_missing, found)), name)} no {on}")
    types = {name: sorted({type(one).__name__ for one in found}) for name, found in ids.items()}
    if len({kind == "str" for kinds in types.values() for kind in kinds}) > 1:
        shown = ", ".join(f"{' and '.join(kinds)} in {name}" for name, kinds in types.items() if kinds)
        raise ValueError(f"{on} has values of different types: {shown}; convert them to one type")


def rows_have(number: int, table: str) -> str:
    """Return the beginning of a message about some rows of a table."""
    return f"1 row of {table} has" if number == 1 else f"{number} rows of {table} have"


def some(values: list[Any]) -> str:
    """Show the first values of a list, for a message."""
    shown = ", ".join(map(reprlib.repr, values[:_MAX_LISTED]))
    return shown + (", ..." if len(values) > _MAX_LISTED else "")


def value_counts(column: Any) -> "Counter[Any]":
    """Count the values of a column: a list, an array, or a `Counter`, which is returned as it is."""
    if isinstance(column, np.ndarray):
        column = pa.array(column)
    if not is_arrow(column):
        return column if isinstance(column, Counter) else Counter(column)
    counts: Counter[Any] = Counter()
    for pair in pc.value_counts(column).to_pylist():
        counts[pair["values"]] += pair["counts"]
    return counts


def count_rows(columns: Mapping[str, tuple[Any, Callable[[Any], list[Any]]]]) -> "Counter[tuple[Any, ...]]":
    """Count how often each combination of values occurs among rows.

    Each column comes with the function that checks and reads it; it is called with the distinct values of a column
    that is backed by Arrow.
    """
    arrays = {}
    for name, (column, read) in columns.items():
        array = to_arrow(column)
        array = pa.array(read(column)) if array is None else array
        arrays[name] = array.cast(pa.string()) if pa.types.is_null(array.type) else array
    table = pa.table(arrays).unify_dictionaries()
    counted = table.group_by(table.column_names, use_threads=False).aggregate([([], "count_all")])
    *keys, numbers_of = counted.columns
    try:
        values = [read(key) for key, (_, read) in zip(keys, columns.values(), strict=True)]
    except ValueError:
        for column, read in columns.values():
            read(column)  # names the index in the column
        raise
    counts: Counter[tuple[Any, ...]] = Counter()
    for row, number in zip(zip(*values, strict=True), numbers_of.to_pylist(), strict=True):
        counts[row] += number
    return counts


# ---- columns of strings


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, or pandas' NA or NaT, which cannot be compared."""
    is_nan = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}


def _is_list(value: Any) -> bool:
    """Return whether a value is list-like: a list, a tuple or, as Ray and pandas provide them, a 1-D array."""
    return isinstance(value, (list, tuple)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1)


def _all_are(kind: type, values: list[Any]) -> bool:
    """Return whether all values are of exactly this type; `list.count` is faster than a set or a loop."""
    return list(map(type, values)).count(kind) == len(values)


def doubts(inputs: Mapping[str, Any]) -> Iterator[str]:
    """Say what is odd about valid inputs: lists stored as strings, empty references, which most likely are missing."""
    for name in ("predictions", "references"):
        if name in inputs and (text := _written_list(inputs[name])):
            yield (
                f"most {name} look like lists stored as strings, such as {shorten(text)}; to parse them pass "
                f"[ast.literal_eval(text) for text in {name}]"
            )
    if empty := _count_empty_references(inputs):
        are_empty = "reference is empty" if empty == 1 else "references are empty"
        advice = "leave an example without a reference out"
        yield f"{empty} {are_empty} although there is an answer, which then is wrong; {advice}"


def _written_list(column: Any) -> str:
    """Return a text such as "['Danube', 'Donau']", as CSV stores a list, if most of a column's first rows are such."""
    rows = column[:_SAMPLED_ROWS]
    rows = rows.to_pylist() if is_arrow(rows) else rows
    if not len(rows) or not isinstance(rows[0], (str, list)):
        return ""  # numbers
    texts = rows if isinstance(rows[0], str) else [row[0] for row in rows if len(row) == 1]
    written = [text for text in texts if "[" in text and _WRITTEN_LIST.fullmatch(text)]
    return written[0] if 2 * len(written) > len(rows) else ""


def _count_empty_references(inputs: Mapping[str, Any]) -> int:
    """Count the examples whose only reference is empty, although there is an answer."""
    references, predictions = inputs.get("references", []), inputs.get("predictions", [])
    rows: list[int] = []
    if is_arrow(references) and not _is_list_type(references.type):
        rows = np.flatnonzero(np.asarray(pc.equal(_decoded(references), ""))).tolist()
    elif references and isinstance(references[0], str) and "" in references:
        rows = [row for row, reference in enumerate(references) if not reference]
    return sum(str(predictions[row]) != "" for row in rows)


def _hint(place: str, value: Any, *, ids: bool) -> str:  # noqa: PLR0911  # one for each kind of value
    """Return advice for a value that is not a string; its place is written as in `references[3][0]`."""
    column, depth = place.partition("[")[0], place.count("[")
    if is_missing(value):
        return "; leave an example without a reference out" if column == "references" else _MISSING_TEXT
    if isinstance(value, numbers.Real):
        whole = isinstance(value, numbers.Integral)
        if whole and ids:
            return "; pass chunk ids as strings: [str(id) for id in ids]"
        converted = "[str(number) for number in row] for row" if depth > 1 else "str(number) for number"
        return f"{_CLASS_LABELS if whole else ''}; for numbers as text pass [{converted} in {column}]"
    if _is_list(value):
        if len(value) and isinstance(value[0], numbers.Integral):
            return "; token ids must be decoded first: tokenizer.batch_decode(ids, skip_special_tokens=True)"
        if len(value) and _is_message(value[0]):
            return f'; for chat messages pass [messages[-1]["content"] for messages in {column}]'
        if column == "predictions" and depth == 1:
            return "; each example has one prediction: are predictions and references swapped?"
    return _format_hint(place, value)


def _format_hint(place: str, value: Any) -> str:
    """Return advice for lists written as text, and for chat messages."""
    column, depth = place.partition("[")[0], place.count("[")
    if isinstance(value, str) and _WRITTEN_LIST.fullmatch(value):
        return f"; to parse lists stored as strings pass [ast.literal_eval(text) for text in {column}]"
    if _is_message(value):
        taken = 'messages[-1]["content"] for messages' if depth > 1 else 'message["content"] for message'
        return f"; for chat messages pass [{taken} in {column}]"
    return ""


def _is_message(value: Any) -> bool:
    """Return whether a value is a chat message, as chat templates and TRL have them."""
    return isinstance(value, Mapping) and {"role", "content"} <= value.keys()


def check_strings(name: str, texts: list[Any], *, ids: bool = False) -> list[str]:
    """Return the texts as plain strings, or raise a `ValueError` that names the first non-string: `name[index]`.

    `ids` says that texts may be ids, for the advice.
    """
    if not _all_are(str, texts):
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                hint = _hint(f"{name}[{index}]", text, ids=ids)
                raise ValueError(f"{name}[{index}] is {show(text)}, not a string{hint}")
        texts = [str.__str__(text) for text in texts]
    try:
        "".join(filterfalse(str.isascii, texts)).encode()
    except UnicodeEncodeError:
        for index, text in enumerate(texts):
            if lone := re.search(r"[\ud800-\udfff]", text):
                raise ValueError(
                    f"{name}[{index}] contains a lone surrogate, U+{ord(lone[0]):04X} at character {lone.start()}, "
                    "which is not valid text; decode its source with errors='replace'"
                ) from None
    return texts


# ---- what a model thought before its answer

REASONING_HELP = (
    "drop: what a model writes before the end of its thinking (`</think>`, or the mark of another model) is not part "
    "of its answer, and a prediction that ends while it thinks has no answer; keep: compare predictions as they are."
)
_THINKING = "think|thinking|thought|thoughts|reasoning|seed:think"
# A block ends with one of these marks. Templates often write the opening one, so that predictions lack it.
_THINKING_ENDS = (
    rf"</(?:{_THINKING})>|\[/THINK\]|<\|END_THINKING\|>|◁/think▷|<\|channel\|>final(?:\s[^<]{{0,40}})?<\|message\|>"
)
# A block begins with one of these at the beginning of a line: in "Use <think> tags" it is a word.
_THINKING_STARTS = (
    rf"^[ \t]*(?:<(?:{_THINKING})>|\[THINK\]|<\|START_THINKING\|>|◁think▷)"
    r"|<\|channel\|>(?:analysis|commentary)[^<]{0,60}<\|message\|>"
)
_THINKING_END = re.compile(_THINKING_ENDS, re.IGNORECASE)
_THINKING_START = re.compile(_THINKING_STARTS, re.IGNORECASE | re.MULTILINE)
_ANSWER_START = re.compile(r"\A\s*<\|START_RESPONSE\|>\s*", re.IGNORECASE)
_ANSWER_END = re.compile(r"(?:\s*<\|(?:return|end|END_RESPONSE)\|>)+\s*\Z", re.IGNORECASE)
# For Arrow, which has no \Z; it may find too much.
_MAY_THINK = rf"(?im){_THINKING_ENDS}|{_THINKING_STARTS}|\|>\s*$"
# Every mark has one of the characters <, [ and ◁, so that other texts are not searched.
_SIGNAL_BYTES = (b"<", b"[", "◁".encode()[:1])
_BLOCK_BYTES = 1 << 20


def answer_of(text: str) -> str | None:
    """Return what a model wrote after its thinking; None if the text ends within a block of thinking.

    >>> answer_of("<think>Not Lyon.</think> Paris")
    'Paris'
    """
    end = 0
    for mark in _THINKING_END.finditer(text):
        end = mark.end()
    answer = text[end:]
    if _THINKING_START.search(answer):
        return None
    if end:
        answer = _ANSWER_START.sub("", answer).lstrip()
    return _ANSWER_END.sub("", answer) if "|>" in answer else answer


def drop_reasoning(texts: Any) -> tuple[Any, list[int]]:
    """Drop what a model thought before its answer, from each text of a list or an Arrow array.

    Returns:
        The column, of the same type, with an empty text where the thinking was cut off, and the indices of these rows.
    """
    if is_arrow(texts):
        return _drop_from_arrow(texts)
    answers, cut_off = list(texts), []
    for row, text in enumerate(texts):
        if "<" in text or "[" in text or "◁" in text:
            answer = answer_of(text)
            answers[row] = answer or ""
            if answer is None:
                cut_off.append(row)
    return answers, cut_off


def _drop_from_arrow(texts: Any) -> tuple[Any, list[int]]:
    if not _may_have_marks(texts):
        return texts, []
    column = _decoded(texts)
    marked = np.flatnonzero(np.asarray(pc.match_substring_regex(column, _MAY_THINK)))
    if not len(marked):
        return texts, []
    answers, cut_off = drop_reasoning(column.take(pa.array(marked)).to_pylist())
    mask = np.zeros(len(texts), dtype=np.bool_)
    mask[marked] = True
    return pc.replace_with_mask(column, mask, pa.array(answers, column.type)), marked[cut_off].tolist()


def cut_off_message(number: int) -> str:
    """Return a warning about predictions that have no answer."""
    return f"{rows_have(number, 'predictions')} thinking that was cut off, and so no answer: wrong"


def _decoded(array: Any) -> Any:
    """Return an Arrow array of strings as one of plain strings, for functions that take no others."""
    is_plain = pa.types.is_string(array.type) or pa.types.is_large_string(array.type)
    return array if is_plain else array.cast(pa.large_string())


def _may_have_marks(strings: Any) -> bool:
    """Return whether any byte of an Arrow array may begin a mark."""
    if isinstance(strings, pa.ChunkedArray):
        return any(map(_may_have_marks, strings.chunks))
    strings = _decoded(strings.dictionary if pa.types.is_dictionary(strings.type) else strings)
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets or bytes(8), np.int64 if pa.types.is_large_string(strings.type) else np.int32)
    text = memoryview(data or b"")[int(ends[strings.offset]) : int(ends[strings.offset + len(strings)])]
    blocks = (bytes(text[start : start + _BLOCK_BYTES]) for start in range(0, len(text), _BLOCK_BYTES))
    return any(signal in block for block in blocks for signal in _SIGNAL_BYTES)


# ---- inputs


class Column:
    """An input, one value per example; `help` is one sentence for the docstring, the card and the page."""

    arrow_types: tuple[pa.DataType, ...]
    """The types declared to evaluate; added columns are stored as the last."""
    type_label: str
    allow_missing = False
    """Whether None is a value of the column."""

    def __init__(self, help: str = "", *, optional: bool = False) -> None:
        self.help, self.optional = help, optional

    def check(self, name: str, column: list[Any]) -> list[Any]:
        """Return the column as plain values, or raise a `ValueError`."""
        raise NotImplementedError

    def as_arrow(self, column: Any) -> Any:
        """Return a column that is valid as it is as an Arrow array, or None: then `check` finds what is wrong."""
        return None

    def store(self, column: Any) -> Any:
        """Encode a checked column."""
        return column.cast(self.arrow_types[-1]) if is_arrow(column) else pa.array(column, self.arrow_types[-1])


class Strings(Column):
    """One string per example."""

    arrow_types = (pa.string(),)
    type_label = "list of str"

    def check(self, name: str, column: list[Any]) -> list[Any]:
        return check_strings(name, column)

    def as_arrow(self, column: Any) -> Any:
        return _valid_strings(to_arrow(column), column)


class StringLists(Column):
    """A list of strings per example, which may be empty."""

    arrow_types: tuple[pa.DataType, ...] = (pa.list_(pa.string()),)
    type_label = "list of lists of str"
    allow_empty = True

    def check(self, name: str, column: list[Any]) -> list[Any]:
        if not _all_are(list, column):
            for index, texts in enumerate(column):
                if not _is_list(texts):
                    hint = _format_hint(f"{name}[{index}]", texts)
                    raise ValueError(f"{name}[{index}] is {show(texts)}, not a list of strings{hint}")
            column = [texts.tolist() if hasattr(texts, "tolist") else list(texts) for texts in column]
        if not self.allow_empty and [] in column:
            raise ValueError(f"{name}[{column.index([])}] is an empty list; each example needs at least one reference")
        flat = list(chain.from_iterable(column))
        try:
            plain = check_strings(name, flat)
        except ValueError:
            for index, texts in enumerate(column):
                check_strings(f"{name}[{index}]", texts, ids=self.allow_empty)
            raise
        if plain is flat:
            return column
        return [plain[start:end] for start, end in pairwise(accumulate(map(len, column), initial=0))]


class References(StringLists):
    """References: one string per example, or a list of acceptable strings per example; one type per call."""

    arrow_types = (*Strings.arrow_types, *StringLists.arrow_types)
    type_label = "list of str, or list of lists of str"
    allow_empty = False

    def check(self, name: str, column: list[Any]) -> list[Any]:
        if _all_are(str, column):
            return check_strings(name, column)
        lists = [_is_list(value) for value in column]
        if any(lists) and not all(lists):
            index = lists.index(not lists[0])
            raise ValueError(
                f"{name}[{index}] is {show(column[index])}, but {name}[0] is {show(column[0])}: give one string per "
                "example, or a list of acceptable strings for every example"
            )
        return super().check(name, column) if any(lists) else check_strings(name, column)

    def as_arrow(self, column: Any) -> Any:
        array = to_arrow(column)
        if array is None or not _is_list_type(array.type):
            return _valid_strings(array, column)
        if array.null_count or not len(array) or _valid_strings(pc.list_flatten(array), column) is None:
            return None
        return array if pc.min(pc.list_value_length(array)).as_py() else None

    def store(self, column: Any) -> Any:
        """Encode a checked column, always as lists, so that batches of both types fit together."""
        if _is_list_type(column.type) if is_arrow(column) else column and isinstance(column[0], list):
            return super().store(column)
        strings = Strings().store(column)
        if isinstance(strings, pa.ChunkedArray):
            strings = strings.combine_chunks()
        return pa.ListArray.from_arrays(pa.array(range(len(strings) + 1), pa.int32()), strings)


class Numbers(Column):
    """A number in a range per example."""

    arrow_types: tuple[pa.DataType, ...] = (pa.float64(),)
    type_label = "list of float"

    def __init__(
        self, low: float = -math.inf, high: float = math.inf, help: str = "", *, optional: bool = False
    ) -> None:
        super().__init__(help, optional=optional)
        self.low, self.high = low, high

    def check(self, name: str, column: Sequence[Any]) -> list[Any]:
        for index, value in enumerate(plain := plain_values(name, column)):
            is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
            if not is_number or not math.isfinite(value) or not self.low <= float(value) <= self.high:
                span = f" between {self.low:,} and {self.high:,}" if math.isfinite(self.high - self.low) else ""
                raise ValueError(f"{name}[{index}] is {show(value)}, not a {'' if span else 'finite '}number{span}")
        return [float(value) + 0.0 for value in plain]  # -0.0 becomes 0.0


class NumberLists(Numbers):
    """A list of numbers in a range per example, which may be empty."""

    arrow_types = (pa.list_(pa.float64()),)
    type_label = "list of lists of float"

    def check(self, name: str, column: Sequence[Any]) -> list[Any]:
        for index, row in enumerate(column):
            if not _is_list(row):
                raise ValueError(f"{name}[{index}] is {show(row)}, not a list of numbers")
        check_row = super().check
        return [check_row(f"{name}[{index}]", row) for index, row in enumerate(column)]


class Clusters(Column):
    """The cluster of each example: a string or an integer, such as a document's id."""

    arrow_types = (pa.string(),)
    type_label = "list of str or int"

    def check(self, name: str, column: list[Any]) -> list[Any]:
        for index, value in enumerate(column if not _all_are(str, column) else ()):
            if isinstance(value, bool) or not isinstance(value, (str, numbers.Integral)):
                raise ValueError(f"{name}[{index}] is {show(value)}, not a string or an integer")
            if isinstance(value, str) is not isinstance(column[0], str):
                raise ValueError(
                    f"{name}[{index}] is {show(value)}, but {name}[0] is {show(column[0])}: give strings only or "
                    "integers only"
                )
        return check_strings(name, list(map(str, column)))


class Labels(Column):
    """The human judgment of each example, 0 to 1; None or NaN if there is none."""

    arrow_types = (pa.float64(),)
    type_label = "list of float or None"
    allow_missing = True

    def check(self, name: str, column: list[Any]) -> list[Any]:
        plain = plain_values(name, column)
        for index, value in enumerate(plain):
            if not is_missing(value) and not (isinstance(value, numbers.Real) and 0 <= float(value) <= 1):
                span = "a number between 0 and 1, or None if there is no label"
                raise ValueError(f"{name}[{index}] is {show(value)}, not {span}")
        return [None if is_missing(value) else float(value) for value in plain]


COMMON_INPUTS: dict[str, Column] = {
    "clusters": Clusters(
        "The cluster of each example, such as its document, if examples depend on each other.", optional=True
    ),
    "human_labels": Labels(
        "Human judgments of a random sample of the examples, 0 to 1; None for the others.", optional=True
    ),
}


def _is_list_type(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _valid_strings(array: Any, column: Any) -> Any:
    """Return an Arrow array if it has valid strings, dictionary-encoded or not, and no nulls; else None."""
    if array is None:
        return None
    kind, chunks = array.type, array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    if pa.types.is_dictionary(kind):
        kind, chunks = kind.value_type, [chunk.dictionary for chunk in chunks]
    is_text = kind in (pa.string(), pa.large_string(), pa.string_view())
    # The null count of an array leaves out nulls in its dictionary.
    if not is_text or array.null_count or any(chunk.null_count for chunk in chunks):
        return None
    try:
        for chunk in () if type(column) is list else chunks:  # Python strings have just been encoded
            chunk.validate(full=True)
    except pa.ArrowInvalid:  # not UTF-8; Parquet may contain any bytes
        return None
    return array


# ---- per-example results


class Category(str):
    """The type of a column of strings of which there are few different ones; Arrow stores each once."""

    __slots__ = ()


# Writers infer the type of a column from its first values, where an empty list is a list of null. So each column has
# one storage type: nested values become one JSON string per row, and a missing number becomes NaN.
_STORED: dict[Any, tuple[pa.DataType, str]] = {
    float: (pa.float64(), "a number"),
    float | None: (pa.float64(), "a number or missing"),
    int: (pa.int64(), "an integer"),
    int | None: (pa.float64(), "an integer or missing"),
    bool: (pa.bool_(), "True or False"),
    str: (pa.string(), "a string"),
    Category: (pa.dictionary(pa.int8(), pa.string()), "a string"),
    list: (pa.string(), "valid JSON"),
}


def encode(
    columns: Mapping[str, Any], kinds: Mapping[str, Any], prefix: str, like: Any, kept: Mapping[str, Any]
) -> Any:
    """Encode per-example columns, lists or arrays of the kinds in `_STORED`, as `score_batch` returns them.

    Their names get the prefix. The result is an Arrow table or record batch if the batch that was scored, `like`, is
    one, else a mapping of lists. Columns of the batch that are kept are added as they are; their names must be new.
    """
    stored_types = {name: column.arrow_types[-1] for name, column in COMMON_INPUTS.items()}
    stored_types |= {name: _STORED[kind][0] for name, kind in kinds.items()}
    container = next((kind for kind in (pa.Table, pa.RecordBatch) if isinstance(like, kind)), None)
    stored: dict[str, Any] = {}
    for name, column in columns.items():
        if container is not None and isinstance(column, np.ndarray) and column.dtype != object:
            column = pa.array(column)  # noqa: PLW2901  # no Python object for each number
        if container is not None and is_arrow(column):
            stored[f"{prefix}{name}"] = column.cast(stored_types[name])
        else:
            values = _encode_values(to_list(name, column), kinds.get(name))
            stored[f"{prefix}{name}"] = values if container is None else pa.array(values, stored_types[name])
    if taken := stored.keys() & kept.keys():
        raise ValueError(f"keep names {min(taken)!r}, which is also the name of a column of scores")
    if container is not None:
        return container.from_pydict({**stored, **kept})
    lists = (list, np.ndarray)  # which all carriers of a mapping take
    return stored | {name: one if isinstance(one, lists) else to_list("keep", one) for name, one in kept.items()}


def _encode_values(values: list[Any], kind: Any) -> list[Any]:
    if kind in (float | None, int | None):
        return [math.nan if value is None else float(value) for value in values]
    if kind is list:
        return [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return values


def decode(name: str, column: Any, kind: Any, hint: str) -> list[Any]:
    """Undo `encode` and check each value; nested details that are already decoded are accepted.

    Raises a `ValueError` for a value that is not of this kind, with its index and what to do about it: the hint.
    """
    values = plain_values(name, column)
    if set(map(type, values)) == {str if kind is Category else kind} and (
        kind is not float or math.isfinite(sum(values))
    ):
        return values
    decoded = []
    for index, value in enumerate(values):
        try:
            decoded.append(_decode(value, kind))
        except (TypeError, ValueError, OverflowError):
            shown = f"{reprlib.repr(value)} ({type(value).__name__})"
            raise ValueError(f"{name}[{index}] is {shown}, not {_STORED[kind][1]}. {hint}") from None
    return decoded


def _decode(value: Any, kind: Any) -> Any:
    if kind is list:
        return json.loads(value) if isinstance(value, str) else value
    if kind in (float | None, int | None):
        if value is None or value != value:  # noqa: PLR0124  # true for NaN only
            return None
        kind = float if kind == float | None else int
    if kind is bool and value in (0, 1):
        return bool(value)
    if kind in (str, Category) and isinstance(value, str):
        return value
    # pandas reads an integer column with missing values as floats
    is_number = type(value) in {int, float} and math.isfinite(value)
    if is_number and (kind is float or (kind is int and float(value).is_integer())):
        return kind(value)
    raise ValueError
