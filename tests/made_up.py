"""A made-up metric, the smallest one that the loader and the publishing command accept."""

import subprocess
from pathlib import Path

NAME = "made_up"

SCRIPT = '''"""The share of equal texts."""

import datasets
import evaluate

from ._equal import equal
from ._metric import VERSION


class MadeUp(evaluate.Metric):
    """The share of equal texts."""

    def _info(self):
        features = datasets.Features({"predictions": datasets.Value("string"), "references": datasets.Value("string")})
        return evaluate.MetricInfo(description=__doc__, citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"made_up": sum(map(equal, predictions, references)) / len(predictions), "version": VERSION}
'''

CARD = """---
title: Made up
sdk: gradio
sdk_version: "6.31.0"
python_version: "3.12"
app_file: app.py
tags:
  - evaluate
  - metric
short_description: The share of equal texts
---

# Metric card

```python
metric = evaluate.load("<org>/made_up")
```
"""

HELPER = '"""Equality."""\n\n\ndef equal(a, b):\n    return a == b\n'

# A minimal page: the process that starts app.py sets the port.
APP = '''"""A page."""

import os
from http.server import HTTPServer, SimpleHTTPRequestHandler

HTTPServer(("127.0.0.1", int(os.environ["GRADIO_SERVER_PORT"])), SimpleHTTPRequestHandler).serve_forever()
'''

FILES = {
    "made_up.py": SCRIPT, "_equal.py": HELPER, "_metric.py": '"""The version."""\n\nVERSION = "0.1.0"\n',
    "app.py": APP, "requirements.txt": "evaluate\ndatasets\n", "README.md": CARD,
}  # fmt: skip


def git(directory: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True, text=True).stdout.strip()


def commit(directory: Path) -> None:
    """Commit all changes to files that git tracks, as nothing else is published."""
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    git(directory, *author, "commit", "--quiet", "--all", "--allow-empty", "--message", "Change")


def write(parent: Path) -> Path:
    """Write the metric below `parent`, add it to a git repository, and return its directory."""
    directory = parent / NAME
    directory.mkdir(parents=True)
    for name, text in FILES.items():
        (directory / name).write_text(text, encoding="utf-8")
    git(parent, "init", "-q")
    git(parent, "add", ".")
    commit(parent)
    return directory


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
