"""The checks of files before publishing report everything that would break a Space, and nothing else."""

import json
from pathlib import Path

import pytest

from spaces.checks import SECRET_PATTERNS, check_directory, find_secrets
from spaces.files import PublishError, published_files, version_of
from tests import made_up


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


IMPORT = "from ._equal import equal\n"
NAMED = "must import from ._equal itself, at the beginning of a line"


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("README.md", 'python_version: "3.12"', "python_version: 3.10", "python_version must be quoted"),
        ("README.md", '"6.31.0"', "6.3", "sdk_version must be quoted"),
        ("README.md", 'sdk_version: "6.31.0"\n', "", "sdk_version is missing"),
        ("README.md", "  - metric\n", "", "the tag metric is missing"),
        ("README.md", "The share of equal texts\n---", "x" * 61 + "\n---", "at most 60 characters"),
        ("README.md", "short_description: The share of equal texts", 'short_description: ""', "at most 60 characters"),
        ("README.md", "app_file: app.py", "app_file: absent.py", "app_file must name a file"),
        ("README.md", "sdk: gradio", "sdk: streamlit", "sdk must be one of gradio, static"),
        ("README.md", "title: Made up\n", "", "title is missing"),
        ("README.md", "title: Made up", "title: [", "not valid YAML"),
        ("README.md", "---\ntitle", "title", "does not begin with front matter"),
        ("_metric.py", "0.1.0", "0.4.6", "evaluate takes for its own version"),
        ("_metric.py", "0.1.0", "0.4.0", "evaluate takes for its own version"),
        ("_metric.py", "0.1.0", "one", "VERSION must be three numbers with dots"),
        ("_metric.py", "VERSION", "OTHER", "VERSION must be three numbers with dots"),
        ("made_up.py", IMPORT, "from ._equal import equal  # ours\n", "no comment may follow the import of ._equal"),
        ("made_up.py", IMPORT, "if True:\n    from ._equal import equal\n", NAMED),
        ("made_up.py", IMPORT, "from . import _equal\n", "must import from ._helper itself"),
        ("made_up.py", "import datasets\n", "import datasets(\n", "line 3"),
        ("_equal.py", "def equal", "from ._more import X\n\n\ndef equal", "must import from ._more itself"),
        ("requirements.txt", "datasets", "datasets >=", "is not a requirement that pip can read"),
        ("requirements.txt", "datasets", "dataasets", "dataasets is not installed here"),
        ("requirements.txt", "datasets", "datasets<1  # old", "datasets<1 does not allow"),
    ],
)
def test_each_problem_names_its_file(directory: Path, file: str, old: str, new: str, expected: str) -> None:
    made_up.edit(directory / file, old, new)
    (found,) = check_directory(directory)
    assert expected in found
    assert found.startswith("made_up/" + file)


def test_smallest_metric_and_what_is_unusual_but_works_pass(directory: Path) -> None:
    assert check_directory(directory) == []
    assert version_of(directory) == "0.1.0"
    odd = '"""Text with\nfrom ._absent import x\n"""\nimport os.path as p\nfrom ._equal import (\n    equal,\n)\n'
    made_up.edit(directory / "made_up.py", IMPORT, odd)
    made_up.edit(directory / "_equal.py", "def equal", "from ._metric import VERSION\n\n\ndef equal")
    (directory / "requirements.txt").write_text('# ours\n\nabsent; python_version < "3"\n', encoding="utf-8")
    assert check_directory(directory) == []


def test_static_space_needs_a_card_but_no_app(directory: Path) -> None:
    (directory / "app.py").unlink()
    assert "app_file" in check_directory(directory)[0]
    assert check_directory(directory, sdk="static") == []
    (directory / "README.md").unlink()
    assert check_directory(directory) == ["made_up/README.md, the card, is missing"]


