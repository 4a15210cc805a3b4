"""Measure the metrics side by side with their peers: `make bench`, or `python -m benchmarks.run --cases token_f1`.

Each side of a case has its own process and environment. Runs are interleaved, so that load from other programs affects
all sides equally; medians and their ratios are reported, and the results of all sides are compared. After each case the
table is written as Markdown and JSON; cases that are not measured are kept. Missed targets and failed cases are listed
at the end.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pickle
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import venv
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.cases import CASES, Case, Disagreement, Side
from benchmarks.inputs import ROOT
from benchmarks.report import is_missed, show, to_markdown
from benchmarks.worker import Worker

RUNS, FEWER_RUNS, SLOW = 5, 3, 4.0
"""Number of runs per side; the smaller number applies if a run takes longer than `SLOW` seconds, and for memory, which
hardly varies."""
_TIMEOUT = 900.0
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


@dataclass
class Measured:
    """The measurements of a side at one size."""

    name: str
    values: list[float] = field(default_factory=list)
    """Seconds, or bytes for memory, one per run; as measured, not scaled."""
    size: int = 0
    """The measured size."""
    peak_memory: int = 0
    """Of the process, in bytes."""
    versions: dict[str, str] = field(default_factory=dict)
    skipped: str = ""

    @property
    def median(self) -> float:
        """The median of the runs."""
        return statistics.median(self.values)


@dataclass
class Line:
    """A line of the table: our side and one peer at one size."""

    case: str
    metric: str
    what: str
    unit: str
    measure: str
    size: int
    ours: Measured
    peer: Measured
    target: float | None
    ratio: float | None = None
    """Ratio of the medians, theirs / ours; theirs is scaled if it was measured at a smaller size."""
    spread: tuple[float, float] | None = None
    """The smallest and the largest ratio of two consecutive runs."""
    load: float = 0.0
    """The load average of the last minute, including this benchmark."""
    compared: bool = False
    differences: str = ""


def python_for(needs: tuple[str, ...], *, install: bool) -> Path | None:
    """Return the interpreter of the environment with these requirements, creating it if `install`, else None.

    Without requirements it is this one.
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


