"""Measure the metrics side by side with their peers: `make bench`, or `python -m benchmarks.run --rows accuracy_fuzzy`.

A row of the table compares our metric with its peers on the same inputs. Each side has its own process and environment.
Runs are interleaved, so that load from other programs affects all sides equally; medians and their ratios are reported,
and the results of all sides are compared. After each row the table is written as Markdown and JSON, with a chart of
cost against size; rows that are not measured are kept. Failed rows are listed at the end.
"""

import argparse
import contextlib
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
from dataclasses import asdict
from dataclasses import dataclass
from dataclasses import field
from dataclasses import fields
from datetime import UTC
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any
from typing import Self

from benchmarks.chart import draw
from benchmarks.environments import ROOT
from benchmarks.environments import python_for
from benchmarks.report import to_markdown
from benchmarks.row import Disagreement
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.worker import load_row

RUNS, FEWER_RUNS, SLOW = 5, 3, 4.0
"""Number of runs per side; the smaller number applies if a run takes longer than `SLOW` seconds, and for memory, which
hardly varies."""
_TIMEOUT = 900.0
"""Seconds after which a worker is killed."""
_ROWS = ROOT / "benchmarks" / "rows"
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
    """Seconds, or bytes for memory rows, one per run; as measured, not scaled."""
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

    row: str
    metric: str
    what: str
    unit: str
    measure: str
    size: int
    ours: Measured
    peer: Measured
    wanted: float | None
    ratio: float | None = None
    """Ratio of the medians, theirs / ours; theirs is scaled if it was measured at a smaller size."""
    spread: tuple[float, float] | None = None
    """The smallest and the largest ratio of two consecutive runs."""
    load: float = 0.0
    """The load average of the last minute, including this benchmark."""
    compared: bool = False
    differences: str = ""


