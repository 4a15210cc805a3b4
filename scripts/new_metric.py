"""Make a directory for a new metric from metrics/_template: `make new-metric NAME=token_overlap`."""

import re
import sys

from scripts import vendor

TEMPLATE = vendor.ROOT / "metrics" / "_template"
SAMPLES = vendor.ROOT / "tests" / "contract" / "samples.py"
SAMPLE = """    "{name}": Sample(
        inputs={{"predictions": ANSWERS, "references": RIGHT}},
        change={{"case_sensitive": False}},
        wrong_options=(("case_sensitive", "no"), ("confidence_level", 1), ("bootstrap_seed", -1)),
    ),
}}


def sample_of"""


def main(arguments: list[str]) -> int:
    """Copy the template under the new name, tell the contract tests of it, and vendor the helpers that it uses."""
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
    samples = SAMPLES.read_text(encoding="utf-8")
    SAMPLES.write_text(samples.replace("}\n\n\ndef sample_of", SAMPLE.format(name=name)), encoding="utf-8")
    print(f"added an entry to: {SAMPLES.relative_to(vendor.ROOT)}")
    return vendor.main([])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
