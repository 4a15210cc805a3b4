"""Copy the helpers of metrics/_shared into every metric directory whose main script names them.

evaluate's loader fetches what the main script imports as `from ._x import y`, and nothing else; so the copies that a
directory needs are exactly those. A helper that a directory keeps for itself has no original and is left alone.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT / "metrics" / "_shared"
NOTE = "# Vendored: edit metrics/_shared/{name} and run `make vendor`.\n"


def metric_directories(root: Path = ROOT) -> list[Path]:
    """List the directories that hold a metric."""
    return sorted(path.parent for path in (root / "metrics").glob("[!_]*/*.py") if path.stem == path.parent.name)


def vendored(directory: Path) -> dict[Path, str]:
    """Say what the copies in a metric directory should hold, by path."""
    script = (directory / f"{directory.name}.py").read_text(encoding="utf-8")
    names = sorted({f"{name}.py" for name in re.findall(r"^from \.(_\w+) import", script, re.MULTILINE)})
    return {
        directory / name: NOTE.format(name=name) + (SHARED / name).read_text(encoding="utf-8")
        for name in names
        if (SHARED / name).exists()
    }


def stale(directory: Path) -> list[Path]:
    """List the copies that a metric directory holds but does not need any more."""
    wanted = vendored(directory)
    return [path for path in directory.glob("_*.py") if (SHARED / path.name).exists() and path not in wanted]


def main(arguments: list[str]) -> int:
    """Write what differs and remove what is stale; with --check, say so and fail instead."""
    check = arguments == ["--check"]
    changed = 0
    for directory in metric_directories():
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
