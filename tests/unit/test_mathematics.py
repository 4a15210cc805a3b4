r"""Mathematics: spelling that means the same, and equivalence by Math-Verify or a user's function."""

import itertools
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answer_metrics.matching import mathematics
from answer_metrics.matching.expressions import same_value
from answer_metrics.matching.mathematics import clean, decide, equivalent_pairs, is_formula, same_spelling
from tests.conftest import ROOT

# Signs, operators, relations, brackets and the order of numbers stay.
OTHERS = [
    (r"-\sqrt{2}", r"\sqrt{2}"), ("x<2", "x>2"), ("[0,1)", "(0,1]"), ("(3,100)", "3100"),
    (r"12\frac{3}{5}", r"\frac{123}{5}"), (r"1 \dfrac{3}{5}", r"\frac{13}{5}"), (r"(\sqrt{2}, -1)", r"(-1, \sqrt{2})"),
    ("<4", "4"), ("≥ 4", "4"), (r"\neq 4", "4"), ("> -4", "-4"),
    ("|x|", "x"), ("|-3|", "-3"), ("f'(x)", "f(x)"), ("y''", "y"),
]  # fmt: skip
PROSE = ["The Great Gatsby", "Barack Obama", "3-2", "1979-80", "(C)", "B-52", "A/B", "2019-09-06", "Spider-Man"]


def test_spelling_decides_only_how_a_formula_is_written_and_names_scores_and_dates_are_none() -> None:
    for pair in ((r"\dfrac{1}{2}", r"\frac12"), (r"$x = 5$", "5"), (r"10\text{ cm}", "10"), ("1{,}000", "1000")):
        assert same_spelling(*pair), pair
    assert [pair for pair in OTHERS if same_spelling(*pair) or same_spelling(*pair[::-1])] == []
    assert [text for text in (*PROSE, *dict(OTHERS)) if is_formula(text)] == [*dict(OTHERS)]


# Writings of one value a line: each equals the others of its line, and none of another line.
VALUES = [
    ["0.5", r"\frac{1}{2}", r"\frac12", "1/2", "2^{-1}", "2**(-1)", r"\sqrt{\frac{1}{4}}", r"\binom{2}{1}/4"],
    [r"\sqrt{17}", "√17", "sqrt(17)", "17^{1/2}", "17**0.5", r"\frac{17}{\sqrt{17}}"],
    [r"\sqrt[3]{2}", "∛2", "2^{1/3}", r"\sqrt[3]2"],
    [r"-2\pi", "-2*pi", "-2π", r"-\pi\cdot 2", r"-\frac{4\pi}{2}"],
    ["x^2+1", "x²+1", "x**2 + 1", "1+x^{2}", r"(x+1)^2-2x", "x*x+1"],
    ["(x-1)(x+1)", "x^2-1", "x²−1", r"\left(x+1\right)\left(x-1\right)"],
    ["e^{16}-1", "-1 + exp(16)", r"\exp(16)-1"], ["14-i", "14.0 + -1.0i", r"14-\mathrm{i}"], ["14+i", r"14+\mathrm{i}"],
    ["(1,2)", r"x \in (1,2)", "x ∈ (1,2)", "1<x<2", "2 > x > 1"], ["[1,2)", r"1 \le x < 2", r"x\in[1,2)"],
    ["(0,12.5)", "0<x<12.5", r"\left(0,\frac{25}{2}\right)"], ["(2,1)"], ["x<2", r"(-\infty,2)", "2>x"], ["x>2",
     r"(2,\infty)"],
    [r"x\le 2", "x<=2", "2≥x", r"(-\infty,2]"], ["<4"], [">4"], [r"\neq 4", "≠4"], [r"x \ne 4"], ["4", "x=4", "2^2",
     r"\log_2 16", r"\sqrt[3]{64}"],
    ["y=2x+3", "y = 3+2x", "2y=4x+6"], ["y=2x-1"], ["1,2", r"\{2,1\}", r"x=1 \text{ or } x=2"], ["1,2,3"],
    [r"1, 2, \ldots, n"],
    [r"1, 3, 5, \ldots, 2n-1"], ["1:4:9"], ["1:2:3"],
    [r"\frac{63}{5}", r"12\frac{3}{5}", r"12 \frac{3}{5}", "12 3/5", "12.6"],
    [r"\frac{123}{5}", "24.6"],
    [r"\begin{pmatrix} 1/5 \\ -18/5 \end{pmatrix}", r"\begin{pmatrix} 0.2 \\ -3.6 \end{pmatrix}"],
    [r"\begin{pmatrix} 1/5 & -18/5 \end{pmatrix}"], [r"\begin{pmatrix} -18/5 & 1/5 \end{pmatrix}"],
    [r"\sin^2 x", r"1-\cos^2 x"], [r"\ln x"], ["|x|", "|-x|"],
    ["x"], ["x_1"], ["x_2"],
    ["5!", "120", "1.2e2".replace("e2", r"\times 10^2")], [r"4\sqrt(2)", r"4\sqrt{2}", r"\sqrt{32}"],
    [r"\frac{1}{2^{98}}", "2^{-98}"],
    [r"\frac{1}{2^{99}}"], [r"1.6\times10^{-19}", r"\frac{16}{10^{20}}"], [r"3.2\times10^{-19}"],
    [r"[0,1)\cup(2,3]", r"(2,3]\cup[0,1)"], ["x+y>2", "2<y+x"], ["x+y<2", "2>y+x"],
]  # fmt: skip


