"""Credit what ran in copies to the original files: `make coverage`, between `coverage combine` and `coverage report`.

evaluate runs a metric from a copy in its module cache, and a metric's shared modules are copies of metrics/_shared, one
line longer. Without this the shared modules would seem untested, and files that no test imports would not be listed.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from scripts import vendor

_CACHED = re.compile(r"evaluate_modules/metrics/(\w+)/[0-9a-f]+/((?!__)\w+\.py)$")
_MEASURED = ("metrics/*/*.py", "answer_metrics/*.py", "spaces/*.py")

Arc = tuple[int, int]


def original_of(path: str) -> tuple[str, int]:
    """Return the file of the repository that a measured file is, or is a copy of, and how many lines the copy adds."""
    cached = _CACHED.search(Path(path).as_posix())
    local = vendor.ROOT / (f"metrics/{cached[1]}/{cached[2]}" if cached else path)
    if local.is_file() and vendor.is_copy(local):
        return vendor.original_of(local.name).relative_to(vendor.ROOT).as_posix(), 1
    return (local.relative_to(vendor.ROOT).as_posix() if local.is_relative_to(vendor.ROOT) else path), 0


def moved(line: int, lines: int) -> int:
    """Return a line's number after a move upward; an entry or exit is the negative line of its function."""
    return line - lines if line > 0 else min(line + lines, -1)


def credited(measured: dict[str, set[Arc]]) -> dict[str, set[Arc]]:
    """Return the arcs, pairs of lines that ran one after the other, by original file."""
    found: dict[str, set[Arc]] = defaultdict(set)
    for path, arcs in measured.items():
        original, lines = original_of(path)
        if "evaluate_modules" not in original:  # an empty `__init__.py` that evaluate adds
            found[original] |= {(moved(start, lines), moved(end, lines)) for start, end in arcs}
    return found


def main() -> int:
    """Rewrite .coverage."""
    from coverage import CoverageData  # noqa: PLC0415  # installed by `make coverage` only

    data = CoverageData(str(vendor.ROOT / ".coverage"))
    data.read()
    arcs = credited({path: set(data.arcs(path) or ()) for path in data.measured_files()})
    data.erase()
    data = CoverageData(str(vendor.ROOT / ".coverage"))  # the old one no longer says that it has branches
    data.add_arcs(arcs)
    present = {path for pattern in _MEASURED for path in vendor.ROOT.glob(pattern) if not vendor.is_copy(path)}
    data.touch_files(path.relative_to(vendor.ROOT).as_posix() for path in sorted(present))
    data.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
