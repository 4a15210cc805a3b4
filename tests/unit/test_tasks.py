"""docs/tasks.md: its figures are those of the metrics, and those of the official scripts on the same rows."""

import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import official
from tests.conftest import ROOT
from tests.oracles import squad_normalized
from tests.test_documents import anchors_of, blocks_of, run

DOCUMENT = ROOT / "docs" / "tasks.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
TABLE = {
    task: (anchor, [tuple(map(float, cell.split(", "))) for cell in cells.split(" | ")])
    for task, anchor, cells in re.findall(r"^\| \[(.*?)\]\(#(.*?)\) \| [^|]* \| ([\d., |]*\d) \|$", TEXT, re.MULTILINE)
}
SECTIONS = {anchor: section for section in TEXT.split("\n## ") for anchor in anchors_of(f"# {section}")}


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "document"}
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.chdir(ROOT)
        for line, info, code in blocks_of(TEXT):
            if info == "python":
                run(code, found, DOCUMENT.name, line)
    return found


def of_rows(names: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    """Return the figures of the official rules by task."""
    by_question: dict[str, list[float]] = {}
    for question, score in zip(names["scored"]["question"], names["scored"]["accuracy_individual_scores"], strict=True):
        by_question.setdefault(question, []).append(score)
    return {
        "MMLU-Pro": official.mmlu_pro(names["mmlu"]),
        "GSM8K": official.gsm8k(names["gsm8k"]),
        "MATH": official.hendrycks_math(names["math"]),
        "SQuAD": official.squad(names["squad"]),
        "TriviaQA": official.triviaqa(names["trivia"]),
        "NQ-open": official.nq_open(names["trivia"]),
        "HotpotQA, answer": official.hotpot_answer(names["hotpot"]),
        "HotpotQA, supporting facts": official.hotpot_facts(names["facts"]),
        "SimpleQA": official.simpleqa("ACBA"),
        "BEIR": official.trec_eval(names["ranking"], "ndcg_cut_10", "map", "recall_100"),
        "MS MARCO": official.ms_marco(names["ranking"]),
        "Samples": tuple(official.pass_at_k(by_question, k) for k in (1, 2)),
    }


def test_table_shows_the_figures_of_the_official_rules(names: dict[str, Any]) -> None:
    expected = of_rows(names)
    assert TABLE.keys() == expected.keys()
    for task, values in expected.items():
        anchor, (here, official_script) = TABLE[task]
        assert official_script == pytest.approx(values, abs=5e-5), task
        shown = "; ".join(re.findall(r"# -> \(?([\d., ]+)\)?", SECTIONS[anchor]))
        assert ", ".join(f"{value:g}" if value != 1 else "1.0" for value in here) in shown, task


WORDS = ["a", "the", "cat", "Cats", "mat", "3.5", "F.C.", "state-of-the-art", "yes", "no", "’s", "_", "Zürich", ""]
answers = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
several = st.lists(answers.filter(str.split), min_size=1, max_size=3)


@pytest.mark.parametrize(("normalizer", "rules"), [("squad", official.squad), ("triviaqa", official.triviaqa)])
@given(rows=st.lists(st.tuples(answers, several), min_size=1, max_size=4))
def test_short_answers_score_as_by_the_scripts(
    metric: Callable[[str], Any],
    normalizer: str,
    rules: Callable[[official.Rows], tuple[float, float]],
    rows: list[tuple[str, list[str]]],
) -> None:
    given_rows = dict(zip(("predictions", "references"), map(list, zip(*rows, strict=True)), strict=True))
    exact, f1 = rules(given_rows)
    found = metric("token_f1").compute(**given_rows, normalizer=normalizer)
    if all(squad_normalized(one) for _, several in rows for one in several):  # SQuAD v2 has rules for the rest
        assert (found["exact_match"], found["f1"]) == pytest.approx((exact, f1))
    assert metric("answer_exact_match").compute(**given_rows, normalizer=normalizer)["score"] == exact
