"""Make a directory for a new metric from metrics/_template: `make new-metric NAME=token_overlap`."""

import re
import sys

from scripts import vendor

TEMPLATE = vendor.ROOT / "metrics" / "_template"
# What the tests of all metrics ask this one, by the end of the file that holds it.
ENTRIES = {
    "tests/contract/samples.py": (
        "}\n\n\ndef sample_of",
        """    "{name}": Sample(
        inputs={{"predictions": PREDICTIONS, "references": REFERENCES}},
        change={{"case_sensitive": False}},
        wrong_options=(("case_sensitive", "no"), ("confidence_level", 1), ("bootstrap_seed", -1)),
    ),
""",
    ),
    "tests/properties/subjects.py": (
        "}\n\n\ndef subject_of",
        """    "{name}": Subject(
        scores=("score",),
        inputs=_answers(),
        scoring={{"case_sensitive": _FLAG}},
        others=_SHOWN,
        effective=lambda options: options["case_sensitive"],
        witnesses={{"case_sensitive": ({{}}, {{"case_sensitive": False}}, _answered(["PARIS"], ["Paris"]))}},
        right=TEXT,
        itself=lambda texts: _answered(texts, texts),
    ),
""",
    ),
}


def main(arguments: list[str]) -> int:
    """Copy the template under the new name, tell the tests of all metrics of it, and vendor what it needs."""
    name = arguments[0] if arguments else ""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        print(f"A metric is named like a Python module, as in NAME=token_overlap; got {name!r}.")
        return 1
    directory = vendor.ROOT / "metrics" / name
    if directory.exists():
        print(f"metrics/{name} exists already.")
        return 1
    words = name.split("_")
    names = {
        "new_metric": name,
        "NewMetric": "".join(word.capitalize() for word in words),
        "New Metric": " ".join(word.capitalize() for word in words),
        "New metric": " ".join(words).capitalize(),
    }
    directory.mkdir()
    for path in sorted(TEMPLATE.glob("*.*")):
        text = path.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        target = directory / path.name.replace("new_metric", name)
        target.write_text(text, encoding="utf-8")
        print(f"made: {target.relative_to(vendor.ROOT)}")
    for file, (end, entry) in ENTRIES.items():
        path = vendor.ROOT / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(end, entry.format(name=name) + end), encoding="utf-8")
        print(f"added an entry to: {file}")
    return vendor.main([])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
