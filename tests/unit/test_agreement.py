"""The table of agreement with people, on values computed by hand."""

import json
from pathlib import Path

import pytest

from benchmarks.agreement import agreement, by_question, main, read_answers

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


def test_folder_has_a_row_per_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"question": "Capital?", "prediction": "Paris", "references": ["Paris"], "label": 1},
        {"question": "Capital?", "prediction": "I don't know, Paris?", "references": ["Paris"], "label": 0},
    ]
    (tmp_path / "facts.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    assert "| facts | 2 | 1.000 ± 0.000 |  | " in capsys.readouterr().out


def test_interval_counts_questions() -> None:
    """Two answers to each of two questions: sums of deviations of 1 and -1, so 1.96 * sqrt(2) / 4."""
    assert by_question([True, True, False, False], ["a", "a", "b", "b"]) == pytest.approx(1.96 * 2**0.5 / 4)
