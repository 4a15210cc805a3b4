"""What files, commands, builds and analyses give for many inputs, as recorded: a change shows what else it changes.

Lines are those of `test_recorded.py`. To record those of today, once the ones that changed are right:
`python -m tests.unit.test_outcomes`.
"""

import contextlib
import functools
import importlib
import io
import itertools
import json
import math
import random
import re
import shutil
import sys
import tempfile
import typing
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import evaluate
import httpx2
import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

import answer_metrics
from answer_metrics.__main__ import main
from answer_metrics.cli import arguments, exports, inputs
from answer_metrics.cli.inputs import InputFile
from answer_metrics.cli.writing import NOTE
from answer_metrics.files import names, reading, unpacking
from answer_metrics.files.names import LISTS, SURE, TEXTS, UNSURE, by_simple_name
from answer_metrics.files.rows import Request, Rows, plain
from answer_metrics.files.tools import TOOLS, format_of
from answer_metrics.files.unpacking import suffix
from answer_metrics.statistics.comparison import check_margin, check_systems, compare, plan_rows
from answer_metrics.statistics.human_labels import Labeled, correct, correct_difference
from answer_metrics.statistics.samples import (
    Groups,
    System,
    common_rows,
    compare_groups,
    match_systems,
    summarize_groups,
    summarize_samples,
)
from answer_metrics.statistics.statistic import UNIT, Scale, Statistic, interval, mean, pooled, proportion
from answer_metrics.text import normalization, retrieval, tokens
from answer_metrics.text.normalization import normalize_answers, normalizer_version
from answer_metrics.text.retrieval import check_language
from scripts import matrix, new_metric
from spaces import build, checks, flatten, hub, publish
from spaces import files as space_files
from tests import made_up
from tests.conftest import ROOT
from tests.oracles import pooled_f1
from tests.records import changed, record, recorded
from tests.unit import test_files as files
from tests.unit import test_scripts as scripts
from tests.unit.conftest import write
from tests.unit.test_recorded import outcome

COMMANDS = (ROOT / "tests" / "grids" / "commands.txt").read_text(encoding="utf-8")
"""What command lines begin with, and their ends; and objects of files by name, which the lines that follow read."""


def read_file(name: str, content: bytes, **request: Any) -> list[Any]:
    Path(name).write_bytes(content)
    rows = reading.open_rows(name, Request(**request))
    pieces = [[{key: plain(values) for key, values in piece.items()}, type(piece).__name__] for piece in rows.pieces]
    return [rows.format, rows.total, rows.options, *pieces, rows.first, rows.notes]