class Process:
    """A worker: one side of a case, in its own environment; or in this process, for a quick check."""

    def __init__(self, case: str, side: Side, python: Path, *, inside: bool = False) -> None:
        self.name = side.name
        self._worker = Worker(side) if inside else None
        if inside:
            return
        command = [str(python), "-m", "benchmarks.worker", case, side.name]
        self._process = subprocess.Popen(  # noqa: S603  # our own command
            command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        """End the process."""
        if self._worker is None and self._process.returncode is None:
            self._process.communicate()

    def ask(self, do: str, **details: Any) -> Any:
        """Send a command and wait for the answer."""
        command = {"do": do, **details}
        if self._worker is not None:
            return self._worker.execute(command)
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the worker has no pipes")
        timer = threading.Timer(_TIMEOUT, self._process.kill)
        timer.start()
        try:
            print(json.dumps(command), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not answer:
            raise RuntimeError(f"{self.name} failed during {do!r}, or took too long; its output is above")
        return json.loads(answer)


class Bench:
    """Measures cases; `smoke`: tiny sizes, one run, only installed peers, in this process where it has the packages."""

    def __init__(self, directory: Path, *, smoke: bool) -> None:
        self.directory = directory
        self.smoke = smoke

    def measure(self, name: str) -> list[Line]:
        """Measure a case at all of its sizes."""
        case = CASES[name]
        return [line for size in ((case.smoke,) if self.smoke else case.sizes) for line in self._at(name, case, size)]

    def _at(self, name: str, case: Case, size: int) -> list[Line]:
        installed = [side for side in (case.ours, *case.peers) if python_for(side.needs, install=not self.smoke)]
        if case.ours not in installed:
            print(f"  {case.metric}, {case.what}: not installed, left out", flush=True)
            return []
        sides = [(side, min(size, side.at_most or size)) for side in installed]
        files = {at: self._write_inputs(case, at) for at in {at for _, at in sides} if case.measure != "start"}
        measured = self._start(sides) if case.measure == "start" else self._run(name, case, sides, files)
        ours = measured[case.ours.name]
        lines = []
        for peer in case.peers:
            theirs = measured.get(peer.name, Measured(peer.name, skipped="not installed"))
            target = None if self.smoke else peer.target_at(size)
            line = Line(name, case.metric, case.what, case.unit, case.measure, size, ours, theirs, target)
            line.load = round(os.getloadavg()[0], 1)
            if theirs.values:
                scale = size / theirs.size
                pairs = [scale * other / own for own, other in zip(ours.values, theirs.values, strict=True)]
                line.ratio, line.spread = scale * theirs.median / ours.median, (min(pairs), max(pairs))
                if case.compare and peer.prepare:
                    line.compared = True
                    line.differences = self._compare(
                        name, case, peer, files[theirs.size], same_size=theirs.size == size
                    )
            lines.append(line)
            print(f"  {case.metric}, {case.what}, {size:,} {case.unit}: {_short(line)}", flush=True)
        for file in [*files.values(), *self.directory.glob("*.result")]:
            file.unlink()
        return lines

    def _write_inputs(self, case: Case, size: int) -> Path:
        path = self.directory / f"{size}.inputs"
        path.write_bytes(pickle.dumps(case.inputs(size)))
        return path

    def _result(self, side: Side) -> Path:
        return self.directory / f"{side.name.replace('/', ' ')}.result"

    def _open(self, name: str, side: Side, inputs: Path) -> Process:
        python = python_for(side.needs, install=False) or Path(sys.executable)
        process = Process(name, side, python, inside=self.smoke and not side.needs)
        process.ask("prepare", inputs=str(inputs))
        return process

    def _run(self, name: str, case: Case, sides: list[tuple[Side, int]], files: dict[int, Path]) -> dict[str, Measured]:
        """Measure all sides in alternating order."""
        measured = {side.name: Measured(side.name, size=at) for side, at in sides}
        runs, done = (1 if self.smoke else RUNS if case.measure == "time" else FEWER_RUNS), 0
        processes: dict[str, Process] = {}
        with contextlib.ExitStack() as started:
            while done < runs:
                for side, at in sides if done % 2 == 0 else sides[::-1]:
                    current = measured[side.name]
                    if side.bound:
                        current.values.append(side.bound(at))
                        continue
                    if side.name not in processes:
                        processes[side.name] = self._open(name, side, files[at])
                        started.callback(processes[side.name].close)
                        if case.measure == "time" and not self.smoke:
                            warm_up = processes[side.name].ask("run")
                            if warm_up > SLOW:
                                runs = FEWER_RUNS
                    process = processes[side.name]
                    seconds = process.ask("run")
                    current.peak_memory = process.ask("memory", above=case.measure == "extra memory")
                    current.values.append(seconds if case.measure == "time" else current.peak_memory)
                    if done == 0:
                        process.ask("result", to=str(self._result(side)))
                        names = [need.partition("==")[0] for need in side.needs] or list(OURS)
                        current.versions = process.ask("versions", names=names)
                    if case.measure != "time":  # one run per process
                        processes.pop(side.name).close()
                done += 1
        return measured

    def _start(self, sides: list[tuple[Side, int]]) -> dict[str, Measured]:
        """Measure whole processes in alternating order, after a first round that fills the disk cache."""
        measured = {side.name: Measured(side.name, size=at) for side, at in sides}
        for turn in range(2 if self.smoke else 1 + 2 * RUNS):
            for side, _ in sides if turn % 2 else sides[::-1]:
                start = time.perf_counter()
                subprocess.run([sys.executable, "-c", side.code], check=True, capture_output=True, env=ENVIRONMENT)  # noqa: S603
                if turn:
                    measured[side.name].values.append(time.perf_counter() - start)
        return measured

    def _compare(self, name: str, case: Case, peer: Side, inputs: Path, *, same_size: bool) -> str:
        """Compare results; if the peer was measured at a smaller size, our side runs again at that size."""
        if case.compare is None:
            return ""
        ours = self._result(case.ours)
        if not same_size:
            ours = self.directory / "ours small.result"
            process = self._open(name, case.ours, inputs)
            process.ask("run")
            process.ask("result", to=str(ours))
            process.close()
        # Written by this benchmark.
        loaded = [pickle.loads(path.read_bytes()) for path in (inputs, ours, self._result(peer))]  # noqa: S301
        try:
            return case.compare(*loaded)
        except Disagreement as error:
            raise Disagreement(f"{case.ours.name} and {peer.name} disagree: {error}") from None


def _short(line: Line) -> str:
    if line.ratio is None:
        return f"{line.peer.name} {line.peer.skipped}, left out"
    theirs = line.peer.median * line.size / line.peer.size
    text = f"ours {show(line.ours.median, line.measure)}, {line.peer.name} {show(theirs, line.measure)}"
    target = (
        "" if line.target is None else f" (target {line.target:.3g}{', missed' if is_missed(asdict(line)) else ''})"
    )
    return f"{text}, ratio {line.ratio:.3g}{target}"


def machine() -> dict[str, Any]:
    """Describe the machine without its host name."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        lines = cpus.read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _kept(path: Path, about: dict[str, Any], case: str) -> list[dict[str, Any]]:
    """Read the lines of the other cases if they were measured on the same machine."""
    if not path.exists():
        return []
    table = json.loads(path.read_text(encoding="utf-8"))
    same = all(table["machine"][name] == about[name] for name in ("cpu", "cores", "python"))
    names = {item.name for item in fields(Line)}  # lines of an older runner are dropped
    return [
        line
        for line in table["lines"]
        if same and names == set(line) and line["case"] != case and line["case"] in CASES
    ]


def _write(out: Path, name: str, lines: list[Line]) -> None:
    """Write the table with the new lines of a case."""
    about = machine()
    out.mkdir(parents=True, exist_ok=True)
    every = [asdict(line) for line in lines] + _kept(out / "benchmark.json", about, name)
    table: dict[str, Any] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": about,
        "lines": sorted(every, key=lambda line: list(CASES).index(line["case"])),
    }
    (out / "benchmark.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (out / "README.md").write_text(to_markdown(table), encoding="utf-8")


def main() -> int:
    """Measure the requested cases, and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=CASES, metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, one run, only installed peers")
    parser.add_argument("--out", type=Path, help="output directory (default: benchmarks/results)")
    options = parser.parse_args()
    out = options.out or (ROOT / ".cache" / "bench-smoke" if options.smoke else ROOT / "benchmarks" / "results")
    failed, missed = [], []
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(Path(directory), smoke=options.smoke)
        for name in options.cases:
            print(name, flush=True)
            try:
                lines = bench.measure(name)
            except Exception:  # noqa: BLE001  # continue with the other cases; the exit code reports the failure
                traceback.print_exc()
                failed.append(name)
            else:
                _write(out, name, lines)
                missed += [
                    f"{name} at {line.size:,} against {line.peer.name}" for line in lines if is_missed(asdict(line))
                ]
    print(f"Written to {out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}")
    print(f"Missed targets: {'; '.join(missed) or 'none'}")
    if failed:
        print(f"Failed, and left as they were: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
