"""The fields of a file as inputs of a metric: which field is which input, and its values as the metric takes them."""

import argparse
import contextlib
import itertools
import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import pyarrow as pa

import answer_metrics
from answer_metrics import did_you_mean
from answer_metrics.cli.arguments import pairs
from answer_metrics.files import reading
from answer_metrics.files.cells import are_lists, are_numbered, option_of, separated, texts_in
from answer_metrics.files.names import (
    COMMON,
    DOCUMENTS,
    LISTS,
    MEASURES,
    MODELS,
    NEITHER,
    NO_SCORES,
    QUALIFIERS,
    SIDES,
    SOURCES,
    SURE,
    TABLES,
    TEXTS,
    by_simple_name,
    has_word,
    simplified,
)
from answer_metrics.files.rows import Columns, InputError, Lines, Request, Rows, column_at, flat, has_field, plain
from answer_metrics.files.tools import NAMED, last_text, messages_of

ARROW = (pa.Array, pa.ChunkedArray)
SHOWN = ("ids", "questions", "predictions", "references")
"""What people want to see of a row."""
_NEVER_GUESSED = frozenset({"clusters", "human_labels"})
_FIRST = 1000
"""The rows at the beginning that decide for all."""
_PLAUSIBLE = 0.2
"""The share of rows in which a field has to share a word with the other side to be suggested."""
_VERDICTS = dict.fromkeys(("true", "correct", "pass", "passed"), 1.0)
_VERDICTS |= dict.fromkeys(("false", "incorrect", "fail", "failed"), 0.0)
_GOLD = {*SURE["references"].split()}
_SCORES = {*SURE["scores"].split(), "match", "preference"}
_AGGREGATE = {"average", "avg", "mean", "overall", "total", "std", "stderr", "count", "num"}
"""Words in the names of fields that summarize several rows."""


def open_file(path: str, args: argparse.Namespace) -> Rows:
    """Open a file as the command line says: its format, its encoding, and the fields that it should have."""
    fields = frozenset(pairs(args.columns, "--columns").values())
    return reading.open_rows(path, Request(args.format, "", path == args.references, fields, args.encoding))


def quoted(field: str) -> str:
    """Return the name of a field as a shell takes it."""
    return field if re.fullmatch(r"[\w@%+=:,./-]+", field) else shlex.quote(field)


def check_texts(options: Mapping[str, Any], path: str, rows: Rows) -> None:
    """Raise an `InputError` if a file has ids of documents, which a metric with these options does not compare."""
    strategy = options.get("matching_strategy")
    if "ID" in rows.options.values() and not (strategy and "ID" in strategy.choices):
        raise InputError(f"{path}: it has ids of documents, not texts: use --metric ranked_retrieval")