def is_equal(prediction: str, reference: str) -> bool | None:
    return same_spelling(prediction, reference) or decide(prediction, reference)


@pytest.mark.parametrize("line", range(len(VALUES)))
def test_value_is_equal_in_all_its_writings_and_in_no_others(line: int) -> None:
    writings = VALUES[line]
    others = [text for place, texts in enumerate(VALUES) if place != line for text in texts]
    assert [pair for pair in itertools.product(writings, writings) if is_equal(*pair) is not True] == []
    assert [pair for pair in itertools.product(writings, others) if is_equal(*pair) is not False] == []


def test_decimals_may_round_a_value_at_the_sixth_place() -> None:
    for exact, decimals in {r"\frac{1}{3}": "0.333333", r"\sqrt{2}": "1.414214", r"\pi": "3.141593"}.items():
        assert [end for end in range(3, len(decimals) + 1) if decide(decimals[:end], exact)] == [len(decimals)]


# A unit counts where both sides have one.
UNITS = [
    (r"5\text{ cm}", "5", True), (r"5\text{ cm}", r"5\text{ centimeters}", True), (r"5\text{ cm}", "5 m", False),
    (r"5\text{ cm}", r"5\text{ cm}^2", False), (r"5\text{ square cm}", r"5\text{ cm}^2", True),
    ("5°", r"5^\circ", True), ("5°", r"5\text{ cm}", False), (r"5\%", r"5\$", False), (r"\$5", "5 dollars", True),
]  # fmt: skip


def test_units_count_where_both_sides_have_one() -> None:
    assert [(*pair, is_equal(*pair)) for *pair, _ in UNITS] == UNITS


NUMBERS = st.integers(1, 99).map(Fraction)
STYLES = {
    "latex": {"+": "{} + {}", "-": "{} - ({})", "*": r"({}) \cdot ({})", "/": r"\frac{{{}}}{{{}}}"},
    "code": {"+": "{}+{}", "-": "{}-({})", "*": "({})*({})", "/": "(({})/({}))"},
    "unicode": {"+": "{} + {}", "-": "{} − ({})", "*": "({}) × ({})", "/": "(({}) / ({}))"},
}
TREES = st.recursive(NUMBERS, lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner), max_leaves=6)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "/": truediv}


def computed(tree: Any, operations: dict[str, Callable[[Any, Any], Any]] = OPERATIONS) -> Any:
    return (
        tree if isinstance(tree, Fraction) else operations[tree[0]](*(computed(part, operations) for part in tree[1:]))
    )


def written(tree: Any, style: str) -> str:
    return str(computed(tree, {sign: form.format for sign, form in STYLES[style].items()}))


@given(TREES, st.sampled_from(list(STYLES)), st.sampled_from(list(STYLES)))
def test_arithmetic_is_that_of_fractions(tree: Any, style: str, other: str) -> None:
    try:
        value = computed(tree)
    except ZeroDivisionError:
        assert same_value(clean(written(tree, style)), "1") is None
        return
    first, second = (clean(written(tree, each)) for each in (style, other))
    assert same_value(first, second)
    assert same_value(first, f"({value.numerator})/({value.denominator})")
    assert same_value(first, f"({value.numerator + value.denominator})/({value.denominator})") is False


