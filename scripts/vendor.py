"""Copy shared code into every directory that is published: each metric, and the gallery.

evaluate's loader fetches only the helpers that a metric's script imports as `from ._x import y`. A helper may import
other helpers in the same form, which the script must then import as well. So a metric needs copies of the transitive
closure of these imports in metrics/_shared. A directory whose app.py imports `space_ui` gets a copy of the whole
folder, which the loader ignores. Helpers of a single metric have no original and are not touched.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT / "metrics" / "_shared"
PAGE = "space_ui"
NOTICES = {
    ".css": "/* Vendored: edit metrics/_shared/{name} and run `make vendor`. */\n",
    ".html": "{{# Vendored: edit metrics/_shared/{name} and run `make vendor`. #}}\n",
    ".js": "// Vendored: edit metrics/_shared/{name} and run `make vendor`.\n",
    ".svg": "<!-- Vendored: edit metrics/_shared/{name} and run `make vendor`. -->\n",
    ".py": "# Vendored: edit metrics/_shared/{name} and run `make vendor`.\n",
}
_SIBLING = re.compile(r"^from \.(_\w+) import", re.MULTILINE)
_REEXPORT = re.compile(r"^from \._\w+ import (\w+) as \1\n", re.MULTILINE)


def metric_directories(root: Path = ROOT) -> list[Path]:
    """List the directories of metrics."""
    return sorted(path.parent for path in (root / "metrics").glob("[!_]*/*.py") if path.stem == path.parent.name)


def published_directories(root: Path = ROOT) -> list[Path]:
    """List the directories that are published: the metrics, and the gallery."""
    gallery = root / "spaces" / "gallery"
    return [*metric_directories(root), *([gallery] if gallery.exists() else [])]


def shared_folder(directory: Path) -> Path:
    """Return the folder with the originals of a directory's copies."""
    sibling = directory.parent / "_shared"
    return sibling if sibling.is_dir() else directory.parents[1] / "metrics" / "_shared"


def helpers(directory: Path) -> list[str]:
    """List the helpers that a metric needs: those that its script imports, and their imports, transitively."""
    pending = _imported(directory / f"{directory.name}.py")
    found: list[str] = []
    while pending:
        name = pending.pop(0)
        if name not in found:
            found.append(name)
            original = shared_folder(directory) / f"{name}.py"
            pending += _imported(original if original.is_file() else directory / f"{name}.py")
    return found


def _imported(path: Path) -> list[str]:
    return _SIBLING.findall(_read(path))


def originals(directory: Path) -> list[Path]:
    """List the files that a directory needs copies of."""
    shared = shared_folder(directory)
    paths = [shared / f"{name}.py" for name in helpers(directory)]
    if re.search(rf"^ *from {PAGE}\b", _read(directory / "app.py"), re.MULTILINE):
        paths += _page_files(shared)
    return sorted(path for path in paths if path.is_file())


def _page_files(folder: Path) -> list[Path]:
    return [path for path in (folder / PAGE).rglob("*.*") if path.suffix in NOTICES]


def vendored(directory: Path) -> dict[Path, str]:
    """Return the expected content of the copies in a directory, by path."""
    shared = shared_folder(directory)
    copies = {}
    for path in originals(directory):
        name = path.relative_to(shared)
        copies[directory / name] = NOTICES[path.suffix].format(name=name.as_posix()) + _read(path)
    return copies


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def stale(directory: Path) -> list[Path]:
    """List the copies in a directory that are no longer needed."""
    if not shared_folder(directory).is_dir():  # outside a checkout, copies cannot be told from other files
        return []
    needed = vendored(directory)
    known = {path.name for path in shared_folder(directory).glob("_*.py")}
    copies = [path for path in directory.glob("_*.py") if path.name in known]
    return [path for path in copies + _page_files(directory) if path not in needed]


def problems(directory: Path) -> Iterator[str]:
    """Yield the problems with a directory's copies, and with the imports that determine them."""
    script = directory / f"{directory.name}.py"
    named = _imported(script)
    for name in helpers(directory):
        if name not in named:
            yield f"{script.name} must import from .{name} itself: a helper needs it, and evaluate fetches no other"
    for path, text in vendored(directory).items():
        if _read(path) != text:
            yield f"{path.relative_to(directory).as_posix()} differs from its original: run make vendor"
    for path in stale(directory):
        yield f"{path.relative_to(directory).as_posix()} is a copy that nothing needs: run make vendor"


def name_helpers(directory: Path) -> None:
    """Add `from ._x import y as y` to a script for each helper that only other helpers import, and remove others."""
    script = directory / f"{directory.name}.py"
    if not script.is_file():
        return
    text = _read(script)
    without_reexports = _REEXPORT.sub("", text)
    used = set(_SIBLING.findall(without_reexports))
    lines = {
        name: f"from .{name} import {_first_name(directory, name)}" for name in helpers(directory) if name not in used
    }
    imports = sorted(
        {*re.findall(r"^from \._\w+ import .*\n", without_reexports, re.MULTILINE)}
        | {f"{line} as {line.rpartition(' ')[2]}\n" for line in lines.values()},
        key=lambda line: (line.split()[1], line.split()[3].isupper() is False, line.split()[3][0].islower(), line),
    )
    first = without_reexports.find("\nfrom ._") + 1
    written = (
        without_reexports[:first]
        + "".join(imports)
        + re.sub(r"^from \._\w+ import .*\n", "", without_reexports[first:], flags=re.MULTILINE)
    )
    if first and written != text:
        print(f"updated: {script.relative_to(ROOT)}")
        script.write_text(written, encoding="utf-8")


def _first_name(directory: Path, helper: str) -> str:
    """Return a public name that a helper defines."""
    original = shared_folder(directory) / f"{helper}.py"
    text = _read(original if original.is_file() else directory / f"{helper}.py")
    found = re.search(r"^(?:class|def) ([A-Za-z]\w*)|^([A-Z]\w*)(?:: .+?)? = ", text, re.MULTILINE)
    if not found:
        raise ValueError(f"{helper}.py defines no public name that a script could import")
    return found[1] or found[2]


def attributes() -> str:
    """Return the content of .gitattributes, which marks the copies, but not the helpers of a single metric."""
    copies = [f"metrics/[a-z]*/{path.name}" for path in sorted(SHARED.glob("_*.py"))]
    lines = [
        f"{pattern} linguist-generated\n" for pattern in (*copies, f"metrics/[a-z]*/{PAGE}/**", f"spaces/*/{PAGE}/**")
    ]
    return "# Written by `make vendor`: GitHub folds vendored copies in diffs, and does not count them.\n" + "".join(
        lines
    )


def main(arguments: list[str]) -> int:
    """Update copies and remove stale ones; with --check, report them and fail instead."""
    check = arguments == ["--check"]
    failed = False
    for directory in published_directories():
        if not check:
            name_helpers(directory)
            for path, text in vendored(directory).items():
                if _read(path) != text:
                    print(f"updated: {path.relative_to(ROOT)}")
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
            for path in stale(directory):
                print(f"removed: {path.relative_to(ROOT)}")
                path.unlink()
        for problem in problems(directory):
            failed = True
            print(f"{directory.relative_to(ROOT)}: {problem}")
    path = ROOT / ".gitattributes"
    if _read(path) != attributes():
        failed = failed or check
        print(f"{path.name} does not list the copies: run make vendor" if check else f"updated: {path.name}")
        if not check:
            path.write_text(attributes(), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
