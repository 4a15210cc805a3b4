"""Scripts in benchmarks/: the table of agreement with people, by hand, and the Golden Rules of sentences."""

import json
from pathlib import Path

import pytest

from benchmarks.agreement import agreement, best_threshold, main, read_answers
from benchmarks.golden_rules import read_rules

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


def test_improper_questions_are_excluded_and_alternatives_split(judged: Path) -> None:
    answers = [(answer.references, answer.right) for answer in read_answers(judged)]
    assert answers == [(["Paris", "Lutetia"], True), (["Rome"], False)]


def test_agreement_kappa_and_bias_of_four_answers() -> None:
    found = agreement([True, True, False, False], [True, False, False, False])
    assert (found.share, found.bias) == (0.75, 0.25)
    assert found.kappa == pytest.approx(0.5)  # (0.75 - 0.5) / (1 - 0.5)


@pytest.mark.parametrize(
    ("scores", "judgments", "threshold"),
    [
        ([0.0, 0.5, 1.0], [False, True, True], 0.5),
        ([0.0, 0.5, 1.0], [True, True, True], 0.0),
        ([0.25, 0.5, 0.5, 1.0], [True, False, False, True], 1.0),
    ],
)
def test_best_threshold_agrees_most_often(scores: list[float], judgments: list[bool], threshold: float) -> None:
    assert best_threshold(scores, judgments) == threshold


def test_table_has_a_row_per_matcher(judged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(judged)]) == 0
    printed = capsys.readouterr().out
    assert "2 answers that people judged" in printed
    assert '| `match="recall"` | 1.000 | 1.00 | +0.000 | 1.000 (+0.000) |' in printed
    assert "chosen on these answers with the judgments known: 1.000" in printed


def test_missing_file_is_named_with_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.json"]) == 2
    assert "make agreement DATA=" in capsys.readouterr().out


def test_golden_rules_are_read_from_pairs_and_parameters() -> None:
    """From pySBD's test file, without running it."""
    source = 'GOLDEN_EN_RULES_TEST_CASES = [("A. B.", ["A.", "B."]), pytest.param("C", ["C"], marks=pytest.mark.xfail)]'
    assert read_rules(source) == [("A. B.", ["A.", "B."]), ("C", ["C"])]
    with pytest.raises(ValueError, match=r"give tests/lang/test_english\.py of pySBD$"):
        read_rules("OTHER = []")
