"""Files of any kind: each format gives the same score, and what is damaged or unclear is one sentence."""

import bz2
import codecs
import copy
import csv
import functools
import gzip
import io
import itertools
import json
import lzma
import os
import re
import shlex
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import pytrec_eval
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.__main__ import main
from answer_metrics.cli.inputs import _split
from answer_metrics.files import json_files, reading, unpacking
from answer_metrics.files.cells import _tabbed, are_numbered, joined, texts_in
from answer_metrics.files.rows import InputError, batched, column_at
from tests.conftest import ROOT
from tests.loopback_hub import LoopbackHub
from tests.unit.conftest import write

ASKED = ["capital of France?", "capital of Italy?", "capital of Norway?"]
ANSWERS = ["Paris", "Oslo", "oslo"]
GOLD = ["paris", "Rome", "Oslo"]
"""Two of the three answers are right."""
KEYS = ["q1", "q2", "q3"]
FRAME = pd.DataFrame({"id": KEYS, "question": ASKED, "output": ANSWERS, "target": GOLD})
ROWS = FRAME.to_dict(orient="records")
BY_ID = dict(zip(KEYS, ANSWERS, strict=True))


def each(make: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a record for each key, question, answer and reference."""
    return [make(*row) for row in zip(KEYS, ASKED, ANSWERS, GOLD, strict=True)]


def lines(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def zstd(content: bytes) -> bytes:
    buffer = pa.BufferOutputStream()
    with pa.CompressedOutputStream(buffer, "zstd") as stream:
        stream.write(content)
    return bytes(buffer.getvalue())


def workbook(*sheets: list[list[Any]]) -> bytes:
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    for place, rows in enumerate(sheets):
        sheet = book.create_sheet() if place else book.active
        for row in rows:
            sheet.append(row)
    book.save(buffer)
    return buffer.getvalue()


def chat(key: str, asked: str, answer: str, gold: str) -> dict[str, Any]:
    system, user = {"role": "system", "content": "Be short."}, {"role": "user", "content": asked}
    parts = [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": answer}]
    return {"id": key, "messages": [system, user, {"role": "assistant", "content": parts}], "gold": gold}


def promptfoo(key: str, asked: str, answer: str, gold: str) -> dict[str, Any]:
    grading = {"response": {"output": answer}, "prompt": {"raw": asked}, "provider": {"id": "openai:x"}, "score": 1}
    return {**grading, "vars": {"q": asked, "expected": gold}, "testIdx": KEYS.index(key)}


def promptfoo_cells(key: str, asked: str, answer: str, gold: str) -> dict[str, Any]:
    shown = {"[openai:x] {{q}}": answer, "Status": "PASS", "Score": "1.00", "Named Scores": "", "Grader Reason": "x"}
    return {"q": asked, "expected": gold, **shown, "Comment": ""}


def helm_instance(key: str, asked: str, answer: str, gold: str) -> dict[str, Any]:
    others = [{"output": {"text": "Bern"}, "tags": []}, {"output": {"text": gold}, "tags": ["correct"]}]
    return {"id": key, "input": {"text": asked}, "references": others, "split": "test"}


def helm_state(*row: str) -> dict[str, Any]:
    completions = {"completions": [{"text": row[2]}]}
    return {"instance": helm_instance(*row), "request": {}, "result": completions}


def plain_chat(_key: str, asked: str, answer: str, gold: str) -> dict[str, Any]:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return {"messages": messages, "answer": gold}


def openai_body(text: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}


def responses_body(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"output": [{"type": "reasoning", "summary": []}, {"type": "message", "content": content}]}


def anthropic(key: str, _asked: str, answer: str, _gold: str) -> dict[str, Any]:
    content = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": answer}]
    return {"custom_id": key, "result": {"type": "succeeded", "message": {"role": "assistant", "content": content}}}


def google(key: str, asked: str, answer: str, _gold: str) -> dict[str, Any]:
    parts = [{"text": "Hm.", "thought": True}, {"text": answer}]
    request = {"contents": [{"role": "user", "parts": [{"text": asked}]}]}
    return {"key": key, "request": request, "response": {"candidates": [{"content": {"parts": parts}}]}}


def openai_evals() -> bytes:
    events: list[dict[str, Any]] = [{"spec": {"eval_name": "t", "run_id": "r"}}]
    for record in each(lambda *row: dict(zip(("key", "asked", "answer", "gold"), row, strict=True))):
        prompt = [{"role": "user", "content": record["asked"]}]
        sampled = {"prompt": prompt, "sampled": [record["answer"]]}
        match = {"correct": False, "expected": record["gold"], "picked": None, "sampled": record["answer"]}
        events.append({"sample_id": record["key"], "type": "sampling", "data": sampled})
        events.append({"sample_id": record["key"], "type": "match", "data": match})
    return lines([*events, {"final_report": {"accuracy": 1.0}}])


REFERENCES = lines(each(lambda key, asked, answer, gold: {"id": key, "target": gold}))
QUESTIONS = each(lambda key, asked, _, gold: {"id": key, "question": asked, "answers": [{"text": gold}]})
SQUAD = {"data": [{"title": "t", "paragraphs": [{"context": "", "qas": QUESTIONS}]}]}
COQA = {
    "id": "q",
    "questions": [{"input_text": text, "turn_id": turn} for turn, text in enumerate(ASKED, 1)],
    "answers": [{"input_text": text, "turn_id": turn} for turn, text in enumerate(GOLD, 1)],
    "additional_answers": {"0": [{"input_text": "x", "turn_id": turn} for turn in (1, 2, 3)]},
}
TRIVIA = each(lambda key, asked, _, gold: {"QuestionId": key, "Question": asked, "Answer": {"Value": gold}})


def by_line(make: Callable[..., dict[str, Any]]) -> bytes:
    """Return a line of JSON for each key, question, answer and reference."""
    return lines(each(make))


TABLES: dict[str, Callable[[pd.DataFrame], bytes]] = {
    "a.csv": lambda frame: frame.to_csv(index=False).encode(),
    "a.tsv": lambda frame: frame.to_csv(index=False, sep="\t").encode(),
    "a.xlsx": lambda frame: workbook(
        [list(frame), *frame.astype(object).where(frame.notna(), None).to_numpy().tolist()]
    ),
    "a.jsonl": lambda frame: frame.to_json(orient="records", lines=True).encode(),
    "a.json": lambda frame: frame.to_json(orient="split").encode(),
    "a.parquet": lambda frame: frame.to_parquet(),
    "a.arrow": lambda frame: pl.from_pandas(frame).write_ipc(None).getvalue(),
    "a.zip": lambda frame: zipped({"a.csv": frame.to_csv(index=False).encode()}),
}
"""Writers of a table by the name of a file."""
CASES: dict[str, tuple[str, bytes, str | bytes]] = {
    # name of the file: its format, its content, and what follows: arguments, or the content of a file of references
    **{name: (Path(name).suffix[1:], write(FRAME), "") for name, write in TABLES.items() if name != "a.zip"},
    "semicolons.csv": ("csv", FRAME.to_csv(index=False, sep=";").encode("utf-8-sig"), ""),
    "index.csv": ("csv", FRAME.to_csv().encode(), ""),
    "utf16.csv": ("tsv", FRAME.to_csv(index=False, sep="\t").encode("utf-16"), ""),
    "utf16be.csv": ("tsv", codecs.BOM_UTF16_BE + FRAME.to_csv(index=False, sep="\t").encode("utf-16-be"), ""),
    "big.csv": ("csv", FRAME.to_csv(index=False).encode("utf-16-be"), "--encoding utf-16-be"),
    "gbk.csv": ("csv", (FRAME.to_csv(index=False) + "q4,x,北京,南京\n").encode("gbk"), "--encoding gbk"),
    "polars.ndjson": ("jsonl", pl.from_pandas(FRAME).write_ndjson().encode(), ""),
    "records.json": ("json", FRAME.to_json(orient="records").encode(), ""),
    "columns.json": ("json", FRAME.to_json().encode(), ""),
    "index.json": ("json", FRAME.set_index("id").to_json(orient="index").encode(), ""),
    "jq.json": ("json", b"".join(as_json(row) + b"\n\n" for row in ROWS), ""),
    "split.json": ("json", FRAME.to_json(orient="split").encode(), ""),
    "table.json": ("json", FRAME.to_json(orient="table").encode(), ""),
    "lists.json": ("json", as_json({"model": "x", **FRAME.to_dict(orient="list")}), ""),
    "nested.json": ("json", as_json({"prompts": [{"raw": "x"}], "a": {"rows": ROWS}}), ""),
    "details.json": ("json", as_json({"accuracy": 1, "details": FRAME.T.to_dict()}), ""),
    "titled.csv": ("csv", b"Results of model m, run 2,,,\n,,,\n" + FRAME.to_csv(index=False).encode(), ""),
    "commented.csv": ("csv", b"# model: m; seed: 1, 2\n\n#\n" + FRAME.to_csv(index=False, sep=";").encode(), ""),
    "sep.csv": ("csv", b"sep=;\r\n" + FRAME.to_csv(index=False, sep=";").encode(), ""),
    "pipes.csv": ("csv", FRAME.to_csv(index=False, sep="|").encode(), ""),
    "table.txt": ("csv", FRAME.to_csv(index=False).encode(), ""),
    "tabs.txt": ("tsv", FRAME.to_csv(index=False, sep="\t").encode(), ""),
    "pretty.jsonl": ("json", b"".join(as_json(row) + b"\n" for row in ROWS), ""),
    "array.jsonl": ("json", json.dumps(ROWS).encode(), ""),
    "titled.xlsx": ("xlsx", workbook([["Results"], [], list(FRAME), *FRAME.to_numpy().tolist()]), ""),
    "sheets.xlsx": ("xlsx", workbook([["accuracy", 0.7]], [list(FRAME), *FRAME.to_numpy().tolist()]), ""),
    "by_id.json": ("json", as_json({"config": {"model": "x"}, "rows": {row["id"]: row for row in ROWS}}), ""),
    "grouped.jsonl": (
        "jsonl",
        by_line(lambda *row: {"input": {"q": row[1]}, "output": {"answer": row[2]}, "expected": {"answer": row[3]}}),
        "",
    ),
    "pipeline.jsonl": ("jsonl", by_line(lambda *row: {"pred": [{"generated_text": row[2]}], "gts": row[3]}), ""),
    "marco.jsonl": (
        "jsonl",
        by_line(lambda key, _, answer, __: {"query_id": key, "answers": [answer]}),
        by_line(lambda key, asked, _, gold: {"query_id": key, "query": asked, "answers": [gold]}),
    ),
    "a.feather": ("arrow", pl.from_pandas(FRAME).write_ipc_stream(None).getvalue(), ""),
    "a.jsonl.gz": ("jsonl", gzip.compress(lines(ROWS)), ""),
    "a.jsonl.bz2": ("jsonl", bz2.compress(lines(ROWS)), ""),
    "a.jsonl.xz": ("jsonl", lzma.compress(lines(ROWS)), ""),
    "a.csv.zst": ("csv", zstd(FRAME.to_csv(index=False).encode()), ""),
    "csv.zip": ("csv", zipped({"data/a.csv": FRAME.to_csv().encode(), "__MACOSX/._a.csv": b"\0"}), ""),
    "parquet.zip": ("parquet", zipped({"a.parquet": FRAME.to_parquet()}), ""),
    "lines.txt": ("text", "\n".join(ANSWERS).encode(), "\n".join(GOLD).encode()),
    "squad.json": ("squad", as_json(BY_ID), as_json(SQUAD)),
    "lists_by_id.json": ("json", as_json({key: [text] for key, text in BY_ID.items()}), REFERENCES),
    "hotpot.json": ("json", as_json({"answer": BY_ID, "sp": {key: [["T", 0]] for key in KEYS}}), REFERENCES),
    "gold_by_id.json": ("squad", as_json(BY_ID), as_json(dict(zip(KEYS, GOLD, strict=True)))),
    "coqa.json": (
        "coqa", as_json([{"id": "q", "turn_id": turn, "answer": text} for turn, text in enumerate(ANSWERS, 1)]),
        as_json({"version": "1.0", "data": [COQA]}),
    ),
    "triviaqa.json": ("squad", as_json(BY_ID), as_json({"Data": TRIVIA, "Version": 1.0})),
    "kilt.jsonl": (
        "kilt", by_line(lambda key, asked, answer, _: {"id": key, "input": asked, "output": [{"answer": answer}]}),
        by_line(lambda key, asked, _, gold: {"id": key, "input": asked, "output": [{"answer": gold}]}),
    ),
    "helm.json": (
        "helm-predictions",
        as_json(each(lambda key, _, answer, __: {"instance_id": key, "predicted_text": answer, "stats": {}})),
        as_json(each(helm_instance)),
    ),
    "scenario_state.json": ("helm", as_json({"adapter_spec": {}, "request_states": each(helm_state)}), ""),
    "opencompass.json": (
        "json", as_json(dict(enumerate(each(lambda _, __, answer, gold: {"prediction": answer, "gold": gold})))), "",
    ),
    "openai_evals.jsonl": ("openai-evals", openai_evals(), ""),
    "openai_batch.jsonl": (
        "openai-batch",
        by_line(lambda key, _, answer, __: {"custom_id": key, "response": {"body": openai_body(answer)}}),
        REFERENCES,
    ),
    "responses.jsonl": (
        "openai-batch",
        by_line(lambda key, _, answer, __: {"custom_id": key, "response": {"body": responses_body(answer)}}),
        REFERENCES,
    ),
    "own_answers.jsonl": (
        "openai-batch",
        by_line(lambda key, asked, answer, gold: {
            "id": "x", "custom_id": key, "response": {"body": openai_body(answer)}, "error": None, "answer": gold
        }),
        "",
    ),
    "completions.jsonl": (
        "openai-responses",
        by_line(lambda key, _, answer, __: {"id": key, "object": "x", "choices": [{"text": answer}]}),
        REFERENCES,
    ),
    "anthropic.jsonl": ("anthropic-batch", by_line(anthropic), REFERENCES),
    "google.jsonl": ("google-batch", by_line(google), REFERENCES),
    "chat.jsonl": ("chat", by_line(chat), ""),
    "chat.parquet": ("chat", pd.DataFrame(each(plain_chat)).to_parquet(), ""),
    "prompt_chat.jsonl": (
        "chat",
        by_line(lambda _, __, answer, gold: {
            "messages": [{"role": "assistant", "content": gold}], "response": answer, "gold": gold
        }),
        "",
    ),
    "sharegpt.json": (
        "chat",
        as_json(each(lambda _, asked, answer, gold: {
            "conversations": [{"from": "human", "value": asked}, {"from": "gpt", "value": answer}], "gold": gold
        })),
        "",
    ),
    "vllm.jsonl": (
        "vllm",
        by_line(lambda _, asked, answer, gold: {
            "prompt": asked, "outputs": [{"index": 0, "text": answer}], "answer": gold
        }),
        "",
    ),
    "promptfoo.json": (
        "promptfoo", as_json({"results": {"prompts": [{"raw": "x", "label": "x"}], "results": each(promptfoo)}}), ""
    ),
    "promptfoo.csv": ("csv", pd.DataFrame(each(promptfoo_cells)).to_csv(index=False).encode(), ""),
    "mt_bench.jsonl": (
        "mt-bench", by_line(lambda key, _, answer, __: {"question_id": key, "choices": [{"turns": [answer]}]}),
        by_line(lambda key, asked, _, gold: {"question_id": key, "turns": [asked], "reference": [gold]}),
    ),
    "objects.jsonl": (
        "jsonl",
        by_line(lambda _, __, answer, gold: {
            "output": {"content": "x", "text": answer}, "gold": [{"text": "x"}, {"content": "x", "text": gold}]
        }),
        "",
    ),
    "camel.jsonl": (
        "jsonl", by_line(lambda _, __, answer, gold: {"actualOutput": answer, "expectedOutput": gold}), ""
    ),
    "groups.jsonl": (
        "jsonl",
        by_line(lambda _, asked, answer, gold: {
            "inputs": {"question": asked}, "outputs": {"answer": answer}, "reference_outputs": {"answer": gold}
        }),
        "",
    ),
    "musique.jsonl": (
        "musique",
        by_line(lambda _, __, answer, gold: {"answer": gold, "answer_aliases": ["x"], "prediction": answer}),
        "",
    ),
    "slash.jsonl": (
        "jsonl", by_line(lambda _, __, answer, gold: {"output": answer, "gold": f"x / {gold}"}), "--split /"
    ),
    "paths.jsonl": (
        "jsonl", by_line(lambda _, __, answer, gold: {"a": {"b": [{"c": "x"}, {"c": answer}]}, "gold": gold}),
        "--columns predictions=a.b[-1].c",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any, str]]:
    """Return a function that scores, and returns the exit code, the result or None, and what stands on stderr."""

    def run_(*arguments: str) -> tuple[int, Any, str]:
        code = main(["score", *arguments, "--json"])
        printed, errors = capsys.readouterr()
        return code, json.loads(printed) if printed else None, errors

    return run_


def further_arguments(name: str, more: str | bytes) -> list[str]:
    """Return the arguments of a case; its references are written to a file that ends in the same way."""
    if isinstance(more, str):
        return more.split()
    path = f"references{Path(name).suffix}"
    Path(path).write_bytes(more)
    return ["--references", path]


@pytest.mark.parametrize("name", CASES)
def test_every_format_gives_the_same_score(name: str, run: Any) -> None:
    kind, content, more = CASES[name]
    Path(name).write_bytes(content)
    arguments = further_arguments(name, more)
    code, result, errors = run(name, *arguments)
    assert code == 0, errors
    assert result["correct"] == 2
    assert result["total"] == (4 if name == "gbk.csv" else 3)
    assert errors.startswith(f"{name}: {kind}; ")


NAMES = """Model text|textGold, generated_response|exact_answer, extracted-option|correct option, y_pred|y_true,
    Predicted|Actual, Prediction?|Gold answer*, actual|expected, reply|labels, answer|labels,
    submission|oracle, gpt4Pred|正解, bot text|정답, answer_pred|answer, answer|answer_gold,
    output|true value, gpt4-1_pred|gt,
    模型答案|标准答案, 回答|答案, Antwort|Referenz,
    ответ|Правильный ответ, Student Solution|solution, result|Label Text, response|correct_letter"""


@pytest.mark.parametrize("names", [pair.split("|") for pair in re.split(r",\s+", NAMES)])
def test_names_of_two_words_say_what_a_field_is(names: list[str], run: Any) -> None:
    answers = [f"It is {answer}, the largest city of that country" for answer in ANSWERS]  # wrong as references
    frame = pd.DataFrame(zip(KEYS, ASKED, answers, GOLD, strict=True), columns=["id", "question", *names])
    for order in ([0, 1, 2, 3], [3, 0, 2, 1]):
        frame.iloc[:, order].to_csv("table.csv", index=False)
        code, result, errors = run("table.csv", "--preset", "free_form")
        assert code == 0, errors
        assert (result["correct"], result["total"]) == (2, 3)


@pytest.mark.parametrize("delimiter", [",", ";", "|", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_the_header_says_what_separates_cells(delimiter: str, quoting: Any, run: Any) -> None:
    for others in itertools.permutations({",", ";", "|", "\t"} - {delimiter}):
        asked = [f"{text}{others[0] * 9}x{others[1] * 5}y{others[2]}" for text in ASKED]
        FRAME.assign(question=asked).to_csv("table.csv", index=False, sep=delimiter, quoting=quoting)
        code, result, errors = run("table.csv", "--show", "1")
        assert (code, result["correct"], result["total"]) == (0, 2, 3), errors


def test_the_sheet_that_is_read_has_the_fields_that_the_user_names(run: Any) -> None:
    sheets = [["id", "notes"], ["1", "x"]], [["a", "b"], ["Paris", "Paris"]], [["id", "output"], ["1", "x"]]
    Path("a.xlsx").write_bytes(workbook(*sheets))
    code, result, errors = run("a.xlsx", "--columns", "predictions=a", "references=b")
    assert (code, result["accuracy"]) == (0, 1.0), errors


def test_separators_of_unicode_end_no_line(run: Any) -> None:
    for mark in "\u2028\u2029\x85\v\f\x1c\x1d\x1e":
        for golds in (["x y", "b"], [3, 0.5], [["x y"], [1, "b"]], [{"a": 1}, {"a": "x y"}]):
            content = lines([{"pred": f"x{mark}y", "gold": gold} for gold in golds])
            Path("a.jsonl").write_bytes(content.replace(b"\\u2028", "\u2028".encode()))
            more = ["--columns", "references=gold.a"] if isinstance(golds[0], dict) else []
            code, result, errors = run("a.jsonl", *more)
            assert (code, (result or {}).get("total")) == (0, 2), (mark, golds, errors)


def test_columns_by_id_have_the_rows_of_all(run: Any) -> None:
    answers, golds = {"q1": "Paris"}, {"q2": "Rome", "q1": "Paris"}
    for columns in ({"prediction": answers, "reference": golds}, {"reference": golds, "prediction": answers}):
        Path("a.json").write_bytes(as_json(columns))
        code, result, errors = run("a.json")
        assert (code, result["correct"], result["total"]) == (0, 1, 2), errors


def test_files_without_rows_are_skipped_in_any_folder(run: Any) -> None:
    for folder in ("", "run/", "a/b/"):
        files = {f"{folder}{name}": b"x" for name in ("results_1.json", ".hidden.json")}
        Path("a.zip").write_bytes(zipped({**files, f"{folder}samples.json": as_json(ROWS)}))
        code, result, errors = run("a.zip")
        assert (code, (result or {}).get("total")) == (0, len(ROWS)), errors


def test_rows_with_many_fields_keep_their_values() -> None:
    rows = [{"gold": {"text": row} if row % 2 else row, f"field {row}": 1} for row in range(1200)]
    pieces = [piece["gold"] for piece in batched(rows)]
    assert len(pieces) > 1
    assert list(itertools.chain.from_iterable(pieces)) == [row["gold"] for row in rows]


def test_a_field_of_any_case_is_suggested(run: Any) -> None:
    for name in ("output", "OUTPUT", "Modelltext", "ответ", "OutPut_1"):
        Path("a.csv").write_text(f"{name},gold\nx,x\n", encoding="utf-8")
        assert f"did you mean '{name}'?" in run("a.csv", "--columns", f"predictions={name[:-1]}")[2]


def test_objects_in_some_rows_only(run: Any) -> None:
    golds: list[Any] = [{"answer": {"text": "Paris"}}, {"answer": "Rome"}, {"answer": {"text": "Oslo"}}]
    records = [{"pred": text, "gold": gold} for text, gold in zip(ANSWERS, golds, strict=True)]
    for name, content in (("a.json", as_json(records)), ("a.jsonl", lines(records))):
        Path(name).write_bytes(content)
        code, result, errors = run(name, "--columns", "references=gold.answer")
        assert (code, result["correct"], result["total"]) == (0, 2, 3), errors


def test_at_least_25_kinds_are_read() -> None:
    assert len(set(reading.FORMATS)) >= 25
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert not [kind for kind in reading.FORMATS if f"`{kind}`" not in page]


def stats(value: float) -> list[dict[str, Any]]:
    means = {"n": 3, "exact_match": value}
    return [{"name": {"name": name, "split": "test"}, "mean": mean} for name, mean in means.items()]


LOGLIKELIHOOD = {"doc_id": 0, "target": 1, "arguments": [["q", "a"]], "resps": [[["-3", "False"]]], "doc": {}}
JUDGED: dict[str, tuple[bytes, str]] = {
    # name of the file: its content, and the field of the scores that a message about missing answers leads to
    "passed.jsonl": (lines([{"task_id": n, "completion": "x", "passed": n > 1} for n in range(4)]), "passed"),
    "loglikelihood.jsonl": (lines([{**LOGLIKELIHOOD, "acc": n % 2, "filter": "none"} for n in range(4)]), "scores"),
    "two.jsonl": (lines([{**LOGLIKELIHOOD, "acc": n % 2, "acc_norm": 0.0} for n in range(4)]), "acc"),
    "per_instance_stats.json": (as_json([{"instance_id": n, "stats": stats(n % 2)} for n in range(4)]), "exact_match"),
    "evalplus.json": (
        as_json({"eval": {f"q{n}": [{"task_id": n, "plus_status": s} for s in ("pass", "fail")] for n in range(2)}}),
        "plus_status",
    ),
    "judged.csv": (b"question,llm_answer_score,why\n" + b"a,1,x\nb,0,y\n" * 2, "llm_answer_score"),
    "checked.tsv": (b"Question\tTrue Answer\tCorrect?\n" + b"a\tA\tTrue\nb\tB\tFalse\n" * 2, "'Correct?'"),
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGED)
def test_a_file_without_answers_leads_to_the_scores_that_it_has(name: str, run: Any) -> None:
    content, field = JUDGED[name]
    Path(name).write_bytes(content)
    code, _, errors = run(name)
    advice = f"if the file has scores already: -m recorded_score --columns scores={field}"
    assert (code, advice in errors) == (2, True), errors
    code, result, errors = run(name, *shlex.split(advice.partition(": ")[2]))
    assert (code, result["score"], result["total"]) == (0, 0.5, 4), errors


def test_verdicts_that_a_judge_did_not_give_are_null(run: Any) -> None:
    Path("a.jsonl").write_bytes(RECORDED["judgments.jsonl"])
    code, result, errors = run("a.jsonl", "-m", "recorded_score")
    assert (code, result["score"], "1 of 3 scores are null: counted as wrong" in errors) == (0, 14 / 3, True), errors
    assert run("a.jsonl", "-m", "recorded_score", "--missing", "ignore")[1]["score"] == 6.5  # as MT-bench's own script


# ---- retrieval

RUN = {"1": {"d1": 3.0, "d2": 3.0, "d3": 1.0}, "2": {"d9": 2.0, "d4": 1.5}}
QRELS = {"1": {"d1": 1, "d2": 0, "d3": 2}, "2": {"d4": 1}}


def trec(values: Mapping[str, Mapping[str, float]], row: str) -> bytes:
    rows = [row.format(query=q, document=name, value=value) for q in values for name, value in values[q].items()]
    return "\n".join(["# a comment", *rows, ""]).encode()


@pytest.mark.parametrize(
    "qrels",
    [
        trec(QRELS, "{query} 0 {document} {value}"),
        trec(QRELS, "{query}\t0\t{document}\t{value}"),
        trec(QRELS, "{query}\t{document}\t{value}").replace(b"# a comment", b"query-id\tcorpus-id\tscore"),
        trec(QRELS, "{query},{document},{value}").replace(b"# a comment", b"query-id,corpus-id,score"),
        trec(QRELS, "{query}\t0\t{document}\t{value}").replace(b"# a comment", b"query_id\titer\tdoc_id\trelevance"),
        as_json(QRELS),
    ],
    ids=["trec", "tabs", "beir", "beir-csv", "header", "dictionary"],
)
@pytest.mark.parametrize(
    "ranking", [trec(RUN, "{query} Q0 {document} 1 {value} x"), as_json(RUN)], ids=["trec", "dictionary"]
)
def test_rankings_are_compared_by_id_as_trec_eval_does(qrels: bytes, ranking: bytes, run: Any) -> None:
    Path("ranking").write_bytes(ranking)
    name = "qrels.json" if qrels.startswith(b"{") else "qrels.tsv"
    Path(name).write_bytes(qrels)
    code, result, errors = run("ranking", "--references", name, "-m", "ranked_retrieval")
    assert code == 0, errors
    official = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "recip_rank"}).evaluate(RUN)
    assert result["map"] == pytest.approx(np.mean([query["map"] for query in official.values()]))
    assert result["mrr"] == pytest.approx(np.mean([query["recip_rank"] for query in official.values()]))


def test_ids_of_documents_are_no_texts(run: Any) -> None:
    Path("a.run").write_bytes(b"1 Q0 d1 1 2.0 t\n")
    code, _, errors = run("a.run", "-m", "precision_recall_f1")
    assert (code, "a.run: it has ids of documents, not texts: use --metric ranked_retrieval" in errors) == (2, True)


def test_ranks_of_ms_marco(run: Any) -> None:
    Path("ranking.tsv").write_text("1\td2\t2\n1\td1\t1\n2\td4\t1\n")
    Path("qrels").write_bytes(trec(QRELS, "{query} 0 {document} {value}"))
    assert run("ranking.tsv", "--references", "qrels", "-m", "ranked_retrieval")[1]["mrr"] == 1.0


# ---- options and how a file is wrapped


def wrapped(name: str, content: bytes, wrapping: str) -> str:
    """Write a file as it is, compressed, in a folder or in an archive, and return what a user passes."""
    if wrapping == "folder":
        Path(f"in {name}").mkdir(exist_ok=True)
        Path(f"in {name}", name).write_bytes(content)
        return f"in {name}"
    packed = {"gz": gzip.compress(content), "zip": zipped({"README.md": b"x", name: content})}.get(wrapping, content)
    path = Path(f"{name}.{wrapping}" if packed is not content else name)
    path.write_bytes(packed)
    return path.absolute().as_uri() if wrapping == "address" else str(path)


@pytest.mark.parametrize("wrapping", ["", "gz", "folder", "zip", "address"])
def test_options_reach_files_however_they_are_wrapped(wrapping: str, run: Any) -> None:
    for encoding, text in (("cp1252", "x"), ("utf-16-le", "x"), ("gbk", "東x")):  # whose bytes lie across chunks
        row = ["q4", text * 70_000, "Zürich", "zürich"]
        long = pd.concat([FRAME, pd.DataFrame([row], columns=list(FRAME))])
        path = wrapped("a.csv", long.to_csv(index=False).encode(encoding), wrapping)
        assert run(path, "--encoding", encoding)[1]["correct"] == 3
    path = wrapped("a.csv", CASES["utf16.csv"][1], wrapping)
    assert run(path, "--encoding", "gbk")[1]["correct"] == 2  # the mark at its beginning says which it is
    Path("a.jsonl").write_bytes(lines([{"id": key, "output": text} for key, text in BY_ID.items()]))
    gold = wrapped("gold.json", as_json(dict(zip(KEYS, GOLD, strict=True))), wrapping)
    assert run("a.jsonl", "--references", gold)[1]["correct"] == 2
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    path = wrapped("chats.jsonl", lines([{"messages": turns, "gold": "q"}]), wrapping)
    assert run(path, "--columns", "predictions=messages[0].content")[1]["correct"] == 1


# ---- names and paths


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.from_regex("[a-z]+", fullmatch=True)
    return st.lists(inner, min_size=1) | st.dictionaries(names, inner, min_size=1)


@given(st.recursive(st.text(), nested, max_leaves=9), st.data())
def test_a_path_leads_to_the_value(value: Any, data: st.DataObject) -> None:
    record = {"f": value}
    path, rest = "f", value
    while isinstance(rest, (list, dict)):
        if isinstance(rest, list):
            index = data.draw(st.integers(-len(rest), len(rest) - 1))
            path, rest = f"{path}[{index}]", rest[index]
        else:
            name = data.draw(st.sampled_from(sorted(rest)))
            path, rest = f"{path}.{name}", rest[name]
    assert column_at({name: [item] for name, item in record.items()}, path) == [rest]


def test_what_the_user_says_wins(run: Any) -> None:
    write("a.jsonl", [{"id": 1, "pred": "4", "answer": "four"}, {"id": 2, "pred": "7", "answer": "x"}])
    write("b.jsonl", [{"id": "2", "target": "7", "q": "?"}, {"id": "1", "target": "4", "q": "?"}])
    code, result, errors = run("a.jsonl", "--references", "b.jsonl")
    assert (code, result["accuracy"]) == (0, 1.0)
    assert errors == ("a.jsonl: jsonl; predictions = pred, ids = id\nb.jsonl: jsonl; references = target, ids = id\n")
    write("c.jsonl", [{"id": 1, "pred": "4", "question": "!"}, {"id": 2, "pred": "7", "question": "!"}])
    for name in ("a.jsonl", "c.jsonl"):
        code, _, errors = run(name, "--references", "b.jsonl", "--columns", "questions=q")
        assert (code, errors.count("questions ="), "b.jsonl: jsonl; references = target, questions = q" in errors) == (
            0,
            1,
            True,
        )
    assert (
        "b.jsonl has no field 'answer'"
        in run("a.jsonl", "--references", "b.jsonl", "--columns", "references=answer")[2]
    )
    write("a.jsonl", [{"id": 1, "pred": "4", "target": "5"}])
    twice = "both a.jsonl and b.jsonl have a field 'target'; rename it in one of them"
    assert twice in run("a.jsonl", "--references", "b.jsonl", "--columns", "references=target")[2]
    write("a.jsonl", [{"id": 1, "target": "4"}, {"id": 2, "target": "8"}])
    same = ("predictions=target", "references=target")
    assert run("a.jsonl", "--references", "b.jsonl", "--columns", *same)[1]["accuracy"] == 0.5


def test_samples_in_columns_are_rows_of_one_question(run: Any) -> None:
    records = [{"r1": "a", "r2": "b", "gold": "a"}, {"r1": "c", "r2": "c", "gold": "c"}]
    for name, content in (("a.jsonl", lines(records)), ("a.csv", pd.DataFrame(records).to_csv().encode())):
        Path(name).write_bytes(content)
        code, result, errors = run(name, "--columns", "predictions=r1,r2")
        assert (code, result["correct"], result["total"]) == (0, 3, 4)
        assert "4 rows of 2 questions" in errors
        assert "there is no field 'r3'" in run(name, "--columns", "predictions=r1,r3")[2]


def test_samples_in_lists_are_rows_of_one_question(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [["a", "b"], ["c"], [], None, ["c", None]]
    records = [{"id": f"q{n}", "completions": texts, "gold": "ac"[n > 0]} for n, texts in enumerate(answers)]
    write("a.jsonl", records)
    pd.DataFrame(records).to_parquet("a.parquet")
    for name in ("a.jsonl", "a.parquet"):
        code, result, errors = run(name, "--columns", "predictions=completions")
        assert (code, result["correct"], result["total"], result["clusters"]) == (0, 3, 7, 5), errors
        assert "7 rows of 5 questions: intervals are clustered by question_id" in errors
    write("bad.jsonl", [*records, {"id": "q5", "completions": {"x": 1}, "gold": "c"}])
    assert "bad.jsonl, row 6: an object with x" in run("bad.jsonl", "--columns", "predictions=completions")[2]
    code = main(["repeats", "a.jsonl", "--on", "question_id", "--columns", "predictions=completions"])
    assert (code, "5 questions, 1 to 2 samples each" in capsys.readouterr().out) == (0, True)
    write("swapped.jsonl", [{"gold": ["a", "b"], "output": "a"}])
    assert "swapped?" in run("swapped.jsonl", "--columns", "predictions=gold", "references=output")[2]
    write("references.jsonl", [{"id": record["id"], "gold": record.pop("gold")} for record in records])
    write("b.jsonl", records)
    more = ("--columns", "predictions=completions", "--references", "references.jsonl")
    _, result, errors = run("b.jsonl", *more)
    assert (result["correct"], result["total"], result["clusters"], "`repeats --on id`" in errors) == (3, 7, 5, True)
    assert main(["repeats", "b.jsonl", "--on", "id", *more]) == 0
    assert "5 questions, 1 to 2 samples each" in capsys.readouterr().out


# ---- tables of cells


@given(
    st.lists(
        st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")), min_size=3, max_size=3),
        min_size=1,
    )
)
def test_tsv_is_read_as_it_was_written(rows: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([["a", "b", "c"], *rows])
    assert [cells for _, cells in _tabbed(io.StringIO(text.getvalue(), newline=""))][1:] == rows


# ---- nulls


def test_null_predictions_are_wrong_and_null_questions_are_not_used(run: Any) -> None:
    for absent in (b"null", b"NaN"):
        content = b'{"output": "a", "target": "a", "question": "?"}\n{"output": %s, "target": "", "question": "?"}\n'
        Path("a.jsonl").write_bytes(content % absent + b'{"output": "a", "target": "a", "question": %s}\n' % absent)
        code, result, errors = run("a.jsonl")
        assert (code, result["correct"], result["total"]) == (0, 2, 3), errors
        assert "1 of 3 predictions are null: counted as wrong" in errors
        assert "questions = question is not used, because it is null in some rows" in errors
        assert run("a.jsonl", "--columns", "questions=question")[0] == 2
    Path("b.jsonl").write_bytes(b'{"output": "a", "target": "a"}\n{"target": "b"}\n')
    assert run("b.jsonl")[1]["accuracy"] == 0.5


# ---- what cannot be read

BINARY = ("a.parquet", "a.arrow", "a.xlsx", "csv.zip", "a.jsonl.gz", "a.jsonl.bz2", "a.jsonl.xz", "a.csv.zst")


@pytest.mark.parametrize("name", CASES)
def test_file_that_was_cut_off_is_never_scored_in_part_unseen(name: str, run: Any) -> None:
    """A cut at each tenth: an error of one sentence, or fewer rows where the cut is between two of them."""
    kind, content, more = CASES[name]
    arguments = further_arguments(name, more)
    for tenth in range(10):
        Path(name).write_bytes(content[: len(content) * tenth // 10])
        code, result, errors = run(name, *arguments)
        assert code in {0, 2}
        if code == 2:
            last = errors.splitlines()[-1]
            assert last.startswith("answer-metrics: "), errors
            assert name in last or "references" in last, errors
        else:
            assert kind in {"csv", "tsv", "text", "jsonl", *reading.FORMATS} and name not in BINARY
            assert result["total"] <= 4


@pytest.mark.parametrize("name", [*BINARY, "utf16.csv", "chat.jsonl", "jq.json"])
def test_standard_input_is_read_as_a_file_is(name: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, content, more = CASES[name]
    reading_end, writing_end = os.pipe()
    os.write(writing_end, content)
    os.close(writing_end)
    with os.fdopen(reading_end) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        code, result, errors = run("-", *further_arguments(name, more))
    assert (code, result and result["correct"], errors.startswith(f"-: {kind}; ")) == (0, 2, True), errors


ABSENT = object()
FAULTS: tuple[Any, ...] = (None, 5, [], "x", {}, ABSENT, [[1]], True, {"a": {"b": 1}})
WRITTEN = {path.name: path.read_bytes() for path in (ROOT / "tests" / "written").glob("*.js*")}
UNFINISHED = json.loads(WRITTEN["inspect.json"])
UNFINISHED["status"], UNFINISHED["samples"][1]["error"] = "error", {"message": "no"}
FILTERED = [{"doc_id": n, "target": "x", "resps": [["x"]], "filter": name, "exact_match": name == "strict"}
            for n in range(3) for name in ("strict", "flexible")]  # fmt: skip
TURNS = [{"question_id": key, "choices": [{"turns": turns}]} for key, turns in ((7, ["a", "b"]), (8, ["c"]))]
JUDGMENTS = [{"question_id": number, "model": "m", "judge": ["gpt-4", "single-v1"], "judgment": "[[5]]", "turn": 1,
              "tstamp": 1.0, "score": score} for number, score in ((81, 5), (82, -1), (83, 8))]  # fmt: skip
CELLS = [[4, "4"], [4.0, "4"], [2.5, "2.5"], [True, "true"], [pd.Timestamp("2020-05-12"), "2020-05-12"], [None, "x"]]
MARKED = {"q": "?", "gold": "[FAIL] is a mark", "[echo] {{q}}": "[PASS] [FAIL] is a mark", "Status": "PASS", "Score": 1}
BY_GROUP = {name: [{"pred": text, "outputs": [gold]}] for name, text, gold in zip(KEYS, ANSWERS, GOLD, strict=True)}
SAMPLE = as_json({**json.loads(WRITTEN["inspect.json"])["samples"][0], "id": "p"})
SAMPLES = {f"samples/{name}_epoch_1.json": SAMPLE.replace(b'"p"', b'"%d"' % name) for name in (2, 1)}
ROW = lines([{"output": "a", "gold": "b"}])
RECORDED: dict[str, bytes] = {
    "plain.eval": zipped({"header.json": as_json({"status": "success"}), "summaries.json": b"[]", **SAMPLES}),
    "unfinished.eval": zipped({"_journal/start.json": b"{}", **SAMPLES}),
    "empty.eval": zipped({"_journal/start.json": b"{}"}),
    "parts.zip": zipped({"b.jsonl": ROW * 2, "d/": b"", "d/a.json": ROW, "README": b"x", "results_1.json": b"x"}),
    "unlike.zip": zipped({"b.jsonl": ROW, "a.csv": b"output\nx\n"}),
    "packed.zip": zipped({"a.csv.gz": gzip.compress(b"output\nx\n"), "__MACOSX/b": b"x", "x.log": b"x"}),
    "tables.zip": zipped({f"{name}.parquet": FRAME.to_parquet() for name in "ab"}),
    "noted.zip": zipped({f"{name}.csv": b"output,gold\nx,x\n,\n" for name in "abc"}),
    "windows.zip": zipped({"..\\a.csv": b"x"}),
    "unfinished.json": as_json(UNFINISHED),
    "filters.jsonl": lines(FILTERED),
    "turns.jsonl": lines(TURNS),
    "turns_gold.jsonl": lines([{"question_id": 7, "turns": ["A", "B"], "reference": ["a", "x"]}, {"question_id": 8,
                                "turns": ["C"]}]),
    "judgments.jsonl": lines(JUDGMENTS),
    "cells.xlsx": workbook([["output", "target"], *CELLS]),
    "marked.csv": pd.DataFrame([MARKED]).to_csv(index=False).encode(),
    "by_group.json": as_json(BY_GROUP),
    "counts.json": as_json({"groups": {"geo": {"total": 3, "correct": 2}, "math": {"total": 1}}, "samples": ROWS}),
    "settings.json": as_json({"acc": 5.0, "args": {"options": ["A"], "seed": 3}, "results": {"4": 1, "5": 0},
                              "outputs": {"4": "B", "5": "A"}}),
    "quotes.tsv": b'h\ti\tj\n1\t"Mercy" is a song\tx\n1\t"Mercy is a song\tx\n2\ta\tb\n1\t"two\nlines"\tx\n2\ta\tb\n'
                  b'1\ta\t"two\nlines ""x"""\n2\ta\tb\n1\t"a\tb"\tx\n1\t""\t"\n',
}  # fmt: skip
"""Files whose rows tests/unit/test_outcomes.py has on record."""