def test_copy_that_differs_from_its_original_is_rejected(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.vendor.published_directories", lambda: [directory])
    monkeypatch.setattr("scripts.vendor.copies", lambda _: {directory / "_equal.py": "the original"})
    assert check_directory(directory) == ["made_up/_equal.py differs from its original: run make vendor"]


# ---- which files


def test_only_what_git_tracks_is_published(directory: Path) -> None:
    for name in (".env", "key.txt", "made_up-results.json"):
        (directory / name).write_text("1", encoding="utf-8")
    assert set(published_files(directory)) == set(made_up.FILES)
    found = [sentence.partition(" is not tracked by git: `git add` it")[0] for sentence in check_directory(directory)]
    assert found == ["made_up/key.txt", "made_up/made_up-results.json"]
    (directory / ".gitignore").write_text("key.txt\n*.json\n", encoding="utf-8")
    made_up.git(directory, "add", ".")
    assert check_directory(directory) == []
    (directory / "app.py").unlink()
    assert set(published_files(directory)) == {*made_up.FILES} - {"app.py"}


def test_outside_a_checkout_nothing_is_published(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="is not in a git checkout, and only files that git tracks are published"):
        check_directory(tmp_path)


def test_tracked_files_must_be_text_of_known_types(directory: Path) -> None:
    (directory / "cache.sqlite").write_bytes(b"SQLite")
    (directory / "data.csv").write_bytes(b"\xff\xfe")
    (directory / "link.md").symlink_to(directory / "README.md")
    made_up.git(directory, "add", ".")
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
    "gl" + "pat-" + "a1B2" * 6,
    "xo" + "xb-" + "1234567890",
    "AK" + "IA" + "ABCDEFGH12345678",
    "AI" + "za" + "a" * 35,
    "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
]


# The shortest text that is taken for a secret of each kind.
SHORTEST = [
    *("hf" + "_" + "a" * 30, "sk" + "-" + "a" * 20, "gh" + "o_" + "a" * 30, "gl" + "pat-" + "a" * 20),
    *("AS" + "IA" + "A" * 16, "AI" + "za" + "a" * 35, "xo" + "xp-" + "a" * 10, "-----BEGIN " + "PRIVATE KEY-----"),
]


def test_file_that_holds_a_secret_is_rejected_without_showing_it(directory: Path) -> None:
    made_up.edit(directory / "made_up.py", "import datasets\n", f"import datasets  # {SECRETS[0]}\n")
    (directory / "README.md").open("a").write("\n".join(SECRETS))
    (directory / "examples.json").write_text(json.dumps([{"title": SECRETS[1]}]), encoding="utf-8")
    made_up.git(directory, "add", ".")
    found = check_directory(directory)
    places = [sentence.partition(" contains what looks like a")[0] for sentence in found]
    card = [f"made_up/README.md, line {line}" for line in range(18, 18 + len(SECRETS))]
    assert places == [*card, "made_up/examples.json, line 1", "made_up/made_up.py, line 3"]
    assert not any(secret in "".join(found) for secret in SECRETS)


def test_names_of_secrets_and_values_of_secret_variables_are_found_without_showing_them() -> None:
    for name in ("key.txt", "api_key.json", "my-token.txt", "credentials.json", "id_rsa", "secrets.md"):
        assert list(find_secrets({name: b"1"}, {})) == [f"{name} is named like a secret, and is not published"]
    variables = {"MY_JUDGE_KEY": " twelve-chars ", "SHORT_TOKEN": "eleven-char", "HOME": "/home/someone/else"}
    files = {"README.md": b"eleven-char\n/home/someone/else\nuse twelve-chars\n"}
    assert list(find_secrets(files, variables)) == [
        "README.md, line 3 contains the value of the environment variable MY_JUDGE_KEY: remove it"
    ]
    for kind, secret in zip(SECRET_PATTERNS, SHORTEST, strict=True):
        (found,) = find_secrets({"app.py": f"X = '{secret}'\n".encode()}, {})
        assert found.startswith(f"app.py, line 1 contains what looks like {kind}: ")
        assert not list(find_secrets({"app.py": f"X = '{secret[:-1]}'\n".encode()}, {}))
