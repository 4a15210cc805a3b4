"""The functions that score need neither evaluate nor datasets, and return the same values as the metrics."""

import json
import math
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
from accuracy._answer_matching import CREDIT, Matching, match_answers
from answer_exact_match._answer_normalizers import normalize_answers
from answer_exact_match._exact_match import exact_matches
from l3score._logprobs import score_top_tokens
from precision_recall_f1._matching import RougeMatcher, match_query
from precision_recall_f1._tokens import make_tokenizer
from ranked_retrieval._ranking import score_ranking
from token_f1._overlap import score_answer
from accuracy._comparison import compare_statistics
from accuracy._human_labels import correct_score
from accuracy._score_intervals import score_interval
from accuracy._statistics import proportion_statistic

data = json.load(sys.stdin)
predictions, references = data["predictions"], data["references"]
types = match_answers(predictions, references, rules=Matching(match="recall")).types
interval = score_interval(proportion_statistic([CREDIT[kind] for kind in types]))
normalized = normalize_answers(predictions, "squad"), normalize_answers(references, "squad")
tokens = [score_answer(one, [other], str.split) for one, other in zip(*normalized, strict=True)]
matcher = RougeMatcher(make_tokenizer("rouge", use_stemmer=False), 0.7)
matched = [match_query([one], [other], matcher) for one, other in zip(predictions, references, strict=True)]
json.dump({
    "match_types": types,
    "interval": interval,
    "exact": exact_matches(*normalized),
    "f1": [overlap.f1 for overlap in tokens],
    "recall": [pair.found / pair.ground_truths for pair in matched],
    "judged": score_top_tokens([("Yes", -0.1), ("No", -2.5)]).score,
}, sys.stdout)
"""
LIBRARIES = {"datasets", "evaluate", "nltk", "numpy", "pandas", "pyarrow", "rapidfuzz", "scipy", "sentencex"}
PREDICTIONS = ["Paris", "the Wilhelm Röntgen", "Michelle Obama", "42", "", "Mount Everest is the highest mountain"]
REFERENCES = [
    "paris",
    "Wilhelm Conrad Röntgen",
    "Barack Obama",
    "forty-two",
    "x",
    "The highest mountain is Mount Everest",
]


def documented_functions() -> list[tuple[list[str], set[str]]]:
    """The rows of the table in docs/without-evaluate.md: modules, and the libraries that they need."""
    text = (ROOT / "docs" / "without-evaluate.md").read_text(encoding="utf-8")
    found = []
    for metric, functions, needs in re.findall(r"^\| (\S+) \| (`.*) \| (.*) \|$", text, re.MULTILINE):
        package = "accuracy" if metric == "all" else metric.strip("`")
        found.append(
            ([f"{package}.{module}" for module in re.findall(r"\.(_\w+)\.", functions)], set(needs.split(", ")))
        )
    return found


@pytest.mark.parametrize(("modules", "needs"), documented_functions())
def test_functions_import_only_the_documented_libraries(modules: list[str], needs: set[str]) -> None:
    code = f"import sys; sys.path.insert(0, 'metrics'); import {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & LIBRARIES == needs - {"–"}


@pytest.fixture(scope="module")
def results_without_evaluate() -> dict[str, Any]:
    data = json.dumps({"predictions": PREDICTIONS, "references": REFERENCES})
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, input=data, capture_output=True, text=True, check=True, timeout=60
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_accuracy_without_evaluate_equals_the_metric(
    results_without_evaluate: dict[str, Any], metric: Callable[[str], Any]
) -> None:
    result = metric("accuracy").compute(predictions=PREDICTIONS, references=REFERENCES, match="recall")
    assert results_without_evaluate["match_types"] == result["match_types"]
    assert tuple(results_without_evaluate["interval"]) == result["accuracy_confidence_interval"]


def test_exact_match_and_token_f1_without_evaluate_equal_the_metrics(
    results_without_evaluate: dict[str, Any], metric: Callable[[str], Any]
) -> None:
    exact = metric("answer_exact_match").compute(predictions=PREDICTIONS, references=REFERENCES, normalizer="squad")
    assert results_without_evaluate["exact"] == exact["individual_scores"]
    overlap = metric("token_f1").compute(predictions=PREDICTIONS, references=REFERENCES, return_details=True)
    assert results_without_evaluate["f1"] == overlap["individual_f1"]


def test_retrieval_without_evaluate_equals_the_metric(
    results_without_evaluate: dict[str, Any], metric: Callable[[str], Any]
) -> None:
    result = metric("precision_recall_f1").compute(
        predictions=[[one] for one in PREDICTIONS], references=[[one] for one in REFERENCES], return_details=True
    )
    assert results_without_evaluate["recall"] == result["individual_recall"]


def test_judge_formula_without_evaluate_is_the_normalized_yes_probability(
    results_without_evaluate: dict[str, Any],
) -> None:
    yes, no = math.exp(-0.1), math.exp(-2.5)
    assert results_without_evaluate["judged"] == pytest.approx(yes / (yes + no), rel=1e-15)
