"""Commands of the Makefile: matrix, coverage of copies, vendor, the tables of the cards, and agreement with people."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.agreement import agreement, by_question, main, read_answers
from scripts import document, vendor
from tests.conftest import ROOT

HEADER = "# Vendored: edit metrics/_shared/_shared.py and run `make vendor`.\n"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A metric that imports a helper of its own, which imports a shared module."""
    files = {
        "_shared/_shared.py": "SHARED = 1\n",
        "_shared/_other.py": "",
        "mine/mine.py": "from ._own import OWN\nfrom ._shared import SHARED\n",
        "mine/_own.py": "from ._shared import SHARED\n",
    }
    for name, text in files.items():
        path = tmp_path / "metrics" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    directory = tmp_path / "metrics" / "mine"
    monkeypatch.setattr(vendor, "ROOT", tmp_path)
    monkeypatch.setattr(vendor, "SHARED", tmp_path / "metrics" / "_shared")
    monkeypatch.setattr(vendor, "published_directories", lambda: [directory])
    return directory


def test_missing_changed_and_unneeded_copies_are_mended(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy, unneeded = directory / "_shared.py", directory / "_other.py"
    for text in (None, HEADER, HEADER + "SHARED = 2\n"):
        if text is not None:
            copy.write_text(text, encoding="utf-8")
        assert vendor.main(["--check"]) == 1
        assert capsys.readouterr().out == "metrics/mine/_shared.py\n"
        assert vendor.main([]) == 0
        capsys.readouterr()
        assert copy.read_text(encoding="utf-8") == HEADER + "SHARED = 1\n"
    unneeded.write_text(HEADER.replace("_shared.py", "_other.py"), encoding="utf-8")
    assert vendor.main(["--check"]) == 1
    assert capsys.readouterr().out == "metrics/mine/_other.py\n"
    assert vendor.main([]) == 0
    assert sorted(path.name for path in directory.iterdir()) == ["_own.py", "_shared.py", "mine.py"]
    assert vendor.main(["--check"]) == 0


def test_script_that_does_not_name_the_module_of_a_helper_is_rejected(directory: Path) -> None:
    """evaluate's loader does not follow the imports of helpers."""
    (directory / "mine.py").write_text("from ._own import OWN\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"mine\.py must import something from \._shared, which _own\.py needs"):
        vendor.main([])


def test_card_whose_tables_are_out_of_date_is_reported(accuracy: Any, tmp_path: Path) -> None:
    card = (ROOT / "metrics" / "accuracy" / "README.md").read_text(encoding="utf-8")
    (tmp_path / "accuracy").mkdir()
    copy = tmp_path / "accuracy" / "README.md"
    for changed, problems in (
        (card, []),
        (card.replace("| `total` |", "| `number` |"), ["accuracy/README.md: run make vendor"]),
    ):
        copy.write_text(changed, encoding="utf-8")
        assert document.problems(copy.parent, accuracy) == problems
        assert document.documented(changed, accuracy) == card
    assert document._cell("a | b") == r"a \| b"  # else the table gets a column more
    with pytest.raises(SystemExit, match="the card of accuracy must have one table below '### Inputs'"):
        document.documented(card.replace("### Inputs", "### Input"), accuracy)


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


def test_interval_counts_questions() -> None:
    """Two answers to each of two questions: sums of deviations of 1 and -1, so 1.96 * sqrt(2) / 4."""
    assert by_question([True, True, False, False], ["a", "a", "b", "b"]) == pytest.approx(1.96 * 2**0.5 / 4)
