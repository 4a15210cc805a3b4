"""Measure the metrics side by side with their peers: `make bench`, or `python -m benchmarks.run --cases token_f1`.

Each side of a case has its own process and environment. The sides run alternately, so that load from other programs
affects all of them equally, and their results are compared. After each case the tables are written as Markdown and
JSON, unless only some cases are measured. Missed targets and failed cases are listed at the end.

At the top only the standard library, since the processes of all sides run this file too.
"""

import argparse
import contextlib
import gc
import hashlib
import importlib.metadata
import json
import os
import pickle
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import venv
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.cases import CASES, Case, Disagreement, Side
from benchmarks.inputs import ROOT
from benchmarks.report import cells_of, is_missed, to_markdown

FEWER_RUNS, SLOW = 3, 3.0
"""The number of runs per side if one takes longer than `SLOW` seconds, and for memory, which hardly varies."""
_TIMEOUT = 300.0
"""Seconds after which a worker is killed."""
OURS = ("evaluate", "datasets", "pyarrow", "numpy", "rapidfuzz", "sentencex", "openai")
"""The libraries that affect our times."""
ENVIRONMENT = {
    **os.environ,
    "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONWARNINGS": "ignore",
}
RESULTS = ROOT / "benchmarks" / "results"
Line = dict[str, Any]
"""A line of the table: our side and one peer at one size."""


# ---- the process of a side


def _status(name: str) -> int:
    """Return a number of bytes from Linux's description of this process, 0 on other systems."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return 0


def peak_memory() -> int:
    """Return the peak memory of this process in bytes.

    On Linux a child inherits the ru_maxrss of its parent, but not VmHWM.
    """
    unit = 1 if sys.platform == "darwin" else 1024
    return _status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


class Worker:
    """Runs one side of a case."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._run: Any = None
        self._result: Any = None
        self._before = 0

    def prepare(self, inputs: str) -> dict[str, str]:
        """Read the inputs, and return the versions of the libraries of this side."""
        if self._side.prepare is None:
            raise ValueError(f"{self._side.name} has nothing to run")
        with Path(inputs).open("rb") as file:
            self._run = self._side.prepare(pickle.load(file))  # written by this benchmark
        gc.collect()
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
        self._before = _status("VmRSS")
        versions = {}
        for name in [need.partition("==")[0] for need in self._side.needs] or OURS:
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                versions[name] = importlib.metadata.version(name)
        return versions

    def run(self) -> dict[str, float]:
        """Run once, and return what can be measured, by the names in `Case.measure`."""
        self._result = None
        gc.collect()
        start = time.perf_counter()
        self._result = self._run()
        seconds = time.perf_counter() - start
        peak = peak_memory()
        return {"time": seconds, "memory": peak, "extra memory": max(peak - self._before, 1)}

    def save(self, to: str) -> None:
        """Write the result of the last run."""
        Path(to).write_bytes(pickle.dumps(self._result))


def work(case: str, side: str) -> None:
    """Execute commands, lines of JSON, until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of libraries goes to standard error
    worker = Worker(next(each for each in (CASES[case].ours, *CASES[case].peers) if each.name == side))
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(getattr(worker, name)(*arguments)), file=answers, flush=True)


class Process:
    """A worker in the environment of its side; or in this process, for a quick check."""

    def __init__(self, case: str, side: Side, python: Path, *, inside: bool = False) -> None:
        self._name = side.name
        self._worker = Worker(side) if inside else None
        if inside:
            return
        command = [str(python), "-m", "benchmarks.run", "--worker", case, side.name]
        self._process = subprocess.Popen(  # our own command
            command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        """End the process."""
        if self._worker is None and self._process.returncode is None:
            self._process.communicate()

    def ask(self, name: str, *arguments: str) -> Any:
        """Call a method of the worker."""
        if self._worker is not None:
            return getattr(self._worker, name)(*arguments)
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the worker has no pipes")
        timer = threading.Timer(_TIMEOUT, self._process.kill)
        timer.start()
        try:
            print(json.dumps([name, *arguments]), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not answer:
            raise RuntimeError(f"{self._name} failed during {name!r}, or took too long; its output is above")
        return json.loads(answer)


def python_for(needs: tuple[str, ...], *, install: bool) -> Path | None:
    """Return the interpreter of the environment with these requirements; without requirements it is this one.

    A missing environment is created if `install`. None if there is none, or a requirement cannot be installed.
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
        command = [str(python), "-m", "pip", "install", "--quiet", *needs]
        if subprocess.run(command, check=False).returncode:  # from the table of cases
            return None
        ready.touch()
    return python


# ---- measuring


