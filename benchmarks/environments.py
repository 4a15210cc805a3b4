"""Separate virtual environments for the peers, under `.venvs/`."""

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python_for(needs: tuple[str, ...], *, install: bool) -> Path | None:
    """Return the interpreter of the environment with these requirements, creating it if `install`, else None.

    Without requirements it is the current environment.
    """
    if not needs:
        return Path(sys.executable)
    names = "-".join(need.partition("==")[0] for need in needs)
    home = ROOT / ".venvs" / f"peer-{names}-{hashlib.sha256(' '.join(needs).encode()).hexdigest()[:8]}"
    python, ready = home / "bin" / "python", home / ".ready"
    if not ready.exists():
        if not install:
            return None
        print(f"Setting up {home.relative_to(ROOT)} ...", flush=True)
        venv.create(home, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *needs], check=True)  # noqa: S603  # from the rows
        ready.touch()
    return python