class InputFile:
    """A file with inputs of a metric: `path` is its name in messages, `rows` is what `open_file` returned."""

    def __init__(self, metric: Any, path: str, rows: Rows, args: argparse.Namespace) -> None:
        self.metric, self.path, self.rows = metric, path, rows
        self._chosen, self._separator = pairs(args.columns, "--columns"), args.split
        self._count = 0
        self._dropped: set[str] = set()
        self._are_numbers: bool | None = None
        self._questions = 0
        self._origins: list[int] | None = None
        self.has_samples: bool | None = None
        """Whether predictions are lists of samples, which the first piece decides."""
        self.has_facts = False
        """Whether pairs of a text and a number are one text each, as HotpotQA's facts are."""
        self.is_output = False
        """Whether `-o` wrote the file: if references were texts and lists, it has the lists as JSON."""
        samples = self._chosen.get("predictions", "")
        is_split = "," in samples and path != args.references
        self.pieces: Iterator[Columns] = _by_sample(rows.pieces, samples) if is_split else rows.pieces

    def name_columns(
        self, fields: Columns, chosen: Mapping[str, str], without: Collection[str] = (), elsewhere: Collection[str] = ()
    ) -> dict[str, str]:
        """Find the field of each input: as `chosen` by the user, as named by the format, otherwise by its name.

        Less common names count only if a required input has no common one. Inputs and fields in `without` are not
        looked for; those in `elsewhere` may be in another file. The order is that of the metric's declaration.
        """
        check_texts(self.metric.options, self.path, self.rows)
        inputs = [*self.metric.inputs, "ids"]
        for name, field in chosen.items():
            if name not in inputs or not has_field(fields, field):
                what, word, names = ("input", name, inputs) if name not in inputs else ("field", field, [*fields])
                hint = f"there is no {what} {word!r}{did_you_mean(word, names)}"
                raise InputError(f"{self.path}: --columns {name}={field}: {hint}")
        wanted = [name for name in inputs if name not in {*_NEVER_GUESSED, *without}]
        columns = dict(chosen)
        if self.rows.format in NAMED:
            columns = {name: name for name in wanted if name in fields} | columns
        else:
            simple = by_simple_name(field for field in fields if field not in without)
            guessed = self._guess(wanted, COMMON, simple, columns)
            if "scores" in guessed and "scores" not in columns:
                guessed["scores"] = self._scores(simple, fields)
            required = {*self.metric.required_inputs()}.intersection(wanted).difference(elsewhere)
            if not required <= guessed.keys():
                verdicts = {field for field in fields if _may_be_scores(field, plain(fields[field][:_FIRST]), fields)}
                simple = {alias: field for alias, field in simple.items() if field not in verdicts}
                only_gold = {"predictions": "answers"} if "references" in without else {}
                more = self._guess(wanted, (*TABLES, only_gold), simple, columns)
                guessed = more if required <= more.keys() else guessed
            columns = guessed
        return {name: columns[name] for name in inputs if name in columns}

    def _guess(
        self,
        wanted: Iterable[str],
        tables: Iterable[Mapping[str, str]],
        simple: Mapping[str, str],
        chosen: dict[str, str],
    ) -> dict[str, str]:
        """Find fields for the inputs that are not chosen yet, by the names in the tables, the likeliest first."""
        columns = dict(chosen)
        for table, name in itertools.product(tables, wanted):
            if name not in columns and (field := self._guessed(name, table.get(name, ""), simple, columns)):
                columns[name] = field
        return columns

    def _guessed(self, name: str, aliases: str, simple: Mapping[str, str], columns: Mapping[str, str]) -> str | None:
        if name in LISTS and self.metric.inputs[name].type_name.startswith("list of lists"):
            aliases = LISTS[name]
        present = (simple[alias] for alias in aliases.split() if alias in simple)
        fields = list(dict.fromkeys(field for field in present if field not in columns.values()))
        if fields[1:] == ["answer"] and name == "predictions":
            fields = fields[:1]  # beside `output`, the answer is the reference
        if len(fields) > 1 and name in {"predictions", "references"} and fields[0] not in {name, name[:-1]}:
            self._ask(name, fields[0], fields[1])
        return fields[0] if fields else None

    def _ask(self, name: str, first: str, second: str) -> NoReturn:
        ask = f"say which: --columns {name}={quoted(first)}"
        raise InputError(f"{self.path}: Both {first!r} and {second!r} could be the {name}; {ask}")

    def _scores(self, simple: Mapping[str, str], piece: Columns) -> str:
        """Return the field of scores; ask if verdicts do not follow it, or if more rows have another one."""
        named = dict.fromkeys(simple[alias] for alias in SURE["scores"].split() if alias in simple)
        rows = {field: list(map(_number, plain(piece[field]))) for field in named}
        first, *others = [field for field in rows if _are_numbers(rows[field])] or named
        if simplified(first) == "scores":
            return first
        for field in (field for field in others if simplified(field) in {"correct", "is_correct"}):
            pairs_of = list(zip(rows[first], rows[field], strict=True))
            right, wrong = (
                [score for score, verdict in pairs_of if verdict == value and isinstance(score, float)]
                for value in (1.0, 0.0)
            )
            if right and wrong and min(right) < max(wrong):
                self._ask("scores", first, field)
        if rows[first].count(None) > len(rows[first]) / 2:
            for field in filter(_is_named_score, piece):
                values = list(map(_number, plain(piece[field])))
                if _are_numbers(values) and values.count(None) < rows[first].count(None):
                    self._ask("scores", field, first)
        return first

    def unknown_columns(self, piece: Columns, columns: Mapping[str, str], missing: list[str]) -> str:
        """Return a message about inputs without a field, with a field or a metric to choose if one is plausible."""
        others = [field for field in piece if field not in columns.values()]
        ranks = {field: _rank_of_scores(field, plain(piece[field])[:_FIRST], piece) for field in others}
        scores = sorted((field for field in others if ranks[field]), key=lambda field: ranks[field] or ())
        texts = [field for field in others if field not in scores and not re.search(r"(?i)(\b|_)ids?$", field)]
        texts = [field for field in texts if not _is_named_score(field) or simplified(field) == "correct"]
        models, also = [field for field in texts if has_word(field, MODELS)], ""
        if missing == ["references"] and len(models) > 1 and simplified(answer := columns["predictions"]) == "answer":
            columns, missing, texts = {"references": answer}, ["predictions"], models
            also = f" references={quoted(answer)}"
        name, best = missing[0], None
        side = {"predictions": "references", "references": "predictions"}.get(name, "")
        if name == "scores":
            best = next(iter(scores), None)
        elif len(missing) == 1 and side in columns:
            words_of_rows = [set(_words(value)) for value in plain(column_at(piece, columns[side]))[:_FIRST]]
            texts = [field for field in texts if also or self._is_plausible(field, name, side)]
            shares = {field: _shared(words_of_rows, plain(piece[field])) for field in texts}
            shares = {field: share for field, share in shares.items() if also or share >= _PLAUSIBLE}
            best = max(shares, key=lambda field: (has_word(field, SIDES[name]), shares[field]), default=None)
        message = (
            f"no field is known to be the {' or the '.join(missing)}; say which one is:"
            f"{' such as' if best else ''} --columns {name}={quoted(best or 'FIELD')}{also} "
            f"(there are {', '.join(piece)})"
        )
        if any(re.fullmatch(r"-?[\d.]+", field) for field in piece) and self.rows.first:
            message += "; the first line of a table has to name its columns"
        message += self.trec_hint()
        if missing == ["references"]:
            message += "; or name a file that has them: --references FILE"
        if scores and name != "scores":
            message += f"; if the file has scores already: -m recorded_score --columns scores={quoted(scores[0])}"
        return message

    def _is_plausible(self, field: str, name: str, side: str) -> bool:
        """Return whether a field may be the predictions or references (`name`) by its name, not the other `side`."""
        takes_documents = name in LISTS and "matching_strategy" in self.metric.options
        neither = NEITHER if takes_documents else f"{NEITHER} {SOURCES}"
        is_other = has_word(field, SIDES[side]) or (side == "predictions" and has_word(field, MODELS))
        is_scored = re.match(rf"({'|'.join(answer_metrics.names())})_", field)
        return not (is_scored or has_word(field, neither) or (is_other and not has_word(field, QUALIFIERS[name])))

    def trec_hint(self) -> str:
        """Say what TREC's files have, if this may be one that is not written so."""
        is_line = self.rows.format == "text" and "relevance" in self.metric.inputs
        return "; TREC's qrels have 4 fields a line (query 0 document grade), its runs 6" if is_line else ""

    def items(self, piece: Columns, columns: Mapping[str, str]) -> list[Any]:
        """Return the first items of predictions that are lists, if the metric takes lists."""
        column = column_at(piece, columns["predictions"]) if "predictions" in columns else None
        if column is None or not self.metric.inputs["predictions"].type_name.startswith("list of lists"):
            return []
        return [item for row in plain(column[:_FIRST]) if isinstance(row, list) for item in row]

    def settle(self, piece: Columns, columns: dict[str, str], references: Sequence[Any] | None) -> None:
        """Let the references decide which field of retrieved objects counts, and whether pairs are facts."""
        items = self.items(piece, columns)
        self.has_facts = any(map(is_fact, items))
        objects = [item for item in items if isinstance(item, dict)]
        if not objects and not self.has_facts:
            return
        if references is None and (column := column_at(piece, columns["references"])) is not None:
            references = self._to_values("references", column[:_FIRST])
        texts = {text for row in plain(references) or () for text in row or () if isinstance(text, str)}
        if self.has_facts:
            self.has_facts = any(re.search(r" \| \d+\Z", text) for text in texts)
            advice = "--set matching_strategy=EXACT_CHUNK_MATCH compares them as they are"
            self.rows.notes += [f"pairs are texts such as 'title | 0'; {advice}"] * self.has_facts
        counts: Counter[str | None] = Counter(
            path
            for item in objects
            for path, value in flat(item).items()
            if (isinstance(value, str) or simplified(path).endswith("id")) and str(value) in texts
        )
        usual = _text_field(objects[0], (*TEXTS, *DOCUMENTS)) if objects else None
        best = max(counts, key=counts.__getitem__, default=None)
        if best and counts[best] > counts[usual] and 2 * counts[best] >= len(plain(references) or ()):
            path = f"{columns['predictions']}[].{best}"
            rows = plain(column_at(piece, path) or ())
            if not any(row is None or None in row for row in rows):
                columns["predictions"] = path

    def by_sample(self, piece: Columns, columns: Mapping[str, str]) -> Columns:
        """Give each text in a list of predictions its own row; not if the metric takes lists, or they are gold."""
        field, self._origins = columns.get("predictions", ""), None
        column = column_at(piece, field) if field else None
        start, self._questions = self._questions, self._questions + length(piece)
        is_single = bool(field) and "list of lists" not in self.metric.inputs["predictions"].type_name
        if self.has_samples is False or not is_single or column is None or simplified(field) in _GOLD:
            return piece
        samples = list(map(_samples_in, plain(column)))
        if self.has_samples is None:
            self.has_samples = not _is_flat(column) and max(map(len, samples), default=0) > 1
        if not self.has_samples:
            return piece
        self._origins = [row for row, texts in enumerate(samples) for _ in texts]
        return _spread({name: other for name, other in piece.items() if name != field}, field, samples, start)

    def take(self, piece: Columns, columns: Mapping[str, str]) -> dict[str, Any]:
        """Return the inputs that a piece has, as the metric takes them; null predictions and references are None.

        A guessed optional input is dropped, with a note, from the first piece on in which a row has none.
        """
        inputs = {}
        optional = set(self.metric.inputs) - {*self.metric.required_inputs(), *self._chosen}
        for name, source in columns.items():
            column = None if name in self._dropped else column_at(piece, source)
            if column is None:
                if name in optional or name == "ids" or name in self._dropped:
                    continue
                column = [None] * length(piece)
            if isinstance(piece, Lines) and "double" in str(getattr(column, "type", "")):
                column = [row.get(source) for row in piece.records()]
            values = self._to_values(name, column)
            if name in optional and any(value is None for value in plain(values)):
                self._dropped.add(name)
                self.rows.notes.append(f"{name} = {source} is not used, because it is null in some rows")
            else:
                inputs[name] = values
        self._count += self._origins[-1] + 1 if self._origins else length(piece)
        if {"choices", "references"} <= inputs.keys():
            inputs["references"] = self._as_options(inputs["references"], inputs["choices"])
        return inputs

    def _as_options(self, references: Any, choices: Any) -> Any:
        """Return the options that references stand for if they number them; the first piece decides for all."""
        rows = list(zip(plain(references), plain(choices), strict=True))
        if self._are_numbers is None:
            self._are_numbers = are_numbered(rows)
            self.rows.notes += ["references are 0-based indices into the choices"] * self._are_numbers
        return [option_of(*row) for row in rows] if self._are_numbers else references

    def _to_values(self, name: str, column: Any) -> Any:
        """Return a column as the metric takes it: numbers become text, a list of one text becomes that text.

        In cells, which have text only, a list is written `["one", "two"]` or `one | two`.
        """
        if name in _NEVER_GUESSED or name == "ids":
            return column
        kind, is_cells = self.metric.inputs[name].type_name, bool(self.rows.first)
        several = "list of lists" in kind
        if "bool" in kind:  # scores, which may be words
            return [(cell or "").strip() or None for cell in column] if is_cells else column
        if "float" in kind:
            return self._row_by_row(_numbers, column) if is_cells and several else column
        always = kind.startswith("list of lists")
        if several and self._separator and name == "references":
            column = [None if value is None else _parts(value, self._separator) for value in plain(column)]
        elif several and (is_cells or (self._separator and name == "predictions")):
            separator = self._separator if name == "predictions" else None
            if not separator and always and are_lists(plain(column)):
                separator = ","
                if (note := f"commas separate the {name} of a cell") not in self.rows.notes:
                    self.rows.notes.append(note)
            column = [
                _split(cell, always=always, separator=separator) if is_cells else _parts(cell, separator or "")
                for cell in plain(column)
            ]
        elif self.is_output and name == "references" and several and "list" not in str(column.type):
            column = [(cell and texts_in(cell)) or cell for cell in plain(column)]
        if isinstance(column, ARROW):
            types = ("string", "large_string", *(("list<item: string>", "list<element: string>") if several else ()))
            if str(column.type) in types and not (always and name == "references" and "list" not in str(column.type)):
                return column
        fields = (*TEXTS, *DOCUMENTS) if kind.startswith("list of lists") else TEXTS
        column = map(_with_facts, plain(column)) if self.has_facts and always else plain(column)
        values = self._row_by_row(lambda value: _text(value, name, fields if several else None), column)
        if several and ((always and name == "references") or any(isinstance(value, list) for value in values)):
            return [value if isinstance(value, list) or value is None else [value] for value in values]
        return values

    def _row_by_row(self, convert: Callable[[Any], Any], column: Any) -> list[Any]:
        """Convert each value of a column; an error names the row."""
        values: list[Any] = []
        try:
            for value in column:
                values.append(convert(value))
        except InputError as error:
            row = self._origins[len(values)] if self._origins else len(values)
            raise InputError(f"{self.path}, row {self._count + row + 1:,}: {error}") from None
        return values


