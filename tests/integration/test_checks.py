"""The offline checks name each thing that would break a published metric, and nothing else."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from spaces.checks import files_of
from spaces.checks import problems
from spaces.checks import problems_alone
from spaces.checks import version_of
from tests.integration import made_up
from tests.integration.clean_process import METRICS
from tests.integration.clean_process import sdk_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("metric", METRICS, ids=lambda path: path.name)
def test_our_metrics_may_be_published(metric: Path) -> None:
    assert problems(metric, sdk=sdk_of(metric)) == []


def test_a_directory_without_a_card_is_no_space(directory: Path) -> None:
    (directory / "README.md").unlink()
    assert problems(directory) == ["made_up/README.md is missing: a Space begins with its card"]


def test_a_page_needs_no_form(directory: Path) -> None:
    (directory / "app.py").unlink()
    assert "app_file" in problems(directory)[0]
    assert problems(directory, sdk="static") == []


def test_the_made_up_metric_may_be_published(directory: Path) -> None:
    assert problems(directory) == []
    assert problems_alone(directory) == []
    assert version_of(directory) == "0.1.0"


IMPORT = "from ._equal import equal\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("README.md", 'python_version: "3.11"', "python_version: 3.10", "python_version must be quoted"),
        ("README.md", '"6.31.0"', "6.3", "sdk_version must be quoted"),
        ("README.md", 'sdk_version: "6.31.0"\n', "", "sdk_version is missing"),
        ("README.md", "  - metric\n", "", "the tag metric is missing"),
        ("README.md", "The share of equal texts\n---", "x" * 61 + "\n---", "at most 60 characters"),
        ("README.md", "app_file: app.py", "app_file: absent.py", "app_file must name a file"),
        ("README.md", "sdk: gradio", "sdk: streamlit", "sdk must be one of gradio, static"),
        ("README.md", "title: Made up", "title: Made up\ncolorFrom: teal", "colorFrom must be one of"),
        ("README.md", "title: Made up", "title: [", "not valid YAML"),
        ("README.md", "---\ntitle", "title", "does not begin with a front matter"),
        ("_version.py", "0.1.0", "0.4.6", "evaluate takes for its own version"),
        ("_version.py", "0.1.0", "one", "three numbers with dots"),
        ("_version.py", "VERSION", "OTHER", 'must say VERSION = "1.2.3"'),
        ("made_up.py", IMPORT, "from ._equal import equal  # ours\n", "no comment may follow the import of ._equal"),
        ("made_up.py", IMPORT, "from . import _equal\n", "line 6: evaluate fetches a helper only for"),
        ("made_up.py", IMPORT, "from ._a.b import equal\n", "evaluate fetches a helper only for"),
        ("made_up.py", IMPORT, "if True:\n    from ._equal import equal\n", "evaluate does not see this import"),
        ("made_up.py", IMPORT, "from ._absent import equal\n", "no helper _absent.py"),
        ("made_up.py", IMPORT, "from _equal import equal\n", "_equal is a sibling"),
        ("made_up.py", "import datasets\n", "import os, datasets\n", "evaluate reads 'os,' as one library's name"),
        ("made_up.py", "import datasets\n", "import datasets\nTEXT = '''\nimport torch\n'''\n", "an import of torch"),
        ("made_up.py", "import datasets\n", "import datasets(\n", "line 3"),
        ("_equal.py", "def equal", "from _version import VERSION\n\n\ndef equal", "_version is a sibling"),
    ],
)
def test_each_problem_is_named_with_its_file(directory: Path, file: str, old: str, new: str, expected: str) -> None:
    edit(directory / file, old, new)
    found = problems(directory)
    assert len(found) == 1, found
    assert expected in found[0]
    assert found[0].startswith("made_up/" + file)


def test_imports_that_only_look_odd_are_fine(directory: Path) -> None:
    odd = '"""Text with\nfrom ._absent import x\n"""\nimport os.path as p\nfrom ._equal import (\n    equal,\n)\n'
    edit(directory / "made_up.py", IMPORT, odd)
    assert problems(directory) == []


def test_what_only_the_form_uses_may_import_siblings(directory: Path) -> None:
    (directory / "_form.py").write_text("from _equal import equal\n", encoding="utf-8")
    assert problems(directory) == []


def test_copies_must_equal_the_original(directory: Path) -> None:
    shared = directory.parent / "_shared"
    shared.mkdir()
    original = (directory / "_equal.py").read_text(encoding="utf-8")
    (shared / "_equal.py").write_text(original, encoding="utf-8")
    (directory / "_equal.py").write_text(
        "# Vendored: edit metrics/_shared/_equal.py and run `make vendor`.\n" + original, encoding="utf-8"
    )
    assert problems(directory) == []
    edit(shared / "_equal.py", "equal", "the same")
    assert problems(directory) == ["made_up/_equal.py differs from its original: run make vendor"]


def test_only_text_that_belongs_there_is_published(directory: Path) -> None:
    (directory / ".env").write_text("KEY=1", encoding="utf-8")
    (directory / "__pycache__").mkdir()
    (directory / "__pycache__" / "made_up.pyc").write_bytes(b"\0")
    assert set(files_of(directory)) == set(made_up.FILES)
    (directory / "cache.sqlite").write_bytes(b"SQLite")
    (directory / "data.csv").write_bytes(b"\xff\xfe")
    found = problems(directory)
    assert [sentence.split()[0] for sentence in found] == ["made_up/cache.sqlite", "made_up/data.csv"]


def test_in_a_checkout_only_what_git_tracks_is_published(directory: Path) -> None:
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=directory, check=True)  # noqa: S607
    for name in ("key.txt", "made_up-results.json"):
        (directory / name).write_text("secret", encoding="utf-8")
    assert set(files_of(directory)) == set(made_up.FILES)
    assert problems(directory) == []
    (directory / "README.md").unlink()
    assert "README.md" not in files_of(directory)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("import datasets\n", "import datasets\nfrom evaluate import Metric\n", "not the one of made_up.py"),
        ("return {", "return {'a': {1, 2}} or {", "TypeError: Object of type set is not JSON serializable"),
        ("return {", "return [][0] or {", "IndexError: list index out of range"),
    ],
)
def test_a_copy_alone_must_compute(directory: Path, old: str, new: str, expected: str) -> None:
    edit(directory / "made_up.py", old, new)
    assert problems(directory) == []
    (found,) = problems_alone(directory)
    assert expected in found


def test_the_metric_that_is_tried_out_gets_no_token(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    edit(
        directory / "made_up.py",
        "import datasets\n",
        "import os\n\nassert 'HF_TOKEN' not in os.environ\n\nimport datasets\n",
    )
    assert problems_alone(directory) == []
