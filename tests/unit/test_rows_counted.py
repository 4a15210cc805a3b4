"""The command line loses no row unseen: what counts as wrong, what is left out, and what is said about it."""

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import answer_metrics
from answer_metrics.files import json_files, rows
from tests.unit.conftest import Run, write

NUMBER = 24
REFERENCES = [{"id": number, "gold": f"w{number}", "subject": "ab"[number % 2]} for number in range(NUMBER)]


def outcomes(seed: int) -> dict[int, str]:
    """Draw what happened to each question: answered right or wrong, null, no prediction; or no reference (from 24)."""
    rng = random.Random(seed)
    kinds = ["right", "right", "wrong", "null", "absent"]
    return {number: rng.choice(kinds) if number < NUMBER else "unjudged" for number in range(NUMBER + 3)}


def write_predictions(drawn: dict[int, str], path: str = "p.jsonl") -> None:
    texts = {"right": "w{}", "wrong": "no", "null": None, "unjudged": "x"}
    present = {number: texts[kind] for number, kind in drawn.items() if kind != "absent"}
    lines = [{"id": str(number), "output": text and text.format(number)} for number, text in present.items()]
    random.Random(len(lines)).shuffle(lines)
    write(path, lines)


@pytest.mark.parametrize("missing", ["wrong", "ignore"])
def test_errors_name_rows_of_the_file(run: Run, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setattr(rows, "ROWS_IN_PIECE", 3)
    write("v.jsonl", [{"score": verdict} for verdict in ("pass", None, "pass", "pass", None, "maybe")])
    assert "v.jsonl, row 6: " in run("score", "v.jsonl", "-m", "recorded_score", "--missing", missing)[2]


@pytest.mark.parametrize("pieces", [1, 3])
@pytest.mark.parametrize("missing", [None, "wrong", "ignore", "error"])
def test_every_row_counts_as_the_policies_say(
    run: Run, monkeypatch: pytest.MonkeyPatch, missing: str | None, pieces: int
) -> None:
    if pieces > 1:
        monkeypatch.setattr(rows, "ROWS_IN_PIECE", 5)
        monkeypatch.setattr(json_files, "_BYTES_IN_PIECE", 100)
    write("refs.jsonl", REFERENCES)
    for seed, ignored in itertools.product(range(4), (False, True)):
        drawn = outcomes(seed)
        write_predictions(drawn)
        flags = [*(["--missing", missing] if missing else []), *(["--without-reference", "ignore"] if ignored else [])]
        code, printed, messages = run("score", "p.jsonl", "--references", "refs.jsonl", "--json", *flags)
        kinds = list(drawn.values())
        if not ignored or missing == "error":
            assert (code, printed) == (2, "")
            continue
        counted = {"right", "wrong"} | (set() if missing == "ignore" else {"null", "absent"})
        result = json.loads(printed)
        assert (result["correct"], result["total"]) == (kinds.count("right"), sum(kind in counted for kind in kinds))
        fate = "left out" if missing == "ignore" else "counted as wrong"
        present = len(kinds) - kinds.count("absent")
        nulls = [line for line in messages.splitlines() if "null" in line]
        assert [line.startswith(f"p.jsonl: {kinds.count('null')} of ") and fate in line for line in nulls] == [True]
        assert f"{kinds.count('absent')} of {NUMBER} questions of refs.jsonl have no prediction, such as '" in messages
        assert f"3 of {present} rows have no references in refs.jsonl, such as '2" in messages


def test_queries_of_trec_count_as_in_trec_eval(run: Run) -> None:
    """Without -c trec_eval ignores queries that the run lacks; those that nobody judged it always ignores."""
    Path("run").write_text("q1 Q0 d1 1 0.9 x\nq3 Q0 d1 1 0.9 x\n")
    Path("qrels").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    options = ("--references", "qrels", "-m", "ranked_retrieval", "--set", "matching_strategy=ID", "--json")
    for flags, expected in ((), 0.5), (("--missing", "ignore"), 1.0):
        code, printed, messages = run("score", "run", *options, *flags)
        assert (code, json.loads(printed)["map"]) == (0, expected)
        assert "1 of 2 questions of qrels have no prediction, such as 'q2': " in messages
        assert "as trec_eval does without -c" in messages
        assert "1 of 2 rows have no references in qrels, such as 'q3': left out" in messages
    strict = run("score", "run", *options, "--without-reference", "error")
    assert (strict[0], "qrels has no references for 1 of the ids, such as 'q3'" in strict[2]) == (2, True)


TEXTS = [{}, {"reasoning": "keep"}, {"normalizer": "default"}, {"normalizer": "squad"}]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "accuracy": [
        *({"preset": preset} for preset in (None, "free_form", "multiple_choice", "number")),
        {"match": "contains"}, {"fuzzy_match": True}, {"abstention": "en"}, TEXTS[1], TEXTS[3],
    ],
    "answer_exact_match": TEXTS,
    "token_f1": [*TEXTS[:3], {"tokenizer": "unicode"}],
    "precision_recall_f1": [{}, {"average": "micro"}, {"matching_strategy": "EXACT_CHUNK_MATCH"}],
    "ranked_retrieval": [{}, {"matching_strategy": "ID"}],
    "l3score": [{"provider": "mock", "use_cache": False}, {"provider": "mock", "scoring": "votes", "use_cache": False}],
    "recorded_score": [
        {}, {"scale": (1, 5)}, {"scale": (5, 1)}, {"scale": {"A": 1, "B": -1}}, {"scale": (1, 5), "threshold": 2},
    ],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", answer_metrics.names())
def test_a_row_without_a_prediction_has_the_worst_score_whatever_its_reference(name: str) -> None:
    """Also where an empty answer would be right, as for a question without an answer."""
    for options in OPTIONS.get(name, [{}]):
        metric = answer_metrics.load(name, **options)
        inputs = metric.worst_inputs(metric.resolve_options({}))
        for text in ("", "Paris", "the", "!", "unanswerable", "A", "3"):
            is_list = metric.inputs[metric.scored_input()].type_name == "list of lists of str"
            row = {"questions": "?", "references": [text] if is_list else text}
            row = {input_: value for input_, value in row.items() if input_ in metric.required_inputs()} | inputs
            scored = metric.score_batch({input_: [value] for input_, value in row.items()})
            scale = metric.scales()[metric.main_of(metric.scales())]
            (score,) = metric.row_scores(scored)
            assert score == (0.0 if "threshold" in options else scale.worst), (options, text)


def test_rows_without_a_prediction_keep_their_labels(result: Any, run: Run) -> None:
    labels = [row % 3 and 1 for row in range(48)] + [None] * 48
    rows = [{"id": row, "output": None if row % 8 == 1 else "a", "gold": "a"} for row in range(96)]
    write("x.jsonl", [{**row, "label": label} for row, label in zip(rows, labels, strict=True)])
    labeled = result("score", "x.jsonl", "--columns", "human_labels=label")
    assert (labeled["labels"], labeled["total"], labeled["accuracy"]) == (48, 96, 0.875)
    assert labeled["label_mean"] == pytest.approx(2 / 3)


def test_numbers_of_many_rows(run: Run) -> None:
    rows = [{"id": number // 2, "output": None if number > 1997 else "a", "gold": "b"} for number in range(3000)]
    write("x.jsonl", rows)
    code, printed, errors = run("score", "x.jsonl", "--missing", "ignore")
    assert (code, bool(re.search(r"total +1,998\n", printed))) == (0, True)
    assert "x.jsonl: 1,002 of 3,000 predictions are null: left out\n" in errors
    assert "x.jsonl: 1,998 rows of 999 questions: intervals are clustered by id; " in errors
    assert "0 of 1,998 rows are correct; are these the right fields" in errors
    assert "row 1,999: the prediction is null" in run("score", "x.jsonl", "--missing", "error")[2]
    write("gold.jsonl", [{"id": number, "gold": "b"} for number in range(1400)])
    assert "such as '1400' of row 2,801; " in run("score", "x.jsonl", "--references", "gold.jsonl")[2]
    write("bad.jsonl", [*rows[:1200], {"output": {"x": 1}, "gold": "b"}])
    assert "bad.jsonl, row 1,201: an object with x" in run("score", "bad.jsonl")[2]
    write("x.jsonl", [{**row, "output": "ab"[number // 2 % 2]} for number, row in enumerate(rows[:1202])])
    printed = run("score", "x.jsonl", "--show", "602", "--difference", ".01")[1]
    assert "row 1,202\n" in printed and re.search(r": \d+,\d{3} rows, \d+,\d{3} at worst", printed)


# ---- samples of one question


def test_repeats_are_clustered_by_question(result: Any, run: Run) -> None:
    rng = random.Random(1)
    samples = [
        {"output": "x" if rng.random() < 0.2 + 0.6 * (number // 3 % 2) else "y", "target": "x", "id": f"q{number // 3}"}
        for number in range(21)
    ]
    write("samples.jsonl", samples)
    metric = answer_metrics.load("accuracy", return_details=False, return_confidence=True)
    columns = {"predictions": [row["output"] for row in samples], "references": ["x"] * 21}
    clustered = metric.compute(**columns, clusters=[row["id"] for row in samples])
    printed = result("score", "samples.jsonl")
    assert printed.items() >= json.loads(json.dumps(clustered)).items()
    assert printed["clusters"] == 7
    remark = "21 rows of 7 questions: intervals are clustered by id; `repeats --on id`"
    assert remark in run("score", "samples.jsonl")[2]
    assert "clusters" not in result("score", "samples.jsonl", "--confidence-method", "bootstrap")
    write("other.jsonl", [{**row, "id": "q"} for row in samples])  # a single question
    assert "clusters" not in result("score", "other.jsonl")
    write("own.jsonl", [{**row, "document": number % 2} for number, row in enumerate(samples)])
    assert result("score", "own.jsonl", "--columns", "clusters=document")["clusters"] == 2


def test_quiet_says_nothing_and_groups_and_outputs_have_the_missing_rows(result: Any, run: Run) -> None:
    write("refs.jsonl", REFERENCES)
    write("p.jsonl", [{"id": number, "output": f"w{number}"} for number in range(0, NUMBER, 3)])
    arguments = ["p.jsonl", "--references", "refs.jsonl", "--by", "subject"]
    grouped = result("score", *arguments)
    assert [group["total"] for group in grouped["groups"].values()] == [12, 12]
    assert grouped["accuracy"] == pytest.approx(1 / 3)
    assert run("score", *arguments, "--quiet")[2] == ""
    for ending in ("parquet", "csv", "jsonl"):
        again = result("score", f"out.{ending}") if run("score", *arguments, "-o", f"out.{ending}")[0] == 0 else {}
        assert (again["correct"], again["total"]) == (8, 24)
        exact = result("score", f"out.{ending}", "-m", "answer_exact_match")
        assert exact["score"] == pytest.approx(1 / 3), ending
