"""Commands of the Makefile: build, the tables of the cards, and agreement with people."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from benchmarks.agreement import agreement, by_question, fooling_table, main, read_answers
from scripts import credit_cached, document, matrix
from spaces import build, flatten
from tests.conftest import ROOT

LIBRARY = {
    "core/shared.py": "from answer_metrics.core.other import ONE\n\nSHARED = ONE\n",
    "core/other.py": "ONE = 1\n",
    "text/words.py": "from answer_metrics.text import more as m\n\nTWO = m.TWO\n",
    "text/more.py": "TWO = 2\n",
    "page/space.py": "from answer_metrics import readers\n\n\ndef f():\n    from answer_metrics.page.late import X\n",
    "page/late.py": "X = 1\n",
    "page/report.html": "<p>\n",
    "readers.py": "",
}
IMPORTS = '"""Doc."""\n\nfrom {}shared import SHARED\n\nfrom ._own import OWN\n'
OWN = {
    "mine.py": IMPORTS.format("answer_metrics.core.") + "\nX = SHARED\n",
    "_own.py": "from answer_metrics.text.words import (\n    TWO,\n)\n\nOWN = TWO\n",
    "__init__.py": '_LATE = {"ONE": "answer_metrics.core.other"}\n',
    "app.py": "from answer_metrics.page.space import f\n",
    "README.md": "# from answer_metrics.core.shared import SHARED\n",
}
TWO_MORE = {
    "page/more.py": "",
    "page/space.py": "from answer_metrics.page import more\nfrom answer_metrics.text.more import TWO\n",
}


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in LIBRARY.items():
        path = tmp_path / "answer_metrics" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(flatten, "ROOT", tmp_path)
    flatten.find_imports.cache_clear()
    return tmp_path / "answer_metrics"


@pytest.mark.parametrize(
    ("library_files", "own", "message"),
    [
        ({}, {"_words.py": ""}, "mine: _words.py is already there, and would also be a copy"),
        ({}, {"_own.py": "from ._absent import ONE\n"}, "mine/_own.py imports from ._absent, which is not beside it"),
        ({}, {"app.py": "from answer_metrics.core.shared import SHARED\n"}, "mine: _core.py is already there"),
        ({}, {"_own.py": "import answer_metrics\n"}, "mine/_own.py imports answer_metrics in a way that cannot be"),
        ({}, {"_own.py": "def f(:\n"}, "mine/_own.py, line 1: "),
        ({"text/more.py": "import gradio\n\nTWO = 2\n"}, {}, "mine: answer_metrics/text/more.py imports gradio when"),
        (TWO_MORE, {}, "page.more and text.more would both be _more.py in a Space: rename one"),
        ({"core/other.py": "ONE = SHARED = 1\n"}, {}, "core.other and core.shared share a file in a Space, and both"),
        ({"mine/__init__.py": ""}, {}, "mine is the name of a package of answer_metrics"),
    ],
)
def test_directory_that_would_not_load_is_refused(
    library: Path, library_files: dict[str, str], own: dict[str, str], message: str
) -> None:
    for name, text in library_files.items():
        (library / name).parent.mkdir(exist_ok=True)
        (library / name).write_text(text, encoding="utf-8")
    with pytest.raises(flatten.BuildError, match=re.escape(message)):
        flatten.flatten("mine", {path: text.encode() for path, text in {**OWN, **own}.items()})


def test_copies_name_their_commit() -> None:
    files = build.build_files(ROOT / "metrics" / "token_f1")
    for path, original in (("_tokens.py", "text/tokens.py"), ("_core.py", "core/")):
        first = files[path].decode().partition("\n")[0]
        assert re.fullmatch(rf"# Copied from answer_metrics/{original} at (\w{{12}}|an unknown commit)\b.*", first)


def test_building_again_gives_the_same_files() -> None:
    """Publishing compares them with those of the Space."""
    code = "from spaces import build as b; print(sorted(b.build_files(b.ROOT / 'metrics' / 'token_f1').items()))"
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=-1, text=True, check=True)
    assert done.stdout.strip() == str(sorted(build.build_files(ROOT / "metrics" / "token_f1").items()))


def test_card_whose_tables_are_out_of_date_is_reported(
    accuracy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = (ROOT / "metrics" / "accuracy" / "README.md").read_text(encoding="utf-8")
    (tmp_path / "accuracy").mkdir()
    copy = tmp_path / "accuracy" / "README.md"
    stale = card.replace("| `total` |", "| `number` |")
    for changed, problems in ((card, []), (stale, ["accuracy/README.md: run make cards"])):
        copy.write_text(changed, encoding="utf-8")
        assert document.problems(copy.parent, accuracy) == problems
        assert document.documented(changed, accuracy) == card
    monkeypatch.setattr(build, "metric_directories", lambda: [copy.parent])
    monkeypatch.setattr(document, "ROOT", tmp_path)
    monkeypatch.setattr("scripts.document.evaluate.load", lambda _: accuracy)
    reported, updated = "accuracy/README.md: run make cards\n", "updated: accuracy/README.md\n"
    for argument, code, printed in (("--check", 1, reported), ("", 0, updated), ("--check", 0, ""), ("", 0, "")):
        assert (document.main(argument.split()), capsys.readouterr().out) == (code, printed)
    assert copy.read_text(encoding="utf-8") == card
    assert document._cell("a | b") == r"a \| b"  # else the table gets a column more
    with pytest.raises(SystemExit, match="the card of accuracy must have one table below '### Inputs'"):
        document.documented(card.replace("### Inputs", "### Input"), accuracy)


def test_what_ran_in_the_module_cache_is_credited_to_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    data = MagicMock()
    monkeypatch.setitem(sys.modules, "coverage", SimpleNamespace(CoverageData=lambda *_, **__: data))
    assert credit_cached.main() == 0
    moved, others = data.update.call_args.kwargs["map_path"], "/c/metrics/token_f1/0a9f/_x.py"
    assert (moved("/c/evaluate_modules/metrics/a_b/0a9f/_x.py"), moved(others)) == ("metrics/a_b/_x.py", others)
    measured = {*data.touch_files.call_args.args[0]}
    assert {"metrics/token_f1/app.py", "answer_metrics/text/tokens.py", "spaces/hub.py"} <= measured
    assert not {"metrics/_template/app.py", "tests/conftest.py", "scripts/matrix.py"} & measured
    assert [each[0] for each in data.method_calls] == ["read", "update", "touch_files", "dumps", "erase", "loads"]
    data.loads.assert_called_with(data.dumps())


@pytest.mark.parametrize("argument", ["--python=3.10", "--libraries=all"])
def test_the_matrix_has_no_other_environment(argument: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["matrix", argument])
    with pytest.raises(SystemExit, match="2"):
        matrix.main()


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
    measured = agreement([True, True, False, False], [True, False, False, False])
    assert (measured.share, measured.bias) == (0.75, 0.25)
    assert measured.kappa == pytest.approx(0.5)  # (0.75 - 0.5) / (1 - 0.5)


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


def test_documents_quote_the_table_of_fooling() -> None:
    assert "\n".join(fooling_table()) in (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")


def test_interval_counts_questions() -> None:
    """Two answers to each of two questions: sums of deviations of 1 and -1, so 1.96 * sqrt(2) / 4."""
    assert by_question([True, True, False, False], ["a", "a", "b", "b"]) == pytest.approx(1.96 * 2**0.5 / 4)


def test_the_demo_tells_rejected_right_answers_from_accepted_wrong_ones() -> None:
    show_agreement = runpy.run_path(str(ROOT / "examples" / "quickstart.py"))["show_agreement"]
    sample = [{"is_right": is_right} for is_right in (True, True, True, False)]
    table = show_agreement({"a mode": {"individual_scores": [0.0, 0.0, 1.0, 0.5]}}, sample)
    assert [list(column.cells) for column in table.columns] == [["a mode"], ["25.0%"], ["2"], ["1"]]
