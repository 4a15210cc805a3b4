"""pip installs the package into an empty environment, where the commands of the documents run as written."""

import csv
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts.matrix import PYTHONS, find_python
from tests.conftest import ROOT
from tests.integration.space_server import free_port, running

NEWEST = next((found for version in reversed(PYTHONS) if (found := find_python(version))), sys.executable)
DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "command-line.md"]
COMMANDS = [
    command
    for path in DOCUMENTS
    for command in re.findall(r"^\$ (answer-metrics .*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
]
USED = """
import json, pickle, subprocess, sys
import answer_metrics

metric = answer_metrics.load("accuracy", match="recall")
again = pickle.loads(pickle.dumps(metric))
given = {"predictions": ["It was Paris.", "x"], "references": ["Paris", "y"]}
assert again.compute(**given) == metric.compute(**given), "pickled"
assert answer_metrics.load("l3score", provider="mock").compute(questions=["?", "?"], **given)
code = '''import sys, answer_metrics
metric = answer_metrics.load("accuracy", num_process=2, process_id=int(sys.argv[1]), experiment_id="two")
metric.add_batch(predictions=["a", "b"], references=["A", "c"])
print(metric.compute(return_details=False))'''
started = [subprocess.Popen([sys.executable, "-c", code, rank], stdout=subprocess.PIPE, text=True) for rank in "10"]
other, first = [one.communicate()[0].strip() for one in started]
assert other == "None" and "'total': 4" in first, (other, first)
"""


@pytest.fixture(scope="module", params=[sys.executable, NEWEST], ids=["this Python", "newest Python"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the last commit as README.md says, make site-packages read-only and return the folder of its programs."""
    if request.param == NEWEST and sys.executable == NEWEST:
        pytest.skip("the same Python")
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([request.param, "-m", "venv", folder], check=True)
    (command,) = re.findall(r"^\$ pip (install .*)$", DOCUMENTS[0].read_text(encoding="utf-8"), re.MULTILINE)
    arguments = command.replace("https://github.com/<org>/<repository>", ROOT.as_uri()).replace('"', "").split()
    subprocess.run([folder / "bin" / "python", "-m", "pip", *arguments, "--quiet"], check=True)
    for path in next(folder.glob("lib/python*/site-packages")).glob("answer_metrics/**/"):
        path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    return folder / "bin"


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """Return a function that runs a command with nothing but the environment's programs, and without a network."""
    offline = {"HF_HUB_OFFLINE": "1", "https_proxy": "http://127.0.0.1:9"}

    def run_(*command: str) -> str:
        environment = {"PATH": f"{installed}:/usr/bin:/bin", "HOME": str(tmp_path), **offline}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr}"
        return done.stdout

    return run_


def write_files(folder: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number in range(240):
        answer = ("Paris", "the Seine", "Rome")[number % 3]
        subject = ("cities", "rivers")[number % 2]
        rows.append({"id": number, "output": answer, "gold": ["Paris", "Seine"], "subject": subject})
    lines = {"answers.jsonl": rows, "a.jsonl": rows, "b.jsonl": [{**row, "output": "Paris"} for row in reversed(rows)]}
    lines |= {"main.jsonl": rows, "branch.jsonl": rows}
    lines["judged.jsonl"] = [{"id": number, "verdict": ("correct", "incorrect")[number % 2]} for number in range(20)]
    lines["samples.jsonl"] = [{**row, "question_id": row["id"] // 6} for row in rows]
    for name, found in lines.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    (folder / "run.trec").write_text("q1 Q0 d1 1 0.9 x\nq1 Q0 d2 2 0.8 x\n", encoding="utf-8")
    (folder / "qrels.txt").write_text("q1 0 d2 1\n", encoding="utf-8")
    asked = {"id": "x1", "question": "?", "answers": [{"text": "Paris", "answer_start": 0}]}
    dataset = {"version": "v2.0", "data": [{"title": "", "paragraphs": [{"context": "Paris", "qas": [asked]}]}]}
    (folder / "dev-v2.0.json").write_text(json.dumps(dataset), encoding="utf-8")
    (folder / "predictions.json").write_text('{"x1": "Paris"}', encoding="utf-8")


def label(path: Path) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "label": int(row["predictions"] != "Rome")} for row in rows)


def test_commands_of_the_documents_run_as_written(run: Callable[..., str], tmp_path: Path) -> None:
    write_files(tmp_path)
    ran = 0
    for command in COMMANDS:
        if " space " in command:  # below
            continue
        run(*command.split())
        ran += 1
        if command.startswith("answer-metrics label"):
            label(tmp_path / "to_label.csv")
    assert ran >= 9
    assert json.loads(run("answer-metrics", "score", "scored.parquet", "--json"))["accuracy"] == pytest.approx(2 / 3)


def test_package_works_offline_and_read_only(run: Callable[..., str]) -> None:
    run("python", "-c", USED)
    assert re.fullmatch(r"answer-metrics \d+\.\d+\.\d+\n", run("answer-metrics", "--version"))
    assert run("python", "-m", "answer_metrics", "metrics") == run("answer-metrics", "metrics")


def test_page_is_served(tmp_path: Path) -> None:
    """In this environment, which has Gradio; its package is the checkout."""
    pytest.importorskip("gradio")
    port = free_port()
    command = next(command.split() for command in COMMANDS if " space " in command)
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-m", "answer_metrics", *command[1:]]
    with running(program, f"http://127.0.0.1:{port}", tmp_path / "log", env=environment):
        pass
