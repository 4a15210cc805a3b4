"""Mutation testing: change one operator, comparison or constant of a core at a time, and see whether its tests notice.

Each mutant runs in a forked process in which the libraries are loaded already; the mutated code takes the place of the
core wherever it is imported from, vendored copies and evaluate's module cache included. Nothing is written to the
tree. Mutants that mean the same as the original stand in tests/mutants.toml, each with its reason. Without a sample
they are tried, too: one that a test notices does not mean the same.
"""

import argparse
import ast
import contextlib
import copy
import importlib
import importlib.machinery
import os
import random
import resource
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "tests" / "mutants.toml"
PRELOADED = ("numpy", "scipy.stats", "pandas", "hypothesis", "evaluate", "datasets", "rapidfuzz.process", "openai")
_LONGEST = 900  # seconds of processor time that no core's tests need


class Core(NamedTuple):
    """A file, the tests that answer for it, and the classes in it that are not pure."""

    path: str
    tests: tuple[str, ...]
    without: frozenset[str] = frozenset()


CORES = {
    "normalization": Core("metrics/_shared/_normalization.py", ("test_normalization.py",)),
    "ascii_normalization": Core("metrics/_shared/_ascii_normalization.py", ("test_normalization.py",)),
    "normal_form": Core("metrics/_shared/_normal_form.py", ("test_normal_form.py",)),
    "punctuation": Core("metrics/_shared/_punctuation.py", ("test_normalization.py",)),
    "intervals": Core("metrics/_shared/_intervals.py", ("test_intervals.py",)),
    "columns": Core("metrics/_shared/_columns.py", ("test_columns.py",)),
    "options": Core("metrics/_shared/_options.py", ("test_options.py",)),
    "similarity": Core("metrics/accuracy/_similarity.py", ("test_accuracy.py",)),
    "accuracy": Core("metrics/accuracy/accuracy.py", ("test_accuracy.py",), frozenset({"Accuracy"})),
    "answer_exact_match": Core(
        "metrics/answer_exact_match/answer_exact_match.py",
        ("test_answer_exact_match.py",),
        frozenset({"AnswerExactMatch"}),
    ),
    "matching": Core("metrics/precision_recall_f1/_matching.py", ("test_precision_recall_f1_matching.py",)),
    "tokens": Core(
        "metrics/precision_recall_f1/_tokens.py",
        ("test_precision_recall_f1_matching.py", "test_precision_recall_f1.py"),
    ),
    "sentences": Core("metrics/precision_recall_f1/_sentences.py", ("test_precision_recall_f1_sentences.py",)),
    "logprobs": Core("metrics/l3score/_logprobs.py", ("test_l3score_formula.py",)),
    "prices": Core("metrics/l3score/_prices.py", ("test_l3score_compute.py", "test_l3score_judge.py")),
    "providers": Core(
        "metrics/l3score/_providers.py",
        ("test_l3score_compute.py", "test_l3score_secrets.py", "test_l3score_judge.py"),
    ),
}

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.Pow: ast.Mult,
}


class Mutant(NamedTuple):
    """A changed tree, and what was changed: function, before and after."""

    name: str
    line: int
    tree: ast.Module


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in _COMPARISONS[type(operator)]:
                changed = copy.deepcopy(node)
                changed.ops[place] = other()
                yield changed
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        assert isinstance(node.value, (int, float))  # noqa: S101  # for mypy
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
        changed_operator = copy.deepcopy(node)
        changed_operator.op = _ARITHMETIC[type(node.op)]()
        yield changed_operator
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def _condition_negated(parent: ast.AST, field: str, node: ast.AST) -> bool:
    """Say whether a node is a condition that `variants` has nothing for: a name, an attribute or a call."""
    is_condition = (isinstance(parent, (ast.If, ast.IfExp, ast.While)) and field == "test") or (
        isinstance(parent, ast.comprehension) and field == "ifs"
    )
    return is_condition and isinstance(node, (ast.Name, ast.Attribute, ast.Call))


