"""Rows of a Space, each a list of cells, one text per column: read from files, matched, packed into links."""

import base64
import binascii
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from answer_metrics.files.cells import are_lists, are_numbered, option_of, separated, texts_in
from answer_metrics.files.json_files import JSON
from answer_metrics.files.names import COMMON, LISTS, TABLES, by_simple_name
from answer_metrics.files.reading import fetch_dataset, read
from answer_metrics.files.rows import InputError, is_records, plural
from answer_metrics.files.unpacking import opener_of

Row = list[str]
Record = dict[str, Any]

SYSTEMS = {"A": "", **{name: f"_{name.lower()}" for name in "BCDEFGH"}}
"""The systems that can be compared, and the suffixes of their columns."""
KINDS: dict[str, Any] = {  # the type of a column by what its cells contain; texts are joined by " | "
    "text": list[str],
    "answers": list[str] | list[list[str]],  # one or several in a cell
    "list": list[list[str]],  # also one per line
    "numbers": list[list[float]],
    "name": list[str] | list[int],
    "score": list[float | None],
}
MISSING = "\N{SYMBOL FOR NULL}"
"""A prediction that a file does not have: a text that is wrong under all rules, even where no answer is right."""
SCORED = ("predictions", "scores")  # the inputs that differ between systems, which a file may lack in a row
MAX_LINK, MAX_UNPACKED = 8_000, 400_000


class Column(NamedTuple):
    """A column of the table, and an argument of endpoints."""

    name: str  # in `compute`
    heading: str
    kind: str = "text"  # what a cell contains, one of KINDS
    aliases: str = ""  # further names in files
    optional: bool = False
    help: str = ""
    system: str = ""  # A to D if each system has its own

    @property
    def base(self) -> str:
        """The name without the suffix of the system."""
        return self.name.removesuffix(SYSTEMS.get(self.system, ""))

    def file_names(self, *, alone: bool) -> list[str]:
        """List the names that a file may use for it, the most specific first; `alone` if it is of this system only."""
        base, place = self.base, [*SYSTEMS].index(self.system or "A") + 1
        usual = [*[LISTS] * (self.kind == "list"), *COMMON, *TABLES]
        aliases = list(dict.fromkeys(" ".join([self.aliases, *(table.get(base, "") for table in usual)]).split()))
        names = [base, base.removesuffix("s"), *aliases]
        of_system = [f"{name}_{end}" for name in names if self.system for end in (self.system.lower(), place)]
        return of_system + (names if alone or place == 1 else [])

    def titled(self, title: str) -> "Column":
        """Return the column with what its system is called in its heading."""
        heading = re.sub(f" {self.system}(?=,|$)", lambda _: f" {title}", self.heading) if title else self.heading
        return self._replace(heading=heading)

    def of_system(self, system: str) -> "Column":
        """Return the column for one of the systems; those after B need not be given."""
        head, comma, rest = self.heading.partition(",")
        return self._replace(
            name=self.name + SYSTEMS[system],
            heading=f"{head} {system}{comma}{rest}",
            help=f"{self.help.rstrip('.')}, of system {system}.",
            optional=self.optional or system > "B",
            system=system,
        )


class Limits(NamedTuple):
    """What a Space takes in one call."""

    rows: int = 20_000
    characters: int = 8_000_000
    cell: int = 10_000
    texts_in_cell: int = 100  # some metrics compare each text of a cell with each text of another

    def check(self, inputs: Mapping[str, Any]) -> None:
        """Raise an `InputError` for columns that are too large; the metric checks everything else."""
        characters = 0
        for column in inputs.values():
            cells = column if isinstance(column, list) else []
            refuse_above(self.rows, len(cells), "There are {:,} rows")
            for number, cell in enumerate(cells, 1):
                texts = cell if isinstance(cell, list) else [cell]
                size = sum(len(text) for text in texts if isinstance(text, str))
                refuse_above(self.cell, size, f"Row {number:,} has {{:,}} characters in a cell")
                refuse_above(self.texts_in_cell, len(texts), f"Row {number:,} has {{:,}} texts in a cell")
                characters += size
        refuse_above(self.characters, characters, "The texts have {:,} characters")


def refuse_above(limit: int, count: int, sentence: str) -> None:
    """Raise an `InputError` if a count is above its limit."""
    if count > limit:
        raise InputError(f"{sentence.format(count)}; the limit is {limit:,}. In Python there is no limit.")