@given(
    st.lists(st.sampled_from([*"()[]{}^_+-*/=<>,|!.x12e", r"\frac", r"\sqrt", r"\sin", r"\le", " ", "²"])).map("".join)
)
@example("=x<")
@example("<x=")
@example("((9^{999})^{999})^{999}")  # too large to compute
@example("9^{9^{9^9}}")
@example("999999!")
@example("2^{-9^{9^9}}")
def test_nothing_raises(text: str) -> None:
    assert {decide(text, "x^2"), decide(text, text), decide("x=2", text)} <= {True, False, None}
    assert same_value(text, text) in {True, None}
    assert "9" not in text or same_value(text, "3") is None


def test_math_verify_agrees_on_what_both_read() -> None:
    """It takes tiny values for equal, and drops relations: only lines without these."""
    lines = VALUES[:7] + VALUES[20:22]
    pairs = [(line[0], text) for line in lines for text in line if not re.search(r"[√∛²π*i]|exp|\]2", text)]
    assert pairs
    assert equivalent_pairs(pairs) == [True] * len(pairs)
    different = [(first[0], second[0]) for first, second in itertools.pairwise(lines)]
    assert equivalent_pairs(different) == [False] * len(different) == [decide(*pair) for pair in different]


def test_pair_that_takes_too_long_is_not_equivalent(accuracy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["answer_metrics.matching.mathematics"], "SECONDS", 2.0)
    monkeypatch.setattr(sys.modules["answer_metrics.matching.pipeline"], "_BLOCK_ROWS", 1)
    predictions = [r"\boxed{9^{9^{9^9}}}", r"\boxed{x+1}", r"\boxed{8^{9^{9^9}}}"]
    with pytest.warns(UserWarning, match="Math-Verify took longer than .* on 2 pairs"):
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
        os.kill(worker.pid, signal.SIGTERM)
        worker.wait()
    assert equivalent_pairs([("x+2", "2+x")]) == [True]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_and_exit_leave_no_process_behind() -> None:
    code = """
import os, sys
sys.path.insert(0, "metrics")
from answer_metrics.matching.mathematics import _idle, equivalent_pairs
assert equivalent_pairs([("x+1", "1+x")]) == [True]
parent = _idle[0].pid
if not (child := os.fork()):
    assert equivalent_pairs([("x+2", "2+x")]) == [True]
    print(_idle[0].pid, flush=True)
    os._exit(0)
os.waitpid(child, 0)
assert equivalent_pairs([("x+3", "3+x")]) == [True] and _idle[0].pid == parent
print(parent)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    first, second = map(int, done.stdout.split())
    assert first != second
    for _ in range(100):
        if not any(Path(f"/proc/{pid}").exists() for pid in (first, second)):
            return
        threading.Event().wait(0.1)
    pytest.fail("a process is left")


def same_length(prediction: str, reference: str) -> bool:
    return len(prediction) == len(reference)


def test_function_is_asked_about_pairs_that_nothing_accepted(accuracy: Any) -> None:
    asked = []

    def equivalent(prediction: str, reference: str) -> bool:
        asked.append((prediction, reference))
        return prediction == "Lutetia"

    predictions = ["Paris", "Lutetia", "Lyon", "<think>Paris"]
    with pytest.warns(UserWarning, match="mid-reasoning"):
        result = accuracy.compute(predictions=predictions, references=[["Paris"]] * 4, equivalent=equivalent)
    assert result["match_types"] == ["exact", "equivalent", "none", "truncated"]
    assert (result["accuracy"], result["truncated"]) == (0.5, 1)
    assert asked == [("Lutetia", "Paris"), ("Lyon", "Paris")]
    signature = accuracy.signature(accuracy.resolve_options({"equivalent": same_length}))
    assert "|equivalent:tests.unit.test_mathematics.same_length@" in signature

    for function, message in (
        (lambda first, _: first, r"returned 'Lyon' \(str\) for predictions\[2\], 'Lyon', not True or False"),
        (lambda *_: 1 / 0, r"failed on predictions\[2\], 'Lyon', and 'Paris': ZeroDivisionError: division"),
    ):
        with pytest.raises(ValueError, match=f"accuracy: equivalent {message}"):
            accuracy.compute(predictions=["Paris", "paris", "Lyon"], references=["Paris"] * 3, equivalent=function)
