"""Copy helpers into every directory that is published: each metric, and the gallery.

evaluate's loader fetches what a metric's main script imports as `from ._x import y`, and nothing else; so the copies
that a metric needs are exactly those, from metrics/_shared. Its page, app.py, needs what it imports as
`from _x import y` from spaces/form, and what that imports in turn, with the style sheet and the script of the same
name; the loader never sees these. A helper that a directory keeps for itself has no original and is left alone.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT / "metrics" / "_shared"
FORM = ROOT / "spaces" / "form"
NOTE = "# Vendored: edit metrics/_shared/{name} and run `make vendor`.\n"
FORM_NOTES = {
    ".py": "# Vendored: edit spaces/form/{name} and run `make vendor`.\n",
    ".css": "/* Vendored: edit spaces/form/{name} and run `make vendor`. */\n",
    ".js": "// Vendored: edit spaces/form/{name} and run `make vendor`.\n",
}


def metric_directories(root: Path = ROOT) -> list[Path]:
    """List the directories that hold a metric."""
    return sorted(path.parent for path in (root / "metrics").glob("[!_]*/*.py") if path.stem == path.parent.name)


def published_directories(root: Path = ROOT) -> list[Path]:
    """List the directories that are published: the metrics, and the gallery."""
    gallery = root / "spaces" / "gallery"
    return [*metric_directories(root), *([gallery] if gallery.exists() else [])]


def originals(directory: Path) -> list[Path]:
    """List the files that a directory needs copies of."""
    script, page = directory / f"{directory.name}.py", directory / "app.py"
    named = re.findall(r"^from \.(_\w+) import", _read(script), re.MULTILINE)
    found = {SHARED / f"{name}.py" for name in named}
    ahead = re.findall(r"^ *from (_\w+) import", _read(page), re.MULTILINE)
    while ahead:
        path = FORM / f"{ahead.pop()}.py"
        if path not in found and path.exists():
            found |= {path.with_suffix(suffix) for suffix in FORM_NOTES}
            ahead += re.findall(r"^ *from (_\w+) import", _read(path), re.MULTILINE)
    return sorted(path for path in found if path.exists())


def vendored(directory: Path) -> dict[Path, str]:
    """Say what the copies in a directory should hold, by path."""
    copies = {}
    for path in originals(directory):
        note = NOTE if path.parent == SHARED else FORM_NOTES[path.suffix]
        copies[directory / path.name] = note.format(name=path.name) + _read(path)
    return copies


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def stale(directory: Path) -> list[Path]:
    """List the copies that a directory holds but does not need any more."""
    wanted = vendored(directory)
    known = {path.name for folder in (SHARED, FORM) for path in folder.glob("_*")}
    return [path for path in directory.glob("_*.*") if path.name in known and path not in wanted]


def main(arguments: list[str]) -> int:
    """Write what differs and remove what is stale; with --check, say so and fail instead."""
    check = arguments == ["--check"]
    changed = 0
    for directory in published_directories():
        for path, text in vendored(directory).items():
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                changed += 1
                print(f"{'differs' if check else 'updated'}: {path.relative_to(ROOT)}")
                if not check:
                    path.write_text(text, encoding="utf-8")
        for path in stale(directory):
            changed += 1
            print(f"{'not needed' if check else 'removed'}: {path.relative_to(ROOT)}")
            if not check:
                path.unlink()
    if check and changed:
        print("Run `make vendor`.")
    return int(check and changed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