def another(value: Any) -> Any:
    """Return a value of the same form with other texts and numbers."""
    if isinstance(value, dict):
        return {key: another(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(another, value)]
    return f"{value} 2" if isinstance(value, str) else value if value is None or value is True else value + 2


def changed_files(content: bytes, count: Iterator[int]) -> Iterator[tuple[str, bytes]]:
    """Yield changes of a file: in JSON of all lists and about 16 values, elsewhere of its lines."""
    try:
        value, write_value = files.parsed(content)
    except ValueError:
        lines = content.splitlines(keepends=True)
        yield "first line twice", b"".join([*lines[:1], *lines])
        yield "last line cut", content.rstrip()[:-1]
        yield "spaces", content.replace(b"\n", b" \n\n  ")
        yield "others", content.replace(b",", b"; ").replace(b"\t", b" ").replace(b'"', b"'")
        return
    places = list(files.paths(value))
    for place, at in enumerate(places):
        old = functools.reduce(lambda inner, key: inner[key], at, value)
        if isinstance(old, list) and at[:1] != (1,):
            yield f"{at} twice", write_value(files.with_fault(value, at, [*old, *another(old)]))
        if place % (1 + len(places) // 16) == 0:
            fault = (*files.FAULTS[:6], another(old), another(old))[next(count) % 8]
            change = f"{at} {'absent' if fault is files.ABSENT else fault}"
            yield change, write_value(files.with_fault(value, at, fault))


def read() -> Iterator[Any]:
    contents = {name: content for name, (_, content, _) in files.CASES.items()}
    contents |= {f"gold {name}": more for name, (*_, more) in files.CASES.items() if isinstance(more, bytes)}
    contents |= {name: content for name, (content, _) in files.JUDGED.items()} | files.WRITTEN | files.RECORDED
    contents |= {f"{number} {name}": content for number, (name, content, _) in enumerate(files.BAD)}
    contents |= {"run": files.trec(files.RUN, "{query} Q0 {document} 1 {value} x")}
    contents |= {"q.json": files.as_json(files.QRELS)}
    contents["beir.tsv"] = b"query-id\tcorpus-id\tscore\nq\td\t1\nq\te\t0\n"
    count = itertools.count()
    for name, content in contents.items():
        path, half = name.removeprefix("gold "), len(content) // 2
        yield name, outcome(read_file, path, content)
        if path in files.BINARY:
            yield outcome(read_file, path, content[:half] + b"damaged" + content[half + 7 :])
        if path.endswith(("json", "jsonl", ".tsv")) or path in {"lines.txt", "run", "semicolons.csv", "promptfoo.csv"}:
            for change, changed in changed_files(content, count):
                yield change, outcome(read_file, path, changed, is_references=path != name)
    words = ["a", "gold", "text", "vars", "doc", "Answer", "goldAnswer", "data", "content", "my field", "Gold 2 [x]"]
    for first, second in itertools.permutations(words, 2):
        yield by_simple_name([f"{first}.{second}", first, f"{second}.text", f"doc.{first}"])
    yield from contents_of_any_kind()
    yield from workbooks()
    yield from recognized()
    for metric in ("accuracy", "ranked_retrieval", "recorded_score"):
        yield from fields(metric)
    yield [names.TABLES, names.LISTS, names.TEXTS, names.DOCUMENTS, names._GROUPS, len(names.NAMES)]


def workbooks() -> Iterator[Any]:
    """Yield the rows of workbooks with empty sheets, gaps, rows that are longer, dates and errors."""
    header, dates = ["output", "", "n"], [date(2020, 1, 2), datetime(2020, 1, 2, 3), time(4, 5)]
    gaps = [[None], [None, None], header, [], ["a", None, 2.0, None], [None, " "], ["b"], [None, None, 5, "beyond"]]
    values = [[*"abcdefg"], [*dates, 1e20, 0.5, "", False]]
    books: list[list[Any]] = [[[]], [[], gaps], [gaps[:-1], [["z"]]], [[header, ["#REF!"]]], [values]]
    books += [[[[number] for number in range(count)] + [["id", "output"], [1, "a"]]] for count in (8, 9, 10)]
    for sheets in books:
        book = openpyxl.Workbook()
        for place, rows in enumerate(sheets):
            sheet = book.create_sheet(f"s{place}")
            for row in rows:
                sheet.append(row)
        book.save("x.xlsx")
        yield outcome(read_file, "x.xlsx", Path("x.xlsx").read_bytes())


def contents_of_any_kind() -> Iterator[Any]:
    """Yield the rows of tests/grids/contents.txt in small pieces: what, names of files, contents, the user's fields."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("answer_metrics.files.rows.ROWS_IN_PIECE", 2)
        patch.setattr("answer_metrics.files.json_files._BYTES_IN_PIECE", 20)
        for line in (ROOT / "tests" / "grids" / "contents.txt").read_text(encoding="utf-8").splitlines():
            _, paths, contents, *names = json.loads(line)
            for path, content, is_references in itertools.product(paths, contents, (False, True)):
                text = content if isinstance(content, str) else json.dumps(content)
                request = {"is_references": is_references, "suffix": suffix(path), "fields": frozenset(names)}
                yield path, outcome(read_file, path, text.encode(), **request)
                Path(path).unlink()


def fields(metric: str) -> Iterator[Any]:
    """Yield which input each name of a field is, alone and beside the next one, and the fields that are suggested."""
    options: Any = SimpleNamespace(columns=[], split=None, references=None)
    file = InputFile(answer_metrics.load(metric), "x", Rows("csv", iter(())), options)
    aliases = " ".join(names for table in (SURE, LISTS, UNSURE) for names in table.values()).split()
    for first, second in itertools.pairwise([*aliases, "Gold Answer", "goldAnswer", "doc.gold", "gold.text", "a.b"]):
        yield first, outcome(file.name_columns, {first: ["x"]}, {})
        yield outcome(file.name_columns, {second: ["x"], "vars.x": ["x"], first: ["x"]}, {})
    values: list[list[Any]] = [[True, None], [0.5], ["Pass"], ["x" * 19], ["x" * 20], [None], [[1]], [{}], ["no", 1]]
    for name in (*sorted({*inputs._SCORES, *inputs._AGGREGATE}), "zeta"):
        for column in values if name in {"zeta", "score"} else values[1:2]:
            piece = {"output": ["x"] * len(column), name: column, "x.scores": column}
            yield name, outcome(file.unknown_columns, piece, {"predictions": "output"}, ["references"])
    for word in sorted(inputs._VERDICTS):
        yield word, outcome(file.unknown_columns, {"zeta": [word.upper()]}, {}, ["scores"])
    for shared, number in itertools.product((0, 1, 2), (4, 5, 6, 10)):
        rows = range(number)
        piece = {"output": [f"a{row} {row} {row + 1} B" for row in rows], "same": ["B"] * number, "ids": ["B"] * number}
        piece |= {"from 0": [*rows], "from 1": [row + 1 for row in rows]}
        piece |= {"far": [f"A{row}" if row < shared else "no" for row in rows], "never": [None] * number}
        yield outcome(file.unknown_columns, piece, {"predictions": "output"}, ["references"])
    taken = {name: "o" for name in file.metric.inputs if name not in {"choices", "clusters", "human_labels"}}
    for name in (*TEXTS, "other"):
        texts: list[Any] = [{name.title(): "x", "label": "y"}, {name: ["x", 5, {"text": 1.5}]}]
        others: list[list[Any]] = [
            [*texts, {name: None, "z": 1}],
            [None, [[2]]],
            [{name: {}, "value": True}],
            [math.nan, 1e9, False],
        ]
        for column in (texts, *others):
            yield name, outcome(file.take, {"o": column}, taken)
    file.rows.first = {"o": "o"}
    for cell in """["a", "b"]~['a']~['a', 3]~[]~a | b~a |  | b~ | ~a|b~~ ~[1, 2]~1;2 | 3""".split("~"):
        yield cell, outcome(file.take, {"o": [cell, f"{cell}x"]}, taken)


def recognized() -> Iterator[Any]:
    """Yield the tools to which a record belongs, with changes of each field that it is recognized by; and suffixes."""
    for tool in TOOLS:
        names = [name.partition(".")[::2] for name in tool.fields.split()]
        record: Any = {outer: {inner: 1 for name, inner in names if name == outer} for outer, _ in names}
        listed = {outer: [value] for outer, value in record.items()}
        for outer, inner in names:
            changes = [record, listed, {**record, outer: {}}, {**listed, outer: []}, {**record, outer: None}]
            changes += [{name: value for name, value in record.items() if name != outer}]
            tools = [format_of(change, Request()) for change in changes]
            yield tool.name, outer, inner, tool.is_either, tool.options, [each and each.name for each in tools]
    for path in itertools.product(("a.CSV", "b.json", ".gz", "c"), ("", *unpacking._ENDINGS, ".zip", ".GZ")):
        yield suffix("".join(path))


def write_folder() -> None:
    """Write files for the commands: systems, references, rankings and folders."""
    rng = random.Random(1)
    cities = ["Paris", "Oslo", "Rome", "=1+1", "東京", "the 1969", "-5"]
    endings = ["", "!", " and more", ", not Rome", " or Bonn"]
    for system in ("a", "b", "zero", "few", "systems/x", "systems/y", "pooled/x", "pooled/y"):
        rows: list[dict[str, Any]] = []
        for number in range(19 if system == "few" else 25):
            gold, right = cities[number % 7], system != "zero" and rng.random() < (0.9 if system == "a" else 0.5)
            row: dict[str, Any] = {"id": number, "question": f"q{number}{system * (system == 'pooled/y')}?"}
            row |= {"subject": "abc"[number % 5 % 3], "human": None if number % 3 else float(right)}
            row["output"] = None if number == 7 else (gold if right else "Bern") + rng.choice(endings)
            row |= {"gold": [gold, f"{gold}s"] if number % 4 else gold, "n": number if number % 2 else 0.5}
            rows.append(row)
        write(f"{system}.jsonl", rows)
        if system == "a":
            golds = [{"id": str(row["id"]), "target": row["gold"], "topic": "t"} for row in rows[2:]]
            write("gold.jsonl", [*golds, {"id": 99, "target": "Bonn", "topic": "t"}])
            pd.DataFrame(rows).assign(other="Oslo", gold="Oslo; Paris").to_csv("a.csv", index=False)
    typed: dict[str, Any] = {"output": ["a", "b"], "gold": ["a", "c"], "day": [date(2020, 1, 2), None]}
    typed |= {"at": [None, datetime(2020, 1, 2, 3)], "cost": [Decimal("0.10"), None], "raw": [b"\xff", None]}
    typed["ok"] = [True, None]
    typed |= {"n": [1.5, math.nan], "big": [1 << 40, None], "all": [[1, None], []], "of": [{"x": [True]}, {"x": None}]}
    pq.write_table(pa.table(typed), "typed.parquet")
    many = [
        (n, None if n > 1199 else "x", "y" if n > 1197 else "x", "late" if n > 1199 else "early") for n in range(1204)
    ]
    rows = [{"id": n // 2, "output": output, "gold": gold, "part": part} for n, output, gold, part in many]
    write("thousand.jsonl", rows)
    write_text("thousand_bad.jsonl", Path("thousand.jsonl").read_text(encoding="utf-8") + "[1]\n")
    write_text("thousand_bad.csv", "output,gold\n" + "x,x\n" * 1000 + "x\n")
    turns = [[{"role": "user", "content": f"q{n}"}, {"role": "assistant", "content": "x"}] for n in range(8)]
    chats = [{"messages": turn if number != 6 else turn[:1], "gold": "x"} for number, turn in enumerate(turns)]
    pq.write_table(pa.Table.from_pylist(chats), "chats.parquet")
    pq.write_table(pa.Table.from_pylist([*chats, {"messages": [{"role": "user"}], "gold": "x"}]), "badchats.parquet")
    docs = [
        {"query": f"q{n}", "choices": ["x", "y"], "gold_index": [n // 6 * 5]} for n in range(7)
    ]  # the last has none
    evaluated = [{"doc": doc, "model_response": {"text": ["x"]}, "metric": {"em": 1.0}} for doc in docs]
    pq.write_table(pa.Table.from_pylist(evaluated), "lighteval.parquet")
    kind = pa.list_(pa.large_string())
    golds = pa.array([["x"], ["y", "z"], ["w", "x"], ["x"], ["x"], ["y"], ["x"]], kind)
    coded: dict[str, Any] = {"output": pa.array([*"xyxxy", None, "x"]).dictionary_encode(), "gold": golds}
    coded |= {"part": pa.array([*"aaaabbb"]).dictionary_encode(), "id": pa.array(range(7), pa.int8())}
    table = pa.table(coded)
    pq.write_table(table, "coded.parquet")
    for name, start_file in (("two.arrow", pa.ipc.new_file), ("stream.arrow", pa.ipc.new_stream)):
        with start_file(name, table.schema) as sink:
            for start, count in ((0, 0), (0, 3), (3, 4)):  # the first batch is empty
                sink.write_batch(table.to_batches()[0].slice(start, count))
    deep = {"a": {"b": {"c": {"d": {"e": "x", "g": [1]}}}, "f": 1.5}, "gold": "x"}
    pq.write_table(pa.Table.from_pylist([deep, {**deep, "a": None}]), "deep.parquet")
    write("long.jsonl", [{"output": "x" * 400, "gold": "y"}, {"output": "x" * 401, "gold": "a \n\n b"}])
    Path("run").write_bytes(files.trec({**files.RUN, "9": {"d1": 1.0}}, "{query} Q0 {document} 1 {value} x"))
    Path("qrels").write_bytes(files.trec({**files.QRELS, "5": {"d1": 1}}, "{query} 0 {document} {value}"))


def run_program(function: Callable[[list[str]], Any], line: str) -> Iterator[str]:
    """Yield the exit code, and the lines that are printed and written to files."""
    printed, errors, before = io.StringIO(), io.StringIO(), {path: path.stat().st_mtime_ns for path in Path().iterdir()}
    code = None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
        code = outcome(function, line.split())
    written = [path for path in sorted(Path().glob("*.*")) if before.get(path) != path.stat().st_mtime_ns]
    texts = [text_of_table(path) if path.suffix == ".parquet" else path.read_text(encoding="utf-8") for path in written]
    for text in (line, str(code), printed.getvalue(), errors.getvalue(), *texts):
        text = re.sub(r"\d+\.\d{9,}(e-\d+)?", lambda match: f"{float(match[0]):.9g}", text)
        text = text.replace(str(Path().absolute()), "")
        yield from re.sub(r"\b1[78]\d{8}\b|(rapidfuzz|version):[\d.]+", "", text).splitlines()


def text_of_table(path: Path) -> str:
    """Return the columns of a Parquet file, their types, and the note without the version."""
    table = pq.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    return f"{table.to_pydict()}\n{types}\n{json.loads(table.schema.metadata[NOTE]) | {'version': None}}"


def commands() -> Iterator[Any]:
    """Run the commands, with files in pieces of few rows; all that is printed and written is recorded in full."""
    write_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("answer_metrics.files.rows.ROWS_IN_PIECE", 5)
        patch.setattr("answer_metrics.files.reading.ROWS_IN_PIECE", 5)
        patch.setattr("answer_metrics.files.json_files._BYTES_IN_PIECE", 500)
        patch.setattr("answer_metrics.cli.scoring._SECONDS_IN_LOG", 1000)  # no progress on a slow machine
        for line in COMMANDS.splitlines():
            if line.startswith("{"):
                for path, content in json.loads(line).items():
                    write_text(path, content if isinstance(content, str) else files.lines(content).decode())
                continue
            start, ends = line.split(":", 1)
            for end in ends.split("|"):
                yield from (text.split(" ") for text in run_program(main, f"{start} {end}"))
    for kind, keys in exports._ABOUT.items():
        required = dict.fromkeys(keys[0].split(), "x")
        for key in " ".join(keys).split():
            choices = [required | {key: value} for value in (*exports._CHOICES.get(key, ()), "x")]
            yield kind, key, [outcome(exports.check, kind, about) for about in choices]
    for name in arguments._COMMANDS:  # what --help lists, as each Python lays it out differently
        for action in itertools.chain.from_iterable(parser._actions for parser in arguments._parser(name)):
            names = (action.option_strings, action.dest, action.nargs, action.metavar, action.required, action.default)
            yield name, *names, list(action.choices or ()), (action.help or "").split(" ")
    for action in arguments._parser("score", tuple(answer_metrics.names()))[1]._actions:
        yield action.option_strings, action.nargs, action.metavar, action.help


def changed_lines(texts: dict[str, str]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield texts as bytes by name: without a line, with a line twice, and with a line that is half as long."""
    for name, text in texts.items():
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            for new in ("", line * 2, f"{line[: len(line) // 2]}\n"):
                changed = {**texts, name: "".join([*lines[:number], new, *lines[number + 1 :]])}
                yield name, {key: text.encode() for key, text in changed.items()}


def lines_of(made: Any) -> Iterator[Any]:
    """Yield the lines of files, or an error."""
    for name, content in made.items() if isinstance(made, dict) else (("", made.encode()),):
        yield from (name, *content.decode().splitlines())


def builds() -> Iterator[Any]:
    required = "evaluate\n# Optional, for x: rouge-score # y\n"
    more = {**scripts.OWN, "requirements.txt": required, "_own.py": f"import rouge_score\n{scripts.OWN['_own.py']}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, text in scripts.LIBRARY.items():
            write_text(f"answer_metrics/{name}", text)
        patch.setattr(flatten, "ROOT", Path().absolute())
        for _, own in itertools.chain(changed_lines(scripts.OWN), changed_lines(more)):
            yield from lines_of(outcome(flatten.flatten, "mine", own))
        flatten.find_imports.cache_clear()
        windows = {name: text.replace("\n", "\r\n").encode() for name, text in scripts.OWN.items()}
        yield {name: b"\r" in content for name, content in flatten.flatten("mine", windows).items()}
        for name, text in scripts.OWN.items():
            write_text(f"metrics/mine/{name}", text)
        patch.setattr(build, "ROOT", Path().absolute())
        patch.setattr(build, "BUILT", Path("built").absolute())
        patch.setattr(build, "published_directories", lambda: [Path("metrics/mine").absolute()])
        for line in ("mine no", "mine", ""):
            yield from run_program(build.main, line)
        yield sorted(path.name for path in Path("built").rglob("*.*"))
    folder = made_up.write(Path("repository").absolute())
    required = "numpy\nnumpy>1,<9 # why\n  # no\nnumpy<1\nnumpy; python_version < '3'\nnumpy[\nnone-such\n"
    for name, own in changed_lines({**made_up.FILES, "requirements.txt": required}):
        yield [*checks._check_card(folder, None, own), *checks._check_card(folder, "static", own)]
        yield outcome(lambda own: [*checks._check_imports("made_up", own)], own) if ".py" in name else ""
        yield [line.partition("allow")[0] for line in checks._check_requirements(own)]
    starts = (
        "hf sk xai gsk pplx nvapi fw r8 gho ghp ghu ghs ghr github_pat glpat AKIA ASIA AIza xoxa xoxb xoxe xoxo xoxp"
    )
    keys = [f"{start}{mark}{'a1B2' * 12}" for start in (*starts.split(), "xoxr", "xoxs", "xoxz") for mark in "-_"]
    yield list(checks.find_secrets({"a.md": "\n".join(keys).encode()}, {}))
    words = "id_rsa id_ed25519 credential secret password passwd token api_key apikey key env netrc keys monkey"
    for word in words.split():
        named = dict.fromkeys((f"{word}.txt", f"a-{word.upper()}.b.md", f"{word}s.py"), b"")
        yield list(checks.find_secrets(named, {}))
    free = {"zero_gpu": True, "repository": "https://x.org/r"}
    for options in ({}, {"sdk": "static"}, {"sdk": "static", "gallery": "https://x/<y>"}, free):
        space: Any = space_files.read_space(folder, "acme", **options)
        yield space.space, space.sdk, space.tag, space.hardware, *lines_of(space.files)
    page = "# One *two* (3)\n\n| |x|\n|-|-|\n|1|<i>|\n\n```\ncode\n```\n## One two"
    yield space_files.static_page("a <b>", page).splitlines()
    yield from publishing()
    for name in [*"2x a_ A class match accuracy text readers json numpy _a a__b".split(), ""]:
        yield new_metric.check_name(name)
    for line in ("-- -x", "--python 3.14", "--python 3.12 tests", "--libraries lowest"):
        yield from run_program(run_matrix, line)
    yield from run_program(make_new_metric, "token_overlap")
    yield metadata_of_package()


def publishing() -> Iterator[Any]:
    """Yield what the Hub's refusals are called, in words, and plans as they are printed."""
    request = httpx2.Request("GET", "http://h")
    errors: list[Exception] = [OfflineModeIsEnabled(), httpx2.ConnectError("x"), json.JSONDecodeError("x", "", 0)]
    errors += [httpx2.InvalidURL("x"), ValueError("no\n  name")]
    for status, detail in itertools.product((*hub.MESSAGES, 400, 499, 500, 503), ("", "no")):
        response = httpx2.Response(status, request=request)
        errors.append(HfHubHTTPError("", response=response, server_message=detail))
    for error in errors:
        with contextlib.ExitStack() as stack:
            stack.enter_context(hub.translate_errors(HfApi("http://h"), "acme/x"))
            yield outcome(stack.__exit__, type(error), error, None).split()
    paths = [f"{letter}.py" for letter in "abcdefg"]
    for count, head, tagged_at, hardware in itertools.product((0, 1, 6, 7), (None, "x"), (None, "x"), (None, "cpu")):
        tag = None if count == 1 else "v1.0.0"
        target: Any = SimpleNamespace(space="acme/x", sdk="gradio", files={"a": b"x" * 1234}, tag=tag)
        target.hardware = hardware and SimpleNamespace(value=hardware)
        names: Any = {name: paths[:size] for name, size in (("added", count), ("deleted", 7 - count), ("unchanged", 1))}
        plan = hub.Plan(target, "http://h", head, **names, tagged_at=tagged_at, is_compared=count < 6)
        yield plan.has_changes, plan.needs_tag, str(plan).splitlines()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "HfApi", lambda **asked: SimpleNamespace(endpoint=asked))
        patch.setattr(publish, "find_directories", lambda names: names)
        patch.setattr(publish, "read_spaces", lambda *asked: print(*map(str, asked)) or [])
        for line, endpoint in itertools.product(("o", "o a b --dry-run --free --force", "o --sdk static"), ("", "h")):
            patch.setenv("HF_ENDPOINT", endpoint)
            patch.setenv("HF_TOKEN", endpoint)
            yield [text.split(" ") for text in run_program(publish.main, line)]
        for *git, modules in itertools.product(("", " M x"), ("", "abc"), (["core.b"], ["core.b", "core.a"])):
            patch.setattr(flatten, "_run_git", lambda _, name, *__, git=git: git[name == "log"])
            yield flatten.origin(modules).split(" ")
        for version, text in itertools.product(("2.0rc1", "1.5"), ("x", "x>=1", "x>=2", "x<2", "X.y[z]>1 # why", "#x")):
            patch.setattr("spaces.checks.metadata.version", lambda _, version=version: version)
            yield list(checks._check_requirements({"requirements.txt": f"\n{text}\n".encode()}))
        origins = "ssh://git@h.org:22/me/x.git git@h.org:a/b/x https://u:p@h.org/x/ git://h.org/x.git/ h.org:x"
        for origin in f"{origins} file:///h.org/x C:/x git@host:x/y https://h.org/x.github.io".split():
            says = SimpleNamespace(stdout=f"{origin}\n")
            patch.setattr("spaces.files.subprocess.run", lambda *_, says=says, **__: says)
            yield origin, space_files.repository_address(Path())


def write_text(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def run_matrix(arguments: list[str]) -> int:
    """Run the tests on every Python, of which 3.12 fails, 3.13 cannot be installed and 3.14 is not there."""

    def run(command: list[Any], *, check: bool, **_: Any) -> Any:
        line = " ".join(map(str, command)).replace(str(ROOT), "")
        print(f"{line}{' checked' * check}")
        version = line[line.index("3.") :][:4]
        faults = {("3.12", True, False), ("3.13", False, True)}
        is_bad = version == "3.14" or (version, "pytest" in line, " pip " in line) in faults
        return SimpleNamespace(returncode=int(is_bad), stdout=f"\n1\n{version} passed\n" * (version != "3.11"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scripts.matrix.subprocess.run", run)
        patch.setattr("scripts.matrix.shutil.which", lambda name: None if name == "python3.11" else name)
        patch.setenv("PYENV_ROOT", str(Path("pyenv").absolute()))
        for version in ("3.11.2", "3.11.1"):
            Path("pyenv", "versions", version, "bin", "python").mkdir(parents=True, exist_ok=True)
        patch.setattr("sys.argv", ["matrix", *arguments])
        return matrix.main()


def make_new_metric(arguments: list[str]) -> list[Any]:
    """Make a metric in a copy of the template and of files that list all metrics, and score with it."""
    root = Path("checkout").absolute()
    shutil.copytree(new_metric.TEMPLATE, root / "metrics" / "_template")
    write_text("checkout/tests/unit/x", "")
    for entry in new_metric.ENTRIES:
        text = (ROOT / entry.file).read_text(encoding="utf-8")
        write_text(f"checkout/{entry.file}", text.replace("def sample_of", ""))  # the place of the first entry
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(new_metric, "ROOT", root)
        patch.setattr(new_metric, "TEMPLATE", root / "metrics" / "_template")
        done = SimpleNamespace(returncode=3)  # which must not end the command
        patch.setattr("scripts.new_metric.subprocess.run", lambda _, *, check, **__: check or done)
        codes = [new_metric.main(given) for given in (arguments, arguments, [])]
    for entry in new_metric.ENTRIES[1:]:
        lines = (root / entry.file).read_text(encoding="utf-8").splitlines()
        at = next(number for number, line in enumerate(lines) if arguments[0] in line)
        print(
            lines[at - 1][:1], lines[at].replace(" ", "_"), lines[at + 1][:1], sep="_"
        )  # recorded as it is, without blanks
    metric = evaluate.load(str(root / "metrics" / arguments[0]))
    inputs = {"predictions": ["PARIS x", "a", "b"], "references": [["x", "Paris"], ["a", "b"], ["c", "B"]]}
    scores = [metric.compute(**inputs, case_sensitive=case, return_signature=True) for case in (True, False)]
    return [codes, metric.compute(**inputs), *scores]


def metadata_of_package() -> dict[str, Any]:
    """Return what the hook adds to the metadata; Hatchling is there only while the package is built."""
    optional = "evaluate\n# Optional, for x: openai>=1 # y\n\n# no: numpy\n"
    for name, text in (("a", optional), ("b", "math-verify\nevaluate\ngenai-prices\n"), ("_c", "none\n")):
        write_text(f"root/metrics/{name}/requirements.txt", text)
    metadata: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "hatchling.metadata.plugin.interface", SimpleNamespace(MetadataHookInterface=object))
        hook = importlib.import_module("scripts.package_metadata").PackageMetadata()
        hook.root = "root"
        hook.update(metadata)
    return metadata


def drawn_scores(kind: str, number: int, scale: Scale, draw: np.random.Generator) -> Any:
    """Draw scores of three systems: binary, in tenths, nearly all equal, each system its own, or with gaps."""
    unit = draw.random((3, number))
    if kind == "binary":
        unit = np.rint(unit)
    elif kind == "tenths":
        unit = np.rint(unit * 10) / 10
    elif kind == "nearly equal":
        unit = np.where(unit < 0.05, 1, 0.5)
    elif kind == "equal":
        unit = np.repeat([[0.6], [0.7], [0.6]], number, axis=1)
    elif kind == "gaps":
        unit[draw.random((3, number)) < 0.1] = np.nan
    size = scale.size if scale.bounded else 5
    return scale.worst + (unit if scale.higher_is_better else -unit) * size if scale.bounded else unit * size


def analyses() -> Iterator[Any]:
    """Yield comparisons, corrections by human labels, groups and samples of drawn scores, with their texts."""
    scales = (UNIT, Scale(-1, 4), Scale(0, 100, higher_is_better=False), Scale(0, math.inf, higher_is_better=False))
    kinds = ("binary", "tenths", "nearly equal", "equal", "gaps")
    for (seed, number), kind, scale in itertools.product(enumerate((1, 2, 9, 40, 150)), kinds, scales):
        draw = np.random.default_rng(seed)
        scores = drawn_scores(kind, number, scale, draw)
        make = proportion if kind == "binary" and scale.bounded else mean
        systems = {name: {"s": make(values, scale=scale)} for name, values in zip("abc", scores, strict=True)}
        codes, level = (np.arange(number) % (1 + number // 4), 0.9) if seed % 2 else (None, 0.95)
        settings: dict[str, Any] = {"main_score": "s", "clusters": codes, "level": level, "resamples": 500}
        for baseline, share in (("a", None), ("a", 0.15), ("all", None)):
            margin = share and share * (scale.size if scale.bounded else 5)
            compared = outcome(compare, systems, baseline=baseline, margin=margin, **settings)
            yield compared, str(compared)
        groups = Groups.of(draw.integers(0, 4, number).tolist())
        yield outcome(summarize_groups, "s", systems["a"]["s"], groups, clusters=codes)
        questions, answers = np.sort(draw.integers(0, 1 + number // 3, number)), draw.integers(0, 3, number).tolist()
        for k in (None, 1):
            settings = {"k": k, "answers": answers if k else None, "clusters": codes, "level": level}
            yield outcome(summarize_samples, "s", systems["b"]["s"], questions, **settings)
        if scale is UNIT:
            first, second = (
                np.where(draw.random(number) < 0.2, 1 - np.rint(side), np.rint(side)) for side in scores[:2]
            )
            for labels in (first, np.where(np.arange(number) % 3, np.nan, first), scores[0], [1] * number):
                yield outcome(correct, scores[0], labels, clusters=codes)
            sides = [
                Labeled(np.nan_to_num(values), people) for values, people in zip(scores, (first, second), strict=False)
            ]
            yield outcome(correct_difference, *sides, level=level)


def sides_of(kind: str, number: int, scale: Scale, draw: np.random.Generator) -> list[Statistic]:
    """Draw the scores of two systems as statistics, of which pooled ones are of counts."""
    if kind == "pooled":
        counts = [draw.integers(0, 5, (4, number)) for _ in "ab"]
        return [pooled([side[0], side[0] + side[1], side[2], side[2] + side[3] + 1], pooled_f1) for side in counts]
    make = proportion if kind == "binary" and scale.bounded else mean
    return [make(values, scale=scale) for values in drawn_scores(kind, number, scale, draw)[:2]]


def estimates() -> Iterator[Any]:
    """Yield what systems have, of which few swaps are drawn at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("answer_metrics.statistics.comparison._MAX_DRAWS", 999)
        yield from estimates_of_systems()


def estimates_of_systems() -> Iterator[Any]:
    """Yield intervals, influences, pairs, plans, groups and samples at several levels, with and without clusters."""
    odd = (Scale(0, 100, higher_is_better=False), Scale(-math.inf, math.inf), Scale(-1, 4))
    cases = [*zip(("binary", "tenths", "gaps"), odd, strict=True), ("nearly equal", odd[0])]
    cases += [(kind, UNIT) for kind in ("binary", "tenths", "gaps", "pooled")]
    for (seed, number), (kind, scale) in itertools.product(enumerate((1, 2, 3, 14, 60, 150)), cases):
        draw = np.random.default_rng(seed)
        sides = sides_of(kind, number, scale, draw)
        order = draw.integers(-1, number, number)
        for way in ("take", "fill", "unit"):
            side = outcome(getattr(sides[0], way), *([order] if way != "unit" else []))
            yield (
                side
                if isinstance(side, str)
                else [
                    *(side.value, side.total, side.kind, side.row_scores[:9].tolist(), side.influences()[:9].tolist()),
                    side.variance(),
                ]
            )
        groups = Groups.of(draw.integers(0, 1 + number // 3, number).tolist())
        questions, k = np.sort(draw.integers(0, 1 + number // 4, number)), (None, 2, [2, 1], [], "1", 0)[seed]
        clusters = draw.integers(0, 2 + number // 3, number)
        for codes, level in ((None, 0.5), (None, 0.9), (clusters, 0.995)):
            settings: dict[str, Any] = {"clusters": codes, "level": level}
            for method in ("wilson", "clopper-pearson", "bootstrap"):
                yield method, outcome(interval, sides[0], **settings, method=method, seed=seed)
            if level == 0.5:
                continue
            named = {name: {"s": side} for name, side in zip("ab", sides, strict=True)}
            margin = 0.1 * scale.size
            yield outcome(
                compare, named, baseline="a", main_score="s", resamples=40, seed=seed, margin=margin, **settings
            )
            plan = {"difference": margin, "power": 0.6 + seed / 20, "level": level}
            yield [outcome(plan_rows, statistics, codes, **plan) for statistics in (sides[:1], sides)]
            yield outcome(summarize_groups, "s", sides[1], groups, **settings)
            if number < 60:
                tests: Any = {"level": level, "resamples": 20, "seed": 1, "margin": None}
                yield outcome(compare_groups, dict(zip("ab", sides, strict=True)), "a", groups, codes, **tests)
            more: dict[str, Any] = {"k": k, "answers": ["x", "y", None, "x"] * 80, "clusters": None, "level": level}
            yield outcome(summarize_samples, "s", sides[0], questions, **{**more, "answers": more["answers"][:number]})


def corrections() -> Iterator[Any]:
    """Yield corrections by labels of some rows, that differ between systems, and of scores with gaps."""
    cases = itertools.product(enumerate((4, 12, 45, 160)), ("binary", "tenths", "gaps", "nearly equal"), (1, 2, 3, 8))
    for (seed, number), kind, share in cases:
        draw = np.random.default_rng(seed)
        scores = drawn_scores(kind, number, UNIT, draw)[:2]
        people = np.where(draw.random((2, number)) < 0.15, 0, np.rint(np.nan_to_num(scores, nan=1.0)))
        people = people if share % 2 else people * 0.8 + 0.1 * draw.integers(0, 3, (2, number))
        labels = np.where(draw.integers(0, share, (2, number)) == 0, people, np.nan)
        for labeled, clusters in itertools.product(
            (labels, labels[[0, 0]] + 0 * labels[1]),
            (None, np.arange(number) % (2 + number // 5), np.arange(number) // 40),
        ):
            level = 0.8 if clusters is None else 0.95
            yield outcome(correct, scores[0], labeled[0], clusters=clusters, level=level)
            sides = [Labeled(*side) for side in zip(scores, labeled, strict=True)]
            yield outcome(correct_difference, *sides, codes=clusters, level=level)


def refusals() -> Iterator[Any]:
    """Yield what systems, matched by their ids, give, and what is said of wrong arguments."""
    statistic = proportion([1, 0, 1, 1])
    numbers: list[Any] = [0, 1, -1, 0.5, 0.7, True, None, "1", math.inf, math.nan, 99, 100, 101]
    for scale, value in itertools.product((UNIT, Scale(0, 100), Scale(-math.inf, math.inf)), numbers):
        yield [outcome(check_margin, value, level, scale) for level in (0.5, 0.51)]
        sides = [mean([0.5, 0.2, 1, 0], scale=scale), mean([0.5, 0.1, 0, 0], scale=scale)]
        yield outcome(plan_rows, sides, None, difference=value, power=0.8, level=0.9)
        yield outcome(plan_rows, sides[:1], None, difference=0.1, power=value, level=0.9)
    yield outcome(plan_rows, [statistic.take(np.array([0]))], None, difference=0.1, power=0.8, level=0.9)
    yield outcome(plan_rows, [statistic], np.zeros(4, int), difference=0.1, power=0.8, level=0.9)
    named: tuple[Any, ...] = ({"a": 0, "b": 0}, {"all": 0, "b": 0}, {"a": 0}, [1, 2], {"a": 0, 1: 0}, {"a": 0, "": 0})
    for systems, baseline in itertools.product(named, (None, "b", "all", "c", 1)):
        yield [outcome(check_systems, systems, baseline, count) for count in (1, 0, 5, 2.0, True)]
    references: list[Any] = [[*"abcd"], [*"abcc"], [["a"], ("b",), np.array(["c"]), "d"], [None, *"bcd"]]
    ids: list[Any] = [range(4), [3, 2, 1, 0], [*"abca"], [0, 1, 2, 9], [1, 1, 0, 0], [0, 1, 2, None]]
    for first, second, texts, missing in itertools.product(ids, ids, references, ("error", "wrong", "ignore")):
        pair = {
            "x": System({"s": statistic}, first, {"references": references[0], "clusters": [*"ppqq"]}),
            "y": System({"s": proportion([0, 0, 1, 1])}, second, {"references": texts, "by": [*"ghgh"]}),
        }
        for on in (None, "id") if missing == "error" else ("id",):
            matched = outcome(match_systems, pair, on, missing=missing)
            yield (
                matched
                if isinstance(matched, str)
                else [
                    [side.ids, side.rows, side.notes, len(side), side.statistics["s"].row_scores.tolist()]
                    for side in matched.values()
                ]
            )
            for attribute in ("clusters", "by", "references") if isinstance(matched, dict) else ():
                yield attribute, outcome(common_rows, matched, attribute, "group")
    for own, texts in itertools.product(ids, references):
        merged = outcome(System({"s": statistic}, own, {"references": texts, "by": [*"gghh"]}).merge, "id")
        yield (
            merged if isinstance(merged, str) else [merged.ids, merged.rows, merged.notes, merged.statistics["s"].value]
        )


def retrievals() -> Iterator[Any]:
    """Yield what options of retrieval make of chunks, and where long texts are split."""
    for name in answer_metrics.names():
        for option in answer_metrics.load(name).options.values():
            bounds = option.low, option.high, option.exclusive
            yield name, option.name, option.help, option.needs, bounds, "" if option.custom else option.expected
    for code in ("EN ", "pt_br", "zh-Hant-TW", "de-", "-de", "nds-nl", "nds-xx", "x-de", "", "xx", 5, None):
        yield outcome(check_language, "language", code)
    chunks = {
        "a": [["It is a cat. The cats sat!", "北京很大。东京"], [], ["The cats sat", "a A.", "!"]],
        "b": [["It"], ["x"]],
    }
    strategies = typing.get_args(retrieval.Strategy)
    for strategy, tokenizer, use_stemmer, threshold, splitter in itertools.product(
        strategies, ("rouge", "unicode"), (False, True), (0.3, 1), (None, str.split)
    ):
        own: Any = {"rouge_chunk_match_threshold": threshold, "rouge_sentence_match_threshold": 0.6 * threshold}
        own |= {"tokenizer": tokenizer, "use_stemmer": use_stemmer, "sentence_splitter": splitter}
        options = retrieval.RetrievalOptions(matching_strategy=strategy, return_details=threshold == 1, **own)
        signed = str(outcome(options.signature_fields))
        for library in ("rapidfuzz", "nltk"):
            signed = signed.replace(metadata.version(library), library)
        yield strategy, options.threshold, options.by_sentence, options.detail_columns("m", "s", "t"), signed
        components = options.components(chunks)
        yield components, [*options.warnings(chunks)]
        for left, right in itertools.product(components[0], components[0]):
            for with_pairs in (True, False):
                yield retrieval.match_query(left.texts, right.texts, options.matcher(), with_pairs=with_pairs)
    for numbers in ([], [1], [0], [0, 2], [0, 0, 1]):
        yield [*retrieval.without_truth(numbers, "truth", "scores")]
    marks = "\"'`()<>{}[]«»‘’‚‛“”„‟‹›《》「」（）"
    long = ["", "x y " * 500, "x y " * 501, "x" * 1000 + " y" * 700, "x" * 999 + " y" * 700]
    long += [f"{mark}x y " * count for mark in (*marks, "*") for count in (600, 5000)]
    long += [f"{'x y ' * 5000}{mark * count} " for mark in "(*" for count in (10, 80)]
    for text in (*long, "A b. " * 900, ("c" * 400 + ". ") * 30, ("d" * 700 + ". ") * 12, "e" * 5000 + ". f. "):
        yield retrieval.window_size(text)
        for ends in (full_stops, lambda window: [len(window)]):
            yield list(map(len, retrieval.split_sentences(text, ends)))[:40]
    failing: tuple[Any, ...] = (lambda _: None, lambda _: ["a", 1], lambda _: 1 / 0, lambda _: [" a ", "", " "], tuple)
    for language, custom in itertools.product(("en", "ja"), (None, *failing)):
        yield [
            outcome(retrieval.make_splitter(language, custom), text) for text in ("", "A b. C\u2003. D", "東。 京。")
        ]
    for text, truth in itertools.product(("the cat", "a", ""), ("cat the cat", "", "b")):
        yield retrieval.best_recall([text, "x"], truth, str.split)


def full_stops(window: str) -> list[int]:
    """Return where sentences end, the end of the text included, as sentencex does."""
    ends = [match.end() for match in re.finditer(r"\. ", window)]
    return [*ends, *([len(window)] if len(window) > (ends or [0])[-1] else [])]


def texts() -> Iterator[Any]:
    """Yield forms, tokens and overlaps of drawn texts, and what a failing normalizer says."""
    draw = random.Random(4)
    pieces = [
        *"aZ09015.,,-+#'$/:() \t\n\0",
        "éßİı",
        "Σ",
        "²",
        "½",
        "\u0301",
        "\u2212",
        "–",
        "…",
        "。",
        "，",
        "\u3000",
        "\u200b",
    ]
    pieces += [
        "the ",
        " a ",
        "an",
        "The",
        "C++",
        "1,000",
        "3.5",
        "‘x’",
        "´",
        "東京",
        "กข",
        "_",
        "running",
        "cities",
        "۵",
    ]
    column = ["".join(draw.choices(pieces, k=draw.randrange(9))) for _ in range(300)]
    own: dict[str, Callable[[str], list[str]]] = {"answer": tokens.answer_tokens}
    own |= {
        f"{name}{stem}": tokens.make_tokenizer(name, use_stemmer=stem)
        for name in ("rouge", "unicode")
        for stem in (False, True)
    }
    for text, rules in itertools.product(column, (False, True)):
        yield text, normalization.normalize(text, case_sensitive=rules), normalization.kept_marks(text)
        yield normalization.normalize(text, case_sensitive=rules, normalize_text=False), tokens.loses_most(text)
        yield [tokenize(text) for tokenize in own.values()] if rules else ""
    named: tuple[Any, ...] = (None, "default", "squad", "triviaqa", "benchwise", str.upper)
    for normalizer in named:
        yield outcome(normalizer_version, normalizer), normalize_answers(column, normalizer)
        yield normalize_answers([column[:3], [], column[3:9]], normalizer), normalize_answers([], normalizer)
    failing: tuple[Any, ...] = (int, len, lambda _: None)
    for normalizer in failing:
        yield (
            outcome(normalize_answers, ["1", "x"], normalizer),
            outcome(normalize_answers, [["1"], ["2", "x"]], normalizer, "n"),
        )
    words = ("a b c", "a a b", "b", "", "c d", "a b", "a b c d e f")
    for prediction, first, second in itertools.product(words, repeat=3):
        yield tokens.score_answer(prediction, [first, second], str.split)
    yield [tokens.tokenizer_version(name, use_stemmer=False).partition("-v")[0] for name in ("rouge", "unicode")]


PARTS = (read, commands, builds, analyses, retrievals, texts, estimates, corrections, refusals)
IN_FULL = (retrievals, texts, estimates, corrections, refusals)
"""The parts of which the words of messages are recorded, too."""


def recorded_in_folder(part: Callable[[], Iterator[Any]]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return recorded(part, words=part in IN_FULL)


@pytest.mark.parametrize("part", PARTS, ids=[part.__name__ for part in PARTS])
def test_outcomes_are_those_that_were_recorded(part: Callable[[], Iterator[Any]]) -> None:
    assert changed("outcomes", part.__name__, recorded_in_folder(part)) == []


if __name__ == "__main__":
    record("outcomes", {part.__name__: recorded_in_folder(part) for part in PARTS})
