"""Commands of the Makefile: `make matrix`, coverage of copies, `make vendor` and the tables of the cards."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts import credit_copies, document, matrix, vendor
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["3.11, lowest", "3.11, newest", "3.12, newest", "3.13, newest", "3.14, newest"]),
        (["--python", "3.11", "--", "-x"], ["3.11, lowest", "3.11, newest"]),
        (["--libraries", "lowest", "--", "-n", "2", "tests/unit"], ["3.11, lowest"]),
    ],
)
def test_matrix_passes_its_arguments_to_pytest_in_each_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: list[str]
) -> None:
    """The second environment fails."""
    tested, constraints = [], []

    def run(command: list[Any], **_: Any) -> subprocess.CompletedProcess[str]:
        if "--constraint" in command:
            constraints.append(command[command.index("--constraint") + 1].name)
        if "pytest" in command:
            tested.append(command)
        failed = "pytest" in command and len(tested) == 2
        return subprocess.CompletedProcess(command, int(failed), stdout="1 failed" if failed else "2 passed")

    monkeypatch.setattr(matrix, "find_python", "python{}".format)
    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setattr("sys.argv", ["matrix", *arguments])
    assert matrix.main() == int(len(expected) > 1)
    given = arguments[arguments.index("--") + 1 :] if "--" in arguments else []
    for command, environment in zip(tested, expected, strict=True):
        assert f"matrix-{environment.replace(', ', '-')}" in str(command[0])
        assert command[command.index("not integration") + 1 :] == given
    files = {"lowest": "constraints-lowest.txt", "newest": "constraints.txt"}
    assert constraints == [files[environment.split(", ")[1]] for environment in expected]
    summary = capsys.readouterr().out.rstrip().splitlines()[-len(expected) :]
    outcomes = ["2 passed", "FAILED: 1 failed", *["2 passed"] * 3]
    assert summary == [f"Python {one} libraries: {end}" for one, end in zip(expected, outcomes, strict=False)]


def test_make_matrix_names_the_python_and_the_tests() -> None:
    command = ["make", "--no-print-directory", "-n", "matrix", "ONLY=3.12", "TESTS=tests/unit", "JOBS=3"]
    printed = subprocess.run(
        command, cwd=ROOT, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[1:] == ["-m", "scripts.matrix", "--python", "3.12", "--", "-n", "3", "tests/unit"]


def test_coverage_of_copies_counts_for_their_originals() -> None:
    cached = "/tmp/x/evaluate_modules/metrics/accuracy/0a1b/"  # noqa: S108  # a name, not a file
    copy, script, page = f"{cached}_metric.py", f"{cached}accuracy.py", "metrics/accuracy/space.py"
    assert vendor.is_copy(ROOT / page)
    found = credit_copies.credited(
        {
            copy: {(2, 3), (-41, 41), (44, -41)},
            "metrics/_shared/_metric.py": {(7, 8)},
            script: {(2, 3)},
            page: {(5, 6)},
            f"{cached}__init__.py": set(),
        }
    )
    assert found == {
        "metrics/_shared/_metric.py": {(1, 2), (-40, 40), (43, -40), (7, 8)},
        "metrics/accuracy/accuracy.py": {(2, 3)},
        "metrics/_shared/space.py": {(4, 5)},
    }


# ---- make vendor

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