DOCUMENTS = {
    name: case[1:]
    for name, case in CASES.items()
    if re.search(r"\.jsonl?$", name) and name not in {"jq.json", "pretty.jsonl"}
} | {name: (content, "--preset free_form") for name, content in WRITTEN.items()}
"""The cases in JSON: their content, and what follows."""


def parsed(content: bytes) -> tuple[Any, Callable[[Any], bytes]]:
    """Return a document or the list of its lines, and the function that writes it."""
    try:
        return json.loads(content), as_json
    except ValueError:
        return [json.loads(line) for line in content.splitlines()], lines


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value within a value of JSON."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from paths(inner, (*at, key))


def with_fault(value: Any, at: tuple[Any, ...], fault: Any) -> Any:
    changed = copy.deepcopy(value)
    owner = functools.reduce(lambda inner, key: inner[key], at[:-1], changed)
    if fault is ABSENT:
        del owner[at[-1]]
    else:
        owner[at[-1]] = fault
    return changed


def sides(name: str, more: str | bytes, content: bytes) -> Iterator[tuple[Any, Callable[[Any], tuple[bytes, Any]]]]:
    """Yield the predictions and the references of a case, each with a function that puts another one in its place."""
    value, write = parsed(content)
    yield value, lambda changed: (write(changed), more)
    if isinstance(more, bytes):
        gold, write_gold = parsed(more)
        yield gold, lambda changed: (content, write_gold(changed))


