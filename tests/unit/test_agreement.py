"""The table of agreement with people, on a small file with values computed by hand."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.agreement import agreement
from benchmarks.agreement import best_threshold
from benchmarks.agreement import main
from benchmarks.agreement import read_answers
from benchmarks.agreement import squad_f1


def write_file(directory: Path) -> Path:
    rows = [
        {
            "question": "q",
            "golden_answer": "Paris/Lutetia",
            "improper": False,
            "answer_fid": "Paris",
            "judge_fid": True,
        },
        {"question": "q", "golden_answer": "Rome", "improper": False, "answer_fid": "Milan", "judge_fid": False},
        {"question": "q", "golden_answer": "Rome", "improper": True, "answer_fid": "Rome", "judge_fid": True},
    ]
    path = directory / "judged.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_improper_questions_are_excluded_and_alternatives_split(tmp_path: Path) -> None:
    answers = read_answers(write_file(tmp_path))
    assert [(answer.references, answer.right) for answer in answers] == [
        (["Paris", "Lutetia"], True),
        (["Rome"], False),
    ]


def test_agreement_kappa_and_bias_of_four_answers() -> None:
    found = agreement([True, True, False, False], [True, False, False, False])
    assert found.share == 0.75
    assert found.bias == 0.25
    assert found.kappa == pytest.approx(0.5)  # (0.75 - 0.5) / (1 - 0.5)


def test_squad_f1_is_twice_the_common_words_over_all_words() -> None:
    assert squad_f1("capital is paris", "paris") == 0.5
    assert squad_f1("rome", "paris") == 0.0
    assert squad_f1("", "") == 1.0


scored = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 1.0]), st.booleans()), min_size=1, max_size=12)


@given(scored)
def test_best_threshold_maximizes_agreement(rows: list[tuple[float, bool]]) -> None:
    scores, judgments = [score for score, _ in rows], [right for _, right in rows]

    def agreeing(threshold: float) -> int:
        return sum((score >= threshold) is right for score, right in rows)

    chosen = best_threshold(scores, judgments)
    assert agreeing(chosen) == max(map(agreeing, [0.0, *scores]))


def test_table_has_a_row_per_matcher(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(write_file(tmp_path))]) == 0
    printed = capsys.readouterr().out
    assert "| `token_f1` at its best single threshold on these answers | 1.000 |" in printed
    assert "The best single threshold of token_f1, chosen on these answers with the judgments known: 1.000" in printed
    assert '| `match="recall"` | 1.000 | 1.00 | +0.000 | 1.000 (+0.000) |' in printed


def test_missing_file_raises_an_error_with_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.json"]) == 2
    assert "make agreement DATA=" in capsys.readouterr().out
