# Vendored: edit metrics/_shared/space_ui/rows.py and run `make vendor`.
"""Rows of a Space: columns, cells, and limits on input size. Standard library only.

A row is a list of cells, one string per input of the metric, as in the page's table. If an input accepts several texts,
its cells contain them as `one | two`, one per line, or as a JSON list; numbers are separated by commas or spaces.
"""

import json
import math
import re
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from itertools import zip_longest
from pathlib import Path
from typing import Any
from typing import Literal

Row = list[str]
Kind = Literal["text", "answers", "list", "numbers"]

ALIASES: Mapping[str, tuple[str, ...]] = {
    "questions": (
        *("question", "query", "prompt", "input", "instruction"),
        *("doc_question", "doc_query", "arguments_gen_args_0_arg_0"),  # lm-evaluation-harness
    ),
    "predictions": (
        *("prediction", "pred", "filtered_resps", "output_completion", "prediction_text", "answer", "output"),
        *("response", "completion", "generated", "candidate", "resps", "model_answer", "generation", "model_output"),
    ),
    "references": (
        *("reference", "ref", "gold", "target", "ground_truth", "expected", "label", "answers", "answers_text"),
        *("correct", "golden_answer", "doc_answer"),
    ),
}
SEPARATOR = " | "
_SUGGESTED = 5
NO_LIMIT = "In Python there is none: see the tab Python & API."


class InputError(ValueError):
    """Invalid input of a visitor; the message says how to fix it."""


@dataclass(frozen=True)
class Column:
    """One input of a metric, as the page shows it."""

    name: str
    """The name of the input in `compute`."""
    label: str
    """The label on the page."""
    kind: Kind = "text"
    """One text, one or several acceptable texts, or a list of texts or of numbers that may be empty."""
    aliases: tuple[str, ...] = ()
    """Other names in files."""
    optional: bool = False
    """Whether a file may omit it."""
    separate: bool = False
    """Whether it may be in a separate file that is uploaded later."""

    @property
    def known(self) -> tuple[str, ...]:
        """All names that a file may use for it, the most specific first."""
        derived = (self.name, self.name.removesuffix("s"), f"inputs_{self.name}")
        return tuple(dict.fromkeys((*derived, *self.aliases, *ALIASES.get(self.name, ()))))

    @property
    def suggested(self) -> list[str]:
        """A few of these names to suggest."""
        return [name for name in self.known[1:] if not name.startswith("inputs_")][:_SUGGESTED]

    @property
    def spoken(self) -> str:
        """The label in the middle of a sentence."""
        return self.label if self.label.isupper() else self.label[:1].lower() + self.label[1:]

    def label_of(self, system: str) -> str:
        """The label for one of two systems, as in `Retrieved B, best first`."""
        head, comma, rest = self.label.partition(",")
        return f"{head} {system}{comma}{rest}"

    def second(self, suffix: str) -> "Column":
        """Return the column for the same input of a second system."""
        aliases = tuple(f"{name}_{end}" for name in self.known for end in ("b", "2", "new"))
        name, label = f"{self.name}{suffix}", self.label_of("B")
        return Column(name, label, self.kind, aliases, optional=self.optional, separate=True)


@dataclass(frozen=True)
class Limits:
    """Limits on the size of a visitor's input."""

    rows: int = 20_000
    characters: int = 8_000_000
    cell: int = 10_000
    texts: int = 60_000
    """Texts in all cells together: each costs time, however short it is."""
    texts_in_cell: int = 100
    """Texts in one cell: some metrics compare each text of a cell with each text of another."""

    @property
    def bytes(self) -> int:
        """Size of a file."""
        return 3 * self.characters

    def too_many_rows(self, count: int) -> str:
        """Return the error message for too many rows."""
        return f"There are {count:,} rows; the limit is {self.rows:,}. {NO_LIMIT}"

    def check(self, rows: Sequence[Row]) -> None:
        """Raise an `InputError` for rows that exceed the limits."""
        if len(rows) > self.rows:
            raise InputError(self.too_many_rows(len(rows)))
        total = 0
        for index, row in enumerate(rows):
            for cell in row:
                total += len(cell)
                if len(cell) > self.cell:
                    raise InputError(
                        f"Row {index + 1} has {len(cell):,} characters in a cell; the limit is {self.cell:,}. "
                        f"{NO_LIMIT}"
                    )
        if total > self.characters:
            raise InputError(f"The texts have {total:,} characters; the limit is {self.characters:,}. {NO_LIMIT}")

    def check_columns(self, inputs: Mapping[str, Any]) -> None:
        """Raise an `InputError` for columns of an API call that exceed the limits; the metric checks their values."""
        columns = [values for values in inputs.values() if isinstance(values, list)]
        longest = max(map(len, columns), default=0)
        if longest > self.rows:
            raise InputError(self.too_many_rows(longest))
        rows = [
            [cell if isinstance(cell, list) else [cell] for cell in row] for row in zip_longest(*columns, fillvalue=[])
        ]
        self.check_texts([[len(cell) for cell in row] for row in rows])
        self.check([["".join(text for text in cell if isinstance(text, str)) for cell in row] for row in rows])

    def check_texts(self, counts: Sequence[Sequence[int]]) -> None:
        """Raise an `InputError` for too many texts, given the number in each cell of each row."""
        for index, row in enumerate(counts):
            if max(row, default=0) > self.texts_in_cell:
                raise InputError(
                    f"Row {index + 1} has {max(row):,} texts in a cell; the limit is {self.texts_in_cell:,}."
                )
        total = sum(map(sum, counts))
        if total > self.texts:
            raise InputError(f"The cells have {total:,} texts; the limit is {self.texts:,}. {NO_LIMIT}")