def is_sentence(name: str, errors: str) -> bool:
    """Return whether errors end in a sentence that names the file, and nothing was written."""
    last = errors.splitlines()[-1]
    is_named = name in last or "references" in last
    return last.startswith("answer-metrics: ") and is_named and not Path("out.csv").exists()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_any_value_of_a_file_may_be_absent_or_of_another_type(name: str, run: Any) -> None:
    """One sentence and no file, or all rows scored, unless a remark counts those that are not."""
    content, more = DOCUMENTS[name]
    count = itertools.count(len(name))
    for value, put in sides(name, more, content):
        places = list(paths(value))
        for at in places[:: 1 + len(places) // 15]:
            fault = FAULTS[next(count) % len(FAULTS)]
            changed, further = put(with_fault(value, at, fault))
            Path(name).write_bytes(changed)
            code, result, errors = run(name, *further_arguments(name, further), "-o", "out.csv")
            if code:
                assert (code, is_sentence(name, errors)) == (2, True), (at, fault, errors)
                continue
            Path("out.csv").unlink()
            is_row = fault is ABSENT and (at[-1] in {*KEYS, "0", "1", "2"} or isinstance(at[-1], int))
            is_said = is_row or re.search(r"\d of \d .*(null|prediction|left out)|left out", errors)
            assert is_said or (result["total"] >= 3 and result["correct"] >= 1), (at, fault, errors)


BY_ID_OF = {
    name: case for name, case in CASES.items() if b"q2" in case[1] and name not in {*BINARY, "openai_evals.jsonl"}
}


@pytest.mark.parametrize("name", BY_ID_OF)
def test_an_id_that_is_there_twice(name: str, run: Any) -> None:
    """Twice in the predictions: two samples, which a remark counts. Twice in the references: an error."""
    _, content, more = CASES[name]
    Path(name).write_bytes(content.replace(b"q3", b"q2"))
    code, result, errors = run(name, *further_arguments(name, more))
    if code:
        assert (code, "twice" in errors or "a second time" in errors) == (2, True), errors
    else:
        assert result["total"] == 3 + (isinstance(more, bytes)) + (name == "gbk.csv")
        assert re.search(r"\d rows of \d questions: intervals are clustered by (\w+_)?ids?;", errors), errors
    if isinstance(more, bytes):
        Path(name).write_bytes(content)
        code, _, errors = run(name, *further_arguments(name, more.replace(b"q3", b"q2")))
        is_said = re.search("references.*(has different rows with the id 'q2'|has the field 'q2' twice)", errors)
        assert (code, bool(is_said)) == (2, True), errors


def test_references_of_one_id_may_not_differ_in_any_field_that_is_used(run: Any) -> None:
    Path("p.jsonl").write_text('{"id": 1, "output": "x"}\n', encoding="utf-8")
    first = {"id": 1, "gold": "x", "subject": "math", "note": "a"}
    for field, code in {"gold": 2, "subject": 2, "id": 0}.items():
        rows = [first, first | {field: "law" if code else 1}]
        Path("r.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        outcome = run("p.jsonl", "--references", "r.jsonl", "--on", "id", "--by", "subject")
        assert (outcome[0], "different rows with the id 1, such as row 2" in outcome[2]) == (code, code == 2), outcome


def test_parquet_refuses_a_later_number_that_it_would_round(run: Any) -> None:
    row = {"output": "x", "gold": "x", "points": 1}
    rows = [row | {"points": points} for points in (*[1] * 20_000, 2.75)]
    Path("a.json").write_text(json.dumps(rows), encoding="utf-8")
    code, _, errors = run("a.json", "-o", "out.parquet")
    assert (code, Path("out.parquet").exists()) == (2, False)
    assert "field 'points' is double and before int64; remove it from the file" in errors


def test_files_of_an_archive_share_its_limit() -> None:
    packed, lines = io.BytesIO(), "output,gold\n" + "x,x\n" * 50
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.csv", "b.csv"):
            archive.writestr(name, lines)
    members = functools.partial(unpacking.members, zipfile.ZipFile(packed))
    assert len(members(2 * len(lines))) == 2
    with pytest.raises(InputError, match="too large once unpacked"):
        members(2 * len(lines) - 1)


def test_an_empty_part_of_a_cell_is_no_reference(run: Any) -> None:
    for gold in ("Paris /", "/ Paris", "Paris / / Rome"):
        Path("a.jsonl").write_text(json.dumps({"output": "", "gold": gold}), encoding="utf-8")
        assert run("a.jsonl", "--split", "/")[1]["correct"] == 0, gold


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.float16()], ids=str)
def test_nan_among_numbers_is_null(kind: pa.DataType, run: Any) -> None:
    pq.write_table(pa.table({"score": pa.array(np.array([1, np.nan, 1], kind.to_pandas_dtype()))}), "a.parquet")
    _, result, errors = run("a.parquet", "-m", "recorded_score")
    assert result["score"] == pytest.approx(2 / 3)
    assert "1 of 3 scores are null: counted as wrong" in errors


