"""The table of agreement with people, on values computed by hand."""

import json
from pathlib import Path

import pytest

from benchmarks.agreement import agreement, main, read_answers

ROWS: list[dict[str, object]] = [
    {"golden_answer": "Paris/Lutetia", "improper": False, "answer_fid": "Paris", "judge_fid": True},
    {"golden_answer": "Rome", "improper": False, "answer_fid": "Milan", "judge_fid": False},
    {"golden_answer": None, "improper": True, "answer_fid": "Rome", "judge_fid": True},
]


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    path = tmp_path / "judged.json"
    path.write_text(json.dumps([{"question": "q", **row} for row in ROWS]), encoding="utf-8")
    return path


def test_agreement_kappa_and_bias_of_four_answers() -> None:
    found = agreement([True, True, False, False], [True, False, False, False])
    assert (found.share, found.bias) == (0.75, 0.25)
    assert found.kappa == pytest.approx(0.5)  # (0.75 - 0.5) / (1 - 0.5)


def test_table_has_a_row_per_matcher(judged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [(answer.references, answer.right) for answer in read_answers(judged)]
    assert answers == [(["Paris", "Lutetia"], True), (["Rome"], False)]
    assert main([str(judged)]) == 0
    printed = capsys.readouterr().out
    assert "2 answers that people judged" in printed
    assert '| `match="recall"` | 1.000 | 1.00 | +0.000 | 1.000 (+0.000) |' in printed
    assert "times as long as a loop of SQuAD's F1 (at most 3: " in printed
    assert main(["nowhere.json"]) == 2
    assert "make agreement DATA=" in capsys.readouterr().out
