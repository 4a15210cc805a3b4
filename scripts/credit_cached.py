"""Credit what ran in evaluate's module cache to metrics/: `make coverage`, between `coverage combine` and `report`.

The paths have a hash, so that coverage's own setting for this, `paths`, cannot name them.
"""

import re
import sys
from pathlib import Path

from spaces.flatten import ROOT

CACHED = re.compile(r".*/evaluate_modules/metrics/(\w+)/[0-9a-f]+/")
MEASURED = ("metrics/[!_]*/*.py", "answer_metrics/**/*.py", "spaces/*.py")


def main(path: str = str(ROOT / ".coverage")) -> int:
    """Rewrite the data."""
    from coverage import CoverageData  # installed by `make coverage` only

    measured = CoverageData(path)
    measured.read()
    moved = CoverageData(no_disk=True)
    moved.update(measured, map_path=lambda one: CACHED.sub(r"metrics/\1/", Path(one).as_posix()))
    moved.touch_files(one.relative_to(ROOT).as_posix() for pattern in MEASURED for one in sorted(ROOT.glob(pattern)))
    content = moved.dumps()
    measured.erase()
    CoverageData(path).loads(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