def length(columns: Columns) -> int:
    """Return the number of rows of a piece."""
    return len(next(iter(columns.values())))


def _by_sample(pieces: Iterator[Columns], samples: str) -> Iterator[Columns]:
    """Give each of several columns of predictions a row of its own, all of a row with the same `question_id`."""
    fields = samples.split(",")
    start = 0
    for piece in pieces:
        if samples in piece:  # a field whose name has a comma
            yield piece
            continue
        columns = [plain(column_at(piece, field)) for field in fields]
        for field, column in zip(fields, columns, strict=True):
            if column is None:
                hint = did_you_mean(field, piece)
                raise InputError(f"--columns predictions={samples}: there is no field {field!r}{hint}")
        others = {name: column for name, column in piece.items() if name not in fields}
        yield _spread(others, samples, list(zip(*columns, strict=True)), start)
        start += length(piece)


def _spread(columns: Columns, field: str, samples: Sequence[Sequence[Any]], start: int) -> Columns:
    """Add a field with samples, a row for each; rows of a question have its number, from `start`, as `question_id`."""
    questions = {"question_id": range(start, start + len(samples)), **columns}
    counts = list(map(len, samples))
    repeated = {
        name: [value for value, count in zip(plain(column), counts, strict=True) for _ in range(count)]
        for name, column in questions.items()
    }
    return {**repeated, field: list(itertools.chain.from_iterable(samples))}