# ---- cells


def split_cell(cell: str, kind: str) -> Any:
    """Parse a cell; `join_cell` is the inverse."""
    if kind in {"text", "name", "score"}:
        text = cell if kind == "text" else cell.strip() or None
        return _number(text, kind) if text and kind == "score" else text
    if kind == "numbers":
        return [_number(text, kind) for text in re.split(r"[\s,;|\[\]]+", cell) if text]
    texts = texts_in(cell, numbers=kind == "list")
    if texts or (texts is not None and kind == "list"):
        return texts
    if kind == "list":
        return [text.strip() for line in cell.splitlines() for text in line.split(" | ") if text.strip()]
    return separated(cell)


def join_cell(value: Any, kind: str) -> str:
    """Write a text, or a list of texts or numbers, into a cell."""
    if kind in {"text", "name", "score"}:
        return "" if value is None else str(value)
    if isinstance(value, str):
        value = [value]
    cell = {"list": "\n", "numbers": ", "}.get(kind, " | ").join(map(str, value))
    return cell if kind == "numbers" or split_cell(cell, kind) == value else json.dumps(value, ensure_ascii=False)


def _number(text: str, kind: str) -> float:
    with suppress(ValueError):
        if math.isfinite(number := float(text)) and (kind != "score" or 0 <= number <= 1):
            return number
    raise InputError(f"“{text[:40]}” isn't a number{' from 0 to 1' * (kind == 'score')}.")


def visible(text: str) -> str:
    """Show what cannot be seen in a text: spaces at its ends or in a row as dots, other marks by their code point."""
    dotted = re.sub(r"^ +| +$| {2,}", lambda spaces: "·" * len(spaces[0]), text)
    return "".join(
        mark if mark.isprintable() and not "\ufe00" <= mark <= "\ufe0f" else f"[U+{ord(mark):04X}]" for mark in dotted
    )


def filled_rows(rows: Sequence[Sequence[Any]], width: int) -> list[Row]:
    """Return the rows that have any text, all as wide as the table."""
    texts = [[str(cell or "") for cell in [*row, *[""] * width][:width]] for row in rows]
    if filled := [row for row in texts if any(map(str.strip, row))]:
        return filled
    raise InputError("There are no rows yet: type some, upload a file, paste a table or load an example.")


def to_inputs(rows: Sequence[Row], columns: Sequence[Column], *, partial: bool = False) -> dict[str, list[Any]]:
    """Turn rows into the columns that `compute` takes: of a `partial` table all, else without empty optional ones."""
    inputs: dict[str, list[Any]] = {}
    for column, texts in zip(columns, zip(*rows, strict=True), strict=True):
        cells: list[Any] = []
        for number, text in enumerate(texts, 1):
            try:
                cells.append(split_cell(text, column.kind))
            except InputError as error:
                raise InputError(f"Row {number:,}, {column.heading}: {error}") from None
        if column.kind == "answers" and all(len(cell) == 1 for cell in cells):  # no cell has several
            cells = [cell[0] for cell in cells]
        if partial or any(map(str.strip, texts)):
            if column.kind == "name" and None in cells:
                row = cells.index(None) + 1
                raise InputError(f"Row {row:,} has no {column.name[:-1]}: every row needs one, or none.")
            inputs[column.name] = cells
        elif not column.optional:
            raise InputError(f"The column {column.heading} is empty: fill it in, or upload a file that has it.")
    return inputs


# ---- files


class Table(NamedTuple):
    """The contents of a file."""

    records: list[Record]
    first: Record = {}  # the first line of a table of cells, which may be data, by its names of fields
    notes: list[str] = []

    @property
    def names(self) -> list[str]:
        """The names of all fields in their order."""
        return list(dict.fromkeys([*self.first, *(name for record in self.records for name in record)]))


def read_source(path: str, pasted: str, address: str, limit: int) -> Table:
    """Read a file, or else a pasted table, or else a dataset of the Hub."""
    if not path and pasted.strip() and address.strip():
        raise InputError("Both a table and a dataset are given: empty one of the two fields.")
    try:
        content = Path(path).read_bytes() if path else pasted.encode()
    except FileNotFoundError:
        raise InputError("The file is no longer here: upload it again.") from None
    if not path and not pasted.strip():
        return Table(read_table(fetch_dataset(address), "", limit).records[:limit])
    table = read_table(content, Path(path).suffix.lower(), limit)
    refuse_above(limit, len(table.records), "There are {:,} rows")
    return table


