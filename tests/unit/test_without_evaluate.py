"""The functions that score need neither evaluate nor datasets, and return the same values as the metrics."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ROOT

CODE = """
import json, sys
sys.modules["evaluate"] = sys.modules["datasets"] = None
sys.path.insert(0, "metrics")
from accuracy._matching import CREDIT, Matching, match_answers
from accuracy._normalization import normalize
from accuracy._statistics import interval, proportion
from answer_exact_match._normalization import normalize_answers
from l3score._logprobs import score_top_tokens
from precision_recall_f1._retrieval import RougeMatcher, match_query
from precision_recall_f1._tokens import make_tokenizer
from ranked_retrieval._ranking import score_names, score_ranking
from token_f1._tokens import score_answer

predictions, references = json.load(sys.stdin)
types = match_answers(predictions, references, rules=Matching(match="recall")).types
first, second = normalize_answers(predictions, "squad"), normalize_answers(references, "squad")
matcher = RougeMatcher(make_tokenizer("rouge", use_stemmer=False), 0.7)
matched = [match_query([one], [other], matcher) for one, other in zip(predictions, references)]
json.dump({
    "match_types": types,
    "interval": interval(proportion([CREDIT[kind] for kind in types])),
    "exact": [int(one == other) for one, other in zip(first, second)],
    "f1": [score_answer(one, [other], str.split).f1 for one, other in zip(first, second)],
    "recall": [pair.found / pair.ground_truths for pair in matched],
    "ranked": dict(zip(score_names([2]), score_ranking([2, None], [1.0, 1.0], [2]))),
    "judged": score_top_tokens([("Yes", -0.1), ("No", -2.5)]).score,
    "normalized": normalize("Straße,  1,000"),
}, sys.stdout)
"""
LIBRARIES = {"datasets", "evaluate", "nltk", "numpy", "pandas", "pyarrow", "rapidfuzz", "scipy", "sentencex"}
PAIRS = [
    ("Paris", "paris"),
    ("the Wilhelm Röntgen", "Wilhelm Conrad Röntgen"),
    ("Michelle Obama", "Barack Obama"),
    ("42", "forty-two"),
    ("", "x"),
    ("Mount Everest is the highest mountain", "The highest mountain is Mount Everest"),
]
PREDICTIONS, REFERENCES = (list(column) for column in zip(*PAIRS, strict=True))
# The rows of the document's table: functions, and the libraries that they need.
ROWS = re.findall(
    r"^\| [^|]+ \| (`\w+\._\w+\..*) \| (.*) \|$",
    (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_every_metric_is_documented() -> None:
    assert len(ROWS) == 8


@pytest.mark.parametrize(("functions", "needs"), ROWS)
def test_functions_exist_and_import_only_the_documented_libraries(functions: str, needs: str) -> None:
    named = re.findall(r"`(\w+\._\w+)\.(\w+)", functions)
    lines = [f"from {module} import {function}" for module, function in named]
    code = "\n".join(["import sys", "sys.path.insert(0, 'metrics')", *lines, "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & LIBRARIES == set(needs.split(", ")) - {"–"}


def test_functions_without_evaluate_give_the_values_of_the_metrics(metric: Callable[[str], Any]) -> None:
    given = json.dumps([PREDICTIONS, REFERENCES])
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=True, timeout=60)
    alone = json.loads(done.stdout)
    texts = {"predictions": PREDICTIONS, "references": REFERENCES}
    lists = {name: [[text] for text in column] for name, column in texts.items()}

    accuracy = metric("accuracy").compute(**texts, match="recall")
    assert alone["match_types"] == accuracy["match_types"]
    assert tuple(alone["interval"]) == accuracy["accuracy_confidence_interval"]
    assert alone["normalized"] == "strasse 1000"
    exact = metric("answer_exact_match").compute(**texts, normalizer="squad")
    assert alone["exact"] == exact["individual_scores"]
    assert alone["f1"] == metric("token_f1").compute(**texts, return_details=True)["individual_f1"]
    retrieved = metric("precision_recall_f1").compute(**lists, return_details=True)
    assert alone["recall"] == retrieved["individual_recall"]
    given_ids = {"predictions": [["x", "a"]], "references": [["a", "b"]]}
    ranked = metric("ranked_retrieval").compute(**given_ids, matching_strategy="ID", k=[2])
    assert alone["ranked"].items() <= ranked.items()
    # SPIQA's formula: exp(-0.1) / (exp(-0.1) + exp(-2.5)).
    assert alone["judged"] == pytest.approx(0.9168273, abs=1e-7)