def split_cell(cell: str, kind: Kind) -> list[str]:
    """Parse the texts of a cell.

    A JSON list of strings is parsed as such. Otherwise `one | two` is two texts, and for a list of texts, so are two
    lines. Anything else is one text, unchanged; an empty cell is an empty list if the input allows it.
    """
    if kind == "text":
        return [cell]
    if kind == "numbers":
        return [text for text in re.split(r"[\s,;|]+", cell.strip().removeprefix("[").removesuffix("]")) if text]
    listed = _json_texts(cell) if "[" in cell else None
    if listed is not None and (listed or kind == "list"):
        return listed
    if kind == "list":
        return [text.strip() for line in cell.splitlines() for text in line.split(SEPARATOR) if text.strip()]
    if SEPARATOR not in cell:
        return [cell]
    parts = cell.split(SEPARATOR)
    return parts if all(part.strip() for part in parts) else [cell]


def join_cell(texts: Sequence[str], kind: Kind) -> str:
    """Write texts into a cell; `split_cell` is the inverse."""
    separator = {"list": "\n", "numbers": ", "}.get(kind, SEPARATOR)
    cell = separator.join(texts)
    if split_cell(cell, kind) == list(texts):
        return cell
    return json.dumps(list(texts), ensure_ascii=False)


def _json_texts(cell: str) -> list[str] | None:
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def to_inputs(rows: Sequence[Row], columns: Sequence[Column]) -> dict[str, list[Any]]:
    """Turn rows into the columns that `compute` takes.

    If no cell of a column contains several acceptable texts, the column consists of plain strings.
    """
    return inputs_from_cells(split_columns(rows, columns), columns)


def split_columns(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[str] | list[list[str]]]:
    """Return the cells of each column, those of texts as they are, all others split into their texts."""
    return [
        [row[index] for row in rows] if column.kind == "text" else [split_cell(row[index], column.kind) for row in rows]
        for index, column in enumerate(columns)
    ]


def inputs_from_cells(cells: Sequence[Sequence[Any]], columns: Sequence[Column]) -> dict[str, list[Any]]:
    """Turn what `split_columns` returns into the columns that `compute` takes."""
    inputs: dict[str, list[Any]] = {}
    for texts, column in zip(cells, columns, strict=True):
        if column.kind == "numbers":
            inputs[column.name] = [_to_numbers(cell, row, column) for row, cell in enumerate(texts)]
        elif column.kind == "answers" and all(len(options) == 1 for options in texts):
            inputs[column.name] = [options[0] for options in texts]
        else:
            inputs[column.name] = list(texts)
    return inputs


def _to_numbers(texts: Sequence[str], row: int, column: Column) -> list[float]:
    numbers = []
    for text in texts:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f"Row {row + 1}: {column.spoken} has “{text[:40]}”, which isn't a number.")
        numbers.append(number)
    return numbers


def check_rows(
    rows: Any, columns: Sequence[Column], limits: Limits, minimum: int = 0, *, keep_empty: bool = False
) -> list[Row]:
    """Check rows from a page or a link, and fill in optional last cells.

    Rows without any text are dropped, unless `keep_empty` is set because their position matters.

    Raises:
        InputError: If they are not rows of texts, exceed the limits, or are fewer than `minimum`.
    """
    width = len(columns)
    if not isinstance(rows, list):
        raise InputError("The rows can't be read.")
    required = max((place for place, column in enumerate(columns, 1) if not column.optional), default=0)
    are_rows = all(isinstance(row, list) and required <= len(row) <= width for row in rows)
    if not are_rows or not all(isinstance(cell, str) for cell in chain.from_iterable(rows)):
        raise InputError(f"Each row needs {width} texts: {names_of(columns)}.")
    filled = [[*row, *[""] * (width - len(row))] for row in rows if keep_empty or any(map(str.strip, row))]
    if len(filled) < minimum:
        raise InputError("There are no rows yet: type some, upload a file, paste a table or load an example.")
    check_content(filled, columns, limits)
    return filled


def check_content(rows: Sequence[Row], columns: Sequence[Column], limits: Limits) -> None:
    """Raise an `InputError` for texts that can't be encoded, and for rows that exceed the limits."""
    _check_unicode(rows)
    limits.check(rows)
    kinds = [column.kind for column in columns]
    limits.check_texts(
        [
            [1 if kind == "text" else len(split_cell(cell, kind)) for cell, kind in zip(row, kinds, strict=True)]
            for row in rows
        ]
    )


def _check_unicode(rows: Sequence[Row]) -> None:
    for index, row in enumerate(rows):
        try:
            "".join(row).encode()
        except UnicodeEncodeError:
            raise InputError(f"Row {index + 1} has half of a character (a lone surrogate). Save it as UTF-8.") from None


def names_of(columns: Sequence[Column]) -> str:
    """Return the labels of columns as a list in a sentence."""
    return ", ".join(column.spoken for column in columns)


def load_examples(path: Path, columns: Sequence[Column], compared: Sequence[Column] = ()) -> list[dict[str, Any]]:
    """Read the examples of a page (title, note, options, rows), with cells as strings.

    In the file a cell may be a list of texts, and the cells of the last columns may be omitted. `recorded` names a file
    with the result of an example and a note about it, which replaces the value of `recorded`. `comparing` marks an
    example of two systems, whose cells are those of the columns `compared`.
    """
    examples: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    for example in examples:
        if "recorded" in example:
            example.update(json.loads((path.parent / example["recorded"]).read_text(encoding="utf-8")))
        present = compared if example.get("comparing") else columns
        example["rows"] = [
            [
                cell if isinstance(cell, str) else join_cell(cell, column.kind)
                for cell, column in zip([*row, *[""] * (len(present) - len(row))], present, strict=True)
            ]
            for row in example["rows"]
        ]
    return examples
