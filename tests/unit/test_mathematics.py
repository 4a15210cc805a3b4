r"""Mathematics: spelling that means the same, and equivalence by Math-Verify or a user's function."""

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from answer_metrics.matching import mathematics
from answer_metrics.matching.mathematics import equivalent_pairs, is_formula, same_spelling
from tests.conftest import ROOT

SAME = [
    (r"\dfrac{1}{2}", r"\frac12"), (r"\frac{3}{4}", "3/4"), (r"$x = 5$", "5"), (r"(-1, 6)", "(-1,6)"),
    (r"12 \frac{3}{5}", r"12\frac{3}{5}"), (r"10\text{ cm}", "10"),
    (r"\left( 3, \frac{\pi}{2} \right)", r"(3,\frac{\pi}{2})"), ("1{,}000", "1000"), (r"\frac{\sqrt{3}}{2}", r"√3/2"),
    (r"\cos(2x)", r"\cos 2x"), (r"$137\frac{1}{2}$ miles", r"137 \frac{1}{2}"),
]  # fmt: skip
# Signs, operators, relations, brackets and the order of numbers stay.
OTHERS = [
    (r"-\sqrt{2}", r"\sqrt{2}"), ("x<2", "x>2"), ("[0,1)", "(0,1]"), ("(3,100)", "3100"),
    (r"12\frac{3}{5}", r"\frac{123}{5}"), (r"(\sqrt{2}, -1)", r"(-1, \sqrt{2})"),
]  # fmt: skip
PROSE = ["The Great Gatsby", "Barack Obama", "3-2", "1979-80", "(C)", "B-52", "A/B", "2019-09-06", "Spider-Man"]


def test_spelling_decides_only_how_an_expression_is_written() -> None:
    assert [pair for pair in SAME if not same_spelling(*pair)] == []
    assert [pair for pair in OTHERS if same_spelling(*pair) or same_spelling(*pair[::-1])] == []


def test_names_scores_and_dates_are_prose() -> None:
    assert [text for text in PROSE if is_formula(text)] == []
    assert [first for first, _ in OTHERS if not is_formula(first)] == []


@pytest.mark.parametrize("pair", OTHERS)
def test_what_differs_in_a_box_is_wrong(accuracy: Any, pair: tuple[str, str]) -> None:
    for preset in ("free_form", "math"):
        result = accuracy.compute(predictions=[rf"So \boxed{{{pair[0]}}}."], references=[pair[1]], preset=preset)
        assert result["match_types"] == ["none"], preset


STATED = [
    (r"We need $x-1>0$. **Domain:** $(1, \infty)$", r"(1,\infty)", True),
    (r"So $\sqrt{50} = 5\sqrt{2} \approx 7.07$.", r"5\sqrt{2}", True),
    (r"Either $x=2$ or $x=3$.", r"x = 2, 3", True),
    (r"First $5\sqrt{2}$. No, it is $2\sqrt{5}$.", r"5\sqrt{2}", False),
    (r"We find $x > 3$.", "x<3", False),
]


def test_formula_that_prose_states_last_counts_in_free_form(accuracy: Any) -> None:
    texts, references, right = map(list, zip(*STATED, strict=True))
    result = accuracy.compute(predictions=texts, references=references, preset="free_form", return_details=True)
    assert result["individual_scores"] == right


def test_math_verify_decides_what_nothing_else_accepts(accuracy: Any) -> None:
    predictions = [r"\boxed{(x+1)(x-1)}", r"so $2\sqrt{2}$", "\\boxed{4}", "words", "no box", "<think>\\boxed{5}"]
    references = ["x^2-1", r"\sqrt{8}", "5", "5", "5", "5"]
    rows = {"predictions": predictions, "references": references}
    with pytest.warns(UserWarning, match="1 row of predictions has thinking that was cut off"):
        result = accuracy.compute(**rows, preset="math", return_signature=True, reasoning="drop")
    assert result["match_types"] == ["equivalent", "equivalent", "none", "none", "none", "truncated"]
    assert "|equivalent:math-verify-" in result["signature"]