class Process:
    """A worker: one side of a row, in its own environment."""

    def __init__(self, row: str, side: Side, python: Path) -> None:
        command = [str(python), "-m", "benchmarks.worker", row, side.name]
        self._process = subprocess.Popen(  # noqa: S603  # our own command
            command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.name = side.name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._process.returncode is None:
            self._process.communicate()

    def ask(self, do: str, **details: Any) -> Any:
        """Send a command and wait for the answer."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the worker has no pipes")
        timer = threading.Timer(_TIMEOUT, self._process.kill)
        timer.start()
        try:
            print(json.dumps({"do": do, **details}), file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not answer:
            raise RuntimeError(f"{self.name} failed during {do!r}, or took too long; its output is above")
        return json.loads(answer)


class Bench:
    """Measures rows; `smoke`: tiny sizes, one run, only installed peers."""

    def __init__(self, directory: Path, *, smoke: bool) -> None:
        self.directory = directory
        self.smoke = smoke

    def measure(self, name: str) -> list[Line]:
        """Measure a row at all of its sizes."""
        row = load_row(name)
        return [line for size in ((row.smoke,) if self.smoke else row.sizes) for line in self._at(name, row, size)]

    def _at(self, name: str, row: Row, size: int) -> list[Line]:
        if python_for(row.ours.needs, install=not self.smoke) is None:
            print(f"  {row.metric}, {row.what}: not installed, left out", flush=True)
            return []
        sides, left_out = [(row.ours, size)], {}
        for peer in row.peers:
            if python_for(peer.needs, install=not self.smoke) is None:
                left_out[peer.name] = "not installed"
            else:
                sides.append((peer, min(size, peer.at_most or size)))
        files = {at: self._write_inputs(row, at) for at in {at for _, at in sides} if row.measure != "start"}
        measured = self._start(sides) if row.measure == "start" else self._run(name, row, sides, files)
        ours = measured[row.ours.name]
        lines = []
        for peer in row.peers:
            skipped = Measured(peer.name, skipped=left_out.get(peer.name, ""))
            theirs = measured.get(peer.name, skipped)
            line = Line(
                name,
                row.metric,
                row.what,
                row.unit,
                row.measure,
                size,
                ours,
                theirs,
                None if self.smoke else peer.at_least,
            )
            line.load = round(os.getloadavg()[0], 1)
            if theirs.values:
                scale = size / theirs.size
                pairs = [scale * other / own for own, other in zip(ours.values, theirs.values, strict=True)]
                line.ratio, line.spread = scale * theirs.median / ours.median, (min(pairs), max(pairs))
                if row.compare and peer.prepare:
                    line.compared = True
                    line.differences = self._compare(
                        name, row, peer, files[theirs.size], ours_is_there=theirs.size == size
                    )
            lines.append(line)
            print(f"  {row.metric}, {row.what}, {size:,} {row.unit}: {_short(line)}", flush=True)
        for file in [*files.values(), *self.directory.glob("*.result")]:
            file.unlink()
        return lines

    def _write_inputs(self, row: Row, size: int) -> Path:
        path = self.directory / f"{size}.inputs"
        path.write_bytes(pickle.dumps(row.inputs(size)))
        return path

    def _result(self, side: Side) -> Path:
        return self.directory / f"{side.name.replace('/', ' ')}.result"

    def _run(self, name: str, row: Row, sides: list[tuple[Side, int]], files: dict[int, Path]) -> dict[str, Measured]:
        """Measure all sides in alternating order."""
        measured = {side.name: Measured(side.name, size=at) for side, at in sides}
        runs, done = (1 if self.smoke else FEWER_RUNS if row.measure == "memory" else RUNS), 0
        processes: dict[str, Process] = {}
        with contextlib.ExitStack() as started:
            while done < runs:
                for side, at in sides if done % 2 == 0 else sides[::-1]:
                    current = measured[side.name]
                    if side.bound:
                        current.values.append(side.bound(at))
                        continue
                    python = python_for(side.needs, install=False)
                    if side.name not in processes and python is not None:
                        processes[side.name] = started.enter_context(Process(name, side, python))
                        processes[side.name].ask("prepare", inputs=str(files[at]))
                        if row.measure == "time" and not self.smoke:
                            warm_up = processes[side.name].ask("run")
                            if warm_up > SLOW:
                                runs = FEWER_RUNS
                    process = processes[side.name]
                    seconds = process.ask("run")
                    current.peak_memory = process.ask("memory")
                    current.values.append(current.peak_memory if row.measure == "memory" else seconds)
                    if done == 0:
                        process.ask("result", to=str(self._result(side)))
                        names = [need.partition("==")[0] for need in side.needs] or list(OURS)
                        current.versions = process.ask("versions", names=names)
                    if row.measure == "memory":  # one run per process
                        processes.pop(side.name).__exit__(None, None, None)
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

    def _compare(self, name: str, row: Row, peer: Side, inputs: Path, *, ours_is_there: bool) -> str:
        """Compare results; if the peer was measured at a smaller size, our side runs again at that size."""
        if row.compare is None:
            return ""
        ours = self._result(row.ours)
        if not ours_is_there:
            ours = self.directory / "ours small.result"
            with Process(name, row.ours, Path(sys.executable)) as process:
                process.ask("prepare", inputs=str(inputs))
                process.ask("run")
                process.ask("result", to=str(ours))
        # Written by this benchmark.
        loaded = [pickle.loads(path.read_bytes()) for path in (inputs, ours, self._result(peer))]  # noqa: S301
        try:
            return row.compare(*loaded)
        except Disagreement as error:
            raise Disagreement(f"{row.ours.name} and {peer.name} disagree: {error}") from None


def _short(line: Line) -> str:
    if line.ratio is None:
        return f"{line.peer.name} {line.peer.skipped}, left out"
    scale = 1e-6 if line.measure == "memory" else 1.0
    unit = "MB" if line.measure == "memory" else "s"
    return (
        f"ours {line.ours.median * scale:.4g} {unit}, {line.peer.name} "
        f"{line.peer.median * scale * line.size / line.peer.size:.4g} {unit}, ratio {line.ratio:.3g}"
        + (f" (wanted {line.wanted:.3g})" if line.wanted else "")
    )


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


def _kept(path: Path, about: dict[str, Any], row: str) -> list[dict[str, Any]]:
    """Read the lines of the other rows if they were measured on the same machine."""
    if not path.exists():
        return []
    table = json.loads(path.read_text(encoding="utf-8"))
    same = all(table["machine"][name] == about[name] for name in ("cpu", "cores", "python"))
    names = {item.name for item in fields(Line)}  # lines of an older runner are dropped
    return [
        line
        for line in table["lines"]
        if same and names == set(line) and line["row"] != row and (_ROWS / f"{line['row']}.py").exists()
    ]


def _write(out: Path, name: str, lines: list[Line]) -> None:
    """Write the table with the new lines of a row."""
    about = machine()
    out.mkdir(parents=True, exist_ok=True)
    every = [asdict(line) for line in lines] + _kept(out / "benchmark.json", about, name)
    table: dict[str, Any] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": about,
        "lines": sorted(every, key=lambda line: line["row"]),
    }
    (out / "benchmark.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (out / "README.md").write_text(to_markdown(table), encoding="utf-8")
    (out / "cost.svg").write_text(draw(table["lines"]), encoding="utf-8")


def main() -> int:
    """Measure the requested rows, and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    every = sorted(path.stem for path in _ROWS.glob("[!_]*.py"))
    parser.add_argument("--rows", nargs="+", default=every, choices=every, metavar="ROW", help=", ".join(every))
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, one run, only installed peers")
    parser.add_argument("--out", type=Path, help="output directory (default: benchmarks/results)")
    options = parser.parse_args()
    out = options.out or (ROOT / ".cache" / "bench-smoke" if options.smoke else ROOT / "benchmarks" / "results")
    failed = []
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(Path(directory), smoke=options.smoke)
        for name in options.rows:
            print(name, flush=True)
            try:
                lines = bench.measure(name)
            except Exception:  # noqa: BLE001  # continue with the other rows; the exit code reports the failure
                traceback.print_exc()
                failed.append(name)
            else:
                _write(out, name, lines)
    print(f"Written to {out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}")
    if failed:
        print(f"Failed, and left as they were: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
