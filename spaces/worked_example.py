"""The first example of a metric's page with its result, for static pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple

from spaces.hub_errors import PublishError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence
    from pathlib import Path

SECONDS = 120
# In a separate process, since each metric has its own copy of the package `space_ui`.
CODE = """
import json, pathlib
from space_ui.workers import load_space
space = load_space(pathlib.Path("app.py"))
first = space.examples[0]
status, answer = 200, first.get("answer")
if answer is None:
    status, answer = space.respond(json.dumps({"rows": first["rows"], "options": first["options"]}).encode())
inputs = json.loads(answer["json"])["inputs"] if status == 200 else {}
arguments = {name: values[:1] for name, values in inputs.items()} | space.asked(space.clean(first["options"]))
note = "" if "recorded" in first else first["note"]  # it says what to do on the page; the notice describes the example
described = {"title": first["title"], "note": note, "name": space.name, "arguments": arguments}
print(json.dumps({"status": status, "answer": answer, **described}))
"""


class WorkedExample(NamedTuple):
    """An example and its result."""

    title: str
    note: str
    notices: Sequence[str]
    scores: Sequence[dict[str, Any]]
    """Name, value, and the interval's `low` and `high`, or None."""
    level: float
    sentence: str
    columns: Sequence[str]
    rows: Sequence[dict[str, Any]]
    """Outcome, label, cells and explanation of each example."""
    signature: str
    code: str


def worked_example(directory: Path, space: str) -> WorkedExample | None:
    """Compute the first example of a metric's page; None for a directory without a page.

    Args:
        directory: The metric.
        space: The name with owner to load in the code.

    Raises:
        PublishError: If it can't be computed.
    """
    if not (directory / "examples.json").is_file() or not (directory / "space_ui" / "workers.py").is_file():
        return None
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "SPACE_ID": space, "HF_HOME": home, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(  # noqa: S603  # our own code
            [sys.executable, "-c", CODE],
            cwd=directory,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    if done.returncode:
        raise PublishError(f"{directory.name}: its first example fails: {(done.stderr.splitlines() or [''])[-1]}")
    printed = json.loads(done.stdout.splitlines()[-1])
    answer = printed["answer"]
    if printed["status"] != 200:  # noqa: PLR2004  # OK
        raise PublishError(f"{directory.name}: its first example fails: {answer['error']}")
    return WorkedExample(
        title=printed["title"],
        note=printed["note"],
        notices=answer["notices"],
        scores=answer["scores"],
        level=answer["level"],
        sentence=answer["sentence"],
        columns=answer["columns"],
        rows=[{**example, "why": plain_text(example["why"])} for example in answer["examples"]],
        signature=answer["footnote"].rpartition(" · ")[0],
        code=python_code(printed["name"], space, printed["arguments"]),
    )


def python_code(name: str, space: str, arguments: Mapping[str, Any]) -> str:
    """Write the code that scores the first row of the example with its options."""
    given = "".join(f"    {argument}={value!r},\n" for argument, value in arguments.items())
    return f'import evaluate\n\n{name} = evaluate.load("{space}")\nprint({name}.compute(\n{given}))'


def plain_text(spans: Sequence[Sequence[Any]]) -> str:
    """Convert an explanation, the spans of `space_ui.report`, to plain text."""
    parts = []
    for kind, *values in spans:
        match kind:
            case "soft":
                parts.append(f" · {values[0]}" if values[0] else " · ")
            case "inside":
                parts.append("".join(values))
            case "pair":
                parts.append(f"{values[0]} {values[2]} {values[1]}")
            case "text" | "code":
                parts.append(values[0])
            case _:  # a drawing
                pass
    return "".join(parts).strip(" ·")
