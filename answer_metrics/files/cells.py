"""Tables of cells: CSV, TSV and workbooks."""

import ast
import contextlib
import csv
import datetime
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO

from answer_metrics.files.names import NAMES, simplified
from answer_metrics.files.rows import InputError, Record, Request, Rows, made_of, plural

_LONGEST_CELL = 1 << 26
_OUTPUT = re.compile(r"\[[^\]]+\] ")
"""The beginning of the name of a column of outputs in promptfoo's CSV: the provider in brackets."""
_VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\]( \([\d.]+\))?\s*")
"""What older versions of promptfoo write before an output."""
_MOST_TITLES = 10
"""Lines that may stand before the header."""
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')

_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_TEXT_BEFORE_TEXT = re.compile(rf"({_TEXT})(?=\s+['\"])", re.DOTALL)
_OPENING = ("[", "(", "{", "array(")
_CALLS = {"array", "str_", "int32", "int64", "float32", "float64"}
"""What NumPy writes around values."""
_LISTED = ("aliases", "text", "answer")
"""The fields with the texts of an object in a cell."""

_ID_LIST = re.compile(r"(?=[\w:-]*[\d_:-])[^\W\d_][\w:-]*(,(?=[\w:-]*[\d_:-])[^\W\d_][\w:-]*)*")

Line = tuple[int, list[str]]
"""A line of cells with its number in the file."""


def from_cells(file: BinaryIO, head: bytes, request: Request) -> Rows:
    """Read CSV or TSV, which starts with `head`; the delimiter is the one that the header uses most."""
    header = _header_of(head)
    bare = re.sub(rb'(?<![^,;\t|])"[^"]*"', b"", header)  # a delimiter within quotes is none
    is_tabbed = "tsv" in {request.format, request.suffix[1:]} or b"\t" in bare
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    if is_tabbed:
        lines = _tabbed(text, len(_tab_cells(header.decode(errors="replace"))[0]))
    else:
        lines = _quoted(text, max(",;|", key=partial(_fitness, bare.decode(errors="replace"))))
    return _from_lines("tsv" if is_tabbed else "csv", lines)


def _fitness(header: str, delimiter: str) -> tuple[int, bool, bool, int]:
    """Rank a delimiter: how many cells are names of fields, whether it occurs, no pipe (names have some), how often."""
    count = header.count(delimiter)
    return _names_in(header.split(delimiter)) if count else 0, count > 0, delimiter != "|", count


def is_table(head: bytes) -> bool:
    """Return whether a text that starts with `head` begins with a header that names two fields, without blanks."""
    first = head.splitlines()[0]
    return b", " not in first and _is_header(first)


def _is_header(line: bytes) -> bool:
    return _names_in(re.split(r"[,;\t|]", line.decode(errors="replace"))) > 1


def _header_of(head: bytes) -> bytes:
    """Return the first line that names two fields, which titles and comments may precede, or else the first line."""
    first = re.match(rb'(?:(?<![^,;\t|])"[^"]*"?|[^\r\n])*', head)  # a quoted cell may have line breaks
    named = (line for line in head.splitlines()[:_MOST_TITLES] if _is_header(line))
    return next(named, first[0] if first else b"")


def _names_in(cells: Iterable[str]) -> int:
    """Return how many cells are names of fields."""
    return sum(simplified(cell.strip(' "')) in NAMES for cell in cells)


def from_workbook(file: BinaryIO, fields: frozenset[str] = frozenset()) -> Rows:
    """Read a sheet of an XLSX workbook: the first one with cells, or a later one if only that has the fields.

    These are `fields`, which the user names, or else two common names. Formulas are refused, since their values may be
    stale.
    """
    try:
        import openpyxl  # optional
    except ImportError:
        raise InputError("Workbooks need openpyxl: pip install openpyxl. Or save the sheet as “CSV UTF-8”.") from None
    try:
        book = openpyxl.load_workbook(file, read_only=True)
    except KeyError as error:
        raise InputError(f"The workbook is damaged ({error.args[0]}).") from None
    sheets = [sheet for sheet in book.worksheets if any(cell.value is not None for row in sheet for cell in row)]
    if not sheets:
        raise InputError("The workbook has no cells.")
    named = (
        sheet
        for sheet in sheets
        if any((fields <= {*line}) if fields else _names_in(line) > 1 for line in _first_lines(sheet))
    )
    is_first = not fields and any(map(_names_in, _first_lines(sheets[0])))
    sheet = sheets[0] if is_first else next(named, sheets[0])
    rows = _from_lines("xlsx", _sheet_lines(sheet))
    if len(sheets) > 1:
        rows.notes.append(f"only the sheet {sheet.title!r} is read, of {len(sheets)}")
    return rows


