"""The command line with several files and metrics, verdicts for CI, and files that it writes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.conftest import Run, write


def system(right: int, number: int = 40, **fields: Any) -> list[dict[str, Any]]:
    """Answers to the questions 0 to `number`, of which the first `right` are right."""
    return [
        {"id": row, "output": "yes" if row < right else "no", "gold": "yes", "group": "ab"[row % 2], **fields}
        for row in range(number)
    ]


METRICS = ("-m", "token_f1", "-m", "accuracy")


def test_the_threshold_is_for_the_first_metric_of_every_file(run: Run) -> None:
    write("a.jsonl", [{"output": "yes indeed", "gold": "yes"}] * 4)
    write("b.jsonl", [{"output": "yes", "gold": "yes"}] * 4)
    for files, metrics, code in (
        (["b.jsonl"], METRICS, 0),
        (["b.jsonl", "a.jsonl"], METRICS, 0),  # f1 is .67, accuracy 0
        (["b.jsonl", "a.jsonl"], METRICS[2:] + METRICS[:2], 1),
    ):
        assert run("score", *files, *metrics, "--fail-under", "0.6")[0] == code
    write("c.jsonl", [{"question": "?", "output": "yes", "gold": "yes"}] * 4)
    votes = "-m l3score --provider mock --scoring votes --no-use-cache".split()
    assert [run("score", "c.jsonl", *votes, "--fail-under", limit)[0] for limit in ("0.5", "1.1")] == [0, 1]


def test_a_folder_is_one_file_or_one_file_per_system(result: Any, run: Run) -> None:
    questions = [{**row, "question": f"q{row['id']}"} for row in system(30)]
    bare = [{"output": row["output"], "gold": f"gold {row['id']}"} for row in system(30)]
    write("systems/a.jsonl", system(30))
    write("systems/b.jsonl", system(10)[::-1])
    write("tasks/line.jsonl", questions)  # the same ids, but other questions
    write("tasks/two.jsonl", [{**row, "question": f"Q{row['id']}"} for row in system(10)])
    write("parts/1.jsonl", system(30)[:20])
    write("parts/2.jsonl", system(30)[20:])
    write("overlap/1.jsonl", system(30)[:22])
    write("overlap/2.jsonl", system(30)[18:])
    write("bare/1.jsonl", bare)
    write("bare/2.jsonl", bare)
    assert [line["accuracy"] for line in result("score", "systems")] == [0.75, 0.25]
    assert [line["system"] for line in result("score", "bare")] == ["1", "2"]
    assert [result("score", folder)["total"] for folder in ("tasks", "parts", "overlap")] == [80, 40, 44]
    assert "4 questions are in more than one of 2 files; all rows are pooled" in run("score", "overlap")[2]
    assert "40 questions are in more than one of 2 files; each file is a system" in run("score", "systems")[2]
    assert "more than one" not in run("score", "parts")[2] + run("score", "overlap", "--quiet")[2]


# ---- a verdict for CI


@pytest.mark.parametrize(
    ("rights", "flags", "code", "named"),
    [
        ((30, 30), [], 0, []), ((30, 10), [], 1, ["b"]), ((10, 30), [], 0, []), ((30, 28), [], 0, []),
        ((30, 10), ["--margin", "0.5"], 0, []), ((30, 10), ["--margin", "0.1"], 1, ["b"]),
        ((30, 10, 30, 5), [], 1, ["b", "d"]), ((30, 10), ["--baseline", "b"], 0, []),
        ((10, 30), ["--baseline", "b"], 1, ["a"]),
        ((30, 24), [], 1, ["b"]), ((30, 24, 30), [], 0, []),  # 6 losses: p = 1/32, and 1/16 adjusted for two systems
    ],
)  # fmt: skip
def test_a_system_that_is_significantly_worse_fails(
    run: Run, rights: tuple[int, ...], flags: list[str], code: int, named: list[str]
) -> None:
    files = [f"{name}.jsonl" for name, _ in zip("abcd", rights, strict=False)]
    for file, right in zip(files, rights, strict=True):
        write(file, system(right))
    ended, _, messages = run("compare", *files, "--on", "id", "--fail-if-worse", "--quiet", *flags)
    assert ended == code
    assert [line.split()[0] for line in messages.splitlines()] == named
    assert "needs one baseline" in run("compare", *files, "--fail-if-worse", "--baseline", "all")[2]


def test_worse_has_the_direction_of_the_score_and_the_stored_baseline_its_options(run: Run) -> None:
    write("a.jsonl", [{"id": row, "errors": row % 3} for row in range(40)])
    write("b.jsonl", [{"id": row, "errors": 2 + row % 3} for row in range(40)])
    scale = ("-m", "recorded_score", "--columns", "scores=errors", "--on", "id", "--fail-if-worse")
    for files, code in (("a", "b"), 1), (("b", "a"), 0):
        for margin in ((), ("--margin", "0.1")):
            more = ("--scale", "4", "0", *margin)
            assert run("compare", *(f"{name}.jsonl" for name in files), *scale, *more)[0] == code
    assert run("score", "a.jsonl", *scale[:4], "--scale", "4", "0", "-o", "baseline.parquet")[0] == 0
    assert run("compare", "baseline.parquet", "b.jsonl", *scale[2:])[0] == 1  # metric and scale as noted


def test_compare_joins_ids_of_any_type_and_refuses_what_it_cannot_do(result: Any, run: Run) -> None:
    write("a.jsonl", system(30))
    write("b.jsonl", [{**row, "id": str(row["id"])} for row in system(10)[::-1]])
    assert result("compare", "a.jsonl", "b.jsonl", "--on", "id")["systems"]["b"]["losses"] == 20
    write("c.jsonl", [{"id": float(row["id"]), "output": row["output"]} for row in system(20, 30)])
    worst = result("compare", "a.jsonl", "c.jsonl", "--on", "id", "--missing", "wrong")
    assert (worst["total"], worst["systems"]["c"]["accuracy"]) == (40, 0.5)
    both = run("compare", "a.jsonl", "b.jsonl", "--on", "id", "--repeats", "--difference", "0.1")
    assert both[:2] == (2, "")
    assert "--difference counts rows, and --repeats compares questions" in both[2]
    assert "compare got the same file twice" in run("compare", "a.jsonl", "a.jsonl")[2]


# ---- files that are written, rows that are printed


def test_written_files_hold_the_rows_and_their_scores(result: Any, run: Run) -> None:
    rows = [
        {"id": 1, "output": "a", "gold": ["b | c", "a"], "tags": {"x": [1]}, "n": 0.5, "ok": True},
        {"id": 2, "output": 'said "x", y\nz', "gold": ["q", "r"], "tags": None, "n": None, "ok": False},
        {"id": 3, "output": "3", "gold": ["3"], "n": 2, "ok": None},
    ]
    write("a.jsonl", rows)
    first = result("score", "a.jsonl")
    for ending in ("parquet", "csv", "jsonl"):
        assert run("score", "a.jsonl", "-o", f"out.{ending}")[0] == 0
        assert result("score", f"out.{ending}") == first
        assert result("score", f"out.{ending}", "-m", "answer_exact_match")["score"] == pytest.approx(2 / 3)
    lines = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["gold"] for line in lines] == [row["gold"] for row in rows]
    assert [line["accuracy_individual_scores"] for line in lines] == [1.0, 0.0, 1.0]
    assert Path("out.csv").read_text(encoding="utf-8").splitlines()[0].startswith("id,output,gold,")
    assert not [path for path in Path().iterdir() if path.name.startswith(".")]


def test_rows_are_numbered_over_pieces_and_from_one(run: Run) -> None:
    write("long.jsonl", [{**row, "output": None if row["id"] == 1150 else row["output"]} for row in system(1099, 1200)])
    _, printed, messages = run("score", "long.jsonl", "--missing", "ignore", "--show", "60")
    rows = [int(line.removeprefix("row ").replace(",", "")) for line in printed.splitlines() if line[:4] == "row "]
    assert (rows, "row 1,100" in printed) == ([*range(1100, 1151), *range(1152, 1161)], True)
    assert "long.jsonl: 1 of 1,200 predictions are null: left out" in messages
    assert "long.jsonl, row 1,151: the prediction is null" in run("score", "long.jsonl", "--missing", "error")[2]


def test_recorded_scores(result: Any, run: Run) -> None:
    verdicts = [f"{row},{'correct' if row % 4 else 'incorrect'}\n" for row in range(40)]
    Path("a.csv").write_text("id,verdict\n" + "".join(verdicts))
    columns = ("-m", "recorded_score", "--columns", "scores=verdict")
    assert result("score", "a.csv", *columns)["score"] == 0.75
    assert run("score", "a.csv", *columns, "--fail-under", "0.8")[0] == 1
    for spelling in (["--scale", "correct=0", "incorrect=1"], ["--set", 'scale={"correct": 0, "incorrect": 1}']):
        assert result("score", "a.csv", *columns, *spelling)["score"] == 0.25
    Path("b.csv").write_text("id,verdict\n" + "".join(f"{row},{5 - row % 5 if row else ''}\n" for row in range(40)))
    assert "b.csv, row 2: recorded_score: scores[0] is 4, not between 0 and 1" in run("score", "b.csv", *columns)[2]
    rated = result("score", "b.csv", *columns, "--scale", "1", "5")
    assert rated["score"] == pytest.approx(sum([1, *(5 - row % 5 for row in range(1, 40))]) / 40)
    assert "1 of 40 scores are null: counted as wrong" in run("score", "b.csv", *columns, "--scale", "1", "5")[2]
    rated = ("b.csv", *columns, "--scale", "1", "5", "--threshold", "4", "--missing", "ignore")
    assert result("score", *rated)["total"] == 39
    samples = result("repeats", "a.csv", *columns, "--on", "verdict", "-k", "1")
    assert (samples["questions"], samples["pass@1"]) == (2, 0.5)