def _is_flat(column: Any) -> bool:
    return isinstance(column, ARROW) and not pa.types.is_nested(column.type)


def _samples_in(value: Any) -> list[Any]:
    is_list = isinstance(value, list) and all(text is None or isinstance(text, str) for text in value)
    return (value or [None]) if is_list else [value]


def _is_named_score(field: str) -> bool:
    return simplified(field).rpartition(".")[2].rpartition("_")[2] in _SCORES


def _may_be_scores(field: str, values: list[Any], piece: Columns) -> bool:
    """Return whether a field may have scores of rows: verdicts, or numbers and short words under such a name."""
    if _AGGREGATE & {*re.split(r"[._]", simplified(field))} or f"{field}_stderr" in piece:
        return False
    present = [value for value in values if value is not None]
    if all(isinstance(value, bool) or str(value).lower() in _VERDICTS for value in present):
        return bool(present)
    return _is_named_score(field) and all(
        isinstance(value, (int, float, str, list)) and len(str(value)) < 20 for value in present
    )


def _rank_of_scores(field: str, values: list[Any], piece: Columns) -> tuple[bool, ...] | None:
    """Return how likely a field has scores of rows, the likeliest first; None if it has none."""
    *outer, last = simplified(field).split(".")
    sides = {*SURE["predictions"].split(), *SURE["references"].split()}
    is_summary = _AGGREGATE & {*re.split(r"[._]", simplified(field))} or f"{field}_stderr" in piece
    numbers = list(map(_number, values))
    if is_summary or not _are_numbers(numbers) or any(name in sides or name.endswith("answer") for name in outer):
        return None
    are_verdicts = all(
        number is None or str(value).lower() in _VERDICTS for value, number in zip(values, numbers, strict=True)
    )
    is_measure = has_word(last, MEASURES)
    if not (is_measure or _is_named_score(field) or (are_verdicts and not re.search(NO_SCORES, last))):
        return None
    is_share = all(0 <= number <= 1 for number in numbers if isinstance(number, float))
    return not is_share, not _is_named_score(field), not is_measure


