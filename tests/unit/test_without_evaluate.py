"""The functions that score need neither evaluate nor datasets."""

import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

CODE = """
import sys
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

types = match_answers(["Röntgen", "Rome"], ["Wilhelm Röntgen", "Paris"], rules=Matching(match="recall")).types
assert [CREDIT[kind] for kind in types] == [1, 0], types
assert [round(end, 4) for end in interval(proportion([1, 0]))] == [0.0945, 0.9055]
assert normalize("Straße,  1,000") == "strasse 1000"
assert normalize_answers(["the Seine"], "squad") == ["seine"]
matched = match_query(["a b c"], ["a b d e"], RougeMatcher(make_tokenizer("rouge", use_stemmer=False), 0.4))
assert (matched.found, matched.ground_truths) == (1, 1)
assert score_answer("black cat", ["cat"], str.split).f1 == 2 / 3
assert dict(zip(score_names([2]), score_ranking([2, None], [1.0, 1.0], [2])))["recall@2"] == 0.5
# SPIQA's formula: exp(-0.1) / (exp(-0.1) + exp(-2.5)).
assert round(score_top_tokens([("Yes", -0.1), ("No", -2.5)]).score, 7) == 0.9168273
"""
LIBRARIES = {"datasets", "evaluate", "nltk", "numpy", "pandas", "pyarrow", "rapidfuzz", "scipy", "sentencex"}


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


def test_functions_work_without_evaluate() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