@pytest.mark.parametrize("name", TABLES)
def test_faults_of_tables(name: str, run: Any) -> None:
    """Each fault gives the same in every format; an empty cell of text is an empty text, elsewhere it is null."""
    is_text = name in {"a.csv", "a.tsv", "a.zip", "a.xlsx"}
    twice = FRAME.assign(id=["q1", "q2", "q2"])
    no_output, no_target = (FRAME.assign(**{field: [ANSWERS[0], None, "oslo"]}) for field in ("output", "target"))
    faults: list[tuple[pd.DataFrame, int | None, str]] = [
        (FRAME.assign(id=[1, 2, 3]), 2, ""), (FRAME.assign(id=[1.0, 2.0, 3.5]), 2, ""),
        (FRAME.assign(id=["q1", None, "q3"]), 2, ""), (FRAME.assign(question=["a", None, "b"]), 2, ""),
        (twice, 2, "3 rows of 2 questions"), (no_output, 2, "" if is_text else "1 of 3 predictions are null"),
        (no_target, 2 if is_text else None, "" if is_text else "row 2: the reference is null"),
        (FRAME.rename(columns={"target": "new_target"}), None, "no field is known to be the references"),
        (FRAME[:0], None, "is empty" if name == "a.jsonl" else "There are no rows"), (FRAME[[]], None, name),
    ]  # fmt: skip
    for frame, right, expected in faults:
        Path(name).write_bytes(TABLES[name](frame))
        code, result, errors = run(name, "-o", "out.csv")
        if right:
            Path("out.csv").unlink()
            assert (code, result["correct"], result["total"], expected in errors) == (0, right, 3, True), errors
        else:
            assert (code, is_sentence(name, errors), expected in errors or name == "a.json") == (2, True, True), errors