def test_pair_that_takes_too_long_is_not_equivalent(accuracy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["answer_metrics.matching.mathematics"], "SECONDS", 2.0)
    monkeypatch.setattr(sys.modules["answer_metrics.matching.pipeline"], "_BLOCK_ROWS", 1)
    predictions = [r"\boxed{9^{9^{9^9}}}", r"\boxed{x+1}", r"\boxed{8^{9^{9^9}}}"]
    with pytest.warns(UserWarning, match="2 rows of pairs have taken Math-Verify longer than"):
        result = accuracy.compute(predictions=predictions, references=["3", "1+x", "3"], preset="math")
    assert result["match_types"] == ["none", "equivalent", "none"]


def test_missing_library_is_named_before_the_first_row(accuracy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    latex = sys.modules["answer_metrics.matching.mathematics"]

    def missing(_: str) -> str:
        raise latex.importlib.metadata.PackageNotFoundError

    latex.math_verify_version.cache_clear()
    monkeypatch.setattr(latex.importlib.metadata, "version", missing)
    with pytest.raises(ImportError, match=r'needs Math-Verify: pip install "math-verify\[antlr4_13_2\]"'):
        accuracy.compute(predictions=["a"], references=["a"], equivalent="math")
    monkeypatch.undo()
    latex.math_verify_version.cache_clear()


def test_worker_that_somebody_ended_is_replaced() -> None:
    assert equivalent_pairs([("x+1", "1+x")]) == [True]
    for worker in mathematics._idle:
        os.kill(worker._process.pid, signal.SIGTERM)
        worker._process.wait()
    assert equivalent_pairs([("x+2", "2+x")]) == [True]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_and_exit_leave_no_process_behind() -> None:
    code = """
import os, sys
sys.path.insert(0, "metrics")
from answer_metrics.matching.mathematics import _idle, equivalent_pairs
assert equivalent_pairs([("x+1", "1+x")]) == [True]
parent = _idle[0]._process.pid
if not (child := os.fork()):
    assert equivalent_pairs([("x+2", "2+x")]) == [True]
    print(_idle[0]._process.pid, flush=True)
    os._exit(0)
os.waitpid(child, 0)
assert equivalent_pairs([("x+3", "3+x")]) == [True] and _idle[0]._process.pid == parent
print(parent)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    first, second = map(int, done.stdout.split())
    assert first != second
    for pid in (first, second):
        for _ in range(100):
            if not (ROOT / "/proc" / str(pid)).exists():
                break
            threading.Event().wait(0.1)
        else:
            pytest.fail(f"process {pid} is left")


def same_length(prediction: str, reference: str) -> bool:
    return len(prediction) == len(reference)


def test_function_is_asked_about_pairs_that_nothing_accepted(accuracy: Any) -> None:
    asked = []

    def equivalent(prediction: str, reference: str) -> bool:
        asked.append((prediction, reference))
        return prediction == "Lutetia"

    predictions = ["Paris", "Lutetia", "Lyon", "<think>Paris"]
    with pytest.warns(UserWarning, match="cut off"):
        result = accuracy.compute(predictions=predictions, references=[["Paris"]] * 4, equivalent=equivalent)
    assert result["match_types"] == ["exact", "equivalent", "none", "truncated"]
    assert (result["accuracy"], result["truncated"]) == (0.5, 1)
    assert asked == [("Lutetia", "Paris"), ("Lyon", "Paris")]
    signature = accuracy.signature(accuracy.resolve_options({"equivalent": same_length}))
    assert "|equivalent:tests.unit.test_mathematics.same_length@" in signature


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda one, _: one, r"equivalent returned 'b' \(str\) for predictions\[1\], 'b', not True or False"),
        (lambda *_: 1 / 0, r"equivalent failed on predictions\[1\], 'b', and 'c': ZeroDivisionError: division"),
    ],
)
def test_error_of_a_function_names_the_row(accuracy: Any, function: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"accuracy: {message}"):
        accuracy.compute(predictions=["a", "b"], references=["a", "c"], equivalent=function)
