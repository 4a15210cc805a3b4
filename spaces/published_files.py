"""Selection of the files to publish: those that git tracks or, outside a checkout, those on a short list."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Allowed file types; any other, such as a cache, is rejected rather than uploaded.
SUFFIXES = frozenset({".css", ".csv", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".svg", ".tsv", ".txt"})
# The settings of a Space, at the top of its card.
FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", flags=re.DOTALL)
# Outside a checkout, only these names are published, since any other file may be a result or a key.
STANDARD_NAMES = frozenset(
    {"README.md", "app.py", "examples.json", "recorded.json", "requirements.txt", "packages.txt"}
)
STANDARD_PATTERNS = ("_*.py", "space_ui/*.py", "space_ui/*.js", "space_ui/*.css", "space_ui/*.html", "space_ui/*.svg")


def is_metric(directory: Path) -> bool:
    """Return whether a directory is a metric, which has a script named like the directory."""
    return (directory / f"{directory.name}.py").is_file()


def published_files(directory: Path) -> dict[str, bytes]:
    """Return the files to publish, by their paths in the Space, without hidden files."""
    tracked = _git(directory, "--cached")
    paths = _visible_files(directory) if tracked is None else tracked
    kept = (path for path in paths if tracked is not None or _is_standard(directory, path))
    return {
        path: (directory / path).read_bytes()
        for path in sorted(kept)
        if (directory / path).is_file() and not _is_hidden(path)
    }


def unexpected_files(directory: Path) -> Iterator[str]:
    """Yield a sentence for each file in the directory that would not be published."""
    if _git(directory, "--cached") is None:
        for path in _visible_files(directory):
            if not _is_standard(directory, path):
                yield f"{path} does not belong to a Space: move it elsewhere (in a git checkout, `git add` would tell)"
        return
    for path in _git(directory, "--others", "--exclude-standard") or ():
        if not _is_hidden(path):
            yield f"{path} is not tracked by git: `git add` it if it belongs to the Space, or else remove it"


def version_of(directory: Path) -> str | None:
    """Return `VERSION` from the directory's `_version.py`, without running it; None if there is none."""
    path = directory / "_version.py"
    if not path.is_file():
        return None
    for statement in ast.parse(path.read_bytes(), filename=path.name).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="VERSION")], value=ast.Constant(value=str(version))):
                return version
            case _:
                pass
    return None


def _is_standard(directory: Path, path: str) -> bool:
    names = STANDARD_NAMES | {f"{directory.name}.py"}
    return path in names or any(
        path.count("/") == pattern.count("/") and Path(path).match(pattern) for pattern in STANDARD_PATTERNS
    )


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.split("/"))


def _visible_files(directory: Path) -> list[str]:
    paths = (path.relative_to(directory).as_posix() for path in sorted(directory.rglob("*")) if path.is_file())
    return [path for path in paths if not _is_hidden(path)]


def _git(directory: Path, *options: str) -> list[str] | None:
    """Return the paths that `git ls-files` lists, or None without git or outside a checkout."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "ls-files", "-z", *options],  # noqa: S607  # the user's own git
            cwd=directory,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return None if done.returncode else [path for path in done.stdout.split("\0") if path]
