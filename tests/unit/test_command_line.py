"""The command line: every kind of file gives the same scores, and bad input is one sentence."""

import argparse
import contextlib
import csv
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest

import answer_metrics
from answer_metrics.cli import arguments
from tests.conftest import ROOT
from tests.loopback_hub import LoopbackHub
from tests.unit.conftest import write

ROWS: list[dict[str, Any]] = [
    {"id": 1, "question": "capital of France?", "output": "Paris!", "gold": ["paris", "City"], "subject": "geo"},
    {"id": 2, "question": "the year?", "output": "1969", "gold": ["1969"], "subject": "math"},
    {"id": 3, "question": "capital of Norway?", "output": "Bergen", "gold": ["Oslo"], "subject": "geo"},
    {"id": 4, "question": "capital of Japan?", "output": "東京, 日本", "gold": ["東京 日本"], "subject": "geo"},
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
SCORE = 0.75


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text(LINES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("cell", [" | ".join, str, json.dumps])
def test_cells_of_several_references_give_the_scores_of_lists(cell: Callable[[list[str]], str], result: Any) -> None:
    with Path("cells.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ROWS[0])
        writer.writeheader()
        writer.writerows({**row, "gold": cell(row["gold"])} for row in ROWS)
    metric = answer_metrics.load("accuracy")
    columns = {"predictions": [row["output"] for row in ROWS], "references": [row["gold"] for row in ROWS]}
    final = {"return_details": False, "return_confidence": True, "return_signature": True}
    expected = metric.aggregate(metric.score_batch(columns), **final)
    assert result("score", "cells.csv") == json.loads(json.dumps(expected))
    assert expected["accuracy"] == SCORE


def test_folders_and_lines_of_text(result: Callable[..., dict[str, Any]], run: Any) -> None:
    for part, rows in (("1.jsonl", ROWS[:1]), ("2.jsonl", ROWS[1:]), ("results_1.json", [{}])):
        write(f"parts/{part}", rows)
    assert result("score", "parts")["accuracy"] == SCORE
    Path("answers.txt").write_text("".join(row["output"] + "\n" for row in ROWS), encoding="utf-8")
    Path("gold.txt").write_text("".join(row["gold"][0] + "\n" for row in ROWS), encoding="utf-8")
    assert result("score", "answers.txt", "--references", "gold.txt")["accuracy"] == SCORE
    Path("short.txt").write_text("".join(row["output"] + "\n" for row in ROWS[:3]), encoding="utf-8")
    assert "3 rows, fewer than there are predictions" in run("score", "answers.txt", "--references", "short.txt")[2]
    assert "4 rows, but there are 3 predictions" in run("score", "short.txt", "--references", "gold.txt")[2]


def test_numbers_become_the_text_that_the_file_has(result: Callable[..., dict[str, Any]]) -> None:
    rows = [(3, "3"), (0.5, "0.5"), (12345678901234567890, "12345678901234567890"), (True, "true")]
    for part in (rows, rows[:2], rows[:1]):
        for number, text in (("prediction", "reference"), ("reference", "prediction")):
            write("numbers.jsonl", [dict(zip((number, text), row, strict=True)) for row in part])
            assert result("score", "numbers.jsonl", "-m", "answer_exact_match")["score"] == 1.0


def test_rows_of_json_lines_may_have_different_fields_and_types(result: Callable[..., dict[str, Any]]) -> None:
    mixed = {"prediction": "b", "references": ["c", "b"], "more": {"x": 1}}
    write("mixed.jsonl", [{"prediction": "a", "references": "a"}, mixed])
    assert result("score", "mixed.jsonl", "-o", "out.parquet")["accuracy"] == 1.0
    assert pq.read_table("out.parquet")["references"].to_pylist() == ["a", '["c", "b"]']
    for options in (["--preset", "strict"], ["-m", "token_f1"]):  # read again as the lists that they were
        assert result("score", "out.parquet", *options) == result("score", "mixed.jsonl", *options)


WRITTEN = ROOT / "tests" / "written"
"""What tools wrote of three answers (Paris, Oslo, oslo; the second is wrong), cut, and without dates."""


@pytest.mark.parametrize("path", sorted(WRITTEN.iterdir()), ids=lambda path: path.name)
def test_files_of_other_tools(path: Path, result: Callable[..., dict[str, Any]]) -> None:
    scored = result("score", str(path), "--preset", "free_form")
    assert (scored["correct"], scored["total"]) == (2, 3)
    if path.stem != "lighteval":  # whose details have no scores
        assert result("score", str(path), "-m", "recorded_score")["total"] == 3


def test_dataset_of_the_hub() -> None:
    card = b"---\nconfigs:\n- config_name: main\n  data_files:\n  - split: test\n    path: data/*\n"
    split = b"  - split: %s\n    path: b/%s*\n"
    several = b"- config_name: b\n  data_files:\n" + split % (b"train", b"train") + split % (b"validation", b"v")
    rows = LINES.encode().splitlines(keepends=True)
    with LoopbackHub() as hub:
        hub.add("owner/answers", {"README.md": card + b"---\n", "data/test.jsonl": LINES.encode()})
        parts = {"data/test.jsonl": rows[2], "b/train.jsonl": rows[0] + rows[2], "b/v.jsonl": rows[0]}
        hub.add("owner/two", {"README.md": card + several + b"---\n", **parts})
        variables = {"HF_ENDPOINT": hub.url, "HF_HOME": str(Path("hub").absolute()), "PYTHONPATH": str(ROOT)}
        variables = {**os.environ, **variables, "HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0"}
        addresses = ["owner/answers?split=test", "datasets/owner/answers/data/test.jsonl"]
        addresses += ["datasets/owner/two/?config=b", "owner/two?config=b&split=train", "owner/nothing"]
        code = """if True:
            import sys
            from answer_metrics.__main__ import main
            for address in sys.argv[1:]: print(main(["score", f"hf://{address}", "--json"]))
        """
        command = [sys.executable, "-c", code, *addresses]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    scores = [json.loads(line)["accuracy"] for line in done.stdout.splitlines()[:8:2]]
    assert (scores, done.stdout.split()[-1]) == ([SCORE, SCORE, 1.0, 0.5], "2"), done.stderr
    assert "hf://datasets/owner/two/?config=b: split validation\n" in done.stderr
    assert "hf://owner/nothing: Dataset 'owner/nothing' doesn't exist on the Hub" in done.stderr


def test_scored_file_is_scored_again_only_under_other_options(result: Callable[..., dict[str, Any]], run: Any) -> None:
    first = result("score", "a.jsonl", "-m", "token_f1", "--tokenizer", "unicode", "-o", "scored.parquet")
    table = pq.read_table("scored.parquet")
    assert json.loads(table.schema.metadata[b"answer_metrics"])["version"] == answer_metrics.load("token_f1").version
    assert table["output"].to_pylist() == [row["output"] for row in ROWS]
    assert result("score", "scored.parquet") == first
    own = ("-m", "token_f1", "--tokenizer", "unicode", "--columns", "clusters=subject")
    assert result("score", "scored.parquet", "--columns", "clusters=subject") == result("score", "a.jsonl", *own)
    swapped = table.set_column(table.schema.get_field_index("output"), "output", [["Oslo"] * 4])
    pq.write_table(swapped, "swapped.parquet")
    assert result("score", "swapped.parquet") == first
    assert result("score", "swapped.parquet", "--set", "tokenizer=squad") != first
    assert result("score", "swapped.parquet", "-m", "accuracy")["accuracy"] == 0.25
    result("score", "scored.parquet", "-m", "accuracy", "-o", "again.parquet")  # with questions, which F1 does not take
    assert result("score", "again.parquet", "-m", "token_f1", "--tokenizer", "unicode") == first
    Path("again.parquet").unlink()
    note = swapped.schema.metadata[b"answer_metrics"].replace(b'"version": "', b'"version": "9.')
    pq.write_table(swapped.replace_schema_metadata({b"answer_metrics": note}), "swapped.parquet")
    assert result("score", "swapped.parquet") != first
    assert sorted(path.name for path in Path().iterdir()) == ["a.jsonl", "scored.parquet", "swapped.parquet"]
    code, _, errors = run("score", "a.jsonl", "-o", "scored.txt")
    assert (code, "-o writes .parquet, .csv, .jsonl: name the file scored.parquet" in errors) == (2, True)


def test_place_of_a_scored_file_among_the_arguments_does_not_matter(result: Any, run: Any) -> None:
    run("score", "a.jsonl", "-m", "token_f1", "-o", "scored.parquet", "--quiet")
    expected = result("score", "scored.parquet")
    code, printed, errors = run("score", "--quiet", "--json", "scored.parquet")
    assert (code, json.loads(printed)) == (0, expected), errors


def test_show_counts_the_rows_of_all_files(run: Any) -> None:
    wrong = [{"question": f"q{place}", "output": "Bergen", "gold": "Oslo"} for place in range(11)]
    for name, rows in (("1", wrong[:1]), ("2", wrong[1:6]), ("3", wrong[6:])):
        write(f"folder/{name}.jsonl", rows)
    for most in (1, 3, 6, 9, 20):
        shown = run("score", "folder", "--show", str(most), "--quiet")[1]
        assert shown.count("Bergen") == min(most, 11), shown


def test_labels_of_people(result: Callable[..., dict[str, Any]], run: Any) -> None:
    assert run("score", "a.jsonl", "-o", "scored.parquet")[0] == 0
    assert run("label", "scored.parquet", "-n", "3", "-o", "to_label.csv")[0] == 0
    assert Path("to_label.csv").read_bytes().startswith(b"\xef\xbb\xbfrow,")  # for Excel
    with Path("to_label.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["predictions"] for row in rows] == [ROWS[int(row["row"])]["output"] for row in rows]
    assert [row["references"].split(" | ") for row in rows] == [ROWS[int(row["row"])]["gold"] for row in rows]
    labels = zip((row["row"] for row in rows), ("1", "", "0"), strict=True)
    Path("to_label.csv").write_text("row,label\n" + "".join(f"{row},{label}\n" for row, label in labels))
    corrected = result("score", "scored.parquet", "--human-labels", "to_label.csv")
    assert (corrected["labels"], corrected["label_mean"]) == (2, 0.5)


def test_labels_by_id(result: Callable[..., dict[str, Any]]) -> None:
    write("b.jsonl", [{"id": number, "output": "a", "gold": "ab"[number % 2]} for number in range(6)])
    labels = pd.DataFrame({"id": [1, 4], "label": [1, 0]})
    labels.to_json("labels.jsonl", orient="records", lines=True)
    labels.to_parquet("labels.parquet")
    labels.to_csv("labels.csv", index=False)
    for name in ("labels.jsonl", "labels.parquet", "labels.csv"):
        corrected = result("score", "b.jsonl", "--on", "id", "--human-labels", name)
        assert (corrected["labels"], corrected["label_mean"]) == (2, 0.5)


def test_options_are_those_of_the_metric(result: Callable[..., dict[str, Any]], run: Any) -> None:
    strict = result("score", "a.jsonl", "--no-normalize-text")
    assert strict == result("score", "a.jsonl", "--set", "normalize_text=false")
    assert strict["accuracy"] == 0.25
    code, help_, _ = run("score", "-m", "accuracy", "--help")
    assert (code, "--fuzzy-threshold VALUE" in help_) == (0, True)
    assert "--api-key VALUE" not in run("score", "-m", "l3score", "--help")[1]
    bad = run("score", "a.jsonl", "--set", "normalize_text=3")
    assert "--normalize-text must be True or False, got 3 (int)" in bad[2]
    assert "did you mean 'fuzzy_match'" in run("score", "a.jsonl", "--set", "fuzy_match=1")[2]
    assert "the following arguments are required: -o/--output" in run("label", "a.jsonl")[2]
    assert "api_key is a secret" in run("score", "a.jsonl", "-m", "l3score", "--set", "api_key=x")[2]


@pytest.mark.parametrize("name", answer_metrics.names())
def test_messages_name_options_as_flags(name: str, run: Any) -> None:
    """Whatever is wrong about the value of an option: never as an argument of Python."""
    cls = answer_metrics.metric_class(name)
    for option in cls.options.keys() - cls.secrets - arguments.RESULT_OPTIONS.keys():
        code, _, errors = run("score", "a.jsonl", "-m", name, "--set", f'{option}=[[{{"x": 1}}]]')
        named = re.findall(rf"(?<!\w)-*{option.replace('_', '[_-]')}(?!\w)", errors)
        assert code == 2
        assert f"--{option.replace('_', '-')}" in named, errors


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("as in scale=(1, 5)", "as in --scale 1 5"),
        ('as in scale={"A": 1, "B": 0}', "as in --scale A=1 B=0"),
        ("recorded_score: scale must be a pair", "recorded_score: --scale must be a pair"),
        ("preset='strict' needs match=\"recall\"", "--preset strict needs --match recall"),
        ("normalize_text=False, fuzzy_match=True", "--no-normalize-text, --fuzzy-match"),
        ("k=3: match rows by on= with", "-k 3: match rows by --on with"),
        ("--set match=equal, --columns a=b, the match", "--set match=equal, --columns a=b, the match"),
    ],
)
def test_options_in_messages(message: str, expected: str) -> None:
    args = argparse.Namespace(metric=["recorded_score", "accuracy"], k=None, on=None)
    assert arguments.with_flags(message, args) == expected


@pytest.mark.parametrize(
    ("content", "arguments", "expected"),
    [
        (None, [], "x.jsonl: There is no such file; did you mean 'a.jsonl'?"),
        (LINES, ["--format", "jsnl"], "There is no format 'jsnl'; did you mean 'jsonl'?"),
        (LINES, ["--columns", "predictions=outputs"], "there is no field 'outputs'; did you mean 'output'?"),
        (LINES, ["--columns", "prediction=output"], "there is no input 'prediction'; did you mean 'predictions'?"),
        (LINES, ["--references", "y"], "y: There is no such file."),
        ("", [], "x.jsonl: The file is empty."),
        (LINES + '{"id": 5, "output"', [], "x.jsonl: Line 5 isn't valid JSON: Expecting ':' delimiter: line 1"),
        (LINES + "[1]\n", [], "x.jsonl: Line 5 isn't a JSON object."),
        (
            LINES.replace('"Bergen"', "null"),
            ["--missing", "error"],
            "x.jsonl, row 3: the prediction is null; --missing",
        ),
        (LINES.replace('["Oslo"]', "null"), [], "x.jsonl, row 3: the reference is null; --without-reference ignore"),
        ('{"a": "x", "b": "y"}\n', [], "no field is known to be the predictions or the references; say which one is"),
        ('{"output": "x", "b": "y"}\n', [], "no field is known to be the references; say which one is: --columns ref"),
        ('{"gpt_pred": "x", "claude_pred": "y", "gold": "z"}\n', [], "no field is known to be the predictions; say"),
        ('{"response": "x", "completion": "y", "gold": "z"}\n', [], "Both 'response' and 'completion' could be the"),
        ("a,b\n1\n", ["--format", "csv"], "x.jsonl: Line 2 has 1 cell, the first line has 2."),
        (LINES, ["--format", "trec"], "fields; TREC's qrels have 4, its runs 6."),
        ('{"answer": 1}', ["--format", "lm-eval"], "is not what lm-eval writes"),
        ("hello", ["--format", "jsonl"], "x.jsonl: This isn't a jsonl file."),
        ("[" * 100_000, [], "x.jsonl: The file is nested too deeply."),
        ("\n\n" + LINES + "{\n", [], "x.jsonl: Line 7 isn't valid JSON"),
        ("\na;b\n1;2\n3\n", ["--format", "csv"], "x.jsonl: Line 4 has 1 cell, the first line has 2."),
    ],
)
def test_bad_input_is_one_sentence(run: Any, content: str | None, arguments: list[str], expected: str) -> None:
    if content is not None:
        Path("x.jsonl").write_text(content)
    Path("out.parquet").write_text("of before")
    code, printed, errors = run("score", "x.jsonl", "-o", "out.parquet", *arguments)
    assert (code, printed) == (2, "")
    last = errors.strip().splitlines()[-1]
    assert expected in last
    assert last.startswith("answer-metrics: ")
    assert {path.name for path in Path().iterdir()} <= {"a.jsonl", "x.jsonl", "out.parquet"}
    assert Path("out.parquet").read_text() == "of before"


def test_progress_is_for_people_who_wait(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run("score", "a.jsonl", "-o", "a.parquet")
    for is_terminal, flags in itertools.product((True, False), ((), ("--quiet",))):
        monkeypatch.setattr(sys.stderr, "isatty", lambda value=is_terminal: value)
        errors = run("score", "a.parquet", *flags)[2]
        assert ("| 0.00/4.00 [00:00<?, ? rows/s]" in errors) == (is_terminal and not flags)
        assert errors.endswith(" \r") == (is_terminal and not flags)  # it is removed at the end


def test_optional_packages_are_named_where_they_are_needed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    openpyxl.Workbook().save("a.xlsx")
    for name in ("gradio", "openpyxl"):
        monkeypatch.setitem(sys.modules, name, None)
    needs = "answer-metrics: the page needs Gradio: pip install 'answer-metrics[space]'\n"
    assert run("space", "accuracy") == (2, "", needs)
    advice = "Workbooks need openpyxl: pip install openpyxl. Or save the sheet as “CSV UTF-8”.\n"
    assert run("score", "a.xlsx") == (2, "", f"answer-metrics: a.xlsx: {advice}")


def test_space_runs_the_page_of_a_metric(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gradio", ModuleType("gradio"))
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(answer_metrics, "METRICS", Path("metrics").absolute())
    Path("metrics/token_f1").mkdir(parents=True)
    Path("metrics/token_f1/beside.py").write_text("TEXT = 'beside'")
    Path("metrics/token_f1/app.py").write_text("import beside\nprint(__name__, beside.TEXT)")
    assert run("space", "token_f1") == (0, "__main__ beside\n", "")


def test_an_address_is_opened(result: Any) -> None:
    assert result("score", Path("a.jsonl").absolute().as_uri())["accuracy"] == SCORE


def test_a_pipe_stays_one(run: Any) -> None:
    os.mkfifo("out.jsonl")
    pipe = os.open("out.jsonl", os.O_RDONLY | os.O_NONBLOCK)
    assert run("score", "a.jsonl", "-o", "out.jsonl")[0] == 0
    assert (os.read(pipe, 1 << 16).count(b"\n"), Path("out.jsonl").is_fifo()) == (4, True)
    os.close(pipe)


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    command, variables = [sys.executable, "-m", "answer_metrics", *arguments], {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_readme_shows_what_is_printed_for_the_sample(run: Any) -> None:
    _, printed, _ = run("score", str(ROOT / "examples" / "qa_sample.jsonl"), "--preset", "free_form")
    assert f"--preset free_form\n{printed.splitlines()[0]}\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_help_imports_nothing_that_takes_long() -> None:
    code = (
        "import sys, answer_metrics.cli.arguments as a\ntry: a.parse(['score', '--help'])\nfinally: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"evaluate", "datasets", "pyarrow", "numpy"} & set(done.stdout.split())


def test_closed_pipe_and_standard_input(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = "answer-metrics: standard input: Line 5 isn't valid JSON: "
    for text, code, expected in ((LINES, 0, f'"accuracy": {SCORE}'), (f"{LINES}{{\n", 2, bad)):
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        with os.fdopen(reading) as pipe:
            monkeypatch.setattr("sys.stdin", pipe)
            ended, *printed = run("score", "-", "--json")
        assert (ended, expected in printed[bool(code)]) == (code, True)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # else each line is written at once
    with start("metrics") as program:
        assert program.stdout is not None
        program.stdout.close()
        assert program.stderr is not None
        assert (program.stderr.read(), program.wait()) == (b"", 0)


def test_full_disk_leaves_no_file(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    about = ("--about", "model=m", "dataset=d", "organization=o")
    many = LINES * 500
    Path("many.jsonl").write_text(many, encoding="utf-8")
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, most))
    try:
        for arguments in (
            ("score", "-o", "out.parquet"),
            ("score", "--export", "every-eval-ever=out.json", *about),
            ("label", "-n", "100", "-o", "out.csv"),
        ):
            code, _, errors = run(arguments[0], "many.jsonl", "--quiet", *arguments[1:])
            assert (code, "File too large" in errors, errors.count("\n")) == (2, True, 1), errors
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert {path.name for path in Path().iterdir()} == {"a.jsonl", "many.jsonl"}
    with contextlib.suppress(OSError), Path("/dev/full").open("w") as full:  # which closing it raises again
        monkeypatch.setattr("sys.stdout", full)
        code, _, errors = run("score", "a.jsonl", "--quiet")
        assert (code, "No space left on device" in errors, errors.count("\n")) == (2, True, 1), errors


def test_interrupted_run_leaves_no_file(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("answer_metrics.cli.commands.score", Mock(side_effect=KeyboardInterrupt))
        assert run("score", "a.jsonl")[0] == 130
    os.mkfifo("slow.jsonl")
    with start("score", "slow.jsonl", "-o", "out.parquet") as program, Path("slow.jsonl").open("w") as pipe:
        pipe.write(LINES * 100_000)
        pipe.flush()
        deadline = time.monotonic() + 30
        while not list(Path().glob(".out.parquet.*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        program.send_signal(signal.SIGTERM)
        pipe.close()  # a signal just before a read that blocks is handled after it
        assert program.wait(30) == 143
    assert {path.name for path in Path().iterdir()} == {"a.jsonl", "slow.jsonl"}