def _from_lines(kind: str, lines: Iterable[Line]) -> Rows:
    header: Record = {}
    notes: list[str] = []
    return made_of(kind, _cells(lines, header, notes, is_sheet=kind == "xlsx"), notes=notes, first=header)


def _quoted(text: io.TextIOBase, delimiter: str) -> Iterator[Line]:
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for line in reader:
            yield reader.line_num, line
    except csv.Error as error:
        raise InputError(f"The table can't be read: line {reader.line_num:,}: {error}.") from None


def _tabbed(text: io.TextIOBase, width: int = 0) -> Iterator[Line]:
    """Split lines at tabs, into `width` cells if that is known.

    A cell in quotes may have tabs and line breaks; all other quotes are part of the text.
    """
    number = 0
    line = text.readline()
    while line:
        number += 1
        cells, is_open = _tab_cells(line)
        line_after = text.readline()
        while is_open and line_after and not (len(cells) == width == len(_tab_cells(line_after)[0])):
            line += line_after
            number += 1
            line_after = text.readline()
            cells, is_open = _tab_cells(line)
        width = width or (len(cells) if any(cells) else 0)
        yield number, cells if len(cells) > 1 or cells[0] else []
        line = line_after


def _tab_cells(line: str) -> tuple[list[str], bool]:
    """Return the cells of a line, and whether one of them begins with a quote that is not closed."""
    line = line.rstrip("\r\n")
    cells: list[str] = []
    is_open, end = False, -1
    while end < len(line):
        start = end + 1
        quoted = _QUOTED.match(line, start)
        if quoted and line[quoted.end() : quoted.end() + 1] in {"", "\t"}:
            end = quoted.end()
            cells.append(quoted[1].replace('""', '"'))
        else:
            is_open = is_open or (not quoted and line.startswith('"', start))
            end = line.find("\t", start) if "\t" in line[start:] else len(line)
            cells.append(line[start:end])
    return cells, is_open


def _first_lines(sheet: Any) -> Iterator[list[str]]:
    for line in sheet.iter_rows(max_row=_MOST_TITLES, values_only=True):
        yield list(map(_cell_text, line))


def _sheet_lines(sheet: Any) -> Iterator[Line]:
    for number, row in enumerate(sheet.iter_rows(), 1):
        for cell in row:
            if getattr(cell, "data_type", "") in {"f", "e"}:
                what = "a formula" if cell.data_type == "f" else f"the error {cell.value}"
                raise InputError(f"Cell {cell.coordinate} has {what}: paste the values, or save the sheet as CSV.")
        line = [_cell_text(cell.value) for cell in row]
        while len(line) > 1 and not line[-1]:
            line.pop()
        yield number, line


def _cell_text(value: Any) -> str:
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat().removesuffix("T00:00:00")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value or "" if value is None or isinstance(value, str) else json.dumps(value)


def _cells(lines: Iterable[Line], header: Record, notes: list[str], *, is_sheet: bool) -> Iterator[Record]:
    """Read lines of cells; names of the header that are empty, or there before, get their number.

    The header is the first line, or a later one with more cells and names of fields if the first names none.
    The outputs in promptfoo's CSV are also the `prediction`, if they are those of one provider and prompt.
    """
    blank = 0
    remaining: Iterator[Line] = itertools.dropwhile(lambda line: not any(map(str.strip, line[1])), lines)
    first = list(itertools.islice(remaining, _MOST_TITLES))
    start = _place_of_header([line for _, line in first])
    remaining = itertools.chain(first[start + 1 :], remaining)
    for place, cell in enumerate(first[start][1] if first else [], 1):
        name = cell.strip() or f"column {place}"
        header[f"{name} ({place})" if name in header else name] = cell
    outputs = [name for name in header if _OUTPUT.match(name)]
    output = outputs[0] if len(outputs) == 1 and {"Status", "Score"} & header.keys() else ""
    for number, line in remaining:
        if not any(map(str.strip, line)):
            blank += bool(line)  # without even a comma, the line is a gap
            continue
        line += [""] * (len(header) - len(line)) * is_sheet
        if len(line) != len(header):
            raise InputError(
                f"Line {number:,} has {plural(len(line), 'cell')}, the {'header' if start else 'first line'} has "
                f'{len(header)}. Texts with a comma, tab or line break need double quotes: "like, this".'
            )
        row = dict(zip(header, line, strict=True))
        yield {**row, "prediction": _VERDICT.sub("", row[output], count=1)} if output else row
    if blank:
        notes.append(f"{plural(blank, 'line')} without text left out")