def _number(value: Any) -> float | str | None:
    """Return the number that a score stands for, another value as text, and None if there is none."""
    text = "" if value is None or value != value else str(value).strip().lower()
    with contextlib.suppress(ValueError):
        return _VERDICTS[text] if text in _VERDICTS else float(text.removesuffix("%")) / (100 if "%" in text else 1)
    return text or None


def _are_numbers(values: list[Any]) -> bool:
    present = [value for value in values if value is not None]
    return bool(present) and all(isinstance(value, float) for value in present)


def _words(value: Any) -> list[str]:
    return re.findall(r"\w+", json.dumps(value, ensure_ascii=False, default=str).casefold()) if value else []


def _shared(words_of_rows: list[set[str]], values: list[Any]) -> float:
    """Return the share of rows that have a word in common; numbers that count the rows, and one value, have none."""
    values = values[: len(words_of_rows)]
    if values in (list(range(len(values))), list(range(1, len(values) + 1))) or values[1:] == values[:-1] != []:
        return 0.0
    rows = zip(words_of_rows, values, strict=False)
    return sum(not words.isdisjoint(_words(value)) for words, value in rows) / max(1, len(words_of_rows))


def _text(value: Any, name: str, fields: Sequence[str] | None) -> Any:
    """Return a value as text, or as a list of texts: a number as it is written, an object by the field that it has.

    Without `fields`, the value is one text. Of a text with its score, as retrievers write them, only the text counts.
    """
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if messages_of(value):
        return last_text(value, "user" if name == "questions" else "assistant")
    if isinstance(value, dict):
        field = _text_field(value, fields or TEXTS)
        if field is None:
            raise InputError(f"an object with {', '.join(value)} has no text; give its path: --columns {name}=a.b")
        return _text(value[field], name, fields)
    if isinstance(value, list) and fields:
        texts = [_text(item[0] if _is_scored(item) else item, name, fields) for item in value]
        return [part for text in texts for part in (text if isinstance(text, list) else [text])]
    if isinstance(value, list) and len(value) == 1:
        return _text(value[0], name, None)
    return value


