"""Copy shared code into every directory that is published: each metric, and the gallery.

A metric gets the modules of metrics/_shared that its script imports as `from ._x import y`: evaluate's loader downloads
what the script itself names, and nothing else. A directory whose app.py imports `space` gets the page, and
answer_metrics/readers.py. Each copy keeps its name and begins with a line that says what to edit. `--check` reports
what is missing or out of date instead.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT / "metrics" / "_shared"
READERS = ROOT / "answer_metrics" / "readers.py"
NOTICE = "Vendored: edit {path} and run `make vendor`."
COMMENTS = {".py": "# {}\n", ".html": "{{# {} #}}\n"}
_SIBLING = re.compile(r"^from \.(_\w+) import", re.MULTILINE)
_PAGE = re.compile(r"^from space import", re.MULTILINE)


def metric_directories(root: Path = ROOT) -> list[Path]:
    """List the directories of metrics."""
    return sorted(path.parent for path in (root / "metrics").glob("[!_]*/*.py") if path.stem == path.parent.name)


def published_directories(root: Path = ROOT) -> list[Path]:
    """List the directories that are published: the metrics, and the gallery."""
    gallery = root / "spaces" / "gallery"
    return [*metric_directories(root), *([gallery] if gallery.exists() else [])]


def named_modules(path: Path) -> list[str]:
    """List the siblings that a module imports."""
    return list(dict.fromkeys(_SIBLING.findall(path.read_text(encoding="utf-8"))))


def copies(directory: Path) -> dict[Path, str]:
    """Return the copies that belong in a directory, by path, with their text.

    Raises:
        SystemExit: If a script does not name a module that one of its modules imports.
    """
    script, app = directory / f"{directory.name}.py", directory / "app.py"
    names = [f"{module}.py" for module in named_modules(script)] if script.exists() else []
    originals = [SHARED / name for name in names if (SHARED / name).exists()]
    for module in [*originals, *(directory / name for name in names if (directory / name).exists())]:
        for needed in named_modules(module):
            if f"{needed}.py" not in names:
                raise SystemExit(f"{script.name} must import something from .{needed}, which {module.name} needs")
    if app.exists() and _PAGE.search(app.read_text(encoding="utf-8")):
        originals += [READERS, *sorted(path for path in SHARED.glob("[!_]*.*") if path.suffix in COMMENTS)]
    return {directory / one.name: notice_of(one) + one.read_text(encoding="utf-8") for one in originals}


def original_of(name: str) -> Path:
    """Return the original of a file that has copies."""
    return READERS if name == READERS.name else SHARED / name


def notice_of(original: Path) -> str:
    """Return the first line of a copy."""
    return COMMENTS[original.suffix].format(NOTICE.format(path=original.relative_to(ROOT).as_posix()))


def is_copy(path: Path) -> bool:
    """Return whether a file is a copy, by its first line."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return path.suffix in COMMENTS and f"{first}\n" == notice_of(original_of(path.name))


def problems(directory: Path) -> list[str]:
    """Return the copies that are missing, out of date, or not needed any more."""
    expected = copies(directory)
    found = [path for path, text in expected.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    others = {path for path in directory.glob("*.*") if path.suffix in COMMENTS} - expected.keys()
    return [str(path.relative_to(ROOT)) for path in [*found, *sorted(filter(is_copy, others))]]


def main(arguments: list[str]) -> int:
    """Write every copy and remove old ones; with --check, report the differences and fail instead."""
    differing = [path for directory in published_directories() for path in problems(directory)]
    print(*differing, sep="\n", end="\n" if differing else "")
    if arguments == ["--check"]:
        return int(bool(differing))
    expected = {path: text for directory in published_directories() for path, text in copies(directory).items()}
    for path in map(ROOT.joinpath, differing):
        if path in expected:
            path.write_text(expected[path], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