class Bench:
    """Measures cases; `smoke`: tiny sizes, one run, only installed peers, in this process where it has the packages."""

    def __init__(self, directory: Path, *, smoke: bool) -> None:
        self.versions: dict[str, str] = {}
        self._directory = directory
        self._smoke = smoke
        self._pythons: dict[tuple[str, ...], Path | None] = {}

    def measure(self, name: str) -> list[Line]:
        """Measure a case at all of its sizes."""
        case = CASES[name]
        sizes = (case.smoke,) if self._smoke else case.sizes
        return [line for size in sizes for line in self._at(name, case, size)]

    def _python(self, side: Side) -> Path | None:
        if side.needs not in self._pythons:
            self._pythons[side.needs] = python_for(side.needs, install=not self._smoke)
        return self._pythons[side.needs]

    def _at(self, name: str, case: Case, size: int) -> list[Line]:
        sides = [(side, min(size, side.at_most or size)) for side in (case.ours, *case.peers) if self._python(side)]
        values: dict[str, list[float]] = {}
        files: dict[int, Path] = {}
        if self._python(case.ours):
            for at in {at for _, at in sides}:
                files[at] = self._directory / f"{at}.inputs"
                files[at].write_bytes(pickle.dumps(case.inputs(at)))
            values = self._run(name, case, sides, files)
        lines = []
        for peer in case.peers:
            at = min(size, peer.at_most or size)
            line: Line = {"case": name, "subject": case.subject, "what": case.what, "unit": case.unit}
            line |= {"measure": case.measure, "size": size, "peer": peer.name, "peer_size": at}
            line |= {"target": None if self._smoke else peer.target_at(size), "ratio": None, "notes": []}
            line |= {"ours": values.get(case.ours.name, []), "theirs": values.get(peer.name, [])}
            for side in (case.ours, peer):
                if not self._python(side):
                    line["notes"].append(f"{' '.join(side.needs)}: cannot be installed on this machine.")
            if line["ours"] and line["theirs"]:
                line["ratio"] = size / at * statistics.median(line["theirs"]) / statistics.median(line["ours"])
                if at < size:
                    line["notes"].append(f"Measured with {at:,} of {size:,} {case.unit}, and scaled in proportion.")
                if case.compare and peer.prepare:
                    line["notes"] += self._compare(case, peer, files[at])
            lines.append(line)
            print(" ", "; ".join(cells_of(line, [])), *line["notes"], flush=True)
        for file in self._directory.iterdir():
            file.unlink()
        return lines

    def _result(self, side: Side) -> Path:
        return self._directory / f"{side.name.replace('/', ' ')}.result"

    def _open(self, name: str, side: Side, inputs: Path) -> Process:
        python = self._python(side) or Path(sys.executable)
        process = Process(name, side, python, inside=self._smoke and not side.needs)
        self.versions |= process.ask("prepare", str(inputs))
        return process

    def _run(
        self, name: str, case: Case, sides: Sequence[tuple[Side, int]], files: dict[int, Path]
    ) -> dict[str, list[float]]:
        """Measure all sides in alternating order; return the values of each."""
        values: dict[str, list[float]] = {side.name: [] for side, _ in sides}
        runs, done = (1 if self._smoke else case.runs if case.measure == "time" else FEWER_RUNS), 0
        processes: dict[str, Process] = {}
        with contextlib.ExitStack() as started:
            while done < runs:
                for side, at in sides if done % 2 == 0 else sides[::-1]:
                    if side.bound:
                        values[side.name].append(side.bound(at))
                        continue
                    if side.name not in processes:
                        processes[side.name] = self._open(name, side, files[at])
                        started.callback(processes[side.name].close)
                        if (
                            case.measure == "time"
                            and not self._smoke
                            and processes[side.name].ask("run")["time"] > SLOW
                        ):
                            runs = FEWER_RUNS
                    process = processes[side.name]
                    values[side.name].append(process.ask("run")[case.measure])
                    if done == 0:
                        process.ask("save", str(self._result(side)))
                    if case.measure != "time":  # one run per process
                        processes.pop(side.name).close()
                done += 1
        return values

    def _compare(self, case: Case, peer: Side, inputs: Path) -> list[str]:
        """Compare results. If the peer was measured at a smaller size, its inputs are the first ones of ours."""
        # Written by this benchmark.
        given, ours, theirs = (
            pickle.loads(path.read_bytes()) for path in (inputs, self._result(case.ours), self._result(peer))
        )
        if isinstance(theirs, list):
            ours = ours[: len(theirs)]
        try:
            difference = case.compare(given, ours, theirs) if case.compare else ""
        except Disagreement as error:
            raise Disagreement(f"{case.ours.name} and {peer.name} disagree: {error}") from None
        return [difference] if difference else []


# ---- the tables


def machine() -> dict[str, Any]:
    """Describe the machine without its host name, and say the date."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        lines = cpus.read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def write_table(out: Path, measured: dict[str, Any]) -> None:
    """Write the tables: JSON with a line for each line, and Markdown."""
    short = {name: json.dumps(value) for name, value in measured.items()}
    short["lines"] = "[\n" + ",\n".join(json.dumps(line) for line in measured["lines"]) + "\n]"
    text = ",\n".join(f'"{name}": {value}' for name, value in short.items())
    (out / "benchmark.json").write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    (out / "README.md").write_text(to_markdown(measured), encoding="utf-8")


def _rounded(line: Line) -> Line:
    """Round to four digits."""
    values = {side: [float(f"{value:.4g}") for value in line[side]] for side in ("ours", "theirs")}
    return {**line, **values, "ratio": line["ratio"] and float(f"{line['ratio']:.4g}")}


def main() -> int:
    """Measure the requested cases, and write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=CASES, metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, one run, only installed peers")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(*options.worker)
        return 0
    whole = options.cases == list(CASES)
    started = time.monotonic()
    measured: dict[str, Any] = {"machine": machine(), "versions": {}, "failed": [], "lines": []}
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(Path(directory), smoke=options.smoke)
        for name in options.cases:
            print(f"{name} ({time.monotonic() - started:.0f} s)", flush=True)
            try:
                measured["lines"] += map(_rounded, bench.measure(name))
            except Exception:  # continue with the other cases; the exit code reports the failure
                traceback.print_exc()
                measured["failed"].append(name)
            measured["versions"] |= bench.versions
            if whole and not options.smoke:
                write_table(RESULTS, measured)
    missed = [f"{line['case']} against {line['peer']}" for line in measured["lines"] if is_missed(line)]
    print(f"Missed targets: {'; '.join(missed) or 'none'}")
    print(f"Failed: {', '.join(measured['failed']) or 'none'}")
    return 1 if measured["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