def _place_of_header(lines: Sequence[Sequence[str]]) -> int:
    counts = [max((place for place, cell in enumerate(line, 1) if cell.strip()), default=0) for line in lines]
    later = (place for place in range(1, len(lines)) if _names_in(lines[place]) > 1)
    place = next((place for place in later if counts[place] > max(counts[:place])), 0)
    return 0 if place and _names_in(lines[0]) else place


# ---- lists in a cell, and options by number


def texts_in(cell: str, *, numbers: bool = False) -> list[str] | None:
    """Return the texts of a list that a cell holds as JSON, Python or NumPy writes it; None for any other text.

    SQuAD's `{'text': ['Paris'], 'answer_start': [9]}` stands for the list in it. With `numbers`, so do numbers, as ids.
    """
    if not cell.lstrip().startswith(_OPENING):
        return None
    with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        try:
            value = json.loads(cell)
        except ValueError:  # NumPy writes ['Paris' 'Lyon'], which Python would join
            value = _evaluated(ast.parse(_TEXT_BEFORE_TEXT.sub(r"\1,", cell.strip()), mode="eval").body)
        return _texts_of(value, (str, int, float) if numbers else str)
    return None


def _evaluated(node: ast.expr) -> Any:
    match node:
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            return list(map(_evaluated, items))
        case ast.Dict(keys, values):
            return {ast.literal_eval(key or node): _evaluated(item) for key, item in zip(keys, values, strict=True)}
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), [first, *_]) if name in _CALLS:
            return _evaluated(first)
        case ast.Name("nan"):
            return None
    return ast.literal_eval(node)


def _texts_of(value: Any, kinds: Any) -> list[str] | None:
    """Return the texts of a list of texts or objects, or of an object with a list; nulls are left out."""
    if isinstance(value, dict):
        value = _answer_in(value)
    if not isinstance(value, list):
        return None
    items = [_answer_in(item) if isinstance(item, dict) else item for item in value if item is not None]
    if not all(isinstance(item, kinds) for item in items):
        return None
    return [item if isinstance(item, str) else json.dumps(item) for item in items]


def _answer_in(record: Record) -> Any:
    return next((record[name] for name in _LISTED if name in record), None)


def separated(cell: str) -> list[str]:
    """Return the texts in a cell like `one | two`, or else the cell."""
    parts = cell.split(" | ")
    return parts if all(map(str.strip, parts)) else [cell]


def are_lists(cells: Iterable[Any]) -> bool:
    """Return whether commas in a column of cells separate ids: words with a digit, underscore, colon or hyphen."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and not cell.lstrip().startswith("[")]
    return any("," in text for text in texts) and all(map(_ID_LIST.fullmatch, texts))


def joined(texts: Sequence[str]) -> str:
    """Write texts into a cell from which they are read again: like `one | two`, or else as JSON."""
    cell = " | ".join(texts)
    is_plain = len(texts) > 1 and texts_in(cell, numbers=True) is None and separated(cell) == texts
    return cell if is_plain else json.dumps(texts, ensure_ascii=False)


def are_numbered(rows: Iterable[tuple[Any, Any]]) -> bool:
    """Return whether references number the options beside them from 0, as in MMLU and HellaSwag; a null one is ignored.

    All have to be numbers of options, one of them 0, and none of them an option itself.
    """
    numbered = [(text, options) for text, options in rows if text is not None]
    return any(text == "0" for text, _ in numbered) and all(
        option_of(text, options) != text and text not in options for text, options in numbered
    )


def option_of(text: Any, options: Any) -> Any:
    """Return the option with a number, counted from 0; any other text as it is."""
    is_number = isinstance(text, str) and text.isdecimal() and int(text) < len(options)
    return options[int(text)] if is_number else text
