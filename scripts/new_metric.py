"""Create a new metric and its unit test from metrics/_template: `make new-metric NAME=token_overlap`.

Also adds an entry to every file that lists all metrics. CONTRIBUTING.md continues from there.
"""

import importlib.util
import keyword
import re
import subprocess
import sys
from typing import NamedTuple

from spaces.flatten import ROOT, module_path

TEMPLATE = ROOT / "metrics" / "_template"


class Entry(NamedTuple):
    """A text to insert into a file that lists all metrics, after or before the last match of a pattern."""

    file: str
    text: str
    after: str = ""
    before: str = ""


ENTRIES = (
    Entry(
        "tests/contract/samples.py",
        """    "{name}": Sample(ANSWERS, change={{"case_sensitive": False}}),
""",
        before=r"^}\n\n\ndef sample_of",
    ),
    Entry(
        "tests/properties/subjects.py",
        """    "{name}": Subject(scores=("score",), witnesses={{"case_sensitive": (False, ["PARIS"], ["Paris"])}}),
""",
        before=r"^}\n\n\ndef subject_of",
    ),
    Entry(
        "README.md",
        "| predictions that should begin with their reference | [`{name}`](metrics/{name}/README.md) |\n",
        after=r"^\|[^|\n]*\| \[`\w+`\]\(metrics/\w+/README\.md\).*\n",
    ),
    Entry(
        "CHANGELOG.md",
        "- `{name}`: the share of predictions that begin with their reference.\n",
        after=r"^## \[Unreleased\]\n(?:(?:(?!## \[).*\n)*?### Added\n\n|\n)",
    ),
)
BY_HAND = """
What is left to write:
  metrics/{name}/{name}.py: the score, its options and its results
  metrics/{name}/README.md: the card (make cards writes its tables)
  metrics/{name}/examples.json: what its page shows first
  metrics/{name}/app.py: what its page says about each row
  tests/unit/test_{name}.py: tests of the scoring function; so far of the template's
  tests/contract/samples.py, tests/properties/subjects.py: inputs, and options that change the result
  tests/unit/test_space.py: its name in METRICS, so that its page is tested
  README.md, CHANGELOG.md: one line each; so far they describe the template
  spaces/gallery/app.py and its requirements.txt: a line in CONFIGURATIONS, if the gallery should show it
CONTRIBUTING.md shows all of this for one metric. `make test` says what is missing."""


def check_name(name: str) -> str:
    """Return the problem with the name of a metric, or an empty string."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        return f"A metric is named like a Python module, as in NAME=token_overlap; got {name!r}."
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name!r} is a keyword of Python."
    if (ROOT / "metrics" / name).exists():
        return f"metrics/{name} already exists."
    if (ROOT / "answer_metrics" / name).with_suffix("").exists() or module_path(name).exists():
        return f"{name!r} is the name of a module of answer_metrics, where an installed metric is."
    if name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None:
        return f"{name!r} is the name of a module of Python or of an installed library."
    return ""


def write_directory(name: str) -> None:
    """Copy the template under a new name, and its test to the unit tests."""
    words = name.split("_")
    names = {
        "new_metric": name,
        "NewMetric": "".join(word.capitalize() for word in words),
        "New Metric": " ".join(word.capitalize() for word in words),
        "New metric": " ".join(words).capitalize(),
    }
    directory = ROOT / "metrics" / name
    directory.mkdir()
    for path in sorted(TEMPLATE.glob("*.*")):
        text = path.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        tests = ROOT / "tests" / "unit"
        target = (tests if path.name.startswith("test_") else directory) / path.name.replace("new_metric", name)
        target.write_text(text, encoding="utf-8")
        print(f"created: {target.relative_to(ROOT)}")


def add_entry(entry: Entry, name: str) -> None:
    """Insert an entry at its pattern; a file without a match is reported and left unchanged."""
    path = ROOT / entry.file
    text = path.read_text(encoding="utf-8")
    matches = list(re.finditer(entry.after or entry.before, text, re.MULTILINE))
    if not matches:
        print(f"add an entry by hand: {entry.file}")
        return
    position = matches[-1].end() if entry.after else matches[-1].start()
    path.write_text(text[:position] + entry.text.format(name=name) + text[position:], encoding="utf-8")
    print(f"added an entry: {entry.file}")


def main(arguments: list[str]) -> int:
    """Create the directory and the entries, then the tables."""
    name = arguments[0] if arguments else ""
    problem = check_name(name)
    if problem:
        print(problem)
        return 1
    write_directory(name)
    for entry in ENTRIES:
        add_entry(entry, name)
    # In a separate process, since it loads the metric.
    done = subprocess.run([sys.executable, "-m", "scripts.document"], cwd=ROOT, check=False)
    print(BY_HAND.format(name=name))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