def renamed(value: Any, key: str) -> Any:
    """Return a value with other names for a field, as another version of a tool could write."""
    if isinstance(value, list):
        return [renamed(item, key) for item in value]
    if isinstance(value, dict):
        return {f"new_{name}" if name == key else name: renamed(item, key) for name, item in value.items()}
    return value


UNSEEN = {("google.jsonl", "thought"), ("prompt_chat.jsonl", "response"), ("promptfoo.jsonl", "references")}
"""Fields without which a file is another valid one."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_version_with_another_name_for_a_field_is_an_error_or_gives_the_same_score(name: str, run: Any) -> None:
    content, more = DOCUMENTS[name]
    for value, put in sides(name, more, content):
        for key in sorted({at[-1] for at in paths(value) if isinstance(at[-1], str)}):
            changed, further = put(renamed(value, key))
            Path(name).write_bytes(changed)
            code, result, errors = run(name, *further_arguments(name, further))
            is_same = code == 0 and 3 * result["correct"] == 2 * result["total"] >= 6  # all filters of lm-eval
            is_said = code == 2 and is_sentence(name, errors)
            assert is_same or is_said or (name, key) in UNSEEN, (key, errors)


@pytest.mark.parametrize("name", [name for name in BY_ID_OF if isinstance(CASES[name][2], bytes)])
def test_ids_of_another_type(name: str, run: Any) -> None:
    _, content, more = CASES[name]
    assert isinstance(more, bytes)
    numbers = re.sub(rb'"q([123])"', rb'"\1"', more)
    Path(name).write_bytes(re.sub(rb'"q([123])"', rb'"\1"', content))
    numbers_of, second = rb': "([123])"', rb': "2"'
    for pattern, by, right in (
        (numbers_of, rb": \1", 2), (numbers_of, rb": \1.0", 2),
        (second, b": null", None), (second, b": [2]", None), (second, b": true", None),
    ):  # fmt: skip
        further = re.sub(pattern, by, numbers)
        code, result, errors = run(name, *further_arguments(name, further))
        if right or further == numbers:  # where keys are ids, they are text
            assert (code, result and result["correct"], result and result["total"]) == (0, 2, 3), (by, errors)
        else:
            assert (code, is_sentence(name, errors)) == (2, True), (by, errors)


def with_header(place: int, value: int) -> bytes:
    """Return an archive with another byte in the directory's entry of its file."""
    content = bytearray(zipped({"a.csv": b"x"}))
    content[content.index(b"PK\x01\x02") + place] = value
    return bytes(content)