def _places(node: ast.AST, function: str, without: frozenset[str]) -> Iterator[tuple[str, ast.AST, str, int | None]]:
    """Yield every place that may be mutated: the function it is in, the parent, its field, the place in a list."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "bases"}:
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or (isinstance(child, ast.ClassDef) and child.name in without):
                continue
            inside = child.name if isinstance(child, (ast.FunctionDef, ast.ClassDef)) else function
            yield function, node, field, place
            yield from _places(child, inside, without)


def mutants(source: str, without: frozenset[str] = frozenset()) -> list[Mutant]:
    """Make every mutant of a source, named so that an edit elsewhere leaves the name as it is."""
    tree = ast.parse(source)
    found: list[Mutant] = []
    names: Counter[str] = Counter()
    for function, parent, field, place in _places(tree, "module", without):
        original = getattr(parent, field) if place is None else getattr(parent, field)[place]
        others = list(variants(original))
        if _condition_negated(parent, field, original):
            others.append(ast.UnaryOp(ast.Not(), original))
        for other in others:
            _put(parent, field, place, other)
            shown = " ".join(ast.unparse(other).split()) if not isinstance(other, ast.Constant) else repr(other.value)
            name = f"{function}: {' '.join(ast.unparse(original).split())} -> {shown}"
            names[name] += 1
            name += f" #{names[name]}" if names[name] > 1 else ""
            found.append(Mutant(name, original.lineno, ast.fix_missing_locations(copy.deepcopy(tree))))
            _put(parent, field, place, original)
    return found


def _put(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def install(source: str, tree: ast.Module | None) -> None:
    """From now on, give the mutant to whoever imports the source or a copy of it."""
    if tree is None:
        return
    get_code = importlib.machinery.SourceFileLoader.get_code

    def get(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        path = Path(self.get_filename(fullname))
        if path.name.startswith(("_", "a")) and path.read_text(encoding="utf-8").endswith(source):
            return compile(tree, str(path), "exec", dont_inherit=True)
        return get_code(self, fullname)

    importlib.machinery.SourceFileLoader.get_code = get  # type: ignore[method-assign, assignment]


def run(source: str, tree: ast.Module | None, tests: Sequence[str], seconds: int) -> tuple[str, float]:
    """Run the tests on a mutant in a process of its own; say what became of it, and the processor's seconds."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        code = 9
        with contextlib.suppress(BaseException):
            install(source, tree)
            import pytest  # noqa: PLC0415  # loaded by the parent already

            code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests])
        os._exit(int(code))
    deadline = time.monotonic() + 20 * seconds
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.kill(child, 9)
        time.sleep(0.02)
    spent = usage.ru_utime + usage.ru_stime
    if os.WIFSIGNALED(status):
        return "timeout", spent
    return {0: "survived", 1: "killed", 2: "killed"}.get(os.waitstatus_to_exitcode(status), "broken"), spent


def test_core(name: str, sample: int, jobs: int) -> bool:
    """Test one core and print what survives; say whether nothing does."""
    core = CORES[name]
    source = (ROOT / core.path).read_text(encoding="utf-8")
    tests = [str(ROOT / "tests" / "unit" / test) for test in core.tests]
    known = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get(name, {}) if EQUIVALENT.exists() else {}
    outcome, spent = run(source, None, tests, _LONGEST)
    if outcome != "survived":
        print(f"{name}: its tests do not pass as they are ({outcome})")
        return False
    every = mutants(source, core.without)
    stale = sorted(known.keys() - {mutant.name for mutant in every})
    chosen = [mutant for mutant in every if mutant.name not in known]
    if sample and sample < len(chosen):
        chosen = random.Random(0).sample(chosen, sample)  # noqa: S311  # no secret
    print(f"{name}: {len(every)} mutants, {len(known)} known as equivalent, {len(chosen)} tried; {spent:.1f} s each")
    limit = int(4 * spent) + 10

    def become(mutant: Mutant) -> str:
        return run(source, mutant.tree, tests, limit)[0]

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = []
        for mutant, what in zip(chosen, pool.map(become, chosen), strict=True):
            outcomes.append(what)
            if what in {"survived", "broken"}:
                print(f"  {what}  {core.path}:{mutant.line}  {mutant.name}  ({len(outcomes)} of {len(chosen)} done)")
        listed = [] if sample else [mutant for mutant in every if mutant.name in known]
        # Not "timeout": what means the same may take its time.
        noticed = [
            mutant.name for mutant, what in zip(listed, pool.map(become, listed), strict=True) if what == "killed"
        ]
    for gone in stale:
        print(f"  not there any more: {gone}")
    for different in noticed:
        print(f"  known as equivalent, and yet a test fails: {different}")
    counts = Counter(outcomes)
    killed = counts["killed"] + counts["timeout"]
    share = killed / len(chosen) if chosen else 1.0
    print(f"{name}: {killed} of {len(chosen)} killed ({share:.1%}), {counts['timeout']} of them by the time limit")
    return killed == len(chosen) and not stale and not noticed


def main() -> int:
    """Test the cores that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cores", nargs="*", metavar="core", help=", ".join(CORES))
    parser.add_argument("--sample", type=int, default=0, help="try so many mutants of each core, chosen at random")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cores if name not in CORES]
    if unknown:
        parser.error(f"no core {unknown[0]}; there are {', '.join(CORES)}")
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    importlib.import_module("tests.conftest")  # caches of their own, before evaluate is imported
    for library in PRELOADED:
        importlib.import_module(library)
    clean = [test_core(name, arguments.sample, arguments.jobs) for name in arguments.cores or CORES]
    return int(not all(clean))


if __name__ == "__main__":
    sys.exit(main())
