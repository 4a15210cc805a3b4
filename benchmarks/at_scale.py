"""Measure examples/at_scale.py on many rows: rows per second, and the memory of all processes together over time.

    .venvs/integration/bin/python -m benchmarks.at_scale --rows 1000000 10000000

Needs Linux: memory is anonymous and shared memory according to /proc, without the page cache.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.environments import ROOT
from benchmarks.report import show_bytes

WAYS = ("loop", "datasets", "streaming", "ray")
ROWS_PER_SHARD = 1_000_000


def _tree(root: int) -> list[int]:
    """Return the IDs of a process and all its descendants."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has exited
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _memory(root: int) -> int:
    """Return the memory of a process and its descendants in bytes; shared memory counts once."""
    total = 0
    for pid in _tree(root):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon", "Pss_Shmem")))
    return total * 1024


def measure(way: str, data: Path) -> tuple[str, list[int]]:
    """Run one way; return its output, and its memory over time in bytes."""
    command = [sys.executable, str(ROOT / "examples" / "at_scale.py"), "--way", way, "--data", str(data)]
    memory = []
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
        process = subprocess.Popen(command, stdout=output, stderr=errors, text=True, env=offline)  # noqa: S603  # ours
        while process.poll() is None:
            memory.append(_memory(process.pid))
            time.sleep(0.25)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            raise RuntimeError(errors.read())
        return output.read().strip(), memory


def main() -> None:
    """Print a line per way and size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS)
    parser.add_argument("--data", type=Path, help="keep the shards in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        for rows in options.rows:
            data = (options.data or Path(directory)) / str(rows)
            if not data.exists():
                # In a subprocess: importing the example here would add to this process's memory.
                make = "import sys; from pathlib import Path; from examples.at_scale import write_shards; "
                make += "write_shards(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))"
                data.mkdir(parents=True)
                shards = str(max(4, rows // ROWS_PER_SHARD))
                subprocess.run([sys.executable, "-c", make, str(data), str(rows), shards], check=True, cwd=ROOT)  # noqa: S603  # ours
            size = sum(path.stat().st_size for path in data.iterdir())
            print(f"{rows:,} rows, {size / rows:.0f} bytes a row as Parquet", flush=True)
            for way in options.ways:
                output, memory = measure(way, data)
                quarters = [memory[len(memory) * part // 4 : len(memory) * (part + 1) // 4] for part in range(4)]
                peaks = ", ".join(show_bytes(max(quarter, default=0)) for quarter in quarters)
                print(f"  {output}, peak {show_bytes(max(memory))} (by quarter of the time: {peaks})", flush=True)


if __name__ == "__main__":
    main()