def read_table(content: bytes, suffix: str = "", limit: int = Limits().rows) -> Table:
    """Read a file that `files` knows, or a pasted table; raises an `InputError` if it cannot be read."""
    suffix = ".json" if suffix in {"", ".csv", ".tsv"} and JSON.match(content) else suffix
    is_binary = content.startswith((b"PK\x03\x04", b"PAR1")) or opener_of(content)
    kind = None if is_binary or suffix in {".json", ".jsonl", ".ndjson", ".parquet"} else "csv"
    rows, records = read(content, suffix, kind, limit)
    if rows.format == "inspect":
        records = [{**record, "ids": record["question_id"]} for record in records]
    return Table(records, rows.first, rows.notes)


# ---- columns


def match_columns(names: Sequence[str], columns: Sequence[Column], system: str = "") -> dict[str, str]:
    """Find the field for each column by its name, then its aliases; only those of a `system` whose file it is."""
    plain = by_simple_name(names)
    fields: dict[str, str] = {}
    for column in sorted(columns, key=lambda column: not column.system):
        if not system or column.system in {"", system}:
            present = [plain[name] for name in column.file_names(alone=column.system == system) if name in plain]
            if left := [field for field in present if field not in fields.values()]:
                fields[column.name] = left[0]
    return fields


def missing_columns(table: Table, columns: Sequence[Column], mapping: Mapping[str, str], system: str) -> str:
    """Say which required columns have no field in the file of a system; "" if all have one, or are taken in order."""
    required = [column for column in columns if not column.optional]
    if not mapping and table.first and len(table.names) == len(required):
        return ""
    systems = {system} if system else {"", "A"}
    bases = {column.base for column in required}  # the file of a third system must have its own of these
    needed = [column for column in columns if column.system in systems and column.base in bases]
    missing = ", ".join(column.heading for column in needed if column.name not in mapping)
    fields = ", ".join(f"“{name[:40]}”" for name in table.names[:8])
    return f"No column for {missing}. Found: {fields}. Choose the columns below." if missing else ""


def to_rows(table: Table, columns: Sequence[Column], mapping: Mapping[str, str]) -> list[Row]:
    """Turn records into rows by the field for each column; without any, cells are in the order of required columns."""
    records, required = table.records, [column.name for column in columns if not column.optional]
    if not mapping and table.first:
        mapping, records = dict(zip(required, table.first, strict=True)), [table.first, *records]
    empty = {field for field in mapping.values() if all(record.get(field) is None for record in records)}

    def cell(number: int, record: Record, column: Column) -> str:
        field = mapping.get(column.name, "")
        if not field or (column.optional and field in empty):
            return ""
        try:
            return to_cell(record.get(field), column, is_cell=bool(table.first))
        except InputError as error:
            raise InputError(f"Row {number:,}, field “{field}”: {error}") from None

    rows = [[cell(number, record, column) for column in columns] for number, record in enumerate(records, 1)]
    for place, column in enumerate(columns):
        if table.first and column.kind == "list" and are_lists(row[place] for row in rows):
            for row in rows:
                if texts_in(row[place], numbers=True) is None:
                    row[place] = row[place].replace(",", " | ")
    places = {column.name: place for place, column in enumerate(columns)}
    if {"references", "choices"} <= places.keys():
        at = places["references"]
        options = [split_cell(row[places["choices"]], "list") for row in rows]
        if are_numbered((row[at] or None, texts) for row, texts in zip(rows, options, strict=True)):
            for row, texts in zip(rows, options, strict=True):
                row[at] = join_cell(option_of(row[at], texts), "answers")
    return rows


def to_cell(value: Any, column: Column, *, is_cell: bool = False) -> str:
    """Write a value of a file into a cell; raises an `InputError` if it is not what the column takes."""
    if is_cell:
        return str(value)
    if is_records(value) and all({"role", "content"} <= message.keys() for message in value):
        raise InputError('chat messages; a text is needed, such as messages[-1]["content"].')
    while column.kind != "list" and isinstance(value, list) and len(value) == 1:
        value = value[0]  # lm-evaluation-harness has one response as a list of one list of one
    if isinstance(value, list) and not (column.kind == "text" or (column.kind == "answers" and not value)):
        return join_cell([_plain(item) for item in value], column.kind)
    if isinstance(value, list):
        raise InputError(f"a list of {len(value)}; one text is needed.")
    if _is_missing(value) and (column.kind in {"name", "score"} or column.base in SCORED):
        return MISSING if column.kind == "text" else ""
    text = _plain(value)
    return join_cell(text, column.kind) if text and column.kind != "numbers" else text


