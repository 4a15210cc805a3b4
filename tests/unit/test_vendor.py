"""`make vendor` writes, updates and removes copies of shared code, and writes the tables of the cards."""

from pathlib import Path
from typing import Any

import pytest

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
    with pytest.raises(SystemExit, match="the card of accuracy must have one table below '### Inputs'"):
        document.documented(card.replace("### Inputs", "### Input"), accuracy)