def _text_field(value: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """Return the field with the text of an object, the likeliest first."""
    names = {name.casefold(): name for name, item in value.items() if isinstance(item, (str, list, int, float))}
    return next((names[field] for field in fields if field in names), None)


def is_fact(item: Any) -> bool:
    """Return whether an item is a pair of a title and the number of a sentence."""
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and type(item[1]) is int


def _with_facts(value: Any) -> Any:
    return [f"{item[0]} | {item[1]}" if is_fact(item) else item for item in value] if isinstance(value, list) else value


def _is_scored(item: Any) -> bool:
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], (str, dict)) and type(item[1]) is float


def _parts(value: Any, separator: str) -> list[Any]:
    if isinstance(value, list):
        return [part for item in value for part in _parts(item, separator)]
    return [part.strip() for part in value.split(separator) if part.strip()] if isinstance(value, str) else [value]


def _split(cell: str, *, always: bool, separator: str | None = None) -> str | list[str]:
    """Return the texts in a cell; one text stays a text unless `always`."""
    if not isinstance(cell, str):
        return cell
    texts = texts_in(cell, numbers=always)
    if texts or (texts is not None and always):
        return texts
    if separator and separator in cell:
        return _parts(cell, separator)
    if always:
        return [part for part in cell.split(" | ") if part.strip()]
    parts = separated(cell)
    return parts if len(parts) > 1 else cell


def _numbers(cell: str) -> list[float]:
    try:
        return [float(text) for text in re.split(r"[\s,;|\[\]]+", cell) if text]
    except ValueError:
        raise InputError(f"{cell[:40]!r} is not a list of numbers.") from None
