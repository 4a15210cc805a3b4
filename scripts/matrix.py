"""Run the tests on every Python, with the newest libraries, and on the oldest with the lowest: `make matrix`.

Pythons are found on PATH (`python3.12`) or in pyenv. Missing ones are reported and skipped; GitHub's workflow has them
all.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
CONSTRAINTS = {"lowest": "constraints-lowest.txt", "newest": "constraints.txt"}


class Environment(NamedTuple):
    """A Python version and the set of library versions."""

    python: str
    libraries: str

    @property
    def folder(self) -> Path:
        """The directory of the virtual environment."""
        return ROOT / ".venvs" / f"matrix-{self.python}-{self.libraries}"


ENVIRONMENTS = (Environment(PYTHONS[0], "lowest"), *(Environment(python, "newest") for python in PYTHONS))


def find_python(version: str) -> str | None:
    """Return the path of a working Python: a pyenv shim on PATH may have no Python behind it."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [shutil.which(f"python{version}"), *sorted(map(str, pyenv.glob(f"versions/{version}.*/bin/python")))]
    for command in filter(None, candidates):
        if subprocess.run([command, "-c", ""], capture_output=True, check=False).returncode == 0:  # an installed Python
            return command
    return None


def install(environment: Environment, command: str) -> bool:
    """Create the environment from scratch, with the dependencies of the tests."""
    python = environment.folder / "bin" / "python"
    constraints = ROOT / CONSTRAINTS[environment.libraries]
    steps: tuple[list[str | Path], ...] = (
        [command, "-m", "venv", "--clear", environment.folder],
        [python, "-m", "pip", "install", "--quiet", "pip>=25.1"],
        [python, "-m", "pip", "install", "--quiet", "--constraint", constraints, "--group", "test"],
    )
    return all(subprocess.run(step, cwd=ROOT, check=False).returncode == 0 for step in steps)  # same


def test(environment: Environment, arguments: list[str]) -> str:
    """Run the tests and return the last line of pytest's output."""
    python = environment.folder / "bin" / "python"
    done = subprocess.run(  # same
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not integration", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    lines = done.stdout.strip().splitlines() or ["no output"]
    if done.returncode:
        print(done.stdout)
    return lines[-1] if done.returncode == 0 else f"FAILED: {lines[-1]}"


def main() -> int:
    """Run every environment, or those named, and print one line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", choices=PYTHONS, help="only this version")
    parser.add_argument("--libraries", choices=CONSTRAINTS, help="only this set of versions")
    parser.add_argument("arguments", nargs="*", help="for pytest")
    chosen = parser.parse_args()
    summary = []
    for environment in ENVIRONMENTS:
        if (chosen.python or environment.python, chosen.libraries or environment.libraries) != environment:
            continue
        command = find_python(environment.python)
        if command is None:
            outcome = f"{'FAILED' if chosen.python else 'not tested'}: this Python is not installed"
        elif not install(environment, command):
            outcome = "FAILED: could not be installed"
        else:
            outcome = test(environment, chosen.arguments)
        summary.append(f"Python {environment.python}, {environment.libraries} libraries: {outcome}")
        print(summary[-1], flush=True)
    print("", *summary, sep="\n")
    return int(any("FAILED" in line for line in summary))


if __name__ == "__main__":
    sys.exit(main())