def with_member(content: bytes, name: str, member: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return zipped({entry: member if entry == name else archive.read(entry) for entry in archive.namelist()})


BAD: list[tuple[str, bytes, str]] = [
    ("a.csv", b"output,target\n", "There are no rows, only a header."),
    ("a.xlsx", workbook([["output", "target"]]), "There are no rows, only a header."),
    ("a.json", b"[]", "The JSON must be a list of objects"),
    ("a.json", b'{"columns": ["a", "b"], "data": [[1]]}', "data[0] isn't a list of 2 values, one per column."),
    ("a.json", b'{"output": ["a"], "target": ["a", "b"]}', "differ in length: 1 output, 2 target"),
    ("a.parquet", FRAME[:0].to_parquet(), "There are no rows."),
    ("a.zip", zipped({"../a.csv": b"x"}), "A file in the archive has a path outside it: '../a.csv'."),
    ("a.zip", zipped({"/a.csv": b"x"}), "A file in the archive has a path outside it: '/a.csv'."),
    ("a.zip", zipped({"b.zip": zipped({"a.csv": b"x"})}), "b.zip: An archive within an archive is not read."),
    ("a.zip", zipped({"README.md": b"x"}), "The archive has no files with rows."),
    ("a.zip", with_header(8, 1), "The archive is encrypted: unpack it."),
    ("a.zip", with_header(10, 99), "That compression method is not supported"),
    ("a.xlsx", with_member(CASES["a.xlsx"][1], "xl/worksheets/sheet1.xml", b"<a"), "It may be damaged, or still being"),
    ("a.xlsx", zipped({"xl/workbook.xml": b""}), "The workbook is damaged ("),
    ("a.zip", zipped({"a.csv": b"output,target\n1,2\n", "b.jsonl": b"{}\n"}), "b.jsonl: It is jsonl, but a.csv is"),
    ("a.csv", "output,target\nMünchen,x\n".encode("latin-1"), "isn't UTF-8 text"),
    ("a.db", b"SQLite format 3\0", "neither text nor of a format that can be read: save the rows as CSV, JSON"),
    ("a.csv", FRAME.to_csv().encode("utf-16-le"), "Text in UTF-16 without a byte-order mark needs --encoding"),
    ("a.csv", b'output,target\n"a\nb",x\ny\n', "Line 4 has 1 cell"),
    ("a.tsv", b'output\ttarget\n"a\nb"\tx\n"c\n\nd"\tx\ny\n', "Line 7 has 1 cell"),
    ("a.json", as_json({"output": "x"}) + b" " + b'{"a":' * 99_999, "The file isn't valid JSON: Extra data"),
    *((f"a{ending}", b"- output: x", f"Files that end in {ending} can't") for ending in (".md", ".yaml", ".html")),
    ("a.json", as_json({"output": "x", "target": "x"}) + b" 1", "The file isn't valid JSON: Extra data"),
    ("a.json", as_json({"output": "x", "target": "x"}) + b" {", "The file isn't valid JSON: Extra data"),
    ("a.csv", b"output,target\nx,x\nquestion,answer,label\n", "Line 3 has 3 cells, the first line has 2"),
    ("a.csv", b"1,E\n2,N\n", "the first line of a table has to name its columns"),
    ("a.xlsx", workbook([["output", "target"], ["=1+1", "2"]]), "Cell A2 has a formula"),
    ("run", b"1 Q0 d1 1 2.0 t\n1 Q0 d1 2 1.0 t\n", "Line 2 has document d1 of query 1 a second time."),
    ("run", b"1 Q0 d1 1 0 t\n1 Q0 d2 2 1 t\n1 Q0 d1 3 1 t\n", "Line 3 has document d1 of query 1 a second time."),
    ("run", b"1 Q0 d1 1 x t\n1 0 d1 1\n", "Line 1 has"),
    ("run", b"1 Q0 d1 1 nan t\n", "Line 1 has no number as its score."),
    ("a.jsonl", lines([{"custom_id": "a", "result": 5}]), "Line 1 is not what anthropic-batch writes"),
    ("a.jsonl", b'{"output": "x", "gold": [{"y": 1}]}\n', "has no text; give its path"),
    ("a.jsonl", lines([{"output": text, "gold": "x"} for text in ("x", "y", {"a": 1})]), ", row 3: an object with"),
    ("a.jsonl", lines([{"row": n, "pred": f"It is {n}.", "key": str(n)} for n in range(9)]), "columns references=key"),
    ("a.jsonl", lines([{"row": n, "pred": f"It is {n}.", "key": "y"} for n in range(9)]), "references=FIELD"),
    ("a.jsonl", lines([{"text": f"{n} 9", "score": [n, 9]} for n in range(9)]), "columns references=FIELD"),
    ("a.json", as_json({"q": {"d": 1, "e": "x"}, "r": {"d": 1}}), "no field is known to be the predictions or the"),
    ("a.jsonl", lines([{"doc_id": 1, "resps": {}, "target": "x"}]), "Line 1 is not what lm-eval writes"),
    ("a.json", as_json({"eval": {}, "samples": [{"id": 1}]}), "Sample 1 is not what inspect writes"),
    ("a.json", b'[{"doc_id": 1, "resps": [["y"]], "target": "x"}, {"resps": {}}]', "Record 2 is not"),
    ("a.zip", zipped({"b/../../a.csv": b"x"}), "A file in the archive has a path outside it: 'b/../../a.csv'."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "expected"), BAD, ids=range(len(BAD)))
def test_bad_files_are_one_sentence(name: str, content: bytes, expected: str, run: Any) -> None:
    Path(name).write_bytes(content)
    code, _, errors = run(name)
    last = errors.splitlines()[-1]
    assert (code, expected in last, f"answer-metrics: {name}" in last) == (2, True, True), errors


LISTS_IN_CELLS: dict[str, Callable[[list[str]], str]] = {
    "json": json.dumps,
    "list": repr,
    "tuple": lambda texts: repr(tuple(texts)),
    "null": lambda texts: repr([*texts, None]),
    "nan": lambda texts: repr([*texts, float("nan")]),
    "array": lambda texts: str(np.array(texts)),
    "array's repr": lambda texts: repr(np.array(texts)),
    "array of objects": lambda texts: str(np.array(texts, dtype=object)),
    "repr of objects": lambda texts: repr(np.array(texts, dtype=object)),
    "scalars": lambda texts: repr(list(np.array(texts))),
    "squad": lambda texts: repr({"text": texts, "answer_start": [0] * len(texts)}),
    "squad arrays": lambda texts: repr({"text": np.array(texts), "answer_start": np.zeros(len(texts), np.int32)}),
    "objects": lambda texts: json.dumps([{"text": text, "start": 0} for text in texts]),
    "trivia": lambda texts: json.dumps({"value": texts[0], "aliases": texts}),
}
"""What stands in a cell for a list of texts."""


@given(st.lists(st.text().filter(lambda text: "\0" not in text), min_size=1, max_size=5))
def test_lists_in_cells_are_read_whoever_wrote_them(texts: list[str]) -> None:
    for name, to_cell in LISTS_IN_CELLS.items():
        assert texts_in(f" {to_cell(texts)} ") == texts, name
    assert texts_in(repr(set(texts))) is not None


PARTS = st.sampled_from(["a", " ", "|", " | ", "| ", "[", "]", '"', "'", ",", "1", "{", "}", ""])


@given(st.lists(st.lists(PARTS, max_size=4).map("".join), max_size=4))
def test_lists_in_our_own_tables_are_read_again(texts: list[str]) -> None:
    assert _split(joined(texts), always=True) == texts
    assert _split(joined(texts), always=False) == (texts or "[]")


@pytest.mark.parametrize(
    "cell",
    [
        "Paris", "", "[1, 2]", "[[1, 2], [3]]", "(1, 2)", "('Paris')", "{1, 2}", "[sic]", "['Paris'", "[f('x')]",
        "(see 'Paris')", '{"answer": "Paris"}', '{"name": "f", "arguments": ["x"]}', '[{"name": "f"}]', "[" * 9_999,
        "array(['x'] + ['y'])", "[*['x']]", "{**{}}",
    ],
)  # fmt: skip
def test_other_cells_are_texts(cell: str) -> None:
    assert texts_in(cell) is None


def test_answers_of_a_dataset_in_a_table(run: Any) -> None:
    frame = pd.DataFrame({"prediction": ["Paris", "Rome"], "answers": [np.array(["Lyon", "Paris"], object)] * 2})
    frame.to_csv("a.csv")
    assert run("a.csv")[1]["correct"] == 1
    pd.DataFrame({"retrieved": ["[12, 7]"], "relevant": ["[7]"]}).to_csv("b.csv")
    assert run("b.csv", "-m", "ranked_retrieval", "--matching-strategy", "ID")[1]["map"] == 0.5


@pytest.mark.parametrize(
    ("retrieved", "relevant", "precision"),
    [
        ("d1,d2,d3,d4", "d2", 0.25),
        ("1,234", "1,234", 1.0),
        ("Paris, France", "Paris", 0.0),
        (["d1", "d2"], "d2", 0.5),
        ([["T", 0], ["T", 1]], [["T", 1], ["U", 0]], 0.5),
        ([["d1", 3], ["d2", 1]], ["d1", "d2"], 0.5),
    ],
)
def test_lists_of_ids(retrieved: Any, relevant: Any, precision: float, run: Any) -> None:
    row = {"retrieved": retrieved, "relevant": relevant}
    name = "a.csv" if isinstance(retrieved, str) else "a.json"
    Path(name).write_bytes(pd.DataFrame([row]).to_csv().encode() if name == "a.csv" else as_json([row]))
    flags = ("-m", "precision_recall_f1", "--matching-strategy", "EXACT_CHUNK_MATCH")
    assert run(name, *flags)[1]["precision"] == precision


@pytest.mark.parametrize(
    "to_item",
    [
        lambda name: {"id": name, "score": 0.5},
        lambda name: [name, 0.5],
        lambda name: [{"page_content": "x", "text": name}, 0.5],
        lambda name: {"text": "x", "rank": 1, "title": name},
        lambda name: {"page_content": "x", "metadata": {"source": name}},
    ],
)
def test_documents_with_scores(to_item: Any, run: Any) -> None:
    Path("a.jsonl").write_bytes(lines([{"retrieved": list(map(to_item, ["d1", "d2"])), "relevant": [{"pid": "d2"}]}]))
    assert run("a.jsonl", "-m", "ranked_retrieval", "--matching-strategy", "ID")[1]["map"] == 0.5
    Path("a.jsonl").write_bytes(lines([{"retrieved": [["d1", "d2"]], "relevant": ["d2"]}]))  # no text with its score
    assert run("a.jsonl", "-m", "ranked_retrieval", "--matching-strategy", "ID")[1]["map"] == 0.5


def test_aliases_of_an_answer_are_references_unless_it_is_the_prediction(run: Any) -> None:
    row = {"answer": "Paris", "answer_aliases": ["Rome"]}
    for further, right in (({"gold": "Rome"}, 0), ({"prediction": "Rome"}, 1), ({"prediction": "Paris"}, 1)):
        Path("a.jsonl").write_bytes(lines([row | further]))
        assert run("a.jsonl")[1]["correct"] == right


@pytest.mark.parametrize(
    ("references", "right"),
    [
        ([0, 2, 1], 3), (["0", "2", "1"], 3), ([1, 2, 1], 0), ([0, 3, 1], 0), (["A", "C", "B"], 3),
        (["0", "30", "1"], 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [json_files._BYTES_IN_PIECE, 1])
def test_references_that_number_options(
    references: list[Any], right: int, size: int, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MMLU counts from 0; without a 0, nobody knows, and the warning about references says so."""
    monkeypatch.setattr(json_files, "_BYTES_IN_PIECE", size if right == 3 else 1 << 23)  # the first piece decides
    rows = [
        {"choices": ["10", "20", "30"], "answer": reference, "response": f"The answer is {letter}."}
        for reference, letter in zip(references, "ACB", strict=True)
    ]
    Path("a.jsonl").write_bytes(lines(rows))
    code, result, errors = run("a.jsonl", "--preset", "multiple_choice")
    assert (code, result["correct"]) == (0, right)
    assert ("no reference among the choices" in errors) is (right < 3)
    assert not are_numbered([("0", ["2", "0", "1"]), ("2", ["2", "0", "1"])])  # they are options themselves
    assert are_numbered([(None, "ab"), ("0", "ab")]) and not are_numbered([("0", "abc"), ("²", "abc")])
    assert ("references are 0-based indices into the choices" in errors) is ("0" in map(str, references) and right == 3)


def test_datasets_that_were_saved_to_disk(run: Any) -> None:
    saved = Dataset.from_pandas(FRAME.drop(columns="id"))
    saved.save_to_disk("one", num_shards=2)
    Path("one", "cache-1.arrow").write_bytes(b"x")
    DatasetDict({"train": saved.select([0]), "validation": saved}).save_to_disk("several")
    for path, note in (("one", ""), ("several", "several: split validation\n"), ("several/validation", "")):
        code, result, errors = run(path)
        assert (code, result["correct"], result["total"], note in errors) == (0, 2, 3, True), errors
    Path("a.zip").write_bytes(zipped({file.name: file.read_bytes() for file in Path("several/validation").iterdir()}))
    assert run("a.zip")[1]["correct"] == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd, lambda text: zipped({"a": text})])
def test_bombs_are_refused(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_LARGE", 1_000_000)
    Path("a").write_bytes(pack(b"{\n" + b" " * 20_000_000))
    with pytest.raises(InputError, match=r"a: (a: )?The file unpacks to more than 500 times its size"):
        list(reading.open_rows("a").pieces)
    Path("a").write_bytes(pack(b'{"output": "a"}\n' * 70_000))  # so is a text of equal lines, but not if it is small
    monkeypatch.setattr(unpacking, "_LARGE", 10_000_000)
    assert sum(len(piece["output"]) for piece in reading.open_rows("a").pieces) == 70_000
    monkeypatch.setattr(unpacking, "_LARGE", 100_000)  # so is a large one of texts that differ
    Path("a").write_bytes(pack(b"".join(b'{"output": "%d"}\n' % number for number in range(9_000))))
    assert sum(len(piece["output"]) for piece in reading.open_rows("a").pieces) == 9_000


def test_line_numbers_count_over_pieces(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setattr(json_files, "_BYTES_IN_PIECE", 60)
    Path("a.jsonl").write_text('{"output": "a", "gold": "a"}\n' * 8 + "{\n")
    assert "a.jsonl: Line 9 isn't valid JSON" in run("a.jsonl")[2]


def test_strangers_may_send_less(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b'{"prediction": "a"}\n' * 100
    numbers = pa.table({"id": range(1000)})
    one = pa.table({"text": pa.array(["x" * 90] * 40).dictionary_encode()})
    assert len(reading.read(gzip.compress(text), ".jsonl", None, 1000)[1]) == 100
    assert len(reading.read(zipped({"a.jsonl": text}), ".zip", None, 1000)[1]) == 100
    assert len(reading.read(text, "", "text", 98)[1]) == 99
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    assert len(reading.read(parquet(numbers), "", None, 31)[1]) == 32  # what follows is not unpacked
    for packed in (gzip.compress(text), zipped({"a.jsonl": text}), parquet(numbers), parquet(one)):
        with pytest.raises(InputError, match=r"^(a\.jsonl: )?The file is too large once unpacked: more than 0 MB\.$"):
            reading.read(packed, "", None, 1000)
    for name in ("a.arrow", "a.feather"):
        with pytest.raises(InputError, match=r"^Arrow files can't be read here: use CSV, JSON or Parquet\.$"):
            reading.read(CASES[name][1], "", None, 1000)


def parquet(table: pa.Table) -> bytes:
    pq.write_table(table, sink := pa.BufferOutputStream())
    return bytes(sink.getvalue())


def test_a_dataset_of_the_hub_is_fetched_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """With httpx2, which is httpx; that comes with Gradio only."""
    monkeypatch.setitem(sys.modules, "httpx", httpx2)
    splits = {"train": b"1", "validation": b"2", "test": b"3"}
    names = ["b", "c", "default", "main", *map(str, range(12))]
    by_name = {name: {split: name.encode() + text for split, text in splits.items()} for name in names}
    with LoopbackHub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        hub.datasets |= {"o/a": by_name, "o/b": {name: by_name[name] for name in ("b", "main")}}
        hub.datasets["o/c"] = {"x": {"dev": b"4", "validation": b"5", "train": b"6"}, "y": {"p": b"7", "q": b"8"}}
        contents = {"o/a": b"default3", "o/b": b"main3", "o/c": b"5", "moved/c, y": b"7", " o/a , c ,": b"c3"}
        contents |= {"o/a,,train": b"default1", "https://huggingface.co/datasets/o/c/?#, y, q": b"8"}
        for address, content in contents.items():
            assert reading.fetch_dataset(address) == content, address
        first_12 = "b, c, default, main, 0, 1, 2, 3, 4, 5, 6, 7"
        errors = {
            "o/nothing": r"The Hub has no public dataset o/nothing \(status 401\)\.",
            "o/b, other": r"There is no configuration 'other'\. Available: b, main\.",
            "o/a, other": rf"There is no configuration 'other'\. Available: {first_12}\.",
            "o/b, b, dev": r"There is no split 'dev'\. Available: train, validation, test\.",
        }
        errors |= dict.fromkeys(("", "../x", "o/a/b", "o a", "ö/a"), "Enter the name of a dataset on the Hub, such as")
        for address, message in errors.items():
            with pytest.raises(InputError, match=f"^{message}"):
                reading.fetch_dataset(address)
        monkeypatch.setattr(reading, "MAX_BYTES", 0)
        with pytest.raises(InputError, match="The file is too large once unpacked"):
            reading.fetch_dataset("o/c")
    with pytest.raises(InputError, match="The Hub can't be reached from here"):
        reading.fetch_dataset("o/c")


COMMON_FIRST = {
    "question,output,reference,response_model": ("Q,Paris,Paris,m", 1.0),
    "question,reference_text,answer,prediction": ("Q,a long passage,Paris,Paris", 1.0),
    "question,answer,correct_option,prediction": ("Q,Paris,B,Paris", 1.0),
    "question,output,extracted_answer,answer": ("Q,Paris,x,Paris", 1.0),
    "question,prediction,reference,label (A|B|C|D|E)": ("Q,Paris,Paris,A", 1.0),
    "question;prediction;reference;label (a,b,c,d,e)": ("Q;Paris;Paris;a", 1.0),
}
"""Headers with names that are less common, a row, and its score."""


@pytest.mark.parametrize("header", COMMON_FIRST)
def test_common_names_come_first(header: str, run: Any) -> None:
    row, score = COMMON_FIRST[header]
    Path("table.csv").write_text(f"{header}\n{row}\n{row}\n", encoding="utf-8")
    code, result, errors = run("table.csv", "--preset", "free_form")
    assert (code, result and result["accuracy"]) == (0, score), errors


@pytest.mark.parametrize("header", [",human,gpt-4", "n,human,gpt-4,label (A|B|C|D|E)"])
def test_header_without_common_names(header: str, run: Any) -> None:
    rows = ["0,question,answer", "1,answer,answer"]
    rows = [f"{row},A" if "|" in header else row for row in rows]
    Path("table.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    code, result, errors = run("table.csv", "--columns", "predictions=gpt-4", "references=human")
    assert (code, result and (result["correct"], result["total"])) == (0, (1, 2)), errors


def test_lines_of_text_are_no_table(run: Any) -> None:
    for name in ("answers.txt", "gold.txt"):
        Path(name).write_text("Answer, text\nParis\n", encoding="utf-8")
    assert run("answers.txt", "--references", "gold.txt")[1]["total"] == 2


def test_verdicts_are_no_predictions_and_lists_of_gold_no_samples(run: Any) -> None:
    Path("verdicts.csv").write_text("question,expected,result\na,x,PASS\nb,y,FAIL\n", encoding="utf-8")
    assert "-m recorded_score --columns scores=result" in run("verdicts.csv")[2]
    write("gold.jsonl", [{"question": "a", "target": "Paris", "answers": ["Paris", "paris"]}] * 2)
    assert "no field is known to be the predictions" in run("gold.jsonl")[2]
    write("samples.jsonl", [{"predictions": ["a", "b"]}, {"predictions": ["c"]}])
    write("references.jsonl", [{"reference": "a"}, {"reference": "c"}])
    assert "lists of predictions need ids" in run("samples.jsonl", "--references", "references.jsonl")[2]


def test_sheet_of_the_fields_that_the_user_names(run: Any) -> None:
    data: list[list[Any]] = [["GPT-4o", "Human"], ["a", "a"]]
    legend: list[list[Any]] = [["score", "prediction"], [1, "right"]]
    Path("a.xlsx").write_bytes(workbook(data, legend))
    code, result, _ = run("a.xlsx", "--columns", "predictions=GPT-4o", "references=Human")
    assert (code, result["correct"]) == (0, 1)
    Path("a.xlsx").write_bytes(workbook([["GPT-4o", "who"], ["b", "x"]], data))  # the first has one of them
    assert run("a.xlsx", "--columns", "predictions=GPT-4o", "references=Human")[1]["correct"] == 1
    titled: list[list[Any]] = [["Title"], ["output", "target", "comment"], ["a", "a", None]]
    Path("b.xlsx").write_bytes(workbook(titled))
    assert run("b.xlsx")[1]["correct"] == 1


def test_quotes_below_a_title_join_no_rows(run: Any) -> None:
    rows = 'France?\tParis\t"Paris\nItaly?\tRome\tRome\nSpain?\tMadrid\tMadrid"\nUK?\tLondon\tLondon\n'
    Path("a.tsv").write_text(f"# run 12, by us\nquestion\tprediction\treference\n{rows}", encoding="utf-8")
    code, result, errors = run("a.tsv")
    assert (code, result["total"]) == (0, 4), errors


def test_rare_names_are_no_references_where_another_file_has_them(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    write("a.jsonl", [{"id": n, "prediction": "x", "reference": "x"} for n in range(3)])
    write("b.jsonl", [{"id": n, "prediction": "x", "labels": "tag"} for n in range(3)])
    assert main(["compare", "a.jsonl", "b.jsonl", "--on", "id"]) == 0
    assert "b 1.0000" in capsys.readouterr().out


def test_lists_of_samples_are_decided_by_the_first_rows(run: Any) -> None:
    single, several = ({"prediction": texts, "gold": "a"} for texts in ("a", ["a", "b"]))
    for folder, (first, later) in {"1": (single, several), "2": (several, single)}.items():
        for place, record in enumerate((first, later)):
            write(f"{folder}/{place}.jsonl", [{"question": f"{place}{n}", **record} for n in range(3)])
    assert "swapped?" in run("1")[2]
    code, result, errors = run("2")
    assert (code, result["total"], result["clusters"]) == (0, 9, 6), errors
    write("2/2.jsonl", [{"question": "x", **several}, {"question": "y", "prediction": {"z": 1}, "gold": "a"}])
    assert "row 8: an object with z" in run("2")[2]  # of eight, three have two samples before
    write("null.jsonl", [several, several | {"gold": None}])
    assert "null.jsonl, sample 3: the reference is null" in run("null.jsonl")[2]