def count_missing(table: Table, mapping: Mapping[str, str]) -> int:
    """Count the records without a prediction or a score, of any system."""
    fields = [field for name, field in mapping.items() if name.startswith(SCORED)]
    return sum(_is_missing(record.get(field)) for record in table.records for field in fields)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if _is_missing(value):
        raise InputError("missing; a text is needed, which may be empty.")
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    raise InputError("this isn't text.")


def next_system(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """Return the system that a further file is of: the first after A without any text yet."""
    if not rows:
        raise InputError("Upload the file of system A first, then that of system B.")
    filled = {column.system for column, *cells in zip(columns, *rows, strict=True) if any(map(str.strip, cells))}
    free = [name for name in SYSTEMS if name not in filled | {"A"}]
    if not free:
        raise InputError(f"There are {len(SYSTEMS)} systems already: press Clear to compare others.")
    return free[0]


def pair_rows(
    rows: Sequence[Row], others: Sequence[Row], columns: Sequence[Column], system: str, align: Callable[..., Any]
) -> tuple[list[Row], str]:
    """Merge the cells of a system's own file into rows, matched by id (`align` of columns/tables.py) or position."""
    place = [column.name for column in columns].index("ids")
    ids: dict[str, list[str | None]] = {}
    for name, table in (("system A", rows), (f"system {system}", others)):
        times: Counter[str] = Counter()  # several samples of a question get an ID each
        for question in (row[place].strip() for row in table):
            times[question] += 1
            sample = f"{question} (sample {times[question]})" if times[question] > 1 else question
            ids.setdefault(name, []).append(sample if question else None)
    by_id = all(map(any, ids.values()))
    if not by_id and len(rows) != len(others):
        counts = f"System A has {plural(len(rows), 'row')}, system {system} {plural(len(others), 'row')}."
        raise InputError(f"{counts} Give both the same rows in the same order, or an ID column.")
    _, orders = align(ids, "IDs" if by_id else None)
    hint = "" if by_id else ": match the rows by an ID column, or put both files in the same order"
    merged = []
    for number, (row, index) in enumerate(zip(rows, orders[f"system {system}"], strict=True), 1):
        cells = []
        for column, cell, other in zip(columns, row, others[index], strict=True):
            texts = {text.strip() for text in (cell, other)} - {""}
            if not column.system and column.name != "ids" and len(texts) > 1:
                raise InputError(f"Row {number:,} has a different {column.heading.lower()} in the two files{hint}.")
            cells.append(other if column.system == system else cell if column.system else cell or other)
        merged.append(cells)
    return merged, f"{plural(len(merged), 'row')}, matched with system A by {'ID' if by_id else 'position'}."


# ---- links


def pack_link(rows: Sequence[Row], options: Mapping[str, Any], *, comparing: bool | Mapping[str, str] = False) -> str:
    """Pack rows and options into the fragment of a link, which browsers do not send to the server; "" if too long."""
    plain = json.dumps([list(rows), dict(options), comparing], ensure_ascii=False, separators=(",", ":")).encode()
    packed = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    return f"rows={packed}" if len(packed) <= MAX_LINK and len(plain) <= MAX_UNPACKED else ""


def unpack_link(link: str) -> tuple[list[Row], dict[str, Any], bool | dict[str, str]]:
    """Unpack a link into rows, unchecked options, and whether systems are compared, perhaps with their names."""
    packed = link.removeprefix("rows=")
    with suppress(binascii.Error, zlib.error, ValueError, TypeError, RecursionError):
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
        reader = zlib.decompressobj()
        rows, options, comparing = json.loads(reader.decompress(raw, MAX_UNPACKED))
        if reader.eof and isinstance(options, dict) and all(isinstance(cell, str) for row in rows for cell in row):
            named = isinstance(comparing, dict) and all(isinstance(name, str) for name in comparing.values())
            return rows, options, comparing if named else bool(comparing)
    raise InputError("The link is damaged or was cut short. Ask for it again.")
