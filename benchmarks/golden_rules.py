"""Measure the sentences of precision_recall_f1 against the English Golden Rules of Pragmatic Segmenter.

    python -m benchmarks.golden_rules path/to/test_english.py

The 48 rules are the pairs of a text and its sentences in `tests/lang/test_english.py` of pySBD
(https://github.com/nipunsadvilkar/pySBD); that file is not part of this project.
"""

import ast
import sys
from pathlib import Path

from metrics._shared._retrieval import make_splitter

NAME = "GOLDEN_EN_RULES_TEST_CASES"


def read_rules(source: str) -> list[tuple[str, list[str]]]:
    """Read the pairs from pySBD's test file without running it.

    Raises:
        ValueError: If the file has no such list.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == NAME and isinstance(node.value, ast.List):
            # Pairs that pySBD gets wrong are written as pytest.param(text, sentences, marks=...).
            pairs = [pair.args if isinstance(pair, ast.Call) else pair.elts for pair in node.value.elts]  # type: ignore[attr-defined]
            return [(ast.literal_eval(text), ast.literal_eval(sentences)) for text, sentences in pairs]
    raise ValueError(f"no list {NAME}: give tests/lang/test_english.py of pySBD")


if __name__ == "__main__":
    rules, split = read_rules(Path(sys.argv[1]).read_text(encoding="utf-8")), make_splitter("en")
    missed = [(expected, found) for text, expected in rules if (found := split(text)) != expected]
    for pair in missed:
        print("expected {}\n   found {}".format(*pair))
    print(f"{len(rules) - len(missed)} of {len(rules)} rules")
