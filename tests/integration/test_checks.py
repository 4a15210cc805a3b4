"""The checks before publishing report everything that would break a Space, and nothing else."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from scripts.vendor import ROOT
from spaces.checks import check_directory
from spaces.isolated_checks import check_isolated
from spaces.plans import read_space
from spaces.published_files import published_files
from spaces.published_files import version_of
from spaces.secret_scan import find_secrets
from tests.integration import made_up
from tests.integration.clean_process import METRICS
from tests.integration.clean_process import sdk_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


def run_alone(directory: Path) -> list[str]:
    return check_isolated(directory.name, read_space(directory, "acme", None))


def check_app_only(directory: Path) -> list[str]:
    """Only start the app: there is no metric with this name."""
    return check_isolated("page", read_space(directory, "acme", None))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("metric", METRICS, ids=lambda path: path.name)
def test_metrics_of_this_repository_pass(metric: Path) -> None:
    assert check_directory(metric, sdk=sdk_of(metric)) == []


def test_missing_card_is_rejected(directory: Path) -> None:
    (directory / "README.md").unlink()
    assert check_directory(directory) == ["made_up/README.md, the card, is missing"]


def test_static_space_needs_no_app(directory: Path) -> None:
    (directory / "app.py").unlink()
    assert "app_file" in check_directory(directory)[0]
    assert check_directory(directory, sdk="static") == []


def test_smallest_metric_passes(directory: Path) -> None:
    assert check_directory(directory) == []
    assert run_alone(directory) == []
    assert version_of(directory) == "0.1.0"


IMPORT = "from ._equal import equal\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("README.md", 'python_version: "3.12"', "python_version: 3.10", "python_version must be quoted"),
        ("README.md", '"6.31.0"', "6.3", "sdk_version must be quoted"),
        ("README.md", 'sdk_version: "6.31.0"\n', "", "sdk_version is missing"),
        ("README.md", "  - metric\n", "", "the tag metric is missing"),
        ("README.md", "The share of equal texts\n---", "x" * 61 + "\n---", "at most 60 characters"),
        ("README.md", "app_file: app.py", "app_file: absent.py", "app_file must name a file"),
        ("README.md", "sdk: gradio", "sdk: streamlit", "sdk must be one of gradio, static"),
        ("README.md", "title: Made up", "title: Made up\ncolorFrom: teal", "colorFrom must be one of"),
        ("README.md", "title: Made up", "title: [", "not valid YAML"),
        ("README.md", "---\ntitle", "title", "does not begin with front matter"),
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
        ("requirements.txt", "datasets", "datasets >=", "is not a requirement that pip reads"),
        ("requirements.txt", "datasets", "dataasets", "dataasets is not installed here"),
        ("requirements.txt", "datasets", "datasets<1  # old", "datasets<1 does not allow"),
    ],
)
def test_each_problem_names_its_file(directory: Path, file: str, old: str, new: str, expected: str) -> None:
    edit(directory / file, old, new)
    found = check_directory(directory)
    assert len(found) == 1, found
    assert expected in found[0]
    assert found[0].startswith("made_up/" + file)


def test_unusual_but_valid_imports_pass(directory: Path) -> None:
    odd = '"""Text with\nfrom ._absent import x\n"""\nimport os.path as p\nfrom ._equal import (\n    equal,\n)\n'
    edit(directory / "made_up.py", IMPORT, odd)
    assert check_directory(directory) == []


def test_helper_may_import_a_helper_named_in_the_script(directory: Path) -> None:
    edit(directory / "_equal.py", "def equal", "from ._version import VERSION\n\n\ndef equal")
    assert check_directory(directory) == []
    assert run_alone(directory) == []


def test_page_only_files_may_import_siblings(directory: Path) -> None:
    (directory / "_form.py").write_text("from _equal import equal\n", encoding="utf-8")
    assert check_directory(directory) == []


@pytest.mark.parametrize(
    ("examples", "expected"),
    [
        ("[", "examples.json is not valid JSON"),
        ("{}", "must be a list of at least one example"),
        ("[]", "must be a list of at least one example"),
        ('[{"title": "A", "rows": [["a"]]}, {"rows": [["a"]]}]', "example 1 needs a title and rows"),
        ('[{"title": "A", "rows": []}]', "example 0 needs a title and rows"),
    ],
)
def test_broken_examples_are_rejected(directory: Path, examples: str, expected: str) -> None:
    (directory / "examples.json").write_text(examples, encoding="utf-8")
    (found,) = check_directory(directory)
    assert expected in found


def test_helper_imported_only_by_a_helper_is_rejected(directory: Path) -> None:
    (directory / "_more.py").write_text("X = 1\n", encoding="utf-8")
    edit(directory / "_equal.py", "def equal", "from ._more import X\n\n\ndef equal")
    assert check_directory(directory) == [
        "made_up/made_up.py must import from ._more itself: a helper needs it, and evaluate fetches no other"
    ]


def test_copy_that_differs_from_its_original_is_rejected(directory: Path) -> None:
    shared = directory.parent / "_shared"
    shared.mkdir()
    original = (directory / "_equal.py").read_text(encoding="utf-8")
    (shared / "_equal.py").write_text(original, encoding="utf-8")
    notice = "# Vendored: edit metrics/_shared/_equal.py and run `make vendor`.\n"
    (directory / "_equal.py").write_text(notice + original, encoding="utf-8")
    assert check_directory(directory) == []
    edit(shared / "_equal.py", "equal", "the same")
    assert check_directory(directory) == ["made_up/_equal.py differs from its original: run make vendor"]


# ---- which files


def git(directory: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True)  # noqa: S607


def test_hidden_files_and_caches_are_not_published(directory: Path) -> None:
    (directory / ".env").write_text("KEY=1", encoding="utf-8")
    (directory / "__pycache__").mkdir()
    (directory / "__pycache__" / "made_up.pyc").write_bytes(b"\0")
    assert set(published_files(directory)) == set(made_up.FILES)
    assert check_directory(directory) == []


def test_outside_a_checkout_unlisted_files_are_rejected(directory: Path) -> None:
    (directory / "space_ui").mkdir()
    (directory / "space_ui" / "page.py").write_text("X = 1\n", encoding="utf-8")
    for name in ("notes.txt", "space_ui/results.json", "made_up_old.py"):
        (directory / name).write_text("1", encoding="utf-8")
    assert set(published_files(directory)) == {*made_up.FILES, "space_ui/page.py"}
    found = check_directory(directory)
    assert [sentence.split()[0] for sentence in found] == [
        "made_up/made_up_old.py",
        "made_up/notes.txt",
        "made_up/space_ui/results.json",
    ]
    assert all("does not belong to a Space" in sentence for sentence in found)


def test_in_a_checkout_untracked_files_are_rejected(directory: Path) -> None:
    git(directory, "init", "-q")
    assert published_files(directory) == {}
    assert any(
        "made_up/app.py is not tracked by git: `git add` it" in sentence for sentence in check_directory(directory)
    )
    git(directory, "add", ".")
    assert check_directory(directory) == []
    for name in ("key.txt", "made_up-results.json"):
        (directory / name).write_text("1", encoding="utf-8")
    assert set(published_files(directory)) == set(made_up.FILES)
    found = check_directory(directory)
    assert [sentence.split()[0] for sentence in found] == ["made_up/key.txt", "made_up/made_up-results.json"]
    (directory / ".gitignore").write_text("key.txt\n*.json\n", encoding="utf-8")
    assert check_directory(directory) == []
    assert set(published_files(directory)) == set(made_up.FILES)


def test_deleted_tracked_file_is_not_published(directory: Path) -> None:
    git(directory, "init", "-q")
    git(directory, "add", ".")
    (directory / "README.md").unlink()
    assert "README.md" not in published_files(directory)


def test_tracked_files_must_be_text_of_known_types(directory: Path) -> None:
    (directory / "cache.sqlite").write_bytes(b"SQLite")
    (directory / "data.csv").write_bytes(b"\xff\xfe")
    (directory / "link.md").symlink_to(directory / "README.md")
    git(directory, "init", "-q")
    git(directory, "add", ".")
    assert [sentence.partition(" is ")[2].split(" (")[0] for sentence in check_directory(directory)] == [
        "not of a type that belongs in a Space",
        "not text in UTF-8",
        "a symbolic link, which would be published as the file it points to",
    ]


# Built here, so that secret scanners do not report this file.
SECRETS = [
    "hf" + "_" + "aB3" * 12,
    "sk" + "-proj-" + "x7Y_" * 8,
    "xai" + "-" + "Q1" * 20,
    "gh" + "p_" + "a1B2" * 9,
    "github" + "_pat_" + "a1B2" * 9,
    "AK" + "IA" + "ABCDEFGH12345678",
    "AI" + "za" + "a" * 35,
    "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
]


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret[:5])
@pytest.mark.parametrize("file", ["made_up.py", "README.md", "examples.json"])
def test_file_that_holds_a_secret_is_rejected_without_showing_it(directory: Path, file: str, secret: str) -> None:
    text = (directory / file).read_text(encoding="utf-8") if (directory / file).exists() else ""
    new = f"{text}\n# {secret}\n" if file != "examples.json" else json.dumps([{"title": secret, "rows": [["a", "b"]]}])
    (directory / file).write_text(new, encoding="utf-8")
    (found,) = check_directory(directory)
    assert found.startswith(f"made_up/{file}, line ")
    assert "contains what looks like a" in found
    assert secret not in found


@pytest.mark.parametrize(
    "name", ["key.txt", "api_key.json", "my-token.txt", "credentials.json", "server.pem", "id_rsa", "secrets.md"]
)
def test_file_named_like_a_secret_is_rejected(name: str) -> None:
    assert list(find_secrets({name: b"1"}, {})) == [f"{name} is named like a secret, and is not published"]


def test_value_of_a_secret_variable_is_found_without_showing_it() -> None:
    variables = {"MY_JUDGE_KEY": "correct horse battery", "SHORT_KEY": "right", "HOME": "/home/someone/else"}
    files = {"README.md": b"right\n/home/someone/else\nuse correct horse battery\n"}
    assert list(find_secrets(files, variables)) == [
        "README.md, line 3 contains the value of the environment variable MY_JUDGE_KEY: remove it"
    ]


def test_no_file_of_this_repository_looks_like_a_secret() -> None:
    for directory in (*METRICS, ROOT / "spaces" / "gallery"):
        assert list(find_secrets(published_files(directory), {})) == []


# ---- alone


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("import datasets\n", "import datasets\nfrom evaluate import Metric\n", "not the one of made_up.py"),
        ("return {", "return {'a': {1, 2}} or {", "TypeError: Object of type set is not JSON serializable"),
        ("return {", "return [][0] or {", "IndexError: list index out of range"),
    ],
)
def test_metric_that_fails_in_isolation_is_rejected(directory: Path, old: str, new: str, expected: str) -> None:
    edit(directory / "made_up.py", old, new)
    assert check_directory(directory) == []
    (found,) = run_alone(directory)
    assert expected in found


def test_isolated_metric_gets_no_token(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    edit(
        directory / "made_up.py",
        "import datasets\n",
        "import os\n\nassert 'HF_TOKEN' not in os.environ\n\nimport datasets\n",
    )
    assert run_alone(directory) == []


@pytest.mark.parametrize(
    ("app", "expected"),
    [
        ("import gradioo\n", "app.py does not start: ModuleNotFoundError: No module named 'gradioo'"),
        ("open('examples.json')\n", "app.py does not start: FileNotFoundError"),
        ("def page(:\n", "app.py does not start: SyntaxError"),
        ("print(1)\n", "app.py does not start: 1"),
    ],
)
def test_app_that_does_not_start_is_rejected(directory: Path, app: str, expected: str) -> None:
    (directory / "app.py").write_text(app, encoding="utf-8")
    assert check_directory(directory) == []
    (found,) = check_app_only(directory)
    assert expected in found


def test_app_that_shows_no_page_is_rejected(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spaces.isolated_checks.START_SECONDS", 1)
    (directory / "app.py").write_text("import time\n\ntime.sleep(60)\n", encoding="utf-8")
    assert check_app_only(directory) == ["page: app.py shows no page after 1 seconds"]
